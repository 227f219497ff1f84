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
  for (uint32_t mo = 0; mo < 24; mo += 8) {
    fixture_fpdu(l, FIXTURE_INITIATOR,
                 fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, mo, 8)));
  }
}

/* MO alone is wrong. */
static void ext_immediate_mo(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 8, 8));
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

const struct rules_case rules_cases_ext[] = {
    {"rdmap.immediate-length", FIXTURE_PASS, 0, "8", ext_immediate_8, NULL},
    {"rdmap.immediate-length", FIXTURE_NEAR, 0, "8 with SE", ext_immediate_se_8, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "9", ext_immediate_9, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "24 in three segments", ext_immediate_long, NULL},
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
};

const size_t rules_cases_ext_num = sizeof(rules_cases_ext) / sizeof(rules_cases_ext[0]);
