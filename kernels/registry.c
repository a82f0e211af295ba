#include "registry.h"

#include "variants.h"

#include <string.h>

/* The build defines ROD_HAVE_<isa> for what it compiled. */
#ifndef ROD_HAVE_scalar
#define ROD_HAVE_scalar 0
#endif
#ifndef ROD_HAVE_sse41
#define ROD_HAVE_sse41 0
#endif
#ifndef ROD_HAVE_avx2
#define ROD_HAVE_avx2 0
#endif
#ifndef ROD_HAVE_avx512
#define ROD_HAVE_avx512 0
#endif
#ifndef ROD_HAVE_neon
#define ROD_HAVE_neon 0
#endif

#ifndef ROD_EMULATED_AVX512
#define ROD_EMULATED_AVX512 0
#endif

/* `symbol` where the ISA was built, else NULL. */
#define ROD_IF_BUILT(have, symbol) ROD_IF_BUILT_EXPANDED(have, symbol)
#define ROD_IF_BUILT_EXPANDED(have, symbol) ROD_IF_BUILT_##have(symbol)
#define ROD_IF_BUILT_1(symbol) symbol
#define ROD_IF_BUILT_0(symbol) NULL

#define ROD_DECLARE_BATCH(method, isa, unroll, norm, weights)                                      \
    rod_kernel ROD_BATCH_SYMBOL(method, isa, unroll, norm, weights);
#define ROD_DECLARE_SINGLE(method, layout, isa, norm)                                              \
    rod_kernel ROD_SINGLE_SYMBOL(method, layout, isa, norm);
#define ROD_DECLARE_CHUNKED(method, isa, norm) rod_kernel ROD_CHUNKED_SYMBOL(method, isa, norm);

ROD_ALL_BATCH_KERNELS(ROD_DECLARE_BATCH)
ROD_SINGLE_KERNELS(ROD_DECLARE_SINGLE)
ROD_ALL_CHUNKED_KERNELS(ROD_DECLARE_CHUNKED)

/* ---------------------------------------------------------------- instruction sets */

#if defined(__x86_64__) || defined(__i386__)
#define ROD_NATIVE_X86 true
#define ROD_NATIVE_ARM false
#define ROD_CPU_HAS(feature) (__builtin_cpu_supports(feature) != 0)
#elif defined(__aarch64__)
#define ROD_NATIVE_X86 false
#define ROD_NATIVE_ARM true
#define ROD_CPU_HAS(feature) true
#else
#define ROD_NATIVE_X86 false
#define ROD_NATIVE_ARM false
#define ROD_CPU_HAS(feature) true
#endif
#define ROD_NATIVE_ANY true

/* In a build for tests, see the Makefile. */
static bool is_emulated(const char *isa) {
    return ROD_EMULATED_AVX512 && strcmp(isa, "avx512") == 0;
}

/* Off x86, SIMDe translates to what the compiler targets. On x86 it translates NEON to SSE4.1. */
static bool cpu_runs(const char *isa) {
    if (strcmp(isa, "sse41") == 0 || strcmp(isa, "neon") == 0)
        return ROD_CPU_HAS("sse4.1");
    if (is_emulated(isa) || strcmp(isa, "avx2") == 0)
        return ROD_CPU_HAS("avx2") && ROD_CPU_HAS("fma");
    if (strcmp(isa, "avx512") == 0)
        return ROD_CPU_HAS("avx512f") && ROD_CPU_HAS("avx512dq") && ROD_CPU_HAS("avx512bw") &&
               ROD_CPU_HAS("avx512vl");
    return true;
}

#define ROD_ISA_ROW(isa, lanes, family, what)                                                      \
    {#isa, what, lanes, ROD_NATIVE_##family, ROD_HAVE_##isa, false},

static const rod_isa isas[] = {ROD_ISAS(ROD_ISA_ROW)};

size_t rod_isa_count(void) {
    return sizeof isas / sizeof *isas;
}

rod_isa rod_isa_at(size_t index) {
    rod_isa isa = isas[index];
    isa.native = isa.native && !is_emulated(isa.name);
    isa.usable = isa.built && cpu_runs(isa.name);
    return isa;
}

rod_isa rod_variant_isa(const rod_variant *variant) {
    size_t i = 0;
    while (strcmp(isas[i].name, variant->isa) != 0)
        i++;
    return rod_isa_at(i);
}

/* ---------------------------------------------------------------- variants */

#define ROD_LANES(isa, lanes, family, what) LANES_##isa = lanes,

enum { ROD_ISAS(ROD_LANES) };

/* Uniform weights are the rule and leave no mark in a name. */
#define ROD_SUFFIX_uniform ""
#define ROD_SUFFIX_general "-general"

#define ROD_BATCH_ROW(method, isa, unroll, norm, weights)                                          \
    {#method "-" #isa "-u" #unroll "-" #norm ROD_SUFFIX_##weights,                                 \
     #method,                                                                                      \
     "batch",                                                                                      \
     #isa,                                                                                         \
     #norm,                                                                                        \
     #weights,                                                                                     \
     (size_t)unroll * LANES_##isa,                                                                 \
     unroll,                                                                                       \
     ROD_IF_BUILT(ROD_HAVE_##isa, ROD_BATCH_SYMBOL(method, isa, unroll, norm, weights))},

#define ROD_SINGLE_ROW(method, layout, isa, norm)                                                  \
    {#method "-" #layout "-" #isa "-" #norm,                                                       \
     #method,                                                                                      \
     #layout,                                                                                      \
     #isa,                                                                                         \
     #norm,                                                                                        \
     "general",                                                                                    \
     1,                                                                                            \
     1,                                                                                            \
     ROD_IF_BUILT(ROD_HAVE_##isa, ROD_SINGLE_SYMBOL(method, layout, isa, norm))},

#define ROD_CHUNKED_ROW(method, isa, norm)                                                         \
    {#method "-" #isa "-chunked-" #norm,                                                           \
     #method,                                                                                      \
     "chunked",                                                                                    \
     #isa,                                                                                         \
     #norm,                                                                                        \
     "uniform",                                                                                    \
     (size_t)ROD_CHUNK_VECTORS_##method * LANES_##isa,                                             \
     1,                                                                                            \
     ROD_IF_BUILT(ROD_HAVE_##isa, ROD_CHUNKED_SYMBOL(method, isa, norm))},

static const rod_variant variants[] = {ROD_SINGLE_KERNELS(ROD_SINGLE_ROW) ROD_ALL_CHUNKED_KERNELS(
    ROD_CHUNKED_ROW) ROD_ALL_BATCH_KERNELS(ROD_BATCH_ROW)};

size_t rod_variant_count(void) {
    return sizeof variants / sizeof *variants;
}

const rod_variant *rod_variant_at(size_t index) {
    return &variants[index];
}

const rod_variant *rod_variant_named(const char *name) {
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (strcmp(variants[i].name, name) == 0)
            return &variants[i];
    return NULL;
}

bool rod_variant_usable(const rod_variant *variant) {
    return rod_variant_isa(variant).usable;
}

const char *rod_method_name(rod_method method) {
    switch (method) {
    case ROD_METHOD_QUATERNION:
        return "quaternion";
    case ROD_METHOD_PBER:
        return "pber";
    case ROD_METHOD_PBD:
        return "pbd";
    }
    return NULL;
}

bool rod_method_named(const char *name, rod_method *method) {
    for (int i = 0; i < ROD_METHODS; i++)
        if (strcmp(rod_method_name((rod_method)i), name) == 0) {
            *method = (rod_method)i;
            return true;
        }
    return false;
}
