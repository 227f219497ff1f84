/* SPDX-License-Identifier: BSD-2-Clause */
/* Two endpoints, what lies on the way between them, and a witness of all that they say. */
#ifndef TEST_SUPPORT_PAIR_H
#define TEST_SUPPORT_PAIR_H

#include <iwarp/endpoint.h>

#include "witness.h"

/* One side: the endpoint, its memory, and the octets that it has sent. */
typedef struct pair_side {
  iwarp_endpoint *ep;
  void *block;
  uint64_t *words; /* mem, aligned for Atomic Operations */
  uint8_t *mem;
  size_t mem_len;
  uint8_t *wire; /* all octets sent, as they travelled */
  size_t sent;
  size_t cap;
  size_t heard; /* octets of the other side that were pushed */
  bool fin;     /* this half is closed after `sent` */
  bool fin_heard;
  bool over;     /* CLOSED was reported */
  bool lost;     /* the transport connection is gone */
  bool fault;    /* one was reported */
  uint16_t word; /* of it, or 0 */
  bool fault_sent;
  bool terminated; /* by the peer */
  iwarp_endpoint_terminated term;
  uint8_t term_octets[IWARP_RDMAP_TERM_MAX]; /* Terminated headers, one after the other */
  iwarp_endpoint_closed closed;
} pair_side;

typedef struct pair pair;

/* Called with every event: after the copy of a PLACE, ahead of an Atomic Operation. */
typedef void pair_hook(void *context, size_t who, const iwarp_endpoint_ev *ev);

struct pair {
  pair_side s[2];
  witness *w; /* NULL: nobody looks */
  pair_hook *hook;
  void *context;
  size_t spoil_side; /* whose octet is spoilt, and where; spoil_with is XORed */
  size_t spoil_at;
  uint8_t spoil_with;
  size_t spans;      /* asked for at a time, at most; 0: as many as there may be */
  bool hold_atomics; /* somebody else answers them, with pair_atomic */
};

/* pair_new makes side 0 (Initiator) and 1 (Responder), each with `mem_len` zero octets of memory.
 */
pair *pair_new(const iwarp_endpoint_cfg cfg[2], size_t mem_len, bool watched);
void pair_free(pair *p);

/* pair_events takes events until END. */
void pair_events(pair *p, size_t who);

/* pair_pull moves at most `cap` octets of a side onto the wire; returns how many. */
size_t pair_pull(pair *p, size_t who, size_t cap);

/* pair_put puts octets onto the wire of a side that its endpoint knows nothing of. */
void pair_put(pair *p, size_t who, iwarp_span octets);

/*
 * pair_push gives a side at most `cap` octets that lie on the wire, and the end of the stream
 * after them; false when there was nothing.
 */
bool pair_push(pair *p, size_t who, size_t cap);

/*
 * pair_push_at gives a side at most `cap` octets ahead of their turn, `skip` octets after those
 * that are due; false when there are none, or it does not want them.
 */
bool pair_push_at(pair *p, size_t who, size_t skip, size_t cap);

/* pair_talk carries all octets until nothing moves, in pieces of `piece` octets. */
void pair_talk(pair *p, size_t piece);

/* pair_atomic does an Atomic Operation and answers. */
void pair_atomic(pair *p, size_t who, const iwarp_endpoint_atomic_op *a);

/* pair_join brings both from IDLE to Full Operation. */
void pair_join(pair *p);

/* pair_drop is the end of the transport connection: what lies on the wire is lost. */
void pair_drop(pair *p);

/* pair_state is the state of a side. */
iwarp_endpoint_state pair_state(const pair *p, size_t who);

#endif
