#include "output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void output_options(output *o, option options[OUTPUT_OPTIONS]) {
    const option all[OUTPUT_OPTIONS] = {
        {"--json", "", "JSON instead of text", OPTION_FLAG, &o->json, 0, 0},
        {"--markdown", "", "Markdown instead of text", OPTION_FLAG, &o->markdown, 0, 0},
        {"--csv", "", "CSV instead of text", OPTION_FLAG, &o->csv, 0, 0},
        {"--out", "FOLDER", "also write .json, .md and .csv files there", OPTION_TEXT, &o->folder,
         0, 0},
    };
    memcpy(options, all, sizeof all);
}

/* Whether the folder is there, or could be made: it is made and removed, as only that asks all that
 * may be wrong. On failure errno says what is. */
static bool is_possible(const char *folder) {
    struct stat found;
    if (mkdir(folder, 0777) == 0)
        return rmdir(folder) == 0;
    if (errno != EEXIST || stat(folder, &found) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(found.st_mode) && access(folder, W_OK | X_OK) == 0;
}

bool output_check(const char *command, const output *o) {
    if (o->json + o->markdown + o->csv > 1) {
        options_complain(command, "--json, --markdown and --csv exclude each other; one of them is "
                                  "accepted");
        return false;
    }
    if (o->folder && !is_possible(o->folder)) {
        options_complain(command,
                         "--out '%s': %s; a folder that can be written, or a new name in one, is "
                         "accepted",
                         o->folder, strerror(errno));
        return false;
    }
    return true;
}

static void print(const output *o, const grid *g) {
    if (o->json)
        grid_print_json(g, stdout);
    else if (o->markdown)
        grid_print_markdown(g, stdout);
    else if (o->csv)
        grid_print_csv(g, stdout);
    else
        grid_print(g, stdout);
}

static void print_all(const output *o, grid *const *grids, size_t count) {
    if (o->json)
        fputs("[\n", stdout);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputs(o->json ? ",\n" : "\n", stdout);
        print(o, grids[i]);
    }
    if (o->json)
        fputs("]\n", stdout);
}

int output_grids(const char *command, const output *o, grid *const *grids, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!grid_ok(grids[i]))
            return options_complain(command, "%s",
                                    grids[i] ? grid_error(grids[i]) : "not enough memory");
    print_all(o, grids, count);
    for (size_t i = 0; o->folder && i < count; i++)
        if (!grid_save(grids[i], o->folder))
            return options_complain(command, "%s", grid_error(grids[i]));
    return EXIT_DONE;
}
