/* The operations that kernels/operations.c claims, against the body run on counting vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ROD_ISA count
#define ROD_VEC_HEADER "vec/count.h"
#include "quaternion.c"

#include "operations.h"

#include <stdio.h>

enum { ELEMENTS = 40 };

/* A straight rod at rest in one lane; none of its numbers matter here. */
typedef struct {
    float x[3 * (ELEMENTS + 1)], v[3 * (ELEMENTS + 1)], w[ELEMENTS + 1];
    float q[4 * ELEMENTS], omega[3 * ELEMENTS], rest[3 * ELEMENTS], wq[ELEMENTS];
    float constant[ROD_LANE_CONSTANTS * 2], flips[2];
    _Alignas(64) float scratch[ROD_SCRATCH_ROW * (ELEMENTS + 2) * 2 + 64];
    uint32_t elements[1];
} plain_rod;

static rod_block block_of(plain_rod *r, size_t elements) {
    for (size_t i = 0; i <= elements; i++) {
        r->x[3 * i + 2] = (float)i;
        r->w[i] = 1.0f;
    }
    for (size_t e = 0; e < elements; e++)
        r->q[4 * e] = r->wq[e] = 1.0f;
    for (size_t i = 0; i < ROD_LANE_CONSTANTS; i++)
        r->constant[i] = 1.0f;
    r->elements[0] = (uint32_t)elements;
    return (rod_block){.lanes = 1,
                       .elements = elements,
                       .lane_elements = r->elements,
                       .uniform_end = elements,
                       .isotropic_stretch = true,
                       .x = r->x,
                       .v = r->v,
                       .q = r->q,
                       .omega = r->omega,
                       .rest = r->rest,
                       .w = r->w,
                       .wq = r->wq,
                       .lane_constant = r->constant,
                       .flips = r->flips};
}

static uint64_t count(rod_kernel *kernel, size_t elements, size_t iterations, rod_order order) {
    static plain_rod rod;
    memset(&rod, 0, sizeof rod);
    const rod_block block = block_of(&rod, elements);
    const rod_frame frame = {.dt = 0.01f, .iterations = iterations, .order = order};
    *vf_counted() = (vf_counts){0};
    kernel(&block, &frame, rod.scratch);
    return vf_counted()->arithmetic;
}

/* What one more element costs in one more iteration. */
static uint64_t count_per_element(rod_kernel *kernel, rod_order order) {
    const uint64_t longer = count(kernel, ELEMENTS, 2, order) - count(kernel, ELEMENTS, 1, order);
    const uint64_t shorter = count(kernel, 20, 2, order) - count(kernel, 20, 1, order);
    assert_int_equal((longer - shorter) % (ELEMENTS - 20), 0);
    return (longer - shorter) / (ELEMENTS - 20);
}

static void assert_claim(const char *norm, const char *weights, rod_kernel *kernel) {
    const rod_variant claim = {
        .layout = "batch", .isa = "scalar", .norm = norm, .weights = weights};
    for (rod_order order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++)
        assert_int_equal(count_per_element(kernel, order), rod_operations(&claim));
}

/* Two streams do the same for each lane; the counting vectors have one. */
#define CLAIM(method, isa, unroll, norm, weights)                                                  \
    if (unroll == 1)                                                                               \
        assert_claim(#norm, #weights, ROD_BATCH_SYMBOL(method, isa, unroll, norm, weights));

static void every_claim_is_what_the_body_does(void **state) {
    (void)state;
    ROD_BATCH_KERNELS(CLAIM, quaternion, count)
}

static void an_estimate_of_eight_bits_takes_two_newton_steps(void **state) {
    (void)state;
    rod_variant neon = {.layout = "batch", .isa = "neon", .norm = "newton", .weights = "uniform"};
    rod_variant sse = neon;
    sse.isa = "sse41";
    assert_int_equal(rod_operations(&neon), rod_operations(&sse) + 2 * 3);
    neon.norm = "bare";
    sse.norm = "newton";
    assert_int_equal(rod_operations(&neon), rod_operations(&sse));
}

static void layouts_of_single_rods_are_not_counted(void **state) {
    (void)state;
    const rod_variant aos = {
        .layout = "aos", .isa = "sse41", .norm = "newton", .weights = "general"};
    assert_int_equal(rod_operations(&aos), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_what_the_body_does),
        cmocka_unit_test(an_estimate_of_eight_bits_takes_two_newton_steps),
        cmocka_unit_test(layouts_of_single_rods_are_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
