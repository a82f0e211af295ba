#include "commands.h"

#include "compare.h"
#include "outfile.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Far above what a table takes: a mistaken name is not read into memory. */
enum { MOST_BYTES = 64 << 20 };

typedef struct {
    const char *path;
    json_value *read;
} table_file;

/* The whole file; NULL with errno set. */
static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *bytes = file ? malloc(MOST_BYTES) : NULL;
    *length = 0;
    if (bytes) {
        *length = fread(bytes, 1, MOST_BYTES, file);
        if (ferror(file) || *length == MOST_BYTES) {
            errno = ferror(file) ? errno : EFBIG;
            free(bytes);
            bytes = NULL;
        }
    }
    const int reason = errno;
    if (file)
        fclose(file);
    errno = reason;
    return bytes;
}

/* Reports what is wrong. */
static bool load(table_file *t) {
    size_t length;
    char error[JSON_ERROR_SIZE], why[COMPARE_REFUSAL_SIZE];
    char *bytes = read_file(t->path, &length);
    if (!bytes) {
        options_complain("compare", "'%s': %s; a JSON file of rodbench is accepted", t->path,
                         strerror(errno));
        return false;
    }
    t->read = json_read(bytes, length, error);
    free(bytes);
    if (!t->read) {
        options_complain("compare", "'%s' is not JSON: %s", t->path, error);
        return false;
    }
    /* `rodbench table --json` prints an array of tables, of which the first has the times */
    const json_value *table = t->read->kind == JSON_ARRAY ? t->read->first : t->read;
    if (compare_accepts(table, why))
        return true;
    options_complain("compare", "'%s' %s", t->path, why);
    return false;
}

static const json_value *table_of(const table_file *t) {
    return t->read->kind == JSON_ARRAY ? t->read->first : t->read;
}

static void note_side(grid *g, const char *which, const json_value *table) {
    const char *const keys[] = {"cpu", "compiler", "commit", "date"};
    const char *text[4];
    for (size_t i = 0; i < 4; i++) {
        text[i] = json_member_text(table, keys[i]);
        text[i] = text[i] ? text[i] : "unknown";
    }
    grid_note(g, "%s: %s, %s, commit %s, %s.", which, text[0], text[1], text[2], text[3]);
}

static void add_row(grid *g, const compare_row *r) {
    grid_row(g);
    grid_text(g, "row", r->row);
    grid_text(g, "measure", r->measure);
    grid_text(g, "unit", r->unit);
    grid_number(g, "a_min", r->a.min);
    grid_number(g, "a_median", r->a.median);
    grid_number(g, "b_min", r->b.min);
    grid_number(g, "b_median", r->b.median);
    grid_number(g, "ratio", r->ratio);
    grid_number(g, "low", r->low);
    grid_number(g, "high", r->high);
    grid_text(g, "verdict", compare_verdict_text(r->verdict));
}

static grid *grid_of(const comparison *c, const json_value *a, const json_value *b) {
    char title[128];
    size_t of[COMPARE_VERDICTS] = {0};
    snprintf(title, sizeof title, "%.64s: the second (B) against the first (A)",
             json_member_text(a, "table"));
    grid *g = grid_create("compare", title);
    note_side(g, "A", a);
    note_side(g, "B", b);
    grid_note(g,
              "A / B is of the minima: above 1, B is faster. from .. to is its noise: A's minimum "
              "against B's median, and A's median against B's minimum; a median counts as at least "
              "%.3g (A) and %.3g (B) times its minimum, which is usual in these files. Faster or "
              "slower is said only where 1 is outside of that and the minima differ by more than "
              "%g %%, of %d rounds or more.",
              c->noise_a, c->noise_b, 100.0 * COMPARE_LEAST, COMPARE_ROUNDS);
    grid_column(g, "row", "row", "", GRID_TEXT);
    grid_column(g, "measure", "measure", "", GRID_TEXT);
    grid_column(g, "unit", "unit", "", GRID_TEXT);
    grid_column(g, "a_min", "A", "", GRID_DIGITS(3));
    grid_column(g, "a_median", "median", "", GRID_DIGITS(3));
    grid_column(g, "b_min", "B", "", GRID_DIGITS(3));
    grid_column(g, "b_median", "median", "", GRID_DIGITS(3));
    grid_column(g, "ratio", "A / B", "x", GRID_DIGITS(3));
    grid_column(g, "low", "from", "x", GRID_DIGITS(3));
    grid_column(g, "high", "to", "x", GRID_DIGITS(3));
    grid_column(g, "verdict", "B is", "", GRID_TEXT);
    for (size_t i = 0; i < c->count; i++) {
        add_row(g, &c->rows[i]);
        of[c->rows[i].verdict]++;
    }
    grid_finding(g,
                 "Of %zu times B is faster in %zu, slower in %zu and the same within noise in "
                 "%zu; %zu have too few rounds to tell.",
                 c->count, of[COMPARE_FASTER], of[COMPARE_SLOWER], of[COMPARE_SAME],
                 of[COMPARE_UNKNOWN]);
    if (c->only_in_a + c->only_in_b > 0)
        grid_finding(g, "Left out: %zu rows that only A has, %zu that only B has.", c->only_in_a,
                     c->only_in_b);
    return g;
}

/* Returns the exit code. */
static int write_chart(const comparison *c, const char *path, const char *a, const char *b) {
    outfile file = {0};
    if (!outfile_open(&file, path))
        return options_complain("compare",
                                "--chart '%s': %s; a file that can be written is "
                                "accepted",
                                path, strerror(errno));
    compare_chart(c, a, b, file.file);
    return outfile_place(&file)
               ? EXIT_DONE
               : options_complain("compare", "--chart '%s': %s", path, strerror(errno));
}

static int compare(const table_file t[2], const char *chart, const output *shown) {
    const json_value *a = table_of(&t[0]), *b = table_of(&t[1]);
    const char *name_a = json_member_text(a, "table"), *name_b = json_member_text(b, "table");
    if (strcmp(name_a, name_b) != 0)
        return options_complain("compare",
                                "'%s' is table %s and '%s' is table %s; two of the same are "
                                "accepted",
                                t[0].path, name_a, t[1].path, name_b);
    comparison c = {0};
    compare_tables(&c, a, b);
    int code = EXIT_DONE;
    if (c.failed)
        code = options_complain("compare", "not enough memory");
    else if (c.count == 0)
        code = options_complain("compare",
                                "'%s' and '%s' have no times in common; tables with minima and "
                                "medians are accepted",
                                t[0].path, t[1].path);
    else if (chart)
        code = write_chart(&c, chart, t[0].path, t[1].path);
    if (code == EXIT_DONE) {
        grid *g = grid_of(&c, a, b);
        code = output_grids("compare", shown, &g, 1);
        grid_destroy(g);
    }
    compare_finish(&c);
    return code;
}

int command_compare(int argc, char **argv) {
    table_file t[2] = {0};
    const char *chart = NULL;
    output shown = {0};
    option options[1 + OUTPUT_OPTIONS] = {{"--chart", "FILE",
                                           "also the ratios and their noise as a picture, SVG",
                                           OPTION_TEXT, &chart, 0, 0}};
    output_options(&shown, options + 1);
    if (options_help(argc, argv, "compare A.json B.json [options]",
                     "Two results of the same table, from two machines or commits, side by side: "
                     "ratios with their noise,\nand whether B is faster, slower, or the same "
                     "within noise. Nothing below 5 % is claimed.",
                     options, 1 + OUTPUT_OPTIONS))
        return EXIT_DONE;
    const char *paths[2] = {NULL, NULL};
    if (!options_read_many("compare", argc, argv, options, 1 + OUTPUT_OPTIONS, paths, 2) ||
        !output_check("compare", &shown))
        return EXIT_WRONG_USAGE;
    if (!paths[1])
        return options_complain("compare", "two files are accepted, %s given",
                                paths[0] ? "one was" : "none was");
    t[0].path = paths[0];
    t[1].path = paths[1];
    const int code = load(&t[0]) && load(&t[1]) ? compare(t, chart, &shown) : EXIT_WRONG_USAGE;
    json_release(t[0].read);
    json_release(t[1].read);
    return code;
}
