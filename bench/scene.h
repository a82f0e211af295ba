/* The scenes: how a batch is set up, with which settings it runs, and what is measured of it. */
#ifndef RODBENCH_SCENE_H
#define RODBENCH_SCENE_H

#include "json.h"
#include "registry.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCENE_LENGTHS = 4 };

typedef struct {
    size_t rods, elements;
    size_t frames;
    uint64_t seed;
    /* Of an element. Rod i has the i-th of them, and so on round: the same shape in another size.
     */
    float lengths[SCENE_LENGTHS];
    size_t length_count;
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
    bool watches_loops;
    size_t looped;    /* rods that looped: |writhe| > 0.5, or a jump of it by 0.25 in a frame */
    double loop_turn; /* of the driven end when rod 0 looped; NaN if it has not */
    double writhe;    /* of rod 0 */
    double
        out_of_plane; /* largest distance of rod 0 from the plane in which it was bent / length */
} scene_metrics;

/* A scene in progress. */
typedef struct scene_run scene_run;

typedef struct {
    const char *name;
    const char *what;
    scene_settings defaults;
    size_t iterations[ROD_METHODS];
    /* Gives one rod its rest shape; its start is clamped then. */
    rod_status (*shape)(rod_batch *batch, const scene_settings *settings, size_t rod);
    /* Puts one rod into its first pose, or NULL to start at rest. */
    rod_status (*pose)(rod_batch *batch, const scene_settings *settings, size_t rod);
    bool watches_recovery;
    bool is_twisted; /* both ends are clamped and driven, and loops are watched */
} scene;

/* How the twisted scenes are driven: the ends are brought together, left alone, and then one is
 * turned. */
typedef struct {
    size_t approach_frames, settle_frames, frames_a_turn;
    double approach;   /* by which the ends come together / length */
    double most_turns; /* where turning ends */
    double bow;        /* of the straight rod at first, in its middle / length */
} scene_twist;

extern const scene_twist scene_twisting;

size_t scene_count(void);
const scene *scene_at(size_t index);
const scene *scene_named(const char *name); /* NULL when there is none */

/* The scene's settings for a method: iterations and order are its own. */
scene_settings scene_defaults(const scene *s, rod_method method);

/* Puts a batch, made with these settings' rods and elements, into the scene's initial state, and
 * remembers its rest shape. */
rod_status scene_start(const scene *s, const scene_settings *settings, rod_batch *batch,
                       scene_run **run);

/* To be called before and after each frame, which are counted from 0. */
void scene_drive(scene_run *run, size_t frame);
void scene_watch(scene_run *run, size_t frame);

/* Whether frames must be stepped one by one, with scene_drive and scene_watch around each. */
bool scene_needs_each_frame(const scene *s);

/* Whether nothing more is to be seen: all rods of a twisted scene have looped, and would go on
 * through themselves. */
bool scene_is_over(const scene_run *run);

/* The frame in which the ends of a twisted rod begin to turn, and the turns at the end of one. */
size_t scene_first_turn(void);
double scene_turns(size_t frame);

scene_metrics scene_measure(const scene_run *run);

/* RMS distance of a rod's particles to its rest shape / rest length. */
double scene_rest_distance(const scene_run *run, size_t rod);

/* The turn at which a rod of a twisted scene looped; NaN if it has not. */
double scene_loop_turn(const scene_run *run, size_t rod);

void scene_finish(scene_run *run);

void scene_metrics_json(json_writer *w, const scene_metrics *m);

#endif
