/* The two constraints of position-based strands (Mueller et al. 2007) on vectors of rods: distance
 * (eqs. 7 to 9) and line-line bending, C = acos(d1.d2) - phi0 of neighbouring elements. */
#ifndef ROD_PBD_PROJECT_H
#define ROD_PBD_PROJECT_H

/* A row of state: a particle. Rest angles are read from the block. */
enum { STATE_ROW = 3, REST_ROW = 0 };

/* Of an element: its length and the shares in which its ends move. Of the joint that follows:
 * weights relative to the largest, and stiffness. */
enum { LENGTH, EDGE_A, EDGE_B, JOINT_A, JOINT_B, JOINT_C, JOINT_STIFFNESS, COEFFICIENT_ROW };

enum { U_SCALE, U_UNSCALE, U_LENGTH, U_EDGE, U_STIFFNESS, UNIFORM_ROW };

#include "body.h"
#include "scale.h"

/* ---------------------------------------------------------------- distance */

ROD_INLINE void element_stream(const work *s, size_t e, int stream, bool uniform, rod_norm norm) {
    const float *row = coefficients_at(s, e, stream);
    float *at_a = state_at(s, e, stream), *at_b = state_at(s, e + 1, stream);
    const vf l = uniform ? uniform_at(s, U_LENGTH, stream) : vf_load(row + LENGTH * s->lanes);
    const vf move_a = uniform ? uniform_at(s, U_EDGE, stream) : vf_load(row + EDGE_A * s->lanes);
    const vf move_b = uniform ? move_a : vf_load(row + EDGE_B * s->lanes);
    const vf3 a = vf3_load(at_a, s->lanes), b = vf3_load(at_b, s->lanes);
    const vf3 e_ab = vf3_sub(b, a);
    const vf inverse = vf_rsqrt(vf3_square(e_ab, vf_set1(ROD_SQUARE_FLOOR)), norm);
    const vf3 C = vf3_scale(vf_fnma(l, inverse, vf_set1(1.0f)), e_ab);
    vf3_store(at_a, s->lanes, vf3_fma(move_a, C, a));
    vf3_store(at_b, s->lanes, vf3_fnma(move_b, C, b));
}

/* ---------------------------------------------------------------- bending */

typedef struct {
    vf a, b, c, stiffness;
} bend_weights;

typedef struct {
    vf3 direction;
    vf inverse_length;
} edge;

ROD_INLINE edge edge_of(vf3 a, vf3 b, rod_norm norm) {
    const vf3 e = vf3_sub(b, a);
    const vf inverse = vf_rsqrt(vf3_square(e, vf_set1(ROD_SQUARE_FLOOR)), norm);
    return (edge){vf3_scale(inverse, e), inverse};
}

/* 1 - |cosine| of two unit vectors, half the square of the shorter of their difference and sum:
 * subtracting from 1 would leave small angles to rounding. */
ROD_INLINE vf one_minus(vf3 d, vf3 e, vf cosine) {
    const vf sign = vf_sign(cosine);
    const vf3 f = vf3_sub(d, (vf3){vf_xor(e.x, sign), vf_xor(e.y, sign), vf_xor(e.z, sign)});
    return vf_mul(vf_set1(0.5f), vf3_dot(f, f));
}

/* The gradients are n_a/L1 at a and -n_c/L2 at c, units in the plane of the joint at right angles
 * to its elements, and minus their sum at b. Where the joint is straight they have no direction,
 * and what rounding takes for one is short. */
ROD_INLINE void project_bend(vf3 *a, vf3 *b, vf3 *c, vf angle, const bend_weights *w,
                             rod_norm norm) {
    const edge d = edge_of(*a, *b, norm), e = edge_of(*b, *c, norm);
    const vf cosine = vf3_dot(d.direction, e.direction);
    const vf t = one_minus(d.direction, e.direction, cosine);
    const vf sine_square = vf_mul(t, vf_sub(vf_set1(2.0f), t));
    const vf inverse_sine = vf_rsqrt(vf_add(sine_square, vf_set1(1e-14f)), norm);
    const vf C = vf_sub(vf_acos(cosine, t, norm), angle);
    const vf dd = vf_mul(d.inverse_length, d.inverse_length);
    const vf ee = vf_mul(e.inverse_length, e.inverse_length);
    const vf de = vf_mul(vf_mul(d.inverse_length, e.inverse_length), cosine);
    const vf middle = vf_fma(vf_set1(2.0f), de, vf_add(dd, ee));
    const vf sum = vf_fma(w->a, dd, vf_fma(w->c, ee, vf_fma(w->b, middle, vf_set1(1e-20f))));
    const vf s = vf_mul(vf_mul(vf_mul(w->stiffness, C), inverse_sine), vf_reciprocal(sum, norm));
    const vf3 va =
        vf3_scale(vf_mul(s, d.inverse_length), vf3_fnma(cosine, d.direction, e.direction));
    const vf3 vc =
        vf3_scale(vf_mul(s, e.inverse_length), vf3_fnma(cosine, e.direction, d.direction));
    *a = vf3_fnma(w->a, va, *a);
    *b = vf3_fma(w->b, vf3_sub(va, vc), *b);
    *c = vf3_fma(w->c, vc, *c);
}

ROD_INLINE bend_weights bend_weights_of(const work *s, size_t joint, int stream, bool uniform) {
    const vf one = vf_set1(1.0f);
    if (uniform)
        return (bend_weights){one, one, one, uniform_at(s, U_STIFFNESS, stream)};
    const float *row = coefficients_at(s, joint, stream);
    return (bend_weights){vf_load(row + JOINT_A * s->lanes), vf_load(row + JOINT_B * s->lanes),
                          vf_load(row + JOINT_C * s->lanes),
                          vf_load(row + JOINT_STIFFNESS * s->lanes)};
}

ROD_INLINE void joint_stream(const work *s, size_t joint, int stream, bool uniform, rod_norm norm) {
    float *at_a = state_at(s, joint, stream), *at_b = state_at(s, joint + 1, stream);
    float *at_c = state_at(s, joint + 2, stream);
    vf3 a = vf3_load(at_a, s->lanes), b = vf3_load(at_b, s->lanes), c = vf3_load(at_c, s->lanes);
    const bend_weights w = bend_weights_of(s, joint, stream, uniform);
    const vf angle = vf_load(s->block->angle + joint * s->lanes + (size_t)stream * VF_LANES);
    project_bend(&a, &b, &c, angle, &w, norm);
    vf3_store(at_a, s->lanes, a);
    vf3_store(at_b, s->lanes, b);
    vf3_store(at_c, s->lanes, c);
}

#endif
