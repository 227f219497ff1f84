/* SPDX-License-Identifier: BSD-2-Clause */
/* The times of a check, in words. */
#include <report/place.h>

#include "check_text.h"

/* Findings stand together by their cause, so a line may be about an earlier packet than the line
 * above. */
static void time_delta(out_buf *s, uint64_t before_ns, uint64_t ns) {
  if (ns < before_ns) {
    report_span_put(s, before_ns - ns);
    out_str(s, " s earlier than the line before");
  } else {
    report_span_put(s, ns - before_ns);
    out_str(s, " s after the line before");
  }
}

void check_text_time(report_check *check, out_buf *s, const observe_conn *conn, uint64_t ns) {
  switch (check->clock.times) {
  case REPORT_TIME_DEFAULT:
    out_str(s, "after ");
    report_since_put(s, conn->began_ns, ns);
    out_str(s, " s");
    break;
  case REPORT_TIME_ABSOLUTE:
    out_str(s, "at ");
    report_date_put(s, ns);
    break;
  case REPORT_TIME_CAPTURE:
    out_str(s, "at ");
    report_since_put(s, *check->clock.capture_ns, ns);
    out_str(s, " s");
    break;
  case REPORT_TIME_DELTA:
    time_delta(s, report_clock_before(&check->clock, report_place_capture(conn)), ns);
    break;
  }
  report_clock_note(&check->clock, report_place_capture(conn), ns);
}
