/* SPDX-License-Identifier: BSD-2-Clause */
/* What a rule finds depends on the capture alone: not on the other rules that are enabled, nor on
 * whether anybody takes the events. All captures of the repository, and such of them with packets
 * that are missing, come twice, late, cut or changed. */
#define _XOPEN_SOURCE 700 /* nftw */

#include <ftw.h>
#include <stdlib.h>
#include <string.h>

#include "capture_replay.h"
#include "panel.h"
#include "prng.h"
#include "property.h"
#include "selection.h"

#define PACKETS_MAX 400u /* of a capture */
#define PACKETS_FEW 100u /* in the gate */
#define PANELS_MAX 24u   /* connections of a capture that have a panel */
#define FILES_MAX 2000u
#define NOTES_MAX 4096u
#define MADE_EACH 250u /* captures: with the repository's more than 1,000 */

/* ---- what was found ---- */

typedef struct note {
  uint64_t conn;
  iwarp_finding finding;
} note;

typedef struct seen {
  note notes[NOTES_MAX];
  size_t num;
  uint64_t results; /* a digest of the results of all rules, by connection */
} seen;

static seen shown;                /* with all events taken */
static seen unshown;              /* with none taken */
static panel *panels[PANELS_MAX]; /* of connections that are open */
static size_t num_panels;         /* ever made of the capture */
static size_t compared;           /* findings that panels compared */
static char wrong[PANEL_WRONG];

static void on_finding(void *ctx, observe_conn *conn, const iwarp_finding *f,
                       const iwarp_event *ev) {
  seen *s = ctx;
  (void)ev;
  if (s->num < NOTES_MAX) {
    s->notes[s->num] = (note){conn->number, *f};
  }
  s->num++;
}

static void digest(seen *s, uint64_t value) {
  s->results = (s->results ^ value) * UINT64_C(0x100000001B3);
}

static void results(seen *s, const observe_conn *conn) {
  digest(s, conn->number);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result *r = &conn->results[id];
    digest(s, (uint64_t)r->verdict << 32 | r->reason);
    digest(s, r->num_pass);
    digest(s, r->num_fail);
    digest(s, r->num_inconclusive);
  }
}

/* ---- with all events ---- */

static void on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  (void)ctx;
  if (conn->user == NULL && num_panels < PANELS_MAX) {
    conn->user = panels[num_panels++] = panel_new();
  }
  if (conn->user != NULL) {
    panel_event(conn->user, conn->info, ev);
  }
}

/* A connection without a number ends without a word, and its panel is left. */
static void free_panels(const panel *only) {
  for (size_t i = 0; i < num_panels; i++) {
    if (panels[i] != NULL && (only == NULL || panels[i] == only)) {
      panel_free(panels[i]);
      panels[i] = NULL;
    }
  }
}

static void on_closed(void *ctx, observe_conn *conn) {
  panel *p = conn->user;
  results(ctx, conn);
  if (p != NULL) {
    panel_finish(p, conn->info, conn->given_up != NULL);
    compared += p->findings;
    if (wrong[0] == '\0') {
      memcpy(wrong, p->wrong, sizeof wrong);
    }
    free_panels(p);
  }
}

/* ---- without events ---- */

static void on_closed_unshown(void *ctx, observe_conn *conn) {
  results(ctx, conn);
}

static void capture_same(const char *what) {
  expect(wrong[0] == '\0', "%s: %s", what, wrong);
  expect(shown.num == unshown.num, "%s: %zu findings with events, %zu without", what, shown.num,
         unshown.num);
  for (size_t i = 0; i < shown.num && i < NOTES_MAX; i++) {
    const note *a = &shown.notes[i];
    const note *b = &unshown.notes[i];
    expect(a->conn == b->conn && panel_same(&a->finding, &b->finding),
           "%s: finding %zu with events is of %s, without of %s", what, i,
           iwarp_rule_get(a->finding.rule)->slug, iwarp_rule_get(b->finding.rule)->slug);
  }
  expect(shown.results == unshown.results, "%s: other results without events", what);
}

static void capture_compare(const capture_replay *c, const char *what) {
  const observe_hooks with = {
      .ctx = &shown, .event = on_event, .finding = on_finding, .closed = on_closed};
  const observe_hooks without = {
      .ctx = &unshown, .finding = on_finding, .closed = on_closed_unshown};
  shown.num = unshown.num = num_panels = 0;
  shown.results = unshown.results = 0;
  wrong[0] = '\0';
  capture_replay_run(c, &with);
  free_panels(NULL);
  capture_replay_run(c, &without);
  capture_same(what);
}

/* ---- captures that are not what was sent ---- */

/* Exchanges two words of 16 bits of what a packet carries, which leaves its checksum right. */
static void spoil_words(ingest_packet *p, prng *chance) {
  const size_t first = 60; /* past the headers of most */
  if (p->caplen < first + 8) {
    return;
  }
  uint8_t *data = (uint8_t *)(uintptr_t)p->data;
  const size_t words = (p->caplen - first) / 2;
  uint8_t *a = data + first + 2 * prng_size(chance, words);
  uint8_t *b = data + first + 2 * prng_size(chance, words);
  for (size_t i = 0; i < 2; i++) {
    const uint8_t octet = a[i];
    a[i] = b[i];
    b[i] = octet;
  }
}

static void drop_packet(capture_replay *c, size_t at) {
  free((void *)(uintptr_t)c->packets[at].data);
  c->num--;
  memmove(&c->packets[at], &c->packets[at + 1], (c->num - at) * sizeof c->packets[0]);
}

static void late_packet(capture_replay *c, size_t at, size_t by) {
  const ingest_packet p = c->packets[at];
  for (; by > 0 && at + 1 < c->num; by--, at++) {
    c->packets[at] = c->packets[at + 1];
  }
  c->packets[at] = p;
}

static void spoil(capture_replay *c, prng *chance) {
  const size_t at = prng_size(chance, c->num);
  ingest_packet *p = &c->packets[at];
  switch (prng_below(chance, 6)) {
  case 0: drop_packet(c, at); break;
  case 1: late_packet(c, at, 1 + prng_size(chance, 4)); break;
  case 2: p->caplen = p->caplen > 70 ? 54 + prng_size(chance, p->caplen - 54) : p->caplen; break;
  default: spoil_words(p, chance); break;
  }
}

/* Packets have the numbers of their places. */
static void number(capture_replay *c) {
  for (size_t i = 0; i < c->num; i++) {
    c->packets[i].number = i + 1;
  }
}

static void capture_spoilt(const capture_replay *whole, prng *chance, const char *what) {
  capture_replay c = capture_replay_copy(whole);
  for (size_t i = 1 + prng_size(chance, 3); i > 0 && c.num > 1; i--) {
    spoil(&c, chance);
  }
  number(&c);
  capture_compare(&c, what);
  capture_replay_free(&c);
}

/* ---- files ---- */

static char *paths[FILES_MAX];
static size_t num_paths;

static int add_file(const char *path, const struct stat *st, int flag, struct FTW *place) {
  const char *dot = strrchr(path, '.');
  (void)place;
  (void)st;
  if (flag == FTW_F && dot != NULL && strncmp(dot, ".pcap", 5) == 0 && num_paths < FILES_MAX) {
    paths[num_paths++] = strdup(path);
  }
  return 0;
}

static int path_order(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_files(void) {
  if (num_paths == 0) {
    expect(nftw(PCAPS, add_file, 16, FTW_PHYS) == 0, "%s", PCAPS);
    qsort(paths, num_paths, sizeof paths[0], path_order);
  }
}

/* Long captures repeat what their first packets show. */
static size_t packets_max(void) {
  return property_times() == 1 ? PACKETS_FEW : PACKETS_MAX;
}

START_TEST(all_captures)
{
  find_files();
  compared = 0;
  for (size_t i = 0; i < num_paths; i++) {
    capture_replay c = capture_replay_read(paths[i], packets_max());
    capture_compare(&c, paths[i]);
    capture_replay_free(&c);
  }
  expect(num_paths > 600 && compared > 400, "%zu files, %zu findings", num_paths, compared);
}
END_TEST

START_TEST(spoilt_captures)
{
  find_files();
  property p = property_begin("spoilt_captures", 1, MADE_EACH);
  while (property_next(&p)) {
    prng chance = {.state = p.seed};
    const char *path = paths[prng_size(&chance, num_paths)];
    capture_replay c = capture_replay_read(path, packets_max());
    if (c.num > 1) {
      capture_spoilt(&c, &chance, path);
    }
    capture_replay_free(&c);
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
    capture_compare(&c, text);
    capture_replay_free(&c);
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {
      {all_captures, 1}, {spoilt_captures, 1}, {random_conversations, 1}, {NULL, 0}};
  return property_main("selection", tests);
}
