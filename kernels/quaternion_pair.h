/* Red-black sweeps of a short rod, which has two rows, one of each colour. From iteration to
 * iteration they stay in registers, or where a compiler spills them to.
 *
 * What counts here is how long the chain from colour to colour is. The second colour's strain needs
 * particles only: it starts while the first colour's orientations still turn. */
#ifndef ROD_QUATERNION_PAIR_H
#define ROD_QUATERNION_PAIR_H

#include "quaternion_memory.h"

typedef struct {
    vf3 p;
    vfq q;
} row_state;

typedef struct {
    row_state row[2];
    joint_row joint[2]; /* if simple */
} row_pair;

/* ---------------------------------------------------------------- stretches */

ROD_INLINE stretch_task pair_stretch(const work *s, size_t row, vf3 p1, vf3 p2, vfq q) {
    return (stretch_task){.row = coefficients_at(s, row, 0), .p1 = p1, .p2 = p2, .q = q};
}

ROD_INLINE void pair_strain(const work *s, stretch_task *t, bool simple) {
    if (simple)
        simple_strain(s, t);
    else
        stretch_strain(s, t);
}

ROD_INLINE void stretch_pair(const work *s, row_state *a, row_state *b, bool simple,
                             rod_norm norm) {
    stretch_task first = pair_stretch(s, 0, a->p, b->p, a->q);
    pair_strain(s, &first, simple);
    stretch_move(s, &first);
    stretch_task second = pair_stretch(s, 1, first.p2, vf3_rotated_down(first.p1), b->q);
    stretch_turn(s, &first);
    pair_strain(s, &second, simple);
    stretch_turn(s, &second);
    shallow_stretch_root(s, &first, norm);
    shallow_stretch_root(s, &second, norm);
    stretch_move(s, &second);
    stretch_shorten(s, &first);
    stretch_shorten(s, &second);
    *a = (row_state){vf3_rotated_up(second.p2), first.q};
    *b = (row_state){second.p1, second.q};
}

/* ---------------------------------------------------------------- bends */

ROD_INLINE void bend_simple(const work *s, const joint_row *j, vfq *q, vfq *u, rod_norm norm) {
    bend_task t = {.uniform = true, .rest = j->rest, .q = *q, .u = *u};
    bend_strain(&t);
    simple_bend_first(j, &t);
    bend_second(s, &t);
    simple_bend_root(s, j, &t, norm);
    bend_shorten(s, &t);
    put_back_held(j, *q, *u, &t);
    *q = t.q;
    *u = t.u;
}

ROD_INLINE void bend_general(const work *s, size_t row, vfq *q, vfq *u, rod_norm norm) {
    bend_task t = {.row = coefficients_at(s, row, 0), .rest = rest_of(s, row, 0), .q = *q, .u = *u};
    project_bends(s, &t, 1, norm);
    *q = t.q;
    *u = t.u;
}

ROD_INLINE void bend_pair(const work *s, row_pair *r, bool simple, rod_norm norm) {
    vfq *a = &r->row[0].q, *b = &r->row[1].q;
    if (simple)
        bend_simple(s, &r->joint[0], a, b, norm);
    else
        bend_general(s, 0, a, b, norm);
    *a = vfq_rotated_down(*a);
    if (simple)
        bend_simple(s, &r->joint[1], b, a, norm);
    else
        bend_general(s, 1, b, a, norm);
    *a = vfq_rotated_up(*a);
}

/* ---------------------------------------------------------------- all sweeps of a frame */

ROD_INLINE row_state row_state_of(const work *s, size_t row) {
    const float *at = state_at(s, row, 0);
    return (row_state){vf3_load(at, VF_LANES), vfq_load(at + STATE_Q * VF_LANES, VF_LANES)};
}

ROD_INLINE void put_row_state(const work *s, size_t row, const row_state *r) {
    float *at = state_at(s, row, 0);
    vf3_store(at, VF_LANES, r->p);
    vfq_store(at + STATE_Q * VF_LANES, VF_LANES, r->q);
}

ROD_INLINE void sweep_pair(const work *s, size_t iterations, bool simple, rod_norm norm) {
    row_pair r = {.row = {row_state_of(s, 0), row_state_of(s, 1)}};
    if (simple) {
        r.joint[0] = joint_row_of(s, 0);
        r.joint[1] = joint_row_of(s, 1);
    }
    for (size_t i = 0; i < iterations; i++) {
        stretch_pair(s, &r.row[0], &r.row[1], simple, norm);
        bend_pair(s, &r, simple, norm);
    }
    put_row_state(s, 0, &r.row[0]);
    put_row_state(s, 1, &r.row[1]);
}

ROD_INLINE void solve_pair(const work *s, const unsigned char *rows, size_t iterations,
                           rod_norm norm) {
    if (row_is(rows[0] & rows[1], ROW_SIMPLE, norm))
        sweep_pair(s, iterations, true, norm);
    else
        sweep_pair(s, iterations, false, norm);
}

#endif
