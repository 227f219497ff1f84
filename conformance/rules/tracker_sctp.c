/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event over SCTP leaves after: RFC 5043. */
#include "tracker_sctp.h"

/* The first message of this side is known to have arrived: RFC 5043 6.6. */
bool rulesi_sctp_arrived(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const bool answered = own->kind == IWARP_SCTP_KIND_INITIATE ? other->begun : other->segments;
  return answered || j->ev->sctp->acked > own->pos;
}

static void tracker_sctp_control(struct rules_ctx *j) {
  const iwarp_ev_sctp *m = j->ev->sctp;
  struct rules_sctp *own = &rules_own(j)->sctp;
  if (!own->begun && m->ssn == 0) {
    own->begun = true;
    own->kind = m->kind;
    own->enhanced = m->control.function >= IWARP_SCTP_ENHANCED_INITIATE;
    own->pos = j->ev->pos;
    own->end = j->ev->pos + j->ev->len;
    own->packet = j->ev->last.packet;
  }
  own->ended =
      own->ended || m->kind == IWARP_SCTP_KIND_TERMINATE || m->kind == IWARP_SCTP_KIND_REJECT;
}

void rulesi_sctp_update(struct rules_ctx *j) {
  const iwarp_ev_sctp *m = j->ev->sctp;
  struct rules_sctp *own = &rules_own(j)->sctp;
  if (m == NULL) {
    return;
  }
  own->whole = m->lossless;
  if (j->ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    own->segments = true;
    own->arrived = own->arrived || (own->begun && rulesi_sctp_arrived(j));
  } else if (m->has_control && m->reason == IWARP_SCTP_REASON_NONE) {
    tracker_sctp_control(j);
  }
  if (m->has_ssn && m->reason <= IWARP_SCTP_REASON_SEQUENCE) {
    const bool gap = j->ev->kind == IWARP_EVENT_GAP; /* its DDP-SSN is the first one missing */
    own->next = (uint16_t)(m->ssn + (gap ? m->missing : 1u));
  }
}
