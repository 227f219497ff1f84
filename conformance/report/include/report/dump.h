/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs as text and as JSON Lines. */
#ifndef REPORT_DUMP_H
#define REPORT_DUMP_H

#include <iwarp/private_data.h>

#include <report/conn.h>
#include <report/out_buf.h>
#include <report/times.h>
#include <upper/upper.h>

/** report_dump_opts says how much of a PDU is shown, and how. */
typedef struct report_dump_opts {
  bool fields;         /* every header field */
  bool octets;         /* the octets as they stand in the stream */
  bool brief;          /* text: short lines, with ends as report_dump_legend names them */
  report_clock *clock; /* clock of the times of the text; NULL: REPORT_TIME_DEFAULT */
} report_dump_opts;

/** report_dump_text writes one event as text, with the name of the upper layer's message unless
 * `name` is NULL; nothing for events that are no PDU, gap or undecodable octets. */
void report_dump_text(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name, const report_dump_opts *opts);

/** report_dump_legend writes a line with the names of the two ends, A and B, of a connection. */
void report_dump_legend(out_buf *out, const observe_conn *conn);

/** report_dump_json writes one event as a line of JSON; nothing likewise. */
void report_dump_json(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name, const report_dump_opts *opts);

/** report_pdu_line writes what an event is, as a dump does, without time, frame and ends and
 * without a newline; nothing, and false, for events that are no PDU, gap or undecodable octets. The
 * state of a CRC is left out where it is what the head of the connection says: good where CRCs are
 * on, unchecked where they are off. */
bool report_pdu_line(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                     const upper_message *name);

/** report_fields_put writes every header field of a startup frame or an FPDU, indented, one a line.
 */
void report_fields_put(out_buf *out, const iwarp_event *ev);

/**
 * report_hex_put writes octets as tcpdump -X does: offset, hex in pairs, ASCII; 16 octets a line.
 * The first octet has the offset `off`.
 */
void report_hex_put(out_buf *out, const uint8_t *octets, size_t n, size_t off, const char *indent);

/** report_pdu_name returns what a dump calls a PDU ("fpdu"); NULL for events that it leaves out.
 * Static storage. */
const char *report_pdu_name(const iwarp_event *ev);

/**
 * report_event_octets yields the octets of a startup frame or FPDU as they were captured, Markers
 * included, and the position of the first of them. A startup frame is put together in `frame`. The
 * span is empty if no octets were captured.
 */
#define REPORT_FRAME_CAP (IWARP_MPA_ERDMA_LEN + 65535u)
iwarp_span report_event_octets(const iwarp_event *ev, uint64_t *pos,
                               uint8_t frame[REPORT_FRAME_CAP]);

#endif
