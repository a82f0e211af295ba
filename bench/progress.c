#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR = 24 };

void progress_show(const char *what, size_t done, size_t total) {
    if (!isatty(STDERR_FILENO))
        return;
    char bar[BAR + 1];
    const size_t filled = total > 0 && done < total ? BAR * done / total : BAR;
    for (size_t i = 0; i < BAR; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR] = '\0';
    fprintf(stderr, "\r\033[K%s [%s] %zu of %zu", what, bar, done, total);
    fflush(stderr);
}

void progress_end(void) {
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
