/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on RDMAP messages. */
#ifndef RULES_CASES_RDMAP_H
#define RULES_CASES_RDMAP_H

#include "rules_lab.h"

static void rdmap_sent(struct lab *l, struct lab_seg s) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
}

static struct lab_seg rdmap_octet(uint8_t octet) {
  struct lab_seg s = lab_send(2);
  s.ddp.rsvdulp = octet;
  return s;
}

/* ---- control field ---- */

static void rdmap_all_sends(struct lab *l) {
  lab_begin(l);
  for (uint8_t op = IWARP_RDMAP_OP_SEND; op <= IWARP_RDMAP_OP_SEND_SE_INV; op++) {
    struct lab_seg s = lab_untagged(op, op - 1u, 0, 9);
    s.ddp.rsvdulp_word = iwarp_rdmap_op_get(op)->invalidates ? 0x1234 : 0;
    lab_fpdu(l, LAB_INITIATOR, s);
  }
  lab_fpdu(l, LAB_INITIATOR, lab_write());
}

static void rdmap_rv0(struct lab *l) {
  rdmap_sent(l, rdmap_octet(0x33)); /* the other bits are not judged in another version */
}

static void rdmap_rv3(struct lab *l) {
  rdmap_sent(l, rdmap_octet(0xCF));
}

static void rdmap_rv0_unknown(struct lab *l) {
  struct lab_seg s = lab_send(1);
  s.ddp.rsvdulp = 0x03;
  start_request_only(l);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  l->next[1] += 40;
  lab_fpdu(l, LAB_INITIATOR, s);
}

static void rdmap_rsv(struct lab *l) {
  rdmap_sent(l, rdmap_octet(0x53));
}

static void rdmap_op12(struct lab *l) {
  rdmap_sent(l, rdmap_octet(0x4C));
  lab_fpdu(l, LAB_INITIATOR, lab_send(3));
}

static void rdmap_op14(struct lab *l) {
  rdmap_sent(l, rdmap_octet(0x4E));
}

static void rdmap_op15(struct lab *l) {
  rdmap_sent(l, rdmap_octet(0x4F));
}

static void rdmap_op11(struct lab *l) {
  const iwarp_rdmap_atomic_req a = lab_fetch_add(5);
  lab_begin(l);
  lab_atomic(l, LAB_RESPONDER, 1, &a);
  lab_atomic_response(l, LAB_INITIATOR, 1, 5);
}

static void rdmap_tagged_send(struct lab *l) {
  rdmap_sent(l, lab_tagged(IWARP_RDMAP_OP_SEND, 1, 2, 9));
  lab_fpdu(l, LAB_INITIATOR, lab_send(2)); /* no queue counted it */
}

static void rdmap_tagged_send_counted(struct lab *l) {
  rdmap_sent(l, lab_tagged(IWARP_RDMAP_OP_SEND, 1, 2, 9));
  lab_fpdu(l, LAB_INITIATOR, lab_send(3)); /* its sender did */
}

static void rdmap_untagged_write(struct lab *l) {
  rdmap_sent(l, lab_untagged(IWARP_RDMAP_OP_WRITE, 2, 0, 9));
  lab_fpdu(l, LAB_INITIATOR, lab_send(2));
}

static void rdmap_untagged_response(struct lab *l) {
  lab_begin(l);
  lab_read(l, LAB_RESPONDER, 1, 9);
  lab_fpdu(l, LAB_INITIATOR, lab_untagged(IWARP_RDMAP_OP_READ_RESP, 2, 0, 9));
  lab_fpdu(l, LAB_INITIATOR, lab_read_response(9));
}

static void rdmap_untagged_in_write(struct lab *l) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(lab_write()));
  lab_fpdu(l, LAB_INITIATOR, lab_untagged(IWARP_RDMAP_OP_WRITE, 2, 0, 9));
  lab_fpdu(l, LAB_INITIATOR, lab_send(2));
}

static struct lab_seg rdmap_qn(struct lab_seg s, uint32_t qn) {
  s.ddp.qn = qn;
  return s;
}

static void rdmap_send_qn3(struct lab *l) {
  rdmap_sent(l, rdmap_qn(lab_send(2), 3));
  lab_fpdu(l, LAB_INITIATOR, lab_send(3));
}

static void rdmap_send_qn7(struct lab *l) {
  rdmap_sent(l, rdmap_qn(lab_send(2), 7));
}

static void rdmap_read_qn0(struct lab *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  rdmap_sent(l, rdmap_qn(lab_read_request(octets, 2, 9), 0));
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9)); /* it may be answered, or not */
}

static void rdmap_send_stag(struct lab *l) {
  struct lab_seg s = lab_send(2);
  s.ddp.rsvdulp_word = 1;
  rdmap_sent(l, s);
}

static void rdmap_read_stag(struct lab *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct lab_seg s = lab_read_request(octets, 1, 9);
  s.ddp.rsvdulp_word = 0x80000000;
  rdmap_sent(l, s);
}

/* ---- RDMA Reads ---- */

static void read_good(struct lab *l) {
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, 100);
  lab_read(l, LAB_INITIATOR, 2, 0);
  lab_fpdu(l, LAB_RESPONDER, lab_more(lab_read_response(60)));
  struct lab_seg rest = lab_read_response(40);
  rest.ddp.to += 60;
  lab_fpdu(l, LAB_RESPONDER, rest);
  lab_fpdu(l, LAB_RESPONDER, lab_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0)); /* STag is free */
}

static void read_length(struct lab *l, size_t len) {
  uint8_t octets[64] = {0};
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_with(lab_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 0), octets, len));
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

static void read_short(struct lab *l) {
  read_length(l, 27);
}

static void read_long(struct lab *l) {
  read_length(l, 29);
}

static void read_in_two(struct lab *l) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(lab_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 20)));
  lab_fpdu(l, LAB_INITIATOR, lab_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 20, 8));
}

static void read_not_last(struct lab *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(lab_read_request(octets, 1, 9)));
}

static void read_many(struct lab *l, unsigned side, uint32_t num) {
  lab_begin(l);
  for (uint32_t msn = 1; msn <= num; msn++) {
    lab_read(l, side, msn, 10);
  }
}

static void read_at_limit(struct lab *l) {
  read_many(l, LAB_INITIATOR, LAB_DEPTH);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(10));
  lab_read(l, LAB_INITIATOR, LAB_DEPTH + 1, 10);
}

static void read_above_limit(struct lab *l) {
  read_many(l, LAB_INITIATOR, LAB_DEPTH + 3); /* said once */
}

static void read_responder_limit(struct lab *l) {
  struct lab_frame reply = lab_reply();
  reply.enh.ord = 2;
  lab_exchange(l, lab_request(), reply);
  lab_fpdu(l, LAB_INITIATOR, lab_send(1));
  for (uint32_t msn = 1; msn <= 3; msn++) {
    lab_read(l, LAB_RESPONDER, msn, 10);
  }
}

/* 0x3FFF as its own ORD does not lift the IRD that the Initiator told. RFC 6581 9.1 */
static void read_responder_unspecified(struct lab *l) {
  struct lab_frame reply = lab_reply();
  reply.enh.ord = IWARP_MPA_DEPTH_UNSPEC;
  lab_exchange(l, lab_request(), reply);
  lab_fpdu(l, LAB_INITIATOR, lab_send(1));
  for (uint32_t msn = 1; msn <= LAB_DEPTH + 1; msn++) {
    lab_read(l, LAB_RESPONDER, msn, 10);
  }
}

static void read_with_atomics(struct lab *l) {
  const iwarp_rdmap_atomic_req a = lab_fetch_add(5);
  read_many(l, LAB_INITIATOR, LAB_DEPTH);
  lab_atomic(l, LAB_INITIATOR, LAB_DEPTH + 1, &a);
}

static void read_not_negotiated(struct lab *l) {
  start_rev1(l);
  lab_settle(l);
  lab_read(l, LAB_INITIATOR, 1, 10);
}

static void read_unspecified(struct lab *l) {
  start_both_unspecified(l);
  lab_settle(l);
  lab_read(l, LAB_INITIATOR, 1, 10);
}

static void read_limit_unseen(struct lab *l) {
  read_many(l, LAB_INITIATOR, LAB_DEPTH);
  l->received = l->next[LAB_RESPONDER] + 40; /* a Response that was not seen may have come */
  lab_read(l, LAB_INITIATOR, LAB_DEPTH + 1, 10);
}

static void read_limit_gap(struct lab *l) {
  lab_begin(l);
  lab_gap(l, LAB_RESPONDER, 20, IWARP_GAP_SNAPLEN);
  lab_read(l, LAB_INITIATOR, 1, 10);
}

static void read_limit_memory(struct lab *l) {
  struct lab_frame request = lab_request();
  struct lab_frame reply = lab_reply();
  request.enh.ird = request.enh.ord = reply.enh.ird = reply.enh.ord = 1000;
  lab_exchange(l, request, reply);
  for (uint32_t msn = 1; msn <= 514; msn++) {
    lab_read(l, LAB_INITIATOR, msn, 10);
  }
}

static void read_unasked(struct lab *l) {
  lab_begin(l);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

static void read_answered_twice(struct lab *l) {
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, 9);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

static void read_unasked_unseen(struct lab *l) {
  lab_begin(l);
  l->received = l->next[LAB_INITIATOR] + 52;
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
  lab_read(l, LAB_INITIATOR, 1, 9); /* it was on its way to us */
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

static void read_unasked_gap(struct lab *l) {
  lab_begin(l);
  lab_gap(l, LAB_INITIATOR, 52, IWARP_GAP_LOST);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

static void read_unasked_learnt(struct lab *l) {
  lab_open_with(l, IWARP_MPA_FLAG_C);
  lab_gap(l, LAB_INITIATOR, 52, IWARP_GAP_LOST);
  lab_fpdu(l, LAB_INITIATOR, lab_send(2));
  lab_read(l, LAB_RESPONDER, 1, 9);
  lab_fpdu(l, LAB_INITIATOR, lab_read_response(9));
}

static void read_one_sided(struct lab *l) {
  start_reply_only(l);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  l->received = LAB_START_0 + 500;
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

static void read_answer(struct lab *l, uint32_t size, struct lab_seg s) {
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, size);
  lab_fpdu(l, LAB_RESPONDER, s);
}

static void read_other_stag(struct lab *l) {
  read_answer(l, 9, lab_tagged(IWARP_RDMAP_OP_READ_RESP, LAB_SINK + 1, LAB_SINK_TO, 9));
}

static void read_other_to(struct lab *l) {
  read_answer(l, 9, lab_tagged(IWARP_RDMAP_OP_READ_RESP, LAB_SINK, LAB_SINK_TO + 1, 9));
}

static void read_too_little(struct lab *l) {
  read_answer(l, 9, lab_read_response(8));
}

static void read_too_much(struct lab *l) {
  read_answer(l, 9, lab_more(lab_read_response(10)));
  struct lab_seg rest = lab_read_response(10);
  rest.ddp.to += 10;
  lab_fpdu(l, LAB_RESPONDER, rest); /* said once */
}

static void read_empty_answered(struct lab *l) {
  read_answer(l, 0, lab_tagged(IWARP_RDMAP_OP_READ_RESP, 77, 77, 9));
}

static void read_answered_empty(struct lab *l) {
  read_answer(l, 9, lab_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0));
}

static void read_request_cut(struct lab *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct lab_seg s = lab_read_request(octets, 1, 9);
  s.cut = 40;
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

/* A Read Request whose sink begins 9 octets below 2^64. */
static void read_near_end(struct lab *l, uint32_t msn, uint32_t size) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct lab_seg s = lab_read_request(octets, msn, size);
  iwarp_rdmap_read_req req;
  size_t len;
  iwarp_rdmap_read_req_decode(&req, (iwarp_span){octets, sizeof(octets)});
  req.sink_to = UINT64_MAX - 8;
  iwarp_rdmap_read_req_encode(octets, sizeof(octets), &len, &req);
  lab_fpdu(l, LAB_INITIATOR, s);
}

static struct lab_seg read_response_near_end(uint64_t got, size_t len) {
  return lab_tagged(IWARP_RDMAP_OP_READ_RESP, LAB_SINK, UINT64_MAX - 8 + got, len);
}

/* SinkTO is copied: the Responder is not to blame. RFC 5040 4.4 */
static void read_sink_wraps(struct lab *l) {
  lab_begin(l);
  read_near_end(l, 1, 20);
  lab_fpdu(l, LAB_RESPONDER, lab_more(read_response_near_end(0, 12)));
  lab_fpdu(l, LAB_RESPONDER, read_response_near_end(12, 8));
}

static void read_sink_to_end(struct lab *l) {
  lab_begin(l);
  read_near_end(l, 1, 8);
  lab_fpdu(l, LAB_RESPONDER, read_response_near_end(0, 8));
  read_near_end(l, 2, 0); /* it means nothing */
}

static void read_wrap_unasked(struct lab *l) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_send(2));
  lab_fpdu(l, LAB_RESPONDER, read_response_near_end(0, 12));
}

static void read_wrap_own(struct lab *l) {
  read_answer(l, 12, read_response_near_end(0, 12));
}

static void read_wrap_unknown(struct lab *l) {
  lab_begin(l);
  lab_gap(l, LAB_INITIATOR, 52, IWARP_GAP_LOST);
  lab_fpdu(l, LAB_RESPONDER, read_response_near_end(0, 12));
}

static void read_wrap_request_cut(struct lab *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct lab_seg s = lab_read_request(octets, 1, 12);
  s.cut = 40;
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
  lab_fpdu(l, LAB_RESPONDER, read_response_near_end(0, 12));
}

static void read_hole(struct lab *l) {
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, 100);
  lab_fpdu(l, LAB_RESPONDER, lab_more(lab_read_response(60)));
  struct lab_seg rest = lab_read_response(30);
  rest.ddp.to += 70;
  lab_fpdu(l, LAB_RESPONDER, rest); /* ddp.to-contiguous alone */
}

static void read_other_stag_later(struct lab *l) {
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, 100);
  lab_fpdu(l, LAB_RESPONDER, lab_more(lab_read_response(60)));
  lab_fpdu(l, LAB_RESPONDER, lab_tagged(IWARP_RDMAP_OP_READ_RESP, 3, LAB_SINK_TO + 60, 40));
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(1));
}

static void read_order_good(struct lab *l) {
  const iwarp_rdmap_atomic_req a = lab_fetch_add(5);
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, 9);
  lab_atomic(l, LAB_INITIATOR, 2, &a);
  lab_read(l, LAB_INITIATOR, 3, 9);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
  lab_atomic_response(l, LAB_RESPONDER, 1, 5);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

static void read_order_atomic_first(struct lab *l) {
  const iwarp_rdmap_atomic_req a = lab_fetch_add(5);
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, 9);
  lab_atomic(l, LAB_INITIATOR, 2, &a);
  lab_atomic_response(l, LAB_RESPONDER, 1, 5);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
}

static void read_order_read_first(struct lab *l) {
  const iwarp_rdmap_atomic_req a = lab_fetch_add(5);
  lab_begin(l);
  lab_atomic(l, LAB_INITIATOR, 1, &a);
  lab_read(l, LAB_INITIATOR, 2, 9);
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(9));
  lab_atomic_response(l, LAB_RESPONDER, 1, 5);
}

/* ---- Terminate ---- */

static void term_sent(struct lab *l, iwarp_rdmap_term t) {
  lab_begin(l);
  lab_terminate(l, LAB_INITIATOR, 1, &t);
}

static void term_good(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 2});
}

static void term_length(struct lab *l, size_t len) {
  uint8_t octets[4] = {0x20, 2, 0, 0};
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR,
           lab_with(lab_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, len));
}

static void term_3(struct lab *l) {
  term_length(l, 3);
}

static void term_4(struct lab *l) {
  term_length(l, 4);
}

static void term_in_two(struct lab *l) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(lab_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 2)));
}

static void term_cut(struct lab *l) {
  struct lab_seg s = lab_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  s.cut = 21;
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
}

static void term_code(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .etype = 1, .code = 6});
}

static void term_layer(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 5});
}

static void term_local(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.code = 0x77}); /* any code goes with Local Catastrophic */
}

static void term_reserved(struct lab *l) {
  static const uint8_t rest[20] = {0x00, 0x2E, 0x41};
  term_sent(l, (iwarp_rdmap_term){
                   .layer = 1, .etype = 1, .reserved = 0x300, .rest = {rest, sizeof(rest)}});
}

static void term_reserved_low(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 2, .reserved = 1});
}

/* A Terminate that returns the header of the first Send of the other side. */
static void term_returning(struct lab *l, iwarp_rdmap_term t, const struct lab_seg *s) {
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  size_t len = 0;
  iwarp_ddp_hdr_encode(header, sizeof(header), &len, &s->ddp);
  t.d = true;
  t.has_ddp_segment_length = true;
  t.ddp_segment_length = (uint16_t)(len + s->len + l->segment_more);
  t.ddp_header = (iwarp_span){header, len};
  lab_terminate(l, LAB_INITIATOR, 1, &t);
}

static const iwarp_rdmap_term term_untagged = {.layer = 1, .etype = 2, .code = 5, .m = true};

static void term_with_header(struct lab *l) {
  const struct lab_seg s = lab_send(1);
  lab_begin(l);
  term_returning(l, term_untagged, &s);
}

static void term_with_tagged_header(struct lab *l) {
  const struct lab_seg s = lab_write();
  lab_begin(l);
  lab_fpdu(l, LAB_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true}, &s);
}

static void term_zero_filled(struct lab *l) {
  static const uint8_t rest[48] = {0};
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 2, .rest = {rest, sizeof(rest)}});
}

static void term_surplus(struct lab *l) {
  static const uint8_t rest[2] = {0, 1};
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 2, .rest = {rest, sizeof(rest)}});
}

static void term_header_cut(struct lab *l) {
  static const uint8_t rest[17] = {0x41, 0x43};
  term_sent(l, (iwarp_rdmap_term){.layer = 1,
                                  .etype = 2,
                                  .code = 5,
                                  .m = true,
                                  .d = true,
                                  .has_ddp_segment_length = true,
                                  .rest = {rest, sizeof(rest)}});
}

static void term_header_missing(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5, .m = true, .d = true});
}

static void term_header_snapped(struct lab *l) {
  uint8_t octets[24] = {0x12, 5, 0xC0, 0, 0, 48, 0x41, 0x43};
  struct lab_seg s = lab_with(lab_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, 24);
  s.cut = 30;
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
}

/* A Terminate for the Read Request that the Responder sent, moved on by `served`. */
static void term_read(struct lab *l, bool with_r, uint64_t served, uint32_t stag) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  uint8_t returned[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  iwarp_rdmap_read_req req = {.sink_stag = stag,
                              .sink_to = LAB_SINK_TO + served,
                              .size = (uint32_t)(100 - served),
                              .source_stag = 0x11223344,
                              .source_to = 0x100000000 + served};
  const struct lab_seg s = lab_read_request(octets, 1, 100);
  iwarp_rdmap_term t = {.etype = 1, .m = true, .r = with_r};
  lab_fpdu(l, LAB_RESPONDER, s);
  iwarp_rdmap_read_req_encode(returned, sizeof(returned), &len, &req);
  t.rdma_header = (iwarp_span){returned, with_r ? len : 0};
  if (served > 0) {
    lab_fpdu(l, LAB_INITIATOR, lab_more(lab_read_response((size_t)served)));
  }
  term_returning(l, t, &s);
}

static void term_read_good(struct lab *l) {
  lab_begin(l);
  term_read(l, true, 0, LAB_SINK);
}

static void term_read_served(struct lab *l) {
  lab_begin(l);
  term_read(l, true, 40, LAB_SINK);
}

static void term_read_other(struct lab *l) {
  lab_begin(l);
  term_read(l, true, 0, LAB_SINK + 1);
}

static void term_read_lost(struct lab *l) {
  lab_begin(l);
  lab_gap(l, LAB_RESPONDER, 8, IWARP_GAP_LOST);
  l->lost[LAB_RESPONDER] = false;
  term_read(l, true, 0, LAB_SINK);
}

static void term_read_without_r(struct lab *l) {
  lab_begin(l);
  term_read(l, false, 0, LAB_SINK);
}

static void term_r_on_send(struct lab *l) {
  uint8_t header[IWARP_RDMAP_READ_REQ_LEN] = {0};
  const struct lab_seg s = lab_send(1);
  iwarp_rdmap_term t = term_untagged;
  t.r = true;
  t.rdma_header = (iwarp_span){header, sizeof(header)};
  lab_begin(l);
  term_returning(l, t, &s);
}

static void term_r_without_d(struct lab *l) {
  static const uint8_t rest[28] = {9};
  term_sent(l, (iwarp_rdmap_term){.etype = 1, .r = true, .rest = {rest, sizeof(rest)}});
}

static void term_flags_missing(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5});
}

static void term_flags_llp(struct lab *l) {
  term_sent(l,
            (iwarp_rdmap_term){.layer = 2, .code = 2, .m = true, .has_ddp_segment_length = true});
}

static void term_flags_version(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 6});
}

static void term_flags_ddp_local(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1});
}

static void term_flags_operation(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.etype = 2, .code = 7});
}

static void term_operation_with_header(struct lab *l) {
  const struct lab_seg s = lab_send(1);
  lab_begin(l);
  term_returning(l, (iwarp_rdmap_term){.etype = 2, .code = 6, .m = true}, &s);
}

static void term_protection_without(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.etype = 1, .code = 9});
}

static void term_header_never_sent(struct lab *l) {
  const struct lab_seg s = lab_send(9);
  lab_begin(l);
  term_returning(l, term_untagged, &s);
}

static void term_header_one_bit(struct lab *l) {
  struct lab_seg s = lab_send(1);
  s.ddp.last = false;
  lab_begin(l);
  term_returning(l, term_untagged, &s);
}

static void term_header_gap(struct lab *l) {
  const struct lab_seg s = lab_send(2);
  lab_begin(l);
  lab_gap(l, LAB_RESPONDER, 60, IWARP_GAP_LOST);
  term_returning(l, term_untagged, &s);
}

static void term_header_unseen(struct lab *l) {
  const struct lab_seg s = lab_send(2);
  lab_begin(l);
  l->received = l->next[LAB_RESPONDER] + 52;
  term_returning(l, term_untagged, &s);
}

static void term_header_long_ago(struct lab *l) {
  const struct lab_seg s = lab_send(9999);
  lab_begin(l);
  for (uint32_t msn = 2; msn < 300; msn++) {
    lab_fpdu(l, LAB_RESPONDER, lab_send(msn));
  }
  term_returning(l, term_untagged, &s);
}

static void term_segment_longer(struct lab *l) {
  l->segment_more = 1;
  term_with_header(l);
}

static void term_segment_payload(struct lab *l) {
  l->segment_more = (uint16_t)-IWARP_DDP_TAGGED_LEN;
  term_with_tagged_header(l);
}

static void term_segment_not_valid(struct lab *l) {
  const struct lab_seg s = lab_send(1);
  l->segment_more = 7;
  lab_begin(l);
  term_returning(l, (iwarp_rdmap_term){.etype = 2, .code = 6}, &s);
}

/* Another segment with the same header may be among what is missing. */
static void term_segment_gap(struct lab *l) {
  const struct lab_seg s = lab_send(1);
  lab_begin(l);
  lab_gap(l, LAB_RESPONDER, 60, IWARP_GAP_LOST);
  l->segment_more = 1;
  term_returning(l, term_untagged, &s);
}

static void term_segment_either(struct lab *l) {
  struct lab_seg s = lab_write();
  lab_begin(l);
  lab_fpdu(l, LAB_RESPONDER, s);
  s.len = 20;
  lab_fpdu(l, LAB_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true}, &s);
}

static struct lab_seg term_part(uint8_t *octets, uint32_t mo, size_t len) {
  return lab_with(lab_untagged(IWARP_RDMAP_OP_TERMINATE, 1, mo, 0), octets, len);
}

static void term_halves(struct lab *l) {
  uint8_t octets[24] = {0x20, 5};
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(term_part(octets, 0, 20)));
  lab_fpdu(l, LAB_INITIATOR, term_part(&octets[20], 20, 4));
}

static void term_halves_then_third(struct lab *l) {
  uint8_t octets[4] = {0};
  term_halves(l);
  lab_fpdu(l, LAB_INITIATOR, term_part(octets, 24, 4));
}

static void term_halves_gap(struct lab *l) {
  uint8_t octets[24] = {0x20, 5};
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(term_part(octets, 0, 10)));
  lab_gap(l, LAB_INITIATOR, 34, IWARP_GAP_LOST);
  l->lost[LAB_INITIATOR] = false;
  lab_fpdu(l, LAB_INITIATOR, term_part(&octets[20], 20, 4));
}

static void term_msn_7(struct lab *l) {
  lab_begin(l);
  lab_terminate_mpa(l, LAB_INITIATOR, 7);
}

static void term_msn_unknown(struct lab *l) {
  lab_begin_with(l, IWARP_MPA_FLAG_C);
  lab_gap(l, LAB_INITIATOR, 60, IWARP_GAP_LOST);
  lab_terminate_mpa(l, LAB_INITIATOR, 2);
}

static void term_both(struct lab *l) {
  lab_begin(l);
  lab_terminate_mpa(l, LAB_INITIATOR, 1);
  lab_fpdu(l, LAB_RESPONDER, lab_send(2));
  lab_terminate_mpa(l, LAB_RESPONDER, 1);
}

static void term_twice(struct lab *l) {
  lab_begin(l);
  lab_terminate_mpa(l, LAB_INITIATOR, 1);
  lab_terminate_mpa(l, LAB_INITIATOR, 2);
}

static void term_then_send(struct lab *l) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(lab_write()));
  lab_terminate_mpa(l, LAB_INITIATOR, 1);
  lab_fpdu(l, LAB_INITIATOR, lab_send(40)); /* nothing but that it is there */
}

static void term_gap_send(struct lab *l) {
  lab_begin(l);
  lab_terminate_mpa(l, LAB_INITIATOR, 1);
  lab_gap(l, LAB_INITIATOR, 9, IWARP_GAP_LOST);
  lab_fpdu(l, LAB_INITIATOR, lab_send(2));
}

/* The Terminate may be payload that the search came upon. */
static void term_found_send(struct lab *l) {
  lab_begin_with(l, IWARP_MPA_FLAG_C);
  lab_gap(l, LAB_INITIATOR, 9, IWARP_GAP_LOST);
  lab_terminate_mpa(l, LAB_INITIATOR, 1);
  lab_terminate_mpa(l, LAB_INITIATOR, 1);
  lab_fpdu(l, LAB_INITIATOR, lab_send(2));
}

static void term_then_peer(struct lab *l) {
  term_both(l);
  lab_end(l, LAB_INITIATOR, IWARP_END_FIN);
}

/* ---- RFC 7306 ---- */

static void ext_immediate(struct lab *l, uint8_t opcode, size_t len) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_untagged(opcode, 2, 0, len));
}

static void ext_immediate_8(struct lab *l) {
  ext_immediate(l, IWARP_RDMAP_OP_IMMEDIATE, 8);
}

static void ext_immediate_se_8(struct lab *l) {
  ext_immediate(l, IWARP_RDMAP_OP_IMMEDIATE_SE, 8);
}

static void ext_immediate_9(struct lab *l) {
  ext_immediate(l, IWARP_RDMAP_OP_IMMEDIATE, 9);
}

static void ext_immediate_se_7(struct lab *l) {
  ext_immediate(l, IWARP_RDMAP_OP_IMMEDIATE_SE, 7);
}

static void ext_atomic(struct lab *l, iwarp_rdmap_atomic_req a) {
  lab_begin(l);
  lab_atomic(l, LAB_INITIATOR, 1, &a);
}

static void ext_fetch_add(struct lab *l) {
  ext_atomic(l, lab_fetch_add(1));
}

static void ext_cmp_swap(struct lab *l) {
  ext_atomic(l, (iwarp_rdmap_atomic_req){.aopcode = 2, .compare_data = 5});
}

static void ext_aopcode_1(struct lab *l) {
  ext_atomic(l, (iwarp_rdmap_atomic_req){.aopcode = 1});
}

static void ext_reserved(struct lab *l) {
  iwarp_rdmap_atomic_req a = lab_fetch_add(1);
  a.reserved = 1;
  ext_atomic(l, a);
}

static void ext_compare_data(struct lab *l) {
  iwarp_rdmap_atomic_req a = lab_fetch_add(1);
  a.compare_data = 1;
  ext_atomic(l, a);
}

static void ext_compare_mask(struct lab *l) {
  iwarp_rdmap_atomic_req a = lab_fetch_add(1);
  a.compare_mask = UINT64_MAX - 1;
  ext_atomic(l, a);
}

static void ext_request_length(struct lab *l, size_t len) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, len));
  lab_atomic_response(l, LAB_RESPONDER, 1, 7); /* it may be answered, or not */
}

static void ext_request_51(struct lab *l) {
  ext_request_length(l, 51);
}

static void ext_request_53(struct lab *l) {
  ext_request_length(l, 53);
}

static void ext_request_in_two(struct lab *l) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(lab_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, 50)));
  lab_fpdu(l, LAB_INITIATOR, lab_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 50, 2));
}

static void ext_request_cut(struct lab *l) {
  struct lab_seg s = lab_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, 52);
  s.cut = 40;
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
  lab_atomic_response(l, LAB_RESPONDER, 1, 1);
}

static void ext_response_length(struct lab *l, struct lab_seg s) {
  const iwarp_rdmap_atomic_req a = lab_fetch_add(0);
  lab_begin(l);
  lab_atomic(l, LAB_INITIATOR, 1, &a);
  lab_fpdu(l, LAB_RESPONDER, s);
}

static void ext_response_11(struct lab *l) {
  ext_response_length(l, lab_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 11));
}

static void ext_response_32(struct lab *l) {
  ext_response_length(l, lab_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 32));
}

static void ext_response_cut(struct lab *l) {
  struct lab_seg s = lab_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 12);
  s.cut = 24;
  ext_response_length(l, s);
}

static void ext_response_in_two(struct lab *l) {
  ext_response_length(l, lab_more(lab_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 0, 10)));
  lab_fpdu(l, LAB_RESPONDER, lab_untagged(IWARP_RDMAP_OP_ATOMIC_RESP, 1, 10, 2));
}

static void ext_answer(struct lab *l, uint32_t id) {
  const iwarp_rdmap_atomic_req a = lab_fetch_add(0x11);
  lab_begin(l);
  lab_atomic(l, LAB_INITIATOR, 1, &a);
  lab_atomic_response(l, LAB_RESPONDER, 1, id);
}

static void ext_answer_good(struct lab *l) {
  ext_answer(l, 0x11);
}

static void ext_answer_other(struct lab *l) {
  ext_answer(l, 0x12);
}

static void ext_answer_second(struct lab *l) {
  const iwarp_rdmap_atomic_req a = lab_fetch_add(2);
  ext_answer(l, 0x11);
  lab_atomic(l, LAB_INITIATOR, 2, &a);
  lab_atomic_response(l, LAB_RESPONDER, 2, 2);
}

static void ext_unasked(struct lab *l) {
  lab_begin(l);
  lab_atomic_response(l, LAB_RESPONDER, 1, 5);
}

static void ext_unasked_unseen(struct lab *l) {
  lab_begin(l);
  l->received = l->next[LAB_INITIATOR] + 76;
  lab_atomic_response(l, LAB_RESPONDER, 1, 5);
}

static void ext_unasked_gap(struct lab *l) {
  lab_begin(l);
  lab_gap(l, LAB_INITIATOR, 76, IWARP_GAP_LOST);
  lab_atomic_response(l, LAB_RESPONDER, 1, 5);
}

static const struct lab_case cases_rdmap[] = {
    {"rdmap.version", LAB_PASS, 0, "1", rdmap_all_sends, NULL},
    {"rdmap.version", LAB_NEAR, 0, "0 under Rev 0", ddp_rdmac_good, "mpa.rev-rdmac"},
    {"rdmap.version", LAB_FAIL, 0, "0", rdmap_rv0, NULL},
    {"rdmap.version", LAB_FAIL, 0, "3", rdmap_rv3, NULL},
    {"rdmap.version", LAB_UNSURE, IWARP_WHY_NO_NEGOTIATION, "0, no Reply", rdmap_rv0_unknown, NULL},
    {"rdmap.reserved", LAB_PASS, 0, "0", rdmap_all_sends, NULL},
    {"rdmap.reserved", LAB_NEAR, 0, "opcode 11", rdmap_op11, NULL},
    {"rdmap.reserved", LAB_FAIL, 0, "0x10", rdmap_rsv, NULL},
    {"rdmap.opcode", LAB_PASS, 0, "3 to 6", rdmap_all_sends, NULL},
    {"rdmap.opcode", LAB_NEAR, 0, "10 and 11", rdmap_op11, NULL},
    {"rdmap.opcode", LAB_FAIL, 0, "12", rdmap_op12, NULL},
    {"rdmap.opcode", LAB_FAIL, 0, "14", rdmap_op14, NULL},
    {"rdmap.opcode-experimental", LAB_PASS, 0, "3 to 6", rdmap_all_sends, NULL},
    {"rdmap.opcode-experimental", LAB_NEAR, 0, "11", rdmap_op11, NULL},
    {"rdmap.opcode-experimental", LAB_FAIL, 0, "15", rdmap_op15, NULL},
    {"rdmap.tagged-flag", LAB_PASS, 0, "Sends and a Write", rdmap_all_sends, NULL},
    {"rdmap.tagged-flag", LAB_NEAR, 0, "10 and 11", rdmap_op11, NULL},
    {"rdmap.tagged-flag", LAB_FAIL, 0, "Tagged Send", rdmap_tagged_send, NULL},
    {"rdmap.tagged-flag", LAB_FAIL, 0, "Tagged Send, counted", rdmap_tagged_send_counted, NULL},
    {"rdmap.tagged-flag", LAB_FAIL, 0, "Untagged Write", rdmap_untagged_write, NULL},
    {"rdmap.tagged-flag", LAB_FAIL, 0, "Untagged Response", rdmap_untagged_response, NULL},
    {"rdmap.tagged-flag", LAB_FAIL, 0, "in a Write", rdmap_untagged_in_write, NULL},
    {"rdmap.queue-number", LAB_PASS, 0, "0", rdmap_all_sends, NULL},
    {"rdmap.queue-number", LAB_NEAR, 0, "1 and 3", rdmap_op11, NULL},
    {"rdmap.queue-number", LAB_FAIL, 0, "3", rdmap_send_qn3, NULL},
    {"rdmap.queue-number", LAB_FAIL, 0, "7", rdmap_send_qn7, NULL},
    {"rdmap.queue-number", LAB_FAIL, 0, "0 for a Read", rdmap_read_qn0, NULL},
    {"rdmap.invalidate-stag", LAB_PASS, 0, "0", fpdu_plain, NULL},
    {"rdmap.invalidate-stag", LAB_NEAR, 0, "where it is used", rdmap_all_sends, NULL},
    {"rdmap.invalidate-stag", LAB_FAIL, 0, "in a Send", rdmap_send_stag, NULL},
    {"rdmap.invalidate-stag", LAB_FAIL, 0, "in a Read Request", rdmap_read_stag, NULL},
    {"ddp.to-wrap", LAB_PASS, 0, "the sink of a Read", read_good, NULL},
    {"ddp.to-wrap", LAB_NEAR, 0, "a sink up to the last octet", read_sink_to_end, NULL},
    {"ddp.to-wrap", LAB_FAIL, 0, "a sink that wraps, answered as asked", read_sink_wraps, NULL},
    {"ddp.to-wrap", LAB_FAIL, 0, "a Response to nothing", read_wrap_unasked,
     "rdmap.read-response-unasked"},
    {"ddp.to-wrap", LAB_FAIL, 0, "a Response elsewhere", read_wrap_own, "rdmap.read-response-to"},
    {"ddp.to-wrap", LAB_UNSURE, IWARP_WHY_GAP, "the Request is lost", read_wrap_unknown, NULL},
    {"ddp.to-wrap", LAB_UNSURE, IWARP_WHY_GAP, "the Request is cut", read_wrap_request_cut, NULL},
    {"rdmap.read-request-length", LAB_PASS, 0, "28", read_good, NULL},
    {"rdmap.read-request-length", LAB_NEAR, 0, "20 and 8", read_in_two, NULL},
    {"rdmap.read-request-length", LAB_FAIL, 0, "27", read_short, NULL},
    {"rdmap.read-request-length", LAB_FAIL, 0, "29", read_long, NULL},
    {"rdmap.read-request-last", LAB_PASS, 0, "L", read_good, NULL},
    {"rdmap.read-request-last", LAB_NEAR, 0, "L in the second", read_in_two, NULL},
    {"rdmap.read-request-last", LAB_FAIL, 0, "no L", read_not_last, NULL},
    {"rdmap.reads-outstanding", LAB_PASS, 0, "two", read_good, NULL},
    {"rdmap.reads-outstanding", LAB_NEAR, 0, "eight", read_at_limit, NULL},
    {"rdmap.reads-outstanding", LAB_FAIL, 0, "nine and more", read_above_limit, NULL},
    {"rdmap.reads-outstanding", LAB_FAIL, 0, "above its own ORD", read_responder_limit, NULL},
    {"rdmap.reads-outstanding", LAB_FAIL, 0, "ORD left to the ULP, IRD told",
     read_responder_unspecified, NULL},
    {"rdmap.reads-outstanding", LAB_FAIL, 0, "with an Atomic", read_with_atomics, NULL},
    {"rdmap.reads-outstanding", LAB_UNSURE, IWARP_WHY_NO_NEGOTIATION, "Rev 1", read_not_negotiated,
     NULL},
    {"rdmap.reads-outstanding", LAB_UNSURE, IWARP_WHY_NO_NEGOTIATION, "0x3fff", read_unspecified,
     NULL},
    {"rdmap.reads-outstanding", LAB_UNSURE, IWARP_WHY_GAP, "more was received", read_limit_unseen,
     NULL},
    {"rdmap.reads-outstanding", LAB_UNSURE, IWARP_WHY_SNAPLEN, "a gap", read_limit_gap, NULL},
    {"rdmap.reads-outstanding", LAB_UNSURE, IWARP_WHY_LIMIT, "too many to keep", read_limit_memory,
     NULL},
    {"rdmap.read-response-unasked", LAB_PASS, 0, "asked", read_good, NULL},
    {"rdmap.read-response-unasked", LAB_NEAR, 0, "eight asked", read_at_limit, NULL},
    {"rdmap.read-response-unasked", LAB_FAIL, 0, "unasked", read_unasked, NULL},
    {"rdmap.read-response-unasked", LAB_FAIL, 0, "twice", read_answered_twice, NULL},
    {"rdmap.read-response-unasked", LAB_UNSURE, IWARP_WHY_GAP, "more was received",
     read_unasked_unseen, NULL},
    {"rdmap.read-response-unasked", LAB_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.read-response-unasked", LAB_UNSURE, IWARP_WHY_GAP, "after a gap", read_unasked_learnt,
     NULL},
    {"rdmap.read-response-unasked", LAB_UNSURE, IWARP_WHY_ONE_DIRECTION, "one direction",
     read_one_sided, NULL},
    {"rdmap.read-response-stag", LAB_PASS, 0, "copied", read_good, NULL},
    {"rdmap.read-response-stag", LAB_FAIL, 0, "another", read_other_stag, NULL},
    {"rdmap.read-response-stag", LAB_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.read-response-stag", LAB_UNSURE, IWARP_WHY_GAP, "Request cut", read_request_cut, NULL},
    {"rdmap.read-response-to", LAB_PASS, 0, "copied", read_good, NULL},
    {"rdmap.read-response-to", LAB_FAIL, 0, "one more", read_other_to, NULL},
    {"rdmap.read-response-to", LAB_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.read-response-length", LAB_PASS, 0, "as asked", read_good, NULL},
    {"rdmap.read-response-length", LAB_NEAR, 0, "as asked, eight times", read_at_limit, NULL},
    {"rdmap.read-response-length", LAB_FAIL, 0, "one less", read_too_little, NULL},
    {"rdmap.read-response-length", LAB_FAIL, 0, "one more", read_too_much, NULL},
    {"rdmap.read-response-length", LAB_FAIL, 0, "9 for 0", read_empty_answered, NULL},
    {"rdmap.read-response-length", LAB_FAIL, 0, "0 for 9", read_answered_empty, NULL},
    {"rdmap.read-response-length", LAB_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.read-response-length", LAB_UNSURE, IWARP_WHY_GAP, "Request cut", read_request_cut,
     NULL},
    {"ddp.to-contiguous", LAB_FAIL, 0, "in a Response", read_hole, NULL},
    {"ddp.stag-constant", LAB_FAIL, 0, "in a Response", read_other_stag_later, NULL},
    {"rdmap.response-order", LAB_PASS, 0, "in order", read_order_good, NULL},
    {"rdmap.response-order", LAB_NEAR, 0, "Reads only", read_good, NULL},
    {"rdmap.response-order", LAB_FAIL, 0, "Atomic before Read", read_order_atomic_first, NULL},
    {"rdmap.response-order", LAB_FAIL, 0, "Read before Atomic", read_order_read_first, NULL},
    {"rdmap.response-order", LAB_UNSURE, IWARP_WHY_GAP, "a gap", read_unasked_gap, NULL},
    {"rdmap.terminate-length", LAB_PASS, 0, "4", term_good, NULL},
    {"rdmap.terminate-length", LAB_NEAR, 0, "4 by hand", term_4, NULL},
    {"rdmap.terminate-length", LAB_SILENT, 0, "goes on", term_in_two, NULL},
    {"rdmap.terminate-length", LAB_FAIL, 0, "3", term_3, NULL},
    {"rdmap.terminate-code", LAB_PASS, 0, "2/0/2", term_good, NULL},
    {"rdmap.terminate-code", LAB_NEAR, 0, "0/0/77", term_local, NULL},
    {"rdmap.terminate-code", LAB_FAIL, 0, "2/1/6", term_code, NULL},
    {"rdmap.terminate-code", LAB_FAIL, 0, "Layer 5", term_layer, NULL},
    {"rdmap.terminate-code", LAB_UNSURE, IWARP_WHY_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-reserved", LAB_PASS, 0, "0", term_good, NULL},
    {"rdmap.terminate-reserved", LAB_NEAR, 0, "M, D and R", term_read_good, NULL},
    {"rdmap.terminate-reserved", LAB_FAIL, 0, "flags misplaced", term_reserved, NULL},
    {"rdmap.terminate-reserved", LAB_FAIL, 0, "the last bit", term_reserved_low, NULL},
    {"rdmap.terminate-reserved", LAB_UNSURE, IWARP_WHY_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-headers", LAB_PASS, 0, "Untagged", term_with_header, NULL},
    {"rdmap.terminate-headers", LAB_PASS, 0, "Tagged", term_with_tagged_header, NULL},
    {"rdmap.terminate-headers", LAB_NEAR, 0, "zeros after it", term_zero_filled, NULL},
    {"rdmap.terminate-headers", LAB_FAIL, 0, "an octet after it", term_surplus, NULL},
    {"rdmap.terminate-headers", LAB_FAIL, 0, "an octet less", term_header_cut, NULL},
    {"rdmap.terminate-headers", LAB_FAIL, 0, "no header", term_header_missing, NULL},
    {"rdmap.terminate-headers", LAB_UNSURE, IWARP_WHY_GAP, "cut", term_header_snapped, NULL},
    {"rdmap.terminate-rdma-header", LAB_PASS, 0, "of a Read", term_read_good, NULL},
    {"rdmap.terminate-rdma-header", LAB_NEAR, 0, "of a Read, served", term_read_served, NULL},
    {"rdmap.terminate-rdma-header", LAB_FAIL, 0, "of a Send", term_r_on_send, NULL},
    {"rdmap.terminate-rdma-header", LAB_FAIL, 0, "without D", term_r_without_d, NULL},
    {"rdmap.terminate-rdma-header", LAB_UNSURE, IWARP_WHY_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-flags", LAB_PASS, 0, "M and D", term_with_header, NULL},
    {"rdmap.terminate-flags", LAB_PASS, 0, "M, D and R", term_read_good, NULL},
    {"rdmap.terminate-flags", LAB_PASS, 0, "none", term_good, NULL},
    {"rdmap.terminate-flags", LAB_NEAR, 0, "another version", term_flags_version, NULL},
    {"rdmap.terminate-flags", LAB_NEAR, 0, "DDP catastrophic", term_flags_ddp_local, NULL},
    {"rdmap.terminate-flags", LAB_NEAR, 0, "if possible", term_flags_operation, NULL},
    {"rdmap.terminate-flags", LAB_NEAR, 0, "of a Send", term_operation_with_header, NULL},
    {"rdmap.terminate-flags", LAB_NEAR, 0, "of an invalidation", term_protection_without, NULL},
    {"rdmap.terminate-flags", LAB_FAIL, 0, "none for DDP", term_flags_missing, NULL},
    {"rdmap.terminate-flags", LAB_FAIL, 0, "M for MPA", term_flags_llp, NULL},
    {"rdmap.terminate-flags", LAB_FAIL, 0, "no R for a Read", term_read_without_r, NULL},
    {"rdmap.terminate-flags", LAB_UNSURE, IWARP_WHY_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-ddp-header", LAB_PASS, 0, "of a Send", term_with_header, NULL},
    {"rdmap.terminate-ddp-header", LAB_NEAR, 0, "of a Write", term_with_tagged_header, NULL},
    {"rdmap.terminate-ddp-header", LAB_FAIL, 0, "never sent", term_header_never_sent, NULL},
    {"rdmap.terminate-ddp-header", LAB_FAIL, 0, "one bit", term_header_one_bit, NULL},
    {"rdmap.terminate-ddp-header", LAB_UNSURE, IWARP_WHY_GAP, "a gap", term_header_gap, NULL},
    {"rdmap.terminate-ddp-header", LAB_UNSURE, IWARP_WHY_GAP, "more was received",
     term_header_unseen, NULL},
    {"rdmap.terminate-ddp-header", LAB_UNSURE, IWARP_WHY_LIMIT, "long ago", term_header_long_ago,
     NULL},
    {"rdmap.terminate-segment-length", LAB_PASS, 0, "of a Send", term_with_header, NULL},
    {"rdmap.terminate-segment-length", LAB_PASS, 0, "of a Read", term_read_good, NULL},
    {"rdmap.terminate-segment-length", LAB_NEAR, 0, "of either Write", term_segment_either, NULL},
    {"rdmap.terminate-segment-length", LAB_SILENT, 0, "M clear", term_segment_not_valid, NULL},
    {"rdmap.terminate-segment-length", LAB_FAIL, 0, "one more", term_segment_longer, NULL},
    {"rdmap.terminate-segment-length", LAB_FAIL, 0, "payload alone", term_segment_payload, NULL},
    {"rdmap.terminate-segment-length", LAB_UNSURE, IWARP_WHY_GAP, "a gap", term_segment_gap, NULL},
    {"rdmap.terminate-read-header", LAB_PASS, 0, "as sent", term_read_good, NULL},
    {"rdmap.terminate-read-header", LAB_NEAR, 0, "moved on", term_read_served, NULL},
    {"rdmap.terminate-read-header", LAB_FAIL, 0, "another STag", term_read_other, NULL},
    {"rdmap.terminate-read-header", LAB_UNSURE, IWARP_WHY_GAP, "a gap", term_read_lost, NULL},
    {"rdmap.terminate-msn", LAB_PASS, 0, "1", term_good, NULL},
    {"rdmap.terminate-msn", LAB_NEAR, 0, "1 both ways", term_both, NULL},
    {"rdmap.terminate-msn", LAB_FAIL, 0, "7", term_msn_7, NULL},
    {"rdmap.terminate-msn", LAB_UNSURE, IWARP_WHY_GAP, "after a gap", term_msn_unknown, NULL},
    {"rdmap.terminate-single", LAB_PASS, 0, "one", term_good, NULL},
    {"rdmap.terminate-single", LAB_NEAR, 0, "one both ways", term_both, NULL},
    {"rdmap.terminate-single", LAB_NEAR, 0, "one in two segments", term_halves, NULL},
    {"rdmap.terminate-single", LAB_UNSURE, IWARP_WHY_GAP, "in two, a gap", term_halves_gap, NULL},
    {"rdmap.terminate-single", LAB_FAIL, 0, "after its last segment", term_halves_then_third, NULL},
    {"rdmap.terminate-single", LAB_FAIL, 0, "two", term_twice, NULL},
    {"rdmap.terminate-final", LAB_PASS, 0, "then nothing", term_then_peer, NULL},
    {"rdmap.terminate-final", LAB_UNSURE, IWARP_WHY_MID_STREAM, "after a gap", term_gap_send, NULL},
    {"rdmap.terminate-final", LAB_UNSURE, IWARP_WHY_GAP, "found", term_found_send, NULL},
    {"rdmap.terminate-single", LAB_UNSURE, IWARP_WHY_GAP, "found", term_found_send, NULL},
    {"rdmap.terminate-final", LAB_FAIL, 0, "then a Send", term_then_send, NULL},
    {"rdmap.immediate-length", LAB_PASS, 0, "8", ext_immediate_8, NULL},
    {"rdmap.immediate-length", LAB_NEAR, 0, "8 with SE", ext_immediate_se_8, NULL},
    {"rdmap.immediate-length", LAB_FAIL, 0, "9", ext_immediate_9, NULL},
    {"rdmap.immediate-length", LAB_FAIL, 0, "7 with SE", ext_immediate_se_7, NULL},
    {"rdmap.atomic-request-length", LAB_PASS, 0, "52", ext_fetch_add, NULL},
    {"rdmap.atomic-request-length", LAB_NEAR, 0, "50 and 2", ext_request_in_two, NULL},
    {"rdmap.atomic-request-length", LAB_FAIL, 0, "51", ext_request_51, NULL},
    {"rdmap.atomic-request-length", LAB_FAIL, 0, "53", ext_request_53, NULL},
    {"rdmap.atomic-response-length", LAB_PASS, 0, "12", ext_answer_good, NULL},
    {"rdmap.atomic-response-length", LAB_NEAR, 0, "10 and 2", ext_response_in_two, NULL},
    {"rdmap.atomic-response-length", LAB_FAIL, 0, "11", ext_response_11, NULL},
    {"rdmap.atomic-response-length", LAB_FAIL, 0, "32", ext_response_32, NULL},
    {"rdmap.atomic-opcode", LAB_PASS, 0, "0", ext_fetch_add, NULL},
    {"rdmap.atomic-opcode", LAB_NEAR, 0, "2", ext_cmp_swap, NULL},
    {"rdmap.atomic-opcode", LAB_FAIL, 0, "1", ext_aopcode_1, NULL},
    {"rdmap.atomic-opcode", LAB_UNSURE, IWARP_WHY_GAP, "cut", ext_request_cut, NULL},
    {"rdmap.atomic-reserved", LAB_PASS, 0, "0", ext_fetch_add, NULL},
    {"rdmap.atomic-reserved", LAB_NEAR, 0, "0 beside opcode 2", ext_cmp_swap, NULL},
    {"rdmap.atomic-reserved", LAB_FAIL, 0, "1", ext_reserved, NULL},
    {"rdmap.atomic-compare-data", LAB_PASS, 0, "0", ext_fetch_add, NULL},
    {"rdmap.atomic-compare-data", LAB_NEAR, 0, "FetchAdd", ext_answer_good, NULL},
    {"rdmap.atomic-compare-data", LAB_FAIL, 0, "1", ext_compare_data, NULL},
    {"rdmap.atomic-compare-data", LAB_UNSURE, IWARP_WHY_GAP, "cut", ext_request_cut, NULL},
    {"rdmap.atomic-compare-mask", LAB_PASS, 0, "all ones", ext_fetch_add, NULL},
    {"rdmap.atomic-compare-mask", LAB_NEAR, 0, "FetchAdd", ext_answer_good, NULL},
    {"rdmap.atomic-compare-mask", LAB_FAIL, 0, "one bit less", ext_compare_mask, NULL},
    {"rdmap.atomic-compare-mask", LAB_UNSURE, IWARP_WHY_GAP, "cut", ext_request_cut, NULL},
    {"rdmap.atomic-response-unasked", LAB_PASS, 0, "asked", ext_answer_good, NULL},
    {"rdmap.atomic-response-unasked", LAB_NEAR, 0, "asked twice", ext_answer_second, NULL},
    {"rdmap.atomic-response-unasked", LAB_FAIL, 0, "unasked", ext_unasked, NULL},
    {"rdmap.atomic-response-unasked", LAB_UNSURE, IWARP_WHY_GAP, "more was received",
     ext_unasked_unseen, NULL},
    {"rdmap.atomic-response-unasked", LAB_UNSURE, IWARP_WHY_GAP, "a gap", ext_unasked_gap, NULL},
    {"rdmap.atomic-response-id", LAB_PASS, 0, "the same", ext_answer_good, NULL},
    {"rdmap.atomic-response-id", LAB_NEAR, 0, "each its own", ext_answer_second, NULL},
    {"rdmap.atomic-response-id", LAB_FAIL, 0, "another", ext_answer_other, NULL},
    {"rdmap.atomic-response-id", LAB_UNSURE, IWARP_WHY_GAP, "a gap", ext_unasked_gap, NULL},
    {"rdmap.atomic-response-id", LAB_UNSURE, IWARP_WHY_GAP, "Request cut", ext_request_cut, NULL},
    {"rdmap.atomic-response-id", LAB_UNSURE, IWARP_WHY_GAP, "cut", ext_response_cut, NULL},
};

#endif
