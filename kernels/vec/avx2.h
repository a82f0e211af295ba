/* Eight lanes of AVX2 with FMA. */
#ifndef ROD_VEC_AVX2_H
#define ROD_VEC_AVX2_H

#include <stdint.h>

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
/* Whether an operation selects its lanes at no cost. */
enum { VF_MASKED = 0 };

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

/* Of any alignment. */
static inline vf vf_loadu(const float *p) {
    return simde_mm256_loadu_ps(p);
}

static inline void vf_storeu(float *p, vf a) {
    simde_mm256_storeu_ps(p, a);
}

/* Each lane gets the one below it, the lowest the highest of `below`. */
static inline vf vf_shift_up(vf a, vf below) {
    const vf across = simde_mm256_permute2f128_ps(below, a, 0x21);
    return simde_mm256_castsi256_ps(
        simde_mm256_alignr_epi8(simde_mm256_castps_si256(a), simde_mm256_castps_si256(across), 12));
}

/* Each lane gets the one above it, the highest the lowest of `above`. */
static inline vf vf_shift_down(vf a, vf above) {
    const vf across = simde_mm256_permute2f128_ps(a, above, 0x21);
    return simde_mm256_castsi256_ps(
        simde_mm256_alignr_epi8(simde_mm256_castps_si256(across), simde_mm256_castps_si256(a), 4));
}

/* The same by two lanes. */
static inline vf vf_shift_down_two(vf a, vf above) {
    const vf across = simde_mm256_permute2f128_ps(a, above, 0x21);
    return simde_mm256_castsi256_ps(
        simde_mm256_alignr_epi8(simde_mm256_castps_si256(across), simde_mm256_castps_si256(a), 8));
}

/* Bit i is the sign of lane i. */
static inline uint32_t vf_sign_bits(vf a) {
    return (uint32_t)simde_mm256_movemask_ps(a);
}

/* -0 where a bit is set, 0 elsewhere. */
static inline vf vf_from_sign_bits(uint32_t bits) {
    const simde__m256i lane = simde_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const simde__m256i set = simde_mm256_and_si256(simde_mm256_set1_epi32((int)bits), lane);
    return simde_mm256_and_ps(simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(set, lane)),
                              simde_mm256_set1_ps(-0.0f));
}

#endif
