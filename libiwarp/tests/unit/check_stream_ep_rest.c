/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint whose caller keeps what there is of an FPDU that is not whole: leave_rest. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"

#define LEN 4000u
#define STAG 6u

/* Both ends, and what the Initiator sends once they have joined: a Write and a Send. */
typedef struct stream_pair {
  ep_host *i;
  ep_host *r;
  uint8_t source[LEN];
  uint8_t octets[2 * LEN + 1024];
  size_t len;
  const uint8_t *from; /* what is pushed */
  const uint8_t *to;
} stream_pair;

/* The sources of PLACE lie in what was pushed. */
static void not_copied(void *context, size_t who, const iwarp_endpoint_event *ev) {
  const stream_pair *p = context;
  (void)who;
  if (ev->kind == IWARP_ENDPOINT_EVENT_PLACE) {
    for (size_t i = 0; i < ev->u.place.num_runs; i++) {
      const iwarp_span src = ev->u.place.runs[i].src;
      expect(src.ptr >= p->from && src.ptr + src.len <= p->to, "a copy of the octets");
    }
  }
}

static stream_pair *stream_pair_new(bool markers) {
  stream_pair *p = calloc(1, sizeof *p);
  const iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  b.markers = markers;
  b.leave_rest = true;
  ck_assert_ptr_nonnull(p);
  p->i = ep_host_new(&a);
  p->r = ep_host_new(&b);
  p->r->hook = not_copied;
  p->r->context = p;
  for (size_t k = 0; k < LEN; k++) {
    p->source[k] = (uint8_t)(k * 7 + k / 256);
  }
  const iwarp_span part = {p->source, LEN};
  const iwarp_tx_payload payload = {&part, 1};
  const iwarp_endpoint_region v = {
      .stag = STAG, .pd = 7, .len = LEN, .mem = p->r->mem, .access = IWARP_ACCESS_REMOTE_WRITE};
  ok(iwarp_endpoint_register(p->r->ep, &v));
  ok(iwarp_endpoint_recv(p->r->ep, 1, p->r->mem + LEN, LEN));
  ep_join(p->i, p->r);
  ok(iwarp_endpoint_write(p->i->ep, 1, STAG, 0, payload));
  ok(iwarp_endpoint_send(p->i->ep, 2, IWARP_RDMAP_OP_SEND, 0, payload));
  p->len = ep_host_pull(p->i, p->octets, sizeof p->octets);
  return p;
}

static void stream_pair_free(stream_pair *p) {
  ep_host_free(p->i);
  ep_host_free(p->r);
  free(p);
}

/* Pushes up to octet `end` what the endpoint has not taken, and returns where that begins now. */
static size_t push(stream_pair *p, size_t begin, size_t end) {
  const uint64_t before = iwarp_endpoint_rx_offset(p->r->ep);
  uint8_t *copy = malloc(end - begin + 1);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, &p->octets[begin], end - begin);
  ok(iwarp_endpoint_push(p->r->ep, (iwarp_span){copy, end - begin}));
  p->from = copy;
  p->to = copy + (end - begin);
  ep_host_run(p->r);
  expect(iwarp_endpoint_taken(p->r->ep) == iwarp_endpoint_rx_offset(p->r->ep) - before,
         "the octets that were taken");
  free(copy);
  return begin + (size_t)(iwarp_endpoint_rx_offset(p->r->ep) - before);
}

static void check_all(const stream_pair *p) {
  ck_assert_uint_eq(p->r->placed, 2 * LEN);
  ck_assert_mem_eq(p->r->mem, p->source, LEN);
  ck_assert_mem_eq(p->r->mem + LEN, p->source, LEN);
  ck_assert_uint_eq(ep_host_count(p->r, IWARP_ENDPOINT_EVENT_RECV), 1);
  ck_assert_int_eq(iwarp_endpoint_info_get(p->r->ep)->state, IWARP_ENDPOINT_FULL);
}

/* However the stream is cut, no octet of it is copied before PLACE. */
START_TEST(nothing_is_copied)
{
  for (size_t step = 1; step < 9000; step = step < 40 ? step + 1 : step * 5 / 4) {
    stream_pair *p = stream_pair_new(_i != 0);
    size_t begin = 0;
    for (size_t end = 0; end < p->len;) {
      end = end + step < p->len ? end + step : p->len;
      begin = push(p, begin, end);
      expect(begin <= end, "step %zu: took %zu of %zu octets", step, begin, end);
    }
    expect(begin == p->len, "step %zu: took %zu of %zu octets", step, begin, p->len);
    check_all(p);
    stream_pair_free(p);
  }
}
END_TEST

/* Where the Send begins. */
static size_t send_at(const stream_pair *p) {
  size_t at = 0;
  for (iwarp_mpa_fpdu v; (p->octets[at + 3] & 15) == IWARP_RDMAP_OP_WRITE;) {
    at += iwarp_mpa_fpdu_decode(&v, (iwarp_span){p->octets + at, p->len - at}, at, false).used;
  }
  return at;
}

/* What is left is the beginning of an FPDU: the end of the stream comes too early there. */
START_TEST(the_end_comes_inside_an_fpdu)
{
  for (size_t part = 1; part < 64; part++) {
    stream_pair *p = stream_pair_new(false);
    const size_t at = send_at(p);
    ck_assert_uint_eq(push(p, 0, at + part), at);
    ck_assert_int_eq(iwarp_endpoint_info_get(p->r->ep)->state, IWARP_ENDPOINT_FULL);
    ok(iwarp_endpoint_eof(p->r->ep));
    ep_host_run(p->r);
    ck_assert_int_eq(ep_host_last(p->r, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.cause,
                     IWARP_ENDPOINT_CAUSE_FIN);
    stream_pair_free(p);
  }
}
END_TEST

START_TEST(the_end_comes_between_fpdus)
{
  stream_pair *p = stream_pair_new(false);
  ck_assert_uint_eq(push(p, 0, 30), 0);
  ck_assert_uint_eq(push(p, 0, p->len), p->len);
  check_all(p);
  ok(iwarp_endpoint_eof(p->r->ep));
  ep_host_run(p->r);
  ck_assert_uint_eq(ep_host_count(p->r, IWARP_ENDPOINT_EVENT_CLOSED), 0);
  ck_assert_uint_eq(ep_host_count(p->r, IWARP_ENDPOINT_EVENT_PEER_ENDED), 1);
  stream_pair_free(p);
}
END_TEST

/* After the end nothing is left: octets that no handler took are discarded. */
START_TEST(nothing_is_left_after_the_end)
{
  stream_pair *p = stream_pair_new(false);
  p->octets[40] ^= 1; /* the CRC of the first FPDU is wrong */
  ck_assert_uint_eq(push(p, 0, 30), 0);
  ck_assert_uint_eq(push(p, 0, 3000), 3000);
  ck_assert_uint_eq(ep_host_count(p->r, IWARP_ENDPOINT_EVENT_FAULT), 1);
  ck_assert_uint_eq(push(p, 3000, p->len), p->len);
  stream_pair_free(p);
}
END_TEST

/* Octets that came before the ULP has accepted are the engine's, and so is what of them is no whole
 * FPDU. */
START_TEST(held_octets_are_not_left)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  cfg.rev = 1;
  cfg.leave_rest = true;
  for (size_t cut = 1; cut <= 52; cut++) {
    uint8_t octets[256];
    size_t at;
    ep_host *h = ep_host_new(&cfg);
    iwarp_mpa_startup f = {.rev = 1, .flags = IWARP_MPA_FLAG_C};
    memcpy(f.key, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), sizeof f.key);
    ok(iwarp_mpa_startup_encode(octets, sizeof octets, &at, &f));
    const uint8_t ulpdu[18 + 30] = {0x41, 0x43, [9] = 0, [13] = 1, [18] = 'x'};
    const iwarp_mpa_fpdu_desc fpdu = {.ulpdu = {ulpdu, sizeof ulpdu}};
    size_t len;
    ok(iwarp_mpa_fpdu_encode(octets + at, sizeof octets - at, &len, &fpdu));
    len += at;
    ok(iwarp_endpoint_recv(h->ep, 1, h->mem, 64));
    ok(iwarp_endpoint_connect(h->ep, (iwarp_span){0}));
    ck_assert_uint_gt(ep_host_pull(h, (uint8_t[64]){0}, 64), 0);
    ep_host_push(h, octets, at + cut, at + cut);
    ck_assert_uint_eq(iwarp_endpoint_rx_offset(h->ep), at + cut);
    ok(iwarp_endpoint_accept(h->ep, (iwarp_span){0}));
    ep_host_run(h);
    expect(iwarp_endpoint_rx_offset(h->ep) == at + cut, "cut %zu", cut);
    if (at + cut < len) {
      ep_host_push(h, octets + at + cut, len - at - cut, len);
    }
    expect(iwarp_endpoint_rx_offset(h->ep) == len, "cut %zu", cut);
    expect(h->placed == 30 && h->mem[0] == 'x', "cut %zu: %zu placed", cut, h->placed);
    ep_host_free(h);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream-ep-rest");
  TCase *t = tcase_create("rest");
  tcase_add_loop_test(t, nothing_is_copied, 0, 2);
  tcase_add_test(t, the_end_comes_inside_an_fpdu);
  tcase_add_test(t, the_end_comes_between_fpdus);
  tcase_add_test(t, nothing_is_left_after_the_end);
  tcase_add_test(t, held_octets_are_not_left);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
