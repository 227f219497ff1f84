/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on the RDMAP control field and what the opcode demands of the DDP header: RFC 5040 4.1, RFC
 * 7306 4.1. */
#include "engine.h"

#define RDMAP_OCTET 1u
#define RDMAP_INVALIDATE 2u
#define RDMAP_QN 6u

static bool rdmap_need(struct rules_judge *j, enum rules_depth depth) {
  return rules_seg(j)->has_ddp && iwarp_rules_need(j, depth);
}

/* rfc5040-4.1-19 rfc7306-4.1-01; MPA Rev 0 goes with 0, see ddp.version-family */
void iwarp_rule_rdmap_version(struct rules_judge *j) {
  const uint8_t rv = rules_seg(j)->ctrl.rv;
  if (!rdmap_need(j, DEPTH_HEADER)) {
    return;
  }
  if (rv == 0 && !j->facts.version_known) {
    iwarp_rules_unsure(j, IWARP_WHY_NO_NEGOTIATION);
    return;
  }
  const bool ok = rv == IWARP_RDMAP_VERSION || (rv == 0 && j->facts.version_rdmac);
  iwarp_rules_settle_ulpdu(j, ok, RDMAP_OCTET, 1, iwarp_rules_uint(IWARP_RDMAP_VERSION),
                           iwarp_rules_uint(rv));
}

/* The opcode can be read: RV is right, whatever the opcode is. */
static bool rdmap_opcode_there(struct rules_judge *j) {
  const uint8_t rv = rules_seg(j)->ctrl.rv;
  return rdmap_need(j, DEPTH_HEADER) &&
         (rv == IWARP_RDMAP_VERSION || (rv == 0 && j->facts.version_rdmac));
}

/* rfc5040-4.1-22 */
void iwarp_rule_rdmap_reserved(struct rules_judge *j) {
  const uint8_t rsv = rules_seg(j)->ctrl.rsv;
  if (rdmap_opcode_there(j)) {
    iwarp_rules_settle_ulpdu(j, rsv == 0, RDMAP_OCTET, 1, iwarp_rules_hex(IWARP_VALUE_HEX8, 0),
                             iwarp_rules_hex(IWARP_VALUE_HEX8, (uint64_t)rsv << 4));
  }
}

/* rfc5040-4.1-06 rfc5040-4.1-17 rfc6580-3.4-06 */
void iwarp_rule_rdmap_opcode(struct rules_judge *j) {
  const uint8_t opcode = rules_seg(j)->ctrl.opcode;
  if (rdmap_opcode_there(j)) {
    const bool ok = opcode < IWARP_RDMAP_OP_RESERVED_12 || opcode == IWARP_RDMAP_OP_EXPERIMENTAL;
    iwarp_rules_settle_ulpdu(j, ok, RDMAP_OCTET, 1, iwarp_rules_at_most(IWARP_RDMAP_OP_ATOMIC_RESP),
                             iwarp_rules_uint(opcode));
  }
}

/* rfc6580-3.4-05 */
void iwarp_rule_rdmap_opcode_experimental(struct rules_judge *j) {
  const uint8_t opcode = rules_seg(j)->ctrl.opcode;
  if (rdmap_opcode_there(j)) {
    iwarp_rules_settle_ulpdu(j, opcode != IWARP_RDMAP_OP_EXPERIMENTAL, RDMAP_OCTET, 1,
                             iwarp_rules_at_most(IWARP_RDMAP_OP_ATOMIC_RESP),
                             iwarp_rules_uint(opcode));
  }
}

/* rfc5040-4.1-05 rfc7306-4.1-05 */
void iwarp_rule_rdmap_tagged_flag(struct rules_judge *j) {
  const bool tagged = rules_seg(j)->ddp.tagged;
  if (rdmap_need(j, DEPTH_OPCODE)) {
    iwarp_rules_settle_ulpdu(j, tagged == j->facts.op->tagged, 0, 2,
                             iwarp_rules_text(j->facts.op->label),
                             iwarp_rules_text(tagged ? "Tagged" : "Untagged"));
  }
}

/* rfc5040-4.1-07 rfc5040-3.1-02 rfc7306-4.1-06 */
void iwarp_rule_rdmap_queue_number(struct rules_judge *j) {
  const uint32_t qn = rules_seg(j)->ddp.qn;
  if (rdmap_need(j, DEPTH_OPCODE) && !rules_seg(j)->ddp.tagged && !j->facts.op->tagged) {
    iwarp_rules_settle_ulpdu(j, qn == j->facts.op->qn, RDMAP_QN, 4,
                             iwarp_rules_uint(j->facts.op->qn), iwarp_rules_uint(qn));
  }
}

/* rfc5040-4.1-25 rfc7306-4.1-03 */
void iwarp_rule_rdmap_invalidate_stag(struct rules_judge *j) {
  const uint32_t stag = rules_seg(j)->ddp.rsvdulp_word;
  if (!rdmap_need(j, DEPTH_OPCODE) || rules_seg(j)->ddp.tagged || j->facts.op->tagged ||
      j->facts.op->invalidates) {
    return;
  }
  iwarp_rules_settle_ulpdu(j, stag == 0, RDMAP_INVALIDATE, 4, iwarp_rules_hex(IWARP_VALUE_HEX32, 0),
                           iwarp_rules_hex(IWARP_VALUE_HEX32, stag));
}
