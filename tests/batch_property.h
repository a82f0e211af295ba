/* What the property tests of batches share. */
#ifndef ROD_TEST_BATCH_PROPERTY_H
#define ROD_TEST_BATCH_PROPERTY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "random.h"
#include "scene.h"
#include "seed.h"

enum { RODS = 37, LONGEST = 24, ELEMENTS = 50 };

#define assert_ok(call) assert_string_equal(rod_status_text(call), rod_status_text(ROD_OK))

/* ---------------------------------------------------------------- variants */

typedef void variant_check(const rod_variant *variant, rod_order order);

static inline bool is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static inline bool any_variant(const rod_variant *v) {
    (void)v;
    return true;
}

static inline bool is_quaternion(const rod_variant *v) {
    return is(v->method, "quaternion");
}

static inline bool is_pber(const rod_variant *v) {
    return is(v->method, "pber");
}

static inline bool is_pbd(const rod_variant *v) {
    return is(v->method, "pbd");
}

static inline bool is_uniform(const rod_variant *v) {
    return is(v->weights, "uniform");
}

static inline bool is_bare(const rod_variant *v) {
    return is(v->norm, "bare");
}

/* How far off its vendor says that a CPU's estimate may be: 1.5 * 2^-12 on x86, 2^-14 with AVX-512;
 * on NEON `bare` takes a Newton step. 0 unless bare. */
static inline double estimate_error(const rod_variant *v) {
    if (!is_bare(v))
        return 0;
    return is(v->isa, "avx512") || is(v->isa, "neon") ? 6.1e-5 : 3.7e-4;
}

static inline bool is_exact(const rod_variant *v) {
    return is(v->norm, "exact");
}

/* Quaternion rods have sweeps of their own for some orders. PBER and strands have one for all,
 * which depends on the order where a block holds rods of several lengths: the method's default is
 * one that does, red-black one that does not. */
static inline bool is_order_of(const rod_variant *v, rod_order order) {
    if (is_pber(v))
        return order == ROD_ORDER_CROSS || order == ROD_ORDER_REDBLACK;
    if (is_pbd(v))
        return order == ROD_ORDER_BILATERAL || order == ROD_ORDER_REDBLACK;
    return true;
}

/* Calls a check for every usable variant of a kind and the orders that are its own. */
static inline void for_each(bool (*wanted)(const rod_variant *), variant_check *check) {
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        for (rod_order order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
            if (!rod_variant_usable(v) || !wanted(v) || !is_order_of(v, order))
                continue;
            snprintf(test_subject, sizeof test_subject, "in %s, order %d", v->name, (int)order);
            check(v, order);
        }
    }
}

/* The variant that differs in one thing only, or NULL. */
static inline const rod_variant *sibling(const rod_variant *v, size_t unroll, const char *norm,
                                         const char *weights) {
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *o = rod_variant_at(i);
        if (is(o->method, v->method) && is(o->layout, v->layout) && is(o->isa, v->isa) &&
            o->unroll == unroll && is(o->norm, norm) && is(o->weights, weights))
            return o;
    }
    return NULL;
}

static inline rod_options options_of(const rod_variant *v) {
    rod_options options = rod_options_default();
    options.variant = v->name;
    assert_true(rod_method_named(v->method, &options.method));
    return options;
}

/* ---------------------------------------------------------------- batches */

static inline rod_batch *new_batch(const rod_variant *v, size_t rods, size_t elements) {
    const rod_options options = options_of(v);
    rod_batch *batch;
    assert_ok(rod_create(&batch, rods, elements, &options));
    return batch;
}

static inline rod_step_settings settings_of(rod_order order, size_t frames) {
    rod_step_settings s = rod_step_defaults();
    s.order = order;
    s.frames = frames;
    return s;
}

static inline void step(rod_batch *batch, const rod_step_settings *s) {
    assert_ok(rod_step(batch, s));
}

static inline bool has(const rod_batch *batch, rod_quantity quantity) {
    return rod_method_has(rod_method_of(batch), quantity);
}

static inline float *read_quantity(const rod_batch *batch, rod_quantity quantity, size_t first,
                                   size_t count) {
    float *values = malloc((rod_floats(batch, quantity, first, count) + 1) * sizeof *values);
    assert_non_null(values);
    assert_ok(rod_get(batch, quantity, first, count, values));
    return values;
}

/* ---------------------------------------------------------------- random rods */

/* What a rod is made of, wherever it lies. */
typedef struct {
    size_t elements;
    uint64_t seed;
    bool clamped; /* at its start, and nowhere else */
} recipe;

static inline void random_row(rod_random *random, double half, size_t count, float *out) {
    for (size_t i = 0; i < count; i++)
        out[i] = (float)rod_random_between(random, -half, half);
}

/* Nothing where the method has no such quantity. */
static inline void set_random_row(rod_batch *batch, size_t rod, rod_quantity quantity,
                                  rod_random *random, double half) {
    if (!has(batch, quantity))
        return;
    const size_t floats = rod_floats(batch, quantity, rod, 1);
    float values[4 * (ELEMENTS + 1)];
    random_row(random, half, floats, values);
    assert_ok(rod_set(batch, quantity, rod, 1, values));
}

/* A curl of its own, of elements about 0.3 long. */
static inline void give_random_shape(rod_batch *batch, size_t rod, rod_random *random) {
    rod_helix h = {.radius = 0.5f, .pitch = 1};
    random_row(random, 1, 3, h.start);
    random_row(random, 1, 3, h.axis);
    random_row(random, 1, 3, h.inward);
    h.turns = (float)(rod_random_between(random, 0.08, 0.12) * (double)rod_elements(batch, rod));
    assert_ok(rod_shape_helix(batch, rod, &h));
}

static inline void give_random_velocities(rod_batch *batch, size_t rod, rod_random *random) {
    set_random_row(batch, rod, ROD_VELOCITIES, random, 3);
    set_random_row(batch, rod, ROD_ANGULAR_VELOCITIES, random, 3);
    set_random_row(batch, rod, ROD_GHOST_VELOCITIES, random, 3);
}

/* Free, clamped at either end, or held in the middle. */
static inline void pin_somewhere(rod_batch *batch, size_t rod, rod_random *random) {
    const uint64_t where = rod_random_u64(random) % 4;
    if (where == 1 || where == 2)
        assert_ok(rod_clamp(batch, rod, where == 1 ? ROD_START : ROD_END));
    if (where == 3)
        assert_ok(rod_set_inverse_mass(batch, rod, rod_elements(batch, rod) / 2, 0));
}

static inline void build(rod_batch *batch, size_t rod, const recipe *r) {
    rod_random random = rod_random_seed(r->seed);
    give_random_shape(batch, rod, &random);
    if (r->clamped)
        assert_ok(rod_clamp(batch, rod, ROD_START));
    else
        pin_somewhere(batch, rod, &random);
    give_random_velocities(batch, rod, &random);
}

/* Lengths in an order that sorting permutes, with several rods of each. */
static inline void random_recipes(recipe *r) {
    rod_random random = rod_random_seed(test_seed);
    for (size_t rod = 0; rod < RODS; rod++) {
        r[rod].elements = 1 + rod_random_u64(&random) % LONGEST;
        if (rod % 3 > 0)
            r[rod].elements = r[rod - 1].elements;
        r[rod].seed = rod_random_u64(&random);
        r[rod].clamped = false;
    }
}

static inline rod_batch *new_random_batch(const rod_options *options, const recipe *recipes,
                                          size_t rods) {
    size_t elements[RODS];
    for (size_t rod = 0; rod < rods; rod++)
        elements[rod] = recipes[rod].elements;
    rod_batch *batch;
    assert_ok(rod_create_mixed(&batch, rods, elements, options));
    for (size_t rod = 0; rod < rods; rod++)
        build(batch, rod, &recipes[rod]);
    return batch;
}

/* ---------------------------------------------------------------- comparing */

static const rod_quantity moving[] = {ROD_POSITIONS,          ROD_VELOCITIES, ROD_ORIENTATIONS,
                                      ROD_ANGULAR_VELOCITIES, ROD_GHOSTS,     ROD_GHOST_VELOCITIES};
enum { MOVING = sizeof moving / sizeof *moving };

static inline void assert_same_bits(const rod_batch *a, size_t rod_a, const rod_batch *b,
                                    size_t rod_b) {
    for (size_t i = 0; i < MOVING; i++) {
        if (!has(a, moving[i]))
            continue;
        float *x = read_quantity(a, moving[i], rod_a, 1),
              *y = read_quantity(b, moving[i], rod_b, 1);
        for (size_t k = 0; k < rod_floats(a, moving[i], rod_a, 1); k++)
            if (memcmp(x + k, y + k, sizeof *x) != 0)
                fail_msg("seed %" PRIu64 " %s: rod %zu of %zu elements, quantity %d, number %zu: "
                         "%.9g and %.9g",
                         test_seed, test_subject, rod_a, rod_elements(a, rod_a), (int)moving[i], k,
                         (double)x[k], (double)y[k]);
        free(x);
        free(y);
    }
}

static inline void assert_same_batches(const rod_batch *a, const rod_batch *b) {
    for (size_t rod = 0; rod < rod_count(a); rod++)
        assert_same_bits(a, rod, b, rod);
}

/* The largest distance of two vectors of a quantity that has three components. */
static inline double largest_difference(rod_quantity quantity, const rod_batch *a, size_t rod_a,
                                        const rod_batch *b, size_t rod_b) {
    float *x = read_quantity(a, quantity, rod_a, 1);
    float *y = read_quantity(b, quantity, rod_b, 1);
    double largest = 0;
    for (size_t i = 0; i < rod_floats(a, quantity, rod_a, 1); i += 3) {
        double square = 0;
        for (size_t c = i; c < i + 3; c++)
            square += pow((double)x[c] - (double)y[c], 2);
        largest = isnan(square) ? NAN : fmax(largest, sqrt(square));
    }
    free(x);
    free(y);
    return largest;
}

static inline double largest_distance(const rod_batch *a, size_t rod_a, const rod_batch *b,
                                      size_t rod_b) {
    return largest_difference(ROD_POSITIONS, a, rod_a, b, rod_b);
}

static inline double length_of(const rod_batch *batch, size_t rod) {
    float *lengths = read_quantity(batch, ROD_REST_LENGTHS, rod, 1);
    double sum = 0;
    for (size_t e = 0; e < rod_elements(batch, rod); e++)
        sum += (double)lengths[e];
    free(lengths);
    return sum;
}

static inline void assert_agree(const rod_batch *a, size_t rod_a, const rod_batch *b, size_t rod_b,
                                double tolerance) {
    const double length = length_of(a, rod_a);
    assert_at_most(largest_distance(a, rod_a, b, rod_b), tolerance * length);
}

static inline double largest_strain(const rod_batch *batch, size_t rod) {
    rod_strain s;
    assert_ok(rod_get_strain(batch, rod, &s));
    return fmax((double)s.stretch_max, (double)s.bend_max);
}

static inline void assert_arena_is_finite(const rod_batch *batch) {
    for (size_t i = 0; i < batch->arena_floats; i++)
        if (!isfinite(batch->arena[i]))
            fail_msg("seed %" PRIu64 " %s: float %zu of %zu is %g", test_seed, test_subject, i,
                     batch->arena_floats, (double)batch->arena[i]);
}

#endif
