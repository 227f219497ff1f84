/* SPDX-License-Identifier: BSD-2-Clause */
/* A Terminate that comes while FPDUs go out: the one under way is finished. RFC 5040 5.4, 6.2.1 */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "ep_wire.h"

#define BIG 1500u       /* octets of a Write, or of a Read Response */
#define HUGE_LEN 70000u /* of a Write whose first FPDU is the largest one */
#define STAG 6u
#define TOKENS 4u

static uint8_t payload[HUGE_LEN];

/* How the FPDUs lie in transport segments, and what they are of. */
typedef struct plan {
  uint32_t emss;
  uint32_t write; /* octets of the Write */
  size_t step;    /* octets from one cut to the next */
  bool pack;
  bool read; /* a Read Response is among them */
} plan;

static const plan plans[] = {{1460, BIG, 7, true, false}, {400, BIG, 7, false, false},
                             {400, BIG, 7, true, false},  {400, BIG, 7, true, true},
                             {4000, BIG, 7, true, true},  {200000, HUGE_LEN, 611, true, false}};

/* Messages of one segment before and after one of several. */
static wire begin(const plan *v) {
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.emss = v->emss;
  cfg.pack = v->pack;
  cfg.num_regions = 6;
  wire w = wire_of(&cfg);
  const iwarp_span small = {payload, 10};
  const iwarp_span big = {payload, v->write};
  const iwarp_endpoint_region r = {.stag = STAG,
                                   .pd = 7,
                                   .len = BIG,
                                   .mem = w.h->mem + 4096,
                                   .access = IWARP_ACCESS_REMOTE_READ};
  ok(iwarp_endpoint_register(w.h->ep, &r));
  if (v->read) {
    const seg s =
        read_seg((iwarp_rdmap_read_req){.sink_stag = 9, .size = BIG, .source_stag = STAG});
    wire_seg(&w, &s);
  }
  ok(iwarp_endpoint_send(w.h->ep, 0, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&small, 1}));
  ok(iwarp_endpoint_write(w.h->ep, 1, 9, 0, (iwarp_tx_payload){&big, 1}));
  ok(iwarp_endpoint_send(w.h->ep, 2, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&small, 1}));
  ok(iwarp_endpoint_send(w.h->ep, 3, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
  return w;
}

static void push_terminate(wire *w) {
  const seg s = {.opcode = IWARP_RDMAP_OP_TERMINATE, .qn = 2, .len = 4, .inner = {0x20, 5}};
  wire_seg(w, &s);
}

/*
 * The octets are whole FPDUs. Which operations ended in them: those whose last segment is there, in
 * the order of Sends by their MSN (the first one went before), and the Write.
 */
static void whole(const uint8_t *octets, size_t n, bool ended[TOKENS]) {
  iwarp_mpa_fpdu fpdu;
  iwarp_rdmap_seg got;
  size_t at = 0;
  memset(ended, 0, TOKENS * sizeof ended[0]);
  while (at < n) {
    const iwarp_span rest = {&octets[at], n - at};
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&fpdu, rest, at, false).err, IWARP_OK);
    ck_assert_uint_eq(iwarp_mpa_fpdu_crc(&fpdu), fpdu.crc);
    iwarp_rdmap_seg_decode(&got, (iwarp_span){&octets[at + 2], fpdu.ulpdu_length},
                           fpdu.ulpdu_length);
    if (got.ctrl.opcode == IWARP_RDMAP_OP_WRITE) {
      ended[1] = got.ddp.last;
    } else if (got.ctrl.opcode == IWARP_RDMAP_OP_SEND) {
      ended[got.ddp.msn == 2 ? 0 : got.ddp.msn - 1] = true;
    }
    at += fpdu.wire.len;
  }
}

/* Every operation completes once, in order, and well if it went out. */
static void check_done(const wire *w, const bool ended[TOKENS]) {
  uint64_t token = 0;
  for (size_t i = 0; i < w->h->num_log; i++) {
    const iwarp_endpoint_event *ev = &w->h->log[i];
    if (ev->kind == IWARP_ENDPOINT_EVENT_DONE) {
      ck_assert_uint_eq(ev->u.done.token, token);
      ck_assert_int_eq(ev->u.done.err, ended[token] ? IWARP_OK : IWARP_ERR_FLUSHED);
      token++;
    }
  }
  ck_assert_uint_eq(token, TOKENS);
}

static bool shut_down(const wire *w) {
  return ep_host_count(w->h, IWARP_ENDPOINT_EVENT_SHUTDOWN) > 0;
}

/* At octets all over what goes out: between FPDUs, in the first and in the last of a message. */
START_TEST(anywhere)
{
  const plan *v = &plans[_i];
  static uint8_t octets[HUGE_LEN + 8192];
  bool ended[TOKENS];
  wire w = begin(v); /* how much it is without a Terminate */
  const size_t total = ep_host_pull(w.h, octets, sizeof octets);
  wire_free(&w);
  ck_assert_uint_gt(total, v->write);
  for (size_t cut = 0; cut <= total; cut += cut == 0 ? 5 : v->step) {
    w = begin(v);
    const size_t n = ep_host_pull(w.h, octets, cut);
    push_terminate(&w);
    ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_TERMINATED), 1);
    const bool at_once = shut_down(&w);
    const size_t more = ep_host_pull(w.h, &octets[n], sizeof octets - n);
    ck_assert(at_once == (more == 0));
    ck_assert_int_eq(iwarp_endpoint_info_get(w.h->ep)->state, IWARP_ENDPOINT_TERMINATED);
    ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_SHUTDOWN), 1);
    whole(octets, n + more, ended);
    check_done(&w, ended);
    ok(iwarp_endpoint_deregister(w.h->ep, STAG)); /* no Response borrows it */
    ok(iwarp_endpoint_eof(w.h->ep));
    ep_host_run(w.h);
    ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.err,
                     IWARP_ERR_TERMINATED);
    wire_free(&w);
  }
}
END_TEST

/* What was reported to the transport beyond that FPDU is taken back. */
START_TEST(handed_out_and_not_taken)
{
  wire w = begin(&plans[4]);
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  ok(iwarp_endpoint_next_output(w.h->ep, spans, IWARP_TX_SPANS_MIN, &out));
  ck_assert_uint_gt(out.num_fpdus, 1);
  ok(iwarp_endpoint_advance(w.h->ep, 1));
  const size_t handed = out.len - 1;
  push_terminate(&w);
  ck_assert_int_eq(iwarp_endpoint_advance(w.h->ep, handed), IWARP_ERR_ARG);
  ok(iwarp_endpoint_next_output(w.h->ep, spans, IWARP_TX_SPANS_MIN, &out));
  ck_assert(out.num_fpdus == 1 && out.len < handed && out.segment_end);
  ok(iwarp_endpoint_advance(w.h->ep, out.len));
  ep_host_run(w.h);
  ck_assert(shut_down(&w));
  wire_free(&w);
}
END_TEST

/* The peer may not take it any more: the time bounds it, and the peer's end does not need it. */
START_TEST(not_taken)
{
  uint8_t octets[8192];
  wire w = begin(&plans[4]);
  (void)ep_host_pull(w.h, octets, 5);
  push_terminate(&w);
  ck_assert_int_eq(iwarp_endpoint_info_get(w.h->ep)->state, IWARP_ENDPOINT_TERMINATING);
  if (_i == 0) {
    iwarp_endpoint_time(w.h->ep, 1);
    iwarp_endpoint_time(w.h->ep, iwarp_endpoint_deadline(w.h->ep));
  } else {
    ok(iwarp_endpoint_eof(w.h->ep));
    ep_host_run(w.h);
    (void)ep_host_pull(w.h, octets, sizeof octets);
  }
  ep_host_run(w.h);
  const iwarp_endpoint_event *ev = ep_host_last(w.h, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.disconnect == (_i == 0));
  ck_assert_int_eq(ev->u.closed.cause, IWARP_ENDPOINT_CAUSE_TERMINATE); /* the first one counts */
  ck_assert_int_eq(ev->u.closed.err, IWARP_ERR_TERMINATED);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_DONE), TOKENS);
  wire_free(&w);
}
END_TEST

/* The peer's next Read Request, for the octets of a region that the endpoint gets for it. */
static void push_read(wire *w, uint32_t stag, uint32_t msn) {
  const iwarp_endpoint_region r = {.stag = stag,
                                   .pd = 7,
                                   .len = BIG,
                                   .mem = w->h->mem + 4096,
                                   .access = IWARP_ACCESS_REMOTE_READ};
  ok(iwarp_endpoint_register(w->h->ep, &r));
  seg s = read_seg((iwarp_rdmap_read_req){.sink_stag = 9, .size = BIG, .source_stag = stag});
  s.msn = msn;
  wire_seg(w, &s);
}

/*
 * A Response whose FPDU is under way stays, those after it are over: their regions are free at
 * once, in any order, and its own when the transport took the FPDU.
 */
START_TEST(responses_after_it)
{
  uint8_t octets[8192];
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.emss = 1460;
  cfg.ird = 4;
  cfg.num_regions = 16;
  wire w = wire_of(&cfg);
  for (uint32_t i = 0; i < 3; i++) {
    push_read(&w, STAG + i, 1 + i);
  }
  (void)ep_host_pull(w.h, octets, 5); /* of the first one's first FPDU */
  push_terminate(&w);
  ck_assert_int_eq(iwarp_endpoint_info_get(w.h->ep)->state, IWARP_ENDPOINT_TERMINATING);
  ok(iwarp_endpoint_deregister(w.h->ep, STAG + (_i == 0 ? 1 : 2)));
  ok(iwarp_endpoint_revoke(w.h->ep, STAG + (_i == 0 ? 2 : 1)));
  ep_host_run(w.h);
  ck_assert_int_eq(iwarp_endpoint_deregister(w.h->ep, STAG), IWARP_ERR_STATE);
  ok(iwarp_endpoint_deregister(w.h->ep, STAG + (_i == 0 ? 2 : 1)));
  ck_assert_int_eq(iwarp_endpoint_info_get(w.h->ep)->state, IWARP_ENDPOINT_TERMINATING);
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  ck_assert(shut_down(&w));
  ok(iwarp_endpoint_deregister(w.h->ep, STAG));
  wire_free(&w);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream_ep_cut");
  TCase *t = tcase_create("cut");
  tcase_add_loop_test(t, anywhere, 0, (int)(sizeof plans / sizeof plans[0]));
  tcase_add_test(t, handed_out_and_not_taken);
  tcase_add_loop_test(t, not_taken, 0, 2);
  tcase_add_loop_test(t, responses_after_it, 0, 2);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
