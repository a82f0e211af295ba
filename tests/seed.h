/* What the tests with random numbers share: their seed, and checks that name it when they fail. */
#ifndef ROD_TEST_SEED_H
#define ROD_TEST_SEED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t test_seed;

/* What a loop is at, for the message of a check that fails in it. */
static char test_subject[128];

/* False if ROD_TEST_SEED is set but is no number: a typo must not test something else. */
static inline bool parse_seed(void) {
    const char *text = getenv("ROD_TEST_SEED");
    if (text == NULL) {
        test_seed = (uint64_t)time(NULL);
        return true;
    }
    char *end;
    errno = 0;
    test_seed = strtoull(text, &end, 0);
    return errno == 0 && end != text && *end == '\0';
}

/* Sets test_seed, from the environment or else from the clock, and says what it is. */
static inline bool read_seed(const char *program) {
    if (!parse_seed()) {
        fprintf(stderr, "%s: ROD_TEST_SEED is not a 64-bit number\n", program);
        return false;
    }
    printf("%s: ROD_TEST_SEED=%" PRIu64 "\n", program, test_seed);
    fflush(stdout);
    return true;
}

/* Written so that a NaN fails. */
static inline void check_order(double smaller, double larger, const char *text, const char *file,
                               int line) {
    if (!(smaller <= larger)) {
        print_error("seed %" PRIu64 ": %s: %.17g <= %.17g is not so %s\n", test_seed, text, smaller,
                    larger, test_subject);
        _fail(file, line);
    }
}

#define assert_at_most(value, bound)                                                               \
    check_order((value), (bound), #value " <= " #bound, __FILE__, __LINE__)
#define assert_at_least(value, bound)                                                              \
    check_order((bound), (value), #bound " <= " #value, __FILE__, __LINE__)

#endif
