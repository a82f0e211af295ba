/* What the tests of the grid share: a small one, and what it shows. The file that includes this
 * wants POSIX for open_memstream. */
#ifndef ROD_TEST_GRID_SHOWN_H
#define ROD_TEST_GRID_SHOWN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "grid.h"

typedef void print_function(const grid *g, FILE *file);

static char *shown(const grid *g, print_function *print) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    print(g, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

static grid *small_grid(void) {
    grid *g = grid_create("table1", "Time per frame");
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "published_ms", "published", "ms", GRID_DIGITS(3));
    grid_column(g, "n", "iterations", "", GRID_DECIMALS(0));
    grid_row(g);
    grid_text(g, "method", "PBER");
    grid_number(g, "published_ms", 1.65);
    grid_number(g, "n", 10);
    grid_row(g);
    grid_text(g, "method", "quaternion rod");
    grid_number(g, "published_ms", 0.0312);
    grid_row(g);
    grid_text(g, "method", "hair");
    grid_text(g, "published_ms", "interactive");
    grid_number(g, "n", 1200);
    assert_null(grid_error(g));
    return g;
}

#endif
