/* One rod of points, whose elements are spread over the lanes (chunked.h), solved by colours.
 *
 * Two rows behind the last hold, while they are needed, what follows the last row: the first rows
 * of the lanes above. So a projection finds all of its points in rows that follow one another.
 *
 * A body includes this last, after its projections, the macro ROD_METHOD, and
 *     prepare           the coefficients, when they changed
 *     predict, update   the state from the block, and back
 *
 * All rows are projected the general way: at the ends of a rod of some fifty elements most are, and
 * which ones would depend on the width of vectors, and with them the rounding. */
#ifndef ROD_COLOURS_H
#define ROD_COLOURS_H

#include "chunked.h"
#include "order.h"
#include "place.h"
#include "variants.h"

#include <string.h>

/* PARTICLE: its components, with which a row of state begins. */
enum { PARTICLE = 3, COLOURS = 3 };

/* ---------------------------------------------------------------- rows behind the last */

ROD_INLINE void fetch_behind(const work *s, size_t row, size_t components) {
    const float *from = state_at(s, row, 0);
    float *to = state_at(s, s->elements + row, 0);
    for (size_t i = 0; i < components; i++)
        vf_store(to + i * VF_LANES, rotated_down(vf_load(from + i * VF_LANES)));
}

/* The lowest lane has nothing before it, and stays as it is. */
ROD_INLINE void return_behind(const work *s, size_t row, size_t components) {
    const float *from = state_at(s, s->elements + row, 0);
    float *to = state_at(s, row, 0);
    for (size_t i = 0; i < components; i++) {
        const vf old = rotated_down(vf_load(to + i * VF_LANES));
        vf_store(to + i * VF_LANES, vf_shift_up(vf_load(from + i * VF_LANES), old));
    }
}

/* ---------------------------------------------------------------- red-black */

/* All rows of a colour; one row. Functions of their own: inlined into all places that call them, a
 * sweep would be more code than the first cache holds. */
typedef void project_rows(const work *s, size_t first);

typedef struct {
    project_rows *colour, *one;
} projection;

ROD_INLINE void project_places(const work *s, bool joints, const place *at, int count,
                               rod_norm norm) {
    if (joints)
        project_joints(s, at, count, false, norm);
    else
        project_elements(s, at, count, false, norm);
}

/* Two by two: three or four abreast were no faster on AVX2, where they spill. */
ROD_INLINE void project_colour(const work *shared, bool joints, size_t row, rod_norm norm) {
    const work s = known_chunk(shared);
    align_stack();
    for (; row + COLOURS < s.elements; row += 2 * COLOURS)
        project_places(&s, joints, (const place[]){{row, 0}, {row + COLOURS, 0}}, 2, norm);
    if (row < s.elements)
        project_places(&s, joints, &(place){row, 0}, 1, norm);
}

ROD_INLINE void project_row(const work *shared, bool joints, size_t row, rod_norm norm) {
    const work s = known_chunk(shared);
    align_stack();
    project_places(&s, joints, &(place){row, 0}, 1, norm);
}

/* An element needs the next row's particle; only the last colour has the last row. */
ROD_INLINE void sweep_elements(const work *s, projection elements) {
    elements.colour(s, 0);
    elements.colour(s, 1);
    fetch_behind(s, 0, PARTICLE);
    elements.colour(s, 2);
    return_behind(s, 0, PARTICLE);
}

/* A joint needs the next row and the particle behind it. */
ROD_INLINE void sweep_joints(const work *s, projection joints) {
    joints.colour(s, 0);
    fetch_behind(s, 0, PARTICLE);
    joints.colour(s, 1);
    return_behind(s, 0, PARTICLE);
    fetch_behind(s, 0, STATE_ROW);
    fetch_behind(s, 1, PARTICLE);
    joints.colour(s, 2);
    return_behind(s, 0, STATE_ROW);
    return_behind(s, 1, PARTICLE);
}

/* ---------------------------------------------------------------- one by one */

/* Any order, for completeness: whole rows are projected in a copy, and of each one lane is kept. */
static void project_one(const work *s, size_t index, size_t points, project_rows *project) {
    const size_t rows = s->elements, row = index % rows, floats = STATE_ROW * VF_LANES;
    work trial = *s;
    trial.state = s->state + (rows + 2) * floats;
    for (size_t i = 0; row + i < rows + 2 && i < points; i++) {
        if (row + i >= rows)
            fetch_behind(s, row + i - rows, STATE_ROW);
        memcpy(state_at(&trial, row + i, 0), state_at(s, row + i, 0), floats * sizeof(float));
    }
    project(&trial, row);
    for (size_t i = 0; i < points; i++) {
        const float *from = state_at(&trial, row + i, 0) + index / rows;
        float *to = s->state + rod_offset(s->block, 0, index + i, STATE_ROW);
        for (size_t k = 0; k < STATE_ROW; k++)
            to[k * VF_LANES] = from[k * VF_LANES];
    }
}

static void sweep_one_by_one(const work *s, rod_order order, projection elements,
                             projection joints) {
    const size_t n = s->block->elements;
    for (size_t k = 0; k < n; k++)
        project_one(s, rod_order_index(ROD_METHOD_PBER, order, n, k), 2, elements.one);
    for (size_t k = 0; k + 1 < n; k++)
        project_one(s, rod_order_index(ROD_METHOD_PBER, order, n - 1, k), 3, joints.one);
}

/* ---------------------------------------------------------------- the frame */

ROD_INLINE void solve(const work *s, const rod_frame *f, projection elements, projection joints) {
    for (size_t i = 0; i < f->iterations; i++) {
        if (f->order == ROD_ORDER_REDBLACK) {
            sweep_elements(s, elements);
            sweep_joints(s, joints);
        } else {
            sweep_one_by_one(s, f->order, elements, joints);
        }
    }
}

ROD_INLINE void run_frame(const rod_block *b, const rod_frame *f, float *scratch, rod_norm norm,
                          projection elements, projection joints) {
    const work shared = chunk_work(b, scratch, norm), s = known_chunk(&shared);
    if (b->changed)
        prepare(&shared);
    predict(&s, f);
    solve(&shared, f, elements, joints);
    update(&s, f);
}

#define ROD_PROJECTIONS(kind, joints, norm)                                                        \
    __attribute__((noinline)) static void kind##_colour_##norm(const work *s, size_t row) {        \
        project_colour(s, joints, row, NORM_##norm);                                               \
    }                                                                                              \
    static void kind##_row_##norm(const work *s, size_t row) {                                     \
        project_row(s, joints, row, NORM_##norm);                                                  \
    }

#define ROD_INSTANCE(method, isa, norm)                                                            \
    ROD_PROJECTIONS(element, false, norm)                                                          \
    ROD_PROJECTIONS(joint, true, norm)                                                             \
    rod_kernel ROD_CHUNKED_SYMBOL(method, isa, norm);                                              \
    void ROD_CHUNKED_SYMBOL(method, isa, norm)(const rod_block *block, const rod_frame *frame,     \
                                               float *scratch) {                                   \
        run_frame(block, frame, scratch, NORM_##norm,                                              \
                  (projection){element_colour_##norm, element_row_##norm},                         \
                  (projection){joint_colour_##norm, joint_row_##norm});                            \
    }

/* Expands its arguments before the list pastes them. */
#define ROD_INSTANCES(method, isa) ROD_CHUNKED_KERNELS(ROD_INSTANCE, method, isa)

ROD_INSTANCES(ROD_METHOD, ROD_ISA)

#endif
