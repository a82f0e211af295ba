/* A quaternion, or a point with a fourth lane of no meaning, in one SSE register: w x y z from the
 * lowest lane up. For the array-of-structures variant only. */
#ifndef ROD_VEC_QUATERNION_REGISTER_H
#define ROD_VEC_QUATERNION_REGISTER_H

#include "vec/sse41.h"

static inline vf qr_set(float w, float x, float y, float z) {
    return simde_mm_set_ps(z, y, x, w);
}

static inline vf qr_splat_w(vf a) {
    return simde_mm_shuffle_ps(a, a, SIMDE_MM_SHUFFLE(0, 0, 0, 0));
}

static inline vf qr_splat_x(vf a) {
    return simde_mm_shuffle_ps(a, a, SIMDE_MM_SHUFFLE(1, 1, 1, 1));
}

static inline vf qr_splat_y(vf a) {
    return simde_mm_shuffle_ps(a, a, SIMDE_MM_SHUFFLE(2, 2, 2, 2));
}

static inline vf qr_splat_z(vf a) {
    return simde_mm_shuffle_ps(a, a, SIMDE_MM_SHUFFLE(3, 3, 3, 3));
}

/* x w z y, y z w x and z y x w: the rows of the product matrix without their signs. */
static inline vf qr_xwzy(vf a) {
    return simde_mm_shuffle_ps(a, a, SIMDE_MM_SHUFFLE(2, 3, 0, 1));
}

static inline vf qr_yzwx(vf a) {
    return simde_mm_shuffle_ps(a, a, SIMDE_MM_SHUFFLE(1, 0, 3, 2));
}

static inline vf qr_zyxw(vf a) {
    return simde_mm_shuffle_ps(a, a, SIMDE_MM_SHUFFLE(0, 1, 2, 3));
}

/* KS16 eq. 1 */
static inline vf qr_mul(vf p, vf q) {
    const vf by_w = vf_mul(qr_splat_w(p), q);
    const vf by_x = vf_mul(qr_splat_x(p), vf_xor(qr_xwzy(q), qr_set(-0.0f, 0.0f, -0.0f, 0.0f)));
    const vf by_y = vf_mul(qr_splat_y(p), vf_xor(qr_yzwx(q), qr_set(-0.0f, 0.0f, 0.0f, -0.0f)));
    const vf by_z = vf_mul(qr_splat_z(p), vf_xor(qr_zyxw(q), qr_set(-0.0f, -0.0f, 0.0f, 0.0f)));
    return vf_add(vf_add(by_w, by_x), vf_add(by_y, by_z));
}

static inline vf qr_conjugate(vf a) {
    return vf_xor(a, qr_set(0.0f, -0.0f, -0.0f, -0.0f));
}

/* The dot product, in all lanes. */
static inline vf qr_dot(vf a, vf b) {
    const vf products = vf_mul(a, b);
    const vf pairs = vf_add(products, qr_xwzy(products));
    return vf_add(pairs, qr_yzwx(pairs));
}

/* a with its scalar part set to 0 */
static inline vf qr_imaginary(vf a) {
    return simde_mm_blend_ps(a, simde_mm_setzero_ps(), 1);
}

/* q e3 conj(q), with scalar part 0 */
static inline vf qr_director3(vf q) {
    const vf q_e3 = vf_xor(qr_zyxw(q), qr_set(-0.0f, 0.0f, -0.0f, 0.0f));
    return qr_imaginary(qr_mul(q_e3, qr_conjugate(q)));
}

/* q e3bar */
static inline vf qr_times_e3bar(vf q) {
    return vf_xor(qr_zyxw(q), qr_set(0.0f, -0.0f, 0.0f, -0.0f));
}

#endif
