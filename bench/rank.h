/* Who is faster, from timings that were taken in turns. */
#ifndef RODBENCH_RANK_H
#define RODBENCH_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* How many times as long one takes as another: the median over the rounds, and between which values
 * it lies with 95 % confidence. */
typedef struct {
    double ratio, low, high;
} rank_ratio;

/* Ratios within a round: what slowed the machine down then slowed both. From order statistics,
 * without a belief in any distribution. Fewer than 6 rounds say nothing: 0 to infinity. */
rank_ratio rank_compare(const double *slower, const double *faster, size_t rounds);

/* Below this a difference is not worth another choice, even if it is real. */
#define RANK_WORTH 1.01

/* At most so much may be lost by taking the simpler of two that are called equal. */
#define RANK_TIE 1.02

/* Slower beyond doubt, by what is worth it. */
static inline bool rank_is_slower(const rank_ratio *r) {
    return r->low > RANK_WORTH;
}

/* No more rounds are needed to tell: slower, or as good as equal. */
static inline bool rank_is_settled(const rank_ratio *r) {
    return rank_is_slower(r) || r->high <= RANK_TIE;
}

#endif
