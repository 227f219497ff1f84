/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of a Responder that come before the Initiator has sent one. RFC 5044 7.1.2 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "ep_host.h"

#define BIG 3000u  /* octets of a Write */
#define TEXT 5u    /* octets of the Send after it */
#define WINDOW 512 /* where the Write goes to in the memory of the Initiator */

static const iwarp_span nothing = {0};

static iwarp_endpoint_state state_of(const ep_host *h) {
  return iwarp_endpoint_info_get(h->ep)->state;
}

/* What a Responder says all at once: an accepting Reply of Rev 1, a Write and a Send. */
typedef struct speech {
  uint8_t octets[8192];
  size_t reply; /* octets of the Reply */
  size_t len;
  uint8_t big[BIG];
} speech;

static void speak(speech *s, bool markers, uint8_t flags) {
  static const uint8_t text[] = "hello";
  iwarp_mpa_startup f = {.rev = 1, .flags = flags};
  memcpy(f.key, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), sizeof f.key);
  ok(iwarp_mpa_startup_encode(s->octets, sizeof s->octets, &s->reply, &f));
  const iwarp_tx_cfg cfg = {
      .size = sizeof cfg, .markers = markers, .crc = true, .emss = 1000, .num_messages = 2};
  void *mem = malloc(iwarp_tx_size(&cfg));
  iwarp_tx *tx;
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  ok(iwarp_tx_init(&tx, mem, iwarp_tx_size(&cfg), &cfg));
  for (size_t i = 0; i < BIG; i++) {
    s->big[i] = (uint8_t)(i * 7);
  }
  const iwarp_span big = {s->big, BIG};
  const iwarp_span small = {text, TEXT};
  ok(iwarp_tx_write(tx, 0, 6, 0, (iwarp_tx_payload){.parts = &big, .num_parts = 1}));
  ok(iwarp_tx_send(tx, 0, IWARP_RDMAP_OP_SEND, 0,
                   (iwarp_tx_payload){.parts = &small, .num_parts = 1}));
  s->len = s->reply;
  while (iwarp_tx_next_output(tx, spans, IWARP_TX_SPANS_MIN, &out) == IWARP_OK) {
    for (size_t i = 0; i < out.num_spans; i++) {
      memcpy(&s->octets[s->len], spans[i].ptr, spans[i].len);
      s->len += spans[i].len;
    }
    ok(iwarp_tx_advance(tx, out.len));
  }
  free(mem);
}

static iwarp_endpoint_cfg plain(void) {
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  cfg.rev = 1;
  return cfg;
}

/* An Initiator whose Request is out, with a place for all later octets. */
static ep_host *begun(const iwarp_endpoint_cfg *cfg) {
  uint8_t octets[64];
  ep_host *h = ep_host_new(cfg);
  const iwarp_endpoint_region v = {
      .stag = 6, .pd = 7, .len = BIG, .mem = h->mem + WINDOW, .access = IWARP_ACCESS_REMOTE_WRITE};
  ok(iwarp_endpoint_register(h->ep, &v));
  ok(iwarp_endpoint_recv(h->ep, 9, h->mem, 16));
  ok(iwarp_endpoint_connect(h->ep, nothing));
  ck_assert_uint_eq(ep_host_pull(h, octets, sizeof octets), IWARP_MPA_STARTUP_LEN);
  return h;
}

/* All of it arrived, and the connection goes on. */
static void check_heard(ep_host *h, const speech *s) {
  uint8_t octets[64];
  ep_host_run(h);
  const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_RECV);
  ck_assert(ev != NULL && ev->u.recv.token == 9 && ev->u.recv.len == TEXT);
  ck_assert_mem_eq(h->mem, "hello", TEXT);
  ck_assert_mem_eq(h->mem + WINDOW, s->big, BIG);
  ck_assert_uint_eq(h->placed, BIG + TEXT);
  ck_assert_int_eq(state_of(h), IWARP_ENDPOINT_FULL);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(h->ep), s->len);
  ok(iwarp_endpoint_send(h->ep, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
  ck_assert_uint_gt(ep_host_pull(h, octets, sizeof octets), 0);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_DONE), 1);
  ok(iwarp_endpoint_close(h->ep));
  ep_host_run(h);
  ok(iwarp_endpoint_eof(h->ep));
  ep_host_run(h);
  ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev->u.closed.err == IWARP_OK && ev->u.closed.cause == IWARP_ENDPOINT_CAUSE_ORDERLY);
}

/* ---- received: rfc5044-7.1.2-22 ---- */

static const size_t pieces[] = {1, 19, 20, 21, 33, 600, 8192};

/* The ULP accepts before the first FPDU comes. */
START_TEST(after_accept)
{
  speech s;
  iwarp_endpoint_cfg cfg = plain();
  cfg.markers = (_i & 1) != 0;
  speak(&s, cfg.markers, 0);
  ep_host *h = begun(&cfg);
  ep_host_push(h, s.octets, s.reply, s.reply);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  ep_host_push(h, &s.octets[s.reply], s.len - s.reply, pieces[_i / 2]);
  check_heard(h, &s);
  ep_host_free(h);
}
END_TEST

/* The ULP accepts when all has come: it is held, in whatever pieces. */
START_TEST(before_accept)
{
  speech s;
  iwarp_endpoint_cfg cfg = plain();
  cfg.markers = (_i & 1) != 0;
  speak(&s, cfg.markers, 0);
  ep_host *h = begun(&cfg);
  ep_host_push(h, s.octets, s.len, pieces[_i / 2]);
  ck_assert_int_eq(state_of(h), IWARP_ENDPOINT_REPLY_PENDING);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(h->ep), s.len);
  ck_assert_uint_eq(h->num_log, 1);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  check_heard(h, &s);
  ep_host_free(h);
}
END_TEST

/* Some of it came before: an FPDU may be cut anywhere. */
START_TEST(cut_by_accept)
{
  speech s;
  const iwarp_endpoint_cfg cfg = plain();
  speak(&s, false, 0);
  for (size_t cut = s.reply + (size_t)_i; cut < s.len; cut += 50) {
    ep_host *h = begun(&cfg);
    ep_host_push(h, s.octets, cut, cut);
    ok(iwarp_endpoint_accept(h->ep, nothing));
    ep_host_run(h);
    ep_host_push(h, &s.octets[cut], s.len - cut, s.len);
    check_heard(h, &s);
    ep_host_free(h);
  }
}
END_TEST

/* The ULP accepts as soon as the Request is reported. */
START_TEST(accept_at_once)
{
  speech s;
  iwarp_endpoint_event ev;
  const iwarp_endpoint_cfg cfg = plain();
  speak(&s, false, 0);
  ep_host *h = begun(&cfg);
  ok(iwarp_endpoint_push(h->ep, (iwarp_span){s.octets, s.len}));
  ok(iwarp_endpoint_next_event(h->ep, &ev));
  ck_assert_int_eq(ev.kind, IWARP_ENDPOINT_EVENT_REPLY);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  check_heard(h, &s);
  ep_host_free(h);
}
END_TEST

/* The largest FPDU that the configuration allows has room, however small that is. */
START_TEST(room)
{
  speech s;
  iwarp_endpoint_cfg cfg = plain();
  cfg.max_ulpdu = 1000;
  speak(&s, false, 0);
  ep_host *h = begun(&cfg);
  ep_host_push(h, s.octets, s.reply, s.reply);
  size_t at = s.reply;
  while (iwarp_endpoint_push(h->ep, (iwarp_span){&s.octets[at], 1}) == IWARP_OK) {
    ep_host_run(h);
    at++;
  }
  ck_assert_uint_eq(at - s.reply, 1000 + 2 + 3 + 4); /* ULPDU_Length, the longest PAD, CRC */
  ck_assert_int_eq(iwarp_endpoint_push(h->ep, (iwarp_span){&s.octets[at], 1}), IWARP_ERR_NOBUF);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(h->ep), at);
  ok(iwarp_endpoint_push(h->ep, nothing)); /* there is always room for nothing */
  ep_host_run(h);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  ep_host_run(h);
  ep_host_push(h, &s.octets[at], s.len - at, s.len);
  check_heard(h, &s);
  ep_host_free(h);
}
END_TEST

/* More came with the Reply than there is room for, and the ULP did not accept at once. */
START_TEST(no_room)
{
  speech s;
  iwarp_endpoint_cfg cfg = plain();
  cfg.max_ulpdu = 1000;
  speak(&s, false, 0);
  ep_host *h = begun(&cfg);
  ep_host_push(h, s.octets, s.len, s.len);
  const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.disconnect && !ev->u.closed.retry_plain);
  ck_assert_int_eq(ev->u.closed.err, IWARP_ERR_FAULT);
  ck_assert_int_eq(ev->u.closed.cause, IWARP_ENDPOINT_CAUSE_EARLY);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_FAULT), 0);
  ep_host_free(h);
}
END_TEST

/* The ULP does not accept: the received octets belong to it. rfc5044-7.1.2-19 */
START_TEST(rejected_by_ulp)
{
  speech s;
  const iwarp_endpoint_cfg cfg = plain();
  speak(&s, false, 0);
  ep_host *h = begun(&cfg);
  ep_host_push(h, s.octets, s.reply + 40, 30);
  ok(iwarp_endpoint_reject(h->ep, nothing));
  ep_host_run(h);
  ck_assert_int_eq(state_of(h), IWARP_ENDPOINT_DETACHED);
  ck_assert_uint_eq(h->num_streamed, 40);
  ck_assert_mem_eq(h->streamed, &s.octets[s.reply], 40);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(h->ep), s.reply + 40);
  ep_host_free(h);
}
END_TEST

/* A Responder may have nothing to say but a Terminate. */
START_TEST(terminate_first)
{
  static const uint8_t octets[] = {0x00, 0x16, 0x41, 0x47, 0,    0,    0,    0,   0, 0,
                                   0,    2,    0,    0,    0,    1,    0,    0,   0, 0,
                                   0x20, 0x05, 0,    0,    0x16, 0x80, 0xD5, 0xF1};
  speech s;
  const iwarp_endpoint_cfg cfg = plain();
  speak(&s, false, 0);
  ep_host *h = begun(&cfg);
  memcpy(&s.octets[s.reply], octets, sizeof octets);
  ep_host_push(h, s.octets, s.reply + sizeof octets, s.len);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  ep_host_run(h);
  const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_TERMINATED);
  ck_assert(ev != NULL && ev->u.terminated.readable && ev->u.terminated.term.code == 5);
  ep_host_free(h);
}
END_TEST

/* ---- strict ---- */

static const uint8_t term_2_0_5[] = {0x00, 0x16, 0x41, 0x47, 0,    0,    0,    0,   0, 0,
                                     0,    2,    0,    0,    0,    1,    0,    0,   0, 0,
                                     0x20, 0x05, 0,    0,    0x16, 0x80, 0xD5, 0xF1};

/* A Terminate tells of it, and the end has a cause of its own. */
START_TEST(strict)
{
  speech s;
  uint8_t octets[128];
  iwarp_endpoint_cfg cfg = plain();
  cfg.strict_first_fpdu = true;
  speak(&s, false, 0);
  ep_host *h = begun(&cfg);
  ep_host_push(h, s.octets, s.reply + (size_t)_i, s.len);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  ep_host_run(h);
  ck_assert_int_eq(state_of(h), _i == 0 ? IWARP_ENDPOINT_FULL : IWARP_ENDPOINT_TERMINATING);
  ep_host_push(h, &s.octets[s.reply + (size_t)_i], s.len - s.reply - (size_t)_i, s.len);
  const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_FAULT);
  ck_assert(ev != NULL && ev->u.fault.sent);
  ck_assert(ev->u.fault.layer == 2 && ev->u.fault.etype == 0 && ev->u.fault.code == 5);
  ck_assert_uint_eq(ep_host_pull(h, octets, sizeof octets), sizeof term_2_0_5);
  ck_assert_mem_eq(octets, term_2_0_5, sizeof term_2_0_5);
  ok(iwarp_endpoint_eof(h->ep));
  ep_host_run(h);
  ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.err == IWARP_ERR_FAULT);
  ck_assert_int_eq(ev->u.closed.cause, IWARP_ENDPOINT_CAUSE_EARLY);
  ck_assert_uint_eq(h->placed, 0);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_FAULT), 1);
  ep_host_free(h);
}
END_TEST

/* When this half is closed there is no Terminate. */
START_TEST(strict_and_closed)
{
  speech s;
  iwarp_endpoint_cfg cfg = plain();
  cfg.strict_first_fpdu = true;
  speak(&s, false, 0);
  ep_host *h = begun(&cfg);
  ep_host_push(h, s.octets, s.reply, s.reply);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  ok(iwarp_endpoint_close(h->ep));
  ep_host_run(h);
  ck_assert_int_eq(state_of(h), IWARP_ENDPOINT_LOCAL_CLOSED);
  ep_host_push(h, &s.octets[s.reply], s.len - s.reply, s.len);
  const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.disconnect);
  ck_assert_int_eq(ev->u.closed.cause, IWARP_ENDPOINT_CAUSE_EARLY);
  ck_assert(!ep_host_last(h, IWARP_ENDPOINT_EVENT_FAULT)->u.fault.sent);
  ep_host_free(h);
}
END_TEST

/* It is no fault when this side has sent its first FPDU. */
START_TEST(strict_and_in_turn)
{
  speech s;
  uint8_t octets[64];
  iwarp_endpoint_cfg cfg = plain();
  cfg.strict_first_fpdu = true;
  speak(&s, false, 0);
  ep_host *h = begun(&cfg);
  ep_host_push(h, s.octets, s.reply, s.reply);
  ok(iwarp_endpoint_accept(h->ep, nothing));
  ok(iwarp_endpoint_push(h->ep, nothing)); /* an empty push is not early */
  ep_host_run(h);
  ok(iwarp_endpoint_write(h->ep, 1, 0, 0, (iwarp_tx_payload){0}));
  ck_assert_uint_gt(ep_host_pull(h, octets, sizeof octets), 0);
  ep_host_push(h, &s.octets[s.reply], s.len - s.reply, s.len);
  ck_assert_uint_eq(h->placed, BIG + TEXT);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_FAULT), 0);
  ep_host_free(h);
}
END_TEST

int main(void) {
  const int num = 2 * (int)(sizeof pieces / sizeof pieces[0]);
  Suite *suite = suite_create("stream_ep_early");
  TCase *t = tcase_create("early");
  tcase_add_loop_test(t, after_accept, 0, num);
  tcase_add_loop_test(t, before_accept, 0, num);
  tcase_add_loop_test(t, cut_by_accept, 1, 50);
  tcase_add_test(t, accept_at_once);
  tcase_add_test(t, room);
  tcase_add_test(t, no_room);
  tcase_add_test(t, rejected_by_ulp);
  tcase_add_test(t, terminate_first);
  tcase_add_loop_test(t, strict, 0, 3);
  tcase_add_test(t, strict_and_closed);
  tcase_add_test(t, strict_and_in_turn);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
