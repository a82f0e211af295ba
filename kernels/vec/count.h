/* One lane of plain C that counts what it does, for the tests that compare a kernel's operations
 * with the number it claims. The counters belong to the one translation unit that includes this. */
#ifndef ROD_VEC_COUNT_H
#define ROD_VEC_COUNT_H

#include <stdint.h>

/* The operations themselves are scalar.h's under other names, so that a counted kernel gives the
 * scalar kernel's results bit for bit. vf_set1 and vf_zero, being constants, are not counted. */
#define vf_load vf_uncounted_load
#define vf_store vf_uncounted_store
#define vf_add vf_uncounted_add
#define vf_sub vf_uncounted_sub
#define vf_mul vf_uncounted_mul
#define vf_div vf_uncounted_div
#define vf_sqrt vf_uncounted_sqrt
#define vf_fma vf_uncounted_fma
#define vf_fnma vf_uncounted_fnma
#define vf_rsqrt_estimate vf_uncounted_rsqrt_estimate
#define vf_sign vf_uncounted_sign
#define vf_xor vf_uncounted_xor
#define vf_select_positive vf_uncounted_select_positive

#include "scalar.h"

#undef vf_load
#undef vf_store
#undef vf_add
#undef vf_sub
#undef vf_mul
#undef vf_div
#undef vf_sqrt
#undef vf_fma
#undef vf_fnma
#undef vf_rsqrt_estimate
#undef vf_sign
#undef vf_xor
#undef vf_select_positive

typedef struct vf_counts {
    uint64_t arithmetic; /* a fused multiply-add is one */
    uint64_t additions;  /* of these, and subtractions */
    uint64_t logic;
    uint64_t loads;
    uint64_t stores;
} vf_counts;

static vf_counts vf_counters;

static inline vf_counts *vf_counted(void) {
    return &vf_counters;
}

static inline vf vf_load(const float *p) {
    vf_counters.loads++;
    return vf_uncounted_load(p);
}

static inline void vf_store(float *p, vf a) {
    vf_counters.stores++;
    vf_uncounted_store(p, a);
}

static inline vf vf_add(vf a, vf b) {
    vf_counters.arithmetic++;
    vf_counters.additions++;
    return vf_uncounted_add(a, b);
}

static inline vf vf_sub(vf a, vf b) {
    vf_counters.arithmetic++;
    vf_counters.additions++;
    return vf_uncounted_sub(a, b);
}

static inline vf vf_mul(vf a, vf b) {
    vf_counters.arithmetic++;
    return vf_uncounted_mul(a, b);
}

static inline vf vf_div(vf a, vf b) {
    vf_counters.arithmetic++;
    return vf_uncounted_div(a, b);
}

static inline vf vf_sqrt(vf a) {
    vf_counters.arithmetic++;
    return vf_uncounted_sqrt(a);
}

static inline vf vf_fma(vf a, vf b, vf c) {
    vf_counters.arithmetic++;
    return vf_uncounted_fma(a, b, c);
}

static inline vf vf_fnma(vf a, vf b, vf c) {
    vf_counters.arithmetic++;
    return vf_uncounted_fnma(a, b, c);
}

static inline vf vf_rsqrt_estimate(vf a) {
    vf_counters.arithmetic++;
    return vf_uncounted_rsqrt_estimate(a);
}

static inline vf vf_sign(vf a) {
    vf_counters.logic++;
    return vf_uncounted_sign(a);
}

static inline vf vf_xor(vf a, vf b) {
    vf_counters.logic++;
    return vf_uncounted_xor(a, b);
}

static inline vf vf_select_positive(vf m, vf a, vf b) {
    vf_counters.logic++;
    return vf_uncounted_select_positive(m, a, b);
}

#endif
