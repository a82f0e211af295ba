/* One whole frame of one block, the same for every body, and the functions of its instances.
 *
 * A body includes this last, after it has defined
 *     element_stream, joint_stream   one projection in one stream; see sweep.h for more
 *     keep                           what stays from frame to frame until the rods change
 *     prepare                        the coefficients of a frame
 *     predict, update                the state from the block, and back
 *     solve                          the iterations of an instance
 * and the macro ROD_METHOD. sweep.h comes before `solve`. */
#ifndef ROD_FRAME_H
#define ROD_FRAME_H

#include "sweep.h"
#include "variants.h"

#include <string.h>

typedef void solver(const work *s, const rod_frame *f);

/* ---------------------------------------------------------------- rods of several lengths */

static size_t state_floats(const work *s) {
    return (s->block->elements + 1) * STATE_ROW * s->lanes;
}

static void copy_lanes(const work *from, const work *to, size_t first, size_t count) {
    const size_t rows = (from->block->elements + 1) * STATE_ROW;
    for (size_t row = 0; row < rows; row++)
        memcpy(to->state + row * to->lanes + first, from->state + row * from->lanes + first,
               count * sizeof(float));
}

/* Bilateral and cross orders depend on the length of a rod. In a block of several lengths, each
 * length gets a pass of its own over a copy, from which only its lanes are kept. */
static void solve_by_length(const work *s, const rod_frame *f, solver *solve_block) {
    const uint32_t *length = s->block->lane_elements;
    work trial = *s;
    trial.state = s->rest + s->block->elements * REST_ROW * s->lanes;
    for (size_t first = 0, count; first < s->lanes && length[first] > 0; first += count) {
        for (count = 1; first + count < s->lanes && length[first + count] == length[first];)
            count++;
        memcpy(trial.state, s->state, state_floats(s) * sizeof(float));
        trial.elements = length[first];
        trial.fast_to = s->fast_to < trial.elements ? s->fast_to : trial.elements;
        solve_block(&trial, f);
        copy_lanes(&trial, s, first, count);
    }
}

/* ---------------------------------------------------------------- the frame */

_Static_assert((int)UNIFORM_ROW <= (int)ROD_KEPT_CONSTANTS, "a block keeps fewer rows");

static work lay_out(const rod_block *b, float *scratch, instance i) {
    work s = {.block = b,
              .lanes = (size_t)i.unroll * VF_LANES,
              .unroll = i.unroll,
              .norm = i.norm,
              .uniform_apart = i.uniform,
              .elements = b->elements,
              .uniform = b->kept,
              .fast_from = 1,
              .fast_to = b->elements};
    if (i.uniform) {
        s.fast_from = b->uniform_begin + 1;
        s.fast_to = b->uniform_end;
    }
    if (s.fast_from > s.fast_to)
        s.fast_from = s.fast_to = b->elements;
    s.state = scratch;
    s.coefficient = s.state + state_floats(&s);
    s.rest = s.coefficient + b->elements * COEFFICIENT_ROW * s.lanes;
    return s;
}

/* Spread over the solver, as far as it goes. */
static prefetcher fetch_for(const rod_block *b, const rod_frame *f) {
    if (!b->ahead)
        return (prefetcher){0};
    const size_t calls = 2 * b->elements * f->iterations, lines = b->ahead_floats / 16;
    const char *memory = (const char *)b->ahead;
    return (prefetcher){memory, memory + b->ahead_floats * sizeof(float), lines / calls + 1};
}

static void run_frame(const rod_block *b, const rod_frame *f, float *scratch, instance i,
                      solver *solve_block) {
    prefetcher ahead = fetch_for(b, f);
    work s = lay_out(b, scratch, i);
    s.ahead = &ahead;
    if (b->changed)
        keep(&s, i.uniform);
    prepare(&s, f, i.uniform);
    predict(&s, f);
    if (needs_passes(b, f->order))
        solve_by_length(&s, f, solve_block);
    else
        solve_block(&s, f);
    update(&s, f);
}

enum { WEIGHTS_general = 0, WEIGHTS_uniform = 1 };

#define ROD_INSTANCE(method, isa, unroll, norm, weights)                                           \
    static void solve_u##unroll##_##norm##_##weights(const work *s, const rod_frame *f) {          \
        solve(s, f, (instance){unroll, NORM_##norm, WEIGHTS_##weights});                           \
    }                                                                                              \
    rod_kernel ROD_BATCH_SYMBOL(method, isa, unroll, norm, weights);                               \
    void ROD_BATCH_SYMBOL(method, isa, unroll, norm, weights)(                                     \
        const rod_block *block, const rod_frame *frame, float *scratch) {                          \
        run_frame(block, frame, scratch, (instance){unroll, NORM_##norm, WEIGHTS_##weights},       \
                  solve_u##unroll##_##norm##_##weights);                                           \
    }

/* Expand their arguments before the list pastes them. */
#if defined(ROD_VEC_SCALAR_H) && !defined(ROD_VEC_COUNT_H)
#define ROD_INSTANCES(method, isa) ROD_FULL_KERNELS(ROD_INSTANCE, method, isa)
#else
#define ROD_INSTANCES(method, isa) ROD_BATCH_KERNELS(ROD_INSTANCE, method, isa)
#endif

ROD_INSTANCES(ROD_METHOD, ROD_ISA)

#endif
