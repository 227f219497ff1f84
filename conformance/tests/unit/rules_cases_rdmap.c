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

/* ---- messages that must be refused, and messages after them ---- */

static struct fixture_seg rdmap_control(uint8_t octet) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.rsvdulp = octet;
  return s;
}

static struct fixture_seg rdmap_opcode_12(void) {
  return rdmap_control(0x4C);
}

static struct fixture_seg rdmap_ddp_version_2(void) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.dv = 2;
  return s;
}

static struct fixture_seg rdmap_version_2(void) {
  return rdmap_control(0x83);
}

static struct fixture_seg rdmap_wrong_crc(void) {
  struct fixture_seg s = fixture_send(2);
  s.crc_flip = 1;
  return s;
}

/* A Write of so many octets to the eighth from the end. */
static struct fixture_seg rdmap_write_at_end(size_t len) {
  return fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, UINT64_MAX - 7, len);
}

/* A segment of the Initiator, then its Read Request and the Response. */
static void rdmap_read_after(struct rules_fixture *l, struct fixture_seg s) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void rdmap_read_after_opcode(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_opcode_12());
}

static void rdmap_read_after_opcode_14(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_control(0x4E));
}

static void rdmap_read_after_experimental(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_control(0x4F));
}

static void rdmap_read_after_crc(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_wrong_crc());
}

static void rdmap_read_after_ddp_version(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_ddp_version_2());
}

static void rdmap_read_after_version(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_version_2());
}

static void rdmap_read_after_version_0(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_control(0x03));
}

static struct fixture_seg rdmap_on_queue(uint32_t qn, size_t len) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, len);
  s.ddp.qn = qn;
  return s;
}

static void rdmap_read_after_queue(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_on_queue(4, 1));
}

/* DDP looks at the queue of a segment with payload alone. */
static void rdmap_read_after_queue_empty(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_on_queue(4, 0));
}

static void rdmap_read_after_queue_3(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_on_queue(3, 1));
}

static void rdmap_read_after_immediate(struct rules_fixture *l) {
  rdmap_read_after(l, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 7));
}

static void rdmap_read_after_immediate_se(struct rules_fixture *l) {
  rdmap_read_after(l, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE_SE, 2, 0, 9));
}

static void rdmap_read_after_immediate_right(struct rules_fixture *l) {
  rdmap_read_after(l, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 8));
}

static void rdmap_read_after_wrap(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_write_at_end(8));
}

static void rdmap_read_after_no_wrap(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_write_at_end(7));
}

/* A Read Request for octets up to the end, or past it. */
static void rdmap_read_source_to(struct rules_fixture *l, uint64_t source_to,
                                 struct fixture_seg answer) {
  const iwarp_rdmap_read_req read = {
      .sink_stag = FIXTURE_SINK, .sink_to = FIXTURE_SINK_TO, .size = 9, .source_to = source_to};
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_of(octets, 1, read));
  fixture_fpdu(l, FIXTURE_RESPONDER, answer);
}

static void rdmap_read_source(struct rules_fixture *l, uint64_t source_to) {
  rdmap_read_source_to(l, source_to, fixture_read_response(9));
}

/* The Response has another STag, so that it may answer another Request. */
static void rdmap_read_past_end_other(struct rules_fixture *l) {
  rdmap_read_source_to(
      l, UINT64_MAX - 7,
      fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK + 1, FIXTURE_SINK_TO, 9));
}

/* A Write to the place that was read for. */
static void rdmap_read_past_end_write(struct rules_fixture *l) {
  rdmap_read_source_to(l, UINT64_MAX - 7,
                       fixture_tagged(IWARP_RDMAP_OP_WRITE, FIXTURE_SINK, FIXTURE_SINK_TO, 9));
}

/* One octet is enough. */
static void rdmap_read_past_end_octet(struct rules_fixture *l) {
  rdmap_read_source_to(
      l, UINT64_MAX - 7,
      fixture_more(fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, FIXTURE_SINK_TO, 1)));
}

static void rdmap_read_past_end(struct rules_fixture *l) {
  rdmap_read_source(l, UINT64_MAX - 8);
}

static void rdmap_read_to_end(struct rules_fixture *l) {
  rdmap_read_source(l, UINT64_MAX - 9);
}

static void rdmap_atomic_after_opcode(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req add = fixture_fetch_add(7);
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &add);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 7);
}

/* A Read Request with another RDMAP version is answered itself. */
static void rdmap_read_of_version(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, 1, 9);
  s.ddp.rsvdulp = 0x81;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* Two Read Requests into the same buffer, an error between them, and as many Responses. */
static void rdmap_read_around(struct rules_fixture *l, unsigned responses) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, 2, 9);
  for (unsigned i = 0; i < responses; i++) {
    fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  }
}

static void rdmap_read_before_error(struct rules_fixture *l) {
  rdmap_read_around(l, 1);
}

static void rdmap_read_both(struct rules_fixture *l) {
  rdmap_read_around(l, 2);
}

/* Three Reads into one buffer, two of them before the error; the answers to those, the first in
 * two segments. */
static void rdmap_read_in_parts(struct rules_fixture *l) {
  struct fixture_seg part = fixture_read_response(5);
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_read(l, FIXTURE_INITIATOR, 2, 9);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, 3, 9);
  part.ddp.last = false;
  fixture_fpdu(l, FIXTURE_RESPONDER, part);
  part = fixture_read_response(4);
  part.ddp.to += 5;
  fixture_fpdu(l, FIXTURE_RESPONDER, part);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void rdmap_send_then_answer(struct rules_fixture *l, bool before) {
  fixture_begin(l);
  if (before) {
    fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, before ? 2 : 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void rdmap_send_then_due(struct rules_fixture *l) {
  rdmap_send_then_answer(l, true);
}

static void rdmap_send_then_not_due(struct rules_fixture *l) {
  rdmap_send_then_answer(l, false);
}

static void rdmap_two_errors(struct rules_fixture *l) {
  struct fixture_seg second = rdmap_opcode_12();
  second.ddp.msn = 3;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_INITIATOR, second);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* The first request after the error is answered, not the next. */
static void rdmap_two_requests(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req add = fixture_fetch_add(7);
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_atomic(l, FIXTURE_INITIATOR, 2, &add);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* One finding. */
static void rdmap_two_answers(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_read(l, FIXTURE_INITIATOR, 2, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void rdmap_terminated(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
}

static void rdmap_terminated_after_answer(struct rules_fixture *l) {
  rdmap_read_before_error(l);
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
}

/* It says what it has to say. */
static void rdmap_sends_after(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
}

static void rdmap_damaged_error(struct rules_fixture *l) {
  fixture_begin(l);
  l->damaged = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  l->damaged = false;
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* It is not known whether an answer was expected before the error. */
static void rdmap_read_after_unseen(struct rules_fixture *l) {
  fixture_begin(l);
  l->received = l->next[FIXTURE_INITIATOR] + 52;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  l->received = 0;
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* ---- an end in order without a Terminate ---- */

static void rdmap_closed(struct rules_fixture *l, struct fixture_seg s) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void rdmap_closed_opcode(struct rules_fixture *l) {
  rdmap_closed(l, rdmap_opcode_12());
}

/* The message does not end, so that RDMAP never gets it. */
static void rdmap_closed_parted(struct rules_fixture *l) {
  rdmap_closed(l, fixture_more(rdmap_opcode_12()));
}

static void rdmap_closed_wrap_parted(struct rules_fixture *l) {
  rdmap_closed(l, fixture_more(rdmap_write_at_end(8)));
}

static void rdmap_closed_ddp_version(struct rules_fixture *l) {
  rdmap_closed(l, rdmap_ddp_version_2());
}

static void rdmap_closed_version(struct rules_fixture *l) {
  rdmap_closed(l, rdmap_version_2());
}

static void rdmap_closed_queue(struct rules_fixture *l) {
  rdmap_closed(l, rdmap_on_queue(4, 1));
}

static void rdmap_closed_immediate(struct rules_fixture *l) {
  rdmap_closed(l, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 7));
}

static void rdmap_closed_wrap(struct rules_fixture *l) {
  rdmap_closed(l, rdmap_write_at_end(8));
}

static void rdmap_closed_no_wrap(struct rules_fixture *l) {
  rdmap_closed(l, rdmap_write_at_end(7));
}

/* A Read Request past 2^64. */
static struct fixture_seg rdmap_read_beyond(uint8_t octets[IWARP_RDMAP_READ_REQ_LEN]) {
  const iwarp_rdmap_read_req read = {
      .sink_stag = FIXTURE_SINK, .size = 9, .source_to = UINT64_MAX - 7};
  return fixture_read_of(octets, 1, read);
}

/* A second Read Request has the same sink, and the length of the Response. */
static void rdmap_read_past_end_again(struct rules_fixture *l) {
  const iwarp_rdmap_read_req again = {.sink_stag = FIXTURE_SINK, .size = 4};
  uint8_t octets[2][IWARP_RDMAP_READ_REQ_LEN];
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_read_beyond(octets[0]));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_of(octets[1], 2, again));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, 0, 4));
}

static void rdmap_closed_read(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  rdmap_closed(l, rdmap_read_beyond(octets));
}

static void rdmap_closed_crc(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_wrong_crc());
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The segment is the first FPDU, and the Responder has sent its Reply alone. */
static void rdmap_closed_first(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.rsvdulp = 0x4C;
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* It is the Responder's, before the first FPDU of the Initiator. */
static void rdmap_closed_too_early(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, rdmap_read_beyond(octets));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* After the segment both go on, and the last words of the Responder have come when the Initiator
 * sends its own. */
static void rdmap_closed_later(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* Its FIN may have waited for what it says after the segment. */
static void rdmap_closed_after_send(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* What it said before had not come when the segment was sent. */
static void rdmap_closed_under_way(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  l->received = l->next[FIXTURE_RESPONDER] - 4;
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  l->received = 0;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* So much of what the Initiator sent had come when the Responder closed. */
static void rdmap_closed_got(struct rules_fixture *l, uint64_t more, iwarp_end how) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  l->received = l->next[FIXTURE_INITIATOR] + more;
  fixture_end(l, FIXTURE_RESPONDER, how);
}

static void rdmap_closed_before(struct rules_fixture *l) {
  rdmap_closed_got(l, (uint64_t)0 - 4, IWARP_END_FIN);
}

static void rdmap_closed_after_fin(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  l->received = l->next[FIXTURE_INITIATOR] + 1;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void rdmap_closed_rst(struct rules_fixture *l) {
  rdmap_closed_got(l, 0, IWARP_END_RST);
}

static void rdmap_closed_capture(struct rules_fixture *l) {
  rdmap_closed_got(l, 0, IWARP_END_CAPTURE);
}

static void rdmap_closed_damaged(struct rules_fixture *l) {
  fixture_begin(l);
  l->damaged = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  l->damaged = false;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* Octets of a side are missing, among which may be a Terminate. */
static void rdmap_closed_gap(struct rules_fixture *l, unsigned side) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_gap(l, side, 48, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void rdmap_closed_gap_own(struct rules_fixture *l) {
  rdmap_closed_gap(l, FIXTURE_RESPONDER);
}

static void rdmap_closed_gap_other(struct rules_fixture *l) {
  rdmap_closed_gap(l, FIXTURE_INITIATOR);
}

/* The Initiator, or the Responder, has sent a Terminate. */
static void rdmap_closed_by(struct rules_fixture *l, unsigned side) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_terminate_mpa(l, side, 1);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void rdmap_closed_terminated(struct rules_fixture *l) {
  rdmap_closed_by(l, FIXTURE_RESPONDER);
}

static void rdmap_closed_by_other(struct rules_fixture *l) {
  rdmap_closed_by(l, FIXTURE_INITIATOR);
}

/* It was found already that the Responder goes on. */
static void rdmap_closed_answered(struct rules_fixture *l) {
  rdmap_read_after(l, rdmap_opcode_12());
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* ---- a later message is refused in its place ---- */

/* Two segments of the Initiator, and a Terminate of the Responder that returns the header of
 * `about`, so many octets of them not received. */
static void rdmap_returned(struct rules_fixture *l, struct fixture_seg first,
                           struct fixture_seg second, struct fixture_seg about, uint64_t less) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, first);
  fixture_fpdu(l, FIXTURE_INITIATOR, second);
  l->received = l->next[FIXTURE_INITIATOR] - less;
  fixture_terminate_returning(l, FIXTURE_RESPONDER,
                              (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 2, .m = true},
                              &about);
}

static void rdmap_returned_later(struct rules_fixture *l) {
  rdmap_returned(l, rdmap_opcode_12(), fixture_send(3), fixture_send(3), 0);
}

static void rdmap_returned_itself(struct rules_fixture *l) {
  rdmap_returned(l, rdmap_on_queue(4, 1), fixture_send(2), rdmap_on_queue(4, 1), 0);
}

static void rdmap_returned_before(struct rules_fixture *l) {
  rdmap_returned(l, fixture_send(2), rdmap_on_queue(4, 1), fixture_send(2), 0);
}

/* The later one is without its last octet. */
static void rdmap_returned_in_part(struct rules_fixture *l) {
  rdmap_returned(l, rdmap_opcode_12(), fixture_send(3), fixture_send(3), 1);
}

/* The later message has the same header as one before the error. */
static void rdmap_returned_twice(struct rules_fixture *l) {
  const struct fixture_seg write = fixture_write();
  struct fixture_seg wrong = fixture_send(1);
  wrong.ddp.rsvdulp = 0x4C;
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, write);
  fixture_fpdu(l, FIXTURE_INITIATOR, wrong);
  fixture_fpdu(l, FIXTURE_INITIATOR, write);
  fixture_terminate_returning(l, FIXTURE_RESPONDER,
                              (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true},
                              &write);
}

/* Two segments of one message, which RDMAP gets when the second one has come. */
static void rdmap_returned_last(struct rules_fixture *l) {
  struct fixture_seg last = rdmap_opcode_12();
  last.ddp.mo = (uint32_t)last.len;
  rdmap_returned(l, fixture_more(rdmap_opcode_12()), last, last, 0);
}

static void rdmap_returned_write(struct rules_fixture *l) {
  const struct fixture_seg write = fixture_write();
  struct fixture_seg wrong = fixture_send(3);
  wrong.ddp.rsvdulp = 0x4C;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, wrong);
  fixture_fpdu(l, FIXTURE_INITIATOR, write);
  fixture_terminate_returning(l, FIXTURE_RESPONDER,
                              (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true},
                              &write);
}

/* The Responder's segments, in a stream that begins near 2^32. */
static void rdmap_returned_by_initiator(struct rules_fixture *l) {
  const struct fixture_seg write = fixture_write();
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, rdmap_opcode_12());
  fixture_fpdu(l, FIXTURE_RESPONDER, write);
  fixture_terminate_returning(l, FIXTURE_INITIATOR,
                              (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true},
                              &write);
}

/* A header that no segment had. */
static void rdmap_returned_other(struct rules_fixture *l) {
  const struct fixture_seg other = fixture_tagged(IWARP_RDMAP_OP_WRITE, 0x99, 0, 8);
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_read_beyond(octets));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
  fixture_terminate_returning(l, FIXTURE_RESPONDER,
                              (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true},
                              &other);
}

static void rdmap_returned_after_crc(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  const struct fixture_seg later = fixture_send(3);
  s.crc_flip = 1;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, later);
  fixture_terminate_returning(l, FIXTURE_RESPONDER,
                              (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 2, .m = true},
                              &later);
}

static void rdmap_returned_no_ack(struct rules_fixture *l) {
  const struct fixture_seg later = fixture_send(3);
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, rdmap_opcode_12());
  fixture_fpdu(l, FIXTURE_INITIATOR, later);
  l->no_ack = true;
  fixture_terminate_returning(l, FIXTURE_RESPONDER,
                              (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 2, .m = true},
                              &later);
}

/* A code that no Atomic Operation has, and its answer. */
static void rdmap_atomic_of_no_code(struct rules_fixture *l) {
  iwarp_rdmap_atomic_req add = fixture_fetch_add(7);
  add.aopcode = 3;
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &add);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 7);
}

static void rdmap_atomic_closed(struct rules_fixture *l) {
  iwarp_rdmap_atomic_req add = fixture_fetch_add(7);
  add.aopcode = 15;
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &add);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void rdmap_atomic_answered(struct rules_fixture *l, uint8_t aopcode) {
  iwarp_rdmap_atomic_req swap = fixture_fetch_add(7);
  swap.aopcode = aopcode;
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &swap);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 7);
}

/* Only the receiver knows whether it supports a Swap. */
static void rdmap_atomic_swap(struct rules_fixture *l) {
  rdmap_atomic_answered(l, 1);
}

static void rdmap_atomic_cmp_swap(struct rules_fixture *l) {
  rdmap_atomic_answered(l, IWARP_RDMAP_AOP_CMP_SWAP);
}

/* A Write, and a Read Response, of another RDMAP version. */
static void rdmap_closed_write_of_version(struct rules_fixture *l) {
  struct fixture_seg s = fixture_write();
  s.ddp.rsvdulp = 0x80;
  rdmap_closed(l, s);
}

static void rdmap_closed_response(struct rules_fixture *l, struct fixture_seg s) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void rdmap_closed_response_of_version(struct rules_fixture *l) {
  struct fixture_seg s = fixture_read_response(9);
  s.ddp.rsvdulp = 0x82;
  rdmap_closed_response(l, s);
}

/* The buffer that the Read was for runs past 2^64. */
static void rdmap_closed_response_wrap(struct rules_fixture *l) {
  const iwarp_rdmap_read_req read = {
      .sink_stag = FIXTURE_SINK, .sink_to = UINT64_MAX - 7, .size = 9, .source_to = 0x1000};
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_of(octets, 1, read));
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, UINT64_MAX - 7, 9));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
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
    {"rdmap.error-answered", FIXTURE_PASS, 0, "a Terminate", rdmap_terminated, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a Read up to 2^64", rdmap_read_to_end, NULL},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a Write up to 2^64", rdmap_read_after_no_wrap,
     NULL},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "right Immediate Data",
     rdmap_read_after_immediate_right, NULL},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "the opcode for experiments",
     rdmap_read_after_experimental, "rdmap.opcode-experimental"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "no payload on a queue that does not exist",
     rdmap_read_after_queue_empty, "rdmap.queue-number"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a Send on the queue of Atomic Responses",
     rdmap_read_after_queue_3, "rdmap.queue-number"},
    {"rdmap.error-answered", FIXTURE_NEAR, 0, "an answer that was due, then a Terminate",
     rdmap_terminated_after_answer, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "its own Send", rdmap_sends_after, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a damaged error", rdmap_damaged_error, NULL},
    {"rdmap.error-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "after an answer whose request was not seen", rdmap_read_after_unseen, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "an opcode of no message", rdmap_read_after_opcode,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "opcode 14", rdmap_read_after_opcode_14,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Read before the error and one after it",
     rdmap_read_both, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "what was asked before the error, in parts",
     rdmap_read_in_parts, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "its own Send, and what was asked before the error",
     rdmap_send_then_due, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "its own Send, and what was asked after the error",
     rdmap_send_then_not_due, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a request between two errors", rdmap_two_errors,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "the first of two requests", rdmap_two_requests,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "two answers", rdmap_two_answers, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a wrong CRC", rdmap_read_after_crc, "mpa.crc"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a DDP version", rdmap_read_after_ddp_version,
     "ddp.version"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "an RDMAP version", rdmap_read_after_version,
     "rdmap.version"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "RDMAP version 0", rdmap_read_after_version_0,
     "rdmap.version"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Queue Number", rdmap_read_after_queue,
     "rdmap.queue-number"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "Immediate Data of 7 octets",
     rdmap_read_after_immediate, "rdmap.immediate-length"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "Immediate Data with SE of 9 octets",
     rdmap_read_after_immediate_se, "rdmap.immediate-length"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Write past 2^64", rdmap_read_after_wrap,
     "ddp.to-wrap"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Read past 2^64", rdmap_read_past_end, NULL},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Read past 2^64, and one to the same place",
     rdmap_read_past_end_again, NULL},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "an octet of a Read past 2^64",
     rdmap_read_past_end_octet, NULL},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a Write after a Read past 2^64",
     rdmap_read_past_end_write, NULL},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "another STag after a Read past 2^64",
     rdmap_read_past_end_other, "rdmap.read-response-stag"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "an Atomic Request after an opcode of no message",
     rdmap_atomic_after_opcode, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Read Request of another RDMAP version",
     rdmap_read_of_version, "rdmap.version"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "an opcode of no message, closed",
     rdmap_closed_opcode, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "an opcode of no message, not all of it, closed",
     rdmap_closed_parted, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Write past 2^64, not all of it, closed",
     rdmap_closed_wrap_parted, "ddp.to-wrap"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a DDP version, closed", rdmap_closed_ddp_version,
     "ddp.version"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "an RDMAP version, closed", rdmap_closed_version,
     "rdmap.version"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Queue Number, closed", rdmap_closed_queue,
     "rdmap.queue-number"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "Immediate Data of 7 octets, closed",
     rdmap_closed_immediate, "rdmap.immediate-length"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Write past 2^64, closed", rdmap_closed_wrap,
     "ddp.to-wrap"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Read past 2^64, closed", rdmap_closed_read, NULL},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "the first FPDU, closed", rdmap_closed_first,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "closed when both had gone on", rdmap_closed_later,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "answered, and closed", rdmap_closed_answered,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a Write up to 2^64, closed", rdmap_closed_no_wrap,
     NULL},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a wrong CRC, closed", rdmap_closed_crc, "mpa.crc"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "of the Responder, before the first FPDU, closed",
     rdmap_closed_too_early, "mpa.responder-first"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "closed after what it had to say",
     rdmap_closed_after_send, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "closed with octets under way",
     rdmap_closed_under_way, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "closed before it had come", rdmap_closed_before,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "closed after a FIN", rdmap_closed_after_fin,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "reset", rdmap_closed_rst, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "the capture ends", rdmap_closed_capture,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a damaged error, closed", rdmap_closed_damaged,
     NULL},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "closed, octets of it are missing",
     rdmap_closed_gap_own, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "closed, octets of the other side are missing",
     rdmap_closed_gap_other, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_PASS, 0, "a Terminate, closed", rdmap_closed_terminated,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a Terminate of the other side, closed",
     rdmap_closed_by_other, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0,
     "a Terminate about a Send after an opcode of no message", rdmap_returned_later,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0,
     "a Terminate about a Write after an opcode of no message", rdmap_returned_write,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0,
     "a Terminate of the Initiator about a Write after an opcode of no message",
     rdmap_returned_by_initiator, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_PASS, 0, "a Terminate about the last segment of the message",
     rdmap_returned_last, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_PASS, 0, "a Terminate about what was never sent",
     rdmap_returned_other, "rdmap.terminate-ddp-header"},
    {"rdmap.error-answered", FIXTURE_NEAR, 0, "a Terminate about the error, something after it",
     rdmap_returned_itself, "rdmap.queue-number"},
    {"rdmap.error-answered", FIXTURE_NEAR, 0, "a Terminate about a Send before the error",
     rdmap_returned_before, "rdmap.queue-number"},
    {"rdmap.error-answered", FIXTURE_PASS, 0, "a Terminate about a Send after the error, in part",
     rdmap_returned_in_part, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_PASS, 0, "a Terminate about Writes before and after the error",
     rdmap_returned_twice, "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_PASS, 0, "a Terminate about a Send after a wrong CRC",
     rdmap_returned_after_crc, "mpa.crc"},
    {"rdmap.error-answered", FIXTURE_PASS, 0,
     "a Terminate about a Send after the error, no acknowledgement", rdmap_returned_no_ack,
     "rdmap.opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a code of no Atomic Operation",
     rdmap_atomic_of_no_code, "rdmap.atomic-opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a code of no Atomic Operation, closed",
     rdmap_atomic_closed, "rdmap.atomic-opcode"},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a CmpSwap", rdmap_atomic_cmp_swap, NULL},
    {"rdmap.error-answered", FIXTURE_SILENT, 0, "a Swap", rdmap_atomic_swap, "rdmap.atomic-opcode"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "an RDMAP version of a Write, closed",
     rdmap_closed_write_of_version, "rdmap.version"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "an RDMAP version of a Read Response, closed",
     rdmap_closed_response_of_version, "rdmap.version"},
    {"rdmap.error-answered", FIXTURE_FAIL, 0, "a Read Response past 2^64, closed",
     rdmap_closed_response_wrap, "ddp.to-wrap"},
};

const size_t rules_cases_rdmap_num = sizeof(rules_cases_rdmap) / sizeof(rules_cases_rdmap[0]);
