/* Creating a batch: what is refused, and what one looks like at first. */
#include "api.h"

/* ---------------------------------------------------------------- status */

static void each_status_has_its_own_text(void **state) {
    (void)state;
    enum { UNKNOWN = ROD_E_UNUSABLE + 1 };
    for (int a = 0; a <= UNKNOWN; a++) {
        assert_non_null(rod_status_text((rod_status)a));
        assert_true(strlen(rod_status_text((rod_status)a)) > 0);
        for (int b = 0; b < a; b++)
            assert_string_not_equal(rod_status_text((rod_status)a), rod_status_text((rod_status)b));
    }
    assert_string_equal(rod_status_text((rod_status)-1), rod_status_text((rod_status)UNKNOWN));
}

/* ---------------------------------------------------------------- creation */

/* A pointer that is not NULL, to see that a failing creation makes it NULL. */
static rod_batch *no_batch(void) {
    static char nothing;
    return (rod_batch *)&nothing;
}

static void assert_mixed_refused(size_t rods, const size_t *elements, const rod_options *options,
                                 rod_status expected) {
    rod_batch *batch = no_batch();
    assert_status(rod_create_mixed(&batch, rods, elements, options), expected);
    assert_null(batch);
}

/* Neither of the two ways to create a batch makes one; the lengths of more than one rod are for
 * sizes that are refused before they are read. */
static void assert_refused(size_t rods, size_t elements, const rod_options *options,
                           rod_status expected) {
    rod_batch *batch = no_batch();
    assert_status(rod_create(&batch, rods, elements, options), expected);
    assert_null(batch);
    assert_mixed_refused(rods, &elements, options, expected);
}

static void creation_needs_somewhere_to_put_the_batch(void **state) {
    (void)state;
    const size_t elements[] = {3, 4};
    assert_status(rod_create(NULL, 1, 1, NULL), ROD_E_NULL);
    assert_status(rod_create_mixed(NULL, 2, elements, NULL), ROD_E_NULL);
}

static void mixed_creation_needs_the_lengths(void **state) {
    (void)state;
    assert_mixed_refused(2, NULL, NULL, ROD_E_NULL);
}

static void creation_refuses_empty_batches(void **state) {
    (void)state;
    assert_refused(0, 1, NULL, ROD_E_NO_RODS);
    assert_refused(1, 0, NULL, ROD_E_NO_ELEMENTS);
}

static void creation_refuses_one_rod_without_elements_among_others(void **state) {
    (void)state;
    for (size_t empty = 0; empty < 5; empty++) {
        size_t elements[] = {3, 1, 4, 1, 5};
        elements[empty] = 0;
        assert_mixed_refused(5, elements, NULL, ROD_E_NO_ELEMENTS);
    }
}

static void creation_refuses_what_no_address_space_holds(void **state) {
    (void)state;
    assert_refused(SIZE_MAX, 1, NULL, ROD_E_TOO_LARGE);
    assert_refused(1, SIZE_MAX, NULL, ROD_E_TOO_LARGE);
    assert_refused(1, SIZE_MAX / 4, NULL, ROD_E_TOO_LARGE);
    assert_refused(1, SIZE_MAX / sizeof(float), NULL, ROD_E_TOO_LARGE);
    assert_refused(SIZE_MAX, SIZE_MAX, NULL, ROD_E_TOO_LARGE);
    rod_batch *batch = no_batch();
    assert_status(rod_create(&batch, (size_t)1 << 40, (size_t)1 << 30, NULL), ROD_E_TOO_LARGE);
    assert_null(batch);
}

/* Only rod_create: the array of lengths alone would be larger than memory. */
static void assert_does_not_fit(size_t rods, size_t elements) {
    rod_batch *batch = no_batch();
    const rod_status status = rod_create(&batch, rods, elements, NULL);
    assert_true(status == ROD_E_MEMORY || status == ROD_E_TOO_LARGE);
    assert_null(batch);
}

/* More than the 47 bits of a process each, so that no system takes it for possible. */
static void creation_refuses_what_memory_does_not_hold(void **state) {
    (void)state;
    assert_does_not_fit((size_t)1 << 20, (size_t)1 << 30);
    assert_does_not_fit((size_t)1 << 50, 1);
    assert_does_not_fit((size_t)1 << 18, UINT32_MAX - 1);
    assert_does_not_fit((size_t)1 << 16, UINT32_MAX);
}

static void creation_refuses_one_huge_rod_among_others(void **state) {
    (void)state;
    const size_t elements[] = {3, SIZE_MAX, 1};
    assert_mixed_refused(3, elements, NULL, ROD_E_TOO_LARGE);
}

static void creation_refuses_an_unknown_variant(void **state) {
    (void)state;
    static const char *const names[] = {"", "quaternion", "quaternion-avx2-u3-exact", "QUATERNION"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rod_options options = rod_options_default();
        options.variant = names[i];
        assert_refused(1, 3, &options, ROD_E_VARIANT);
    }
}

static void creation_refuses_a_variant_of_another_method(void **state) {
    (void)state;
    for (size_t i = 0; i < rod_variant_count(); i++)
        for (int method = 0; method < ROD_METHODS; method++) {
            rod_options options = variant_options(rod_variant_at(i));
            if ((int)options.method == method)
                continue;
            options.method = (rod_method)method;
            assert_refused(1, 3, &options, ROD_E_VARIANT);
        }
}

static const rod_variant *unusable_variant(void) {
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (!rod_variant_usable(rod_variant_at(i)))
            return rod_variant_at(i);
    return NULL;
}

static void creation_refuses_a_variant_that_cannot_run_here(void **state) {
    (void)state;
    const rod_variant *variant = unusable_variant();
    if (!variant)
        skip();
    const rod_options options = variant_options(variant);
    assert_refused(1, 3, &options, ROD_E_UNUSABLE);
}

static void creation_refuses_no_threads_and_too_many(void **state) {
    (void)state;
    static const size_t threads[] = {0, ROD_MAX_THREADS + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        rod_options options = rod_options_default();
        options.threads = threads[i];
        assert_refused(1, 3, &options, ROD_E_THREADS);
    }
}

static void creation_takes_as_many_threads_as_allowed(void **state) {
    (void)state;
    rod_options options = rod_options_default();
    options.threads = ROD_MAX_THREADS;
    rod_batch *batch;
    assert_ok(rod_create(&batch, 2, 3, &options));
    rod_destroy(batch);
}

static void creation_refuses_an_unknown_method(void **state) {
    (void)state;
    static const int methods[] = {-1, ROD_METHODS, INT32_MAX};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        rod_options options = rod_options_default();
        options.method = (rod_method)methods[i];
        assert_refused(1, 3, &options, ROD_E_METHOD);
    }
}

static void destroying_nothing_is_allowed(void **state) {
    (void)state;
    rod_destroy(NULL);
}

static void a_batch_knows_its_rods(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    assert_int_equal(rod_count(batch), RODS);
    for (size_t rod = 0; rod < RODS; rod++)
        assert_int_equal(rod_elements(batch, rod), 1 + 7 * rod % LONGEST);
    assert_int_equal(rod_elements(batch, RODS), 0);
    assert_int_equal(rod_elements(batch, SIZE_MAX), 0);
    rod_destroy(batch);
}

static void the_default_variant_is_a_usable_one_of_the_registry(void **state) {
    (void)state;
    for (size_t rods = 1; rods <= 64; rods *= 2) {
        rod_batch *batch = new_batch(rods, 2);
        const rod_variant *variant = rod_variant_named(rod_variant_name(batch));
        assert_non_null(variant);
        assert_true(rod_variant_usable(variant));
        assert_string_equal(variant->method, rod_method_name(test_method));
        assert_string_not_equal(variant->norm, "bare");
        rod_destroy(batch);
    }
}

static void a_batch_uses_the_variant_that_was_asked_for(void **state) {
    (void)state;
    for (size_t i = 0; i < rod_variant_count(); i++) {
        if (!rod_variant_usable(rod_variant_at(i)))
            continue;
        const rod_options options = variant_options(rod_variant_at(i));
        rod_batch *batch = new_mixed(&options);
        assert_string_equal(rod_variant_name(batch), options.variant);
        assert_int_equal(rod_method_of(batch), options.method);
        rod_destroy(batch);
    }
}

/* ---------------------------------------------------------------- initial state */

static void assert_starts_along_z(const rod_batch *batch, size_t rod) {
    shape s = shape_of(batch, rod);
    for (size_t i = 0; i <= s.elements; i++)
        assert_true(s.x[3 * i] == 0 && s.x[3 * i + 1] == 0 && s.x[3 * i + 2] == (float)i);
    for (size_t e = 0; s.q && e < s.elements; e++)
        assert_true(s.q[4 * e] == 1 && all_equal_to(s.q + 4 * e + 1, 3, 0));
    shape_free(&s);
}

static void rods_start_straight_along_z_with_unit_elements(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    for (size_t rod = 0; rod < RODS; rod++)
        assert_starts_along_z(batch, rod);
    assert_all(batch, ROD_REST_LENGTHS, 1);
    assert_all(batch, ROD_REST_DARBOUX, 0);
    assert_all(batch, ROD_REST_ANGLES, 0);
    rod_destroy(batch);
}

static void rods_start_free_and_at_rest(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    static const rod_quantity zeros[] = {ROD_VELOCITIES, ROD_ANGULAR_VELOCITIES,
                                         ROD_GHOST_VELOCITIES, ROD_FORCES, ROD_TORQUES};
    static const rod_quantity ones[] = {ROD_INVERSE_MASSES, ROD_ORIENTATION_WEIGHTS, ROD_INERTIAS,
                                        ROD_STRETCH_STIFFNESSES, ROD_BEND_STIFFNESSES};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        assert_all(batch, zeros[i], 0);
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        assert_all(batch, ones[i], 1);
    rod_destroy(batch);
}

static void rods_start_at_full_stiffness(void **state) {
    (void)state;
    rod_batch *batch = new_mixed(NULL);
    const rod_stiffness full = {1, 1, 1, 1, 1, 1};
    for (size_t rod = 0; rod < RODS; rod++) {
        rod_stiffness stiffness;
        assert_ok(rod_get_stiffness(batch, rod, &stiffness));
        assert_memory_equal(&stiffness, &full, sizeof full);
    }
    rod_destroy(batch);
}

static void default_settings_are_those_of_the_papers(void **state) {
    (void)state;
    const rod_step_settings s = rod_step_defaults();
    assert_int_equal(s.frames, 1);
    assert_int_equal(s.iterations, 10);
    assert_int_equal(s.order, ROD_ORDER_DEFAULT);
    assert_true(s.dt == 0.01f && s.damping == 0 && s.rigid_damping == 0);
    assert_false(s.stiffness_per_frame);
    assert_true(s.gravity[0] == 0 && s.gravity[1] == -9.81f && s.gravity[2] == 0);
    const rod_options o = rod_options_default();
    assert_int_equal(o.method, ROD_METHOD_QUATERNION);
    assert_null(o.variant);
    assert_int_equal(o.threads, 1);
}

/* ---------------------------------------------------------------- memory */

static double bytes_per_element(const rod_batch *batch) {
    return (double)rod_resident_bytes(batch) / (double)(rod_count(batch) * ELEMENTS);
}

static void a_batch_takes_at_most_96_bytes_an_element(void **state) {
    (void)state;
    rod_random random = new_random();
    rod_batch *batch = new_batch(4096, ELEMENTS);
    print_message("%.2f bytes an element\n", bytes_per_element(batch));
    assert_at_most(bytes_per_element(batch), 96);
    for (size_t rod = 0; rod < 4096; rod++) {
        const rod_helix h = random_helix(&random);
        assert_ok(rod_shape_helix(batch, rod, &h));
        assert_ok(rod_clamp(batch, rod, ROD_START));
    }
    print_message("%.2f bytes an element of clamped helices\n", bytes_per_element(batch));
    assert_at_most(bytes_per_element(batch), 96);
    rod_destroy(batch);
}

static void assert_aligned(const float *storage) {
    assert_non_null(storage);
    assert_int_equal((uintptr_t)storage % 64, 0);
}

/* What all methods have, and what the batch's own has. */
static void assert_block_is_aligned(const rod_batch *batch, const rod_block *b) {
    const float *const common[] = {b->x,     b->v,    b->w, b->length, b->lane_constant,
                                   b->force, b->flips};
    static const size_t own_count[ROD_METHODS] = {6, 5, 5};
    const float *const own[ROD_METHODS][6] = {
        {b->q, b->omega, b->rest, b->wq, b->torque, b->inertia},
        {b->ghost, b->ghost_v, b->rest, b->wq, b->fall},
        {b->angle, b->stretch_stiffness, b->bend_stiffness, b->set_stretch, b->set_bend},
    };
    for (size_t k = 0; k < sizeof common / sizeof *common; k++)
        assert_aligned(common[k]);
    for (size_t k = 0; k < own_count[batch->method]; k++)
        assert_aligned(own[batch->method][k]);
}

static void check_alignment(rod_batch *batch, rod_order order) {
    (void)order;
    rod_random random = new_random();
    for (int q = 0; q < ROD_QUANTITIES; q++)
        set_random(batch, &random, (rod_quantity)q);
    for (size_t i = 0; i < batch->blocks; i++)
        assert_block_is_aligned(batch, &batch->block[i]);
    assert_aligned(batch->scratch);
    assert_int_equal(batch->scratch_floats % 16, 0);
}

static void storage_is_aligned_to_64_bytes(void **state) {
    (void)state;
    for_each_variant(check_alignment);
}

int main(void) {
    if (!read_seed("test_api"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_status_has_its_own_text),
        cmocka_unit_test(creation_needs_somewhere_to_put_the_batch),
        cmocka_unit_test(mixed_creation_needs_the_lengths),
        cmocka_unit_test(creation_refuses_empty_batches),
        cmocka_unit_test(creation_refuses_one_rod_without_elements_among_others),
        cmocka_unit_test(creation_refuses_what_no_address_space_holds),
        cmocka_unit_test(creation_refuses_what_memory_does_not_hold),
        cmocka_unit_test(creation_refuses_one_huge_rod_among_others),
        cmocka_unit_test(creation_refuses_an_unknown_variant),
        cmocka_unit_test(creation_refuses_a_variant_of_another_method),
        cmocka_unit_test(creation_refuses_a_variant_that_cannot_run_here),
        cmocka_unit_test(creation_refuses_no_threads_and_too_many),
        cmocka_unit_test(creation_takes_as_many_threads_as_allowed),
        cmocka_unit_test(creation_refuses_an_unknown_method),
        cmocka_unit_test(destroying_nothing_is_allowed),
        test_of_each_method(a_batch_knows_its_rods),
        test_of_each_method(the_default_variant_is_a_usable_one_of_the_registry),
        cmocka_unit_test(a_batch_uses_the_variant_that_was_asked_for),
        test_of_each_method(rods_start_straight_along_z_with_unit_elements),
        test_of_each_method(rods_start_free_and_at_rest),
        test_of_each_method(rods_start_at_full_stiffness),
        cmocka_unit_test(default_settings_are_those_of_the_papers),
        test_of_each_method(a_batch_takes_at_most_96_bytes_an_element),
        cmocka_unit_test(storage_is_aligned_to_64_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
