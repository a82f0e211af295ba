/* Google Benchmark for C. Only shim.cc knows it. */
#ifndef RODBENCH_SHIM_H
#define RODBENCH_SHIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    void *context;
    /* Untimed, before each measurement. Returns why it cannot run, or NULL. */
    const char *(*prepare)(void *context);
    /* Does the work so many times. It is called once for each measurement and is all that is
     * timed, so its loop is its own. */
    void (*body)(void *context, size_t repeats);
    /* Untimed, after each measurement. */
    void (*release)(void *context);
    /* An item is one iteration of one element. Reported, all from the thread's CPU time:
     * elem_iter/s, ns/elem_iter and, with a bound, fma_bound_% (100: at the limit); and as they are
     * given here ops/elem_iter and bytes/elem_iter. */
    double items_per_repeat;
    double bound_seconds_per_item;                 /* the FMA pipes' limit; 0: unknown */
    double operations_per_item;                    /* 0: unknown */
    double (*bytes_per_item)(const void *context); /* asked for after the measurement */
} shim_benchmark;

/* The name is copied; the context must stay valid until shim_run has returned. */
void shim_register(const shim_benchmark *benchmark);

/* One line of the report's context, before shim_run. A key is given once. */
void shim_context(const char *key, const char *value);

/* Runs what was registered. argv[0] names the program in messages and reports, the rest are
 * --benchmark_* flags, which the BENCHMARK_* variables of the environment stand in for.
 * 0: done; 1: a benchmark ended with an error; 2: wrong usage, or a filter that
 * matches nothing, with one line on stderr. To be called once. */
int shim_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
