/* Inside a batch. Only soa/ includes this. */
#ifndef ROD_BATCH_H
#define ROD_BATCH_H

#include "choose.h"

/* Storage of one quantity: blocks side by side, rows of [component][lane] in each. */
typedef enum { ROWS_PARTICLES, ROWS_ELEMENTS, ROWS_JOINTS } rod_rows;

typedef struct {
    rod_rows rows;
    size_t components;
} rod_quantity_shape;

enum { ROD_QUANTITIES = ROD_BEND_STIFFNESSES + 1 };

/* Lengths and weights stay where their squares and reciprocals are float32 numbers. */
#define ROD_LARGEST 1e18f

static inline bool rod_is_length(float length) {
    return length >= 1.0f / ROD_LARGEST && length <= ROD_LARGEST;
}

/* Whether PBER can hold a joint at rest whose half turn has this squared sine: its Rodrigues vector
 * is infinite at a half turn. */
static inline bool rod_is_turn(double squared_sine) {
    return 1.0 - squared_sine >= 2.5e-7;
}

rod_quantity_shape rod_shape_of(rod_quantity quantity);

/* Whether rods of the method have the quantity at all. */
bool rod_method_has(rod_method method, rod_quantity quantity);

struct rod_batch {
    rod_method method;
    rod_choice choice;
    const rod_variant *variant; /* the chosen one */
    size_t threads;
    size_t rods, lanes, blocks;
    bool chunked;            /* a rod fills a block, and lane 0 stands for it */
    size_t *rod_slot;        /* rod -> block * lanes + lane: rods lie sorted by length */
    size_t *rod_elements;    /* by rod */
    uint32_t *lane_elements; /* by slot */
    rod_block *block;
    bool *stale; /* by block: weights, lengths or stiffness changed since the last step */
    float *arena;
    size_t arena_floats;
    float *optional[ROD_QUANTITIES]; /* storage that most batches never need, NULL until used */
    float *scratch;                  /* one for each thread */
    size_t scratch_floats;
    uint64_t sign_flips;
    /* What the applied stiffnesses were made for. */
    size_t stiffness_iterations; /* 0: taken as they were set */
};

/* Whether most batches do without storage for it. */
bool rod_is_optional(rod_quantity quantity);

/* Makes room for an optional quantity with its default values. */
rod_status rod_reserve(rod_batch *batch, rod_quantity quantity);

/* The first float of entry `index` of a rod; its components are batch->lanes floats apart. NULL
 * for a quantity that has no storage: an optional one, an orientation of PBER, one that the method
 * does not have. */
float *rod_entry(const rod_batch *batch, rod_quantity quantity, size_t rod, size_t index);

/* A lane constant of a rod. */
float *rod_constant(const rod_batch *batch, size_t rod, enum rod_lane_constant which);

size_t rod_entries(const rod_batch *batch, rod_quantity quantity, size_t rod);

/* Marks the rod's block for refreshing before the next step. */
void rod_touch(rod_batch *batch, size_t rod);

/* Finds out anew where a block is uniform and which stiffnesses apply. */
void rod_refresh(rod_batch *batch, size_t block);

/* ---------------------------------------------------------------- ghost points */

/* The orientation (w x y z) that an element of a PBER rod has by its ghost point. */
void rod_ghost_orientation(const rod_batch *batch, size_t rod, size_t element, double q[4]);

/* Puts the ghost point where the element has this orientation, at velocity 0. */
void rod_ghost_turn(rod_batch *batch, size_t rod, size_t element, const double q[4]);

/* Forgets how gravity moved the rod so far. */
void rod_ghost_forget(rod_batch *batch, size_t rod);

#endif
