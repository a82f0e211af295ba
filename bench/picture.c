#include "picture.h"

#include <stdlib.h>

typedef enum { PATCH, LINE, BALL } shape_kind;

typedef struct {
    shape_kind kind;
    double depth;                /* larger is nearer */
    double at[2 * PICTURE_LINE]; /* corners, points; of a ball its centre */
    double width;                /* of a line; radius of a ball */
    unsigned colour;             /* 0xrrggbb */
    size_t number;               /* in order of adding: qsort may swap equals */
} shape;

struct picture {
    shape *shapes;
    size_t count, room;
    bool failed;
};

picture *picture_create(void) {
    return calloc(1, sizeof(picture));
}

void picture_destroy(picture *p) {
    if (p)
        free(p->shapes);
    free(p);
}

/* ---------------------------------------------------------------- the camera */

static const double degree = 0.017453292519943295;

/* How far the camera is, in reaches: near enough that depth is felt, far enough not to distort. */
static const double camera_distance = 5.0;

real3 picture_turn(const picture_view *v, real3 point) {
    const double cy = cos(degree * v->camera.yaw), sy = sin(degree * v->camera.yaw);
    const double cp = cos(degree * v->camera.pitch), sp = sin(degree * v->camera.pitch);
    const real3 a = {cy * point.x + sy * point.z, point.y, cy * point.z - sy * point.x};
    return (real3){a.x, cp * a.y - sp * a.z, sp * a.y + cp * a.z};
}

real3 picture_see(const picture_view *v, real3 point) {
    const real3 p = picture_turn(v, sub3(point, v->centre));
    const double distance = camera_distance * v->reach;
    const double nearer = distance / (distance - p.z);
    return (real3){nearer * p.x, nearer * p.y, p.z};
}

static real3 point_at(const float *positions, size_t i) {
    return (real3){(double)positions[3 * i], (double)positions[3 * i + 1],
                   (double)positions[3 * i + 2]};
}

void picture_aim(picture_view *v, const float *positions, size_t count) {
    const bool first = v->reach == 0.0;
    real3 low = first ? point_at(positions, 0) : v->low, high = first ? low : v->high;
    for (size_t i = 0; i < count; i++) {
        const real3 p = point_at(positions, i);
        low = (real3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (real3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    v->low = low;
    v->high = high;
    v->centre = scale3(0.5, add3(low, high));
    v->reach = fmax(0.5 * norm3(sub3(high, low)), 1e-9);
    v->left = v->bottom = INFINITY;
    v->right = v->top = -INFINITY;
}

void picture_include(picture_view *v, const float *positions, size_t count, double margin) {
    for (size_t i = 0; i < count; i++) {
        const real3 p = picture_see(v, point_at(positions, i));
        v->left = fmin(v->left, p.x - margin);
        v->right = fmax(v->right, p.x + margin);
        v->bottom = fmin(v->bottom, p.y - margin);
        v->top = fmax(v->top, p.y + margin);
    }
}

/* ---------------------------------------------------------------- light */

static double lit_by(real3 normal, real3 light) {
    return fmax(0.0, dot3(normal, light) / norm3(light));
}

/* From deep shade over the colour itself to white. */
static unsigned shade(picture_colour c, double brightness, double shine) {
    const double base[3] = {c.x, c.y, c.z};
    unsigned colour = 0;
    for (int i = 0; i < 3; i++) {
        const double dark = base[i] * brightness;
        const double value = dark + (1.0 - dark) * shine;
        colour = colour << 8 | (unsigned)lround(255.0 * fmin(1.0, fmax(0.0, value)));
    }
    return colour;
}

/* A large light from the upper left, a weak one from the right, and some from everywhere. */
static unsigned lit(picture_colour c, real3 normal, double nearness) {
    const real3 key = {-0.4, 0.75, 0.6}, fill = {0.8, -0.1, 0.4}, half = {-0.22, 0.42, 0.9};
    const double brightness =
        0.42 + 0.62 * lit_by(normal, key) + 0.16 * lit_by(normal, fill) + 0.06 * normal.z;
    const double depth = 0.94 + 0.1 * fmax(-1.0, fmin(1.0, nearness));
    return shade(c, depth * brightness, 0.5 * pow(lit_by(normal, half), 22.0));
}

/* A thread shines where it runs across the direction to the light (Kajiya & Kay 1989), and is
 * darker in the back, which tells one crossing it from one behind. */
static unsigned lit_thread(picture_colour c, real3 along, double nearness) {
    const real3 key = {-0.4, 0.75, 0.6};
    const double cosine = dot3(along, key) / norm3(key);
    const double sine = sqrt(fmax(0.0, 1.0 - cosine * cosine));
    const double depth = 0.78 + 0.34 * fmax(-1.0, fmin(1.0, nearness));
    return shade(c, depth * (0.58 + 0.5 * sine), 0.38 * pow(sine, 24.0) * depth);
}

/* ---------------------------------------------------------------- shapes */

static void add(picture *p, shape s) {
    if (p->count == p->room) {
        const size_t room = p->room ? 2 * p->room : 1024;
        shape *more = realloc(p->shapes, room * sizeof *more);
        if (!more) {
            p->failed = true;
            return;
        }
        p->shapes = more;
        p->room = room;
    }
    s.number = p->count;
    p->shapes[p->count++] = s;
}

static void place(const picture_view *v, double x, double y, real3 seen, double at[2]) {
    at[0] = x + (seen.x - v->left) * v->scale;
    at[1] = y + (v->top - seen.y) * v->scale;
}

static void place_all(shape *s, const picture_view *v, double x, double y, const real3 *points,
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        const real3 seen = picture_see(v, points[i]);
        place(v, x, y, seen, s->at + 2 * i);
        s->depth += seen.z / (double)count;
    }
}

/* Twice the area on the screen, positive when the corners go round clockwise there. */
static double turning(const double *at) {
    return (at[4] - at[0]) * (at[7] - at[3]) - (at[5] - at[1]) * (at[6] - at[2]);
}

void picture_patch(picture *p, const picture_view *v, double x, double y, const real3 corner[4],
                   real3 normal, picture_colour colour) {
    shape s = {.kind = PATCH};
    place_all(&s, v, x, y, corner, 4);
    s.colour = lit(colour, picture_turn(v, normal), s.depth / v->reach);
    if (turning(s.at) > 0.0)
        add(p, s);
}

void picture_line(picture *p, const picture_view *v, double x, double y,
                  const real3 point[PICTURE_LINE], double width, picture_colour colour) {
    shape s = {.kind = LINE, .width = width * v->scale};
    place_all(&s, v, x, y, point, PICTURE_LINE);
    const real3 along = sub3(point[PICTURE_LINE - 1], point[0]);
    const double length = norm3(along);
    s.colour = lit_thread(colour, picture_turn(v, scale3(1.0 / fmax(length, 1e-12), along)),
                          s.depth / v->reach);
    add(p, s);
}

/* Drawn when all is drawn that is farther than its centre: what comes out of its near half is in
 * front of it. */
void picture_ball(picture *p, const picture_view *v, double x, double y, real3 centre,
                  double radius, picture_colour colour) {
    shape s = {.kind = BALL, .width = radius * v->scale, .colour = shade(colour, 1.0, 0.0)};
    place_all(&s, v, x, y, &centre, 1);
    add(p, s);
}

/* ---------------------------------------------------------------- SVG */

static int farther_first(const void *a, const void *b) {
    const shape *s = a, *t = b;
    if (s->depth < t->depth || s->depth > t->depth)
        return s->depth < t->depth ? -1 : 1;
    return s->number < t->number ? -1 : s->number > t->number;
}

/* Whole numbers of these in a pixel: short, and no finer than is seen. */
static const double fineness = 5.0;

/* Relative to the point before. */
static void write_points(FILE *file, const double *at, size_t first, size_t count) {
    for (size_t i = first; i < count; i++) {
        const long dx = lround(fineness * at[2 * i]) - lround(fineness * at[2 * i - 2]);
        const long dy = lround(fineness * at[2 * i + 1]) - lround(fineness * at[2 * i - 1]);
        fprintf(file, i > first && dx >= 0 ? " %ld" : "%ld", dx);
        fprintf(file, dy >= 0 ? " %ld" : "%ld", dy);
    }
}

static void write_shape(FILE *file, const shape *s) {
    const long x = lround(fineness * s->at[0]), y = lround(fineness * s->at[1]);
    const size_t points = s->kind == PATCH ? 4 : PICTURE_LINE;
    if (s->kind == BALL) {
        const long r = lround(fineness * s->width);
        fprintf(file,
                "<circle color=\"#%06x\" cx=\"%ld\" cy=\"%ld\" r=\"%ld\"/>\n"
                "<circle fill=\"url(#rod-ball)\" cx=\"%ld\" cy=\"%ld\" r=\"%ld\"/>\n",
                s->colour, x, y, r, x, y, r);
        return;
    }
    fprintf(file, "<path color=\"#%06x\" d=\"M%ld %ldl", s->colour, x, y);
    write_points(file, s->at, 1, points);
    fputs(s->kind == PATCH ? "z\"/>\n" : "\"/>\n", file);
}

/* What shapes that follow each other have in common is said once. */
static void begin_group(FILE *file, const shape *s) {
    switch (s->kind) {
    case PATCH: /* a line of its own colour closes the seams between patches */
        fputs("<g fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\"3\">\n", file);
        break;
    case LINE:
        fprintf(file, "<g fill=\"none\" stroke=\"currentColor\" stroke-width=\"%.0f\">\n",
                fmax(1.0, fineness * s->width));
        break;
    case BALL:
        fputs("<g fill=\"currentColor\">\n", file);
        break;
    }
}

static bool is_alike(const shape *a, const shape *b) {
    return a->kind == b->kind && fabs(a->width - b->width) < 1e-9;
}

bool picture_write(picture *p, FILE *file) {
    if (p->count > 0)
        qsort(p->shapes, p->count, sizeof *p->shapes, farther_first);
    fputs("<g transform=\"scale(.2)\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n", file);
    for (size_t i = 0; i < p->count; i++) {
        const shape *s = &p->shapes[i];
        if (i == 0 || !is_alike(s, s - 1))
            begin_group(file, s);
        write_shape(file, s);
        if (i + 1 == p->count || !is_alike(s, s + 1))
            fputs("</g>\n", file);
    }
    fputs("</g>\n", file);
    return !p->failed;
}
