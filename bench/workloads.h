/* Workloads that show how near the kernels come to what the hardware allows. */
#ifndef RODBENCH_WORKLOADS_H
#define RODBENCH_WORKLOADS_H

#include "contest.h"

/* What a workload's time is compared with. */
typedef enum {
    AGAINST_NOTHING,
    AGAINST_TEXTBOOK,  /* the scalar textbook in sequential order, on one rod */
    AGAINST_UNIFORM,   /* the same variant's sibling for uniform weights */
    AGAINST_ONE_THREAD /* the same on one thread */
} workload_against;

typedef struct {
    const char *key, *what;
    rod_method method;
    const char *isa;     /* NULL: any that is native */
    const char *weights; /* NULL: any */
    const char *orders;  /* names of those to choose from */
    const char *scene;
    size_t rods, elements, iterations;
    size_t more_iterations; /* not 0: one iteration is timed, by the difference to so many */
    size_t threads;
    workload_against against;
} workload;

size_t workloads_count(void);

typedef struct {
    const workload *workload;
    const rod_variant *variant; /* the fastest; NULL where none is native here */
    rod_order order;
    double bytes; /* that a frame moves */
    /* Of a frame or, with more_iterations, of one iteration of the whole batch. The median of a
     * difference is the difference of medians. */
    double seconds_min, seconds_median;
    double against_min, against_median; /* the same of what it is compared with; 0: nothing */
    double bound;                       /* seconds at the measured peak; 0: unknown */
} workload_result;

/* Of a round, all in one memory; the shortest counts. */
enum { WORKLOADS_TURNS = 3 };

/* Chooses the fastest full-accuracy variant for each workload, then measures all of them and what
 * they are compared with in so many rounds, in turns, each round in other memory: where a batch
 * lies costs up to a tenth. At most PLACEMENTS_MOST. `results` has room for workloads_count().
 * `only`: the key of one that alone is measured, and the others stay without a workload; or NULL.
 */
rod_status workloads_run(workload_result *results, size_t rounds, const char *only);

/* NULL when there is none of that key. */
const workload *workload_named(const char *key);

#endif
