/* A comparison as a picture: a dot for each ratio, a bar for its noise, on a logarithmic axis. */

#include "compare.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, LEFT = 330, RIGHT = 110, TOP = 122, LINE = 22 };

/* Of a file's name, what is sure to fit. */
enum { NAME_BYTES = 100 };

static void put_escaped(FILE *file, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        default:
            putc((unsigned char)*text < 0x20 ? ' ' : *text, file);
        }
}

static void put_text(FILE *file, double x, double y, const char *kind, const char *text) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, kind);
    put_escaped(file, text);
    fputs("</text>\n", file);
}

/* The end of a long name tells more than its beginning. */
static void put_name(FILE *file, double y, char which, const char *name) {
    const size_t length = strlen(name);
    const char *end = length > NAME_BYTES ? name + length - NAME_BYTES : name;
    while (((unsigned char)*end & 0xc0) == 0x80)
        end++; /* inside a character of several bytes */
    char line[NAME_BYTES + 16];
    snprintf(line, sizeof line, "%c: %s%s", which, end > name ? "..." : "", end);
    put_text(file, 14, y, "name", line);
}

/* As far to both sides as the longest bar goes, at least to 1.25. */
static double reach_of(const comparison *c) {
    double reach = log(1.25);
    for (size_t i = 0; i < c->count; i++)
        reach = fmax(reach, fmax(fabs(log(c->rows[i].low)), fabs(log(c->rows[i].high))));
    return 1.05 * reach;
}

static double place(double ratio, double reach) {
    const double half = 0.5 * (WIDTH - LEFT - RIGHT);
    return LEFT + half + half * log(ratio) / reach;
}

static void put_axis(FILE *file, double reach, double bottom) {
    static const double marks[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1,
                                   1.25, 2,    5,    10,  20,  50,  100};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (fabs(log(marks[i])) > reach)
            continue;
        char label[16];
        const double x = place(marks[i], reach);
        snprintf(label, sizeof label, "%g", marks[i]);
        fprintf(file, "<path class=\"%s\" d=\"M%.1f %dV%.1f\"/>\n",
                fabs(marks[i] - 1) < 1e-9 ? "one" : "rule", x, TOP - 12, bottom);
        put_text(file, x, TOP - 18, "mark", label);
    }
}

static void put_row(FILE *file, const compare_row *r, double reach, double y) {
    static const char *const kinds[] = {"same", "faster", "slower", "same"};
    char label[256], value[32];
    snprintf(label, sizeof label, "%s: %s", r->row, r->measure);
    snprintf(value, sizeof value, "%.3g x", r->ratio);
    put_text(file, LEFT - 12, y + 4, "row", label);
    fprintf(file,
            "<path class=\"bar %s\" d=\"M%.1f %.1fH%.1f\"/>\n"
            "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>\n",
            kinds[r->verdict], place(r->low, reach), y, place(r->high, reach), kinds[r->verdict],
            place(r->ratio, reach), y);
    put_text(file, WIDTH - RIGHT + 14, y + 4, "value", value);
}

static const char style[] =
    "<style>text{font:13px system-ui,\"Segoe UI\",\"Helvetica Neue\",Arial,sans-serif;fill:#1f2328}"
    ".title{font-size:17px;font-weight:600}.row{text-anchor:end}.mark{text-anchor:middle;"
    "fill:#59636e}.rule{stroke:#d8dee4}.one{stroke:#59636e;stroke-width:1.5}.bar{stroke-width:3;"
    "stroke-opacity:.45}.same{stroke:#8c959f;fill:#8c959f}.faster{stroke:#0072b2;fill:#0072b2}"
    ".slower{stroke:#d55e00;fill:#d55e00}.ground{fill:#fff}@media(prefers-color-scheme:dark){"
    "text{fill:#e6edf3}.mark{fill:#9198a1}.rule{stroke:#30363d}.one{stroke:#9198a1}"
    ".faster{stroke:#56b4e9;fill:#56b4e9}.ground{fill:#0d1117}}</style>\n";

void compare_chart(const comparison *c, const char *name_a, const char *name_b, FILE *file) {
    const double reach = reach_of(c), bottom = TOP + LINE * (double)c->count;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" role=\"img\" "
            "aria-label=\"ratios of times\">\n%s<rect class=\"ground\" width=\"%d\" "
            "height=\"%.0f\"/>\n",
            WIDTH, bottom + 34, style, WIDTH, bottom + 34);
    put_text(file, 14, 28, "title", "Time of A / time of B");
    put_name(file, 50, 'A', name_a);
    put_name(file, 70, 'B', name_b);
    put_axis(file, reach, bottom);
    for (size_t i = 0; i < c->count; i++)
        put_row(file, &c->rows[i], reach, TOP + LINE * ((double)i + 0.5));
    put_text(file, 14, bottom + 22, "mark-left",
             "Right of 1 B is faster. Bars: minimum against median, both ways round. Grey: "
             "same within noise.");
    fputs("</svg>\n", file);
}
