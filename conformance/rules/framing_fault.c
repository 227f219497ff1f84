/* SPDX-License-Identifier: BSD-2-Clause */
/* Where one FPDU ends, the next begins: RFC 5044 4.1, 4.3. */
#include "framing_fault.h"

#include <string.h>

#include "evidence.h"
#include "markers.h"

uint32_t rulesi_framing_doubt(const struct rules_ctx *j, const iwarp_event *ev) {
  const iwarp_observer_side *own = &j->info->side[ev->side];
  const struct rules_framing *before = &rules_own(j)->framing;
  if (!rules_from_startup(j, ev->side)) {
    return own->gap ? rules_own(j)->gap_reason : IWARP_REASON_MID_STREAM;
  }
  if (rulesi_reply(j) == NULL || !rules_settled(j, own->markers_by)) {
    return rulesi_missing(j, rules_peer(j));
  }
  /* An FPDU of octets in doubt may have another length. */
  if (ev->last.damaged) {
    return rulesi_doubt(&ev->last);
  }
  return before->last.damaged && !before->proven ? rulesi_doubt(&before->last) : 0;
}

bool rulesi_framing_due(const struct rules_ctx *j, const iwarp_event *run) {
  const iwarp_observer_side *own = &j->info->side[run->side];
  return own->has_startup && own->key != IWARP_MPA_KEY_UNKNOWN && run->pos >= own->full_pos &&
         rulesi_framing_surplus(j) != IWARP_TRISTATE_ON &&
         (run->u.undecodable == IWARP_UNDEC_UNFINISHED ||
          run->u.undecodable == IWARP_UNDEC_NO_BOUNDARY);
}

bool rulesi_framing_unfinished(const struct rules_ctx *j, const iwarp_event *run) {
  const struct framing_place place = rulesi_framing_place(j, run);
  const enum framing_reading reading = rulesi_framing_try(&place);
  const bool else_fits =
      reading == FRAMING_LATER || rulesi_framing_blames(reading, &place) != BLAME_NOTHING;
  return run->u.undecodable == IWARP_UNDEC_UNFINISHED &&
         (reading == FRAMING_NONE ||
          (else_fits && rulesi_framing_begins(&place) == IWARP_TRISTATE_ON));
}

bool rulesi_framing_marker_alone(const struct rules_ctx *j, const iwarp_event *run) {
  static const uint8_t between[IWARP_MPA_MARKER_LEN] = {0};
  const struct framing_place place = rulesi_framing_place(j, run);
  const uint32_t lead = iwarp_mpa_layout_of(place.off, 0, place.markers).lead;
  return lead == sizeof(between) && place.len == lead && place.head.len == lead &&
         memcmp(place.head.ptr, between, sizeof(between)) == 0;
}

/* Octets that begin no FPDU, while another reading makes them one: so whatever would have come. */
static bool fault_lost(const struct rules_ctx *j, const iwarp_event *run) {
  const struct framing_place place = rulesi_framing_place(j, run);
  return rulesi_framing_begins(&place) == IWARP_TRISTATE_OFF &&
         rulesi_framing_try(&place) != FRAMING_NONE;
}

/* The octets of the event, or the run that waited, begin no FPDU. What they tell of the FPDU before
 * them holds, be it certain or not what is due there: what else is wrong of it is about other
 * octets than it seems to be. */
static void fault_set(struct rules_ctx *j, const iwarp_event *ev) {
  const struct framing_place place = rulesi_framing_place(j, ev);
  const enum rules_blame blame = rulesi_framing_blames(rulesi_framing_try(&place), &place);
  j->facts.blame = place.before->first.packet != 0 ? blame : BLAME_NOTHING;
  j->facts.framed_doubt = rulesi_framing_doubt(j, ev);
  j->facts.framed = j->facts.framed_doubt != 0 ? FRAMED_UNKNOWN : FRAMED_NOT;
}

/*
 * Octets too short for the FPDU that they may begin. Where the stream ends after them or goes on
 * with FPDUs, none of it comes any more.
 */
static void fault_waited(struct rules_ctx *j) {
  const iwarp_event run = rulesi_framing_run(&rules_own(j)->framing, j->ev->side);
  const bool ended = j->ev->kind == IWARP_EVENT_END;
  if (!rulesi_framing_due(j, &run) || rulesi_markers_ended(j)) {
    return;
  }
  const bool open = (ended ? j->ev->u.end != IWARP_END_FIN : j->ev->kind == IWARP_EVENT_GAP) &&
                    !fault_lost(j, &run);
  const uint32_t doubt = rulesi_framing_doubt(j, &run);
  if (doubt == 0 && !open && ended && rulesi_framing_marker_alone(j, &run)) {
    j->facts.framed = FRAMED_RIGHT;
  } else if (!open && !rulesi_framing_unfinished(j, &run)) {
    fault_set(j, &run);
  } else if (doubt != 0 || open) { /* else mpa.stream-end speaks of it */
    j->facts.framed = FRAMED_UNKNOWN;
    j->facts.framed_doubt = doubt != 0 ? doubt : IWARP_REASON_GAP;
  }
}

/* Whether the octets of the event itself stand where an FPDU is due and none begins. */
static bool fault_here(const struct rules_ctx *j) {
  const bool run = j->ev->kind == IWARP_EVENT_UNDECODABLE;
  return run ? rulesi_framing_due(j, j->ev) && !rules_own(j)->framing.waiting &&
                   !j->facts.no_marker && !j->facts.again
             : j->facts.astray;
}

iwarp_event rulesi_framing_judged(const struct rules_ctx *j) {
  const bool here = j->ev->kind == IWARP_EVENT_UNDECODABLE || j->facts.astray;
  return here ? *j->ev : rulesi_framing_run(&rules_own(j)->framing, j->ev->side);
}

/* Each FPDU, each run of octets that is none, and at last the whole stream. */
static void fault_event(struct rules_ctx *j) {
  const struct rules_framing *framing = &rules_own(j)->framing;
  if (j->facts.counted || j->facts.overlong != 0) {
    j->facts.framed_doubt = rulesi_framing_doubt(j, j->ev);
    j->facts.framed = j->facts.framed_doubt != 0 ? FRAMED_UNKNOWN : FRAMED_LENGTH;
  } else if (fault_here(j)) {
    fault_set(j, j->ev);
  } else if (j->ev->kind != IWARP_EVENT_UNDECODABLE && framing->waiting) {
    fault_waited(j);
  } else if (j->ev->kind == IWARP_EVENT_END && rules_own(j)->first.seen && !framing->reported &&
             rules_from_startup(j, j->ev->side)) {
    j->facts.framed = FRAMED_RIGHT;
  }
}

void rulesi_framing_fault(struct rules_ctx *j) {
  const uint32_t kinds = 1u << IWARP_EVENT_FPDU | 1u << IWARP_EVENT_UNDECODABLE |
                         1u << IWARP_EVENT_GAP | 1u << IWARP_EVENT_END;
  if (!j->info->sctp && (kinds & 1u << j->ev->kind) != 0) {
    fault_event(j);
  }
}
