#include "commands.h"

#include "choose.h"
#include "json.h"
#include "options.h"
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const rod_variant *variant;
    rod_isa isa;
    bool verified;
} row;

/* What a batch of each class gets; many rods, so that they fill the vectors. What ROD_KERNEL forces
 * was checked before any command ran. */
static void choose_all(rod_choice choices[ROD_CLASSES]) {
    const char *text = getenv("ROD_KERNEL");
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        choices[i] = rod_choose(&c, c.shape == ROD_SHAPE_ONE ? 1 : 1000);
        const rod_variant *forced;
        rod_forced_variant(text ? text : "", c.method, &forced);
        if (forced)
            choices[i] = (rod_choice){forced, "forced by ROD_KERNEL"};
    }
}

/* By default: at full accuracy. */
static bool is_chosen(const rod_variant *v, const rod_choice *choices) {
    for (size_t i = 0; i < ROD_CLASSES; i++)
        if (choices[i].variant == v && rod_class_at(i).accuracy == ROD_ACCURACY_FULL)
            return true;
    return false;
}

/* ---------------------------------------------------------------- text */

static void print_row(const row *r, const rod_choice *choices) {
    printf("%c %-36s %-10s %5zu  %-7s %-8s %-7s %-7s %s\n",
           is_chosen(r->variant, choices) ? '*' : ' ', r->variant->name, r->variant->layout,
           r->variant->lanes, r->variant->norm, r->variant->weights,
           r->isa.native ? "native" : "SIMDe", r->isa.usable ? "usable" : "-",
           r->verified ? "verified" : (r->isa.usable ? "FAILED" : "-"));
}

static void print_choices(const rod_choice *choices) {
    puts("\nchosen by default, and why (other accuracies: --json)");
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        if (c.accuracy != ROD_ACCURACY_FULL || !choices[i].variant)
            continue;
        printf("  %-11s %-12s %-11s %-32s %s\n", rod_method_name(c.method),
               rod_shape_class_name(c.shape), rod_order_name(c.order), choices[i].variant->name,
               choices[i].reason);
    }
}

static void print_text(const row *rows, size_t count, const rod_choice *choices) {
    printf("  %-36s %-10s %5s  %-7s %-8s %-7s %-7s %s\n", "variant", "layout", "lanes", "norm",
           "weights", "native", "usable", "verified");
    for (size_t i = 0; i < count; i++)
        print_row(&rows[i], choices);
    print_choices(choices);
}

/* ---------------------------------------------------------------- JSON */

static void write_choices(json_writer *w, const rod_variant *v, const rod_choice *choices) {
    json_begin_array(w, "chosen_for");
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        if (choices[i].variant != v)
            continue;
        json_begin_object(w, NULL);
        json_string(w, "shape", rod_shape_class_name(c.shape));
        json_string(w, "order", rod_order_name(c.order));
        json_string(w, "accuracy", rod_accuracy_name(c.accuracy));
        json_string(w, "reason", choices[i].reason);
        json_end_object(w);
    }
    json_end_array(w);
}

static void write_row(json_writer *w, const row *r, const rod_choice *choices) {
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
    json_bool(w, "chosen", is_chosen(r->variant, choices));
    write_choices(w, r->variant, choices);
    json_end_object(w);
}

static void print_json(const row *rows, size_t count, const rod_choice *choices) {
    json_writer w = json_writer_to(stdout);
    json_begin_array(&w, NULL);
    for (size_t i = 0; i < count; i++)
        write_row(&w, &rows[i], choices);
    json_end_array(&w);
}

/* ---------------------------------------------------------------- the command */

static row row_of(size_t index, const verify_suite *suite) {
    const rod_variant *v = rod_variant_at(index);
    const rod_isa isa = rod_variant_isa(v);
    return (row){
        .variant = v,
        .isa = isa,
        .verified = suite && isa.usable && verify_variant(suite, v).passed,
    };
}

int command_list(int argc, char **argv) {
    bool json = false;
    const option options[] = {
        {"--json", "", "an array instead of a table", OPTION_FLAG, &json, 0, 0}};
    if (options_help(argc, argv, "list [--json]",
                     "Every kernel variant. native: in this CPU's own instructions, not translated "
                     "by SIMDe. usable: built,\nand this CPU can run it. verified: a short check "
                     "against the reference, made now (`rodbench verify`\nis the long one). *: "
                     "what some batch gets by default; which, and why, follows.",
                     options, 1))
        return EXIT_DONE;
    if (!options_read("list", argc, argv, options, 1, NULL))
        return EXIT_WRONG_USAGE;
    const size_t count = rod_variant_count();
    row *rows = calloc(count, sizeof *rows);
    rod_choice *choices = calloc(ROD_CLASSES, sizeof *choices);
    if (!rows || !choices) {
        free(rows);
        free(choices);
        return options_complain("list", "%s", rod_status_text(ROD_E_MEMORY));
    }
    verify_suite *suite = verify_prepare(1, 10, NULL);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (size_t i = 0; i < count; i++)
        rows[i] = row_of(i, suite);
    choose_all(choices);
    if (json)
        print_json(rows, count, choices);
    else
        print_text(rows, count, choices);
    verify_finish(suite);
    free(choices);
    free(rows);
    return EXIT_DONE;
}
