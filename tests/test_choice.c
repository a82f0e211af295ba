/* Which variant a batch gets, and what is said of it. */

#include "api.h"

#include "choose.h"

enum { MANY = 1000 };

static rod_class class_of(rod_method method, rod_shape_class size, rod_order order) {
    return (rod_class){method, size, order, ROD_ACCURACY_FULL};
}

static rod_choice by_default(const rod_class *c, size_t rods) {
    const rod_identity here = rod_identity_here();
    return rod_choose_by(c, rods, NULL, &here);
}

/* ---------------------------------------------------------------- classes */

static void classes_are_numbered_without_gaps(void **state) {
    (void)state;
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        assert_int_equal(rod_class_index(&c), i);
        assert_true((int)c.method < ROD_METHODS);
    }
}

static void borders_of_shapes(void **state) {
    (void)state;
    assert_int_equal(rod_shape_class_of(1, 1), ROD_SHAPE_ONE);
    assert_int_equal(rod_shape_class_of(1, 1000000), ROD_SHAPE_ONE);
    assert_int_equal(rod_shape_class_of(2, 2), ROD_SHAPE_SMALL);
    assert_int_equal(rod_shape_class_of(64, ROD_SMALL_ELEMENTS), ROD_SHAPE_SMALL);
    assert_int_equal(rod_shape_class_of(64, ROD_SMALL_ELEMENTS + 1), ROD_SHAPE_LARGE);
}

static void names_of_classes_are_read_back(void **state) {
    (void)state;
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        rod_class read = {0};
        assert_true(rod_shape_class_named(rod_shape_class_name(c.shape), &read.shape));
        assert_true(rod_order_named(rod_order_name(c.order), &read.order));
        assert_true(rod_accuracy_named(rod_accuracy_name(c.accuracy), &read.accuracy));
        read.method = c.method;
        assert_int_equal(rod_class_index(&read), i);
    }
    rod_order order;
    assert_false(rod_order_named("", &order));
    assert_false(rod_order_named("default", &order));
}

/* ---------------------------------------------------------------- committed defaults */

static void every_class_has_a_default_that_is_native_and_as_accurate(void **state) {
    (void)state;
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        const rod_choice chosen = by_default(&c, MANY);
        assert_non_null(chosen.variant);
        const rod_isa isa = rod_variant_isa(chosen.variant);
        assert_true(isa.native && isa.usable);
        assert_string_equal(chosen.variant->method, rod_method_name(c.method));
        assert_true(rod_variant_has_accuracy(chosen.variant, c.accuracy));
    }
}

static void bare_roots_are_chosen_only_where_they_are_asked_for(void **state) {
    (void)state;
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        if (strcmp(by_default(&c, MANY).variant->norm, "bare") == 0)
            assert_int_equal(c.accuracy, ROD_ACCURACY_BARE);
    }
}

static bool has_chunked(rod_method method) {
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (strcmp(rod_variant_at(i)->method, rod_method_name(method)) == 0 &&
            strcmp(rod_variant_at(i)->layout, "chunked") == 0)
            return true;
    return false;
}

static void one_rod_in_redblack_order_is_chunked_where_there_is_such_a_kernel(void **state) {
    (void)state;
    for (int method = 0; method < ROD_METHODS; method++) {
        const rod_class c = class_of((rod_method)method, ROD_SHAPE_ONE, ROD_ORDER_REDBLACK);
        const bool chunked = strcmp(by_default(&c, 1).variant->layout, "chunked") == 0;
        assert_int_equal(chunked, has_chunked(c.method) && rod_widest_isa().lanes > 1);
    }
}

static void one_rod_in_cross_order_is_never_chunked(void **state) {
    (void)state;
    for (int method = 0; method < ROD_METHODS; method++) {
        const rod_class c = class_of((rod_method)method, ROD_SHAPE_ONE, ROD_ORDER_CROSS);
        assert_string_equal(by_default(&c, 1).variant->layout, "batch");
    }
}

static void few_rods_get_one_vector(void **state) {
    (void)state;
    const rod_class c = class_of(ROD_METHOD_QUATERNION, ROD_SHAPE_SMALL, ROD_ORDER_BILATERAL);
    const size_t lanes = rod_widest_isa().lanes;
    assert_int_equal(by_default(&c, lanes).variant->unroll, 1);
    assert_int_equal(by_default(&c, lanes + 1).variant->unroll, 2);
    assert_non_null(strstr(by_default(&c, lanes).reason, "one vector"));
}

/* ---------------------------------------------------------------- tuned choices */

/* Chosen by nobody else: the slowest there is. */
static const char *const odd_name = "quaternion-textbook-scalar-exact";

static rod_tuned tuned_with(const rod_tuned_choice *choice) {
    return (rod_tuned){rod_identity_here(), choice, 1};
}

static void tuned_choices_win_where_they_are_true(void **state) {
    (void)state;
    const rod_class c = class_of(ROD_METHOD_QUATERNION, ROD_SHAPE_LARGE, ROD_ORDER_BILATERAL);
    const rod_tuned_choice choice = {c, odd_name, "by a trial"};
    const rod_tuned tuned = tuned_with(&choice);
    const rod_choice chosen = rod_choose_by(&c, MANY, &tuned, &tuned.identity);
    assert_string_equal(chosen.variant->name, odd_name);
    assert_non_null(strstr(chosen.reason, "tuned"));
    assert_non_null(strstr(chosen.reason, "by a trial"));
}

static void a_class_without_a_tuned_choice_gets_the_default(void **state) {
    (void)state;
    const rod_class c = class_of(ROD_METHOD_QUATERNION, ROD_SHAPE_LARGE, ROD_ORDER_BILATERAL);
    const rod_class other = class_of(ROD_METHOD_QUATERNION, ROD_SHAPE_LARGE, ROD_ORDER_CROSS);
    const rod_tuned_choice choice = {c, odd_name, ""};
    const rod_tuned tuned = tuned_with(&choice);
    assert_ptr_equal(rod_choose_by(&other, MANY, &tuned, &tuned.identity).variant,
                     rod_default_variant(&other));
}

static void tuned_choices_of_elsewhere_are_not_used_and_why_is_said(void **state) {
    (void)state;
    const rod_class c = class_of(ROD_METHOD_QUATERNION, ROD_SHAPE_LARGE, ROD_ORDER_BILATERAL);
    const rod_tuned_choice choice = {c, odd_name, ""};
    for (size_t part = 0; part < ROD_IDENTITY_PARTS; part++) {
        rod_tuned tuned = tuned_with(&choice);
        const rod_identity here = tuned.identity;
        strcpy(rod_identity_part(&tuned.identity, part), "something else");
        const rod_choice chosen = rod_choose_by(&c, MANY, &tuned, &here);
        assert_ptr_equal(chosen.variant, rod_default_variant(&c));
        assert_non_null(strstr(chosen.reason, "not used"));
        assert_non_null(strstr(chosen.reason, "something else"));
    }
}

static void a_tuned_choice_that_cannot_run_is_not_used(void **state) {
    (void)state;
    const rod_class c = class_of(ROD_METHOD_QUATERNION, ROD_SHAPE_LARGE, ROD_ORDER_BILATERAL);
    const rod_tuned_choice choice = {c, "quaternion-nowhere-u1-exact", ""};
    const rod_tuned tuned = tuned_with(&choice);
    assert_ptr_equal(rod_choose_by(&c, MANY, &tuned, &tuned.identity).variant,
                     rod_default_variant(&c));
}

/* ---------------------------------------------------------------- forced from outside */

static void a_forced_name_is_for_its_method_alone(void **state) {
    (void)state;
    const rod_variant *forced;
    assert_ok(rod_forced_variant(odd_name, ROD_METHOD_QUATERNION, &forced));
    assert_string_equal(forced->name, odd_name);
    assert_ok(rod_forced_variant(odd_name, ROD_METHOD_PBD, &forced));
    assert_null(forced);
    assert_ok(rod_forced_variant("", ROD_METHOD_PBD, &forced));
    assert_null(forced);
}

static void variants_are_forced_by_method(void **state) {
    (void)state;
    const char *text = "pbd=pbd-scalar-u1-exact,quaternion=quaternion-scalar-u2-newton";
    const rod_variant *forced;
    assert_ok(rod_forced_variant(text, ROD_METHOD_QUATERNION, &forced));
    assert_string_equal(forced->name, "quaternion-scalar-u2-newton");
    assert_ok(rod_forced_variant(text, ROD_METHOD_PBD, &forced));
    assert_string_equal(forced->name, "pbd-scalar-u1-exact");
    assert_ok(rod_forced_variant(text, ROD_METHOD_PBER, &forced));
    assert_null(forced);
}

static void what_makes_no_sense_is_refused_for_every_method(void **state) {
    (void)state;
    static const char *const texts[] = {
        "nonsense",
        ",",
        "pbd-scalar-u1-exact,",
        ",pbd-scalar-u1-exact",
        " pbd-scalar-u1-exact",
        "pbd=",
        "=pbd-scalar-u1-exact",
        "pber=pbd-scalar-u1-exact",
        "pbd=pbd=pbd-scalar-u1-exact",
        "pbd-scalar-u1-exact,nonsense",
        "pbd-scalar-u1-exact,pbd-scalar-u2-exact",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int method = 0; method < ROD_METHODS; method++) {
            const rod_variant *forced;
            if (rod_forced_variant(texts[i], (rod_method)method, &forced) != ROD_E_VARIANT)
                fail_msg("'%s' was not refused", texts[i]);
            assert_null(forced);
        }
}

static rod_batch *batch_of(const char *variant) {
    rod_options options = rod_options_default();
    options.variant = variant;
    rod_batch *batch;
    assert_ok(rod_create(&batch, 3, 4, &options));
    return batch;
}

static void the_environment_forces_a_variant(void **state) {
    (void)state;
    setenv("ROD_KERNEL", odd_name, 1);
    rod_batch *batch = batch_of(NULL);
    assert_string_equal(rod_variant_name(batch), odd_name);
    assert_non_null(strstr(rod_variant_reason(batch), "ROD_KERNEL"));
    rod_destroy(batch);
}

static void a_named_variant_wins_over_the_environment(void **state) {
    (void)state;
    setenv("ROD_KERNEL", "nonsense", 1);
    rod_batch *batch = batch_of(odd_name);
    assert_string_equal(rod_variant_name(batch), odd_name);
    assert_non_null(strstr(rod_variant_reason(batch), "named"));
    rod_destroy(batch);
}

static void nonsense_in_the_environment_is_an_error(void **state) {
    (void)state;
    setenv("ROD_KERNEL", "nonsense", 1);
    rod_batch *batch;
    assert_int_equal(rod_create(&batch, 1, 2, NULL), ROD_E_VARIANT);
    assert_null(batch);
}

static void what_cannot_run_here_is_an_error_in_the_environment(void **state) {
    (void)state;
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (!rod_variant_usable(rod_variant_at(i))) {
            setenv("ROD_KERNEL", rod_variant_at(i)->name, 1);
            rod_batch *batch;
            assert_int_equal(rod_create(&batch, 1, 2, NULL), ROD_E_UNUSABLE);
            return;
        }
    skip();
}

static int clear_environment(void **state) {
    (void)state;
    unsetenv("ROD_KERNEL");
    unsetenv("ROD_EXPLAIN");
    return 0;
}

/* ---------------------------------------------------------------- options */

static void the_order_is_a_hint(void **state) {
    (void)state;
    rod_options options = rod_options_default();
    options.order = ROD_ORDER_CROSS;
    rod_batch *batch;
    assert_ok(rod_create(&batch, 1, 50, &options));
    assert_ptr_equal(rod_variant_named(rod_variant_name(batch)),
                     rod_chosen_variant(ROD_METHOD_QUATERNION, 1, 50, ROD_ORDER_CROSS));
    assert_non_null(strstr(rod_variant_reason(batch), "cross"));
    rod_step_settings settings = rod_step_defaults();
    for (int order = 0; order <= ROD_ORDER_DEFAULT; order++) {
        settings.order = (rod_order)order;
        assert_ok(rod_step(batch, &settings));
    }
    rod_destroy(batch);
}

static void options_that_are_none_are_refused(void **state) {
    (void)state;
    rod_batch *batch;
    rod_options options = rod_options_default();
    options.order = (rod_order)(ROD_ORDER_DEFAULT + 1);
    assert_int_equal(rod_create(&batch, 1, 2, &options), ROD_E_ORDER);
    options = rod_options_default();
    options.accuracy = (rod_accuracy)ROD_ACCURACIES;
    assert_int_equal(rod_create(&batch, 1, 2, &options), ROD_E_ACCURACY);
    options.accuracy = (rod_accuracy)-1;
    assert_int_equal(rod_create(&batch, 1, 2, &options), ROD_E_ACCURACY);
}

static void accuracy_decides_the_roots(void **state) {
    (void)state;
    for (int accuracy = 0; accuracy < ROD_ACCURACIES; accuracy++) {
        rod_options options = rod_options_default();
        options.accuracy = (rod_accuracy)accuracy;
        rod_batch *batch;
        assert_ok(rod_create(&batch, 100, 20, &options));
        const rod_variant *v = rod_variant_named(rod_variant_name(batch));
        assert_true(rod_variant_has_accuracy(v, options.accuracy));
        rod_destroy(batch);
    }
}

static void nothing_has_no_reason(void **state) {
    (void)state;
    assert_string_equal(rod_variant_reason(NULL), "");
}

#define alone(test) cmocka_unit_test_setup_teardown(test, clear_environment, clear_environment)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_numbered_without_gaps),
        cmocka_unit_test(borders_of_shapes),
        cmocka_unit_test(names_of_classes_are_read_back),
        cmocka_unit_test(every_class_has_a_default_that_is_native_and_as_accurate),
        cmocka_unit_test(bare_roots_are_chosen_only_where_they_are_asked_for),
        cmocka_unit_test(one_rod_in_redblack_order_is_chunked_where_there_is_such_a_kernel),
        cmocka_unit_test(one_rod_in_cross_order_is_never_chunked),
        cmocka_unit_test(few_rods_get_one_vector),
        cmocka_unit_test(tuned_choices_win_where_they_are_true),
        cmocka_unit_test(a_class_without_a_tuned_choice_gets_the_default),
        cmocka_unit_test(tuned_choices_of_elsewhere_are_not_used_and_why_is_said),
        cmocka_unit_test(a_tuned_choice_that_cannot_run_is_not_used),
        cmocka_unit_test(a_forced_name_is_for_its_method_alone),
        cmocka_unit_test(variants_are_forced_by_method),
        cmocka_unit_test(what_makes_no_sense_is_refused_for_every_method),
        alone(the_environment_forces_a_variant),
        alone(a_named_variant_wins_over_the_environment),
        alone(nonsense_in_the_environment_is_an_error),
        alone(what_cannot_run_here_is_an_error_in_the_environment),
        alone(the_order_is_a_hint),
        alone(options_that_are_none_are_refused),
        alone(accuracy_decides_the_roots),
        cmocka_unit_test(nothing_has_no_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
