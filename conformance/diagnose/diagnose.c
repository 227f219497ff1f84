/* SPDX-License-Identifier: BSD-2-Clause */
/* Which part explains a connection, and what the parts share. */
#include "parts.h"

iwarp_diagnosis *diagnose_add(const diagnose_case *c, iwarp_diagnosis_id id, bool certain,
                              uint8_t side, const char *text) {
  iwarp_diagnoses *out = c->out;
  const bool room = out->num < DIAGNOSE_MAX;
  iwarp_diagnosis *d = &out->of[room ? out->num : DIAGNOSE_MAX];
  out->num += room ? 1u : 0u;
  *d = (iwarp_diagnosis){.id = id,
                         .certainty = certain ? IWARP_DIAGNOSIS_CERTAIN : IWARP_DIAGNOSIS_LIKELY,
                         .text = text,
                         .side = side};
  return d;
}

void diagnose_frames(iwarp_diagnosis *d, uint64_t first, uint64_t second, uint64_t third) {
  d->frames[0] = first;
  d->frames[1] = second;
  d->frames[2] = third;
}

const observe_finding_fact *diagnose_fault(const observe_facts_side *s, uint64_t from,
                                           uint64_t to) {
  const uint64_t kept =
      s->num_findings < OBSERVE_FACTS_FINDINGS ? s->num_findings : OBSERVE_FACTS_FINDINGS;
  const observe_finding_fact *best = NULL;
  for (uint64_t i = 0; i < kept; i++) {
    const observe_finding_fact *f =
        &s->findings[(s->num_findings - kept + i) % OBSERVE_FACTS_FINDINGS];
    if (f->packet >= from && f->packet <= to && (best == NULL || f->packet >= best->packet)) {
      best = f;
    }
  }
  return best;
}

const char *diagnose_slug(const observe_finding_fact *fault) {
  return iwarp_rule_get(fault->rule)->slug;
}

void diagnose_rule(iwarp_diagnosis *d, const observe_finding_fact *fault) {
  d->word[0] = diagnose_slug(fault);
  d->word[1] = iwarp_rule_get(fault->rule)->fault;
}

bool iwarp_diagnose_unanswered(const observe_conn *conn) {
  const observe_at_end *end = &conn->at_end;
  const observe_outcome *outcome = &conn->outcome;
  if (!end->has_waiting || end->reads + end->atomics == 0) {
    return false;
  }
  switch (outcome->how) {
  case OBSERVE_TERMINATED:
  case OBSERVE_RESET:
  case OBSERVE_CLOSED: return true;
  case OBSERVE_HALF_CLOSED: return end->owed[outcome->side] > 0;
  case OBSERVE_UNKNOWN:
  case OBSERVE_REJECTED:
  case OBSERVE_STARTUP_FAILED:
  case OBSERVE_NO_REPLY:
  case OBSERVE_OPEN: break;
  }
  return false;
}

bool iwarp_diagnose_failed(const observe_conn *conn) {
  switch (conn->outcome.how) {
  case OBSERVE_REJECTED:
  case OBSERVE_TERMINATED:
  case OBSERVE_STARTUP_FAILED:
  case OBSERVE_NO_REPLY:
  case OBSERVE_RESET: return true;
  case OBSERVE_UNKNOWN:
  case OBSERVE_CLOSED:
  case OBSERVE_HALF_CLOSED:
  case OBSERVE_OPEN: break;
  }
  return iwarp_diagnose_unanswered(conn);
}

void iwarp_diagnose(iwarp_diagnoses *out, const observe_conn *conn) {
  out->num = 0;
  if (conn->facts == NULL) {
    return;
  }
  const diagnose_case c = {.conn = conn,
                           .outcome = &conn->outcome,
                           .side = conn->facts->side,
                           .first = conn->info->side[1].role == IWARP_ROLE_INITIATOR ? 1 : 0,
                           .out = out};
  switch (conn->outcome.how) {
  case OBSERVE_REJECTED: diagnose_rejected(&c); break;
  case OBSERVE_TERMINATED: diagnose_terminated(&c); break;
  case OBSERVE_STARTUP_FAILED: diagnose_startup(&c); break;
  case OBSERVE_NO_REPLY: diagnose_no_reply(&c); break;
  case OBSERVE_RESET:
  case OBSERVE_CLOSED:
  case OBSERVE_HALF_CLOSED:
  case OBSERVE_OPEN:
  case OBSERVE_UNKNOWN: diagnose_ended(&c); break;
  }
}

/* ---- ways to end ---- */

uint32_t iwarp_diagnose_ends(const observe_conn *conn) {
  return 1u << (unsigned int)conn->outcome.how |
         (iwarp_diagnose_unanswered(conn) ? IWARP_ENDS_UNANSWERED : 0u) |
         (iwarp_diagnose_failed(conn) ? IWARP_ENDS_FAILED : 0u);
}

uint32_t iwarp_diagnose_transport_ends(const observe_transport *what) {
  if (what->state == OBSERVE_TRANSPORT_REFUSED) {
    return IWARP_ENDS_SYN_REFUSED | IWARP_ENDS_FAILED;
  }
  return what->state == OBSERVE_TRANSPORT_UNANSWERED ? IWARP_ENDS_SYN_UNANSWERED | IWARP_ENDS_FAILED
                                                     : 0u;
}
