/* Position-based elastic rods (USS14), one rod at a time with the lowest latency: see colours.h. */

#include "pber_rows.h"

#include "chunked.h"

/* ---------------------------------------------------------------- coefficients */

ROD_INLINE row_weights weights_at(const work *s, size_t row) {
    const float *w = s->block->w, *wq = s->block->wq;
    return (row_weights){.a = vf_load(w + row * VF_LANES),
                         .b = row_after(s, w, row, 1),
                         .c = row_after(s, w, row, 2),
                         .g = vf_load(wq + row * VF_LANES),
                         .h = row_after(s, wq, row, 1)};
}

/* Once for many frames: divisions take longer than an iteration. */
static void prepare(const work *s) {
    prepare_scales(s, U_SCALE, U_UNSCALE);
    prepare_uniform(s, 0);
    for (size_t row = 0; row < s->elements; row++) {
        const row_weights w = weights_at(s, row);
        prepare_rest(s, row, 0);
        prepare_edge(s, row, 0, &w);
        prepare_joint(s, row, 0, &w);
    }
    silence_tip(s, EDGE_A, JOINT_A);
}

/* ---------------------------------------------------------------- prediction and update */

ROD_INLINE void predict(const work *s, const rod_frame *f) {
    vf before = vf_shift_up(spilled(s, s->elements - 1, 0), vf_zero());
    for (size_t row = 0; row < s->elements; row++) {
        const vf after = spilled(s, row, 0);
        predict_end(s, f, row, 0, before, after);
        predict_ghost(s, f, row, 0);
        before = after;
    }
}

ROD_INLINE void update(const work *s, const rod_frame *f) {
    const update_factors k = update_factors_of(f);
    const vf first = fallen(s, f, &k, 0, 0);
    vf before = first;
    for (size_t row = 0; row < s->elements; row++) {
        const vf after =
            row + 1 < s->elements ? fallen(s, f, &k, row + 1, 0) : vf_shift_down(first, vf_zero());
        update_end(s, &k, row, 0);
        update_element(s, &k, row, 0, before, after);
        before = after;
    }
}

#define ROD_METHOD pber
#include "colours.h"
