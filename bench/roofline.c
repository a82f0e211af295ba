#include "roofline.h"

#include "contest.h"

#include <string.h>

enum { ROUNDS = 15 };

/* As many vectors in flight as there are, and else the defaults. */
static bool is_for_many_rods(const rod_variant *v, const rod_isa *isa) {
    return isa->usable && isa->native && strcmp(v->isa, isa->name) == 0 &&
           strcmp(v->layout, "batch") == 0 && v->unroll == 2 && strcmp(v->norm, "newton") == 0 &&
           strcmp(v->weights, "uniform") == 0;
}

static void add_row(contest *c, const rod_variant *v, peak_rates rates, roofline_row *row) {
    rod_method method = ROD_METHOD_QUATERNION;
    rod_method_named(v->method, &method);
    const rod_order order = rod_default_order(method);
    *row = (roofline_row){.variant = v,
                          .operations = rod_operations(v),
                          .frame_operations = rod_frame_operations(v, order),
                          .bound = peak_frame_bound(v, order, rates, ROOFLINE_ITERATIONS)};
    const contest_entry e = {.scene = scene_named("hair"),
                             .variant = v,
                             .order = order,
                             .rods = ROOFLINE_RODS,
                             .elements = ROOFLINE_ELEMENTS,
                             .iterations = ROOFLINE_ITERATIONS};
    contest_add(c, &e, NULL);
}

rod_status roofline_measure(const peak_rates *rates, roofline_row *rows, size_t *count) {
    contest c = {0};
    *count = 0;
    for (size_t i = 0; i < rod_variant_count(); i++)
        for (size_t j = 0; j < rod_isa_count(); j++) {
            const rod_isa isa = rod_isa_at(j);
            if (is_for_many_rods(rod_variant_at(i), &isa))
                add_row(&c, rod_variant_at(i), rates[j], &rows[(*count)++]);
        }
    contest_run(&c, ROUNDS, "measuring");
    for (size_t i = 0; c.status == ROD_OK && i < *count; i++) {
        const simulation *s = &c.entry[i].simulation;
        const double items = simulation_element_iterations(s);
        rows[i].seconds = c.entry[i].frame.min / items;
        rows[i].bytes = roofline_frame_bytes(s) / items;
    }
    const rod_status status = c.status;
    contest_finish(&c);
    return status;
}

/* Position and velocity of a particle; quaternion rods have an orientation and its velocity, PBER
 * the same of a ghost point and how it fell. */
static double floats_written(rod_method method) {
    return method == ROD_METHOD_PBD ? 6.0 : 13.0;
}

double roofline_frame_bytes(const simulation *s) {
    const double elements = (double)s->settings.rods * (double)s->settings.elements;
    return (double)rod_resident_bytes(s->batch) +
           floats_written(s->options.method) * sizeof(float) * elements;
}
