/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup frames and FPDUs: which octets of the stream are what. */
#include "state.h"

enum { FPDU_LENGTH = 2, FPDU_CRC = 4, FPDU_TAGGED = 14, FPDU_UNTAGGED = 18, FPDU_MARKER = 4 };

/* No packets are shown: an event names its packet. */
static st_mark fpdu_event(stats *s, const iwarp_event *ev) {
  st_octets *o = &s->side[ev->side].octets;
  const uint64_t least = o->latest.ns > s->figures.first_ns ? o->latest.ns : s->figures.first_ns;
  const uint64_t ns = ev->sctp != NULL ? s->clock_ns : ev->last.time_ns;
  o->latest = st_later(o->latest, (st_mark){ev->last.packet, ns > least ? ns : least});
  return o->latest;
}

void st_startup(stats *s, const iwarp_event *ev) {
  st_side *side = &s->side[ev->side];
  const st_octets *o = &side->octets;
  stats_stream *stream = &s->figures.side[ev->side].stream;
  if (s->by_events) {
    side->startup = fpdu_event(s, ev);
    s->figures.side[ev->side].has_startup = true;
    return;
  }
  const uint64_t from = st_position(o, (uint32_t)ev->pos);
  const uint64_t end = from + ev->len;
  const st_mark at = st_deliver(s, ev->side, end);
  if (s->figures.side[ev->side].has_startup) {
    return; /* a second frame, which nothing expects */
  }
  s->figures.side[ev->side].has_startup = true;
  side->startup = at;
  side->startup_from = from;
  side->startup_to = end;
  side->full_end = end;
  stream->startup = ev->len;
  stream->streaming = from > o->first ? from - o->first - st_missing(o, o->first, from) : 0;
}

static bool fpdu_known(const stats *s, const st_frame *f, uint64_t from, uint64_t end) {
  if (f->ddp == NULL || f->crc_bad) {
    return false;
  }
  return s->by_events || f->complete || st_has(&s->side[f->side].octets, from, end);
}

static void fpdu_parts(stats_side *out, const st_frame *f) {
  stats_stream *stream = &out->stream;
  const uint64_t header = f->ddp->tagged ? FPDU_TAGGED : FPDU_UNTAGGED;
  stream->headers += FPDU_LENGTH + header;
  stream->payload += f->payload_len;
  stream->pad += f->pad;
  stream->crc += FPDU_CRC;
  stream->markers += (uint64_t)FPDU_MARKER * f->num_markers;
  stats_hist_add(&out->fpdu_size, FPDU_LENGTH + f->ulpdu_length + f->pad + FPDU_CRC);
}

/* Notes when a known FPDU was delivered. */
static void fpdu_when(stats *s, unsigned side, st_mark at) {
  st_side *x = &s->side[side];
  if (!x->any_fpdu) {
    x->any_fpdu = true;
    x->first_fpdu = at;
  }
  x->last_fpdu_ns = at.ns;
  s->figures.side[side].active_ns = at.ns - x->first_fpdu.ns;
  s->figures.side[side].fpdus++;
}

/* The first FPDU after a hole. */
static void fpdu_hole(stats *s, unsigned side, st_mark at) {
  const st_item item = {.kind = ST_HOLE, .at = at};
  s->side[side].hole = true;
  st_message_end(s, side);
  st_item_add(s, side, &item);
}

/* What an FPDU carries, after it was delivered. */
static void fpdu_take(stats *s, const st_frame *f, st_mark at, bool hole) {
  stats_interval *interval = st_interval_at(s, at.ns);
  if (interval != NULL) {
    interval->side[f->side].payload += f->payload_len;
  }
  st_slot_add(s, f->side, at.ns, f->payload_len);
  if (hole) {
    fpdu_hole(s, f->side, at);
  }
  fpdu_when(s, f->side, at);
  st_message(s, f, at, hole);
}

static void fpdu_event_take(stats *s, const st_frame *f) {
  st_side *side = &s->side[f->side];
  const st_mark at = f->ev != NULL ? fpdu_event(s, f->ev) : side->octets.latest;
  if (fpdu_known(s, f, 0, 0)) {
    const bool hole =
        side->after_hole || (!s->figures.side[f->side].has_startup && !side->any_fpdu);
    side->after_hole = false;
    fpdu_take(s, f, at, hole);
  } else if (!st_frame_sctp(f)) {
    side->after_hole = true;
  }
}

void st_fpdu(stats *s, const st_frame *f) {
  st_side *side = &s->side[f->side];
  stats_side *out = &s->figures.side[f->side];
  if (s->by_events) {
    fpdu_event_take(s, f);
    return;
  }
  const uint64_t from = st_position(&side->octets, (uint32_t)f->pos);
  const uint64_t end = from + f->len;
  const uint64_t lead = from - f->lead;
  out->bad_crc += f->crc_bad ? 1u : 0u;
  if (!fpdu_known(s, f, from, end)) {
    (void)st_deliver(s, f->side, end);
    return;
  }
  const st_mark at = st_deliver_fpdu(s, f->side, lead, from, end, f->complete);
  const bool hole = out->has_startup || side->any_fpdu ? lead != side->full_end : true;
  side->full_end = end;
  fpdu_parts(out, f);
  fpdu_take(s, f, at, hole);
}
