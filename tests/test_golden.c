/* States that must come out the same, to the bit, on every CPU: variants with exact roots do the
 * same IEEE arithmetic in the same order, whatever their width. There are two kinds of them: with
 * fused multiply-adds (AVX2, AVX-512, NEON on ARM), and without (plain C, SSE4.1). Where a number
 * here changes, results change for users: say so in CHANGELOG.md. */

#include "batch_property.h"

enum { FRAMES = 40, MOST_ELEMENTS = 151 };

typedef struct {
    const char *method, *layout;
    rod_order order;
    uint64_t fused, apart; /* multiply-adds; plain C has no chunks */
} golden;

static const golden goldens[] = {
    {"quaternion", "batch", ROD_ORDER_SEQUENTIAL, UINT64_C(0x379c8237e15d3fc1),
     UINT64_C(0x8eb382f4916c91bc)},
    {"quaternion", "batch", ROD_ORDER_BILATERAL, UINT64_C(0x8f44cf5de781232c),
     UINT64_C(0x11ffa6163dca5938)},
    {"quaternion", "batch", ROD_ORDER_CROSS, UINT64_C(0x0e834871638ce549),
     UINT64_C(0xa6ef5486e5fe9c5b)},
    {"quaternion", "batch", ROD_ORDER_REDBLACK, UINT64_C(0x98edcfd3a7505474),
     UINT64_C(0xb7e560f9bcac41b3)},
    {"quaternion", "chunked", ROD_ORDER_SEQUENTIAL, UINT64_C(0x81d4fce239e152db),
     UINT64_C(0x0c81e1353713b37c)},
    {"quaternion", "chunked", ROD_ORDER_BILATERAL, UINT64_C(0xf157e32757322dc7),
     UINT64_C(0x06962d938f02f86a)},
    {"quaternion", "chunked", ROD_ORDER_CROSS, UINT64_C(0x6d5090afa0a0d677),
     UINT64_C(0x7e30633a6536d73e)},
    {"quaternion", "chunked", ROD_ORDER_REDBLACK, UINT64_C(0xf7fe1c37e41403ef),
     UINT64_C(0x86aa70b8ea15fc72)},
    {"pber", "batch", ROD_ORDER_CROSS, UINT64_C(0x57dbfec6cc81099c), UINT64_C(0x7e97576ca238a8aa)},
    {"pber", "batch", ROD_ORDER_REDBLACK, UINT64_C(0x6fcdb69e5716ef26),
     UINT64_C(0xe15c7a44c546d80d)},
    {"pber", "chunked", ROD_ORDER_CROSS, UINT64_C(0x4c51df2097002925),
     UINT64_C(0x00d0efea898b75c0)},
    {"pber", "chunked", ROD_ORDER_REDBLACK, UINT64_C(0x9d07a0f0235b2426),
     UINT64_C(0xad97de9d650c2049)},
    {"pbd", "batch", ROD_ORDER_BILATERAL, UINT64_C(0x7f1df4e80b6bf45d),
     UINT64_C(0x1913685bff510e1e)},
    {"pbd", "batch", ROD_ORDER_REDBLACK, UINT64_C(0x8c5ebcad4d639400),
     UINT64_C(0x86f47d4c3225d226)},
    {"pbd", "chunked", ROD_ORDER_BILATERAL, UINT64_C(0xc42a6a2d8c196df4),
     UINT64_C(0x51586742ec2c97d8)},
    {"pbd", "chunked", ROD_ORDER_REDBLACK, UINT64_C(0x30d31b8cb45d9c84),
     UINT64_C(0xf5e432193510fe35)},
};

/* Many rods in lanes, or a few whose elements fill the lanes. */
static rod_batch *new_rods(const rod_variant *v) {
    return is(v->layout, "batch") ? new_batch(v, 37, 23) : new_batch(v, 3, MOST_ELEMENTS);
}

/* Nothing of the mathematical library, whose last bits differ between systems, but roots. */
static void set_up(rod_batch *batch) {
    rod_random random = rod_random_seed(20161018);
    for (size_t rod = 0; rod < rod_count(batch); rod++) {
        const float start[3] = {(float)rod, 0, 0}, direction[3] = {0, 0.25f, 1};
        const size_t elements = rod_elements(batch, rod), joints = elements - 1;
        assert_ok(rod_shape_straight(batch, rod, start, direction, 0.25f * (float)elements));
        assert_ok(rod_clamp(batch, rod, ROD_START));
        float rest[3 * MOST_ELEMENTS], angle[MOST_ELEMENTS];
        for (size_t i = 0; i < 3 * joints; i++)
            rest[i] = (float)rod_random_between(&random, -0.125, 0.125);
        for (size_t i = 0; i < joints; i++)
            angle[i] = (float)rod_random_between(&random, 0, 0.25);
        if (rod_method_of(batch) == ROD_METHOD_PBD)
            assert_ok(rod_set(batch, ROD_REST_ANGLES, rod, 1, angle));
        else
            assert_ok(rod_set(batch, ROD_REST_DARBOUX, rod, 1, rest));
    }
}

static uint64_t hash_of(const rod_batch *batch) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    float *x = read_quantity(batch, ROD_POSITIONS, 0, rod_count(batch));
    for (size_t i = 0; i < rod_floats(batch, ROD_POSITIONS, 0, rod_count(batch)); i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001b3);
    }
    free(x);
    return hash;
}

static bool is_fused(const rod_variant *v) {
    return is(v->isa, "avx2") || is(v->isa, "avx512") || is(v->isa, "neon");
}

/* 0 where there is none. */
static uint64_t golden_of(const rod_variant *v, rod_order order) {
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++)
        if (is(goldens[i].method, v->method) && is(goldens[i].layout, v->layout) &&
            goldens[i].order == order)
            return is_fused(v) ? goldens[i].fused : goldens[i].apart;
    return 0;
}

/* On x86 SIMDe's NEON has no fused multiply-add. */
static bool is_reproducible(const rod_variant *v) {
    const bool translated = is(v->isa, "neon") && !rod_variant_isa(v).native;
    return !translated && is_exact(v) && is_uniform(v);
}

/* States that are not the golden ones: all are shown before the test fails. */
static size_t changed;

static void check_golden(const rod_variant *v, rod_order order) {
    rod_step_settings s = settings_of(order, FRAMES);
    s.damping = 0.01f;
    rod_batch *batch = new_rods(v);
    set_up(batch);
    step(batch, &s);
    const uint64_t hash = hash_of(batch);
    if (hash != golden_of(v, order)) {
        print_error("%s: {\"%s\", \"%s\", order %d, 0x%016" PRIx64 "} is new\n", test_subject,
                    v->method, v->layout, (int)order, hash);
        changed++;
    }
    rod_destroy(batch);
}

static void exact_variants_give_the_golden_states(void **state) {
    (void)state;
    for_each(is_reproducible, check_golden);
    assert_int_equal(changed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_variants_give_the_golden_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
