/* SPDX-License-Identifier: BSD-2-Clause */
/* The observer of a DDP stream over SCTP. What the events of whole captures are is shown by the
 * golden cases; here is what a capture lacks, in which order messages come, and who owns them when.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iwarp/sctp_observer.h>

#include "check_run.h"
#include "prng.h"
#include "sctp_observer/state.h"

#define MESSAGES 4096u
#define LOG_CAP 16384u
#define SEGMENT IWARP_SCTP_PPID_SEGMENT
#define CONTROL IWARP_SCTP_PPID_CONTROL

/* One stream, and its events, a word for each event. */
static struct fixture {
  iwarp_sctp_assoc assoc;
  iwarp_sctp_observer *obs;
  void *mem;
  iwarp_sctp_captured msg[MESSAGES];
  uint8_t octets[MESSAGES][64];
  unsigned back[MESSAGES]; /* how often it came back */
  size_t num;
  uint64_t pos[2];
  uint64_t packet;
  char log[LOG_CAP];
  size_t log_len;
  unsigned ends; /* ENDs of side 0 whose other side has not followed */
  iwarp_event last;
  iwarp_ev_sctp facts;
} w;

static void begin_as(iwarp_sctp_observer_cfg cfg, bool start_known) {
  free(w.mem);
  memset(&w, 0, sizeof w);
  w.assoc.start_known[0] = w.assoc.start_known[1] = start_known;
  w.pos[0] = w.pos[1] = 1000;
  cfg.size = sizeof cfg;
  cfg.assoc = &w.assoc;
  const size_t size = iwarp_sctp_observer_size(&cfg);
  w.mem = malloc(size);
  ck_assert_int_eq(iwarp_sctp_observer_init(&w.obs, w.mem, size, &cfg), IWARP_OK);
}

static void begin(void) {
  begin_as((iwarp_sctp_observer_cfg){.stream = 7}, true);
}

static void log_event(const iwarp_event *ev) {
  static const char *const follows[] = {"", "", "+", "="};
  const iwarp_ev_sctp *s = ev->sctp;
  const char *flags = s->certainty.session_certain ? "" : "?";
  char *out = w.log + w.log_len;
  const size_t cap = LOG_CAP - w.log_len;
  int n = 0;
  switch (ev->kind) {
  case IWARP_EVENT_SCTP_INIT: n = snprintf(out, cap, "i%u ", ev->side); break;
  case IWARP_EVENT_SCTP_MESSAGE:
    n = snprintf(out, cap, "m%u.%u/%u%s ", ev->side, s->u.message.ssn,
                 (unsigned)s->u.message.reason, flags);
    break;
  case IWARP_EVENT_SCTP_SEGMENT:
    n = snprintf(out, cap, "s%u.%u%s ", ev->side, s->u.message.ssn, flags);
    break;
  case IWARP_EVENT_GAP:
    n = snprintf(out, cap, "g%u.%u+%u%s ", ev->side, s->u.gap.ssn, s->u.gap.missing,
                 s->u.gap.final ? "!" : "");
    break;
  case IWARP_EVENT_END:
    n = snprintf(out, cap, "e%u.%u%s%s%s ", ev->side, (unsigned)ev->u.end, flags,
                 follows[s->u.end.follows], s->certainty.has_unplaced ? "~" : "");
    break;
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_UNDECODABLE:
  case IWARP_EVENT_STREAMING: ck_abort_msg("an event of TCP");
  }
  w.log_len += n > 0 && (size_t)n < cap ? (size_t)n : 0;
}

/* A message comes back once, and a session ends with both sides. */
static void account(const iwarp_event *ev) {
  const bool end = ev->kind == IWARP_EVENT_END;
  if (ev->kind == IWARP_EVENT_SCTP_MESSAGE || ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    const iwarp_sctp_captured *captured = ev->sctp->u.message.captured;
    const size_t i = (size_t)(captured - w.msg);
    expect(i < w.num && captured->user == &w.msg[i], "an unknown message");
    w.back[i]++;
  }
  expect(end ? w.ends == ev->side : w.ends == 0, "an event between the ENDs");
  w.ends = end && ev->side == 0 ? 1 : 0;
}

static void drain(void) {
  iwarp_event ev;
  while (iwarp_sctp_observer_next_event(w.obs, &ev) == IWARP_OK) {
    account(&ev);
    log_event(&ev);
    w.last = ev;
    w.facts = *ev.sctp;
    w.last.sctp = &w.facts;
  }
  ck_assert_int_eq(iwarp_sctp_observer_next_event(w.obs, &ev), IWARP_ERR_END);
}

/* A message that is not pushed yet; its sender had received all that the other side sent. */
static iwarp_sctp_captured *make(uint8_t side, uint32_t ppid, uint16_t ssn, const void *body,
                                 size_t len) {
  ck_assert_uint_lt(w.num, MESSAGES);
  iwarp_sctp_captured *m = &w.msg[w.num];
  uint8_t *octets = w.octets[w.num];
  w.num++;
  octets[0] = (uint8_t)(ssn >> 8);
  octets[1] = (uint8_t)(ssn & 0xFF);
  memcpy(octets + 2, body, len);
  *m = (iwarp_sctp_captured){.user = m,
                             .pos = w.pos[side],
                             .len = 1,
                             .ppid = ppid,
                             .length = (uint32_t)len + 2,
                             .user_data = {octets, len + 2},
                             .fragments = 1,
                             .evidence = {.cause_seen = true, .received = w.pos[1 - side]}};
  w.pos[side]++;
  m->first.packet = m->last.packet = ++w.packet;
  return m;
}

static void push(uint8_t side, const iwarp_sctp_captured *m) {
  iwarp_sctp_assoc_now(&w.assoc, m->last.packet, m->last.packet * 10);
  iwarp_sctp_assoc_passed(&w.assoc, side, m->pos + m->len);
  ck_assert_int_eq(iwarp_sctp_observer_push(w.obs, side, m), IWARP_OK);
  drain();
}

static void lose(uint8_t side, iwarp_gap_reason reason) {
  w.pos[side]++;
  iwarp_sctp_assoc_lost(&w.assoc, side, w.pos[side], reason);
}

static iwarp_sctp_captured *make_control(uint8_t side, uint16_t ssn, uint16_t function) {
  const uint8_t body[] = {(uint8_t)(function >> 8), (uint8_t)(function & 0xFF), 0, 4, 0, 4};
  return make(
      side, CONTROL, ssn, body,
      function >= IWARP_SCTP_ENHANCED_INITIATE && function <= IWARP_SCTP_ENHANCED_REJECT ? 6 : 2);
}

static void control(uint8_t side, uint16_t ssn, uint16_t function) {
  push(side, make_control(side, ssn, function));
}

static iwarp_sctp_captured *make_segment(uint8_t side, uint16_t ssn) {
  static const uint8_t send[18] = {0x41, 0x43};
  return make(side, SEGMENT, ssn, send, sizeof send);
}

static void segment(uint8_t side, uint16_t ssn) {
  push(side, make_segment(side, ssn));
}

static void end(iwarp_end how) {
  ck_assert_int_eq(iwarp_sctp_observer_eof(w.obs, how), IWARP_OK);
  drain();
  for (size_t i = 0; i < w.num; i++) {
    expect(w.back[i] == 1, "message %zu came back %u times", i, w.back[i]);
  }
  expect(w.obs->held[0] == 0 && w.obs->held[1] == 0, "none waits any more");
}

static void want(const char *log) {
  ck_assert_str_eq(w.log, log);
  w.log_len = 0;
  w.log[0] = 0;
}

static const iwarp_observer_info *info(void) {
  return iwarp_sctp_observer_info_get(w.obs);
}

/* Initiate and Accept. */
static void shake(void) {
  control(0, 0, IWARP_SCTP_INITIATE);
  control(1, 0, IWARP_SCTP_ACCEPT);
}

/* ---- use and misuse ---- */

START_TEST(what_is_no_configuration_has_no_size)
{
  iwarp_sctp_assoc assoc = {0};
  iwarp_sctp_observer_cfg cfg = {.size = sizeof cfg, .assoc = &assoc};
  _Alignas(max_align_t) static uint8_t mem[32768];
  iwarp_sctp_observer *obs = NULL;
  const size_t size = iwarp_sctp_observer_size(&cfg);
  ck_assert_uint_gt(size, 0);
  ck_assert_uint_le(size, sizeof mem - 1);
  ck_assert_uint_eq(iwarp_sctp_observer_size(NULL), 0);
  ck_assert_int_eq(iwarp_sctp_observer_init(NULL, mem, size, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_observer_init(&obs, NULL, size, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_observer_init(&obs, mem + 1, size, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_observer_init(&obs, mem, size, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_observer_init(&obs, mem, size - 1, &cfg), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_sctp_observer_init(&obs, mem, size, &cfg), IWARP_OK);
  cfg.size--;
  ck_assert_uint_eq(iwarp_sctp_observer_size(&cfg), 0);
  cfg.size++;
  cfg.assoc = NULL;
  ck_assert_uint_eq(iwarp_sctp_observer_size(&cfg), 0);
  cfg.assoc = &assoc;
  cfg.window = IWARP_SCTP_WINDOW_MAX + 1;
  ck_assert_uint_eq(iwarp_sctp_observer_size(&cfg), 0);
  cfg.window = 4;
  ck_assert_uint_lt(iwarp_sctp_observer_size(&cfg), size);
}
END_TEST

START_TEST(input_waits_until_all_events_are_out)
{
  begin();
  const iwarp_sctp_captured *m = make_control(0, 0, IWARP_SCTP_INITIATE);
  ck_assert_int_eq(iwarp_sctp_observer_push(w.obs, 2, m), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_observer_push(w.obs, 0, m), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_observer_push(w.obs, 0, m), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_observer_eof(w.obs, IWARP_END_FIN), IWARP_ERR_STATE);
  drain();
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_ERR_END);
  end(IWARP_END_FIN);
  ck_assert_int_eq(iwarp_sctp_observer_push(w.obs, 0, m), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_observer_eof(w.obs, IWARP_END_FIN), IWARP_ERR_STATE);
  begin();
  end(IWARP_END_FIN); /* a stream without a message has no session */
  want("");
}
END_TEST

START_TEST(an_identifier_in_the_other_byte_order_is_recognized)
{
  ck_assert_uint_eq(iwarp_sctp_ppid_host(SEGMENT), SEGMENT);
  ck_assert_uint_eq(iwarp_sctp_ppid_host(SEGMENT << 24), SEGMENT);
  ck_assert_uint_eq(iwarp_sctp_ppid_host(CONTROL << 24), CONTROL);
  ck_assert_uint_eq(iwarp_sctp_ppid_host(0x01020304), 0x01020304);
}
END_TEST

START_TEST(a_cut_message_must_tell_what_it_is)
{
  iwarp_sctp_captured m = {.ppid = SEGMENT, .length = 20, .user_data = {NULL, 2}};
  ck_assert(iwarp_sctp_captured_enough(&m));
  m.user_data.len = 1;
  ck_assert(!iwarp_sctp_captured_enough(&m));
  m.length = 1;
  ck_assert(iwarp_sctp_captured_enough(&m)); /* it has no more */
  m = (iwarp_sctp_captured){.ppid = CONTROL, .length = 20, .user_data = {NULL, 7}};
  ck_assert(!iwarp_sctp_captured_enough(&m));
  m.user_data.len = 8;
  ck_assert(iwarp_sctp_captured_enough(&m));
}
END_TEST

/* ---- sessions ---- */

START_TEST(a_session_from_its_initiate_to_both_terminates)
{
  begin();
  iwarp_sctp_assoc_now(&w.assoc, 1, 11);
  iwarp_sctp_assoc_init(&w.assoc, 0, &(iwarp_sctp_assoc_params){.tsn = 1000, .in_streams = 9});
  iwarp_sctp_assoc_init(&w.assoc, 1, &(iwarp_sctp_assoc_params){.ack = true, .tsn = 1000});
  shake();
  ck_assert_int_eq(info()->side[0].role, IWARP_ROLE_INITIATOR);
  ck_assert_int_eq(info()->side[1].role, IWARP_ROLE_RESPONDER);
  ck_assert_int_eq(info()->side[1].key, IWARP_MPA_KEY_REPLY);
  ck_assert_uint_eq(info()->sctp_stream, 7);
  ck_assert(info()->sctp && !info()->sctp_joined && !info()->rejected);
  segment(0, 1);
  ck_assert_uint_eq(info()->side[0].num_fpdus, 1);
  ck_assert_uint_eq(info()->side[0].full_pos, 1001);
  ck_assert_int_eq(w.last.u.fpdu.sync, IWARP_SYNC_STARTUP);
  ck_assert_int_eq(w.last.u.fpdu.crc, IWARP_CRC_GOOD);
  ck_assert(w.last.u.fpdu.complete && w.last.u.fpdu.seg.has_ddp);
  segment(0, 2);
  ck_assert_uint_eq(info()->side[0].full_pos, 1001);
  control(0, 3, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  end(IWARP_END_FIN);
  ck_assert_uint_eq(info()->side[0].end, IWARP_END_FIN);
  want("i0 i1 m0.0/0 m1.0/0 s0.1 s0.2 m0.3/0 m1.1/0 e0.1 e1.1 ");
}
END_TEST

START_TEST(the_inits_go_to_the_first_session_and_only_those_that_came)
{
  begin();
  iwarp_sctp_assoc_init(&w.assoc, 1, &(iwarp_sctp_assoc_params){.in_streams = 3});
  control(0, 0, IWARP_SCTP_INITIATE);
  want("i1 m0.0/0 ");
  begin();
  iwarp_sctp_assoc_init(&w.assoc, 0, &(iwarp_sctp_assoc_params){.whole = true});
  iwarp_sctp_assoc_init(&w.assoc, 1, &(iwarp_sctp_assoc_params){.in_streams = 3});
  const iwarp_sctp_captured *m = make_control(0, 0, IWARP_SCTP_INITIATE);
  iwarp_event ev;
  ck_assert_int_eq(iwarp_sctp_observer_push(w.obs, 0, m), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_observer_next_event(w.obs, &ev), IWARP_OK);
  ck_assert(ev.kind == IWARP_EVENT_SCTP_INIT && ev.sctp->u.init.params->whole &&
            ev.sctp->u.init.granted == 3);
  ck_assert_int_eq(iwarp_sctp_observer_next_event(w.obs, &ev), IWARP_OK);
  ck_assert(ev.side == 1 && ev.sctp->u.init.granted == 0 &&
            ev.sctp->u.init.params->in_streams == 3);
}
END_TEST

/* A shutdown in order ends it in the SHUTDOWN, or in a message that came after that. */
START_TEST(an_end_names_its_packet)
{
  static const struct {
    iwarp_end how;
    uint64_t now;
    uint64_t packet;
  } rows[] = {{IWARP_END_FIN, 900, 900},
              {IWARP_END_FIN, 0, 2},
              {IWARP_END_RST, 900, 2},
              {IWARP_END_CAPTURE, 900, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    begin();
    shake();
    const uint64_t before = w.last.last.packet;
    iwarp_sctp_assoc_now(&w.assoc, rows[i].now, 77);
    end(rows[i].how);
    ck_assert_int_eq(w.last.kind, IWARP_EVENT_END);
    ck_assert_uint_eq(before, 2);
    ck_assert_uint_eq(w.last.first.packet, rows[i].packet);
    ck_assert_uint_eq(w.last.last.packet, rows[i].packet);
  }
}
END_TEST

START_TEST(a_session_after_another_begins_with_its_initiate)
{
  begin();
  shake();
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  want("m0.0/0 m1.0/0 m0.1/0 m1.1/0 ");
  control(1, 0, IWARP_SCTP_ENHANCED_INITIATE);
  ck_assert(info()->side[1].enhanced && info()->side[1].rev == 2);
  ck_assert_uint_eq(info()->side[1].enh.ird, 4);
  control(0, 0, IWARP_SCTP_ENHANCED_REJECT);
  ck_assert(info()->rejected);
  end(IWARP_END_RST);
  want("e0.1 e1.1 m1.0/0 m0.0/0 e0.2 e1.2 ");
}
END_TEST

START_TEST(a_session_that_is_dropped_goes_on_in_its_midst)
{
  begin();
  shake();
  iwarp_sctp_observer_drop(w.obs);
  segment(0, 1);
  ck_assert(info()->sctp_joined);
  ck_assert_uint_eq(info()->side[0].full_pos, IWARP_POS_UNKNOWN);
  end(IWARP_END_FIN);
  want("m0.0/0 m1.0/0 s0.1 e0.1 e1.1 ");
  begin();
  shake();
  iwarp_sctp_observer_drop(w.obs);
  end(IWARP_END_FIN);
  want("m0.0/0 m1.0/0 ");
}
END_TEST

/* ---- what is in a message ---- */

START_TEST(a_segment_is_as_long_as_its_message_says)
{
  begin();
  shake();
  iwarp_sctp_captured *m = make_segment(0, 1);
  m->length = 100000;
  m->damaged = true;
  push(0, m);
  ck_assert(!w.last.u.fpdu.complete);
  ck_assert_int_eq(w.last.u.fpdu.crc, IWARP_CRC_UNCHECKED);
  ck_assert_uint_eq(w.last.u.fpdu.fpdu.ulpdu_length, UINT16_MAX);
  push(0, make(0, SEGMENT, 2, "", 0)); /* only the DDP-SSN */
  ck_assert_int_eq(w.last.u.fpdu.seg.err, IWARP_ERR_DDP_SHORT);
  push(0, make(0, SEGMENT << 24, 3, "abc", 3));
  ck_assert_uint_eq(w.facts.u.message.captured->ppid, SEGMENT << 24);
  want("m0.0/0 m1.0/0 s0.1 s0.2 s0.3 ");
}
END_TEST

/* What its receiver took may be another message, and the session another one. */
START_TEST(a_session_is_not_certain_after_a_message_of_which_copies_differ)
{
  for (unsigned differ = 0; differ < 2; differ++) {
    begin();
    shake();
    iwarp_sctp_captured *m = make_segment(0, 1);
    m->last.differ = differ == 1;
    push(0, m);
    ck_assert(w.facts.certainty.session_certain);
    ck_assert(w.last.last.differ == (differ == 1));
    segment(0, 2);
    ck_assert(w.facts.certainty.session_certain == (differ == 0));
  }
}
END_TEST

START_TEST(what_is_no_message_of_a_session_is_reported_all_the_same)
{
  begin();
  shake();
  push(0, make(0, 99, 1, "abc", 3)); /* another protocol */
  ck_assert(!w.facts.u.message.has_ssn);
  iwarp_sctp_captured *m = make(0, SEGMENT, 1, "", 0);
  m->length = 1;
  m->user_data.len = 1;
  push(0, m);
  ck_assert(!w.facts.u.message.has_ssn);
  m = make(0, CONTROL, 1, "", 0);
  push(0, m); /* no Function Code */
  ck_assert(!w.facts.u.message.has_control);
  control(0, 1, 77);
  ck_assert(w.facts.u.message.has_control && w.facts.u.message.has_ssn);
  control(0, 2, IWARP_SCTP_ENHANCED_ACCEPT);
  segment(0, 3);
  segment(0, 3);
  end(IWARP_END_CAPTURE);
  want("m0.0/0 m1.0/0 m0.0/2 m0.0/3 m0.0/3 m0.1/4 m0.2/4 s0.3 m0.3/6 e0.3 e1.3 ");
}
END_TEST

/* ---- what is missing ---- */

START_TEST(what_is_lost_is_waited_for_with_patience)
{
  begin_as((iwarp_sctp_observer_cfg){.patience = 3}, true);
  shake();
  lose(0, IWARP_GAP_SNAPLEN);
  segment(0, 2);
  segment(0, 3);
  want("m0.0/0 m1.0/0 ");
  segment(0, 4);
  ck_assert_uint_eq(info()->side[0].num_fpdus, 3);
  ck_assert_int_eq(w.last.u.fpdu.sync, IWARP_SYNC_CRC);
  want("g0.1+1 s0.2? s0.3? s0.4? ");
  ck_assert(info()->side[0].gap);
  segment(0, 5);
  segment(0, 7); /* nothing is known to be lost since then: it may come late */
  segment(0, 8);
  segment(0, 9);
  segment(0, 10);
  want("s0.5? ");
  segment(0, 6);
  want("s0.6? s0.7? s0.8? s0.9? s0.10? ");
}
END_TEST

START_TEST(what_waits_comes_out_when_the_caller_wants_it)
{
  begin();
  shake();
  segment(1, 3);
  want("m0.0/0 m1.0/0 ");
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_OK);
  drain();
  want("g1.1+2 s1.3 ");
  segment(0, 2);
  end(IWARP_END_FIN); /* what is missing then cannot come any more */
  want("g0.1+1! s0.2 e0.1 e1.1 ");
  begin();
  shake();
  segment(0, 2);
  end(IWARP_END_CAPTURE);
  want("m0.0/0 m1.0/0 g0.1+1 s0.2 e0.3 e1.3 ");
}
END_TEST

START_TEST(a_window_that_is_full_is_a_limit_unless_something_is_lost)
{
  begin_as((iwarp_sctp_observer_cfg){.window = 4}, true);
  shake();
  segment(0, 3);
  segment(0, 7);
  ck_assert_uint_eq(info()->limits, 0);
  segment(0, 8);
  ck_assert_uint_eq(info()->limits, IWARP_LIMIT_WINDOW);
  want("m0.0/0 m1.0/0 g0.1+2 s0.3 ");
  begin_as((iwarp_sctp_observer_cfg){.window = 4}, true);
  shake();
  lose(0, IWARP_GAP_LOST);
  segment(0, 3);
  segment(0, 7);
  ck_assert_uint_eq(info()->limits, 0);
}
END_TEST

START_TEST(more_is_missing_than_can_wait)
{
  begin();
  shake();
  segment(1, 2); /* waits */
  segment(0, 300);
  want("m0.0/0 m1.0/0 ");
  segment(0, 301);
  want("g1.1+1 s1.2 g0.1+299 s0.300 s0.301 ");
  segment(1, 5); /* the engine began again: two are missing before this one */
  want("g1.3+2 s1.5 ");
  end(IWARP_END_FIN);
}
END_TEST

/* The engine begins again twice before the other side sends on. */
START_TEST(what_is_due_of_the_other_side_stays_known)
{
  begin();
  shake();
  segment(1, 1);
  segment(0, 300);
  segment(0, 600);
  want("m0.0/0 m1.0/0 s1.1 g0.1+299 s0.300 g0.301+299 s0.600 ");
  segment(1, 2);
  want("s1.2 ");
}
END_TEST

START_TEST(a_stream_joined_late_goes_on_where_it_is)
{
  begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
  segment(0, 40);
  ck_assert(info()->sctp_joined);
  ck_assert_int_eq(w.last.u.fpdu.sync, IWARP_SYNC_CRC);
  segment(0, 41);
  control(0, 0, IWARP_SCTP_INITIATE); /* the end of the session before is missing */
  ck_assert(!info()->sctp_joined);
  control(1, 0, IWARP_SCTP_ACCEPT);
  end(IWARP_END_FIN);
  want("s0.40? s0.41? e0.3? e1.3? m0.0/0? m1.0/0? e0.1? e1.1? ");
  begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
  control(0, 0, IWARP_SCTP_INITIATE); /* no session was under way */
  ck_assert(!info()->sctp_joined);
  want("m0.0/0? ");
}
END_TEST

/* Its place is not certain, but who answers is the Responder. */
START_TEST(an_answer_without_its_initiate_says_which_side_is_which)
{
  static const uint16_t answers[] = {IWARP_SCTP_ACCEPT, IWARP_SCTP_REJECT,
                                     IWARP_SCTP_ENHANCED_ACCEPT, IWARP_SCTP_ENHANCED_REJECT};
  for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
    begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
    control(1, 0, answers[i]);
    ck_assert_int_eq(info()->side[1].role, IWARP_ROLE_RESPONDER);
    ck_assert_int_eq(info()->side[0].role, IWARP_ROLE_INITIATOR);
    ck_assert(!info()->side[1].has_startup);
    ck_assert(info()->rejected == (i % 2 == 1));
    control(0, 0, answers[i]); /* the first one counts */
    ck_assert_int_eq(info()->side[1].role, IWARP_ROLE_RESPONDER);
  }
  begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
  control(1, 1, IWARP_SCTP_ACCEPT); /* not the first message of its side */
  segment(0, 1);
  ck_assert_int_eq(info()->side[1].role, IWARP_ROLE_UNKNOWN);
  begin(); /* nothing is missing: it answers no Initiate */
  control(1, 0, IWARP_SCTP_ACCEPT);
  ck_assert_int_eq(info()->side[1].role, IWARP_ROLE_UNKNOWN);
}
END_TEST

/* Whatever stream it came on; the other side's messages say so from then on. */
START_TEST(an_answer_to_no_initiate_is_remembered_for_the_association)
{
  begin();
  control(0, 0, IWARP_SCTP_TERMINATE); /* no answer */
  control(1, 0, IWARP_SCTP_REJECT);
  ck_assert(!w.facts.certainty.answers_elsewhere[0]);
  control(0, 0, IWARP_SCTP_INITIATE);
  ck_assert(w.facts.certainty.answers_elsewhere[1] && w.facts.certainty.has_unplaced);
  control(1, 0, IWARP_SCTP_ACCEPT);
  ck_assert(!w.facts.certainty.answers_elsewhere[0] && w.facts.certainty.has_unplaced);
  begin();
  shake();
  segment(0, 1);
  ck_assert(!w.facts.certainty.answers_elsewhere[1] &&
            !w.facts.certainty.has_unplaced); /* it has its Initiate */
}
END_TEST

/* Returns true if a message of side 1 in a session under way counts as an answer that strayed. */
static bool strays(uint16_t number, uint16_t function) {
  begin();
  shake();
  control(1, number, function);
  segment(0, 1);
  const bool answered = w.facts.certainty.answers_elsewhere[1];
  end(IWARP_END_FIN);
  ck_assert(w.facts.certainty.answers_elsewhere[1] ==
            answered); /* of side 1, whose END is the last one */
  return answered;
}

START_TEST(an_answer_inside_another_session_is_remembered_likewise)
{
  ck_assert(strays(0, IWARP_SCTP_ACCEPT));
  ck_assert(strays(0, IWARP_SCTP_REJECT));
  ck_assert(strays(0, IWARP_SCTP_ENHANCED_ACCEPT));
  ck_assert(strays(0, IWARP_SCTP_ENHANCED_REJECT));
  ck_assert(!strays(1, IWARP_SCTP_ACCEPT)); /* it has the next DDP-SSN of this one */
  ck_assert(!strays(0xffff, IWARP_SCTP_ACCEPT));
  ck_assert(!strays(0, IWARP_SCTP_TERMINATE));
  ck_assert(!strays(0, IWARP_SCTP_INITIATE));
}
END_TEST

START_TEST(acknowledgments_prove_where_a_session_begins)
{
  begin();
  shake();
  lose(0, IWARP_GAP_LOST);
  control(0, 2, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_OK);
  drain();
  want("m0.0/0 m1.0/0 m1.1/0? g0.1+1 m0.2/0? ");
  control(1, 0, IWARP_SCTP_INITIATE);
  control(0, 0, IWARP_SCTP_ACCEPT);
  segment(1, 1);
  lose(1, IWARP_GAP_LOST);
  segment(1, 2);
  want("e0.1? e1.1? m1.0/0? m0.0/0 s1.1 s1.2? ");
}
END_TEST

/* ---- any order, any loss ---- */

/* The next DDP-SSN of each side, as far as its sender knows it. */
static uint16_t ssn[2];

static iwarp_sctp_captured *random_control(prng *p, uint8_t side, uint16_t number) {
  const uint16_t function = (uint16_t)(1 + prng_below(p, 8));
  iwarp_sctp_captured *m = make_control(side, number, function);
  if (prng_below(p, 8) == 0) { /* an enhanced one too short for its data */
    m->length = 4;
    m->user_data.len = 4;
  }
  return m;
}

static iwarp_sctp_captured *random_message(prng *p, uint8_t side, uint32_t what) {
  if (what < 40) {
    return make_segment(side, ssn[side]++);
  }
  if (what < 50) {
    return random_control(p, side, ssn[side]++);
  }
  if (what < 52) {
    ssn[side] = 1;
    return make_control(side, 0, what == 50 ? IWARP_SCTP_INITIATE : IWARP_SCTP_ENHANCED_INITIATE);
  }
  switch (what) {
  case 52: return make_segment(side, (uint16_t)(ssn[side] - 1));
  case 53: return make(side, 99, 0, "x", 1);
  case 54: return make(side, CONTROL, ssn[side], "", 0);
  case 55: break;
  default: return make_segment(side, (uint16_t)(ssn[side] + 1 + prng_below(p, 20)));
  }
  iwarp_sctp_captured *m = make(side, SEGMENT, 0, "", 0);
  m->length = 1;
  m->user_data.len = 1;
  return m;
}

static void random_loss(prng *p, uint8_t side) {
  ssn[side]++;
  if (prng_below(p, 4) == 0) {
    ssn[side] = (uint16_t)(ssn[side] + prng_below(p, 300)); /* without an event of the loss */
  } else if (prng_below(p, 4) == 0) {
    iwarp_sctp_assoc_lost(&w.assoc, side, 0, IWARP_GAP_LOST);
  } else {
    lose(side, prng_below(p, 2) == 0 ? IWARP_GAP_LOST : IWARP_GAP_SNAPLEN);
  }
}

static void random_input(prng *p) {
  const uint8_t side = (uint8_t)prng_below(p, 2);
  const uint32_t what = (uint32_t)prng_below(p, 64);
  if (what >= 58) {
    random_loss(p, side);
    return;
  }
  iwarp_sctp_captured *m = random_message(p, side, what);
  m->evidence.received -= prng_below(p, 3);
  m->evidence.cause_seen = prng_below(p, 4) != 0;
  m->pos -= prng_below(p, 16) == 0 ? prng_below(p, 60) : 0;
  push(side, m);
  if (prng_below(p, 60) == 0) {
    iwarp_sctp_observer_drop(w.obs);
  }
}

static void random_run(prng *p) {
  begin_as((iwarp_sctp_observer_cfg){.joined = prng_below(p, 2) != 0,
                                     .window = (uint16_t)(prng_below(p, 2) * 8),
                                     .patience = (uint16_t)(prng_below(p, 2) * 4)},
           true);
  w.assoc.start_known[0] = prng_below(p, 8) != 0;
  w.assoc.start_known[1] = prng_below(p, 8) != 0;
  w.assoc.gave_up = prng_below(p, 8) == 0;
  ssn[0] = ssn[1] = 0;
  if (prng_below(p, 4) != 0) {
    shake();
    ssn[0] = ssn[1] = 1;
  }
  for (uint64_t left = 40 + prng_below(p, 200); left > 0; left--) {
    random_input(p);
    if (prng_below(p, 100) == 0 && iwarp_sctp_observer_skip(w.obs) == IWARP_OK) {
      drain();
    }
  }
  end((iwarp_end)(1 + prng_below(p, 3)));
}

/* ---- after a session ---- */

/* A session that both sides have ended, and the Initiate of the next one, not pushed yet. */
static iwarp_sctp_captured *next_initiate(void) {
  begin();
  shake();
  expect(!w.facts.certainty.again, "the first session comes after none");
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  iwarp_sctp_captured *m = make_control(0, 0, IWARP_SCTP_INITIATE);
  m->evidence.acked = m->pos;
  return m;
}

static void want_outstanding(const iwarp_sctp_captured *m, iwarp_tristate due) {
  push(0, m);
  ck_assert(w.facts.certainty.again);
  ck_assert_int_eq(w.facts.certainty.outstanding, due);
  control(1, 0, IWARP_SCTP_ACCEPT);
  ck_assert(!w.facts.certainty.again);
  segment(1, 1);
  ck_assert(!w.facts.certainty.again);
}

START_TEST(an_initiate_says_whether_messages_of_the_session_before_are_outstanding)
{
  iwarp_sctp_captured *m = next_initiate();
  want_outstanding(m, IWARP_TRISTATE_OFF);
  m = next_initiate();
  m->evidence.acked--;
  want_outstanding(m, IWARP_TRISTATE_UNKNOWN);
  m = next_initiate();
  m->evidence.received = 0;
  want_outstanding(m, IWARP_TRISTATE_UNKNOWN);
  m = next_initiate();
  m->evidence.received--;           /* the Terminate of the other side has not come */
  m->evidence.received_all = false; /* by a packet before it */
  want_outstanding(m, IWARP_TRISTATE_UNKNOWN);
  m = next_initiate();
  m->evidence.received--;
  m->evidence.received_all = true; /* by its own */
  want_outstanding(m, IWARP_TRISTATE_ON);
  m = next_initiate();
  m->evidence.received_all = true; /* it has come */
  want_outstanding(m, IWARP_TRISTATE_OFF);
  m = next_initiate();
  m->first.packet = 3; /* the packet of its own Terminate */
  want_outstanding(m, IWARP_TRISTATE_ON);
}
END_TEST

/* A message that arrived out of order may answer this Initiate, and not belong to the session
 * before. */
START_TEST(an_initiate_is_not_held_against_an_answer_that_came_out_before_it)
{
  iwarp_sctp_captured *m = next_initiate();
  iwarp_sctp_captured *answer = make_control(1, 0, IWARP_SCTP_ACCEPT);
  answer->evidence.received = 0;
  answer->evidence.cause_seen = false;
  push(1, answer);
  ck_assert_int_ne(w.facts.u.message.reason, IWARP_SCTP_REASON_NONE);
  m->evidence.received--;
  m->evidence.received_all = true;
  push(0, m);
  ck_assert(!w.facts.certainty.again); /* it waits for what shows that it begins another session */
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_OK);
  drain();
  ck_assert(w.facts.certainty.again);
  ck_assert_int_eq(w.facts.certainty.outstanding, IWARP_TRISTATE_UNKNOWN);
}
END_TEST

/* ---- what seems to be missing, though nothing was lost ---- */

/* A session whose DDP-SSN 1 side 0 never used, and the Initiate of the next one. */
static void begin_again_after_a_gap(void) {
  begin();
  shake();
  control(0, 2, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  control(0, 0, IWARP_SCTP_INITIATE);
  want("m0.0/0 m1.0/0 m1.1/0 ");
}

/* The same of side 1, which has to answer it. */
static void begin_again_after_a_gap_of_the_other(void) {
  begin();
  shake();
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 2, IWARP_SCTP_TERMINATE);
  control(0, 0, IWARP_SCTP_INITIATE);
  want("m0.0/0 m1.0/0 m0.1/0 ");
}

START_TEST(an_answered_initiate_shows_that_nothing_more_comes_of_the_session_before)
{
  begin_again_after_a_gap();
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("g0.1+1 m0.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  end(IWARP_END_FIN);
  want("m0.1/0 m1.1/0 e0.1 e1.1 ");
  begin_again_after_a_gap_of_the_other();
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("g1.1+1 m1.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
  end(IWARP_END_FIN);
}
END_TEST

/* A message of side 1, whose sender had not received the last one of side 0. */
static void unknowing(iwarp_sctp_captured *m) {
  m->evidence.received--;
  push(1, m);
}

START_TEST(what_was_missing_may_come_after_the_initiate_of_the_next_session)
{
  begin_again_after_a_gap_of_the_other();
  unknowing(make_segment(1, 1));
  want("s1.1 m1.2/0 e0.1 e1.1 m0.0/0 ");
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("m1.0/0 ");
  begin(); /* so may an answer */
  control(0, 0, IWARP_SCTP_INITIATE);
  segment(1, 1);
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(0, 0, IWARP_SCTP_INITIATE);
  want("m0.0/0 m0.1/0 ");
  unknowing(make_segment(1, 129)); /* too far ahead */
  want("");
  unknowing(make_control(1, 0, IWARP_SCTP_ACCEPT));
  want("m1.0/0 s1.1 e0.1 e1.1 m0.0/0 ");
  ck_assert_ptr_nonnull(w.obs->far[1]); /* in the session that begins */
  begin();                              /* but not after what ends the session */
  control(0, 0, IWARP_SCTP_INITIATE);
  segment(1, 1);
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 2, IWARP_SCTP_TERMINATE);
  control(0, 0, IWARP_SCTP_INITIATE);
  unknowing(make_control(1, 0, IWARP_SCTP_ACCEPT));
  want("m0.0/0 m0.1/0 g1.0+1 m1.1/1 m1.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(what_its_sender_sent_after_the_initiate_waits_with_it)
{
  begin_again_after_a_gap_of_the_other();
  segment(1, 1);
  want("");
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("g1.1+1 m1.2/0 e0.1= e1.1= m0.0/0 m1.0/0 s1.1 ");
  begin_again_after_a_gap_of_the_other(); /* and messages after the end of the session */
  unknowing(make_segment(1, 2));
  want("");
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("g1.1+1 m1.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
  begin_again_after_a_gap(); /* and after an end that came out */
  unknowing(make_segment(1, 2));
  want("");
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("g0.1+1 m0.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
  begin(); /* or where there is no session */
  control(0, 7, IWARP_SCTP_INITIATE);
  control(1, 0, IWARP_SCTP_TERMINATE);
  control(1, 0, IWARP_SCTP_INITIATE);
  want("m0.7/6 m1.0/7 ");
  iwarp_sctp_captured *m = make_control(0, 0, IWARP_SCTP_ACCEPT);
  m->evidence.received--;
  push(0, m);
  want("e0.1= e1.1= m1.0/0 m0.0/0 ");
}
END_TEST

START_TEST(an_initiate_that_nothing_answers_says_nothing_of_the_other_side)
{
  begin_again_after_a_gap();
  end(IWARP_END_FIN);
  want("g0.1+1! m0.2/0 e0.1+ e1.1 m0.0/0 e0.1 e1.1 ");
  begin_again_after_a_gap();
  control(1, 0, IWARP_SCTP_INITIATE); /* no answer */
  want("g0.1+1 m0.2/0 e0.1+ e1.1 m0.0/0 m1.0/1 ");
  begin_again_after_a_gap();
  for (uint16_t n = 1; n < SCTP_OBSERVER_LATER; n++) {
    segment(0, n);
  }
  want("");
  segment(0, SCTP_OBSERVER_LATER); /* no more may wait */
  want("g0.1+1 m0.2/0 e0.1+ e1.1 m0.0/0 s0.1 s0.2 s0.3 s0.4 s0.5 s0.6 s0.7 s0.8 ");
  for (uint8_t side = 0; side < 2; side++) {
    begin_again_after_a_gap();
    lose(side, IWARP_GAP_LOST);
    control(1, 0, IWARP_SCTP_ACCEPT);
    want("g0.1+1 m0.2/0? e0.1?+ e1.1? m0.0/0? m1.0/0? ");
  }
  begin_again_after_a_gap();
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_OK);
  drain();
  want("g0.1+1 m0.2/0 e0.1 e1.1 m0.0/0 ");
}
END_TEST

START_TEST(what_an_initiate_does_not_acknowledge_may_be_of_its_session)
{
  begin();
  shake();
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 2, IWARP_SCTP_TERMINATE);
  iwarp_sctp_captured *m = make_control(0, 0, IWARP_SCTP_INITIATE);
  m->evidence.received--;
  push(0, m);
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("m0.0/0 m1.0/0 m0.1/0 g1.1+1 m1.2/0 e0.1= e1.1+ m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(a_message_without_a_number_fills_nothing)
{
  begin_again_after_a_gap();
  push(1, make(1, 99, 0, "", 0));
  want("m1.0/2 ");
  iwarp_sctp_captured *m = make(1, SEGMENT, 0, "", 0);
  m->length = 1;
  m->user_data.len = 1;
  push(1, m);
  want("m1.0/3 ");
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("g0.1+1 m0.2/0 e0.1= e1.1+ m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(an_initiate_waits_where_a_number_came_again)
{
  begin();
  shake();
  control(1, 1, IWARP_SCTP_TERMINATE);
  control(0, 0, IWARP_SCTP_TERMINATE);
  control(0, 0, IWARP_SCTP_INITIATE);
  want("m0.0/0 m1.0/0 m1.1/0 m0.0/6 ");
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("e0.1= e1.1= m0.0/0 m1.0/0? ");
  begin(); /* nothing ends the session that the two are of */
  shake();
  control(0, 0, IWARP_SCTP_TERMINATE);
  control(0, 0, IWARP_SCTP_INITIATE);
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("m0.0/0 m1.0/0 m0.0/6 e0.3= e1.3= m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(what_comes_after_an_end_may_be_of_the_next_session)
{
  begin();
  shake();
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  segment(1, 1);
  control(0, 0, IWARP_SCTP_INITIATE);
  control(1, 0, IWARP_SCTP_ACCEPT);
  want("m0.0/0 m1.0/0 m0.1/0 m1.1/0 m1.1/6 e0.1= e1.1= m0.0/0 m1.0/0 ");
  segment(1, 2);
  end(IWARP_END_FIN);
  want("g1.1+1! s1.2 e0.1 e1.1~ ");
}
END_TEST

/* ---- what is ahead of the window, though nothing was lost ---- */

static void begin_narrow(void) {
  begin_as((iwarp_sctp_observer_cfg){.window = 4}, true);
  shake();
  want("m0.0/0 m1.0/0 ");
}

START_TEST(a_message_ahead_of_the_window_waits_for_its_turn)
{
  begin_narrow();
  segment(0, 6);
  for (uint16_t n = 1; n < 6; n++) {
    segment(0, n);
  }
  want("s0.1 s0.2 s0.3 s0.4 s0.5 s0.6 ");
  begin_narrow(); /* which may not come */
  segment(0, 9);
  segment(0, 1);
  end(IWARP_END_FIN);
  want("s0.1 m0.9/6 e0.1 e1.1 ");
  begin_narrow();
  control(1, 9, IWARP_SCTP_TERMINATE);
  segment(1, 1);
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_OK);
  drain();
  want("s1.1 m1.9/6 ");
}
END_TEST

START_TEST(two_messages_ahead_of_the_window_show_that_some_are_missing)
{
  begin_narrow();
  segment(0, 7);
  segment(0, 9);
  want("g0.1+6 s0.7 ");
  begin_narrow(); /* in whatever order they come */
  segment(0, 9);
  segment(0, 7);
  want("g0.1+6 s0.7 ");
  segment(0, 8);
  want("s0.8 s0.9 ");
  begin_narrow();
  segment(1, 9);
  segment(0, 7);
  segment(0, 9);
  want("m1.9/6 g0.1+6 s0.7 ");
}
END_TEST

START_TEST(a_message_ahead_of_the_window_does_not_wait_for_what_is_lost)
{
  begin_narrow();
  lose(0, IWARP_GAP_LOST);
  segment(0, 9);
  want("g0.1+8 s0.9? ");
}
END_TEST

START_TEST(a_message_ahead_of_the_window_is_of_the_session_before_an_initiate)
{
  begin_narrow();
  segment(0, 9);
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  lose(0, IWARP_GAP_LOST);
  control(0, 0, IWARP_SCTP_INITIATE);
  want("m0.1/0 m1.1/0 m0.9/6? e0.1? e1.1? m0.0/0? ");
}
END_TEST

START_TEST(an_initiate_with_another_number_begins_nothing_after_a_session)
{
  begin();
  shake();
  control(0, 1, IWARP_SCTP_TERMINATE);
  control(1, 1, IWARP_SCTP_TERMINATE);
  control(0, 5, IWARP_SCTP_INITIATE);
  want("m0.0/0 m1.0/0 m0.1/0 m1.1/0 m0.5/6 ");
}
END_TEST

/* A segment outside of a session, and an Initiate that may have come before it. */
START_TEST(what_stands_outside_a_session_may_be_late_where_packets_are_missing)
{
  for (unsigned patchy = 0; patchy < 2; patchy++) {
    begin();
    iwarp_sctp_captured *m = make_segment(0, 2);
    m->evidence.maybe_retransmitted = patchy == 1;
    push(0, m);
    ck_assert_int_eq(w.facts.u.message.reason, IWARP_SCTP_REASON_NO_SESSION);
    ck_assert_int_eq(w.facts.u.message.captured->evidence.maybe_retransmitted, patchy == 1);
    control(1, 0, IWARP_SCTP_INITIATE);
    ck_assert_int_eq(w.facts.certainty.session_certain, patchy == 0);
    end(IWARP_END_FIN);
  }
}
END_TEST

/* Of what waits of the other side, here or for the caller, its sender may know. */
START_TEST(what_comes_later_of_the_other_side_may_have_been_received)
{
  begin();
  shake();
  segment(0, 1);
  ck_assert(!w.facts.certainty.peer_data_reordered);
  segment(0, 3);
  segment(1, 1);
  ck_assert(w.facts.certainty.peer_data_reordered);
  segment(0, 2);
  segment(1, 2);
  ck_assert(!w.facts.certainty.peer_data_reordered);
  iwarp_sctp_captured *m = make_segment(1, 3);
  m->evidence.peer_data_reordered = true;
  push(1, m);
  ck_assert(w.facts.certainty.peer_data_reordered);
}
END_TEST

/* The answer has another number than 0, so that the Initiate of the next session takes its place.
 */
START_TEST(an_initiate_that_passes_what_waits_may_begin_another_session)
{
  for (unsigned waits = 0; waits < 2; waits++) {
    begin();
    control(0, 0, IWARP_SCTP_INITIATE);
    if (waits == 1) {
      control(1, 1, IWARP_SCTP_ACCEPT);
    }
    control(1, 0, IWARP_SCTP_INITIATE);
    ck_assert_int_eq(w.facts.certainty.session_certain, waits == 0);
  }
}
END_TEST

/* ---- what may be of another session, whose beginning is missing ---- */

/* A session of which 1 came; then a message was lost. */
static void interrupted(void) {
  begin();
  shake();
  segment(0, 1);
  ck_assert(!w.facts.certainty.session_unconfirmed);
  lose(0, IWARP_GAP_LOST);
}

/* Side 0 sends a segment: all that it had received was reported, as far as its packet shows. */
static bool is_all_reported(uint16_t number) {
  segment(0, number);
  ck_assert_int_eq(w.last.side, 0);
  return w.last.first.peer_pos != IWARP_POS_UNKNOWN;
}

/* Side 0 may have received what waits of side 1, for an earlier message. */
START_TEST(what_waits_may_have_been_received)
{
  begin();
  control(0, 0, IWARP_SCTP_INITIATE);
  control(1, 0, IWARP_SCTP_ACCEPT);
  ck_assert(is_all_reported(1));
  segment(1, 2);
  ck_assert(!is_all_reported(2));
  segment(1, 3);
  ck_assert(!is_all_reported(3));
  segment(1, 1);
  ck_assert(is_all_reported(4));
  segment(0, 6); /* its own are no matter */
  ck_assert(is_all_reported(5));
}
END_TEST

START_TEST(the_message_after_a_loss_may_be_of_another_session)
{
  interrupted();
  segment(0, 2);
  ck_assert(w.facts.certainty.session_unconfirmed);
  segment(0, 3);
  ck_assert(!w.facts.certainty.session_unconfirmed);
}
END_TEST

/* Both losses are known when 4 comes out, and 5 comes after another one. */
START_TEST(a_loss_counts_between_messages_that_waited)
{
  interrupted();
  segment(0, 4);
  lose(0, IWARP_GAP_LOST);
  segment(0, 5);
  ck_assert_int_eq(iwarp_sctp_observer_skip(w.obs), IWARP_OK);
  drain();
  ck_assert_uint_eq(w.facts.u.message.ssn, 5);
  ck_assert(w.facts.certainty.session_unconfirmed);
  segment(0, 6);
  ck_assert(!w.facts.certainty.session_unconfirmed);
}
END_TEST

/* 1 was sent after 2. Nothing is lost: that matters only where an answer came before its Initiate.
 */
START_TEST(a_message_after_one_with_an_earlier_tsn_where_one_strayed)
{
  for (unsigned strayed = 0; strayed < 2; strayed++) {
    begin();
    if (strayed == 1) {
      iwarp_sctp_captured *early = make_control(1, 0, IWARP_SCTP_ACCEPT);
      early->evidence.cause_seen = false;
      push(1, early);
    }
    control(0, 0, IWARP_SCTP_INITIATE);
    iwarp_sctp_captured *answer = make_control(1, 0, IWARP_SCTP_ACCEPT);
    answer->evidence.received = 0; /* it proves nothing */
    push(1, answer);
    iwarp_sctp_captured *second = make_segment(0, 2);
    segment(0, 1);
    ck_assert(!w.facts.certainty.session_unconfirmed);
    push(0, second);
    ck_assert(w.facts.certainty.session_unconfirmed == (strayed == 1));
  }
}
END_TEST

/* 2 and 3 may be of the next session, and fill the gap before 4 nevertheless: so 5 may be either's.
 */
START_TEST(a_message_after_one_with_an_earlier_tsn_may_be_of_another_session)
{
  interrupted();
  segment(0, 4);
  segment(0, 2);
  ck_assert(w.facts.certainty.session_unconfirmed);
  segment(0, 3);
  ck_assert_uint_eq(w.facts.u.message.ssn, 4);
  ck_assert(w.facts.certainty.session_unconfirmed);
  segment(0, 5);
  ck_assert(w.facts.certainty.session_unconfirmed);
  segment(0, 6);
  ck_assert(!w.facts.certainty.session_unconfirmed);
}
END_TEST

START_TEST(an_end_says_whether_more_can_come_and_whether_all_came)
{
  static const struct {
    iwarp_end how;
    bool start_known, lost, gave_up, final, complete, settled[2];
  } rows[] = {{IWARP_END_FIN, true, false, false, true, true, {false}},
              {IWARP_END_RST, true, false, false, false, true, {true, true}},
              {IWARP_END_FIN, false, false, false, true, false, {false}},
              {IWARP_END_FIN, true, true, false, true, false, {false}},
              {IWARP_END_FIN, true, false, true, true, false, {false}},
              {IWARP_END_FIN, true, false, false, true, true, {false, true}},
              {IWARP_END_FIN, true, false, false, true, true, {true, false}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    begin_as((iwarp_sctp_observer_cfg){.stream = 7}, rows[i].start_known);
    shake();
    if (rows[i].lost) {
      lose(0, IWARP_GAP_LOST);
    }
    w.assoc.gave_up = rows[i].gave_up;
    memcpy(w.assoc.settled, rows[i].settled, sizeof w.assoc.settled);
    iwarp_sctp_assoc_passed(&w.assoc, 1, w.pos[1] + 7); /* on another stream */
    end(rows[i].how);                                   /* the last event is the END of side 1 */
    ck_assert_int_eq(w.facts.u.end.final, rows[i].final);
    ck_assert_int_eq(w.facts.certainty.settled[1], rows[i].settled[1]);
    ck_assert_int_eq(w.facts.certainty.settled[0], rows[i].settled[0]);
    ck_assert_uint_eq(w.facts.certainty.sent, w.pos[1] + 7);
    ck_assert_int_eq(w.facts.certainty.complete, rows[i].complete);
  }
}
END_TEST

START_TEST(each_message_comes_back_once_whatever_comes)
{
  for (uint64_t seed = 1; seed <= 600; seed++) {
    prng p = {seed};
    random_run(&p);
  }
}
END_TEST

/* ---- where a Terminate stands ---- */

static iwarp_sctp_captured *make_terminate(uint8_t side, uint16_t number) {
  static const uint8_t terminate[22] = {0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0,
                                        0,    0,    1, 0, 0, 0, 0, 2, 6, 0, 0};
  return make(side, SEGMENT, number, terminate, sizeof terminate);
}

static iwarp_rdmap_term_place place_of(const iwarp_sctp_captured *terminate, uint8_t side) {
  push(side, terminate);
  ck_assert_int_eq(w.last.kind, IWARP_EVENT_SCTP_SEGMENT);
  ck_assert_int_eq(w.last.u.fpdu.seg.kind, IWARP_RDMAP_KIND_TERM);
  return w.last.u.fpdu.term_place;
}

START_TEST(the_place_of_a_terminate)
{
  begin();
  shake();
  ck_assert_int_eq(place_of(make_terminate(0, 1), 0), IWARP_RDMAP_TERM_PLACE_STARTUP);
  begin();
  shake();
  segment(0, 1);
  segment(0, 2);
  ck_assert_int_eq(place_of(make_terminate(1, 1), 1), IWARP_RDMAP_TERM_PLACE_FULL);
}
END_TEST

START_TEST(the_place_of_a_terminate_where_the_other_side_may_have_sent_more)
{
  begin();
  shake();
  lose(1, IWARP_GAP_LOST); /* octets of the other side are missing */
  ck_assert_int_eq(place_of(make_terminate(0, 1), 0), IWARP_RDMAP_TERM_PLACE_UNKNOWN);
  begin();
  shake();
  iwarp_sctp_captured *reordered = make_terminate(0, 1);
  reordered->evidence.peer_data_reordered = true;
  ck_assert_int_eq(place_of(reordered, 0), IWARP_RDMAP_TERM_PLACE_UNKNOWN);
  begin();
  control(0, 0, IWARP_SCTP_INITIATE); /* no answer */
  ck_assert_int_eq(place_of(make_terminate(0, 1), 0), IWARP_RDMAP_TERM_PLACE_UNKNOWN);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      what_is_no_configuration_has_no_size,
      input_waits_until_all_events_are_out,
      an_identifier_in_the_other_byte_order_is_recognized,
      a_cut_message_must_tell_what_it_is,
      a_session_from_its_initiate_to_both_terminates,
      the_inits_go_to_the_first_session_and_only_those_that_came,
      an_end_names_its_packet,
      a_session_after_another_begins_with_its_initiate,
      a_session_that_is_dropped_goes_on_in_its_midst,
      a_segment_is_as_long_as_its_message_says,
      a_session_is_not_certain_after_a_message_of_which_copies_differ,
      what_is_no_message_of_a_session_is_reported_all_the_same,
      what_is_lost_is_waited_for_with_patience,
      what_waits_comes_out_when_the_caller_wants_it,
      a_window_that_is_full_is_a_limit_unless_something_is_lost,
      more_is_missing_than_can_wait,
      what_is_due_of_the_other_side_stays_known,
      a_stream_joined_late_goes_on_where_it_is,
      an_answer_without_its_initiate_says_which_side_is_which,
      an_answer_to_no_initiate_is_remembered_for_the_association,
      an_answer_inside_another_session_is_remembered_likewise,
      acknowledgments_prove_where_a_session_begins,
      an_initiate_says_whether_messages_of_the_session_before_are_outstanding,
      an_initiate_is_not_held_against_an_answer_that_came_out_before_it,
      an_answered_initiate_shows_that_nothing_more_comes_of_the_session_before,
      what_was_missing_may_come_after_the_initiate_of_the_next_session,
      what_its_sender_sent_after_the_initiate_waits_with_it,
      an_initiate_that_nothing_answers_says_nothing_of_the_other_side,
      what_an_initiate_does_not_acknowledge_may_be_of_its_session,
      a_message_without_a_number_fills_nothing,
      an_initiate_waits_where_a_number_came_again,
      what_comes_after_an_end_may_be_of_the_next_session,
      a_message_ahead_of_the_window_waits_for_its_turn,
      two_messages_ahead_of_the_window_show_that_some_are_missing,
      a_message_ahead_of_the_window_does_not_wait_for_what_is_lost,
      a_message_ahead_of_the_window_is_of_the_session_before_an_initiate,
      an_initiate_with_another_number_begins_nothing_after_a_session,
      what_stands_outside_a_session_may_be_late_where_packets_are_missing,
      what_comes_later_of_the_other_side_may_have_been_received,
      an_initiate_that_passes_what_waits_may_begin_another_session,
      what_waits_may_have_been_received,
      the_message_after_a_loss_may_be_of_another_session,
      a_loss_counts_between_messages_that_waited,
      a_message_after_one_with_an_earlier_tsn_may_be_of_another_session,
      a_message_after_one_with_an_earlier_tsn_where_one_strayed,
      an_end_says_whether_more_can_come_and_whether_all_came,
      each_message_comes_back_once_whatever_comes,
      the_place_of_a_terminate,
      the_place_of_a_terminate_where_the_other_side_may_have_sent_more,
      NULL};
  return check_run(check_suite("stream-sctp-observer", tests));
}
