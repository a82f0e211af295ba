/* Creating a batch and laying out its memory. */

#include "batch.h"
#include "allocate.h"
#include "order.h"

#include <stdlib.h>
#include <string.h>

rod_quantity_shape rod_shape_of(rod_quantity quantity) {
    static const rod_quantity_shape shapes[ROD_QUANTITIES] = {
        [ROD_POSITIONS] = {ROWS_PARTICLES, 3},
        [ROD_VELOCITIES] = {ROWS_PARTICLES, 3},
        [ROD_INVERSE_MASSES] = {ROWS_PARTICLES, 1},
        [ROD_FORCES] = {ROWS_PARTICLES, 3},
        [ROD_ORIENTATIONS] = {ROWS_ELEMENTS, 4},
        [ROD_ANGULAR_VELOCITIES] = {ROWS_ELEMENTS, 3},
        [ROD_ORIENTATION_WEIGHTS] = {ROWS_ELEMENTS, 1},
        [ROD_TORQUES] = {ROWS_ELEMENTS, 3},
        [ROD_INERTIAS] = {ROWS_ELEMENTS, 3},
        [ROD_REST_LENGTHS] = {ROWS_ELEMENTS, 1},
        [ROD_REST_DARBOUX] = {ROWS_JOINTS, 3},
        [ROD_GHOSTS] = {ROWS_ELEMENTS, 3},
        [ROD_GHOST_VELOCITIES] = {ROWS_ELEMENTS, 3},
        [ROD_REST_ANGLES] = {ROWS_JOINTS, 1},
        [ROD_STRETCH_STIFFNESSES] = {ROWS_ELEMENTS, 1},
        [ROD_BEND_STIFFNESSES] = {ROWS_JOINTS, 1},
    };
    return shapes[quantity];
}

bool rod_method_has(rod_method method, rod_quantity quantity) {
    switch (quantity) {
    case ROD_ORIENTATIONS:
    case ROD_ORIENTATION_WEIGHTS:
    case ROD_REST_DARBOUX:
        return method != ROD_METHOD_PBD;
    case ROD_ANGULAR_VELOCITIES:
    case ROD_TORQUES:
    case ROD_INERTIAS:
        return method == ROD_METHOD_QUATERNION;
    case ROD_GHOSTS:
    case ROD_GHOST_VELOCITIES:
        return method == ROD_METHOD_PBER;
    case ROD_REST_ANGLES:
    case ROD_STRETCH_STIFFNESSES:
    case ROD_BEND_STIFFNESSES:
        return method == ROD_METHOD_PBD;
    default:
        return true;
    }
}

bool rod_is_optional(rod_quantity quantity) {
    return quantity == ROD_FORCES || quantity == ROD_TORQUES || quantity == ROD_INERTIAS ||
           quantity == ROD_REST_LENGTHS || quantity == ROD_STRETCH_STIFFNESSES ||
           quantity == ROD_BEND_STIFFNESSES;
}

/* ---------------------------------------------------------------- sizes */

/* Bounds every product below: 32 components of 64 lanes of floats, and scratch. */
static bool too_large(size_t elements) {
    return elements >= UINT32_MAX || elements > SIZE_MAX / 8192;
}

/* Floats of one block for its always present quantities. Sections stay 64-byte aligned. */
static size_t round_up(size_t floats) {
    return (floats + 15) / 16 * 16;
}

static size_t section(size_t rows, size_t components, size_t lanes) {
    return round_up(rows * components * lanes);
}

/* ---------------------------------------------------------------- layout */

/* Hands out sections from `next` on; counts only, as long as there is no memory. */
typedef struct {
    float *memory;
    size_t floats;
} arena_cursor;

static float *take(arena_cursor *next, size_t rows, size_t components, size_t lanes) {
    float *taken = next->memory ? next->memory + next->floats : NULL;
    next->floats += section(rows, components, lanes);
    return taken;
}

/* Returns how many floats the block takes. */
static size_t lay_out_block(rod_block *b, rod_method method, float *memory) {
    const size_t n = rod_element_rows(b), particles = rod_particle_rows(b);
    arena_cursor next = {memory, 0};
    b->x = take(&next, particles, 3, b->lanes);
    b->v = take(&next, particles, 3, b->lanes);
    b->w = take(&next, particles, 1, b->lanes);
    if (method == ROD_METHOD_PBD) {
        b->angle = take(&next, n, 1, b->lanes);
    } else {
        b->wq = take(&next, n, 1, b->lanes);
        b->rest = take(&next, n, 3, b->lanes);
    }
    if (method == ROD_METHOD_QUATERNION) {
        b->q = take(&next, n, 4, b->lanes);
        b->omega = take(&next, n, 3, b->lanes);
    } else if (method == ROD_METHOD_PBER) {
        b->ghost = take(&next, n, 3, b->lanes);
        b->ghost_v = take(&next, n, 3, b->lanes);
        b->fall = take(&next, n, 1, b->lanes);
    }
    b->lane_constant = take(&next, ROD_LANE_CONSTANTS, 1, b->lanes);
    b->flips = take(&next, 1, 1, b->lanes);
    b->kept = take(&next, rod_kept_floats(b, method), 1, 1);
    return next.floats;
}

/* The entry of its rod that a row of a lane has room for, and the elements of that rod. */
static size_t index_at(const rod_block *b, size_t row, size_t lane) {
    return lane * b->rows + row;
}

static size_t elements_at(const rod_block *b, size_t lane) {
    return b->lane_elements[b->rows > 0 ? 0 : lane];
}

static void fill_element(const rod_block *b, size_t row, size_t lane) {
    const size_t lanes = b->lanes;
    if (b->wq)
        b->wq[row * lanes + lane] = index_at(b, row, lane) < elements_at(b, lane) ? 1.0f : 0.0f;
    if (b->q)
        b->q[4 * row * lanes + lane] = 1.0f;
    if (b->ghost) {
        b->ghost[3 * row * lanes + lane] = 1.0f;
        b->ghost[(3 * row + 2) * lanes + lane] = (float)index_at(b, row, lane) + 0.5f;
        b->fall[row * lanes + lane] = 1.0f;
    }
}

/* Everything, padding included, is a straight rod along z of unit elements; padding is pinned. */
static void fill_block(const rod_block *b) {
    const size_t lanes = b->lanes;
    for (size_t row = 0; row < rod_particle_rows(b); row++)
        for (size_t lane = 0; lane < lanes; lane++) {
            const size_t index = index_at(b, row, lane), n = elements_at(b, lane);
            b->x[(3 * row + 2) * lanes + lane] = (float)index;
            b->w[row * lanes + lane] = n > 0 && index <= n ? 1.0f : 0.0f;
        }
    for (size_t row = 0; row < rod_element_rows(b); row++)
        for (size_t lane = 0; lane < lanes; lane++)
            fill_element(b, row, lane);
    for (size_t i = 0; i < ROD_LANE_CONSTANTS * lanes; i++)
        b->lane_constant[i] = 1.0f;
    for (size_t lane = 0; lane < lanes; lane++) {
        b->lane_constant[ROD_LANE_CURVE * lanes + lane] = 0.0f;
        if (b->lane_elements[lane] == 0)
            b->lane_constant[ROD_LANE_WEIGHT * lanes + lane] = 0.0f;
    }
}

typedef struct {
    size_t elements, rod;
} rod_by_length;

/* Longest first; equal ones keep the order in which they were given. */
static int compare_lengths(const void *a, const void *b) {
    const rod_by_length *x = a, *y = b;
    if (x->elements != y->elements)
        return x->elements < y->elements ? 1 : -1;
    return x->rod < y->rod ? -1 : 1;
}

/* Gives each rod its slot, so that rods of like length share a block and little is padding. */
static rod_status assign_slots(rod_batch *b, const size_t *elements, size_t each) {
    rod_by_length *sorted = malloc(b->rods * sizeof *sorted);
    if (!sorted)
        return ROD_E_MEMORY;
    for (size_t rod = 0; rod < b->rods; rod++) {
        b->rod_elements[rod] = elements ? elements[rod] : each;
        sorted[rod] = (rod_by_length){b->rod_elements[rod], rod};
    }
    if (elements)
        qsort(sorted, b->rods, sizeof *sorted, compare_lengths);
    for (size_t i = 0; i < b->rods; i++) {
        const size_t slot = b->chunked ? i * b->lanes : i;
        b->rod_slot[sorted[i].rod] = slot;
        b->lane_elements[slot] = (uint32_t)sorted[i].elements;
    }
    free(sorted);
    return ROD_OK;
}

/* Where caches hold the whole batch, to ask for a block ahead of its time is wasted work. */
enum { CACHED_BYTES = 1 << 20 };

/* Tells each block where the one after it lies. */
static void announce_blocks(rod_batch *b) {
    if (b->arena_floats * sizeof(float) <= CACHED_BYTES)
        return;
    for (size_t i = 0; i + 1 < b->blocks; i++) {
        const float *end = i + 2 < b->blocks ? b->block[i + 2].x : b->arena + b->arena_floats;
        b->block[i].ahead = b->block[i + 1].x;
        b->block[i].ahead_floats = (size_t)(end - b->block[i + 1].x);
    }
}

static size_t chunk_rows(const rod_batch *b, const rod_block *block) {
    return rod_chunk_rows(block->elements, b->lanes, rod_colours(b->method));
}

static rod_status lay_out_blocks(rod_batch *b) {
    for (size_t i = 0; i < b->blocks; i++) {
        rod_block *block = &b->block[i];
        block->lanes = b->lanes;
        block->lane_elements = b->lane_elements + i * b->lanes;
        block->elements = block->lane_elements[0];
        block->rows = b->chunked ? chunk_rows(b, block) : 0;
        const size_t floats = lay_out_block(block, b->method, NULL);
        if (floats > SIZE_MAX / 16 - b->arena_floats)
            return ROD_E_TOO_LARGE;
        b->arena_floats += floats;
    }
    b->arena = rod_allocate_zeros(b->arena_floats);
    if (!b->arena)
        return ROD_E_MEMORY;
    float *next = b->arena;
    for (size_t i = 0; i < b->blocks; i++) {
        next += lay_out_block(&b->block[i], b->method, next);
        fill_block(&b->block[i]);
        b->stale[i] = true;
    }
    announce_blocks(b);
    const size_t rows = rod_element_rows(&b->block[0]);
    b->scratch_floats = round_up(rod_scratch_floats(rows, b->lanes));
    b->scratch = b->threads > SIZE_MAX / 16 / b->scratch_floats
                     ? NULL
                     : rod_allocate_zeros(b->threads * b->scratch_floats);
    return b->scratch ? ROD_OK : ROD_E_MEMORY;
}

/* ---------------------------------------------------------------- creation */

static rod_status check_sizes(size_t rods, const size_t *elements, size_t each) {
    if (rods == 0)
        return ROD_E_NO_RODS;
    if (rods > SIZE_MAX / 8192)
        return ROD_E_TOO_LARGE;
    for (size_t rod = 0; rod < (elements ? rods : 1); rod++) {
        const size_t n = elements ? elements[rod] : each;
        if (n == 0)
            return ROD_E_NO_ELEMENTS;
        if (too_large(n) || n > SIZE_MAX / 8192 / rods)
            return ROD_E_TOO_LARGE;
    }
    return ROD_OK;
}

static size_t total_elements(size_t rods, const size_t *elements, size_t each) {
    size_t total = elements ? 0 : rods * each;
    for (size_t rod = 0; elements && rod < rods; rod++)
        total += elements[rod];
    return total;
}

static rod_status build(rod_batch *b, const size_t *elements, size_t each) {
    b->lanes = b->variant->lanes;
    b->chunked = strcmp(b->variant->layout, "chunked") == 0;
    b->blocks = b->chunked ? b->rods : (b->rods + b->lanes - 1) / b->lanes;
    b->rod_slot = malloc(b->rods * sizeof *b->rod_slot);
    b->rod_elements = malloc(b->rods * sizeof *b->rod_elements);
    b->lane_elements = calloc(b->blocks * b->lanes, sizeof *b->lane_elements);
    b->block = calloc(b->blocks, sizeof *b->block);
    b->stale = calloc(b->blocks, sizeof *b->stale);
    if (!b->rod_slot || !b->rod_elements || !b->lane_elements || !b->block || !b->stale)
        return ROD_E_MEMORY;
    const rod_status status = assign_slots(b, elements, each);
    return status == ROD_OK ? lay_out_blocks(b) : status;
}

static rod_status create(rod_batch **batch, size_t rods, const size_t *elements, size_t each,
                         const rod_options *options) {
    if (!batch)
        return ROD_E_NULL;
    *batch = NULL;
    rod_status status = check_sizes(rods, elements, each);
    if (status != ROD_OK)
        return status;
    const rod_options given = options ? *options : rod_options_default();
    const size_t total = total_elements(rods, elements, each);
    rod_choice choice;
    status = rod_choose_for(&given, rods, total, &choice);
    if (status != ROD_OK)
        return status;
    rod_batch *b = calloc(1, sizeof *b);
    if (!b)
        return ROD_E_MEMORY;
    b->rods = rods;
    b->method = given.method;
    b->choice = choice;
    b->variant = choice.variant;
    b->threads = given.threads;
    status = build(b, elements, each);
    if (status != ROD_OK) {
        rod_destroy(b);
        return status;
    }
    rod_explain(&given, rods, total, &choice);
    *batch = b;
    return ROD_OK;
}

rod_options rod_options_default(void) {
    return (rod_options){.method = ROD_METHOD_QUATERNION,
                         .variant = NULL,
                         .accuracy = ROD_ACCURACY_FULL,
                         .order = ROD_ORDER_DEFAULT,
                         .threads = 1};
}

rod_status rod_create(rod_batch **batch, size_t rods, size_t elements, const rod_options *options) {
    return create(batch, rods, NULL, elements, options);
}

rod_status rod_create_mixed(rod_batch **batch, size_t rods, const size_t *elements,
                            const rod_options *options) {
    if (batch)
        *batch = NULL;
    return elements ? create(batch, rods, elements, 0, options) : ROD_E_NULL;
}

void rod_destroy(rod_batch *batch) {
    if (!batch)
        return;
    for (size_t i = 0; i < ROD_QUANTITIES; i++)
        free(batch->optional[i]);
    free(batch->scratch);
    free(batch->arena);
    free(batch->stale);
    free(batch->block);
    free(batch->lane_elements);
    free(batch->rod_elements);
    free(batch->rod_slot);
    free(batch);
}

size_t rod_count(const rod_batch *batch) {
    return batch ? batch->rods : 0;
}

size_t rod_elements(const rod_batch *batch, size_t rod) {
    return batch && rod < batch->rods ? batch->rod_elements[rod] : 0;
}

rod_method rod_method_of(const rod_batch *batch) {
    return batch ? batch->method : ROD_METHOD_QUATERNION;
}

const char *rod_variant_name(const rod_batch *batch) {
    return batch ? batch->variant->name : "";
}

const char *rod_variant_reason(const rod_batch *batch) {
    return batch ? batch->choice.reason : "";
}

/* ---------------------------------------------------------------- optional quantities */

/* Stiffnesses are kept as they were set and, behind that, as they are applied. */
static bool has_applied_copy(rod_quantity quantity) {
    return quantity == ROD_STRETCH_STIFFNESSES || quantity == ROD_BEND_STIFFNESSES;
}

static size_t optional_floats(const rod_batch *b, const rod_block *block, rod_quantity quantity) {
    const rod_quantity_shape shape = rod_shape_of(quantity);
    const size_t rows =
        shape.rows == ROWS_PARTICLES ? rod_particle_rows(block) : rod_element_rows(block);
    const size_t floats = section(rows, shape.components, b->lanes);
    return has_applied_copy(quantity) ? 2 * floats : floats;
}

static void attach(rod_block *block, rod_quantity quantity, float *memory) {
    float *second = memory + section(rod_element_rows(block), 1, block->lanes);
    if (quantity == ROD_FORCES)
        block->force = memory;
    else if (quantity == ROD_TORQUES)
        block->torque = memory;
    else if (quantity == ROD_INERTIAS)
        block->inertia = memory;
    else if (quantity == ROD_REST_LENGTHS)
        block->length = memory;
    if (quantity == ROD_STRETCH_STIFFNESSES) {
        block->set_stretch = memory;
        block->stretch_stiffness = second;
    } else if (quantity == ROD_BEND_STIFFNESSES) {
        block->set_bend = memory;
        block->bend_stiffness = second;
    }
}

static void fill_optional(const rod_block *block, rod_quantity quantity, float *memory) {
    const size_t lanes = block->lanes;
    const float *length = block->lane_constant + ROD_LANE_LENGTH * lanes;
    for (size_t e = 0; e < rod_element_rows(block); e++)
        for (size_t lane = 0; lane < lanes; lane++)
            if (quantity == ROD_REST_LENGTHS)
                memory[e * lanes + lane] = length[block->rows > 0 ? 0 : lane];
            else if (has_applied_copy(quantity))
                memory[e * lanes + lane] = 1.0f;
            else if (quantity == ROD_INERTIAS)
                for (size_t c = 0; c < 3; c++)
                    memory[(3 * e + c) * lanes + lane] = 1.0f;
}

rod_status rod_reserve(rod_batch *batch, rod_quantity quantity) {
    if (batch->optional[quantity])
        return ROD_OK;
    size_t floats = 0;
    for (size_t i = 0; i < batch->blocks; i++)
        floats += optional_floats(batch, &batch->block[i], quantity);
    float *memory = rod_allocate_zeros(floats);
    if (!memory)
        return ROD_E_MEMORY;
    batch->optional[quantity] = memory;
    for (size_t i = 0; i < batch->blocks; i++) {
        attach(&batch->block[i], quantity, memory);
        fill_optional(&batch->block[i], quantity, memory);
        memory += optional_floats(batch, &batch->block[i], quantity);
    }
    return ROD_OK;
}

size_t rod_resident_bytes(const rod_batch *batch) {
    if (!batch)
        return 0;
    size_t floats = batch->arena_floats;
    for (size_t quantity = 0; quantity < ROD_QUANTITIES; quantity++)
        for (size_t i = 0; batch->optional[quantity] && i < batch->blocks; i++)
            floats += optional_floats(batch, &batch->block[i], (rod_quantity)quantity);
    return floats * sizeof(float);
}
