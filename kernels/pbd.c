/* Position-based strands (Mueller et al. 2007), the vector body.
 *
 * The working state of one block lives in scratch memory, in units of each rod's own: a row for
 * each particle. */

#include "pbd_project.h"

#include "lockstep.h"
#include "rigid_damping.h"

ROD_INLINE void solve(const work *s, const rod_frame *f, instance i) {
    align_stack();
    for (size_t iteration = 0; iteration < f->iterations; iteration++)
        sweep_in_lockstep(s, f->order, i);
}

/* ---------------------------------------------------------------- coefficients */

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

ROD_INLINE void prepare_row(const work *s, size_t e, int stream) {
    const rod_block *block = s->block;
    const size_t at = e * s->lanes + (size_t)stream * VF_LANES;
    const vf a = vf_load(block->w + at), b = vf_load(block->w + at + s->lanes);
    const vf c = e + 1 < s->elements ? vf_load(block->w + at + 2 * s->lanes) : vf_zero();
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

/* A uniform instance needs rows only where it takes the general way. */
static void prepare(const work *s, bool uniform) {
    prepare_scales(s, U_SCALE, U_UNSCALE);
    for (int stream = 0; stream < s->unroll; stream++) {
        prepare_uniform(s, stream);
        for (size_t e = 0; e < s->elements; e++)
            if (!uniform || !is_fast(s, e) || !is_fast(s, e + 1))
                prepare_row(s, e, stream);
    }
    silence_padding(s, EDGE_A, JOINT_A);
}

/* ---------------------------------------------------------------- prediction and update */

static void predict(const work *s, const rod_frame *f) {
    for (int stream = 0; stream < s->unroll; stream++)
        for (size_t i = 0; i <= s->elements; i++)
            predict_particle(s, f, i, stream, vf_set1(1.0f), uniform_at(s, U_SCALE, stream));
}

static void update(const work *s, const rod_frame *f) {
    const vf rate = vf_set1((1.0f - f->damping) / f->dt);
    for (int stream = 0; stream < s->unroll; stream++) {
        for (size_t i = 0; i <= s->elements; i++)
            update_particle(s, rate, i, stream, uniform_at(s, U_UNSCALE, stream));
        if (f->rigid_damping > 0.0f)
            damp_deviations(s, f->rigid_damping, stream);
    }
}

#define ROD_METHOD pbd
#include "frame.h"
