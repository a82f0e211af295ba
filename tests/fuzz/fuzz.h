/* What the fuzz targets share: bytes in, one after the other. */
#ifndef ROD_FUZZ_H
#define ROD_FUZZ_H

/* Memory as a file; so this header comes first. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* libFuzzer calls it with each input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *next, *end;
} fuzz_input;

/* 0 when there are none left. */
static inline uint8_t fuzz_byte(fuzz_input *in) {
    return in->next < in->end ? *in->next++ : 0;
}

static inline void fuzz_bytes(fuzz_input *in, void *into, size_t size) {
    uint8_t *to = into;
    for (size_t i = 0; i < size; i++)
        to[i] = fuzz_byte(in);
}

#endif
