/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of a connection. */
#include "tally.h"

#include <iwarp/sctp_observer.h>
#include <string.h>

static void tally_fpdu(observe_tally *tally, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  tally->fpdus[ev->side]++;
  tally->octets[ev->side] += ev->sctp != NULL ? ev->sctp->u.message.captured->length
                                              : ev->len + ev->u.fpdu.fpdu.layout.lead;
  if (seg->has_ddp && seg->ddp.last) {
    tally->messages[seg->ctrl.opcode % OBSERVE_OPCODES]++;
  }
}

void obs_tally_fpdu(observe_tally *tally, const iwarp_observer_fpdu *restrict f) {
  tally->fpdus[f->side]++;
  tally->octets[f->side] += f->wire.len;
  tally->messages[f->opcode % OBSERVE_OPCODES] += f->ddp.last ? 1u : 0u;
}

void obs_tally_event(observe_tally *tally, const iwarp_event *ev) {
  switch (ev->kind) {
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: tally_fpdu(tally, ev); break;
  case IWARP_EVENT_SCTP_MESSAGE:
    tally->octets[ev->side] += ev->sctp->u.message.captured->length;
    break;
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_UNDECODABLE: tally->octets[ev->side] += ev->len; break;
  case IWARP_EVENT_GAP: tally->gaps++; break;
  case IWARP_EVENT_STREAMING: tally->streaming[ev->side] += ev->len; break;
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_END: break;
  }
}

/* Returns true if the octets are a Marker after the last FPDU: it precedes an FPDU that was never
 * sent, and nothing is missing. RFC 5044 4.3 */
static bool tally_marker_alone(const iwarp_observer_side *side, const iwarp_event *ev) {
  static const uint8_t between[IWARP_MPA_MARKER_LEN] = {0};
  return side->markers == IWARP_TRISTATE_ON && ev->unfinished.len == sizeof(between) &&
         ev->pos > side->full_pos && (ev->pos - side->full_pos) % IWARP_MPA_MARKER_PERIOD == 0 &&
         memcmp(ev->unfinished.ptr, between, sizeof(between)) == 0;
}

static void tally_add_undecodable(observe_conn *conn, const iwarp_event *ev) {
  const iwarp_observer_side *side = &conn->info->side[ev->side];
  observe_undecodable *u = &conn->undecodable[ev->side];
  if (!side->start_known || side->gap || tally_marker_alone(side, ev)) {
    return;
  }
  if (u->octets == 0) {
    const bool after = side->full_pos != IWARP_POS_UNKNOWN && ev->pos >= side->full_pos;
    u->packet = ev->first.packet;
    u->pos = ev->pos;
    u->offset = after ? ev->pos - side->full_pos : IWARP_POS_UNKNOWN;
  }
  u->octets += ev->len;
  u->cut += ev->u.undecodable == IWARP_UNDEC_UNFINISHED ? ev->len : 0;
}

void obs_tally_undecodable(observe_conn *conn, const iwarp_event *ev) {
  if (ev->kind == IWARP_EVENT_UNDECODABLE) {
    tally_add_undecodable(conn, ev);
  } else if (ev->kind == IWARP_EVENT_END && ev->u.end == IWARP_END_CAPTURE) {
    conn->undecodable[ev->side].octets -= conn->undecodable[ev->side].cut;
    conn->undecodable[ev->side].cut = 0;
  }
}
