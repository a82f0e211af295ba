#include "tube.h"

/* What goes once around the tube at a place along it. */
typedef struct {
    real3 centre, side, across; /* side: towards the light stripe */
} ring;

static real3 read3(const float *values, size_t i) {
    return (real3){(double)values[3 * i], (double)values[3 * i + 1], (double)values[3 * i + 2]};
}

static real3 unit(real3 a) {
    const double n = norm3(a);
    return n > 1e-12 ? scale3(1.0 / n, a) : (real3){1.0, 0.0, 0.0};
}

/* Without its part along `axis`; any direction across if nothing else is left. */
static real3 across_to(real3 a, real3 axis) {
    const real3 rest = sub3(a, scale3(dot3(a, axis), axis));
    if (norm3(rest) > 1e-6)
        return unit(rest);
    const real3 other = fabs(axis.x) < 0.7 ? (real3){1.0, 0.0, 0.0} : (real3){0.0, 1.0, 0.0};
    return unit(sub3(other, scale3(dot3(other, axis), axis)));
}

/* ---------------------------------------------------------------- the curve */

typedef struct {
    const float *positions, *sides;
    size_t elements;
} line;

static line line_of(const snapshot *s, size_t rod) {
    return (line){.positions = s->positions + 3 * rod * (s->elements + 1),
                  .sides = s->sides ? s->sides + 3 * rod * s->elements : NULL,
                  .elements = s->elements};
}

/* Through the particles, with tangents from their neighbours (Catmull & Rom 1974). */
static real3 curve_at(const line *l, size_t element, double t, real3 *tangent) {
    const real3 b = read3(l->positions, element), c = read3(l->positions, element + 1);
    const real3 a = element > 0 ? read3(l->positions, element - 1) : sub3(scale3(2.0, b), c);
    const real3 d =
        element + 2 <= l->elements ? read3(l->positions, element + 2) : sub3(scale3(2.0, c), b);
    const real3 m = scale3(0.5, sub3(c, a)), n = scale3(0.5, sub3(d, b)), e = sub3(c, b);
    const real3 cubic = add3(add3(m, n), scale3(-2.0, e));
    const real3 square = sub3(scale3(3.0, e), add3(scale3(2.0, m), n));
    *tangent = add3(m, add3(scale3(2.0 * t, square), scale3(3.0 * t * t, cubic)));
    return add3(b, scale3(t, add3(m, scale3(t, add3(square, scale3(t, cubic))))));
}

/* Between the middles of the elements, which are where orientations are. */
static real3 side_at(const line *l, size_t element, double t) {
    const real3 own = read3(l->sides, element);
    const size_t last = l->elements - 1;
    if (t < 0.5) {
        const real3 before = read3(l->sides, element > 0 ? element - 1 : 0);
        return add3(scale3(0.5 - t, before), scale3(0.5 + t, own));
    }
    const real3 after = read3(l->sides, element < last ? element + 1 : last);
    return add3(scale3(1.5 - t, own), scale3(t - 0.5, after));
}

/* Without orientations the ring before is carried along. */
static ring ring_at(const line *l, size_t element, double t, real3 carried) {
    real3 tangent;
    ring r = {.centre = curve_at(l, element, t, &tangent)};
    tangent = unit(tangent);
    r.side = across_to(l->sides ? side_at(l, element, t) : carried, tangent);
    r.across = cross3(tangent, r.side);
    return r;
}

/* ---------------------------------------------------------------- the surface */

static const double turn = 6.283185307179586;

typedef enum { BODY, LIGHT_STRIPE, DARK_STRIPE } paint;

/* By the angle from the side, in turns: the light stripe is the wider one, as it must be seen on a
 * light colour as well as on a dark one. */
static paint paint_at(double turns, bool striped) {
    const double away = fabs(turns - floor(turns + 0.5));
    if (!striped)
        return BODY;
    return away < 0.115 ? LIGHT_STRIPE : away > 0.425 ? DARK_STRIPE : BODY;
}

static picture_colour painted(picture_colour c, paint with) {
    switch (with) {
    case LIGHT_STRIPE:
        return add3(scale3(0.18, c), (real3){0.80, 0.80, 0.80});
    case DARK_STRIPE:
        return scale3(0.30, c);
    case BODY:
        break;
    }
    return c;
}

static real3 direction(const ring *r, double turns) {
    return add3(scale3(cos(turn * turns), r->side), scale3(sin(turn * turns), r->across));
}

static real3 surface(const ring *r, double turns, double radius) {
    return add3(r->centre, scale3(radius, direction(r, turns)));
}

static void draw_band(picture *p, const picture_view *v, double x, double y, const ring *a,
                      const ring *b, const tube_look *look, bool striped) {
    for (size_t k = 0; k < look->sides; k++) {
        const double from = ((double)k - 0.5) / (double)look->sides;
        const double to = ((double)k + 0.5) / (double)look->sides;
        const real3 corner[4] = {surface(a, from, look->radius), surface(b, from, look->radius),
                                 surface(b, to, look->radius), surface(a, to, look->radius)};
        const double middle = 0.5 * (from + to);
        const real3 normal = add3(direction(a, middle), direction(b, middle));
        picture_patch(p, v, x, y, corner, unit(normal),
                      painted(look->colour, paint_at(middle, striped)));
    }
}

/* A grey sleeve around a clamped element; the end of a rod must not show through its lid. */
static void draw_sleeve(picture *p, const picture_view *v, double x, double y, const line *l,
                        size_t element, const tube_look *look) {
    const bool is_last = element + 1 == l->elements;
    const tube_look sleeve = {
        .radius = 1.7 * look->radius, .sides = look->sides, .colour = {0.45, 0.47, 0.50}};
    const ring a = ring_at(l, element, is_last ? 0.08 : 0.0, (real3){0.3, 0.9, 0.2});
    const ring rim = ring_at(l, element, is_last ? 1.0 : 0.92, a.side);
    draw_band(p, v, x, y, &a, &rim, &sleeve, false);
    for (size_t k = 0; k < sleeve.sides; k++) { /* the lid */
        const double from = (double)k / (double)sleeve.sides;
        const double to = (double)(k + 1) / (double)sleeve.sides;
        for (int end = 0; end < 2; end++) {
            const ring *r = end ? &rim : &a;
            const real3 out = cross3(r->side, r->across);
            const real3 one = surface(r, from, sleeve.radius), two = surface(r, to, sleeve.radius);
            const real3 lid[4] = {r->centre, end ? two : one, end ? one : two, r->centre};
            picture_patch(p, v, x, y, lid, end ? out : scale3(-1.0, out), sleeve.colour);
        }
    }
}

void tube_draw(picture *p, const picture_view *v, double x, double y, const snapshot *s, size_t rod,
               const tube_look *look) {
    const line l = line_of(s, rod);
    ring before = ring_at(&l, 0, 0.0, (real3){0.3, 0.9, 0.2});
    for (size_t e = 0; e < l.elements; e++)
        for (size_t i = 1; i <= look->pieces; i++) {
            const ring now = ring_at(&l, e, (double)i / (double)look->pieces, before.side);
            draw_band(p, v, x, y, &before, &now, look, l.sides != NULL);
            before = now;
        }
    draw_sleeve(p, v, x, y, &l, 0, look);
    if (look->clamped_end)
        draw_sleeve(p, v, x, y, &l, l.elements - 1, look);
}

/* In lines of a few pieces each: a whole rod has no depth that it could be sorted by. Neighbours
 * differ a little in tone, or hair would be one mass. */
void tube_draw_thread(picture *p, const picture_view *v, double x, double y, const snapshot *s,
                      size_t rod, const tube_look *look) {
    const line l = line_of(s, rod);
    const double tone = s->rods > 1 ? 0.62 + 0.50 * (double)((rod * 7919) % 97) / 96.0 : 1.0;
    const size_t count = l.elements * look->pieces;
    for (size_t first = 0; first < count; first += PICTURE_LINE - 1) {
        real3 point[PICTURE_LINE], tangent;
        for (size_t i = 0; i < PICTURE_LINE; i++) {
            const size_t at = first + i < count ? first + i : count;
            const size_t element = at < count ? at / look->pieces : l.elements - 1;
            const size_t piece = at - element * look->pieces;
            point[i] = curve_at(&l, element, (double)piece / (double)look->pieces, &tangent);
        }
        picture_line(p, v, x, y, point, 2.0 * look->radius, scale3(tone, look->colour));
    }
}
