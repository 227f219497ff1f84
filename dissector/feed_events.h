/* SPDX-License-Identifier: BSD-2-Clause */
/* The hooks of observe: they write events down for the frames concerned. */
#ifndef DISSECTOR_FEED_EVENTS_H
#define DISSECTOR_FEED_EVENTS_H

#include <ingest/ingest.h>
#include <observe/observe.h>

#include "conns.h"

/* feed_now is the current input; members without a value are NULL. */
typedef struct feed_now {
  const ingest_packet *packet;
  const ingest_event *tcp; /* DATA */
  const conn *in_turn;     /* the connection that the packet holds the next octets of, or NULL */
  guint8 in_turn_side;
  frame_pdu *made; /* the last PDU made of an event */
} feed_now;

/* feed_event, feed_fpdu, feed_link, feed_finding and feed_closed are hooks of observe; ctx is a
 * feed_now. */
void feed_event(void *ctx, observe_conn *observed, const iwarp_event *ev);
void feed_fpdu(void *ctx, observe_conn *observed, const iwarp_observer_fpdu *fpdu,
               const iwarp_link *link);
void feed_link(void *ctx, observe_conn *observed, const iwarp_event *ev, const iwarp_link *link);
void feed_finding(void *ctx, observe_conn *observed, const iwarp_finding *finding,
                  const iwarp_event *ev);
void feed_closed(void *ctx, observe_conn *observed);
/* feed_octets notes that the octets being taken are of a connection; NULL: of none. */
void feed_octets(feed_now *now, observe_conn *observed);

#endif
