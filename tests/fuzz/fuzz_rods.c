/* The public interface with anything that its types allow: bytes choose the calls and their
 * arguments. Whatever is accepted is then stepped, and rods that are not finite must be reported.
 */

#include "fuzz.h"

#include "registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RODS = 40, MOST_ELEMENTS = 40, MOST_CALLS = 24, QUANTITIES = ROD_BEND_STIFFNESSES + 1 };

/* ---------------------------------------------------------------- numbers */

/* Sensible ones, extremes of float32, and any bits at all. */
static float any_float(fuzz_input *in) {
    static const float special[] = {0.0f,
                                    -0.0f,
                                    1.0f,
                                    -1.0f,
                                    0.5f,
                                    1e-45f,
                                    1.1754944e-38f,
                                    1e-18f,
                                    9e-19f,
                                    1e18f,
                                    1.1e18f,
                                    1e30f,
                                    -1e30f,
                                    3.4028235e38f,
                                    (float)NAN,
                                    (float)INFINITY,
                                    (float)-INFINITY};
    const uint8_t kind = fuzz_byte(in);
    float value;
    if (kind < 128)
        return ((float)kind - 64.0f) / 32.0f;
    if (kind < 192)
        return special[kind % (sizeof special / sizeof *special)];
    fuzz_bytes(in, &value, sizeof value);
    return value;
}

/* Mostly one that is accepted. */
static float stiffness(fuzz_input *in) {
    const uint8_t kind = fuzz_byte(in);
    return kind < 240 ? (float)kind / 239.0f : any_float(in);
}

static void any_floats(fuzz_input *in, size_t count, float *values) {
    for (size_t i = 0; i < count; i++)
        values[i] = any_float(in);
}

/* ---------------------------------------------------------------- a batch */

/* Any variant of the method that this CPU can run, or the default. */
static const char *any_variant(fuzz_input *in, rod_method method) {
    const size_t skip = fuzz_byte(in);
    size_t seen = 0;
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        if (rod_variant_usable(v) && strcmp(v->method, rod_method_name(method)) == 0 &&
            seen++ == skip)
            return v->name;
    }
    return NULL;
}

static rod_batch *any_batch(fuzz_input *in) {
    rod_options options = rod_options_default();
    options.method = (rod_method)(fuzz_byte(in) % ROD_METHODS);
    options.variant = any_variant(in, options.method);
    size_t elements[MOST_RODS];
    const size_t rods = fuzz_byte(in) % MOST_RODS;
    for (size_t rod = 0; rod < rods; rod++)
        elements[rod] = fuzz_byte(in) % MOST_ELEMENTS;
    rod_batch *batch = NULL;
    if (fuzz_byte(in) % 2)
        rod_create_mixed(&batch, rods, elements, &options);
    else
        rod_create(&batch, rods, rods > 0 ? elements[0] : 0, &options);
    return batch;
}

/* ---------------------------------------------------------------- calls */

/* A rod or a part of one, mostly there. */
static size_t any_index(fuzz_input *in, size_t count) {
    const uint8_t index = fuzz_byte(in);
    return index == 255 ? SIZE_MAX : index % (count + 1);
}

static void shape(fuzz_input *in, rod_batch *batch, size_t rod) {
    float points[3 * (MOST_ELEMENTS + 1)], ends[6];
    rod_helix helix;
    switch (fuzz_byte(in) % 3) {
    case 0:
        any_floats(in, 6, ends);
        rod_shape_straight(batch, rod, ends, ends + 3, any_float(in));
        break;
    case 1:
        any_floats(in, 3 * (rod_elements(batch, rod) + 1), points);
        rod_shape_polyline(batch, rod, points);
        break;
    default:
        any_floats(in, sizeof helix / sizeof(float), (float *)&helix);
        rod_shape_helix(batch, rod, &helix);
    }
}

static void set(fuzz_input *in, rod_batch *batch, size_t rod) {
    const rod_quantity quantity = (rod_quantity)(fuzz_byte(in) % (QUANTITIES + 1));
    const size_t count = 1 + fuzz_byte(in) % 3, floats = rod_floats(batch, quantity, rod, count);
    float *values = malloc((floats + 1) * sizeof *values);
    if (!values)
        return;
    any_floats(in, floats, values);
    rod_set(batch, quantity, rod, count, values);
    rod_get(batch, quantity, rod, count, values);
    free(values);
}

static void change_one(fuzz_input *in, rod_batch *batch, size_t rod) {
    const size_t index = any_index(in, rod_elements(batch, rod));
    float v[4];
    any_floats(in, 4, v);
    switch (fuzz_byte(in) % 5) {
    case 0:
        rod_set_inverse_mass(batch, rod, index, v[0]);
        break;
    case 1:
        rod_set_orientation_weight(batch, rod, index, v[0]);
        break;
    case 2:
        rod_move_particle(batch, rod, index, v);
        break;
    case 3:
        rod_move_orientation(batch, rod, index, v);
        break;
    default:
        rod_clamp(batch, rod, (rod_end)(index % 3));
    }
}

static void stiffen(fuzz_input *in, rod_batch *batch, size_t rod) {
    const rod_stiffness k = {stiffness(in), stiffness(in), stiffness(in),
                             stiffness(in), stiffness(in), stiffness(in)};
    rod_set_stiffness(batch, rod, &k);
}

static void step(fuzz_input *in, rod_batch *batch) {
    rod_step_settings s = rod_step_defaults();
    s.frames = fuzz_byte(in) % 4;
    s.iterations = fuzz_byte(in) % 6;
    s.order = (rod_order)(fuzz_byte(in) % (ROD_ORDER_DEFAULT + 2));
    s.stiffness_per_frame = fuzz_byte(in) % 2;
    if (fuzz_byte(in) % 2)
        s.dt = any_float(in);
    if (fuzz_byte(in) % 4 == 0)
        any_floats(in, 3, s.gravity);
    s.damping = stiffness(in);
    if (rod_method_of(batch) == ROD_METHOD_PBD && fuzz_byte(in) % 2)
        s.rigid_damping = stiffness(in);
    rod_step(batch, &s);
}

/* ---------------------------------------------------------------- what must hold */

static bool is_finite(const rod_batch *batch, rod_quantity quantity, size_t rod) {
    float values[4 * (MOST_ELEMENTS + 1)];
    const size_t floats = rod_floats(batch, quantity, rod, 1);
    if (floats == 0 || rod_get(batch, quantity, rod, 1, values) != ROD_OK)
        return true;
    for (size_t i = 0; i < floats; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* Never NaN silently, and what can be read is always finite or reported. */
static void check_figures(const rod_batch *batch) {
    rod_figures figures;
    rod_strain strain;
    size_t broken = 0;
    for (size_t rod = 0; rod < rod_count(batch); rod++) {
        broken += is_finite(batch, ROD_POSITIONS, rod) && is_finite(batch, ROD_ORIENTATIONS, rod) &&
                          is_finite(batch, ROD_GHOSTS, rod)
                      ? 0
                      : 1;
        rod_get_strain(batch, rod, &strain);
    }
    if (rod_get_figures(batch, &figures) != ROD_OK || figures.broken_rods != broken)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, data + size};
    rod_batch *batch = any_batch(&in);
    for (size_t i = 0; batch && in.next < in.end && i < MOST_CALLS; i++) {
        const size_t rod = any_index(&in, rod_count(batch));
        switch (fuzz_byte(&in) % 6) {
        case 0:
            shape(&in, batch, rod);
            break;
        case 1:
            set(&in, batch, rod);
            break;
        case 2:
            change_one(&in, batch, rod);
            break;
        case 3:
            stiffen(&in, batch, rod);
            break;
        default:
            step(&in, batch);
        }
    }
    if (batch)
        check_figures(batch);
    rod_destroy(batch);
    return 0;
}
