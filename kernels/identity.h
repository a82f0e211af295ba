/* What tuned choices are true for: a CPU, a compiler, the kernels. */
#ifndef ROD_IDENTITY_H
#define ROD_IDENTITY_H

#include "registry.h"

enum { ROD_IDENTITY_TEXT = 128, ROD_DIFFERENCE_TEXT = 400 };

typedef struct {
    char cpu[ROD_IDENTITY_TEXT];      /* brand, family, model, stepping */
    char isas[ROD_IDENTITY_TEXT];     /* native ones that run here */
    char compiler[ROD_IDENTITY_TEXT]; /* with its version */
    char registry[ROD_IDENTITY_TEXT]; /* digest of the variants' names */
    char sources[ROD_IDENTITY_TEXT];  /* digest of kernels/ and of the flags it was built with */
} rod_identity;

enum { ROD_IDENTITY_PARTS = 5 };

/* The parts by number, for those who read and write them: "cpu", ... */
const char *rod_identity_part_name(size_t part);
char *rod_identity_part(rod_identity *identity, size_t part);

/* Of this build on this machine. */
rod_identity rod_identity_here(void);

/* False when both are the same; otherwise says in a few words what differs first. */
bool rod_identity_differs(const rod_identity *tuned, const rod_identity *here,
                          char why[ROD_DIFFERENCE_TEXT]);

/* The compiler of this build with its version. */
const char *rod_compiler(void);

#endif
