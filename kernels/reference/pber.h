/* Position-based elastic rods, as the textbook has them.
 *
 * Umetani, Schmidt & Stam 2014 ("USS14"): equations 3, 10 and 17 to 21, one constraint at a time,
 * and the gravity of ghost points of section 6. The supplement with the derivatives is lost, so
 * they are worked out here, director by director and point by point. Nothing is optimised: a kernel
 * may know a shorter way, and this is what it is checked against.
 *
 * A rod of N elements has N + 1 particles, and a ghost point beside each element that says how the
 * element is turned about itself. The paper counts edges from 1, here element e lies between the
 * particles e and e + 1.
 */
#ifndef ROD_REFERENCE_PBER_H
#define ROD_REFERENCE_PBER_H

#include "kernel.h"
#include "order.h"
#include "reference/algebra.h"

#include <stdbool.h>
#include <stddef.h>

/* ---------------------------------------------------------------- the frame of an edge */

typedef struct {
    real3 d[3]; /* the directors d^1, d^2, d^3 */
    real edge;  /* |b - a| */
    real reach; /* |d^3 x (g - a)|, how far the ghost point is off the edge */
} pber_frame;

/* USS14 eq. 3 for the edge from a to b with the ghost point g. False if there is no frame: the edge
 * has no length, or the ghost point is on it, measured by the edge's rest length. */
static inline bool pber_frame_of(real3 a, real3 b, real3 g, real rest_length, pber_frame *f) {
    const real least = (real)1e-6 * rest_length;
    f->edge = norm3(sub3(b, a));
    if (!(f->edge > least))
        return false;
    f->d[2] = scale3(1 / f->edge, sub3(b, a));
    const real3 n = cross3(f->d[2], sub3(g, a));
    f->reach = norm3(n);
    if (!(f->reach > least))
        return false;
    f->d[1] = scale3(1 / f->reach, n);
    f->d[0] = cross3(f->d[1], f->d[2]);
    return true;
}

typedef enum { PBER_A, PBER_B, PBER_G } pber_point;

/* The derivatives of the three directors by one of the three points. */
typedef struct {
    real33 d[3];
} pber_rates;

/* (1 - d d^T) / length: the derivative of d = v / |v| by v, where |v| is the length. */
static inline real33 pber_direction_rate(real3 d, real length) {
    return scale33(1 / length, sub33(diagonal33(1), outer33(d, d)));
}

/* USS14 eq. 3 differentiated: each product by the product rule, where a x b changes by
 * [a] db - [b] da. */
static inline pber_rates pber_frame_rates(real3 a, real3 g, const pber_frame *f, pber_point by) {
    const real edge_rate = by == PBER_A ? -1 : by == PBER_B ? 1 : 0;  /* of b - a */
    const real ghost_rate = by == PBER_A ? -1 : by == PBER_G ? 1 : 0; /* of g - a */
    const real3 d2 = f->d[1], d3 = f->d[2];
    pber_rates r;
    r.d[2] = scale33(edge_rate, pber_direction_rate(d3, f->edge));
    const real33 n = sub33(scale33(ghost_rate, skew33(d3)), mul33(skew33(sub3(g, a)), r.d[2]));
    r.d[1] = mul33(pber_direction_rate(d2, f->reach), n);
    r.d[0] = sub33(mul33(skew33(d2), r.d[2]), mul33(skew33(d3), r.d[1]));
    return r;
}

/* ---------------------------------------------------------------- the Darboux vector
 *
 * Of the frames D and E of neighbouring edges, with Q = D^T E a turn by theta about n:
 *
 *     tau = Omega lbar / 2 = 2 vect(Q) / (1 + tr Q) = tan(theta / 2) n
 *
 * Eq. 17 does not change when a constraint is scaled, so the factor 2 / lbar is left out. The
 * right-hand side of eq. 10 as printed is the negative of its own middle; the middle is meant: with
 * it tau is Im(z) / Re(z) of the quaternions' z = conj(q_D) q_E. */

/* 1 + tr Q, the denominator of USS14 eq. 10: 4 cos^2(theta / 2), which vanishes at a half turn. */
static inline real pber_denominator(const pber_frame *D, const pber_frame *E) {
    return 1 + dot3(D->d[0], E->d[0]) + dot3(D->d[1], E->d[1]) + dot3(D->d[2], E->d[2]);
}

/* USS14 eq. 10 by its middle, Q32 - Q23 and so on */
static inline real3 pber_darboux(const pber_frame *D, const pber_frame *E) {
    const real3 *d = D->d, *e = E->d;
    const real3 numerator = {dot3(d[2], e[1]) - dot3(d[1], e[2]),
                             dot3(d[0], e[2]) - dot3(d[2], e[0]),
                             dot3(d[1], e[0]) - dot3(d[0], e[1])};
    return scale3(1 / pber_denominator(D, E), numerator);
}

/* The tau of a joint at rest, whose vector Im(conj(q) u) is sin(theta / 2) n. */
static inline real3 pber_rest_darboux(real3 rest) {
    return scale3(1 / real_sqrt(1 - dot3(rest, rest)), rest);
}

/* The derivative of tau by a point that only one of the frames has: `rates` are that frame's, and
 * `other` is the one that stays. By the quotient rule it is
 * (numerator' - tau denominator') / denominator. The numerator changes its sign when the frames
 * change places, hence `sign`: + if the first frame moves, - if the second one does. */
static inline real33 pber_darboux_rate(const pber_rates *rates, const pber_frame *other, real sign,
                                       real3 tau, real denominator) {
    real3 denominator_rate = {0};
    for (int n = 0; n < 3; n++)
        denominator_rate = add3(denominator_rate, apply_transposed33(rates->d[n], other->d[n]));
    real33 numerator_rate;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const real3 kj = apply_transposed33(rates->d[k], other->d[j]);
        const real3 jk = apply_transposed33(rates->d[j], other->d[k]);
        numerator_rate.row[i] = scale3(sign, sub3(kj, jk));
    }
    return scale33(1 / denominator, sub33(numerator_rate, outer33(tau, denominator_rate)));
}

/* ---------------------------------------------------------------- bend and twist of a joint */

/* The points of USS14 eq. 21, in its order: three particles, and the two ghost points. */
enum { PBER_FIRST, PBER_MIDDLE, PBER_LAST, PBER_GHOST_D, PBER_GHOST_E, PBER_JOINT_POINTS };

typedef struct {
    real3 p[PBER_JOINT_POINTS];
} pber_joint;

/* The 3x15 derivative of tau: a 3x3 block for each point, a row for each component of tau. */
typedef struct {
    real33 by[PBER_JOINT_POINTS];
} pber_jacobian;

/* False if one of the edges has no frame. */
static inline bool pber_joint_frames(const pber_joint *s, const real l[2], pber_frame *D,
                                     pber_frame *E) {
    const real3 *p = s->p;
    return pber_frame_of(p[PBER_FIRST], p[PBER_MIDDLE], p[PBER_GHOST_D], l[0], D) &&
           pber_frame_of(p[PBER_MIDDLE], p[PBER_LAST], p[PBER_GHOST_E], l[1], E);
}

/* The middle particle ends the first edge and starts the second. */
static inline pber_jacobian pber_darboux_jacobian(const pber_joint *s, const pber_frame *D,
                                                  const pber_frame *E) {
    const real3 tau = pber_darboux(D, E);
    const real denominator = pber_denominator(D, E);
    real33 by_d[3], by_e[3];
    for (pber_point k = PBER_A; k <= PBER_G; k++) {
        const pber_rates d = pber_frame_rates(s->p[PBER_FIRST], s->p[PBER_GHOST_D], D, k);
        const pber_rates e = pber_frame_rates(s->p[PBER_MIDDLE], s->p[PBER_GHOST_E], E, k);
        by_d[k] = pber_darboux_rate(&d, E, +1, tau, denominator);
        by_e[k] = pber_darboux_rate(&e, D, -1, tau, denominator);
    }
    return (pber_jacobian){.by = {
                               [PBER_FIRST] = by_d[PBER_A],
                               [PBER_MIDDLE] = add33(by_d[PBER_B], by_e[PBER_A]),
                               [PBER_LAST] = by_e[PBER_B],
                               [PBER_GHOST_D] = by_d[PBER_G],
                               [PBER_GHOST_E] = by_e[PBER_G],
                           }};
}

/* USS14 eq. 21: Omega - Omega^Goal = alpha (Omega - Omega^rest), component by component. */
static inline real3 pber_bend_constraint(const pber_frame *D, const pber_frame *E, real3 rest,
                                         real3 alpha) {
    return mul3(alpha, sub3(pber_darboux(D, E), pber_rest_darboux(rest)));
}

/* USS14 eq. 17 for three components at once. The paper lost its minus sign, and its transposes
 * suit a gradient that is a column; with one row for each component of C it is
 *
 *     dp_a = - w_a J_a^T (sum_b w_b J_b J_b^T)^-1 C
 *
 * False, and all zero, where the matrix is singular: too few points are free to move. Of what
 * should be 0 rounding leaves a few units of the last digit. */
static inline bool pber_solve(const pber_jacobian *J, const real w[PBER_JOINT_POINTS], real3 C,
                              pber_joint *delta) {
    real33 A = {0};
    real3 lambda;
    *delta = (pber_joint){0};
    for (int b = 0; b < PBER_JOINT_POINTS; b++)
        A = add33(A, scale33(w[b], square33(J->by[b])));
    if (!solve33(A, C, 64 * real_epsilon(), &lambda))
        return false;
    for (int a = 0; a < PBER_JOINT_POINTS; a++)
        delta->p[a] = scale3(-w[a], apply_transposed33(J->by[a], lambda));
    return true;
}

/* USS14 eq. 21 put into eq. 17. The goal is held fixed where C is differentiated, so the gradient
 * is that of tau alone, without alpha. A joint without frames, or next to a half turn, or resting
 * there, has no tau and is left. */
static inline pber_joint pber_bend_displacement(const pber_joint *s,
                                                const real w[PBER_JOINT_POINTS], const real l[2],
                                                real3 rest, real3 alpha) {
    const real least = (real)1e-6;
    pber_frame D, E;
    pber_joint delta = {0};
    if (!pber_joint_frames(s, l, &D, &E) || !(pber_denominator(&D, &E) >= least) ||
        !(4 * (1 - dot3(rest, rest)) >= least))
        return delta;
    const pber_jacobian J = pber_darboux_jacobian(s, &D, &E);
    pber_solve(&J, w, pber_bend_constraint(&D, &E, rest, alpha), &delta);
    return delta;
}

/* ---------------------------------------------------------------- one edge and its ghost point */

/* An edge's points, or something of each of them: gradients, displacements. */
typedef struct {
    real3 a, b, g;
} pber_edge;

typedef struct {
    real a, b, g;
} pber_edge_weights;

static inline real3 pber_midpoint(const pber_edge *s) {
    return scale3((real)0.5, add3(s->a, s->b));
}

/* USS14 eq. 17 for one component, with the sign that the paper lost: muller2007 eqs. 8 and 9 */
static inline pber_edge pber_edge_displacement(real C, const pber_edge *gradient,
                                               const pber_edge_weights *w) {
    const real D = w->a * dot3(gradient->a, gradient->a) + w->b * dot3(gradient->b, gradient->b) +
                   w->g * dot3(gradient->g, gradient->g);
    if (!(D > 0))
        return (pber_edge){0};
    return (pber_edge){scale3(-w->a * C / D, gradient->a), scale3(-w->b * C / D, gradient->b),
                       scale3(-w->g * C / D, gradient->g)};
}

/* USS14 eq. 18: the edge has its rest length. */
static inline real pber_length_constraint(const pber_edge *s, real rest_length) {
    return norm3(sub3(s->a, s->b)) - rest_length;
}

/* All zero, and so is the displacement, for an edge without length: it has no direction. */
static inline pber_edge pber_length_gradient(const pber_edge *s) {
    const real3 edge = sub3(s->b, s->a);
    const real length = norm3(edge);
    if (!(length > 0))
        return (pber_edge){0};
    return (pber_edge){.a = scale3(-1 / length, edge), .b = scale3(1 / length, edge)};
}

/* USS14 eq. 19: the ghost point is on the perpendicular bisector of the edge. */
static inline real pber_bisector_constraint(const pber_edge *s) {
    return dot3(sub3(s->g, pber_midpoint(s)), sub3(s->b, s->a));
}

/* By a it is -(b - a) / 2 - (g - m), which is a - g, and so for b. */
static inline pber_edge pber_bisector_gradient(const pber_edge *s) {
    return (pber_edge){.a = sub3(s->a, s->g), .b = sub3(s->g, s->b), .g = sub3(s->b, s->a)};
}

/* USS14 eq. 20: the ghost point is at its distance from the midpoint. */
static inline real pber_ghost_constraint(const pber_edge *s, real ghost_length) {
    return norm3(sub3(pber_midpoint(s), s->g)) - ghost_length;
}

/* All zero for a ghost point at the midpoint: which way it should go is unknown. */
static inline pber_edge pber_ghost_gradient(const pber_edge *s) {
    const real3 offset = sub3(s->g, pber_midpoint(s));
    const real distance = norm3(offset);
    if (!(distance > 0))
        return (pber_edge){0};
    const real3 n = scale3(1 / distance, offset);
    return (pber_edge){.a = scale3((real)-0.5, n), .b = scale3((real)-0.5, n), .g = n};
}

/* ---------------------------------------------------------------- a frame of a rod */

/* One rod of N elements: N + 1 particles, N ghost points, N - 1 joints. */
typedef struct {
    size_t elements;
    real3 *x, *v, *p;   /* particles: position, velocity, prediction */
    real3 *g, *gv, *gp; /* ghost point of each element, the same */
    real *fall;         /* of each element: share of gravity that its midpoint followed in the last
                           frame (section 6), 1 at first */
    const real *w, *wg; /* inverse masses of particles and ghost points, 0 pins */
    const real *l;      /* rest length of each element */
    real ghost_length;  /* L^g, one for the rod */
    const real3 *rest;  /* rest Darboux vector Im(conj(q) u) of each joint: sin(theta / 2) n */
    const real3 *force; /* on each particle, or NULL */
    real stretch_stiffness; /* of eq. 18; eqs. 19 and 20 always are of stiffness 1 */
    real3 bend_stiffness;   /* alpha_1 to alpha_3 of eq. 21 */
} pber_rod;

static inline real3 pber_gravity(const rod_frame *f) {
    return (real3){f->gravity[0], f->gravity[1], f->gravity[2]};
}

/* USS14 section 6: a ghost point is off the axis, so its weight would turn the element. It falls as
 * its midpoint did in the last frame, and what that leaves of its weight (1 - fall) g / wg hangs on
 * the two ends of the edge, a half on each. In units of g: what the ghost points of the elements
 * before and after particle i add to the gravity of that particle. */
static inline real pber_borrowed_gravity(const pber_rod *r, size_t i) {
    real mass = 0;
    if (i > 0 && r->wg[i - 1] > 0)
        mass += (1 - r->fall[i - 1]) / (2 * r->wg[i - 1]);
    if (i < r->elements && r->wg[i] > 0)
        mass += (1 - r->fall[i]) / (2 * r->wg[i]);
    return r->w[i] * mass;
}

/* Velocities stay those of the last frame: pber_update compares with them. */
static inline void pber_predict_particles(pber_rod *r, const rod_frame *f) {
    for (size_t i = 0; i <= r->elements; i++) {
        if (r->w[i] > 0) {
            real3 a = scale3(1 + pber_borrowed_gravity(r, i), pber_gravity(f));
            if (r->force)
                a = add3(a, scale3(r->w[i], r->force[i]));
            const real3 v = add3(r->v[i], scale3(f->dt, a));
            r->p[i] = add3(r->x[i], scale3(f->dt, v));
        } else {
            r->p[i] = r->x[i];
        }
    }
}

static inline void pber_predict_ghosts(pber_rod *r, const rod_frame *f) {
    for (size_t e = 0; e < r->elements; e++) {
        if (r->wg[e] > 0) {
            const real3 a = scale3(r->fall[e], pber_gravity(f));
            const real3 v = add3(r->gv[e], scale3(f->dt, a));
            r->gp[e] = add3(r->g[e], scale3(f->dt, v));
        } else {
            r->gp[e] = r->g[e];
        }
    }
}

static inline pber_edge pber_edge_at(const pber_rod *r, size_t e) {
    return (pber_edge){r->p[e], r->p[e + 1], r->gp[e]};
}

static inline void pber_move_edge(pber_rod *r, size_t e, real C, const pber_edge *gradient) {
    const pber_edge_weights w = {r->w[e], r->w[e + 1], r->wg[e]};
    const pber_edge d = pber_edge_displacement(C, gradient, &w);
    r->p[e] = add3(r->p[e], d.a);
    r->p[e + 1] = add3(r->p[e + 1], d.b);
    r->gp[e] = add3(r->gp[e], d.g);
}

/* USS14 eqs. 18, 19 and 20, each from where the one before has left the points. */
static inline void pber_project_edge(pber_rod *r, size_t e) {
    pber_edge s = pber_edge_at(r, e), gradient = pber_length_gradient(&s);
    pber_move_edge(r, e, r->stretch_stiffness * pber_length_constraint(&s, r->l[e]), &gradient);
    s = pber_edge_at(r, e);
    gradient = pber_bisector_gradient(&s);
    pber_move_edge(r, e, pber_bisector_constraint(&s), &gradient);
    s = pber_edge_at(r, e);
    gradient = pber_ghost_gradient(&s);
    pber_move_edge(r, e, pber_ghost_constraint(&s, r->ghost_length), &gradient);
}

/* USS14 eq. 21 for the joint of the elements j and j + 1 */
static inline void pber_project_joint(pber_rod *r, size_t j) {
    real3 *at[] = {&r->p[j], &r->p[j + 1], &r->p[j + 2], &r->gp[j], &r->gp[j + 1]};
    const real w[] = {r->w[j], r->w[j + 1], r->w[j + 2], r->wg[j], r->wg[j + 1]};
    pber_joint s;
    for (int k = 0; k < PBER_JOINT_POINTS; k++)
        s.p[k] = *at[k];
    const pber_joint d = pber_bend_displacement(&s, w, &r->l[j], r->rest[j], r->bend_stiffness);
    for (int k = 0; k < PBER_JOINT_POINTS; k++)
        *at[k] = add3(s.p[k], d.p[k]);
}

static inline void pber_project_constraints(pber_rod *r, const rod_frame *f) {
    const size_t elements = r->elements, joints = elements - 1;
    for (size_t iteration = 0; iteration < f->iterations; iteration++) {
        for (size_t k = 0; k < elements; k++)
            pber_project_edge(r, rod_order_index(ROD_METHOD_PBER, f->order, elements, k));
        for (size_t k = 0; k < joints; k++)
            pber_project_joint(r, rod_order_index(ROD_METHOD_PBER, f->order, joints, k));
    }
}

/* USS14 section 6: r = (a_m . g) / |g|^2 of the midpoint's acceleration, from its velocities before
 * and after this frame; those after are not damped yet, as damping is no resistance to gravity.
 * Ours is the clamp to [0, 1]: a blow, or a recoil from one, accelerates a midpoint by many g, and
 * the ghost point must not fall that much faster in the next frame, nor upwards. */
static inline real pber_fall_of(const pber_rod *r, const rod_frame *f, size_t e) {
    const real3 gravity = pber_gravity(f);
    const real square = dot3(gravity, gravity), dt = f->dt;
    if (!(square > 0))
        return 1;
    const real3 before = scale3((real)0.5, add3(r->v[e], r->v[e + 1]));
    const real3 path = add3(sub3(r->p[e], r->x[e]), sub3(r->p[e + 1], r->x[e + 1]));
    const real3 after = scale3(1 / (2 * dt), path);
    const real share = dot3(scale3(1 / dt, sub3(after, before)), gravity) / square;
    return share > 1 ? 1 : share > 0 ? share : 0;
}

static inline void pber_update_point(real3 *x, real3 *v, real3 p, real w, real rate) {
    if (!(w > 0)) {
        *v = (real3){0};
        return;
    }
    *v = scale3(rate, sub3(p, *x));
    *x = p;
}

/* Velocities from the ways, and the damping of all of them by a fraction a frame. */
static inline void pber_update(pber_rod *r, const rod_frame *f) {
    const real rate = (1 - (real)f->damping) / (real)f->dt; /* f holds float32 */
    for (size_t e = 0; e < r->elements; e++)
        r->fall[e] = pber_fall_of(r, f, e);
    for (size_t i = 0; i <= r->elements; i++)
        pber_update_point(&r->x[i], &r->v[i], r->p[i], r->w[i], rate);
    for (size_t e = 0; e < r->elements; e++)
        pber_update_point(&r->g[e], &r->gv[e], r->gp[e], r->wg[e], rate);
}

static inline void pber_step(pber_rod *r, const rod_frame *f) {
    pber_predict_particles(r, f);
    pber_predict_ghosts(r, f);
    pber_project_constraints(r, f);
    pber_update(r, f);
}

#endif
