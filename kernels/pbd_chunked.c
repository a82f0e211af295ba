/* Position-based strands (Mueller et al. 2007), one strand at a time with the lowest latency: see
 * colours.h. */

#include "pbd_rows.h"

#include "chunked.h"
#include "rigid_damping.h"

/* Once for many frames: divisions take longer than an iteration. */
static void prepare(const work *s) {
    const float *w = s->block->w;
    prepare_scales(s, U_SCALE, U_UNSCALE);
    for (size_t row = 0; row < s->elements; row++)
        prepare_row(s, row, 0, vf_load(w + row * VF_LANES), row_after(s, w, row, 1),
                    row_after(s, w, row, 2));
    silence_tip(s, EDGE_A, JOINT_A);
}

ROD_INLINE void predict(const work *s, const rod_frame *f) {
    for (size_t row = 0; row < s->elements; row++)
        predict_row(s, f, row, 0);
}

ROD_INLINE void update(const work *s, const rod_frame *f) {
    for (size_t row = 0; row < s->elements; row++)
        update_row(s, f, row, 0);
    if (f->rigid_damping > 0.0f)
        damp_deviations(s, f->rigid_damping, s->elements, 0, true);
}

#define ROD_METHOD pbd
#include "colours.h"
