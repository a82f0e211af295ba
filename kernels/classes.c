#include "classes.h"

#include <string.h>

rod_class rod_class_at(size_t index) {
    return (rod_class){
        .accuracy = (rod_accuracy)(index % ROD_ACCURACIES),
        .order = (rod_order)(index / ROD_ACCURACIES % ROD_ORDERS),
        .shape = (rod_shape_class)(index / ROD_ACCURACIES / ROD_ORDERS % ROD_SHAPES),
        .method = (rod_method)(index / ROD_ACCURACIES / ROD_ORDERS / ROD_SHAPES),
    };
}

size_t rod_class_index(const rod_class *c) {
    const size_t shape = (size_t)c->method * ROD_SHAPES + (size_t)c->shape;
    return (shape * ROD_ORDERS + (size_t)c->order) * ROD_ACCURACIES + (size_t)c->accuracy;
}

rod_shape_class rod_shape_class_of(size_t rods, size_t elements) {
    if (rods == 1)
        return ROD_SHAPE_ONE;
    return elements <= ROD_SMALL_ELEMENTS ? ROD_SHAPE_SMALL : ROD_SHAPE_LARGE;
}

/* ---------------------------------------------------------------- names */

static const char *const shape_names[ROD_SHAPES] = {"one rod", "small batch", "large batch"};
static const char *const order_names[ROD_ORDERS] = {"sequential", "bilateral", "cross", "redblack"};
static const char *const accuracy_names[ROD_ACCURACIES] = {"full", "bare", "exact"};

/* The place of a name; `count` when it is not there. */
static size_t place_of(const char *name, const char *const *names, size_t count) {
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

const char *rod_shape_class_name(rod_shape_class shape) {
    return shape_names[shape];
}

const char *rod_order_name(rod_order order) {
    return order_names[order];
}

const char *rod_accuracy_name(rod_accuracy accuracy) {
    return accuracy_names[accuracy];
}

bool rod_shape_class_named(const char *name, rod_shape_class *shape) {
    const size_t i = place_of(name, shape_names, ROD_SHAPES);
    if (i < ROD_SHAPES)
        *shape = (rod_shape_class)i;
    return i < ROD_SHAPES;
}

bool rod_order_named(const char *name, rod_order *order) {
    const size_t i = place_of(name, order_names, ROD_ORDERS);
    if (i < ROD_ORDERS)
        *order = (rod_order)i;
    return i < ROD_ORDERS;
}

bool rod_accuracy_named(const char *name, rod_accuracy *accuracy) {
    const size_t i = place_of(name, accuracy_names, ROD_ACCURACIES);
    if (i < ROD_ACCURACIES)
        *accuracy = (rod_accuracy)i;
    return i < ROD_ACCURACIES;
}

/* ---------------------------------------------------------------- accuracy */

/* Textbook strands know small angles to 3e-4 only (bench/verify.c). Exact: one layout and one way
 * of weighing, so that no choice among them changes the bits (tests/test_golden.c). */
bool rod_variant_has_accuracy(const rod_variant *v, rod_accuracy accuracy) {
    const bool is_exact = strcmp(v->norm, "exact") == 0;
    const bool is_coarse = strcmp(v->method, "pbd") == 0 && strcmp(v->layout, "textbook") == 0;
    switch (accuracy) {
    case ROD_ACCURACY_FULL:
        return strcmp(v->norm, "bare") != 0 && !is_coarse;
    case ROD_ACCURACY_BARE:
        return true;
    case ROD_ACCURACY_EXACT:
        return is_exact && strcmp(v->layout, "batch") == 0 && strcmp(v->weights, "uniform") == 0;
    }
    return false;
}
