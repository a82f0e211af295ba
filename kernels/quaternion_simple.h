/* Elements and joints that are not uniform, but nearly: elements as long as the uniform ones,
 * joints whose orientations weigh the same unless one is held. And roots that are ready sooner. */
#ifndef ROD_QUATERNION_SIMPLE_H
#define ROD_QUATERNION_SIMPLE_H

#include "quaternion_project.h"

/* How alike the elements and joints of all lanes are. */
typedef enum { GENERAL, SIMPLE, UNIFORM } likeness;

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

/* As if both orientations moved alike; t must be uniform. */
ROD_INLINE void simple_bend_first(const joint_row *j, bend_task *t) {
    t->B = vf3_mul(j->share, t->B);
    t->bent = vfq_sub_product(t->q, t->u, t->B);
}

/* One root serves both sides, of one that moves: what a held one would have become might have no
 * length. */
ROD_INLINE void simple_bend_root(const work *s, const joint_row *j, bend_task *t, rod_norm norm) {
    const vfq moved = vfq_select_positive(j->moves_q, t->bent, t->u);
    t->inverse_q = inverse_of(s, t->stream, shallow_square_of(moved, norm), norm);
    t->inverse_u = t->inverse_q;
}

/* Then what is held is put back. */
ROD_INLINE void put_back_held(const joint_row *j, vfq q, vfq u, bend_task *t) {
    t->q = vfq_select_positive(j->moves_q, t->q, q);
    t->u = vfq_select_positive(j->moves_u, t->u, u);
}

#endif
