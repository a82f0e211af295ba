/* Ghost points of PBER as orientations: USS14 eq. 3 and its inverse. */

#include "algebra.h"
#include "batch.h"

static vec3 read3(const rod_batch *b, rod_quantity quantity, size_t rod, size_t index) {
    const float *entry = rod_entry(b, quantity, rod, index);
    return (vec3){entry[0], entry[b->lanes], entry[2 * b->lanes]};
}

static void write3(const rod_batch *b, rod_quantity quantity, size_t rod, size_t index, vec3 v) {
    float *entry = rod_entry(b, quantity, rod, index);
    entry[0] = (float)v.x;
    entry[b->lanes] = (float)v.y;
    entry[2 * b->lanes] = (float)v.z;
}

/* The unit vector, or `otherwise` for one too short to have a direction. */
static vec3 direction(vec3 v, vec3 otherwise) {
    return dot(v, v) > 0.0 ? unit(v) : otherwise;
}

static vec3 without(vec3 v, vec3 axis) {
    return add_scaled(v, -dot(v, axis), axis);
}

/* The quaternion of three axes at right angles, by its largest component. */
static quat quat_of_axes(vec3 a, vec3 b, vec3 c) {
    const double trace = a.x + b.y + c.z;
    if (trace > 0.0)
        return unit_quat((quat){1.0 + trace, b.z - c.y, c.x - a.z, a.y - b.x});
    if (a.x >= b.y && a.x >= c.z)
        return unit_quat((quat){b.z - c.y, 1.0 + a.x - b.y - c.z, a.y + b.x, c.x + a.z});
    if (b.y >= c.z)
        return unit_quat((quat){c.x - a.z, a.y + b.x, 1.0 + b.y - a.x - c.z, b.z + c.y});
    return unit_quat((quat){a.y - b.x, c.x + a.z, b.z + c.y, 1.0 + c.z - a.x - b.y});
}

void rod_ghost_orientation(const rod_batch *batch, size_t rod, size_t element, double q[4]) {
    const vec3 a = read3(batch, ROD_POSITIONS, rod, element);
    const vec3 b = read3(batch, ROD_POSITIONS, rod, element + 1);
    const vec3 g = read3(batch, ROD_GHOSTS, rod, element);
    const vec3 d3 = direction(sub(b, a), (vec3){0, 0, 1});
    const vec3 d1 = direction(without(sub(g, a), d3), orthogonal(d3));
    const quat r = quat_of_axes(d1, cross(d3, d1), d3);
    q[0] = r.w;
    q[1] = r.x;
    q[2] = r.y;
    q[3] = r.z;
}

/* The element is where its particles are: of the orientation only the turn about it counts. */
void rod_ghost_turn(rod_batch *batch, size_t rod, size_t element, const double q[4]) {
    const vec3 a = read3(batch, ROD_POSITIONS, rod, element);
    const vec3 b = read3(batch, ROD_POSITIONS, rod, element + 1);
    const vec3 d3 = direction(sub(b, a), (vec3){0, 0, 1});
    const quat unit_q = unit_quat((quat){q[0], q[1], q[2], q[3]});
    const vec3 wished = without(turned(unit_q, (vec3){1, 0, 0}), d3);
    /* what rounding leaves of an axis along the element is no direction */
    const vec3 d1 = dot(wished, wished) > 1e-12 ? unit(wished) : orthogonal(d3);
    const vec3 middle = add_scaled(a, 0.5, sub(b, a));
    const double distance = *rod_constant(batch, rod, ROD_LANE_GHOST);
    write3(batch, ROD_GHOSTS, rod, element, add_scaled(middle, distance, d1));
    write3(batch, ROD_GHOST_VELOCITIES, rod, element, (vec3){0});
}

void rod_ghost_forget(rod_batch *batch, size_t rod) {
    const size_t slot = batch->rod_slot[rod];
    const rod_block *block = &batch->block[slot / batch->lanes];
    for (size_t e = 0; e < batch->rod_elements[rod]; e++)
        block->fall[rod_offset(block, slot % batch->lanes, e, 1)] = 1.0f;
}
