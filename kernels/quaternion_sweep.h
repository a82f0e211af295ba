/* Sweeps over a quaternion rod that keep two projections or more in flight: of two vectors of rods
 * where there are two, else of two places of a rod. */
#ifndef ROD_QUATERNION_SWEEP_H
#define ROD_QUATERNION_SWEEP_H

#include "quaternion_project.h"
#include "sweep.h"

/* ---------------------------------------------------------------- flows
 *
 * All stretches and then all bends of a stretch of rod equal one pass in which the bends follow
 * behind the stretches. A flow is such a pass: what the next projection shares with the last one
 * stays in registers, and one element's stretch is in flight with the bend behind it. */

typedef struct {
    int stream;
    bool back; /* towards the rod's start */
    size_t e;  /* the last element that was stretched */
    vf3 p;     /* the particle ahead of it */
    vfq q, u;  /* orientations of the element behind it, which is bent to its own rest, and of e */
} flow;

ROD_INLINE size_t next_of(const flow *f) {
    return f->back ? f->e - 1 : f->e + 1;
}

ROD_INLINE size_t joint_behind(const flow *f) {
    return f->back ? f->e : f->e - 1;
}

ROD_INLINE float *place_of(const work *s, const flow *f, size_t row) {
    return state_at(s, row, f->stream);
}

/* The stretch of the next element. */
ROD_INLINE stretch_task flow_stretch(const work *s, const flow *f, bool uniform) {
    const size_t e = next_of(f);
    const float *row = place_of(s, f, e);
    const vf3 far = vf3_load(f->back ? row : row + STATE_ROW * s->lanes, s->lanes);
    return (stretch_task){.stream = f->stream,
                          .uniform = uniform,
                          .row = coefficients_at(s, e, f->stream),
                          .p1 = f->back ? far : f->p,
                          .p2 = f->back ? f->p : far,
                          .q = vfq_load(row + STATE_Q * s->lanes, s->lanes)};
}

/* The bend behind the last element. */
ROD_INLINE bend_task flow_bend(const work *s, const flow *f, bool uniform) {
    const size_t joint = joint_behind(f);
    return (bend_task){.stream = f->stream,
                       .uniform = uniform,
                       .row = coefficients_at(s, joint, f->stream),
                       .rest = rest_of(s, joint, f->stream),
                       .q = f->back ? f->u : f->q,
                       .u = f->back ? f->q : f->u};
}

ROD_INLINE void flow_stretched(const work *s, flow *f, const stretch_task *t) {
    vf3_store(place_of(s, f, f->back ? f->e : f->e + 1), s->lanes, f->back ? t->p2 : t->p1);
    f->p = f->back ? t->p1 : t->p2;
    f->u = t->q;
    f->e = next_of(f);
}

ROD_INLINE void flow_bent(const work *s, flow *f, const bend_task *t) {
    float *behind = place_of(s, f, f->back ? f->e + 1 : f->e - 1);
    vfq_store(behind + STATE_Q * s->lanes, s->lanes, f->back ? t->u : t->q);
    f->q = f->back ? t->q : t->u;
}

/* A flow whose first element is `first`. */
ROD_INLINE flow flow_before(const work *s, size_t first, bool back, int stream) {
    flow f = {.stream = stream, .back = back, .e = back ? first + 1 : first - 1};
    f.p = vf3_load(place_of(s, &f, back ? f.e : first), s->lanes);
    f.q = vfq_load(place_of(s, &f, f.e) + STATE_Q * s->lanes, s->lanes);
    return f;
}

ROD_INLINE void flow_finish(const work *s, const flow *f) {
    vf3_store(place_of(s, f, f->back ? f->e : f->e + 1), s->lanes, f->p);
    vfq_store(place_of(s, f, f->e) + STATE_Q * s->lanes, s->lanes, f->q);
}

ROD_INLINE void flow_open(const work *s, flow *f, int count, instance i) {
    stretch_task t[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, t[k] = flow_stretch(s, &f[k], i.uniform));
    project_stretches(s, t, count, i.norm);
    ROD_ABREAST(k, count, flow_stretched(s, &f[k], &t[k]));
}

ROD_INLINE void flow_advance(const work *s, flow *f, int count, instance i) {
    bend_task bend[ROD_MOST_ABREAST];
    stretch_task stretch[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, bend[k] = flow_bend(s, &f[k], i.uniform));
    ROD_ABREAST(k, count, stretch[k] = flow_stretch(s, &f[k], i.uniform));
    project_mixed(s, stretch, bend, count, i.norm);
    ROD_ABREAST(k, count, flow_bent(s, &f[k], &bend[k]));
    ROD_ABREAST(k, count, flow_stretched(s, &f[k], &stretch[k]));
}

ROD_INLINE void flow_close(const work *s, flow *f, int count, instance i) {
    bend_task t[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, t[k] = flow_bend(s, &f[k], i.uniform));
    project_bends(s, t, count, i.norm);
    ROD_ABREAST(k, count, flow_bent(s, &f[k], &t[k]));
    ROD_ABREAST(k, count, flow_finish(s, &f[k]));
}

/* Stretches `elements` in each of one flow or two, and bends the joint behind each. */
ROD_INLINE void run_flows(const work *s, flow *f, int count, size_t elements, instance i) {
    flow_open(s, f, count, i);
    for (size_t k = 1; k < elements; k++) {
        fetch_ahead(s); /* for the element, */
        fetch_ahead(s); /* and for the joint behind it */
        flow_advance(s, f, count, i);
    }
    flow_close(s, f, count, i);
}

/* In one direction, in every stream. */
ROD_INLINE void flow_along(const work *s, size_t first, bool back, size_t elements, instance i) {
    flow f[ROD_MOST_ABREAST];
    ROD_ABREAST(k, i.unroll, f[k] = flow_before(s, first, back, k));
    run_flows(s, f, i.unroll, elements, i);
}

/* From both ends, `skipped` elements away from them. */
ROD_INLINE void flow_inwards(const work *s, size_t skipped, size_t elements, instance i) {
    const size_t last = s->elements - 1 - skipped;
    if (i.unroll == 2) {
        flow_along(s, skipped, false, elements, i);
        flow_along(s, last, true, elements, i);
    } else {
        flow f[] = {flow_before(s, skipped, false, 0), flow_before(s, last, true, 0)};
        run_flows(s, f, 2, elements, i);
    }
}

/* ---------------------------------------------------------------- by index */

ROD_INLINE size_t index_of(rod_order order, size_t count, size_t k) {
    return rod_order_index(ROD_METHOD_QUATERNION, order, count, k);
}

/* Whether the projections that an order visits as its k-th and its next may be in flight together:
 * next to each other they share a particle or an orientation. */
ROD_INLINE bool may_pair(const work *s, rod_order order, size_t count, size_t k, size_t fast) {
    const size_t e = index_of(order, count, k), f = index_of(order, count, k + 1);
    return (e + 1 < f || f + 1 < e) && is_fast(s, e + fast) && is_fast(s, f + fast);
}

/* The elements that the order visits as its from-th and those until its to-th. */
ROD_INLINE void stretch_by_index(const work *s, rod_order order, size_t from, size_t to,
                                 instance i) {
    const work known = specialised(s, i);
    const size_t n = s->elements;
    for (size_t k = from; k < to; k++) {
        const size_t e = index_of(order, n, k);
        fetch_ahead(s);
        if (!is_fast(s, e))
            element_one[i.norm](s, e);
        else if (i.unroll == 2)
            stretch_two(&known, e, e, 1, i.uniform, i.norm);
        else if (k + 1 < to && may_pair(s, order, n, k, 0))
            stretch_two(&known, e, index_of(order, n, ++k), 0, i.uniform, i.norm);
        else
            element_stream(&known, e, 0, i.uniform, i.norm);
    }
}

ROD_INLINE void bend_by_index(const work *s, rod_order order, size_t from, size_t to, instance i) {
    const work known = specialised(s, i);
    const size_t n = s->elements - 1;
    for (size_t k = from; k < to; k++) {
        const size_t joint = index_of(order, n, k);
        fetch_ahead(s);
        if (!is_fast(s, joint + 1))
            joint_one[i.norm](s, joint);
        else if (i.unroll == 2)
            bend_two(&known, joint, joint, 1, i.uniform, i.norm);
        else if (k + 1 < to && may_pair(s, order, n, k, 1))
            bend_two(&known, joint, index_of(order, n, ++k), 0, i.uniform, i.norm);
        else
            joint_stream(&known, joint, 0, i.uniform, i.norm);
    }
}

/* ---------------------------------------------------------------- sweeps */

ROD_INLINE void sweep_sequential(const work *s, instance i) {
    const work known = specialised(s, i);
    for (size_t e = 0; e < s->fast_from; e++)
        element_one[i.norm](s, e);
    for (size_t joint = 0; joint + 1 < s->fast_from; joint++)
        joint_one[i.norm](s, joint);
    if (s->fast_from < s->fast_to)
        flow_along(&known, s->fast_from, false, s->fast_to - s->fast_from, i);
    for (size_t e = s->fast_to; e < s->elements; e++)
        element_one[i.norm](s, e);
    for (size_t joint = s->fast_to - 1; joint + 1 < s->elements; joint++)
        joint_one[i.norm](s, joint);
}

/* Elements at each end that a bilateral sweep visits before its flows begin, and elements of each
 * half until the flows end; if they never begin, 0 and 0. The two flows must not meet: what is left
 * between them is one element or two. */
typedef struct {
    size_t begin, end;
} inward_range;

ROD_INLINE inward_range flows_of(const work *s, rod_order order) {
    const size_t n = s->elements, after = n - s->fast_to + 1;
    const size_t begin = s->fast_from > after ? s->fast_from : after, end = (n - 1) / 2;
    return order == ROD_ORDER_BILATERAL && begin < end ? (inward_range){begin, end}
                                                       : (inward_range){0, 0};
}

/* Before the flows, or all of it, and after them: a loop, so that the code is there once. */
ROD_INLINE void sweep_by_halves(const work *s, rod_order order, instance i) {
    const work known = specialised(s, i);
    const size_t n = s->elements;
    const inward_range flows = flows_of(s, order);
    const bool has_flows = flows.begin > 0;
    for (int part = 0; part < (has_flows ? 2 : 1); part++) {
        const bool first = part == 0 && has_flows;
        stretch_by_index(s, order, part ? 2 * flows.end : 0, first ? 2 * flows.begin : n, i);
        bend_by_index(s, order, part ? 2 * flows.end - 2 : 0, first ? 2 * flows.begin - 2 : n - 1,
                      i);
        if (first)
            flow_inwards(&known, flows.begin, flows.end - flows.begin, i);
    }
}

#endif
