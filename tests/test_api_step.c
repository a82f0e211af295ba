/* Pins, driven ends, stepping, and the figures that can be read. */
#include "api.h"

/* ---------------------------------------------------------------- pins */

static void clamp_pins_two_particles_and_their_orientation(void **state) {
    (void)state;
    rod_batch *batch = new_batch(3, 4);
    assert_ok(rod_clamp(batch, 0, ROD_START));
    assert_ok(rod_clamp(batch, 1, ROD_END));
    assert_reads(batch, ROD_INVERSE_MASSES, 0, (const float[]){0, 0, 1, 1, 1});
    assert_reads(batch, ROD_INVERSE_MASSES, 1, (const float[]){1, 1, 1, 0, 0});
    assert_reads(batch, ROD_INVERSE_MASSES, 2, (const float[]){1, 1, 1, 1, 1});
    if (has(batch, ROD_ORIENTATION_WEIGHTS)) {
        assert_reads(batch, ROD_ORIENTATION_WEIGHTS, 0, (const float[]){0, 1, 1, 1});
        assert_reads(batch, ROD_ORIENTATION_WEIGHTS, 1, (const float[]){1, 1, 1, 0});
        assert_reads(batch, ROD_ORIENTATION_WEIGHTS, 2, (const float[]){1, 1, 1, 1});
    }
    rod_destroy(batch);
}

/* Both ends, one end, or something in the middle, and all that moves is pushed. */
static void pin_here_and_there(rod_batch *batch, rod_random *random) {
    static const rod_quantity pushed[] = {ROD_VELOCITIES,       ROD_ANGULAR_VELOCITIES,
                                          ROD_GHOST_VELOCITIES, ROD_FORCES,
                                          ROD_TORQUES,          ROD_INERTIAS};
    for (size_t rod = 0; rod < RODS; rod++) {
        const size_t middle = rod_elements(batch, rod) / 2;
        if (rod % 4 < 2)
            assert_ok(rod_clamp(batch, rod, ROD_START));
        if (rod % 4 == 1)
            assert_ok(rod_clamp(batch, rod, ROD_END));
        if (rod % 4 == 2)
            assert_ok(rod_set_inverse_mass(batch, rod, middle, 0));
        if (rod % 4 == 3 && has(batch, ROD_ORIENTATION_WEIGHTS))
            assert_ok(rod_set_orientation_weight(batch, rod, middle, 0));
    }
    for (size_t i = 0; i < sizeof pushed / sizeof *pushed; i++)
        set_random(batch, random, pushed[i]);
}

/* Rows of weight 0 have their place and no velocity. */
static void assert_pinned_stay(const rod_batch *batch, const snapshot *before, rod_quantity weight,
                               rod_quantity place, rod_quantity velocity) {
    snapshot now = snapshot_of(batch);
    const size_t components = rod_shape_of(place).components;
    const size_t bytes = components * sizeof(float);
    for (size_t i = 0; i < rod_floats(batch, weight, 0, RODS); i++) {
        if (now.values[weight][i] > 0)
            continue;
        assert_memory_equal(now.values[place] + components * i,
                            before->values[place] + components * i, bytes);
        assert_true(all_equal_to(now.values[velocity] + 3 * i, 3, 0));
    }
    snapshot_free(&now);
}

static void check_pinned_things_stay(rod_batch *batch, rod_order order) {
    rod_random random = new_random();
    pin_here_and_there(batch, &random);
    snapshot before = snapshot_of(batch);
    const rod_step_settings settings = hard_settings(order);
    assert_ok(rod_step(batch, &settings));
    assert_pinned_stay(batch, &before, ROD_INVERSE_MASSES, ROD_POSITIONS, ROD_VELOCITIES);
    if (has(batch, ROD_GHOSTS))
        assert_pinned_stay(batch, &before, ROD_ORIENTATION_WEIGHTS, ROD_GHOSTS,
                           ROD_GHOST_VELOCITIES);
    else if (has(batch, ROD_ORIENTATIONS))
        assert_pinned_stay(batch, &before, ROD_ORIENTATION_WEIGHTS, ROD_ORIENTATIONS,
                           ROD_ANGULAR_VELOCITIES);
    snapshot_free(&before);
}

static void pinned_things_keep_their_bits(void **state) {
    (void)state;
    for_each_variant(check_pinned_things_stay);
}

static void a_clamped_rod_of_one_element_stays(void **state) {
    (void)state;
    for (int end = ROD_START; end <= ROD_END; end++) {
        rod_batch *batch = new_batch(1, 1);
        assert_ok(
            rod_shape_straight(batch, 0, (const float[]){1, 2, 3}, (const float[]){1, 2, 3}, 0.7f));
        assert_ok(rod_clamp(batch, 0, (rod_end)end));
        snapshot before = snapshot_of(batch);
        const rod_step_settings settings = hard_settings(ROD_ORDER_BILATERAL);
        assert_ok(rod_step(batch, &settings));
        assert_unchanged(batch, &before);
        snapshot_free(&before);
        rod_destroy(batch);
    }
}

static void moving_sets_one_thing_at_velocity_0(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot expected = snapshot_of(batch);
    for (size_t rod = 0; rod < RODS; rod++) {
        const size_t e = rod_elements(batch, rod) / 2;
        float *x = expected.values[ROD_POSITIONS] + rod_floats(batch, ROD_POSITIONS, 0, rod);
        float *v = expected.values[ROD_VELOCITIES] + rod_floats(batch, ROD_POSITIONS, 0, rod);
        float *q = expected.values[ROD_ORIENTATIONS] + rod_floats(batch, ROD_ORIENTATIONS, 0, rod);
        float *omega = expected.values[ROD_ANGULAR_VELOCITIES] +
                       rod_floats(batch, ROD_ANGULAR_VELOCITIES, 0, rod);
        random_entry(&random, ROD_POSITIONS, x + 3 * e);
        random_entry(&random, ROD_ORIENTATIONS, q + 4 * e);
        memset(v + 3 * e, 0, 3 * sizeof *v);
        memset(omega + 3 * e, 0, 3 * sizeof *omega);
        assert_ok(rod_move_particle(batch, rod, e, x + 3 * e));
        assert_ok(rod_move_orientation(batch, rod, e, q + 4 * e));
    }
    assert_batch_holds(batch, &expected);
    snapshot_free(&expected);
    rod_destroy(batch);
}

/* Where a particle of the rest shape is when the clamp was shifted, and twisted about itself. */
static vec3 driven_to(const shape *rest, size_t particle, vec3 shift, double angle) {
    const vec3 axis = unit(edge(rest, 0)), origin = vec3_at(rest->x, 0);
    const vec3 a = add_scaled(vec3_at(rest->x, particle), -1, origin);
    const vec3 along = add_scaled((vec3){0}, dot(a, axis), axis), across = add_scaled(a, -1, along);
    vec3 turned = add_scaled(along, cos(angle), across);
    turned = add_scaled(turned, sin(angle), cross(axis, across));
    return add_scaled(add_scaled(origin, 1, turned), 1, shift);
}

static void drive_particles(rod_batch *batch, const shape *rest, vec3 shift) {
    for (size_t i = 0; i < 2; i++) {
        const vec3 to = add_scaled(vec3_at(rest->x, i), 1, shift);
        const float position[3] = {(float)to.x, (float)to.y, (float)to.z};
        assert_ok(rod_move_particle(batch, 0, i, position));
    }
}

/* q times a turn about d3 */
static void drive_orientation(rod_batch *batch, const shape *rest, double angle) {
    const double c = cos(angle / 2), s = sin(angle / 2);
    const double w = rest->q[0], x = rest->q[1], y = rest->q[2], z = rest->q[3];
    const float q[4] = {(float)(w * c - z * s), (float)(x * c + y * s), (float)(y * c - x * s),
                        (float)(z * c + w * s)};
    assert_ok(rod_move_orientation(batch, 0, 0, q));
}

static void assert_clamp_is_where_it_was_driven(const rod_batch *batch, const shape *driven) {
    float *x = read_quantity(batch, ROD_POSITIONS, 0, 1);
    float *q = read_quantity(batch, ROD_ORIENTATIONS, 0, 1);
    assert_memory_equal(x, driven->x, 6 * sizeof *x);
    assert_memory_equal(q, driven->q, 4 * sizeof *q);
    free(x);
    free(q);
}

static void drive_for_a_frame(rod_batch *batch, const shape *rest, double part) {
    rod_step_settings settings = {1, 40, ROD_ORDER_BILATERAL, 0.01f, {0}, 0.1f, 0, 0};
    drive_particles(batch, rest, (vec3){3 * part, -2 * part, part});
    drive_orientation(batch, rest, 2 * part);
    shape driven = shape_of(batch, 0);
    assert_ok(rod_step(batch, &settings));
    assert_clamp_is_where_it_was_driven(batch, &driven);
    shape_free(&driven);
}

static void a_driven_end_is_followed(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, ELEMENTS);
    const rod_helix h = plain_helix();
    assert_ok(rod_shape_helix(batch, 0, &h));
    assert_ok(rod_clamp(batch, 0, ROD_START));
    shape rest = shape_of(batch, 0);
    for (int frame = 1; frame <= 1500; frame++)
        drive_for_a_frame(batch, &rest, fmin(1, frame / 200.0));
    shape now = shape_of(batch, 0);
    for (size_t i = 0; i <= ELEMENTS; i++)
        assert_at_most(distance(vec3_at(now.x, i), driven_to(&rest, i, (vec3){3, -2, 1}, 2)), 1e-3);
    shape_free(&rest);
    shape_free(&now);
    rod_destroy(batch);
}

static void single_things_out_of_range_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    snapshot before = snapshot_of(batch);
    const float value[4] = {1, 0, 0, 0};
    const size_t n = rod_elements(batch, 5);
    const size_t rod[] = {5, 5, RODS, SIZE_MAX}, index[] = {n + 1, SIZE_MAX, 0, 0};
    for (size_t i = 0; i < 4; i++) {
        const size_t element = index[i] == n + 1 ? n : index[i];
        const rod_status turned = has(batch, ROD_ORIENTATIONS) ? ROD_E_INDEX : ROD_E_ABSENT;
        assert_status(rod_set_inverse_mass(batch, rod[i], index[i], 0), ROD_E_INDEX);
        assert_status(rod_move_particle(batch, rod[i], index[i], value), ROD_E_INDEX);
        assert_status(rod_set_orientation_weight(batch, rod[i], element, 0), turned);
        assert_status(rod_move_orientation(batch, rod[i], element, value), turned);
    }
    assert_status(rod_clamp(batch, RODS, ROD_START), ROD_E_INDEX);
    assert_status(rod_clamp(batch, SIZE_MAX, ROD_END), ROD_E_INDEX);
    assert_status(rod_clamp(batch, 5, (rod_end)(ROD_END + 1)), ROD_E_INDEX);
    assert_status(rod_clamp(batch, 5, (rod_end)-1), ROD_E_INDEX);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void single_bad_values_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    snapshot before = snapshot_of(batch);
    static const float weights[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < 3; i++) {
        const rod_status expected = i == 0 ? ROD_E_MASS : ROD_E_NOT_FINITE;
        assert_status(rod_set_inverse_mass(batch, 5, 0, weights[i]), expected);
        assert_status(rod_set_orientation_weight(batch, 5, 0, weights[i]),
                      has(batch, ROD_ORIENTATION_WEIGHTS) ? expected : ROD_E_ABSENT);
    }
    const float bad[4] = {1, 2, NAN, 3}, zero[4] = {0};
    assert_status(rod_move_particle(batch, 5, 0, bad), ROD_E_NOT_FINITE);
    assert_status(rod_move_particle(batch, 5, 0, NULL), ROD_E_NULL);
    assert_status(rod_move_orientation(batch, 5, 0, NULL), ROD_E_NULL);
    if (has(batch, ROD_ORIENTATIONS)) {
        assert_status(rod_move_orientation(batch, 5, 0, bad), ROD_E_NOT_FINITE);
        assert_status(rod_move_orientation(batch, 5, 0, zero), ROD_E_DIRECTION);
    }
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void single_things_need_a_batch(void **state) {
    (void)state;
    const float value[4] = {1, 0, 0, 0};
    assert_status(rod_clamp(NULL, 0, ROD_START), ROD_E_NULL);
    assert_status(rod_set_inverse_mass(NULL, 0, 0, 1), ROD_E_NULL);
    assert_status(rod_set_orientation_weight(NULL, 0, 0, 1), ROD_E_NULL);
    assert_status(rod_move_particle(NULL, 0, 0, value), ROD_E_NULL);
    assert_status(rod_move_orientation(NULL, 0, 0, value), ROD_E_NULL);
}

/* ---------------------------------------------------------------- stepping */

static void assert_step_refused(rod_batch *batch, rod_step_settings s, rod_status expected) {
    snapshot before = snapshot_of(batch);
    s.frames = 2;
    assert_status(rod_step(batch, &s), expected);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
}

static void steps_with_bad_numbers_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        float value;
        rod_status expected;
    } bad[] = {
        {offsetof(rod_step_settings, dt), 0, ROD_E_TIME_STEP},
        {offsetof(rod_step_settings, dt), -0.01f, ROD_E_TIME_STEP},
        {offsetof(rod_step_settings, dt), 1e-45f, ROD_E_TIME_STEP},
        {offsetof(rod_step_settings, dt), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, dt), INFINITY, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, damping), -0.001f, ROD_E_DAMPING},
        {offsetof(rod_step_settings, damping), 1.001f, ROD_E_DAMPING},
        {offsetof(rod_step_settings, damping), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, rigid_damping), -0.001f, ROD_E_DAMPING},
        {offsetof(rod_step_settings, rigid_damping), 1.001f, ROD_E_DAMPING},
        {offsetof(rod_step_settings, rigid_damping), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, gravity), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, gravity) + 4, INFINITY, ROD_E_NOT_FINITE},
        {offsetof(rod_step_settings, gravity) + 8, -INFINITY, ROD_E_NOT_FINITE},
    };
    rod_batch *batch = new_mixed(NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rod_step_settings s = rod_step_defaults();
        memcpy((char *)&s + bad[i].offset, &bad[i].value, sizeof(float));
        assert_step_refused(batch, s, bad[i].expected);
    }
    rod_destroy(batch);
}

static void steps_without_iterations_or_with_no_order_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    rod_step_settings s = rod_step_defaults();
    s.iterations = 0;
    assert_step_refused(batch, s, ROD_E_ITERATIONS);
    static const int orders[] = {-1, ROD_ORDER_DEFAULT + 1, INT32_MAX};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        s = rod_step_defaults();
        s.order = (rod_order)orders[i];
        assert_step_refused(batch, s, ROD_E_ORDER);
    }
    rod_destroy(batch);
}

static void steps_must_not_be_null(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    const rod_step_settings s = rod_step_defaults();
    assert_status(rod_step(NULL, &s), ROD_E_NULL);
    assert_status(rod_step(batch, NULL), ROD_E_NULL);
    rod_destroy(batch);
}

static void steps_take_the_limits_of_damping(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    rod_step_settings s = rod_step_defaults();
    assert_ok(rod_step(batch, &s));
    s.damping = 1;
    assert_ok(rod_step(batch, &s));
    assert_all(batch, ROD_VELOCITIES, 0);
    assert_all(batch, ROD_ANGULAR_VELOCITIES, 0);
    assert_all(batch, ROD_GHOST_VELOCITIES, 0);
    rod_destroy(batch);
}

static void no_frames_do_nothing(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    rod_step_settings s = rod_step_defaults();
    s.frames = 0;
    assert_ok(rod_step(batch, &s));
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

/* From the very first step on, in every order, with all that a rod can have. */
static void stepping_allocates_nothing(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    const struct mallinfo2 before = mallinfo2();
    for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
        const rod_step_settings settings = hard_settings((rod_order)order);
        const rod_status status = rod_step(batch, &settings);
        const struct mallinfo2 after = mallinfo2();
        assert_ok(status);
        assert_int_equal(after.uordblks, before.uordblks);
        assert_int_equal(after.hblkhd, before.hblkhd);
    }
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- figures */

static void assert_near(float value, double expected) {
    assert_at_most(fabs((double)value - expected), 1e-6);
}

static void strain_of_a_stretched_element(void **state) {
    (void)state;
    rod_batch *batch = new_batch(2, 3);
    rod_strain s;
    assert_ok(rod_move_particle(batch, 1, 3, (const float[]){0, 0, 3.5f}));
    assert_ok(rod_get_strain(batch, 1, &s));
    assert_near(s.stretch_max, 0.5);
    assert_near(s.stretch_rms, 0.5 / sqrt(3));
    assert_near(s.length_ratio, 3.5 / 3);
    assert_near(s.bend_max, 0);
    assert_near(s.bend_rms, 0);
    assert_unstrained(batch, 0, 0);
    rod_destroy(batch);
}

static void strain_of_a_sheared_element(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, 1);
    rod_strain s;
    assert_ok(rod_set(batch, ROD_REST_LENGTHS, 0, 1, (const float[]){2}));
    assert_ok(rod_set(batch, ROD_POSITIONS, 0, 1, (const float[]){1, 1, 1, 1, 3, 1}));
    assert_ok(rod_get_strain(batch, 0, &s));
    assert_near(s.stretch_max, sqrt(2));
    assert_near(s.stretch_rms, sqrt(2));
    assert_near(s.length_ratio, 1);
    assert_near(s.bend_max + s.bend_rms, 0);
    rod_destroy(batch);
}

static void strain_of_a_bent_joint(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        rod_batch *batch = new_batch(1, 3);
        rod_strain s;
        turn(batch, 0, 2, 60, (float)sign);
        assert_ok(rod_get_strain(batch, 0, &s));
        assert_near(s.bend_max, 0.5);
        assert_near(s.bend_rms, 0.5 / sqrt(2));
        assert_near(s.stretch_max, 1); /* two unit vectors 60 degrees apart */
        assert_near(s.length_ratio, 1);
        rod_destroy(batch);
    }
}

static void strain_is_measured_from_the_rest_shape(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, 2);
    rod_strain s;
    assert_ok(rod_set(batch, ROD_REST_DARBOUX, 0, 1, (const float[]){0.5f, 0, 0}));
    assert_ok(rod_get_strain(batch, 0, &s));
    assert_near(s.bend_max, 0.5);
    turn(batch, 0, 1, 60, 1);
    assert_ok(rod_get_strain(batch, 0, &s));
    assert_near(s.bend_max, 0);
    rod_destroy(batch);
}

static rod_figures figures_of(const rod_batch *batch) {
    rod_figures figures;
    assert_ok(rod_get_figures(batch, &figures));
    return figures;
}

static void joints_turned_by_more_than_170_degrees_are_folded(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        rod_batch *batch = new_batch(3, 4);
        assert_int_equal(figures_of(batch).folded_joints, 0);
        turn(batch, 0, 3, 175, (float)sign);
        assert_int_equal(figures_of(batch).folded_joints, 1);
        turn(batch, 2, 1, -171, (float)sign); /* the joints on both sides of it */
        assert_int_equal(figures_of(batch).folded_joints, 3);
        turn(batch, 0, 3, 169, (float)sign);
        turn(batch, 2, 1, 180, (float)sign);
        assert_int_equal(figures_of(batch).folded_joints, 2);
        assert_int_equal(figures_of(batch).sign_flips, 0);
        assert_int_equal(figures_of(batch).broken_rods, 0);
        rod_destroy(batch);
    }
}

/* What a caller can put in does not break a rod; driving it out of float32's range does. */
static void only_rods_that_left_the_numbers_are_broken(void **state) {
    (void)state;
    rod_batch *batch = new_batch(3, 2);
    float fast[9];
    for (size_t i = 0; i < 9; i++)
        fast[i] = FLT_MAX;
    assert_ok(rod_set(batch, ROD_VELOCITIES, 1, 1, fast));
    assert_int_equal(figures_of(batch).broken_rods, 0);
    const rod_step_settings s = {1, 10, ROD_ORDER_CROSS, 10, {0}, 0, 0, 0};
    assert_ok(rod_step(batch, &s));
    assert_int_equal(figures_of(batch).broken_rods, 1);
    assert_int_equal(figures_of(batch).strained_rods, 1);
    assert_unstrained(batch, 0, 0);
    assert_unstrained(batch, 2, 0);
    rod_destroy(batch);
}

/* Moves the tip of a straight rod of one element along it, to so many lengths. */
static void stretch_element(rod_batch *batch, size_t rod, float lengths) {
    float p[6];
    assert_ok(rod_get(batch, ROD_POSITIONS, rod, 1, p));
    for (size_t i = 0; i < 3; i++)
        p[3 + i] = p[i] + lengths * (p[3 + i] - p[i]);
    assert_ok(rod_set(batch, ROD_POSITIONS, rod, 1, p));
}

static void rods_that_left_their_lengths_are_counted(void **state) {
    (void)state;
    static const struct {
        float lengths;
        size_t strained, stretched;
    } cases[] = {{1.04f, 0, 0}, {0.96f, 0, 0}, {1.06f, 1, 0}, {0.94f, 1, 0},
                 {1.9f, 1, 0},  {0.0f, 1, 0},  {2.1f, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rod_batch *batch = new_batch(3, 1);
        stretch_element(batch, 1, cases[i].lengths);
        assert_int_equal(figures_of(batch).strained_rods, cases[i].strained);
        assert_int_equal(figures_of(batch).stretched_rods, cases[i].stretched);
        rod_destroy(batch);
    }
}

static void random_batches_do_not_break(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
        rod_batch *batch = new_random_mixed(&random);
        const rod_step_settings settings = hard_settings((rod_order)order);
        assert_ok(rod_step(batch, &settings));
        assert_int_equal(figures_of(batch).broken_rods, 0);
        rod_destroy(batch);
    }
}

static void figures_must_not_be_null(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    rod_strain strain;
    rod_figures figures;
    assert_status(rod_get_strain(NULL, 0, &strain), ROD_E_NULL);
    assert_status(rod_get_strain(batch, 0, NULL), ROD_E_NULL);
    assert_status(rod_get_strain(batch, RODS, &strain), ROD_E_INDEX);
    assert_status(rod_get_figures(NULL, &figures), ROD_E_NULL);
    assert_status(rod_get_figures(batch, NULL), ROD_E_NULL);
    rod_destroy(batch);
}

int main(void) {
    if (!read_seed("test_api"))
        return 2;
    const struct CMUnitTest tests[] = {
        test_of_each_method(clamp_pins_two_particles_and_their_orientation),
        cmocka_unit_test(pinned_things_keep_their_bits),
        test_of_each_method(a_clamped_rod_of_one_element_stays),
        cmocka_unit_test(moving_sets_one_thing_at_velocity_0),
        cmocka_unit_test(a_driven_end_is_followed),
        test_of_each_method(single_things_out_of_range_are_refused),
        test_of_each_method(single_bad_values_are_refused),
        cmocka_unit_test(single_things_need_a_batch),
        test_of_each_method(steps_with_bad_numbers_are_refused),
        test_of_each_method(steps_without_iterations_or_with_no_order_are_refused),
        cmocka_unit_test(steps_must_not_be_null),
        test_of_each_method(steps_take_the_limits_of_damping),
        test_of_each_method(no_frames_do_nothing),
        test_of_each_method(stepping_allocates_nothing),
        test_of_each_method(strain_of_a_stretched_element),
        cmocka_unit_test(strain_of_a_sheared_element),
        cmocka_unit_test(strain_of_a_bent_joint),
        cmocka_unit_test(strain_is_measured_from_the_rest_shape),
        cmocka_unit_test(joints_turned_by_more_than_170_degrees_are_folded),
        cmocka_unit_test(rods_that_left_their_lengths_are_counted),
        test_of_each_method(only_rods_that_left_the_numbers_are_broken),
        test_of_each_method(random_batches_do_not_break),
        test_of_each_method(figures_must_not_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
