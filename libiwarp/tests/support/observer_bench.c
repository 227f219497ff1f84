/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection for the observer: what both sides send, and the events that it reports. */
#include "observer_bench.h"

#include "check_run.h"

observer_bench observer_bench_new(void) {
  observer_bench t = {.b = {stream_build_new(false, true), stream_build_new(false, true)},
                      .start = {{OBSERVER_BENCH_POS0, OBSERVER_BENCH_POS1}, {true, true}},
                      .s = script_new()};
  t.cfg.size = sizeof t.cfg;
  return t;
}

void observer_bench_free(observer_bench *t) {
  stream_build_free(t->b[0]);
  stream_build_free(t->b[1]);
  script_free(&t->s);
  log_free(&t->log);
}

uint64_t observer_bench_pos(const observer_bench *t, uint8_t side, size_t at) {
  return t->start.pos[side] + at;
}

void observer_bench_say(observer_bench *t, uint8_t side) {
  observer_bench_say_after(t, side, observer_bench_pos(t, 1 - side, t->sent[1 - side]));
}

void observer_bench_say_after(observer_bench *t, uint8_t side, uint64_t received) {
  t->s.peer_pos = received;
  script_push(&t->s, side,
              (iwarp_span){&t->b[side]->octets[t->sent[side]], t->b[side]->len - t->sent[side]});
  t->sent[side] = t->b[side]->len;
}

void observer_bench_say_holed(observer_bench *t, uint8_t side, size_t from, size_t to) {
  const uint8_t *octets = t->b[side]->octets;
  t->s.peer_pos = observer_bench_pos(t, 1 - side, t->sent[1 - side]);
  if (from > t->sent[side]) {
    script_push(&t->s, side, (iwarp_span){&octets[t->sent[side]], from - t->sent[side]});
  }
  script_gap(&t->s, side, to - from);
  if (t->b[side]->len > to) {
    script_push(&t->s, side, (iwarp_span){&octets[to], t->b[side]->len - to});
  }
  t->sent[side] = t->b[side]->len;
}

void observer_bench_frame(observer_bench *t, uint8_t side, const char *key, uint8_t flags) {
  build_startup(t->b[side], key, flags, 1, 4, "data", 4);
}

void observer_bench_go(observer_bench *t) {
  prng p = {7};
  stream_script cut = script_cut(&t->s, &p, 1);
  iwarp_observer_info info;
  stream_log other = run_conn(&t->cfg, &t->start, &cut, &info);
  log_free(&t->log);
  t->log = run_conn(&t->cfg, &t->start, &t->s, &t->info);
  if (!log_same(&t->log, &other)) {
    log_print(&t->log);
    ck_abort_msg("the split matters");
  }
  ck_assert_mem_eq(&info, &t->info, sizeof info);
  ck_assert(log_accounts(&t->log, &t->s, 0, OBSERVER_BENCH_POS0));
  ck_assert(log_accounts(&t->log, &t->s, 1, OBSERVER_BENCH_POS1));
  log_free(&other);
  script_free(&cut);
}

void observer_bench_finish(observer_bench *t) {
  script_end(&t->s, 0, IWARP_END_FIN);
  script_end(&t->s, 1, IWARP_END_FIN);
  observer_bench_go(t);
}

const stream_rec *observer_bench_event(const observer_bench *t, size_t i, uint8_t side,
                                       iwarp_event_kind kind, size_t at, size_t len) {
  ck_assert_uint_lt(i, t->log.num);
  const stream_rec *r = &t->log.recs[i];
  if (r->kind != (uint32_t)kind || r->side != side || r->pos != observer_bench_pos(t, side, at) ||
      r->len != len) {
    log_print(&t->log);
    ck_abort_msg("event %zu is not kind %d of side %d at %zu, %zu octets", i, (int)kind, side, at,
                 len);
  }
  return r;
}

const stream_rec *observer_bench_undec(const observer_bench *t, size_t i, uint8_t side, size_t at,
                                       size_t len, iwarp_undec_reason reason) {
  const stream_rec *r = observer_bench_event(t, i, side, IWARP_EVENT_UNDECODABLE, at, len);
  ck_assert_uint_eq(r->what, (uint32_t)reason);
  return r;
}

const stream_rec *observer_bench_fpdu(const observer_bench *t, size_t i, uint8_t side, size_t k) {
  const build_fpdu *f = &t->b[side]->fpdu[k];
  return observer_bench_event(t, i, side, IWARP_EVENT_FPDU, f->at + f->lead, f->wire_len - f->lead);
}

void observer_bench_shake(observer_bench *t, uint8_t request, uint8_t reply) {
  observer_bench_frame(t, 0, OBSERVER_BENCH_REQUEST, request);
  observer_bench_frame(t, 1, OBSERVER_BENCH_REPLY, reply);
  t->b[0]->markers = (reply & IWARP_MPA_FLAG_M) != 0;
  t->b[1]->markers = (request & IWARP_MPA_FLAG_M) != 0;
  t->b[0]->crc = ((request | reply) & IWARP_MPA_FLAG_C) != 0;
  t->b[1]->crc = t->b[0]->crc;
  observer_bench_say(t, 0);
  observer_bench_say(t, 1);
}
