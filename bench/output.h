/* How a command shows its grids: text, or one of the other forms, and files. */
#ifndef RODBENCH_OUTPUT_H
#define RODBENCH_OUTPUT_H

#include "grid.h"
#include "options.h"

typedef struct {
    bool json, markdown, csv;
    const char *folder;
} output;

enum { OUTPUT_OPTIONS = 4 };

/* Puts the options that fill an output into an array of OUTPUT_OPTIONS. */
void output_options(output *o, option options[OUTPUT_OPTIONS]);

/* Whether what was asked for can be done; reports what is wrong, before hours of measuring. */
bool output_check(const char *command, const output *o);

/* Shows the grids one after the other (JSON: an array of them), saves them if that was asked for.
 * Returns the exit code. */
int output_grids(const char *command, const output *o, grid *const *grids, size_t count);

#endif
