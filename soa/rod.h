/* librod: elastic rods, many at a time.
 *
 * A batch holds rods, all simulated by one method. A rod of N elements is a chain of N + 1
 * particles (0 .. N) with an orientation on each of its N elements (0 .. N - 1) and a joint between
 * neighbouring elements (0 .. N - 2). The third axis of an orientation, d3, points along its
 * element; the first two span the cross-section. Strands (ROD_METHOD_PBD) have no orientations.
 *
 *     particle   0       1       2       3
 *                o-------o-------o-------o        N = 3
 *     element        0       1       2
 *     joint              0       1
 *
 * A client creates a batch, gives each rod its shape, pins what is held, and steps:
 *
 *     rod_batch *batch;
 *     if (rod_create(&batch, 1, 50, NULL) != ROD_OK) ...
 *     rod_shape_straight(batch, 0, (float[]){0, 0, 0}, (float[]){1, 0, 0}, 1.0f);
 *     rod_clamp(batch, 0, ROD_START);
 *     rod_step_settings settings = rod_step_defaults();
 *     rod_step(batch, &settings);
 *     rod_get(batch, ROD_POSITIONS, 0, 1, positions);
 *     rod_destroy(batch);
 *
 * Every function that can fail returns a rod_status; a call that fails changes nothing. Nothing
 * here aborts or prints (but for ROD_EXPLAIN, see rod_variant_name), and stepping allocates nothing
 * (the first step on several threads starts them, for which OpenMP may). One batch is used by one
 * thread at a time; different batches are independent. Numbers are float32, in units of the
 * caller's choice.
 */
#ifndef ROD_H
#define ROD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What follows is all that the shared library shows. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

#define ROD_VERSION "0.1.0"

typedef struct rod_batch rod_batch;

typedef enum {
    ROD_OK = 0,
    ROD_E_NULL,        /* a pointer that must not be NULL is NULL */
    ROD_E_NO_RODS,     /* a batch of no rods */
    ROD_E_NO_ELEMENTS, /* a rod of no elements */
    ROD_E_TOO_LARGE,   /* the batch does not fit the address space */
    ROD_E_MEMORY,      /* the system has not enough memory */
    ROD_E_INDEX,       /* no such rod, particle, element or joint */
    ROD_E_NOT_FINITE,  /* a number that is NaN or infinite */
    ROD_E_MASS,        /* an inverse mass or weight outside 0 .. 1e18 */
    ROD_E_INERTIA,     /* an inertia that is not positive */
    ROD_E_LENGTH,      /* an element whose length is outside 1e-18 .. 1e18 */
    ROD_E_DIRECTION,   /* a direction or orientation of length zero */
    ROD_E_DARBOUX,     /* a rest Darboux vector longer than 1 (PBER: of a half turn) */
    ROD_E_ANGLE,       /* a rest angle outside 0 .. pi */
    ROD_E_STIFFNESS,   /* a stiffness outside 0 .. 1 */
    ROD_E_QUANTITY,    /* not a rod_quantity */
    ROD_E_ABSENT,      /* a quantity or setting that the method of the batch does not have */
    ROD_E_METHOD,      /* not a rod_method */
    ROD_E_ORDER,       /* not a rod_order */
    ROD_E_ITERATIONS,  /* no solver iterations */
    ROD_E_TIME_STEP,   /* a time step that is not positive */
    ROD_E_DAMPING,     /* a damping outside 0 .. 1 */
    ROD_E_THREADS,     /* no threads, or more than ROD_MAX_THREADS */
    ROD_E_ACCURACY,    /* not a rod_accuracy */
    ROD_E_VARIANT,     /* no kernel variant of that name for the method (or in ROD_KERNEL) */
    ROD_E_UNUSABLE     /* a kernel variant that this build or CPU cannot run */
} rod_status;

/* One line of English for a status; never NULL. */
const char *rod_status_text(rod_status status);

/* ---------------------------------------------------------------- creating a batch */

typedef enum {
    /* Position and orientation based Cosserat rods (Kugelstadt & Schoemer 2016). */
    ROD_METHOD_QUATERNION = 0,
    /* Position-based elastic rods (Umetani et al. 2014): a ghost point beside each element, on its
     * perpendicular bisector, stands for its orientation. */
    ROD_METHOD_PBER,
    /* Position-based strands (Mueller et al. 2007): particles with distances and angles, no twist.
     * At full stiffness, elements that are folded back on each other may fly apart. */
    ROD_METHOD_PBD
} rod_method;

/* In which order a solver iteration visits the elements, then the joints, of a rod. */
typedef enum {
    ROD_ORDER_SEQUENTIAL = 0, /* 0 1 2 3 4 5 */
    ROD_ORDER_BILATERAL,      /* 0 5 1 4 2 3 */
    ROD_ORDER_CROSS,          /* 0 5 2 3 4 1 */
    /* Colour by colour, a colour being constraints that share nothing: 0 2 4 1 3 5 in quaternion
     * rods, 0 3 1 4 2 5 in PBER and strands, whose joints reach over three particles. */
    ROD_ORDER_REDBLACK,
    /* The method's own: cross for PBER, whose undamped rods gain energy in the other three;
     * bilateral for quaternion rods and strands. */
    ROD_ORDER_DEFAULT
} rod_order;

/* What a kernel variant that is chosen for a batch may be. */
typedef enum {
    /* Particles within 1e-4 of a rod's length of a double-precision simulation after 100 frames. */
    ROD_ACCURACY_FULL = 0,
    /* Reciprocal roots may be the CPU's bare estimates: within 3e-3. */
    ROD_ACCURACY_BARE,
    /* Exact roots, one layout: the same bits on every CPU with fused multiply-adds (AVX2, AVX-512,
     * NEON on ARM), tuned or not, for rods that are pinned and weighted alike. */
    ROD_ACCURACY_EXACT
} rod_accuracy;

enum { ROD_MAX_THREADS = 1024 };

typedef struct {
    rod_method method;
    /* Name of the kernel variant to use (`rodbench list` shows them), or NULL to let the library
     * choose by the three that follow and by the batch's size. A name wins over the environment
     * variable ROD_KERNEL, which forces a variant on all other batches of its method: one name, or
     * several, for instance `ROD_KERNEL=quaternion-avx2-u1-exact,pbd=pbd-avx2-u1-exact`. */
    const char *variant;
    rod_accuracy accuracy;
    /* The order that steps will mostly use. A hint: any variant runs any order. */
    rod_order order;
    /* Threads that rod_step uses, at least 1. The result does not depend on it. */
    size_t threads;
} rod_options;

/* Quaternion rods, in their own order at full accuracy, one thread. */
rod_options rod_options_default(void);

/* A batch of `rods` rods of `elements` elements each. `options` may be NULL for the defaults.
 * Each rod starts as a straight one along z with elements of length 1, moving freely, at full
 * stiffness. On failure *batch is set to NULL. */
rod_status rod_create(rod_batch **batch, size_t rods, size_t elements, const rod_options *options);

/* The same for rods of different lengths: elements[i] elements for rod i. */
rod_status rod_create_mixed(rod_batch **batch, size_t rods, const size_t *elements,
                            const rod_options *options);

/* NULL is allowed. */
void rod_destroy(rod_batch *batch);

size_t rod_count(const rod_batch *batch);

/* Elements of one rod; 0 when there is no such rod. */
size_t rod_elements(const rod_batch *batch, size_t rod);

rod_method rod_method_of(const rod_batch *batch);

/* The name of the kernel variant in use, and why it is in use. With ROD_EXPLAIN=1 in the
 * environment, creating a batch also says both on standard error. */
const char *rod_variant_name(const rod_batch *batch);
const char *rod_variant_reason(const rod_batch *batch);

/* Bytes that the batch holds for the state of its rods, padding included. */
size_t rod_resident_bytes(const rod_batch *batch);

/* ---------------------------------------------------------------- shapes
 *
 * A shape sets where a rod is and also what it wants to be: positions, orientations, rest lengths
 * and rest Darboux vectors; velocities become 0. The orientations follow the curve by parallel
 * transport, so that neighbours differ as little as the curve allows (no twist). Pins, weights and
 * stiffness stay as they were. To put a rod into another pose than its rest shape, give it its
 * shape first and then rod_set its positions and orientations. */

/* From `start` along `direction` (of any length but 0). */
rod_status rod_shape_straight(rod_batch *batch, size_t rod, const float start[3],
                              const float direction[3], float length);

/* Through 3 * (N + 1) coordinates, x y z of particle 0, then of particle 1, ... */
rod_status rod_shape_polyline(rod_batch *batch, size_t rod, const float *points);

typedef struct {
    float start[3];  /* particle 0, on the helix */
    float axis[3];   /* direction in which the helix advances, of any length but 0 */
    float inward[3]; /* from particle 0 towards the axis; the part along `axis` is ignored */
    float radius;    /* >= 0 */
    float pitch;     /* advance in one turn; negative: left-handed */
    float turns;     /* > 0 */
} rod_helix;

rod_status rod_shape_helix(rod_batch *batch, size_t rod, const rod_helix *helix);

/* ---------------------------------------------------------------- holding and moving
 *
 * What has weight 0 is pinned: the solver does not move it and its velocity is 0. To drive an end
 * from outside, pin it and move it before each step. */

typedef enum { ROD_START = 0, ROD_END = 1 } rod_end;

/* Pins the first (last) two particles and the orientation between them, where there is one. */
rod_status rod_clamp(rod_batch *batch, size_t rod, rod_end end);

/* One particle's inverse mass: 0 pins, 1 is the default. */
rod_status rod_set_inverse_mass(rod_batch *batch, size_t rod, size_t particle, float inverse_mass);

/* One orientation's weight: 0 pins, 1 is the default. */
rod_status rod_set_orientation_weight(rod_batch *batch, size_t rod, size_t element, float weight);

/* Puts one particle somewhere, at velocity 0. A ghost point beside it stays where it is: turn the
 * orientation afterwards. */
rod_status rod_move_particle(rod_batch *batch, size_t rod, size_t particle,
                             const float position[3]);

/* Turns one orientation (w x y z, made a unit quaternion), at angular velocity 0. */
rod_status rod_move_orientation(rod_batch *batch, size_t rod, size_t element,
                                const float orientation[4]);

/* How firmly each strain is taken back in a projection, 0 (not at all) to 1 (fully, the default).
 * The first two of each group act along the first two axes of the cross-section. PBER has no shear;
 * strands have `stretch` and, for any bending, `bend_x`: what a method lacks is kept and ignored.
 */
typedef struct {
    float shear_x, shear_y, stretch;
    float bend_x, bend_y, twist;
} rod_stiffness;

rod_status rod_set_stiffness(rod_batch *batch, size_t rod, const rod_stiffness *stiffness);
rod_status rod_get_stiffness(const rod_batch *batch, size_t rod, rod_stiffness *stiffness);

/* ---------------------------------------------------------------- plain arrays in and out
 *
 * A quantity of `count` rods from `first` on is a plain array: the rods one after the other, the
 * entries of each in the order of their index, the components of an entry side by side. */

typedef enum {
    ROD_POSITIONS,          /* 3 per particle */
    ROD_VELOCITIES,         /* 3 per particle */
    ROD_INVERSE_MASSES,     /* 1 per particle, 0 pins */
    ROD_FORCES,             /* 3 per particle, acting until set again; default 0 */
    ROD_ORIENTATIONS,       /* 4 per element: w x y z; q and -q are the same, either may come out */
    ROD_ANGULAR_VELOCITIES, /* 3 per element, in its own axes */
    ROD_ORIENTATION_WEIGHTS, /* 1 per element, 0 pins */
    ROD_TORQUES,             /* 3 per element, in its own axes, until set again; default 0 */
    ROD_INERTIAS,            /* 3 per element, the diagonal in its own axes; default 1 */
    ROD_REST_LENGTHS,        /* 1 per element */
    ROD_REST_DARBOUX,        /* 3 per joint: Im(conj(q) u) of its two orientations at rest */
    ROD_GHOSTS,              /* PBER, 3 per element: position of its ghost point */
    ROD_GHOST_VELOCITIES,    /* PBER, 3 per element */
    ROD_REST_ANGLES,         /* strands, 1 per joint: angle of its two elements at rest, 0 .. pi */
    ROD_STRETCH_STIFFNESSES, /* strands, 1 per element: multiplies the rod's own; default 1 */
    ROD_BEND_STIFFNESSES     /* strands, 1 per joint: multiplies the rod's own; default 1 */
} rod_quantity;

/* Which method has which: positions, velocities, inverse masses, forces and rest lengths are of all
 * methods. Orientations, their weights and rest Darboux vectors are of quaternion rods and PBER,
 * where an orientation is read from its ghost point and sets it, and its weight is the inverse
 * mass of the ghost point. Angular velocities, torques and inertias are of quaternion rods only. */

/* How many floats a quantity of these rods has; 0 when there are no such rods. */
size_t rod_floats(const rod_batch *batch, rod_quantity quantity, size_t first, size_t count);

rod_status rod_get(const rod_batch *batch, rod_quantity quantity, size_t first, size_t count,
                   float *values);

/* Checks all values before it sets any. The first use of forces, torques, inertias or of rest
 * lengths that differ within a rod allocates their storage. */
rod_status rod_set(rod_batch *batch, rod_quantity quantity, size_t first, size_t count,
                   const float *values);

/* ---------------------------------------------------------------- stepping */

/* What ROD_ORDER_DEFAULT stands for. */
rod_order rod_default_order(rod_method method);

typedef struct {
    size_t frames;     /* how many time steps; 0 does nothing */
    size_t iterations; /* solver iterations in each, at least 1 */
    rod_order order;
    float dt;         /* time step */
    float gravity[3]; /* acceleration of all that is not pinned */
    float damping;    /* fraction of every velocity that is lost in a frame, 0 .. 1 */
    /* Strands: fraction of every velocity's deviation from the rod's rigid motion that is lost in a
     * frame, 0 .. 1. */
    float rigid_damping;
    /* Not 0: a stiffness k is what a whole frame takes back, whatever the iterations: each of n
     * iterations then applies 1 - (1 - k)^(1/n). */
    int stiffness_per_frame;
} rod_step_settings;

/* The settings of the papers: one frame of 10 ms, 10 iterations, the method's order; gravity 9.81
 * along -y, no damping. */
rod_step_settings rod_step_defaults(void);

/* The same batch, variant and settings give the same bits on every run and on any number of
 * threads. What else is in a batch changes a rod by rounding at most. */
rod_status rod_step(rod_batch *batch, const rod_step_settings *settings);

/* ---------------------------------------------------------------- figures */

typedef struct {
    float stretch_max,
        stretch_rms;          /* |(p2 - p1)/l - d3| over the elements: stretch and shear of
                               * quaternion rods, stretch of the others, which have no shear */
    float bend_max, bend_rms; /* |Im(conj(q) u) - rest|, of strands |angle - rest|, over the
                               * joints */
    float length_ratio;       /* length of the centre line / its rest length */
} rod_strain;

rod_status rod_get_strain(const rod_batch *batch, size_t rod, rod_strain *strain);

/* What a caller should watch when a simulation is driven hard. */
typedef struct {
    /* Joints between moving orientations whose nearer rest pose (of the two that q and -q allow)
     * changed at the start of a frame, counted since the batch was created. */
    uint64_t sign_flips;
    /* Joints that are now turned by more than 170 degrees. */
    size_t folded_joints;
    /* Rods with a position or orientation that is no longer finite. */
    size_t broken_rods;
    /* Rods with an element that is now more than twice as long as at rest: driven harder than the
     * iterations can follow, or strands that fly apart. */
    size_t stretched_rods;
    /* Rods whose stretch_rms (rod_get_strain) is now above 0.05, or not finite: not at rest as to
     * stretch, and shear where the method has it. */
    size_t strained_rods;
} rod_figures;

rod_status rod_get_figures(const rod_batch *batch, rod_figures *figures);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
