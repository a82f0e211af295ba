/* A scene by every method against the iterations. */
#ifndef RODBENCH_SWEEP_H
#define RODBENCH_SWEEP_H

#include "contest.h"
#include "settle.h"

/* A sweep's counts of iterations, and the lengths of an element; the scenes' own is the third. */
enum { SWEEP_COUNTS = 12, SWEEP_OWN_LENGTH = 2 };
extern const size_t sweep_counts[SWEEP_COUNTS];
extern const double sweep_lengths[SCENE_LENGTHS];

/* Far beyond what anyone runs: taken as converged, and where the search for equal quality ends. */
enum { SWEEP_CONVERGED = 1000, SWEEP_MOST_ITERATIONS = 2048 };

/* All that was run by one method, by rising iterations. */
typedef struct {
    settled *run;
    size_t count, room;
} sweep_series;

typedef struct {
    const scene *scene;
    size_t rounds;
    sweep_series of[ROD_METHODS];
    clock_stats time[ROD_METHODS][SWEEP_COUNTS]; /* seconds of a frame of one rod */
    rod_status status;                           /* of the first thing that went wrong */
} sweep;

/* Runs and times every count of every method. To be finished in any case; see `status`. */
void sweep_run(sweep *s, const scene *scene, size_t rounds);
void sweep_finish(sweep *s);

/* What a method comes to with so many iterations, run now if it was not before. NULL on failure.
 * The pointer is good until the next call. */
const settled *sweep_result(sweep *s, rod_method method, size_t iterations);

/* The smallest count at which PBER is no further from its rest shape than `distance`, as far as
 * that falls with the iterations, to a hundredth. NULL if there is none, or on failure. */
const settled *sweep_equal_quality(sweep *s, size_t rod, double distance);

#endif
