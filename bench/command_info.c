#include "commands.h"

#include "json.h"
#include "machine.h"
#include "options.h"
#include "peak.h"

#include <stdio.h>

static void print_isa(const rod_isa *isa, double clock) {
    printf("  %-8s %-22s %2zu %-6s %-6s ", isa->name, isa->what, isa->lanes,
           isa->lanes == 1 ? "lane" : "lanes", isa->native ? "native" : "SIMDe");
    if (!isa->usable) {
        puts(isa->built ? "not on this CPU" : "not built here");
        return;
    }
    const double rate = peak_rate(isa);
    printf("%6.2f G multiply-adds/s of a vector, %.2f a cycle, %.1f GFLOP/s\n", rate / 1e9,
           rate / clock, 2e-9 * rate * (double)isa->lanes);
}

static void print_text(const machine_info *m, double clock) {
    printf("CPU        %s, %u cores online\n", m->cpu, m->cores_online);
    printf("clock      %.2f GHz, measured\n", clock / 1e9);
    printf("caches     L1d %zu KiB, L2 %zu KiB, L3 %zu KiB\n", m->l1d_bytes / 1024,
           m->l2_bytes / 1024, m->l3_bytes / 1024);
    printf("memory     %.1f GiB\n", (double)m->memory_bytes / 0x1p30);
    printf("kernel     %s\n", m->kernel);
    printf("compiler   %s\n", m->compiler);
    printf("version    %s, commit %s\n", ROD_VERSION, machine_commit());
    puts("instruction sets, with the measured peak of one core:");
    for (size_t i = 0; i < rod_isa_count(); i++) {
        const rod_isa isa = rod_isa_at(i);
        print_isa(&isa, clock);
    }
}

static void write_isa(json_writer *w, const rod_isa *isa) {
    json_begin_object(w, NULL);
    json_string(w, "name", isa->name);
    json_unsigned(w, "lanes", isa->lanes);
    json_bool(w, "native", isa->native);
    json_bool(w, "built", isa->built);
    json_bool(w, "usable", isa->usable);
    if (isa->usable)
        json_number(w, "vector_fma_per_second", peak_rate(isa));
    json_end_object(w);
}

static void print_json(const machine_info *m, double clock) {
    json_writer w = json_writer_to(stdout);
    json_begin_object(&w, NULL);
    json_schema(&w);
    json_string(&w, "cpu", m->cpu);
    json_string(&w, "slug", m->slug);
    json_unsigned(&w, "cores_online", m->cores_online);
    json_number(&w, "clock_hz", clock);
    json_unsigned(&w, "l1d_bytes", m->l1d_bytes);
    json_unsigned(&w, "l2_bytes", m->l2_bytes);
    json_unsigned(&w, "l3_bytes", m->l3_bytes);
    json_unsigned(&w, "memory_bytes", m->memory_bytes);
    json_string(&w, "kernel", m->kernel);
    json_string(&w, "compiler", m->compiler);
    json_string(&w, "version", ROD_VERSION);
    json_string(&w, "commit", machine_commit());
    json_begin_array(&w, "isas");
    for (size_t i = 0; i < rod_isa_count(); i++) {
        const rod_isa isa = rod_isa_at(i);
        write_isa(&w, &isa);
    }
    json_end_array(&w);
    json_end_object(&w);
}

int command_info(int argc, char **argv) {
    bool json = false;
    const option options[] = {
        {"--json", "", "one object instead of text", OPTION_FLAG, &json, 0, 0}};
    if (options_help(argc, argv, "info [--json]",
                     "This machine: CPU, caches, the clock and the peak rate of multiply-adds as "
                     "measured now, compiler, commit.",
                     options, 1))
        return EXIT_DONE;
    if (!options_read("info", argc, argv, options, 1, NULL))
        return EXIT_WRONG_USAGE;
    machine_info m;
    machine_read(&m);
    const double clock = machine_clock_hz();
    if (json)
        print_json(&m, clock);
    else
        print_text(&m, clock);
    return EXIT_DONE;
}
