/* A small seeded random generator for scenes and tests: the same seed gives the same numbers. */
#ifndef ROD_RANDOM_H
#define ROD_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct {
    uint64_t state;
} rod_random;

static inline rod_random rod_random_seed(uint64_t seed) {
    return (rod_random){seed};
}

/* splitmix64 (Steele, Lea, Flood 2014): any seed will do, 0 too, and near seeds are unrelated. */
static inline uint64_t rod_random_u64(rod_random *r) {
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in [0, 1): the upper 53 bits, which a double holds exactly. */
static inline double rod_random_unit(rod_random *r) {
    return (double)(rod_random_u64(r) >> 11) * 0x1p-53;
}

/* Uniform from lo to hi. */
static inline double rod_random_between(rod_random *r, double lo, double hi) {
    return lo + (hi - lo) * rod_random_unit(r);
}

static inline double rod_random_angle(rod_random *r) {
    return 6.283185307179586 * rod_random_unit(r);
}

/* Mean 0, variance 1 (Box and Muller). */
static inline double rod_random_normal(rod_random *r) {
    const double radius = sqrt(-2 * log(1 - rod_random_unit(r))); /* 1 - unit is never 0 */
    return radius * cos(rod_random_angle(r));
}

/* A unit quaternion, all orientations equally likely (Shoemake 1992); which of the four numbers is
 * the scalar part does not matter. */
static inline void rod_random_quaternion(rod_random *r, double out[4]) {
    const double share = rod_random_unit(r);
    const double a = rod_random_angle(r), b = rod_random_angle(r);
    out[0] = sqrt(share) * cos(a);
    out[1] = sqrt(share) * sin(a);
    out[2] = sqrt(1 - share) * cos(b);
    out[3] = sqrt(1 - share) * sin(b);
}

#endif
