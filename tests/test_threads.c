/* The threaded step, and batches that several threads of a client use at the same time. Built with
 * ThreadSanitizer by `make sanitize`, which finds what a run that went well does not show. */

#include "batch_property.h"

#include <pthread.h>

enum { STEPS = 3, CLIENTS = 4 };

static rod_batch *new_hair(rod_method method, size_t threads) {
    rod_options options = rod_options_default();
    options.method = method;
    options.threads = threads;
    size_t elements[RODS];
    for (size_t rod = 0; rod < RODS; rod++)
        elements[rod] = 1 + rod % LONGEST;
    rod_batch *batch;
    if (rod_create_mixed(&batch, RODS, elements, &options) != ROD_OK)
        return NULL;
    for (size_t rod = 0; rod < RODS; rod++) {
        rod_shape_straight(batch, rod, (float[]){(float)rod, 0, 0}, (float[]){1, 0, 0.5f},
                           0.3f * (float)elements[rod]);
        rod_clamp(batch, rod, ROD_START);
    }
    return batch;
}

/* Weights change between steps, so that threads refresh blocks, too. */
static void step_and_change(rod_batch *batch) {
    rod_step_settings s = rod_step_defaults();
    s.frames = 2;
    for (size_t i = 0; i < STEPS; i++) {
        rod_set_inverse_mass(batch, i, 0, 0.5f);
        rod_step(batch, &s);
    }
}

/* The caller frees it. */
static float *positions_after(rod_method method, size_t threads, size_t *floats) {
    rod_batch *batch = new_hair(method, threads);
    if (!batch)
        return NULL;
    step_and_change(batch);
    *floats = rod_floats(batch, ROD_POSITIONS, 0, RODS);
    float *positions = malloc(*floats * sizeof *positions);
    if (positions)
        rod_get(batch, ROD_POSITIONS, 0, RODS, positions);
    rod_destroy(batch);
    return positions;
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    for (int method = 0; method < ROD_METHODS; method++) {
        size_t floats, count;
        float *alone = positions_after((rod_method)method, 1, &floats);
        assert_non_null(alone);
        for (size_t threads = 2; threads <= 8; threads += 3) {
            float *together = positions_after((rod_method)method, threads, &count);
            assert_non_null(together);
            assert_int_equal(floats, count);
            assert_memory_equal(alone, together, floats * sizeof *alone);
            free(together);
        }
        free(alone);
    }
}

typedef struct {
    pthread_t thread;
    rod_method method;
    size_t floats;
    float *positions;
} client;

static void *run_client(void *context) {
    client *c = context;
    c->positions = positions_after(c->method, 1, &c->floats);
    return NULL;
}

static void clients_with_batches_of_their_own_do_not_disturb_each_other(void **state) {
    (void)state;
    client clients[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++) {
        clients[i] = (client){.method = (rod_method)(i % ROD_METHODS)};
        assert_int_equal(pthread_create(&clients[i].thread, NULL, run_client, &clients[i]), 0);
    }
    for (size_t i = 0; i < CLIENTS; i++) {
        size_t floats;
        pthread_join(clients[i].thread, NULL);
        float *alone = positions_after(clients[i].method, 1, &floats);
        assert_non_null(alone);
        assert_non_null(clients[i].positions);
        assert_memory_equal(alone, clients[i].positions, floats * sizeof *alone);
        free(alone);
        free(clients[i].positions);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(clients_with_batches_of_their_own_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
