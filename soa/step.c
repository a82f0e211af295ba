/* Stepping a batch: refreshing what changed, then frame by frame and block by block. */

#include "batch.h"

#include <math.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---------------------------------------------------------------- uniform ranges */

typedef struct {
    size_t begin, end;
} range;

static float at(const rod_block *b, const float *values, size_t index, size_t lane) {
    return values[rod_offset(b, lane, index, 1)];
}

static bool element_is_uniform(const rod_block *b, size_t e, size_t lane) {
    const float *k = b->lane_constant + lane;
    const float w = k[ROD_LANE_WEIGHT * b->lanes];
    return at(b, b->w, e, lane) == w && at(b, b->w, e + 1, lane) == w &&
           (!b->wq || at(b, b->wq, e, lane) == k[ROD_LANE_WEIGHT_Q * b->lanes]) &&
           (!b->length || at(b, b->length, e, lane) == k[ROD_LANE_LENGTH * b->lanes]);
}

static size_t uniform_turns_before(const rod_block *b, size_t begin, size_t lane) {
    const float wq = b->lane_constant[ROD_LANE_WEIGHT_Q * b->lanes + lane];
    while (b->wq && begin > 0 && at(b, b->wq, begin - 1, lane) == wq)
        begin--;
    return begin;
}

/* The middle of a rod says what is uniform for it: pins are mostly at the ends. */
static range refresh_lane(rod_block *b, size_t lane) {
    float *k = b->lane_constant + lane;
    const size_t n = b->lane_elements[lane], middle = n / 2;
    k[ROD_LANE_WEIGHT * b->lanes] = at(b, b->w, middle, lane);
    if (b->wq)
        k[ROD_LANE_WEIGHT_Q * b->lanes] = at(b, b->wq, middle, lane);
    if (b->length)
        k[ROD_LANE_LENGTH * b->lanes] = at(b, b->length, middle, lane);
    range r = {middle, middle};
    if (!(k[ROD_LANE_WEIGHT * b->lanes] > 0.0f && k[ROD_LANE_WEIGHT_Q * b->lanes] > 0.0f))
        return r;
    while (r.begin > 0 && element_is_uniform(b, r.begin - 1, lane))
        r.begin--;
    while (r.end < n && element_is_uniform(b, r.end, lane))
        r.end++;
    return r;
}

static bool lane_is_isotropic(const rod_block *b, size_t lane) {
    const float *k = b->lane_constant + lane;
    return k[ROD_LANE_SHEAR_X * b->lanes] == k[ROD_LANE_STRETCH * b->lanes] &&
           k[ROD_LANE_SHEAR_Y * b->lanes] == k[ROD_LANE_STRETCH * b->lanes];
}

/* Uniform quaternion rods are solved in units of 4 wq l^2 k / D (KS16 eq. 37) and of w / 2 wq l, of
 * which roots and reciprocals must be float32 numbers: where nothing is taken back, or weights are
 * so unlike that positions or orientations hardly move, there are no such units. */
static bool has_units(const rod_block *b, size_t lane) {
    const float *k = b->lane_constant + lane;
    const double l = (double)k[ROD_LANE_LENGTH * b->lanes];
    const double w = (double)k[ROD_LANE_WEIGHT * b->lanes];
    const double half_turn = 2.0 * (double)k[ROD_LANE_WEIGHT_Q * b->lanes] * l;
    const double turn = 2.0 * half_turn * l, sum = 2.0 * w + turn;
    return (double)k[ROD_LANE_STRETCH * b->lanes] * turn > 1e-12 * sum && half_turn > 1e-12 * w &&
           half_turn < 1e12 * w;
}

/* The length of the longest rest vector, and what rounding may add to it. */
static void refresh_curve(rod_block *b, size_t lane) {
    double longest = 0.0;
    for (size_t joint = 0; joint + 1 < b->lane_elements[lane]; joint++) {
        const float *rest = b->rest + rod_offset(b, lane, joint, 3);
        const double x = (double)rest[0], y = (double)rest[b->lanes],
                     z = (double)rest[2 * b->lanes];
        longest = fmax(longest, x * x + y * y + z * z);
    }
    b->lane_constant[ROD_LANE_CURVE * b->lanes + lane] = (float)(sqrt(longest) + 1e-3);
}

/* ---------------------------------------------------------------- stiffness */

/* What each of `iterations` projections must take back so that all of them together take back k
 * (muller2007 section 3.3; 0 iterations: k itself). */
static float applied_stiffness(float k, size_t iterations) {
    return iterations == 0 ? k : (float)(1.0 - pow(1.0 - (double)k, 1.0 / (double)iterations));
}

static void apply_own_stiffness(rod_block *b, size_t lane, size_t iterations) {
    float *k = b->lane_constant + lane;
    for (size_t i = 0; i < 6; i++)
        k[(ROD_LANE_SHEAR_X + i) * b->lanes] =
            applied_stiffness(k[(ROD_LANE_SET + i) * b->lanes], iterations);
}

/* Of single elements or joints, times the rod's own. */
static void apply_stiffness(const rod_block *b, const float *set, float *applied,
                            enum rod_lane_constant own, size_t lane, size_t iterations) {
    const size_t own_set = (size_t)(ROD_LANE_SET + own - ROD_LANE_SHEAR_X);
    for (size_t e = 0; applied && e < b->elements; e++)
        applied[rod_offset(b, lane, e, 1)] = applied_stiffness(
            b->lane_constant[own_set * b->lanes + lane] * at(b, set, e, lane), iterations);
}

static void refresh_stiffness(rod_block *b, size_t lane, size_t iterations) {
    apply_own_stiffness(b, lane, iterations);
    apply_stiffness(b, b->set_stretch, b->stretch_stiffness, ROD_LANE_STRETCH, lane, iterations);
    apply_stiffness(b, b->set_bend, b->bend_stiffness, ROD_LANE_BEND_X, lane, iterations);
}

/* ---------------------------------------------------------------- chunks */

/* What is behind the rod's end lies on a line at rest, so that kernels may treat it like the rod:
 * nothing moves it, and nothing in it grows. */
static void straighten_padding(const rod_block *b) {
    const float length = b->lane_constant[ROD_LANE_LENGTH * b->lanes];
    for (size_t i = b->elements; i < b->rows * b->lanes; i++) {
        if (b->length)
            b->length[rod_offset(b, 0, i, 1)] = length;
        if (i > b->elements)
            b->x[rod_offset(b, 0, i, 3) + 2 * b->lanes] = (float)i * length;
    }
}

static void spread_constants(const rod_block *b) {
    for (size_t i = 0; i < ROD_LANE_CONSTANTS; i++)
        for (size_t lane = 1; lane < b->lanes; lane++)
            b->lane_constant[i * b->lanes + lane] = b->lane_constant[i * b->lanes];
}

/* ---------------------------------------------------------------- what changed */

void rod_refresh(rod_batch *batch, size_t index) {
    rod_block *b = &batch->block[index];
    range common = {0, b->elements};
    size_t turns_begin = 0;
    b->isotropic_stretch = true;
    for (size_t lane = 0; lane < b->lanes && b->lane_elements[lane] > 0; lane++) {
        refresh_stiffness(b, lane, batch->stiffness_iterations);
        const range r = refresh_lane(b, lane);
        common.begin = r.begin > common.begin ? r.begin : common.begin;
        common.end = r.end < common.end ? r.end : common.end;
        const size_t turns = uniform_turns_before(b, r.begin, lane);
        turns_begin = turns > turns_begin ? turns : turns_begin;
        b->isotropic_stretch = b->isotropic_stretch && lane_is_isotropic(b, lane);
        if (batch->method == ROD_METHOD_QUATERNION) {
            refresh_curve(b, lane);
            if (!has_units(b, lane))
                common.end = 0;
        }
    }
    if ((batch->method == ROD_METHOD_QUATERNION && !b->isotropic_stretch) || b->stretch_stiffness ||
        b->bend_stiffness || common.end < common.begin)
        common.begin = common.end = 0;
    b->uniform_begin = common.begin;
    b->uniform_end = common.end;
    b->uniform_turns_begin = turns_begin < common.begin ? turns_begin : common.begin;
    if (b->rows > 0) {
        straighten_padding(b);
        spread_constants(b);
    }
    batch->stale[index] = false;
}

/* ---------------------------------------------------------------- frames */

static rod_status check_settings(const rod_batch *batch, const rod_step_settings *s) {
    if (!batch || !s)
        return ROD_E_NULL;
    if (s->iterations == 0)
        return ROD_E_ITERATIONS;
    if ((int)s->order < ROD_ORDER_SEQUENTIAL || (int)s->order > ROD_ORDER_DEFAULT)
        return ROD_E_ORDER;
    if (!isfinite(s->dt) || !isfinite(s->damping) || !isfinite(s->rigid_damping))
        return ROD_E_NOT_FINITE;
    for (int i = 0; i < 3; i++)
        if (!isfinite(s->gravity[i]))
            return ROD_E_NOT_FINITE;
    /* 1/dt must be finite, too */
    if (!(s->dt > 0.0f) || !isfinite(1.0f / s->dt))
        return ROD_E_TIME_STEP;
    if (!(s->damping >= 0.0f && s->damping <= 1.0f) ||
        !(s->rigid_damping >= 0.0f && s->rigid_damping <= 1.0f))
        return ROD_E_DAMPING;
    return s->rigid_damping > 0.0f && batch->method != ROD_METHOD_PBD ? ROD_E_ABSENT : ROD_OK;
}

rod_order rod_default_order(rod_method method) {
    return method == ROD_METHOD_PBER ? ROD_ORDER_CROSS : ROD_ORDER_BILATERAL;
}

static void choose_stiffness(rod_batch *batch, const rod_step_settings *s) {
    const size_t iterations = s->stiffness_per_frame ? s->iterations : 0;
    if (batch->stiffness_iterations == iterations)
        return;
    batch->stiffness_iterations = iterations;
    for (size_t i = 0; i < batch->blocks; i++)
        batch->stale[i] = true;
}

static uint64_t run_block(rod_batch *batch, size_t index, const rod_frame *frame, float *scratch) {
    rod_block *block = &batch->block[index];
    block->changed = batch->stale[index];
    if (block->changed)
        rod_refresh(batch, index);
    batch->variant->run(block, frame, scratch);
    uint64_t flips = 0;
    for (size_t lane = 0; lane < block->lanes && block->lane_elements[lane] > 0; lane++)
        flips += (uint64_t)block->flips[lane];
    return flips;
}

/* Blocks do not touch each other, so the result does not depend on the threads. */
static void run_frame(rod_batch *batch, const rod_frame *frame) {
    uint64_t flips = 0;
#ifdef _OPENMP
    if (batch->threads > 1) {
#pragma omp parallel for num_threads((int)batch->threads) schedule(static) reduction(+ : flips)
        for (size_t i = 0; i < batch->blocks; i++)
            flips +=
                run_block(batch, i, frame,
                          batch->scratch + (size_t)omp_get_thread_num() * batch->scratch_floats);
        batch->sign_flips += flips;
        return;
    }
#endif
    for (size_t i = 0; i < batch->blocks; i++)
        flips += run_block(batch, i, frame, batch->scratch);
    batch->sign_flips += flips;
}

rod_step_settings rod_step_defaults(void) {
    return (rod_step_settings){
        .frames = 1,
        .iterations = 10,
        .order = ROD_ORDER_DEFAULT,
        .dt = 0.01f,
        .gravity = {0.0f, -9.81f, 0.0f},
        .damping = 0.0f,
    };
}

rod_status rod_step(rod_batch *batch, const rod_step_settings *settings) {
    const rod_status status = check_settings(batch, settings);
    if (status != ROD_OK)
        return status;
    const rod_frame frame = {
        .dt = settings->dt,
        .damping = settings->damping,
        .rigid_damping = settings->rigid_damping,
        .gravity = {settings->gravity[0], settings->gravity[1], settings->gravity[2]},
        .iterations = settings->iterations,
        .order = settings->order == ROD_ORDER_DEFAULT ? rod_default_order(batch->method)
                                                      : settings->order,
    };
    choose_stiffness(batch, settings);
    for (size_t i = 0; i < settings->frames; i++)
        run_frame(batch, &frame);
    return ROD_OK;
}
