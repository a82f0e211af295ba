#include "snapshot.h"

#include <stdlib.h>

/* The first axis that an orientation turns to: what a stripe along the rod follows. */
static void side_of(const float q[4], float side[3]) {
    const float w = q[0], x = q[1], y = q[2], z = q[3];
    side[0] = 1.0f - 2.0f * (y * y + z * z);
    side[1] = 2.0f * (x * y + w * z);
    side[2] = 2.0f * (x * z - w * y);
}

static rod_status take_sides(const rod_batch *batch, snapshot *s) {
    const size_t count = s->rods * s->elements;
    float *q = malloc(4 * count * sizeof *q);
    s->sides = malloc(3 * count * sizeof *s->sides);
    rod_status status = q && s->sides ? ROD_OK : ROD_E_MEMORY;
    if (status == ROD_OK)
        status = rod_get(batch, ROD_ORIENTATIONS, 0, s->rods, q);
    for (size_t i = 0; status == ROD_OK && i < count; i++)
        side_of(q + 4 * i, s->sides + 3 * i);
    free(q);
    return status;
}

static rod_status take(const simulation *s, size_t frame, snapshot *out) {
    *out = (snapshot){.method = s->options.method,
                      .rods = s->settings.rods,
                      .elements = s->settings.elements,
                      .iterations = s->settings.step.iterations,
                      .frame = frame};
    const size_t floats = rod_floats(s->batch, ROD_POSITIONS, 0, out->rods);
    out->positions = malloc(floats * sizeof *out->positions);
    if (!out->positions)
        return ROD_E_MEMORY;
    rod_status status = rod_get(s->batch, ROD_POSITIONS, 0, out->rods, out->positions);
    if (status == ROD_OK && out->method != ROD_METHOD_PBD)
        status = take_sides(s->batch, out);
    return status;
}

rod_status snapshots_take(const simulation *what, const size_t *frames, size_t count,
                          snapshot *taken) {
    simulation s = *what;
    rod_status status = simulation_start(&s);
    if (status != ROD_OK)
        return status;
    size_t done = 0, frame = 0;
    for (; done < count && status == ROD_OK; done++) {
        for (; frame < frames[done] && !scene_is_over(s.run); frame++)
            simulation_play(&s, frame);
        status = take(&s, frame, &taken[done]);
    }
    simulation_finish(&s);
    if (status != ROD_OK)
        snapshots_release(taken, done);
    return status;
}

void snapshots_release(snapshot *taken, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(taken[i].positions);
        free(taken[i].sides);
    }
}
