/* How many arithmetic vector operations the bodies spend on one element. */
#ifndef ROD_OPERATIONS_H
#define ROD_OPERATIONS_H

#include "registry.h"

/* In one iteration: one stretch and one bend on the way that the variant takes for most elements; a
 * multiply-add is one operation, a reciprocal root with its Newton steps several. 0 for the
 * single-rod layouts, which are not counted. tests/test_operations_*.c check the numbers. */
size_t rod_operations(const rod_variant *variant);

/* The same for one element in one frame, of all that is around the solver. */
size_t rod_frame_operations(const rod_variant *variant);

#endif
