/* rodbench: picks the command. */

#include "commands.h"
#include "machine.h"
#include "options.h"
#include "rod.h"
#include "selection.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage, *what;
} command;

static const command commands[] = {
    {"info", command_info, "info", "this machine: CPU, ISAs, caches, clock, peak FMA rate"},
    {"list", command_list, "list [--json]", "every kernel variant, and which one is chosen"},
    {"run", command_run, "run SCENE [options]", "simulate a scene; time per frame and end state"},
    {"verify", command_verify, "verify [options]", "every usable variant against the reference"},
    {"bench", command_bench, "bench [--benchmark_*]", "Google Benchmark over the variants"},
    {"tune", command_tune, "tune [options]", "choose the fastest variants for the next build"},
    {"table", command_table, "table NAME [options]", "a published table beside today's numbers"},
    {"sweep", command_sweep, "sweep SCENE [options]", "quality and time against iterations"},
    {"render", command_render, "render SCENE -o FILE", "a picture of a scene, SVG"},
    {"compare", command_compare, "compare A.json B.json", "two machines, or commits, side by side"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void) {
    puts("usage: rodbench COMMAND [options]\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-24s %s\n", commands[i].usage, commands[i].what);
    puts("\nrodbench COMMAND --help says more. Exit codes: 0 done, 1 a check failed, 2 wrong usage"
         " or input.\nEnvironment: ROD_KERNEL=NAME or METHOD=NAME,... forces kernel variants, "
         "ROD_EXPLAIN=1 says which\nvariant each batch gets, and why.");
    return EXIT_DONE;
}

static int complain(const char *name) {
    char accepted[256] = "";
    for (size_t i = 0, length = 0; i < COMMANDS; i++)
        length +=
            (size_t)snprintf(accepted + length, sizeof accepted - length, " %s", commands[i].name);
    return name ? options_complain("", "unknown command '%s'; accepted:%s", name, accepted)
                : options_complain("", "no command given; accepted:%s", accepted);
}

/* `run` may name a variant, which then counts instead. */
static bool is_run_here(const command *c) {
    return c->run == command_run || selection_environment(c->name);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2)
        return complain(NULL);
    const bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
                      strcmp(argv[1], "help") == 0;
    const bool version = strcmp(argv[1], "--version") == 0;
    if ((help || version) && argc > 2)
        return options_complain("", "'%s' is one argument too many", argv[2]);
    if (help)
        return print_help();
    if (version) {
        printf("rodbench %s (%s)\n", ROD_VERSION, machine_commit());
        return EXIT_DONE;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return is_run_here(&commands[i]) ? commands[i].run(argc - 2, argv + 2)
                                             : EXIT_WRONG_USAGE;
    return complain(argv[1]);
}

/* Output that could not be written, for instance onto a full disk, is no success. */
int main(int argc, char **argv) {
    const int code = dispatch(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return options_complain("", "cannot write the output: %s", strerror(errno));
}
