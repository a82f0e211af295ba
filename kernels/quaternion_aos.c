/* Quaternion rods one at a time, array of structures, a quaternion or point in one SSE register:
 * what the authors of KS16 likely had. It is in the benchmark to separate what a newer CPU brings
 * from what layout and width bring, so it is written with care but within that layout. */

#include "kernel.h"
#include "order.h"
#include "variants.h"
#include "vec/quaternion_register.h"

/* Factors of one element and of the joint that follows it; KS16 eqs. 37 (with the lost factor 2)
 * and 40. */
typedef struct {
    float inverse_length, move_1, move_2, turn;
    float bend_1, bend_2, unused[2];
} factors;

typedef struct {
    const rod_block *block;
    const rod_frame *frame;
    float *p, *u; /* 4 floats each; points are 0 x y z */
    factors *f;
    vf stretch_stiffness, bend_stiffness;
} work;

static float lane(const rod_block *b, enum rod_lane_constant which) {
    return b->lane_constant[which];
}

static vf point(const float *xyz) {
    return qr_set(0.0f, xyz[0], xyz[1], xyz[2]);
}

static void put_point(float *xyz, vf a) {
    _Alignas(16) float t[4];
    vf_store(t, a);
    for (int i = 0; i < 3; i++)
        xyz[i] = t[i + 1];
}

static vf normalised(vf q) {
    const vf square = vf_add(qr_dot(q, q), vf_set1(1e-30f));
    vf y = vf_rsqrt_estimate(square);
    for (int i = 0; i < VF_RSQRT_STEPS; i++)
        y = vf_mul(y, vf_fnma(vf_mul(vf_mul(vf_set1(0.5f), square), y), y, vf_set1(1.5f)));
    /* a quaternion that cancelled to 0 must not stay 0, see vec/algebra.h */
    return vf_fma(q, y, qr_set(1e-12f, 0.0f, 0.0f, 0.0f));
}

static factors factors_of(const rod_block *b, size_t e) {
    const float l = b->length ? b->length[e] : lane(b, ROD_LANE_LENGTH);
    const float w1 = b->w[e], w2 = b->w[e + 1], wq = b->wq[e];
    const float wu = e + 1 < b->elements ? b->wq[e + 1] : 0.0f;
    const float D = w1 + w2 + 4.0f * wq * l * l;
    const float s = D > 0.0f ? 1.0f / D : 0.0f;
    const float t = wq + wu > 0.0f ? 1.0f / (wq + wu) : 0.0f;
    return (factors){1.0f / l, w1 * l * s, w2 * l * s, 2.0f * wq * l * l * s, wq * t, wu * t, {0}};
}

/* ---------------------------------------------------------------- projections */

static inline vf stiffened(const work *s, vf C, vf q) {
    if (s->block->isotropic_stretch)
        return vf_mul(s->stretch_stiffness, C);
    const vf local = qr_mul(qr_mul(qr_conjugate(q), C), q);
    return qr_imaginary(qr_mul(qr_mul(q, vf_mul(s->stretch_stiffness, local)), qr_conjugate(q)));
}

/* KS16 eqs. 31 and 37 */
static inline void stretch(const work *s, size_t e) {
    const factors *f = &s->f[e];
    float *p = s->p + 4 * e, *u = s->u + 4 * e;
    const vf p1 = vf_load(p), p2 = vf_load(p + 4), q = vf_load(u);
    vf C = vf_sub(vf_mul(vf_set1(f->inverse_length), vf_sub(p2, p1)), qr_director3(q));
    C = stiffened(s, C, q);
    vf_store(p, vf_fma(vf_set1(f->move_1), C, p1));
    vf_store(p + 4, vf_fnma(vf_set1(f->move_2), C, p2));
    const vf turn = qr_mul(C, qr_times_e3bar(q));
    vf_store(u, normalised(vf_fma(vf_set1(f->turn), turn, q)));
}

/* KS16 eqs. 32 and 40; the signs are all +1, see choose_signs */
static inline void bend(const work *s, size_t joint) {
    const factors *f = &s->f[joint];
    float *at = s->u + 4 * joint;
    const vf q = vf_load(at), u = vf_load(at + 4);
    const vf relative = qr_imaginary(qr_mul(qr_conjugate(q), u));
    const vf C = vf_mul(s->bend_stiffness, vf_sub(relative, point(s->block->rest + 3 * joint)));
    vf_store(at, normalised(vf_fma(vf_set1(f->bend_1), qr_mul(u, C), q)));
    vf_store(at + 4, normalised(vf_fnma(vf_set1(f->bend_2), qr_mul(q, C), u)));
}

static void solve(const work *s) {
    const size_t n = s->block->elements;
    const rod_order order = s->frame->order;
    for (size_t iteration = 0; iteration < s->frame->iterations; iteration++) {
        for (size_t k = 0; k < n; k++)
            stretch(s, rod_order_index(ROD_METHOD_QUATERNION, order, n, k));
        for (size_t k = 0; k + 1 < n; k++)
            bend(s, rod_order_index(ROD_METHOD_QUATERNION, order, n - 1, k));
    }
}

/* ---------------------------------------------------------------- prediction and update */

/* Algorithm 1, lines 6 and 7 */
static void predict_particle(const work *s, size_t i) {
    const rod_block *b = s->block;
    const vf dt = vf_set1(s->frame->dt), x = point(b->x + 3 * i);
    vf a = point(s->frame->gravity);
    if (b->force)
        a = vf_fma(vf_set1(b->w[i]), point(b->force + 3 * i), a);
    const vf v = vf_fma(dt, a, point(b->v + 3 * i));
    vf_store(s->p + 4 * i, b->w[i] > 0.0f ? vf_fma(dt, v, x) : x);
}

/* Algorithm 1, line 9 */
static vf spun_up(const work *s, size_t e) {
    const rod_block *b = s->block;
    const vf omega = point(b->omega + 3 * e);
    if (!b->torque && !b->inertia)
        return omega;
    const vf inertia = b->inertia ? point(b->inertia + 3 * e) : qr_set(0.0f, 1.0f, 1.0f, 1.0f);
    const vf torque = b->torque ? point(b->torque + 3 * e) : vf_zero();
    const vf gyration = qr_imaginary(qr_mul(omega, vf_mul(inertia, omega)));
    const vf divisor = vf_add(inertia, qr_set(1.0f, 0.0f, 0.0f, 0.0f));
    return vf_fma(vf_set1(s->frame->dt), vf_div(vf_sub(torque, gyration), divisor), omega);
}

/* Algorithm 1, lines 9 to 12 */
static void predict_orientation(const work *s, size_t e) {
    const vf q = vf_load(s->block->q + 4 * e);
    const vf turn = qr_mul(q, spun_up(s, e));
    const vf u = normalised(vf_fma(vf_set1(0.5f * s->frame->dt), turn, q));
    vf_store(s->u + 4 * e, s->block->wq[e] > 0.0f ? u : q);
}

/* Negative where the joint is nearer to the negative of its rest pose, in 4-D (erratum 2 to KS16
 * eq. 33). */
static float nearness(const float *rest, vf q, vf u) {
    const float square = 1.0f - rest[0] * rest[0] - rest[1] * rest[1] - rest[2] * rest[2];
    _Alignas(16) float lanes[4];
    vf_store(lanes, vf_sqrt(vf_set1(square > 0.0f ? square : 0.0f)));
    const vf z0 = qr_set(lanes[0], rest[0], rest[1], rest[2]);
    vf_store(lanes, qr_dot(qr_mul(qr_conjugate(q), u), z0));
    return lanes[0];
}

/* Flips orientations so that each joint is near its rest pose itself. */
static void choose_signs(const work *s) {
    const rod_block *b = s->block;
    float flips = 0.0f, sign = 1.0f;
    vf before = vf_load(s->u);
    for (size_t j = 0; j + 1 < b->elements; j++) {
        const vf u = vf_load(s->u + 4 * (j + 1));
        if (nearness(b->rest + 3 * j, before, u) < 0.0f) {
            sign = -sign;
            flips += b->wq[j] > 0.0f && b->wq[j + 1] > 0.0f ? 1.0f : 0.0f;
        }
        vf_store(s->u + 4 * (j + 1), vf_mul(vf_set1(sign), u));
        before = u;
    }
    b->flips[0] = flips;
}

/* Algorithm 1, lines 16 to 21 */
static void update(const work *s) {
    const rod_block *b = s->block;
    const float rate = (1.0f - s->frame->damping) / s->frame->dt;
    for (size_t i = 0; i <= b->elements; i++) {
        const vf x = point(b->x + 3 * i), p = vf_load(s->p + 4 * i);
        const bool moves = b->w[i] > 0.0f;
        put_point(b->v + 3 * i, moves ? vf_mul(vf_set1(rate), vf_sub(p, x)) : vf_zero());
        put_point(b->x + 3 * i, moves ? p : x);
    }
    for (size_t e = 0; e < b->elements; e++) {
        const vf q = vf_load(b->q + 4 * e), u = normalised(vf_load(s->u + 4 * e));
        const bool moves = b->wq[e] > 0.0f;
        const vf turn = qr_mul(qr_conjugate(q), u);
        const vf twice = vf_xor(vf_set1(2.0f * rate), vf_sign(qr_splat_w(turn)));
        put_point(b->omega + 3 * e, moves ? vf_mul(twice, turn) : vf_zero());
        vf_store(b->q + 4 * e, moves ? u : q);
    }
}

static void run_frame(const rod_block *b, const rod_frame *frame, float *scratch) {
    const work s = {
        .block = b,
        .frame = frame,
        .p = scratch,
        .u = scratch + 4 * (b->elements + 1),
        .f = (factors *)(scratch + 8 * (b->elements + 1)),
        .stretch_stiffness = qr_set(0.0f, lane(b, ROD_LANE_SHEAR_X), lane(b, ROD_LANE_SHEAR_Y),
                                    lane(b, ROD_LANE_STRETCH)),
        .bend_stiffness = qr_set(0.0f, lane(b, ROD_LANE_BEND_X), lane(b, ROD_LANE_BEND_Y),
                                 lane(b, ROD_LANE_TWIST)),
    };
    for (size_t i = 0; i <= b->elements; i++)
        predict_particle(&s, i);
    for (size_t e = 0; e < b->elements; e++) {
        s.f[e] = factors_of(b, e);
        predict_orientation(&s, e);
    }
    choose_signs(&s);
    solve(&s);
    update(&s);
}

#define ROD_INSTANCE(method, layout, isa, norm)                                                    \
    rod_kernel ROD_SINGLE_SYMBOL(method, layout, isa, norm);                                       \
    void ROD_SINGLE_SYMBOL(method, layout, isa, norm)(const rod_block *block,                      \
                                                      const rod_frame *frame, float *scratch) {    \
        run_frame(block, frame, scratch);                                                          \
    }

ROD_INSTANCE(quaternion, aos, sse41, newton)
