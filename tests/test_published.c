/* The papers' numbers: complete, and whether what a paper says of its own table is in it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "published.h"

static const published *named(const char *key) {
    const published *p = published_named(key);
    if (!p)
        fail_msg("no row '%s'", key);
    return p;
}

static void every_row_says_what_where_from_and_on_what(void **state) {
    (void)state;
    for (size_t i = 0; i < published_count(); i++) {
        const published *p = published_at(i);
        const char *const texts[] = {p->key,     p->method,  p->scene,  p->source,
                                     p->section, p->machine, p->reading};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            if (!*texts[j])
                fail_msg("row '%s': field %zu is empty", p->key, j);
        if (p->reading[strlen(p->reading) - 1] != '.')
            fail_msg("row '%s': the reading is no sentence", p->key);
    }
}

static void every_row_has_a_value_or_says_why_not(void **state) {
    (void)state;
    for (size_t i = 0; i < published_count(); i++) {
        const published *p = published_at(i);
        if (isfinite(p->value) ? !(p->value > 0.0) || !*p->unit
                               : *p->unit || !strstr(p->reading, "No number"))
            fail_msg("row '%s': %g %s: %s", p->key, p->value, p->unit, p->reading);
    }
}

static void keys_are_unique_and_found(void **state) {
    (void)state;
    for (size_t i = 0; i < published_count(); i++)
        assert_ptr_equal(published_named(published_at(i)->key), published_at(i));
    assert_null(published_named("ks16-scene4-pber"));
    assert_null(published_named(""));
}

static void nothing_that_tables_ask_for_is_missing(void **state) {
    (void)state;
    const char *const papers[] = {"ks16-slinky", "ks16-pber30", "uss14-pber30", "uss14-hair200",
                                  "bender17-47k"};
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        named(papers[i]);
    const char *const methods[] = {"quaternion", "pber", "pbd"};
    for (int scene = 1; scene <= 3; scene++)
        for (size_t m = 0; m < 3; m++) {
            char key[64];
            snprintf(key, sizeof key, "ks16-scene%d-%s", scene, methods[m]);
            assert_string_equal(named(key)->method, methods[m]);
            assert_int_equal(named(key)->elements, 50);
            assert_string_equal(named(key)->unit, "ms");
        }
    for (int row = 1; row <= 6; row++) {
        char key[64];
        snprintf(key, sizeof key, "zhao22-%d", row);
        assert_string_equal(named(key)->method, "compact");
    }
}

static void fields_arrive_as_they_are_in_the_file(void **state) {
    (void)state;
    const published *p = named("ks16-scene2-pber");
    assert_string_equal(p->scene, "scene2");
    assert_int_equal(p->iterations, 18);
    assert_true(p->value == 2.16);
    assert_string_equal(p->source, "Kugelstadt & Sch\xc3\xb6mer 2016");
    assert_string_equal(p->section, "table 1");
    assert_string_equal(p->machine, "one core of an Intel Core i5-3450, 3.1 GHz"); /* was quoted */
    const published *hair = named("uss14-hair200");
    assert_true(isnan(hair->value));
    assert_int_equal(hair->iterations, 0);
    assert_string_equal(hair->machine, "\"a modern workstation\"");
}

/* ---------------------------------------------------------------- KS16 against itself */

/* A ratio of two times that were rounded to 0.01 ms lies anywhere between these. */
typedef struct {
    double low, printed, high;
} interval;

static interval ratio(const char *above, const char *below) {
    const double half = 0.005, a = named(above)->value, b = named(below)->value;
    return (interval){(a - half) / (b + half), a / b, (a + half) / (b - half)};
}

static void report(const char *what, const char *claim, interval r) {
    print_message("%s: the paper says %s, its table has %.2f (%.2f to %.2f before rounding)\n",
                  what, claim, r.printed, r.low, r.high);
}

/* 1.65 / 0.14 = 11.8: "nearly 12". */
static void twelve_times_is_in_the_table(void **state) {
    (void)state;
    const interval r = ratio("ks16-scene1-pber", "ks16-scene1-quaternion");
    const double claimed = named("ks16-ratio-same-iterations")->value;
    report("same iterations, scene 1", "nearly 12", r);
    assert_true(r.low <= claimed && claimed <= r.high);
    assert_true(r.printed < claimed);
    assert_int_equal(named("ks16-scene1-pber")->iterations,
                     named("ks16-scene1-quaternion")->iterations);
}

/* Scene 3 lies within. Scene 2 as printed does not, 2.16 / 0.03 = 72; but 0.03 has one digit, and
 * before it was rounded the ratio may have been 62 as well as 87. */
static void sixty_to_seventy_times_is_in_the_table_within_rounding(void **state) {
    (void)state;
    const double low = named("ks16-ratio-equal-quality-low")->value;
    const double high = named("ks16-ratio-equal-quality-high")->value;
    const interval two = ratio("ks16-scene2-pber", "ks16-scene2-quaternion");
    const interval three = ratio("ks16-scene3-pber", "ks16-scene3-quaternion");
    report("equal quality, scene 2", "60 to 70", two);
    report("equal quality, scene 3", "60 to 70", three);
    assert_true(two.low <= high && low <= two.high);
    assert_true(two.printed > high);
    assert_true(low <= three.low && three.high <= high);
}

/* "As fast as": 0.16 / 0.14 = 1.14, and rounding does not make it 1. The table favours the
 * quaternion rod a little more than the sentence. */
static void pbd_takes_a_little_longer_than_the_text_says(void **state) {
    (void)state;
    const interval r = ratio("ks16-scene1-pbd", "ks16-scene1-quaternion");
    const double claimed = named("ks16-ratio-pbd")->value;
    report("PBD, scene 1", "as fast as", r);
    assert_true(claimed < r.low);
    assert_true(r.high < 1.25 * claimed);
}

static double microseconds(const char *key) {
    const published *p = named(key);
    return 1e3 * p->value / p->elements / p->iterations;
}

/* The same machine, method and unit of work, and half the time: a factor of 2 in the paper's own
 * times is unexplained. */
static void slinky_costs_half_of_what_the_scenes_do(void **state) {
    (void)state;
    const double slinky = microseconds("ks16-slinky");
    for (int scene = 1; scene <= 3; scene++) {
        char key[64];
        snprintf(key, sizeof key, "ks16-scene%d-quaternion", scene);
        print_message("us per element and iteration: slinky %.3f, scene %d %.3f\n", slinky, scene,
                      microseconds(key));
        assert_true(1.7 * slinky < microseconds(key) && microseconds(key) < 2.5 * slinky);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_says_what_where_from_and_on_what),
        cmocka_unit_test(every_row_has_a_value_or_says_why_not),
        cmocka_unit_test(keys_are_unique_and_found),
        cmocka_unit_test(nothing_that_tables_ask_for_is_missing),
        cmocka_unit_test(fields_arrive_as_they_are_in_the_file),
        cmocka_unit_test(twelve_times_is_in_the_table),
        cmocka_unit_test(sixty_to_seventy_times_is_in_the_table_within_rounding),
        cmocka_unit_test(pbd_takes_a_little_longer_than_the_text_says),
        cmocka_unit_test(slinky_costs_half_of_what_the_scenes_do),
    };
    return cmocka_run_group_tests_name("published", tests, NULL, NULL);
}
