/* SPDX-License-Identifier: BSD-2-Clause */
/* One event of a dump, over TCP or over SCTP. */
#include <report/dump.h>

#include "dump_parts.h"

static bool dump_has_line(const iwarp_event *ev) {
  return ev->kind != IWARP_EVENT_END && ev->kind != IWARP_EVENT_STREAMING;
}

static bool dump_line(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name, iwarp_tristate crc) {
  return ev->sctp != NULL ? report_text_sctp(out, conn, ev, name)
                          : report_text_tcp(out, ev, name, crc);
}

bool report_pdu_line(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                     const upper_message *name) {
  return dump_line(out, conn, ev, name, conn->info->crc);
}

void report_dump_text(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name, const report_dump_opts *opts) {
  report_text_streaming(out, conn, ev, opts);
  if (!dump_has_line(ev)) {
    return;
  }
  report_text_head(out, conn, ev, opts);
  dump_line(out, conn, ev, name, IWARP_TRISTATE_UNKNOWN);
  out_char(out, '\n');
  if (opts->fields) {
    report_fields_put(out, ev);
  }
  if (opts->octets) {
    uint8_t frame[REPORT_FRAME_CAP];
    uint64_t pos = 0;
    const iwarp_span octets = report_event_octets(ev, &pos, frame);
    report_hex_put(out, octets.ptr, octets.len, 0, "        ");
  }
}

void report_dump_json(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const upper_message *name, const report_dump_opts *opts) {
  if (ev->sctp != NULL) {
    report_json_sctp(out, conn, ev, name, opts);
  } else {
    report_json_tcp(out, conn, ev, name, opts);
  }
}
