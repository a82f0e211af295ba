/* The textbook of position-based elastic rods in float32, as textbook_quaternion.c is of theirs. */

#define ROD_REAL float

#include "textbook.h"

#include "kernel.h"
#include "reference/pber.h"
#include "variants.h"

rod_kernel ROD_SINGLE_SYMBOL(pber, textbook, scalar, exact);

void ROD_SINGLE_SYMBOL(pber, textbook, scalar, exact)(const rod_block *b, const rod_frame *frame,
                                                      float *scratch) {
    const size_t n = b->elements;
    const float *k = b->lane_constant;
    float *lengths = scratch + 6 * (n + 1);
    textbook_fill(lengths, b->length, k[ROD_LANE_LENGTH], n);
    pber_rod rod = {
        .elements = n,
        .x = (real3 *)b->x,
        .v = (real3 *)b->v,
        .p = (real3 *)scratch,
        .g = (real3 *)b->ghost,
        .gv = (real3 *)b->ghost_v,
        .gp = (real3 *)(scratch + 3 * (n + 1)),
        .fall = b->fall,
        .w = b->w,
        .wg = b->wq,
        .l = lengths,
        .ghost_length = k[ROD_LANE_GHOST],
        .rest = (const real3 *)b->rest,
        .force = (const real3 *)b->force,
        .stretch_stiffness = k[ROD_LANE_STRETCH],
        .bend_stiffness = {k[ROD_LANE_BEND_X], k[ROD_LANE_BEND_Y], k[ROD_LANE_TWIST]},
    };
    pber_step(&rod, frame);
}
