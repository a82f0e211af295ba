/* Position-based elastic rods (Umetani, Schmidt & Stam 2014, "USS14"), the vector body.
 *
 * The working state of one block lives in scratch memory, in units of each rod's own: rows of
 * [px py pz gx gy gz], a particle and the ghost point of the element that begins there. Weights are
 * relative to the largest in a constraint, which changes no projection and keeps determinants in
 * range. */

#include "pber_rows.h"

#include "lockstep.h"

ROD_INLINE void solve(const work *s, const rod_frame *f, instance i) {
    align_stack();
    for (size_t iteration = 0; iteration < f->iterations; iteration++)
        sweep_in_lockstep(s, f->order, i);
}

/* ---------------------------------------------------------------- coefficients */

ROD_INLINE row_weights weights_at(const work *s, size_t e, int stream) {
    const size_t at = e * s->lanes + (size_t)stream * VF_LANES;
    const float *w = s->block->w + at, *wq = s->block->wq + at;
    const bool has_joint = e + 1 < s->elements;
    return (row_weights){.a = vf_load(w),
                         .b = vf_load(w + s->lanes),
                         .c = has_joint ? vf_load(w + 2 * s->lanes) : vf_zero(),
                         .g = vf_load(wq),
                         .h = has_joint ? vf_load(wq + s->lanes) : vf_zero()};
}

static void keep(const work *s, bool uniform) {
    (void)uniform;
    prepare_scales(s, U_SCALE, U_UNSCALE);
    for (int stream = 0; stream < s->unroll; stream++)
        prepare_uniform(s, stream);
}

/* A uniform instance needs rows only where it takes the general way. */
static void prepare(const work *s, const rod_frame *f, bool uniform) {
    (void)f;
    for (int stream = 0; stream < s->unroll; stream++) {
        for (size_t e = 0; e < s->elements; e++) {
            const bool has_joint = e + 1 < s->elements;
            if (has_joint)
                prepare_rest(s, e, stream);
            if (uniform && is_fast(s, e) && is_fast(s, e + 1))
                continue;
            const row_weights w = weights_at(s, e, stream);
            prepare_edge(s, e, stream, &w);
            if (has_joint)
                prepare_joint(s, e, stream, &w);
        }
    }
    silence_padding(s, EDGE_A, JOINT_A);
}

/* ---------------------------------------------------------------- prediction and update */

/* Row by row: the streams of a row lie side by side. */
ROD_INLINE void predict_rows(const work *shared, const rod_frame *f, int unroll) {
    const rod_block block = *shared->block;
    const work known = specialised_with(shared, &block, (instance){.unroll = unroll}), *s = &known;
    vf before[ROD_MOST_ABREAST], after[ROD_MOST_ABREAST];
    ROD_ABREAST(j, unroll, before[j] = vf_zero());
    for (size_t e = 0; e < s->elements; e++) {
        ROD_ABREAST(j, unroll, after[j] = spilled(s, e, j));
        ROD_ABREAST(j, unroll, predict_end(s, f, e, j, before[j], after[j]));
        ROD_ABREAST(j, unroll, predict_ghost(s, f, e, j));
        ROD_ABREAST(j, unroll, before[j] = after[j]);
    }
    ROD_ABREAST(j, unroll, predict_end(s, f, s->elements, j, before[j], vf_zero()));
}

ROD_INLINE void update_rows(const work *shared, const rod_frame *f, int unroll) {
    const rod_block block = *shared->block;
    const work known = specialised_with(shared, &block, (instance){.unroll = unroll}), *s = &known;
    const update_factors k = update_factors_of(f);
    vf before[ROD_MOST_ABREAST], after[ROD_MOST_ABREAST];
    ROD_ABREAST(j, unroll, before[j] = fallen(s, f, &k, 0, j));
    for (size_t e = 0; e < s->elements; e++) {
        ROD_ABREAST(j, unroll, after[j] = fallen(s, f, &k, e + 1, j));
        ROD_ABREAST(j, unroll, update_end(s, &k, e, j));
        ROD_ABREAST(j, unroll, update_element(s, &k, e, j, before[j], after[j]));
        ROD_ABREAST(j, unroll, before[j] = after[j]);
    }
    ROD_ABREAST(j, unroll, update_end(s, &k, s->elements, j));
}

static void predict(const work *s, const rod_frame *f) {
    pass_rows(predict_rows, s, f);
}

static void update(const work *s, const rod_frame *f) {
    pass_rows(update_rows, s, f);
}

#define ROD_METHOD pber
#include "frame.h"
