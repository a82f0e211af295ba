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

#include "quaternion_motion.h"
#include "quaternion_sweep.h"

/* KS16 Algorithm 1, lines 14 and 15 */
ROD_INLINE void solve(const work *s, const rod_frame *f, instance i) {
    for (size_t iteration = 0; iteration < f->iterations; iteration++) {
        if (f->order == ROD_ORDER_SEQUENTIAL)
            sweep_sequential(s, i);
        else
            sweep_by_halves(s, f->order, i);
    }
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

ROD_INLINE void prepare_row(const work *s, size_t e, int stream) {
    const rod_block *b = s->block;
    const size_t at = e * s->lanes + (size_t)stream * VF_LANES;
    const vf l = length_of(s, e, stream), wq = vf_load(b->wq + at);
    const stretch_factors f = stretch_factors_of(vf_load(b->w + at), vf_load(b->w + at + s->lanes),
                                                 wq, l, stretch_scale(b, stream));
    const vf wu = e + 1 < s->elements ? vf_load(b->wq + at + s->lanes) : vf_zero();
    const vf square = uniform_at(s, U_SQUARE, stream), scale = uniform_at(s, U_SCALE, stream);
    const vf inverse = uniform_at(s, U_INVERSE_SQUARE, stream), move = vf_mul(scale, inverse);
    const vf3 k = vf3_scale(quotient(inverse, vf_add(wq, wu)), bend_stiffness(b, stream));
    float *row = coefficients_at(s, e, stream);
    vf_store(row + STRAIN * s->lanes,
             vf_div(vf_mul(vf_mul(vf_set1(0.5f), square), uniform_at(s, U_UNSCALE, stream)), l));
    vf_store(row + MOVE_1 * s->lanes, vf_mul(move, f.move_1));
    vf_store(row + MOVE_2 * s->lanes, vf_mul(move, f.move_2));
    vf_store(row + TURN * s->lanes, vf_mul(inverse, f.turn));
    vf3_store(row + BEND_1 * s->lanes, s->lanes, vf3_scale(wq, k));
    vf3_store(row + BEND_2 * s->lanes, s->lanes, vf3_scale(wu, k));
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

/* A uniform instance needs rows only where it takes the general way. */
static void prepare(const work *s, bool uniform) {
    for (int stream = 0; stream < s->unroll; stream++) {
        if (uniform && s->block->uniform_begin < s->block->uniform_end)
            prepare_uniform(s, stream);
        else
            prepare_scales(s, stream, vf_set1(1.0f), vf_set1(1.0f));
        for (size_t e = 0; e < s->elements; e++)
            if (!uniform || !is_fast(s, e) || !is_fast(s, e + 1))
                prepare_row(s, e, stream);
    }
    silence_padding(s, MOVE_1, BEND_1);
}

/* ---------------------------------------------------------------- the frame */

static void predict(const work *s, const rod_frame *f) {
    for (int stream = 0; stream < s->unroll; stream++) {
        predict_particles(s, f, stream);
        if (s->norm == NORM_exact)
            predict_orientations(s, f, stream, NORM_exact);
        else if (s->norm == NORM_newton)
            predict_orientations(s, f, stream, NORM_newton);
        else
            predict_orientations(s, f, stream, NORM_bare);
        align_orientations(s, stream);
    }
}

static void update(const work *s, const rod_frame *f) {
    for (int stream = 0; stream < s->unroll; stream++) {
        update_particles(s, f, stream);
        if (s->norm == NORM_exact)
            update_orientations(s, f, stream, NORM_exact);
        else
            update_orientations(s, f, stream, NORM_newton);
    }
}

#define ROD_METHOD quaternion
#include "frame.h"
