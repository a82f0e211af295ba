/* The wrappers of kernels/vec against plain C. -DROD_HAVE_<isa>=1 says that test_vec_isa.c was
 * compiled and linked for that ISA; this file itself takes no ISA's flags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdbool.h>

#include "seed.h"
#include "test_vec.h"
#include "vec/count.h"

#if defined(__x86_64__) || defined(__i386__)
#define CPU_HAS(feature) (__builtin_cpu_supports(feature) != 0)
#else
/* Elsewhere SIMDe translates to what the compiler targets, which this program runs on. */
#define CPU_HAS(feature) true
#endif

#define CPU_HAS_SCALAR true
#define CPU_HAS_SSE41 CPU_HAS("sse4.1")
#define CPU_HAS_AVX2 (CPU_HAS("avx2") && CPU_HAS("fma"))
#define CPU_HAS_AVX512                                                                             \
    (CPU_HAS("avx512f") && CPU_HAS("avx512dq") && CPU_HAS("avx512bw") && CPU_HAS("avx512vl"))

typedef int vec_check(uint64_t seed, char *why, size_t why_size);

static void assert_passes(vec_check *check, bool cpu_has) {
    char why[256] = "";
    if (!cpu_has) {
        skip();
    }
    if (check(test_seed, why, sizeof why) != 0) {
        fail_msg("seed %" PRIu64 ": %s", test_seed, why);
    }
}

#define ISA_TEST(isa, cpu_has)                                                                     \
    ROD_VEC_CHECK_DECLARE(isa);                                                                    \
    ROD_VEC_ALGEBRA_DECLARE(isa);                                                                  \
    static void vec_##isa##_matches_plain_c(void **state) {                                        \
        (void)state;                                                                               \
        assert_passes(ROD_VEC_CHECK(isa), cpu_has);                                                \
    }                                                                                              \
    static void vec_##isa##_finds_roots_reciprocals_and_arc_cosines(void **state) {                \
        (void)state;                                                                               \
        assert_passes(ROD_VEC_ALGEBRA(isa), cpu_has);                                              \
    }

#define ISA_TESTS(isa)                                                                             \
    cmocka_unit_test(vec_##isa##_matches_plain_c),                                                 \
        cmocka_unit_test(vec_##isa##_finds_roots_reciprocals_and_arc_cosines)

#if defined(ROD_HAVE_scalar)
ISA_TEST(scalar, CPU_HAS_SCALAR)
#endif
#if defined(ROD_HAVE_sse41)
ISA_TEST(sse41, CPU_HAS_SSE41)
ISA_TEST(twice_sse41, CPU_HAS_SSE41)
#endif
#if defined(ROD_HAVE_avx2)
ISA_TEST(avx2, CPU_HAS_AVX2)
ISA_TEST(twice_avx2, CPU_HAS_AVX2)
#endif
#if defined(ROD_HAVE_avx512)
ISA_TEST(avx512, CPU_HAS_AVX512)
ISA_TEST(twice_avx512, CPU_HAS_AVX512)
#endif
#if defined(ROD_HAVE_avx512_emulated)
ISA_TEST(avx512_emulated, CPU_HAS_AVX2)
ISA_TEST(twice_avx512_emulated, CPU_HAS_AVX2)
#endif
#if defined(ROD_HAVE_neon)
ISA_TEST(neon, CPU_HAS_SSE41)
ISA_TEST(twice_neon, CPU_HAS_SSE41)
#endif
#if defined(ROD_HAVE_count)
ISA_TEST(count, CPU_HAS_SCALAR)
#endif

static void assert_counts(uint64_t arithmetic, uint64_t logic, uint64_t loads, uint64_t stores) {
    assert_int_equal(vf_counted()->arithmetic, arithmetic);
    assert_int_equal(vf_counted()->logic, logic);
    assert_int_equal(vf_counted()->loads, loads);
    assert_int_equal(vf_counted()->stores, stores);
}

static void vec_count_counts_each_operation(void **state) {
    (void)state;
    *vf_counted() = (vf_counts){0};
    float memory = 4.0f;
    vf a = vf_load(&memory);
    assert_counts(0, 0, 1, 0);
    vf b = vf_add(vf_set1(1.0f), vf_zero());
    assert_counts(1, 0, 1, 0);
    b = vf_sub(b, a);
    assert_counts(2, 0, 1, 0);
    b = vf_mul(b, a);
    assert_counts(3, 0, 1, 0);
    b = vf_div(b, a);
    assert_counts(4, 0, 1, 0);
    b = vf_fma(a, a, b);
    assert_counts(5, 0, 1, 0);
    b = vf_fnma(a, a, b);
    assert_counts(6, 0, 1, 0);
    b = vf_add(b, vf_sqrt(a));
    assert_counts(8, 0, 1, 0);
    b = vf_sub(b, vf_rsqrt_estimate(a));
    assert_counts(10, 0, 1, 0);
    b = vf_xor(b, vf_sign(a));
    assert_counts(10, 2, 1, 0);
    b = vf_select_positive(a, a, b);
    assert_counts(10, 3, 1, 0);
    vf_store(&memory, b);
    assert_counts(10, 3, 1, 1);
}

int main(void) {
    if (!read_seed("test_vec"))
        return 2;
    const struct CMUnitTest tests[] = {
#if defined(ROD_HAVE_scalar)
        ISA_TESTS(scalar),
#endif
#if defined(ROD_HAVE_sse41)
        ISA_TESTS(sse41),
        ISA_TESTS(twice_sse41),
#endif
#if defined(ROD_HAVE_avx2)
        ISA_TESTS(avx2),
        ISA_TESTS(twice_avx2),
#endif
#if defined(ROD_HAVE_avx512)
        ISA_TESTS(avx512),
        ISA_TESTS(twice_avx512),
#endif
#if defined(ROD_HAVE_avx512_emulated)
        ISA_TESTS(avx512_emulated),
        ISA_TESTS(twice_avx512_emulated),
#endif
#if defined(ROD_HAVE_neon)
        ISA_TESTS(neon),
        ISA_TESTS(twice_neon),
#endif
#if defined(ROD_HAVE_count)
        ISA_TESTS(count),
#endif
        cmocka_unit_test(vec_count_counts_each_operation),
    };
    return cmocka_run_group_tests_name("vec", tests, NULL, NULL);
}
