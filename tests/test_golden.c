/* States that must come out the same, to the bit, on every CPU: variants with exact roots and fused
 * multiply-adds (AVX2, AVX-512, NEON on ARM) do the same IEEE arithmetic in the same order,
 * whatever their width. Where a number here changes, results change for users: say so in
 * CHANGELOG.md. */

#include "batch_property.h"

enum { STRANDS = 37, BENDS = 23, FRAMES = 40 };

typedef struct {
    const char *method, *layout;
    rod_order order;
    uint64_t hash;
} golden;

static const golden goldens[] = {
    {"quaternion", "batch", ROD_ORDER_SEQUENTIAL, UINT64_C(0x26832660c1388687)},
    {"quaternion", "batch", ROD_ORDER_BILATERAL, UINT64_C(0xbb90e9079ac8c2ab)},
    {"quaternion", "batch", ROD_ORDER_CROSS, UINT64_C(0x777d47cab5b48bb5)},
    {"quaternion", "batch", ROD_ORDER_REDBLACK, UINT64_C(0x62c3e803c3f5ae2b)},
    {"quaternion", "chunked", ROD_ORDER_BILATERAL, UINT64_C(0xddc59cca2845b434)},
    {"quaternion", "chunked", ROD_ORDER_CROSS, UINT64_C(0xe3bf2c5bc38e1223)},
    {"quaternion", "chunked", ROD_ORDER_REDBLACK, UINT64_C(0x2388e5064e8c36a6)},
    {"pber", "batch", ROD_ORDER_CROSS, UINT64_C(0x57dbfec6cc81099c)},
    {"pber", "batch", ROD_ORDER_REDBLACK, UINT64_C(0x4b5353ead5b4b406)},
    {"pbd", "batch", ROD_ORDER_BILATERAL, UINT64_C(0x7f1df4e80b6bf45d)},
    {"pbd", "batch", ROD_ORDER_REDBLACK, UINT64_C(0xff63e9680851c0f8)},
};

/* Where four lanes round differently, see depends_on_width. */
static const golden goldens_of_neon[] = {
    {"quaternion", "chunked", ROD_ORDER_BILATERAL, UINT64_C(0x75caec1459ae967c)},
};

/* Nothing of the mathematical library, whose last bits differ between systems, but roots. */
static void set_up(rod_batch *batch) {
    rod_random random = rod_random_seed(20161018);
    for (size_t rod = 0; rod < STRANDS; rod++) {
        const float start[3] = {(float)rod, 0, 0}, direction[3] = {0, 0.25f, 1};
        assert_ok(rod_shape_straight(batch, rod, start, direction, 0.25f * BENDS));
        assert_ok(rod_clamp(batch, rod, ROD_START));
        float rest[3 * (BENDS - 1)], angle[BENDS - 1];
        for (size_t i = 0; i < 3 * (BENDS - 1); i++)
            rest[i] = (float)rod_random_between(&random, -0.125, 0.125);
        for (size_t i = 0; i < BENDS - 1; i++)
            angle[i] = (float)rod_random_between(&random, 0, 0.25);
        if (rod_method_of(batch) == ROD_METHOD_PBD)
            assert_ok(rod_set(batch, ROD_REST_ANGLES, rod, 1, angle));
        else
            assert_ok(rod_set(batch, ROD_REST_DARBOUX, rod, 1, rest));
    }
}

static uint64_t hash_of(const rod_batch *batch) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    float *x = read_quantity(batch, ROD_POSITIONS, 0, STRANDS);
    for (size_t i = 0; i < rod_floats(batch, ROD_POSITIONS, 0, STRANDS); i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001b3);
    }
    free(x);
    return hash;
}

/* 0 where there is none. */
static uint64_t find(const golden *rows, size_t count, const rod_variant *v, rod_order order) {
    for (size_t i = 0; i < count; i++)
        if (is(rows[i].method, v->method) && is(rows[i].layout, v->layout) &&
            rows[i].order == order)
            return rows[i].hash;
    return 0;
}

static uint64_t golden_of(const rod_variant *v, rod_order order) {
    const uint64_t own = find(goldens_of_neon, sizeof goldens_of_neon / sizeof *goldens, v, order);
    if (own != 0 && is(v->isa, "neon"))
        return own;
    return find(goldens, sizeof goldens / sizeof *goldens, v, order);
}

/* On x86 SIMDe's NEON has no fused multiply-add. */
static bool is_reproducible(const rod_variant *v) {
    const bool fused = is(v->isa, "avx2") || is(v->isa, "avx512") ||
                       (is(v->isa, "neon") && rod_variant_isa(v).native);
    return fused && is_exact(v) && is_uniform(v);
}

/* A wave runs as uniform only while all its lanes are within the uniform range, and uniform and
 * general projections round differently: the more lanes, the fewer uniform steps. */
static bool depends_on_width(const rod_variant *v, rod_order order) {
    return is(v->layout, "chunked") && order == ROD_ORDER_SEQUENTIAL;
}

/* States that are not the golden ones: all are shown before the test fails. */
static size_t changed;

static void check_golden(const rod_variant *v, rod_order order) {
    if (depends_on_width(v, order))
        return;
    rod_step_settings s = settings_of(order, FRAMES);
    s.damping = 0.01f;
    rod_batch *batch = new_batch(v, STRANDS, BENDS);
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
