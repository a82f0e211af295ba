/* A rope: one rod, both ends held; they come together while one of them is turned, until the rope
 * bends out of its line and coils. The shape is written as a line of an OBJ file.
 *
 *     cc rope.c $(pkg-config --cflags --libs rod) -lm -o rope
 *     ./rope                 3 turns, written to rope.obj
 *     ./rope 1.5 other.obj   turns, file
 */

#include <rod.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 60, PARTICLES = ELEMENTS + 1, DRIVEN_FRAMES = 600, REST_FRAMES = 200 };

static const float rope_length = 20.0f, nearest = 0.75f; /* of the length, in the end */
static const float pi = 3.14159265f;

static int fail(const char *what, rod_status status) {
    fprintf(stderr, "rope: %s: %s\n", what, rod_status_text(status));
    return 1;
}

/* One rod is held at both ends, and it is told in which order it will be stepped. */
static rod_status tie(rod_batch **rope, rod_order order) {
    rod_options options = rod_options_default();
    options.order = order;
    rod_status status = rod_create(rope, 1, ELEMENTS, &options);
    if (status == ROD_OK)
        status = rod_shape_straight(*rope, 0, (float[]){0, 0, 0}, (float[]){1, 0, 0}, rope_length);
    if (status == ROD_OK)
        status = rod_clamp(*rope, 0, ROD_START);
    return status == ROD_OK ? rod_clamp(*rope, 0, ROD_END) : status;
}

/* Turns q about the direction of the element, its own third axis: q times a rotation about z. */
static void twist(const float q[4], float angle, float turned[4]) {
    const float c = cosf(0.5f * angle), s = sinf(0.5f * angle);
    turned[0] = c * q[0] - s * q[3];
    turned[1] = c * q[1] + s * q[2];
    turned[2] = c * q[2] - s * q[1];
    turned[3] = c * q[3] + s * q[0];
}

/* What is pinned stays where it is put: the last element moves along the line and turns. */
static rod_status drive(rod_batch *rope, const float first_orientation[4], float done,
                        float turns) {
    const float element = rope_length / ELEMENTS;
    const float end = rope_length * (1.0f - done * (1.0f - nearest));
    float turned[4];
    twist(first_orientation, 2.0f * pi * turns * done, turned);
    rod_status status = rod_move_particle(rope, 0, ELEMENTS, (float[]){end, 0, 0});
    if (status == ROD_OK)
        status = rod_move_particle(rope, 0, ELEMENTS - 1, (float[]){end - element, 0, 0});
    return status == ROD_OK ? rod_move_orientation(rope, 0, ELEMENTS - 1, turned) : status;
}

static rod_status simulate(rod_batch *rope, rod_order order, float turns) {
    rod_step_settings settings = rod_step_defaults();
    settings.order = order;
    settings.iterations = 30;
    settings.damping = 0.02f;
    settings.gravity[1] = -0.5f;
    float q[4 * ELEMENTS];
    rod_status status = rod_get(rope, ROD_ORIENTATIONS, 0, 1, q);
    for (int frame = 1; status == ROD_OK && frame <= DRIVEN_FRAMES + REST_FRAMES; frame++) {
        const float done = frame < DRIVEN_FRAMES ? (float)frame / DRIVEN_FRAMES : 1.0f;
        status = drive(rope, q + 4 * (ELEMENTS - 1), done, turns);
        if (status == ROD_OK)
            status = rod_step(rope, &settings);
    }
    return status;
}

static int write_obj(const rod_batch *rope, const char *path) {
    float p[3 * PARTICLES];
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "rope: %s: %s\n", path, strerror(errno));
        return 1;
    }
    rod_get(rope, ROD_POSITIONS, 0, 1, p);
    for (size_t i = 0; i < PARTICLES; i++)
        fprintf(file, "v %.5f %.5f %.5f\n", (double)p[3 * i], (double)p[3 * i + 1],
                (double)p[3 * i + 2]);
    fputc('l', file);
    for (size_t i = 1; i <= PARTICLES; i++)
        fprintf(file, " %zu", i);
    fputc('\n', file);
    const int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        fprintf(stderr, "rope: %s: could not be written\n", path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    char *end = "";
    const float turns = argc > 1 ? strtof(argv[1], &end) : 3.0f;
    const char *path = argc > 2 ? argv[2] : "rope.obj";
    if (argc > 3 || *end != '\0' || (argc > 1 && end == argv[1]) || !(fabsf(turns) <= 20.0f)) {
        fprintf(stderr, "usage: rope [TURNS [FILE.obj]], turns from -20 to 20\n");
        return 2;
    }
    /* Elements of one colour share nothing, and one rod can use whole vectors of them. */
    const rod_order order = ROD_ORDER_REDBLACK;
    rod_batch *rope;
    rod_status status = tie(&rope, order);
    if (status == ROD_OK)
        status = simulate(rope, order, turns);
    rod_strain strain;
    if (status == ROD_OK)
        status = rod_get_strain(rope, 0, &strain);
    int code = status == ROD_OK ? write_obj(rope, path) : fail("simulating the rope", status);
    if (code == 0)
        printf("%g turns by %s (%s); length %.4f of the rest length\n", (double)turns,
               rod_variant_name(rope), rod_variant_reason(rope), (double)strain.length_ratio);
    rod_destroy(rope);
    return code;
}
