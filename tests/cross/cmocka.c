#include "cmocka.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PASSED, FAILED, SKIPPED };

/* Where a test that fails or is skipped goes on. */
static jmp_buf leave;

void print_message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

void print_error(const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

_Noreturn void _fail(const char *file, int line) {
    print_error("%s:%d: error: Failure!\n", file, line);
    longjmp(leave, FAILED);
}

_Noreturn void _skip(const char *file, int line) {
    (void)file;
    (void)line;
    longjmp(leave, SKIPPED);
}

/* ---------------------------------------------------------------- checks */

void cross_assert_true(int holds, const char *what, const char *file, int line) {
    if (holds)
        return;
    print_error("%s is not so\n", what);
    _fail(file, line);
}

void cross_assert_int(uintmax_t a, uintmax_t b, const char *file, int line) {
    if (a == b)
        return;
    print_error("%#jx != %#jx\n", a, b);
    _fail(file, line);
}

void cross_assert_range(uintmax_t a, uintmax_t least, uintmax_t most, const char *file, int line) {
    if (a >= least && a <= most)
        return;
    print_error("%ju is not within %ju .. %ju\n", a, least, most);
    _fail(file, line);
}

void cross_assert_string(const char *a, const char *b, int equal, const char *file, int line) {
    if ((strcmp(a, b) == 0) == (equal != 0))
        return;
    print_error("\"%s\" %s \"%s\"\n", a, equal ? "!=" : "==", b);
    _fail(file, line);
}

void cross_assert_memory(const void *a, const void *b, size_t size, const char *file, int line) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i]) {
            print_error("byte %zu of %zu differs: 0x%02x 0x%02x\n", i, size, x[i], y[i]);
            _fail(file, line);
        }
}

/* ---------------------------------------------------------------- running */

static int run_fixture(CMFixtureFunction *fixture, void **state) {
    return fixture && fixture(state) != 0 ? FAILED : PASSED;
}

static int run_body(const struct CMUnitTest *test, void **state) {
    const int result = setjmp(leave);
    if (result != PASSED)
        return result;
    if (run_fixture(test->setup_func, state) != PASSED)
        return FAILED;
    test->test_func(state);
    return PASSED;
}

static int run_test(const struct CMUnitTest *test) {
    static const char *const words[] = {"      OK", " FAILED ", " SKIPPED"};
    void *state = test->initial_state;
    printf("[ RUN      ] %s\n", test->name);
    fflush(stdout);
    int result = run_body(test, &state);
    if (run_fixture(test->teardown_func, &state) != PASSED)
        result = FAILED;
    printf("[ %s ] %s\n", words[result], test->name);
    fflush(stdout);
    return result;
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                            CMFixtureFunction *setup, CMFixtureFunction *teardown) {
    void *state = NULL;
    int failed = 0;
    printf("[==========] %s: running %zu test(s).\n", name, count);
    if (run_fixture(setup, &state) != PASSED) {
        printf("[  FAILED  ] GROUP SETUP\n");
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        failed += run_test(&tests[i]) == FAILED ? 1 : 0;
    if (run_fixture(teardown, &state) != PASSED) {
        printf("[  FAILED  ] GROUP TEARDOWN\n");
        failed++;
    }
    printf("[==========] %zu test(s) run, %d failed.\n", count, failed);
    return failed;
}
