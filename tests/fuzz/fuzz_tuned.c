/* The file that `rodbench tune` writes and the build bakes in. What is accepted can be written as a
 * header, and is only said to hold here if it names variants of the registry. */

#include "fuzz.h"

#include "tuned_file.h"

#include <stdlib.h>

static void print_header(const tuned_file *file) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return;
    tuned_file_print_header(file, to);
    fclose(to);
    free(text);
}

static void check_variants(const tuned_file *file) {
    for (size_t i = 0; i < ROD_CLASSES; i++)
        if (*file->choice[i].variant != '\0' && !rod_variant_named(file->choice[i].variant))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tuned_file file;
    char why[TUNED_WHY] = "";
    if (!tuned_file_parse((const char *)data, size, &file, why)) {
        if (*why == '\0')
            abort(); /* a refusal must say why */
        return 0;
    }
    print_header(&file);
    if (tuned_file_holds(&file, &file.identity, why))
        check_variants(&file);
    return 0;
}
