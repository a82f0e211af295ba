/* The state of a batch as CSV: rod,index,kind,x,y,z,w with kind p (particle) or q (orientation). */
#ifndef RODBENCH_DUMP_H
#define RODBENCH_DUMP_H

#include "outfile.h"
#include "rod.h"

typedef outfile dump;

/* Opens the file before the work begins. On failure returns false with errno set. */
bool dump_open(dump *d, const char *path);

/* Writes and puts the file into its place. On failure returns false; the path is untouched. */
bool dump_write(dump *d, const rod_batch *batch);

/* Removes what was opened and not written. */
void dump_abandon(dump *d);

#endif
