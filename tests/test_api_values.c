/* Plain arrays in and out of a batch. */
#include "api.h"

/* ---------------------------------------------------------------- arrays in and out */

static size_t entries_of(size_t elements, rod_quantity quantity) {
    switch (rod_shape_of(quantity).rows) {
    case ROWS_PARTICLES:
        return elements + 1;
    case ROWS_JOINTS:
        return elements - 1;
    case ROWS_ELEMENTS:
    default:
        return elements;
    }
}

static void arrays_have_an_entry_for_each_particle_element_or_joint(void **state) {
    (void)state;
    static const size_t components[ROD_QUANTITIES] = {3, 3, 1, 3, 4, 3, 1, 3,
                                                      3, 1, 3, 3, 3, 1, 1, 1};
    rod_batch *batch = new_mixed(NULL);
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        if (!has(batch, (rod_quantity)q))
            continue;
        size_t sum = 0;
        for (size_t rod = 0; rod < RODS; rod++) {
            const size_t entries = entries_of(rod_elements(batch, rod), (rod_quantity)q);
            assert_int_equal(rod_floats(batch, (rod_quantity)q, rod, 1), entries * components[q]);
            assert_int_equal(rod_floats(batch, (rod_quantity)q, 0, rod), sum);
            sum += entries * components[q];
        }
        assert_int_equal(rod_floats(batch, (rod_quantity)q, 0, RODS), sum);
    }
    rod_destroy(batch);
}

/* Sets the rods in the batch and in the plain arrays that it should equal. Orientations of PBER,
 * which set ghost points, have tests of their own. */
static void set_both(rod_batch *batch, snapshot *expected, rod_random *random,
                     rod_quantity quantity, size_t first, size_t count) {
    if (!keeps(batch, quantity))
        return;
    float *at = expected->values[quantity] + rod_floats(batch, quantity, 0, first);
    random_values(random, quantity, rod_floats(batch, quantity, first, count), at);
    assert_ok(rod_set(batch, quantity, first, count, at));
}

static void what_was_set_can_be_read_for_all_rods(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_mixed(NULL);
    snapshot expected = snapshot_of(batch);
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        set_both(batch, &expected, &random, (rod_quantity)q, 0, RODS);
        assert_batch_holds(batch, &expected);
    }
    snapshot_free(&expected);
    rod_destroy(batch);
}

static void what_was_set_can_be_read_for_single_rods(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_mixed(NULL);
    snapshot expected = snapshot_of(batch);
    for (size_t rod = 0; rod < RODS; rod++) {
        for (int q = 0; q < ROD_QUANTITIES; q++)
            set_both(batch, &expected, &random, (rod_quantity)q, rod, 1);
        assert_batch_holds(batch, &expected);
    }
    snapshot_free(&expected);
    rod_destroy(batch);
}

static void what_was_set_can_be_read_for_ranges_of_rods(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_mixed(NULL);
    snapshot expected = snapshot_of(batch);
    for (int i = 0; i < 100; i++) {
        const size_t first = rod_random_u64(&random) % (RODS + 1);
        const size_t count = rod_random_u64(&random) % (RODS - first + 1);
        const rod_quantity q = (rod_quantity)(rod_random_u64(&random) % ROD_QUANTITIES);
        set_both(batch, &expected, &random, q, first, count);
        assert_batch_holds(batch, &expected);
        if (!has(batch, q))
            continue;
        float *range = read_quantity(batch, q, first, count);
        float *all = read_quantity(batch, q, 0, RODS);
        assert_memory_equal(range, all + rod_floats(batch, q, 0, first),
                            rod_floats(batch, q, first, count) * sizeof(float));
        free(range);
        free(all);
    }
    snapshot_free(&expected);
    rod_destroy(batch);
}

/* Equal lengths are kept apart from different ones; both must read back over each other. */
static void rest_lengths_may_become_equal_again(void **state) {
    (void)state;
    rod_batch *batch = new_batch(2, 3);
    static const float rows[][3] = {{2, 2, 2}, {1, 2, 3}, {3, 3, 3}, {3, 2, 3}, {5, 5, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(rod_set(batch, ROD_REST_LENGTHS, 0, 1, rows[i]));
        assert_ok(
            rod_step(batch, &(rod_step_settings){1, 1, ROD_ORDER_CROSS, 0.01f, {0}, 0, 0, 0}));
        assert_reads(batch, ROD_REST_LENGTHS, 0, rows[i]);
        assert_reads(batch, ROD_REST_LENGTHS, 1, (const float[]){1, 1, 1});
    }
    rod_destroy(batch);
}

static void stiffness_can_be_read_back(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    for (size_t rod = 0; rod < RODS; rod++) {
        const float part = (float)rod / RODS;
        const rod_stiffness k = {part, 1 - part, 0, 1, part / 2, part / 3};
        assert_ok(rod_set_stiffness(batch, rod, &k));
    }
    for (size_t rod = 0; rod < RODS; rod++) {
        const float part = (float)rod / RODS;
        const rod_stiffness expected = {part, 1 - part, 0, 1, part / 2, part / 3};
        rod_stiffness k;
        assert_ok(rod_get_stiffness(batch, rod, &k));
        assert_memory_equal(&k, &expected, sizeof k);
    }
    rod_destroy(batch);
}

static void orientations_of_any_length_come_out_as_units(void **state) {
    (void)state;
    static const float scales[] = {1e-30f, 1e-22f, 1e-18f, 1e-3f, 7, 1e15f, 1e25f, 1e37f};
    rod_random random = new_random();
    rod_batch *batch = new_batch(1, 1);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        float q[4], out[4];
        random_orientation(&random, q);
        for (int c = 0; c < 4; c++)
            q[c] *= scales[i];
        snprintf(test_subject, sizeof test_subject, "for |q| = %g", (double)scales[i]);
        assert_ok(rod_set(batch, ROD_ORIENTATIONS, 0, 1, q));
        assert_ok(rod_get(batch, ROD_ORIENTATIONS, 0, 1, out));
        assert_at_most(fabs(quaternion_norm(out) - 1), 2e-7);
        for (int c = 0; c < 4; c++)
            assert_at_most(fabs((double)out[c] - (double)q[c] / (double)scales[i]), 5e-7);
    }
    rod_destroy(batch);
}

/* ---------------------------------------------------------------- arrays, refused */

static void assert_no_such_rods(rod_batch *batch, size_t first, size_t count, float *values) {
    for (int q = 0; q < ROD_QUANTITIES; q++) {
        const rod_status expected = has(batch, (rod_quantity)q) ? ROD_E_INDEX : ROD_E_ABSENT;
        assert_int_equal(rod_floats(batch, (rod_quantity)q, first, count), 0);
        assert_status(rod_get(batch, (rod_quantity)q, first, count, values), expected);
        assert_status(rod_set(batch, (rod_quantity)q, first, count, values), expected);
    }
}

static void ranges_past_the_last_rod_are_refused(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    snapshot before = snapshot_of(batch);
    float value = 1;
    static const size_t ranges[][2] = {
        {RODS, 1},     {0, RODS + 1}, {RODS - 1, 2}, {RODS + 1, 0},
        {SIZE_MAX, 1}, {1, SIZE_MAX}, {SIZE_MAX, 2}, {SIZE_MAX, SIZE_MAX},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        assert_no_such_rods(batch, ranges[i][0], ranges[i][1], &value);
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void ranges_of_no_rods_are_fine(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    float value = 17;
    for (size_t first = 0; first <= RODS; first++) {
        assert_int_equal(rod_floats(batch, ROD_POSITIONS, first, 0), 0);
        assert_ok(rod_get(batch, ROD_POSITIONS, first, 0, &value));
        assert_ok(rod_set(batch, ROD_POSITIONS, first, 0, &value));
    }
    assert_true(value == 17);
    rod_destroy(batch);
}

static void unknown_quantities_are_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    float value = 1;
    static const int unknown[] = {-1, ROD_QUANTITIES, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        const rod_quantity quantity = (rod_quantity)unknown[i];
        assert_int_equal(rod_floats(batch, quantity, 0, 1), 0);
        assert_status(rod_get(batch, quantity, 0, 1, &value), ROD_E_QUANTITY);
        assert_status(rod_set(batch, quantity, 0, 1, &value), ROD_E_QUANTITY);
    }
    rod_destroy(batch);
}

static void arrays_must_not_be_null(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    float value = 1;
    assert_status(rod_get(NULL, ROD_POSITIONS, 0, 1, &value), ROD_E_NULL);
    assert_status(rod_set(NULL, ROD_POSITIONS, 0, 1, &value), ROD_E_NULL);
    assert_status(rod_get(batch, ROD_POSITIONS, 0, 1, NULL), ROD_E_NULL);
    assert_status(rod_set(batch, ROD_POSITIONS, 0, 1, NULL), ROD_E_NULL);
    assert_int_equal(rod_floats(NULL, ROD_POSITIONS, 0, 1), 0);
    rod_destroy(batch);
}

/* Sets all rods with one bad entry: the first, one in the middle, or the very last. */
static void assert_bad_entry(rod_batch *batch, rod_random *random, rod_quantity quantity,
                             const float *bad, rod_status expected) {
    const size_t components = rod_shape_of(quantity).components;
    const size_t floats = rod_floats(batch, quantity, 0, RODS), entries = floats / components;
    const size_t where[] = {0, entries / 2, entries - 1};
    snapshot before = snapshot_of(batch);
    float *values = new_floats(floats);
    for (size_t i = 0; i < 3; i++) {
        random_values(random, quantity, floats, values);
        memcpy(values + where[i] * components, bad, components * sizeof *bad);
        assert_status(rod_set(batch, quantity, 0, RODS, values), expected);
    }
    assert_unchanged(batch, &before);
    free(values);
    snapshot_free(&before);
}

static void assert_not_finite_refused(rod_batch *batch, rod_random *random) {
    static const float values[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int q = 0; q < ROD_QUANTITIES; q++)
        for (size_t c = 0;
             has(batch, (rod_quantity)q) && c < rod_shape_of((rod_quantity)q).components; c++)
            for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
                float entry[4];
                random_entry(random, (rod_quantity)q, entry);
                entry[c] = values[i];
                assert_bad_entry(batch, random, (rod_quantity)q, entry, ROD_E_NOT_FINITE);
            }
}

/* In a new batch, a refused set must not make room for optional quantities either. */
static void setting_refuses_what_is_not_finite_and_changes_nothing(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *changed = new_random_mixed(&random), *fresh = new_mixed(NULL);
    assert_not_finite_refused(changed, &random);
    assert_not_finite_refused(fresh, &random);
    rod_destroy(changed);
    rod_destroy(fresh);
}

static void setting_refuses_values_out_of_range_and_changes_nothing(void **state) {
    (void)state;
    static const struct {
        rod_quantity quantity;
        float entry[4];
        rod_status expected;
    } bad[] = {
        {ROD_INVERSE_MASSES, {-1}, ROD_E_MASS},
        {ROD_INVERSE_MASSES, {-FLT_MIN}, ROD_E_MASS},
        {ROD_ORIENTATION_WEIGHTS, {-1}, ROD_E_MASS},
        {ROD_ORIENTATION_WEIGHTS, {-FLT_MIN}, ROD_E_MASS},
        {ROD_REST_LENGTHS, {0}, ROD_E_LENGTH},
        {ROD_REST_LENGTHS, {-0.0f}, ROD_E_LENGTH},
        {ROD_REST_LENGTHS, {-1}, ROD_E_LENGTH},
        {ROD_ORIENTATIONS, {0, 0, 0, 0}, ROD_E_DIRECTION},
        {ROD_ORIENTATIONS, {-0.0f, 0, -0.0f, 0}, ROD_E_DIRECTION},
        {ROD_REST_DARBOUX, {1.0001f, 0, 0}, ROD_E_DARBOUX},
        {ROD_REST_DARBOUX, {0, -1.0001f, 0}, ROD_E_DARBOUX},
        {ROD_REST_DARBOUX, {0.6f, 0.6f, 0.6f}, ROD_E_DARBOUX},
        {ROD_REST_DARBOUX, {0, 0, FLT_MAX}, ROD_E_DARBOUX},
        {ROD_INERTIAS, {0, 1, 1}, ROD_E_INERTIA},
        {ROD_INERTIAS, {1, 0, 1}, ROD_E_INERTIA},
        {ROD_INERTIAS, {1, 1, 0}, ROD_E_INERTIA},
        {ROD_INERTIAS, {1, -1, 1}, ROD_E_INERTIA},
        {ROD_REST_ANGLES, {-FLT_MIN}, ROD_E_ANGLE},
        {ROD_REST_ANGLES, {3.1416f}, ROD_E_ANGLE},
        {ROD_STRETCH_STIFFNESSES, {-FLT_MIN}, ROD_E_STIFFNESS},
        {ROD_STRETCH_STIFFNESSES, {1 + FLT_EPSILON}, ROD_E_STIFFNESS},
        {ROD_BEND_STIFFNESSES, {-FLT_MIN}, ROD_E_STIFFNESS},
        {ROD_BEND_STIFFNESSES, {1 + FLT_EPSILON}, ROD_E_STIFFNESS},
    };
    rod_random random = new_random();
    rod_batch *batch = new_random_mixed(&random);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (has(batch, bad[i].quantity))
            assert_bad_entry(batch, &random, bad[i].quantity, bad[i].entry, bad[i].expected);
    rod_destroy(batch);
}

static void darboux_vectors_of_length_1_are_accepted(void **state) {
    (void)state;
    static const float vectors[][3] = {{1, 0, 0}, {0, 0, -1}, {0.6f, 0.8f, 0}, {0, 0.28f, 0.96f}};
    rod_batch *batch = new_batch(1, 2);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        assert_ok(rod_set(batch, ROD_REST_DARBOUX, 0, 1, vectors[i]));
        assert_reads(batch, ROD_REST_DARBOUX, 0, vectors[i]);
    }
    rod_destroy(batch);
}

static void stiffness_out_of_range_is_refused(void **state) {
    (void)state;
    static const float bad[] = {-0.001f, 1.001f, NAN, INFINITY, -INFINITY};
    rod_batch *batch = new_mixed(NULL);
    snapshot before = snapshot_of(batch);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (size_t c = 0; c < 6; c++) {
            float k[] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
            k[c] = bad[i];
            const rod_stiffness stiffness = {k[0], k[1], k[2], k[3], k[4], k[5]};
            assert_status(rod_set_stiffness(batch, 3, &stiffness), ROD_E_STIFFNESS);
        }
    assert_unchanged(batch, &before);
    snapshot_free(&before);
    rod_destroy(batch);
}

static void stiffness_of_no_rod_is_refused(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    rod_stiffness k = {0};
    assert_status(rod_set_stiffness(batch, RODS, &k), ROD_E_INDEX);
    assert_status(rod_get_stiffness(batch, RODS, &k), ROD_E_INDEX);
    assert_status(rod_set_stiffness(batch, 0, NULL), ROD_E_NULL);
    assert_status(rod_get_stiffness(batch, 0, NULL), ROD_E_NULL);
    assert_status(rod_set_stiffness(NULL, 0, &k), ROD_E_NULL);
    assert_status(rod_get_stiffness(NULL, 0, &k), ROD_E_NULL);
    rod_destroy(batch);
}

int main(void) {
    if (!read_seed("test_api"))
        return 2;
    const struct CMUnitTest tests[] = {
        test_of_each_method(arrays_have_an_entry_for_each_particle_element_or_joint),
        test_of_each_method(what_was_set_can_be_read_for_all_rods),
        test_of_each_method(what_was_set_can_be_read_for_single_rods),
        test_of_each_method(what_was_set_can_be_read_for_ranges_of_rods),
        test_of_each_method(rest_lengths_may_become_equal_again),
        test_of_each_method(stiffness_can_be_read_back),
        cmocka_unit_test(orientations_of_any_length_come_out_as_units),
        test_of_each_method(ranges_past_the_last_rod_are_refused),
        test_of_each_method(ranges_of_no_rods_are_fine),
        test_of_each_method(unknown_quantities_are_refused),
        test_of_each_method(arrays_must_not_be_null),
        test_of_each_method(setting_refuses_what_is_not_finite_and_changes_nothing),
        test_of_each_method(setting_refuses_values_out_of_range_and_changes_nothing),
        cmocka_unit_test(darboux_vectors_of_length_1_are_accepted),
        test_of_each_method(stiffness_out_of_range_is_refused),
        test_of_each_method(stiffness_of_no_rod_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
