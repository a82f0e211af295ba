#include "workloads.h"

#include "peak.h"
#include "placements.h"
#include "progress.h"
#include "roofline.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Few enough rods for the second level of any cache, and a multiple of what kernels take at once.
 */
enum { CACHED_RODS = 64, CHOOSING_ROUNDS = 9 };

/* A large batch takes longer to build than to time: who is far behind on few rods gets none. */
enum { TRIAL_RODS = 1024, TRIAL_ROUNDS = 3 };
static const double trial_limit = 1.5;

static const workload workloads[] = {
    {"batch-avx512", "64 rods x 50, one iteration, AVX-512", ROD_METHOD_QUATERNION, "avx512",
     "uniform", "sequential bilateral", "hair", CACHED_RODS, 50, 10, 50, 1, AGAINST_TEXTBOOK},
    {"batch-avx2", "64 rods x 50, one iteration, AVX2", ROD_METHOD_QUATERNION, "avx2", "uniform",
     "sequential bilateral", "hair", CACHED_RODS, 50, 10, 50, 1, AGAINST_TEXTBOOK},
    {"rods-10000", "10,000 rods x 50 x 10, a frame", ROD_METHOD_QUATERNION, NULL, "uniform",
     "sequential bilateral", "hair", 10000, 50, 10, 0, 1, AGAINST_NOTHING},
    {"strands-47000", "47,000 strands x 20 x 2, a frame", ROD_METHOD_QUATERNION, NULL, "uniform",
     "sequential bilateral", "hair", 47000, 20, 2, 0, 1, AGAINST_NOTHING},
    {"strands-200", "200 strands x 20 x 2, a frame", ROD_METHOD_QUATERNION, NULL, "uniform",
     "sequential bilateral", "hair", 200, 20, 2, 0, 1, AGAINST_NOTHING},
    {"one-redblack-2", "one rod, red-black, 50 x 2", ROD_METHOD_QUATERNION, NULL, NULL, "redblack",
     "helix", 1, 50, 2, 0, 1, AGAINST_TEXTBOOK},
    {"one-redblack-10", "one rod, red-black, 50 x 10", ROD_METHOD_QUATERNION, NULL, NULL,
     "redblack", "helix", 1, 50, 10, 0, 1, AGAINST_TEXTBOOK},
    {"one-redblack-80", "one rod, red-black, 50 x 80", ROD_METHOD_QUATERNION, NULL, NULL,
     "redblack", "helix", 1, 50, 80, 0, 1, AGAINST_TEXTBOOK},
    {"one-bilateral-10", "one rod, bilateral, 50 x 10", ROD_METHOD_QUATERNION, NULL, NULL,
     "bilateral", "helix", 1, 50, 10, 0, 1, AGAINST_TEXTBOOK},
    {"long-redblack", "one rod, red-black, 1000 x 50", ROD_METHOD_QUATERNION, NULL, NULL,
     "redblack", "helix", 1, 1000, 50, 0, 1, AGAINST_TEXTBOOK},
    {"long-exact", "one rod, sequential or bilateral, 1000 x 50", ROD_METHOD_QUATERNION, NULL, NULL,
     "sequential bilateral", "helix", 1, 1000, 50, 0, 1, AGAINST_TEXTBOOK},
    {"pber-avx512", "PBER, 64 rods x 50, one iteration, AVX-512", ROD_METHOD_PBER, "avx512",
     "uniform", "cross", "hair", CACHED_RODS, 50, 10, 50, 1, AGAINST_NOTHING},
    {"general-avx512", "general weights, 64 rods x 50, one iteration, AVX-512",
     ROD_METHOD_QUATERNION, "avx512", "general", "sequential bilateral", "hair", CACHED_RODS, 50,
     10, 50, 1, AGAINST_UNIFORM},
    {"threads-2", "10,000 rods x 50 x 10, two threads", ROD_METHOD_QUATERNION, NULL, "uniform",
     "sequential bilateral", "hair", 10000, 50, 10, 0, 2, AGAINST_ONE_THREAD},
};

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

size_t workloads_count(void) {
    return WORKLOADS;
}

const workload *workload_named(const char *key) {
    for (size_t i = 0; i < WORKLOADS; i++)
        if (strcmp(workloads[i].key, key) == 0)
            return &workloads[i];
    return NULL;
}

/* ---------------------------------------------------------------- choosing */

static bool is_candidate(const workload *w, const rod_variant *v) {
    const rod_isa isa = rod_variant_isa(v);
    return isa.usable && isa.native && strcmp(v->method, rod_method_name(w->method)) == 0 &&
           strcmp(v->norm, "newton") == 0 && strcmp(v->layout, "aos") != 0 &&
           (!w->isa || strcmp(v->isa, w->isa) == 0) &&
           (!w->weights || strcmp(v->weights, w->weights) == 0);
}

static contest_entry entry_of(const workload *w, const rod_variant *v, rod_order order) {
    return (contest_entry){.scene = scene_named(w->scene),
                           .variant = v,
                           .order = order,
                           .rods = w->rods,
                           .elements = w->elements,
                           .iterations = w->iterations,
                           .threads = w->threads};
}

static void add_candidate(contest *c, const workload *w, const rod_variant *v, rod_order order,
                          size_t rods) {
    contest_entry e = entry_of(w, v, order);
    e.rods = rods;
    if (w->more_iterations > 0)
        e.iterations = w->more_iterations;
    contest_add(c, &e, NULL);
}

static void add_candidates(contest *c, const workload *w, const rod_variant *v) {
    for (rod_order order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++)
        if (strstr(w->orders, rod_order_name(order)))
            add_candidate(c, w, v, order, w->rods < TRIAL_RODS ? w->rods : TRIAL_RODS);
}

static const rod_variant *variant_of(const contestant *e) {
    return rod_variant_named(e->simulation.options.variant);
}

static const contestant *fastest(const contest *c) {
    const contestant *best = NULL;
    for (size_t i = 0; c->status == ROD_OK && i < c->count; i++)
        if (!best || c->entry[i].frame.min < best->frame.min)
            best = &c->entry[i];
    return best;
}

/* Those who are near the fastest of all on few rods. */
static void add_finalists(contest *final, const workload *w) {
    contest trial = {0};
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (is_candidate(w, rod_variant_at(i)))
            add_candidates(&trial, w, rod_variant_at(i));
    contest_run(&trial, TRIAL_ROUNDS, w->what);
    const contestant *best = fastest(&trial);
    for (size_t i = 0; best && i < trial.count; i++) {
        const contestant *e = &trial.entry[i];
        if (e->frame.min <= trial_limit * best->frame.min)
            add_candidate(final, w, variant_of(e), e->simulation.settings.step.order, w->rods);
    }
    if (trial.status != ROD_OK)
        final->status = trial.status;
    contest_finish(&trial);
}

static rod_status choose(workload_result *r, size_t rounds) {
    contest c = {0};
    add_finalists(&c, r->workload);
    contest_run(&c, rounds < CHOOSING_ROUNDS ? rounds : CHOOSING_ROUNDS, r->workload->what);
    const contestant *best = fastest(&c);
    if (best) {
        r->variant = variant_of(best);
        r->order = best->simulation.settings.step.order;
        r->bytes = roofline_frame_bytes(&best->simulation);
    }
    const rod_status status = c.status;
    contest_finish(&c);
    return status;
}

/* ---------------------------------------------------------------- measuring */

/* Indices of entries: of a frame and, where one iteration is asked for, of a longer one. */
typedef struct {
    size_t frame, longer;
} places;

static size_t enter_one(placements *p, const contest_entry *e) {
    placements_add(p, e);
    return p->count - 1;
}

static places enter(placements *p, const workload *w, contest_entry e) {
    places at = {enter_one(p, &e), SIZE_MAX};
    if (w->more_iterations > 0) {
        e.iterations = w->more_iterations;
        at.longer = enter_one(p, &e);
    }
    return at;
}

/* Differs in weights only. */
static const rod_variant *uniform_sibling(const rod_variant *v) {
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *u = rod_variant_at(i);
        if (strcmp(u->method, v->method) == 0 && strcmp(u->isa, v->isa) == 0 &&
            strcmp(u->layout, v->layout) == 0 && u->unroll == v->unroll &&
            strcmp(u->norm, v->norm) == 0 && strcmp(u->weights, "uniform") == 0)
            return u;
    }
    return v;
}

static places enter_other(placements *p, const workload_result *r) {
    const workload *w = r->workload;
    contest_entry e = entry_of(w, r->variant, r->order);
    switch (w->against) {
    case AGAINST_TEXTBOOK:
        e.variant = rod_variant_named("quaternion-textbook-scalar-exact");
        e.order = ROD_ORDER_SEQUENTIAL;
        e.rods = 1;
        break;
    case AGAINST_UNIFORM:
        e.variant = uniform_sibling(r->variant);
        break;
    case AGAINST_ONE_THREAD:
        e.threads = 1;
        break;
    case AGAINST_NOTHING:
        return (places){SIZE_MAX, SIZE_MAX};
    }
    return enter(p, w, e);
}

static double time_of(const placements *p, size_t index, bool median) {
    const clock_stats stats = placements_statistics(p, index);
    return median ? stats.median : stats.min;
}

static double span(const placements *p, const workload *w, places at, bool median) {
    if (at.frame == SIZE_MAX)
        return 0.0;
    const double frame = time_of(p, at.frame, median);
    if (at.longer == SIZE_MAX)
        return frame;
    const double longer = time_of(p, at.longer, median);
    return (longer - frame) / (double)(w->more_iterations - w->iterations);
}

/* At the peak rates, all that the workload computes. */
static double bound_of(const workload *w, const rod_variant *v, rod_order order) {
    const rod_isa isa = rod_variant_isa(v);
    const peak_rates rates = peak_times(peak_measure(&isa), (double)w->threads);
    const double each = (double)w->rods * (double)w->elements;
    if (w->more_iterations > 0)
        return each * peak_bound(v, rates);
    return each * (double)w->iterations * peak_frame_bound(v, order, rates, w->iterations);
}

static void read_result(const placements *p, workload_result *r, places own, places other) {
    const workload *w = r->workload;
    const double rods = w->against == AGAINST_TEXTBOOK ? (double)w->rods : 1.0;
    r->seconds_min = span(p, w, own, false);
    r->seconds_median = span(p, w, own, true);
    r->against_min = rods * span(p, w, other, false);
    r->against_median = rods * span(p, w, other, true);
    r->bound = bound_of(w, r->variant, r->order);
}

/* Chooses who is measured. */
static rod_status choose_all(workload_result *results, size_t rounds, const char *only) {
    rod_status status = ROD_OK;
    for (size_t i = 0; status == ROD_OK && i < WORKLOADS; i++) {
        results[i] = (workload_result){0};
        if (only && strcmp(only, workloads[i].key) != 0)
            continue;
        results[i].workload = &workloads[i];
        status = choose(&results[i], rounds);
    }
    return status;
}

static rod_status measure(placements *p, workload_result *results, size_t rounds) {
    places own[WORKLOADS], other[WORKLOADS];
    rod_status status = ROD_OK;
    for (size_t i = 0; i < WORKLOADS; i++)
        if (results[i].variant) {
            const workload_result *r = &results[i];
            own[i] = enter(p, r->workload, entry_of(r->workload, r->variant, r->order));
            other[i] = enter_other(p, r);
        }
    for (size_t round = 0; status == ROD_OK && p->count > 0 && round < rounds; round++) {
        progress_show("measuring", round, rounds);
        status = placements_round(p, WORKLOADS_TURNS);
    }
    progress_end();
    for (size_t i = 0; status == ROD_OK && i < WORKLOADS; i++)
        if (results[i].variant)
            read_result(p, &results[i], own[i], other[i]);
    return status;
}

rod_status workloads_run(workload_result *results, size_t rounds, const char *only) {
    const rod_status status = choose_all(results, rounds, only);
    if (status != ROD_OK)
        return status;
    placements *p = placements_create(4 * WORKLOADS);
    if (!p)
        return ROD_E_MEMORY;
    const rod_status measured = measure(p, results, rounds);
    placements_finish(p);
    return measured;
}
