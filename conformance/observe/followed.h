/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection that is followed, over TCP or SCTP: its rules, its results, what it takes. */
#ifndef OBSERVE_FOLLOWED_H
#define OBSERVE_FOLLOWED_H

#include "ending.h"
#include "observe_priv.h"

typedef struct followed {
  lru_node lru; /* over TCP: node in observe.conns */
  observe_conn conn;
  ending ending;
  observe_facts *facts;       /* packed with the engine, and NULL then */
  uint64_t unacknowledged[2]; /* over TCP: octets of each side, at the end */
  bool joined; /* found by a port: numbered by its first octets, not by its first startup frame */
  bool negotiated; /* over SCTP: the association is one that carries DDP */
  uint64_t packet; /* packet of the last event of ingest */
  uint64_t time_ns;
  iwarp_observer *engine; /* NULL over SCTP */
  iwarp_rules *rules;
  void *engine_memory;
  size_t engine_size;
  void *rules_memory;
  struct tcp_flow *flow; /* NULL over SCTP */
  bool fresh;            /* over TCP: the node is in observe.fresh */
  uint8_t *packed; /* engine and rules in packed form, while both are NULL; NULL: not packed */
  size_t packed_size;
  uint64_t searched[2]; /* octets that count as work already, see obs_followed_searched */
} followed;

/* obs_copy_of translates the choice between copies that ingest made. */
observe_copy obs_copy_of(ingest_copy copy);
/* obs_addr_text writes an end as observe_conn has it. */
void obs_addr_text(char out[OBSERVE_ADDR_CAP], const ingest_addr *addr);
/* obs_followed_make makes a connection between these ends, with rules where something is judged.
 * `info` may still be NULL. NULL: no memory. */
followed *obs_followed_make(observe *obs, const ingest_addr addr[2],
                            const iwarp_observer_info *info);
/* obs_followed_make_rules makes the rules of a connection; false: no memory. */
bool obs_followed_make_rules(observe *obs, followed *c);
/* obs_followed_release gives back the memory of a connection. */
void obs_followed_release(observe *obs, followed *c);
/* obs_followed_number gives the connection its number, once, for what `packet` shows. */
void obs_followed_number(observe *obs, followed *c, uint64_t packet);
/* obs_followed_result counts, shows and judges an event. */
void obs_followed_result(observe *obs, followed *c, const iwarp_event *ev);
/* obs_followed_fpdu counts and judges an FPDU without an event, which the rules expect: an event of
 * its kind came before, and gave the connection its number. */
void obs_followed_fpdu(observe *obs, followed *c, const iwarp_observer_fpdu *f, unsigned expected);
/* obs_followed_searched counts octets of a side, of which each may cost the sum of many others: no
 * FPDU was found in them. Their event, which comes later, does not count them again. */
void obs_followed_searched(observe *obs, followed *c, uint8_t side, uint64_t len);
/* obs_followed_copy judges an FPDU that the receiver accepted in the place of one that was judged,
 * as iwarp_rules_copy. */
void obs_followed_copy(observe *obs, followed *c, const iwarp_event *second);
/* obs_followed_limit marks the connection: this limit ended the following of it or dropped octets
 * of it, so that its end is not known. The first one counts. */
void obs_followed_limit(followed *c, const char *name);
/* obs_followed_cost likewise: this limit kept octets from being decoded, its end is known. */
void obs_followed_cost(followed *c, const char *name);
/* obs_followed_finish lets the rules say what can only be said at the end, and reports the result.
 */
void obs_followed_finish(observe *obs, followed *c);

#endif
