/* Figures of a curve given by its points. */
#ifndef RODBENCH_CURVE_H
#define RODBENCH_CURVE_H

#include <stddef.h>

/* Writhe of an open polyline: how often it is seen to cross itself, with sign, over all directions
 * of view. Points are x y z, one after the other. */
double curve_writhe(const float *points, size_t count);

#endif
