/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts and derived facts of a connection. */
#include <report/conn.h>

static void conn_tally_fpdu(report_tally *tally, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  tally->fpdus[ev->side]++;
  tally->octets[ev->side] +=
      ev->sctp != NULL ? ev->sctp->length : ev->len + ev->u.fpdu.fpdu.layout.lead;
  if (seg->has_ddp && seg->ddp.last) {
    tally->messages[seg->ctrl.opcode % REPORT_OPCODES]++;
  }
}

void report_tally_event(report_tally *tally, const iwarp_event *ev) {
  switch (ev->kind) {
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: conn_tally_fpdu(tally, ev); break;
  case IWARP_EVENT_SCTP_MESSAGE: tally->octets[ev->side] += ev->sctp->length; break;
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_UNDECODABLE: tally->octets[ev->side] += ev->len; break;
  case IWARP_EVENT_GAP: tally->gaps++; break;
  case IWARP_EVENT_STREAMING: tally->streaming[ev->side] += ev->len; break;
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_END: break;
  }
}

static void conn_add_undecodable(report_conn *conn, const iwarp_event *ev) {
  const iwarp_conn_side *side = &conn->info->side[ev->side];
  report_undecodable *u = &conn->undecodable[ev->side];
  if (!side->start_known || side->gap) {
    return;
  }
  if (u->octets == 0) {
    const bool behind = side->full_pos != IWARP_POS_UNKNOWN && ev->pos >= side->full_pos;
    u->packet = ev->first.packet;
    u->pos = ev->pos;
    u->offset = behind ? ev->pos - side->full_pos : IWARP_POS_UNKNOWN;
  }
  u->octets += ev->len;
  u->cut += ev->u.undecodable == IWARP_UNDEC_UNFINISHED ? ev->len : 0;
}

void report_conn_undecodable(report_conn *conn, const iwarp_event *ev) {
  if (ev->kind == IWARP_EVENT_UNDECODABLE) {
    conn_add_undecodable(conn, ev);
  } else if (ev->kind == IWARP_EVENT_END && ev->u.end == IWARP_END_CAPTURE) {
    conn->undecodable[ev->side].octets -= conn->undecodable[ev->side].cut;
    conn->undecodable[ev->side].cut = 0;
  }
}

uint8_t report_initiator(const iwarp_conn_info *info) {
  const bool second =
      info->side[1].role == IWARP_ROLE_INITIATOR || info->side[0].role == IWARP_ROLE_RESPONDER;
  return second ? 1 : 0;
}

bool report_roles_known(const iwarp_conn_info *info) {
  return info->side[0].role != IWARP_ROLE_UNKNOWN || info->side[1].role != IWARP_ROLE_UNKNOWN;
}

bool report_rev(const iwarp_conn_info *info, uint8_t *rev) {
  const uint8_t initiator = report_initiator(info);
  const iwarp_conn_side *reply = &info->side[1 - initiator];
  const iwarp_conn_side *request = &info->side[initiator];
  const iwarp_conn_side *from = reply->has_startup ? reply : request;
  if (from->has_startup) {
    *rev = from->rev;
  }
  return from->has_startup;
}

bool report_enhanced(const iwarp_conn_info *info) {
  bool any = false;
  bool all = true;
  for (uint8_t i = 0; i < 2; i++) {
    if (info->side[i].has_startup) {
      any = true;
      all = all && info->side[i].enhanced;
    }
  }
  return any && all;
}
