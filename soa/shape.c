/* Rest shapes: points in double, frames by parallel transport. */

#include "algebra.h"
#include "batch.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest turn of unit vector a into unit vector b; at a half turn any axis does. */
static quat shortest_turn(vec3 a, vec3 b) {
    const double cosine = dot(a, b);
    if (cosine < -1.0 + 1e-12) {
        const vec3 axis = orthogonal(a);
        return (quat){0, axis.x, axis.y, axis.z};
    }
    const vec3 axis = cross(a, b);
    return unit_quat((quat){1.0 + cosine, axis.x, axis.y, axis.z});
}

/* ---------------------------------------------------------------- applying a shape */

static rod_status check_rod(const rod_batch *batch, size_t rod, const void *description) {
    if (!batch || !description)
        return ROD_E_NULL;
    return rod < batch->rods ? ROD_OK : ROD_E_INDEX;
}

static rod_status check_points(const vec3 *points, size_t elements) {
    for (size_t i = 0; i <= elements; i++)
        if (!(fabs(points[i].x) <= FLT_MAX && fabs(points[i].y) <= FLT_MAX &&
              fabs(points[i].z) <= FLT_MAX))
            return ROD_E_NOT_FINITE;
    for (size_t e = 0; e < elements; e++) {
        const vec3 d = sub(points[e + 1], points[e]);
        if (!rod_is_length((float)sqrt(dot(d, d))))
            return ROD_E_LENGTH;
    }
    return ROD_OK;
}

static void put3(const rod_batch *b, rod_quantity quantity, size_t rod, size_t index, vec3 v) {
    float *entry = rod_entry(b, quantity, rod, index);
    entry[0] = (float)v.x;
    entry[b->lanes] = (float)v.y;
    entry[2 * b->lanes] = (float)v.z;
}

static void put_orientation(rod_batch *b, size_t rod, size_t e, quat q) {
    if (b->method == ROD_METHOD_PBER) {
        rod_ghost_turn(b, rod, e, (const double[4]){q.w, q.x, q.y, q.z});
        return;
    }
    float *entry = rod_entry(b, ROD_ORIENTATIONS, rod, e);
    entry[0] = (float)q.w;
    entry[b->lanes] = (float)q.x;
    entry[2 * b->lanes] = (float)q.y;
    entry[3 * b->lanes] = (float)q.z;
    put3(b, ROD_ANGULAR_VELOCITIES, rod, e, (vec3){0});
}

/* Orientations that turn from element to element no more than the tangents do (KS16 section 7,
 * USS14 section 6). */
static void apply_frames(rod_batch *b, size_t rod, const vec3 *points) {
    const size_t n = b->rod_elements[rod];
    vec3 tangent = unit(sub(points[1], points[0]));
    quat q = shortest_turn((vec3){0, 0, 1}, tangent);
    put_orientation(b, rod, 0, q);
    for (size_t e = 1; e < n; e++) {
        const vec3 next = unit(sub(points[e + 1], points[e]));
        const quat u = unit_quat(mul(shortest_turn(tangent, next), q));
        const quat z = mul((quat){q.w, -q.x, -q.y, -q.z}, u);
        put_orientation(b, rod, e, u);
        put3(b, ROD_REST_DARBOUX, rod, e - 1, (vec3){z.x, z.y, z.z});
        tangent = next;
        q = u;
    }
}

/* The angle by which neighbouring elements differ is all that strands keep of a shape. */
static void apply_angles(rod_batch *b, size_t rod, const vec3 *points) {
    for (size_t j = 0; j + 1 < b->rod_elements[rod]; j++) {
        const vec3 d = sub(points[j + 1], points[j]), e = sub(points[j + 2], points[j + 1]);
        const vec3 across = cross(d, e);
        *rod_entry(b, ROD_REST_ANGLES, rod, j) = (float)atan2(sqrt(dot(across, across)), dot(d, e));
    }
}

/* A half turn has no Rodrigues vector (USS14 eq. 9): such a shape is none for PBER. */
static rod_status check_turns(const rod_batch *b, size_t rod, const vec3 *points) {
    for (size_t j = 0; b->method == ROD_METHOD_PBER && j + 1 < b->rod_elements[rod]; j++) {
        const vec3 d = unit(sub(points[j + 1], points[j]));
        const vec3 e = unit(sub(points[j + 2], points[j + 1]));
        if (!rod_is_turn(0.5 * (1.0 - dot(d, e))))
            return ROD_E_DARBOUX;
    }
    return ROD_OK;
}

/* Lengths that differ by no more than float32 coordinates can hold are meant to be equal; with one
 * length for the whole rod the kernels have less to do. */
static bool lengths_equal(const vec3 *points, size_t elements, double mean) {
    double largest = mean;
    for (size_t i = 0; i <= elements; i++)
        largest =
            fmax(largest, fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z))));
    const double tolerance = 4.0 * FLT_EPSILON * largest;
    for (size_t e = 0; e < elements; e++) {
        const vec3 d = sub(points[e + 1], points[e]);
        if (fabs(sqrt(dot(d, d)) - mean) > tolerance)
            return false;
    }
    return true;
}

static rod_status apply_lengths(rod_batch *b, size_t rod, const vec3 *points) {
    const size_t n = b->rod_elements[rod];
    double mean = 0.0;
    float *lengths = malloc(n * sizeof *lengths);
    if (!lengths)
        return ROD_E_MEMORY;
    for (size_t e = 0; e < n; e++) {
        const vec3 d = sub(points[e + 1], points[e]);
        lengths[e] = (float)sqrt(dot(d, d));
        mean += sqrt(dot(d, d)) / (double)n;
    }
    if (lengths_equal(points, n, mean))
        for (size_t e = 0; e < n; e++)
            lengths[e] = (float)mean;
    const rod_status status = rod_set(b, ROD_REST_LENGTHS, rod, 1, lengths);
    free(lengths);
    return status;
}

/* Everything that can fail comes first. */
static rod_status apply(rod_batch *b, size_t rod, const vec3 *points) {
    rod_status status = check_points(points, b->rod_elements[rod]);
    if (status == ROD_OK)
        status = check_turns(b, rod, points);
    if (status == ROD_OK)
        status = apply_lengths(b, rod, points);
    if (status != ROD_OK)
        return status;
    for (size_t i = 0; i <= b->rod_elements[rod]; i++) {
        put3(b, ROD_POSITIONS, rod, i, points[i]);
        put3(b, ROD_VELOCITIES, rod, i, (vec3){0});
    }
    if (b->method == ROD_METHOD_PBD)
        apply_angles(b, rod, points);
    else
        apply_frames(b, rod, points);
    if (b->method == ROD_METHOD_PBER)
        rod_ghost_forget(b, rod);
    return ROD_OK;
}

/* ---------------------------------------------------------------- the shapes */

static bool finite3(const float *v) {
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

rod_status rod_shape_polyline(rod_batch *batch, size_t rod, const float *points) {
    rod_status status = check_rod(batch, rod, points);
    if (status != ROD_OK)
        return status;
    const size_t n = batch->rod_elements[rod];
    vec3 *p = malloc((n + 1) * sizeof *p);
    if (!p)
        return ROD_E_MEMORY;
    for (size_t i = 0; i <= n; i++)
        p[i] = vec3_of(points + 3 * i);
    status = apply(batch, rod, p);
    free(p);
    return status;
}

rod_status rod_shape_straight(rod_batch *batch, size_t rod, const float start[3],
                              const float direction[3], float length) {
    rod_status status = check_rod(batch, rod, start && direction ? start : NULL);
    if (status != ROD_OK)
        return status;
    if (!finite3(start) || !finite3(direction) || !isfinite(length))
        return ROD_E_NOT_FINITE;
    const vec3 d = vec3_of(direction);
    if (!(dot(d, d) > 0.0))
        return ROD_E_DIRECTION;
    if (!(length > 0.0f))
        return ROD_E_LENGTH;
    const size_t n = batch->rod_elements[rod];
    vec3 *p = malloc((n + 1) * sizeof *p);
    if (!p)
        return ROD_E_MEMORY;
    for (size_t i = 0; i <= n; i++)
        p[i] = add_scaled(vec3_of(start), (double)length * (double)i / (double)n, unit(d));
    status = apply(batch, rod, p);
    free(p);
    return status;
}

/* Axis, the direction from the axis to particle 0, and the third one. */
static rod_status helix_axes(const rod_helix *h, vec3 axes[3]) {
    if (!finite3(h->start) || !finite3(h->axis) || !finite3(h->inward) || !isfinite(h->radius) ||
        !isfinite(h->pitch) || !isfinite(h->turns))
        return ROD_E_NOT_FINITE;
    const vec3 axis = vec3_of(h->axis), inward = vec3_of(h->inward);
    if (!(dot(axis, axis) > 0.0))
        return ROD_E_DIRECTION;
    axes[0] = unit(axis);
    const vec3 outward = add_scaled((vec3){0}, -1.0, inward);
    const vec3 across = add_scaled(outward, -dot(outward, axes[0]), axes[0]);
    /* what rounding leaves of two parallel vectors is no direction */
    if (!(dot(across, across) > 1e-12 * dot(inward, inward)))
        return ROD_E_DIRECTION;
    axes[1] = unit(across);
    axes[2] = cross(axes[0], axes[1]);
    return h->radius >= 0.0f && h->turns > 0.0f ? ROD_OK : ROD_E_LENGTH;
}

rod_status rod_shape_helix(rod_batch *batch, size_t rod, const rod_helix *helix) {
    rod_status status = check_rod(batch, rod, helix);
    vec3 axes[3];
    if (status == ROD_OK)
        status = helix_axes(helix, axes);
    if (status != ROD_OK)
        return status;
    const size_t n = batch->rod_elements[rod];
    vec3 *p = malloc((n + 1) * sizeof *p);
    if (!p)
        return ROD_E_MEMORY;
    const double r = helix->radius;
    const vec3 centre = add_scaled(vec3_of(helix->start), -r, axes[1]);
    for (size_t i = 0; i <= n; i++) {
        const double turns = (double)helix->turns * (double)i / (double)n;
        const double angle = 2.0 * 3.14159265358979323846 * turns;
        p[i] = add_scaled(centre, r * cos(angle), axes[1]);
        p[i] = add_scaled(p[i], r * sin(angle), axes[2]);
        p[i] = add_scaled(p[i], (double)helix->pitch * turns, axes[0]);
    }
    status = apply(batch, rod, p);
    free(p);
    return status;
}
