/* The checks of test_vec_isa.c for two vectors of the ISA as one. */
#include "vec/twice.h"

#include "test_vec.h"

#undef ROD_VEC_CHECK_PASTE
#undef ROD_VEC_ALGEBRA_PASTE
#define ROD_VEC_CHECK_PASTE(isa) rod_vec_check_twice_##isa
#define ROD_VEC_ALGEBRA_PASTE(isa) rod_vec_algebra_twice_##isa

#include "test_vec_isa.c"
