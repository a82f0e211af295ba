/* Lengths in units near 1, for bodies that divide by powers of them. */
#ifndef ROD_SCALE_H
#define ROD_SCALE_H

#include "body.h"

#include <math.h>

/* What is added to a squared length, in units of the rod's own, so that its inverse root is finite:
 * float32 drowns it in anything longer than a thousandth. */
#define ROD_SQUARE_FLOOR 1e-12f

/* Powers of two, so that scaling there and back is exact. Near the mean length, which no element
 * exceeds more than their number of times: beside a short one, the powers of a long one in its
 * units would leave float32. */
static void prepare_scales(const work *s, size_t scale_row, size_t unscale_row) {
    const float *length = s->block->lane_constant + ROD_LANE_GHOST * s->lanes;
    for (size_t lane = 0; lane < s->lanes; lane++) {
        const int exponent = ilogbf(length[lane]);
        s->uniform[scale_row * s->lanes + lane] = ldexpf(1.0f, -exponent);
        s->uniform[unscale_row * s->lanes + lane] = ldexpf(1.0f, exponent);
    }
}

ROD_INLINE vf larger(vf a, vf b) {
    return vf_select_positive(vf_sub(a, b), a, b);
}

#endif
