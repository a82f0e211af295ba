/* The machine's limit: vector multiply-adds a second. */
#ifndef RODBENCH_PEAK_H
#define RODBENCH_PEAK_H

#include "registry.h"

/* Runs independent chains of multiply-adds; `values` holds two vectors, aligned. Returns how many
 * vector multiply-adds were done. */
typedef double peak_run(size_t repeats, float *values);

/* Vector multiply-adds a second on this core, the best of several short runs; 0 when the ISA cannot
 * be used here. On an ISA without fused ones, a multiplication and an addition count as one. */
double peak_rate(const rod_isa *isa);

/* Seconds that one element x iteration of a variant must take at that rate if nothing but its
 * arithmetic counted; 0 when its operations are not counted. */
double peak_bound(const rod_variant *variant, double rate);

/* The same with its share of what a frame of so many iterations computes around the solver. */
double peak_frame_bound(const rod_variant *variant, double rate, size_t iterations);

#endif
