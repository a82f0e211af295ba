#include "identity.h"

#include "sources_digest.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- the CPU */

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* The brand alone may fit generations of CPUs: hypervisors shorten it to "AMD EPYC Processor". */
static void read_cpu(char text[ROD_IDENTITY_TEXT]) {
    unsigned brand[13] = {0}, a = 0, b = 0, c = 0, d = 0;
    for (unsigned i = 0; i < 3; i++)
        if (!__get_cpuid(0x80000002u + i, &brand[4 * i], &brand[4 * i + 1], &brand[4 * i + 2],
                         &brand[4 * i + 3]))
            memcpy(brand, "x86", 4);
    __get_cpuid(1, &a, &b, &c, &d);
    const unsigned base = a >> 8 & 15;
    const unsigned family = base == 15 ? base + (a >> 20 & 255) : base;
    const unsigned model = (a >> 4 & 15) + (base == 15 || base == 6 ? (a >> 16 & 15) << 4 : 0);
    const char *name = (const char *)brand;
    name += strspn(name, " ");
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] == ' ')
        length--;
    snprintf(text, ROD_IDENTITY_TEXT, "%.*s (family %u model %u stepping %u)", (int)length, name,
             family, model, a & 15);
}
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

/* Linux answers for the register where it says so (HWCAP_CPUID). */
static void read_cpu(char text[ROD_IDENTITY_TEXT]) {
    uint64_t midr = 0;
    if (getauxval(AT_HWCAP) & (1ul << 11))
        __asm__("mrs %0, MIDR_EL1" : "=r"(midr));
    snprintf(text, ROD_IDENTITY_TEXT, "aarch64 (MIDR %08" PRIx64 ")", midr);
}
#else
static void read_cpu(char text[ROD_IDENTITY_TEXT]) {
    snprintf(text, ROD_IDENTITY_TEXT, "unknown");
}
#endif

static void read_isas(char text[ROD_IDENTITY_TEXT]) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < rod_isa_count(); i++) {
        const rod_isa isa = rod_isa_at(i);
        if (isa.native && isa.usable && length < ROD_IDENTITY_TEXT)
            length += (size_t)snprintf(text + length, ROD_IDENTITY_TEXT - length, "%s%s",
                                       length > 0 ? " " : "", isa.name);
    }
}

/* ---------------------------------------------------------------- the build */

const char *rod_compiler(void) {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

static void read_compiler(char text[ROD_IDENTITY_TEXT]) {
    snprintf(text, ROD_IDENTITY_TEXT, "%s", rod_compiler());
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
}

/* FNV-1a. */
static void read_registry(char text[ROD_IDENTITY_TEXT]) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < rod_variant_count(); i++)
        for (const char *c = rod_variant_at(i)->name; c == rod_variant_at(i)->name || c[-1]; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    snprintf(text, ROD_IDENTITY_TEXT, "%016" PRIx64, hash);
}

rod_identity rod_identity_here(void) {
    rod_identity here;
    read_cpu(here.cpu);
    read_isas(here.isas);
    read_compiler(here.compiler);
    read_registry(here.registry);
    snprintf(here.sources, sizeof here.sources, "%s", ROD_SOURCES_DIGEST);
    return here;
}

/* ---------------------------------------------------------------- comparing */

static const struct {
    const char *name, *what;
    size_t offset;
} parts[ROD_IDENTITY_PARTS] = {
    {"cpu", "another CPU", offsetof(rod_identity, cpu)},
    {"isas", "other instruction sets", offsetof(rod_identity, isas)},
    {"compiler", "another compiler", offsetof(rod_identity, compiler)},
    {"registry", "other kernel variants", offsetof(rod_identity, registry)},
    {"sources", "other kernel sources or flags", offsetof(rod_identity, sources)},
};

const char *rod_identity_part_name(size_t part) {
    return parts[part].name;
}

char *rod_identity_part(rod_identity *identity, size_t part) {
    return (char *)identity + parts[part].offset;
}

bool rod_identity_differs(const rod_identity *tuned, const rod_identity *here,
                          char why[ROD_DIFFERENCE_TEXT]) {
    for (size_t i = 0; i < ROD_IDENTITY_PARTS; i++) {
        const char *then = (const char *)tuned + parts[i].offset;
        const char *now = (const char *)here + parts[i].offset;
        if (strcmp(then, now) == 0)
            continue;
        snprintf(why, ROD_DIFFERENCE_TEXT, "tuned for %s: %s, here %s", parts[i].what, then, now);
        return true;
    }
    return false;
}
