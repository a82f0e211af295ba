/* The operations that kernels/operations.c claims of PBER, against the body run on counting
 * vectors. */
#define ROD_ISA count
#define ROD_VEC_HEADER "vec/count.h"
#include "pber.c"

#include "counting.h"

static void an_estimate_of_eight_bits_takes_two_newton_steps(void **state) {
    (void)state;
    assert_roots("pber", "uniform", 8, 3);
    assert_roots("pber", "general", 8, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_what_the_body_does),
        cmocka_unit_test(an_estimate_of_eight_bits_takes_two_newton_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
