/* The wave of quaternion_wave.h.
 *
 * What enters is read into the highest lanes, moves down by one iteration every WAVE_LAG steps, and
 * leaves from the last iteration's lane. Lanes below that, of iterations that were not asked for,
 * go on with what passes them, and nobody reads it. */

#include "quaternion_wave.h"

#include "variants.h"

#include <string.h>

/* What is on its way between two steps: the particle ahead, the orientation that is to be bent
 * next, and the one that was stretched last. */
typedef struct {
    vf3 p;
    vfq q, u;
} carried;

/* Some iterations, as many as there are lanes for; steps count from when its first one stretches
 * element 0. It begins as soon as that lane is done with the pass before, whose later iterations
 * are then still on their way. */
typedef struct {
    const rod_wave *wave;
    work s;
    float *ring, *line;
    ptrdiff_t active; /* iterations of this pass */
    ptrdiff_t before; /* and of the one before it, none or all lanes */
    ptrdiff_t period; /* steps from one pass to the next */
    ptrdiff_t last;   /* step of this one */
} pass;

ROD_INLINE size_t width_of(size_t sides) {
    return VF_LANES / sides;
}

ROD_INLINE float *ring_row(const pass *w, ptrdiff_t step) {
    return w->ring + (size_t)(step & (WAVE_LAG - 1)) * LINE * VF_LANES;
}

/* ---------------------------------------------------------------- in and out */

/* Every lane gets what the next iteration before it had, the highest what enters. */
ROD_INLINE vf handed_down(size_t sides, vf a, const float *entering) {
    return sides == 2 ? vf_shift_down_two(a, vf_loadu(entering))
                      : vf_shift_down(a, vf_loadu(entering));
}

/* A number that left the lanes so many steps ago. */
ROD_INLINE vf next_number(const pass *w, size_t sides, ptrdiff_t step, ptrdiff_t age,
                          const float *line, size_t number) {
    return handed_down(sides, vf_load(ring_row(w, step - age) + number * VF_LANES),
                       line + number * sides);
}

ROD_INLINE vf3 particle_ahead(const pass *w, size_t sides, ptrdiff_t step, const float *line) {
    const ptrdiff_t age = WAVE_LAG - 1;
    return (vf3){next_number(w, sides, step, age, line, 0),
                 next_number(w, sides, step, age, line, 1),
                 next_number(w, sides, step, age, line, 2)};
}

ROD_INLINE vfq next_orientation(const pass *w, size_t sides, ptrdiff_t step, const float *line) {
    const ptrdiff_t age = WAVE_LAG - WAVE_BEHIND;
    return (vfq){next_number(w, sides, step, age, line, LINE_Q),
                 next_number(w, sides, step, age, line, LINE_Q + 1),
                 next_number(w, sides, step, age, line, LINE_Q + 2),
                 next_number(w, sides, step, age, line, LINE_Q + 3)};
}

/* Rest vectors, and coefficients unless they are the same for all. */
ROD_INLINE void hand_down_constants(size_t sides, likeness kind, float *row, const float *line) {
    const size_t end = kind == UNIFORM ? LINE_CONSTANTS : kind == SIMPLE ? LINE_MOVES_U + 1 : LINE;
#pragma GCC unroll 16
    for (size_t c = LINE_REST; c < end; c++)
        vf_store(row + c * VF_LANES,
                 handed_down(sides, vf_load(row + c * VF_LANES), line + c * sides));
}

/* The leading wave's last orientation left a line too late, with the joint in the middle. */
ROD_INLINE void mend_last_orientation(const pass *w) {
    float *late = w->line + (w->wave->meeting * LINE + LINE_Q) * 2;
    for (size_t c = 0; c < 4; c++)
        late[(ptrdiff_t)(2 * c) - 2 * LINE] = late[2 * c];
}

/* What the last of a pass's iterations left in its lanes goes to where it was read. */
ROD_INLINE void leave(const pass *w, size_t sides, ptrdiff_t step, ptrdiff_t iterations) {
    const ptrdiff_t i = step - WAVE_LAG * (iterations - 1), length = (ptrdiff_t)(LINE * sides);
    if (i < 0 || i > w->wave->last)
        return;
    const float *row = ring_row(w, step) + VF_LANES - sides * (size_t)iterations;
    float *p = w->line + (i - 1) * length;
    float *q = w->line + (i - WAVE_BEHIND) * length;
#pragma GCC unroll 8
    for (size_t c = 0; c < LINE_REST; c++)
        memcpy((c < LINE_Q ? p : q) + c * sides, row + c * VF_LANES, sides * sizeof *p);
    if (sides == 2 && i == w->wave->last && w->wave->meeting > 0)
        mend_last_orientation(w);
}

/* ---------------------------------------------------------------- where two waves meet */

/* How long ago the first iteration, of this pass or of the one before, was so many steps behind the
 * meeting. */
ROD_INLINE ptrdiff_t since_meeting(const pass *w, ptrdiff_t step, ptrdiff_t after) {
    const ptrdiff_t late = step - w->wave->meeting - after;
    return late < 0 ? late + w->period : late;
}

/* Whether an iteration is so many steps behind the meeting. */
ROD_INLINE bool is_meeting(const pass *w, ptrdiff_t step, ptrdiff_t after) {
    const ptrdiff_t late = since_meeting(w, step, after);
    const ptrdiff_t iterations = step < w->wave->meeting + after ? w->before : w->active;
    return late % WAVE_LAG == 0 && late < WAVE_LAG * iterations;
}

/* 1 in the lane of its side, 0 elsewhere. */
ROD_INLINE vf meeting_lane(const pass *w, ptrdiff_t step, ptrdiff_t after, ptrdiff_t side) {
    static const float hot[2 * VF_LANES] = {[VF_LANES] = 1.0f};
    const ptrdiff_t iteration = since_meeting(w, step, after) / WAVE_LAG;
    const ptrdiff_t lane = VF_LANES - 2 * (iteration + 1) + side;
    return vf_loadu(hot + VF_LANES - lane);
}

ROD_INLINE vf other_side(vf a, bool of_leading) {
    return of_leading ? vf_shift_down(a, a) : vf_shift_up(a, a);
}

/* What the other side of the same iteration has, in the lane of one side. */
ROD_INLINE vf3 exchanged_particle(vf lane, vf3 theirs, vf3 own, bool of_leading) {
    const vf3 p = {other_side(theirs.x, of_leading), other_side(theirs.y, of_leading),
                   other_side(theirs.z, of_leading)};
    return vf3_select_positive(lane, p, own);
}

/* The same of orientations, as the side that gets them sees them: q e1, or its inverse. */
ROD_INLINE vfq exchanged_orientation(vf lane, vfq theirs, vfq own, bool of_leading, bool inverse) {
    const vf sign = vf_set1(inverse ? -0.0f : 0.0f), opposite = vf_set1(inverse ? 0.0f : -0.0f);
    const vfq turned = {vf_xor(other_side(theirs.x, of_leading), opposite),
                        vf_xor(other_side(theirs.w, of_leading), sign),
                        vf_xor(other_side(theirs.z, of_leading), sign),
                        vf_xor(other_side(theirs.y, of_leading), opposite)};
    return vfq_select_positive(lane, turned, own);
}

/* The leading wave's last orientation left the lanes a step ago, before the joint in the middle was
 * bent: it is taken back for that, and then put right. */
ROD_INLINE void prepare_middle(const pass *w, ptrdiff_t step, bend_task *b) {
    const vf lane = meeting_lane(w, step, 2, 0);
    const vfq left = vfq_load(ring_row(w, step - 1) + LINE_Q * VF_LANES, VF_LANES);
    b->u = exchanged_orientation(lane, b->q, b->u, true, w->wave->closing_is_mirrored);
    b->q = vfq_select_positive(lane, left, b->q);
}

ROD_INLINE void finish_middle(const pass *w, ptrdiff_t step, bend_task *b) {
    float *before = ring_row(w, step - 1) + LINE_Q * VF_LANES;
    const vfq left = vfq_load(before, VF_LANES);
    vfq_store(before, VF_LANES, vfq_select_positive(meeting_lane(w, step, 2, 0), b->q, left));
    b->q = exchanged_orientation(meeting_lane(w, step, 2, 1), b->u, b->q, false,
                                 !w->wave->closing_is_mirrored);
}

/* ---------------------------------------------------------------- a step */

/* project_mixed of what is simple. */
ROD_INLINE void project_simple(const work *s, stretch_task *t, bend_task *b, const float *row,
                               rod_norm norm) {
    const joint_row j = {.share = vf3_load(row + LINE_SHARE * VF_LANES, VF_LANES),
                         .moves_q = vf_load(row + LINE_MOVES_Q * VF_LANES),
                         .moves_u = vf_load(row + LINE_MOVES_U * VF_LANES)};
    const vfq q = b->q, u = b->u;
    b->uniform = true;
    bend_strain(b);
    simple_strain(s, t);
    simple_bend_first(&j, b);
    stretch_move(s, t);
    stretch_turn(s, t);
    bend_second(s, b);
    simple_bend_root(s, &j, b, norm);
    shallow_stretch_root(s, t, norm);
    bend_shorten(s, b);
    put_back_held(&j, q, u, b);
    stretch_shorten(s, t);
}

/* Where two waves meet, nothing is uniform: behind its last element a wave is still. */
ROD_INLINE void advance(const pass *w, ptrdiff_t step, carried *c, size_t sides, likeness kind,
                        rod_norm norm) {
    const bool uniform = kind == UNIFORM, meets = sides == 2 && !uniform;
    const bool here = meets && is_meeting(w, step, 0), middle = meets && is_meeting(w, step, 2);
    const ptrdiff_t still = w->wave->last + LINES_BEHIND - 1;
    const float *line = w->line + (step < still ? step : still) * (ptrdiff_t)(LINE * sides);
    float *row = ring_row(w, step);
    hand_down_constants(sides, kind, row, line);
    stretch_task t = {.uniform = uniform,
                      .row = row + LINE_CONSTANTS * VF_LANES,
                      .p1 = c->p,
                      .p2 = particle_ahead(w, sides, step, line),
                      .q = next_orientation(w, sides, step, line)};
    bend_task b = {.uniform = uniform,
                   .row = t.row,
                   .rest = vf3_load(row + LINE_REST * VF_LANES, VF_LANES),
                   .q = c->q,
                   .u = c->u};
    if (here)
        t.p2 = exchanged_particle(meeting_lane(w, step, 0, 1), c->p, t.p2, false);
    if (middle)
        prepare_middle(w, step, &b);
    if (kind == SIMPLE)
        project_simple(&w->s, &t, &b, row, norm);
    else
        project_mixed(&w->s, &t, &b, 1, norm);
    if (here)
        t.p1 = exchanged_particle(meeting_lane(w, step, 0, 0), t.p2, t.p1, true);
    if (middle)
        finish_middle(w, step, &b);
    vf3_store(row, VF_LANES, t.p1);
    vfq_store(row + LINE_Q * VF_LANES, VF_LANES, b.q);
    *c = (carried){t.p2, b.u, t.q};
    leave(w, sides, step, w->active);
    if (w->before > 0)
        leave(w, sides, step + w->period, w->before);
}

/* ---------------------------------------------------------------- a pass */

static void make_ring_still(const pass *w, vf size) {
    memset(w->ring, 0, WAVE_LAG * LINE * VF_LANES * sizeof *w->ring);
    for (ptrdiff_t row = 0; row < WAVE_LAG; row++)
        vf_store(ring_row(w, row) + LINE_Q * VF_LANES, size);
}

/* The constants that entered last, in a uniform step, as the lanes would have handed them down. */
static void make_ring_uniform(const pass *w, size_t sides, ptrdiff_t step) {
    const float *line = w->line + step * (ptrdiff_t)(LINE * sides);
    for (ptrdiff_t row = 0; row < WAVE_LAG; row++)
        for (size_t c = LINE_CONSTANTS; c < LINE; c++)
            vf_store(ring_row(w, row) + c * VF_LANES, vf_set1(line[c * sides]));
}

/* The first step in which all of this pass are where all is uniform, and none of the one before is
 * left. */
ROD_INLINE ptrdiff_t uniform_from(const pass *w) {
    const ptrdiff_t from = w->wave->uniform_from + WAVE_LAG * (w->active - 1);
    const ptrdiff_t left = w->wave->last + 1 + WAVE_LAG * (w->before - 1) - w->period;
    return w->before > 0 && from < left ? left : from;
}

ROD_INLINE void run_pass(const pass *shared, carried *on_the_way, size_t sides, bool simple,
                         rod_norm norm) {
    const pass known = *shared;
    const pass *w = &known;
    const ptrdiff_t from = uniform_from(w), to = w->wave->uniform_to, last = w->last;
    carried c = *on_the_way;
    for (ptrdiff_t step = -1; step <= last;) {
        const ptrdiff_t stop = step < from && from < to ? from : last + 1;
        for (; step < stop; step++)
            advance(w, step, &c, sides, simple ? SIMPLE : GENERAL, norm);
        if (step > last)
            break;
        for (; step < to; step++)
            advance(w, step, &c, sides, UNIFORM, norm);
        make_ring_uniform(shared, sides, step - 1);
    }
    *on_the_way = c;
}

/* A multiple of the lag, for the ring, in which a lane is done with one pass and the lines of the
 * next one have been left by all iterations of it. */
ROD_INLINE ptrdiff_t period_of(const rod_wave *wave, size_t width) {
    const ptrdiff_t alone = (wave->last + 1 + WAVE_LAG) / WAVE_LAG, all = (ptrdiff_t)width;
    return WAVE_LAG * (alone > all ? alone : all);
}

ROD_INLINE void run_wave(const rod_wave *wave, size_t sides, bool simple, rod_norm norm) {
    const size_t width = width_of(sides);
    pass w = {.wave = wave,
              .s = {.block = wave->block, .lanes = VF_LANES, .unroll = 1, .norm = norm},
              .ring = wave->memory,
              .line = wave->line,
              .period = period_of(wave, width)};
    w.s.uniform = wave->memory + WAVE_LAG * LINE * VF_LANES;
    for (size_t i = 0; i < UNIFORM_ROW; i++)
        vf_store(w.s.uniform + i * VF_LANES, vf_set1(wave->constants[i * wave->constant_step]));
    const vf zero = vf_zero(), size = uniform_at(&w.s, U_SIZE, 0);
    const vfq unit = {size, zero, zero, zero};
    carried c = {{zero, zero, zero}, unit, unit};
    make_ring_still(&w, size);
    for (size_t done = 0; done < wave->iterations; done += (size_t)w.active) {
        const size_t left = wave->iterations - done;
        w.before = w.active;
        w.active = (ptrdiff_t)(left < width ? left : width);
        w.last = left > width ? w.period - 2 : wave->last + WAVE_LAG * (w.active - 1);
        run_pass(&w, &c, sides, simple, norm);
    }
}

/* Where no rod is simple, the compiler shall not make its wave: see row_is. */
ROD_INLINE void run_any_wave(const rod_wave *wave, rod_norm norm) {
    const bool simple = norm != NORM_exact && VF_MASKED != 0 && wave->simple;
    if (wave->sides == 2 && simple)
        run_wave(wave, 2, true, norm);
    else if (wave->sides == 2)
        run_wave(wave, 2, false, norm);
    else if (simple)
        run_wave(wave, 1, true, norm);
    else
        run_wave(wave, 1, false, norm);
}

#define ROD_INSTANCE(method, isa, norm)                                                            \
    rod_wave_run ROD_WAVE_SYMBOL(isa, norm);                                                       \
    void ROD_WAVE_SYMBOL(isa, norm)(const rod_wave *wave) {                                        \
        run_any_wave(wave, NORM_##norm);                                                           \
    }

#define ROD_INSTANCES(isa) ROD_CHUNKED_KERNELS(ROD_INSTANCE, quaternion, isa)

ROD_INSTANCES(ROD_ISA)
