/* The frame around the solver of a quaternion rod: KS16 Algorithm 1 without lines 14 and 15.
 *
 * Each pass over the rod does little, so that a CPU's scheduler holds several elements at a time.
 * Where weights are uniform nothing is pinned, and no lane needs to be told from another. */
#ifndef ROD_QUATERNION_MOTION_H
#define ROD_QUATERNION_MOTION_H

#include "quaternion_project.h"

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

/* Also of its particles. */
ROD_INLINE bool is_uniform_element(const rod_block *b, size_t e) {
    return e >= b->uniform_begin && e < b->uniform_end;
}

ROD_INLINE bool is_uniform_particle(const rod_block *b, size_t i) {
    return is_uniform_element(b, i) || (i > 0 && is_uniform_element(b, i - 1));
}

ROD_INLINE size_t at_row(const work *s, size_t row, int stream) {
    return row * s->lanes + (size_t)stream * VF_LANES;
}

/* ---------------------------------------------------------------- particles */

/* Lines 6 and 7 */
ROD_INLINE motion predicted_particle(const work *s, const rod_frame *f, const frame_factors *k,
                                     size_t i, int stream) {
    const rod_block *b = s->block;
    if (!is_uniform_particle(b, i) || b->force)
        return predicted_motion(s, f, i, stream, vf_set1(1.0f));
    const size_t at = at_row(s, 3 * i, stream);
    const vf3 v = vf3_add(vf3_load(b->v + at, s->lanes), k->fall);
    return (motion){vf3_fma(k->dt, v, vf3_load(b->x + at, s->lanes)), v};
}

ROD_INLINE void predict_particles(const work *s, const rod_frame *f, int stream) {
    const frame_factors k = frame_factors_of(s, f, stream);
    const vf scale = uniform_at(s, U_SCALE, stream);
    for (size_t i = 0; i <= s->elements; i++) {
        const vf3 p = predicted_particle(s, f, &k, i, stream).p;
        vf3_store(state_at(s, i, stream), s->lanes, vf3_scale(scale, p));
    }
}

/* Lines 17 and 18: what the solver moved is added to what was predicted, so that the rounding of
 * scaled positions does not come back as velocity. To predict again is cheaper than to remember. */
ROD_INLINE void update_particles(const work *s, const rod_frame *f, int stream) {
    const rod_block *b = s->block;
    const frame_factors k = frame_factors_of(s, f, stream);
    const vf scale = uniform_at(s, U_SCALE, stream), unscale = uniform_at(s, U_UNSCALE, stream);
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    for (size_t i = 0; i <= s->elements; i++) {
        const motion m = predicted_particle(s, f, &k, i, stream);
        const vf3 P = vf3_load(state_at(s, i, stream), s->lanes);
        const vf3 moved = vf3_sub(P, vf3_scale(scale, m.p));
        vf3 v = vf3_fma(k.per_unit, moved, vf3_scale(k.keep, m.v));
        vf3 x = vf3_fma(unscale, moved, m.p);
        if (!is_uniform_particle(b, i)) {
            const vf w = vf_load(b->w + at_row(s, i, stream));
            v = vf3_select_positive(w, v, zero);
            x = vf3_select_positive(w, x, m.p);
        }
        vf3_store(b->v + at_row(s, 3 * i, stream), s->lanes, v);
        vf3_store(b->x + at_row(s, 3 * i, stream), s->lanes, x);
    }
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
ROD_INLINE void predict_orientations(const work *s, const rod_frame *f, int stream, rod_norm norm) {
    const rod_block *b = s->block;
    const frame_factors k = frame_factors_of(s, f, stream);
    for (size_t e = 0; e < s->elements; e++) {
        const size_t at3 = at_row(s, 3 * e, stream);
        const vfq q = vfq_load(b->q + at_row(s, 4 * e, stream), s->lanes);
        const vf3 omega = spun_up(b, k.dt, at3, vf3_load(b->omega + at3, s->lanes));
        const vf3 h = vf3_scale(k.half_dt, omega);
        const vf inverse = inverse_of(s, stream, vf3_square(h, vf_set1(1.0f)), norm);
        vfq u = vfq_scale(inverse, vfq_add_product(q, q, h));
        if (!is_uniform_element(b, e))
            u = vfq_select_positive(vf_load(b->wq + at_row(s, e, stream)), u,
                                    vfq_scale(uniform_at(s, U_SIZE, stream), q));
        vfq_store(state_at(s, e, stream) + STATE_Q * s->lanes, s->lanes, u);
    }
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

/* 1 where both orientations move and the joint wants a flip */
ROD_INLINE vf flip_count(const work *s, size_t joint, int stream, vf near) {
    const vf flips = vf_select_positive(vf_xor(near, vf_set1(-0.0f)), vf_set1(1.0f), vf_zero());
    if (is_uniform_element(s->block, joint) && is_uniform_element(s->block, joint + 1))
        return flips;
    const float *wq = s->block->wq + at_row(s, joint, stream);
    const vf moving = vf_mul(vf_load(wq), vf_load(wq + s->lanes));
    return vf_select_positive(moving, flips, vf_zero());
}

/* Flips orientations so that every joint's sign s of eq. 33 is +1, and lays the rest vectors. The
 * flip of an orientation depends on that of the one before; only its sign bit is passed on, so that
 * the chain is short. */
ROD_INLINE void align_orientations(const work *s, int stream) {
    vf flip = vf_zero(), count = vf_zero();
    vfq before = vfq_load(state_at(s, 0, stream) + STATE_Q * s->lanes, s->lanes);
    for (size_t joint = 0; joint + 1 < s->elements; joint++) {
        float *here = state_at(s, joint, stream), *next = state_at(s, joint + 1, stream);
        const vfq u = vfq_load(next + STATE_Q * s->lanes, s->lanes);
        const vf3 rest = vf3_load(s->block->rest + at_row(s, 3 * joint, stream), s->lanes);
        const vf near = nearness(before, u, rest);
        flip = vf_xor(flip, vf_sign(near));
        count = vf_add(count, flip_count(s, joint, stream, near));
        vfq_store(next + STATE_Q * s->lanes, s->lanes, vfq_flip(u, flip));
        vf3_store(here + STATE_REST * s->lanes, s->lanes,
                  vf3_scale(uniform_at(s, U_SQUARE, stream), rest));
        before = u;
    }
    vf_store(s->block->flips + (size_t)stream * VF_LANES, count);
}

/* Lines 20 and 21, for the one of u and -u that is nearer to q. Bare roots, and roots shared by
 * both sides of a joint, leave lengths that are off by more than rounding: what is kept is a unit.
 */
ROD_INLINE void update_orientations(const work *s, const rod_frame *f, int stream, rod_norm norm) {
    const rod_block *b = s->block;
    const frame_factors k = frame_factors_of(s, f, stream);
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    for (size_t e = 0; e < s->elements; e++) {
        float *at_q = b->q + at_row(s, 4 * e, stream), *at_w = b->omega + at_row(s, 3 * e, stream);
        const vfq q = vfq_load(at_q, s->lanes);
        vfq u = vfq_load(state_at(s, e, stream) + STATE_Q * s->lanes, s->lanes);
        u = vfq_scale(vf_rsqrt(square_of(u), norm), u);
        const vf rate = vf_xor(k.per_angle, vf_sign(vfq_dot(q, u)));
        vf3 omega = vf3_scale(rate, vfq_sub_relative(zero, q, u));
        if (!is_uniform_element(b, e)) {
            const vf w = vf_load(b->wq + at_row(s, e, stream));
            omega = vf3_select_positive(w, omega, zero);
            u = vfq_select_positive(w, u, q);
        }
        vf3_store(at_w, s->lanes, omega);
        vfq_store(at_q, s->lanes, u);
    }
}

#endif
