/* SPDX-License-Identifier: BSD-2-Clause */
/* What observe says, written down for the frames concerned. */
#ifndef DISSECTOR_FEED_EVENTS_H
#define DISSECTOR_FEED_EVENTS_H

#include <ingest/ingest.h>
#include <observe/observe.h>

#include "conns.h"

/* feed_now is what is being taken; NULL where nothing is. */
typedef struct feed_now {
  const ingest_packet *packet;
  const ingest_event *tcp; /* DATA */
  const conn *in_turn;     /* whose octets the packet holds that are next in its stream, or NULL */
  guint8 in_turn_side;
  frame_pdu *made; /* of the last event that shows something */
} feed_now;

/* feed_event, feed_link, feed_finding and feed_closed are hooks of observe; ctx is a feed_now. */
void feed_event(void *ctx, observe_conn *observed, const iwarp_event *ev);
void feed_link(void *ctx, observe_conn *observed, const iwarp_event *ev, const iwarp_link *link);
void feed_finding(void *ctx, observe_conn *observed, const iwarp_finding *finding,
                  const iwarp_event *ev);
void feed_closed(void *ctx, observe_conn *observed);
/* feed_octets notes that the octets being taken are of a connection; NULL: of none. */
void feed_octets(feed_now *now, observe_conn *observed);

#endif
