/* What a caller can read of a rod's state beyond the state itself. */

#include "algebra.h"
#include "batch.h"

#include <math.h>

typedef struct {
    double c[4];
} entry;

static entry read_entry(const rod_batch *b, rod_quantity quantity, size_t rod, size_t index) {
    if (quantity == ROD_ORIENTATIONS && b->method == ROD_METHOD_PBER) {
        entry q = {{0}};
        rod_ghost_orientation(b, rod, index, q.c);
        return q;
    }
    const float *at = rod_entry(b, quantity, rod, index);
    entry e = {{0}};
    for (size_t c = 0; c < rod_shape_of(quantity).components; c++)
        e.c[c] = (double)at[c * b->lanes];
    return e;
}

static double rest_length(const rod_batch *b, size_t rod, size_t e) {
    const float *length = rod_entry(b, ROD_REST_LENGTHS, rod, e);
    return (double)(length ? *length : *rod_constant(b, rod, ROD_LANE_LENGTH));
}

static double distance(const rod_batch *b, size_t rod, size_t e) {
    const entry p = read_entry(b, ROD_POSITIONS, rod, e);
    const entry r = read_entry(b, ROD_POSITIONS, rod, e + 1);
    return sqrt(pow(r.c[0] - p.c[0], 2) + pow(r.c[1] - p.c[1], 2) + pow(r.c[2] - p.c[2], 2));
}

/* |C|^2 of KS16 eq. 31; of strands, which have no d3, along the element. */
static double stretch_square(const rod_batch *b, size_t rod, size_t e) {
    if (b->method == ROD_METHOD_PBD)
        return pow(distance(b, rod, e) / rest_length(b, rod, e) - 1.0, 2);
    const entry p = read_entry(b, ROD_POSITIONS, rod, e);
    const entry r = read_entry(b, ROD_POSITIONS, rod, e + 1);
    const entry q = read_entry(b, ROD_ORIENTATIONS, rod, e);
    const double w = q.c[0], x = q.c[1], y = q.c[2], z = q.c[3];
    const double d3[3] = {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z};
    double square = 0.0;
    for (int c = 0; c < 3; c++)
        square += pow((r.c[c] - p.c[c]) / rest_length(b, rod, e) - d3[c], 2);
    return square;
}

/* conj(q) u of a joint */
static entry relative(const rod_batch *b, size_t rod, size_t joint) {
    const entry q = read_entry(b, ROD_ORIENTATIONS, rod, joint);
    const entry u = read_entry(b, ROD_ORIENTATIONS, rod, joint + 1);
    const double *a = q.c, *c = u.c;
    return (entry){{
        a[0] * c[0] + a[1] * c[1] + a[2] * c[2] + a[3] * c[3],
        a[0] * c[1] - a[1] * c[0] - a[2] * c[3] + a[3] * c[2],
        a[0] * c[2] - a[2] * c[0] - a[3] * c[1] + a[1] * c[3],
        a[0] * c[3] - a[3] * c[0] - a[1] * c[2] + a[2] * c[1],
    }};
}

/* The angle between the two elements of a joint. */
static double angle(const rod_batch *b, size_t rod, size_t joint) {
    const entry p = read_entry(b, ROD_POSITIONS, rod, joint);
    const entry q = read_entry(b, ROD_POSITIONS, rod, joint + 1);
    const entry r = read_entry(b, ROD_POSITIONS, rod, joint + 2);
    const vec3 d = {q.c[0] - p.c[0], q.c[1] - p.c[1], q.c[2] - p.c[2]};
    const vec3 e = {r.c[0] - q.c[0], r.c[1] - q.c[1], r.c[2] - q.c[2]};
    const vec3 across = cross(d, e);
    return atan2(sqrt(dot(across, across)), dot(d, e));
}

/* |C|^2 of KS16 eq. 32 towards the nearer of the two rest poses, in 4-D; of strands, that of the
 * angle. */
static double bend_square(const rod_batch *b, size_t rod, size_t joint) {
    if (b->method == ROD_METHOD_PBD)
        return pow(angle(b, rod, joint) - read_entry(b, ROD_REST_ANGLES, rod, joint).c[0], 2);
    const entry z = relative(b, rod, joint), rest = read_entry(b, ROD_REST_DARBOUX, rod, joint);
    const double *o = rest.c;
    const double square = 1.0 - o[0] * o[0] - o[1] * o[1] - o[2] * o[2];
    const double near =
        z.c[0] * sqrt(square > 0.0 ? square : 0.0) + z.c[1] * o[0] + z.c[2] * o[1] + z.c[3] * o[2];
    const double s = near < 0.0 ? -1.0 : 1.0;
    return pow(z.c[1] - s * o[0], 2) + pow(z.c[2] - s * o[1], 2) + pow(z.c[3] - s * o[2], 2);
}

rod_status rod_get_strain(const rod_batch *batch, size_t rod, rod_strain *strain) {
    if (!batch || !strain)
        return ROD_E_NULL;
    if (rod >= batch->rods)
        return ROD_E_INDEX;
    const size_t n = batch->rod_elements[rod];
    double stretch_max = 0, stretch_sum = 0, bend_max = 0, bend_sum = 0, length = 0, rest = 0;
    for (size_t e = 0; e < n; e++) {
        const double square = stretch_square(batch, rod, e);
        stretch_max = fmax(stretch_max, square);
        stretch_sum += square;
        length += distance(batch, rod, e);
        rest += rest_length(batch, rod, e);
    }
    for (size_t j = 0; j + 1 < n; j++) {
        const double square = bend_square(batch, rod, j);
        bend_max = fmax(bend_max, square);
        bend_sum += square;
    }
    *strain = (rod_strain){
        .stretch_max = (float)sqrt(stretch_max),
        .stretch_rms = (float)sqrt(stretch_sum / (double)n),
        .bend_max = (float)sqrt(bend_max),
        .bend_rms = n > 1 ? (float)sqrt(bend_sum / (double)(n - 1)) : 0.0f,
        .length_ratio = (float)(length / rest),
    };
    return ROD_OK;
}

/* NaN or infinite if one of its values is. */
static double sum_of(const rod_batch *b, rod_quantity quantity, size_t rod) {
    double sum = 0.0;
    for (size_t i = 0; i < rod_entries(b, quantity, rod); i++) {
        const entry e = read_entry(b, quantity, rod, i);
        sum += e.c[0] + e.c[1] + e.c[2] + e.c[3];
    }
    return sum;
}

static bool is_broken(const rod_batch *b, size_t rod) {
    double sum = sum_of(b, ROD_POSITIONS, rod);
    if (b->method == ROD_METHOD_QUATERNION)
        sum += sum_of(b, ROD_ORIENTATIONS, rod);
    else if (b->method == ROD_METHOD_PBER)
        sum += sum_of(b, ROD_GHOSTS, rod);
    return !isfinite(sum);
}

static size_t folded_joints(const rod_batch *b, size_t rod) {
    const double cosine_of_half_170_degrees = 0.08715574274765817;
    size_t count = 0;
    for (size_t j = 0; j + 1 < b->rod_elements[rod]; j++) {
        const double cosine_of_half =
            b->method == ROD_METHOD_PBD ? cos(0.5 * angle(b, rod, j)) : relative(b, rod, j).c[0];
        count += fabs(cosine_of_half) < cosine_of_half_170_degrees ? 1 : 0;
    }
    return count;
}

static bool is_stretched(const rod_batch *b, size_t rod) {
    for (size_t e = 0; e < b->rod_elements[rod]; e++)
        if (distance(b, rod, e) > 2.0 * rest_length(b, rod, e))
            return true;
    return false;
}

static bool is_strained(const rod_batch *b, size_t rod) {
    const size_t n = b->rod_elements[rod];
    double sum = 0;
    for (size_t e = 0; e < n; e++)
        sum += stretch_square(b, rod, e);
    return !(sum <= 0.05 * 0.05 * (double)n);
}

rod_status rod_get_figures(const rod_batch *batch, rod_figures *figures) {
    if (!batch || !figures)
        return ROD_E_NULL;
    *figures = (rod_figures){.sign_flips = batch->sign_flips};
    for (size_t rod = 0; rod < batch->rods; rod++) {
        figures->folded_joints += folded_joints(batch, rod);
        figures->broken_rods += is_broken(batch, rod) ? 1 : 0;
        figures->stretched_rods += is_stretched(batch, rod) ? 1 : 0;
        figures->strained_rods += is_strained(batch, rod) ? 1 : 0;
    }
    return ROD_OK;
}
