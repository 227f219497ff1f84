/* SPDX-License-Identifier: BSD-2-Clause */
/* What the dumps of PDUs over TCP and over SCTP have in common. */
#ifndef REPORT_DUMP_PARTS_H
#define REPORT_DUMP_PARTS_H

#include <report/dump.h>
#include <report/jsonw.h>

/* --- dump_json.c --- */
void report_json_head(jsonw *w, const report_conn *conn, const iwarp_event *ev, const char *pdu);
void report_json_enhanced(jsonw *w, const iwarp_mpa_enhanced *enh);
/* report_json_segment writes ddp, rdmap and the by-message objects, report_json_reserved what -V
 * adds. */
void report_json_segment(jsonw *w, const iwarp_rdmap_seg *seg);
void report_json_reserved(jsonw *w, const iwarp_rdmap_seg *seg);
void report_json_head_cut(jsonw *w, const report_head *h);

/* --- dump_text.c --- */
void report_text_head(sink *out, const report_conn *conn, const iwarp_event *ev);
void report_text_enhanced(sink *out, const iwarp_mpa_enhanced *enh);
void report_text_segment(sink *out, const iwarp_rdmap_seg *seg);
/* report_text_head_cut writes what there is of a header, NULL: nothing but `unnamed`. */
void report_text_head_cut(sink *out, const report_head *head, const char *unnamed);

/* --- dump_sctp.c --- */
/* report_json_sctp writes a line, report_text_sctp a line without its end; nothing, and false, for
 * the end of a direction. */
void report_json_sctp(sink *out, const report_conn *conn, const iwarp_event *ev,
                      const report_dump_opts *opts);
bool report_text_sctp(sink *out, const report_conn *conn, const iwarp_event *ev);

#endif
