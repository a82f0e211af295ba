#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "machine.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "commit.h"
#include "identity.h"

#if defined(__x86_64__)
#define MACHINE_ARCHITECTURE "x86-64"
#elif defined(__i386__)
#define MACHINE_ARCHITECTURE "x86"
#elif defined(__aarch64__)
#define MACHINE_ARCHITECTURE "aarch64"
#else
#define MACHINE_ARCHITECTURE "processor"
#endif

/* Shortened without notice: these texts are labels, and nothing parses them. */
static void machine_copy(char to[MACHINE_TEXT], const char *from) {
    snprintf(to, MACHINE_TEXT, "%s", from);
}

static void machine_trim(char *text) {
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        text[--length] = '\0';
    }
}

/* What /proc/cpuinfo says of the first processor; empty where it says nothing. */
typedef struct {
    char model_name[MACHINE_TEXT];
    char family[16];
    char model[16];
    char implementer[16];
    char part[16];
} machine_cpuinfo;

/* The first processor wins: on a machine with cores of two kinds that is cpu0, whose caches are
 * read as well. */
static void machine_take(char *field, size_t size, const char *value) {
    if (field[0] == '\0') {
        snprintf(field, size, "%s", value);
    }
}

static void machine_parse_line(machine_cpuinfo *found, char *line) {
    char *value = strchr(line, ':');
    if (value == NULL) {
        return;
    }
    *value++ = '\0';
    value += strspn(value, " \t");
    machine_trim(line);
    machine_trim(value);
    if (strcmp(line, "model name") == 0) {
        machine_take(found->model_name, sizeof found->model_name, value);
    } else if (strcmp(line, "cpu family") == 0) {
        machine_take(found->family, sizeof found->family, value);
    } else if (strcmp(line, "model") == 0) {
        machine_take(found->model, sizeof found->model, value);
    } else if (strcmp(line, "CPU implementer") == 0) {
        machine_take(found->implementer, sizeof found->implementer, value);
    } else if (strcmp(line, "CPU part") == 0) {
        machine_take(found->part, sizeof found->part, value);
    }
}

static void machine_parse(machine_cpuinfo *found, FILE *cpuinfo) {
    char line[512];
    bool starts = true;
    while (fgets(line, sizeof line, cpuinfo) != NULL) {
        bool ends = strchr(line, '\n') != NULL;
        if (starts) { /* not the rest of a long line, such as the flags */
            machine_parse_line(found, line);
        }
        starts = ends;
    }
}

static void machine_remove(char *text, const char *mark) {
    size_t length = strlen(mark);
    for (char *at = strstr(text, mark); at != NULL; at = strstr(at, mark)) {
        memmove(at, at + length, strlen(at + length) + 1);
    }
}

/* Hypervisors may pass on the brand alone ("AMD EPYC"), which fits generations of CPUs. The digits
 * of a clock rate do not tell them apart. */
static bool machine_names_a_model(const char *name) {
    size_t length = strcspn(name, "@");
    for (size_t i = 0; i < length; ++i) {
        if (isdigit((unsigned char)name[i])) {
            return true;
        }
    }
    return false;
}

static void machine_append(char name[MACHINE_TEXT], const char *text) {
    size_t length = strlen(name);
    snprintf(name + length, MACHINE_TEXT - length, "%s", text);
}

static void machine_x86_name(machine_cpuinfo *found, char name[MACHINE_TEXT]) {
    machine_copy(name, found->model_name);
    machine_remove(name, "(R)");
    machine_remove(name, "(TM)");
    if (!machine_names_a_model(name) && found->family[0] != '\0') {
        char numbers[64];
        snprintf(numbers, sizeof numbers, " (family %s model %s)", found->family, found->model);
        machine_append(name, numbers);
    }
#if !defined(__x86_64__) && !defined(__i386__)
    /* qemu's user mode shows the file of the machine beneath. */
    machine_append(name, ", emulating " MACHINE_ARCHITECTURE);
#endif
}

void machine_cpu_name(FILE *cpuinfo, char name[MACHINE_TEXT]) {
    machine_cpuinfo found = {0};
    machine_parse(&found, cpuinfo);
    if (found.implementer[0] != '\0') {
        snprintf(name, MACHINE_TEXT, "aarch64 implementer %s part %s", found.implementer,
                 found.part);
    } else if (found.model_name[0] != '\0') {
        machine_x86_name(&found, name);
    } else {
        machine_copy(name, "unknown " MACHINE_ARCHITECTURE);
    }
}

static void machine_read_cpu_name(char name[MACHINE_TEXT]) {
    FILE *cpuinfo = fopen("/proc/cpuinfo", "r");
    if (cpuinfo == NULL) {
        machine_copy(name, "unknown " MACHINE_ARCHITECTURE);
        return;
    }
    machine_cpu_name(cpuinfo, name);
    fclose(cpuinfo);
}

/* Without the nominal clock rate, which Intel puts after an @. */
void machine_slug(const char *name, char slug[MACHINE_TEXT]) {
    size_t length = 0;
    size_t end = strcspn(name, "@");
    for (size_t i = 0; i < end && length + 1 < MACHINE_TEXT; ++i) {
        unsigned char c = (unsigned char)name[i];
        if (c < 0x80 && isalnum(c)) {
            slug[length++] = (char)tolower(c);
        } else if (length > 0 && slug[length - 1] != '-') {
            slug[length++] = '-';
        }
    }
    while (length > 0 && slug[length - 1] == '-') {
        --length;
    }
    slug[length] = '\0';
    if (length == 0) {
        machine_copy(slug, "unknown");
    }
}

/* One file of /sys/devices/system/cpu/cpu0/cache. False if there is none. */
static bool machine_cache_text(unsigned index, const char *what, char *text, size_t size) {
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, what);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    bool found = fgets(text, (int)size, file) != NULL;
    fclose(file);
    return found;
}

/* "32K", "64" */
static size_t machine_cache_number(unsigned index, const char *what) {
    char text[32];
    if (!machine_cache_text(index, what, text, sizeof text)) {
        return 0;
    }
    char *unit = text;
    size_t number = (size_t)strtoull(text, &unit, 10);
    return *unit == 'K' ? number << 10 : *unit == 'M' ? number << 20 : number;
}

static void machine_read_cache(machine_info *info, unsigned index) {
    char type[32];
    if (!machine_cache_text(index, "type", type, sizeof type) || type[0] == 'I') {
        return;
    }
    size_t bytes = machine_cache_number(index, "size");
    switch (machine_cache_number(index, "level")) {
    case 1:
        info->l1d_bytes = bytes;
        info->line_bytes = machine_cache_number(index, "coherency_line_size");
        break;
    case 2:
        info->l2_bytes = bytes;
        break;
    case 3:
        info->l3_bytes = bytes;
        break;
    default:
        break;
    }
}

static void machine_if_unknown(size_t *bytes, long value) {
    if (*bytes == 0 && value > 0) {
        *bytes = (size_t)value;
    }
}

/* The kernel's files first: glibc 2.36 gives the L3 of a whole AMD package (256 MiB for an EPYC
 * whose cores reach 32). */
static void machine_read_caches(machine_info *info) {
    for (unsigned index = 0; index < 8; ++index) {
        machine_read_cache(info, index);
    }
#if defined(_SC_LEVEL1_DCACHE_SIZE)
    machine_if_unknown(&info->l1d_bytes, sysconf(_SC_LEVEL1_DCACHE_SIZE));
    machine_if_unknown(&info->l2_bytes, sysconf(_SC_LEVEL2_CACHE_SIZE));
    machine_if_unknown(&info->l3_bytes, sysconf(_SC_LEVEL3_CACHE_SIZE));
    machine_if_unknown(&info->line_bytes, sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
#endif
}

static void machine_read_kernel(char kernel[MACHINE_TEXT]) {
    struct utsname name;
    if (uname(&name) == 0) {
        machine_copy(kernel, name.sysname);
        machine_append(kernel, " ");
        machine_append(kernel, name.release);
    } else {
        machine_copy(kernel, "unknown");
    }
}

void machine_read(machine_info *info) {
    *info = (machine_info){0};
    machine_read_cpu_name(info->cpu);
    machine_slug(info->cpu, info->slug);
    machine_read_caches(info);
    machine_read_kernel(info->kernel);
    machine_copy(info->compiler, rod_compiler());
    machine_trim(info->compiler);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    info->cores_online = cores > 0 ? (unsigned)cores : 1;
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0) {
        info->memory_bytes = (uint64_t)pages * (uint64_t)page_bytes;
    }
}

#define MACHINE_CHAIN 64

/* MACHINE_CHAIN additions, each waiting for the one before. From a register: some cores add
 * constants while renaming, in no time at all. In assembler even an unoptimised build is right. */
static uint64_t machine_chain(uint64_t sum, uint64_t step) {
#if defined(__x86_64__)
    __asm__ volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(step) : "cc");
#elif defined(__aarch64__)
    __asm__ volatile(".rept 64\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(step));
#else
    for (int i = 0; i < MACHINE_CHAIN; ++i) {
        sum += step;
        __asm__ volatile("" : "+r"(sum)); /* hides the sum, so that it is not folded */
    }
#endif
    return sum;
}

static double machine_seconds_of_chains(unsigned chains) {
    uint64_t sum = 0;
    double start = clock_thread_seconds();
    for (unsigned i = 0; i < chains; ++i) {
        sum = machine_chain(sum, 3);
    }
    return clock_thread_seconds() - start;
}

/* The best of short runs: the first ones wake the core up, and an interrupt spoils few. */
double machine_clock_hz(void) {
    enum { RUNS = 24, CHAINS = 32768 };
    double best = machine_seconds_of_chains(CHAINS);
    for (int run = 1; run < RUNS; ++run) {
        double seconds = machine_seconds_of_chains(CHAINS);
        best = seconds < best ? seconds : best;
    }
    return best > 0 ? (double)MACHINE_CHAIN * CHAINS / best : 0;
}

const char *machine_commit(void) {
    return ROD_COMMIT;
}
