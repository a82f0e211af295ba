#include "commands.h"
#include "json.h"
#include "options.h"
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_result(const rod_variant *v, const verify_result *r) {
    if (r->status != ROD_OK) {
        printf("%-36s FAILED   %s\n", v->name, rod_status_text(r->status));
        return;
    }
    printf("%-36s %-6s   error %.2e of %.0e   worst: %s, %s\n", v->name,
           r->passed ? "passed" : "FAILED", r->error, r->limit, r->worst, r->order);
}

static void write_result(json_writer *w, const rod_variant *v, const verify_result *r) {
    json_begin_object(w, NULL);
    json_string(w, "name", v->name);
    json_bool(w, "passed", r->passed);
    json_number(w, "error", r->error);
    json_number(w, "limit", r->limit);
    json_string(w, "worst_case", r->worst);
    json_string(w, "worst_order", r->order);
    json_end_object(w);
}

/* What is verified; NULL for all. */
typedef struct {
    const char *method, *isa;
} choice;

static bool is_chosen(const rod_variant *v, const choice *c) {
    return rod_variant_usable(v) && (!c->method || strcmp(v->method, c->method) == 0) &&
           (!c->isa || strcmp(v->isa, c->isa) == 0);
}

/* Reports a name that there is none of. */
static bool check_choice(const choice *c) {
    rod_method method;
    if (c->method && !rod_method_named(c->method, &method)) {
        options_complain("verify", "unknown method '%s'; accepted: quaternion pber pbd", c->method);
        return false;
    }
    char accepted[128] = "";
    for (size_t i = 0, length = 0; i < rod_isa_count(); i++) {
        if (!c->isa || strcmp(rod_isa_at(i).name, c->isa) == 0)
            return true;
        length += (size_t)snprintf(accepted + length, sizeof accepted - length, " %s",
                                   rod_isa_at(i).name);
    }
    options_complain("verify", "unknown ISA '%s'; accepted:%s", c->isa, accepted);
    return false;
}

static bool verify_chosen(const verify_suite *suite, const choice *c, verify_result *results) {
    bool *wanted = calloc(rod_variant_count(), sizeof *wanted);
    for (size_t i = 0; wanted && i < rod_variant_count(); i++)
        wanted[i] = is_chosen(rod_variant_at(i), c);
    if (wanted)
        verify_all(suite, wanted, results);
    free(wanted);
    return wanted != NULL;
}

int command_verify(int argc, char **argv) {
    uint64_t seed = 1;
    bool json = false;
    size_t tens = 10;
    choice chosen = {0};
    const option options[] = {
        {"--tens", "N", "of frames that each rod is run (10)", OPTION_COUNT, &tens, 1, 1000},
        {"--method", "NAME", "only quaternion, pber or pbd", OPTION_TEXT, &chosen.method, 0, 0},
        {"--isa", "NAME", "only variants of this instruction set", OPTION_TEXT, &chosen.isa, 0, 0},
        {"--seed", "N", "of the random rods (1)", OPTION_SEED, &seed, 0, 0},
        {"--json", "", "one object instead of lines", OPTION_FLAG, &json, 0, 0},
    };
    if (options_help(
            argc, argv, "verify [options]",
            "Runs every usable variant beside the double-precision reference of its method for "
            "100\n"
            "frames, in all four orders: straight and curled rods of mixed lengths, random "
            "weights,\n"
            "forces, clamped at one end, and free ones of 17 and 24 elements (free rods of a few\n"
            "elements drift further than the limit in float32, the textbook too); and scene1 and\n"
            "scene2 as they are, in the order of the method. A line each; the error is the "
            "largest\n"
            "distance of a particle to the reference / rod length. Strands that are not straight "
            "are\n"
            "compared frame by frame, from where the variant has come to: as mechanisms they make "
            "any\n"
            "error grow. Bare variants have a limit of their own: their roots are as exact as the\n"
            "CPU's estimate. Exit code 1 if one fails.",
            options, 5))
        return EXIT_DONE;
    if (!options_read("verify", argc, argv, options, 5, NULL) || !check_choice(&chosen))
        return EXIT_WRONG_USAGE;
    const size_t count = rod_variant_count();
    verify_result *results = calloc(count, sizeof *results);
    verify_suite *suite = results ? verify_prepare(seed, 10 * tens, chosen.method) : NULL;
    if (!suite || !verify_chosen(suite, &chosen, results)) {
        verify_finish(suite);
        free(results);
        return options_complain("verify", "not enough memory for the reference");
    }
    json_writer w = json_writer_to(stdout);
    if (json) {
        json_begin_object(&w, NULL);
        json_schema(&w);
        json_unsigned(&w, "seed", seed);
        json_unsigned(&w, "frames", 10 * tens);
        json_begin_array(&w, "variants");
    } else {
        printf("seed %llu\n", (unsigned long long)seed);
    }
    size_t passed = 0, failed = 0;
    for (size_t i = 0; i < count; i++) {
        const rod_variant *v = rod_variant_at(i);
        if (!is_chosen(v, &chosen))
            continue;
        if (json)
            write_result(&w, v, &results[i]);
        else
            print_result(v, &results[i]);
        passed += results[i].passed ? 1 : 0;
        failed += results[i].passed ? 0 : 1;
    }
    if (json) {
        json_end_array(&w);
        json_end_object(&w);
    } else {
        printf("%zu variants passed, %zu failed, %zu not usable here or not asked for\n", passed,
               failed, count - passed - failed);
    }
    verify_finish(suite);
    free(results);
    return failed == 0 ? EXIT_DONE : EXIT_CHECK_FAILED;
}
