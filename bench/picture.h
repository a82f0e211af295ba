/* Shapes in space, seen by a camera and written as SVG, the farthest first. */
#ifndef RODBENCH_PICTURE_H
#define RODBENCH_PICTURE_H

#include "reference/algebra.h"

#include <stddef.h>
#include <stdio.h>

/* How the world is turned before it is seen along -z: about y, then about x. */
typedef struct {
    double yaw, pitch; /* degrees */
} picture_camera;

/* Where in the world the camera looks to, and how much of it an image shows. */
typedef struct {
    picture_camera camera;
    real3 low, high; /* of what it is aimed at */
    real3 centre;
    double reach;                    /* of what is seen, from the centre */
    double scale;                    /* pixels a unit of length */
    double left, top, right, bottom; /* of what is seen, in units of length */
} picture_view;

/* Red, green and blue, 0 .. 1. */
typedef real3 picture_colour;

typedef struct picture picture;

picture *picture_create(void); /* NULL without memory */
void picture_destroy(picture *p);

/* x to the right, y up, z to the camera, in units of length; near things are larger. */
real3 picture_turn(const picture_view *v, real3 point);
real3 picture_see(const picture_view *v, real3 point);

/* Two rounds over all points, of which `positions` holds x y z one after the other, make a view:
 * first it is aimed, then widened to show them. It starts with zeros and a camera. */
void picture_aim(picture_view *v, const float *positions, size_t count);
void picture_include(picture_view *v, const float *positions, size_t count, double margin);

/* Adds shapes for an image whose left upper corner is at x, y (pixels): a patch of surface with
 * four corners, lit by its normal and left out when it faces away; a line; a ball. */
void picture_patch(picture *p, const picture_view *v, double x, double y, const real3 corner[4],
                   real3 normal, picture_colour colour);
enum { PICTURE_LINE = 5 }; /* points: more, and turns of a spring show where shades change */
void picture_line(picture *p, const picture_view *v, double x, double y,
                  const real3 point[PICTURE_LINE], double width, picture_colour colour);
void picture_ball(picture *p, const picture_view *v, double x, double y, real3 centre,
                  double radius, picture_colour colour);

/* Writes all shapes in a group. False when memory ran out while they were added. */
bool picture_write(picture *p, FILE *file);

#endif
