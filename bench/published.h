/* What the papers published: reports/published.csv, built into the program. */
#ifndef RODBENCH_PUBLISHED_H
#define RODBENCH_PUBLISHED_H

#include <stddef.h>

/* Texts are never NULL. */
typedef struct {
    const char *key;    /* paper, scene and method: "ks16-scene1-pber" */
    const char *method; /* "pber"; of a ratio "pber/quaternion" */
    const char *scene;
    unsigned elements;   /* of a rod, 0 if not said */
    unsigned iterations; /* 0 if not said, or of several */
    double value;        /* NAN where no number was published */
    const char *unit;    /* "ms" (of a frame, or of a step if that is implicit), "frames", "fps",
                            "times", or "" without a value */
    const char *source;
    const char *section; /* of the source: "table 1" */
    const char *machine; /* "not said" where it was not */
    const char *reading; /* what we take it to mean, in one sentence */
} published;

/* NULL if there is no such key. */
const published *published_named(const char *key);

/* In the order of the file. */
size_t published_count(void);
const published *published_at(size_t i);

#endif
