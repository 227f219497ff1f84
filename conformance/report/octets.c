/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets of a PDU as they stand in the stream, and hex dumps. */
#include <report/dump.h>

#define OCTETS_A_LINE 16u

iwarp_span report_event_octets(const iwarp_event *ev, uint64_t *pos,
                               uint8_t frame[REPORT_FRAME_CAP]) {
  size_t len = 0;
  *pos = ev->pos;
  if (ev->kind == IWARP_EVENT_SCTP_MESSAGE || ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    return ev->sctp->u.message.user_data;
  }
  if (ev->kind == IWARP_EVENT_FPDU) {
    *pos -= ev->u.fpdu.fpdu.layout.lead;
    return ev->u.fpdu.fpdu.wire;
  }
  if (ev->kind == IWARP_EVENT_STARTUP &&
      iwarp_mpa_startup_encode(frame, REPORT_FRAME_CAP, &len, &ev->u.startup.frame) == IWARP_OK) {
    return (iwarp_span){frame, len};
  }
  return (iwarp_span){NULL, 0};
}

/* One line: offset, up to 16 octets in pairs, the same as ASCII. */
static void octets_line(out_buf *out, const uint8_t *octets, size_t n, size_t off) {
  size_t columns = 0;
  out_hex(out, off, off > 0xFFFFu ? 5 : 4); /* an FPDU with Markers has up to 66060 octets */
  out_str(out, ":  ");
  for (size_t i = 0; i < n; i++) {
    out_octets(out, octets + i, 1, 0);
    columns += 2;
    if (i % 2 == 1) {
      out_char(out, ' ');
      columns++;
    }
  }
  out_fill(out, ' ', OCTETS_A_LINE * 5 / 2 + 1 - columns);
  for (size_t i = 0; i < n; i++) {
    const bool printable = octets[i] >= 0x20u && octets[i] < 0x7Fu;
    out_put(out, printable ? (const char *)&octets[i] : ".", 1);
  }
  out_char(out, '\n');
}

void report_hex_put(out_buf *out, const uint8_t *octets, size_t n, size_t off, const char *indent) {
  for (size_t i = 0; i < n; i += OCTETS_A_LINE) {
    const size_t left = n - i;
    out_str(out, indent);
    octets_line(out, octets + i, left < OCTETS_A_LINE ? left : OCTETS_A_LINE, off + i);
  }
}
