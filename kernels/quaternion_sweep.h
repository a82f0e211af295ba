/* Sweeps over a quaternion rod that keep two projections or more in flight: of two vectors of rods
 * where there are two, else of two places of a rod. */
#ifndef ROD_QUATERNION_SWEEP_H
#define ROD_QUATERNION_SWEEP_H

#include "quaternion_rows.h"
#include "sweep.h"

/* Whether a sweep in this order takes the root of each orientation itself when it moves it for the
 * last time: a flow takes those of the orientations that it leaves behind. */
ROD_INLINE bool leaves_units(rod_order order) {
    return order == ROD_ORDER_SEQUENTIAL || order == ROD_ORDER_BILATERAL;
}

/* ---------------------------------------------------------------- flows
 *
 * All stretches and then all bends of a stretch of rod equal one pass in which the bends follow
 * behind the stretches. A flow is such a pass: what the next projection shares with the last one
 * stays in registers, and one element's stretch is in flight with the bend behind it. */

typedef struct {
    size_t e; /* the last element that was stretched */
    vf3 p;    /* the particle ahead of it */
    vfq q, u; /* orientations of the element behind it, which is bent to its own rest, and of e */
} flow;

/* Which flows go abreast: one in each stream, away from the rod's start or towards it, or two in
 * one stream from both ends. */
typedef enum { FLOWS_ALONG, FLOWS_BACK, FLOWS_INWARDS } flows_kind;

ROD_INLINE int flows_count(flows_kind kind, int unroll) {
    return kind == FLOWS_INWARDS ? 2 : unroll;
}

/* Not of the flow itself: clang keeps a flow in memory if it must look there which way it goes. */
typedef struct {
    bool back; /* towards the rod's start */
    int stream;
} flow_way;

ROD_INLINE flow_way way_of(flows_kind kind, int which) {
    return (flow_way){kind == FLOWS_BACK || (kind == FLOWS_INWARDS && which == 1),
                      kind == FLOWS_INWARDS ? 0 : which};
}

ROD_INLINE size_t next_of(const flow *f, flow_way way) {
    return way.back ? f->e - 1 : f->e + 1;
}

/* The stretch of the next element. */
ROD_INLINE stretch_task flow_stretch(const work *s, const flow *f, flow_way way, bool uniform) {
    const size_t e = next_of(f, way);
    const float *row = state_at(s, e, way.stream);
    const vf3 far = vf3_load(way.back ? row : row + STATE_ROW * s->lanes, s->lanes);
    return (stretch_task){.stream = way.stream,
                          .uniform = uniform,
                          .row = coefficients_at(s, e, way.stream),
                          .p1 = way.back ? far : f->p,
                          .p2 = way.back ? f->p : far,
                          .q = vfq_load(row + STATE_Q * s->lanes, s->lanes)};
}

/* The bend behind the last element. */
ROD_INLINE bend_task flow_bend(const work *s, const flow *f, flow_way way, bool uniform) {
    const size_t joint = way.back ? f->e : f->e - 1;
    return (bend_task){.stream = way.stream,
                       .uniform = uniform,
                       .roots = way.back && uniform ? ROOT_OF_U : ROOTS_AS_NEEDED,
                       .row = coefficients_at(s, joint, way.stream),
                       .rest = rest_of(s, joint, way.stream),
                       .q = way.back ? f->u : f->q,
                       .u = way.back ? f->q : f->u};
}

ROD_INLINE void flow_stretched(const work *s, flow *f, flow_way way, const stretch_task *t) {
    float *left = state_at(s, way.back ? f->e : f->e + 1, way.stream);
    vf3_store(left, s->lanes, way.back ? t->p2 : t->p1);
    f->p = way.back ? t->p1 : t->p2;
    f->u = t->q;
    f->e = next_of(f, way);
}

ROD_INLINE void flow_bent(const work *s, flow *f, flow_way way, const bend_task *t) {
    float *behind = state_at(s, way.back ? f->e + 1 : f->e - 1, way.stream);
    vfq_store(behind + STATE_Q * s->lanes, s->lanes, way.back ? t->u : t->q);
    f->q = way.back ? t->q : t->u;
}

/* From the second element of its end on: the first was stretched before. A literal would make u 0
 * first, which takes as long as a stretch. */
ROD_INLINE void first_flow(const work *s, flow *f, flow_way way) {
    const size_t e = way.back ? s->elements - 1 : 0, ahead = way.back ? e : e + 1;
    f->e = e;
    f->p = vf3_load(state_at(s, ahead, way.stream), s->lanes);
    f->q = vfq_load(state_at(s, e, way.stream) + STATE_Q * s->lanes, s->lanes);
}

ROD_INLINE void flow_finish(const work *s, const flow *f, flow_way way) {
    vf3_store(state_at(s, way.back ? f->e : f->e + 1, way.stream), s->lanes, f->p);
    vfq_store(state_at(s, f->e, way.stream) + STATE_Q * s->lanes, s->lanes, f->q);
}

ROD_INLINE void flow_open(const work *s, flow *f, flows_kind kind, instance i) {
    const int count = flows_count(kind, i.unroll);
    stretch_task t[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, t[k] = flow_stretch(s, &f[k], way_of(kind, k), i.uniform));
    project_stretches(s, t, count, i.norm);
    ROD_ABREAST(k, count, flow_stretched(s, &f[k], way_of(kind, k), &t[k]));
}

/* ---------------------------------------------------------------- beside a flow
 *
 * The first sweep of a frame may predict the rows that it comes to, the last one update those that
 * it leaves behind: what a frame does around the solver waits for memory, a sweep for results, and
 * one fills the gaps of the other. Of one flow along the rod only: two leave few gaps. */

typedef enum { BESIDE_NOTHING, BESIDE_PREDICTION, BESIDE_UPDATE } beside;

typedef struct {
    const rod_frame *frame;
    frame_factors factors;
    vf limit;
    uint32_t loose; /* joints found by prediction */
} around;

ROD_INLINE around around_of(const work *s, const rod_frame *f) {
    return (around){f, frame_factors_of(s, f, 0), loose_limit(s, 0), 0};
}

/* For the next frame. */
ROD_INLINE void remember_loose(const work *s, uint32_t loose) {
    s->uniform[U_LOOSE * s->lanes] = loose != 0 ? 1.0f : 0.0f;
}

ROD_INLINE bool was_loose(const work *s) {
    return s->uniform[U_LOOSE * s->lanes] > 0.0f;
}

/* The element behind the one that the next step stretches. */
ROD_INLINE void lay_ahead(const work *s, around *a, const flow *f, rod_norm norm) {
    const size_t next = f->e + 1;
    const vfq q = vfq_load(state_at(s, next, 0) + STATE_Q * s->lanes, s->lanes);
    lay_particle(s, a->frame, &a->factors, next + 2, 0, true);
    const vfq u = lay_orientation(s, &a->factors, next + 1, 0, true, norm);
    lay_rest(s, next, 0);
    a->loose |= loose_bits(a->limit, q, u);
}

/* What the step before left. */
ROD_INLINE void update_behind(const work *s, const around *a, const flow *f, rod_norm norm) {
    update_scaled_particle(s, a->frame, &a->factors, f->e, 0, true);
    update_orientation(s, &a->factors, f->e - 2, 0, true, true, norm);
}

ROD_INLINE void flow_advance(const work *s, flow *f, flows_kind kind, instance i) {
    const int count = flows_count(kind, i.unroll);
    bend_task bend[ROD_MOST_ABREAST];
    stretch_task stretch[ROD_MOST_ABREAST];
    fetch_ahead(s); /* for the element, */
    fetch_ahead(s); /* and for the joint behind it */
    ROD_ABREAST(k, count, bend[k] = flow_bend(s, &f[k], way_of(kind, k), i.uniform));
    ROD_ABREAST(k, count, stretch[k] = flow_stretch(s, &f[k], way_of(kind, k), i.uniform));
    if (count == 1)
        project_mixed(s, stretch, bend, count, i.norm);
    else
        project_in_turn(s, stretch, bend, count, i.norm);
    ROD_ABREAST(k, count, flow_bent(s, &f[k], way_of(kind, k), &bend[k]));
    ROD_ABREAST(k, count, flow_stretched(s, &f[k], way_of(kind, k), &stretch[k]));
}

ROD_INLINE void flow_close(const work *s, flow *f, flows_kind kind, instance i) {
    const int count = flows_count(kind, i.unroll);
    bend_task t[ROD_MOST_ABREAST];
    ROD_ABREAST(k, count, t[k] = flow_bend(s, &f[k], way_of(kind, k), i.uniform));
    ROD_ABREAST(k, count, t[k].roots = ROOTS_OF_BOTH);
    project_bends(s, t, count, i.norm);
    ROD_ABREAST(k, count, flow_bent(s, &f[k], way_of(kind, k), &t[k]));
    ROD_ABREAST(k, count, flow_finish(s, &f[k], way_of(kind, k)));
}

/* ---------------------------------------------------------------- parts of flows
 *
 * A flow is handed from one part to the next: the general way at the ends of a uniform range, the
 * uniform one between them. Each part is a function of its own, so that a sweep that has several
 * calls it, and is not several times as long. */

/* Handed on by address: by value, the bytes just written would be read back sixteen at a time, for
 * which a CPU waits. */
typedef struct {
    bool open, close; /* from the start, to the end */
    size_t steps;
    const rod_frame *frame; /* where something is done beside */
} flow_part;

ROD_INLINE void flow_through(const work *s, flow *shared, flows_kind kind, flow_part part,
                             beside what, instance i) {
    const work known = specialised(s, i);
    const int count = flows_count(kind, i.unroll);
    flow f[ROD_MOST_ABREAST];
    if (part.open) {
        ROD_ABREAST(k, count, first_flow(&known, &f[k], way_of(kind, k)));
        flow_open(&known, f, kind, i);
    } else {
        ROD_ABREAST(k, count, f[k] = shared[k]);
    }
    around a;
    if (what != BESIDE_NOTHING)
        a = around_of(&known, part.frame);
    for (size_t k = 0; k < part.steps; k++) {
        if (what == BESIDE_PREDICTION && k + 1 < part.steps)
            lay_ahead(&known, &a, &f[0], i.norm);
        if (what == BESIDE_UPDATE && k > 0)
            update_behind(&known, &a, &f[0], i.norm);
        flow_advance(&known, f, kind, i);
    }
    if (what == BESIDE_PREDICTION)
        remember_loose(s, a.loose);
    if (part.close)
        flow_close(&known, f, kind, i);
    else
        ROD_ABREAST(k, count, shared[k] = f[k]);
}

typedef void run_part(const work *s, flow *f, const flow_part *part);

#define ROD_UNIFORM_FLOWS(name, kind, unroll, norm, what)                                          \
    static void name##_##kind##_u##unroll##_##norm(const work *s, flow *f,                         \
                                                   const flow_part *part) {                        \
        align_stack();                                                                             \
        const flow_part later = {                                                                  \
            .steps = part->steps, .close = part->close, .frame = part->frame};                     \
        flow_through(s, f, kind, later, what, (instance){unroll, NORM_##norm, true});              \
    }

#define ROD_FLOWS(kind, unroll, norm)                                                              \
    static void kind##_u##unroll##_##norm(const work *s, flow *f, const flow_part *part) {         \
        align_stack();                                                                             \
        flow_through(s, f, kind, *part, BESIDE_NOTHING, (instance){unroll, NORM_##norm, false});   \
    }                                                                                              \
    ROD_UNIFORM_FLOWS(uniform, kind, unroll, norm, BESIDE_NOTHING)

/* One stream goes from both ends at once, two go back together. */
#define ROD_FLOWS_OF(norm)                                                                         \
    ROD_FLOWS(FLOWS_ALONG, 1, norm)                                                                \
    ROD_FLOWS(FLOWS_INWARDS, 1, norm)                                                              \
    ROD_FLOWS(FLOWS_ALONG, 2, norm)                                                                \
    ROD_FLOWS(FLOWS_BACK, 2, norm)                                                                 \
    ROD_UNIFORM_FLOWS(predicting, FLOWS_ALONG, 1, norm, BESIDE_PREDICTION)                         \
    ROD_UNIFORM_FLOWS(updating, FLOWS_ALONG, 1, norm, BESIDE_UPDATE)

ROD_FLOWS_OF(exact)
ROD_FLOWS_OF(newton)
ROD_FLOWS_OF(bare)

#define ROD_PARTS_OF(prefix, norm)                                                                 \
    {                                                                                              \
        {prefix##FLOWS_ALONG_u1_##norm, NULL, prefix##FLOWS_INWARDS_u1_##norm}, {                  \
            prefix##FLOWS_ALONG_u2_##norm, prefix##FLOWS_BACK_u2_##norm, NULL                      \
        }                                                                                          \
    }

/* [uniform][norm][unroll - 1][kind] */
static run_part *const run_part_of[2][3][2][3] = {
    {ROD_PARTS_OF(, exact), ROD_PARTS_OF(, newton), ROD_PARTS_OF(, bare)},
    {ROD_PARTS_OF(uniform_, exact), ROD_PARTS_OF(uniform_, newton), ROD_PARTS_OF(uniform_, bare)},
};

#define ROD_PARTS_BESIDE(name)                                                                     \
    { name##_FLOWS_ALONG_u1_exact, name##_FLOWS_ALONG_u1_newton, name##_FLOWS_ALONG_u1_bare }

/* [what - 1][norm], along the rod in one stream */
static run_part *const run_part_beside[2][3] = {ROD_PARTS_BESIDE(predicting),
                                                ROD_PARTS_BESIDE(updating)};

/* ---------------------------------------------------------------- whole flows */

ROD_INLINE size_t larger_of(size_t a, size_t b) {
    return a > b ? a : b;
}

ROD_INLINE size_t smaller_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The first step of a flow from the second element on in which both the element that is stretched
 * and the joint that is bent, of the two elements before it, are uniform. */
ROD_INLINE size_t fast_step(const work *s) {
    const rod_block *b = s->block;
    if (b->uniform_begin >= b->uniform_end)
        return s->elements;
    return larger_of(larger_of(b->uniform_begin, b->uniform_turns_begin + 2), 2) - 1;
}

/* Elements that each flow stretches, and which of them, counted from its first, with the joints
 * that are bent in their steps go the instance's way. */
typedef struct {
    size_t elements, fast_from, fast_to;
} flow_range;

ROD_INLINE void run_flows(const work *s, const rod_frame *frame, flows_kind kind, flow_range r,
                          beside what, instance i) {
    run_part *general = run_part_of[false][i.norm][i.unroll - 1][kind];
    run_part *uniform = what != BESIDE_NOTHING ? run_part_beside[what - 1][i.norm]
                                               : run_part_of[true][i.norm][i.unroll - 1][kind];
    flow f[2];
    if (!i.uniform || r.fast_from >= r.fast_to) {
        general(s, f, &(flow_part){.open = true, .close = true, .steps = r.elements - 1});
        return;
    }
    const bool to_end = r.fast_to == r.elements;
    general(s, f, &(flow_part){.open = true, .steps = r.fast_from - 1});
    uniform(s, f, &(flow_part){.close = to_end, .steps = r.fast_to - r.fast_from, .frame = frame});
    if (!to_end)
        general(s, f, &(flow_part){.close = true, .steps = r.elements - r.fast_to});
}

ROD_INLINE flow_range along_range(const work *s) {
    return (flow_range){s->elements - 1, fast_step(s), s->fast_to - 1};
}

/* Elements of each half until the flows of a bilateral sweep end, which must not meet: what is left
 * between them is one element or two. 0 if there are none. */
ROD_INLINE size_t end_of_flows(const work *s, rod_order order) {
    const size_t end = (s->elements - 1) / 2;
    return order == ROD_ORDER_BILATERAL && end > 1 ? end : 0;
}

ROD_INLINE flow_range inward_range(const work *s, size_t end) {
    const size_t n = s->elements;
    return (flow_range){end - 1, larger_of(fast_step(s), n - s->fast_to + 1),
                        smaller_of(end - 1, smaller_of(s->fast_to - 1, n - s->fast_from))};
}

ROD_INLINE void flow_inwards(const work *s, size_t end, instance i) {
    const flow_range r = inward_range(s, end);
    if (i.unroll == 2) {
        run_flows(s, NULL, FLOWS_ALONG, r, BESIDE_NOTHING, i);
        run_flows(s, NULL, FLOWS_BACK, r, BESIDE_NOTHING, i);
    } else {
        run_flows(s, NULL, FLOWS_INWARDS, r, BESIDE_NOTHING, i);
    }
}

/* ---------------------------------------------------------------- what is done beside them */

/* Whether a frame's first or last sweep has uniform steps enough to do something beside them. */
ROD_INLINE bool has_steps_beside(const work *s, rod_order order) {
    const flow_range r = along_range(s);
    return s->uniform_apart && s->unroll == 1 && order == ROD_ORDER_SEQUENTIAL &&
           r.fast_from + 2 < r.fast_to;
}

ROD_INLINE bool updates_beside(const work *s, const rod_frame *f) {
    return has_steps_beside(s, f->order);
}

/* Where joints were loose, they may be again, and then it is better to find it at once. */
ROD_INLINE bool predicts_beside(const work *s, const rod_frame *f) {
    return f->iterations > 1 && has_steps_beside(s, f->order) && !was_loose(s);
}

typedef struct {
    size_t element, elements_end, particle, particles_end;
} row_range;

/* What is not done beside the steps, before them and behind. */
typedef struct {
    row_range part[2];
} left_out;

ROD_INLINE row_range all_rows(const work *s) {
    return (row_range){0, s->elements, 0, s->elements + 1};
}

/* The second part begins with an element that is laid twice: the next one is compared with it. */
ROD_INLINE left_out not_predicted_beside(const work *s) {
    const flow_range r = along_range(s);
    const size_t n = s->elements, behind = r.fast_to + 1 < n ? r.fast_to : n;
    return (left_out){
        {{0, r.fast_from + 2, 0, r.fast_from + 3}, {behind, n, r.fast_to + 2, n + 1}}};
}

ROD_INLINE left_out not_updated_beside(const work *s) {
    const flow_range r = along_range(s);
    const size_t n = s->elements;
    return (left_out){
        {{0, r.fast_from - 1, 0, r.fast_from + 1}, {r.fast_to - 2, n, r.fast_to, n + 1}}};
}

/* Whether a sweep of a uniform instance may take an element, or the joint behind it, the general
 * way. */
ROD_INLINE bool goes_generally(const work *s, rod_order order, size_t e) {
    const size_t n = s->elements, end = end_of_flows(s, order);
    const bool by_index = !is_fast(s, e) || (e + 1 < n && !is_fast(s, e + 1));
    if (order == ROD_ORDER_SEQUENTIAL)
        return e <= fast_step(s) || (s->fast_to < n && e + 2 >= s->fast_to);
    if (by_index || end == 0)
        return by_index;
    const flow_range r = inward_range(s, end);
    return e <= r.fast_from || e + r.fast_from + 1 >= n || r.fast_to < r.elements;
}

/* Of those, whether the joint behind it does, too: it is bent a step after the next stretch. */
ROD_INLINE bool bends_generally(const work *s, rod_order order, size_t e) {
    const flow_range r = along_range(s);
    return order != ROD_ORDER_SEQUENTIAL || r.fast_from >= r.fast_to || e + 2 <= r.fast_from ||
           (s->fast_to < s->elements && e + 2 >= s->fast_to);
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
        if (e < s->still)
            continue;
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
    const bend_roots roots = leaves_units(order) ? ROOTS_OF_BOTH : ROOTS_AS_NEEDED;
    for (size_t k = from; k < to; k++) {
        const size_t joint = index_of(order, n, k);
        fetch_ahead(s);
        if (!is_fast(s, joint + 1))
            joint_one[i.norm](s, joint);
        else if (i.unroll == 2)
            bend_two(&known, joint, joint, 1, i.uniform, roots, i.norm);
        else if (k + 1 < to && may_pair(s, order, n, k, 1))
            bend_two(&known, joint, index_of(order, n, ++k), 0, i.uniform, roots, i.norm);
        else
            bend_alone(&known, joint, 0, i.uniform, roots, i.norm);
    }
}

/* ---------------------------------------------------------------- sweeps */

ROD_INLINE void sweep_sequential(const work *s, const rod_frame *f, beside what, instance i) {
    stretch_by_index(s, ROD_ORDER_SEQUENTIAL, 0, 1, i);
    if (s->elements > 1)
        run_flows(s, f, FLOWS_ALONG, along_range(s), what, i);
}

/* Before the flows, or all of it, and after them: a loop, so that the code is there once. */
ROD_INLINE void sweep_by_halves(const work *s, rod_order order, instance i) {
    const size_t n = s->elements, end = end_of_flows(s, order);
    for (int part = 0; part < (end > 0 ? 2 : 1); part++) {
        const bool first = part == 0 && end > 0;
        stretch_by_index(s, order, part ? 2 * end : 0, first ? 2 : n, i);
        bend_by_index(s, order, part ? 2 * end - 2 : 0, first ? 0 : n - 1, i);
        if (first)
            flow_inwards(s, end, i);
    }
}

#endif
