/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of report share: an output in memory, and a connection to speak of. */
#ifndef REPORT_FIXTURE_H
#define REPORT_FIXTURE_H

#include <report/dump.h>

typedef struct report_fixture {
  out_buf text;
  iwarp_observer_info info;
  observe_conn conn;
} report_fixture;

extern report_fixture fixture;

/* report_fixture_begin makes the connection, and clears the text. */
void report_fixture_begin(void);

void report_fixture_clear(void);

/* report_fixture_written returns the text so far. */
const char *report_fixture_written(void);

/* report_fixture_event makes an event of side 1. */
iwarp_event report_fixture_event(iwarp_event_kind kind);

/* report_fixture_dump writes an event and returns what stands after the facts that all lines begin
 * with. */
const char *report_fixture_dump(bool json, const iwarp_event *ev, const report_dump_opts *opts);

/* report_fixture_pdu_is compares the kind of the line of JSON that was written last. */
bool report_fixture_pdu_is(const char *kind);

#endif
