#include "simulation.h"

#include "clock.h"

#include <stdlib.h>
#include <string.h>

const rod_variant *simulation_variant(rod_method method, size_t rods, size_t elements) {
    return rod_chosen_variant(method, rods, elements, rod_default_order(method));
}

rod_status simulation_start(simulation *s) {
    s->run = NULL;
    s->options.order = s->settings.step.order;
    rod_status status = rod_create(&s->batch, s->settings.rods, s->settings.elements, &s->options);
    if (status == ROD_OK)
        status = scene_start(s->scene, &s->settings, s->batch, &s->run);
    if (status != ROD_OK)
        simulation_finish(s);
    return status;
}

void simulation_finish(simulation *s) {
    scene_finish(s->run);
    rod_destroy(s->batch);
    s->run = NULL;
    s->batch = NULL;
}

double simulation_step(simulation *s, size_t frames) {
    double (*now)(void) = s->options.threads == 1 ? clock_thread_seconds : clock_wall_seconds;
    const double start = now();
    for (size_t i = 0; i < frames; i++)
        rod_step(s->batch, &s->settings.step);
    return now() - start;
}

double simulation_play(simulation *s, size_t frame) {
    scene_drive(s->run, frame);
    const double seconds = simulation_step(s, 1);
    scene_watch(s->run, frame);
    return seconds;
}

double simulation_element_iterations(const simulation *s) {
    return (double)s->settings.rods * (double)s->settings.elements *
           (double)s->settings.step.iterations;
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t simulation_hash(const simulation *s) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    float *values = malloc(4 * (s->settings.elements + 1) * sizeof *values);
    if (!values)
        return 0;
    for (size_t rod = 0; rod < s->settings.rods; rod++) {
        const rod_quantity parts[] = {ROD_POSITIONS, ROD_ORIENTATIONS};
        for (size_t i = 0; i < 2; i++) {
            if (rod_get(s->batch, parts[i], rod, 1, values) != ROD_OK)
                continue; /* strands have no orientations */
            const size_t floats = rod_floats(s->batch, parts[i], rod, 1);
            hash = hash_bytes(hash, values, floats * sizeof *values);
        }
    }
    free(values);
    return hash;
}

/* The resident state, the rest positions that the scene remembers, the slots. */
double simulation_bytes(const scene_settings *settings) {
    return (double)settings->rods * ((double)settings->elements * 88.0 + 200.0);
}
