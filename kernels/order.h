/* The order in which a sweep visits the constraints of a rod. */
#ifndef ROD_ORDER_H
#define ROD_ORDER_H

#include "rod.h"

/* The constraint that a sweep over `count` constraints visits as its k-th.
 *
 *   sequential  0 1 2 3 4 5
 *   bilateral   0 5 1 4 2 3      both ends towards the middle
 *   cross       0 5 2 3 4 1      even ones forward, odd ones backward, in turn
 *   redblack    0 2 4 1 3 5      even ones, then odd ones (bender2017, 6.1.1)
 */
static inline size_t rod_order_index(rod_order order, size_t count, size_t k) {
    const size_t even_count = (count + 1) / 2;
    const size_t last_odd = 2 * (count / 2) - 1;
    switch (order) {
    case ROD_ORDER_BILATERAL:
        return k % 2 == 0 ? k / 2 : count - 1 - k / 2;
    case ROD_ORDER_CROSS:
        return k % 2 == 0 ? k : last_odd - (k - 1);
    case ROD_ORDER_REDBLACK:
        return k < even_count ? 2 * k : 2 * (k - even_count) + 1;
    case ROD_ORDER_SEQUENTIAL:
    default:
        return k;
    }
}

#endif
