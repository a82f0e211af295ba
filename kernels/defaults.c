/* The committed choice of kernel variants, for builds that were not tuned.
 *
 * The CPU says how wide: the widest of its native instruction sets. Roots by one Newton step are
 * taken as those of full accuracy: mostly, not always, faster than exact ones (the committed
 * variants.json of an Intel has chunked kernels the other way round), which tuning tells. The rest
 * is in `rules`: the first that fits a class and has a variant in the registry decides. */

#include "choice.h"

#include <string.h>

enum {
    ONE = 1 << ROD_SHAPE_ONE,
    SMALL = 1 << ROD_SHAPE_SMALL,
    LARGE = 1 << ROD_SHAPE_LARGE,

    SEQUENTIAL = 1 << ROD_ORDER_SEQUENTIAL,
    BILATERAL = 1 << ROD_ORDER_BILATERAL,
    CROSS = 1 << ROD_ORDER_CROSS,
    REDBLACK = 1 << ROD_ORDER_REDBLACK,
    ANY_ORDER = SEQUENTIAL | BILATERAL | CROSS | REDBLACK
};

typedef struct {
    const char *isa;    /* the CPU's widest; NULL: any */
    const char *method; /* NULL: any */
    unsigned shapes, orders;
    const char *layout;
    size_t unroll;
} rule;

/* One rod alone fills one lane of a batch kernel, which then takes as long as for a full block. Of
 * 50 elements and 10 iterations, the chunked kernel of quaternion rods took 1 / 4.8 of that in
 * bilateral order, 1 / 12 in red-black (AVX-512; AVX2 1 / 3.2 and 1 / 8.6), but 2.5 times as long
 * in `cross`, which chunked kernels have for completeness only. Waves, which serve `sequential` and
 * `bilateral`, are of quaternion rods alone. Two vectors of rods in flight hide the latency of one
 * another. */
static const rule rules[] = {
    {NULL, "quaternion", ONE, SEQUENTIAL | BILATERAL | REDBLACK, "chunked", 1},
    {NULL, NULL, ONE, REDBLACK, "chunked", 1},
    {NULL, NULL, ONE, ANY_ORDER, "batch", 1},
    {NULL, NULL, SMALL | LARGE, ANY_ORDER, "batch", 2},
};

static const char *norm_of(rod_accuracy accuracy) {
    return accuracy == ROD_ACCURACY_EXACT  ? "exact"
           : accuracy == ROD_ACCURACY_BARE ? "bare"
                                           : "newton";
}

static bool fits_class(const rule *r, const rod_class *c, const char *isa) {
    return (!r->isa || strcmp(r->isa, isa) == 0) &&
           (!r->method || strcmp(r->method, rod_method_name(c->method)) == 0) &&
           r->shapes >> c->shape & 1u && r->orders >> c->order & 1u;
}

static const rod_variant *variant_of(const rule *r, const rod_class *c, const char *isa,
                                     const char *norm) {
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        if (strcmp(v->method, rod_method_name(c->method)) == 0 && strcmp(v->isa, isa) == 0 &&
            strcmp(v->layout, r->layout) == 0 && v->unroll == r->unroll &&
            strcmp(v->norm, norm) == 0 && strcmp(v->weights, "uniform") == 0 &&
            rod_variant_has_accuracy(v, c->accuracy))
            return v;
    }
    return NULL;
}

rod_isa rod_widest_isa(void) {
    rod_isa widest = rod_isa_at(0);
    for (size_t i = 0; i < rod_isa_count(); i++) {
        const rod_isa isa = rod_isa_at(i);
        if (isa.native && isa.usable && (!widest.usable || isa.lanes > widest.lanes))
            widest = isa;
    }
    return widest;
}

/* A layout may lack bare roots, and then gets what is more accurate. */
const rod_variant *rod_default_variant(const rod_class *c) {
    const rod_isa isa = rod_widest_isa();
    for (size_t i = 0; isa.usable && i < sizeof rules / sizeof *rules; i++) {
        if (!fits_class(&rules[i], c, isa.name))
            continue;
        const rod_variant *v = variant_of(&rules[i], c, isa.name, norm_of(c->accuracy));
        if (!v && c->accuracy == ROD_ACCURACY_BARE)
            v = variant_of(&rules[i], c, isa.name, "newton");
        if (v)
            return v;
    }
    return NULL;
}
