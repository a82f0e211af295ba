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
    vf3 shared_rest[2]; /* and their rest vectors times what both orientations take */
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

/* ---------------------------------------------------------------- bends */

ROD_INLINE void bend_general(const work *s, size_t row, vfq *q, vfq *u, rod_norm norm) {
    bend_task t = {.row = coefficients_at(s, row, 0), .rest = rest_of(s, row, 0), .q = *q, .u = *u};
    project_bends(s, &t, 1, norm);
    *q = t.q;
    *u = t.u;
}

/* An orientation that is not shortened yet. */
typedef struct {
    vfq q;
    vf inverse;
} long_orientation;

/* -Im(conj(q) u), in fewer steps that wait for each other. */
ROD_INLINE vf3 shallow_minus_relative(vfq q, vfq u) {
    return (vf3){
        vf_add(vf_fnma(q.w, u.x, vf_mul(q.x, u.w)), vf_fnma(q.z, u.y, vf_mul(q.y, u.z))),
        vf_add(vf_fnma(q.w, u.y, vf_mul(q.y, u.w)), vf_fnma(q.x, u.z, vf_mul(q.z, u.x))),
        vf_add(vf_fnma(q.w, u.z, vf_mul(q.z, u.w)), vf_fnma(q.y, u.x, vf_mul(q.x, u.y))),
    };
}

/* Roots take long: how two orientations lie to each other is found meanwhile, and scaled when both
 * lengths are known. What is held is put back before its root would be taken. */
ROD_INLINE void bend_long(const work *s, const joint_row *j, vf3 shared_rest, long_orientation *a,
                          long_orientation *b) {
    const vf3 share = vf3_mul(j->share, shallow_minus_relative(a->q, b->q));
    const vf scale = vf_mul(a->inverse, b->inverse);
    const vfq q = shortened(s, 0, a->q, a->inverse), u = shortened(s, 0, b->q, b->inverse);
    const vf3 B = vf3_fma(scale, share, shared_rest);
    a->q = vfq_select_positive(j->moves_q, vfq_sub_product(q, u, B), q);
    b->q = vfq_select_positive(j->moves_u, vfq_add_product(u, q, B), u);
}

/* One for both sides, see simple_bend_root(). */
ROD_INLINE void long_root(const work *s, const joint_row *j, long_orientation *a,
                          long_orientation *b, rod_norm norm) {
    const vfq moved = vfq_select_positive(j->moves_q, a->q, b->q);
    const vf inverse = inverse_of(s, 0, shallow_square_of(moved, norm), norm);
    a->inverse = vf_select_positive(j->moves_q, inverse, vf_set1(1.0f));
    b->inverse = vf_select_positive(j->moves_u, inverse, vf_set1(1.0f));
}

/* ---------------------------------------------------------------- one sweep */

ROD_INLINE void stretch_pair(const work *s, row_state *a, row_state *b, stretch_task t[2],
                             bool simple, rod_norm norm) {
    t[0] = pair_stretch(s, 0, a->p, b->p, a->q);
    pair_strain(s, &t[0], simple);
    stretch_move(s, &t[0]);
    t[1] = pair_stretch(s, 1, t[0].p2, vf3_rotated_down(t[0].p1), b->q);
    stretch_turn(s, &t[0]);
    pair_strain(s, &t[1], simple);
    stretch_turn(s, &t[1]);
    shallow_stretch_root(s, &t[0], norm);
    shallow_stretch_root(s, &t[1], norm);
    stretch_move(s, &t[1]);
    a->p = vf3_rotated_up(t[1].p2);
    b->p = t[1].p1;
}

ROD_INLINE void sweep_general(const work *s, row_pair *r, rod_norm norm) {
    vfq *a = &r->row[0].q, *b = &r->row[1].q;
    stretch_task t[2];
    stretch_pair(s, &r->row[0], &r->row[1], t, false, norm);
    stretch_shorten(s, &t[0]);
    stretch_shorten(s, &t[1]);
    *a = t[0].q;
    *b = t[1].q;
    bend_general(s, 0, a, b, norm);
    *a = vfq_rotated_down(*a);
    bend_general(s, 1, b, a, norm);
    *a = vfq_rotated_up(*a);
}

/* Up to the second colour's roots. */
ROD_INLINE void sweep_simple(const work *s, row_pair *r, long_orientation *a, long_orientation *b,
                             rod_norm norm) {
    stretch_task t[2];
    stretch_pair(s, &r->row[0], &r->row[1], t, true, norm);
    *a = (long_orientation){t[0].q, t[0].inverse};
    *b = (long_orientation){t[1].q, t[1].inverse};
    bend_long(s, &r->joint[0], r->shared_rest[0], a, b);
    long_root(s, &r->joint[0], a, b, norm);
    *a = (long_orientation){vfq_rotated_down(a->q), rotated_down(a->inverse)};
    bend_long(s, &r->joint[1], r->shared_rest[1], b, a);
}

/* ---------------------------------------------------------------- all sweeps of a frame */

ROD_INLINE void sweeps_general(const work *s, row_pair *r, size_t iterations, rod_norm norm) {
    for (size_t i = 0; i < iterations; i++)
        sweep_general(s, r, norm);
}

/* The last roots are left to the frame's update, which takes them of all orientations. */
ROD_INLINE void sweeps_simple(const work *s, row_pair *r, size_t iterations, rod_norm norm) {
    long_orientation a, b;
    r->joint[0] = joint_row_of(s, 0);
    r->joint[1] = joint_row_of(s, 1);
    r->shared_rest[0] = vf3_mul(r->joint[0].share, r->joint[0].rest);
    r->shared_rest[1] = vf3_mul(r->joint[1].share, r->joint[1].rest);
    for (size_t i = 1;; i++) {
        sweep_simple(s, r, &a, &b, norm);
        if (i >= iterations)
            break;
        long_root(s, &r->joint[1], &b, &a, norm);
        r->row[0].q = vfq_rotated_up(shortened(s, 0, a.q, a.inverse));
        r->row[1].q = shortened(s, 0, b.q, b.inverse);
    }
    a.q.w = vf_add(a.q.w, uniform_at(s, U_SPECK, 0));
    b.q.w = vf_add(b.q.w, uniform_at(s, U_SPECK, 0));
    r->row[0].q = vfq_rotated_up(a.q);
    r->row[1].q = b.q;
}

ROD_INLINE row_state row_state_of(const work *s, size_t row) {
    const float *at = state_at(s, row, 0);
    return (row_state){vf3_load(at, VF_LANES), vfq_load(at + STATE_Q * VF_LANES, VF_LANES)};
}

ROD_INLINE void put_row_state(const work *s, size_t row, const row_state *r) {
    float *at = state_at(s, row, 0);
    vf3_store(at, VF_LANES, r->p);
    vfq_store(at + STATE_Q * VF_LANES, VF_LANES, r->q);
}

ROD_INLINE void solve_pair(const work *s, const unsigned char *rows, size_t iterations,
                           rod_norm norm) {
    row_pair r = {.row = {row_state_of(s, 0), row_state_of(s, 1)}};
    if (row_is(rows[0] & rows[1], ROW_SIMPLE, norm))
        sweeps_simple(s, &r, iterations, norm);
    else
        sweeps_general(s, &r, iterations, norm);
    put_row_state(s, 0, &r.row[0]);
    put_row_state(s, 1, &r.row[1]);
}

#endif
