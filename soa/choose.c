#include "choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- ROD_KERNEL */

/* A part of a text that is not our own to cut. */
typedef struct {
    const char *start;
    size_t length;
} span;

static bool is_named(const char *name, span s) {
    return strlen(name) == s.length && memcmp(name, s.start, s.length) == 0;
}

static const rod_variant *variant_in(span s) {
    for (size_t i = 0; i < rod_variant_count(); i++)
        if (is_named(rod_variant_at(i)->name, s))
            return rod_variant_at(i);
    return NULL;
}

/* NAME or METHOD=NAME; a name says its method, and must be of the one before it. */
static rod_status read_entry(span entry, const rod_variant **variant) {
    const char *equals = memchr(entry.start, '=', entry.length);
    const size_t before = equals ? (size_t)(equals - entry.start) : 0;
    const size_t skipped = equals ? before + 1 : 0;
    *variant = variant_in((span){entry.start + skipped, entry.length - skipped});
    if (!*variant || (equals && !is_named((*variant)->method, (span){entry.start, before})))
        return ROD_E_VARIANT;
    return rod_variant_usable(*variant) ? ROD_OK : ROD_E_UNUSABLE;
}

rod_status rod_forced_variant(const char *text, rod_method method, const rod_variant **forced) {
    const rod_variant *seen[ROD_METHODS] = {NULL};
    rod_status status = ROD_OK;
    *forced = NULL;
    for (const char *next = text; status == ROD_OK && *text != '\0'; next++) {
        const span entry = {next, strcspn(next, ",")};
        const rod_variant *variant;
        rod_method of;
        status = read_entry(entry, &variant);
        if (status == ROD_OK && rod_method_named(variant->method, &of)) {
            if (seen[of])
                return ROD_E_VARIANT; /* which of the two is meant? */
            seen[of] = variant;
        }
        next += entry.length;
        if (*next == '\0')
            break;
    }
    if (status == ROD_OK)
        *forced = seen[method];
    return status;
}

/* ---------------------------------------------------------------- choosing */

static rod_status check_options(const rod_options *o) {
    if (!rod_method_name(o->method))
        return ROD_E_METHOD;
    if ((int)o->order < ROD_ORDER_SEQUENTIAL || (int)o->order > ROD_ORDER_DEFAULT)
        return ROD_E_ORDER;
    if ((int)o->accuracy < ROD_ACCURACY_FULL || (int)o->accuracy > ROD_ACCURACY_EXACT)
        return ROD_E_ACCURACY;
    return o->threads == 0 || o->threads > ROD_MAX_THREADS ? ROD_E_THREADS : ROD_OK;
}

static rod_status choose_named(const rod_options *o, rod_choice *choice) {
    choice->variant = rod_variant_named(o->variant);
    snprintf(choice->reason, sizeof choice->reason, "named by the creator of the batch");
    if (!choice->variant || strcmp(choice->variant->method, rod_method_name(o->method)) != 0)
        return ROD_E_VARIANT;
    return rod_variant_usable(choice->variant) ? ROD_OK : ROD_E_UNUSABLE;
}

static rod_class class_of(const rod_options *o, size_t rods, size_t elements) {
    return (rod_class){
        .method = o->method,
        .shape = rod_shape_class_of(rods, elements),
        .order = o->order == ROD_ORDER_DEFAULT ? rod_default_order(o->method) : o->order,
        .accuracy = o->accuracy,
    };
}

rod_status rod_choose_for(const rod_options *o, size_t rods, size_t elements, rod_choice *choice) {
    const char *text = getenv("ROD_KERNEL");
    rod_status status = check_options(o);
    if (status != ROD_OK)
        return status;
    if (o->variant)
        return choose_named(o, choice);
    status = rod_forced_variant(text ? text : "", o->method, &choice->variant);
    if (status != ROD_OK)
        return status;
    if (choice->variant) {
        snprintf(choice->reason, sizeof choice->reason, "forced by ROD_KERNEL");
        return ROD_OK;
    }
    const rod_class c = class_of(o, rods, elements);
    *choice = rod_choose(&c, rods);
    const size_t length = strlen(choice->reason);
    snprintf(choice->reason + length, sizeof choice->reason - length,
             "; for %s, %s order, %s accuracy", rod_shape_class_name(c.shape),
             rod_order_name(c.order), rod_accuracy_name(c.accuracy));
    return choice->variant ? ROD_OK : ROD_E_UNUSABLE;
}

/* The one place where the library prints, and only when it is asked to. */
void rod_explain(const rod_options *o, size_t rods, size_t elements, const rod_choice *choice) {
    const char *asked = getenv("ROD_EXPLAIN");
    if (asked && *asked != '\0' && strcmp(asked, "0") != 0)
        fprintf(stderr, "librod: %s, %zu %s, %zu elements in all: %s (%s)\n",
                rod_method_name(o->method), rods, rods == 1 ? "rod" : "rods", elements,
                choice->variant->name, choice->reason);
}
