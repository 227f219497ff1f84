/* SPDX-License-Identifier: BSD-2-Clause */
/* A body that is a list of records: octets of two streams, and what happens to them. */
#include "script.h"

bool script_next(script_record *out, iwarp_span *body) {
  if (body->len < SCRIPT_HEAD) {
    return false;
  }
  *out = (script_record){.kind = body->ptr[0],
                         .side = (body->ptr[0] & SCRIPT_SIDE) != 0 ? 1 : 0,
                         .is_stream = (body->ptr[0] & SCRIPT_OTHER) == 0,
                         .length = (uint16_t)(body->ptr[1] << 8 | body->ptr[2])};
  const size_t left = body->len - SCRIPT_HEAD;
  const bool gap = !out->is_stream && out->kind % 8u % SCRIPT_KINDS < SCRIPT_FIN;
  const size_t n = gap ? 0 : out->length < left ? out->length : left;
  out->octets = (iwarp_span){body->ptr + SCRIPT_HEAD, n};
  *body = (iwarp_span){body->ptr + SCRIPT_HEAD + n, left - n};
  return true;
}

static void add_stream(stream_script *s, const script_record *r) {
  script_push(s, r->side, r->octets);
  s->steps[s->num - 1].meta.segment_start = (r->kind & SCRIPT_INSIDE) == 0;
  s->steps[s->num - 1].meta.damaged = (r->kind & SCRIPT_DAMAGED) != 0;
}

stream_script script_make(iwarp_span body, const uint64_t start[2]) {
  stream_script s = script_new();
  script_record r;
  uint64_t pos[2] = {start[0], start[1]};
  bool ended[2] = {false, false};
  while (script_next(&r, &body)) {
    const unsigned what = r.kind % 8u % SCRIPT_KINDS;
    if (ended[r.side] || r.length == 0 || (r.is_stream && r.octets.len == 0)) {
      continue;
    }
    s.peer_pos = pos[1 - r.side];
    if (r.is_stream) {
      add_stream(&s, &r);
      pos[r.side] += r.octets.len;
    } else if (what >= SCRIPT_FIN) {
      script_end(&s, r.side, what == SCRIPT_FIN ? IWARP_END_FIN : IWARP_END_RST);
      ended[r.side] = true;
    } else {
      script_gap(&s, r.side, r.length);
      s.steps[s.num - 1].reason = what == SCRIPT_GAP ? IWARP_GAP_LOST : IWARP_GAP_SNAPLEN;
      pos[r.side] += r.length;
    }
  }
  for (uint8_t side = 0; side < 2; side++) {
    if (!ended[side]) {
      s.peer_pos = pos[1 - side];
      script_end(&s, side, IWARP_END_CAPTURE);
    }
  }
  return s;
}
