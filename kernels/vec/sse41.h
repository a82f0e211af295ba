/* Four lanes of SSE4.1, which has no fused multiply-add. Off x86 SIMDe translates it; build with
 * -ffp-contract=off there, or the compiler may fuse the translated multiply and add. */
#ifndef ROD_VEC_SSE41_H
#define ROD_VEC_SSE41_H

#include <simde/x86/sse4.1.h>

typedef simde__m128 vf;

enum { VF_LANES = 4 };
enum { VF_FUSED = 0 };
#if defined(SIMDE_X86_SSE_NATIVE)
enum { VF_RSQRT_STEPS = 1 };
#else
/* SIMDe gives ARM's 8-bit estimate instead of the 12-bit one, or 10 bits from plain C. */
enum { VF_RSQRT_STEPS = 2 };
#endif

static inline vf vf_load(const float *p) {
    return simde_mm_load_ps(p);
}

static inline void vf_store(float *p, vf a) {
    simde_mm_store_ps(p, a);
}

static inline vf vf_set1(float a) {
    return simde_mm_set1_ps(a);
}

static inline vf vf_zero(void) {
    return simde_mm_setzero_ps();
}

static inline vf vf_add(vf a, vf b) {
    return simde_mm_add_ps(a, b);
}

static inline vf vf_sub(vf a, vf b) {
    return simde_mm_sub_ps(a, b);
}

static inline vf vf_mul(vf a, vf b) {
    return simde_mm_mul_ps(a, b);
}

static inline vf vf_div(vf a, vf b) {
    return simde_mm_div_ps(a, b);
}

static inline vf vf_sqrt(vf a) {
    return simde_mm_sqrt_ps(a);
}

static inline vf vf_fma(vf a, vf b, vf c) {
    return simde_mm_add_ps(simde_mm_mul_ps(a, b), c);
}

static inline vf vf_fnma(vf a, vf b, vf c) {
    return simde_mm_sub_ps(c, simde_mm_mul_ps(a, b));
}

static inline vf vf_rsqrt_estimate(vf a) {
    return simde_mm_rsqrt_ps(a);
}

static inline vf vf_sign(vf a) {
    return simde_mm_and_ps(a, simde_mm_set1_ps(-0.0f));
}

static inline vf vf_xor(vf a, vf b) {
    return simde_mm_xor_ps(a, b);
}

static inline vf vf_select_positive(vf m, vf a, vf b) {
    return simde_mm_blendv_ps(b, a, simde_mm_cmpgt_ps(m, simde_mm_setzero_ps()));
}

#endif
