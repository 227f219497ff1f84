/* SPDX-License-Identifier: BSD-2-Clause */
/* The reports of one run: each is given the same connections, PDUs and findings as they come. */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include <report/check.h>

/** report_output is one report: what it is written in, and its state. */
typedef struct report_output {
  const report_format *format;
  report_check check;
} report_output;

/**
 * report_run hands a run to its reports. Nothing of the capture is kept here: a report keeps what
 * its format puts into the slot of a connection, until the connection ends.
 */
typedef struct report_run {
  report_output *outputs; /* the caller's */
  size_t num;
  report_totals totals; /* totals of the run; `rules` is the caller's */
} report_run;

/** report_run_begin begins each report. */
void report_run_begin(report_run *run);

/** report_run_wants_pdus says whether a report wants each PDU. */
bool report_run_wants_pdus(const report_run *run);

/** report_run_numbered, report_run_event, report_run_finding and report_run_closed take what the
 * hooks of an observe give; `conn->user` is theirs. */
void report_run_numbered(report_run *run, const observe_conn *conn);
void report_run_event(report_run *run, observe_conn *conn, const iwarp_event *ev);
void report_run_finding(report_run *run, observe_conn *conn, const iwarp_finding *finding,
                        const iwarp_event *ev);
void report_run_closed(report_run *run, observe_conn *conn);

/** report_run_trait says what the capture is like. */
void report_run_trait(report_run *run, const report_trait *trait);

/** report_run_transports reports the TCP connections of a capture without iWARP, at its end. */
void report_run_transports(report_run *run, const observe_conn *capture,
                           report_transports *transports);

/** report_run_summary ends each report; `any_read` false: no capture could be opened. */
void report_run_summary(report_run *run, bool any_read);

#endif
