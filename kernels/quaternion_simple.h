/* Rows that are not uniform, but nearly: see ROW_SIMPLE. And roots that are ready sooner. */
#ifndef ROD_QUATERNION_SIMPLE_H
#define ROD_QUATERNION_SIMPLE_H

#include "quaternion_memory.h"

/* Exact variants take no short cuts, see find_uniform_rows. To put back what is held takes as long
 * as the root that it saves, unless the last operation can do it. */
ROD_INLINE bool row_is(unsigned char row, unsigned char what, rod_norm norm) {
    return norm != NORM_exact && (what != ROW_SIMPLE || VF_MASKED != 0) && (row & what) != 0;
}

/* square_of in fewer steps that wait for each other. It rounds differently, which exact variants
 * must not. */
ROD_INLINE vf shallow_square_of(vfq q, rod_norm norm) {
    if (norm == NORM_exact)
        return square_of(q);
    const vf wx = vf_fma(q.x, q.x, vf_fma(q.w, q.w, vf_set1(1e-30f)));
    return vf_add(wx, vf_fma(q.z, q.z, vf_mul(q.y, q.y)));
}

ROD_INLINE void shallow_stretch_root(const work *s, stretch_task *t, rod_norm norm) {
    t->inverse = inverse_of(s, t->stream, shallow_square_of(t->q, norm), norm);
}

ROD_INLINE void shallow_bend_root(const work *s, bend_task *t, rod_norm norm) {
    t->inverse_q = inverse_of(s, t->stream, shallow_square_of(t->bent, norm), norm);
}

/* Elements as long as the uniform ones are strained without a factor; what moves is another
 * matter. */
ROD_INLINE void simple_strain(const work *s, stretch_task *t) {
    const bool uniform = t->uniform;
    t->uniform = true;
    stretch_strain(s, t);
    t->uniform = uniform;
}

/* Of joints: their rest vectors, what both orientations take of a strain, and the orientations'
 * weights. */
typedef struct {
    vf3 rest, share;
    vf moves_q, moves_u;
} joint_row;

ROD_INLINE joint_row joint_row_of(const work *s, size_t row) {
    const float *c = coefficients_at(s, row, 0), *wq = s->block->wq;
    const vf moves = vf_load(wq + row * VF_LANES);
    return (joint_row){.rest = rest_of(s, row, 0),
                       .share =
                           vf3_select_positive(moves, vf3_load(c + BEND_1 * s->lanes, s->lanes),
                                               vf3_load(c + BEND_2 * s->lanes, s->lanes)),
                       .moves_q = moves,
                       .moves_u = row_after(s, wq, row, 1)};
}

/* As if both orientations moved alike, which takes one root; then what is held is put back. */
ROD_INLINE void bend_simple(const work *s, const joint_row *j, vfq *q, vfq *u, rod_norm norm) {
    bend_task t = {.uniform = true, .rest = j->rest, .q = *q, .u = *u};
    bend_strain(&t);
    t.B = vf3_mul(j->share, t.B);
    t.bent = vfq_sub_product(t.q, t.u, t.B);
    shallow_bend_root(s, &t, norm);
    bend_second(s, &t);
    bend_root_second(s, &t, norm);
    bend_shorten(s, &t);
    *q = vfq_select_positive(j->moves_q, t.q, *q);
    *u = vfq_select_positive(j->moves_u, t.u, *u);
}

#endif
