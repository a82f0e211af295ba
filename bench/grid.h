/* A table of results, described once and shown in four ways: text for a terminal, Markdown, CSV and
 * JSON. It carries what a result must name: the CPU, the compiler, the commit and the date.
 *
 *     grid *g = grid_create("table1", "Time per frame, 50 elements");
 *     grid_column(g, "method", "method", "", GRID_TEXT);
 *     grid_column(g, "ms", "here", "ms", GRID_DIGITS(3));
 *     grid_row(g);
 *     grid_text(g, "method", "PBER");
 *     grid_number(g, "ms", 0.0312);
 *     grid_finding(g, "PBER takes %.1f times as long.", 4.8);
 *     if (grid_ok(g))
 *         grid_print(g, stdout);
 *     else
 *         complain(grid_error(g));
 *     grid_destroy(g);
 *
 * Texts are UTF-8 and copied. Whatever goes wrong while filling is kept: ask once, at the end. A
 * grid that is NULL, because memory ran out, can be used like any other and is never ok. */
#ifndef RODBENCH_GRID_H
#define RODBENCH_GRID_H

#include <stdbool.h>
#include <stdio.h>

typedef struct grid grid;

/* How people see the numbers of a column. CSV and JSON have nine digits, and whole numbers whole.
 * What is not 0 never reads 0: 0.004 with two decimals is shown as 0.004. */
typedef struct {
    enum { GRID_SHOW_TEXT, GRID_SHOW_GIVEN, GRID_SHOW_DIGITS, GRID_SHOW_DECIMALS } show;
    int count;
} grid_format;

#define GRID_TEXT ((grid_format){GRID_SHOW_TEXT, 0})              /* left-aligned */
#define GRID_GIVEN ((grid_format){GRID_SHOW_GIVEN, 0})            /* a paper's 0.03 is not 0.0300 */
#define GRID_DIGITS(n) ((grid_format){GRID_SHOW_DIGITS, (n)})     /* 3: 0.0312 1.65 12.3 108 4821 */
#define GRID_DECIMALS(n) ((grid_format){GRID_SHOW_DECIMALS, (n)}) /* 1: 0.1 12.3 108.0 */

/* The name is that of the files, of letters, digits and - . _ without a leading dot. */
grid *grid_create(const char *name, const char *title);
void grid_destroy(grid *g);

/* All columns come before the first row. Keys are for machines (snake_case), headings for people; a
 * unit may be "". */
void grid_column(grid *g, const char *key, const char *heading, const char *unit,
                 grid_format format);

/* Begins a row of empty cells; the others fill the last row. A cell that stays empty is "-" in text
 * and Markdown, nothing in CSV and null in JSON, and so is a number that is not finite and a text
 * that is NULL. A text may stand in a column of numbers: "interactive". */
void grid_row(grid *g);
void grid_text(grid *g, const char *column, const char *text);
void grid_textf(grid *g, const char *column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void grid_number(grid *g, const char *column, double number);

/* Notes say above the cells what was measured and how, findings below what came out. Sentences
 * without markup; they are wrapped and escaped where that is needed. */
void grid_note(grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grid_finding(grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What only the JSON has, beside the table: rounds, seed, ... */
void grid_extra_text(grid *g, const char *key, const char *text);
void grid_extra_number(grid *g, const char *key, double number);

/* One line: what went wrong first while filling, or else why the last grid_save failed. NULL if
 * nothing did. */
const char *grid_error(const grid *g);
bool grid_ok(const grid *g);

void grid_print(const grid *g, FILE *file); /* text */
void grid_print_markdown(const grid *g, FILE *file);
void grid_print_csv(const grid *g, FILE *file);
void grid_print_json(const grid *g, FILE *file);

/* Writes NAME.json, NAME.md and NAME.csv into the folder, which is made if only it is missing. They
 * take the place of old ones when all three are written. On failure returns false: grid_error names
 * the path and the reason, old files are as they were, and nothing is left behind. The CSV has only
 * cells: its stamp is in the JSON beside it. */
bool grid_save(grid *g, const char *folder);

#endif
