#include "published.h"

#include <math.h>
#include <string.h>

static const published rows[] = {
#include "published_rows.h" /* made from reports/published.csv by scripts/published-to-c */
};

size_t published_count(void) {
    return sizeof rows / sizeof *rows;
}

const published *published_at(size_t i) {
    return &rows[i];
}

const published *published_named(const char *key) {
    for (size_t i = 0; i < published_count(); i++)
        if (strcmp(rows[i].key, key) == 0)
            return &rows[i];
    return NULL;
}
