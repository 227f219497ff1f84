/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on FPDUs: CRC, PAD, ULPDU_Length, Markers: RFC 5044 4. */
#include "engine.h"

static bool fpdu_settled(iwarp_settled by) {
  return by == IWARP_SETTLED_NEGOTIATED || by == IWARP_SETTLED_GIVEN;
}

static uint64_t fpdu_wire_start(const struct rules_judge *j) {
  return j->ev->pos - j->ev->u.fpdu.fpdu.layout.lead;
}

/*
 * rfc5044-4.4-14 rfc5044-7.1.1-14 rfc5044-4.1-06. A start that a search found not long ago, or that
 * lies behind another FPDU with a wrong CRC, may be no start at all: RFC 5044 6.
 */
void iwarp_rule_mpa_crc(struct rules_judge *j) {
  const iwarp_ev_fpdu *f = &j->ev->u.fpdu;
  if (f->crc == IWARP_CRC_GOOD) {
    iwarp_rules_pass(j);
    return;
  }
  if (f->crc == IWARP_CRC_UNCHECKED) {
    if (j->info->crc == IWARP_TRI_ON) {
      iwarp_rules_unsure(j, rules_own(j)->gap_why);
    }
    return;
  }
  if (j->facts.no_marker || j->facts.unasked) {
    return; /* mpa.marker-first or mpa.marker-unasked says it */
  }
  if (j->ev->last.damaged) {
    iwarp_rules_unsure(j, IWARP_WHY_GAP); /* the receiver may have taken another copy */
  } else if (!fpdu_settled(j->info->crc_by)) {
    iwarp_rules_unsure(j, IWARP_WHY_CRC_UNKNOWN);
  } else if (!fpdu_settled(j->info->side[j->ev->side].markers_by)) {
    iwarp_rules_unsure(j, IWARP_WHY_NO_NEGOTIATION); /* it covers the Markers */
  } else if (f->proof == IWARP_PROOF_GUESS || !rules_markers_sure(j)) {
    iwarp_rules_unsure(j, IWARP_WHY_MID_STREAM);
  } else if (!rules_start_sure(j) || rules_own(j)->crc_doubt || rules_own(j)->doubt) {
    iwarp_rules_unsure(j, rules_own(j)->gap_why);
  } else {
    iwarp_finding *x = iwarp_rules_fail(j, iwarp_rules_hex(IWARP_VALUE_HEX32, f->crc_computed),
                                        iwarp_rules_hex(IWARP_VALUE_HEX32, f->fpdu.crc));
    x->octet_pos = fpdu_wire_start(j) + f->fpdu.layout.crc_off;
    x->octet_len = 4;
  }
}

/* rfc5044-4.1-03 */
void iwarp_rule_mpa_pad_zero(struct rules_judge *j) {
  const iwarp_ev_fpdu *f = &j->ev->u.fpdu;
  const uint32_t len = f->fpdu.layout.pad;
  if (len == 0 || !iwarp_rules_need(j, DEPTH_FRAME)) {
    return;
  }
  if (!f->pad_present) {
    iwarp_rules_unsure(j, rules_own(j)->gap_why);
    return;
  }
  static const uint8_t zero[3] = {0};
  uint8_t any = 0;
  for (uint32_t i = 0; i < len; i++) {
    any |= f->fpdu.pad[i];
  }
  iwarp_rules_settle_ulpdu(j, any == 0, f->fpdu.ulpdu_length, len, iwarp_rules_octets(zero, len),
                           iwarp_rules_octets(f->fpdu.pad, len));
}

static void fpdu_settle_length(struct rules_judge *j, bool ok, iwarp_value expected) {
  if (ok) {
    iwarp_rules_pass(j);
    return;
  }
  iwarp_finding *x =
      iwarp_rules_fail(j, expected, iwarp_rules_uint(j->ev->u.fpdu.fpdu.ulpdu_length));
  x->octet_pos = j->ev->pos;
  x->octet_len = 2;
}

/* rfc5044-3-07 */
void iwarp_rule_mpa_ulpdu_length_max(struct rules_judge *j) {
  if (iwarp_rules_need(j, DEPTH_FRAME)) {
    fpdu_settle_length(j, j->ev->u.fpdu.fpdu.ulpdu_length <= IWARP_MPA_ULPDU_MAX,
                       iwarp_rules_at_most(IWARP_MPA_ULPDU_MAX));
  }
}

/* rfc5041-4.4-01 rfc5044-3-08 */
void iwarp_rule_mpa_ulpdu_length_zero(struct rules_judge *j) {
  if (iwarp_rules_need(j, DEPTH_FRAME)) {
    fpdu_settle_length(j, j->ev->u.fpdu.fpdu.ulpdu_length != 0, iwarp_rules_at_least(1));
  }
}

/* rfc5044-4.3-10 rfc5044-4.3-12 rfc5044-7.1.1-11 rfc5044-7.1.2-29 */
void iwarp_rule_mpa_marker_first(struct rules_judge *j) {
  const iwarp_mpa_fpdu *f = &j->ev->u.fpdu.fpdu;
  static const uint8_t zero[IWARP_MPA_MARKER_LEN] = {0};
  if (!j->facts.first || !f->markers || f->wire.len < sizeof(zero)) {
    return;
  }
  if (!j->facts.no_marker) {
    iwarp_rules_pass(j);
    return;
  }
  iwarp_finding *x = iwarp_rules_fail(j, iwarp_rules_octets(zero, sizeof(zero)),
                                      iwarp_rules_octets(f->wire.ptr, sizeof(zero)));
  x->octet_pos = fpdu_wire_start(j);
  x->octet_len = sizeof(zero);
}

/* rfc5044-7.1.1-10 rfc5044-1.2-02: what follows is not where it would be without the Marker */
void iwarp_rule_mpa_marker_unasked(struct rules_judge *j) {
  const iwarp_mpa_fpdu *f = &j->ev->u.fpdu.fpdu;
  if (j->facts.first && !fpdu_settled(j->info->side[j->ev->side].markers_by)) {
    iwarp_rules_unsure(j, IWARP_WHY_NO_NEGOTIATION);
    return;
  }
  if (!j->facts.first || f->markers) {
    return;
  }
  if (!j->facts.unasked) {
    if (f->ulpdu_length != 0) {
      iwarp_rules_pass(j);
    }
    return;
  }
  iwarp_finding *x = iwarp_rules_fail(j, iwarp_rules_text("ULPDU_Length"),
                                      iwarp_rules_octets(f->wire.ptr, f->wire.len));
  x->octet_pos = fpdu_wire_start(j);
  x->octet_len = IWARP_MPA_MARKER_LEN;
}

/* A Marker of the FPDU that one of the rules below finds wrong. */
struct fpdu_marker {
  bool wrong;
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t off; /* in the wire form */
};

enum fpdu_marker_part { MARKER_RESERVED, MARKER_POINTER, MARKER_LOW_BITS };

static bool fpdu_marker_wrong(const struct fpdu_marker *m, enum fpdu_marker_part part) {
  const uint16_t low = 3u;
  switch (part) {
  case MARKER_RESERVED: return m->is.reserved != 0;
  case MARKER_POINTER: return (m->is.fpduptr | low) != (m->due.fpduptr | low);
  case MARKER_LOW_BITS: return (m->is.fpduptr & low) != 0;
  }
  return false;
}

/* The first Marker with this fault. False when the Markers cannot be judged. */
static bool fpdu_markers(struct rules_judge *j, enum fpdu_marker_part part, struct fpdu_marker *m) {
  const iwarp_ev_fpdu *f = &j->ev->u.fpdu;
  if (!f->fpdu.markers || f->fpdu.layout.num_markers == 0 ||
      f->fpdu.ulpdu_length > IWARP_MPA_ULPDU_MAX || !iwarp_rules_need(j, DEPTH_FRAME)) {
    return false; /* the distance may not fit FPDUPTR where the length is out of bounds */
  }
  if (!fpdu_settled(j->info->side[j->ev->side].markers_by)) {
    iwarp_rules_unsure(j, IWARP_WHY_NO_NEGOTIATION);
    return false;
  }
  if (!f->complete) {
    iwarp_rules_unsure(j, rules_own(j)->gap_why);
    return false;
  }
  *m = (struct fpdu_marker){0};
  for (size_t i = 0;
       !m->wrong && iwarp_mpa_fpdu_marker(&m->is, &m->due, &m->off, &f->fpdu, i) == IWARP_OK; i++) {
    m->wrong = fpdu_marker_wrong(m, part);
  }
  return true;
}

static void fpdu_settle_marker(struct rules_judge *j, const struct fpdu_marker *m, uint32_t off,
                               iwarp_value expected, iwarp_value observed) {
  if (!m->wrong) {
    iwarp_rules_pass(j);
    return;
  }
  iwarp_finding *x = iwarp_rules_fail(j, expected, observed);
  x->octet_pos = fpdu_wire_start(j) + m->off + off;
  x->octet_len = 2;
}

/* rfc5044-4.2-02 */
void iwarp_rule_mpa_marker_reserved(struct rules_judge *j) {
  struct fpdu_marker m;
  if (fpdu_markers(j, MARKER_RESERVED, &m)) {
    fpdu_settle_marker(j, &m, 0, iwarp_rules_hex(IWARP_VALUE_HEX16, 0),
                       iwarp_rules_hex(IWARP_VALUE_HEX16, m.is.reserved));
  }
}

/* rfc5044-4.3-05 rfc5044-4.2-04 rfc5044-4.3-13 rfc5044-4.3-15 */
void iwarp_rule_mpa_marker_pointer(struct rules_judge *j) {
  struct fpdu_marker m;
  if (fpdu_markers(j, MARKER_POINTER, &m)) {
    fpdu_settle_marker(j, &m, 2, iwarp_rules_uint(m.due.fpduptr), iwarp_rules_uint(m.is.fpduptr));
  }
}

/* rfc5044-4.2-05 */
void iwarp_rule_mpa_marker_low_bits(struct rules_judge *j) {
  struct fpdu_marker m;
  if (fpdu_markers(j, MARKER_LOW_BITS, &m)) {
    fpdu_settle_marker(j, &m, 2, iwarp_rules_hex(IWARP_VALUE_HEX16, m.due.fpduptr),
                       iwarp_rules_hex(IWARP_VALUE_HEX16, m.is.fpduptr));
  }
}
