/* Command lines: --name VALUE and --name=VALUE, whole numbers and numbers checked to the last
 * character. A wrong one is reported in one line on stderr, and the command ends with exit code 2.
 */
#ifndef RODBENCH_OPTIONS_H
#define RODBENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest line of a complaint; names of all variants of a method find room. */
enum { OPTIONS_LINE = 4096 };

enum { EXIT_DONE = 0, EXIT_CHECK_FAILED = 1, EXIT_WRONG_USAGE = 2 };

typedef enum {
    OPTION_FLAG,   /* bool: present or not */
    OPTION_COUNT,  /* size_t from `least` to `most` */
    OPTION_SEED,   /* uint64_t */
    OPTION_NUMBER, /* float greater than 0 */
    OPTION_SHARE,  /* float from 0 to 1 */
    OPTION_TEXT    /* const char * */
} option_kind;

typedef struct {
    const char *name;  /* with its dashes */
    const char *value; /* what follows it, for --help; "" for a flag */
    const char *what;
    option_kind kind;
    void *into;
    size_t least, most; /* of a count; a `most` of 0 is no limit */
} option;

/* Fills in the options. An argument that is not one goes to *positional, of which there may be one
 * if `positional` is not NULL. Returns false after reporting what is wrong. */
bool options_read(const char *command, int argc, char **argv, const option *options, size_t count,
                  const char **positional);

/* The same with up to `positionals` arguments that are no options. */
bool options_read_many(const char *command, int argc, char **argv, const option *options,
                       size_t count, const char **positional, size_t positionals);

/* True if --help is among the arguments: prints the usage line, `what` and the options. */
bool options_help(int argc, char **argv, const char *usage, const char *what, const option *options,
                  size_t count);

/* One line on stderr: "rodbench COMMAND: ...". Returns EXIT_WRONG_USAGE. */
int options_complain(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
