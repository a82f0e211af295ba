/* Memory of a batch: aligned for vectors, on huge pages when there is much of it. */
#ifndef ROD_ALLOCATE_H
#define ROD_ALLOCATE_H

#include <stddef.h>

/* 64-byte aligned, all 0; NULL when there is not enough. To be freed with free(). */
float *rod_allocate_zeros(size_t floats);

#endif
