/* What a kernel is given, and what the registry knows of each kernel variant.
 *
 * soa/ owns the memory and describes one block of rods at a time; a kernel runs one whole frame of
 * one block: predict, all solver iterations, velocity update. */
#ifndef ROD_KERNEL_H
#define ROD_KERNEL_H

#include "rod.h"

#include <stdbool.h>

/* Arrays are indexed [row][component][lane]: a lane is a rod, so `lanes` floats lie side by side.
 * Rows past the end of a lane's rod are padding: weight 0, unit quaternions, never NaN.
 *
 * In a chunked block the lanes are chunks of one rod, that of lane 0: its particle or element i is
 * in lane i / rows, row i % rows. Padding, all behind the rod's end, is a straight piece at rest.
 */
typedef struct {
    size_t lanes;
    size_t rows;                       /* of a chunk; 0 where a lane is a rod */
    size_t elements;                   /* of the longest rod */
    const uint32_t *lane_elements;     /* of each lane, falling; 0 for a lane without a rod */
    size_t uniform_begin, uniform_end; /* elements whose weights and lengths are the lane's own */
    size_t uniform_turns_begin;        /* and before them, those whose wq is */
    bool isotropic_stretch;            /* shear x, shear y and stretch are equal in every lane */

    float *x, *v;  /* [particles][3] */
    float *w;      /* [particles] */
    float *length; /* [elements], or NULL when each rod has one length */
    float *force;  /* [particles][3] or NULL */

    /* Quaternion rods and PBER; row j of `rest` is for the joint of elements j and j + 1. */
    float *wq;   /* [elements]: of the quaternion or of the ghost point */
    float *rest; /* [elements][3] */

    /* Quaternion rods. */
    float *q;       /* [elements][4], w first */
    float *omega;   /* [elements][3] */
    float *torque;  /* [elements][3] or NULL */
    float *inertia; /* [elements][3] or NULL */

    /* PBER. */
    float *ghost, *ghost_v; /* [elements][3] */
    float *fall;            /* [elements]: share of gravity that the element followed */

    /* Strands; stiffness NULL when each rod has one. */
    float *angle;                  /* [elements], row j for the joint of elements j and j + 1 */
    float *stretch_stiffness;      /* [elements], as applied in an iteration */
    float *bend_stiffness;         /* [elements], the same of joints */
    float *set_stretch, *set_bend; /* both as they were set */

    const float *ahead; /* memory that will be worked on after this block, or NULL */
    size_t ahead_floats;

    float *lane_constant; /* [rod_lane_constant][lane] */
    float *flips;         /* [lane]: sign flips of this frame, written by the kernel */

    /* What the kernel keeps from frame to frame, rod_kept_floats() floats, and whether weights,
     * lengths, rest shape or stiffness changed since it did. */
    float *kept;
    bool changed;
} rod_block;

/* Rows of the arrays of elements, of particles. */
static inline size_t rod_element_rows(const rod_block *b) {
    return b->rows > 0 ? b->rows : b->elements;
}

static inline size_t rod_particle_rows(const rod_block *b) {
    return b->rows > 0 ? b->rows : b->elements + 1;
}

/* Where the first component of entry `index` of a lane's rod is. */
static inline size_t rod_offset(const rod_block *b, size_t lane, size_t index, size_t components) {
    if (b->rows > 0)
        return index % b->rows * components * b->lanes + index / b->rows;
    return index * components * b->lanes + lane;
}

enum rod_lane_constant {
    ROD_LANE_LENGTH,   /* rest length of the uniform elements */
    ROD_LANE_WEIGHT,   /* inverse mass in the uniform range; 0 in a lane without a rod */
    ROD_LANE_WEIGHT_Q, /* orientation weight in the uniform range */
    ROD_LANE_SHEAR_X,
    ROD_LANE_SHEAR_Y,
    ROD_LANE_STRETCH,
    ROD_LANE_BEND_X,
    ROD_LANE_BEND_Y,
    ROD_LANE_TWIST,
    ROD_LANE_GHOST, /* distance of a ghost point from its element */
    ROD_LANE_CURVE, /* quaternion rods: a little more than the longest rest vector */
    ROD_LANE_SET,   /* from here on the six stiffnesses as they were set; those above are applied */
    ROD_LANE_CONSTANTS = ROD_LANE_SET + 6
};

typedef struct {
    float dt, damping;
    float rigid_damping; /* see rod_step_settings; muller2007 section 3.5 */
    float gravity[3];
    size_t iterations;
    rod_order order;
} rod_frame;

/* `scratch` holds rod_scratch_floats() floats, 64-byte aligned; its contents do not matter. */
typedef void rod_kernel(const rod_block *block, const rod_frame *frame, float *scratch);

/* Enough for the working state of any kernel: predictions, a copy of them, coefficients. */
enum { ROD_SCRATCH_ROW = 32 };

static inline size_t rod_scratch_floats(size_t elements, size_t lanes) {
    return ROD_SCRATCH_ROW * (elements + 2) * lanes + 64;
}

/* Rows of a chunk: all particles find room, and a row has one colour in all lanes. */
static inline size_t rod_chunk_rows(size_t elements, size_t lanes, size_t colours) {
    return (elements + colours * lanes) / (colours * lanes) * colours;
}

/* Enough for what a kernel keeps of the whole rod and, if it is chunked, of each row of lanes; of
 * quaternion rods then also in a line of numbers of each element and of some behind each end of
 * both halves of the rod. */
enum { ROD_KEPT_ROW = 20, ROD_KEPT_CONSTANTS = 16, ROD_KEPT_LINE = 22, ROD_KEPT_LINES = 20 };
enum { ROD_KEPT_POINT_ROW = 17 };

static inline size_t rod_kept_floats(const rod_block *b, rod_method method) {
    if (b->rows == 0)
        return ROD_KEPT_CONSTANTS * b->lanes;
    if (method != ROD_METHOD_QUATERNION)
        return (ROD_KEPT_POINT_ROW * b->rows + ROD_KEPT_CONSTANTS) * b->lanes;
    return (ROD_KEPT_ROW * b->rows + ROD_KEPT_CONSTANTS) * b->lanes + 2 * b->rows +
           ROD_KEPT_LINE * (b->elements + ROD_KEPT_LINES);
}

#endif
