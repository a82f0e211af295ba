/* The three constraints of an element of a position-based elastic rod (USS14 eqs. 18 to 20), one
 * after the other.
 *
 * All three move the ends a, b and the ghost g along the edge e and along n, from the edge's middle
 * to the ghost. So only lengths and shares go from one constraint to the next, and the points move
 * once, by what the three add up to. */
#ifndef ROD_PBER_EDGE_H
#define ROD_PBER_EDGE_H

#include "place.h"

typedef struct {
    bool uniform; /* a and b have the same shares and weights */
    vf length, ghost_length;
    vf edge_a, edge_b;               /* eq. 18 */
    vf weight_a, weight_b, weight_g; /* eq. 19 */
    vf ghost_a, ghost_b, ghost_g;    /* eq. 20 */
    vf edge_both, weight_both;       /* sums of a's and b's */
    vf tilt;                         /* how eq. 19 turns n */
} edge_factors;

typedef struct {
    edge_factors f;
    vf3 a, b, g, e, n;
    vf ee, en, nn; /* products of e and n */
    vf strain;     /* of eq. 18 */
    vf stretch;    /* what eq. 18 makes of e's length */
    vf step;       /* of eq. 19, a multiple of its gradient */
    vf along_e;    /* times e, what eq. 19 takes from n */
    vf keep;       /* times n, what it leaves of n; 1 if uniform */
    vf ghost;      /* strain of eq. 20 */
} edge_task;

ROD_INLINE edge_factors edge_factors_uniform(const work *s, int stream) {
    const vf edge = uniform_at(s, U_EDGE, stream), weight = uniform_at(s, U_WEIGHT, stream);
    const vf ghost = uniform_at(s, U_GHOST_P, stream);
    return (edge_factors){
        .uniform = true,
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
        .edge_both = uniform_at(s, U_EDGE_BOTH, stream),
        .weight_both = uniform_at(s, U_WEIGHT_BOTH, stream),
        .tilt = uniform_at(s, U_TILT, stream),
    };
}

ROD_INLINE edge_factors edge_factors_general(const work *s, size_t e, int stream) {
    const float *row = coefficients_at(s, e, stream);
    edge_factors f = {
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
    f.edge_both = vf_add(f.edge_a, f.edge_b);
    f.weight_both = vf_add(f.weight_a, f.weight_b);
    /* an edge of which nothing moves divides by this, too */
    f.tilt = vf_fma(vf_set1(0.25f), f.weight_both, vf_add(f.weight_g, vf_set1(1e-20f)));
    return f;
}

ROD_INLINE edge_task edge_at(const work *s, place at, bool uniform) {
    const float *row = state_at(s, at.index, at.stream);
    return (edge_task){
        .f = uniform ? edge_factors_uniform(s, at.stream)
                     : edge_factors_general(s, at.index, at.stream),
        .a = vf3_load(row, s->lanes),
        .b = vf3_load(row + STATE_ROW * s->lanes, s->lanes),
        .g = vf3_load(row + STATE_GHOST * s->lanes, s->lanes),
    };
}

ROD_INLINE void edge_done(const work *s, place at, const edge_task *t) {
    float *row = state_at(s, at.index, at.stream);
    vf3_store(row, s->lanes, t->a);
    vf3_store(row + STATE_ROW * s->lanes, s->lanes, t->b);
    vf3_store(row + STATE_GHOST * s->lanes, s->lanes, t->g);
}

ROD_INLINE void edge_axes(edge_task *t) {
    t->e = vf3_sub(t->b, t->a);
    t->n = vf3_fnma(vf_set1(0.5f), t->e, vf3_sub(t->g, t->a));
    t->ee = vf3_square(t->e, vf_set1(ROD_SQUARE_FLOOR));
}

/* USS14 eq. 18: C d = (|e| - l) e/|e| */
ROD_INLINE void edge_length(edge_task *t, rod_norm norm) {
    const edge_factors *f = &t->f;
    t->strain = vf_fnma(f->length, vf_rsqrt(t->ee, norm), vf_set1(1.0f));
    t->stretch = vf_fnma(f->edge_both, t->strain, vf_set1(1.0f));
}

/* Unequal shares have moved the middle. */
ROD_INLINE void edge_products(edge_task *t) {
    const edge_factors *f = &t->f;
    if (!f->uniform) {
        const vf lean = vf_mul(vf_set1(0.5f), vf_sub(f->edge_a, f->edge_b));
        t->n = vf3_fnma(vf_mul(lean, t->strain), t->e, t->n);
    }
    t->en = vf3_dot(t->e, t->n);
    t->nn = vf3_dot(t->n, t->n);
}

/* USS14 eq. 19, C = n.e; its gradients are -(e/2 + n), -(e/2 - n) and e. */
ROD_INLINE void edge_bisector(edge_task *t, rod_norm norm) {
    const edge_factors *f = &t->f;
    const vf C = vf_mul(t->stretch, t->en), ee = vf_mul(vf_mul(t->stretch, t->stretch), t->ee);
    const vf lean = f->uniform ? vf_zero() : vf_sub(f->weight_a, f->weight_b);
    vf sum = vf_fma(f->weight_both, t->nn, vf_fma(f->tilt, ee, vf_set1(1e-20f)));
    if (!f->uniform)
        sum = vf_fma(lean, C, sum);
    t->step = vf_mul(C, vf_reciprocal(sum, norm));
    if (!f->uniform)
        t->keep = vf_fnma(vf_mul(vf_set1(0.5f), lean), t->step, vf_set1(1.0f));
}

ROD_INLINE void edge_tilt(edge_task *t) {
    t->stretch = vf_mul(t->stretch, t->step);
    t->along_e = vf_mul(t->f.tilt, t->stretch);
}

/* USS14 eq. 20 */
ROD_INLINE void edge_ghost_distance(edge_task *t, rod_norm norm) {
    const vf3 left = t->f.uniform ? t->n : vf3_scale(t->keep, t->n);
    const vf3 n = vf3_fnma(t->along_e, t->e, left);
    const vf inverse = vf_rsqrt(vf3_square(n, vf_set1(ROD_SQUARE_FLOOR)), norm);
    t->ghost = vf_fnma(t->f.ghost_length, inverse, vf_set1(1.0f));
}

ROD_INLINE void edge_move(edge_task *t) {
    const edge_factors *f = &t->f;
    const vf half = vf_mul(vf_set1(0.5f), t->stretch);
    const vf ghost_a = vf_mul(f->ghost_a, t->ghost);
    const vf ghost_b = f->uniform ? ghost_a : vf_mul(f->ghost_b, t->ghost);
    const vf ghost_g = vf_mul(f->ghost_g, t->ghost);
    const vf turn_a = vf_fnma(ghost_a, t->along_e, vf_mul(f->weight_a, half));
    const vf turn_b = f->uniform ? turn_a : vf_fnma(ghost_b, t->along_e, vf_mul(f->weight_b, half));
    const vf turn_g = vf_fnma(ghost_g, t->along_e, vf_mul(f->weight_g, t->stretch));
    const vf keep_a = f->uniform ? ghost_a : vf_mul(ghost_a, t->keep);
    const vf keep_b = f->uniform ? ghost_b : vf_mul(ghost_b, t->keep);
    const vf keep_g = f->uniform ? ghost_g : vf_mul(ghost_g, t->keep);
    t->a = vf3_fma(vf_fma(f->edge_a, t->strain, turn_a), t->e, t->a);
    t->b = vf3_fma(vf_fnma(f->edge_b, t->strain, turn_b), t->e, t->b);
    t->g = vf3_fnma(turn_g, t->e, t->g);
    t->a = vf3_fma(vf_fma(f->weight_a, t->step, keep_a), t->n, t->a);
    t->b = vf3_fma(vf_fnma(f->weight_b, t->step, keep_b), t->n, t->b);
    t->g = vf3_fnma(keep_g, t->n, t->g);
}

ROD_INLINE void project_elements(const work *s, const place *at, int count, bool uniform,
                                 rod_norm norm) {
    edge_task t[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, t[k] = edge_at(s, at[k], uniform));
    ROD_ABREAST(k, count, edge_axes(&t[k]));
    ROD_ABREAST(k, count, edge_length(&t[k], norm));
    ROD_ABREAST(k, count, edge_products(&t[k]));
    ROD_ABREAST(k, count, edge_bisector(&t[k], norm));
    ROD_ABREAST(k, count, edge_tilt(&t[k]));
    ROD_ABREAST(k, count, edge_ghost_distance(&t[k], norm));
    ROD_ABREAST(k, count, edge_move(&t[k]));
    ROD_ABREAST(k, count, edge_done(s, at[k], &t[k]));
}

ROD_INLINE void element_stream(const work *s, size_t e, int stream, bool uniform, rod_norm norm) {
    project_elements(s, &(place){e, stream}, 1, uniform, norm);
}

ROD_INLINE void element_streams(const work *s, size_t e, rod_norm norm) {
    project_elements(s, (const place[]){{e, 0}, {e, 1}}, 2, false, norm);
}

#endif
