/* The list of scenes: shapes, poses and settings, in one place. */

#include "scene.h"

#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 50 elements of the helix below are 0.3248 long, and so are those of the straight rods: KS16 gives
 * no length of an element, and it decides how its methods compare (`rodbench sweep`). */
#define ELEMENT_LENGTH 0.3248f

static const float helix_radius = 0.5f, helix_pitch = 1.0f, helix_turns = 5.0f;

static float element_length(const scene_settings *s, size_t rod) {
    return s->lengths[rod % s->length_count];
}

/* ---------------------------------------------------------------- shapes and poses */

/* Rods of a batch stand side by side, sixteen in a row: they do not see each other, and float32 is
 * finest near the origin. */
static float aside(size_t rod) {
    return 2.0f * (float)(rod % 16);
}

static rod_random random_of(const scene_settings *s, size_t rod) {
    return rod_random_seed(s->seed * 1000003 + rod);
}

static rod_status shape_cantilever(rod_batch *batch, const scene_settings *s, size_t rod) {
    const float start[3] = {0.0f, 0.0f, aside(rod)}, along[3] = {1.0f, 0.0f, 0.0f};
    return rod_shape_straight(batch, rod, start, along,
                              element_length(s, rod) * (float)s->elements);
}

/* The same curl for any number of elements: turns follow the length. */
static rod_status shape_curl(rod_batch *batch, const scene_settings *s, size_t rod, float x,
                             float y) {
    const float size = element_length(s, rod) / ELEMENT_LENGTH;
    const rod_helix h = {
        .start = {0.0f, 0.0f, aside(rod)},
        .axis = {x, y, 0.0f},
        .inward = {0.0f, 0.0f, 1.0f},
        .radius = size * helix_radius,
        .pitch = size * helix_pitch,
        .turns = helix_turns * (float)s->elements / 50.0f,
    };
    return rod_shape_helix(batch, rod, &h);
}

static rod_status shape_hung_curl(rod_batch *batch, const scene_settings *s, size_t rod) {
    return shape_curl(batch, s, rod, 0.0f, -1.0f);
}

static rod_status shape_level_curl(rod_batch *batch, const scene_settings *s, size_t rod) {
    return shape_curl(batch, s, rod, 1.0f, 0.0f);
}

/* All but the clamp within a tenth of the length of particle 0, turned anyhow. */
static rod_status pose_at_random(rod_batch *batch, const scene_settings *s, size_t rod) {
    rod_random random = random_of(s, rod);
    const double reach = 0.1 * (double)element_length(s, rod) * (double)s->elements;
    rod_status status = ROD_OK;
    for (size_t i = 2; status == ROD_OK && i <= s->elements; i++) {
        float p[3] = {0.0f, 0.0f, aside(rod)};
        for (int c = 0; c < 3; c++)
            p[c] += (float)rod_random_between(&random, -reach, reach);
        status = rod_move_particle(batch, rod, i, p);
    }
    if (rod_method_of(batch) == ROD_METHOD_PBD)
        return status; /* nothing to turn */
    for (size_t e = 1; status == ROD_OK && e < s->elements; e++) {
        double q[4];
        rod_random_quaternion(&random, q);
        const float turned[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
        status = rod_move_orientation(batch, rod, e, turned);
    }
    return status;
}

/* A strand from the upper half of a unit sphere, about its radius long, with a curl of its own from
 * all but straight to tight. */
static rod_status shape_strand(rod_batch *batch, const scene_settings *s, size_t rod) {
    rod_random random = random_of(s, rod);
    const double up = rod_random_unit(&random), angle = rod_random_angle(&random);
    const double around = sqrt(1.0 - up * up);
    const float root[3] = {(float)(around * cos(angle)), (float)up, (float)(around * sin(angle))};
    const double turns = rod_random_between(&random, 0.5, 6.0);
    const double length = rod_random_between(&random, 0.8, 1.2);
    const rod_helix h = {
        .start = {root[0], root[1], root[2]},
        .axis = {root[0], root[1], root[2]},
        .inward = {(float)-sin(angle), 0.0f, (float)cos(angle)},
        .radius = (float)rod_random_between(&random, 0.005, 0.06),
        .pitch = (float)(length / turns),
        .turns = (float)turns,
    };
    return rod_shape_helix(batch, rod, &h);
}

/* Twenty elements to a curl, wide and flat, softer against bending of the wire across than along
 * (KS16 fig. 1; its stiffnesses are not published, these are ours). */
static rod_status shape_slinky(rod_batch *batch, const scene_settings *s, size_t rod) {
    const float curls = (float)s->elements / 20.0f;
    const rod_helix h = {
        .start = {0.0f, 0.0f, aside(rod)},
        .axis = {0.0f, -1.0f, 0.0f},
        .inward = {0.0f, 0.0f, 1.0f},
        .radius = 20.0f * element_length(s, rod) / 6.2831853f,
        .pitch = 0.1f,
        .turns = curls,
    };
    const rod_stiffness k = {1.0f, 1.0f, 1.0f, 0.9f, 0.4f, 1.0f};
    const rod_status status = rod_shape_helix(batch, rod, &h);
    return status == ROD_OK ? rod_set_stiffness(batch, rod, &k) : status;
}

const scene_twist scene_twisting = {
    .approach_frames = 300,
    .settle_frames = 300,
    .frames_a_turn = 100,
    .approach = 0.2,
    .most_turns = 4.5,
    .bow = 1e-3,
};

/* How much the rest shape turns at a joint, towards -z, so that it is bowed by a sine. */
static double bow_angle(const scene_settings *s, size_t joint) {
    const double pi = 3.14159265358979, n = (double)s->elements;
    return scene_twisting.bow * pi * pi / n * sin(pi * (double)(joint + 1) / n);
}

/* The Darboux vectors of a turn about -z, which an orientation sees from its own axes: all are the
 * same in a straight rod. */
static void bow_darboux(const scene_settings *s, const float q[4], float *darboux) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double axis[3] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    for (size_t j = 0; j + 1 < s->elements; j++)
        for (size_t c = 0; c < 3; c++)
            darboux[3 * j + c] = (float)(-sin(0.5 * bow_angle(s, j)) * axis[c]);
}

/* A straight rod whose rest shape is bowed a little. A pose alone is forgotten: with many
 * iterations the first frame makes it straight again, and a straight rod of short elements is
 * compressed, as nothing tells it to which side it could go. */
static rod_status shape_bowed(rod_batch *batch, const scene_settings *s, size_t rod) {
    rod_status status = shape_cantilever(batch, s, rod);
    if (status != ROD_OK || s->elements < 2)
        return status;
    float *values = malloc(4 * s->elements * sizeof *values);
    if (!values)
        return ROD_E_MEMORY;
    if (rod_method_of(batch) == ROD_METHOD_PBD) {
        for (size_t j = 0; j + 1 < s->elements; j++)
            values[j] = (float)bow_angle(s, j);
        status = rod_set(batch, ROD_REST_ANGLES, rod, 1, values);
    } else {
        status = rod_get(batch, ROD_ORIENTATIONS, rod, 1, values);
        const float q[4] = {values[0], values[1], values[2], values[3]};
        bow_darboux(s, q, values);
        if (status == ROD_OK)
            status = rod_set(batch, ROD_REST_DARBOUX, rod, 1, values);
    }
    free(values);
    return status;
}

/* Bent a little in one plane, or it would be compressed and never know which way to go. */
static rod_status pose_bowed(rod_batch *batch, const scene_settings *s, size_t rod) {
    const double length = (double)element_length(s, rod) * (double)s->elements;
    rod_status status = ROD_OK;
    for (size_t i = 2; status == ROD_OK && i + 1 < s->elements; i++) {
        const double along = (double)i / (double)s->elements;
        const float p[3] = {(float)(along * length),
                            (float)(scene_twisting.bow * length * sin(3.14159265358979 * along)),
                            aside(rod)};
        status = rod_move_particle(batch, rod, i, p);
    }
    return status;
}

/* ---------------------------------------------------------------- the list */

/* Frames of 10 ms; iterations come from the scene, the order from the method. `g` is along y. */
#define SETTINGS(rods, elements, frames, g, damping)                                               \
    {                                                                                              \
        rods, elements, frames, 1, {ELEMENT_LENGTH}, 1, {                                          \
            1, 1, ROD_ORDER_DEFAULT, 0.01f, {0.0f, g, 0.0f}, damping, 0.0f, 0                      \
        }                                                                                          \
    }

/* Iterations of quaternion rods, PBER and PBD strands; those of scene1 to scene3 are KS16's. */
static const scene scenes[] = {
    {.name = "scene1",
     .what = "bending: a straight, level rod sags (KS16 table 1, our reading)",
     .defaults = SETTINGS(1, 50, 1000, -9.81f, 0.02f),
     .iterations = {10, 10, 10},
     .shape = shape_cantilever},
    {.name = "scene2",
     .what = "curl: a level helix must keep its shape (KS16 table 1, our reading)",
     .defaults = SETTINGS(1, 50, 1000, -9.81f, 0.02f),
     .iterations = {2, 18, 18},
     .shape = shape_level_curl},
    {.name = "scene3",
     .what =
         "looping: both ends clamped, one twisted until the rod loops (KS16 table 1, our reading)",
     .defaults = SETTINGS(1, 50, 1050, 0.0f, 0.02f),
     .iterations = {10, 80, 80},
     .shape = shape_bowed,
     .pose = pose_bowed,
     .is_twisted = true},
    {.name = "pber30",
     .what = "30 elements clamped at both ends and twisted (USS14 fig. 10)",
     .defaults = SETTINGS(1, 30, 1050, 0.0f, 0.02f),
     .iterations = {10, 10, 10},
     .shape = shape_bowed,
     .pose = pose_bowed,
     .is_twisted = true},
    {.name = "slinky",
     .what = "1000 elements in 50 curls, anisotropic, hung from its upper end (KS16 fig. 1, "
             "without collisions)",
     .defaults = SETTINGS(1, 1000, 100, -9.81f, 0.02f),
     .iterations = {50, 50, 50},
     .shape = shape_slinky},
    {.name = "hair200",
     .what = "200 strands of 20 elements on a head (USS14 section 1)",
     .defaults = SETTINGS(200, 20, 100, -9.81f, 0.02f),
     .iterations = {10, 10, 10},
     .shape = shape_strand},
    {.name = "cantilever",
     .what = "a straight rod, clamped at one end, bending under gravity",
     .defaults = SETTINGS(1, 50, 300, -9.81f, 0.02f),
     .iterations = {10, 10, 10},
     .shape = shape_cantilever},
    {.name = "helix",
     .what = "a curl of five turns hung from its upper end",
     .defaults = SETTINGS(1, 50, 300, -9.81f, 0.02f),
     .iterations = {10, 10, 10},
     .shape = shape_hung_curl},
    {.name = "random",
     .what = "a curl recovering its rest shape from a random pose (KS16 fig. 6)",
     .defaults = SETTINGS(20, 50, 1000, 0.0f, 0.05f),
     .iterations = {30, 30, 30},
     .shape = shape_level_curl,
     .pose = pose_at_random,
     .watches_recovery = true},
    {.name = "hair",
     .what = "many strands with random curls on a head",
     .defaults = SETTINGS(1000, 50, 30, -9.81f, 0.02f),
     .iterations = {10, 10, 10},
     .shape = shape_strand},
};

size_t scene_count(void) {
    return sizeof scenes / sizeof *scenes;
}

const scene *scene_at(size_t index) {
    return &scenes[index];
}

const scene *scene_named(const char *name) {
    for (size_t i = 0; i < scene_count(); i++)
        if (strcmp(scenes[i].name, name) == 0)
            return &scenes[i];
    return NULL;
}

scene_settings scene_defaults(const scene *s, rod_method method) {
    scene_settings settings = s->defaults;
    settings.step.iterations = s->iterations[method];
    settings.step.order = rod_default_order(method);
    return settings;
}
