#include "commands.h"

#include "json.h"
#include "machine.h"
#include "options.h"
#include "peak.h"
#include "roofline.h"

#include <stdio.h>
#include <stdlib.h>

/* All that is measured. */
typedef struct {
    machine_info machine;
    double clock;
    peak_rates *rates; /* of each ISA */
    roofline_row *rows;
    size_t count;
} findings;

static rod_status find(findings *f) {
    const size_t isas = rod_isa_count();
    f->rates = calloc(isas, sizeof *f->rates);
    f->rows = calloc(ROD_METHODS * isas, sizeof *f->rows);
    if (!f->rates || !f->rows)
        return ROD_E_MEMORY;
    machine_read(&f->machine);
    f->clock = machine_clock_hz();
    for (size_t i = 0; i < isas; i++) {
        const rod_isa isa = rod_isa_at(i);
        f->rates[i] = peak_measure(&isa);
    }
    return roofline_measure(f->rates, f->rows, &f->count);
}

static void print_isa(const rod_isa *isa, peak_rates rates, double clock) {
    printf("  %-8s %-22s %2zu %-6s %-6s ", isa->name, isa->what, isa->lanes,
           isa->lanes == 1 ? "lane" : "lanes", isa->native ? "native" : "SIMDe");
    if (!isa->usable) {
        puts(isa->built ? "not on this CPU" : "not built here");
        return;
    }
    const double rate = rates.multiply_adds;
    printf("%6.2f G multiply-adds/s of a vector, %.2f a cycle, %.1f GFLOP/s; %.2f a cycle with "
           "additions beside\n",
           rate / 1e9, rate / clock, 2e-9 * rate * (double)isa->lanes, rates.mixed / clock);
}

static void print_count(char *text, size_t size, rod_operation_count n) {
    snprintf(text, size, "%zu + %zu", n.all - n.additions, n.additions);
}

static void print_rows(const findings *f) {
    printf(
        "bodies: a frame of %d rods x %d elements x %d iterations, in cache, the method's order;\n"
        "for one element and iteration (around: for one element and frame); + additions and "
        "subtractions\n",
        ROOFLINE_RODS, ROOFLINE_ELEMENTS, ROOFLINE_ITERATIONS);
    printf("  %-28s %10s %9s %9s %9s %9s %7s\n", "variant", "operations", "around", "bound ns",
           "here ns", "of bound", "bytes");
    for (size_t i = 0; i < f->count; i++) {
        const roofline_row *r = &f->rows[i];
        char solver[32], around[32];
        print_count(solver, sizeof solver, r->operations);
        print_count(around, sizeof around, r->frame_operations);
        printf("  %-28s %10s %9s %9.2f %9.2f %7.0f %% %7.1f\n", r->variant->name, solver, around,
               1e9 * r->bound, 1e9 * r->seconds, 100.0 * r->bound / r->seconds, r->bytes);
    }
}

static void print_text(const findings *f) {
    const machine_info *m = &f->machine;
    printf("CPU        %s, %u cores online\n", m->cpu, m->cores_online);
    printf("clock      %.2f GHz, measured\n", f->clock / 1e9);
    printf("caches     L1d %zu KiB, L2 %zu KiB, L3 %zu KiB\n", m->l1d_bytes / 1024,
           m->l2_bytes / 1024, m->l3_bytes / 1024);
    printf("memory     %.1f GiB\n", (double)m->memory_bytes / 0x1p30);
    printf("kernel     %s\n", m->kernel);
    printf("compiler   %s\n", m->compiler);
    printf("version    %s, commit %s\n", ROD_VERSION, machine_commit());
    puts("instruction sets, with the measured peak of one core:");
    for (size_t i = 0; i < rod_isa_count(); i++) {
        const rod_isa isa = rod_isa_at(i);
        print_isa(&isa, f->rates[i], f->clock);
    }
    print_rows(f);
}

static void write_isa(json_writer *w, const rod_isa *isa, peak_rates rates) {
    json_begin_object(w, NULL);
    json_string(w, "name", isa->name);
    json_unsigned(w, "lanes", isa->lanes);
    json_bool(w, "native", isa->native);
    json_bool(w, "built", isa->built);
    json_bool(w, "usable", isa->usable);
    if (isa->usable) {
        json_number(w, "vector_fma_per_second", rates.multiply_adds);
        json_number(w, "vector_mixed_per_second", rates.mixed);
    }
    json_end_object(w);
}

static void write_row(json_writer *w, const roofline_row *r) {
    json_begin_object(w, NULL);
    json_string(w, "variant", r->variant->name);
    json_string(w, "method", r->variant->method);
    json_string(w, "isa", r->variant->isa);
    json_unsigned(w, "operations", r->operations.all);
    json_unsigned(w, "additions", r->operations.additions);
    json_unsigned(w, "frame_operations", r->frame_operations.all);
    json_unsigned(w, "frame_additions", r->frame_operations.additions);
    json_number(w, "bound_ns", 1e9 * r->bound);
    json_number(w, "ns", 1e9 * r->seconds);
    json_number(w, "bound_percent", 100.0 * r->bound / r->seconds);
    json_number(w, "bytes", r->bytes);
    json_end_object(w);
}

static void print_json(const findings *f) {
    const machine_info *m = &f->machine;
    json_writer w = json_writer_to(stdout);
    json_begin_object(&w, NULL);
    json_schema(&w);
    json_string(&w, "cpu", m->cpu);
    json_string(&w, "slug", m->slug);
    json_unsigned(&w, "cores_online", m->cores_online);
    json_number(&w, "clock_hz", f->clock);
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
        write_isa(&w, &isa, f->rates[i]);
    }
    json_end_array(&w);
    json_begin_array(&w, "bodies");
    for (size_t i = 0; i < f->count; i++)
        write_row(&w, &f->rows[i]);
    json_end_array(&w);
    json_end_object(&w);
}

int command_info(int argc, char **argv) {
    bool json = false;
    const option options[] = {
        {"--json", "", "one object instead of text", OPTION_FLAG, &json, 0, 0}};
    if (options_help(argc, argv, "info [--json]",
                     "This machine: CPU, caches, the clock and the peak rate of multiply-adds as "
                     "measured now, compiler, commit; and of\neach method and instruction set, "
                     "which share of that peak the kernel for many rods reaches in a short "
                     "measurement,\nwith its counted operations and the bytes that it moves.",
                     options, 1))
        return EXIT_DONE;
    if (!options_read("info", argc, argv, options, 1, NULL))
        return EXIT_WRONG_USAGE;
    findings f = {0};
    const rod_status status = find(&f);
    if (status == ROD_OK && json)
        print_json(&f);
    else if (status == ROD_OK)
        print_text(&f);
    free(f.rates);
    free(f.rows);
    return status == ROD_OK ? EXIT_DONE : options_complain("info", "%s", rod_status_text(status));
}
