#include "rod.h"

const char *rod_status_text(rod_status status) {
    switch (status) {
    case ROD_OK:
        return "done";
    case ROD_E_NULL:
        return "a pointer that must not be NULL is NULL";
    case ROD_E_NO_RODS:
        return "a batch needs at least one rod";
    case ROD_E_NO_ELEMENTS:
        return "a rod needs at least one element";
    case ROD_E_TOO_LARGE:
        return "the batch does not fit into the address space";
    case ROD_E_MEMORY:
        return "not enough memory";
    case ROD_E_INDEX:
        return "no such rod, particle, element or joint";
    case ROD_E_NOT_FINITE:
        return "a number is NaN or infinite";
    case ROD_E_MASS:
        return "an inverse mass or weight is not within 0 .. 1e18 (0 pins)";
    case ROD_E_INERTIA:
        return "an inertia is not greater than 0";
    case ROD_E_LENGTH:
        return "an element's length is not within 1e-18 .. 1e18";
    case ROD_E_DIRECTION:
        return "a direction or an orientation has length 0";
    case ROD_E_DARBOUX:
        return "a rest Darboux vector is longer than 1, or of a half turn in a PBER rod";
    case ROD_E_ANGLE:
        return "a rest angle is not within 0 .. pi";
    case ROD_E_STIFFNESS:
        return "a stiffness is not within 0 .. 1";
    case ROD_E_QUANTITY:
        return "not one of the quantities";
    case ROD_E_ABSENT:
        return "the method of the batch has no such quantity or setting";
    case ROD_E_METHOD:
        return "not one of the methods";
    case ROD_E_ORDER:
        return "not one of the orders";
    case ROD_E_ITERATIONS:
        return "a frame needs at least one solver iteration";
    case ROD_E_TIME_STEP:
        return "the time step is not greater than 0";
    case ROD_E_DAMPING:
        return "the damping is not within 0 .. 1";
    case ROD_E_THREADS:
        return "the number of threads is not within 1 .. 1024";
    case ROD_E_ACCURACY:
        return "not one of the accuracies";
    case ROD_E_VARIANT:
        return "no kernel variant of that name for the method";
    case ROD_E_UNUSABLE:
        return "this build or CPU cannot run that kernel variant";
    }
    return "not a status of librod";
}
