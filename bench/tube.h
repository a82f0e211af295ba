/* A rod as a shaded tube with a light and a dark stripe on opposite sides, which show its twist. */
#ifndef RODBENCH_TUBE_H
#define RODBENCH_TUBE_H

#include "picture.h"
#include "snapshot.h"

/* Radius and detail: pieces along an element, sides around. */
typedef struct {
    double radius;
    size_t pieces, sides;
    picture_colour colour;
    bool clamped_end; /* a sleeve at the far end, too */
} tube_look;

/* One rod of a snapshot. Strands have no stripe, as they know of no twist. */
void tube_draw(picture *p, const picture_view *v, double x, double y, const snapshot *s, size_t rod,
               const tube_look *look);

/* One rod as a thin thread: many of them are hair. */
void tube_draw_thread(picture *p, const picture_view *v, double x, double y, const snapshot *s,
                      size_t rod, const tube_look *look);

#endif
