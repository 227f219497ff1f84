/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on RDMA Reads and their answers. */

#include "rules_cases.h"

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

/* Octets of the asker are missing while its answer is under way: the Requests are forgotten. */
static void read_gap_inside(struct rules_fixture *l) {
  struct fixture_seg rest = fixture_read_response(40);
  rest.ddp.to += 60;
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_read_response(60)));
  fixture_gap(l, FIXTURE_INITIATOR, 52, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_RESPONDER, rest);
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

/* The Request does not end: where its segments belong is not known. */
static void read_long_jumped(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 4)));
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 8, 40)));
}

static void read_long_restarted(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 4)));
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 2, 0, 40)));
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

static void read_not_last_empty(struct rules_fixture *l) {
  read_not_last(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 28, 0));
}

static void read_not_last_long(struct rules_fixture *l) {
  read_not_last(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 28, 8));
}

static void read_not_last_mo(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 20, 8)));
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

/* A Read, its answer, and another one, of one that may be outstanding: what is received of the
 * answer then is `less` octets short of it. */
static void read_next(struct rules_fixture *l, uint64_t less) {
  struct fixture_frame reply = fixture_reply();
  reply.enh.ird = 1;
  fixture_exchange(l, fixture_request(), reply);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_read(l, FIXTURE_INITIATOR, 1, 10);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(10));
  l->received = l->next[FIXTURE_RESPONDER] - less;
  fixture_read(l, FIXTURE_INITIATOR, 2, 10);
}

static void read_next_received(struct rules_fixture *l) {
  read_next(l, 0);
}

static void read_next_early(struct rules_fixture *l) {
  read_next(l, 1);
}

/* One more than may be outstanding: none but the first answer was received. */
static void read_many_early(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 10);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(10));
  const uint64_t received = l->next[FIXTURE_RESPONDER];
  for (uint32_t i = 0; i < FIXTURE_DEPTH; i++) {
    l->received = received;
    fixture_read(l, FIXTURE_INITIATOR, i + 2, 10);
    fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(10));
  }
  l->received = received;
  fixture_read(l, FIXTURE_INITIATOR, FIXTURE_DEPTH + 2, 10);
}

/* Responses to nothing: their receiver may take each for the answer to a Read that it sent before
 * it came. */
static void read_after_surplus(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(0));
  for (uint32_t i = 0; i <= FIXTURE_DEPTH; i++) {
    fixture_read(l, FIXTURE_INITIATOR, i + 1, 10);
  }
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

/* Neither startup frame begins its stream, nor does one acknowledge the other. */
static void read_limit_joined(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  l->no_ack = true;
  fixture_begin_with(l, FIXTURE_C);
  l->no_ack = false;
  fixture_read(l, FIXTURE_INITIATOR, 1, 10);
}

static void read_limit_one_sided(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 2};
  fixture_exchange(l, fixture_request(), reply);
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

static void read_unasked_unconfirmed(struct rules_fixture *l) {
  fixture_open_unconfirmed(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_response(9));
}

/* L on each of the three segments of a Response; the next Read is answered right. */
static void read_last_each(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 27);
  fixture_read(l, FIXTURE_INITIATOR, 2, 4);
  for (unsigned i = 0; i < 3; i++) {
    fixture_fpdu(
        l, FIXTURE_RESPONDER,
        fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, FIXTURE_SINK_TO + 9u * i, 9));
  }
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(4));
}

/* As many octets more as it lacks, and one: no rest of it. */
static void read_last_early_too_long(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 18);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, FIXTURE_SINK_TO + 9, 10));
}

/* Which Request the second one answers is not known, and nothing is missing. */
static void read_unasked_after_write(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 18);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_read_response(9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_write());
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
  l->received = l->next[FIXTURE_INITIATOR] + 20;
  l->info.side[FIXTURE_INITIATOR].partial_end = l->received;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_unasked_then(struct rules_fixture *l, uint8_t flags, uint32_t crc_flip) {
  struct fixture_seg s = fixture_send(2);
  s.crc_flip = crc_flip;
  fixture_begin_with(l, flags);
  read_unasked_partial(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void read_unasked_then_right(struct rules_fixture *l) {
  read_unasked_then(l, FIXTURE_C, 0);
}

static void read_unasked_then_unchecked(struct rules_fixture *l) {
  read_unasked_then(l, 0, 0);
}

/* Where that ends is not known: the Request may be in it. */
static void read_unasked_then_wrong(struct rules_fixture *l) {
  read_unasked_then(l, FIXTURE_C, 1);
}

static void read_unasked_then_nothing(struct rules_fixture *l) {
  fixture_begin(l);
  read_unasked_partial(l);
}

static void read_unasked_then_none(struct rules_fixture *l) {
  fixture_begin(l);
  read_unasked_partial(l);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){framing_noise, sizeof(framing_noise)},
              sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

/* The answer comes as all of the Request, but for `less` octets, was received. */
static void read_answer_after(struct rules_fixture *l, uint64_t less) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  l->received = l->next[FIXTURE_INITIATOR] - less;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_answer_received(struct rules_fixture *l) {
  read_answer_after(l, 0);
}

static void read_answer_early(struct rules_fixture *l) {
  read_answer_after(l, 1);
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

/* A Read Request with a sink and a length of its own; `cut`: octets of it that are captured, 0:
 * all.
 */
static void read_into(struct rules_fixture *l, uint32_t msn, uint64_t to, uint32_t size,
                      size_t cut) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, msn, size);
  iwarp_rdmap_read_req req;
  size_t len;
  iwarp_rdmap_read_req_decode(&req, (iwarp_span){octets, sizeof(octets)});
  req.sink_to = to;
  iwarp_rdmap_read_req_encode(octets, sizeof(octets), &len, &req);
  s.cut = cut;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* A Read Request whose sink begins 9 octets below 2^64. */
static void read_near_end(struct rules_fixture *l, uint32_t msn, uint32_t size) {
  read_into(l, msn, UINT64_MAX - 8, size, 0);
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
  read_near_end(l, 1, 8);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_response_near_end(0, 8));
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

/* Nothing was asked for at a place from which nothing can wrap. */
static void read_wrap_of_nothing(struct rules_fixture *l) {
  fixture_begin(l);
  read_near_end(l, 1, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_response_near_end(0, 12));
}

/* After a Terminate nothing is placed any more. */
static void read_wrap_terminated(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 12);
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_response_near_end(0, 12));
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

/* What follows the L after octets that were left out is no rest of the Response. */
static void read_hole_goes_on(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_read_response(60)));
  struct fixture_seg rest = fixture_read_response(20);
  rest.ddp.to += 70;
  fixture_fpdu(l, FIXTURE_RESPONDER, rest);
  rest.ddp.to += 20;
  fixture_fpdu(l, FIXTURE_RESPONDER, rest);
}

/* An empty Response to where an Atomic Request has nothing. */
static void read_empty_beside_atomic(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const struct fixture_seg request = fixture_read_request(octets, 1, 100);
  memset(octets, 0, 12); /* the sink's STag and TO */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, request);
  fixture_atomic(l, FIXTURE_INITIATOR, 2, &a);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0));
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
static void read_to_cut(struct rules_fixture *l, uint32_t msn, uint64_t to, size_t cut) {
  read_into(l, msn, to, 9, cut);
}

static void read_to(struct rules_fixture *l, uint32_t msn, uint64_t to) {
  read_to_cut(l, msn, to, 0);
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

/* Two Reads of one sink: which of them a Response answers shows at its end. */
static void read_order_sizes(struct rules_fixture *l, uint32_t first, uint32_t second) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, first);
  fixture_read(l, FIXTURE_INITIATOR, 2, second);
}

static void read_order_short_first(struct rules_fixture *l) {
  read_order_sizes(l, 100, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(100));
}

/* A Response of 60 octets and so many more. */
static void read_order_in_two(struct rules_fixture *l, uint32_t more) {
  struct fixture_seg rest = fixture_read_response(more);
  rest.ddp.to += 60;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_read_response(60)));
  fixture_fpdu(l, FIXTURE_RESPONDER, rest);
}

static void read_order_long_first(struct rules_fixture *l) {
  read_order_sizes(l, 9, 100);
  read_order_in_two(l, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_order_empty_first(struct rules_fixture *l) {
  read_order_sizes(l, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(0));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_order_sizes_kept(struct rules_fixture *l) {
  read_order_sizes(l, 9, 100);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(100));
}

/* The third Read is answered before the others; the answer to the second is not reported again.
 */
static void read_order_overtaken(struct rules_fixture *l) {
  read_order_sizes(l, 100, 50);
  fixture_read(l, FIXTURE_INITIATOR, 3, 9);
  fixture_read(l, FIXTURE_INITIATOR, 4, 20);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(50));
}

/* A Response to one of the later two Reads; to which of them shows at its end. */
static void read_order_said_before(struct rules_fixture *l) {
  fixture_begin(l);
  read_to(l, 1, 0x100);
  fixture_read(l, FIXTURE_INITIATOR, 2, 100);
  fixture_read(l, FIXTURE_INITIATOR, 3, 80);
  read_order_in_two(l, 20);
}

/* It is not one of the expected lengths. */
static void read_length_of_neither(struct rules_fixture *l) {
  read_order_sizes(l, 9, 100);
  read_order_in_two(l, 20);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(100));
}

/* The first Request is never answered, those after it are, and both sides go on. */
static void read_order_skipped(struct rules_fixture *l) {
  fixture_begin(l);
  for (uint32_t msn = 1; msn <= 3; msn++) {
    read_to(l, msn, 0x100 * msn);
  }
  for (uint64_t to = 0x200; to <= 0x300; to += 0x100) {
    fixture_fpdu(l, FIXTURE_RESPONDER,
                 fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, to, 9));
  }
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A Response that does not fit the first Request may answer the second, whose header is cut. */
static void read_order_cut(struct rules_fixture *l) {
  fixture_begin(l);
  read_to(l, 1, 0x100);
  read_to_cut(l, 2, 0x200, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, 0x200, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, 0x100, 9));
}

/* The oldest request is an Atomic Request, whichever of the Reads after it is answered. */
static void read_order_cut_after_atomic(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  read_to(l, 2, 0x100);
  read_to_cut(l, 3, 0x200, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, 0x200, 9));
}

/* The first two of three Reads are answered in the other order, said of the first answer. */
static void read_order_swapped_of_three(struct rules_fixture *l) {
  static const uint64_t places[] = {0x200, 0x100, 0x300};
  fixture_begin(l);
  for (uint32_t i = 1; i <= 3; i++) {
    read_to(l, i, 0x100 * i);
  }
  for (unsigned i = 0; i < 3; i++) {
    fixture_fpdu(l, FIXTURE_RESPONDER,
                 fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, places[i], 9));
  }
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

/* ---- a Read Response that has all of its octets, and no L ---- */

static struct fixture_seg unended_part(uint32_t at, size_t len) {
  struct fixture_seg s = fixture_read_response(len);
  s.ddp.to += at;
  return s;
}

static void unended(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(0, 60)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(60, 40)));
}

static void unended_fin(struct rules_fixture *l) {
  unended(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The asker did what it does after the Response, and closes later. */
static void unended_first_fin(struct rules_fixture *l) {
  unended(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The last segment begins with a Marker. */
static void unended_marker(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C | FIXTURE_M);
  fixture_read(l, FIXTURE_INITIATOR, 1, 480);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(0, 428)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(428, 52)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_one(struct rules_fixture *l, uint32_t size, struct fixture_seg s) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, size);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(s));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_whole(struct rules_fixture *l) {
  unended_one(l, 100, unended_part(0, 100));
}

static void unended_less(struct rules_fixture *l) {
  unended_one(l, 101, unended_part(0, 100));
}

static void unended_longer(struct rules_fixture *l) {
  unended_one(l, 99, unended_part(0, 100));
}

static void unended_no_octets(struct rules_fixture *l) {
  unended_one(l, 0, unended_part(0, 0));
}

static void unended_other_to(struct rules_fixture *l) {
  unended_one(l, 100, unended_part(1, 100));
}

static void unended_other_stag(struct rules_fixture *l) {
  unended_one(l, 100, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 3, FIXTURE_SINK_TO, 100));
}

static void unended_second(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_read(l, FIXTURE_INITIATOR, 2, 60);
  fixture_fpdu(l, FIXTURE_RESPONDER, unended_part(0, 100));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(0, 60)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A segment without payload may have L, or not. */
static void unended_empty(struct rules_fixture *l) {
  unended(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_empty_more(struct rules_fixture *l) {
  unended(l);
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_more(fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The segment after it continues a message that has ended. */
static void unended_early(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 8);
  s.ddp.mo = (uint32_t)fixture_send(1).len;
  unended(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* Another message tells at once. */
static void unended_send(struct rules_fixture *l) {
  unended(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_write(struct rules_fixture *l) {
  unended(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_write());
}

/* The next Read is answered in its turn, and no other rule speaks. */
static void unended_goes_on(struct rules_fixture *l) {
  unended_send(l);
  fixture_read(l, FIXTURE_INITIATOR, 2, 10);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(10));
}

static void unended_terminated(struct rules_fixture *l) {
  unended(l);
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A side that has received a Terminate or a FIN may stop. */
static void unended_after_terminate(struct rules_fixture *l) {
  unended(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_after_fin(struct rules_fixture *l) {
  unended(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  l->received = l->next[FIXTURE_INITIATOR] + 1;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_reset(struct rules_fixture *l) {
  unended(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void unended_gap(struct rules_fixture *l) {
  unended(l);
  fixture_gap(l, FIXTURE_RESPONDER, 40, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_asker_gap(struct rules_fixture *l) {
  unended(l);
  fixture_gap(l, FIXTURE_INITIATOR, 52, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_unheard(struct rules_fixture *l) {
  unended(l);
  l->received = l->next[FIXTURE_INITIATOR] + 52;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_damaged(struct rules_fixture *l) {
  struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0);
  s.crc_flip = 1;
  unended(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void unended_request_cut(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, 1, 100);
  s.cut = 40;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(0, 100)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* As many octets as it has, but some twice. */
static void unended_twice(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(0, 60)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(40, 40)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A Response of 9 octets whose three segments come in this order, at most. */
static void order_begins(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(6, 3)));
}

static void order_descending(struct rules_fixture *l) {
  order_begins(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(3, 3)));
  fixture_fpdu(l, FIXTURE_RESPONDER, unended_part(0, 3));
}

static void order_no_first(struct rules_fixture *l) {
  order_begins(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, unended_part(9, 6));
}

static void order_no_second(struct rules_fixture *l) {
  order_begins(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, unended_part(0, 3));
}

/* In order from the second octet on, and too short. */
static void order_late(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(1, 3)));
  fixture_fpdu(l, FIXTURE_RESPONDER, unended_part(4, 5));
}

static void order_too_long(struct rules_fixture *l) {
  order_begins(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(9, 1)));
  fixture_fpdu(l, FIXTURE_RESPONDER, unended_part(0, 6));
}

static void order_gap(struct rules_fixture *l) {
  order_begins(l);
  fixture_gap(l, FIXTURE_RESPONDER, 40, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_RESPONDER, unended_part(3, 3));
}

/* The first octet may have been still to come. */
static void order_terminated(struct rules_fixture *l) {
  order_begins(l);
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
}

static void unended_unasked(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(unended_part(0, 60)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* ---- which Request a Response answers ---- */

static struct fixture_seg read_answer_to(uint64_t to, size_t len) {
  return fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, to, len);
}

/* The second of two Reads, of one octet, is answered first. */
static void read_octet_first(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 1, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 1));
}

/* A Read of nothing has no place: octets there answer the other Read. */
static void read_place_of_nothing(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 0, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 9));
}

/* The first Request is cut: the Response may answer it, though it fits the second. */
static void read_first_cut(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 40);
  read_into(l, 2, 0x200, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 9));
}

/* And the next one is another's: which of the two answers the second is not known. */
static void read_first_cut_then(struct rules_fixture *l) {
  read_first_cut(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 9));
}

/* The same of Atomic Operations. */
static void read_atomic_cut_then(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_ATOMIC_REQ_LEN];
  const iwarp_rdmap_atomic_req first = fixture_fetch_add(5);
  const iwarp_rdmap_atomic_req second = fixture_fetch_add(6);
  size_t len;
  iwarp_rdmap_atomic_req_encode(octets, sizeof(octets), &len, &first);
  struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, 0), octets, sizeof(octets));
  s.cut = 40;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_atomic(l, FIXTURE_INITIATOR, 2, &second);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 6);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 2, 5);
}

/* A Response to what was answered, while another Read waits. */
static void read_again_beside(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 9));
  read_into(l, 3, 0x300, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 9));
}

/* Before the Read waits an Atomic Request, which no Read Response answers. */
static void read_elsewhere_after_atomic(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_INITIATOR, 1, &a);
  read_into(l, 2, 0x100, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 9));
}

/* An Atomic Request is cut, which no Read Response answers. */
static void read_elsewhere_atomic_cut(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_ATOMIC_REQ_LEN];
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  size_t len;
  iwarp_rdmap_atomic_req_encode(octets, sizeof(octets), &len, &a);
  struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 2, 0, 0), octets, sizeof(octets));
  s.cut = 40;
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 9));
}

/* The first Response ends too early, and the next Read asks for what lies right after its octets.
 */
static void read_early_then_next(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 18, 0);
  read_into(l, 2, 0x109, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x109, 9));
}

/* So does the Read after that one. */
static void read_early_then_third(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 18, 0);
  read_into(l, 2, 0x200, 9, 0);
  read_into(l, 3, 0x109, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x109, 9));
}

/* No octets are no rest of it. */
static void read_early_then_empty(struct rules_fixture *l) {
  read_answer(l, 18, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 9, 0));
}

/* Its rest is one octet. */
static void read_early_by_octet(struct rules_fixture *l) {
  read_answer(l, 10, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 9, 1));
}

/* Its rest comes in two, with more than it lacks. */
static void read_early_twice_too_long(struct rules_fixture *l) {
  read_answer(l, 27, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 9, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 18, 10));
}

/* Its rest comes in two, of which the first has no L. */
static void read_early_goes_on(struct rules_fixture *l) {
  read_answer(l, 30, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(FIXTURE_SINK_TO + 9, 9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 18, 9));
}

/* Each octet of the Response goes to one after the due one, and two of its segments change places.
 */
static void read_elsewhere_swapped(struct rules_fixture *l) {
  read_answer(l, 27, fixture_more(read_answer_to(FIXTURE_SINK_TO + 1, 9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(FIXTURE_SINK_TO + 19, 5)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(FIXTURE_SINK_TO + 10, 9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 24, 4));
}

/* More pieces than are followed, the first one of which never comes. */
static void read_many_pieces(struct rules_fixture *l) {
  read_answer(l, 200, fixture_more(read_answer_to(FIXTURE_SINK_TO + 180, 10)));
  for (unsigned i = 17; i > 0; i--) {
    const struct fixture_seg s = read_answer_to(FIXTURE_SINK_TO + (i % 2 + 1) * 100 - i * 5, 4);
    fixture_fpdu(l, FIXTURE_RESPONDER, i > 1 ? fixture_more(s) : s);
  }
}

/* L is on a segment before others of the Response; a Read follows, and its Response. */
static void read_last_before(struct rules_fixture *l) {
  read_answer(l, 27, fixture_more(fixture_read_response(9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 18, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(FIXTURE_SINK_TO + 9, 9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  read_into(l, 2, 0x900, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x900, 10));
}

/* A Send stands before its rest. */
static void read_early_then_send(struct rules_fixture *l) {
  read_answer(l, 18, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 9, 9));
}

/* An octet right after a whole Response. */
static void read_octet_after_whole(struct rules_fixture *l) {
  read_answer(l, 9, fixture_read_response(9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(FIXTURE_SINK_TO + 9, 1));
}

/* An octet right after a Response whose Request is cut. */
static void read_octet_after_cut(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x109, 1));
}

/* An empty Response may answer the second Request, which is cut. */
static void read_nothing_second_cut(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 9, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 0, 0, 0));
}

/* A Read of nothing elsewhere is answered first, at its sink or not. */
static void read_nothing_first(struct rules_fixture *l, uint64_t to) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 0, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(to, 0));
}

static void read_nothing_first_there(struct rules_fixture *l) {
  read_nothing_first(l, 0x200);
}

static void read_nothing_first_elsewhere(struct rules_fixture *l) {
  read_nothing_first(l, 0x300);
}

/* It has the length of another Read, but the place of its own. */
static void read_length_of_other(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 20, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 20));
}

/* It has the length and the place of a Read that was answered. */
static void read_length_of_answered(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x100, 20, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 20));
  read_into(l, 3, 0x100, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 20));
}

/* Two Reads of one sink: as far as the first one goes nothing tells which is answered. */
static void read_past_the_first(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x100, 20, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x100, 9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x109, 11));
}

static void read_up_to_the_second(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x100, 20, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x100, 20)));
}

/* A Response without L, then the answer to an Atomic Request after its Read, and maybe another. */
static void read_then_atomic(struct rules_fixture *l, uint32_t size, size_t len, uint32_t second) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(5);
  fixture_begin(l);
  read_into(l, 1, 0x100, size, 0);
  if (second != 0) {
    read_into(l, 2, 0x200, second, 0);
  }
  fixture_atomic(l, FIXTURE_INITIATOR, second != 0 ? 3 : 2, &a);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x100, len)));
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 5);
}

static void read_whole_then_atomic(struct rules_fixture *l) {
  read_then_atomic(l, 9, 9, 5);
}

static void read_part_then_atomic(struct rules_fixture *l) {
  read_then_atomic(l, 20, 9, 0);
}

static void unended_octet(struct rules_fixture *l) {
  unended_one(l, 1, unended_part(0, 1));
}

/* A Response that may answer the second Request, which is cut, ends without L. */
static void unended_second_cut(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 9, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x200, 4)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x204, 5)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A Response that begins without octets, then the answer to the Read after it. */
static void read_hollow_then_next(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x100, 0)));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 9));
}

/* After the change of STag it goes on, past what was asked for. */
static void read_stag_then_longer(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 100, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x100, 60)));
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_more(fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 3, 0x100 + 60, 30)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 3, 0x100 + 90, 30));
}

/* An RDMA Write between two Responses leaves the second Request as it is. */
static void read_write_between(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 9, 0);
  read_into(l, 2, 0x200, 9, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x100, 9));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_write());
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x200, 9));
}

/* The stream ends in a Write that began in a Response, whose Request is cut. */
static void read_cut_then_write(struct rules_fixture *l) {
  fixture_begin(l);
  read_into(l, 1, 0x100, 18, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x100, 9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_write()));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The second segment of a Response has another version, and the third goes on. */
static void read_version_inside(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(read_answer_to(0x109, 9));
  s.ddp.rsvdulp = iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.opcode = IWARP_RDMAP_OP_READ_RESP});
  fixture_begin(l);
  read_into(l, 1, 0x100, 20, 0);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(read_answer_to(0x100, 9)));
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  fixture_fpdu(l, FIXTURE_RESPONDER, read_answer_to(0x112, 9));
}

/* ---- an answer before what was sent ahead of the Request ---- */

/* A segment and a Read Request, of which the Responder had received the second alone when it
 * answered, or both. */
static void read_ahead_of(struct rules_fixture *l, struct fixture_seg s, bool received) {
  fixture_begin(l);
  const uint64_t before = l->next[FIXTURE_INITIATOR];
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_read(l, FIXTURE_INITIATOR, 1, 9);
  l->received = received ? 0 : before;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(9));
}

static void read_ahead_of_send(struct rules_fixture *l) {
  read_ahead_of(l, fixture_send(2), false);
}

static void read_ahead_of_immediate(struct rules_fixture *l) {
  read_ahead_of(l, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 8), false);
}

static void read_after_immediate(struct rules_fixture *l) {
  read_ahead_of(l, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 8), true);
}

const struct rules_case rules_cases_read[] = {
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response, then FIN", unended_fin, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response, then FIN of both",
     unended_first_fin, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response after a Marker", unended_marker,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response of one segment", unended_whole,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "the second Read Response", unended_second, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response, then no octets",
     unended_empty_more, "ddp.empty-segment"},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Read Response, then no octets with L",
     unended_empty, "ddp.empty-segment"},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "one octet less than the Read", unended_less, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "one more, without L", unended_longer,
     "ddp.stream-end"},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "a Response of no octets", unended_no_octets, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "one more, without L", unended_other_to,
     "ddp.stream-end"},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "another, without L", unended_other_stag,
     "ddp.stream-end"},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "as many octets as the Read, some twice", unended_twice,
     NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "without L", unended_unasked,
     "ddp.stream-end"},
    {"ddp.last-flag-early", FIXTURE_FAIL, 0, "in a Read Response without L", unended_early,
     "ddp.stream-end"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response, then a Send", unended_send, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response, then a Write", unended_write,
     NULL},
    {"rdmap.response-order", FIXTURE_NEAR, 0, "a Read Response without L, a Send, and another one",
     unended_goes_on, "ddp.last-flag-missing"},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Read Response, then a Terminate",
     unended_terminated, NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Read Response after a Terminate",
     unended_after_terminate, NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Read Response after a FIN", unended_after_fin,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Read Response, the capture ends", unended,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Read Response, then RST", unended_reset, NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Read Response, then a gap", unended_gap, NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a Read Response, then a gap of the asker", unended_asker_gap, NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a Read Response, more was received", unended_unheard, NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a Read Response, the Request is cut", unended_request_cut, NULL},
    {"ddp.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "in a Read Response, the Request is cut", unended_request_cut, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "after a Read Response without L", unended_damaged, NULL},
    {"ddp.to-wrap", FIXTURE_PASS, 0, "the sink of a Read", read_good, NULL},
    {"ddp.to-wrap", FIXTURE_NEAR, 0, "a sink up to the last octet", read_sink_to_end, NULL},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "a sink that wraps, answered as asked", read_sink_wraps, NULL},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "a Response to nothing", read_wrap_unasked,
     "rdmap.read-response-unasked"},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "a Response elsewhere", read_wrap_own,
     "rdmap.read-response-to"},
    {"ddp.to-wrap", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the Request is lost",
     read_wrap_unknown, NULL},
    {"ddp.to-wrap", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the Request is cut",
     read_wrap_request_cut, NULL},
    {"rdmap.read-request-length", FIXTURE_PASS, 0, "28", read_good, NULL},
    {"rdmap.read-request-length", FIXTURE_NEAR, 0, "20 and 8", read_in_two, NULL},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "27", read_short, NULL},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "29", read_long, NULL},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "40 out of their place", read_long_jumped, NULL},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "40 inside another message", read_long_restarted,
     NULL},
    {"rdmap.read-request-last", FIXTURE_PASS, 0, "L", read_good, NULL},
    {"rdmap.read-request-last", FIXTURE_NEAR, 0, "L in the second", read_in_two, NULL},
    {"rdmap.read-request-last", FIXTURE_FAIL, 0, "no L", read_not_last, NULL},
    {"rdmap.read-request-last", FIXTURE_FAIL, 0, "no L, then a Send", read_not_last_goes_on, NULL},
    {"rdmap.read-request-last", FIXTURE_FAIL, 0, "no L, then no octets with L", read_not_last_empty,
     "ddp.empty-segment"},
    {"rdmap.read-request-last", FIXTURE_FAIL, 0, "no L, then more of it", read_not_last_long,
     "rdmap.read-request-length"},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "20, of a Read Request without L", read_not_last_mo, NULL},
    {"rdmap.reads-outstanding", FIXTURE_PASS, 0, "two", read_good, NULL},
    {"rdmap.reads-outstanding", FIXTURE_NEAR, 0, "eight", read_at_limit, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "nine and more", read_above_limit, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "above its own ORD", read_responder_limit, NULL},
    {"rdmap.reads-outstanding", FIXTURE_NEAR, 0, "as the answer was received", read_next_received,
     NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "before the answer was received", read_next_early,
     NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "before many answers were received",
     read_many_early, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "ORD left to the ULP, IRD announced",
     read_responder_unspecified, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "with an Atomic", read_with_atomics, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "Rev 1",
     read_not_negotiated, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "after a Response to nothing", read_after_surplus, "rdmap.read-response-unasked"},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "0x3fff",
     read_unspecified, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "more was received",
     read_limit_unseen, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "a gap", read_limit_gap,
     NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a gap before the first of them", read_answer_lost_first, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_LIMIT, "too many to keep",
     read_limit_memory, NULL},
    {"rdmap.read-response-unasked", FIXTURE_PASS, 0, "asked", read_good, NULL},
    {"rdmap.read-response-unasked", FIXTURE_NEAR, 0, "eight asked", read_at_limit, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "half a Send", read_unasked_then_right, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "half a Send, no CRCs",
     read_unasked_then_unchecked, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "half a Send with a wrong CRC", read_unasked_then_wrong, "mpa.crc"},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "half an FPDU, and no more", read_unasked_then_nothing, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "octets of no FPDU received", read_unasked_then_none, "mpa.framing"},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "unasked", read_unasked, NULL},
    {"rdmap.read-response-unasked", FIXTURE_NEAR, 0, "as the Request was received",
     read_answer_received, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "before the Request was received",
     read_answer_early, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "the Request may be in what is taken for Private Data", read_unasked_unconfirmed, NULL},
    {"rdmap.read-response-unasked", FIXTURE_NEAR, 0, "after a Write in one",
     read_unasked_after_write, "ddp.message-order"},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "twice", read_answered_twice, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "more was received",
     read_unasked_unseen, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap",
     read_unasked_gap, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap",
     read_unasked_learnt, NULL},
    {"rdmap.read-response-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "one direction", read_one_sided, NULL},
    {"rdmap.read-response-stag", FIXTURE_PASS, 0, "copied", read_good, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "another", read_other_stag, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", read_unasked_gap,
     NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "Request cut",
     read_request_cut, NULL},
    {"rdmap.read-response-to", FIXTURE_PASS, 0, "copied", read_good, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "one more", read_other_to, NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "a Response from its end", order_descending, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "the first octets do not come", order_no_first,
     NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "the first octets of a Response come last",
     order_no_second, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "one more, of two segments", order_late,
     "rdmap.read-response-length"},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "one more, the last ones first", order_too_long,
     "ddp.segment-order"},
    {"rdmap.read-response-to", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap after the last ones",
     order_gap, NULL},
    {"rdmap.read-response-to", FIXTURE_SILENT, 0, "a Terminate after the last ones",
     order_terminated, NULL},
    {"rdmap.read-response-to", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", read_unasked_gap,
     NULL},
    {"rdmap.read-response-length", FIXTURE_PASS, 0, "as asked", read_good, NULL},
    {"rdmap.read-response-length", FIXTURE_NEAR, 0, "as asked, eight times", read_at_limit, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "one less", read_too_little, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "one more", read_too_much, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "L on each segment", read_last_each, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "more than the rest of the one before",
     read_last_early_too_long, "rdmap.read-response-length"},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "9 for 0", read_empty_answered, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "0 for 9", read_answered_empty, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "0 for 100, an Atomic Request beside it",
     read_empty_beside_atomic, NULL},
    {"rdmap.read-response-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap",
     read_unasked_gap, NULL},
    {"rdmap.read-response-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a gap of the asker inside", read_gap_inside, NULL},
    {"rdmap.read-response-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "Request cut",
     read_request_cut, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "in a Response", read_hole, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "in a Response that goes on", read_hole_goes_on,
     "rdmap.read-response-unasked"},
    {"ddp.stag-constant", FIXTURE_FAIL, 0, "in a Response", read_other_stag_later, NULL},
    {"rdmap.response-order", FIXTURE_PASS, 0, "in order", read_order_good, NULL},
    {"rdmap.response-order", FIXTURE_NEAR, 0, "Reads only", read_good, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "Atomic before Read", read_order_atomic_first, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "Read before Atomic", read_order_read_first, NULL},
    {"rdmap.response-order", FIXTURE_NEAR, 0, "two places", read_order_kept, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "two Reads", read_order_swapped, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "two Atomics", read_order_atomics, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "one sink, the shorter first", read_order_short_first,
     NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "one sink, the longer first", read_order_long_first,
     NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "one sink, the empty one first",
     read_order_empty_first, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "one sink, the third first, then the second",
     read_order_overtaken, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "one of two later ones first", read_order_said_before,
     NULL},
    {"rdmap.response-order", FIXTURE_NEAR, 0, "one sink, in order", read_order_sizes_kept, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "one is never answered", read_order_skipped, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "the length of neither Read of one sink",
     read_length_of_neither, NULL},
    {"rdmap.response-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", read_unasked_gap,
     NULL},
    {"rdmap.response-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the second Request cut",
     read_order_cut, NULL},
    {"rdmap.read-response-to", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the second Request cut",
     read_order_cut, NULL},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "a Response to a Read of nothing", read_wrap_of_nothing,
     "rdmap.read-response-length"},
    {"ddp.to-wrap", FIXTURE_NEAR, 0, "a Response after a Terminate", read_wrap_terminated,
     "rdmap.terminate-final"},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "one of two Reads, an Atomic Request before them",
     read_order_cut_after_atomic, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "the first two of three Reads",
     read_order_swapped_of_three, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION,
     "startup frames that may be payload", read_limit_joined, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION,
     "an enhanced Request alone", read_limit_one_sided, "mpa.enhanced-pairing"},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "the second of two Reads, of an octet",
     read_octet_first, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "that of a Read of nothing", read_place_of_nothing,
     NULL},
    {"rdmap.read-response-to", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the first Request cut",
     read_first_cut, NULL},
    {"rdmap.read-response-to", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the first Request is cut, the second answered first", read_first_cut_then, NULL},
    {"rdmap.atomic-response-id", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the first Request is cut, the second answered first", read_atomic_cut_then, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "that of a Read that was answered",
     read_again_beside, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "another, an Atomic Request before the Read",
     read_elsewhere_after_atomic, "rdmap.response-order"},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "another, an Atomic Request that is cut",
     read_elsewhere_atomic_cut, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "one less, the next Read goes on there",
     read_early_then_next, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "one less, the third Read goes on there",
     read_early_then_third, "rdmap.response-order"},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "no octets after one that ended too early",
     read_early_then_empty, "rdmap.read-response-length"},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "an octet less, which comes",
     read_early_by_octet, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "more than the rest of the rest",
     read_early_twice_too_long, "rdmap.read-response-length"},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "less, the rest in two", read_early_goes_on,
     NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "one more, two segments swapped",
     read_elsewhere_swapped, "ddp.segment-order"},
    {"rdmap.read-response-to", FIXTURE_SILENT, 0, "many pieces", read_many_pieces, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "L before others of a Response", read_last_before,
     "rdmap.read-response-length"},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "less, a Send before the rest",
     read_early_then_send, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "an octet after a whole one",
     read_octet_after_whole, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "0 for 9, the second Request cut",
     read_nothing_second_cut, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "a Read of nothing elsewhere first",
     read_nothing_first_there, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "0 for 9, where no Read of nothing is",
     read_nothing_first_elsewhere, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "that of a Read elsewhere",
     read_length_of_other, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "that of a Read that was answered",
     read_length_of_answered, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "one sink, the longer first, in two",
     read_past_the_first, NULL},
    {"rdmap.read-response-to", FIXTURE_NEAR, 0, "one sink, the longer first, no L",
     read_up_to_the_second, NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "Atomic before the second Read, no L",
     read_whole_then_atomic, "ddp.last-flag-missing"},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "Atomic inside a Read Response",
     read_part_then_atomic, "ddp.message-order"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response of an octet", unended_octet, NULL},
    {"rdmap.read-response-to", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the second Request cut, no L", unended_second_cut, "ddp.stream-end"},
    {"ddp.empty-segment", FIXTURE_SILENT, 0, "a Response that begins with it",
     read_hollow_then_next, NULL},
    {"ddp.stag-constant", FIXTURE_FAIL, 0, "in a Response that gets longer", read_stag_then_longer,
     NULL},
    {"rdmap.read-response-to", FIXTURE_NEAR, 0, "an RDMA Write before the second",
     read_write_between, NULL},
    {"ddp.message-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a Write in a Response, the Request is cut", read_cut_then_write, "ddp.stream-end"},
    {"rdmap.version", FIXTURE_FAIL, 0, "inside a Response", read_version_inside, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "an octet after one whose Request is cut",
     read_octet_after_cut, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0, "a Send before the Request had not come",
     read_ahead_of_send, NULL},
    {"rdmap.read-response-unasked", FIXTURE_FAIL, 0,
     "Immediate Data before the Request had not come", read_ahead_of_immediate, NULL},
    {"rdmap.read-response-unasked", FIXTURE_NEAR, 0, "Immediate Data before the Request had come",
     read_after_immediate, NULL},
};

const size_t rules_cases_read_num = sizeof(rules_cases_read) / sizeof(rules_cases_read[0]);
