/* What tests/test_vec_isa.c, compiled once per ISA, offers to tests/test_vec.c. */
#ifndef ROD_TEST_VEC_H
#define ROD_TEST_VEC_H

#include <stddef.h>
#include <stdint.h>

#define ROD_VEC_CHECK_PASTE(isa) rod_vec_check_##isa
/* The second step expands an argument that is itself a macro, such as ROD_ISA. */
#define ROD_VEC_CHECK(isa) ROD_VEC_CHECK_PASTE(isa)

/* Returns 0 if each wrapper does what plain C does. If not, returns 1 and puts a message into why,
 * which holds why_size bytes. */
#define ROD_VEC_CHECK_DECLARE(isa) int ROD_VEC_CHECK(isa)(uint64_t seed, char *why, size_t why_size)

/* The same for what kernels/vec/algebra.h makes of the wrappers: roots, reciprocals, arc cosines.
 */
#define ROD_VEC_ALGEBRA_PASTE(isa) rod_vec_algebra_##isa
#define ROD_VEC_ALGEBRA(isa) ROD_VEC_ALGEBRA_PASTE(isa)
#define ROD_VEC_ALGEBRA_DECLARE(isa)                                                               \
    int ROD_VEC_ALGEBRA(isa)(uint64_t seed, char *why, size_t why_size)

#endif
