/* How near the bodies of the kernels come to the machine's limit, measured in a second or two. */
#ifndef RODBENCH_ROOFLINE_H
#define RODBENCH_ROOFLINE_H

#include "operations.h"
#include "peak.h"
#include "simulation.h"

/* One variant on rods that the caches hold. All is for one element and one iteration. */
typedef struct {
    const rod_variant *variant;
    rod_operation_count operations;       /* of vectors, in the solver */
    rod_operation_count frame_operations; /* the same around it, in a whole frame */
    double seconds;
    double bound; /* seconds that the operations of both would take at the peak */
    double bytes; /* moved */
} roofline_row;

/* What all of them run. */
enum { ROOFLINE_RODS = 64, ROOFLINE_ELEMENTS = 50, ROOFLINE_ITERATIONS = 10 };

/* The rates are those of the ISA that rod_isa_at(i) names: see peak.h. For each method and each
 * native ISA that this CPU runs there is a row of the variant that many rods get there. `rows` has
 * room for ROD_METHODS * rod_isa_count(); `count` of them are filled. */
rod_status roofline_measure(const peak_rates *rates, roofline_row *rows, size_t *count);

/* What a frame of a simulation moves: all that is resident is read, and the state written. */
double roofline_frame_bytes(const simulation *s);

#endif
