/* The two constraints of a quaternion rod (KS16 section 6) on vectors of rods, in steps, and the
 * memory that the sweeps work in.
 *
 * The solver's variables are scaled, P = g p and Q = s q, which saves factors. With s^2 the `turn`
 * of the uniform elements, a uniform strain turns its element as it is; with g = 2 wq l / w it also
 * moves the particles as it is, by additions, for which some CPUs have units beside those of
 * multiply-adds. Where nothing is uniform, g = s = 1.
 *
 * A projection is a chain of some twenty dependent operations, each of which takes four cycles, and
 * a CPU's scheduler holds fewer operations than two projections have: it overlaps what stands near
 * in the program, not what stands behind it. Hence the steps: sweeps call each step for all the
 * projections that are independent of each other before they call the next. */
#ifndef ROD_QUATERNION_PROJECT_H
#define ROD_QUATERNION_PROJECT_H

/* A row of state: Px Py Pz Qw Qx Qy Qz, then s^2 times the rest vector of the joint that follows;
 * the last row has a particle only. */
enum { STATE_Q = 3, STATE_REST = 7, STATE_ROW = 10, REST_ROW = 0 };

/* Coefficients of one element and of the joint that follows it. */
enum { STRAIN, MOVE_1, MOVE_2, TURN, BEND_1, BEND_2 = BEND_1 + 3, COEFFICIENT_ROW = BEND_2 + 3 };

/* The same for all elements of the uniform range, and the scales. */
enum {
    U_STRAIN,
    U_BEND, /* three: the weights fold into the stiffness */
    U_SIZE = U_BEND + 3,
    U_HALF_SIZE,
    U_THREE_HALVES_SIZE,
    U_SPECK,
    U_SQUARE,
    U_MINUS_HALF_SQUARE,
    U_INVERSE_SQUARE,
    U_SCALE,
    U_UNSCALE,
    U_UNIT_STRAIN, /* the strain's factor for an element of length 1 */
    U_LOOSE,       /* no constant: whether the last prediction found loose joints, loose_bits() */
    UNIFORM_ROW
};

#include "place.h"

/* ---------------------------------------------------------------- steps of both */

/* |Q|^2, and never 0: the first product is added to a number that any other sum drowns. */
ROD_INLINE vf square_of(vfq q) {
    const vf wx = vf_fma(q.x, q.x, vf_fma(q.w, q.w, vf_set1(1e-30f)));
    return vf_fma(q.z, q.z, vf_fma(q.y, q.y, wx));
}

/* s / |Q|: what makes Q as long as the solver's quaternions are. */
ROD_INLINE vf inverse_of(const work *s, int stream, vf square, rod_norm norm) {
    if (norm == NORM_exact)
        return vf_div(uniform_at(s, U_SIZE, stream), vf_sqrt(square));
    const int steps = norm == NORM_newton ? VF_RSQRT_STEPS : VF_RSQRT_STEPS - 1;
    if (steps == 0)
        return vf_mul(uniform_at(s, U_SIZE, stream), vf_rsqrt_estimate(square));
    const vf y = vf_newton_rsqrt(square, steps - 1);
    const vf half = vf_mul(uniform_at(s, U_HALF_SIZE, stream), square);
    return vf_mul(y, vf_fnma(vf_mul(half, y), y, uniform_at(s, U_THREE_HALVES_SIZE, stream)));
}

/* A quaternion that cancelled to 0 gets a scalar part too small to matter elsewhere, which the next
 * normalisation makes whole: it must not stay 0. */
ROD_INLINE vfq shortened(const work *s, int stream, vfq q, vf inverse) {
    return (vfq){vf_fma(q.w, inverse, uniform_at(s, U_SPECK, stream)), vf_mul(q.x, inverse),
                 vf_mul(q.y, inverse), vf_mul(q.z, inverse)};
}

/* ---------------------------------------------------------------- stretch and shear */

typedef struct {
    int stream;
    bool uniform;
    const float *row; /* coefficients, unless uniform */
    vf3 p1, p2, C;
    vfq q;
    vf inverse;
} stretch_task;

/* Each component of C in the material frame times its stiffness: K C = ky C + (kx - ky)(d1.C) d1 +
 * (kz - ky)(d3.C) d3. With s^2 d1 and s^2 d3, for which no quaternion must be a unit. */
ROD_INLINE vf3 stiffened(const work *s, int stream, vf3 C, vfq q) {
    const rod_block *b = s->block;
    const vf two = vf_set1(2.0f), square = uniform_at(s, U_SQUARE, stream);
    const vf inverse = uniform_at(s, U_INVERSE_SQUARE, stream);
    const vf kx = lane_constant(b, ROD_LANE_SHEAR_X, stream);
    const vf ky = lane_constant(b, ROD_LANE_SHEAR_Y, stream);
    const vf kz = lane_constant(b, ROD_LANE_STRETCH, stream);
    const vf3 d1 = {
        vf_fnma(two, vf_fma(q.z, q.z, vf_mul(q.y, q.y)), square),
        vf_mul(two, vf_fma(q.w, q.z, vf_mul(q.x, q.y))),
        vf_mul(two, vf_fnma(q.w, q.y, vf_mul(q.x, q.z))),
    };
    const vf3 d3 = {
        vf_mul(two, vf_fma(q.w, q.y, vf_mul(q.x, q.z))),
        vf_mul(two, vf_fnma(q.w, q.x, vf_mul(q.y, q.z))),
        vf_fnma(two, vf_fma(q.y, q.y, vf_mul(q.x, q.x)), square),
    };
    const vf along_1 = vf_mul(inverse, vf3_dot(d1, C)), along_3 = vf_mul(inverse, vf3_dot(d3, C));
    vf3 stiff = vf3_scale(ky, C);
    stiff = vf3_fma(vf_mul(vf_mul(vf_sub(kx, ky), inverse), along_1), d1, stiff);
    return vf3_fma(vf_mul(vf_mul(vf_sub(kz, ky), inverse), along_3), d3, stiff);
}

/* s^2 C / 2 of KS16 eq. 31. d3's last component is 1 - 2(x^2 + y^2), true for unit quaternions. */
ROD_INLINE void stretch_strain(const work *s, stretch_task *t) {
    const vfq q = t->q;
    const vf minus_half = uniform_at(s, U_MINUS_HALF_SQUARE, t->stream);
    const vf uniform = uniform_at(s, U_STRAIN, t->stream);
    const vf f = t->uniform ? uniform : vf_load(t->row + STRAIN * s->lanes);
    const vf3 d = vf3_sub(t->p2, t->p1);
    t->C = (vf3){
        vf_fnma(q.w, q.y, vf_fnma(q.x, q.z, vf_mul(f, d.x))),
        vf_fma(q.w, q.x, vf_fnma(q.y, q.z, vf_mul(f, d.y))),
        vf_fma(q.y, q.y, vf_fma(q.x, q.x, vf_fma(f, d.z, minus_half))),
    };
    if (!t->uniform && !s->block->isotropic_stretch)
        t->C = stiffened(s, t->stream, t->C, q);
}

/* KS16 eq. 37 */
ROD_INLINE void stretch_move(const work *s, stretch_task *t) {
    if (t->uniform) {
        t->p1 = vf3_add(t->p1, t->C);
        t->p2 = vf3_sub(t->p2, t->C);
    } else {
        t->p1 = vf3_fma(vf_load(t->row + MOVE_1 * s->lanes), t->C, t->p1);
        t->p2 = vf3_fnma(vf_load(t->row + MOVE_2 * s->lanes), t->C, t->p2);
    }
}

/* q + C q e3bar, the products of KS16 eq. 37 written out, with the factor 2 that the paper lost
 * (erratum 1) */
ROD_INLINE void stretch_turn(const work *s, stretch_task *t) {
    const vfq q = t->q;
    const vf3 C = t->uniform ? t->C : vf3_scale(vf_load(t->row + TURN * s->lanes), t->C);
    t->q = (vfq){
        vf_fma(C.z, q.w, vf_fnma(C.y, q.x, vf_fma(C.x, q.y, q.w))),
        vf_fnma(C.z, q.x, vf_fnma(C.y, q.w, vf_fma(C.x, q.z, q.x))),
        vf_fnma(C.z, q.y, vf_fma(C.y, q.z, vf_fma(C.x, q.w, q.y))),
        vf_fma(C.z, q.z, vf_fma(C.y, q.y, vf_fma(C.x, q.x, q.z))),
    };
}

ROD_INLINE void stretch_root(const work *s, stretch_task *t, rod_norm norm) {
    t->inverse = inverse_of(s, t->stream, square_of(t->q), norm);
}

ROD_INLINE void stretch_shorten(const work *s, stretch_task *t) {
    t->q = shortened(s, t->stream, t->q, t->inverse);
}

/* ---------------------------------------------------------------- bend and twist */

/* Whose length is taken. With equal weights and unit quaternions both sides of a bend get the same
 * length, and one root serves both: that of q unless it is said. What the two lengths differ by
 * nevertheless is then left to the side that had no root of its own. */
typedef enum { ROOTS_AS_NEEDED, ROOT_OF_U, ROOTS_OF_BOTH } bend_roots;

typedef struct {
    int stream;
    bool uniform;
    bend_roots roots;
    const float *row; /* coefficients, unless uniform */
    vf3 rest, B;      /* B: the constraint with its sign turned; uniform: its share */
    vfq q, u, bent;
    vf inverse_q, inverse_u;
} bend_task;

/* KS16 eq. 32 with s = 1 and the sign turned, which saves a negation */
ROD_INLINE void bend_strain(bend_task *t) {
    t->B = vfq_sub_relative(t->rest, t->q, t->u);
}

ROD_INLINE vf3 bend_share(const work *s, const bend_task *t, size_t which) {
    const float *k = t->uniform ? s->uniform + U_BEND * s->lanes + (size_t)t->stream * VF_LANES
                                : t->row + which * s->lanes;
    return vf3_mul(vf3_load(k, s->lanes), t->B);
}

/* KS16 eq. 40, the first of the two; u is still the old one in the second */
ROD_INLINE void bend_first(const work *s, bend_task *t) {
    const vf3 B = bend_share(s, t, BEND_1);
    if (t->uniform)
        t->B = B;
    t->bent = vfq_sub_product(t->q, t->u, B);
}

ROD_INLINE void bend_second(const work *s, bend_task *t) {
    t->u = vfq_add_product(t->u, t->q, t->uniform ? t->B : bend_share(s, t, BEND_2));
}

ROD_INLINE void bend_root(const work *s, bend_task *t, rod_norm norm) {
    if (t->roots != ROOT_OF_U)
        t->inverse_q = inverse_of(s, t->stream, square_of(t->bent), norm);
}

ROD_INLINE void bend_root_second(const work *s, bend_task *t, rod_norm norm) {
    if (t->uniform && t->roots == ROOTS_AS_NEEDED)
        t->inverse_u = t->inverse_q;
    else
        t->inverse_u = inverse_of(s, t->stream, square_of(t->u), norm);
    if (t->roots == ROOT_OF_U)
        t->inverse_q = t->inverse_u;
}

ROD_INLINE void bend_shorten(const work *s, bend_task *t) {
    t->q = shortened(s, t->stream, t->bent, t->inverse_q);
    t->u = shortened(s, t->stream, t->u, t->inverse_u);
}

/* ---------------------------------------------------------------- in lockstep */

/* Stretches that are independent of each other. */
ROD_INLINE void project_stretches(const work *s, stretch_task *t, int count, rod_norm norm) {
    ROD_ABREAST(k, count, stretch_strain(s, &t[k]));
    ROD_ABREAST(k, count, stretch_move(s, &t[k]));
    ROD_ABREAST(k, count, stretch_turn(s, &t[k]));
    ROD_ABREAST(k, count, stretch_root(s, &t[k], norm));
    ROD_ABREAST(k, count, stretch_shorten(s, &t[k]));
}

/* The same of bends. */
ROD_INLINE void project_bends(const work *s, bend_task *t, int count, rod_norm norm) {
    ROD_ABREAST(k, count, bend_strain(&t[k]));
    ROD_ABREAST(k, count, bend_first(s, &t[k]));
    ROD_ABREAST(k, count, bend_root(s, &t[k], norm));
    ROD_ABREAST(k, count, bend_second(s, &t[k]));
    ROD_ABREAST(k, count, bend_root_second(s, &t[k], norm));
    ROD_ABREAST(k, count, bend_shorten(s, &t[k]));
}

/* As many of each, of one flow. */
ROD_INLINE void project_mixed(const work *s, stretch_task *stretch, bend_task *bend, int count,
                              rod_norm norm) {
    ROD_ABREAST(k, count, bend_strain(&bend[k]));
    ROD_ABREAST(k, count, stretch_strain(s, &stretch[k]));
    ROD_ABREAST(k, count, bend_first(s, &bend[k]));
    ROD_ABREAST(k, count, stretch_move(s, &stretch[k]));
    ROD_ABREAST(k, count, stretch_turn(s, &stretch[k]));
    ROD_ABREAST(k, count, bend_root(s, &bend[k], norm));
    ROD_ABREAST(k, count, bend_second(s, &bend[k]));
    ROD_ABREAST(k, count, stretch_root(s, &stretch[k], norm));
    ROD_ABREAST(k, count, bend_root_second(s, &bend[k], norm));
    ROD_ABREAST(k, count, bend_shorten(s, &bend[k]));
    ROD_ABREAST(k, count, stretch_shorten(s, &stretch[k]));
}

/* The same of two flows, which overlap each other: the fewer steps alternate, the more stays in
 * registers. */
ROD_INLINE void project_in_turn(const work *s, stretch_task *stretch, bend_task *bend, int count,
                                rod_norm norm) {
    ROD_ABREAST(k, count, stretch_strain(s, &stretch[k]));
    ROD_ABREAST(k, count, stretch_move(s, &stretch[k]));
    ROD_ABREAST(k, count, stretch_turn(s, &stretch[k]));
    ROD_ABREAST(k, count, bend_strain(&bend[k]));
    ROD_ABREAST(k, count, stretch_root(s, &stretch[k], norm));
    ROD_ABREAST(k, count, stretch_shorten(s, &stretch[k]));
    ROD_ABREAST(k, count, bend_first(s, &bend[k]));
    ROD_ABREAST(k, count, bend_root(s, &bend[k], norm));
    ROD_ABREAST(k, count, bend_second(s, &bend[k]));
    ROD_ABREAST(k, count, bend_root_second(s, &bend[k], norm));
    ROD_ABREAST(k, count, bend_shorten(s, &bend[k]));
}

/* ---------------------------------------------------------------- tasks on memory */

ROD_INLINE vf3 rest_of(const work *s, size_t joint, int stream) {
    return vf3_load(state_at(s, joint, stream) + STATE_REST * s->lanes, s->lanes);
}

ROD_INLINE stretch_task stretch_at(const work *s, size_t e, int stream, bool uniform) {
    const float *row = state_at(s, e, stream);
    return (stretch_task){.stream = stream,
                          .uniform = uniform,
                          .row = coefficients_at(s, e, stream),
                          .p1 = vf3_load(row, s->lanes),
                          .p2 = vf3_load(row + STATE_ROW * s->lanes, s->lanes),
                          .q = vfq_load(row + STATE_Q * s->lanes, s->lanes)};
}

ROD_INLINE void stretch_done(const work *s, size_t e, const stretch_task *t) {
    float *row = state_at(s, e, t->stream);
    vf3_store(row, s->lanes, t->p1);
    vf3_store(row + STATE_ROW * s->lanes, s->lanes, t->p2);
    vfq_store(row + STATE_Q * s->lanes, s->lanes, t->q);
}

ROD_INLINE bend_task bend_at(const work *s, size_t joint, int stream, bool uniform) {
    const float *q = state_at(s, joint, stream) + STATE_Q * s->lanes;
    return (bend_task){.stream = stream,
                       .uniform = uniform,
                       .row = coefficients_at(s, joint, stream),
                       .rest = rest_of(s, joint, stream),
                       .q = vfq_load(q, s->lanes),
                       .u = vfq_load(q + STATE_ROW * s->lanes, s->lanes)};
}

ROD_INLINE void bend_done(const work *s, size_t joint, const bend_task *t) {
    float *q = state_at(s, joint, t->stream) + STATE_Q * s->lanes;
    vfq_store(q, s->lanes, t->q);
    vfq_store(q + STATE_ROW * s->lanes, s->lanes, t->u);
}

/* ---------------------------------------------------------------- projections on memory */

/* Elements e and f in the same or in two streams, independent of each other. */
ROD_INLINE void stretch_two(const work *s, size_t e, size_t f, int stream, bool uniform,
                            rod_norm norm) {
    stretch_task t[] = {stretch_at(s, e, 0, uniform), stretch_at(s, f, stream, uniform)};
    project_stretches(s, t, 2, norm);
    stretch_done(s, e, &t[0]);
    stretch_done(s, f, &t[1]);
}

ROD_INLINE void bend_two(const work *s, size_t e, size_t f, int stream, bool uniform,
                         bend_roots roots, rod_norm norm) {
    bend_task t[] = {bend_at(s, e, 0, uniform), bend_at(s, f, stream, uniform)};
    t[0].roots = t[1].roots = roots;
    project_bends(s, t, 2, norm);
    bend_done(s, e, &t[0]);
    bend_done(s, f, &t[1]);
}

ROD_INLINE void element_stream(const work *s, size_t e, int stream, bool uniform, rod_norm norm) {
    stretch_task t = stretch_at(s, e, stream, uniform);
    project_stretches(s, &t, 1, norm);
    stretch_done(s, e, &t);
}

ROD_INLINE void bend_alone(const work *s, size_t joint, int stream, bool uniform, bend_roots roots,
                           rod_norm norm) {
    bend_task t = bend_at(s, joint, stream, uniform);
    t.roots = roots;
    project_bends(s, &t, 1, norm);
    bend_done(s, joint, &t);
}

ROD_INLINE void joint_stream(const work *s, size_t joint, int stream, bool uniform, rod_norm norm) {
    bend_alone(s, joint, stream, uniform, ROOTS_AS_NEEDED, norm);
}

ROD_INLINE void element_streams(const work *s, size_t e, rod_norm norm) {
    stretch_two(s, e, e, 1, false, norm);
}

ROD_INLINE void joint_streams(const work *s, size_t joint, rod_norm norm) {
    bend_two(s, joint, joint, 1, false, ROOTS_AS_NEEDED, norm);
}

#endif
