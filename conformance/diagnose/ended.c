/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections that ended by FIN or RST, or that the capture leaves open. */
#include "parts.h"

#include <string.h>

#define ENDED_AGAIN 3u       /* segments sent again that show a lossy path */
#define ENDED_AGAIN_PART 50u /* part of the FPDUs that were sent again, at least: 1 / this */
#define ENDED_ROUNDS 4u      /* Reads, or Sends, that a message of a side followed each time */
#define ENDED_LARGE 500u     /* octets of an FPDU that a path may drop for its size */
#define ENDED_IDLE_NS UINT64_C(60000000000) /* idle time, such as a device's timeout */

/* ---- work that was left ---- */

/* Returns true if the path explains the end, or what was lost on it. */
static bool ended_is_path(const diagnose_case *c) {
  if (c->out->num == 0) {
    return false;
  }
  const iwarp_diagnosis_id id = c->out->of[0].id;
  return (id == IWARP_DIAGNOSIS_PATH_LOST || id == IWARP_DIAGNOSIS_PATH_MTU ||
          id == IWARP_DIAGNOSIS_ICMP_UNREACHABLE || id == IWARP_DIAGNOSIS_ICMP_REFUSED);
}

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

/* ---- the path ---- */

/* The longest FPDU of the side was not received, and is the first one that is so long. */
static bool ended_large(const diagnose_case *c, uint8_t side) {
  const observe_facts_side *s = &c->side[side];
  const uint64_t unacknowledged = c->conn->at_end.unacknowledged[side];
  return s->smaller > 0 && s->largest >= ENDED_LARGE && s->largest / 3 * 2 > s->smaller &&
         unacknowledged > 0 && s->largest_pos + s->largest + unacknowledged > s->end;
}

static const char *ended_path_text(const diagnose_case *c, uint8_t side) {
  if (!c->outcome->ended) {
    return "%s sent %a packets again from frame %0 on, for %t, without any answer of %p";
  }
  return c->outcome->reset && c->outcome->side != side
             ? "%s sent %a packets again from frame %0 on, for %t, without any answer, until an "
               "RST "
               "of %p came in frame %1: its host may have been started again"
             : "%s sent %a packets again from frame %0 on, for %t, without any answer of %p, until "
               "the connection ended in frame %1";
}

/* The capture stands beside the place where the path is cut: both sides are seen to send, and one
 * of them gets no acknowledgment. */
static bool ended_stuck(const diagnose_case *c) {
  const observe_moment *latest = &c->conn->facts->latest;
  const observe_at_end *end = &c->conn->at_end;
  const uint64_t until = c->outcome->ended ? c->outcome->time_ns : end->last.time_ns;
  for (uint8_t side = 0; side < 2; side++) {
    const observe_resent *again = &c->conn->again[side];
    if (again->segments >= ENDED_AGAIN && again->latest > latest->packet && again->packet != 0 &&
        end->unacknowledged[side] > 0 && until >= latest->time_ns + DIAGNOSE_SHORT_NS) {
      iwarp_diagnosis *d =
          diagnose_add(c, IWARP_DIAGNOSIS_PATH_LOST, false, side,
                       "%s sent %a segments again, the first in frame %0 and the latest in frame "
                       "%1, and %p acknowledged nothing of it any more");
      d->number[0] = again->segments;
      diagnose_frames(d, again->packet, again->latest, 0);
      return true;
    }
  }
  return false;
}

/* ICMP says why nothing of what the side sent again was answered. */
static bool ended_icmp(const diagnose_case *c, uint8_t side, uint64_t ns) {
  const observe_icmp *big = &c->conn->too_big[side];
  const observe_icmp *icmp = &c->conn->unreachable[side];
  const bool too_big = big->says != NULL && big->open;
  iwarp_diagnosis *d;
  if (!too_big && (icmp->says == NULL || !icmp->open)) {
    return false;
  }
  if (too_big) {
    d = diagnose_add(c, IWARP_DIAGNOSIS_PATH_MTU, false, side,
                     big->mtu > 0
                         ? "%s sent packets again from frame %0 on, for %t, without any answer: an "
                           "ICMP error in frame %2 says that packets of more than %b octets do not "
                           "fit through a link"
                         : "%s sent packets again from frame %0 on, for %t, without any answer: an "
                           "ICMP error in frame %2 says that they do not fit through a link");
    d->number[1] = big->mtu;
  } else {
    d = diagnose_add(
        c, icmp->refused ? IWARP_DIAGNOSIS_ICMP_REFUSED : IWARP_DIAGNOSIS_ICMP_UNREACHABLE, false,
        1 - side,
        "%s cannot be reached any more: an ICMP error in frame %2 says so of a packet of %p, which "
        "sent packets again from frame %0 on, for %t, without any answer: %v");
    d->word[0] = icmp->says;
  }
  d->number[2] = ns;
  diagnose_frames(d, c->conn->alone[side].first.packet, c->outcome->packet,
                  too_big ? big->first : icmp->first);
  return true;
}

bool diagnose_path(const diagnose_case *c) {
  for (uint8_t side = 0; side < 2; side++) {
    const observe_alone *alone = &c->conn->alone[side];
    const uint64_t ended = c->outcome->ended ? c->outcome->time_ns : 0;
    const uint64_t until = ended > alone->latest.time_ns ? ended : alone->latest.time_ns;
    if (alone->segments == 0 || !c->conn->at_end.heard[1 - side] ||
        until - alone->first.time_ns < DIAGNOSE_SHORT_NS) {
      continue;
    }
    if (ended_icmp(c, side, until - alone->first.time_ns)) {
      return true;
    }
    if (alone->segments < ENDED_AGAIN) {
      continue;
    }
    iwarp_diagnosis *d =
        ended_large(c, side)
            ? diagnose_add(c, IWARP_DIAGNOSIS_PATH_MTU, false, side,
                           "%s sent an FPDU of %a octets again from frame %0 on, for %t, without "
                           "any answer; all FPDUs that %p received of it have %b octets or less")
            : diagnose_add(c, IWARP_DIAGNOSIS_PATH_LOST, false, side, ended_path_text(c, side));
    const bool large = d->id == IWARP_DIAGNOSIS_PATH_MTU;
    d->number[0] = large ? c->side[side].largest : alone->segments;
    d->number[1] = c->side[side].smaller;
    d->number[2] = until - alone->first.time_ns;
    diagnose_frames(d, alone->first.packet, c->outcome->packet, 0);
    return true;
  }
  return ended_stuck(c);
}

/* ---- a side that left ---- */

/* The side left right after requests of its own, before the other one had time to answer. */
static bool ended_hasty(const diagnose_case *c, uint8_t side) {
  const uint64_t latest = c->conn->facts->latest.time_ns;
  return iwarp_diagnose_unanswered(c->conn) && c->conn->at_end.owed[1 - side] > 0 &&
         ended_left(c, side) && c->outcome->time_ns < latest + DIAGNOSE_SHORT_NS;
}

/* The latest message is a Send of the other side, which this one leaves without an answer. */
static bool ended_asked(const diagnose_case *c, uint8_t side) {
  const observe_facts_side *other = &c->side[1 - side];
  return c->conn->at_end.has_waiting && c->conn->facts->latest_side != side &&
         other->latest.whole && other->latest.last && other->latest.opcode >= IWARP_RDMAP_OP_SEND &&
         other->latest.opcode <= IWARP_RDMAP_OP_SEND_SE_INV;
}

/* The side answers, and answered each Send before. */
static bool ended_in_turn(const diagnose_case *c, uint8_t side) {
  const observe_facts_side *s = &c->side[side];
  return ended_asked(c, side) && s->answered >= ENDED_ROUNDS && s->passed == 0 &&
         c->side[1 - side].first.at.packet < s->first.at.packet;
}

/* The side never sent a message, and leaves at the first one. */
static bool ended_at_first(const diagnose_case *c, uint8_t side) {
  return ended_asked(c, side) && c->side[side].first.at.packet == 0 &&
         c->side[side].startup.at.packet != 0 && c->side[1 - side].num_sends == 1;
}

static void ended_no_answer(const diagnose_case *c, uint8_t side) {
  const observe_startup_fact *reply = &c->side[side].startup;
  const observe_startup_fact *request = &c->side[1 - side].startup;
  const bool none = reply->enhanced && (reply->enh.ord == 0 || request->enh.ird == 0);
  iwarp_diagnosis *d = diagnose_add(
      c, IWARP_DIAGNOSIS_NO_ANSWER, false, side,
      none ? "%s left in frame %1 without an answer to the first message of %p in frame %0; it "
             "cannot read, since the depth of its RDMA Reads (ORD) is 0"
           : "%s left in frame %1 without an answer to the first message of %p in frame %0");
  diagnose_frames(d, c->side[1 - side].latest.at.packet, c->outcome->packet, 0);
}

/* Text about the work in whose middle the side left, or NULL. */
static const char *ended_killed_text(const diagnose_case *c, uint8_t side) {
  if (ended_cut(c, side)) {
    return "%s left the connection in frame %0 in the middle of a message: its process was likely "
           "killed, or gave up";
  }
  if (c->conn->at_end.has_waiting && c->conn->at_end.owed[side] > 0) {
    return "%s left the connection in frame %0 while %p waited for an answer: its process was "
           "likely killed, or gave up";
  }
  if (ended_hasty(c, side)) {
    return "%s left the connection in frame %0 while %a of its requests waited for %p: its process "
           "was likely killed, or gave up";
  }
  if (ended_refused(c, side)) {
    return "%s reset the connection in frame %0 in the middle of a message of %p: its process was "
           "likely killed, or gave up";
  }
  if (ended_in_round(c, side)) {
    return "%s left the connection in frame %0 after the answer to its Read, although it sent a "
           "message after each of its %a Reads before: its process was likely killed, or gave up";
  }
  return ended_in_turn(c, side)
             ? "%s left the connection in frame %0 without an answer to the latest Send of %p, "
               "although it answered each of the %a before: its process was likely killed, or gave "
               "up"
             : NULL;
}

static void ended_killed(const diagnose_case *c) {
  const uint8_t side = c->outcome->side;
  const char *text = c->outcome->ended ? ended_killed_text(c, side) : NULL;
  if (text != NULL) {
    iwarp_diagnosis *d = diagnose_add(c, IWARP_DIAGNOSIS_PROCESS_KILLED, false, side, text);
    d->number[0] = ended_hasty(c, side)      ? c->conn->at_end.owed[1 - side]
                   : ended_in_round(c, side) ? c->side[side].reads_followed
                                             : c->side[side].answered;
    diagnose_frames(d, c->outcome->packet, 0, 0);
  }
}

/* Reads or Atomic Operations that the other side did not answer, though it could. */
static void ended_unanswered(const diagnose_case *c) {
  const observe_at_end *end = &c->conn->at_end;
  if (!iwarp_diagnose_unanswered(c->conn) || ended_is_path(c)) {
    return;
  }
  for (uint8_t side = 0; side < 2; side++) {
    if (end->owed[side] > 0 && !ended_hasty(c, 1 - side)) {
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

/* Octets of the side form no FPDUs, and nothing excuses it. */
static bool ended_is_lost(const diagnose_case *c, uint8_t side) {
  const observe_undecodable *u = &c->conn->undecodable[side];
  return u->octets > u->cut;
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
  if (ended_is_lost(c, 1 - side) && strcmp(diagnose_slug(fault), "mpa.framing") == 0) {
    return true; /* diagnose_framing tells of the octets, and who left for them */
  }
  iwarp_diagnosis *d = diagnose_add(c, IWARP_DIAGNOSIS_LEFT_AFTER_FAULT, false, side,
                                    "%s left in frame %1, after a message of %p in frame %0 that "
                                    "breaks the rule %v (\"%w\")");
  diagnose_rule(d, fault);
  diagnose_frames(d, fault->packet, c->outcome->packet, 0);
  return true;
}

void diagnose_framing(const diagnose_case *c) {
  for (uint8_t side = 0; side < 2; side++) {
    const observe_undecodable *u = &c->conn->undecodable[side];
    const observe_outcome *o = c->outcome;
    const bool left = o->ended && o->how != OBSERVE_TERMINATED && o->side != side &&
                      o->packet > u->packet && c->side[1 - side].latest.at.packet < u->packet &&
                      !ended_is_lost(c, 1 - side);
    if (ended_is_lost(c, side)) {
      iwarp_diagnosis *d =
          diagnose_add(c, IWARP_DIAGNOSIS_FRAMING_LOST, false, side,
                       left ? "the octets of %s from frame %0 on are no FPDUs, and %p left in "
                              "frame %1"
                            : "the octets of %s from frame %0 on are no FPDUs");
      diagnose_frames(d, u->packet, left ? o->packet : 0, 0);
    }
  }
}

/* ---- Rev 1 ---- */

void diagnose_rev1(const diagnose_case *c, uint8_t side, const char *text, uint64_t first,
                   uint64_t second) {
  const observe_startup_fact *i = &c->side[c->first].startup;
  const observe_startup_fact *r = &c->side[1 - c->first].startup;
  if (i->at.packet != 0 && r->at.packet != 0 && i->rev <= 1 && r->rev <= 1) {
    diagnose_frames(diagnose_add(c, IWARP_DIAGNOSIS_REV1_NO_READS, false, side, text), first,
                    second, 0);
  }
}

/* The Responder received a message and left without a message of its own; no side read. */
static bool ended_rev1(const diagnose_case *c) {
  const observe_facts_side *i = &c->side[c->first];
  const observe_facts_side *r = &c->side[1 - c->first];
  if (i->num_reads + r->num_reads > 0 || i->first.at.packet == 0 || r->first.at.packet != 0 ||
      !ended_left(c, 1 - c->first)) {
    return false;
  }
  diagnose_rev1(c, 1 - c->first,
                "%s left in frame %1 without a message, after it had received the message in "
                "frame %0: Rev 1 carries no IRD and ORD, so that it may be unable to read",
                i->latest.at.packet, c->outcome->packet);
  return c->out->num > 0;
}

/* ---- time ---- */

/* A side had no room in its window for long, until the connection ended or before. */
static bool ended_shut(const diagnose_case *c, bool open) {
  for (uint8_t side = 0; side < 2; side++) {
    const observe_shut *shut = &c->conn->shut[side];
    const bool lasts = shut->open || (c->outcome->ended && shut->last >= c->outcome->packet);
    if (shut->first == 0 || lasts != open ||
        shut->ns < (open && c->outcome->ended ? DIAGNOSE_SHORT_NS : DIAGNOSE_LONG_NS)) {
      continue;
    }
    iwarp_diagnosis *d = diagnose_add(
        c, IWARP_DIAGNOSIS_ZERO_WINDOW, false, side,
        !open ? "%s had no room for the octets of %p from frame %0 to frame %1, for %t "
                "(its TCP window was 0)"
        : c->outcome->ended
            ? "%s had no room for the octets of %p from frame %0 on, for %t (its TCP "
              "window was 0), until the connection ended"
            : "%s had no room for the octets of %p from frame %0 on, for %t (its TCP "
              "window was 0), until the capture ends");
    d->number[2] = shut->ns;
    diagnose_frames(d, shut->first, shut->last, 0);
    return true;
  }
  return false;
}

/* The side began to talk and owes nothing: it may have nothing more to ask for. */
static bool ended_may_idle(const diagnose_case *c, uint8_t side) {
  const uint64_t first = c->side[side].first.at.packet;
  return first != 0 && first < c->side[1 - side].first.at.packet && c->conn->at_end.has_waiting &&
         c->conn->at_end.owed[side] == 0;
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
  if (!c->outcome->ended && ended_may_idle(c, 1 - waits)) {
    return false;
  }
  if (!gave_up || !any || ns < DIAGNOSE_LONG_NS || !end->heard[1 - waits]) {
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

/* True if segments were sent again within the longest silence. */
static bool ended_within(const diagnose_case *c, const observe_resent *again) {
  const observe_silence *silence = &c->conn->facts->silence;
  return silence->ns >= DIAGNOSE_LONG_NS && again->segments > 0 && again->packet < silence->after &&
         again->latest > silence->before;
}

/* True if lost packets took the time of the longest silence. */
static bool ended_lost_time(const diagnose_case *c) {
  bool lost = false;
  for (uint8_t side = 0; side < 2; side++) {
    lost = lost || ended_within(c, &c->conn->again[side]) || ended_within(c, &c->conn->late[side]);
  }
  return lost;
}

static void ended_slow(const diagnose_case *c) {
  const observe_silence *s = &c->conn->facts->silence;
  if (s->ns < DIAGNOSE_LONG_NS || s->speaker == s->breaker || ended_lost_time(c)) {
    return;
  }
  iwarp_diagnosis *d =
      diagnose_add(c, IWARP_DIAGNOSIS_SLOW_ANSWER, false, s->breaker,
                   "%s sent nothing in the %t after the message of %p in frame %0, and its "
                   "next one in frame %1");
  d->number[2] = s->ns;
  diagnose_frames(d, s->before, s->after, 0);
}

static void ended_lossy(const diagnose_case *c) {
  const observe_tally *tally = &c->conn->tally;
  for (uint8_t side = 0; side < 2; side++) {
    const observe_resent *again = &c->conn->again[side];
    const bool slow = ended_within(c, again);
    if (slow || (again->segments >= ENDED_AGAIN &&
                 again->segments * ENDED_AGAIN_PART >= tally->fpdus[side])) {
      iwarp_diagnosis *d = diagnose_add(
          c, IWARP_DIAGNOSIS_PACKETS_LOST, false, side,
          slow ? "%a segments of %s were sent again although they are in the capture, the first in "
                 "frame %0: they were lost on the way to %p, and nothing came for up to %t"
               : "%a segments of %s were sent again although they are in the capture, the first in "
                 "frame %0: they were lost or overtaken on the way to %p");
      d->number[0] = again->segments;
      d->number[2] = c->conn->facts->silence.ns;
      diagnose_frames(d, again->packet, 0, 0);
    }
  }
}

/* ---- resets ---- */

/* The RST answers the first message after a long time without any. */
static bool ended_idle(const diagnose_case *c) {
  const observe_facts *facts = c->conn->facts;
  const observe_silence *s = &facts->silence;
  const uint8_t side = c->outcome->side;
  if (c->outcome->how != OBSERVE_RESET || s->ns < ENDED_IDLE_NS || s->breaker == side ||
      facts->latest_side != s->breaker || c->side[side].latest.at.packet > s->before ||
      c->outcome->time_ns - facts->latest.time_ns >= DIAGNOSE_LONG_NS) {
    return false;
  }
  iwarp_diagnosis *d =
      diagnose_add(c, IWARP_DIAGNOSIS_RESET_AFTER_IDLE, false, side,
                   "an RST of %s in frame %1 answers the message of %p in frame %0, the first one "
                   "after %t without any: the connection was forgotten while it was idle");
  d->number[2] = s->ns;
  diagnose_frames(d, s->after, c->outcome->packet, 0);
  return true;
}

/* Once a side has left, an RST may be a short way to close. */
static void ended_reset(const diagnose_case *c) {
  const uint64_t own = c->side[c->outcome->side].fin.packet;
  const uint64_t fin = c->side[1 - c->outcome->side].fin.packet;
  const bool left = fin != 0 && fin < c->outcome->packet;
  const bool went = own != 0 && own < c->outcome->packet;
  iwarp_diagnosis *d = diagnose_add(
      c, IWARP_DIAGNOSIS_RESET, false, c->outcome->side,
      c->conn->info->sctp ? "%s aborted the association (ABORT) in frame %0"
      : left ? "%s reset the connection (RST) in frame %0, after %p had left it in frame %1"
      : went ? "%s left the connection (FIN) in frame %1 and reset it (RST) in frame %0, since %p "
               "still used it"
             : "%s, or a device between the two sides, reset the connection (RST) in frame %0");
  diagnose_frames(d, c->outcome->packet, left ? fin : went ? own : 0, 0);
}

/* ---- all of it ---- */

/* Adds the diagnosis of what ended the connection, if one fits. */
static void ended_cause(const diagnose_case *c) {
  if (ended_shut(c, true) || diagnose_path(c) || ended_after_fault(c) || ended_rev1(c) ||
      ended_idle(c)) {
    return;
  }
  ended_killed(c);
}

void diagnose_ended(const diagnose_case *c) {
  if (diagnose_unused(c) || diagnose_waits(c)) {
    return;
  }
  ended_cause(c);
  diagnose_framing(c);
  ended_unanswered(c);
  if (c->out->num == 0 && !ended_silent(c) && c->outcome->ended &&
      ended_at_first(c, c->outcome->side)) {
    ended_no_answer(c, c->outcome->side);
  }
  if (c->outcome->how == OBSERVE_RESET && c->out->num == 0) {
    ended_reset(c);
  }
  if (ended_is_path(c)) {
    return;
  }
  if (!ended_shut(c, false) &&
      (c->out->num == 0 || c->out->of[0].id != IWARP_DIAGNOSIS_RESET_AFTER_IDLE)) {
    ended_slow(c);
  }
  ended_lossy(c);
}
