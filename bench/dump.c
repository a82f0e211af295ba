#include "dump.h"

#include <stdlib.h>

bool dump_open(dump *d, const char *path) {
    return outfile_open(d, path);
}

void dump_abandon(dump *d) {
    outfile_abandon(d);
}

static bool write_rod(FILE *file, const rod_batch *batch, size_t rod, float *values) {
    if (rod_get(batch, ROD_POSITIONS, rod, 1, values) != ROD_OK)
        return false;
    for (size_t i = 0; i <= rod_elements(batch, rod); i++) {
        const float *p = values + 3 * i;
        fprintf(file, "%zu,%zu,p,%.9g,%.9g,%.9g,\n", rod, i, (double)p[0], (double)p[1],
                (double)p[2]);
    }
    if (rod_method_of(batch) == ROD_METHOD_PBD)
        return true; /* strands have no orientations */
    if (rod_get(batch, ROD_ORIENTATIONS, rod, 1, values) != ROD_OK)
        return false;
    for (size_t i = 0; i < rod_elements(batch, rod); i++) {
        const float *q = values + 4 * i;
        fprintf(file, "%zu,%zu,q,%.9g,%.9g,%.9g,%.9g\n", rod, i, (double)q[1], (double)q[2],
                (double)q[3], (double)q[0]);
    }
    return true;
}

bool dump_write(dump *d, const rod_batch *batch) {
    bool done = true;
    fputs("rod,index,kind,x,y,z,w\n", d->file);
    for (size_t rod = 0; done && rod < rod_count(batch); rod++) {
        float *values = malloc(4 * (rod_elements(batch, rod) + 1) * sizeof *values);
        done = values && write_rod(d->file, batch, rod, values);
        free(values);
    }
    if (done)
        return outfile_place(d);
    outfile_abandon(d);
    return false;
}
