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

enum { SCENES = 2, MAX_ROUNDS = 1000, MAX_RODS = 1000000 };

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
        const double rate = peak_rate(&isa);
        for (size_t j = 0; j < t->rows; j++)
            if (strcmp(t->row[j].variant->isa, isa.name) == 0)
                t->row[j].bound = peak_bound(t->row[j].variant, rate);
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
static void print_fastest(const table *t) {
    const double best = fastest(t)->stats[0].min;
    printf(
        "\nfastest on %s at full accuracy, %.1f times the textbook (within 5 %%, which is noise):",
        t->workloads[0].scene, textbook(t)->stats[0].min / best);
    for (size_t i = 0; i < t->rows; i++)
        if (is_accurate(&t->row[i]) && t->row[i].stats[0].min <= 1.05 * best)
            printf(" %s", t->row[i].variant->name);
    putchar('\n');
}

static void print_table(const table *t) {
    const row *base = textbook(t);
    machine_info machine;
    machine_read(&machine);
    printf("%s, %s, commit %s\n", machine.cpu, machine.compiler, machine_commit());
    printf(
        "ns per element x iteration, one core, sequential order, %zu rounds in turns; times is "
        "the ratio of the\nminima to the textbook's; bound is the share of the measured FMA peak "
        "that the body's arithmetic reaches\n\n",
        t->rounds);
    printf("%-36s", "");
    for (size_t j = 0; j < SCENES; j++) {
        const simulation *s = &base->simulations[j];
        char title[64];
        snprintf(title, sizeof title, "%s %zu x %zu x %zu", s->scene->name, s->settings.rods,
                 s->settings.elements, s->settings.step.iterations);
        printf("   %-*s", j == 0 ? 29 : 22, title);
    }
    printf("\n%-36s   %6s %8s %6s %6s   %6s %8s %6s\n", "variant", "min", "median", "times",
           "bound", "min", "median", "times");
    for (size_t i = 0; i < t->rows; i++) {
        const row *r = &t->row[i];
        char bound[16] = "-";
        if (r->bound > 0.0)
            snprintf(bound, sizeof bound, "%.0f %%", 100.0 * r->bound / r->stats[0].min);
        printf("%-36s   %6.2f %8.2f %6.2f %6s   %6.2f %8.2f %6.2f\n", r->variant->name,
               1e9 * r->stats[0].min, 1e9 * r->stats[0].median,
               base->stats[0].min / r->stats[0].min, bound, 1e9 * r->stats[1].min,
               1e9 * r->stats[1].median, base->stats[1].min / r->stats[1].min);
    }
    print_fastest(t);
}

static void write_stats(json_writer *w, const char *key, const clock_stats *s) {
    json_begin_object(w, key);
    json_number(w, "min", 1e9 * s->min);
    json_number(w, "median", 1e9 * s->median);
    json_end_object(w);
}

static void write_table(const table *t) {
    machine_info machine;
    machine_read(&machine);
    json_writer w = json_writer_to(stdout);
    json_begin_object(&w, NULL);
    json_string(&w, "table", "variants");
    json_string(&w, "method", rod_method_name(t->method));
    json_string(&w, "cpu", machine.cpu);
    json_string(&w, "slug", machine.slug);
    json_string(&w, "compiler", machine.compiler);
    json_string(&w, "commit", machine_commit());
    json_string(&w, "unit", "ns per element x iteration");
    json_unsigned(&w, "rounds", t->rounds);
    json_begin_array(&w, "workloads");
    for (size_t j = 0; j < SCENES; j++) {
        const scene_settings *s = &t->row[0].simulations[j].settings;
        json_begin_object(&w, NULL);
        json_string(&w, "scene", t->workloads[j].scene);
        json_unsigned(&w, "rods", s->rods);
        json_unsigned(&w, "elements", s->elements);
        json_unsigned(&w, "iterations", s->step.iterations);
        json_string(&w, "order", simulation_order_name(s->step.order));
        json_end_object(&w);
    }
    json_end_array(&w);
    json_begin_array(&w, "variants");
    for (size_t i = 0; i < t->rows; i++) {
        json_begin_object(&w, NULL);
        json_string(&w, "name", t->row[i].variant->name);
        json_string(&w, "isa", t->row[i].variant->isa);
        json_bool(&w, "native", rod_variant_isa(t->row[i].variant).native);
        for (size_t j = 0; j < SCENES; j++)
            write_stats(&w, t->workloads[j].scene, &t->row[i].stats[j]);
        if (t->row[i].bound > 0.0)
            json_number(&w, "bound", 1e9 * t->row[i].bound);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
}

/* Every variant holds its own strands while they take turns. */
static bool fits_memory(size_t rods) {
    scene_settings settings = scene_named("hair")->defaults;
    settings.rods = rods * rod_variant_count();
    machine_info machine;
    machine_read(&machine);
    return machine.memory_bytes == 0 || simulation_bytes(&settings) < (double)machine.memory_bytes;
}

int table_variants(rod_method method, size_t rods, size_t rounds, bool json) {
    if (!fits_memory(rods))
        return options_complain("table",
                                "--rods '%zu': all variants at once do not fit into this "
                                "machine's memory; fewer are accepted",
                                rods);
    table t = {.method = method,
               .workloads = {{"hair", rods, 1}, {"cantilever", 1, 100}},
               .rounds = rounds};
    const rod_status status = start(&t);
    if (status == ROD_OK) {
        find_bounds(&t);
        measure(&t);
        if (json)
            write_table(&t);
        else
            print_table(&t);
    }
    finish(&t);
    return status == ROD_OK ? EXIT_DONE : options_complain("table", "%s", rod_status_text(status));
}
