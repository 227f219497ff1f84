/* SPDX-License-Identifier: BSD-2-Clause */
/* Chunks that wait for their turn: a list sorted by TSN with lanes that skip, so that each finds
 * its place in few steps. */
#include "sctp_priv.h"

/* How many lanes a chunk is in: one more with a chance of one in four. The numbers follow from the
 * key of the run, so that the author of a capture cannot predict them (splitmix64). */
static unsigned draw_lanes(struct ing_sctp *s) {
  s->random += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = s->random;
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  z ^= z >> 31;
  unsigned lanes = 1;
  for (; lanes < SCTP_LANES && (z & 3) == 0; z >>= 2) {
    lanes++;
  }
  return lanes;
}

/* Finds, in each lane, the links of what stands before the TSN. */
static void find(struct ing_sctp *s, sctp_held *held, uint64_t tsn,
                 sctp_node **before[SCTP_LANES]) {
  sctp_node **at = held->first;
  for (unsigned lane = SCTP_LANES; lane-- > 0;) {
    for (; at[lane] != NULL && at[lane]->tsn < tsn; at = at[lane]->next) {
      ++*s->steps;
    }
    ++*s->steps;
    before[lane] = at;
  }
}

sctp_node *ing_sctp_held_add(struct ing_sctp *s, sctp_held *held, sctp_node *n) {
  sctp_node **before[SCTP_LANES];
  find(s, held, n->tsn, before);
  sctp_node *after = before[0][0];
  if (after != NULL && after->tsn == n->tsn) {
    return after;
  }
  const unsigned lanes = draw_lanes(s);
  for (unsigned lane = 0; lane < lanes; lane++) {
    n->next[lane] = before[lane][lane];
    before[lane][lane] = n;
  }
  return NULL;
}

void ing_sctp_held_replace(struct ing_sctp *s, sctp_held *held, const sctp_node *old,
                           sctp_node *n) {
  sctp_node **before[SCTP_LANES];
  find(s, held, n->tsn, before);
  for (unsigned lane = 0; lane < SCTP_LANES && before[lane][lane] == old; lane++) {
    n->next[lane] = old->next[lane];
    before[lane][lane] = n;
  }
}

sctp_node *ing_sctp_held_pop(sctp_held *held) {
  sctp_node *n = held->first[0];
  for (unsigned lane = 0; lane < SCTP_LANES && held->first[lane] == n; lane++) {
    held->first[lane] = n->next[lane];
  }
  return n;
}

void ing_sctp_node_free(struct ing_sctp *s, sctp_node *n) {
  ++*s->steps;
  s->alloc.put(s->alloc.ctx, n, sizeof *n + n->cap);
}
