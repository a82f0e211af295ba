/* From the chunks of a rod to the lines of a wave, and back: see quaternion_wave.h. */
#ifndef ROD_QUATERNION_LINES_H
#define ROD_QUATERNION_LINES_H

#include "quaternion_memory.h"
#include "quaternion_wave.h"

/* One side of a wave. */
typedef struct {
    const work *s;
    const rod_place *place;
    float *line;     /* of element 0 */
    size_t step;     /* floats from one number of a line to the next: the number of sides */
    size_t elements; /* that it stretches */
    bool mirrored, simple;
} wave_side;

/* ---------------------------------------------------------------- where things are */

/* The rod's own index of a side's particle; less 1 and 2, also of elements and joints. */
ROD_INLINE size_t index_of(const wave_side *w, size_t i, size_t less) {
    return w->mirrored ? w->s->block->elements - less - i : i;
}

ROD_INLINE float *state_of(const wave_side *w, size_t index) {
    const rod_place at = w->place[index];
    return w->s->state + at.row * (size_t)(STATE_ROW * VF_LANES) + at.lane;
}

ROD_INLINE const float *coefficients_of(const wave_side *w, size_t index) {
    const rod_place at = w->place[index];
    return w->s->coefficient + at.row * (size_t)(COEFFICIENT_ROW * VF_LANES) + at.lane;
}

ROD_INLINE float *number_at(const wave_side *w, ptrdiff_t line, size_t number) {
    return w->line + (line * LINE + (ptrdiff_t)number) * (ptrdiff_t)w->step;
}

ROD_INLINE void copy_numbers(float *to, size_t to_step, const float *from, size_t from_step,
                             size_t count) {
    for (size_t c = 0; c < count; c++)
        to[c * to_step] = from[c * from_step];
}

/* ---------------------------------------------------------------- there */

/* Of all in a frame this is done most often: the compiler makes it anew for each kind of side. */
ROD_INLINE void lay_state_of(const wave_side *w, size_t step, bool mirrored) {
    const wave_side side = {w->s, w->place, w->line, step, w->elements, mirrored, w->simple};
    for (size_t i = 0; i <= side.elements; i++)
        copy_numbers(number_at(&side, (ptrdiff_t)i - 1, 0), step,
                     state_of(&side, index_of(&side, i, 0)), VF_LANES, 3);
    for (size_t i = 0; i < side.elements; i++) {
        const float *q = state_of(&side, index_of(&side, i, 1)) + STATE_Q * VF_LANES;
        float *to = number_at(&side, (ptrdiff_t)i, LINE_Q);
        to[0] = mirrored ? -q[VF_LANES] : q[0];
        to[step] = mirrored ? q[0] : q[VF_LANES];
        to[2 * step] = mirrored ? q[3 * VF_LANES] : q[2 * VF_LANES];
        to[3 * step] = mirrored ? -q[2 * VF_LANES] : q[3 * VF_LANES];
    }
}

static void lay_state(const wave_side *w) {
    if (w->mirrored)
        lay_state_of(w, 2, true);
    else if (w->step == 2)
        lay_state_of(w, 2, false);
    else
        lay_state_of(w, 1, false);
}

/* Seen from the other end, an element's first particle is its second. */
static inline void lay_element(const wave_side *w, size_t i) {
    const float *from = coefficients_of(w, index_of(w, i, 1));
    float *to = number_at(w, (ptrdiff_t)i, LINE_CONSTANTS);
    const size_t first = w->mirrored ? MOVE_2 : MOVE_1, second = MOVE_1 + MOVE_2 - first;
    to[STRAIN * w->step] = from[STRAIN * VF_LANES];
    to[MOVE_1 * w->step] = from[first * VF_LANES];
    to[MOVE_2 * w->step] = from[second * VF_LANES];
    to[TURN * w->step] = from[TURN * VF_LANES];
}

/* So it is with the orientations of a joint. */
static inline void lay_shares(const wave_side *w, size_t joint, float *constants) {
    const float *bend = coefficients_of(w, joint);
    const size_t first = w->mirrored ? BEND_2 : BEND_1, second = BEND_1 + BEND_2 - first;
    copy_numbers(constants + BEND_1 * w->step, w->step, bend + first * VF_LANES, VF_LANES, 3);
    copy_numbers(constants + BEND_2 * w->step, w->step, bend + second * VF_LANES, VF_LANES, 3);
}

static inline void lay_simple_shares(const wave_side *w, size_t joint, float *line) {
    const rod_block *b = w->s->block;
    const float wq = b->wq[rod_offset(b, 0, joint, 1)], wu = b->wq[rod_offset(b, 0, joint + 1, 1)];
    const float *share = coefficients_of(w, joint) + (wq > 0.0f ? BEND_1 : BEND_2) * VF_LANES;
    copy_numbers(line + LINE_SHARE * w->step, w->step, share, VF_LANES, 3);
    line[LINE_MOVES_Q * w->step] = w->mirrored ? wu : wq;
    line[LINE_MOVES_U * w->step] = w->mirrored ? wq : wu;
}

static inline void lay_joint(const wave_side *w, size_t i, ptrdiff_t line) {
    const size_t joint = index_of(w, i, 2);
    const float *rest = state_of(w, joint) + STATE_REST * VF_LANES;
    float *to = number_at(w, line, LINE_REST);
    copy_numbers(to, w->step, rest, VF_LANES, 3);
    if (w->mirrored)
        to[0] = -to[0];
    if (w->simple)
        lay_simple_shares(w, joint, number_at(w, line, 0));
    else
        lay_shares(w, joint, number_at(w, line, LINE_CONSTANTS));
}

static void lay_constants(const wave_side *w, size_t joints) {
    for (size_t i = 0; i < w->elements; i++)
        lay_element(w, i);
    for (size_t i = 0; i < joints; i++)
        lay_joint(w, i, (ptrdiff_t)i + WAVE_BEHIND);
}

static size_t lines_of(const rod_wave *wave) {
    return (size_t)(LINES_BEFORE + wave->last + LINES_BEHIND);
}

/* Whether the constants that an order needs are there from an earlier frame; if not, there are none
 * at all. */
static bool has_lines(const chunk_memory *m, const rod_wave *wave, rod_order order) {
    if (*m->order == order)
        return true;
    memset(m->lines, 0, lines_of(wave) * LINE * wave->sides * sizeof *m->lines);
    *m->order = order;
    return false;
}

/* Lines where nothing moves get units to hold, anew in each frame: what a rod that is not finite
 * left there would stay. */
static void lay_still(const work *s, const rod_wave *wave, size_t side, ptrdiff_t from,
                      ptrdiff_t to) {
    for (ptrdiff_t i = from; i < to; i++) {
        float *line = wave->line + i * (ptrdiff_t)(LINE * wave->sides) + side;
        for (size_t c = 0; c < LINE_REST; c++)
            line[c * wave->sides] = c == LINE_Q ? s->uniform[U_SIZE * VF_LANES] : 0.0f;
    }
}

static void lay_still_around(const work *s, const rod_wave *wave, size_t side, ptrdiff_t begin,
                             ptrdiff_t end) {
    lay_still(s, wave, side, -LINES_BEFORE, begin);
    lay_still(s, wave, side, end, wave->last + LINES_BEHIND);
}

/* ---------------------------------------------------------------- and back */

ROD_INLINE void take_state_of(const wave_side *w, size_t step, bool mirrored) {
    const wave_side side = {w->s, w->place, w->line, step, w->elements, mirrored, w->simple};
    for (size_t i = 0; i <= side.elements; i++)
        copy_numbers(state_of(&side, index_of(&side, i, 0)), VF_LANES,
                     number_at(&side, (ptrdiff_t)i - 1, 0), step, 3);
    for (size_t i = 0; i < side.elements; i++) {
        float *q = state_of(&side, index_of(&side, i, 1)) + STATE_Q * VF_LANES;
        const float *from = number_at(&side, (ptrdiff_t)i, LINE_Q);
        q[0] = mirrored ? from[step] : from[0];
        q[VF_LANES] = mirrored ? -from[0] : from[step];
        q[2 * VF_LANES] = mirrored ? -from[3 * step] : from[2 * step];
        q[3 * VF_LANES] = mirrored ? from[2 * step] : from[3 * step];
    }
}

static void take_state(const wave_side *w) {
    if (w->mirrored)
        take_state_of(w, 2, true);
    else if (w->step == 2)
        take_state_of(w, 2, false);
    else
        take_state_of(w, 1, false);
}

/* ---------------------------------------------------------------- uniform steps */

/* Of a side whose element 0 is stretched in step `start`. Exact variants have none, as in
 * find_uniform_rows: how many iterations go abreast depends on the width, too. */
static void narrow_uniform_steps(rod_wave *wave, const wave_side *w, ptrdiff_t start) {
    const rod_block *b = w->s->block;
    const ptrdiff_t n = (ptrdiff_t)b->elements, begin = (ptrdiff_t)b->uniform_begin,
                    end = (ptrdiff_t)b->uniform_end, elements = (ptrdiff_t)w->elements;
    const ptrdiff_t first = w->mirrored ? n - end : begin, last = w->mirrored ? n - begin : end;
    const ptrdiff_t from = start + first + WAVE_BEHIND;
    const bool some = begin < end && w->s->norm != NORM_exact;
    const ptrdiff_t to = some ? start + (last < elements ? last : elements) : 0;
    wave->uniform_from = from > wave->uniform_from ? from : wave->uniform_from;
    wave->uniform_to = to < wave->uniform_to ? to : wave->uniform_to;
}

/* ---------------------------------------------------------------- orders */

static bool all_simple(const work *s) {
    const unsigned char *rows = memory_of(s).uniform;
    bool all = true;
    for (size_t row = 0; row < s->elements; row++)
        all = all && row_is(rows[row], ROW_SIMPLE, s->norm);
    return all;
}

static rod_wave new_wave(const work *s, size_t iterations, size_t sides, ptrdiff_t last,
                         float *memory) {
    return (rod_wave){.block = s->block,
                      .constants = s->uniform,
                      .constant_step = VF_LANES,
                      .line = memory_of(s).lines + LINES_BEFORE * LINE * sides,
                      .sides = sides,
                      .last = last,
                      .uniform_to = last,
                      .simple = all_simple(s),
                      .iterations = iterations,
                      .memory = memory};
}

static void solve_along(const work *s, size_t iterations, float *memory, rod_wave_run *run) {
    const size_t n = s->block->elements;
    const chunk_memory m = memory_of(s);
    rod_wave wave = new_wave(s, iterations, 1, (ptrdiff_t)n + WAVE_BEHIND - 1, memory);
    const wave_side along = {s, m.place, wave.line, 1, n, false, wave.simple};
    if (!has_lines(&m, &wave, ROD_ORDER_SEQUENTIAL))
        lay_constants(&along, n - 1);
    lay_still_around(s, &wave, 0, 0, (ptrdiff_t)n);
    lay_state(&along);
    narrow_uniform_steps(&wave, &along, 0);
    run(&wave);
    take_state(&along);
}

/* The joint in the middle has the line of the last step, in which the leading wave would bend the
 * second joint behind its last. */
static void solve_from_both_ends(const work *s, size_t iterations, float *memory,
                                 rod_wave_run *run) {
    const size_t n = s->block->elements, half = n / 2;
    const bool odd = n % 2 == 1;
    const ptrdiff_t last = (ptrdiff_t)half + 2, start = odd ? 0 : 1;
    const chunk_memory m = memory_of(s);
    rod_wave wave = new_wave(s, iterations, 2, last, memory);
    const wave_side leading = {s, m.place, wave.line, 2, half, odd, wave.simple};
    const wave_side closing = {s,    m.place,    wave.line + start * LINE * 2 + 1, 2, n - half,
                               !odd, wave.simple};
    if (!has_lines(&m, &wave, ROD_ORDER_BILATERAL)) {
        lay_constants(&leading, half > 0 ? half - 1 : 0);
        if (n > 1)
            lay_joint(&leading, half - 1, last);
        lay_constants(&closing, n - half - 1);
    }
    lay_still_around(s, &wave, 0, 0, (ptrdiff_t)half);
    lay_still_around(s, &wave, 1, start, start + (ptrdiff_t)(n - half));
    lay_state(&leading);
    lay_state(&closing);
    narrow_uniform_steps(&wave, &leading, 0);
    narrow_uniform_steps(&wave, &closing, start);
    wave.meeting = (ptrdiff_t)half;
    wave.closing_is_mirrored = !odd;
    run(&wave);
    take_state(&closing);
    take_state(&leading);
}

#endif
