/* Which kernel variant a new batch gets: named by its creator, forced from outside, or chosen. */
#ifndef ROD_CHOOSE_H
#define ROD_CHOOSE_H

#include "choice.h"

/* The variant that a text such as "pbd-avx2-u1-exact" or "pbd=NAME,quaternion=NAME" forces on
 * batches of the method; *forced is NULL where it forces none. The whole text must make sense, also
 * what is for other methods. */
rod_status rod_forced_variant(const char *text, rod_method method, const rod_variant **forced);

/* `elements` of all rods together. Says nothing. */
rod_status rod_choose_for(const rod_options *options, size_t rods, size_t elements,
                          rod_choice *choice);

/* Says on standard error what was chosen and why, if the environment has ROD_EXPLAIN. */
void rod_explain(const rod_options *options, size_t rods, size_t elements,
                 const rod_choice *choice);

#endif
