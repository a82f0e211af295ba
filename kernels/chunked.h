/* What the bodies of chunked blocks share: one rod, whose elements are spread over the lanes.
 *
 * Lane k holds the elements and particles k * rows .. k * rows + rows - 1 (rod_offset). The next of
 * a row is the row below it in the same lane; the next of the last row is the first row of the lane
 * above, which one rotation brings. Rows of one parity are elements of one parity, so that all
 * lanes of all rows of a colour are independent of each other.
 *
 * Rotation also carries the rod's start to its end: there the coefficients of the last lane's last
 * row are 0, which is behind the rod's end always. */
#ifndef ROD_CHUNKED_H
#define ROD_CHUNKED_H

#include "body.h"

#include <string.h>

/* Of a row: whether its elements, its joints are uniform in all lanes. */
enum { ROW_ELEMENTS = 1, ROW_JOINTS = 2 };

/* Where a particle or element is: divisions take too long in a frame. */
typedef struct {
    uint32_t row, lane;
} rod_place;

/* What a block keeps from frame to frame, beside coefficients and constants. */
typedef struct {
    unsigned char *uniform; /* of each row */
    uint32_t *joints; /* of each row: in how many lanes, from the lowest on, it is the rod's */
    rod_place *place; /* of each particle or element */
    uint32_t *order;  /* the rod_order that the lines are laid for, if any */
    float *lines;
} chunk_memory;

enum { NO_ORDER = ROD_ORDER_DEFAULT };

ROD_INLINE work chunk_work(const rod_block *b, float *scratch, rod_norm norm) {
    return (work){.block = b,
                  .lanes = VF_LANES,
                  .unroll = 1,
                  .norm = norm,
                  .elements = b->rows,
                  .state = scratch,
                  .coefficient = b->kept,
                  .uniform = b->kept + b->rows * COEFFICIENT_ROW * VF_LANES};
}

/* A copy in which the compiler knows what is constant, see specialised(): vector stores may alias
 * whatever is passed to a function that is not inlined. */
ROD_INLINE work known_chunk(const work *s) {
    work known = *s;
    known.lanes = VF_LANES;
    return known;
}

ROD_INLINE chunk_memory memory_of(const work *s) {
    float *next = s->uniform + ROD_KEPT_CONSTANTS * VF_LANES;
    chunk_memory m = {.uniform = (unsigned char *)next, .joints = (void *)(next + s->elements)};
    m.place = (rod_place *)(next + 2 * s->elements);
    m.order = (uint32_t *)(m.place + s->block->elements + 1);
    m.lines = (void *)(m.order + 1);
    return m;
}

/* A bit for each lane in which a row's joints are the rod's. */
ROD_INLINE uint32_t joint_bits(const chunk_memory *m, size_t row) {
    return (uint32_t)((UINT64_C(1) << m->joints[row]) - 1);
}

static void find_places(const work *s) {
    const chunk_memory m = memory_of(s);
    const size_t rows = s->elements, n = s->block->elements;
    memset(m.joints, 0, rows * sizeof *m.joints);
    for (size_t i = 0; i <= n; i++)
        m.place[i] = (rod_place){(uint32_t)(i % rows), (uint32_t)(i / rows)};
    for (size_t i = 0; i + 1 < n; i++)
        m.joints[i % rows]++;
    *m.order = NO_ORDER;
}

ROD_INLINE vf rotated_up(vf a) {
    return vf_shift_up(a, a);
}

ROD_INLINE vf rotated_down(vf a) {
    return vf_shift_down(a, a);
}

ROD_INLINE vf3 vf3_rotated_up(vf3 a) {
    return (vf3){rotated_up(a.x), rotated_up(a.y), rotated_up(a.z)};
}

ROD_INLINE vf3 vf3_rotated_down(vf3 a) {
    return (vf3){rotated_down(a.x), rotated_down(a.y), rotated_down(a.z)};
}

ROD_INLINE vfq vfq_rotated_up(vfq a) {
    return (vfq){rotated_up(a.w), rotated_up(a.x), rotated_up(a.y), rotated_up(a.z)};
}

ROD_INLINE vfq vfq_rotated_down(vfq a) {
    return (vfq){rotated_down(a.w), rotated_down(a.x), rotated_down(a.y), rotated_down(a.z)};
}

/* The next row of one number per particle or element, 0 behind the last lane. */
ROD_INLINE vf next_row(const work *s, const float *values, size_t row) {
    if (row + 1 < s->elements)
        return vf_load(values + (row + 1) * VF_LANES);
    return vf_shift_down(vf_load(values), vf_zero());
}

/* ---------------------------------------------------------------- uniform rows */

static void clear_rows(const work *s, size_t from, size_t to, unsigned char what) {
    unsigned char *row = memory_of(s).uniform;
    for (size_t i = from; i < to; i++)
        row[i % s->elements] &= (unsigned char)~what;
}

/* Padding may be treated as uniform but for the element and the joint that would hold the rod's
 * tip, and the last row, which rotates. */
static void find_uniform_rows(const work *s) {
    const rod_block *b = s->block;
    const size_t n = b->elements, begin = b->uniform_begin, end = b->uniform_end;
    memset(memory_of(s).uniform, begin < end ? ROW_ELEMENTS | ROW_JOINTS : 0, s->elements);
    if (begin >= end)
        return;
    clear_rows(s, 0, begin, ROW_ELEMENTS | ROW_JOINTS);
    clear_rows(s, end, n + 1, ROW_ELEMENTS);
    clear_rows(s, end - 1, n, ROW_JOINTS);
    clear_rows(s, s->elements - 1, s->elements, ROW_ELEMENTS | ROW_JOINTS);
}

/* See silence_padding: the tip must not be held by what is behind it. */
static void silence_tip(const work *s, size_t from_element, size_t from_joint) {
    const rod_block *b = s->block;
    float *last = s->coefficient + rod_offset(b, 0, b->elements - 1, COEFFICIENT_ROW);
    float *behind = s->coefficient + rod_offset(b, 0, b->elements, COEFFICIENT_ROW);
    for (size_t i = from_joint; i < COEFFICIENT_ROW; i++)
        last[i * VF_LANES] = 0.0f;
    for (size_t i = from_element; i < COEFFICIENT_ROW; i++)
        behind[i * VF_LANES] = 0.0f;
}

/* ---------------------------------------------------------------- along the lanes */

/* Bit k: the parity of the bits below k. */
ROD_INLINE uint32_t parity_below(uint32_t bits) {
    bits <<= 1;
    for (int shift = 1; shift < 32; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

#endif
