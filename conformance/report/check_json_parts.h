/* SPDX-License-Identifier: BSD-2-Clause */
/* What of a finding is the same in each format that is JSON. */
#ifndef REPORT_CHECK_JSON_PARTS_H
#define REPORT_CHECK_JSON_PARTS_H

#include <report/check.h>
#include <report/jsonw.h>

/** check_json_where writes whose octets a finding is about, and where they stand. */
void check_json_where(jsonw *w, const observe_conn *conn, const iwarp_finding *f);

/** check_json_evidence writes what was expected and observed, and in which octets. */
void check_json_evidence(jsonw *w, const observe_conn *conn, const iwarp_finding *f);

/** check_json_certainty writes whether a finding is certain, and else what else may be so. */
void check_json_certainty(jsonw *w, const iwarp_finding *f);

#endif
