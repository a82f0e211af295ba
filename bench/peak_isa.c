/* Multiply-adds as fast as the CPU can, once per instruction set. */

#include "peak.h"

#include ROD_VEC_HEADER

/* Enough chains to hide the latency of any CPU's FMA, and few enough for 16 registers. */
enum { CHAINS = 12 };

#define PEAK_SYMBOL_OF(isa) peak_run_##isa
#define PEAK_SYMBOL(isa) PEAK_SYMBOL_OF(isa)

peak_run PEAK_SYMBOL(ROD_ISA);

double PEAK_SYMBOL(ROD_ISA)(size_t repeats, float *values) {
    const vf factor = vf_load(values), term = vf_load(values + VF_LANES);
    /* different starts, or the compiler would find that some chains are the same */
    vf c0 = vf_set1(0.0f), c1 = vf_set1(1.0f), c2 = vf_set1(2.0f), c3 = vf_set1(3.0f);
    vf c4 = vf_set1(4.0f), c5 = vf_set1(5.0f), c6 = vf_set1(6.0f), c7 = vf_set1(7.0f);
    vf c8 = vf_set1(8.0f), c9 = vf_set1(9.0f), c10 = vf_set1(10.0f), c11 = vf_set1(11.0f);
    for (size_t i = 0; i < repeats; i++) {
        c0 = vf_fma(c0, factor, term);
        c1 = vf_fma(c1, factor, term);
        c2 = vf_fma(c2, factor, term);
        c3 = vf_fma(c3, factor, term);
        c4 = vf_fma(c4, factor, term);
        c5 = vf_fma(c5, factor, term);
        c6 = vf_fma(c6, factor, term);
        c7 = vf_fma(c7, factor, term);
        c8 = vf_fma(c8, factor, term);
        c9 = vf_fma(c9, factor, term);
        c10 = vf_fma(c10, factor, term);
        c11 = vf_fma(c11, factor, term);
    }
    const vf sum = vf_add(vf_add(vf_add(c0, c1), vf_add(c2, c3)), vf_add(vf_add(c4, c5), c6));
    const vf rest = vf_add(vf_add(vf_add(c7, c8), vf_add(c9, c10)), c11);
    vf_store(values, vf_add(sum, rest));
    return (double)repeats * CHAINS;
}
