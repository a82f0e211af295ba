/* Eight lanes of AVX2 with FMA. */
#ifndef ROD_VEC_AVX2_H
#define ROD_VEC_AVX2_H

#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

typedef simde__m256 vf;

enum { VF_LANES = 8 };
/* Without -mfma SIMDe multiplies and then adds. */
#if defined(SIMDE_X86_FMA_NATIVE)
enum { VF_FUSED = 1 };
#else
enum { VF_FUSED = 0 };
#endif
enum { VF_RSQRT_STEPS = 1 };

static inline vf vf_load(const float *p) {
    return simde_mm256_load_ps(p);
}

static inline void vf_store(float *p, vf a) {
    simde_mm256_store_ps(p, a);
}

static inline vf vf_set1(float a) {
    return simde_mm256_set1_ps(a);
}

static inline vf vf_zero(void) {
    return simde_mm256_setzero_ps();
}

static inline vf vf_add(vf a, vf b) {
    return simde_mm256_add_ps(a, b);
}

static inline vf vf_sub(vf a, vf b) {
    return simde_mm256_sub_ps(a, b);
}

static inline vf vf_mul(vf a, vf b) {
    return simde_mm256_mul_ps(a, b);
}

static inline vf vf_div(vf a, vf b) {
    return simde_mm256_div_ps(a, b);
}

static inline vf vf_sqrt(vf a) {
    return simde_mm256_sqrt_ps(a);
}

static inline vf vf_fma(vf a, vf b, vf c) {
    return simde_mm256_fmadd_ps(a, b, c);
}

static inline vf vf_fnma(vf a, vf b, vf c) {
    return simde_mm256_fnmadd_ps(a, b, c);
}

static inline vf vf_rsqrt_estimate(vf a) {
    return simde_mm256_rsqrt_ps(a);
}

static inline vf vf_sign(vf a) {
    return simde_mm256_and_ps(a, simde_mm256_set1_ps(-0.0f));
}

static inline vf vf_xor(vf a, vf b) {
    return simde_mm256_xor_ps(a, b);
}

static inline vf vf_select_positive(vf m, vf a, vf b) {
    return simde_mm256_blendv_ps(b, a,
                                 simde_mm256_cmp_ps(m, simde_mm256_setzero_ps(), SIMDE_CMP_GT_OQ));
}

#endif
