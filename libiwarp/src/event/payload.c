/* SPDX-License-Identifier: BSD-2-Clause */
/* The payload of the DDP Segment of an event. */
#include <iwarp/event.h>

#include "../base/minmax.h"
#include "../base/span.h"

/* The next run from octet `at` of the DDP Segment on; empty after the last one. */
static iwarp_span event_run(const iwarp_event *ev, size_t at) {
  iwarp_span run = {0};
  if (ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    return span_from(ev->sctp->u.message.user_data, IWARP_SCTP_SEGMENT_LEN + at);
  }
  (void)iwarp_mpa_fpdu_ulpdu_span(&run, &at, &ev->u.fpdu.fpdu);
  return run;
}

iwarp_err iwarp_event_payload(iwarp_span *out, size_t *cursor, const iwarp_event *ev) {
  const bool segment = ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  if (!segment || !ev->u.fpdu.seg.has_ddp) {
    return IWARP_ERR_END;
  }
  const size_t header = ev->u.fpdu.seg.ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const iwarp_span run = event_run(ev, header + size_min(*cursor, ev->u.fpdu.seg.payload_len));
  if (run.len == 0) {
    return IWARP_ERR_END;
  }
  *out = run;
  *cursor += run.len;
  return IWARP_OK;
}
