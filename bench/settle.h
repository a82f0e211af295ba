/* A scene run until nothing moves, for rods of several sizes at once, and what is left of its
 * shape. */
#ifndef RODBENCH_SETTLE_H
#define RODBENCH_SETTLE_H

#include "simulation.h"

/* Of one rod. */
typedef struct {
    double rest_distance; /* E(n): RMS distance to the rest shape / length */
    double edge_error;    /* RMS of |edge| / rest length - 1: the same for all methods */
    double tip_drop;
    size_t frames;    /* after which it was still, and stayed so */
    bool is_still;    /* false: it still moved after SETTLE_MOST_FRAMES */
    double loop_turn; /* of a twisted rod; NaN if it did not loop */
} settled_rod;

typedef struct {
    size_t iterations;
    settled_rod rod[SCENE_LENGTHS];
    float *positions; /* of all rods */
} settled;

enum { SETTLE_MOST_FRAMES = 3000 };

/* Runs a scene by a method with so many iterations, a rod of each element length. The result is at
 * rest when the kinetic energy is below 1e-9 l^2, or when the shape has changed by less than a
 * hundred-thousandth in 100 frames (which float32 may reach and the first never), at the latest
 * after 3000 frames; rods that are still go on until all are. A twisted scene is played until all
 * rods have looped, or to its end.
 */
rod_status settle(const scene *s, rod_method method, size_t iterations, const double *lengths,
                  size_t length_count, settled *result);

/* RMS distance of two results' particles, of one rod, / its length. */
double settled_distance(const settled *a, const settled *b, size_t rod, size_t elements,
                        double length);

#endif
