/* Strands of position-based dynamics, as the textbook has them.
 *
 * Mueller, Heidelberger, Hennix & Ratcliff 2007 ("muller2007"): Algorithm 1 with distance
 * constraints, and with the bending of section 4.1 taken to a line, C = acos(e1 . e2) - phi0 on
 * three particles. Such a strand has no frames: it bends to any side alike and knows no twist.
 * Nothing is optimised, this is what a kernel is checked against.
 */
#ifndef ROD_REFERENCE_PBD_H
#define ROD_REFERENCE_PBD_H

#include "kernel.h"
#include "order.h"
#include "reference/algebra.h"

#include <stdbool.h>
#include <stddef.h>

/* ---------------------------------------------------------------- distance */

typedef struct {
    real3 a, b;
} pbd_pair;

/* C(p1, p2) = |p1 - p2| - d, muller2007 section 3.3 */
static inline real pbd_distance_constraint(real3 a, real3 b, real d) {
    return norm3(sub3(a, b)) - d;
}

/* n and -n; all zero where the particles are at one place, which has no direction. */
static inline pbd_pair pbd_distance_gradient(real3 a, real3 b) {
    const real distance = norm3(sub3(a, b));
    if (!(distance > 0))
        return (pbd_pair){0};
    const real3 n = scale3(1 / distance, sub3(a, b));
    return (pbd_pair){n, scale3(-1, n)};
}

/* muller2007 eqs. 10 and 11, times the stiffness */
static inline pbd_pair pbd_distance_displacement(real3 a, real3 b, real wa, real wb, real d,
                                                 real stiffness) {
    if (!(wa + wb > 0))
        return (pbd_pair){0};
    const pbd_pair n = pbd_distance_gradient(a, b);
    const real s = stiffness * pbd_distance_constraint(a, b, d) / (wa + wb);
    return (pbd_pair){scale3(-wa * s, n.a), scale3(-wb * s, n.b)};
}

/* ---------------------------------------------------------------- bending */

typedef struct {
    real3 a, b, c;
} pbd_triple;

/* The lines e1 from a to b, e2 from b to c, and what the angle between them is made of. */
typedef struct {
    real3 e1, e2;
    real l1, l2;
    real cosine, sine;
} pbd_corner;

/* False if a line has no length. */
static inline bool pbd_corner_of(const pbd_triple *s, pbd_corner *k) {
    k->l1 = norm3(sub3(s->b, s->a));
    k->l2 = norm3(sub3(s->c, s->b));
    if (!(k->l1 > 0 && k->l2 > 0))
        return false;
    k->e1 = scale3(1 / k->l1, sub3(s->b, s->a));
    k->e2 = scale3(1 / k->l2, sub3(s->c, s->b));
    k->cosine = dot3(k->e1, k->e2);
    k->sine = norm3(cross3(k->e1, k->e2)); /* sqrt(1 - cosine^2) without its cancellation */
    return true;
}

/* The angle between the lines. Rounding may put a cosine beyond 1, where acos is NaN. */
static inline real pbd_angle(const pbd_corner *k) {
    const real d = k->cosine > 1 ? 1 : k->cosine < -1 ? -1 : k->cosine;
    return real_acos(d);
}

/* C = acos(e1 . e2) - phi0 */
static inline real pbd_bend_constraint(const pbd_corner *k, real rest_angle) {
    return pbd_angle(k) - rest_angle;
}

/* With d = e1 . e2, acos'(d) = -1 / sqrt(1 - d^2) as in muller2007 eqs. 20 to 23, and e1 changing
 * with b by (1 - e1 e1^T) / l1:
 *
 *     by a  (e2 - d e1) / (l1 sine)      by c  -(e1 - d e2) / (l2 sine)      by b  minus both */
static inline pbd_triple pbd_bend_gradient(const pbd_corner *k) {
    const real3 across1 = sub3(k->e2, scale3(k->cosine, k->e1));
    const real3 across2 = sub3(k->e1, scale3(k->cosine, k->e2));
    pbd_triple g;
    g.a = scale3(1 / (k->l1 * k->sine), across1);
    g.c = scale3(-1 / (k->l2 * k->sine), across2);
    g.b = scale3(-1, add3(g.a, g.c));
    return g;
}

/* muller2007 eqs. 8 and 9, times the stiffness. A joint that is straight, or folded back, could
 * bend to any side and is left; so is one without lines. */
static inline pbd_triple pbd_bend_displacement(const pbd_triple *s, real wa, real wb, real wc,
                                               real rest_angle, real stiffness) {
    pbd_corner k;
    if (!pbd_corner_of(s, &k) || !(k.sine > (real)1e-6))
        return (pbd_triple){0};
    const pbd_triple g = pbd_bend_gradient(&k);
    const real D = wa * dot3(g.a, g.a) + wb * dot3(g.b, g.b) + wc * dot3(g.c, g.c);
    if (!(D > 0))
        return (pbd_triple){0};
    const real scale = stiffness * pbd_bend_constraint(&k, rest_angle) / D;
    return (pbd_triple){scale3(-wa * scale, g.a), scale3(-wb * scale, g.b),
                        scale3(-wc * scale, g.c)};
}

/* ---------------------------------------------------------------- a frame of a strand */

/* One strand of N elements: N + 1 particles, N - 1 joints. */
typedef struct {
    size_t elements;
    real3 *x, *v, *p;  /* position, velocity, prediction of each particle */
    const real *w, *l; /* inverse mass of each particle, 0 pins it; rest length of each element */
    const real *angle; /* of each joint: rest angle between its elements, phi0 */
    const real *stretch_stiffness, *bend_stiffness; /* of each element, of each joint */
    const real3 *force;                             /* on each particle, or NULL */
} pbd_rod;

/* Lines 5 and 7. Gravity is an acceleration: it moves whatever is not pinned. */
static inline void pbd_predict(pbd_rod *r, const rod_frame *f) {
    const real3 gravity = {f->gravity[0], f->gravity[1], f->gravity[2]};
    for (size_t i = 0; i <= r->elements; i++) {
        if (r->w[i] > 0) {
            real3 a = gravity;
            if (r->force)
                a = add3(a, scale3(r->w[i], r->force[i]));
            r->v[i] = add3(r->v[i], scale3(f->dt, a));
            r->p[i] = add3(r->x[i], scale3(f->dt, r->v[i]));
        } else {
            r->p[i] = r->x[i];
        }
    }
}

static inline void pbd_project_distance(pbd_rod *r, size_t e) {
    const pbd_pair d = pbd_distance_displacement(r->p[e], r->p[e + 1], r->w[e], r->w[e + 1],
                                                 r->l[e], r->stretch_stiffness[e]);
    r->p[e] = add3(r->p[e], d.a);
    r->p[e + 1] = add3(r->p[e + 1], d.b);
}

static inline void pbd_project_bend(pbd_rod *r, size_t j) {
    const pbd_triple s = {r->p[j], r->p[j + 1], r->p[j + 2]};
    const pbd_triple d = pbd_bend_displacement(&s, r->w[j], r->w[j + 1], r->w[j + 2], r->angle[j],
                                               r->bend_stiffness[j]);
    r->p[j] = add3(s.a, d.a);
    r->p[j + 1] = add3(s.b, d.b);
    r->p[j + 2] = add3(s.c, d.c);
}

/* Lines 9 to 11 */
static inline void pbd_project_constraints(pbd_rod *r, const rod_frame *f) {
    const size_t elements = r->elements, joints = elements - 1;
    for (size_t iteration = 0; iteration < f->iterations; iteration++) {
        for (size_t k = 0; k < elements; k++)
            pbd_project_distance(r, rod_order_index(ROD_METHOD_PBD, f->order, elements, k));
        for (size_t k = 0; k < joints; k++)
            pbd_project_bend(r, rod_order_index(ROD_METHOD_PBD, f->order, joints, k));
    }
}

/* Lines 12 to 15, and the damping of all velocities by a fraction a frame. */
static inline void pbd_update(pbd_rod *r, const rod_frame *f) {
    const real rate = (1 - (real)f->damping) / (real)f->dt; /* f holds float32 */
    for (size_t i = 0; i <= r->elements; i++) {
        if (!(r->w[i] > 0)) {
            r->v[i] = (real3){0};
            continue;
        }
        r->v[i] = scale3(rate, sub3(r->p[i], r->x[i]));
        r->x[i] = r->p[i];
    }
}

/* ---------------------------------------------------------------- damping of section 3.5 */

/* How the particles that are not pinned move as one. */
typedef struct {
    real3 centre, velocity; /* x_cm, v_cm */
    real3 omega;
} pbd_motion;

/* Lines 1 and 2. False if every particle is pinned. Positions are seen from one that is not: seen
 * from afar, rounding would turn a rod of which only one particle moves. */
static inline bool pbd_centre(const pbd_rod *r, pbd_motion *m) {
    real mass = 0;
    real3 x = {0}, v = {0}, origin = {0};
    for (size_t i = 0; i <= r->elements; i++)
        origin = r->w[i] > 0 ? r->x[i] : origin;
    for (size_t i = 0; i <= r->elements; i++) {
        if (r->w[i] > 0) {
            mass += 1 / r->w[i];
            x = add3(x, scale3(1 / r->w[i], sub3(r->x[i], origin)));
            v = add3(v, scale3(1 / r->w[i], r->v[i]));
        }
    }
    if (!(mass > 0))
        return false;
    m->centre = add3(origin, scale3(1 / mass, x));
    m->velocity = scale3(1 / mass, v);
    return true;
}

/* Lines 3 to 5. A straight rod's inertia about itself is 0, so that the tensor has no inverse: a
 * millionth of its trace is added to the diagonal. One particle does not turn. */
static inline real3 pbd_turning(const pbd_rod *r, real3 centre) {
    real3 L = {0}, omega;
    real33 I = {0};
    for (size_t i = 0; i <= r->elements; i++) {
        if (r->w[i] > 0) {
            const real mass = 1 / r->w[i];
            const real3 arm = sub3(r->x[i], centre);
            L = add3(L, scale3(mass, cross3(arm, r->v[i])));
            I = add33(I, scale33(mass, square33(skew33(arm))));
        }
    }
    const real trace = I.row[0].x + I.row[1].y + I.row[2].z;
    I = add33(I, diagonal33((real)1e-6 * trace));
    if (!solve33(I, L, 0, &omega))
        return (real3){0};
    return omega;
}

/* Lines 6 to 9. The paper damps before it predicts, here it is the end of the frame: the same loop
 * cut elsewhere, but for the change of the velocities by the forces in between. */
static inline void pbd_damp_to_rigid_motion(pbd_rod *r, real k) {
    pbd_motion m;
    if (!pbd_centre(r, &m))
        return;
    m.omega = pbd_turning(r, m.centre);
    for (size_t i = 0; i <= r->elements; i++) {
        if (r->w[i] > 0) {
            const real3 turning = cross3(m.omega, sub3(r->x[i], m.centre));
            const real3 deviation = sub3(add3(m.velocity, turning), r->v[i]);
            r->v[i] = add3(r->v[i], scale3(k, deviation));
        }
    }
}

static inline void pbd_step(pbd_rod *r, const rod_frame *f) {
    pbd_predict(r, f);
    pbd_project_constraints(r, f);
    pbd_update(r, f);
    if (f->rigid_damping > 0)
        pbd_damp_to_rigid_motion(r, f->rigid_damping);
}

#endif
