/* SPDX-License-Identifier: BSD-2-Clause */
/* What the Terminate for a fault says. RFC 5040 4.8, 7.1 */
#include "ep_fault.h"

#include <string.h>

#include "../base/cursor.h"
#include "../base/span.h"

#define FAULT_LAYER_SHIFT 12
#define FAULT_ETYPE_SHIFT 8

/* Keeps a copy of `octets` that is as long as they, and they fit. */
static iwarp_span fault_keep(uint8_t *dst, size_t cap, iwarp_span octets) {
  wr w = wr_of(dst, cap, cap);
  wr_span(&w, octets);
  return (iwarp_span){dst, octets.len};
}

/* Keeps a fault; `header` is the DDP header of the segment to blame, `read` the RDMAP header. */
static ep_input fault_keep_all(ep_fault *f, uint16_t term, iwarp_span header, uint16_t segment_len,
                               iwarp_span read) {
  iwarp_rdmap_term *t = &f->term;
  if (f->found) {
    return EP_NO_INPUT;
  }
  f->found = true;
  *t = (iwarp_rdmap_term){.layer = (uint8_t)(term >> FAULT_LAYER_SHIFT),
                          .etype = (uint8_t)(term >> FAULT_ETYPE_SHIFT & 0xF),
                          .code = (uint8_t)(term & 0xFF)};
  if (header.len > 0) { /* RFC 5040 4.8 figure 10 */
    t->m = true;
    t->d = true;
    t->has_ddp_segment_length = true;
    t->ddp_segment_length = segment_len;
    t->ddp_header = fault_keep(f->header, sizeof f->header, header);
  }
  if (t->layer == 0 && t->etype == 1 && read.len > 0) {
    t->r = true;
    t->rdma_header = fault_keep(f->read, sizeof f->read, read);
  }
  return EP_FAULT;
}

/* A fault that is not tied to a segment. */
ep_input iwarpi_ep_fault(ep_fault *f, uint16_t term) {
  return fault_keep_all(f, term, (iwarp_span){0}, 0, (iwarp_span){0});
}

/* A fault of a segment; `read` is the RDMAP header of a Read Request, or empty. */
ep_input iwarpi_ep_fault_of_segment(ep_fault *f, uint16_t term, const ep_segment *seg,
                                    iwarp_span read) {
  const size_t len = seg->ddp->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  return fault_keep_all(f, term, span_first(seg->fpdu->octets, len), seg->fpdu->mpa.ulpdu_length,
                        read);
}

/* A fault of a Request that was received before, of whose Response `sent` octets were sent. */
ep_input iwarpi_ep_fault_of_read(ep_fault *f, uint16_t term, const ep_inbound *in, uint32_t sent) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  if (!in->atomic) {
    iwarp_rdmap_read_req left = in->u.read; /* RFC 5040 4.8 */
    left.sink_to += sent;
    left.size -= sent;
    left.source_to += sent;
    (void)iwarp_rdmap_read_req_encode(octets, sizeof octets, &len, &left);
  }
  return fault_keep_all(f, term, (iwarp_span){in->header, sizeof in->header}, in->segment_len,
                        (iwarp_span){octets, len});
}
