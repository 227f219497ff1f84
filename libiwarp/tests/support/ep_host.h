/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint with a ULP that is a few arrays: it places, does Atomic Operations, and logs. */
#ifndef TEST_SUPPORT_EP_HOST_H
#define TEST_SUPPORT_EP_HOST_H

#include <iwarp/endpoint.h>

#define EP_HOST_LOG_MIN 16u
#define EP_HOST_LOG 4096u
#define EP_HOST_SPACES 64u
#define EP_HOST_MEM 65536u /* octets of memory of a host, by default */

/* Called with every event: after the copy of a PLACE, ahead of an Atomic Operation. */
typedef void ep_host_hook(void *context, size_t who, const iwarp_endpoint_event *ev);

/* An endpoint, what its ULP has, and what was reported to it. */
typedef struct ep_host {
  iwarp_endpoint *ep;
  void *block;
  size_t size;     /* of block, octets */
  bool pooled;     /* it has memory elsewhere too */
  uint64_t *words; /* mem, aligned for Atomic Operations */
  uint8_t *mem;    /* where regions and receive buffers lie */
  size_t mem_len;

  /* How the ULP behaves. */
  ep_host_hook *hook; /* or NULL */
  void *context;
  size_t who;        /* of a pair */
  size_t max_spans;  /* asked for at a time, at most; 0: as many as there may be */
  bool unlogged;     /* the hook alone takes what is reported */
  bool hold_atomics; /* they are reported, not done: somebody calls ep_host_atomic */

  /* What was reported. */
  iwarp_endpoint_event *log; /* without PLACE, EP_HOST_LOG at most; NULL before the first one */
  size_t log_cap;
  size_t num_log;
  size_t placed;                          /* octets */
  size_t copied;                          /* of them those that PLACE had in runs */
  bool lands;                             /* octets were read straight into place */
  uint8_t pd[IWARP_MPA_PRIVATE_DATA_MAX]; /* Private Data of the startup frame reported last */
  size_t pd_len;
  uint8_t streamed[64]; /* octets that were handed to the ULP */
  size_t num_streamed;
  bool fin;      /* SHUTDOWN: its half is closed after what was pulled */
  bool fault;    /* one was reported */
  uint16_t word; /* of it, or 0 */
  bool fault_sent;
  bool terminated; /* by the peer */
  iwarp_endpoint_terminated term;
  uint8_t term_octets[IWARP_RDMAP_TERM_MAX]; /* Terminated headers, one after the other */
  bool over;                                 /* CLOSED */
  iwarp_endpoint_closed closed;
} ep_host;

/* ep_cfg is a configuration for tests: 4 sends, 4 receives, 4 regions, IRD and ORD 2. */
iwarp_endpoint_cfg ep_cfg(iwarp_role role);

/* ep_host_new makes an endpoint with EP_HOST_MEM zero octets of memory, ep_host_new_of with
 * `mem_len`; they stop the program if that fails.
 */
ep_host *ep_host_new(const iwarp_endpoint_cfg *cfg);
ep_host *ep_host_new_of(const iwarp_endpoint_cfg *cfg, size_t mem_len);
void ep_host_free(ep_host *h);

/* ep_host_run takes events until END. */
void ep_host_run(ep_host *h);

/* ep_host_atomic does an Atomic Operation that was held, and answers. */
void ep_host_atomic(ep_host *h, const iwarp_endpoint_atomic_op *a);

/* ep_host_push pushes octets in pieces of at most `piece` octets, in fresh memory each. */
void ep_host_push(ep_host *h, const uint8_t *octets, size_t n, size_t piece);

/*
 * ep_host_push_at pushes octets that begin at an offset of the stream, ahead of their turn or not;
 * false when it does not want them.
 */
bool ep_host_push_at(ep_host *h, uint64_t offset, const uint8_t *octets, size_t n);

/*
 * ep_host_land writes octets to where an endpoint says that the next ones will lie, in at most
 * `cap` spaces, and returns how many: 0 when it says nothing.
 */
size_t ep_host_land(ep_host *h, const uint8_t *octets, size_t n, size_t cap);

/* Takes octets that are sent, before the endpoint is done with them. */
typedef void ep_host_wire(void *to, iwarp_span octets);

/* ep_host_send gives at most `cap` octets that are to be sent to a wire; returns how many. */
size_t ep_host_send(ep_host *h, size_t cap, ep_host_wire *wire, void *to);

/* ep_host_pull copies at most `cap` octets that are to be sent; returns how many. */
size_t ep_host_pull(ep_host *h, uint8_t *octets, size_t cap);

/* ep_host_count counts logged events of a kind; ep_host_last returns the last one, or NULL. */
size_t ep_host_count(const ep_host *h, iwarp_endpoint_event_kind kind);
const iwarp_endpoint_event *ep_host_last(const ep_host *h, iwarp_endpoint_event_kind kind);

/* What any ULP does: ep_place copies the runs of a PLACE, ep_atomic does an Atomic Operation in
 * memory and returns what lay there before.
 */
void ep_place(const iwarp_endpoint_place *p);
uint64_t ep_atomic(const iwarp_endpoint_atomic_op *a);

#endif
