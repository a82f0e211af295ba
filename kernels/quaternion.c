/* Quaternion rods (Kugelstadt & Schoemer 2016, "KS16"), the vector body.
 *
 * Compiled once per instruction set with ROD_ISA and ROD_VEC_HEADER given. A lane is a rod, so that
 * each rod keeps the Gauss-Seidel order of the paper. The working state of one block lives in
 * scratch memory, in rows as quaternion_project.h has them.
 *
 * What differs from the textbook (kernels/reference/quaternion.h), to rounding only:
 * - positions and quaternions are scaled, which saves factors (quaternion_project.h), and positions
 *   are relative to the rod's first particle (quaternion_rows.h);
 * - d3's last component is 1 - 2(x^2 + y^2), true for unit quaternions;
 * - quaternions are flipped once a frame so that every joint's sign s of eq. 33 is +1, after a
 * glance that shows whether any must be.
 *
 * And by more than rounding where joints are bent violently: with equal weights and unit
 * quaternions both norms of a bend are equal, so one reciprocal root serves both, but what the two
 * differ by is then magnified (1e-3 within a frame was seen from random poses in sequential order).
 * The next stretch makes units again; at the end of a sweep, an orientation's last root is its own
 * in sequential and bilateral order, and the end of the frame takes one in the others
 * (leaves_units()). `general` variants take both roots.
 */

#include "quaternion_rows.h"
#include "quaternion_sweep.h"

/* ---------------------------------------------------------------- coefficients */

ROD_INLINE row_weights weights_of(const work *s, size_t e, int stream) {
    const size_t at = e * s->lanes + (size_t)stream * VF_LANES, next = at + s->lanes;
    const rod_block *b = s->block;
    const vf wu = e + 1 < s->elements ? vf_load(b->wq + next) : vf_zero();
    return (row_weights){vf_load(b->w + at), vf_load(b->w + next), vf_load(b->wq + at), wu};
}

/* Whether anything of the first element moves: most rods are clamped there. */
static bool first_moves(const work *s) {
    uint32_t moving = 0;
    for (int stream = 0; stream < s->unroll; stream++) {
        const row_weights w = weights_of(s, 0, stream);
        moving |= vf_sign_bits(vf_sub(vf_zero(), vf_add(vf_add(w.w1, w.w2), w.wq)));
    }
    return moving != 0;
}

static void keep(const work *s, bool uniform) {
    for (int stream = 0; stream < s->unroll; stream++)
        if (uniform && s->block->uniform_begin < s->block->uniform_end)
            prepare_uniform(s, stream);
        else
            prepare_scales(s, stream, vf_set1(1.0f), vf_set1(1.0f));
}

static void prepare_element(const work *s, size_t e, bool bends) {
    for (int stream = 0; stream < s->unroll; stream++) {
        const row_weights w = weights_of(s, e, stream);
        if (e >= s->still)
            prepare_stretch(s, e, stream, w);
        if (bends)
            prepare_bend(s, e, stream, w);
    }
}

/* A uniform instance needs rows only where it takes the general way: at both ends, if at all. */
static void prepare(work *s, const rod_frame *f, bool uniform) {
    const bool all = !uniform || needs_passes(s->block, f->order);
    size_t begin = 0, end = s->elements;
    s->still = first_moves(s) ? 0 : 1;
    for (; begin < end && (all || goes_generally(s, f->order, begin)); begin++)
        prepare_element(s, begin, all || bends_generally(s, f->order, begin));
    for (; end > begin && goes_generally(s, f->order, end - 1); end--)
        prepare_element(s, end - 1, true);
    silence_padding(s, MOVE_1, BEND_1);
}

/* ---------------------------------------------------------------- the frame
 *
 * Each pass over the rod does little, so that a CPU's scheduler holds several elements at a time.
 * In sequential order most rows need no pass of their own: see `beside` in quaternion_sweep.h.
 */

/* 1 where both orientations move and the joint wants a flip */
ROD_INLINE vf flip_count(const work *s, size_t joint, int stream, vf near) {
    const vf flips = vf_select_positive(vf_xor(near, vf_set1(-0.0f)), vf_set1(1.0f), vf_zero());
    if (is_plain_element(s->block, joint) && is_plain_element(s->block, joint + 1))
        return flips;
    const float *wq = s->block->wq + at_row(s, joint, stream);
    const vf moving = vf_mul(vf_load(wq), vf_load(wq + s->lanes));
    return vf_select_positive(moving, flips, vf_zero());
}

/* Flips orientations so that every joint's sign s of eq. 33 is +1. The flip of an orientation
 * depends on that of the one before; only its sign bit is passed on, so that the chain is short. */
static void align_orientations(const work *s, int stream) {
    vf flip = vf_zero(), count = vf_zero();
    vfq before = vfq_load(state_at(s, 0, stream) + STATE_Q * s->lanes, s->lanes);
    for (size_t joint = 0; joint + 1 < s->elements; joint++) {
        float *at = state_at(s, joint + 1, stream) + STATE_Q * s->lanes;
        const vfq u = vfq_load(at, s->lanes);
        const vf near = nearness(before, u, rest_vector(s, joint, stream));
        flip = vf_xor(flip, vf_sign(near));
        count = vf_add(count, flip_count(s, joint, stream, near));
        vfq_store(at, s->lanes, vfq_flip(u, flip));
        before = u;
    }
    vf_store(s->block->flips + (size_t)stream * VF_LANES, count);
}

/* Quiet rows, plain ones on which nothing acts, are most of most batches, and have loops of their
 * own, which know it and ask no row. */
ROD_INLINE rod_block quiet_block(const rod_block *b) {
    rod_block quiet = *b;
    quiet.force = quiet.torque = quiet.inertia = NULL;
    return quiet;
}

/* Between `from` and `to`: the part of them that lies between `begin` and `end`. */
typedef struct {
    size_t from, to;
} span;

ROD_INLINE span span_between(size_t from, size_t to, size_t begin, size_t end) {
    const size_t first = larger_of(from, smaller_of(begin, to));
    return (span){first, larger_of(first, smaller_of(end, to))};
}

ROD_INLINE row_range quiet_part(const rod_block *b, row_range r) {
    const bool acted = b->force || b->torque || b->inertia;
    const size_t begin = b->uniform_begin, end = acted ? begin : b->uniform_end;
    const span e = span_between(r.element, r.elements_end, begin, end);
    const span p = span_between(r.particle, r.particles_end, begin, begin < end ? end + 1 : end);
    return (row_range){e.from, e.to, p.from, p.to};
}

ROD_INLINE void lay_particles(const work *s, const rod_frame *f, const frame_factors *k, span of,
                              bool quiet, instance i) {
    for (size_t p = of.from; p < of.to; p++) {
        const bool plain = quiet || is_plain_particle(s->block, p);
        ROD_ABREAST(j, i.unroll, lay_particle(s, f, &k[j], p, j, plain));
    }
}

/* What the next element is compared with, and what was found. */
typedef struct {
    vf limit[ROD_MOST_ABREAST];
    vfq before[ROD_MOST_ABREAST];
    uint32_t loose;
} glance;

/* Rest vectors are laid in the same loop: their stores take no time where there is so much else to
 * compute. */
ROD_INLINE void lay_elements(const work *s, const frame_factors *k, span of, bool quiet, glance *g,
                             instance i) {
    for (size_t e = of.from; e < of.to; e++) {
        const bool plain = quiet || is_plain_element(s->block, e);
        vfq u[ROD_MOST_ABREAST];
        ROD_ABREAST(j, i.unroll, u[j] = lay_orientation(s, &k[j], e, j, plain, i.norm));
        ROD_ABREAST(j, i.unroll, lay_rest(s, e - 1, j));
        ROD_ABREAST(j, i.unroll, g->loose |= loose_bits(g->limit[j], g->before[j], u[j]));
        ROD_ABREAST(j, i.unroll, g->before[j] = u[j]);
    }
}

/* Most frames of most rods need no flip, and a glance shows it. The first element has none before
 * it to be compared with. */
ROD_INLINE uint32_t lay_rows(const work *s, const rod_frame *f, const frame_factors *k, row_range r,
                             instance i) {
    const rod_block block = quiet_block(s->block);
    const work quiet = specialised_with(s, &block, i);
    const size_t second = r.element + 1;
    const row_range q =
        quiet_part(s->block, (row_range){second, r.elements_end, r.particle, r.particles_end});
    lay_particles(s, f, k, (span){r.particle, q.particle}, false, i);
    lay_particles(&quiet, f, k, (span){q.particle, q.particles_end}, true, i);
    lay_particles(s, f, k, (span){q.particles_end, r.particles_end}, false, i);
    if (r.element >= r.elements_end)
        return 0;
    glance g = {.loose = 0};
    ROD_ABREAST(j, i.unroll, g.limit[j] = loose_limit(s, j));
    const bool plain = is_plain_element(s->block, r.element);
    ROD_ABREAST(j, i.unroll, g.before[j] = lay_orientation(s, &k[j], r.element, j, plain, i.norm));
    lay_elements(s, k, (span){second, q.element}, false, &g, i);
    lay_elements(&quiet, k, (span){q.element, q.elements_end}, true, &g, i);
    lay_elements(s, k, (span){q.elements_end, r.elements_end}, false, &g, i);
    return g.loose;
}

ROD_INLINE void predict_streams(const work *shared, const rod_frame *f, instance i) {
    const rod_block block = *shared->block;
    const work known = specialised_with(shared, &block, i), *s = &known;
    frame_factors k[ROD_MOST_ABREAST];
    ROD_ABREAST(j, i.unroll, k[j] = frame_factors_of(s, f, j));
    ROD_ABREAST(j, i.unroll, vf_store(block.flips + (size_t)j * VF_LANES, vf_zero()));
    uint32_t loose = 0;
    if (predicts_beside(shared, f)) {
        const left_out r = not_predicted_beside(shared);
        for (size_t part = 0; part < 2; part++)
            loose |= lay_rows(s, f, k, r.part[part], i);
        if (loose == 0)
            return;
    }
    loose = lay_rows(s, f, k, all_rows(s), i);
    remember_loose(shared, loose);
    for (int stream = 0; loose != 0 && stream < i.unroll; stream++)
        align_orientations(shared, stream);
}

ROD_INLINE void update_part(const work *s, const rod_frame *f, const frame_factors *k, row_range r,
                            bool quiet, bool has_length, instance i) {
    for (size_t p = r.particle; p < r.particles_end; p++) {
        const bool plain = quiet || is_plain_particle(s->block, p);
        ROD_ABREAST(j, i.unroll, update_scaled_particle(s, f, &k[j], p, j, plain));
    }
    for (size_t e = r.element; e < r.elements_end; e++) {
        const bool plain = quiet || is_plain_element(s->block, e);
        ROD_ABREAST(j, i.unroll, update_orientation(s, &k[j], e, j, plain, has_length, i.norm));
    }
}

ROD_INLINE void update_rows(const work *s, const rod_frame *f, const frame_factors *k, row_range r,
                            bool has_length, instance i) {
    const rod_block block = quiet_block(s->block);
    const work quiet = specialised_with(s, &block, i);
    const row_range q = quiet_part(s->block, r);
    const row_range before = {r.element, q.element, r.particle, q.particle};
    const row_range behind = {q.elements_end, r.elements_end, q.particles_end, r.particles_end};
    update_part(s, f, k, before, false, has_length, i);
    update_part(&quiet, f, k, q, true, has_length, i);
    update_part(s, f, k, behind, false, has_length, i);
}

ROD_INLINE void update_streams(const work *shared, const rod_frame *f, instance i) {
    const rod_block block = *shared->block;
    const work known = specialised_with(shared, &block, i), *s = &known;
    frame_factors k[ROD_MOST_ABREAST];
    ROD_ABREAST(j, i.unroll, k[j] = frame_factors_of(s, f, j));
    const bool has_length = leaves_units(f->order);
    if (!updates_beside(shared, f)) {
        update_rows(s, f, k, all_rows(s), has_length, i);
        return;
    }
    const left_out r = not_updated_beside(shared);
    for (size_t part = 0; part < 2; part++)
        update_rows(s, f, k, r.part[part], true, i);
}

/* Once for each number of lanes and each kind of root, so that the compiler knows them: most of
 * what is left to do for a row would be to find out where it is. */
#define ROD_AROUND(norm)                                                                           \
    static void predict_##norm(const work *s, const rod_frame *f) {                                \
        if (s->unroll == 1)                                                                        \
            predict_streams(s, f, (instance){1, NORM_##norm, false});                              \
        else                                                                                       \
            predict_streams(s, f, (instance){2, NORM_##norm, false});                              \
    }                                                                                              \
    static void update_##norm(const work *s, const rod_frame *f) {                                 \
        if (s->unroll == 1)                                                                        \
            update_streams(s, f, (instance){1, NORM_##norm, false});                               \
        else                                                                                       \
            update_streams(s, f, (instance){2, NORM_##norm, false});                               \
    }

ROD_AROUND(exact)
ROD_AROUND(newton)
ROD_AROUND(bare)

static void predict(const work *s, const rod_frame *f) {
    static void (*const by_norm[])(const work *, const rod_frame *) = {
        predict_exact, predict_newton, predict_bare};
    by_norm[s->norm](s, f);
}

static void update(const work *s, const rod_frame *f) {
    static void (*const by_norm[])(const work *, const rod_frame *) = {update_exact, update_newton,
                                                                       update_bare};
    by_norm[s->norm](s, f);
}

/* All of it, where the first sweep, which predicted, found joints that are loose. */
__attribute__((noinline)) static void predict_again(const work *s, const rod_frame *f) {
    predict(s, f);
}

/* An instance that never does anything beside its flows has no code for it. */
ROD_INLINE beside what_beside(const work *s, const rod_frame *f, size_t done, bool predicted,
                              instance i) {
    if (!i.uniform || i.unroll > 1)
        return BESIDE_NOTHING;
    if (done == 0 && !predicted && predicts_beside(s, f))
        return BESIDE_PREDICTION;
    return done + 1 == f->iterations && updates_beside(s, f) ? BESIDE_UPDATE : BESIDE_NOTHING;
}

/* KS16 Algorithm 1, lines 14 and 15 */
ROD_INLINE void solve(const work *s, const rod_frame *f, instance i) {
    align_stack();
    bool predicted = false;
    for (size_t done = 0; done < f->iterations;) {
        const beside what = what_beside(s, f, done, predicted, i);
        if (f->order == ROD_ORDER_SEQUENTIAL)
            sweep_sequential(s, f, what, i);
        else
            sweep_by_halves(s, f->order, i);
        predicted = what == BESIDE_PREDICTION && was_loose(s);
        if (predicted)
            predict_again(s, f);
        else
            done++;
    }
}

#define ROD_METHOD quaternion
#include "frame.h"
