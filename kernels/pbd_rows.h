/* What goes into the rows of strands, and comes out of them: the same whether a lane is a rod or a
 * chunk of one. */
#ifndef ROD_PBD_ROWS_H
#define ROD_PBD_ROWS_H

#include "pbd_project.h"

ROD_INLINE vf stiffness_of(const float *each, const rod_block *b, enum rod_lane_constant own,
                           size_t at, int stream) {
    return each ? vf_load(each + at) : lane_constant(b, own, stream);
}

ROD_INLINE void put_joint(float *row, size_t lanes, vf a, vf b, vf c) {
    const vf half = vf_set1(0.5f);
    vf_store(row + JOINT_A * lanes, a);
    vf_store(row + JOINT_B * lanes, b);
    vf_store(row + JOINT_C * lanes, c);
    vf_store(row + JOINT_HALF_AB * lanes, vf_mul(half, vf_add(a, b)));
    vf_store(row + JOINT_HALF_BC * lanes, vf_mul(half, vf_add(b, c)));
}

/* Given the weights of the element's ends and of the particle behind them. */
ROD_INLINE void prepare_row(const work *s, size_t e, int stream, vf a, vf b, vf c) {
    const rod_block *block = s->block;
    const size_t at = e * s->lanes + (size_t)stream * VF_LANES;
    const vf ends = vf_add(a, b), most = larger(larger(a, b), c);
    const vf k = stiffness_of(block->stretch_stiffness, block, ROD_LANE_STRETCH, at, stream);
    float *row = coefficients_at(s, e, stream);
    vf_store(row + LENGTH * s->lanes,
             vf_mul(length_of(s, e, stream), uniform_at(s, U_SCALE, stream)));
    vf_store(row + EDGE_A * s->lanes, vf_mul(k, quotient(a, ends)));
    vf_store(row + EDGE_B * s->lanes, vf_mul(k, quotient(b, ends)));
    put_joint(row, s->lanes, quotient(a, most), quotient(b, most), quotient(c, most));
    vf_store(row + JOINT_HALF_STIFFNESS * s->lanes,
             vf_mul(vf_set1(0.5f),
                    stiffness_of(block->bend_stiffness, block, ROD_LANE_BEND_X, at, stream)));
}

ROD_INLINE void prepare_uniform(const work *s, int stream) {
    const rod_block *b = s->block;
    float *u = s->uniform + (size_t)stream * VF_LANES;
    const vf scale = uniform_at(s, U_SCALE, stream);
    vf_store(u + U_LENGTH * s->lanes, vf_mul(scale, lane_constant(b, ROD_LANE_LENGTH, stream)));
    vf_store(u + U_EDGE * s->lanes,
             vf_mul(vf_set1(0.5f), lane_constant(b, ROD_LANE_STRETCH, stream)));
    vf_store(u + U_HALF_STIFFNESS * s->lanes,
             vf_mul(vf_set1(0.5f), lane_constant(b, ROD_LANE_BEND_X, stream)));
}

ROD_INLINE void predict_row(const work *s, const rod_frame *f, size_t i, int stream) {
    predict_particle(s, f, i, stream, vf_set1(1.0f), uniform_at(s, U_SCALE, stream));
}

ROD_INLINE void update_row(const work *s, const rod_frame *f, size_t i, int stream) {
    const vf rate = vf_set1((1.0f - f->damping) / f->dt);
    update_particle(s, rate, i, stream, uniform_at(s, U_UNSCALE, stream));
}

#endif
