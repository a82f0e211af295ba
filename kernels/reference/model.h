/* A rod in double precision that owns its memory, for checking batches against. */
#ifndef ROD_REFERENCE_MODEL_H
#define ROD_REFERENCE_MODEL_H

#include "reference/quaternion.h"

/* The arrays behind the const pointers of a textbook_rod, to be filled by whoever builds one. */
typedef struct {
    textbook_rod rod;
    real *w, *wq, *l;
    real3 *rest, *force, *torque, *inertia;
} rod_model;

/* At rest along z with elements of length 1, free, of full stiffness. NULL without memory. */
rod_model *rod_model_create(size_t elements);

/* The state and material of one rod of a batch. NULL without memory, or if there is no such rod. */
rod_model *rod_model_of(const rod_batch *batch, size_t rod);

void rod_model_destroy(rod_model *model);

#endif
