/* The textbook of position-based strands in float32, as textbook_quaternion.c is of its rods. */

#define ROD_REAL float

#include "textbook.h"

#include "kernel.h"
#include "reference/pbd.h"
#include "variants.h"

rod_kernel ROD_SINGLE_SYMBOL(pbd, textbook, scalar, exact);

void ROD_SINGLE_SYMBOL(pbd, textbook, scalar, exact)(const rod_block *b, const rod_frame *frame,
                                                     float *scratch) {
    const size_t n = b->elements;
    const float *k = b->lane_constant;
    float *lengths = scratch + 3 * (n + 1), *stretch = lengths + n, *bend = stretch + n;
    textbook_fill(lengths, b->length, k[ROD_LANE_LENGTH], n);
    textbook_fill(stretch, b->stretch_stiffness, k[ROD_LANE_STRETCH], n);
    textbook_fill(bend, b->bend_stiffness, k[ROD_LANE_BEND_X], n);
    pbd_rod rod = {
        .elements = n,
        .x = (real3 *)b->x,
        .v = (real3 *)b->v,
        .p = (real3 *)scratch,
        .w = b->w,
        .l = lengths,
        .angle = b->angle,
        .stretch_stiffness = stretch,
        .bend_stiffness = bend,
        .force = (const real3 *)b->force,
    };
    pbd_step(&rod, frame);
}
