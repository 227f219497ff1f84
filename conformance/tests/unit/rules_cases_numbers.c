/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rule on the DDP-SSNs of a session: those that are missing though nothing was lost,
 * and those that two messages have. */

#include "rules_cases.h"

#define REUSED .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL
#define MISPLACED .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL

/* ---- another session begins ---- */

static void number_followed(struct rules_fixture *l, bool own, bool other) {
  l->another = true;
  l->went_on[0] = own;
  l->went_on[1] = other;
}

/* DDP-SSN 1 of the Initiator is missing. */
static void number_missing(struct rules_fixture *l) {
  sctp_open(l);
  sctp_gap(l, 0, 1, 1);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void number_missing_followed(struct rules_fixture *l) {
  number_followed(l, true, false);
  number_missing(l);
}
SCTP_UNCLEAR(number_missing_followed)

static void number_missing_begun_by_other(struct rules_fixture *l) {
  number_followed(l, false, true);
  number_missing(l);
}

static void number_missing_strayed(struct rules_fixture *l) {
  l->unplaced[0] = true;
  number_missing_followed(l);
}

static void number_missing_elsewhere(struct rules_fixture *l) {
  l->elsewhere[0] = true;
  number_missing_followed(l);
}

/* The answer is missing, and what its side sends after it comes. */
static void number_answer_missing(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  sctp_gap(l, 1, 0, 1);
  SCTP_SEGMENT(l, 1, 1, MISPLACED);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void number_answer_elsewhere(struct rules_fixture *l) {
  l->elsewhere[1] = true;
  number_answer_missing(l);
}

static void number_missing_lost(struct rules_fixture *l) {
  l->lost[0] = true;
  number_missing_followed(l);
}

/* A message before it may have another DDP-SSN than the one that was captured. */
static void number_missing_after_damaged(struct rules_fixture *l) {
  number_followed(l, true, false);
  sctp_open(l);
  l->damaged = true;
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  l->damaged = false;
  sctp_gap(l, 0, 2, 1);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* A segment with a DDP-SSN that its side has used; it is ended by a Terminate or not. */
static void number_again(struct rules_fixture *l, bool ends) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, REUSED, .no_cause = true);
  if (ends) {
    SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true);
  }
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void number_again_followed(struct rules_fixture *l) {
  number_followed(l, true, true);
  number_again(l, false);
}

static void number_again_apart(struct rules_fixture *l) {
  l->apart[0] = true;
  number_again_followed(l);
}

static void number_again_ended(struct rules_fixture *l) {
  number_followed(l, true, false);
  number_again(l, true);
}

/* It comes after the Terminate of its side: it may be of the session that begins. */
static void number_again_after_end(struct rules_fixture *l) {
  number_followed(l, true, false);
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, REUSED, .no_cause = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* A Terminate with 0 may refuse that session, or is the last message of this one. */
static void number_refuses(struct rules_fixture *l) {
  number_followed(l, true, true);
  sctp_open(l);
  SCTP_SEND(l, .function = 4, REUSED, .no_cause = true);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void number_refuses_apart(struct rules_fixture *l) {
  l->apart[0] = true;
  number_refuses(l);
}

/* ---- which message it is ---- */

/* After a gap, of two messages the one that was sent first has the wrong DDP-SSN. */
static void number_too_high(struct rules_fixture *l) {
  sctp_open(l);
  sctp_gap(l, 0, 1, 1);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true);
  sctp_gap(l, 0, 3, 4);
  SCTP_SEGMENT(l, 0, 7, MISPLACED, .skipped = true, .back = 6);
  sctp_finish(l, IWARP_END_FIN);
}

/* Messages after a Terminate of their side may belong to another session. */
static void number_after_end(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  sctp_gap(l, 0, 2, 1);
  SCTP_SEGMENT(l, 0, 3, MISPLACED);
  sctp_finish(l, IWARP_END_FIN);
}

/* An Accept inside a session, with the DDP-SSN of the one before. */
static void number_accept_again(struct rules_fixture *l, iwarp_end how) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 2, REUSED, .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, how);
}

static void number_accept_again_unsettled(struct rules_fixture *l) {
  l->unsettled[0] = true;
  number_accept_again(l, IWARP_END_FIN);
}

static void number_accept_again_cut(struct rules_fixture *l) {
  number_accept_again(l, IWARP_END_CAPTURE);
}

/* After a session an answer, and what follows it, though no Initiate came before. */
static void number_reopened(struct rules_fixture *l, iwarp_end how) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 2, REUSED);
  SCTP_SEGMENT(l, 1, 1, REUSED);
  SCTP_SEGMENT(l, 1, 2, MISPLACED);
  sctp_finish(l, how);
}

static void number_reopened_final(struct rules_fixture *l) {
  number_reopened(l, IWARP_END_FIN);
}

static void number_reopened_aborted(struct rules_fixture *l) {
  number_reopened(l, IWARP_END_RST);
}

/* The Initiate came, but has too much Private Data. */
static void number_reopened_refused(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .function = 1, .private_data = 513, .reason = IWARP_SCTP_REASON_LENGTH,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEND(l, .side = 1, .function = 2, REUSED);
  sctp_finish(l, IWARP_END_FIN);
}

/* The Initiate comes after it, of which the first copy may be missing. */
static void number_reopened_replaced(struct rules_fixture *l) {
  l->replaced = true;
  number_reopened(l, IWARP_END_FIN);
}

/* Two messages have 2, and 1 is missing or comes late; the first one to come out was sent last. */
static void number_twice(struct rules_fixture *l, bool no_cause, iwarp_end how) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 2, REUSED, .no_cause = no_cause);
  sctp_gap(l, 0, 1, 1);
  SCTP_SEGMENT(l, 0, 2, .session_unconfirmed = true, .back = 2);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, how);
}

static void number_twice_known(struct rules_fixture *l) {
  number_twice(l, false, IWARP_END_CAPTURE);
}
SCTP_UNCLEAR(number_twice_known)
SCTP_DAMAGED(number_twice_known)

static void number_twice_strayed(struct rules_fixture *l) {
  l->unplaced[0] = true;
  number_twice_known(l);
}

static void number_twice_lost(struct rules_fixture *l) {
  l->lost[0] = true;
  number_twice_known(l);
}

static void number_twice_unknown(struct rules_fixture *l) {
  number_twice(l, true, IWARP_END_CAPTURE);
}

static void number_twice_final(struct rules_fixture *l) {
  number_twice(l, true, IWARP_END_FIN);
}

static void number_twice_late(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 2, REUSED);
  SCTP_SEGMENT(l, 0, 1, .back = 2);
  SCTP_SEGMENT(l, 0, 2, .session_unconfirmed = true, .back = 2);
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* Another one was sent before both. */
static void number_twice_another(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 2, REUSED);
  sctp_gap(l, 0, 1, 1);
  SCTP_SEGMENT(l, 0, 2, .session_unconfirmed = true, .back = 1);
  SCTP_SEGMENT(l, 0, 3, .session_unconfirmed = true, .back = 3);
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* Another gap than that before it. */
static void number_twice_other_gap(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 2, REUSED);
  SCTP_SEGMENT(l, 0, 1, .back = 2);
  SCTP_SEGMENT(l, 0, 2, .session_unconfirmed = true, .back = 2);
  sctp_gap(l, 0, 3, 1);
  SCTP_SEGMENT(l, 0, 4, .session_unconfirmed = true, .back = 5);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void number_twice_refused(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 9, .ssn = 1, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEGMENT(l, 0, 3, REUSED);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void number_twice_after_end(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEGMENT(l, 0, 3, REUSED);
}

/* Two pairs: the second one is judged by what is known of it. */
static void number_twice_again(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 2, REUSED);
  SCTP_SEGMENT(l, 0, 3, REUSED);
  sctp_finish(l, IWARP_END_CAPTURE);
}

/* A DDP-SSN that came again stands where the next one should, which is missing so. */
static void number_instead(struct rules_fixture *l, uint16_t missing) {
  l->unproven = true;
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 1, REUSED);
  sctp_gap(l, 0, 2, missing);
  SCTP_SEND(l, .function = 4, .ssn = (uint16_t)(2 + missing), .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void number_instead_of_one(struct rules_fixture *l) {
  number_instead(l, 1);
}

static void number_instead_of_two(struct rules_fixture *l) {
  number_instead(l, 2);
}

/* An Initiate with 5 where both sides, or one of them, have ended the session. */
static void number_begins(struct rules_fixture *l, bool own, bool other) {
  sctp_open(l);
  if (own) {
    SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  }
  if (other) {
    SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  }
  SCTP_SEND(l, .function = 1, .ssn = 5, REUSED, .no_cause = true);
}

static void number_begins_both(struct rules_fixture *l) {
  number_begins(l, true, true);
}

static void number_begins_own(struct rules_fixture *l) {
  number_begins(l, true, false);
}

static void number_begins_other(struct rules_fixture *l) {
  number_begins(l, false, true);
}

/* After an Initiate with 3 its side sends on, once that was acknowledged. */
static void number_first_then(struct rules_fixture *l, iwarp_sctp_reason reason) {
  SCTP_SEND(l, .function = 1, .ssn = 3, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_STRAY, .no_cause = true);
  for (uint16_t ssn = 4; ssn < 8; ssn++) {
    SCTP_SEGMENT(l, 0, ssn, .reason = reason, .verdict = IWARP_SCTP_STRAY, .acked = true);
  }
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void number_first_overdue(struct rules_fixture *l) {
  number_first_then(l, IWARP_SCTP_REASON_NO_SESSION);
}

static void number_first_over(struct rules_fixture *l) {
  number_first_then(l, IWARP_SCTP_REASON_OVER);
}

const struct rules_case rules_cases_numbers[] = {
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 never, its side begins another session",
     number_missing_followed, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "1 never, no end", number_missing,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "1 never, another session begins, which session", number_missing_followed_unclear, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "1 never, the other side begins another session", number_missing_begun_by_other, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "1 never, a message may have come before the session", number_missing_strayed, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 never, an answer of its side is on another stream",
     number_missing_elsewhere, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "an answer never", number_answer_missing, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "an answer is on another stream",
     number_answer_elsewhere, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "1 never, another session begins, messages are lost", number_missing_lost, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "2 never, another session begins, 1 is damaged", number_missing_after_damaged, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "1 twice, another session begins",
     number_again_followed, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 twice, another session begins after both",
     number_again_apart, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 twice before a Terminate, another session begins",
     number_again_ended, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "1 twice after a Terminate, another session begins", number_again_after_end, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "Terminate 0 again, another session begins", number_refuses, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "Terminate 0 again, another session begins after it",
     number_refuses_apart, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "Accept after the session", number_reopened_final, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "Accept after the session, aborted", number_reopened_aborted,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "Accept after the session, of an Initiate that is wrong", number_reopened_refused,
     "sctp.private-data-length"},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "Accept after the session, an Initiate follows", number_reopened_replaced, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "after the session, an Initiate follows", number_reopened_replaced, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "Accept again, an Initiate may be missing", number_accept_again_unsettled, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "Accept again, no end",
     number_accept_again_cut, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "7 sent before 2, and 1 never", number_too_high, NULL},
    {"sctp.ddp-ssn", FIXTURE_PASS, 0, "2 never, after a Terminate", number_after_end,
     "sctp.session-order"},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "2 twice, and 1 never", number_twice_known, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "2 twice, and 1 never, which session", number_twice_known_unclear, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "2 twice, and 1 never, damaged", number_twice_known_damaged, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "2 twice, and 1 never, a message may have come before the session", number_twice_strayed,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "2 twice, and 1 never, messages are lost", number_twice_lost, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "2 twice, and 1 never, cause not seen, no end", number_twice_unknown, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "2 twice, and 1 never, cause not seen", number_twice_final,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "2 twice, and 1 late", number_twice_late, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "2 twice, and 1 never, 3 before both", number_twice_another,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "2 twice, and 3 never", number_twice_other_gap, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "3 twice, another code before it", number_twice_refused, "sctp.function-code"},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "3 twice, after a Terminate", number_twice_after_end, NULL},
    {"sctp.unordered", FIXTURE_PASS, 0, "2 twice, and 3 twice", number_twice_again, "sctp.ddp-ssn"},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 twice, and 2 never", number_instead_of_one, NULL},
    {"sctp.unordered", FIXTURE_PASS, 0, "1 twice, 2 and 3 never", number_instead_of_two,
     "sctp.ddp-ssn"},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "an Initiate with 5 after the session", number_begins_both,
     NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "an Initiate with 5 after its own Terminate", number_begins_own, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "an Initiate with 5 after the other's Terminate", number_begins_other, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "4 after an Initiate with 3 was acknowledged",
     number_first_overdue, NULL},
    {"sctp.ddp-ssn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "4 of no session after an Initiate with 3", number_first_over, NULL},
};

const size_t rules_cases_numbers_num = sizeof(rules_cases_numbers) / sizeof(rules_cases_numbers[0]);
