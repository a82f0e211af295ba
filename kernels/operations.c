#include "operations.h"

#include <string.h>

/* Of kernels/quaternion.c, without the reciprocal roots: one in a stretch, one in a uniform bend,
 * two in a general one. */
enum {
    STRETCH = 42,      /* strain 12, move 6, scale 3, turn 12, square 5, shorten 4 */
    BEND_UNIFORM = 52, /* strain 12, scale 3, turn 24, square 5, shorten 8 */
    BEND_GENERAL = 63  /* strain 12, scale 9, turn 24, squares 10, shorten 8 */
};

static size_t root_operations(const rod_variant *v) {
    if (strcmp(v->norm, "exact") == 0)
        return 2;
    const size_t full = strcmp(v->isa, "neon") == 0 ? 2 : 1;
    const size_t steps = strcmp(v->norm, "bare") == 0 ? full - 1 : full;
    return steps == 0 ? 1 : 2 + 3 * steps;
}

size_t rod_operations(const rod_variant *variant) {
    if (strcmp(variant->layout, "batch") != 0)
        return 0;
    const bool uniform = strcmp(variant->weights, "uniform") == 0;
    const size_t bend = uniform ? BEND_UNIFORM : BEND_GENERAL;
    return STRETCH + bend + (uniform ? 2 : 3) * root_operations(variant);
}
