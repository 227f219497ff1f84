/* SPDX-License-Identifier: BSD-2-Clause */
/* The observer of a DDP stream over SCTP. What the events of whole captures are is shown by the
 * golden cases; here is what a capture lacks, in which order messages come, and who owns them when.
 */
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "prng.h"
#include "sctp_observer/state.h"
#include "sctp_stream.h"

/* ---- use and misuse ---- */

START_TEST(what_is_no_configuration_has_no_size)
{
  stream_begin();
  iwarp_sctp_observer_cfg cfg = {.size = sizeof cfg, .assoc = stream_w.assoc};
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
  cfg.assoc = stream_w.assoc;
  cfg.window = IWARP_SCTP_WINDOW_MAX + 1;
  ck_assert_uint_eq(iwarp_sctp_observer_size(&cfg), 0);
  cfg.window = 4;
  ck_assert_uint_lt(iwarp_sctp_observer_size(&cfg), size);
}
END_TEST

START_TEST(an_association_begins_without_losses_and_inits)
{
  _Alignas(max_align_t) static uint8_t mem[IWARP_SCTP_ASSOC_SIZE + 1];
  iwarp_sctp_assoc *assoc = NULL;
  const size_t size = iwarp_sctp_assoc_size();
  memset(mem, 0xFF, sizeof mem);
  ck_assert_uint_le(size, IWARP_SCTP_ASSOC_SIZE);
  ck_assert_int_eq(iwarp_sctp_assoc_init(NULL, mem, size), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_assoc_init(&assoc, NULL, size), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_assoc_init(&assoc, mem + 1, size), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_assoc_init(&assoc, mem, size - 1), IWARP_ERR_NOBUF);
  ck_assert_ptr_null(assoc);
  ck_assert_int_eq(iwarp_sctp_assoc_init(&assoc, mem, size), IWARP_OK);
  for (uint8_t side = 0; side < 2; side++) {
    ck_assert(!assoc->start_known[side] && !assoc->init_seen[side] && assoc->lost[side] == 0);
    iwarp_sctp_assoc_set_start(assoc, side, true);
    ck_assert(assoc->start_known[side] && (side == 1 || !assoc->start_known[1]));
  }
  ck_assert(!assoc->begun && !assoc->init_due[0] && !assoc->init_due[1]);
  ck_assert_uint_eq(mem[size], 0xFF);
}
END_TEST

START_TEST(input_waits_until_all_events_are_out)
{
  stream_begin();
  const iwarp_sctp_captured *m = stream_make_control(0, 0, IWARP_SCTP_INITIATE);
  ck_assert_int_eq(iwarp_sctp_observer_push(stream_w.obs, 2, m), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_observer_push(stream_w.obs, 0, m), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_observer_push(stream_w.obs, 0, m), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_observer_eof(stream_w.obs, IWARP_END_FIN), IWARP_ERR_STATE);
  stream_drain();
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_ERR_END);
  stream_end(IWARP_END_FIN);
  ck_assert_int_eq(iwarp_sctp_observer_push(stream_w.obs, 0, m), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_observer_eof(stream_w.obs, IWARP_END_FIN), IWARP_ERR_STATE);
  stream_begin();
  stream_end(IWARP_END_FIN); /* a stream without a message has no session */
  stream_want("");
}
END_TEST

START_TEST(an_identifier_in_the_other_byte_order_is_recognized)
{
  ck_assert_uint_eq(iwarp_sctp_ppid_host(STREAM_SEGMENT), STREAM_SEGMENT);
  ck_assert_uint_eq(iwarp_sctp_ppid_host(STREAM_SEGMENT << 24), STREAM_SEGMENT);
  ck_assert_uint_eq(iwarp_sctp_ppid_host(STREAM_CONTROL << 24), STREAM_CONTROL);
  ck_assert_uint_eq(iwarp_sctp_ppid_host(0x01020304), 0x01020304);
}
END_TEST

START_TEST(a_cut_message_must_tell_what_it_is)
{
  iwarp_sctp_captured m = {.ppid = STREAM_SEGMENT, .length = 20, .user_data = {NULL, 2}};
  ck_assert(iwarp_sctp_captured_enough(&m));
  m.user_data.len = 1;
  ck_assert(!iwarp_sctp_captured_enough(&m));
  m.length = 1;
  ck_assert(iwarp_sctp_captured_enough(&m)); /* it has no more */
  m = (iwarp_sctp_captured){.ppid = STREAM_CONTROL, .length = 20, .user_data = {NULL, 7}};
  ck_assert(!iwarp_sctp_captured_enough(&m));
  m.user_data.len = 8;
  ck_assert(iwarp_sctp_captured_enough(&m));
}
END_TEST

/* ---- sessions ---- */

START_TEST(a_session_from_its_initiate_to_both_terminates)
{
  stream_begin();
  iwarp_sctp_assoc_now(stream_w.assoc, 1, 11);
  iwarp_sctp_assoc_set_params(stream_w.assoc, 0,
                              &(iwarp_sctp_assoc_params){.tsn = 1000, .in_streams = 9});
  iwarp_sctp_assoc_set_params(stream_w.assoc, 1,
                              &(iwarp_sctp_assoc_params){.ack = true, .tsn = 1000});
  stream_shake();
  ck_assert_int_eq(stream_info()->side[0].role, IWARP_ROLE_INITIATOR);
  ck_assert_int_eq(stream_info()->side[1].role, IWARP_ROLE_RESPONDER);
  ck_assert_int_eq(stream_info()->side[1].key, IWARP_MPA_KEY_REPLY);
  ck_assert_uint_eq(stream_info()->sctp_stream, 7);
  ck_assert(stream_info()->sctp && !stream_info()->sctp_joined && !stream_info()->rejected);
  stream_segment(0, 1);
  ck_assert_uint_eq(stream_info()->side[0].num_fpdus, 1);
  ck_assert_uint_eq(stream_info()->side[0].full_pos, 1001);
  ck_assert_int_eq(stream_w.last.u.fpdu.sync, IWARP_SYNC_STARTUP);
  ck_assert_int_eq(stream_w.last.u.fpdu.crc, IWARP_CRC_GOOD);
  ck_assert(stream_w.last.u.fpdu.complete && stream_w.last.u.fpdu.seg.has_ddp);
  stream_segment(0, 2);
  ck_assert_uint_eq(stream_info()->side[0].full_pos, 1001);
  stream_control(0, 3, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_end(IWARP_END_FIN);
  ck_assert_uint_eq(stream_info()->side[0].end, IWARP_END_FIN);
  stream_want("i0 i1 m0.0/0 m1.0/0 s0.1 s0.2 m0.3/0 m1.1/0 e0.1 e1.1 ");
}
END_TEST

START_TEST(the_inits_go_to_the_first_session_and_only_those_that_came)
{
  stream_begin();
  iwarp_sctp_assoc_set_params(stream_w.assoc, 1, &(iwarp_sctp_assoc_params){.in_streams = 3});
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("i1 m0.0/0 ");
  stream_begin();
  iwarp_sctp_assoc_set_params(stream_w.assoc, 0, &(iwarp_sctp_assoc_params){.whole = true});
  iwarp_sctp_assoc_set_params(stream_w.assoc, 1, &(iwarp_sctp_assoc_params){.in_streams = 3});
  const iwarp_sctp_captured *m = stream_make_control(0, 0, IWARP_SCTP_INITIATE);
  iwarp_event ev;
  ck_assert_int_eq(iwarp_sctp_observer_push(stream_w.obs, 0, m), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_observer_next_event(stream_w.obs, &ev), IWARP_OK);
  ck_assert(ev.kind == IWARP_EVENT_SCTP_INIT && ev.sctp->u.init.params->whole &&
            ev.sctp->u.init.granted == 3);
  ck_assert_int_eq(iwarp_sctp_observer_next_event(stream_w.obs, &ev), IWARP_OK);
  ck_assert(ev.side == 1 && ev.sctp->u.init.granted == 0 &&
            ev.sctp->u.init.params->in_streams == 3);
}
END_TEST

/* Each INIT is reported once. It belongs to the stream that the association began with, and another
 * stream does not report it. */
START_TEST(an_init_that_comes_after_messages_is_reported)
{
  stream_begin();
  iwarp_sctp_assoc_set_params(stream_w.assoc, 0, &(iwarp_sctp_assoc_params){.in_streams = 3});
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  iwarp_sctp_assoc_now(stream_w.assoc, 9, 90);
  iwarp_sctp_assoc_set_params(stream_w.assoc, 1, &(iwarp_sctp_assoc_params){.ack = true});
  const iwarp_sctp_captured *m = stream_make_control(1, 0, IWARP_SCTP_ACCEPT);
  iwarp_event ev;
  ck_assert_int_eq(iwarp_sctp_observer_push(stream_w.obs, 1, m), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_observer_next_event(stream_w.obs, &ev), IWARP_OK);
  ck_assert(ev.kind == IWARP_EVENT_SCTP_INIT && ev.side == 1 && ev.sctp->u.init.granted == 3);
  ck_assert_uint_eq(ev.last.packet, 9);
  stream_drain();
  iwarp_sctp_assoc_set_params(stream_w.assoc, 0, &(iwarp_sctp_assoc_params){.whole = true});
  stream_end(IWARP_END_FIN);
  stream_want("i0 m0.0/0 m1.0/0 i0 e0.1 e1.1 ");
}
END_TEST

START_TEST(another_stream_reports_no_init)
{
  stream_begin();
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  const iwarp_sctp_observer_cfg cfg = {
      .size = sizeof cfg, .assoc = stream_w.assoc, .stream = 8, .window = 4};
  const size_t size = iwarp_sctp_observer_size(&cfg);
  void *mem = malloc(size);
  iwarp_sctp_observer *other;
  ck_assert_int_eq(iwarp_sctp_observer_init(&other, mem, size, &cfg), IWARP_OK);
  iwarp_sctp_assoc_set_params(stream_w.assoc, 1, &(iwarp_sctp_assoc_params){.ack = true});
  const iwarp_sctp_captured *m = stream_make_control(0, 0, IWARP_SCTP_INITIATE);
  iwarp_event ev;
  ck_assert_int_eq(iwarp_sctp_observer_push(other, 0, m), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_observer_next_event(other, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_SCTP_MESSAGE);
  ck_assert_int_eq(iwarp_sctp_observer_next_event(other, &ev), IWARP_ERR_END);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("m0.0/0 i1 m1.0/0 ");
  free(mem);
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
    stream_begin();
    stream_shake();
    const uint64_t before = stream_w.last.last.packet;
    iwarp_sctp_assoc_now(stream_w.assoc, rows[i].now, 77);
    stream_end(rows[i].how);
    ck_assert_int_eq(stream_w.last.kind, IWARP_EVENT_END);
    ck_assert_uint_eq(before, 2);
    ck_assert_uint_eq(stream_w.last.first.packet, rows[i].packet);
    ck_assert_uint_eq(stream_w.last.last.packet, rows[i].packet);
  }
}
END_TEST

START_TEST(a_session_after_another_begins_with_its_initiate)
{
  stream_begin();
  stream_shake();
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_want("m0.0/0 m1.0/0 m0.1/0 m1.1/0 ");
  stream_control(1, 0, IWARP_SCTP_ENHANCED_INITIATE);
  ck_assert(stream_info()->side[1].enhanced && stream_info()->side[1].rev == 2);
  ck_assert_uint_eq(stream_info()->side[1].enh.ird, 4);
  stream_control(0, 0, IWARP_SCTP_ENHANCED_REJECT);
  ck_assert(stream_info()->rejected);
  stream_end(IWARP_END_RST);
  stream_want("e0.1 e1.1 m1.0/0 m0.0/0 e0.2 e1.2 ");
}
END_TEST

START_TEST(a_session_that_is_dropped_goes_on_in_its_midst)
{
  stream_begin();
  stream_shake();
  iwarp_sctp_observer_drop(stream_w.obs);
  stream_segment(0, 1);
  ck_assert(stream_info()->sctp_joined);
  ck_assert_uint_eq(stream_info()->side[0].full_pos, IWARP_POS_UNKNOWN);
  stream_end(IWARP_END_FIN);
  stream_want("m0.0/0 m1.0/0 s0.1 e0.1 e1.1 ");
  stream_begin();
  stream_shake();
  iwarp_sctp_observer_drop(stream_w.obs);
  stream_end(IWARP_END_FIN);
  stream_want("m0.0/0 m1.0/0 ");
}
END_TEST

/* ---- what is in a message ---- */

START_TEST(a_segment_is_as_long_as_its_message_says)
{
  stream_begin();
  stream_shake();
  iwarp_sctp_captured *m = stream_make_segment(0, 1);
  m->length = 100000;
  m->damaged = true;
  stream_push(0, m);
  ck_assert(!stream_w.last.u.fpdu.complete);
  ck_assert_int_eq(stream_w.last.u.fpdu.crc, IWARP_CRC_UNCHECKED);
  ck_assert_uint_eq(stream_w.last.u.fpdu.fpdu.ulpdu_length, UINT16_MAX);
  stream_push(0, stream_make(0, STREAM_SEGMENT, 2, "", 0)); /* only the DDP-SSN */
  ck_assert_int_eq(stream_w.last.u.fpdu.seg.err, IWARP_ERR_DDP_SHORT);
  stream_push(0, stream_make(0, STREAM_SEGMENT << 24, 3, "abc", 3));
  ck_assert_uint_eq(stream_w.facts.u.message.captured->ppid, STREAM_SEGMENT << 24);
  stream_want("m0.0/0 m1.0/0 s0.1 s0.2 s0.3 ");
}
END_TEST

START_TEST(what_is_no_message_of_a_session_is_reported_all_the_same)
{
  stream_begin();
  stream_shake();
  stream_push(0, stream_make(0, 99, 1, "abc", 3)); /* another protocol */
  ck_assert(!stream_w.facts.u.message.has_ssn);
  iwarp_sctp_captured *m = stream_make(0, STREAM_SEGMENT, 1, "", 0);
  m->length = 1;
  m->user_data.len = 1;
  stream_push(0, m);
  ck_assert(!stream_w.facts.u.message.has_ssn);
  m = stream_make(0, STREAM_CONTROL, 1, "", 0);
  stream_push(0, m); /* no Function Code */
  ck_assert(!stream_w.facts.u.message.has_control);
  stream_control(0, 1, 77);
  ck_assert(stream_w.facts.u.message.has_control && stream_w.facts.u.message.has_ssn);
  stream_control(0, 2, IWARP_SCTP_ENHANCED_ACCEPT);
  stream_segment(0, 3);
  stream_segment(0, 3);
  stream_end(IWARP_END_CAPTURE);
  stream_want("m0.0/0 m1.0/0 m0.0/2 m0.0/3 m0.0/3 m0.1/4 m0.2/4 s0.3 m0.3/6 e0.3 e1.3 ");
}
END_TEST

/* ---- what is missing ---- */

START_TEST(what_is_lost_is_waited_for_with_patience)
{
  stream_begin_as((iwarp_sctp_observer_cfg){.patience = 3}, true);
  stream_shake();
  stream_lose(0, IWARP_GAP_SNAPLEN);
  stream_segment(0, 2);
  stream_segment(0, 3);
  stream_want("m0.0/0 m1.0/0 ");
  stream_segment(0, 4);
  ck_assert_uint_eq(stream_info()->side[0].num_fpdus, 3);
  ck_assert_int_eq(stream_w.last.u.fpdu.sync, IWARP_SYNC_CRC);
  stream_want("g0.1+1 s0.2 s0.3 s0.4 ");
  ck_assert(stream_info()->side[0].gap);
  stream_segment(0, 5);
  stream_segment(0, 7); /* nothing is known to be lost since then: it may come late */
  stream_segment(0, 8);
  stream_segment(0, 9);
  stream_segment(0, 10);
  stream_want("s0.5 ");
  stream_segment(0, 6);
  stream_want("s0.6 s0.7 s0.8 s0.9 s0.10 ");
}
END_TEST

START_TEST(what_waits_comes_out_when_the_caller_wants_it)
{
  stream_begin();
  stream_shake();
  stream_segment(1, 3);
  stream_want("m0.0/0 m1.0/0 ");
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  stream_want("g1.1+2 s1.3 ");
  stream_segment(0, 2);
  stream_end(IWARP_END_FIN); /* what is missing then cannot come any more */
  stream_want("g0.1+1! s0.2 e0.1 e1.1 ");
  stream_begin();
  stream_shake();
  stream_segment(0, 2);
  stream_end(IWARP_END_CAPTURE);
  stream_want("m0.0/0 m1.0/0 g0.1+1 s0.2 e0.3 e1.3 ");
}
END_TEST

START_TEST(a_window_that_is_full_is_a_limit_unless_something_is_lost)
{
  stream_begin_as((iwarp_sctp_observer_cfg){.window = 4}, true);
  stream_shake();
  stream_segment(0, 3);
  stream_segment(0, 7);
  ck_assert_uint_eq(stream_info()->limits, 0);
  stream_segment(0, 8);
  ck_assert_uint_eq(stream_info()->limits, IWARP_LIMIT_WINDOW);
  stream_want("m0.0/0 m1.0/0 g0.1+2 s0.3 ");
  stream_begin_as((iwarp_sctp_observer_cfg){.window = 4}, true);
  stream_shake();
  stream_lose(0, IWARP_GAP_LOST);
  stream_segment(0, 3);
  stream_segment(0, 7);
  ck_assert_uint_eq(stream_info()->limits, 0);
}
END_TEST

START_TEST(more_is_missing_than_can_wait)
{
  stream_begin();
  stream_shake();
  stream_segment(1, 2); /* waits */
  stream_segment(0, 300);
  stream_want("m0.0/0 m1.0/0 ");
  stream_segment(0, 301);
  stream_want("g1.1+1 s1.2 g0.1+299 s0.300 s0.301 ");
  stream_segment(1, 5); /* the engine began again: two are missing before this one */
  stream_want("g1.3+2 s1.5 ");
  stream_end(IWARP_END_FIN);
}
END_TEST

/* The engine begins again twice before the other side sends on. */
START_TEST(what_is_due_of_the_other_side_stays_known)
{
  stream_begin();
  stream_shake();
  stream_segment(1, 1);
  stream_segment(0, 300);
  stream_segment(0, 600);
  stream_want("m0.0/0 m1.0/0 s1.1 g0.1+299 s0.300 g0.301+299 s0.600 ");
  stream_segment(1, 2);
  stream_want("s1.2 ");
}
END_TEST

START_TEST(a_stream_joined_late_goes_on_where_it_is)
{
  stream_begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
  stream_segment(0, 40);
  ck_assert(stream_info()->sctp_joined);
  ck_assert_int_eq(stream_w.last.u.fpdu.sync, IWARP_SYNC_CRC);
  stream_segment(0, 41);
  stream_control(0, 0, IWARP_SCTP_INITIATE); /* the end of the session before is missing */
  ck_assert(!stream_info()->sctp_joined);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_end(IWARP_END_FIN);
  stream_want("s0.40 s0.41 e0.3 e1.3 m0.0/0 m1.0/0 e0.1 e1.1 ");
  stream_begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
  stream_control(0, 0, IWARP_SCTP_INITIATE); /* no session was under way */
  ck_assert(!stream_info()->sctp_joined);
  stream_want("m0.0/0 ");
}
END_TEST

/* Its place is not certain, but who answers is the Responder. */
START_TEST(an_answer_without_its_initiate_says_which_side_is_which)
{
  static const uint16_t answers[] = {IWARP_SCTP_ACCEPT, IWARP_SCTP_REJECT,
                                     IWARP_SCTP_ENHANCED_ACCEPT, IWARP_SCTP_ENHANCED_REJECT};
  for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
    stream_begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
    stream_control(1, 0, answers[i]);
    ck_assert_int_eq(stream_info()->side[1].role, IWARP_ROLE_RESPONDER);
    ck_assert_int_eq(stream_info()->side[0].role, IWARP_ROLE_INITIATOR);
    ck_assert(!stream_info()->side[1].has_startup);
    ck_assert(stream_info()->rejected == (i % 2 == 1));
    stream_control(0, 0, answers[i]); /* the first one counts */
    ck_assert_int_eq(stream_info()->side[1].role, IWARP_ROLE_RESPONDER);
  }
  stream_begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
  stream_control(1, 1, IWARP_SCTP_ACCEPT); /* not the first message of its side */
  stream_segment(0, 1);
  ck_assert_int_eq(stream_info()->side[1].role, IWARP_ROLE_UNKNOWN);
  stream_begin(); /* nothing is missing: it answers no Initiate */
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  ck_assert_int_eq(stream_info()->side[1].role, IWARP_ROLE_UNKNOWN);
}
END_TEST

START_TEST(acknowledgments_prove_where_a_session_begins)
{
  stream_begin();
  stream_shake();
  stream_lose(0, IWARP_GAP_LOST);
  stream_control(0, 2, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  stream_want("m0.0/0 m1.0/0 m1.1/0 g0.1+1 m0.2/0 ");
  stream_control(1, 0, IWARP_SCTP_INITIATE);
  stream_control(0, 0, IWARP_SCTP_ACCEPT);
  stream_segment(1, 1);
  stream_lose(1, IWARP_GAP_LOST);
  stream_segment(1, 2);
  stream_want("e0.1 e1.1 m1.0/0 m0.0/0 s1.1 s1.2 ");
}
END_TEST

/* ---- any order, any loss ---- */

/* The next DDP-SSN of each side, as far as its sender knows it. */
static uint16_t ssn[2];

static iwarp_sctp_captured *random_control(prng *p, uint8_t side, uint16_t number) {
  const uint16_t function = (uint16_t)(1 + prng_below(p, 8));
  iwarp_sctp_captured *m = stream_make_control(side, number, function);
  if (prng_below(p, 8) == 0) { /* an enhanced one too short for its data */
    m->length = 4;
    m->user_data.len = 4;
  }
  return m;
}

static iwarp_sctp_captured *random_message(prng *p, uint8_t side, uint32_t what) {
  if (what < 40) {
    return stream_make_segment(side, ssn[side]++);
  }
  if (what < 50) {
    return random_control(p, side, ssn[side]++);
  }
  if (what < 52) {
    ssn[side] = 1;
    return stream_make_control(side, 0,
                               what == 50 ? IWARP_SCTP_INITIATE : IWARP_SCTP_ENHANCED_INITIATE);
  }
  switch (what) {
  case 52: return stream_make_segment(side, (uint16_t)(ssn[side] - 1));
  case 53: return stream_make(side, 99, 0, "x", 1);
  case 54: return stream_make(side, STREAM_CONTROL, ssn[side], "", 0);
  case 55: break;
  default: return stream_make_segment(side, (uint16_t)(ssn[side] + 1 + prng_below(p, 20)));
  }
  iwarp_sctp_captured *m = stream_make(side, STREAM_SEGMENT, 0, "", 0);
  m->length = 1;
  m->user_data.len = 1;
  return m;
}

static void random_loss(prng *p, uint8_t side) {
  ssn[side]++;
  if (prng_below(p, 4) == 0) {
    ssn[side] = (uint16_t)(ssn[side] + prng_below(p, 300)); /* without an event of the loss */
  } else if (prng_below(p, 4) == 0) {
    iwarp_sctp_assoc_lost(stream_w.assoc, side, IWARP_GAP_LOST);
  } else {
    stream_lose(side, prng_below(p, 2) == 0 ? IWARP_GAP_LOST : IWARP_GAP_SNAPLEN);
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
  stream_push(side, m);
  if (prng_below(p, 60) == 0) {
    iwarp_sctp_observer_drop(stream_w.obs);
  }
}

static void random_run(prng *p) {
  stream_begin_as((iwarp_sctp_observer_cfg){.joined = prng_below(p, 2) != 0,
                                            .window = (uint16_t)(prng_below(p, 2) * 8),
                                            .patience = (uint16_t)(prng_below(p, 2) * 4)},
                  true);
  iwarp_sctp_assoc_set_start(stream_w.assoc, 0, prng_below(p, 8) != 0);
  iwarp_sctp_assoc_set_start(stream_w.assoc, 1, prng_below(p, 8) != 0);
  ssn[0] = ssn[1] = 0;
  if (prng_below(p, 4) != 0) {
    stream_shake();
    ssn[0] = ssn[1] = 1;
  }
  for (uint64_t left = 40 + prng_below(p, 200); left > 0; left--) {
    random_input(p);
    if (prng_below(p, 100) == 0 && iwarp_sctp_observer_skip(stream_w.obs) == IWARP_OK) {
      stream_drain();
    }
  }
  stream_end((iwarp_end)(1 + prng_below(p, 3)));
  expect(stream_w.obs->held[0] == 0 && stream_w.obs->held[1] == 0, "none waits any more");
}

/* ---- after a session ---- */

/* ---- what seems to be missing, though nothing was lost ---- */

/* A session whose DDP-SSN 1 side 0 never used, and the Initiate of the next one. */
static void begin_again_after_a_gap(void) {
  stream_begin();
  stream_shake();
  stream_control(0, 2, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.0/0 m1.0/0 m1.1/0 ");
}

/* The same of side 1, which has to answer it. */
static void begin_again_after_a_gap_of_the_other(void) {
  stream_begin();
  stream_shake();
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 2, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.0/0 m1.0/0 m0.1/0 ");
}

START_TEST(an_answered_initiate_shows_that_nothing_more_comes_of_the_session_before)
{
  begin_again_after_a_gap();
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("g0.1+1 m0.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_end(IWARP_END_FIN);
  stream_want("m0.1/0 m1.1/0 e0.1 e1.1 ");
  begin_again_after_a_gap_of_the_other();
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("g1.1+1 m1.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
  stream_end(IWARP_END_FIN);
}
END_TEST

/* A message of side 1, whose sender had not received the last one of side 0. */
static void unknowing(iwarp_sctp_captured *m) {
  m->evidence.received--;
  stream_push(1, m);
}

START_TEST(what_was_missing_may_come_after_the_initiate_of_the_next_session)
{
  begin_again_after_a_gap_of_the_other();
  unknowing(stream_make_segment(1, 1));
  stream_want("s1.1 m1.2/0 e0.1 e1.1 m0.0/0 ");
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("m1.0/0 ");
  stream_begin(); /* so may an answer */
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_segment(1, 1);
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.0/0 m0.1/0 ");
  unknowing(stream_make_segment(1, 129)); /* too far ahead */
  stream_want("");
  unknowing(stream_make_control(1, 0, IWARP_SCTP_ACCEPT));
  stream_want("m1.0/0 s1.1 e0.1 e1.1 m0.0/0 ");
  ck_assert_ptr_nonnull(stream_w.obs->beyond_window[1]); /* in the session that begins */
  stream_begin();                                        /* but not after what ends the session */
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_segment(1, 1);
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 2, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  unknowing(stream_make_control(1, 0, IWARP_SCTP_ACCEPT));
  stream_want("m0.0/0 m0.1/0 g1.0+1 m1.1/1 m1.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(what_its_sender_sent_after_the_initiate_waits_with_it)
{
  begin_again_after_a_gap_of_the_other();
  stream_segment(1, 1);
  stream_want("");
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("g1.1+1 m1.2/0 e0.1= e1.1= m0.0/0 m1.0/0 s1.1 ");
  begin_again_after_a_gap_of_the_other(); /* and messages after the end of the session */
  unknowing(stream_make_segment(1, 2));
  stream_want("");
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("g1.1+1 m1.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
  begin_again_after_a_gap(); /* and after an end that came out */
  unknowing(stream_make_segment(1, 2));
  stream_want("");
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("g0.1+1 m0.2/0 e0.1= e1.1= m0.0/0 m1.0/0 ");
  stream_begin(); /* or where there is no session */
  stream_control(0, 7, IWARP_SCTP_INITIATE);
  stream_control(1, 0, IWARP_SCTP_TERMINATE);
  stream_control(1, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.7/6 m1.0/7 ");
  iwarp_sctp_captured *m = stream_make_control(0, 0, IWARP_SCTP_ACCEPT);
  m->evidence.received--;
  stream_push(0, m);
  stream_want("e0.1= e1.1= m1.0/0 m0.0/0 ");
}
END_TEST

START_TEST(an_initiate_that_nothing_answers_says_nothing_of_the_other_side)
{
  begin_again_after_a_gap();
  stream_end(IWARP_END_FIN);
  stream_want("g0.1+1! m0.2/0 e0.1+ e1.1 m0.0/0 e0.1 e1.1 ");
  begin_again_after_a_gap();
  stream_control(1, 0, IWARP_SCTP_INITIATE); /* no answer */
  stream_want("g0.1+1 m0.2/0 e0.1+ e1.1 m0.0/0 m1.0/1 ");
  begin_again_after_a_gap();
  for (uint16_t n = 1; n < SCTP_OBSERVER_DEFERRED; n++) {
    stream_segment(0, n);
  }
  stream_want("");
  stream_segment(0, SCTP_OBSERVER_DEFERRED); /* no more may wait */
  stream_want("g0.1+1 m0.2/0 e0.1+ e1.1 m0.0/0 s0.1 s0.2 s0.3 s0.4 s0.5 s0.6 s0.7 s0.8 ");
  for (uint8_t side = 0; side < 2; side++) {
    begin_again_after_a_gap();
    stream_lose(side, IWARP_GAP_LOST);
    stream_control(1, 0, IWARP_SCTP_ACCEPT);
    stream_want("g0.1+1 m0.2/0 e0.1+ e1.1 m0.0/0 m1.0/0 ");
  }
  begin_again_after_a_gap();
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  stream_want("g0.1+1 m0.2/0 e0.1 e1.1 m0.0/0 ");
}
END_TEST

START_TEST(what_an_initiate_does_not_acknowledge_may_be_of_its_session)
{
  stream_begin();
  stream_shake();
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 2, IWARP_SCTP_TERMINATE);
  iwarp_sctp_captured *m = stream_make_control(0, 0, IWARP_SCTP_INITIATE);
  m->evidence.received--;
  stream_push(0, m);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("m0.0/0 m1.0/0 m0.1/0 g1.1+1 m1.2/0 e0.1= e1.1+ m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(a_message_without_a_number_fills_nothing)
{
  begin_again_after_a_gap();
  stream_push(1, stream_make(1, 99, 0, "", 0));
  stream_want("m1.0/2 ");
  iwarp_sctp_captured *m = stream_make(1, STREAM_SEGMENT, 0, "", 0);
  m->length = 1;
  m->user_data.len = 1;
  stream_push(1, m);
  stream_want("m1.0/3 ");
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("g0.1+1 m0.2/0 e0.1= e1.1+ m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(an_initiate_waits_where_a_number_came_again)
{
  stream_begin();
  stream_shake();
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.0/0 m1.0/0 m1.1/0 m0.0/6 ");
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("e0.1= e1.1= m0.0/0 m1.0/0 ");
  stream_begin(); /* nothing ends the session that the two are of */
  stream_shake();
  stream_control(0, 0, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("m0.0/0 m1.0/0 m0.0/6 e0.3= e1.3= m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(what_comes_after_an_end_may_be_of_the_next_session)
{
  stream_begin();
  stream_shake();
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_segment(1, 1);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("m0.0/0 m1.0/0 m0.1/0 m1.1/0 m1.1/6 e0.1= e1.1= m0.0/0 m1.0/0 ");
  stream_segment(1, 2);
  stream_end(IWARP_END_FIN);
  stream_want("g1.1+1! s1.2 e0.1 e1.1 ");
}
END_TEST

/* ---- what is ahead of the window, though nothing was lost ---- */

static void begin_narrow(void) {
  stream_begin_as((iwarp_sctp_observer_cfg){.window = 4}, true);
  stream_shake();
  stream_want("m0.0/0 m1.0/0 ");
}

START_TEST(a_message_ahead_of_the_window_waits_for_its_turn)
{
  begin_narrow();
  stream_segment(0, 6);
  for (uint16_t n = 1; n < 6; n++) {
    stream_segment(0, n);
  }
  stream_want("s0.1 s0.2 s0.3 s0.4 s0.5 s0.6 ");
  begin_narrow(); /* which may not come */
  stream_segment(0, 9);
  stream_segment(0, 1);
  stream_end(IWARP_END_FIN);
  stream_want("s0.1 m0.9/6 e0.1 e1.1 ");
  begin_narrow();
  stream_control(1, 9, IWARP_SCTP_TERMINATE);
  stream_segment(1, 1);
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  stream_want("s1.1 m1.9/6 ");
}
END_TEST

START_TEST(two_messages_ahead_of_the_window_show_that_some_are_missing)
{
  begin_narrow();
  stream_segment(0, 7);
  stream_segment(0, 9);
  stream_want("g0.1+6 s0.7 ");
  begin_narrow(); /* in whatever order they come */
  stream_segment(0, 9);
  stream_segment(0, 7);
  stream_want("g0.1+6 s0.7 ");
  stream_segment(0, 8);
  stream_want("s0.8 s0.9 ");
  begin_narrow();
  stream_segment(1, 9);
  stream_segment(0, 7);
  stream_segment(0, 9);
  stream_want("m1.9/6 g0.1+6 s0.7 ");
}
END_TEST

START_TEST(a_message_ahead_of_the_window_does_not_wait_for_what_is_lost)
{
  begin_narrow();
  stream_lose(0, IWARP_GAP_LOST);
  stream_segment(0, 9);
  stream_want("g0.1+8 s0.9 ");
}
END_TEST

START_TEST(a_message_ahead_of_the_window_is_of_the_session_before_an_initiate)
{
  begin_narrow();
  stream_segment(0, 9);
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_lose(0, IWARP_GAP_LOST);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.1/0 m1.1/0 m0.9/6 e0.1 e1.1 m0.0/0 ");
}
END_TEST

START_TEST(an_initiate_with_another_number_begins_nothing_after_a_session)
{
  stream_begin();
  stream_shake();
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_control(0, 5, IWARP_SCTP_INITIATE);
  stream_want("m0.0/0 m1.0/0 m0.1/0 m1.1/0 m0.5/6 ");
}
END_TEST

/* ---- what may be of another session, whose beginning is missing ---- */

/* Side 0 sends a segment: all that it had received was reported, as far as its packet shows. */
static bool is_all_reported(uint16_t number) {
  stream_segment(0, number);
  ck_assert_int_eq(stream_w.last.side, 0);
  return stream_w.last.first.peer_pos != IWARP_POS_UNKNOWN;
}

/* Side 0 may have received what waits of side 1, for an earlier message. */
START_TEST(what_waits_may_have_been_received)
{
  stream_begin();
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  ck_assert(is_all_reported(1));
  stream_segment(1, 2);
  ck_assert(!is_all_reported(2));
  stream_segment(1, 3);
  ck_assert(!is_all_reported(3));
  stream_segment(1, 1);
  ck_assert(is_all_reported(4));
  stream_segment(0, 6); /* its own are no matter */
  ck_assert(is_all_reported(5));
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

/* Only the Initiate of the next session waits, since an answer had no place. */
START_TEST(an_initiate_that_waits_comes_out_when_the_caller_wants_it)
{
  stream_begin();
  stream_shake();
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("m0.0/0 m1.0/0 m0.1/0 m1.1/0 m1.0/6 ");
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("");
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  stream_want("e0.1 e1.1 m0.0/0 ");
  stream_end(IWARP_END_FIN);
}
END_TEST

/* ---- losses ---- */

START_TEST(a_side_is_lossless_when_all_of_it_since_the_session_began_was_captured)
{
  for (uint8_t side = 0; side < 2; side++) {
    stream_begin();
    stream_shake();
    ck_assert(iwarpi_sctp_observer_lossless(stream_w.obs, side));
    stream_lose(side, IWARP_GAP_LOST);
    ck_assert(!iwarpi_sctp_observer_lossless(stream_w.obs, side));
    ck_assert(iwarpi_sctp_observer_lossless(stream_w.obs, 1 - side));
    stream_begin();
    stream_lose(side, IWARP_GAP_LOST); /* before the session */
    stream_shake();
    ck_assert(iwarpi_sctp_observer_lossless(stream_w.obs, side));
    stream_w.obs->joined = true;
    ck_assert(!iwarpi_sctp_observer_lossless(stream_w.obs, side));
    stream_begin();
    iwarp_sctp_assoc_set_start(stream_w.assoc, side, false);
    ck_assert(!iwarpi_sctp_observer_lossless(stream_w.obs, side));
    ck_assert(iwarpi_sctp_observer_lossless(stream_w.obs, 1 - side));
  }
}
END_TEST

/* ---- where a Terminate stands ---- */

static iwarp_sctp_captured *make_terminate(uint8_t side, uint16_t number) {
  static const uint8_t terminate[22] = {0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0,
                                        0,    0,    1, 0, 0, 0, 0, 2, 6, 0, 0};
  return stream_make(side, STREAM_SEGMENT, number, terminate, sizeof terminate);
}

static iwarp_rdmap_term_place place_of(const iwarp_sctp_captured *terminate, uint8_t side) {
  stream_push(side, terminate);
  ck_assert_int_eq(stream_w.last.kind, IWARP_EVENT_SCTP_SEGMENT);
  ck_assert_int_eq(stream_w.last.u.fpdu.seg.kind, IWARP_RDMAP_KIND_TERM);
  return stream_w.last.u.fpdu.term_place;
}

START_TEST(the_place_of_a_terminate)
{
  stream_begin();
  stream_shake();
  ck_assert_int_eq(place_of(make_terminate(0, 1), 0), IWARP_RDMAP_TERM_PLACE_STARTUP);
  stream_begin();
  stream_shake();
  stream_segment(0, 1);
  stream_segment(0, 2);
  ck_assert_int_eq(place_of(make_terminate(1, 1), 1), IWARP_RDMAP_TERM_PLACE_FULL);
}
END_TEST

START_TEST(the_place_of_a_terminate_where_the_other_side_may_have_sent_more)
{
  stream_begin();
  stream_shake();
  stream_lose(1, IWARP_GAP_LOST); /* octets of the other side are missing */
  ck_assert_int_eq(place_of(make_terminate(0, 1), 0), IWARP_RDMAP_TERM_PLACE_UNKNOWN);
  stream_begin();
  stream_shake();
  iwarp_sctp_captured *reordered = make_terminate(0, 1);
  reordered->evidence.peer_data_reordered = true;
  ck_assert_int_eq(place_of(reordered, 0), IWARP_RDMAP_TERM_PLACE_UNKNOWN);
  stream_begin();
  stream_control(0, 0, IWARP_SCTP_INITIATE); /* no answer */
  ck_assert_int_eq(place_of(make_terminate(0, 1), 0), IWARP_RDMAP_TERM_PLACE_UNKNOWN);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      what_is_no_configuration_has_no_size,
      an_association_begins_without_losses_and_inits,
      input_waits_until_all_events_are_out,
      an_identifier_in_the_other_byte_order_is_recognized,
      a_cut_message_must_tell_what_it_is,
      a_session_from_its_initiate_to_both_terminates,
      the_inits_go_to_the_first_session_and_only_those_that_came,
      an_init_that_comes_after_messages_is_reported,
      another_stream_reports_no_init,
      an_end_names_its_packet,
      a_session_after_another_begins_with_its_initiate,
      a_session_that_is_dropped_goes_on_in_its_midst,
      a_segment_is_as_long_as_its_message_says,
      what_is_no_message_of_a_session_is_reported_all_the_same,
      what_is_lost_is_waited_for_with_patience,
      what_waits_comes_out_when_the_caller_wants_it,
      a_window_that_is_full_is_a_limit_unless_something_is_lost,
      more_is_missing_than_can_wait,
      what_is_due_of_the_other_side_stays_known,
      a_stream_joined_late_goes_on_where_it_is,
      an_answer_without_its_initiate_says_which_side_is_which,
      acknowledgments_prove_where_a_session_begins,
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
      what_waits_may_have_been_received,
      each_message_comes_back_once_whatever_comes,
      an_initiate_that_waits_comes_out_when_the_caller_wants_it,
      a_side_is_lossless_when_all_of_it_since_the_session_began_was_captured,
      the_place_of_a_terminate,
      the_place_of_a_terminate_where_the_other_side_may_have_sent_more,
      NULL};
  return check_run(check_suite("stream-sctp-observer", tests));
}
