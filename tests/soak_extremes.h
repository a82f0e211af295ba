/* What rods are put through, see test_soak.c. */
#ifndef ROD_TEST_SOAK_EXTREMES_H
#define ROD_TEST_SOAK_EXTREMES_H

#include "batch_property.h"

/* Rods of one scene and method, and what they are given back when they are released. */
typedef struct {
    rod_batch *batch;
    scene_settings settings;
    rod_random random;
    size_t floats;
    float *rest;              /* positions as the scene set them */
    float *turns;             /* orientations, NULL of strands */
    rod_stiffness stiffness;  /* the scene's */
    float *masses, *turnings; /* inverse masses; weights of orientations, NULL of strands */
} soak_subject;

typedef struct {
    const char *what;
    float dt;        /* 0: the scene's */
    size_t elements; /* 0: the scene's, of which 50 at most */
    size_t released; /* frames to come back in; 0: 1500 */
    bool is_long;    /* takes minutes */
    bool may_lag;    /* that all come back is not promised, only that figures tell */
    void (*start)(soak_subject *subject);
    void (*drive)(soak_subject *subject, size_t frame);
} soak_extreme;

static inline bool soak_has_turns(const soak_subject *s) {
    return rod_method_has(rod_method_of(s->batch), ROD_ORIENTATION_WEIGHTS);
}

static inline void soak_set(soak_subject *s, rod_quantity quantity, const float *values) {
    assert_ok(rod_set(s->batch, quantity, 0, rod_count(s->batch), values));
}

static inline float *soak_read(const soak_subject *s, rod_quantity quantity) {
    return read_quantity(s->batch, quantity, 0, rod_count(s->batch));
}

/* ---------------------------------------------------------------- beginning and end */

/* Velocities of up to a tenth of the length of 50 elements a second, so that no two rods do the
 * same. */
static inline void soak_kick(soak_subject *s) {
    const size_t floats = rod_floats(s->batch, ROD_VELOCITIES, 0, rod_count(s->batch));
    const size_t n = s->settings.elements < 50 ? s->settings.elements : 50;
    const double reach = 0.1 * (double)s->settings.lengths[0] * (double)n;
    float *v = soak_read(s, ROD_VELOCITIES);
    for (size_t i = 0; i < floats; i++)
        v[i] = (float)rod_random_between(&s->random, -reach, reach);
    soak_set(s, ROD_VELOCITIES, v);
    free(v);
}

static inline rod_status soak_start(const soak_extreme *extreme, const scene *of, rod_method method,
                                    size_t rods, uint64_t seed, soak_subject *s) {
    *s = (soak_subject){.settings = scene_defaults(of, method), .random = rod_random_seed(seed)};
    s->settings.rods = rods;
    s->settings.seed = seed;
    if (s->settings.elements > 50)
        s->settings.elements = 50;
    if (extreme->elements > 0)
        s->settings.elements = extreme->elements;
    if (s->settings.step.iterations > 20)
        s->settings.step.iterations = 20;
    rod_options options = rod_options_default();
    options.method = method;
    scene_run *run = NULL;
    rod_status status = rod_create(&s->batch, rods, s->settings.elements, &options);
    if (status == ROD_OK)
        status = scene_start(of, &s->settings, s->batch, &run);
    scene_finish(run);
    if (status != ROD_OK)
        return status;
    s->floats = rod_floats(s->batch, ROD_POSITIONS, 0, rods);
    s->rest = soak_read(s, ROD_POSITIONS);
    s->masses = soak_read(s, ROD_INVERSE_MASSES);
    s->turnings = soak_has_turns(s) ? soak_read(s, ROD_ORIENTATION_WEIGHTS) : NULL;
    s->turns = soak_has_turns(s) ? soak_read(s, ROD_ORIENTATIONS) : NULL;
    soak_kick(s);
    return rod_get_stiffness(s->batch, 0, &s->stiffness);
}

static inline void soak_stiffen(soak_subject *s, const rod_stiffness *k) {
    for (size_t rod = 0; rod < rod_count(s->batch); rod++)
        assert_ok(rod_set_stiffness(s->batch, rod, k));
}

static inline void soak_put_turned_back(soak_subject *s) {
    const size_t n = s->settings.elements;
    for (size_t rod = 0; rod < rod_count(s->batch); rod++)
        for (size_t e = 0; e < n; e++)
            if (!(s->turnings[rod * n + e] > 0.0f))
                assert_ok(rod_move_orientation(s->batch, rod, e, &s->turns[4 * (rod * n + e)]));
}

/* What the scene pins is where it was at rest: scenes that are twisted have their end there. */
static inline void soak_put_pinned_back(soak_subject *s) {
    const size_t particles = s->settings.elements + 1;
    for (size_t rod = 0; rod < rod_count(s->batch); rod++)
        for (size_t i = 0; i < particles; i++)
            if (!(s->masses[rod * particles + i] > 0.0f))
                assert_ok(rod_move_particle(s->batch, rod, i, &s->rest[3 * (rod * particles + i)]));
}

static inline void soak_restore(soak_subject *s) {
    soak_stiffen(s, &s->stiffness);
    soak_set(s, ROD_INVERSE_MASSES, s->masses);
    soak_put_pinned_back(s);
    if (!s->turnings)
        return;
    soak_set(s, ROD_ORIENTATION_WEIGHTS, s->turnings);
    soak_put_turned_back(s); /* a ghost point goes beside its particles, which are there now */
}

static inline void soak_finish(soak_subject *s) {
    rod_destroy(s->batch);
    free(s->rest);
    free(s->masses);
    free(s->turnings);
    free(s->turns);
}

/* ---------------------------------------------------------------- extremes */

static inline void soak_loosen(soak_subject *s) {
    soak_stiffen(s, &(rod_stiffness){0});
}

static inline void soak_harden(soak_subject *s) {
    soak_stiffen(s, &(rod_stiffness){1, 1, 1, 1, 1, 1});
}

/* Each weight that is not 0 becomes one from 1e-6 to 1e6. */
static inline void soak_weigh(soak_subject *s, rod_quantity quantity, bool in_turn) {
    const size_t floats = rod_floats(s->batch, quantity, 0, rod_count(s->batch));
    float *w = soak_read(s, quantity);
    for (size_t i = 0; i < floats; i++) {
        const double exponent =
            in_turn ? (i % 2 == 0 ? -6 : 6) : rod_random_between(&s->random, -6, 6);
        w[i] = w[i] > 0.0f ? (float)pow(10, exponent) : 0.0f;
    }
    soak_set(s, quantity, w);
    free(w);
}

static inline void soak_weigh_at_random(soak_subject *s) {
    soak_weigh(s, ROD_INVERSE_MASSES, false);
    if (soak_has_turns(s))
        soak_weigh(s, ROD_ORIENTATION_WEIGHTS, false);
}

static inline void soak_weigh_in_turn(soak_subject *s) {
    soak_weigh(s, ROD_INVERSE_MASSES, true);
    if (soak_has_turns(s))
        soak_weigh(s, ROD_ORIENTATION_WEIGHTS, true);
}

/* Moves all particles but the first two, which are clamped, of each rod: x = a + k (x - a). */
static inline void soak_scale(soak_subject *s, float k) {
    const size_t particles = s->settings.elements + 1;
    float *x = soak_read(s, ROD_POSITIONS);
    for (size_t rod = 0; rod < rod_count(s->batch); rod++)
        for (size_t i = 2; i < particles; i++)
            for (size_t c = 0; c < 3; c++) {
                const float start = x[3 * rod * particles + c];
                float *at = &x[3 * (rod * particles + i) + c];
                *at = start + k * (*at - start);
            }
    soak_set(s, ROD_POSITIONS, x);
    free(x);
}

static inline void soak_stretch(soak_subject *s) {
    soak_scale(s, 100.0f);
}

/* Everything of a rod is where it begins: what is clamped and PBER's ghost points, too. */
static inline void soak_gather(soak_subject *s, rod_quantity quantity, const float *starts) {
    const size_t points = rod_floats(s->batch, quantity, 0, 1) / 3;
    float *x = soak_read(s, quantity);
    for (size_t i = 0; i < rod_count(s->batch) * points; i++)
        memcpy(&x[3 * i], &starts[3 * (i / points) * (s->settings.elements + 1)], 3 * sizeof *x);
    soak_set(s, quantity, x);
    free(x);
}

static inline void soak_collapse(soak_subject *s) {
    soak_gather(s, ROD_POSITIONS, s->rest);
    if (rod_method_has(rod_method_of(s->batch), ROD_GHOSTS))
        soak_gather(s, ROD_GHOSTS, s->rest);
}

/* Nothing tells the particles apart then: none has a velocity of its own. */
static inline void soak_collapse_at_rest(soak_subject *s) {
    float *v = calloc(s->floats, sizeof *v);
    assert_non_null(v);
    soak_set(s, ROD_VELOCITIES, v);
    free(v);
    soak_collapse(s);
}

/* Every second particle is where the clamp begins, so that all joints are folded; orientations turn
 * with their elements. */
static inline void soak_fold(soak_subject *s) {
    const size_t n = s->settings.elements, particles = n + 1;
    float *x = soak_read(s, ROD_POSITIONS);
    for (size_t rod = 0; rod < rod_count(s->batch); rod++)
        for (size_t i = 2; i < particles; i++)
            memcpy(&x[3 * (rod * particles + i)], &x[3 * (rod * particles + i % 2)], 3 * sizeof *x);
    soak_set(s, ROD_POSITIONS, x);
    free(x);
    if (!soak_has_turns(s))
        return;
    float *q = soak_read(s, ROD_ORIENTATIONS);
    for (size_t rod = 0; rod < rod_count(s->batch); rod++)
        for (size_t e = 1; e < n; e++) { /* q e1: half a turn about the first axis */
            const float *a = &q[4 * (rod * n + e - 1)];
            const float turned[4] = {-a[1], a[0], a[3], -a[2]};
            memcpy(&q[4 * (rod * n + e)], turned, sizeof turned);
        }
    soak_set(s, ROD_ORIENTATIONS, q);
    free(q);
}

/* The last particle runs round a circle of a length's radius at 1000 lengths a second. */
static inline void soak_run_with_end(soak_subject *s, size_t frame) {
    const size_t n = s->settings.elements;
    const double length = (double)s->settings.lengths[0] * (double)n;
    const double angle = 1000 * (double)(frame + 1) * (double)s->settings.step.dt;
    for (size_t rod = 0; rod < rod_count(s->batch); rod++) {
        const float *rest = &s->rest[3 * (rod * (n + 1) + n)];
        const float p[3] = {rest[0] + (float)(length * cos(angle)),
                            rest[1] + (float)(length * sin(angle)), rest[2]};
        assert_ok(rod_set_inverse_mass(s->batch, rod, n, 0.0f));
        assert_ok(rod_move_particle(s->batch, rod, n, p));
    }
}

/* It is drawn away, 10 lengths in a frame of 10 ms. */
static inline void soak_draw_end(soak_subject *s, size_t frame) {
    const size_t n = s->settings.elements;
    const double length = (double)s->settings.lengths[0] * (double)n;
    for (size_t rod = 0; rod < rod_count(s->batch); rod++) {
        const float *rest = &s->rest[3 * (rod * (n + 1) + n)];
        const double path = 1000 * length * (double)(frame + 1) * (double)s->settings.step.dt;
        const float p[3] = {rest[0], rest[1] + (float)path, rest[2]};
        assert_ok(rod_set_inverse_mass(s->batch, rod, n, 0.0f));
        assert_ok(rod_move_particle(s->batch, rod, n, p));
    }
}

/* 1000 elements on the length of a hair: not back after 6000 frames, but after 24,000 (two seeds).
 * PBER that begins in one point at rest, between two clamps, is as far from its lengths after
 * 30,000 frames as after 1500: it stays on the line between them, with edges short and long in
 * turn. */
static const soak_extreme soak_extremes[] = {
    {"the scene as it is", 0, 0, 0, false, false, NULL, NULL},
    {"time step 1e-4 s", 1e-4f, 0, 0, false, false, NULL, NULL},
    {"time step 0.05 s", 0.05f, 0, 0, false, false, NULL, NULL},
    {"time step 0.25 s", 0.25f, 0, 0, false, false, NULL, NULL},
    {"all stiffness 0", 0, 0, 0, false, false, soak_loosen, NULL},
    {"all stiffness 1", 0, 0, 0, false, false, soak_harden, NULL},
    {"masses at random over 1e-6 .. 1e6", 0, 0, 0, false, false, soak_weigh_at_random, NULL},
    {"masses 1e-6 and 1e6 in turn", 0, 0, 0, false, false, soak_weigh_in_turn, NULL},
    {"1 element", 0, 1, 0, false, false, NULL, NULL},
    {"2 elements", 0, 2, 0, false, false, NULL, NULL},
    {"3 elements, stretched 100 times", 0, 3, 0, false, false, soak_stretch, NULL},
    {"1000 elements", 0, 1000, 60000, true, false, NULL, NULL},
    {"100,000 elements", 0, 100000, 0, true, false, NULL, NULL},
    {"stretched 100 times", 0, 0, 0, false, false, soak_stretch, NULL},
    {"stretched 100 times, time step 0.25 s", 0.25f, 0, 0, false, false, soak_stretch, NULL},
    {"all particles in one point", 0, 0, 0, false, false, soak_collapse, NULL},
    {"all particles in one point, at rest", 0, 0, 0, false, true, soak_collapse_at_rest, NULL},
    {"every joint folded by 180 degrees", 0, 0, 0, false, false, soak_fold, NULL},
    {"end on a circle, 1000 lengths a second", 0, 0, 0, false, false, NULL, soak_run_with_end},
    {"end drawn away, 1000 lengths a second", 0, 0, 0, false, false, NULL, soak_draw_end},
};

enum { soak_extreme_count = sizeof soak_extremes / sizeof *soak_extremes };

#endif
