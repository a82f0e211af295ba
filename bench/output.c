#include "output.h"

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

bool output_check(const char *command, const output *o) {
    if (o->json + o->markdown + o->csv > 1) {
        options_complain(command, "--json, --markdown and --csv exclude each other; one of them is "
                                  "accepted");
        return false;
    }
    struct stat found;
    if (o->folder && stat(o->folder, &found) == 0 &&
        (!S_ISDIR(found.st_mode) || access(o->folder, W_OK) != 0)) {
        options_complain(command,
                         "--out '%s': not a folder that can be written; such a folder, or a "
                         "new name, is accepted",
                         o->folder);
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
