/* The double-precision reference against what it must obey: finite differences of its constraints,
 * the generic projection of KS16 eq. 17, conservation laws, and the behaviour of whole rods. */
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

static real norm3(real3 a) {
    return sqrt(dot3(a, a));
}

static real distance3(real3 a, real3 b) {
    return norm3(sub3(a, b));
}

static real distanceq(realq a, realq b) {
    const realq d = addq(a, scaleq(-1, b));
    return sqrt(dotq(d, d));
}

/* The larger one, or the NaN, which fmax would lose. */
static real worse_of(real a, real b) {
    return isnan(a) || a >= b ? a : b;
}

/* ---------------------------------------------------------------- random things */

static rod_random new_random(void) {
    return rod_random_seed(test_seed);
}

static real3 random_in_box(rod_random *random, real half) {
    real3 a;
    a.x = rod_random_between(random, -half, half);
    a.y = rod_random_between(random, -half, half);
    a.z = rod_random_between(random, -half, half);
    return a;
}

static realq random_orientation(rod_random *random) {
    double q[4];
    rod_random_quaternion(random, q);
    return (realq){q[0], q[1], q[2], q[3]};
}

/* A quaternion of any length. */
static realq random_any(rod_random *random) {
    return scaleq(rod_random_between(random, 0.5, 2), random_orientation(random));
}

static real random_weight(rod_random *random) {
    return rod_random_unit(random) < 0.25 ? 0 : rod_random_between(random, 0.1, 3);
}

/* Im of a unit quaternion in the branch that rest vectors are in. */
static real3 rest_of(realq z) {
    return scale3(z.w < 0 ? -1 : 1, imaginary(z));
}

/* ---------------------------------------------------------------- constraints, seen from outside
 *
 * A constraint is taken as a function of a row of numbers, so that one finite-difference Jacobian
 * and one projection by eq. 17 serve all of them. */

typedef union {
    stretch_delta stretch; /* p1, p2, q */
    bend_delta bend;       /* q, u */
    real at[10];
} coordinates;

static_assert(sizeof(coordinates) == 10 * sizeof(real), "the coordinates lie without gaps");

typedef struct constraint constraint;

struct constraint {
    real3 (*value)(const constraint *c, const coordinates *s);
    size_t size; /* how many of the coordinates it has */
    real h;      /* the step of its differences */
    real l, sign;
    real3 rest;
};

static real3 stretch_value(const constraint *c, const coordinates *s) {
    return stretch_constraint(s->stretch.p1, s->stretch.p2, s->stretch.q, c->l);
}

static real3 bend_value(const constraint *c, const coordinates *s) {
    return bend_constraint(s->bend.q, s->bend.u, c->rest, c->sign);
}

static real3 modified_bend_value(const constraint *c, const coordinates *s) {
    return modified_bend_constraint(s->bend.q, s->bend.u, c->rest);
}

/* Central differences of sixth order. Eqs. 31 and 32 are polynomials of degree 2, for which any
 * step is exact and a large one rounds least; appendix A's 1 / Re(z) needs a small one. */
static real3 difference(const constraint *c, const coordinates *s, size_t k) {
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
static real3 solve3(real3 a, real3 b, real3 c, real3 right) {
    const real3 d = {dot3(right, cross3(b, c)), dot3(a, cross3(right, c)),
                     dot3(a, cross3(b, right))};
    return scale3(1 / dot3(a, cross3(b, c)), d);
}

/* KS16 eq. 17 to the letter. */
static coordinates generic_projection(const constraint *c, const coordinates *s,
                                      const coordinates *weights) {
    real3 jacobian[10], a = {0}, b = {0}, d = {0};
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

static real largest_difference(const coordinates *a, const coordinates *b, size_t size) {
    real largest = 0;
    for (size_t k = 0; k < size; k++)
        largest = worse_of(largest, fabs(a->at[k] - b->at[k]));
    return largest;
}

/* A row of the gradient by a quaternion against the differences from coordinate `first` on. */
static void assert_gradient(const constraint *c, const coordinates *s, size_t first, real sign,
                            real g[3][4]) {
    for (size_t k = 0; k < 4; k++) {
        const real3 column = {sign * g[0][k], sign * g[1][k], sign * g[2][k]};
        assert_at_most(distance3(column, difference(c, s, first + k)), 1e-13);
    }
}

static constraint random_stretch(rod_random *random, coordinates *s) {
    const real3 p1 = random_in_box(random, 1), p2 = random_in_box(random, 1);
    s->stretch = (stretch_delta){p1, p2, random_orientation(random)};
    return (constraint){
        .value = stretch_value, .size = 10, .h = 0.25, .l = rod_random_between(random, 0.1, 2)};
}

static constraint random_bend(rod_random *random, coordinates *s) {
    const realq q = random_orientation(random), u = random_orientation(random);
    const real sign = rod_random_unit(random) < 0.5 ? -1 : 1;
    const real3 rest = rest_of(random_orientation(random));
    s->bend = (bend_delta){q, u};
    return (constraint){.value = bend_value, .size = 8, .h = 0.25, .sign = sign, .rest = rest};
}

/* Away from the half turn, where Psi and its derivatives have no bound. */
static constraint random_modified_bend(rod_random *random, coordinates *s) {
    constraint c;
    do {
        c = random_bend(random, s);
    } while (fabs(dotq(s->bend.q, s->bend.u)) < 0.4 || rest_real_part(c.rest) < 0.4);
    c.value = modified_bend_value;
    c.h = 0x1p-9;
    return c;
}

static coordinates stretch_weights(real w1, real w2, real wq) {
    return (coordinates){.stretch = {{w1, w1, w1}, {w2, w2, w2}, {wq, wq, wq, wq}}};
}

static coordinates bend_weights(real wq, real wu) {
    return (coordinates){.bend = {{wq, wq, wq, wq}, {wu, wu, wu, wu}}};
}

/* Weights with zeros among them, but not all zero: eq. 17 has no answer to that. */
static void random_weights(rod_random *random, size_t count, real *w) {
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

static rod_model *new_model(size_t elements) {
    rod_model *m = rod_model_create(elements);
    assert_non_null(m);
    return m;
}

/* The smallest turn that takes a to b. */
static realq turn_between(real3 a, real3 b) {
    realq q = pure(cross3(a, b));
    q.w = norm3(a) * norm3(b) + dot3(a, b);
    return normaliseq(q);
}

/* Lengths, and orientations by parallel transport, from the positions. */
static void follow_positions(rod_model *m) {
    real3 last = {0, 0, 1};
    realq q = {1, 0, 0, 0};
    for (size_t j = 0; j < m->rod.elements; j++) {
        const real3 edge = sub3(m->rod.x[j + 1], m->rod.x[j]);
        m->l[j] = norm3(edge);
        m->rod.q[j] = q = normaliseq(mulq(turn_between(last, edge), q));
        last = edge;
    }
}

static void twist_at_random(rod_model *m, rod_random *random) {
    for (size_t j = 0; j < m->rod.elements; j++) {
        const real half = rod_random_between(random, -0.5, 0.5);
        m->rod.q[j] = mulq(m->rod.q[j], (realq){cos(half), 0, 0, sin(half)});
    }
}

static void rest_as_it_is(rod_model *m) {
    for (size_t j = 0; j + 1 < m->rod.elements; j++)
        m->rest[j] = rest_of(mulq(conjugate(m->rod.q[j]), m->rod.q[j + 1]));
}

/* Radius 0.5, pitch 1, ten elements a turn: elements of length 0.3248. */
static rod_model *new_helix(void) {
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
static rod_model *new_tangle(rod_random *random, size_t elements) {
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

static void clamp(rod_model *m) {
    m->w[0] = m->w[1] = m->wq[0] = 0;
}

static real length_of(const rod_model *m) {
    real sum = 0;
    for (size_t j = 0; j < m->rod.elements; j++)
        sum += m->l[j];
    return sum;
}

static void set_random_velocities(rod_model *m, rod_random *random, real largest) {
    for (size_t i = 0; i <= m->rod.elements; i++)
        m->rod.v[i] = random_in_box(random, largest);
    for (size_t j = 0; j < m->rod.elements; j++)
        m->rod.omega[j] = random_in_box(random, largest);
}

static textbook_frame new_frame(size_t iterations, real damping) {
    return (textbook_frame){
        .dt = 0.01, .damping = damping, .iterations = iterations, .order = ROD_ORDER_BILATERAL};
}

static void step(rod_model *m, const textbook_frame *f, size_t frames) {
    for (size_t i = 0; i < frames; i++)
        textbook_step(&m->rod, f);
}

typedef struct {
    real3 x[ELEMENTS + 1];
    realq q[ELEMENTS];
} pose;

static pose pose_of(const rod_model *m) {
    pose a;
    memcpy(a.x, m->rod.x, sizeof a.x);
    memcpy(a.q, m->rod.q, sizeof a.q);
    return a;
}

/* RMS distance of the positions, as a fraction of the rod's length. */
static real distance_from(const rod_model *m, const pose *a) {
    real sum = 0;
    for (size_t i = 0; i <= ELEMENTS; i++) {
        const real3 d = sub3(m->rod.x[i], a->x[i]);
        sum += dot3(d, d);
    }
    return sqrt(sum / (ELEMENTS + 1)) / length_of(m);
}

/* The largest difference of two orientations; q and -q are one. */
static real turn_from(const rod_model *m, const pose *a) {
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

static real3 moved3(const motion *a, real3 x) {
    return add3(a->shift, rotate3(a->turn, x));
}

static pose moved(const pose *from, const motion *a) {
    pose to;
    for (size_t i = 0; i <= ELEMENTS; i++)
        to.x[i] = moved3(a, from->x[i]);
    for (size_t j = 0; j < ELEMENTS; j++)
        to.q[j] = mulq(a->turn, from->q[j]);
    return to;
}

static void set_pose(rod_model *m, const pose *a) {
    memcpy(m->rod.x, a->x, sizeof a->x);
    memcpy(m->rod.q, a->q, sizeof a->q);
}

/* ---------------------------------------------------------------- order of the sweeps */

static void each_order_visits_every_constraint_once(void **state) {
    (void)state;
    for (size_t o = 0; o < ORDERS; o++) {
        for (size_t count = 1; count <= 40; count++) {
            bool visited[40] = {false};
            for (size_t k = 0; k < count; k++) {
                const size_t index = rod_order_index(all_orders[o], count, k);
                assert_true(index < count);
                assert_false(visited[index]);
                visited[index] = true;
            }
        }
    }
}

static const size_t order_of_six[ORDERS][6] = {
    {0, 1, 2, 3, 4, 5}, {0, 5, 1, 4, 2, 3}, {0, 5, 2, 3, 4, 1}, {0, 2, 4, 1, 3, 5}};
static const size_t order_of_five[ORDERS][5] = {
    {0, 1, 2, 3, 4}, {0, 4, 1, 3, 2}, {0, 3, 2, 1, 4}, {0, 2, 4, 1, 3}};

static void orders_are_as_documented(void **state) {
    (void)state;
    for (size_t o = 0; o < ORDERS; o++) {
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(rod_order_index(all_orders[o], 6, k), order_of_six[o][k]);
        for (size_t k = 0; k < 5; k++)
            assert_int_equal(rod_order_index(all_orders[o], 5, k), order_of_five[o][k]);
    }
}

/* Six elements with five joints, predicted and ready for the solver: out of shape. */
static rod_model *new_predicted(const textbook_frame *f) {
    rod_random random = new_random();
    rod_model *m = new_tangle(&random, 6);
    set_random_velocities(m, &random, 20);
    textbook_predict_particles(&m->rod, f);
    textbook_predict_orientations(&m->rod, f);
    textbook_choose_signs(&m->rod);
    return m;
}

static void a_sweep_takes_elements_then_joints_in_its_order(void **state) {
    (void)state;
    for (size_t o = 0; o < ORDERS; o++) {
        textbook_frame f = new_frame(1, 0);
        f.order = all_orders[o];
        rod_model *swept = new_predicted(&f), *by_hand = new_predicted(&f);
        textbook_project_constraints(&swept->rod, &f);
        for (size_t k = 0; k < 6; k++)
            textbook_project_stretch(&by_hand->rod, order_of_six[o][k]);
        for (size_t k = 0; k < 5; k++)
            textbook_project_bend(&by_hand->rod, &f, order_of_five[o][k]);
        assert_memory_equal(swept->rod.p, by_hand->rod.p, 7 * sizeof(real3));
        assert_memory_equal(swept->rod.u, by_hand->rod.u, 6 * sizeof(realq));
        rod_model_destroy(swept);
        rod_model_destroy(by_hand);
    }
}

/* ---------------------------------------------------------------- gradients */

static void short_forms_equal_the_quaternion_products(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const realq q = random_any(&random);
        assert_at_most(distanceq(times_e3bar(q), mulq(q, (realq){0, 0, 0, -1})), 0);
        assert_at_most(distance3(director3(q), rotate3(q, (real3){0, 0, 1})), 1e-14);
    }
}

static void stretch_gradient_equals_the_differences(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        coordinates s;
        real g[3][4];
        const constraint c = random_stretch(&random, &s);
        s.stretch.q = random_any(&random);
        stretch_gradient(s.stretch.q, g);
        assert_gradient(&c, &s, 6, +1, g);
    }
}

static void bend_gradients_equal_the_differences(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        coordinates s;
        real g[3][4];
        const constraint c = random_bend(&random, &s);
        s.bend.q = random_any(&random);
        s.bend.u = random_any(&random);
        bend_gradient_half(s.bend.u, g);
        assert_gradient(&c, &s, 0, -1, g);
        bend_gradient_half(s.bend.q, g);
        assert_gradient(&c, &s, 4, +1, g);
    }
}

/* ---------------------------------------------------------------- displacements */

static void stretch_displacement_is_the_generic_projection(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        coordinates s, found;
        real w[3];
        const constraint c = random_stretch(&random, &s);
        random_weights(&random, 3, w);
        const coordinates weights = stretch_weights(w[0], w[1], w[2]);
        const coordinates expected = generic_projection(&c, &s, &weights);
        found.stretch = stretch_displacement(s.stretch.p1, s.stretch.p2, s.stretch.q, w[0], w[1],
                                             w[2], c.l, full);
        assert_at_most(largest_difference(&found, &expected, c.size), 1e-13);
    }
}

/* Erratum 1: eq. 37 as printed turns q by half of what eq. 17 says. */
static void stretch_displacement_without_its_2_is_not_the_generic_projection(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        coordinates s;
        const constraint c = random_stretch(&random, &s);
        const real w1 = random_weight(&random), w2 = random_weight(&random);
        const real wq = rod_random_between(&random, 0.1, 3);
        const coordinates weights = stretch_weights(w1, w2, wq);
        const realq expected = generic_projection(&c, &s, &weights).stretch.q;
        const real3 C = stretch_value(&c, &s);
        const realq printed = scaleq(wq * c.l * c.l / (w1 + w2 + 4 * wq * c.l * c.l),
                                     mulq(pure(C), times_e3bar(s.stretch.q)));
        assert_at_least(distanceq(printed, expected), 0.49 * distanceq(expected, (realq){0}));
    }
}

static void bend_displacement_is_the_generic_projection(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        coordinates s, found;
        real w[2];
        const constraint c = random_bend(&random, &s);
        random_weights(&random, 2, w);
        const coordinates weights = bend_weights(w[0], w[1]);
        const coordinates expected = generic_projection(&c, &s, &weights);
        found.bend = bend_displacement(s.bend.q, s.bend.u, w[0], w[1], c.rest, c.sign, full);
        assert_at_most(largest_difference(&found, &expected, c.size), 1e-13);
    }
}

/* Appendix A as printed, exact for unit quaternions: 1 - z z^T is the inverse of 1 + Psi Psi^T only
 * if Re(z)^2 + |z|^2 = 1. */
static void modified_bend_displacement_is_the_generic_projection(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        coordinates s, found;
        real w[2];
        const constraint c = random_modified_bend(&random, &s);
        random_weights(&random, 2, w);
        const coordinates weights = bend_weights(w[0], w[1]);
        const coordinates expected = generic_projection(&c, &s, &weights);
        found.bend = modified_bend_displacement(s.bend.q, s.bend.u, w[0], w[1], c.rest, full);
        assert_at_most(largest_difference(&found, &expected, c.size), 1e-11);
    }
}

static void nothing_moves_where_all_weights_are_0(void **state) {
    (void)state;
    rod_random random = new_random();
    const coordinates zero = {0};
    coordinates s, found = {0};
    const constraint stretch = random_stretch(&random, &s);
    found.stretch =
        stretch_displacement(s.stretch.p1, s.stretch.p2, s.stretch.q, 0, 0, 0, stretch.l, full);
    assert_at_most(largest_difference(&found, &zero, stretch.size), 0);
    const constraint bend = random_modified_bend(&random, &s);
    found.bend = bend_displacement(s.bend.q, s.bend.u, 0, 0, bend.rest, 1, full);
    assert_at_most(largest_difference(&found, &zero, bend.size), 0);
    found.bend = modified_bend_displacement(s.bend.q, s.bend.u, 0, 0, bend.rest, full);
    assert_at_most(largest_difference(&found, &zero, bend.size), 0);
}

static void modified_bend_displacement_leaves_a_folded_joint(void **state) {
    (void)state;
    const realq q = {1, 0, 0, 0}, half_turn = {0, 1, 0, 0};
    const bend_delta folded = modified_bend_displacement(q, half_turn, 1, 1, (real3){0}, full);
    assert_at_most(distanceq(folded.q, (realq){0}) + distanceq(folded.u, (realq){0}), 0);
    const bend_delta rests_folded = modified_bend_displacement(q, q, 1, 1, (real3){1, 0, 0}, full);
    assert_at_most(distanceq(rests_folded.q, (realq){0}), 0);
}

/* ---------------------------------------------------------------- stiffness and signs */

static void stretch_stiffness_acts_along_the_directors(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const realq q = random_orientation(&random);
        const real3 C = random_in_box(&random, 1);
        const real3 k = {0.25, 0.5, i % 2 == 0 ? 1 : 0.25};
        const real3 d1 = rotate3(q, (real3){1, 0, 0}), d2 = rotate3(q, (real3){0, 1, 0});
        const real3 d3 = director3(q);
        const real3 shear = add3(scale3(k.x * dot3(d1, C), d1), scale3(k.y * dot3(d2, C), d2));
        const real3 expected = add3(shear, scale3(k.z * dot3(d3, C), d3));
        assert_at_most(distance3(stretch_stiffened(q, C, k), expected), 1e-14);
        assert_at_most(distance3(stretch_stiffened(q, C, (real3){0.5, 0.5, 0.5}), scale3(0.5, C)),
                       0);
    }
}

static void sign_picks_the_nearer_rest_pose(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const realq q = random_orientation(&random), u = random_orientation(&random);
        const real3 rest = rest_of(random_orientation(&random));
        const real sign = nearest_rest_sign(q, u, rest, false);
        realq z0 = pure(rest);
        z0.w = rest_real_part(rest);
        const realq z = mulq(conjugate(q), u);
        assert_at_most(distanceq(z, scaleq(sign, z0)), distanceq(z, scaleq(-sign, z0)));
        assert_at_most(fabs(sign + nearest_rest_sign(q, scaleq(-1, u), rest, false)), 0);
    }
}

/* One element of length 1, its end at `end`, relaxed with this stiffness. */
static rod_model *relaxed_element(realq q, real3 end, real3 stiffness) {
    const textbook_frame f = new_frame(100, 1);
    rod_model *m = new_model(1);
    m->rod.stretch_stiffness = stiffness;
    m->rod.x[1] = end;
    m->rod.q[0] = q;
    step(m, &f, 1);
    return m;
}

static void without_stretch_stiffness_the_length_is_free(void **state) {
    (void)state;
    rod_random random = new_random();
    const realq q = random_orientation(&random);
    const real3 end = scale3(1.5, director3(q));
    rod_model *m = relaxed_element(q, end, (real3){1, 1, 0});
    assert_at_most(distance3(sub3(m->rod.x[1], m->rod.x[0]), end), 1e-13);
    rod_model_destroy(m);
    m = relaxed_element(q, end, full);
    assert_at_most(fabs(distance3(m->rod.x[1], m->rod.x[0]) - 1), 1e-13);
    rod_model_destroy(m);
}

static void shear_stiffness_alone_turns_d3_along_the_element(void **state) {
    (void)state;
    rod_random random = new_random();
    const realq q = random_orientation(&random);
    const real3 end = rotate3(q, (real3){0.6, -0.5, 1.5});
    rod_model *m = relaxed_element(q, end, (real3){1, 1, 0});
    const real3 edge = sub3(m->rod.x[1], m->rod.x[0]);
    assert_at_most(norm3(cross3(edge, director3(m->rod.q[0]))), 1e-13);
    assert_at_least(norm3(edge), 1.3);
    assert_at_least(distanceq(m->rod.q[0], q), 0.1);
    rod_model_destroy(m);
}

/* The relative orientation of a joint that rests straight, bent and twisted, then relaxed. */
static realq relaxed_joint(rod_random *random, real bend, real twist, real3 stiffness) {
    const textbook_frame f = new_frame(100, 1);
    rod_model *m = new_model(2);
    const realq bent = {cos(bend / 2), 0.6 * sin(bend / 2), 0.8 * sin(bend / 2), 0};
    const realq twisted = {cos(twist / 2), 0, 0, sin(twist / 2)};
    m->rod.stretch_stiffness = (real3){0};
    m->rod.bend_stiffness = stiffness;
    m->wq[0] = rod_random_between(random, 0.5, 2);
    m->rod.q[0] = random_orientation(random);
    m->rod.q[1] = mulq(m->rod.q[0], mulq(bent, twisted));
    step(m, &f, 1);
    const realq z = mulq(conjugate(m->rod.q[0]), m->rod.q[1]);
    rod_model_destroy(m);
    return z;
}

/* The angle of the twist in "first bend, then twist" is 2 atan(z / w), and is kept exactly. */
static void without_twist_stiffness_twist_stays(void **state) {
    (void)state;
    rod_random random = new_random();
    const real3 bend_only = {1, 1, 0};
    const realq pure_twist = relaxed_joint(&random, 0, 0.6, bend_only);
    assert_at_most(distanceq(pure_twist, (realq){cos(0.3), 0, 0, sin(0.3)}), 1e-14);
    const realq z = relaxed_joint(&random, 0.8, 0.6, bend_only);
    assert_at_most(hypot(z.x, z.y), 1e-14);
    assert_at_most(fabs(atan2(z.z, z.w) - 0.3), 1e-14);
    const realq stiff = relaxed_joint(&random, 0.8, 0.6, full);
    assert_at_most(distanceq(stiff, (realq){1, 0, 0, 0}), 1e-14);
}

static void without_bend_stiffness_bending_stays(void **state) {
    (void)state;
    rod_random random = new_random();
    const realq z = relaxed_joint(&random, 0.8, 0.6, (real3){0, 0, 1});
    assert_at_most(fabs(z.z), 1e-14);
    assert_at_least(hypot(z.x, z.y), 0.38);
}

/* ---------------------------------------------------------------- whole rods */

static real3 momentum_of(const rod_model *m) {
    real3 sum = {0};
    for (size_t i = 0; i <= ELEMENTS; i++)
        sum = add3(sum, scale3(1 / m->w[i], m->rod.v[i]));
    return sum;
}

static void set_random_masses(rod_model *m, rod_random *random) {
    for (size_t i = 0; i <= ELEMENTS; i++)
        m->w[i] = rod_random_between(random, 0.2, 5);
    for (size_t j = 0; j < ELEMENTS; j++)
        m->wq[j] = rod_random_between(random, 0.2, 5);
}

static real mass_of(const rod_model *m) {
    real sum = 0;
    for (size_t i = 0; i <= ELEMENTS; i++)
        sum += 1 / m->w[i];
    return sum;
}

static void linear_momentum_is_kept(void **state) {
    (void)state;
    rod_random random = new_random();
    for (size_t o = 0; o < ORDERS; o++) {
        for (int masses = 0; masses < 2; masses++) {
            rod_model *m = new_tangle(&random, ELEMENTS);
            textbook_frame f = new_frame(10, 0);
            f.order = all_orders[o];
            if (masses == 1)
                set_random_masses(m, &random);
            set_random_velocities(m, &random, 5);
            const real3 before = momentum_of(m);
            step(m, &f, 1000);
            const real unit = mass_of(m) * length_of(m) / f.dt;
            assert_at_most(distance3(momentum_of(m), before), 2e-14 * unit);
            rod_model_destroy(m);
        }
    }
}

static real stretch_of(const textbook_rod *r, size_t j) {
    return norm3(stretch_constraint(r->x[j], r->x[j + 1], r->q[j], r->l[j]));
}

static real bend_of(const textbook_rod *r, size_t j) {
    const real sign = nearest_rest_sign(r->q[j], r->q[j + 1], r->rest[j], false);
    return norm3(bend_constraint(r->q[j], r->q[j + 1], r->rest[j], sign));
}

static real largest_strain(const rod_model *m) {
    real largest = 0;
    for (size_t j = 0; j < ELEMENTS; j++)
        largest = worse_of(largest, stretch_of(&m->rod, j));
    for (size_t j = 0; j < JOINTS; j++)
        largest = worse_of(largest, bend_of(&m->rod, j));
    return largest;
}

static motion random_motion(rod_random *random) {
    const realq turn = random_orientation(random);
    return (motion){turn, random_in_box(random, 10)};
}

/* With orientations negated at random: q and -q are one. */
static void rigid_motion_strains_nothing(void **state) {
    (void)state;
    rod_random random = new_random();
    const textbook_frame f = new_frame(10, 0);
    for (int i = 0; i < 20; i++) {
        rod_model *m = new_tangle(&random, ELEMENTS);
        const pose rest = pose_of(m);
        const motion by = random_motion(&random);
        const pose there = moved(&rest, &by);
        set_pose(m, &there);
        for (size_t j = 0; j < ELEMENTS; j++)
            m->rod.q[j] = scaleq(rod_random_unit(&random) < 0.5 ? -1 : 1, m->rod.q[j]);
        assert_at_most(largest_strain(m), 5e-13);
        step(m, &f, 1);
        assert_at_most(distance_from(m, &there), 1e-14);
        assert_at_most(turn_from(m, &there), 1e-13);
        rod_model_destroy(m);
    }
}

static void orientations_stay_unit_in_a_swinging_helix(void **state) {
    (void)state;
    rod_model *m = new_helix();
    textbook_frame f = new_frame(10, 0);
    f.gravity.y = -9.81;
    clamp(m);
    for (int i = 0; i < 1000; i++) {
        step(m, &f, 1);
        for (size_t j = 0; j < ELEMENTS; j++)
            assert_at_most(fabs(dotq(m->rod.q[j], m->rod.q[j]) - 1), 1e-14);
    }
    rod_model_destroy(m);
}

/* ---------------------------------------------------------------- recovery from random poses */

static void set_random_pose(rod_model *m, uint64_t seed) {
    rod_random random = rod_random_seed(seed);
    const real half = 0.1 * length_of(m);
    for (size_t i = 2; i <= ELEMENTS; i++)
        m->rod.x[i] = add3(m->rod.x[0], random_in_box(&random, half));
    for (size_t j = 1; j < ELEMENTS; j++)
        m->rod.q[j] = random_orientation(&random);
}

/* Whether a clamped helix comes back to 1 % of its length within 200 frames. */
static bool recovers(uint64_t seed, rod_order order, darboux_form form, sign_rule signs) {
    rod_model *m = new_helix();
    const pose rest = pose_of(m);
    textbook_frame f = new_frame(80, 0.1);
    f.order = order;
    f.form = form;
    f.signs = signs;
    clamp(m);
    set_random_pose(m, seed);
    bool recovered = false;
    for (int i = 0; i < 200 && !recovered; i++) {
        step(m, &f, 1);
        recovered = distance_from(m, &rest) <= 0.01;
    }
    rod_model_destroy(m);
    return recovered;
}

/* Over all orders. */
static size_t count_recovered(uint64_t poses, darboux_form form, sign_rule signs) {
    size_t recovered = 0;
    for (size_t o = 0; o < ORDERS; o++)
        for (uint64_t k = 0; k < poses; k++)
            recovered += recovers(test_seed + k, all_orders[o], form, signs);
    return recovered;
}

static void helix_recovers_with_signs_of_each_frame(void **state) {
    (void)state;
    assert_int_equal(count_recovered(20, DARBOUX_PLAIN, SIGN_EACH_FRAME), 20 * ORDERS);
}

static void helix_recovers_with_signs_of_each_projection(void **state) {
    (void)state;
    assert_int_equal(count_recovered(3, DARBOUX_PLAIN, SIGN_EACH_PROJECTION), 3 * ORDERS);
}

static void helix_recovers_with_the_modified_darboux_vector(void **state) {
    (void)state;
    assert_int_equal(count_recovered(3, DARBOUX_MODIFIED, SIGN_EACH_FRAME), 3 * ORDERS);
}

/* Erratum 2 */
static void helix_does_not_recover_with_signs_as_printed(void **state) {
    (void)state;
    size_t recovered = 0;
    for (uint64_t k = 0; k < 6; k++)
        recovered += recovers(test_seed + k, ROD_ORDER_BILATERAL, DARBOUX_PLAIN, SIGN_AS_PRINTED);
    assert_true(recovered <= 1);
}

/* ---------------------------------------------------------------- pins */

/* All but what is pinned is pushed and turned. */
static void pinned_things_do_not_move(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_model *m = new_tangle(&random, ELEMENTS);
    textbook_frame f = new_frame(10, 0);
    f.gravity = (real3){1, -9.81, 2};
    const pose before = pose_of(m);
    clamp(m);
    m->w[20] = m->wq[30] = 0;
    set_random_velocities(m, &random, 5);
    for (size_t j = 0; j < ELEMENTS; j++)
        m->force[j] = m->torque[j] = random_in_box(&random, 1);
    step(m, &f, 100);
    for (size_t i = 0; i <= ELEMENTS; i++)
        assert_int_equal(memcmp(&m->rod.x[i], &before.x[i], sizeof(real3)) == 0, m->w[i] == 0);
    for (size_t j = 0; j < ELEMENTS; j++)
        assert_int_equal(memcmp(&m->rod.q[j], &before.q[j], sizeof(realq)) == 0, m->wq[j] == 0);
    assert_at_most(norm3(m->rod.v[20]) + norm3(m->rod.omega[30]), 0);
    rod_model_destroy(m);
}

static void drive_clamp(rod_model *m, const pose *to) {
    memcpy(m->rod.x, to->x, 2 * sizeof(real3));
    memcpy(m->rod.q, to->q, sizeof(realq));
}

static void driven_clamp_is_followed(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_model *m = new_helix();
    const textbook_frame f = new_frame(40, 0.1);
    const pose rest = pose_of(m);
    const real3 shift = random_in_box(&random, 10);
    const realq axis = pure(random_in_box(&random, 1));
    pose target = rest;
    clamp(m);
    for (int i = 0; i < 1500; i++) {
        const real part = fmin(1, i / 200.0);
        const realq turn = normaliseq(addq((realq){1, 0, 0, 0}, scaleq(part, axis)));
        target = moved(&rest, &(motion){turn, scale3(part, shift)});
        drive_clamp(m, &target);
        step(m, &f, 1);
        assert_memory_equal(m->rod.x, target.x, 2 * sizeof(real3));
        assert_memory_equal(m->rod.q, target.q, sizeof(realq));
    }
    assert_at_most(distance_from(m, &target), 1e-6);
    assert_at_most(turn_from(m, &target), 1e-6);
    rod_model_destroy(m);
}

/* ---------------------------------------------------------------- damping and energy */

static void damping_takes_its_share_of_every_frame(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_model *m = new_tangle(&random, ELEMENTS);
    const textbook_frame f = new_frame(10, 0.25);
    const real3 v = random_in_box(&random, 5);
    for (size_t i = 0; i <= ELEMENTS; i++)
        m->rod.v[i] = v;
    step(m, &f, 10);
    for (size_t i = 0; i <= ELEMENTS; i++)
        assert_at_most(distance3(m->rod.v[i], scale3(pow(0.75, 10), v)), 3e-12);
    rod_model_destroy(m);
}

static void damping_1_stops_everything(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_model *m = new_tangle(&random, ELEMENTS);
    const textbook_frame f = new_frame(10, 1);
    set_random_velocities(m, &random, 5);
    step(m, &f, 1);
    for (size_t i = 0; i <= ELEMENTS; i++)
        assert_at_most(norm3(m->rod.v[i]), 0);
    for (size_t j = 0; j < ELEMENTS; j++)
        assert_at_most(norm3(m->rod.omega[j]), 0);
    rod_model_destroy(m);
}

/* Of motion and height. A weight wq is the inverse mass of q's four numbers, of which a spin of
 * omega moves |omega| / 2 a second. */
static real energy_of(const rod_model *m, const textbook_frame *f) {
    real sum = 0;
    for (size_t i = 0; i <= ELEMENTS; i++)
        if (m->w[i] > 0)
            sum += (dot3(m->rod.v[i], m->rod.v[i]) / 2 - dot3(f->gravity, m->rod.x[i])) / m->w[i];
    for (size_t j = 0; j < ELEMENTS; j++)
        if (m->wq[j] > 0)
            sum += dot3(m->rod.omega[j], m->rod.omega[j]) / (8 * m->wq[j]);
    return sum;
}

/* From its rest shape, which holds no elastic energy; what the solver stores later is not counted,
 * so the sum may rise again, but never above its start. */
static void assert_energy_stays_below_its_start(rod_model *m, const textbook_frame *f) {
    const real start = energy_of(m, f);
    for (int i = 0; i < 1500; i++) {
        step(m, f, 1);
        assert_at_most(energy_of(m, f), start);
    }
}

static void undamped_rods_gain_no_energy(void **state) {
    (void)state;
    rod_random random = new_random();
    for (size_t o = 0; o < ORDERS; o++) {
        for (int falls = 0; falls < 2; falls++) {
            rod_model *m = new_helix();
            textbook_frame f = new_frame(5, 0);
            f.order = all_orders[o];
            clamp(m);
            if (falls == 1)
                f.gravity.y = -9.81;
            else
                set_random_velocities(m, &random, 1);
            assert_energy_stays_below_its_start(m, &f);
            rod_model_destroy(m);
        }
    }
}

/* ---------------------------------------------------------------- forces and torques */

/* One element that nothing holds together, so that only the prediction acts. */
static rod_model *new_loose_element(rod_random *random) {
    rod_model *m = new_model(1);
    m->rod.stretch_stiffness = (real3){0};
    m->rod.q[0] = random_orientation(random);
    set_random_velocities(m, random, 3);
    return m;
}

static void force_accelerates_by_the_inverse_mass(void **state) {
    (void)state;
    rod_random random = new_random();
    textbook_frame f = new_frame(10, 0);
    f.gravity = (real3){1, -9.81, 2};
    rod_model *m = new_loose_element(&random);
    real3 expected[2];
    for (size_t i = 0; i < 2; i++) {
        m->w[i] = rod_random_between(&random, 0.1, 3);
        m->force[i] = random_in_box(&random, 10);
        const real3 a = add3(f.gravity, scale3(m->w[i], m->force[i]));
        expected[i] = add3(m->rod.v[i], scale3(f.dt, a));
    }
    const real3 x[2] = {m->rod.x[0], m->rod.x[1]};
    step(m, &f, 1);
    for (size_t i = 0; i < 2; i++) {
        assert_at_most(distance3(m->rod.v[i], expected[i]), 1e-12);
        assert_at_most(distance3(m->rod.x[i], add3(x[i], scale3(f.dt, expected[i]))), 1e-14);
    }
    rod_model_destroy(m);
}

/* Euler's equations, component by component. */
static real3 spin_up(real3 omega, real3 I, real3 torque) {
    return (real3){(torque.x - (I.z - I.y) * omega.y * omega.z) / I.x,
                   (torque.y - (I.x - I.z) * omega.z * omega.x) / I.y,
                   (torque.z - (I.y - I.x) * omega.x * omega.y) / I.z};
}

/* Lines 11, 12 and 20 turn by the chord instead of the arc: a spin comes out of a frame a little
 * slower than it went in. */
static real3 spin_out_of_a_frame(real3 omega, real dt) {
    return scale3(1 / sqrt(1 + dot3(omega, omega) * dt * dt / 4), omega);
}

static void assert_spin_after_a_frame(rod_model *m, real3 torque) {
    const textbook_frame f = new_frame(10, 0);
    m->torque[0] = torque;
    const real3 rate = spin_up(m->rod.omega[0], m->inertia[0], torque);
    const real3 spun = add3(m->rod.omega[0], scale3(f.dt, rate));
    step(m, &f, 1);
    assert_at_most(distance3(m->rod.omega[0], spin_out_of_a_frame(spun, f.dt)), 1e-12);
}

static void torque_spins_up_by_the_inverse_inertia(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_model *m = new_loose_element(&random);
    m->rod.omega[0] = (real3){0};
    m->inertia[0] = (real3){0.5, 1, 3};
    assert_spin_after_a_frame(m, random_in_box(&random, 10));
    rod_model_destroy(m);
}

static void free_spin_precesses(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_model *m = new_loose_element(&random);
    m->inertia[0] = (real3){0.5, 1, 3};
    for (int i = 0; i < 100; i++)
        assert_spin_after_a_frame(m, (real3){0});
    rod_model_destroy(m);
}

static void predicted_orientations_are_unit(void **state) {
    (void)state;
    rod_random random = new_random();
    const textbook_frame f = new_frame(10, 0);
    rod_model *m = new_loose_element(&random);
    textbook_predict_orientations(&m->rod, &f);
    assert_at_most(fabs(dotq(m->rod.u[0], m->rod.u[0]) - 1), 1e-14);
    rod_model_destroy(m);
}

/* A projection may take u through zero; -u is where u is. */
static void update_reads_minus_u_as_u(void **state) {
    (void)state;
    rod_random random = new_random();
    const textbook_frame f = new_frame(10, 0);
    rod_model *m = new_loose_element(&random);
    textbook_predict_particles(&m->rod, &f);
    textbook_predict_orientations(&m->rod, &f);
    const real3 omega = m->rod.omega[0];
    m->rod.u[0] = scaleq(-1, m->rod.u[0]);
    textbook_update(&m->rod, &f);
    assert_at_most(distance3(m->rod.omega[0], spin_out_of_a_frame(omega, f.dt)), 1e-12);
    rod_model_destroy(m);
}

static void rod_without_force_arrays_moves_as_with_zeros(void **state) {
    (void)state;
    const textbook_frame f = new_frame(10, 0);
    rod_model *m[2];
    for (size_t i = 0; i < 2; i++) {
        rod_random random = new_random();
        m[i] = new_tangle(&random, ELEMENTS);
        set_random_velocities(m[i], &random, 5);
    }
    m[1]->rod.force = m[1]->rod.torque = m[1]->rod.inertia = NULL;
    step(m[0], &f, 10);
    step(m[1], &f, 10);
    const pose with = pose_of(m[0]), without = pose_of(m[1]);
    assert_memory_equal(&with, &without, sizeof with);
    rod_model_destroy(m[0]);
    rod_model_destroy(m[1]);
}

/* ---------------------------------------------------------------- main */

int main(void) {
    if (!read_seed("test_reference"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_order_visits_every_constraint_once),
        cmocka_unit_test(orders_are_as_documented),
        cmocka_unit_test(a_sweep_takes_elements_then_joints_in_its_order),
        cmocka_unit_test(short_forms_equal_the_quaternion_products),
        cmocka_unit_test(stretch_gradient_equals_the_differences),
        cmocka_unit_test(bend_gradients_equal_the_differences),
        cmocka_unit_test(stretch_displacement_is_the_generic_projection),
        cmocka_unit_test(stretch_displacement_without_its_2_is_not_the_generic_projection),
        cmocka_unit_test(bend_displacement_is_the_generic_projection),
        cmocka_unit_test(modified_bend_displacement_is_the_generic_projection),
        cmocka_unit_test(nothing_moves_where_all_weights_are_0),
        cmocka_unit_test(modified_bend_displacement_leaves_a_folded_joint),
        cmocka_unit_test(stretch_stiffness_acts_along_the_directors),
        cmocka_unit_test(sign_picks_the_nearer_rest_pose),
        cmocka_unit_test(without_stretch_stiffness_the_length_is_free),
        cmocka_unit_test(shear_stiffness_alone_turns_d3_along_the_element),
        cmocka_unit_test(without_twist_stiffness_twist_stays),
        cmocka_unit_test(without_bend_stiffness_bending_stays),
        cmocka_unit_test(linear_momentum_is_kept),
        cmocka_unit_test(rigid_motion_strains_nothing),
        cmocka_unit_test(orientations_stay_unit_in_a_swinging_helix),
        cmocka_unit_test(helix_recovers_with_signs_of_each_frame),
        cmocka_unit_test(helix_recovers_with_signs_of_each_projection),
        cmocka_unit_test(helix_recovers_with_the_modified_darboux_vector),
        cmocka_unit_test(helix_does_not_recover_with_signs_as_printed),
        cmocka_unit_test(pinned_things_do_not_move),
        cmocka_unit_test(driven_clamp_is_followed),
        cmocka_unit_test(damping_takes_its_share_of_every_frame),
        cmocka_unit_test(damping_1_stops_everything),
        cmocka_unit_test(undamped_rods_gain_no_energy),
        cmocka_unit_test(force_accelerates_by_the_inverse_mass),
        cmocka_unit_test(torque_spins_up_by_the_inverse_inertia),
        cmocka_unit_test(free_spin_precesses),
        cmocka_unit_test(predicted_orientations_are_unit),
        cmocka_unit_test(update_reads_minus_u_as_u),
        cmocka_unit_test(rod_without_force_arrays_moves_as_with_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
