#include "tuned_file.h"

#include "json.h"
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

/* False where there is no such text, or one that does not fit. */
static bool copy_text(const json_value *object, const char *key, char *into, size_t size) {
    const char *text = json_member_text(object, key);
    if (!text || strlen(text) >= size)
        return false;
    memcpy(into, text, strlen(text) + 1);
    return true;
}

static bool read_class(const json_value *v, rod_class *c) {
    const char *method = json_member_text(v, "method"), *shape = json_member_text(v, "shape");
    const char *order = json_member_text(v, "order"), *accuracy = json_member_text(v, "accuracy");
    return method && shape && order && accuracy && rod_method_named(method, &c->method) &&
           rod_shape_class_named(shape, &c->shape) && rod_order_named(order, &c->order) &&
           rod_accuracy_named(accuracy, &c->accuracy);
}

static bool read_choices(const json_value *choices, tuned_file *file) {
    bool reads = choices && choices->kind == JSON_ARRAY;
    for (const json_value *v = reads ? choices->first : NULL; reads && v; v = v->next) {
        rod_class c;
        reads = read_class(v, &c);
        tuned_file_choice *chosen = reads ? &file->choice[rod_class_index(&c)] : NULL;
        reads = reads && copy_text(v, "variant", chosen->variant, sizeof chosen->variant) &&
                copy_text(v, "reason", chosen->reason, sizeof chosen->reason);
    }
    return reads;
}

static bool read_all(const json_value *top, tuned_file *file, char why[TUNED_WHY]) {
    const json_value *schema = json_member(top, "schema");
    if (!schema || schema->kind != JSON_NUMBER || schema->number < JSON_SCHEMA ||
        schema->number > JSON_SCHEMA)
        return refuse(why, "its schema version is not %d", JSON_SCHEMA);
    for (size_t i = 0; i < ROD_IDENTITY_PARTS; i++)
        if (!copy_text(top, rod_identity_part_name(i), rod_identity_part(&file->identity, i),
                       ROD_IDENTITY_TEXT))
            return refuse(why, "it does not say what it is for (%s)", rod_identity_part_name(i));
    return read_choices(json_member(top, "choices"), file) ||
           refuse(why, "its choices are not those of `rodbench tune`");
}

bool tuned_file_parse(const char *text, size_t length, tuned_file *file, char why[TUNED_WHY]) {
    char error[JSON_ERROR_SIZE];
    memset(file, 0, sizeof *file);
    json_value *top = json_read(text, length, error);
    if (!top)
        return refuse(why, "it is no JSON: %s", error);
    const bool reads = read_all(top, file, why);
    json_release(top);
    return reads;
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
