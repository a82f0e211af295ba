#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "progress.h"

#include <stdio.h>
#include <unistd.h>

void progress_show(const char *what, size_t done, size_t total) {
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K%s: %zu of %zu", what, done, total);
    fflush(stderr);
}

void progress_end(void) {
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
