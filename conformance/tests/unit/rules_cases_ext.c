/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on the messages of RFC 7306. */

#include "rules_cases.h"

static void ext_immediate(struct rules_fixture *l, uint8_t opcode, size_t len) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(opcode, 2, 0, len));
}

static void ext_immediate_8(struct rules_fixture *l) {
  ext_immediate(l, IWARP_RDMAP_OP_IMMEDIATE, 8);
}

static void ext_immediate_se_8(struct rules_fixture *l) {
  ext_immediate(l, IWARP_RDMAP_OP_IMMEDIATE_SE, 8);
}

static void ext_immediate_9(struct rules_fixture *l) {
  ext_immediate(l, IWARP_RDMAP_OP_IMMEDIATE, 9);
}

static void ext_immediate_se_7(struct rules_fixture *l) {
  ext_immediate(l, IWARP_RDMAP_OP_IMMEDIATE_SE, 7);
}

/* Longer with each segment: said of the first that is too long. */
static void ext_immediate_long(struct rules_fixture *l) {
  fixture_begin(l);
  for (uint32_t mo = 0; mo < 18; mo += 6) {
    fixture_fpdu(l, FIXTURE_INITIATOR,
                 fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, mo, 6)));
  }
}

/* The message does not end: where its segments belong is not known. */
static void ext_immediate_jumped(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 2, 4)));
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 92)));
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 200, 92)));
}

static void ext_immediate_late(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 4, 9)));
}

/* The message before it has not ended. */
static void ext_immediate_restarted(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 4)));
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 3, 0, 92)));
}

/* MO alone is wrong. */
static void ext_immediate_mo(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 8, 8));
}

/* After a gap, in which the message may have begun. */
static void ext_immediate_learnt(struct rules_fixture *l, uint32_t mo, size_t len) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, mo, len));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void ext_immediate_learnt_4(struct rules_fixture *l) {
  ext_immediate_learnt(l, 0, 4);
}

static void ext_immediate_learnt_rest(struct rules_fixture *l) {
  ext_immediate_learnt(l, 4, 4);
}

static void ext_immediate_learnt_mo(struct rules_fixture *l) {
  ext_immediate_learnt(l, 8, 8);
}

static void ext_atomic(struct rules_fixture *l, iwarp_rdmap_atomic_req a) {
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
}

static void ext_fetch_add(struct rules_fixture *l) {
  ext_atomic(l, fixture_fetch_add(1));
}

static void ext_cmp_swap(struct rules_fixture *l) {
  ext_atomic(l, (iwarp_rdmap_atomic_req){.aopcode = 2, .compare_data = 5});
}

static void ext_aopcode_1(struct rules_fixture *l) {
  ext_atomic(l, (iwarp_rdmap_atomic_req){.aopcode = 1});
}

static void ext_reserved(struct rules_fixture *l) {
  iwarp_rdmap_atomic_req a = fixture_fetch_add(1);
  a.reserved = 1;
  ext_atomic(l, a);
}

static void ext_compare_data(struct rules_fixture *l) {
  iwarp_rdmap_atomic_req a = fixture_fetch_add(1);
  a.compare_data = 1;
  ext_atomic(l, a);
}

static void ext_compare_mask(struct rules_fixture *l) {
  iwarp_rdmap_atomic_req a = fixture_fetch_add(1);
  a.compare_mask = UINT64_MAX - 1;
  ext_atomic(l, a);
}

static void ext_request_length(struct rules_fixture *l, size_t len) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, len));
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 7); /* it may be answered, or not */
}

static void ext_request_51(struct rules_fixture *l) {
  ext_request_length(l, 51);
}

static void ext_request_53(struct rules_fixture *l) {
  ext_request_length(l, 53);
}

static void ext_request_in_two(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, 50)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 50, 2));
}

static void ext_request_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, 52);
  s.cut = 40;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 1);
}

/* The Response fits not the first Request, but may fit the second. */
static void ext_second_cut(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 2, 0, 52);
  s.cut = 40;
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 6);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 2, 5);
}

static void ext_response_length(struct rules_fixture *l, struct fixture_seg s) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(0);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
}

static void ext_response_11(struct rules_fixture *l) {
  ext_response_length(l, fixture_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 11));
}

static void ext_response_32(struct rules_fixture *l) {
  ext_response_length(l, fixture_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 32));
}

static void ext_response_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 12);
  s.cut = 24;
  ext_response_length(l, s);
}

static void ext_response_in_two(struct rules_fixture *l) {
  ext_response_length(l, fixture_more(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 10)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 10, 2));
}

static void ext_answer(struct rules_fixture *l, uint32_t id) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(0x11);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, id);
}

static void ext_answer_good(struct rules_fixture *l) {
  ext_answer(l, 0x11);
}

static void ext_answer_other(struct rules_fixture *l) {
  ext_answer(l, 0x12);
}

static void ext_answer_second(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(2);
  ext_answer(l, 0x11);
  fixture_atomic(l, FIXTURE_INITIATOR, 2, &a);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 2, 2);
}

static void ext_unasked(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
}

/* What was received ends inside an FPDU, where that ends is not known. */
static void ext_unasked_partial(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.crc_flip = 1;
  fixture_begin_with(l, FIXTURE_C);
  l->received = l->next[FIXTURE_INITIATOR] + 20;
  l->info.side[FIXTURE_INITIATOR].partial_end = l->received;
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The answer comes as all of the Request, but for `less` octets, was received. */
static void ext_answer_after(struct rules_fixture *l, uint64_t less) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  l->received = l->next[FIXTURE_INITIATOR] - less;
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
}

static void ext_answer_received(struct rules_fixture *l) {
  ext_answer_after(l, 0);
}

static void ext_answer_early(struct rules_fixture *l) {
  ext_answer_after(l, 1);
}

static void ext_unasked_unseen(struct rules_fixture *l) {
  fixture_begin(l);
  l->received = l->next[FIXTURE_INITIATOR] + 76;
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
}

static void ext_unasked_gap(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_gap(l, FIXTURE_INITIATOR, 76, IWARP_GAP_LOST);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
}

/* ---- L of a message of a fixed length ---- */

static struct fixture_seg ext_unended(uint8_t opcode, uint32_t msn, uint32_t mo, size_t len) {
  return fixture_more(fixture_untagged(opcode, msn, mo, len));
}

static void ext_immediate_unended(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 8));
}

/* They have ended for all that follows. */
static void ext_immediates_unended(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE_SE, 2, 0, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(4));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void ext_immediate_unended_last(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE_SE, 3, 0, 8));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void ext_immediate_unended_terminated(struct rules_fixture *l) {
  ext_immediate_unended(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
}

static void ext_immediate_unended_two(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 5));
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 5, 3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

static void ext_immediate_unended_empty(struct rules_fixture *l) {
  ext_immediate_unended(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 8, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

/* All that goes on is of the same message, until another one begins. */
static void ext_immediate_unended_long(struct rules_fixture *l) {
  ext_immediate_unended(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 8, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 16, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(4));
}

/* The next one of the queue has ended, and goes on. */
static void ext_immediate_unended_then_early(struct rules_fixture *l) {
  ext_immediate_unended(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 3, 32, 8));
}

static void ext_immediate_unended_gap(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 3, 0, 8));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* Not one of its octets has the place that MO says. */
static void ext_immediate_unended_mo(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 4, 4));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void ext_immediate_unended_overlap(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 6));
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 4, 4));
}

static void ext_immediate_unended_again(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 5));
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 8));
}

/* It begins inside of a Send, which goes on after it. */
static void ext_immediate_unended_inside(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(fixture_send(2));
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 3, 0, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, (uint32_t)s.len, 8));
}

static void ext_immediate_unended_short(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 7));
}

static void ext_immediate_unended_damaged(struct rules_fixture *l) {
  struct fixture_seg s = ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 8);
  s.crc_flip = 1;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* An undefined message has no known length. */
static void ext_unassigned_unended(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_RESERVED_12, 2, 0, 1));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* Revision 0 has no such message. */
static void ext_immediate_unended_rev0(struct rules_fixture *l) {
  ddp_rdmac(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ddp_version0(ext_unended(IWARP_RDMAP_OP_IMMEDIATE, 1, 0, 8)));
}

static void ext_request_unended(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ext_unended(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, 52));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void ext_response_unended(struct rules_fixture *l) {
  ext_response_length(l, ext_unended(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 12));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A segment and an Atomic Request, of which the Responder had received the second alone when it
 * answered, or both. */
static void ext_ahead_of(struct rules_fixture *l, uint8_t opcode, bool received) {
  const iwarp_rdmap_atomic_req add = fixture_fetch_add(5);
  fixture_begin(l);
  const uint64_t before = l->next[FIXTURE_INITIATOR];
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(opcode, 2, 0, 8));
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &add);
  l->received = received ? 0 : before;
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
}

static void ext_ahead_of_send(struct rules_fixture *l) {
  ext_ahead_of(l, IWARP_RDMAP_OP_SEND, false);
}

static void ext_ahead_of_immediate(struct rules_fixture *l) {
  ext_ahead_of(l, IWARP_RDMAP_OP_IMMEDIATE, false);
}

static void ext_after_send(struct rules_fixture *l) {
  ext_ahead_of(l, IWARP_RDMAP_OP_SEND, true);
}

const struct rules_case rules_cases_ext[] = {
    {"ddp.last-flag-missing", FIXTURE_PASS, 0, "of Immediate Data", ext_immediate_8, NULL},
    {"ddp.last-flag-missing", FIXTURE_PASS, 0, "of an Atomic Request in two", ext_request_in_two,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data", ext_immediate_unended, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data with SE, then others",
     ext_immediates_unended, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data with SE, then FIN",
     ext_immediate_unended_last, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data, then a Terminate",
     ext_immediate_unended_terminated, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data in two", ext_immediate_unended_two,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data, then no octets with L",
     ext_immediate_unended_empty, "ddp.empty-segment"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data, then more of it",
     ext_immediate_unended_long, "rdmap.immediate-length"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data, then a Send that goes on",
     ext_immediate_unended_then_early, "ddp.last-flag-early"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data after a gap",
     ext_immediate_unended_gap, NULL},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "4, of Immediate Data without L", ext_immediate_unended_mo,
     NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "4 after 6 octets of Immediate Data without L",
     ext_immediate_unended_overlap, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "0 after 5 octets of Immediate Data without L",
     ext_immediate_unended_again, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Immediate Data without L inside a Send",
     ext_immediate_unended_inside, "ddp.last-flag-missing"},
    {"ddp.last-flag-missing", FIXTURE_NEAR, 0, "Immediate Data of 7 octets",
     ext_immediate_unended_short, NULL},
    {"rdmap.opcode", FIXTURE_FAIL, 0, "12, of one octet and without L", ext_unassigned_unended,
     "ddp.stream-end"},
    {"mpa.crc", FIXTURE_FAIL, 0, "Immediate Data without L", ext_immediate_unended_damaged, NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "Immediate Data under revision 0",
     ext_immediate_unended_rev0, "mpa.rev-rdmac"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "an Atomic Request, then FIN", ext_request_unended,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "an Atomic Response, then a Send",
     ext_response_unended, NULL},
    {"rdmap.immediate-length", FIXTURE_PASS, 0, "8", ext_immediate_8, NULL},
    {"rdmap.immediate-length", FIXTURE_NEAR, 0, "8 with SE", ext_immediate_se_8, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "9", ext_immediate_9, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "18 in three segments", ext_immediate_long, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "92 out of their place", ext_immediate_jumped,
     NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "9 from MO 4 on", ext_immediate_late, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "92 inside another message",
     ext_immediate_restarted, NULL},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "8, of Immediate Data", ext_immediate_mo, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "7 with SE", ext_immediate_se_7, NULL},
    {"rdmap.atomic-request-length", FIXTURE_PASS, 0, "52", ext_fetch_add, NULL},
    {"rdmap.atomic-request-length", FIXTURE_NEAR, 0, "50 and 2", ext_request_in_two, NULL},
    {"rdmap.atomic-request-length", FIXTURE_FAIL, 0, "51", ext_request_51, NULL},
    {"rdmap.atomic-request-length", FIXTURE_FAIL, 0, "53", ext_request_53, NULL},
    {"rdmap.atomic-response-length", FIXTURE_PASS, 0, "12", ext_answer_good, NULL},
    {"rdmap.atomic-response-length", FIXTURE_NEAR, 0, "10 and 2", ext_response_in_two, NULL},
    {"rdmap.atomic-response-length", FIXTURE_FAIL, 0, "11", ext_response_11, NULL},
    {"rdmap.atomic-response-length", FIXTURE_FAIL, 0, "32", ext_response_32, NULL},
    {"rdmap.atomic-opcode", FIXTURE_PASS, 0, "0", ext_fetch_add, NULL},
    {"rdmap.atomic-opcode", FIXTURE_NEAR, 0, "2", ext_cmp_swap, NULL},
    {"rdmap.atomic-opcode", FIXTURE_FAIL, 0, "1", ext_aopcode_1, NULL},
    {"rdmap.atomic-opcode", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", ext_request_cut, NULL},
    {"rdmap.atomic-reserved", FIXTURE_PASS, 0, "0", ext_fetch_add, NULL},
    {"rdmap.atomic-reserved", FIXTURE_NEAR, 0, "0 beside opcode 2", ext_cmp_swap, NULL},
    {"rdmap.atomic-reserved", FIXTURE_FAIL, 0, "1", ext_reserved, NULL},
    {"rdmap.atomic-compare-data", FIXTURE_PASS, 0, "0", ext_fetch_add, NULL},
    {"rdmap.atomic-compare-data", FIXTURE_NEAR, 0, "FetchAdd", ext_answer_good, NULL},
    {"rdmap.atomic-compare-data", FIXTURE_FAIL, 0, "1", ext_compare_data, NULL},
    {"rdmap.atomic-compare-data", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", ext_request_cut,
     NULL},
    {"rdmap.atomic-compare-mask", FIXTURE_PASS, 0, "all ones", ext_fetch_add, NULL},
    {"rdmap.atomic-compare-mask", FIXTURE_NEAR, 0, "FetchAdd", ext_answer_good, NULL},
    {"rdmap.atomic-compare-mask", FIXTURE_FAIL, 0, "one bit less", ext_compare_mask, NULL},
    {"rdmap.atomic-compare-mask", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", ext_request_cut,
     NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_PASS, 0, "asked", ext_answer_good, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_NEAR, 0, "asked twice", ext_answer_second, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_FAIL, 0, "unasked", ext_unasked, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "half a Send with a wrong CRC", ext_unasked_partial, "mpa.crc"},
    {"rdmap.atomic-response-unasked", FIXTURE_NEAR, 0, "as the Request was received",
     ext_answer_received, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_FAIL, 0, "before the Request was received",
     ext_answer_early, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "more was received",
     ext_unasked_unseen, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap",
     ext_unasked_gap, NULL},
    {"rdmap.atomic-response-id", FIXTURE_PASS, 0, "the same", ext_answer_good, NULL},
    {"rdmap.atomic-response-id", FIXTURE_NEAR, 0, "each its own", ext_answer_second, NULL},
    {"rdmap.atomic-response-id", FIXTURE_FAIL, 0, "another", ext_answer_other, NULL},
    {"rdmap.atomic-response-id", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", ext_unasked_gap,
     NULL},
    {"rdmap.atomic-response-id", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "Request cut",
     ext_request_cut, NULL},
    {"rdmap.atomic-response-id", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", ext_response_cut,
     NULL},
    {"rdmap.atomic-response-id", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the second Request cut",
     ext_second_cut, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "4 after a gap", ext_immediate_learnt_4, NULL},
    {"rdmap.immediate-length", FIXTURE_NEAR, 0, "the last 4 after a gap", ext_immediate_learnt_rest,
     NULL},
    {"rdmap.immediate-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "8 at 8 after a gap",
     ext_immediate_learnt_mo, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_FAIL, 0, "a Send before the Request had not come",
     ext_ahead_of_send, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_FAIL, 0,
     "Immediate Data before the Request had not come", ext_ahead_of_immediate, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_NEAR, 0, "a Send before the Request had come",
     ext_after_send, NULL},
};

const size_t rules_cases_ext_num = sizeof(rules_cases_ext) / sizeof(rules_cases_ext[0]);
