/* SPDX-License-Identifier: BSD-2-Clause */
/* Views on an event over SCTP. */
#include "sctp_event.h"

static const iwarp_sctp_captured no_captured;
static const iwarp_ev_sctp_message no_message = {.captured = &no_captured};
static const iwarp_ev_sctp_end no_end;
static const iwarp_sctp_certainty no_certainty;

const iwarp_ev_sctp_message *rulesi_sctp_message(const struct rules_ctx *j) {
  const bool message =
      j->ev->kind == IWARP_EVENT_SCTP_MESSAGE || j->ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  return message ? &j->ev->sctp->u.message : &no_message;
}

const iwarp_sctp_captured *rulesi_sctp_captured(const struct rules_ctx *j) {
  return rulesi_sctp_message(j)->captured;
}

const iwarp_sctp_evidence *rulesi_sctp_evidence(const struct rules_ctx *j) {
  return &rulesi_sctp_captured(j)->evidence;
}

const iwarp_ev_sctp_end *rulesi_sctp_end(const struct rules_ctx *j) {
  const bool end = j->ev->kind == IWARP_EVENT_END && j->ev->sctp != NULL;
  return end ? &j->ev->sctp->u.end : &no_end;
}

const iwarp_sctp_certainty *rulesi_sctp_certainty(const struct rules_ctx *j) {
  return j->ev->sctp != NULL ? &j->ev->sctp->certainty : &no_certainty;
}

bool rulesi_sctp_lossless(const struct rules_ctx *j) {
  return j->ev->sctp != NULL && j->ev->sctp->lossless[j->ev->side];
}
