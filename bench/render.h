/* What `rodbench render` draws: snapshots of a scene side by side, or its motion as data. */
#ifndef RODBENCH_RENDER_H
#define RODBENCH_RENDER_H

#include "picture.h"
#include "snapshot.h"

enum { RENDER_IMAGES = 24 }; /* in a row, at most */

/* A row for each method, an image for each frame. A single row of methods when there is one frame.
 */
typedef struct {
    const scene *scene;
    const snapshot *shots; /* method by method */
    size_t methods, frames;
    bool begins_at_rest; /* the first of the methods stands for the rest shape */
    double width;        /* pixels of the picture */
    double thickness;    /* radius of a tube / length of an element */
    double element_length, dt;
    picture_camera camera;
    bool labels;
} render_sheet;

/* False when memory ran out. */
bool render_svg(const render_sheet *sheet, FILE *file);

/* The motion as JSON: for each method its frames, packed as little-endian 16-bit positions and
 * 8-bit stripe directions in base64 (reports/README.md). */
bool render_motion(const render_sheet *sheet, size_t every, FILE *file);

/* How a scene is shown unless it is said otherwise. */
typedef struct {
    const char *scene;
    const char *methods;
    size_t rods, frames[8]; /* 0 rods: the scene's; frames end with 0: the scene's last */
    double thickness;
    picture_camera camera;
    bool with_rest; /* the shape to keep, beside what methods make of it: it is the first pose */
} render_look;

const render_look *render_look_of(const scene *s);

#endif
