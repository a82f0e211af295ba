/* What the tests of the double reference share. */
#ifndef ROD_TEST_REFERENCE_H
#define ROD_TEST_REFERENCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "order.h"
#include "random.h"
#include "reference/model.h"
#include "seed.h"

enum { ELEMENTS = 50, JOINTS = ELEMENTS - 1, TRIALS = 500 };

static const rod_order all_orders[] = {ROD_ORDER_SEQUENTIAL, ROD_ORDER_BILATERAL, ROD_ORDER_CROSS,
                                       ROD_ORDER_REDBLACK};
enum { ORDERS = sizeof all_orders / sizeof *all_orders };

static const real3 full = {1, 1, 1};

/* ---------------------------------------------------------------- checks */

static inline real distance3(real3 a, real3 b) {
    return norm3(sub3(a, b));
}

static inline real distanceq(realq a, realq b) {
    const realq d = addq(a, scaleq(-1, b));
    return sqrt(dotq(d, d));
}

/* The larger one, or the NaN, which fmax would lose. */
static inline real worse_of(real a, real b) {
    return isnan(a) || a >= b ? a : b;
}

/* ---------------------------------------------------------------- random things */

static inline rod_random new_random(void) {
    return rod_random_seed(test_seed);
}

static inline real3 random_in_box(rod_random *random, real half) {
    real3 a;
    a.x = rod_random_between(random, -half, half);
    a.y = rod_random_between(random, -half, half);
    a.z = rod_random_between(random, -half, half);
    return a;
}

static inline realq random_orientation(rod_random *random) {
    double q[4];
    rod_random_quaternion(random, q);
    return (realq){q[0], q[1], q[2], q[3]};
}

/* A quaternion of any length. */
static inline realq random_any(rod_random *random) {
    return scaleq(rod_random_between(random, 0.5, 2), random_orientation(random));
}

static inline real random_weight(rod_random *random) {
    return rod_random_unit(random) < 0.25 ? 0 : rod_random_between(random, 0.1, 3);
}

/* Im of a unit quaternion in the branch that rest vectors are in. */
static inline real3 rest_of(realq z) {
    return scale3(z.w < 0 ? -1 : 1, imaginary(z));
}

/* ---------------------------------------------------------------- constraints, seen from outside
 *
 * A constraint is taken as a function of a row of numbers, so that one finite-difference Jacobian
 * and one projection by eq. 17 serve all of them. */

enum { POINTS = 5, COORDINATES = 3 * POINTS };

typedef union {
    real at[COORDINATES];
    real3 point[POINTS];
    stretch_delta stretch; /* p1, p2, q */
    bend_delta bend;       /* q, u */
} coordinates;

static_assert(sizeof(coordinates) == COORDINATES * sizeof(real), "they lie without gaps");

typedef struct constraint constraint;

struct constraint {
    real3 (*value)(const constraint *c, const coordinates *s);
    size_t size; /* how many of the coordinates it has */
    real h;      /* the step of its differences */
    real l, sign;
    real3 rest;
};

static inline real3 stretch_value(const constraint *c, const coordinates *s) {
    return stretch_constraint(s->stretch.p1, s->stretch.p2, s->stretch.q, c->l);
}

static inline real3 bend_value(const constraint *c, const coordinates *s) {
    return bend_constraint(s->bend.q, s->bend.u, c->rest, c->sign);
}

static inline real3 modified_bend_value(const constraint *c, const coordinates *s) {
    return modified_bend_constraint(s->bend.q, s->bend.u, c->rest);
}

/* Central differences of sixth order. Eqs. 31 and 32 are polynomials of degree 2, for which any
 * step is exact and a large one rounds least; appendix A's 1 / Re(z) needs a small one. */
static inline real3 difference(const constraint *c, const coordinates *s, size_t k) {
    static const real factors[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    real3 sum = {0};
    for (int i = 0; i < 3; i++) {
        coordinates up = *s, down = *s;
        up.at[k] += (i + 1) * c->h;
        down.at[k] -= (i + 1) * c->h;
        sum = add3(sum, scale3(factors[i] / c->h, sub3(c->value(c, &up), c->value(c, &down))));
    }
    return sum;
}

/* Cramer's rule for the symmetric matrix with the columns a, b, c. */
static inline real3 solve3(real3 a, real3 b, real3 c, real3 right) {
    const real3 d = {dot3(right, cross3(b, c)), dot3(a, cross3(right, c)),
                     dot3(a, cross3(b, right))};
    return scale3(1 / dot3(a, cross3(b, c)), d);
}

/* KS16 eq. 17 to the letter. */
static inline coordinates generic_projection(const constraint *c, const coordinates *s,
                                             const coordinates *weights) {
    real3 jacobian[COORDINATES], a = {0}, b = {0}, d = {0};
    for (size_t k = 0; k < c->size; k++) {
        const real3 g = jacobian[k] = difference(c, s, k);
        a = add3(a, scale3(weights->at[k] * g.x, g));
        b = add3(b, scale3(weights->at[k] * g.y, g));
        d = add3(d, scale3(weights->at[k] * g.z, g));
    }
    const real3 lambda = solve3(a, b, d, c->value(c, s));
    coordinates delta = {0};
    for (size_t k = 0; k < c->size; k++)
        delta.at[k] = -weights->at[k] * dot3(jacobian[k], lambda);
    return delta;
}

static inline real largest_difference(const coordinates *a, const coordinates *b, size_t size) {
    real largest = 0;
    for (size_t k = 0; k < size; k++)
        largest = worse_of(largest, fabs(a->at[k] - b->at[k]));
    return largest;
}

/* A row of the gradient by a quaternion against the differences from coordinate `first` on. */
static inline void assert_gradient(const constraint *c, const coordinates *s, size_t first,
                                   real sign, real g[3][4]) {
    for (size_t k = 0; k < 4; k++) {
        const real3 column = {sign * g[0][k], sign * g[1][k], sign * g[2][k]};
        assert_at_most(distance3(column, difference(c, s, first + k)), 1e-13);
    }
}

static inline constraint random_stretch(rod_random *random, coordinates *s) {
    const real3 p1 = random_in_box(random, 1), p2 = random_in_box(random, 1);
    s->stretch = (stretch_delta){p1, p2, random_orientation(random)};
    return (constraint){
        .value = stretch_value, .size = 10, .h = 0.25, .l = rod_random_between(random, 0.1, 2)};
}

static inline constraint random_bend(rod_random *random, coordinates *s) {
    const realq q = random_orientation(random), u = random_orientation(random);
    const real sign = rod_random_unit(random) < 0.5 ? -1 : 1;
    const real3 rest = rest_of(random_orientation(random));
    s->bend = (bend_delta){q, u};
    return (constraint){.value = bend_value, .size = 8, .h = 0.25, .sign = sign, .rest = rest};
}

/* Away from the half turn, where Psi and its derivatives have no bound. */
static inline constraint random_modified_bend(rod_random *random, coordinates *s) {
    constraint c;
    do {
        c = random_bend(random, s);
    } while (fabs(dotq(s->bend.q, s->bend.u)) < 0.4 || rest_real_part(c.rest) < 0.4);
    c.value = modified_bend_value;
    c.h = 0x1p-9;
    return c;
}

static inline coordinates stretch_weights(real w1, real w2, real wq) {
    return (coordinates){.stretch = {{w1, w1, w1}, {w2, w2, w2}, {wq, wq, wq, wq}}};
}

static inline coordinates bend_weights(real wq, real wu) {
    return (coordinates){.bend = {{wq, wq, wq, wq}, {wu, wu, wu, wu}}};
}

/* Weights with zeros among them, but not all zero: eq. 17 has no answer to that. */
static inline void random_weights(rod_random *random, size_t count, real *w) {
    real sum;
    do {
        sum = 0;
        for (size_t i = 0; i < count; i++) {
            w[i] = random_weight(random);
            sum += w[i];
        }
    } while (!(sum > 0));
}

/* ---------------------------------------------------------------- rods */

static inline rod_model *new_model(size_t elements) {
    rod_model *m = rod_model_create(elements);
    assert_non_null(m);
    return m;
}

/* The smallest turn that takes a to b. */
static inline realq turn_between(real3 a, real3 b) {
    realq q = pure(cross3(a, b));
    q.w = norm3(a) * norm3(b) + dot3(a, b);
    return normaliseq(q);
}

/* Lengths, and orientations by parallel transport, from the positions. */
static inline void follow_positions(rod_model *m) {
    real3 last = {0, 0, 1};
    realq q = {1, 0, 0, 0};
    for (size_t j = 0; j < m->rod.elements; j++) {
        const real3 edge = sub3(m->rod.x[j + 1], m->rod.x[j]);
        m->l[j] = norm3(edge);
        m->rod.q[j] = q = normaliseq(mulq(turn_between(last, edge), q));
        last = edge;
    }
}

static inline void twist_at_random(rod_model *m, rod_random *random) {
    for (size_t j = 0; j < m->rod.elements; j++) {
        const real half = rod_random_between(random, -0.5, 0.5);
        m->rod.q[j] = mulq(m->rod.q[j], (realq){cos(half), 0, 0, sin(half)});
    }
}

static inline void rest_as_it_is(rod_model *m) {
    for (size_t j = 0; j + 1 < m->rod.elements; j++)
        m->rest[j] = rest_of(mulq(conjugate(m->rod.q[j]), m->rod.q[j + 1]));
}

/* Radius 0.5, pitch 1, ten elements a turn: elements of length 0.3248. */
static inline rod_model *new_helix(void) {
    rod_model *m = new_model(ELEMENTS);
    for (size_t i = 0; i <= ELEMENTS; i++) {
        const real angle = 0.6283185307179586 * (real)i;
        m->rod.x[i] = (real3){0.5 * cos(angle), 0.5 * sin(angle), 0.1 * (real)i};
    }
    follow_positions(m);
    rest_as_it_is(m);
    return m;
}

/* A twisted tangle with elements of different lengths. */
static inline rod_model *new_tangle(rod_random *random, size_t elements) {
    rod_model *m = new_model(elements);
    real3 direction = {0, 0, 1};
    for (size_t i = 0; i < elements; i++) {
        const real length = rod_random_between(random, 0.1, 0.5);
        direction = add3(direction, random_in_box(random, 0.6));
        direction = scale3(1 / norm3(direction), direction);
        m->rod.x[i + 1] = add3(m->rod.x[i], scale3(length, direction));
    }
    follow_positions(m);
    twist_at_random(m, random);
    rest_as_it_is(m);
    return m;
}

static inline void clamp(rod_model *m) {
    m->w[0] = m->w[1] = m->wq[0] = 0;
}

static inline real length_of(const rod_model *m) {
    real sum = 0;
    for (size_t j = 0; j < m->rod.elements; j++)
        sum += m->l[j];
    return sum;
}

static inline void set_random_velocities(rod_model *m, rod_random *random, real largest) {
    for (size_t i = 0; i <= m->rod.elements; i++)
        m->rod.v[i] = random_in_box(random, largest);
    for (size_t j = 0; j < m->rod.elements; j++)
        m->rod.omega[j] = random_in_box(random, largest);
}

static inline textbook_frame new_frame(size_t iterations, real damping) {
    return (textbook_frame){
        .dt = 0.01, .damping = damping, .iterations = iterations, .order = ROD_ORDER_BILATERAL};
}

static inline void step(rod_model *m, const textbook_frame *f, size_t frames) {
    for (size_t i = 0; i < frames; i++)
        textbook_step(&m->rod, f);
}

typedef struct {
    real3 x[ELEMENTS + 1];
    realq q[ELEMENTS];
} pose;

static inline pose pose_of(const rod_model *m) {
    pose a;
    memcpy(a.x, m->rod.x, sizeof a.x);
    memcpy(a.q, m->rod.q, sizeof a.q);
    return a;
}

/* RMS distance of the positions, as a fraction of the rod's length. */
static inline real distance_from(const rod_model *m, const pose *a) {
    real sum = 0;
    for (size_t i = 0; i <= ELEMENTS; i++) {
        const real3 d = sub3(m->rod.x[i], a->x[i]);
        sum += dot3(d, d);
    }
    return sqrt(sum / (ELEMENTS + 1)) / length_of(m);
}

/* The largest difference of two orientations; q and -q are one. */
static inline real turn_from(const rod_model *m, const pose *a) {
    real largest = 0;
    for (size_t j = 0; j < ELEMENTS; j++) {
        const real same = dotq(m->rod.q[j], a->q[j]) < 0 ? -1 : 1;
        largest = worse_of(largest, distanceq(m->rod.q[j], scaleq(same, a->q[j])));
    }
    return largest;
}

typedef struct {
    realq turn;
    real3 shift;
} motion;

static inline real3 moved3(const motion *a, real3 x) {
    return add3(a->shift, rotate3(a->turn, x));
}

static inline pose moved(const pose *from, const motion *a) {
    pose to;
    for (size_t i = 0; i <= ELEMENTS; i++)
        to.x[i] = moved3(a, from->x[i]);
    for (size_t j = 0; j < ELEMENTS; j++)
        to.q[j] = mulq(a->turn, from->q[j]);
    return to;
}

static inline void set_pose(rod_model *m, const pose *a) {
    memcpy(m->rod.x, a->x, sizeof a->x);
    memcpy(m->rod.q, a->q, sizeof a->q);
}

#endif
