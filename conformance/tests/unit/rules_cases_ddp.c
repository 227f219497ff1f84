/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on DDP headers and the sequence of segments. */

#include "rules_cases.h"

/* ---- DDP header ---- */

static void ddp_sent(struct rules_fixture *l, struct fixture_seg s) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void ddp_dv(struct rules_fixture *l, uint8_t dv) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.dv = dv;
  s.ddp.rsvd = 3; /* not judged in another version */
  s.ddp.qn = 7;
  ddp_sent(l, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3)); /* it may have taken an MSN, or not */
}

static void ddp_dv0(struct rules_fixture *l) {
  ddp_dv(l, 0);
}

static void ddp_dv3(struct rules_fixture *l) {
  ddp_dv(l, 3);
}

static void ddp_dv0_unknown(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.dv = 0;
  start_request_only(l);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  l->next[1] += 40;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

struct fixture_seg ddp_version0(struct fixture_seg s) {
  s.ddp.dv = 0;
  s.ddp.rsvdulp &= 0x3F;
  return s;
}

void ddp_rdmac(struct rules_fixture *l) {
  const uint8_t flags = FIXTURE_M | FIXTURE_C;
  fixture_exchange(l, (struct fixture_frame){.flags = flags},
                   (struct fixture_frame){.reply = true, .flags = flags});
}

void ddp_rdmac_good(struct rules_fixture *l) {
  ddp_rdmac(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ddp_version0(fixture_send(1)));
  fixture_fpdu(l, FIXTURE_RESPONDER, ddp_version0(fixture_send(1)));
  fixture_fpdu(l, FIXTURE_RESPONDER, ddp_version0(fixture_send(2)));
}

static void ddp_rdmac_mixed(struct rules_fixture *l) {
  ddp_rdmac(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void ddp_rdmac_changes(struct rules_fixture *l) {
  ddp_rdmac(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ddp_version0(fixture_send(1)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

static void ddp_rdmac_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.cut = 40;
  ddp_rdmac(l);
  fixture_settle(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void ddp_rsvd(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.rsvd = 1;
  ddp_sent(l, s);
}

static void ddp_rsvd_tagged(struct rules_fixture *l) {
  struct fixture_seg s = fixture_write();
  s.ddp.rsvd = 8;
  ddp_sent(l, s);
}

static void ddp_wrap(struct rules_fixture *l, uint64_t to, size_t len) {
  ddp_sent(l, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, to, len));
}

static void ddp_to_end(struct rules_fixture *l) {
  ddp_wrap(l, UINT64_MAX - 15, 15);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, UINT64_MAX, 0));
}

static void ddp_to_past_end(struct rules_fixture *l) {
  ddp_wrap(l, UINT64_MAX - 15, 16);
}

/* A message of 2^31 octets and `more` in the next segment. */
static void ddp_long(struct rules_fixture *l, size_t more) {
  struct fixture_seg s = fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 40));
  s.claim = 0x80000000u;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s.ddp.to = 0x80000000u;
  s.claim = more;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s.ddp.to += more;
  s.claim = 0; /* what is too long already is not said again */
  s.ddp.last = true;
  if (more > 0x7FFFFFFFu) {
    fixture_fpdu(l, FIXTURE_INITIATOR, s);
  }
}

static void ddp_long_limit(struct rules_fixture *l) {
  ddp_long(l, 0x7FFFFFFFu);
}

static void ddp_long_above(struct rules_fixture *l) {
  ddp_long(l, 0x80000000u);
}

static void ddp_long_untagged(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 40));
  s.claim = 0x80000000u;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s.ddp.mo = 0x80000000u;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void ddp_long_learnt(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 100, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 9, 0xFFFFFFE0, 16)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 9, 0xFFFFFFF0, 16));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void ddp_long_unknown(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 100, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 9)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 9, 9));
}

static void ddp_empty_message(struct rules_fixture *l) {
  ddp_sent(l, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
}

static void ddp_empty_first(struct rules_fixture *l) {
  ddp_sent(l, fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 0)));
}

static void ddp_empty_tagged_first(struct rules_fixture *l) {
  ddp_sent(l, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 2, 5, 5));
}

static void ddp_empty_last(struct rules_fixture *l) {
  ddp_sent(l, fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 30)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 30, 0));
}

static void ddp_empty_tagged_last(struct rules_fixture *l) {
  ddp_sent(l, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 9)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 0, 0, 0));
}

/* A message of no octets in `num` segments. */
static void ddp_hollow(struct rules_fixture *l, struct fixture_seg s, unsigned num) {
  fixture_begin(l);
  for (unsigned i = 1; i < num; i++) {
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void ddp_hollow_send(struct rules_fixture *l) {
  ddp_hollow(l, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 0), 2);
}

static void ddp_hollow_write(struct rules_fixture *l) {
  ddp_hollow(l, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0), 2);
}

static void ddp_hollow_one(struct rules_fixture *l) {
  ddp_hollow(l, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0), 1);
}

static void ddp_empty_unknown(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 100, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 30, 0));
}

/* The Write goes on at 0, as if the last offset were not the last: its first segment wraps. */
static void ddp_to_goes_round(struct rules_fixture *l) {
  ddp_sent(l, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, UINT64_MAX - 15, 16)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 8));
}

/* The first FPDU of the Responder has the version of the other direction, and no message. */
static void ddp_first_no_message(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.rsvdulp = 0x4C;
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
}

/* ---- sequences ---- */

static void queue_gap(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 100, IWARP_GAP_LOST);
}

static void queue_msn_2_first(struct rules_fixture *l) {
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void queue_read_msn_9(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 9, 4);
}

static void queue_each_own(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 4);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_read(l, FIXTURE_INITIATOR, 2, 4);
}

static void queue_skip(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(5));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(6)); /* the new one counts from here */
}

static void queue_repeat(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void queue_msn_wrap(struct rules_fixture *l) {
  queue_gap(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(0xFFFFFFFF));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(0));
}

static void queue_msn_unknown(struct rules_fixture *l) {
  queue_gap(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(50));
}

static struct fixture_seg queue_part(uint32_t msn, uint32_t mo) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, msn, mo, 40);
}

static void queue_parts(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 80));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 0));
}

static void queue_two_parts(struct rules_fixture *l, struct fixture_seg second) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, second);
}

static void queue_msn_changes(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 40));
}

static void queue_msn_other(struct rules_fixture *l, uint32_t third, uint32_t next) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(3, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(third, 80));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(next));
}

/* The message goes on with the right MSN, and so do the ones after it. */
static void queue_msn_changes_back(struct rules_fixture *l) {
  queue_msn_other(l, 2, 3);
}

/* The message goes on with the wrong one; the next one counts from the right one. */
static void queue_msn_stays(struct rules_fixture *l) {
  queue_msn_other(l, 3, 3);
}

/* The next one counts from the wrong one. */
static void queue_msn_counts_on(struct rules_fixture *l) {
  queue_msn_other(l, 3, 4);
}

static void queue_msn_skips_after(struct rules_fixture *l) {
  queue_msn_other(l, 2, 5);
}

/* Of the message before nothing holds any more. */
static void queue_msn_after_two(struct rules_fixture *l) {
  queue_msn_other(l, 3, 4);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(4));
}

static void queue_msn_learnt(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 40));
  fixture_gap(l, FIXTURE_INITIATOR, 60, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(9));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

static void queue_mo_4(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 4));
}

static void queue_mo_unknown(struct rules_fixture *l) {
  queue_gap(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 4));
}

static void queue_mo_hole(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(2, 41));
}

static void queue_mo_again(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(2, 0));
}

/* The first of two messages has no L: nothing more of it comes. */
static void queue_last_missing(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 0));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The next message tells as much as the end. */
static void queue_last_missing_next(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(4, 0));
}

/* So does one of another queue, once the second one has ended: the rest of the first one was
 * expected. */
static void queue_last_missing_write(struct rules_fixture *l) {
  struct fixture_seg last = queue_part(3, 0);
  last.ddp.last = true;
  queue_two_parts(l, last);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
}

static void queue_last_missing_open(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 0));
}

static void queue_last_missing_gap(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 0));
  fixture_gap(l, FIXTURE_INITIATOR, 8, IWARP_GAP_LOST);
}

/* The rest of the first message comes after the second one, or between its segments. */
static void queue_mixed(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 40));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(4, 0));
}

static void queue_mixed_often(struct rules_fixture *l) {
  queue_two_parts(l, fixture_more(queue_part(3, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(3, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 80));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 80));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(4, 0));
}

/* Of the segment that may be the rest some octets were not captured, and its CRC among them. */
static void queue_mixed_cut(struct rules_fixture *l) {
  struct fixture_seg s = queue_part(2, 40);
  s.cut = IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN;
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The snapshot length leaves the headers of each: the gaps lie in the FPDUs. */
static void queue_mixed_snapped(struct rules_fixture *l) {
  struct fixture_seg segments[] = {fixture_more(queue_part(2, 0)), queue_part(3, 0),
                                   queue_part(2, 40)};
  fixture_begin_with(l, 0);
  for (size_t i = 0; i < sizeof(segments) / sizeof(segments[0]); i++) {
    segments[i].cut = IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN;
    fixture_fpdu(l, FIXTURE_INITIATOR, segments[i]);
    l->next[FIXTURE_INITIATOR] -= 8;
    fixture_gap(l, FIXTURE_INITIATOR, 8, IWARP_GAP_SNAPLEN);
    l->lost[FIXTURE_INITIATOR] = false;
  }
}

/* Of an octet each to begin with. */
static void queue_mixed_octet(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(queue_part(2, 0));
  s.len = 1;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 1));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(4, 0));
}

/* The second one is whole before the first one goes on, and that takes two segments. */
static void queue_mixed_goes_on(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 80));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(4, 0));
}

/* The first one ends, and the second one was begun before. */
static void queue_mixed_ends(struct rules_fixture *l) {
  queue_two_parts(l, fixture_more(queue_part(3, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 80));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 40));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(4, 0));
}

/* The second one had ended: nothing goes on with it. */
static void queue_mixed_past_last(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 40));
}

/* The second one has an MSN of long ago, and goes on once the first one has ended. */
static void queue_mixed_before(struct rules_fixture *l) {
  queue_two_parts(l, fixture_more(queue_part(1, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 40));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(1, 40));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 0));
}

/* The message after both follows the later one of them. */
static void queue_mixed_msn(struct rules_fixture *l, uint32_t first, uint32_t second,
                            uint32_t next) {
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(first, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(second, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(first, 40));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(next, 0));
}

static void queue_mixed_msn_before(struct rules_fixture *l) {
  fixture_begin(l);
  for (uint32_t msn = 2; msn < 5; msn++) {
    fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(msn, 0));
  }
  queue_mixed_msn(l, 5, 2, 6);
}

static void queue_mixed_msn_far(struct rules_fixture *l) {
  fixture_begin(l);
  queue_mixed_msn(l, 2, 0x80000000, 0x80000001);
}

/* Half of all numbers away it is before the other one. */
static void queue_mixed_msn_farther(struct rules_fixture *l) {
  fixture_begin(l);
  queue_mixed_msn(l, 2, 0x80000001, 3);
}

/* A Write begins inside of the second one, of which nothing more comes: the first one may go on. */
static void queue_last_missing_inside(struct rules_fixture *l) {
  queue_two_parts(l, fixture_more(queue_part(3, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 40));
}

/* CRCs are in use, so that the Write is like the one before. */
static void queue_last_missing_ordinary(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
}

/* Nothing that follows can tell: a segment of another queue than its own, a Terminate, no FPDU. */
static void queue_last_missing_astray(struct rules_fixture *l) {
  struct fixture_seg s = queue_part(4, 0);
  s.ddp.qn = 1;
  queue_two_parts(l, queue_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void queue_last_missing_terminate(struct rules_fixture *l) {
  queue_two_parts(l, fixture_more(queue_part(3, 0)));
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
}

static void queue_last_missing_run(struct rules_fixture *l) {
  queue_two_parts(l, queue_part(3, 0));
  fixture_undecodable(l, FIXTURE_INITIATOR, 60, IWARP_UNDEC_NOT_FPDU);
}

static void queue_last_early(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 40));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 0));
}

/* The segment with L overtakes the one before it. */
static void queue_last_overtakes(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 80));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(3, 0));
}

static void queue_op_changes(struct rules_fixture *l) {
  struct fixture_seg s = queue_part(2, 40);
  s.ddp.rsvdulp = 0x45;
  queue_two_parts(l, s);
}

static void queue_invalidate_changes(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND_INV, 2, 0, 40);
  fixture_begin(l);
  s.ddp.rsvdulp_word = 7;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
  s.ddp.mo = 40;
  s.ddp.rsvdulp_word = 8;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void queue_invalidate_same(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND_INV, 2, 0, 40);
  fixture_begin(l);
  s.ddp.rsvdulp_word = 7;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
  s.ddp.mo = 40;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

struct fixture_seg queue_tagged(uint32_t stag, uint64_t to) {
  return fixture_tagged(IWARP_RDMAP_OP_WRITE, stag, to, 40);
}

static void queue_tagged_parts(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 0xFFFFFFF0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 0xFFFFFFF0u + 40ull)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 0xFFFFFFF0u + 80ull));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(9, 3)); /* a message of its own */
}

static void queue_tagged_two(struct rules_fixture *l, struct fixture_seg second) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_fpdu(l, FIXTURE_INITIATOR, second);
}

static void queue_to_hole(struct rules_fixture *l) {
  queue_tagged_two(l, queue_tagged(1, 141));
}

/* Neither STag nor TO continues the Write before. */
static void queue_tagged_last_missing(struct rules_fixture *l) {
  queue_tagged_two(l, queue_tagged(2, 500));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_tagged_mixed(struct rules_fixture *l) {
  queue_tagged_two(l, fixture_more(queue_tagged(2, 500)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 140));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(2, 540));
}

static void queue_tagged_mixed_octet(struct rules_fixture *l) {
  struct fixture_seg s = queue_tagged(1, 140);
  s.len = 1;
  queue_tagged_two(l, queue_tagged(2, 500));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* What may be the rest of the first Write comes after a Send: it is a Write of its own. */
static void queue_tagged_rest_late(struct rules_fixture *l) {
  queue_tagged_two(l, queue_tagged(2, 500));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 140));
}

/* The second Write goes on, to the end of the stream. */
static void queue_tagged_goes_on(struct rules_fixture *l) {
  queue_tagged_two(l, fixture_more(queue_tagged(2, 500)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(2, 540));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* An empty segment belongs to the second Write, whatever its STag and TO are. */
static void queue_tagged_goes_on_empty(struct rules_fixture *l) {
  struct fixture_seg s = queue_tagged(1, 140);
  s.len = 0;
  queue_tagged_two(l, fixture_more(queue_tagged(2, 500)));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* A third Write has the STag of the first one, at another place. */
static void queue_tagged_third(struct rules_fixture *l) {
  queue_tagged_two(l, fixture_more(queue_tagged(2, 500)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 300));
}

/* The place after the first Write belongs to a Read Response. */
static void queue_tagged_response(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 40);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(queue_tagged(FIXTURE_SINK, FIXTURE_SINK_TO - 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(2, 500));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_response(40));
}

/* STag and TO of an empty segment mean nothing: the next one goes on as if it were not there. */
static void queue_after_empty(struct rules_fixture *l, uint64_t to) {
  struct fixture_seg s = fixture_more(queue_tagged(9, 5));
  s.len = 0;
  queue_tagged_two(l, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, to));
}

static void queue_after_empty_right(struct rules_fixture *l) {
  queue_after_empty(l, 140);
}

static void queue_after_empty_jump(struct rules_fixture *l) {
  queue_after_empty(l, 150);
}

static void queue_stag_changes(struct rules_fixture *l) {
  queue_tagged_two(l, queue_tagged(2, 140));
}

static void queue_to_unknown(struct rules_fixture *l) {
  queue_gap(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 5));
}

static void queue_tagged_op_changes(struct rules_fixture *l) {
  struct fixture_seg s = queue_tagged(1, 140);
  s.ddp.rsvdulp = 0x42;
  queue_tagged_two(l, s);
}

static void queue_send_in_write(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 140));
}

/* A Write that is never ended: what follows it is no news, nor is the next Write. */
static void queue_write_left(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(2, 500));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(4));
}

static void queue_read_in_send(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_read(l, FIXTURE_INITIATOR, 1, 4);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 40));
}

static void queue_response_in_write(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 40);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_response(40));
}

static void queue_write_in_response(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 80);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_response(40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 100));
}

/* A Write of one empty segment without L. */
static void queue_empty_write(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 100, 0)));
}

/* The Write goes on after the Send: which is no news. */
static void queue_send_in_empty_write(struct rules_fixture *l) {
  queue_empty_write(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 100, 0));
}

static void queue_read_in_empty_write(struct rules_fixture *l) {
  queue_empty_write(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 4);
}

static void queue_send_after_empty_part(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 0, 0, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void queue_response_in_empty_write(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 40);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 100, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_response(40));
}

static void queue_write_in_empty_response(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_response(0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 100));
}

/* The second Write may be the rest of the first. */
static void queue_write_after_empty(struct rules_fixture *l) {
  queue_empty_write(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(2, 500));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void queue_terminate_in_empty_write(struct rules_fixture *l) {
  queue_empty_write(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
}

static void queue_terminate_in_write(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(1, 100));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
}

/* The Reply decides whether the first one is right: if so, its Queue Number is wrong. */
static void queue_either_version(struct rules_fixture *l) {
  struct fixture_frame request = fixture_request();
  struct fixture_seg s = fixture_more(fixture_send(1));
  request.flags |= FIXTURE_C;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_gap(l, FIXTURE_RESPONDER, 40, IWARP_GAP_LOST);
  fixture_settle(l);
  s.ddp.qn = IWARP_RDMAP_QN_READ_REQ;
  s.ddp.rsvdulp &= 0x3F;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void queue_order_unknown(struct rules_fixture *l) {
  queue_gap(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* What the Initiator sends last is the first segment of a Send, then it closes. */
static void queue_end(struct rules_fixture *l, iwarp_end how) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_end(l, FIXTURE_INITIATOR, how);
}

static void queue_end_whole(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_part(2, 40));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_cut(struct rules_fixture *l) {
  queue_end(l, IWARP_END_FIN);
}

/* Its SYN was not captured, all from its Request on was. */
static void queue_end_no_syn(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  queue_end_cut(l);
}

static void queue_end_reset(struct rules_fixture *l) {
  queue_end(l, IWARP_END_RST);
}

static void queue_end_capture(struct rules_fixture *l) {
  queue_end(l, IWARP_END_CAPTURE);
}

static void queue_end_cut_write(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_cut_empty(struct rules_fixture *l) {
  queue_empty_write(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* A Terminate whose header is not ended itself. */
static void queue_end_cut_terminate(struct rules_fixture *l) {
  uint8_t octets[2] = {0x20, 5};
  const struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0);
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_with(s, octets, sizeof(octets))));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* A Terminate that has all of its octets, but not L; `announced` makes it tell of more. */
static void queue_terminate_no_last(struct rules_fixture *l, uint8_t announced) {
  uint8_t octets[4] = {0x20, 5, announced, 0};
  const struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0);
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_with(s, octets, sizeof(octets))));
}

static void queue_end_full_terminate(struct rules_fixture *l) {
  queue_terminate_no_last(l, 0);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The other side closes first, as it must. */
static void queue_end_full_terminate_answers(struct rules_fixture *l) {
  queue_terminate_no_last(l, 0);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  l->received = l->next[FIXTURE_RESPONDER] + 1;
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The rest of it may not have been sent. */
static void queue_end_more_terminate(struct rules_fixture *l) {
  queue_terminate_no_last(l, 0xC0);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  l->received = l->next[FIXTURE_RESPONDER] + 1;
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_full_terminate_open(struct rules_fixture *l) {
  queue_terminate_no_last(l, 0);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_CAPTURE);
}

static void queue_end_full_terminate_gap(struct rules_fixture *l) {
  queue_terminate_no_last(l, 0);
  fixture_gap(l, FIXTURE_INITIATOR, 28, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_terminated(struct rules_fixture *l) {
  queue_terminate_in_write(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_terminate_received(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* Its Queue Number is wrong. */
static void queue_end_terminate_alike(struct rules_fixture *l) {
  uint8_t octets[4] = {0x20, 5};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0);
  s.ddp.qn = 1;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_with(s, octets, sizeof(octets)));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The FIN of the other side takes a number: this one had received it, or not. */
static void queue_end_second(struct rules_fixture *l, unsigned received) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  l->received = l->next[FIXTURE_RESPONDER] + received;
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_answers(struct rules_fixture *l) {
  queue_end_second(l, 1);
}

static void queue_end_crosses(struct rules_fixture *l) {
  queue_end_second(l, 0);
}

/* A segment that has no place comes inside of a message, which may end with it. */
static void queue_end_misplaced(struct rules_fixture *l, struct fixture_seg first) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.qn = IWARP_RDMAP_QN_READ_REQ;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(first));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_misplaced_send(struct rules_fixture *l) {
  queue_end_misplaced(l, queue_part(2, 0));
}

static void queue_end_misplaced_write(struct rules_fixture *l) {
  queue_end_misplaced(l, queue_tagged(1, 100));
}

/* After octets that are no FPDU, which is reported. */
static void queue_end_unframed(struct rules_fixture *l) {
  static const uint8_t octets[IWARP_RUN_HEAD_LEN] = {0, 1, 0xEE};
  fixture_begin_with(l, FIXTURE_C);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){octets, sizeof(octets)}, sizeof(octets),
              IWARP_UNDEC_NO_BOUNDARY);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_interrupted(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, 100)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_gap(struct rules_fixture *l) {
  queue_gap(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void queue_end_gap_other(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_part(2, 0)));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* ---- what a segment leaves after it is known to be wrong ---- */

static struct fixture_seg queue_of(uint8_t opcode, uint32_t msn, uint32_t mo, size_t len) {
  return fixture_untagged(opcode, msn, mo, len);
}

/* A Send of the wrong RDMAP version, and on the queue of Requests. */
static void ddp_version_and_queue(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.qn = IWARP_RDMAP_QN_READ_REQ;
  s.ddp.rsvdulp = iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.opcode = IWARP_RDMAP_OP_SEND});
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The opcode changes, and changes back, or changes again. */
static void queue_opcodes(struct rules_fixture *l, uint8_t third) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 2, 0, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND_SE, 2, 8, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(third, 2, 16, 8));
}

static void queue_opcode_back(struct rules_fixture *l) {
  queue_opcodes(l, IWARP_RDMAP_OP_SEND);
}

static void queue_opcode_third(struct rules_fixture *l) {
  queue_opcodes(l, IWARP_RDMAP_OP_SEND_INV);
}

/* The MSN changes, and changes again. */
static void queue_msn_third(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 2, 0, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 3, 8, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 9, 16, 8));
}

/* The STag changes, and changes back, or changes again. */
static void queue_stags(struct rules_fixture *l, uint32_t third) {
  fixture_begin(l);
  for (uint32_t i = 0; i < 2; i++) {
    fixture_fpdu(l, FIXTURE_INITIATOR,
                 fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 5 + i, 0x100 + 8 * i, 8)));
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, third, 0x110, 8));
}

static void queue_stag_back(struct rules_fixture *l) {
  queue_stags(l, 5);
}

static void queue_stag_third(struct rules_fixture *l) {
  queue_stags(l, 7);
}

/* A message of so many octets has ended, and goes on. */
static void queue_goes_on_after(struct rules_fixture *l, uint32_t len) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 2, 0, len));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 2, len == 0 ? 1 : len, 8));
}

static void queue_goes_on_after_octet(struct rules_fixture *l) {
  queue_goes_on_after(l, 1);
}

static void queue_goes_on_after_nothing(struct rules_fixture *l) {
  queue_goes_on_after(l, 0);
}

/* Of three segments after the first one two are exchanged; the message before is longer. */
static void queue_exchanged_after_longer(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 2, 0, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 2, 40, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 3, 0, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 3, 16, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 3, 8, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 3, 24, 8));
}

/* After a gap a message is learnt from its middle on; another may have begun before it ended. */
static void queue_learnt_then(struct rules_fixture *l, uint32_t msn) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 5, 8, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, msn, 0, 8));
}

static void queue_learnt_then_next(struct rules_fixture *l) {
  queue_learnt_then(l, 7);
}

static void queue_learnt_then_later(struct rules_fixture *l) {
  queue_learnt_then(l, 8);
}

/* A segment without a place may have taken an MSN, but not two. */
static void queue_misplaced_then_later(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.qn = 9;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(4));
}

/* The segment with L comes before the first one of its message. */
static void queue_l_before_first(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 2, 8, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 2, 0, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

/* The first segment of a message is of another DDP version. */
static void queue_begins_misplaced_next(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 3, 0, 8));
  s.ddp.dv = 3;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 3, 8, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(4));
}

/* Of a queue that was not used before. */
static void queue_begins_misplaced_first(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 1, 0, 8));
  s.ddp.qn = IWARP_RDMAP_QN_READ_REQ;
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, queue_of(IWARP_RDMAP_OP_SEND, 1, 8, 8));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* Two Writes begin where a Send has not ended. */
static void queue_writes_in_send(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_of(IWARP_RDMAP_OP_SEND, 2, 0, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
}

/* Empty segments in and at the end of a Write that has octets. */
static void queue_empty_inside(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, 0, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, 8, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, 8, 0));
}

/* A Write that begins without octets goes on at 0 after the last offset. */
static void queue_hollow_goes_round(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, 0, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, UINT64_MAX - 7, 8)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, 0, 8));
}

/* Octets are missing, and then the rest of a Send comes after its first octet, with L; the first
 * octet comes after that. */
static void queue_octet_after_last(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 8, IWARP_GAP_LOST);
  s.sync = IWARP_SYNC_CRC;
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  s.ddp.mo = 1;
  s.len = 8;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s.ddp.mo = 0;
  s.len = 1;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
}

const struct rules_case rules_cases_ddp[] = {
    {"ddp.version", FIXTURE_PASS, 0, "1", fpdu_plain, NULL},
    {"ddp.version", FIXTURE_NEAR, 0, "0 under Rev 0", ddp_rdmac_good, "mpa.rev-rdmac"},
    {"ddp.version", FIXTURE_FAIL, 0, "0", ddp_dv0, NULL},
    {"ddp.version", FIXTURE_FAIL, 0, "3", ddp_dv3, NULL},
    {"ddp.version", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "0, no Reply",
     ddp_dv0_unknown, NULL},
    {"ddp.version-constant", FIXTURE_PASS, 0, "1", fpdu_plain, NULL},
    {"ddp.version-constant", FIXTURE_NEAR, 0, "0 always", ddp_rdmac_good, "mpa.rev-rdmac"},
    {"ddp.version-constant", FIXTURE_FAIL, 0, "0, then 1", ddp_rdmac_changes, "mpa.rev-rdmac"},
    {"ddp.version-family", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", ddp_rdmac_cut,
     "mpa.rev-rdmac"},
    {"ddp.version-family", FIXTURE_PASS, 0, "0", ddp_rdmac_good, "mpa.rev-rdmac"},
    {"ddp.version-family", FIXTURE_FAIL, 0, "1", ddp_rdmac_mixed, "mpa.rev-rdmac"},
    {"ddp.reserved", FIXTURE_PASS, 0, "0", fpdu_plain, NULL},
    {"ddp.reserved", FIXTURE_FAIL, 0, "0x04", ddp_rsvd, NULL},
    {"ddp.reserved", FIXTURE_FAIL, 0, "0x20, Tagged", ddp_rsvd_tagged, NULL},
    {"ddp.to-wrap", FIXTURE_PASS, 0, "far from it", queue_tagged_parts, NULL},
    {"ddp.to-wrap", FIXTURE_NEAR, 0, "up to the last octet", ddp_to_end, NULL},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "one octet more", ddp_to_past_end, NULL},
    {"ddp.message-length", FIXTURE_PASS, 0, "three segments", queue_parts, NULL},
    {"ddp.message-length", FIXTURE_NEAR, 0, "2^32-1", ddp_long_limit, NULL},
    {"ddp.message-length", FIXTURE_FAIL, 0, "2^32", ddp_long_above, NULL},
    {"ddp.message-length", FIXTURE_FAIL, 0, "2^32, Untagged", ddp_long_untagged, NULL},
    {"ddp.message-length", FIXTURE_FAIL, 0, "start not seen, Untagged", ddp_long_learnt, NULL},
    {"ddp.message-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "start not seen",
     ddp_long_unknown, NULL},
    {"ddp.zero-length", FIXTURE_PASS, 0, "one segment", ddp_empty_message, NULL},
    {"ddp.zero-length", FIXTURE_NEAR, 0, "one, Tagged", ddp_hollow_one, NULL},
    {"ddp.zero-length", FIXTURE_FAIL, 0, "two", ddp_hollow_send, NULL},
    {"ddp.zero-length", FIXTURE_FAIL, 0, "two, Tagged", ddp_hollow_write, NULL},
    {"ddp.empty-segment", FIXTURE_PASS, 0, "empty messages", ddp_empty_message, NULL},
    {"ddp.empty-segment", FIXTURE_SILENT, 0, "first", ddp_empty_first, NULL},
    {"ddp.empty-segment", FIXTURE_SILENT, 0, "first, Tagged", ddp_empty_tagged_first, NULL},
    {"ddp.empty-segment", FIXTURE_FAIL, 0, "last", ddp_empty_last, NULL},
    {"ddp.empty-segment", FIXTURE_FAIL, 0, "last, Tagged", ddp_empty_tagged_last, NULL},
    {"ddp.empty-segment", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "start not seen",
     ddp_empty_unknown, NULL},
    {"ddp.msn-first", FIXTURE_PASS, 0, "1", fpdu_plain, NULL},
    {"ddp.msn-first", FIXTURE_NEAR, 0, "1 on each queue", queue_each_own, NULL},
    {"ddp.msn-first", FIXTURE_FAIL, 0, "2", queue_msn_2_first, NULL},
    {"ddp.msn-first", FIXTURE_FAIL, 0, "9 on queue 1", queue_read_msn_9, NULL},
    {"ddp.msn-sequence", FIXTURE_PASS, 0, "1, 2", fpdu_plain, NULL},
    {"ddp.msn-sequence", FIXTURE_NEAR, 0, "0xffffffff, 0", queue_msn_wrap, NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "1, 5, 6", queue_skip, NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "1, 1", queue_repeat, NULL},
    {"ddp.msn-sequence", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap", queue_msn_unknown,
     NULL},
    {"ddp.msn-constant", FIXTURE_PASS, 0, "three segments", queue_parts, NULL},
    {"ddp.msn-constant", FIXTURE_NEAR, 0, "two segments", queue_invalidate_same, NULL},
    {"ddp.msn-constant", FIXTURE_FAIL, 0, "2, 3", queue_msn_changes, NULL},
    {"ddp.msn-constant", FIXTURE_FAIL, 0, "2, 3, 2", queue_msn_changes_back, NULL},
    {"ddp.msn-constant", FIXTURE_FAIL, 0, "2, 3, 3, then 3", queue_msn_stays, NULL},
    {"ddp.msn-constant", FIXTURE_FAIL, 0, "2, 3, 3, then 4", queue_msn_counts_on, NULL},
    {"ddp.msn-constant", FIXTURE_FAIL, 0, "2, 3, then a gap", queue_msn_learnt, "ddp.msn-sequence"},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "5 after 2, 3, 2", queue_msn_skips_after,
     "ddp.msn-constant"},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "4 again after 2, 3, 3", queue_msn_after_two,
     "ddp.msn-constant"},
    {"ddp.mo-first", FIXTURE_PASS, 0, "0", fpdu_plain, NULL},
    {"ddp.mo-first", FIXTURE_NEAR, 0, "0, then more", queue_parts, NULL},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "4", queue_mo_4, NULL},
    {"ddp.mo-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap", queue_mo_unknown, NULL},
    {"ddp.mo-contiguous", FIXTURE_PASS, 0, "three segments", queue_parts, NULL},
    {"ddp.mo-contiguous", FIXTURE_NEAR, 0, "two segments", queue_invalidate_same, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "one octet left out", queue_mo_hole, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "0 again", queue_mo_again, NULL},
    {"ddp.to-contiguous", FIXTURE_PASS, 0, "three segments", queue_tagged_parts, NULL},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "one octet left out", queue_to_hole, NULL},
    {"ddp.to-contiguous", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap", queue_to_unknown,
     NULL},
    {"ddp.stag-constant", FIXTURE_PASS, 0, "three segments", queue_tagged_parts, NULL},
    {"ddp.stag-constant", FIXTURE_FAIL, 0, "1, 2", queue_stag_changes, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_PASS, 0, "three segments", queue_parts, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_NEAR, 0, "same Invalidate STag", queue_invalidate_same, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "opcode", queue_op_changes, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "Invalidate STag", queue_invalidate_changes, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "opcode, Tagged", queue_tagged_op_changes, NULL},
    {"ddp.message-order", FIXTURE_PASS, 0, "one after the other", queue_parts, NULL},
    {"ddp.message-order", FIXTURE_NEAR, 0, "cut by a Terminate", queue_terminate_in_write, NULL},
    {"ddp.message-order", FIXTURE_NEAR, 0, "after a segment of either version",
     queue_either_version, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Send in a Write", queue_send_in_write, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Write left unfinished", queue_write_left, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Read Request in a Send", queue_read_in_send, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Response in a Write", queue_response_in_write, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Write in a Response", queue_write_in_response, NULL},
    {"ddp.message-order", FIXTURE_NEAR, 0, "a Write after an empty one", queue_write_after_empty,
     NULL},
    {"ddp.message-order", FIXTURE_NEAR, 0, "empty Write cut by a Terminate",
     queue_terminate_in_empty_write, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Send in an empty Write", queue_send_in_empty_write,
     NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Read Request in an empty Write",
     queue_read_in_empty_write, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Send after an empty segment",
     queue_send_after_empty_part, "ddp.empty-segment"},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Response in an empty Write",
     queue_response_in_empty_write, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "Write in an empty Response",
     queue_write_in_empty_response, NULL},
    {"ddp.message-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap",
     queue_order_unknown, NULL},
    {"ddp.last-flag-missing", FIXTURE_PASS, 0, "two Sends", fpdu_plain, NULL},
    {"ddp.last-flag-missing", FIXTURE_NEAR, 0, "then another", queue_parts, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a new MSN", queue_last_missing, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a new MSN, then another", queue_last_missing_next,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a new MSN, then a Write", queue_last_missing_write,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a new MSN, the capture ends",
     queue_last_missing_open, NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a new MSN, then a segment that is cut", queue_mixed_cut, NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a new MSN, then a gap",
     queue_last_missing_gap, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send inside another", queue_mixed, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send inside another, snapped", queue_mixed_snapped,
     NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "two Sends by turns", queue_mixed_often, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "two Writes by turns", queue_tagged_mixed, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Write inside another", queue_tagged_mixed_octet,
     NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send after one octet of another", queue_mixed_octet,
     NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send inside another, of three segments",
     queue_mixed_goes_on, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "two Sends by turns, the first one ends first",
     queue_mixed_ends, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send inside another, and more of it",
     queue_mixed_past_last, "ddp.msn-constant"},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send inside a later one", queue_mixed_before, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send inside a later one, then the next",
     queue_mixed_msn_before, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send far ahead inside another", queue_mixed_msn_far,
     NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Send half of all numbers ahead inside another",
     queue_mixed_msn_farther, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Write inside the second Send",
     queue_last_missing_inside, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a new MSN, then a Write like another",
     queue_last_missing_ordinary, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a new MSN, then another queue than its own",
     queue_last_missing_astray, "rdmap.queue-number"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a new MSN, then a Terminate",
     queue_last_missing_terminate, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a new MSN, then no FPDU", queue_last_missing_run,
     "mpa.framing"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "two Writes, then what may be the rest",
     queue_tagged_rest_late, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "two Writes, the second one of two segments",
     queue_tagged_goes_on, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "two Writes, the second one ends with no octets",
     queue_tagged_goes_on_empty, "ddp.empty-segment"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "three Writes, two of an STag", queue_tagged_third,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "two Writes, then a Read Response",
     queue_tagged_response, NULL},
    {"ddp.to-contiguous", FIXTURE_NEAR, 0, "after an empty segment", queue_after_empty_right,
     "ddp.empty-segment"},
    {"ddp.to-contiguous", FIXTURE_FAIL, 0, "elsewhere after an empty segment",
     queue_after_empty_jump, "ddp.empty-segment"},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "Writes", queue_tagged_parts, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "another STag and TO", queue_tagged_last_missing,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Terminate that has all octets",
     queue_end_full_terminate, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0,
     "a Terminate that has all octets, the other side closes", queue_end_full_terminate_answers,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Terminate that has not all it announces",
     queue_end_more_terminate, NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Terminate that has all octets, no end",
     queue_end_full_terminate_open, NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Terminate that has all octets, then a gap",
     queue_end_full_terminate_gap, NULL},
    {"ddp.last-flag-early", FIXTURE_PASS, 0, "two Sends", fpdu_plain, NULL},
    {"ddp.last-flag-early", FIXTURE_NEAR, 0, "then another", queue_parts, NULL},
    {"ddp.last-flag-early", FIXTURE_FAIL, 0, "goes on after it", queue_last_early, NULL},
    {"ddp.last-flag-early", FIXTURE_PASS, 0, "before one of its message", queue_last_overtakes,
     "ddp.mo-contiguous"},
    {"ddp.stream-end", FIXTURE_PASS, 0, "after the last segment", queue_end_whole, NULL},
    {"ddp.stream-end", FIXTURE_NEAR, 0, "cut by a Terminate", queue_end_terminated, NULL},
    {"ddp.stream-end", FIXTURE_NEAR, 0, "left unfinished before", queue_end_interrupted,
     "ddp.message-order"},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "in a Send", queue_end_cut, NULL},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "in a Send, no SYN", queue_end_no_syn, NULL},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "in a Write", queue_end_cut_write, NULL},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "in an empty Write", queue_end_cut_empty, NULL},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "in a Terminate", queue_end_cut_terminate, NULL},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "the FINs cross", queue_end_crosses, NULL},
    {"ddp.stream-end", FIXTURE_NEAR, 0, "answers a FIN", queue_end_answers, NULL},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "RST", queue_end_reset, NULL},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "the capture ends", queue_end_capture, NULL},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "after a Terminate", queue_end_terminate_received, NULL},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "after a Terminate of the wrong queue",
     queue_end_terminate_alike, "rdmap.queue-number"},
    {"ddp.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap", queue_end_gap, NULL},
    {"ddp.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap of the other side",
     queue_end_gap_other, NULL},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "goes on at 0", ddp_to_goes_round, NULL},
    {"ddp.version-constant", FIXTURE_PASS, 0, "1 in the other direction", ddp_first_no_message,
     "rdmap.opcode"},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "a segment without a place in a Send",
     queue_end_misplaced_send, "rdmap.queue-number"},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "a segment without a place in a Write",
     queue_end_misplaced_write, "rdmap.queue-number"},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "in a Send after octets that are no FPDU",
     queue_end_unframed, "mpa.framing"},
    {"rdmap.version", FIXTURE_FAIL, 0, "0, on the queue of Requests", ddp_version_and_queue, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "and back", queue_opcode_back, NULL},
    {"ddp.mo-contiguous", FIXTURE_SILENT, 0, "three opcodes", queue_opcode_third,
     "ddp.rsvdulp-constant"},
    {"ddp.mo-contiguous", FIXTURE_SILENT, 0, "three MSNs", queue_msn_third, "ddp.msn-constant"},
    {"ddp.stag-constant", FIXTURE_FAIL, 0, "and back", queue_stag_back, NULL},
    {"ddp.to-contiguous", FIXTURE_SILENT, 0, "three STags", queue_stag_third, "ddp.stag-constant"},
    {"ddp.last-flag-early", FIXTURE_FAIL, 0, "on an octet", queue_goes_on_after_octet, NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "that of a message of nothing",
     queue_goes_on_after_nothing, "ddp.mo-first"},
    {"ddp.segment-order", FIXTURE_FAIL, 0, "two of four, after a longer message",
     queue_exchanged_after_longer, NULL},
    {"ddp.msn-sequence", FIXTURE_NEAR, 0, "one of them may have begun in the gap",
     queue_learnt_then_next, NULL},
    {"ddp.msn-sequence", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "two may have begun in the gap",
     queue_learnt_then_later, NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "after a segment without a place",
     queue_misplaced_then_later, "rdmap.queue-number"},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "L before the first segment", queue_l_before_first, NULL},
    {"ddp.mo-contiguous", FIXTURE_FAIL, 0, "L before another segment", queue_last_overtakes, NULL},
    {"ddp.last-flag-early", FIXTURE_PASS, 0, "L before the first segment", queue_l_before_first,
     "ddp.mo-first"},
    {"ddp.mo-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "a first segment without a place", queue_begins_misplaced_first, "rdmap.queue-number"},
    {"ddp.mo-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "a first segment of another version", queue_begins_misplaced_next, "ddp.version"},
    {"ddp.message-order", FIXTURE_FAIL, 0, "two Writes in a Send", queue_writes_in_send, NULL},
    {"ddp.zero-length", FIXTURE_SILENT, 0, "empty segments in a Write", queue_empty_inside,
     "ddp.empty-segment"},
    {"ddp.to-wrap", FIXTURE_FAIL, 0, "goes on at 0, the first segment is empty",
     queue_hollow_goes_round, NULL},
    {"ddp.last-flag-early", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "the first octet after L, after a gap", queue_octet_after_last, NULL},
};

const size_t rules_cases_ddp_num = sizeof(rules_cases_ddp) / sizeof(rules_cases_ddp[0]);
