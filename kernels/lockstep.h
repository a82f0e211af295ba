/* Independent projections in lockstep.
 *
 * A projection is a chain of dependent operations, each of which takes four cycles, and a CPU's
 * scheduler holds fewer operations than two projections have: it overlaps what stands near in the
 * program, not what stands behind it. So a projection is written in steps, and each step is taken
 * for all projections of a group before the next: the vectors of rods of an instance and, where the
 * order has them, two constraints of a rod that share no point.
 *
 * A body includes this after its project_elements, project_joints and JOINTS_ABREAST, how many
 * joints are worth a group. */
#ifndef ROD_LOCKSTEP_H
#define ROD_LOCKSTEP_H

#include "sweep.h"

/* From this distance on, two elements, two joints share no point. */
enum { ELEMENT_REACH = 2, JOINT_REACH = 3 };

ROD_INLINE bool share_no_point(size_t a, size_t b, size_t reach) {
    return a + reach <= b || b + reach <= a;
}

/* Strands are swept alike. */
ROD_INLINE size_t index_of(rod_order order, size_t count, size_t k) {
    return rod_order_index(ROD_METHOD_PBER, order, count, k);
}

/* The constraints a and b, or a alone, of all streams. */
typedef struct {
    place at[4];
    int count;
} group;

ROD_INLINE group group_of(size_t a, size_t b, bool both, int unroll) {
    if (unroll == 2)
        return (group){{{a, 0}, {a, 1}, {b, 0}, {b, 1}}, both ? 4 : 2};
    return (group){{{a, 0}, {b, 0}}, both ? 2 : 1};
}

ROD_INLINE void elements_fast(const work *s, size_t a, size_t b, bool both, instance i) {
    const group g = group_of(a, b, both, i.unroll);
    project_elements(s, g.at, g.count, i.uniform, i.norm);
}

ROD_INLINE void joints_fast(const work *s, size_t a, size_t b, bool both, instance i) {
    const group g = group_of(a, b, both, i.unroll);
    project_joints(s, g.at, g.count, i.uniform, i.norm);
}

ROD_INLINE void sweep_elements(const work *s, rod_order order, instance i) {
    const work known = specialised(s, i);
    const size_t n = s->elements;
    for (size_t k = 0; k < n; k++) {
        const size_t e = index_of(order, n, k);
        const size_t next = k + 1 < n ? index_of(order, n, k + 1) : e;
        fetch_ahead(s);
        if (!is_fast(s, e)) {
            element_one[i.norm](s, e);
        } else if (is_fast(s, next) && share_no_point(e, next, ELEMENT_REACH)) {
            elements_fast(&known, e, next, true, i);
            k++;
        } else {
            elements_fast(&known, e, e, false, i);
        }
    }
}

ROD_INLINE void sweep_joints(const work *s, rod_order order, instance i) {
    const work known = specialised(s, i);
    const size_t n = s->elements - 1;
    for (size_t k = 0; k + 1 < s->elements; k++) {
        const size_t joint = index_of(order, n, k);
        const size_t next = k + 1 < n ? index_of(order, n, k + 1) : joint;
        fetch_ahead(s);
        if (!is_fast(s, joint + 1)) {
            joint_one[i.norm](s, joint);
        } else if (2 * i.unroll <= JOINTS_ABREAST && is_fast(s, next + 1) &&
                   share_no_point(joint, next, JOINT_REACH)) {
            joints_fast(&known, joint, next, true, i);
            k++;
        } else {
            joints_fast(&known, joint, joint, false, i);
        }
    }
}

ROD_INLINE void sweep_in_lockstep(const work *s, rod_order order, instance i) {
    sweep_elements(s, order, i);
    sweep_joints(s, order, i);
}

#endif
