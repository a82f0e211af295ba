/* Simulations timed in many memories, in turns.
 *
 * Where a batch happens to lie costs more than many a variant gains: 64 rods of one variant
 * took 65.3 to 71.7 us a frame in 60 memories of one program, 8192 strands 1.60 to 1.80 ms in 40,
 * and each memory keeps its time. Only more memories average that, so each round is in another. Its
 * time is the shortest of some turns: of 5 in one memory that comes back within 0.9 %, their median
 * within 2.2 %. */
#ifndef RODBENCH_PLACEMENTS_H
#define RODBENCH_PLACEMENTS_H

#include "contest.h"

enum { PLACEMENTS_MOST = 64 };

typedef struct {
    contest_entry entry;
    bool left;     /* takes no part any more */
    bool is_near;  /* the fastest, when last ranked */
    size_t rounds; /* that it took part in, from the first on */
    size_t resident_bytes;
    double seconds[PLACEMENTS_MOST]; /* of a frame, the shortest of a round */
} placed;

typedef struct {
    placed *entry;
    size_t count, rounds;
    size_t oldest; /* round whose memory is still held, so that later ones get other memory */
    double bytes;  /* that are held */
    contest held[PLACEMENTS_MOST];
} placements;

/* NULL without memory. */
placements *placements_create(size_t room);
void placements_add(placements *p, const contest_entry *entry);

/* One more round: of so many turns, in new memory. There are PLACEMENTS_MOST. */
rod_status placements_round(placements *p, size_t turns);

/* Of the shortest times of all rounds that it took part in. */
clock_stats placements_statistics(const placements *p, size_t index);

void placements_finish(placements *p);

#endif
