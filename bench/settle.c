#include "settle.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 50, LOOK_BACK = 2 };

static const double still_energy = 1e-9, still_shape = 1e-5;

/* Of unit masses, in units of l^2; `velocities` has room for one rod. */
static double kinetic_energy(const simulation *s, size_t rod, float *velocities) {
    const size_t floats = 3 * (s->settings.elements + 1);
    const double l = (double)s->settings.lengths[rod];
    double sum = 0.0;
    if (rod_get(s->batch, ROD_VELOCITIES, rod, 1, velocities) != ROD_OK)
        return NAN;
    for (size_t i = 0; i < floats; i++)
        sum += 0.5 * (double)velocities[i] * (double)velocities[i];
    return sum / (l * l);
}

typedef struct {
    double distance[LOOK_BACK]; /* to the rest shape, in chunks before */
    size_t chunks;
    bool still;
} history;

static void look(const simulation *s, size_t rod, history *h, float *velocities) {
    const double now = scene_rest_distance(s->run, rod);
    const double before = h->distance[h->chunks % LOOK_BACK];
    h->still = kinetic_energy(s, rod, velocities) < still_energy ||
               (h->chunks >= LOOK_BACK && fabs(now - before) <= still_shape * now);
    h->distance[h->chunks++ % LOOK_BACK] = now;
}

static void run_until_still(simulation *s, settled *result, float *values) {
    history of[SCENE_LENGTHS] = {0};
    bool moving = true;
    for (size_t frames = CHUNK; moving && frames <= SETTLE_MOST_FRAMES; frames += CHUNK) {
        simulation_step(s, CHUNK);
        moving = false;
        for (size_t rod = 0; rod < s->settings.rods; rod++) {
            settled_rod *r = &result->rod[rod];
            look(s, rod, &of[rod], values);
            if (!of[rod].still || !r->is_still)
                r->frames = frames;
            r->is_still = of[rod].still;
            moving = moving || !of[rod].still;
        }
    }
}

/* What stretch errors of the library are not: those of quaternion rods include shear. `values` has
 * room for positions and rest lengths. */
static double edge_error(const simulation *s, size_t rod, float *values) {
    const size_t n = s->settings.elements;
    const float *p = values, *rest = values + 3 * (n + 1);
    double square = 0.0;
    if (rod_get(s->batch, ROD_POSITIONS, rod, 1, values) != ROD_OK ||
        rod_get(s->batch, ROD_REST_LENGTHS, rod, 1, values + 3 * (n + 1)) != ROD_OK)
        return NAN;
    for (size_t e = 0; e < n; e++, p += 3) {
        const double x = (double)p[3] - (double)p[0], y = (double)p[4] - (double)p[1];
        const double z = (double)p[5] - (double)p[2];
        square += pow(sqrt(x * x + y * y + z * z) / (double)rest[e] - 1.0, 2);
    }
    return sqrt(square / (double)n);
}

/* A looped rod goes on through itself: its edges are measured when it loops. */
static void play(simulation *s, settled *result, float *values) {
    for (size_t frame = 0; frame < s->settings.frames && !scene_is_over(s->run); frame++) {
        simulation_play(s, frame);
        for (size_t rod = 0; rod < s->settings.rods; rod++)
            if (isnan(scene_loop_turn(s->run, rod)) ||
                scene_loop_turn(s->run, rod) == scene_turns(frame))
                result->rod[rod].edge_error = edge_error(s, rod, values);
    }
    for (size_t rod = 0; rod < s->settings.rods; rod++)
        result->rod[rod].loop_turn = scene_loop_turn(s->run, rod);
}

static void read_result(const simulation *s, settled *result, float *values) {
    const size_t n = s->settings.elements;
    for (size_t rod = 0; rod < s->settings.rods; rod++) {
        settled_rod *r = &result->rod[rod];
        const float *p = result->positions + 3 * rod * (n + 1);
        const double length = (double)s->settings.lengths[rod] * (double)n;
        r->rest_distance = scene_rest_distance(s->run, rod);
        r->tip_drop = ((double)p[1] - (double)p[3 * n + 1]) / length;
        if (!s->scene->is_twisted)
            r->edge_error = edge_error(s, rod, values);
    }
}

static rod_status run(simulation *s, settled *result) {
    const size_t rods = s->settings.rods, floats = 3 * (s->settings.elements + 1);
    float *values = malloc((floats + s->settings.elements) * sizeof *values);
    result->positions = malloc(rods * floats * sizeof *result->positions);
    rod_status status = values && result->positions ? ROD_OK : ROD_E_MEMORY;
    if (status == ROD_OK) {
        if (s->scene->is_twisted)
            play(s, result, values);
        else
            run_until_still(s, result, values);
        status = rod_get(s->batch, ROD_POSITIONS, 0, rods, result->positions);
    }
    if (status == ROD_OK)
        read_result(s, result, values);
    free(values);
    return status;
}

rod_status settle(const scene *shown, rod_method method, size_t iterations, const double *lengths,
                  size_t length_count, settled *result) {
    simulation s = {.scene = shown,
                    .options = rod_options_default(),
                    .settings = scene_defaults(shown, method)};
    *result = (settled){.iterations = iterations};
    for (size_t i = 0; i < length_count; i++) {
        result->rod[i].loop_turn = NAN;
        s.settings.lengths[i] = (float)lengths[i];
    }
    s.options.method = method;
    s.settings.rods = s.settings.length_count = length_count;
    s.settings.step.iterations = iterations;
    rod_status status = simulation_start(&s);
    if (status != ROD_OK)
        return status;
    status = run(&s, result);
    simulation_finish(&s);
    return status;
}

double settled_distance(const settled *a, const settled *b, size_t rod, size_t elements,
                        double length) {
    const size_t floats = 3 * (elements + 1);
    double square = 0.0;
    for (size_t i = rod * floats; i < (rod + 1) * floats; i++)
        square += pow((double)a->positions[i] - (double)b->positions[i], 2);
    return sqrt(square / (double)(elements + 1)) / length;
}
