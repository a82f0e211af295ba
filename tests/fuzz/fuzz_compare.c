/* The JSON of `rodbench compare`: two tables, one behind the other with a NUL between them. A
 * single one is compared with itself, which must show no difference. */

#include "fuzz.h"

#include "compare.h"

#include <stdlib.h>

static const json_value *table_of(const json_value *read) {
    return read->kind == JSON_ARRAY ? read->first : read;
}

static json_value *read_table(const char *bytes, size_t length) {
    char error[JSON_ERROR_SIZE] = "", why[COMPARE_REFUSAL_SIZE] = "";
    json_value *read = json_read(bytes, length, error);
    if (!read && *error == '\0')
        abort(); /* a refusal must say why */
    if (read && !compare_accepts(table_of(read), why)) {
        json_release(read);
        return NULL;
    }
    return read;
}

static void draw(const comparison *c) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return;
    compare_chart(c, "a", "b<&>", file);
    fclose(file);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    const char *border = size > 0 ? memchr(bytes, '\0', size) : NULL;
    const size_t first = border ? (size_t)(border - bytes) : size;
    json_value *a = read_table(bytes, first);
    json_value *b = a && border ? read_table(border + 1, size - first - 1) : NULL;
    if (a) {
        comparison c = {0};
        compare_tables(&c, table_of(a), table_of(b ? b : a));
        for (size_t i = 0; !b && i < c.count; i++)
            if (c.rows[i].verdict == COMPARE_FASTER || c.rows[i].verdict == COMPARE_SLOWER)
                abort();
        draw(&c);
        compare_finish(&c);
    }
    json_release(a);
    json_release(b);
    return 0;
}
