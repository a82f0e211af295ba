#include "tuned_file.h"

#include "json_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A whole tuning takes some 100 KB. */
enum { LARGEST_FILE = 4 << 20 };

__attribute__((format(printf, 2, 3))) static bool refuse(char why[TUNED_WHY], const char *format,
                                                         ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, TUNED_WHY, format, arguments);
    va_end(arguments);
    return false;
}

/* ---------------------------------------------------------------- reading */

typedef struct {
    char method[TUNED_NAME], shape[TUNED_NAME], order[TUNED_NAME], accuracy[TUNED_NAME];
    tuned_file_choice chosen;
} read_choice;

static bool read_member(json_reader *r, const char *key, read_choice *c) {
    const struct {
        const char *key;
        char *into;
        size_t size;
    } members[] = {
        {"method", c->method, sizeof c->method},
        {"shape", c->shape, sizeof c->shape},
        {"order", c->order, sizeof c->order},
        {"accuracy", c->accuracy, sizeof c->accuracy},
        {"variant", c->chosen.variant, sizeof c->chosen.variant},
        {"reason", c->chosen.reason, sizeof c->chosen.reason},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(members[i].key, key) == 0)
            return json_text(r, members[i].into, members[i].size);
    return json_skip(r);
}

static bool read_one_choice(json_reader *r, tuned_file *file) {
    char key[TUNED_NAME];
    read_choice c = {.method = ""};
    rod_class of;
    bool first = true;
    if (!json_enter(r, '{'))
        return false;
    while (json_more(r, '}', &first))
        if (!json_key(r, key, sizeof key) || !read_member(r, key, &c))
            return false;
    if (!rod_method_named(c.method, &of.method) || !rod_shape_class_named(c.shape, &of.shape) ||
        !rod_order_named(c.order, &of.order) || !rod_accuracy_named(c.accuracy, &of.accuracy))
        return false;
    file->choice[rod_class_index(&of)] = c.chosen;
    return !r->failed;
}

static bool read_choices(json_reader *r, tuned_file *file) {
    bool first = true;
    if (!json_enter(r, '['))
        return false;
    while (json_more(r, ']', &first))
        if (!read_one_choice(r, file))
            return false;
    return !r->failed;
}

static bool read_top(json_reader *r, const char *key, tuned_file *file, unsigned long *format) {
    if (strcmp(key, "format") == 0)
        return json_read_unsigned(r, format);
    if (strcmp(key, "choices") == 0)
        return read_choices(r, file);
    for (size_t i = 0; i < ROD_IDENTITY_PARTS; i++)
        if (strcmp(key, rod_identity_part_name(i)) == 0)
            return json_text(r, rod_identity_part(&file->identity, i), ROD_IDENTITY_TEXT);
    return json_skip(r);
}

bool tuned_file_parse(const char *text, size_t length, tuned_file *file, char why[TUNED_WHY]) {
    json_reader r = json_reader_of(text, length);
    unsigned long format = 0;
    char key[TUNED_NAME];
    bool first = true, reads = json_enter(&r, '{');
    memset(file, 0, sizeof *file);
    while (reads && json_more(&r, '}', &first))
        reads = json_key(&r, key, sizeof key) && read_top(&r, key, file, &format);
    if (!reads || !json_at_end(&r))
        return refuse(why, "it is no file of `rodbench tune` (wrong at byte %zu)",
                      (size_t)(r.at - text));
    if (format != TUNED_FORMAT)
        return refuse(why, "its format is %lu, and %d is read", format, TUNED_FORMAT);
    return true;
}

bool tuned_file_read(const char *path, tuned_file *file, bool *exists, char why[TUNED_WHY]) {
    FILE *from = fopen(path, "rb");
    *exists = from || errno != ENOENT;
    if (!from)
        return refuse(why, "%s", strerror(errno));
    char *text = malloc(LARGEST_FILE);
    const size_t length = text ? fread(text, 1, LARGEST_FILE, from) : 0;
    bool reads = text && !ferror(from) && length < LARGEST_FILE;
    if (!reads)
        refuse(why, "%s",
               !text                    ? "not enough memory"
               : length == LARGEST_FILE ? "it is too large"
                                        : strerror(errno));
    fclose(from);
    reads = reads && tuned_file_parse(text, length, file, why);
    free(text);
    return reads;
}

/* ---------------------------------------------------------------- checking */

static bool choice_holds(const rod_class *c, const char *name, char why[TUNED_WHY]) {
    const rod_variant *v = rod_variant_named(name);
    if (!v || strcmp(v->method, rod_method_name(c->method)) != 0)
        return refuse(why, "it chooses '%s', which is no variant of %s", name,
                      rod_method_name(c->method));
    const rod_isa isa = rod_variant_isa(v);
    if (!isa.usable || !isa.native)
        return refuse(why, "it chooses '%s', which is not native here", name);
    if (!rod_variant_has_accuracy(v, c->accuracy))
        return refuse(why, "it chooses '%s', which has not %s accuracy", name,
                      rod_accuracy_name(c->accuracy));
    return true;
}

bool tuned_file_holds(const tuned_file *file, const rod_identity *here, char why[TUNED_WHY]) {
    if (rod_identity_differs(&file->identity, here, why))
        return false;
    size_t count = 0;
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        if (file->choice[i].variant[0] == '\0')
            continue;
        count++;
        if (!choice_holds(&c, file->choice[i].variant, why))
            return false;
    }
    return count > 0 || refuse(why, "it holds no choices");
}

/* ---------------------------------------------------------------- tuned.h */

/* As a string of C: what could end it or be a trigraph is left out. */
static void print_string(const char *text, FILE *to) {
    fputc('"', to);
    for (; *text != '\0'; text++)
        if (*text >= ' ' && *text <= '~' && !strchr("\"\\?", *text))
            fputc(*text, to);
    fputc('"', to);
}

/* The first word, as it is in a constant: "one rod" is ONE. */
static void print_constant(const char *name, FILE *to) {
    for (; isalnum((unsigned char)*name); name++)
        fputc(toupper((unsigned char)*name), to);
}

static void print_choice(const rod_class *c, const tuned_file_choice *chosen, FILE *to) {
    const char *const names[] = {rod_method_name(c->method), rod_shape_class_name(c->shape),
                                 rod_order_name(c->order), rod_accuracy_name(c->accuracy)};
    fputs(" \\\n    X(", to);
    for (size_t i = 0; i < 4; i++) {
        print_constant(names[i], to);
        fputs(", ", to);
    }
    print_string(chosen->variant, to);
    fputs(", ", to);
    print_string(chosen->reason, to);
    fputc(')', to);
}

void tuned_file_print_header(const tuned_file *file, FILE *to) {
    if (!file) {
        fputs("/* No tuned choices: kernels/defaults.c decides. */\n", to);
        return;
    }
    rod_identity identity = file->identity;
    fputs("/* Written by `rodbench tune` and by the build, from tuned.json. */\n", to);
    for (size_t i = 0; i < ROD_IDENTITY_PARTS; i++) {
        fputs("#define ROD_TUNED_", to);
        print_constant(rod_identity_part_name(i), to);
        fputc(' ', to);
        print_string(rod_identity_part(&identity, i), to);
        fputc('\n', to);
    }
    fputs("#define ROD_TUNED_CHOICES(X)", to);
    for (size_t i = 0; i < ROD_CLASSES; i++) {
        const rod_class c = rod_class_at(i);
        if (file->choice[i].variant[0] != '\0')
            print_choice(&c, &file->choice[i], to);
    }
    fputc('\n', to);
}
