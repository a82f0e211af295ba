#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include "dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *create_beside(const char *path, char **beside) {
    *beside = malloc(strlen(path) + 8);
    if (!*beside)
        return NULL;
    sprintf(*beside, "%s.XXXXXX", path);
    const int descriptor = mkstemp(*beside);
    if (descriptor < 0)
        return NULL;
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask); /* mkstemp is meant for secrets */
    return fdopen(descriptor, "w");
}

bool dump_open(dump *d, const char *path) {
    struct stat status;
    *d = (dump){0};
    const bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (exists && !S_ISREG(status.st_mode)) {
        d->file = fopen(path, "w");
        return d->file != NULL;
    }
    d->path = exists ? realpath(path, NULL) : strdup(path);
    if (d->path)
        d->file = create_beside(d->path, &d->beside);
    if (d->file)
        return true;
    const int reason = errno;
    dump_abandon(d);
    errno = reason;
    return false;
}

void dump_abandon(dump *d) {
    if (d->file)
        fclose(d->file);
    if (d->beside)
        unlink(d->beside);
    free(d->beside);
    free(d->path);
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
    if (done && d->beside) {
        done = rename(d->beside, d->path) == 0;
        if (done) {
            free(d->beside);
            d->beside = NULL;
        }
    }
    const int reason = errno;
    dump_abandon(d);
    errno = reason;
    return done;
}
