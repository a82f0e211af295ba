/* `rodbench table chosen`: what batches get by default, beside the fastest variants. */

#include "choice.h"
#include "clock.h"
#include "progress.h"
#include "simulation.h"
#include "tables.h"
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = ROD_CLASSES / ROD_ACCURACIES };

static const double seconds_in_all = 100.0;

/* ---------------------------------------------------------------- a call */

/* Seconds of a call of rod_step that simulates so many frames. */
static double time_calls(rod_batch *batch, size_t frames) {
    enum { CALLS = 2000 };
    rod_step_settings settings = rod_step_defaults();
    settings.frames = frames;
    settings.iterations = 1;
    const double start = clock_thread_seconds();
    for (size_t i = 0; i < CALLS; i++)
        rod_step(batch, &settings);
    return (clock_thread_seconds() - start) / CALLS;
}

/* What a call takes beside its frames: one frame in a call, less the difference of two and one. The
 * frames are the shortest there are, of one element. NaN on failure. */
static double dispatch_seconds(void) {
    enum { ROUNDS = 41 };
    rod_batch *batch;
    double beside[ROUNDS];
    if (rod_create(&batch, 1, 1, NULL) != ROD_OK)
        return NAN;
    for (size_t i = 0; i < ROUNDS; i++)
        beside[i] = 2.0 * time_calls(batch, 1) - time_calls(batch, 2);
    rod_destroy(batch);
    return clock_statistics(beside, ROUNDS).median;
}

/* ---------------------------------------------------------------- choices */

static void add_columns(grid *g) {
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "shape", "shape", "", GRID_TEXT);
    grid_column(g, "order", "order", "", GRID_TEXT);
    grid_column(g, "variant", "chosen", "", GRID_TEXT);
    grid_column(g, "source", "by", "", GRID_TEXT);
    grid_column(g, "ns", "time", "ns", GRID_DIGITS(3));
    grid_column(g, "fastest", "fastest", "", GRID_TEXT);
    grid_column(g, "fastest_ns", "time", "ns", GRID_DIGITS(3));
    grid_column(g, "behind", "behind", "%", GRID_DIGITS(2));
    grid_column(g, "behind_low", "at least", "%", GRID_DIGITS(2));
    grid_column(g, "behind_high", "at most", "%", GRID_DIGITS(2));
}

static double percent(double ratio) {
    return 100.0 * (ratio - 1.0);
}

static void add_row(grid *g, const rod_class *c, const rod_choice *choice, const tune_result *r) {
    const double items = r->element_iterations;
    grid_row(g);
    grid_text(g, "method", rod_method_name(c->method));
    grid_text(g, "shape", rod_shape_class_name(c->shape));
    grid_text(g, "order", rod_order_name(c->order));
    grid_text(g, "variant", choice->variant->name);
    grid_text(g, "source", strncmp(choice->reason, "tuned", 5) == 0 ? "tuned" : "default");
    if (r->places == 0 || !r->watched.variant)
        return;
    grid_number(g, "ns", 1e9 * r->watched.seconds / items);
    grid_text(g, "fastest", r->place[0].variant->name);
    grid_number(g, "fastest_ns", 1e9 * r->place[0].seconds / items);
    grid_number(g, "behind", percent(r->watched.against.ratio));
    grid_number(g, "behind_low", percent(r->watched.against.low));
    grid_number(g, "behind_high", percent(r->watched.against.high));
}

static rod_status add_rows(grid *g, const bool *verified) {
    const double end = clock_wall_seconds() + seconds_in_all;
    rod_status status = ROD_OK;
    for (size_t slot = 0; status == ROD_OK && slot < SLOTS; slot++) {
        const rod_class c = rod_class_at(slot * ROD_ACCURACIES);
        const tune_workload w = tune_workload_of(c.shape, false);
        const rod_choice choice = rod_choose(&c, w.rods);
        const double now = clock_wall_seconds();
        tune_result results[ROD_ACCURACIES];
        progress_show("chosen", slot, SLOTS);
        if (!choice.variant)
            status = ROD_E_UNUSABLE;
        else
            status = tune_measure(&c, &w, verified, choice.variant,
                                  now + (end - now) / (double)(SLOTS - slot), results);
        if (status == ROD_OK)
            add_row(g, &c, &choice, &results[ROD_ACCURACY_FULL]);
    }
    progress_end();
    return status;
}

int table_chosen(const output *shown) {
    const double dispatch = 1e9 * dispatch_seconds();
    size_t failed = 0;
    bool *verified = calloc(rod_variant_count(), sizeof *verified);
    grid *g = grid_create("chosen", "What batches get by default, beside the fastest variants");
    add_columns(g);
    rod_status status = verified && tune_verify(10, verified, &failed) ? ROD_OK : ROD_E_MEMORY;
    if (status == ROD_OK)
        status = add_rows(g, verified);
    grid_note(g,
              "Full accuracy, one core, workloads of `rodbench tune`. time: of an element and "
              "iteration, in the middle of 12 memories or more. behind: how much longer the chosen "
              "variant takes than the fastest, measured in turns; with 95 %% confidence at least "
              "and at most.");
    grid_finding(g, "A call of rod_step takes %.1f ns beside its frames.", dispatch);
    grid_extra_number(g, "dispatch_ns", dispatch);
    const int code = status == ROD_OK ? output_grids("table", shown, &g, 1)
                                      : options_complain("table", "%s", rod_status_text(status));
    grid_destroy(g);
    free(verified);
    return code;
}
