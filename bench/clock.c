#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "clock.h"

#include <stdlib.h>
#include <time.h>

static double clock_seconds(clockid_t id) {
    struct timespec now = {0};
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_thread_seconds(void) {
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

double clock_wall_seconds(void) {
    return clock_seconds(CLOCK_MONOTONIC);
}

static int clock_compare(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

clock_stats clock_statistics(double *samples, size_t count) {
    if (count == 0) {
        return (clock_stats){0};
    }
    qsort(samples, count, sizeof *samples, clock_compare);
    return (clock_stats){
        .min = samples[0],
        .median = 0.5 * (samples[(count - 1) / 2] + samples[count / 2]),
        .max = samples[count - 1],
        .count = count,
    };
}
