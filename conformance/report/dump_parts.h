/* SPDX-License-Identifier: BSD-2-Clause */
/* What the dumps of PDUs over TCP and over SCTP have in common. */
#ifndef REPORT_DUMP_PARTS_H
#define REPORT_DUMP_PARTS_H

#include <report/dump.h>
#include <report/jsonw.h>

/* --- dump_json.c --- */
void report_json_head(jsonw *w, const observe_conn *conn, const iwarp_event *ev);
/* report_startup_fixed encodes the fixed part of a startup frame into `octets`, of
 * IWARP_MPA_STARTUP_LEN. */
iwarp_span report_startup_fixed(uint8_t *octets, const iwarp_mpa_startup *frame);
void report_json_enhanced(jsonw *w, const iwarp_mpa_enhanced *enh);
/* report_json_segment writes ddp, rdmap and the by-message objects of what there is of a segment,
 * report_json_others the fields that -V adds. */
void report_json_segment(jsonw *w, const iwarp_event *ev, const upper_message *name);
void report_json_others(jsonw *w, const iwarp_event *ev);
/* report_json_tcp writes a line; nothing for an event that is no PDU, gap or undecodable octets. */
void report_json_tcp(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                     const upper_message *name, const report_dump_opts *opts);

/* --- dump_text.c --- */
void report_text_head(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const report_dump_opts *opts);
/* report_gap_note says in a word why octets are missing, where the capture shows it. */
const char *report_gap_note(iwarp_gap_reason reason);
void report_text_enhanced(out_buf *out, const iwarp_mpa_enhanced *enh);
/* report_text_tcp writes what an event is, without the head and the end of its line; nothing, and
 * false, for an event that is no PDU, gap or undecodable octets. `crc`: the reader knows whether
 * there are CRCs, and a line says of its own only what differs. */
bool report_text_tcp(out_buf *out, const iwarp_event *ev, const upper_message *name,
                     iwarp_tristate crc);
/* report_text_streaming writes a line about the octets before a startup frame. */
void report_text_streaming(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                           const report_dump_opts *opts);
/* report_text_segment writes what there is of a segment: its opcode in words, `unnamed` where that
 * is missing, then the words of its forms, and the name of the upper layer's message. */
void report_text_segment(out_buf *out, const iwarp_event *ev, const upper_message *name,
                         const char *unnamed);

/* --- upper.c --- */
/* report_text_upper writes the name of the upper layer's message, a comma before it,
 * report_json_upper the object `ulp`; nothing where `m` is NULL. */
void report_text_upper(out_buf *out, const upper_message *m);
void report_json_upper(jsonw *w, const upper_message *m);

/* --- term.c --- */
/* report_json_term writes the object `terminate`, with the frame of the connection that it is about
 * unless that is 0;
 * report_text_term the same in words: its reading as it stands, and the likely one. */
void report_json_term(jsonw *w, const observe_conn *conn, const iwarp_rdmap_term *v,
                      iwarp_rdmap_term_place place, uint64_t about);
void report_text_term(out_buf *out, const iwarp_rdmap_term *v, iwarp_rdmap_term_place place);
/* report_text_triple writes Layer, Error Type and Error Code in words. */
void report_text_triple(out_buf *out, const iwarp_rdmap_term *v);

/* --- dump_sctp.c --- */
/* report_json_sctp writes a line, report_text_sctp what an event is, without the head and the end
 * of its line; nothing, and false, for the end of a direction. */
void report_json_sctp(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name, const report_dump_opts *opts);
bool report_text_sctp(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name);

#endif
