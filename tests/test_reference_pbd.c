/* Strands of position-based dynamics in the reference: gradients, displacements, the damping of
 * section 3.5, whole strands. */
#include "reference/pbd.h"
#include "reference_points.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- the two constraints */

static pbd_triple triple_of(const coordinates *s) {
    return (pbd_triple){s->point[0], s->point[1], s->point[2]};
}

static pbd_corner corner_of(const pbd_triple *s) {
    pbd_corner k = {0};
    assert_true(pbd_corner_of(s, &k));
    return k;
}

static real3 distance_value(const constraint *c, const coordinates *s) {
    return (real3){pbd_distance_constraint(s->point[0], s->point[1], c->l), 0, 0};
}

static real3 angle_value(const constraint *c, const coordinates *s) {
    const pbd_triple triple = triple_of(s);
    const pbd_corner k = corner_of(&triple);
    return (real3){pbd_bend_constraint(&k, c->l), 0, 0};
}

static void distance_columns(const coordinates *s, real3 columns[COORDINATES]) {
    const pbd_pair gradient = pbd_distance_gradient(s->point[0], s->point[1]);
    const real3 by_point[] = {gradient.a, gradient.b};
    scalar_columns(by_point, 2, columns);
}

static void angle_columns(const coordinates *s, real3 columns[COORDINATES]) {
    const pbd_triple triple = triple_of(s);
    const pbd_corner k = corner_of(&triple);
    const pbd_triple gradient = pbd_bend_gradient(&k);
    const real3 by_point[] = {gradient.a, gradient.b, gradient.c};
    scalar_columns(by_point, 3, columns);
}

static coordinates distance_moves(const constraint *c, const coordinates *s, const real w[POINTS]) {
    const pbd_pair d = pbd_distance_displacement(s->point[0], s->point[1], w[0], w[1], c->l, 1);
    return (coordinates){.point = {d.a, d.b}};
}

static coordinates angle_moves(const constraint *c, const coordinates *s, const real w[POINTS]) {
    const pbd_triple triple = triple_of(s);
    const pbd_triple d = pbd_bend_displacement(&triple, w[0], w[1], w[2], c->l, 1);
    return (coordinates){.point = {d.a, d.b, d.c}};
}

/* Lines that are neither short nor in one direction. */
static coordinates random_corner(rod_random *random) {
    coordinates s;
    pbd_triple triple;
    pbd_corner k = {0};
    do {
        for (size_t a = 0; a < POINTS; a++)
            s.point[a] = random_in_box(random, 1);
        triple = triple_of(&s);
    } while (!pbd_corner_of(&triple, &k) || k.l1 < 0.4 || k.l2 < 0.4 || k.sine < 0.3);
    return s;
}

static void distance_rests(constraint *c, coordinates *s) {
    c->l = 0;
    c->l = distance_value(c, s).x;
}

static void angle_rests(constraint *c, coordinates *s) {
    c->l = 0;
    c->l = angle_value(c, s).x;
}

static const point_constraint kinds[] = {
    {"distance", 2, true, distance_value, distance_columns, distance_moves, random_corner,
     distance_rests},
    {"angle", 3, true, angle_value, angle_columns, angle_moves, random_corner, angle_rests},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void gradients_equal_the_differences(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        check_gradient(&kinds[k]);
}

static void rigid_motion_changes_no_constraint(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        check_invariance(&kinds[k]);
}

static void displacements_are_the_generic_projection(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        check_displacement(&kinds[k]);
}

static void a_projection_keeps_linear_and_angular_momentum(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        check_momentum(&kinds[k]);
}

static void a_projection_leaves_an_error_of_second_order(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        check_second_order(&kinds[k], 300);
}

static void nothing_moves_where_all_weights_are_0(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        check_zero_weights(&kinds[k]);
}

static void pinned_points_stay_and_the_others_stay_finite(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        check_pins(&kinds[k]);
}

/* ---------------------------------------------------------------- stiffness and guards */

/* A distance is linear along itself: one projection leaves exactly what the stiffness does. */
static void a_distance_keeps_what_its_stiffness_leaves(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const real3 a = random_in_box(&random, 1), b = random_in_box(&random, 1);
        const real wa = random_mass_weight(&random), wb = random_mass_weight(&random);
        const real k = i % 2 == 0 ? 1 : rod_random_unit(&random);
        const real d = 0.9 * distance3(a, b), before = pbd_distance_constraint(a, b, d);
        const pbd_pair by = pbd_distance_displacement(a, b, wa, wb, d, k);
        const real after = pbd_distance_constraint(add3(a, by.a), add3(b, by.b), d);
        assert_at_most(fabs(after - (1 - k) * before), 1e-15);
    }
}

static void an_angle_keeps_what_its_stiffness_leaves(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const coordinates s = random_corner(&random);
        pbd_triple triple = triple_of(&s);
        pbd_corner corner = corner_of(&triple);
        const real k = rod_random_unit(&random), off = 1e-5;
        const real rest = pbd_angle(&corner) - off;
        const pbd_triple by = pbd_bend_displacement(&triple, 1, 0.5, 2, rest, k);
        triple = (pbd_triple){add3(triple.a, by.a), add3(triple.b, by.b), add3(triple.c, by.c)};
        corner = corner_of(&triple);
        assert_at_most(fabs(pbd_bend_constraint(&corner, rest) - (1 - k) * off), 1e-8);
    }
}

static void a_joint_without_a_side_or_a_line_is_left(void **state) {
    (void)state;
    const pbd_triple left[] = {
        {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}},    /* straight */
        {{0, 0, 0}, {0, 0, 1}, {5e-7, 0, 2}}, /* next to straight */
        {{0, 0, 0}, {1, 2, 3}, {0, 0, 0}},    /* folded back */
        {{1, 2, 3}, {1, 2, 3}, {2, 2, 2}},    /* no first line */
        {{0, 0, 0}, {1, 2, 3}, {1, 2, 3}},    /* no second line */
        {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
    };
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        const pbd_triple d = pbd_bend_displacement(&left[i], 1, 1, 1, 0.5, 1);
        assert_at_most(norm3(d.a) + norm3(d.b) + norm3(d.c), 0);
    }
    const pbd_pair d = pbd_distance_displacement((real3){1, 2, 3}, (real3){1, 2, 3}, 1, 1, 0.5, 1);
    assert_at_most(norm3(d.a) + norm3(d.b), 0);
    const pbd_triple bent = {{0, 0, 0}, {0, 0, 1}, {5e-6, 0, 2}};
    assert_at_least(norm3(pbd_bend_displacement(&bent, 1, 1, 1, 0.5, 1).b), 0.1);
}

/* Rounding puts e1 . e2 of one straight corner in seven beyond 1. */
static void the_angle_of_any_straight_corner_is_0(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const real3 b = random_in_box(&random, 1);
        const pbd_triple straight = {{0}, b, scale3(rod_random_between(&random, 1.1, 3), b)};
        const pbd_triple folded = {{0}, b, scale3(rod_random_between(&random, 0.1, 0.9), b)};
        const pbd_corner ahead = corner_of(&straight), back = corner_of(&folded);
        assert_at_most(fabs(pbd_angle(&ahead)), 1e-7);
        assert_at_most(fabs(pbd_angle(&back) - 3.141592653589793), 1e-7);
    }
}

/* ---------------------------------------------------------------- strands with memory */

/* The arrays behind the const pointers of the rod, to be filled by whoever builds one. */
typedef struct {
    pbd_rod rod;
    real3 x[ELEMENTS + 1], v[ELEMENTS + 1], p[ELEMENTS + 1], force[ELEMENTS + 1];
    real w[ELEMENTS + 1], l[ELEMENTS], angle[JOINTS];
    real stretch_stiffness[ELEMENTS], bend_stiffness[JOINTS];
} strand;

/* At rest in the shape of a quaternion rod, which is destroyed. */
static strand *strand_of(rod_model *m) {
    strand *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->rod = (pbd_rod){
        .elements = ELEMENTS,
        .x = a->x,
        .v = a->v,
        .p = a->p,
        .w = a->w,
        .l = a->l,
        .angle = a->angle,
        .stretch_stiffness = a->stretch_stiffness,
        .bend_stiffness = a->bend_stiffness,
        .force = a->force,
    };
    memcpy(a->x, m->rod.x, sizeof a->x);
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->w[i] = 1;
    for (size_t e = 0; e < ELEMENTS; e++) {
        a->l[e] = pbd_distance_constraint(a->x[e], a->x[e + 1], 0);
        a->stretch_stiffness[e] = 1;
    }
    for (size_t j = 0; j < JOINTS; j++) {
        const pbd_triple triple = {a->x[j], a->x[j + 1], a->x[j + 2]};
        const pbd_corner corner = corner_of(&triple);
        a->angle[j] = pbd_angle(&corner);
        a->bend_stiffness[j] = 1;
    }
    rod_model_destroy(m);
    return a;
}

static strand *new_strand(rod_random *random) {
    return strand_of(new_tangle(random, ELEMENTS));
}

static void set_random_masses(strand *a, rod_random *random) {
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->w[i] = rod_random_between(random, 0.2, 5);
}

static void set_random_motion(strand *a, rod_random *random, real largest) {
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->v[i] = random_in_box(random, largest);
}

static rod_frame strand_frame(size_t iterations) {
    return (rod_frame){.dt = 0.01f, .iterations = iterations, .order = ROD_ORDER_BILATERAL};
}

static void step_strand(strand *a, const rod_frame *f, size_t frames) {
    for (size_t i = 0; i < frames; i++)
        pbd_step(&a->rod, f);
}

/* ---------------------------------------------------------------- whole strands */

static void a_sweep_takes_distances_then_angles_in_its_order(void **state) {
    (void)state;
    for (size_t o = 0; o < ORDERS; o++) {
        rod_frame f = strand_frame(1);
        f.order = all_orders[o];
        strand *both[2];
        for (int i = 0; i < 2; i++) {
            rod_random random = new_random();
            both[i] = new_strand(&random);
            set_random_motion(both[i], &random, 20);
            pbd_predict(&both[i]->rod, &f);
        }
        pbd_project_constraints(&both[0]->rod, &f);
        for (size_t k = 0; k < ELEMENTS; k++)
            pbd_project_distance(&both[1]->rod,
                                 rod_order_index(ROD_METHOD_PBD, f.order, ELEMENTS, k));
        for (size_t k = 0; k < JOINTS; k++)
            pbd_project_bend(&both[1]->rod, rod_order_index(ROD_METHOD_PBD, f.order, JOINTS, k));
        assert_memory_equal(both[0]->p, both[1]->p, sizeof both[0]->p);
        free(both[0]);
        free(both[1]);
    }
}

/* Not a bit changes, whatever damps what does not move. */
static void a_strand_at_rest_stays_exactly(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_frame f = strand_frame(10);
    f.rigid_damping = 0.5f;
    for (int shape = 0; shape < 3; shape++) {
        strand *a = shape == 0   ? new_strand(&random)
                    : shape == 1 ? strand_of(new_helix())
                                 : strand_of(new_model(ELEMENTS));
        const strand before = *a;
        step_strand(a, &f, 100);
        for (size_t i = 0; i <= ELEMENTS; i++)
            assert_at_most(distance3(a->x[i], before.x[i]) + norm3(a->v[i]), 0);
        free(a);
    }
}

static void a_free_strand_falls_at_g(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_frame f = strand_frame(10);
    f.gravity[1] = -9.81f;
    f.rigid_damping = 0.1f;
    strand *a = new_strand(&random);
    set_random_masses(a, &random);
    const strand before = *a;
    step_strand(a, &f, 100);
    const real dt = f.dt, drop = (real)f.gravity[1] * dt * dt * 100 * 101 / 2;
    for (size_t i = 0; i <= ELEMENTS; i++)
        assert_at_most(distance3(a->x[i], add3(before.x[i], (real3){0, drop, 0})), 1e-11);
    free(a);
}

static void forces_and_damping_act_on_velocities(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_frame f = strand_frame(0);
    f.damping = 0.02f;
    strand *a = new_strand(&random);
    set_random_masses(a, &random);
    set_random_motion(a, &random, 5);
    a->w[7] = 0;
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->force[i] = random_in_box(&random, 10);
    const strand before = *a;
    const real kept = 1 - (real)f.damping, dt = f.dt;
    step_strand(a, &f, 1);
    for (size_t i = 0; i <= ELEMENTS; i++) {
        real3 v = add3(before.v[i], scale3(dt * a->w[i], a->force[i]));
        if (i == 7)
            v = (real3){0};
        assert_at_most(distance3(a->v[i], scale3(kept, v)), 1e-12);
        assert_at_most(distance3(a->x[i], add3(before.x[i], scale3(dt, v))), 1e-14);
    }
    free(a);
}

/* All points at one place, or folded to and fro, or anywhere. */
static real3 bad_position(rod_random *random, int shape, size_t i) {
    if (shape == 0)
        return (real3){1, 2, 3};
    if (shape == 1)
        return (real3){0.3 * (real)(i % 2), 0, 0};
    return random_in_box(random, 0.3);
}

/* Free, or held by one end. Not held at random: a particle between two pins of which its angle can
 * have no solution is thrown farther at each projection, without bound. */
static void any_shape_gives_finite_positions(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_frame f = strand_frame(10);
    f.gravity[1] = -9.81f;
    f.rigid_damping = 0.1f;
    for (int shape = 0; shape < 20; shape++) {
        strand *a = new_strand(&random);
        for (size_t i = 0; i <= ELEMENTS; i++)
            a->x[i] = bad_position(&random, shape % 10, i);
        a->w[0] = shape < 10 ? 1 : 0;
        step_strand(a, &f, 50);
        for (size_t i = 0; i <= ELEMENTS; i++)
            assert_at_most(norm3(a->x[i]) + norm3(a->v[i]), DBL_MAX);
        free(a);
    }
}

/* ---------------------------------------------------------------- damping to rigid motion */

typedef struct {
    real3 linear, angular;
} momenta;

/* About the origin. */
static momenta momenta_of(const strand *a) {
    momenta m = {0};
    for (size_t i = 0; i <= ELEMENTS; i++) {
        const real3 part = scale3(1 / a->w[i], a->v[i]);
        m.linear = add3(m.linear, part);
        m.angular = add3(m.angular, cross3(a->x[i], part));
    }
    return m;
}

/* Of the angular momentum about its centre a millionth of the trace is lost. */
static void rigid_damping_keeps_the_momenta(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < 20; i++) {
        strand *a = new_strand(&random);
        set_random_masses(a, &random);
        set_random_motion(a, &random, 5);
        const momenta before = momenta_of(a);
        pbd_damp_to_rigid_motion(&a->rod, rod_random_unit(&random));
        const momenta after = momenta_of(a);
        assert_at_most(distance3(after.linear, before.linear), 1e-11);
        assert_at_most(distance3(after.angular, before.angular), 1e-4 * norm3(before.angular));
        free(a);
    }
}

/* v + omega x r of all particles. */
static void set_rigid_motion(strand *a, real3 v, real3 omega) {
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->v[i] = add3(v, cross3(omega, a->x[i]));
}

static void rigid_damping_leaves_rigid_motion(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < 20; i++) {
        strand *a = new_strand(&random);
        const real3 v = random_in_box(&random, 5), omega = random_in_box(&random, 5);
        set_random_masses(a, &random);
        set_rigid_motion(a, v, omega);
        pbd_damp_to_rigid_motion(&a->rod, 1);
        for (size_t k = 0; k <= ELEMENTS; k++) {
            const real3 expected = add3(v, cross3(omega, a->x[k]));
            assert_at_most(distance3(a->v[k], expected), 1e-3 * (norm3(v) + norm3(omega)));
        }
        free(a);
    }
}

/* With k = 1 no distance between particles changes any more. */
static void full_rigid_damping_ends_internal_motion(void **state) {
    (void)state;
    rod_random random = new_random();
    strand *a = new_strand(&random);
    set_random_masses(a, &random);
    set_random_motion(a, &random, 5);
    pbd_damp_to_rigid_motion(&a->rod, 1);
    for (size_t i = 0; i <= ELEMENTS; i++)
        for (size_t k = 0; k < i; k++) {
            const real3 apart = sub3(a->x[i], a->x[k]), v = sub3(a->v[i], a->v[k]);
            assert_at_most(fabs(dot3(apart, v)), 1e-12);
        }
    free(a);
}

/* A straight strand has no inertia about itself, one free particle has none at all. */
static void rigid_damping_of_a_line_or_a_point_is_finite(void **state) {
    (void)state;
    rod_random random = new_random();
    for (size_t pins = 0; pins <= ELEMENTS + 1; pins++) {
        strand *a = strand_of(new_model(ELEMENTS));
        const real3 v = random_in_box(&random, 5), omega = {1, 2, 0};
        set_rigid_motion(a, v, omega);
        for (size_t i = 0; i < pins; i++)
            a->w[i] = 0;
        pbd_damp_to_rigid_motion(&a->rod, 1);
        for (size_t i = 0; i <= ELEMENTS; i++) {
            const real3 expected = add3(v, cross3(omega, a->x[i]));
            assert_at_most(distance3(a->v[i], expected), 1e-3);
        }
        free(a);
    }
}

int main(void) {
    if (!read_seed("test_reference_pbd"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_equal_the_differences),
        cmocka_unit_test(rigid_motion_changes_no_constraint),
        cmocka_unit_test(displacements_are_the_generic_projection),
        cmocka_unit_test(a_projection_keeps_linear_and_angular_momentum),
        cmocka_unit_test(a_projection_leaves_an_error_of_second_order),
        cmocka_unit_test(nothing_moves_where_all_weights_are_0),
        cmocka_unit_test(pinned_points_stay_and_the_others_stay_finite),
        cmocka_unit_test(a_distance_keeps_what_its_stiffness_leaves),
        cmocka_unit_test(an_angle_keeps_what_its_stiffness_leaves),
        cmocka_unit_test(a_joint_without_a_side_or_a_line_is_left),
        cmocka_unit_test(the_angle_of_any_straight_corner_is_0),
        cmocka_unit_test(a_sweep_takes_distances_then_angles_in_its_order),
        cmocka_unit_test(a_strand_at_rest_stays_exactly),
        cmocka_unit_test(a_free_strand_falls_at_g),
        cmocka_unit_test(forces_and_damping_act_on_velocities),
        cmocka_unit_test(any_shape_gives_finite_positions),
        cmocka_unit_test(rigid_damping_keeps_the_momenta),
        cmocka_unit_test(rigid_damping_leaves_rigid_motion),
        cmocka_unit_test(full_rigid_damping_ends_internal_motion),
        cmocka_unit_test(rigid_damping_of_a_line_or_a_point_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
