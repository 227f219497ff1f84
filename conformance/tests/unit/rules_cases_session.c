/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on the order of messages in a DDP Stream Session. */

#include "rules_cases.h"

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

/* The message of another code may have ended the session. */
static void sctp_ssn_again_refused(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 9, .ssn = 1, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_ssn_again_unseen(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
}

/* What the sender had received before is not known; nothing of the association is missing. */
static void sctp_ssn_again_ends(struct rules_fixture *l, iwarp_end how) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, how);
}

static void sctp_ssn_again_alone(struct rules_fixture *l) {
  sctp_ssn_again_ends(l, IWARP_END_FIN);
}

static void sctp_ssn_again_open(struct rules_fixture *l) {
  sctp_ssn_again_ends(l, IWARP_END_CAPTURE);
}

/* Its last message may be missing, one with 0. */
static void sctp_ssn_again_unsettled(struct rules_fixture *l) {
  l->unsettled[0] = true;
  sctp_ssn_again_alone(l);
}

/* What the other side sent last makes no difference without that. */
static void sctp_ssn_again_peer_unsettled(struct rules_fixture *l) {
  l->unsettled[1] = true;
  sctp_ssn_again_alone(l);
}

/* Its side goes on in the session with `num` messages, the last one a Terminate, all as `m`. */
static void sctp_ssn_on(struct rules_fixture *l, uint16_t ssn, uint16_t num, struct sctp_msg m) {
  for (uint16_t i = 0; i < num; i++) {
    m.segment = i + 1 < num;
    m.function = m.segment ? 0 : 4;
    m.ssn = (uint16_t)(ssn + i);
    m.session_unconfirmed = true;
    sctp_send(l, m);
  }
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* Its side goes on in the session after it was acknowledged. */
static void sctp_ssn_again_overdue(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
  sctp_ssn_on(l, 2, 4, (struct sctp_msg){.acked = true});
}

/* A Terminate with 0, which may refuse an Initiate of the other side. */
static void sctp_ssn_refusal(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* The last message of the other side may be missing, and be that. */
static void sctp_ssn_refusal_unsettled(struct rules_fixture *l) {
  l->unsettled[1] = true;
  sctp_ssn_refusal(l);
}

/* Its sender acknowledged all of the other side after it. */
static void sctp_ssn_refusal_heard(struct rules_fixture *l) {
  l->advanced = (iwarp_meta){.packet = UINT32_MAX, .time_ns = UINT64_MAX};
  sctp_ssn_refusal_unsettled(l);
}

/* After an Accept with 0, whose Initiate may be missing. */
static void sctp_ssn_again_accepted(struct rules_fixture *l) {
  l->unsettled[1] = true;
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .function = 2, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
  SCTP_SEND(l, .function = 4, .ssn = 1);
  SCTP_SEND(l, .function = 4, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL, .no_cause = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* The ends are not seen; a Send that another one interrupts waits for them, too. */
static void sctp_ssn_again_unended(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(fixture_send(2));
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
  SCTP_SEGMENT(l, 0, 2, .acked = true, .what = &s);
  s = fixture_send(3);
  SCTP_SEGMENT(l, 0, 3, .acked = true, .what = &s);
}

static void sctp_ssn_again_lost(struct rules_fixture *l) {
  l->lost[1] = true;
  sctp_ssn_again_alone(l);
}

/* It may be the Accept of a session that the other side began. */
static void sctp_ssn_again_accept(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 2, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* A Terminate with DDP-SSN 3, after 0. */
static void sctp_ssn_over(struct rules_fixture *l) {
  sctp_open(l);
  sctp_gap_of(l, 0, 1);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
}

static void sctp_ssn_gap(struct rules_fixture *l) {
  sctp_ssn_over(l);
  sctp_finish(l, IWARP_END_FIN);
}
SCTP_UNCLEAR(sctp_ssn_gap)
SCTP_DAMAGED(sctp_ssn_gap)

/* The message of another protocol may have had the number that lacks. */
static void sctp_ssn_gap_foreign(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 0, .reason = IWARP_SCTP_REASON_PPID, .ppid = 18);
  sctp_gap_of(l, 0, 1);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_ssn_gap_segment(struct rules_fixture *l) {
  sctp_open(l);
  sctp_gap_of(l, 0, 1);
  SCTP_SEGMENT(l, 0, 3, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_ssn_gap_unsettled(struct rules_fixture *l) {
  l->unsettled[0] = true;
  sctp_ssn_gap(l);
}

/* What the other side sent last makes no difference. */
static void sctp_ssn_gap_peer_unsettled(struct rules_fixture *l) {
  l->unsettled[1] = true;
  sctp_ssn_gap(l);
}

static void sctp_ssn_gap_open(struct rules_fixture *l) {
  sctp_ssn_over(l);
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* More after it: whether its sender knew that the first one had arrived when it sent the others,
 * and whether those stood after others in their packets. */
static void sctp_ssn_gap_then(struct rules_fixture *l, uint16_t num, struct sctp_msg m) {
  sctp_open(l);
  sctp_gap_of(l, 0, 1);
  SCTP_SEGMENT(l, 0, 3, .acked = true);
  sctp_ssn_on(l, 4, num, m);
}

static void sctp_ssn_gap_overdue(struct rules_fixture *l) {
  sctp_ssn_gap_then(l, 4, (struct sctp_msg){.acked = true});
}

static void sctp_ssn_gap_few(struct rules_fixture *l) {
  sctp_ssn_gap_then(l, 3, (struct sctp_msg){.acked = true});
}

static void sctp_ssn_gap_beside(struct rules_fixture *l) {
  sctp_ssn_gap_then(l, 4, (struct sctp_msg){.acked = true, .sent_again = true});
}

static void sctp_ssn_gap_unacked(struct rules_fixture *l) {
  sctp_ssn_gap_then(l, 4, (struct sctp_msg){.acked = false});
}

static void sctp_ssn_gap_lost(struct rules_fixture *l) {
  sctp_ssn_over(l);
  l->lost[0] = true;
  sctp_finish(l, IWARP_END_FIN);
}

/* The side without the gap has lost messages: what is certain of this side stays certain. */
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
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 0, .reason = IWARP_SCTP_REASON_SSN,
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

/* The second one is damaged. */
static void sctp_ssn_initiate_damaged(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  l->damaged = true;
  SCTP_SEND(l, .function = 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
  l->damaged = false;
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true);
}

static void sctp_ssn_initiate_acked(struct rules_fixture *l) {
  sctp_two_initiates(l, true);
}

static void sctp_ssn_initiate_crosses(struct rules_fixture *l) {
  sctp_two_initiates(l, false);
}

/* An earlier message may have answered the first one. */
static void sctp_ssn_initiate_unclear(struct rules_fixture *l) {
  l->unclear = true;
  sctp_two_initiates(l, true);
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

static void sctp_order_reject_other_form(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 7, .ssn = 1, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
}

/* An unknown code is not one of them. */
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

static void sctp_order_crossing_strayed(struct rules_fixture *l) {
  l->unplaced[0] = true;
  l->unplaced[1] = true;
  sctp_order_crossing_unreceived(l);
}

/* The other Initiate may begin the session after this one. */
static void sctp_order_crossing_later(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 1, .reason = IWARP_SCTP_REASON_SEQUENCE, .again = true,
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

/* Another session begins, and neither side has terminated this one. */
static void sctp_begins_early(struct rules_fixture *l, bool no_cause) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEND(l, .function = 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = no_cause);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_SSN, .acked = true,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_order_begins_early(struct rules_fixture *l) {
  sctp_begins_early(l, false);
  sctp_finish(l, IWARP_END_FIN);
}

/* The Terminate of the other side may be missing. */
static void sctp_order_begins_early_unseen(struct rules_fixture *l) {
  sctp_begins_early(l, true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* All of the association is known: a Terminate would have come before, or have another DDP-SSN. */
static void sctp_order_begins_early_known(struct rules_fixture *l) {
  sctp_begins_early(l, true);
  SCTP_SEND(l, .function = 4, .ssn = 2, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  sctp_finish(l, IWARP_END_FIN);
}

/* The Terminate of a side was captured later. */
static void sctp_order_begins_early_ended(struct rules_fixture *l, unsigned side) {
  sctp_begins_early(l, true);
  SCTP_SEND(l, .side = side, .function = 4, .ssn = side == 0 ? 2 : 1);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_order_begins_early_terminated(struct rules_fixture *l) {
  sctp_order_begins_early_ended(l, 0);
}

static void sctp_order_begins_early_answered(struct rules_fixture *l) {
  sctp_order_begins_early_ended(l, 1);
}

/* A message of a side with a DDP-SSN of this session that the next one does not expect. */
static void sctp_order_begins_early_stray(struct rules_fixture *l, unsigned side, uint16_t ssn) {
  sctp_begins_early(l, true);
  SCTP_SEND(l, .side = side, .function = 4, .ssn = ssn, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_order_begins_early_again(struct rules_fixture *l) {
  sctp_order_begins_early_stray(l, 0, 1);
}

static void sctp_order_begins_early_answer_again(struct rules_fixture *l) {
  sctp_order_begins_early_stray(l, 1, 0);
}

/* The other side's Terminate has the number that its Accept has: it may have been meant for this
 * session; or it may be missing, the last one of its side. */
static void sctp_order_begins_early_number(struct rules_fixture *l, bool terminates) {
  sctp_open(l);
  SCTP_SEND(l, .function = 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
  if (terminates) {
    SCTP_SEND(l, .side = 1, .function = 4, .reason = IWARP_SCTP_REASON_SSN,
              .verdict = IWARP_SCTP_ILLEGAL);
  }
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_order_begins_early_refused(struct rules_fixture *l) {
  sctp_order_begins_early_number(l, true);
}

static void sctp_order_begins_early_unanswered(struct rules_fixture *l) {
  sctp_order_begins_early_number(l, false);
}

/* A message of the other side is missing, which may be its Terminate. */
static void sctp_order_begins_early_lost(struct rules_fixture *l) {
  sctp_begins_early(l, true);
  l->lost[1] = true;
  sctp_finish(l, IWARP_END_FIN);
}

/* Messages of both sides follow: each would have sent its Terminate before. */
static void sctp_order_begins_early_unsettled(struct rules_fixture *l) {
  l->unsettled[0] = l->unsettled[1] = true;
  sctp_order_begins_early_known(l);
}

/* The answer is the last message of its side, whose Terminate may be missing. */
static void sctp_order_begins_early_peer_unsettled(struct rules_fixture *l) {
  l->unsettled[1] = true;
  sctp_begins_early(l, true);
  sctp_finish(l, IWARP_END_FIN);
}

/* The Initiate itself is the last message of its side. */
static void sctp_order_begins_early_last(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_SSN, .acked = true,
            .verdict = IWARP_SCTP_ILLEGAL);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_order_begins_early_last_unsettled(struct rules_fixture *l) {
  l->unsettled[0] = true;
  sctp_order_begins_early_last(l);
}

SCTP_UNCLEAR(sctp_order_begins_early_known)
SCTP_DAMAGED(sctp_order_begins_early_known)

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

/* The Initiate may have stood in a packet before that, and its answer have come. */
static void sctp_overtake_patchy(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .same_packet = true, .maybe_retransmitted = true, .no_cause = true,
               .verdict = IWARP_SCTP_NOTE);
}

static void sctp_overtake_terminate(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .same_packet = true);
}

static void sctp_overtake_seen(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .no_cause = true, .overtakes = true, .verdict = IWARP_SCTP_NOTE);
}

/* Both are too early for one reason. */
static void sctp_overtake_twice(struct rules_fixture *l) {
  const struct fixture_seg second = fixture_send(2);
  sctp_overtake_seen(l);
  SCTP_SEGMENT(l, 0, 2, .no_cause = true, .same_packet = true, .overtakes = true, .what = &second,
               .verdict = IWARP_SCTP_NOTE);
}

/* The Initiate comes again, since it was not acknowledged. */
static void sctp_overtake_again(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .sent_again = true, .verdict = IWARP_SCTP_NOTE);
}

/* Its answer may have come in the meantime. */
static void sctp_overtake_again_uncaused(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .sent_again = true, .no_cause = true, .verdict = IWARP_SCTP_NOTE);
}

/* A Terminate shows that the Accept has come. */
static void sctp_overtake_again_ended(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .sent_again = true);
}

/* What is overtaken is no message of the session. */
static void sctp_overtake_other(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true, .overtakes = true);
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

static void sctp_unterminated_by_first(struct rules_fixture *l) {
  l->shut_by_first = true;
  sctp_unterminated(l);
}

static void sctp_unterminated_unsettled(struct rules_fixture *l) {
  l->unsettled[0] = true;
  sctp_unterminated(l);
}

static void sctp_unterminated_peer_unsettled(struct rules_fixture *l) {
  l->unsettled[1] = true;
  sctp_unterminated(l);
}

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

/* ---- messages after a refusal, and messages that fit in no session ---- */

static void sctp_refused(struct rules_fixture *l, uint16_t refusal) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = refusal, .acked = true);
}

static void sctp_refused_segment(struct rules_fixture *l) {
  sctp_refused(l, 3);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .reason = IWARP_SCTP_REASON_SEQUENCE,
               .verdict = IWARP_SCTP_NOTE);
}

/* It may be of a session whose Initiate comes later in the capture. */
static void sctp_after_end_unheard(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 3, .acked = true);
  SCTP_SEGMENT(l, 1, 1, .acked = true, .peer_data_reordered = true,
               .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_after_end(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 3, .acked = true);
  SCTP_SEGMENT(l, 1, 1, .acked = true, .reason = IWARP_SCTP_REASON_SEQUENCE,
               .verdict = IWARP_SCTP_ILLEGAL);
}

/* It is not known whether it knew of that. */
static void sctp_refused_patchy(struct rules_fixture *l) {
  sctp_refused(l, 3);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .maybe_retransmitted = true);
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

/* An Initiate comes then, of which this may be another copy than the first one. */
static void sctp_alone_accept_replaced(struct rules_fixture *l) {
  l->replaced = true;
  sctp_alone_accept(l);
}

static void sctp_alone_segment(struct rules_fixture *l) {
  l->unclear = true;
  SCTP_SEGMENT(l, 1, 1, .reason = IWARP_SCTP_REASON_NO_SESSION, .verdict = IWARP_SCTP_STRAY);
  sctp_finish(l, IWARP_END_FIN);
}

SCTP_DAMAGED(sctp_alone_segment)

/* Its sender had received all that is there, and no Initiate. */
static void sctp_alone_caused(struct rules_fixture *l) {
  l->unclear = true;
  sctp_alone(l, 4);
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* An answer, and what its sender had received is not known. */
static void sctp_alone_uncaused_ends(struct rules_fixture *l, uint16_t ssn, iwarp_end how) {
  l->unclear = true;
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = ssn, .reason = IWARP_SCTP_REASON_NO_SESSION,
            .no_cause = true, .verdict = IWARP_SCTP_STRAY);
  sctp_finish(l, how);
}

static void sctp_alone_uncaused(struct rules_fixture *l) {
  sctp_alone_uncaused_ends(l, 0, IWARP_END_CAPTURE);
}

/* A packet so much later acknowledges more. */
static void sctp_alone_advanced_by(struct rules_fixture *l, uint64_t packets, uint64_t time_ns) {
  l->unclear = true;
  SCTP_SEND(l, .side = 1, .function = 4, .reason = IWARP_SCTP_REASON_NO_SESSION, .no_cause = true,
            .verdict = IWARP_SCTP_STRAY);
  l->advanced.packet = l->packet + packets;
  l->advanced.time_ns = l->packet * 1000 - 1 + time_ns;
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void sctp_alone_advanced(struct rules_fixture *l) {
  sctp_alone_advanced_by(l, 1, 1);
}

static void sctp_alone_advanced_before(struct rules_fixture *l) {
  sctp_alone_advanced_by(l, 1, 0);
}

static void sctp_alone_advanced_by_itself(struct rules_fixture *l) {
  sctp_alone_advanced_by(l, 0, 1);
}

/* The Initiate and all that acknowledges it may be missing. */
static void sctp_alone_uncaused_closed(struct rules_fixture *l) {
  sctp_alone_uncaused_ends(l, 0, IWARP_END_FIN);
}

/* The same of an answer whose number is wrong. */
static void sctp_alone_uncaused_misnumbered(struct rules_fixture *l) {
  sctp_alone_uncaused_ends(l, 1, IWARP_END_FIN);
}

static void sctp_alone_segment_open(struct rules_fixture *l) {
  l->unclear = true;
  SCTP_SEGMENT(l, 1, 1, .reason = IWARP_SCTP_REASON_NO_SESSION, .verdict = IWARP_SCTP_STRAY);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void sctp_alone_segment_unsettled(struct rules_fixture *l) {
  l->unsettled[1] = true;
  sctp_alone_segment(l);
}

static void sctp_alone_peer_lost(struct rules_fixture *l) {
  l->unclear = true;
  sctp_alone(l, 2);
  l->lost[0] = true;
  sctp_finish(l, IWARP_END_FIN);
}

/* The Initiate is there, but another rule reports it as wrong. */
static void sctp_alone_malformed(struct rules_fixture *l) {
  sctp_private_513(l);
  SCTP_SEND(l, .side = 1, .function = 2, .reason = IWARP_SCTP_REASON_NO_SESSION,
            .verdict = IWARP_SCTP_STRAY);
  sctp_finish(l, IWARP_END_FIN);
}

/* What follows an Initiate that has no place may be of the session that it was to begin. */
/* An Initiate with a wrong DDP-SSN after both Terminates; the answer belongs to another session. */
static void sctp_ssn_answers_misnumbered(struct rules_fixture *l) {
  sctp_good(l);
  SCTP_SEND(l, .function = 1, .ssn = 3, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 0, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEGMENT(l, 1, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_misnumbered(struct rules_fixture *l) {
  sctp_good(l);
  SCTP_SEND(l, .function = 1, .ssn = 3, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 2, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
}

/* The third message of a session that an Accept with 0 may belong to, whose Initiate may be
 * missing. */
static void sctp_ssn_again_accepted_later(struct rules_fixture *l) {
  const struct fixture_seg second = fixture_send(2);
  l->unsettled[1] = true;
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 2, .acked = true, .what = &second);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .function = 2, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
            .no_cause = true);
  SCTP_SEGMENT(l, 0, 2, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* All that its sender had received is there: it is reported at once, and not again at the end. */
static void sctp_ssn_first_1_known(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_STRAY);
  sctp_finish(l, IWARP_END_FIN);
}

/* It is reported at once, and not again at the end. */
static void sctp_order_segment_first_ends(struct rules_fixture *l) {
  sctp_order_segment_first(l);
  sctp_finish(l, IWARP_END_FIN);
}

/* A gap block shows that a message before the Initiate had not come, and says nothing of that. */
static void sctp_overtake_earlier(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .no_cause = true, .overtakes_earlier = true,
               .verdict = IWARP_SCTP_NOTE);
}

/* The acknowledgment is of what was before the Initiate. */
static void sctp_overtake_acked_earlier(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .same_packet = true, .no_cause = true, .acked_but_last = true,
               .verdict = IWARP_SCTP_NOTE);
}

/* Both stand in the packet of the Initiate. */
static void sctp_overtake_twice_together(struct rules_fixture *l) {
  const struct fixture_seg second = fixture_send(2);
  sctp_overtake(l);
  SCTP_SEGMENT(l, 0, 2, .no_cause = true, .same_packet = true, .what = &second,
               .verdict = IWARP_SCTP_NOTE);
}

/* Of the first one nothing is known, and the second one came when the Initiate had not. */
static void sctp_overtake_second(struct rules_fixture *l) {
  const struct fixture_seg second = fixture_send(2);
  SCTP_SEND(l, .function = 1);
  SCTP_SEGMENT(l, 0, 1, .no_cause = true, .verdict = IWARP_SCTP_NOTE);
  SCTP_SEGMENT(l, 0, 2, .no_cause = true, .overtakes_earlier = true, .what = &second,
               .verdict = IWARP_SCTP_NOTE);
}

/* So does the Terminate of the other side, which came when its Accept had not: it is reported for
 * each side. */
static void sctp_overtake_both(struct rules_fixture *l) {
  sctp_overtake(l);
  SCTP_SEND(l, .side = 1, .function = 2);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .overtakes = true);
}

/* What was before the one that waits was acknowledged, not that one. */
static void sctp_ssn_gap_acked_earlier(struct rules_fixture *l) {
  sctp_open(l);
  sctp_gap_of(l, 0, 1);
  SCTP_SEGMENT(l, 0, 3, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 4, .acked_but_last = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

const struct rules_case rules_cases_session[] = {
    {"sctp.terminate-private-data", FIXTURE_NEAR, 0, "one Terminate", sctp_one_terminate, NULL},
    {"sctp.enhanced-pairing", FIXTURE_NEAR, 0, "both plain", sctp_good, NULL},
    {"sctp.enhanced-pairing", FIXTURE_FAIL, 0, "plain Accept", sctp_pairing_plain, NULL},
    {"sctp.enhanced-pairing", FIXTURE_FAIL, 0, "Enhanced Accept", sctp_pairing_enhanced, NULL},
    {"sctp.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Initiate",
     sctp_pairing_unseen, NULL},
    {"sctp.ddp-ssn", FIXTURE_PASS, 0, "0, 1, 2", sctp_good, NULL},
    {"sctp.ddp-ssn", FIXTURE_NEAR, 0, "1 from each side", sctp_early_second, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 twice", sctp_ssn_again, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "1 twice, another code between", sctp_ssn_again_refused, "sctp.function-code"},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "two Initiates, then the answer", sctp_ssn_initiate_acked,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "two Initiates, an answer to one", sctp_ssn_initiate_crosses, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "two Initiates, an answer may have come out before them", sctp_ssn_initiate_unclear, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "two Initiates, an answer may be lost",
     sctp_ssn_initiate_lost, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 never", sctp_ssn_gap, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT, "after a foreign message",
     sctp_ssn_gap_foreign, "sctp.ppid"},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_ssn_again_damaged, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cause not seen",
     sctp_ssn_again_unseen, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "cause not seen, nothing missing", sctp_ssn_again_alone,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cause not seen, no end",
     sctp_ssn_again_open, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "again, no end",
     sctp_ssn_again_unended, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cause not seen, the other side lossy",
     sctp_ssn_again_lost, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "an Accept again, cause not seen", sctp_ssn_again_accept,
     NULL},
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
    {"sctp.session-order", FIXTURE_FAIL, 0, "Reject of the other form later",
     sctp_order_reject_other_form, NULL},
    {"sctp.session-order", FIXTURE_NEAR, 0, "code unassigned", sctp_order_unassigned,
     "sctp.function-code"},
    {"sctp.session-order", FIXTURE_FAIL, 0, "two Initiates", sctp_order_crossing, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "two Initiates, cause not seen",
     sctp_order_crossing_unseen, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "two Initiates, not the first of the stream", sctp_order_crossing_later, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
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
    {"sctp.overtaking", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "one packet, others missing",
     sctp_overtake_patchy, NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "Accept and Terminate", sctp_overtake_terminate, NULL},
    {"sctp.overtaking", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "two packets",
     sctp_overtake_unknown, NULL},
    {"sctp.terminate-missing", FIXTURE_PASS, 0, "two", sctp_good, NULL},
    {"sctp.terminate-missing", FIXTURE_NEAR, 0, "one", sctp_one_terminate, NULL},
    {"sctp.terminate-missing", FIXTURE_SILENT, 0, "aborted", sctp_aborted, NULL},
    {"sctp.terminate-missing", FIXTURE_FAIL, 0, "none", sctp_unterminated, NULL},
    {"sctp.terminate-missing", FIXTURE_FAIL, 0, "none, the first side shuts down",
     sctp_unterminated_by_first, NULL},
    {"sctp.terminate-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "lost",
     sctp_unterminated_lost, NULL},
    {"sctp.terminate-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the last one may be missing", sctp_unterminated_unsettled, NULL},
    {"sctp.terminate-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the last one of the other side may be missing", sctp_unterminated_peer_unsettled, NULL},
    {"sctp.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cause not seen",
     sctp_pairing_uncaused, NULL},
    {"sctp.enhanced-pairing", FIXTURE_FAIL, 0, "acknowledged before", sctp_pairing_unbundled, NULL},
    {"sctp.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "answers another one",
     sctp_pairing_unreceived, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "two Initiates, acknowledged before",
     sctp_order_crossing_unbundled, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "Initiates that cross, an answer may have come before them", sctp_order_crossing_strayed,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Initiates that cross", sctp_order_crossing_unreceived,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Initiate with DDP-SSN 1", sctp_order_initiate_inside,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "the Initiate of another session, nobody terminated it",
     sctp_order_begins_early, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, a Terminate may be missing", sctp_order_begins_early_unseen,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "the Initiate of another session, no Terminate came",
     sctp_order_begins_early_known, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "the Initiate of another session, which one is not certain",
     sctp_order_begins_early_known_unclear, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "the Initiate of another session, damaged", sctp_order_begins_early_known_damaged, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, one is lost", sctp_order_begins_early_lost, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "the Initiate of another session, more follows",
     sctp_order_begins_early_unsettled, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "the Initiate of another session, sent last",
     sctp_order_begins_early_last, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, the last one may be missing",
     sctp_order_begins_early_last_unsettled, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, the last one of the other side may be missing",
     sctp_order_begins_early_peer_unsettled, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, a Terminate came", sctp_order_begins_early_terminated, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, its answer came", sctp_order_begins_early_answered, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, a number again", sctp_order_begins_early_again, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, 0 again", sctp_order_begins_early_answer_again, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, Terminate 0", sctp_order_begins_early_refused, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the Initiate of another session, no answer", sctp_order_begins_early_unanswered, NULL},
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
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "an Initiate with 3, answered with 0",
     sctp_ssn_answers_misnumbered, NULL},
    {"sctp.stream-reuse", FIXTURE_PASS, 0, "all acknowledged", sctp_reuse_settled, NULL},
    {"sctp.stream-reuse", FIXTURE_NEAR, 0, "enhanced", sctp_reuse_settled_enhanced, NULL},
    {"sctp.stream-reuse", FIXTURE_PASS, 0, "the first session", sctp_open, NULL},
    {"sctp.stream-reuse", FIXTURE_FAIL, 0, "outstanding", sctp_reuse_outstanding, NULL},
    {"sctp.stream-reuse", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "not known",
     sctp_reuse_unknown, NULL},
    {"sctp.stream-reuse", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_reuse_outstanding_damaged, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment after a Reject", sctp_refused_segment, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment after its own Reject", sctp_after_end, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "segment after its own Reject, something waits", sctp_after_end_unheard, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "segment after a Reject, packets missing", sctp_refused_patchy, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Terminate after a Reject", sctp_refused_terminate,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment after a refusal", sctp_refused_by_terminate,
     NULL},
    {"sctp.session-order", FIXTURE_NEAR, 0, "Terminate after a refusal", sctp_refused_by_both,
     NULL},
    {"sctp.session-order", FIXTURE_NEAR, 0, "Terminate crosses a Reject", sctp_refused_crossing,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Accept without Initiate", sctp_alone_accept, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "Accept without Initiate, one follows", sctp_alone_accept_replaced, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment without Initiate", sctp_alone_segment, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "segment without Initiate, damaged", sctp_alone_segment_damaged, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "1 never, damaged",
     sctp_ssn_gap_damaged, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "two Initiates, the second damaged", sctp_ssn_initiate_damaged, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Terminate without Initiate, all received is seen",
     sctp_alone_caused, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "it may still come",
     sctp_alone_uncaused, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "no Initiate, acknowledged at the same time",
     sctp_alone_advanced, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "no Initiate, acknowledged later by an earlier time", sctp_alone_advanced_before, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "no Initiate, acknowledged by the answer", sctp_alone_advanced_by_itself, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "it may have come, and nothing that its side sent was captured", sctp_alone_uncaused_closed,
     NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "it may have come, and the answer has a wrong number", sctp_alone_uncaused_misnumbered, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "the first message may still come", sctp_alone_segment_open, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the first message may be missing, sent last", sctp_alone_segment_unsettled, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "4 after 3 was acknowledged, and 1 not", sctp_ssn_gap_overdue,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "4 after 3 was acknowledged, and 1 not, too few", sctp_ssn_gap_few, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "4 fills a packet up, 1 may still come", sctp_ssn_gap_beside, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "4 before 3 was acknowledged",
     sctp_ssn_gap_unacked, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "1 may be missing, sent last",
     sctp_ssn_gap_unsettled, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 never, the last one of the other side may be missing",
     sctp_ssn_gap_peer_unsettled, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "1 twice, the last one may be missing",
     sctp_ssn_again_unsettled, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 twice, the last one of the other side may be missing",
     sctp_ssn_again_peer_unsettled, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 twice, 2 after it was acknowledged",
     sctp_ssn_again_overdue, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "Terminate 0 again", sctp_ssn_refusal, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "Terminate 0 again, an Initiate may be missing", sctp_ssn_refusal_unsettled, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "Terminate 0 again, no Initiate had come",
     sctp_ssn_refusal_heard, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "1 twice, after an Accept, an Initiate may be missing", sctp_ssn_again_accepted, NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "a gap block", sctp_overtake_seen, NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "two segments", sctp_overtake_twice, NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "beside the Initiate again", sctp_overtake_again, NULL},
    {"sctp.overtaking", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "beside the Initiate again, cause not seen", sctp_overtake_again_uncaused, NULL},
    {"sctp.overtaking", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "beside the Accept again, after a Terminate", sctp_overtake_again_ended, NULL},
    {"sctp.overtaking", FIXTURE_PASS, 0, "a gap block of another message", sctp_overtake_other,
     NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "it may be lost",
     sctp_alone_peer_lost, NULL},
    {"sctp.private-data-length", FIXTURE_FAIL, 0, "513, then its Accept", sctp_alone_malformed,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "an Initiate with 3", sctp_misnumbered, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "2 twice, after an Accept, an Initiate may be missing", sctp_ssn_again_accepted_later, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 first, all received is seen", sctp_ssn_first_1_known,
     NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "segment first, then the end",
     sctp_order_segment_first_ends, NULL},
    {"sctp.overtaking", FIXTURE_PASS, 0, "a gap block of what is before the Initiate",
     sctp_overtake_earlier, NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "one packet, what is before it is acknowledged",
     sctp_overtake_acked_earlier, NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "two segments in its packet", sctp_overtake_twice_together,
     NULL},
    {"sctp.overtaking", FIXTURE_FAIL, 0, "a gap block at the second segment", sctp_overtake_second,
     NULL},
    {"sctp.session-order", FIXTURE_PASS, 0, "each side overtakes its first message",
     sctp_overtake_both, "sctp.overtaking"},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "4 before 3 was acknowledged, 0 was",
     sctp_ssn_gap_acked_earlier, NULL},
};

const size_t rules_cases_session_num = sizeof(rules_cases_session) / sizeof(rules_cases_session[0]);
