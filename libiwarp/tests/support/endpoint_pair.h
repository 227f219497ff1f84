/* SPDX-License-Identifier: BSD-2-Clause */
/* Two hosts, and what lies on the way between them. */
#ifndef TEST_SUPPORT_ENDPOINT_PAIR_H
#define TEST_SUPPORT_ENDPOINT_PAIR_H

#include <iwarp/event.h>

#include "ep_host.h"

/* One side: the host, and the octets that it has sent. */
typedef struct endpoint_pair_side {
  ep_host *h;
  uint8_t *wire; /* all octets sent, as they travelled */
  size_t sent;
  size_t cap;
  uint64_t begin; /* where the other side's octets begin in its stream */
  size_t heard;   /* octets of the other side that were pushed */
  bool fin_heard;
  bool lost; /* the transport connection is gone */
} endpoint_pair_side;

/* Somebody who sees what both sides send and how they end; `heard` is what a side had got then. */
typedef struct endpoint_pair_watch {
  void *context;
  void (*octets)(void *context, size_t who, iwarp_span octets, size_t heard);
  void (*end)(void *context, size_t who, iwarp_end how, size_t heard);
} endpoint_pair_watch;

typedef struct endpoint_pair {
  endpoint_pair_side s[2];
  const endpoint_pair_watch *watch; /* NULL: not watched */
  bool by_hand;      /* the test ends the streams: no end is carried, nothing is dropped */
  size_t spoil_side; /* whose octet is spoilt, and where; spoil_with is XORed */
  size_t spoil_at;
  uint8_t spoil_with;
} endpoint_pair;

/* endpoint_pair_new makes side 0 (Initiator) and 1 (Responder), each with `mem_len` zero octets of
 * memory.
 */
endpoint_pair *endpoint_pair_new(const iwarp_endpoint_cfg cfg[2], size_t mem_len);
void endpoint_pair_free(endpoint_pair *p);

/* endpoint_pair_hook has all events of both sides reported to a hook, and to no log. */
void endpoint_pair_hook(endpoint_pair *p, ep_host_hook *hook, void *context);

/* endpoint_pair_events takes events until END. */
void endpoint_pair_events(endpoint_pair *p, size_t who);

/* endpoint_pair_pull moves at most `cap` octets of a side onto the wire; returns how many. */
size_t endpoint_pair_pull(endpoint_pair *p, size_t who, size_t cap);

/* endpoint_pair_put puts octets onto the wire of a side that its endpoint knows nothing of. */
void endpoint_pair_put(endpoint_pair *p, size_t who, iwarp_span octets);

/* endpoint_pair_put_ulpdu puts an FPDU without Markers and with a right CRC onto the wire of a
 * side. */
void endpoint_pair_put_ulpdu(endpoint_pair *p, size_t who, iwarp_span ulpdu);

/*
 * endpoint_pair_push gives a side at most `cap` octets that lie on the wire, and the end of the
 * stream after them; false when there was nothing.
 */
bool endpoint_pair_push(endpoint_pair *p, size_t who, size_t cap);

/*
 * endpoint_pair_push_at gives a side at most `cap` octets ahead of their turn, `skip` octets after
 * the next expected octet. False: no such octets, or the side does not want them.
 */
bool endpoint_pair_push_at(endpoint_pair *p, size_t who, size_t skip, size_t cap);

/* endpoint_pair_talk carries all octets until nothing moves, in pieces of `piece` octets. */
void endpoint_pair_talk(endpoint_pair *p, size_t piece);

/* endpoint_pair_join brings both from IDLE to Full Operation. */
void endpoint_pair_join(endpoint_pair *p);

/* endpoint_pair_drop is the end of the transport connection: what lies on the wire is lost. */
void endpoint_pair_drop(endpoint_pair *p);

/* endpoint_pair_state is the state of a side. */
iwarp_endpoint_state endpoint_pair_state(const endpoint_pair *p, size_t who);

/* Two hosts whose test has the octets in its own hands, and says when a stream ends. */
typedef struct ep_ends {
  ep_host *i;
  ep_host *r;
} ep_ends;

ep_ends ep_ends_new(const iwarp_endpoint_cfg *initiator, const iwarp_endpoint_cfg *responder);
void ep_ends_free(ep_ends p);

/* ep_talk carries octets between two hosts until nothing moves, in pieces of `piece` octets. */
void ep_talk(ep_host *a, ep_host *b, size_t piece);

/* ep_join brings both from IDLE to Full Operation. */
void ep_join(ep_host *initiator, ep_host *responder);

#endif
