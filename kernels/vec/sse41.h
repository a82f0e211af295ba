/* Four lanes of SSE4.1, which has no fused multiply-add. Off x86 SIMDe translates it; build with
 * -ffp-contract=off there, or the compiler may fuse the translated multiply and add. */
#ifndef ROD_VEC_SSE41_H
#define ROD_VEC_SSE41_H

#include <stdint.h>

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
/* Whether an operation selects its lanes at no cost. */
enum { VF_MASKED = 0 };

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

/* Of any alignment. */
static inline vf vf_loadu(const float *p) {
    return simde_mm_loadu_ps(p);
}

static inline void vf_storeu(float *p, vf a) {
    simde_mm_storeu_ps(p, a);
}

/* Each lane gets the one below it, the lowest the highest of `below`. */
static inline vf vf_shift_up(vf a, vf below) {
    return simde_mm_castsi128_ps(
        simde_mm_alignr_epi8(simde_mm_castps_si128(a), simde_mm_castps_si128(below), 12));
}

/* Each lane gets the one above it, the highest the lowest of `above`. */
static inline vf vf_shift_down(vf a, vf above) {
    return simde_mm_castsi128_ps(
        simde_mm_alignr_epi8(simde_mm_castps_si128(above), simde_mm_castps_si128(a), 4));
}

/* The same by two lanes. */
static inline vf vf_shift_down_two(vf a, vf above) {
    return simde_mm_castsi128_ps(
        simde_mm_alignr_epi8(simde_mm_castps_si128(above), simde_mm_castps_si128(a), 8));
}

/* Bit i is the sign of lane i. */
static inline uint32_t vf_sign_bits(vf a) {
    return (uint32_t)simde_mm_movemask_ps(a);
}

/* -0 where a bit is set, 0 elsewhere. */
static inline vf vf_from_sign_bits(uint32_t bits) {
    const simde__m128i lane = simde_mm_setr_epi32(1, 2, 4, 8);
    const simde__m128i set = simde_mm_and_si128(simde_mm_set1_epi32((int)bits), lane);
    return simde_mm_and_ps(simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(set, lane)),
                           simde_mm_set1_ps(-0.0f));
}

#endif
