/* JSON read whole (RFC 8259), as strictly as it is written: what came from elsewhere may be
 * anything. */
#ifndef RODBENCH_JSON_READ_H
#define RODBENCH_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json_value json_value;
struct json_value {
    json_kind kind;
    bool truth;
    double number;
    char *text;        /* of a string: UTF-8, without its quotes; ends at its first NUL */
    char *key;         /* of a member of an object */
    json_value *first; /* of the members of an array or object */
    json_value *next;  /* beside this one */
};

enum { JSON_ERROR_SIZE = 128 };

/* NULL when these bytes are not one JSON value: `error` says where and what is wrong, in a line.
 * They need not end with NUL. */
json_value *json_read(const char *bytes, size_t length, char error[JSON_ERROR_SIZE]);
void json_release(json_value *value); /* NULL is allowed */

/* The first member of that name; NULL where there is none, also of what is no object. */
const json_value *json_member(const json_value *object, const char *key);

/* A member that is a string, or NULL. */
const char *json_member_text(const json_value *object, const char *key);

#endif
