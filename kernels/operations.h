/* How many arithmetic vector operations the bodies spend on one element. */
#ifndef ROD_OPERATIONS_H
#define ROD_OPERATIONS_H

#include "registry.h"

/* A multiply-add is one operation, a reciprocal root with its Newton steps several. Additions and
 * subtractions are known apart: some CPUs do them beside multiply-adds. */
typedef struct {
    size_t all, additions;
} rod_operation_count;

/* In one iteration: one stretch and one bend on the way that the variant takes for most elements. 0
 * for the single-rod layouts, which are not counted. tests/test_operations_*.c check the numbers.
 */
rod_operation_count rod_operations(const rod_variant *variant);

/* The same for one element in one frame of this order, of all that is around the solver where
 * nothing turns violently. */
rod_operation_count rod_frame_operations(const rod_variant *variant, rod_order order);

#endif
