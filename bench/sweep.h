/* A scene by every method against the iterations. */
#ifndef RODBENCH_SWEEP_H
#define RODBENCH_SWEEP_H

#include "contest.h"
#include "settle.h"

/* A sweep's counts of iterations. */
enum { SWEEP_COUNTS = 12 };
extern const size_t sweep_counts[SWEEP_COUNTS];

/* Where the search for equal quality ends, far beyond what anyone runs. */
enum { SWEEP_MOST_ITERATIONS = 2048 };

/* Loops do not converge in as many iterations as anyone runs, and scatter: all of these together
 * are what a loop is compared with. */
enum { SWEEP_REFERENCES = 4 };
extern const size_t sweep_references[SWEEP_REFERENCES];

/* All that was run by one method, by rising iterations. */
typedef struct {
    settled *run;
    size_t count, room;
} sweep_series;

typedef struct {
    const scene *scene;
    size_t rounds;
    size_t most;                   /* iterations of any run */
    size_t counts;                 /* of sweep_counts that are not above */
    double lengths[SCENE_LENGTHS]; /* of an element */
    size_t length_count;
    size_t own; /* the length whose rows are shown */
    sweep_series of[ROD_METHODS];
    clock_stats time[ROD_METHODS][SWEEP_COUNTS]; /* seconds of a frame of one rod */
    rod_status status;                           /* of the first thing that went wrong */
} sweep;

/* Runs and times every count of every method up to `most`, for elements of 0.1, 0.2, 0.3248 (the
 * scenes' own) and 1, or for those of one `length` that is not 0. To be finished in any case; see
 * `status`. */
void sweep_run(sweep *s, const scene *scene, double length, size_t most, size_t rounds);
void sweep_finish(sweep *s);

/* The variant that times were taken of. */
const rod_variant *sweep_variant(const sweep *s, rod_method method);

/* What a method comes to with so many iterations, run now if it was not before. NULL on failure.
 * The pointer is good until the next call. */
const settled *sweep_result(sweep *s, rod_method method, size_t iterations);

/* The smallest count at which PBER is no further from its rest shape than `distance`, as far as
 * that falls with the iterations, to a hundredth. NULL if there is none, or on failure. */
const settled *sweep_equal_quality(sweep *s, size_t rod, double distance);

/* The turns at which a method's rod loops in the runs of sweep_references. */
typedef struct {
    double least, median, most; /* NaN unless all of them loop */
} sweep_turns;

/* Whether none of sweep_references is above what may be run. */
bool sweep_has_references(const sweep *s);

sweep_turns sweep_reference_turns(sweep *s, rod_method method, size_t rod);

#endif
