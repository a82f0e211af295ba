/* Memory of a batch. */

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* for madvise */
#endif

#include "allocate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

/* A batch larger than the caches is read once a frame from one end to the other: pages of 4 KiB
 * would cost a look-up each, and hardware prefetchers stop at their ends. */
enum { HUGE_PAGE = 2 << 20, HUGE_FROM = 2 * HUGE_PAGE };

static void *allocate_huge(size_t bytes) {
    void *memory = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    /* A wish: where the system grants none, pages are small. */
    if (memory)
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

float *rod_allocate_zeros(size_t floats) {
    if (floats > (SIZE_MAX - HUGE_PAGE) / sizeof(float))
        return NULL;
    const size_t bytes = (floats * sizeof(float) + 63) / 64 * 64;
    float *memory = bytes >= HUGE_FROM ? allocate_huge(bytes) : aligned_alloc(64, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}
