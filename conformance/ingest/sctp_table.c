/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of associations: found by ports, addresses and Verification Tags: RFC 9260 8.5, 5.3.1.
 */
#include <string.h>

#include "sctp_priv.h"

static sctp_home home_of(const ingest_addr *addr) {
  sctp_home home = {.family = addr->family};
  memcpy(home.ip, addr->ip, sizeof home.ip);
  return home;
}

static bool same_home(const sctp_home *a, const sctp_home *b) {
  return a->family == b->family && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

/* ---- what an association is known by ---- */

/* Ports of packets of a side. */
static sctp_ends ends_of(const sctp_assoc *a, unsigned side) {
  return (sctp_ends){a->addr[side].port, a->addr[side ^ 1u].port};
}

static sctp_member *add_key(struct ing_sctp *s, sctp_assoc *a, unsigned side,
                            const sctp_key_words *key) {
  sctp_member *m = ing_sctp_key_add(s, a, side, key);
  if (m == NULL) {
    ing_sctp_limit(a, INGEST_LIMIT_MEMORY);
  }
  return m;
}

static void add_tag_key(struct ing_sctp *s, sctp_assoc *a, unsigned side, sctp_key_kind kind,
                        const sctp_home *src, const sctp_home *dst) {
  const sctp_ends ends = ends_of(a, side);
  const sctp_key_words key = ing_sctp_key(kind, &ends, a->dir[side ^ 1u].tag, src, dst);
  (void)add_key(s, a, side, &key);
}

/* Packets of a side between two homes; `i` is the home of side 0, `j` of side 1. */
static void add_path_key(struct ing_sctp *s, sctp_assoc *a, unsigned side, unsigned i, unsigned j) {
  const sctp_home *home[2] = {&a->dir[0].home[i], &a->dir[1].home[j]};
  add_tag_key(s, a, side, SCTP_KEY_PATH, home[side], home[side ^ 1u]);
}

void ing_sctp_learn_tag(struct ing_sctp *s, sctp_assoc *a, unsigned to, uint32_t tag) {
  sctp_dir *d = &a->dir[to];
  const unsigned side = to ^ 1u;
  if (d->tag_known) {
    return;
  }
  d->tag_known = true;
  d->tag = tag;
  if (d->ends != NULL) {
    ing_sctp_key_drop(s, d->ends);
    d->ends = NULL;
  }
  add_tag_key(s, a, side, SCTP_KEY_TAG, NULL, NULL);
  for (unsigned i = 0; i < d->homes; i++) {
    add_tag_key(s, a, side, SCTP_KEY_TO, NULL, &d->home[i]);
  }
  for (unsigned i = 0; i < a->dir[side].homes; i++) {
    add_tag_key(s, a, side, SCTP_KEY_FROM, &a->dir[side].home[i], NULL);
  }
  for (unsigned bit = 0; bit < SCTP_HOMES_MAX * SCTP_HOMES_MAX; bit++) {
    if ((a->paths >> bit & 1) != 0) {
      add_path_key(s, a, side, bit / SCTP_HOMES_MAX, bit % SCTP_HOMES_MAX);
    }
  }
}

/* The number of an address of a side; SCTP_HOMES_MAX where it is one too many. */
static unsigned home_number(struct ing_sctp *s, sctp_assoc *a, unsigned side,
                            const sctp_home *home) {
  sctp_dir *d = &a->dir[side];
  for (unsigned i = 0; i < d->homes; i++) {
    ++*s->steps;
    if (same_home(&d->home[i], home)) {
      return i;
    }
  }
  if (d->homes == SCTP_HOMES_MAX) {
    return SCTP_HOMES_MAX;
  }
  d->home[d->homes] = *home;
  if (d->tag_known) {
    add_tag_key(s, a, side ^ 1u, SCTP_KEY_TO, NULL, home);
  }
  if (a->dir[side ^ 1u].tag_known) {
    add_tag_key(s, a, side, SCTP_KEY_FROM, home, NULL);
  }
  d->homes++;
  return d->homes - 1u;
}

void ing_sctp_learn_home(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_home *home) {
  (void)home_number(s, a, side, home);
}

void ing_sctp_learn_path(struct ing_sctp *s, sctp_assoc *a, unsigned side) {
  const sctp_home src = home_of(&s->pkt.src);
  const sctp_home dst = home_of(&s->pkt.dst);
  const unsigned from = home_number(s, a, side, &src);
  const unsigned to = home_number(s, a, side ^ 1u, &dst);
  const unsigned i = side == 0 ? from : to;
  const unsigned j = side == 0 ? to : from;
  if (i == SCTP_HOMES_MAX || j == SCTP_HOMES_MAX) {
    return; /* packets of further paths are found by their tag */
  }
  const uint64_t path = (uint64_t)1 << (i * SCTP_HOMES_MAX + j);
  if ((a->paths & path) != 0) {
    return;
  }
  a->paths |= path;
  if (a->dir[1].tag_known) {
    add_path_key(s, a, 0, i, j);
  }
  if (a->dir[0].tag_known) {
    add_path_key(s, a, 1, i, j);
  }
}

/* ---- the association of a packet ---- */

/* The ends of a packet, as it is or as its answer would have them. */
typedef struct sctp_way {
  sctp_ends ends;
  sctp_home src;
  sctp_home dst;
} sctp_way;

static sctp_way route_of(const sctp_packet *pkt, bool answer) {
  const ingest_addr *src = answer ? &pkt->dst : &pkt->src;
  const ingest_addr *dst = answer ? &pkt->src : &pkt->dst;
  return (sctp_way){{src->port, dst->port}, home_of(src), home_of(dst)};
}

static const sctp_member *find_path(struct ing_sctp *s, const sctp_way *r, uint32_t tag) {
  const sctp_key_words key = ing_sctp_key(SCTP_KEY_PATH, &r->ends, tag, &r->src, &r->dst);
  return ing_sctp_key_find(s, &key);
}

static const sctp_member *find_ends(struct ing_sctp *s, const sctp_way *r) {
  const sctp_key_words key = ing_sctp_key(SCTP_KEY_ENDS, &r->ends, 0, &r->src, &r->dst);
  return ing_sctp_key_find(s, &key);
}

/* What one association alone is known by. */
static const sctp_member *find_only(struct ing_sctp *s, sctp_key_kind kind, const sctp_way *r,
                                    uint32_t tag, const sctp_home *src, const sctp_home *dst) {
  const sctp_key_words key = ing_sctp_key(kind, &r->ends, tag, src, dst);
  const sctp_member *m = ing_sctp_key_find(s, &key);
  return m != NULL && m->next == NULL ? m : NULL;
}

/* A side may go on from another of its addresses, to another one of its peer. */
static const sctp_member *find_tag(struct ing_sctp *s, const sctp_way *r, uint32_t tag) {
  const sctp_member *m = find_only(s, SCTP_KEY_TO, r, tag, NULL, &r->dst);
  m = m != NULL ? m : find_only(s, SCTP_KEY_FROM, r, tag, &r->src, NULL);
  return m != NULL ? m : find_only(s, SCTP_KEY_TAG, r, tag, NULL, NULL);
}

static bool first_is(const sctp_packet *pkt, sctp_chunk_type type, sctp_chunk *chunk) {
  ing_span rest = pkt->body;
  (void)ing_skip(&rest, SCTP_HEADER);
  return ing_sctp_chunk(&rest, chunk) && chunk->type == (uint8_t)type;
}

/* An ABORT or SHUTDOWN COMPLETE may carry the tag of its sender: RFC 9260 8.5.1. */
static bool is_reflected(const sctp_packet *pkt) {
  sctp_chunk chunk;
  const bool ends =
      first_is(pkt, SCTP_ABORT, &chunk) || first_is(pkt, SCTP_SHUTDOWN_COMPLETE, &chunk);
  return ends && (chunk.flags & SCTP_FLAG_T) != 0;
}

/* An INIT has the tag 0: it is known by the tag that it announces, which packets to its sender will
 * carry. Or it is the first that is seen of its sender. */
static const sctp_member *find_init(struct ing_sctp *s, uint32_t tag) {
  const sctp_way answer = route_of(&s->pkt, true);
  const sctp_member *m = find_path(s, &answer, tag);
  if (m == NULL) {
    m = find_ends(s, &answer);
    m = m != NULL && !m->assoc->dir[m->side ^ 1u].started ? m : NULL;
  }
  return m;
}

/* Returns true if the INIT ACK says that its sender has this address, too. */
static bool lists(struct ing_sctp *s, const sctp_chunk *ack, const sctp_home *home) {
  ing_span rest = ack->body;
  sctp_param param;
  sctp_home other;
  (void)ing_skip(&rest, SCTP_INIT_HEADER);
  while (ing_sctp_param(&rest, &param)) {
    ++*s->steps;
    if (ing_sctp_home(&param, &other) && same_home(&other, home)) {
      return true;
    }
  }
  return false;
}

/* An INIT ACK that does not go back as the INIT came: between other addresses that both name. RFC
 * 9260 5.1.2 */
static const sctp_member *find_init_ack(struct ing_sctp *s, const sctp_way *r,
                                        const sctp_chunk *ack) {
  const sctp_member *m = find_only(s, SCTP_KEY_TO, r, s->pkt.tag, NULL, &r->dst);
  if (m == NULL || m->assoc->dir[m->side].init_seen) {
    return NULL;
  }
  const sctp_home *home = &m->assoc->dir[m->side].home[0];
  return same_home(&r->src, home) || lists(s, ack, home) ? m : NULL;
}

sctp_assoc *ing_sctp_find(struct ing_sctp *s, unsigned *side) {
  sctp_chunk chunk;
  const sctp_way there = route_of(&s->pkt, false);
  const sctp_member *m = NULL;
  bool answer = false;
  if (first_is(&s->pkt, SCTP_INIT, &chunk)) {
    m = find_init(s, ing_be32(&chunk.body, 4));
    answer = true;
  } else {
    m = find_path(s, &there, s->pkt.tag);
    if (m == NULL && is_reflected(&s->pkt)) {
      const sctp_way back = route_of(&s->pkt, true);
      m = find_path(s, &back, s->pkt.tag);
      answer = m != NULL;
    }
    const bool ack = first_is(&s->pkt, SCTP_INIT_ACK, &chunk);
    if (m == NULL && !ack) {
      m = find_tag(s, &there, s->pkt.tag);
    }
    m = m != NULL ? m : find_ends(s, &there);
    if (m == NULL && ack) {
      m = find_init_ack(s, &there, &chunk);
    }
  }
  if (m == NULL) {
    return NULL;
  }
  *side = answer ? m->side ^ 1u : m->side;
  return m->assoc;
}

/* ---- associations ---- */

static void lru_link(struct ing_sctp *s, sctp_assoc *a) {
  a->older = s->lru_newest;
  a->newer = NULL;
  *(s->lru_newest != NULL ? &s->lru_newest->newer : &s->lru_oldest) = a;
  s->lru_newest = a;
}

static void lru_unlink(struct ing_sctp *s, sctp_assoc *a) {
  *(a->older != NULL ? &a->older->newer : &s->lru_oldest) = a->newer;
  *(a->newer != NULL ? &a->newer->older : &s->lru_newest) = a->older;
}

/* The association can be found by the ends of its first packet as long as its tags are not known.
 */
static bool add_ends(struct ing_sctp *s, sctp_assoc *a) {
  for (unsigned side = 0; side < 2; side++) {
    const sctp_ends ends = ends_of(a, side);
    const sctp_key_words key =
        ing_sctp_key(SCTP_KEY_ENDS, &ends, 0, &a->dir[side].home[0], &a->dir[side ^ 1u].home[0]);
    a->dir[side ^ 1u].ends = add_key(s, a, side, &key);
    if (a->dir[side ^ 1u].ends == NULL) {
      return false;
    }
  }
  return true;
}

sctp_assoc *ing_sctp_add(struct ing_sctp *s, unsigned side) {
  sctp_assoc *a = s->alloc.get(s->alloc.ctx, sizeof *a);
  if (a == NULL) {
    return NULL;
  }
  *s->steps += sizeof *a / 8;
  memset(a, 0, sizeof *a);
  a->addr[side] = s->pkt.src;
  a->addr[side ^ 1u] = s->pkt.dst;
  a->end = INGEST_END_CAPTURE;
  for (unsigned i = 0; i < 2; i++) {
    a->dir[i].home[0] = home_of(&a->addr[i]);
    a->dir[i].homes = 1;
    a->dir[i].known.below = SCTP_NONE;
    a->dir[i].known.most = SCTP_NONE;
  }
  a->paths = 1;
  lru_link(s, a);
  s->count++;
  if (!add_ends(s, a)) {
    ing_sctp_remove(s, a);
    return NULL;
  }
  return a;
}

void ing_sctp_touch(struct ing_sctp *s, sctp_assoc *a) {
  if (s->lru_newest != a) {
    lru_unlink(s, a);
    lru_link(s, a);
  }
}

void ing_sctp_remove(struct ing_sctp *s, sctp_assoc *a) {
  for (unsigned i = 0; i < 2; i++) {
    ing_sctp_held_free(s, a, &a->dir[i].held);
    ing_sctp_queue_free(s, a, &a->dir[i].parts);
  }
  ing_sctp_copies_free(s, a);
  while (a->members != NULL) {
    ing_sctp_key_drop(s, a->members);
  }
  lru_unlink(s, a);
  s->count--;
  s->alloc.put(s->alloc.ctx, a, sizeof *a);
}
