/* What the tests of the public interface share. */
#ifndef ROD_TEST_API_H
#define ROD_TEST_API_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "random.h"
#include "seed.h"

enum { RODS = 40, LONGEST = 20, ELEMENTS = 50 };

/* A text says more than a number when a test fails. */
#define assert_status(call, expected)                                                              \
    assert_string_equal(rod_status_text(call), rod_status_text(expected))
#define assert_ok(call) assert_status(call, ROD_OK)

/* AddressSanitizer would abort where rod_create asks for more than there is. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* ---------------------------------------------------------------- methods */

/* Of the batches that new_batch and new_mixed make. */
static rod_method test_method = ROD_METHOD_QUATERNION;

static inline int use_method(rod_method method) {
    test_method = method;
    snprintf(test_subject, sizeof test_subject, "for %s", rod_method_name(method));
    return 0;
}

static inline int use_quaternion(void **state) {
    (void)state;
    return use_method(ROD_METHOD_QUATERNION);
}

static inline int use_pber(void **state) {
    (void)state;
    return use_method(ROD_METHOD_PBER);
}

static inline int use_pbd(void **state) {
    (void)state;
    return use_method(ROD_METHOD_PBD);
}

/* A test with rods of one method, and of each. The one is what tests have without this. */
#define test_of(method, f)                                                                         \
    { #f "_of_" #method, f, use_##method, use_quaternion, NULL }
#define test_of_each_method(f) test_of(quaternion, f), test_of(pber, f), test_of(pbd, f)

static inline bool has(const rod_batch *batch, rod_quantity quantity) {
    return rod_method_has(rod_method_of(batch), quantity);
}

/* Whether it is kept as it was set. Orientations of PBER are not: they are where the ghost points
 * and particles are. */
static inline bool keeps(const rod_batch *batch, rod_quantity quantity) {
    return has(batch, quantity) &&
           !(rod_method_of(batch) == ROD_METHOD_PBER && quantity == ROD_ORIENTATIONS);
}

/* ---------------------------------------------------------------- batches */

static inline rod_random new_random(void) {
    return rod_random_seed(test_seed);
}

static inline rod_options method_options(void) {
    rod_options options = rod_options_default();
    options.method = test_method;
    return options;
}

static inline rod_batch *new_batch(size_t rods, size_t elements) {
    const rod_options options = method_options();
    rod_batch *batch;
    assert_ok(rod_create(&batch, rods, elements, &options));
    return batch;
}

/* Lengths from 1 to LONGEST in an order that sorting permutes, some of them equal. */
static inline rod_batch *new_mixed(const rod_options *options) {
    const rod_options plain = method_options();
    size_t elements[RODS];
    for (size_t rod = 0; rod < RODS; rod++)
        elements[rod] = 1 + 7 * rod % LONGEST;
    rod_batch *batch;
    assert_ok(rod_create_mixed(&batch, RODS, elements, options ? options : &plain));
    return batch;
}

static inline float *new_floats(size_t count) {
    float *values = malloc((count + 1) * sizeof *values);
    assert_non_null(values);
    return values;
}

static inline float *read_quantity(const rod_batch *batch, rod_quantity quantity, size_t first,
                                   size_t count) {
    float *values = new_floats(rod_floats(batch, quantity, first, count));
    assert_ok(rod_get(batch, quantity, first, count, values));
    return values;
}

static inline void assert_reads(const rod_batch *batch, rod_quantity quantity, size_t rod,
                                const float *expected) {
    float *values = read_quantity(batch, quantity, rod, 1);
    const size_t count = rod_floats(batch, quantity, rod, 1);
    assert_memory_equal(values, expected, count * sizeof *values);
    free(values);
}

static inline bool all_equal_to(const float *values, size_t count, float expected) {
    for (size_t i = 0; i < count; i++)
        if (values[i] != expected)
            return false;
    return true;
}

/* Nothing to see where the method has no such quantity. */
static inline void assert_all(const rod_batch *batch, rod_quantity quantity, float expected) {
    if (!has(batch, quantity))
        return;
    float *values = read_quantity(batch, quantity, 0, rod_count(batch));
    assert_true(all_equal_to(values, rod_floats(batch, quantity, 0, rod_count(batch)), expected));
    free(values);
}

static inline rod_step_settings hard_settings(rod_order order) {
    rod_step_settings s = rod_step_defaults();
    s.frames = 20;
    s.order = order;
    return s;
}

/* ---------------------------------------------------------------- whole states */

/* All that can be read of a batch; NULL for what its method does not have. */
typedef struct {
    float *values[ROD_QUANTITIES];
    rod_stiffness *stiffness;
    size_t bytes;
} snapshot;

static inline snapshot snapshot_of(const rod_batch *batch) {
    const size_t rods = rod_count(batch);
    snapshot s = {.bytes = rod_resident_bytes(batch)};
    for (int quantity = 0; quantity < ROD_QUANTITIES; quantity++)
        if (has(batch, (rod_quantity)quantity))
            s.values[quantity] = read_quantity(batch, (rod_quantity)quantity, 0, rods);
    s.stiffness = malloc(rods * sizeof *s.stiffness);
    assert_non_null(s.stiffness);
    for (size_t rod = 0; rod < rods; rod++)
        assert_ok(rod_get_stiffness(batch, rod, &s.stiffness[rod]));
    return s;
}

static inline void snapshot_free(snapshot *s) {
    for (int quantity = 0; quantity < ROD_QUANTITIES; quantity++)
        free(s->values[quantity]);
    free(s->stiffness);
}

static inline void assert_unchanged(const rod_batch *batch, const snapshot *before) {
    const size_t rods = rod_count(batch);
    snapshot now = snapshot_of(batch);
    assert_int_equal(now.bytes, before->bytes);
    assert_memory_equal(now.stiffness, before->stiffness, rods * sizeof *now.stiffness);
    for (int q = 0; q < ROD_QUANTITIES; q++)
        if (has(batch, (rod_quantity)q))
            assert_memory_equal(now.values[q], before->values[q],
                                rod_floats(batch, (rod_quantity)q, 0, rods) * sizeof(float));
    snapshot_free(&now);
}

/* ---------------------------------------------------------------- random values */

static inline void random_row(rod_random *random, double lo, double hi, size_t count, float *out) {
    for (size_t i = 0; i < count; i++)
        out[i] = (float)rod_random_between(random, lo, hi);
}

static inline void random_orientation(rod_random *random, float out[4]) {
    double q[4];
    rod_random_quaternion(random, q);
    for (int i = 0; i < 4; i++)
        out[i] = (float)q[i];
}

/* One entry of a quantity that rod_set accepts. */
static inline void random_entry(rod_random *random, rod_quantity quantity, float *out) {
    const size_t components = rod_shape_of(quantity).components;
    switch (quantity) {
    case ROD_ORIENTATIONS:
        random_orientation(random, out);
        return;
    case ROD_INVERSE_MASSES:
    case ROD_ORIENTATION_WEIGHTS:
        random_row(random, 0, 3, components, out);
        return;
    case ROD_INERTIAS:
    case ROD_REST_LENGTHS:
        random_row(random, 0.1, 3, components, out);
        return;
    case ROD_REST_DARBOUX:
        random_row(random, -0.5, 0.5, components, out);
        return;
    case ROD_REST_ANGLES:
        random_row(random, 0, 3, components, out);
        return;
    case ROD_STRETCH_STIFFNESSES:
    case ROD_BEND_STIFFNESSES:
        random_row(random, 0, 1, components, out);
        return;
    default:
        random_row(random, -5, 5, components, out);
    }
}

static inline void random_values(rod_random *random, rod_quantity quantity, size_t floats,
                                 float *out) {
    const size_t components = rod_shape_of(quantity).components;
    for (size_t i = 0; i < floats; i += components)
        random_entry(random, quantity, out + i);
}

/* Nothing where the method has no such quantity. */
static inline void set_random(rod_batch *batch, rod_random *random, rod_quantity quantity) {
    if (!has(batch, quantity))
        return;
    const size_t rods = rod_count(batch), floats = rod_floats(batch, quantity, 0, rods);
    float *values = new_floats(floats);
    random_values(random, quantity, floats, values);
    assert_ok(rod_set(batch, quantity, 0, rods, values));
    free(values);
}

static inline void set_random_stiffness(rod_batch *batch, rod_random *random, size_t rod) {
    float k[6];
    random_row(random, 0, 1, 6, k);
    const rod_stiffness stiffness = {k[0], k[1], k[2], k[3], k[4], k[5]};
    assert_ok(rod_set_stiffness(batch, rod, &stiffness));
}

/* Everything has another value than it starts with. */
static inline rod_batch *new_random_mixed(rod_random *random) {
    rod_batch *batch = new_mixed(NULL);
    for (int quantity = 0; quantity < ROD_QUANTITIES; quantity++)
        set_random(batch, random, (rod_quantity)quantity);
    for (size_t rod = 0; rod < RODS; rod++)
        set_random_stiffness(batch, random, rod);
    return batch;
}

/* ---------------------------------------------------------------- geometry */

typedef struct {
    double x, y, z;
} vec3;

static inline vec3 vec3_at(const float *values, size_t index) {
    return (vec3){values[3 * index], values[3 * index + 1], values[3 * index + 2]};
}

/* a + s b */
static inline vec3 add_scaled(vec3 a, double s, vec3 b) {
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double norm(vec3 a) {
    return sqrt(dot(a, a));
}

static inline double distance(vec3 a, vec3 b) {
    return norm(add_scaled(a, -1, b));
}

static inline vec3 unit(vec3 a) {
    return add_scaled((vec3){0}, 1 / norm(a), a);
}

/* By a unit quaternion. */
static inline vec3 rotated(const float q[4], vec3 a) {
    const vec3 im = {q[1], q[2], q[3]}, t = cross(im, a);
    return add_scaled(add_scaled(a, 2 * (double)q[0], t), 2, cross(im, t));
}

static inline vec3 director3(const float *orientations, size_t element) {
    return rotated(orientations + 4 * element, (vec3){0, 0, 1});
}

static inline double quaternion_norm(const float q[4]) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)q[i] * (double)q[i];
    return sqrt(sum);
}

/* Orientations are made unit, which rounds; all else that is kept comes out as it went in. */
static inline void assert_batch_holds(const rod_batch *batch, const snapshot *expected) {
    snapshot now = snapshot_of(batch);
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        if (!keeps(batch, (rod_quantity)q))
            continue;
        const double tolerance = q == ROD_ORIENTATIONS ? 2e-7 : 0;
        const size_t floats = rod_floats(batch, (rod_quantity)q, 0, RODS);
        for (size_t i = 0; i < floats; i++)
            assert_at_most(fabs((double)now.values[q][i] - (double)expected->values[q][i]),
                           tolerance);
    }
    snapshot_free(&now);
}

/* A rod of a batch as it is after a shape was given to it. Strands have no q, and angles for rest.
 */
typedef struct {
    size_t elements;
    float *x, *q, *length, *rest;
    double reach; /* largest coordinate, which says how coarse float32 positions are */
    double shortest;
} shape;

static inline shape shape_of(const rod_batch *batch, size_t rod) {
    const bool framed = has(batch, ROD_ORIENTATIONS);
    shape s = {
        .elements = rod_elements(batch, rod),
        .x = read_quantity(batch, ROD_POSITIONS, rod, 1),
        .q = framed ? read_quantity(batch, ROD_ORIENTATIONS, rod, 1) : NULL,
        .length = read_quantity(batch, ROD_REST_LENGTHS, rod, 1),
        .rest = read_quantity(batch, framed ? ROD_REST_DARBOUX : ROD_REST_ANGLES, rod, 1),
        .shortest = INFINITY,
    };
    for (size_t i = 0; i < 3 * (s.elements + 1); i++)
        s.reach = fmax(s.reach, fabs((double)s.x[i]));
    for (size_t e = 0; e < s.elements; e++)
        s.shortest = fmin(s.shortest, (double)s.length[e]);
    return s;
}

static inline void shape_free(shape *s) {
    free(s->x);
    free(s->q);
    free(s->length);
    free(s->rest);
}

static inline vec3 edge(const shape *s, size_t element) {
    return add_scaled(vec3_at(s->x, element + 1), -1, vec3_at(s->x, element));
}

/* The tolerance is for what is measured between rounded positions: also bending, where points and
 * no quaternions say how an element is turned. */
static inline void assert_unstrained(const rod_batch *batch, size_t rod, double tolerance) {
    const bool turned_by_points = rod_method_of(batch) != ROD_METHOD_QUATERNION;
    rod_strain strain;
    assert_ok(rod_get_strain(batch, rod, &strain));
    assert_at_most((double)strain.stretch_max, tolerance);
    assert_at_most((double)strain.bend_max, turned_by_points ? fmax(tolerance, 1e-6) : 1e-6);
    assert_at_most(fabs((double)strain.length_ratio - 1), tolerance);
}

static inline rod_helix random_helix(rod_random *random) {
    rod_helix h;
    random_row(random, -3, 3, 3, h.start);
    random_row(random, -2, 2, 3, h.axis);
    random_row(random, -2, 2, 3, h.inward);
    h.radius = (float)rod_random_between(random, 0.2, 2);
    h.pitch = (float)rod_random_between(random, -2, 2);
    h.turns = (float)rod_random_between(random, 0.5, 4.5);
    return h;
}

/* Radius 0.5, pitch 1 and 5 turns along x: 50 elements of length 0.3248, 10 a turn. */
static inline rod_helix plain_helix(void) {
    return (rod_helix){{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0.5f, 1, 5};
}

static inline rod_options variant_options(const rod_variant *variant) {
    rod_options options = rod_options_default();
    options.variant = variant->name;
    assert_true(rod_method_named(variant->method, &options.method));
    return options;
}

/* Calls a check for every usable variant, of any method, and every order. */
static inline void for_each_variant(void (*check)(rod_batch *batch, rod_order order)) {
    for (size_t i = 0; i < rod_variant_count(); i++)
        for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
            if (!rod_variant_usable(rod_variant_at(i)))
                continue;
            const rod_options options = variant_options(rod_variant_at(i));
            snprintf(test_subject, sizeof test_subject, "in %s, order %d", options.variant, order);
            rod_batch *batch = new_mixed(&options);
            check(batch, (rod_order)order);
            rod_destroy(batch);
        }
}

/* About x; `sign` is -1 for the other quaternion of the same orientation. */
static inline void turn(rod_batch *batch, size_t rod, size_t element, double degrees, float sign) {
    const double half = degrees * acos(-1) / 360;
    const float q[4] = {sign * (float)cos(half), sign * (float)sin(half), 0, 0};
    assert_ok(rod_move_orientation(batch, rod, element, q));
}

#endif
