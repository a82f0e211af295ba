/* Multiply-adds, and additions beside them, as fast as the CPU can, once per instruction set. */

#include "peak.h"

#include ROD_VEC_HEADER

/* Enough chains to hide the latency of any CPU's FMA, and few enough for 16 registers. */
enum { CHAINS = 12 };

#define PEAK_SYMBOL_OF(isa) peak_run_##isa
#define PEAK_SYMBOL(isa) PEAK_SYMBOL_OF(isa)

peak_run PEAK_SYMBOL(ROD_ISA);

/* Written out: a loop leaves compilers with chains in memory. `other` is for every second one. They
 * begin differently, or the compiler would find that some chains are the same. */
#define EVERY(step, other)                                                                         \
    step(0) other(1) step(2) other(3) step(4) other(5) step(6) other(7) step(8) other(9) step(10)  \
        other(11)
#define BEGIN(i) vf c##i = vf_set1((float)(i));
#define MULTIPLY_ADD(i) c##i = vf_fma(c##i, factor, term);
#define ADD(i) c##i = vf_add(c##i, factor);
#define SUM(i) sum = vf_add(sum, c##i);

double PEAK_SYMBOL(ROD_ISA)(size_t repeats, bool mixed, float *values) {
    const vf factor = vf_load(values), term = vf_load(values + VF_LANES);
    vf sum = vf_zero();
    EVERY(BEGIN, BEGIN)
    if (mixed)
        for (size_t i = 0; i < repeats; i++) {
            EVERY(MULTIPLY_ADD, ADD)
        }
    else
        for (size_t i = 0; i < repeats; i++) {
            EVERY(MULTIPLY_ADD, MULTIPLY_ADD)
        }
    EVERY(SUM, SUM)
    vf_store(values, sum);
    return (double)repeats * CHAINS;
}
