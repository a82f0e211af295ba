/* The tuner: its files, its statistics, who may win. */

#include "api.h"

#include "placements.h"
#include "tune.h"
#include "tuned_file.h"

/* ---------------------------------------------------------------- ratios */

enum { ROUNDS = 101 };

static void ratios_are_taken_within_rounds(void **state) {
    (void)state;
    double a[ROUNDS], b[ROUNDS];
    rod_random random = rod_random_seed(7);
    for (size_t i = 0; i < ROUNDS; i++) {
        b[i] = rod_random_between(&random, 1, 9); /* a noisy machine, and yet: */
        a[i] = 1.05 * b[i];
    }
    const rank_ratio r = rank_compare(a, b, ROUNDS);
    assert_true(fabs(r.ratio - 1.05) < 1e-12 && fabs(r.low - 1.05) < 1e-12);
    assert_true(rank_is_slower(&r) && rank_is_settled(&r));
}

static void the_interval_holds_the_true_ratio_nineteen_times_in_twenty(void **state) {
    (void)state;
    rod_random random = rod_random_seed(11);
    size_t held = 0;
    for (size_t trial = 0; trial < 1000; trial++) {
        double a[31], b[31];
        for (size_t i = 0; i < 31; i++) {
            a[i] = rod_random_between(&random, 0.9, 1.1);
            b[i] = 1.0;
        }
        const rank_ratio r = rank_compare(a, b, 31);
        held += r.low <= 1.0 && 1.0 <= r.high;
    }
    assert_true(held > 930 && held < 990);
}

static void a_difference_below_the_noise_is_a_tie(void **state) {
    (void)state;
    rod_random random = rod_random_seed(3);
    double a[ROUNDS], b[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        a[i] = 1.02 * rod_random_between(&random, 0.8, 1.2);
        b[i] = rod_random_between(&random, 0.8, 1.2);
    }
    const rank_ratio r = rank_compare(a, b, ROUNDS);
    assert_false(rank_is_slower(&r));
    assert_false(rank_is_settled(&r));
}

static void a_handful_of_rounds_says_nothing(void **state) {
    (void)state;
    const double slower[5] = {2, 2, 2, 2, 2}, faster[5] = {1, 1, 1, 1, 1};
    for (size_t rounds = 0; rounds <= 5; rounds++) {
        const rank_ratio r = rank_compare(slower, faster, rounds);
        assert_false(rank_is_slower(&r));
        assert_false(rank_is_settled(&r));
    }
}

static void the_middle_is_the_median_of_the_means_of_pairs(void **state) {
    (void)state;
    const double values[4] = {1, 2, 3, 10}; /* means: 1 1.5 2 2 2.5 3 5.5 6 6.5 10 */
    assert_true(fabs(rank_middle(values, 1) - 1.0) < 1e-12);
    assert_true(fabs(rank_middle(values, 3) - 2.0) < 1e-12);
    assert_true(fabs(rank_middle(values, 4) - 2.75) < 1e-12);
    assert_true(isnan(rank_middle(values, 0)));
}

static void a_few_bad_memories_move_no_ranking(void **state) {
    (void)state;
    double a[16], b[16];
    rod_random random = rod_random_seed(13);
    for (size_t i = 0; i < 16; i++) {
        a[i] = rod_random_between(&random, 0.999, 1.001) * (i % 8 == 3 ? 1.5 : 1.0);
        b[i] = rod_random_between(&random, 0.999, 1.001);
    }
    const rank_ratio r = rank_compare(a, b, 16);
    assert_true(r.ratio < 1.002 && r.low <= 1.0);
    assert_false(rank_is_slower(&r));
}

/* ---------------------------------------------------------------- many memories */

static void each_round_is_timed_once_and_who_left_in_none(void **state) {
    (void)state;
    placements *p = placements_create(2);
    assert_non_null(p);
    contest_entry e = {.scene = scene_named("hair"), .rods = 1, .elements = 4, .iterations = 1};
    e.variant = rod_variant_named("pbd-scalar-u1-exact");
    placements_add(p, &e);
    e.variant = rod_variant_named("pbd-scalar-u2-exact");
    placements_add(p, &e);
    assert_ok(placements_round(p, 2));
    p->entry[0].left = true;
    assert_ok(placements_round(p, 1));
    assert_ok(placements_round(p, 1));
    assert_int_equal(p->rounds, 3);
    assert_int_equal(p->entry[0].rounds, 1);
    assert_int_equal(p->entry[1].rounds, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(p->entry[1].seconds[i] > 0.0 && isfinite(p->entry[1].seconds[i]));
    placements_finish(p);
}

static void memory_is_held_as_far_as_it_is_bearable(void **state) {
    (void)state;
    placements *p = placements_create(1);
    assert_non_null(p);
    const contest_entry e = {.scene = scene_named("hair"),
                             .variant = rod_variant_named("pbd-scalar-u1-exact"),
                             .rods = 1,
                             .elements = 4,
                             .iterations = 1};
    placements_add(p, &e);
    assert_ok(placements_round(p, 1));
    assert_ok(placements_round(p, 1));
    assert_int_equal(p->oldest, 0);
    p->bytes += 1e12;
    assert_ok(placements_round(p, 1));
    assert_int_equal(p->oldest, 2);
    placements_finish(p);
}

static void what_cannot_be_simulated_is_told(void **state) {
    (void)state;
    placements *p = placements_create(1);
    assert_non_null(p);
    const contest_entry e = {.scene = scene_named("hair"),
                             .variant = rod_variant_named("pbd-scalar-u1-exact"),
                             .rods = SIZE_MAX};
    placements_add(p, &e);
    assert_int_not_equal(placements_round(p, 1), ROD_OK);
    placements_finish(p);
}

/* ---------------------------------------------------------------- who competes and wins */

static void what_failed_verification_or_is_not_native_never_competes(void **state) {
    (void)state;
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        const rod_isa isa = rod_variant_isa(v);
        assert_false(tune_competes(v, false));
        assert_int_equal(tune_competes(v, true), isa.native && isa.usable);
    }
}

static void the_committed_default_is_the_simplest(void **state) {
    (void)state;
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        const rod_variant *usual = rod_default_variant(&c);
        for (size_t j = 0; j < rod_variant_count(); j++)
            if (rod_variant_at(j) != usual)
                assert_true(tune_is_simpler(usual, rod_variant_at(j), &c));
    }
}

static void fewer_vectors_in_flight_are_simpler(void **state) {
    (void)state;
    const rod_class c = {ROD_METHOD_PBD, ROD_SHAPE_ONE, ROD_ORDER_CROSS, ROD_ACCURACY_FULL};
    const rod_variant *one = rod_variant_named("pbd-scalar-u1-newton");
    const rod_variant *two = rod_variant_named("pbd-scalar-u2-exact");
    assert_true(tune_is_simpler(one, two, &c));
    assert_false(tune_is_simpler(two, one, &c));
}

/* Two places, of which the second takes so much longer and is the simpler one. */
static tune_result two_places(double ratio, double low) {
    return (tune_result){
        .place = {{.variant = rod_variant_named("pbd-scalar-u2-exact"), .against = {1, 1, 1}},
                  {.variant = rod_variant_named("pbd-scalar-u1-newton"),
                   .against = {ratio, low, 2 * ratio - low}}},
        .places = 2};
}

static void a_tie_keeps_the_simpler_variant_within_one_percent(void **state) {
    (void)state;
    const rod_class c = {ROD_METHOD_PBD, ROD_SHAPE_ONE, ROD_ORDER_CROSS, ROD_ACCURACY_FULL};
    tune_result near = two_places(1.008, 0.99), doubtful = two_places(1.05, 0.99),
                slower = two_places(1.05, 1.04);
    tune_choose(&c, &near);
    assert_int_equal(near.verdict, TUNE_TIE);
    assert_ptr_equal(near.chosen, near.place[1].variant);
    tune_choose(&c, &doubtful);
    assert_int_equal(doubtful.verdict, TUNE_TIE);
    assert_ptr_equal(doubtful.chosen, doubtful.place[0].variant);
    tune_choose(&c, &slower);
    assert_int_equal(slower.verdict, TUNE_CLEAR);
    assert_ptr_equal(slower.chosen, slower.place[0].variant);
}

/* A real measurement, as short as it gets, in which the widest variants failed verification. */
static void a_variant_that_failed_verification_is_not_chosen(void **state) {
    (void)state;
    bool *verified = calloc(rod_variant_count(), sizeof *verified);
    for (size_t i = 0; i < rod_variant_count(); i++)
        verified[i] = strcmp(rod_variant_at(i)->isa, "scalar") == 0;
    const rod_class c = {ROD_METHOD_PBD, ROD_SHAPE_ONE, ROD_ORDER_CROSS, ROD_ACCURACY_FULL};
    const tune_workload w = {1, 4, 1};
    tune_result results[ROD_ACCURACIES];
    assert_ok(tune_measure(&c, &w, verified, NULL, 0.0, results));
    for (int a = 0; a < ROD_ACCURACIES; a++) {
        assert_non_null(results[a].chosen);
        assert_string_equal(results[a].chosen->isa, "scalar");
        assert_true(rod_variant_has_accuracy(results[a].chosen, (rod_accuracy)a));
    }
    free(verified);
}

static void nothing_wins_where_nothing_is_verified(void **state) {
    (void)state;
    bool *verified = calloc(rod_variant_count(), sizeof *verified);
    const rod_class c = {ROD_METHOD_PBD, ROD_SHAPE_ONE, ROD_ORDER_CROSS, ROD_ACCURACY_FULL};
    const tune_workload w = {1, 4, 1};
    tune_result results[ROD_ACCURACIES];
    assert_ok(tune_measure(&c, &w, verified, NULL, 0.0, results));
    for (int a = 0; a < ROD_ACCURACIES; a++)
        assert_int_equal(results[a].verdict, TUNE_NONE);
    free(verified);
}

static void workloads_are_of_their_shape(void **state) {
    (void)state;
    for (int quick = 0; quick < 2; quick++)
        for (int i = 0; i < ROD_SHAPES; i++) {
            const tune_workload w = tune_workload_of((rod_shape_class)i, quick != 0);
            assert_int_equal(rod_shape_class_of(w.rods, w.rods * w.elements), i);
        }
}

/* ---------------------------------------------------------------- files */

static const char good[] =
    "{\"schema\": 1, \"cpu\": \"a \\\"quick\\\" one\", \"isas\": \"x\", \"compiler\": \"c\",\n"
    " \"registry\": \"r\", \"sources\": \"s\", \"more\": [1.5e3, {\"deep\": [true, null]}, \"\"],\n"
    " \"choices\": [{\"method\": \"pbd\", \"shape\": \"one rod\", \"order\": \"cross\",\n"
    "  \"accuracy\": \"full\", \"variant\": \"pbd-scalar-u1-exact\", \"reason\": \"so\",\n"
    "  \"ranking\": []}]}\n";

static const rod_class good_class = {ROD_METHOD_PBD, ROD_SHAPE_ONE, ROD_ORDER_CROSS,
                                     ROD_ACCURACY_FULL};

static bool parses(const char *text, size_t length, tuned_file *file) {
    /* of exactly this size, so that sanitizers see a byte too many */
    char *copy = malloc(length > 0 ? length : 1);
    char why[TUNED_WHY] = "";
    memcpy(copy, text, length);
    const bool does = tuned_file_parse(copy, length, file, why);
    assert_true(does || why[0] != '\0');
    free(copy);
    return does;
}

static tuned_file *read_good(void) {
    tuned_file *file = malloc(sizeof *file);
    assert_true(parses(good, strlen(good), file));
    return file;
}

static void a_file_is_read(void **state) {
    (void)state;
    tuned_file *file = read_good();
    assert_string_equal(file->identity.cpu, "a \"quick\" one");
    assert_string_equal(file->identity.sources, "s");
    assert_string_equal(file->choice[rod_class_index(&good_class)].variant, "pbd-scalar-u1-exact");
    assert_string_equal(file->choice[rod_class_index(&good_class)].reason, "so");
    free(file);
}

static void every_shorter_file_is_refused(void **state) {
    (void)state;
    tuned_file *file = malloc(sizeof *file);
    for (size_t length = 0; length + 2 < strlen(good); length++)
        assert_false(parses(good, length, file));
    free(file);
}

static void random_bytes_are_refused_or_read_but_never_overrun(void **state) {
    (void)state;
    tuned_file *file = malloc(sizeof *file);
    rod_random random = rod_random_seed(5);
    char text[sizeof good];
    for (size_t trial = 0; trial < 20000; trial++) {
        memcpy(text, good, sizeof good);
        for (size_t i = 0; i < 1 + trial % 4; i++)
            text[(size_t)rod_random_between(&random, 0, sizeof good - 1)] =
                (char)rod_random_between(&random, -128, 128);
        parses(text, strlen(good), file);
    }
    free(file);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "null",
        "{}",
        "{} {}",
        "[]",
        "5",
        "{\"schema\": 1",
        "{\"schema\": 99999}",
        "{\"schema\": \"1\"}",
        "{\"schema\": 1, \"choices\": []}",
    };
    tuned_file *file = malloc(sizeof *file);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (parses(texts[i], strlen(texts[i]), file))
            fail_msg("'%s' was read", texts[i]);
    char deep[400];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"a\":", 5);
    assert_false(parses(deep, sizeof deep, file));
    free(file);
}

/* `good` with a part of it replaced. */
static bool parses_with(const char *part, const char *other) {
    char text[2 * sizeof good];
    const char *found = strstr(good, part);
    assert_non_null(found);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(found - good), good, other, found + strlen(part));
    tuned_file *file = malloc(sizeof *file);
    const bool does = parses(text, strlen(text), file);
    free(file);
    return does;
}

static void what_is_missing_wrong_or_too_long_is_refused(void **state) {
    (void)state;
    char wide[300] = "";
    memset(wide, 'x', sizeof wide - 1);
    assert_true(parses_with("\"x\"", "\"y\""));
    assert_false(parses_with("\"x\"", "5"));
    assert_false(parses_with("isas", "isa"));
    assert_false(parses_with("so", wide));
    assert_false(parses_with("pbd-scalar-u1-exact", wide));
    assert_false(parses_with("one rod", "two rods"));
    assert_false(parses_with("cross", "default"));
    assert_false(parses_with("full", ""));
    assert_false(parses_with("reason", "because"));
}

static void a_file_holds_only_where_it_was_made(void **state) {
    (void)state;
    tuned_file *file = read_good();
    char why[TUNED_WHY];
    const rod_identity here = rod_identity_here();
    assert_false(tuned_file_holds(file, &here, why));
    assert_non_null(strstr(why, "another CPU"));
    assert_non_null(strstr(why, "a \"quick\" one"));
    file->identity = here;
    assert_true(tuned_file_holds(file, &here, why));
    for (size_t part = 0; part < ROD_IDENTITY_PARTS; part++) {
        file->identity = here;
        strcpy(rod_identity_part(&file->identity, part), "other");
        assert_false(tuned_file_holds(file, &here, why));
        assert_non_null(strstr(why, "other"));
    }
    free(file);
}

static void choices_that_cannot_be_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"nonsense", "quaternion-scalar-u1-exact",
                                        "pbd-sse41-u1-bare", "pbd-textbook-scalar-exact"};
    tuned_file *file = read_good();
    const rod_identity here = rod_identity_here();
    char why[TUNED_WHY];
    file->identity = here;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        strcpy(file->choice[rod_class_index(&good_class)].variant, names[i]);
        assert_false(tuned_file_holds(file, &here, why));
        assert_non_null(strstr(why, names[i]));
    }
    file->choice[rod_class_index(&good_class)].variant[0] = '\0';
    assert_false(tuned_file_holds(file, &here, why));
    free(file);
}

static void headers_hold_no_more_than_strings(void **state) {
    (void)state;
    tuned_file *file = read_good();
    strcpy(file->choice[rod_class_index(&good_class)].reason, "\" \\ ?"
                                                              "?/ ) \n#error");
    char text[4096] = "";
    FILE *memory = fmemopen(text, sizeof text, "w");
    tuned_file_print_header(file, memory);
    fclose(memory);
    assert_non_null(strstr(text, "X(PBD, ONE, CROSS, FULL, \"pbd-scalar-u1-exact\", "
                                 "\"  / ) #error\")"));
    assert_non_null(strstr(text, "#define ROD_TUNED_CPU \"a quick one\""));
    free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_taken_within_rounds),
        cmocka_unit_test(the_interval_holds_the_true_ratio_nineteen_times_in_twenty),
        cmocka_unit_test(a_difference_below_the_noise_is_a_tie),
        cmocka_unit_test(a_handful_of_rounds_says_nothing),
        cmocka_unit_test(the_middle_is_the_median_of_the_means_of_pairs),
        cmocka_unit_test(a_few_bad_memories_move_no_ranking),
        cmocka_unit_test(each_round_is_timed_once_and_who_left_in_none),
        cmocka_unit_test(memory_is_held_as_far_as_it_is_bearable),
        cmocka_unit_test(what_cannot_be_simulated_is_told),
        cmocka_unit_test(what_failed_verification_or_is_not_native_never_competes),
        cmocka_unit_test(the_committed_default_is_the_simplest),
        cmocka_unit_test(fewer_vectors_in_flight_are_simpler),
        cmocka_unit_test(a_tie_keeps_the_simpler_variant_within_one_percent),
        cmocka_unit_test(a_variant_that_failed_verification_is_not_chosen),
        cmocka_unit_test(nothing_wins_where_nothing_is_verified),
        cmocka_unit_test(workloads_are_of_their_shape),
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(every_shorter_file_is_refused),
        cmocka_unit_test(random_bytes_are_refused_or_read_but_never_overrun),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(what_is_missing_wrong_or_too_long_is_refused),
        cmocka_unit_test(a_file_holds_only_where_it_was_made),
        cmocka_unit_test(choices_that_cannot_be_are_refused),
        cmocka_unit_test(headers_hold_no_more_than_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
