#include "rank.h"

#include "clock.h"

#include <math.h>
#include <stdlib.h>

static size_t pairs_of(size_t count) {
    return count * (count + 1) / 2;
}

/* The means of all pairs of values, also of each with itself, in order. NULL without any. */
static double *means_of_pairs(const double *values, size_t count, double *median) {
    double *mean = count > 0 ? malloc(pairs_of(count) * sizeof *mean) : NULL;
    if (!mean)
        return NULL;
    for (size_t i = 0, next = 0; i < count; i++)
        for (size_t j = i; j < count; j++)
            mean[next++] = 0.5 * (values[i] + values[j]);
    *median = clock_statistics(mean, pairs_of(count)).median;
    return mean;
}

double rank_middle(const double *values, size_t count) {
    double median = NAN;
    free(means_of_pairs(values, count, &median));
    return median;
}

/* How many of the means lie below the true middle is Wilcoxon's signed-rank statistic: the k-th
 * smallest and the k-th largest enclose it with 95 % confidence. */
static size_t first_inside(size_t rounds) {
    const double n = (double)rounds;
    const double k =
        n * (n + 1.0) / 4.0 - 0.5 - 1.96 * sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 24.0);
    return k > 0.0 ? (size_t)k : 0;
}

rank_ratio rank_compare(const double *slower, const double *faster, size_t rounds) {
    rank_ratio r = {1.0, 0.0, INFINITY};
    double *ratio = rounds > 0 ? malloc(rounds * sizeof *ratio) : NULL;
    for (size_t i = 0; ratio && i < rounds; i++)
        ratio[i] = slower[i] / faster[i];
    double *mean = ratio ? means_of_pairs(ratio, rounds, &r.ratio) : NULL;
    if (mean && rounds >= RANK_LEAST) {
        const size_t k = first_inside(rounds);
        r.low = mean[k];
        r.high = mean[pairs_of(rounds) - 1 - k];
    }
    free(mean);
    free(ratio);
    return r;
}
