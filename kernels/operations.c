#include "operations.h"

#include <string.h>

/* What a stretch and a bend take together. Reciprocals count apart from reciprocal roots: where a
 * root is an estimate, they are its square. */
typedef struct {
    const char *method, *weights;
    size_t plain, roots, reciprocals;
    bool scaled; /* roots are of a length other than 1 */
} body;

static const body bodies[] = {
    /* stretch: strain 10, move 6, turn 12, square 4, shorten 4;
     * bend: strain 12, scale 3, turn 24, square 4, shorten 8 */
    {"quaternion", "uniform", 36 + 51, 2, 0, true},
    /* stretch: strain 12, move 6, scale 3, turn 12, square 4, shorten 4;
     * bend: strain 12, scale 6, turn 24, squares 8, shorten 8 */
    {"quaternion", "general", 41 + 58, 3, 0, true},
    /* length: edge 3, square 3, strain 4, move 6;
     * bisector: edge 3, middle 6, products 10, weights 6, gradient 3, move 15;
     * ghost distance: middle 6, square 3, strain 4, move 9;
     * joint: frames 2 x 34, relative axes 27, trace 4, matrix 72, solve 32, wanted turn 25, the
     * second edge's lambda 9, pushes 2 x 13, move 24 */
    {"pber", "uniform", 16 + 43 + 22 + 287, 6, 3, false},
    {"pber", "general", 16 + 43 + 22 + 287, 6, 3, false},
    /* distance: edge 3, square 3, strain 4, move 6;
     * bend: edges 2 x 9, cosine 3, its distance from 1 7, sine 3, arc cosine 11, weights 9, step 3,
     * gradients 14, move 12 */
    {"pbd", "uniform", 16 + 80, 5, 1, false},
    {"pbd", "general", 16 + 80, 5, 1, false},
};

/* A scale is folded into the last Newton step, whose half product is then its own. */
static size_t root_operations(const rod_variant *v, bool scaled) {
    if (strcmp(v->norm, "exact") == 0)
        return 2;
    const size_t full = strcmp(v->isa, "neon") == 0 ? 2 : 1;
    const size_t steps = strcmp(v->norm, "bare") == 0 ? full - 1 : full;
    const size_t plain = steps == 0 ? 1 : 2 + 3 * steps;
    return scaled && steps != 1 ? plain + 1 : plain;
}

static size_t reciprocal_operations(const rod_variant *v) {
    return strcmp(v->norm, "exact") == 0 ? 1 : root_operations(v, false) + 1;
}

size_t rod_operations(const rod_variant *variant) {
    if (strcmp(variant->layout, "batch") != 0)
        return 0;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const body *b = &bodies[i];
        if (strcmp(b->method, variant->method) == 0 && strcmp(b->weights, variant->weights) == 0)
            return b->plain + b->roots * root_operations(variant, b->scaled) +
                   b->reciprocals * reciprocal_operations(variant);
    }
    return 0;
}
