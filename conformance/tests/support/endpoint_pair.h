/* SPDX-License-Identifier: BSD-2-Clause */
/* Two endpoints, what lies on the way between them, and a witness of all that they say. */
#ifndef TEST_SUPPORT_ENDPOINT_PAIR_H
#define TEST_SUPPORT_ENDPOINT_PAIR_H

#include <iwarp/endpoint.h>

#include "witness.h"

/* One side: the endpoint, its memory, and the octets that it has sent. */
typedef struct endpoint_pair_side {
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
} endpoint_pair_side;

typedef struct endpoint_pair endpoint_pair;

/* Called with every event: after the copy of a PLACE, ahead of an Atomic Operation. */
typedef void endpoint_pair_hook(void *context, size_t who, const iwarp_endpoint_ev *ev);

struct endpoint_pair {
  endpoint_pair_side s[2];
  witness *w; /* NULL: nobody looks */
  endpoint_pair_hook *hook;
  void *context;
  size_t spoil_side; /* whose octet is spoilt, and where; spoil_with is XORed */
  size_t spoil_at;
  uint8_t spoil_with;
  size_t spans;      /* asked for at a time, at most; 0: as many as there may be */
  bool hold_atomics; /* somebody else answers them, with endpoint_pair_atomic */
};

/* endpoint_pair_new makes side 0 (Initiator) and 1 (Responder), each with `mem_len` zero octets of
 * memory.
 */
endpoint_pair *endpoint_pair_new(const iwarp_endpoint_cfg cfg[2], size_t mem_len, bool watched);
void endpoint_pair_free(endpoint_pair *p);

/* endpoint_pair_events takes events until END. */
void endpoint_pair_events(endpoint_pair *p, size_t who);

/* endpoint_pair_pull moves at most `cap` octets of a side onto the wire; returns how many. */
size_t endpoint_pair_pull(endpoint_pair *p, size_t who, size_t cap);

/* endpoint_pair_put puts octets onto the wire of a side that its endpoint knows nothing of. */
void endpoint_pair_put(endpoint_pair *p, size_t who, iwarp_span octets);

/*
 * endpoint_pair_push gives a side at most `cap` octets that lie on the wire, and the end of the
 * stream after them; false when there was nothing.
 */
bool endpoint_pair_push(endpoint_pair *p, size_t who, size_t cap);

/*
 * endpoint_pair_push_at gives a side at most `cap` octets ahead of their turn, `skip` octets after
 * those that are due; false when there are none, or it does not want them.
 */
bool endpoint_pair_push_at(endpoint_pair *p, size_t who, size_t skip, size_t cap);

/* endpoint_pair_talk carries all octets until nothing moves, in pieces of `piece` octets. */
void endpoint_pair_talk(endpoint_pair *p, size_t piece);

/* endpoint_pair_atomic does an Atomic Operation and answers. */
void endpoint_pair_atomic(endpoint_pair *p, size_t who, const iwarp_endpoint_atomic_op *a);

/* endpoint_pair_join brings both from IDLE to Full Operation. */
void endpoint_pair_join(endpoint_pair *p);

/* endpoint_pair_drop is the end of the transport connection: what lies on the wire is lost. */
void endpoint_pair_drop(endpoint_pair *p);

/* endpoint_pair_state is the state of a side. */
iwarp_endpoint_state endpoint_pair_state(const endpoint_pair *p, size_t who);

#endif
