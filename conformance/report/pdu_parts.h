/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs written form by form. */
#ifndef REPORT_PDU_PARTS_H
#define REPORT_PDU_PARTS_H

#include <iwarp/event.h>
#include <iwarp/pdu.h>

#include <report/jsonw.h>

/* report_pdu_text writes the fields that are there, one a line; headers that a Terminate returns
 * are marked. */
void report_pdu_text(out_buf *out, const iwarp_pdu_iter *it);

/* report_part_put writes the fields of one form that are there, report_octets_put a line of octets,
 * if there are any. */
void report_part_put(out_buf *out, const iwarp_pdu_part *part);
void report_octets_put(out_buf *out, const char *label, iwarp_span octets);

/* report_is_ddp says whether a part is the DDP header of the PDU itself. */
bool report_is_ddp(const iwarp_pdu_part *part);

/* report_is_of_segment returns true if a part is the DDP header of the segment itself, its Control
 * Field, or a header that its opcode has. */
bool report_is_of_segment(const iwarp_pdu_part *part, const iwarp_rdmap_seg *seg);

/* report_pdu_json writes an object for each form that is there, Markers as an array, and those that
 * a Terminate returns in an object `returned`. */
void report_pdu_json(jsonw *w, const iwarp_pdu_iter *it);

/* report_brief_json writes those fields of a form that a dump shows, without braces;
 * report_other_json the other numbers and flags, the form's key before each of theirs. */
void report_brief_json(jsonw *w, iwarp_form form, iwarp_span in);
/* report_brief_json_from writes the fields among them whose bit offset is at least `from` and below
 * `to`. */
void report_brief_json_from(jsonw *w, iwarp_form form, iwarp_span in, size_t from, size_t to);
void report_other_json(jsonw *w, iwarp_form form, iwarp_span in);

/* report_words_put writes the fields of a form that are there and that a line of a dump shows. A
 * space or a comma precedes each. */
void report_words_put(out_buf *out, iwarp_form form, iwarp_span in);

/* report_sctp_is_segment returns true for a message over SCTP whose segment was decoded, in its
 * place or not. */
bool report_sctp_is_segment(const iwarp_event *ev);

/* report_event_walk begins to walk the PDU of an event; false where it has none. */
bool report_event_walk(iwarp_pdu_iter *it, const iwarp_event *ev);

/* report_fields_json writes the fields of a form that are there, without the braces around them. */
void report_fields_json(jsonw *w, iwarp_form form, iwarp_span in);

#endif
