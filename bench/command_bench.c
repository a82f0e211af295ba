#include "commands.h"

#include "machine.h"
#include "operations.h"
#include "options.h"
#include "peak.h"
#include "roofline.h"
#include "shim.h"
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More strands than the second level of any cache holds, few enough to be quick. */
enum { BENCH_RODS = 2048, BENCH_ELEMENTS = 50, BENCH_ITERATIONS = 10 };

static const char *prepare(void *context) {
    simulation *s = context;
    const rod_status status = simulation_start(s);
    if (status != ROD_OK)
        return rod_status_text(status);
    simulation_step(s, 1); /* memory that was never touched would be timed otherwise */
    return NULL;
}

static void body(void *context, size_t repeats) {
    simulation_step(context, repeats);
}

static double bytes_per_item(const void *context) {
    const simulation *s = context;
    return roofline_frame_bytes(s) / simulation_element_iterations(s);
}

static void release(void *context) {
    simulation_finish(context);
}

static void set_up(simulation *s, const rod_variant *variant) {
    *s = (simulation){.scene = scene_named("hair"), .options = rod_options_default()};
    rod_method_named(variant->method, &s->options.method);
    s->settings = scene_defaults(s->scene, s->options.method);
    s->settings.rods = BENCH_RODS;
    s->settings.elements = BENCH_ELEMENTS;
    s->settings.step.iterations = BENCH_ITERATIONS;
    s->settings.step.order = ROD_ORDER_SEQUENTIAL;
    s->options.variant = variant->name;
}

static void note_peak(const rod_isa *isa, double rate) {
    char key[64], value[32];
    snprintf(key, sizeof key, "%s_vector_fma_per_second", isa->name);
    snprintf(value, sizeof value, "%.3e", rate);
    if (isa->usable)
        shim_context(key, value);
}

/* Registers every usable variant with the bound of its ISA, measured now. */
static void register_all(simulation *simulations) {
    for (size_t i = 0; i < rod_isa_count(); i++) {
        const rod_isa isa = rod_isa_at(i);
        const peak_rates rates = peak_measure(&isa);
        note_peak(&isa, rates.multiply_adds);
        for (size_t j = 0; isa.usable && j < rod_variant_count(); j++) {
            const rod_variant *v = rod_variant_at(j);
            if (strcmp(v->isa, isa.name) != 0)
                continue;
            char name[96];
            snprintf(name, sizeof name, "hair/%s", v->name);
            set_up(&simulations[j], v);
            shim_register(&(shim_benchmark){
                .name = name,
                .context = &simulations[j],
                .prepare = prepare,
                .body = body,
                .release = release,
                .items_per_repeat = simulation_element_iterations(&simulations[j]),
                .bound_seconds_per_item = peak_frame_bound(v, simulations[j].settings.step.order,
                                                           rates, BENCH_ITERATIONS),
                .operations_per_item = (double)rod_operations(v).all,
                .bytes_per_item = bytes_per_item,
            });
        }
    }
}

int command_bench(int argc, char **argv) {
    if (options_help(
            argc, argv, "bench [--benchmark_*]",
            "Google Benchmark over all usable variants: the scene hair with 2048 strands "
            "of 50 elements and 10\niterations, sequential order, one frame a repeat. "
            "Counters: elem_iter/s, ns/elem_iter, fma_bound_%,\nthe share of the "
            "machine's peak of multiply-adds (measured in the same run, in the context) that "
            "the whole frame's\narithmetic reaches, ops/elem_iter, the counted vector operations "
            "of the solver, and bytes/elem_iter that a\nframe moves. Takes Google Benchmark's "
            "flags: --benchmark_filter=REGEX "
            "--benchmark_min_time=SECONDS\n--benchmark_repetitions=N "
            "--benchmark_format=console|json|csv --benchmark_out=FILE and so on.",
            NULL, 0))
        return EXIT_DONE;
    simulation *simulations = calloc(rod_variant_count(), sizeof *simulations);
    char **arguments = calloc((size_t)argc + 2, sizeof *arguments);
    if (!simulations || !arguments) {
        free(simulations);
        free(arguments);
        return options_complain("bench", "%s", rod_status_text(ROD_E_MEMORY));
    }
    arguments[0] = "rodbench bench";
    memcpy(arguments + 1, argv, (size_t)argc * sizeof *argv);
    machine_info machine;
    machine_read(&machine);
    shim_context("cpu", machine.cpu);
    shim_context("compiler", machine.compiler);
    shim_context("commit", machine_commit());
    register_all(simulations);
    const int code = shim_run(argc + 1, arguments);
    free(arguments);
    free(simulations);
    return code;
}
