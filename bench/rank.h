/* Who is faster, from timings that were taken in turns. */
#ifndef RODBENCH_RANK_H
#define RODBENCH_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* How many times as long one takes as another: the middle of the rounds, and between which values
 * it lies with 95 % confidence. */
typedef struct {
    double ratio, low, high;
} rank_ratio;

/* Hodges and Lehmann's middle, the median of the means of all pairs: next to nothing moves it that
 * is far out, and it mostly wanders less than a median of the values does (ratios in 16 memories:
 * by 0.67 instead of 0.83 %, of 12 pairs of variants for 9). NaN without values or memory. */
double rank_middle(const double *values, size_t count);

/* All of fewer rounds lie on one side of the middle once in 16 times or more often. */
enum { RANK_LEAST = 6 };

/* Ratios within a round: what slowed the machine down then slowed both. From Wilcoxon's signed
 * ranks, without a belief in any distribution but that it is symmetric, as ratios of equals are.
 * Fewer than RANK_LEAST rounds say nothing: 0 to infinity. */
rank_ratio rank_compare(const double *slower, const double *faster, size_t rounds);

/* Below this a difference is not worth another choice, even if it is real; who is measured above it
 * is not chosen, even if it may be noise. */
#define RANK_WORTH 1.01

/* Who takes no longer than this beyond doubt is as good as equal. */
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
