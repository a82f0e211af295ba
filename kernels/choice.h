/* Which variant a batch gets when its creator names none. */
#ifndef ROD_CHOICE_H
#define ROD_CHOICE_H

#include "classes.h"
#include "identity.h"

enum { ROD_REASON_TEXT = 640 };

typedef struct {
    const rod_variant *variant; /* NULL: none can run here */
    char reason[ROD_REASON_TEXT];
} rod_choice;

/* A choice that `rodbench tune` made. */
typedef struct {
    rod_class of;
    const char *variant, *reason;
} rod_tuned_choice;

typedef struct {
    rod_identity identity; /* where it is true */
    const rod_tuned_choice *choice;
    size_t count;
} rod_tuned;

/* What this build has baked in; NULL without. */
const rod_tuned *rod_tuned_baked(void);

/* By the tuned choices where they are true, else by the committed defaults. A batch that leaves
 * half of the vectors in flight empty gets the variant with one vector. */
rod_choice rod_choose(const rod_class *c, size_t rods);

/* The same with tuned choices (or NULL) and an identity of the caller's. */
rod_choice rod_choose_by(const rod_class *c, size_t rods, const rod_tuned *tuned,
                         const rod_identity *here);

/* The variant of a batch in this order, at full accuracy. */
const rod_variant *rod_chosen_variant(rod_method method, size_t rods, size_t elements,
                                      rod_order order);

/* The committed default of a class (defaults.c); NULL: no variant can run here. */
const rod_variant *rod_default_variant(const rod_class *c);

/* The widest ISA that is native and runs here. */
rod_isa rod_widest_isa(void);

#endif
