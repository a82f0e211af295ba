/* Position-based strands (Mueller et al. 2007), the vector body.
 *
 * The working state of one block lives in scratch memory, in units of each rod's own: a row for
 * each particle. */

#include "pbd_rows.h"

#include "lockstep.h"
#include "rigid_damping.h"

ROD_INLINE void solve(const work *s, const rod_frame *f, instance i) {
    align_stack();
    for (size_t iteration = 0; iteration < f->iterations; iteration++)
        sweep_in_lockstep(s, f->order, i);
}

/* ---------------------------------------------------------------- coefficients */

ROD_INLINE void prepare_element(const work *s, size_t e, int stream) {
    const float *w = s->block->w + e * s->lanes + (size_t)stream * VF_LANES;
    const vf c = e + 1 < s->elements ? vf_load(w + 2 * s->lanes) : vf_zero();
    prepare_row(s, e, stream, vf_load(w), vf_load(w + s->lanes), c);
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
    for (int stream = 0; stream < s->unroll; stream++)
        for (size_t e = 0; e < s->elements; e++)
            if (!uniform || !is_fast(s, e) || !is_fast(s, e + 1))
                prepare_element(s, e, stream);
    silence_padding(s, EDGE_A, JOINT_A);
}

/* ---------------------------------------------------------------- prediction and update */

/* Row by row: the streams of a row lie side by side. */
ROD_INLINE void predict_rows(const work *shared, const rod_frame *f, int unroll) {
    const rod_block block = *shared->block;
    const work s = specialised_with(shared, &block, (instance){.unroll = unroll});
    for (size_t i = 0; i <= s.elements; i++)
        ROD_ABREAST(j, unroll, predict_row(&s, f, i, j));
}

ROD_INLINE void update_rows(const work *shared, const rod_frame *f, int unroll) {
    const rod_block block = *shared->block;
    const work s = specialised_with(shared, &block, (instance){.unroll = unroll});
    for (size_t i = 0; i <= s.elements; i++)
        ROD_ABREAST(j, unroll, update_row(&s, f, i, j));
}

static void predict(const work *s, const rod_frame *f) {
    pass_rows(predict_rows, s, f);
}

static void update(const work *s, const rod_frame *f) {
    pass_rows(update_rows, s, f);
    for (int stream = 0; f->rigid_damping > 0.0f && stream < s->unroll; stream++)
        damp_deviations(s, f->rigid_damping, s->elements + 1, stream, false);
}

#define ROD_METHOD pbd
#include "frame.h"
