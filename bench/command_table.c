#include "commands.h"

#include "placements.h"
#include "tables.h"

#include <string.h>

enum { MAX_ROUNDS = 1000 };

static const char accepted[] = "table1 pber30 slinky hair200 variants limits scaling chosen";

static bool is_published(const char *name) {
    return strcmp(name, "table1") == 0 || strcmp(name, "pber30") == 0 ||
           strcmp(name, "slinky") == 0 || strcmp(name, "hair200") == 0;
}

/* `rods` is 0 and `method_name` NULL where they were not given. */
static int run_variants(const char *method_name, size_t rods, size_t rounds, const output *shown) {
    rod_method method = ROD_METHOD_QUATERNION;
    if (method_name && !rod_method_named(method_name, &method))
        return options_complain("table", "unknown method '%s'; accepted: quaternion pber pbd",
                                method_name);
    return table_variants(method, rods ? rods : 1024, rounds, shown);
}

/* Published tables have their own rods, and all methods. */
static int run_published(const char *name, const char *method, size_t rods, size_t rounds,
                         const output *shown) {
    if (method || rods)
        return options_complain("table",
                                "%s is of `table variants` and does nothing for %s; accepted: "
                                "--rounds --json --markdown --csv --out",
                                method ? "--method" : "--rods", name);
    return table_published(name, rounds, shown);
}

int command_table(int argc, char **argv) {
    size_t rods = 0, rounds = 9;
    const char *name = NULL, *method = NULL, *only = NULL;
    output shown = {0};
    option options[4 + OUTPUT_OPTIONS] = {
        {"--rounds", "N", "samples of each, in turns (9); limits, scaling: at most 64",
         OPTION_COUNT, &rounds, 1, MAX_ROUNDS},
        {"--rods", "N", "variants: strands of hair (1024); scaling: at most (1000000)",
         OPTION_COUNT, &rods, 1, TABLE_MOST_RODS},
        {"--method", "NAME", "variants: quaternion (the default), pber or pbd", OPTION_TEXT,
         &method, 0, 0},
        {"--only", "KEY", "limits: one of its workloads", OPTION_TEXT, &only, 0, 0},
    };
    output_options(&shown, options + 4);
    if (options_help(
            argc, argv, "table NAME [options]",
            "Published times beside today's, or all variants beside each other.\n\n"
            "  table1       KS16's three scenes by three methods\n"
            "  pber30       30 elements, 10 iterations (KS16 section 8, USS14)\n"
            "  slinky       1000 elements, 50 iterations (KS16 fig. 1)\n"
            "  hair200      200 strands of 20 elements (USS14 section 1)\n"
            "  variants     every usable kernel variant of a method, on many rods and one\n"
            "  limits       workloads beside the limits of the hardware\n"
            "  scaling      1 to 1,000,000 rods, one thread and several\n"
            "  chosen       the variants that batches get by default beside the fastest ones, in "
            "two minutes",
            options, 4 + OUTPUT_OPTIONS))
        return EXIT_DONE;
    if (!options_read("table", argc, argv, options, 4 + OUTPUT_OPTIONS, &name) ||
        !output_check("table", &shown))
        return EXIT_WRONG_USAGE;
    if (!name)
        return options_complain("table", "no table given; accepted: %s", accepted);
    if (only && strcmp(name, "limits") != 0)
        return options_complain("table", "--only is of `table limits` and does nothing for %s",
                                name);
    if (rounds > PLACEMENTS_MOST && (strcmp(name, "limits") == 0 || strcmp(name, "scaling") == 0))
        return options_complain("table", "%s: %zu rounds; accepted: 1 to %d, each in other memory",
                                name, rounds, (int)PLACEMENTS_MOST);
    if (strcmp(name, "variants") == 0)
        return run_variants(method, rods, rounds, &shown);
    if (strcmp(name, "limits") == 0)
        return table_limits(only, rounds, &shown);
    if (strcmp(name, "chosen") == 0)
        return table_chosen(&shown);
    if (strcmp(name, "scaling") == 0)
        return table_scaling(rods ? rods : TABLE_MOST_RODS, rounds, &shown);
    if (!is_published(name))
        return options_complain("table", "unknown table '%s'; accepted: %s", name, accepted);
    return run_published(name, method, rods, rounds, &shown);
}
