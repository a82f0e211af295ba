/* `rodbench tune`: measures, shows, and leaves tuned.h and tuned.json to the next build. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "commands.h"

#include "clock.h"
#include "json.h"
#include "machine.h"
#include "outfile.h"
#include "output.h"
#include "progress.h"
#include "tune.h"
#include "tuned_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SLOTS = ROD_CLASSES / ROD_ACCURACIES };

typedef struct {
    bool quick, json;
    float seconds;
    output out;
    const char *check;
} request;

typedef struct {
    tune_result result[ROD_CLASSES];
    tuned_file file;
    bool *verified;
    size_t failed; /* variants that failed verification */
    double started, seconds;
} tuning;

/* ---------------------------------------------------------------- measuring */

/* Large batches take the longest, and get the largest share of the time. */
static double share_of(size_t slot) {
    return rod_class_at(slot * ROD_ACCURACIES).shape == ROD_SHAPE_LARGE ? 4.0 : 1.0;
}

/* When a slot must be done. What earlier ones left over is for all that follow. */
static double deadline_of(size_t slot, double now, double end) {
    double left = 0.0;
    for (size_t i = slot; i < SLOTS; i++)
        left += share_of(i);
    return now + (end - now) * share_of(slot) / left;
}

static rod_status measure(tuning *t, bool quick, double end) {
    rod_status status = ROD_OK;
    for (size_t slot = 0; status == ROD_OK && slot < SLOTS; slot++) {
        const rod_class c = rod_class_at(slot * ROD_ACCURACIES);
        const tune_workload w = tune_workload_of(c.shape, quick);
        const double deadline = deadline_of(slot, clock_wall_seconds(), end);
        char what[96];
        snprintf(what, sizeof what, "tune %s, %s, %s", rod_method_name(c.method),
                 rod_shape_class_name(c.shape), rod_order_name(c.order));
        progress_show(what, slot, SLOTS);
        status =
            tune_measure(&c, &w, t->verified, NULL, deadline, &t->result[slot * ROD_ACCURACIES]);
    }
    progress_end();
    return status;
}

static size_t fill_file(tuning *t) {
    size_t chosen = 0;
    t->file.identity = rod_identity_here();
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const tune_result *r = &t->result[i];
        if (r->verdict == TUNE_NONE)
            continue;
        chosen++;
        snprintf(t->file.choice[i].variant, TUNED_NAME, "%s", r->chosen->name);
        tune_reason(r, t->file.choice[i].reason, TUNED_REASON);
    }
    return chosen;
}

/* ---------------------------------------------------------------- showing */

static double ns_of(const tune_result *r, double seconds) {
    return 1e9 * seconds / r->element_iterations;
}

static double percent(double ratio) {
    return 100.0 * (ratio - 1.0);
}

static void print_place(const tune_result *r, size_t i) {
    const tune_place *p = &r->place[i];
    printf("    %zu. %-36s %8.3f ns", i + 1, p->variant->name, ns_of(r, p->seconds));
    if (i > 0)
        printf("  %+6.1f %% (%+.1f .. %+.1f)%s", percent(p->against.ratio), percent(p->against.low),
               percent(p->against.high), rank_is_slower(&p->against) ? "" : "  tie");
    puts(p->variant == r->chosen ? "  chosen" : "");
}

static void print_text(const tuning *t) {
    const size_t shown = 3;
    puts("ns per element and iteration; how much longer than the fastest, with the interval of "
         "95 % confidence;\neach round is in other memory; a tie keeps the simplest variant within "
         "1 %");
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        const tune_result *r = &t->result[i];
        if (c.accuracy == ROD_ACCURACY_FULL)
            printf("\n%s, %s, %s order: %zu rounds%s\n", rod_method_name(c.method),
                   rod_shape_class_name(c.shape), rod_order_name(c.order), r->rounds,
                   r->settled ? "" : ", not clear yet");
        printf("  %s accuracy, %zu variants\n", rod_accuracy_name(c.accuracy), r->measured);
        for (size_t place = 0; place < r->places; place++)
            if (place < shown || r->place[place].variant == r->chosen)
                print_place(r, place);
    }
    printf("\n%zu variants failed verification; measured in %.0f s\n", t->failed, t->seconds);
}

static void write_choice(json_writer *w, const rod_class *c, const tuned_file_choice *chosen,
                         const tune_result *r) {
    json_begin_object(w, NULL);
    json_string(w, "method", rod_method_name(c->method));
    json_string(w, "shape", rod_shape_class_name(c->shape));
    json_string(w, "order", rod_order_name(c->order));
    json_string(w, "accuracy", rod_accuracy_name(c->accuracy));
    json_string(w, "variant", chosen->variant);
    json_string(w, "reason", chosen->reason);
    json_bool(w, "tie", r->verdict == TUNE_TIE);
    json_bool(w, "settled", r->settled);
    json_unsigned(w, "measured", r->measured);
    json_unsigned(w, "rounds", r->rounds);
    json_begin_array(w, "ranking");
    for (size_t i = 0; i < r->places; i++) {
        const tune_place *p = &r->place[i];
        json_begin_object(w, NULL);
        json_string(w, "variant", p->variant->name);
        json_number(w, "ns", ns_of(r, p->seconds));
        json_number(w, "longer_percent", percent(p->against.ratio));
        json_number(w, "longer_percent_low", percent(p->against.low));
        json_number(w, "longer_percent_high", percent(p->against.high));
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
}

static void print_json(tuning *t, FILE *to) {
    json_writer w = json_writer_to(to);
    json_begin_object(&w, NULL);
    json_schema(&w);
    for (size_t i = 0; i < ROD_IDENTITY_PARTS; i++)
        json_string(&w, rod_identity_part_name(i), rod_identity_part(&t->file.identity, i));
    json_string(&w, "commit", machine_commit());
    json_number(&w, "seconds", t->seconds);
    json_unsigned(&w, "failed_verification", t->failed);
    json_begin_array(&w, "choices");
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        if (t->result[i].verdict != TUNE_NONE)
            write_choice(&w, &c, &t->file.choice[i], &t->result[i]);
    }
    json_end_array(&w);
    json_end_object(&w);
}

/* ---------------------------------------------------------------- files */

static bool open_in(outfile *o, const char *folder, const char *name) {
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path)
        return outfile_open(o, path);
    errno = ENAMETOOLONG;
    return false;
}

/* Both are complete before either takes its place; the build makes the header from the other. */
static bool save(tuning *t, const char *folder) {
    outfile json = {0}, header = {0};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return false;
    bool done = open_in(&json, folder, "tuned.json") && open_in(&header, folder, "tuned.h");
    if (done) {
        print_json(t, json.file);
        tuned_file_print_header(&t->file, header.file);
        done = outfile_arrived(&json) && outfile_arrived(&header) && outfile_place(&json) &&
               outfile_place(&header);
    }
    outfile_abandon(&header);
    outfile_abandon(&json);
    return done;
}

static int finish(tuning *t, const request *r) {
    if (fill_file(t) == 0) {
        fprintf(stderr, "rodbench tune: no variant passed verification, nothing is chosen\n");
        return EXIT_CHECK_FAILED;
    }
    if (!save(t, r->out.folder))
        return options_complain("tune", "cannot write tuned.json and tuned.h into '%s': %s",
                                r->out.folder, strerror(errno));
    if (r->json)
        print_json(t, stdout);
    else {
        print_text(t);
        printf("wrote %s/tuned.json and tuned.h; the next `make` bakes them in\n", r->out.folder);
    }
    return EXIT_DONE;
}

static int tune(const request *r) {
    tuning *t = calloc(1, sizeof *t);
    bool *verified = calloc(rod_variant_count(), sizeof *verified);
    int code;
    if (t && verified) {
        t->verified = verified;
        t->started = clock_wall_seconds();
        rod_status status =
            tune_verify(r->quick ? 10 : 100, t->verified, &t->failed) ? ROD_OK : ROD_E_MEMORY;
        if (status == ROD_OK)
            status = measure(t, r->quick, t->started + (double)r->seconds);
        t->seconds = clock_wall_seconds() - t->started;
        code = status == ROD_OK ? finish(t, r)
                                : options_complain("tune", "%s", rod_status_text(status));
    } else
        code = options_complain("tune", "%s", rod_status_text(ROD_E_MEMORY));
    free(verified);
    free(t);
    return code;
}

/* ---------------------------------------------------------------- the command */

static int check(const char *path) {
    static const char advice[] = "`make tune` tunes anew";
    tuned_file *file = malloc(sizeof *file);
    const rod_identity here = rod_identity_here();
    char why[TUNED_WHY];
    bool exists;
    int code = EXIT_DONE;
    if (!file)
        return options_complain("tune", "%s", rod_status_text(ROD_E_MEMORY));
    if (!tuned_file_read(path, file, &exists, why))
        code = options_complain("tune", "%s: %s; %s", path, why, advice);
    else if (!tuned_file_holds(file, &here, why)) {
        options_complain("tune", "%s is refused, %s; %s", path, why, advice);
        code = EXIT_CHECK_FAILED;
    } else
        printf("%s holds for this build on this CPU\n", path);
    free(file);
    return code;
}

int command_tune(int argc, char **argv) {
    request r = {.out.folder = ROD_BUILD_FOLDER};
    const option options[] = {
        {"--quick", "", "24 s instead of 150: a shorter check, fewer rounds", OPTION_FLAG, &r.quick,
         0, 0},
        {"--time", "SECONDS", "that it may take", OPTION_NUMBER, &r.seconds, 0, 0},
        {"--out", "FOLDER", "for tuned.json and tuned.h (" ROD_BUILD_FOLDER ")", OPTION_TEXT,
         &r.out.folder, 0, 0},
        {"--json", "", "tuned.json on standard output instead of text", OPTION_FLAG, &r.json, 0, 0},
        {"--check", "FILE", "only say whether a tuned.json holds here", OPTION_TEXT, &r.check, 0,
         0},
    };
    if (options_help(
            argc, argv, "tune [options]",
            "Chooses the fastest kernel variants of this CPU for the next build: by method, for "
            "one rod, small\nand large batches, by order and accuracy. Only variants that are "
            "native and pass verification now\ncompete. Each is measured; those near the fastest "
            "then take turns, each round in other memory, until\nthe ranking is clear or time is "
            "up. Where the difference is below the noise, or below 1 %, it is a tie,\nand the "
            "simplest within 1 % is kept: the committed default, then fewer vectors in flight,\na "
            "plain batch, exact roots, narrower vectors.\n"
            "The choices hold for this CPU, compiler and these kernels; elsewhere build and "
            "library "
            "refuse them\nand say so. Exit code 1 if nothing passes verification, or --check "
            "refuses.",
            options, 5))
        return EXIT_DONE;
    if (!options_read("tune", argc, argv, options, 5, NULL))
        return EXIT_WRONG_USAGE;
    if (r.check)
        return check(r.check);
    if (!(r.seconds > 0.0f))
        r.seconds = r.quick ? 24.0f : 150.0f;
    return output_check("tune", &r.out) ? tune(&r) : EXIT_WRONG_USAGE;
}
