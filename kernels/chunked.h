/* What the bodies of chunked blocks share: one rod, whose elements are spread over the lanes.
 *
 * Lane k holds the elements and particles k * rows .. k * rows + rows - 1 (rod_offset). The next of
 * a row is the row below it in the same lane; the next of the last row is the first row of the lane
 * above, which one rotation brings. The rows are a multiple of the method's colours, so that
 * all lanes of all rows of a colour are independent of each other.
 *
 * Rotation also carries the rod's start to its end: there the coefficients of the last lane's last
 * row are 0, which is behind the rod's end always. */
#ifndef ROD_CHUNKED_H
#define ROD_CHUNKED_H

#include "body.h"

ROD_INLINE work chunk_work(const rod_block *b, float *scratch, rod_norm norm) {
    return (work){.block = b,
                  .lanes = VF_LANES,
                  .unroll = 1,
                  .norm = norm,
                  .elements = b->rows,
                  .state = scratch,
                  .coefficient = b->kept,
                  .rest = b->kept + b->rows * COEFFICIENT_ROW * VF_LANES,
                  .uniform = b->kept + b->rows * (COEFFICIENT_ROW + REST_ROW) * VF_LANES};
}

/* A copy in which the compiler knows what is constant, see specialised(): vector stores may alias
 * whatever is passed to a function that is not inlined. */
ROD_INLINE work known_chunk(const work *s) {
    work known = *s;
    known.lanes = VF_LANES;
    return known;
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

/* One number per particle or element: the row that follows as the `after`-th, 0 behind the last
 * lane. */
ROD_INLINE vf row_after(const work *s, const float *values, size_t row, size_t after) {
    const size_t next = row + after;
    if (next < s->elements)
        return vf_load(values + next * VF_LANES);
    return vf_shift_down(vf_load(values + (next - s->elements) * VF_LANES), vf_zero());
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

#endif
