/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs written form by form. */
#ifndef REPORT_PDU_PARTS_H
#define REPORT_PDU_PARTS_H

#include <iwarp/pdu.h>

#include <report/jsonw.h>

/* report_pdu_text writes the fields that are there, one a line; headers that a Terminate returns
 * are marked. */
void report_pdu_text(sink *out, const iwarp_pdu_iter *it);

/* report_pdu_json writes an object for each form that is there, Markers as an array, and those that
 * a Terminate returns in an object `returned`. */
void report_pdu_json(jsonw *w, const iwarp_pdu_iter *it);

/* report_fields_json writes the fields of a form that are there, without the braces around them. */
void report_fields_json(jsonw *w, iwarp_form form, iwarp_span in);

#endif
