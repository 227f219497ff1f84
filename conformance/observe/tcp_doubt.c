/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of a TCP connection of which the receiver may have taken another copy, and events that
 * rest on them. */
#include "tcp_doubt.h"

enum {
  DOUBTS_MAX = 8,   /* ranges of a side; further ones join the last */
  PD_LENGTH_LEN = 2 /* last octets of the fixed part of a startup frame */
};

/* Octets that differ, and octets whose place rests on them. */
typedef struct doubt {
  uint64_t pos;
  uint64_t end;
  bool spreads; /* the beginning of the FPDUs after these octets is not known */
  bool opens;   /* a later startup frame may be none, or this one may end elsewhere */
  bool chains;  /* a ULPDU_Length among them leads to the FPDUs after them */
} doubt;

struct tcp_doubts {
  struct {
    doubt entry[DOUBTS_MAX];
    size_t num;
  } side[2];
};

void obs_tcp_doubt_add(observe *obs, tcp_flow *f, uint8_t side, uint64_t pos, uint64_t end) {
  if (f->doubts == NULL) {
    f->doubts = obs_memory_get(obs, sizeof *f->doubts);
  }
  if (f->doubts == NULL) {
    obs->failed = true;
    return;
  }
  size_t *num = &f->doubts->side[side].num;
  doubt *entry = f->doubts->side[side].entry;
  if (*num < DOUBTS_MAX) {
    entry[(*num)++] = (doubt){.pos = pos, .end = end};
    return;
  }
  doubt *last = &entry[DOUBTS_MAX - 1];
  last->pos = pos < last->pos ? pos : last->pos;
  last->end = end > last->end ? end : last->end;
}

static bool doubt_of(const doubt *d, uint64_t pos, uint64_t end) {
  return d->pos < end && (pos < d->end || d->spreads);
}

bool obs_tcp_doubt_of(const tcp_flow *f, uint8_t side, uint64_t pos, uint64_t end) {
  bool found = false;
  for (size_t i = 0; f->doubts != NULL && i < f->doubts->side[side].num; i++) {
    found = found || doubt_of(&f->doubts->side[side].entry[i], pos, end);
  }
  return found;
}

void obs_tcp_doubt_free(observe *obs, tcp_flow *f) {
  obs_memory_put(obs, f->doubts, sizeof *f->doubts);
  f->doubts = NULL;
}

/* Returns true if the range has octets of a Marker of the FPDU. */
static bool doubt_in_marker(const doubt *d, const iwarp_event *ev) {
  const iwarp_mpa_layout *l = &ev->u.fpdu.fpdu.layout;
  const uint64_t start = ev->pos - l->lead;
  bool found = false;
  for (uint64_t i = 0; ev->u.fpdu.fpdu.markers && i < l->num_markers; i++) {
    const uint64_t at = start + l->first_marker + i * IWARP_MPA_MARKER_PERIOD;
    found = found || (d->pos < at + IWARP_MPA_MARKER_LEN && at < d->end);
  }
  return found;
}

/* Returns true if the range has octets that negotiate: fields of a startup frame other than its key
 * and Private Data. */
static bool doubt_negotiates(const doubt *d, const iwarp_event *ev) {
  const uint64_t from = ev->pos + IWARP_MPA_KEY_LEN;
  const uint64_t to =
      ev->pos + IWARP_MPA_STARTUP_LEN + (ev->u.startup.enhanced ? IWARP_MPA_ENHANCED_LEN : 0);
  return ev->kind == IWARP_EVENT_STARTUP && d->pos < to && from < d->end;
}

/* Returns true if the range has octets of headers of the FPDU, or octets that locate them. */
static bool doubt_in_headers(const doubt *d, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  const iwarp_mpa_layout *l = &ev->u.fpdu.fpdu.layout;
  const bool all = !seg->has_ddp || seg->kind != IWARP_RDMAP_KIND_NONE;
  const size_t inner = all ? ev->u.fpdu.fpdu.ulpdu_length : IWARP_DDP_UNTAGGED_LEN;
  size_t run = 0;
  const uint64_t end =
      ev->pos - l->lead + iwarp_mpa_wire_offset(&run, l, IWARP_MPA_LENGTH_LEN + inner);
  return d->pos < end || doubt_in_marker(d, ev);
}

/* Returns true if octets of the range leave rules about other octets inconclusive as well. */
static bool doubt_is_deep(const doubt *d, const iwarp_event *ev) {
  const bool own = ev->kind == IWARP_EVENT_FPDU ? doubt_in_headers(d, ev) : doubt_negotiates(d, ev);
  return d->spreads || own;
}

/* Returns true if the range has octets of the ULPDU_Length of an FPDU without a right CRC. */
static bool doubt_chains(const doubt *d, const iwarp_event *ev) {
  return ev->kind == IWARP_EVENT_FPDU && ev->u.fpdu.crc != IWARP_CRC_GOOD &&
         d->pos < ev->pos + IWARP_MPA_LENGTH_LEN && d->end > ev->pos;
}

/* Returns true if the beginning of the next FPDU depends on the range. */
static bool doubt_frames(const doubt *d, const iwarp_event *ev) {
  if (ev->kind == IWARP_EVENT_STARTUP) {
    return doubt_negotiates(d, ev);
  }
  return ev->kind != IWARP_EVENT_FPDU || doubt_chains(d, ev) ||
         (ev->u.fpdu.crc != IWARP_CRC_GOOD && doubt_in_marker(d, ev));
}

/* Returns true if a Marker in its right place proves the beginning of the FPDU. FPDUs in
 * payload may have Markers elsewhere. */
static bool doubt_marked(const iwarp_event_fpdu *f) {
  const iwarp_mpa_layout *l = &f->fpdu.layout;
  return f->sync == IWARP_SYNC_MARKER && l->num_markers > 0 && f->offset != IWARP_POS_UNKNOWN &&
         (f->offset - l->lead + l->first_marker) % IWARP_MPA_MARKER_PERIOD == 0;
}

/* Right CRCs after the octets show where FPDUs begin. What a search found, or a length that
 * differs, may all be payload of one FPDU, until it is longer than an FPDU can be. */
static bool doubt_settled(const doubt *d, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const bool placed = doubt_marked(f) || (f->sync == IWARP_SYNC_STARTUP && !d->chains);
  return ev->kind == IWARP_EVENT_FPDU && f->crc == IWARP_CRC_GOOD && ev->pos >= d->end &&
         ((placed && !d->opens) || f->good_run >= IWARP_MPA_FPDU_WIRE_MAX);
}

/* Returns true if the startup frame may end elsewhere, as PD_Length is among the octets, or may be
 * Private Data or payload. Another copy of octets before it may begin the true frame. */
static bool doubt_opens(const doubt *d, const iwarp_event *ev) {
  const uint64_t fixed_end = ev->pos + IWARP_MPA_STARTUP_LEN;
  const bool length = d->pos < fixed_end && fixed_end - PD_LENGTH_LEN < d->end;
  return ev->kind == IWARP_EVENT_STARTUP && (d->pos < ev->pos || length);
}

static bool doubt_takes(iwarp_event_kind kind) {
  return kind == IWARP_EVENT_STARTUP || kind == IWARP_EVENT_FPDU || kind == IWARP_EVENT_UNDECODABLE;
}

void obs_tcp_doubt_mark(tcp_flow *f, iwarp_event *ev) {
  if (f->doubts == NULL || !doubt_takes(ev->kind)) {
    return;
  }
  const uint64_t lead = ev->kind == IWARP_EVENT_FPDU ? ev->u.fpdu.fpdu.layout.lead : 0;
  if (ev->kind == IWARP_EVENT_FPDU) {
    ev->head_last = ev->last; /* the FPDU has no head_last of its own */
  }
  for (size_t i = 0; i < f->doubts->side[ev->side].num; i++) {
    doubt *d = &f->doubts->side[ev->side].entry[i];
    d->opens = d->opens || doubt_opens(d, ev);
    d->spreads = d->opens || d->spreads;
    if (doubt_settled(d, ev)) {
      d->spreads = d->opens = d->chains = false;
    }
    if (doubt_of(d, ev->pos - lead, ev->pos + ev->len)) {
      d->spreads = d->spreads || doubt_frames(d, ev);
      d->chains = d->chains || doubt_chains(d, ev);
      ev->first.damaged = ev->last.damaged = true;
      ev->first.differ = ev->last.differ = true;
      ev->head_last.differ = ev->head_last.differ || doubt_is_deep(d, ev);
    }
  }
}

void obs_tcp_doubt_tell(const tcp_flow *f, const iwarp_event *ev) {
  const followed *c = f->conn;
  const bool item = ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_STARTUP;
  const bool asked = item && ev->last.differ && !ev->head_last.differ;
  if (f->doubts == NULL || c->rules == NULL || !asked) {
    return;
  }
  for (size_t i = 0; i < f->doubts->side[ev->side].num; i++) {
    const doubt *d = &f->doubts->side[ev->side].entry[i];
    const uint64_t from = d->pos > ev->pos ? d->pos : ev->pos;
    const uint64_t end = ev->pos + ev->len;
    const uint64_t to = d->end < end ? d->end : end;
    if (from < to) {
      iwarp_rules_differ(c->rules, c->conn.info, ev->side, from, to - from, false);
    }
  }
}

void obs_tcp_doubt_wait(const tcp_flow *f, uint8_t side) {
  const followed *c = f->conn;
  for (size_t i = 0; c->rules != NULL && i < f->doubts->side[side].num; i++) {
    const doubt *d = &f->doubts->side[side].entry[i];
    iwarp_rules_doubt(c->rules, side, d->spreads ? UINT64_MAX : d->end);
  }
}
