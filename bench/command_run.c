#include "commands.h"

#include "clock.h"
#include "dump.h"
#include "machine.h"
#include "progress.h"
#include "selection.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading the clock takes some 0.3 us: a sample of several frames hides it. */
static const double least_sample_seconds = 100e-6;

/* Of a longer run the last so many count. */
enum { MAX_SAMPLES = 1 << 20 };

typedef struct {
    size_t frames;     /* that were simulated */
    clock_stats frame; /* seconds */
    scene_metrics metrics;
    uint64_t hash;
} run_result;

static size_t frames_in_sample(const simulation *s, double seconds_per_frame) {
    if (scene_needs_each_frame(s->scene) || seconds_per_frame >= least_sample_seconds)
        return 1;
    return (size_t)(least_sample_seconds / (seconds_per_frame + 1e-9)) + 1;
}

static rod_status simulate(simulation *s, run_result *result) {
    const size_t frames = s->settings.frames;
    const size_t room = frames < MAX_SAMPLES ? frames : MAX_SAMPLES;
    double *samples = malloc(room * sizeof *samples);
    if (!samples)
        return ROD_E_MEMORY;
    size_t count = 0, together = 1;
    double last = 0.0;
    double shown = clock_wall_seconds();
    for (size_t frame = 0; frame < frames; frame += together) {
        if (frame > 0)
            together = frames_in_sample(s, last);
        together = together < frames - frame ? together : frames - frame;
        last = scene_needs_each_frame(s->scene) ? simulation_play(s, frame)
                                                : simulation_step(s, together) / (double)together;
        samples[count++ % room] = last;
        result->frames = frame + together;
        if (scene_is_over(s->run))
            break;
        if (clock_wall_seconds() - shown > 0.2) {
            progress_show("frame", frame + together, frames);
            shown = clock_wall_seconds();
        }
    }
    progress_end();
    result->frame = clock_statistics(samples, count < room ? count : room);
    free(samples);
    result->metrics = scene_measure(s->run);
    result->hash = simulation_hash(s);
    return ROD_OK;
}

static void print_json(const simulation *s, const run_result *r) {
    const double items = simulation_element_iterations(s);
    char hash[17];
    machine_info machine;
    machine_read(&machine);
    snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
    json_writer w = json_writer_to(stdout);
    json_begin_object(&w, NULL);
    json_schema(&w);
    json_string(&w, "scene", s->scene->name);
    json_string(&w, "method", rod_method_name(s->options.method));
    json_string(&w, "order", rod_order_name(s->settings.step.order));
    json_string(&w, "variant", rod_variant_name(s->batch));
    json_unsigned(&w, "rods", s->settings.rods);
    json_unsigned(&w, "elements", s->settings.elements);
    json_unsigned(&w, "iterations", s->settings.step.iterations);
    json_unsigned(&w, "frames", r->frames);
    json_number(&w, "dt", (double)s->settings.step.dt);
    json_number(&w, "damping", (double)s->settings.step.damping);
    json_number(&w, "rigid_damping", (double)s->settings.step.rigid_damping);
    json_bool(&w, "stiffness_per_frame", s->settings.step.stiffness_per_frame != 0);
    json_unsigned(&w, "seed", s->settings.seed);
    json_unsigned(&w, "threads", s->options.threads);
    json_number(&w, "ns_per_frame_min", 1e9 * r->frame.min);
    json_number(&w, "ns_per_frame_median", 1e9 * r->frame.median);
    json_number(&w, "ns_per_element_iteration", 1e9 * r->frame.median / items);
    json_unsigned(&w, "resident_bytes", rod_resident_bytes(s->batch));
    json_string(&w, "state_hash", hash);
    scene_metrics_json(&w, &r->metrics);
    json_string(&w, "cpu", machine.cpu);
    json_string(&w, "compiler", machine.compiler);
    json_string(&w, "commit", machine_commit());
    json_end_object(&w);
}

static void print_text(const simulation *s, const run_result *r) {
    const double items = simulation_element_iterations(s);
    const scene_metrics *m = &r->metrics;
    printf("%s: %s\n", s->scene->name, s->scene->what);
    printf("  %s, %zu rods x %zu elements x %zu iterations, %zu frames of %g s, %s order, %zu %s\n",
           rod_method_name(s->options.method), s->settings.rods, s->settings.elements,
           s->settings.step.iterations, r->frames, (double)s->settings.step.dt,
           rod_order_name(s->settings.step.order), s->options.threads,
           s->options.threads == 1 ? "thread" : "threads");
    printf("  variant               %s\n", rod_variant_name(s->batch));
    printf("  time a frame          %.2f us min, %.2f us median\n", 1e6 * r->frame.min,
           1e6 * r->frame.median);
    printf("  element x iteration   %.2f ns min, %.2f ns median\n", 1e9 * r->frame.min / items,
           1e9 * r->frame.median / items);
    printf("  distance to rest      %.4f of the length; tip below the root by %.4f of it\n",
           m->rest_distance, m->tip_drop);
    printf("  stretch strain        %.2e rms, %.2e max; length ratio %.5f\n", m->stretch_rms,
           m->stretch_max, m->length_ratio);
    printf("  bend-twist strain     %.2e rms, %.2e max\n", m->bend_rms, m->bend_max);
    if (m->watches_loops && isnan(m->loop_turn))
        printf("  loop                  none; ");
    else if (m->watches_loops)
        printf("  loop                  at %.2f turns; ", m->loop_turn);
    if (m->watches_loops)
        printf("writhe %.3f, out of plane by %.4f of the length\n", m->writhe, m->out_of_plane);
    if (m->watches_recovery)
        printf("  recovered             %zu of %zu rods within 1 %%, median %.0f frames (KS16 fig. "
               "6: about 100)\n",
               m->recovered, s->settings.rods, m->median_frames);
    printf("  state hash            %016" PRIx64 "\n", r->hash);
    const rod_figures *f = &m->figures;
    if (f->folded_joints > 0 || f->broken_rods > 0 || f->stretched_rods > 0)
        printf("  warning               %zu joints folded, %zu rods no longer finite, %zu with an "
               "element twice as long as at rest\n",
               f->folded_joints, f->broken_rods, f->stretched_rods);
}

static int run(simulation *s, bool json, dump *d) {
    run_result result = {0};
    rod_status status = simulation_start(s);
    if (status != ROD_OK)
        return selection_complain("run", s, status);
    status = simulate(s, &result);
    int code = EXIT_DONE;
    if (status != ROD_OK)
        code = selection_complain("run", s, status);
    else if (d->file && !dump_write(d, s->batch))
        code = options_complain("run", "--dump: cannot write: %s", strerror(errno));
    else if (json)
        print_json(s, &result);
    else
        print_text(s, &result);
    if (code == EXIT_DONE && result.metrics.figures.broken_rods > 0)
        code = EXIT_CHECK_FAILED;
    simulation_finish(s);
    return code;
}

int command_run(int argc, char **argv) {
    selection chosen = {0};
    bool json = false;
    const char *scene_name = NULL, *dump_path = NULL;
    option options[SELECTION_OPTIONS + 2];
    selection_options(&chosen, options);
    options[SELECTION_OPTIONS] =
        (option){"--json", "", "one object instead of text", OPTION_FLAG, &json, 0, 0};
    options[SELECTION_OPTIONS + 1] =
        (option){"--dump",
                 "FILE",
                 "end state as CSV: rod,index,kind,x,y,z,w; kind p or q",
                 OPTION_TEXT,
                 &dump_path,
                 0,
                 0};
    if (options_help(
            argc, argv, "run SCENE [options]",
            "Simulates a scene and prints time per frame and figures of the end state. Exit "
            "code 1 if the end\nstate is not finite.",
            options, SELECTION_OPTIONS + 2)) {
        selection_print_scenes();
        return EXIT_DONE;
    }
    if (!options_read("run", argc, argv, options, SELECTION_OPTIONS + 2, &scene_name))
        return EXIT_WRONG_USAGE;
    const scene *shown = selection_scene("run", scene_name);
    simulation s;
    dump d = {0};
    if (!shown || !selection_apply("run", &chosen, shown, &s))
        return EXIT_WRONG_USAGE;
    if (dump_path && !dump_open(&d, dump_path))
        return options_complain("run", "--dump '%s': %s; a file that can be written is accepted",
                                dump_path, strerror(errno));
    const int code = run(&s, json, &d);
    dump_abandon(&d);
    return code;
}
