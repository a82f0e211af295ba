/* `rodbench sweep SCENE`: quality and time against iterations, and the iterations at which PBER is
 * as good as the quaternion rod at the paper's count. */

#include "commands.h"

#include "output.h"
#include "progress.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- the grids */

static void add_method_columns(grid *g) {
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "iterations", "iterations", "", GRID_GIVEN);
    grid_column(g, "us_min", "time", "us", GRID_DIGITS(3));
    grid_column(g, "us_median", "median", "us", GRID_DIGITS(3));
    grid_column(g, "stretch_rms", "stretch error", "rms", GRID_DIGITS(3));
}

static void add_method_cells(grid *g, const sweep *s, int method, size_t i, const settled *r) {
    grid_row(g);
    grid_text(g, "method", rod_method_name((rod_method)method));
    grid_number(g, "iterations", (double)sweep_counts[i]);
    grid_number(g, "us_min", 1e6 * s->time[method][i].min);
    grid_number(g, "us_median", 1e6 * s->time[method][i].median);
    grid_number(g, "stretch_rms", r->rod[SWEEP_OWN_LENGTH].stretch_rms);
}

static void add_notes(grid *g, const sweep *s) {
    grid_note(
        g,
        "%s. %zu elements of length %g, dt 10 ms, damping 0.02 a frame, full stiffness. time: "
        "a frame of one rod by the default variant (%s, %s, %s), minimum and median of %zu "
        "rounds in turns.",
        s->scene->what, s->scene->defaults.elements, sweep_lengths[SWEEP_OWN_LENGTH],
        rod_variant_default(ROD_METHOD_QUATERNION, 1)->name,
        rod_variant_default(ROD_METHOD_PBER, 1)->name, rod_variant_default(ROD_METHOD_PBD, 1)->name,
        s->rounds);
    grid_extra_text(g, "scene", s->scene->name);
    grid_extra_number(g, "rounds", (double)s->rounds);
}

static grid *create(const sweep *s, const char *suffix, const char *title) {
    char name[64];
    snprintf(name, sizeof name, "sweep-%s%s", s->scene->name, suffix);
    return grid_create(name, title);
}

/* Each count of each method. */
static grid *quality_grid(sweep *s) {
    grid *g = create(s, "", "Quality and time against iterations");
    add_notes(g, s);
    grid_note(g, "E: RMS distance of the settled centre line to the rest shape / length. Settled: "
                 "kinetic energy below 1e-9 l^2, or E within 1e-5 of itself over 100 frames, at "
                 "most 3000 frames.");
    add_method_columns(g);
    grid_column(g, "rest_distance", "E", "length", GRID_DIGITS(3));
    grid_column(g, "tip_drop", "tip below root", "length", GRID_DIGITS(3));
    grid_column(g, "frames", "frames to settle", "", GRID_GIVEN);
    for (int method = 0; method < ROD_METHODS; method++)
        for (size_t i = 0; i < SWEEP_COUNTS; i++) {
            const settled *r = sweep_result(s, (rod_method)method, sweep_counts[i]);
            if (!r)
                return g;
            add_method_cells(g, s, method, i, r);
            grid_number(g, "rest_distance", r->rod[SWEEP_OWN_LENGTH].rest_distance);
            grid_number(g, "tip_drop", r->rod[SWEEP_OWN_LENGTH].tip_drop);
            grid_number(g, "frames", (double)r->frames);
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
    e.apart =
        settled_distance(quaternion, pber, rod, elements, sweep_lengths[rod] * (double)elements);
    return e;
}

static void find_equality(grid *g, const sweep *s, const equality *e) {
    const double paper = (double)s->scene->iterations[ROD_METHOD_PBER];
    const size_t own = s->scene->iterations[ROD_METHOD_QUATERNION];
    const equality *mine = &e[SWEEP_OWN_LENGTH];
    const char *verdict = paper == (double)own ? "The paper runs both with the same iterations: w"
                          : mine->pber_count == paper ? "W"
                                                      : "This differs from the paper: w";
    if (isnan(mine->pber_count))
        grid_finding(g,
                     "%sith elements of length %g no count up to %d brings PBER as close to its "
                     "rest shape as %zu iterations bring the quaternion rod (the paper: %g).",
                     verdict, sweep_lengths[SWEEP_OWN_LENGTH], SWEEP_MOST_ITERATIONS, own, paper);
    else
        grid_finding(g,
                     "%sith elements of length %g PBER needs %g iterations to be as close to its "
                     "rest shape as the quaternion rod with %zu; the paper ran %g. The shapes are "
                     "then %.2g %% of the length apart.",
                     verdict, sweep_lengths[SWEEP_OWN_LENGTH], mine->pber_count, own, paper,
                     100.0 * mine->apart);
    grid_finding(g,
                 "The count depends on the length of an element, which the paper does not give: "
                 "from %g iterations at %g to %g at %g.",
                 e[0].pber_count, sweep_lengths[0], e[SCENE_LENGTHS - 1].pber_count,
                 sweep_lengths[SCENE_LENGTHS - 1]);
}

/* Each element length. */
static grid *equality_grid(sweep *s) {
    grid *g = create(s, "-equal", "Iterations of PBER for the quality of the quaternion rod");
    equality e[SCENE_LENGTHS];
    grid_note(
        g, "n*: the smallest count at which PBER's E is not above the quaternion rod's at the "
           "paper's count, to 1 %% beyond 100. With weights of 1 a PBER rod is twice as heavy, as "
           "its ghost points weigh, too. D*: RMS distance of the two centre lines then / "
           "length.");
    grid_column(g, "element_length", "element length", "", GRID_GIVEN);
    grid_column(g, "quaternion_iterations", "quaternion", "iterations", GRID_GIVEN);
    grid_column(g, "quaternion_rest_distance", "its E", "length", GRID_DIGITS(3));
    grid_column(g, "pber_iterations", "PBER n*", "iterations", GRID_GIVEN);
    grid_column(g, "ratio", "n* / quaternion", "x", GRID_DIGITS(3));
    grid_column(g, "paper_iterations", "paper's PBER", "iterations", GRID_GIVEN);
    grid_column(g, "apart", "D*", "length", GRID_DIGITS(2));
    for (size_t rod = 0; rod < SCENE_LENGTHS; rod++) {
        e[rod] = equality_of(s, rod);
        const double own = (double)s->scene->iterations[ROD_METHOD_QUATERNION];
        grid_row(g);
        grid_number(g, "element_length", sweep_lengths[rod]);
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

static double converged_turn(sweep *s, rod_method method, size_t rod) {
    const settled *r = sweep_result(s, method, SWEEP_CONVERGED);
    return r ? r->rod[rod].loop_turn : NAN;
}

static void add_turn(grid *g, const char *column, double turn) {
    if (isnan(turn))
        grid_text(g, column, "none");
    else
        grid_number(g, column, turn);
}

static grid *loop_grid(sweep *s) {
    grid *g = create(s, "", "Loops and time against iterations");
    add_notes(g, s);
    grid_note(g,
              "loop: turns of the end at which the writhe of the centre line first exceeds 0.5, up "
              "to 4.5 turns; none: it never did. lag: turns after the method's own run with %d "
              "iterations.",
              SWEEP_CONVERGED);
    add_method_columns(g);
    grid_column(g, "loop_turn", "loop", "turns", GRID_DECIMALS(2));
    grid_column(g, "lag", "lag", "turns", GRID_DECIMALS(2));
    for (int method = 0; method < ROD_METHODS; method++) {
        const double converged = converged_turn(s, (rod_method)method, SWEEP_OWN_LENGTH);
        for (size_t i = 0; i < SWEEP_COUNTS; i++) {
            const settled *r = sweep_result(s, (rod_method)method, sweep_counts[i]);
            if (!r)
                return g;
            add_method_cells(g, s, method, i, r);
            const double turn = r->rod[SWEEP_OWN_LENGTH].loop_turn;
            add_turn(g, "loop_turn", turn);
            grid_number(g, "lag", turn - converged);
        }
    }
    return g;
}

static void find_loops(grid *g, sweep *s) {
    const size_t q = s->scene->iterations[ROD_METHOD_QUATERNION];
    const size_t p = s->scene->iterations[ROD_METHOD_PBER];
    const settled *quaternion = sweep_result(s, ROD_METHOD_QUATERNION, q);
    const double q_turn = quaternion ? quaternion->rod[SWEEP_OWN_LENGTH].loop_turn : NAN;
    const settled *pber = sweep_result(s, ROD_METHOD_PBER, p);
    const double p_turn = pber ? pber->rod[SWEEP_OWN_LENGTH].loop_turn : NAN;
    grid_finding(g,
                 "Converged, the quaternion rod loops at %.2f turns and PBER at %.2f: they are "
                 "different materials, and no count of iterations makes them equal. This differs "
                 "from the paper, which found %zu and %zu to look nearly the same; here these loop "
                 "at %.2f and %.2f turns.",
                 converged_turn(s, ROD_METHOD_QUATERNION, SWEEP_OWN_LENGTH),
                 converged_turn(s, ROD_METHOD_PBER, SWEEP_OWN_LENGTH), q, p, q_turn, p_turn);
    grid_finding(g, "PBD strands have no twist to turn and do not loop.");
}

static grid *loop_length_grid(sweep *s) {
    grid *g = create(s, "-lengths", "Loops against the length of an element");
    grid_note(g, "At the paper's counts, and converged.");
    grid_column(g, "element_length", "element length", "", GRID_GIVEN);
    grid_column(g, "method", "method", "", GRID_TEXT);
    grid_column(g, "iterations", "iterations", "", GRID_GIVEN);
    grid_column(g, "loop_turn", "loop", "turns", GRID_DECIMALS(2));
    grid_column(g, "converged_turn", "converged", "turns", GRID_DECIMALS(2));
    grid_column(g, "lag", "lag", "turns", GRID_DECIMALS(2));
    for (size_t rod = 0; rod < SCENE_LENGTHS; rod++)
        for (int method = 0; method < ROD_METHOD_PBD; method++) {
            const size_t n = s->scene->iterations[method];
            const settled *r = sweep_result(s, (rod_method)method, n);
            const double turn = r ? r->rod[rod].loop_turn : NAN;
            const double converged = converged_turn(s, (rod_method)method, rod);
            grid_row(g);
            grid_number(g, "element_length", sweep_lengths[rod]);
            grid_text(g, "method", rod_method_name((rod_method)method));
            grid_number(g, "iterations", (double)n);
            add_turn(g, "loop_turn", turn);
            add_turn(g, "converged_turn", converged);
            grid_number(g, "lag", turn - converged);
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

int command_sweep(int argc, char **argv) {
    size_t rounds = 5;
    const char *name = NULL;
    output shown = {0};
    option options[1 + OUTPUT_OPTIONS] = {
        {"--rounds", "N", "samples of each time, in turns (5)", OPTION_COUNT, &rounds, 1, 1000}};
    output_options(&shown, options + 1);
    if (options_help(
            argc, argv, "sweep SCENE [options]",
            "Runs a scene of KS16's table 1 by every method with 1 to 200 iterations: time, "
            "stretch error, distance\nto the rest shape, and the iterations at which PBER "
            "is as good as the quaternion rod at the paper's\ncount, for several lengths "
            "of an element. For scene3 the turn at which the rod loops, instead. Takes\nup "
            "to a few minutes. Scenes: scene1 scene2 scene3.",
            options, 1 + OUTPUT_OPTIONS))
        return EXIT_DONE;
    if (!options_read("sweep", argc, argv, options, 1 + OUTPUT_OPTIONS, &name) ||
        !output_check("sweep", &shown))
        return EXIT_WRONG_USAGE;
    const scene *chosen = name ? scene_named(name) : NULL;
    if (!chosen || !is_accepted(chosen))
        return options_complain("sweep", "%s%s%s; accepted: scene1 scene2 scene3",
                                name ? "no sweep of '" : "no scene given", name ? name : "",
                                name ? "'" : "");
    sweep s;
    sweep_run(&s, chosen, rounds);
    const int code = s.status == ROD_OK
                         ? show(&s, &shown)
                         : options_complain("sweep", "%s", rod_status_text(s.status));
    sweep_finish(&s);
    return code;
}
