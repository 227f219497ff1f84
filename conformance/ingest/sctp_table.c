/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of associations: found by ports and Verification Tag, whatever the addresses. */
#include <string.h>

#include "sctp_priv.h"

static bool same_ip(const ingest_addr *a, const ingest_addr *b) {
  return a->family == b->family && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

/* The same for both directions. */
static sctp_assoc **bucket_of(struct ing_sctp *s, uint16_t a, uint16_t b) {
  const uint32_t low = a < b ? a : b;
  const uint32_t high = a < b ? b : a;
  const uint32_t mixed = (low << 16 | high) * 2654435761u;
  return &s->bucket[mixed >> 22];
}

typedef enum match { MATCH_NONE = 0, MATCH_ENDS, MATCH_TAG } match;

/*
 * How well the packet fits if `side` sent it. The tag decides where it is known, since a side may
 * have several addresses; the ends do as long as it is not. An ABORT or SHUTDOWN COMPLETE may carry
 * the other tag, a new INIT none: RFC 9260 8.5.1.
 */
static match fits(const sctp_assoc *a, const sctp_packet *pkt, unsigned side, bool reflected) {
  const sctp_dir *to = &a->dir[side ^ 1u];
  const sctp_dir *from = &a->dir[side];
  if (a->addr[side].port != pkt->src.port || a->addr[side ^ 1u].port != pkt->dst.port) {
    return MATCH_NONE;
  }
  const bool ends = same_ip(&a->addr[side], &pkt->src) && same_ip(&a->addr[side ^ 1u], &pkt->dst);
  if (to->tag_known && pkt->tag == to->tag) {
    return MATCH_TAG;
  }
  if (reflected && ends && from->tag_known && pkt->tag == from->tag) {
    return MATCH_TAG;
  }
  return ends && !to->tag_known ? MATCH_ENDS : MATCH_NONE;
}

/* An INIT has the tag 0: it is known by the tag that it announces. */
static match fits_init(const sctp_assoc *a, const sctp_packet *pkt, unsigned side, uint32_t tag) {
  const sctp_dir *from = &a->dir[side];
  if (a->addr[side].port != pkt->src.port || a->addr[side ^ 1u].port != pkt->dst.port ||
      !same_ip(&a->addr[side], &pkt->src) || !same_ip(&a->addr[side ^ 1u], &pkt->dst)) {
    return MATCH_NONE;
  }
  if (from->tag_known) {
    return from->tag == tag ? MATCH_TAG : MATCH_NONE;
  }
  return from->started ? MATCH_NONE : MATCH_ENDS;
}

static bool first_is(const sctp_packet *pkt, sctp_chunk_type type, sctp_chunk *chunk) {
  ing_span rest = pkt->body;
  (void)ing_skip(&rest, SCTP_HEADER);
  return ing_sctp_chunk(&rest, chunk) && chunk->type == (uint8_t)type;
}

static bool is_reflected(const sctp_packet *pkt) {
  sctp_chunk chunk;
  const bool ends =
      first_is(pkt, SCTP_ABORT, &chunk) || first_is(pkt, SCTP_SHUTDOWN_COMPLETE, &chunk);
  return ends && (chunk.flags & SCTP_FLAG_T) != 0;
}

sctp_assoc *ing_sctp_find(struct ing_sctp *s, unsigned *side) {
  sctp_assoc *best = NULL;
  match how = MATCH_NONE;
  sctp_chunk chunk;
  const bool init = first_is(&s->pkt, SCTP_INIT, &chunk);
  const uint32_t tag = init ? ing_be32(&chunk.body, 4) : 0;
  const bool reflected = is_reflected(&s->pkt);
  sctp_assoc *a = *bucket_of(s, s->pkt.src.port, s->pkt.dst.port);
  for (; a != NULL && how != MATCH_TAG; a = a->chain) {
    for (unsigned i = 0; i < 2; i++) {
      const match m = init ? fits_init(a, &s->pkt, i, tag) : fits(a, &s->pkt, i, reflected);
      if (m > how) {
        how = m;
        best = a;
        *side = i;
      }
    }
  }
  return best;
}

sctp_assoc *ing_sctp_victim(struct ing_sctp *s) {
  size_t length = 0;
  sctp_assoc *last = NULL;
  sctp_assoc *at = *bucket_of(s, s->pkt.src.port, s->pkt.dst.port);
  for (; at != NULL; at = at->chain) {
    length++;
    last = at; /* new ones and those heard of move to the front */
  }
  if (length >= SCTP_CHAIN_MAX) {
    return last;
  }
  return s->count >= INGEST_SCTP_ASSOCS_MAX ? s->stalest : NULL;
}

static void link_fresh(struct ing_sctp *s, sctp_assoc *a) {
  a->staler = s->freshest;
  a->fresher = NULL;
  *(s->freshest != NULL ? &s->freshest->fresher : &s->stalest) = a;
  s->freshest = a;
}

static void unlink_fresh(struct ing_sctp *s, sctp_assoc *a) {
  *(a->staler != NULL ? &a->staler->fresher : &s->stalest) = a->fresher;
  *(a->fresher != NULL ? &a->fresher->staler : &s->freshest) = a->staler;
}

static void unchain(struct ing_sctp *s, const sctp_assoc *a) {
  sctp_assoc **link = bucket_of(s, a->addr[0].port, a->addr[1].port);
  while (*link != a) {
    link = &(*link)->chain;
  }
  *link = a->chain;
}

static void chain(struct ing_sctp *s, sctp_assoc *a) {
  sctp_assoc **bucket = bucket_of(s, a->addr[0].port, a->addr[1].port);
  a->chain = *bucket;
  *bucket = a;
}

sctp_assoc *ing_sctp_add(struct ing_sctp *s, bool from_server) {
  sctp_assoc *a = s->alloc.get(s->alloc.ctx, sizeof *a);
  if (a == NULL) {
    ++*s->dropped;
    return NULL;
  }
  memset(a, 0, sizeof *a);
  a->addr[0] = from_server ? s->pkt.dst : s->pkt.src;
  a->addr[1] = from_server ? s->pkt.src : s->pkt.dst;
  a->end = INGEST_END_CAPTURE;
  chain(s, a);
  link_fresh(s, a);
  s->count++;
  return a;
}

void ing_sctp_touch(struct ing_sctp *s, sctp_assoc *a) {
  if (s->freshest != a) {
    unlink_fresh(s, a);
    link_fresh(s, a);
    unchain(s, a);
    chain(s, a);
  }
}

void ing_sctp_remove(struct ing_sctp *s, sctp_assoc *a) {
  for (unsigned i = 0; i < 2; i++) {
    ing_sctp_queue_free(s, a, &a->dir[i].held);
    ing_sctp_queue_free(s, a, &a->dir[i].parts);
  }
  unlink_fresh(s, a);
  unchain(s, a);
  s->count--;
  s->alloc.put(s->alloc.ctx, a, sizeof *a);
}
