#include "json_read.h"

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *bytes;
    size_t length, at;
    unsigned depth;
    char *error;
} reader;

/* The first error is the one that is told. Returns false. */
static bool wrong(reader *r, const char *what) {
    size_t line = 1;
    for (size_t i = 0; i < r->at && i < r->length; i++)
        line += r->bytes[i] == '\n';
    if (*r->error == '\0')
        snprintf(r->error, JSON_ERROR_SIZE, "line %zu: %s", line, what);
    return false;
}

/* -1 at the end. */
static int peek(const reader *r) {
    return r->at < r->length ? (unsigned char)r->bytes[r->at] : -1;
}

static void skip_blanks(reader *r) {
    while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\n' || peek(r) == '\r')
        r->at++;
}

static bool take(reader *r, int c) {
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

static bool take_word(reader *r, const char *word) {
    const size_t length = strlen(word);
    if (r->length - r->at < length || memcmp(r->bytes + r->at, word, length) != 0)
        return wrong(r, "not a JSON value");
    r->at += length;
    return true;
}

/* ---------------------------------------------------------------- numbers */

static bool take_digits(reader *r) {
    const size_t start = r->at;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return r->at > start;
}

/* strtod would take more than JSON does, and needs an end. */
static bool read_number(reader *r, double *number) {
    const size_t start = r->at;
    char copy[64];
    take(r, '-');
    if (!take(r, '0') && !take_digits(r))
        return wrong(r, "not a JSON value");
    if (take(r, '.') && !take_digits(r))
        return wrong(r, "a number without digits after its point");
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+'))
            take(r, '-');
        if (!take_digits(r))
            return wrong(r, "a number without digits in its exponent");
    }
    const size_t length = r->at - start;
    if (length >= sizeof copy)
        return wrong(r, "a number of more than 63 characters");
    memcpy(copy, r->bytes + start, length);
    copy[length] = '\0';
    *number = strtod(copy, NULL);
    return isfinite(*number) || wrong(r, "a number too large for a double");
}

/* ---------------------------------------------------------------- strings */

static bool read_hex(reader *r, unsigned *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        const int c = peek(r);
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return wrong(r, "\\u without four hexadecimal digits");
        *unit = *unit * 16 + (unsigned)digit;
        r->at++;
    }
    return true;
}

static size_t put_utf8(char *text, unsigned code) {
    if (code < 0x80) {
        text[0] = (char)code;
        return 1;
    }
    const size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned marks[] = {0, 0xc0, 0xe0, 0xf0};
    text[0] = (char)(marks[more] | code >> (6 * more));
    for (size_t i = 1; i <= more; i++)
        text[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3f));
    return more + 1;
}

/* Behind \u: one unit, or two that are one character. */
static bool read_code(reader *r, unsigned *code) {
    unsigned second;
    if (!read_hex(r, code))
        return false;
    if (*code >= 0xdc00 && *code < 0xe000)
        return wrong(r, "half a surrogate pair");
    if (*code < 0xd800 || *code >= 0xdc00)
        return true;
    if (!take(r, '\\') || !take(r, 'u') || !read_hex(r, &second) || second < 0xdc00 ||
        second >= 0xe000)
        return wrong(r, "half a surrogate pair");
    *code = 0x10000 + ((*code - 0xd800) << 10) + (second - 0xdc00);
    return true;
}

static bool read_escape(reader *r, char *text, size_t *length) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    unsigned code;
    if (take(r, 'u')) {
        if (!read_code(r, &code))
            return false;
        *length += put_utf8(text + *length, code);
        return true;
    }
    const int c = peek(r);
    const char *found = c > 0 ? strchr(names, c) : NULL;
    if (!found)
        return wrong(r, "an escape that JSON does not have");
    r->at++;
    text[(*length)++] = meant[found - names];
    return true;
}

static size_t quoted_length(const reader *r) {
    size_t i = r->at;
    while (i < r->length && r->bytes[i] != '"')
        i += r->bytes[i] == '\\' ? 2 : 1;
    return i - r->at;
}

/* No escape is shorter than what it stands for. */
static char *read_string(reader *r) {
    if (!take(r, '"')) {
        wrong(r, "a string is missing");
        return NULL;
    }
    char *text = malloc(quoted_length(r) + 1);
    size_t length = 0;
    if (!text) {
        wrong(r, "not enough memory");
        return NULL;
    }
    bool good = true;
    while (good && !take(r, '"')) {
        const int c = peek(r);
        if (c < 0x20) {
            good = wrong(r, c < 0 ? "a string without its end" : "a control character in a string");
        } else if (take(r, '\\')) {
            good = read_escape(r, text, &length);
        } else {
            text[length++] = (char)c;
            r->at++;
        }
    }
    if (!good) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

/* ---------------------------------------------------------------- values */

static bool read_value(reader *r, json_value *value);

/* A member of an array or object, its key before it. */
static json_value *read_member(reader *r, bool named) {
    json_value *member = calloc(1, sizeof *member);
    if (!member) {
        wrong(r, "not enough memory");
        return NULL;
    }
    bool good = true;
    if (named) {
        member->key = read_string(r);
        skip_blanks(r);
        good = member->key && (take(r, ':') || wrong(r, "':' is missing"));
        skip_blanks(r);
    }
    if (good && read_value(r, member))
        return member;
    json_release(member);
    return NULL;
}

static bool read_members(reader *r, json_value *value, int end) {
    json_value **last = &value->first;
    if (++r->depth > JSON_DEPTH_MAX)
        return wrong(r, "nested too deeply");
    skip_blanks(r);
    while (!take(r, end)) {
        if (value->first && !take(r, ','))
            return wrong(r, "',' or the end of an array or object is missing");
        skip_blanks(r);
        *last = read_member(r, end == '}');
        if (!*last)
            return false;
        last = &(*last)->next;
        skip_blanks(r);
    }
    r->depth--;
    return true;
}

static bool read_value(reader *r, json_value *value) {
    switch (peek(r)) {
    case '{':
        r->at++;
        value->kind = JSON_OBJECT;
        return read_members(r, value, '}');
    case '[':
        r->at++;
        value->kind = JSON_ARRAY;
        return read_members(r, value, ']');
    case '"':
        value->kind = JSON_STRING;
        value->text = read_string(r);
        return value->text != NULL;
    case 't':
    case 'f':
        value->kind = JSON_BOOL;
        value->truth = peek(r) == 't';
        return take_word(r, value->truth ? "true" : "false");
    case 'n':
        return take_word(r, "null");
    case -1:
        return wrong(r, "a value is missing");
    default:
        value->kind = JSON_NUMBER;
        return read_number(r, &value->number);
    }
}

json_value *json_read(const char *bytes, size_t length, char error[JSON_ERROR_SIZE]) {
    reader r = {.bytes = bytes, .length = length, .error = error};
    *error = '\0';
    skip_blanks(&r);
    json_value *value = read_member(&r, false);
    skip_blanks(&r);
    if (value && r.at < r.length) {
        wrong(&r, "something follows the value");
        json_release(value);
        value = NULL;
    }
    return value;
}

/* As deep as it is nested, which has an end; long lists are walked. */
void json_release(json_value *value) {
    while (value) {
        json_value *next = value->next;
        json_release(value->first);
        free(value->text);
        free(value->key);
        free(value);
        value = next;
    }
}

const json_value *json_member(const json_value *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (const json_value *m = object->first; m; m = m->next)
        if (strcmp(m->key, key) == 0)
            return m;
    return NULL;
}

const char *json_member_text(const json_value *object, const char *key) {
    const json_value *member = json_member(object, key);
    return member && member->kind == JSON_STRING ? member->text : NULL;
}
