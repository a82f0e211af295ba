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

ROD_INLINE void project_rows(const work *s, bool joints, size_t row, int count, rod_norm norm) {
    const place at[] = {{row, 0}, {row + COLOURS, 0}};
    if (joints)
        project_joints(s, at, count, false, norm);
    else
        project_elements(s, at, count, false, norm);
}

/* All rows of a colour, two by two: three or four abreast were no faster on AVX2, where they spill.
 */
ROD_INLINE void project_colour(const work *s, bool joints, size_t colour, rod_norm norm) {
    size_t row = colour;
    for (; row + COLOURS < s->elements; row += 2 * COLOURS)
        project_rows(s, joints, row, 2, norm);
    if (row < s->elements)
        project_rows(s, joints, row, 1, norm);
}

/* An element needs the next row's particle; only the last colour has the last row. */
ROD_INLINE void sweep_elements(const work *s, rod_norm norm) {
    project_colour(s, false, 0, norm);
    project_colour(s, false, 1, norm);
    fetch_behind(s, 0, PARTICLE);
    project_colour(s, false, 2, norm);
    return_behind(s, 0, PARTICLE);
}

/* A joint needs the next row and the particle behind it. */
ROD_INLINE void sweep_joints(const work *s, rod_norm norm) {
    project_colour(s, true, 0, norm);
    fetch_behind(s, 0, PARTICLE);
    project_colour(s, true, 1, norm);
    return_behind(s, 0, PARTICLE);
    fetch_behind(s, 0, STATE_ROW);
    fetch_behind(s, 1, PARTICLE);
    project_colour(s, true, 2, norm);
    return_behind(s, 0, STATE_ROW);
    return_behind(s, 1, PARTICLE);
}

/* ---------------------------------------------------------------- one by one */

/* Any order, for completeness: whole rows are projected in a copy, and of each one lane is kept. */
typedef void project_row(const work *s, size_t row);

static void project_one(const work *s, size_t index, size_t points, project_row *project) {
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

/* One row of elements, of joints. */
typedef struct {
    project_row *element, *joint;
} row_projections;

static void sweep_one_by_one(const work *s, rod_order order, row_projections one) {
    const size_t n = s->block->elements;
    for (size_t k = 0; k < n; k++)
        project_one(s, rod_order_index(ROD_METHOD_PBER, order, n, k), 2, one.element);
    for (size_t k = 0; k + 1 < n; k++)
        project_one(s, rod_order_index(ROD_METHOD_PBER, order, n - 1, k), 3, one.joint);
}

/* ---------------------------------------------------------------- the frame */

ROD_INLINE void solve(const work *s, const work *shared, const rod_frame *f, rod_norm norm,
                      row_projections one) {
    align_stack();
    for (size_t i = 0; i < f->iterations; i++) {
        if (f->order == ROD_ORDER_REDBLACK) {
            sweep_elements(s, norm);
            sweep_joints(s, norm);
        } else {
            sweep_one_by_one(shared, f->order, one);
        }
    }
}

ROD_INLINE void run_frame(const rod_block *b, const rod_frame *f, float *scratch, rod_norm norm,
                          row_projections one) {
    const work shared = chunk_work(b, scratch, norm), s = known_chunk(&shared);
    if (b->changed)
        prepare(&shared);
    predict(&s, f);
    solve(&s, &shared, f, norm, one);
    update(&s, f);
}

#define ROD_INSTANCE(method, isa, norm)                                                            \
    static void element_row_##norm(const work *s, size_t row) {                                    \
        element_stream(s, row, 0, false, NORM_##norm);                                             \
    }                                                                                              \
    static void joint_row_##norm(const work *s, size_t row) {                                      \
        joint_stream(s, row, 0, false, NORM_##norm);                                               \
    }                                                                                              \
    rod_kernel ROD_CHUNKED_SYMBOL(method, isa, norm);                                              \
    void ROD_CHUNKED_SYMBOL(method, isa, norm)(const rod_block *block, const rod_frame *frame,     \
                                               float *scratch) {                                   \
        run_frame(block, frame, scratch, NORM_##norm,                                              \
                  (row_projections){element_row_##norm, joint_row_##norm});                        \
    }

/* Expands its arguments before the list pastes them. */
#define ROD_INSTANCES(method, isa) ROD_CHUNKED_KERNELS(ROD_INSTANCE, method, isa)

ROD_INSTANCES(ROD_METHOD, ROD_ISA)

#endif
