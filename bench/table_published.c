/* `rodbench table table1` and its kin: scenes of the papers, what they took there and take here. */

#include "contest.h"
#include "progress.h"
#include "published.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SCENES = 3, CHOOSING_ROUNDS = 3 };

/* What is timed of a scene and method. */
typedef enum {
    PAPER_STYLE, /* what the paper's authors likely had */
    PAPER_ORDER, /* the fastest variant in the order of the paper */
    ANY_ORDER,   /* the fastest in any order */
    IN_BATCH,    /* the fastest batch kernel on many such rods, in the order of the paper */
    KINDS
} kind;

static const char *const kind_keys[KINDS] = {"paper_style", "paper_order", "any_order", "batch"};
static const char *const kind_names[KINDS] = {"paper style", "paper's order", "any order",
                                              "rod in a batch"};

typedef struct {
    const rod_variant *variant;
    rod_order order;
    size_t rods;
    clock_stats frame; /* seconds; in a batch of one rod */
} timing;

/* One scene by one method. */
typedef struct {
    const scene *scene;
    rod_method method;
    const published *paper; /* NULL if nothing was published */
    simulation donor;
    timing of[KINDS];
} cell;

typedef struct {
    const char *name;
    size_t rounds;
    const scene *scenes[MAX_SCENES];
    size_t scene_count;
    cell cells[MAX_SCENES * ROD_METHODS];
    size_t cell_count;
} study;

/* ---------------------------------------------------------------- candidates */

/* A simulation that may be the fastest of some kinds of a cell. */
typedef struct {
    cell *cell;
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

static bool is_worthy(const rod_variant *v, rod_method method) {
    const rod_isa isa = rod_variant_isa(v);
    return strcmp(v->method, rod_method_name(method)) == 0 && isa.usable && isa.native &&
           strcmp(v->norm, "bare") != 0;
}

/* About 50,000 elements: more than a cache of the second level holds. */
static size_t batch_rods(const cell *c) {
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

/* Two vectors in flight only where the scene's rods fill more than one. */
static void enter_variant(field *f, cell *c, const rod_variant *v) {
    const size_t rods = c->donor.settings.rods;
    const rod_order own = rod_default_order(c->method);
    if (v->unroll == 1 || rods > rod_variant_isa(v).lanes)
        for (int order = ROD_ORDER_SEQUENTIAL; order <= ROD_ORDER_REDBLACK; order++)
            enter(f, (candidate){c, v, (rod_order)order, rods, false, 0});
    if (strcmp(v->layout, "batch") == 0 && rod_variant_isa(v).lanes == widest_lanes(c->method))
        enter(f, (candidate){c, v, own, batch_rods(c), true, 0});
}

static bool is_of_kind(const candidate *c, kind k) {
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

static const candidate *fastest(const field *f, const cell *c, kind k) {
    const candidate *best = NULL;
    for (size_t i = 0; i < f->count; i++)
        if (f->all[i].cell == c && is_of_kind(&f->all[i], k) &&
            (!best ||
             f->contest.entry[f->all[i].place].frame.min < f->contest.entry[best->place].frame.min))
            best = &f->all[i];
    return best;
}

static void choose_for(const field *f, cell *c) {
    c->of[PAPER_STYLE] = (timing){.variant = paper_style(c->method),
                                  .order = rod_default_order(c->method),
                                  .rods = c->donor.settings.rods};
    for (kind k = PAPER_ORDER; k < KINDS; k++) {
        const candidate *best = fastest(f, c, k);
        c->of[k] = (timing){.variant = best->variant, .order = best->order, .rods = best->rods};
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
    contest_run(&f.contest, CHOOSING_ROUNDS, "choosing variants");
    const rod_status status = f.contest.status;
    for (size_t i = 0; status == ROD_OK && i < s->cell_count; i++)
        choose_for(&f, &s->cells[i]);
    contest_finish(&f.contest);
    free(f.all);
    return status;
}

static rod_status measure(study *s) {
    contest c = {0};
    size_t place[MAX_SCENES * ROD_METHODS][KINDS];
    for (size_t i = 0; i < s->cell_count; i++)
        for (kind k = PAPER_STYLE; k < KINDS; k++) {
            const timing *t = &s->cells[i].of[k];
            place[i][k] = contest_add(&c,
                                      &(contest_entry){.scene = s->cells[i].scene,
                                                       .variant = t->variant,
                                                       .order = t->order,
                                                       .rods = t->rods},
                                      &s->cells[i].donor);
        }
    contest_run(&c, s->rounds, "measuring");
    for (size_t i = 0; c.status == ROD_OK && i < s->cell_count; i++)
        for (kind k = PAPER_STYLE; k < KINDS; k++) {
            timing *t = &s->cells[i].of[k];
            const double share = k == IN_BATCH ? 1.0 / (double)t->rods : 1.0;
            t->frame = c.entry[place[i][k]].frame;
            t->frame.min *= share;
            t->frame.median *= share;
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
            cell *c = &s->cells[s->cell_count];
            *c = (cell){.scene = s->scenes[i], .method = (rod_method)method};
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

static void finish(study *s) {
    for (size_t i = 0; i < s->cell_count; i++)
        simulation_finish(&s->cells[i].donor);
}

static bool set_up(study *s, const char *name) {
    static const char *const table1[] = {"scene1", "scene2", "scene3"};
    if (strcmp(name, "table1") != 0) {
        s->scenes[s->scene_count++] = scene_named(name);
        return s->scenes[0] != NULL;
    }
    for (size_t i = 0; i < MAX_SCENES; i++)
        s->scenes[s->scene_count++] = scene_named(table1[i]);
    return true;
}

/* ---------------------------------------------------------------- the grids */

static double paper_ms(const cell *c) {
    return c->paper ? c->paper->value : NAN;
}

static double ms(const cell *c, kind k) {
    return 1e3 * c->of[k].frame.min;
}

static void add_stats_column(grid *g, kind k, const char *part) {
    char key[48], heading[48];
    snprintf(key, sizeof key, "%s_%s_ms", kind_keys[k], part);
    snprintf(heading, sizeof heading, "%s%s", strcmp(part, "min") == 0 ? kind_names[k] : "",
             strcmp(part, "min") == 0 ? "" : "median");
    grid_column(g, key, heading, "ms", GRID_DIGITS(3));
}

static void add_times(grid *g, const cell *c) {
    for (kind k = PAPER_STYLE; k < KINDS; k++) {
        char key[48];
        snprintf(key, sizeof key, "%s_min_ms", kind_keys[k]);
        grid_number(g, key, ms(c, k));
        snprintf(key, sizeof key, "%s_median_ms", kind_keys[k]);
        grid_number(g, key, 1e3 * c->of[k].frame.median);
    }
}

static grid *times_grid(const study *s) {
    char title[96];
    snprintf(title, sizeof title, "%s: time of a frame, published and here", s->name);
    grid *g = grid_create(s->name, title);
    grid_column(g, "scene", "scene", "", GRID_TEXT);
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "iterations", "iter.", "", GRID_GIVEN);
    grid_column(g, "paper_ms", "paper", "ms", GRID_GIVEN);
    for (kind k = PAPER_STYLE; k < KINDS; k++) {
        add_stats_column(g, k, "min");
        add_stats_column(g, k, "median");
    }
    grid_column(g, "cpu_times", "CPU", "x", GRID_DIGITS(3));
    grid_column(g, "layout_times", "layout", "x", GRID_DIGITS(3));
    grid_column(g, "total_times", "both", "x", GRID_DIGITS(3));
    for (size_t i = 0; i < s->cell_count; i++) {
        const cell *c = &s->cells[i];
        grid_row(g);
        grid_text(g, "scene", c->scene->name);
        grid_text(g, "method", rod_method_name(c->method));
        grid_number(g, "iterations", (double)c->donor.settings.step.iterations);
        grid_number(g, "paper_ms", paper_ms(c));
        add_times(g, c);
        grid_number(g, "cpu_times", paper_ms(c) / ms(c, PAPER_STYLE));
        grid_number(g, "layout_times", ms(c, PAPER_STYLE) / ms(c, IN_BATCH));
        grid_number(g, "total_times", paper_ms(c) / ms(c, IN_BATCH));
    }
    return g;
}

static void add_notes(grid *g, const study *s) {
    const cell *c = &s->cells[0];
    grid_note(g,
              "%zu rod%s of %zu elements, dt 10 ms, one core, float32; minimum and median of %zu "
              "rounds in turns. Scenes are our reading of the papers, whose videos are lost.",
              c->donor.settings.rods, c->donor.settings.rods == 1 ? "" : "s",
              c->donor.settings.elements, s->rounds);
    grid_note(g, "paper style: what the authors likely had, an array of structures with one "
                 "quaternion in an SSE register, for PBER and PBD the scalar textbook. paper's "
                 "order: the fastest variant in the order of the paper. any order: red-black and "
                 "the others, too. rod in a batch: time of a batch / its rods.");
    grid_note(g,
              "CPU: paper / paper style here. layout: paper style / rod in a batch, what storage "
              "and vector width bring. both: their product.");
    grid_extra_number(g, "rounds", (double)s->rounds);
    grid_extra_number(g, "batch_rods", (double)c->of[IN_BATCH].rods);
}

/* ---------------------------------------------------------------- ratios of the methods */

static const cell *cell_of(const study *s, size_t scene_index, rod_method method) {
    return &s->cells[scene_index * ROD_METHODS + (size_t)method];
}

/* What the paper's text says of a ratio, not what its table gives. */
static void add_said(grid *g, size_t scene_index, rod_method method) {
    const published *pbd = published_named("ks16-ratio-pbd");
    const published *same = published_named("ks16-ratio-same-iterations");
    const published *low = published_named("ks16-ratio-equal-quality-low");
    const published *high = published_named("ks16-ratio-equal-quality-high");
    if (method == ROD_METHOD_PBER && scene_index == 0)
        grid_textf(g, "paper_says", "%g", same->value);
    else if (method == ROD_METHOD_PBER)
        grid_textf(g, "paper_says", "%g to %g", low->value, high->value);
    else if (scene_index == 0)
        grid_textf(g, "paper_says", "%g", pbd->value);
}

static grid *ratios_grid(const study *s) {
    char name[48];
    snprintf(name, sizeof name, "%s-ratios", s->name);
    grid *g = grid_create(name, "Time of a frame against the quaternion rod's");
    grid_column(g, "scene", "scene", "", GRID_TEXT);
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "iterations", "iterations", "", GRID_TEXT);
    grid_column(g, "paper_says", "paper says", "x", GRID_TEXT);
    grid_column(g, "paper_table", "its table", "x", GRID_DIGITS(3));
    for (kind k = PAPER_STYLE; k < KINDS; k++)
        grid_column(g, kind_keys[k], kind_names[k], "x", GRID_DIGITS(3));
    grid_column(g, "batch_per_iteration", "batch, an iteration", "x", GRID_DIGITS(3));
    for (size_t i = 0; i < s->scene_count; i++) {
        const cell *base = cell_of(s, i, ROD_METHOD_QUATERNION);
        for (int method = ROD_METHOD_PBER; method < ROD_METHODS; method++) {
            const cell *c = cell_of(s, i, (rod_method)method);
            const size_t here = c->donor.settings.step.iterations;
            const size_t there = base->donor.settings.step.iterations;
            grid_row(g);
            grid_text(g, "scene", c->scene->name);
            grid_textf(g, "method", "%s / quaternion", rod_method_name(c->method));
            grid_textf(g, "iterations", "%zu / %zu", here, there);
            if (s->scene_count > 1)
                add_said(g, i, c->method);
            grid_number(g, "paper_table", paper_ms(c) / paper_ms(base));
            for (kind k = PAPER_STYLE; k < KINDS; k++)
                grid_number(g, kind_keys[k], ms(c, k) / ms(base, k));
            grid_number(g, "batch_per_iteration",
                        ms(c, IN_BATCH) / ms(base, IN_BATCH) * (double)there / (double)here);
        }
    }
    return g;
}

static grid *variants_grid(const study *s) {
    char name[48];
    snprintf(name, sizeof name, "%s-variants", s->name);
    grid *g = grid_create(name, "Variants that were measured, the fastest of their kind");
    grid_column(g, "scene", "scene", "", GRID_TEXT);
    grid_column(g, "method", "method", "", GRID_TEXT);
    for (kind k = PAPER_STYLE; k < KINDS; k++)
        grid_column(g, kind_keys[k], kind_names[k], "", GRID_TEXT);
    for (size_t i = 0; i < s->cell_count; i++) {
        grid_row(g);
        grid_text(g, "scene", s->cells[i].scene->name);
        grid_text(g, "method", rod_method_name(s->cells[i].method));
        for (kind k = PAPER_STYLE; k < KINDS; k++) {
            const timing *t = &s->cells[i].of[k];
            const char *own = t->variant->name + strlen(t->variant->method) + 1;
            grid_textf(g, kind_keys[k], "%s, %s", own, simulation_order_name(t->order));
        }
    }
    return g;
}

/* ---------------------------------------------------------------- findings */

static void find_ratios(grid *g, const study *s) {
    const cell *q1 = cell_of(s, 0, ROD_METHOD_QUATERNION), *p1 = cell_of(s, 0, ROD_METHOD_PBER);
    const cell *d1 = cell_of(s, 0, ROD_METHOD_PBD);
    grid_finding(g,
                 "At the same iterations (scene1) PBER takes %.3g times as long as the quaternion "
                 "rod paper-style and %.3g times in batch kernels of equal care; the paper says "
                 "%g: how PBER's Jacobian is written decides the factor.",
                 ms(p1, PAPER_STYLE) / ms(q1, PAPER_STYLE), ms(p1, IN_BATCH) / ms(q1, IN_BATCH),
                 published_named("ks16-ratio-same-iterations")->value);
    const cell *q2 = cell_of(s, 1, ROD_METHOD_QUATERNION), *p2 = cell_of(s, 1, ROD_METHOD_PBER);
    const cell *q3 = cell_of(s, 2, ROD_METHOD_QUATERNION), *p3 = cell_of(s, 2, ROD_METHOD_PBER);
    grid_finding(g,
                 "At the paper's iterations PBER takes %.3g times (scene2) and %.3g times (scene3) "
                 "as long in batch kernels, where the paper says %g to %g; whether those "
                 "iterations are of equal quality, `rodbench sweep` tells.",
                 ms(p2, IN_BATCH) / ms(q2, IN_BATCH), ms(p3, IN_BATCH) / ms(q3, IN_BATCH),
                 published_named("ks16-ratio-equal-quality-low")->value,
                 published_named("ks16-ratio-equal-quality-high")->value);
    const double same = ms(d1, IN_BATCH) / ms(q1, IN_BATCH);
    grid_finding(g,
                 "PBD strands take %.3g times the quaternion rod's time at the same iterations in "
                 "batch kernels, %.3g paper-style (the paper: about %g).",
                 same, ms(d1, PAPER_STYLE) / ms(q1, PAPER_STYLE),
                 published_named("ks16-ratio-pbd")->value);
}

static void find_gains(grid *g, const study *s) {
    for (size_t i = 0; i < s->cell_count; i++) {
        const cell *c = &s->cells[i];
        if (!c->paper || !(c->paper->value > 0.0) || (s->scene_count > 1 && i != 0))
            continue;
        grid_finding(g,
                     "%s by %s: %.3g times faster than published (%g ms, %s, %s), of which the CPU "
                     "brings %.3g and layout and width %.3g.",
                     c->scene->name, rod_method_name(c->method), paper_ms(c) / ms(c, IN_BATCH),
                     paper_ms(c), c->paper->source, c->paper->machine,
                     paper_ms(c) / ms(c, PAPER_STYLE), ms(c, PAPER_STYLE) / ms(c, IN_BATCH));
    }
    const published *own = published_named("uss14-pber30");
    if (strcmp(s->name, "pber30") == 0)
        grid_finding(g, "Umetani et al. themselves are cited with %g ms.", own->value);
    if (strcmp(s->name, "hair200") == 0)
        grid_finding(g,
                     "The paper calls this interactive and gives no number; here a frame of all "
                     "strands takes %.3g ms by PBER, %.0f frames a second.",
                     ms(cell_of(s, 0, ROD_METHOD_PBER), ANY_ORDER),
                     1e3 / ms(cell_of(s, 0, ROD_METHOD_PBER), ANY_ORDER));
}

static int show(const study *s, const output *shown) {
    grid *grids[] = {times_grid(s), ratios_grid(s), variants_grid(s)};
    const size_t count = sizeof grids / sizeof *grids;
    add_notes(grids[0], s);
    find_gains(grids[0], s);
    if (s->scene_count > 1)
        find_ratios(grids[1], s);
    const int code = output_grids("table", shown, grids, count);
    for (size_t i = 0; i < count; i++)
        grid_destroy(grids[i]);
    return code;
}

int table_published(const char *name, size_t rounds, const output *shown) {
    study s = {.name = name, .rounds = rounds};
    if (!set_up(&s, name))
        return EXIT_WRONG_USAGE;
    rod_status status = start(&s);
    progress_end();
    if (status == ROD_OK)
        status = choose(&s);
    if (status == ROD_OK)
        status = measure(&s);
    const int code = status == ROD_OK ? show(&s, shown)
                                      : options_complain("table", "%s", rod_status_text(status));
    finish(&s);
    return code;
}
