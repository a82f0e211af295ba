/* Four lanes of NEON. Native on A64; on x86 SIMDe translates it, which is for the tests only. */
#ifndef ROD_VEC_NEON_H
#define ROD_VEC_NEON_H

#include <math.h>

#include <simde/arm/neon.h>

typedef simde_float32x4_t vf;

enum { VF_LANES = 4 };
/* The conditions under which SIMDe's vfmaq_f32 is fused; otherwise it multiplies and then adds. */
#if (defined(SIMDE_ARM_NEON_A32V7_NATIVE) && defined(__ARM_FEATURE_FMA)) ||                        \
    defined(SIMDE_X86_FMA_NATIVE)
enum { VF_FUSED = 1 };
#else
enum { VF_FUSED = 0 };
#endif
/* ARM's estimate has 8 bits. On x86 SIMDe gives SSE's 12 bits, for which one step would do, but
 * there the emulation should run the code that ARM runs. */
enum { VF_RSQRT_STEPS = 2 };
/* Whether an operation selects its lanes at no cost. */
enum { VF_MASKED = 0 };

static inline vf vf_load(const float *p) {
    return simde_vld1q_f32(p);
}

static inline void vf_store(float *p, vf a) {
    simde_vst1q_f32(p, a);
}

static inline vf vf_set1(float a) {
    return simde_vdupq_n_f32(a);
}

static inline vf vf_zero(void) {
    return simde_vdupq_n_f32(0.0f);
}

static inline vf vf_add(vf a, vf b) {
    return simde_vaddq_f32(a, b);
}

static inline vf vf_sub(vf a, vf b) {
    return simde_vsubq_f32(a, b);
}

static inline vf vf_mul(vf a, vf b) {
    return simde_vmulq_f32(a, b);
}

/* SIMDe 0.7.4 has neither vdivq_f32 nor vsqrtq_f32, hence the native names and the plain C. */
static inline vf vf_div(vf a, vf b) {
#if defined(SIMDE_ARM_NEON_A64V8_NATIVE)
    return vdivq_f32(a, b);
#else
    float x[4];
    float y[4];
    simde_vst1q_f32(x, a);
    simde_vst1q_f32(y, b);
    for (int i = 0; i < 4; i++) {
        x[i] /= y[i];
    }
    return simde_vld1q_f32(x);
#endif
}

static inline vf vf_sqrt(vf a) {
#if defined(SIMDE_ARM_NEON_A64V8_NATIVE)
    return vsqrtq_f32(a);
#else
    float x[4];
    simde_vst1q_f32(x, a);
    for (int i = 0; i < 4; i++) {
        x[i] = sqrtf(x[i]);
    }
    return simde_vld1q_f32(x);
#endif
}

/* NEON's accumulator comes first: vfmaq_f32(c, a, b) is c + a * b. */
static inline vf vf_fma(vf a, vf b, vf c) {
    return simde_vfmaq_f32(c, a, b);
}

/* SIMDe 0.7.4 has no vfmsq_f32. Negation is exact, and compilers for A64 turn this into fmls. */
static inline vf vf_fnma(vf a, vf b, vf c) {
    return simde_vfmaq_f32(c, simde_vnegq_f32(a), b);
}

static inline vf vf_rsqrt_estimate(vf a) {
    return simde_vrsqrteq_f32(a);
}

static inline vf vf_sign(vf a) {
    return simde_vreinterpretq_f32_u32(
        simde_vandq_u32(simde_vreinterpretq_u32_f32(a), simde_vdupq_n_u32(0x80000000u)));
}

static inline vf vf_xor(vf a, vf b) {
    return simde_vreinterpretq_f32_u32(
        simde_veorq_u32(simde_vreinterpretq_u32_f32(a), simde_vreinterpretq_u32_f32(b)));
}

static inline vf vf_select_positive(vf m, vf a, vf b) {
    return simde_vbslq_f32(simde_vcgtq_f32(m, simde_vdupq_n_f32(0.0f)), a, b);
}

/* Of any alignment. */
static inline vf vf_loadu(const float *p) {
    return simde_vld1q_f32(p);
}

static inline void vf_storeu(float *p, vf a) {
    simde_vst1q_f32(p, a);
}

/* Each lane gets the one below it, the lowest the highest of `below`. */
static inline vf vf_shift_up(vf a, vf below) {
    return simde_vextq_f32(below, a, 3);
}

/* Each lane gets the one above it, the highest the lowest of `above`. */
static inline vf vf_shift_down(vf a, vf above) {
    return simde_vextq_f32(a, above, 1);
}

/* The same by two lanes. */
static inline vf vf_shift_down_two(vf a, vf above) {
    return simde_vextq_f32(a, above, 2);
}

/* Bit i is the sign of lane i. */
static inline uint32_t vf_sign_bits(vf a) {
    static const int32_t place[4] = {0, 1, 2, 3};
    const simde_uint32x4_t sign = simde_vshrq_n_u32(simde_vreinterpretq_u32_f32(a), 31);
    return simde_vaddvq_u32(simde_vshlq_u32(sign, simde_vld1q_s32(place)));
}

/* -0 where a bit is set, 0 elsewhere. */
static inline vf vf_from_sign_bits(uint32_t bits) {
    static const int32_t place[4] = {31, 30, 29, 28};
    const simde_uint32x4_t moved = simde_vshlq_u32(simde_vdupq_n_u32(bits), simde_vld1q_s32(place));
    return simde_vreinterpretq_f32_u32(simde_vandq_u32(moved, simde_vdupq_n_u32(0x80000000u)));
}

#endif
