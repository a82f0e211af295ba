#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int options_complain(const char *command, const char *format, ...) {
    char line[OPTIONS_LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?'; /* what the user typed may hold line breaks, and this is one line */
    fprintf(stderr, "rodbench%s%s: %s\n", *command ? " " : "", command, line);
    return EXIT_WRONG_USAGE;
}

static int longest_name(const option *options, size_t count) {
    size_t longest = 12;
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) > longest)
            longest = strlen(options[i].name);
    return (int)longest;
}

bool options_help(int argc, char **argv, const char *usage, const char *what, const option *options,
                  size_t count) {
    bool wanted = false;
    for (int i = 0; i < argc; i++)
        wanted = wanted || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    if (!wanted)
        return false;
    printf("usage: rodbench %s\n\n%s\n", usage, what);
    if (count > 0)
        putchar('\n');
    const int width = longest_name(options, count);
    for (size_t i = 0; i < count; i++)
        printf("  %-*s %-8s %s\n", width, options[i].name, options[i].value, options[i].what);
    return true;
}

/* Digits only: strtoull would take signs, blanks and what it cannot hold. */
static bool read_whole(const char *text, uint64_t *value) {
    if (*text == '\0' || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}

static bool read_count(const char *command, const option *o, const char *text) {
    uint64_t value;
    const size_t most = o->most ? o->most : SIZE_MAX;
    if (!read_whole(text, &value) || value < o->least || value > most) {
        options_complain(command, "%s '%s': a whole number from %zu to %zu is accepted", o->name,
                         text, o->least, most);
        return false;
    }
    *(size_t *)o->into = (size_t)value;
    return true;
}

static bool read_seed(const char *command, const option *o, const char *text) {
    if (read_whole(text, o->into))
        return true;
    options_complain(command, "%s '%s': a whole number from 0 to 18446744073709551615 is accepted",
                     o->name, text);
    return false;
}

static bool read_number(const char *command, const option *o, const char *text) {
    char *end;
    const float value = strtof(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || !(value > 0.0f) ||
        !isfinite(1.0f / value)) {
        options_complain(command, "%s '%s': a number greater than 0 is accepted", o->name, text);
        return false;
    }
    *(float *)o->into = value;
    return true;
}

static bool read_share(const char *command, const option *o, const char *text) {
    char *end;
    const float value = strtof(text, &end);
    if (end == text || *end != '\0' || !(value >= 0.0f && value <= 1.0f)) {
        options_complain(command, "%s '%s': a number from 0 to 1 is accepted", o->name, text);
        return false;
    }
    *(float *)o->into = value;
    return true;
}

static bool read_value(const char *command, const option *o, const char *text) {
    switch (o->kind) {
    case OPTION_COUNT:
        return read_count(command, o, text);
    case OPTION_SEED:
        return read_seed(command, o, text);
    case OPTION_NUMBER:
        return read_number(command, o, text);
    case OPTION_SHARE:
        return read_share(command, o, text);
    case OPTION_TEXT:
        *(const char **)o->into = text;
        return true;
    case OPTION_FLAG:
        break;
    }
    return false;
}

static void complain_unknown(const char *command, const char *argument, const option *options,
                             size_t count) {
    char accepted[512] = "none";
    for (size_t i = 0, length = 0; i < count && length < sizeof accepted; i++)
        length += (size_t)snprintf(accepted + length, sizeof accepted - length, "%s%s",
                                   i > 0 ? " " : "", options[i].name);
    options_complain(command, "unknown option '%s'; accepted: %s", argument, accepted);
}

/* The option that an argument names, and where its value begins if it holds one. */
static const option *find(const char *argument, const option *options, size_t count,
                          const char **value) {
    const size_t length = strcspn(argument, "=");
    *value = argument[length] == '=' ? argument + length + 1 : NULL;
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(argument, options[i].name, length) == 0)
            return &options[i];
    return NULL;
}

bool options_read(const char *command, int argc, char **argv, const option *options, size_t count,
                  const char **positional) {
    const char *none = NULL;
    return options_read_many(command, argc, argv, options, count, positional ? positional : &none,
                             positional ? 1 : 0);
}

bool options_read_many(const char *command, int argc, char **argv, const option *options,
                       size_t count, const char **positional, size_t positionals) {
    size_t used = 0;
    while (used < positionals && positional[used])
        used++;
    for (int i = 0; i < argc; i++) {
        const char *value;
        if (argv[i][0] != '-') {
            if (used == positionals) {
                options_complain(command, "'%s' is one argument too many", argv[i]);
                return false;
            }
            positional[used++] = argv[i];
            continue;
        }
        const option *o = find(argv[i], options, count, &value);
        if (!o) {
            complain_unknown(command, argv[i], options, count);
            return false;
        }
        if (o->kind == OPTION_FLAG) {
            if (value) {
                options_complain(command, "%s takes no value", o->name);
                return false;
            }
            *(bool *)o->into = true;
            continue;
        }
        /* a value that looks like an option was forgotten; --name=VALUE takes any */
        if (!value && (i + 1 >= argc || strncmp(argv[i + 1], "--", 2) == 0)) {
            options_complain(command, "%s needs a value", o->name);
            return false;
        }
        if (!read_value(command, o, value ? value : argv[++i]))
            return false;
    }
    return true;
}
