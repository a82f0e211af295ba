/* Three-vectors and quaternions of vectors: what the bodies share above the ISA headers. */
#ifndef ROD_VEC_ALGEBRA_H
#define ROD_VEC_ALGEBRA_H

#include ROD_VEC_HEADER

#include <stddef.h>

/* The bodies are specialised by constant arguments, which only works when they are inlined. */
#define ROD_INLINE static inline __attribute__((always_inline))

typedef struct {
    vf x, y, z;
} vf3;

typedef struct {
    vf w, x, y, z;
} vfq;

/* How 1/sqrt(x) is found. */
typedef enum {
    NORM_exact,  /* IEEE square root and division: the same bits on every fused ISA */
    NORM_newton, /* hardware estimate and as many Newton steps as float32 needs */
    NORM_bare    /* one Newton step fewer: about 12 bits (16 on NEON) */
} rod_norm;

ROD_INLINE vf3 vf3_load(const float *p, size_t stride) {
    return (vf3){vf_load(p), vf_load(p + stride), vf_load(p + 2 * stride)};
}

ROD_INLINE void vf3_store(float *p, size_t stride, vf3 a) {
    vf_store(p, a.x);
    vf_store(p + stride, a.y);
    vf_store(p + 2 * stride, a.z);
}

ROD_INLINE vfq vfq_load(const float *p, size_t stride) {
    return (vfq){vf_load(p), vf_load(p + stride), vf_load(p + 2 * stride), vf_load(p + 3 * stride)};
}

ROD_INLINE void vfq_store(float *p, size_t stride, vfq a) {
    vf_store(p, a.w);
    vf_store(p + stride, a.x);
    vf_store(p + 2 * stride, a.y);
    vf_store(p + 3 * stride, a.z);
}

ROD_INLINE vf3 vf3_add(vf3 a, vf3 b) {
    return (vf3){vf_add(a.x, b.x), vf_add(a.y, b.y), vf_add(a.z, b.z)};
}

ROD_INLINE vf3 vf3_sub(vf3 a, vf3 b) {
    return (vf3){vf_sub(a.x, b.x), vf_sub(a.y, b.y), vf_sub(a.z, b.z)};
}

ROD_INLINE vf3 vf3_mul(vf3 a, vf3 b) {
    return (vf3){vf_mul(a.x, b.x), vf_mul(a.y, b.y), vf_mul(a.z, b.z)};
}

ROD_INLINE vf3 vf3_scale(vf s, vf3 a) {
    return (vf3){vf_mul(s, a.x), vf_mul(s, a.y), vf_mul(s, a.z)};
}

/* s a + b and b - s a */
ROD_INLINE vf3 vf3_fma(vf s, vf3 a, vf3 b) {
    return (vf3){vf_fma(s, a.x, b.x), vf_fma(s, a.y, b.y), vf_fma(s, a.z, b.z)};
}

ROD_INLINE vf3 vf3_fnma(vf s, vf3 a, vf3 b) {
    return (vf3){vf_fnma(s, a.x, b.x), vf_fnma(s, a.y, b.y), vf_fnma(s, a.z, b.z)};
}

ROD_INLINE vf vf3_dot(vf3 a, vf3 b) {
    return vf_fma(a.z, b.z, vf_fma(a.y, b.y, vf_mul(a.x, b.x)));
}

/* a . a + c */
ROD_INLINE vf vf3_square(vf3 a, vf c) {
    return vf_fma(a.z, a.z, vf_fma(a.y, a.y, vf_fma(a.x, a.x, c)));
}

ROD_INLINE vf3 vf3_cross(vf3 a, vf3 b) {
    return (vf3){vf_fnma(a.z, b.y, vf_mul(a.y, b.z)), vf_fnma(a.x, b.z, vf_mul(a.z, b.x)),
                 vf_fnma(a.y, b.x, vf_mul(a.x, b.y))};
}

ROD_INLINE vf3 vf3_select_positive(vf m, vf3 a, vf3 b) {
    return (vf3){vf_select_positive(m, a.x, b.x), vf_select_positive(m, a.y, b.y),
                 vf_select_positive(m, a.z, b.z)};
}

ROD_INLINE vfq vfq_select_positive(vf m, vfq a, vfq b) {
    return (vfq){vf_select_positive(m, a.w, b.w), vf_select_positive(m, a.x, b.x),
                 vf_select_positive(m, a.y, b.y), vf_select_positive(m, a.z, b.z)};
}

/* Flips a where `sign` holds the sign bit. */
ROD_INLINE vfq vfq_flip(vfq a, vf sign) {
    return (vfq){vf_xor(a.w, sign), vf_xor(a.x, sign), vf_xor(a.y, sign), vf_xor(a.z, sign)};
}

ROD_INLINE vfq vfq_scale(vf s, vfq a) {
    return (vfq){vf_mul(s, a.w), vf_mul(s, a.x), vf_mul(s, a.y), vf_mul(s, a.z)};
}

ROD_INLINE vf vfq_dot(vfq a, vfq b) {
    return vf_add(vf_fma(a.x, b.x, vf_mul(a.w, b.w)), vf_fma(a.z, b.z, vf_mul(a.y, b.y)));
}

/* q + s a (0, b): the product of a quaternion with a vector, added to a quaternion; s = +-1. */
ROD_INLINE vfq vfq_add_product(vfq q, vfq a, vf3 b) {
    return (vfq){
        vf_fnma(a.z, b.z, vf_fnma(a.y, b.y, vf_fnma(a.x, b.x, q.w))),
        vf_fnma(a.z, b.y, vf_fma(a.y, b.z, vf_fma(a.w, b.x, q.x))),
        vf_fnma(a.x, b.z, vf_fma(a.z, b.x, vf_fma(a.w, b.y, q.y))),
        vf_fnma(a.y, b.x, vf_fma(a.x, b.y, vf_fma(a.w, b.z, q.z))),
    };
}

ROD_INLINE vfq vfq_sub_product(vfq q, vfq a, vf3 b) {
    return (vfq){
        vf_fma(a.z, b.z, vf_fma(a.y, b.y, vf_fma(a.x, b.x, q.w))),
        vf_fma(a.z, b.y, vf_fnma(a.y, b.z, vf_fnma(a.w, b.x, q.x))),
        vf_fma(a.x, b.z, vf_fnma(a.z, b.x, vf_fnma(a.w, b.y, q.y))),
        vf_fma(a.y, b.x, vf_fnma(a.x, b.y, vf_fnma(a.w, b.z, q.z))),
    };
}

/* c - Im(conj(q) u) */
ROD_INLINE vf3 vfq_sub_relative(vf3 c, vfq q, vfq u) {
    return (vf3){
        vf_fnma(q.z, u.y, vf_fma(q.y, u.z, vf_fma(q.x, u.w, vf_fnma(q.w, u.x, c.x)))),
        vf_fnma(q.x, u.z, vf_fma(q.z, u.x, vf_fma(q.y, u.w, vf_fnma(q.w, u.y, c.y)))),
        vf_fnma(q.y, u.x, vf_fma(q.x, u.y, vf_fma(q.z, u.w, vf_fnma(q.w, u.z, c.z)))),
    };
}

ROD_INLINE vf vf_newton_rsqrt(vf x, int steps) {
    if (steps == 0)
        return vf_rsqrt_estimate(x);
    const vf half_x = vf_mul(vf_set1(0.5f), x);
    vf y = vf_rsqrt_estimate(x);
    for (int i = 0; i < steps; i++)
        y = vf_mul(y, vf_fnma(vf_mul(half_x, y), y, vf_set1(1.5f)));
    return y;
}

ROD_INLINE vf vf_rsqrt(vf x, rod_norm norm) {
    if (norm == NORM_exact)
        return vf_div(vf_set1(1.0f), vf_sqrt(x));
    return vf_newton_rsqrt(x, norm == NORM_newton ? VF_RSQRT_STEPS : VF_RSQRT_STEPS - 1);
}

/* 1/x for x > 0. */
ROD_INLINE vf vf_reciprocal(vf x, rod_norm norm) {
    if (norm == NORM_exact)
        return vf_div(vf_set1(1.0f), x);
    const vf root = vf_rsqrt(x, norm);
    return vf_mul(root, root);
}

/* acos(1 - t) for t in 0 .. 1 given the root of t: it times a polynomial fitted to the rest
 * (Chebyshev nodes, 2.2e-7 rad). Given 1 - cos instead of the cosine, small angles lose nothing. */
ROD_INLINE vf vf_arc_of_root(vf t, vf root) {
    vf p = vf_fma(t, vf_set1(0.00220765593f), vf_set1(-0.00236626575f));
    p = vf_fma(t, p, vf_set1(0.0053142854f));
    p = vf_fma(t, p, vf_set1(0.00689672912f));
    p = vf_fma(t, p, vf_set1(0.0266900081f));
    p = vf_fma(t, p, vf_set1(0.117840037f));
    p = vf_fma(t, p, vf_set1(1.41421366f));
    return vf_mul(root, p);
}

/* The root of t given 1/sqrt(t). A bare estimate of that would be 6e-4 rad in an arc cosine; the
 * hardware's own root costs a strand nothing that was measurable. */
ROD_INLINE vf vf_root(vf t, vf inverse, rod_norm norm) {
    return norm == NORM_bare ? vf_sqrt(t) : vf_mul(t, inverse);
}

ROD_INLINE vf vf_arc(vf t, rod_norm norm) {
    /* far below the square of any angle that float32 directions can hold */
    const vf inverse = vf_rsqrt(vf_add(t, vf_set1(1e-30f)), norm);
    return vf_arc_of_root(t, vf_root(t, inverse, norm));
}

/* acos(x) for x in -1 .. 1 with the arc of 1 - |x|. */
ROD_INLINE vf vf_acos_of_arc(vf x, vf arc) {
    return vf_select_positive(x, arc, vf_sub(vf_set1(3.14159274f), arc));
}

/* acos(x) for x in -1 .. 1 with t = 1 - |x|. */
ROD_INLINE vf vf_acos(vf x, vf t, rod_norm norm) {
    return vf_acos_of_arc(x, vf_arc(t, norm));
}

/* 1/|q|, finite for 0: the first product is added to a number that any other sum drowns, which
 * costs nothing where the sum is a fused one. */
ROD_INLINE vf vfq_inverse_length(vfq q, rod_norm norm) {
    const vf wx = vf_fma(q.x, q.x, vf_fma(q.w, q.w, vf_set1(1e-30f)));
    return vf_rsqrt(vf_add(wx, vf_fma(q.z, q.z, vf_mul(q.y, q.y))), norm);
}

/* q / |q| given the inverse length. A quaternion that cancelled to 0 gets a scalar part too small
 * to matter elsewhere, which the next normalisation makes a unit: it must not stay 0. */
ROD_INLINE vfq vfq_shortened(vfq q, vf inverse_length) {
    return (vfq){vf_fma(q.w, inverse_length, vf_set1(1e-12f)), vf_mul(q.x, inverse_length),
                 vf_mul(q.y, inverse_length), vf_mul(q.z, inverse_length)};
}

ROD_INLINE vfq vfq_normalise(vfq q, rod_norm norm) {
    return vfq_shortened(q, vfq_inverse_length(q, norm));
}

#endif
