/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of a connection that wait until it is known what the connection begins with. */
#ifndef OBSERVE_WAITING_H
#define OBSERVE_WAITING_H

#include <ingest/ingest.h>

/** Octets of memory of one connection's events. */
#define WAITING_OCTETS 65536u

/** waiting_event is an event, with its octets right after it. */
typedef struct waiting_event {
  struct waiting_event *next;
  ingest_event ev;
} waiting_event;

/** waiting is a list of events, the first one first. */
typedef struct waiting {
  waiting_event *first;
  waiting_event *last;
  size_t size; /* octets of memory */
} waiting;

/** obs_waiting_add appends a copy of a DATA, GAP or END; false: there is no room. *used counts
 * octets of memory in all, as that of early data does. */
bool obs_waiting_add(waiting *w, size_t *used, const ingest_event *ev);

/** obs_waiting_drop forgets all events. */
void obs_waiting_drop(waiting *w, size_t *used);

#endif
