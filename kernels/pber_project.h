/* The four constraints of position-based elastic rods (Umetani, Schmidt & Stam 2014, "USS14",
 * section 5) on vectors of rods.
 *
 * The bend-twist constraint is the generalised projection of eq. 17, done without the 3x15
 * Jacobian. With tau = tan(theta/2) n, the Darboux vector of eq. 10 but for a constant, and delta
 * the turn of the second frame against the first, seen from the first:
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
#ifndef ROD_PBER_PROJECT_H
#define ROD_PBER_PROJECT_H

/* A row of state: px py pz gx gy gz, the last with a particle only. */
enum { STATE_ROW = 6, REST_ROW = 3 };

/* Of an element: its length, the shares in which eq. 18 moves its ends and eq. 20 its ends and its
 * ghost, and weights for eq. 19. Of the joint that follows: weights for eq. 21. Weights are
 * relative to the largest in their constraint. */
enum {
    LENGTH,
    EDGE_A,
    EDGE_B,
    GHOST_A,
    GHOST_B,
    GHOST_G,
    WEIGHT_A,
    WEIGHT_B,
    WEIGHT_G,
    JOINT_A,
    JOINT_B,
    JOINT_C,
    JOINT_G,
    JOINT_H,
    COEFFICIENT_ROW
};

enum {
    U_SCALE,
    U_UNSCALE,
    U_GHOST_LENGTH, /* for all elements, uniform or not */
    U_LENGTH,
    U_EDGE,
    U_GHOST_P,
    U_GHOST_G,
    U_WEIGHT,
    U_WEIGHT_G,
    U_ALPHA_X, /* of eq. 21, for all joints */
    U_ALPHA_Y,
    U_ALPHA_Z,
    UNIFORM_ROW
};

#include "body.h"
#include "scale.h"

/* ---------------------------------------------------------------- one edge */

typedef struct {
    vf length, ghost_length;
    vf edge_a, edge_b;               /* eq. 18 */
    vf weight_a, weight_b, weight_g; /* eq. 19 */
    vf ghost_a, ghost_b, ghost_g;    /* eq. 20 */
} edge_factors;

/* USS14 eq. 18: C d = (|e| - l) e/|e| */
ROD_INLINE void project_length(vf3 *a, vf3 *b, const edge_factors *f, rod_norm norm) {
    const vf3 e = vf3_sub(*b, *a);
    const vf inverse = vf_rsqrt(vf3_square(e, vf_set1(ROD_SQUARE_FLOOR)), norm);
    const vf3 C = vf3_scale(vf_fnma(f->length, inverse, vf_set1(1.0f)), e);
    *a = vf3_fma(f->edge_a, C, *a);
    *b = vf3_fnma(f->edge_b, C, *b);
}

ROD_INLINE vf3 from_middle(vf3 a, vf3 b, vf3 g) {
    return vf3_fnma(vf_set1(0.5f), vf3_add(a, b), g);
}

/* USS14 eq. 19, C = n.e with n from the midpoint to the ghost; its gradients are -(e/2 + n),
 * -(e/2 - n) and e. */
ROD_INLINE void project_bisector(vf3 *a, vf3 *b, vf3 *g, const edge_factors *f, rod_norm norm) {
    const vf3 e = vf3_sub(*b, *a), n = from_middle(*a, *b, *g);
    const vf C = vf3_dot(n, e), tiny = vf_set1(1e-20f);
    const vf ee = vf3_dot(e, e);
    const vf both = vf3_square(n, vf_mul(vf_set1(0.25f), ee));
    const vf sum_a = vf_fma(f->weight_a, vf_add(both, C), vf_fma(f->weight_g, ee, tiny));
    const vf sum = vf_fma(f->weight_b, vf_sub(both, C), sum_a);
    const vf s = vf_mul(C, vf_reciprocal(sum, norm));
    const vf3 u = vf3_fma(vf_set1(0.5f), e, n);
    *a = vf3_fma(vf_mul(f->weight_a, s), u, *a);
    *b = vf3_fma(vf_mul(f->weight_b, s), vf3_sub(e, u), *b);
    *g = vf3_fnma(vf_mul(f->weight_g, s), e, *g);
}

/* USS14 eq. 20 */
ROD_INLINE void project_ghost_distance(vf3 *a, vf3 *b, vf3 *g, const edge_factors *f,
                                       rod_norm norm) {
    const vf3 n = from_middle(*a, *b, *g);
    const vf inverse = vf_rsqrt(vf3_square(n, vf_set1(ROD_SQUARE_FLOOR)), norm);
    const vf3 C = vf3_scale(vf_fnma(f->ghost_length, inverse, vf_set1(1.0f)), n);
    *a = vf3_fma(f->ghost_a, C, *a);
    *b = vf3_fma(f->ghost_b, C, *b);
    *g = vf3_fnma(f->ghost_g, C, *g);
}

ROD_INLINE edge_factors edge_factors_uniform(const work *s, int stream) {
    const vf edge = uniform_at(s, U_EDGE, stream), weight = uniform_at(s, U_WEIGHT, stream);
    const vf ghost = uniform_at(s, U_GHOST_P, stream);
    return (edge_factors){
        .length = uniform_at(s, U_LENGTH, stream),
        .ghost_length = uniform_at(s, U_GHOST_LENGTH, stream),
        .edge_a = edge,
        .edge_b = edge,
        .weight_a = weight,
        .weight_b = weight,
        .weight_g = uniform_at(s, U_WEIGHT_G, stream),
        .ghost_a = ghost,
        .ghost_b = ghost,
        .ghost_g = uniform_at(s, U_GHOST_G, stream),
    };
}

ROD_INLINE edge_factors edge_factors_general(const work *s, size_t e, int stream) {
    const float *row = coefficients_at(s, e, stream);
    return (edge_factors){
        .length = vf_load(row + LENGTH * s->lanes),
        .ghost_length = uniform_at(s, U_GHOST_LENGTH, stream),
        .edge_a = vf_load(row + EDGE_A * s->lanes),
        .edge_b = vf_load(row + EDGE_B * s->lanes),
        .weight_a = vf_load(row + WEIGHT_A * s->lanes),
        .weight_b = vf_load(row + WEIGHT_B * s->lanes),
        .weight_g = vf_load(row + WEIGHT_G * s->lanes),
        .ghost_a = vf_load(row + GHOST_A * s->lanes),
        .ghost_b = vf_load(row + GHOST_B * s->lanes),
        .ghost_g = vf_load(row + GHOST_G * s->lanes),
    };
}

ROD_INLINE void element_stream(const work *s, size_t e, int stream, bool uniform, rod_norm norm) {
    float *row = state_at(s, e, stream), *next = state_at(s, e + 1, stream);
    vf3 a = vf3_load(row, s->lanes), b = vf3_load(next, s->lanes);
    vf3 g = vf3_load(row + 3 * s->lanes, s->lanes);
    const edge_factors f =
        uniform ? edge_factors_uniform(s, stream) : edge_factors_general(s, e, stream);
    project_length(&a, &b, &f, norm);
    project_bisector(&a, &b, &g, &f, norm);
    project_ghost_distance(&a, &b, &g, &f, norm);
    vf3_store(row, s->lanes, a);
    vf3_store(next, s->lanes, b);
    vf3_store(row + 3 * s->lanes, s->lanes, g);
}

/* ---------------------------------------------------------------- frames */

/* USS14 eq. 3, with the inverses of the edge's length and of the ghost's distance to its line. */
typedef struct {
    vf3 d1, d2, d3;
    vf inverse_length, inverse_height, foot;
} edge_frame;

ROD_INLINE edge_frame frame_of(vf3 a, vf3 b, vf3 g, rod_norm norm) {
    const vf floor = vf_set1(ROD_SQUARE_FLOOR);
    const vf3 e = vf3_sub(b, a), m = vf3_sub(g, a);
    edge_frame f;
    f.inverse_length = vf_rsqrt(vf3_square(e, floor), norm);
    f.d3 = vf3_scale(f.inverse_length, e);
    const vf3 normal = vf3_cross(f.d3, m);
    f.inverse_height = vf_rsqrt(vf3_square(normal, floor), norm);
    f.d2 = vf3_scale(f.inverse_height, normal);
    f.d1 = vf3_cross(f.d2, f.d3);
    f.foot = vf_mul(vf3_dot(f.d3, m), f.inverse_length);
    return f;
}

/* The columns of Q = D^T E: the axes of E seen from D. */
typedef struct {
    vf3 x, y, z;
} relative;

ROD_INLINE vf3 seen_from(const edge_frame *f, vf3 v) {
    return (vf3){vf3_dot(f->d1, v), vf3_dot(f->d2, v), vf3_dot(f->d3, v)};
}

ROD_INLINE relative relative_of(const edge_frame *D, const edge_frame *E) {
    return (relative){seen_from(D, E->d1), seen_from(D, E->d2), seen_from(D, E->d3)};
}

/* ---------------------------------------------------------------- K W K^T */

#define PBER_SINGULAR 1e-5f

typedef struct {
    vf a, b, c, g, h;
} joint_weights;

/* One edge's own part of K W K^T: bend on both axes, their coupling to the twist, the twist. */
typedef struct {
    vf bend, coupling, twist;
} edge_matrix;

ROD_INLINE edge_matrix edge_matrix_of(const edge_frame *f, vf wa, vf wb, vf wg) {
    const vf t = f->foot, u = vf_sub(vf_set1(1.0f), t);
    const vf ta = vf_mul(u, wa), tb = vf_mul(t, wb);
    return (edge_matrix){
        vf_mul(vf_add(wa, wb), vf_mul(f->inverse_length, f->inverse_length)),
        vf_mul(vf_sub(tb, ta), vf_mul(f->inverse_height, f->inverse_length)),
        vf_mul(vf_fma(u, ta, vf_fma(t, tb, wg)), vf_mul(f->inverse_height, f->inverse_height)),
    };
}

typedef struct {
    vf xx, yy, zz, xy, xz, yz;
} symmetric;

/* K W K^T = M_D + Q M_E Q^T - w_b (X + X^T), where X couples the two edges by the point between
 * them; what is alike in the three is collected. */
ROD_INLINE symmetric joint_matrix(const edge_frame *D, const edge_frame *E, const relative *Q,
                                  const joint_weights *w) {
    const vf two = vf_set1(2.0f), half = vf_set1(0.5f);
    const edge_matrix md = edge_matrix_of(D, w->a, w->b, w->g);
    const edge_matrix me = edge_matrix_of(E, w->b, w->c, w->h);
    const vf3 q3 = Q->z;
    const vf far = vf_mul(vf_sub(vf_set1(1.0f), E->foot), E->inverse_height);
    const vf near = vf_mul(w->b, vf_mul(D->foot, D->inverse_height));
    const vf lengths = vf_mul(w->b, vf_mul(D->inverse_length, E->inverse_length));
    const vf across = vf_mul(near, E->inverse_length);
    /* P = w_b p in X + X^T = p i3^T + q3 s^T + transposed + ... */
    const vf along = vf_fma(vf_mul(near, far), Q->y.y, lengths);
    const vf3 P = {vf_fnma(across, q3.z, vf_mul(along, q3.x)), vf_mul(along, q3.y),
                   vf_fma(across, q3.x, vf_mul(along, q3.z))};
    const vf s = vf_mul(vf_mul(w->b, D->inverse_length), far);
    const vf3 y =
        vf3_fma(me.coupling, Q->x, vf3_scale(vf_mul(half, vf_sub(me.twist, me.bend)), q3));
    const vf3 Y = {vf_fnma(s, Q->y.y, y.x), vf_fma(s, Q->y.x, y.y), y.z};
    const vf k = vf_fma(two, vf_mul(lengths, q3.z), vf_add(md.bend, me.bend));
    const vf twist = vf_add(k, vf_sub(md.twist, md.bend));
    return (symmetric){
        .xx = vf_fma(two, vf_mul(q3.x, Y.x), k),
        .yy = vf_fma(two, vf_mul(q3.y, Y.y), k),
        .zz = vf_fma(two, vf_sub(vf_mul(q3.z, Y.z), P.z), twist),
        .xy = vf_fma(q3.x, Y.y, vf_mul(q3.y, Y.x)),
        .xz = vf_fma(q3.x, Y.z, vf_fma(q3.z, Y.x, vf_sub(md.coupling, P.x))),
        .yz = vf_fma(q3.y, Y.z, vf_fma(q3.z, Y.y, vf_sub(vf_zero(), P.y))),
    };
}

/* M^-1 r by cofactors, and 0 where M is singular, not finite, or `valid` is not positive. The
 * determinant of such a matrix is at most the product of its diagonal; rounding leaves 1e-7 of that
 * where there is none. */
ROD_INLINE vf3 solved(const symmetric *m, vf3 r, vf valid, rod_norm norm) {
    const vf xx = vf_fnma(m->yz, m->yz, vf_mul(m->yy, m->zz));
    const vf yy = vf_fnma(m->xz, m->xz, vf_mul(m->xx, m->zz));
    const vf zz = vf_fnma(m->xy, m->xy, vf_mul(m->xx, m->yy));
    const vf xy = vf_fnma(m->xy, m->zz, vf_mul(m->xz, m->yz));
    const vf xz = vf_fnma(m->xz, m->yy, vf_mul(m->xy, m->yz));
    const vf yz = vf_fnma(m->xx, m->yz, vf_mul(m->xy, m->xz));
    const vf det = vf_fma(m->xx, xx, vf_fma(m->xy, xy, vf_mul(m->xz, xz)));
    const vf inverse = vf_reciprocal(det, norm);
    const vf3 l = {vf_fma(xx, r.x, vf_fma(xy, r.y, vf_mul(xz, r.z))),
                   vf_fma(xy, r.x, vf_fma(yy, r.y, vf_mul(yz, r.z))),
                   vf_fma(xz, r.x, vf_fma(yz, r.y, vf_mul(zz, r.z)))};
    /* with what keeps a determinant from being too small for its reciprocal */
    const vf diagonal = vf_fma(m->xx, vf_mul(m->yy, m->zz), vf_set1(1e-25f));
    /* positive for a determinant between the two bounds only */
    const vf between =
        vf_mul(vf_fnma(vf_set1(PBER_SINGULAR), diagonal, det), vf_sub(vf_set1(1e30f), det));
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    return vf3_select_positive(vf_select_positive(valid, between, vf_zero()), vf3_scale(inverse, l),
                               zero);
}

/* ---------------------------------------------------------------- bend and twist */

/* 2 G^-1 C of USS14 eq. 21, C = alpha (tau - tau_rest), given 1 + tr Q = 4/(1 + |tau|^2). */
ROD_INLINE vf3 wanted_turn(const relative *Q, vf3 rest, vf3 alpha, vf one_plus_trace,
                           rod_norm norm) {
    const vf3 twice_sine = {vf_sub(Q->y.z, Q->z.y), vf_sub(Q->z.x, Q->x.z), vf_sub(Q->x.y, Q->y.x)};
    const vf3 tau = vf3_scale(vf_reciprocal(one_plus_trace, norm), twice_sine);
    const vf3 C = vf3_mul(alpha, vf3_sub(tau, rest));
    const vf3 turned = vf3_add(C, vf3_cross(tau, C));
    return vf3_scale(vf_mul(vf_set1(0.5f), one_plus_trace), turned);
}

/* K^T lambda of one edge: for b, and for g; what a gets is minus both. */
typedef struct {
    vf3 b, g;
} edge_push;

ROD_INLINE edge_push edge_push_of(const edge_frame *f, vf3 l) {
    const vf twist = vf_mul(f->inverse_height, l.z);
    const vf along_2 = vf_fma(f->inverse_length, l.x, vf_mul(f->foot, twist));
    return (edge_push){
        vf3_fnma(along_2, f->d2, vf3_scale(vf_mul(f->inverse_length, l.y), f->d1)),
        vf3_scale(twist, f->d2),
    };
}

typedef struct {
    vf3 a, b, c, g, h;
} joint_points;

/* USS14 eqs. 17 and 21 */
ROD_INLINE void project_joint(joint_points *p, const joint_weights *w, vf3 rest, vf3 alpha,
                              rod_norm norm) {
    const edge_frame D = frame_of(p->a, p->b, p->g, norm), E = frame_of(p->b, p->c, p->h, norm);
    const relative Q = relative_of(&D, &E);
    const vf one_plus_trace = vf_add(vf_add(vf_set1(1.0f), Q.x.x), vf_add(Q.y.y, Q.z.z));
    const vf valid = vf_sub(one_plus_trace, vf_set1(1e-6f));
    const vf safe = vf_select_positive(valid, one_plus_trace, vf_set1(1.0f));
    const symmetric M = joint_matrix(&D, &E, &Q, w);
    const vf3 l = solved(&M, wanted_turn(&Q, rest, alpha, safe, norm), valid, norm);
    const vf3 l_E = {vf3_dot(Q.x, l), vf3_dot(Q.y, l), vf3_dot(Q.z, l)};
    const edge_push d = edge_push_of(&D, l), e = edge_push_of(&E, l_E);
    const vf3 e_both = vf3_add(e.b, e.g);
    p->a = vf3_fnma(w->a, vf3_add(d.b, d.g), p->a);
    p->b = vf3_fma(w->b, vf3_add(d.b, e_both), p->b);
    p->c = vf3_fnma(w->c, e.b, p->c);
    p->g = vf3_fma(w->g, d.g, p->g);
    p->h = vf3_fnma(w->h, e.g, p->h);
}

ROD_INLINE joint_weights joint_weights_uniform(const work *s, int stream) {
    const vf w = uniform_at(s, U_WEIGHT, stream), g = uniform_at(s, U_WEIGHT_G, stream);
    return (joint_weights){w, w, w, g, g};
}

ROD_INLINE joint_weights joint_weights_general(const work *s, size_t joint, int stream) {
    const float *row = coefficients_at(s, joint, stream);
    return (joint_weights){
        vf_load(row + JOINT_A * s->lanes), vf_load(row + JOINT_B * s->lanes),
        vf_load(row + JOINT_C * s->lanes), vf_load(row + JOINT_G * s->lanes),
        vf_load(row + JOINT_H * s->lanes),
    };
}

ROD_INLINE void joint_stream(const work *s, size_t joint, int stream, bool uniform, rod_norm norm) {
    float *first = state_at(s, joint, stream), *second = state_at(s, joint + 1, stream);
    float *third = state_at(s, joint + 2, stream);
    joint_points p = {vf3_load(first, s->lanes), vf3_load(second, s->lanes),
                      vf3_load(third, s->lanes), vf3_load(first + 3 * s->lanes, s->lanes),
                      vf3_load(second + 3 * s->lanes, s->lanes)};
    const joint_weights w =
        uniform ? joint_weights_uniform(s, stream) : joint_weights_general(s, joint, stream);
    const vf3 rest =
        vf3_load(s->rest + REST_ROW * joint * s->lanes + (size_t)stream * VF_LANES, s->lanes);
    const vf3 alpha = {uniform_at(s, U_ALPHA_X, stream), uniform_at(s, U_ALPHA_Y, stream),
                       uniform_at(s, U_ALPHA_Z, stream)};
    project_joint(&p, &w, rest, alpha, norm);
    vf3_store(first, s->lanes, p.a);
    vf3_store(second, s->lanes, p.b);
    vf3_store(third, s->lanes, p.c);
    vf3_store(first + 3 * s->lanes, s->lanes, p.g);
    vf3_store(second + 3 * s->lanes, s->lanes, p.h);
}

#endif
