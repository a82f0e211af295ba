#include "compare.h"

#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool compare_accepts(const json_value *table, char why[COMPARE_REFUSAL_SIZE]) {
    const json_value *schema = json_member(table, "schema");
    const json_value *rows = json_member(table, "rows"), *columns = json_member(table, "columns");
    if (!json_member_text(table, "table") || !rows || rows->kind != JSON_ARRAY || !columns ||
        columns->kind != JSON_ARRAY)
        snprintf(
            why, COMPARE_REFUSAL_SIZE,
            "is not a table of rodbench; what `table NAME` and `sweep SCENE` write with --json "
            "or --out is accepted");
    else if (!schema || schema->kind != JSON_NUMBER)
        snprintf(why, COMPARE_REFUSAL_SIZE,
                 "has no schema version; version %d is accepted: measure again", JSON_SCHEMA);
    else if (schema->number < JSON_SCHEMA || schema->number > JSON_SCHEMA)
        snprintf(why, COMPARE_REFUSAL_SIZE, "has schema version %g; version %d is accepted",
                 schema->number, JSON_SCHEMA);
    else
        return true;
    return false;
}

/* ---------------------------------------------------------------- columns */

static bool is_time(const char *unit) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    const size_t length = strcspn(unit, " ,"); /* "ms, 200 rods" */
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i]) == length && strncmp(unit, units[i], length) == 0)
            return true;
    return false;
}

static const json_value *column_named(const json_value *columns, const char *key) {
    for (const json_value *c = columns->first; c; c = c->next) {
        const char *own = json_member_text(c, "key");
        if (own && strcmp(own, key) == 0)
            return c;
    }
    return NULL;
}

/* Medians stand beside minima: x_median_ms by x_min_ms, us_median by us_min, median_ns by ns. */
static const json_value *minimum_of(const json_value *columns, const char *median) {
    const char *word = strstr(median, "median");
    char key[128];
    if (!word)
        return NULL;
    const char *rest = word + strlen("median");
    snprintf(key, sizeof key, "%.*smin%s", (int)(word - median), median, rest);
    const json_value *found = column_named(columns, key);
    if (found)
        return found;
    snprintf(key, sizeof key, "%.*s%s", (int)(word - median), median,
             *rest == '_' ? rest + 1 : rest);
    return column_named(columns, key);
}

/* A row is known by its key or name, or else by the columns without a unit that stand before the
 * first time. Which variant was the fastest is an outcome. */
static bool is_identity(const json_value *columns, const json_value *column) {
    const char *key = json_member_text(column, "key"), *unit = json_member_text(column, "unit");
    const char *const whole[] = {"key", "name"};
    for (size_t i = 0; i < 2; i++)
        if (column_named(columns, whole[i]))
            return key && strcmp(key, whole[i]) == 0;
    if (!key || !unit || *unit || strcmp(key, "variant") == 0 || strcmp(key, "order") == 0)
        return false;
    for (const json_value *c = columns->first; c && c != column; c = c->next) {
        const char *other = json_member_text(c, "unit");
        if (other && is_time(other))
            return false;
    }
    return true;
}

static void name_row(const json_value *columns, const json_value *row, char *name, size_t size) {
    size_t length = 0;
    *name = '\0';
    for (const json_value *c = columns->first; c; c = c->next) {
        const json_value *cell =
            is_identity(columns, c) ? json_member(row, json_member_text(c, "key")) : NULL;
        if (!cell || length >= size)
            continue;
        const char *comma = length > 0 ? ", " : "";
        if (cell->kind == JSON_STRING)
            length += (size_t)snprintf(name + length, size - length, "%s%s", comma, cell->text);
        else if (cell->kind == JSON_NUMBER)
            length += (size_t)snprintf(name + length, size - length, "%s%.9g", comma, cell->number);
    }
}

/* ---------------------------------------------------------------- rows */

static const json_value *row_named(const json_value *table, const char *name) {
    const json_value *columns = json_member(table, "columns");
    for (const json_value *r = json_member(table, "rows")->first; r; r = r->next) {
        char own[sizeof((compare_row *)0)->row];
        name_row(columns, r, own, sizeof own);
        if (strcmp(own, name) == 0)
            return r;
    }
    return NULL;
}

static bool read_time(const json_value *row, const char *min, const char *median,
                      compare_time *time) {
    const json_value *a = json_member(row, min), *b = json_member(row, median);
    if (!a || !b || a->kind != JSON_NUMBER || b->kind != JSON_NUMBER || !(a->number > 0.0) ||
        !(b->number > 0.0))
        return false;
    *time = (compare_time){a->number, b->number};
    return true;
}

/* Faster and slower only where neither the bar nor 5 % leave a doubt. */
static void judge(const comparison *c, compare_row *r) {
    r->ratio = r->a.min / r->b.min;
    r->low = r->a.min / fmax(r->b.median, c->noise_b * r->b.min);
    r->high = fmax(r->a.median, c->noise_a * r->a.min) / r->b.min;
    if (c->few_rounds)
        r->verdict = COMPARE_UNKNOWN;
    else if (r->low > 1.0 && r->ratio > 1.0 + COMPARE_LEAST)
        r->verdict = COMPARE_FASTER;
    else if (r->high < 1.0 && 1.0 / r->ratio > 1.0 + COMPARE_LEAST)
        r->verdict = COMPARE_SLOWER;
    else
        r->verdict = COMPARE_SAME;
}

static int rising(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A row whose samples happened to agree is as noisy as the others of its run. */
static double usual_noise(const comparison *c, bool of_b) {
    double *noise = malloc((c->count + 1) * sizeof *noise);
    if (!noise || c->count == 0) {
        free(noise);
        return 1.0;
    }
    for (size_t i = 0; i < c->count; i++) {
        const compare_time *t = of_b ? &c->rows[i].b : &c->rows[i].a;
        noise[i] = t->median / t->min;
    }
    qsort(noise, c->count, sizeof *noise, rising);
    const double usual = noise[c->count / 2];
    free(noise);
    return fmax(1.0, usual);
}

static bool has_few_rounds(const json_value *table) {
    const json_value *rounds = json_member(table, "rounds");
    return rounds && rounds->kind == JSON_NUMBER && rounds->number < COMPARE_ROUNDS;
}

static void add(comparison *c, const compare_row *row) {
    if (c->count == c->room) {
        const size_t room = c->room ? 2 * c->room : 64;
        compare_row *more = realloc(c->rows, room * sizeof *more);
        if (!more) {
            c->failed = true;
            return;
        }
        c->rows = more;
        c->room = room;
    }
    c->rows[c->count++] = *row;
}

static void compare_cells(comparison *c, const json_value *columns, const char *name,
                          const json_value *a, const json_value *b) {
    for (const json_value *column = columns->first; column; column = column->next) {
        const char *median = json_member_text(column, "key");
        const char *unit = json_member_text(column, "unit");
        const json_value *least = median ? minimum_of(columns, median) : NULL;
        const char *heading = json_member_text(least, "heading");
        compare_row row = {.verdict = COMPARE_SAME};
        if (!least || !unit || !is_time(unit) || !heading ||
            !read_time(a, json_member_text(least, "key"), median, &row.a) ||
            !read_time(b, json_member_text(least, "key"), median, &row.b))
            continue;
        snprintf(row.row, sizeof row.row, "%s", name);
        snprintf(row.measure, sizeof row.measure, "%s", heading);
        snprintf(row.unit, sizeof row.unit, "%s", unit);
        add(c, &row);
    }
}

void compare_tables(comparison *c, const json_value *a, const json_value *b) {
    const json_value *columns = json_member(a, "columns");
    const json_value *others = json_member(b, "columns");
    char name[sizeof((compare_row *)0)->row];
    for (const json_value *r = json_member(a, "rows")->first; r; r = r->next) {
        name_row(columns, r, name, sizeof name);
        const json_value *partner = row_named(b, name);
        if (partner)
            compare_cells(c, columns, name, r, partner);
        else
            c->only_in_a++;
    }
    for (const json_value *r = json_member(b, "rows")->first; r; r = r->next) {
        name_row(others, r, name, sizeof name);
        c->only_in_b += row_named(a, name) == NULL;
    }
    c->few_rounds = has_few_rounds(a) || has_few_rounds(b);
    c->noise_a = usual_noise(c, false);
    c->noise_b = usual_noise(c, true);
    for (size_t i = 0; i < c->count; i++)
        judge(c, &c->rows[i]);
}

void compare_finish(comparison *c) {
    free(c->rows);
    *c = (comparison){0};
}

const char *compare_verdict_text(compare_verdict verdict) {
    static const char *const texts[] = {"same within noise", "faster", "slower",
                                        "not known, too few rounds"};
    return texts[verdict];
}
