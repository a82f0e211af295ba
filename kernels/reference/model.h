/* A rod in double precision that owns its memory, for checking batches against. */
#ifndef ROD_REFERENCE_MODEL_H
#define ROD_REFERENCE_MODEL_H

#include "reference/pbd.h"
#include "reference/pber.h"
#include "reference/quaternion.h"

/* One rod as each method sees it, on the same arrays of particles, weights and lengths. Those
 * behind const pointers are to be filled by whoever builds one. */
typedef struct {
    rod_method method;
    textbook_rod rod;
    pber_rod pber;
    pbd_rod pbd;
    real *w, *wq, *l, *angle, *stretch_stiffness, *bend_stiffness;
    real3 *rest, *force, *torque, *inertia;
} rod_model;

/* A quaternion rod at rest along z with elements of length 1, free, of full stiffness. NULL without
 * memory. */
rod_model *rod_model_create(size_t elements);

/* The state and material of one rod of a batch. Stiffnesses are taken as they were set. NULL
 * without memory, or if there is no such rod. */
rod_model *rod_model_of(const rod_batch *batch, size_t rod);

/* One frame by the model's method; `frame` names an order of its own. */
void rod_model_step(rod_model *model, const rod_frame *frame);

void rod_model_destroy(rod_model *model);

#endif
