/* Which variants, neighbours and threads must give the same result, to the bit or closely. */
#include "batch_property.h"

/* ---------------------------------------------------------------- neighbours and threads */

typedef void comparison(const rod_batch *a, size_t rod_a, const rod_batch *b, size_t rod_b);

/* Rods come in threes of a length, of which one will do where there is one sweep for all. */
static void compare_alone_and_among(const rod_variant *v, rod_order order, const recipe *recipes,
                                    comparison *compare) {
    const rod_options options = options_of(v);
    const rod_step_settings s = settings_of(order, 8);
    rod_batch *all = new_random_batch(&options, recipes, RODS);
    step(all, &s);
    for (size_t rod = 0; rod < RODS; rod += is_quaternion(v) ? 1 : 3) {
        rod_batch *alone = new_random_batch(&options, recipes + rod, 1);
        step(alone, &s);
        compare(all, rod, alone, 0);
        rod_destroy(alone);
    }
    rod_destroy(all);
}

static void check_bits_among_equals(const rod_variant *v, rod_order order) {
    recipe recipes[RODS];
    random_recipes(recipes);
    for (size_t rod = 0; rod < RODS; rod++)
        recipes[rod] = (recipe){.elements = LONGEST, .seed = recipes[rod].seed, .clamped = true};
    compare_alone_and_among(v, order, recipes, assert_same_bits);
}

/* Neighbours of another length or with other pins may send an element the general way instead of
 * the uniform one, which differs in rounding. */
static void rods_have_the_same_bits_alone_and_among_equals(void **state) {
    (void)state;
    for_each(any_variant, check_bits_among_equals);
}

static void assert_close(const rod_batch *a, size_t rod_a, const rod_batch *b, size_t rod_b) {
    assert_at_most(largest_distance(a, rod_a, b, rod_b), 1e-5);
}

static void assert_roughly_close(const rod_batch *a, size_t rod_a, const rod_batch *b,
                                 size_t rod_b) {
    assert_at_most(largest_distance(a, rod_a, b, rod_b), 5e-3);
}

static void check_places_among_others(const rod_variant *v, rod_order order) {
    recipe recipes[RODS];
    random_recipes(recipes);
    compare_alone_and_among(v, order, recipes, is_bare(v) ? assert_roughly_close : assert_close);
}

static void rods_go_the_same_way_alone_and_among_others(void **state) {
    (void)state;
    for_each(any_variant, check_places_among_others);
}

static void check_threads(const rod_variant *v, rod_order order) {
    recipe recipes[RODS];
    random_recipes(recipes);
    const rod_step_settings s = settings_of(order, 2);
    rod_options options = options_of(v);
    rod_batch *one = new_random_batch(&options, recipes, RODS);
    step(one, &s);
    for (options.threads = 2; options.threads <= 3; options.threads++) {
        rod_batch *more = new_random_batch(&options, recipes, RODS);
        step(more, &s);
        assert_same_batches(one, more);
        rod_destroy(more);
    }
    rod_destroy(one);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    for_each(any_variant, check_threads);
}

static void check_frames_in_parts(const rod_variant *v, rod_order order) {
    recipe recipes[RODS];
    random_recipes(recipes);
    const rod_options options = options_of(v);
    const rod_step_settings ten = settings_of(order, 10), five = settings_of(order, 5);
    rod_batch *once = new_random_batch(&options, recipes, RODS);
    rod_batch *twice = new_random_batch(&options, recipes, RODS);
    step(once, &ten);
    step(twice, &five);
    step(twice, &five);
    assert_same_batches(once, twice);
    rod_destroy(once);
    rod_destroy(twice);
}

static void ten_frames_are_two_times_five(void **state) {
    (void)state;
    for_each(any_variant, check_frames_in_parts);
}

/* Harder than it should be, with forces: lanes and rows without a rod see all of it, too. */
static void check_padding(const rod_variant *v, rod_order order) {
    recipe recipes[RODS];
    random_recipes(recipes);
    const rod_options options = options_of(v);
    const rod_step_settings s = settings_of(order, 30);
    rod_batch *batch = new_random_batch(&options, recipes, RODS);
    rod_random random = rod_random_seed(test_seed);
    set_random_row(batch, 3, ROD_FORCES, &random, 10);
    set_random_row(batch, 4, ROD_TORQUES, &random, 10);
    assert_arena_is_finite(batch);
    step(batch, &s);
    assert_arena_is_finite(batch);
    rod_destroy(batch);
}

static void padding_stays_finite(void **state) {
    (void)state;
    for_each(any_variant, check_padding);
}

/* ---------------------------------------------------------------- variants against each other */

/* Of one length and clamped alike, so that the uniform ranges of all blocks are the same. */
static rod_batch *new_clamped_curls(const rod_variant *v, size_t rods) {
    rod_batch *batch = new_batch(v, rods, ELEMENTS);
    for (size_t rod = 0; rod < rods; rod++) {
        rod_random random = rod_random_seed(test_seed + rod);
        give_random_shape(batch, rod, &random);
        give_random_velocities(batch, rod, &random);
        assert_ok(rod_clamp(batch, rod, ROD_START));
    }
    return batch;
}

static void compare_unrolls(const rod_variant *v, rod_order order, void prepare(rod_batch *batch)) {
    const rod_variant *two = sibling(v, 2, v->norm, v->weights);
    if (v->unroll != 1 || !two)
        return;
    const rod_step_settings s = settings_of(order, 20);
    rod_batch *a = new_clamped_curls(v, RODS), *b = new_clamped_curls(two, RODS);
    prepare(a);
    prepare(b);
    step(a, &s);
    step(b, &s);
    assert_same_batches(a, b);
    rod_destroy(a);
    rod_destroy(b);
}

static void as_they_are(rod_batch *batch) {
    (void)batch;
}

static void check_unroll(const rod_variant *v, rod_order order) {
    compare_unrolls(v, order, as_they_are);
}

static void exact_variants_have_the_same_bits_at_any_unroll(void **state) {
    (void)state;
    for_each(is_exact, check_unroll);
}

/* Two neighbours far from the rod's ends, against each other and by some radians. */
static void spin_two(rod_batch *batch) {
    if (!has(batch, ROD_ANGULAR_VELOCITIES))
        return;
    float *omega = read_quantity(batch, ROD_ANGULAR_VELOCITIES, 2, 1);
    float *middle = omega + 3 * (rod_elements(batch, 2) / 2);
    middle[0] = 500.0f;
    middle[3] = -500.0f;
    assert_ok(rod_set(batch, ROD_ANGULAR_VELOCITIES, 2, 1, omega));
    free(omega);
}

static void check_spinning(const rod_variant *v, rod_order order) {
    const rod_step_settings s = settings_of(order, 3);
    rod_batch *batch = new_clamped_curls(v, RODS);
    rod_figures figures;
    spin_two(batch);
    step(batch, &s);
    assert_ok(rod_get_figures(batch, &figures));
    if (figures.sign_flips == 0 && is_quaternion(v))
        fail_msg("seed %" PRIu64 " %s: no joint turned over", test_seed, test_subject);
    rod_destroy(batch);
    compare_unrolls(v, order, spin_two);
}

/* Where a sweep in one stream predicts the rows ahead of it, and finds one that turned over. */
static void they_have_them_where_orientations_turn_over(void **state) {
    (void)state;
    for_each(is_exact, check_spinning);
}

/* Straight rods, and long enough for what happens in lanes without a rod to add up. */
static void pull(rod_batch *batch) {
    rod_step_settings s = settings_of(ROD_ORDER_SEQUENTIAL, 100);
    s.iterations = 2;
    s.damping = 0;
    float forces[3 * (ELEMENTS + 1)];
    for (size_t i = 0; i < 3 * (ELEMENTS + 1); i++)
        forces[i] = 0.001f * (float)(i % 7);
    for (size_t rod = 0; rod < RODS; rod++) {
        const float start[] = {0, 0, 0}, direction[] = {1, 0, 0};
        assert_ok(rod_shape_straight(batch, rod, start, direction, 2));
        assert_ok(rod_clamp(batch, rod, ROD_START));
        assert_ok(rod_set(batch, ROD_FORCES, rod, 1, forces));
    }
    step(batch, &s);
}

static void check_pulled(const rod_variant *v, rod_order order) {
    compare_unrolls(v, order, pull);
}

static void they_have_them_where_forces_act(void **state) {
    (void)state;
    for_each(is_exact, check_pulled);
}

static size_t compared;

static void check_weights(const rod_variant *v, rod_order order) {
    enum { FEW = 5 };
    const rod_variant *general = sibling(v, v->unroll, v->norm, "general");
    compared++;
    const rod_step_settings s = settings_of(order, 50);
    rod_batch *a = new_clamped_curls(v, FEW), *b = new_clamped_curls(general, FEW);
    step(a, &s);
    step(b, &s);
    for (size_t rod = 0; rod < FEW; rod++)
        assert_agree(a, rod, b, rod, 1e-5);
    rod_destroy(a);
    rod_destroy(b);
}

/* Not every variant has one, by the registry. */
static bool has_general_sibling(const rod_variant *v) {
    return is_uniform(v) && sibling(v, v->unroll, v->norm, "general");
}

static void uniform_and_general_variants_agree(void **state) {
    (void)state;
    for_each(has_general_sibling, check_weights);
    assert_true(compared > 0);
}

int main(void) {
    if (!read_seed("test_batch"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_have_the_same_bits_alone_and_among_equals),
        cmocka_unit_test(rods_go_the_same_way_alone_and_among_others),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(ten_frames_are_two_times_five),
        cmocka_unit_test(padding_stays_finite),
        cmocka_unit_test(exact_variants_have_the_same_bits_at_any_unroll),
        cmocka_unit_test(they_have_them_where_orientations_turn_over),
        cmocka_unit_test(they_have_them_where_forces_act),
        cmocka_unit_test(uniform_and_general_variants_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
