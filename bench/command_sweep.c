/* `rodbench sweep SCENE`: quality and time against iterations, and the iterations at which PBER is
 * as good as the quaternion rod at the paper's count. */

#include "commands.h"

#include "output.h"
#include "progress.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- the grids */

static void add_method_columns(grid *g) {
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "iterations", "iterations", "", GRID_GIVEN);
    grid_column(g, "us_min", "time", "us", GRID_DIGITS(3));
    grid_column(g, "us_median", "median", "us", GRID_DIGITS(3));
    grid_column(g, "edge_error", "edge length error", "rms", GRID_DIGITS(3));
}

static void add_method_cells(grid *g, const sweep *s, int method, size_t i, const settled *r) {
    grid_row(g);
    grid_text(g, "method", rod_method_name((rod_method)method));
    grid_number(g, "iterations", (double)sweep_counts[i]);
    grid_number(g, "us_min", 1e6 * s->time[method][i].min);
    grid_number(g, "us_median", 1e6 * s->time[method][i].median);
    grid_number(g, "edge_error", r->rod[s->own].edge_error);
}

static void add_notes(grid *g, const sweep *s) {
    grid_note(g,
              "%s. %zu elements of length %g, dt 10 ms, damping 0.02 a frame, full stiffness. "
              "time: a frame of one rod by the default variant (%s, %s, %s), minimum and median of "
              "%zu rounds in turns. edge length error: RMS of |edge| / rest length - 1 for all "
              "methods; the strains of `rodbench run` include shear where a method has it.",
              s->scene->what, s->scene->defaults.elements, s->lengths[s->own],
              sweep_variant(s, ROD_METHOD_QUATERNION)->name,
              sweep_variant(s, ROD_METHOD_PBER)->name, sweep_variant(s, ROD_METHOD_PBD)->name,
              s->rounds);
    grid_extra_text(g, "scene", s->scene->name);
    grid_extra_number(g, "rounds", (double)s->rounds);
}

static grid *create(const sweep *s, const char *suffix, const char *title) {
    char name[64];
    snprintf(name, sizeof name, "sweep-%s%s", s->scene->name, suffix);
    return grid_create(name, title);
}

static void add_frames(grid *g, const settled_rod *r) {
    if (r->is_still)
        grid_number(g, "frames", (double)r->frames);
    else
        grid_textf(g, "frames", ">%d", SETTLE_MOST_FRAMES);
}

/* Each count of each method. */
static grid *quality_grid(sweep *s) {
    grid *g = create(s, "", "Quality and time against iterations");
    add_notes(g, s);
    grid_note(g,
              "E: RMS distance of the settled centre line to the rest shape / length. Settled: "
              "kinetic energy below 1e-9 l^2, or E within 1e-5 of itself over 100 frames, at most "
              "%d frames: >%d has not settled, and its E is what it had come to.",
              SETTLE_MOST_FRAMES, SETTLE_MOST_FRAMES);
    add_method_columns(g);
    grid_column(g, "rest_distance", "E", "length", GRID_DIGITS(3));
    grid_column(g, "tip_drop", "tip below root", "length", GRID_DIGITS(3));
    grid_column(g, "frames", "frames to settle", "", GRID_GIVEN);
    for (int method = 0; method < ROD_METHODS; method++)
        for (size_t i = 0; i < s->counts; i++) {
            const settled *r = sweep_result(s, (rod_method)method, sweep_counts[i]);
            if (!r)
                return g;
            add_method_cells(g, s, method, i, r);
            grid_number(g, "rest_distance", r->rod[s->own].rest_distance);
            grid_number(g, "tip_drop", r->rod[s->own].tip_drop);
            add_frames(g, &r->rod[s->own]);
        }
    return g;
}

typedef struct {
    double quaternion_distance; /* E at the paper's count */
    double pber_count;          /* n*; NaN if there is none */
    double apart;               /* D* */
} equality;

static equality equality_of(sweep *s, size_t rod) {
    equality e = {NAN, NAN, NAN};
    const size_t paper = s->scene->iterations[ROD_METHOD_QUATERNION];
    const settled *quaternion = sweep_result(s, ROD_METHOD_QUATERNION, paper);
    if (!quaternion)
        return e;
    e.quaternion_distance = quaternion->rod[rod].rest_distance;
    const settled *pber = sweep_equal_quality(s, rod, e.quaternion_distance);
    quaternion = sweep_result(s, ROD_METHOD_QUATERNION, paper);
    if (!pber || !quaternion)
        return e;
    const size_t elements = s->scene->defaults.elements;
    e.pber_count = (double)pber->iterations;
    e.apart = settled_distance(quaternion, pber, rod, elements, s->lengths[rod] * (double)elements);
    return e;
}

static void find_equality(grid *g, const sweep *s, const equality *e) {
    const double paper = (double)s->scene->iterations[ROD_METHOD_PBER];
    const size_t own = s->scene->iterations[ROD_METHOD_QUATERNION];
    const equality *mine = &e[s->own];
    const char *verdict =
        mine->pber_count == paper ? "As in the paper, w" : "This differs from the paper: w";
    if (isnan(mine->pber_count))
        grid_finding(g,
                     "%sith elements of length %g no count up to %zu brings PBER as close to its "
                     "rest shape as %zu iterations bring the quaternion rod (the paper: %g).",
                     verdict, s->lengths[s->own], s->most, own, paper);
    else
        grid_finding(g,
                     "%sith elements of length %g PBER needs %g iterations to be as close to its "
                     "rest shape as the quaternion rod with %zu, where the paper ran %g%s. The "
                     "shapes are then %.2g %% of the length apart.",
                     verdict, s->lengths[s->own], mine->pber_count, own, paper,
                     paper == (double)own ? ", the same for both, and did not ask for equal quality"
                                          : "",
                     100.0 * mine->apart);
    const equality *last = &e[s->length_count - 1];
    if (s->length_count == 1 || isnan(e[0].pber_count) || isnan(last->pber_count))
        return;
    grid_finding(g,
                 "The count depends on the length of an element, which the paper does not give: "
                 "from %g iterations at %g to %g at %g.",
                 e[0].pber_count, s->lengths[0], last->pber_count, s->lengths[s->length_count - 1]);
}

/* Each element length. */
static grid *equality_grid(sweep *s) {
    grid *g = create(s, "-equal", "Iterations of PBER for the quality of the quaternion rod");
    equality e[SCENE_LENGTHS] = {{0}};
    grid_note(
        g, "n*: the smallest count at which PBER's E is not above the quaternion rod's at the "
           "paper's count, to 1 %% beyond 100. With weights of 1 a PBER rod is twice as heavy, as "
           "its ghost points weigh, too. D*: RMS distance of the two centre lines then / length.");
    grid_column(g, "element_length", "element length", "", GRID_GIVEN);
    grid_column(g, "quaternion_iterations", "quaternion", "iterations", GRID_GIVEN);
    grid_column(g, "quaternion_rest_distance", "its E", "length", GRID_DIGITS(3));
    grid_column(g, "pber_iterations", "PBER n*", "iterations", GRID_GIVEN);
    grid_column(g, "ratio", "n* / quaternion", "x", GRID_DIGITS(3));
    grid_column(g, "paper_iterations", "paper's PBER", "iterations", GRID_GIVEN);
    grid_column(g, "apart", "D*", "length", GRID_DIGITS(2));
    for (size_t rod = 0; rod < s->length_count; rod++) {
        e[rod] = equality_of(s, rod);
        const double own = (double)s->scene->iterations[ROD_METHOD_QUATERNION];
        grid_row(g);
        grid_number(g, "element_length", s->lengths[rod]);
        grid_number(g, "quaternion_iterations", own);
        grid_number(g, "quaternion_rest_distance", e[rod].quaternion_distance);
        grid_number(g, "pber_iterations", e[rod].pber_count);
        grid_number(g, "ratio", e[rod].pber_count / own);
        grid_number(g, "paper_iterations", (double)s->scene->iterations[ROD_METHOD_PBER]);
        grid_number(g, "apart", e[rod].apart);
    }
    progress_end();
    find_equality(g, s, e);
    return g;
}

/* ---------------------------------------------------------------- twisted scenes */

static void add_turn(grid *g, const char *column, double turn) {
    if (isnan(turn))
        grid_text(g, column, "none");
    else
        grid_number(g, column, turn);
}

/* Of a run's loop, beside those with many iterations if these were run. */
static void add_loop(grid *g, sweep *s, rod_method method, size_t rod, double turn) {
    add_turn(g, "loop_turn", turn);
    if (!sweep_has_references(s))
        return;
    const sweep_turns many = sweep_reference_turns(s, method, rod);
    add_turn(g, "many_least", many.least);
    add_turn(g, "many_most", many.most);
    add_turn(g, "lag", turn - many.median);
}

static void add_loop_columns(grid *g, const sweep *s) {
    grid_column(g, "loop_turn", "loop", "turns", GRID_DECIMALS(2));
    if (!sweep_has_references(s))
        return;
    grid_column(g, "many_least", "many, from", "turns", GRID_DECIMALS(2));
    grid_column(g, "many_most", "to", "turns", GRID_DECIMALS(2));
    grid_column(g, "lag", "lag", "turns", GRID_DECIMALS(2));
}

static void add_loop_note(grid *g, const sweep *s) {
    grid_note(g, "loop: turns of the end at which the writhe of the centre line first exceeds 0.5, "
                 "or jumps by 0.25 in a frame because the rod went through itself, up to 4.5 "
                 "turns; none: it never did.");
    if (!sweep_has_references(s))
        return;
    grid_note(g,
              "many: the first and last such turn of the method's runs with "
              "%zu, %zu, %zu and %zu iterations, which have not converged and scatter. lag: turns "
              "after their median; one that is smaller than what they scatter says nothing.",
              sweep_references[0], sweep_references[1], sweep_references[2], sweep_references[3]);
}

static grid *loop_grid(sweep *s) {
    grid *g = create(s, "", "Loops and time against iterations");
    add_notes(g, s);
    add_loop_note(g, s);
    add_method_columns(g);
    add_loop_columns(g, s);
    for (int method = 0; method < ROD_METHODS; method++)
        for (size_t i = 0; i < s->counts; i++) {
            const settled *r = sweep_result(s, (rod_method)method, sweep_counts[i]);
            if (!r)
                return g;
            add_method_cells(g, s, method, i, r);
            add_loop(g, s, (rod_method)method, s->own, r->rod[s->own].loop_turn);
        }
    return g;
}

static double turn_at(sweep *s, rod_method method, size_t iterations, size_t rod) {
    const settled *r = sweep_result(s, method, iterations);
    return r ? r->rod[rod].loop_turn : NAN;
}

/* The element length at which the two loop most nearly at the same turn, each at the paper's count.
 */
static void find_nearest_loops(grid *g, sweep *s, size_t q, size_t p) {
    size_t nearest = s->own;
    double apart = INFINITY;
    for (size_t rod = 0; rod < s->length_count; rod++) {
        const double d =
            fabs(turn_at(s, ROD_METHOD_QUATERNION, q, rod) - turn_at(s, ROD_METHOD_PBER, p, rod));
        if (d < apart) {
            apart = d;
            nearest = rod;
        }
    }
    if (nearest != s->own)
        grid_finding(g,
                     "The length of an element, which the paper does not give, decides this, too: "
                     "they come closest at %g, with %.2f and %.2f turns.",
                     s->lengths[nearest], turn_at(s, ROD_METHOD_QUATERNION, q, nearest),
                     turn_at(s, ROD_METHOD_PBER, p, nearest));
}

static void find_many(grid *g, sweep *s) {
    const sweep_turns q = sweep_reference_turns(s, ROD_METHOD_QUATERNION, s->own);
    const sweep_turns p = sweep_reference_turns(s, ROD_METHOD_PBER, s->own);
    grid_finding(g,
                 "With %zu to %zu iterations and elements of %g the quaternion rod loops at %.2f "
                 "to %.2f turns and PBER at %.2f to %.2f: they are different materials, and more "
                 "iterations do not make them equal.",
                 sweep_references[0], sweep_references[SWEEP_REFERENCES - 1], s->lengths[s->own],
                 q.least, q.most, p.least, p.most);
}

static void find_loops(grid *g, sweep *s) {
    const size_t q = s->scene->iterations[ROD_METHOD_QUATERNION];
    const size_t p = s->scene->iterations[ROD_METHOD_PBER];
    grid_finding(g,
                 "This differs from the paper, which found %zu iterations of the quaternion rod "
                 "and %zu of PBER to look nearly the same: with elements of length %g these loop "
                 "at %.2f and %.2f turns.",
                 q, p, s->lengths[s->own], turn_at(s, ROD_METHOD_QUATERNION, q, s->own),
                 turn_at(s, ROD_METHOD_PBER, p, s->own));
    find_nearest_loops(g, s, q, p);
    if (sweep_has_references(s))
        find_many(g, s);
    grid_finding(g, "PBD strands have no twist to turn and do not loop.");
}

static grid *loop_length_grid(sweep *s) {
    grid *g = create(s, "-lengths", "Loops against the length of an element");
    grid_note(g, "At the paper's counts.");
    add_loop_note(g, s);
    grid_column(g, "element_length", "element length", "", GRID_GIVEN);
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "iterations", "iterations", "", GRID_GIVEN);
    add_loop_columns(g, s);
    for (size_t rod = 0; rod < s->length_count; rod++)
        for (int method = 0; method < ROD_METHOD_PBD; method++) {
            const size_t n = s->scene->iterations[method];
            grid_row(g);
            grid_number(g, "element_length", s->lengths[rod]);
            grid_text(g, "method", rod_method_name((rod_method)method));
            grid_number(g, "iterations", (double)n);
            add_loop(g, s, (rod_method)method, rod, turn_at(s, (rod_method)method, n, rod));
        }
    find_loops(g, s);
    return g;
}

/* ---------------------------------------------------------------- the command */

static int show(sweep *s, const output *shown) {
    const bool twisted = s->scene->is_twisted;
    grid *grids[2];
    grids[0] = twisted ? loop_grid(s) : quality_grid(s);
    grids[1] = twisted ? loop_length_grid(s) : equality_grid(s);
    const int code = s->status == ROD_OK
                         ? output_grids("sweep", shown, grids, 2)
                         : options_complain("sweep", "%s", rod_status_text(s->status));
    grid_destroy(grids[0]);
    grid_destroy(grids[1]);
    return code;
}

static bool is_accepted(const scene *s) {
    return strcmp(s->name, "scene1") == 0 || strcmp(s->name, "scene2") == 0 ||
           strcmp(s->name, "scene3") == 0;
}

/* 0.3248 as it was typed, not as the float next to it: it is shown. */
static double decimal(float length) {
    char text[32];
    snprintf(text, sizeof text, "%.7g", (double)length);
    return strtod(text, NULL);
}

int command_sweep(int argc, char **argv) {
    size_t rounds = 5, most = SWEEP_MOST_ITERATIONS;
    float length = 0.0f;
    const char *name = NULL;
    output shown = {0};
    enum { OWN = 3, LEAST_MOST = 80 }; /* what the paper ran is always there */
    option options[OWN + OUTPUT_OPTIONS] = {
        {"--rounds", "N", "samples of each time, in turns (5)", OPTION_COUNT, &rounds, 1, 1000},
        {"--length", "L", "of an element, only this (0.1, 0.2, 0.3248 and 1, rows of 0.3248)",
         OPTION_NUMBER, &length, 0, 0},
        {"--most", "N", "iterations of any run; below 1000 loops are compared with none (2048)",
         OPTION_COUNT, &most, LEAST_MOST, SWEEP_MOST_ITERATIONS}};
    output_options(&shown, options + OWN);
    if (options_help(argc, argv, "sweep SCENE [options]",
                     "Runs a scene of KS16's table 1 by every method with 1 to 200 iterations: "
                     "time, edge length error, distance\nto the rest shape, and the iterations at "
                     "which PBER is as good as the quaternion rod at the paper's\ncount, for "
                     "several lengths of an element. For scene3 the turn at which the rod loops, "
                     "instead. Takes\nup to a few minutes. Scenes: scene1 scene2 scene3.",
                     options, OWN + OUTPUT_OPTIONS))
        return EXIT_DONE;
    if (!options_read("sweep", argc, argv, options, OWN + OUTPUT_OPTIONS, &name) ||
        !output_check("sweep", &shown))
        return EXIT_WRONG_USAGE;
    const scene *chosen = name ? scene_named(name) : NULL;
    if (!chosen || !is_accepted(chosen))
        return options_complain("sweep", "%s%s%s; accepted: scene1 scene2 scene3",
                                name ? "no sweep of '" : "no scene given", name ? name : "",
                                name ? "'" : "");
    sweep s;
    sweep_run(&s, chosen, decimal(length), most, rounds);
    const int code = s.status == ROD_OK
                         ? show(&s, &shown)
                         : options_complain("sweep", "%s", rod_status_text(s.status));
    sweep_finish(&s);
    return code;
}
