/* SPDX-License-Identifier: BSD-2-Clause */
/* What all parts of an observe share. */
#ifndef OBSERVE_PRIV_H
#define OBSERVE_PRIV_H

#include <observe/observe.h>

#include "given_up.h"
#include "lru.h"
#include "waiting.h"

/* A function that is compiled by itself: joined with the loop over packets, the values of neither
 * would fit the registers. */
#ifdef __GNUC__
#define OBS_APART __attribute__((noinline))
#define OBS_RARE __attribute__((noinline, cold)) /* cold code, kept out of the path of segments */
#else
#define OBS_APART
#define OBS_RARE
#endif

/* What connections are packed with; see pack.h. */
typedef struct observe_pack {
  uint8_t *room; /* buffer of `size` octets for a packed connection; NULL: no connection was packed
                    yet */
  uint8_t *engine; /* engine of a new connection */
  uint8_t *rules;  /* rules of a new connection; NULL: no rule judges */
  size_t engine_size;
  size_t size;
  size_t gaps; /* bytes of the budget that are left free: blocks of many sizes leave gaps between
                  them */
} observe_pack;

/* What there would be without a limit of memory, in bytes. */
typedef struct observe_short {
  bool reached;  /* a limit of memory was reached */
  size_t lost;   /* memory of connections that were given up and have not ended since */
  size_t ingest; /* memory of connections that ingest gave up */
  size_t most;   /* the most memory that all would have taken */
} observe_short;

/* What costs more than an FPDU that is right, in such FPDUs. */
#define OBS_WORK_FINDING 8u     /* the report of a finding */
#define OBS_WORK_SHOWN 1u       /* an event for a hook */
#define OBS_WORK_TCP 12u        /* a TCP connection with or without iWARP */
#define OBS_WORK_CONNECTION 32u /* engine, rules and report of a connection with iWARP */
#define OBS_WORK_ASSOCIATION 16u
#define OBS_WORK_DIFFER 2u    /* two copies that differ */
#define OBS_WORK_SEARCHED 64u /* octets without an FPDU that cost as much as an FPDU */

struct observe {
  observe_cfg cfg;
  observe_budget own_budget; /* budget where the caller has none */
  observe_budget *budget;
  observe_hooks hooks;
  const char *file;
  uint64_t num_numbered;
  uint64_t end_ns; /* time of the last packet of the capture, once it is known; or 0 */
  uint64_t work;   /* see observe_work */
  observe_found found;
  uint8_t met[OBSERVE_PORTS_SIZE]; /* ports of the configuration that connections had */
  lru_list fresh;                  /* nodes of `followed` over TCP with a Request at most */
  lru_list conns;                  /* nodes of the other connections over TCP */
  const lru_node *latest; /* last connection heard of, in `fresh` or `conns`; may be NULL */
  observe_pack pack;
  observe_short short_of;
  given_set given_up;   /* TCP connections that were given up */
  size_t flows;         /* TCP connections that ingest knows */
  size_t assocs;        /* SCTP associations that ingest knows */
  size_t early_used;    /* octets of early data */
  waiting_room wanted;  /* events of ports that are taken for iWARP */
  waiting_room unseen;  /* events of other ports, before octets look like an FPDU */
  waiting_room proving; /* events of other ports, after octets looked like an FPDU */
  lru_list streams;     /* DDP streams over SCTP: `sctp_stream` */
  size_t sctp_held;     /* octets of messages that wait for their DDP-SSN */
  iwarp_pool pool;      /* pool of the engines */
  iwarp_rule_result results[OBSERVE_RULES]; /* results of the connection that is closed */
  bool failed;
};

/* obs_memory_get returns zeros that the budget counts, or NULL: none; obs_memory_put gives them
 * back. */
void *obs_memory_get(observe *obs, size_t size);
void obs_memory_put(observe *obs, void *at, size_t size);
/* obs_memory_pool returns the pool from which engines take what they need. */
iwarp_pool obs_memory_pool(observe *obs);

/* obs_short_of notes that a limit of memory was reached, and cost connections so many bytes. */
void obs_short_of(observe *obs, size_t lost);
/* obs_short_of_ingest notes that ingest gave up a TCP connection for want of memory. */
void obs_short_of_ingest(observe *obs);

/* obs_end returns what the end of a stream of ingest is for an engine. */
static inline iwarp_end obs_end(ingest_end end) {
  switch (end) {
  case INGEST_END_FIN: return IWARP_END_FIN;
  case INGEST_END_RST: return IWARP_END_RST;
  case INGEST_END_CAPTURE: break;
  }
  return IWARP_END_CAPTURE;
}

/* obs_limit says that a limit ended the following of `n` connections that nothing else reports. */
void obs_limit(const observe *obs, const char *name, uint64_t n);

#endif
