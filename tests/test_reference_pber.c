/* Position-based elastic rods in the reference, one constraint at a time: frames, gradients,
 * displacements, and the places where there is nothing to project. */
#include "reference/pber.h"
#include "reference_points.h"

/* ---------------------------------------------------------------- the four constraints */

static pber_edge edge_of(const coordinates *s) {
    return (pber_edge){s->point[0], s->point[1], s->point[2]};
}

static pber_joint joint_of(const coordinates *s) {
    pber_joint joint;
    memcpy(joint.p, s->point, sizeof joint.p);
    return joint;
}

static const real unit_lengths[2] = {1, 1};

typedef struct {
    pber_frame D, E;
} frames;

static frames frames_of(const pber_joint *joint) {
    frames f = {0};
    assert_true(pber_joint_frames(joint, unit_lengths, &f.D, &f.E));
    return f;
}

static real3 length_value(const constraint *c, const coordinates *s) {
    const pber_edge edge = edge_of(s);
    return (real3){pber_length_constraint(&edge, c->l), 0, 0};
}

static real3 bisector_value(const constraint *c, const coordinates *s) {
    (void)c;
    const pber_edge edge = edge_of(s);
    return (real3){pber_bisector_constraint(&edge), 0, 0};
}

static real3 ghost_value(const constraint *c, const coordinates *s) {
    const pber_edge edge = edge_of(s);
    return (real3){pber_ghost_constraint(&edge, c->l), 0, 0};
}

static real3 bend_twist_value(const constraint *c, const coordinates *s) {
    const pber_joint joint = joint_of(s);
    const frames f = frames_of(&joint);
    return pber_bend_constraint(&f.D, &f.E, c->rest, full);
}

static void edge_columns(pber_edge gradient, real3 columns[COORDINATES]) {
    const real3 by_point[] = {gradient.a, gradient.b, gradient.g};
    scalar_columns(by_point, 3, columns);
}

static void length_columns(const coordinates *s, real3 columns[COORDINATES]) {
    const pber_edge edge = edge_of(s);
    edge_columns(pber_length_gradient(&edge), columns);
}

static void bisector_columns(const coordinates *s, real3 columns[COORDINATES]) {
    const pber_edge edge = edge_of(s);
    edge_columns(pber_bisector_gradient(&edge), columns);
}

static void ghost_columns(const coordinates *s, real3 columns[COORDINATES]) {
    const pber_edge edge = edge_of(s);
    edge_columns(pber_ghost_gradient(&edge), columns);
}

static void bend_twist_columns(const coordinates *s, real3 columns[COORDINATES]) {
    const pber_joint joint = joint_of(s);
    const frames f = frames_of(&joint);
    const pber_jacobian J = pber_darboux_jacobian(&joint, &f.D, &f.E);
    const real3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (size_t a = 0; a < POINTS; a++)
        for (size_t i = 0; i < 3; i++)
            columns[3 * a + i] = apply33(J.by[a], axes[i]);
}

static coordinates moved_edge(real C, pber_edge gradient, const real w[POINTS]) {
    const pber_edge_weights weights = {w[0], w[1], w[2]};
    const pber_edge d = pber_edge_displacement(C, &gradient, &weights);
    return (coordinates){.point = {d.a, d.b, d.g}};
}

static coordinates length_moves(const constraint *c, const coordinates *s, const real w[POINTS]) {
    const pber_edge edge = edge_of(s);
    return moved_edge(pber_length_constraint(&edge, c->l), pber_length_gradient(&edge), w);
}

static coordinates bisector_moves(const constraint *c, const coordinates *s, const real w[POINTS]) {
    (void)c;
    const pber_edge edge = edge_of(s);
    return moved_edge(pber_bisector_constraint(&edge), pber_bisector_gradient(&edge), w);
}

static coordinates ghost_moves(const constraint *c, const coordinates *s, const real w[POINTS]) {
    const pber_edge edge = edge_of(s);
    return moved_edge(pber_ghost_constraint(&edge, c->l), pber_ghost_gradient(&edge), w);
}

static coordinates bend_twist_moves(const constraint *c, const coordinates *s,
                                    const real w[POINTS]) {
    const pber_joint joint = joint_of(s);
    const pber_joint d = pber_bend_displacement(&joint, w, unit_lengths, c->rest, full);
    coordinates delta;
    memcpy(delta.point, d.p, sizeof delta.point);
    return delta;
}

/* ---------------------------------------------------------------- configurations */

/* An edge of some length and a ghost point well off it, not quite where eqs. 18 to 20 want them. */
static coordinates random_edge(rod_random *random) {
    coordinates s;
    pber_frame f;
    do {
        for (size_t a = 0; a < POINTS; a++)
            s.point[a] = random_in_box(random, 1);
    } while (!pber_frame_of(s.point[0], s.point[1], s.point[2], 1, &f) || f.edge < 0.4 ||
             f.reach < 0.4);
    return s;
}

/* Frames that are turned against each other by any angle that is not next to a half turn, on edges
 * and with ghost points that are roughly of length 1. */
static coordinates joint_with_frames(rod_random *random, realq q, realq u) {
    coordinates s;
    const realq of[] = {q, u};
    s.point[PBER_FIRST] = random_in_box(random, 1);
    for (int e = 0; e < 2; e++) {
        const real length = rod_random_between(random, 0.6, 1.4);
        const real3 off = {rod_random_between(random, 0.6, 1.4), 0,
                           length * rod_random_between(random, 0.3, 0.7)};
        s.point[e + 1] = add3(s.point[e], scale3(length, director3(of[e])));
        s.point[e + 3] = add3(s.point[e], rotate3(of[e], off));
    }
    return s;
}

static coordinates random_joint(rod_random *random) {
    realq q, u;
    do {
        q = random_orientation(random);
        u = random_orientation(random);
    } while (fabs(dotq(q, u)) < 0.4);
    return joint_with_frames(random, q, u);
}

static void length_rests(constraint *c, coordinates *s) {
    c->l = distance3(s->point[0], s->point[1]);
}

static void ghost_on_bisector(constraint *c, coordinates *s) {
    (void)c;
    const real3 edge = sub3(s->point[1], s->point[0]);
    const real along = bisector_value(c, s).x / dot3(edge, edge);
    s->point[2] = sub3(s->point[2], scale3(along, edge));
}

static void ghost_rests(constraint *c, coordinates *s) {
    c->l = 0;
    c->l = ghost_value(c, s).x;
}

/* tan(theta / 2) n back to sin(theta / 2) n */
static void bend_twist_rests(constraint *c, coordinates *s) {
    c->rest = (real3){0};
    const real3 tau = bend_twist_value(c, s);
    c->rest = scale3(1 / sqrt(1 + dot3(tau, tau)), tau);
}

static const point_constraint kinds[] = {
    {"eq. 18", 2, true, length_value, length_columns, length_moves, random_edge, length_rests},
    {"eq. 19", 3, true, bisector_value, bisector_columns, bisector_moves, random_edge,
     ghost_on_bisector},
    {"eq. 20", 3, true, ghost_value, ghost_columns, ghost_moves, random_edge, ghost_rests},
    {"eq. 21", 5, false, bend_twist_value, bend_twist_columns, bend_twist_moves, random_joint,
     bend_twist_rests},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---------------------------------------------------------------- checks of all four */

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

/* ---------------------------------------------------------------- frames and their turns */

static void frames_are_those_of_the_quaternions(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const realq q = random_orientation(&random), u = random_orientation(&random);
        const coordinates s = joint_with_frames(&random, q, u);
        const pber_joint joint = joint_of(&s);
        const frames f = frames_of(&joint);
        const real3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int n = 0; n < 3; n++) {
            assert_at_most(distance3(f.D.d[n], rotate3(q, axes[n])), 1e-14);
            assert_at_most(distance3(f.E.d[n], rotate3(u, axes[n])), 1e-14);
        }
    }
}

/* The sign of eq. 10's middle; its right-hand side would give -Im(z) / Re(z). */
static void the_darboux_vector_is_that_of_the_quaternions(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const realq q = random_orientation(&random), u = random_orientation(&random);
        const coordinates s = joint_with_frames(&random, q, u);
        const pber_joint joint = joint_of(&s);
        const realq z = mulq(conjugate(q), u);
        const frames f = frames_of(&joint);
        assert_at_most(fabs(pber_denominator(&f.D, &f.E) - 4 * z.w * z.w), 1e-14);
        if (z.w * z.w < 1e-4)
            continue;
        const real3 expected = scale3(1 / z.w, imaginary(z));
        /* rounding of the denominator, 4 Re(z)^2, and of the numerator that it divides */
        const real bound = 2e-14 * (1 + norm3(expected)) / (z.w * z.w);
        assert_at_most(distance3(pber_darboux(&f.D, &f.E), expected), bound);
        assert_at_most(distance3(pber_rest_darboux(rest_of(z)), expected), bound);
    }
}

static void a_frame_needs_an_edge_and_a_ghost_off_it(void **state) {
    (void)state;
    rod_random random = new_random();
    pber_frame f;
    for (real scale = 1e-3; scale < 1e4; scale *= 1000) {
        const coordinates s = random_edge(&random);
        const real3 a = scale3(scale, s.point[0]), b = scale3(scale, s.point[1]);
        const real3 g = scale3(scale, s.point[2]), edge = sub3(b, a);
        assert_true(pber_frame_of(a, b, g, scale, &f));
        assert_false(pber_frame_of(a, a, g, scale, &f));
        assert_false(pber_frame_of(a, add3(a, scale3(1e-7, edge)), g, scale, &f));
        assert_false(pber_frame_of(a, b, a, scale, &f));
        assert_false(pber_frame_of(a, b, b, scale, &f));
        assert_false(pber_frame_of(a, b, add3(a, scale3(0.5, edge)), scale, &f));
        assert_false(pber_frame_of(a, a, a, scale, &f));
    }
}

/* ---------------------------------------------------------------- bending and twisting */

static real3 darboux_of(const pber_joint *joint) {
    const frames f = frames_of(joint);
    return pber_darboux(&f.D, &f.E);
}

/* Each component goes its share of the way, whatever the others do. */
static void stiffness_acts_on_each_component_alone(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        coordinates s = random_joint(&random);
        pber_joint joint = joint_of(&s);
        const real3 alpha = {i % 2, rod_random_unit(&random), i % 3 == 0};
        const real3 before = darboux_of(&joint);
        const real3 goal = add3(before, random_in_box(&random, 1e-4));
        const real3 rest = scale3(1 / sqrt(1 + dot3(goal, goal)), goal);
        const real w[POINTS] = {1, 0.5, 2, 0.7, 1.3};
        const pber_joint d = pber_bend_displacement(&joint, w, unit_lengths, rest, alpha);
        for (size_t a = 0; a < POINTS; a++)
            joint.p[a] = add3(joint.p[a], d.p[a]);
        const real3 expected = add3(before, mul3(alpha, sub3(goal, before)));
        assert_at_most(distance3(darboux_of(&joint), expected), 1e-6);
    }
}

/* Metres or millimetres, grams or tonnes: displacements scale with the lengths, and weights only
 * matter by their ratios. */
static void units_do_not_matter(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int i = 0; i < TRIALS; i++) {
        const coordinates s = random_joint(&random);
        const pber_joint joint = joint_of(&s);
        const real w[POINTS] = {1, 0.5, 2, 0.7, 1.3};
        const real3 rest = random_in_box(&random, 0.4);
        const pber_joint d = pber_bend_displacement(&joint, w, unit_lengths, rest, full);
        for (real unit = 1e-6; unit < 1e7; unit *= 1e12) {
            pber_joint scaled;
            real scaled_w[POINTS];
            for (size_t a = 0; a < POINTS; a++) {
                scaled.p[a] = scale3(unit, joint.p[a]);
                scaled_w[a] = w[a] / unit;
            }
            const real lengths[] = {unit, unit};
            const pber_joint e = pber_bend_displacement(&scaled, scaled_w, lengths, rest, full);
            for (size_t a = 0; a < POINTS; a++)
                assert_at_most(distance3(e.p[a], scale3(unit, d.p[a])), 1e-10 * unit);
        }
    }
}

/* ---------------------------------------------------------------- nothing to project */

static void assert_left(const pber_joint *joint, const real w[POINTS], real3 rest) {
    const pber_joint d = pber_bend_displacement(joint, w, unit_lengths, rest, full);
    for (size_t a = 0; a < POINTS; a++)
        assert_at_most(norm3(d.p[a]), 0);
}

static const real ones[POINTS] = {1, 1, 1, 1, 1};

/* Straight, and twisted by so much less than a half turn. */
static pber_joint twisted_joint(real less) {
    const pber_joint joint = {
        {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 0, 0.5}, {-cos(less), sin(less), 1.5}}};
    return joint;
}

/* 1 + tr Q = 4 sin^2(less / 2) is 1e-6 where a thousandth is left of the half turn. */
static void a_joint_folded_by_a_half_turn_is_left(void **state) {
    (void)state;
    const real3 straight = {0};
    const pber_joint kink = {{{0, 0, 0}, {0, 0, 1}, {0, 0, 0}, {1, 0, 0.5}, {1, 0, 0.5}}};
    const pber_joint half = twisted_joint(0), nearly = twisted_joint(0.9e-3);
    const pber_joint not_yet = twisted_joint(1.1e-3);
    assert_left(&kink, ones, straight);
    assert_left(&half, ones, straight);
    assert_left(&nearly, ones, straight);
    const pber_joint d = pber_bend_displacement(&not_yet, ones, unit_lengths, straight, full);
    assert_at_least(norm3(d.p[PBER_GHOST_E]), 1e-4);
}

static void a_joint_that_rests_at_a_half_turn_is_left(void **state) {
    (void)state;
    rod_random random = new_random();
    const coordinates s = random_joint(&random);
    const pber_joint joint = joint_of(&s);
    assert_left(&joint, ones, (real3){0.6, 0, 0.8});
    assert_left(&joint, ones, (real3){1, 1, 1});
}

static void a_joint_without_a_frame_is_left(void **state) {
    (void)state;
    rod_random random = new_random();
    const coordinates s = random_joint(&random);
    const pber_joint good = joint_of(&s), point = {{{0}}};
    pber_joint joint = good;
    joint.p[PBER_LAST] = joint.p[PBER_MIDDLE];
    assert_left(&joint, ones, (real3){0});
    joint = good;
    joint.p[PBER_GHOST_D] = scale3(0.5, add3(joint.p[PBER_FIRST], joint.p[PBER_MIDDLE]));
    assert_left(&joint, ones, (real3){0});
    assert_left(&point, ones, (real3){0});
}

/* An end alone can only turn its edge about two axes, a ghost point about one; the middle particle
 * turns both edges about all. */
static void a_joint_with_too_few_free_points_is_left(void **state) {
    (void)state;
    rod_random random = new_random();
    const real too_few[][POINTS] = {
        {2, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 3, 0}, {0, 0, 0, 0, 1}, {0, 0, 0, 1, 0.3},
    };
    for (int i = 0; i < TRIALS; i++) {
        const coordinates s = random_joint(&random);
        const pber_joint joint = joint_of(&s);
        const real3 rest = random_in_box(&random, 0.4);
        for (size_t k = 0; k < sizeof too_few / sizeof *too_few; k++)
            assert_left(&joint, too_few[k], rest);
    }
}

static void an_edge_without_length_and_a_ghost_at_its_midpoint_are_left(void **state) {
    (void)state;
    const pber_edge point = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    const pber_edge centred = {{0, 0, 0}, {0, 0, 2}, {0, 0, 1}};
    const pber_edge_weights w = {1, 1, 1};
    const pber_edge gradients[] = {pber_length_gradient(&point), pber_bisector_gradient(&point),
                                   pber_ghost_gradient(&point), pber_ghost_gradient(&centred)};
    for (size_t k = 0; k < sizeof gradients / sizeof *gradients; k++) {
        const pber_edge d = pber_edge_displacement(-1, &gradients[k], &w);
        assert_at_most(norm3(d.a) + norm3(d.b) + norm3(d.g), 0);
    }
}

int main(void) {
    if (!read_seed("test_reference_pber"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_equal_the_differences),
        cmocka_unit_test(rigid_motion_changes_no_constraint),
        cmocka_unit_test(displacements_are_the_generic_projection),
        cmocka_unit_test(a_projection_keeps_linear_and_angular_momentum),
        cmocka_unit_test(a_projection_leaves_an_error_of_second_order),
        cmocka_unit_test(nothing_moves_where_all_weights_are_0),
        cmocka_unit_test(pinned_points_stay_and_the_others_stay_finite),
        cmocka_unit_test(frames_are_those_of_the_quaternions),
        cmocka_unit_test(the_darboux_vector_is_that_of_the_quaternions),
        cmocka_unit_test(a_frame_needs_an_edge_and_a_ghost_off_it),
        cmocka_unit_test(stiffness_acts_on_each_component_alone),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_joint_folded_by_a_half_turn_is_left),
        cmocka_unit_test(a_joint_that_rests_at_a_half_turn_is_left),
        cmocka_unit_test(a_joint_without_a_frame_is_left),
        cmocka_unit_test(a_joint_with_too_few_free_points_is_left),
        cmocka_unit_test(an_edge_without_length_and_a_ghost_at_its_midpoint_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
