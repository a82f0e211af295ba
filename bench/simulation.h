/* A scene set up with chosen options, stepped and timed: what run, bench and table share. */
#ifndef RODBENCH_SIMULATION_H
#define RODBENCH_SIMULATION_H

#include "scene.h"

typedef struct {
    const scene *scene;
    scene_settings settings;
    rod_options options;
    rod_batch *batch;
    scene_run *run;
} simulation;

/* Creates the batch and starts the scene. On failure nothing is left to finish. */
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

const char *simulation_order_name(rod_order order);

/* False when there is no such order. */
bool simulation_order_named(const char *name, rod_order *order);

#endif
