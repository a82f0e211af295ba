/* What is special about quaternion rods: orientations that stay units, half turns, and the sign of
 * a quaternion, which means nothing. */
#include "batch_property.h"
#include "simulation.h"

/* ---------------------------------------------------------------- unit quaternions */

/* A frame ends with a Newton root at least, also where its iterations have bare ones; 5.4e-7 was
 * seen in 80 seeds. */
static const double unit_tolerance = 1.5e-6;

/* The largest error of a length, or NaN. */
static double unit_error(const rod_batch *batch) {
    const size_t floats = rod_floats(batch, ROD_ORIENTATIONS, 0, rod_count(batch));
    float *q = read_quantity(batch, ROD_ORIENTATIONS, 0, rod_count(batch));
    double largest = 0;
    for (size_t i = 0; i < floats; i += 4) {
        double square = 0;
        for (size_t c = i; c < i + 4; c++)
            square += (double)q[c] * (double)q[c];
        largest = isnan(square) ? NAN : fmax(largest, fabs(sqrt(square) - 1));
    }
    free(q);
    return largest;
}

static void assert_stays_unit(const char *name, const rod_variant *v, rod_order order) {
    const scene *s = scene_named(name);
    assert_non_null(s);
    scene_settings settings = s->defaults;
    settings.rods = 1;
    settings.seed = test_seed;
    settings.step.order = order;
    settings.step.iterations = 10;
    settings.step.damping = 0;
    rod_batch *batch = new_batch(v, settings.rods, settings.elements);
    scene_run *run;
    assert_ok(scene_start(s, &settings, batch, &run));
    for (int frame = 0; frame < 300; frame++) {
        step(batch, &settings.step);
        assert_at_most(unit_error(batch), unit_tolerance);
    }
    scene_finish(run);
    rod_destroy(batch);
}

static void check_swinging_helix(const rod_variant *v, rod_order order) {
    assert_stays_unit("helix", v, order);
}

static void check_random_pose(const rod_variant *v, rod_order order) {
    assert_stays_unit("random", v, order);
}

static void orientations_stay_unit_in_a_swinging_helix(void **state) {
    (void)state;
    for_each(is_quaternion, check_swinging_helix);
}

static void orientations_stay_unit_from_a_random_pose(void **state) {
    (void)state;
    for_each(is_quaternion, check_random_pose);
}

/* ---------------------------------------------------------------- random poses */

/* Twenty poses, each within 1 % of the length in 200 frames. */
static void assert_recovers(const rod_variant *v, rod_order order) {
    const scene *s = scene_named("random");
    assert_non_null(s);
    scene_settings settings = s->defaults;
    settings.rods = 20;
    settings.seed = test_seed;
    settings.step.iterations = 80;
    settings.step.damping = 0.1f;
    settings.step.order = order;
    rod_batch *batch = new_batch(v, settings.rods, settings.elements);
    scene_run *run;
    assert_ok(scene_start(s, &settings, batch, &run));
    for (size_t frame = 1; frame <= 200; frame++) {
        step(batch, &settings.step);
        scene_watch(run, frame);
    }
    if (scene_measure(run).recovered < settings.rods)
        fail_msg("seed %" PRIu64 " %s: only %zu of %zu recovered", test_seed, test_subject,
                 scene_measure(run).recovered, settings.rods);
    scene_finish(run);
    rod_destroy(batch);
}

static const rod_variant *default_variant(void) {
    const rod_variant *v = simulation_variant(ROD_METHOD_QUATERNION, 20, 50);
    assert_non_null(v);
    return v;
}

static bool is_default_or_its_exact_one(const rod_variant *v) {
    const rod_variant *chosen = default_variant();
    return v == chosen || v == sibling(chosen, chosen->unroll, "exact", chosen->weights);
}

static void curls_recover_from_random_poses(void **state) {
    (void)state;
    for_each(is_default_or_its_exact_one, assert_recovers);
}

static void set_random_orientations(rod_batch *batch, size_t rod, rod_random *random) {
    for (size_t e = 0; e < rod_elements(batch, rod); e++) {
        double q[4];
        rod_random_quaternion(random, q);
        const float turned[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
        assert_ok(rod_move_orientation(batch, rod, e, turned));
    }
}

static void check_collapsed(const rod_variant *v, rod_order order) {
    const rod_step_settings s = {1, 40, order, 0.01f, {0}, 0.1f, 0, 0};
    const float point[3 * (ELEMENTS + 1)] = {0};
    rod_batch *batch = new_batch(v, 1, ELEMENTS);
    rod_random random = rod_random_seed(test_seed);
    give_random_shape(batch, 0, &random);
    assert_ok(rod_set(batch, ROD_POSITIONS, 0, 1, point));
    set_random_orientations(batch, 0, &random);
    for (int frame = 0; frame < 100; frame++) {
        step(batch, &s);
        assert_arena_is_finite(batch);
    }
    /* 1.5e-4 was seen, and 8.4e-3 with the coarser of the estimates */
    assert_at_most(largest_strain(batch, 0), 5e-4 + 60 * estimate_error(v));
    rod_destroy(batch);
}

static void a_rod_comes_back_from_a_single_point(void **state) {
    (void)state;
    for_each(is_quaternion, check_collapsed);
}

/* ---------------------------------------------------------------- half turns */

static const float half_turns[][4] = {
    {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0.6f, 0.8f, 0}, {-0.0f, -1, 0, 0}};
enum { HALF_TURNS = sizeof half_turns / sizeof *half_turns };

/* Rod k has half turn k next to its clamp. */
static rod_batch *new_turned_beside_the_clamp(const rod_variant *v, size_t elements) {
    rod_batch *batch = new_batch(v, HALF_TURNS, elements);
    for (size_t k = 0; k < HALF_TURNS; k++) {
        assert_ok(rod_clamp(batch, k, ROD_START));
        assert_ok(rod_move_orientation(batch, k, 1, half_turns[k]));
    }
    return batch;
}

/* Rod k is held by its first two particles, between which its orientation points backwards. */
static rod_batch *new_turned_between_pins(const rod_variant *v, size_t elements) {
    rod_batch *batch = new_batch(v, HALF_TURNS, elements);
    for (size_t k = 0; k < HALF_TURNS; k++) {
        assert_ok(rod_set_inverse_mass(batch, k, 0, 0));
        assert_ok(rod_set_inverse_mass(batch, k, 1, 0));
        assert_ok(rod_move_orientation(batch, k, 0, half_turns[k]));
    }
    return batch;
}

static void assert_survives(rod_batch *batch, rod_order order, size_t iterations) {
    const rod_step_settings s = {1, iterations, order, 0.01f, {0}, 0, 0, 0};
    for (int frame = 0; frame < 5; frame++) {
        step(batch, &s);
        assert_arena_is_finite(batch);
        assert_at_most(unit_error(batch), unit_tolerance);
    }
    rod_destroy(batch);
}

/* Even a single iteration, after which nothing mends what a projection left. */
static void check_half_turns(const rod_variant *v, rod_order order) {
    static const size_t iterations[] = {1, 2, 10};
    for (size_t i = 0; i < sizeof iterations / sizeof *iterations; i++)
        for (size_t elements = 1; elements <= 5; elements++) {
            if (elements > 1)
                assert_survives(new_turned_beside_the_clamp(v, elements), order, iterations[i]);
            assert_survives(new_turned_between_pins(v, elements), order, iterations[i]);
        }
}

static void exact_half_turns_do_no_harm(void **state) {
    (void)state;
    for_each(is_quaternion, check_half_turns);
}

/* ---------------------------------------------------------------- sign flips */

static void assert_sign_flips(const rod_batch *batch, uint64_t expected) {
    rod_figures figures;
    assert_ok(rod_get_figures(batch, &figures));
    if (figures.sign_flips != expected)
        fail_msg("seed %" PRIu64 " %s: %" PRIu64 " sign flips, not %" PRIu64, test_seed,
                 test_subject, figures.sign_flips, expected);
}

/* Where the hardware's estimate of a root jumps, the last bit decides about more than a bit. */
static double flip_tolerance(const rod_variant *v) {
    return is_bare(v) ? 1e-4 : 1e-6;
}

static void negate(rod_batch *batch, size_t element) {
    float *q = read_quantity(batch, ROD_ORIENTATIONS, 0, 1);
    for (size_t c = 0; c < 4; c++)
        q[4 * element + c] = -q[4 * element + c];
    assert_ok(rod_set(batch, ROD_ORIENTATIONS, 0, 1, q));
    free(q);
}

static rod_batch *new_curl(const rod_variant *v) {
    rod_batch *batch = new_batch(v, 1, ELEMENTS);
    rod_random random = rod_random_seed(test_seed);
    give_random_shape(batch, 0, &random);
    return batch;
}

/* Both joints of an orientation, or the one that an end has, flip once; nothing moves for it. */
static void assert_flips(const rod_variant *v, rod_order order, size_t element, uint64_t expected) {
    const rod_step_settings s = settings_of(order, 1);
    rod_batch *plain = new_curl(v), *negated = new_curl(v);
    negate(negated, element);
    for (int frame = 0; frame < 3; frame++) {
        step(plain, &s);
        step(negated, &s);
        assert_sign_flips(plain, 0);
        assert_sign_flips(negated, expected);
        assert_agree(plain, 0, negated, 0, flip_tolerance(v));
    }
    rod_destroy(plain);
    rod_destroy(negated);
}

static void check_sign_flips(const rod_variant *v, rod_order order) {
    assert_flips(v, order, 0, 1);
    assert_flips(v, order, ELEMENTS / 2, 2);
    assert_flips(v, order, ELEMENTS - 1, 1);
}

static void a_negated_orientation_flips_its_joints_once_and_moves_nothing(void **state) {
    (void)state;
    for_each(is_quaternion, check_sign_flips);
}

/* A clamp keeps the sign that it was given, so that its joint would count in every frame. */
static void check_clamped_sign(const rod_variant *v, rod_order order) {
    const rod_step_settings s = settings_of(order, 3);
    rod_batch *plain = new_curl(v), *negated = new_curl(v);
    assert_ok(rod_clamp(plain, 0, ROD_START));
    assert_ok(rod_clamp(negated, 0, ROD_START));
    negate(negated, 0);
    step(plain, &s);
    step(negated, &s);
    assert_sign_flips(negated, 0);
    assert_agree(plain, 0, negated, 0, flip_tolerance(v));
    rod_destroy(plain);
    rod_destroy(negated);
}

static void a_negated_clamp_is_no_flip(void **state) {
    (void)state;
    for_each(is_quaternion, check_clamped_sign);
}

int main(void) {
    if (!read_seed("test_batch"))
        return 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientations_stay_unit_in_a_swinging_helix),
        cmocka_unit_test(orientations_stay_unit_from_a_random_pose),
        cmocka_unit_test(curls_recover_from_random_poses),
        cmocka_unit_test(a_rod_comes_back_from_a_single_point),
        cmocka_unit_test(exact_half_turns_do_no_harm),
        cmocka_unit_test(a_negated_orientation_flips_its_joints_once_and_moves_nothing),
        cmocka_unit_test(a_negated_clamp_is_no_flip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
