/* The machine's limits: vector operations a second. */
#ifndef RODBENCH_PEAK_H
#define RODBENCH_PEAK_H

#include "registry.h"

/* Runs independent chains of multiply-adds, half of them of additions if `mixed`; `values` holds
 * two vectors, aligned. Returns how many vector operations were done. */
typedef double peak_run(size_t repeats, bool mixed, float *values);

/* Vector operations a second on this core, the best of several short runs; 0 when the ISA cannot be
 * used here. On an ISA without fused multiply-adds, a multiplication and an addition count as one.
 */
typedef struct {
    double multiply_adds;
    double mixed; /* as many additions as multiply-adds: more where a CPU has units for them */
} peak_rates;

peak_rates peak_measure(const rod_isa *isa);

/* The same of so many cores. */
peak_rates peak_times(peak_rates rates, double cores);

/* Seconds that one element x iteration of a variant must take at these rates if nothing but its
 * arithmetic counted: neither its multiplications nor all that it computes can be done faster. 0
 * when its operations are not counted. */
double peak_bound(const rod_variant *variant, peak_rates rates);

/* The same with its share of what a frame of so many iterations computes around the solver. */
double peak_frame_bound(const rod_variant *variant, rod_order order, peak_rates rates,
                        size_t iterations);

#endif
