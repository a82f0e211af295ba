/* Plain arrays and single values in and out of a batch. */

#include "batch.h"

#include <math.h>

/* ---------------------------------------------------------------- where things lie */

static float *base_of(const rod_block *b, rod_quantity quantity) {
    switch (quantity) {
    case ROD_POSITIONS:
        return b->x;
    case ROD_VELOCITIES:
        return b->v;
    case ROD_INVERSE_MASSES:
        return b->w;
    case ROD_FORCES:
        return b->force;
    case ROD_ORIENTATIONS:
        return b->q;
    case ROD_ANGULAR_VELOCITIES:
        return b->omega;
    case ROD_ORIENTATION_WEIGHTS:
        return b->wq;
    case ROD_TORQUES:
        return b->torque;
    case ROD_INERTIAS:
        return b->inertia;
    case ROD_REST_LENGTHS:
        return b->length;
    case ROD_REST_DARBOUX:
        return b->rest;
    case ROD_GHOSTS:
        return b->ghost;
    case ROD_GHOST_VELOCITIES:
        return b->ghost_v;
    case ROD_REST_ANGLES:
        return b->angle;
    case ROD_STRETCH_STIFFNESSES:
        return b->set_stretch;
    case ROD_BEND_STIFFNESSES:
        return b->set_bend;
    }
    return NULL;
}

float *rod_entry(const rod_batch *batch, rod_quantity quantity, size_t rod, size_t index) {
    const size_t slot = batch->rod_slot[rod];
    const rod_block *block = &batch->block[slot / batch->lanes];
    float *base = base_of(block, quantity);
    const size_t components = rod_shape_of(quantity).components;
    return base ? base + rod_offset(block, slot % batch->lanes, index, components) : NULL;
}

float *rod_constant(const rod_batch *batch, size_t rod, enum rod_lane_constant which) {
    const size_t slot = batch->rod_slot[rod];
    const rod_block *block = &batch->block[slot / batch->lanes];
    return block->lane_constant + (size_t)which * batch->lanes + slot % batch->lanes;
}

size_t rod_entries(const rod_batch *batch, rod_quantity quantity, size_t rod) {
    const size_t elements = batch->rod_elements[rod];
    switch (rod_shape_of(quantity).rows) {
    case ROWS_PARTICLES:
        return elements + 1;
    case ROWS_JOINTS:
        return elements - 1;
    case ROWS_ELEMENTS:
    default:
        return elements;
    }
}

void rod_touch(rod_batch *batch, size_t rod) {
    batch->stale[batch->rod_slot[rod] / batch->lanes] = true;
}

/* ---------------------------------------------------------------- checks */

static bool is_quantity(rod_quantity quantity) {
    return (int)quantity >= 0 && (int)quantity < ROD_QUANTITIES;
}

static rod_status check_range(const rod_batch *batch, rod_quantity quantity, size_t first,
                              size_t count, const void *values) {
    if (!batch || !values)
        return ROD_E_NULL;
    if (!is_quantity(quantity))
        return ROD_E_QUANTITY;
    if (!rod_method_has(batch->method, quantity))
        return ROD_E_ABSENT;
    return first > batch->rods || count > batch->rods - first ? ROD_E_INDEX : ROD_OK;
}

/* In double, where no float32 overflows or vanishes. */
static double square(const float *a, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += (double)a[i] * (double)a[i];
    return sum;
}

static rod_status check_darboux(rod_method method, const float *entry) {
    const double squared = square(entry, 3);
    if (method == ROD_METHOD_PBER)
        return rod_is_turn(squared) ? ROD_OK : ROD_E_DARBOUX;
    /* room for the rounding of a vector of length 1 */
    return squared <= 1.000001 ? ROD_OK : ROD_E_DARBOUX;
}

static rod_status check_entry(rod_method method, rod_quantity quantity, const float *entry) {
    const size_t components = rod_shape_of(quantity).components;
    for (size_t i = 0; i < components; i++)
        if (!isfinite(entry[i]))
            return ROD_E_NOT_FINITE;
    switch (quantity) {
    case ROD_INVERSE_MASSES:
    case ROD_ORIENTATION_WEIGHTS:
        return entry[0] >= 0.0f && entry[0] <= ROD_LARGEST ? ROD_OK : ROD_E_MASS;
    case ROD_INERTIAS:
        return entry[0] > 0.0f && entry[1] > 0.0f && entry[2] > 0.0f ? ROD_OK : ROD_E_INERTIA;
    case ROD_REST_LENGTHS:
        return rod_is_length(entry[0]) ? ROD_OK : ROD_E_LENGTH;
    case ROD_ORIENTATIONS:
        return square(entry, 4) > 0.0 ? ROD_OK : ROD_E_DIRECTION;
    case ROD_REST_DARBOUX:
        return check_darboux(method, entry);
    case ROD_REST_ANGLES:
        return entry[0] >= 0.0f && entry[0] <= 3.1415927f ? ROD_OK : ROD_E_ANGLE;
    case ROD_STRETCH_STIFFNESSES:
    case ROD_BEND_STIFFNESSES:
        return entry[0] >= 0.0f && entry[0] <= 1.0f ? ROD_OK : ROD_E_STIFFNESS;
    default:
        return ROD_OK;
    }
}

/* ---------------------------------------------------------------- reading */

/* What an optional quantity without storage reads as. */
static float absent_value(const rod_batch *batch, rod_quantity quantity, size_t rod) {
    if (quantity == ROD_REST_LENGTHS)
        return *rod_constant(batch, rod, ROD_LANE_LENGTH);
    const bool is_factor = quantity == ROD_INERTIAS || quantity == ROD_STRETCH_STIFFNESSES ||
                           quantity == ROD_BEND_STIFFNESSES;
    return is_factor ? 1.0f : 0.0f;
}

/* Orientations of PBER are kept as ghost points. */
static bool is_ghostly(const rod_batch *batch, rod_quantity quantity) {
    return batch->method == ROD_METHOD_PBER && quantity == ROD_ORIENTATIONS;
}

static void read_value(const rod_batch *batch, rod_quantity quantity, size_t rod, size_t index,
                       float *value) {
    const size_t components = rod_shape_of(quantity).components;
    const float *entry = rod_entry(batch, quantity, rod, index);
    double q[4];
    if (is_ghostly(batch, quantity))
        rod_ghost_orientation(batch, rod, index, q);
    for (size_t c = 0; c < components; c++)
        if (is_ghostly(batch, quantity))
            value[c] = (float)q[c];
        else
            value[c] = entry ? entry[c * batch->lanes] : absent_value(batch, quantity, rod);
}

size_t rod_floats(const rod_batch *batch, rod_quantity quantity, size_t first, size_t count) {
    if (check_range(batch, quantity, first, count, batch) != ROD_OK)
        return 0;
    size_t floats = 0;
    for (size_t rod = first; rod < first + count; rod++)
        floats += rod_entries(batch, quantity, rod) * rod_shape_of(quantity).components;
    return floats;
}

rod_status rod_get(const rod_batch *batch, rod_quantity quantity, size_t first, size_t count,
                   float *values) {
    const rod_status status = check_range(batch, quantity, first, count, values);
    if (status != ROD_OK)
        return status;
    const size_t components = rod_shape_of(quantity).components;
    for (size_t rod = first; rod < first + count; rod++)
        for (size_t i = 0; i < rod_entries(batch, quantity, rod); i++) {
            read_value(batch, quantity, rod, i, values);
            values += components;
        }
    return ROD_OK;
}

/* ---------------------------------------------------------------- writing */

static void write_entry(rod_batch *batch, rod_quantity quantity, size_t rod, size_t index,
                        const float *values) {
    float *entry = rod_entry(batch, quantity, rod, index);
    const size_t components = rod_shape_of(quantity).components;
    const double scale = quantity == ROD_ORIENTATIONS ? 1.0 / sqrt(square(values, 4)) : 1.0;
    for (size_t c = 0; c < components; c++)
        entry[c * batch->lanes] = (float)(scale * (double)values[c]);
}

static void write_orientation(rod_batch *batch, size_t rod, size_t element, const float *q) {
    if (is_ghostly(batch, ROD_ORIENTATIONS))
        rod_ghost_turn(batch, rod, element, (const double[4]){q[0], q[1], q[2], q[3]});
    else
        write_entry(batch, ROD_ORIENTATIONS, rod, element, q);
}

static rod_status check_values(const rod_batch *batch, rod_quantity quantity, size_t first,
                               size_t count, const float *values) {
    const size_t components = rod_shape_of(quantity).components;
    const size_t entries = rod_floats(batch, quantity, first, count) / components;
    for (size_t i = 0; i < entries; i++) {
        const rod_status status = check_entry(batch->method, quantity, values + i * components);
        if (status != ROD_OK)
            return status;
    }
    return ROD_OK;
}

static bool all_equal(const float *values, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

/* Rods with one length for all elements need no storage for it. */
static bool needs_storage(const rod_batch *batch, rod_quantity quantity, size_t first, size_t count,
                          const float *values) {
    if (quantity != ROD_REST_LENGTHS)
        return rod_is_optional(quantity);
    for (size_t rod = first; rod < first + count; rod++) {
        if (!all_equal(values, batch->rod_elements[rod]))
            return true;
        values += batch->rod_elements[rod];
    }
    return false;
}

/* One length for the whole rod, if it has one, and the distance of ghost points: the mean length
 * (USS14 section 3.2). */
static void write_lengths(rod_batch *batch, size_t rod, const float *lengths) {
    double sum = 0.0;
    for (size_t e = 0; e < batch->rod_elements[rod]; e++)
        sum += (double)lengths[e];
    *rod_constant(batch, rod, ROD_LANE_LENGTH) = lengths[0];
    *rod_constant(batch, rod, ROD_LANE_GHOST) = (float)(sum / (double)batch->rod_elements[rod]);
}

static void write_rod(rod_batch *batch, rod_quantity quantity, size_t rod, const float *values) {
    const size_t components = rod_shape_of(quantity).components;
    if (quantity == ROD_REST_LENGTHS)
        write_lengths(batch, rod, values);
    if (quantity == ROD_ORIENTATIONS)
        for (size_t e = 0; e < batch->rod_elements[rod]; e++)
            write_orientation(batch, rod, e, values + e * components);
    else if (rod_entry(batch, quantity, rod, 0))
        for (size_t i = 0; i < rod_entries(batch, quantity, rod); i++)
            write_entry(batch, quantity, rod, i, values + i * components);
    if (quantity == ROD_INVERSE_MASSES || quantity == ROD_ORIENTATION_WEIGHTS ||
        quantity == ROD_REST_LENGTHS || quantity == ROD_REST_DARBOUX ||
        quantity == ROD_STRETCH_STIFFNESSES || quantity == ROD_BEND_STIFFNESSES)
        rod_touch(batch, rod);
}

rod_status rod_set(rod_batch *batch, rod_quantity quantity, size_t first, size_t count,
                   const float *values) {
    rod_status status = check_range(batch, quantity, first, count, values);
    if (status == ROD_OK)
        status = check_values(batch, quantity, first, count, values);
    if (status == ROD_OK && needs_storage(batch, quantity, first, count, values))
        status = rod_reserve(batch, quantity);
    if (status != ROD_OK)
        return status;
    for (size_t rod = first; rod < first + count; rod++) {
        write_rod(batch, quantity, rod, values);
        values += rod_entries(batch, quantity, rod) * rod_shape_of(quantity).components;
    }
    return ROD_OK;
}

/* ---------------------------------------------------------------- single values */

static rod_status check_one(const rod_batch *batch, rod_quantity quantity, size_t rod, size_t index,
                            const float *value) {
    rod_status status = check_range(batch, quantity, rod, 1, value);
    if (status == ROD_OK && index >= rod_entries(batch, quantity, rod))
        status = ROD_E_INDEX;
    return status == ROD_OK ? check_entry(batch->method, quantity, value) : status;
}

static rod_status set_weight(rod_batch *batch, rod_quantity quantity, size_t rod, size_t index,
                             float value) {
    const rod_status status = check_one(batch, quantity, rod, index, &value);
    if (status == ROD_OK) {
        write_entry(batch, quantity, rod, index, &value);
        rod_touch(batch, rod);
    }
    return status;
}

rod_status rod_set_inverse_mass(rod_batch *batch, size_t rod, size_t particle, float inverse_mass) {
    return set_weight(batch, ROD_INVERSE_MASSES, rod, particle, inverse_mass);
}

rod_status rod_set_orientation_weight(rod_batch *batch, size_t rod, size_t element, float weight) {
    return set_weight(batch, ROD_ORIENTATION_WEIGHTS, rod, element, weight);
}

rod_status rod_clamp(rod_batch *batch, size_t rod, rod_end end) {
    if (!batch)
        return ROD_E_NULL;
    if (rod >= batch->rods || (end != ROD_START && end != ROD_END))
        return ROD_E_INDEX;
    const size_t element = end == ROD_START ? 0 : batch->rod_elements[rod] - 1;
    rod_set_inverse_mass(batch, rod, element, 0.0f);
    rod_set_inverse_mass(batch, rod, element + 1, 0.0f);
    if (!rod_method_has(batch->method, ROD_ORIENTATION_WEIGHTS))
        return ROD_OK;
    return rod_set_orientation_weight(batch, rod, element, 0.0f);
}

rod_status rod_move_particle(rod_batch *batch, size_t rod, size_t particle,
                             const float position[3]) {
    const rod_status status = check_one(batch, ROD_POSITIONS, rod, particle, position);
    if (status != ROD_OK)
        return status;
    write_entry(batch, ROD_POSITIONS, rod, particle, position);
    write_entry(batch, ROD_VELOCITIES, rod, particle, (const float[3]){0});
    return status;
}

rod_status rod_move_orientation(rod_batch *batch, size_t rod, size_t element,
                                const float orientation[4]) {
    const rod_status status = check_one(batch, ROD_ORIENTATIONS, rod, element, orientation);
    if (status != ROD_OK)
        return status;
    write_orientation(batch, rod, element, orientation);
    if (batch->method == ROD_METHOD_QUATERNION)
        write_entry(batch, ROD_ANGULAR_VELOCITIES, rod, element, (const float[3]){0});
    return status;
}

rod_status rod_set_stiffness(rod_batch *batch, size_t rod, const rod_stiffness *stiffness) {
    if (!batch || !stiffness)
        return ROD_E_NULL;
    if (rod >= batch->rods)
        return ROD_E_INDEX;
    const float k[] = {stiffness->shear_x, stiffness->shear_y, stiffness->stretch,
                       stiffness->bend_x,  stiffness->bend_y,  stiffness->twist};
    for (size_t i = 0; i < 6; i++)
        if (!(k[i] >= 0.0f && k[i] <= 1.0f))
            return ROD_E_STIFFNESS;
    for (size_t i = 0; i < 6; i++)
        *rod_constant(batch, rod, (enum rod_lane_constant)(ROD_LANE_SET + i)) = k[i];
    rod_touch(batch, rod);
    return ROD_OK;
}

rod_status rod_get_stiffness(const rod_batch *batch, size_t rod, rod_stiffness *stiffness) {
    if (!batch || !stiffness)
        return ROD_E_NULL;
    if (rod >= batch->rods)
        return ROD_E_INDEX;
    float k[6];
    for (size_t i = 0; i < 6; i++)
        k[i] = *rod_constant(batch, rod, (enum rod_lane_constant)(ROD_LANE_SET + i));
    *stiffness = (rod_stiffness){k[0], k[1], k[2], k[3], k[4], k[5]};
    return ROD_OK;
}
