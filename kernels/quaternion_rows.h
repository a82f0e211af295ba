/* What a frame of quaternion rods does with one row of a block: its coefficients, and KS16
 * Algorithm 1 around the solver. `plain` rows are uniform in all lanes: nothing in them is pinned,
 * and no lane needs to be told from another. */
#ifndef ROD_QUATERNION_ROWS_H
#define ROD_QUATERNION_ROWS_H

#include "quaternion_project.h"

ROD_INLINE bool is_plain_element(const rod_block *b, size_t e) {
    return e >= b->uniform_begin && e < b->uniform_end;
}

ROD_INLINE bool is_plain_particle(const rod_block *b, size_t i) {
    return is_plain_element(b, i) || (i > 0 && is_plain_element(b, i - 1));
}

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

ROD_INLINE void prepare_stretch(const work *s, size_t e, int stream, row_weights w) {
    const rod_block *b = s->block;
    const stretch_factors f =
        stretch_factors_of(w.w1, w.w2, w.wq, length_of(s, e, stream), stretch_scale(b, stream));
    const vf inverse = uniform_at(s, U_INVERSE_SQUARE, stream);
    const vf move = vf_mul(uniform_at(s, U_SCALE, stream), inverse);
    float *row = coefficients_at(s, e, stream);
    vf_store(row + STRAIN * s->lanes,
             b->length ? vf_div(uniform_at(s, U_UNIT_STRAIN, stream), length_of(s, e, stream))
                       : uniform_at(s, U_STRAIN, stream));
    vf_store(row + MOVE_1 * s->lanes, vf_mul(move, f.move_1));
    vf_store(row + MOVE_2 * s->lanes, vf_mul(move, f.move_2));
    vf_store(row + TURN * s->lanes, vf_mul(inverse, f.turn));
}

ROD_INLINE void prepare_bend(const work *s, size_t joint, int stream, row_weights w) {
    const vf inverse = uniform_at(s, U_INVERSE_SQUARE, stream);
    const vf3 k =
        vf3_scale(quotient(inverse, vf_add(w.wq, w.wu)), bend_stiffness(s->block, stream));
    float *row = coefficients_at(s, joint, stream);
    vf3_store(row + BEND_1 * s->lanes, s->lanes, vf3_scale(w.wq, k));
    vf3_store(row + BEND_2 * s->lanes, s->lanes, vf3_scale(w.wu, k));
}

ROD_INLINE void put_uniform(const work *s, size_t which, int stream, vf value) {
    vf_store(s->uniform + which * s->lanes + (size_t)stream * VF_LANES, value);
}

/* What follows from s^2 and g. */
ROD_INLINE void prepare_scales(const work *s, int stream, vf square, vf scale) {
    const vf size = vf_sqrt(square), one = vf_set1(1.0f), half = vf_mul(vf_set1(0.5f), square);
    const vf unscale = vf_div(one, scale), unit = vf_mul(half, unscale);
    put_uniform(s, U_SIZE, stream, size);
    put_uniform(s, U_HALF_SIZE, stream, vf_mul(vf_set1(0.5f), size));
    put_uniform(s, U_THREE_HALVES_SIZE, stream, vf_mul(vf_set1(1.5f), size));
    put_uniform(s, U_SPECK, stream, vf_mul(vf_set1(1e-12f), size));
    put_uniform(s, U_SQUARE, stream, square);
    put_uniform(s, U_MINUS_HALF_SQUARE, stream, vf_sub(vf_zero(), half));
    put_uniform(s, U_INVERSE_SQUARE, stream, vf_div(one, square));
    put_uniform(s, U_SCALE, stream, scale);
    put_uniform(s, U_UNSCALE, stream, unscale);
    put_uniform(s, U_UNIT_STRAIN, stream, unit);
    put_uniform(s, U_STRAIN, stream,
                vf_div(unit, lane_constant(s->block, ROD_LANE_LENGTH, stream)));
}

ROD_INLINE void prepare_uniform(const work *s, int stream) {
    const rod_block *b = s->block;
    const vf w = lane_constant(b, ROD_LANE_WEIGHT, stream), half = vf_set1(0.5f);
    const vf wq = lane_constant(b, ROD_LANE_WEIGHT_Q, stream);
    const vf l = lane_constant(b, ROD_LANE_LENGTH, stream);
    const stretch_factors f =
        stretch_factors_of(w, w, wq, l, lane_constant(b, ROD_LANE_STRETCH, stream));
    const vf scale = vf_div(vf_mul(vf_set1(2.0f), vf_mul(wq, l)), w);
    /* lanes without a rod have no weight, and need a number */
    prepare_scales(s, stream, f.turn, vf_select_positive(w, scale, vf_set1(1.0f)));
    vf3_store(s->uniform + U_BEND * s->lanes + (size_t)stream * VF_LANES, s->lanes,
              vf3_scale(vf_mul(half, uniform_at(s, U_INVERSE_SQUARE, stream)),
                        bend_stiffness(b, stream)));
}

/* ---------------------------------------------------------------- particles
 *
 * The solver's positions are relative to where the rod's first particle was, so that what they
 * round off is a share of the rod, not of how far from the origin it is. */

typedef struct {
    vf3 origin;
    vf scale, unscale, inverse_size;
    vf scaled_dt; /* the solver's units that a velocity goes in a frame */
    vf keep;      /* of a velocity, after damping */
    vf per_unit;  /* of velocity kept, for what the solver moved a particle in its own units */
    vf per_angle; /* of angular velocity kept, for minus the half angle that it turned */
    vf dt, half_dt;
    vf3 fall; /* velocity that gravity gives; none in lanes without a rod */
} frame_factors;

/* In chunked blocks all lanes are of one rod. */
ROD_INLINE vf3 origin_of(const rod_block *b, int stream) {
    if (b->rows > 0)
        return (vf3){vf_set1(b->x[0]), vf_set1(b->x[b->lanes]), vf_set1(b->x[2 * b->lanes])};
    return vf3_load(b->x + (size_t)stream * VF_LANES, b->lanes);
}

ROD_INLINE frame_factors frame_factors_of(const work *s, const rod_frame *f, int stream) {
    const vf weight = lane_constant(s->block, ROD_LANE_WEIGHT, stream), dt = vf_set1(f->dt);
    const vf scale = uniform_at(s, U_SCALE, stream), unscale = uniform_at(s, U_UNSCALE, stream);
    const float *g = f->gravity;
    const float keep = 1.0f - f->damping, rate = keep / f->dt;
    const vf3 fall = {vf_set1(f->dt * g[0]), vf_set1(f->dt * g[1]), vf_set1(f->dt * g[2])};
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    return (frame_factors){
        .origin = origin_of(s->block, stream),
        .scale = scale,
        .unscale = unscale,
        .inverse_size =
            vf_mul(uniform_at(s, U_SIZE, stream), uniform_at(s, U_INVERSE_SQUARE, stream)),
        .scaled_dt = vf_mul(scale, dt),
        .keep = vf_set1(keep),
        .per_unit = vf_mul(vf_set1(rate), unscale),
        .per_angle = vf_set1(-2.0f * rate),
        .dt = dt,
        .half_dt = vf_set1(0.5f * f->dt),
        .fall = vf3_select_positive(weight, fall, zero),
    };
}

ROD_INLINE size_t at_row(const work *s, size_t row, int stream) {
    return row * s->lanes + (size_t)stream * VF_LANES;
}

/* Line 6 */
ROD_INLINE vf3 fallen(const work *s, const rod_frame *f, const frame_factors *k, size_t i,
                      int stream, bool plain) {
    const rod_block *b = s->block;
    const size_t at = at_row(s, 3 * i, stream);
    const vf3 v = vf3_load(b->v + at, s->lanes);
    if (plain && !b->force)
        return vf3_add(v, k->fall);
    const float *g = f->gravity;
    vf3 a = {vf_set1(g[0]), vf_set1(g[1]), vf_set1(g[2])};
    if (b->force)
        a = vf3_fma(vf_load(b->w + at_row(s, i, stream)), vf3_load(b->force + at, s->lanes), a);
    return vf3_fma(k->dt, a, v);
}

typedef struct {
    vf3 P, v;
} scaled_motion;

/* Line 7, in the solver's units */
ROD_INLINE scaled_motion scaled_prediction(const work *s, const rod_frame *f,
                                           const frame_factors *k, size_t i, int stream,
                                           bool plain) {
    const vf3 x = vf3_load(s->block->x + at_row(s, 3 * i, stream), s->lanes);
    const vf3 old = vf3_scale(k->scale, vf3_sub(x, k->origin));
    const vf3 v = fallen(s, f, k, i, stream, plain);
    const vf3 P = vf3_fma(k->scaled_dt, v, old);
    if (plain)
        return (scaled_motion){P, v};
    const vf w = vf_load(s->block->w + at_row(s, i, stream));
    return (scaled_motion){vf3_select_positive(w, P, old), v};
}

ROD_INLINE void lay_particle(const work *s, const rod_frame *f, const frame_factors *k, size_t i,
                             int stream, bool plain) {
    const scaled_motion m = scaled_prediction(s, f, k, i, stream, plain);
    vf3_store(state_at(s, i, stream), s->lanes, m.P);
}

/* Lines 17 and 18: what the solver moved is added to what was predicted, so that the rounding of
 * positions does not come back as velocity. To predict again is cheaper than to remember. */
ROD_INLINE void update_scaled_particle(const work *s, const rod_frame *f, const frame_factors *k,
                                       size_t i, int stream, bool plain) {
    const rod_block *b = s->block;
    float *at_x = b->x + at_row(s, 3 * i, stream);
    const scaled_motion m = scaled_prediction(s, f, k, i, stream, plain);
    const vf3 P = vf3_load(state_at(s, i, stream), s->lanes);
    vf3 v = vf3_fma(k->per_unit, vf3_sub(P, m.P), vf3_scale(k->keep, m.v));
    vf3 x = vf3_fma(k->unscale, P, k->origin);
    if (!plain) {
        const vf w = vf_load(b->w + at_row(s, i, stream));
        const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
        v = vf3_select_positive(w, v, zero);
        x = vf3_select_positive(w, x, vf3_load(at_x, s->lanes));
    }
    vf3_store(b->v + at_row(s, 3 * i, stream), s->lanes, v);
    vf3_store(at_x, s->lanes, x);
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
ROD_INLINE vfq lay_orientation(const work *s, const frame_factors *k, size_t e, int stream,
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
    return u;
}

/* Whether two orientations are so near to each other that, whatever the joint's rest vector, their
 * sign s of eq. 33 is +1: if not, bits are set. Half the angle between them and that of the rest
 * pose are together less than a right angle where the cosine of the first, Re(conj(q) u), is above
 * the sine of the second, the rest vector's length. */
ROD_INLINE uint32_t loose_bits(vf limit, vfq q, vfq u) {
    return vf_sign_bits(vf_sub(vfq_dot(q, u), limit));
}

ROD_INLINE vf loose_limit(const work *s, int stream) {
    return vf_mul(uniform_at(s, U_SQUARE, stream), lane_constant(s->block, ROD_LANE_CURVE, stream));
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

ROD_INLINE vf3 rest_vector(const work *s, size_t joint, int stream) {
    return vf3_load(s->block->rest + at_row(s, 3 * joint, stream), s->lanes);
}

ROD_INLINE void lay_rest(const work *s, size_t joint, int stream) {
    vf3_store(state_at(s, joint, stream) + STATE_REST * s->lanes, s->lanes,
              vf3_scale(uniform_at(s, U_SQUARE, stream), rest_vector(s, joint, stream)));
}

ROD_INLINE vfq unit_of(vfq u, rod_norm norm) {
    return vfq_scale(vf_rsqrt(square_of(u), norm == NORM_exact ? NORM_exact : NORM_newton), u);
}

/* Whether some lane turned far in this frame; or it has no length, as what cancelled in the solver.
 */
ROD_INLINE bool is_far(vf dot) {
    return vf_sign_bits(vf_sub(vf_xor(dot, vf_sign(dot)), vf_set1(0.5f))) != 0;
}

/* What became of q, a unit, and the cosine of half the angle between them. */
typedef struct {
    vfq u;
    vf dot;
} turned;

/* Where lengths may be off by more than rounding, bare roots and roots that two orientations share,
 * they are taken anew. */
ROD_INLINE turned turned_unit(const frame_factors *k, vfq q, vfq U, bool has_length,
                              rod_norm norm) {
    if (has_length && norm != NORM_bare) {
        const vfq u = vfq_scale(k->inverse_size, U);
        const vf dot = vfq_dot(q, u);
        if (!is_far(dot))
            return (turned){u, dot};
    }
    const vfq u = unit_of(U, norm);
    return (turned){u, vfq_dot(q, u)};
}

/* Lines 20 and 21, for the one of u and -u that is nearer to q. `has_length`: the solver left u as
 * long as its quaternions are. */
ROD_INLINE void update_orientation(const work *s, const frame_factors *k, size_t e, int stream,
                                   bool plain, bool has_length, rod_norm norm) {
    const rod_block *b = s->block;
    float *at_q = b->q + at_row(s, 4 * e, stream);
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    const vfq q = vfq_load(at_q, s->lanes);
    const vfq U = vfq_load(state_at(s, e, stream) + STATE_Q * s->lanes, s->lanes);
    const turned t = turned_unit(k, q, U, has_length, norm);
    const vf rate = vf_xor(k->per_angle, vf_sign(t.dot));
    vfq u = t.u;
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
