/* SPDX-License-Identifier: BSD-2-Clause */
/* One DDP stream over SCTP, message by message, and the events of its observer. */
#include "sctp_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"

stream_fixture stream_w;

void stream_begin_as(iwarp_sctp_observer_cfg cfg, bool start_known) {
  free(stream_w.mem);
  const stream_hooks hooks = stream_w.hooks;
  memset(&stream_w, 0, sizeof stream_w);
  stream_w.hooks = hooks;
  ck_assert_int_eq(
      iwarp_sctp_assoc_init(&stream_w.assoc, stream_w.assoc_mem, sizeof stream_w.assoc_mem),
      IWARP_OK);
  iwarp_sctp_assoc_set_start(stream_w.assoc, 0, start_known);
  iwarp_sctp_assoc_set_start(stream_w.assoc, 1, start_known);
  stream_w.pos[0] = stream_w.pos[1] = 1000;
  cfg.size = sizeof cfg;
  cfg.assoc = stream_w.assoc;
  const size_t size = iwarp_sctp_observer_size(&cfg);
  stream_w.mem = malloc(size);
  ck_assert_int_eq(iwarp_sctp_observer_init(&stream_w.obs, stream_w.mem, size, &cfg), IWARP_OK);
}

void stream_begin(void) {
  stream_begin_as((iwarp_sctp_observer_cfg){.stream = 7}, true);
}

static void sctp_log_event(const iwarp_event *ev, const char *mark) {
  static const char *const follows[] = {"", "", "+", "="};
  const iwarp_ev_sctp *s = ev->sctp;
  char *out = stream_w.log + stream_w.log_len;
  const size_t cap = STREAM_LOG - stream_w.log_len;
  int n = 0;
  switch (ev->kind) {
  case IWARP_EVENT_SCTP_INIT: n = snprintf(out, cap, "i%u ", ev->side); break;
  case IWARP_EVENT_SCTP_MESSAGE:
    n = snprintf(out, cap, "m%u.%u/%u%s ", ev->side, s->u.message.ssn,
                 (unsigned)s->u.message.reason, mark);
    break;
  case IWARP_EVENT_SCTP_SEGMENT:
    n = snprintf(out, cap, "s%u.%u%s ", ev->side, s->u.message.ssn, mark);
    break;
  case IWARP_EVENT_GAP:
    n = snprintf(out, cap, "g%u.%u+%u%s ", ev->side, s->u.gap.ssn, s->u.gap.missing,
                 s->u.gap.final ? "!" : "");
    break;
  case IWARP_EVENT_END:
    n = snprintf(out, cap, "e%u.%u%s%s ", ev->side, (unsigned)ev->u.end, mark,
                 follows[s->u.end.follows]);
    break;
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_UNDECODABLE:
  case IWARP_EVENT_STREAMING: ck_abort_msg("an event of TCP");
  }
  stream_w.log_len += n > 0 && (size_t)n < cap ? (size_t)n : 0;
}

/* A message comes back once, and a session ends with both sides. */
static void sctp_account(const iwarp_event *ev) {
  const bool end = ev->kind == IWARP_EVENT_END;
  if (ev->kind == IWARP_EVENT_SCTP_MESSAGE || ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    const iwarp_sctp_captured *captured = ev->sctp->u.message.captured;
    const size_t i = (size_t)(captured - stream_w.msg);
    expect(i < stream_w.num && captured->user == &stream_w.msg[i], "an unknown message");
    stream_w.back[i]++;
  }
  expect(end ? stream_w.ends == ev->side : stream_w.ends == 0, "an event between the ENDs");
  stream_w.ends = end && ev->side == 0 ? 1 : 0;
}

void stream_drain(void) {
  iwarp_event ev;
  while (iwarp_sctp_observer_next_event(stream_w.obs, &ev) == IWARP_OK) {
    sctp_account(&ev);
    sctp_log_event(&ev, stream_w.hooks.mark != NULL ? stream_w.hooks.mark(&ev) : "");
    stream_w.last = ev;
    stream_w.facts = *ev.sctp;
    stream_w.last.sctp = &stream_w.facts;
  }
  ck_assert_int_eq(iwarp_sctp_observer_next_event(stream_w.obs, &ev), IWARP_ERR_END);
}

/* A message that is not pushed yet; its sender had received all that the other side sent. */
iwarp_sctp_captured *stream_make(uint8_t side, uint32_t ppid, uint16_t ssn, const void *body,
                                 size_t len) {
  ck_assert_uint_lt(stream_w.num, STREAM_MESSAGES);
  iwarp_sctp_captured *m = &stream_w.msg[stream_w.num];
  uint8_t *octets = stream_w.octets[stream_w.num];
  stream_w.num++;
  octets[0] = (uint8_t)(ssn >> 8);
  octets[1] = (uint8_t)(ssn & 0xFF);
  memcpy(octets + 2, body, len);
  *m = (iwarp_sctp_captured){.user = m,
                             .pos = stream_w.pos[side],
                             .len = 1,
                             .ppid = ppid,
                             .length = (uint32_t)len + 2,
                             .user_data = {octets, len + 2},
                             .fragments = 1,
                             .evidence = {.cause_seen = true, .received = stream_w.pos[1 - side]}};
  stream_w.pos[side]++;
  m->first.packet = m->last.packet = ++stream_w.packet;
  return m;
}

void stream_push(uint8_t side, const iwarp_sctp_captured *m) {
  iwarp_sctp_assoc_now(stream_w.assoc, m->last.packet, m->last.packet * 10);
  if (stream_w.hooks.passed != NULL) {
    stream_w.hooks.passed(side, m->pos + m->len);
  }
  ck_assert_int_eq(iwarp_sctp_observer_push(stream_w.obs, side, m), IWARP_OK);
  stream_drain();
}

void stream_lose(uint8_t side, iwarp_gap_reason reason) {
  stream_w.pos[side]++;
  iwarp_sctp_assoc_lost(stream_w.assoc, side, reason);
  if (stream_w.hooks.lost != NULL) {
    stream_w.hooks.lost(side, stream_w.pos[side]);
  }
}

iwarp_sctp_captured *stream_make_control(uint8_t side, uint16_t ssn, uint16_t function) {
  const uint8_t body[] = {(uint8_t)(function >> 8), (uint8_t)(function & 0xFF), 0, 4, 0, 4};
  return stream_make(
      side, STREAM_CONTROL, ssn, body,
      function >= IWARP_SCTP_ENHANCED_INITIATE && function <= IWARP_SCTP_ENHANCED_REJECT ? 6 : 2);
}

void stream_control(uint8_t side, uint16_t ssn, uint16_t function) {
  stream_push(side, stream_make_control(side, ssn, function));
}

iwarp_sctp_captured *stream_make_segment(uint8_t side, uint16_t ssn) {
  static const uint8_t send[18] = {0x41, 0x43};
  return stream_make(side, STREAM_SEGMENT, ssn, send, sizeof send);
}

void stream_segment(uint8_t side, uint16_t ssn) {
  stream_push(side, stream_make_segment(side, ssn));
}

void stream_end(iwarp_end how) {
  ck_assert_int_eq(iwarp_sctp_observer_eof(stream_w.obs, how), IWARP_OK);
  stream_drain();
  for (size_t i = 0; i < stream_w.num; i++) {
    expect(stream_w.back[i] == 1, "message %zu came back %u times", i, stream_w.back[i]);
  }
}

void stream_want(const char *log) {
  ck_assert_str_eq(stream_w.log, log);
  stream_w.log_len = 0;
  stream_w.log[0] = 0;
}

const iwarp_observer_info *stream_info(void) {
  return iwarp_sctp_observer_info_get(stream_w.obs);
}

/* Initiate and Accept. */
void stream_shake(void) {
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
}
