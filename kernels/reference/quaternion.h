/* Position and orientation based Cosserat rods, as the textbook has them.
 *
 * Kugelstadt & Schoemer 2016 ("KS16"): Algorithm 1 and equations 31 to 41, one constraint at a
 * time, with the paper's two errata corrected where they stand. Nothing here is optimised: this is
 * what every kernel is checked against, in double. The same text compiled with float32 numbers is
 * the "textbook" variant of the benchmark (kernels/textbook_quaternion.c), hence the type `real`.
 */
#ifndef ROD_REFERENCE_QUATERNION_H
#define ROD_REFERENCE_QUATERNION_H

#include "order.h"
#include "reference/algebra.h"

#include <stdbool.h>
#include <stdint.h>

/* ---------------------------------------------------------------- orientations */

/* q + dq made a unit again. Between a pin and an exact half turn the two can cancel: then q stays.
 */
static inline realq corrected(realq q, realq dq) {
    const realq sum = addq(q, dq);
    return dotq(sum, sum) > (real)1e-20 ? normaliseq(sum) : q;
}

/* d3 = R(q) e3, the third column of KS16 eq. 7. */
static inline real3 director3(realq q) {
    return (real3){2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                   q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z};
}

/* q e3bar, the product written out. */
static inline realq times_e3bar(realq q) {
    return (realq){q.z, -q.y, q.x, -q.w};
}

/* ---------------------------------------------------------------- stretch and shear */

/* KS16 eq. 31 */
static inline real3 stretch_constraint(real3 p1, real3 p2, realq q, real l) {
    return sub3(scale3(1 / l, sub3(p2, p1)), director3(q));
}

/* Each component of the strain in the material frame, KS16 eq. 21, is scaled by its stiffness. */
static inline real3 stretch_stiffened(realq q, real3 C, real3 stiffness) {
    if (stiffness.x == stiffness.y && stiffness.y == stiffness.z)
        return scale3(stiffness.x, C);
    return rotate3(q, mul3(stiffness, rotate3(conjugate(q), C)));
}

/* KS16 eq. 35, the 3x4 gradient by the quaternion; eq. 34's, by the positions, is -1/l and 1/l.
 * The paper prints the gradient of +d3, but the constraint holds -d3: hence the sign. */
static inline void stretch_gradient(realq q, real g[3][4]) {
    const realq z = mulq((realq){0, 0, 0, 1}, conjugate(q));
    const real rows[3][4] = {{z.x, z.w, z.z, -z.y}, {z.y, -z.z, z.w, z.x}, {z.z, z.y, -z.x, z.w}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            g[i][j] = -2 * rows[i][j];
}

typedef struct {
    real3 p1, p2;
    realq q;
} stretch_delta;

/* KS16 eq. 37. Erratum 1: the paper prints the displacement of q without its factor 2; eqs. 34 and
 * 35 put into eq. 17 give it. */
static inline stretch_delta stretch_displacement(real3 p1, real3 p2, realq q, real w1, real w2,
                                                 real wq, real l, real3 stiffness) {
    const real D = w1 + w2 + 4 * wq * l * l;
    if (!(D > 0))
        return (stretch_delta){0};
    const real3 C = stretch_stiffened(q, stretch_constraint(p1, p2, q, l), stiffness);
    return (stretch_delta){
        .p1 = scale3(+w1 * l / D, C),
        .p2 = scale3(-w2 * l / D, C),
        .q = scaleq(+2 * wq * l * l / D, mulq(pure(C), times_e3bar(q))),
    };
}

/* ---------------------------------------------------------------- bend and twist */

typedef enum {
    DARBOUX_PLAIN,   /* KS16 eq. 32 */
    DARBOUX_MODIFIED /* KS16 eq. 41, appendix A: diverges at a half turn */
} darboux_form;

/* Which of the two rest poses +W0 and -W0 a joint is drawn to: q and -q are one orientation. */
typedef enum {
    SIGN_EACH_FRAME,      /* nearest in 4-D, chosen before the solver's loop: what the kernels do */
    SIGN_EACH_PROJECTION, /* nearest in 4-D, chosen at each projection */
    SIGN_AS_PRINTED       /* KS16 eq. 33 literally: wrong for curled rods (erratum 2) */
} sign_rule;

/* Rest vectors hold Im(qbar u) in the branch with a real part that is not negative. */
static inline real rest_real_part(real3 rest) {
    const real square = 1 - dot3(rest, rest);
    return square > 0 ? real_sqrt(square) : 0;
}

static inline real nearest_rest_sign(realq q, realq u, real3 rest, bool as_printed) {
    const realq z = mulq(conjugate(q), u);
    const real along = dot3(imaginary(z), rest);
    /* Erratum 2: |z - z0| against |z + z0| must be compared in 4-D, with the real parts. */
    const real nearness = as_printed ? along : along + z.w * rest_real_part(rest);
    return nearness < 0 ? (real)-1 : (real)1;
}

/* KS16 eq. 32 */
static inline real3 bend_constraint(realq q, realq u, real3 rest, real sign) {
    return sub3(imaginary(mulq(conjugate(q), u)), scale3(sign, rest));
}

/* KS16 eqs. 38 and 39: the gradient by the second argument at `q` is +half(q), the one by the
 * first at `u` is -half(u). */
static inline void bend_gradient_half(realq a, real g[3][4]) {
    const real rows[3][4] = {
        {-a.x, a.w, a.z, -a.y}, {-a.y, -a.z, a.w, a.x}, {-a.z, a.y, -a.x, a.w}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            g[i][j] = rows[i][j];
}

typedef struct {
    realq q, u;
} bend_delta;

/* KS16 eq. 40 */
static inline bend_delta bend_displacement(realq q, realq u, real wq, real wu, real3 rest,
                                           real sign, real3 stiffness) {
    if (!(wq + wu > 0))
        return (bend_delta){0};
    const realq C = pure(mul3(stiffness, bend_constraint(q, u, rest, sign)));
    return (bend_delta){
        .q = scaleq(+wq / (wq + wu), mulq(u, C)),
        .u = scaleq(-wu / (wq + wu), mulq(q, C)),
    };
}

/* KS16 eq. 41. Psi and its rest value do not change when a quaternion changes sign. */
static inline real3 modified_bend_constraint(realq q, realq u, real3 rest) {
    const realq z = mulq(conjugate(q), u);
    return sub3(scale3(1 / z.w, imaginary(z)), scale3(1 / rest_real_part(rest), rest));
}

/* KS16 appendix A. A joint that is folded by a half turn, or rests so, has no Psi and is left. */
static inline bend_delta modified_bend_displacement(realq q, realq u, real wq, real wu, real3 rest,
                                                    real3 stiffness) {
    const real cosine = dotq(q, u);
    const real tiny = (real)1e-6;
    if (!(wq + wu > 0) || (cosine < tiny && cosine > -tiny) || rest_real_part(rest) < tiny)
        return (bend_delta){0};
    const real3 z = imaginary(mulq(conjugate(q), u));
    const real3 C = mul3(stiffness, modified_bend_constraint(q, u, rest));
    const real3 B = sub3(C, scale3(dot3(z, C), z));
    const realq dq = addq(scaleq(cosine, mulq(u, pure(B))), scaleq(dot3(z, B), u));
    const realq du = addq(scaleq(cosine, mulq(q, pure(B))), scaleq(-dot3(z, B), q));
    return (bend_delta){
        .q = scaleq(+wq / (wq + wu), dq),
        .u = scaleq(-wu / (wq + wu), du),
    };
}

/* ---------------------------------------------------------------- Algorithm 1 */

/* One rod of N elements: N + 1 particles, N orientations, N - 1 joints. */
typedef struct {
    size_t elements;
    real3 *x, *v, *p;     /* particles: position, velocity, prediction */
    realq *q, *u;         /* orientations and their predictions */
    real3 *omega;         /* angular velocity in the body frame */
    const real *w;        /* inverse mass of each particle, 0 pins it */
    const real *wq;       /* weight of each orientation, 0 pins it */
    const real *l;        /* rest length of each element */
    const real3 *rest;    /* rest Darboux vector Im(q0bar u0) of each joint */
    real *sign;           /* of each joint's rest vector in this frame */
    const real3 *force;   /* on each particle, or NULL */
    const real3 *torque;  /* on each orientation in its body frame, or NULL */
    const real3 *inertia; /* diagonal of each orientation, or NULL for 1 */
    real3 stretch_stiffness, bend_stiffness;
} textbook_rod;

typedef struct {
    real dt, damping;
    real3 gravity;
    size_t iterations;
    rod_order order;
    darboux_form form;
    sign_rule signs;
} textbook_frame;

/* Lines 6 and 7. Gravity is an acceleration: it moves whatever is not pinned. */
static inline void textbook_predict_particles(textbook_rod *r, const textbook_frame *f) {
    for (size_t i = 0; i <= r->elements; i++) {
        if (r->w[i] > 0) {
            real3 a = f->gravity;
            if (r->force)
                a = add3(a, scale3(r->w[i], r->force[i]));
            r->v[i] = add3(r->v[i], scale3(f->dt, a));
            r->p[i] = add3(r->x[i], scale3(f->dt, r->v[i]));
        } else {
            r->p[i] = r->x[i];
        }
    }
}

/* Lines 8 to 12 */
static inline void textbook_predict_orientations(textbook_rod *r, const textbook_frame *f) {
    for (size_t j = 0; j < r->elements; j++) {
        if (!(r->wq[j] > 0)) {
            r->u[j] = r->q[j];
            continue;
        }
        const real3 I = r->inertia ? r->inertia[j] : (real3){1, 1, 1};
        const real3 torque = r->torque ? r->torque[j] : (real3){0};
        const real3 net = sub3(torque, cross3(r->omega[j], mul3(I, r->omega[j])));
        const real3 spin_up = {net.x / I.x, net.y / I.y, net.z / I.z};
        r->omega[j] = add3(r->omega[j], scale3(f->dt, spin_up));
        const realq turn = mulq(r->q[j], pure(r->omega[j]));
        r->u[j] = normaliseq(addq(r->q[j], scaleq(f->dt / 2, turn)));
    }
}

static inline void textbook_choose_signs(textbook_rod *r) {
    for (size_t j = 0; j + 1 < r->elements; j++)
        r->sign[j] = nearest_rest_sign(r->u[j], r->u[j + 1], r->rest[j], false);
}

static inline void textbook_project_stretch(textbook_rod *r, size_t e) {
    const stretch_delta d =
        stretch_displacement(r->p[e], r->p[e + 1], r->u[e], r->w[e], r->w[e + 1], r->wq[e], r->l[e],
                             r->stretch_stiffness);
    r->p[e] = add3(r->p[e], d.p1);
    r->p[e + 1] = add3(r->p[e + 1], d.p2);
    r->u[e] = corrected(r->u[e], d.q);
}

static inline void textbook_project_bend(textbook_rod *r, const textbook_frame *f, size_t j) {
    const realq q = r->u[j], u = r->u[j + 1];
    const real wq = r->wq[j], wu = r->wq[j + 1];
    if (f->signs != SIGN_EACH_FRAME)
        r->sign[j] = nearest_rest_sign(q, u, r->rest[j], f->signs == SIGN_AS_PRINTED);
    const bend_delta d =
        f->form == DARBOUX_MODIFIED
            ? modified_bend_displacement(q, u, wq, wu, r->rest[j], r->bend_stiffness)
            : bend_displacement(q, u, wq, wu, r->rest[j], r->sign[j], r->bend_stiffness);
    r->u[j] = corrected(q, d.q);
    r->u[j + 1] = corrected(u, d.u);
}

/* Lines 14 and 15 */
static inline void textbook_project_constraints(textbook_rod *r, const textbook_frame *f) {
    const size_t elements = r->elements, joints = elements - 1;
    for (size_t iteration = 0; iteration < f->iterations; iteration++) {
        for (size_t k = 0; k < elements; k++)
            textbook_project_stretch(r,
                                     rod_order_index(ROD_METHOD_QUATERNION, f->order, elements, k));
        for (size_t k = 0; k < joints; k++)
            textbook_project_bend(r, f,
                                  rod_order_index(ROD_METHOD_QUATERNION, f->order, joints, k));
    }
}

/* Lines 16 to 21, and the damping of all velocities by a fraction a frame. */
static inline void textbook_update(textbook_rod *r, const textbook_frame *f) {
    const real rate = (1 - f->damping) / f->dt;
    for (size_t i = 0; i <= r->elements; i++) {
        if (!(r->w[i] > 0)) {
            r->v[i] = (real3){0};
            continue;
        }
        r->v[i] = scale3(rate, sub3(r->p[i], r->x[i]));
        r->x[i] = r->p[i];
    }
    for (size_t j = 0; j < r->elements; j++) {
        if (!(r->wq[j] > 0)) {
            r->omega[j] = (real3){0};
            continue;
        }
        const realq turn = mulq(conjugate(r->q[j]), r->u[j]);
        /* -u is the same orientation as u: without the sign it would read as a huge spin. */
        r->omega[j] = scale3(turn.w < 0 ? -2 * rate : 2 * rate, imaginary(turn));
        r->q[j] = r->u[j];
    }
}

/* One pass of the loop from line 5. */
static inline void textbook_step(textbook_rod *r, const textbook_frame *f) {
    textbook_predict_particles(r, f);
    textbook_predict_orientations(r, f);
    textbook_choose_signs(r);
    textbook_project_constraints(r, f);
    textbook_update(r, f);
}

#endif
