/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of enumerated values, as all reporters spell them. They are part of the command line
 * contract. */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include <observe/conn.h>

#include <report/out_buf.h>

/** Each returns a static name. */
const char *report_role_name(iwarp_role role);
const char *report_crc_name(iwarp_crc_state crc);
const char *report_undec_name(iwarp_undec_reason reason);
const char *report_tri_name(iwarp_tristate tri);
const char *report_sync_name(iwarp_fpdu_sync sync);
const char *report_severity_name(iwarp_severity severity);
const char *report_impact_name(iwarp_impact impact);
const char *report_verdict_name(iwarp_verdict verdict);
const char *report_outcome_name(observe_how how);

/** report_cause_text returns what is known to have this cause, as the end of a sentence, or "". */
const char *report_cause_text(const char *cause);

/** report_name_put appends a file name; each octet that may not be printed becomes '?'. */
void report_name_put(out_buf *s, const char *name);

/** report_reason_put appends the reasons in `reason` (IWARP_REASON_*), separated by ", ". */
void report_reason_put(out_buf *s, uint32_t reason);

/** report_value_put appends a value of a finding. */
void report_value_put(out_buf *s, const iwarp_value *v);

/** report_value_said appends it, and octets that are text as that besides. */
void report_value_said(out_buf *s, const iwarp_value *v);

/** report_message_put appends a rule's message with its expected and observed values filled in. */
void report_message_put(out_buf *s, const iwarp_rule *rule, const iwarp_finding *finding);

/** report_fpdu_has_error says whether a header does not fit into its FPDU. */
bool report_fpdu_has_error(const iwarp_event_fpdu *v);

/** report_fpdu_error_put appends which one, in one line of plain ASCII. */
void report_fpdu_error_put(out_buf *s, const iwarp_event_fpdu *v);

/** report_startup_error_put appends what does not fit in a startup frame; false, and nothing, when
 * all does. */
bool report_startup_error_put(out_buf *s, const iwarp_event_startup *v);

#endif
