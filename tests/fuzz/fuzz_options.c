/* Command lines: an argument for each line of the input. What is accepted is within the limits that
 * the option names, and can be made a simulation; what is not is reported without harm. */

#include "fuzz.h"

#include "selection.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ARGUMENTS = 16, TAKEN = 4 };

typedef struct {
    size_t count;
    float number, share;
    const char *text;
} taken;

static void check_taken(const taken *t) {
    if (t->count != 0 && (t->count < 3 || t->count > 77))
        abort();
    if (!isfinite(t->number) || t->number < 0.0f || !(t->share >= 0.0f && t->share <= 1.0f))
        abort();
}

/* Every kind of option, with limits. */
static void read_kinds(int argc, char **argv) {
    taken t = {0};
    const option options[TAKEN] = {
        {"--count", "N", "", OPTION_COUNT, &t.count, 3, 77},
        {"--number", "X", "", OPTION_NUMBER, &t.number, 0, 0},
        {"--share", "X", "", OPTION_SHARE, &t.share, 0, 0},
        {"--text", "X", "", OPTION_TEXT, &t.text, 0, 0},
    };
    const char *positional = NULL;
    (void)options_read("fuzz", argc, argv, options, TAKEN, &positional);
    check_taken(&t);
}

/* As `rodbench run` reads them, without running anything large. */
static void read_selection(int argc, char **argv) {
    selection chosen = {0};
    option options[SELECTION_OPTIONS];
    const char *name = NULL;
    simulation s;
    selection_options(&chosen, options);
    if (!options_read("fuzz", argc, argv, options, SELECTION_OPTIONS, &name))
        return;
    const scene *shown = selection_scene("fuzz", name);
    if (!shown || !selection_apply("fuzz", &chosen, shown, &s))
        return;
    if (s.settings.rods > 64 || s.settings.elements > 64 || s.settings.step.iterations > 64)
        return;
    if (simulation_start(&s) != ROD_OK)
        return;
    simulation_step(&s, 1);
    simulation_finish(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *argv[MOST_ARGUMENTS + 1] = {0}, *rest = NULL;
    int argc = 0;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line && argc < MOST_ARGUMENTS;
         line = strtok_r(NULL, "\n", &rest))
        argv[argc++] = line;
    read_kinds(argc, argv);
    read_selection(argc, argv);
    free(text);
    return 0;
}
