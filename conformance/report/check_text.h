/* SPDX-License-Identifier: BSD-2-Clause */
/* Words and parts that the files of the text report share. */
#ifndef REPORT_CHECK_TEXT_H
#define REPORT_CHECK_TEXT_H

#include <report/check.h>

#include "check_slot.h"

/** check_text_count writes "1 gap" or "2 gaps". */
void check_text_count(out_buf *s, uint64_t n, const char *one, const char *many);

/** check_text_severities writes how many findings there were of each. */
void check_text_severities(out_buf *s, const uint64_t findings[OBSERVE_SEVERITIES]);
/** check_text_suspected appends how many more are suspected. */
void check_text_suspected(out_buf *s, uint64_t suspected);

/** check_text_paint writes text in a colour of ECMA-48, where colour is wanted. */
void check_text_paint(const report_check *check, out_buf *s, const char *code, const char *text);

/** check_text_weight writes report_finding_weight of a finding, a severity in its colour. */
void check_text_weight(const report_check *check, out_buf *s, const observe_conn *conn,
                       const iwarp_finding *f);

/** check_text_head writes the two sides and what they agreed on. check_text_tail writes the amounts
 * and the verdicts of the rules. check_text_given_up writes the limit that ended the connection, if
 * any. */
void check_text_head(const report_check *check, const observe_conn *conn);
void check_text_tail(const report_check *check, const observe_conn *conn);
void check_text_given_up(const report_check *check, const observe_conn *conn);

/** check_text_end returns how a direction over TCP was ended by its sender, in a word; NULL for all
 * other events. */
const char *check_text_end(const iwarp_event *ev);

/** check_text_reset names the RST or ABORT that ended a connection, where no line has shown it;
 * NULL: none. */
const char *check_text_reset(const check_slot *held, const observe_conn *conn);

/** check_text_trait keeps a line until the summary; check_text_traits writes those that were kept.
 */
void check_text_trait(report_check *check, const report_trait *trait);
void check_text_transport(report_check *check, const observe_conn *capture,
                          const report_transport *x);
void check_text_traits(report_check *check);

/** check_text_side writes the address of a side, and its role where that is known. */
void check_text_side(out_buf *s, const observe_conn *conn, uint8_t side);

/** check_text_time writes when something happened, in nanoseconds since the epoch. */
void check_text_time(report_check *check, out_buf *s, const observe_conn *conn, uint64_t ns);

/** check_text_outcome writes how a connection ended; `brief`: without the frame that a Terminate is
 * about, which a diagnosis names. */
void check_text_outcome(report_check *check, const observe_conn *conn, bool brief);

/** check_text_why writes how a connection ended, why, and what to do: the latter where no
 * connection before has the diagnosis. It returns true if there is a diagnosis. */
bool check_text_why(report_check *check, const observe_conn *conn);

/** check_text_causes writes which diagnoses several connections have. */
void check_text_causes(const report_check *check);

/** check_text_outcomes writes how many connections there were, and how many had each outcome. */
void check_text_outcomes(out_buf *s, const report_totals *totals);

/** check_text_troubled counts the connections that did not come up, or were broken off. */
uint64_t check_text_troubled(const report_totals *totals);

/** check_text_withheld writes a line with the number of findings that --max-findings left out,
 * after `before`, where there are any. */
void check_text_withheld(const report_check *check, const char *before);

/** check_text_missing writes that lines of a baseline were not found, and how many. */
void check_text_missing(out_buf *s, const report_totals *totals);

/** check_text_named writes how many connections ended in a way that fails the run. */
void check_text_named(out_buf *s, const report_totals *totals);

/** check_text_comment writes each line of a text after `before`, as comments of other formats. */
void check_text_comment(out_buf *s, const char *before, const out_buf *text);

/** check_text_summary writes the end of the report. */
void check_text_summary(report_check *check, const report_totals *totals);

#endif
