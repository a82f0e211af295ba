#include "scene.h"

#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* KS16's settings, and the sizes of DESIGN section 3: 50 elements of the helix below are 0.3248
 * long. */
static const float element_length = 0.3248f;
static const float helix_radius = 0.5f, helix_pitch = 1.0f, helix_turns = 5.0f;

/* ---------------------------------------------------------------- shapes and poses */

/* Rods of a batch stand side by side, sixteen in a row: they do not see each other, and float32 is
 * finest near the origin. */
static float aside(size_t rod) {
    return 2.0f * (float)(rod % 16);
}

static rod_random random_of(const scene_settings *s, size_t rod) {
    return rod_random_seed(s->seed * 1000003 + rod);
}

static rod_status shape_cantilever(rod_batch *batch, const scene_settings *s, size_t rod) {
    const float start[3] = {0.0f, 0.0f, aside(rod)}, along[3] = {1.0f, 0.0f, 0.0f};
    return rod_shape_straight(batch, rod, start, along, element_length * (float)s->elements);
}

/* The same curl for any number of elements: turns follow the length. */
static rod_status shape_curl(rod_batch *batch, const scene_settings *s, size_t rod, float x,
                             float y) {
    const rod_helix h = {
        .start = {0.0f, 0.0f, aside(rod)},
        .axis = {x, y, 0.0f},
        .inward = {0.0f, 0.0f, 1.0f},
        .radius = helix_radius,
        .pitch = helix_pitch,
        .turns = helix_turns * (float)s->elements / 50.0f,
    };
    return rod_shape_helix(batch, rod, &h);
}

static rod_status shape_hung_curl(rod_batch *batch, const scene_settings *s, size_t rod) {
    return shape_curl(batch, s, rod, 0.0f, -1.0f);
}

static rod_status shape_level_curl(rod_batch *batch, const scene_settings *s, size_t rod) {
    return shape_curl(batch, s, rod, 1.0f, 0.0f);
}

/* All but the clamp within a tenth of the length of particle 0, turned anyhow. */
static rod_status pose_at_random(rod_batch *batch, const scene_settings *s, size_t rod) {
    rod_random random = random_of(s, rod);
    const double reach = 0.1 * (double)element_length * (double)s->elements;
    rod_status status = ROD_OK;
    for (size_t i = 2; status == ROD_OK && i <= s->elements; i++) {
        float p[3] = {0.0f, 0.0f, aside(rod)};
        for (int c = 0; c < 3; c++)
            p[c] += (float)rod_random_between(&random, -reach, reach);
        status = rod_move_particle(batch, rod, i, p);
    }
    for (size_t e = 1; status == ROD_OK && e < s->elements; e++) {
        double q[4];
        rod_random_quaternion(&random, q);
        const float turned[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
        status = rod_move_orientation(batch, rod, e, turned);
    }
    return status;
}

/* A strand from the upper half of a unit sphere, about its radius long, with a curl of its own from
 * all but straight to tight. */
static rod_status shape_strand(rod_batch *batch, const scene_settings *s, size_t rod) {
    rod_random random = random_of(s, rod);
    const double up = rod_random_unit(&random), angle = rod_random_angle(&random);
    const double around = sqrt(1.0 - up * up);
    const float root[3] = {(float)(around * cos(angle)), (float)up, (float)(around * sin(angle))};
    const double turns = rod_random_between(&random, 0.5, 6.0);
    const double length = rod_random_between(&random, 0.8, 1.2);
    const rod_helix h = {
        .start = {root[0], root[1], root[2]},
        .axis = {root[0], root[1], root[2]},
        .inward = {(float)-sin(angle), 0.0f, (float)cos(angle)},
        .radius = (float)rod_random_between(&random, 0.005, 0.06),
        .pitch = (float)(length / turns),
        .turns = (float)turns,
    };
    return rod_shape_helix(batch, rod, &h);
}

/* ---------------------------------------------------------------- the list */

#define GRAVITY                                                                                    \
    { 0.0f, -9.81f, 0.0f }

static const scene scenes[] = {
    {"cantilever",
     "a straight rod, clamped at one end, bending under gravity",
     {1, 50, 300, 1, {1, 10, ROD_ORDER_DEFAULT, 0.01f, GRAVITY, 0.02f, 0.0f, 0}},
     shape_cantilever,
     NULL,
     false},
    {"helix",
     "a curl of five turns hung from its upper end",
     {1, 50, 300, 1, {1, 10, ROD_ORDER_DEFAULT, 0.01f, GRAVITY, 0.02f, 0.0f, 0}},
     shape_hung_curl,
     NULL,
     false},
    {"random",
     "a curl recovering its rest shape from a random pose (KS16 fig. 6)",
     {20, 50, 1000, 1, {1, 30, ROD_ORDER_DEFAULT, 0.01f, {0}, 0.05f, 0.0f, 0}},
     shape_level_curl,
     pose_at_random,
     true},
    {"hair",
     "many strands with random curls on a head",
     {1000, 50, 30, 1, {1, 10, ROD_ORDER_DEFAULT, 0.01f, GRAVITY, 0.02f, 0.0f, 0}},
     shape_strand,
     NULL,
     false},
};

size_t scene_count(void) {
    return sizeof scenes / sizeof *scenes;
}

const scene *scene_at(size_t index) {
    return &scenes[index];
}

const scene *scene_named(const char *name) {
    for (size_t i = 0; i < scene_count(); i++)
        if (strcmp(scenes[i].name, name) == 0)
            return &scenes[i];
    return NULL;
}

/* ---------------------------------------------------------------- running and measuring */

struct scene_run {
    const scene *scene;
    const rod_batch *batch;
    size_t rods, elements;
    float *rest;       /* positions of the rest shapes, rod by rod */
    float *now;        /* positions of one rod */
    size_t *recovered; /* by rod: the frame in which it came within 1 %, 0 if it has not */
};

/* The rest shape is remembered before the rods are put into their first pose. */
static rod_status build(scene_run *run, const scene_settings *settings, rod_batch *batch) {
    const scene *s = run->scene;
    rod_status status = ROD_OK;
    for (size_t rod = 0; status == ROD_OK && rod < run->rods; rod++) {
        status = s->shape(batch, settings, rod);
        if (status == ROD_OK)
            status = rod_clamp(batch, rod, ROD_START);
    }
    if (status == ROD_OK)
        status = rod_get(batch, ROD_POSITIONS, 0, run->rods, run->rest);
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
    rod_status status = ROD_E_MEMORY;
    if (run->rest && run->now && run->recovered)
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

/* Reads the rod into run->now. RMS distance of its particles to the rest shape / rest length. */
static double rest_distance(const scene_run *run, size_t rod) {
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

void scene_watch(scene_run *run, size_t frame) {
    for (size_t rod = 0; rod < run->rods; rod++)
        if (run->recovered[rod] == 0 && rest_distance(run, rod) <= 0.01)
            run->recovered[rod] = frame;
}

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

static void measure_rod(const scene_run *run, size_t rod, scene_metrics *m) {
    const double share = 1.0 / (double)run->rods;
    m->rest_distance += share * rest_distance(run, rod);
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
    if (m->watches_recovery) {
        json_unsigned(w, "recovered", m->recovered);
        json_number(w, "median_frames", m->median_frames);
    }
    json_end_object(w);
}
