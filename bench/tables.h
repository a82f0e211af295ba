/* The tables of `rodbench table`. Each returns the exit code. */
#ifndef RODBENCH_TABLES_H
#define RODBENCH_TABLES_H

#include "output.h"
#include "registry.h"

/* Every usable variant of a method, on `rods` strands of hair and on one rod. */
int table_variants(rod_method method, size_t rods, size_t rounds, const output *shown);

/* Scenes of the papers beside what they take here: "table1", "pber30", "slinky" or "hair200". */
int table_published(const char *name, size_t rounds, const output *shown);

/* Workloads of the kernels beside what the hardware allows; `only`: the key of one, or NULL. */
int table_limits(const char *only, size_t rounds, const output *shown);

/* What batches get by default beside the fastest variants, and what a call of rod_step costs. */
int table_chosen(const output *shown);

/* What an element costs among 1 to `most` rods, and on several threads. */
enum { TABLE_MOST_RODS = 1000000 };
int table_scaling(size_t most, size_t rounds, const output *shown);

#endif
