/* SPDX-License-Identifier: BSD-2-Clause */
/* Diagnoses in words and in JSON. */
#ifndef REPORT_DIAGNOSIS_H
#define REPORT_DIAGNOSIS_H

#include <diagnose/diagnose.h>

#include <report/jsonw.h>

/** report_diagnosis_put appends the sentence of a diagnosis, without its period. */
void report_diagnosis_put(out_buf *out, const observe_conn *conn, const iwarp_diagnosis *d);

/** report_diagnosis_transport_put does so for a TCP connection without iWARP; `capture`: as in
 * report_trait. */
void report_diagnosis_transport_put(out_buf *out, const observe_conn *capture,
                                    const observe_transport *what, const iwarp_diagnosis *d);

/** report_diagnosis_certainty returns "certain" or "likely". */
const char *report_diagnosis_certainty(const iwarp_diagnosis *d);

/** report_diagnosis_json writes the members of one diagnosis of a connection. */
void report_diagnosis_json(jsonw *w, const observe_conn *conn, const iwarp_diagnosis *d);

/** report_diagnoses_json writes the member `diagnosis` of a connection, if it has any. */
void report_diagnoses_json(jsonw *w, const observe_conn *conn);

/** report_transport_diagnoses_json does so for a TCP connection without iWARP. */
void report_transport_diagnoses_json(jsonw *w, const observe_conn *capture,
                                     const observe_transport *what);

#endif
