/* The bend-twist constraint of position-based elastic rods (USS14 eq. 21).
 *
 * It is the generalised projection of eq. 17, done without the 3x15 Jacobian. With tau =
 * tan(theta/2) n, the Darboux vector of eq. 10 but for a constant, and delta the turn of the second
 * frame against the first, seen from the first:
 *
 *     d tau = G delta / 2,   G = 1 - [tau] + tau tau^T,   G^-1 = (1 + [tau]) / (1 + |tau|^2)
 *
 * so that eq. 17 becomes dp = -W K^T (K W K^T)^-1 2 G^-1 C, where K tells how a point turns a
 * frame. A frame (a, b, g) with d1, d2, d3, edge length L, the ghost's distance h from the line of
 * the edge and its foot at a + t (b - a) turns by
 *
 *     phi1 = -d2.(db - da)/L   phi2 = d1.(db - da)/L   phi3 = d2.(dg - (1 - t) da - t db)/h
 *
 * which leaves the symmetric 3x3 matrix K W K^T as a sum of few outer products. */
#ifndef ROD_PBER_JOINT_H
#define ROD_PBER_JOINT_H

#include "place.h"

typedef struct {
    vf3 a, b, c, g, h;
} joint_points;

/* Uniform: a, b and c weigh 1, which is then no factor, and g and h the same. */
typedef struct {
    bool uniform;
    vf a, b, c, g, h;
} joint_weights;

/* USS14 eq. 3, with the inverses of the edge's length and of the ghost's distance to its line. */
typedef struct {
    vf3 e, m;                                            /* from a: the edge, the ghost */
    vf square;                                           /* of e, then of what m has beside e */
    vf inverse_length, inverse_length_2, inverse_height; /* _2: its square */
    vf foot, rest;                                       /* t and 1 - t */
    vf3 d1, d2, d3;
} edge_frame;

/* The columns of Q = D^T E: the axes of E seen from D. */
typedef struct {
    vf3 x, y, z;
} relative;

typedef struct {
    vf xx, yy, zz, xy, xz, yz;
} symmetric;

typedef struct {
    joint_points p;
    joint_weights w;
    edge_frame D, E;
    relative Q;
    vf one_plus_trace;
    vf3 wanted; /* the turn that eq. 21 wants, times 1 + tr Q */
    symmetric M, cofactors;
    vf determinant, inverse, valid;
    vf3 lambda;
} joint_task;

ROD_INLINE vf weighed(const joint_weights *w, vf weight, vf x) {
    return w->uniform ? x : vf_mul(weight, x);
}

/* ---------------------------------------------------------------- frames */

ROD_INLINE void frame_edge(edge_frame *f, vf3 a, vf3 b, vf3 g) {
    f->e = vf3_sub(b, a);
    f->m = vf3_sub(g, a);
    f->square = vf3_square(f->e, vf_set1(ROD_SQUARE_FLOOR));
    f->foot = vf3_dot(f->e, f->m);
}

ROD_INLINE void frame_length(edge_frame *f, rod_norm norm) {
    f->inverse_length = vf_rsqrt(f->square, norm);
    f->inverse_length_2 = vf_mul(f->inverse_length, f->inverse_length);
    f->foot = vf_mul(f->foot, f->inverse_length_2);
}

ROD_INLINE void frame_perpendicular(edge_frame *f) {
    f->m = vf3_fnma(f->foot, f->e, f->m);
    f->square = vf3_square(f->m, vf_set1(ROD_SQUARE_FLOOR));
    f->d3 = vf3_scale(f->inverse_length, f->e);
}

ROD_INLINE void frame_height(edge_frame *f, rod_norm norm) {
    f->inverse_height = vf_rsqrt(f->square, norm);
    f->rest = vf_sub(vf_set1(1.0f), f->foot);
}

ROD_INLINE void frame_axes(edge_frame *f) {
    f->d1 = vf3_scale(f->inverse_height, f->m);
    f->d2 = vf3_cross(f->d3, f->d1);
}

ROD_INLINE void joint_edges(joint_task *t) {
    frame_edge(&t->D, t->p.a, t->p.b, t->p.g);
    frame_edge(&t->E, t->p.b, t->p.c, t->p.h);
}

ROD_INLINE void joint_lengths(joint_task *t, rod_norm norm) {
    frame_length(&t->D, norm);
    frame_length(&t->E, norm);
}

ROD_INLINE void joint_perpendiculars(joint_task *t) {
    frame_perpendicular(&t->D);
    frame_perpendicular(&t->E);
}

ROD_INLINE void joint_heights(joint_task *t, rod_norm norm) {
    frame_height(&t->D, norm);
    frame_height(&t->E, norm);
}

ROD_INLINE void joint_axes(joint_task *t) {
    frame_axes(&t->D);
    frame_axes(&t->E);
}

ROD_INLINE vf3 seen_from(const edge_frame *f, vf3 v) {
    return (vf3){vf3_dot(f->d1, v), vf3_dot(f->d2, v), vf3_dot(f->d3, v)};
}

ROD_INLINE void joint_relative(joint_task *t) {
    t->Q.x = seen_from(&t->D, t->E.d1);
    t->Q.z = seen_from(&t->D, t->E.d3);
    t->Q.y = vf3_cross(t->Q.z, t->Q.x);
}

/* ---------------------------------------------------------------- wanted turn */

ROD_INLINE vf3 joint_rest(const work *s, place at) {
    return vf3_load(s->rest + REST_ROW * at.index * s->lanes + (size_t)at.stream * VF_LANES,
                    s->lanes);
}

ROD_INLINE vf3 joint_half_alpha(const work *s, int stream) {
    return (vf3){uniform_at(s, U_HALF_ALPHA_X, stream), uniform_at(s, U_HALF_ALPHA_Y, stream),
                 uniform_at(s, U_HALF_ALPHA_Z, stream)};
}

/* c b + a x b */
ROD_INLINE vf3 scaled_plus_cross(vf c, vf3 a, vf3 b) {
    return (vf3){vf_fnma(a.z, b.y, vf_fma(a.y, b.z, vf_mul(c, b.x))),
                 vf_fnma(a.x, b.z, vf_fma(a.z, b.x, vf_mul(c, b.y))),
                 vf_fnma(a.y, b.x, vf_fma(a.x, b.y, vf_mul(c, b.z)))};
}

/* 2 G^-1 C of USS14 eq. 21, C = alpha (tau - rest). With T = 1 + tr Q = 4/(1 + |tau|^2) and T tau =
 * 2 sin(theta) n, what Q holds, it is (T B + (T tau) x B) / T, B = alpha/2 (T tau - T rest). The
 * division is left to the solution. */
ROD_INLINE void joint_wanted(const work *s, place at, joint_task *t) {
    const relative *Q = &t->Q;
    const vf T = vf_add(vf_add(vf_set1(1.0f), Q->x.x), vf_add(Q->y.y, Q->z.z));
    const vf3 sine = {vf_sub(Q->y.z, Q->z.y), vf_sub(Q->z.x, Q->x.z), vf_sub(Q->x.y, Q->y.x)};
    const vf3 B = vf3_mul(joint_half_alpha(s, at.stream), vf3_fnma(T, joint_rest(s, at), sine));
    t->one_plus_trace = T;
    t->wanted = scaled_plus_cross(T, sine, B);
}

/* ---------------------------------------------------------------- K W K^T */

/* One edge's own part of K W K^T: bend on both axes, their coupling to the twist, the twist. */
typedef struct {
    vf bend, coupling, twist;
} edge_matrix;

ROD_INLINE edge_matrix edge_matrix_of(const edge_frame *f, const joint_weights *w, vf wa, vf wb,
                                      vf wg) {
    const vf ta = weighed(w, wa, f->rest), tb = weighed(w, wb, f->foot);
    const vf both = w->uniform ? vf_set1(2.0f) : vf_add(wa, wb);
    return (edge_matrix){
        vf_mul(both, f->inverse_length_2),
        vf_mul(vf_sub(tb, ta), vf_mul(f->inverse_height, f->inverse_length)),
        vf_mul(vf_fma(f->rest, ta, vf_fma(f->foot, tb, wg)),
               vf_mul(f->inverse_height, f->inverse_height)),
    };
}

/* K W K^T = M_D + Q M_E Q^T - w_b (X + X^T), where X couples the two edges by the point between
 * them; what is alike in the three is collected. */
ROD_INLINE void joint_matrix(joint_task *t) {
    const edge_frame *D = &t->D, *E = &t->E;
    const joint_weights *w = &t->w;
    const vf two = vf_set1(2.0f), half = vf_set1(0.5f);
    const edge_matrix md = edge_matrix_of(D, w, w->a, w->b, w->g);
    const edge_matrix me = edge_matrix_of(E, w, w->b, w->c, w->h);
    const vf3 q1 = t->Q.x, q2 = t->Q.y, q3 = t->Q.z;
    const vf far = vf_mul(E->rest, E->inverse_height);
    const vf near = weighed(w, w->b, vf_mul(D->foot, D->inverse_height));
    const vf lengths = weighed(w, w->b, vf_mul(D->inverse_length, E->inverse_length));
    const vf across = vf_mul(near, E->inverse_length);
    const vf along = vf_fma(vf_mul(near, far), q2.y, lengths);
    const vf s = weighed(w, w->b, vf_mul(D->inverse_length, far));
    const vf3 y = vf3_fma(me.coupling, q1, vf3_scale(vf_mul(half, vf_sub(me.twist, me.bend)), q3));
    const vf3 Y = {vf_fnma(s, q2.y, y.x), vf_fma(s, q2.x, y.y), vf_sub(y.z, along)};
    const vf shared = vf_fma(two, vf_mul(lengths, q3.z), me.bend);
    const vf bend = vf_add(shared, md.bend), twist = vf_add(shared, md.twist);
    t->M = (symmetric){
        .xx = vf_fma(two, vf_mul(q3.x, Y.x), bend),
        .yy = vf_fma(two, vf_mul(q3.y, Y.y), bend),
        .zz = vf_fma(two, vf_fnma(across, q3.x, vf_mul(q3.z, Y.z)), twist),
        .xy = vf_fma(q3.x, Y.y, vf_mul(q3.y, Y.x)),
        .xz = vf_fma(q3.x, Y.z, vf_fma(q3.z, vf_add(Y.x, across), md.coupling)),
        .yz = vf_fma(q3.y, Y.z, vf_mul(q3.z, Y.y)),
    };
}

/* ---------------------------------------------------------------- solution */

#define PBER_SINGULAR 1e-5f

/* Also whether there is a solution: M may be singular, not finite, or 1 + tr Q too small. The
 * determinant of such a matrix is at most the product of its diagonal; rounding leaves 1e-7 of that
 * where there is none. */
ROD_INLINE void joint_determinant(joint_task *t) {
    const symmetric *m = &t->M;
    const vf yy_zz = vf_mul(m->yy, m->zz);
    t->cofactors = (symmetric){
        .xx = vf_fnma(m->yz, m->yz, yy_zz),
        .yy = vf_fnma(m->xz, m->xz, vf_mul(m->xx, m->zz)),
        .zz = vf_fnma(m->xy, m->xy, vf_mul(m->xx, m->yy)),
        .xy = vf_fnma(m->xy, m->zz, vf_mul(m->xz, m->yz)),
        .xz = vf_fnma(m->xz, m->yy, vf_mul(m->xy, m->yz)),
        .yz = vf_fnma(m->xx, m->yz, vf_mul(m->xy, m->xz)),
    };
    const symmetric *c = &t->cofactors;
    const vf det = vf_fma(m->xx, c->xx, vf_fma(m->xy, c->xy, vf_mul(m->xz, c->xz)));
    /* with what keeps a determinant from being too small for its reciprocal */
    const vf diagonal = vf_fma(m->xx, yy_zz, vf_set1(1e-25f));
    /* positive for a determinant between the two bounds only; not their product, which is positive
     * where both are crossed, too */
    const vf above = vf_fnma(vf_set1(PBER_SINGULAR), diagonal, det);
    const vf between = vf_select_positive(above, vf_sub(vf_set1(1e30f), det), vf_zero());
    t->determinant = vf_mul(det, t->one_plus_trace);
    t->valid = vf_select_positive(vf_sub(t->one_plus_trace, vf_set1(1e-6f)), between, vf_zero());
}

ROD_INLINE void joint_inverse(joint_task *t, rod_norm norm) {
    t->inverse = vf_reciprocal(t->determinant, norm);
}

ROD_INLINE void joint_solution(joint_task *t) {
    const symmetric *c = &t->cofactors;
    const vf3 r = t->wanted, zero = {vf_zero(), vf_zero(), vf_zero()};
    const vf3 l = {vf_fma(c->xx, r.x, vf_fma(c->xy, r.y, vf_mul(c->xz, r.z))),
                   vf_fma(c->xy, r.x, vf_fma(c->yy, r.y, vf_mul(c->yz, r.z))),
                   vf_fma(c->xz, r.x, vf_fma(c->yz, r.y, vf_mul(c->zz, r.z)))};
    t->lambda = vf3_select_positive(t->valid, vf3_scale(t->inverse, l), zero);
}

/* ---------------------------------------------------------------- moves */

/* K^T lambda of one edge, along its d1 and d2: b gets d1 and -d2, a the opposite but for what the
 * twist turns about the edge, g the twist along d2. */
typedef struct {
    vf d1, d2_a, d2_b, twist;
} edge_push;

ROD_INLINE edge_push edge_push_of(const edge_frame *f, vf3 l) {
    const vf twist = vf_mul(f->inverse_height, l.z), bend = vf_mul(f->inverse_length, l.x);
    return (edge_push){vf_mul(f->inverse_length, l.y), vf_fnma(f->rest, twist, bend),
                       vf_fma(f->foot, twist, bend), twist};
}

ROD_INLINE void joint_move_first(joint_task *t) {
    const edge_frame *D = &t->D;
    const joint_weights *w = &t->w;
    joint_points *p = &t->p;
    const edge_push push = edge_push_of(D, t->lambda);
    p->a = vf3_fma(weighed(w, w->a, push.d2_a), D->d2, p->a);
    p->a = vf3_fnma(weighed(w, w->a, push.d1), D->d1, p->a);
    p->b = vf3_fnma(weighed(w, w->b, push.d2_b), D->d2, p->b);
    p->b = vf3_fma(weighed(w, w->b, push.d1), D->d1, p->b);
    p->g = vf3_fma(vf_mul(w->g, push.twist), D->d2, p->g);
}

ROD_INLINE void joint_move_second(joint_task *t) {
    const edge_frame *E = &t->E;
    const relative *Q = &t->Q;
    const joint_weights *w = &t->w;
    joint_points *p = &t->p;
    const vf3 l = {vf3_dot(Q->x, t->lambda), vf3_dot(Q->y, t->lambda), vf3_dot(Q->z, t->lambda)};
    const edge_push push = edge_push_of(E, l);
    p->b = vf3_fnma(weighed(w, w->b, push.d2_a), E->d2, p->b);
    p->b = vf3_fma(weighed(w, w->b, push.d1), E->d1, p->b);
    p->c = vf3_fma(weighed(w, w->c, push.d2_b), E->d2, p->c);
    p->c = vf3_fnma(weighed(w, w->c, push.d1), E->d1, p->c);
    p->h = vf3_fnma(vf_mul(w->h, push.twist), E->d2, p->h);
}

/* ---------------------------------------------------------------- on memory */

ROD_INLINE joint_weights joint_weights_of(const work *s, place at, bool uniform) {
    const vf one = vf_set1(1.0f), g = uniform_at(s, U_JOINT_G, at.stream);
    const float *row = coefficients_at(s, at.index, at.stream);
    if (uniform)
        return (joint_weights){true, one, one, one, g, g};
    return (joint_weights){
        false,
        vf_load(row + JOINT_A * s->lanes),
        vf_load(row + JOINT_B * s->lanes),
        vf_load(row + JOINT_C * s->lanes),
        vf_load(row + JOINT_G * s->lanes),
        vf_load(row + JOINT_H * s->lanes),
    };
}

ROD_INLINE void joint_at(const work *s, place at, bool uniform, joint_task *t) {
    const float *first = state_at(s, at.index, at.stream);
    const float *second = first + STATE_ROW * s->lanes, *third = second + STATE_ROW * s->lanes;
    t->w = joint_weights_of(s, at, uniform);
    t->p = (joint_points){vf3_load(first, s->lanes), vf3_load(second, s->lanes),
                          vf3_load(third, s->lanes),
                          vf3_load(first + STATE_GHOST * s->lanes, s->lanes),
                          vf3_load(second + STATE_GHOST * s->lanes, s->lanes)};
}

ROD_INLINE void joint_done(const work *s, place at, const joint_task *t) {
    float *first = state_at(s, at.index, at.stream);
    float *second = first + STATE_ROW * s->lanes, *third = second + STATE_ROW * s->lanes;
    vf3_store(first, s->lanes, t->p.a);
    vf3_store(second, s->lanes, t->p.b);
    vf3_store(third, s->lanes, t->p.c);
    vf3_store(first + STATE_GHOST * s->lanes, s->lanes, t->p.g);
    vf3_store(second + STATE_GHOST * s->lanes, s->lanes, t->p.h);
}

/* USS14 eqs. 17 and 21. What the reciprocal does not wait for follows it, and what waits longest
 * for lambda, the second edge, moves first. */
ROD_INLINE void project_joints(const work *s, const place *at, int count, bool uniform,
                               rod_norm norm) {
    joint_task t[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, joint_at(s, at[k], uniform, &t[k]));
    ROD_ABREAST(k, count, joint_edges(&t[k]));
    ROD_ABREAST(k, count, joint_lengths(&t[k], norm));
    ROD_ABREAST(k, count, joint_perpendiculars(&t[k]));
    ROD_ABREAST(k, count, joint_heights(&t[k], norm));
    ROD_ABREAST(k, count, joint_axes(&t[k]));
    ROD_ABREAST(k, count, joint_relative(&t[k]));
    ROD_ABREAST(k, count, joint_matrix(&t[k]));
    ROD_ABREAST(k, count, joint_wanted(s, at[k], &t[k]));
    ROD_ABREAST(k, count, joint_determinant(&t[k]));
    ROD_ABREAST(k, count, joint_inverse(&t[k], norm));
    ROD_ABREAST(k, count, joint_solution(&t[k]));
    ROD_ABREAST(k, count, joint_move_second(&t[k]));
    ROD_ABREAST(k, count, joint_move_first(&t[k]));
    ROD_ABREAST(k, count, joint_done(s, at[k], &t[k]));
}

ROD_INLINE void joint_stream(const work *s, size_t joint, int stream, bool uniform, rod_norm norm) {
    project_joints(s, &(place){joint, stream}, 1, uniform, norm);
}

ROD_INLINE void joint_streams(const work *s, size_t joint, rod_norm norm) {
    project_joints(s, (const place[]){{joint, 0}, {joint, 1}}, 2, false, norm);
}

#endif
