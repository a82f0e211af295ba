/* The two constraints of position-based strands (Mueller et al. 2007) on vectors of rods: distance
 * (eqs. 7 to 9) and line-line bending, C = acos(d1.d2) - phi0 of neighbouring elements. */
#ifndef ROD_PBD_PROJECT_H
#define ROD_PBD_PROJECT_H

/* A row of state: a particle. Rest angles are read from the block. */
enum { STATE_ROW = 3, REST_ROW = 0 };

/* Of an element: its length and the shares in which its ends move. Of the joint that follows:
 * weights relative to the largest, halves of their sums, and half the stiffness. */
enum {
    LENGTH,
    EDGE_A,
    EDGE_B,
    JOINT_A,
    JOINT_B,
    JOINT_C,
    JOINT_HALF_AB,
    JOINT_HALF_BC,
    JOINT_HALF_STIFFNESS,
    COEFFICIENT_ROW
};

enum { U_SCALE, U_UNSCALE, U_LENGTH, U_EDGE, U_HALF_STIFFNESS, UNIFORM_ROW };

/* A joint is a long and narrow chain: four fill the CPU. */
enum { JOINTS_ABREAST = 4 };

#include "place.h"
#include "scale.h"

/* ---------------------------------------------------------------- distance */

typedef struct {
    vf length, move_a, move_b;
    vf3 a, b, e;
    vf inverse;
} distance_task;

ROD_INLINE distance_task distance_at(const work *s, place at, bool uniform) {
    const float *row = coefficients_at(s, at.index, at.stream);
    const float *a = state_at(s, at.index, at.stream), *b = a + STATE_ROW * s->lanes;
    const vf edge = uniform_at(s, U_EDGE, at.stream);
    return (distance_task){
        .length = uniform ? uniform_at(s, U_LENGTH, at.stream) : vf_load(row + LENGTH * s->lanes),
        .move_a = uniform ? edge : vf_load(row + EDGE_A * s->lanes),
        .move_b = uniform ? edge : vf_load(row + EDGE_B * s->lanes),
        .a = vf3_load(a, s->lanes),
        .b = vf3_load(b, s->lanes),
    };
}

ROD_INLINE void distance_root(distance_task *t, rod_norm norm) {
    t->e = vf3_sub(t->b, t->a);
    t->inverse = vf_rsqrt(vf3_square(t->e, vf_set1(ROD_SQUARE_FLOOR)), norm);
}

ROD_INLINE void distance_move(distance_task *t) {
    const vf3 C = vf3_scale(vf_fnma(t->length, t->inverse, vf_set1(1.0f)), t->e);
    t->a = vf3_fma(t->move_a, C, t->a);
    t->b = vf3_fnma(t->move_b, C, t->b);
}

ROD_INLINE void distance_done(const work *s, place at, const distance_task *t) {
    float *a = state_at(s, at.index, at.stream);
    vf3_store(a, s->lanes, t->a);
    vf3_store(a + STATE_ROW * s->lanes, s->lanes, t->b);
}

ROD_INLINE void project_elements(const work *s, const place *at, int count, bool uniform,
                                 rod_norm norm) {
    distance_task t[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, t[k] = distance_at(s, at[k], uniform));
    ROD_ABREAST(k, count, distance_root(&t[k], norm));
    ROD_ABREAST(k, count, distance_move(&t[k]));
    ROD_ABREAST(k, count, distance_done(s, at[k], &t[k]));
}

ROD_INLINE void element_stream(const work *s, size_t e, int stream, bool uniform, rod_norm norm) {
    project_elements(s, &(place){e, stream}, 1, uniform, norm);
}

ROD_INLINE void element_streams(const work *s, size_t e, rod_norm norm) {
    project_elements(s, (const place[]){{e, 0}, {e, 1}}, 2, false, norm);
}

/* ---------------------------------------------------------------- bending */

/* Uniform: all weigh 1, which is then no factor. The result is the same to the bit: straight joints
 * magnify whatever rounding leaves. */
typedef struct {
    bool uniform;
    vf a, b, c, half_ab, half_bc; /* the halves are of sums */
    vf half_stiffness;
} bend_weights;

ROD_INLINE vf weighed(const bend_weights *w, vf weight, vf x) {
    return w->uniform ? x : vf_mul(weight, x);
}

/* Until the roots are taken, the vector itself and the square of its length. */
typedef struct {
    vf3 direction;
    vf inverse_length;
} edge;

typedef struct {
    bend_weights w;
    vf angle;
    vf3 a, b, c;
    edge d, e;
    vf cosine;
    vf t;            /* 1 - |cosine| */
    vf inverse_root; /* 1/sqrt(t) */
    vf inverse_sine;
    vf inverse_sum; /* of half the gradients' squares, by weight */
    vf step;
} bend_task;

ROD_INLINE void bend_edges(bend_task *t) {
    t->d.direction = vf3_sub(t->b, t->a);
    t->e.direction = vf3_sub(t->c, t->b);
    t->d.inverse_length = vf3_square(t->d.direction, vf_set1(ROD_SQUARE_FLOOR));
    t->e.inverse_length = vf3_square(t->e.direction, vf_set1(ROD_SQUARE_FLOOR));
}

ROD_INLINE void bend_lengths(bend_task *t, rod_norm norm) {
    t->d.inverse_length = vf_rsqrt(t->d.inverse_length, norm);
    t->e.inverse_length = vf_rsqrt(t->e.inverse_length, norm);
}

ROD_INLINE void bend_directions(bend_task *t) {
    t->d.direction = vf3_scale(t->d.inverse_length, t->d.direction);
    t->e.direction = vf3_scale(t->e.inverse_length, t->e.direction);
}

/* 1 - |cosine| of two unit vectors, half the square of the shorter of their difference and sum:
 * subtracting from 1 would leave small angles to rounding. */
ROD_INLINE void bend_cosine(bend_task *t) {
    const vf3 d = t->d.direction, e = t->e.direction;
    t->cosine = vf3_dot(d, e);
    const vf sign = vf_sign(t->cosine);
    const vf3 f = vf3_sub(d, (vf3){vf_xor(e.x, sign), vf_xor(e.y, sign), vf_xor(e.z, sign)});
    t->t = vf_mul(vf_set1(0.5f), vf3_dot(f, f));
}

/* sin^2 = t (2 - t). Where the joint is straight the gradients have no direction, and what rounding
 * takes for one is short: hence the floor, the square of an angle that float32 directions cannot
 * hold. */
ROD_INLINE void bend_sine(bend_task *t, rod_norm norm) {
    t->inverse_root = vf_rsqrt(vf_add(t->t, vf_set1(5e-15f)), norm);
    t->inverse_sine = vf_mul(t->inverse_root, vf_rsqrt(vf_sub(vf_set1(2.0f), t->t), norm));
}

/* Half the sum of the gradients' squares by weight: d^2 (a + b)/2 + e^2 (b + c)/2 + d e cos b. */
ROD_INLINE void bend_sum(bend_task *t, rod_norm norm) {
    const bend_weights *w = &t->w;
    const vf d = t->d.inverse_length, e = t->e.inverse_length;
    const vf first = weighed(w, w->half_ab, d), second = weighed(w, w->half_bc, e);
    const vf both = weighed(w, w->b, vf_mul(d, e));
    const vf squares = vf_fma(first, d, vf_fma(second, e, vf_set1(1e-20f)));
    t->inverse_sum = vf_reciprocal(vf_fma(both, t->cosine, squares), norm);
}

ROD_INLINE void bend_step(bend_task *t, rod_norm norm) {
    const vf root = vf_root(t->t, t->inverse_root, norm);
    const vf C = vf_sub(vf_acos_of_arc(t->cosine, vf_arc_of_root(t->t, root)), t->angle);
    const vf scale = vf_mul(vf_mul(t->w.half_stiffness, t->inverse_sine), t->inverse_sum);
    t->step = vf_mul(C, scale);
}

/* The gradients are n_a/L1 at a and -n_c/L2 at c, units in the plane of the joint at right angles
 * to its elements, and minus their sum at b. */
ROD_INLINE void bend_move(bend_task *t) {
    const bend_weights *w = &t->w;
    const vf3 to_a = vf3_fnma(t->cosine, t->d.direction, t->e.direction);
    const vf3 to_c = vf3_fnma(t->cosine, t->e.direction, t->d.direction);
    const vf d = vf_mul(t->step, t->d.inverse_length), e = vf_mul(t->step, t->e.inverse_length);
    t->a = vf3_fnma(weighed(w, w->a, d), to_a, t->a);
    t->b = vf3_fma(weighed(w, w->b, d), to_a, t->b);
    t->b = vf3_fnma(weighed(w, w->b, e), to_c, t->b);
    t->c = vf3_fma(weighed(w, w->c, e), to_c, t->c);
}

ROD_INLINE bend_weights bend_weights_of(const work *s, place at, bool uniform) {
    const vf one = vf_set1(1.0f);
    if (uniform)
        return (bend_weights){
            true, one, one, one, one, one, uniform_at(s, U_HALF_STIFFNESS, at.stream)};
    const float *row = coefficients_at(s, at.index, at.stream);
    return (bend_weights){
        .a = vf_load(row + JOINT_A * s->lanes),
        .b = vf_load(row + JOINT_B * s->lanes),
        .c = vf_load(row + JOINT_C * s->lanes),
        .half_ab = vf_load(row + JOINT_HALF_AB * s->lanes),
        .half_bc = vf_load(row + JOINT_HALF_BC * s->lanes),
        .half_stiffness = vf_load(row + JOINT_HALF_STIFFNESS * s->lanes),
    };
}

ROD_INLINE void bend_at(const work *s, place at, bool uniform, bend_task *t) {
    const float *a = state_at(s, at.index, at.stream), *b = a + STATE_ROW * s->lanes;
    t->w = bend_weights_of(s, at, uniform);
    t->angle = vf_load(s->block->angle + at.index * s->lanes + (size_t)at.stream * VF_LANES);
    t->a = vf3_load(a, s->lanes);
    t->b = vf3_load(b, s->lanes);
    t->c = vf3_load(b + STATE_ROW * s->lanes, s->lanes);
}

ROD_INLINE void bend_done(const work *s, place at, const bend_task *t) {
    float *a = state_at(s, at.index, at.stream), *b = a + STATE_ROW * s->lanes;
    vf3_store(a, s->lanes, t->a);
    vf3_store(b, s->lanes, t->b);
    vf3_store(b + STATE_ROW * s->lanes, s->lanes, t->c);
}

ROD_INLINE void project_joints(const work *s, const place *at, int count, bool uniform,
                               rod_norm norm) {
    bend_task t[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, bend_at(s, at[k], uniform, &t[k]));
    ROD_ABREAST(k, count, bend_edges(&t[k]));
    ROD_ABREAST(k, count, bend_lengths(&t[k], norm));
    ROD_ABREAST(k, count, bend_directions(&t[k]));
    ROD_ABREAST(k, count, bend_cosine(&t[k]));
    ROD_ABREAST(k, count, bend_sine(&t[k], norm));
    ROD_ABREAST(k, count, bend_sum(&t[k], norm));
    ROD_ABREAST(k, count, bend_step(&t[k], norm));
    ROD_ABREAST(k, count, bend_move(&t[k]));
    ROD_ABREAST(k, count, bend_done(s, at[k], &t[k]));
}

ROD_INLINE void joint_stream(const work *s, size_t joint, int stream, bool uniform, rod_norm norm) {
    project_joints(s, &(place){joint, stream}, 1, uniform, norm);
}

ROD_INLINE void joint_streams(const work *s, size_t joint, rod_norm norm) {
    project_joints(s, (const place[]){{joint, 0}, {joint, 1}}, 2, false, norm);
}

#endif
