/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of messages of four segments, of which one is not like the others. */

#include "rules_cases.h"

#define PART_LEN 40u

static struct fixture_seg part_send(unsigned i) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, 2, i * PART_LEN, PART_LEN);
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

const struct rules_case rules_cases_parts[] = {
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "the opcode of one", part_opcode_once, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "the Invalidate STag of one", part_invalidate_once,
     NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "the opcode of one, Tagged", part_tagged_opcode_once,
     NULL},
    {"ddp.stag-constant", FIXTURE_FAIL, 0, "the STag of one", part_stag_once, NULL},
    {"rdmap.opcode", FIXTURE_FAIL, 0, "in one segment of a Send", part_no_opcode_once, NULL},
};

const size_t rules_cases_parts_num = sizeof(rules_cases_parts) / sizeof(rules_cases_parts[0]);
