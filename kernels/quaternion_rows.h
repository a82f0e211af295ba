/* What a frame of quaternion rods does with one row of a block: its coefficients, and KS16
 * Algorithm 1 around the solver. `plain` rows are uniform in all lanes: nothing in them is pinned,
 * and no lane needs to be told from another. */
#ifndef ROD_QUATERNION_ROWS_H
#define ROD_QUATERNION_ROWS_H

#include "quaternion_project.h"

/* ---------------------------------------------------------------- coefficients */

typedef struct {
    vf move_1, move_2, turn;
} stretch_factors;

/* KS16 eq. 37 for C/2: 2 w l / D and 4 wq l^2 / D with D = w1 + w2 + 4 wq l^2 */
ROD_INLINE stretch_factors stretch_factors_of(vf w1, vf w2, vf wq, vf l, vf stiffness) {
    const vf turn = vf_mul(vf_mul(vf_set1(4.0f), wq), vf_mul(l, l));
    const vf scale = quotient(stiffness, vf_add(vf_add(w1, w2), turn));
    const vf move = vf_mul(vf_mul(vf_set1(2.0f), l), scale);
    return (stretch_factors){vf_mul(move, w1), vf_mul(move, w2), vf_mul(turn, scale)};
}

/* Anisotropic stretch stiffness is applied to C itself, see stiffened(). */
ROD_INLINE vf stretch_scale(const rod_block *b, int stream) {
    return b->isotropic_stretch ? lane_constant(b, ROD_LANE_STRETCH, stream) : vf_set1(1.0f);
}

ROD_INLINE vf3 bend_stiffness(const rod_block *b, int stream) {
    return (vf3){lane_constant(b, ROD_LANE_BEND_X, stream),
                 lane_constant(b, ROD_LANE_BEND_Y, stream),
                 lane_constant(b, ROD_LANE_TWIST, stream)};
}

/* The weights of an element's particles, of its orientation and of the next one's. */
typedef struct {
    vf w1, w2, wq, wu;
} row_weights;

ROD_INLINE void prepare_row(const work *s, size_t e, int stream, row_weights w) {
    const rod_block *b = s->block;
    const vf l = length_of(s, e, stream);
    const stretch_factors f = stretch_factors_of(w.w1, w.w2, w.wq, l, stretch_scale(b, stream));
    const vf square = uniform_at(s, U_SQUARE, stream), scale = uniform_at(s, U_SCALE, stream);
    const vf inverse = uniform_at(s, U_INVERSE_SQUARE, stream), move = vf_mul(scale, inverse);
    const vf3 k = vf3_scale(quotient(inverse, vf_add(w.wq, w.wu)), bend_stiffness(b, stream));
    float *row = coefficients_at(s, e, stream);
    vf_store(row + STRAIN * s->lanes,
             vf_div(vf_mul(vf_mul(vf_set1(0.5f), square), uniform_at(s, U_UNSCALE, stream)), l));
    vf_store(row + MOVE_1 * s->lanes, vf_mul(move, f.move_1));
    vf_store(row + MOVE_2 * s->lanes, vf_mul(move, f.move_2));
    vf_store(row + TURN * s->lanes, vf_mul(inverse, f.turn));
    vf3_store(row + BEND_1 * s->lanes, s->lanes, vf3_scale(w.wq, k));
    vf3_store(row + BEND_2 * s->lanes, s->lanes, vf3_scale(w.wu, k));
}

ROD_INLINE void put_uniform(const work *s, size_t which, int stream, vf value) {
    vf_store(s->uniform + which * s->lanes + (size_t)stream * VF_LANES, value);
}

/* What follows from s^2 and g. */
ROD_INLINE void prepare_scales(const work *s, int stream, vf square, vf scale) {
    const vf size = vf_sqrt(square), one = vf_set1(1.0f);
    put_uniform(s, U_SIZE, stream, size);
    put_uniform(s, U_HALF_SIZE, stream, vf_mul(vf_set1(0.5f), size));
    put_uniform(s, U_THREE_HALVES_SIZE, stream, vf_mul(vf_set1(1.5f), size));
    put_uniform(s, U_SPECK, stream, vf_mul(vf_set1(1e-12f), size));
    put_uniform(s, U_SQUARE, stream, square);
    put_uniform(s, U_MINUS_HALF_SQUARE, stream, vf_mul(vf_set1(-0.5f), square));
    put_uniform(s, U_INVERSE_SQUARE, stream, vf_div(one, square));
    put_uniform(s, U_SCALE, stream, scale);
    put_uniform(s, U_UNSCALE, stream, vf_div(one, scale));
}

ROD_INLINE void prepare_uniform(const work *s, int stream) {
    const rod_block *b = s->block;
    const vf w = lane_constant(b, ROD_LANE_WEIGHT, stream);
    const vf l = lane_constant(b, ROD_LANE_LENGTH, stream), half = vf_set1(0.5f);
    const stretch_factors f = stretch_factors_of(w, w, lane_constant(b, ROD_LANE_WEIGHT_Q, stream),
                                                 l, lane_constant(b, ROD_LANE_STRETCH, stream));
    const vf inverse_length = vf_div(half, l);
    prepare_scales(s, stream, f.turn, vf_mul(inverse_length, f.turn));
    put_uniform(s, U_MOVE, stream, vf_mul(inverse_length, f.move_1));
    vf3_store(s->uniform + U_BEND * s->lanes + (size_t)stream * VF_LANES, s->lanes,
              vf3_scale(vf_mul(half, uniform_at(s, U_INVERSE_SQUARE, stream)),
                        bend_stiffness(b, stream)));
}

/* ---------------------------------------------------------------- particles */

typedef struct {
    vf keep;      /* of a velocity, after damping */
    vf per_unit;  /* of velocity kept, for what the solver moved a particle in its own units */
    vf per_angle; /* of angular velocity kept, for minus the half angle that it turned */
    vf dt, half_dt;
    vf3 fall; /* velocity that gravity gives; none in lanes without a rod */
} frame_factors;

ROD_INLINE frame_factors frame_factors_of(const work *s, const rod_frame *f, int stream) {
    const vf weight = lane_constant(s->block, ROD_LANE_WEIGHT, stream);
    const float *g = f->gravity;
    const float keep = 1.0f - f->damping, rate = keep / f->dt;
    const vf3 fall = {vf_set1(f->dt * g[0]), vf_set1(f->dt * g[1]), vf_set1(f->dt * g[2])};
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    return (frame_factors){
        .keep = vf_set1(keep),
        .per_unit = vf_mul(vf_set1(rate), uniform_at(s, U_UNSCALE, stream)),
        .per_angle = vf_set1(-2.0f * rate),
        .dt = vf_set1(f->dt),
        .half_dt = vf_set1(0.5f * f->dt),
        .fall = vf3_select_positive(weight, fall, zero),
    };
}

ROD_INLINE size_t at_row(const work *s, size_t row, int stream) {
    return row * s->lanes + (size_t)stream * VF_LANES;
}

/* Lines 6 and 7 */
ROD_INLINE motion predicted_particle(const work *s, const rod_frame *f, const frame_factors *k,
                                     size_t i, int stream, bool plain) {
    const rod_block *b = s->block;
    if (!plain || b->force)
        return predicted_motion(s, f, i, stream, vf_set1(1.0f));
    const size_t at = at_row(s, 3 * i, stream);
    const vf3 v = vf3_add(vf3_load(b->v + at, s->lanes), k->fall);
    return (motion){vf3_fma(k->dt, v, vf3_load(b->x + at, s->lanes)), v};
}

ROD_INLINE void lay_particle(const work *s, const rod_frame *f, const frame_factors *k, size_t i,
                             int stream, bool plain) {
    const vf3 p = predicted_particle(s, f, k, i, stream, plain).p;
    vf3_store(state_at(s, i, stream), s->lanes, vf3_scale(uniform_at(s, U_SCALE, stream), p));
}

/* Lines 17 and 18: what the solver moved is added to what was predicted, so that the rounding of
 * scaled positions does not come back as velocity. To predict again is cheaper than to remember. */
ROD_INLINE void update_scaled_particle(const work *s, const rod_frame *f, const frame_factors *k,
                                       size_t i, int stream, bool plain) {
    const rod_block *b = s->block;
    const motion m = predicted_particle(s, f, k, i, stream, plain);
    const vf3 P = vf3_load(state_at(s, i, stream), s->lanes);
    const vf3 moved = vf3_sub(P, vf3_scale(uniform_at(s, U_SCALE, stream), m.p));
    vf3 v = vf3_fma(k->per_unit, moved, vf3_scale(k->keep, m.v));
    vf3 x = vf3_fma(uniform_at(s, U_UNSCALE, stream), moved, m.p);
    if (!plain) {
        const vf w = vf_load(b->w + at_row(s, i, stream));
        const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
        v = vf3_select_positive(w, v, zero);
        x = vf3_select_positive(w, x, m.p);
    }
    vf3_store(b->v + at_row(s, 3 * i, stream), s->lanes, v);
    vf3_store(b->x + at_row(s, 3 * i, stream), s->lanes, x);
}

/* ---------------------------------------------------------------- orientations */

/* Line 9 */
ROD_INLINE vf3 spun_up(const rod_block *b, vf dt, size_t at3, vf3 omega) {
    if (!b->torque && !b->inertia)
        return omega; /* an inertia of 1 has no gyroscopic term */
    const vf one = vf_set1(1.0f);
    const vf3 inertia = b->inertia ? vf3_load(b->inertia + at3, b->lanes) : (vf3){one, one, one};
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    const vf3 torque = b->torque ? vf3_load(b->torque + at3, b->lanes) : zero;
    const vf3 net = vf3_sub(torque, vf3_cross(omega, vf3_mul(inertia, omega)));
    const vf3 rate = {vf_div(net.x, inertia.x), vf_div(net.y, inertia.y), vf_div(net.z, inertia.z)};
    return vf3_fma(dt, rate, omega);
}

/* Lines 9 to 12: s (q + q h) / |q + q h| with h = dt omega / 2, whose length is that of 1 + h. */
ROD_INLINE void lay_orientation(const work *s, const frame_factors *k, size_t e, int stream,
                                bool plain, rod_norm norm) {
    const rod_block *b = s->block;
    const size_t at3 = at_row(s, 3 * e, stream);
    const vfq q = vfq_load(b->q + at_row(s, 4 * e, stream), s->lanes);
    const vf3 omega = spun_up(b, k->dt, at3, vf3_load(b->omega + at3, s->lanes));
    const vf3 h = vf3_scale(k->half_dt, omega);
    const vf inverse = inverse_of(s, stream, vf3_square(h, vf_set1(1.0f)), norm);
    vfq u = vfq_scale(inverse, vfq_add_product(q, q, h));
    if (!plain)
        u = vfq_select_positive(vf_load(b->wq + at_row(s, e, stream)), u,
                                vfq_scale(uniform_at(s, U_SIZE, stream), q));
    vfq_store(state_at(s, e, stream) + STATE_Q * s->lanes, s->lanes, u);
}

/* a |a| */
ROD_INLINE vf signed_square(vf a) {
    return vf_mul(a, vf_xor(a, vf_sign(a)));
}

/* Negative where conj(q) u is nearer to -z0 than to z0, the rest pose with its real part; erratum 2
 * to KS16 eq. 33. The sum of a c and b, c = sqrt(1 - |rest|^2), has the sign of a |a| c^2 + b |b|,
 * which takes no root. */
ROD_INLINE vf nearness(vfq q, vfq u, vf3 rest) {
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    const vf minus_b = vf3_dot(vfq_sub_relative(zero, q, u), rest);
    const vf square = vf_sub(vf_set1(1.0f), vf3_dot(rest, rest));
    const vf real = vf_select_positive(square, square, vf_zero());
    return vf_sub(vf_mul(signed_square(vfq_dot(q, u)), real), signed_square(minus_b));
}

/* The joint's rest vector, which goes to the solver's memory on its way. */
ROD_INLINE vf3 laid_rest(const work *s, size_t joint, int stream) {
    const vf3 rest = vf3_load(s->block->rest + at_row(s, 3 * joint, stream), s->lanes);
    vf3_store(state_at(s, joint, stream) + STATE_REST * s->lanes, s->lanes,
              vf3_scale(uniform_at(s, U_SQUARE, stream), rest));
    return rest;
}

/* Lines 20 and 21, for the one of u and -u that is nearer to q. Bare roots, and roots shared by
 * both sides of a joint, leave lengths that are off by more than rounding: what is kept is a unit.
 */
ROD_INLINE void update_orientation(const work *s, const frame_factors *k, size_t e, int stream,
                                   bool plain, rod_norm norm) {
    const rod_block *b = s->block;
    float *at_q = b->q + at_row(s, 4 * e, stream);
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    const vfq q = vfq_load(at_q, s->lanes);
    vfq u = vfq_load(state_at(s, e, stream) + STATE_Q * s->lanes, s->lanes);
    u = vfq_scale(vf_rsqrt(square_of(u), norm == NORM_exact ? NORM_exact : NORM_newton), u);
    const vf rate = vf_xor(k->per_angle, vf_sign(vfq_dot(q, u)));
    vf3 omega = vf3_scale(rate, vfq_sub_relative(zero, q, u));
    if (!plain) {
        const vf w = vf_load(b->wq + at_row(s, e, stream));
        omega = vf3_select_positive(w, omega, zero);
        u = vfq_select_positive(w, u, q);
    }
    vf3_store(b->omega + at_row(s, 3 * e, stream), s->lanes, omega);
    vfq_store(at_q, s->lanes, u);
}

#endif
