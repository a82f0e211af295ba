#include "scene.h"

#include "curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scene_run {
    const scene *scene;
    rod_batch *batch;
    size_t rods, elements;
    float *rest;               /* positions of the rest shapes, rod by rod */
    float *now;                /* positions of one rod */
    size_t *recovered;         /* by rod: the frame in which it came within 1 %, 0 if it has not */
    double *loop_turn;         /* by rod; NaN until it has looped */
    double *writhe;            /* by rod, of the frame before */
    float last_orientation[4]; /* of the driven end before it was turned */
};

/* All rods lie along x: one orientation stands for all. */
static rod_status remember_last_orientation(scene_run *run) {
    if (rod_method_of(run->batch) == ROD_METHOD_PBD)
        return ROD_OK;
    float *all = malloc(4 * run->elements * sizeof *all);
    if (!all)
        return ROD_E_MEMORY;
    const rod_status status = rod_get(run->batch, ROD_ORIENTATIONS, 0, 1, all);
    memcpy(run->last_orientation, all + 4 * (run->elements - 1), sizeof run->last_orientation);
    free(all);
    return status;
}

/* The rest shape is remembered before the rods are put into their first pose. */
static rod_status build(scene_run *run, const scene_settings *settings, rod_batch *batch) {
    const scene *s = run->scene;
    rod_status status = ROD_OK;
    for (size_t rod = 0; status == ROD_OK && rod < run->rods; rod++) {
        status = s->shape(batch, settings, rod);
        if (status == ROD_OK)
            status = rod_clamp(batch, rod, ROD_START);
        if (status == ROD_OK && s->is_twisted)
            status = rod_clamp(batch, rod, ROD_END);
        run->loop_turn[rod] = NAN;
    }
    if (status == ROD_OK)
        status = rod_get(batch, ROD_POSITIONS, 0, run->rods, run->rest);
    if (status == ROD_OK && s->is_twisted)
        status = remember_last_orientation(run);
    for (size_t rod = 0; status == ROD_OK && s->pose && rod < run->rods; rod++)
        status = s->pose(batch, settings, rod);
    return status;
}

rod_status scene_start(const scene *s, const scene_settings *settings, rod_batch *batch,
                       scene_run **out) {
    scene_run *run = calloc(1, sizeof *run);
    *out = run;
    if (!run)
        return ROD_E_MEMORY;
    run->scene = s;
    run->batch = batch;
    run->rods = settings->rods;
    run->elements = settings->elements;
    run->rest = malloc(rod_floats(batch, ROD_POSITIONS, 0, run->rods) * sizeof *run->rest);
    run->now = malloc(3 * (run->elements + 1) * sizeof *run->now);
    run->recovered = calloc(run->rods, sizeof *run->recovered);
    run->loop_turn = malloc(run->rods * sizeof *run->loop_turn);
    run->writhe = calloc(run->rods, sizeof *run->writhe);
    rod_status status = ROD_E_MEMORY;
    if (run->rest && run->now && run->recovered && run->loop_turn && run->writhe)
        status = build(run, settings, batch);
    if (status != ROD_OK) {
        scene_finish(run);
        *out = NULL;
    }
    return status;
}

void scene_finish(scene_run *run) {
    if (!run)
        return;
    free(run->rest);
    free(run->now);
    free(run->recovered);
    free(run->loop_turn);
    free(run->writhe);
    free(run);
}

static double rest_length(const scene_run *run, size_t rod) {
    const size_t floats = 3 * (run->elements + 1);
    const float *rest = run->rest + rod * floats;
    double length = 0.0;
    for (size_t i = 0; i + 3 < floats; i += 3)
        length += sqrt(pow((double)(rest[i + 3] - rest[i]), 2) +
                       pow((double)(rest[i + 4] - rest[i + 1]), 2) +
                       pow((double)(rest[i + 5] - rest[i + 2]), 2));
    return length;
}

/* Reads the rod into run->now. */
double scene_rest_distance(const scene_run *run, size_t rod) {
    const size_t floats = 3 * (run->elements + 1);
    const float *rest = run->rest + rod * floats;
    double square = 0.0;
    if (rod_get(run->batch, ROD_POSITIONS, rod, 1, run->now) != ROD_OK)
        return NAN;
    for (size_t i = 0; i < floats; i++) {
        const double d = (double)run->now[i] - (double)rest[i];
        square += d * d;
    }
    return sqrt(square / (double)(run->elements + 1)) / rest_length(run, rod);
}

/* ---------------------------------------------------------------- driving and watching */

static const double loop_writhe = 0.5, passage_writhe = 0.25;

size_t scene_first_turn(void) {
    return scene_twisting.approach_frames + scene_twisting.settle_frames;
}

double scene_turns(size_t frame) {
    if (frame < scene_first_turn())
        return 0.0;
    const double turns =
        (double)(frame + 1 - scene_first_turn()) / (double)scene_twisting.frames_a_turn;
    return fmin(turns, scene_twisting.most_turns);
}

static void bring_end(scene_run *run, size_t rod, size_t frame) {
    const size_t n = run->elements;
    const float *rest = run->rest + 3 * rod * (n + 1);
    const double share = (double)(frame + 1) / (double)scene_twisting.approach_frames;
    const double path = scene_twisting.approach * rest_length(run, rod) * share;
    for (size_t i = n - 1; i <= n; i++) {
        const float p[3] = {(float)((double)rest[3 * i] - path), rest[3 * i + 1], rest[3 * i + 2]};
        rod_move_particle(run->batch, rod, i, p);
    }
}

/* About x, the axis of the rod: (cos, sin, 0, 0) times what it was. */
static void turn_end(scene_run *run, size_t rod, double turns) {
    const double half = 3.14159265358979323846 * turns, c = cos(half), s = sin(half);
    const double w = run->last_orientation[0], x = run->last_orientation[1];
    const double y = run->last_orientation[2], z = run->last_orientation[3];
    const float q[4] = {(float)(c * w - s * x), (float)(c * x + s * w), (float)(c * y - s * z),
                        (float)(c * z + s * y)};
    rod_move_orientation(run->batch, rod, run->elements - 1, q);
}

/* A rod that has looped would go through itself: its end is left where it is. */
void scene_drive(scene_run *run, size_t frame) {
    if (!run->scene->is_twisted)
        return;
    const bool turns = rod_method_of(run->batch) != ROD_METHOD_PBD;
    for (size_t rod = 0; rod < run->rods; rod++) {
        if (frame < scene_twisting.approach_frames)
            bring_end(run, rod, frame);
        if (!isnan(run->loop_turn[rod]) || !turns)
            continue;
        if (frame < scene_twisting.approach_frames || frame >= scene_first_turn())
            turn_end(run, rod, scene_turns(frame));
    }
}

static double writhe_of(const scene_run *run, size_t rod) {
    if (rod_get(run->batch, ROD_POSITIONS, rod, 1, run->now) != ROD_OK)
        return NAN;
    return curve_writhe(run->now, run->elements + 1);
}

/* With many iterations a rod loops, goes through itself and is unwound by two turns all in one
 * frame: no frame ends in the loop, but the writhe has jumped. While it turns, it grows by
 * hundredths a frame. */
static void watch_loop(scene_run *run, size_t rod, size_t frame) {
    const double now = writhe_of(run, rod), jump = fabs(now - run->writhe[rod]);
    run->writhe[rod] = now;
    if (fabs(now) > loop_writhe || jump > passage_writhe)
        run->loop_turn[rod] = scene_turns(frame);
}

void scene_watch(scene_run *run, size_t frame) {
    for (size_t rod = 0; rod < run->rods; rod++) {
        if (run->scene->watches_recovery && run->recovered[rod] == 0 &&
            scene_rest_distance(run, rod) <= 0.01)
            run->recovered[rod] = frame + 1;
        if (run->scene->is_twisted && frame >= scene_first_turn() && isnan(run->loop_turn[rod]))
            watch_loop(run, rod, frame);
    }
}

bool scene_needs_each_frame(const scene *s) {
    return s->watches_recovery || s->is_twisted;
}

bool scene_is_over(const scene_run *run) {
    for (size_t rod = 0; rod < run->rods; rod++)
        if (!run->scene->is_twisted || isnan(run->loop_turn[rod]))
            return false;
    return true;
}

double scene_loop_turn(const scene_run *run, size_t rod) {
    return run->loop_turn[rod];
}

/* ---------------------------------------------------------------- measuring */

static int compare_sizes(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void measure_recovery(const scene_run *run, scene_metrics *m) {
    size_t *frames = malloc(run->rods * sizeof *frames);
    m->watches_recovery = true;
    m->median_frames = NAN;
    if (!frames)
        return;
    for (size_t rod = 0; rod < run->rods; rod++)
        if (run->recovered[rod] > 0)
            frames[m->recovered++] = run->recovered[rod];
    qsort(frames, m->recovered, sizeof *frames, compare_sizes);
    if (m->recovered > 0)
        m->median_frames =
            0.5 * (double)(frames[(m->recovered - 1) / 2] + frames[m->recovered / 2]);
    free(frames);
}

/* Rod 0, bent in the plane of x and y. */
static void measure_loops(const scene_run *run, scene_metrics *m) {
    m->watches_loops = true;
    m->loop_turn = run->loop_turn[0];
    m->writhe = writhe_of(run, 0);
    for (size_t i = 0; i <= run->elements; i++)
        m->out_of_plane =
            fmax(m->out_of_plane, fabs((double)run->now[3 * i + 2] - (double)run->now[2]));
    m->out_of_plane /= rest_length(run, 0);
    for (size_t rod = 0; rod < run->rods; rod++)
        m->looped += isnan(run->loop_turn[rod]) ? 0 : 1;
}

static void measure_rod(const scene_run *run, size_t rod, scene_metrics *m) {
    const double share = 1.0 / (double)run->rods;
    m->rest_distance += share * scene_rest_distance(run, rod);
    const double drop = (double)run->now[1] - (double)run->now[3 * run->elements + 1];
    rod_strain strain;
    if (rod_get_strain(run->batch, rod, &strain) != ROD_OK)
        return;
    m->tip_drop += share * drop / rest_length(run, rod);
    m->stretch_rms += share * (double)strain.stretch_rms;
    m->bend_rms += share * (double)strain.bend_rms;
    m->length_ratio += share * (double)strain.length_ratio;
    m->stretch_max = fmax(m->stretch_max, (double)strain.stretch_max);
    m->bend_max = fmax(m->bend_max, (double)strain.bend_max);
}

scene_metrics scene_measure(const scene_run *run) {
    scene_metrics m = {0};
    for (size_t rod = 0; rod < run->rods; rod++)
        measure_rod(run, rod, &m);
    rod_get_figures(run->batch, &m.figures);
    if (run->scene->watches_recovery)
        measure_recovery(run, &m);
    if (run->scene->is_twisted)
        measure_loops(run, &m);
    return m;
}

void scene_metrics_json(json_writer *w, const scene_metrics *m) {
    json_begin_object(w, "metrics");
    json_number(w, "rest_distance", m->rest_distance);
    json_number(w, "tip_drop", m->tip_drop);
    json_number(w, "stretch_rms", m->stretch_rms);
    json_number(w, "stretch_max", m->stretch_max);
    json_number(w, "bend_rms", m->bend_rms);
    json_number(w, "bend_max", m->bend_max);
    json_number(w, "length_ratio", m->length_ratio);
    json_unsigned(w, "sign_flips", m->figures.sign_flips);
    json_unsigned(w, "folded_joints", m->figures.folded_joints);
    json_unsigned(w, "broken_rods", m->figures.broken_rods);
    json_unsigned(w, "stretched_rods", m->figures.stretched_rods);
    json_unsigned(w, "strained_rods", m->figures.strained_rods);
    if (m->watches_recovery) {
        json_unsigned(w, "recovered", m->recovered);
        json_number(w, "median_frames", m->median_frames);
    }
    if (m->watches_loops) {
        json_unsigned(w, "looped", m->looped);
        json_number(w, "loop_turn", m->loop_turn);
        json_number(w, "writhe", m->writhe);
        json_number(w, "out_of_plane", m->out_of_plane);
    }
    json_end_object(w);
}
