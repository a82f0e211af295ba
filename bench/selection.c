#include "selection.h"

#include "choose.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void selection_options(selection *s, option options[SELECTION_OPTIONS]) {
    const option all[SELECTION_OPTIONS] = {
        {"--method", "NAME", "quaternion, pber or pbd", OPTION_TEXT, &s->method, 0, 0},
        {"--order", "NAME", "sequential, bilateral, cross or redblack", OPTION_TEXT, &s->order, 0,
         0},
        {"--variant", "NAME", "a kernel variant (rodbench list)", OPTION_TEXT, &s->variant, 0, 0},
        {"--rods", "N", "rods of the batch", OPTION_COUNT, &s->rods, 1, 0},
        {"--elements", "N", "elements of each rod", OPTION_COUNT, &s->elements, 1, 0},
        {"--iterations", "N", "solver iterations in a frame", OPTION_COUNT, &s->iterations, 1,
         1000000000},
        {"--length", "L", "length of an element", OPTION_NUMBER, &s->length, 0, 0},
        {"--frames", "N", "time steps", OPTION_COUNT, &s->frames, 1, 1000000000},
        {"--dt", "SECONDS", "time of a frame", OPTION_NUMBER, &s->dt, 0, 0},
        {"--rigid-damping", "SHARE",
         "pbd: of the velocity beside a rod's rigid motion, lost in a frame (0)", OPTION_SHARE,
         &s->rigid_damping, 0, 0},
        {"--stiffness-per-frame", "",
         "a stiffness is a whole frame's, whatever the iterations; only slinky's is not 1",
         OPTION_FLAG, &s->stiffness_per_frame, 0, 0},
        {"--threads", "N", "threads that step the batch (1)", OPTION_COUNT, &s->threads, 1,
         ROD_MAX_THREADS},
        {"--seed", "N", "for what is random in the scene (1)", OPTION_SEED, &s->seed, 0, 0},
    };
    s->seed = 1;
    memcpy(options, all, sizeof all);
}

const scene *selection_scene(const char *command, const char *name) {
    const scene *found = name ? scene_named(name) : NULL;
    if (found)
        return found;
    char accepted[256] = "";
    for (size_t i = 0, length = 0; i < scene_count(); i++)
        length +=
            (size_t)snprintf(accepted + length, sizeof accepted - length, " %s", scene_at(i)->name);
    if (name)
        options_complain(command, "unknown scene '%s'; accepted:%s", name, accepted);
    else
        options_complain(command, "no scene given; accepted:%s", accepted);
    return NULL;
}

void selection_print_scenes(void) {
    puts("\nscenes:");
    for (size_t i = 0; i < scene_count(); i++)
        printf("  %-12s %s\n", scene_at(i)->name, scene_at(i)->what);
}

/* A variant is of one method, which then need not be named. */
static bool apply_method(const char *command, const selection *s, simulation *to) {
    const rod_variant *variant = s->variant ? rod_variant_named(s->variant) : NULL;
    const char *name = s->method ? s->method : variant ? variant->method : NULL;
    if (!name || rod_method_named(name, &to->options.method))
        return true;
    options_complain(command, "unknown method '%s'; accepted: quaternion pber pbd", name);
    return false;
}

static bool apply_order(const char *command, const selection *s, simulation *to) {
    if (!s->order || rod_order_named(s->order, &to->settings.step.order))
        return true;
    options_complain(command, "unknown order '%s'; accepted: sequential bilateral cross redblack",
                     s->order);
    return false;
}

static bool apply_damping(const char *command, const selection *s, simulation *to) {
    to->settings.step.rigid_damping = s->rigid_damping;
    if (!(s->rigid_damping > 0.0f) || to->options.method == ROD_METHOD_PBD)
        return true;
    options_complain(command, "--rigid-damping is of strands, not of method '%s'; accepted: pbd",
                     rod_method_name(to->options.method));
    return false;
}

/* Linux hands out more memory than there is and ends the program when it is used. */
static bool fits_memory(const char *command, const scene_settings *settings) {
    machine_info machine;
    machine_read(&machine);
    const double need = simulation_bytes(settings), have = (double)machine.memory_bytes;
    if (have == 0.0 || need <= have)
        return true;
    options_complain(command,
                     "%zu rods of %zu elements need about %.3g GiB; this machine has %.3g GiB",
                     settings->rods, settings->elements, need / 0x1p30, have / 0x1p30);
    return false;
}

bool selection_apply(const char *command, const selection *s, const scene *shown, simulation *to) {
    *to = (simulation){.scene = shown, .options = rod_options_default()};
    if (!apply_method(command, s, to))
        return false;
    to->settings = scene_defaults(shown, to->options.method);
    to->settings.seed = s->seed;
    to->options.variant = s->variant;
    if (s->rods)
        to->settings.rods = s->rods;
    if (s->elements)
        to->settings.elements = s->elements;
    if (s->iterations)
        to->settings.step.iterations = s->iterations;
    if (s->frames)
        to->settings.frames = s->frames;
    if (s->length > 0.0f)
        to->settings.lengths[0] = s->length;
    if (s->dt > 0.0f)
        to->settings.step.dt = s->dt;
    to->settings.step.stiffness_per_frame = s->stiffness_per_frame;
    if (s->threads)
        to->options.threads = s->threads;
    return apply_order(command, s, to) && apply_damping(command, s, to) &&
           fits_memory(command, &to->settings);
}

bool selection_environment(const char *command) {
    const char *forced = getenv("ROD_KERNEL");
    const rod_variant *variant;
    const rod_status status =
        forced ? rod_forced_variant(forced, ROD_METHOD_QUATERNION, &variant) : ROD_OK;
    if (status != ROD_OK)
        options_complain(command,
                         "ROD_KERNEL='%s': %s; `ROD_KERNEL= rodbench list` shows those that are "
                         "accepted",
                         forced, rod_status_text(status));
    return status == ROD_OK;
}

/* Whether the registry has the same variant for general weights, whose name has that at its end. */
static bool has_general(const rod_variant *v) {
    char name[64];
    snprintf(name, sizeof name, "%s-general", v->name);
    return rod_variant_named(name) != NULL;
}

static bool is_second(const rod_variant *v) {
    const char *end = strstr(v->name, "-general");
    return end && end[strlen("-general")] == '\0';
}

/* Names of the method that are native and run here; [-general] stands for a second one. */
static void accepted_variants(const char *method, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < rod_variant_count(); i++) {
        const rod_variant *v = rod_variant_at(i);
        const rod_isa isa = rod_variant_isa(v);
        if (strcmp(v->method, method) != 0 || !isa.native || !isa.usable || is_second(v) ||
            length >= size)
            continue;
        length += (size_t)snprintf(text + length, size - length, " %s%s", v->name,
                                   has_general(v) ? "[-general]" : "");
    }
}

int selection_complain(const char *command, const simulation *s, rod_status status) {
    if (status != ROD_E_VARIANT && status != ROD_E_UNUSABLE)
        return options_complain(command, "%s", rod_status_text(status));
    char accepted[OPTIONS_LINE];
    const char *forced = getenv("ROD_KERNEL");
    const bool is_forced = !s->options.variant && forced;
    accepted_variants(rod_method_name(s->options.method), accepted, sizeof accepted);
    return options_complain(
        command, "%s'%s': %s; accepted here:%s", is_forced ? "ROD_KERNEL=" : "variant ",
        is_forced ? forced : s->options.variant, rod_status_text(status), accepted);
}
