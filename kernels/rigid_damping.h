/* Damping that leaves the rigid motion of a rod alone (Mueller et al. 2007, section 3.5), over the
 * particles that are not pinned. */
#ifndef ROD_RIGID_DAMPING_H
#define ROD_RIGID_DAMPING_H

#include "body.h"

/* Sums over the particles of each lane's rod. */
typedef struct {
    vf mass;
    vf3 momentum, moment; /* of the masses, of their positions */
} linear_sums;

/* How a rod moves as one; positions are seen from a particle of its own that is not pinned. Seen
 * from afar, rounding would turn a rod of which only one particle moves. */
typedef struct {
    vf3 origin, centre, velocity, omega;
} rigid_motion;

typedef struct {
    vf3 momentum;              /* angular, L */
    vf xx, yy, zz, xy, xz, yz; /* sums of m r r^T */
} angular_sums;

typedef struct {
    vf mass;
    vf3 x, v;
} particle;

ROD_INLINE particle particle_at(const work *s, size_t i, int stream, vf3 origin) {
    const rod_block *b = s->block;
    const size_t offset = (size_t)stream * VF_LANES;
    return (particle){
        quotient(vf_set1(1.0f), vf_load(b->w + i * s->lanes + offset)),
        vf3_sub(vf3_load(b->x + 3 * i * s->lanes + offset, s->lanes), origin),
        vf3_load(b->v + 3 * i * s->lanes + offset, s->lanes),
    };
}

/* The last particle that is not pinned. */
ROD_INLINE vf3 find_origin(const work *s, size_t rows, int stream) {
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    vf3 origin = zero;
    for (size_t i = 0; i < rows; i++) {
        const particle p = particle_at(s, i, stream, zero);
        origin = vf3_select_positive(p.mass, p.x, origin);
    }
    return origin;
}

/* Lines 1 and 2 */
ROD_INLINE linear_sums sum_linear(const work *s, size_t rows, int stream, vf3 origin) {
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    linear_sums sum = {vf_zero(), zero, zero};
    for (size_t i = 0; i < rows; i++) {
        const particle p = particle_at(s, i, stream, origin);
        sum.mass = vf_add(sum.mass, p.mass);
        sum.moment = vf3_fma(p.mass, p.x, sum.moment);
        sum.momentum = vf3_fma(p.mass, p.v, sum.momentum);
    }
    return sum;
}

/* Lines 3 and 4 */
ROD_INLINE angular_sums sum_angular(const work *s, size_t rows, int stream, const rigid_motion *m) {
    const vf o = vf_zero();
    angular_sums sum = {{o, o, o}, o, o, o, o, o, o};
    for (size_t i = 0; i < rows; i++) {
        const particle p = particle_at(s, i, stream, m->origin);
        const vf3 r = vf3_sub(p.x, m->centre), mr = vf3_scale(p.mass, r);
        sum.momentum = vf3_add(sum.momentum, vf3_cross(mr, p.v));
        sum.xx = vf_fma(mr.x, r.x, sum.xx);
        sum.yy = vf_fma(mr.y, r.y, sum.yy);
        sum.zz = vf_fma(mr.z, r.z, sum.zz);
        sum.xy = vf_fma(mr.x, r.y, sum.xy);
        sum.xz = vf_fma(mr.x, r.z, sum.xz);
        sum.yz = vf_fma(mr.y, r.z, sum.yz);
    }
    return sum;
}

/* Line 5 for one lane, in double: the tensor of particles in a line is singular, which a millionth
 * of its trace mends, and float32 determinants do not go so far. */
static void solve_spin(const double m[6], const double L[3], double omega[3]) {
    const double trace = 2.0 * (m[0] + m[1] + m[2]), mend = 1e-6 * trace;
    const double xx = m[1] + m[2] + mend, yy = m[0] + m[2] + mend, zz = m[0] + m[1] + mend;
    const double xy = -m[3], xz = -m[4], yz = -m[5];
    const double c[6] = {yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                         xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    const double det = xx * c[0] + xy * c[3] + xz * c[4];
    const double inverse = det > 0.0 ? 1.0 / det : 0.0;
    omega[0] = inverse * (c[0] * L[0] + c[3] * L[1] + c[4] * L[2]);
    omega[1] = inverse * (c[3] * L[0] + c[1] * L[1] + c[5] * L[2]);
    omega[2] = inverse * (c[4] * L[0] + c[5] * L[1] + c[2] * L[2]);
}

ROD_INLINE vf3 spin_of(const angular_sums *sum) {
    _Alignas(64) float in[9][VF_LANES], out[3][VF_LANES];
    const vf parts[9] = {sum->xx, sum->yy,         sum->zz,         sum->xy,        sum->xz,
                         sum->yz, sum->momentum.x, sum->momentum.y, sum->momentum.z};
    for (int i = 0; i < 9; i++)
        vf_store(in[i], parts[i]);
    for (int lane = 0; lane < VF_LANES; lane++) {
        double m[6], L[3], omega[3];
        for (int i = 0; i < 6; i++)
            m[i] = (double)in[i][lane];
        for (int i = 0; i < 3; i++)
            L[i] = (double)in[6 + i][lane];
        solve_spin(m, L, omega);
        for (int i = 0; i < 3; i++)
            out[i][lane] = (float)omega[i];
    }
    return (vf3){vf_load(out[0]), vf_load(out[1]), vf_load(out[2])};
}

/* ---------------------------------------------------------------- chunks of one rod */

ROD_INLINE vf total(vf a) {
    _Alignas(64) float lanes[VF_LANES];
    float sum = 0.0f;
    vf_store(lanes, a);
    for (int i = 0; i < VF_LANES; i++)
        sum += lanes[i];
    return vf_set1(sum);
}

ROD_INLINE vf3 vf3_total(vf3 a) {
    return (vf3){total(a.x), total(a.y), total(a.z)};
}

ROD_INLINE linear_sums linear_total(const linear_sums *s) {
    return (linear_sums){total(s->mass), vf3_total(s->momentum), vf3_total(s->moment)};
}

ROD_INLINE angular_sums angular_total(const angular_sums *s) {
    return (angular_sums){vf3_total(s->momentum), total(s->xx), total(s->yy), total(s->zz),
                          total(s->xy),           total(s->xz), total(s->yz)};
}

/* Of all lanes' origins that of the highest lane with a particle that is not pinned. */
ROD_INLINE vf3 common_origin(vf3 origin, vf mass) {
    _Alignas(64) float lanes[4][VF_LANES];
    int last = 0;
    vf_store(lanes[0], origin.x);
    vf_store(lanes[1], origin.y);
    vf_store(lanes[2], origin.z);
    vf_store(lanes[3], mass);
    for (int i = 0; i < VF_LANES; i++)
        last = lanes[3][i] > 0.0f ? i : last;
    return (vf3){vf_set1(lanes[0][last]), vf_set1(lanes[1][last]), vf_set1(lanes[2][last])};
}

/* ---------------------------------------------------------------- damping */

/* Lines 1 to 5 */
ROD_INLINE rigid_motion motion_of(const work *s, size_t rows, int stream, bool chunks) {
    rigid_motion m = {.origin = find_origin(s, rows, stream)};
    linear_sums linear = sum_linear(s, rows, stream, m.origin);
    if (chunks) {
        m.origin = common_origin(m.origin, linear.mass);
        linear = sum_linear(s, rows, stream, m.origin);
        linear = linear_total(&linear);
    }
    const vf inverse = quotient(vf_set1(1.0f), linear.mass);
    m.centre = vf3_scale(inverse, linear.moment);
    m.velocity = vf3_scale(inverse, linear.momentum);
    angular_sums angular = sum_angular(s, rows, stream, &m);
    if (chunks)
        angular = angular_total(&angular);
    m.omega = spin_of(&angular);
    return m;
}

/* Lines 6 to 9 for this many rows of particles. `chunks`: all lanes are one rod. */
ROD_INLINE void damp_deviations(const work *s, float damping, size_t rows, int stream,
                                bool chunks) {
    const rigid_motion m = motion_of(s, rows, stream, chunks);
    const vf3 zero = {vf_zero(), vf_zero(), vf_zero()};
    for (size_t i = 0; i < rows; i++) {
        const particle p = particle_at(s, i, stream, m.origin);
        const vf3 rigid = vf3_add(m.velocity, vf3_cross(m.omega, vf3_sub(p.x, m.centre)));
        const vf3 v = vf3_fma(vf_set1(damping), vf3_sub(rigid, p.v), p.v);
        vf3_store(s->block->v + 3 * i * s->lanes + (size_t)stream * VF_LANES, s->lanes,
                  vf3_select_positive(p.mass, v, zero));
    }
}

#endif
