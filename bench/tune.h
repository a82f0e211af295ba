/* Measures which kernel variant is the fastest for each class of batches.
 *
 * Of a method, shape and order, every variant that competes is timed alone, briefly; those that are
 * near the fastest of an accuracy enter the final, in which all take turns, each round in other
 * memory, until the ranking is clear or time is up. */
#ifndef RODBENCH_TUNE_H
#define RODBENCH_TUNE_H

#include "choice.h"
#include "rank.h"

enum { TUNE_RANKED = 8 };

typedef struct {
    const rod_variant *variant;
    double seconds;     /* of a frame, the middle of the rounds */
    rank_ratio against; /* the fastest */
} tune_place;

typedef enum {
    TUNE_NONE,  /* nobody competes */
    TUNE_CLEAR, /* the fastest, beyond doubt */
    TUNE_TIE    /* others may be as fast: the simplest of those within 1 % is chosen */
} tune_verdict;

typedef struct {
    tune_verdict verdict;
    const rod_variant *chosen;
    tune_place place[TUNE_RANKED]; /* the fastest first */
    size_t places;                 /* that are filled */
    tune_place watched;            /* of the watched variant, whatever its place */
    size_t measured;               /* variants that competed */
    size_t rounds;                 /* of the final */
    bool settled;                  /* whether more rounds would tell nothing */
    double element_iterations;     /* in a frame */
} tune_result;

/* How large the batches are that stand for a shape. */
typedef struct {
    size_t rods, elements, iterations;
} tune_workload;

tune_workload tune_workload_of(rod_shape_class shape, bool quick);

/* Whether a variant may win: native, usable, verified. */
bool tune_competes(const rod_variant *variant, bool verified);

/* Measures one method, shape and order; results of all accuracies. `verified` is by the variants'
 * index in the registry, `deadline` a time of clock_wall_seconds: what was begun is ended.
 * `watched` (or NULL) is in the final in any case. */
rod_status tune_measure(const rod_class *c, const tune_workload *w, const bool *verified,
                        const rod_variant *watched, double deadline,
                        tune_result results[ROD_ACCURACIES]);

/* Runs verification, for so many frames, of all that is native here, and fills in who passed. Names
 * those who fail on standard error and counts them. False without memory. */
bool tune_verify(size_t frames, bool *verified, size_t *failed);

/* Of those that are tied, the committed default is the simplest, then who keeps fewer vectors in
 * flight, a plain batch, no estimates of roots, narrower vectors, who is earlier in the registry.
 */
bool tune_is_simpler(const rod_variant *a, const rod_variant *b, const rod_class *c);

/* Fills in verdict and choice: of those that take less than RANK_WORTH times as long as the first
 * of the places, and may be as fast, the simplest. */
void tune_choose(const rod_class *c, tune_result *r);

/* Why the chosen one was chosen, in a few words. */
void tune_reason(const tune_result *r, char *text, size_t size);

#endif
