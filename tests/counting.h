/* What the tests of kernels/operations.c share. Each method has a program of its own, which
 * includes the method's body on counting vectors before this. */
#ifndef ROD_TEST_COUNTING_H
#define ROD_TEST_COUNTING_H

#ifndef ROD_METHOD
#error "include a body on counting vectors first"
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "operations.h"

#include <stdio.h>

enum { ELEMENTS = 40 };

/* A straight rod at rest in one lane, as any method has it; none of its numbers matter here. */
typedef struct {
    float x[3 * (ELEMENTS + 1)], v[3 * (ELEMENTS + 1)], w[ELEMENTS + 1];
    float q[4 * ELEMENTS], omega[3 * ELEMENTS], rest[3 * ELEMENTS], wq[ELEMENTS];
    float ghost[3 * ELEMENTS], ghost_v[3 * ELEMENTS], fall[ELEMENTS], angle[ELEMENTS];
    float constant[ROD_LANE_CONSTANTS * 2], kept[ROD_KEPT_CONSTANTS * 2], flips[2];
    _Alignas(64) float scratch[ROD_SCRATCH_ROW * (ELEMENTS + 2) * 2 + 64];
    uint32_t elements[1];
} plain_rod;

static void lay_straight(plain_rod *r, size_t elements) {
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i <= elements; i++) {
        r->x[3 * i + 2] = (float)i;
        r->w[i] = 1.0f;
    }
    for (size_t e = 0; e < elements; e++) {
        r->q[4 * e] = r->wq[e] = r->ghost[3 * e] = r->fall[e] = 1.0f;
        r->ghost[3 * e + 2] = (float)e + 0.5f;
    }
    for (size_t i = 0; i < ROD_LANE_CONSTANTS; i++)
        r->constant[i] = i == ROD_LANE_CURVE ? 0.0f : 1.0f;
    r->elements[0] = (uint32_t)elements;
}

static rod_block block_of(plain_rod *r, size_t elements) {
    lay_straight(r, elements);
    return (rod_block){.lanes = 1,
                       .elements = elements,
                       .lane_elements = r->elements,
                       .uniform_end = elements,
                       .isotropic_stretch = true,
                       .x = r->x,
                       .v = r->v,
                       .w = r->w,
                       .wq = r->wq,
                       .rest = r->rest,
                       .q = r->q,
                       .omega = r->omega,
                       .ghost = r->ghost,
                       .ghost_v = r->ghost_v,
                       .fall = r->fall,
                       .angle = r->angle,
                       .lane_constant = r->constant,
                       .flips = r->flips,
                       .kept = r->kept,
                       .changed = true};
}

static rod_operation_count count(rod_kernel *kernel, size_t elements, size_t iterations,
                                 rod_order order) {
    static plain_rod rod;
    const rod_block block = block_of(&rod, elements);
    const rod_frame frame = {.dt = 0.01f, .iterations = iterations, .order = order};
    *vf_counted() = (vf_counts){0};
    kernel(&block, &frame, rod.scratch);
    return (rod_operation_count){vf_counted()->arithmetic, vf_counted()->additions};
}

static rod_operation_count difference(rod_operation_count a, rod_operation_count b) {
    return (rod_operation_count){a.all - b.all, a.additions - b.additions};
}

/* Of a rod of ELEMENTS and of one of 20, what one more element costs. */
static rod_operation_count shared_out(rod_operation_count longer, rod_operation_count shorter) {
    const rod_operation_count more = difference(longer, shorter);
    assert_int_equal(more.all % (ELEMENTS - 20), 0);
    assert_int_equal(more.additions % (ELEMENTS - 20), 0);
    return (rod_operation_count){more.all / (ELEMENTS - 20), more.additions / (ELEMENTS - 20)};
}

/* What one more element costs in one more iteration. */
static rod_operation_count count_per_element(rod_kernel *kernel, rod_order order) {
    return shared_out(
        difference(count(kernel, ELEMENTS, 2, order), count(kernel, ELEMENTS, 1, order)),
        difference(count(kernel, 20, 2, order), count(kernel, 20, 1, order)));
}

/* What one more element costs in a frame, beside its iterations. */
static rod_operation_count count_per_frame(rod_kernel *kernel, rod_order order) {
    return difference(shared_out(count(kernel, ELEMENTS, 1, order), count(kernel, 20, 1, order)),
                      count_per_element(kernel, order));
}

static void assert_counts(rod_operation_count counted, rod_operation_count claimed) {
    assert_int_equal(counted.all, claimed.all);
    assert_int_equal(counted.additions, claimed.additions);
}

static rod_variant variant_of(const char *method, const char *isa, const char *norm,
                              const char *weights) {
    return (rod_variant){
        .method = method, .layout = "batch", .isa = isa, .norm = norm, .weights = weights};
}

static void assert_claim(const char *method, const char *norm, const char *weights,
                         rod_kernel *kernel) {
    const rod_variant claim = variant_of(method, "scalar", norm, weights);
    for (rod_order order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++) {
        assert_counts(count_per_element(kernel, order), rod_operations(&claim));
        assert_counts(count_per_frame(kernel, order), rod_frame_operations(&claim, order));
    }
}

/* Two streams do the same for each lane; the counting vectors have one. */
#define CLAIM(method, isa, unroll, norm, weights)                                                  \
    if (unroll == 1)                                                                               \
        assert_claim(#method, #norm, #weights,                                                     \
                     ROD_BATCH_SYMBOL(method, isa, unroll, norm, weights));

/* Expands its arguments before the list pastes them. */
#define CLAIMS(method) ROD_BATCH_KERNELS(CLAIM, method, count)

static void every_claim_is_what_the_body_does(void **state) {
    (void)state;
    CLAIMS(ROD_METHOD)
}

/* Where an estimate has eight bits, each of this many roots takes one Newton step more. */
static void assert_roots(const char *method, const char *weights, size_t roots, size_t step) {
    const rod_variant neon = variant_of(method, "neon", "newton", weights);
    const rod_variant sse = variant_of(method, "sse41", "newton", weights);
    const rod_variant bare = variant_of(method, "neon", "bare", weights);
    assert_int_equal(rod_operations(&neon).all, rod_operations(&sse).all + step * roots);
    assert_int_equal(rod_operations(&bare).all, rod_operations(&sse).all);
}

#endif
