/* Where the rods of a scene are in chosen frames: what pictures and the player of the report show.
 */
#ifndef RODBENCH_SNAPSHOT_H
#define RODBENCH_SNAPSHOT_H

#include "simulation.h"

typedef struct {
    rod_method method;
    size_t rods, elements, iterations;
    size_t frame;     /* that had been simulated; fewer than asked for when the scene was over */
    float *positions; /* 3 for each particle, rod by rod */
    float *sides;     /* the first axis of each orientation, 3 for each element; NULL of strands */
} snapshot;

/* Plays a scene and takes a snapshot at each of `count` frames, which rise. On failure none is left
 * to release. */
rod_status snapshots_take(const simulation *what, const size_t *frames, size_t count,
                          snapshot *taken);

void snapshots_release(snapshot *taken, size_t count);

#endif
