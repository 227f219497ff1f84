/* SPDX-License-Identifier: BSD-2-Clause */
/* What is reported to an embedder of the end of a connection: results, causes, CLOSED as the last
 * event.
 */
#include <string.h>

#include <check.h>

#include "../../src/endpoint/lists.h"
#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"

static const iwarp_span nothing = {0};
static const iwarp_tx_payload no_payload = {0};

static ep_host *host(iwarp_role role) {
  const iwarp_endpoint_cfg cfg = ep_cfg(role);
  return ep_host_new(&cfg);
}

/* CLOSED came, once, as the last event, with this result. */
static void closed_last(const ep_host *h, iwarp_err err, iwarp_endpoint_cause cause) {
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  const iwarp_endpoint_event *last = &h->log[h->num_log - 1];
  ck_assert_int_eq(last->kind, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert_str_eq(iwarp_errname(last->u.closed.err), iwarp_errname(err));
  ck_assert_str_eq(iwarp_endpoint_cause_name(last->u.closed.cause),
                   iwarp_endpoint_cause_name(cause));
}

/* Every operation and buffer that did not get done is FLUSHED, for the same cause. */
static void flushed(const ep_host *h, size_t dones, size_t recvs, iwarp_endpoint_cause cause) {
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_DONE), dones);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_RECV), recvs);
  for (size_t i = 0; i < h->num_log; i++) {
    const iwarp_endpoint_event *ev = &h->log[i];
    if (ev->kind == IWARP_ENDPOINT_EVENT_DONE) {
      ck_assert_int_eq(ev->u.done.err, IWARP_ERR_FLUSHED);
      ck_assert_int_eq(ev->u.done.cause, cause);
    }
    if (ev->kind == IWARP_ENDPOINT_EVENT_RECV) {
      ck_assert_int_eq(ev->u.recv.err, IWARP_ERR_FLUSHED);
      ck_assert_int_eq(ev->u.recv.cause, cause);
    }
  }
}

/* ---- in Full Operation ---- */

typedef void ending(wire *w);

static void by_abort(wire *w) {
  ok(iwarp_endpoint_abort(w->h->ep));
}

static void by_loss(wire *w) {
  ok(iwarp_endpoint_lost(w->h->ep));
}

static void by_eof(wire *w) {
  static const uint8_t begin[3] = {0, 18, 0x41};
  ok(iwarp_endpoint_push(w->h->ep, (iwarp_span){begin, sizeof begin}));
  ep_host_run(w->h);
  ok(iwarp_endpoint_eof(w->h->ep));
}

static void by_timeout(wire *w) {
  iwarp_endpoint_time(w->h->ep, 1);
  ok(iwarp_endpoint_close(w->h->ep));
  iwarp_endpoint_time(w->h->ep, iwarp_endpoint_deadline(w->h->ep));
}

/* The transport goes when the other side has what this one says. */
static void drain(wire *w) {
  uint8_t octets[512];
  ep_host_run(w->h);
  while (ep_host_pull(w->h, octets, sizeof octets) > 0) {
  }
  ok(iwarp_endpoint_eof(w->h->ep));
}

static void by_fault(wire *w) {
  const seg wrong = {.opcode = IWARP_RDMAP_OP_SEND, .msn = 7};
  wire_seg(w, &wrong);
  drain(w);
}

static void by_own_fault(wire *w) {
  ok(iwarp_endpoint_fail(w->h->ep, 0, 0, 0));
  drain(w);
}

static void by_terminate(wire *w) {
  const seg s = {.opcode = IWARP_RDMAP_OP_TERMINATE, .qn = 2, .len = 4, .inner = {0x02, 0x07}};
  wire_seg(w, &s);
  drain(w);
}

static const struct {
  ending *end;
  iwarp_err err;
  iwarp_endpoint_cause cause;
} endings[] = {
    {by_abort, IWARP_ERR_ABORTED, IWARP_ENDPOINT_CAUSE_ABORT},
    {by_loss, IWARP_ERR_LOST, IWARP_ENDPOINT_CAUSE_LOST},
    {by_eof, IWARP_ERR_EOF, IWARP_ENDPOINT_CAUSE_FIN},
    {by_timeout, IWARP_ERR_TIMEOUT, IWARP_ENDPOINT_CAUSE_TIMEOUT},
    {by_fault, IWARP_ERR_FAULT, IWARP_ENDPOINT_CAUSE_FAULT},
    {by_own_fault, IWARP_ERR_FAULT, IWARP_ENDPOINT_CAUSE_FAULT},
    {by_terminate, IWARP_ERR_TERMINATED, IWARP_ENDPOINT_CAUSE_TERMINATE},
};

/* A Read whose Response never comes, one that waits for credit, a Send after them. */
START_TEST(each_end_has_its_result)
{
  wire w = wire_new(false, true, false);
  const iwarp_rdmap_read_req read = {.sink_stag = 3, .sink_to = 0x1000, .size = 8};
  for (uint64_t token = 0; token < 3; token++) {
    ok(iwarp_endpoint_read(w.h->ep, token, &read));
  }
  ok(iwarp_endpoint_send(w.h->ep, 3, IWARP_RDMAP_OP_SEND, 0, no_payload));
  endings[_i].end(&w);
  ep_host_run(w.h);
  flushed(w.h, 4, 2, endings[_i].cause);
  closed_last(w.h, endings[_i].err, endings[_i].cause);
  wire_free(&w);
}
END_TEST

/* The peer's Terminate that returns the header of a segment. */
static seg terminate_for(const iwarp_ddp_hdr *hdr) {
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN];
  size_t len;
  seg s = {.opcode = IWARP_RDMAP_OP_TERMINATE, .qn = 2};
  ok(iwarp_ddp_hdr_encode(octets, sizeof octets, &len, hdr));
  const iwarp_rdmap_term term = {.etype = 1,
                                 .m = true,
                                 .d = true,
                                 .has_ddp_segment_length = true,
                                 .ddp_segment_length = (uint16_t)len,
                                 .ddp_header = {octets, len}};
  ok(iwarp_rdmap_term_encode(s.inner, sizeof s.inner, &len, &term));
  s.len = len;
  return s;
}

#define NOBODY 99u
#define WRITE_STAG 0x77u
#define WRITE_TO 0x1000u

#define READ_RESPONSE 0x42u
#define WRITE 0x40u

/* The header that the Terminate returns, and the token of the operation that it names. */
static const struct {
  iwarp_ddp_hdr hdr;
  uint64_t refused;
} refusals[] = {
    {{.qn = 1, .msn = 2}, 1},
    {{.qn = 1, .msn = 3}, 2},
    {{.qn = 1, .msn = 1}, NOBODY}, /* it was answered */
    {{.qn = 1, .msn = 4}, NOBODY},
    {{.qn = 0, .msn = 1}, NOBODY}, /* it was done */
    {{.qn = 0, .msn = 2}, 3},
    {{.qn = 0, .msn = 3}, 7},
    {{.qn = 0, .msn = 4}, NOBODY},
    {{.qn = 2, .msn = 2}, NOBODY},
    {{.tagged = true, .rsvdulp = WRITE, .stag = WRITE_STAG, .to = WRITE_TO}, 4}, /* not 5 */
    {{.tagged = true, .rsvdulp = WRITE, .stag = WRITE_STAG, .to = WRITE_TO + 7}, 4},
    {{.tagged = true, .rsvdulp = WRITE, .stag = WRITE_STAG, .to = WRITE_TO + 8}, NOBODY},
    {{.tagged = true, .rsvdulp = WRITE, .stag = WRITE_STAG, .to = WRITE_TO - 1}, NOBODY},
    {{.tagged = true, .rsvdulp = WRITE, .stag = WRITE_STAG + 1, .to = WRITE_TO}, NOBODY},
    {{.tagged = true, .rsvdulp = WRITE, .stag = WRITE_STAG, .to = 2 * WRITE_TO}, 6},
    {{.tagged = true, .rsvdulp = WRITE, .stag = WRITE_STAG, .to = 2 * WRITE_TO + 1}, NOBODY},
    {{.tagged = true, .rsvdulp = READ_RESPONSE, .stag = WRITE_STAG, .to = WRITE_TO}, NOBODY},
};

static void post_all(iwarp_endpoint *ep) {
  static const uint8_t octets[IWARP_RDMAP_IMMEDIATE_LEN] = {0};
  static const iwarp_span parts[] = {{octets, 5}, {octets, 3}};
  const iwarp_tx_payload payload = {parts, 2};
  ok(iwarp_endpoint_send(ep, 3, IWARP_RDMAP_OP_SEND, 0,
                         no_payload)); /* complete without an answer */
  ok(iwarp_endpoint_write(ep, 4, WRITE_STAG, WRITE_TO, payload));
  ok(iwarp_endpoint_write(ep, 5, WRITE_STAG, WRITE_TO, payload));
  ok(iwarp_endpoint_write(ep, 6, WRITE_STAG, 2 * WRITE_TO, no_payload));
  ok(iwarp_endpoint_immediate(ep, 7, false, octets));
}

/* The Terminate names the operation that the peer refused; the others are FLUSHED. */
START_TEST(an_operation_is_refused)
{
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.ord = 3;
  cfg.num_sends = 8;
  wire w = wire_of(&cfg);
  const iwarp_rdmap_read_req read = {.sink_stag = 3, .sink_to = 0x1000};
  const seg response = {.tagged = true, .opcode = IWARP_RDMAP_OP_READ_RESP};
  iwarp_ddp_hdr hdr = refusals[_i].hdr;
  hdr.last = true;
  hdr.dv = IWARP_DDP_VERSION;
  const seg s = terminate_for(&hdr);
  uint8_t octets[512];
  for (uint64_t token = 0; token < 3; token++) {
    ok(iwarp_endpoint_read(w.h->ep, token, &read));
  }
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  wire_seg(&w, &response); /* the first one is done, MSN 2 and 3 wait */
  post_all(w.h->ep);
  wire_seg(&w, &s);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_DONE), 8);
  static const uint32_t msns[] = {1, 2, 3, 2, 0, 0, 0, 3};
  for (size_t i = 0; i < w.h->num_log; i++) {
    const iwarp_endpoint_done *done = &w.h->log[i].u.done;
    if (w.h->log[i].kind == IWARP_ENDPOINT_EVENT_DONE) {
      const iwarp_err err =
          done->token == refusals[_i].refused ? IWARP_ERR_REFUSED : IWARP_ERR_FLUSHED;
      expect(done->err == (done->token == 0 ? IWARP_OK : err), "token %u", (unsigned)done->token);
      expect(done->msn == msns[done->token], "token %u", (unsigned)done->token);
      ck_assert_int_eq(done->cause, done->token == 0 ? IWARP_ENDPOINT_CAUSE_ORDERLY
                                                     : IWARP_ENDPOINT_CAUSE_TERMINATE);
    }
  }
  wire_free(&w);
}
END_TEST

/* What the transport has taken is done, if it is not the one that the Terminate names. */
START_TEST(a_send_that_was_sent_is_refused)
{
  wire w = wire_new(false, true, false);
  const iwarp_rdmap_read_req read = {.sink_stag = 3, .sink_to = 0x1000, .size = 8};
  const iwarp_ddp_hdr hdr = {.last = true, .dv = IWARP_DDP_VERSION, .rsvdulp = 0x43, .msn = 2};
  const seg s = terminate_for(&hdr);
  uint8_t octets[512];
  ok(iwarp_endpoint_read(w.h->ep, 0, &read)); /* the others complete after it */
  ok(iwarp_endpoint_send(w.h->ep, 1, IWARP_RDMAP_OP_SEND, 0, no_payload));
  ok(iwarp_endpoint_send(w.h->ep, 2, IWARP_RDMAP_OP_SEND, 0, no_payload));
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  wire_seg(&w, &s);
  static const iwarp_err errs[] = {IWARP_ERR_FLUSHED, IWARP_ERR_REFUSED, IWARP_OK};
  for (size_t i = 0; i < 3; i++) {
    const iwarp_endpoint_event *ev = &w.h->log[1 + i]; /* after TERMINATED */
    ck_assert_int_eq(ev->kind, IWARP_ENDPOINT_EVENT_DONE);
    ck_assert_int_eq(ev->u.done.err, errs[i]);
  }
  wire_free(&w);
}
END_TEST

/* ---- a half that is closed ---- */

/* What happens to an endpoint in Full Operation, in turn. */
typedef void happening(ep_host *h);

static void post_send(ep_host *h) {
  ok(iwarp_endpoint_send(h->ep, 7, IWARP_RDMAP_OP_SEND, 0, no_payload));
}

static void post_read(ep_host *h) {
  const iwarp_rdmap_read_req read = {.sink_stag = 3, .sink_to = 0x1000, .size = 8};
  ok(iwarp_endpoint_read(h->ep, 8, &read));
}

/* Two of them are outstanding, the third waits for one of these. */
static void post_reads(ep_host *h) {
  for (size_t i = 0; i < 3; i++) {
    post_read(h);
  }
}

static void post_atomic(ep_host *h) {
  const iwarp_rdmap_atomic_req atomic = {.aopcode = IWARP_RDMAP_AOP_FETCH_ADD, .stag = 0x77};
  ok(iwarp_endpoint_atomic(h->ep, 9, &atomic));
}

static void unsignalled_read(ep_host *h) {
  iwarp_endpoint_set_signalled(h->ep, false);
  post_read(h);
}

static void take(ep_host *h) {
  uint8_t octets[512];
  ck_assert_uint_gt(ep_host_pull(h, octets, sizeof octets), 0);
}

/* The peer's FPDUs are the first ones; CRCs are not in use. */
static void push_ulpdu(ep_host *h, uint64_t off, const seg *s) {
  wire w = {.h = h, .off = off};
  wire_seg(&w, s);
}

static void answer(ep_host *h) {
  const seg s = {
      .tagged = true, .opcode = IWARP_RDMAP_OP_READ_RESP, .stag = 3, .to = 0x1000, .len = 8};
  push_ulpdu(h, 0, &s);
}

static void be_asked(ep_host *h) {
  const seg s = read_seg(
      (iwarp_rdmap_read_req){.sink_stag = 9, .size = 8, .source_stag = 1, .source_to = 0x1000});
  push_ulpdu(h, 0, &s);
}

static void be_terminated(ep_host *h) {
  const seg s = {.opcode = IWARP_RDMAP_OP_TERMINATE, .qn = 2, .len = 4, .inner = {0x02, 0x07}};
  push_ulpdu(h, 0, &s);
}

static void end_of_peer(ep_host *h) {
  ok(iwarp_endpoint_eof(h->ep));
}

static void close_own(ep_host *h) {
  ok(iwarp_endpoint_close(h->ep));
}

static void give_up(ep_host *h) {
  ok(iwarp_endpoint_abort(h->ep));
}

static void lose(ep_host *h) {
  ok(iwarp_endpoint_lost(h->ep));
}

static void find_fault(ep_host *h) {
  ok(iwarp_endpoint_fail(h->ep, 0, 0, 0));
}

static void let_time_pass(ep_host *h) {
  iwarp_endpoint_time(h->ep, 1);
  iwarp_endpoint_time(h->ep, iwarp_endpoint_deadline(h->ep));
}

#define HAPPENINGS_MAX 5u

/* Why it ends, and of the operations posted how many are FLUSHED for the peer's end. */
static const struct {
  happening *of[HAPPENINGS_MAX];
  iwarp_endpoint_cause cause;
  size_t unanswered;
} halves[] = {
    /* no answer was outstanding */
    {{end_of_peer, close_own}, IWARP_ENDPOINT_CAUSE_ORDERLY, 0},
    {{close_own, end_of_peer}, IWARP_ENDPOINT_CAUSE_ORDERLY, 0},
    {{post_send, end_of_peer, close_own, take}, IWARP_ENDPOINT_CAUSE_ORDERLY, 0},
    {{post_send, close_own, end_of_peer, take}, IWARP_ENDPOINT_CAUSE_ORDERLY, 0},
    {{end_of_peer, post_send, take, close_own}, IWARP_ENDPOINT_CAUSE_ORDERLY, 0},
    {{post_read, take, answer, end_of_peer, close_own}, IWARP_ENDPOINT_CAUSE_ORDERLY, 0},
    {{post_read, close_own, take, answer, end_of_peer}, IWARP_ENDPOINT_CAUSE_ORDERLY, 0},
    {{be_asked, end_of_peer, close_own, take}, IWARP_ENDPOINT_CAUSE_ORDERLY, 0},
    /* an answer was outstanding, whatever follows */
    {{post_read, take, end_of_peer, close_own}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{post_read, end_of_peer, take, close_own}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{post_read, take, close_own, end_of_peer}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{post_reads, take, end_of_peer, close_own}, IWARP_ENDPOINT_CAUSE_FIN, 3},
    {{post_atomic, take, end_of_peer, close_own}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{unsignalled_read, take, end_of_peer, close_own}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{post_read, post_send, take, end_of_peer, close_own}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{post_read, take, end_of_peer, give_up}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{post_read, take, end_of_peer, lose}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{post_read, take, end_of_peer, find_fault, take}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    {{post_read, end_of_peer, close_own, let_time_pass}, IWARP_ENDPOINT_CAUSE_FIN, 1},
    /* something else came first, or alone */
    {{post_read, take, be_terminated, end_of_peer}, IWARP_ENDPOINT_CAUSE_TERMINATE, 0},
    {{post_read, find_fault, end_of_peer, take}, IWARP_ENDPOINT_CAUSE_FAULT, 0},
    {{end_of_peer, give_up}, IWARP_ENDPOINT_CAUSE_ABORT, 0},
    {{end_of_peer, lose}, IWARP_ENDPOINT_CAUSE_LOST, 0},
    {{end_of_peer, find_fault, take}, IWARP_ENDPOINT_CAUSE_FAULT, 0},
    {{end_of_peer, post_send, close_own, let_time_pass}, IWARP_ENDPOINT_CAUSE_TIMEOUT, 0},
};

static iwarp_err err_of(iwarp_endpoint_cause cause) {
#define ERR_OF(name, err) [IWARP_ENDPOINT_CAUSE_##name] = (err),
  static const iwarp_err errs[] = {EP_CAUSE_MAP(ERR_OF)};
#undef ERR_OF
  return errs[cause];
}

/* Operations that were FLUSHED for a cause. */
static size_t num_flushed(const ep_host *h, iwarp_endpoint_cause cause) {
  size_t num = 0;
  for (size_t i = 0; i < h->num_log; i++) {
    const iwarp_endpoint_event *ev = &h->log[i];
    num += ev->kind == IWARP_ENDPOINT_EVENT_DONE && ev->u.done.err == IWARP_ERR_FLUSHED &&
                   ev->u.done.cause == cause
               ? 1
               : 0;
  }
  return num;
}

/* CLOSED says what the operations and receive buffers say: FIN if the peer owed an answer. */
START_TEST(a_half_that_is_closed)
{
  wire w = wire_new(false, false, false);
  for (size_t i = 0; i < HAPPENINGS_MAX && halves[_i].of[i] != NULL; i++) {
    halves[_i].of[i](w.h);
    ep_host_run(w.h);
  }
  const iwarp_endpoint_received *recv = &ep_host_last(w.h, IWARP_ENDPOINT_EVENT_RECV)->u.recv;
  const bool in_order = halves[_i].of[0] == end_of_peer; /* the buffers end before the rest */
  ck_assert(recv->err == IWARP_ERR_FLUSHED);
  ck_assert_int_eq(recv->cause, in_order ? IWARP_ENDPOINT_CAUSE_ORDERLY : halves[_i].cause);
  ck_assert_uint_eq(num_flushed(w.h, IWARP_ENDPOINT_CAUSE_FIN), halves[_i].unanswered);
  closed_last(w.h, err_of(halves[_i].cause), halves[_i].cause);
  wire_free(&w);
}
END_TEST

/* The Ready to Receive message is a Read too, though the ULP knows nothing of it. */
START_TEST(a_ready_to_receive_read_is_not_answered)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.peer_to_peer = true;
  cfg.rtr = IWARP_RTR_READ;
  const ep_ends p = ep_ends_new(&cfg, &peer);
  ok(iwarp_endpoint_listen(p.r->ep));
  ok(iwarp_endpoint_connect(p.i->ep, nothing));
  ep_talk(p.i, p.r, 4096);
  ok(iwarp_endpoint_accept(p.r->ep, nothing));
  ep_talk(p.i, p.r, 4096);
  ok(iwarp_endpoint_accept(p.i->ep, nothing));
  take(p.i);
  ok(iwarp_endpoint_eof(p.i->ep));
  ok(iwarp_endpoint_close(p.i->ep));
  ep_host_run(p.i);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_DONE), 0);
  closed_last(p.i, IWARP_ERR_EOF, IWARP_ENDPOINT_CAUSE_FIN);
  ep_ends_free(p);
}
END_TEST

/* ---- startup frames that are still to be sent ---- */

/* The peer answers before it has the Request, as only one does that wants to do harm. */
static ep_host *answered_early(const iwarp_endpoint_cfg *cfg) {
  static const uint8_t reply[] = {'M', 'P', 'A', ' ', 'I', 'D', ' ',  'R', 'e', 'p',
                                  ' ', 'F', 'r', 'a', 'm', 'e', 0x40, 1,   0,   0};
  ep_host *h = ep_host_new(cfg);
  ok(iwarp_endpoint_connect(h->ep, nothing));
  ep_host_push(h, reply, sizeof reply, sizeof reply);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  return h;
}

/* SHUTDOWN waits for a Request of which the transport has taken a part. */
START_TEST(a_request_is_sent_before_the_end)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  cfg.rev = 1;
  ep_host *h = answered_early(&cfg);
  uint8_t octets[64];
  const size_t taken = (size_t)_i;
  ck_assert_uint_eq(ep_host_pull(h, octets, taken), taken);
  ok(iwarp_endpoint_close(h->ep));
  ep_host_run(h);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_SHUTDOWN), taken == 20 ? 1 : 0);
  ck_assert_uint_eq(ep_host_pull(h, octets, sizeof octets), 20 - taken);
  ep_host_run(h);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_SHUTDOWN), 1);
  ok(iwarp_endpoint_eof(h->ep));
  ep_host_run(h);
  closed_last(h, IWARP_OK, IWARP_ENDPOINT_CAUSE_ORDERLY);
  ep_host_free(h);
}
END_TEST

/* A Responder's Reply too, when the peer has sent an FPDU and closed its half: nothing is lost. */
START_TEST(a_reply_is_sent_before_the_end)
{
  static const uint8_t send[24] = {0x00, 0x12, 0x41, 0x43, [15] = 1};
  iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  a.no_crc = true;
  b.no_crc = true;
  ep_host *i = ep_host_new(&a);
  ep_host *r = ep_host_new(&b);
  uint8_t octets[128];
  ok(iwarp_endpoint_listen(r->ep));
  ok(iwarp_endpoint_connect(i->ep, nothing));
  ep_talk(i, r, 4096);
  ok(iwarp_endpoint_accept(r->ep, nothing));
  const size_t half = ep_host_pull(r, octets, 10);
  ck_assert_uint_eq(half, 10);
  ok(iwarp_endpoint_recv(r->ep, 1, r->mem, 8));
  ep_host_push(r, send, sizeof send, sizeof send);
  if (_i == 0) {
    ok(iwarp_endpoint_eof(r->ep));
  }
  ok(iwarp_endpoint_close(r->ep));
  ep_host_run(r);
  ck_assert_uint_eq(ep_host_count(r, IWARP_ENDPOINT_EVENT_ESTABLISHED), 1);
  ck_assert_uint_eq(ep_host_count(r, IWARP_ENDPOINT_EVENT_SHUTDOWN), 0);
  ck_assert_uint_eq(ep_host_count(r, IWARP_ENDPOINT_EVENT_CLOSED), 0);
  ck_assert_uint_eq(ep_host_pull(r, octets, sizeof octets), 24 - half);
  ep_host_run(r);
  ck_assert_uint_eq(ep_host_count(r, IWARP_ENDPOINT_EVENT_SHUTDOWN), 1);
  ck_assert_uint_eq(ep_host_count(r, IWARP_ENDPOINT_EVENT_CLOSED), _i == 0 ? 1 : 0);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* ---- after a reject ---- */

/* Both sides after the Responder has rejected; its Reply is not sent yet. */
static ep_ends rejected(void) {
  const ep_ends p = {.i = host(IWARP_ROLE_INITIATOR), .r = host(IWARP_ROLE_RESPONDER)};
  ok(iwarp_endpoint_recv(p.i->ep, 1, p.i->mem, 8));
  ok(iwarp_endpoint_listen(p.r->ep));
  ok(iwarp_endpoint_connect(p.i->ep, nothing));
  ep_talk(p.i, p.r, 4096);
  ok(iwarp_endpoint_reject(p.r->ep, nothing));
  return p;
}

static iwarp_err end_of(iwarp_endpoint *ep, int how) {
  iwarp_err (*const calls[])(iwarp_endpoint *) = {iwarp_endpoint_close, iwarp_endpoint_eof,
                                                  iwarp_endpoint_abort, iwarp_endpoint_lost};
  return calls[how](ep);
}

START_TEST(closed_after_a_reject)
{
  const ep_ends p = rejected();
  ep_talk(p.i, p.r, 4096);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_REJECTED), 1);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_CLOSED), 0);
  ep_host_push(p.i, (const uint8_t *)"mine", 4, 4); /* the transport is the ULP's until it ends */
  ok(end_of(p.i->ep, _i));
  ok(end_of(p.r->ep, _i));
  ep_host_run(p.i);
  ep_host_run(p.r);
  flushed(p.i, 0, 1, IWARP_ENDPOINT_CAUSE_REFUSED);
  closed_last(p.i, IWARP_ERR_REFUSED, IWARP_ENDPOINT_CAUSE_REFUSED);
  closed_last(p.r, IWARP_ERR_ABORTED, IWARP_ENDPOINT_CAUSE_REJECT);
  ck_assert(p.i->log[p.i->num_log - 1].u.closed.disconnect == (_i != 3));
  ck_assert_uint_eq(p.i->num_streamed, 4);
  ok(iwarp_endpoint_close(p.i->ep)); /* nothing changes */
  ep_ends_free(p);
}
END_TEST

/* An end in order does not cut off the Reply that rejects: CLOSED waits for it. */
START_TEST(a_rejecting_reply_is_sent)
{
  const ep_ends p = rejected();
  ok(end_of(p.r->ep, _i));
  ep_host_run(p.r);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_CLOSED), _i < 2 ? 0 : 1);
  ep_talk(p.i, p.r, 4096);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_REJECTED), _i < 2 ? 1 : 0);
  closed_last(p.r, IWARP_ERR_ABORTED, IWARP_ENDPOINT_CAUSE_REJECT);
  ep_ends_free(p);
}
END_TEST

/* But no longer than close_ns; what ends the wait ends the deadline. */
START_TEST(a_rejecting_reply_has_a_deadline)
{
  const uint64_t due = 100 + IWARP_ENDPOINT_CLOSE_NS;
  const ep_ends p = rejected();
  iwarp_endpoint_time(p.r->ep, 100);
  ck_assert_uint_eq(iwarp_endpoint_deadline(p.r->ep), IWARP_TIME_NEVER);
  ok(end_of(p.r->ep, _i));
  ck_assert_uint_eq(iwarp_endpoint_deadline(p.r->ep), due);
  iwarp_endpoint_time(p.r->ep, due - 1);
  ep_host_run(p.r);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_CLOSED), 0);
  iwarp_endpoint_time(p.r->ep, due);
  ep_host_run(p.r);
  closed_last(p.r, IWARP_ERR_ABORTED, IWARP_ENDPOINT_CAUSE_REJECT);
  uint8_t octets[64];
  ck_assert_uint_eq(ep_host_pull(p.r, octets, sizeof octets), 0);
  iwarp_endpoint_time(p.r->ep, due + IWARP_ENDPOINT_CLOSE_NS);
  ep_host_run(p.r);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  ep_ends_free(p);
}
END_TEST

START_TEST(a_rejecting_reply_that_is_sent_has_no_deadline)
{
  const ep_ends p = rejected();
  iwarp_endpoint_time(p.r->ep, 100);
  ok(end_of(p.r->ep, _i));
  ep_talk(p.i, p.r, 4096);
  closed_last(p.r, IWARP_ERR_ABORTED, IWARP_ENDPOINT_CAUSE_REJECT);
  ck_assert_uint_eq(iwarp_endpoint_deadline(p.r->ep), IWARP_TIME_NEVER);
  ep_ends_free(p);
}
END_TEST

/* Unless the transport goes before, or the ULP waits no longer. */
START_TEST(a_rejecting_reply_is_lost)
{
  iwarp_err (*const calls[])(iwarp_endpoint *) = {iwarp_endpoint_lost, iwarp_endpoint_abort};
  const ep_ends p = rejected();
  ok(iwarp_endpoint_close(p.r->ep));
  ep_host_run(p.r);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_CLOSED), 0);
  ok(calls[_i](p.r->ep));
  ep_host_run(p.r);
  closed_last(p.r, IWARP_ERR_ABORTED, IWARP_ENDPOINT_CAUSE_REJECT);
  ok(iwarp_endpoint_abort(p.r->ep)); /* nothing changes */
  uint8_t octets[64];
  ck_assert_uint_eq(ep_host_pull(p.r, octets, sizeof octets), 0);
  ep_ends_free(p);
}
END_TEST

/* ---- time ---- */

#define NOON (UINT64_C(1) << 50)

/* A timeout that began before any time was given counts from the first one. */
START_TEST(the_clock_starts_when_it_is_read)
{
  ep_host *h = host(IWARP_ROLE_RESPONDER);
  ck_assert_uint_eq(iwarp_endpoint_deadline(h->ep), IWARP_TIME_NEVER);
  ok(iwarp_endpoint_listen(h->ep));
  ck_assert_uint_eq(iwarp_endpoint_deadline(h->ep), 0);
  iwarp_endpoint_time(h->ep, NOON);
  ep_host_run(h);
  ck_assert_uint_eq(h->num_log, 0);
  ck_assert_uint_eq(iwarp_endpoint_deadline(h->ep), NOON + IWARP_ENDPOINT_STARTUP_NS);
  iwarp_endpoint_time(h->ep, NOON + IWARP_ENDPOINT_STARTUP_NS - 1);
  ep_host_run(h);
  ck_assert_uint_eq(h->num_log, 0);
  iwarp_endpoint_time(h->ep, NOON + IWARP_ENDPOINT_STARTUP_NS);
  ep_host_run(h);
  closed_last(h, IWARP_ERR_TIMEOUT, IWARP_ENDPOINT_CAUSE_TIMEOUT);
  ep_host_free(h);
}
END_TEST

/* One that began later counts from the time given last. */
START_TEST(the_clock_was_read_before)
{
  ep_host *h = host(IWARP_ROLE_RESPONDER);
  iwarp_endpoint_time(h->ep, NOON);
  ok(iwarp_endpoint_listen(h->ep));
  ck_assert_uint_eq(iwarp_endpoint_deadline(h->ep), NOON + IWARP_ENDPOINT_STARTUP_NS);
  ep_host_free(h);
}
END_TEST

/* IDLE too; and no sum wraps. */
START_TEST(idle_counts_from_the_first_time)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.idle_ns = _i == 0 ? 1000 : IWARP_TIME_NEVER - 1;
  ep_host *i = ep_host_new(&cfg);
  ep_host *r = ep_host_new(&peer);
  ep_join(i, r);
  ck_assert_uint_eq(iwarp_endpoint_deadline(i->ep), 0);
  iwarp_endpoint_time(i->ep, NOON);
  ck_assert_uint_eq(iwarp_endpoint_deadline(i->ep), _i == 0 ? NOON + 1000 : IWARP_TIME_NEVER);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* ---- names ---- */

START_TEST(causes_have_names)
{
  ck_assert_str_eq(iwarp_endpoint_cause_name(IWARP_ENDPOINT_CAUSE_ORDERLY), "ORDERLY");
  ck_assert_str_eq(iwarp_endpoint_cause_name(IWARP_ENDPOINT_CAUSE_REJECT), "REJECT");
  ck_assert_str_eq(
      iwarp_endpoint_cause_name((iwarp_endpoint_cause)(IWARP_ENDPOINT_CAUSE_REJECT + 1)),
      "unknown");
}
END_TEST

static const struct {
  const char *name;
  iwarp_endpoint_cfg wrong; /* what is not 0 replaces what is right */
} wrong_members[] = {
    {"role", {.role = (iwarp_role)7}},
    {"rev", {.rev = 3}},
    {"rtr", {.rtr = 8}},
    {"ird", {.ird = 0x3FFF}},
    {"ird_max", {.ird_max = 0x3FFF}},
    {"ird_max", {.ird = 3, .ird_max = 2}},
    {"ord", {.ord = 0x3FFF}},
    {"max_ulpdu", {.max_ulpdu = 65536}},
    {"num_out_of_order", {.num_out_of_order = 65537}},
    {"num_sends", {.num_sends = 65537}},
    {"num_recvs", {.num_recvs = 65537}},
    {"recv_low", {.recv_low = 1}},
    {"recv_low", {.num_recvs = 4, .recv_low = 5}},
    {"num_regions", {.num_regions = 65537}},
};

START_TEST(a_wrong_member_is_named)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg *wrong = &wrong_members[_i].wrong;
  ck_assert_ptr_null(iwarp_endpoint_cfg_error(&cfg));
  cfg.role = wrong->role != 0 ? wrong->role : cfg.role;
  cfg.rev = wrong->rev;
  cfg.rtr = wrong->rtr;
  cfg.ird = wrong->ird;
  cfg.ird_max = wrong->ird_max;
  cfg.ord = wrong->ord;
  cfg.max_ulpdu = wrong->max_ulpdu;
  cfg.num_out_of_order = wrong->num_out_of_order;
  cfg.num_sends = wrong->num_sends != 0 ? wrong->num_sends : cfg.num_sends;
  cfg.num_recvs = wrong->num_recvs;
  cfg.recv_low = wrong->recv_low;
  cfg.num_regions = wrong->num_regions;
  ck_assert_uint_eq(iwarp_endpoint_size(&cfg), 0);
  ck_assert_str_eq(iwarp_endpoint_cfg_error(&cfg), wrong_members[_i].name);
}
END_TEST

/* The edges of members that depend on others. */
START_TEST(members_that_fit_each_other)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  cfg.rtr = IWARP_RTR_READ; /* the Responder answers it */
  cfg.ird = 0;
  ck_assert_ptr_null(iwarp_endpoint_cfg_error(&cfg));
  cfg.ird = 3;
  cfg.ird_max = 3;
  ck_assert_ptr_null(iwarp_endpoint_cfg_error(&cfg));
  cfg.recv_low = cfg.num_recvs;
  ck_assert_ptr_null(iwarp_endpoint_cfg_error(&cfg));
  cfg.recv_low++;
  ck_assert_str_eq(iwarp_endpoint_cfg_error(&cfg), "recv_low");
  cfg.srq = (iwarp_srq *)&cfg; /* not looked into: recv_low is not used with it */
  ck_assert_ptr_null(iwarp_endpoint_cfg_error(&cfg));
}
END_TEST

START_TEST(a_member_that_is_missing_is_named)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.num_sends = 0;
  ck_assert_str_eq(iwarp_endpoint_cfg_error(&cfg), "num_sends");
  cfg.emss = 0;
  ck_assert_str_eq(iwarp_endpoint_cfg_error(&cfg), "emss");
  cfg = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.rtr = IWARP_RTR_READ; /* which takes a place among the inbound Reads */
  cfg.ird = 0;
  ck_assert_str_eq(iwarp_endpoint_cfg_error(&cfg), "rtr");
  cfg.size--;
  ck_assert_str_eq(iwarp_endpoint_cfg_error(&cfg), "size");
  ck_assert_str_eq(iwarp_endpoint_cfg_error(NULL), "size");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_send_that_was_sent_is_refused,
                                a_ready_to_receive_read_is_not_answered,
                                the_clock_starts_when_it_is_read,
                                the_clock_was_read_before,
                                causes_have_names,
                                members_that_fit_each_other,
                                a_member_that_is_missing_is_named,
                                NULL};
  Suite *suite = check_suite("stream_ep_end", tests);
  TCase *t = tcase_create("each");
  tcase_add_loop_test(t, each_end_has_its_result, 0, (int)(sizeof endings / sizeof endings[0]));
  tcase_add_loop_test(t, an_operation_is_refused, 0, (int)(sizeof refusals / sizeof refusals[0]));
  tcase_add_loop_test(t, a_half_that_is_closed, 0, (int)(sizeof halves / sizeof halves[0]));
  tcase_add_loop_test(t, a_request_is_sent_before_the_end, 0, 21);
  tcase_add_loop_test(t, a_reply_is_sent_before_the_end, 0, 2);
  tcase_add_loop_test(t, closed_after_a_reject, 0, 4);
  tcase_add_loop_test(t, a_rejecting_reply_is_sent, 0, 4);
  tcase_add_loop_test(t, a_rejecting_reply_has_a_deadline, 0, 2);
  tcase_add_loop_test(t, a_rejecting_reply_that_is_sent_has_no_deadline, 0, 2);
  tcase_add_loop_test(t, a_rejecting_reply_is_lost, 0, 2);
  tcase_add_loop_test(t, idle_counts_from_the_first_time, 0, 2);
  tcase_add_loop_test(t, a_wrong_member_is_named, 0,
                      (int)(sizeof wrong_members / sizeof wrong_members[0]));
  suite_add_tcase(suite, t);
  return check_run(suite);
}
