/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on requests without an answer. */

#include "rules_cases.h"

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

/* After a gap it may be the first one, or the rest of a Request that is too long. */
static void read_at_28_after_gap(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 28, 28));
}

static void read_at_28_longer(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 28, 29));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
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

/* Of one side it is not known whether it sent a Terminate: its startup frame may be payload. */
static void read_left_joined(struct rules_fixture *l, unsigned side) {
  l->info.side[side].start_known = false;
  l->no_ack = true;
  fixture_begin_with(l, FIXTURE_C);
  l->no_ack = false;
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  read_pass_by(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_left_joined_asker(struct rules_fixture *l) {
  read_left_joined(l, FIXTURE_INITIATOR);
}

static void read_left_joined_closer(struct rules_fixture *l) {
  read_left_joined(l, FIXTURE_RESPONDER);
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

/* The side that owes the answer ends the stream with a Terminate on another queue. */
static void read_left_by_another_queue(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 3, 0, 4);
  s.ddp.qn = IWARP_RDMAP_QN_SEND;
  read_left(l);
  read_pass_by(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_left_closed(struct rules_fixture *l) {
  read_left(l);
  read_pass_by(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* Its FIN was sent when just the Request had come, and an FPDU before it again later. */
static void read_left_just_received(struct rules_fixture *l) {
  read_left(l);
  const uint64_t end = l->next[FIXTURE_INITIATOR];
  read_pass_by(l);
  l->received = end;
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

/* ---- over SCTP ---- */

static void sctp_is(struct rules_fixture *l, struct sctp_msg m, struct fixture_seg what) {
  m.segment = true;
  m.what = &what;
  m.acked = true;
  sctp_send(l, m);
}

static void sctp_ask(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  sctp_open(l);
  sctp_is(l, (struct sctp_msg){.side = 0, .ssn = 1}, fixture_read_request(octets, 1, 9));
}

/* Both sides send on, each knowing of the other's. */
static void sctp_ask_passed(struct rules_fixture *l) {
  sctp_ask(l);
  sctp_is(l, (struct sctp_msg){.side = 1, .ssn = 1}, fixture_send(1));
  sctp_is(l, (struct sctp_msg){.side = 0, .ssn = 2}, fixture_send(1));
}

static void sctp_terminates(struct rules_fixture *l) {
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 2, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_unanswered(struct rules_fixture *l) {
  sctp_ask_passed(l);
  sctp_terminates(l);
}
SCTP_UNCLEAR(sctp_unanswered)

static void sctp_unanswered_atomic(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_ATOMIC_REQ_LEN];
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  size_t len = 0;
  sctp_open(l);
  iwarp_rdmap_atomic_req_encode(octets, sizeof(octets), &len, &a);
  sctp_is(l, (struct sctp_msg){.side = 0, .ssn = 1},
          fixture_with(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, 0), octets, len));
  sctp_is(l, (struct sctp_msg){.side = 1, .ssn = 1}, fixture_send(1));
  sctp_is(l, (struct sctp_msg){.side = 0, .ssn = 2}, fixture_send(1));
  sctp_terminates(l);
}

static void sctp_answered(struct rules_fixture *l) {
  sctp_ask_passed(l);
  sctp_is(l, (struct sctp_msg){.side = 1, .ssn = 2}, fixture_read_response(9));
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 3, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* The Terminate may have crossed what was sent after the request. */
static void sctp_unanswered_at_once(struct rules_fixture *l) {
  sctp_ask(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* One side alone ends the session. */
static void sctp_unanswered_one_terminate(struct rules_fixture *l) {
  sctp_ask_passed(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 2, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_unanswered_aborted(struct rules_fixture *l) {
  sctp_ask_passed(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 2, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_RST);
}

/* What the side that ends had received is not known. */
static void sctp_unanswered_unknown(struct rules_fixture *l) {
  sctp_ask_passed(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 2, .acked = true, .no_cause = true);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* A message of that side has no place: it may be the answer. */
static void sctp_unanswered_discarded(struct rules_fixture *l) {
  sctp_ask_passed(l);
  SCTP_SEGMENT(l, 1, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
  sctp_terminates(l);
}

static void sctp_unanswered_rdmap_terminate(struct rules_fixture *l) {
  sctp_ask_passed(l);
  sctp_is(l, (struct sctp_msg){.side = 1, .ssn = 2},
          fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4));
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 3, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* A Response of side 1 without a request, which may come later in the capture. */
static void sctp_unasked(struct rules_fixture *l) {
  sctp_open(l);
  sctp_is(l, (struct sctp_msg){.side = 1, .ssn = 1, .no_cause = true}, fixture_read_response(9));
}

static void sctp_unasked_ends(struct rules_fixture *l, uint16_t own, uint16_t asked) {
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = own, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = asked, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_unasked_unclear(struct rules_fixture *l) {
  l->unclear = true;
  sctp_unasked(l);
  sctp_unasked_ends(l, 2, 1);
}

/* Only as the answer came it was not known which session it belongs to. */
static void sctp_unasked_unclear_once(struct rules_fixture *l) {
  l->unclear = true;
  sctp_unasked(l);
  l->unclear = false;
  sctp_unasked_ends(l, 2, 1);
}

/* The side that may have asked sends more. */
static void sctp_unasked_open(struct rules_fixture *l) {
  sctp_unasked(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 2, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* A message of a side has no place: it may be the request, or not have been that Response. */
static void sctp_unasked_discarded(struct rules_fixture *l, unsigned side) {
  sctp_unasked(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, side, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
  sctp_unasked_ends(l, 2, 2);
}

static void sctp_unasked_discarded_request(struct rules_fixture *l) {
  sctp_unasked_discarded(l, 0);
}

static void sctp_unasked_discarded_own(struct rules_fixture *l) {
  sctp_unasked_discarded(l, 1);
}

/* The receiver may have taken another copy of the answer. */
static void sctp_unasked_damaged(struct rules_fixture *l) {
  sctp_open(l);
  l->damaged = true;
  sctp_is(l, (struct sctp_msg){.side = 1, .ssn = 1, .no_cause = true}, fixture_read_response(9));
  l->damaged = false;
  sctp_unasked_ends(l, 2, 1);
}

/* The first of two Reads is answered before the second has come; nothing shows that it did. */
static void read_left_second_unheard(struct rules_fixture *l) {
  read_left(l);
  const uint64_t end = l->next[FIXTURE_INITIATOR];
  fixture_read(l, FIXTURE_INITIATOR, 2, 9);
  l->received = end;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  l->received = 0;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The requester sends an RDMA Write on, then the other side, which had that. */
static void read_left_after_write(struct rules_fixture *l) {
  read_left(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* Each side asks, and both go on. */
static void read_left_both_ask(struct rules_fixture *l) {
  read_left(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 9);
  read_pass_by(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* ---- segments with an opcode of no message ---- */

static void read_no_message(struct rules_fixture *l, unsigned side, uint32_t qn, uint32_t msn) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_RESERVED_12, msn, 0, 28);
  s.ddp.qn = qn;
  fixture_fpdu(l, side, s);
}

static void read_no_message_tagged(struct rules_fixture *l) {
  struct fixture_seg s = fixture_read_response(9);
  s.ddp.rsvdulp = iwarp_rdmap_ctrl_encode(
      (iwarp_rdmap_ctrl){.rv = IWARP_RDMAP_VERSION, .opcode = IWARP_RDMAP_OP_RESERVED_12});
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
}

/* It stands for the request that is answered. */
static void read_no_request(struct rules_fixture *l) {
  fixture_begin(l);
  read_no_message(l, FIXTURE_INITIATOR, IWARP_RDMAP_QN_READ_REQ, 1);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_no_request_atomic(struct rules_fixture *l) {
  fixture_begin(l);
  read_no_message(l, FIXTURE_INITIATOR, IWARP_RDMAP_QN_READ_REQ, 1);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
}

/* On the queue of Sends it stands for none. */
static void read_no_send(struct rules_fixture *l) {
  fixture_begin(l);
  read_no_message(l, FIXTURE_INITIATOR, IWARP_RDMAP_QN_SEND, 2);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* No message is expected that it could stand for. */
static void read_no_answer_due(struct rules_fixture *l) {
  fixture_begin(l);
  read_no_message_tagged(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

/* It stands for the answer. */
static void read_no_answer(struct rules_fixture *l) {
  read_left(l);
  read_no_message_tagged(l);
  read_pass_by(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void read_no_answer_atomic(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  read_no_message(l, FIXTURE_RESPONDER, IWARP_RDMAP_QN_ATOMIC_RESP, 1);
  read_pass_by(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* On the queue of Sends it stands for no answer. */
static void read_no_send_of_other(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  read_pass_by(l);
  read_no_message(l, FIXTURE_RESPONDER, IWARP_RDMAP_QN_SEND, 3);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* ---- over SCTP ---- */

/* A message of another protocol: it may be the answer. */
static void sctp_unanswered_foreign(struct rules_fixture *l) {
  sctp_ask_passed(l);
  SCTP_SEND(l, .side = 1, .ppid = 18, .length = 29, .reason = IWARP_SCTP_REASON_PPID,
            .verdict = IWARP_SCTP_ILLEGAL);
  sctp_terminates(l);
}

/* A Send with the identifier of Session Control, which is reported; then a Read. */
static void sctp_ask_after_misnamed(struct rules_fixture *l) {
  const iwarp_mpa_enhanced depths = {.ird = 4, .ord = 4};
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  SCTP_SEND(l, .function = 5, .private_data = 4, .enh = depths);
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .enh = depths, .acked = true);
  SCTP_SEGMENT(l, 0, 1, .other_ppid = true, .reason = IWARP_SCTP_REASON_FUNCTION,
               .verdict = IWARP_SCTP_ILLEGAL);
  sctp_is(l, (struct sctp_msg){.side = 0, .ssn = 2}, fixture_read_request(octets, 1, 9));
}

const struct rules_case rules_cases_unanswered[] = {
    {"rdmap.read-request-length", FIXTURE_PASS, 0, "28 at MO 28", read_at_28, "ddp.mo-first"},
    {"rdmap.read-request-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "28 at MO 28, a gap",
     read_at_28_after_gap, NULL},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "29 at MO 28, a gap", read_at_28_longer, NULL},
    {"rdmap.response-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the first Request is late",
     read_first_late, NULL},
    {"rdmap.request-answered", FIXTURE_PASS, 0, "answered", read_done_closed, NULL},
    {"rdmap.request-answered", FIXTURE_NEAR, 0, "answered last", read_done_late, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "a Read", read_left_closed, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "an Atomic", read_left_atomic, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "just received", read_left_just_received, NULL},
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
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "Terminate on another queue",
     read_left_by_another_queue, "rdmap.queue-number"},
    {"rdmap.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", read_left_gap,
     NULL},
    {"rdmap.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "unseen", read_left_unseen,
     NULL},
    {"rdmap.request-answered", FIXTURE_PASS, 0, "SCTP: answered", sctp_answered, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "SCTP: a Read", sctp_unanswered, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "SCTP: an Atomic", sctp_unanswered_atomic, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "SCTP: closed at once", sctp_unanswered_at_once,
     NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "SCTP: one Session Terminate",
     sctp_unanswered_one_terminate, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "SCTP: ABORT", sctp_unanswered_aborted, NULL},
    {"rdmap.request-answered", FIXTURE_PASS, 0, "SCTP: Terminate", sctp_unanswered_rdmap_terminate,
     NULL},
    {"rdmap.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: unseen",
     sctp_unanswered_unknown, NULL},
    {"rdmap.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_unanswered_unclear, NULL},
    {"rdmap.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: out of place",
     sctp_unanswered_discarded, "sctp.ddp-ssn"},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_unasked_unclear, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: which session, of the answer", sctp_unasked_unclear_once, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: may be asked",
     sctp_unasked_open, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: a message of the other side out of place", sctp_unasked_discarded_request,
     "sctp.ddp-ssn"},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: a message of its side out of place", sctp_unasked_discarded_own, "sctp.ddp-ssn"},
    {"rdmap.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "the startup frame of the asker may be payload", read_left_joined_asker, NULL},
    {"rdmap.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "the startup frame of the other side may be payload", read_left_joined_closer, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "a second Read, which had not come",
     read_left_second_unheard, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "an RDMA Write of the asker, then a Send",
     read_left_after_write, NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "each side asks", read_left_both_ask, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "SCTP: damaged", sctp_unasked_damaged, NULL},
    {"rdmap.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "SCTP: of another protocol", sctp_unanswered_foreign, "sctp.ppid"},
    {"rdmap.reads-outstanding", FIXTURE_SILENT, 0, "SCTP: after a Send called Session Control",
     sctp_ask_after_misnamed, "sctp.ppid"},
    {"rdmap.read-response-unasked", FIXTURE_SILENT, 0, "asked for with an opcode of no message",
     read_no_request, "rdmap.opcode"},
    {"rdmap.atomic-response-unasked", FIXTURE_SILENT, 0, "asked for with an opcode of no message",
     read_no_request_atomic, "rdmap.opcode"},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "after an opcode of no message, as a Send",
     read_no_send, "rdmap.opcode"},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "after an opcode of no message, Tagged",
     read_no_answer_due, "rdmap.opcode"},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "answered with an opcode of no message",
     read_no_answer, "rdmap.opcode"},
    {"rdmap.request-answered", FIXTURE_SILENT, 0,
     "an Atomic, answered with an opcode of no message", read_no_answer_atomic, "rdmap.opcode"},
    {"rdmap.request-answered", FIXTURE_FAIL, 0,
     "an Atomic, then an opcode of no message, as a Send", read_no_send_of_other, "rdmap.opcode"},
};

const size_t rules_cases_unanswered_num =
    sizeof(rules_cases_unanswered) / sizeof(rules_cases_unanswered[0]);
