/* The benchmark's own tools: what it writes JSON with, times with, and knows of the machine. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "json.h"
#include "machine.h"

typedef struct {
    char *text;
    size_t size;
    json_writer writer;
} document;

static void document_open(document *at) {
    FILE *file = open_memstream(&at->text, &at->size);
    assert_non_null(file);
    at->writer = json_writer_to(file);
}

static void document_check(document *written, const char *expected) {
    assert_int_equal(fclose(written->writer.file), 0);
    assert_string_equal(written->text, expected);
    free(written->text);
}

static void json_nests_and_separates(void **state) {
    (void)state;
    document d;
    document_open(&d);
    json_writer *w = &d.writer;
    json_begin_object(w, NULL);
    json_string(w, "name", "avx2");
    json_begin_array(w, "sizes");
    json_integer(w, NULL, -1);
    json_unsigned(w, NULL, UINT64_MAX);
    json_begin_object(w, NULL);
    json_bool(w, "yes", true);
    json_bool(w, "no", false);
    json_end_object(w);
    json_end_array(w);
    json_null(w, "nothing");
    json_end_object(w);
    document_check(&d, "{\n"
                       "  \"name\": \"avx2\",\n"
                       "  \"sizes\": [\n"
                       "    -1,\n"
                       "    18446744073709551615,\n"
                       "    {\n"
                       "      \"yes\": true,\n"
                       "      \"no\": false\n"
                       "    }\n"
                       "  ],\n"
                       "  \"nothing\": null\n"
                       "}\n");
}

static void json_closes_empty_containers_on_one_line(void **state) {
    (void)state;
    document d;
    document_open(&d);
    json_begin_array(&d.writer, NULL);
    json_begin_object(&d.writer, NULL);
    json_end_object(&d.writer);
    json_begin_array(&d.writer, NULL);
    json_end_array(&d.writer);
    json_end_array(&d.writer);
    document_check(&d, "[\n  {},\n  []\n]\n");
}

static void json_escapes_strings_and_keys(void **state) {
    (void)state;
    document d;
    document_open(&d);
    json_begin_object(&d.writer, NULL);
    json_string(&d.writer, "a\"b", "\"\\\n\r\t\b\x01\x1f/ \x7f \xc3\xa9");
    json_string(&d.writer, "none", NULL);
    json_end_object(&d.writer);
    document_check(&d, "{\n  \"a\\\"b\": \"\\\"\\\\\\n\\r\\t\\u0008\\u0001\\u001f/ \x7f \xc3\xa9\","
                       "\n  \"none\": null\n}\n");
}

static void json_writes_short_numbers_short(void **state) {
    (void)state;
    document d;
    document_open(&d);
    json_begin_array(&d.writer, NULL);
    json_number(&d.writer, NULL, 0.1);
    json_number(&d.writer, NULL, 0.1 + 0.2);
    json_number(&d.writer, NULL, 5e-324);
    json_number(&d.writer, NULL, -3);
    json_number(&d.writer, NULL, (double)NAN);
    json_number(&d.writer, NULL, -(double)INFINITY);
    json_end_array(&d.writer);
    document_check(&d, "[\n  0.1,\n  0.30000000000000004,\n  4.94065645841247e-324,\n  -3,\n"
                       "  null,\n  null\n]\n");
}

static double json_there_and_back(double value) {
    document d;
    document_open(&d);
    json_number(&d.writer, NULL, value);
    assert_int_equal(fclose(d.writer.file), 0);
    double back = strtod(d.text, NULL);
    free(d.text);
    return back;
}

/* All bit patterns are doubles, so a walk over them meets every magnitude. */
static void json_numbers_survive_the_round_trip(void **state) {
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; ++i) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            double back = json_there_and_back(value);
            assert_memory_equal(&back, &value, sizeof value);
        }
    }
}

static void json_leaves_out_what_is_too_deep(void **state) {
    (void)state;
    document d;
    document_open(&d);
    for (unsigned i = 0; i < JSON_DEPTH_MAX + 3; ++i) {
        json_begin_array(&d.writer, NULL);
        json_integer(&d.writer, NULL, i);
    }
    for (unsigned i = 0; i < JSON_DEPTH_MAX + 3; ++i) {
        json_end_array(&d.writer);
    }
    json_end_array(&d.writer); /* one too many */
    assert_int_equal(d.writer.depth, 0);
    assert_int_equal(fclose(d.writer.file), 0);
    size_t opened = 0;
    size_t closed = 0;
    for (const char *c = d.text; *c != '\0'; ++c) {
        opened += *c == '[';
        closed += *c == ']';
    }
    assert_int_equal(opened, JSON_DEPTH_MAX);
    assert_int_equal(closed, JSON_DEPTH_MAX);
    assert_non_null(strstr(d.text, " 31\n"));
    assert_null(strstr(d.text, " 32"));
    free(d.text);
}

static void assert_statistics(clock_stats stats, double min, double median, double max) {
    assert_true(stats.min == min);
    assert_true(stats.median == median);
    assert_true(stats.max == max);
}

static void clock_statistics_of_odd_even_one_and_none(void **state) {
    (void)state;
    double odd[] = {5, 1, 9, 3, 7};
    double even[] = {8, 2, 4, 1};
    double one[] = {6};
    assert_statistics(clock_statistics(odd, 5), 1, 5, 9);
    assert_statistics(clock_statistics(even, 4), 1, 3, 8);
    assert_statistics(clock_statistics(one, 1), 6, 6, 6);
    assert_statistics(clock_statistics(NULL, 0), 0, 0, 0);
    assert_int_equal(clock_statistics(even, 4).count, 4);
    for (size_t i = 1; i < 5; ++i) {
        assert_true(odd[i - 1] < odd[i]);
    }
}

static void clock_goes_forward(void **state) {
    (void)state;
    double wall = clock_wall_seconds();
    double thread = clock_thread_seconds();
    while (clock_thread_seconds() - thread < 1e-3) {
    }
    assert_true(clock_wall_seconds() - wall >= 0.9e-3);
}

static void assert_cpu_name(const char *cpuinfo, const char *expected) {
    char copy[1024];
    char name[MACHINE_TEXT];
    snprintf(copy, sizeof copy, "%s", cpuinfo);
    FILE *file = fmemopen(copy, strlen(copy), "r");
    assert_non_null(file);
    machine_cpu_name(file, name);
    fclose(file);
    /* On other machines a suffix tells that an x86 is emulating them. */
    assert_memory_equal(name, expected, strlen(expected));
}

static void machine_names_the_cpu(void **state) {
    (void)state;
    assert_cpu_name("processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\n\n"
                    "processor\t: 1\ncpu family\t: 6\nmodel\t\t: 2\nmodel name\t: other\n",
                    "AMD EPYC (family 25 model 1)");
    assert_cpu_name(
        "cpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R) CPU @ 2.00GHz\n",
        "Intel Xeon CPU @ 2.00GHz (family 6 model 85)");
    assert_cpu_name("model name\t: Intel(R) Core(TM) i5-3450 CPU @ 3.10GHz\n",
                    "Intel Core i5-3450 CPU @ 3.10GHz");
    assert_cpu_name("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
                    "aarch64 implementer 0x41 part 0xd0c");
    assert_cpu_name("nothing to see\n", "unknown ");
}

static void assert_slug(const char *name, const char *expected) {
    char slug[MACHINE_TEXT];
    machine_slug(name, slug);
    assert_string_equal(slug, expected);
}

static void machine_slug_is_safe_for_files(void **state) {
    (void)state;
    assert_slug("AMD EPYC (family 25 model 1)", "amd-epyc-family-25-model-1");
    assert_slug("Intel Core i5-3450 CPU @ 3.10GHz", "intel-core-i5-3450-cpu");
    assert_slug("../../etc/passwd", "etc-passwd");
    assert_slug("\xc3\xa9 @", "unknown");
    char longer[3 * MACHINE_TEXT];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    char slug[MACHINE_TEXT];
    machine_slug(longer, slug);
    assert_int_equal(strlen(slug), MACHINE_TEXT - 1);
}

static void machine_is_plausible(void **state) {
    (void)state;
    machine_info info;
    machine_read(&info);
    assert_true(strlen(info.cpu) > 0);
    assert_true(strlen(info.slug) > 0);
    assert_true(strlen(info.kernel) > 0);
    assert_true(isdigit((unsigned char)info.compiler[strcspn(info.compiler, "0123456789")]));
    assert_in_range(info.cores_online, 1, 1 << 16);
    assert_true(info.memory_bytes >= (uint64_t)1 << 24);
    /* Caches may be hidden, but what is shown is ordered. */
    assert_true(info.l1d_bytes == 0 || info.l1d_bytes >= 4096);
    assert_true(info.l2_bytes == 0 || info.l2_bytes >= info.l1d_bytes);
    assert_true(info.l3_bytes == 0 || info.l3_bytes >= info.l2_bytes);
    assert_true((info.line_bytes & (info.line_bytes - 1)) == 0);
}

static void machine_clock_is_plausible(void **state) {
    (void)state;
    double hz = machine_clock_hz();
    assert_true(hz > 0.2e9);
    assert_true(hz < 10e9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_nests_and_separates),
        cmocka_unit_test(json_closes_empty_containers_on_one_line),
        cmocka_unit_test(json_escapes_strings_and_keys),
        cmocka_unit_test(json_writes_short_numbers_short),
        cmocka_unit_test(json_numbers_survive_the_round_trip),
        cmocka_unit_test(json_leaves_out_what_is_too_deep),
        cmocka_unit_test(clock_statistics_of_odd_even_one_and_none),
        cmocka_unit_test(clock_goes_forward),
        cmocka_unit_test(machine_names_the_cpu),
        cmocka_unit_test(machine_slug_is_safe_for_files),
        cmocka_unit_test(machine_is_plausible),
        cmocka_unit_test(machine_clock_is_plausible),
    };
    return cmocka_run_group_tests_name("bench tools", tests, NULL, NULL);
}
