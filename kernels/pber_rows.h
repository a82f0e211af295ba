/* What goes into the rows of position-based elastic rods, and comes out of them: the same whether a
 * lane is a rod or a chunk of one. */
#ifndef ROD_PBER_ROWS_H
#define ROD_PBER_ROWS_H

#include "pber_project.h"

/* ---------------------------------------------------------------- coefficients */

/* The shares in which eqs. 18 and 20 move the ends a and b and the ghost g, and relative weights.
 */
typedef struct {
    vf edge_a, edge_b, ghost_a, ghost_b, ghost_g, weight_a, weight_b, weight_g;
} edge_shares;

ROD_INLINE edge_shares edge_shares_of(vf a, vf b, vf g, vf stiffness) {
    const vf ends = vf_add(a, b), half = vf_set1(0.5f);
    const vf all = vf_fma(vf_set1(0.25f), ends, g), most = larger(larger(a, b), g);
    return (edge_shares){
        .edge_a = vf_mul(stiffness, quotient(a, ends)),
        .edge_b = vf_mul(stiffness, quotient(b, ends)),
        .ghost_a = vf_mul(half, quotient(a, all)),
        .ghost_b = vf_mul(half, quotient(b, all)),
        .ghost_g = quotient(g, all),
        .weight_a = quotient(a, most),
        .weight_b = quotient(b, most),
        .weight_g = quotient(g, most),
    };
}

/* Of two neighbouring elements: their particles and their ghosts. */
typedef struct {
    vf a, b, c, g, h;
} row_weights;

ROD_INLINE void prepare_edge(const work *s, size_t e, int stream, const row_weights *w) {
    const edge_shares f =
        edge_shares_of(w->a, w->b, w->g, lane_constant(s->block, ROD_LANE_STRETCH, stream));
    float *row = coefficients_at(s, e, stream);
    vf_store(row + LENGTH * s->lanes,
             vf_mul(length_of(s, e, stream), uniform_at(s, U_SCALE, stream)));
    vf_store(row + EDGE_A * s->lanes, f.edge_a);
    vf_store(row + EDGE_B * s->lanes, f.edge_b);
    vf_store(row + GHOST_A * s->lanes, f.ghost_a);
    vf_store(row + GHOST_B * s->lanes, f.ghost_b);
    vf_store(row + GHOST_G * s->lanes, f.ghost_g);
    vf_store(row + WEIGHT_A * s->lanes, f.weight_a);
    vf_store(row + WEIGHT_B * s->lanes, f.weight_b);
    vf_store(row + WEIGHT_G * s->lanes, f.weight_g);
}

ROD_INLINE void prepare_joint(const work *s, size_t joint, int stream, const row_weights *w) {
    const vf most = larger(larger(larger(w->a, w->b), larger(w->g, w->h)), w->c);
    float *row = coefficients_at(s, joint, stream);
    vf_store(row + JOINT_A * s->lanes, quotient(w->a, most));
    vf_store(row + JOINT_B * s->lanes, quotient(w->b, most));
    vf_store(row + JOINT_C * s->lanes, quotient(w->c, most));
    vf_store(row + JOINT_G * s->lanes, quotient(w->g, most));
    vf_store(row + JOINT_H * s->lanes, quotient(w->h, most));
}

ROD_INLINE void put_uniform(const work *s, size_t which, int stream, vf value) {
    vf_store(s->uniform + which * s->lanes + (size_t)stream * VF_LANES, value);
}

/* A ghost's weight where the particles' is 1. Where that is 0, more than any matrix of eq. 21 can
 * be solved with: nothing turns. */
ROD_INLINE vf joint_ghost_weight(vf w, vf g) {
    return vf_select_positive(w, vf_div(g, w), vf_set1(1e35f));
}

ROD_INLINE void prepare_uniform(const work *s, int stream) {
    const rod_block *b = s->block;
    const vf half = vf_set1(0.5f), scale = uniform_at(s, U_SCALE, stream);
    const vf w = lane_constant(b, ROD_LANE_WEIGHT, stream);
    const vf g = lane_constant(b, ROD_LANE_WEIGHT_Q, stream);
    const edge_shares f = edge_shares_of(w, w, g, lane_constant(b, ROD_LANE_STRETCH, stream));
    put_uniform(s, U_GHOST_LENGTH, stream, vf_mul(scale, lane_constant(b, ROD_LANE_GHOST, stream)));
    put_uniform(s, U_LENGTH, stream, vf_mul(scale, lane_constant(b, ROD_LANE_LENGTH, stream)));
    put_uniform(s, U_EDGE, stream, f.edge_a);
    put_uniform(s, U_EDGE_BOTH, stream, vf_add(f.edge_a, f.edge_b));
    put_uniform(s, U_GHOST_P, stream, f.ghost_a);
    put_uniform(s, U_GHOST_G, stream, f.ghost_g);
    put_uniform(s, U_WEIGHT, stream, f.weight_a);
    put_uniform(s, U_WEIGHT_BOTH, stream, vf_add(f.weight_a, f.weight_b));
    put_uniform(s, U_WEIGHT_G, stream, f.weight_g);
    put_uniform(s, U_TILT, stream, vf_fma(half, f.weight_a, f.weight_g));
    put_uniform(s, U_JOINT_G, stream, joint_ghost_weight(w, g));
    put_uniform(s, U_HALF_ALPHA_X, stream, vf_mul(half, lane_constant(b, ROD_LANE_BEND_X, stream)));
    put_uniform(s, U_HALF_ALPHA_Y, stream, vf_mul(half, lane_constant(b, ROD_LANE_BEND_Y, stream)));
    put_uniform(s, U_HALF_ALPHA_Z, stream, vf_mul(half, lane_constant(b, ROD_LANE_TWIST, stream)));
}

/* tan(theta/2) n of what the block keeps as sin(theta/2) n */
ROD_INLINE void prepare_rest(const work *s, size_t joint, int stream) {
    const size_t at = REST_ROW * joint * s->lanes + (size_t)stream * VF_LANES;
    const vf3 sine = vf3_load(s->block->rest + at, s->lanes);
    const vf cosine = vf_sqrt(vf_sub(vf_set1(1.0f), vf3_dot(sine, sine)));
    vf3_store(s->rest + at, s->lanes, vf3_scale(vf_div(vf_set1(1.0f), cosine), sine));
}

/* ---------------------------------------------------------------- prediction */

/* USS14 section 6: what an element's ghost is not given of its weight, its ends carry. Returns half
 * of that as a share of gravity, for an end of inverse mass 1. */
ROD_INLINE vf spilled(const work *s, size_t e, int stream) {
    const size_t at = e * s->lanes + (size_t)stream * VF_LANES;
    const vf half = vf_set1(0.5f), kept = vf_fnma(half, vf_load(s->block->fall + at), half);
    return quotient(kept, vf_load(s->block->wq + at));
}

/* Given what the elements before and after it spill. */
ROD_INLINE void predict_end(const work *s, const rod_frame *f, size_t i, int stream, vf before,
                            vf after) {
    const vf w = vf_load(s->block->w + i * s->lanes + (size_t)stream * VF_LANES);
    const vf share = vf_fma(w, vf_add(before, after), vf_set1(1.0f));
    predict_particle(s, f, i, stream, share, uniform_at(s, U_SCALE, stream));
}

ROD_INLINE void predict_ghost(const work *s, const rod_frame *f, size_t e, int stream) {
    const rod_block *b = s->block;
    const size_t at = e * s->lanes + (size_t)stream * VF_LANES;
    const size_t at3 = 3 * e * s->lanes + (size_t)stream * VF_LANES;
    const vf dt = vf_set1(f->dt);
    const vf3 x = vf3_load(b->ghost + at3, s->lanes);
    const vf3 g = {vf_set1(f->gravity[0]), vf_set1(f->gravity[1]), vf_set1(f->gravity[2])};
    const vf3 a = vf3_scale(vf_load(b->fall + at), g);
    const vf3 v = vf3_fma(dt, a, vf3_load(b->ghost_v + at3, s->lanes));
    const vf3 p = vf3_select_positive(vf_load(b->wq + at), vf3_fma(dt, v, x), x);
    vf3_store(state_at(s, e, stream) + 3 * s->lanes, s->lanes,
              vf3_scale(uniform_at(s, U_SCALE, stream), p));
}

/* ---------------------------------------------------------------- update */

/* What the rows of a block have in common. */
typedef struct {
    vf rate;
    vf3 share; /* see gravity_share */
    bool falls;
} update_factors;

/* The velocity that a particle gained in this frame, before damping. */
ROD_INLINE vf3 gained(const work *s, const rod_frame *f, size_t i, int stream) {
    const size_t at3 = 3 * i * s->lanes + (size_t)stream * VF_LANES;
    const vf3 p =
        vf3_scale(uniform_at(s, U_UNSCALE, stream), vf3_load(state_at(s, i, stream), s->lanes));
    const vf3 moved = vf3_sub(p, vf3_load(s->block->x + at3, s->lanes));
    const vf3 v = vf3_load(s->block->v + at3, s->lanes);
    const vf w = vf_load(s->block->w + i * s->lanes + (size_t)stream * VF_LANES);
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    return vf3_select_positive(w, vf3_sub(vf3_scale(vf_set1(1.0f / f->dt), moved), v), zero);
}

/* What of it is gravity, for each of the element's two ends: g / 2 dt |g|^2. */
static inline vf3 gravity_share(const rod_frame *f) {
    const float *g = f->gravity;
    const float square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    const float scale = square > 0.0f ? 0.5f / (f->dt * square) : 0.0f;
    return (vf3){vf_set1(scale * g[0]), vf_set1(scale * g[1]), vf_set1(scale * g[2])};
}

/* USS14 section 6: r = a_m.g / |g|^2 of the element's midpoint. What it gained beyond 0 .. 1 came
 * from impulses, which are no gravity and would feed back. */
ROD_INLINE void update_fall(const work *s, size_t e, int stream, vf ratio) {
    const vf one = vf_set1(1.0f), above = vf_select_positive(ratio, ratio, vf_zero());
    vf_store(s->block->fall + e * s->lanes + (size_t)stream * VF_LANES,
             vf_select_positive(vf_sub(one, above), above, one));
}

ROD_INLINE void update_ghost(const work *s, vf rate, size_t e, int stream) {
    const rod_block *b = s->block;
    const size_t at3 = 3 * e * s->lanes + (size_t)stream * VF_LANES;
    const vf w = vf_load(b->wq + e * s->lanes + (size_t)stream * VF_LANES);
    const vf3 x = vf3_load(b->ghost + at3, s->lanes), zero = {vf_zero(), vf_zero(), vf_zero()};
    const vf3 p = vf3_scale(uniform_at(s, U_UNSCALE, stream),
                            vf3_load(state_at(s, e, stream) + 3 * s->lanes, s->lanes));
    const vf3 v = vf3_scale(rate, vf3_sub(p, x));
    vf3_store(b->ghost_v + at3, s->lanes, vf3_select_positive(w, v, zero));
    vf3_store(b->ghost + at3, s->lanes, vf3_select_positive(w, p, x));
}

ROD_INLINE update_factors update_factors_of(const rod_frame *f) {
    const float *g = f->gravity;
    return (update_factors){.rate = vf_set1((1.0f - f->damping) / f->dt),
                            .share = gravity_share(f),
                            .falls = g[0] != 0.0f || g[1] != 0.0f || g[2] != 0.0f};
}

/* By how much gravity moved a particle; to be asked for before it is updated. */
ROD_INLINE vf fallen(const work *s, const rod_frame *f, const update_factors *k, size_t i,
                     int stream) {
    return vf3_dot(gained(s, f, i, stream), k->share);
}

ROD_INLINE void update_end(const work *s, const update_factors *k, size_t i, int stream) {
    update_particle(s, k->rate, i, stream, uniform_at(s, U_UNSCALE, stream));
}

/* The element, given how its ends have fallen. */
ROD_INLINE void update_element(const work *s, const update_factors *k, size_t e, int stream,
                               vf before, vf after) {
    update_fall(s, e, stream, k->falls ? vf_add(before, after) : vf_set1(1.0f));
    update_ghost(s, k->rate, e, stream);
}

#endif
