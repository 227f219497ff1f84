/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on RDMAP messages. */

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

/* ---- control field ---- */

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

/* ---- RDMA Reads ---- */

static void read_good(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_read(l, FIXTURE_INITIATOR, 2, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_read_response(60)));
  struct fixture_seg rest = fixture_read_response(40);
  rest.ddp.to += 60;
  fixture_fpdu(l, FIXTURE_RESPONDER, rest);
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0)); /* STag is free */
}

static void read_length(struct rules_fixture *l, size_t len) {
  uint8_t octets[64] = {0};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_with(fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 0), octets, len));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_short(struct rules_fixture *l) {
  read_length(l, 27);
}

static void read_long(struct rules_fixture *l) {
  read_length(l, 29);
}

static void read_in_two(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 20)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 20, 8));
}

static void read_not_last(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_request(octets, 1, 9)));
}

/* It ends there: the messages after it do not stand inside it. */
static void read_not_last_goes_on(struct rules_fixture *l) {
  read_not_last(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void read_many(struct rules_fixture *l, unsigned side, uint32_t num) {
  fixture_begin(l);
  for (uint32_t msn = 1; msn <= num; msn++) {
    fixture_read(l, side, msn, 10);
  }
}

static void read_at_limit(struct rules_fixture *l) {
  read_many(l, FIXTURE_INITIATOR, FIXTURE_DEPTH);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(10));
  fixture_read(l, FIXTURE_INITIATOR, FIXTURE_DEPTH + 1, 10);
}

static void read_above_limit(struct rules_fixture *l) {
  read_many(l, FIXTURE_INITIATOR, FIXTURE_DEPTH + 3); /* said once */
}

static void read_responder_limit(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.enh.ord = 2;
  fixture_exchange(l, fixture_request(), reply);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  for (uint32_t msn = 1; msn <= 3; msn++) {
    fixture_read(l, FIXTURE_RESPONDER, msn, 10);
  }
}

/* 0x3FFF as its own ORD does not lift the IRD that the Initiator announced. RFC 6581 9.1 */
static void read_responder_unspecified(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.enh.ord = IWARP_MPA_DEPTH_UNSPEC;
  fixture_exchange(l, fixture_request(), reply);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  for (uint32_t msn = 1; msn <= FIXTURE_DEPTH + 1; msn++) {
    fixture_read(l, FIXTURE_RESPONDER, msn, 10);
  }
}

static void read_with_atomics(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  read_many(l, FIXTURE_INITIATOR, FIXTURE_DEPTH);
  fixture_atomic(l, FIXTURE_INITIATOR, FIXTURE_DEPTH + 1, &a);
}

static void read_not_negotiated(struct rules_fixture *l) {
  start_rev1(l);
  fixture_settle(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 10);
}

static void read_unspecified(struct rules_fixture *l) {
  start_both_unspecified(l);
  fixture_settle(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 10);
}

static void read_limit_unseen(struct rules_fixture *l) {
  read_many(l, FIXTURE_INITIATOR, FIXTURE_DEPTH);
  l->received = l->next[FIXTURE_RESPONDER] + 40; /* a Response that was not seen may have come */
  fixture_read(l, FIXTURE_INITIATOR, FIXTURE_DEPTH + 1, 10);
}

static void read_limit_gap(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 20, IWARP_GAP_SNAPLEN);
  fixture_read(l, FIXTURE_INITIATOR, 1, 10);
}

/* The answer to the first of them is missing; the gap is reported before what asks for it. */
static void read_answer_lost_first(struct rules_fixture *l) {
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.enh.ird = reply.enh.ord = 1;
  fixture_exchange(l, request, reply);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_gap(l, FIXTURE_INITIATOR, 52, IWARP_GAP_LOST);
  l->received = l->next[FIXTURE_INITIATOR] - 52;
  fixture_read(l, FIXTURE_RESPONDER, 1, 10);
  fixture_read(l, FIXTURE_RESPONDER, 2, 10);
}

static void read_limit_memory(struct rules_fixture *l) {
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.enh.ird = request.enh.ord = reply.enh.ird = reply.enh.ord = 1000;
  fixture_exchange(l, request, reply);
  for (uint32_t msn = 1; msn <= 514; msn++) {
    fixture_read(l, FIXTURE_INITIATOR, msn, 10);
  }
}

static void read_unasked(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_answered_twice(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_unasked_unseen(struct rules_fixture *l) {
  fixture_begin(l);
  l->received = l->next[FIXTURE_INITIATOR] + 52;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_read(l, FIXTURE_INITIATOR, 1, 9); /* it was on its way to us */
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* What was received ends inside an FPDU, which is no Request yet. */
static void read_unasked_partial(struct rules_fixture *l) {
  fixture_begin(l);
  l->received = l->next[FIXTURE_INITIATOR] + 20;
  l->info.side[FIXTURE_INITIATOR].partial_end = l->received;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_unasked_gap(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_gap(l, FIXTURE_INITIATOR, 52, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_unasked_learnt(struct rules_fixture *l) {
  fixture_open_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 52, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_read(l, FIXTURE_RESPONDER, 1, 9);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_response(9));
}

static void read_one_sided(struct rules_fixture *l) {
  start_reply_only(l);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  l->received = FIXTURE_START_0 + 500;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_answer(struct rules_fixture *l, uint32_t size, struct fixture_seg s) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, size);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
}

static void read_other_stag(struct rules_fixture *l) {
  read_answer(l, 9, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK + 1, FIXTURE_SINK_TO, 9));
}

static void read_other_to(struct rules_fixture *l) {
  read_answer(l, 9, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, FIXTURE_SINK_TO + 1, 9));
}

static void read_too_little(struct rules_fixture *l) {
  read_answer(l, 9, fixture_read_response(8));
}

static void read_too_much(struct rules_fixture *l) {
  read_answer(l, 9, fixture_more(fixture_read_response(10)));
  struct fixture_seg rest = fixture_read_response(10);
  rest.ddp.to += 10;
  fixture_fpdu(l, FIXTURE_RESPONDER, rest); /* said once */
}

static void read_empty_answered(struct rules_fixture *l) {
  read_answer(l, 0, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 77, 77, 9));
}

static void read_answered_empty(struct rules_fixture *l) {
  read_answer(l, 9, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0));
}

static void read_request_cut(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, 1, 9);
  s.cut = 40;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* A Read Request whose sink begins 9 octets below 2^64. */
static void read_near_end(struct rules_fixture *l, uint32_t msn, uint32_t size) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, msn, size);
  iwarp_rdmap_read_req req;
  size_t len;
  iwarp_rdmap_read_req_decode(&req, (iwarp_span){octets, sizeof(octets)});
  req.sink_to = UINT64_MAX - 8;
  iwarp_rdmap_read_req_encode(octets, sizeof(octets), &len, &req);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static struct fixture_seg read_response_near_end(uint64_t got, size_t len) {
  return fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, UINT64_MAX - 8 + got, len);
}

/* SinkTO is copied: the Responder is not to blame. RFC 5040 4.4 */
static void read_sink_wraps(struct rules_fixture *l) {
  fixture_begin(l);
  read_near_end(l, 1, 20);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_response_near_end(0, 12)));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_response_near_end(12, 8));
}

static void read_sink_to_end(struct rules_fixture *l) {
  fixture_begin(l);
  read_near_end(l, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_response_near_end(0, 9));
  read_near_end(l, 2, 0); /* it means nothing */
}

static void read_wrap_unasked(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_response_near_end(0, 12));
}

static void read_wrap_own(struct rules_fixture *l) {
  read_answer(l, 12, read_response_near_end(0, 12));
}

static void read_wrap_unknown(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_gap(l, FIXTURE_INITIATOR, 52, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_response_near_end(0, 12));
}

static void read_wrap_request_cut(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, 1, 12);
  s.cut = 40;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_response_near_end(0, 12));
}

static void read_hole(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_read_response(60)));
  struct fixture_seg rest = fixture_read_response(30);
  rest.ddp.to += 70;
  fixture_fpdu(l, FIXTURE_RESPONDER, rest); /* ddp.to-contiguous alone */
}

static void read_other_stag_later(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_read_response(60)));
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 3, FIXTURE_SINK_TO + 60, 40));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(1));
}

static void read_order_good(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_atomic(l, FIXTURE_INITIATOR, 2, &a);
  fixture_read(l, FIXTURE_INITIATOR, 3, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_order_atomic_first(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_atomic(l, FIXTURE_INITIATOR, 2, &a);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_order_read_first(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  fixture_read(l, FIXTURE_INITIATOR, 2, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
}

/* Two Reads to different places, or two Atomic Operations, answered in the other order. */
static void read_to(struct rules_fixture *l, uint32_t msn, uint64_t to) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, msn, 9);
  iwarp_rdmap_read_req req;
  size_t len;
  iwarp_rdmap_read_req_decode(&req, (iwarp_span){octets, sizeof(octets)});
  req.sink_to = to;
  iwarp_rdmap_read_req_encode(octets, sizeof(octets), &len, &req);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void read_order_of(struct rules_fixture *l, uint64_t first, uint64_t second) {
  fixture_begin(l);
  read_to(l, 1, 0x100);
  read_to(l, 2, 0x200);
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, first, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, second, 9));
}

static void read_order_kept(struct rules_fixture *l) {
  read_order_of(l, 0x100, 0x200);
}

static void read_order_swapped(struct rules_fixture *l) {
  read_order_of(l, 0x200, 0x100);
}

static void read_order_atomics(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  const iwarp_rdmap_atomic_req b = fixture_fetch_add(6);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  fixture_atomic(l, FIXTURE_INITIATOR, 2, &b);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 6);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 2, 5);
}

/* ---- requests without an answer ---- */

/* The Responder's first FPDU is a Read Request that is captured after its answer. */
static void read_first_late(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  l->received = l->next[FIXTURE_RESPONDER] + 52;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_response(9));
  l->received = l->next[FIXTURE_INITIATOR];
  fixture_read(l, FIXTURE_RESPONDER, 1, 9);
  fixture_atomic(l, FIXTURE_RESPONDER, 2, &a);
  fixture_atomic_response(l, FIXTURE_INITIATOR, 1, 5);
}

/* Of a first segment at another MO ddp.mo-first speaks; its length is right. */
static void read_at_28(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 28, 28);
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void read_left(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
}

/* Both sides send on, each knowing of the other's. */
static void read_pass_by(struct rules_fixture *l) {
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void read_left_passed(struct rules_fixture *l) {
  read_left(l);
  read_pass_by(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The requester ends the stream with a Terminate of another RDMAP version. */
static void read_left_by_another_version(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  s.ddp.rsvdulp = iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.opcode = IWARP_RDMAP_OP_TERMINATE});
  read_left(l);
  read_pass_by(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_left_closed(struct rules_fixture *l) {
  read_left(l);
  read_pass_by(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_left_atomic(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  read_pass_by(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The requester sends on, then the other side, which had that. */
static void read_left_after_both(struct rules_fixture *l) {
  read_left(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* Only requests follow: they may wait together. */
static void read_left_queued(struct rules_fixture *l) {
  read_left(l);
  fixture_read(l, FIXTURE_INITIATOR, 2, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* What was sent after the first one says nothing of the second. */
static void read_left_second(struct rules_fixture *l) {
  read_left(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_read(l, FIXTURE_INITIATOR, 2, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* It had not got what the requester sent on. */
static void read_left_crossing(struct rules_fixture *l) {
  read_left(l);
  l->received = l->next[FIXTURE_INITIATOR];
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  l->received = l->next[FIXTURE_INITIATOR] - 1;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The other side has not sent on: its ULP may have closed with the request under way. */
static void read_left_at_once(struct rules_fixture *l) {
  read_left(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_left_given_up(struct rules_fixture *l) {
  read_left(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_left_on_its_way(struct rules_fixture *l) {
  read_left(l);
  l->received = l->next[FIXTURE_INITIATOR] - 1;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  l->received = l->next[FIXTURE_INITIATOR] - 1;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_left_reset(struct rules_fixture *l) {
  read_left(l);
  read_pass_by(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void read_left_terminated(struct rules_fixture *l) {
  read_left(l);
  read_pass_by(l);
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_left_gap(struct rules_fixture *l) {
  read_left(l);
  read_pass_by(l);
  fixture_gap(l, FIXTURE_RESPONDER, 40, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* What the closing side had received last is not in the capture. */
static void read_left_unseen(struct rules_fixture *l) {
  read_left(l);
  read_pass_by(l);
  l->received = l->next[FIXTURE_INITIATOR] + 9;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_done_closed(struct rules_fixture *l) {
  read_left(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The Response comes after Sends of both sides, as the last FPDU. */
static void read_done_late(struct rules_fixture *l) {
  read_left(l);
  read_pass_by(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* ---- Terminate ---- */

static void term_sent(struct rules_fixture *l, iwarp_rdmap_term t) {
  fixture_begin(l);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void term_good(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 2});
}

static void term_length(struct rules_fixture *l, size_t len) {
  uint8_t octets[4] = {0x20, 2, 0, 0};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, len));
}

static void term_3(struct rules_fixture *l) {
  term_length(l, 3);
}

static void term_4(struct rules_fixture *l) {
  term_length(l, 4);
}

static void term_in_two(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 2)));
}

static void term_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  s.cut = 21;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void term_code(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .etype = 1, .code = 6});
}

static void term_layer(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 5});
}

static void term_local(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.code = 0x77}); /* any code goes with Local Catastrophic */
}

static void term_reserved(struct rules_fixture *l) {
  static const uint8_t rest[20] = {0x00, 0x2E, 0x41};
  term_sent(l, (iwarp_rdmap_term){
                   .layer = 1, .etype = 1, .reserved = 0x300, .rest = {rest, sizeof(rest)}});
}

static void term_reserved_low(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 2, .reserved = 1});
}

void term_returning(struct rules_fixture *l, iwarp_rdmap_term t, const struct fixture_seg *s) {
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  size_t len = 0;
  iwarp_ddp_hdr_encode(header, sizeof(header), &len, &s->ddp);
  t.d = true;
  t.has_ddp_segment_length = true;
  t.ddp_segment_length = (uint16_t)(len + s->len + l->segment_more);
  t.ddp_header = (iwarp_span){header, len};
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static const iwarp_rdmap_term term_untagged = {.layer = 1, .etype = 2, .code = 5, .m = true};

static void term_with_header(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  fixture_begin(l);
  term_returning(l, term_untagged, &s);
}

static void term_with_tagged_header(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_write();
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true}, &s);
}

/* A Remote Protection Error about this segment. */
static void term_protection(struct rules_fixture *l, struct fixture_seg s) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.etype = 1, .code = 0, .m = true}, &s);
}

static void term_protection_write(struct rules_fixture *l) {
  term_protection(l, fixture_write());
}

static void term_protection_invalidate(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND_INV, 2, 0, 9);
  s.ddp.rsvdulp_word = 7;
  term_protection(l, s);
}

static void term_zero_filled(struct rules_fixture *l) {
  static const uint8_t rest[48] = {0};
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 2, .rest = {rest, sizeof(rest)}});
}

static void term_surplus(struct rules_fixture *l) {
  static const uint8_t rest[2] = {0, 1};
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 2, .rest = {rest, sizeof(rest)}});
}

static void term_header_cut(struct rules_fixture *l) {
  static const uint8_t rest[17] = {0x41, 0x43};
  term_sent(l, (iwarp_rdmap_term){.layer = 1,
                                  .etype = 2,
                                  .code = 5,
                                  .m = true,
                                  .d = true,
                                  .has_ddp_segment_length = true,
                                  .rest = {rest, sizeof(rest)}});
}

static void term_header_missing(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5, .m = true, .d = true});
}

static void term_header_snapped(struct rules_fixture *l) {
  uint8_t octets[24] = {0x12, 5, 0xC0, 0, 0, 48, 0x41, 0x43};
  struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, 24);
  s.cut = 30;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* A Terminate for the Read Request that the Responder sent, moved on by `served`. */
static void term_read(struct rules_fixture *l, bool with_r, uint64_t served, uint32_t stag) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  uint8_t returned[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  iwarp_rdmap_read_req req = {.sink_stag = stag,
                              .sink_to = FIXTURE_SINK_TO + served,
                              .size = (uint32_t)(100 - served),
                              .source_stag = 0x11223344,
                              .source_to = 0x100000000 + served};
  const struct fixture_seg s = fixture_read_request(octets, 1, 100);
  iwarp_rdmap_term t = {.etype = 1, .m = true, .r = with_r};
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  iwarp_rdmap_read_req_encode(returned, sizeof(returned), &len, &req);
  t.rdma_header = (iwarp_span){returned, with_r ? len : 0};
  if (served > 0) {
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_response((size_t)served)));
  }
  term_returning(l, t, &s);
}

static void term_read_good(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, true, 0, FIXTURE_SINK);
}

static void term_read_served(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, true, 40, FIXTURE_SINK);
}

static void term_read_all_served(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, true, 100, FIXTURE_SINK);
}

static void term_read_other(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, true, 0, FIXTURE_SINK + 1);
}

static void term_read_lost(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 8, IWARP_GAP_LOST);
  l->lost[FIXTURE_RESPONDER] = false;
  term_read(l, true, 0, FIXTURE_SINK);
}

static void term_read_without_r(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, false, 0, FIXTURE_SINK);
}

static void term_r_on_send(struct rules_fixture *l) {
  uint8_t header[IWARP_RDMAP_READ_REQ_LEN] = {0};
  const struct fixture_seg s = fixture_send(1);
  iwarp_rdmap_term t = term_untagged;
  t.r = true;
  t.rdma_header = (iwarp_span){header, sizeof(header)};
  fixture_begin(l);
  term_returning(l, t, &s);
}

static void term_r_without_d(struct rules_fixture *l) {
  static const uint8_t rest[28] = {9};
  term_sent(l, (iwarp_rdmap_term){.etype = 1, .r = true, .rest = {rest, sizeof(rest)}});
}

static void term_flags_missing(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5});
}

static void term_flags_llp(struct rules_fixture *l) {
  term_sent(l,
            (iwarp_rdmap_term){.layer = 2, .code = 2, .m = true, .has_ddp_segment_length = true});
}

static void term_flags_version(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 6});
}

static void term_flags_ddp_local(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1});
}

static void term_flags_operation(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.etype = 2, .code = 7});
}

static void term_operation_with_header(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  fixture_begin(l);
  term_returning(l, (iwarp_rdmap_term){.etype = 2, .code = 6, .m = true}, &s);
}

static void term_protection_without(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.etype = 1, .code = 9});
}

static void term_header_never_sent(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(9);
  fixture_begin(l);
  term_returning(l, term_untagged, &s);
}

static void term_header_one_bit(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.last = false;
  fixture_begin(l);
  term_returning(l, term_untagged, &s);
}

static void term_header_gap(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(2);
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  term_returning(l, term_untagged, &s);
}

static void term_header_unseen(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(2);
  fixture_begin(l);
  l->received = l->next[FIXTURE_RESPONDER] + 52;
  term_returning(l, term_untagged, &s);
}

static void term_header_long_ago(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(9999);
  fixture_begin(l);
  for (uint32_t msn = 2; msn < 300; msn++) {
    fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(msn));
  }
  term_returning(l, term_untagged, &s);
}

static void term_segment_longer(struct rules_fixture *l) {
  l->segment_more = 1;
  term_with_header(l);
}

static void term_segment_payload(struct rules_fixture *l) {
  l->segment_more = (uint16_t)-IWARP_DDP_TAGGED_LEN;
  term_with_tagged_header(l);
}

static void term_segment_not_valid(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  l->segment_more = 7;
  fixture_begin(l);
  term_returning(l, (iwarp_rdmap_term){.etype = 2, .code = 6}, &s);
}

/* Another segment with the same header may be among what is missing. */
static void term_segment_gap(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  l->segment_more = 1;
  term_returning(l, term_untagged, &s);
}

static void term_segment_either(struct rules_fixture *l) {
  struct fixture_seg s = fixture_write();
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  s.len = 20;
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true}, &s);
}

static struct fixture_seg term_part(uint8_t *octets, uint32_t mo, size_t len) {
  return fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, mo, 0), octets, len);
}

void term_halves(struct rules_fixture *l) {
  uint8_t octets[24] = {0x20, 5};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(term_part(octets, 0, 20)));
  fixture_fpdu(l, FIXTURE_INITIATOR, term_part(&octets[20], 20, 4));
}

static void term_halves_then_third(struct rules_fixture *l) {
  uint8_t octets[4] = {0};
  term_halves(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, term_part(octets, 24, 4));
}

static void term_halves_gap(struct rules_fixture *l) {
  uint8_t octets[24] = {0x20, 5};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(term_part(octets, 0, 10)));
  fixture_gap(l, FIXTURE_INITIATOR, 34, IWARP_GAP_LOST);
  l->lost[FIXTURE_INITIATOR] = false;
  fixture_fpdu(l, FIXTURE_INITIATOR, term_part(&octets[20], 20, 4));
}

static void term_msn_7(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 7);
}

static void term_msn_unknown(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 60, IWARP_GAP_LOST);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 2);
}

static void term_both(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
}

static void term_twice(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 2);
}

static void term_then_send(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_write()));
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(40)); /* nothing but that it is there */
}

static void term_gap_send(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_gap(l, FIXTURE_INITIATOR, 9, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* The Terminate may be payload that the search came upon. */
static void term_found_send(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 9, IWARP_GAP_LOST);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void term_then_peer(struct rules_fixture *l) {
  term_both(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* ---- RFC 7306 ---- */

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

/* The Initiator sends a Terminate; then both directions end. */
static void term_ends(struct rules_fixture *l, iwarp_end initiator, iwarp_end responder) {
  term_good(l);
  fixture_end(l, FIXTURE_INITIATOR, initiator);
  l->no_ack = responder == IWARP_END_RST && initiator == IWARP_END_RST;
  fixture_end(l, FIXTURE_RESPONDER, responder);
}

static void term_then_fin(struct rules_fixture *l) {
  term_ends(l, IWARP_END_FIN, IWARP_END_FIN);
}

static void term_then_rst(struct rules_fixture *l) {
  term_ends(l, IWARP_END_RST, IWARP_END_RST);
}

/* What comes after the FIN is answered with an RST: the Terminate has had its time. */
static void term_then_fin_then_rst(struct rules_fixture *l) {
  term_good(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  l->no_ack = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void term_received_then_rst(struct rules_fixture *l) {
  term_good(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

/* It may have refused the startup frame before the Terminate. */
static void term_rst_of_no_fpdu(struct rules_fixture *l) {
  static uint8_t octets[4] = {0x20, 2, 0, 0};
  fixture_open(l);
  fixture_fpdu(
      l, FIXTURE_INITIATOR,
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, sizeof(octets)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

/* The RST left before the Terminate came. */
static void term_crosses_rst(struct rules_fixture *l) {
  term_good(l);
  l->received = l->next[FIXTURE_INITIATOR] - 1;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

/* Half a Terminate is none yet. */
static void term_half_then_rst(struct rules_fixture *l) {
  term_in_two(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void term_half_cut_then_rst(struct rules_fixture *l) {
  static uint8_t octets[2] = {0, 4};
  term_in_two(l);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){octets, sizeof(octets)}, sizeof(octets),
              IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void term_halves_then_rst(struct rules_fixture *l) {
  static uint8_t octets[2] = {0, 0};
  term_in_two(l);
  fixture_fpdu(
      l, FIXTURE_INITIATOR,
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 2, 0), octets, sizeof(octets)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void term_rst_without(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* Nobody says who sent the RST. */
static void term_rst_of_whom(struct rules_fixture *l) {
  term_good(l);
  l->no_ack = true;
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* What looks like a Terminate may be payload. */
static void term_found_then_rst(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 9, IWARP_GAP_LOST);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

const struct rules_case rules_cases_rdmap[] = {
    {"rdmap.version", FIXTURE_PASS, 0, "1", rdmap_all_sends, NULL},
    {"rdmap.version", FIXTURE_NEAR, 0, "0 under Rev 0", ddp_rdmac_good, "mpa.rev-rdmac"},
    {"rdmap.version", FIXTURE_FAIL, 0, "0", rdmap_rv0, NULL},
    {"rdmap.version", FIXTURE_FAIL, 0, "3", rdmap_rv3, NULL},
    {"rdmap.version", FIXTURE_UNSURE, IWARP_WHY_NO_NEGOTIATION, "0, no Reply", rdmap_rv0_unknown,
     NULL},
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
    {"ddp.to-wrap", FIXTURE_PASS, 0, "the sink of a Read", read_good, NULL},
    {"ddp.to-wrap", FIXTURE_NEAR, 0, "a sink up to the last octet", read_sink_to_end, NULL},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "a sink that wraps, answered as asked", read_sink_wraps, NULL},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "a Response to nothing", read_wrap_unasked,
     "rdmap.read-response-unasked"},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "a Response elsewhere", read_wrap_own,
     "rdmap.read-response-to"},
    {"ddp.to-wrap", FIXTURE_UNSURE, IWARP_WHY_GAP, "the Request is lost", read_wrap_unknown, NULL},
    {"ddp.to-wrap", FIXTURE_UNSURE, IWARP_WHY_GAP, "the Request is cut", read_wrap_request_cut,
     NULL},
    {"rdmap.read-request-length", FIXTURE_PASS, 0, "28", read_good, NULL},
    {"rdmap.read-request-length", FIXTURE_NEAR, 0, "20 and 8", read_in_two, NULL},
    {"rdmap.read-request-length", FIXTURE_PASS, 0, "28 at MO 28", read_at_28, "ddp.mo-first"},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "27", read_short, NULL},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "29", read_long, NULL},
    {"rdmap.read-request-last", FIXTURE_PASS, 0, "L", read_good, NULL},
    {"rdmap.read-request-last", FIXTURE_NEAR, 0, "L in the second", read_in_two, NULL},
    {"rdmap.read-request-last", FIXTURE_FAIL, 0, "no L", read_not_last, NULL},
    {"rdmap.read-request-last", FIXTURE_FAIL, 0, "no L, then a Send", read_not_last_goes_on, NULL},
    {"rdmap.reads-outstanding", FIXTURE_PASS, 0, "two", read_good, NULL},
    {"rdmap.reads-outstanding", FIXTURE_NEAR, 0, "eight", read_at_limit, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "nine and more", read_above_limit, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "above its own ORD", read_responder_limit, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "ORD left to the ULP, IRD announced",
     read_responder_unspecified, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "with an Atomic", read_with_atomics, NULL},
    {"rdmap.reads-outstanding", FIXTURE_UNSURE, IWARP_WHY_NO_NEGOTIATION, "Rev 1",
     read_not_negotiated, NULL},
    {"rdmap.reads-outstanding", FIXTURE_UNSURE, IWARP_WHY_NO_NEGOTIATION, "0x3fff",
     read_unspecified, NULL},
    {"rdmap.reads-outstanding", FIXTURE_UNSURE, IWARP_WHY_GAP, "more was received",
     read_limit_unseen, NULL},
    {"rdmap.reads-outstanding", FIXTURE_UNSURE, IWARP_WHY_SNAPLEN, "a gap", read_limit_gap, NULL},
    {"rdmap.reads-outstanding", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap before the first of them",
     read_answer_lost_first, NULL},
    {"rdmap.reads-outstanding", FIXTURE_UNSURE, IWARP_WHY_LIMIT, "too many to keep",
     read_limit_memory, NULL},
    {"rdmap.read-response-unasked", FIXTURE_PASS, 0, "asked", read_good, NULL},
    {"rdmap.read-response-unasked", FIXTURE_NEAR, 0, "eight asked", read_at_limit, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "half a Request", read_unasked_partial, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "unasked", read_unasked, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "twice", read_answered_twice, NULL},
    {"rdmap.read-response-unasked", FIXTURE_UNSURE, IWARP_WHY_GAP, "more was received",
     read_unasked_unseen, NULL},
    {"rdmap.read-response-unasked", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.read-response-unasked", FIXTURE_UNSURE, IWARP_WHY_GAP, "after a gap",
     read_unasked_learnt, NULL},
    {"rdmap.read-response-unasked", FIXTURE_UNSURE, IWARP_WHY_ONE_DIRECTION, "one direction",
     read_one_sided, NULL},
    {"rdmap.read-response-stag", FIXTURE_PASS, 0, "copied", read_good, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "another", read_other_stag, NULL},
    {"rdmap.read-response-stag", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.read-response-stag", FIXTURE_UNSURE, IWARP_WHY_GAP, "Request cut", read_request_cut,
     NULL},
    {"rdmap.read-response-to", FIXTURE_PASS, 0, "copied", read_good, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "one more", read_other_to, NULL},
    {"rdmap.read-response-to", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.read-response-length", FIXTURE_PASS, 0, "as asked", read_good, NULL},
    {"rdmap.read-response-length", FIXTURE_NEAR, 0, "as asked, eight times", read_at_limit, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "one less", read_too_little, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "one more", read_too_much, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "9 for 0", read_empty_answered, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "0 for 9", read_answered_empty, NULL},
    {"rdmap.read-response-length", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.read-response-length", FIXTURE_UNSURE, IWARP_WHY_GAP, "Request cut", read_request_cut,
     NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "in a Response", read_hole, NULL},
    {"ddp.stag-constant", FIXTURE_FAIL, 0, "in a Response", read_other_stag_later, NULL},
    {"rdmap.response-order", FIXTURE_PASS, 0, "in order", read_order_good, NULL},
    {"rdmap.response-order", FIXTURE_NEAR, 0, "Reads only", read_good, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "Atomic before Read", read_order_atomic_first, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "Read before Atomic", read_order_read_first, NULL},
    {"rdmap.response-order", FIXTURE_NEAR, 0, "two places", read_order_kept, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "two Reads", read_order_swapped, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "two Atomics", read_order_atomics, NULL},
    {"rdmap.response-order", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.response-order", FIXTURE_UNSURE, IWARP_WHY_GAP, "the first Request is late",
     read_first_late, NULL},
    {"rdmap.request-answered", FIXTURE_PASS, 0, "answered", read_done_closed, NULL},
    {"rdmap.request-answered", FIXTURE_NEAR, 0, "answered last", read_done_late, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "a Read", read_left_closed, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "an Atomic", read_left_atomic, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "passed by", read_left_passed, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "after both sent", read_left_after_both, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "requests queued", read_left_queued, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "the second one", read_left_second, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "crossing", read_left_crossing, NULL},
    {"rdmap.request-answered", FIXTURE_PASS, 0, "given up", read_left_given_up, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "closed at once", read_left_at_once, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "on its way", read_left_on_its_way, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "RST", read_left_reset, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "Terminate", read_left_terminated, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "Terminate of another version",
     read_left_by_another_version, "rdmap.version"},
    {"rdmap.request-answered", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", read_left_gap, NULL},
    {"rdmap.request-answered", FIXTURE_UNSURE, IWARP_WHY_GAP, "unseen", read_left_unseen, NULL},
    {"rdmap.terminate-length", FIXTURE_PASS, 0, "4", term_good, NULL},
    {"rdmap.terminate-length", FIXTURE_NEAR, 0, "4 by hand", term_4, NULL},
    {"rdmap.terminate-length", FIXTURE_SILENT, 0, "goes on", term_in_two, NULL},
    {"rdmap.terminate-length", FIXTURE_FAIL, 0, "3", term_3, NULL},
    {"rdmap.terminate-code", FIXTURE_PASS, 0, "2/0/2", term_good, NULL},
    {"rdmap.terminate-code", FIXTURE_NEAR, 0, "0/0/77", term_local, NULL},
    {"rdmap.terminate-code", FIXTURE_FAIL, 0, "2/1/6", term_code, NULL},
    {"rdmap.terminate-code", FIXTURE_FAIL, 0, "Layer 5", term_layer, NULL},
    {"rdmap.terminate-code", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-reserved", FIXTURE_PASS, 0, "0", term_good, NULL},
    {"rdmap.terminate-reserved", FIXTURE_NEAR, 0, "M, D and R", term_read_good, NULL},
    {"rdmap.terminate-reserved", FIXTURE_FAIL, 0, "flags misplaced", term_reserved, NULL},
    {"rdmap.terminate-reserved", FIXTURE_FAIL, 0, "the last bit", term_reserved_low, NULL},
    {"rdmap.terminate-reserved", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-headers", FIXTURE_PASS, 0, "Untagged", term_with_header, NULL},
    {"rdmap.terminate-headers", FIXTURE_PASS, 0, "Tagged", term_with_tagged_header, NULL},
    {"rdmap.terminate-headers", FIXTURE_NEAR, 0, "zeros after it", term_zero_filled, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "an octet after it", term_surplus, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "an octet less", term_header_cut, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "no header", term_header_missing, NULL},
    {"rdmap.terminate-headers", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", term_header_snapped, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_PASS, 0, "of a Read", term_read_good, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_NEAR, 0, "of a Read, served", term_read_served, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_FAIL, 0, "of a Send", term_r_on_send, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_FAIL, 0, "without D", term_r_without_d, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-flags", FIXTURE_PASS, 0, "M and D", term_with_header, NULL},
    {"rdmap.terminate-flags", FIXTURE_PASS, 0, "M, D and R", term_read_good, NULL},
    {"rdmap.terminate-flags", FIXTURE_PASS, 0, "none", term_good, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "another version", term_flags_version, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "DDP catastrophic", term_flags_ddp_local, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "if possible", term_flags_operation, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "of a Send", term_operation_with_header, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "of an invalidation", term_protection_without, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "none for DDP", term_flags_missing, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "M for MPA", term_flags_llp, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "no R for a Read", term_read_without_r, NULL},
    {"rdmap.terminate-flags", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-cause", FIXTURE_PASS, 0, "a Read", term_read_good, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "an Invalidate", term_protection_invalidate, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "a Write", term_protection_write, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_PASS, 0, "of a Send", term_with_header, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_NEAR, 0, "of a Write", term_with_tagged_header, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "never sent", term_header_never_sent, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "one bit", term_header_one_bit, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", term_header_gap, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_UNSURE, IWARP_WHY_GAP, "more was received",
     term_header_unseen, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_UNSURE, IWARP_WHY_LIMIT, "long ago",
     term_header_long_ago, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_PASS, 0, "of a Send", term_with_header, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_PASS, 0, "of a Read", term_read_good, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_NEAR, 0, "of either Write", term_segment_either,
     NULL},
    {"rdmap.terminate-segment-length", FIXTURE_SILENT, 0, "M clear", term_segment_not_valid, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_FAIL, 0, "one more", term_segment_longer, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_FAIL, 0, "payload alone", term_segment_payload,
     NULL},
    {"rdmap.terminate-segment-length", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", term_segment_gap,
     NULL},
    {"rdmap.terminate-read-header", FIXTURE_PASS, 0, "as sent", term_read_good, NULL},
    {"rdmap.terminate-read-header", FIXTURE_NEAR, 0, "moved on", term_read_served, NULL},
    {"rdmap.terminate-read-header", FIXTURE_NEAR, 0, "to its end", term_read_all_served, NULL},
    {"rdmap.terminate-read-header", FIXTURE_FAIL, 0, "another STag", term_read_other, NULL},
    {"rdmap.terminate-read-header", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", term_read_lost, NULL},
    {"rdmap.terminate-msn", FIXTURE_PASS, 0, "1", term_good, NULL},
    {"rdmap.terminate-msn", FIXTURE_NEAR, 0, "1 both ways", term_both, NULL},
    {"rdmap.terminate-msn", FIXTURE_FAIL, 0, "7", term_msn_7, NULL},
    {"rdmap.terminate-msn", FIXTURE_UNSURE, IWARP_WHY_GAP, "after a gap", term_msn_unknown, NULL},
    {"rdmap.terminate-single", FIXTURE_PASS, 0, "one", term_good, NULL},
    {"rdmap.terminate-single", FIXTURE_NEAR, 0, "one both ways", term_both, NULL},
    {"rdmap.terminate-single", FIXTURE_NEAR, 0, "one in two segments", term_halves, NULL},
    {"rdmap.terminate-single", FIXTURE_UNSURE, IWARP_WHY_GAP, "in two, a gap", term_halves_gap,
     NULL},
    {"rdmap.terminate-single", FIXTURE_FAIL, 0, "after its last segment", term_halves_then_third,
     NULL},
    {"rdmap.terminate-single", FIXTURE_FAIL, 0, "two", term_twice, NULL},
    {"rdmap.terminate-final", FIXTURE_PASS, 0, "then nothing", term_then_peer, NULL},
    {"rdmap.terminate-final", FIXTURE_UNSURE, IWARP_WHY_MID_STREAM, "after a gap", term_gap_send,
     NULL},
    {"rdmap.terminate-final", FIXTURE_UNSURE, IWARP_WHY_GAP, "found", term_found_send, NULL},
    {"rdmap.terminate-single", FIXTURE_UNSURE, IWARP_WHY_GAP, "found", term_found_send, NULL},
    {"rdmap.terminate-final", FIXTURE_FAIL, 0, "then a Send", term_then_send, NULL},
    {"rdmap.immediate-length", FIXTURE_PASS, 0, "8", ext_immediate_8, NULL},
    {"rdmap.immediate-length", FIXTURE_NEAR, 0, "8 with SE", ext_immediate_se_8, NULL},
    {"rdmap.immediate-length", FIXTURE_FAIL, 0, "9", ext_immediate_9, NULL},
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
    {"rdmap.atomic-opcode", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", ext_request_cut, NULL},
    {"rdmap.atomic-reserved", FIXTURE_PASS, 0, "0", ext_fetch_add, NULL},
    {"rdmap.atomic-reserved", FIXTURE_NEAR, 0, "0 beside opcode 2", ext_cmp_swap, NULL},
    {"rdmap.atomic-reserved", FIXTURE_FAIL, 0, "1", ext_reserved, NULL},
    {"rdmap.atomic-compare-data", FIXTURE_PASS, 0, "0", ext_fetch_add, NULL},
    {"rdmap.atomic-compare-data", FIXTURE_NEAR, 0, "FetchAdd", ext_answer_good, NULL},
    {"rdmap.atomic-compare-data", FIXTURE_FAIL, 0, "1", ext_compare_data, NULL},
    {"rdmap.atomic-compare-data", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", ext_request_cut, NULL},
    {"rdmap.atomic-compare-mask", FIXTURE_PASS, 0, "all ones", ext_fetch_add, NULL},
    {"rdmap.atomic-compare-mask", FIXTURE_NEAR, 0, "FetchAdd", ext_answer_good, NULL},
    {"rdmap.atomic-compare-mask", FIXTURE_FAIL, 0, "one bit less", ext_compare_mask, NULL},
    {"rdmap.atomic-compare-mask", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", ext_request_cut, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_PASS, 0, "asked", ext_answer_good, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_NEAR, 0, "asked twice", ext_answer_second, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_FAIL, 0, "unasked", ext_unasked, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_UNSURE, IWARP_WHY_GAP, "more was received",
     ext_unasked_unseen, NULL},
    {"rdmap.atomic-response-unasked", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", ext_unasked_gap,
     NULL},
    {"rdmap.atomic-response-id", FIXTURE_PASS, 0, "the same", ext_answer_good, NULL},
    {"rdmap.atomic-response-id", FIXTURE_NEAR, 0, "each its own", ext_answer_second, NULL},
    {"rdmap.atomic-response-id", FIXTURE_FAIL, 0, "another", ext_answer_other, NULL},
    {"rdmap.atomic-response-id", FIXTURE_UNSURE, IWARP_WHY_GAP, "a gap", ext_unasked_gap, NULL},
    {"rdmap.atomic-response-id", FIXTURE_UNSURE, IWARP_WHY_GAP, "Request cut", ext_request_cut,
     NULL},
    {"rdmap.atomic-response-id", FIXTURE_UNSURE, IWARP_WHY_GAP, "cut", ext_response_cut, NULL},
    {"rdmap.terminate-reset", FIXTURE_PASS, 0, "FIN", term_then_fin, NULL},
    {"rdmap.terminate-reset", FIXTURE_NEAR, 0, "RST after its FIN", term_then_fin_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_FAIL, 0, "RST", term_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_FAIL, 0, "RST of the other side", term_received_then_rst,
     NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "RST of a side without an FPDU",
     term_rst_of_no_fpdu, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "it crosses the RST", term_crosses_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "half of it came", term_half_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "half of it and half an FPDU",
     term_half_cut_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_FAIL, 0, "both halves came", term_halves_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "no Terminate", term_rst_without, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "whose RST", term_rst_of_whom, NULL},
    {"rdmap.terminate-reset", FIXTURE_UNSURE, IWARP_WHY_GAP, "found", term_found_then_rst, NULL},
};

const size_t rules_cases_rdmap_num = sizeof(rules_cases_rdmap) / sizeof(rules_cases_rdmap[0]);
