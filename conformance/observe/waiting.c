/* SPDX-License-Identifier: BSD-2-Clause */
/* Holds events of a connection. */
#include "waiting.h"

#include <memory/memory.h>
#include <stdlib.h>
#include <string.h>

static size_t waiting_size(const ingest_event *ev) {
  return sizeof(waiting_event) + (ev->kind == INGEST_EVENT_DATA ? (size_t)ev->len : 0);
}

bool obs_waiting_full(const waiting *w, size_t used, size_t limit, const ingest_event *ev) {
  const size_t part = limit / WAITING_PART;
  const size_t most = part < WAITING_TOTAL ? part : WAITING_TOTAL;
  const size_t size = waiting_size(ev);
  return size <= WAITING_OCTETS - w->size && (size > most || used > most - size);
}

bool obs_waiting_add(waiting *w, size_t *used, const ingest_event *ev) {
  const size_t size = waiting_size(ev);
  if (size > WAITING_OCTETS - w->size) {
    return false;
  }
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
  *used += size;
  return true;
}

void obs_waiting_drop(waiting *w, size_t *used) {
  while (w->first != NULL) {
    waiting_event *e = w->first;
    w->first = e->next;
    free(e);
  }
  *used -= w->size;
  *w = (waiting){0};
}
