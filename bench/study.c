#include "study.h"

#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHOOSING_ROUNDS = 3 };

/* ---------------------------------------------------------------- candidates */

/* A simulation that may be the fastest of some kinds of a cell. */
typedef struct {
    study_cell *cell;
    const rod_variant *variant;
    rod_order order;
    size_t rods;
    bool in_batch;
    size_t place; /* in the contest */
} candidate;

typedef struct {
    candidate *all;
    size_t count, room;
    contest contest;
} field;

/* What is general does the same as its uniform sibling, and more: rods of these scenes are uniform.
 */
static bool is_worthy(const rod_variant *v, rod_method method) {
    const rod_isa isa = rod_variant_isa(v);
    return strcmp(v->method, rod_method_name(method)) == 0 && isa.usable && isa.native &&
           strcmp(v->norm, "bare") != 0 &&
           (strcmp(v->weights, "general") != 0 || strcmp(v->layout, "batch") != 0);
}

/* About 50,000 elements: more than a cache of the second level holds. */
static size_t batch_rods(const study_cell *c) {
    const size_t rods = 51200 / c->donor.settings.elements;
    return rods < 64 ? 64 : rods;
}

static void enter(field *f, candidate c) {
    if (f->count == f->room) {
        const size_t room = f->room ? 2 * f->room : 256;
        candidate *more = realloc(f->all, room * sizeof *more);
        if (!more) {
            f->contest.status = ROD_E_MEMORY;
            return;
        }
        f->all = more;
        f->room = room;
    }
    c.place = contest_add(
        &f->contest,
        &(contest_entry){
            .scene = c.cell->scene, .variant = c.variant, .order = c.order, .rods = c.rods},
        &c.cell->donor);
    f->all[f->count++] = c;
}

static size_t widest_lanes(rod_method method) {
    size_t lanes = 0;
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        if (is_worthy(v, method) && rod_variant_isa(v).lanes > lanes)
            lanes = rod_variant_isa(v).lanes;
    }
    return lanes;
}

/* Undamped PBER gains energy in all orders but its own (tests/test_batch_physics.c): to be faster
 * in one of those is worth nothing. */
static bool is_stable(rod_method method, rod_order order) {
    return method != ROD_METHOD_PBER || order == rod_default_order(method);
}

/* Two vectors in flight only where the scene's rods fill more than one. */
static void enter_variant(field *f, study_cell *c, const rod_variant *v) {
    const size_t rods = c->donor.settings.rods;
    const rod_order own = rod_default_order(c->method);
    if (v->unroll == 1 || rods > rod_variant_isa(v).lanes)
        for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++)
            if (is_stable(c->method, (rod_order)order))
                enter(f, (candidate){c, v, (rod_order)order, rods, false, 0});
    if (strcmp(v->layout, "batch") == 0 && rod_variant_isa(v).lanes == widest_lanes(c->method))
        enter(f, (candidate){c, v, own, batch_rods(c), true, 0});
}

static bool is_of_kind(const candidate *c, study_kind k) {
    const bool own_order = c->order == rod_default_order(c->cell->method);
    switch (k) {
    case PAPER_ORDER:
        return !c->in_batch && own_order;
    case ANY_ORDER:
        return !c->in_batch;
    case IN_BATCH:
        return c->in_batch;
    default:
        return false;
    }
}

/* An array of structures with a quaternion in a register where there is one, else the textbook. */
static const rod_variant *paper_style(rod_method method) {
    const rod_variant *found = NULL;
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        if (!is_worthy(v, method))
            continue;
        if (strcmp(v->layout, "aos") == 0)
            return v;
        if (strcmp(v->layout, "textbook") == 0)
            found = v;
    }
    return found;
}

static const rod_variant *plain_c(rod_method method) {
    char name[64];
    snprintf(name, sizeof name, "%s-scalar-u1-newton", rod_method_name(method));
    return rod_variant_named(name);
}

static const candidate *fastest(const field *f, const study_cell *c, study_kind k) {
    const candidate *best = NULL;
    for (size_t i = 0; i < f->count; i++)
        if (f->all[i].cell == c && is_of_kind(&f->all[i], k) &&
            (!best ||
             f->contest.entry[f->all[i].place].frame.min < f->contest.entry[best->place].frame.min))
            best = &f->all[i];
    return best;
}

static void choose_for(const field *f, study_cell *c) {
    c->of[PAPER_STYLE] = (study_timing){.variant = paper_style(c->method),
                                        .order = rod_default_order(c->method),
                                        .rods = c->donor.settings.rods};
    c->of[PLAIN_C] = c->of[PAPER_STYLE];
    c->of[PLAIN_C].variant = plain_c(c->method);
    for (study_kind k = PAPER_ORDER; k < STUDY_KINDS; k++) {
        const candidate *best = fastest(f, c, k);
        c->of[k] =
            (study_timing){.variant = best->variant, .order = best->order, .rods = best->rods};
    }
}

/* Winners are found in a contest of their own, and measured in another: the best of many by chance
 * must not be what is reported. */
static rod_status choose(study *s) {
    field f = {0};
    for (size_t i = 0; i < s->cell_count; i++)
        for (size_t j = 0; j < rod_variant_count(); j++)
            if (is_worthy(rod_variant_at(j), s->cells[i].method))
                enter_variant(&f, &s->cells[i], rod_variant_at(j));
    contest_run(&f.contest, s->rounds < 2 * CHOOSING_ROUNDS ? 2 : CHOOSING_ROUNDS,
                "choosing variants");
    const rod_status status = f.contest.status;
    for (size_t i = 0; status == ROD_OK && i < s->cell_count; i++)
        choose_for(&f, &s->cells[i]);
    contest_finish(&f.contest);
    free(f.all);
    return status;
}

/* The kind whose simulation stands for this one, too: what is the same is measured once, or noise
 * would set it apart from itself. */
static study_kind first_alike(const study_cell *c, study_kind k) {
    const study_timing *t = &c->of[k];
    for (study_kind i = PAPER_STYLE; i < k; i++)
        if (c->of[i].variant == t->variant && c->of[i].order == t->order &&
            c->of[i].rods == t->rods)
            return i;
    return k;
}

/* A kind that includes another is as fast as that at least: the few that got here are compared
 * again, as those who chose them had three rounds only. */
static void include(study_cell *c, study_kind in, study_kind of) {
    if (c->of[of].frame.min < c->of[in].frame.min)
        c->of[in] = c->of[of];
}

static void include_all(study_cell *c) {
    include(c, PAPER_ORDER, PAPER_STYLE);
    include(c, PAPER_ORDER, PLAIN_C);
    include(c, ANY_ORDER, PAPER_ORDER);
}

static void enter_chosen(contest *c, const study_cell *cell, size_t place[STUDY_KINDS]) {
    for (study_kind k = PAPER_STYLE; k < STUDY_KINDS; k++) {
        const study_timing *t = &cell->of[k];
        const study_kind alike = first_alike(cell, k);
        place[k] = alike < k ? place[alike]
                             : contest_add(c,
                                           &(contest_entry){.scene = cell->scene,
                                                            .variant = t->variant,
                                                            .order = t->order,
                                                            .rods = t->rods},
                                           &cell->donor);
    }
}

static rod_status measure(study *s) {
    contest c = {0};
    size_t place[STUDY_SCENES * ROD_METHODS][STUDY_KINDS];
    for (size_t i = 0; i < s->cell_count; i++)
        enter_chosen(&c, &s->cells[i], place[i]);
    contest_run(&c, s->rounds, "measuring");
    for (size_t i = 0; c.status == ROD_OK && i < s->cell_count; i++) {
        for (study_kind k = PAPER_STYLE; k < STUDY_KINDS; k++) {
            study_timing *t = &s->cells[i].of[k];
            const double share = k == IN_BATCH ? 1.0 / (double)t->rods : 1.0;
            t->frame = c.entry[place[i][k]].frame;
            t->frame.min *= share;
            t->frame.median *= share;
        }
        include_all(&s->cells[i]);
    }
    const rod_status status = c.status;
    contest_finish(&c);
    return status;
}

/* ---------------------------------------------------------------- the study */

static const published *published_of(const scene *s, rod_method method) {
    char key[64];
    snprintf(key, sizeof key, "ks16-%s-%s", s->name, rod_method_name(method));
    const published *found = published_named(key);
    if (found)
        return found;
    snprintf(key, sizeof key, "ks16-%s", s->name);
    found = published_named(key);
    if (!found) {
        snprintf(key, sizeof key, "uss14-%s", s->name);
        found = published_named(key);
    }
    return found && strcmp(found->method, rod_method_name(method)) == 0 ? found : NULL;
}

/* Well into the scene: what hangs has fallen, what is twisted has turned. */
static size_t donor_frames(const scene *s) {
    return s->is_twisted ? scene_first_turn() + 60 : 100;
}

static rod_status start(study *s) {
    for (size_t i = 0; i < s->scene_count; i++)
        for (int method = 0; method < ROD_METHODS; method++) {
            study_cell *c = &s->cells[s->cell_count];
            *c = (study_cell){.scene = s->scenes[i], .method = (rod_method)method};
            c->paper = published_of(c->scene, c->method);
            progress_show("playing scene", s->cell_count + 1, s->scene_count * ROD_METHODS);
            const rod_status status =
                contest_donor(c->scene, c->method, donor_frames(c->scene), &c->donor);
            if (status != ROD_OK)
                return status;
            s->cell_count++;
        }
    return ROD_OK;
}

void study_finish(study *s) {
    for (size_t i = 0; i < s->cell_count; i++)
        simulation_finish(&s->cells[i].donor);
}

static void set_up(study *s, const char *name) {
    static const char *const table1[STUDY_SCENES] = {"scene1", "scene2", "scene3"};
    if (strcmp(name, "table1") != 0) {
        s->scenes[s->scene_count++] = scene_named(name);
        return;
    }
    for (size_t i = 0; i < STUDY_SCENES; i++)
        s->scenes[s->scene_count++] = scene_named(table1[i]);
}

rod_status study_run(study *s, const char *name, size_t rounds) {
    *s = (study){.name = name, .rounds = rounds};
    set_up(s, name);
    rod_status status = start(s);
    progress_end();
    if (status == ROD_OK)
        status = choose(s);
    return status == ROD_OK ? measure(s) : status;
}
