/* SPDX-License-Identifier: BSD-2-Clause */
/* A finding in words, part by part, as all formats for people spell it. */
#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H

#include <observe/conn.h>

#include <report/out_buf.h>

/** report_finding_where appends whose octets they are and where they stand: "responder
 * 10.0.0.2:4791, seq 7, offset 0, see frame 3". */
void report_finding_where(out_buf *s, const observe_conn *conn, const iwarp_finding *f);

/** report_finding_values appends what was expected and observed, with the field that is wrong where
 * it is one: "MSN: expected 1, observed 2"; false, and nothing, where there is neither. */
bool report_finding_values(out_buf *s, const iwarp_finding *f);

/** report_finding_weight appends what it means for the run: the severity of its rule, or "expected
 * (NAME)" where a baseline or a profile expects it; `known` is that name, or NULL. */
void report_finding_weight(out_buf *s, const iwarp_finding *f, const char *known);

/** report_finding_unless appends, of a suspected finding, `before` and what else may be so. */
void report_finding_unless(out_buf *s, const iwarp_finding *f, const char *before);

/** report_finding_line appends message, values and place in one line. */
void report_finding_line(out_buf *s, const observe_conn *conn, const iwarp_finding *f);

/** report_requirement_put appends where the requirement of this id stands: "RFC 5044 4.4" for
 * "rfc5044-4.4-03". */
void report_requirement_put(out_buf *s, const char *id, size_t len);

/** report_sections_put appends the sections of all requirements of a rule, each once: "RFC
 * 5044 4.4, RFC 5044 7.1". */
void report_sections_put(out_buf *s, const char *ids);

#endif
