/* SPDX-License-Identifier: BSD-2-Clause */
/* Which request a response answers, for callers that show it: kept also where octets are missing.
 */
#ifndef IWARP_RULES_LINKS_H
#define IWARP_RULES_LINKS_H

#include "context.h"

/* Requests of a side that may wait at a time; beyond it the oldest one is forgotten. */
#define RULES_LINKS 16384u
/* After so many responses with the most requests waiting, no more ever wait: the ULP has a window.
 */
#define RULES_LINKS_REACHED 16u

enum rules_link_kind { LINK_READ = 0, LINK_ATOMIC, LINK_MISSING };

/* A request that waits for its response, or several that are missing from the capture. */
struct rules_link_request {
  enum rules_link_kind kind;
  bool details;    /* the header was available */
  uint32_t msn;    /* MSN on queue 1 */
  uint32_t name;   /* sink STag, or Request Identifier */
  uint32_t size;   /* size of a Read */
  uint32_t nth;    /* number of an Atomic Request of its side, from 1 */
  uint64_t to;     /* TO of the sink */
  uint64_t end;    /* position after its FPDU */
  uint64_t number; /* number of the request, as in iwarp_link; LINK_MISSING: number of requests */
};

/* The Read Response under way of a side. */
struct rules_link_response {
  bool open;
  uint32_t stag;
  uint32_t segment; /* payload of the largest segment that did not end a Response so far; 0: no such
                       segment */
  uint32_t left;    /* octets that are still to come */
  uint64_t next;    /* TO */
  uint64_t number;  /* number of the request */
};

/* The requests of one side, in the order in which they were sent. */
struct rules_links_side {
  struct rules_link_request *queue; /* cap entries; the requests from `first` to `end` wait */
  uint32_t cap;
  uint32_t first;
  uint32_t end;
  uint32_t ended; /* requests before this index may have been answered by octets that are missing */
  uint32_t crossed;    /* requests before this index were sent before octets of the other side are
                          missing */
  bool begun;          /* a request was seen */
  bool complete;       /* every request that waits is in the queue */
  bool unconfirmed;    /* requests from `ended` on may have been answered by what is missing */
  bool gapped;         /* octets of this side are missing since its last request */
  bool msn_atomic;     /* MSNs of Atomic Responses are known: `nth` + atomic_base */
  uint32_t msn;        /* MSN expected on queue 1 */
  uint32_t early;      /* responses to requests that are missing, since the last request */
  uint32_t num_atomic; /* Atomic Requests so far */
  uint32_t atomic_base;
  uint64_t gap_end;  /* position after octets of the other side that are missing */
  uint64_t gap_left; /* missing octets that are not taken by responses to requests before `ended` */
  uint64_t num;      /* requests so far */
  uint32_t most;     /* requests that ever waited at a time, as far as that is known */
  uint32_t reached;  /* responses that came while so many waited, RULES_LINKS_REACHED at most */
  uint32_t reads;    /* Reads from `ended` on */
  uint64_t missing;  /* requests from `ended` on that are missing */
  struct rules_link_response response; /* sent by this side */
};

struct rules_links {
  iwarp_link last; /* link of the last event */
  struct rules_links_side side[2];
};

/* rulesi_links_make takes memory for links from the pool; NULL: no memory. */
struct rules_links *rulesi_links_make(const iwarp_pool *pool);
/* rulesi_links_release gives the links back; NULL is fine. */
void rulesi_links_release(const iwarp_pool *pool, struct rules_links *links);
/* rulesi_links_event takes the event under judgement, before leave.c keeps what it leaves. */
void rulesi_links_event(struct rules_links *links, const struct rules_ctx *ctx);

#endif
