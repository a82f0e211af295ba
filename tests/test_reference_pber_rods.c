/* Position-based elastic rods in the reference, whole rods: gravity and the ghost points, pins,
 * momentum, recovery. */
#include "reference.h"
#include "reference/pber.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- rods with memory */

/* The arrays behind the const pointers of the rod, to be filled by whoever builds one. */
typedef struct {
    pber_rod rod;
    real3 x[ELEMENTS + 1], v[ELEMENTS + 1], p[ELEMENTS + 1], force[ELEMENTS + 1];
    real3 g[ELEMENTS], gv[ELEMENTS], gp[ELEMENTS], rest[JOINTS];
    real w[ELEMENTS + 1], wg[ELEMENTS], l[ELEMENTS], fall[ELEMENTS];
} ghosted;

static ghosted *new_ghosted(size_t elements, real ghost_length) {
    ghosted *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->rod = (pber_rod){
        .elements = elements,
        .x = a->x,
        .v = a->v,
        .p = a->p,
        .g = a->g,
        .gv = a->gv,
        .gp = a->gp,
        .fall = a->fall,
        .w = a->w,
        .wg = a->wg,
        .l = a->l,
        .ghost_length = ghost_length,
        .rest = a->rest,
        .force = a->force,
        .stretch_stiffness = 1,
        .bend_stiffness = full,
    };
    return a;
}

/* The shape of a quaternion rod at rest, each ghost point on its d^1. The quaternion rod is
 * destroyed. */
static ghosted *ghosted_of(rod_model *m) {
    const size_t n = m->rod.elements;
    ghosted *a = new_ghosted(n, length_of(m) / (real)n);
    memcpy(a->x, m->rod.x, (n + 1) * sizeof *a->x);
    memcpy(a->l, m->l, n * sizeof *a->l);
    memcpy(a->rest, m->rest, (n - 1) * sizeof *a->rest);
    for (size_t i = 0; i <= n; i++)
        a->w[i] = 1;
    for (size_t e = 0; e < n; e++) {
        const real3 middle = scale3(0.5, add3(a->x[e], a->x[e + 1]));
        const real3 d1 = rotate3(m->rod.q[e], (real3){1, 0, 0});
        a->g[e] = add3(middle, scale3(a->rod.ghost_length, d1));
        a->wg[e] = a->fall[e] = 1;
    }
    rod_model_destroy(m);
    return a;
}

static ghosted *new_ghosted_tangle(rod_random *random) {
    return ghosted_of(new_tangle(random, ELEMENTS));
}

/* Along x, where gravity is along -y. The ghost points are level with the rod, along -z: there
 * their weight has its longest lever. */
static ghosted *new_level_rod(size_t elements) {
    rod_model *m = new_model(elements);
    for (size_t i = 0; i <= elements; i++)
        m->rod.x[i] = (real3){0.3248 * (real)i, 0, 0};
    follow_positions(m);
    return ghosted_of(m);
}

static void clamp_ghosted(ghosted *a) {
    a->w[0] = a->w[1] = a->wg[0] = 0;
}

static void set_random_masses(ghosted *a, rod_random *random) {
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->w[i] = rod_random_between(random, 0.2, 5);
    for (size_t e = 0; e < ELEMENTS; e++)
        a->wg[e] = rod_random_between(random, 0.2, 5);
}

static void set_random_motion(ghosted *a, rod_random *random, real largest) {
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->v[i] = random_in_box(random, largest);
    for (size_t e = 0; e < ELEMENTS; e++)
        a->gv[e] = random_in_box(random, largest);
}

static rod_frame ghosted_frame(size_t iterations, float damping, float gravity) {
    return (rod_frame){.dt = 0.01f,
                       .damping = damping,
                       .gravity = {0, -gravity, 0},
                       .iterations = iterations,
                       .order = ROD_ORDER_CROSS};
}

static void step_ghosted(ghosted *a, const rod_frame *f, size_t frames) {
    for (size_t i = 0; i < frames; i++)
        pber_step(&a->rod, f);
}

/* The largest distance of any point from where `b` has it, moved by `shift`. */
static real farthest(const ghosted *a, const ghosted *b, real3 shift) {
    real largest = 0;
    for (size_t i = 0; i <= a->rod.elements; i++)
        largest = worse_of(largest, distance3(a->x[i], add3(b->x[i], shift)));
    for (size_t e = 0; e < a->rod.elements; e++)
        largest = worse_of(largest, distance3(a->g[e], add3(b->g[e], shift)));
    return largest;
}

/* ---------------------------------------------------------------- the order of a sweep */

static ghosted *new_predicted(const rod_frame *f) {
    rod_random random = new_random();
    ghosted *a = ghosted_of(new_tangle(&random, 6));
    for (size_t i = 0; i <= 6; i++)
        a->v[i] = random_in_box(&random, 20);
    pber_predict_particles(&a->rod, f);
    pber_predict_ghosts(&a->rod, f);
    return a;
}

static void a_sweep_takes_elements_then_joints_in_its_order(void **state) {
    (void)state;
    for (size_t o = 0; o < ORDERS; o++) {
        rod_frame f = ghosted_frame(1, 0, 0);
        f.order = all_orders[o];
        ghosted *swept = new_predicted(&f), *by_hand = new_predicted(&f);
        pber_project_constraints(&swept->rod, &f);
        for (size_t k = 0; k < 6; k++)
            pber_project_edge(&by_hand->rod, rod_order_index(ROD_METHOD_PBER, f.order, 6, k));
        for (size_t k = 0; k < 5; k++)
            pber_project_joint(&by_hand->rod, rod_order_index(ROD_METHOD_PBER, f.order, 5, k));
        assert_memory_equal(swept->p, by_hand->p, 7 * sizeof(real3));
        assert_memory_equal(swept->gp, by_hand->gp, 6 * sizeof(real3));
        free(swept);
        free(by_hand);
    }
}

/* ---------------------------------------------------------------- stretch stiffness */

/* Of eq. 18 only: eqs. 19 and 20 are solved whole. */
static void an_element_keeps_what_its_stretch_stiffness_leaves(void **state) {
    (void)state;
    for (real stiffness = 0; stiffness <= 1; stiffness += 0.25) {
        const rod_frame f = ghosted_frame(1, 0, 0);
        ghosted *a = new_level_rod(1);
        a->rod.stretch_stiffness = stiffness;
        a->x[1].x += 0.04;
        a->x[0].x -= 0.04;
        a->g[0] = add3(a->g[0], (real3){0, 0, -0.1});
        step_ghosted(a, &f, 1);
        const pber_edge s = {a->x[0], a->x[1], a->g[0]};
        const real left = pber_length_constraint(&s, a->l[0]);
        assert_at_most(fabs(left - (1 - stiffness) * 0.08), 1e-14);
        assert_at_most(fabs(pber_ghost_constraint(&s, a->rod.ghost_length)), 1e-14);
        free(a);
    }
}

/* ---------------------------------------------------------------- gravity */

/* After n frames g dt^2 n (n + 1) / 2, the sum of the velocities. */
static void a_free_rod_falls_at_g(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int masses = 0; masses < 2; masses++) {
        const rod_frame f = ghosted_frame(10, 0, 9.81f);
        ghosted *a = new_ghosted_tangle(&random);
        if (masses == 1)
            set_random_masses(a, &random);
        const ghosted before = *a;
        step_ghosted(a, &f, 20);
        const real dt = f.dt, drop = (real)f.gravity[1] * dt * dt * 20 * 21 / 2;
        assert_at_most(farthest(a, &before, (real3){0, drop, 0}), 1e-12);
        for (size_t e = 0; e < ELEMENTS; e++)
            assert_at_most(fabs(a->fall[e] - 1), 1e-9);
        free(a);
    }
}

static void a_damped_falling_rod_does_not_turn(void **state) {
    (void)state;
    rod_random random = new_random();
    const rod_frame f = ghosted_frame(10, 0.02f, 9.81f);
    ghosted *a = new_ghosted_tangle(&random);
    set_random_masses(a, &random);
    const ghosted before = *a;
    step_ghosted(a, &f, 20);
    const real3 shift = sub3(a->x[0], before.x[0]);
    assert_at_least(-shift.y, 0.15);
    assert_at_most(farthest(a, &before, shift), 1e-12);
    free(a);
}

/* Wherever the ghosts' weight hangs, the change of momentum is that of all masses at g. */
static void gravity_pulls_with_the_whole_weight(void **state) {
    (void)state;
    rod_random random = new_random();
    const rod_frame f = ghosted_frame(0, 0, 9.81f);
    const real per_mass = (real)f.gravity[1] * (real)f.dt;
    ghosted *a = new_ghosted_tangle(&random);
    set_random_masses(a, &random);
    for (size_t e = 0; e < ELEMENTS; e++)
        a->fall[e] = rod_random_unit(&random);
    step_ghosted(a, &f, 1);
    real mass = 0, momentum = 0;
    for (size_t i = 0; i <= ELEMENTS; i++) {
        mass += 1 / a->w[i];
        momentum += a->v[i].y / a->w[i];
    }
    for (size_t e = 0; e < ELEMENTS; e++) {
        mass += 1 / a->wg[e];
        momentum += a->gv[e].y / a->wg[e];
    }
    assert_at_most(fabs(momentum / (mass * per_mass) - 1), 1e-12);
    free(a);
}

/* What section 6 is for: the weight of an element that does not fall has no moment about its edge,
 * and with all of its ghost point's weight on the ghost point it would have one. */
static void the_weight_of_a_held_element_does_not_turn_it(void **state) {
    (void)state;
    const rod_frame f = ghosted_frame(0, 0, 9.81f);
    for (int held = 0; held < 2; held++) {
        ghosted *a = new_level_rod(1);
        const real3 middle = scale3(0.5, add3(a->x[0], a->x[1]));
        const real3 lever = sub3(a->g[0], middle), edge = sub3(a->x[1], a->x[0]);
        a->fall[0] = held ? 0 : 1;
        step_ghosted(a, &f, 1);
        const real moment = dot3(cross3(lever, a->gv[0]), edge) / norm3(edge);
        const real weight = a->v[0].y + a->v[1].y + a->gv[0].y;
        assert_at_most(fabs(moment - (held ? 0 : -0.3248 * 0.0981)), 1e-8);
        assert_at_most(fabs(weight + 3 * 0.0981), 1e-8);
        free(a);
    }
}

static void fall_is_the_share_of_gravity_that_the_midpoint_followed(void **state) {
    (void)state;
    const rod_frame f = ghosted_frame(10, 0, 9.81f);
    ghosted *a = new_level_rod(4);
    a->w[0] = a->w[1] = 0;
    step_ghosted(a, &f, 1);
    assert_at_most(fabs(a->fall[0]), 0);
    for (size_t e = 1; e < 4; e++) {
        const real after = (a->v[e].y + a->v[e + 1].y) / 2; /* from rest, and without damping */
        const real expected = after / ((real)f.dt * (real)f.gravity[1]);
        assert_at_most(fabs(a->fall[e] - (expected > 1 ? 1 : expected)), 1e-12);
        assert_at_least(a->fall[e], 1e-3);
    }
    free(a);
}

static void a_blow_is_no_gravity(void **state) {
    (void)state;
    rod_frame f = ghosted_frame(10, 0.02f, 9.81f);
    ghosted *a = new_level_rod(4);
    for (real force = -1000; force <= 1000; force += 2000) {
        for (size_t i = 0; i <= 4; i++)
            a->force[i].y = force;
        step_ghosted(a, &f, 1);
        for (size_t e = 0; e < 4; e++)
            assert_at_most(fabs(a->fall[e] - (force < 0 ? 1 : 0)), 0);
    }
    f.gravity[1] = 0;
    step_ghosted(a, &f, 1);
    for (size_t e = 0; e < 4; e++)
        assert_at_most(fabs(a->fall[e] - 1), 0);
    free(a);
}

/* The turn of a ghost point beside an edge that is held at both ends, after it came to rest. */
static real swing(bool heuristic) {
    const rod_frame f = ghosted_frame(10, 0.02f, 9.81f);
    ghosted *a = new_level_rod(1);
    a->w[0] = a->w[1] = 0;
    for (int i = 0; i < 1000; i++) {
        if (!heuristic)
            a->fall[0] = 1;
        step_ghosted(a, &f, 1);
    }
    const real turn = atan2(-a->g[0].y, -a->g[0].z);
    free(a);
    return turn;
}

/* The first frame cannot know that the edge is held: the 0.0981 m/s that it gives to the ghost
 * point are damped away within 0.0490 m, 0.151 of the radius. */
static void a_ghost_beside_a_held_edge_does_not_swing_down(void **state) {
    (void)state;
    assert_at_most(fabs(swing(false) - 1.5707963), 1e-2);
    assert_at_most(fabs(swing(true)), 0.152);
}

static real twist_of(const ghosted *a) {
    real sum = 0;
    for (size_t j = 0; j + 1 < a->rod.elements; j++) {
        pber_frame D = {0}, E = {0};
        const pber_joint s = {{a->x[j], a->x[j + 1], a->x[j + 2], a->g[j], a->g[j + 1]}};
        assert_true(pber_joint_frames(&s, &a->l[j], &D, &E));
        sum += 2 * atan(pber_darboux(&D, &E).z);
    }
    return sum;
}

static real settled_twist(bool heuristic) {
    const rod_frame f = ghosted_frame(2, 0.02f, 9.81f);
    ghosted *a = new_level_rod(10);
    clamp_ghosted(a);
    for (int i = 0; i < 1500; i++) {
        for (size_t e = 0; e < 10 && !heuristic; e++)
            a->fall[e] = 1;
        step_ghosted(a, &f, 1);
    }
    const real twist = twist_of(a);
    free(a);
    return twist;
}

/* Ten elements, two iterations: 0.066 of twist with all weight on the ghost points, 0.010 with the
 * heuristic. What remains is not of gravity: at the clamp only one side's points are free, so that
 * the matrix of eq. 17 ties twist to bending, and bending that is not solved yet twists. Longer
 * rods have more of that than of the ghosts' weight. */
static void a_short_clamped_rod_twists_less_than_by_its_ghosts_weight(void **state) {
    (void)state;
    const real with = fabs(settled_twist(true)), without = fabs(settled_twist(false));
    assert_at_least(without, 0.05);
    assert_at_most(with, 0.25 * without);
}

/* ---------------------------------------------------------------- rods without gravity */

static void a_rod_at_rest_stays(void **state) {
    (void)state;
    rod_random random = new_random();
    const rod_frame f = ghosted_frame(10, 0, 0);
    for (int masses = 0; masses < 2; masses++) {
        ghosted *a = new_ghosted_tangle(&random);
        if (masses == 1)
            set_random_masses(a, &random);
        const ghosted before = *a;
        step_ghosted(a, &f, 100);
        assert_at_most(farthest(a, &before, (real3){0}), 1e-12);
        free(a);
    }
}

static real3 momentum_of(const ghosted *a) {
    real3 sum = {0};
    for (size_t i = 0; i <= ELEMENTS; i++)
        sum = add3(sum, scale3(1 / a->w[i], a->v[i]));
    for (size_t e = 0; e < ELEMENTS; e++)
        sum = add3(sum, scale3(1 / a->wg[e], a->gv[e]));
    return sum;
}

static void linear_momentum_is_kept(void **state) {
    (void)state;
    rod_random random = new_random();
    for (size_t o = 0; o < ORDERS; o++) {
        rod_frame f = ghosted_frame(10, 0, 0);
        f.order = all_orders[o];
        ghosted *a = new_ghosted_tangle(&random);
        set_random_masses(a, &random);
        set_random_motion(a, &random, 5);
        const real3 before = momentum_of(a);
        step_ghosted(a, &f, 100);
        assert_at_most(distance3(momentum_of(a), before), 1e-9);
        free(a);
    }
}

static void pinned_points_do_not_move(void **state) {
    (void)state;
    rod_random random = new_random();
    const rod_frame f = ghosted_frame(10, 0, 9.81f);
    ghosted *a = new_ghosted_tangle(&random);
    set_random_motion(a, &random, 5);
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->w[i] = rod_random_unit(&random) < 0.3 ? 0 : 1;
    for (size_t e = 0; e < ELEMENTS; e++)
        a->wg[e] = rod_random_unit(&random) < 0.3 ? 0 : 1;
    const ghosted before = *a;
    step_ghosted(a, &f, 20);
    for (size_t i = 0; i <= ELEMENTS; i++)
        if (!(a->w[i] > 0))
            assert_at_most(distance3(a->x[i], before.x[i]) + norm3(a->v[i]), 0);
    for (size_t e = 0; e < ELEMENTS; e++)
        if (!(a->wg[e] > 0))
            assert_at_most(distance3(a->g[e], before.g[e]) + norm3(a->gv[e]), 0);
    free(a);
}

static void forces_and_damping_act_on_velocities(void **state) {
    (void)state;
    rod_random random = new_random();
    const rod_frame f = ghosted_frame(0, 0.02f, 0);
    ghosted *a = new_ghosted_tangle(&random);
    set_random_masses(a, &random);
    set_random_motion(a, &random, 5);
    for (size_t i = 0; i <= ELEMENTS; i++)
        a->force[i] = random_in_box(&random, 10);
    const ghosted before = *a;
    const real kept = 1 - (real)f.damping, dt = f.dt;
    step_ghosted(a, &f, 1);
    for (size_t i = 0; i <= ELEMENTS; i++) {
        const real3 v = add3(before.v[i], scale3(dt * a->w[i], a->force[i]));
        assert_at_most(distance3(a->v[i], scale3(kept, v)), 1e-12);
        assert_at_most(distance3(a->x[i], add3(before.x[i], scale3(dt, v))), 1e-14);
    }
    for (size_t e = 0; e < ELEMENTS; e++)
        assert_at_most(distance3(a->gv[e], scale3(kept, before.gv[e])), 1e-12);
    free(a);
}

/* ---------------------------------------------------------------- out of shape */

static void a_dented_helix_recovers(void **state) {
    (void)state;
    rod_random random = new_random();
    const rod_frame f = ghosted_frame(30, 0.02f, 0);
    ghosted *a = ghosted_of(new_helix());
    const ghosted rest = *a;
    clamp_ghosted(a);
    for (size_t i = 2; i <= ELEMENTS; i++)
        a->x[i] = add3(a->x[i], random_in_box(&random, 0.1));
    for (size_t e = 1; e < ELEMENTS; e++)
        a->g[e] = add3(a->g[e], random_in_box(&random, 0.1));
    const real at_first = farthest(a, &rest, (real3){0});
    step_ghosted(a, &f, 600);
    assert_at_least(at_first, 0.1);
    assert_at_most(farthest(a, &rest, (real3){0}), 2e-3);
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

/* Kinks, ghosts on their edges, points on each other, pins: nothing may become a NaN. */
static void any_shape_gives_finite_positions(void **state) {
    (void)state;
    rod_random random = new_random();
    const rod_frame f = ghosted_frame(10, 0.02f, 9.81f);
    for (int shape = 0; shape < 20; shape++) {
        ghosted *a = new_ghosted_tangle(&random);
        for (size_t i = 0; i <= ELEMENTS; i++) {
            a->x[i] = bad_position(&random, shape, i);
            if (shape > 9 && rod_random_unit(&random) < 0.3)
                a->w[i] = 0;
        }
        for (size_t e = 0; e < ELEMENTS; e++)
            a->g[e] = shape % 2 == 0 ? a->x[e] : scale3(0.5, add3(a->x[e], a->x[e + 1]));
        const ghosted before = *a;
        step_ghosted(a, &f, 50);
        assert_at_most(farthest(a, &before, (real3){0}), DBL_MAX);
        free(a);
    }
}

int main(void) {
    if (!read_seed("test_reference_pber_rods"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_takes_elements_then_joints_in_its_order),
        cmocka_unit_test(an_element_keeps_what_its_stretch_stiffness_leaves),
        cmocka_unit_test(a_free_rod_falls_at_g),
        cmocka_unit_test(a_damped_falling_rod_does_not_turn),
        cmocka_unit_test(gravity_pulls_with_the_whole_weight),
        cmocka_unit_test(the_weight_of_a_held_element_does_not_turn_it),
        cmocka_unit_test(fall_is_the_share_of_gravity_that_the_midpoint_followed),
        cmocka_unit_test(a_blow_is_no_gravity),
        cmocka_unit_test(a_ghost_beside_a_held_edge_does_not_swing_down),
        cmocka_unit_test(a_short_clamped_rod_twists_less_than_by_its_ghosts_weight),
        cmocka_unit_test(a_rod_at_rest_stays),
        cmocka_unit_test(linear_momentum_is_kept),
        cmocka_unit_test(pinned_points_do_not_move),
        cmocka_unit_test(forces_and_damping_act_on_velocities),
        cmocka_unit_test(a_dented_helix_recovers),
        cmocka_unit_test(any_shape_gives_finite_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
