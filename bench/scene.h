/* The scenes: how a batch is set up, with which settings it runs, and what is measured of it. */
#ifndef RODBENCH_SCENE_H
#define RODBENCH_SCENE_H

#include "json.h"
#include "rod.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    size_t rods, elements;
    size_t frames;
    uint64_t seed;
    rod_step_settings step; /* of one frame */
} scene_settings;

/* What is known of a scene after it ran. */
typedef struct {
    double rest_distance; /* RMS distance to the rest shape / length, mean over the rods */
    double tip_drop;      /* how far the tip is below particle 0, mean / length */
    double stretch_rms, stretch_max, bend_rms, bend_max, length_ratio;
    rod_figures figures;
    bool watches_recovery;
    size_t recovered;     /* rods that came within 1 % of their rest shape */
    double median_frames; /* until then, over those that did; NaN if none did */
} scene_metrics;

/* A scene in progress. */
typedef struct scene_run scene_run;

typedef struct {
    const char *name;
    const char *what;
    scene_settings defaults;
    /* Gives one rod its rest shape; its start is clamped then. */
    rod_status (*shape)(rod_batch *batch, const scene_settings *settings, size_t rod);
    /* Puts one rod into its first pose, or NULL to start at rest. */
    rod_status (*pose)(rod_batch *batch, const scene_settings *settings, size_t rod);
    bool watches_recovery;
} scene;

size_t scene_count(void);
const scene *scene_at(size_t index);
const scene *scene_named(const char *name); /* NULL when there is none */

/* Puts a batch, made with these settings' rods and elements, into the scene's initial state, and
 * remembers its rest shape. */
rod_status scene_start(const scene *s, const scene_settings *settings, rod_batch *batch,
                       scene_run **run);

/* To be called after each frame of a scene that watches recovery. */
void scene_watch(scene_run *run, size_t frame);

scene_metrics scene_measure(const scene_run *run);
void scene_finish(scene_run *run);

void scene_metrics_json(json_writer *w, const scene_metrics *m);

#endif
