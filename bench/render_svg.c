/* Snapshots side by side as SVG. */

#include "render.h"
#include "tube.h"

#include <string.h>

static const render_look looks[] = {
    {"scene1", "quaternion,pber,pbd", 1, {0}, 0.42, {-24.0, 14.0}, false},
    {"scene2", "quaternion,pber,pbd", 1, {0}, 0.46, {-24.0, 12.0}, true},
    {"scene3", "quaternion,pber,pbd", 1, {0}, 0.62, {-62.0, 22.0}, false},
    {"pber30", "quaternion,pber,pbd", 1, {0}, 0.42, {-12.0, 28.0}, false},
    {"slinky", "quaternion", 1, {1, 30, 60, 100}, 0.10, {-35.0, 20.0}, false},
    {"random", "quaternion", 1, {1, 6, 15, 35, 100}, 0.46, {-28.0, 18.0}, false},
    {"hair200", "quaternion", 0, {0}, 0.014, {-25.0, 10.0}, false},
    {"hair", "quaternion", 320, {0}, 0.018, {-25.0, 10.0}, false},
};

const render_look *render_look_of(const scene *s) {
    static const render_look other = {"", "quaternion", 1, {0}, 0.36, {-30.0, 15.0}, false};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (strcmp(looks[i].scene, s->name) == 0)
            return &looks[i];
    return &other;
}

/* Blue, yellow and grey as in KS16 fig. 5, in hues that are told apart by colour-blind eyes. */
static const picture_colour colours[ROD_METHODS] = {
    {0.00, 0.47, 0.80}, {0.93, 0.68, 0.08}, {0.58, 0.61, 0.65}};

/* Plaster: of no method. */
static const picture_colour rest_colour = {0.86, 0.84, 0.80};

/* Patches that all images together may have: the picture stays around 200 kB. A label is as wide as
 * its iterations and frame, in a strip as its frame. */
enum { PATCHES = 1700, LABEL_HEIGHT = 44, LABEL_WIDTH = 172, STRIP_LABEL_WIDTH = 84, GAP = 12 };

/* Of a picture without its labels, height / width at most: what hangs far down is made smaller. */
static const double tallest = 0.75;

/* All images are seen alike, at one scale and one height; a column is as wide as what it shows. */
typedef struct {
    const render_sheet *sheet;
    picture_view view; /* of all */
    size_t columns, rows;
    double column_width[RENDER_IMAGES];
    double image_height;
} layout;

static double elements_of(const render_sheet *s) {
    return (double)(s->methods * s->frames) * (double)(s->shots[0].rods * s->shots[0].elements);
}

/* More than can be drawn with three sides each. */
static bool are_threads(const render_sheet *s) {
    return 3.0 * elements_of(s) > PATCHES;
}

static bool has_head(const render_sheet *s) {
    return strncmp(s->scene->name, "hair", 4) == 0;
}

static double radius_of(const render_sheet *s) {
    return s->thickness * s->element_length;
}

static size_t points_of(const snapshot *s) {
    return s->rods * (s->elements + 1);
}

static void include(const render_sheet *s, picture_view *v, const snapshot *shot) {
    const float centre[] = {0.0f, 0.0f, 0.0f};
    picture_include(v, shot->positions, points_of(shot), 2.0 * radius_of(s));
    if (has_head(s))
        picture_include(v, centre, 1, 1.0);
}

static void frame_all(const render_sheet *s, picture_view *v) {
    for (size_t i = 0; i < s->methods * s->frames; i++)
        picture_aim(v, s->shots[i].positions, points_of(&s->shots[i]));
    for (size_t i = 0; i < s->methods * s->frames; i++)
        include(s, v, &s->shots[i]);
}

/* The view of all, but only as wide as this image. */
static picture_view view_of(const layout *l, const snapshot *shot) {
    picture_view v = l->view;
    v.left = v.bottom = INFINITY;
    v.right = v.top = -INFINITY;
    include(l->sheet, &v, shot);
    v.top = l->view.top;
    return v;
}

static double least_width(const render_sheet *s) {
    return !s->labels ? 1.0 : s->frames > 1 ? STRIP_LABEL_WIDTH : LABEL_WIDTH;
}

/* At the scale of the view; what all columns take together. */
static double size_columns(layout *l) {
    double sum = GAP * (double)(l->columns - 1);
    for (size_t c = 0; c < l->columns; c++) {
        l->column_width[c] = least_width(l->sheet);
        for (size_t row = 0; row < l->rows; row++) {
            const picture_view v = view_of(l, &l->sheet->shots[row * l->columns + c]);
            l->column_width[c] = fmax(l->column_width[c], (v.right - v.left) * l->view.scale);
        }
        sum += l->column_width[c];
    }
    return sum;
}

/* The largest scale at which all fits, by halving: labels do not shrink with the rods. */
static void choose_scale(layout *l) {
    double small = 0.0, large = tallest * l->sheet->width / (l->view.top - l->view.bottom);
    for (int i = 0; i < 40; i++) {
        l->view.scale = i == 0 ? large : 0.5 * (small + large);
        if (size_columns(l) <= l->sheet->width)
            small = l->view.scale;
        else
            large = l->view.scale;
    }
    l->view.scale = small;
    const double left = l->sheet->width - size_columns(l);
    for (size_t c = 0; c < l->columns; c++)
        l->column_width[c] += left / (double)l->columns;
}

static layout lay_out(const render_sheet *s) {
    layout l = {.sheet = s, .view.camera = s->camera};
    l.columns = s->frames > 1 ? s->frames : s->methods;
    l.rows = s->frames > 1 ? s->methods : 1;
    frame_all(s, &l.view);
    choose_scale(&l);
    l.image_height = (l.view.top - l.view.bottom) * l.view.scale;
    return l;
}

/* Where an image is, and the view that puts it into the middle of its column. */
typedef struct {
    const snapshot *shot;
    bool is_rest;
    picture_view view;
    double x, y, width, height;
} image;

static image image_at(const layout *l, size_t index) {
    const size_t column = index % l->columns, row = index / l->columns;
    const double below = l->sheet->labels ? LABEL_HEIGHT : 0;
    image i = {.shot = &l->sheet->shots[index],
               .is_rest = l->sheet->begins_at_rest && index == 0,
               .view = view_of(l, &l->sheet->shots[index]),
               .y = (double)row * (l->image_height + below + GAP),
               .width = l->column_width[column]};
    for (size_t c = 0; c < column; c++)
        i.x += l->column_width[c] + GAP;
    const double free = i.width / i.view.scale - (i.view.right - i.view.left);
    i.view.left -= 0.5 * free;
    /* In a strip labels stand in a line; else a label is near what it names. */
    const bool strip = l->sheet->frames > 1;
    i.height = strip ? l->image_height : (i.view.top - i.view.bottom) * i.view.scale;
    return i;
}

/* As many as the budget allows: around first, then along, as curls need both. */
static void choose_detail(const layout *l, tube_look *look) {
    const double seen = 2.0 * PATCHES / elements_of(l->sheet); /* half of all face away */
    if (are_threads(l->sheet)) {
        look->pieces = 2; /* lines through the particles alone have corners */
        return;
    }
    look->sides = seen >= 48.0 ? 16 : seen >= 30.0 ? 12 : seen >= 16.0 ? 10 : seen >= 12.0 ? 8 : 6;
    look->pieces = (size_t)fmin(4.0, fmax(1.0, floor(seen / (double)look->sides + 0.5)));
}

static void draw_image(picture *p, const layout *l, const image *i) {
    const snapshot *s = i->shot;
    tube_look look = {.radius = radius_of(l->sheet),
                      .colour = i->is_rest ? rest_colour : colours[s->method],
                      .clamped_end = l->sheet->scene->is_twisted};
    choose_detail(l, &look);
    for (size_t rod = 0; rod < s->rods; rod++)
        if (are_threads(l->sheet))
            tube_draw_thread(p, &i->view, i->x, i->y, s, rod, &look);
        else
            tube_draw(p, &i->view, i->x, i->y, s, rod, &look);
    if (has_head(l->sheet))
        picture_ball(p, &i->view, i->x, i->y, (real3){0.0, 0.0, 0.0}, 0.99,
                     (picture_colour){0.84, 0.82, 0.80});
}

static const char *const names[ROD_METHODS] = {"quaternion rod", "PBER", "PBD strand"};

/* What tells a reader, and the report, which part of the picture is which image. */
static void write_frame(FILE *file, const image *i) {
    const snapshot *s = i->shot;
    fprintf(file,
            "<rect class=\"rod-image\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "fill=\"none\"><title>",
            i->x, i->y, i->width, i->height);
    if (i->is_rest)
        fputs("rest shape", file);
    else
        fprintf(file, "%s, %zu %s, frame %zu", names[s->method], s->iterations,
                s->iterations == 1 ? "iteration" : "iterations", s->frame);
    fputs("</title></rect>\n", file);
}

static void write_rest_label(FILE *file, double x, double y) {
    fprintf(file,
            "<text class=\"rod-name rod-note\" x=\"%.1f\" y=\"%.1f\">rest shape</text>\n"
            "<text class=\"rod-note\" x=\"%.1f\" y=\"%.1f\">what they are to keep</text>\n",
            x, y + 20.0, x, y + 38.0);
}

/* Methods are told from each other by name, frames of one by their time. */
static void write_label(FILE *file, const render_sheet *sheet, const image *i) {
    const snapshot *s = i->shot;
    const double x = i->x + 0.5 * i->width, y = i->y + i->height;
    if (i->is_rest) {
        write_rest_label(file, x, y);
        return;
    }
    fprintf(file, "<text class=\"rod-name rod-%s\" x=\"%.1f\" y=\"%.1f\">",
            rod_method_name(s->method), x, y + 20.0);
    if (sheet->frames > 1)
        fprintf(file, "frame %zu", s->frame);
    else
        fputs(names[s->method], file);
    fprintf(file, "</text>\n<text class=\"rod-note\" x=\"%.1f\" y=\"%.1f\">", x, y + 38.0);
    if (sheet->frames > 1)
        fprintf(file, "%.2f s", (double)s->frame * sheet->dt);
    else
        fprintf(file, "%zu %s, frame %zu", s->iterations,
                s->iterations == 1 ? "iteration" : "iterations", s->frame);
    fputs("</text>\n", file);
}

static const char style[] =
    "<style>.rod-name,.rod-note{font-family:system-ui,\"Segoe UI\",\"Helvetica Neue\",Arial,"
    "sans-serif;text-anchor:middle}.rod-name{font-size:16px;font-weight:600}.rod-note{font-size:"
    "13px;fill:#59636e}.rod-quaternion{fill:#00609a}.rod-pber{fill:#8a6100}.rod-pbd{fill:#57606a}"
    "@media(prefers-color-scheme:dark){.rod-note{fill:#9198a1}.rod-quaternion{fill:#58b4ee}"
    ".rod-pber{fill:#e8b53a}.rod-pbd{fill:#aab3bc}}</style>\n";

bool render_svg(const render_sheet *s, FILE *file) {
    const layout l = lay_out(s);
    const double row = l.image_height + (s->labels ? LABEL_HEIGHT : 0);
    const double height = row * (double)l.rows + GAP * (double)(l.rows - 1);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
            "aria-label=\"%s\">\n%s",
            s->width, ceil(height), s->scene->what, s->labels ? style : "");
    if (has_head(s))
        fputs("<defs><radialGradient id=\"rod-ball\" cx=\".38\" cy=\".3\" r=\".75\"><stop "
              "offset=\"0\" "
              "stop-color=\"#fff\" stop-opacity=\".35\"/><stop offset=\".5\" stop-color=\"#fff\" "
              "stop-opacity=\"0\"/><stop offset=\"1\" stop-color=\"#201008\" stop-opacity=\".55\"/>"
              "</radialGradient></defs>\n",
              file);
    picture *p = picture_create();
    for (size_t k = 0; p && k < s->methods * s->frames; k++) {
        const image i = image_at(&l, k);
        draw_image(p, &l, &i);
        write_frame(file, &i);
        if (s->labels)
            write_label(file, s, &i);
    }
    const bool done = p && picture_write(p, file);
    fputs("</svg>\n", file);
    picture_destroy(p);
    return done;
}
