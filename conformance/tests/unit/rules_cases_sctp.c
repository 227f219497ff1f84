/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases for the rules on DDP over SCTP. */

#include "rules_cases.h"

#define SCTP_INIT(l, side, ...) sctp_init(l, side, (iwarp_ev_sctp){.whole = true, __VA_ARGS__})

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

static iwarp_ev_sctp sctp_facts(const struct rules_fixture *l, const struct sctp_msg *m) {
  const bool lost = l->lost[m->side] || l->guess;
  const uint32_t head = m->segment ? 2 + 18 : 4;
  iwarp_ev_sctp f = {.ppid = m->segment ? IWARP_SCTP_PPID_SEGMENT : IWARP_SCTP_PPID_CONTROL,
                     .length = m->length != 0 || m->is_short ? m->length : head + m->private_data,
                     .ssn = m->ssn,
                     .has_ssn = !m->is_short && m->ppid == 0,
                     .ordered = m->ordered,
                     .needless = m->needless,
                     .fragments = m->fragments != 0 ? m->fragments : 1,
                     .kind = sctp_kind(m),
                     .verdict = m->verdict,
                     .reason = m->reason,
                     .inconclusive = lost || l->lost[1 - m->side],
                     .clear = !l->unclear,
                     .session_unconfirmed = m->session_unconfirmed,
                     .lossless = !lost,
                     .has_control = !m->segment && !m->is_short && m->ppid == 0};
  f.control.function = m->function;
  f.ppid = m->ppid != 0 ? m->ppid : f.ppid;
  f.acked = m->acked ? l->next[m->side] : 0;
  f.received = m->no_cause || lost || l->lost[1 - m->side]
                   ? 0
                   : l->next[1 - m->side] - (m->crosses ? 1u : 0u);
  f.enhanced = m->function > 4 && m->private_data >= 4;
  f.enh = m->enh;
  if (m->other_ppid) {
    f.ppid = m->segment ? IWARP_SCTP_PPID_CONTROL : IWARP_SCTP_PPID_SEGMENT;
    f.has_control = m->segment;
    f.kind = m->segment ? IWARP_SCTP_KIND_OTHER : IWARP_SCTP_KIND_SEGMENT;
    f.control.function = m->function != 0 ? m->function : 0x4143; /* those of a Send */
  }
  f.again = m->again;
  f.outstanding = lost ? IWARP_TRISTATE_UNKNOWN : m->outstanding;
  return f;
}

#define SCTP_USER_DATA (IWARP_SCTP_SEGMENT_LEN + IWARP_DDP_UNTAGGED_LEN)

/* What of the user data the rules look at: DDP-SSN and Function Code, or a Send of nothing. */
static iwarp_span sctp_user_data(uint8_t octets[SCTP_USER_DATA], const struct sctp_msg *m,
                                 uint32_t length) {
  const struct fixture_seg s = fixture_send(1);
  const uint16_t numbers[] = {m->ssn, m->function};
  size_t len = 0;
  iwarp_ddp_hdr_encode(octets + IWARP_SCTP_SEGMENT_LEN, IWARP_DDP_UNTAGGED_LEN, &len, &s.ddp);
  for (size_t i = 0; i < (m->segment && m->function == 0 ? 2u : 4u); i++) {
    octets[i] = (uint8_t)(i % 2 == 0 ? numbers[i / 2] >> 8 : numbers[i / 2]);
  }
  const uint32_t captured = m->captured != 0 ? m->captured : SCTP_USER_DATA;
  return (iwarp_span){octets, length < captured ? length : captured};
}

static void sctp_segment(iwarp_event *ev, const struct rules_fixture *l, iwarp_span user_data) {
  const size_t len = user_data.len - IWARP_SCTP_SEGMENT_LEN;
  iwarp_rdmap_seg_decode(&ev->u.fpdu.seg, (iwarp_span){user_data.ptr + IWARP_SCTP_SEGMENT_LEN, len},
                         len);
  ev->u.fpdu.fpdu.ulpdu_length = (uint16_t)len;
  ev->u.fpdu.complete = true;
  ev->u.fpdu.crc = l->damaged ? IWARP_CRC_UNCHECKED : IWARP_CRC_GOOD;
  ev->u.fpdu.sync = IWARP_SYNC_CRC;
  ev->u.fpdu.offset = IWARP_POS_UNKNOWN;
}

/* Initiate and Accept count as Request and Reply. */
static void sctp_learn(struct rules_fixture *l, const struct sctp_msg *m, const iwarp_ev_sctp *f) {
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
    l->info.side[m.side].gap = true;
    l->next[m.side]++;
    return;
  }
  uint8_t octets[SCTP_USER_DATA];
  iwarp_ev_sctp facts = sctp_facts(l, &m);
  facts.user_data = sctp_user_data(octets, &m, facts.length);
  const bool in_place = m.segment != m.other_ppid && m.reason == IWARP_SCTP_REASON_NONE;
  if (m.same_packet) {
    l->packet--;
  }
  iwarp_event ev =
      fixture_base(l, m.side, in_place ? IWARP_EVENT_SCTP_SEGMENT : IWARP_EVENT_SCTP_MESSAGE, 1);
  if (m.no_cause || m.unbundled || l->guess || l->lost[0] || l->lost[1]) {
    ev.first.peer_pos = IWARP_POS_UNKNOWN;
  }
  if (in_place) {
    sctp_segment(&ev, l, facts.user_data);
  }
  ev.sctp = &facts;
  sctp_learn(l, &m, &facts);
  l->info.rejected = l->info.rejected || facts.kind == IWARP_SCTP_KIND_REJECT;
  fixture_event(l, &ev);
}

void sctp_finish(struct rules_fixture *l, iwarp_end how) {
  for (unsigned side = 0; side < 2; side++) {
    const iwarp_ev_sctp facts = {.clear = !l->unclear,
                                 .lossless = !l->lost[side] && !l->guess,
                                 .final = how == IWARP_END_FIN,
                                 .complete = !l->lost[0] && !l->lost[1] && !l->guess};
    iwarp_event ev = fixture_base(l, side, IWARP_EVENT_END, 0);
    ev.u.end = how;
    ev.sctp = &facts;
    fixture_event(l, &ev);
  }
}

/* DDP-SSNs of a side are passed over: `ssn` and the one after it. */
static void sctp_gap_of(struct rules_fixture *l, unsigned side, uint16_t ssn) {
  const iwarp_ev_sctp facts = {.ssn = ssn,
                               .has_ssn = true,
                               .missing = 2,
                               .clear = !l->unclear,
                               .lossless = !l->lost[side] && !l->guess};
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_GAP, 2);
  ev.sctp = &facts;
  fixture_event(l, &ev);
}

void sctp_gap(struct rules_fixture *l) {
  sctp_gap_of(l, 0, 1);
}

/* INIT of side 0, or INIT ACK of side 1. */
static void sctp_init(struct rules_fixture *l, unsigned side, iwarp_ev_sctp facts) {
  if (!l->info.sctp) {
    sctp_begin(l);
  }
  facts.ack = side == 1;
  iwarp_event ev = fixture_base(l, side, IWARP_EVENT_SCTP_INIT, 0);
  ev.sctp = &facts;
  fixture_event(l, &ev);
}

/* Runs a case once more with packets whose checksum is wrong. */
#define SCTP_DAMAGED(name)                                                                         \
  static void name##_damaged(struct rules_fixture *l) {                                            \
    l->damaged = true;                                                                             \
    name(l);                                                                                       \
  }

/* The same where it is not certain to which session a message belongs. */
#define SCTP_UNCLEAR(name)                                                                         \
  static void name##_unclear(struct rules_fixture *l) {                                            \
    l->unclear = true;                                                                             \
    name(l);                                                                                       \
  }

void sctp_open(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true);
}

static void sctp_good(struct rules_fixture *l) {
  SCTP_INIT(l, 0, .has_adaptation = true, .adaptation = 1, .out_streams = 8, .in_streams = 8);
  SCTP_INIT(l, 1, .has_adaptation = true, .adaptation = 1, .out_streams = 8, .in_streams = 8);
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* ---- the association ---- */

static void sctp_adaptation_other(struct rules_fixture *l) {
  SCTP_INIT(l, 0, .has_adaptation = true, .adaptation = 2);
}

static void sctp_adaptation_none(struct rules_fixture *l) {
  SCTP_INIT(l, 1, .out_streams = 0);
}

static void sctp_adaptation_cut(struct rules_fixture *l) {
  sctp_init(l, 0, (iwarp_ev_sctp){.whole = false});
}

static void sctp_adaptation_cut_after(struct rules_fixture *l) {
  sctp_init(l, 0, (iwarp_ev_sctp){.has_adaptation = true, .adaptation = 1});
}

static void sctp_count_unequal(struct rules_fixture *l) {
  SCTP_INIT(l, 0, .has_adaptation = true, .adaptation = 1, .out_streams = 8, .in_streams = 9);
}

static void sctp_count_ack(struct rules_fixture *l) {
  SCTP_INIT(l, 1, .has_adaptation = true, .adaptation = 1, .out_streams = 7, .in_streams = 8,
            .granted = 8);
}

static void sctp_count_granted(struct rules_fixture *l) {
  SCTP_INIT(l, 1, .has_adaptation = true, .adaptation = 1, .out_streams = 7, .in_streams = 8,
            .granted = 7);
}

static void sctp_count_unknown(struct rules_fixture *l) {
  SCTP_INIT(l, 1, .has_adaptation = true, .adaptation = 1, .out_streams = 7, .in_streams = 8);
}

/* ---- one message ---- */

static void sctp_ordered(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .ordered = true);
}
SCTP_DAMAGED(sctp_ordered)

static void sctp_foreign(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .ppid = 18, .length = 9, .reason = IWARP_SCTP_REASON_PPID,
            .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_DAMAGED(sctp_foreign)

static void sctp_swapped(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true, .ppid = 0x11000000);
}

/* A Session Control message with the identifier of segments; the session knows none of it. */
static void sctp_control_as_segment(struct rules_fixture *l, unsigned side, uint16_t function,
                                    uint32_t private_data) {
  SCTP_SEND(l, .side = side, .function = function, .other_ppid = true, .acked = true,
            .private_data = private_data, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_initiate_as_segment(struct rules_fixture *l) {
  sctp_control_as_segment(l, 0, 1, 0);
}

/* Private Data as long as the header of a segment change nothing where no segment may come. */
static void sctp_accept_as_segment(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  sctp_control_as_segment(l, 1, 2, 40);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
}

static void sctp_terminates_as_segments(struct rules_fixture *l, uint32_t private_data) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true, .private_data = private_data);
  SCTP_SEGMENT(l, 1, 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_terminate_as_segment(struct rules_fixture *l) {
  sctp_terminates_as_segments(l, 0);
}

/* One octet less than a segment of version 0 needs. */
static void sctp_terminate_as_segment_long(struct rules_fixture *l) {
  sctp_terminates_as_segments(l, 15);
}

/* A whole header with its versions 0; it ends no message. */
static void sctp_segment_version_0(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true, .private_data = 16);
}

/* A Send with the identifier of Session Control, and the Send after it. */
static void sctp_segment_as_control(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .other_ppid = true, .reason = IWARP_SCTP_REASON_FUNCTION,
               .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEGMENT(l, 0, 2, .acked = true);
}

/* Control octets that are none of a segment: T, reserved bits, a version, or the opcode is wrong.
 */
static void sctp_no_segment_as_control(struct rules_fixture *l) {
  static const uint16_t control[] = {0xC143, 0x4543, 0x4243, 0x4183, 0x4153, 0x414C};
  sctp_open(l);
  for (uint16_t i = 0; i < sizeof(control) / sizeof(control[0]); i++) {
    SCTP_SEGMENT(l, 0, (uint16_t)(i + 1), .other_ppid = true, .function = control[i],
                 .reason = IWARP_SCTP_REASON_FUNCTION, .verdict = IWARP_SCTP_ILLEGAL);
  }
}

/* An empty Write just has room for its header; with one octet less it has not. */
static void sctp_write_as_control(struct rules_fixture *l, uint32_t length) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .other_ppid = true, .function = 0xC140, .length = length,
               .reason = IWARP_SCTP_REASON_FUNCTION, .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_tagged_as_control(struct rules_fixture *l) {
  sctp_write_as_control(l, 16);
}

static void sctp_tagged_as_control_short(struct rules_fixture *l) {
  sctp_write_as_control(l, 15);
}

/* It ends the session before an answer, and is no segment. */
static void sctp_terminate_at_once_as_segment(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true);
}

/* Four octets are too few for a segment, but these are no Session Control message either. */
static void sctp_short_segment(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 0x0104, .ssn = 1, .other_ppid = true);
}

/* Nothing says the Function Code, or that there is none. */
static void sctp_terminate_as_segment_cut(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true, .captured = 3);
}

/* The same octets without the last one of the header. */
static void sctp_segment_as_control_short(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .other_ppid = true, .length = 19, .reason = IWARP_SCTP_REASON_FUNCTION,
               .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_two_fit(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .fragments = 2, .needless = true);
}
SCTP_DAMAGED(sctp_two_fit)

static void sctp_two(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .fragments = 2);
}

static void sctp_short_3(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .is_short = true, .length = 3, .reason = IWARP_SCTP_REASON_SHORT,
            .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_DAMAGED(sctp_short_3)

static void sctp_function_8(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 8, .ssn = 1, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_DAMAGED(sctp_function_8)

static void sctp_function_experiment(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 0xFFFF, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_STRAY);
}

static void sctp_enhanced_reject(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 7, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_private_513(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .private_data = 513, .reason = IWARP_SCTP_REASON_LENGTH,
            .verdict = IWARP_SCTP_STRAY);
}
SCTP_DAMAGED(sctp_private_513)

static void sctp_private_512(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .private_data = 512);
}

static void sctp_terminate_1(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .private_data = 1, .acked = true);
}
SCTP_DAMAGED(sctp_terminate_1)

static void sctp_enhanced_3(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 3, .reason = IWARP_SCTP_REASON_LENGTH,
            .verdict = IWARP_SCTP_STRAY);
}
SCTP_DAMAGED(sctp_enhanced_3)

static void sctp_enhanced(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .acked = true);
}

/* ---- order ---- */

static void sctp_pairing_plain(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_UNCLEAR(sctp_pairing_plain)

static void sctp_pairing_uncaused(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL, .no_cause = true);
}

static void sctp_pairing_unbundled(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL, .unbundled = true);
}

static void sctp_pairing_unreceived(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL, .crosses = true);
}

static void sctp_pairing_enhanced(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_pairing_unseen(struct rules_fixture *l) {
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .reason = IWARP_SCTP_REASON_NO_SESSION,
            .verdict = IWARP_SCTP_STRAY);
}

static void sctp_ssn_again(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_UNCLEAR(sctp_ssn_again)
SCTP_DAMAGED(sctp_ssn_again)

static void sctp_ssn_again_unseen(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
}

/* A Terminate with DDP-SSN 3, after 0. */
static void sctp_ssn_over(struct rules_fixture *l) {
  sctp_open(l);
  sctp_gap(l);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
}

static void sctp_ssn_gap(struct rules_fixture *l) {
  sctp_ssn_over(l);
  sctp_finish(l, IWARP_END_FIN);
}
SCTP_UNCLEAR(sctp_ssn_gap)

/* The message of another protocol may have had the number that lacks. */
static void sctp_ssn_gap_foreign(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 0, .reason = IWARP_SCTP_REASON_PPID, .ppid = 18);
  sctp_gap(l);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_ssn_gap_segment(struct rules_fixture *l) {
  sctp_open(l);
  sctp_gap(l);
  SCTP_SEGMENT(l, 0, 3, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_ssn_gap_open(struct rules_fixture *l) {
  sctp_ssn_over(l);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void sctp_ssn_gap_lost(struct rules_fixture *l) {
  sctp_ssn_over(l);
  l->lost[0] = true;
  sctp_finish(l, IWARP_END_FIN);
}

/* Another side than that of the gap has lost messages: what is certain of this one stays so. */
static void sctp_ssn_gap_peer_lost(struct rules_fixture *l) {
  sctp_ssn_over(l);
  l->lost[1] = true;
  sctp_finish(l, IWARP_END_FIN);
}

/* The Accept is not there, and what lacks of the association was lost before the session began: it
 * may be that. */
static void sctp_ssn_accept_lost(struct rules_fixture *l) {
  l->unclear = true;
  SCTP_SEND(l, .function = 1);
  sctp_gap_of(l, 1, 0);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  l->lost[0] = true;
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_ssn_first_1(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_STRAY, .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_NO_SESSION,
            .verdict = IWARP_SCTP_STRAY);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_order_after_terminate(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEGMENT(l, 1, 2, .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_UNCLEAR(sctp_order_after_terminate)
SCTP_DAMAGED(sctp_order_after_terminate)

static void sctp_order_segment_first(struct rules_fixture *l) {
  SCTP_SEGMENT(l, 0, 0, .reason = IWARP_SCTP_REASON_NO_SESSION, .verdict = IWARP_SCTP_STRAY);
}

static void sctp_order_segment_later(struct rules_fixture *l) {
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_NO_SESSION, .verdict = IWARP_SCTP_STRAY);
}

/* A wrong DDP-SSN of a message that begins no session, and then one that is out of place. */
static void sctp_order_accept_misnumbered(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 3, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 1, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_order_accept_twice(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 1, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
}

/* Two Initiates; the answer acknowledges both, or the first alone, or more than what is seen. */
static void sctp_two_initiates(struct rules_fixture *l, bool acked) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .function = 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true, .crosses = !acked);
}

static void sctp_ssn_initiate_acked(struct rules_fixture *l) {
  sctp_two_initiates(l, true);
}

static void sctp_ssn_initiate_crosses(struct rules_fixture *l) {
  sctp_two_initiates(l, false);
}

static void sctp_ssn_initiate_lost(struct rules_fixture *l) {
  l->lost[1] = true;
  sctp_two_initiates(l, true);
}

/* After the answer of the right form another one, which the engine calls an unassigned code. */
static void sctp_order_accept_other_form(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 1, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
}

/* A code that nobody knows is none of them. */
static void sctp_order_unassigned(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 9, .ssn = 1, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_order_crossing(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 1, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_order_crossing_unseen(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 1, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL, .no_cause = true);
}

static void sctp_order_crossing_unbundled(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 1, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL, .unbundled = true);
}

static void sctp_order_crossing_unreceived(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 1, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL, .crosses = true);
}

/* It has no place in any session. */
static void sctp_order_initiate_inside(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 1, .ssn = 1, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL, .no_cause = true);
}

/* The end of the session may be what is missing. */
static void sctp_order_initiate_again(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 1, .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
}

static void sctp_order_initiate_again_seen(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 1, .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_order_accept_alone(struct rules_fixture *l) {
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_NO_SESSION,
            .verdict = IWARP_SCTP_STRAY);
}

static void sctp_order_peer_ended(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
}

static void sctp_early(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .verdict = IWARP_SCTP_NOTE);
}
SCTP_UNCLEAR(sctp_early)

static void sctp_early_unseen(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .no_cause = true, .verdict = IWARP_SCTP_NOTE);
}

static void sctp_early_second(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 1, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
}

static void sctp_overtake(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .same_packet = true, .no_cause = true, .verdict = IWARP_SCTP_NOTE);
}
SCTP_UNCLEAR(sctp_overtake)

static void sctp_overtake_terminate(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .same_packet = true);
}

static void sctp_overtake_unknown(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .no_cause = true, .verdict = IWARP_SCTP_NOTE);
}

static void sctp_overtake_acked(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .no_cause = true, .verdict = IWARP_SCTP_NOTE);
}

static void sctp_unterminated(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}
SCTP_UNCLEAR(sctp_unterminated)

static void sctp_unterminated_lost(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  l->lost[1] = true;
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_aborted(struct rules_fixture *l) {
  sctp_open(l);
  sctp_finish(l, IWARP_END_RST);
}

static void sctp_one_terminate(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_reuse_settled(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .again = true, .outstanding = IWARP_TRISTATE_OFF);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true);
}

static void sctp_reuse_settled_enhanced(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4, .again = true, .outstanding = IWARP_TRISTATE_OFF);
}

static void sctp_reuse_outstanding(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .again = true, .outstanding = IWARP_TRISTATE_ON);
}
SCTP_DAMAGED(sctp_reuse_outstanding)

static void sctp_reuse_unknown(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .again = true);
}

/* ---- what comes after a refusal, and what no session has a place for ---- */

static void sctp_refused(struct rules_fixture *l, uint16_t refusal) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = refusal, .acked = true);
}

static void sctp_refused_segment(struct rules_fixture *l) {
  sctp_refused(l, 3);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .reason = IWARP_SCTP_REASON_SEQUENCE,
               .verdict = IWARP_SCTP_NOTE);
}

static void sctp_refused_terminate(struct rules_fixture *l) {
  sctp_refused(l, 3);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true, .verdict = IWARP_SCTP_NOTE);
}

static void sctp_refused_by_terminate(struct rules_fixture *l) {
  sctp_refused(l, 4);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .reason = IWARP_SCTP_REASON_SEQUENCE,
               .verdict = IWARP_SCTP_NOTE);
}

/* Two Terminates that may answer one another. */
static void sctp_refused_by_both(struct rules_fixture *l) {
  sctp_refused(l, 4);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true, .verdict = IWARP_SCTP_NOTE);
}

/* The Reject had not come yet. */
static void sctp_refused_crossing(struct rules_fixture *l) {
  sctp_refused(l, 3);
  SCTP_SEND(l, .function = 4, .ssn = 1, .crosses = true, .verdict = IWARP_SCTP_NOTE);
}

static void sctp_alone(struct rules_fixture *l, uint16_t function) {
  SCTP_SEND(l, .side = 1, .function = function, .reason = IWARP_SCTP_REASON_NO_SESSION,
            .verdict = IWARP_SCTP_STRAY);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_NO_SESSION, .verdict = IWARP_SCTP_STRAY);
}

static void sctp_alone_accept(struct rules_fixture *l) {
  l->unclear = true;
  sctp_alone(l, 2);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_alone_segment(struct rules_fixture *l) {
  l->unclear = true;
  SCTP_SEGMENT(l, 1, 1, .reason = IWARP_SCTP_REASON_NO_SESSION, .verdict = IWARP_SCTP_STRAY);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_alone_open(struct rules_fixture *l) {
  l->unclear = true;
  sctp_alone(l, 4);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void sctp_alone_peer_lost(struct rules_fixture *l) {
  l->unclear = true;
  sctp_alone(l, 2);
  l->lost[0] = true;
  sctp_finish(l, IWARP_END_FIN);
}

/* The Initiate is there, but another rule says that it is none. */
static void sctp_alone_malformed(struct rules_fixture *l) {
  sctp_private_513(l);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_NO_SESSION,
            .verdict = IWARP_SCTP_STRAY);
  sctp_finish(l, IWARP_END_FIN);
}

/* What follows an Initiate that has no place may be of the session that it was to begin. */
static void sctp_misnumbered(struct rules_fixture *l) {
  sctp_good(l);
  SCTP_SEND(l, .function = 1, .ssn = 3, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 2, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
}

/* ---- RFC 6581 9 ---- */

static void sctp_depths(struct rules_fixture *l, iwarp_mpa_enhanced asked,
                        iwarp_mpa_enhanced answered) {
  SCTP_SEND(l, .function = 5, .private_data = 4, .enh = asked);
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .enh = answered, .acked = true);
}

#define SCTP_ENH(...) ((iwarp_mpa_enhanced){__VA_ARGS__})
#define SCTP_DEPTHS_RIGHT(name, asked, answered)                                                   \
  static void sctp_##name(struct rules_fixture *l) {                                               \
    sctp_depths(l, asked, answered);                                                               \
  }
#define SCTP_DEPTHS(name, asked, answered)                                                         \
  SCTP_DEPTHS_RIGHT(name, asked, answered)                                                         \
  SCTP_UNCLEAR(sctp_##name)

SCTP_DEPTHS_RIGHT(depths_equal, SCTP_ENH(.ird = 4, .ord = 4), SCTP_ENH(.ird = 4, .ord = 4))
SCTP_DEPTHS(depths_above, SCTP_ENH(.ird = 4, .ord = 4), SCTP_ENH(.ird = 4, .ord = 5))
SCTP_DEPTHS_RIGHT(depths_unspecified, SCTP_ENH(.ird = 0x3fff, .ord = 0x3fff),
                  SCTP_ENH(.ird = 0x3fff, .ord = 0x3fff))
SCTP_DEPTHS(ird_specified, SCTP_ENH(.ird = 4, .ord = 0x3fff), SCTP_ENH(.ird = 0x3ffe, .ord = 4))
SCTP_DEPTHS(ord_specified, SCTP_ENH(.ird = 0x3fff, .ord = 4), SCTP_ENH(.ird = 4, .ord = 0x3ffe))
SCTP_DEPTHS_RIGHT(model_both, SCTP_ENH(.a = true, .c = true), SCTP_ENH(.a = true, .b = true))
SCTP_DEPTHS(model_one, SCTP_ENH(.a = true, .c = true), SCTP_ENH(.ird = 0))
SCTP_DEPTHS(model_silent, SCTP_ENH(.a = true, .c = true), SCTP_ENH(.a = true))

static void sctp_model_flags(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4, .enh = {.d = true});
}

/* A Reject may name the ORD that it needs, and need not have enhanced data at all. */
static void sctp_depths_reject(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4, .enh = {.ird = 4, .ord = 4});
  SCTP_SEND(l, .side = 1, .function = 7, .private_data = 4, .enh = {.ird = 4, .ord = 9});
}

static void sctp_depths_unseen(struct rules_fixture *l) {
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .enh = {.a = true, .b = true});
}

const struct rules_case rules_cases_sctp[] = {
    {"sctp.adaptation", FIXTURE_PASS, 0, "1", sctp_good, NULL},
    {"sctp.adaptation", FIXTURE_NEAR, 0, "cut after it", sctp_adaptation_cut_after, NULL},
    {"sctp.adaptation", FIXTURE_FAIL, 0, "2", sctp_adaptation_other, "sctp.stream-count"},
    {"sctp.adaptation", FIXTURE_FAIL, 0, "none", sctp_adaptation_none, NULL},
    {"sctp.adaptation", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "cut", sctp_adaptation_cut,
     NULL},
    {"sctp.stream-count", FIXTURE_PASS, 0, "8 and 8", sctp_good, NULL},
    {"sctp.stream-count", FIXTURE_NEAR, 0, "7 were granted", sctp_count_granted, NULL},
    {"sctp.stream-count", FIXTURE_FAIL, 0, "8 and 9", sctp_count_unequal, NULL},
    {"sctp.stream-count", FIXTURE_FAIL, 0, "7 and 8 in the INIT ACK", sctp_count_ack, NULL},
    {"sctp.stream-count", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no INIT",
     sctp_count_unknown, NULL},
    {"sctp.unordered", FIXTURE_PASS, 0, "U", sctp_good, NULL},
    {"sctp.unordered", FIXTURE_NEAR, 0, "U in two chunks", sctp_two, NULL},
    {"sctp.unordered", FIXTURE_FAIL, 0, "no U", sctp_ordered, NULL},
    {"sctp.unordered", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged", sctp_ordered_damaged,
     NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "16 and 17", sctp_good, NULL},
    {"sctp.ppid", FIXTURE_NEAR, 0, "17", sctp_open, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "18", sctp_foreign, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "octets turned round", sctp_swapped, NULL},
    {"sctp.ppid", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged", sctp_foreign_damaged, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Initiate, 16", sctp_initiate_as_segment, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Accept, 16", sctp_accept_as_segment, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Terminate, 16", sctp_terminate_as_segment, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Terminate and 15 octets, 16", sctp_terminate_as_segment_long,
     NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "a Send, 17", sctp_segment_as_control, NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "a segment of versions 0", sctp_segment_version_0,
     "ddp.empty-segment"},
    {"sctp.ppid", FIXTURE_FAIL, 0, "an empty Write, 17", sctp_tagged_as_control, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Terminate at once, 16", sctp_terminate_at_once_as_segment,
     NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "less than a Write, 17", sctp_tagged_as_control_short,
     "sctp.function-code"},
    {"sctp.ppid", FIXTURE_PASS, 0, "less than a segment, 16", sctp_short_segment,
     "ddp.header-length"},
    {"sctp.ppid", FIXTURE_PASS, 0, "no segments, 17", sctp_no_segment_as_control,
     "sctp.function-code"},
    {"ddp.header-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN,
     "cut before its control octets", sctp_terminate_as_segment_cut, NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "less than a segment, 17", sctp_segment_as_control_short,
     "sctp.function-code"},
    {"sctp.fragmentation", FIXTURE_PASS, 0, "would not fit", sctp_two, NULL},
    {"sctp.fragmentation", FIXTURE_SILENT, 0, "whole", sctp_good, NULL},
    {"sctp.fragmentation", FIXTURE_FAIL, 0, "would fit", sctp_two_fit, NULL},
    {"sctp.fragmentation", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged", sctp_two_fit_damaged,
     NULL},
    {"sctp.message-length", FIXTURE_PASS, 0, "whole", sctp_good, NULL},
    {"sctp.message-length", FIXTURE_NEAR, 0, "4", sctp_open, NULL},
    {"sctp.message-length", FIXTURE_FAIL, 0, "3", sctp_short_3, NULL},
    {"sctp.message-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged", sctp_short_3_damaged,
     NULL},
    {"sctp.function-code", FIXTURE_PASS, 0, "1, 2 and 4", sctp_good, NULL},
    {"sctp.function-code", FIXTURE_NEAR, 0, "7", sctp_enhanced_reject, NULL},
    {"sctp.function-code", FIXTURE_SILENT, 0, "0xffff", sctp_function_experiment, NULL},
    {"sctp.function-code", FIXTURE_FAIL, 0, "8", sctp_function_8, NULL},
    {"sctp.function-code", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged",
     sctp_function_8_damaged, NULL},
    {"sctp.private-data-length", FIXTURE_PASS, 0, "0", sctp_good, NULL},
    {"sctp.private-data-length", FIXTURE_NEAR, 0, "512", sctp_private_512, NULL},
    {"sctp.private-data-length", FIXTURE_FAIL, 0, "513", sctp_private_513, NULL},
    {"sctp.private-data-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged",
     sctp_private_513_damaged, NULL},
    {"sctp.terminate-private-data", FIXTURE_PASS, 0, "0", sctp_good, NULL},
    {"sctp.terminate-private-data", FIXTURE_NEAR, 0, "one Terminate", sctp_one_terminate, NULL},
    {"sctp.terminate-private-data", FIXTURE_SILENT, 0, "512 in an Initiate", sctp_private_512,
     NULL},
    {"sctp.terminate-private-data", FIXTURE_FAIL, 0, "1", sctp_terminate_1, NULL},
    {"sctp.terminate-private-data", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged",
     sctp_terminate_1_damaged, NULL},
    {"sctp.enhanced-length", FIXTURE_PASS, 0, "4", sctp_enhanced, NULL},
    {"sctp.enhanced-length", FIXTURE_NEAR, 0, "0 in a Reject", sctp_enhanced_reject, NULL},
    {"sctp.enhanced-length", FIXTURE_FAIL, 0, "3", sctp_enhanced_3, NULL},
    {"sctp.enhanced-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged",
     sctp_enhanced_3_damaged, NULL},
    {"sctp.enhanced-pairing", FIXTURE_PASS, 0, "both enhanced", sctp_enhanced, NULL},
    {"sctp.enhanced-pairing", FIXTURE_NEAR, 0, "both plain", sctp_good, NULL},
    {"sctp.enhanced-pairing", FIXTURE_FAIL, 0, "plain Accept", sctp_pairing_plain, NULL},
    {"sctp.enhanced-pairing", FIXTURE_FAIL, 0, "Enhanced Accept", sctp_pairing_enhanced, NULL},
    {"sctp.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Initiate",
     sctp_pairing_unseen, NULL},
    {"sctp.ddp-ssn", FIXTURE_PASS, 0, "0, 1, 2", sctp_good, NULL},
    {"sctp.ddp-ssn", FIXTURE_NEAR, 0, "1 from each side", sctp_early_second, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 twice", sctp_ssn_again, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "two Initiates, then the answer", sctp_ssn_initiate_acked,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "two Initiates, an answer to one", sctp_ssn_initiate_crosses, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "two Initiates, an answer may be lost",
     sctp_ssn_initiate_lost, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 never", sctp_ssn_gap, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a foreign message",
     sctp_ssn_gap_foreign, "sctp.ppid"},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged", sctp_ssn_again_damaged,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cause not seen",
     sctp_ssn_again_unseen, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "may still come", sctp_ssn_gap_open,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "lost", sctp_ssn_gap_lost, NULL},
    {"sctp.session-order", FIXTURE_PASS, 0, "legal", sctp_good, NULL},
    {"sctp.session-order", FIXTURE_NEAR, 0, "after the other's Terminate", sctp_order_peer_ended,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "after its own", sctp_order_after_terminate, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment first", sctp_order_segment_first, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Accept twice", sctp_order_accept_twice, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Accept twice more, one misnumbered",
     sctp_order_accept_misnumbered, "sctp.ddp-ssn"},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Accept of the other form later",
     sctp_order_accept_other_form, NULL},
    {"sctp.session-order", FIXTURE_NEAR, 0, "code unassigned", sctp_order_unassigned,
     "sctp.function-code"},
    {"sctp.session-order", FIXTURE_FAIL, 0, "two Initiates", sctp_order_crossing, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cause not seen",
     sctp_order_crossing_unseen, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged",
     sctp_order_after_terminate_damaged, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "segment 1 first",
     sctp_order_segment_later, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "Accept alone",
     sctp_order_accept_alone, NULL},
    {"sctp.segment-before-answer", FIXTURE_PASS, 0, "after Accept", sctp_good, NULL},
    {"sctp.segment-before-answer", FIXTURE_NEAR, 0, "passive first", sctp_early_second, NULL},
    {"sctp.segment-before-answer", FIXTURE_FAIL, 0, "acknowledged only", sctp_early, NULL},
    {"sctp.segment-before-answer", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "cause not seen", sctp_early_unseen, NULL},
    {"sctp.overtaking", FIXTURE_PASS, 0, "answered", sctp_good, NULL},
    {"sctp.overtaking", FIXTURE_NEAR, 0, "acknowledged", sctp_overtake_acked, NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "one packet", sctp_overtake, NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "Accept and Terminate", sctp_overtake_terminate, NULL},
    {"sctp.overtaking", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "two packets",
     sctp_overtake_unknown, NULL},
    {"sctp.terminate-missing", FIXTURE_PASS, 0, "two", sctp_good, NULL},
    {"sctp.terminate-missing", FIXTURE_NEAR, 0, "one", sctp_one_terminate, NULL},
    {"sctp.terminate-missing", FIXTURE_SILENT, 0, "aborted", sctp_aborted, NULL},
    {"sctp.terminate-missing", FIXTURE_SILENT, 0, "rejected", sctp_enhanced_reject, NULL},
    {"sctp.terminate-missing", FIXTURE_FAIL, 0, "none", sctp_unterminated, NULL},
    {"sctp.terminate-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "lost",
     sctp_unterminated_lost, NULL},
    {"sctp.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cause not seen",
     sctp_pairing_uncaused, NULL},
    {"sctp.enhanced-pairing", FIXTURE_FAIL, 0, "acknowledged before", sctp_pairing_unbundled, NULL},
    {"sctp.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "answers another one",
     sctp_pairing_unreceived, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "two Initiates, acknowledged before",
     sctp_order_crossing_unbundled, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "Initiates that cross",
     sctp_order_crossing_unreceived, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Initiate with DDP-SSN 1", sctp_order_initiate_inside,
     NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "Initiate with DDP-SSN 0 again",
     sctp_order_initiate_again, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Initiate with DDP-SSN 0 again, all seen",
     sctp_order_initiate_again_seen, NULL},
    {"sctp.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "which session",
     sctp_pairing_plain_unclear, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "which session",
     sctp_ssn_again_unclear, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "which session",
     sctp_ssn_gap_unclear, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "which session",
     sctp_order_after_terminate_unclear, NULL},
    {"sctp.segment-before-answer", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "which session", sctp_early_unclear, NULL},
    {"sctp.overtaking", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "which session",
     sctp_overtake_unclear, NULL},
    {"sctp.terminate-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "which session",
     sctp_unterminated_unclear, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "a segment with 3 after 0", sctp_ssn_gap_segment, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 never, the other side lossy", sctp_ssn_gap_peer_lost,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "0 is lost", sctp_ssn_accept_lost,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 first", sctp_ssn_first_1, NULL},
    {"sctp.stream-reuse", FIXTURE_PASS, 0, "all acknowledged", sctp_reuse_settled, NULL},
    {"sctp.stream-reuse", FIXTURE_NEAR, 0, "enhanced", sctp_reuse_settled_enhanced, NULL},
    {"sctp.stream-reuse", FIXTURE_PASS, 0, "the first session", sctp_open, NULL},
    {"sctp.stream-reuse", FIXTURE_SILENT, 0, "no Initiate", sctp_depths_unseen, NULL},
    {"sctp.stream-reuse", FIXTURE_FAIL, 0, "outstanding", sctp_reuse_outstanding, NULL},
    {"sctp.stream-reuse", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "not known",
     sctp_reuse_unknown, NULL},
    {"sctp.stream-reuse", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged",
     sctp_reuse_outstanding_damaged, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment after a Reject", sctp_refused_segment, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Terminate after a Reject", sctp_refused_terminate,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment after a refusal", sctp_refused_by_terminate,
     NULL},
    {"sctp.session-order", FIXTURE_NEAR, 0, "Terminate after a refusal", sctp_refused_by_both,
     NULL},
    {"sctp.session-order", FIXTURE_NEAR, 0, "Terminate crosses a Reject", sctp_refused_crossing,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Accept without Initiate", sctp_alone_accept, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment without Initiate", sctp_alone_segment, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "it may still come",
     sctp_alone_open, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "it may be lost",
     sctp_alone_peer_lost, NULL},
    {"sctp.private-data-length", FIXTURE_FAIL, 0, "513, then its Accept", sctp_alone_malformed,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "an Initiate with 3", sctp_misnumbered, NULL},
    {"mpa.ord-limit", FIXTURE_PASS, 0, "SCTP: less than unspecified", sctp_depths_equal, NULL},
    {"mpa.ord-limit", FIXTURE_FAIL, 0, "SCTP: 5 of 4", sctp_depths_above, NULL},
    {"mpa.ord-limit", FIXTURE_SILENT, 0, "SCTP: 9 of 4 in a Reject", sctp_depths_reject, NULL},
    {"mpa.ord-limit", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_depths_above_unclear, NULL},
    {"mpa.ord-limit", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "SCTP: no Initiate",
     sctp_depths_unseen, NULL},
    {"mpa.ird-unspecified", FIXTURE_PASS, 0, "SCTP", sctp_depths_unspecified, NULL},
    {"mpa.ird-unspecified", FIXTURE_FAIL, 0, "SCTP: 0x3ffe", sctp_ird_specified, NULL},
    {"mpa.ird-unspecified", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_ird_specified_unclear, NULL},
    {"mpa.ord-unspecified", FIXTURE_PASS, 0, "SCTP", sctp_depths_unspecified, NULL},
    {"mpa.ord-unspecified", FIXTURE_FAIL, 0, "SCTP: 0x3ffe", sctp_ord_specified, NULL},
    {"mpa.ord-unspecified", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_ord_specified_unclear, NULL},
    {"mpa.model-copied", FIXTURE_PASS, 0, "SCTP", sctp_model_both, NULL},
    {"mpa.model-copied", FIXTURE_FAIL, 0, "SCTP: clear", sctp_model_one, NULL},
    {"mpa.model-copied", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_model_one_unclear, NULL},
    {"mpa.model-flags", FIXTURE_PASS, 0, "SCTP", sctp_depths_equal, NULL},
    {"mpa.model-flags", FIXTURE_FAIL, 0, "SCTP: D", sctp_model_flags, NULL},
    {"mpa.rtr-supported", FIXTURE_PASS, 0, "SCTP", sctp_model_both, NULL},
    {"mpa.rtr-supported", FIXTURE_FAIL, 0, "SCTP: none", sctp_model_silent, NULL},
    {"mpa.rtr-supported", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_model_silent_unclear, NULL},
};

const size_t rules_cases_sctp_num = sizeof(rules_cases_sctp) / sizeof(rules_cases_sctp[0]);
