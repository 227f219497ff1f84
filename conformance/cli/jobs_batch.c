/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of the events of ingest. */
#include "jobs_batch.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_STRUCTS 512u /* above what the structs of an event take */

static bool batch_grow(jobs_batch *b, size_t cap) {
  uint8_t *grown = realloc(b->octets, cap);
  if (grown == NULL) {
    return false;
  }
  b->octets = grown;
  b->cap = cap;
  return true;
}

bool jobs_batch_room(jobs_batch *b, size_t octets) {
  if (b->num > 0) {
    return b->num < JOBS_ITEMS && b->named < JOBS_OCTETS &&
           octets + BATCH_STRUCTS <= b->cap - b->used;
  }
  const size_t most = octets + BATCH_STRUCTS;
  const size_t least = most > JOBS_OCTETS ? most : JOBS_OCTETS;
  return b->cap >= least || batch_grow(b, least);
}

/* Keeps octets that nobody looks at as anything else. */
static const uint8_t *batch_octets(jobs_batch *b, const uint8_t *octets, size_t n) {
  uint8_t *at = b->octets + b->used;
  if (n > 0) {
    memcpy(at, octets, n);
  }
  b->used += n;
  return at;
}

/* Keeps a struct. */
static void *batch_struct(jobs_batch *b, const void *from, size_t size) {
  const size_t odd = b->used % alignof(max_align_t);
  b->used += odd > 0 ? alignof(max_align_t) - odd : 0;
  uint8_t *at = b->octets + b->used;
  memcpy(at, from, size);
  b->used += size;
  return at;
}

static jobs_item *batch_item(jobs_batch *b, jobs_flow *flow) {
  jobs_item *item = &b->item[b->num];
  b->worker[b->num++] = flow->worker;
  item->flow = flow;
  return item;
}

/* Whether the octets lie in what is lent. */
static bool batch_is_lent(const jobs_lent *lent, const uint8_t *octets) {
  const uintptr_t at = (uintptr_t)octets;
  const uintptr_t begin = (uintptr_t)lent->octets;
  return lent->octets != NULL && at >= begin && at - begin < lent->len;
}

/* The octets of a stream, where they can stay until the batch is done. */
static const uint8_t *batch_stream(jobs_batch *b, const ingest_event *ev, const jobs_lent *lent) {
  if (!batch_is_lent(lent, ev->data)) {
    return batch_octets(b, ev->data, (size_t)ev->len);
  }
  b->named += (size_t)ev->len;
  return ev->data;
}

jobs_item *jobs_batch_add(jobs_batch *b, const ingest_event *ev, jobs_flow *flow,
                          const jobs_lent *lent) {
  jobs_item *item = batch_item(b, flow);
  ingest_event *copy = &item->ev.tcp;
  item->sctp = false;
  *copy = *ev;
  copy->user = &flow->user;
  copy->addr = NULL;
  copy->ends = NULL;
  if (ev->kind == INGEST_EVENT_OPEN) {
    copy->addr = batch_struct(b, ev->addr, 2 * sizeof *ev->addr);
  } else if (ev->kind == INGEST_EVENT_DATA) {
    copy->data = batch_stream(b, ev, lent);
  }
  if (memcmp(&flow->sent, ev->ends, sizeof flow->sent) != 0) {
    flow->sent = *ev->ends;
    copy->ends = batch_struct(b, ev->ends, sizeof *ev->ends);
  }
  return item;
}

jobs_item *jobs_batch_add_sctp(jobs_batch *b, const ingest_sctp_event *ev, jobs_flow *flow) {
  jobs_item *item = batch_item(b, flow);
  ingest_sctp_event *copy = &item->ev.sctp;
  item->sctp = true;
  *copy = *ev;
  copy->user = &flow->user;
  copy->addr = batch_struct(b, ev->addr, 2 * sizeof *ev->addr);
  if (ev->kind == INGEST_SCTP_INIT) {
    copy->init = batch_struct(b, ev->init, sizeof *ev->init);
  } else if (ev->kind == INGEST_SCTP_MESSAGE) {
    ingest_sctp_message *message = batch_struct(b, ev->message, sizeof *ev->message);
    message->data = batch_octets(b, ev->message->data, ev->message->cap);
    copy->message = message;
  }
  return item;
}
