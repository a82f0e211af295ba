#include "contest.h"

#include "progress.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Long enough to hide the clock, short enough for many turns. */
static const double sample_seconds = 400e-6;

rod_status contest_donor(const scene *s, rod_method method, size_t frames, simulation *donor) {
    *donor = (simulation){.scene = s, .options = rod_options_default()};
    donor->options.method = method;
    donor->settings = scene_defaults(s, method);
    const rod_status status = simulation_start(donor);
    for (size_t frame = 0; status == ROD_OK && frame < frames; frame++)
        simulation_play(donor, frame);
    return status;
}

/* ---------------------------------------------------------------- states */

/* Quantities that say where a rod is and moves; a method has some of them. */
static const rod_quantity state_quantities[] = {
    ROD_POSITIONS,          ROD_VELOCITIES, ROD_ORIENTATIONS,
    ROD_ANGULAR_VELOCITIES, ROD_GHOSTS,     ROD_GHOST_VELOCITIES,
};

static rod_status copy_rod(const simulation *from, size_t from_rod, simulation *to, size_t rod,
                           float *buffer) {
    for (size_t i = 0; i < sizeof state_quantities / sizeof *state_quantities; i++) {
        rod_status status = rod_get(from->batch, state_quantities[i], from_rod, 1, buffer);
        if (status == ROD_E_ABSENT)
            continue;
        if (status == ROD_OK)
            status = rod_set(to->batch, state_quantities[i], rod, 1, buffer);
        if (status != ROD_OK)
            return status;
    }
    return ROD_OK;
}

static rod_status copy_state(const simulation *from, simulation *to) {
    float *buffer = malloc(4 * (from->settings.elements + 1) * sizeof *buffer);
    rod_status status = buffer ? ROD_OK : ROD_E_MEMORY;
    for (size_t rod = 0; status == ROD_OK && rod < to->settings.rods; rod++)
        status = copy_rod(from, rod % from->settings.rods, to, rod, buffer);
    free(buffer);
    return status;
}

/* ---------------------------------------------------------------- the contest */

static bool make_room(contest *c) {
    if (c->count < c->room)
        return true;
    const size_t room = c->room ? 2 * c->room : 64;
    contestant *more = realloc(c->entry, room * sizeof *more);
    if (!more)
        return false;
    c->entry = more;
    c->room = room;
    return true;
}

static rod_status start(const contest_entry *e, const simulation *from, simulation *s) {
    *s = (simulation){.scene = e->scene, .options = rod_options_default()};
    rod_method_named(e->variant->method, &s->options.method);
    s->options.variant = e->variant->name;
    s->settings = scene_defaults(e->scene, s->options.method);
    s->settings.step.order = e->order;
    if (e->rods)
        s->settings.rods = e->rods;
    if (e->elements)
        s->settings.elements = e->elements;
    if (e->iterations)
        s->settings.step.iterations = e->iterations;
    if (e->threads)
        s->options.threads = e->threads;
    rod_status status = simulation_start(s);
    if (status == ROD_OK && from) {
        status = copy_state(from, s);
        if (status != ROD_OK)
            simulation_finish(s);
    }
    return status;
}

size_t contest_add(contest *c, const contest_entry *entry, const simulation *from) {
    if (c->status != ROD_OK)
        return SIZE_MAX;
    if (!make_room(c)) {
        c->status = ROD_E_MEMORY;
        return SIZE_MAX;
    }
    contestant *added = &c->entry[c->count];
    *added = (contestant){0};
    c->status = start(entry, from, &added->simulation);
    return c->status == ROD_OK ? c->count++ : SIZE_MAX;
}

/* The first frame pays for memory that was never touched; the second tells how long one takes. */
static void warm_up(contestant *e) {
    simulation_step(&e->simulation, 1);
    const double seconds = simulation_step(&e->simulation, 1);
    e->frames = (size_t)(sample_seconds / (seconds + 1e-9)) + 1;
}

void contest_prepare(contest *c, size_t rounds) {
    for (size_t i = 0; c->status == ROD_OK && i < c->count; i++) {
        c->entry[i].samples = malloc(rounds * sizeof(double));
        if (!c->entry[i].samples)
            c->status = ROD_E_MEMORY;
        else
            warm_up(&c->entry[i]);
    }
}

static void take_sample(contestant *e, size_t round) {
    e->samples[round] = simulation_step(&e->simulation, e->frames) / (double)e->frames;
}

void contest_round(contest *c, size_t round) {
    for (size_t i = 0; c->status == ROD_OK && i < c->count; i++)
        take_sample(&c->entry[i], round);
}

double contest_shortest(contestant *e) {
    const size_t frames = (e->frames + 3) / 4;
    double least = INFINITY;
    for (size_t done = 0; done < e->frames; done += frames)
        least = fmin(least, simulation_step(&e->simulation, frames) / (double)frames);
    return least;
}

void contest_run(contest *c, size_t rounds, const char *what) {
    contest_prepare(c, rounds);
    for (size_t round = 0; c->status == ROD_OK && round < rounds; round++)
        for (size_t i = 0; i < c->count; i++) {
            take_sample(&c->entry[i], round);
            if (i % 16 == 0)
                progress_show(what, round * c->count + i + 1, rounds * c->count);
        }
    progress_end();
    for (size_t i = 0; c->status == ROD_OK && i < c->count; i++)
        c->entry[i].frame = clock_statistics(c->entry[i].samples, rounds);
}

void contest_finish(contest *c) {
    for (size_t i = 0; i < c->count; i++) {
        simulation_finish(&c->entry[i].simulation);
        free(c->entry[i].samples);
    }
    free(c->entry);
    *c = (contest){0};
}
