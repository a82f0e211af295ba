/* Quaternion rods (KS16), one rod at a time with the lowest latency: see chunked.h. */

#include "vec/twice.h"

#include "quaternion_rows.h"

#include "order.h"
#include "quaternion_lines.h"
#include "quaternion_pair.h"
#include "variants.h"

/* ---------------------------------------------------------------- coefficients */

/* Once for many frames: divisions take longer than an iteration. */
static void prepare(const work *s) {
    const rod_block *b = s->block;
    if (b->uniform_begin < b->uniform_end)
        prepare_uniform(s, 0);
    else
        prepare_scales(s, 0, vf_set1(1.0f), vf_set1(1.0f));
    for (size_t row = 0; row < s->elements; row++) {
        const row_weights w = {vf_load(b->w + row * VF_LANES), row_after(s, b->w, row, 1),
                               vf_load(b->wq + row * VF_LANES), row_after(s, b->wq, row, 1)};
        prepare_stretch(s, row, 0, w);
        prepare_bend(s, row, 0, w);
        lay_rest(s, row, 0);
    }
    silence_tip(s, MOVE_1, BEND_1);
    find_places(s);
    find_uniform_rows(s);
    find_simple_rows(s);
}

/* ---------------------------------------------------------------- prediction and update */

ROD_INLINE vfq orientation_at(const work *s, size_t row) {
    return vfq_load(state_at(s, row, 0) + STATE_Q * VF_LANES, VF_LANES);
}

ROD_INLINE vfq next_orientation(const work *s, size_t row) {
    return row + 1 < s->elements ? orientation_at(s, row + 1)
                                 : vfq_rotated_down(orientation_at(s, 0));
}

/* Where the orientations of both sides of a row's joints move. */
static uint32_t moving_joints(const work *s, size_t row) {
    const float *wq = s->block->wq;
    const vf both = vf_mul(vf_load(wq + row * VF_LANES), row_after(s, wq, row, 1));
    return vf_sign_bits(vf_sub(vf_zero(), both));
}

/* Turns orientations over so that every joint is nearer to its rest pose than to the opposite one.
 * How often the joints before an orientation want that, in its own lane and in all lanes below,
 * decides for it. */
static void flip(const work *s, const uint32_t *far) {
    uint32_t all = 0, odd;
    unsigned count = 0;
    for (size_t row = 0; row < s->elements; row++) {
        all ^= far[row];
        count += (unsigned)__builtin_popcount(far[row] & moving_joints(s, row));
    }
    odd = parity_below(all);
    for (size_t row = 0; row < s->elements; row++) {
        const vf sign = vf_from_sign_bits(odd);
        const vfq q = orientation_at(s, row);
        vfq_store(state_at(s, row, 0) + STATE_Q * VF_LANES, VF_LANES, vfq_flip(q, sign));
        odd ^= far[row];
    }
    s->block->flips[0] = (float)count;
}

/* Looks at every joint, and turns over what must be. */
static void align_orientations(const work *s, float *scratch) {
    uint32_t *far = (void *)scratch, any = 0;
    const chunk_memory m = memory_of(s);
    for (size_t row = 0; row < s->elements; row++) {
        const vf near =
            nearness(orientation_at(s, row), next_orientation(s, row), rest_vector(s, row, 0));
        far[row] = vf_sign_bits(near) & joint_bits(&m, row);
        any |= far[row];
    }
    if (any != 0)
        flip(s, far);
}

/* Most frames of most rods need no flip, and a glance shows it. */
ROD_INLINE uint32_t find_loose(const work *s) {
    const chunk_memory m = memory_of(s);
    const vf limit = loose_limit(s, 0);
    uint32_t loose = 0;
    for (size_t row = 0; row < s->elements; row++)
        loose |= loose_bits(limit, orientation_at(s, row), next_orientation(s, row)) &
                 joint_bits(&m, row);
    return loose;
}

ROD_INLINE void predict(const work *s, const work *shared, const rod_frame *f, float *scratch,
                        rod_norm norm) {
    const frame_factors k = frame_factors_of(s, f, 0);
    for (size_t row = 0; row < s->elements; row++) {
        lay_particle(s, f, &k, row, 0, false);
        lay_orientation(s, &k, row, 0, false, norm);
    }
    s->block->flips[0] = 0.0f;
    if (find_loose(s) != 0)
        align_orientations(shared, scratch);
}

ROD_INLINE void update(const work *s, const rod_frame *f, rod_norm norm) {
    const frame_factors k = frame_factors_of(s, f, 0);
    for (size_t row = 0; row < s->elements; row++) {
        update_scaled_particle(s, f, &k, row, 0, false);
        update_orientation(s, &k, row, 0, false, false, norm);
    }
}

/* ---------------------------------------------------------------- rows */

/* The last row's next is the first, one lane further. */
ROD_INLINE stretch_task row_stretch(const work *s, size_t row, bool last, bool uniform) {
    const float *at = state_at(s, row, 0), *next = state_at(s, last ? 0 : row + 1, 0);
    const vf3 p2 = vf3_load(next, VF_LANES);
    return (stretch_task){.stream = 0,
                          .uniform = uniform,
                          .row = coefficients_at(s, row, 0),
                          .p1 = vf3_load(at, VF_LANES),
                          .p2 = last ? vf3_rotated_down(p2) : p2,
                          .q = vfq_load(at + STATE_Q * VF_LANES, VF_LANES)};
}

ROD_INLINE void row_moved(const work *s, size_t row, bool last, const stretch_task *t) {
    vf3_store(state_at(s, row, 0), VF_LANES, t->p1);
    vf3_store(state_at(s, last ? 0 : row + 1, 0), VF_LANES, last ? vf3_rotated_up(t->p2) : t->p2);
}

ROD_INLINE void row_turned(const work *s, size_t row, const stretch_task *t) {
    vfq_store(state_at(s, row, 0) + STATE_Q * VF_LANES, VF_LANES, t->q);
}

ROD_INLINE void row_stretched(const work *s, size_t row, bool last, const stretch_task *t) {
    row_moved(s, row, last, t);
    row_turned(s, row, t);
}

ROD_INLINE bend_task row_bend(const work *s, size_t row, bool last, bool uniform) {
    const vfq u = orientation_at(s, last ? 0 : row + 1);
    return (bend_task){.stream = 0,
                       .uniform = uniform,
                       .row = coefficients_at(s, row, 0),
                       .rest = rest_of(s, row, 0),
                       .q = orientation_at(s, row),
                       .u = last ? vfq_rotated_down(u) : u};
}

ROD_INLINE void row_bent(const work *s, size_t row, bool last, const bend_task *t) {
    float *next = state_at(s, last ? 0 : row + 1, 0) + STATE_Q * VF_LANES;
    vfq_store(state_at(s, row, 0) + STATE_Q * VF_LANES, VF_LANES, t->q);
    vfq_store(next, VF_LANES, last ? vfq_rotated_up(t->u) : t->u);
}

ROD_INLINE void stretch_row(const work *s, size_t row, bool last, likeness kind, rod_norm norm) {
    stretch_task t = row_stretch(s, row, last, kind == UNIFORM);
    if (kind == SIMPLE)
        simple_strain(s, &t);
    else
        stretch_strain(s, &t);
    stretch_move(s, &t);
    stretch_turn(s, &t);
    shallow_stretch_root(s, &t, norm);
    stretch_shorten(s, &t);
    row_stretched(s, row, last, &t);
}

/* A uniform row whose particles have moved and whose orientations have not yet turned. */
ROD_INLINE stretch_task begin_stretch(const work *s, size_t row) {
    stretch_task t = row_stretch(s, row, false, true);
    stretch_strain(s, &t);
    stretch_move(s, &t);
    row_moved(s, row, false, &t);
    return t;
}

/* Uniform rows of one colour, as many as there are from this one on; returns the row behind them.
 * To turn and shorten is a long chain of few operations: the next row begins in between. */
ROD_INLINE size_t stretch_uniform_rows(const work *s, const unsigned char *rows, size_t row,
                                       rod_norm norm) {
    stretch_task t = begin_stretch(s, row);
    size_t next = row + 2;
    for (; next + 1 < s->elements && row_is(rows[next], ROW_ELEMENTS, norm); next += 2) {
        stretch_task n = row_stretch(s, next, false, true);
        stretch_turn(s, &t);
        stretch_strain(s, &n);
        shallow_stretch_root(s, &t, norm);
        stretch_move(s, &n);
        row_moved(s, next, false, &n);
        stretch_shorten(s, &t);
        row_turned(s, next - 2, &t);
        t = n;
    }
    stretch_turn(s, &t);
    shallow_stretch_root(s, &t, norm);
    stretch_shorten(s, &t);
    row_turned(s, next - 2, &t);
    return next;
}

ROD_INLINE void bend_simple(const work *s, const joint_row *j, vfq *q, vfq *u, rod_norm norm) {
    bend_task t = {.uniform = true, .rest = j->rest, .q = *q, .u = *u};
    bend_strain(&t);
    simple_bend_first(j, &t);
    bend_second(s, &t);
    simple_bend_root(s, j, &t, norm);
    bend_shorten(s, &t);
    put_back_held(j, *q, *u, &t);
    *q = t.q;
    *u = t.u;
}

ROD_INLINE void bend_row(const work *s, size_t row, bool last, likeness kind, rod_norm norm) {
    bend_task t = row_bend(s, row, last, kind == UNIFORM);
    if (kind == GENERAL) {
        project_bends(s, &t, 1, norm);
    } else if (kind == SIMPLE) {
        const joint_row j = joint_row_of(s, row);
        bend_simple(s, &j, &t.q, &t.u, norm);
    } else {
        bend_strain(&t);
        bend_first(s, &t);
        shallow_bend_root(s, &t, norm);
        bend_second(s, &t);
        bend_root_second(s, &t, norm);
        bend_shorten(s, &t);
    }
    row_bent(s, row, last, &t);
}

/* ---------------------------------------------------------------- red-black */

ROD_INLINE void stretch_colour(const work *s, const unsigned char *rows, size_t first,
                               rod_norm norm) {
    const size_t last = s->elements - 1;
    for (size_t row = first; row < last;) {
        if (row_is(rows[row], ROW_ELEMENTS, norm)) {
            row = stretch_uniform_rows(s, rows, row, norm);
            continue;
        }
        if (row_is(rows[row], ROW_SIMPLE, norm))
            stretch_row(s, row, false, SIMPLE, norm);
        else
            stretch_row(s, row, false, GENERAL, norm);
        row += 2;
    }
    if (first == 1 && row_is(rows[last], ROW_SIMPLE, norm))
        stretch_row(s, last, true, SIMPLE, norm);
    else if (first == 1)
        stretch_row(s, last, true, GENERAL, norm);
}

ROD_INLINE void bend_colour(const work *s, const unsigned char *rows, size_t first, rod_norm norm) {
    const size_t last = s->elements - 1;
    for (size_t row = first; row < last; row += 2)
        if (row_is(rows[row], ROW_JOINTS, norm))
            bend_row(s, row, false, UNIFORM, norm);
        else if (row_is(rows[row], ROW_SIMPLE, norm))
            bend_row(s, row, false, SIMPLE, norm);
        else
            bend_row(s, row, false, GENERAL, norm);
    if (first == 1 && row_is(rows[last], ROW_SIMPLE, norm))
        bend_row(s, last, true, SIMPLE, norm);
    else if (first == 1)
        bend_row(s, last, true, GENERAL, norm);
}

ROD_INLINE void sweep_redblack(const work *s, const unsigned char *rows, rod_norm norm) {
    for (size_t colour = 0; colour < 2; colour++)
        stretch_colour(s, rows, colour, norm);
    for (size_t colour = 0; colour < 2; colour++)
        bend_colour(s, rows, colour, norm);
}

/* Constants that the compiler sees are the same in all lanes, and that nobody else knows the place
 * of, so that no store of state may change them: they stay in registers, one for both halves of a
 * row. */
ROD_INLINE void hold_constants(work *s, float *constants) {
#pragma GCC unroll 16
    for (size_t i = 0; i < UNIFORM_ROW; i++)
        vf_store(constants + i * VF_LANES, vf_set1(s->uniform[i * VF_LANES]));
    s->uniform = constants;
}

ROD_INLINE void solve_redblack(const work *shared, size_t iterations, rod_norm norm) {
    _Alignas(64) float constants[UNIFORM_ROW * VF_LANES];
    const unsigned char *rows = memory_of(shared).uniform;
    work s = *shared;
    hold_constants(&s, constants);
    if (s.elements == 2)
        solve_pair(&s, rows, iterations, norm);
    else
        for (size_t i = 0; i < iterations; i++)
            sweep_redblack(&s, rows, norm);
}

/* ---------------------------------------------------------------- one by one */

/* 1 in one lane, 0 elsewhere. */
ROD_INLINE vf only_lane(size_t lane) {
    float ones[2 * VF_LANES] = {0};
    ones[VF_LANES] = 1.0f;
    return vf_loadu(ones + VF_LANES - lane);
}

/* Any order: whole rows are projected, and of each one lane is kept. */
ROD_INLINE void stretch_one(const work *s, size_t element, rod_norm norm) {
    const size_t row = element % s->elements;
    const vf only = only_lane(element / s->elements);
    const bool last = row + 1 == s->elements;
    const stretch_task old = row_stretch(s, row, last, false);
    stretch_task t = old;
    project_stretches(s, &t, 1, norm);
    t.p1 = vf3_select_positive(only, t.p1, old.p1);
    t.p2 = vf3_select_positive(only, t.p2, old.p2);
    t.q = vfq_select_positive(only, t.q, old.q);
    row_stretched(s, row, last, &t);
}

ROD_INLINE void bend_one(const work *s, size_t joint, rod_norm norm) {
    const size_t row = joint % s->elements;
    const vf only = only_lane(joint / s->elements);
    const bool last = row + 1 == s->elements;
    const bend_task old = row_bend(s, row, last, false);
    bend_task t = old;
    project_bends(s, &t, 1, norm);
    t.q = vfq_select_positive(only, t.q, old.q);
    t.u = vfq_select_positive(only, t.u, old.u);
    row_bent(s, row, last, &t);
}

ROD_INLINE void sweep_one_by_one(const work *s, rod_order order, rod_norm norm) {
    const size_t n = s->block->elements;
    for (size_t k = 0; k < n; k++)
        stretch_one(s, rod_order_index(ROD_METHOD_QUATERNION, order, n, k), norm);
    for (size_t k = 0; k + 1 < n; k++)
        bend_one(s, rod_order_index(ROD_METHOD_QUATERNION, order, n - 1, k), norm);
}

/* ---------------------------------------------------------------- the frame */

ROD_INLINE void solve(const work *s, const work *shared, const rod_frame *f, float *scratch,
                      rod_norm norm, rod_wave_run *run_wave) {
    if (f->order == ROD_ORDER_SEQUENTIAL)
        solve_along(shared, f->iterations, scratch, run_wave);
    else if (f->order == ROD_ORDER_BILATERAL)
        solve_from_both_ends(shared, f->iterations, scratch, run_wave);
    else if (f->order == ROD_ORDER_REDBLACK)
        solve_redblack(s, f->iterations, norm);
    else
        for (size_t i = 0; i < f->iterations; i++)
            sweep_one_by_one(s, f->order, norm);
}

/* The state is kept, too, for the sake of the rest vectors in it, which no frame changes. */
ROD_INLINE work kept_work(const rod_block *b, rod_norm norm) {
    work s = chunk_work(b, b->kept + b->rows * COEFFICIENT_ROW * VF_LANES, norm);
    s.uniform += b->rows * STATE_ROW * VF_LANES;
    return s;
}

ROD_INLINE void run_frame(const rod_block *b, const rod_frame *f, float *scratch, rod_norm norm,
                          rod_wave_run *run_wave) {
    const work shared = kept_work(b, norm), s = known_chunk(&shared);
    if (b->changed)
        prepare(&shared);
    predict(&s, &shared, f, scratch, norm);
    solve(&s, &shared, f, scratch, norm, run_wave);
    update(&s, f, norm);
}

#define ROD_INSTANCE(method, isa, norm)                                                            \
    rod_wave_run ROD_WAVE_SYMBOL(isa, norm);                                                       \
    rod_kernel ROD_CHUNKED_SYMBOL(method, isa, norm);                                              \
    void ROD_CHUNKED_SYMBOL(method, isa, norm)(const rod_block *block, const rod_frame *frame,     \
                                               float *scratch) {                                   \
        run_frame(block, frame, scratch, NORM_##norm, ROD_WAVE_SYMBOL(isa, norm));                 \
    }

#define ROD_INSTANCES(isa) ROD_CHUNKED_KERNELS(ROD_INSTANCE, quaternion, isa)

ROD_INSTANCES(ROD_ISA)
