/* The reader of JSON: what it understands, and that it refuses the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_read.h"

/* From memory of exactly that length: a reader that goes beyond is found by a sanitizer. */
static json_value *read_text(const char *text, char error[JSON_ERROR_SIZE]) {
    const size_t length = strlen(text);
    char *exact = malloc(length > 0 ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    json_value *value = json_read(exact, length, error);
    free(exact);
    return value;
}

static json_value *accepted(const char *text) {
    char error[JSON_ERROR_SIZE];
    json_value *value = read_text(text, error);
    if (!value)
        fail_msg("refused: %s: %s", text, error);
    return value;
}

static void reads_values_of_every_kind(void **state) {
    (void)state;
    json_value *v =
        accepted(" {\"a\": [1, -2.5e+1, true, false, null, \"x\"], \"b\": {}, \"c\": []} \n");
    const json_value *a = json_member(v, "a")->first;
    assert_int_equal(a->kind, JSON_NUMBER);
    assert_true(a->number > 0.9 && a->number < 1.1);
    assert_true(a->next->number < -24.9 && a->next->number > -25.1);
    assert_true(a->next->next->truth);
    assert_false(a->next->next->next->truth);
    assert_int_equal(a->next->next->next->next->kind, JSON_NULL);
    assert_string_equal(a->next->next->next->next->next->text, "x");
    assert_null(json_member(v, "b")->first);
    assert_null(json_member(v, "c")->first);
    assert_null(json_member(v, "d"));
    assert_null(json_member(a, "a"));
    json_release(v);
}

static void reads_escapes(void **state) {
    (void)state;
    json_value *v =
        accepted("\"\\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u0041 \\u00e9 \\u20ac \\ud83d\\ude00\"");
    assert_string_equal(v->text, "\" \\ / \b\f\n\r\t A \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    json_release(v);
}

static void refuses_what_is_not_json_and_says_why(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        " ",
                                        "{",
                                        "[",
                                        "[1,",
                                        "[1,]",
                                        "[,1]",
                                        "[1 2]",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\" 1}",
                                        "{a: 1}",
                                        "{\"a\": 1,}",
                                        "{1: 1}",
                                        "tru",
                                        "nul",
                                        "True",
                                        "NaN",
                                        "Infinity",
                                        "-",
                                        "+1",
                                        "01",
                                        "1.",
                                        ".5",
                                        "1e",
                                        "1e+",
                                        "0x10",
                                        "1e999",
                                        "--1",
                                        "\"",
                                        "\"\\\"",
                                        "\"\\x\"",
                                        "\"\\u12\"",
                                        "\"\\u12g4\"",
                                        "\"\\ud800\"",
                                        "\"\\ud800\\u0041\"",
                                        "\"\\udc00\"",
                                        "\"a\nb\"",
                                        "1 2",
                                        "{} {}",
                                        "]",
                                        "}",
                                        "[}",
                                        "{]",
                                        "'a'",
                                        "[1}",
                                        "\xef\xbb\xbf{}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char error[JSON_ERROR_SIZE];
        json_value *v = read_text(wrong[i], error);
        if (v)
            fail_msg("accepted: %s", wrong[i]);
        assert_int_equal(strncmp(error, "line ", 5), 0);
        assert_null(strchr(error, '\n'));
    }
}

static void says_in_which_line(void **state) {
    (void)state;
    char error[JSON_ERROR_SIZE];
    assert_null(read_text("{\n \"a\": 1,\n \"b\" 2\n}", error));
    assert_int_equal(strncmp(error, "line 3:", 7), 0);
}

static void nesting_has_an_end(void **state) {
    (void)state;
    char text[2 * 10000 + 1], error[JSON_ERROR_SIZE];
    memset(text, '[', 10000);
    memset(text + 10000, ']', 10000);
    text[20000] = '\0';
    assert_null(read_text(text, error));
    memset(text, '[', 32);
    memset(text + 32, ']', 32);
    text[64] = '\0';
    json_release(accepted(text));
}

/* Every beginning of a document is refused, none crashes. */
static void what_is_cut_off_is_refused(void **state) {
    (void)state;
    static const char whole[] = "{\"a\": [1.5e3, \"\\u00e9\\\\\", {\"b\": null}], \"c\": true}";
    char error[JSON_ERROR_SIZE];
    for (size_t length = 0; length + 1 < sizeof whole; length++) {
        char *part = malloc(length > 0 ? length : 1);
        assert_non_null(part);
        memcpy(part, whole, length);
        assert_null(json_read(part, length, error));
        free(part);
    }
    json_release(accepted(whole));
}

static void a_nul_is_no_end(void **state) {
    (void)state;
    char error[JSON_ERROR_SIZE];
    assert_null(json_read("1\0", 2, error));
    assert_null(json_read("\"a\0b\"", 5, error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values_of_every_kind),
        cmocka_unit_test(reads_escapes),
        cmocka_unit_test(refuses_what_is_not_json_and_says_why),
        cmocka_unit_test(says_in_which_line),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(what_is_cut_off_is_refused),
        cmocka_unit_test(a_nul_is_no_end),
    };
    return cmocka_run_group_tests_name("json_read", tests, NULL, NULL);
}
