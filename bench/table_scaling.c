/* `rodbench table scaling`: what a rod costs among more and more of them, and on more threads. */

#include "contest.h"
#include "machine.h"
#include "placements.h"
#include "progress.h"
#include "tables.h"

#include <math.h>

enum {
    STRAND_ELEMENTS = 20,
    STRAND_ITERATIONS = 10,
    SIZES = 10,
    MANY_RODS = 100000,
    MOST_COUNTS = 12
};

/* From here on a batch is filled, and its cost is what goals are set for. */
enum { FEWEST_OF_MANY = 1000 };

static const size_t sizes[SIZES] = {1,     10,    100,    1000,   3000,
                                    10000, 30000, 100000, 300000, TABLE_MOST_RODS};

typedef struct {
    size_t rods, threads, bytes;
    clock_stats frame; /* seconds */
    double times;      /* as fast as on one thread; 0: not asked */
} measurement;

static contest_entry entry_of(const measurement *m) {
    return (contest_entry){.scene = scene_named("hair"),
                           .variant =
                               simulation_variant(ROD_METHOD_QUATERNION, m->rods, STRAND_ELEMENTS),
                           .order = rod_default_order(ROD_METHOD_QUATERNION),
                           .rods = m->rods,
                           .elements = STRAND_ELEMENTS,
                           .iterations = STRAND_ITERATIONS,
                           .threads = m->threads};
}

/* In one memory: a million rods take seconds to build. */
static rod_status measure_alone(measurement *m, size_t rounds) {
    contest c = {0};
    const contest_entry e = entry_of(m);
    contest_add(&c, &e, NULL);
    contest_run(&c, rounds, "strands");
    if (c.status == ROD_OK) {
        m->frame = c.entry[0].frame;
        m->bytes = rod_resident_bytes(c.entry[0].simulation.batch);
    }
    const rod_status status = c.status;
    contest_finish(&c);
    return status;
}

/* In turns, each round in other memory, so that they can be compared. */
static rod_status measure_together(measurement *m, size_t count, size_t rounds) {
    placements *p = placements_create(count);
    rod_status status = p ? ROD_OK : ROD_E_MEMORY;
    for (size_t i = 0; p && i < count; i++) {
        const contest_entry e = entry_of(&m[i]);
        placements_add(p, &e);
    }
    for (size_t round = 0; status == ROD_OK && round < rounds; round++) {
        progress_show("threads", round, rounds);
        status = placements_round(p, 1);
    }
    progress_end();
    for (size_t i = 0; status == ROD_OK && i < count; i++) {
        m[i].frame = placements_statistics(p, i);
        m[i].bytes = p->entry[i].resident_bytes;
    }
    placements_finish(p);
    return status;
}

static double each_of(const measurement *m, double seconds) {
    return seconds / ((double)m->rods * STRAND_ELEMENTS * STRAND_ITERATIONS);
}

static void add(grid *g, const measurement *m) {
    grid_row(g);
    grid_number(g, "rods", (double)m->rods);
    grid_number(g, "threads", (double)m->threads);
    grid_text(g, "variant",
              simulation_variant(ROD_METHOD_QUATERNION, m->rods, STRAND_ELEMENTS)->name);
    grid_number(g, "megabytes", 1e-6 * (double)m->bytes);
    grid_number(g, "min_ms", 1e3 * m->frame.min);
    grid_number(g, "median_ms", 1e3 * m->frame.median);
    grid_number(g, "ns", 1e9 * each_of(m, m->frame.min));
    grid_number(g, "median_ns", 1e9 * each_of(m, m->frame.median));
    if (m->times > 0.0)
        grid_number(g, "times", m->times);
}

static grid *create(size_t rounds) {
    grid *g = grid_create("scaling", "Cost of an element and iteration among more and more rods");
    grid_column(g, "rods", "rods", "", GRID_GIVEN);
    grid_column(g, "threads", "threads", "", GRID_GIVEN);
    grid_column(g, "variant", "variant", "", GRID_TEXT);
    grid_column(g, "megabytes", "resident", "MB", GRID_DIGITS(3));
    grid_column(g, "min_ms", "frame", "ms", GRID_DIGITS(3));
    grid_column(g, "median_ms", "median", "ms", GRID_DIGITS(3));
    grid_column(g, "ns", "each", "ns", GRID_DIGITS(3));
    grid_column(g, "median_ns", "median", "ns", GRID_DIGITS(3));
    grid_column(g, "times", "against one thread", "x", GRID_DIGITS(3));
    grid_note(
        g,
        "Strands of %d elements, %d iterations, the default variant; minimum and median of "
        "%zu samples, one size after the other. One thread is timed by its CPU time, several "
        "by the time that passes; against one thread: the same rods, in turns with them, each "
        "round in other memory. Caches end where the cost rises: rodbench info has their sizes.",
        STRAND_ELEMENTS, STRAND_ITERATIONS, rounds);
    grid_extra_number(g, "rounds", (double)rounds);
    return g;
}

/* One thread, more and more rods. */
static rod_status add_sizes(grid *g, size_t most, size_t rounds) {
    double cheapest = INFINITY, dearest = 0.0;
    rod_status status = ROD_OK;
    size_t last = 0;
    for (size_t i = 0; i < SIZES && sizes[i] <= most && status == ROD_OK; i++) {
        measurement m = {.rods = sizes[i], .threads = 1};
        status = measure_alone(&m, rounds);
        if (status != ROD_OK)
            break;
        add(g, &m);
        last = m.rods;
        if (m.rods >= FEWEST_OF_MANY) {
            cheapest = fmin(cheapest, each_of(&m, m.frame.min));
            dearest = fmax(dearest, each_of(&m, m.frame.min));
        }
    }
    if (status == ROD_OK && last > FEWEST_OF_MANY)
        grid_finding(g, "Between %d and %zu strands the dearest costs %.2f times the cheapest.",
                     FEWEST_OF_MANY, last, dearest / cheapest);
    return status;
}

/* 1, 2, 4, ... and all that there are. Returns how many. */
static size_t thread_counts(size_t cores, size_t rods, measurement m[MOST_COUNTS]) {
    size_t count = 0;
    for (size_t threads = 1; threads < cores && count < MOST_COUNTS - 1; threads *= 2)
        m[count++] = (measurement){.rods = rods, .threads = threads};
    m[count++] = (measurement){.rods = rods, .threads = cores};
    return count;
}

static rod_status add_threads(grid *g, size_t most, size_t rounds) {
    machine_info machine;
    machine_read(&machine);
    const size_t cores =
        machine.cores_online < ROD_MAX_THREADS ? machine.cores_online : ROD_MAX_THREADS;
    measurement m[MOST_COUNTS];
    if (cores < 2)
        return ROD_OK;
    const size_t count = thread_counts(cores, most < MANY_RODS ? most : MANY_RODS, m);
    const rod_status status = measure_together(m, count, rounds);
    for (size_t i = 1; status == ROD_OK && i < count; i++) {
        m[i].times = m[0].frame.min / m[i].frame.min;
        add(g, &m[i]);
    }
    if (status == ROD_OK)
        grid_finding(g, "%zu strands on %zu threads run %.2f times as fast as on one.", m[0].rods,
                     cores, m[count - 1].times);
    return status;
}

int table_scaling(size_t most, size_t rounds, const output *shown) {
    grid *g = create(rounds);
    rod_status status = add_sizes(g, most, rounds);
    if (status == ROD_OK)
        status = add_threads(g, most, rounds);
    const int code = status == ROD_OK ? output_grids("table", shown, &g, 1)
                                      : options_complain("table", "%s", rod_status_text(status));
    grid_destroy(g);
    return code;
}
