/* SPDX-License-Identifier: BSD-2-Clause */
/* Plots of each connection of a check. */
#include "check_plots.h"

#include <diagnose/diagnose.h>

#include "plots.h"

#define PLOTS_MEMORY ((uint64_t)32 * 1024 * 1024) /* octets of memory for all open connections */
#define PLOTS_OCTETS ((uint64_t)2 * 1024 * 1024)  /* octets of plots in a page */
#define PLOTS_FAILED                                                                               \
  ((uint64_t)4 * 1024 * 1024)             /* a connection that failed adds plots up to here */
#define PLOTS_RATIO 2u                    /* octets of plots for each octet of input */
#define PLOTS_FLOOR ((uint64_t)64 * 1024) /* octets of plots that need no input */
#define PLOTS_COUNT 64u                   /* events between two looks at the memory */

static const stats_cfg plots_cfg = {.plots = true, .by_events = true};

static void plots_count(report_check *check, check_slot *held, uint64_t now) {
  check->plots_memory += now;
  check->plots_memory -= held->plots_memory;
  held->plots_memory = now;
}

void check_plots_free(report_check *check, check_slot *held) {
  plots_count(check, held, 0);
  stats_free(held->plots);
  held->plots = NULL;
}

void check_plots_event(report_check *check, check_slot *held, const observe_conn *conn,
                       const iwarp_event *ev) {
  if (held->plots == NULL && held->plots_events == 0) {
    held->plots = stats_new(&plots_cfg);
  }
  if (held->plots == NULL) {
    return;
  }
  stats_event(held->plots, conn, ev);
  if (held->plots_events++ % PLOTS_COUNT == 0) {
    plots_count(check, held, stats_memory(held->plots));
  }
  if (check->plots_memory > PLOTS_MEMORY) {
    check_plots_free(check, held);
    check->plots_left_out++;
  }
}

bool check_plots_put(const check_slot *held, const observe_conn *conn, out_buf *out) {
  if (held->plots == NULL) {
    return false;
  }
  stats_end(held->plots, conn);
  const report_stats_conn c = {
      .conn = conn, .figures = stats_now(held->plots), .first = stats_first(held->plots, conn)};
  if (c.figures->side[0].fpdus + c.figures->side[1].fpdus == 0) {
    return false;
  }
  report_plots_put(out, &c);
  return true;
}

/* Plots have a share of the output of their own, so that they take nothing from lines. */
static uint64_t plots_allowed(const report_check *check, const observe_conn *conn) {
  iwarp_diagnoses why;
  iwarp_diagnose(&why, conn);
  const uint64_t most = why.num > 0 ? PLOTS_FAILED : PLOTS_OCTETS;
  if (check->input == NULL || *check->input > most / PLOTS_RATIO) {
    return most;
  }
  const uint64_t due = PLOTS_FLOOR + *check->input * PLOTS_RATIO;
  return due < most ? due : most;
}

bool check_plots_admit(report_check *check, const observe_conn *conn, uint64_t n) {
  if (check->plots_octets + n > plots_allowed(check, conn)) {
    check->plots_left_out++;
    return false;
  }
  check->plots_octets += n;
  return true;
}
