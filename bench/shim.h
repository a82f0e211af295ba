/* Google Benchmark for C. Only shim.cc knows it. */
#ifndef RODBENCH_SHIM_H
#define RODBENCH_SHIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Does the work so many times. It is called once for each measurement and is all that is timed, so
 * its loop is its own. */
typedef void shim_body(void *context, size_t repeats);

/* What is known besides the time. Read after each measurement, so that the body may fill it in. */
typedef struct {
    double bound_seconds_per_item; /* the FMA pipes' limit; 0: unknown */
    const char *error;             /* why the measurement must not be used, or NULL */
} shim_counters;

/* An item is one iteration of one element. Reported, all from the thread's CPU time: elem_iter/s,
 * ns/elem_iter and, with a bound, fma_bound_% (100: at the limit). The name is copied; context and
 * counters (which may be NULL) must stay valid until shim_run has returned. */
void shim_register(const char *name, shim_body *body, void *context, double items_per_repeat,
                   const shim_counters *counters);

/* A benchmark that cannot run here. It is listed with the reason as its error. */
void shim_skip(const char *name, const char *reason);

/* One line of the report's context, before shim_run. A key is given once. */
void shim_context(const char *key, const char *value);

/* Runs what was registered. argv[0] names the program in messages and reports, the rest are
 * --benchmark_* flags, which the BENCHMARK_* variables of the environment stand in for.
 * 0: done; 1: a benchmark was skipped or ended with an error; 2: wrong usage, or a filter that
 * matches nothing, with one line on stderr. To be called once. */
int shim_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
