/* bake TUNED.JSON TUNED.H: a step of the build, before kernels/tuned.c is compiled. Writes the
 * header from what was tuned if it holds for this build on this machine. If it does not, says why
 * in one line and writes a header without choices: a build never fails for it. */

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "outfile.h"
#include "tuned_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a file holds, NULL if it cannot be read. */
static char *contents(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (file && getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static bool replace(const char *path, const char *text) {
    outfile out;
    if (!outfile_open(&out, path))
        return false;
    fputs(text, out.file);
    return outfile_place(&out);
}

static char *header_of(const tuned_file *file) {
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return NULL;
    tuned_file_print_header(file, memory);
    fclose(memory);
    return text;
}

/* What is to be baked in; NULL for nothing. */
static const tuned_file *check(const char *path, const char *old_header, tuned_file *file) {
    const rod_identity here = rod_identity_here();
    char why[TUNED_WHY];
    bool exists;
    if (tuned_file_read(path, file, &exists, why) && tuned_file_holds(file, &here, why))
        return file;
    if (exists)
        fprintf(stderr, "%s is not used, %s; `make tune` tunes anew\n", path, why);
    else if (old_header && strstr(old_header, "ROD_TUNED_CHOICES"))
        fprintf(stderr, "tuned.h is not used, it has no %s beside it; `make tune` tunes anew\n",
                path);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "bake: usage: bake TUNED.JSON TUNED.H\n");
        return 2;
    }
    static tuned_file file;
    char *old = contents(argv[2]);
    const tuned_file *baked = check(argv[1], old, &file);
    char *header = header_of(baked);
    const bool is_new = !old || !header || strcmp(old, header) != 0;
    const bool done = header && (!is_new || replace(argv[2], header));
    if (!done)
        fprintf(stderr, "bake: %s: %s\n", argv[2], strerror(errno));
    free(old);
    free(header);
    return done ? 0 : 1;
}
