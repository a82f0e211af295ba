/* A grid as files. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "grid_parts.h"

#include "outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMATS = 3 };

static const struct {
    const char *suffix;
    void (*print)(const grid *g, FILE *file);
} formats[FORMATS] = {
    {".json", grid_print_json}, {".md", grid_print_markdown}, {".csv", grid_print_csv}};

static char *path_of(const grid *g, const char *folder, const char *suffix) {
    const size_t length = strlen(folder) + strlen(g->name) + strlen(suffix) + 2;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s/%s%s", folder, g->name, suffix);
    return path;
}

/* Says errno's reason. */
static bool refuse(grid *g, const char *path) {
    const char *reason = strerror(errno);
    const size_t length = strlen(path) + strlen(reason) + 3;
    g->save_failed = true;
    g->save_error = malloc(length);
    if (g->save_error)
        snprintf(g->save_error, length, "%s: %s", path, reason);
    return false;
}

static bool make_folder(grid *g, const char *folder, bool *made) {
    struct stat status;
    *made = mkdir(folder, 0777) == 0;
    if (*made)
        return true;
    if (errno != EEXIST)
        return refuse(g, folder);
    if (stat(folder, &status) != 0)
        return refuse(g, folder);
    if (!S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return refuse(g, folder);
    }
    return true;
}

static bool write_one(grid *g, size_t i, const char *path, outfile *file) {
    if (!outfile_open(file, path))
        return refuse(g, path);
    errno = EIO; /* for a stream that remembers a failure, but not which */
    formats[i].print(g, file->file);
    return outfile_arrived(file) || refuse(g, path);
}

/* All are complete before the first takes its place. */
static bool write_all(grid *g, char *const path[FORMATS]) {
    outfile file[FORMATS] = {0};
    bool done = true;
    for (size_t i = 0; done && i < FORMATS; i++)
        done = write_one(g, i, path[i], &file[i]);
    for (size_t i = 0; done && i < FORMATS; i++)
        done = outfile_place(&file[i]) || refuse(g, path[i]);
    for (size_t i = 0; i < FORMATS; i++)
        outfile_abandon(&file[i]);
    return done;
}

bool grid_save(grid *g, const char *folder) {
    if (!g || g->failed)
        return false;
    free(g->save_error);
    g->save_error = NULL;
    g->save_failed = false;
    char *path[FORMATS];
    bool done = true, made = false;
    for (size_t i = 0; i < FORMATS; i++) {
        path[i] = path_of(g, folder, formats[i].suffix);
        done = done && path[i];
    }
    g->save_failed = !done; /* without a text: memory */
    done = done && make_folder(g, folder, &made) && write_all(g, path);
    if (!done && made)
        rmdir(folder);
    for (size_t i = 0; i < FORMATS; i++)
        free(path[i]);
    return done;
}
