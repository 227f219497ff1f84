/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on the control field of RDMAP messages. */

#include "rules_cases.h"

static void rdmap_sent(struct rules_fixture *l, struct fixture_seg s) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static struct fixture_seg rdmap_octet(uint8_t octet) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.rsvdulp = octet;
  return s;
}

static void rdmap_all_sends(struct rules_fixture *l) {
  fixture_begin(l);
  for (uint8_t op = IWARP_RDMAP_OP_SEND; op <= IWARP_RDMAP_OP_SEND_SE_INV; op++) {
    struct fixture_seg s = fixture_untagged(op, op - 1u, 0, 9);
    s.ddp.rsvdulp_word = iwarp_rdmap_op_get(op)->invalidates ? 0x1234 : 0;
    fixture_fpdu(l, FIXTURE_INITIATOR, s);
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
}

static void rdmap_rv0(struct rules_fixture *l) {
  rdmap_sent(l, rdmap_octet(0x33)); /* the other bits are not judged in another version */
}

static void rdmap_rv3(struct rules_fixture *l) {
  rdmap_sent(l, rdmap_octet(0xCF));
}

static void rdmap_rv0_unknown(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.rsvdulp = 0x03;
  start_request_only(l);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  l->next[1] += 40;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void rdmap_rsv(struct rules_fixture *l) {
  rdmap_sent(l, rdmap_octet(0x53));
}

static void rdmap_op12(struct rules_fixture *l) {
  rdmap_sent(l, rdmap_octet(0x4C));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

static void rdmap_op14(struct rules_fixture *l) {
  rdmap_sent(l, rdmap_octet(0x4E));
}

static void rdmap_op15(struct rules_fixture *l) {
  rdmap_sent(l, rdmap_octet(0x4F));
}

static void rdmap_op11(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_RESPONDER, 1, &a);
  fixture_atomic_response(l, FIXTURE_INITIATOR, 1, 5);
}

static void rdmap_tagged_send(struct rules_fixture *l) {
  rdmap_sent(l, fixture_tagged(IWARP_RDMAP_OP_SEND, 1, 2, 9));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2)); /* no queue counted it */
}

static void rdmap_tagged_send_counted(struct rules_fixture *l) {
  rdmap_sent(l, fixture_tagged(IWARP_RDMAP_OP_SEND, 1, 2, 9));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3)); /* its sender did */
}

static void rdmap_untagged_write(struct rules_fixture *l) {
  rdmap_sent(l, fixture_untagged(IWARP_RDMAP_OP_WRITE, 2, 0, 9));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void rdmap_untagged_response(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 9);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_READ_RESP, 2, 0, 9));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_response(9));
}

static void rdmap_untagged_in_write(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_write()));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_WRITE, 2, 0, 9));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static struct fixture_seg rdmap_qn(struct fixture_seg s, uint32_t qn) {
  s.ddp.qn = qn;
  return s;
}

static void rdmap_send_qn3(struct rules_fixture *l) {
  rdmap_sent(l, rdmap_qn(fixture_send(2), 3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

static void rdmap_send_qn7(struct rules_fixture *l) {
  rdmap_sent(l, rdmap_qn(fixture_send(2), 7));
}

static void rdmap_read_qn0(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  rdmap_sent(l, rdmap_qn(fixture_read_request(octets, 2, 9), 0));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9)); /* it may be answered, or not */
}

static void rdmap_send_stag(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.rsvdulp_word = 1;
  rdmap_sent(l, s);
}

static void rdmap_read_stag(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, 1, 9);
  s.ddp.rsvdulp_word = 0x80000000;
  rdmap_sent(l, s);
}

const struct rules_case rules_cases_rdmap[] = {
    {"rdmap.version", FIXTURE_PASS, 0, "1", rdmap_all_sends, NULL},
    {"rdmap.version", FIXTURE_NEAR, 0, "0 under Rev 0", ddp_rdmac_good, "mpa.rev-rdmac"},
    {"rdmap.version", FIXTURE_FAIL, 0, "0", rdmap_rv0, NULL},
    {"rdmap.version", FIXTURE_FAIL, 0, "3", rdmap_rv3, NULL},
    {"rdmap.version", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "0, no Reply",
     rdmap_rv0_unknown, NULL},
    {"rdmap.reserved", FIXTURE_PASS, 0, "0", rdmap_all_sends, NULL},
    {"rdmap.reserved", FIXTURE_NEAR, 0, "opcode 11", rdmap_op11, NULL},
    {"rdmap.reserved", FIXTURE_FAIL, 0, "0x10", rdmap_rsv, NULL},
    {"rdmap.opcode", FIXTURE_PASS, 0, "3 to 6", rdmap_all_sends, NULL},
    {"rdmap.opcode", FIXTURE_NEAR, 0, "10 and 11", rdmap_op11, NULL},
    {"rdmap.opcode", FIXTURE_FAIL, 0, "12", rdmap_op12, NULL},
    {"rdmap.opcode", FIXTURE_FAIL, 0, "14", rdmap_op14, NULL},
    {"rdmap.opcode-experimental", FIXTURE_PASS, 0, "3 to 6", rdmap_all_sends, NULL},
    {"rdmap.opcode-experimental", FIXTURE_NEAR, 0, "11", rdmap_op11, NULL},
    {"rdmap.opcode-experimental", FIXTURE_FAIL, 0, "15", rdmap_op15, NULL},
    {"rdmap.tagged-flag", FIXTURE_PASS, 0, "Sends and a Write", rdmap_all_sends, NULL},
    {"rdmap.tagged-flag", FIXTURE_NEAR, 0, "10 and 11", rdmap_op11, NULL},
    {"rdmap.tagged-flag", FIXTURE_FAIL, 0, "Tagged Send", rdmap_tagged_send, NULL},
    {"rdmap.tagged-flag", FIXTURE_FAIL, 0, "Tagged Send, counted", rdmap_tagged_send_counted, NULL},
    {"rdmap.tagged-flag", FIXTURE_FAIL, 0, "Untagged Write", rdmap_untagged_write, NULL},
    {"rdmap.tagged-flag", FIXTURE_FAIL, 0, "Untagged Response", rdmap_untagged_response, NULL},
    {"rdmap.tagged-flag", FIXTURE_FAIL, 0, "in a Write", rdmap_untagged_in_write, NULL},
    {"rdmap.queue-number", FIXTURE_PASS, 0, "0", rdmap_all_sends, NULL},
    {"rdmap.queue-number", FIXTURE_NEAR, 0, "1 and 3", rdmap_op11, NULL},
    {"rdmap.queue-number", FIXTURE_FAIL, 0, "3", rdmap_send_qn3, NULL},
    {"rdmap.queue-number", FIXTURE_FAIL, 0, "7", rdmap_send_qn7, NULL},
    {"rdmap.queue-number", FIXTURE_FAIL, 0, "0 for a Read", rdmap_read_qn0, NULL},
    {"rdmap.invalidate-stag", FIXTURE_PASS, 0, "0", fpdu_plain, NULL},
    {"rdmap.invalidate-stag", FIXTURE_NEAR, 0, "where it is used", rdmap_all_sends, NULL},
    {"rdmap.invalidate-stag", FIXTURE_FAIL, 0, "in a Send", rdmap_send_stag, NULL},
    {"rdmap.invalidate-stag", FIXTURE_FAIL, 0, "in a Read Request", rdmap_read_stag, NULL},
};

const size_t rules_cases_rdmap_num = sizeof(rules_cases_rdmap) / sizeof(rules_cases_rdmap[0]);
