/* SPDX-License-Identifier: BSD-2-Clause */
/* What `iwarp stats -i IFACE --metrics` writes after each packet: no figure falls, and the last
 * ones are the sums over the connections that ended. All captures of the repository, such with
 * packets that are missing, come late, cut or changed, and such that begin in the middle. */
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#include <cli/stats_conns.h>

#include "captures.h"
#include "property.h"
#include "selection.h"

#define MADE_EACH 250u /* captures */
#define FIGURES_MAX 2000u

/* Every figure of the sums, one after the other; a flag is 0 or 1. */
typedef struct figures {
  uint64_t of[FIGURES_MAX];
  size_t num;
} figures;

typedef struct run {
  stats_conns conns;
  report_metrics total; /* of connections that ended */
  figures last;
  const char *what;
  uint64_t packet;
  bool each;  /* sums are made after each packet */
  bool early; /* connections counted after a packet */
} run;

static size_t early; /* captures whose connections count before they end */
static size_t ends;  /* captures in which they count then only */

static void on_packet(void *ctx, void **slot, const observe_headers *packet) {
  run *r = ctx;
  stats_conns_packet(&r->conns, slot, packet);
}

static void on_forgotten(void *ctx, void *slot) {
  run *r = ctx;
  stats_conns_forgotten(&r->conns, slot);
}

static void on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  run *r = ctx;
  stats_conns_event(&r->conns, conn, ev);
}

static void on_fpdu(void *ctx, observe_conn *conn, const iwarp_observer_fpdu *fpdu,
                    const iwarp_link *link) {
  run *r = ctx;
  (void)link;
  stats_conns_fpdu(&r->conns, conn, fpdu);
}

static void put(figures *f, uint64_t value) {
  expect(f->num < FIGURES_MAX, "more figures than there is room for");
  f->of[f->num++] = value;
}

static void put_hist(figures *f, const report_metrics_hist *h) {
  put(f, h->count);
  put(f, h->sum);
  for (size_t i = 0; i < REPORT_METRICS_TIMES; i++) {
    put(f, h->of[i]);
  }
}

static void put_requests(figures *f, const report_metrics_requests *r) {
  const uint64_t values[] = {r->any, r->answers, r->requests, r->unanswered, r->left_out};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    put(f, values[i]);
  }
  put_hist(f, &r->response_time);
  put_hist(f, &r->first_octet_time);
}

static void put_dir(figures *f, const report_metrics_dir *d) {
  const uint64_t values[] = {d->any,
                             d->packets,
                             d->duplicate_packets,
                             d->retransmitted_packets,
                             d->retransmitted_octets,
                             d->out_of_order_packets,
                             d->zero_window_ns,
                             d->gap_octets,
                             d->any_fpdus,
                             d->fpdus,
                             d->bad_crc};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    put(f, values[i]);
  }
  for (size_t i = 0; i < REPORT_METRICS_PARTS; i++) {
    put(f, d->parts[i]);
  }
  for (size_t i = 0; i < STATS_NAMES; i++) {
    put(f, d->any_messages[i]);
    put(f, d->messages[i]);
    put_hist(f, &d->sizes[i]);
  }
  put_requests(f, &d->requests[0]);
  put_requests(f, &d->requests[1]);
}

static figures figures_of(const report_metrics *m) {
  figures f = {.num = 0};
  put(&f, m->connections);
  for (size_t i = 0; i < REPORT_METRICS_DIRS; i++) {
    put_dir(&f, &m->dirs[i]);
  }
  return f;
}

static void compare(run *r, const report_metrics *m, const char *when) {
  const figures now = figures_of(m);
  for (size_t i = 0; i < r->last.num; i++) {
    expect(now.of[i] >= r->last.of[i], "%s: %s packet %llu figure %zu falls from %llu to %llu",
           r->what, when, (unsigned long long)r->packet, i, (unsigned long long)r->last.of[i],
           (unsigned long long)now.of[i]);
  }
  r->last = now;
}

static void sum_now(run *r, const char *when) {
  report_metrics *now = stats_conns_sum(&r->conns);
  expect(now != NULL, "no memory");
  compare(r, now, when);
  free(now);
}

static void after_packet(void *ctx) {
  run *r = ctx;
  r->packet++;
  sum_now(r, "after");
  r->early = r->last.of[0] > 0; /* the connections */
}

static void on_closed(void *ctx, observe_conn *conn) {
  run *r = ctx;
  report_stats_conn c;
  (void)stats_conns_end(&r->conns, conn, &c);
  stats_conns_closed(&r->conns, conn);
  if (r->each) {
    sum_now(r, "where a connection ends after");
  }
}

/* Sums over a capture; `each`: they are made after each packet, too. */
static figures sum(const capture_replay *c, const char *what, bool each) {
  const opts o = {0};
  observe_budget memory = {.limit = SIZE_MAX};
  const observe_cfg cfg = {.budget = &memory};
  run r = {.what = what, .each = each, .conns = {.o = &o, .memory = &memory}};
  const observe_hooks hooks = {.ctx = &r,
                               .event = on_event,
                               .fpdu = on_fpdu,
                               .closed = on_closed,
                               .packet = on_packet,
                               .forgotten = on_forgotten};
  r.conns.ended = &r.total;
  capture_replay_watch(c, &cfg, &hooks, each ? after_packet : NULL);
  if (each) {
    early += r.early ? 1u : 0u;
    ends += !r.early && r.total.connections > 0 ? 1u : 0u;
    compare(&r, &r.total, "at the end after");
  }
  expect(r.conns.open == NULL, "%s: a connection is not forgotten", what);
  return figures_of(&r.total);
}

static void capture_grows(const capture_replay *c, const char *what) {
  const figures once = sum(c, what, false);
  const figures often = sum(c, what, true);
  expect(memcmp(once.of, often.of, once.num * sizeof once.of[0]) == 0,
         "%s: other sums where they are made often", what);
}

/* Another capture, which begins later. */
static capture_replay capture_begun_late(const capture_replay *whole, prng *chance) {
  capture_replay c = captures_spoilt(whole, chance);
  const size_t skip = prng_size(chance, c.num < 20 ? c.num : 20);
  for (size_t i = 0; i < skip; i++) {
    free((void *)(uintptr_t)c.packets[i].data);
  }
  c.num -= skip;
  memmove(c.packets, c.packets + skip, c.num * sizeof c.packets[0]);
  captures_number(&c);
  return c;
}

START_TEST(all_captures)
{
  early = ends = 0;
  const size_t num = captures_each(PCAPS, capture_grows);
  expect(num > 600 && early > num / 2 && ends > 0, "of %zu files %zu count early, %zu at the end",
         num, early, ends);
}
END_TEST

START_TEST(changed_captures)
{
  captures_change *const changes[] = {captures_spoilt, capture_begun_late};
  captures_changed(PCAPS, "changed_captures", MADE_EACH, changes[_i], capture_grows);
}
END_TEST

START_TEST(random_conversations)
{ selection_random(MADE_EACH, capture_grows); }
END_TEST

/* A Reply that answers a Reply makes its sender the responder, after what the first one said. While
 * that may come, the connection does not count. */
START_TEST(roles_that_change)
{
  static const char *const texts[] = {
      "i> mpa-reply C\nr> mpa-reply C\ni> send msn=1 len=4 times=3\n",
      "i> mpa-reply C\ni> send msn=1 len=4\nr> mpa-reply C\nr> send msn=1 len=4\n",
      "i> mpa-request C lost\nr> mpa-reply C\ni> send msn=1 len=4 times=3\n",
  };
  early = ends = 0;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    capture_replay c = selection_capture(texts[i]);
    capture_grows(&c, texts[i]);
    capture_replay_free(&c);
  }
  expect(early == 2 && ends == 1, "%zu count early, %zu at the end", early, ends);
}
END_TEST

int main(void) {
  const property_test tests[] = {{all_captures, 1},
                                 {changed_captures, 2},
                                 {random_conversations, 1},
                                 {roles_that_change, 1},
                                 {NULL, 0}};
  return property_main("metrics", tests);
}
