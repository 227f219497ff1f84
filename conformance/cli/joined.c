/* SPDX-License-Identifier: BSD-2-Clause */
/* Merges captures by time. A capture is opened when the one before it in the order has its turn. So
 * two are open at a time where they do not overlap. */
#include "joined.h"

#include <stdlib.h>

#include <memory/memory.h>

/* A capture that is open, and its next packet. */
typedef struct joined_slot {
  pcap_src *src; /* NULL: the slot is free */
  size_t number;
  ingest_packet packet;
} joined_slot;

struct joined {
  joined_calls calls;
  size_t num;
  size_t opened;     /* captures that were opened */
  joined_slot ahead; /* the latest one, as long as its time has not come */
  joined_slot slots[JOINED_OPEN_MAX];
  size_t used;       /* slots that were ever used */
  joined_slot *last; /* slot of the packet that was handed out last, or NULL */
  bool stopped;
  bool late;
};

joined *joined_new(const joined_calls *calls, size_t num) {
  joined *j = memory_zeroed(1, sizeof *j);
  if (j != NULL) {
    j->calls = *calls;
    j->num = num;
  }
  return j;
}

/* Reads the next packet of a capture, or closes it. */
static void joined_advance(joined *j, joined_slot *slot) {
  const joined_calls *c = &j->calls;
  const pcap_src_result got = c->next(c->ctx, slot->number, slot->src, &slot->packet);
  if (got != PCAP_SRC_PACKET) {
    j->stopped = j->stopped || got == PCAP_SRC_STOPPED;
    c->end(c->ctx, slot->number, slot->src, got);
    pcap_src_close(slot->src);
    slot->src = NULL;
  }
}

/* Opens the next captures until one has a packet. */
static void joined_look_ahead(joined *j) {
  const joined_calls *c = &j->calls;
  while (j->ahead.src == NULL && j->opened < j->num && !j->stopped) {
    j->ahead.number = j->opened++;
    j->ahead.src = c->open(c->ctx, j->ahead.number);
    if (j->ahead.src != NULL) {
      joined_advance(j, &j->ahead);
    }
  }
}

/* The open capture whose packet comes first, or NULL. */
static joined_slot *joined_first(joined *j) {
  joined_slot *first = NULL;
  for (size_t i = 0; i < j->used; i++) {
    joined_slot *slot = &j->slots[i];
    if (slot->src != NULL &&
        (first == NULL || slot->packet.time_ns < first->packet.time_ns ||
         (slot->packet.time_ns == first->packet.time_ns && slot->number < first->number))) {
      first = slot;
    }
  }
  return first;
}

/* Takes the capture that was looked at into a free slot; false: no slot is free. */
static bool joined_admit(joined *j) {
  size_t i = 0;
  while (i < j->used && j->slots[i].src != NULL) {
    i++;
  }
  if (i == JOINED_OPEN_MAX) {
    return false;
  }
  j->used = i == j->used ? i + 1 : j->used;
  j->slots[i] = j->ahead;
  j->ahead.src = NULL;
  if (j->calls.begin != NULL) {
    j->calls.begin(j->calls.ctx, j->slots[i].number);
  }
  return true;
}

bool joined_next(joined *j, ingest_packet *out, size_t *from) {
  if (j->last != NULL) {
    joined_advance(j, j->last);
    j->last = NULL;
  }
  joined_slot *first = joined_first(j);
  bool room = true;
  joined_look_ahead(j);
  while (room && j->ahead.src != NULL &&
         (first == NULL || j->ahead.packet.time_ns < first->packet.time_ns)) {
    room = joined_admit(j);
    joined_look_ahead(j);
    first = joined_first(j);
  }
  j->late = j->late || !room;
  if (first == NULL || j->stopped) {
    return false;
  }
  j->last = first;
  *out = first->packet;
  *from = first->number;
  return true;
}

pcap_src *joined_source(const joined *j) {
  return j->last->src;
}

bool joined_late(const joined *j) {
  return j->late;
}

void joined_free(joined *j) {
  for (size_t i = 0; j != NULL && i < j->used; i++) {
    pcap_src_close(j->slots[i].src);
  }
  if (j != NULL) {
    pcap_src_close(j->ahead.src);
  }
  free(j);
}
