/* SPDX-License-Identifier: BSD-2-Clause */
/* The place of the octets of a segment. RFC 5041 5.1, 5.3 */
#include "placement.h"

#include <string.h>

#include "../base/minmax.h"
#include "../base/span.h"
#include "regions.h"
#include "rq.h"

#define PLACE_RUNS_MORE 3u /* room for several FPDUs of one run each in one call */

/* The most runs of an FPDU: the octets between Markers, and its ends. */
static size_t place_max_runs(const iwarp_endpoint_cfg *cfg) {
  return cfg->markers ? cfg->max_ulpdu / IWARP_MPA_MARKER_STRIDE + 2u : 1u;
}

/* iwarpi_ep_num_runs is how many runs there is room for. */
size_t iwarpi_ep_num_runs(const iwarp_endpoint_cfg *cfg) {
  return place_max_runs(cfg) + PLACE_RUNS_MORE;
}

/* iwarpi_ep_has_runs says whether there is room for one more FPDU in this call. */
bool iwarpi_ep_has_runs(const ep_placing *p) {
  return p->used <= PLACE_RUNS_MORE;
}

/* The buffer or region that a segment goes to; *dst becomes the memory of its first octet. */
static iwarp_endpoint_place place_target(uint8_t **dst, const ep_sink_view *s,
                                         const ep_segment *seg) {
  if (seg->ddp->tagged) {
    const iwarp_endpoint_region *v = &iwarpi_ep_region(s->memory, seg->ddp->stag)->v;
    *dst = v->mem;
    return (iwarp_endpoint_place){.tagged = true,
                                  .stag = v->stag,
                                  .user = v->user,
                                  .offset = seg->ddp->to - v->base,
                                  .len = seg->len};
  }
  const iwarp_endpoint_buffer *v = &iwarpi_ep_rq_at(s->rq, seg->ddp->msn - s->msn[seg->ddp->qn])->v;
  *dst = v->mem;
  return (iwarp_endpoint_place){
      .token = v->token, .user = v->user, .offset = seg->ddp->mo, .len = seg->len};
}

/* iwarpi_ep_payload is the first run of the payload of a segment, before the first Marker in it. */
ep_payload iwarpi_ep_payload(const ep_segment *seg) {
  const iwarp_mpa_fpdu *fpdu = &seg->fpdu->mpa;
  size_t run;
  const size_t at = iwarp_mpa_wire_offset(
      &run, &fpdu->layout, IWARP_MPA_LENGTH_LEN + (size_t)fpdu->ulpdu_length - seg->len);
  return (ep_payload){.at = at, .len = size_min(run, seg->len), .left = seg->len};
}

/* iwarpi_ep_payload_next moves to the next run: none is left when `left` is 0. */
void iwarpi_ep_payload_next(ep_payload *p) {
  p->at += p->len + IWARP_MPA_MARKER_LEN;
  p->left -= p->len;
  p->len = size_min(IWARP_MPA_MARKER_STRIDE, p->left);
}

/* `at` moved into the run. */
static size_t place_within(size_t at, const ep_payload *run) {
  return at < run->at ? run->at : size_min(at, run->at + run->len);
}

/* `n` octets after `dst`, which may be NULL. */
static uint8_t *place_after(uint8_t *dst, size_t n) {
  return dst != NULL ? dst + n : NULL; /* bound: iwarpi_ep_validate */
}

/* Adds the octets of the wire form from `from` to `to`, if there are any; `dst` may be NULL. */
static void place_add(ep_placing *p, iwarp_span wire, size_t from, size_t to, uint8_t *dst) {
  if (from < to) {
    p->runs[p->used++] = (iwarp_endpoint_run){.src = span_part(wire, from, to - from), .dst = dst};
  }
}

/*
 * Lists the payload of an FPDU, Markers left out, and where it goes; `dst` may be NULL. Octets that
 * were read straight into place are left out; they cut at most one run in two. Such an FPDU is the
 * first one of a call, so there is room for its runs.
 */
static void place_list(ep_placing *p, const ep_segment *seg, uint8_t *dst) {
  const ep_committed *l = &seg->fpdu->committed;
  const iwarp_span wire = seg->fpdu->mpa.wire;
  for (ep_payload run = iwarpi_ep_payload(seg); run.left > 0; iwarpi_ep_payload_next(&run)) {
    const size_t rest = l->to == 0 ? run.at : place_within(l->to, &run);
    place_add(p, wire, run.at, l->to == 0 ? run.at : place_within(l->from, &run), dst);
    place_add(p, wire, rest, run.at + run.len, place_after(dst, rest - run.at));
    dst = place_after(dst, run.len);
  }
}

/*
 * iwarpi_ep_payload_place returns the memory of the first octet of a segment's payload; NULL: its
 * region or receive buffer has none. The segment was checked.
 */
uint8_t *iwarpi_ep_payload_place(const ep_sink_view *s, const ep_segment *seg) {
  uint8_t *dst;
  const iwarp_endpoint_place place = place_target(&dst, s, seg);
  return place_after(dst, (size_t)place.offset);
}

size_t iwarp_place_copy(const iwarp_endpoint_place *place) {
  size_t copied = 0;
  for (size_t i = 0; i < place->num_runs; i++) {
    const iwarp_endpoint_run *run = &place->runs[i];
    if (run->dst != NULL) {
      memcpy(run->dst, run->src.ptr, run->src.len);
      copied += run->src.len;
    }
  }
  return copied;
}

/* Returns true if the segment has octets to place. The payload of an FPDU that was placed before
 * its turn is no longer available.
 */
static bool place_wanted(const ep_segment *seg) {
  return seg->len > 0 && seg->op->payload && seg->fpdu->mpa.wire.len > 0;
}

/* iwarpi_ep_place begins to place the octets of a segment, which may be before its turn. */
void iwarpi_ep_place(ep_placing *p, const ep_sink_view *s, const ep_segment *seg) {
  uint8_t *dst;
  p->on = place_wanted(seg);
  p->named = false;
  p->ends_read = false;
  if (!p->on) {
    return;
  }
  p->place = place_target(&dst, s, seg);
  const size_t before = p->used;
  place_list(p, seg, place_after(dst, (size_t)p->place.offset));
  p->place.runs = &p->runs[before];
  p->place.num_runs = p->used - before;
}

/* iwarpi_ep_place_event names the octets of the current segment. */
bool iwarpi_ep_place_event(ep_placing *p, iwarp_endpoint_event *ev) {
  p->on = p->on && !p->named;
  if (!p->on) {
    return false;
  }
  p->named = true;
  ev->kind = IWARP_ENDPOINT_EVENT_PLACE;
  ev->u.place = p->place;
  return true;
}
