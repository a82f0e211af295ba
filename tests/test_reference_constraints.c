/* The reference, one constraint at a time: orders, gradients, displacements, signs. */
#include "reference.h"
#include "registry.h"

/* ---------------------------------------------------------------- order of the sweeps */

static void assert_visits_every_constraint_once(rod_method method, rod_order order, size_t count) {
    bool visited[40] = {false};
    for (size_t k = 0; k < count; k++) {
        const size_t index = rod_order_index(method, order, count, k);
        assert_true(index < count);
        assert_false(visited[index]);
        visited[index] = true;
    }
}

static void each_order_visits_every_constraint_once(void **state) {
    (void)state;
    for (int method = 0; method < ROD_METHODS; method++)
        for (size_t o = 0; o < ORDERS; o++)
            for (size_t count = 1; count <= 40; count++)
                assert_visits_every_constraint_once((rod_method)method, all_orders[o], count);
}

static const size_t order_of_six[ORDERS][6] = {
    {0, 1, 2, 3, 4, 5}, {0, 5, 1, 4, 2, 3}, {0, 5, 2, 3, 4, 1}, {0, 2, 4, 1, 3, 5}};
static const size_t order_of_five[ORDERS][5] = {
    {0, 1, 2, 3, 4}, {0, 4, 1, 3, 2}, {0, 3, 2, 1, 4}, {0, 2, 4, 1, 3}};
static const size_t three_colours_of_six[] = {0, 3, 1, 4, 2, 5};
static const size_t three_colours_of_five[] = {0, 3, 1, 4, 2};

static void orders_are_as_documented(void **state) {
    (void)state;
    for (int method = 0; method < ROD_METHODS; method++)
        for (size_t o = 0; o < ORDERS; o++) {
            const bool three =
                method != ROD_METHOD_QUATERNION && all_orders[o] == ROD_ORDER_REDBLACK;
            const size_t *six = three ? three_colours_of_six : order_of_six[o];
            const size_t *five = three ? three_colours_of_five : order_of_five[o];
            for (size_t k = 0; k < 6; k++)
                assert_int_equal(rod_order_index((rod_method)method, all_orders[o], 6, k), six[k]);
            for (size_t k = 0; k < 5; k++)
                assert_int_equal(rod_order_index((rod_method)method, all_orders[o], 5, k), five[k]);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
