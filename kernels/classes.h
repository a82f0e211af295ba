/* What a kernel variant is chosen for: a method, how many rods, in which order, how accurate. The
 * committed defaults, the tuner and the choice all speak of these classes. */
#ifndef ROD_CLASSES_H
#define ROD_CLASSES_H

#include "registry.h"

/* One rod: lanes may be elements instead of rods. A small batch: the state of all its rods stays in
 * a core's own caches. A large one streams from further away, and arithmetic counts for less. */
typedef enum { ROD_SHAPE_ONE, ROD_SHAPE_SMALL, ROD_SHAPE_LARGE } rod_shape_class;

enum { ROD_SHAPES = 3, ROD_ORDERS = ROD_ORDER_DEFAULT, ROD_ACCURACIES = 3 };

typedef struct {
    rod_method method;
    rod_shape_class shape;
    rod_order order; /* never ROD_ORDER_DEFAULT */
    rod_accuracy accuracy;
} rod_class;

enum { ROD_CLASSES = (ROD_METHOD_PBD + 1) * ROD_SHAPES * ROD_ORDERS * ROD_ACCURACIES };

/* Classes are numbered, accuracies next to each other, then orders, shapes, methods. */
rod_class rod_class_at(size_t index);
size_t rod_class_index(const rod_class *c);

/* The border between small and large: a core's own caches hold 0.5 to 2 MiB today, and an element
 * keeps some 72 bytes (strands 32), so that 16,384 of them, about 1 MiB, are the last to fit. */
enum { ROD_SMALL_ELEMENTS = 1 << 14 };

/* `elements` of all rods together. */
rod_shape_class rod_shape_class_of(size_t rods, size_t elements);

/* Names for people and files; the inverse returns false when there is no such name. */
const char *rod_shape_class_name(rod_shape_class shape);
const char *rod_order_name(rod_order order);
const char *rod_accuracy_name(rod_accuracy accuracy);
bool rod_shape_class_named(const char *name, rod_shape_class *shape);
bool rod_order_named(const char *name, rod_order *order);
bool rod_accuracy_named(const char *name, rod_accuracy *accuracy);

/* Whether a variant may be chosen where this accuracy is asked for. */
bool rod_variant_has_accuracy(const rod_variant *variant, rod_accuracy accuracy);

#endif
