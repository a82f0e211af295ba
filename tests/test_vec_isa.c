/* Checks each wrapper of one header of kernels/vec alone against plain C, and the functions that
 * kernels/vec/algebra.h makes of them against libm in double. Compiled once per ISA,
 * with that ISA's flags, -DROD_VEC_HEADER='"vec/avx2.h"' and -DROD_ISA=avx2. The caller must have
 * found out that the CPU has the ISA: the compiler may use it anywhere in this file. */
#include "vec/algebra.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "test_vec.h"

enum { ROUNDS = 20000, ESTIMATES = 200000, MAX_LANES = 32 };

/* What arc cosines may be off by, in radians and as a part of the angle; 7e-7 was seen of both. */
#define ARC_ERROR 2e-6

typedef struct lanes {
    _Alignas(64) float v[MAX_LANES];
} lanes;

typedef struct checker {
    uint64_t random;
    char *why;
    size_t why_size;
} checker;

static float from_bits(uint32_t bits) {
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static uint32_t to_bits(float a) {
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static bool fail(checker *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(c->why, c->why_size, format, args);
    va_end(args);
    return false;
}

/* splitmix64 */
static uint64_t next(checker *c) {
    c->random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = c->random;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double next_unit(checker *c) {
    return (double)(next(c) >> 11) * 0x1p-53;
}

/* A third each: values where results are neither huge nor tiny, any bit pattern (NaNs, infinities
 * and denormals among them), and the corners that random bits would hardly ever hit. */
static float next_value(checker *c) {
    static const float corners[] = {
        0.0f,     1.0f,         2.0f,    0x1.fffffep-1f,
        FLT_MIN,  FLT_TRUE_MIN, FLT_MAX, FLT_MIN - FLT_TRUE_MIN,
        INFINITY, NAN,          1e-30f,  1e30f,
    };
    uint64_t r = next(c);
    float sign = (r & 1) != 0 ? -1.0f : 1.0f;
    switch ((r >> 1) % 3) {
    case 0:
        return (float)(16.0 * next_unit(c) - 8.0);
    case 1:
        return from_bits((uint32_t)(r >> 32));
    default:
        return sign * corners[(r >> 32) % (sizeof corners / sizeof corners[0])];
    }
}

static lanes next_lanes(checker *c) {
    lanes x;
    for (int i = 0; i < MAX_LANES; i++) {
        x.v[i] = next_value(c);
    }
    return x;
}

static vf get(const lanes *x) {
    return vf_load(x->v);
}

static lanes put(vf a) {
    lanes x = {{0}};
    vf_store(x.v, a);
    return x;
}

/* Which NaN an operation makes out of which NaN is not part of the interface. */
static bool same_value(float a, float b) {
    return to_bits(a) == to_bits(b) || (isnan(a) && isnan(b));
}

typedef struct operands {
    lanes a, b, c;
} operands;

static bool same_values(checker *c, const char *name, const operands *in, vf got,
                        const lanes *expected) {
    lanes out = put(got);
    for (int i = 0; i < VF_LANES; i++) {
        if (!same_value(out.v[i], expected->v[i])) {
            return fail(c, "%s: lane %d of a=%a b=%a c=%a gives %a, not %a", name, i,
                        (double)in->a.v[i], (double)in->b.v[i], (double)in->c.v[i],
                        (double)out.v[i], (double)expected->v[i]);
        }
    }
    return true;
}

static bool same_bits(checker *c, const char *name, const operands *in, vf got,
                      const lanes *expected) {
    lanes out = put(got);
    for (int i = 0; i < VF_LANES; i++) {
        if (to_bits(out.v[i]) != to_bits(expected->v[i])) {
            return fail(c, "%s: lane %d of a=%08x b=%08x c=%08x gives %08x, not %08x", name, i,
                        (unsigned)to_bits(in->a.v[i]), (unsigned)to_bits(in->b.v[i]),
                        (unsigned)to_bits(in->c.v[i]), (unsigned)to_bits(out.v[i]),
                        (unsigned)to_bits(expected->v[i]));
        }
    }
    return true;
}

static bool check_memory(checker *c) {
    _Alignas(64) float from[3 * MAX_LANES];
    _Alignas(64) float to[3 * MAX_LANES];
    for (int i = 0; i < 3 * MAX_LANES; i++) {
        from[i] = (float)(i + 1);
        to[i] = -1.0f;
    }
    /* An odd multiple of the vector's size, so that asking for more alignment than promised is
     * found out, with room to see a store that is too wide. */
    vf_store(to + VF_LANES, vf_load(from + VF_LANES));
    for (int i = 0; i < 3 * MAX_LANES; i++) {
        float expected = i >= VF_LANES && i < 2 * VF_LANES ? from[i] : -1.0f;
        if (to[i] != expected) {
            return fail(c, "load and store: element %d is %g, not %g", i, (double)to[i],
                        (double)expected);
        }
    }
    return true;
}

static bool check_unaligned_memory(checker *c) {
    float from[MAX_LANES + 3];
    float to[MAX_LANES + 3];
    for (int i = 0; i < MAX_LANES + 3; i++) {
        from[i] = (float)(i + 1);
        to[i] = -1.0f;
    }
    vf_storeu(to + 1, vf_loadu(from + 2));
    for (int i = 0; i < MAX_LANES + 3; i++) {
        float expected = i >= 1 && i < 1 + VF_LANES ? from[i + 1] : -1.0f;
        if (to[i] != expected) {
            return fail(c, "loadu and storeu: element %d is %g, not %g", i, (double)to[i],
                        (double)expected);
        }
    }
    return true;
}

static bool check_constants(checker *c, const operands *in) {
    lanes expected;
    for (int i = 0; i < MAX_LANES; i++) {
        expected.v[i] = in->a.v[0];
    }
    if (!same_bits(c, "set1", in, vf_set1(in->a.v[0]), &expected)) {
        return false;
    }
    memset(&expected, 0, sizeof expected);
    return same_bits(c, "zero", in, vf_zero(), &expected);
}

static bool check_arithmetic(checker *c, const operands *in) {
    vf a = get(&in->a);
    vf b = get(&in->b);
    lanes sum, difference, product, quotient, root;
    for (int i = 0; i < MAX_LANES; i++) {
        sum.v[i] = in->a.v[i] + in->b.v[i];
        difference.v[i] = in->a.v[i] - in->b.v[i];
        product.v[i] = in->a.v[i] * in->b.v[i];
        quotient.v[i] = in->a.v[i] / in->b.v[i];
        root.v[i] = sqrtf(in->a.v[i]);
    }
    return same_values(c, "add", in, vf_add(a, b), &sum) &&
           same_values(c, "sub", in, vf_sub(a, b), &difference) &&
           same_values(c, "mul", in, vf_mul(a, b), &product) &&
           same_values(c, "div", in, vf_div(a, b), &quotient) &&
           same_values(c, "sqrt", in, vf_sqrt(a), &root);
}

static bool check_multiply_add(checker *c, const operands *in) {
    vf va = get(&in->a);
    vf vb = get(&in->b);
    vf vc = get(&in->c);
    lanes plus, minus;
    for (int i = 0; i < MAX_LANES; i++) {
        float x = in->a.v[i];
        float y = in->b.v[i];
        float z = in->c.v[i];
        plus.v[i] = VF_FUSED ? fmaf(x, y, z) : x * y + z;
        minus.v[i] = VF_FUSED ? fmaf(-x, y, z) : z - x * y;
    }
    return same_values(c, "fma", in, vf_fma(va, vb, vc), &plus) &&
           same_values(c, "fnma", in, vf_fnma(va, vb, vc), &minus);
}

/* The exact square has a last bit that a separate multiplication rounds away and a fused one does
 * not, and nothing else is left after the addition. */
static bool check_fused(checker *c) {
    operands in;
    lanes plus, minus, c_minus;
    for (int i = 0; i < MAX_LANES; i++) {
        in.a.v[i] = 1.0f + 0x1p-12f;
        in.b.v[i] = 1.0f + 0x1p-12f;
        in.c.v[i] = -(1.0f + 0x1p-11f);
        c_minus.v[i] = 1.0f + 0x1p-11f;
        plus.v[i] = VF_FUSED ? 0x1p-24f : 0.0f;
        minus.v[i] = VF_FUSED ? -0x1p-24f : 0.0f;
    }
    return same_values(c, "fma against VF_FUSED", &in, vf_fma(get(&in.a), get(&in.b), get(&in.c)),
                       &plus) &&
           same_values(c, "fnma against VF_FUSED", &in,
                       vf_fnma(get(&in.a), get(&in.b), get(&c_minus)), &minus);
}

static bool check_logic(checker *c, const operands *in) {
    vf a = get(&in->a);
    vf b = get(&in->b);
    lanes sign, xor, selected;
    for (int i = 0; i < MAX_LANES; i++) {
        sign.v[i] = from_bits(to_bits(in->a.v[i]) & UINT32_C(0x80000000));
        xor.v[i] = from_bits(to_bits(in->a.v[i]) ^ to_bits(in->b.v[i]));
        selected.v[i] = in->c.v[i] > 0.0f ? in->a.v[i] : in->b.v[i];
    }
    return same_bits(c, "sign", in, vf_sign(a), &sign) &&
           same_bits(c, "xor", in, vf_xor(a, b), &xor) &&
           same_bits(c, "select_positive", in, vf_select_positive(get(&in->c), a, b), &selected);
}

static bool check_shifts(checker *c, const operands *in) {
    lanes up = in->a, down = in->a, down_two = in->a;
    for (int i = 0; i < VF_LANES; i++) {
        up.v[i] = i > 0 ? in->a.v[i - 1] : in->b.v[VF_LANES - 1];
        down.v[i] = i < VF_LANES - 1 ? in->a.v[i + 1] : in->b.v[0];
        down_two.v[i] = i + 2 < VF_LANES ? in->a.v[i + 2] : in->b.v[(i + 2) % VF_LANES];
    }
    const vf a = get(&in->a), b = get(&in->b);
    return same_bits(c, "shift_up", in, vf_shift_up(a, b), &up) &&
           same_bits(c, "shift_down", in, vf_shift_down(a, b), &down) &&
           same_bits(c, "shift_down_two", in, vf_shift_down_two(a, b), &down_two);
}

static bool check_sign_bits(checker *c, const operands *in) {
    uint32_t bits = 0;
    lanes signs = {{0}};
    for (int i = 0; i < VF_LANES; i++) {
        bits |= (to_bits(in->a.v[i]) >> 31) << i;
        signs.v[i] = signbit(in->a.v[i]) ? -0.0f : 0.0f;
    }
    if (vf_sign_bits(get(&in->a)) != bits) {
        return fail(c, "sign_bits gives %08x, not %08x", (unsigned)vf_sign_bits(get(&in->a)),
                    (unsigned)bits);
    }
    return same_bits(c, "from_sign_bits", in, vf_from_sign_bits(bits), &signs);
}

static bool check_corners_of_logic(checker *c) {
    static const struct {
        float m;
        bool positive;
    } cases[] = {
        {0.0f, false},        {-0.0f, false},         {NAN, false},    {-NAN, false},
        {INFINITY, true},     {-INFINITY, false},     {FLT_MIN, true}, {-FLT_MIN, false},
        {FLT_TRUE_MIN, true}, {-FLT_TRUE_MIN, false}, {FLT_MAX, true}, {-FLT_MAX, false},
    };
    enum { CASES = sizeof cases / sizeof cases[0] };
    /* Each case visits each lane, with other cases beside it. */
    for (int shift = 0; shift < CASES; shift++) {
        operands in;
        lanes selected, sign, flipped;
        for (int i = 0; i < MAX_LANES; i++) {
            int k = (i + shift) % CASES;
            in.a.v[i] = (float)(i + 1);
            in.b.v[i] = (float)(-i - 1);
            in.c.v[i] = cases[k].m;
            selected.v[i] = cases[k].positive ? in.a.v[i] : in.b.v[i];
            sign.v[i] = signbit(cases[k].m) ? -0.0f : 0.0f;
            flipped.v[i] = -cases[k].m;
        }
        vf m = get(&in.c);
        if (!same_bits(c, "select_positive at corners", &in,
                       vf_select_positive(m, get(&in.a), get(&in.b)), &selected) ||
            !same_bits(c, "sign at corners", &in, vf_sign(m), &sign) ||
            !same_bits(c, "xor with -0.0", &in, vf_xor(m, vf_set1(-0.0f)), &flipped)) {
            return false;
        }
    }
    return true;
}

static bool small_relative_error(checker *c, const char *name, const lanes *x, vf got,
                                 double limit) {
    lanes out = put(got);
    for (int i = 0; i < VF_LANES; i++) {
        double error = (double)out.v[i] * sqrt((double)x->v[i]) - 1.0;
        if (!(fabs(error) <= limit)) {
            return fail(c, "%s: lane %d of %a gives %a, a relative error of %.3g > %.3g", name, i,
                        (double)x->v[i], (double)out.v[i], fabs(error), limit);
        }
    }
    return true;
}

static bool check_rsqrt_of(checker *c, const lanes *x) {
    /* An ISA that needs two steps is one whose estimate has 8 bits instead of 12. */
    double estimate_limit = VF_RSQRT_STEPS == 1 ? exp2(-11.4) : exp2(-7.5);
    vf half = vf_mul(vf_set1(0.5f), get(x));
    vf y = vf_rsqrt_estimate(get(x));
    if (!small_relative_error(c, "rsqrt_estimate", x, y, estimate_limit)) {
        return false;
    }
    for (int step = 0; step < VF_RSQRT_STEPS; step++) {
        y = vf_mul(y, vf_fnma(half, vf_mul(y, y), vf_set1(1.5f)));
    }
    return small_relative_error(c, "rsqrt after Newton", x, y, 4e-7);
}

static bool check_rsqrt(checker *c) {
    lanes x;
    for (int n = 0; n < ESTIMATES; n += VF_LANES) {
        for (int i = 0; i < MAX_LANES; i++) {
            x.v[i] = (float)pow(10.0, 24.0 * next_unit(c) - 12.0);
        }
        if (!check_rsqrt_of(c, &x)) {
            return false;
        }
    }
    /* Estimates come from tables over the significand and the exponent's parity: [1, 4) reaches
     * each entry, and a stride prime to the table's size its ends too. */
    for (uint32_t bits = to_bits(1.0f); bits < to_bits(4.0f);) {
        for (int i = 0; i < MAX_LANES; i++) {
            x.v[i] = from_bits(bits);
            if (i < VF_LANES) {
                bits += 61;
            }
        }
        if (!check_rsqrt_of(c, &x)) {
            return false;
        }
    }
    return true;
}

static bool check(checker *c) {
    if (!check_memory(c) || !check_unaligned_memory(c) || !check_fused(c) ||
        !check_corners_of_logic(c) || !check_rsqrt(c)) {
        return false;
    }
    for (int round = 0; round < ROUNDS; round++) {
        operands in;
        in.a = next_lanes(c);
        in.b = next_lanes(c);
        in.c = next_lanes(c);
        if (!check_constants(c, &in) || !check_arithmetic(c, &in) || !check_multiply_add(c, &in) ||
            !check_logic(c, &in) || !check_shifts(c, &in) || !check_sign_bits(c, &in)) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- algebra.h */

/* Relative error of a root by its estimate alone, and after the step that `bare` takes on an ISA
 * which needs two: a Newton step leaves 3/2 of the square. */
static double bare_limit(void) {
    return VF_RSQRT_STEPS == 1 ? exp2(-11.4) : 1.5 * exp2(-15.0) + 4e-7;
}

static double root_limit(rod_norm norm) {
    return norm == NORM_bare ? bare_limit() : norm == NORM_newton ? 4e-7 : 1.2e-7;
}

/* The first lane that is further off than `limit`, of which each lane has its own. */
static bool within(checker *c, const char *name, rod_norm norm, const lanes *x, vf got,
                   const double *expected, const double *limit) {
    const lanes out = put(got);
    for (int i = 0; i < VF_LANES; i++) {
        const double error = fabs((double)out.v[i] - expected[i]);
        if (!(error <= limit[i])) {
            return fail(c, "%s, norm %d: lane %d of %a gives %.9g, not %.9g, off by %.3g > %.3g",
                        name, (int)norm, i, (double)x->v[i], (double)out.v[i], expected[i], error,
                        limit[i]);
        }
    }
    return true;
}

static bool check_root_and_reciprocal_of(checker *c, const lanes *x, rod_norm norm) {
    double root[MAX_LANES], near_root[MAX_LANES], reciprocal[MAX_LANES], near[MAX_LANES];
    /* the square of a root has twice its error, and is rounded once more */
    const double limit = norm == NORM_exact ? 6e-8 : 2.01 * root_limit(norm) + 6e-8;
    for (int i = 0; i < VF_LANES; i++) {
        root[i] = 1 / sqrt((double)x->v[i]);
        near_root[i] = root_limit(norm) * root[i];
        reciprocal[i] = 1 / (double)x->v[i];
        near[i] = limit * reciprocal[i];
    }
    return within(c, "rsqrt", norm, x, vf_rsqrt(get(x), norm), root, near_root) &&
           within(c, "reciprocal", norm, x, vf_reciprocal(get(x), norm), reciprocal, near);
}

/* Over the sizes of the sums and determinants that the bodies take reciprocals of. */
static bool check_roots_and_reciprocals(checker *c) {
    for (int n = 0; n < ESTIMATES; n += VF_LANES) {
        lanes x = {{0}};
        for (int i = 0; i < VF_LANES; i++) {
            x.v[i] = (float)pow(10.0, 60.0 * next_unit(c) - 30.0);
        }
        for (rod_norm norm = NORM_exact; norm <= NORM_bare; norm++) {
            if (!check_root_and_reciprocal_of(c, &x, norm)) {
                return false;
            }
        }
    }
    return true;
}

static bool check_acos_of(checker *c, const lanes *x) {
    lanes t = {{0}};
    for (int i = 0; i < VF_LANES; i++) {
        t.v[i] =
            (float)(1.0 - fabs((double)x->v[i])); /* exact in double, and in float from 1/2 on */
    }
    for (rod_norm norm = NORM_exact; norm <= NORM_bare; norm++) {
        double expected[MAX_LANES], limit[MAX_LANES];
        for (int i = 0; i < VF_LANES; i++) {
            expected[i] = acos((double)x->v[i]);
            limit[i] = ARC_ERROR;
        }
        if (!within(c, "acos", norm, x, vf_acos(get(x), get(&t), norm), expected, limit)) {
            return false;
        }
    }
    return true;
}

/* Every `stride`-th float from one to the other, both signs, both ends. */
static bool check_acos_between(checker *c, float from, float to, uint32_t stride) {
    const uint32_t last = to_bits(to);
    for (uint32_t bits = to_bits(from);;) {
        lanes x = {{0}}, minus = {{0}};
        const bool done = last - bits < stride * (uint32_t)VF_LANES;
        for (int i = 0; i < VF_LANES; i++) {
            x.v[i] = from_bits(bits);
            minus.v[i] = -x.v[i];
            bits = last - bits < stride ? last : bits + stride;
        }
        if (!check_acos_of(c, &x) || !check_acos_of(c, &minus)) {
            return false;
        }
        if (done) {
            return true;
        }
    }
}

static bool check_arc_of(checker *c, const lanes *t) {
    for (rod_norm norm = NORM_exact; norm <= NORM_bare; norm++) {
        double expected[MAX_LANES], limit[MAX_LANES];
        for (int i = 0; i < VF_LANES; i++) {
            expected[i] = 2.0 * asin(sqrt((double)t->v[i] / 2.0)); /* acos(1 - t) */
            limit[i] = ARC_ERROR * expected[i];
        }
        if (!within(c, "arc", norm, t, vf_arc(get(t), norm), expected, limit)) {
            return false;
        }
    }
    return true;
}

/* Angles from a right one down to 1e-12, which no cosine tells from 0, lose no digits. */
static bool check_arcs(checker *c) {
    for (int n = 0; n < ESTIMATES; n += VF_LANES) {
        lanes t = {{0}};
        for (int i = 0; i < VF_LANES; i++) {
            t.v[i] = (float)pow(10.0, -24.0 * next_unit(c));
        }
        if (!check_arc_of(c, &t)) {
            return false;
        }
    }
    lanes zero = {{0}};
    return check_arc_of(c, &zero);
}

/* Denormals and 0, all sizes, evenly, and the neighbours of 1. */
static bool check_algebra(checker *c) {
    return check_roots_and_reciprocals(c) && check_arcs(c) &&
           check_acos_between(c, 0.0f, 64 * FLT_TRUE_MIN, 1) &&
           check_acos_between(c, 0.0f, 0.001f, 100003) &&
           check_acos_between(c, 0.001f, 1.0f, 499) &&
           check_acos_between(c, 1.0f - 4096 * 0x1p-24f, 1.0f, 1);
}

ROD_VEC_CHECK_DECLARE(ROD_ISA);

ROD_VEC_CHECK_DECLARE(ROD_ISA) {
    checker c = {seed, why, why_size};
    return check(&c) ? 0 : 1;
}

ROD_VEC_ALGEBRA_DECLARE(ROD_ISA);

ROD_VEC_ALGEBRA_DECLARE(ROD_ISA) {
    checker c = {seed, why, why_size};
    return check_algebra(&c) ? 0 : 1;
}
