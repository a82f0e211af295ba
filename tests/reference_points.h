/* What the tests of the methods that only know points share: one set of checks for the constraints
 * of position-based elastic rods and of position-based dynamics. */
#ifndef ROD_TEST_REFERENCE_POINTS_H
#define ROD_TEST_REFERENCE_POINTS_H

#include "reference.h"

#include <stdio.h>

/* A constraint on up to five points, of one component (the x of its value) or of three. */
typedef struct {
    const char *name;
    size_t points;
    bool scalar;
    real3 (*value)(const constraint *c, const coordinates *s);
    /* The derivatives of the value by each coordinate. */
    void (*gradient)(const coordinates *s, real3 columns[COORDINATES]);
    coordinates (*displacement)(const constraint *c, const coordinates *s, const real w[POINTS]);
    /* Away from where the constraint is not smooth. */
    coordinates (*random)(rod_random *random);
    /* Makes this configuration the rest, or moves it to rest. */
    void (*rest_at)(constraint *c, coordinates *s);
} point_constraint;

/* The gradient of a scalar constraint, given by points. */
static inline void scalar_columns(const real3 *gradient, size_t points,
                                  real3 columns[COORDINATES]) {
    for (size_t a = 0; a < points; a++) {
        columns[3 * a] = (real3){gradient[a].x, 0, 0};
        columns[3 * a + 1] = (real3){gradient[a].y, 0, 0};
        columns[3 * a + 2] = (real3){gradient[a].z, 0, 0};
    }
}

/* With a rest value that has nothing to do with the configuration. */
static inline constraint constraint_of(const point_constraint *k, rod_random *random) {
    return (constraint){
        .value = k->value,
        .size = 3 * k->points,
        .h = 0x1p-10,
        .l = rod_random_between(random, 0.2, 1.5),
        .rest = random_in_box(random, 0.4),
    };
}

static inline real random_mass_weight(rod_random *random) {
    return rod_random_between(random, 0.1, 3);
}

static inline void set_subject(const char *name) {
    snprintf(test_subject, sizeof test_subject, "(%s)", name);
}

static inline void check_gradient(const point_constraint *k) {
    rod_random random = new_random();
    set_subject(k->name);
    for (int i = 0; i < TRIALS; i++) {
        const coordinates s = k->random(&random);
        const constraint c = constraint_of(k, &random);
        real3 columns[COORDINATES];
        k->gradient(&s, columns);
        for (size_t j = 0; j < c.size; j++) {
            const real3 expected = difference(&c, &s, j);
            assert_at_most(distance3(columns[j], expected), 1e-10 * (1 + norm3(expected)));
        }
    }
    set_subject("");
}

static inline void check_invariance(const point_constraint *k) {
    rod_random random = new_random();
    set_subject(k->name);
    for (int i = 0; i < TRIALS; i++) {
        const coordinates s = k->random(&random);
        const constraint c = constraint_of(k, &random);
        const motion by = {random_orientation(&random), random_in_box(&random, 3)};
        coordinates there = s;
        for (size_t a = 0; a < k->points; a++)
            there.point[a] = moved3(&by, s.point[a]);
        const real3 value = k->value(&c, &s);
        assert_at_most(distance3(k->value(&c, &there), value), 2e-14 * (1 + norm3(value)));
    }
    set_subject("");
}

/* Eq. 17 from the differences, for one component. */
static inline coordinates scalar_projection(const constraint *c, const coordinates *s,
                                            const coordinates *weights) {
    coordinates delta = {0};
    real sum = 0;
    for (size_t j = 0; j < c->size; j++) {
        delta.at[j] = -weights->at[j] * difference(c, s, j).x;
        sum -= delta.at[j] * difference(c, s, j).x;
    }
    for (size_t j = 0; j < c->size; j++)
        delta.at[j] *= c->value(c, s).x / sum;
    return delta;
}

static inline void check_displacement(const point_constraint *k) {
    rod_random random = new_random();
    set_subject(k->name);
    for (int i = 0; i < TRIALS; i++) {
        const coordinates s = k->random(&random);
        const constraint c = constraint_of(k, &random);
        coordinates weights = {0};
        real w[POINTS];
        for (size_t a = 0; a < k->points; a++) {
            w[a] = random_mass_weight(&random);
            weights.point[a] = scale3(w[a], full);
        }
        const coordinates expected =
            k->scalar ? scalar_projection(&c, &s, &weights) : generic_projection(&c, &s, &weights);
        const coordinates found = k->displacement(&c, &s, w);
        assert_at_most(largest_difference(&found, &expected, c.size), 1e-9);
    }
    set_subject("");
}

/* sum m dp and sum m r x dp, muller2007 eqs. 1 and 2 */
static inline void check_momentum(const point_constraint *k) {
    rod_random random = new_random();
    set_subject(k->name);
    for (int i = 0; i < TRIALS; i++) {
        const coordinates s = k->random(&random);
        const constraint c = constraint_of(k, &random);
        real w[POINTS];
        for (size_t a = 0; a < k->points; a++)
            w[a] = random_mass_weight(&random);
        const coordinates d = k->displacement(&c, &s, w);
        real3 linear = {0}, angular = {0};
        real size = 0;
        for (size_t a = 0; a < k->points; a++) {
            const real3 impulse = scale3(1 / w[a], d.point[a]);
            linear = add3(linear, impulse);
            angular = add3(angular, cross3(s.point[a], impulse));
            size += norm3(impulse);
        }
        assert_at_most(norm3(linear), 1e-14 * size);
        assert_at_most(norm3(angular), 1e-14 * size);
    }
    set_subject("");
}

/* What is left of the constraint after one projection, the points having been put off their rest by
 * a given distance. */
static inline real left_after_projection(const point_constraint *k, rod_random *random, real off) {
    constraint c = constraint_of(k, random);
    coordinates s = k->random(random);
    real w[POINTS];
    k->rest_at(&c, &s);
    assert_at_most(norm3(k->value(&c, &s)), 1e-14);
    for (size_t a = 0; a < k->points; a++) {
        w[a] = random_mass_weight(random);
        s.point[a] = add3(s.point[a], random_in_box(random, off));
    }
    const coordinates d = k->displacement(&c, &s, w);
    for (size_t j = 0; j < c.size; j++)
        s.at[j] += d.at[j];
    return norm3(k->value(&c, &s));
}

/* Of second order: a tenth of the distance leaves a hundredth. */
static inline void check_second_order(const point_constraint *k, real most) {
    set_subject(k->name);
    for (real off = 1e-2; off > 5e-6; off /= 10) {
        rod_random random = new_random();
        for (int i = 0; i < TRIALS; i++)
            assert_at_most(left_after_projection(k, &random, off), most * off * off + 1e-14);
    }
    set_subject("");
}

static inline void check_zero_weights(const point_constraint *k) {
    rod_random random = new_random();
    const real w[POINTS] = {0};
    const coordinates zero = {0};
    set_subject(k->name);
    for (int i = 0; i < TRIALS; i++) {
        const coordinates s = k->random(&random);
        const constraint c = constraint_of(k, &random);
        const coordinates d = k->displacement(&c, &s, w);
        assert_at_most(largest_difference(&d, &zero, c.size), 0);
    }
    set_subject("");
}

/* A pinned point stays, whichever others are free, be they too few. */
static inline void check_pins(const point_constraint *k) {
    rod_random random = new_random();
    set_subject(k->name);
    for (unsigned pins = 0; pins < 1u << k->points; pins++) {
        const coordinates s = k->random(&random);
        const constraint c = constraint_of(k, &random);
        real w[POINTS];
        for (size_t a = 0; a < k->points; a++)
            w[a] = pins >> a & 1u ? 0 : random_mass_weight(&random);
        const coordinates d = k->displacement(&c, &s, w);
        for (size_t a = 0; a < k->points; a++)
            assert_at_most(norm3(d.point[a]), w[a] > 0 ? DBL_MAX : 0);
    }
    set_subject("");
}

#endif
