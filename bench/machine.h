/* The machine that measures: what a result must name to be compared with another. The host's name
 * is left out on purpose, because results are published. */
#ifndef RODBENCH_MACHINE_H
#define RODBENCH_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MACHINE_TEXT 128

/* A size of 0 is unknown, and so is a text "unknown". */
typedef struct {
    char cpu[MACHINE_TEXT];
    char slug[MACHINE_TEXT]; /* of cpu, for names of files: a-z, 0-9 and single dashes */
    unsigned cores_online;   /* as the scheduler counts: hardware threads */
    size_t l1d_bytes;
    size_t l2_bytes;
    size_t l3_bytes; /* what one core can reach, not the sum over the package */
    size_t line_bytes;
    uint64_t memory_bytes;
    char kernel[MACHINE_TEXT];
    char compiler[MACHINE_TEXT];
} machine_info;

void machine_read(machine_info *info);

/* The commit that this was built from. */
const char *machine_commit(void);

/* The clock of the core that this runs on, in about 20 ms, as scalar code sees it: wide vectors
 * may lower it. */
double machine_clock_hz(void);

/* The two steps that depend on text alone. cpuinfo is in the format of /proc/cpuinfo. */
void machine_cpu_name(FILE *cpuinfo, char name[MACHINE_TEXT]);
void machine_slug(const char *name, char slug[MACHINE_TEXT]);

#endif
