/* The order in which a sweep visits the constraints of a rod. */
#ifndef ROD_ORDER_H
#define ROD_ORDER_H

#include "rod.h"

/* In red-black order: how many sets a method's constraints fall into, each of constraints that
 * share nothing. Joints of quaternion rods share an orientation with their neighbours only; those
 * of the other two have a particle in common with the next but one, too. */
static inline size_t rod_colours(rod_method method) {
    return method == ROD_METHOD_QUATERNION ? 2 : 3;
}

/* The k-th when those of each colour follow one another. */
static inline size_t rod_colour_index(rod_method method, size_t count, size_t k) {
    const size_t colours = rod_colours(method);
    size_t colour = 0, members = (count + colours - 1) / colours;
    while (k >= members) {
        k -= members;
        colour++;
        members = (count - colour + colours - 1) / colours;
    }
    return colours * k + colour;
}

/* The constraint that a sweep over `count` constraints visits as its k-th.
 *
 *   sequential  0 1 2 3 4 5
 *   bilateral   0 5 1 4 2 3      both ends towards the middle
 *   cross       0 5 2 3 4 1      even ones forward, odd ones backward, in turn
 *   redblack    0 2 4 1 3 5      quaternion rods (bender2017, 6.1.1)
 *               0 3 1 4 2 5      PBER and strands
 */
static inline size_t rod_order_index(rod_method method, rod_order order, size_t count, size_t k) {
    const size_t last_odd = 2 * (count / 2) - 1;
    switch (order) {
    case ROD_ORDER_BILATERAL:
        return k % 2 == 0 ? k / 2 : count - 1 - k / 2;
    case ROD_ORDER_CROSS:
        return k % 2 == 0 ? k : last_odd - (k - 1);
    case ROD_ORDER_REDBLACK:
        return rod_colour_index(method, count, k);
    case ROD_ORDER_SEQUENTIAL:
    default:
        return k;
    }
}

#endif
