/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of a connection that wait until it is known what the connection begins with. */
#ifndef OBSERVE_WAITING_H
#define OBSERVE_WAITING_H

#include <ingest/ingest.h>

/** Octets of memory of one connection's events. */
#define WAITING_OCTETS 65536u
/** Octets of memory of all connections' events, and their part of the memory of a run. */
#define WAITING_TOTAL (4096u * 1024u)
#define WAITING_PART 64u

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

/** obs_waiting_full says whether all connections' events, `used` octets of memory, leave no room
 * for an event that its connection has room for. The run may have `limit` octets. */
bool obs_waiting_full(const waiting *w, size_t used, size_t limit, const ingest_event *ev);

/** obs_waiting_add appends a copy of a DATA, GAP or END; false: the connection has no more room, or
 * the machine no memory. *used counts octets of memory in all. */
bool obs_waiting_add(waiting *w, size_t *used, const ingest_event *ev);

/** obs_waiting_drop forgets all events. */
void obs_waiting_drop(waiting *w, size_t *used);

#endif
