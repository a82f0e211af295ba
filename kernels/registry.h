/* The table of kernel variants; choice.h chooses among them. */
#ifndef ROD_REGISTRY_H
#define ROD_REGISTRY_H

#include "kernel.h"

typedef struct {
    const char *name; /* as in variants.h: "avx2" */
    const char *what; /* for people */
    size_t lanes;
    bool native; /* to the architecture of this build, not translated by SIMDe */
    bool built;
    bool usable; /* built, and this CPU can run it */
} rod_isa;

typedef struct {
    const char *name; /* quaternion-avx2-u2-newton */
    const char *method, *layout, *isa, *norm, *weights;
    size_t lanes; /* of a block: rods, or chunks of one rod */
    size_t unroll;
    rod_kernel *run; /* NULL when its ISA is not built */
} rod_variant;

size_t rod_variant_count(void);
const rod_variant *rod_variant_at(size_t index);

/* NULL when there is none of that name. */
const rod_variant *rod_variant_named(const char *name);

size_t rod_isa_count(void);
rod_isa rod_isa_at(size_t index);
rod_isa rod_variant_isa(const rod_variant *variant);
bool rod_variant_usable(const rod_variant *variant);

/* "quaternion", "pber" or "pbd"; NULL for what is no method. */
const char *rod_method_name(rod_method method);

/* False when there is no method of that name. */
bool rod_method_named(const char *name, rod_method *method);

enum { ROD_METHODS = ROD_METHOD_PBD + 1 };

#endif
