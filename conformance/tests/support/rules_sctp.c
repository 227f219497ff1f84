/* SPDX-License-Identifier: BSD-2-Clause */
/* What an observer would tell of messages over SCTP. */
#include "rules_sctp.h"

#include <string.h>

static void sctp_begin(struct rules_fixture *l) {
  l->info.sctp = true;
  l->info.crc = IWARP_TRISTATE_ON;
  l->info.crc_by = IWARP_KNOWN_BY_STARTUP;
  for (unsigned i = 0; i < 2; i++) {
    l->info.side[i].start_known = !l->guess;
  }
}

static iwarp_sctp_kind sctp_kind(const struct sctp_msg *m) {
  const bool known = m->function > 0 && m->function < 8;
  if (m->segment) {
    return m->reason == IWARP_SCTP_REASON_SSN ? IWARP_SCTP_KIND_OTHER : IWARP_SCTP_KIND_SEGMENT;
  }
  if (!known || (m->reason > IWARP_SCTP_REASON_SEQUENCE && m->reason < IWARP_SCTP_REASON_SSN)) {
    return IWARP_SCTP_KIND_OTHER;
  }
  return (iwarp_sctp_kind)(m->function == 4 ? 3 : (m->function - 1) % 4);
}

/* It is certain to which session a message belongs. */
static bool sctp_is_clear(const struct rules_fixture *l) {
  return !l->unclear && !l->guess && !(l->unproven && (l->lost[0] || l->lost[1]));
}

static uint32_t sctp_segment_len(const struct sctp_msg *m) {
  const bool tagged = m->what != NULL && m->what->ddp.tagged;
  return IWARP_SCTP_SEGMENT_LEN + (tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN) +
         (m->what != NULL ? (uint32_t)m->what->len : 0);
}

static iwarp_sctp_evidence sctp_evidence(const struct rules_fixture *l, const struct sctp_msg *m) {
  return (iwarp_sctp_evidence){.needless = m->needless,
                               .maybe_retransmitted = m->maybe_retransmitted,
                               .peer_data_reordered = m->peer_data_reordered,
                               .acked = m->acked            ? l->next[m->side]
                                        : m->acked_but_last ? l->next[m->side] - 1u
                                                            : 0,
                               .overtook = m->overtakes           ? l->next[m->side]
                                           : m->overtakes_earlier ? l->next[m->side] - 1u
                                                                  : 0,
                               .bundled_before = m->sent_again ? 1 : 0};
}

static iwarp_sctp_captured sctp_captured(const struct rules_fixture *l, const struct sctp_msg *m) {
  const uint32_t head = m->segment ? sctp_segment_len(m) : 4;
  iwarp_sctp_captured c = {
      .ppid = m->segment != m->other_ppid ? IWARP_SCTP_PPID_SEGMENT : IWARP_SCTP_PPID_CONTROL,
      .length = m->length != 0 || m->is_short ? m->length : head + m->private_data,
      .ordered = m->ordered,
      .fragments = m->fragments != 0 ? m->fragments : 1,
      .evidence = sctp_evidence(l, m)};
  c.ppid = m->ppid != 0 ? m->ppid : c.ppid;
  return c;
}

static iwarp_sctp_certainty sctp_certainty(const struct rules_fixture *l,
                                           const struct sctp_msg *m) {
  const bool lost = l->lost[m->side] || l->guess;
  const bool unknown = m->no_cause || m->maybe_retransmitted || lost || l->lost[1 - m->side];
  return (iwarp_sctp_certainty){.session_certain = sctp_is_clear(l),
                                .has_unplaced = l->unplaced[m->side],
                                .peer_data_reordered = m->peer_data_reordered,
                                .session_unconfirmed = m->session_unconfirmed || l->lost[m->side],
                                .again = m->again,
                                .outstanding = lost ? IWARP_TRISTATE_UNKNOWN : m->outstanding,
                                .received =
                                    unknown ? 0 : l->next[1 - m->side] - (m->crosses ? 1u : 0u)};
}

static iwarp_ev_sctp sctp_facts(const struct rules_fixture *l, const struct sctp_msg *m,
                                const iwarp_sctp_captured *captured) {
  iwarp_ev_sctp facts = {0};
  iwarp_ev_sctp_message *f = &facts.u.message;
  for (unsigned i = 0; i < 2; i++) {
    facts.lossless[i] = !l->lost[i] && !l->guess;
  }
  *f = (iwarp_ev_sctp_message){.captured = captured,
                               .ssn = m->ssn,
                               .has_ssn = !m->is_short && m->ppid == 0,
                               .kind = sctp_kind(m),
                               .verdict = m->verdict,
                               .reason = m->reason,
                               .inconclusive =
                                   !facts.lossless[0] || !facts.lossless[1] || m->skipped,
                               .has_control = !m->segment && !m->is_short && m->ppid == 0,
                               .control.function = m->function,
                               .enhanced = m->function > 4 && m->private_data >= 4,
                               .enh = m->enh};
  if (m->other_ppid) {
    f->has_control = m->segment;
    f->kind = m->segment ? IWARP_SCTP_KIND_OTHER : IWARP_SCTP_KIND_SEGMENT;
    f->control.function = m->function != 0 ? m->function : 0x4143; /* the octets of a Send */
  }
  return facts;
}

#define SCTP_SEND_LEN (IWARP_SCTP_SEGMENT_LEN + IWARP_DDP_UNTAGGED_LEN)
#define SCTP_USER_DATA 128u

/* What of the user data the rules look at: DDP-SSN and Function Code, or a segment. */
static iwarp_span sctp_user_data(uint8_t octets[SCTP_USER_DATA], const struct sctp_msg *m,
                                 uint32_t length) {
  const struct fixture_seg s = m->what != NULL ? *m->what : fixture_send(1);
  const uint16_t numbers[] = {m->ssn, m->function};
  size_t len = 0;
  memset(octets, 0, SCTP_USER_DATA);
  iwarp_ddp_hdr_encode(octets + IWARP_SCTP_SEGMENT_LEN, IWARP_DDP_UNTAGGED_LEN, &len, &s.ddp);
  if (s.payload != NULL) {
    memcpy(octets + IWARP_SCTP_SEGMENT_LEN + len, s.payload, s.len);
  }
  for (size_t i = 0; i < (m->segment && m->function == 0 ? 2u : 4u); i++) {
    octets[i] = (uint8_t)(i % 2 == 0 ? numbers[i / 2] >> 8 : numbers[i / 2]);
  }
  const uint32_t whole = m->what != NULL ? SCTP_USER_DATA : SCTP_SEND_LEN;
  const uint32_t captured = m->captured != 0 ? m->captured : whole;
  return (iwarp_span){octets, length < captured ? length : captured};
}

/* Where the session is followed from its beginning. */
static void sctp_follow(iwarp_event *ev, struct rules_fixture *l) {
  iwarp_observer_side *side = &l->info.side[ev->side];
  if (!l->guess && !l->lost[ev->side]) {
    side->full_pos = side->full_pos == IWARP_POS_UNKNOWN ? ev->pos : side->full_pos;
    ev->u.fpdu.sync = IWARP_SYNC_STARTUP;
  }
  for (unsigned i = 0; i < 2; i++) {
    l->info.side[i].rev = l->info.side[i].enhanced ? 2 : 1;
  }
}

static void sctp_segment(iwarp_event *ev, const struct rules_fixture *l,
                         const iwarp_ev_sctp_message *m) {
  const size_t len = m->captured->length - IWARP_SCTP_SEGMENT_LEN;
  const iwarp_span there = {m->user_data.ptr + IWARP_SCTP_SEGMENT_LEN,
                            m->user_data.len - IWARP_SCTP_SEGMENT_LEN};
  iwarp_rdmap_seg_decode(&ev->u.fpdu.seg, there, len);
  ev->u.fpdu.fpdu.ulpdu_length = (uint16_t)len;
  ev->u.fpdu.complete = m->user_data.len == m->captured->length;
  ev->u.fpdu.crc = l->damaged ? IWARP_CRC_UNCHECKED : IWARP_CRC_GOOD;
  ev->u.fpdu.sync = IWARP_SYNC_CRC;
  ev->u.fpdu.offset = IWARP_POS_UNKNOWN;
}

/* Initiate and Accept count as Request and Reply. */
static void sctp_learn(struct rules_fixture *l, const struct sctp_msg *m,
                       const iwarp_ev_sctp_message *f) {
  iwarp_observer_side *side = &l->info.side[m->side];
  if (m->segment || f->reason != IWARP_SCTP_REASON_NONE || f->kind > IWARP_SCTP_KIND_REJECT) {
    return;
  }
  side->has_startup = true;
  side->key = f->kind == IWARP_SCTP_KIND_INITIATE ? IWARP_MPA_KEY_REQUEST : IWARP_MPA_KEY_REPLY;
  side->is_reply = f->kind != IWARP_SCTP_KIND_INITIATE;
  side->enhanced = f->enhanced;
  side->enh = f->enh;
}

void sctp_send(struct rules_fixture *l, struct sctp_msg m) {
  if (!l->info.sctp) {
    sctp_begin(l);
  }
  if (fixture_dropped(l)) {
    l->lost[m.side] = true;
    l->unclear = true;
    l->info.side[m.side].gap = true;
    l->next[m.side]++;
    return;
  }
  uint8_t octets[SCTP_USER_DATA];
  const iwarp_sctp_captured captured = sctp_captured(l, &m);
  iwarp_ev_sctp facts = sctp_facts(l, &m, &captured);
  facts.u.message.user_data = sctp_user_data(octets, &m, captured.length);
  const bool in_place = m.segment != m.other_ppid && m.reason == IWARP_SCTP_REASON_NONE;
  if (m.same_packet) {
    l->packet--;
  }
  iwarp_event ev =
      fixture_base(l, m.side, in_place ? IWARP_EVENT_SCTP_SEGMENT : IWARP_EVENT_SCTP_MESSAGE, 1);
  ev.pos -= m.back;
  if (m.no_cause || m.unbundled || l->guess || l->lost[0] || l->lost[1]) {
    ev.first.peer_pos = IWARP_POS_UNKNOWN;
  }
  if (in_place) {
    sctp_segment(&ev, l, &facts.u.message);
    if (m.what != NULL) {
      sctp_follow(&ev, l);
    }
  }
  ev.sctp = &facts;
  l->certainty = sctp_certainty(l, &m);
  sctp_learn(l, &m, &facts.u.message);
  l->info.rejected = l->info.rejected || facts.u.message.kind == IWARP_SCTP_KIND_REJECT;
  fixture_event(l, &ev);
}

/* Returns true if the side ends the association. */
static bool sctp_ends(const struct rules_fixture *l, unsigned side, iwarp_end how) {
  const unsigned by = l->burst != 0 || l->shut_by_first ? 0 : 1;
  return side == by && (l->burst != 0 || how == IWARP_END_FIN);
}

static iwarp_sctp_burst_end sctp_burst(const struct rules_fixture *l, unsigned side,
                                       iwarp_end how) {
  const bool whole = !l->lost[0] && !l->lost[1] && !l->guess && !l->unclear;
  return (iwarp_sctp_burst_end){.ended = sctp_ends(l, side, how),
                                .certain = l->burst == 0 || whole,
                                .ended_packet = l->packet + (l->ends_beside ? 0u : 1u),
                                .streams = side == 0 ? l->burst : 0,
                                .sessions = l->sessions,
                                .pos = l->next[0] - 1u,
                                .last = {.packet = l->packet}};
}

/* What the next session of the stream shows of a side. */
static iwarp_sctp_follows sctp_follows(const struct rules_fixture *l, unsigned side) {
  if (l->apart[side]) {
    return IWARP_SCTP_FOLLOWS_APART;
  }
  if (l->went_on[side]) {
    return IWARP_SCTP_FOLLOWS_SIDE;
  }
  return l->another ? IWARP_SCTP_FOLLOWS : IWARP_SCTP_FOLLOWS_NOTHING;
}

void sctp_finish(struct rules_fixture *l, iwarp_end how) {
  for (unsigned side = 0; side < 2; side++) {
    const iwarp_ev_sctp facts = {
        .lossless = {!l->lost[0] && !l->guess, !l->lost[1] && !l->guess},
        .u.end = {.final = how == IWARP_END_FIN && !l->replaced, .follows = sctp_follows(l, side)}};
    l->certainty = (iwarp_sctp_certainty){.session_certain = sctp_is_clear(l),
                                          .answers_elsewhere = {l->elsewhere[0], l->elsewhere[1]},
                                          .has_unplaced = l->unplaced[side],
                                          .complete = !l->lost[0] && !l->lost[1] && !l->guess,
                                          .settled = {!l->unsettled[0], !l->unsettled[1]},
                                          .sent = l->next[side],
                                          .advanced = l->advanced,
                                          .burst = sctp_burst(l, side, how)};
    iwarp_event ev = fixture_base(l, side, IWARP_EVENT_END, 0);
    ev.u.end = how;
    ev.sctp = &facts;
    fixture_event(l, &ev);
  }
}

void sctp_gap(struct rules_fixture *l, unsigned side, uint16_t ssn, uint16_t missing) {
  const iwarp_ev_sctp facts = {.lossless = {!l->lost[0] && !l->guess, !l->lost[1] && !l->guess},
                               .u.gap = {.ssn = ssn, .missing = missing}};
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_GAP, missing);
  ev.sctp = &facts;
  l->certainty = (iwarp_sctp_certainty){.session_certain = sctp_is_clear(l)};
  fixture_event(l, &ev);
}

void sctp_gap_of(struct rules_fixture *l, unsigned side, uint16_t ssn) {
  sctp_gap(l, side, ssn, 2);
}

void sctp_init(struct rules_fixture *l, unsigned side, uint16_t granted,
               iwarp_sctp_assoc_params params) {
  if (!l->info.sctp) {
    sctp_begin(l);
  }
  params.ack = side == 1;
  const iwarp_ev_sctp facts = {.u.init = {.params = &params, .granted = granted}};
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_SCTP_INIT, 0);
  ev.sctp = &facts;
  l->certainty = (iwarp_sctp_certainty){0};
  fixture_event(l, &ev);
}

void sctp_open(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true);
}
