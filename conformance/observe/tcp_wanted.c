/* SPDX-License-Identifier: BSD-2-Clause */
/* What the first octets of a connection show, whose port is taken for iWARP. */
#include <iwarp/rdmap.h>

#include "tcp_flow.h"

/* Octets up to the end of an untagged DDP header. */
#define WANTED_HEAD (IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN)

/* Returns true if the octets look like the beginning of an FPDU. */
static bool wanted_fpdu(iwarp_span in) {
  iwarp_rdmap_seg seg;
  if (in.len < WANTED_HEAD) {
    return false;
  }
  const uint32_t length = (uint32_t)in.ptr[0] << 8 | in.ptr[1];
  const iwarp_span ulpdu = {in.ptr + IWARP_MPA_LENGTH_LEN, in.len - IWARP_MPA_LENGTH_LEN};
  iwarp_rdmap_seg_decode(&seg, ulpdu, length);
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg.ctrl.opcode);
  return seg.has_ddp && seg.ddp.rsvd == 0 && seg.ddp.dv <= IWARP_DDP_VERSION &&
         seg.ctrl.rv == seg.ddp.dv && seg.ctrl.rsv == 0 && op->assigned &&
         op->tagged == seg.ddp.tagged && (op->tagged || seg.ddp.qn == op->qn);
}

/* Returns true if the octets look like a Marker and the beginning of an FPDU. */
static bool wanted_marker(iwarp_span in) {
  return in.len > IWARP_MPA_MARKER_LEN && in.ptr[0] == 0 && in.ptr[1] == 0 &&
         wanted_fpdu((iwarp_span){in.ptr + IWARP_MPA_MARKER_LEN, in.len - IWARP_MPA_MARKER_LEN});
}

bool obs_tcp_like_fpdu(iwarp_span in) {
  return wanted_fpdu(in) || wanted_marker(in);
}

/* Returns true if a startup key stands inside the octets, and not at their beginning. */
static bool wanted_key_inside(iwarp_span in) {
  iwarp_scan scan = {.past_start = true};
  iwarp_span held = {0};
  iwarp_span rest = {0};
  return iwarp_scan_push(&scan, &held, &rest, in) && rest.len < in.len;
}

/* Returns true if the octets continue a startup key that begins in the octets before them. */
static bool wanted_key_goes_on(const iwarp_scan *before, iwarp_span in) {
  iwarp_scan scan = *before;
  iwarp_span held = {0};
  iwarp_span rest = {0};
  return iwarp_scan_push(&scan, &held, &rest, in) ? held.len > 0
                                                  : scan.num_held >= before->num_held + in.len;
}

/* A startup key may lie in payload in the middle of a connection. */
bool obs_tcp_shows_full(const iwarp_scan *before, const ingest_event *ev) {
  if (ev->kind != INGEST_EVENT_DATA) {
    return false;
  }
  const iwarp_span in = {ev->data, (size_t)ev->len};
  if (before->num_held > 0 && wanted_key_goes_on(before, in)) {
    return false;
  }
  return (ev->segment_start && obs_tcp_like_fpdu(in)) ||
         (!ev->start_known && wanted_key_inside(in));
}
