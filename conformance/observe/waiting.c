/* SPDX-License-Identifier: BSD-2-Clause */
/* Holds events of a connection. */
#include "waiting.h"

#include <memory/memory.h>
#include <stdlib.h>
#include <string.h>

static size_t waiting_size(const ingest_event *ev) {
  return sizeof(waiting_event) + (ev->kind == INGEST_EVENT_DATA ? (size_t)ev->len : 0);
}

bool obs_waiting_fits(const waiting *w, size_t octets, const ingest_event *ev) {
  const size_t size = waiting_size(ev);
  return size <= octets && w->size <= octets - size;
}

bool obs_waiting_full(const waiting_room *room, size_t limit, const ingest_event *ev) {
  const size_t part = limit / room->part;
  const size_t most = part < room->most ? part : room->most;
  const size_t size = waiting_size(ev);
  return size > most || room->used > most - size;
}

bool obs_waiting_add(waiting *w, waiting_room *room, const ingest_event *ev) {
  const size_t size = waiting_size(ev);
  waiting_event *e = memory_get(size);
  if (e == NULL) {
    return false;
  }
  e->next = NULL;
  e->ev = *ev;
  e->ev.may_wait = false; /* the engine that made the event goes on */
  if (ev->kind == INGEST_EVENT_DATA) {
    e->ev.data = memcpy(e + 1, ev->data, (size_t)ev->len);
  }
  *(w->last != NULL ? &w->last->next : &w->first) = e;
  w->last = e;
  w->size += size;
  room->used += size;
  return true;
}

void obs_waiting_move(const waiting *w, waiting_room *from, waiting_room *to) {
  from->used -= w->size;
  to->used += w->size;
}

void obs_waiting_drop(waiting *w, waiting_room *room) {
  while (w->first != NULL) {
    waiting_event *e = w->first;
    w->first = e->next;
    free(e);
  }
  room->used -= w->size;
  *w = (waiting){0};
}
