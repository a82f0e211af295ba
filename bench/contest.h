/* Simulations timed in turns, so that what the machine does meanwhile falls on all alike. */
#ifndef RODBENCH_CONTEST_H
#define RODBENCH_CONTEST_H

#include "clock.h"
#include "simulation.h"

typedef struct {
    simulation simulation;
    size_t frames; /* in a sample */
    double *samples;
    clock_stats frame; /* seconds of a frame */
} contestant;

typedef struct {
    contestant *entry;
    size_t count, room;
    rod_status status; /* of the first thing that went wrong */
} contest;

/* What to simulate. Settings and method are the scene's own but for what is given here. */
typedef struct {
    const scene *scene;
    const rod_variant *variant;
    rod_order order;
    size_t rods;       /* 0: the scene's */
    size_t elements;   /* 0: the scene's */
    size_t iterations; /* 0: the scene's */
    size_t threads;    /* 0: one */
} contest_entry;

/* Starts a simulation, each of its rods in the state of the same rod of `from` (or of its first, if
 * that has fewer; NULL: as the scene starts), and returns its place. Returns SIZE_MAX when it
 * failed: see `status`. */
size_t contest_add(contest *c, const contest_entry *entry, const simulation *from);

/* Makes room for so many rounds and finds out how many frames make a sample. */
void contest_prepare(contest *c, size_t rounds);

/* Times every simulation once: round number `round`, counted from 0. */
void contest_round(contest *c, size_t round);

/* Takes as long as a sample, in up to four parts, and returns the seconds of a frame in the
 * shortest: the first finds cold caches, and the machine interrupts some. After contest_prepare. */
double contest_shortest(contestant *e);

/* Times every simulation so many times, in turns. `what` is for the progress line. */
void contest_run(contest *c, size_t rounds, const char *what);

void contest_finish(contest *c);

/* The scene of a method played for so many frames, driven, by the default variant: where timings
 * start from. */
rod_status contest_donor(const scene *s, rod_method method, size_t frames, simulation *donor);

#endif
