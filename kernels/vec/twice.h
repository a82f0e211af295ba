/* Two vectors of the instruction set as one: lanes 0 .. VF_LANES / 2 - 1 are the low one. What is
 * written once for a vector then does each of its small steps for both before the next, in
 * lockstep. A CPU's scheduler holds fewer operations than one projection has, so it overlaps two of
 * them only if the program does.
 *
 * A body includes this before anything else that includes ROD_VEC_HEADER. */
#ifndef ROD_VEC_TWICE_H
#define ROD_VEC_TWICE_H

/* The operations of one vector are the header's own under other names. */
#define vf vh
#define VF_LANES VH_LANES
#define vf_load vh_load
#define vf_store vh_store
#define vf_loadu vh_loadu
#define vf_storeu vh_storeu
#define vf_set1 vh_set1
#define vf_zero vh_zero
#define vf_add vh_add
#define vf_sub vh_sub
#define vf_mul vh_mul
#define vf_div vh_div
#define vf_sqrt vh_sqrt
#define vf_fma vh_fma
#define vf_fnma vh_fnma
#define vf_rsqrt_estimate vh_rsqrt_estimate
#define vf_sign vh_sign
#define vf_xor vh_xor
#define vf_select_positive vh_select_positive
#define vf_shift_up vh_shift_up
#define vf_shift_down vh_shift_down
#define vf_shift_down_two vh_shift_down_two
#define vf_sign_bits vh_sign_bits
#define vf_from_sign_bits vh_from_sign_bits

#include ROD_VEC_HEADER

#undef vf
#undef VF_LANES
#undef vf_load
#undef vf_store
#undef vf_loadu
#undef vf_storeu
#undef vf_set1
#undef vf_zero
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
#undef vf_shift_up
#undef vf_shift_down
#undef vf_shift_down_two
#undef vf_sign_bits
#undef vf_from_sign_bits

/* Outside of functions that are inlined, compilers keep such a pair in memory. */
#define ROD_TWICE static inline __attribute__((always_inline))

typedef struct {
    vh low, high;
} vf;

enum { VF_LANES = 2 * VH_LANES };

ROD_TWICE vf vf_load(const float *p) {
    return (vf){vh_load(p), vh_load(p + VH_LANES)};
}

ROD_TWICE void vf_store(float *p, vf a) {
    vh_store(p, a.low);
    vh_store(p + VH_LANES, a.high);
}

ROD_TWICE vf vf_loadu(const float *p) {
    return (vf){vh_loadu(p), vh_loadu(p + VH_LANES)};
}

ROD_TWICE void vf_storeu(float *p, vf a) {
    vh_storeu(p, a.low);
    vh_storeu(p + VH_LANES, a.high);
}

ROD_TWICE vf vf_set1(float a) {
    return (vf){vh_set1(a), vh_set1(a)};
}

ROD_TWICE vf vf_zero(void) {
    return (vf){vh_zero(), vh_zero()};
}

ROD_TWICE vf vf_add(vf a, vf b) {
    return (vf){vh_add(a.low, b.low), vh_add(a.high, b.high)};
}

ROD_TWICE vf vf_sub(vf a, vf b) {
    return (vf){vh_sub(a.low, b.low), vh_sub(a.high, b.high)};
}

ROD_TWICE vf vf_mul(vf a, vf b) {
    return (vf){vh_mul(a.low, b.low), vh_mul(a.high, b.high)};
}

ROD_TWICE vf vf_div(vf a, vf b) {
    return (vf){vh_div(a.low, b.low), vh_div(a.high, b.high)};
}

ROD_TWICE vf vf_sqrt(vf a) {
    return (vf){vh_sqrt(a.low), vh_sqrt(a.high)};
}

ROD_TWICE vf vf_fma(vf a, vf b, vf c) {
    return (vf){vh_fma(a.low, b.low, c.low), vh_fma(a.high, b.high, c.high)};
}

ROD_TWICE vf vf_fnma(vf a, vf b, vf c) {
    return (vf){vh_fnma(a.low, b.low, c.low), vh_fnma(a.high, b.high, c.high)};
}

ROD_TWICE vf vf_rsqrt_estimate(vf a) {
    return (vf){vh_rsqrt_estimate(a.low), vh_rsqrt_estimate(a.high)};
}

ROD_TWICE vf vf_sign(vf a) {
    return (vf){vh_sign(a.low), vh_sign(a.high)};
}

ROD_TWICE vf vf_xor(vf a, vf b) {
    return (vf){vh_xor(a.low, b.low), vh_xor(a.high, b.high)};
}

ROD_TWICE vf vf_select_positive(vf m, vf a, vf b) {
    return (vf){vh_select_positive(m.low, a.low, b.low),
                vh_select_positive(m.high, a.high, b.high)};
}

ROD_TWICE vf vf_shift_up(vf a, vf below) {
    return (vf){vh_shift_up(a.low, below.high), vh_shift_up(a.high, a.low)};
}

ROD_TWICE vf vf_shift_down(vf a, vf above) {
    return (vf){vh_shift_down(a.low, a.high), vh_shift_down(a.high, above.low)};
}

ROD_TWICE vf vf_shift_down_two(vf a, vf above) {
    return (vf){vh_shift_down_two(a.low, a.high), vh_shift_down_two(a.high, above.low)};
}

ROD_TWICE uint32_t vf_sign_bits(vf a) {
    return vh_sign_bits(a.low) | vh_sign_bits(a.high) << VH_LANES;
}

ROD_TWICE vf vf_from_sign_bits(uint32_t bits) {
    return (vf){vh_from_sign_bits(bits), vh_from_sign_bits(bits >> VH_LANES)};
}

#undef ROD_TWICE

#endif
