/* What the sweeps of all bodies share. A body includes this after its element_stream and
 * joint_stream, one projection in one stream, and its element_streams and joint_streams, the
 * general way in both streams in lockstep. */
#ifndef ROD_SWEEP_H
#define ROD_SWEEP_H

#include "body.h"
#include "order.h"

/* Bilateral and cross orders depend on the length of a rod: see solve_by_length(). */
static inline bool needs_passes(const rod_block *b, rod_order order) {
    if (order == ROD_ORDER_SEQUENTIAL || order == ROD_ORDER_REDBLACK)
        return false;
    for (size_t lane = 1; lane < b->lanes; lane++)
        if (b->lane_elements[lane] > 0 && b->lane_elements[lane] != b->lane_elements[0])
            return true;
    return false;
}

/* The general way for the few elements at the ends of a uniform range, out of line: inlined into
 * every sweep of every instance it would be most of the library. */
typedef void project_one(const work *s, size_t index);

#define ROD_GENERAL_PROJECTIONS(norm)                                                              \
    static void element_one_##norm(const work *s, size_t e) {                                      \
        if (s->unroll == 2)                                                                        \
            element_streams(s, e, NORM_##norm);                                                    \
        else                                                                                       \
            element_stream(s, e, 0, false, NORM_##norm);                                           \
    }                                                                                              \
    static void joint_one_##norm(const work *s, size_t joint) {                                    \
        if (s->unroll == 2)                                                                        \
            joint_streams(s, joint, NORM_##norm);                                                  \
        else                                                                                       \
            joint_stream(s, joint, 0, false, NORM_##norm);                                         \
    }

ROD_GENERAL_PROJECTIONS(exact)
ROD_GENERAL_PROJECTIONS(newton)
ROD_GENERAL_PROJECTIONS(bare)

static project_one *const element_one[] = {element_one_exact, element_one_newton, element_one_bare};
static project_one *const joint_one[] = {joint_one_exact, joint_one_newton, joint_one_bare};

#endif
