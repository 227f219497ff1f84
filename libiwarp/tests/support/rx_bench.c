/* SPDX-License-Identifier: BSD-2-Clause */
/* One stream for the receive engine, and the events that it reports. */
#include "rx_bench.h"

#include "check_run.h"

rx_bench rx_bench_new(bool markers, bool crc) {
  rx_bench t = {.b = stream_build_new(markers, crc), .s = script_new()};
  t.cfg = (iwarp_rx_cfg){
      .size = sizeof t.cfg, .pos = RX_BENCH_POS, .at_start = true, .max_ulpdu = UINT16_MAX};
  t.cfg.markers = markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  t.cfg.crc = crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  return t;
}

void rx_bench_free(rx_bench *t) {
  stream_build_free(t->b);
  script_free(&t->s);
  log_free(&t->log);
}

void rx_bench_go(rx_bench *t) {
  prng p = {1};
  stream_script cut = script_cut(&t->s, &p, 1);
  stream_log other = run_rx(&t->cfg, &cut);
  log_free(&t->log);
  t->log = run_rx(&t->cfg, &t->s);
  ck_assert(log_accounts(&t->log, &t->s, 0, t->cfg.pos));
  ck_assert(log_same(&t->log, &other));
  log_free(&other);
  script_free(&cut);
}

void rx_bench_run(rx_bench *t, size_t mss, const script_hole *holes, size_t num) {
  script_free(&t->s);
  script_lossy(&t->s, 0, build_span(t->b), mss, holes, num);
  script_end(&t->s, 0, IWARP_END_FIN);
  rx_bench_go(t);
}

void rx_bench_whole(rx_bench *t) {
  rx_bench_run(t, STREAM_BUILD_MAX, NULL, 0);
}

void rx_bench_hole(rx_bench *t, size_t from, size_t to) {
  const script_hole hole = {from, to};
  rx_bench_run(t, STREAM_BUILD_MAX, &hole, 1);
}

const stream_rec *rx_bench_event(const rx_bench *t, size_t i, iwarp_event_kind kind, size_t at,
                                 size_t len) {
  ck_assert_uint_lt(i, t->log.num);
  const stream_rec *r = &t->log.recs[i];
  if (r->kind != (uint32_t)kind || r->pos != t->cfg.pos + at || (len > 0 && r->len != len)) {
    log_print(&t->log);
  }
  ck_assert_uint_eq(r->kind, (uint32_t)kind);
  ck_assert_uint_eq(r->pos, t->cfg.pos + at);
  ck_assert(len == 0 || r->len == len);
  return r;
}

const stream_rec *rx_bench_fpdu(const rx_bench *t, size_t i, const build_fpdu *f) {
  const stream_rec *r =
      rx_bench_event(t, i, IWARP_EVENT_FPDU, f->at + f->lead, f->wire_len - f->lead);
  ck_assert_uint_eq(r->length, f->length);
  return r;
}

const stream_rec *rx_bench_undec(const rx_bench *t, size_t i, size_t at, size_t len,
                                 iwarp_undec_reason reason) {
  const stream_rec *r = rx_bench_event(t, i, IWARP_EVENT_UNDECODABLE, at, len);
  ck_assert_uint_eq(r->what, (uint32_t)reason);
  return r;
}

void rx_bench_expect_all(const rx_bench *t) {
  expect(t->log.num == t->b->num_fpdus, "%zu events of %zu FPDUs", t->log.num, t->b->num_fpdus);
  for (size_t i = 0; i < t->log.num; i++) {
    const stream_rec *r = &t->log.recs[i];
    const build_fpdu *f = &t->b->fpdu[i];
    expect(r->kind == IWARP_EVENT_FPDU && r->pos == t->cfg.pos + f->at + f->lead &&
               r->length == f->length && r->lead == f->lead && r->complete &&
               r->offset == f->at + f->lead && r->octets_len == f->length &&
               r->len == f->wire_len - f->lead && r->pad_present && r->crc_present,
           "FPDU %zu differs", i);
    expect(r->what == (t->b->crc ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED) &&
               (t->b->crc || r->crc_field == BUILD_NO_CRC),
           "the CRC of FPDU %zu differs", i);
  }
}

rx_bench rx_bench_of_many(bool markers, bool crc, size_t num, size_t payload) {
  rx_bench t = rx_bench_new(markers, crc);
  for (size_t i = 0; i < num; i++) {
    build_write(t.b, payload, 0x61);
  }
  return t;
}

void rx_bench_put_marker(rx_bench *t, size_t at, uint16_t pointer) {
  t->b->octets[at + 2] = (uint8_t)(pointer >> 8);
  t->b->octets[at + 3] = (uint8_t)(pointer & 0xFF);
}
