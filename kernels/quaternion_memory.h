/* What the chunked kernel of quaternion rods keeps of a block from frame to frame, beside
 * coefficients and constants. */
#ifndef ROD_QUATERNION_MEMORY_H
#define ROD_QUATERNION_MEMORY_H

#include "chunked.h"
#include "quaternion_simple.h"

#include <string.h>

/* Of a row: whether its elements, its joints are uniform in all lanes. Simple ones are those of
 * quaternion_simple.h. */
enum { ROW_ELEMENTS = 1, ROW_JOINTS = 2, ROW_SIMPLE = 4 };

/* Where a particle or element is: divisions take too long in a frame. */
typedef struct {
    uint32_t row, lane;
} rod_place;

typedef struct {
    unsigned char *uniform; /* of each row */
    uint32_t *joints; /* of each row: in how many lanes, from the lowest on, it is the rod's */
    rod_place *place; /* of each particle or element */
    uint32_t *order;  /* the rod_order that the lines are laid for, if any */
    float *lines;
} chunk_memory;

enum { NO_ORDER = ROD_ORDER_DEFAULT };

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
    size_t i = 0;
    for (uint32_t lane = 0; lane < VF_LANES; lane++)
        for (uint32_t row = 0; row < rows && i <= n; row++, i++) {
            m.place[i] = (rod_place){row, lane};
            m.joints[row] += i + 1 < n;
        }
    *m.order = NO_ORDER;
}

/* ---------------------------------------------------------------- uniform rows */

/* Of these elements. */
static void clear_rows(const work *s, size_t from, size_t to, unsigned char what) {
    const chunk_memory m = memory_of(s);
    for (size_t i = from; i < to; i++)
        m.uniform[m.place[i].row] &= (unsigned char)~what;
}

/* Padding may be treated as uniform but for the element and the joint that would hold the rod's
 * tip, and the last row, which rotates. Which elements share a row depends on the width of vectors,
 * and the uniform way rounds differently: exact variants, which give the same bits whatever the
 * width, never take it. */
static void find_uniform_rows(const work *s) {
    const rod_block *b = s->block;
    const size_t n = b->elements, begin = b->uniform_begin, end = b->uniform_end;
    const bool some = begin < end && s->norm != NORM_exact;
    memset(memory_of(s).uniform, some ? ROW_ELEMENTS | ROW_JOINTS : 0, s->elements);
    if (!some)
        return;
    clear_rows(s, 0, begin, ROW_ELEMENTS | ROW_JOINTS);
    clear_rows(s, end, n + 1, ROW_ELEMENTS);
    clear_rows(s, end - 1, n, ROW_JOINTS);
    clear_rows(s, s->elements - 1, s->elements, ROW_ELEMENTS | ROW_JOINTS);
}

/* ---------------------------------------------------------------- simple rows */

/* Exact variants take no short cuts, see find_uniform_rows. To put back what is held takes longer
 * than it saves, unless the last operation can do it. */
ROD_INLINE bool row_is(unsigned char row, unsigned char what, rod_norm norm) {
    return norm != NORM_exact && (what != ROW_SIMPLE || VF_MASKED != 0) && (row & what) != 0;
}

/* An orientation that turns alone between two pins may cancel to nothing, and then no root of it
 * serves its neighbour. */
static bool is_simple(float strain, float w, float wq, float wu) {
    const float rounding = 1e-6f;
    return strain > 1.0f - rounding && strain < 1.0f + rounding && (w > 0.0f || wq == 0.0f) &&
           (wq == wu || wq == 0.0f || wu == 0.0f);
}

static void find_simple_rows(const work *s) {
    const rod_block *b = s->block;
    unsigned char *flags = memory_of(s).uniform;
    _Alignas(64) float w[VF_LANES], wu[VF_LANES];
    for (size_t row = 0; row < s->elements; row++) {
        const float *strain = coefficients_at(s, row, 0) + STRAIN * VF_LANES;
        const float *uniform = s->uniform + U_STRAIN * VF_LANES;
        const float *wq = b->wq + row * VF_LANES;
        bool simple = b->isotropic_stretch;
        vf_store(w, vf_add(vf_load(b->w + row * VF_LANES), row_after(s, b->w, row, 1)));
        vf_store(wu, row_after(s, b->wq, row, 1));
        for (size_t lane = 0; lane < VF_LANES; lane++)
            simple = simple && is_simple(strain[lane] / uniform[lane], w[lane], wq[lane], wu[lane]);
        flags[row] |= simple ? ROW_SIMPLE : 0;
    }
}

ROD_INLINE joint_row joint_row_of(const work *s, size_t row) {
    const float *c = coefficients_at(s, row, 0), *wq = s->block->wq;
    const vf moves = vf_load(wq + row * VF_LANES);
    return (joint_row){.rest = rest_of(s, row, 0),
                       .share =
                           vf3_select_positive(moves, vf3_load(c + BEND_1 * s->lanes, s->lanes),
                                               vf3_load(c + BEND_2 * s->lanes, s->lanes)),
                       .moves_q = moves,
                       .moves_u = row_after(s, wq, row, 1)};
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
