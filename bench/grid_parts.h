/* What the files of the grid share; others use grid.h. */
#ifndef RODBENCH_GRID_PARTS_H
#define RODBENCH_GRID_PARTS_H

#include "grid.h"
#include "machine.h"

#include <stddef.h>

typedef struct {
    char *text;    /* NULL: a number */
    double number; /* NAN: empty */
} grid_cell;

typedef struct {
    char *key, *heading, *unit;
    grid_format format;
} grid_column_parts;

typedef struct {
    char *key;
    grid_cell cell;
} grid_extra;

typedef struct {
    char **line;
    size_t count;
} grid_lines;

struct grid {
    char *name, *title;
    machine_info machine;
    char date[16]; /* UTC, as in 2025-01-31 */
    grid_column_parts *column;
    grid_extra *extra;
    grid_cell *cell; /* row by row */
    size_t columns, extras, rows;
    grid_lines notes, findings;
    bool failed;      /* while filling */
    char *error;      /* of filling */
    char *save_error; /* of the last grid_save */
    bool save_failed;
};

enum { GRID_NUMBER_SIZE = 48 };

/* A number as people see it, and as programs do. Both want it finite. */
void grid_number_shown(double number, grid_format format, char text[GRID_NUMBER_SIZE]);
void grid_number_exact(double number, char text[GRID_NUMBER_SIZE]);

#endif
