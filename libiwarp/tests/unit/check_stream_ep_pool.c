/* SPDX-License-Identifier: BSD-2-Clause */
/* Endpoints and transmit engines that take from a pool what their connection needs at the time. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"
#include "test_pool.h"

static const iwarp_span nothing = {0};
static uint8_t payload[3000];

/* A configuration whose endpoint takes of `pool`. */
static iwarp_endpoint_cfg pooled(iwarp_role role, const test_pool *pool) {
  iwarp_endpoint_cfg cfg = ep_cfg(role);
  cfg.pool = &pool->pool;
  return cfg;
}

static void send(ep_host *h, uint64_t token, size_t len) {
  const iwarp_span part = {payload, len};
  ok(iwarp_endpoint_send(h->ep, token, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&part, 1}));
}

/* Two endpoints in Full Operation, each with a receive buffer. */
typedef struct fixture {
  test_pool pool;
  ep_host *i;
  ep_host *r;
} fixture;

static fixture *fixture_new(unsigned fail_every) {
  fixture *f = calloc(1, sizeof *f);
  ck_assert_ptr_nonnull(f);
  test_pool_begin(&f->pool, 0);
  iwarp_endpoint_cfg cfg = pooled(IWARP_ROLE_INITIATOR, &f->pool);
  f->i = ep_host_new(&cfg);
  cfg = pooled(IWARP_ROLE_RESPONDER, &f->pool);
  f->r = ep_host_new(&cfg);
  ok(iwarp_endpoint_recv(f->r->ep, 1, f->r->mem, sizeof payload));
  ep_join(f->i, f->r);
  f->pool.fail_every = fail_every;
  return f;
}

static void fixture_free(fixture *f) {
  iwarp_endpoint_release(f->i->ep);
  iwarp_endpoint_release(f->r->ep);
  ck_assert_uint_eq(f->pool.live, 0);
  ep_host_free(f->i);
  ep_host_free(f->r);
  free(f);
}

/* ---- what it takes ---- */

START_TEST(an_endpoint_without_it_has_all_that_it_may_need)
{
  test_pool pool;
  test_pool_begin(&pool, 0);
  iwarp_endpoint_cfg cfg = pooled(IWARP_ROLE_INITIATOR, &pool);
  const size_t with = iwarp_endpoint_size(&cfg);
  cfg.max_ulpdu = 65535;
  cfg.num_fpdus = 1000;
  ck_assert_uint_eq(iwarp_endpoint_size(&cfg), with);
  cfg.pool = NULL;
  ck_assert_uint_gt(iwarp_endpoint_size(&cfg), with + 65535 + 1000);
}
END_TEST

/* At rest it has nothing: not before the startup, not in Full Operation, not at the end. */
START_TEST(at_rest_it_has_nothing)
{
  fixture *f = fixture_new(0);
  ck_assert_uint_gt(f->pool.peak, 0);
  ck_assert_uint_eq(f->pool.live, 0);
  send(f->i, 1, sizeof payload);
  ck_assert_uint_eq(f->pool.live, 0);
  ep_talk(f->i, f->r, 100);
  ck_assert_uint_eq(f->pool.live, 0);
  ck_assert_mem_eq(f->r->mem, payload, sizeof payload);
  ok(iwarp_endpoint_close(f->i->ep));
  ep_host_run(f->i);
  ok(iwarp_endpoint_eof(f->r->ep));
  ok(iwarp_endpoint_close(f->r->ep));
  ep_host_run(f->r);
  ok(iwarp_endpoint_eof(f->i->ep));
  ep_host_run(f->i);
  ck_assert_uint_eq(ep_host_count(f->i, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  ck_assert_uint_eq(ep_host_count(f->r, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  ck_assert_uint_eq(f->pool.live, 0);
  fixture_free(f);
}
END_TEST

/* What waits of an FPDU is as long as that one, not as the longest. */
START_TEST(an_fpdu_in_pieces_takes_its_own_length)
{
  fixture *f = fixture_new(0);
  uint8_t octets[1600];
  send(f->i, 1, 1000);
  const size_t n = ep_host_pull(f->i, octets, sizeof octets);
  ck_assert_uint_eq(f->pool.live, 0);
  ep_host_push(f->r, octets, 1, 1);
  ck_assert_uint_lt(f->pool.live, 200);
  ep_host_push(f->r, octets + 1, n - 2, n);
  ck_assert_uint_ge(f->pool.live, n);
  ck_assert_uint_lt(f->pool.live, n + 200);
  ep_host_push(f->r, octets + n - 1, 1, 1);
  ck_assert_uint_eq(f->pool.live, 0);
  ck_assert_mem_eq(f->r->mem, payload, 1000);
  fixture_free(f);
}
END_TEST

/* All memory of an endpoint goes back with iwarp_endpoint_release, and each piece when it is not
 * needed. */
START_TEST(what_it_has_goes_back)
{
  fixture *f = fixture_new(0);
  uint8_t octets[1600];
  send(f->i, 1, 1000);
  send(f->i, 2, 1000);
  (void)ep_host_pull(f->i, octets, 500);
  ck_assert_uint_gt(f->pool.live, 0);
  ep_host_push(f->r, octets, 500, 500);
  const size_t live = f->pool.live;
  if (_i == 0) {
    ok(iwarp_endpoint_lost(f->r->ep));
  } else {
    ok(iwarp_endpoint_fail(f->r->ep, 0, 0, 0));
  }
  ep_host_run(f->r);
  ck_assert_uint_lt(f->pool.live, live);
  fixture_free(f);
}
END_TEST

/* Octets that were handed out stay where they are, however the connection ends. */
START_TEST(what_was_handed_out_stays)
{
  test_pool pool;
  test_pool_begin(&pool, 0);
  const iwarp_endpoint_cfg cfg = pooled(IWARP_ROLE_INITIATOR, &pool);
  ep_host *h = ep_host_new(&cfg);
  iwarp_span span;
  iwarp_tx_out out;
  ok(iwarp_endpoint_connect(h->ep, nothing));
  ok(iwarp_endpoint_next_output(h->ep, &span, 1, &out));
  ok(iwarp_endpoint_advance(h->ep, 3));
  ok(iwarp_endpoint_lost(h->ep));
  ep_host_run(h);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  ck_assert_mem_eq(span.ptr, "MPA ID Req Frame", 16);
  iwarp_endpoint_release(h->ep);
  ck_assert_uint_eq(pool.live, 0);
  ep_host_free(h);

  fixture *f = fixture_new(0);
  send(f->i, 1, 10);
  ok(iwarp_endpoint_next_output(f->i->ep, &span, 1, &out));
  ok(iwarp_endpoint_abort(f->i->ep));
  ep_host_run(f->i);
  ck_assert_uint_eq(span.ptr[1], 28); /* ULPDU_Length */
  fixture_free(f);
}
END_TEST

/* ---- when it has nothing ---- */

START_TEST(nothing_is_lost_when_it_has_nothing)
{
  fixture *f = fixture_new((unsigned)_i);
  for (uint64_t token = 1; token < 5; token++) {
    memset(f->r->mem, 0, sizeof payload);
    send(f->i, token, sizeof payload);
    ep_talk(f->i, f->r, 700);
    ck_assert_mem_eq(f->r->mem, payload, sizeof payload);
    ok(iwarp_endpoint_recv(f->r->ep, token, f->r->mem, sizeof payload));
  }
  ck_assert_uint_eq(ep_host_count(f->r, IWARP_ENDPOINT_EVENT_RECV), 4);
  ck_assert_uint_eq(ep_host_count(f->i, IWARP_ENDPOINT_EVENT_DONE), 4);
  ck_assert_uint_eq(f->pool.live, 0);
  fixture_free(f);
}
END_TEST

START_TEST(a_startup_waits_for_memory)
{
  test_pool pool;
  test_pool_begin(&pool, 1);
  const iwarp_endpoint_cfg a = pooled(IWARP_ROLE_INITIATOR, &pool);
  const iwarp_endpoint_cfg b = pooled(IWARP_ROLE_RESPONDER, &pool);
  ep_host *i = ep_host_new(&a);
  ep_host *r = ep_host_new(&b);
  ck_assert_int_eq(iwarp_endpoint_connect(i->ep, nothing), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_endpoint_listen(r->ep), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_endpoint_connect(r->ep, nothing), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_endpoint_info_get(i->ep)->state, IWARP_ENDPOINT_IDLE);
  pool.fail_every = 0;
  ok(iwarp_endpoint_connect(i->ep, nothing));
  ok(iwarp_endpoint_listen(r->ep));
  ck_assert_int_eq(iwarp_endpoint_listen(r->ep), IWARP_ERR_STATE);
  ck_assert_uint_gt(pool.live, 1000);
  ok(iwarp_endpoint_abort(i->ep));
  ok(iwarp_endpoint_abort(r->ep));
  ep_host_run(i);
  ep_host_run(r);
  ck_assert_uint_eq(pool.live, 0);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

START_TEST(output_waits_for_memory)
{
  fixture *f = fixture_new(0);
  iwarp_span spans[4];
  iwarp_tx_out out;
  f->pool.fail_every = 1;
  ck_assert_int_eq(iwarp_endpoint_next_output(f->i->ep, spans, 4, &out), IWARP_ERR_END);
  send(f->i, 1, 10);
  ck_assert_int_eq(iwarp_endpoint_next_output(f->i->ep, spans, 4, &out), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_endpoint_next_output(f->i->ep, spans, 4, &out), IWARP_ERR_NOBUF);
  f->pool.fail_every = 0;
  ok(iwarp_endpoint_next_output(f->i->ep, spans, 4, &out));
  const size_t live = f->pool.live;
  ck_assert_uint_gt(live, 0);
  f->pool.fail_every = 1; /* no more is wanted until all of it is taken */
  ok(iwarp_endpoint_advance(f->i->ep, 3));
  ok(iwarp_endpoint_next_output(f->i->ep, spans, 4, &out));
  ck_assert_uint_eq(f->pool.live, live);
  ok(iwarp_endpoint_advance(f->i->ep, out.len));
  ck_assert_uint_eq(f->pool.live, 0);
  fixture_free(f);
}
END_TEST

/* Octets that were pushed stay borrowed, and both calls for events say so. */
START_TEST(input_waits_for_memory)
{
  fixture *f = fixture_new(0);
  uint8_t octets[1600];
  iwarp_endpoint_event ev[2];
  size_t num;
  send(f->i, 1, 1000);
  const size_t n = ep_host_pull(f->i, octets, sizeof octets);
  f->pool.fail_every = 1;
  ok(iwarp_endpoint_push(f->r->ep, (iwarp_span){octets, n - 1}));
  ck_assert_int_eq(iwarp_endpoint_next_event(f->r->ep, ev), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_endpoint_next_events(f->r->ep, ev, 2, &num), IWARP_ERR_NOBUF);
  ck_assert_uint_eq(num, 0);
  ck_assert_int_eq(iwarp_endpoint_next_events(f->r->ep, ev, 0, &num), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_endpoint_push(f->r->ep, nothing), IWARP_ERR_STATE);
  f->pool.fail_every = 0;
  ck_assert_int_eq(iwarp_endpoint_next_event(f->r->ep, ev), IWARP_ERR_END);
  ep_host_push(f->r, octets + n - 1, 1, 1);
  ck_assert_mem_eq(f->r->mem, payload, 1000);
  f->pool.fail_every = 1; /* a whole FPDU wants no memory */
  ok(iwarp_endpoint_recv(f->r->ep, 2, f->r->mem, sizeof payload));
  f->pool.fail_every = 0;
  send(f->i, 2, 1000);
  (void)ep_host_pull(f->i, octets, sizeof octets);
  f->pool.fail_every = 1;
  ep_host_push(f->r, octets, n, n);
  ck_assert_uint_eq(ep_host_count(f->r, IWARP_ENDPOINT_EVENT_RECV), 2);
  fixture_free(f);
}
END_TEST

/* Octets that come before accept are held; without memory the caller keeps them, or asks again. */
START_TEST(what_is_held_waits_for_memory)
{
  static const uint8_t reply[] = {'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'p', ' ',  'F', 'r',
                                  'a', 'm', 'e', 0,   1,   0,   0,   0,   18,  65,  0x43, 0,   0,
                                  0,   0,   0,   0,   0,   0,   0,   0,   0,   1,   0,    0,   0};
  const size_t frame = IWARP_MPA_STARTUP_LEN;
  test_pool pool;
  test_pool_begin(&pool, 0);
  iwarp_endpoint_cfg cfg = pooled(IWARP_ROLE_INITIATOR, &pool);
  uint8_t octets[64];
  iwarp_endpoint_event ev;
  cfg.rev = 1;
  cfg.no_crc = true;
  ep_host *h = ep_host_new(&cfg);
  ok(iwarp_endpoint_connect(h->ep, nothing));
  ck_assert_uint_eq(ep_host_pull(h, octets, sizeof octets), frame);
  pool.fail_every = 1;
  if (_i == 0) { /* with the Reply */
    ok(iwarp_endpoint_push(h->ep, (iwarp_span){reply, sizeof reply}));
    ok(iwarp_endpoint_next_event(h->ep, &ev));
    ck_assert_int_eq(ev.kind, IWARP_ENDPOINT_EVENT_REPLY);
    ck_assert_int_eq(iwarp_endpoint_next_event(h->ep, &ev), IWARP_ERR_NOBUF);
    pool.fail_every = 0;
    ck_assert_int_eq(iwarp_endpoint_next_event(h->ep, &ev), IWARP_ERR_END);
  } else {
    ep_host_push(h, reply, frame, frame);
    const iwarp_span rest = {reply + frame, sizeof reply - frame};
    ok(iwarp_endpoint_push(h->ep, nothing));
    ep_host_run(h);
    ck_assert_int_eq(iwarp_endpoint_push(h->ep, rest), IWARP_ERR_NOBUF);
    pool.fail_every = 0;
    ep_host_push(h, rest.ptr, rest.len, 5);
  }
  ok(iwarp_endpoint_recv(h->ep, 1, h->mem, 8));
  ok(iwarp_endpoint_accept(h->ep, nothing));
  ep_host_run(h);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_RECV), 0);
  static const uint8_t last[] = {0, 0, 0, 0, 0};
  ep_host_push(h, last, sizeof last, 1);
  ck_assert_uint_eq(ep_host_count(h, IWARP_ENDPOINT_EVENT_RECV), 1);
  ck_assert_uint_eq(pool.live, 0);
  ep_host_free(h);
}
END_TEST

/* ---- a transmit engine alone ---- */

START_TEST(a_transmit_engine_with_a_pool)
{
  test_pool pool;
  test_pool_begin(&pool, 0);
  iwarp_tx_cfg cfg = {.size = sizeof cfg, .emss = 500, .num_messages = 2};
  const size_t whole = iwarp_tx_size(&cfg);
  cfg.pool = &pool.pool;
  const size_t size = iwarp_tx_size(&cfg);
  ck_assert_uint_lt(size, whole);
  void *mem = malloc(size);
  iwarp_tx *tx;
  iwarp_span spans[4];
  iwarp_tx_out out;
  const iwarp_span part = {payload, 100};
  ok(iwarp_tx_init(&tx, mem, size, &cfg));
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, 4, &out), IWARP_ERR_END);
  ok(iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&part, 1}));
  ok(iwarp_tx_next_output(tx, spans, 4, &out));
  ck_assert_uint_eq(pool.live, whole - size);
  if (_i > 0) {
    iwarp_tx_abort(tx);
    ck_assert_uint_eq(pool.live, whole - size); /* the transport may still read them */
  }
  iwarp_tx_release(tx);
  iwarp_tx_release(tx);
  ck_assert_uint_eq(pool.live, 0);
  free(mem);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {an_endpoint_without_it_has_all_that_it_may_need,
                                at_rest_it_has_nothing,
                                an_fpdu_in_pieces_takes_its_own_length,
                                what_was_handed_out_stays,
                                a_startup_waits_for_memory,
                                output_waits_for_memory,
                                input_waits_for_memory,
                                NULL};
  for (size_t i = 0; i < sizeof payload; i++) {
    payload[i] = (uint8_t)(i * 7 + i / 256);
  }
  Suite *suite = check_suite("stream_ep_pool", tests);
  TCase *t = tcase_create("each");
  tcase_add_loop_test(t, what_it_has_goes_back, 0, 2);
  tcase_add_loop_test(t, nothing_is_lost_when_it_has_nothing, 2, 6);
  tcase_add_loop_test(t, what_is_held_waits_for_memory, 0, 2);
  tcase_add_loop_test(t, a_transmit_engine_with_a_pool, 0, 2);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
