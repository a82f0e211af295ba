#include "choice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds to a reason; what does not fit is left out. */
__attribute__((format(printf, 2, 3))) static void say(rod_choice *chosen, const char *format, ...) {
    const size_t length = strlen(chosen->reason);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(chosen->reason + length, ROD_REASON_TEXT - length, format, arguments);
    va_end(arguments);
}

/* The same with one vector in flight; itself when there is none. */
static const rod_variant *single_stream(const rod_variant *v) {
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *other = rod_variant_at(i);
        if (other->unroll == 1 && strcmp(other->method, v->method) == 0 &&
            strcmp(other->isa, v->isa) == 0 && strcmp(other->layout, v->layout) == 0 &&
            strcmp(other->norm, v->norm) == 0 && strcmp(other->weights, v->weights) == 0)
            return other;
    }
    return v;
}

static void fit_to_rods(rod_choice *chosen, size_t rods) {
    const rod_variant *v = chosen->variant;
    if (!v || v->unroll == 1 || rods > v->lanes / v->unroll)
        return;
    chosen->variant = single_stream(v);
    say(chosen, "; %zu %s one vector", rods, rods == 1 ? "rod fills" : "rods fill");
}

static const rod_tuned_choice *tuned_choice(const rod_tuned *tuned, const rod_class *c) {
    for (size_t i = 0; i < tuned->count; i++)
        if (rod_class_index(&tuned->choice[i].of) == rod_class_index(c))
            return &tuned->choice[i];
    return NULL;
}

/* False, with the reason said, where the tuned choices do not hold. */
static bool choose_tuned(const rod_class *c, const rod_tuned *tuned, const rod_identity *here,
                         rod_choice *chosen) {
    char why[ROD_DIFFERENCE_TEXT];
    if (rod_identity_differs(&tuned->identity, here, why)) {
        say(chosen, "; tuned choices are not used, %s", why);
        return false;
    }
    const rod_tuned_choice *choice = tuned_choice(tuned, c);
    const rod_variant *v = choice ? rod_variant_named(choice->variant) : NULL;
    if (!v || !rod_variant_usable(v)) {
        say(chosen, "; tuned choices have none for this");
        return false;
    }
    chosen->variant = v;
    chosen->reason[0] = '\0';
    say(chosen, "tuned on this CPU, %s", choice->reason);
    return true;
}

rod_choice rod_choose_by(const rod_class *c, size_t rods, const rod_tuned *tuned,
                         const rod_identity *here) {
    rod_choice chosen = {.variant = rod_default_variant(c)};
    say(&chosen, "default of CPUs with %s", rod_widest_isa().what);
    if (tuned)
        choose_tuned(c, tuned, here, &chosen);
    fit_to_rods(&chosen, rods);
    return chosen;
}

rod_choice rod_choose(const rod_class *c, size_t rods) {
    const rod_tuned *tuned = rod_tuned_baked();
    const rod_identity here = tuned ? rod_identity_here() : (rod_identity){.cpu = ""};
    return rod_choose_by(c, rods, tuned, &here);
}

const rod_variant *rod_chosen_variant(rod_method method, size_t rods, size_t elements,
                                      rod_order order) {
    const rod_class c = {method, rod_shape_class_of(rods, rods * elements), order,
                         ROD_ACCURACY_FULL};
    return rod_choose(&c, rods).variant;
}
