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
#define WORDS (sizeof(report_metrics) / sizeof(uint64_t))

/* Figures only grow, and flags are only set, so that the words of the structure grow. */
typedef union figures {
  report_metrics m;
  uint64_t words[WORDS];
} figures;

typedef struct run {
  stats_conns conns;
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

static void on_fpdu(void *ctx, observe_conn *conn, const iwarp_observer_fpdu *fpdu) {
  run *r = ctx;
  stats_conns_fpdu(&r->conns, conn, fpdu);
}

static void compare(run *r, const figures *now, const char *when) {
  for (size_t i = 0; i < WORDS; i++) {
    expect(now->words[i] >= r->last.words[i], "%s: %s packet %llu word %zu falls from %llu to %llu",
           r->what, when, (unsigned long long)r->packet, i, (unsigned long long)r->last.words[i],
           (unsigned long long)now->words[i]);
  }
  r->last = *now;
}

static void sum_now(run *r, const char *when) {
  figures *now = (figures *)(void *)stats_conns_sum(&r->conns);
  expect(now != NULL, "no memory");
  compare(r, now, when);
  free(now);
}

static void after_packet(void *ctx) {
  run *r = ctx;
  r->packet++;
  sum_now(r, "after");
  r->early = r->last.m.connections > 0;
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
static void sum(const capture_replay *c, const char *what, figures *total, bool each) {
  const opts o = {0};
  observe_budget memory = {.limit = SIZE_MAX};
  const observe_cfg cfg = {.budget = &memory};
  run r = {.what = what, .each = each, .conns = {.o = &o, .memory = &memory, .ended = &total->m}};
  const observe_hooks hooks = {.ctx = &r,
                               .event = on_event,
                               .fpdu = on_fpdu,
                               .closed = on_closed,
                               .packet = on_packet,
                               .forgotten = on_forgotten};
  memset(total, 0, sizeof *total);
  capture_replay_watch(c, &cfg, &hooks, each ? after_packet : NULL);
  if (each) {
    early += r.early ? 1u : 0u;
    ends += !r.early && total->m.connections > 0 ? 1u : 0u;
    compare(&r, total, "at the end after");
  }
  expect(r.conns.open == NULL, "%s: a connection is not forgotten", what);
}

static void capture_grows(const capture_replay *c, const char *what) {
  static figures once;
  static figures often;
  sum(c, what, &once, false);
  sum(c, what, &often, true);
  expect(memcmp(&once, &often, sizeof once) == 0, "%s: other sums where they are made often", what);
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
  const size_t num = captures_find(PCAPS);
  early = ends = 0;
  for (size_t i = 0; i < num; i++) {
    capture_replay c = captures_read(i);
    capture_grows(&c, captures_path(i));
    capture_replay_free(&c);
  }
  expect(num > 600 && early > num / 2 && ends > 0, "of %zu files %zu count early, %zu at the end",
         num, early, ends);
}
END_TEST

START_TEST(changed_captures)
{
  const size_t num = captures_find(PCAPS);
  property p = property_begin("changed_captures", 1, MADE_EACH);
  while (property_next(&p)) {
    prng chance = {.state = p.seed};
    const size_t i = prng_size(&chance, num);
    capture_replay whole = captures_read(i);
    if (whole.num > 1) {
      capture_replay c =
          _i == 0 ? captures_spoilt(&whole, &chance) : capture_begun_late(&whole, &chance);
      capture_grows(&c, captures_path(i));
      capture_replay_free(&c);
    }
    capture_replay_free(&whole);
  }
}
END_TEST

START_TEST(random_conversations)
{
  static char text[SELECTION_TEXT];
  property p = property_begin("random_conversations", 1, MADE_EACH);
  while (property_next(&p)) {
    selection_talk(text, p.seed);
    capture_replay c = selection_capture(text);
    capture_grows(&c, text);
    capture_replay_free(&c);
  }
}
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
