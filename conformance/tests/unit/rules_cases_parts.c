/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of messages of four segments, of which one is not like the others. */

#include "rules_cases.h"

#define PART_LEN 40u

static struct fixture_seg part_send(unsigned i) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, 2, i * PART_LEN, PART_LEN);
}

static struct fixture_seg part_octet(unsigned i) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, 2, i, 1);
}

static struct fixture_seg part_write(unsigned i) {
  return fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000 + i * PART_LEN, PART_LEN);
}

/* The third of four segments is another one; a Send follows. */
static void part_third(struct rules_fixture *l, struct fixture_seg (*part)(unsigned),
                       struct fixture_seg third, uint32_t next_msn) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(third));
  fixture_fpdu(l, FIXTURE_INITIATOR, part(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(next_msn));
}

static void part_opcode_once(struct rules_fixture *l) {
  struct fixture_seg s = part_send(2);
  s.ddp.rsvdulp = 0x45;
  part_third(l, part_send, s, 3);
}

static void part_no_opcode_once(struct rules_fixture *l) {
  struct fixture_seg s = part_send(2);
  s.ddp.rsvdulp = 0x4c;
  part_third(l, part_send, s, 3);
}

static struct fixture_seg part_invalidate(unsigned i) {
  struct fixture_seg s = part_send(i);
  s.ddp.rsvdulp = 0x44;
  s.ddp.rsvdulp_word = 7;
  return s;
}

static void part_invalidate_once(struct rules_fixture *l) {
  struct fixture_seg s = part_invalidate(2);
  s.ddp.rsvdulp_word = 8;
  part_third(l, part_invalidate, s, 3);
}

static void part_tagged_opcode_once(struct rules_fixture *l) {
  struct fixture_seg s = part_write(2);
  s.ddp.rsvdulp = 0x42;
  part_third(l, part_write, s, 2);
}

static void part_stag_once(struct rules_fixture *l) {
  struct fixture_seg s = part_write(2);
  s.ddp.stag = 2;
  part_third(l, part_write, s, 2);
}

/* After a gap the opcode of the message is undefined. */
static void part_no_opcode_learnt(struct rules_fixture *l) {
  struct fixture_seg s = part_send(2);
  s.ddp.rsvdulp = 0x4c;
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 64, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(3));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* ---- segments out of their places ---- */

/* Four segments in this order, the last of them with L. */
static void part_order(struct rules_fixture *l, struct fixture_seg (*part)(unsigned),
                       const unsigned order[4]) {
  fixture_begin(l);
  for (unsigned i = 0; i < 4; i++) {
    const struct fixture_seg s = part(order[i]);
    fixture_fpdu(l, FIXTURE_INITIATOR, i < 3 ? fixture_more(s) : s);
  }
}

static void part_in_order(struct rules_fixture *l) {
  part_order(l, part_send, (const unsigned[]){0, 1, 2, 3});
}

static void part_writes(struct rules_fixture *l) {
  part_order(l, part_write, (const unsigned[]){0, 1, 2, 3});
}

static void part_swapped(struct rules_fixture *l) {
  part_order(l, part_send, (const unsigned[]){0, 2, 1, 3});
}

/* A segment without payload has the place of the last one. */
static void part_swapped_empty(struct rules_fixture *l) {
  struct fixture_seg empty = part_send(3);
  empty.len = 0;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(2)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(empty));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(3));
}

/* The segments of the next message are in their places. */
static void part_swapped_once(struct rules_fixture *l) {
  part_swapped(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 3, 0, PART_LEN)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 3, PART_LEN, PART_LEN));
}

static void part_octets_swapped(struct rules_fixture *l) {
  part_order(l, part_octet, (const unsigned[]){0, 2, 1, 3});
}

static void part_last_overtaken(struct rules_fixture *l) {
  part_order(l, part_send, (const unsigned[]){0, 3, 1, 2});
}

/* The segments in the order of their octets, of which one has L; a Send follows. */
static void part_last_at(struct rules_fixture *l, struct fixture_seg (*part)(unsigned),
                         const unsigned order[4], unsigned last) {
  fixture_begin(l);
  for (unsigned i = 0; i < 4; i++) {
    const struct fixture_seg s = part(order[i]);
    fixture_fpdu(l, FIXTURE_INITIATOR, i == last ? s : fixture_more(s));
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(part == part_send ? 3 : 2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x9000, 9));
}

static void part_last_early(struct rules_fixture *l) {
  part_last_at(l, part_send, (const unsigned[]){0, 1, 2, 3}, 1);
}

static void part_last_too_early(struct rules_fixture *l) {
  part_last_at(l, part_send, (const unsigned[]){0, 1, 2, 3}, 0);
}

static void part_write_last_before(struct rules_fixture *l) {
  part_last_at(l, part_write, (const unsigned[]){0, 1, 3, 2}, 2);
}

static void part_write_last_second(struct rules_fixture *l) {
  part_last_at(l, part_write, (const unsigned[]){0, 3, 1, 2}, 1);
}

/* A Send lacks its L; a Write and the next Send follow, or the rest comes after all. */
static void part_unended(struct rules_fixture *l, bool rest) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x9000, 9));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, rest ? part_send(1) : fixture_send(4));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void part_unended_then(struct rules_fixture *l) {
  part_unended(l, false);
}

static void part_unended_rest(struct rules_fixture *l) {
  part_unended(l, true);
}

/* Of the octets that are lacking, one more comes than there are, so that it is another message. */
static void part_write_other_before(struct rules_fixture *l) {
  struct fixture_seg s = part_write(2);
  s.len++;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_write(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_write(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_write(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void part_first_last(struct rules_fixture *l) {
  part_last_at(l, part_send, (const unsigned[]){1, 3, 2, 0}, 1);
}

/* A whole Untagged message comes between. */
static void part_write_order_between(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_write(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_write(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, PART_LEN));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_write(1));
}

/* Some octets of a Write that has ended are lacking; these segments of the same STag follow. */
static void part_write_ended(struct rules_fixture *l, size_t lack) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_write(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000 + PART_LEN + lack, PART_LEN));
}

static void part_write_next(struct rules_fixture *l, uint64_t to, size_t len) {
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, to, len)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, to + len, len));
}

static void part_write_ended_octet(struct rules_fixture *l) {
  part_write_ended(l, 1);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000 + PART_LEN, 1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void part_write_ended_below(struct rules_fixture *l) {
  part_write_ended(l, 2 * PART_LEN);
  part_write_next(l, 0x800, 8);
}

/* The segments of an Untagged message change places, so that what the Write lacks is forgotten. */
static void part_write_ended_forgotten(struct rules_fixture *l) {
  part_write_ended(l, 2 * PART_LEN);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(2)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(3));
  part_write_next(l, 0x1000 + PART_LEN, 8);
}

static void part_first_late(struct rules_fixture *l) {
  part_order(l, part_send, (const unsigned[]){1, 0, 2, 3});
}

static void part_descending(struct rules_fixture *l) {
  part_order(l, part_write, (const unsigned[]){3, 2, 1, 0});
}

static void part_one_twice(struct rules_fixture *l) {
  part_order(l, part_send, (const unsigned[]){0, 2, 2, 3});
}

/* So often that each time by itself would be a piece too many. */
static void part_one_often(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  for (unsigned i = 0; i < 9; i++) {
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(2)));
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(3));
}

/* Octets of the first segment come again, in nine pieces. */
static void part_inside_often(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  for (unsigned i = 0; i < 9; i++) {
    fixture_fpdu(l, FIXTURE_INITIATOR,
                 fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 1 + 3 * i, 2)));
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(1));
}

/* The message whose first segments are missing goes on at a later place, long after the gap. */
static void part_start_unseen(struct rules_fixture *l) {
  const unsigned order[3] = {1, 3, 4};
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 64, IWARP_GAP_LOST);
  for (unsigned i = 0; i < 3; i++) {
    struct fixture_seg s = part_send(order[i]);
    s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
    fixture_fpdu(l, FIXTURE_INITIATOR, i < 2 ? fixture_more(s) : s);
  }
}

/* Segments of a Send and of a Write inside of it are out of their places; the Send goes on. */
static void part_both_jump(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(2)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_write(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_write(2)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(3));
}

static void part_one_left_out(struct rules_fixture *l) {
  part_order(l, part_write, (const unsigned[]){0, 2, 4, 5});
}

static void part_first_left_out(struct rules_fixture *l) {
  part_order(l, part_send, (const unsigned[]){1, 2, 3, 4});
}

static void part_mo_once(struct rules_fixture *l) {
  struct fixture_seg s = part_send(2);
  s.ddp.mo += 0x10000;
  part_third(l, part_send, s, 3);
}

static void part_to_once(struct rules_fixture *l) {
  struct fixture_seg s = part_write(2);
  s.ddp.to += 0x10000;
  part_third(l, part_write, s, 2);
}

/* Ten pieces with holes between them, which then are filled. */
static void part_many_pieces(struct rules_fixture *l) {
  fixture_begin(l);
  for (unsigned i = 0; i < 20; i++) {
    const struct fixture_seg s = part_write(i < 10 ? 2 * i : 2 * (i - 10) + 1);
    fixture_fpdu(l, FIXTURE_INITIATOR, i < 19 ? fixture_more(s) : s);
  }
}

static void part_few_pieces(struct rules_fixture *l) {
  fixture_begin(l);
  for (unsigned i = 0; i < 16; i++) {
    const struct fixture_seg s = part_write(i < 8 ? 2 * i : 2 * (i - 8) + 1);
    fixture_fpdu(l, FIXTURE_INITIATOR, i < 15 ? fixture_more(s) : s);
  }
}

/* What is left out may be among the octets that are missing. */
static void part_gap(struct rules_fixture *l, unsigned before) {
  const unsigned order[4] = {0, 2, 3, 4};
  fixture_begin_with(l, FIXTURE_C);
  for (unsigned i = 0; i < 4; i++) {
    if (i == before) {
      fixture_gap(l, FIXTURE_INITIATOR, 64, IWARP_GAP_LOST);
    }
    const struct fixture_seg s = part_send(order[i]);
    fixture_fpdu(l, FIXTURE_INITIATOR, i < 3 ? fixture_more(s) : s);
  }
}

static void part_gap_before(struct rules_fixture *l) {
  part_gap(l, 0);
}

static void part_gap_inside(struct rules_fixture *l) {
  part_gap(l, 2);
}

/* The message is left for another one before it ends. */
static void part_left(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(2)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

/* ---- segments without payload ---- */

static struct fixture_seg part_empty(uint32_t mo) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, 2, mo, 0);
}

/* A segment with octets, and an empty one with L. */
static void part_ends_empty(struct rules_fixture *l, struct fixture_seg first, uint32_t mo) {
  struct fixture_seg last = first;
  last.ddp.mo = mo;
  last.payload = NULL;
  last.len = 0;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(first));
  fixture_fpdu(l, FIXTURE_INITIATOR, last);
}

static void part_ends_next(struct rules_fixture *l) {
  part_ends_empty(l, part_send(0), PART_LEN + 1);
}

static void part_ends_far(struct rules_fixture *l) {
  part_ends_empty(l, part_send(0), UINT32_MAX);
}

static void part_ends_before(struct rules_fixture *l) {
  part_ends_empty(l, part_send(0), PART_LEN - 1);
}

static void part_ends_invalidate(struct rules_fixture *l) {
  part_ends_empty(l, part_invalidate(0), PART_LEN + 1);
}

static void part_ends_request(struct rules_fixture *l) {
  part_ends_empty(l, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 20), IWARP_RDMAP_READ_REQ_LEN);
}

static void part_ends_immediate(struct rules_fixture *l) {
  part_ends_empty(l, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 4), 8);
}

/* Two segments in the wrong order, then an empty one with L. */
static void part_swapped_then(struct rules_fixture *l, uint32_t mo) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_empty(mo));
}

static void part_swapped_end(struct rules_fixture *l) {
  part_swapped_then(l, 2 * PART_LEN);
}

static void part_swapped_end_far(struct rules_fixture *l) {
  part_swapped_then(l, 2 * PART_LEN + 1);
}

/* An empty segment in the middle says that more octets follow than do. */
static void part_empty_middle(struct rules_fixture *l, uint32_t mo) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_empty(mo)));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(1));
}

static void part_empty_inside(struct rules_fixture *l) {
  part_empty_middle(l, PART_LEN - 1);
}

static void part_empty_beyond(struct rules_fixture *l) {
  part_empty_middle(l, 1000);
}

/* One without payload far beyond the end, and one inside, before the last one. */
static void part_empty_twice(struct rules_fixture *l) {
  struct fixture_seg far = part_send(0);
  struct fixture_seg near = part_send(1);
  far.len = near.len = 0;
  far.ddp.mo = 1000;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(far));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(near));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(2));
}

/* After a message whose segments changed places, one begins with a segment without payload. */
static void part_empty_first(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 3, PART_LEN, 0);
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(2)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(part_send(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, part_send(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
  s.ddp.mo = 2 * PART_LEN;
  s.len = PART_LEN;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

const struct rules_case rules_cases_parts[] = {
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "the opcode of one", part_opcode_once, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "the Invalidate STag of one", part_invalidate_once,
     NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "the opcode of one, Tagged", part_tagged_opcode_once,
     NULL},
    {"ddp.stag-constant", FIXTURE_FAIL, 0, "the STag of one", part_stag_once, NULL},
    {"rdmap.opcode", FIXTURE_FAIL, 0, "in one segment of a Send", part_no_opcode_once, NULL},
    {"rdmap.opcode", FIXTURE_FAIL, 0, "in a Send of which more is missing", part_no_opcode_learnt,
     NULL},
    {"ddp.segment-order", FIXTURE_PASS, 0, "0, 1, 2, 3", part_in_order, NULL},
    {"ddp.segment-order", FIXTURE_NEAR, 0, "a Write", part_writes, NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "0, 2, 1, 3", part_swapped, NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "0, 2, 1, 3, and one in order", part_swapped_once, NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "0, 2, 1, 3 of an octet each", part_octets_swapped,
     NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "1, 0, 2, 3", part_first_late, NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "3, 2, 1, 0 of a Write", part_descending, NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "eight pieces", part_few_pieces, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "nine pieces of the first segment again",
     part_inside_often, NULL},
    {"ddp.mo-contiguous", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the first segments are missing",
     part_start_unseen, NULL},
    {"ddp.mo-contiguous", FIXTURE_INCONCLUSIVE, IWARP_REASON_LIMIT, "a Write too is out of order",
     part_both_jump, "ddp.message-order"},
    {"ddp.segment-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_LIMIT, "ten pieces", part_many_pieces,
     NULL},
    {"ddp.segment-order", FIXTURE_SILENT, 0, "left for another message", part_left,
     "ddp.last-flag-missing"},
    {"ddp.segment-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap before it",
     part_gap_before, NULL},
    {"ddp.last-flag-early", FIXTURE_FAIL, 0, "0, 3, 1, 2", part_last_overtaken, NULL},
    {"ddp.last-flag-early", FIXTURE_FAIL, 0, "on the second, and on no other", part_last_early,
     NULL},
    {"ddp.last-flag-early", FIXTURE_FAIL, 0, "on the first, and on no other", part_last_too_early,
     NULL},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "1, 3 with L, 2, 0", part_first_last, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "0, 1, 3 with L, 2", part_write_last_before, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "0, 3 with L, 1, 2", part_write_last_second, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "0, 1, 3 with L, another", part_write_other_before,
     "ddp.message-order"},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "0, 3 with L, a Send, 1 with L",
     part_write_order_between, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "the octet that was lacking", part_write_ended_octet,
     NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "and a Write to a lower TO", part_write_ended_below,
     NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "and a Write after a Send in another order",
     part_write_ended_forgotten, "ddp.segment-order"},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send without L, a Write, the next Send",
     part_unended_then, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send without L, a Write, a Send, the rest",
     part_unended_rest, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "0, 2, 2, 3", part_one_twice, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "0, nine times 2, 3", part_one_often, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "the MO of one", part_mo_once, NULL},
    {"ddp.mo-contiguous", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap after it", part_gap_inside,
     NULL},
    {"ddp.mo-contiguous", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap before it",
     part_gap_before, NULL},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "1, 2, 3, 4", part_first_left_out, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "an octet left out before an empty end", part_ends_next,
     NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "an empty end at the highest MO", part_ends_far, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "an octet after the empty end", part_ends_before, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "an empty end of a Send with Invalidate",
     part_ends_invalidate, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "20 octets of a Read Request, then an empty end",
     part_ends_request, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "4 octets of Immediate Data, then an empty end",
     part_ends_immediate, NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "1, 0, and an empty end", part_swapped_end, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "1, 0, and an empty end elsewhere", part_swapped_end_far,
     NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "an empty one before the end", part_empty_inside, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "an empty one beyond the end", part_empty_beyond, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "an empty one beyond the end, then one inside",
     part_empty_twice, NULL},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "one without payload", part_empty_first, "ddp.segment-order"},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "0, 2, 4, 5", part_one_left_out, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "the TO of one", part_to_once, NULL},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "and one without payload at the place of the last",
     part_swapped_empty, NULL},
};

const size_t rules_cases_parts_num = sizeof(rules_cases_parts) / sizeof(rules_cases_parts[0]);
