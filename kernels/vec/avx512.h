/* Sixteen lanes of AVX-512 (F, and DQ for the bitwise operations on floats). Where the compiler
 * targets no AVX-512, SIMDe emulates it from two AVX registers: that is only for the tests, which
 * check the 16-lane code on machines without AVX-512. */
#ifndef ROD_VEC_AVX512_H
#define ROD_VEC_AVX512_H

#include <stdint.h>

#include <simde/x86/avx512.h>
#include <simde/x86/fma.h>

#if !defined(SIMDE_X86_AVX512F_NATIVE)
/* How a 64-byte vector is passed depends on AVX-512 being enabled, of which compilers warn. It is
 * harmless here, as no vf leaves its translation unit, but it concerns every caller: no pop. */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

typedef simde__m512 vf;

enum { VF_LANES = 16 };
/* SIMDe's emulation goes through the 256-bit operation, which is fused if and only if FMA is
 * native. AVX-512F itself has a fused one, whether the compiler calls FMA enabled or not. */
#if defined(SIMDE_X86_AVX512F_NATIVE) || defined(SIMDE_X86_FMA_NATIVE)
enum { VF_FUSED = 1 };
#else
enum { VF_FUSED = 0 };
#endif
enum { VF_RSQRT_STEPS = 1 };
/* Whether an operation selects its lanes at no cost. */
enum { VF_MASKED = 1 };

static inline vf vf_load(const float *p) {
    return simde_mm512_load_ps(p);
}

static inline void vf_store(float *p, vf a) {
    simde_mm512_store_ps(p, a);
}

static inline vf vf_set1(float a) {
    return simde_mm512_set1_ps(a);
}

static inline vf vf_zero(void) {
    return simde_mm512_setzero_ps();
}

static inline vf vf_add(vf a, vf b) {
    return simde_mm512_add_ps(a, b);
}

static inline vf vf_sub(vf a, vf b) {
    return simde_mm512_sub_ps(a, b);
}

static inline vf vf_mul(vf a, vf b) {
    return simde_mm512_mul_ps(a, b);
}

static inline vf vf_div(vf a, vf b) {
    return simde_mm512_div_ps(a, b);
}

static inline vf vf_sqrt(vf a) {
    return simde_mm512_sqrt_ps(a);
}

static inline vf vf_fma(vf a, vf b, vf c) {
    return simde_mm512_fmadd_ps(a, b, c);
}

static inline vf vf_fnma(vf a, vf b, vf c) {
    return simde_mm512_fnmadd_ps(a, b, c);
}

static inline vf vf_rsqrt_estimate(vf a) {
#if defined(SIMDE_X86_AVX512F_NATIVE)
    /* SIMDe 0.7.4 has no name for it. */
    return _mm512_rsqrt14_ps(a);
#else
    _Alignas(64) float half[16];
    simde_mm512_store_ps(half, a);
    simde_mm256_store_ps(half, simde_mm256_rsqrt_ps(simde_mm256_load_ps(half)));
    simde_mm256_store_ps(half + 8, simde_mm256_rsqrt_ps(simde_mm256_load_ps(half + 8)));
    return simde_mm512_load_ps(half);
#endif
}

static inline vf vf_sign(vf a) {
    return simde_mm512_and_ps(a, simde_mm512_set1_ps(-0.0f));
}

static inline vf vf_xor(vf a, vf b) {
    return simde_mm512_xor_ps(a, b);
}

static inline vf vf_select_positive(vf m, vf a, vf b) {
    simde__mmask16 positive = simde_mm512_cmp_ps_mask(m, simde_mm512_setzero_ps(), SIMDE_CMP_GT_OQ);
    return simde_mm512_mask_blend_ps(positive, b, a);
}

/* Of any alignment. */
static inline vf vf_loadu(const float *p) {
    return simde_mm512_loadu_ps(p);
}

static inline void vf_storeu(float *p, vf a) {
    simde_mm512_storeu_ps(p, a);
}

/* SIMDe 0.7.4 has neither the shift across lanes nor the mask of signs. */
#if defined(SIMDE_X86_AVX512F_NATIVE)
/* Each lane gets the one below it, the lowest the highest of `below`. */
static inline vf vf_shift_up(vf a, vf below) {
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(a), _mm512_castps_si512(below), 15));
}

/* Each lane gets the one above it, the highest the lowest of `above`. */
static inline vf vf_shift_down(vf a, vf above) {
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(above), _mm512_castps_si512(a), 1));
}

/* The same by two lanes. */
static inline vf vf_shift_down_two(vf a, vf above) {
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(above), _mm512_castps_si512(a), 2));
}

/* Bit i is the sign of lane i. */
static inline uint32_t vf_sign_bits(vf a) {
    return _mm512_movepi32_mask(_mm512_castps_si512(a));
}

/* -0 where a bit is set, 0 elsewhere. */
static inline vf vf_from_sign_bits(uint32_t bits) {
    return _mm512_maskz_mov_ps((__mmask16)bits, _mm512_set1_ps(-0.0f));
}
#else
static inline vf vf_shift_up(vf a, vf below) {
    _Alignas(64) float lanes[32];
    simde_mm512_store_ps(lanes, below);
    simde_mm512_store_ps(lanes + 16, a);
    return simde_mm512_loadu_ps(lanes + 15);
}

static inline vf vf_shift_down(vf a, vf above) {
    _Alignas(64) float lanes[32];
    simde_mm512_store_ps(lanes, a);
    simde_mm512_store_ps(lanes + 16, above);
    return simde_mm512_loadu_ps(lanes + 1);
}

static inline vf vf_shift_down_two(vf a, vf above) {
    _Alignas(64) float lanes[32];
    simde_mm512_store_ps(lanes, a);
    simde_mm512_store_ps(lanes + 16, above);
    return simde_mm512_loadu_ps(lanes + 2);
}

static inline uint32_t vf_sign_bits(vf a) {
    _Alignas(64) float lanes[16];
    simde_mm512_store_ps(lanes, a);
    return (uint32_t)simde_mm256_movemask_ps(simde_mm256_load_ps(lanes)) |
           (uint32_t)simde_mm256_movemask_ps(simde_mm256_load_ps(lanes + 8)) << 8;
}

static inline vf vf_from_sign_bits(uint32_t bits) {
    _Alignas(64) float lanes[16];
    for (int i = 0; i < 16; i++)
        lanes[i] = (bits >> i & 1) != 0 ? -0.0f : 0.0f;
    return simde_mm512_load_ps(lanes);
}
#endif

#endif
