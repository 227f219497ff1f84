/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps what may explain how a connection ended. */
#ifndef OBSERVE_KEEP_FACTS_H
#define OBSERVE_KEEP_FACTS_H

#include <ingest/ingest.h>
#include <iwarp/observer.h>
#include <iwarp/rules.h>

#include <observe/facts.h>

/* obs_facts_event notes an event of the connection. */
void obs_facts_event(observe_facts *facts, const iwarp_event *ev);
/* obs_facts_fpdu notes an FPDU of a data message without an event; `crc_good`: its CRC is right,
 * not unused. */
void obs_facts_fpdu(observe_facts *facts, const iwarp_observer_fpdu *f, bool crc_good);
/* obs_facts_finding notes a finding. */
void obs_facts_finding(observe_facts *facts, const iwarp_finding *finding);
/* obs_facts_head notes with which octets a side began in the place of a startup frame. */
void obs_facts_head(observe_facts *facts, uint8_t side, iwarp_span head);
/* obs_facts_end says what was left undone. `end_ns`: the time of the last packet of the capture, 0
 * where it goes on. */
observe_at_end obs_facts_end(observe_facts *facts, const ingest_ends *ends, bool sctp,
                             uint64_t end_ns);

#endif
