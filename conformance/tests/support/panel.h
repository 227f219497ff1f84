/* SPDX-License-Identifier: BSD-2-Clause */
/* A panel of rule engines beside one observer: one with all rules, for each rule one in which it is
 * enabled alone, and one in which it is disabled. All of them must find the same of each rule. */
#ifndef TEST_SUPPORT_PANEL_H
#define TEST_SUPPORT_PANEL_H

#include <iwarp/rules.h>

#include "test_pool.h"

#define PANEL_FINDINGS 256u
#define PANEL_WRONG 256u

/** panel_seat is one engine of the panel. */
typedef struct panel_seat {
  iwarp_rules *rules;
  void *memory;
} panel_seat;

typedef struct panel {
  test_pool pool;
  panel_seat all;
  panel_seat *alone;                   /* by rule */
  panel_seat *without;                 /* by rule */
  iwarp_finding found[PANEL_FINDINGS]; /* by `all`, about the last event */
  size_t num_found;
  size_t findings;         /* by `all`, so far */
  char wrong[PANEL_WRONG]; /* the first difference; empty: no difference */
} panel;

/* panel_new makes a panel that has seen nothing; it stops the program where there is no memory. */
panel *panel_new(void);
void panel_free(panel *p);

/* panel_event lets all engines judge the event, over SCTP by its certainty, and compares what they
 * find. */
void panel_event(panel *p, const iwarp_observer_info *info, const iwarp_event *ev,
                 const iwarp_sctp_certainty *certainty);

/* panel_finish does so with the end of the connection, and compares the results of each rule.
 * `limited`: a limit ended the following of the connection. */
void panel_finish(panel *p, const iwarp_observer_info *info, bool limited);

/* panel_same says whether two findings are the same, apart from their cause. */
bool panel_same(const iwarp_finding *a, const iwarp_finding *b);

#endif
