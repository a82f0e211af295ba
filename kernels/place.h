/* Projections that go abreast: see lockstep.h. */
#ifndef ROD_PLACE_H
#define ROD_PLACE_H

#include "body.h"

/* A constraint of one vector of rods. */
typedef struct {
    size_t index;
    int stream;
} place;

/* `step` for each k of a group, written out with k a constant: a loop, even one that is unrolled,
 * leaves compilers with tasks in memory. */
#define ROD_ABREAST(k, count, step)                                                                \
    do {                                                                                           \
        ROD_STEP(k, 0, count, step);                                                               \
        ROD_STEP(k, 1, count, step);                                                               \
        ROD_STEP(k, 2, count, step);                                                               \
        ROD_STEP(k, 3, count, step);                                                               \
    } while (0)
#define ROD_STEP(k, which, count, step)                                                            \
    if ((which) < (count)) {                                                                       \
        enum { k = which };                                                                        \
        step;                                                                                      \
    }

enum { ROD_MOST_ABREAST = 4 };

#endif
