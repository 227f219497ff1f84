/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event is. */
#include "classify.h"

#include "diagnosis.h"
#include "evidence.h"
#include "interrupted.h"
#include "place.h"
#include "requests.h"
#include "session.h"
#include "trust.h"

/* Sets which MPA revision the sides agreed on. */
static void classify_version(struct rules_ctx *j) {
  const iwarp_observer_side *reply = rulesi_reply(j);
  j->facts.version_known = reply != NULL;
  j->facts.version_rdmac = reply != NULL && reply->rev == 0;
}

static void classify_segment(struct rules_ctx *j) {
  rulesi_trust(j);
  if (j->facts.placed) {
    j->facts.response_over = j->facts.depth == DEPTH_MESSAGE && rulesi_reads_response_over(j);
    rulesi_place(j);
  }
}

void rulesi_classify(struct rules_ctx *j) {
  const iwarp_event_kind kind = j->ev->kind;
  const bool segment = kind == IWARP_EVENT_SCTP_SEGMENT;
  classify_version(j);
  j->facts.other_ppid = (segment || kind == IWARP_EVENT_SCTP_MESSAGE) && rulesi_sctp_other_ppid(j);
  if (kind == IWARP_EVENT_FPDU || kind == IWARP_EVENT_UNDECODABLE) {
    rulesi_diagnose(j);
  }
  if (kind == IWARP_EVENT_FPDU || segment) {
    classify_segment(j);
  }
  rulesi_diagnose_framing(j);
  j->facts.ssn_used = rulesi_sctp_ssn_used(j);
  j->facts.interrupted = rulesi_interrupted_tells(j);
}
