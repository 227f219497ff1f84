/* SPDX-License-Identifier: BSD-2-Clause */
/* RDMAP messages of a direction, out of its FPDUs. */
#include <string.h>

#include <memory/memory.h>

#include "state.h"

enum {
  MESSAGE_HEAD = 12, /* octets of payload by which Requests and Responses are paired */
  MESSAGE_READ = 28, /* payload of a Read Request */
  MESSAGE_ATOMIC = 52,
  MESSAGE_ATOMIC_RESPONSE = 12,
  MESSAGE_RESERVED = STATS_NAMES - 1
};

const char *stats_name(size_t i) {
  return iwarp_rdmap_op_get(i < MESSAGE_RESERVED ? (uint8_t)i : IWARP_RDMAP_OP_EXPERIMENTAL)->name;
}

static uint8_t message_name(uint8_t opcode) {
  return opcode < MESSAGE_RESERVED && iwarp_rdmap_op_get(opcode)->assigned ? opcode
                                                                           : MESSAGE_RESERVED;
}

static stats_messages *message_figures(stats *s, unsigned side, uint8_t name) {
  stats_messages **m = &s->figures.side[side].messages[name];
  if (*m == NULL) {
    *m = memory_zeroed(1, sizeof **m);
  }
  return *m;
}

void st_message_end(stats *s, unsigned side) {
  st_open *open = &s->side[side].open;
  s->figures.side[side].unfinished += open->any ? 1u : 0u;
  open->any = false;
}

/* ---- what pairs Requests and Responses ---- */

/* The first octets of the payload of an FPDU, and which of them were captured. */
typedef struct message_head {
  uint8_t octets[MESSAGE_HEAD];
  bool got[MESSAGE_HEAD];
} message_head;

static void message_head_read(message_head *head, const iwarp_event *ev) {
  iwarp_span run;
  size_t cursor = 0;
  size_t at = 0;
  *head = (message_head){0};
  while (at < MESSAGE_HEAD && iwarp_event_payload(&run, &cursor, ev) == IWARP_OK) {
    at = cursor - run.len; /* the call has moved it past the run */
    for (size_t i = 0; i < run.len && at + i < MESSAGE_HEAD; i++) {
      head->octets[at + i] = run.ptr[i];
      head->got[at + i] = true;
    }
    at = cursor;
  }
}

/* Reads a number of `len` octets at `at`; false: some were cut off. */
static bool message_number(uint64_t *out, const message_head *head, size_t at, size_t len) {
  bool all = true;
  *out = 0;
  for (size_t i = at; i < at + len; i++) {
    *out = *out << 8 | head->octets[i];
    all = all && head->got[i];
  }
  return all;
}

static void message_request(stats *s, const iwarp_event *ev, const st_open *open, st_mark at) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  const bool atomic = open->name == IWARP_RDMAP_OP_ATOMIC_REQ;
  const size_t length = atomic ? MESSAGE_ATOMIC : MESSAGE_READ;
  message_head head;
  uint64_t stag = 0;
  st_item item = {.kind = ST_REQUEST, .at = at, .msn = seg->ddp.msn, .atomic = atomic};
  message_head_read(&head, ev);
  item.any_stag = !message_number(&stag, &head, atomic ? 4 : 0, 4);
  item.any_to = !atomic && !message_number(&item.to, &head, 4, 8);
  item.stag = (uint32_t)stag;
  item.fits = open->segments == 1 && !open->unseen && seg->payload_len >= length &&
              ((!item.any_stag && !item.any_to) || seg->payload_len == length);
  st_item_add(s, ev->side, &item);
}

static void message_atomic_response(stats *s, const iwarp_event *ev, st_mark at) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  message_head head;
  uint64_t id = 0;
  st_item item = {.kind = ST_ATOMIC_RESPONSE, .at = at, .atomic = true};
  message_head_read(&head, ev);
  item.any_stag = !message_number(&id, &head, 0, 4);
  item.stag = (uint32_t)id;
  item.fits = !item.any_stag || seg->payload_len == MESSAGE_ATOMIC_RESPONSE;
  st_item_add(s, ev->side, &item);
}

static void message_read_response(stats *s, const st_frame *f, const st_open *open, st_mark at) {
  st_item item = {.kind = ST_READ_FIRST, .at = at, .stag = f->ddp->stag, .to = f->ddp->to};
  if (open->unseen || !open->tagged) {
    return;
  }
  if (open->segments == 1) {
    st_item_add(s, f->side, &item);
  }
  if (f->ddp->last) {
    item.kind = ST_READ_LAST;
    st_item_add(s, f->side, &item);
  }
}

/* ---- messages ---- */

static bool message_goes_on(const st_open *open, uint8_t name, const iwarp_ddp_hdr *ddp) {
  if (!open->any || open->name != name || open->tagged != ddp->tagged) {
    return false;
  }
  return ddp->tagged ? open->stag == ddp->stag : open->qn == ddp->qn && open->msn == ddp->msn;
}

static void message_begin(st_open *open, uint8_t name, const iwarp_ddp_hdr *ddp, bool hole) {
  *open = (st_open){.any = true,
                    .tagged = ddp->tagged,
                    .unseen = ddp->tagged ? hole : ddp->mo != 0,
                    .name = name,
                    .stag = ddp->stag,
                    .qn = ddp->qn,
                    .msn = ddp->msn};
}

/* The last FPDU of a message came. */
static void message_finish(stats *s, unsigned side, st_mark at, stats_messages *m) {
  st_open *open = &s->side[side].open;
  stats_interval *interval = st_interval_at(s, at.ns);
  m->count++;
  if (open->unseen) {
    s->figures.side[side].begun_unseen++;
  } else {
    stats_hist_add(&m->size, open->octets);
    stats_hist_add(&m->segments, open->segments);
  }
  if (interval != NULL) {
    interval->side[side].messages++;
  }
  open->any = false;
}

static void message_terminate(stats *s, unsigned side, st_mark at) {
  const st_item item = {.kind = ST_TERMINATE, .at = at};
  st_item_add(s, side, &item);
}

/* Requests, Atomic Responses and Terminates have an event. */
static void message_pair(stats *s, const st_frame *f, const st_open *open, st_mark at) {
  switch (open->name) {
  case IWARP_RDMAP_OP_READ_REQ:
  case IWARP_RDMAP_OP_ATOMIC_REQ:
    if (f->ddp->last) {
      message_request(s, f->ev, open, at);
    }
    break;
  case IWARP_RDMAP_OP_READ_RESP: message_read_response(s, f, open, at); break;
  case IWARP_RDMAP_OP_ATOMIC_RESP:
    if (f->ddp->last && open->segments == 1) {
      message_atomic_response(s, f->ev, at);
    }
    break;
  case IWARP_RDMAP_OP_TERMINATE: message_terminate(s, f->side, at); break;
  default: break;
  }
}

/* Octets of the stream up to the end of an FPDU. */
static uint64_t message_end_in_stream(const st_side *x, const st_frame *f, bool by_events) {
  const uint64_t end = f->pos + f->len;
  return by_events ? end - x->base : st_position(&x->octets, (uint32_t)end) - x->octets.first;
}

void st_message(stats *s, const st_frame *f, st_mark at, bool hole) {
  const uint8_t name = message_name(f->opcode);
  st_open *open = &s->side[f->side].open;
  stats_messages *m = message_figures(s, f->side, name);
  if (m == NULL) {
    return;
  }
  if (!message_goes_on(open, name, f->ddp)) {
    st_message_end(s, f->side);
    message_begin(open, name, f->ddp, hole);
  }
  open->segments++;
  open->octets += f->payload_len;
  if (s->cfg->plots && !st_frame_sctp(f)) {
    const uint64_t octets = message_end_in_stream(&s->side[f->side], f, s->by_events);
    st_plot_add(s, &s->figures.side[f->side].plots.sequence, at.ns, octets, name);
  }
  m->octets += f->payload_len;
  message_pair(s, f, open, at);
  if (f->ddp->last) {
    message_finish(s, f->side, at, m);
  }
}
