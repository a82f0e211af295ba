/* One lane of plain C: the baseline that the SIMD headers of this directory are measured against,
 * with the same interface. Build with -ffp-contract=off, or the compiler may fuse vf_fma behind
 * VF_FUSED's back, and with -fno-math-errno, so that vf_sqrt is one instruction. */
#ifndef ROD_VEC_SCALAR_H
#define ROD_VEC_SCALAR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <simde/x86/sse.h>

typedef float vf;

enum { VF_LANES = 1 };
enum { VF_FUSED = 0 };
/* Whether an operation selects its lanes at no cost. */
enum { VF_MASKED = 0 };
/* The exact estimate used off x86 needs no step; it takes one all the same, so that the baseline
 * performs the same operations everywhere. */
enum { VF_RSQRT_STEPS = 1 };

static inline uint32_t vf_bits(vf a) {
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline vf vf_from_bits(uint32_t bits) {
    vf a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static inline vf vf_load(const float *p) {
    return *p;
}

static inline void vf_store(float *p, vf a) {
    *p = a;
}

static inline vf vf_set1(float a) {
    return a;
}

static inline vf vf_zero(void) {
    return 0.0f;
}

static inline vf vf_add(vf a, vf b) {
    return a + b;
}

static inline vf vf_sub(vf a, vf b) {
    return a - b;
}

static inline vf vf_mul(vf a, vf b) {
    return a * b;
}

static inline vf vf_div(vf a, vf b) {
    return a / b;
}

static inline vf vf_sqrt(vf a) {
    return sqrtf(a);
}

static inline vf vf_fma(vf a, vf b, vf c) {
    return a * b + c;
}

static inline vf vf_fnma(vf a, vf b, vf c) {
    return c - a * b;
}

static inline vf vf_rsqrt_estimate(vf a) {
#if defined(SIMDE_X86_SSE_NATIVE)
    return simde_mm_cvtss_f32(simde_mm_rsqrt_ss(simde_mm_set_ss(a)));
#else
    /* SIMDe's generic fallback is a bit trick good to 10 bits only, finite at 0 and minus infinity
     * at infinity, where every hardware estimate gives infinity and 0. */
    return 1.0f / sqrtf(a);
#endif
}

static inline vf vf_sign(vf a) {
    return vf_from_bits(vf_bits(a) & UINT32_C(0x80000000));
}

static inline vf vf_xor(vf a, vf b) {
    return vf_from_bits(vf_bits(a) ^ vf_bits(b));
}

static inline vf vf_select_positive(vf m, vf a, vf b) {
    return m > 0.0f ? a : b;
}

/* Of any alignment. */
static inline vf vf_loadu(const float *p) {
    return *p;
}

static inline void vf_storeu(float *p, vf a) {
    *p = a;
}

/* Each lane gets the one below it, the lowest the highest of `below`. */
static inline vf vf_shift_up(vf a, vf below) {
    (void)a;
    return below;
}

/* Each lane gets the one above it, the highest the lowest of `above`. */
static inline vf vf_shift_down(vf a, vf above) {
    (void)a;
    return above;
}

/* The same by two lanes, of which there is one. */
static inline vf vf_shift_down_two(vf a, vf above) {
    (void)a;
    return above;
}

/* Bit i is the sign of lane i. */
static inline uint32_t vf_sign_bits(vf a) {
    return vf_bits(a) >> 31;
}

/* -0 where a bit is set, 0 elsewhere. */
static inline vf vf_from_sign_bits(uint32_t bits) {
    return vf_from_bits(bits << 31);
}

#endif
