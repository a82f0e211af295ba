#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool dump_open(dump *d, const char *path) {
    struct stat status;
    *d = (dump){.path = path};
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    d->beside = malloc(strlen(path) + 8);
    if (!d->beside)
        return false;
    sprintf(d->beside, "%s.XXXXXX", path);
    const int descriptor = mkstemp(d->beside);
    if (descriptor >= 0) {
        const mode_t mask = umask(0);
        umask(mask);
        fchmod(descriptor, 0666 & ~mask); /* mkstemp is meant for secrets */
        d->file = fdopen(descriptor, "w");
    }
    if (!d->file) {
        free(d->beside);
        d->beside = NULL;
    }
    return d->file != NULL;
}

void dump_abandon(dump *d) {
    if (d->file)
        fclose(d->file);
    if (d->beside)
        unlink(d->beside);
    free(d->beside);
    *d = (dump){0};
}

static bool write_rod(FILE *file, const rod_batch *batch, size_t rod, float *values) {
    if (rod_get(batch, ROD_POSITIONS, rod, 1, values) != ROD_OK)
        return false;
    for (size_t i = 0; i <= rod_elements(batch, rod); i++) {
        const float *p = values + 3 * i;
        fprintf(file, "%zu,%zu,p,%.9g,%.9g,%.9g,\n", rod, i, (double)p[0], (double)p[1],
                (double)p[2]);
    }
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
    done = fflush(d->file) == 0 && !ferror(d->file) && done;
    done = done && rename(d->beside, d->path) == 0;
    const int reason = errno;
    if (done) {
        free(d->beside);
        d->beside = NULL;
    }
    dump_abandon(d);
    errno = reason;
    return done;
}
