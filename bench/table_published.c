/* `rodbench table table1` and its kin: scenes of the papers, what they took there and take here. */

#include "study.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_keys[STUDY_KINDS] = {"paper_style", "plain_c", "paper_order",
                                                   "any_order", "batch"};
static const char *const kind_names[STUDY_KINDS] = {"paper style", "plain C", "paper's order",
                                                    "any order", "rod in a batch"};

/* ---------------------------------------------------------------- the grids */

static double paper_ms(const study_cell *c) {
    return c->paper ? c->paper->value : NAN;
}

static double ms(const study_cell *c, study_kind k) {
    return 1e3 * c->of[k].frame.min;
}

/* What storage and width bring: a rod in plain C against one in a batch, however many the scene
 * has. */
static double layout_gain(const study_cell *c) {
    return ms(c, PLAIN_C) / (double)c->of[PLAIN_C].rods / ms(c, IN_BATCH);
}

/* The product of what CPU, algebra and layout bring. */
static double total_gain(const study_cell *c) {
    return paper_ms(c) / ms(c, PLAIN_C) * layout_gain(c);
}

/* No cell stays empty: what depends on a number that no paper gives says so. */
static void add_if_known(grid *g, const char *column, double number) {
    if (isfinite(number))
        grid_number(g, column, number);
    else
        grid_text(g, column, "not said");
}

/* A paper may have a word where it has no number. */
static void add_paper(grid *g, const study_cell *c) {
    if (c->paper && isnan(c->paper->value))
        grid_text(g, "paper_ms", "interactive");
    else
        add_if_known(g, "paper_ms", paper_ms(c));
}

/* A batch's time is that of a rod, which only differs where the scene has several. */
static void unit_of(const study *s, study_kind k, char unit[32]) {
    const size_t rods = s->cells[0].of[PLAIN_C].rods;
    if (rods == 1)
        snprintf(unit, 32, "ms");
    else if (k == IN_BATCH)
        snprintf(unit, 32, "ms a rod");
    else
        snprintf(unit, 32, "ms, %zu rods", rods);
}

static void add_stats_column(grid *g, const study *s, study_kind k, const char *part) {
    char key[48], heading[48], unit[32];
    unit_of(s, k, unit);
    snprintf(key, sizeof key, "%s_%s_ms", kind_keys[k], part);
    snprintf(heading, sizeof heading, "%s%s", strcmp(part, "min") == 0 ? kind_names[k] : "",
             strcmp(part, "min") == 0 ? "" : "median");
    grid_column(g, key, heading, unit, GRID_DIGITS(3));
}

static void add_times(grid *g, const study_cell *c) {
    for (study_kind k = PAPER_STYLE; k < STUDY_KINDS; k++) {
        char key[48];
        snprintf(key, sizeof key, "%s_min_ms", kind_keys[k]);
        grid_number(g, key, ms(c, k));
        snprintf(key, sizeof key, "%s_median_ms", kind_keys[k]);
        grid_number(g, key, 1e3 * c->of[k].frame.median);
    }
}

static grid *times_grid(const study *s) {
    char title[96];
    snprintf(title, sizeof title, "%s: time of a frame, published and here", s->name);
    grid *g = grid_create(s->name, title);
    grid_column(g, "scene", "scene", "", GRID_TEXT);
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "iterations", "iter.", "", GRID_GIVEN);
    grid_column(g, "paper_ms", "paper", "ms", GRID_GIVEN);
    for (study_kind k = PAPER_STYLE; k < STUDY_KINDS; k++) {
        add_stats_column(g, s, k, "min");
        add_stats_column(g, s, k, "median");
    }
    grid_column(g, "cpu_times", "CPU", "x", GRID_DIGITS(3));
    grid_column(g, "algebra_times", "algebra", "x", GRID_DIGITS(3));
    grid_column(g, "layout_times", "layout", "x", GRID_DIGITS(3));
    grid_column(g, "total_times", "all", "x", GRID_DIGITS(3));
    for (size_t i = 0; i < s->cell_count; i++) {
        const study_cell *c = &s->cells[i];
        grid_row(g);
        grid_text(g, "scene", c->scene->name);
        grid_text(g, "method", rod_method_name(c->method));
        grid_number(g, "iterations", (double)c->donor.settings.step.iterations);
        add_paper(g, c);
        add_times(g, c);
        add_if_known(g, "cpu_times", paper_ms(c) / ms(c, PAPER_STYLE));
        grid_number(g, "algebra_times", ms(c, PAPER_STYLE) / ms(c, PLAIN_C));
        grid_number(g, "layout_times", layout_gain(c));
        add_if_known(g, "total_times", total_gain(c));
    }
    return g;
}

static void add_notes(grid *g, const study *s) {
    const study_cell *c = &s->cells[0];
    grid_note(g,
              "%zu rod%s of %zu elements, dt 10 ms, one core, float32; minimum and median of %zu "
              "rounds in turns. Scenes are our reading of the papers, whose videos are lost.",
              c->donor.settings.rods, c->donor.settings.rods == 1 ? "" : "s",
              c->donor.settings.elements, s->rounds);
    grid_note(g, "paper style: what the authors likely had, an array of structures with one "
                 "quaternion in an SSE register, for PBER and PBD the scalar textbook. plain C: "
                 "our body, a rod at a time, no vectors. paper's order: the fastest variant in the "
                 "order of the paper. any order: red-black and the others, too, but for PBER, "
                 "which gains energy in all others. rod in a batch: time of a batch / its rods.");
    grid_note(g,
              "not said: no paper gives a number. CPU: paper / paper style here. algebra: paper "
              "style / plain C, what our way of writing the projection brings. layout: a rod in "
              "plain C / rod in a batch, what storage and vector width bring. all: their product.");
    grid_extra_number(g, "rounds", (double)s->rounds);
    grid_extra_number(g, "batch_rods", (double)c->of[IN_BATCH].rods);
}

/* ---------------------------------------------------------------- ratios of the methods */

static const study_cell *cell_of(const study *s, size_t scene_index, rod_method method) {
    return &s->cells[scene_index * ROD_METHODS + (size_t)method];
}

/* What the paper's text says of a ratio, not what its table gives. */
static void add_said(grid *g, const study *s, size_t scene_index, rod_method method) {
    const published *pbd = published_named("ks16-ratio-pbd");
    const published *same = published_named("ks16-ratio-same-iterations");
    const published *low = published_named("ks16-ratio-equal-quality-low");
    const published *high = published_named("ks16-ratio-equal-quality-high");
    if (s->scene_count == 1 || (method == ROD_METHOD_PBD && scene_index > 0))
        grid_text(g, "paper_says", "not said");
    else if (method == ROD_METHOD_PBER && scene_index == 0)
        grid_textf(g, "paper_says", "%g", same->value);
    else if (method == ROD_METHOD_PBER)
        grid_textf(g, "paper_says", "%g to %g", low->value, high->value);
    else
        grid_textf(g, "paper_says", "%g", pbd->value);
}

static grid *ratios_grid(const study *s) {
    char name[48];
    snprintf(name, sizeof name, "%s-ratios", s->name);
    grid *g = grid_create(name, "Time of a frame against the quaternion rod's");
    grid_column(g, "scene", "scene", "", GRID_TEXT);
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "iterations", "iterations", "", GRID_TEXT);
    grid_column(g, "paper_says", "paper says", "x", GRID_TEXT);
    grid_column(g, "paper_table", "its table", "x", GRID_DIGITS(3));
    for (study_kind k = PAPER_STYLE; k < STUDY_KINDS; k++)
        grid_column(g, kind_keys[k], kind_names[k], "x", GRID_DIGITS(3));
    grid_column(g, "batch_per_iteration", "batch, an iteration", "x", GRID_DIGITS(3));
    for (size_t i = 0; i < s->scene_count; i++) {
        const study_cell *base = cell_of(s, i, ROD_METHOD_QUATERNION);
        for (int method = ROD_METHOD_PBER; method < ROD_METHODS; method++) {
            const study_cell *c = cell_of(s, i, (rod_method)method);
            const size_t here = c->donor.settings.step.iterations;
            const size_t there = base->donor.settings.step.iterations;
            grid_row(g);
            grid_text(g, "scene", c->scene->name);
            grid_textf(g, "method", "%s / quaternion", rod_method_name(c->method));
            grid_textf(g, "iterations", "%zu / %zu", here, there);
            add_said(g, s, i, c->method);
            add_if_known(g, "paper_table", paper_ms(c) / paper_ms(base));
            for (study_kind k = PAPER_STYLE; k < STUDY_KINDS; k++)
                grid_number(g, kind_keys[k], ms(c, k) / ms(base, k));
            grid_number(g, "batch_per_iteration",
                        ms(c, IN_BATCH) / ms(base, IN_BATCH) * (double)there / (double)here);
        }
    }
    return g;
}

static grid *variants_grid(const study *s) {
    char name[48];
    snprintf(name, sizeof name, "%s-variants", s->name);
    grid *g = grid_create(name, "Variants that were measured, the fastest of their kind");
    grid_column(g, "scene", "scene", "", GRID_TEXT);
    grid_column(g, "method", "method", "", GRID_TEXT);
    for (study_kind k = PAPER_STYLE; k < STUDY_KINDS; k++)
        grid_column(g, kind_keys[k], kind_names[k], "", GRID_TEXT);
    for (size_t i = 0; i < s->cell_count; i++) {
        grid_row(g);
        grid_text(g, "scene", s->cells[i].scene->name);
        grid_text(g, "method", rod_method_name(s->cells[i].method));
        for (study_kind k = PAPER_STYLE; k < STUDY_KINDS; k++) {
            const study_timing *t = &s->cells[i].of[k];
            const char *own = t->variant->name + strlen(t->variant->method) + 1;
            grid_textf(g, kind_keys[k], "%s, %s", own, rod_order_name(t->order));
        }
    }
    return g;
}

/* ---------------------------------------------------------------- findings */

static void find_ratios(grid *g, const study *s) {
    const study_cell *q1 = cell_of(s, 0, ROD_METHOD_QUATERNION),
                     *p1 = cell_of(s, 0, ROD_METHOD_PBER);
    const study_cell *d1 = cell_of(s, 0, ROD_METHOD_PBD);
    grid_finding(g,
                 "At the same iterations (scene1) PBER takes %.3g times as long as the quaternion "
                 "rod paper-style and %.3g times in batch kernels of equal care; the paper says "
                 "%g: how PBER's Jacobian is written decides the factor.",
                 ms(p1, PAPER_STYLE) / ms(q1, PAPER_STYLE), ms(p1, IN_BATCH) / ms(q1, IN_BATCH),
                 published_named("ks16-ratio-same-iterations")->value);
    const study_cell *q2 = cell_of(s, 1, ROD_METHOD_QUATERNION),
                     *p2 = cell_of(s, 1, ROD_METHOD_PBER);
    const study_cell *q3 = cell_of(s, 2, ROD_METHOD_QUATERNION),
                     *p3 = cell_of(s, 2, ROD_METHOD_PBER);
    grid_finding(g,
                 "At the paper's iterations PBER takes %.3g times (scene2) and %.3g times (scene3) "
                 "as long in batch kernels, where the paper says %g to %g; whether those "
                 "iterations are of equal quality, `rodbench sweep` tells.",
                 ms(p2, IN_BATCH) / ms(q2, IN_BATCH), ms(p3, IN_BATCH) / ms(q3, IN_BATCH),
                 published_named("ks16-ratio-equal-quality-low")->value,
                 published_named("ks16-ratio-equal-quality-high")->value);
    const double same = ms(d1, IN_BATCH) / ms(q1, IN_BATCH);
    grid_finding(g,
                 "PBD strands take %.3g times the quaternion rod's time at the same iterations in "
                 "batch kernels, %.3g paper-style (the paper: about %g).",
                 same, ms(d1, PAPER_STYLE) / ms(q1, PAPER_STYLE),
                 published_named("ks16-ratio-pbd")->value);
}

static void find_gains(grid *g, const study *s) {
    for (size_t i = 0; i < s->cell_count; i++) {
        const study_cell *c = &s->cells[i];
        if (!c->paper || !(c->paper->value > 0.0) || (s->scene_count > 1 && i != 0))
            continue;
        grid_finding(g,
                     "%s by %s: %.3g times faster than published (%g ms, %s, %s), of which the CPU "
                     "brings %.3g, the algebra %.3g, layout and width %.3g.",
                     c->scene->name, rod_method_name(c->method), total_gain(c), paper_ms(c),
                     c->paper->source, c->paper->machine, paper_ms(c) / ms(c, PAPER_STYLE),
                     ms(c, PAPER_STYLE) / ms(c, PLAIN_C), layout_gain(c));
    }
    const published *own = published_named("uss14-pber30");
    if (strcmp(s->name, "pber30") == 0)
        grid_finding(g, "Umetani et al. themselves are cited with %g ms.", own->value);
    if (strcmp(s->name, "hair200") == 0)
        grid_finding(g,
                     "The paper calls this interactive and gives no number; here a frame of all "
                     "strands takes %.3g ms by PBER, %.0f frames a second.",
                     ms(cell_of(s, 0, ROD_METHOD_PBER), ANY_ORDER),
                     1e3 / ms(cell_of(s, 0, ROD_METHOD_PBER), ANY_ORDER));
}

static int show(const study *s, const output *shown) {
    grid *grids[] = {times_grid(s), ratios_grid(s), variants_grid(s)};
    const size_t count = sizeof grids / sizeof *grids;
    add_notes(grids[0], s);
    find_gains(grids[0], s);
    if (s->scene_count > 1)
        find_ratios(grids[1], s);
    const int code = output_grids("table", shown, grids, count);
    for (size_t i = 0; i < count; i++)
        grid_destroy(grids[i]);
    return code;
}

int table_published(const char *name, size_t rounds, const output *shown) {
    study s;
    const rod_status status = study_run(&s, name, rounds);
    const int code = status == ROD_OK ? show(&s, shown)
                                      : options_complain("table", "%s", rod_status_text(status));
    study_finish(&s);
    return code;
}
