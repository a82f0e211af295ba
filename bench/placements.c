#include "placements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Memory that is given back is handed out again, so much is held: small batches all, large ones as
 * many as a small machine bears. */
static const double held_bytes = 256e6;

placements *placements_create(size_t room) {
    placements *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->entry = calloc(room, sizeof *p->entry);
    if (p->entry)
        return p;
    free(p);
    return NULL;
}

void placements_add(placements *p, const contest_entry *entry) {
    p->entry[p->count++].entry = *entry;
}

static double bytes_of(const contest *c) {
    double bytes = 0.0;
    for (size_t i = 0; i < c->count; i++)
        bytes += simulation_bytes(&c->entry[i].simulation.settings);
    return bytes;
}

static void make_room(placements *p) {
    for (; p->bytes > held_bytes && p->oldest < p->rounds; p->oldest++) {
        p->bytes -= bytes_of(&p->held[p->oldest]);
        contest_finish(&p->held[p->oldest]);
    }
}

/* Each round begins with another one, so that memory goes from one to the next. */
static placed *at(placements *p, size_t turn) {
    return &p->entry[(p->rounds + turn) % p->count];
}

static void take_turns(placements *p, contest *c) {
    for (size_t i = 0, next = 0; i < p->count; i++) {
        placed *e = at(p, i);
        if (e->left)
            continue;
        contestant *own = &c->entry[next++];
        const double seconds = contest_shortest(own);
        const bool is_first = e->rounds == p->rounds;
        e->seconds[p->rounds] = is_first ? seconds : fmin(e->seconds[p->rounds], seconds);
        e->rounds = p->rounds + 1;
        e->resident_bytes = rod_resident_bytes(own->simulation.batch);
    }
}

rod_status placements_round(placements *p, size_t turns) {
    make_room(p);
    contest *c = &p->held[p->rounds];
    for (size_t i = 0; i < p->count; i++)
        if (!at(p, i)->left)
            contest_add(c, &at(p, i)->entry, NULL);
    contest_prepare(c, 1);
    if (c->status != ROD_OK)
        return c->status;
    for (size_t turn = 0; turn < turns; turn++)
        take_turns(p, c);
    p->bytes += bytes_of(c);
    p->rounds++;
    return ROD_OK;
}

clock_stats placements_statistics(const placements *p, size_t index) {
    double seconds[PLACEMENTS_MOST];
    memcpy(seconds, p->entry[index].seconds, sizeof seconds);
    return clock_statistics(seconds, p->entry[index].rounds);
}

void placements_finish(placements *p) {
    if (!p)
        return;
    for (size_t i = p->oldest; i < PLACEMENTS_MOST; i++)
        contest_finish(&p->held[i]);
    free(p->entry);
    free(p);
}
