/* JSON written as it is produced: nothing is kept but where we are in the nesting. */
#ifndef RODBENCH_JSON_H
#define RODBENCH_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What is nested deeper is left out, and the document stays valid. */
#define JSON_DEPTH_MAX 32u

typedef struct {
    FILE *file;
    unsigned depth;
    struct {
        bool is_array;
        bool has_members;
    } level[JSON_DEPTH_MAX];
} json_writer;

json_writer json_writer_to(FILE *file);

/* What the members mean; counted up when that changes in a way that a reader must know of
 * (reports/README.md says what they are). */
enum { JSON_SCHEMA = 1 };

/* The member "schema", which every object that rodbench writes begins with. */
void json_schema(json_writer *writer);

/* The key names a member of an object. It is ignored in an array and outside of everything, where
 * NULL reads best. Strings are UTF-8. */
void json_begin_object(json_writer *writer, const char *key);
void json_begin_array(json_writer *writer, const char *key);

/* Each closes the innermost container that is open, with the bracket that this one needs. */
void json_end_object(json_writer *writer);
void json_end_array(json_writer *writer);

void json_string(json_writer *writer, const char *key, const char *value); /* NULL: null */
void json_number(json_writer *writer, const char *key, double value);      /* NaN, inf: null */
void json_integer(json_writer *writer, const char *key, int64_t value);
void json_unsigned(json_writer *writer, const char *key, uint64_t value);
void json_bool(json_writer *writer, const char *key, bool value);
void json_null(json_writer *writer, const char *key);

#endif
