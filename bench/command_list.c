#include "commands.h"

#include "json.h"
#include "options.h"
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const rod_variant *variant;
    rod_isa isa;
    bool verified, chosen;
} row;

static row row_of(size_t index, const verify_suite *suite) {
    const rod_variant *v = rod_variant_at(index);
    const rod_isa isa = rod_variant_isa(v);
    rod_method method = ROD_METHOD_QUATERNION;
    rod_method_named(v->method, &method);
    return (row){
        .variant = v,
        .isa = isa,
        .verified = suite && isa.usable && verify_variant(suite, v).passed,
        .chosen = v == rod_variant_default(method, SIZE_MAX),
    };
}

static void print_row(const row *r) {
    printf("%c %-36s %-10s %5zu  %-7s %-8s %-7s %-7s %s\n", r->chosen ? '*' : ' ', r->variant->name,
           r->variant->layout, r->variant->lanes, r->variant->norm, r->variant->weights,
           r->isa.native ? "native" : "SIMDe", r->isa.usable ? "usable" : "-",
           r->verified ? "verified" : (r->isa.usable ? "FAILED" : "-"));
}

static void write_row(json_writer *w, const row *r) {
    json_begin_object(w, NULL);
    json_schema(w);
    json_string(w, "name", r->variant->name);
    json_string(w, "method", r->variant->method);
    json_string(w, "layout", r->variant->layout);
    json_string(w, "isa", r->variant->isa);
    json_unsigned(w, "lanes", r->variant->lanes);
    json_unsigned(w, "unroll", r->variant->unroll);
    json_string(w, "norm", r->variant->norm);
    json_string(w, "weights", r->variant->weights);
    json_bool(w, "native", r->isa.native);
    json_bool(w, "built", r->isa.built);
    json_bool(w, "usable", r->isa.usable);
    json_bool(w, "verified", r->verified);
    json_bool(w, "chosen", r->chosen);
    json_end_object(w);
}

int command_list(int argc, char **argv) {
    bool json = false;
    const option options[] = {
        {"--json", "", "an array instead of a table", OPTION_FLAG, &json, 0, 0}};
    if (options_help(argc, argv, "list [--json]",
                     "Every kernel variant. native: in this CPU's own instructions, not translated "
                     "by SIMDe. usable: built,\nand this CPU can run it. verified: a short check "
                     "against the reference, made now (`rodbench verify`\nis the long one). *: "
                     "what a batch of many rods gets by default.",
                     options, 1))
        return EXIT_DONE;
    if (!options_read("list", argc, argv, options, 1, NULL))
        return EXIT_WRONG_USAGE;
    const size_t count = rod_variant_count();
    row *rows = calloc(count, sizeof *rows);
    if (!rows)
        return options_complain("list", "%s", rod_status_text(ROD_E_MEMORY));
    verify_suite *suite = verify_prepare(1, 10, NULL);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (size_t i = 0; i < count; i++)
        rows[i] = row_of(i, suite);
    json_writer w = json_writer_to(stdout);
    if (json)
        json_begin_array(&w, NULL);
    else
        printf("  %-36s %-10s %5s  %-7s %-8s %-7s %-7s %s\n", "variant", "layout", "lanes", "norm",
               "weights", "native", "usable", "verified");
    for (size_t i = 0; i < count; i++)
        if (json)
            write_row(&w, &rows[i]);
        else
            print_row(&rows[i]);
    if (json)
        json_end_array(&w);
    verify_finish(suite);
    free(rows);
    return EXIT_DONE;
}
