/* A scene run until nothing moves, for rods of several sizes at once, and what is left of its
 * shape. */
#ifndef RODBENCH_SETTLE_H
#define RODBENCH_SETTLE_H

#include "simulation.h"

/* Of one rod. */
typedef struct {
    double rest_distance; /* E(n): RMS distance to the rest shape / length */
    double stretch_rms, tip_drop;
    double loop_turn; /* of a twisted rod; NaN if it did not loop */
} settled_rod;

typedef struct {
    size_t iterations;
    size_t frames; /* that it took */
    settled_rod rod[SCENE_LENGTHS];
    float *positions; /* of all rods */
} settled;

/* Runs a scene by a method with so many iterations. The result is at rest when the kinetic energy
 * is below 1e-9 l^2, or when the shape has changed by less than a hundred-thousandth in 100 frames
 * (which float32 may reach and the first never), at the latest after 3000 frames. A twisted scene
 * is played until all rods have looped, or to its end. */
rod_status settle(const scene *s, rod_method method, size_t iterations,
                  const double lengths[SCENE_LENGTHS], settled *result);

/* RMS distance of two results' particles, of one rod, / its length. */
double settled_distance(const settled *a, const settled *b, size_t rod, size_t elements,
                        double length);

#endif
