#include "tune.h"

#include "placements.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who takes longer than this times the fastest of a first, short measurement is out. */
static const double final_limit = 1.15;

/* Who takes longer than this in the middle of two memories or more leaves the final (ratios of two
 * variants in one memory each differ by 3 %). */
static const double leaving_limit = 1.08;

/* Who takes no longer than this is measured once more before that, in other memory: where a batch
 * happens to lie, and what else the machine does in a moment, costs as much. */
static const double second_limit = 1.35;

/* No luck makes up for taking so many times as long, nor for a first frame that takes longer by
 * more than a cold cache and memory that was never touched cost. */
static const double far_behind = 2.0, cold_seconds = 500e-6;

/* A large batch takes longer to build than to time: who is far behind on a few rods gets none. */
enum { FEW_RODS = 64 };

enum { SHORT_TURNS = 2, TURNS = 4, LEAST_ROUNDS = 12, ROUNDS_BETWEEN_LOOKS = 2 };

/* When time is up before it began, a final is short. */
enum { LATE_TURNS = 1, LATE_ROUNDS = RANK_LEAST };

/* Small: within the second level of any cache. Large: beyond it, yet short enough to be repeated.
 */
tune_workload tune_workload_of(rod_shape_class shape, bool quick) {
    switch (shape) {
    case ROD_SHAPE_ONE:
        return (tune_workload){1, 50, 10};
    case ROD_SHAPE_SMALL:
        return (tune_workload){64, 50, 10};
    case ROD_SHAPE_LARGE:
        break;
    }
    return (tune_workload){quick ? 1024 : 8192, 20, 4};
}

bool tune_competes(const rod_variant *variant, bool verified) {
    const rod_isa isa = rod_variant_isa(variant);
    return verified && isa.native && isa.usable;
}

static contest_entry entry_of(const rod_class *c, const tune_workload *w, const rod_variant *v) {
    return (contest_entry){.scene = scene_named("hair"),
                           .variant = v,
                           .order = c->order,
                           .rods = w->rods,
                           .elements = w->elements,
                           .iterations = w->iterations};
}

/* ---------------------------------------------------------------- who competes */

static void read_results(const bool *wanted, const verify_result *results, bool *verified,
                         size_t *failed) {
    for (size_t i = 0; i < rod_variant_count(); i++) {
        verified[i] = wanted[i] && results[i].passed;
        if (!wanted[i] || verified[i])
            continue;
        (*failed)++;
        fprintf(stderr, "rodbench: %s fails verification (error %.2e of %.0e) and is left out\n",
                rod_variant_at(i)->name, results[i].error, results[i].limit);
    }
}

bool tune_verify(size_t frames, bool *verified, size_t *failed) {
    const size_t count = rod_variant_count();
    verify_suite *suite = verify_prepare(1, frames, NULL);
    verify_result *results = calloc(count, sizeof *results);
    bool *wanted = calloc(count, sizeof *wanted);
    const bool done = suite && results && wanted;
    for (size_t i = 0; done && i < count; i++)
        wanted[i] = tune_competes(rod_variant_at(i), true);
    if (done) {
        verify_all(suite, wanted, results);
        read_results(wanted, results, verified, failed);
    }
    free(wanted);
    free(results);
    verify_finish(suite);
    return done;
}

/* ---------------------------------------------------------------- the first measurement */

typedef struct {
    const rod_variant *variant;
    double seconds; /* of a frame, the shortest; 0: not measured */
} candidate;

static rod_status measure_alone(const rod_class *c, const tune_workload *w, const rod_variant *v,
                                double best, double *seconds) {
    contest alone = {0};
    const contest_entry e = entry_of(c, w, v);
    contest_add(&alone, &e, NULL);
    *seconds = alone.status == ROD_OK ? simulation_step(&alone.entry[0].simulation, 1) : INFINITY;
    if (*seconds < far_behind * best + cold_seconds) {
        contest_prepare(&alone, 1);
        for (size_t turn = 0; alone.status == ROD_OK && turn < SHORT_TURNS; turn++) {
            *seconds = fmin(*seconds, contest_shortest(&alone.entry[0]));
            if (*seconds > far_behind * best)
                break;
        }
    }
    const rod_status status = alone.status;
    contest_finish(&alone);
    return status;
}

/* The shortest frames of exact variants so far, on few rods and on all. Each accuracy has its own
 * fastest, and exact ones are the slowest. */
typedef struct {
    double few, all;
} marks;

static void lower(double *mark, const rod_variant *v, double seconds) {
    if (rod_variant_has_accuracy(v, ROD_ACCURACY_EXACT))
        *mark = fmin(*mark, seconds);
}

static rod_status measure_candidate(const rod_class *c, const tune_workload *w, marks *best,
                                    candidate *of) {
    if (w->rods > FEW_RODS) {
        const tune_workload few = {FEW_RODS, w->elements, w->iterations};
        const rod_status status = measure_alone(c, &few, of->variant, best->few, &of->seconds);
        if (status != ROD_OK)
            return status;
        lower(&best->few, of->variant, of->seconds);
        if (of->seconds > far_behind * best->few) {
            of->seconds *= (double)w->rods / FEW_RODS;
            return ROD_OK;
        }
    }
    const rod_status status = measure_alone(c, w, of->variant, best->all, &of->seconds);
    lower(&best->all, of->variant, of->seconds);
    return status;
}

static rod_status measure_all(const rod_class *c, const tune_workload *w, const bool *verified,
                              candidate *candidates) {
    /* The default sets the marks, so that those who are far behind are measured once only. */
    const rod_class exact = {c->method, c->shape, c->order, ROD_ACCURACY_EXACT};
    candidate usual = {rod_default_variant(&exact), 0.0};
    marks best = {INFINITY, INFINITY};
    rod_status status = measure_candidate(c, w, &best, &usual);
    for (size_t i = 0; status == ROD_OK && i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        candidates[i] = (candidate){v, 0.0};
        if (strcmp(v->method, rod_method_name(c->method)) == 0 && tune_competes(v, verified[i]))
            status = measure_candidate(c, w, &best, &candidates[i]);
    }
    return status;
}

static bool is_near(const candidate *candidates, size_t index, double limit) {
    const candidate *own = &candidates[index];
    for (int a = 0; own->seconds > 0.0 && a < ROD_ACCURACIES; a++) {
        double best = INFINITY;
        for (size_t i = 0; i < rod_variant_count(); i++)
            if (candidates[i].seconds > 0.0 &&
                rod_variant_has_accuracy(candidates[i].variant, (rod_accuracy)a))
                best = fmin(best, candidates[i].seconds);
        if (rod_variant_has_accuracy(own->variant, (rod_accuracy)a) && own->seconds <= limit * best)
            return true;
    }
    return false;
}

static bool is_finalist(const candidate *candidates, size_t index) {
    return is_near(candidates, index, final_limit);
}

static rod_status measure_again(const rod_class *c, const tune_workload *w, candidate *candidates) {
    rod_status status = ROD_OK;
    for (size_t i = 0; status == ROD_OK && i < rod_variant_count(); i++) {
        if (is_finalist(candidates, i) || !is_near(candidates, i, second_limit))
            continue;
        double seconds;
        status = measure_alone(c, w, candidates[i].variant, candidates[i].seconds, &seconds);
        candidates[i].seconds = fmin(candidates[i].seconds, seconds);
    }
    return status;
}

/* ---------------------------------------------------------------- the final */

static bool has_accuracy(const placed *e, rod_accuracy accuracy) {
    return rod_variant_has_accuracy(e->entry.variant, accuracy);
}

/* In those rounds that both took part in. */
static rank_ratio ratio_of(const placed *slower, const placed *faster) {
    const size_t rounds = slower->rounds < faster->rounds ? slower->rounds : faster->rounds;
    return rank_compare(slower->seconds, faster->seconds, rounds);
}

static const placed *fastest(const placements *p, rod_accuracy accuracy) {
    const placed *best = NULL;
    for (size_t i = 0; i < p->count; i++) {
        const placed *e = &p->entry[i];
        if (!e->left && has_accuracy(e, accuracy) && (!best || ratio_of(e, best).ratio < 1.0))
            best = e;
    }
    return best;
}

static void insert(tune_result *r, const tune_place *place) {
    size_t at = r->places < TUNE_RANKED ? r->places++ : TUNE_RANKED;
    for (; at > 0 && r->place[at - 1].seconds > place->seconds; at--)
        if (at < TUNE_RANKED)
            r->place[at] = r->place[at - 1];
    if (at < TUNE_RANKED)
        r->place[at] = *place;
}

static bool is_near_to_first(const rank_ratio *r) {
    return r->low <= RANK_TIE && r->ratio <= leaving_limit;
}

/* The places of an accuracy, the fastest first, without those of whom too little is known because
 * they left so soon. Who is not far behind stays in the final. */
static void rank(placements *p, rod_accuracy accuracy, const rod_variant *watched, tune_result *r) {
    const placed *best = fastest(p, accuracy);
    const double seconds = best ? rank_middle(best->seconds, best->rounds) : 0.0;
    r->places = 0;
    r->rounds = p->rounds;
    r->settled = true;
    for (size_t i = 0; best && i < p->count; i++) {
        placed *e = &p->entry[i];
        if (!has_accuracy(e, accuracy) || (e->left && e->rounds < RANK_LEAST))
            continue;
        tune_place place = {e->entry.variant, seconds, {1.0, 1.0, 1.0}};
        if (e != best)
            place.against = ratio_of(e, best);
        place.seconds *= place.against.ratio;
        r->settled = r->settled && (e == best || e->left || rank_is_settled(&place.against));
        e->is_near = e->is_near || place.variant == watched || is_near_to_first(&place.against);
        if (place.variant == watched)
            r->watched = place;
        insert(r, &place);
    }
}

/* Whether no two need more rounds. */
static bool rank_all(placements *p, const rod_variant *watched,
                     tune_result results[ROD_ACCURACIES]) {
    bool settled = true;
    for (size_t i = 0; i < p->count; i++)
        p->entry[i].is_near = false;
    for (int a = 0; a < ROD_ACCURACIES; a++) {
        rank(p, (rod_accuracy)a, watched, &results[a]);
        settled = settled && results[a].settled;
    }
    for (size_t i = 0; i < p->count; i++)
        p->entry[i].left = p->entry[i].left || !p->entry[i].is_near;
    return settled;
}

static rod_status run_final(placements *p, const rod_variant *watched, double deadline,
                            tune_result results[ROD_ACCURACIES]) {
    rod_status status = ROD_OK;
    bool is_over = p->count == 0;
    while (status == ROD_OK && !is_over) {
        const bool is_late = clock_wall_seconds() > deadline;
        status = placements_round(p, is_late ? LATE_TURNS : TURNS);
        if (p->rounds % ROUNDS_BETWEEN_LOOKS != 0)
            continue;
        const bool is_clear = rank_all(p, watched, results);
        is_over = p->rounds == PLACEMENTS_MOST || (is_clear && p->rounds >= LEAST_ROUNDS) ||
                  (is_late && p->rounds >= LATE_ROUNDS);
    }
    return status;
}

/* ---------------------------------------------------------------- choosing */

static int simplicity(const rod_variant *v, const rod_class *c) {
    return (v == rod_default_variant(c) ? 0 : 1000) + 100 * (int)v->unroll +
           (strcmp(v->layout, "batch") == 0 ? 0 : 50) + (strcmp(v->norm, "exact") == 0 ? 0 : 20);
}

bool tune_is_simpler(const rod_variant *a, const rod_variant *b, const rod_class *c) {
    if (simplicity(a, c) != simplicity(b, c))
        return simplicity(a, c) < simplicity(b, c);
    return a->lanes != b->lanes ? a->lanes < b->lanes : a < b;
}

void tune_choose(const rod_class *c, tune_result *r) {
    r->verdict = r->places > 0 ? TUNE_CLEAR : TUNE_NONE;
    r->chosen = r->places > 0 ? r->place[0].variant : NULL;
    for (size_t i = 1; i < r->places; i++) {
        if (rank_is_slower(&r->place[i].against))
            continue;
        r->verdict = TUNE_TIE;
        if (r->place[i].against.ratio <= RANK_WORTH &&
            tune_is_simpler(r->place[i].variant, r->chosen, c))
            r->chosen = r->place[i].variant;
    }
}

static void add_finalists(placements *final, const rod_class *c, const tune_workload *w,
                          const candidate *candidates, const rod_variant *watched) {
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (is_finalist(candidates, i) || candidates[i].variant == watched) {
            const contest_entry e = entry_of(c, w, candidates[i].variant);
            placements_add(final, &e);
        }
}

static size_t measured(const candidate *candidates, rod_accuracy accuracy) {
    size_t count = 0;
    for (size_t i = 0; i < rod_variant_count(); i++)
        count += candidates[i].seconds > 0.0 &&
                 rod_variant_has_accuracy(candidates[i].variant, accuracy);
    return count;
}

rod_status tune_measure(const rod_class *c, const tune_workload *w, const bool *verified,
                        const rod_variant *watched, double deadline,
                        tune_result results[ROD_ACCURACIES]) {
    memset(results, 0, ROD_ACCURACIES * sizeof *results);
    candidate *candidates = calloc(rod_variant_count(), sizeof *candidates);
    placements *final = placements_create(rod_variant_count());
    rod_status status =
        candidates && final ? measure_all(c, w, verified, candidates) : ROD_E_MEMORY;
    if (status == ROD_OK)
        status = measure_again(c, w, candidates);
    if (status == ROD_OK) {
        add_finalists(final, c, w, candidates, watched);
        status = run_final(final, watched, deadline, results);
    }
    for (int a = 0; status == ROD_OK && a < ROD_ACCURACIES; a++) {
        const rod_class of = {c->method, c->shape, c->order, (rod_accuracy)a};
        results[a].element_iterations = (double)(w->rods * w->elements * w->iterations);
        results[a].measured = measured(candidates, of.accuracy);
        tune_choose(&of, &results[a]);
    }
    placements_finish(final);
    free(candidates);
    return status;
}

/* ---------------------------------------------------------------- words */

static double percent(double ratio) {
    return 100.0 * (ratio - 1.0);
}

void tune_reason(const tune_result *r, char *text, size_t size) {
    const tune_place *next = &r->place[1];
    if (r->verdict == TUNE_NONE)
        snprintf(text, size, "nothing competes");
    else if (r->places == 1)
        snprintf(text, size, "fastest of %zu, no other within 8 %%", r->measured);
    else if (r->verdict == TUNE_CLEAR)
        snprintf(text, size, "fastest of %zu: %s takes %.1f %% longer (95 %%: %.1f to %.1f)",
                 r->measured, next->variant->name, percent(next->against.ratio),
                 percent(next->against.low), percent(next->against.high));
    else if (r->chosen == r->place[0].variant)
        snprintf(text, size, "tie, kept: %s takes %.1f %% longer (95 %%: %.1f to %.1f)",
                 next->variant->name, percent(next->against.ratio), percent(next->against.low),
                 percent(next->against.high));
    else
        for (size_t i = 1; i < r->places; i++)
            if (r->place[i].variant == r->chosen)
                snprintf(text, size,
                         "tie, simpler than %s: takes %.1f %% longer (95 %%: %.1f to %.1f)",
                         r->place[0].variant->name, percent(r->place[i].against.ratio),
                         percent(r->place[i].against.low), percent(r->place[i].against.high));
}
