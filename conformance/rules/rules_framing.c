/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on the chain of FPDUs: FPDUs begin and Markers stand where they are expected, and the last
 * FPDU ends with the stream. RFC 5044 4.1, 4.3. */
#include "catalog.h"
#include "diagnosis.h"
#include "evidence.h"

/* True if it is certain where FPDUs begin. */
static bool framing_certain(const struct rules_ctx *j, const iwarp_event *ev) {
  const uint32_t doubt = rulesi_framing_doubt(j, ev);
  if (doubt != 0) {
    rulesi_inconclusive(j, doubt);
  }
  return doubt == 0;
}

/* A finding about the octets, or about ULPDU_Length of the FPDU before them. The frame is the one
 * in which it begins, since what follows may be without end. */
static void framing_at(const struct rules_ctx *j, iwarp_finding *f, const struct framing_place *p,
                       bool before) {
  const struct rules_framing *b = p->before;
  f->pos = before ? b->pos : j->info->side[f->side].full_pos + p->off;
  f->offset = before ? b->offset : p->off;
  f->other_packet = before ? f->first.packet : b->last.packet;
  f->first = before ? b->first : f->first;
  f->last = f->first;
  f->octet_pos = f->pos;
  f->octet_len = before ? IWARP_MPA_LENGTH_LEN : f->observed.num_octets;
}

/* Reported once per direction: later octets cannot be judged, and no octets after Markers that
 * stand elsewhere. */
static void framing_fail(const struct rules_ctx *j) {
  const iwarp_event ev = rulesi_framing_judged(j);
  const struct framing_place place = rulesi_framing_place(j, &ev);
  if (!rules_framing_reported(j) && !rules_own(j)->chain.markers_reported) {
    const struct rules_fault *fault = rulesi_fault(j->facts.framed);
    iwarp_finding *f = rulesi_fail_event(j, &ev, rulesi_text(fault->words),
                                         rulesi_octets(place.head.ptr, place.head.len));
    framing_at(j, f, &place, fault->blame != BLAME_NOTHING);
  }
}

/* Of an FPDU that is one when its ULPDU_Length counts the Markers in it, or is less, or without its
 * PAD. */
static void framing_fail_length(const struct rules_ctx *j) {
  const uint16_t len = j->ev->u.fpdu.fpdu.ulpdu_length;
  const uint8_t there[IWARP_MPA_LENGTH_LEN] = {(uint8_t)(len >> 8), (uint8_t)len};
  if (!rules_framing_reported(j)) {
    iwarp_finding *f = rulesi_fail(j, rulesi_text(rulesi_fault(j->facts.framed)->words),
                                   rulesi_octets(there, sizeof(there)));
    f->last = f->first;
    rulesi_at_field(f, j, IWARP_FIELD_MPA_FPDU_ULPDU_LENGTH);
  }
}

void iwarp_rule_mpa_framing(const struct rules_ctx *j) {
  if (j->facts.framed_doubt != 0) {
    rulesi_inconclusive(j, j->facts.framed_doubt);
  } else if (j->facts.framed == DIAGNOSIS_RIGHT) {
    rulesi_pass(j);
  } else if (j->facts.framed >= DIAGNOSIS_LENGTH_TOO_SMALL) {
    framing_fail(j);
  } else if (j->facts.framed != DIAGNOSIS_NONE) {
    framing_fail_length(j);
  }
}

static void framing_fail_end(const struct rules_ctx *j, const iwarp_event *run) {
  const struct framing_place place = rulesi_framing_place(j, run);
  const uint64_t announced = rulesi_framing_announced(&place);
  const iwarp_value due = announced != 0 ? rulesi_uint(announced) : rulesi_at_least(place.len + 1);
  iwarp_finding *f = rulesi_fail_event(j, run, due, rulesi_uint(place.len));
  f->offset = place.off;
  f->last = j->ev->last;
  f->octet_pos = run->pos;
  f->octet_len = (uint32_t)run->len;
  f->other_packet = run->last.packet;
}

void iwarp_rule_mpa_stream_end(const struct rules_ctx *j) {
  const struct rules_framing *framing = &rules_own(j)->framing;
  const iwarp_event run = rulesi_framing_run(framing, j->ev->side);
  if (j->ev->u.end != IWARP_END_FIN || framing->reported) {
    return;
  }
  if (rulesi_markers_last_points(j, &run)) {
    return; /* mpa.marker-pointer */
  }
  if (!rules_is_open(&rules_own(j)->docket, QUESTION_RUN) || rulesi_framing_marker_alone(j, &run)) {
    if (rules_own(j)->first.seen && rules_from_startup(j, j->ev->side)) {
      rulesi_pass(j);
    }
  } else if (rulesi_framing_due(j, &run) && !rulesi_markers_ended(j) &&
             rulesi_framing_unfinished(j, &run) && framing_certain(j, &run) &&
             rulesi_may_not_stop(j)) {
    framing_fail_end(j, &run);
  }
}

/* True if an Initiator is known to have received no Reply with R, after which it may begin again.
 */
static bool framing_unrejected(const struct rules_ctx *j) {
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  const bool unanswered = peer->start_known && j->ev->first.peer_pos <= peer->start;
  return j->info->side[j->ev->side].is_reply || unanswered ||
         (!peer->gap &&
          (rulesi_reply(j) != NULL || (peer->start_known && rulesi_sender_view_complete(j))));
}

/* Later octets are not judged: it is open if they were meant for a second startup. */
void iwarp_rule_mpa_startup_again(const struct rules_ctx *j) {
  if (j->ev->kind == IWARP_EVENT_FPDU) {
    if (j->facts.first) {
      rulesi_pass(j);
    }
    return;
  }
  const bool again = j->facts.diagnosis == DIAGNOSIS_STARTUP_AGAIN;
  if (again && !framing_unrejected(j)) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
  } else if (again) {
    iwarp_finding *f =
        rulesi_fail(j, rulesi_text("an FPDU"), rulesi_octets(j->ev->head.ptr, IWARP_MPA_KEY_LEN));
    f->last = j->ev->head_last;
    f->octet_pos = j->ev->pos;
    f->octet_len = IWARP_MPA_KEY_LEN;
    f->other_packet = rules_own(j)->startup.packet;
  }
}

/* True if the Markers of a proven FPDU are to be judged: a length out of bounds may not fit
 * FPDUPTR.
 */
static bool framing_markers_judged(const struct rules_ctx *j) {
  return rules_settled(j, j->info->side[j->ev->side].markers_by) &&
         j->ev->u.fpdu.fpdu.ulpdu_length <= IWARP_MPA_ULPDU_MAX;
}

/* The octets that are expected in the place of the four. */
static iwarp_value framing_marker_due(const iwarp_mpa_marker *due) {
  uint8_t octets[IWARP_MPA_MARKER_LEN];
  size_t len = 0;
  (void)iwarp_mpa_marker_encode(octets, sizeof(octets), &len, due);
  return rulesi_octets(octets, len);
}

static void framing_at_marker(iwarp_finding *f, uint64_t pos, iwarp_meta last) {
  f->last = last;
  f->octet_pos = pos;
  f->octet_len = IWARP_MPA_MARKER_LEN;
}

static void framing_fail_marker_at(const struct rules_ctx *j, iwarp_value due, size_t off,
                                   iwarp_meta last) {
  const iwarp_mpa_fpdu *f = &j->ev->u.fpdu.fpdu;
  uint8_t there[IWARP_MPA_MARKER_LEN];
  for (size_t i = 0; i < sizeof(there); i++) {
    there[i] = f->wire.ptr[off + i];
  }
  framing_at_marker(rulesi_fail(j, due, rulesi_octets(there, sizeof(there))),
                    j->ev->pos - f->layout.lead + off, last);
}

static void framing_fail_marker(const struct rules_ctx *j, const iwarp_mpa_marker *due, size_t off,
                                iwarp_meta last) {
  framing_fail_marker_at(j, framing_marker_due(due), off, last);
}

/* Of the FPDU in which the stream ends. */
static void framing_end_marker(const struct rules_ctx *j) {
  const struct rules_framing *framing = &rules_own(j)->framing;
  const struct rules_missing *missing = &framing->missing;
  const iwarp_event run = rulesi_framing_run(framing, j->ev->side);
  if (!rulesi_markers_ended(j) || !rulesi_framing_due(j, &run) || !framing_certain(j, &run)) {
    return;
  }
  iwarp_finding *f = rulesi_fail_event(j, &run, framing_marker_due(&missing->due),
                                       rulesi_octets(missing->is, sizeof(missing->is)));
  f->offset = run.pos - j->info->side[run.side].full_pos;
  framing_at_marker(f, missing->pos, run.first);
}

/* Of the Marker after the last FPDU, which none follows. Its place is certain where the FPDUs are.
 */
static void framing_last_pointer(const struct rules_ctx *j) {
  const iwarp_event run = rulesi_framing_run(&rules_own(j)->framing, j->ev->side);
  if (rules_own(j)->chain.markers_reported || !rulesi_markers_last_points(j, &run) ||
      !rulesi_framing_due(j, &run) || !framing_certain(j, &run)) {
    return;
  }
  iwarp_finding *f = rulesi_fail_event(
      j, &run, rulesi_uint(0), rulesi_uint((uint64_t)run.head.ptr[2] << 8 | run.head.ptr[3]));
  f->offset = run.pos - j->info->side[run.side].full_pos;
  f->other_packet = rules_own(j)->framing.last.packet;
  rulesi_at_form(f, run.pos, IWARP_FIELD_MPA_MARKER_FPDUPTR);
}

void iwarp_rule_mpa_marker_pointer(const struct rules_ctx *j) {
  if (j->ev->kind == IWARP_EVENT_END) {
    framing_last_pointer(j);
  } else {
    rulesi_markers_pointer(j);
  }
}

/* Judged of the first Marker that is missing from the FPDU, once of a direction. Without its
 * Markers it is shorter, so that where it ends is not known. */
void iwarp_rule_mpa_marker_period(const struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t off = 0;
  if (rules_own(j)->chain.markers_reported) {
    return;
  }
  if (j->ev->kind == IWARP_EVENT_END) {
    framing_end_marker(j);
    return;
  }
  const bool unchecked = f->crc == IWARP_CRC_UNCHECKED && j->info->crc == IWARP_TRISTATE_OFF;
  const bool proven = f->complete && rules_markers_sure(j) &&
                      (f->crc == IWARP_CRC_GOOD || (unchecked && j->facts.depth >= DEPTH_FRAME));
  if (proven) {
    if (!framing_markers_judged(j) || j->facts.diagnosis != DIAGNOSIS_MARKER_WRONG) {
      rulesi_pass(j);
    } else if (j->facts.markers_lost || rulesi_need(j, DEPTH_FRAME)) {
      (void)iwarp_mpa_fpdu_marker(&is, &due, &off, &f->fpdu, j->facts.diagnosis_at);
      framing_fail_marker(j, &due, off, unchecked ? j->ev->first : j->ev->last);
    }
  } else if (j->facts.diagnosis == DIAGNOSIS_EXTRA_MARKERS && framing_certain(j, j->ev)) {
    framing_fail_marker_at(j, rulesi_text(rulesi_fault_of(j)->words), j->facts.diagnosis_at,
                           j->ev->first);
  } else if (j->facts.diagnosis == DIAGNOSIS_MARKERS_LEFT_OUT && framing_certain(j, j->ev) &&
             rulesi_markers_missing(&f->fpdu, false, &due, &off)) {
    framing_fail_marker(j, &due, off, j->ev->first);
  }
}
