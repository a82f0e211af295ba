#include "peak.h"

#include "clock.h"
#include "operations.h"
#include "variants.h"

#include <math.h>
#include <string.h>

#define PEAK_DECLARE(isa, lanes, family, what) peak_run peak_run_##isa;
ROD_ISAS(PEAK_DECLARE)

#ifndef ROD_HAVE_sse41
#define peak_run_sse41 NULL
#endif
#ifndef ROD_HAVE_avx2
#define peak_run_avx2 NULL
#endif
#ifndef ROD_HAVE_avx512
#define peak_run_avx512 NULL
#endif
#ifndef ROD_HAVE_neon
#define peak_run_neon NULL
#endif

#define PEAK_ROW(isa, lanes, family, what) {#isa, peak_run_##isa},

static const struct {
    const char *isa;
    peak_run *run;
} runs[] = {ROD_ISAS(PEAK_ROW)};

static peak_run *run_of(const char *isa) {
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (strcmp(runs[i].isa, isa) == 0)
            return runs[i].run;
    return NULL;
}

static double best_rate(const rod_isa *isa, peak_run *run, bool mixed) {
    double best = 0.0;
    for (int round = 0; round < 20; round++) {
        _Alignas(64) float values[32];
        for (size_t i = 0; i < 32; i++)
            values[i] = i < isa->lanes ? 0.5f : 1.0f; /* no denormals, no infinities */
        const double start = clock_thread_seconds();
        const double done = run(50000, mixed, values);
        best = fmax(best, done / (clock_thread_seconds() - start));
    }
    return best;
}

peak_rates peak_measure(const rod_isa *isa) {
    peak_run *run = run_of(isa->name);
    if (!isa->usable || !run)
        return (peak_rates){0};
    const double multiply_adds = best_rate(isa, run, false);
    return (peak_rates){multiply_adds, fmax(multiply_adds, best_rate(isa, run, true))};
}

peak_rates peak_times(peak_rates rates, double cores) {
    return (peak_rates){rates.multiply_adds * cores, rates.mixed * cores};
}

static double seconds_of(const rod_variant *variant, double all, double additions,
                         peak_rates rates) {
    const double lanes = (double)rod_variant_isa(variant).lanes;
    if (!(rates.multiply_adds > 0.0))
        return 0.0;
    return fmax((all - additions) / rates.multiply_adds, all / rates.mixed) / lanes;
}

double peak_bound(const rod_variant *variant, peak_rates rates) {
    const rod_operation_count n = rod_operations(variant);
    return seconds_of(variant, (double)n.all, (double)n.additions, rates);
}

double peak_frame_bound(const rod_variant *variant, rod_order order, peak_rates rates,
                        size_t iterations) {
    const rod_operation_count n = rod_operations(variant);
    const rod_operation_count around = rod_frame_operations(variant, order);
    const double share = 1.0 / (double)iterations;
    return seconds_of(variant, (double)n.all + share * (double)around.all,
                      (double)n.additions + share * (double)around.additions, rates);
}
