/* Progress of long work on the terminal; nothing at all when stderr is not one. */
#ifndef RODBENCH_PROGRESS_H
#define RODBENCH_PROGRESS_H

#include <stddef.h>

/* A bar, "what [####....] done of total", over the line before. */
void progress_show(const char *what, size_t done, size_t total);

/* Wipes the line. */
void progress_end(void);

#endif
