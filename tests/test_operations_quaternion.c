/* The operations that kernels/operations.c claims of quaternion rods, against the body run on
 * counting vectors. */
#define ROD_ISA count
#define ROD_VEC_HEADER "vec/count.h"
#include "quaternion.c"

#include "counting.h"

static void an_estimate_of_eight_bits_takes_two_newton_steps(void **state) {
    (void)state;
    assert_roots("quaternion", "uniform", 2, 4);
    assert_roots("quaternion", "general", 3, 4);
}

static void layouts_of_single_rods_are_not_counted(void **state) {
    (void)state;
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (strcmp(rod_variant_at(i)->layout, "batch") == 0)
            assert_true(rod_operations(rod_variant_at(i)).all > 0);
        else
            assert_int_equal(rod_operations(rod_variant_at(i)).all, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_what_the_body_does),
        cmocka_unit_test(an_estimate_of_eight_bits_takes_two_newton_steps),
        cmocka_unit_test(layouts_of_single_rods_are_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
