/* What the methods differ in: which quantities they have, ghost points of PBER, angles of strands.
 */
#include "api.h"

/* ---------------------------------------------------------------- quantities */

/* As rod.h says, apart from the library's own table. */
static bool is_promised(rod_method method, rod_quantity quantity) {
    switch (quantity) {
    case ROD_POSITIONS:
    case ROD_VELOCITIES:
    case ROD_INVERSE_MASSES:
    case ROD_FORCES:
    case ROD_REST_LENGTHS:
        return true;
    case ROD_ORIENTATIONS:
    case ROD_ORIENTATION_WEIGHTS:
    case ROD_REST_DARBOUX:
        return method == ROD_METHOD_QUATERNION || method == ROD_METHOD_PBER;
    case ROD_ANGULAR_VELOCITIES:
    case ROD_TORQUES:
    case ROD_INERTIAS:
        return method == ROD_METHOD_QUATERNION;
    case ROD_GHOSTS:
    case ROD_GHOST_VELOCITIES:
        return method == ROD_METHOD_PBER;
    default:
        return method == ROD_METHOD_PBD;
    }
}

static void a_method_has_its_quantities_and_no_others(void **state) {
    (void)state;
    rod_batch *batch = new_batch(2, 3);
    snapshot before = snapshot_of(batch);
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        const rod_quantity quantity = (rod_quantity)q;
        float values[2 * 4 * 4] = {0};
        if (is_promised(test_method, quantity)) {
            assert_true(rod_floats(batch, quantity, 0, 2) > 0);
            assert_ok(rod_get(batch, quantity, 0, 2, values));
        } else {
            assert_int_equal(rod_floats(batch, quantity, 0, 2), 0);
            assert_status(rod_get(batch, quantity, 0, 2, values), ROD_E_ABSENT);
            assert_status(rod_set(batch, quantity, 0, 2, values), ROD_E_ABSENT);
        }
    }
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void strands_have_no_orientation_to_turn_or_to_weigh(void **state) {
    (void)state;
    rod_batch *batch = new_batch(2, 3);
    snapshot before = snapshot_of(batch);
    assert_status(rod_move_orientation(batch, 0, 0, (const float[]){1, 0, 0, 0}), ROD_E_ABSENT);
    assert_status(rod_set_orientation_weight(batch, 0, 0, 0), ROD_E_ABSENT);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void the_default_order_is_the_method_s(void **state) {
    (void)state;
    for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
        const rod_order own =
            test_method == ROD_METHOD_PBER ? ROD_ORDER_CROSS : ROD_ORDER_BILATERAL;
        const rod_step_settings wished = hard_settings((rod_order)order);
        const rod_step_settings plain = hard_settings(ROD_ORDER_DEFAULT);
        rod_random random = new_random(), again = new_random();
        rod_batch *a = new_random_mixed(&random), *b = new_random_mixed(&again);
        assert_ok(rod_step(a, &wished));
        assert_ok(rod_step(b, &plain));
        float *x = read_quantity(a, ROD_POSITIONS, 0, RODS);
        float *y = read_quantity(b, ROD_POSITIONS, 0, RODS);
        const size_t bytes = rod_floats(a, ROD_POSITIONS, 0, RODS) * sizeof *x;
        assert_int_equal(memcmp(x, y, bytes) == 0, (rod_order)order == own);
        free(x);
        free(y);
        rod_destroy(a);
        rod_destroy(b);
    }
}

/* ---------------------------------------------------------------- ghost points */

static vec3 middle(const shape *s, size_t element) {
    return add_scaled(vec3_at(s->x, element), 0.5, edge(s, element));
}

/* What rounded positions leave of a length or a direction. */
static double rounding(const shape *s) {
    return 4 * FLT_EPSILON * (1 + s->reach / s->shortest);
}

static void assert_ghosts_stand_upright(const rod_batch *batch, size_t rod, double height) {
    shape s = shape_of(batch, rod);
    float *ghost = read_quantity(batch, ROD_GHOSTS, rod, 1);
    for (size_t e = 0; e < s.elements; e++) {
        const vec3 n = add_scaled(vec3_at(ghost, e), -1, middle(&s, e));
        assert_at_most(fabs(norm(n) / height - 1), rounding(&s));
        assert_at_most(fabs(dot(unit(n), unit(edge(&s, e)))), rounding(&s));
        /* d1 points to the ghost point */
        assert_at_most(distance(rotated(s.q + 4 * e, (vec3){1, 0, 0}), unit(n)), rounding(&s));
    }
    free(ghost);
    shape_free(&s);
}

static double mean_length(const rod_batch *batch, size_t rod) {
    float *length = read_quantity(batch, ROD_REST_LENGTHS, rod, 1);
    double sum = 0;
    for (size_t e = 0; e < rod_elements(batch, rod); e++)
        sum += (double)length[e];
    free(length);
    return sum / (double)rod_elements(batch, rod);
}

/* Steps of different lengths, none of which turns back. */
static void random_path(rod_random *random, size_t points, float *out) {
    random_row(random, -3, 3, 3, out);
    for (size_t i = 3; i < 3 * points; i += 3) {
        float step[3];
        random_row(random, -1, 1, 3, step);
        step[i / 3 % 3] += 2;
        for (size_t c = 0; c < 3; c++)
            out[i + c] = out[i + c - 3] + step[c];
    }
}

static void shapes_put_ghosts_upright_on_the_middle_at_the_mean_length(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_mixed(NULL);
    for (size_t rod = 0; rod < RODS; rod++) {
        float points[3 * (LONGEST + 1)];
        random_path(&random, rod_elements(batch, rod) + 1, points);
        assert_ok(rod_shape_polyline(batch, rod, points));
        assert_ghosts_stand_upright(batch, rod, mean_length(batch, rod));
    }
    rod_destroy(batch);
}

static void ghosts_follow_a_new_mean_length(void **state) {
    (void)state;
    rod_batch *batch = new_batch(2, 3);
    assert_ok(rod_set(batch, ROD_REST_LENGTHS, 1, 1, (const float[]){1, 2, 6}));
    for (size_t e = 0; e < 3; e++)
        assert_ok(rod_move_orientation(batch, 1, e, (const float[]){1, 0, 0, 0}));
    assert_ghosts_stand_upright(batch, 0, 1);
    assert_ghosts_stand_upright(batch, 1, 3);
    rod_step_settings s = {300, 50, ROD_ORDER_DEFAULT, 0.01f, {0}, 0.1f, 0, 0};
    assert_ok(rod_step(batch, &s));
    shape now = shape_of(batch, 1);
    float *ghost = read_quantity(batch, ROD_GHOSTS, 1, 1);
    for (size_t e = 0; e < 3; e++) {
        assert_at_most(fabs(norm(edge(&now, e)) - (double)now.length[e]), 1e-4);
        assert_at_most(fabs(distance(vec3_at(ghost, e), middle(&now, e)) - 3), 1e-4);
    }
    free(ghost);
    shape_free(&now);
    rod_destroy(batch);
}

static void moving_a_particle_leaves_the_ghosts(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    assert_ok(rod_move_particle(batch, 7, 1, (const float[]){1, 2, 3}));
    snapshot after = snapshot_of(batch);
    assert_memory_equal(after.values[ROD_GHOSTS], before.values[ROD_GHOSTS],
                        rod_floats(batch, ROD_GHOSTS, 0, RODS) * sizeof(float));
    snapshot_free(&before);
    snapshot_free(&after);
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- orientations by ghost points */

/* q or -q */
static double turn_between(const float q[4], const float u[4]) {
    double minus = 0, plus = 0;
    for (int c = 0; c < 4; c++) {
        minus += pow((double)q[c] - (double)u[c], 2);
        plus += pow((double)q[c] + (double)u[c], 2);
    }
    return 2 * sqrt(fmin(minus, plus));
}

/* q times a turn about its own third axis */
static void twisted(const float q[4], double angle, float out[4]) {
    const double c = cos(angle / 2), s = sin(angle / 2);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    out[0] = (float)(w * c - z * s);
    out[1] = (float)(x * c + y * s);
    out[2] = (float)(y * c - x * s);
    out[3] = (float)(z * c + w * s);
}

static void orientations_along_their_elements_come_out_as_they_went_in(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_batch(1, ELEMENTS);
    for (int trial = 0; trial < 20; trial++) {
        const rod_helix h = random_helix(&random);
        assert_ok(rod_shape_helix(batch, 0, &h));
        shape s = shape_of(batch, 0);
        for (size_t e = 0; e < ELEMENTS; e++) {
            const float scale = rod_random_unit(&random) < 0.5 ? -3 : 0.2f; /* made unit */
            twisted(s.q + 4 * e, rod_random_angle(&random), s.q + 4 * e);
            const float *q = s.q + 4 * e;
            const float any[4] = {scale * q[0], scale * q[1], scale * q[2], scale * q[3]};
            assert_ok(rod_move_orientation(batch, 0, e, any));
        }
        shape out = shape_of(batch, 0);
        for (size_t e = 0; e < ELEMENTS; e++)
            assert_at_most(turn_between(out.q + 4 * e, s.q + 4 * e), 4 * rounding(&s));
        assert_ghosts_stand_upright(batch, 0, mean_length(batch, 0));
        shape_free(&s);
        shape_free(&out);
    }
    rod_destroy(batch);
}

/* The element is where its particles are: of the wish, d1 is kept but for what is along it. */
static void of_other_orientations_the_turn_about_the_element_counts(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_batch(1, ELEMENTS);
    const rod_helix h = plain_helix();
    assert_ok(rod_shape_helix(batch, 0, &h));
    float *wish = new_floats(4 * ELEMENTS);
    random_values(&random, ROD_ORIENTATIONS, 4 * ELEMENTS, wish);
    assert_ok(rod_set(batch, ROD_ORIENTATIONS, 0, 1, wish));
    shape s = shape_of(batch, 0);
    for (size_t e = 0; e < ELEMENTS; e++) {
        const vec3 d3 = unit(edge(&s, e)), d1 = rotated(wish + 4 * e, (vec3){1, 0, 0});
        const vec3 across = add_scaled(d1, -dot(d1, d3), d3);
        assert_at_most(distance(director3(s.q, e), d3), rounding(&s));
        assert_at_most(distance(rotated(s.q + 4 * e, (vec3){1, 0, 0}), unit(across)) * norm(across),
                       rounding(&s));
    }
    free(wish);
    shape_free(&s);
    rod_destroy(batch);
}

static void turning_an_orientation_stops_its_ghost(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_batch(1, 3);
    set_random(batch, &random, ROD_GHOST_VELOCITIES);
    float *before = read_quantity(batch, ROD_GHOST_VELOCITIES, 0, 1);
    memset(before + 3, 0, 3 * sizeof *before);
    assert_ok(rod_move_orientation(batch, 0, 1, (const float[]){1, 0, 0, 1}));
    assert_reads(batch, ROD_GHOST_VELOCITIES, 0, before);
    free(before);
    rod_destroy(batch);
}

static rod_batch *new_helix(rod_method method, const rod_helix *h) {
    use_method(method);
    rod_batch *batch = new_batch(1, ELEMENTS);
    assert_ok(rod_shape_helix(batch, 0, h));
    return batch;
}

static void shapes_turn_pber_and_quaternion_rods_alike(void **state) {
    (void)state;
    rod_random random = new_random();
    for (int trial = 0; trial < 20; trial++) {
        const rod_helix h = random_helix(&random);
        rod_batch *pber = new_helix(ROD_METHOD_PBER, &h);
        rod_batch *quaternion = new_helix(ROD_METHOD_QUATERNION, &h);
        shape a = shape_of(pber, 0), b = shape_of(quaternion, 0);
        for (size_t e = 0; e < ELEMENTS; e++)
            assert_at_most(turn_between(a.q + 4 * e, b.q + 4 * e), 4 * rounding(&b));
        assert_memory_equal(a.x, b.x, 3 * (ELEMENTS + 1) * sizeof(float));
        assert_memory_equal(a.rest, b.rest, 3 * (ELEMENTS - 1) * sizeof(float));
        shape_free(&a);
        shape_free(&b);
        rod_destroy(pber);
        rod_destroy(quaternion);
    }
}

/* ---------------------------------------------------------------- half turns of PBER */

/* Two elements along z, the second turned by so many degrees. */
static rod_status shape_turned(rod_batch *batch, size_t rod, double degrees) {
    const double angle = degrees * acos(-1) / 180;
    const float points[9] = {0, 0, -1, 0, 0, 0, (float)sin(angle), 0, (float)cos(angle)};
    return rod_shape_polyline(batch, rod, points);
}

static void rest_shapes_of_a_half_turn_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_batch(3, 2);
    assert_ok(shape_turned(batch, 1, 179.9));
    assert_ok(shape_turned(batch, 1, -179.9));
    snapshot before = snapshot_of(batch);
    assert_status(shape_turned(batch, 1, 180), ROD_E_DARBOUX);
    assert_status(shape_turned(batch, 1, 179.98), ROD_E_DARBOUX);
    assert_status(shape_turned(batch, 1, -179.98), ROD_E_DARBOUX);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void rest_darboux_vectors_of_a_half_turn_are_refused(void **state) {
    (void)state;
    static const float bad[][3] = {{1, 0, 0},          {0, 0, -1},         {0, 0.6f, 0.8f},
                                   {0.9999999f, 0, 0}, {0, 1.0000001f, 0}, {0.6f, 0.6f, 0.6f}};
    static const float good[][3] = {{0.9999995f, 0, 0}, {0, 0, -0.9999995f}, {0, 0.6f, 0.799f}};
    rod_batch *batch = new_batch(3, 2);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_ok(rod_set(batch, ROD_REST_DARBOUX, 1, 1, good[i]));
        assert_reads(batch, ROD_REST_DARBOUX, 1, good[i]);
    }
    snapshot before = snapshot_of(batch);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_status(rod_set(batch, ROD_REST_DARBOUX, 1, 1, bad[i]), ROD_E_DARBOUX);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void rest_shapes_near_a_half_turn_do_no_harm(void **state) {
    (void)state;
    rod_batch *batch = new_batch(3, 2);
    assert_ok(shape_turned(batch, 0, 179.9));
    assert_ok(rod_set(batch, ROD_REST_DARBOUX, 1, 1, (const float[]){0.9999995f, 0, 0}));
    assert_ok(rod_set(batch, ROD_REST_DARBOUX, 2, 1, (const float[]){0, 0, 0.9999995f}));
    const rod_step_settings s = hard_settings(ROD_ORDER_DEFAULT);
    rod_figures figures;
    for (int i = 0; i < 20; i++)
        assert_ok(rod_step(batch, &s));
    assert_ok(rod_get_figures(batch, &figures));
    assert_int_equal(figures.broken_rods, 0);
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- angles of strands */

static void rest_angles_of_a_shape_are_those_between_its_elements(void **state) {
    (void)state;
    static const double degrees[] = {0, 0.001, 1, 60, -90, 120, 179, 179.999, 180};
    rod_batch *batch = new_batch(2, 2);
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        float angle;
        assert_ok(shape_turned(batch, 1, degrees[i]));
        assert_ok(rod_get(batch, ROD_REST_ANGLES, 1, 1, &angle));
        assert_at_most(fabs((double)angle - fabs(degrees[i]) * acos(-1) / 180), 3e-7);
        assert_unstrained(batch, 1, 1e-6);
    }
    assert_reads(batch, ROD_REST_ANGLES, 0, (const float[]){0});
    rod_destroy(batch);
}

static void rest_angles_and_stiffnesses_take_their_limits(void **state) {
    (void)state;
    static const float angles[] = {0, -0.0f, FLT_TRUE_MIN, 1, 3.14159274f};
    static const float parts[] = {0, -0.0f, FLT_TRUE_MIN, 0.5f, 1};
    rod_batch *batch = new_batch(2, 6);
    for (size_t i = 0; i < 5; i++) {
        float rows[3][6];
        for (size_t k = 0; k < 6; k++) {
            rows[0][k] = k < 5 ? angles[(i + k) % 5] : 0;
            rows[1][k] = rows[2][k] = parts[(i + k) % 5];
        }
        assert_ok(rod_set(batch, ROD_REST_ANGLES, 1, 1, rows[0]));
        assert_ok(rod_set(batch, ROD_STRETCH_STIFFNESSES, 1, 1, rows[1]));
        assert_ok(rod_set(batch, ROD_BEND_STIFFNESSES, 1, 1, rows[2]));
        assert_reads(batch, ROD_REST_ANGLES, 1, rows[0]);
        assert_reads(batch, ROD_STRETCH_STIFFNESSES, 1, rows[1]);
        assert_reads(batch, ROD_BEND_STIFFNESSES, 1, rows[2]);
    }
    rod_destroy(batch);
}

static void strains_of_strands_are_lengths_and_angles(void **state) {
    (void)state;
    rod_batch *batch = new_batch(1, 3);
    rod_strain s;
    assert_ok(
        rod_set(batch, ROD_POSITIONS, 0, 1, (const float[]){0, 0, 0, 0, 0, 1, 0, 2, 1, 0, 2, 2}));
    assert_ok(rod_get_strain(batch, 0, &s));
    assert_at_most(fabs((double)s.stretch_max - 1), 1e-6);
    assert_at_most(fabs((double)s.stretch_rms - 1 / sqrt(3)), 1e-6);
    assert_at_most(fabs((double)s.bend_max - acos(0)), 1e-6);
    assert_at_most(fabs((double)s.bend_rms - acos(0)), 1e-6);
    assert_at_most(fabs((double)s.length_ratio - 4.0 / 3), 1e-6);
    assert_ok(rod_set(batch, ROD_REST_ANGLES, 0, 1, (const float[]){0.5f, 1}));
    assert_ok(rod_get_strain(batch, 0, &s));
    assert_at_most(fabs((double)s.bend_max - (acos(0) - 0.5)), 1e-6);
    rod_destroy(batch);
}

/* By the particles alone, whichever method: an element that turns back by so much. */
static void joints_folded_by_their_particles_are_counted(void **state) {
    (void)state;
    static const struct {
        double degrees;
        size_t folded;
    } turns[] = {{0, 0}, {169, 0}, {-169, 0}, {171, 1}, {-171, 1}, {179.9, 1}};
    rod_batch *batch = new_batch(3, 2);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        rod_figures figures;
        assert_ok(shape_turned(batch, 1, turns[i].degrees));
        assert_ok(rod_get_figures(batch, &figures));
        assert_int_equal(figures.folded_joints, turns[i].folded);
    }
    rod_destroy(batch);
}

int main(void) {
    if (!read_seed("test_api"))
        return 2;
    const struct CMUnitTest tests[] = {
        test_of_each_method(a_method_has_its_quantities_and_no_others),
        test_of(pbd, strands_have_no_orientation_to_turn_or_to_weigh),
        test_of_each_method(the_default_order_is_the_method_s),
        test_of(pber, shapes_put_ghosts_upright_on_the_middle_at_the_mean_length),
        test_of(pber, ghosts_follow_a_new_mean_length),
        test_of(pber, moving_a_particle_leaves_the_ghosts),
        test_of(pber, orientations_along_their_elements_come_out_as_they_went_in),
        test_of(pber, of_other_orientations_the_turn_about_the_element_counts),
        test_of(pber, turning_an_orientation_stops_its_ghost),
        test_of(pber, shapes_turn_pber_and_quaternion_rods_alike),
        test_of(pber, rest_shapes_of_a_half_turn_are_refused),
        test_of(pber, rest_darboux_vectors_of_a_half_turn_are_refused),
        test_of(pber, rest_shapes_near_a_half_turn_do_no_harm),
        test_of(pbd, rest_angles_of_a_shape_are_those_between_its_elements),
        test_of(pbd, rest_angles_and_stiffnesses_take_their_limits),
        test_of(pbd, strains_of_strands_are_lengths_and_angles),
        test_of_each_method(joints_folded_by_their_particles_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
