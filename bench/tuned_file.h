/* The tuner's choices as files: tuned.json, which people read and the build checks, and tuned.h,
 * which kernels/tuned.c includes. */
#ifndef RODBENCH_TUNED_FILE_H
#define RODBENCH_TUNED_FILE_H

#include "choice.h"

#include <stdio.h>

enum { TUNED_NAME = 64, TUNED_REASON = 192, TUNED_WHY = ROD_DIFFERENCE_TEXT + 64 };

typedef struct {
    char variant[TUNED_NAME]; /* "": none */
    char reason[TUNED_REASON];
} tuned_file_choice;

typedef struct {
    rod_identity identity;
    tuned_file_choice choice[ROD_CLASSES];
} tuned_file;

/* Reads tuned.json from memory. On failure says why. */
bool tuned_file_parse(const char *text, size_t length, tuned_file *file, char why[TUNED_WHY]);

/* The same from a file. *exists is false, and that no failure to speak of, where there is none. */
bool tuned_file_read(const char *path, tuned_file *file, bool *exists, char why[TUNED_WHY]);

/* Whether the choices hold here: the same identity, variants of the registry that are what their
 * class asks for. Otherwise says why not. */
bool tuned_file_holds(const tuned_file *file, const rod_identity *here, char why[TUNED_WHY]);

/* Writes tuned.h; NULL: without choices. */
void tuned_file_print_header(const tuned_file *file, FILE *to);

#endif
