/* The motion of a scene as data, small enough to be part of a page. */

#include "json.h"
#include "render.h"

#include <stdlib.h>

/* Positions are shares of this around the origin. */
static double largest(const render_sheet *s) {
    double most = 1e-9;
    for (size_t i = 0; i < s->methods * s->frames; i++)
        for (size_t c = 0; c < 3 * s->shots[i].rods * (s->shots[i].elements + 1); c++)
            most = fmax(most, fabs((double)s->shots[i].positions[c]));
    return most;
}

typedef struct {
    char *text;
    size_t length, bytes; /* of text; that were put */
    unsigned waiting;     /* bits of bytes that are not a whole digit yet */
} packer;

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_byte(packer *p, unsigned byte) {
    p->waiting = p->waiting << 8 | (byte & 255u);
    p->bytes++;
    if (p->bytes % 3 != 0)
        return;
    for (int shift = 18; shift >= 0; shift -= 6)
        p->text[p->length++] = digits[p->waiting >> shift & 63u];
    p->waiting = 0;
}

static void end_packing(packer *p) {
    const size_t over = p->bytes % 3;
    for (size_t i = over; i > 0 && i < 3; i++)
        put_byte(p, 0);
    for (size_t i = 1; over > 0 && i <= 3 - over; i++)
        p->text[p->length - i] = '=';
    p->text[p->length] = '\0';
}

/* -most .. most as -1 .. 1. */
static unsigned quantised(double value, double most) {
    return (unsigned)(int)lround(most * fmin(1.0, fmax(-1.0, value)));
}

static void put_shot(packer *p, const snapshot *s, double scale) {
    for (size_t i = 0; i < 3 * s->rods * (s->elements + 1); i++) {
        const unsigned q = quantised((double)s->positions[i] / scale, 32767.0);
        put_byte(p, q);
        put_byte(p, q >> 8);
    }
    for (size_t i = 0; s->sides && i < 3 * s->rods * s->elements; i++)
        put_byte(p, quantised((double)s->sides[i], 127.0));
}

static bool write_method(json_writer *w, const snapshot *shots, size_t frames, double scale) {
    const snapshot *s = &shots[0];
    const size_t each = s->rods * (6 * (s->elements + 1) + 3 * s->elements);
    packer p = {.text = malloc(frames * each / 3 * 4 + 16)};
    if (!p.text)
        return false;
    for (size_t i = 0; i < frames; i++)
        put_shot(&p, &shots[i], scale);
    end_packing(&p);
    json_begin_object(w, NULL);
    json_string(w, "method", rod_method_name(s->method));
    json_unsigned(w, "iterations", s->iterations);
    json_unsigned(w, "rods", s->rods);
    json_unsigned(w, "elements", s->elements);
    json_unsigned(w, "last_frame", shots[frames - 1].frame);
    json_bool(w, "sides", s->sides != NULL);
    json_string(w, "data", p.text);
    json_end_object(w);
    free(p.text);
    return true;
}

bool render_motion(const render_sheet *s, size_t every, FILE *file) {
    const double scale = largest(s);
    bool done = true;
    json_writer w = json_writer_to(file);
    json_begin_object(&w, NULL);
    json_schema(&w);
    json_string(&w, "motion", s->scene->name);
    json_unsigned(&w, "every", every);
    json_unsigned(&w, "frames", s->frames);
    json_number(&w, "dt", s->dt);
    json_number(&w, "scale", scale);
    json_number(&w, "radius", s->thickness * s->element_length);
    json_number(&w, "yaw", s->camera.yaw);
    json_number(&w, "pitch", s->camera.pitch);
    json_begin_array(&w, "methods");
    for (size_t i = 0; done && i < s->methods; i++)
        done = write_method(&w, s->shots + i * s->frames, s->frames, scale);
    json_end_array(&w);
    json_end_object(&w);
    return done;
}
