/* Filling a grid. How it is shown is in grid_print.c, how numbers read in grid_number.c. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "grid.h"

#include "grid_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---------------------------------------------------------------- what goes wrong */

static char *format_text(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

/* The first failure is kept: the others may follow from it. */
__attribute__((format(printf, 2, 3))) static void fail(grid *g, const char *format, ...) {
    if (!g || g->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    g->failed = true;
    g->error = format_text(format, arguments); /* NULL: out of memory, which is the news then */
    va_end(arguments);
}

static void fail_memory(grid *g) {
    if (g)
        g->failed = true;
}

bool grid_ok(const grid *g) {
    return g && !g->failed && !g->save_failed;
}

const char *grid_error(const grid *g) {
    if (grid_ok(g))
        return NULL;
    const char *error = !g ? NULL : g->failed ? g->error : g->save_error;
    return error ? error : "out of memory";
}

/* ---------------------------------------------------------------- memory */

static char *copy(grid *g, const char *text) {
    char *copied = strdup(text);
    if (!copied)
        fail_memory(g);
    return copied;
}

/* Room for one more behind `count` of them. It grows in powers of two, so that a full one is known
 * by its count. */
static bool grow(grid *g, void *array, size_t count, size_t size) {
    if (count & (count - 1))
        return true;
    void *old;
    memcpy(&old, array, sizeof old);
    void *larger = count > (size_t)-1 / 2 / size ? NULL : realloc(old, 2 * (count + !count) * size);
    if (!larger) {
        fail_memory(g);
        return false;
    }
    memcpy(array, &larger, sizeof larger);
    return true;
}

/* ---------------------------------------------------------------- the grid */

static bool is_name(const char *name) {
    const char *accepted = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    return *name && *name != '.' && strspn(name, accepted) == strlen(name);
}

grid *grid_create(const char *name, const char *title) {
    grid *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->name = copy(g, name);
    g->title = copy(g, title);
    if (!is_name(name))
        fail(g, "table '%s': a name of letters, digits and - . _ is accepted", name);
    machine_read(&g->machine);
    const time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || !strftime(g->date, sizeof g->date, "%Y-%m-%d", &parts))
        strcpy(g->date, "unknown");
    return g;
}

static void free_lines(grid_lines *lines) {
    for (size_t i = 0; i < lines->count; i++)
        free(lines->line[i]);
    free(lines->line);
}

void grid_destroy(grid *g) {
    if (!g)
        return;
    for (size_t i = 0; i < g->rows * g->columns; i++)
        free(g->cell[i].text);
    for (size_t i = 0; i < g->columns; i++) {
        free(g->column[i].key);
        free(g->column[i].heading);
        free(g->column[i].unit);
    }
    for (size_t i = 0; i < g->extras; i++) {
        free(g->extra[i].key);
        free(g->extra[i].cell.text);
    }
    free_lines(&g->notes);
    free_lines(&g->findings);
    free(g->cell);
    free(g->column);
    free(g->extra);
    free(g->name);
    free(g->title);
    free(g->error);
    free(g->save_error);
    free(g);
}

/* ---------------------------------------------------------------- columns and rows */

/* The number of columns if there is none of that key. */
static size_t find_column(const grid *g, const char *key) {
    size_t i = 0;
    while (i < g->columns && strcmp(g->column[i].key, key) != 0)
        i++;
    return i;
}

void grid_column(grid *g, const char *key, const char *heading, const char *unit,
                 grid_format format) {
    if (!g || g->failed)
        return;
    if (g->rows > 0 || find_column(g, key) < g->columns) {
        fail(g, "table '%s': column '%s' %s", g->name, key,
             g->rows > 0 ? "comes after the first row" : "is there already");
        return;
    }
    if (!grow(g, &g->column, g->columns, sizeof *g->column))
        return;
    g->column[g->columns++] =
        (grid_column_parts){copy(g, key), copy(g, heading), copy(g, unit), format};
}

void grid_row(grid *g) {
    if (!g || g->failed)
        return;
    if (g->columns == 0) {
        fail(g, "table '%s': a row without columns", g->name);
        return;
    }
    for (size_t i = 0; i < g->columns; i++) {
        const size_t used = g->rows * g->columns + i;
        if (!grow(g, &g->cell, used, sizeof *g->cell))
            return;
        g->cell[used] = (grid_cell){NULL, (double)NAN};
    }
    g->rows++;
}

/* Takes the cell, whose text was allocated. */
static void set_cell(grid *g, const char *column, grid_cell cell) {
    const size_t i = g && !g->failed ? find_column(g, column) : 0;
    if (!g || g->failed || g->rows == 0 || i == g->columns) {
        if (g && !g->failed)
            fail(g, "table '%s': %s '%s'", g->name,
                 g->rows == 0 ? "no row yet for column" : "no column", column);
        free(cell.text);
        return;
    }
    grid_cell *at = &g->cell[(g->rows - 1) * g->columns + i];
    free(at->text);
    *at = cell;
}

void grid_text(grid *g, const char *column, const char *text) {
    set_cell(g, column, (grid_cell){text ? copy(g, text) : NULL, (double)NAN});
}

void grid_textf(grid *g, const char *column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    if (!text)
        fail_memory(g);
    set_cell(g, column, (grid_cell){text, (double)NAN});
}

void grid_number(grid *g, const char *column, double number) {
    set_cell(g, column, (grid_cell){NULL, number});
}

/* ---------------------------------------------------------------- what stands around them */

static void add_line(grid *g, grid_lines *lines, const char *format, va_list arguments) {
    if (!grow(g, &lines->line, lines->count, sizeof *lines->line))
        return;
    char *text = format_text(format, arguments);
    if (text)
        lines->line[lines->count++] = text;
    else
        fail_memory(g);
}

void grid_note(grid *g, const char *format, ...) {
    if (!g || g->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    add_line(g, &g->notes, format, arguments);
    va_end(arguments);
}

void grid_finding(grid *g, const char *format, ...) {
    if (!g || g->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    add_line(g, &g->findings, format, arguments);
    va_end(arguments);
}

/* Twice the same key makes a JSON object that readers disagree about. */
static bool is_taken(const grid *g, const char *key) {
    const char *const own[] = {"table", "title", "cpu",     "slug", "compiler", "commit",
                               "date",  "notes", "columns", "rows", "findings"};
    bool taken = false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        taken = taken || strcmp(own[i], key) == 0;
    for (size_t i = 0; i < g->extras; i++)
        taken = taken || strcmp(g->extra[i].key, key) == 0;
    return taken;
}

static void add_extra(grid *g, const char *key, const char *text, double number) {
    if (!g || g->failed)
        return;
    if (is_taken(g, key)) {
        fail(g, "table '%s': extra '%s' is there already", g->name, key);
        return;
    }
    if (grow(g, &g->extra, g->extras, sizeof *g->extra))
        g->extra[g->extras++] = (grid_extra){copy(g, key), {text ? copy(g, text) : NULL, number}};
}

void grid_extra_text(grid *g, const char *key, const char *text) {
    add_extra(g, key, text, (double)NAN);
}

void grid_extra_number(grid *g, const char *key, double number) {
    add_extra(g, key, NULL, number);
}
