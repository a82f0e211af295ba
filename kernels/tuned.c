/* The choices of `rodbench tune`, baked in. tuned.h is written by the build, from a tuned.json that
 * it has checked, and holds no choices where there is none. */

#include "choice.h"

#include "tuned.h"

#ifdef ROD_TUNED_CHOICES

#define ROD_TUNED_ROW(method, shape, order, accuracy, variant, reason)                             \
    {{ROD_METHOD_##method, ROD_SHAPE_##shape, ROD_ORDER_##order, ROD_ACCURACY_##accuracy},         \
     variant,                                                                                      \
     reason},

static const rod_tuned_choice choices[] = {ROD_TUNED_CHOICES(ROD_TUNED_ROW)};

static const rod_tuned baked = {
    {ROD_TUNED_CPU, ROD_TUNED_ISAS, ROD_TUNED_COMPILER, ROD_TUNED_REGISTRY, ROD_TUNED_SOURCES},
    choices,
    sizeof choices / sizeof *choices,
};

const rod_tuned *rod_tuned_baked(void) {
    return &baked;
}

#else

const rod_tuned *rod_tuned_baked(void) {
    return NULL;
}

#endif
