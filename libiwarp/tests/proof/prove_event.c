/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: the payload of events, the segment without Markers, with one inside, and over SCTP. */
#include "crc32c/dispatch.c"
#include "crc32c/portable.c"
#include "crc32c/tables.c"
#include "event/payload.c"
#include "mpa/fpdu.c"
#include "mpa/marker.c"
#include "proof.h"

#define EVENT_ULPDU 70u /* octets: the largest header */

static void event_runs(const iwarp_event *ev, size_t cursor) {
  iwarp_span run;
  //@ loop unroll 4;
  while (iwarp_event_payload(&run, &cursor, ev) == IWARP_OK) {
    proof_touch(run);
  }
}

/* Where the walk may begin. */
#define EVENT_CURSORS 4
static const size_t event_cursors[EVENT_CURSORS] = {0, 1, EVENT_ULPDU, SIZE_MAX};

static void event_both(iwarp_event *ev) {
  //@ loop unroll 2;
  for (int tagged = 0; tagged < 2; tagged++) {
    iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
    seg->has_ddp = true;
    seg->ddp.tagged = tagged != 0;
    seg->payload_len = EVENT_ULPDU - (tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN);
    //@ loop unroll EVENT_CURSORS;
    for (size_t i = 0; i < EVENT_CURSORS; i++) {
      event_runs(ev, event_cursors[i]);
    }
  }
}

/* An FPDU with the first Marker after `place` octets, of whose wire form `have` octets are there.
 */
static void event_fpdu(uint64_t off, bool markers, size_t have) {
  iwarp_event ev = {.kind = IWARP_EVENT_FPDU};
  uint8_t *p = proof_block(have);
  ev.u.fpdu.fpdu = (iwarp_mpa_fpdu){.wire = {.ptr = p, .len = have},
                                    .ulpdu_length = EVENT_ULPDU,
                                    .markers = markers,
                                    .layout = iwarp_mpa_layout_of(off, EVENT_ULPDU, markers)};
  event_both(&ev);
  free(p);
}

static void event_sctp(size_t have) {
  uint8_t *p = proof_block(have);
  const iwarp_ev_sctp sctp = {.u.message.user_data = {.ptr = p, .len = have}};
  iwarp_event ev = {.kind = IWARP_EVENT_SCTP_SEGMENT, .sctp = &sctp};
  event_both(&ev);
  free(p);
}

void prove(void) {
  const size_t whole =
      iwarp_mpa_layout_of(IWARP_MPA_MARKER_PERIOD - 44u, EVENT_ULPDU, true).wire_len;
  event_fpdu(IWARP_MPA_MARKER_PERIOD - 44u, true, whole);
  event_fpdu(IWARP_MPA_MARKER_PERIOD - 44u, true, whole / 2);
  event_fpdu(0, true, iwarp_mpa_layout_of(0, EVENT_ULPDU, true).wire_len);
  event_fpdu(0, false, iwarp_mpa_layout_of(0, EVENT_ULPDU, false).wire_len);
  event_sctp(IWARP_SCTP_SEGMENT_LEN + EVENT_ULPDU);
  event_sctp(IWARP_SCTP_SEGMENT_LEN + IWARP_DDP_TAGGED_LEN);
  const iwarp_event end = {.kind = IWARP_EVENT_END};
  event_runs(&end, 0);
}
