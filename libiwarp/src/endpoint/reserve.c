/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that a transport reads straight into place. RFC 5041 5.1, 5.3, RFC 5044 6 */
#include "reserve.h"

#include "../base/minmax.h"
#include "framing.h"
#include "recv.h"
#include "regions.h"

/*
 * Returns true if the rest of an FPDU is read into the reassembly buffer, not into its places.
 * Markers cut the places into runs of 508 octets, which cost a transport more than a copy does.
 */
static bool reserve_gathers(const ep_framing_view *f) {
  return f->info->markers_in && !f->cfg->place_before_crc;
}

/* Returns true if payload may be placed before its CRC has come. RFC 5044 6 */
static bool reserve_allowed(const ep_framing_view *f) {
  return f->cfg->place_before_crc || !f->info->crc;
}

/* Returns true if the next octets continue the octets that were read into place. Only one stretch
 * of an FPDU is tracked. */
static bool reserve_goes_on(const ep_reassembly *a) {
  return a->committed.to == 0 || a->committed.to == a->have;
}

/* Returns true if the octets of the segment so far are right and the segment has payload. */
static bool reserve_checked(const ep_recv_view *c, const ep_segment *seg) {
  return seg->len > 0 && seg->op->payload && iwarp_mpa_fpdu_markers_agree(&seg->fpdu->mpa) &&
         iwarpi_ep_validate(c, seg) == EP_OK;
}

/* Adds the place of the payload to the walk; false if no payload may be placed now. */
static bool reserve_in_place(const ep_framing_view *f, const ep_recv_view *c,
                             ep_reserve_walk *out) {
  const ep_sink_view sinks = ep_sink_view_of(c);
  ep_segment seg;
  if (!reserve_allowed(f) || !reserve_goes_on(f->reassembly) || !out->fpdu.seg.has_ddp) {
    return false;
  }
  iwarpi_ep_segment(&seg, &out->fpdu);
  if (!reserve_checked(c, &seg)) {
    return false;
  }
  out->dst = iwarpi_ep_payload_place(&sinks, &seg);
  out->payload_len = seg.len;
  out->run = iwarpi_ep_payload(&seg);
  return out->dst != NULL;
}

/* iwarpi_ep_reserve_begin begins a walk over the rest of the expected FPDU; false if no octet may
 * be read into place. */
bool iwarpi_ep_reserve_begin(const ep_framing_view *f, const ep_recv_view *c,
                             ep_reserve_walk *out) {
  if (f->cfg->num_out_of_order > 0 || !iwarpi_ep_frame_begun(f, &out->fpdu)) {
    return false;
  }
  out->at = f->reassembly->have;
  out->run = (ep_payload){0};
  return reserve_gathers(f) || reserve_in_place(f, c, out);
}

/* iwarpi_ep_reserve_next returns the next space, which lies in one piece, and moves after it. */
bool iwarpi_ep_reserve_next(const ep_reassembly *a, ep_reserve_walk *walk,
                            iwarp_endpoint_space *out) {
  ep_payload *run = &walk->run;
  size_t end = walk->fpdu.mpa.layout.wire_len;
  while (run->left > 0 && walk->at >= run->at + run->len) {
    iwarpi_ep_payload_next(run);
  }
  out->dst = &a->buf[walk->at];
  if (run->left > 0 && walk->at >= run->at) {
    const size_t past = walk->at - run->at;
    end = run->at + run->len;
    out->dst = walk->dst + (walk->payload_len - run->left + past); /* bound: iwarpi_ep_validate */
  } else if (run->left > 0) {
    end = run->at;
  }
  out->len = end - walk->at;
  walk->at = end;
  return out->len > 0;
}

/* Continues the CRC of the FPDU with `octets`, which begin at offset `from`. */
static void reserve_crc(const ep_framing_view *f, const ep_reserve_walk *walk, size_t from,
                        iwarp_span octets) {
  ep_committed *l = &f->reassembly->committed;
  if (f->info->crc) {
    l->crc = iwarpi_ep_frame_crc(l->crc, &walk->fpdu.mpa, from, octets);
  }
}

/* iwarpi_ep_commit takes the next `len` octets of the walk, at least one, which the transport has
 * read. */
void iwarpi_ep_commit(const ep_framing_view *f, ep_reserve_walk *walk, size_t len) {
  ep_reassembly *a = f->reassembly;
  iwarp_endpoint_space space;
  if (reserve_gathers(f)) {
    a->have += len;
    return;
  }
  if (a->committed.to == 0) {
    a->committed = (ep_committed){.from = a->have, .dst = walk->dst};
    reserve_crc(f, walk, 0, walk->fpdu.mpa.wire);
  }
  for (size_t left = len; left > 0;) {
    const size_t from = walk->at;
    (void)iwarpi_ep_reserve_next(a, walk, &space);
    const size_t n = size_min(space.len, left);
    reserve_crc(f, walk, from, (iwarp_span){space.dst, n});
    left -= n;
  }
  a->have += len;
  a->committed.to = a->have;
}
