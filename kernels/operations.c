#include "operations.h"

#include <string.h>

/* What a stretch and a bend take together. Reciprocals count apart from reciprocal roots: where a
 * root is an estimate, they are its square. */
typedef struct {
    const char *method, *weights;
    rod_operation_count plain;
    size_t roots, reciprocals;
    bool scaled;               /* roots are of a length other than 1, and the frame has some */
    rod_operation_count frame; /* around the solver, without roots */
} body;

static const body bodies[] = {
    /* stretch: strain 12, of which 3 differences; move 6, all sums; turn 12, square 4, shorten 4;
     * bend: strain 12, scale 3, turn 24, square 4, shorten 8 */
    {"quaternion", "uniform", {38 + 51, 9}, 2, 0, true, {91, 18}},
    /* stretch: strain 12, move 6, scale 3, turn 12, square 4, shorten 4;
     * bend: strain 12, scale 6, turn 24, squares 8, shorten 8 */
    {"quaternion", "general", {41 + 58, 3}, 3, 0, true, {117, 21}},
    /* edge: axes 9, products 9, length 2, bisector 8, ghost distance 7, move 29;
     * joint: frames 2 x 33, relative axes 24, matrix 52, wanted turn 21, determinant 20, solution
     * 12, the second edge's lambda 9, pushes 2 x 5, move 32 */
    {"pber", "uniform", {64 + 246, 35}, 6, 2, false, {71, 15}},
    /* edge: sums and differences of the ends' weights 23; joint: weights in the matrix 9, in the
     * move 8 */
    {"pber", "general", {64 + 23 + 246 + 17, 42}, 6, 2, false, {97, 22}},
    /* distance: edge 3, square 3, strain 4, move 6;
     * bend: edges 2 x 9, cosine 3, its distance from 1 7, sine 3, sum of squares 4, arc cosine and
     * step 13, gradients 8, move 12 */
    {"pbd", "uniform", {16 + 68, 16}, 5, 1, false, {21, 3}},
    /* bend: weights in the sum 3, in the move 4 */
    {"pbd", "general", {16 + 68 + 7, 16}, 5, 1, false, {37, 8}},
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

rod_operation_count rod_operations(const rod_variant *variant) {
    const body *b = body_of(variant);
    if (!b)
        return (rod_operation_count){0};
    rod_operation_count count = b->plain;
    count.all += b->roots * root_operations(variant->norm, variant->isa, b->scaled) +
                 b->reciprocals * reciprocal_operations(variant);
    return count;
}

/* Quaternion rods: where the solver leaves units (leaves_units(); bare roots never do), a look at
 * whether they are, else a root. */
static rod_operation_count unit_operations(const rod_variant *variant, rod_order order) {
    const bool bare = strcmp(variant->norm, "bare") == 0;
    if (!bare && (order == ROD_ORDER_SEQUENTIAL || order == ROD_ORDER_BILATERAL))
        return (rod_operation_count){1, 1};
    const char *norm = bare ? "newton" : variant->norm;
    return (rod_operation_count){4 + root_operations(norm, variant->isa, false), 0};
}

rod_operation_count rod_frame_operations(const rod_variant *variant, rod_order order) {
    const body *b = body_of(variant);
    if (!b)
        return (rod_operation_count){0};
    rod_operation_count count = b->frame;
    if (b->scaled) {
        const rod_operation_count unit = unit_operations(variant, order);
        count.all += root_operations(variant->norm, variant->isa, true) + unit.all;
        count.additions += unit.additions;
    }
    return count;
}
