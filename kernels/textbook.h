/* What the float32 textbooks share. */
#ifndef ROD_TEXTBOOK_H
#define ROD_TEXTBOOK_H

#include <stddef.h>

/* A value for each of n elements: their own, or the rod's where they have none. */
static inline void textbook_fill(float *into, const float *own, float common, size_t n) {
    for (size_t e = 0; e < n; e++)
        into[e] = own ? own[e] : common;
}

#endif
