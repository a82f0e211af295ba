#include "reference/model.h"

#include <stdlib.h>

/* One allocation for all arrays: doubles that no entry outgrows. */
enum { MODEL_ROW = 64 };

static real *take(real **next, size_t count) {
    real *taken = *next;
    *next += count;
    return taken;
}

static void lay_out(rod_model *m, size_t n, real *memory) {
    textbook_rod *r = &m->rod;
    r->elements = n;
    r->x = (real3 *)take(&memory, 3 * (n + 1));
    r->v = (real3 *)take(&memory, 3 * (n + 1));
    r->p = (real3 *)take(&memory, 3 * (n + 1));
    r->q = (realq *)take(&memory, 4 * n);
    r->u = (realq *)take(&memory, 4 * n);
    r->omega = (real3 *)take(&memory, 3 * n);
    r->sign = take(&memory, n);
    r->w = m->w = take(&memory, n + 1);
    r->wq = m->wq = take(&memory, n);
    r->l = m->l = take(&memory, n);
    r->rest = m->rest = (real3 *)take(&memory, 3 * n);
    r->force = m->force = (real3 *)take(&memory, 3 * (n + 1));
    r->torque = m->torque = (real3 *)take(&memory, 3 * n);
    r->inertia = m->inertia = (real3 *)take(&memory, 3 * n);
    r->stretch_stiffness = r->bend_stiffness = (real3){1, 1, 1};
    m->pber = (pber_rod){.elements = n,
                         .x = r->x,
                         .v = r->v,
                         .p = r->p,
                         .g = (real3 *)take(&memory, 3 * n),
                         .gv = (real3 *)take(&memory, 3 * n),
                         .gp = (real3 *)take(&memory, 3 * n),
                         .fall = take(&memory, n),
                         .w = m->w,
                         .wg = m->wq,
                         .l = m->l,
                         .rest = m->rest,
                         .force = m->force};
    m->angle = take(&memory, n);
    m->stretch_stiffness = take(&memory, n);
    m->bend_stiffness = take(&memory, n);
    m->pbd = (pbd_rod){.elements = n,
                       .x = r->x,
                       .v = r->v,
                       .p = r->p,
                       .w = m->w,
                       .l = m->l,
                       .angle = m->angle,
                       .stretch_stiffness = m->stretch_stiffness,
                       .bend_stiffness = m->bend_stiffness,
                       .force = m->force};
}

rod_model *rod_model_create(size_t elements) {
    if (elements == 0 || elements > SIZE_MAX / (MODEL_ROW * sizeof(real)) - 1)
        return NULL;
    rod_model *m = malloc(sizeof *m);
    real *memory = calloc(elements + 1, MODEL_ROW * sizeof(real));
    if (!m || !memory) {
        free(m);
        free(memory);
        return NULL;
    }
    *m = (rod_model){.method = ROD_METHOD_QUATERNION};
    lay_out(m, elements, memory);
    for (size_t i = 0; i <= elements; i++) {
        m->rod.x[i].z = (real)i;
        m->w[i] = 1;
    }
    for (size_t j = 0; j < elements; j++) {
        m->rod.q[j].w = 1;
        m->wq[j] = m->l[j] = m->stretch_stiffness[j] = m->bend_stiffness[j] = 1;
        m->inertia[j] = (real3){1, 1, 1};
        m->pber.fall[j] = 1;
    }
    return m;
}

/* Reads a quantity through `buffer` into consecutive reals. */
static bool read_quantity(const rod_batch *batch, rod_quantity quantity, size_t rod, float *buffer,
                          real *into) {
    const rod_status status = rod_get(batch, quantity, rod, 1, buffer);
    if (status != ROD_OK)
        return status == ROD_E_ABSENT;
    const size_t count = rod_floats(batch, quantity, rod, 1);
    for (size_t i = 0; i < count; i++)
        into[i] = (real)buffer[i];
    return true;
}

static void set_stiffness(rod_model *m, const rod_stiffness *k) {
    m->rod.stretch_stiffness = (real3){k->shear_x, k->shear_y, k->stretch};
    m->rod.bend_stiffness = m->pber.bend_stiffness = (real3){k->bend_x, k->bend_y, k->twist};
    m->pber.stretch_stiffness = k->stretch;
    for (size_t e = 0; e < m->rod.elements; e++) {
        m->stretch_stiffness[e] *= k->stretch;
        m->bend_stiffness[e] *= k->bend_x;
    }
}

/* The ghosts' distance is the mean length of the elements. */
static void set_ghost_length(rod_model *m) {
    for (size_t e = 0; e < m->rod.elements; e++)
        m->pber.ghost_length += m->l[e] / (real)m->rod.elements;
}

/* Quantities that the method does not have stay as the model was created. */
static bool read_rod(rod_model *m, const rod_batch *batch, size_t rod, float *buffer) {
    const struct {
        rod_quantity quantity;
        real *into;
    } parts[] = {
        {ROD_POSITIONS, &m->rod.x->x},
        {ROD_VELOCITIES, &m->rod.v->x},
        {ROD_INVERSE_MASSES, m->w},
        {ROD_FORCES, &m->force->x},
        {ROD_ORIENTATIONS, &m->rod.q->w},
        {ROD_ANGULAR_VELOCITIES, &m->rod.omega->x},
        {ROD_ORIENTATION_WEIGHTS, m->wq},
        {ROD_TORQUES, &m->torque->x},
        {ROD_INERTIAS, &m->inertia->x},
        {ROD_REST_LENGTHS, m->l},
        {ROD_REST_DARBOUX, &m->rest->x},
        {ROD_GHOSTS, &m->pber.g->x},
        {ROD_GHOST_VELOCITIES, &m->pber.gv->x},
        {ROD_REST_ANGLES, m->angle},
        {ROD_STRETCH_STIFFNESSES, m->stretch_stiffness},
        {ROD_BEND_STIFFNESSES, m->bend_stiffness},
    };
    m->method = rod_method_of(batch);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!read_quantity(batch, parts[i].quantity, rod, buffer, parts[i].into))
            return false;
    rod_stiffness k;
    if (rod_get_stiffness(batch, rod, &k) != ROD_OK)
        return false;
    set_stiffness(m, &k);
    set_ghost_length(m);
    return true;
}

rod_model *rod_model_of(const rod_batch *batch, size_t rod) {
    const size_t elements = rod_elements(batch, rod);
    rod_model *m = rod_model_create(elements);
    float *buffer = m ? malloc(4 * (elements + 1) * sizeof *buffer) : NULL;
    if (!buffer || !read_rod(m, batch, rod, buffer)) {
        rod_model_destroy(m);
        m = NULL;
    }
    free(buffer);
    return m;
}

void rod_model_step(rod_model *m, const rod_frame *f) {
    if (m->method == ROD_METHOD_PBER)
        pber_step(&m->pber, f);
    else if (m->method == ROD_METHOD_PBD)
        pbd_step(&m->pbd, f);
    else
        textbook_step(&m->rod, &(textbook_frame){
                                   .dt = f->dt,
                                   .damping = f->damping,
                                   .gravity = {f->gravity[0], f->gravity[1], f->gravity[2]},
                                   .iterations = f->iterations,
                                   .order = f->order,
                               });
}

void rod_model_destroy(rod_model *model) {
    if (!model)
        return;
    free(model->rod.x); /* the first of the arrays in the one allocation */
    free(model);
}
