/* A file that is written beside its path and takes the path's place only when all is written: a
 * failure leaves the old file as it was. A pipe or a device is written to as it is. */
#ifndef RODBENCH_OUTFILE_H
#define RODBENCH_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    FILE *file;
    char *path;   /* with symbolic links followed; NULL for a pipe or device */
    char *beside; /* NULL for a pipe or device */
} outfile;

/* On failure each returns false with errno set. */
bool outfile_open(outfile *o, const char *path);

/* Everything written so far has arrived. To be asked of all of several files before one of them is
 * placed. */
bool outfile_arrived(outfile *o);

/* Puts the file into its place, and closes it in either case. On failure the path is untouched. */
bool outfile_place(outfile *o);

/* Removes what was opened and not placed; nothing to do after outfile_place. errno stays. */
void outfile_abandon(outfile *o);

#endif
