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

static bool fpdu_known(const stats *s, const iwarp_event *ev, uint64_t from, uint64_t end) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  if (!v->seg.has_ddp || v->crc == IWARP_CRC_BAD) {
    return false;
  }
  return s->by_events || v->complete || st_has(&s->side[ev->side].octets, from, end);
}

static void fpdu_parts(stats_side *out, const iwarp_event_fpdu *v) {
  stats_stream *stream = &out->stream;
  const uint64_t header = v->seg.ddp.tagged ? FPDU_TAGGED : FPDU_UNTAGGED;
  stream->headers += FPDU_LENGTH + header;
  stream->payload += v->seg.payload_len;
  stream->pad += v->fpdu.layout.pad;
  stream->crc += FPDU_CRC;
  stream->markers += (uint64_t)FPDU_MARKER * v->fpdu.layout.num_markers;
  stats_hist_add(&out->fpdu_size,
                 FPDU_LENGTH + (uint64_t)v->fpdu.ulpdu_length + v->fpdu.layout.pad + FPDU_CRC);
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

/* What an FPDU carries, after it was delivered. */
static void fpdu_take(stats *s, const iwarp_event *ev, st_mark at, bool hole) {
  stats_interval *interval = st_interval_at(s, at.ns);
  const uint64_t payload = ev->u.fpdu.seg.payload_len;
  if (interval != NULL) {
    interval->side[ev->side].payload += payload;
  }
  st_slot_add(s, ev->side, at.ns, payload);
  if (hole) {
    const st_item item = {.kind = ST_HOLE, .at = at};
    s->side[ev->side].hole = true;
    st_message_end(s, ev->side);
    st_item_add(s, ev->side, &item);
  }
  fpdu_when(s, ev->side, at);
  st_message(s, ev, at, hole);
}

static void fpdu_event_take(stats *s, const iwarp_event *ev) {
  st_side *side = &s->side[ev->side];
  const st_mark at = fpdu_event(s, ev);
  if (fpdu_known(s, ev, 0, 0)) {
    const bool hole =
        side->after_hole || (!s->figures.side[ev->side].has_startup && !side->any_fpdu);
    side->after_hole = false;
    fpdu_take(s, ev, at, hole);
  } else if (ev->sctp == NULL) {
    side->after_hole = true;
  }
}

void st_fpdu(stats *s, const iwarp_event *ev) {
  st_side *side = &s->side[ev->side];
  stats_side *out = &s->figures.side[ev->side];
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  if (s->by_events) {
    fpdu_event_take(s, ev);
    return;
  }
  const uint64_t from = st_position(&side->octets, (uint32_t)ev->pos);
  const uint64_t end = from + ev->len;
  const uint64_t lead = from - v->fpdu.layout.lead;
  out->bad_crc += v->crc == IWARP_CRC_BAD ? 1u : 0u;
  if (!fpdu_known(s, ev, from, end)) {
    (void)st_deliver(s, ev->side, end);
    return;
  }
  const st_mark at = st_deliver_fpdu(s, ev->side, lead, from, end, v->complete);
  const bool hole = out->has_startup || side->any_fpdu ? lead != side->full_end : true;
  side->full_end = end;
  fpdu_parts(out, v);
  fpdu_take(s, ev, at, hole);
}
