/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain pcap and pcapng files: which of the two it is. */
#include "capture_priv.h"

size_t capture_begin(capture_reader *r, const ingest_alloc *alloc, const uint8_t *data,
                     size_t len) {
  *r = (capture_reader){.alloc = *alloc, .unknown = -1};
  if (len < CAPTURE_HEADER_MIN) {
    r->want = CAPTURE_HEADER_MIN;
    return 0;
  }
  const size_t used = capture_pcap_begin(r, data);
  return used != 0 ? used : capture_ng_begin(r, data, len);
}

capture_result capture_next(capture_reader *r, const uint8_t *data, size_t len, ingest_packet *out,
                            size_t *used) {
  *used = 0;
  if (r->reason != NULL) {
    return CAPTURE_DAMAGED;
  }
  return r->ng ? capture_ng_next(r, data, len, out, used)
               : capture_pcap_next(r, data, len, out, used);
}

void capture_end(capture_reader *r) {
  if (r->interfaces != NULL) {
    r->alloc.put(r->alloc.ctx, r->interfaces, r->room * sizeof *r->interfaces);
  }
  r->interfaces = NULL;
}
