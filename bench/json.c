#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

json_writer json_writer_to(FILE *file) {
    return (json_writer){.file = file};
}

void json_schema(json_writer *writer) {
    json_integer(writer, "schema", JSON_SCHEMA);
}

static void json_write_escape(FILE *file, unsigned char c) {
    switch (c) {
    case '"':
        fputs("\\\"", file);
        break;
    case '\\':
        fputs("\\\\", file);
        break;
    case '\n':
        fputs("\\n", file);
        break;
    case '\r':
        fputs("\\r", file);
        break;
    case '\t':
        fputs("\\t", file);
        break;
    default:
        fprintf(file, "\\u%04x", (unsigned)c);
    }
}

static void json_write_quoted(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text != '\0'; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == '"' || c == '\\') {
            json_write_escape(file, c);
        } else {
            fputc(c, file);
        }
    }
    fputc('"', file);
}

static void json_new_line(const json_writer *writer) {
    fprintf(writer->file, "\n%*s", (int)(2 * writer->depth), "");
}

/* Comma, indent and key. False: the value lies too deep and is not to be written. */
static bool json_begin_value(json_writer *writer, const char *key) {
    if (writer->depth > JSON_DEPTH_MAX) {
        return false;
    }
    if (writer->depth == 0) {
        return true;
    }
    bool is_array = writer->level[writer->depth - 1].is_array;
    bool *has_members = &writer->level[writer->depth - 1].has_members;
    if (*has_members) {
        fputc(',', writer->file);
    }
    *has_members = true;
    json_new_line(writer);
    if (!is_array) {
        json_write_quoted(writer->file, key != NULL ? key : "");
        fputs(": ", writer->file);
    }
    return true;
}

/* A text file ends with a line feed, and so does each of several documents in one. */
static void json_end_value(const json_writer *writer) {
    if (writer->depth == 0) {
        fputc('\n', writer->file);
    }
}

static void json_begin(json_writer *writer, const char *key, bool is_array) {
    /* Counted even when it is left out, so that its end is left out as well. */
    if (writer->depth < JSON_DEPTH_MAX && json_begin_value(writer, key)) {
        fputc(is_array ? '[' : '{', writer->file);
        writer->level[writer->depth].is_array = is_array;
        writer->level[writer->depth].has_members = false;
    }
    ++writer->depth;
}

static void json_end(json_writer *writer) {
    if (writer->depth == 0) {
        return;
    }
    --writer->depth;
    if (writer->depth >= JSON_DEPTH_MAX) {
        return;
    }
    if (writer->level[writer->depth].has_members) {
        json_new_line(writer);
    }
    fputc(writer->level[writer->depth].is_array ? ']' : '}', writer->file);
    json_end_value(writer);
}

void json_begin_object(json_writer *writer, const char *key) {
    json_begin(writer, key, false);
}

void json_begin_array(json_writer *writer, const char *key) {
    json_begin(writer, key, true);
}

void json_end_object(json_writer *writer) {
    json_end(writer);
}

void json_end_array(json_writer *writer) {
    json_end(writer);
}

static void json_plain(json_writer *writer, const char *key, const char *text) {
    if (json_begin_value(writer, key)) {
        fputs(text, writer->file);
        json_end_value(writer);
    }
}

void json_string(json_writer *writer, const char *key, const char *value) {
    if (value == NULL) {
        json_null(writer, key);
    } else if (json_begin_value(writer, key)) {
        json_write_quoted(writer->file, value);
        json_end_value(writer);
    }
}

/* A double is identified by 17 digits, but most that people write need 15, and read better so. */
void json_number(json_writer *writer, const char *key, double value) {
    if (!isfinite(value)) {
        json_null(writer, key);
        return;
    }
    char text[32];
    int digits = 15;
    do {
        snprintf(text, sizeof text, "%.*g", digits, value);
    } while (++digits <= 17 && strtod(text, NULL) != value);
    json_plain(writer, key, text);
}

void json_integer(json_writer *writer, const char *key, int64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    json_plain(writer, key, text);
}

void json_unsigned(json_writer *writer, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    json_plain(writer, key, text);
}

void json_bool(json_writer *writer, const char *key, bool value) {
    json_plain(writer, key, value ? "true" : "false");
}

void json_null(json_writer *writer, const char *key) {
    json_plain(writer, key, "null");
}
