/* The algebra that the textbook methods of this folder are written in.
 *
 * Everything is in `real`, a double unless ROD_REAL says float: the references that kernels are
 * checked against and the float32 textbook that the benchmark divides by are one text.
 */
#ifndef ROD_REFERENCE_ALGEBRA_H
#define ROD_REFERENCE_ALGEBRA_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#ifndef ROD_REAL
#define ROD_REAL double
#endif

typedef ROD_REAL real;

typedef struct {
    real x, y, z;
} real3;

/* Scalar part first, as in the paper: q = (q0; q1 q2 q3). */
typedef struct {
    real w, x, y, z;
} realq;

/* ---------------------------------------------------------------- vectors and quaternions */

static inline real real_sqrt(real a) {
    return _Generic(a, float : sqrtf, double : sqrt)(a);
}

static inline real real_acos(real a) {
    return _Generic(a, float : acosf, double : acos)(a);
}

/* What 1 is rounded by. */
static inline real real_epsilon(void) {
    return _Generic((real)0, float : FLT_EPSILON, double : DBL_EPSILON);
}

static inline real3 add3(real3 a, real3 b) {
    return (real3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline real3 sub3(real3 a, real3 b) {
    return (real3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline real3 scale3(real s, real3 a) {
    return (real3){s * a.x, s * a.y, s * a.z};
}

/* Component by component. */
static inline real3 mul3(real3 a, real3 b) {
    return (real3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline real dot3(real3 a, real3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline real3 cross3(real3 a, real3 b) {
    return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline real norm3(real3 a) {
    return real_sqrt(dot3(a, a));
}

/* A vector as a quaternion with scalar part 0. */
static inline realq pure(real3 v) {
    return (realq){0, v.x, v.y, v.z};
}

static inline real3 imaginary(realq q) {
    return (real3){q.x, q.y, q.z};
}

static inline realq conjugate(realq q) {
    return (realq){q.w, -q.x, -q.y, -q.z};
}

static inline realq addq(realq a, realq b) {
    return (realq){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline realq scaleq(real s, realq a) {
    return (realq){s * a.w, s * a.x, s * a.y, s * a.z};
}

static inline real dotq(realq a, realq b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Kugelstadt & Schoemer 2016 ("KS16") eq. 1 */
static inline realq mulq(realq p, realq q) {
    const real3 a = imaginary(p), b = imaginary(q);
    const real3 im = add3(add3(scale3(p.w, b), scale3(q.w, a)), cross3(a, b));
    return (realq){p.w * q.w - dot3(a, b), im.x, im.y, im.z};
}

static inline realq normaliseq(realq q) {
    return scaleq(1 / real_sqrt(dotq(q, q)), q);
}

/* KS16 eq. 5: the vector turned by q. */
static inline real3 rotate3(realq q, real3 v) {
    return imaginary(mulq(mulq(q, pure(v)), conjugate(q)));
}

/* ---------------------------------------------------------------- matrices */

typedef struct {
    real3 row[3];
} real33;

static inline real33 diagonal33(real s) {
    return (real33){{{s, 0, 0}, {0, s, 0}, {0, 0, s}}};
}

/* [a], the matrix of the cross product: [a] b = a x b. */
static inline real33 skew33(real3 a) {
    return (real33){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}

/* a b^T */
static inline real33 outer33(real3 a, real3 b) {
    return (real33){{scale3(a.x, b), scale3(a.y, b), scale3(a.z, b)}};
}

static inline real33 add33(real33 a, real33 b) {
    for (int i = 0; i < 3; i++)
        a.row[i] = add3(a.row[i], b.row[i]);
    return a;
}

static inline real33 sub33(real33 a, real33 b) {
    for (int i = 0; i < 3; i++)
        a.row[i] = sub3(a.row[i], b.row[i]);
    return a;
}

static inline real33 scale33(real s, real33 a) {
    for (int i = 0; i < 3; i++)
        a.row[i] = scale3(s, a.row[i]);
    return a;
}

/* A v */
static inline real3 apply33(real33 a, real3 v) {
    return (real3){dot3(a.row[0], v), dot3(a.row[1], v), dot3(a.row[2], v)};
}

/* A^T v */
static inline real3 apply_transposed33(real33 a, real3 v) {
    return add3(add3(scale3(v.x, a.row[0]), scale3(v.y, a.row[1])), scale3(v.z, a.row[2]));
}

/* A B */
static inline real33 mul33(real33 a, real33 b) {
    for (int i = 0; i < 3; i++)
        a.row[i] = apply_transposed33(b, a.row[i]);
    return a;
}

/* A A^T */
static inline real33 square33(real33 a) {
    return (real33){{apply33(a, a.row[0]), apply33(a, a.row[1]), apply33(a, a.row[2])}};
}

/* x of A x = b for a symmetric A that is positive definite, by A = L D L^T.
 *
 * False if it is not. A pivot is the part of its row that the rows before do not explain, and the
 * product of these parts of the diagonal, det A / (A11 A22 A33), must be more than `tolerance`:
 * that is so or not in whichever units A is, and each of its rows. The product, as rounding leaves
 * a last pivot that should be 0 the larger the smaller the one before is. Not Cramer's rule: a
 * determinant loses twice the digits. */
static inline bool solve33(real33 A, real3 b, real tolerance, real3 *x) {
    const real3 r1 = A.row[0], r2 = A.row[1], r3 = A.row[2];
    const real d1 = r1.x;
    if (!(d1 > 0))
        return false;
    const real l21 = r2.x / d1, l31 = r3.x / d1;
    const real d2 = r2.y - l21 * r2.x;
    if (!(d2 > 0))
        return false;
    const real below = r3.y - l31 * r2.x, l32 = below / d2;
    const real d3 = r3.z - l31 * r3.x - l32 * below;
    if (!(d3 > 0 && (d2 / r2.y) * (d3 / r3.z) > tolerance))
        return false;
    const real y2 = b.y - l21 * b.x, y3 = b.z - l31 * b.x - l32 * y2;
    x->z = y3 / d3;
    x->y = y2 / d2 - l32 * x->z;
    x->x = b.x / d1 - l21 * x->y - l31 * x->z;
    return true;
}

#endif
