/* The reference, whole rods: invariants, recovery, pins, damping, forces. */
#include "reference.h"

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

int main(void) {
    if (!read_seed("test_reference"))
        return 2;
    const struct CMUnitTest tests[] = {
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
