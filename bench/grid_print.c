/* The four ways to show a grid. */

#include "grid_parts.h"

#include "json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WRAP = 100, GAP = 2 };

static const grid_cell *cell_at(const grid *g, size_t row, size_t column) {
    return &g->cell[row * g->columns + column];
}

static bool is_empty(const grid_cell *cell) {
    return !cell->text && !isfinite(cell->number);
}

/* ---------------------------------------------------------------- pieces of text */

typedef enum { PLAIN, MARKDOWN } markup;

/* Characters that Markdown would take for markup. An underscore within a word is none. */
static bool is_markup(const char *text, size_t i) {
    if (text[i] == '_') {
        const unsigned char before = i > 0 ? (unsigned char)text[i - 1] : ' ';
        return !(isalnum(before) && isalnum((unsigned char)text[i + 1]));
    }
    return strchr("\\|<*`[", text[i]) || (i == 0 && strchr("#>+-=", text[i]));
}

/* Writes on one line, and returns how many columns that takes; without a file it only counts. All
 * but the first byte of a character in UTF-8 begin with the bits 10. */
static size_t put(FILE *file, const char *text, size_t length, markup style) {
    size_t width = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (style == MARKDOWN && is_markup(text, i)) {
            width++;
            if (file)
                putc('\\', file);
        }
        width += (c & 0xc0) != 0x80;
        if (file)
            putc(iscntrl(c) ? ' ' : c, file);
    }
    return width;
}

static size_t put_all(FILE *file, const char *text, markup style) {
    return put(file, text, strlen(text), style);
}

static void put_many(FILE *file, char c, size_t count) {
    for (size_t i = 0; i < count; i++)
        putc(c, file);
}

static size_t put_cell(FILE *file, const grid *g, size_t row, size_t column, markup style) {
    const grid_cell *cell = cell_at(g, row, column);
    char number[GRID_NUMBER_SIZE] = "-";
    if (is_empty(cell) || !cell->text) {
        if (!is_empty(cell))
            grid_number_shown(cell->number, g->column[column].format, number);
        return put_all(file, number, PLAIN); /* a minus is no markup here */
    }
    return put_all(file, cell->text, style);
}

/* Markdown has one line for headings: the unit goes beside. */
static size_t put_heading(FILE *file, const grid_column_parts *column, markup style) {
    size_t width = put_all(file, column->heading, style);
    if (style == MARKDOWN && *column->unit) {
        width += put_all(file, " (", PLAIN) + put_all(file, column->unit, style);
        width += put_all(file, ")", PLAIN);
    }
    return width;
}

static bool is_right(const grid *g, size_t column) {
    return g->column[column].format.show != GRID_SHOW_TEXT;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t column_width(const grid *g, size_t column, markup style) {
    size_t width = larger(put_heading(NULL, &g->column[column], style), style == MARKDOWN ? 3 : 1);
    if (style == PLAIN)
        width = larger(width, put_all(NULL, g->column[column].unit, style));
    for (size_t row = 0; row < g->rows; row++)
        width = larger(width, put_cell(NULL, g, row, column, style));
    return width;
}

/* ---------------------------------------------------------------- lines of cells */

typedef enum { HEADING, UNIT, RULE, CELLS } line_kind;

typedef struct {
    FILE *file;
    const grid *g;
    markup style;
    const size_t *width; /* of each column; NULL for want of memory */
} sheet;

/* Slow without memory, but a table without cells would look complete. */
static size_t width_of(const sheet *s, size_t column) {
    return s->width ? s->width[column] : column_width(s->g, column, s->style);
}

static size_t put_piece(const sheet *s, FILE *file, line_kind kind, size_t row, size_t column) {
    switch (kind) {
    case HEADING:
        return put_heading(file, &s->g->column[column], s->style);
    case UNIT:
        return put_all(file, s->g->column[column].unit, s->style);
    case RULE:
        break;
    case CELLS:
        return put_cell(file, s->g, row, column, s->style);
    }
    return 0;
}

static void put_rule(const sheet *s, size_t column) {
    const bool colon = s->style == MARKDOWN && is_right(s->g, column);
    put_many(s->file, '-', width_of(s, column) - colon);
    if (colon)
        putc(':', s->file);
}

/* Blanks wait in `blanks` until something follows them: text has none at the end of a line. */
static void put_padded(const sheet *s, line_kind kind, size_t row, size_t column, size_t *blanks) {
    const size_t width = put_piece(s, NULL, kind, row, column);
    const size_t room = width_of(s, column) - width;
    const bool right = is_right(s->g, column);
    *blanks += right ? room : 0;
    if (width > 0) {
        put_many(s->file, ' ', *blanks);
        put_piece(s, s->file, kind, row, column);
        *blanks = 0;
    }
    *blanks += right ? 0 : room;
}

static void put_text_line(const sheet *s, line_kind kind, size_t row) {
    size_t blanks = 0;
    for (size_t i = 0; i < s->g->columns; i++) {
        blanks += i > 0 ? GAP : 0;
        if (kind != RULE) {
            put_padded(s, kind, row, i, &blanks);
            continue;
        }
        put_many(s->file, ' ', blanks);
        put_rule(s, i);
        blanks = 0;
    }
    putc('\n', s->file);
}

static void put_markdown_line(const sheet *s, line_kind kind, size_t row) {
    for (size_t i = 0; i < s->g->columns; i++) {
        size_t blanks = 0;
        fputs(i == 0 ? "| " : " | ", s->file);
        if (kind == RULE)
            put_rule(s, i);
        else
            put_padded(s, kind, row, i, &blanks);
        put_many(s->file, ' ', blanks);
    }
    fputs(" |\n", s->file);
}

static void put_line(const sheet *s, line_kind kind, size_t row) {
    if (s->style == MARKDOWN)
        put_markdown_line(s, kind, row);
    else
        put_text_line(s, kind, row);
}

static bool has_units(const grid *g) {
    for (size_t i = 0; i < g->columns; i++)
        if (*g->column[i].unit)
            return true;
    return false;
}

static void put_cells(const grid *g, FILE *file, markup style) {
    if (g->columns == 0)
        return;
    size_t *width = malloc(g->columns * sizeof *width);
    for (size_t i = 0; width && i < g->columns; i++)
        width[i] = column_width(g, i, style);
    const sheet s = {file, g, style, width};
    put_line(&s, HEADING, 0);
    if (style == PLAIN && has_units(g))
        put_line(&s, UNIT, 0);
    put_line(&s, RULE, 0);
    for (size_t row = 0; row < g->rows; row++)
        put_line(&s, CELLS, row);
    free(width);
}

/* ---------------------------------------------------------------- text */

static size_t word_length(const char *text) {
    size_t length = 0;
    while (text[length] && !isspace((unsigned char)text[length]))
        length++;
    return length;
}

/* Lines of WRAP columns; a word that is longer has its own. */
static void put_wrapped(FILE *file, const char *first, const char *others, const char *text) {
    size_t used = put_all(file, first, PLAIN), words = 0;
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        const size_t length = word_length(text);
        if (length == 0)
            break;
        const size_t width = put(NULL, text, length, PLAIN);
        if (words > 0 && used + 1 + width > WRAP) {
            putc('\n', file);
            used = put_all(file, others, PLAIN);
        } else if (words > 0) {
            used += put_all(file, " ", PLAIN);
        }
        used += put(file, text, length, PLAIN);
        text += length;
        words++;
    }
    putc('\n', file);
}

static void put_stamp(const grid *g, FILE *file, markup style) {
    put_all(file, g->machine.cpu, style);
    fputs(", ", file);
    put_all(file, g->machine.compiler, style);
    fputs(", commit ", file);
    put_all(file, machine_commit(), style);
    fprintf(file, ", %s\n", g->date);
}

/* Memory that ran out may have left them without these. */
static bool is_whole(const grid *g) {
    return g && !g->failed;
}

void grid_print(const grid *g, FILE *file) {
    if (!is_whole(g))
        return;
    put_wrapped(file, "", "", g->title);
    put_stamp(g, file, PLAIN);
    for (size_t i = 0; i < g->notes.count; i++)
        put_wrapped(file, "", "", g->notes.line[i]);
    putc('\n', file);
    put_cells(g, file, PLAIN);
    if (g->findings.count > 0)
        putc('\n', file);
    for (size_t i = 0; i < g->findings.count; i++)
        put_wrapped(file, "- ", "  ", g->findings.line[i]);
}

/* ---------------------------------------------------------------- Markdown */

void grid_print_markdown(const grid *g, FILE *file) {
    if (!is_whole(g))
        return;
    fputs("# ", file);
    put_all(file, g->title, MARKDOWN);
    fputs("\n\n", file);
    put_stamp(g, file, MARKDOWN);
    for (size_t i = 0; i < g->notes.count; i++) {
        putc('\n', file);
        put_all(file, g->notes.line[i], MARKDOWN);
        putc('\n', file);
    }
    putc('\n', file);
    put_cells(g, file, MARKDOWN);
    if (g->findings.count > 0)
        putc('\n', file);
    for (size_t i = 0; i < g->findings.count; i++) {
        fputs("- ", file);
        put_all(file, g->findings.line[i], MARKDOWN);
        putc('\n', file);
    }
}

/* ---------------------------------------------------------------- CSV */

/* RFC 4180, but for lines that end as the system's do. */
static void put_field(FILE *file, const char *text) {
    const size_t length = strlen(text);
    const bool blank_ends = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    if (!blank_ends && !strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

static void put_csv_cell(FILE *file, const grid_cell *cell) {
    char number[GRID_NUMBER_SIZE] = "";
    if (!cell->text && !is_empty(cell))
        grid_number_exact(cell->number, number);
    put_field(file, cell->text ? cell->text : number);
}

void grid_print_csv(const grid *g, FILE *file) {
    if (!is_whole(g) || g->columns == 0)
        return;
    for (size_t i = 0; i < g->columns; i++) {
        put_field(file, g->column[i].key);
        putc(i + 1 < g->columns ? ',' : '\n', file);
    }
    for (size_t row = 0; row < g->rows; row++)
        for (size_t i = 0; i < g->columns; i++) {
            put_csv_cell(file, cell_at(g, row, i));
            putc(i + 1 < g->columns ? ',' : '\n', file);
        }
}

/* ---------------------------------------------------------------- JSON */

/* The same digits as in CSV. */
static void write_cell(json_writer *w, const char *key, const grid_cell *cell) {
    char number[GRID_NUMBER_SIZE];
    if (cell->text) {
        json_string(w, key, cell->text);
    } else if (is_empty(cell)) {
        json_null(w, key);
    } else {
        grid_number_exact(cell->number, number);
        json_number(w, key, strtod(number, NULL));
    }
}

static void write_lines(json_writer *w, const char *key, const grid_lines *lines) {
    json_begin_array(w, key);
    for (size_t i = 0; i < lines->count; i++)
        json_string(w, NULL, lines->line[i]);
    json_end_array(w);
}

static void write_columns(json_writer *w, const grid *g) {
    json_begin_array(w, "columns");
    for (size_t i = 0; i < g->columns; i++) {
        json_begin_object(w, NULL);
        json_string(w, "key", g->column[i].key);
        json_string(w, "heading", g->column[i].heading);
        json_string(w, "unit", g->column[i].unit);
        json_end_object(w);
    }
    json_end_array(w);
}

static void write_rows(json_writer *w, const grid *g) {
    json_begin_array(w, "rows");
    for (size_t row = 0; row < g->rows; row++) {
        json_begin_object(w, NULL);
        for (size_t i = 0; i < g->columns; i++)
            write_cell(w, g->column[i].key, cell_at(g, row, i));
        json_end_object(w);
    }
    json_end_array(w);
}

void grid_print_json(const grid *g, FILE *file) {
    if (!is_whole(g))
        return;
    json_writer writer = json_writer_to(file), *w = &writer;
    json_begin_object(w, NULL);
    json_schema(w);
    json_string(w, "table", g->name);
    json_string(w, "title", g->title);
    json_string(w, "cpu", g->machine.cpu);
    json_string(w, "slug", g->machine.slug);
    json_string(w, "compiler", g->machine.compiler);
    json_string(w, "commit", machine_commit());
    json_string(w, "date", g->date);
    for (size_t i = 0; i < g->extras; i++)
        write_cell(w, g->extra[i].key, &g->extra[i].cell);
    write_lines(w, "notes", &g->notes);
    write_columns(w, g);
    write_rows(w, g);
    write_lines(w, "findings", &g->findings);
    json_end_object(w);
}
