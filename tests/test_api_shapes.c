/* Rest shapes. */
#include "api.h"

/* ---------------------------------------------------------------- shapes */

/* How far rounded positions may turn or stretch an element. */
static double rounding(const shape *s) {
    return 2 * FLT_EPSILON * (1 + s->reach / s->shortest);
}

/* |sin(angle / 2)| between two elements */
static double sine_of_half_turn(const shape *s, size_t joint) {
    return 0.5 * distance(unit(edge(s, joint)), unit(edge(s, joint + 1)));
}

static void assert_elements_follow(const shape *s) {
    for (size_t e = 0; e < s->elements; e++) {
        const double length = (double)s->length[e];
        assert_at_most(fabs(norm(edge(s, e)) / length - 1), rounding(s));
        if (!s->q)
            continue;
        assert_at_most(distance(unit(edge(s, e)), director3(s->q, e)), rounding(s));
        assert_at_most(fabs(quaternion_norm(s->q + 4 * e) - 1), 2e-7);
    }
}

static void assert_joints_do_not_twist(const shape *s) {
    for (size_t j = 0; j + 1 < s->elements; j++) {
        const vec3 rest = vec3_at(s->rest, j);
        assert_at_most(fabs(rest.z), 1e-6);
        assert_at_most(fabs(norm(rest) - sine_of_half_turn(s, j)), rounding(s));
    }
}

/* Strands keep the angles between their elements. Near 0 and pi an angle is the root of what
 * rounding leaves, so its half's sine is compared. */
static void assert_joints_keep_their_angles(const shape *s) {
    for (size_t j = 0; j + 1 < s->elements; j++)
        assert_at_most(fabs(sin((double)s->rest[j] / 2) - sine_of_half_turn(s, j)), rounding(s));
}

static void assert_rests(const rod_batch *batch, size_t rod, rod_quantity velocities) {
    if (!has(batch, velocities))
        return;
    float *v = read_quantity(batch, velocities, rod, 1);
    assert_true(all_equal_to(v, rod_floats(batch, velocities, rod, 1), 0));
    free(v);
}

/* What every shape promises of the rod that it was given to. */
static void assert_shaped(const rod_batch *batch, size_t rod) {
    shape s = shape_of(batch, rod);
    assert_elements_follow(&s);
    if (s.q)
        assert_joints_do_not_twist(&s);
    else
        assert_joints_keep_their_angles(&s);
    assert_unstrained(batch, rod, 2 * rounding(&s));
    assert_rests(batch, rod, ROD_VELOCITIES);
    assert_rests(batch, rod, ROD_ANGULAR_VELOCITIES);
    assert_rests(batch, rod, ROD_GHOST_VELOCITIES);
    shape_free(&s);
}

static void assert_straight(const rod_batch *batch, size_t rod, const float *start,
                            const float *direction, float length) {
    shape s = shape_of(batch, rod);
    const vec3 along = unit(vec3_at(direction, 0));
    for (size_t i = 0; i <= s.elements; i++) {
        const double part = (double)length * (double)i / (double)s.elements;
        const vec3 expected = add_scaled(vec3_at(start, 0), part, along);
        assert_at_most(distance(vec3_at(s.x, i), expected), FLT_EPSILON * s.reach);
    }
    assert_true(all_equal_to(s.length, s.elements, s.length[0]));
    shape_free(&s);
}

static void straight_shape_is_straight(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    for (size_t rod = 0; rod < RODS; rod++) {
        float start[3], direction[3];
        random_row(&random, -5, 5, 3, start);
        random_row(&random, -5, 5, 3, direction);
        const float length = (float)rod_random_between(&random, 0.1, 9);
        assert_ok(rod_shape_straight(batch, rod, start, direction, length));
        assert_shaped(batch, rod);
        assert_straight(batch, rod, start, direction, length);
    }
    rod_destroy(batch);
}

/* Of which exactly backwards is the one that has no shortest turn. */
static void straight_shape_takes_every_axis(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, 5);
    const float start[3] = {1, 2, 3};
    for (int i = 0; i < 6; i++) {
        float direction[3] = {0};
        direction[i / 2] = i % 2 == 0 ? 1 : -1;
        assert_ok(rod_shape_straight(batch, 0, start, direction, 2));
        assert_shaped(batch, 0);
        assert_straight(batch, 0, start, direction, 2);
    }
    rod_destroy(batch);
}

static void straight_shape_takes_a_direction_of_any_length(void **state) {
    (void)state;
    static const float scales[] = {1e-30f, 1e-10f, 1e10f, 1e37f};
    rod_batch *batch = new_batch(1, 5);
    const float start[3] = {0};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        const float direction[3] = {scales[i], 2 * scales[i], -scales[i]};
        assert_ok(rod_shape_straight(batch, 0, start, direction, 2));
        assert_straight(batch, 0, start, direction, 2);
    }
    rod_destroy(batch);
}

static void random_walk(rod_random *random, size_t points, float *out) {
    random_row(random, -5, 5, 3, out);
    for (size_t i = 3; i < 3 * points; i += 3) {
        float step[3];
        random_row(random, -1, 1, 3, step);
        /* no element much shorter than the others, or rounding would be all that is seen */
        const double scale = rod_random_between(random, 0.5, 2) / norm(vec3_at(step, 0));
        for (size_t c = 0; c < 3; c++)
            out[i + c] = out[i + c - 3] + (float)scale * step[c];
    }
}

static void polyline_shape_goes_through_its_points(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    for (size_t rod = 0; rod < RODS; rod++) {
        float points[3 * (LONGEST + 1)];
        random_walk(&random, rod_elements(batch, rod) + 1, points);
        assert_ok(rod_shape_polyline(batch, rod, points));
        assert_shaped(batch, rod);
        assert_reads(batch, ROD_POSITIONS, rod, points);
    }
    rod_destroy(batch);
}

static void polyline_may_turn_back_by_180_degrees(void **state) {
    (void)state;
    static const float lines[][15] = {
        {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0},
        {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0},
        {0, 0, 0, 1, 2, 3, 0, 0, 0, -1, -2, -3, 1, 2, 3},
        {0, 0, 0, 0, 0, -1, 0, 0, -2, 0, 0, -1, 1, 0, -1},
    };
    rod_batch *batch = new_batch(1, 4);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_ok(rod_shape_polyline(batch, 0, lines[i]));
        assert_shaped(batch, 0);
        assert_reads(batch, ROD_POSITIONS, 0, lines[i]);
    }
    rod_destroy(batch);
}

static void assert_on_helix(const rod_batch *batch, size_t rod, const rod_helix *h) {
    shape s = shape_of(batch, rod);
    const vec3 start = vec3_at(h->start, 0), axis = unit(vec3_at(h->axis, 0));
    const vec3 inward = vec3_at(h->inward, 0);
    const vec3 out = unit(add_scaled(add_scaled((vec3){0}, -1, inward), dot(inward, axis), axis));
    const vec3 centre = add_scaled(start, -(double)h->radius, out);
    for (size_t i = 0; i <= s.elements; i++) {
        const double turns = (double)h->turns * (double)i / (double)s.elements;
        const double angle = 2 * acos(-1) * turns, r = (double)h->radius;
        vec3 expected = add_scaled(centre, (double)h->pitch * turns, axis);
        expected = add_scaled(expected, r * cos(angle), out);
        expected = add_scaled(expected, r * sin(angle), cross(axis, out));
        assert_at_most(distance(vec3_at(s.x, i), expected), FLT_EPSILON * s.reach);
    }
    shape_free(&s);
}

/* Other numbers of elements may have chords so short that rounding is all that is seen. */
static void helix_shape_is_a_helix(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_batch(RODS, ELEMENTS);
    for (size_t rod = 0; rod < RODS; rod++) {
        const rod_helix h = random_helix(&random);
        assert_ok(rod_shape_helix(batch, rod, &h));
        assert_shaped(batch, rod);
        assert_on_helix(batch, rod, &h);
    }
    rod_destroy(batch);
}

static void helix_elements_have_one_length(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, ELEMENTS);
    const rod_helix h = plain_helix();
    assert_ok(rod_shape_helix(batch, 0, &h));
    float *length = read_quantity(batch, ROD_REST_LENGTHS, 0, 1);
    assert_true(all_equal_to(length, ELEMENTS, length[0]));
    assert_at_most(fabs((double)length[0] - 0.3248), 5e-5);
    free(length);
    rod_destroy(batch);
}

static void helix_of_radius_0_is_straight(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, ELEMENTS);
    rod_helix h = plain_helix();
    h.radius = 0;
    assert_ok(rod_shape_helix(batch, 0, &h));
    assert_shaped(batch, 0);
    assert_straight(batch, 0, h.start, h.axis, 5);
    rod_destroy(batch);
}

static void shapes_keep_pins_weights_and_stiffness(void **state) {
    (void)state;
    static const rod_quantity kept[] = {
        ROD_INVERSE_MASSES, ROD_ORIENTATION_WEIGHTS, ROD_FORCES,          ROD_TORQUES,
        ROD_INERTIAS,       ROD_STRETCH_STIFFNESSES, ROD_BEND_STIFFNESSES};
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    const rod_helix h = plain_helix();
    for (size_t rod = 0; rod < RODS; rod++)
        if (rod_elements(batch, rod) % 5 != 0) /* 5 whole turns in so many elements are no curve */
            assert_ok(rod_shape_helix(batch, rod, &h));
    snapshot after = snapshot_of(batch);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (has(batch, kept[i]))
            assert_memory_equal(after.values[kept[i]], before.values[kept[i]],
                                rod_floats(batch, kept[i], 0, RODS) * sizeof(float));
    assert_memory_equal(after.stiffness, before.stiffness, RODS * sizeof *after.stiffness);
    snapshot_free(&before);
    snapshot_free(&after);
    rod_destroy(batch);
}

static void a_shape_changes_no_other_rod(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    assert_ok(rod_shape_straight(batch, 7, (const float[]){1, 2, 3}, (const float[]){1, 1, 1}, 2));
    for (int q = 0; q < ROD_QUANTITIES; q++)
        for (size_t rod = 0; rod < RODS; rod++)
            if (rod != 7 && has(batch, (rod_quantity)q))
                assert_reads(batch, (rod_quantity)q, rod,
                             before.values[q] + rod_floats(batch, (rod_quantity)q, 0, rod));
    snapshot_free(&before);
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- shapes, refused */

static void bad_straight_shapes_are_refused(void **state) {
    (void)state;
    static const struct {
        float start[3], direction[3], length;
        rod_status expected;
    } bad[] = {
        {{0}, {0}, 1, ROD_E_DIRECTION},
        {{0}, {0, -0.0f, 0}, 1, ROD_E_DIRECTION},
        {{0}, {1}, 0, ROD_E_LENGTH},
        {{0}, {1}, -1, ROD_E_LENGTH},
        {{0, NAN}, {1}, 1, ROD_E_NOT_FINITE},
        {{0, 0, INFINITY}, {1}, 1, ROD_E_NOT_FINITE},
        {{0}, {1, 0, NAN}, 1, ROD_E_NOT_FINITE},
        {{0}, {-INFINITY}, 1, ROD_E_NOT_FINITE},
        {{0}, {1}, NAN, ROD_E_NOT_FINITE},
        {{0}, {1}, INFINITY, ROD_E_NOT_FINITE},
        {{FLT_MAX}, {1}, FLT_MAX, ROD_E_NOT_FINITE},
    };
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_status(rod_shape_straight(batch, 7, bad[i].start, bad[i].direction, bad[i].length),
                      bad[i].expected);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

/* One bad point at each place in turn. */
static void bad_polylines_are_refused(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    const size_t n = rod_elements(batch, 7);
    float good[3 * (LONGEST + 1)], points[3 * (LONGEST + 1)];
    random_walk(&random, n + 1, good);
    for (size_t i = 0; i <= n; i++) {
        memcpy(points, good, sizeof points);
        points[3 * i + i % 3] = i % 2 == 0 ? NAN : INFINITY;
        assert_status(rod_shape_polyline(batch, 7, points), ROD_E_NOT_FINITE);
        memcpy(points, good, sizeof points);
        memcpy(points + 3 * i, points + 3 * (i > 0 ? i - 1 : 1), 3 * sizeof *points);
        assert_status(rod_shape_polyline(batch, 7, points), ROD_E_LENGTH);
    }
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void assert_helix_refused(rod_helix h, rod_status expected) {
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    assert_status(rod_shape_helix(batch, 7, &h), expected);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void bad_helices_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        float value;
        rod_status expected;
    } bad[] = {
        {offsetof(rod_helix, start), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, axis), INFINITY, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, axis), 0, ROD_E_DIRECTION},
        {offsetof(rod_helix, inward), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, inward) + 2 * sizeof(float), 0, ROD_E_DIRECTION},
        {offsetof(rod_helix, radius), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, radius), -0.5f, ROD_E_LENGTH},
        {offsetof(rod_helix, pitch), -INFINITY, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, turns), NAN, ROD_E_NOT_FINITE},
        {offsetof(rod_helix, turns), 0, ROD_E_LENGTH},
        {offsetof(rod_helix, turns), -1, ROD_E_LENGTH},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rod_helix h = plain_helix();
        memcpy((char *)&h + bad[i].offset, &bad[i].value, sizeof(float));
        assert_helix_refused(h, bad[i].expected);
    }
    rod_helix point = plain_helix();
    point.radius = point.pitch = 0;
    assert_helix_refused(point, ROD_E_LENGTH);
}

/* Which way is inward cannot be told from what rounding leaves of a parallel direction. */
static void helix_with_inward_along_its_axis_is_refused(void **state) {
    (void)state;
    static const float axes[][3] = {
        {1, 0, 0}, {0, 3, 0}, {1, 1, 1}, {1, 2, 3}, {0.3f, -0.7f, 0.1f}};
    static const float factors[] = {1, -1, 2, 0.5f, 1024};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
            rod_helix h = plain_helix();
            for (size_t c = 0; c < 3; c++) {
                h.axis[c] = axes[i][c];
                h.inward[c] = factors[k] * axes[i][c];
            }
            assert_helix_refused(h, ROD_E_DIRECTION);
        }
}

static void shapes_of_no_rod_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    const float a[3] = {0}, b[3] = {1};
    const rod_helix h = plain_helix();
    static const size_t none[] = {RODS, SIZE_MAX};
    for (size_t i = 0; i < 2; i++) {
        assert_status(rod_shape_straight(batch, none[i], a, b, 1), ROD_E_INDEX);
        assert_status(rod_shape_polyline(batch, none[i], a), ROD_E_INDEX);
        assert_status(rod_shape_helix(batch, none[i], &h), ROD_E_INDEX);
    }
    rod_destroy(batch);
}

static void shapes_must_not_be_null(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    const float a[3] = {0}, b[3] = {1};
    const rod_helix h = plain_helix();
    assert_status(rod_shape_straight(NULL, 0, a, b, 1), ROD_E_NULL);
    assert_status(rod_shape_straight(batch, 0, NULL, b, 1), ROD_E_NULL);
    assert_status(rod_shape_straight(batch, 0, a, NULL, 1), ROD_E_NULL);
    assert_status(rod_shape_polyline(NULL, 0, a), ROD_E_NULL);
    assert_status(rod_shape_polyline(batch, 0, NULL), ROD_E_NULL);
    assert_status(rod_shape_helix(NULL, 0, &h), ROD_E_NULL);
    assert_status(rod_shape_helix(batch, 0, NULL), ROD_E_NULL);
    rod_destroy(batch);
}

int main(void) {
    if (!read_seed("test_api"))
        return 2;
    const struct CMUnitTest tests[] = {
        test_of_each_method(straight_shape_is_straight),
        test_of_each_method(straight_shape_takes_every_axis),
        test_of_each_method(straight_shape_takes_a_direction_of_any_length),
        test_of_each_method(polyline_shape_goes_through_its_points),
        test_of(quaternion, polyline_may_turn_back_by_180_degrees),
        test_of(pbd, polyline_may_turn_back_by_180_degrees),
        test_of_each_method(helix_shape_is_a_helix),
        test_of_each_method(helix_elements_have_one_length),
        test_of_each_method(helix_of_radius_0_is_straight),
        test_of_each_method(shapes_keep_pins_weights_and_stiffness),
        test_of_each_method(a_shape_changes_no_other_rod),
        test_of_each_method(bad_straight_shapes_are_refused),
        test_of_each_method(bad_polylines_are_refused),
        test_of_each_method(bad_helices_are_refused),
        test_of_each_method(helix_with_inward_along_its_axis_is_refused),
        test_of_each_method(shapes_of_no_rod_are_refused),
        test_of_each_method(shapes_must_not_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
