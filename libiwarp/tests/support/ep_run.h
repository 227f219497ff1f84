/* SPDX-License-Identifier: BSD-2-Clause */
/* Endpoints with a ULP and a transport that are a few arrays, and logs of their events. */
#ifndef TEST_SUPPORT_EP_RUN_H
#define TEST_SUPPORT_EP_RUN_H

#include <iwarp/endpoint.h>

#include "prng.h"

#define EP_RUN_LOG 4096u
#define EP_RUN_SPACES 64u
#define EP_RUN_MEM 65536u /* octets of memory that regions and receive buffers lie in */

/* An endpoint, what its ULP has, and what was reported to it. */
typedef struct ep_host {
  iwarp_endpoint *ep;
  void *block;
  size_t size;     /* of block, octets */
  bool pooled;     /* it has memory elsewhere too */
  uint64_t *words; /* mem, aligned for Atomic Operations */
  uint8_t *mem;
  iwarp_endpoint_ev log[EP_RUN_LOG]; /* without PLACE, which is done at once */
  size_t num_log;
  size_t placed;                          /* octets */
  size_t copied;                          /* of them those that PLACE had in runs */
  bool lands;                             /* octets were read straight into place */
  bool hold_atomics;                      /* they are logged, not done */
  uint8_t pd[IWARP_MPA_PRIVATE_DATA_MAX]; /* Private Data of the startup frame reported last */
  size_t pd_len;
  uint8_t term[IWARP_RDMAP_TERM_MAX]; /* Terminated headers reported last, one after the other */
  uint8_t streamed[64];               /* octets that were handed to the ULP */
  size_t num_streamed;
} ep_host;

/* ep_cfg is a configuration for tests: 4 sends, 4 receives, 4 regions, IRD and ORD 2. */
iwarp_endpoint_cfg ep_cfg(iwarp_role role);

/* ep_host_new makes an endpoint; it stops the program if that fails. */
ep_host *ep_host_new(const iwarp_endpoint_cfg *cfg);
void ep_host_free(ep_host *h);

/* An Initiator and a Responder. */
typedef struct ep_pair {
  ep_host *i;
  ep_host *r;
} ep_pair;

ep_pair ep_pair_new(const iwarp_endpoint_cfg *initiator, const iwarp_endpoint_cfg *responder);
void ep_pair_free(ep_pair p);

/* ep_host_run takes events until END: it places, does Atomic Operations, and logs. */
void ep_host_run(ep_host *h);

/* ep_host_push pushes octets in pieces of at most `piece` octets, in fresh memory each. */
void ep_host_push(ep_host *h, const uint8_t *octets, size_t n, size_t piece);

/*
 * ep_host_land writes octets to where an endpoint says that the next ones will lie, in at most
 * `cap` spaces, and returns how many: 0 when it says nothing.
 */
size_t ep_host_land(ep_host *h, const uint8_t *octets, size_t n, size_t cap);

/* ep_host_pull takes at most `cap` octets that are to be sent; returns how many. */
size_t ep_host_pull(ep_host *h, uint8_t *octets, size_t cap);

/* ep_host_count counts logged events of a kind; ep_host_last returns the last one, or NULL. */
size_t ep_host_count(const ep_host *h, iwarp_endpoint_event_kind kind);
const iwarp_endpoint_ev *ep_host_last(const ep_host *h, iwarp_endpoint_event_kind kind);

/* ep_talk carries octets between two hosts until nothing moves, in pieces of `piece` octets. */
void ep_talk(ep_host *a, ep_host *b, size_t piece);

/* ep_join brings both from IDLE to Full Operation. */
void ep_join(ep_host *initiator, ep_host *responder);

#endif
