/* As much of cmocka's interface as the tests here use, for CPUs whose cmocka cannot be installed
 * beside this machine's own without making it a machine of two architectures. It prints what cmocka
 * prints, so that tests/run counts it alike. */
#ifndef ROD_CROSS_CMOCKA_H
#define ROD_CROSS_CMOCKA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef int CMFixtureFunction(void **state);

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    CMFixtureFunction *setup_func, *teardown_func;
    void *initial_state;
};

#define cmocka_unit_test(f)                                                                        \
    { #f, f, NULL, NULL, NULL }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                        \
    { #f, f, setup, teardown, NULL }

/* Returns how many tests failed. */
int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                            CMFixtureFunction *setup, CMFixtureFunction *teardown);

#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    _cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka_run_group_tests_name(#tests, tests, setup, teardown)

void print_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Both leave the test that runs. */
_Noreturn void _fail(const char *file, int line);
_Noreturn void _skip(const char *file, int line);

void cross_assert_true(int holds, const char *what, const char *file, int line);
void cross_assert_int(uintmax_t a, uintmax_t b, const char *file, int line);
void cross_assert_range(uintmax_t a, uintmax_t least, uintmax_t most, const char *file, int line);
void cross_assert_string(const char *a, const char *b, int equal, const char *file, int line);
void cross_assert_memory(const void *a, const void *b, size_t size, const char *file, int line);

#define skip() _skip(__FILE__, __LINE__)
#define fail() _fail(__FILE__, __LINE__)
#define fail_msg(...) (print_error("ERROR: " __VA_ARGS__), print_error("\n"), fail())

#define assert_true(c) cross_assert_true((c) ? 1 : 0, #c, __FILE__, __LINE__)
#define assert_false(c) cross_assert_true((c) ? 0 : 1, "!(" #c ")", __FILE__, __LINE__)
#define assert_non_null(p) cross_assert_true((p) != NULL, #p " != NULL", __FILE__, __LINE__)
#define assert_null(p) cross_assert_true((p) == NULL, #p " == NULL", __FILE__, __LINE__)
#define assert_ptr_equal(a, b) cross_assert_true((a) == (b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_equal(a, b) cross_assert_int((uintmax_t)(a), (uintmax_t)(b), __FILE__, __LINE__)
#define assert_in_range(a, least, most)                                                            \
    cross_assert_range((uintmax_t)(a), (uintmax_t)(least), (uintmax_t)(most), __FILE__, __LINE__)
#define assert_string_equal(a, b) cross_assert_string((a), (b), 1, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) cross_assert_string((a), (b), 0, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size) cross_assert_memory((a), (b), (size), __FILE__, __LINE__)

#endif
