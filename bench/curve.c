#include "curve.h"

#include <math.h>

typedef struct {
    double x, y, z;
} vec;

static vec point(const float *p, size_t i) {
    return (vec){p[3 * i], p[3 * i + 1], p[3 * i + 2]};
}

static vec sub(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The unit normal of two directions, or 0 for parallel ones. */
static vec normal(vec a, vec b) {
    const vec n = cross(a, b);
    const double length = sqrt(dot(n, n));
    return length > 0.0 ? (vec){n.x / length, n.y / length, n.z / length} : (vec){0};
}

static double arc_sine(double x) {
    return asin(fmin(fmax(x, -1.0), 1.0));
}

/* Gauss's integral over two segments: the solid angle of the directions in which they are seen to
 * cross, signed, over 4 pi (Klenin & Langowski 2000, method 1a). */
static double pair_writhe(vec p1, vec p2, vec p3, vec p4) {
    const vec r13 = sub(p3, p1), r14 = sub(p4, p1), r23 = sub(p3, p2), r24 = sub(p4, p2);
    const vec a = normal(r13, r14), b = normal(r14, r24), c = normal(r24, r23),
              d = normal(r23, r13);
    const double area =
        arc_sine(dot(a, b)) + arc_sine(dot(b, c)) + arc_sine(dot(c, d)) + arc_sine(dot(d, a));
    const double side = dot(cross(sub(p4, p3), sub(p2, p1)), r13);
    return side > 0.0 ? area : side < 0.0 ? -area : 0.0;
}

double curve_writhe(const float *points, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i + 3 < count; i++)
        for (size_t j = i + 2; j + 1 < count; j++)
            sum += pair_writhe(point(points, i), point(points, i + 1), point(points, j),
                               point(points, j + 1));
    return 2.0 * sum / (4.0 * 3.14159265358979323846);
}
