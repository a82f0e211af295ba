/* A scene set up with chosen options, stepped and timed: what run, bench and table share. */
#ifndef RODBENCH_SIMULATION_H
#define RODBENCH_SIMULATION_H

#include "choice.h"
#include "scene.h"

typedef struct {
    const scene *scene;
    scene_settings settings;
    rod_options options;
    rod_batch *batch;
    scene_run *run;
} simulation;

/* The variant that rods of the method get in its own order. */
const rod_variant *simulation_variant(rod_method method, size_t rods, size_t elements);

/* Creates the batch, for steps in the order of the settings, and starts the scene. On failure
 * nothing is left to finish. */
rod_status simulation_start(simulation *s);
void simulation_finish(simulation *s);

/* Steps so many frames. Returns seconds: of this thread's CPU time with one thread, of wall time
 * with several. */
double simulation_step(simulation *s, size_t frames);

/* Steps frame number `frame` of the scene, driven and watched; only the step is timed. */
double simulation_play(simulation *s, size_t frame);

double simulation_element_iterations(const simulation *s); /* in one frame */

/* FNV-1a over the bits of all positions and, where there are any, orientations; 0 without memory.
 */
uint64_t simulation_hash(const simulation *s);

/* Bytes that a batch of this size takes, roughly. */
double simulation_bytes(const scene_settings *settings);

#endif
