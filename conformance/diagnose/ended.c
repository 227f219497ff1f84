/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections that ended by FIN or RST, or that the capture leaves open. */
#include "parts.h"

#include <string.h>

#define ENDED_AGAIN 3u       /* segments sent again that show a lossy path */
#define ENDED_AGAIN_PART 50u /* and one of so many FPDUs at least */
#define ENDED_ROUNDS 4u      /* Reads that were each followed by a message of their side */

/* ---- work that was left ---- */

/* The side left in the middle of its own message, or of octets that begin one. */
static bool ended_cut(const diagnose_case *c, uint8_t side) {
  const observe_facts_side *s = &c->side[side];
  return s->cut.packet != 0 || (s->latest.at.packet != 0 && s->latest.whole && !s->latest.last);
}

/* The other side was sending when this one reset the connection: octets of it were not received. */
static bool ended_refused(const diagnose_case *c, uint8_t side) {
  return c->outcome->how == OBSERVE_RESET && c->conn->at_end.has_unacknowledged &&
         c->conn->at_end.unacknowledged[1 - side] > 0 && ended_cut(c, 1 - side);
}

/* Returns true if the latest message is the answer to a Read of the side, which sent a message
 * after each of its Reads before. */
static bool ended_in_round(const diagnose_case *c, uint8_t side) {
  const observe_facts_side *s = &c->side[side];
  const observe_facts_side *other = &c->side[1 - side];
  return c->conn->at_end.has_waiting && s->reads_followed >= ENDED_ROUNDS &&
         s->num_reads == s->reads_followed + 1 && s->latest.opcode == IWARP_RDMAP_OP_READ_REQ &&
         s->requests.reads + s->requests.atomics == 0 && c->conn->facts->latest_side != side &&
         other->latest.last && other->latest.opcode == IWARP_RDMAP_OP_READ_RESP;
}

/* Returns true if the side left first. */
static bool ended_left(const diagnose_case *c, uint8_t side) {
  return c->outcome->ended && c->outcome->side == side;
}

static bool ended_path_lost(const diagnose_case *c) {
  const observe_at_end *end = &c->conn->at_end;
  for (uint8_t side = 0; side < 2; side++) {
    const observe_moment *latest = &c->conn->facts->latest;
    const uint64_t until = c->outcome->ended ? c->outcome->time_ns : end->last.time_ns;
    if (c->conn->again[side].segments >= ENDED_AGAIN && until > latest->time_ns &&
        until - latest->time_ns >= DIAGNOSE_LONG_NS / 3 && c->conn->again[side].packet != 0 &&
        end->unacknowledged[side] > 0) {
      iwarp_diagnosis *d = diagnose_add(
          c, IWARP_DIAGNOSIS_PATH_LOST, false, side,
          c->outcome->ended
              ? "%s sent the same octets again from frame %0 on without an answer, until the "
                "connection ended in frame %1"
              : "%s sent the same octets again from frame %0 on without an answer");
      diagnose_frames(d, c->conn->again[side].packet, c->outcome->packet, 0);
      return true;
    }
  }
  return false;
}

static void ended_killed(const diagnose_case *c) {
  const uint8_t side = c->outcome->side;
  iwarp_diagnosis *d;
  if (!c->outcome->ended) {
    return;
  }
  if (ended_cut(c, side)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_PROCESS_KILLED, false, side,
                     "%s left the connection in frame %0 in the middle of a message: its process "
                     "was likely killed, or gave up");
  } else if (c->conn->at_end.has_waiting && c->conn->at_end.owed[side] > 0) {
    d = diagnose_add(
        c, IWARP_DIAGNOSIS_PROCESS_KILLED, false, side,
        "%s left the connection in frame %0 while %p waited for an answer: its process "
        "was likely killed, or gave up");
  } else if (ended_refused(c, side)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_PROCESS_KILLED, false, side,
                     "%s reset the connection in frame %0 in the middle of a message of %p: its "
                     "process was likely killed, or gave up");
  } else if (ended_in_round(c, side)) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_PROCESS_KILLED, false, side,
                     "%s left the connection in frame %0 after the answer to its Read, although it "
                     "sent a message after each of its %a Reads before: its process was likely "
                     "killed, or gave up");
    d->number[0] = c->side[side].reads_followed;
  } else {
    return;
  }
  diagnose_frames(d, c->outcome->packet, 0, 0);
}

/* Reads or Atomic Operations that the other side did not answer. */
static void ended_unanswered(const diagnose_case *c) {
  const observe_at_end *end = &c->conn->at_end;
  if (!iwarp_diagnose_unanswered(c->conn)) {
    return;
  }
  for (uint8_t side = 0; side < 2; side++) {
    if (end->owed[side] > 0) {
      iwarp_diagnosis *d =
          diagnose_add(c, IWARP_DIAGNOSIS_WORK_UNANSWERED, true, side,
                       end->oldest[side] != 0
                           ? "%s left %a of the requests of %p unanswered, the first of them in "
                             "frame %0"
                           : "%s left %a of the requests of %p unanswered");
      d->number[0] = end->owed[side];
      diagnose_frames(d, end->oldest[side], c->outcome->packet, 0);
    }
  }
}

/* ---- faults ---- */

/* The fault is one that a receiver may leave for: that a side answers what it should refuse shows
 * the fault of the other side, which goes on. */
static bool ended_is_reason(const observe_finding_fact *fault) {
  return strcmp(diagnose_slug(fault), "rdmap.error-answered") != 0;
}

/* The last message of a side breaks a rule, and the other side left without another message. */
static bool ended_after_fault(const diagnose_case *c) {
  const uint8_t side = c->outcome->side;
  const observe_facts_side *other = &c->side[1 - side];
  const uint64_t last = other->latest.at.packet;
  const observe_finding_fact *fault = diagnose_fault(other, last, UINT64_MAX);
  if (!c->outcome->ended) {
    return false;
  }
  if (fault == NULL) {
    fault = diagnose_fault(other, c->side[side].latest.at.packet + 1, c->outcome->packet);
  }
  if (fault == NULL || !ended_is_reason(fault) || fault->packet > c->outcome->packet ||
      c->side[side].latest.at.packet > fault->packet) {
    return false;
  }
  iwarp_diagnosis *d = diagnose_add(c, IWARP_DIAGNOSIS_LEFT_AFTER_FAULT, false, side,
                                    "%s left in frame %1, after a message of %p in frame %0 that "
                                    "breaks the rule %v");
  d->word[0] = diagnose_slug(fault);
  diagnose_frames(d, fault->packet, c->outcome->packet, 0);
  return true;
}

static void ended_framing(const diagnose_case *c) {
  for (uint8_t side = 0; side < 2; side++) {
    const observe_undecodable *u = &c->conn->undecodable[side];
    if (u->octets > u->cut) {
      iwarp_diagnosis *d = diagnose_add(c, IWARP_DIAGNOSIS_FRAMING_LOST, false, side,
                                        "the octets of %s from frame %0 on are no FPDUs");
      diagnose_frames(d, u->packet, 0, 0);
    }
  }
}

/* ---- Rev 1 ---- */

/* The Responder received a message and left without a message of its own; no side read. */
static bool ended_rev1(const diagnose_case *c) {
  const observe_facts_side *i = &c->side[c->first];
  const observe_facts_side *r = &c->side[1 - c->first];
  if (i->startup.at.packet == 0 || r->startup.at.packet == 0 || i->startup.rev > 1 ||
      r->startup.rev > 1 || i->num_reads + r->num_reads > 0 || i->first.at.packet == 0 ||
      r->first.at.packet != 0 || !ended_left(c, 1 - c->first)) {
    return false;
  }
  iwarp_diagnosis *d =
      diagnose_add(c, IWARP_DIAGNOSIS_REV1_NO_READS, false, 1 - c->first,
                   "%s left in frame %1 without a message, after it had received the message in "
                   "frame %0: Rev 1 carries no IRD and ORD, so that it may be unable to read");
  diagnose_frames(d, i->latest.at.packet, c->outcome->packet, 0);
  return true;
}

/* ---- time ---- */

/* A side had no room in its window for long, until the connection ended or before. */
static bool ended_shut(const diagnose_case *c, bool open) {
  for (uint8_t side = 0; side < 2; side++) {
    const observe_shut *shut = &c->conn->shut[side];
    if (shut->first == 0 || shut->open != open ||
        shut->ns < (open && c->outcome->ended ? DIAGNOSE_LONG_NS / 3 : DIAGNOSE_LONG_NS)) {
      continue;
    }
    iwarp_diagnosis *d =
        diagnose_add(c, IWARP_DIAGNOSIS_ZERO_WINDOW, false, side,
                     open ? "%s had no room for the octets of %p from frame %0 on, for %t (its TCP "
                            "window was 0) until the connection or the capture ended"
                          : "%s had no room for the octets of %p from frame %0 to frame %1, for %t "
                            "(its TCP window was 0)");
    d->number[2] = shut->ns;
    diagnose_frames(d, shut->first, shut->last, 0);
    return true;
  }
  return false;
}

/* The last message had no answer until its sender left, or until the capture ends. A side that
 * never sent a message may also leave itself; one that did so may be done. */
static bool ended_silent(const diagnose_case *c) {
  const observe_facts *facts = c->conn->facts;
  const observe_at_end *end = &c->conn->at_end;
  const uint8_t waits = facts->latest_side;
  const uint64_t until = c->outcome->ended ? c->outcome->time_ns
                                           : end->last.time_ns + (end->has_idle ? end->idle_ns : 0);
  const uint64_t ns = until > facts->latest.time_ns ? until - facts->latest.time_ns : 0;
  const bool mute = c->outcome->ended && facts->side[1 - waits].first.at.packet == 0;
  const bool gave_up = ended_left(c, waits) || !c->outcome->ended || mute;
  const bool any = facts->side[waits].first.at.packet != 0;
  if (!gave_up || !any || ns < DIAGNOSE_LONG_NS) {
    return false;
  }
  iwarp_diagnosis *d = diagnose_add(
      c, IWARP_DIAGNOSIS_SILENT_PEER, false, 1 - waits,
      ended_left(c, waits)
          ? "%s sent nothing in the %t after the message in frame %0, until %p left in frame %1"
      : c->outcome->ended
          ? "%s sent nothing in the %t after the message in frame %0, and left in frame %1"
          : "%s sent nothing in the %t after the message in frame %0, until the capture ends");
  d->number[2] = ns;
  diagnose_frames(d, facts->latest.packet, c->outcome->packet, 0);
  return true;
}

static void ended_slow(const diagnose_case *c) {
  const observe_silence *s = &c->conn->facts->silence;
  if (s->ns < DIAGNOSE_LONG_NS || s->speaker == s->breaker) {
    return;
  }
  iwarp_diagnosis *d =
      diagnose_add(c, IWARP_DIAGNOSIS_SLOW_ANSWER, false, s->breaker,
                   "%s sent nothing in the %t after the message of %p in frame %0, and its "
                   "next one in frame %1");
  d->number[2] = s->ns;
  diagnose_frames(d, s->before, s->after, 0);
}

/* Returns true if a diagnosis reports octets of the side that were sent again without an answer. */
static bool ended_is_path(const diagnose_case *c, uint8_t side) {
  return c->out->num > 0 && c->out->of[0].id == IWARP_DIAGNOSIS_PATH_LOST &&
         c->out->of[0].side == side;
}

static void ended_lossy(const diagnose_case *c) {
  const observe_tally *tally = &c->conn->tally;
  for (uint8_t side = 0; side < 2; side++) {
    const observe_resent *again = &c->conn->again[side];
    if (!ended_is_path(c, side) && again->segments >= ENDED_AGAIN &&
        again->segments * ENDED_AGAIN_PART >= tally->fpdus[side]) {
      iwarp_diagnosis *d =
          diagnose_add(c, IWARP_DIAGNOSIS_PACKETS_LOST, false, side,
                       "%a segments of %s were sent again although they are in the capture, the "
                       "first in frame %0: they were lost or overtaken on the way to %p");
      d->number[0] = again->segments;
      diagnose_frames(d, again->packet, 0, 0);
    }
  }
}

/* ---- all of it ---- */

/* Once the other side has left, an RST may be a short way to close. */
static void ended_reset(const diagnose_case *c) {
  const uint64_t fin = c->side[1 - c->outcome->side].fin.packet;
  const bool left = fin != 0 && fin < c->outcome->packet;
  iwarp_diagnosis *d = diagnose_add(
      c, IWARP_DIAGNOSIS_RESET, !left, c->outcome->side,
      left ? "%s reset the connection (RST) in frame %0, after %p had left it in frame %1"
           : "%s reset the connection (RST) in frame %0");
  diagnose_frames(d, c->outcome->packet, left ? fin : 0, 0);
}

void diagnose_ended(const diagnose_case *c) {
  const bool reset = c->outcome->how == OBSERVE_RESET;
  if (diagnose_unused(c)) {
    return;
  }
  if (!ended_shut(c, true) && !ended_path_lost(c) && !ended_after_fault(c) && !ended_rev1(c)) {
    ended_killed(c);
  }
  ended_framing(c);
  ended_unanswered(c);
  if (c->out->num == 0) {
    (void)ended_silent(c);
  }
  if (reset && c->out->num == 0) {
    ended_reset(c);
  }
  if (!ended_shut(c, false)) {
    ended_slow(c);
  }
  ended_lossy(c);
}
