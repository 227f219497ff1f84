/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with the octets of an event: RFC 5044 4.1 to 4.3, 7.1. */
#include "diagnosis.h"

#include <string.h>

#include "evidence.h"

/* ---- the table ---- */

#define CRC_BAD (1u << IWARP_CRC_BAD)
#define CRC_NOT_GOOD (1u << IWARP_CRC_BAD | 1u << IWARP_CRC_UNCHECKED)
#define CRC_UNCHECKED (1u << IWARP_CRC_UNCHECKED)
#define CRC_NOT_BAD (1u << IWARP_CRC_GOOD | 1u << IWARP_CRC_UNCHECKED)
#define CRC_ANY (CRC_NOT_GOOD | CRC_NOT_BAD)

#define LEAVES_NO_FPDU (LEAVES_FRAMING | LEAVES_MARKERS | LEAVES_START)

/* The octets are wrong in their place, so that no field of them is judged. */
#define FAULT(id, by, status, left, predicate, text)                                               \
  [DIAGNOSIS_##id] = {.rule = RULES_##by,                                                          \
                      .crc = (status),                                                             \
                      .leaves = (left),                                                            \
                      .words = (text),                                                             \
                      .of_fpdu = (predicate)}

/* The FPDU is one, and its fields are judged. */
#define FLAW(id, by, status, left, predicate)                                                      \
  [DIAGNOSIS_##id] = {.rule = RULES_##by,                                                          \
                      .crc = (status),                                                             \
                      .trusted = true,                                                             \
                      .leaves = (left),                                                            \
                      .of_fpdu = (predicate)}

/* Another reading of octets that begin no FPDU; it says what of the FPDU before them is wrong. */
#define READING(id, part, predicate, text)                                                         \
  [DIAGNOSIS_##id] = {                                                                             \
      .rule = RULES_mpa_framing, .blame = BLAME_##part, .words = (text), .reads = (predicate)}

static bool fault_holds(const struct rules_ctx *ctx, struct markers_clues *clues) {
  (void)ctx;
  return clues->holds;
}

/* The octets belong to the Private Data, unless the event decides of other octets first. */
static bool fault_surplus(const struct rules_ctx *ctx, struct markers_clues *clues) {
  (void)clues;
  return !ctx->info->sctp && !ctx->facts.pd_decided && rulesi_startup_followed(ctx) &&
         rulesi_startup_surplus(ctx, ctx->ev) == IWARP_TRISTATE_ON;
}

/* True if no right CRC says that the octets are an FPDU: none is in use, or it is wrong, and where
 * they begin follows from right ones. */
static bool fault_unchecked(const struct rules_ctx *ctx) {
  const bool wrong = ctx->ev->u.fpdu.crc == IWARP_CRC_BAD &&
                     rules_settled(ctx, ctx->info->crc_by) && rules_own(ctx)->framing.proven &&
                     !rules_own(ctx)->chain.crc_unconfirmed && !ctx->ev->last.damaged;
  return ctx->info->crc == IWARP_TRISTATE_OFF || wrong;
}

/* The first other reading of the octets that fits, or DIAGNOSIS_UNREADABLE. */
static enum rules_diagnosis fault_reading(const struct framing_place *p);

/*
 * Without CRCs a chain of ULPDU_Lengths goes on whatever its octets are. One that leads to octets
 * of no version, while another reading makes them an FPDU, has gone astray.
 */
static bool fault_astray(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const struct framing_place place = rulesi_framing_place(ctx, ctx->ev);
  if (!fault_unchecked(ctx) || f->sync != IWARP_SYNC_STARTUP || !f->complete ||
      rules_own(ctx)->chain.start_unconfirmed) {
    return false;
  }
  return rulesi_framing_versionless(f) && fault_reading(&place) != DIAGNOSIS_UNREADABLE;
}

static bool fault_no_fpdu_here(const struct rules_ctx *ctx, struct markers_clues *clues) {
  (void)clues;
  return ctx->facts.after_markers || fault_astray(ctx);
}

static const struct rules_fault fault_rows[DIAGNOSES] = {
    [DIAGNOSIS_NONE] = {.rule = RULES_COUNT, .trusted = true},
    FAULT(NO_MARKER, mpa_marker_first, CRC_ANY, LEAVES_NO_FPDU, rulesi_markers_no_marker, NULL),
    FAULT(LENGTH_COUNTS_MARKERS, mpa_framing, CRC_BAD, 0, rulesi_markers_counted,
          "an FPDU; its CRC is right where its ULPDU_Length is read as one that counts the Markers "
          "in it"),
    FAULT(EXTRA_MARKERS, mpa_marker_period, CRC_NOT_GOOD, LEAVES_NO_FPDU, rulesi_markers_extra,
          "no Marker"),
    FAULT(MARKERS_LEFT_OUT, mpa_marker_period, CRC_NOT_GOOD, LEAVES_NO_FPDU,
          rulesi_markers_left_out, NULL),
    FAULT(PAD_LEFT_OUT, mpa_framing, CRC_BAD, 0, rulesi_markers_pad_left_out,
          "an FPDU; a right CRC stands in the place of the PAD, as if that were left out"),
    FAULT(LENGTH_EXCESS, mpa_framing, CRC_BAD, 0, rulesi_markers_excess,
          "an FPDU; a right CRC ends it before where its ULPDU_Length says"),
    FAULT(LEADING_MARKER, mpa_marker_unasked, CRC_NOT_GOOD, LEAVES_NO_FPDU, rulesi_markers_leading,
          "ULPDU_Length"),
    FAULT(INNER_MARKERS, mpa_marker_unasked, CRC_NOT_GOOD, LEAVES_NO_FPDU, rulesi_markers_inner,
          "no Marker"),
    FAULT(NO_FPDU_HERE, mpa_framing, CRC_ANY, LEAVES_START, fault_no_fpdu_here, NULL),
    FAULT(MARKERS_ELSEWHERE, mpa_marker_period, CRC_BAD, 0, rulesi_markers_elsewhere, NULL),
    FLAW(HOLDS_FPDUS, mpa_framing, CRC_UNCHECKED, 0, fault_holds),
    FLAW(MARKER_WRONG, mpa_marker_period, CRC_NOT_BAD, LEAVES_MARKERS, rulesi_markers_wrong),

    FAULT(STARTUP_AGAIN, mpa_startup_again, CRC_ANY, LEAVES_FRAMING, rulesi_framing_again, NULL),
    FAULT(STARTUP_BEGUN, mpa_pd_length_match, CRC_ANY, 0, rulesi_framing_again_begun, NULL),
    FAULT(FIRST_UNMARKED, mpa_marker_first, CRC_ANY, LEAVES_FRAMING, rulesi_framing_first_unmarked,
          NULL),
    FAULT(PD_TOO_SHORT, mpa_pd_length_match, CRC_ANY,
          LEAVES_FRAMING | LEAVES_MARKERS | LEAVES_PRIVATE, fault_surplus, NULL),

    READING(LENGTH_TOO_SMALL, LENGTH, rulesi_reads_as_length_too_small,
            "an FPDU; a right CRC of the one before ends after it: the ULPDU_Length before is too "
            "small"),
    READING(LENGTH_WRAPS, LENGTH, rulesi_reads_as_length_wraps,
            "an FPDU; the one before goes on to here if it has 65536 octets more than its "
            "ULPDU_Length says"),
    READING(UNMARKED, NOTHING, rulesi_reads_as_unmarked,
            "Markers; without Markers the octets are FPDUs"),
    READING(EXTRA_BEFORE, LENGTH, rulesi_reads_as_extra_before,
            "an FPDU; Markers stand in the one before, though none are expected"),
    READING(MARKER_HERE, NOTHING, rulesi_reads_as_marker_here,
            "an FPDU; one follows after four octets that read as a Marker"),
    READING(HELD_BEFORE, LENGTH, rulesi_reads_as_held_before,
            "an FPDU; others begin inside the one before: its ULPDU_Length is too large"),
    READING(NO_CRC, CRC, rulesi_reads_as_no_crc,
            "an FPDU; one begins 4 octets before, as if the CRC field were left out"),
    READING(NO_PAD, PAD, rulesi_reads_as_no_pad,
            "an FPDU; one begins before, as if the PAD were left out"),
    READING(BEGINS_EARLIER, LENGTH, rulesi_reads_as_begins_earlier,
            "an FPDU; one begins before: the ULPDU_Length before it is too large"),
    READING(STRAY_FIRST, NOTHING, rulesi_reads_as_stray_first,
            "an FPDU; the first one begins after octets that are part of none"),
    READING(STRAY_BETWEEN, NOTHING, rulesi_reads_as_stray_between,
            "an FPDU; one begins after octets that are part of none"),
    READING(BEGINS_LATER, LENGTH, rulesi_reads_as_begins_later,
            "an FPDU; one begins after it: the ULPDU_Length before it is too small"),
    READING(OTHER_ORDER, NOTHING, rulesi_reads_as_other_order,
            "an FPDU; one ends here with the octets of ULPDU_Length exchanged"),
    READING(COVERS_SEGMENTS, NOTHING, rulesi_reads_as_covers_segments,
            "an FPDU; others begin inside what its ULPDU_Length announces"),
    READING(UNREADABLE, NOTHING, NULL,
            "an FPDU; no other reading that was tried makes the octets one"),

    [DIAGNOSIS_RIGHT] = {.rule = RULES_COUNT, .trusted = true},
};

const struct rules_fault *rulesi_fault(enum rules_diagnosis diagnosis) {
  return &fault_rows[diagnosis];
}

static enum rules_diagnosis fault_reading(const struct framing_place *p) {
  enum rules_diagnosis reading = DIAGNOSIS_LENGTH_TOO_SMALL;
  while (reading < DIAGNOSIS_UNREADABLE && !fault_rows[reading].reads(p)) {
    reading++;
  }
  return reading;
}

/* The first row from `first` to `last` that fits. */
static void fault_find(struct rules_ctx *ctx, struct markers_clues *clues,
                       enum rules_diagnosis first, enum rules_diagnosis last) {
  const uint32_t crc = ctx->ev->kind == IWARP_EVENT_FPDU ? 1u << ctx->ev->u.fpdu.crc : CRC_ANY;
  for (enum rules_diagnosis d = first; d <= last && ctx->facts.diagnosis == DIAGNOSIS_NONE; d++) {
    if ((fault_rows[d].crc & crc) != 0 && fault_rows[d].of_fpdu(ctx, clues)) {
      ctx->facts.diagnosis = d;
      ctx->facts.diagnosis_at = clues->at;
    }
  }
}

static void fault_of_fpdu(struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  struct markers_clues clues = {.holds = rulesi_framing_holds(ctx->ev)};
  rulesi_markers_trust(ctx, &clues);
  ctx->facts.length_uncertain = clues.holds || rulesi_framing_takes_next(f);
  ctx->facts.pad_uncertain = ctx->facts.pad_uncertain || ctx->facts.length_uncertain;
  fault_find(ctx, &clues, DIAGNOSIS_NO_MARKER, DIAGNOSIS_MARKER_WRONG);
}

/* Where FPDUs begin is not known if some may stand in what PD_Length takes for Private Data. */
void rulesi_diagnose(struct rules_ctx *ctx) {
  struct markers_clues clues = {0};
  if (rules_pd_overrun(rules_own(ctx))) {
    return;
  }
  if (ctx->ev->kind == IWARP_EVENT_FPDU) {
    ctx->facts.after_markers = rulesi_framing_after_markers(ctx);
    fault_of_fpdu(ctx);
  } else {
    fault_find(ctx, &clues, DIAGNOSIS_STARTUP_AGAIN, DIAGNOSIS_PD_TOO_SHORT);
  }
}

/* ---- what mpa.framing judges ---- */

/* True if octets of the side are missing, and an FPDU is likely to be expected in the place of the
 * run nevertheless. */
static bool framing_follows(const struct rules_ctx *ctx, const iwarp_event *run) {
  const struct rules_framing *framing = &rules_own(ctx)->framing;
  return run->kind == IWARP_EVENT_UNDECODABLE && framing->follows && run->pos == framing->run.pos;
}

uint32_t rulesi_framing_doubt(const struct rules_ctx *ctx, const iwarp_event *ev) {
  const iwarp_observer_side *own = &ctx->info->side[ev->side];
  const struct rules_framing *before = &rules_own(ctx)->framing;
  const bool follows = framing_follows(ctx, ev);
  if (!rules_from_startup(ctx, ev->side) && !follows) {
    return own->gap ? rules_own(ctx)->chain.gap_reason : IWARP_REASON_MID_STREAM;
  }
  if ((rulesi_reply(ctx) == NULL && !follows) || !rules_settled(ctx, own->markers_by)) {
    return rulesi_missing(ctx, rules_peer(ctx));
  }
  /* An FPDU of octets in doubt may have another length. */
  if (ev->last.damaged) {
    return rulesi_doubt(&ev->last);
  }
  return before->last.damaged && !before->proven ? rulesi_doubt(&before->last) : 0;
}

/* Fewer octets than a Marker and ULPDU_Length, where the next ones were not captured, can begin any
 * FPDU. */
static bool framing_length_seen(const struct rules_ctx *ctx, const iwarp_event *run) {
  const struct framing_place place = rulesi_framing_place(ctx, run);
  return place.len >= iwarp_mpa_layout_of(place.off, 0, place.markers).lead + IWARP_MPA_LENGTH_LEN;
}

bool rulesi_framing_due(const struct rules_ctx *ctx, const iwarp_event *run) {
  const iwarp_observer_side *own = &ctx->info->side[run->side];
  const bool begun =
      own->has_startup && own->key != IWARP_MPA_KEY_UNKNOWN && run->pos >= own->full_pos;
  return (begun || framing_follows(ctx, run)) && rulesi_framing_surplus(ctx) != IWARP_TRISTATE_ON &&
         (run->u.undecodable == IWARP_UNDEC_UNFINISHED ||
          (run->u.undecodable == IWARP_UNDEC_NO_BOUNDARY && framing_length_seen(ctx, run)));
}

bool rulesi_framing_unfinished(const struct rules_ctx *ctx, const iwarp_event *run) {
  const struct framing_place place = rulesi_framing_place(ctx, run);
  const enum rules_diagnosis reading = fault_reading(&place);
  const bool else_fits = reading == DIAGNOSIS_STRAY_FIRST || reading == DIAGNOSIS_STRAY_BETWEEN ||
                         rulesi_fault(reading)->blame != BLAME_NOTHING;
  return run->u.undecodable == IWARP_UNDEC_UNFINISHED &&
         (reading == DIAGNOSIS_UNREADABLE ||
          (else_fits && rulesi_framing_begins(&place) == IWARP_TRISTATE_ON));
}

bool rulesi_framing_marker_alone(const struct rules_ctx *ctx, const iwarp_event *run) {
  static const uint8_t between[IWARP_MPA_MARKER_LEN] = {0};
  const struct framing_place place = rulesi_framing_place(ctx, run);
  const uint32_t lead = iwarp_mpa_layout_of(place.off, 0, place.markers).lead;
  return lead == sizeof(between) && place.len == lead && place.head.len == lead &&
         memcmp(place.head.ptr, between, sizeof(between)) == 0;
}

/* Octets that begin no FPDU, while another reading makes them one: so whatever would have come. */
static bool fault_lost(const struct rules_ctx *ctx, const iwarp_event *run) {
  const struct framing_place place = rulesi_framing_place(ctx, run);
  return rulesi_framing_begins(&place) == IWARP_TRISTATE_OFF &&
         fault_reading(&place) != DIAGNOSIS_UNREADABLE;
}

/* The octets of the event, or the run that waited, begin no FPDU. They diagnose the FPDU before
 * them, also where it is not certain that an FPDU is expected here. Other faults of that FPDU are
 * then about other octets than they seem to be. */
static void fault_set(struct rules_ctx *ctx, const iwarp_event *ev) {
  const struct framing_place place = rulesi_framing_place(ctx, ev);
  ctx->facts.framed = fault_reading(&place);
  ctx->facts.framed_doubt = rulesi_framing_doubt(ctx, ev);
}

/*
 * Octets too short for the FPDU that they may begin. Where the stream ends after them or goes on
 * with FPDUs, none of it comes any more.
 */
static void fault_waited(struct rules_ctx *ctx) {
  const iwarp_event run = rulesi_framing_run(&rules_own(ctx)->framing, ctx->ev->side);
  const bool ended = ctx->ev->kind == IWARP_EVENT_END;
  if (!rulesi_framing_due(ctx, &run) || rulesi_markers_ended(ctx)) {
    return;
  }
  const bool open = (ended ? ctx->ev->u.end != IWARP_END_FIN : ctx->ev->kind == IWARP_EVENT_GAP) &&
                    !fault_lost(ctx, &run);
  const uint32_t doubt = rulesi_framing_doubt(ctx, &run);
  if (doubt == 0 && !open && ended && rulesi_framing_marker_alone(ctx, &run)) {
    ctx->facts.framed = DIAGNOSIS_RIGHT;
  } else if (!open && !rulesi_framing_unfinished(ctx, &run)) {
    fault_set(ctx, &run);
  } else if (doubt != 0 || (open && ctx->ev->u.end != IWARP_END_RST)) {
    /* else mpa.stream-end speaks of it, or the sender gave the rest up */
    ctx->facts.framed_doubt = doubt != 0 ? doubt : IWARP_REASON_GAP;
  }
}

/* True if undecodable octets stand where an FPDU is expected. */
static bool fault_no_fpdu(const struct rules_ctx *ctx) {
  return ctx->ev->kind == IWARP_EVENT_UNDECODABLE && rulesi_framing_due(ctx, ctx->ev) &&
         !rules_is_open(&rules_own(ctx)->docket, QUESTION_RUN);
}

iwarp_event rulesi_framing_judged(const struct rules_ctx *ctx) {
  const bool here =
      ctx->ev->kind == IWARP_EVENT_UNDECODABLE || ctx->facts.diagnosis == DIAGNOSIS_NO_FPDU_HERE;
  return here ? *ctx->ev : rulesi_framing_run(&rules_own(ctx)->framing, ctx->ev->side);
}

/* True if the diagnosis is that ULPDU_Length of the FPDU is wrong. */
static bool fault_length(enum rules_diagnosis diagnosis) {
  return diagnosis == DIAGNOSIS_LENGTH_COUNTS_MARKERS || diagnosis == DIAGNOSIS_PAD_LEFT_OUT ||
         diagnosis == DIAGNOSIS_LENGTH_EXCESS;
}

/* For each FPDU, for each run of octets that form no FPDU, and at last for the whole stream. */
static void fault_event(struct rules_ctx *ctx) {
  const struct rules_framing *framing = &rules_own(ctx)->framing;
  if (ctx->facts.diagnosis == DIAGNOSIS_NONE && fault_no_fpdu(ctx)) {
    ctx->facts.diagnosis = DIAGNOSIS_NO_FPDU_HERE;
  }
  if (fault_length(ctx->facts.diagnosis)) {
    ctx->facts.framed = ctx->facts.diagnosis;
    ctx->facts.framed_doubt = rulesi_framing_doubt(ctx, ctx->ev);
  } else if (ctx->facts.diagnosis == DIAGNOSIS_NO_FPDU_HERE) {
    fault_set(ctx, ctx->ev);
  } else if (ctx->ev->kind != IWARP_EVENT_UNDECODABLE &&
             rules_is_open(&rules_own(ctx)->docket, QUESTION_RUN)) {
    fault_waited(ctx);
  } else if (ctx->ev->kind == IWARP_EVENT_END && rules_own(ctx)->first.seen && !framing->reported &&
             rules_from_startup(ctx, ctx->ev->side)) {
    ctx->facts.framed = DIAGNOSIS_RIGHT;
  }
}

void rulesi_diagnose_framing(struct rules_ctx *ctx) {
  const uint32_t kinds = 1u << IWARP_EVENT_FPDU | 1u << IWARP_EVENT_UNDECODABLE |
                         1u << IWARP_EVENT_GAP | 1u << IWARP_EVENT_END;
  if (!ctx->info->sctp && (kinds & 1u << ctx->ev->kind) != 0) {
    fault_event(ctx);
  }
}

/* The rule that reports octets without a diagnosis. Later events decide on octets that form no
 * FPDU. */
static struct rules_because fault_plain(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_UNDECODABLE) {
    return rules_unreported();
  }
  return ctx->ev->u.fpdu.crc == IWARP_CRC_BAD ? rules_reported(RULES_mpa_crc)
                                              : rules_own(ctx)->chain.fault;
}

struct rules_because rulesi_fault_because(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const struct rules_because why =
      rulesi_fault_of(ctx)->trusted ? fault_plain(ctx) : rules_reported(rulesi_fault_of(ctx)->rule);
  const bool framing = why.rule == RULES_mpa_framing + 1u;
  const bool period = why.rule == RULES_mpa_marker_period + 1u;
  const bool reported = (framing && (rules_framing_reported(ctx) || own->chain.markers_reported)) ||
                        (period && own->chain.markers_reported);
  return reported ? own->chain.fault : why;
}
