/* Vectors and quaternions in double, for what is done once and not in every frame. */
#ifndef ROD_ALGEBRA_H
#define ROD_ALGEBRA_H

#include <math.h>

typedef struct {
    double x, y, z;
} vec3;

typedef struct {
    double w, x, y, z;
} quat;

static inline vec3 vec3_of(const float *v) {
    return (vec3){v[0], v[1], v[2]};
}

static inline vec3 sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 add_scaled(vec3 a, double s, vec3 b) {
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vec3 unit(vec3 a) {
    return add_scaled((vec3){0}, 1.0 / sqrt(dot(a, a)), a);
}

static inline quat unit_quat(quat q) {
    const double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

static inline quat mul(quat a, quat b) {
    const vec3 u = {a.x, a.y, a.z}, v = {b.x, b.y, b.z};
    const vec3 im = add_scaled(add_scaled(cross(u, v), a.w, v), b.w, u);
    return (quat){a.w * b.w - dot(u, v), im.x, im.y, im.z};
}

/* Any unit vector at right angles to a. */
static inline vec3 orthogonal(vec3 a) {
    const vec3 other = fabs(a.x) < 0.5 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    return unit(cross(a, other));
}

/* The vector turned by a unit quaternion. */
static inline vec3 turned(quat q, vec3 v) {
    const quat r = mul(mul(q, (quat){0, v.x, v.y, v.z}), (quat){q.w, -q.x, -q.y, -q.z});
    return (vec3){r.x, r.y, r.z};
}

#endif
