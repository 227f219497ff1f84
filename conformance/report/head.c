/* SPDX-License-Identifier: BSD-2-Clause */
/* The header fields of a DDP Segment that the capture cuts inside its header. */
#include <report/dump.h>

bool report_head_get(report_head *out, const iwarp_ev_fpdu *v) {
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN] = {0};
  report_head head = {0};
  if (v->seg.has_ddp || v->seg.err != IWARP_OK) {
    return false;
  }
  head.num = iwarp_mpa_fpdu_ulpdu_copy(octets, sizeof octets, &v->fpdu, 0);
  if (head.num == 0 ||
      iwarp_ddp_hdr_decode(&head.ddp, (iwarp_span){octets, sizeof octets}).err != IWARP_OK) {
    return false;
  }
  head.ctrl = iwarp_rdmap_ctrl_decode(head.ddp.rsvdulp);
  head.payload_len = v->fpdu.ulpdu_length - iwarp_ddp_hdr_len(octets[0]);
  *out = head;
  return true;
}
