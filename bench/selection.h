/* The options that say what is simulated: as `run` reads them. */
#ifndef RODBENCH_SELECTION_H
#define RODBENCH_SELECTION_H

#include "options.h"
#include "simulation.h"

/* As given on the command line; NULL and 0 stand for the scene's own. */
typedef struct {
    const char *method, *order, *variant;
    size_t rods, elements, iterations, frames, threads;
    float dt, length, rigid_damping;
    bool stiffness_per_frame;
    uint64_t seed;
} selection;

enum { SELECTION_OPTIONS = 13 };

/* Puts the options that fill a selection into an array of SELECTION_OPTIONS. */
void selection_options(selection *s, option options[SELECTION_OPTIONS]);

/* The simulation of a scene with what was selected. Returns false after reporting what is wrong,
 * for instance a batch larger than this machine's memory. */
bool selection_apply(const char *command, const selection *s, const scene *shown, simulation *to);

/* The scene of that name; NULL after reporting that there is none. */
const scene *selection_scene(const char *command, const char *name);

/* The end of a help text: every scene with what it is. */
void selection_print_scenes(void);

/* What ROD_KERNEL in the environment forces makes sense. Reports what does not. */
bool selection_environment(const char *command);

/* A status that came of starting a simulation, in one line. Returns the exit code. */
int selection_complain(const char *command, const simulation *s, rod_status status);

#endif
