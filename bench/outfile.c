#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include "outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *create_beside(const char *path, char **beside) {
    char *name = malloc(strlen(path) + 8);
    if (!name)
        return NULL;
    sprintf(name, "%s.XXXXXX", path);
    const int descriptor = mkstemp(name);
    if (descriptor < 0) {
        const int reason = errno;
        free(name);
        errno = reason;
        return NULL;
    }
    *beside = name;
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask); /* mkstemp is meant for secrets */
    FILE *file = fdopen(descriptor, "w");
    if (!file)
        close(descriptor);
    return file;
}

bool outfile_open(outfile *o, const char *path) {
    struct stat status;
    *o = (outfile){0};
    const bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (exists && !S_ISREG(status.st_mode)) {
        o->file = fopen(path, "w");
        return o->file != NULL;
    }
    o->path = exists ? realpath(path, NULL) : strdup(path);
    if (o->path)
        o->file = create_beside(o->path, &o->beside);
    if (o->file)
        return true;
    outfile_abandon(o);
    return false;
}

bool outfile_arrived(outfile *o) {
    return fflush(o->file) == 0 && !ferror(o->file);
}

bool outfile_place(outfile *o) {
    bool done = outfile_arrived(o);
    if (done && o->beside) {
        done = rename(o->beside, o->path) == 0;
        if (done) {
            free(o->beside);
            o->beside = NULL;
        }
    }
    outfile_abandon(o);
    return done;
}

void outfile_abandon(outfile *o) {
    const int reason = errno;
    if (o->file)
        fclose(o->file);
    if (o->beside)
        unlink(o->beside);
    free(o->beside);
    free(o->path);
    *o = (outfile){0};
    errno = reason;
}
