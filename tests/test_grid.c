/* Tables of results: the four ways to show them. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "grid_shown.h"
#include "machine.h"

static bool is_date(const char *text) {
    const char *pattern = "dddd-dd-dd";
    for (size_t i = 0; pattern[i]; i++)
        if (pattern[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != '-')
            return false;
    return true;
}

/* The line that differs from machine to machine is checked, and then reads STAMP. */
static void replace_stamp(char *text) {
    machine_info machine;
    machine_read(&machine);
    char stamp[512];
    snprintf(stamp, sizeof stamp, "%s, %s, commit %s, ", machine.cpu, machine.compiler,
             machine_commit());
    char *at = strstr(text, stamp);
    assert_non_null(at);
    const char *end = at + strlen(stamp);
    assert_true(is_date(end));
    assert_int_equal(end[10], '\n');
    memcpy(at, "STAMP", 5);
    memmove(at + 5, end + 10, strlen(end + 10) + 1);
}

static void assert_shown(const grid *g, print_function *print, const char *expected) {
    char *text = shown(g, print);
    if (print != grid_print_csv)
        replace_stamp(text);
    assert_string_equal(text, expected);
    free(text);
}

static void assert_shows(const grid *g, print_function *print, const char *part) {
    char *text = shown(g, print);
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
    free(text);
}

/* ---------------------------------------------------------------- text */

static void text_aligns_numbers_right_and_words_left(void **state) {
    (void)state;
    grid *g = small_grid();
    grid_note(g, "One core, %d rounds.", 9);
    grid_finding(g, "PBER takes %.1f times as long.", 52.9);
    assert_shown(g, grid_print,
                 "Time per frame\n"
                 "STAMP\n"
                 "One core, 9 rounds.\n"
                 "\n"
                 "method            published  iterations\n"
                 "                         ms\n"
                 "--------------  -----------  ----------\n"
                 "PBER                   1.65          10\n"
                 "quaternion rod       0.0312           -\n"
                 "hair            interactive        1200\n"
                 "\n"
                 "- PBER takes 52.9 times as long.\n");
    grid_destroy(g);
}

static void text_counts_characters_and_not_bytes(void **state) {
    (void)state;
    grid *g = grid_create("t", "t");
    grid_column(g, "who", "who", "", GRID_TEXT);
    grid_column(g, "what", "what", "\xc2\xb0", GRID_DECIMALS(1));
    grid_row(g);
    grid_text(g, "who", "Sch\xc3\xb6mer");
    grid_number(g, "what", 0.5);
    grid_row(g);
    grid_text(g, "who", "Stam");
    assert_shown(g, grid_print,
                 "t\nSTAMP\n\n"
                 "who      what\n"
                 "            \xc2\xb0\n"
                 "-------  ----\n"
                 "Sch\xc3\xb6mer   0.5\n"
                 "Stam        -\n");
    grid_destroy(g);
}

static void text_stays_on_its_line_and_has_no_blanks_at_the_end(void **state) {
    (void)state;
    grid *g = grid_create("t", "two\nlines");
    grid_column(g, "a", "a", "", GRID_TEXT);
    grid_column(g, "b", "b", "", GRID_TEXT);
    grid_row(g);
    grid_text(g, "a", "line\nbreak\x1b[31m");
    grid_textf(g, "b", "%d %%", 100);
    grid_row(g);
    grid_text(g, "b", "x");
    assert_shown(g, grid_print,
                 "two lines\nSTAMP\n\n"
                 "a                b\n"
                 "---------------  -----\n"
                 "line break [31m  100 %\n"
                 "-                x\n");
    grid_destroy(g);
}

static void text_wraps_sentences_at_a_hundred_columns(void **state) {
    (void)state;
    grid *g = grid_create("t", "t");
    char word[131];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    for (int i = 0; i < 40; i++)
        grid_finding(
            g,
            "The %dth finding is a sentence of many words, as many as it takes to fill more "
            "than one line of a terminal, and then a few more, \xc3\xa9 for \xc3\xa9, until "
            "it ends.",
            i);
    grid_finding(g, "short %s short", word);
    char *text = shown(g, grid_print);
    size_t lines = 0, findings = 0, longest = 0;
    char *next;
    for (char *line = strtok_r(strstr(text, "\n\n"), "\n", &next); line;
         line = strtok_r(NULL, "\n", &next)) {
        size_t width = 0;
        for (const char *c = line; *c; c++)
            width += ((unsigned char)*c & 0xc0) != 0x80;
        lines++;
        findings += strncmp(line, "- ", 2) == 0;
        assert_true(strncmp(line, "- ", 2) == 0 || strncmp(line, "  ", 2) == 0);
        if (!strstr(line, word)) {
            assert_true(width <= 100);
            longest = width > longest ? width : longest;
        }
    }
    assert_int_equal(findings, 41);
    assert_int_equal(lines, 40 * 2 + 3);
    assert_true(longest > 90);
    free(text);
    grid_destroy(g);
}

/* ---------------------------------------------------------------- numbers */

static void assert_reads(double number, grid_format format, const char *expected) {
    grid *g = grid_create("t", "t");
    grid_column(g, "n", "n", "", format);
    grid_row(g);
    grid_number(g, "n", number);
    char *text = shown(g, grid_print);
    const char *last = text + strlen(text) - 1;
    while (last[-1] != '\n' && last[-1] != ' ')
        last--;
    char line[64];
    snprintf(line, sizeof line, "%s\n", expected);
    assert_string_equal(last, line);
    free(text);
    grid_destroy(g);
}

static void digits_read_well_at_every_size(void **state) {
    (void)state;
    const grid_format three = GRID_DIGITS(3);
    assert_reads(0.0312, three, "0.0312");
    assert_reads(1.65, three, "1.65");
    assert_reads(12.34, three, "12.3");
    assert_reads(108.4, three, "108");
    assert_reads(4821.4, three, "4821"); /* never 4820 */
    assert_reads(1234567.8, three, "1234568");
    assert_reads(9.996, three, "10.0"); /* rounds into the next power of ten */
    assert_reads(0.09996, three, "0.100");
    assert_reads(-2.5, three, "-2.50");
    assert_reads(0.000123456, three, "0.000123");
    assert_reads(0.0000123456, three, "1.23e-05");
    assert_reads(6.02e23, three, "6.02e+23");
    assert_reads(0.0, three, "0");
    assert_reads(-0.0, three, "0");
    assert_reads(1.65, GRID_DIGITS(0), "2");
    assert_reads(DBL_MAX, GRID_DIGITS(1000), "1.7976931348623157e+308");
}

static void decimals_never_hide_a_number_that_is_not_zero(void **state) {
    (void)state;
    assert_reads(12.345, GRID_DECIMALS(1), "12.3");
    assert_reads(10, GRID_DECIMALS(0), "10");
    assert_reads(0.004, GRID_DECIMALS(2), "0.004");
    assert_reads(-0.00001, GRID_DECIMALS(2), "-1e-05");
    assert_reads(0.0, GRID_DECIMALS(2), "0.00");
    assert_reads(-0.0, GRID_DECIMALS(1), "0.0");
    assert_reads(1e300, GRID_DECIMALS(1), "1.0e+300");
    assert_reads(-1, GRID_DECIMALS(-1), "-1");
}

/* More digits would claim that more were published. */
static void given_numbers_have_no_digits_added(void **state) {
    (void)state;
    assert_reads(0.03, GRID_GIVEN, "0.03");
    assert_reads(9.18, GRID_GIVEN, "9.18");
    assert_reads(7, GRID_GIVEN, "7");
    grid *g = grid_create("t", "t");
    grid_column(g, "n", "published", "", GRID_GIVEN);
    grid_row(g);
    grid_number(g, "n", 0.14);
    assert_shown(g, grid_print, "t\nSTAMP\n\npublished\n---------\n     0.14\n");
    grid_destroy(g);
}

static void numbers_that_are_not_finite_are_empty_cells(void **state) {
    (void)state;
    assert_reads((double)NAN, GRID_DIGITS(3), "-");
    assert_reads((double)INFINITY, GRID_DECIMALS(1), "-");
    grid *g = small_grid();
    grid_number(g, "n", (double)NAN);
    assert_shows(g, grid_print_csv, "hair,interactive,\n");
    assert_shows(g, grid_print_json, "\"n\": null");
    grid_destroy(g);
}

static void programs_get_nine_digits_and_whole_numbers_whole(void **state) {
    (void)state;
    grid *g = grid_create("t", "t");
    grid_column(g, "n", "n", "", GRID_DECIMALS(0));
    const double numbers[] = {1.0 / 3.0, 12345678901.0, 1.65, -0.0, 2e-12};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        grid_row(g);
        grid_number(g, "n", numbers[i]);
    }
    assert_shown(g, grid_print_csv, "n\n0.333333333\n12345678901\n1.65\n0\n2e-12\n");
    assert_shows(g, grid_print_json, "\"n\": 0.333333333\n");
    assert_shows(g, grid_print_json, "\"n\": 12345678901\n");
    grid_destroy(g);
}

/* ---------------------------------------------------------------- Markdown and CSV */

static void markdown_is_a_table_with_aligned_columns(void **state) {
    (void)state;
    grid *g = small_grid();
    grid_note(g, "One note.");
    grid_note(g, "Another.");
    grid_finding(g, "It holds.");
    assert_shown(g, grid_print_markdown,
                 "# Time per frame\n"
                 "\n"
                 "STAMP\n"
                 "\n"
                 "One note.\n"
                 "\n"
                 "Another.\n"
                 "\n"
                 "| method         | published (ms) | iterations |\n"
                 "| -------------- | -------------: | ---------: |\n"
                 "| PBER           |           1.65 |         10 |\n"
                 "| quaternion rod |         0.0312 |          - |\n"
                 "| hair           |    interactive |       1200 |\n"
                 "\n"
                 "- It holds.\n");
    grid_destroy(g);
}

static void markdown_takes_no_text_for_markup(void **state) {
    (void)state;
    grid *g = grid_create("t", "t");
    grid_column(g, "a", "a|b", "", GRID_TEXT);
    grid_row(g);
    grid_text(g, "a", "x|y *z* <b> `c` \\ snake_case _em_");
    grid_note(g, "# no heading");
    assert_shows(g, grid_print_markdown, "| a\\|b ");
    assert_shows(g, grid_print_markdown,
                 "| x\\|y \\*z\\* \\<b> \\`c\\` \\\\ snake_case \\_em\\_ |\n");
    assert_shows(g, grid_print_markdown, "\n\\# no heading\n");
    grid_destroy(g);
}

static void csv_has_keys_and_quotes_what_needs_it(void **state) {
    (void)state;
    grid *g = small_grid();
    grid_row(g);
    grid_text(g, "method", "a \"b\", c\nd");
    grid_row(g);
    grid_text(g, "method", " blank");
    grid_row(g);
    assert_shown(g, grid_print_csv,
                 "method,published_ms,n\n"
                 "PBER,1.65,10\n"
                 "quaternion rod,0.0312,\n"
                 "hair,interactive,1200\n"
                 "\"a \"\"b\"\", c\nd\",,\n"
                 "\" blank\",,\n"
                 ",,\n");
    grid_destroy(g);
}

/* ---------------------------------------------------------------- filling */

static void cells_can_be_written_again_and_emptied(void **state) {
    (void)state;
    grid *g = small_grid();
    grid_text(g, "method", "wool");
    grid_text(g, "published_ms", NULL);
    grid_text(g, "n", "many");
    grid_number(g, "n", 3);
    assert_shows(g, grid_print_csv, "\nwool,,3\n");
    assert_true(grid_ok(g));
    grid_destroy(g);
}

static void nothing_is_cut_off(void **state) {
    (void)state;
    enum { MANY = 300, LONG = 5000 };
    grid *g = grid_create("t", "t");
    char key[16], text[LONG + 1];
    for (int i = 0; i < MANY; i++) {
        snprintf(key, sizeof key, "c%d", i);
        grid_column(g, key, key, "", GRID_TEXT);
    }
    memset(text, 'y', LONG);
    text[LONG] = '\0';
    for (int i = 0; i < MANY; i++) {
        grid_row(g);
        grid_text(g, key, text);
        grid_note(g, "%s", text);
    }
    assert_true(grid_ok(g));
    char *csv = shown(g, grid_print_csv), *json = shown(g, grid_print_json);
    assert_true(strlen(csv) > (size_t)MANY * (LONG + MANY));
    assert_true(strlen(json) > (size_t)MANY * 2 * LONG);
    free(csv);
    free(json);
    grid_destroy(g);
}

static void assert_complains(grid *g, const char *part) {
    assert_false(grid_ok(g));
    if (!strstr(grid_error(g), part))
        fail_msg("no '%s' in '%s'", part, grid_error(g));
    assert_false(grid_save(g, "/nowhere"));
    assert_non_null(strstr(grid_error(g), part));
    grid_destroy(g);
}

static void mistakes_are_kept_until_asked_for(void **state) {
    (void)state;
    grid *g = small_grid();
    grid_number(g, "published", 1); /* the key is published_ms */
    grid_number(g, "other", 1);     /* the first one counts */
    assert_complains(g, "'published'");
    g = small_grid();
    grid_column(g, "late", "late", "", GRID_TEXT);
    assert_complains(g, "'late' comes after the first row");
    g = grid_create("t", "t");
    grid_column(g, "a", "a", "", GRID_TEXT);
    grid_column(g, "a", "b", "", GRID_TEXT);
    assert_complains(g, "'a' is there already");
    g = grid_create("t", "t");
    grid_column(g, "a", "a", "", GRID_TEXT);
    grid_text(g, "a", "x");
    assert_complains(g, "no row yet");
    g = grid_create("t", "t");
    grid_row(g);
    assert_complains(g, "without columns");
    g = small_grid();
    grid_extra_number(g, "rows", 3);
    assert_complains(g, "'rows'");
    assert_complains(grid_create("../t", "t"), "'../t'");
}

/* What grid_create returns when there is no memory. */
static void no_grid_is_never_ok_and_does_no_harm(void **state) {
    (void)state;
    grid_column(NULL, "a", "a", "", GRID_TEXT);
    grid_row(NULL);
    grid_text(NULL, "a", "b");
    grid_textf(NULL, "a", "%d", 1);
    grid_number(NULL, "a", 1);
    grid_note(NULL, "a");
    grid_finding(NULL, "a");
    grid_extra_text(NULL, "a", "b");
    grid_extra_number(NULL, "a", 1);
    print_function *const prints[] = {grid_print, grid_print_markdown, grid_print_csv,
                                      grid_print_json};
    for (size_t i = 0; i < 4; i++) {
        char *text = shown(NULL, prints[i]);
        assert_string_equal(text, "");
        free(text);
    }
    assert_false(grid_save(NULL, "/nowhere"));
    assert_false(grid_ok(NULL));
    assert_string_equal(grid_error(NULL), "out of memory");
    grid_destroy(NULL);
}

static void json_of_an_empty_grid_has_empty_arrays(void **state) {
    (void)state;
    grid *g = grid_create("t", "t");
    assert_shows(g, grid_print_json, "\"columns\": [],\n  \"rows\": [],\n  \"findings\": []\n}\n");
    assert_shown(g, grid_print_csv, "");
    assert_shown(g, grid_print, "t\nSTAMP\n\n");
    grid_destroy(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_aligns_numbers_right_and_words_left),
        cmocka_unit_test(text_counts_characters_and_not_bytes),
        cmocka_unit_test(text_stays_on_its_line_and_has_no_blanks_at_the_end),
        cmocka_unit_test(text_wraps_sentences_at_a_hundred_columns),
        cmocka_unit_test(digits_read_well_at_every_size),
        cmocka_unit_test(decimals_never_hide_a_number_that_is_not_zero),
        cmocka_unit_test(given_numbers_have_no_digits_added),
        cmocka_unit_test(numbers_that_are_not_finite_are_empty_cells),
        cmocka_unit_test(programs_get_nine_digits_and_whole_numbers_whole),
        cmocka_unit_test(markdown_is_a_table_with_aligned_columns),
        cmocka_unit_test(markdown_takes_no_text_for_markup),
        cmocka_unit_test(csv_has_keys_and_quotes_what_needs_it),
        cmocka_unit_test(cells_can_be_written_again_and_emptied),
        cmocka_unit_test(nothing_is_cut_off),
        cmocka_unit_test(mistakes_are_kept_until_asked_for),
        cmocka_unit_test(no_grid_is_never_ok_and_does_no_harm),
        cmocka_unit_test(json_of_an_empty_grid_has_empty_arrays),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
