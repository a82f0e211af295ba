/* Scenes of the papers timed by every method: paper-style, by the fastest variants, and in a batch.
 */
#ifndef RODBENCH_STUDY_H
#define RODBENCH_STUDY_H

#include "contest.h"
#include "published.h"

enum { STUDY_SCENES = 3 };

/* What is timed of a scene and method. */
typedef enum {
    PAPER_STYLE, /* what the paper's authors likely had */
    PLAIN_C,     /* our body in plain C, a rod at a time: neither width nor batch */
    PAPER_ORDER, /* the fastest variant in the order of the paper */
    ANY_ORDER,   /* the fastest in any order in which the method gains no energy */
    IN_BATCH,    /* the fastest batch kernel on many such rods, in the order of the paper */
    STUDY_KINDS
} study_kind;

typedef struct {
    const rod_variant *variant;
    rod_order order;
    size_t rods;
    clock_stats frame; /* seconds; in a batch of one rod */
} study_timing;

/* One scene by one method. */
typedef struct {
    const scene *scene;
    rod_method method;
    const published *paper; /* NULL if nothing was published */
    simulation donor;
    study_timing of[STUDY_KINDS];
} study_cell;

typedef struct {
    const char *name;
    size_t rounds;
    const scene *scenes[STUDY_SCENES];
    size_t scene_count;
    study_cell cells[STUDY_SCENES * ROD_METHODS];
    size_t cell_count;
} study;

/* Finds the fastest variants of each kind, then measures them in so many rounds. `name` is "table1"
 * for its three scenes, else that of a scene. To be finished in any case. */
rod_status study_run(study *s, const char *name, size_t rounds);

void study_finish(study *s);

#endif
