/* The contract of rod.h: what each call promises, and how it refuses what it cannot do. */
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

/* ---------------------------------------------------------------- batches */

static rod_random new_random(void) {
    return rod_random_seed(test_seed);
}

static rod_batch *new_batch(size_t rods, size_t elements) {
    rod_batch *batch;
    assert_ok(rod_create(&batch, rods, elements, NULL));
    return batch;
}

/* Lengths from 1 to LONGEST in an order that sorting permutes, some of them equal. */
static rod_batch *new_mixed(const rod_options *options) {
    size_t elements[RODS];
    for (size_t rod = 0; rod < RODS; rod++)
        elements[rod] = 1 + 7 * rod % LONGEST;
    rod_batch *batch;
    assert_ok(rod_create_mixed(&batch, RODS, elements, options));
    return batch;
}

static float *new_floats(size_t count) {
    float *values = malloc((count + 1) * sizeof *values);
    assert_non_null(values);
    return values;
}

static float *read_quantity(const rod_batch *batch, rod_quantity quantity, size_t first,
                            size_t count) {
    float *values = new_floats(rod_floats(batch, quantity, first, count));
    assert_ok(rod_get(batch, quantity, first, count, values));
    return values;
}

static void assert_reads(const rod_batch *batch, rod_quantity quantity, size_t rod,
                         const float *expected) {
    float *values = read_quantity(batch, quantity, rod, 1);
    const size_t count = rod_floats(batch, quantity, rod, 1);
    assert_memory_equal(values, expected, count * sizeof *values);
    free(values);
}

static bool all_equal_to(const float *values, size_t count, float expected) {
    for (size_t i = 0; i < count; i++)
        if (values[i] != expected)
            return false;
    return true;
}

static void assert_all(const rod_batch *batch, rod_quantity quantity, float expected) {
    float *values = read_quantity(batch, quantity, 0, rod_count(batch));
    assert_true(all_equal_to(values, rod_floats(batch, quantity, 0, rod_count(batch)), expected));
    free(values);
}

static rod_step_settings hard_settings(rod_order order) {
    rod_step_settings s = rod_step_defaults();
    s.frames = 20;
    s.order = order;
    return s;
}

/* ---------------------------------------------------------------- whole states */

/* All that can be read of a batch. */
typedef struct {
    float *values[ROD_QUANTITIES];
    rod_stiffness *stiffness;
    size_t bytes;
} snapshot;

static snapshot snapshot_of(const rod_batch *batch) {
    const size_t rods = rod_count(batch);
    snapshot s = {.bytes = rod_resident_bytes(batch)};
    for (int quantity = 0; quantity < ROD_QUANTITIES; quantity++)
        s.values[quantity] = read_quantity(batch, (rod_quantity)quantity, 0, rods);
    s.stiffness = malloc(rods * sizeof *s.stiffness);
    assert_non_null(s.stiffness);
    for (size_t rod = 0; rod < rods; rod++)
        assert_ok(rod_get_stiffness(batch, rod, &s.stiffness[rod]));
    return s;
}

static void snapshot_free(snapshot *s) {
    for (int quantity = 0; quantity < ROD_QUANTITIES; quantity++)
        free(s->values[quantity]);
    free(s->stiffness);
}

static void assert_unchanged(const rod_batch *batch, const snapshot *before) {
    const size_t rods = rod_count(batch);
    snapshot now = snapshot_of(batch);
    assert_int_equal(now.bytes, before->bytes);
    assert_memory_equal(now.stiffness, before->stiffness, rods * sizeof *now.stiffness);
    for (int q = 0; q < ROD_QUANTITIES; q++)
        assert_memory_equal(now.values[q], before->values[q],
                            rod_floats(batch, (rod_quantity)q, 0, rods) * sizeof(float));
    snapshot_free(&now);
}

/* ---------------------------------------------------------------- random values */

static void random_row(rod_random *random, double lo, double hi, size_t count, float *out) {
    for (size_t i = 0; i < count; i++)
        out[i] = (float)rod_random_between(random, lo, hi);
}

static void random_orientation(rod_random *random, float out[4]) {
    double q[4];
    rod_random_quaternion(random, q);
    for (int i = 0; i < 4; i++)
        out[i] = (float)q[i];
}

/* One entry of a quantity that rod_set accepts. */
static void random_entry(rod_random *random, rod_quantity quantity, float *out) {
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
    default:
        random_row(random, -5, 5, components, out);
    }
}

static void random_values(rod_random *random, rod_quantity quantity, size_t floats, float *out) {
    const size_t components = rod_shape_of(quantity).components;
    for (size_t i = 0; i < floats; i += components)
        random_entry(random, quantity, out + i);
}

static void set_random(rod_batch *batch, rod_random *random, rod_quantity quantity) {
    const size_t rods = rod_count(batch), floats = rod_floats(batch, quantity, 0, rods);
    float *values = new_floats(floats);
    random_values(random, quantity, floats, values);
    assert_ok(rod_set(batch, quantity, 0, rods, values));
    free(values);
}

static void set_random_stiffness(rod_batch *batch, rod_random *random, size_t rod) {
    float k[6];
    random_row(random, 0, 1, 6, k);
    const rod_stiffness stiffness = {k[0], k[1], k[2], k[3], k[4], k[5]};
    assert_ok(rod_set_stiffness(batch, rod, &stiffness));
}

/* Everything has another value than it starts with. */
static rod_batch *new_random_mixed(rod_random *random) {
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

static vec3 vec3_at(const float *values, size_t index) {
    return (vec3){values[3 * index], values[3 * index + 1], values[3 * index + 2]};
}

/* a + s b */
static vec3 add_scaled(vec3 a, double s, vec3 b) {
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double norm(vec3 a) {
    return sqrt(dot(a, a));
}

static double distance(vec3 a, vec3 b) {
    return norm(add_scaled(a, -1, b));
}

static vec3 unit(vec3 a) {
    return add_scaled((vec3){0}, 1 / norm(a), a);
}

/* By a unit quaternion. */
static vec3 rotated(const float q[4], vec3 a) {
    const vec3 im = {q[1], q[2], q[3]}, t = cross(im, a);
    return add_scaled(add_scaled(a, 2 * (double)q[0], t), 2, cross(im, t));
}

static vec3 director3(const float *orientations, size_t element) {
    return rotated(orientations + 4 * element, (vec3){0, 0, 1});
}

static double quaternion_norm(const float q[4]) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)q[i] * (double)q[i];
    return sqrt(sum);
}

/* ---------------------------------------------------------------- status */

static void each_status_has_its_own_text(void **state) {
    (void)state;
    enum { UNKNOWN = ROD_E_UNUSABLE + 1 };
    for (int a = 0; a <= UNKNOWN; a++) {
        assert_non_null(rod_status_text((rod_status)a));
        assert_true(strlen(rod_status_text((rod_status)a)) > 0);
        for (int b = 0; b < a; b++)
            assert_string_not_equal(rod_status_text((rod_status)a), rod_status_text((rod_status)b));
    }
    assert_string_equal(rod_status_text((rod_status)-1), rod_status_text((rod_status)UNKNOWN));
}

/* ---------------------------------------------------------------- creation */

/* A pointer that is not NULL, to see that a failing creation makes it NULL. */
static rod_batch *no_batch(void) {
    static char nothing;
    return (rod_batch *)&nothing;
}

static void assert_mixed_refused(size_t rods, const size_t *elements, const rod_options *options,
                                 rod_status expected) {
    rod_batch *batch = no_batch();
    assert_status(rod_create_mixed(&batch, rods, elements, options), expected);
    assert_null(batch);
}

/* Neither of the two ways to create a batch makes one; the lengths of more than one rod are for
 * sizes that are refused before they are read. */
static void assert_refused(size_t rods, size_t elements, const rod_options *options,
                           rod_status expected) {
    rod_batch *batch = no_batch();
    assert_status(rod_create(&batch, rods, elements, options), expected);
    assert_null(batch);
    assert_mixed_refused(rods, &elements, options, expected);
}

static void creation_needs_somewhere_to_put_the_batch(void **state) {
    (void)state;
    const size_t elements[] = {3, 4};
    assert_status(rod_create(NULL, 1, 1, NULL), ROD_E_NULL);
    assert_status(rod_create_mixed(NULL, 2, elements, NULL), ROD_E_NULL);
}

static void mixed_creation_needs_the_lengths(void **state) {
    (void)state;
    assert_mixed_refused(2, NULL, NULL, ROD_E_NULL);
}

static void creation_refuses_empty_batches(void **state) {
    (void)state;
    assert_refused(0, 1, NULL, ROD_E_NO_RODS);
    assert_refused(1, 0, NULL, ROD_E_NO_ELEMENTS);
}

static void creation_refuses_one_rod_without_elements_among_others(void **state) {
    (void)state;
    for (size_t empty = 0; empty < 5; empty++) {
        size_t elements[] = {3, 1, 4, 1, 5};
        elements[empty] = 0;
        assert_mixed_refused(5, elements, NULL, ROD_E_NO_ELEMENTS);
    }
}

static void creation_refuses_what_no_address_space_holds(void **state) {
    (void)state;
    assert_refused(SIZE_MAX, 1, NULL, ROD_E_TOO_LARGE);
    assert_refused(1, SIZE_MAX, NULL, ROD_E_TOO_LARGE);
    assert_refused(1, SIZE_MAX / 4, NULL, ROD_E_TOO_LARGE);
    assert_refused(1, SIZE_MAX / sizeof(float), NULL, ROD_E_TOO_LARGE);
    assert_refused(SIZE_MAX, SIZE_MAX, NULL, ROD_E_TOO_LARGE);
    rod_batch *batch = no_batch();
    assert_status(rod_create(&batch, (size_t)1 << 40, (size_t)1 << 30, NULL), ROD_E_TOO_LARGE);
    assert_null(batch);
}

/* Only rod_create: the array of lengths alone would be larger than memory. */
static void assert_does_not_fit(size_t rods, size_t elements) {
    rod_batch *batch = no_batch();
    const rod_status status = rod_create(&batch, rods, elements, NULL);
    assert_true(status == ROD_E_MEMORY || status == ROD_E_TOO_LARGE);
    assert_null(batch);
}

/* More than the 47 bits of a process each, so that no system takes it for possible. */
static void creation_refuses_what_memory_does_not_hold(void **state) {
    (void)state;
    assert_does_not_fit((size_t)1 << 20, (size_t)1 << 30);
    assert_does_not_fit((size_t)1 << 50, 1);
    assert_does_not_fit((size_t)1 << 18, UINT32_MAX - 1);
    assert_does_not_fit((size_t)1 << 16, UINT32_MAX);
}

static void creation_refuses_one_huge_rod_among_others(void **state) {
    (void)state;
    const size_t elements[] = {3, SIZE_MAX, 1};
    assert_mixed_refused(3, elements, NULL, ROD_E_TOO_LARGE);
}

static void creation_refuses_an_unknown_variant(void **state) {
    (void)state;
    static const char *const names[] = {"", "quaternion", "quaternion-avx2-u3-exact", "QUATERNION"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rod_options options = rod_options_default();
        options.variant = names[i];
        assert_refused(1, 3, &options, ROD_E_VARIANT);
    }
}

static const rod_variant *unusable_variant(void) {
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (!rod_variant_usable(rod_variant_at(i)))
            return rod_variant_at(i);
    return NULL;
}

static void creation_refuses_a_variant_that_cannot_run_here(void **state) {
    (void)state;
    const rod_variant *variant = unusable_variant();
    if (!variant)
        skip();
    rod_options options = rod_options_default();
    options.variant = variant->name;
    assert_refused(1, 3, &options, ROD_E_UNUSABLE);
}

static void creation_refuses_no_threads_and_too_many(void **state) {
    (void)state;
    static const size_t threads[] = {0, ROD_MAX_THREADS + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        rod_options options = rod_options_default();
        options.threads = threads[i];
        assert_refused(1, 3, &options, ROD_E_THREADS);
    }
}

static void creation_takes_as_many_threads_as_allowed(void **state) {
    (void)state;
    rod_options options = rod_options_default();
    options.threads = ROD_MAX_THREADS;
    rod_batch *batch;
    assert_ok(rod_create(&batch, 2, 3, &options));
    rod_destroy(batch);
}

static void creation_refuses_an_unknown_method(void **state) {
    (void)state;
    static const int methods[] = {-1, ROD_METHOD_QUATERNION + 1, INT32_MAX};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        rod_options options = rod_options_default();
        options.method = (rod_method)methods[i];
        assert_refused(1, 3, &options, ROD_E_METHOD);
    }
}

static void destroying_nothing_is_allowed(void **state) {
    (void)state;
    rod_destroy(NULL);
}

static void a_batch_knows_its_rods(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    assert_int_equal(rod_count(batch), RODS);
    for (size_t rod = 0; rod < RODS; rod++)
        assert_int_equal(rod_elements(batch, rod), 1 + 7 * rod % LONGEST);
    assert_int_equal(rod_elements(batch, RODS), 0);
    assert_int_equal(rod_elements(batch, SIZE_MAX), 0);
    rod_destroy(batch);
}

static void the_default_variant_is_a_usable_one_of_the_registry(void **state) {
    (void)state;
    for (size_t rods = 1; rods <= 64; rods *= 2) {
        rod_batch *batch = new_batch(rods, 2);
        const rod_variant *variant = rod_variant_named(rod_variant_name(batch));
        assert_non_null(variant);
        assert_true(rod_variant_usable(variant));
        assert_string_not_equal(variant->norm, "bare");
        rod_destroy(batch);
    }
}

static void a_batch_uses_the_variant_that_was_asked_for(void **state) {
    (void)state;
    for (size_t i = 0; i < rod_variant_count(); i++) {
        if (!rod_variant_usable(rod_variant_at(i)))
            continue;
        rod_options options = rod_options_default();
        options.variant = rod_variant_at(i)->name;
        rod_batch *batch = new_mixed(&options);
        assert_string_equal(rod_variant_name(batch), options.variant);
        rod_destroy(batch);
    }
}

/* ---------------------------------------------------------------- initial state */

static void assert_starts_along_z(const rod_batch *batch, size_t rod) {
    float *x = read_quantity(batch, ROD_POSITIONS, rod, 1);
    float *q = read_quantity(batch, ROD_ORIENTATIONS, rod, 1);
    for (size_t i = 0; i <= rod_elements(batch, rod); i++)
        assert_true(x[3 * i] == 0 && x[3 * i + 1] == 0 && x[3 * i + 2] == (float)i);
    for (size_t e = 0; e < rod_elements(batch, rod); e++)
        assert_true(q[4 * e] == 1 && all_equal_to(q + 4 * e + 1, 3, 0));
    free(x);
    free(q);
}

static void rods_start_straight_along_z_with_unit_elements(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    for (size_t rod = 0; rod < RODS; rod++)
        assert_starts_along_z(batch, rod);
    assert_all(batch, ROD_REST_LENGTHS, 1);
    assert_all(batch, ROD_REST_DARBOUX, 0);
    rod_destroy(batch);
}

static void rods_start_free_and_at_rest(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    static const rod_quantity zeros[] = {ROD_VELOCITIES, ROD_ANGULAR_VELOCITIES, ROD_FORCES,
                                         ROD_TORQUES};
    static const rod_quantity ones[] = {ROD_INVERSE_MASSES, ROD_ORIENTATION_WEIGHTS, ROD_INERTIAS};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        assert_all(batch, zeros[i], 0);
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        assert_all(batch, ones[i], 1);
    rod_destroy(batch);
}

static void rods_start_at_full_stiffness(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    const rod_stiffness full = {1, 1, 1, 1, 1, 1};
    for (size_t rod = 0; rod < RODS; rod++) {
        rod_stiffness stiffness;
        assert_ok(rod_get_stiffness(batch, rod, &stiffness));
        assert_memory_equal(&stiffness, &full, sizeof full);
    }
    rod_destroy(batch);
}

static void default_settings_are_those_of_the_papers(void **state) {
    (void)state;
    const rod_step_settings s = rod_step_defaults();
    assert_int_equal(s.frames, 1);
    assert_int_equal(s.iterations, 10);
    assert_int_equal(s.order, ROD_ORDER_BILATERAL);
    assert_true(s.dt == 0.01f && s.damping == 0);
    assert_true(s.gravity[0] == 0 && s.gravity[1] == -9.81f && s.gravity[2] == 0);
    const rod_options o = rod_options_default();
    assert_int_equal(o.method, ROD_METHOD_QUATERNION);
    assert_null(o.variant);
    assert_int_equal(o.threads, 1);
}

/* ---------------------------------------------------------------- arrays in and out */

static size_t entries_of(size_t elements, rod_quantity quantity) {
    switch (rod_shape_of(quantity).rows) {
    case ROWS_PARTICLES:
        return elements + 1;
    case ROWS_JOINTS:
        return elements - 1;
    case ROWS_ELEMENTS:
    default:
        return elements;
    }
}

static void arrays_have_an_entry_for_each_particle_element_or_joint(void **state) {
    (void)state;
    static const size_t components[ROD_QUANTITIES] = {3, 3, 1, 3, 4, 3, 1, 3, 3, 1, 3};
    rod_batch *batch = new_mixed(NULL);
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        size_t sum = 0;
        for (size_t rod = 0; rod < RODS; rod++) {
            const size_t entries = entries_of(rod_elements(batch, rod), (rod_quantity)q);
            assert_int_equal(rod_floats(batch, (rod_quantity)q, rod, 1), entries * components[q]);
            assert_int_equal(rod_floats(batch, (rod_quantity)q, 0, rod), sum);
            sum += entries * components[q];
        }
        assert_int_equal(rod_floats(batch, (rod_quantity)q, 0, RODS), sum);
    }
    rod_destroy(batch);
}

/* Orientations are made unit, which rounds; all else comes out as it went in. */
static void assert_batch_holds(const rod_batch *batch, const snapshot *expected) {
    snapshot now = snapshot_of(batch);
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        const double tolerance = q == ROD_ORIENTATIONS ? 2e-7 : 0;
        const size_t floats = rod_floats(batch, (rod_quantity)q, 0, RODS);
        for (size_t i = 0; i < floats; i++)
            assert_at_most(fabs((double)now.values[q][i] - (double)expected->values[q][i]),
                           tolerance);
    }
    snapshot_free(&now);
}

/* Sets the rods in the batch and in the plain arrays that it should equal. */
static void set_both(rod_batch *batch, snapshot *expected, rod_random *random,
                     rod_quantity quantity, size_t first, size_t count) {
    float *at = expected->values[quantity] + rod_floats(batch, quantity, 0, first);
    random_values(random, quantity, rod_floats(batch, quantity, first, count), at);
    assert_ok(rod_set(batch, quantity, first, count, at));
}

static void what_was_set_can_be_read_for_all_rods(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_mixed(NULL);
    snapshot expected = snapshot_of(batch);
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        set_both(batch, &expected, &random, (rod_quantity)q, 0, RODS);
        assert_batch_holds(batch, &expected);
    }
    snapshot_free(&expected);
    rod_destroy(batch);
}

static void what_was_set_can_be_read_for_single_rods(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_mixed(NULL);
    snapshot expected = snapshot_of(batch);
    for (size_t rod = 0; rod < RODS; rod++) {
        for (int q = 0; q < ROD_QUANTITIES; q++)
            set_both(batch, &expected, &random, (rod_quantity)q, rod, 1);
        assert_batch_holds(batch, &expected);
    }
    snapshot_free(&expected);
    rod_destroy(batch);
}

static void what_was_set_can_be_read_for_ranges_of_rods(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_mixed(NULL);
    snapshot expected = snapshot_of(batch);
    for (int i = 0; i < 100; i++) {
        const size_t first = rod_random_u64(&random) % (RODS + 1);
        const size_t count = rod_random_u64(&random) % (RODS - first + 1);
        const rod_quantity q = (rod_quantity)(rod_random_u64(&random) % ROD_QUANTITIES);
        set_both(batch, &expected, &random, q, first, count);
        assert_batch_holds(batch, &expected);
        float *range = read_quantity(batch, q, first, count);
        float *all = read_quantity(batch, q, 0, RODS);
        assert_memory_equal(range, all + rod_floats(batch, q, 0, first),
                            rod_floats(batch, q, first, count) * sizeof(float));
        free(range);
        free(all);
    }
    snapshot_free(&expected);
    rod_destroy(batch);
}

/* Equal lengths are kept apart from different ones; both must read back over each other. */
static void rest_lengths_may_become_equal_again(void **state) {
    (void)state;
    rod_batch *batch = new_batch(2, 3);
    static const float rows[][3] = {{2, 2, 2}, {1, 2, 3}, {3, 3, 3}, {3, 2, 3}, {5, 5, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(rod_set(batch, ROD_REST_LENGTHS, 0, 1, rows[i]));
        assert_ok(rod_step(batch, &(rod_step_settings){1, 1, ROD_ORDER_CROSS, 0.01f, {0}, 0}));
        assert_reads(batch, ROD_REST_LENGTHS, 0, rows[i]);
        assert_reads(batch, ROD_REST_LENGTHS, 1, (const float[]){1, 1, 1});
    }
    rod_destroy(batch);
}

static void stiffness_can_be_read_back(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    for (size_t rod = 0; rod < RODS; rod++) {
        const float part = (float)rod / RODS;
        const rod_stiffness k = {part, 1 - part, 0, 1, part / 2, part / 3};
        assert_ok(rod_set_stiffness(batch, rod, &k));
    }
    for (size_t rod = 0; rod < RODS; rod++) {
        const float part = (float)rod / RODS;
        const rod_stiffness expected = {part, 1 - part, 0, 1, part / 2, part / 3};
        rod_stiffness k;
        assert_ok(rod_get_stiffness(batch, rod, &k));
        assert_memory_equal(&k, &expected, sizeof k);
    }
    rod_destroy(batch);
}

static void orientations_of_any_length_come_out_as_units(void **state) {
    (void)state;
    static const float scales[] = {1e-30f, 1e-22f, 1e-18f, 1e-3f, 7, 1e15f, 1e25f, 1e37f};
    rod_random random = new_random();
    rod_batch *batch = new_batch(1, 1);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        float q[4], out[4];
        random_orientation(&random, q);
        for (int c = 0; c < 4; c++)
            q[c] *= scales[i];
        snprintf(test_subject, sizeof test_subject, "for |q| = %g", (double)scales[i]);
        assert_ok(rod_set(batch, ROD_ORIENTATIONS, 0, 1, q));
        assert_ok(rod_get(batch, ROD_ORIENTATIONS, 0, 1, out));
        assert_at_most(fabs(quaternion_norm(out) - 1), 2e-7);
        for (int c = 0; c < 4; c++)
            assert_at_most(fabs((double)out[c] - (double)q[c] / (double)scales[i]), 5e-7);
    }
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- arrays, refused */

static void assert_no_such_rods(rod_batch *batch, size_t first, size_t count, float *values) {
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        assert_int_equal(rod_floats(batch, (rod_quantity)q, first, count), 0);
        assert_status(rod_get(batch, (rod_quantity)q, first, count, values), ROD_E_INDEX);
        assert_status(rod_set(batch, (rod_quantity)q, first, count, values), ROD_E_INDEX);
    }
}

static void ranges_past_the_last_rod_are_refused(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    float value = 1;
    static const size_t ranges[][2] = {
        {RODS, 1},     {0, RODS + 1}, {RODS - 1, 2}, {RODS + 1, 0},
        {SIZE_MAX, 1}, {1, SIZE_MAX}, {SIZE_MAX, 2}, {SIZE_MAX, SIZE_MAX},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        assert_no_such_rods(batch, ranges[i][0], ranges[i][1], &value);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void ranges_of_no_rods_are_fine(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    float value = 17;
    for (size_t first = 0; first <= RODS; first++) {
        assert_int_equal(rod_floats(batch, ROD_POSITIONS, first, 0), 0);
        assert_ok(rod_get(batch, ROD_POSITIONS, first, 0, &value));
        assert_ok(rod_set(batch, ROD_POSITIONS, first, 0, &value));
    }
    assert_true(value == 17);
    rod_destroy(batch);
}

static void unknown_quantities_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    float value = 1;
    static const int unknown[] = {-1, ROD_QUANTITIES, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        const rod_quantity quantity = (rod_quantity)unknown[i];
        assert_int_equal(rod_floats(batch, quantity, 0, 1), 0);
        assert_status(rod_get(batch, quantity, 0, 1, &value), ROD_E_QUANTITY);
        assert_status(rod_set(batch, quantity, 0, 1, &value), ROD_E_QUANTITY);
    }
    rod_destroy(batch);
}

static void arrays_must_not_be_null(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    float value = 1;
    assert_status(rod_get(NULL, ROD_POSITIONS, 0, 1, &value), ROD_E_NULL);
    assert_status(rod_set(NULL, ROD_POSITIONS, 0, 1, &value), ROD_E_NULL);
    assert_status(rod_get(batch, ROD_POSITIONS, 0, 1, NULL), ROD_E_NULL);
    assert_status(rod_set(batch, ROD_POSITIONS, 0, 1, NULL), ROD_E_NULL);
    assert_int_equal(rod_floats(NULL, ROD_POSITIONS, 0, 1), 0);
    rod_destroy(batch);
}

/* Sets all rods with one bad entry: the first, one in the middle, or the very last. */
static void assert_bad_entry(rod_batch *batch, rod_random *random, rod_quantity quantity,
                             const float *bad, rod_status expected) {
    const size_t components = rod_shape_of(quantity).components;
    const size_t floats = rod_floats(batch, quantity, 0, RODS), entries = floats / components;
    const size_t where[] = {0, entries / 2, entries - 1};
    snapshot before = snapshot_of(batch);
    float *values = new_floats(floats);
    for (size_t i = 0; i < 3; i++) {
        random_values(random, quantity, floats, values);
        memcpy(values + where[i] * components, bad, components * sizeof *bad);
        assert_status(rod_set(batch, quantity, 0, RODS, values), expected);
    }
    assert_unchanged(batch, &before);
    free(values);
    snapshot_free(&before);
}

static void assert_not_finite_refused(rod_batch *batch, rod_random *random) {
    static const float values[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int q = 0; q < ROD_QUANTITIES; q++)
        for (size_t c = 0; c < rod_shape_of((rod_quantity)q).components; c++)
            for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
                float entry[4];
                random_entry(random, (rod_quantity)q, entry);
                entry[c] = values[i];
                assert_bad_entry(batch, random, (rod_quantity)q, entry, ROD_E_NOT_FINITE);
            }
}

/* In a new batch, a refused set must not make room for optional quantities either. */
static void setting_refuses_what_is_not_finite_and_changes_nothing(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *changed = new_random_mixed(&random), *fresh = new_mixed(NULL);
    assert_not_finite_refused(changed, &random);
    assert_not_finite_refused(fresh, &random);
    rod_destroy(changed);
    rod_destroy(fresh);
}

static void setting_refuses_values_out_of_range_and_changes_nothing(void **state) {
    (void)state;
    static const struct {
        rod_quantity quantity;
        float entry[4];
        rod_status expected;
    } bad[] = {
        {ROD_INVERSE_MASSES, {-1}, ROD_E_MASS},
        {ROD_INVERSE_MASSES, {-FLT_MIN}, ROD_E_MASS},
        {ROD_ORIENTATION_WEIGHTS, {-1}, ROD_E_MASS},
        {ROD_ORIENTATION_WEIGHTS, {-FLT_MIN}, ROD_E_MASS},
        {ROD_REST_LENGTHS, {0}, ROD_E_LENGTH},
        {ROD_REST_LENGTHS, {-0.0f}, ROD_E_LENGTH},
        {ROD_REST_LENGTHS, {-1}, ROD_E_LENGTH},
        {ROD_ORIENTATIONS, {0, 0, 0, 0}, ROD_E_DIRECTION},
        {ROD_ORIENTATIONS, {-0.0f, 0, -0.0f, 0}, ROD_E_DIRECTION},
        {ROD_REST_DARBOUX, {1.0001f, 0, 0}, ROD_E_DARBOUX},
        {ROD_REST_DARBOUX, {0, -1.0001f, 0}, ROD_E_DARBOUX},
        {ROD_REST_DARBOUX, {0.6f, 0.6f, 0.6f}, ROD_E_DARBOUX},
        {ROD_REST_DARBOUX, {0, 0, FLT_MAX}, ROD_E_DARBOUX},
        {ROD_INERTIAS, {0, 1, 1}, ROD_E_INERTIA},
        {ROD_INERTIAS, {1, 0, 1}, ROD_E_INERTIA},
        {ROD_INERTIAS, {1, 1, 0}, ROD_E_INERTIA},
        {ROD_INERTIAS, {1, -1, 1}, ROD_E_INERTIA},
    };
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_bad_entry(batch, &random, bad[i].quantity, bad[i].entry, bad[i].expected);
    rod_destroy(batch);
}

static void darboux_vectors_of_length_1_are_accepted(void **state) {
    (void)state;
    static const float vectors[][3] = {{1, 0, 0}, {0, 0, -1}, {0.6f, 0.8f, 0}, {0, 0.28f, 0.96f}};
    rod_batch *batch = new_batch(1, 2);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        assert_ok(rod_set(batch, ROD_REST_DARBOUX, 0, 1, vectors[i]));
        assert_reads(batch, ROD_REST_DARBOUX, 0, vectors[i]);
    }
    rod_destroy(batch);
}

static void stiffness_out_of_range_is_refused(void **state) {
    (void)state;
    static const float bad[] = {-0.001f, 1.001f, NAN, INFINITY, -INFINITY};
    rod_batch *batch = new_mixed(NULL);
    snapshot before = snapshot_of(batch);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (size_t c = 0; c < 6; c++) {
            float k[] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
            k[c] = bad[i];
            const rod_stiffness stiffness = {k[0], k[1], k[2], k[3], k[4], k[5]};
            assert_status(rod_set_stiffness(batch, 3, &stiffness), ROD_E_STIFFNESS);
        }
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void stiffness_of_no_rod_is_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    rod_stiffness k = {0};
    assert_status(rod_set_stiffness(batch, RODS, &k), ROD_E_INDEX);
    assert_status(rod_get_stiffness(batch, RODS, &k), ROD_E_INDEX);
    assert_status(rod_set_stiffness(batch, 0, NULL), ROD_E_NULL);
    assert_status(rod_get_stiffness(batch, 0, NULL), ROD_E_NULL);
    assert_status(rod_set_stiffness(NULL, 0, &k), ROD_E_NULL);
    assert_status(rod_get_stiffness(NULL, 0, &k), ROD_E_NULL);
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- shapes */

/* A rod of a batch as it is after a shape was given to it. */
typedef struct {
    size_t elements;
    float *x, *q, *length, *rest;
    double reach; /* largest coordinate, which says how coarse float32 positions are */
    double shortest;
} shape;

static shape shape_of(const rod_batch *batch, size_t rod) {
    shape s = {
        .elements = rod_elements(batch, rod),
        .x = read_quantity(batch, ROD_POSITIONS, rod, 1),
        .q = read_quantity(batch, ROD_ORIENTATIONS, rod, 1),
        .length = read_quantity(batch, ROD_REST_LENGTHS, rod, 1),
        .rest = read_quantity(batch, ROD_REST_DARBOUX, rod, 1),
        .shortest = INFINITY,
    };
    for (size_t i = 0; i < 3 * (s.elements + 1); i++)
        s.reach = fmax(s.reach, fabs((double)s.x[i]));
    for (size_t e = 0; e < s.elements; e++)
        s.shortest = fmin(s.shortest, (double)s.length[e]);
    return s;
}

static void shape_free(shape *s) {
    free(s->x);
    free(s->q);
    free(s->length);
    free(s->rest);
}

static vec3 edge(const shape *s, size_t element) {
    return add_scaled(vec3_at(s->x, element + 1), -1, vec3_at(s->x, element));
}

/* How far rounded positions may turn or stretch an element. */
static double rounding(const shape *s) {
    return 2 * FLT_EPSILON * (1 + s->reach / s->shortest);
}

/* |sin(angle / 2)| between two elements */
static double sine_of_half_turn(const shape *s, size_t joint) {
    return 0.5 * distance(unit(edge(s, joint)), unit(edge(s, joint + 1)));
}

static void assert_elements_follow(const shape *s) {
    for (size_t e = 0; e < s->elements; e++) {
        const double length = (double)s->length[e];
        assert_at_most(fabs(norm(edge(s, e)) / length - 1), rounding(s));
        assert_at_most(distance(unit(edge(s, e)), director3(s->q, e)), rounding(s));
        assert_at_most(fabs(quaternion_norm(s->q + 4 * e) - 1), 2e-7);
    }
}

static void assert_joints_do_not_twist(const shape *s) {
    for (size_t j = 0; j + 1 < s->elements; j++) {
        const vec3 rest = vec3_at(s->rest, j);
        assert_at_most(fabs(rest.z), 1e-6);
        assert_at_most(fabs(norm(rest) - sine_of_half_turn(s, j)), rounding(s));
    }
}

static void assert_unstrained(const rod_batch *batch, size_t rod, double tolerance) {
    rod_strain strain;
    assert_ok(rod_get_strain(batch, rod, &strain));
    assert_at_most((double)strain.stretch_max, tolerance);
    assert_at_most((double)strain.bend_max, 1e-6);
    assert_at_most(fabs((double)strain.length_ratio - 1), tolerance);
}

/* What every shape promises of the rod that it was given to. */
static void assert_shaped(const rod_batch *batch, size_t rod) {
    shape s = shape_of(batch, rod);
    assert_elements_follow(&s);
    assert_joints_do_not_twist(&s);
    assert_unstrained(batch, rod, 2 * rounding(&s));
    float *v = read_quantity(batch, ROD_VELOCITIES, rod, 1);
    float *omega = read_quantity(batch, ROD_ANGULAR_VELOCITIES, rod, 1);
    assert_true(all_equal_to(v, 3 * (s.elements + 1), 0));
    assert_true(all_equal_to(omega, 3 * s.elements, 0));
    free(v);
    free(omega);
    shape_free(&s);
}

static void assert_straight(const rod_batch *batch, size_t rod, const float *start,
                            const float *direction, float length) {
    shape s = shape_of(batch, rod);
    const vec3 along = unit(vec3_at(direction, 0));
    for (size_t i = 0; i <= s.elements; i++) {
        const double part = (double)length * (double)i / (double)s.elements;
        const vec3 expected = add_scaled(vec3_at(start, 0), part, along);
        assert_at_most(distance(vec3_at(s.x, i), expected), FLT_EPSILON * s.reach);
    }
    assert_true(all_equal_to(s.length, s.elements, s.length[0]));
    shape_free(&s);
}

static void straight_shape_is_straight(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    for (size_t rod = 0; rod < RODS; rod++) {
        float start[3], direction[3];
        random_row(&random, -5, 5, 3, start);
        random_row(&random, -5, 5, 3, direction);
        const float length = (float)rod_random_between(&random, 0.1, 9);
        assert_ok(rod_shape_straight(batch, rod, start, direction, length));
        assert_shaped(batch, rod);
        assert_straight(batch, rod, start, direction, length);
    }
    rod_destroy(batch);
}

/* Of which exactly backwards is the one that has no shortest turn. */
static void straight_shape_takes_every_axis(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, 5);
    const float start[3] = {1, 2, 3};
    for (int i = 0; i < 6; i++) {
        float direction[3] = {0};
        direction[i / 2] = i % 2 == 0 ? 1 : -1;
        assert_ok(rod_shape_straight(batch, 0, start, direction, 2));
        assert_shaped(batch, 0);
        assert_straight(batch, 0, start, direction, 2);
    }
    rod_destroy(batch);
}

static void straight_shape_takes_a_direction_of_any_length(void **state) {
    (void)state;
    static const float scales[] = {1e-30f, 1e-10f, 1e10f, 1e37f};
    rod_batch *batch = new_batch(1, 5);
    const float start[3] = {0};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        const float direction[3] = {scales[i], 2 * scales[i], -scales[i]};
        assert_ok(rod_shape_straight(batch, 0, start, direction, 2));
        assert_straight(batch, 0, start, direction, 2);
    }
    rod_destroy(batch);
}

static void random_walk(rod_random *random, size_t points, float *out) {
    random_row(random, -5, 5, 3, out);
    for (size_t i = 3; i < 3 * points; i += 3) {
        float step[3];
        random_row(random, -1, 1, 3, step);
        /* no element much shorter than the others, or rounding would be all that is seen */
        const double scale = rod_random_between(random, 0.5, 2) / norm(vec3_at(step, 0));
        for (size_t c = 0; c < 3; c++)
            out[i + c] = out[i + c - 3] + (float)scale * step[c];
    }
}

static void polyline_shape_goes_through_its_points(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    for (size_t rod = 0; rod < RODS; rod++) {
        float points[3 * (LONGEST + 1)];
        random_walk(&random, rod_elements(batch, rod) + 1, points);
        assert_ok(rod_shape_polyline(batch, rod, points));
        assert_shaped(batch, rod);
        assert_reads(batch, ROD_POSITIONS, rod, points);
    }
    rod_destroy(batch);
}

static void polyline_may_turn_back_by_180_degrees(void **state) {
    (void)state;
    static const float lines[][15] = {
        {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0},
        {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0},
        {0, 0, 0, 1, 2, 3, 0, 0, 0, -1, -2, -3, 1, 2, 3},
        {0, 0, 0, 0, 0, -1, 0, 0, -2, 0, 0, -1, 1, 0, -1},
    };
    rod_batch *batch = new_batch(1, 4);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_ok(rod_shape_polyline(batch, 0, lines[i]));
        assert_shaped(batch, 0);
        assert_reads(batch, ROD_POSITIONS, 0, lines[i]);
    }
    rod_destroy(batch);
}

static rod_helix random_helix(rod_random *random) {
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
static rod_helix plain_helix(void) {
    return (rod_helix){{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0.5f, 1, 5};
}

static void assert_on_helix(const rod_batch *batch, size_t rod, const rod_helix *h) {
    shape s = shape_of(batch, rod);
    const vec3 start = vec3_at(h->start, 0), axis = unit(vec3_at(h->axis, 0));
    const vec3 inward = vec3_at(h->inward, 0);
    const vec3 out = unit(add_scaled(add_scaled((vec3){0}, -1, inward), dot(inward, axis), axis));
    const vec3 centre = add_scaled(start, -(double)h->radius, out);
    for (size_t i = 0; i <= s.elements; i++) {
        const double turns = (double)h->turns * (double)i / (double)s.elements;
        const double angle = 2 * acos(-1) * turns, r = (double)h->radius;
        vec3 expected = add_scaled(centre, (double)h->pitch * turns, axis);
        expected = add_scaled(expected, r * cos(angle), out);
        expected = add_scaled(expected, r * sin(angle), cross(axis, out));
        assert_at_most(distance(vec3_at(s.x, i), expected), FLT_EPSILON * s.reach);
    }
    shape_free(&s);
}

/* Other numbers of elements may have chords so short that rounding is all that is seen. */
static void helix_shape_is_a_helix(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_batch(RODS, ELEMENTS);
    for (size_t rod = 0; rod < RODS; rod++) {
        const rod_helix h = random_helix(&random);
        assert_ok(rod_shape_helix(batch, rod, &h));
        assert_shaped(batch, rod);
        assert_on_helix(batch, rod, &h);
    }
    rod_destroy(batch);
}

static void helix_elements_have_one_length(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, ELEMENTS);
    const rod_helix h = plain_helix();
    assert_ok(rod_shape_helix(batch, 0, &h));
    float *length = read_quantity(batch, ROD_REST_LENGTHS, 0, 1);
    assert_true(all_equal_to(length, ELEMENTS, length[0]));
    assert_at_most(fabs((double)length[0] - 0.3248), 5e-5);
    free(length);
    rod_destroy(batch);
}

static void helix_of_radius_0_is_straight(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, ELEMENTS);
    rod_helix h = plain_helix();
    h.radius = 0;
    assert_ok(rod_shape_helix(batch, 0, &h));
    assert_shaped(batch, 0);
    assert_straight(batch, 0, h.start, h.axis, 5);
    rod_destroy(batch);
}

static void shapes_keep_pins_weights_and_stiffness(void **state) {
    (void)state;
    static const rod_quantity kept[] = {ROD_INVERSE_MASSES, ROD_ORIENTATION_WEIGHTS, ROD_FORCES,
                                        ROD_TORQUES, ROD_INERTIAS};
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    const rod_helix h = plain_helix();
    for (size_t rod = 0; rod < RODS; rod++)
        if (rod_elements(batch, rod) % 5 != 0) /* 5 whole turns in so many elements are no curve */
            assert_ok(rod_shape_helix(batch, rod, &h));
    snapshot after = snapshot_of(batch);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_memory_equal(after.values[kept[i]], before.values[kept[i]],
                            rod_floats(batch, kept[i], 0, RODS) * sizeof(float));
    assert_memory_equal(after.stiffness, before.stiffness, RODS * sizeof *after.stiffness);
    snapshot_free(&before);
    snapshot_free(&after);
    rod_destroy(batch);
}

static void a_shape_changes_no_other_rod(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    assert_ok(rod_shape_straight(batch, 7, (const float[]){1, 2, 3}, (const float[]){1, 1, 1}, 2));
    for (int q = 0; q < ROD_QUANTITIES; q++)
        for (size_t rod = 0; rod < RODS; rod++)
            if (rod != 7)
                assert_reads(batch, (rod_quantity)q, rod,
                             before.values[q] + rod_floats(batch, (rod_quantity)q, 0, rod));
    snapshot_free(&before);
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- shapes, refused */

static void bad_straight_shapes_are_refused(void **state) {
    (void)state;
    static const struct {
        float start[3], direction[3], length;
        rod_status expected;
    } bad[] = {
        {{0}, {0}, 1, ROD_E_DIRECTION},
        {{0}, {0, -0.0f, 0}, 1, ROD_E_DIRECTION},
        {{0}, {1}, 0, ROD_E_LENGTH},
        {{0}, {1}, -1, ROD_E_LENGTH},
        {{0, NAN}, {1}, 1, ROD_E_NOT_FINITE},
        {{0, 0, INFINITY}, {1}, 1, ROD_E_NOT_FINITE},
        {{0}, {1, 0, NAN}, 1, ROD_E_NOT_FINITE},
        {{0}, {-INFINITY}, 1, ROD_E_NOT_FINITE},
        {{0}, {1}, NAN, ROD_E_NOT_FINITE},
        {{0}, {1}, INFINITY, ROD_E_NOT_FINITE},
        {{FLT_MAX}, {1}, FLT_MAX, ROD_E_NOT_FINITE},
    };
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_status(rod_shape_straight(batch, 7, bad[i].start, bad[i].direction, bad[i].length),
                      bad[i].expected);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

/* One bad point at each place in turn. */
static void bad_polylines_are_refused(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    const size_t n = rod_elements(batch, 7);
    float good[3 * (LONGEST + 1)], points[3 * (LONGEST + 1)];
    random_walk(&random, n + 1, good);
    for (size_t i = 0; i <= n; i++) {
        memcpy(points, good, sizeof points);
        points[3 * i + i % 3] = i % 2 == 0 ? NAN : INFINITY;
        assert_status(rod_shape_polyline(batch, 7, points), ROD_E_NOT_FINITE);
        memcpy(points, good, sizeof points);
        memcpy(points + 3 * i, points + 3 * (i > 0 ? i - 1 : 1), 3 * sizeof *points);
        assert_status(rod_shape_polyline(batch, 7, points), ROD_E_LENGTH);
    }
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void assert_helix_refused(rod_helix h, rod_status expected) {
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    assert_status(rod_shape_helix(batch, 7, &h), expected);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void bad_helices_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        float value;
        rod_status expected;
    } bad[] = {
        {offsetof(rod_helix, start), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, axis), INFINITY, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, axis), 0, ROD_E_DIRECTION},
        {offsetof(rod_helix, inward), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, inward) + 2 * sizeof(float), 0, ROD_E_DIRECTION},
        {offsetof(rod_helix, radius), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, radius), -0.5f, ROD_E_LENGTH},
        {offsetof(rod_helix, pitch), -INFINITY, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, turns), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, turns), 0, ROD_E_LENGTH},
        {offsetof(rod_helix, turns), -1, ROD_E_LENGTH},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rod_helix h = plain_helix();
        memcpy((char *)&h + bad[i].offset, &bad[i].value, sizeof(float));
        assert_helix_refused(h, bad[i].expected);
    }
    rod_helix point = plain_helix();
    point.radius = point.pitch = 0;
    assert_helix_refused(point, ROD_E_LENGTH);
}

/* Which way is inward cannot be told from what rounding leaves of a parallel direction. */
static void helix_with_inward_along_its_axis_is_refused(void **state) {
    (void)state;
    static const float axes[][3] = {
        {1, 0, 0}, {0, 3, 0}, {1, 1, 1}, {1, 2, 3}, {0.3f, -0.7f, 0.1f}};
    static const float factors[] = {1, -1, 2, 0.5f, 1024};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
            rod_helix h = plain_helix();
            for (size_t c = 0; c < 3; c++) {
                h.axis[c] = axes[i][c];
                h.inward[c] = factors[k] * axes[i][c];
            }
            assert_helix_refused(h, ROD_E_DIRECTION);
        }
}

static void shapes_of_no_rod_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    const float a[3] = {0}, b[3] = {1};
    const rod_helix h = plain_helix();
    static const size_t none[] = {RODS, SIZE_MAX};
    for (size_t i = 0; i < 2; i++) {
        assert_status(rod_shape_straight(batch, none[i], a, b, 1), ROD_E_INDEX);
        assert_status(rod_shape_polyline(batch, none[i], a), ROD_E_INDEX);
        assert_status(rod_shape_helix(batch, none[i], &h), ROD_E_INDEX);
    }
    rod_destroy(batch);
}

static void shapes_must_not_be_null(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    const float a[3] = {0}, b[3] = {1};
    const rod_helix h = plain_helix();
    assert_status(rod_shape_straight(NULL, 0, a, b, 1), ROD_E_NULL);
    assert_status(rod_shape_straight(batch, 0, NULL, b, 1), ROD_E_NULL);
    assert_status(rod_shape_straight(batch, 0, a, NULL, 1), ROD_E_NULL);
    assert_status(rod_shape_polyline(NULL, 0, a), ROD_E_NULL);
    assert_status(rod_shape_polyline(batch, 0, NULL), ROD_E_NULL);
    assert_status(rod_shape_helix(NULL, 0, &h), ROD_E_NULL);
    assert_status(rod_shape_helix(batch, 0, NULL), ROD_E_NULL);
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- pins */

static void clamp_pins_two_particles_and_their_orientation(void **state) {
    (void)state;
    rod_batch *batch = new_batch(3, 4);
    assert_ok(rod_clamp(batch, 0, ROD_START));
    assert_ok(rod_clamp(batch, 1, ROD_END));
    assert_reads(batch, ROD_INVERSE_MASSES, 0, (const float[]){0, 0, 1, 1, 1});
    assert_reads(batch, ROD_ORIENTATION_WEIGHTS, 0, (const float[]){0, 1, 1, 1});
    assert_reads(batch, ROD_INVERSE_MASSES, 1, (const float[]){1, 1, 1, 0, 0});
    assert_reads(batch, ROD_ORIENTATION_WEIGHTS, 1, (const float[]){1, 1, 1, 0});
    assert_reads(batch, ROD_INVERSE_MASSES, 2, (const float[]){1, 1, 1, 1, 1});
    assert_reads(batch, ROD_ORIENTATION_WEIGHTS, 2, (const float[]){1, 1, 1, 1});
    rod_destroy(batch);
}

/* Calls a check for every usable variant and order. */
static void for_each_variant(void (*check)(rod_batch *batch, rod_order order)) {
    for (size_t i = 0; i < rod_variant_count(); i++)
        for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
            if (!rod_variant_usable(rod_variant_at(i)))
                continue;
            rod_options options = rod_options_default();
            options.variant = rod_variant_at(i)->name;
            snprintf(test_subject, sizeof test_subject, "in %s, order %d", options.variant, order);
            rod_batch *batch = new_mixed(&options);
            check(batch, (rod_order)order);
            rod_destroy(batch);
        }
}

/* Both ends, one end, or something in the middle, and all that moves is pushed. */
static void pin_here_and_there(rod_batch *batch, rod_random *random) {
    static const rod_quantity pushed[] = {ROD_VELOCITIES, ROD_ANGULAR_VELOCITIES, ROD_FORCES,
                                          ROD_TORQUES, ROD_INERTIAS};
    for (size_t rod = 0; rod < RODS; rod++) {
        const size_t middle = rod_elements(batch, rod) / 2;
        if (rod % 4 < 2)
            assert_ok(rod_clamp(batch, rod, ROD_START));
        if (rod % 4 == 1)
            assert_ok(rod_clamp(batch, rod, ROD_END));
        if (rod % 4 == 2)
            assert_ok(rod_set_inverse_mass(batch, rod, middle, 0));
        if (rod % 4 == 3)
            assert_ok(rod_set_orientation_weight(batch, rod, middle, 0));
    }
    for (size_t i = 0; i < sizeof pushed / sizeof *pushed; i++)
        set_random(batch, random, pushed[i]);
}

/* Rows of weight 0 have their place and no velocity. */
static void assert_pinned_stay(const rod_batch *batch, const snapshot *before, rod_quantity weight,
                               rod_quantity place, rod_quantity velocity) {
    snapshot now = snapshot_of(batch);
    const size_t components = rod_shape_of(place).components;
    const size_t bytes = components * sizeof(float);
    for (size_t i = 0; i < rod_floats(batch, weight, 0, RODS); i++) {
        if (now.values[weight][i] > 0)
            continue;
        assert_memory_equal(now.values[place] + components * i,
                            before->values[place] + components * i, bytes);
        assert_true(all_equal_to(now.values[velocity] + 3 * i, 3, 0));
    }
    snapshot_free(&now);
}

static void check_pinned_things_stay(rod_batch *batch, rod_order order) {
    rod_random random = new_random();
    pin_here_and_there(batch, &random);
    snapshot before = snapshot_of(batch);
    const rod_step_settings settings = hard_settings(order);
    assert_ok(rod_step(batch, &settings));
    assert_pinned_stay(batch, &before, ROD_INVERSE_MASSES, ROD_POSITIONS, ROD_VELOCITIES);
    assert_pinned_stay(batch, &before, ROD_ORIENTATION_WEIGHTS, ROD_ORIENTATIONS,
                       ROD_ANGULAR_VELOCITIES);
    snapshot_free(&before);
}

static void pinned_things_keep_their_bits(void **state) {
    (void)state;
    for_each_variant(check_pinned_things_stay);
}

static void a_clamped_rod_of_one_element_stays(void **state) {
    (void)state;
    for (int end = ROD_START; end <= ROD_END; end++) {
        rod_batch *batch = new_batch(1, 1);
        assert_ok(
            rod_shape_straight(batch, 0, (const float[]){1, 2, 3}, (const float[]){1, 2, 3}, 0.7f));
        assert_ok(rod_clamp(batch, 0, (rod_end)end));
        snapshot before = snapshot_of(batch);
        const rod_step_settings settings = hard_settings(ROD_ORDER_BILATERAL);
        assert_ok(rod_step(batch, &settings));
        assert_unchanged(batch, &before);
        snapshot_free(&before);
        rod_destroy(batch);
    }
}

static void moving_sets_one_thing_at_velocity_0(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot expected = snapshot_of(batch);
    for (size_t rod = 0; rod < RODS; rod++) {
        const size_t e = rod_elements(batch, rod) / 2;
        float *x = expected.values[ROD_POSITIONS] + rod_floats(batch, ROD_POSITIONS, 0, rod);
        float *v = expected.values[ROD_VELOCITIES] + rod_floats(batch, ROD_POSITIONS, 0, rod);
        float *q = expected.values[ROD_ORIENTATIONS] + rod_floats(batch, ROD_ORIENTATIONS, 0, rod);
        float *omega = expected.values[ROD_ANGULAR_VELOCITIES] +
                       rod_floats(batch, ROD_ANGULAR_VELOCITIES, 0, rod);
        random_entry(&random, ROD_POSITIONS, x + 3 * e);
        random_entry(&random, ROD_ORIENTATIONS, q + 4 * e);
        memset(v + 3 * e, 0, 3 * sizeof *v);
        memset(omega + 3 * e, 0, 3 * sizeof *omega);
        assert_ok(rod_move_particle(batch, rod, e, x + 3 * e));
        assert_ok(rod_move_orientation(batch, rod, e, q + 4 * e));
    }
    assert_batch_holds(batch, &expected);
    snapshot_free(&expected);
    rod_destroy(batch);
}

/* Where a particle of the rest shape is when the clamp was shifted, and twisted about itself. */
static vec3 driven_to(const shape *rest, size_t particle, vec3 shift, double angle) {
    const vec3 axis = unit(edge(rest, 0)), origin = vec3_at(rest->x, 0);
    const vec3 a = add_scaled(vec3_at(rest->x, particle), -1, origin);
    const vec3 along = add_scaled((vec3){0}, dot(a, axis), axis), across = add_scaled(a, -1, along);
    vec3 turned = add_scaled(along, cos(angle), across);
    turned = add_scaled(turned, sin(angle), cross(axis, across));
    return add_scaled(add_scaled(origin, 1, turned), 1, shift);
}

static void drive_particles(rod_batch *batch, const shape *rest, vec3 shift) {
    for (size_t i = 0; i < 2; i++) {
        const vec3 to = add_scaled(vec3_at(rest->x, i), 1, shift);
        const float position[3] = {(float)to.x, (float)to.y, (float)to.z};
        assert_ok(rod_move_particle(batch, 0, i, position));
    }
}

/* q times a turn about d3 */
static void drive_orientation(rod_batch *batch, const shape *rest, double angle) {
    const double c = cos(angle / 2), s = sin(angle / 2);
    const double w = rest->q[0], x = rest->q[1], y = rest->q[2], z = rest->q[3];
    const float q[4] = {(float)(w * c - z * s), (float)(x * c + y * s), (float)(y * c - x * s),
                        (float)(z * c + w * s)};
    assert_ok(rod_move_orientation(batch, 0, 0, q));
}

static void assert_clamp_is_where_it_was_driven(const rod_batch *batch, const shape *driven) {
    float *x = read_quantity(batch, ROD_POSITIONS, 0, 1);
    float *q = read_quantity(batch, ROD_ORIENTATIONS, 0, 1);
    assert_memory_equal(x, driven->x, 6 * sizeof *x);
    assert_memory_equal(q, driven->q, 4 * sizeof *q);
    free(x);
    free(q);
}

static void drive_for_a_frame(rod_batch *batch, const shape *rest, double part) {
    rod_step_settings settings = {1, 40, ROD_ORDER_BILATERAL, 0.01f, {0}, 0.1f};
    drive_particles(batch, rest, (vec3){3 * part, -2 * part, part});
    drive_orientation(batch, rest, 2 * part);
    shape driven = shape_of(batch, 0);
    assert_ok(rod_step(batch, &settings));
    assert_clamp_is_where_it_was_driven(batch, &driven);
    shape_free(&driven);
}

static void a_driven_end_is_followed(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, ELEMENTS);
    const rod_helix h = plain_helix();
    assert_ok(rod_shape_helix(batch, 0, &h));
    assert_ok(rod_clamp(batch, 0, ROD_START));
    shape rest = shape_of(batch, 0);
    for (int frame = 1; frame <= 1500; frame++)
        drive_for_a_frame(batch, &rest, fmin(1, frame / 200.0));
    shape now = shape_of(batch, 0);
    for (size_t i = 0; i <= ELEMENTS; i++)
        assert_at_most(distance(vec3_at(now.x, i), driven_to(&rest, i, (vec3){3, -2, 1}, 2)), 1e-3);
    shape_free(&rest);
    shape_free(&now);
    rod_destroy(batch);
}

static void single_things_out_of_range_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    snapshot before = snapshot_of(batch);
    const float value[4] = {1, 0, 0, 0};
    const size_t n = rod_elements(batch, 5);
    const size_t rod[] = {5, 5, RODS, SIZE_MAX}, index[] = {n + 1, SIZE_MAX, 0, 0};
    for (size_t i = 0; i < 4; i++) {
        const size_t element = index[i] == n + 1 ? n : index[i];
        assert_status(rod_set_inverse_mass(batch, rod[i], index[i], 0), ROD_E_INDEX);
        assert_status(rod_move_particle(batch, rod[i], index[i], value), ROD_E_INDEX);
        assert_status(rod_set_orientation_weight(batch, rod[i], element, 0), ROD_E_INDEX);
        assert_status(rod_move_orientation(batch, rod[i], element, value), ROD_E_INDEX);
    }
    assert_status(rod_clamp(batch, RODS, ROD_START), ROD_E_INDEX);
    assert_status(rod_clamp(batch, SIZE_MAX, ROD_END), ROD_E_INDEX);
    assert_status(rod_clamp(batch, 5, (rod_end)(ROD_END + 1)), ROD_E_INDEX);
    assert_status(rod_clamp(batch, 5, (rod_end)-1), ROD_E_INDEX);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void single_bad_values_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    snapshot before = snapshot_of(batch);
    static const float weights[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < 3; i++) {
        const rod_status expected = i == 0 ? ROD_E_MASS : ROD_E_NOT_FINITE;
        assert_status(rod_set_inverse_mass(batch, 5, 0, weights[i]), expected);
        assert_status(rod_set_orientation_weight(batch, 5, 0, weights[i]), expected);
    }
    const float bad[4] = {1, 2, NAN, 3}, zero[4] = {0};
    assert_status(rod_move_particle(batch, 5, 0, bad), ROD_E_NOT_FINITE);
    assert_status(rod_move_orientation(batch, 5, 0, bad), ROD_E_NOT_FINITE);
    assert_status(rod_move_orientation(batch, 5, 0, zero), ROD_E_DIRECTION);
    assert_status(rod_move_particle(batch, 5, 0, NULL), ROD_E_NULL);
    assert_status(rod_move_orientation(batch, 5, 0, NULL), ROD_E_NULL);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void single_things_need_a_batch(void **state) {
    (void)state;
    const float value[4] = {1, 0, 0, 0};
    assert_status(rod_clamp(NULL, 0, ROD_START), ROD_E_NULL);
    assert_status(rod_set_inverse_mass(NULL, 0, 0, 1), ROD_E_NULL);
    assert_status(rod_set_orientation_weight(NULL, 0, 0, 1), ROD_E_NULL);
    assert_status(rod_move_particle(NULL, 0, 0, value), ROD_E_NULL);
    assert_status(rod_move_orientation(NULL, 0, 0, value), ROD_E_NULL);
}

/* ---------------------------------------------------------------- stepping */

static void assert_step_refused(rod_batch *batch, rod_step_settings s, rod_status expected) {
    snapshot before = snapshot_of(batch);
    s.frames = 2;
    assert_status(rod_step(batch, &s), expected);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
}

static void steps_with_bad_numbers_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        float value;
        rod_status expected;
    } bad[] = {
        {offsetof(rod_step_settings, dt), 0, ROD_E_TIME_STEP},
        {offsetof(rod_step_settings, dt), -0.01f, ROD_E_TIME_STEP},
        {offsetof(rod_step_settings, dt), 1e-45f, ROD_E_TIME_STEP},
        {offsetof(rod_step_settings, dt), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, dt), INFINITY, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, damping), -0.001f, ROD_E_DAMPING},
        {offsetof(rod_step_settings, damping), 1.001f, ROD_E_DAMPING},
        {offsetof(rod_step_settings, damping), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, gravity), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, gravity) + 4, INFINITY, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, gravity) + 8, -INFINITY, ROD_E_NOT_FINITE},
    };
    rod_batch *batch = new_mixed(NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rod_step_settings s = rod_step_defaults();
        memcpy((char *)&s + bad[i].offset, &bad[i].value, sizeof(float));
        assert_step_refused(batch, s, bad[i].expected);
    }
    rod_destroy(batch);
}

static void steps_without_iterations_or_with_no_order_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    rod_step_settings s = rod_step_defaults();
    s.iterations = 0;
    assert_step_refused(batch, s, ROD_E_ITERATIONS);
    static const int orders[] = {-1, ROD_ORDER_REDBLACK + 1, INT32_MAX};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        s = rod_step_defaults();
        s.order = (rod_order)orders[i];
        assert_step_refused(batch, s, ROD_E_ORDER);
    }
    rod_destroy(batch);
}

static void steps_must_not_be_null(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    const rod_step_settings s = rod_step_defaults();
    assert_status(rod_step(NULL, &s), ROD_E_NULL);
    assert_status(rod_step(batch, NULL), ROD_E_NULL);
    rod_destroy(batch);
}

static void steps_take_the_limits_of_damping(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    rod_step_settings s = rod_step_defaults();
    assert_ok(rod_step(batch, &s));
    s.damping = 1;
    assert_ok(rod_step(batch, &s));
    assert_all(batch, ROD_VELOCITIES, 0);
    assert_all(batch, ROD_ANGULAR_VELOCITIES, 0);
    rod_destroy(batch);
}

static void no_frames_do_nothing(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    rod_step_settings s = rod_step_defaults();
    s.frames = 0;
    assert_ok(rod_step(batch, &s));
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

/* From the very first step on, in every order, with all that a rod can have. */
static void stepping_allocates_nothing(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    const struct mallinfo2 before = mallinfo2();
    for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
        const rod_step_settings settings = hard_settings((rod_order)order);
        const rod_status status = rod_step(batch, &settings);
        const struct mallinfo2 after = mallinfo2();
        assert_ok(status);
        assert_int_equal(after.uordblks, before.uordblks);
        assert_int_equal(after.hblkhd, before.hblkhd);
    }
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- figures */

static void assert_near(float value, double expected) {
    assert_at_most(fabs((double)value - expected), 1e-6);
}

static void strain_of_a_stretched_element(void **state) {
    (void)state;
    rod_batch *batch = new_batch(2, 3);
    rod_strain s;
    assert_ok(rod_move_particle(batch, 1, 3, (const float[]){0, 0, 3.5f}));
    assert_ok(rod_get_strain(batch, 1, &s));
    assert_near(s.stretch_max, 0.5);
    assert_near(s.stretch_rms, 0.5 / sqrt(3));
    assert_near(s.length_ratio, 3.5 / 3);
    assert_near(s.bend_max, 0);
    assert_near(s.bend_rms, 0);
    assert_unstrained(batch, 0, 0);
    rod_destroy(batch);
}

static void strain_of_a_sheared_element(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, 1);
    rod_strain s;
    assert_ok(rod_set(batch, ROD_REST_LENGTHS, 0, 1, (const float[]){2}));
    assert_ok(rod_set(batch, ROD_POSITIONS, 0, 1, (const float[]){1, 1, 1, 1, 3, 1}));
    assert_ok(rod_get_strain(batch, 0, &s));
    assert_near(s.stretch_max, sqrt(2));
    assert_near(s.stretch_rms, sqrt(2));
    assert_near(s.length_ratio, 1);
    assert_near(s.bend_max + s.bend_rms, 0);
    rod_destroy(batch);
}

/* About x; `sign` is -1 for the other quaternion of the same orientation. */
static void turn(rod_batch *batch, size_t rod, size_t element, double degrees, float sign) {
    const double half = degrees * acos(-1) / 360;
    const float q[4] = {sign * (float)cos(half), sign * (float)sin(half), 0, 0};
    assert_ok(rod_move_orientation(batch, rod, element, q));
}

static void strain_of_a_bent_joint(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        rod_batch *batch = new_batch(1, 3);
        rod_strain s;
        turn(batch, 0, 2, 60, (float)sign);
        assert_ok(rod_get_strain(batch, 0, &s));
        assert_near(s.bend_max, 0.5);
        assert_near(s.bend_rms, 0.5 / sqrt(2));
        assert_near(s.stretch_max, 1); /* two unit vectors 60 degrees apart */
        assert_near(s.length_ratio, 1);
        rod_destroy(batch);
    }
}

static void strain_is_measured_from_the_rest_shape(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, 2);
    rod_strain s;
    assert_ok(rod_set(batch, ROD_REST_DARBOUX, 0, 1, (const float[]){0.5f, 0, 0}));
    assert_ok(rod_get_strain(batch, 0, &s));
    assert_near(s.bend_max, 0.5);
    turn(batch, 0, 1, 60, 1);
    assert_ok(rod_get_strain(batch, 0, &s));
    assert_near(s.bend_max, 0);
    rod_destroy(batch);
}

static rod_figures figures_of(const rod_batch *batch) {
    rod_figures figures;
    assert_ok(rod_get_figures(batch, &figures));
    return figures;
}

static void joints_turned_by_more_than_170_degrees_are_folded(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        rod_batch *batch = new_batch(3, 4);
        assert_int_equal(figures_of(batch).folded_joints, 0);
        turn(batch, 0, 3, 175, (float)sign);
        assert_int_equal(figures_of(batch).folded_joints, 1);
        turn(batch, 2, 1, -171, (float)sign); /* the joints on both sides of it */
        assert_int_equal(figures_of(batch).folded_joints, 3);
        turn(batch, 0, 3, 169, (float)sign);
        turn(batch, 2, 1, 180, (float)sign);
        assert_int_equal(figures_of(batch).folded_joints, 2);
        assert_int_equal(figures_of(batch).sign_flips, 0);
        assert_int_equal(figures_of(batch).broken_rods, 0);
        rod_destroy(batch);
    }
}

/* What a caller can put in does not break a rod; driving it out of float32's range does. */
static void only_rods_that_left_the_numbers_are_broken(void **state) {
    (void)state;
    rod_batch *batch = new_batch(3, 2);
    float fast[9];
    for (size_t i = 0; i < 9; i++)
        fast[i] = FLT_MAX;
    assert_ok(rod_set(batch, ROD_VELOCITIES, 1, 1, fast));
    assert_int_equal(figures_of(batch).broken_rods, 0);
    const rod_step_settings s = {1, 10, ROD_ORDER_CROSS, 10, {0}, 0};
    assert_ok(rod_step(batch, &s));
    assert_int_equal(figures_of(batch).broken_rods, 1);
    assert_unstrained(batch, 0, 0);
    assert_unstrained(batch, 2, 0);
    rod_destroy(batch);
}

static void random_batches_do_not_break(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
        rod_batch *batch = new_random_mixed(&random);
        const rod_step_settings settings = hard_settings((rod_order)order);
        assert_ok(rod_step(batch, &settings));
        assert_int_equal(figures_of(batch).broken_rods, 0);
        rod_destroy(batch);
    }
}

static void figures_must_not_be_null(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    rod_strain strain;
    rod_figures figures;
    assert_status(rod_get_strain(NULL, 0, &strain), ROD_E_NULL);
    assert_status(rod_get_strain(batch, 0, NULL), ROD_E_NULL);
    assert_status(rod_get_strain(batch, RODS, &strain), ROD_E_INDEX);
    assert_status(rod_get_figures(NULL, &figures), ROD_E_NULL);
    assert_status(rod_get_figures(batch, NULL), ROD_E_NULL);
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- memory */

static double bytes_per_element(const rod_batch *batch) {
    return (double)rod_resident_bytes(batch) / (double)(rod_count(batch) * ELEMENTS);
}

static void a_batch_takes_at_most_96_bytes_an_element(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_batch(4096, ELEMENTS);
    print_message("%.2f bytes an element\n", bytes_per_element(batch));
    assert_at_most(bytes_per_element(batch), 96);
    for (size_t rod = 0; rod < 4096; rod++) {
        const rod_helix h = random_helix(&random);
        assert_ok(rod_shape_helix(batch, rod, &h));
        assert_ok(rod_clamp(batch, rod, ROD_START));
    }
    print_message("%.2f bytes an element of clamped helices\n", bytes_per_element(batch));
    assert_at_most(bytes_per_element(batch), 96);
    rod_destroy(batch);
}

static void assert_aligned(const float *storage) {
    assert_int_equal((uintptr_t)storage % 64, 0);
}

static void check_alignment(rod_batch *batch, rod_order order) {
    (void)order;
    rod_random random = new_random();
    for (int q = 0; q < ROD_QUANTITIES; q++)
        set_random(batch, &random, (rod_quantity)q);
    for (size_t i = 0; i < batch->blocks; i++) {
        const rod_block *b = &batch->block[i];
        const float *const storage[] = {
            b->x,      b->v,     b->q,      b->omega,   b->rest,          b->w,     b->wq,
            b->length, b->force, b->torque, b->inertia, b->lane_constant, b->flips, batch->scratch};
        for (size_t k = 0; k < sizeof storage / sizeof *storage; k++) {
            assert_non_null(storage[k]);
            assert_aligned(storage[k]);
        }
    }
    assert_int_equal(batch->scratch_floats % 16, 0);
}

static void storage_is_aligned_to_64_bytes(void **state) {
    (void)state;
    for_each_variant(check_alignment);
}

/* ---------------------------------------------------------------- main */

int main(void) {
    if (!read_seed("test_api"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_status_has_its_own_text),
        cmocka_unit_test(creation_needs_somewhere_to_put_the_batch),
        cmocka_unit_test(mixed_creation_needs_the_lengths),
        cmocka_unit_test(creation_refuses_empty_batches),
        cmocka_unit_test(creation_refuses_one_rod_without_elements_among_others),
        cmocka_unit_test(creation_refuses_what_no_address_space_holds),
        cmocka_unit_test(creation_refuses_what_memory_does_not_hold),
        cmocka_unit_test(creation_refuses_one_huge_rod_among_others),
        cmocka_unit_test(creation_refuses_an_unknown_variant),
        cmocka_unit_test(creation_refuses_a_variant_that_cannot_run_here),
        cmocka_unit_test(creation_refuses_no_threads_and_too_many),
        cmocka_unit_test(creation_takes_as_many_threads_as_allowed),
        cmocka_unit_test(creation_refuses_an_unknown_method),
        cmocka_unit_test(destroying_nothing_is_allowed),
        cmocka_unit_test(a_batch_knows_its_rods),
        cmocka_unit_test(the_default_variant_is_a_usable_one_of_the_registry),
        cmocka_unit_test(a_batch_uses_the_variant_that_was_asked_for),
        cmocka_unit_test(rods_start_straight_along_z_with_unit_elements),
        cmocka_unit_test(rods_start_free_and_at_rest),
        cmocka_unit_test(rods_start_at_full_stiffness),
        cmocka_unit_test(default_settings_are_those_of_the_papers),
        cmocka_unit_test(arrays_have_an_entry_for_each_particle_element_or_joint),
        cmocka_unit_test(what_was_set_can_be_read_for_all_rods),
        cmocka_unit_test(what_was_set_can_be_read_for_single_rods),
        cmocka_unit_test(what_was_set_can_be_read_for_ranges_of_rods),
        cmocka_unit_test(rest_lengths_may_become_equal_again),
        cmocka_unit_test(stiffness_can_be_read_back),
        cmocka_unit_test(orientations_of_any_length_come_out_as_units),
        cmocka_unit_test(ranges_past_the_last_rod_are_refused),
        cmocka_unit_test(ranges_of_no_rods_are_fine),
        cmocka_unit_test(unknown_quantities_are_refused),
        cmocka_unit_test(arrays_must_not_be_null),
        cmocka_unit_test(setting_refuses_what_is_not_finite_and_changes_nothing),
        cmocka_unit_test(setting_refuses_values_out_of_range_and_changes_nothing),
        cmocka_unit_test(darboux_vectors_of_length_1_are_accepted),
        cmocka_unit_test(stiffness_out_of_range_is_refused),
        cmocka_unit_test(stiffness_of_no_rod_is_refused),
        cmocka_unit_test(straight_shape_is_straight),
        cmocka_unit_test(straight_shape_takes_every_axis),
        cmocka_unit_test(straight_shape_takes_a_direction_of_any_length),
        cmocka_unit_test(polyline_shape_goes_through_its_points),
        cmocka_unit_test(polyline_may_turn_back_by_180_degrees),
        cmocka_unit_test(helix_shape_is_a_helix),
        cmocka_unit_test(helix_elements_have_one_length),
        cmocka_unit_test(helix_of_radius_0_is_straight),
        cmocka_unit_test(shapes_keep_pins_weights_and_stiffness),
        cmocka_unit_test(a_shape_changes_no_other_rod),
        cmocka_unit_test(bad_straight_shapes_are_refused),
        cmocka_unit_test(bad_polylines_are_refused),
        cmocka_unit_test(bad_helices_are_refused),
        cmocka_unit_test(helix_with_inward_along_its_axis_is_refused),
        cmocka_unit_test(shapes_of_no_rod_are_refused),
        cmocka_unit_test(shapes_must_not_be_null),
        cmocka_unit_test(clamp_pins_two_particles_and_their_orientation),
        cmocka_unit_test(pinned_things_keep_their_bits),
        cmocka_unit_test(a_clamped_rod_of_one_element_stays),
        cmocka_unit_test(moving_sets_one_thing_at_velocity_0),
        cmocka_unit_test(a_driven_end_is_followed),
        cmocka_unit_test(single_things_out_of_range_are_refused),
        cmocka_unit_test(single_bad_values_are_refused),
        cmocka_unit_test(single_things_need_a_batch),
        cmocka_unit_test(steps_with_bad_numbers_are_refused),
        cmocka_unit_test(steps_without_iterations_or_with_no_order_are_refused),
        cmocka_unit_test(steps_must_not_be_null),
        cmocka_unit_test(steps_take_the_limits_of_damping),
        cmocka_unit_test(no_frames_do_nothing),
        cmocka_unit_test(stepping_allocates_nothing),
        cmocka_unit_test(strain_of_a_stretched_element),
        cmocka_unit_test(strain_of_a_sheared_element),
        cmocka_unit_test(strain_of_a_bent_joint),
        cmocka_unit_test(strain_is_measured_from_the_rest_shape),
        cmocka_unit_test(joints_turned_by_more_than_170_degrees_are_folded),
        cmocka_unit_test(only_rods_that_left_the_numbers_are_broken),
        cmocka_unit_test(random_batches_do_not_break),
        cmocka_unit_test(figures_must_not_be_null),
        cmocka_unit_test(a_batch_takes_at_most_96_bytes_an_element),
        cmocka_unit_test(storage_is_aligned_to_64_bytes),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
