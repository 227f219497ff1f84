/* SPDX-License-Identifier: BSD-2-Clause */
/* The header fields of a DDP Segment that the capture cuts inside its header. */
#include <report/dump.h>

/* Decodes the first `num` octets of a segment of `len`; those behind them are 0. */
static bool head_decode(report_head *out, const uint8_t octets[IWARP_DDP_UNTAGGED_LEN], size_t num,
                        size_t len) {
  report_head head = {.num = num};
  const iwarp_span in = {octets, IWARP_DDP_UNTAGGED_LEN};
  if (num == 0 || iwarp_ddp_hdr_decode(&head.ddp, in).err != IWARP_OK) {
    return false;
  }
  head.ctrl = iwarp_rdmap_ctrl_decode(head.ddp.rsvdulp);
  head.payload_len = len - iwarp_ddp_hdr_len(octets[0]);
  *out = head;
  return true;
}

bool report_head_get(report_head *out, const iwarp_ev_fpdu *v) {
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN] = {0};
  if (v->seg.has_ddp || v->seg.err != IWARP_OK) {
    return false;
  }
  const size_t num = iwarp_mpa_fpdu_ulpdu_copy(octets, sizeof octets, &v->fpdu, 0);
  return head_decode(out, octets, num, v->fpdu.ulpdu_length);
}

bool report_head_of(report_head *out, const iwarp_event *ev) {
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN] = {0};
  const iwarp_ev_sctp *m = ev->sctp;
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  if (seg->has_ddp || seg->err != IWARP_OK || m->user_data.len < IWARP_SCTP_SEGMENT_LEN) {
    return false;
  }
  const size_t left = m->user_data.len - IWARP_SCTP_SEGMENT_LEN;
  const size_t num = left < sizeof octets ? left : sizeof octets;
  memcpy(octets, m->user_data.ptr + IWARP_SCTP_SEGMENT_LEN, num);
  return head_decode(out, octets, num, m->length - IWARP_SCTP_SEGMENT_LEN);
}
