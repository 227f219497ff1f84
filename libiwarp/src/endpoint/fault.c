/* SPDX-License-Identifier: BSD-2-Clause */
/* The contents of the Terminate for a fault. RFC 5040 4.8, 7.1 */
#include "fault.h"

#include "../base/cursor.h"
#include "../base/span.h"

#define FAULT_LAYER_SHIFT 12
#define FAULT_ETYPE_SHIFT 8
#define FAULT_REMOTE_PROTECTION (IWARP_TERM_PROTECTION_STAG >> FAULT_ETYPE_SHIFT)

/* The origin of a fault: the FPDU to blame. */
typedef struct fault_origin {
  uint64_t offset;
  iwarp_span header; /* DDP header; empty: none is known */
  bool returned;     /* the Terminate returns it, and `read` if that fits the error */
  uint16_t segment_len;
  iwarp_span read; /* RDMAP header of a Read Request */
} fault_origin;

/* Copies `octets` to `dst`, where they fit. */
static void fault_copy(uint8_t *dst, size_t cap, iwarp_span octets) {
  wr w = wr_of(dst, cap, cap);
  wr_span(&w, octets);
}

static ep_input fault_keep(ep_fault *f, iwarp_term term, const fault_origin *origin) {
  if (f->found) {
    return EP_NO_INPUT;
  }
  f->found = true;
  f->term = term;
  f->offset = origin->offset;
  f->segment_len = origin->segment_len;
  f->returned = origin->returned;
  f->header_len = (uint8_t)origin->header.len;
  fault_copy(f->header, sizeof f->header, origin->header);
  if (term >> FAULT_ETYPE_SHIFT == FAULT_REMOTE_PROTECTION) { /* RFC 5040 4.8 figure 10 */
    f->read_len = (uint8_t)origin->read.len;
    fault_copy(f->read, sizeof f->read, origin->read);
  }
  return EP_FAULT;
}

/* The DDP header of an FPDU, empty where it has none. */
static iwarp_span fault_header(const ep_fpdu *fpdu) {
  const size_t len = fpdu->seg.ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  return span_first(fpdu->octets, fpdu->seg.has_ddp ? len : 0);
}

/* A fault that is not tied to a segment; `offset` is IWARP_POS_UNKNOWN where no octets show it. */
ep_input iwarpi_ep_fault(ep_fault *f, iwarp_term term, uint64_t offset) {
  return fault_keep(f, term, &(fault_origin){.offset = offset});
}

/* A fault of an FPDU whose headers the Terminate does not return. */
ep_input iwarpi_ep_fault_of_fpdu(ep_fault *f, iwarp_term term, const ep_fpdu *fpdu) {
  return fault_keep(f, term, &(fault_origin){.offset = fpdu->offset, .header = fault_header(fpdu)});
}

/* A fault of a segment; `read` is the RDMAP header of a Read Request, or empty. */
ep_input iwarpi_ep_fault_of_segment(ep_fault *f, iwarp_term term, const ep_segment *seg,
                                    iwarp_span read) {
  const fault_origin origin = {.offset = seg->fpdu->offset,
                               .header = fault_header(seg->fpdu),
                               .returned = true,
                               .segment_len = seg->fpdu->mpa.ulpdu_length,
                               .read = read};
  return fault_keep(f, term, &origin);
}

/* A fault of a Request that was received before, of whose Response `sent` octets were sent. */
ep_input iwarpi_ep_fault_of_read(ep_fault *f, iwarp_term term, const ep_inbound *in,
                                 uint32_t sent) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  if (!in->atomic) {
    iwarp_rdmap_read_req left = in->u.read; /* RFC 5040 4.8 */
    left.sink_to += sent;
    left.size -= sent;
    left.source_to += sent;
    (void)iwarp_rdmap_read_req_encode(octets, sizeof octets, &len, &left);
  }
  const fault_origin origin = {.offset = in->offset,
                               .header = {in->header, sizeof in->header},
                               .returned = true,
                               .segment_len = in->segment_len,
                               .read = {octets, len}};
  return fault_keep(f, term, &origin);
}

/* iwarpi_ep_fault_term makes the Terminate; its spans are of the fault. */
iwarp_rdmap_term iwarpi_ep_fault_term(const ep_fault *f) {
  return (iwarp_rdmap_term){.layer = (uint8_t)(f->term >> FAULT_LAYER_SHIFT),
                            .etype = (uint8_t)(f->term >> FAULT_ETYPE_SHIFT & 0xF),
                            .code = (uint8_t)(f->term & 0xFF),
                            .m = f->returned,
                            .d = f->returned,
                            .r = f->read_len > 0,
                            .has_ddp_segment_length = f->returned,
                            .ddp_segment_length = f->segment_len,
                            .ddp_header = {f->header, f->returned ? f->header_len : 0},
                            .rdma_header = {f->read, f->read_len}};
}

/* iwarpi_ep_fault_event describes the fault that was found. */
void iwarpi_ep_fault_event(const ep_fault *f, iwarp_endpoint_fault *out) {
  const iwarp_rdmap_term t = iwarpi_ep_fault_term(f);
  *out = (iwarp_endpoint_fault){.layer = t.layer,
                                .etype = t.etype,
                                .code = t.code,
                                .sent = f->sent,
                                .term = f->term,
                                .offset = f->offset,
                                .has_ddp = f->header_len > 0};
  if (out->has_ddp) {
    (void)iwarp_ddp_hdr_decode(&out->ddp, (iwarp_span){f->header, f->header_len});
    out->ctrl = iwarp_rdmap_ctrl_decode(out->ddp.rsvdulp);
  }
}
