/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on the DDP header of one segment: RFC 5041 4. */
#include "catalog.h"
#include "evidence.h"
#include "requests.h"

/* An empty ULPDU is mpa.ulpdu-length-zero. */
void iwarp_rule_ddp_header_length(const struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  if ((f->fpdu.ulpdu_length == 0 && !j->info->sctp) || !rulesi_need(j, DEPTH_FRAME)) {
    return;
  }
  if (!f->seg.has_ddp && f->seg.err != IWARP_ERR_DDP_SHORT) {
    rulesi_unjudged(j, j->facts.because);
    return;
  }
  const bool tagged_fits = f->fpdu.ulpdu_length < IWARP_DDP_TAGGED_LEN;
  const uint32_t due = tagged_fits ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  if (f->seg.has_ddp) {
    rulesi_pass(j);
  } else {
    rulesi_at_segment(rulesi_fail(j, rulesi_at_least(due), rulesi_uint(f->fpdu.ulpdu_length)), j);
  }
}

/* DV can be read: the header is there, whatever version it is. */
static bool ddp_version_there(const struct rules_ctx *j) {
  return rules_seg(j)->has_ddp && rulesi_need(j, DEPTH_FRAME);
}

/* MPA Rev 0 goes with 0, see ddp.version-family. */
void iwarp_rule_ddp_version(const struct rules_ctx *j) {
  const uint8_t dv = rules_seg(j)->ddp.dv;
  if (!ddp_version_there(j)) {
    return;
  }
  if (dv == 0 && !j->facts.version_known) {
    rulesi_inconclusive(j, IWARP_REASON_NO_NEGOTIATION);
    return;
  }
  rulesi_check_field(j, j->facts.depth >= DEPTH_HEADER, IWARP_FIELD_DDP_TAGGED_DV,
                     rulesi_uint(IWARP_DDP_VERSION), rulesi_uint(dv));
}

/* Where only one version is right, another one is ddp.version. */
void iwarp_rule_ddp_version_constant(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const struct rules_side *other = rules_other(j);
  const uint8_t dv = rules_seg(j)->ddp.dv;
  if (j->facts.depth >= DEPTH_HEADER && own->chain.has_version) {
    rulesi_check_field(j, dv == own->chain.dv, IWARP_FIELD_DDP_TAGGED_DV,
                       rulesi_uint(own->chain.dv), rulesi_uint(dv));
  } else if (j->facts.depth >= DEPTH_HEADER && j->facts.first && other->chain.has_version) {
    rulesi_check_field(j, dv == other->chain.dv, IWARP_FIELD_DDP_TAGGED_DV,
                       rulesi_uint(other->chain.dv), rulesi_uint(dv));
  }
}

/* Reported once per direction, of its first segment. Where DV changes it is ddp.version-constant,
 * where DV and RV differ rdmap.version. */
void iwarp_rule_ddp_version_family(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  if (!j->facts.version_rdmac || !seg->has_ddp || !j->facts.first || seg->ddp.dv != seg->ctrl.rv ||
      !rulesi_need(j, DEPTH_FRAME)) {
    return;
  }
  const uint8_t zero[2] = {0, 0};
  const uint8_t is[2] = {seg->ddp.dv, seg->ctrl.rv};
  rulesi_check_fields(j, is[0] == 0, IWARP_FIELD_NONE, IWARP_FIELD_DDP_TAGGED_DV,
                      IWARP_FIELD_RDMAP_CTRL_RV, rulesi_octets(zero, 2), rulesi_octets(is, 2));
}

void iwarp_rule_ddp_reserved(const struct rules_ctx *j) {
  const uint8_t rsvd = rules_seg(j)->ddp.rsvd;
  if (rules_seg(j)->has_ddp && rulesi_need(j, DEPTH_HEADER)) {
    rulesi_check_field(j, rsvd == 0, IWARP_FIELD_DDP_TAGGED_RSVD, rulesi_hex(IWARP_VALUE_HEX8, 0),
                       rulesi_hex(IWARP_VALUE_HEX8, (uint64_t)rsvd << 2));
  }
}

static void ddp_settle_wrap(const struct rules_ctx *j, uint64_t to, uint64_t len,
                            iwarp_field_id field) {
  rulesi_check_field(j, !rulesi_wraps(to, len), field,
                     rulesi_hex(IWARP_VALUE_HEX64, UINT64_MAX - len),
                     rulesi_hex(IWARP_VALUE_HEX64, to));
}

/*
 * True if it is known that a Read Response that wraps was not asked for so: its sender copies
 * SinkTO uninterpreted, and the sender of the Request sees to the wrap. RFC 5040 4.4
 */
static bool ddp_wrap_is_own(const struct rules_ctx *j) {
  const struct rules_requests *r = &rules_other(j)->requests;
  if (!rulesi_need_place(j)) {
    return false;
  }
  const struct rules_request *asked = rulesi_awaited_request(j);
  if (asked != NULL && asked->details && !r->lost) {
    return !rulesi_wraps(asked->read.sink_to, asked->read.size);
  }
  if (asked == NULL && !r->lost && j->facts.step == STEP_START && rulesi_sender_view_complete(j)) {
    return true; /* there is no request */
  }
  rulesi_unjudged(j, r->lost ? r->because : rules_reason(rules_other(j)->chain.gap_reason));
  return false;
}

/* SinkTO of a Request: it is what the Response must have. */
static void ddp_settle_sink(const struct rules_ctx *j) {
  const iwarp_rdmap_read_req *req = &rules_seg(j)->u.read_req;
  if (rules_seg(j)->kind == IWARP_RDMAP_KIND_READ_REQ && req->size > 0 &&
      rulesi_need(j, DEPTH_MESSAGE)) {
    ddp_settle_wrap(j, req->sink_to, req->size, IWARP_FIELD_RDMAP_READ_REQ_SINK_TO);
  }
}

/* TO means nothing in an empty segment. Of a message that goes on at 0 the segment before is wrong.
 */
void iwarp_rule_ddp_to_wrap(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  if (!seg->has_ddp || !seg->ddp.tagged) {
    ddp_settle_sink(j);
    return;
  }
  if (seg->payload_len == 0 || !rulesi_need(j, DEPTH_MESSAGE)) {
    return;
  }
  const uint64_t to = seg->ddp.to;
  const uint64_t len = seg->payload_len;
  if (rules_opcode(j) != IWARP_RDMAP_OP_READ_RESP || !rulesi_wraps(to, len) || ddp_wrap_is_own(j)) {
    ddp_settle_wrap(j, to, len, IWARP_FIELD_DDP_TAGGED_TO);
  }
}

static void ddp_settle_length(const struct rules_ctx *j, uint64_t len) {
  rulesi_check_header(j, len <= UINT32_MAX, rulesi_at_most(UINT32_MAX), rulesi_uint(len));
}

/* Octets of a Tagged message with this segment: said of the segment that passes the limit. */
static void ddp_tagged_length(const struct rules_ctx *j) {
  const struct rules_slot *slot = &rules_own(j)->messages.slots[j->facts.slot];
  if (j->facts.step == STEP_CONTINUE && !slot->start_seen) {
    rulesi_inconclusive(j, rules_own(j)->chain.gap_reason);
    return;
  }
  const uint64_t before = j->facts.step == STEP_CONTINUE ? slot->total : 0;
  if ((j->facts.step == STEP_START || j->facts.step == STEP_CONTINUE) && before <= UINT32_MAX) {
    ddp_settle_length(j, before + rules_seg(j)->payload_len);
  }
}

/* MO tells how long an Untagged message is, whatever was before. ddp.mo-first reports the MO of a
 * first segment, and where octets are missing any segment may be a first one. */
void iwarp_rule_ddp_message_length(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  if (!seg->has_ddp || !rulesi_need_place(j)) {
    return;
  }
  if (seg->ddp.tagged) {
    ddp_tagged_length(j);
    return;
  }
  const uint64_t len = (uint64_t)seg->ddp.mo + seg->payload_len;
  if (j->facts.step == STEP_LEARN && seg->ddp.mo != 0 && len > UINT32_MAX) {
    rulesi_inconclusive(j, rulesi_missing(j, j->ev->side));
  } else if (j->facts.step != STEP_START || seg->ddp.mo == 0) {
    ddp_settle_length(j, len);
  }
}

/* This rule and the next one are asked about segments without payload alone. Of those that a
 * message begins with it is not known whether payload follows: see ddp.zero-length. */
void iwarp_rule_ddp_empty_segment(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  if (!rulesi_need_place(j)) {
    return;
  }
  const struct rules_slot *slot = &rules_own(j)->messages.slots[j->facts.slot];
  if (slot->empty_so_far || (j->facts.step == STEP_START && !seg->ddp.last)) {
    return;
  }
  const bool learnt = j->facts.step == STEP_LEARN && !rules_slot_hidden(slot);
  if (learnt || (j->facts.step != STEP_START && !slot->start_seen)) {
    rulesi_inconclusive(j, rules_own(j)->chain.gap_reason);
    return;
  }
  const bool continues = j->facts.step == STEP_CONTINUE;
  if (j->facts.step != STEP_START && j->facts.step != STEP_LEARN && !continues) {
    return; /* its place is wrong, as reported */
  }
  rulesi_check_fields(j, seg->ddp.last && !continues, IWARP_FIELD_NONE, IWARP_FIELD_DDP_TAGGED_T,
                      IWARP_FIELD_DDP_TAGGED_DV, rulesi_at_least(1), rulesi_uint(0));
}

/* True if the segment ends a message that has none with payload: STag and TO of one without mean
 * nothing, so that of a Tagged message only the opcode can tell. RFC 5041 5.2 */
static bool ddp_ends_hollow(const struct rules_ctx *j) {
  const struct rules_slot *slot = &rules_own(j)->messages.slots[j->facts.slot];
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return slot->empty_so_far && slot->opcode == seg->ctrl.opcode &&
         (j->facts.step == STEP_CONTINUE ||
          (j->facts.step == STEP_LEARN && slot->state == SLOT_OPEN && !slot->interrupted));
}

void iwarp_rule_ddp_zero_length(const struct rules_ctx *j) {
  if (!rules_seg(j)->ddp.last || !rulesi_need_place(j)) {
    return;
  }
  const bool hollow = ddp_ends_hollow(j);
  if (j->facts.step == STEP_START || hollow) {
    rulesi_check_header(j, !hollow, rulesi_uint(1), rulesi_at_least(2));
  }
}
