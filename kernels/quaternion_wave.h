/* Exact sequential and bilateral orders of one rod, vectorised across the iterations of a frame.
 *
 * A lane is an iteration. Each is WAVE_LAG elements behind the one before it, whose results it
 * takes up as soon as they are final: a wave that runs along the rod. All stretches and then all
 * bends of an iteration equal one pass in which the bends follow behind the stretches; so in each
 * step a lane stretches one element and bends the joint of the two before it, which are independent
 * of each other.
 *
 * bilateral: two waves, from either end of the rod, in turn from lane to lane. Where they meet they
 * must take turns. The `leading` wave stretches its last element first; the `closing` one stretches
 * its own a step later, with the particle between them as the leading wave left it, and then bends
 * its last joint; then the leading wave bends the joint in the middle. With an even number of
 * elements the leading wave is the one from the rod's start, else the one from its end, and that is
 * the order of rod_order_index.
 *
 * A wave from the rod's end sees the rod mirrored: elements in falling order, orientations turned
 * half round about their first axis, q e1, so that their d3 points along the wave.
 *
 * quaternion_lines.h lays out what the wave reads, quaternion_wave.c runs it. */
#ifndef ROD_QUATERNION_WAVE_H
#define ROD_QUATERNION_WAVE_H

#include "quaternion_simple.h"

/* A power of two that leaves room for the turns of two waves: the joint in the middle is bent 3
 * steps after the last stretch of the leading wave, whose next iteration may then stretch again. */
enum { WAVE_LAG = 4 };

/* How far bends are behind stretches. */
enum { WAVE_BEHIND = 2 };

/* A line of numbers for each step is what the first iteration reads and the last one leaves: the
 * particle ahead, the orientation and the coefficients of an element, the rest vector and the
 * coefficients of the joint behind it. Each number is there for each side, side by side. */
enum { LINE_Q = 3, LINE_REST = 7, LINE_CONSTANTS = 10, LINE = LINE_CONSTANTS + COEFFICIENT_ROW };

/* In lines of a simple rod, what both orientations of a joint take of its strain, and their
 * weights, instead of the joint's coefficients. */
enum { LINE_SHARE = LINE_CONSTANTS + BEND_1, LINE_MOVES_Q = LINE_CONSTANTS + BEND_2, LINE_MOVES_U };

/* Lines of nothing that moves: before the first element, and behind the last step. */
enum { LINES_BEFORE = 4, LINES_BEHIND = 2 };

typedef struct {
    const rod_block *block;
    const float *constants; /* UNIFORM_ROW of them */
    size_t constant_step;   /* from one to the next */
    float *line;            /* of step 0, in which the first iteration stretches element 0 */
    size_t sides;
    ptrdiff_t last;                     /* step in which the first iteration is done */
    ptrdiff_t uniform_from, uniform_to; /* steps in which it meets nothing but uniform elements */
    ptrdiff_t meeting;                  /* step in which its closing wave stretches its last */
    bool closing_is_mirrored;
    bool simple; /* all of the rod is, see quaternion_simple.h */
    size_t iterations;
    float *memory; /* WAVE_MEMORY_ROWS rows of 32 lanes, aligned */
} rod_wave;

/* The ring, one row of numbers for each step of the lag, and the constants. */
enum { WAVE_MEMORY_ROWS = WAVE_LAG * LINE + UNIFORM_ROW };

typedef void rod_wave_run(const rod_wave *wave);

#define ROD_WAVE_SYMBOL_PASTE(isa, norm) rod_quaternion_wave_##isa##_##norm
#define ROD_WAVE_SYMBOL(isa, norm) ROD_WAVE_SYMBOL_PASTE(isa, norm)

#endif
