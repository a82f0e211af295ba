#include "commands.h"

#include "outfile.h"
#include "render.h"
#include "selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES = 100000, MAX_SHOTS = 4096 };

/* As given on the command line; NULL and 0 stand for how the scene is shown usually. */
typedef struct {
    const char *path, *methods, *frames, *camera;
    size_t iterations, rods, elements, width, every;
    float length, thickness;
    uint64_t seed;
    bool no_labels;
} request;

typedef struct {
    rod_method method[ROD_METHODS];
    size_t methods;
    size_t frame[MAX_SHOTS];
    size_t frames;
} plan;

/* ---------------------------------------------------------------- lists */

/* The next of a list that is divided by commas; false at its end. */
static bool next_of(const char **list, char *word, size_t size) {
    if (!*list)
        return false;
    const size_t length = strcspn(*list, ",");
    snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return true;
}

static bool has_method(const plan *p, rod_method method) {
    for (size_t i = 0; i < p->methods; i++)
        if (p->method[i] == method)
            return true;
    return false;
}

static bool read_methods(const char *list, plan *p) {
    char word[32];
    for (const char *rest = list; next_of(&rest, word, sizeof word);) {
        rod_method method = ROD_METHOD_QUATERNION;
        if (!rod_method_named(word, &method) || has_method(p, method)) {
            options_complain("render",
                             "--method '%s': each of quaternion pber pbd is accepted once, divided "
                             "by commas",
                             list);
            return false;
        }
        p->method[p->methods++] = method;
    }
    return true;
}

static bool read_frames(const char *list, plan *p) {
    char word[32];
    for (const char *rest = list; next_of(&rest, word, sizeof word); p->frames++) {
        char *end;
        const unsigned long frame = strtoul(word, &end, 10);
        const size_t before = p->frames > 0 ? p->frame[p->frames - 1] : 0;
        if (strspn(word, "0123456789") != strlen(word) || *word == '\0' || frame > MAX_FRAMES ||
            (p->frames > 0 && frame <= before) || p->frames == RENDER_IMAGES) {
            options_complain("render",
                             "--frames '%s': up to %d rising whole numbers to %d are accepted, "
                             "divided by commas",
                             list, RENDER_IMAGES, MAX_FRAMES);
            return false;
        }
        p->frame[p->frames] = frame;
    }
    return true;
}

static bool read_camera(const char *text, picture_camera *camera) {
    char *end;
    const double yaw = strtod(text, &end);
    const bool comma = end != text && *end == ',';
    const char *second = end + 1;
    const double pitch = comma ? strtod(second, &end) : NAN;
    if (!comma || end == second || *end != '\0' || !(fabs(yaw) <= 360.0) ||
        !(fabs(pitch) <= 90.0)) {
        options_complain("render",
                         "--camera '%s': degrees about the upright axis (-360 .. 360) and above "
                         "the horizon (-90 .. 90) are accepted, divided by a comma",
                         text);
        return false;
    }
    *camera = (picture_camera){yaw, pitch};
    return true;
}

/* ---------------------------------------------------------------- what to draw */

/* Every so many frames up to the last one. */
static bool plan_motion(const request *r, plan *p) {
    const size_t last = p->frame[p->frames - 1];
    if (p->frames > 1 || last / r->every + 1 > MAX_SHOTS) {
        options_complain("render",
                         "--every %zu: one number of --frames, at most %d times as large, is "
                         "accepted",
                         r->every, MAX_SHOTS - 1);
        return false;
    }
    p->frames = 0;
    for (size_t frame = 0; frame <= last; frame += r->every)
        p->frame[p->frames++] = frame;
    return true;
}

static bool make_plan(const request *r, const scene *s, plan *p) {
    const render_look *look = render_look_of(s);
    if (!read_methods(r->methods ? r->methods : look->methods, p) ||
        (r->frames && !read_frames(r->frames, p)))
        return false;
    for (size_t i = 0; p->frames == i && !r->frames && look->frames[i] > 0; i++)
        p->frame[p->frames++] = look->frames[i];
    if (p->frames == 0)
        p->frame[p->frames++] = s->defaults.frames;
    return r->every == 0 || plan_motion(r, p);
}

static selection selection_of(const request *r, const scene *s, rod_method method) {
    const render_look *look = render_look_of(s);
    return (selection){.method = rod_method_name(method),
                       .rods = r->rods ? r->rods : look->rods,
                       .elements = r->elements,
                       .iterations = r->iterations,
                       .length = r->length,
                       .seed = r->seed};
}

static bool is_finite(const snapshot *shots, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3 * shots[i].rods * (shots[i].elements + 1); c++)
            if (!isfinite(shots[i].positions[c]))
                return false;
    return true;
}

/* Only where a scene is shown as it is usually. */
static bool shows_rest(const request *r, const scene *s) {
    return render_look_of(s)->with_rest && !r->methods && !r->frames && r->every == 0;
}

/* Returns the exit code. */
static int take_all(const request *r, const scene *s, const plan *p, snapshot *shots,
                    simulation *shown, size_t *taken) {
    if (shows_rest(r, s)) {
        const selection chosen = selection_of(r, s, p->method[0]);
        const size_t first = 0;
        if (!selection_apply("render", &chosen, s, shown))
            return EXIT_WRONG_USAGE;
        const rod_status status = snapshots_take(shown, &first, 1, shots);
        if (status != ROD_OK)
            return selection_complain("render", shown, status);
        *taken = 1;
    }
    for (size_t i = 0; i < p->methods; i++) {
        const selection chosen = selection_of(r, s, p->method[i]);
        if (!selection_apply("render", &chosen, s, shown))
            return EXIT_WRONG_USAGE;
        const rod_status status = snapshots_take(shown, p->frame, p->frames, shots + *taken);
        if (status != ROD_OK)
            return selection_complain("render", shown, status);
        *taken += p->frames;
    }
    if (is_finite(shots, *taken))
        return EXIT_DONE;
    options_complain("render", "the rods are no longer finite: nothing to draw");
    return EXIT_CHECK_FAILED;
}

static int write(const render_sheet *sheet, const request *r, outfile *file) {
    const bool drawn =
        r->every > 0 ? render_motion(sheet, r->every, file->file) : render_svg(sheet, file->file);
    if (!drawn)
        return options_complain("render", "%s", rod_status_text(ROD_E_MEMORY));
    if (!outfile_place(file))
        return options_complain("render", "-o '%s': %s", r->path, strerror(errno));
    return EXIT_DONE;
}

static int draw(const request *r, const scene *s, const plan *p, picture_camera camera,
                outfile *file) {
    const render_look *look = render_look_of(s);
    snapshot *shots = calloc(p->methods * p->frames + 1, sizeof *shots);
    if (!shots)
        return options_complain("render", "%s", rod_status_text(ROD_E_MEMORY));
    size_t taken = 0;
    simulation shown;
    int code = take_all(r, s, p, shots, &shown, &taken);
    if (code == EXIT_DONE) {
        const render_sheet sheet = {.scene = s,
                                    .shots = shots,
                                    .methods = taken / p->frames,
                                    .begins_at_rest = shows_rest(r, s),
                                    .frames = p->frames,
                                    .width = r->width ? (double)r->width : 960.0,
                                    .thickness = r->thickness > 0.0f ? (double)r->thickness
                                                                     : look->thickness,
                                    .element_length = (double)shown.settings.lengths[0],
                                    .dt = (double)shown.settings.step.dt,
                                    .camera = camera,
                                    .labels = !r->no_labels};
        code = write(&sheet, r, file);
    }
    snapshots_release(shots, taken);
    free(shots);
    return code;
}

int command_render(int argc, char **argv) {
    request r = {.seed = 1};
    const char *scene_name = NULL;
    const option options[] = {
        {"-o", "FILE", "the picture, SVG", OPTION_TEXT, &r.path, 0, 0},
        {"--method", "LIST", "of quaternion, pber and pbd, side by side", OPTION_TEXT, &r.methods,
         0, 0},
        {"--frames", "LIST", "an image after each; a scene that is over stays as it is",
         OPTION_TEXT, &r.frames, 0, 0},
        {"--iterations", "N", "of every method, instead of the scene's", OPTION_COUNT,
         &r.iterations, 1, 1000000},
        {"--rods", "N", "rods of the scene", OPTION_COUNT, &r.rods, 1, 100000},
        {"--elements", "N", "elements of each rod", OPTION_COUNT, &r.elements, 1, 100000},
        {"--length", "L", "length of an element", OPTION_NUMBER, &r.length, 0, 0},
        {"--seed", "N", "for what is random in the scene (1)", OPTION_SEED, &r.seed, 0, 0},
        {"--width", "PIXELS", "of the picture (960)", OPTION_COUNT, &r.width, 100, 10000},
        {"--camera", "YAW,PITCH", "degrees", OPTION_TEXT, &r.camera, 0, 0},
        {"--thickness", "SHARE", "radius of a rod / length of an element", OPTION_NUMBER,
         &r.thickness, 0, 0},
        {"--no-labels", "", "rods only", OPTION_FLAG, &r.no_labels, 0, 0},
        {"--every", "N", "instead of a picture every Nth frame up to --frames, as JSON",
         OPTION_COUNT, &r.every, 1, MAX_FRAMES},
    };
    enum { OPTIONS = sizeof options / sizeof *options };
    if (options_help(argc, argv, "render SCENE -o FILE [options]",
                     "Draws a scene: rods as shaded tubes, with a light and a dark stripe on "
                     "opposite sides that show\ntheir twist (strands have none, and no stripe); "
                     "many rods as threads.",
                     options, OPTIONS)) {
        selection_print_scenes();
        return EXIT_DONE;
    }
    if (!options_read("render", argc, argv, options, OPTIONS, &scene_name))
        return EXIT_WRONG_USAGE;
    const scene *s = selection_scene("render", scene_name);
    if (!s)
        return EXIT_WRONG_USAGE;
    plan p = {0};
    picture_camera camera = render_look_of(s)->camera;
    if (!make_plan(&r, s, &p) || (r.camera && !read_camera(r.camera, &camera)))
        return EXIT_WRONG_USAGE;
    if (!r.path)
        return options_complain("render", "no -o FILE given; a file that can be written is "
                                          "accepted");
    outfile file = {0};
    if (!outfile_open(&file, r.path))
        return options_complain("render", "-o '%s': %s; a file that can be written is accepted",
                                r.path, strerror(errno));
    const int code = draw(&r, s, &p, camera, &file);
    outfile_abandon(&file);
    return code;
}
