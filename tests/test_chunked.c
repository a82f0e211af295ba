/* Chunked variants, whose lanes are elements or iterations of one rod, beside the plain batch
 * kernel of the same method and order, where a lane is a rod. */
#include "batch_property.h"

enum { MOST = 1000 };

static bool is_chunked(const rod_variant *v) {
    return is(v->layout, "chunked");
}

/* ---------------------------------------------------------------- rods of all kinds */

typedef struct {
    size_t elements, iterations, frames;
    bool general; /* weights, lengths, stiffness, forces at random; strands: rigid damping */
    uint64_t seed;
} trial;

static void set_between(rod_batch *batch, rod_quantity quantity, rod_random *random, double least,
                        double most) {
    if (!has(batch, quantity))
        return;
    float values[3 * (MOST + 1)];
    const size_t count = rod_floats(batch, quantity, 0, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)rod_random_between(random, least, most);
    assert_ok(rod_set(batch, quantity, 0, 1, values));
}

static void make_general(rod_batch *batch, rod_random *random) {
    const rod_stiffness k = {0.7f, 0.9f, 1.0f, (float)rod_random_between(random, 0.3, 1),
                             0.8f, 0.6f};
    set_between(batch, ROD_INVERSE_MASSES, random, 0.5, 2);
    set_between(batch, ROD_ORIENTATION_WEIGHTS, random, 0.5, 2);
    set_between(batch, ROD_REST_LENGTHS, random, 0.28, 0.36);
    set_between(batch, ROD_FORCES, random, -5, 5);
    set_between(batch, ROD_STRETCH_STIFFNESSES, random, 0.5, 1);
    set_between(batch, ROD_BEND_STIFFNESSES, random, 0, 1);
    if (rod_random_u64(random) % 2 == 0)
        assert_ok(rod_set_stiffness(batch, 0, &k));
}

static rod_batch *new_trial(const rod_variant *v, const trial *t) {
    rod_random random = rod_random_seed(t->seed);
    rod_batch *batch = new_batch(v, 1, t->elements);
    give_random_shape(batch, 0, &random);
    if (t->general)
        make_general(batch, &random);
    pin_somewhere(batch, 0, &random);
    if (rod_random_u64(&random) % 4 == 0)
        assert_ok(rod_clamp(batch, 0, ROD_END));
    set_between(batch, ROD_VELOCITIES, &random, -1, 1);
    set_between(batch, ROD_ANGULAR_VELOCITIES, &random, -2, 2);
    set_between(batch, ROD_GHOST_VELOCITIES, &random, -1, 1);
    return batch;
}

static const rod_variant *plain(const rod_variant *v) {
    char name[64];
    snprintf(name, sizeof name, "%s-scalar-u1-exact-general", v->method);
    return rod_variant_named(name);
}

static void compare(const rod_variant *v, rod_order order, const trial *t) {
    rod_step_settings s = settings_of(order, t->frames);
    s.iterations = t->iterations;
    s.rigid_damping = is_pbd(v) && t->general ? 0.1f : 0.0f;
    snprintf(test_subject, sizeof test_subject,
             "in %s, order %d, %zu elements, %zu iterations, general %d", v->name, (int)order,
             t->elements, t->iterations, t->general);
    rod_batch *a = new_trial(v, t), *b = new_trial(plain(v), t);
    step(a, &s);
    step(b, &s);
    assert_agree(a, 0, b, 0, is_pbd(v) ? 1e-4 : 1e-5); /* strands make any error grow */
    assert_arena_is_finite(a);
    rod_destroy(a);
    rod_destroy(b);
}

/* ---------------------------------------------------------------- the order is kept */

static void check_lengths(const rod_variant *v, rod_order order) {
    for (size_t n = 1; n <= 70; n++)
        for (int general = 0; general < 2; general++)
            compare(v, order,
                    &(trial){n, 1 + (7 * n + (size_t)general) % 40, 2, general != 0,
                             test_seed + 2 * n + (uint64_t)general});
}

static void rods_of_1_to_70_elements_move_as_in_the_plain_kernel(void **state) {
    (void)state;
    for_each(is_chunked, check_lengths);
}

static void check_iterations(const rod_variant *v, rod_order order) {
    for (size_t iterations = 1; iterations <= 40; iterations++)
        compare(v, order,
                &(trial){23 + iterations % 2, iterations, 2, iterations % 3 == 0,
                         test_seed + iterations});
}

static void any_number_of_iterations_gives_what_the_plain_kernel_gives(void **state) {
    (void)state;
    for_each(is_chunked, check_iterations);
}

static void check_long_rods(const rod_variant *v, rod_order order) {
    if (order == ROD_ORDER_CROSS)
        return; /* one by one, and nothing new of long rods */
    for (size_t i = 0; i < 4; i++)
        compare(v, order, &(trial){MOST - i % 2, 3 + 17 * i, 2, i == 2, test_seed + i});
}

static void long_rods_move_as_in_the_plain_kernel(void **state) {
    (void)state;
    for_each(is_chunked, check_long_rods);
}

/* ---------------------------------------------------------------- what is kept */

/* Orders in turn, and changes between frames, so that nothing stale is used. Soft in bending, or
 * strands that are to uncurl would fly apart. */
static void check_changes(const rod_variant *v, rod_order order) {
    const trial t = {31, 9, 1, false, test_seed};
    const rod_stiffness soft = {1, 1, 1, 0.2f, 0.2f, 0.2f};
    rod_batch *both[2] = {new_trial(v, &t), new_trial(plain(v), &t)};
    for (int k = 0; k < 2; k++) {
        rod_random random = rod_random_seed(test_seed + 1);
        rod_step_settings s = settings_of(order, 1);
        assert_ok(rod_set_stiffness(both[k], 0, &soft));
        step(both[k], &s);
        set_between(both[k], ROD_REST_DARBOUX, &random, -0.05, 0.05);
        set_between(both[k], ROD_REST_ANGLES, &random, 0.1, 0.3);
        step(both[k], &s);
        s.order = order == ROD_ORDER_SEQUENTIAL ? ROD_ORDER_BILATERAL : ROD_ORDER_SEQUENTIAL;
        step(both[k], &s);
        assert_ok(rod_set_inverse_mass(both[k], 0, 20, 0));
        step(both[k], &s);
        s.order = order;
        step(both[k], &s);
        set_between(both[k], ROD_REST_LENGTHS, &random, 0.3, 0.34);
        step(both[k], &s);
    }
    assert_agree(both[0], 0, both[1], 0, is_pbd(v) ? 1e-4 : 2e-5);
    rod_destroy(both[0]);
    rod_destroy(both[1]);
}

static void changes_between_frames_count(void **state) {
    (void)state;
    for_each(is_chunked, check_changes);
}

/* Without gravity: PBER remembers how it moved the elements, which is not set. */
static void check_recovery(const rod_variant *v, rod_order order) {
    const trial t = {18, 5, 1, false, test_seed};
    rod_step_settings s = settings_of(order, 1);
    s.gravity[1] = 0;
    rod_batch *batch = new_trial(v, &t), *whole = new_trial(v, &t);
    float *values[MOVING], huge[3 * 19];
    for (size_t i = 0; i < MOVING; i++)
        values[i] = has(batch, moving[i]) ? read_quantity(batch, moving[i], 0, 1) : NULL;
    for (size_t i = 0; i < 3 * 19; i++)
        huge[i] = i % 2 ? 3e38f : -3e38f;
    assert_ok(rod_set(batch, ROD_POSITIONS, 0, 1, huge));
    step(batch, &s);
    for (size_t i = 0; i < MOVING; i++)
        if (values[i]) {
            assert_ok(rod_set(batch, moving[i], 0, 1, values[i]));
            assert_ok(rod_set(whole, moving[i], 0, 1, values[i])); /* which rounds */
        }
    step(batch, &s);
    step(whole, &s);
    assert_same_bits(batch, 0, whole, 0);
    for (size_t i = 0; i < MOVING; i++)
        free(values[i]);
    rod_destroy(batch);
    rod_destroy(whole);
}

static void a_rod_that_was_not_finite_moves_again_when_it_is_set(void **state) {
    (void)state;
    for_each(is_chunked, check_recovery);
}

/* ---------------------------------------------------------------- flips */

/* Half of the orientations turned over at random: the same rod, and the same flips counted. */
static void check_flips(const rod_variant *v, rod_order order) {
    const trial t = {65, 4, 1, false, test_seed};
    const rod_step_settings s = settings_of(order, 1);
    rod_batch *both[2] = {new_trial(v, &t), new_trial(plain(v), &t)};
    rod_figures figures[2];
    for (int k = 0; k < 2; k++) {
        rod_random random = rod_random_seed(test_seed + 2);
        float *q = read_quantity(both[k], ROD_ORIENTATIONS, 0, 1);
        for (size_t e = 0; e < 65; e++)
            for (size_t c = 0, over = rod_random_u64(&random) % 2; c < 4; c++)
                q[4 * e + c] = over ? -q[4 * e + c] : q[4 * e + c];
        assert_ok(rod_set(both[k], ROD_ORIENTATIONS, 0, 1, q));
        free(q);
        step(both[k], &s);
        assert_ok(rod_get_figures(both[k], &figures[k]));
    }
    assert_agree(both[0], 0, both[1], 0, 1e-5);
    assert_true(figures[0].sign_flips > 0);
    assert_int_equal(figures[0].sign_flips, figures[1].sign_flips);
    rod_destroy(both[0]);
    rod_destroy(both[1]);
}

static bool is_chunked_quaternion(const rod_variant *v) {
    return is_chunked(v) && is_quaternion(v);
}

static void orientations_are_turned_over_along_the_whole_rod(void **state) {
    (void)state;
    for_each(is_chunked_quaternion, check_flips);
}

int main(void) {
    if (!read_seed("test_chunked"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_of_1_to_70_elements_move_as_in_the_plain_kernel),
        cmocka_unit_test(any_number_of_iterations_gives_what_the_plain_kernel_gives),
        cmocka_unit_test(long_rods_move_as_in_the_plain_kernel),
        cmocka_unit_test(changes_between_frames_count),
        cmocka_unit_test(a_rod_that_was_not_finite_moves_again_when_it_is_set),
        cmocka_unit_test(orientations_are_turned_over_along_the_whole_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
