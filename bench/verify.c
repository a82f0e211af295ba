#include "verify.h"

#include "progress.h"
#include "random.h"
#include "reference/model.h"
#include "simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More rods than the widest block has lanes, so that a second block is partly empty; lengths from 1
 * element up, so that blocks hold padding. */
enum { RODS = 37, SAMPLES = 10, ITERATIONS = 8, ORDERS = 4, CASES = 7 };

/* ---------------------------------------------------------------- the cases */

static size_t elements_of(size_t rod) {
    static const size_t lengths[] = {24, 1, 17, 2, 9};
    return lengths[rod % (sizeof lengths / sizeof *lengths)];
}

static rod_status build_straight(rod_batch *batch, size_t rod, rod_random *random) {
    const float start[3] = {0}, along[3] = {1.0f, (float)rod_random_between(random, -0.3, 0.3),
                                            (float)rod_random_between(random, -0.3, 0.3)};
    const float length = 0.3248f * (float)rod_elements(batch, rod);
    const rod_status status = rod_shape_straight(batch, rod, start, along, length);
    return status == ROD_OK ? rod_clamp(batch, rod, ROD_START) : status;
}

static rod_status build_curled(rod_batch *batch, size_t rod, rod_random *random) {
    const rod_helix helix = {
        .axis = {(float)rod_random_between(random, -1, 1), -1.0f, 0.2f},
        .inward = {0.0f, 0.0f, 1.0f},
        .radius = (float)rod_random_between(random, 0.2, 0.6),
        .pitch = (float)rod_random_between(random, 0.5, 1.5),
        .turns = (float)rod_elements(batch, rod) / (float)rod_random_between(random, 8, 14),
    };
    const rod_status status = rod_shape_helix(batch, rod, &helix);
    return status == ROD_OK ? rod_clamp(batch, rod, ROD_START) : status;
}

static rod_status set_random(rod_batch *batch, rod_quantity quantity, size_t rod, double least,
                             double most, rod_random *random) {
    const size_t count = rod_floats(batch, quantity, rod, 1);
    if (count == 0)
        return ROD_OK; /* the method has none, or the rod no joints */
    float *values = malloc(count * sizeof *values);
    for (size_t i = 0; values && i < count; i++)
        values[i] = (float)rod_random_between(random, least, most);
    const rod_status status = values ? rod_set(batch, quantity, rod, 1, values) : ROD_E_MEMORY;
    free(values);
    return status;
}

/* Lengths off where the rod is. Of PBER and strands only a little: more folds joints, and then
 * float32 leaves the reference in any variant, the textbook first. */
static rod_status vary_lengths(rod_batch *batch, size_t rod, rod_random *random) {
    if (rod_method_of(batch) == ROD_METHOD_QUATERNION)
        return set_random(batch, ROD_REST_LENGTHS, rod, 0.25, 0.4, random);
    const size_t count = rod_elements(batch, rod);
    float *lengths = malloc(count * sizeof *lengths);
    rod_status status = lengths ? rod_get(batch, ROD_REST_LENGTHS, rod, 1, lengths) : ROD_E_MEMORY;
    for (size_t e = 0; status == ROD_OK && e < count; e++)
        lengths[e] *= (float)rod_random_between(random, 0.9, 1.1);
    if (status == ROD_OK)
        status = rod_set(batch, ROD_REST_LENGTHS, rod, 1, lengths);
    free(lengths);
    return status;
}

/* Weights and stiffness at random, lengths of the elements too; a pin somewhere in the middle of
 * every third rod. */
static rod_status build_weighted(rod_batch *batch, size_t rod, rod_random *random) {
    rod_status status = build_curled(batch, rod, random);
    const rod_stiffness k = {0.7f, 0.9f,
                             1.0f, (float)rod_random_between(random, 0.3, 1),
                             0.8f, (float)rod_random_between(random, 0.3, 1)};
    if (status == ROD_OK)
        status = set_random(batch, ROD_INVERSE_MASSES, rod, 0.5, 2, random);
    if (status == ROD_OK)
        status = set_random(batch, ROD_ORIENTATION_WEIGHTS, rod, 0.5, 2, random);
    if (status == ROD_OK)
        status = vary_lengths(batch, rod, random);
    if (status == ROD_OK)
        status = set_random(batch, ROD_STRETCH_STIFFNESSES, rod, 0.5, 1, random);
    if (status == ROD_OK)
        status = set_random(batch, ROD_BEND_STIFFNESSES, rod, 0.3, 1, random);
    if (status == ROD_OK)
        status = rod_set_stiffness(batch, rod, &k);
    if (status == ROD_OK && rod % 3 == 0)
        status = rod_set_inverse_mass(batch, rod, rod_elements(batch, rod) / 2, 0.0f);
    return status == ROD_OK ? rod_clamp(batch, rod, ROD_START) : status;
}

/* Without gravity, driven by forces and torques on unequal inertias. */
static rod_status build_driven(rod_batch *batch, size_t rod, rod_random *random) {
    rod_status status = build_curled(batch, rod, random);
    const struct {
        rod_quantity quantity;
        double least, most;
    } parts[] = {{ROD_VELOCITIES, -1, 1},       {ROD_ANGULAR_VELOCITIES, -2, 2},
                 {ROD_GHOST_VELOCITIES, -1, 1}, {ROD_FORCES, -2, 2},
                 {ROD_TORQUES, -2, 2},          {ROD_INERTIAS, 0.5, 2}};
    for (size_t i = 0; status == ROD_OK && i < sizeof parts / sizeof *parts; i++)
        status = set_random(batch, parts[i].quantity, rod, parts[i].least, parts[i].most, random);
    return status;
}

/* The same without clamps, for rods long enough: in float32 free rods of 1 to 4 elements miss the
 * limit (seen: 2.2e-4 of their length, the textbook's 1.5e-4; from 17 elements on 2e-5). */
static rod_status build_free(rod_batch *batch, size_t rod, rod_random *random) {
    rod_status status = build_driven(batch, rod, random);
    if (status == ROD_OK && rod_elements(batch, rod) >= 17)
        status = set_random(batch, ROD_INVERSE_MASSES, rod, 1, 1, random);
    if (status == ROD_OK && rod_elements(batch, rod) >= 17)
        status = set_random(batch, ROD_ORIENTATION_WEIGHTS, rod, 1, 1, random);
    return status;
}

/* Without `build` a case is the scene of its name: one rod in the method's order, with the scene's
 * own elements and iterations. */
static const struct {
    const char *name;
    rod_status (*build)(rod_batch *, size_t, rod_random *);
    float gravity, rigid_damping;
} cases[CASES] = {
    {"straight", build_straight, -9.81f, 0.0f},
    {"curled", build_curled, -9.81f, 0.0f},
    {"weighted", build_weighted, -9.81f, 0.0f},
    {"driven", build_driven, 0.0f, 0.05f},
    {"free", build_free, 0.0f, 0.05f},
    {"scene1", NULL, 0.0f, 0.0f},
    {"scene2", NULL, 0.0f, 0.0f},
};

static bool is_run(rod_method method, size_t index, size_t order) {
    return cases[index].build || (rod_order)order == rod_default_order(method);
}

/* ---------------------------------------------------------------- the reference's trajectories */

/* Of one case. */
typedef struct {
    size_t floats;           /* coordinates of all rods */
    double *samples[ORDERS]; /* [SAMPLES][floats] */
    double length[RODS];
} trajectories;

struct verify_suite {
    uint64_t seed;
    size_t frames;
    trajectories of[ROD_METHODS][CASES];
};

static rod_step_settings settings_of(rod_method method, size_t index, size_t order) {
    if (!cases[index].build)
        return scene_defaults(scene_named(cases[index].name), method).step;
    rod_step_settings s = rod_step_defaults();
    s.iterations = ITERATIONS;
    s.order = (rod_order)order;
    s.damping = 0.02f;
    s.gravity[1] = cases[index].gravity;
    if (method == ROD_METHOD_PBD)
        s.rigid_damping = cases[index].rigid_damping;
    return s;
}

static rod_status build_scene(const scene *shown, const rod_options *options, rod_batch **batch) {
    const scene_settings settings = scene_defaults(shown, options->method);
    scene_run *run = NULL;
    rod_status status = rod_create(batch, settings.rods, settings.elements, options);
    if (status == ROD_OK)
        status = scene_start(shown, &settings, *batch, &run);
    scene_finish(run);
    return status;
}

static rod_status build_case(rod_method method, size_t index, uint64_t seed, const char *variant,
                             size_t rods, rod_batch **batch) {
    size_t elements[RODS];
    rod_options options = rod_options_default();
    options.method = method;
    options.variant = variant;
    if (!cases[index].build)
        return build_scene(scene_named(cases[index].name), &options, batch);
    for (size_t rod = 0; rod < RODS; rod++)
        elements[rod] = elements_of(rod);
    rod_status status = rod_create_mixed(batch, rods, elements, &options);
    for (size_t rod = 0; status == ROD_OK && rod < rods; rod++) {
        rod_random random = rod_random_seed((seed * 64 + index) * 1000 + rod);
        status = cases[index].build(*batch, rod, &random);
    }
    return status;
}

static rod_frame frame_of(const rod_step_settings *s) {
    return (rod_frame){
        .dt = s->dt,
        .damping = s->damping,
        .rigid_damping = s->rigid_damping,
        .gravity = {s->gravity[0], s->gravity[1], s->gravity[2]},
        .iterations = s->iterations,
        .order = s->order,
    };
}

static double length_of(const rod_model *m) {
    double length = 0.0;
    for (size_t e = 0; e < m->rod.elements; e++)
        length += m->l[e];
    return length;
}

/* One rod through all frames; its coordinates go to the place of the rod in each sample. */
static bool sample_rod(const verify_suite *s, trajectories *t, const rod_batch *batch, size_t index,
                       size_t order, size_t rod, size_t offset) {
    rod_model *m = rod_model_of(batch, rod);
    if (!m)
        return false;
    const rod_step_settings settings = settings_of(m->method, index, order);
    const rod_frame frame = frame_of(&settings);
    const size_t floats = 3 * (m->rod.elements + 1);
    t->length[rod] = length_of(m);
    for (size_t sample = 0; sample < SAMPLES; sample++) {
        for (size_t i = 0; i < s->frames / SAMPLES; i++)
            rod_model_step(m, &frame);
        memcpy(t->samples[order] + sample * t->floats + offset, m->rod.x, floats * sizeof(double));
    }
    rod_model_destroy(m);
    return true;
}

static bool sample_case(verify_suite *s, rod_method method, size_t index) {
    rod_batch *batch = NULL;
    trajectories *t = &s->of[method][index];
    bool done = build_case(method, index, s->seed, NULL, RODS, &batch) == ROD_OK;
    if (done)
        t->floats = rod_floats(batch, ROD_POSITIONS, 0, rod_count(batch));
    for (size_t order = 0; done && order < ORDERS; order++) {
        if (!is_run(method, index, order))
            continue;
        t->samples[order] = malloc(SAMPLES * t->floats * sizeof(double));
        done = t->samples[order] != NULL;
        for (size_t rod = 0, offset = 0; done && rod < rod_count(batch); rod++) {
            done = sample_rod(s, t, batch, index, order, rod, offset);
            offset += 3 * (rod_elements(batch, rod) + 1);
        }
    }
    rod_destroy(batch);
    return done;
}

static bool is_asked_for(const char *asked, int method) {
    return !asked || strcmp(asked, rod_method_name((rod_method)method)) == 0;
}

verify_suite *verify_prepare(uint64_t seed, size_t frames, const char *asked) {
    verify_suite *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->seed = seed;
    s->frames = frames;
    bool done = true;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) reduction(&& : done)
#endif
    for (int i = 0; i < ROD_METHODS * CASES; i++) {
        const int method = i / CASES, index = i % CASES;
        if (is_asked_for(asked, method))
            done = done && sample_case(s, (rod_method)method, (size_t)index);
    }
    if (!done) {
        verify_finish(s);
        return NULL;
    }
    return s;
}

void verify_finish(verify_suite *s) {
    if (!s)
        return;
    for (int method = 0; method < ROD_METHODS; method++)
        for (size_t index = 0; index < CASES; index++)
            for (size_t order = 0; order < ORDERS; order++)
                free(s->of[method][index].samples[order]);
    free(s);
}

/* ---------------------------------------------------------------- a variant beside them */

/* The textbook's strands take the arc cosine of a float32 cosine, which knows small angles to 3e-4
 * only. */
double verify_limit(const rod_variant *variant) {
    if (strcmp(variant->method, "pbd") == 0 && strcmp(variant->layout, "textbook") == 0)
        return 1e-3;
    return strcmp(variant->norm, "bare") == 0 ? 3e-3 : 1e-4;
}

/* Largest distance of a particle to the reference / length of its rod; NaN counts as infinite. */
static double sample_error(const trajectories *t, const double *reference, const float *positions,
                           const rod_batch *batch) {
    double worst = 0.0;
    for (size_t rod = 0; rod < rod_count(batch); rod++)
        for (size_t i = 0; i <= rod_elements(batch, rod); i++, reference += 3, positions += 3) {
            const double x = (double)positions[0] - reference[0];
            const double y = (double)positions[1] - reference[1];
            const double z = (double)positions[2] - reference[2];
            const double error = sqrt(x * x + y * y + z * z) / t->length[rod];
            if (!(error <= worst))
                worst = isnan(error) ? INFINITY : error;
        }
    return worst;
}

/* The batch through all frames, beside the reference's samples. */
static rod_status follow(const verify_suite *s, const trajectories *t, rod_batch *batch,
                         rod_step_settings settings, size_t order, float *positions,
                         double *error) {
    rod_status status = ROD_OK;
    settings.frames = s->frames / SAMPLES;
    for (size_t sample = 0; status == ROD_OK && sample < SAMPLES; sample++) {
        status = rod_step(batch, &settings);
        if (status == ROD_OK)
            status = rod_get(batch, ROD_POSITIONS, 0, rod_count(batch), positions);
        if (status != ROD_OK)
            break;
        const double *reference = t->samples[order] + sample * t->floats;
        *error = fmax(*error, sample_error(t, reference, positions, batch));
    }
    return status;
}

/* Strands that are not straight are mechanisms whose errors grow: two references of a curl that
 * start 6e-8 apart were 1e-4 apart after 100 frames. So single frames are compared, each from where
 * the batch has come to. */
static bool grows_errors(rod_method method, size_t index) {
    return method == ROD_METHOD_PBD && cases[index].build != build_straight &&
           strcmp(cases[index].name, "scene1") != 0;
}

static bool step_references(const rod_batch *batch, const rod_frame *frame, double *positions) {
    for (size_t rod = 0; rod < rod_count(batch); rod++) {
        rod_model *m = rod_model_of(batch, rod);
        if (!m)
            return false;
        rod_model_step(m, frame);
        memcpy(positions, m->rod.x, 3 * (m->rod.elements + 1) * sizeof *positions);
        positions += 3 * (m->rod.elements + 1);
        rod_model_destroy(m);
    }
    return true;
}

static rod_status compare_frames(const verify_suite *s, const trajectories *t, rod_batch *batch,
                                 rod_step_settings settings, float *positions, double *error) {
    double *reference = malloc(t->floats * sizeof *reference);
    rod_status status = reference ? ROD_OK : ROD_E_MEMORY;
    for (size_t sample = 0; status == ROD_OK && sample < SAMPLES; sample++) {
        const rod_frame frame = frame_of(&settings);
        if (!step_references(batch, &frame, reference))
            status = ROD_E_MEMORY;
        settings.frames = 1;
        if (status == ROD_OK)
            status = rod_step(batch, &settings);
        if (status == ROD_OK)
            status = rod_get(batch, ROD_POSITIONS, 0, rod_count(batch), positions);
        if (status == ROD_OK)
            *error = fmax(*error, sample_error(t, reference, positions, batch));
        settings.frames = s->frames / SAMPLES - 1;
        if (status == ROD_OK)
            status = rod_step(batch, &settings);
    }
    free(reference);
    return status;
}

/* Two full blocks and one that is not, and some rods of each length at least: more would tell no
 * more of a narrow variant, and take long. */
static size_t rods_for(const rod_variant *variant) {
    const size_t rods = 2 * variant->lanes + 5;
    return rods < 12 ? 12 : rods < RODS ? rods : RODS;
}

static rod_status run_case(const verify_suite *s, const rod_variant *variant, rod_method method,
                           size_t index, size_t order, double *error) {
    const trajectories *t = &s->of[method][index];
    const rod_step_settings settings = settings_of(method, index, order);
    float *positions = malloc(t->floats * sizeof *positions);
    rod_batch *batch = NULL;
    rod_status status =
        positions ? build_case(method, index, s->seed, variant->name, rods_for(variant), &batch)
                  : ROD_E_MEMORY;
    if (status == ROD_OK && grows_errors(method, index))
        status = compare_frames(s, t, batch, settings, positions, error);
    else if (status == ROD_OK)
        status = follow(s, t, batch, settings, order, positions, error);
    rod_destroy(batch);
    free(positions);
    return status;
}

verify_result verify_variant(const verify_suite *s, const rod_variant *variant) {
    verify_result r = {.worst = "", .order = "", .limit = verify_limit(variant)};
    rod_method method = ROD_METHOD_QUATERNION;
    rod_method_named(variant->method, &method);
    for (size_t index = 0; r.status == ROD_OK && index < CASES; index++)
        for (size_t order = 0; r.status == ROD_OK && order < ORDERS; order++) {
            double error = 0.0;
            if (!is_run(method, index, order))
                continue;
            r.status = run_case(s, variant, method, index, order, &error);
            if (error <= r.error)
                continue;
            r.error = error;
            r.worst = cases[index].name;
            r.order = rod_order_name((rod_order)order);
        }
    r.passed = r.status == ROD_OK && r.error <= r.limit;
    return r;
}

/* Variants do not touch each other. */
void verify_all(const verify_suite *s, const bool *wanted, verify_result *results) {
    const size_t count = rod_variant_count();
    size_t done = 0, total = 0;
    for (size_t i = 0; i < count; i++)
        total += wanted[i] ? 1 : 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (size_t i = 0; i < count; i++) {
        if (!wanted[i])
            continue;
        results[i] = verify_variant(s, rod_variant_at(i));
#ifdef _OPENMP
#pragma omp critical
#endif
        progress_show("verify", ++done, total);
    }
    progress_end();
}
