#include "sweep.h"

#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const size_t sweep_counts[SWEEP_COUNTS] = {1, 2, 3, 5, 8, 10, 18, 30, 50, 80, 120, 200};
const size_t sweep_references[SWEEP_REFERENCES] = {200, 400, 700, 1000};

/* ---------------------------------------------------------------- running */

static settled *insert(sweep_series *s, const settled *result) {
    if (s->count == s->room) {
        const size_t room = s->room ? 2 * s->room : 32;
        settled *more = realloc(s->run, room * sizeof *more);
        if (!more)
            return NULL;
        s->run = more;
        s->room = room;
    }
    size_t at = s->count++;
    for (; at > 0 && s->run[at - 1].iterations > result->iterations; at--)
        s->run[at] = s->run[at - 1];
    s->run[at] = *result;
    return &s->run[at];
}

const settled *sweep_result(sweep *s, rod_method method, size_t iterations) {
    sweep_series *known = &s->of[method];
    for (size_t i = 0; i < known->count; i++)
        if (known->run[i].iterations == iterations)
            return &known->run[i];
    settled result;
    if (s->status == ROD_OK)
        s->status = settle(s->scene, method, iterations, s->lengths, s->length_count, &result);
    if (s->status != ROD_OK)
        return NULL;
    const settled *inserted = insert(known, &result);
    if (!inserted) {
        free(result.positions);
        s->status = ROD_E_MEMORY;
    }
    return inserted;
}

typedef struct {
    rod_method method;
    size_t iterations;
} run;

enum { MOST_RUNS = ROD_METHODS * (SWEEP_COUNTS + SWEEP_REFERENCES) };

/* Those of many iterations, which take longest, come first. Strands have no loop to refer to; the
 * least reference is one of the counts. */
static size_t list_runs(const sweep *s, run runs[MOST_RUNS]) {
    size_t count = 0;
    if (s->scene->is_twisted && sweep_has_references(s))
        for (size_t i = SWEEP_REFERENCES - 1; i > 0; i--) {
            runs[count++] = (run){ROD_METHOD_PBER, sweep_references[i]};
            runs[count++] = (run){ROD_METHOD_QUATERNION, sweep_references[i]};
        }
    for (size_t i = s->counts; i > 0; i--)
        for (int method = 0; method < ROD_METHODS; method++)
            runs[count++] = (run){(rod_method)method, sweep_counts[i - 1]};
    return count;
}

/* Runs do not touch each other, so all cores can be used: nothing is timed here. */
static void run_counts(sweep *s) {
    run runs[MOST_RUNS];
    settled result[MOST_RUNS] = {0};
    rod_status status[MOST_RUNS];
    const size_t count = list_runs(s, runs);
    size_t done = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (size_t i = 0; i < count; i++) {
        status[i] = settle(s->scene, runs[i].method, runs[i].iterations, s->lengths,
                           s->length_count, &result[i]);
#ifdef _OPENMP
#pragma omp critical
#endif
        progress_show("run", ++done, count);
    }
    progress_end();
    for (size_t i = 0; i < count; i++) {
        if (s->status == ROD_OK)
            s->status = status[i];
        if (status[i] == ROD_OK && !insert(&s->of[runs[i].method], &result[i])) {
            free(result[i].positions);
            s->status = ROD_E_MEMORY;
        }
    }
}

const rod_variant *sweep_variant(const sweep *s, rod_method method) {
    return simulation_variant(method, 1, s->scene->defaults.elements);
}

/* One rod by the default variant. */
static void time_counts(sweep *s) {
    contest c = {0};
    size_t place[ROD_METHODS][SWEEP_COUNTS] = {{0}};
    for (int method = 0; method < ROD_METHODS && c.status == ROD_OK; method++) {
        simulation donor;
        const size_t frames = s->scene->is_twisted ? scene_first_turn() : 100;
        c.status = contest_donor(s->scene, (rod_method)method, frames, &donor);
        for (size_t i = 0; i < s->counts && c.status == ROD_OK; i++)
            place[method][i] =
                contest_add(&c,
                            &(contest_entry){.scene = s->scene,
                                             .variant = sweep_variant(s, (rod_method)method),
                                             .order = rod_default_order((rod_method)method),
                                             .iterations = sweep_counts[i]},
                            &donor);
        simulation_finish(&donor);
    }
    contest_run(&c, s->rounds, "timing");
    for (int method = 0; method < ROD_METHODS && c.status == ROD_OK; method++)
        for (size_t i = 0; i < s->counts; i++)
            s->time[method][i] = c.entry[place[method][i]].frame;
    s->status = c.status;
    contest_finish(&c);
}

/* ---------------------------------------------------------------- equal quality */

/* Known runs on both sides of a target: E(low) > target >= E(high). 0: none. */
typedef struct {
    const settled *low, *high;
} bracket;

static bracket bracket_of(const sweep_series *known, size_t rod, double target) {
    bracket b = {NULL, NULL};
    for (size_t i = 0; i < known->count && !b.high; i++)
        if (known->run[i].rod[rod].rest_distance <= target)
            b.high = &known->run[i];
        else
            b.low = &known->run[i];
    return b;
}

/* Where a line through both, on logarithmic axes, meets the target; halfway every other time, as
 * such lines may come close from one side for ever. */
static size_t guess(bracket b, size_t rod, double target, size_t step) {
    const double low = log((double)b.low->iterations), high = log((double)b.high->iterations);
    const double e_low = log(b.low->rod[rod].rest_distance);
    const double e_high = log(b.high->rod[rod].rest_distance);
    const double share =
        step % 2 == 1 || !(e_low > e_high) ? 0.5 : (e_low - log(target)) / (e_low - e_high);
    const size_t n = (size_t)lround(exp(low + share * (high - low)));
    if (n <= b.low->iterations)
        return b.low->iterations + 1;
    return n >= b.high->iterations ? b.high->iterations - 1 : n;
}

/* Beyond the largest known count, by the slope of the last two on logarithmic axes. */
static size_t guess_beyond(const sweep_series *known, size_t rod, double target) {
    const settled *last = &known->run[known->count - 1], *before = last - 1;
    const double slope = log(last->rod[rod].rest_distance / before->rod[rod].rest_distance) /
                         log((double)last->iterations / (double)before->iterations);
    const double growth =
        slope < 0.0 ? 1.03 * exp(log(target / last->rod[rod].rest_distance) / slope) : 2.0;
    return (size_t)((double)last->iterations * fmin(fmax(growth, 1.2), 2.5));
}

/* Counts of hundreds are found to a hundredth: each trial takes half a minute. */
static bool is_narrow(bracket b) {
    return b.high->iterations - b.low->iterations <= 1 + b.low->iterations / 100;
}

const settled *sweep_equal_quality(sweep *s, size_t rod, double target) {
    const sweep_series *known = &s->of[ROD_METHOD_PBER];
    bracket b = bracket_of(known, rod, target);
    while (!b.high && known->run[known->count - 1].iterations < s->most) {
        const size_t n = guess_beyond(known, rod, target);
        progress_show("searching n*: iterations", n, s->most);
        if (!sweep_result(s, ROD_METHOD_PBER, n < s->most ? n : s->most))
            return NULL;
        b = bracket_of(known, rod, target);
    }
    for (size_t step = 0; b.high && b.low && !is_narrow(b); step++) {
        progress_show("searching n*: iterations", b.high->iterations, s->most);
        if (!sweep_result(s, ROD_METHOD_PBER, guess(b, rod, target, step)))
            return NULL;
        b = bracket_of(known, rod, target);
    }
    return b.high;
}

/* ---------------------------------------------------------------- loops */

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool sweep_has_references(const sweep *s) {
    return s->most >= sweep_references[SWEEP_REFERENCES - 1];
}

sweep_turns sweep_reference_turns(sweep *s, rod_method method, size_t rod) {
    double turn[SWEEP_REFERENCES];
    for (size_t i = 0; i < SWEEP_REFERENCES; i++) {
        const settled *r = sweep_result(s, method, sweep_references[i]);
        turn[i] = r ? r->rod[rod].loop_turn : NAN;
        if (isnan(turn[i]))
            return (sweep_turns){NAN, NAN, NAN};
    }
    qsort(turn, SWEEP_REFERENCES, sizeof *turn, compare_doubles);
    return (sweep_turns){turn[0],
                         0.5 * (turn[(SWEEP_REFERENCES - 1) / 2] + turn[SWEEP_REFERENCES / 2]),
                         turn[SWEEP_REFERENCES - 1]};
}

/* ---------------------------------------------------------------- the sweep */

static void choose_lengths(sweep *s, double length) {
    static const double usual[SCENE_LENGTHS] = {0.1, 0.2, 0.3248, 1.0};
    if (length > 0.0) {
        s->lengths[0] = length;
        s->length_count = 1;
        return;
    }
    memcpy(s->lengths, usual, sizeof usual);
    s->length_count = SCENE_LENGTHS;
    s->own = 2;
}

void sweep_run(sweep *s, const scene *shown, double length, size_t most, size_t rounds) {
    *s = (sweep){.scene = shown, .rounds = rounds, .most = most};
    while (s->counts < SWEEP_COUNTS && sweep_counts[s->counts] <= most)
        s->counts++;
    choose_lengths(s, length);
    run_counts(s);
    if (s->status == ROD_OK)
        time_counts(s);
}

void sweep_finish(sweep *s) {
    for (int method = 0; method < ROD_METHODS; method++) {
        for (size_t i = 0; i < s->of[method].count; i++)
            free(s->of[method].run[i].positions);
        free(s->of[method].run);
    }
}
