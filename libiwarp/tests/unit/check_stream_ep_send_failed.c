/* SPDX-License-Identifier: BSD-2-Clause */
/* A send that failed: what the peer sent before is still read, its Terminate first of all. */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"

#define SINK 3u   /* STag of a local region, see wire_new */
#define THEIRS 9u /* STag of a region of the peer */

static const iwarp_tx_payload none = {0};
static const iwarp_span nothing = {0};

static iwarp_endpoint_state state_of(const ep_host *h) {
  return iwarp_endpoint_info_get(h->ep)->state;
}

static void fail_send(ep_host *h) {
  ok(iwarp_endpoint_send_failed(h->ep));
  ep_host_run(h);
}

/* Nothing is handed out any more. */
static void expect_silence(ep_host *h) {
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  ck_assert_int_eq(iwarp_endpoint_next_output(h->ep, spans, IWARP_TX_SPANS_MIN, &out),
                   IWARP_ERR_END);
}

static void expect_closed(ep_host *h, iwarp_endpoint_cause cause, bool disconnect) {
  const iwarp_endpoint_event *last = &h->log[h->num_log - 1];
  ck_assert_int_eq(last->kind, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert_str_eq(iwarp_endpoint_cause_name(last->u.closed.cause),
                   iwarp_endpoint_cause_name(cause));
  ck_assert(last->u.closed.disconnect == disconnect);
  expect_silence(h);
}

static const iwarp_endpoint_done *done_of(const ep_host *h, uint64_t token) {
  for (size_t i = 0; i < h->num_log; i++) {
    if (h->log[i].kind == IWARP_ENDPOINT_EVENT_DONE && h->log[i].u.done.token == token) {
      return &h->log[i].u.done;
    }
  }
  ck_abort_msg("operation %u is not done", (unsigned)token);
}

static void read_of_peer(ep_host *h, uint64_t token) {
  const iwarp_rdmap_read_req req = {
      .sink_stag = SINK, .sink_to = 0x1000, .size = 8, .source_stag = THEIRS};
  ok(iwarp_endpoint_read(h->ep, token, &req));
}

/* An Initiator with a Read that was sent, and a Write that failed to go out. */
static wire failed(void) {
  static const uint8_t text[8] = "written";
  const iwarp_span part = {text, sizeof text};
  uint8_t octets[256];
  wire w = wire_new(false, true, false);
  read_of_peer(w.h, 1);
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  ok(iwarp_endpoint_write(w.h->ep, 2, THEIRS, 0, (iwarp_tx_payload){&part, 1}));
  fail_send(w.h);
  ck_assert_int_eq(state_of(w.h), IWARP_ENDPOINT_SEND_FAILED);
  ck_assert_uint_eq(w.h->num_log, 0);
  expect_silence(w.h);
  return w;
}

/* The peer's Terminate for the Read Request, MSN 1 on queue 1. */
static void push_terminate(wire *w) {
  seg s = {.opcode = IWARP_RDMAP_OP_TERMINATE, .qn = 2, .len = 24};
  const iwarp_ddp_hdr hdr = {.last = true, .dv = 1, .rsvdulp = 0x41, .qn = 1, .msn = 1};
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  size_t len;
  ok(iwarp_ddp_hdr_encode(header, sizeof header, &len, &hdr));
  const iwarp_rdmap_term term = {.etype = 1,
                                 .m = true,
                                 .d = true,
                                 .has_ddp_segment_length = true,
                                 .ddp_segment_length = 46,
                                 .ddp_header = {header, len}};
  ok(iwarp_rdmap_term_encode(s.inner, sizeof s.inner, &s.len, &term));
  wire_seg(w, &s);
}

/* ---- Full Operation ---- */

START_TEST(a_terminate_that_lay_unread_is_reported)
{
  wire w = failed();
  push_terminate(&w);
  ck_assert(w.h->terminated && w.h->term.readable);
  ck_assert_uint_eq(w.h->term.term.etype, 1);
  ck_assert_int_eq(done_of(w.h, 1)->err, IWARP_ERR_REFUSED);
  ck_assert_int_eq(done_of(w.h, 2)->err, IWARP_ERR_FLUSHED);
  ck_assert_int_eq(done_of(w.h, 2)->cause, IWARP_ENDPOINT_CAUSE_TERMINATE);
  expect_closed(w.h, IWARP_ENDPOINT_CAUSE_TERMINATE, true);
  ok(iwarp_endpoint_lost(w.h->ep)); /* changes nothing */
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  wire_free(&w);
}
END_TEST

/* How the transport reports the end, and whether there is something left to be ended. */
START_TEST(without_one_the_connection_is_lost)
{
  wire w = failed();
  if (_i == 2) { /* a part of an FPDU */
    ep_host_push(w.h, (const uint8_t *)"\0\x12", 2, 2);
  }
  ok(_i == 0 ? iwarp_endpoint_lost(w.h->ep) : iwarp_endpoint_eof(w.h->ep));
  ep_host_run(w.h);
  ck_assert_int_eq(done_of(w.h, 1)->cause, IWARP_ENDPOINT_CAUSE_LOST);
  ck_assert_int_eq(done_of(w.h, 2)->cause, IWARP_ENDPOINT_CAUSE_LOST);
  ck_assert_int_eq(w.h->log[w.h->num_log - 1].u.closed.err, IWARP_ERR_LOST);
  expect_closed(w.h, IWARP_ENDPOINT_CAUSE_LOST, _i != 0);
  wire_free(&w);
}
END_TEST

/* Messages of the peer are delivered, and its Requests do not wait. */
START_TEST(messages_of_the_peer_are_taken)
{
  wire w = failed();
  const seg send = {.opcode = IWARP_RDMAP_OP_SEND, .len = 5, .inner = "after"};
  const seg read = read_seg(
      (iwarp_rdmap_read_req){.sink_stag = 8, .size = 8, .source_stag = 1, .source_to = 0x1000});
  wire_seg(&w, &send);
  wire_seg(&w, &read);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV), 1);
  ck_assert_mem_eq(w.h->mem + 1024, "after", 5);
  ck_assert_int_eq(state_of(w.h), IWARP_ENDPOINT_SEND_FAILED);
  expect_silence(w.h);
  ok(iwarp_endpoint_recv(w.h->ep, 12, w.h->mem + 1056, 16));
  push_terminate(&w);
  expect_closed(w.h, IWARP_ENDPOINT_CAUSE_TERMINATE, true);
  wire_free(&w);
}
END_TEST

/* A fault is reported; its Terminate cannot be sent. */
START_TEST(a_fault_of_the_peer_is_found)
{
  wire w = failed();
  const seg s = {.opcode = IWARP_RDMAP_OP_SEND, .msn = 7};
  wire_seg(&w, &s);
  ck_assert(w.h->fault && !w.h->fault_sent);
  ck_assert_uint_eq(w.h->word, IWARP_TERM_UNTAGGED_NO_BUFFER);
  expect_closed(w.h, IWARP_ENDPOINT_CAUSE_FAULT, true);
  wire_free(&w);
}
END_TEST

/* The fault of a Request that waited is reported before the end that follows from it. */
START_TEST(a_fault_of_a_request_that_waited_is_found)
{
  wire w = wire_new(false, true, false);
  const seg first = atomic_seg((iwarp_rdmap_atomic_req){.stag = 1, .to = 0x1007});
  seg second = first;
  second.msn = 2;
  w.h->hold_atomics = true;
  wire_seg(&w, &first);
  wire_seg(&w, &second);
  fail_send(w.h);
  ok(iwarp_endpoint_invalidate(w.h->ep, 1));
  ok(iwarp_endpoint_atomic_answer(w.h->ep, 5));
  ep_host_run(w.h);
  ck_assert(w.h->fault && !w.h->fault_sent);
  ck_assert_uint_eq(w.h->word, IWARP_TERM_PROTECTION_STAG);
  expect_closed(w.h, IWARP_ENDPOINT_CAUSE_FAULT, true);
  wire_free(&w);
}
END_TEST

/* Operations are still taken, and complete with the end. */
START_TEST(operations_that_follow_are_flushed)
{
  wire w = failed();
  ok(iwarp_endpoint_send(w.h->ep, 3, IWARP_RDMAP_OP_SEND, 0, none));
  read_of_peer(w.h, 4);
  ck_assert_int_eq(iwarp_endpoint_send(w.h->ep, 5, IWARP_RDMAP_OP_SEND, 0, none), IWARP_ERR_NOBUF);
  ok(iwarp_endpoint_close(w.h->ep));
  expect_silence(w.h);
  ck_assert_uint_eq(w.h->num_log, 0);
  ok(iwarp_endpoint_lost(w.h->ep));
  ep_host_run(w.h);
  ck_assert_int_eq(done_of(w.h, 3)->err, IWARP_ERR_FLUSHED);
  ck_assert_int_eq(done_of(w.h, 4)->err, IWARP_ERR_FLUSHED);
  expect_closed(w.h, IWARP_ENDPOINT_CAUSE_LOST, false);
  wire_free(&w);
}
END_TEST

/* A transport that reports no end is not waited for longer than close_ns. */
START_TEST(the_peer_has_close_ns)
{
  wire w = wire_new(false, true, false);
  iwarp_endpoint_time(w.h->ep, 1000);
  fail_send(w.h);
  const uint64_t due = 1000 + IWARP_ENDPOINT_CLOSE_NS;
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), due);
  iwarp_endpoint_time(w.h->ep, 2000);
  fail_send(w.h); /* a second call changes nothing */
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), due);
  iwarp_endpoint_time(w.h->ep, due);
  ep_host_run(w.h);
  expect_closed(w.h, IWARP_ENDPOINT_CAUSE_TIMEOUT, true);
  wire_free(&w);
}
END_TEST

/* What the transport did take may be said later. */
START_TEST(what_was_taken_is_done)
{
  uint8_t octets[256];
  wire w = wire_new(false, true, false);
  iwarp_span spans[8];
  iwarp_tx_out out;
  ok(iwarp_endpoint_send(w.h->ep, 1, IWARP_RDMAP_OP_SEND, 0, none));
  ok(iwarp_endpoint_next_output(w.h->ep, spans, 8, &out));
  fail_send(w.h);
  ok(iwarp_endpoint_advance(w.h->ep, out.len));
  ep_host_run(w.h);
  ck_assert_int_eq(done_of(w.h, 1)->err, IWARP_OK);
  ck_assert_uint_eq(ep_host_pull(w.h, octets, sizeof octets), 0);
  wire_free(&w);
}
END_TEST

/* The peer's octets are not read any more: nothing is left to wait for. */
START_TEST(nothing_is_left_to_be_read)
{
  uint8_t octets[256];
  wire w = wire_new(false, true, false);
  if (_i == 0) {
    ok(iwarp_endpoint_eof(w.h->ep));
  } else { /* a Terminate of this side */
    const seg s = {.opcode = IWARP_RDMAP_OP_SEND, .msn = 7};
    wire_seg(&w, &s);
  }
  fail_send(w.h);
  expect_closed(w.h, _i == 0 ? IWARP_ENDPOINT_CAUSE_LOST : IWARP_ENDPOINT_CAUSE_FAULT, true);
  ck_assert_uint_eq(ep_host_pull(w.h, octets, sizeof octets), 0);
  wire_free(&w);
}
END_TEST

/* ---- startup ---- */

START_TEST(not_before_there_is_something_to_send)
{
  const iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  ep_host *h = ep_host_new(&cfg);
  uint8_t octets[64];
  ck_assert_int_eq(iwarp_endpoint_send_failed(h->ep), IWARP_ERR_STATE);
  ok(iwarp_endpoint_connect(h->ep, nothing));
  ck_assert_uint_gt(ep_host_pull(h, octets, sizeof octets), 0); /* the refused call did nothing */
  ep_host_free(h);
}
END_TEST

/* An Initiator of whose Request the last octets failed to go: the Reply lies unread. */
static ep_ends half_a_request(bool reject) {
  const iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  ep_ends p = ep_ends_new(&a, &b);
  uint8_t octets[64];
  ok(iwarp_endpoint_listen(p.r->ep));
  ok(iwarp_endpoint_connect(p.i->ep, nothing));
  const size_t n = ep_host_pull(p.i, octets, 20);
  ck_assert_uint_eq(n, 20);
  ep_host_push(p.r, octets, n, n);
  ep_host *twin = ep_host_new(&a); /* it sends the rest */
  ok(iwarp_endpoint_connect(twin->ep, nothing));
  const size_t all = ep_host_pull(twin, octets, sizeof octets);
  ep_host_push(p.r, octets + n, all - n, all);
  ep_host_free(twin);
  ok(reject ? iwarp_endpoint_reject(p.r->ep, nothing) : iwarp_endpoint_accept(p.r->ep, nothing));
  fail_send(p.i);
  expect_silence(p.i);
  const size_t len = ep_host_pull(p.r, octets, sizeof octets);
  ep_host_push(p.i, octets, len, 7);
  return p;
}

START_TEST(a_reply_that_lay_unread_is_reported)
{
  ep_ends p = half_a_request(false);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_REPLY), 1);
  ok(iwarp_endpoint_accept(p.i->ep, nothing));
  ck_assert_int_eq(state_of(p.i), IWARP_ENDPOINT_SEND_FAILED);
  ep_host_run(p.i);
  expect_silence(p.i);
  ok(iwarp_endpoint_eof(p.i->ep));
  ep_host_run(p.i);
  expect_closed(p.i, IWARP_ENDPOINT_CAUSE_LOST, true);
  ep_ends_free(p);
}
END_TEST

START_TEST(a_reject_that_lay_unread_is_reported)
{
  ep_ends p = half_a_request(true);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_REJECTED), 1);
  ok(iwarp_endpoint_lost(p.i->ep));
  ep_host_run(p.i);
  expect_closed(p.i, IWARP_ENDPOINT_CAUSE_REFUSED, false);
  ep_ends_free(p);
}
END_TEST

/* A Responder whose Reply went out, and nothing after it. */
START_TEST(a_responder_before_the_first_fpdu)
{
  const iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  ep_ends p = ep_ends_new(&a, &b);
  uint8_t octets[64];
  ok(iwarp_endpoint_listen(p.r->ep));
  ok(iwarp_endpoint_connect(p.i->ep, nothing));
  ep_talk(p.i, p.r, 64);
  ok(iwarp_endpoint_accept(p.r->ep, nothing));
  ep_talk(p.i, p.r, 64);
  ok(iwarp_endpoint_accept(p.i->ep, nothing));
  ok(iwarp_endpoint_recv(p.r->ep, 1, p.r->mem, 8));
  fail_send(p.r);
  ck_assert_int_eq(state_of(p.r), IWARP_ENDPOINT_AWAIT_FIRST_FPDU);
  ok(iwarp_endpoint_send(p.i->ep, 1, IWARP_RDMAP_OP_SEND, 0, none));
  ep_host_push(p.r, octets, ep_host_pull(p.i, octets, sizeof octets), 64);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_ESTABLISHED), 1);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_RECV), 1);
  ck_assert_int_eq(state_of(p.r), IWARP_ENDPOINT_SEND_FAILED);
  ep_ends_free(p);
}
END_TEST

/* CLOSED waits for a Reply that rejects, but not when it cannot be sent. */
START_TEST(a_reply_that_rejects_cannot_be_sent)
{
  const iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  ep_ends p = ep_ends_new(&a, &b);
  ok(iwarp_endpoint_listen(p.r->ep));
  ok(iwarp_endpoint_connect(p.i->ep, nothing));
  ep_talk(p.i, p.r, 64);
  ok(iwarp_endpoint_reject(p.r->ep, nothing));
  ok(iwarp_endpoint_close(p.r->ep));
  ep_host_run(p.r);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_CLOSED), 0);
  fail_send(p.r);
  expect_closed(p.r, IWARP_ENDPOINT_CAUSE_REJECT, true);
  ep_ends_free(p);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_terminate_that_lay_unread_is_reported,
                                messages_of_the_peer_are_taken,
                                a_fault_of_the_peer_is_found,
                                a_fault_of_a_request_that_waited_is_found,
                                operations_that_follow_are_flushed,
                                the_peer_has_close_ns,
                                what_was_taken_is_done,
                                not_before_there_is_something_to_send,
                                a_reply_that_lay_unread_is_reported,
                                a_reject_that_lay_unread_is_reported,
                                a_responder_before_the_first_fpdu,
                                a_reply_that_rejects_cannot_be_sent,
                                NULL};
  Suite *suite = check_suite("stream-ep-send-failed", tests);
  TCase *each = tcase_create("each");
  tcase_add_loop_test(each, without_one_the_connection_is_lost, 0, 3);
  tcase_add_loop_test(each, nothing_is_left_to_be_read, 0, 2);
  suite_add_tcase(suite, each);
  return check_run(suite);
}
