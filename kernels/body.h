/* What the vector bodies share: where a frame of one block is worked on.
 *
 * A body is compiled once per instruction set with ROD_ISA and ROD_VEC_HEADER given. A lane is a
 * rod, so that each rod keeps the Gauss-Seidel order of its paper. Before it includes this, a body
 * says in an enum how long its rows are: STATE_ROW, COEFFICIENT_ROW, REST_ROW and UNIFORM_ROW. */
#ifndef ROD_BODY_H
#define ROD_BODY_H

#include "kernel.h"
#include "vec/algebra.h"

/* Memory of the block that comes next, which the solver asks for while it computes: without, a
 * batch larger than the caches waits for each block twice a frame. */
typedef struct {
    const char *next, *end;
    size_t lines; /* of 64 bytes, for one call of fetch_ahead */
} prefetcher;

typedef struct {
    const rod_block *block;
    prefetcher *ahead;
    size_t lanes;
    int unroll;
    rod_norm norm;
    bool uniform_apart;        /* the instance has a way of its own for uniform elements */
    size_t elements;           /* that the sweeps cover */
    size_t still;              /* elements at the start of which nothing moves, if they are known */
    size_t fast_from, fast_to; /* elements that, with the joint before, the instance inlines */
    float *state;              /* [elements + 1][STATE_ROW][lanes]: what the solver moves */
    float *coefficient;        /* [elements][COEFFICIENT_ROW][lanes]: of an element and the joint
                                * that follows it */
    float *rest;               /* [elements][REST_ROW][lanes]: of joints, if not the block's own */
    float *uniform;            /* [UNIFORM_ROW][lanes]: the same for all in the uniform range */
} work;

/* Constant arguments of an instance. */
typedef struct {
    int unroll;
    rod_norm norm;
    bool uniform;
} instance;

ROD_INLINE float *state_at(const work *s, size_t element, int stream) {
    return s->state + element * STATE_ROW * s->lanes + (size_t)stream * VF_LANES;
}

ROD_INLINE float *coefficients_at(const work *s, size_t element, int stream) {
    return s->coefficient + element * COEFFICIENT_ROW * s->lanes + (size_t)stream * VF_LANES;
}

/* Called once for each element or joint that a sweep visits. */
ROD_INLINE void fetch_ahead(const work *s) {
    prefetcher *a = s->ahead;
    for (size_t i = 0; i < a->lines && a->next < a->end; i++, a->next += 64)
        __builtin_prefetch(a->next, 0, 2);
}

/* Also of joint e - 1. */
ROD_INLINE bool is_fast(const work *s, size_t e) {
    return e >= s->fast_from && e < s->fast_to;
}

ROD_INLINE vf uniform_at(const work *s, size_t which, int stream) {
    return vf_load(s->uniform + which * s->lanes + (size_t)stream * VF_LANES);
}

ROD_INLINE vf lane_constant(const rod_block *b, enum rod_lane_constant which, int stream) {
    return vf_load(b->lane_constant + (size_t)which * b->lanes + (size_t)stream * VF_LANES);
}

ROD_INLINE vf length_of(const work *s, size_t e, int stream) {
    const rod_block *b = s->block;
    return b->length ? vf_load(b->length + e * s->lanes + (size_t)stream * VF_LANES)
                     : lane_constant(b, ROD_LANE_LENGTH, stream);
}

/* a/b, and 0 where b is 0: nothing moves where nothing has weight. */
ROD_INLINE vf quotient(vf a, vf b) {
    return vf_select_positive(b, vf_div(a, b), vf_zero());
}

/* A copy in which the compiler knows what is constant for the instance. It must not be passed to a
 * function that is not inlined, or the knowledge is lost. */
ROD_INLINE work specialised(const work *s, instance i) {
    work known = *s;
    known.lanes = (size_t)i.unroll * VF_LANES;
    return known;
}

/* The same with a copy of the block: a vector that is stored may be anything, as far as a compiler
 * knows, and whatever it can reach in memory is read again. */
ROD_INLINE work specialised_with(const work *s, const rod_block *block, instance i) {
    work known = specialised(s, i);
    known.block = block;
    return known;
}

/* A pass over all rows of all streams, once for each number of lanes, so that a compiler knows
 * them. */
typedef void rows_pass(const work *s, const rod_frame *f, int unroll);

ROD_INLINE void pass_rows(rows_pass *pass, const work *s, const rod_frame *f) {
    if (s->unroll == 1)
        pass(s, f, 1);
    else
        pass(s, f, 2);
}

/* Called by whatever has a sweep inlined. Projections in lockstep spill, and clang aligns a stack
 * no more than a function's variables ask for: vectors across two cache lines take half as long
 * again.
 */
ROD_INLINE void align_stack(void) {
    _Alignas(64) volatile char line = 0;
    (void)line;
}

/* Whether some rod is shorter than the block: lengths fall from lane to lane. */
static inline bool has_padding(const rod_block *b) {
    return b->lane_elements[b->lanes - 1] < b->elements;
}

/* Where a lane's rod has ended, its tip is still a neighbour of padding, which must not hold it:
 * from these coefficients of an element, of a joint on, rows of padding become 0. */
static inline void silence_padding(const work *s, size_t from_element, size_t from_joint) {
    if (!has_padding(s->block))
        return;
    for (size_t lane = 0; lane < s->lanes; lane++) {
        const size_t end = s->block->lane_elements[lane];
        if (end == 0)
            return; /* nothing has weight in lanes without a rod, which are the last */
        for (size_t e = end - 1; e < s->elements; e++) {
            float *row = s->coefficient + e * COEFFICIENT_ROW * s->lanes + lane;
            for (size_t i = e < end ? from_joint : from_element; i < COEFFICIENT_ROW; i++)
                row[i * s->lanes] = 0.0f;
        }
    }
}

/* ---------------------------------------------------------------- particles */

typedef struct {
    vf3 p, v;
} motion;

/* Where a particle would be at the end of the frame if nothing held it; gravity counts `share`
 * times. KS16 Algorithm 1, lines 6 and 7; muller2007 lines 5 to 7. */
ROD_INLINE motion predicted_motion(const work *s, const rod_frame *f, size_t i, int stream,
                                   vf share) {
    const rod_block *b = s->block;
    const size_t at = i * s->lanes + (size_t)stream * VF_LANES;
    const size_t at3 = 3 * i * s->lanes + (size_t)stream * VF_LANES;
    const vf w = vf_load(b->w + at), dt = vf_set1(f->dt);
    const vf3 x = vf3_load(b->x + at3, s->lanes);
    const vf3 g = {vf_set1(f->gravity[0]), vf_set1(f->gravity[1]), vf_set1(f->gravity[2])};
    vf3 a = vf3_scale(share, g);
    if (b->force)
        a = vf3_fma(w, vf3_load(b->force + at3, s->lanes), a);
    const vf3 v = vf3_fma(dt, a, vf3_load(b->v + at3, s->lanes));
    return (motion){vf3_select_positive(w, vf3_fma(dt, v, x), x), v};
}

/* The particle's prediction, times `scale`. */
ROD_INLINE void predict_particle(const work *s, const rod_frame *f, size_t i, int stream, vf share,
                                 vf scale) {
    const motion predicted = predicted_motion(s, f, i, stream, share);
    vf3_store(state_at(s, i, stream), s->lanes, vf3_scale(scale, predicted.p));
}

/* KS16 Algorithm 1, lines 17 and 18; `unscale` undoes the prediction's scale. Pinned ones have no
 * velocity. */
ROD_INLINE void update_particle(const work *s, vf rate, size_t i, int stream, vf unscale) {
    const rod_block *b = s->block;
    const size_t at3 = 3 * i * s->lanes + (size_t)stream * VF_LANES;
    const vf w = vf_load(b->w + i * s->lanes + (size_t)stream * VF_LANES);
    const vf3 x = vf3_load(b->x + at3, s->lanes);
    const vf3 p = vf3_scale(unscale, vf3_load(state_at(s, i, stream), s->lanes));
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    const vf3 v = vf3_scale(rate, vf3_sub(p, x));
    vf3_store(b->v + at3, s->lanes, vf3_select_positive(w, v, zero));
    vf3_store(b->x + at3, s->lanes, vf3_select_positive(w, p, x));
}

#endif
