/* Time, and what a set of timings says. */
#ifndef RODBENCH_CLOCK_H
#define RODBENCH_CLOCK_H

#include <stddef.h>

/* CPU time of the calling thread: what other programs do on the machine is not in it. */
double clock_thread_seconds(void);

/* Time that passes, also while other programs run; from an arbitrary start, never set back. */
double clock_wall_seconds(void);

typedef struct {
    double min;
    double median;
    double max;
    size_t count;
} clock_stats;

/* Sorts the samples in place. All zero without samples. */
clock_stats clock_statistics(double *samples, size_t count);

#endif
