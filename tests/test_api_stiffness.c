/* Stiffness: what a projection takes back, what a frame does, and of which constraint; and the
 * damping that spares rigid motion. */
#include "api.h"

static const float stiffnesses[] = {0, 0.1f, 0.3f, 0.5f, 0.9f, 0.999f, 1};
enum { STIFFNESSES = sizeof stiffnesses / sizeof *stiffnesses };

static rod_step_settings still_settings(size_t iterations, bool per_frame) {
    return (rod_step_settings){.frames = 1,
                               .iterations = iterations,
                               .order = ROD_ORDER_DEFAULT,
                               .dt = 0.01f,
                               .stiffness_per_frame = per_frame};
}

static void set_all_stiffness(rod_batch *batch, size_t rod, float k) {
    assert_ok(rod_set_stiffness(batch, rod, &(const rod_stiffness){k, k, k, k, k, k}));
}

/* ---------------------------------------------------------------- one distance */

/* One element of length 1, stretched to 1.5; rod i has stiffness i. Its orientation is pinned, or
 * a quaternion would give way to the stretch as well. */
static rod_batch *new_stretched(void) {
    rod_batch *batch = new_batch(STIFFNESSES, 1);
    for (size_t rod = 0; rod < STIFFNESSES; rod++) {
        set_all_stiffness(batch, rod, stiffnesses[rod]);
        assert_ok(rod_set(batch, ROD_POSITIONS, rod, 1, (const float[]){0, 0, 0, 0, 0, 1.5f}));
        if (has(batch, ROD_GHOSTS))
            assert_ok(rod_move_orientation(batch, rod, 0, (const float[]){1, 0, 0, 0}));
        else if (has(batch, ROD_ORIENTATION_WEIGHTS))
            assert_ok(rod_set_orientation_weight(batch, rod, 0, 0));
    }
    return batch;
}

static double violation(const rod_batch *batch, size_t rod) {
    shape s = shape_of(batch, rod);
    const double length = norm(edge(&s, 0));
    shape_free(&s);
    return length - 1;
}

static void assert_violations(bool per_frame, size_t iterations) {
    const rod_step_settings s = still_settings(iterations, per_frame);
    rod_batch *batch = new_stretched();
    assert_ok(rod_step(batch, &s));
    for (size_t rod = 0; rod < STIFFNESSES; rod++) {
        const double left = 1 - (double)stiffnesses[rod];
        const double expected = per_frame ? left : pow(left, (double)iterations);
        snprintf(test_subject, sizeof test_subject, "for %s, stiffness %g, %zu iterations",
                 rod_method_name(test_method), (double)stiffnesses[rod], iterations);
        assert_at_most(fabs(violation(batch, rod) - 0.5 * expected), 1e-6);
    }
    rod_destroy(batch);
}

static void each_projection_takes_back_its_part_of_a_violation(void **state) {
    (void)state;
    for (size_t iterations = 1; iterations <= 40; iterations++)
        assert_violations(false, iterations);
}

static void a_frame_takes_back_the_same_part_with_any_iterations(void **state) {
    (void)state;
    for (size_t iterations = 1; iterations <= 40; iterations++)
        assert_violations(true, iterations);
}

/* Puts everything that moved back to where it was. */
static void put_back(rod_batch *batch, const snapshot *start) {
    static const rod_quantity moving[] = {ROD_POSITIONS, ROD_VELOCITIES, ROD_GHOSTS,
                                          ROD_GHOST_VELOCITIES};
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        if (has(batch, moving[i]))
            assert_ok(rod_set(batch, moving[i], 0, rod_count(batch), start->values[moving[i]]));
}

/* What a step applied must not stick in the next. */
static void assert_forgets(const rod_step_settings *before, const rod_step_settings *now) {
    rod_batch *fresh = new_stretched(), *used = new_stretched();
    snapshot start = snapshot_of(fresh);
    assert_ok(rod_step(used, before));
    put_back(used, &start);
    assert_ok(rod_step(fresh, now));
    assert_ok(rod_step(used, now));
    snapshot expected = snapshot_of(fresh);
    assert_unchanged(used, &expected);
    snapshot_free(&start);
    snapshot_free(&expected);
    rod_destroy(fresh);
    rod_destroy(used);
}

static void the_setting_may_change_from_step_to_step(void **state) {
    (void)state;
    const rod_step_settings settings[] = {still_settings(1, true), still_settings(7, true),
                                          still_settings(7, false), still_settings(20, true),
                                          still_settings(3, false)};
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 5; k++)
            assert_forgets(&settings[i], &settings[k]);
}

static void stiffness_reads_as_it_was_set_whatever_is_applied(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    const rod_step_settings s = still_settings(17, true);
    assert_ok(rod_step(batch, &s));
    snapshot after = snapshot_of(batch);
    assert_memory_equal(after.stiffness, before.stiffness, RODS * sizeof *after.stiffness);
    if (has(batch, ROD_STRETCH_STIFFNESSES)) {
        assert_memory_equal(after.values[ROD_STRETCH_STIFFNESSES],
                            before.values[ROD_STRETCH_STIFFNESSES],
                            rod_floats(batch, ROD_STRETCH_STIFFNESSES, 0, RODS) * sizeof(float));
        assert_memory_equal(after.values[ROD_BEND_STIFFNESSES], before.values[ROD_BEND_STIFFNESSES],
                            rod_floats(batch, ROD_BEND_STIFFNESSES, 0, RODS) * sizeof(float));
    }
    snapshot_free(&before);
    snapshot_free(&after);
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- single constraints of strands */

/* A strand along z whose elements of rest length 1 are 1.5 long. Particles 0, 3 and 6 are pinned.
 */
static rod_batch *new_stretched_strand(size_t rods) {
    rod_batch *batch = new_batch(rods, 6);
    for (size_t rod = 0; rod < rods; rod++) {
        float x[3 * 7] = {0};
        for (size_t i = 0; i <= 6; i++)
            x[3 * i + 2] = 1.5f * (float)i;
        assert_ok(rod_set(batch, ROD_POSITIONS, rod, 1, x));
        for (size_t i = 0; i <= 6; i += 3)
            assert_ok(rod_set_inverse_mass(batch, rod, i, 0));
    }
    return batch;
}

/* Elements 1 and 4, of stiffness 0, keep the others from pulling at each other. */
static void a_stretch_stiffness_is_of_its_element_and_times_the_rod_s(void **state) {
    (void)state;
    static const float each[6] = {1, 0, 0.5f, 0.25f, 0, 0.75f};
    const rod_step_settings s = still_settings(1, false);
    rod_batch *batch = new_stretched_strand(2);
    set_all_stiffness(batch, 1, 0.5f);
    for (size_t rod = 0; rod < 2; rod++)
        assert_ok(rod_set(batch, ROD_STRETCH_STIFFNESSES, rod, 1, each));
    assert_ok(rod_step(batch, &s));
    for (size_t rod = 0; rod < 2; rod++) {
        const double own = rod == 0 ? 1 : 0.5;
        shape now = shape_of(batch, rod);
        for (size_t e = 0; e < 6; e++)
            if (e % 3 != 1)
                assert_at_most(fabs(norm(edge(&now, e)) - 1.5 + 0.5 * own * (double)each[e]), 1e-6);
        shape_free(&now);
    }
    rod_destroy(batch);
}

/* Particles 0 and 1 are pinned, and the angle at 1 is to become a right one. */
static rod_batch *new_bent_strand(const float *bend) {
    rod_batch *batch = new_batch(2, 3);
    const float straight[12] = {0, 0, 0, 0, 0, 1, 0.1f, 0, 2, 0.2f, 0, 3};
    for (size_t rod = 0; rod < 2; rod++) {
        assert_ok(rod_shape_polyline(batch, rod, straight));
        assert_ok(rod_clamp(batch, rod, ROD_START));
        assert_ok(rod_set(batch, ROD_REST_ANGLES, rod, 1, (const float[]){1.5f, 0}));
    }
    assert_ok(rod_set(batch, ROD_BEND_STIFFNESSES, 1, 1, bend));
    return batch;
}

static double angle_at(const rod_batch *batch, size_t rod, size_t joint) {
    shape s = shape_of(batch, rod);
    const double cosine = dot(unit(edge(&s, joint)), unit(edge(&s, joint + 1)));
    shape_free(&s);
    return acos(fmin(1, fmax(-1, cosine)));
}

static void a_joint_of_stiffness_0_is_free(void **state) {
    (void)state;
    const rod_step_settings s = {500, 20, ROD_ORDER_DEFAULT, 0.01f, {0}, 0.1f, 0, 0};
    rod_batch *batch = new_bent_strand((const float[]){0, 1});
    const double before = angle_at(batch, 1, 0);
    assert_ok(rod_step(batch, &s));
    assert_at_most(fabs(angle_at(batch, 0, 0) - 1.5), 1e-3);
    assert_at_most(fabs(angle_at(batch, 1, 0) - before), 1e-3);
    for (size_t rod = 0; rod < 2; rod++)
        assert_at_most(angle_at(batch, rod, 1), 1e-2);
    rod_destroy(batch);
}

/* What the arrays say when none are set, and what they say when all of them are 1, is the same. */
static void stiffnesses_of_1_change_nothing(void **state) {
    (void)state;
    rod_random random = new_random(), again = new_random();
    rod_batch *plain = new_mixed(NULL), *all = new_mixed(NULL);
    set_random(plain, &random, ROD_POSITIONS);
    set_random(all, &again, ROD_POSITIONS);
    float ones[RODS * LONGEST];
    for (size_t i = 0; i < RODS * LONGEST; i++)
        ones[i] = 1;
    assert_ok(rod_set(all, ROD_STRETCH_STIFFNESSES, 0, RODS, ones));
    assert_ok(rod_set(all, ROD_BEND_STIFFNESSES, 0, RODS, ones));
    const rod_step_settings s = still_settings(3, false);
    assert_ok(rod_step(plain, &s));
    assert_ok(rod_step(all, &s));
    float *x = read_quantity(plain, ROD_POSITIONS, 0, RODS);
    float *y = read_quantity(all, ROD_POSITIONS, 0, RODS);
    for (size_t i = 0; i < rod_floats(all, ROD_POSITIONS, 0, RODS); i++)
        assert_at_most(fabs((double)x[i] - (double)y[i]), 1e-4);
    free(x);
    free(y);
    rod_destroy(plain);
    rod_destroy(all);
}

/* ---------------------------------------------------------------- damping of deviations */

static void rigid_damping_is_of_strands_only(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    rod_step_settings s = rod_step_defaults();
    snapshot before = snapshot_of(batch);
    s.rigid_damping = 0.5f;
    assert_status(rod_step(batch, &s), ROD_E_ABSENT);
    assert_unchanged(batch, &before);
    s.rigid_damping = 0;
    assert_ok(rod_step(batch, &s));
    snapshot_free(&before);
    rod_destroy(batch);
}

/* A free curl that moves as a rigid one: v + omega x (x - centre). */
static rod_batch *new_spinning_curl(vec3 velocity, vec3 omega) {
    rod_batch *batch = new_batch(1, ELEMENTS);
    const rod_helix h = plain_helix();
    assert_ok(rod_shape_helix(batch, 0, &h));
    shape s = shape_of(batch, 0);
    vec3 centre = {0, 0, 0};
    for (size_t i = 0; i <= ELEMENTS; i++)
        centre = add_scaled(centre, 1.0 / (ELEMENTS + 1), vec3_at(s.x, i));
    float v[3 * (ELEMENTS + 1)];
    for (size_t i = 0; i <= ELEMENTS; i++) {
        const vec3 r = add_scaled(vec3_at(s.x, i), -1, centre);
        const vec3 rigid = add_scaled(velocity, 1, cross(omega, r));
        v[3 * i] = (float)rigid.x;
        v[3 * i + 1] = (float)rigid.y;
        v[3 * i + 2] = (float)rigid.z;
    }
    assert_ok(rod_set(batch, ROD_VELOCITIES, 0, 1, v));
    shape_free(&s);
    return batch;
}

static double largest_difference(const float *a, const float *b, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)a[i] - (double)b[i]));
    return largest;
}

/* So slowly that a step along the tangent hardly leaves the circle. */
static void rigid_motion_is_not_damped(void **state) {
    (void)state;
    rod_batch *plain = new_spinning_curl((vec3){1, 2, 3}, (vec3){0.01, -0.03, 0.01});
    rod_batch *damped = new_spinning_curl((vec3){1, 2, 3}, (vec3){0.01, -0.03, 0.01});
    rod_step_settings s = still_settings(10, false);
    assert_ok(rod_step(plain, &s));
    s.rigid_damping = 1;
    assert_ok(rod_step(damped, &s));
    float *v = read_quantity(plain, ROD_VELOCITIES, 0, 1);
    float *u = read_quantity(damped, ROD_VELOCITIES, 0, 1);
    assert_at_most(largest_difference(v, u, 3 * (ELEMENTS + 1)), 2e-4);
    free(v);
    free(u);
    rod_destroy(plain);
    rod_destroy(damped);
}

/* Fully damped, what is left of random velocities keeps the distances between all particles. */
static void deviations_from_rigid_motion_are_damped(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_spinning_curl((vec3){0, 0, 0}, (vec3){0, 0, 0});
    set_random(batch, &random, ROD_VELOCITIES);
    rod_step_settings s = still_settings(10, false);
    s.rigid_damping = 1;
    assert_ok(rod_step(batch, &s));
    float *x = read_quantity(batch, ROD_POSITIONS, 0, 1);
    float *v = read_quantity(batch, ROD_VELOCITIES, 0, 1);
    double fastest = 0;
    for (size_t i = 0; i <= ELEMENTS; i++)
        for (size_t k = 0; k < i; k++) {
            const vec3 r = add_scaled(vec3_at(x, i), -1, vec3_at(x, k));
            const vec3 u = add_scaled(vec3_at(v, i), -1, vec3_at(v, k));
            fastest = fmax(fastest, norm(vec3_at(v, i)));
            assert_at_most(fabs(dot(unit(r), u)), 1e-5);
        }
    assert_at_least(fastest, 0.05);
    free(x);
    free(v);
    rod_destroy(batch);
}

static void pinned_particles_take_no_part_in_rigid_motion(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_spinning_curl((vec3){0, 0, 0}, (vec3){0, 0, 0});
    assert_ok(rod_clamp(batch, 0, ROD_START));
    float *before = read_quantity(batch, ROD_POSITIONS, 0, 1);
    set_random(batch, &random, ROD_VELOCITIES);
    rod_step_settings s = still_settings(10, false);
    s.rigid_damping = 1;
    s.frames = 10;
    assert_ok(rod_step(batch, &s));
    float *x = read_quantity(batch, ROD_POSITIONS, 0, 1);
    float *v = read_quantity(batch, ROD_VELOCITIES, 0, 1);
    assert_memory_equal(x, before, 6 * sizeof *x);
    assert_true(all_equal_to(v, 6, 0));
    free(before);
    free(x);
    free(v);
    rod_destroy(batch);
}

int main(void) {
    if (!read_seed("test_api"))
        return 2;
    const struct CMUnitTest tests[] = {
        test_of_each_method(each_projection_takes_back_its_part_of_a_violation),
        test_of_each_method(a_frame_takes_back_the_same_part_with_any_iterations),
        test_of_each_method(the_setting_may_change_from_step_to_step),
        test_of_each_method(stiffness_reads_as_it_was_set_whatever_is_applied),
        test_of(pbd, a_stretch_stiffness_is_of_its_element_and_times_the_rod_s),
        test_of(pbd, a_joint_of_stiffness_0_is_free),
        test_of(pbd, stiffnesses_of_1_change_nothing),
        test_of(quaternion, rigid_damping_is_of_strands_only),
        test_of(pber, rigid_damping_is_of_strands_only),
        test_of(pbd, rigid_motion_is_not_damped),
        test_of(pbd, deviations_from_rigid_motion_are_damped),
        test_of(pbd, pinned_particles_take_no_part_in_rigid_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
