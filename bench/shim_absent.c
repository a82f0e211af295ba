/* The shim of a build without Google Benchmark, for CPUs that it is not installed for. */

#include "shim.h"

#include "options.h"

void shim_register(const shim_benchmark *benchmark) {
    (void)benchmark;
}

void shim_context(const char *key, const char *value) {
    (void)key;
    (void)value;
}

int shim_run(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return options_complain("bench", "this build has no Google Benchmark (SHIM=0)");
}
