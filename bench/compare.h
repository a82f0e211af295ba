/* Two results of the same table, row by row. */
#ifndef RODBENCH_COMPARE_H
#define RODBENCH_COMPARE_H

#include "json_read.h"

#include <stdio.h>

/* What was measured of one row, in both files. */
typedef struct {
    double min, median;
} compare_time;

typedef enum {
    COMPARE_SAME,
    COMPARE_FASTER,
    COMPARE_SLOWER,
    COMPARE_UNKNOWN, /* too few rounds to know the noise */
    COMPARE_VERDICTS
} compare_verdict;

typedef struct {
    char row[160];    /* what it is of: "scene2, pber, 18" */
    char measure[64]; /* "rod in a batch" */
    char unit[32];
    compare_time a, b;
    double ratio;     /* a / b of the minima: above 1 the second is faster */
    double low, high; /* the noise bar: minimum against median, both ways round; as much as is usual
                       * in its file at least */
    compare_verdict verdict;
} compare_row;

typedef struct {
    compare_row *rows;
    size_t count, room;
    size_t only_in_a, only_in_b; /* rows without a partner */
    double noise_a, noise_b;     /* median over the rows of median / minimum */
    bool few_rounds;             /* in one of the files */
    bool failed;                 /* memory ran out */
} comparison;

/* Rounds from which on a median says something of the noise. */
enum { COMPARE_ROUNDS = 5 };

/* What differs less than this is not claimed to differ, however quiet the machine was. */
#define COMPARE_LEAST 0.05

enum { COMPARE_REFUSAL_SIZE = 192 };

/* Whether this is a table that can be compared; `why` says in a line why it is not. */
bool compare_accepts(const json_value *table, char why[COMPARE_REFUSAL_SIZE]);

void compare_tables(comparison *c, const json_value *a, const json_value *b);
void compare_finish(comparison *c);

const char *compare_verdict_text(compare_verdict verdict);

/* The ratios with their bars, SVG. The names are of the two files. */
void compare_chart(const comparison *c, const char *name_a, const char *name_b, FILE *file);

#endif
