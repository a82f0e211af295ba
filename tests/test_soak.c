/* Rods driven to extremes and released, in every scene and by every method: they stay finite, their
 * orientations stay units, and they come back; what does not is named by rod_get_figures.
 *
 * Environment: ROD_SOAK_SEEDS, rods of each kind, every one with random numbers of its own (default
 * 2); ROD_SOAK_TABLE, a file for the table of what was tried and held (`make soak`); ROD_SOAK_ONLY,
 * the one extreme that is tried. */

#include "batch_property.h"
#include "soak_extremes.h"

enum { DRIVEN_FRAMES = 60, RELEASED_FRAMES = 1500, CHECK_EVERY = 100, LONGEST_RELEASED = 1000 };

/* What became of the rods of one extreme and method, over all scenes. */
typedef struct {
    size_t rods;
    size_t broken;  /* not finite, as figures say */
    size_t silent;  /* not finite or no unit, or not back, and figures do not say so */
    size_t back;    /* unstretched again when released */
    size_t apart;   /* stretched when released, as figures say */
    size_t lagging; /* not at their lengths yet, as figures say; those apart among them */
    size_t bent;    /* unstretched again, but in another shape than at rest, as strain says */
} outcome;

static size_t seeds = 2;

/* ---------------------------------------------------------------- what a rod is like */

static bool is_finite(const rod_batch *batch, rod_quantity quantity, size_t rod) {
    if (!rod_method_has(rod_method_of(batch), quantity))
        return true;
    const size_t floats = rod_floats(batch, quantity, rod, 1);
    float *values = read_quantity(batch, quantity, rod, 1);
    bool finite = true;
    for (size_t i = 0; i < floats; i++)
        finite = finite && isfinite(values[i]);
    free(values);
    return finite;
}

static bool is_unit(const rod_batch *batch, size_t rod) {
    if (!rod_method_has(rod_method_of(batch), ROD_ORIENTATIONS))
        return true;
    const size_t floats = rod_floats(batch, ROD_ORIENTATIONS, rod, 1);
    float *q = read_quantity(batch, ROD_ORIENTATIONS, rod, 1);
    bool unit = true;
    for (size_t i = 0; i < floats; i += 4) {
        double square = 0;
        for (size_t c = 0; c < 4; c++)
            square += (double)q[i + c] * (double)q[i + c];
        unit = unit && fabs(square - 1) < 1e-5;
    }
    free(q);
    return unit;
}

static bool is_sound(const rod_batch *batch, size_t rod) {
    return is_finite(batch, ROD_POSITIONS, rod) && is_finite(batch, ROD_VELOCITIES, rod) &&
           is_finite(batch, ROD_ORIENTATIONS, rod) &&
           is_finite(batch, ROD_ANGULAR_VELOCITIES, rod) && is_finite(batch, ROD_GHOSTS, rod) &&
           is_unit(batch, rod);
}

static bool is_back(const rod_batch *batch, size_t rod) {
    rod_strain strain;
    assert_ok(rod_get_strain(batch, rod, &strain));
    return strain.stretch_rms < 0.05f && fabs((double)strain.length_ratio - 1) < 0.05;
}

/* In another shape that it rests in: a loop between two clamped ends, a fold of a strand. */
static bool is_bent(const rod_batch *batch, size_t rod) {
    rod_strain strain;
    assert_ok(rod_get_strain(batch, rod, &strain));
    return is_back(batch, rod) && strain.bend_rms > 0.05f;
}

static size_t count_rods(const rod_batch *batch, bool (*is_so)(const rod_batch *, size_t)) {
    size_t count = 0;
    for (size_t rod = 0; rod < rod_count(batch); rod++)
        count += is_so(batch, rod) ? 1 : 0;
    return count;
}

/* ---------------------------------------------------------------- one scene */

static void drive(const soak_extreme *extreme, soak_subject *subject) {
    rod_step_settings s = subject->settings.step;
    s.frames = 1;
    if (extreme->dt > 0)
        s.dt = extreme->dt;
    const size_t frames = subject->settings.elements > LONGEST_RELEASED ? 5 : DRIVEN_FRAMES;
    for (size_t frame = 0; frame < frames; frame++) {
        if (extreme->drive)
            extreme->drive(subject, frame);
        assert_ok(rod_step(subject->batch, &s));
    }
}

/* Without gravity and with the scene's own settings; long rods would take hours to come back. */
static void release(const soak_extreme *extreme, soak_subject *subject) {
    const bool rods = rod_method_of(subject->batch) != ROD_METHOD_PBD; /* strands apart stay so */
    const size_t frames = rods && extreme->released > 0 ? extreme->released : RELEASED_FRAMES;
    rod_step_settings s = subject->settings.step;
    s.frames = CHECK_EVERY;
    s.damping = 0.05f;
    memset(s.gravity, 0, sizeof s.gravity);
    soak_restore(subject);
    for (size_t frame = 0; frame < frames; frame += CHECK_EVERY) {
        assert_ok(rod_step(subject->batch, &s));
        if (count_rods(subject->batch, is_back) == seeds)
            return;
    }
}

static rod_figures figures_of(const rod_batch *batch) {
    rod_figures figures;
    assert_ok(rod_get_figures(batch, &figures));
    return figures;
}

/* Rods that are unsound, of which figures must count as many as broken. */
static size_t count_broken(const rod_batch *batch, size_t *silent) {
    const size_t unsound = seeds - count_rods(batch, is_sound);
    const size_t broken = figures_of(batch).broken_rods;
    *silent += unsound > broken ? unsound - broken : 0;
    return broken;
}

static void soak(const soak_extreme *extreme, const scene *of, rod_method method, outcome *o) {
    soak_subject subject;
    assert_ok(soak_start(extreme, of, method, seeds, test_seed, &subject));
    if (extreme->start)
        extreme->start(&subject);
    drive(extreme, &subject);
    const size_t driven = count_broken(subject.batch, &o->silent);
    if (subject.settings.elements <= LONGEST_RELEASED)
        release(extreme, &subject);
    const size_t released = count_broken(subject.batch, &o->silent);
    o->rods += seeds;
    o->broken += driven > released ? driven : released;
    o->back += count_rods(subject.batch, is_back);
    o->bent += count_rods(subject.batch, is_bent);
    o->apart += figures_of(subject.batch).stretched_rods;
    o->lagging += figures_of(subject.batch).strained_rods;
    soak_finish(&subject);
}

/* ---------------------------------------------------------------- all of them */

static void print_cell(FILE *file, const outcome *o, bool released) {
    fprintf(file, " held %zu of %zu", o->rods - o->broken - o->silent, o->rods);
    if (released)
        fprintf(file, ", back %zu", o->back);
    if (released && o->bent > 0)
        fprintf(file, " (%zu bent)", o->bent);
    if (o->broken > 0)
        fprintf(file, ", %zu reported as broken", o->broken);
    if (o->apart > 0)
        fprintf(file, ", %zu reported as stretched", o->apart);
    if (released && o->lagging > o->apart)
        fprintf(file, ", %zu more as strained", o->lagging - o->apart);
    if (released && o->rods > o->back + o->lagging)
        fprintf(file, ", **%zu neither back nor reported**", o->rods - o->back - o->lagging);
    fprintf(file, " |");
}

static FILE *table;

/* All hold. Quaternion rods and PBER come back; strands at full stiffness may fly apart (rod.h),
 * and then figures say so. */
static void assert_outcome(const soak_extreme *extreme, rod_method method, const outcome *o) {
    assert_at_most((double)o->silent, 0);
    assert_at_most((double)o->broken, 0);
    if (extreme->elements > LONGEST_RELEASED)
        return; /* not released */
    const size_t lost = o->rods - o->back;
    const size_t lagging = extreme->may_lag ? o->lagging : 0;
    assert_at_most((double)lost, (double)(method == ROD_METHOD_PBD ? o->apart : lagging));
}

static void run_extreme(void **state) {
    const soak_extreme *extreme = *state;
    outcome of[ROD_METHODS] = {{0}};
    for (int method = 0; method < ROD_METHODS; method++)
        for (size_t i = 0; i < scene_count(); i++) {
            snprintf(test_subject, sizeof test_subject, "in %s, %s, %s", extreme->what,
                     scene_at(i)->name, rod_method_name((rod_method)method));
            soak(extreme, scene_at(i), (rod_method)method, &of[method]);
        }
    if (table)
        fprintf(table, "| %s |", extreme->what);
    for (int method = 0; table && method < ROD_METHODS; method++)
        print_cell(table, &of[method], extreme->elements <= LONGEST_RELEASED);
    if (table) {
        fprintf(table, "\n");
        fflush(table);
    }
    for (int method = 0; method < ROD_METHODS; method++) {
        snprintf(test_subject, sizeof test_subject, "in %s, %s", extreme->what,
                 rod_method_name((rod_method)method));
        assert_outcome(extreme, (rod_method)method, &of[method]);
    }
}

static void print_head(void) {
    fprintf(
        table,
        "# Tried and held\n\n"
        "Written by `make soak`: %zu rods, each with a seed of its own, of each of the %zu "
        "scenes, by every method\n"
        "(the default variant). They are driven for %d frames and then released, without "
        "gravity, for %d frames\n"
        "at most, rods of 1000 elements for 60,000; 100,000 elements are driven for 5 and not "
        "released.\n\n"
        "- *held*: positions, velocities and orientations finite, orientations units.\n"
        "- *back*: unstretched to 5 %% when released.\n"
        "- *bent*: back, but not in its rest shape; `bend_rms` of `rod_get_strain` is above 0.05.\n"
        "- *reported*: counted by `rod_get_figures`; *strained*: not back at its lengths, which is "
        "allowed from one\n"
        "  point at rest only: PBER between two clamps stays on the line there, with edges short "
        "and long in turn.\n"
        "  Strands at full stiffness fly apart where elements are folded back on each other. What "
        "is **neither back\n"
        "  nor reported** is a failure.\n\n"
        "| extreme | quaternion rods | PBER | PBD strands |\n|---|---|---|---|\n",
        seeds, scene_count(), DRIVEN_FRAMES, RELEASED_FRAMES);
}

/* False if a variable is set but is no use. */
static bool read_environment(void) {
    const char *count = getenv("ROD_SOAK_SEEDS"), *path = getenv("ROD_SOAK_TABLE");
    if (count && (sscanf(count, "%zu", &seeds) != 1 || seeds == 0 || seeds > 1000)) {
        fprintf(stderr, "soak: ROD_SOAK_SEEDS is not a number from 1 to 1000\n");
        return false;
    }
    if (!path)
        return true;
    table = fopen(path, "w");
    if (table)
        print_head();
    else
        fprintf(stderr, "soak: cannot write '%s'\n", path);
    return table != NULL;
}

static bool is_tried(const soak_extreme *extreme) {
    const char *only = getenv("ROD_SOAK_ONLY");
    return only ? strcmp(only, extreme->what) == 0 : table || !extreme->is_long;
}

int main(void) {
    struct CMUnitTest all[soak_extreme_count];
    size_t count = 0;
    if (!read_seed("soak") || !read_environment())
        return 1;
    for (size_t i = 0; i < soak_extreme_count; i++)
        if (is_tried(&soak_extremes[i]))
            all[count++] = (struct CMUnitTest){.name = soak_extremes[i].what,
                                               .test_func = run_extreme,
                                               .initial_state = (void *)&soak_extremes[i]};
    const int failed = _cmocka_run_group_tests("soak", all, count, NULL, NULL);
    if (table)
        fclose(table);
    return failed;
}
