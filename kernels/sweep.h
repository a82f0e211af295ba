/* Sweeps over the elements, then the joints, of a block in any order. A body includes this after
 * its element_stream and joint_stream. */
#ifndef ROD_SWEEP_H
#define ROD_SWEEP_H

#include "body.h"
#include "order.h"

/* The general way for the few elements at the ends of a uniform range, out of line: inlined into
 * every sweep of every instance it would be most of the library. */
typedef void project_one(const work *s, size_t index);

#define ROD_GENERAL_PROJECTIONS(norm)                                                              \
    static void element_one_##norm(const work *s, size_t e) {                                      \
        for (int stream = 0; stream < s->unroll; stream++)                                         \
            element_stream(s, e, stream, false, NORM_##norm);                                      \
    }                                                                                              \
    static void joint_one_##norm(const work *s, size_t joint) {                                    \
        for (int stream = 0; stream < s->unroll; stream++)                                         \
            joint_stream(s, joint, stream, false, NORM_##norm);                                    \
    }

ROD_GENERAL_PROJECTIONS(exact)
ROD_GENERAL_PROJECTIONS(newton)
ROD_GENERAL_PROJECTIONS(bare)

static project_one *const element_one[] = {element_one_exact, element_one_newton, element_one_bare};
static project_one *const joint_one[] = {joint_one_exact, joint_one_newton, joint_one_bare};

ROD_INLINE void element_fast(const work *s, size_t e, instance i) {
    element_stream(s, e, 0, i.uniform, i.norm);
    if (i.unroll == 2)
        element_stream(s, e, 1, i.uniform, i.norm);
}

ROD_INLINE void joint_fast(const work *s, size_t joint, instance i) {
    joint_stream(s, joint, 0, i.uniform, i.norm);
    if (i.unroll == 2)
        joint_stream(s, joint, 1, i.uniform, i.norm);
}

/* Any order, as rod_order_index has it. */
ROD_INLINE void sweep_by_index(const work *s, rod_order order, instance i) {
    const work known = specialised(s, i);
    const size_t n = s->elements;
    for (size_t k = 0; k < n; k++) {
        const size_t e = rod_order_index(order, n, k);
        fetch_ahead(s);
        if (is_fast(s, e))
            element_fast(&known, e, i);
        else
            element_one[i.norm](s, e);
    }
    for (size_t k = 0; k + 1 < n; k++) {
        const size_t joint = rod_order_index(order, n - 1, k);
        fetch_ahead(s);
        if (is_fast(s, joint + 1))
            joint_fast(&known, joint, i);
        else
            joint_one[i.norm](s, joint);
    }
}

#endif
