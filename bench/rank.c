#include "rank.h"

#include "clock.h"

#include <math.h>
#include <stdlib.h>

/* As many values lie below the median as heads fall in `rounds` throws of a coin: the k-th smallest
 * and the k-th largest enclose it with 95 % confidence. */
static size_t first_inside(size_t rounds) {
    const double n = (double)rounds, k = (n - 1.96 * sqrt(n)) / 2.0;
    return k > 1.0 ? (size_t)k : 0;
}

/* All of fewer lie on one side of the median once in 16 times or more often. */
enum { LEAST_ROUNDS = 6 };

rank_ratio rank_compare(const double *slower, const double *faster, size_t rounds) {
    double *ratio = rounds > 0 ? malloc(rounds * sizeof *ratio) : NULL;
    if (!ratio)
        return (rank_ratio){1.0, 0.0, INFINITY};
    for (size_t i = 0; i < rounds; i++)
        ratio[i] = slower[i] / faster[i];
    const clock_stats stats = clock_statistics(ratio, rounds);
    const size_t k = first_inside(rounds);
    rank_ratio r = {stats.median, 0.0, INFINITY};
    if (rounds >= LEAST_ROUNDS) {
        r.low = ratio[k];
        r.high = ratio[rounds - 1 - k];
    }
    free(ratio);
    return r;
}
