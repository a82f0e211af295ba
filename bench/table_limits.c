/* `rodbench table limits`: how near the kernels come to what the hardware allows. */

#include "peak.h"
#include "tables.h"
#include "workloads.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- limits */

static void add_columns(grid *g) {
    grid_column(g, "key", "key", "", GRID_TEXT);
    grid_column(g, "workload", "workload", "", GRID_TEXT);
    grid_column(g, "variant", "fastest variant", "", GRID_TEXT);
    grid_column(g, "order", "order", "", GRID_TEXT);
    grid_column(g, "min_us", "time", "us", GRID_DIGITS(3));
    grid_column(g, "median_us", "median", "us", GRID_DIGITS(3));
    grid_column(g, "ns", "each", "ns", GRID_DIGITS(3));
    grid_column(g, "median_ns", "median", "ns", GRID_DIGITS(3));
    grid_column(g, "bound_percent", "of bound", "%", GRID_DIGITS(3));
    grid_column(g, "times", "against", "x", GRID_DIGITS(3));
    grid_column(g, "median_times", "median", "x", GRID_DIGITS(3));
    grid_column(g, "gigabytes_a_second", "moved", "GB/s", GRID_DIGITS(3));
}

static void add_result(grid *g, const workload_result *r) {
    const workload *w = r->workload;
    const size_t iterations = w->more_iterations > 0 ? 1 : w->iterations;
    const double items = (double)(w->rods * w->elements * iterations);
    grid_row(g);
    grid_text(g, "key", w->key);
    grid_text(g, "workload", w->what);
    if (!r->variant) {
        grid_text(g, "variant", "not on this CPU");
        return;
    }
    grid_text(g, "variant", r->variant->name);
    grid_text(g, "order", rod_order_name(r->order));
    grid_number(g, "min_us", 1e6 * r->seconds_min);
    grid_number(g, "median_us", 1e6 * r->seconds_median);
    grid_number(g, "ns", 1e9 * r->seconds_min / items);
    grid_number(g, "median_ns", 1e9 * r->seconds_median / items);
    if (r->bound > 0.0)
        grid_number(g, "bound_percent", 100.0 * r->bound / r->seconds_min);
    if (r->against_min > 0.0) {
        grid_number(g, "times", r->against_min / r->seconds_min);
        grid_number(g, "median_times", r->against_median / r->seconds_median);
    }
    if (w->more_iterations == 0)
        grid_number(g, "gigabytes_a_second", 1e-9 * r->bytes / r->seconds_min);
}

static void add_limit_notes(grid *g, size_t rounds) {
    grid_note(g,
              "float32, reciprocal roots of one Newton step, one core unless said; minimum and "
              "median of %zu rounds in turns, each in other memory; a round is the shortest of %d "
              "turns. time: a frame, or one "
              "iteration of the whole batch, "
              "which is the difference of frames of 50 and of 10 iterations. each: the same for "
              "one element and iteration.",
              rounds, (int)WORKLOADS_TURNS);
    grid_note(g,
              "of bound: what the counted arithmetic would take at the peak of multiply-adds, "
              "and of additions beside them, that was measured in this run (rodbench info), of a "
              "whole frame with prediction and update; kernels for one rod are not counted. "
              "against: scalar textbook in "
              "sequential order, for general weights the same kernel for uniform ones, for two "
              "threads one. moved: all that is resident read and the state written once a frame.");
    grid_extra_number(g, "rounds", (double)rounds);
}

int table_limits(const char *only, size_t rounds, const output *shown) {
    if (only && !workload_named(only))
        return options_complain("table",
                                "unknown workload '%s'; accepted: a key of `rodbench table "
                                "limits`, for instance strands-47000",
                                only);
    workload_result *results = calloc(workloads_count(), sizeof *results);
    const rod_status status = results ? workloads_run(results, rounds, only) : ROD_E_MEMORY;
    if (status != ROD_OK) {
        free(results);
        return options_complain("table", "%s", rod_status_text(status));
    }
    grid *g = grid_create("limits", "How near to the limits of the hardware");
    add_columns(g);
    for (size_t i = 0; i < workloads_count(); i++)
        if (results[i].workload)
            add_result(g, &results[i]);
    add_limit_notes(g, rounds);
    free(results);
    const int code = output_grids("table", shown, &g, 1);
    grid_destroy(g);
    return code;
}
