/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine for SCTP: packets in, events out. */
#include "sctp_priv.h"

#include <string.h>

#include "base/siphash.h"
#include "conn.h"

struct ing_sctp *ing_sctp_new(const ingest_alloc *alloc, const uint64_t hash_key[2],
                              ingest_stats *stats) {
  struct ing_sctp *s = alloc->get(alloc->ctx, sizeof *s);
  if (s != NULL) {
    memset(s, 0, sizeof *s);
    s->alloc = *alloc;
    s->dropped = &stats->dropped;
    s->stats = stats;
    s->steps = &stats->steps;
    memcpy(s->hash_key, hash_key, sizeof s->hash_key);
    const uint64_t purpose[2] = {132, 0}; /* other numbers than the tables have */
    s->random = siphash_words(hash_key, purpose, 2);
  }
  return s;
}

static void sctp_release(struct ing_sctp *s) {
  ing_sctp_release(s);
  if (s->gone != NULL) {
    ing_sctp_remove(s, s->gone);
    s->gone = NULL;
    s->active = NULL;
  }
}

void ing_sctp_free(struct ing_sctp *s) {
  if (s == NULL) {
    return;
  }
  sctp_release(s);
  while (s->lru_oldest != NULL) {
    ing_sctp_remove(s, s->lru_oldest);
  }
  ingest_alloc alloc = s->alloc;
  alloc.put(alloc.ctx, s, sizeof *s);
}

void ing_sctp_push(struct ing_sctp *s, const ing_ip *ip, bool fragmented,
                   const ing_conflict *conflict, uint64_t number, uint64_t time_ns) {
  sctp_release(s);
  s->conflict = conflict;
  s->pending = ing_sctp_open(ip, fragmented, &s->pkt);
  s->stats->chunks += s->pending ? ing_sctp_chunks(&s->pkt) : 0;
  s->number = number;
  s->time_ns = time_ns;
  s->clock++;
  const bool bad = s->pending && ing_sums_wrong(s->pkt.sum, s->pkt.header_damaged);
  s->stats->bad_checksum += bad;
  ingest_bad_count(&s->stats->bad_sums[1], bad, number);
  s->stats->bad_headers[1] += s->pending && s->pkt.header_damaged;
}

/* Makes the association say all that it has left. One that ended and waits for nothing loses
 * nothing by a limit. */
static void sctp_give_up(struct ing_sctp *s, sctp_assoc *a, ingest_limit limit) {
  a->closing = true;
  s->active = a;
  if (a->deadline == 0 || a->nodes > 0) {
    ing_sctp_limit(a, limit);
  }
}

/* Only what begins an association, or has something to show of it, is worth following. */
static bool is_worth(const struct ing_sctp *s) {
  return ing_sctp_has(&s->pkt, SCTP_INIT) || ing_sctp_has(&s->pkt, SCTP_INIT_ACK) ||
         ing_sctp_has(&s->pkt, SCTP_DATA);
}

/* Makes the association of the current packet; NULL: another one has to go first, which is active
 * then, or there is no memory at all. */
static sctp_assoc *sctp_make(struct ing_sctp *s, unsigned side) {
  if (s->count >= s->max) {
    sctp_give_up(s, s->lru_oldest, INGEST_LIMIT_CONNECTIONS);
    return NULL;
  }
  sctp_assoc *a = ing_sctp_add(s, side);
  if (a == NULL && s->lru_oldest != NULL) {
    sctp_give_up(s, s->lru_oldest, INGEST_LIMIT_MEMORY);
  }
  *s->dropped += a == NULL && s->lru_oldest == NULL;
  return a;
}

/* Finds or makes the association of the current packet. */
static bool sctp_route(struct ing_sctp *s) {
  unsigned side = 0;
  sctp_assoc *a = ing_sctp_find(s, &side);
  if (a == NULL && is_worth(s)) {
    side = ing_sctp_has(&s->pkt, SCTP_INIT_ACK) ? 1 : 0;
    a = sctp_make(s, side);
    if (a == NULL && s->active != NULL) {
      return true; /* the packet comes back */
    }
  }
  s->pending = false;
  if (a == NULL) {
    return false;
  }
  ing_sctp_touch(s, a);
  ing_sctp_take(s, a, side);
  s->active = a;
  return true;
}

/* Gives up the longest silent association if it ended some time ago; true if it did. */
static bool sctp_expire(struct ing_sctp *s) {
  sctp_assoc *a = s->lru_oldest;
  if (a == NULL || a->deadline == 0 || a->deadline > s->clock) {
    return false;
  }
  sctp_give_up(s, a, INGEST_LIMIT_NONE);
  return true;
}

static bool sctp_advance(struct ing_sctp *s) {
  if (s->pending) {
    return sctp_expire(s) || sctp_route(s);
  }
  if (s->finishing && s->lru_oldest != NULL) {
    sctp_give_up(s, s->lru_oldest, INGEST_LIMIT_NONE);
    return true;
  }
  return false;
}

/* Returns true if packets in fragments between two addresses of the association were given up. */
static bool sctp_lost_fragments(ingest *ing, const sctp_assoc *a) {
  for (unsigned bit = 0; bit < SCTP_HOMES_MAX * SCTP_HOMES_MAX; bit++) {
    const sctp_home *home[2] = {&a->dir[0].home[bit / SCTP_HOMES_MAX],
                                &a->dir[1].home[bit % SCTP_HOMES_MAX]};
    if ((a->paths >> bit & 1) != 0 && home[0]->family == home[1]->family &&
        ing_fragments_lost(ing, home[0]->family, home[0]->ip, home[1]->ip)) {
      return true;
    }
  }
  return false;
}

/* A limit of fragments, which SCTP does not see, is reported at the end. */
static void tell_fragments(ingest *ing, ingest_sctp_event *ev) {
  if (ev->kind == INGEST_SCTP_CLOSE && ev->limit == INGEST_LIMIT_NONE &&
      sctp_lost_fragments(ing, ing->sctp->gone)) {
    ev->limit = INGEST_LIMIT_FRAGMENTS;
  }
}

bool ingest_sctp_next(ingest *ing, ingest_sctp_event *ev) {
  struct ing_sctp *s = ing->sctp;
  if (s == NULL) {
    return false;
  }
  s->finishing = ing->finishing;
  sctp_release(s);
  do {
    if (s->active != NULL && ing_sctp_deliver(s, s->active, ev)) {
      tell_fragments(ing, ev);
      return true;
    }
    s->active = NULL;
  } while (sctp_advance(s));
  return false;
}
