/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of a connection that wait until it is known what the connection begins with. */
#ifndef OBSERVE_WAITING_H
#define OBSERVE_WAITING_H

#include <ingest/ingest.h>

/** Octets of memory of one connection's events. */
#define WAITING_OCTETS 65536u

/** waiting_room is what the events of all connections of one kind may take of the memory of a run,
 * and what they take. */
typedef struct waiting_room {
  size_t most; /* limit in octets of memory */
  size_t part; /* limit as a part of the memory of a run: 1 / part */
  size_t used; /* octets of memory */
} waiting_room;

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

/** obs_waiting_fits says whether a connection has room for an event, of `octets` octets. */
bool obs_waiting_fits(const waiting *w, size_t octets, const ingest_event *ev);

/** obs_waiting_full says whether all connections' events leave no room for an event. The run may
 * have `limit` octets. */
bool obs_waiting_full(const waiting_room *room, size_t limit, const ingest_event *ev);

/** obs_waiting_add appends a copy of a DATA, GAP or END; false: the machine has no memory. */
bool obs_waiting_add(waiting *w, waiting_room *room, const ingest_event *ev);

/** obs_waiting_move counts all events in another room. */
void obs_waiting_move(const waiting *w, waiting_room *from, waiting_room *to);

/** obs_waiting_drop forgets all events. */
void obs_waiting_drop(waiting *w, waiting_room *room);

#endif
