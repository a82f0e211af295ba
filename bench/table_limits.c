/* `rodbench table limits`: how near the kernels come to what the hardware allows, and
 * `rodbench table scaling`: what a rod costs among more and more of them. */

#include "operations.h"
#include "peak.h"
#include "tables.h"
#include "workloads.h"

#include <math.h>
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

/* Each frame reads all that is resident and writes the state: 13 floats for an element of a
 * quaternion rod, and PBER has as many. */
static double bytes_moved(const workload_result *r) {
    const workload *w = r->workload;
    return (double)r->resident_bytes + 13.0 * sizeof(float) * (double)(w->rods * w->elements);
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
    grid_text(g, "order", simulation_order_name(r->order));
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
        grid_number(g, "gigabytes_a_second", 1e-9 * bytes_moved(r) / r->seconds_min);
}

static void add_limit_notes(grid *g, size_t rounds) {
    grid_note(g,
              "float32, reciprocal roots of one Newton step, one core unless said; minimum and "
              "median of %zu rounds in turns. time: a frame, or one iteration of the whole batch, "
              "which is the difference of frames of 50 and of 10 iterations. each: the same for "
              "one element and iteration.",
              rounds);
    grid_note(g,
              "of bound: what the counted arithmetic would take at the peak of multiply-adds "
              "that was measured in this run (rodbench info), of a whole frame with prediction "
              "and update; kernels for one rod are not counted. against: scalar textbook in "
              "sequential order, for general weights the same kernel for uniform ones, for two "
              "threads one. moved: all that is resident read and the state written once a frame.");
    grid_extra_number(g, "rounds", (double)rounds);
}

int table_limits(size_t rounds, const output *shown) {
    workload_result *results = calloc(workloads_count(), sizeof *results);
    const rod_status status = results ? workloads_run(results, rounds) : ROD_E_MEMORY;
    if (status != ROD_OK) {
        free(results);
        return options_complain("table", "%s", rod_status_text(status));
    }
    grid *g = grid_create("limits", "How near to the limits of the hardware");
    add_columns(g);
    for (size_t i = 0; i < workloads_count(); i++)
        add_result(g, &results[i]);
    add_limit_notes(g, rounds);
    free(results);
    const int code = output_grids("table", shown, &g, 1);
    grid_destroy(g);
    return code;
}

/* ---------------------------------------------------------------- scaling */

enum { STRAND_ELEMENTS = 20, STRAND_ITERATIONS = 10, SIZES = 7 };

static const size_t sizes[SIZES] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};

static rod_status time_strands(size_t rods, size_t rounds, clock_stats *frame, size_t *bytes) {
    contest c = {0};
    const contest_entry e = {.scene = scene_named("hair"),
                             .variant = rod_variant_default(ROD_METHOD_QUATERNION, rods),
                             .order = rod_default_order(ROD_METHOD_QUATERNION),
                             .rods = rods,
                             .elements = STRAND_ELEMENTS,
                             .iterations = STRAND_ITERATIONS};
    contest_add(&c, &e, NULL);
    contest_run(&c, rounds, "strands");
    if (c.status == ROD_OK) {
        *frame = c.entry[0].frame;
        *bytes = rod_resident_bytes(c.entry[0].simulation.batch);
    }
    const rod_status status = c.status;
    contest_finish(&c);
    return status;
}

static double each_of(size_t rods, double seconds) {
    return seconds / ((double)rods * STRAND_ELEMENTS * STRAND_ITERATIONS);
}

static void add_size(grid *g, size_t rods, size_t bytes, const clock_stats *frame) {
    grid_row(g);
    grid_number(g, "rods", (double)rods);
    grid_number(g, "megabytes", 1e-6 * (double)bytes);
    grid_number(g, "min_ms", 1e3 * frame->min);
    grid_number(g, "median_ms", 1e3 * frame->median);
    grid_number(g, "ns", 1e9 * each_of(rods, frame->min));
    grid_number(g, "median_ns", 1e9 * each_of(rods, frame->median));
}

static grid *scaling_grid(size_t rounds) {
    grid *g = grid_create("scaling", "Cost of an element and iteration among more and more rods");
    grid_column(g, "rods", "rods", "", GRID_GIVEN);
    grid_column(g, "megabytes", "resident", "MB", GRID_DIGITS(3));
    grid_column(g, "min_ms", "frame", "ms", GRID_DIGITS(3));
    grid_column(g, "median_ms", "median", "ms", GRID_DIGITS(3));
    grid_column(g, "ns", "each", "ns", GRID_DIGITS(3));
    grid_column(g, "median_ns", "median", "ns", GRID_DIGITS(3));
    grid_note(g,
              "Strands of %d elements, %d iterations, one core, %s; minimum and median of %zu "
              "frames, one size after the other. Caches end where the cost rises: rodbench info "
              "has their sizes.",
              STRAND_ELEMENTS, STRAND_ITERATIONS,
              rod_variant_default(ROD_METHOD_QUATERNION, sizes[0])->name, rounds);
    return g;
}

int table_scaling(size_t rounds, const output *shown) {
    grid *g = scaling_grid(rounds);
    double least = INFINITY, most = 0.0;
    rod_status status = ROD_OK;
    for (size_t i = 0; i < SIZES && status == ROD_OK; i++) {
        clock_stats frame = {0};
        size_t bytes = 0;
        status = time_strands(sizes[i], rounds, &frame, &bytes);
        least = fmin(least, each_of(sizes[i], frame.min));
        most = fmax(most, each_of(sizes[i], frame.min));
        if (status == ROD_OK)
            add_size(g, sizes[i], bytes, &frame);
    }
    grid_finding(g, "Between %zu and %zu strands the dearest costs %.2f times the cheapest.",
                 sizes[0], sizes[SIZES - 1], most / least);
    const int code = status == ROD_OK ? output_grids("table", shown, &g, 1)
                                      : options_complain("table", "%s", rod_status_text(status));
    grid_destroy(g);
    return code;
}
