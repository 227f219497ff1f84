/* SPDX-License-Identifier: BSD-2-Clause */
/* What a rule finds depends on the capture alone: not on the other rules that are enabled, nor on
 * whether anybody takes the events. All captures of the repository, and such of them with packets
 * that are missing, come twice, late, cut or changed. */
#include <string.h>

#include "captures.h"
#include "panel.h"
#include "property.h"
#include "selection.h"

#define PANELS_MAX 24u /* connections of a capture that have a panel */
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
    panel_event(conn->user, conn->info, ev, conn->certainty);
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

START_TEST(all_captures)
{
  compared = 0;
  const size_t num = captures_each(PCAPS, capture_compare);
  expect(num > 600 && compared > 400, "%zu files, %zu findings", num, compared);
}
END_TEST

START_TEST(spoilt_captures)
{ captures_changed(PCAPS, "spoilt_captures", MADE_EACH, captures_spoilt, capture_compare); }
END_TEST

START_TEST(random_conversations)
{ selection_random(MADE_EACH, capture_compare); }
END_TEST

int main(void) {
  const property_test tests[] = {
      {all_captures, 1}, {spoilt_captures, 1}, {random_conversations, 1}, {NULL, 0}};
  return property_main("selection", tests);
}
