/* The textbook of quaternion rods in float32: kernels/reference/quaternion.h compiled with other
 * numbers. It is the baseline that the benchmark divides by. A block of one lane is an array of
 * structures. */

#define ROD_REAL float

#include "textbook.h"

#include "kernel.h"
#include "reference/quaternion.h"
#include "variants.h"

static textbook_rod rod_of(const rod_block *b, float *scratch) {
    const size_t n = b->elements;
    const float *k = b->lane_constant;
    float *lengths = scratch + 8 * (n + 1);
    textbook_fill(lengths, b->length, k[ROD_LANE_LENGTH], n);
    return (textbook_rod){
        .elements = n,
        .x = (real3 *)b->x,
        .v = (real3 *)b->v,
        .p = (real3 *)scratch,
        .q = (realq *)b->q,
        .u = (realq *)(scratch + 4 * (n + 1)),
        .omega = (real3 *)b->omega,
        .w = b->w,
        .wq = b->wq,
        .l = lengths,
        .rest = (const real3 *)b->rest,
        .sign = lengths + n,
        .force = (const real3 *)b->force,
        .torque = (const real3 *)b->torque,
        .inertia = (const real3 *)b->inertia,
        .stretch_stiffness = {k[ROD_LANE_SHEAR_X], k[ROD_LANE_SHEAR_Y], k[ROD_LANE_STRETCH]},
        .bend_stiffness = {k[ROD_LANE_BEND_X], k[ROD_LANE_BEND_Y], k[ROD_LANE_TWIST]},
    };
}

/* Counts the joints whose sign was -1, and turns quaternions over so that it is +1 from now on:
 * the next frame then counts changes only, as the other kernels do. */
static void count_flips(const textbook_rod *r, float *flips) {
    real sign = 1;
    *flips = 0.0f;
    for (size_t j = 0; j + 1 < r->elements; j++) {
        const bool moving = r->wq[j] > 0 && r->wq[j + 1] > 0;
        *flips += moving && r->sign[j] < 0 ? 1.0f : 0.0f;
        sign *= r->sign[j];
        r->q[j + 1] = r->wq[j + 1] > 0 ? scaleq(sign, r->q[j + 1]) : r->q[j + 1];
    }
}

rod_kernel ROD_SINGLE_SYMBOL(quaternion, textbook, scalar, exact);

void ROD_SINGLE_SYMBOL(quaternion, textbook, scalar,
                       exact)(const rod_block *block, const rod_frame *frame, float *scratch) {
    textbook_rod rod = rod_of(block, scratch);
    textbook_step(&rod, &(textbook_frame){
                            .dt = frame->dt,
                            .damping = frame->damping,
                            .gravity = {frame->gravity[0], frame->gravity[1], frame->gravity[2]},
                            .iterations = frame->iterations,
                            .order = frame->order,
                            .form = DARBOUX_PLAIN,
                            .signs = SIGN_EACH_FRAME,
                        });
    count_flips(&rod, block->flips);
}
