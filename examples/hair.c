/* Hair: many curled strands hang from a head that shakes, one frame is written as lines of an OBJ
 * file.
 *
 *     cc hair.c $(pkg-config --cflags --libs rod) -lm -o hair
 *     ./hair                      47,000 strands of 20 elements, 120 frames, written to hair.obj
 *     ./hair 2000 60 small.obj 2  strands, frames, file, threads
 */

#include <rod.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 20, PARTICLES = ELEMENTS + 1, ITERATIONS = 2 };

static const float head_radius = 0.1f, strand_length = 0.25f;

static int fail(const char *what, rod_status status) {
    fprintf(stderr, "hair: %s: %s\n", what, rod_status_text(status));
    return 1;
}

/* The point of the upper half of a unit sphere that strand `i` of `count` grows from: a spiral, so
 * that all have about the same room. */
static void root_of(size_t i, size_t count, float root[3]) {
    const float height = 1.0f - ((float)i + 0.5f) / (float)count;
    const float angle = 2.39996f * (float)(i % 100000), radius = sqrtf(1.0f - height * height);
    root[0] = radius * cosf(angle);
    root[1] = height;
    root[2] = radius * sinf(angle);
}

/* A curl that leaves the head straight away from its centre and is held by its first element. */
static rod_status grow(rod_batch *batch, size_t strand) {
    float root[3];
    root_of(strand, rod_count(batch), root);
    const float turns = 2.0f + (float)(strand % 7) / 7.0f;
    const rod_helix curl = {
        .start = {head_radius * root[0], head_radius * root[1], head_radius * root[2]},
        .axis = {root[0], root[1], root[2]},
        .inward = {root[2], 0.0f, 0.1f - root[0]},
        .radius = 0.006f,
        .pitch = strand_length / turns,
        .turns = turns,
    };
    const rod_status status = rod_shape_helix(batch, strand, &curl);
    return status == ROD_OK ? rod_clamp(batch, strand, ROD_START) : status;
}

/* Gives every strand to the batch, with some give in bending. */
static rod_status grow_all(rod_batch *batch) {
    const rod_stiffness soft = {1, 1, 1, 0.6f, 0.6f, 0.8f};
    rod_status status = ROD_OK;
    for (size_t i = 0; status == ROD_OK && i < rod_count(batch); i++) {
        status = grow(batch, i);
        if (status == ROD_OK)
            status = rod_set_stiffness(batch, i, &soft);
    }
    return status;
}

/* The head shakes: what a force of inertia does to the hair, in the frame of the head. */
static rod_status shake(rod_batch *batch, size_t frame) {
    rod_step_settings settings = rod_step_defaults();
    settings.iterations = ITERATIONS;
    settings.damping = 0.02f;
    settings.gravity[0] = 6.0f * sinf(0.15f * (float)frame);
    return rod_step(batch, &settings);
}

/* Lines of an OBJ file: all points, then a line through those of each strand. */
static int write_obj(const rod_batch *batch, const char *path) {
    FILE *file = fopen(path, "w");
    float p[3 * PARTICLES];
    if (!file) {
        fprintf(stderr, "hair: %s: %s\n", path, strerror(errno));
        return 1;
    }
    for (size_t i = 0; i < rod_count(batch); i++) {
        rod_get(batch, ROD_POSITIONS, i, 1, p);
        for (size_t j = 0; j < PARTICLES; j++)
            fprintf(file, "v %.5f %.5f %.5f\n", (double)p[3 * j], (double)p[3 * j + 1],
                    (double)p[3 * j + 2]);
    }
    for (size_t i = 0; i < rod_count(batch); i++) {
        fputc('l', file);
        for (size_t j = 1; j <= PARTICLES; j++)
            fprintf(file, " %zu", i * PARTICLES + j);
        fputc('\n', file);
    }
    const int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        fprintf(stderr, "hair: %s: could not be written\n", path);
        return 1;
    }
    return 0;
}

/* A whole number from 1 to `most`; 0 for anything else. */
static size_t read_count(const char *text, unsigned long most) {
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && value <= most ? (size_t)value : 0;
}

int main(int argc, char **argv) {
    const size_t strands = argc > 1 ? read_count(argv[1], 10000000) : 47000;
    const size_t frames = argc > 2 ? read_count(argv[2], 1000000) : 120;
    const char *path = argc > 3 ? argv[3] : "hair.obj";
    rod_options options = rod_options_default();
    options.threads = argc > 4 ? read_count(argv[4], ROD_MAX_THREADS) : 1;
    if (strands == 0 || frames == 0 || options.threads == 0 || argc > 5) {
        fprintf(stderr, "usage: hair [STRANDS [FRAMES [FILE.obj [THREADS]]]], numbers from 1\n");
        return 2;
    }
    rod_batch *batch;
    rod_status status = rod_create(&batch, strands, ELEMENTS, &options);
    if (status != ROD_OK)
        return fail("creating the hair", status);
    status = grow_all(batch);
    for (size_t frame = 0; status == ROD_OK && frame < frames; frame++)
        status = shake(batch, frame);
    rod_figures figures = {0};
    if (status == ROD_OK)
        status = rod_get_figures(batch, &figures);
    int code = status == ROD_OK ? write_obj(batch, path) : fail("simulating the hair", status);
    if (code == 0 && figures.broken_rods > 0) {
        fprintf(stderr, "hair: %zu strands are no longer finite\n", figures.broken_rods);
        code = 1;
    }
    if (code == 0)
        printf("%zu strands, %zu frames by %s (%s)\n", strands, frames, rod_variant_name(batch),
               rod_variant_reason(batch));
    rod_destroy(batch);
    return code;
}
