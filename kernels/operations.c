#include "operations.h"

#include <string.h>

/* What a stretch and a bend take together. Reciprocals count apart from reciprocal roots: where a
 * root is an estimate, they are its square. */
typedef struct {
    const char *method, *weights;
    size_t plain, roots, reciprocals;
    bool scaled;  /* roots are of a length other than 1, and the frame has two */
    size_t frame; /* around the solver, without roots */
} body;

static const body bodies[] = {
    /* stretch: strain 10, move 6, turn 12, square 4, shorten 4;
     * bend: strain 12, scale 3, turn 24, square 4, shorten 8 */
    {"quaternion", "uniform", 36 + 51, 2, 0, true, 112},
    /* stretch: strain 12, move 6, scale 3, turn 12, square 4, shorten 4;
     * bend: strain 12, scale 6, turn 24, squares 8, shorten 8 */
    {"quaternion", "general", 41 + 58, 3, 0, true, 141},
    /* edge: axes 9, products 9, length 2, bisector 8, ghost distance 7, move 29;
     * joint: frames 2 x 33, relative axes 24, matrix 52, wanted turn 21, determinant 20, solution
     * 12, the second edge's lambda 9, pushes 2 x 5, move 32 */
    {"pber", "uniform", 64 + 246, 6, 2, false, 71},
    /* edge: sums and differences of the ends' weights 23; joint: weights in the matrix 9, in the
     * move 8 */
    {"pber", "general", 64 + 23 + 246 + 17, 6, 2, false, 97},
    /* distance: edge 3, square 3, strain 4, move 6;
     * bend: edges 2 x 9, cosine 3, its distance from 1 7, sine 3, sum of squares 4, arc cosine and
     * step 13, gradients 8, move 12 */
    {"pbd", "uniform", 16 + 68, 5, 1, false, 21},
    /* bend: weights in the sum 3, in the move 4 */
    {"pbd", "general", 16 + 68 + 7, 5, 1, false, 37},
};

/* A scale is folded into the last Newton step, whose half product is then its own. */
static size_t root_operations(const char *norm, const char *isa, bool scaled) {
    if (strcmp(norm, "exact") == 0)
        return 2;
    const size_t full = strcmp(isa, "neon") == 0 ? 2 : 1;
    const size_t steps = strcmp(norm, "bare") == 0 ? full - 1 : full;
    const size_t plain = steps == 0 ? 1 : 2 + 3 * steps;
    return scaled && steps != 1 ? plain + 1 : plain;
}

static size_t reciprocal_operations(const rod_variant *v) {
    return strcmp(v->norm, "exact") == 0 ? 1 : root_operations(v->norm, v->isa, false) + 1;
}

static const body *body_of(const rod_variant *v) {
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (strcmp(v->layout, "batch") == 0 && strcmp(bodies[i].method, v->method) == 0 &&
            strcmp(bodies[i].weights, v->weights) == 0)
            return &bodies[i];
    return NULL;
}

size_t rod_operations(const rod_variant *variant) {
    const body *b = body_of(variant);
    return b ? b->plain + b->roots * root_operations(variant->norm, variant->isa, b->scaled) +
                   b->reciprocals * reciprocal_operations(variant)
             : 0;
}

/* Of the two roots, that of the update is never a bare one. */
size_t rod_frame_operations(const rod_variant *variant) {
    const body *b = body_of(variant);
    if (!b || !b->scaled)
        return b ? b->frame : 0;
    const char *full = strcmp(variant->norm, "bare") == 0 ? "newton" : variant->norm;
    return b->frame + root_operations(variant->norm, variant->isa, true) +
           root_operations(full, variant->isa, false);
}
