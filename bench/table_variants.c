/* `rodbench table variants`: every variant of a method on many rods and on one. */

#include "tables.h"

#include "clock.h"
#include "machine.h"
#include "options.h"
#include "peak.h"
#include "progress.h"
#include "simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENES = 2 };

/* One rod and many: what a frame of the scene costs. */
typedef struct {
    const char *scene;
    size_t rods;
    size_t frames; /* in a sample */
} workload;

typedef struct {
    const rod_variant *variant;
    simulation simulations[SCENES];
    double *samples[SCENES]; /* seconds per element x iteration, one for each round */
    clock_stats stats[SCENES];
    double bound; /* seconds per element x iteration at the measured peak, 0 if unknown */
} row;

typedef struct {
    rod_method method;
    workload workloads[SCENES];
    size_t rounds, rows;
    row *row;
} table;

static rod_status start_row(const table *t, row *r) {
    for (size_t i = 0; i < SCENES; i++) {
        simulation *s = &r->simulations[i];
        *s = (simulation){.scene = scene_named(t->workloads[i].scene),
                          .options = rod_options_default()};
        s->options.method = t->method;
        s->settings = scene_defaults(s->scene, t->method);
        s->settings.seed = 1;
        s->settings.rods = t->workloads[i].rods;
        s->settings.step.order = ROD_ORDER_SEQUENTIAL;
        s->options.variant = r->variant->name;
        r->samples[i] = malloc(t->rounds * sizeof(double));
        const rod_status status = r->samples[i] ? simulation_start(s) : ROD_E_MEMORY;
        if (status != ROD_OK)
            return status;
        simulation_step(s, 1);
    }
    return ROD_OK;
}

static rod_status start(table *t) {
    t->row = calloc(rod_variant_count(), sizeof *t->row);
    if (!t->row)
        return ROD_E_MEMORY;
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        if (!rod_variant_usable(v) || strcmp(v->method, rod_method_name(t->method)) != 0)
            continue;
        t->row[t->rows].variant = v;
        const rod_status status = start_row(t, &t->row[t->rows++]);
        if (status != ROD_OK)
            return status;
        progress_show("setting up variant", i + 1, rod_variant_count());
    }
    return ROD_OK;
}

static void finish(table *t) {
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < SCENES; j++) {
            simulation_finish(&t->row[i].simulations[j]);
            free(t->row[i].samples[j]);
        }
    free(t->row);
}

/* Variants take turns, so that what the machine does meanwhile falls on all alike. */
static void measure(table *t) {
    for (size_t round = 0; round < t->rounds; round++) {
        progress_show("round", round + 1, t->rounds);
        for (size_t i = 0; i < t->rows; i++)
            for (size_t j = 0; j < SCENES; j++) {
                simulation *s = &t->row[i].simulations[j];
                const size_t frames = t->workloads[j].frames;
                t->row[i].samples[j][round] =
                    simulation_step(s, frames) / (double)frames / simulation_element_iterations(s);
            }
    }
    progress_end();
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < SCENES; j++)
            t->row[i].stats[j] = clock_statistics(t->row[i].samples[j], t->rounds);
}

/* The peak of each ISA is measured once, in the same run. */
static void find_bounds(table *t) {
    for (size_t i = 0; i < rod_isa_count(); i++) {
        const rod_isa isa = rod_isa_at(i);
        const peak_rates rates = peak_measure(&isa);
        for (size_t j = 0; j < t->rows; j++)
            if (strcmp(t->row[j].variant->isa, isa.name) == 0)
                t->row[j].bound = peak_bound(t->row[j].variant, rates);
    }
}

static const row *textbook(const table *t) {
    for (size_t i = 0; i < t->rows; i++)
        if (strcmp(t->row[i].variant->layout, "textbook") == 0)
            return &t->row[i];
    return &t->row[0];
}

/* Bare reciprocal roots are not of full accuracy. */
static bool is_accurate(const row *r) {
    return strcmp(r->variant->norm, "bare") != 0;
}

static const row *fastest(const table *t) {
    const row *best = textbook(t);
    for (size_t i = 0; i < t->rows; i++)
        if (is_accurate(&t->row[i]) && t->row[i].stats[0].min < best->stats[0].min)
            best = &t->row[i];
    return best;
}

/* Differences below 5 % are noise on a shared machine: such variants are named together. */
static void find_fastest(grid *g, const table *t) {
    const double best = fastest(t)->stats[0].min;
    char names[1024] = "";
    for (size_t i = 0, length = 0; i < t->rows && length < sizeof names; i++)
        if (is_accurate(&t->row[i]) && t->row[i].stats[0].min <= 1.05 * best)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length > 0 ? ", " : "", t->row[i].variant->name);
    grid_finding(g,
                 "Fastest on many rods at full accuracy, %.1f times the textbook (within 5 %%, "
                 "which is noise): %s.",
                 textbook(t)->stats[0].min / best, names);
}

static void add_columns(grid *g) {
    grid_column(g, "name", "variant", "", GRID_TEXT);
    grid_column(g, "isa", "ISA", "", GRID_TEXT);
    grid_column(g, "native", "native", "", GRID_TEXT);
    grid_column(g, "layout", "layout", "", GRID_TEXT);
    grid_column(g, "norm", "norm", "", GRID_TEXT);
    grid_column(g, "weights", "weights", "", GRID_TEXT);
    grid_column(g, "many_min_ns", "many rods", "ns", GRID_DIGITS(3));
    grid_column(g, "many_median_ns", "median", "ns", GRID_DIGITS(3));
    grid_column(g, "many_times", "against textbook", "x", GRID_DIGITS(3));
    grid_column(g, "bound_ns", "FMA bound", "ns", GRID_DIGITS(3));
    grid_column(g, "bound_percent", "of bound", "%", GRID_DIGITS(3));
    grid_column(g, "one_min_ns", "one rod", "ns", GRID_DIGITS(3));
    grid_column(g, "one_median_ns", "median", "ns", GRID_DIGITS(3));
    grid_column(g, "one_times", "against textbook", "x", GRID_DIGITS(3));
}

static void add_row(grid *g, const table *t, const row *r) {
    const row *base = textbook(t);
    grid_row(g);
    grid_text(g, "name", r->variant->name);
    grid_text(g, "isa", r->variant->isa);
    grid_text(g, "native", rod_variant_isa(r->variant).native ? "yes" : "SIMDe");
    grid_text(g, "layout", r->variant->layout);
    grid_text(g, "norm", r->variant->norm);
    grid_text(g, "weights", r->variant->weights);
    grid_number(g, "many_min_ns", 1e9 * r->stats[0].min);
    grid_number(g, "many_median_ns", 1e9 * r->stats[0].median);
    grid_number(g, "many_times", base->stats[0].min / r->stats[0].min);
    if (r->bound > 0.0) {
        grid_number(g, "bound_ns", 1e9 * r->bound);
        grid_number(g, "bound_percent", 100.0 * r->bound / r->stats[0].min);
    }
    grid_number(g, "one_min_ns", 1e9 * r->stats[1].min);
    grid_number(g, "one_median_ns", 1e9 * r->stats[1].median);
    grid_number(g, "one_times", base->stats[1].min / r->stats[1].min);
}

static grid *grid_of(const table *t) {
    const scene_settings *many = &t->row[0].simulations[0].settings;
    const scene_settings *one = &t->row[0].simulations[1].settings;
    const char *method = rod_method_name(t->method);
    char name[64], title[128];
    snprintf(name, sizeof name, "variants-%s", method);
    snprintf(title, sizeof title, "Kernel variants of %s: time of an element and iteration",
             method);
    grid *g = grid_create(name, title);
    grid_note(g,
              "One core, sequential order, whole frames; minimum and median of %zu rounds in "
              "turns. Many: %zu strands of %zu elements, %zu iterations; one: a rod of %zu "
              "elements, %zu iterations.",
              t->rounds, many->rods, many->elements, many->step.iterations, one->elements,
              one->step.iterations);
    grid_note(g, "FMA bound: what the counted arithmetic would take at the peak of multiply-adds, "
                 "and of additions beside them, that was measured in this run. Bare variants are "
                 "not of full accuracy.");
    grid_extra_text(g, "method", method);
    grid_extra_number(g, "rounds", (double)t->rounds);
    grid_extra_number(g, "rods", (double)many->rods);
    grid_extra_number(g, "elements", (double)many->elements);
    grid_extra_number(g, "iterations", (double)many->step.iterations);
    add_columns(g);
    for (size_t i = 0; i < t->rows; i++)
        add_row(g, t, &t->row[i]);
    find_fastest(g, t);
    return g;
}

/* Every variant holds its own strands while they take turns. */
static bool fits_memory(size_t rods) {
    scene_settings settings = scene_named("hair")->defaults;
    settings.rods = rods * rod_variant_count();
    machine_info machine;
    machine_read(&machine);
    return machine.memory_bytes == 0 || simulation_bytes(&settings) < (double)machine.memory_bytes;
}

int table_variants(rod_method method, size_t rods, size_t rounds, const output *shown) {
    if (!fits_memory(rods))
        return options_complain("table",
                                "--rods '%zu': all variants at once do not fit into this "
                                "machine's memory; fewer are accepted",
                                rods);
    table t = {.method = method,
               .workloads = {{"hair", rods, 1}, {"cantilever", 1, 100}},
               .rounds = rounds};
    const rod_status status = start(&t);
    int code = EXIT_WRONG_USAGE;
    if (status == ROD_OK) {
        find_bounds(&t);
        measure(&t);
        grid *g = grid_of(&t);
        code = output_grids("table", shown, &g, 1);
        grid_destroy(g);
    } else {
        options_complain("table", "%s", rod_status_text(status));
    }
    finish(&t);
    return code;
}
