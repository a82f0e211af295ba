/* Kernel variants against the double reference. */
#ifndef RODBENCH_VERIFY_H
#define RODBENCH_VERIFY_H

#include "registry.h"

typedef struct verify_suite verify_suite;

typedef struct {
    double error;      /* largest distance to the reference / length of the rod */
    const char *worst; /* the case in which it was found */
    const char *order;
    double limit;      /* what the variant's normalisation may have */
    rod_status status; /* not ROD_OK: it could not be run */
    bool passed;
} verify_result;

/* Runs the references of all methods (NULL), or of the one that is named, through all cases, each
 * for `frames` frames; NULL without memory. */
verify_suite *verify_prepare(uint64_t seed, size_t frames, const char *method);

/* The variant beside the reference of its method, which must have been prepared. */
verify_result verify_variant(const verify_suite *suite, const rod_variant *variant);

/* All variants that are wanted, by their index in the registry, on all cores. */
void verify_all(const verify_suite *suite, const bool *wanted, verify_result *results);

void verify_finish(verify_suite *suite);

/* The error that a variant may have, from its normalisation. */
double verify_limit(const rod_variant *variant);

#endif
