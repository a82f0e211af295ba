/* The four constraints of position-based elastic rods (Umetani, Schmidt & Stam 2014, "USS14",
 * section 5) on vectors of rods, and the memory that they work in. */
#ifndef ROD_PBER_PROJECT_H
#define ROD_PBER_PROJECT_H

/* A row of state: px py pz gx gy gz, the last with a particle only. */
enum { STATE_GHOST = 3, STATE_ROW = 6, REST_ROW = 3 };

/* Of an element: its length, the shares in which eq. 18 moves its ends and eq. 20 its ends and its
 * ghost, and weights for eq. 19. Of the joint that follows: weights for eq. 21. Weights are
 * relative to the largest in their constraint. */
enum {
    LENGTH,
    EDGE_A,
    EDGE_B,
    GHOST_A,
    GHOST_B,
    GHOST_G,
    WEIGHT_A,
    WEIGHT_B,
    WEIGHT_G,
    JOINT_A,
    JOINT_B,
    JOINT_C,
    JOINT_G,
    JOINT_H,
    COEFFICIENT_ROW
};

enum {
    U_SCALE,
    U_UNSCALE,
    U_GHOST_LENGTH, /* for all elements, uniform or not */
    U_LENGTH,
    U_EDGE,
    U_EDGE_BOTH,
    U_GHOST_P,
    U_GHOST_G,
    U_WEIGHT,
    U_WEIGHT_BOTH,
    U_WEIGHT_G,
    U_TILT,
    U_JOINT_G,      /* for eq. 21, relative to the particles */
    U_HALF_ALPHA_X, /* of eq. 21, for all joints */
    U_HALF_ALPHA_Y,
    U_HALF_ALPHA_Z,
    UNIFORM_ROW
};

/* A joint is long enough a chain, and wide enough, for two to fill the CPU; more would only spill.
 */
enum { JOINTS_ABREAST = 2 };

#include "place.h"
#include "scale.h"

#include "pber_edge.h"
#include "pber_joint.h"

#endif
