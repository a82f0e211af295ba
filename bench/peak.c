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

double peak_rate(const rod_isa *isa) {
    peak_run *run = run_of(isa->name);
    double best = 0.0;
    if (!isa->usable || !run)
        return 0.0;
    for (int round = 0; round < 20; round++) {
        _Alignas(64) float values[32];
        for (size_t i = 0; i < 32; i++)
            values[i] = i < isa->lanes ? 0.5f : 1.0f; /* converges: no denormals, no infinities */
        const double start = clock_thread_seconds();
        const double done = run(50000, values);
        best = fmax(best, done / (clock_thread_seconds() - start));
    }
    return best;
}

static double seconds_of(const rod_variant *variant, double operations, double rate) {
    const rod_isa isa = rod_variant_isa(variant);
    return rate > 0.0 ? operations / ((double)isa.lanes * rate) : 0.0;
}

double peak_bound(const rod_variant *variant, double rate) {
    return seconds_of(variant, (double)rod_operations(variant), rate);
}

double peak_frame_bound(const rod_variant *variant, double rate, size_t iterations) {
    const double around = (double)rod_frame_operations(variant) / (double)iterations;
    return seconds_of(variant, (double)rod_operations(variant) + around, rate);
}
