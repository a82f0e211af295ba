/* The two constraints of a quaternion rod (KS16 section 6) on vectors of rods, and the memory that
 * the sweeps of quaternion.c work in. */
#ifndef ROD_QUATERNION_PROJECT_H
#define ROD_QUATERNION_PROJECT_H

/* A row of state: px py pz qw qx qy qz; the last has a particle only. Rest vectors are read from
 * the block. */
enum { STATE_ROW = 7, REST_ROW = 0 };

/* Coefficients of one element and of the joint that follows it. */
enum { HALF_INVERSE_LENGTH, MOVE_1, MOVE_2, TURN, BEND_1, BEND_2, COEFFICIENT_ROW };

/* The same for all elements of the uniform range: the weights fold into the bend stiffness. */
enum { U_HALF_INVERSE_LENGTH, U_MOVE, U_TURN, U_BEND_X, U_BEND_Y, U_BEND_Z, UNIFORM_ROW };

#include "body.h"

/* ---------------------------------------------------------------- stretch and shear */

typedef struct {
    vf half_inverse_length, move_1, move_2, turn;
} stretch_factors;

/* Each component of C in the material frame times its stiffness: K C = ky C + (kx - ky)(d1.C) d1 +
 * (kz - ky)(d3.C) d3. */
ROD_INLINE vf3 stiffened(vf3 C, vfq q, const rod_block *b, int stream) {
    const vf two = vf_set1(2.0f), one = vf_set1(1.0f);
    const vf kx = lane_constant(b, ROD_LANE_SHEAR_X, stream);
    const vf ky = lane_constant(b, ROD_LANE_SHEAR_Y, stream);
    const vf kz = lane_constant(b, ROD_LANE_STRETCH, stream);
    const vf3 d1 = {
        vf_fnma(two, vf_fma(q.z, q.z, vf_mul(q.y, q.y)), one),
        vf_mul(two, vf_fma(q.w, q.z, vf_mul(q.x, q.y))),
        vf_mul(two, vf_fnma(q.w, q.y, vf_mul(q.x, q.z))),
    };
    const vf3 d3 = {
        vf_mul(two, vf_fma(q.w, q.y, vf_mul(q.x, q.z))),
        vf_mul(two, vf_fnma(q.w, q.x, vf_mul(q.y, q.z))),
        vf_fnma(two, vf_fma(q.y, q.y, vf_mul(q.x, q.x)), one),
    };
    vf3 stiff = vf3_scale(ky, C);
    stiff = vf3_fma(vf_mul(vf_sub(kx, ky), vf3_dot(d1, C)), d1, stiff);
    return vf3_fma(vf_mul(vf_sub(kz, ky), vf3_dot(d3, C)), d3, stiff);
}

/* C/2 of KS16 eq. 31 */
ROD_INLINE vf3 half_stretch(vf3 p1, vf3 p2, vfq q, vf half_inverse_length) {
    const vf3 d = vf3_sub(p2, p1);
    const vf h = half_inverse_length;
    return (vf3){
        vf_fnma(q.w, q.y, vf_fnma(q.x, q.z, vf_mul(d.x, h))),
        vf_fma(q.w, q.x, vf_fnma(q.y, q.z, vf_mul(d.y, h))),
        vf_fma(q.y, q.y, vf_fma(q.x, q.x, vf_fma(d.z, h, vf_set1(-0.5f)))),
    };
}

/* q + C q e3bar, the products of KS16 eq. 37 written out */
ROD_INLINE vfq turned(vfq q, vf3 C) {
    return (vfq){
        vf_fma(C.z, q.w, vf_fnma(C.y, q.x, vf_fma(C.x, q.y, q.w))),
        vf_fnma(C.z, q.x, vf_fnma(C.y, q.w, vf_fma(C.x, q.z, q.x))),
        vf_fnma(C.z, q.y, vf_fma(C.y, q.z, vf_fma(C.x, q.w, q.y))),
        vf_fma(C.z, q.z, vf_fma(C.y, q.y, vf_fma(C.x, q.x, q.z))),
    };
}

/* KS16 eq. 37 with the factor 2 that the paper lost (erratum 1) */
ROD_INLINE void project_stretch(vf3 *p1, vf3 *p2, vfq *q, stretch_factors f, vf3 C, rod_norm norm) {
    *p1 = vf3_fma(f.move_1, C, *p1);
    *p2 = vf3_fnma(f.move_2, C, *p2);
    *q = vfq_normalise(turned(*q, vf3_scale(f.turn, C)), norm);
}

ROD_INLINE void stretch_uniform(const work *s, int stream, vf3 *p1, vf3 *p2, vfq *q,
                                rod_norm norm) {
    const vf move = uniform_at(s, U_MOVE, stream);
    const stretch_factors f = {uniform_at(s, U_HALF_INVERSE_LENGTH, stream), move, move,
                               uniform_at(s, U_TURN, stream)};
    project_stretch(p1, p2, q, f, half_stretch(*p1, *p2, *q, f.half_inverse_length), norm);
}

ROD_INLINE void stretch_general(const work *s, size_t e, int stream, vf3 *p1, vf3 *p2, vfq *q,
                                rod_norm norm) {
    const float *row = coefficients_at(s, e, stream);
    const stretch_factors f = {
        vf_load(row + HALF_INVERSE_LENGTH * s->lanes),
        vf_load(row + MOVE_1 * s->lanes),
        vf_load(row + MOVE_2 * s->lanes),
        vf_load(row + TURN * s->lanes),
    };
    vf3 C = half_stretch(*p1, *p2, *q, f.half_inverse_length);
    if (!s->block->isotropic_stretch)
        C = stiffened(C, *q, s->block, stream);
    project_stretch(p1, p2, q, f, C, norm);
}

/* ---------------------------------------------------------------- bend and twist */

ROD_INLINE vf3 rest_of(const work *s, size_t joint, int stream) {
    return vf3_load(s->block->rest + joint * 3 * s->lanes + (size_t)stream * VF_LANES, s->lanes);
}

/* KS16 eq. 40 with s = 1. The constraint is carried with its sign turned, which saves a negation.
 */
ROD_INLINE void bend_uniform(const work *s, size_t joint, int stream, vfq *q, vfq *u,
                             rod_norm norm) {
    const float *k = s->uniform + U_BEND_X * s->lanes + (size_t)stream * VF_LANES;
    const vf3 minus_C = vfq_sub_relative(rest_of(s, joint, stream), *q, *u);
    const vf3 B = vf3_mul(vf3_load(k, s->lanes), minus_C);
    const vfq q_new = vfq_sub_product(*q, *u, B);
    const vfq u_new = vfq_add_product(*u, *q, B);
    const vf inverse = vfq_inverse_length(q_new, norm);
    *q = vfq_shortened(q_new, inverse);
    *u = vfq_shortened(u_new, inverse);
}

ROD_INLINE void bend_general(const work *s, size_t joint, int stream, vfq *q, vfq *u,
                             rod_norm norm) {
    const float *row = coefficients_at(s, joint, stream);
    const vf3 k = {
        lane_constant(s->block, ROD_LANE_BEND_X, stream),
        lane_constant(s->block, ROD_LANE_BEND_Y, stream),
        lane_constant(s->block, ROD_LANE_TWIST, stream),
    };
    const vf3 minus_C = vf3_mul(k, vfq_sub_relative(rest_of(s, joint, stream), *q, *u));
    const vf3 Bq = vf3_scale(vf_load(row + BEND_1 * s->lanes), minus_C);
    const vf3 Bu = vf3_scale(vf_load(row + BEND_2 * s->lanes), minus_C);
    const vfq q_new = vfq_sub_product(*q, *u, Bq);
    const vfq u_new = vfq_add_product(*u, *q, Bu);
    *q = vfq_normalise(q_new, norm);
    *u = vfq_normalise(u_new, norm);
}

/* ---------------------------------------------------------------- one stream of a block */

ROD_INLINE void element_stream(const work *s, size_t e, int stream, bool uniform, rod_norm norm) {
    float *row = state_at(s, e, stream);
    float *next = state_at(s, e + 1, stream);
    vf3 p1 = vf3_load(row, s->lanes), p2 = vf3_load(next, s->lanes);
    vfq q = vfq_load(row + 3 * s->lanes, s->lanes);
    if (uniform)
        stretch_uniform(s, stream, &p1, &p2, &q, norm);
    else
        stretch_general(s, e, stream, &p1, &p2, &q, norm);
    vf3_store(row, s->lanes, p1);
    vf3_store(next, s->lanes, p2);
    vfq_store(row + 3 * s->lanes, s->lanes, q);
}

ROD_INLINE void joint_stream(const work *s, size_t joint, int stream, bool uniform, rod_norm norm) {
    float *at_q = state_at(s, joint, stream) + 3 * s->lanes;
    float *at_u = state_at(s, joint + 1, stream) + 3 * s->lanes;
    vfq q = vfq_load(at_q, s->lanes), u = vfq_load(at_u, s->lanes);
    if (uniform)
        bend_uniform(s, joint, stream, &q, &u, norm);
    else
        bend_general(s, joint, stream, &q, &u, norm);
    vfq_store(at_q, s->lanes, q);
    vfq_store(at_u, s->lanes, u);
}

#endif
