/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the octets of a segment go. RFC 5041 5.1, 5.3 */
#include "../base/span.h"
#include "ep_priv.h"

#define PLACE_RUNS_MORE 3u /* so that several FPDUs of one run each go into one call */

/* The most runs of an FPDU: the octets between Markers, and its ends. */
static size_t place_max_runs(const iwarp_endpoint_cfg *cfg) {
  return cfg->markers ? cfg->max_ulpdu / IWARP_MPA_MARKER_STRIDE + 2u : 1u;
}

/* iwarpi_ep_num_runs is how many runs there is room for. */
size_t iwarpi_ep_num_runs(const iwarp_endpoint_cfg *cfg) {
  return place_max_runs(cfg) + PLACE_RUNS_MORE;
}

/* iwarpi_ep_has_runs says whether there is room for one more FPDU in this call. */
bool iwarpi_ep_has_runs(const iwarp_endpoint *ep) {
  return ep->placing.used <= PLACE_RUNS_MORE;
}

/* The buffer or region that a segment goes to; *dst becomes the memory of its first octet. */
static iwarp_endpoint_place place_target(uint8_t **dst, const iwarp_endpoint *ep,
                                         const ep_segment *seg) {
  if (seg->ddp->tagged) {
    const iwarp_endpoint_region *v = &iwarpi_ep_region(&ep->memory, seg->ddp->stag)->v;
    *dst = v->mem;
    return (iwarp_endpoint_place){.tagged = true,
                                  .stag = v->stag,
                                  .user = v->user,
                                  .offset = seg->ddp->to - v->base,
                                  .len = seg->len};
  }
  const iwarp_endpoint_buffer *v =
      &iwarpi_ep_rq_at(&ep->rq, seg->ddp->msn - ep->rx.msn[seg->ddp->qn])->v;
  *dst = v->mem;
  return (iwarp_endpoint_place){
      .token = v->token, .user = v->user, .offset = seg->ddp->mo, .len = seg->len};
}

/* Lists the payload of an FPDU, Markers left out, and where it goes; `dst` may be NULL. */
static size_t place_list(iwarp_endpoint_run *runs, const iwarp_mpa_fpdu *fpdu, uint32_t len,
                         uint8_t *dst) {
  size_t num = 0;
  size_t run;
  size_t at = iwarp_mpa_wire_offset(&run, &fpdu->layout,
                                    IWARP_MPA_LENGTH_LEN + (size_t)fpdu->ulpdu_length - len);
  for (size_t left = len; left > 0; run = IWARP_MPA_MARKER_STRIDE) {
    const size_t n = run < left ? run : left;
    runs[num++] = (iwarp_endpoint_run){.src = span_part(fpdu->wire, at, n), .dst = dst};
    dst = dst != NULL ? dst + n : NULL; /* bound: iwarpi_ep_check */
    at += n + IWARP_MPA_MARKER_LEN;
    left -= n;
  }
  return num;
}

/* Whether octets are to be placed: those of an FPDU that was placed before its turn are not here.
 */
static bool place_wanted(const ep_segment *seg) {
  return seg->len > 0 && seg->op->payload && seg->fpdu->mpa.wire.len > 0;
}

/* iwarpi_ep_place begins to place the octets of a segment, which may be before its turn. */
void iwarpi_ep_place(iwarp_endpoint *ep, const ep_segment *seg) {
  ep_placing *p = &ep->placing;
  uint8_t *dst;
  p->on = place_wanted(seg);
  p->named = false;
  p->ends_read = false;
  if (!p->on) {
    return;
  }
  p->place = place_target(&dst, ep, seg);
  if (dst != NULL) {
    dst += (size_t)p->place.offset; /* bound: iwarpi_ep_check */
  }
  p->place.runs = &p->runs[p->used];
  p->place.num_runs = place_list(&p->runs[p->used], &seg->fpdu->mpa, seg->len, dst);
  p->used += p->place.num_runs;
}

/* iwarpi_ep_place_event names the octets of the current segment. */
bool iwarpi_ep_place_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  ep_placing *p = &ep->placing;
  p->on = p->on && !p->named;
  if (!p->on) {
    return false;
  }
  p->named = true;
  ev->kind = IWARP_ENDPOINT_EVENT_PLACE;
  ev->u.place = p->place;
  return true;
}
