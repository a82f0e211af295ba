/* Quaternion rods (Kugelstadt & Schoemer 2016, "KS16"), the vector body.
 *
 * Compiled once per instruction set with ROD_ISA and ROD_VEC_HEADER given. A lane is a rod, so that
 * each rod keeps the Gauss-Seidel order of the paper. The working state of one block lives in
 * scratch memory: rows of [px py pz qw qx qy qz], one per element, the last with a particle only.
 *
 * What differs from the textbook (kernels/reference/quaternion.h), to rounding only:
 * - half the constraint, C/2, is carried, which saves the factors 2 of d3;
 * - d3's last component is 1 - 2(x^2 + y^2), true for unit quaternions;
 * - quaternions are flipped once a frame so that every joint's sign s of eq. 33 is +1.
 *
 * And by more than rounding where joints are bent violently: with equal weights and unit
 * quaternions both norms of a bend are equal, so one reciprocal root serves both, but what the two
 * differ by is then magnified (1e-3 within a frame was seen from random poses in sequential order).
 * The next stretch and the end of the frame make units again; `general` variants take both roots.
 */

#include "quaternion_project.h"
#include "sweep.h"

/* ---------------------------------------------------------------- sweeps */

/* Along the rod, the particle or quaternion between two constraints stays in registers. The streams
 * are written out: compilers keep an array of carried values in memory. */
ROD_INLINE void stretch_next(const work *s, size_t e, int stream, vf3 *p, instance i) {
    float *row = state_at(s, e, stream);
    vf3 p2 = vf3_load(state_at(s, e + 1, stream), s->lanes);
    vfq q = vfq_load(row + 3 * s->lanes, s->lanes);
    if (i.uniform)
        stretch_uniform(s, stream, p, &p2, &q, i.norm);
    else
        stretch_general(s, e, stream, p, &p2, &q, i.norm);
    vf3_store(row, s->lanes, *p);
    vfq_store(row + 3 * s->lanes, s->lanes, q);
    *p = p2;
}

ROD_INLINE void stretch_along(const work *s, instance i) {
    const bool two = i.unroll == 2;
    vf3 first = vf3_load(state_at(s, s->fast_from, 0), s->lanes), second = first;
    if (two)
        second = vf3_load(state_at(s, s->fast_from, 1), s->lanes);
    for (size_t e = s->fast_from; e < s->fast_to; e++) {
        stretch_next(s, e, 0, &first, i);
        if (two)
            stretch_next(s, e, 1, &second, i);
    }
    vf3_store(state_at(s, s->fast_to, 0), s->lanes, first);
    if (two)
        vf3_store(state_at(s, s->fast_to, 1), s->lanes, second);
}

ROD_INLINE void bend_next(const work *s, size_t joint, int stream, vfq *q, instance i) {
    vfq u = vfq_load(state_at(s, joint + 1, stream) + 3 * s->lanes, s->lanes);
    if (i.uniform)
        bend_uniform(s, joint, stream, q, &u, i.norm);
    else
        bend_general(s, joint, stream, q, &u, i.norm);
    vfq_store(state_at(s, joint, stream) + 3 * s->lanes, s->lanes, *q);
    *q = u;
}

ROD_INLINE void bend_along(const work *s, instance i) {
    const bool two = i.unroll == 2;
    vfq first = vfq_load(state_at(s, s->fast_from - 1, 0) + 3 * s->lanes, s->lanes), second = first;
    if (two)
        second = vfq_load(state_at(s, s->fast_from - 1, 1) + 3 * s->lanes, s->lanes);
    for (size_t joint = s->fast_from - 1; joint + 1 < s->fast_to; joint++) {
        bend_next(s, joint, 0, &first, i);
        if (two)
            bend_next(s, joint, 1, &second, i);
    }
    vfq_store(state_at(s, s->fast_to - 1, 0) + 3 * s->lanes, s->lanes, first);
    if (two)
        vfq_store(state_at(s, s->fast_to - 1, 1) + 3 * s->lanes, s->lanes, second);
}

ROD_INLINE void sweep_sequential(const work *s, instance i) {
    const work known = specialised(s, i);
    const bool some = s->fast_from < s->fast_to;
    for (size_t e = 0; e < s->fast_from; e++)
        element_one[i.norm](s, e);
    if (some)
        stretch_along(&known, i);
    for (size_t e = s->fast_to; e < s->elements; e++)
        element_one[i.norm](s, e);
    for (size_t joint = 0; joint + 1 < s->fast_from; joint++)
        joint_one[i.norm](s, joint);
    if (some)
        bend_along(&known, i);
    for (size_t joint = s->fast_to - 1; joint + 1 < s->elements; joint++)
        joint_one[i.norm](s, joint);
}

/* KS16 Algorithm 1, lines 14 and 15 */
ROD_INLINE void solve(const work *s, const rod_frame *f, instance i) {
    for (size_t iteration = 0; iteration < f->iterations; iteration++) {
        if (f->order == ROD_ORDER_SEQUENTIAL)
            sweep_sequential(s, i);
        else
            sweep_by_index(s, f->order, i);
    }
}

/* ---------------------------------------------------------------- coefficients */

/* KS16 eq. 37 for C/2: 2 w l / D and 4 wq l^2 / D with D = w1 + w2 + 4 wq l^2 */
ROD_INLINE stretch_factors stretch_factors_of(vf w1, vf w2, vf wq, vf l, vf stiffness) {
    const vf turn = vf_mul(vf_mul(vf_set1(4.0f), wq), vf_mul(l, l));
    const vf scale = quotient(stiffness, vf_add(vf_add(w1, w2), turn));
    const vf move = vf_mul(vf_mul(vf_set1(2.0f), l), scale);
    return (stretch_factors){vf_div(vf_set1(0.5f), l), vf_mul(move, w1), vf_mul(move, w2),
                             vf_mul(turn, scale)};
}

/* Anisotropic stretch stiffness is applied to C itself, see stiffened(). */
ROD_INLINE vf stretch_scale(const rod_block *b, int stream) {
    return b->isotropic_stretch ? lane_constant(b, ROD_LANE_STRETCH, stream) : vf_set1(1.0f);
}

ROD_INLINE void prepare_row(const work *s, size_t e, int stream) {
    const rod_block *b = s->block;
    const size_t at = e * s->lanes + (size_t)stream * VF_LANES;
    const vf l = length_of(s, e, stream);
    const vf wq = vf_load(b->wq + at);
    const stretch_factors f = stretch_factors_of(vf_load(b->w + at), vf_load(b->w + at + s->lanes),
                                                 wq, l, stretch_scale(b, stream));
    const vf wu = e + 1 < s->elements ? vf_load(b->wq + at + s->lanes) : vf_zero();
    const vf sum = vf_add(wq, wu);
    float *row = coefficients_at(s, e, stream);
    vf_store(row + HALF_INVERSE_LENGTH * s->lanes, f.half_inverse_length);
    vf_store(row + MOVE_1 * s->lanes, f.move_1);
    vf_store(row + MOVE_2 * s->lanes, f.move_2);
    vf_store(row + TURN * s->lanes, f.turn);
    vf_store(row + BEND_1 * s->lanes, quotient(wq, sum));
    vf_store(row + BEND_2 * s->lanes, quotient(wu, sum));
}

ROD_INLINE void prepare_uniform(const work *s, int stream) {
    const rod_block *b = s->block;
    const vf w = lane_constant(b, ROD_LANE_WEIGHT, stream), half = vf_set1(0.5f);
    const stretch_factors f = stretch_factors_of(w, w, lane_constant(b, ROD_LANE_WEIGHT_Q, stream),
                                                 lane_constant(b, ROD_LANE_LENGTH, stream),
                                                 lane_constant(b, ROD_LANE_STRETCH, stream));
    float *u = s->uniform + (size_t)stream * VF_LANES;
    vf_store(u + U_HALF_INVERSE_LENGTH * s->lanes, f.half_inverse_length);
    vf_store(u + U_MOVE * s->lanes, f.move_1);
    vf_store(u + U_TURN * s->lanes, f.turn);
    vf_store(u + U_BEND_X * s->lanes, vf_mul(half, lane_constant(b, ROD_LANE_BEND_X, stream)));
    vf_store(u + U_BEND_Y * s->lanes, vf_mul(half, lane_constant(b, ROD_LANE_BEND_Y, stream)));
    vf_store(u + U_BEND_Z * s->lanes, vf_mul(half, lane_constant(b, ROD_LANE_TWIST, stream)));
}

/* A uniform instance needs rows only where it takes the general way. */
static void prepare(const work *s, bool uniform) {
    for (int stream = 0; stream < s->unroll; stream++) {
        prepare_uniform(s, stream);
        for (size_t e = 0; e < s->elements; e++)
            if (!uniform || !is_fast(s, e) || !is_fast(s, e + 1))
                prepare_row(s, e, stream);
    }
    silence_padding(s, MOVE_1, BEND_1);
}

/* ---------------------------------------------------------------- prediction and update */

/* Algorithm 1, line 9 */
ROD_INLINE vf3 spun_up(const rod_block *b, const rod_frame *f, size_t at3, vf3 omega) {
    if (!b->torque && !b->inertia)
        return omega; /* an inertia of 1 has no gyroscopic term */
    const vf one = vf_set1(1.0f);
    const vf3 inertia = b->inertia ? vf3_load(b->inertia + at3, b->lanes) : (vf3){one, one, one};
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    const vf3 torque = b->torque ? vf3_load(b->torque + at3, b->lanes) : zero;
    const vf3 net = vf3_sub(torque, vf3_cross(omega, vf3_mul(inertia, omega)));
    const vf3 rate = {vf_div(net.x, inertia.x), vf_div(net.y, inertia.y), vf_div(net.z, inertia.z)};
    return vf3_fma(vf_set1(f->dt), rate, omega);
}

/* Algorithm 1, lines 9 to 12 */
ROD_INLINE vfq predicted_orientation(const work *s, const rod_frame *f, size_t e, int stream,
                                     rod_norm norm) {
    const rod_block *b = s->block;
    const size_t offset = (size_t)stream * VF_LANES;
    const vfq q = vfq_load(b->q + 4 * e * s->lanes + offset, s->lanes);
    const size_t at3 = 3 * e * s->lanes + offset;
    const vf3 omega = spun_up(b, f, at3, vf3_load(b->omega + at3, s->lanes));
    const vfq u = vfq_add_product(q, q, vf3_scale(vf_set1(0.5f * f->dt), omega));
    const vf wq = vf_load(b->wq + e * s->lanes + offset);
    return vfq_select_positive(wq, vfq_normalise(u, norm), q);
}

/* Negative where conj(q) u is nearer to -z0 than to z0, the rest pose with its real part; erratum 2
 * to KS16 eq. 33. */
ROD_INLINE vf nearness(vfq q, vfq u, vf3 rest) {
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    const vf3 minus_z = vfq_sub_relative(zero, q, u);
    const vf square = vf_sub(vf_set1(1.0f), vf3_dot(rest, rest));
    const vf rest_real = vf_sqrt(vf_select_positive(square, square, vf_zero()));
    return vf_sub(vf_mul(vfq_dot(q, u), rest_real), vf3_dot(minus_z, rest));
}

/* 1 where both orientations move and the joint wants a flip */
ROD_INLINE vf flip_count(const work *s, size_t joint, int stream, vf near) {
    const float *wq = s->block->wq + joint * s->lanes + (size_t)stream * VF_LANES;
    const vf flips = vf_select_positive(vf_xor(near, vf_set1(-0.0f)), vf_set1(1.0f), vf_zero());
    const vf moving = vf_mul(vf_load(wq), vf_load(wq + s->lanes));
    return vf_select_positive(moving, flips, vf_zero());
}

/* The flip of an orientation depends on that of the one before; only its sign bit is passed on, so
 * that the chain is short. */
ROD_INLINE void predict_orientations(const work *s, const rod_frame *f, int stream, rod_norm norm) {
    vf flip = vf_zero(), count = vf_zero();
    vfq before = predicted_orientation(s, f, 0, stream, norm);
    vfq_store(state_at(s, 0, stream) + 3 * s->lanes, s->lanes, before);
    for (size_t e = 1; e < s->elements; e++) {
        const vfq u = predicted_orientation(s, f, e, stream, norm);
        const vf near = nearness(before, u, rest_of(s, e - 1, stream));
        flip = vf_xor(flip, vf_sign(near));
        count = vf_add(count, flip_count(s, e - 1, stream, near));
        vfq_store(state_at(s, e, stream) + 3 * s->lanes, s->lanes, vfq_flip(u, flip));
        before = u;
    }
    vf_store(s->block->flips + (size_t)stream * VF_LANES, count);
}

/* Algorithm 1, lines 20 and 21, for the one of u and -u that is nearer to q. Bare roots, and roots
 * shared by both sides of a joint, leave lengths that are off by more than rounding: what is kept
 * is a unit. */
ROD_INLINE void update_orientation(const work *s, vf rate, size_t e, int stream) {
    const rod_block *b = s->block;
    const size_t offset = (size_t)stream * VF_LANES;
    const vf wq = vf_load(b->wq + e * s->lanes + offset);
    float *at_q = b->q + 4 * e * s->lanes + offset;
    const vfq q = vfq_load(at_q, s->lanes);
    const vfq solved = vfq_load(state_at(s, e, stream) + 3 * s->lanes, s->lanes);
    const vfq u = s->norm == NORM_exact ? vfq_normalise(solved, NORM_exact)
                                        : vfq_normalise(solved, NORM_newton);
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    const vf twice = vf_xor(vf_mul(vf_set1(-2.0f), rate), vf_sign(vfq_dot(q, u)));
    const vf3 omega = vf3_scale(twice, vfq_sub_relative(zero, q, u));
    vf3_store(b->omega + 3 * e * s->lanes + offset, s->lanes, vf3_select_positive(wq, omega, zero));
    vfq_store(at_q, s->lanes, vfq_select_positive(wq, u, q));
}

static void predict(const work *s, const rod_frame *f) {
    const vf one = vf_set1(1.0f);
    for (int stream = 0; stream < s->unroll; stream++) {
        for (size_t i = 0; i <= s->elements; i++)
            predict_particle(s, f, i, stream, one, one);
        if (s->norm == NORM_exact)
            predict_orientations(s, f, stream, NORM_exact);
        else if (s->norm == NORM_newton)
            predict_orientations(s, f, stream, NORM_newton);
        else
            predict_orientations(s, f, stream, NORM_bare);
    }
}

static void update(const work *s, const rod_frame *f) {
    const vf rate = vf_set1((1.0f - f->damping) / f->dt);
    for (int stream = 0; stream < s->unroll; stream++) {
        for (size_t i = 0; i <= s->elements; i++)
            update_particle(s, rate, i, stream, vf_set1(1.0f));
        for (size_t e = 0; e < s->elements; e++)
            update_orientation(s, rate, e, stream);
    }
}

#define ROD_METHOD quaternion
#include "frame.h"
