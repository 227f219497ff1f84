/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A connection without losses, decoded by the library and by a slow decoder of its own: the same
 * FPDUs in the same places with the same fields, as long as their CRCs are right.
 */
#include <iwarp/observer.h>
#include <stdalign.h>
#include <string.h>

#include "script.h"
#include "slow.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SCRIPT;

typedef struct side {
  uint8_t octets[FUZZ_BODY_MAX];
  size_t len;
  slow_frame frame;
  slow_stream stream;
  slow_fpdu fpdu; /* the next FPDU */
  bool more;      /* `fpdu` is set */
  bool follows;   /* the decoders agreed so far */
  bool crc;       /* CRCs are in use */
} side;

static side sides[2];
static alignas(max_align_t) uint8_t memory[IWARP_OBSERVER_SIZE];

static void advance(side *s) {
  s->more = slow_next(&s->fpdu, &s->stream);
  s->follows = s->follows && s->more && (!s->crc || s->fpdu.crc == s->fpdu.crc_due);
}

/* Both streams as a whole; false where the script does not begin both with a frame of their own,
 * the Request first. */
static bool join(iwarp_span body) {
  script_record r;
  sides[0].len = sides[1].len = 0;
  while (script_next(&r, &body)) {
    side *s = &sides[r.side];
    if (r.is_stream && r.octets.len > 0) {
      memcpy(&s->octets[s->len], r.octets.ptr, r.octets.len);
      s->len += r.octets.len;
    }
  }
  for (size_t i = 0; i < 2; i++) {
    sides[i].frame = slow_frame_of((iwarp_span){sides[i].octets, sides[i].len});
  }
  return sides[0].frame.is_there && sides[1].frame.is_there && !sides[0].frame.reply &&
         sides[1].frame.reply && !sides[1].frame.reject;
}

/* Applies the negotiation: a side sends Markers when the other side wants them. RFC 5044 7.1 */
static void negotiate(void) {
  for (size_t i = 0; i < 2; i++) {
    side *s = &sides[i];
    const slow_frame *peer = &sides[1 - i].frame;
    s->crc = s->frame.crc || peer->crc;
    s->stream = (slow_stream){.octets = {s->octets + s->frame.len, s->len - s->frame.len},
                              .markers = peer->markers};
    s->follows = true;
    advance(s);
  }
}

static void same(side *s, const iwarp_event *ev, uint64_t start) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  const uint64_t at = ev->pos - start - s->frame.len;
  s->follows = s->follows && (s->crc || at == s->fpdu.at); /* a doubt is right without CRCs */
  if (!s->follows) {
    return;
  }
  fuzz_expect(v->complete && at == s->fpdu.at, "an FPDU at %llu, not at %zu",
              (unsigned long long)at, s->fpdu.at);
  fuzz_expect(ev->len == s->fpdu.end - s->fpdu.at && v->fpdu.ulpdu_length == s->fpdu.len,
              "%llu octets, not %zu", (unsigned long long)ev->len, s->fpdu.end - s->fpdu.at);
  fuzz_expect(v->fpdu.crc == s->fpdu.crc, "CRC %08x, is %08x", v->fpdu.crc, s->fpdu.crc);
  fuzz_expect(v->crc == IWARP_CRC_UNCHECKED || v->crc_computed == s->fpdu.crc_due, "CRC computed");
  fuzz_expect((v->crc == IWARP_CRC_UNCHECKED) != s->crc, "a CRC that is %s",
              s->crc ? "not checked" : "checked");
  slow_compare(&s->fpdu, &v->seg);
  advance(s);
}

static void take(iwarp_observer *obs, const uint64_t start[2]) {
  iwarp_event ev;
  while (iwarp_observer_next_event(obs, &ev) == IWARP_OK) {
    if (ev.kind == IWARP_EVENT_FPDU) {
      same(&sides[ev.side], &ev, start[ev.side]);
    }
  }
}

static void push(iwarp_observer *obs, uint8_t i, size_t from, size_t to, const uint64_t start[2]) {
  const iwarp_meta meta = {.packet = 1, .peer_pos = IWARP_POS_UNKNOWN, .segment_start = true};
  if (to > from) {
    fuzz_expect(iwarp_observer_push(obs, i, (iwarp_span){&sides[i].octets[from], to - from},
                                    &meta) == IWARP_OK,
                "a push was refused");
    take(obs, start);
  }
}

/* Octets that may be an FPDU wait for later octets until the stream ends. */
static void end(iwarp_observer *obs, uint8_t i, const uint64_t start[2]) {
  const iwarp_meta meta = {.packet = 2, .peer_pos = IWARP_POS_UNKNOWN};
  fuzz_expect(iwarp_observer_eof(obs, i, IWARP_END_FIN, &meta) == IWARP_OK, "no end");
  take(obs, start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const iwarp_observer_cfg cfg = {.size = sizeof cfg, .max_ulpdu = UINT16_MAX};
  static const uint64_t start[2] = {1001, 0xFFFFFF00u};
  iwarp_observer *obs = NULL;
  fuzz_in f = fuzz_begin(data, size);
  if (!join((iwarp_span){f.body, f.len})) {
    return 0;
  }
  negotiate();
  fuzz_expect(iwarp_observer_init(&obs, memory, sizeof memory, &cfg) == IWARP_OK, "no observer");
  for (uint8_t i = 0; i < 2; i++) {
    fuzz_expect(iwarp_observer_start(obs, i, start[i], true, start[i]) == IWARP_OK, "no start");
  }
  push(obs, 0, 0, sides[0].frame.len, start); /* push both frames first, then all other octets */
  push(obs, 1, 0, sides[1].frame.len, start);
  push(obs, 0, sides[0].frame.len, sides[0].len, start);
  push(obs, 1, sides[1].frame.len, sides[1].len, start);
  end(obs, 0, start);
  end(obs, 1, start);
  for (size_t i = 0; i < 2; i++) {
    fuzz_expect(!sides[i].follows || !sides[i].crc, "an FPDU of side %zu at %zu was not reported",
                i, sides[i].fpdu.at);
  }
  return 0;
}
