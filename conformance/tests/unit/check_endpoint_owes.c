/* SPDX-License-Identifier: BSD-2-Clause */
/* Every Terminate that an endpoint can owe: its peer reads it, and no rule finds fault with it. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "witness.h"

#define MEM 4096u
#define OP(name_) IWARP_RDMAP_OP_##name_
#define TOP UINT64_C(0xFFFFFFFFFFFFFF00)
#define ALL (IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_ATOMIC)

/* HdrCt of a Terminate, RFC 5040 4.8 figure 10. */
#define CODES 0u /* nothing is returned */
#define DDP 6u   /* M, D: the DDP header */
#define READ 7u  /* M, D, R: and the RDMA Read Request header */
#define MDR(t_) ((unsigned)(t_)->m << 2 | (unsigned)(t_)->d << 1 | (unsigned)(t_)->r)

/* ---- segments that no conforming peer sends ---- */

typedef struct seg {
  bool tagged;
  bool more; /* L is 0 */
  uint8_t opcode;
  uint8_t dv_xor;
  uint8_t rv_xor;
  uint32_t stag; /* or Invalidate STag */
  uint64_t to;
  uint32_t qn;
  uint32_t ahead; /* of the expected MSN */
  uint32_t mo;
  size_t len;
  size_t cut;                           /* octets of the ULPDU that are sent; 0: all */
  const iwarp_rdmap_read_req *read;     /* payload */
  const iwarp_rdmap_atomic_req *atomic; /* payload */
} seg;

/* What the endpoint does before. */
typedef enum before { NOTHING = 0, A_READ, AN_ATOMIC, TWO_REQUESTS } before;

typedef struct row {
  uint16_t word;
  uint8_t mdr;
  const char *reason;
  before first;
  seg s[2]; /* the last one is to blame */
  size_t num;
} row;

#define READ_SEG(...)                                                                              \
  { .opcode = OP(READ_REQ), .qn = 1, .len = 28, .read = &(const iwarp_rdmap_read_req)__VA_ARGS__ }
#define ATOMIC_SEG(...)                                                                            \
  {                                                                                                \
    .opcode = OP(ATOMIC_REQ), .qn = 1, .len = 52,                                                  \
    .atomic = &(const iwarp_rdmap_atomic_req)__VA_ARGS__                                           \
  }
#define TAGGED(op_, stag_, to_, len_)                                                              \
  { .tagged = true, .opcode = OP(op_), .stag = (stag_), .to = (to_), .len = (len_) }
#define UNTAGGED(op_, qn_, ahead_, mo_, len_)                                                      \
  { .opcode = OP(op_), .qn = (qn_), .ahead = (ahead_), .mo = (mo_), .len = (len_) }
#define ONE(...) .s = {__VA_ARGS__}, .num = 1
#define BOTH(...) .s = {__VA_ARGS__}, .num = 2

/*
 * Regions: 1 is for all, its memory begins 1 octet after an aligned one, 64 octets at 0x1000; 2 is
 * of another Protection Domain; 3 is local; 4 was invalidated; 5 may be written and not be
 * invalidated and ends just below 2^64.
 */
static const row rows[] = {
    {0x1000, CODES, "5041 6.2.2 no room for the header", ONE({.opcode = OP(SEND), .cut = 17})},
    {0x1000, CODES, "the same, tagged", ONE({.tagged = true, .cut = 13})},
    {0x1104, DDP, "5041 4.1 DV, tagged", ONE({.tagged = true, .dv_xor = 1, .stag = 1, .len = 1})},
    {0x1206, DDP, "5041 4.1 DV, untagged", ONE({.opcode = OP(SEND), .dv_xor = 2, .len = 1})},
    {0x0205, DDP, "5040 7.2 (3) RV", ONE({.opcode = OP(SEND), .rv_xor = 1, .len = 1})},
    {0x0205, DDP, "RV, tagged", ONE({.tagged = true, .rv_xor = 2, .stag = 1, .to = 0x1000})},
    {0x0206, DDP, "5040 7.2 (2) opcode", ONE({.opcode = 13, .len = 1})},
    {0x0206, DDP, "6580 3.4 opcode for experiments", ONE({.opcode = 15, .len = 1})},
    {0x0206, DDP, "5040 4.1 T of a Send", ONE(TAGGED(SEND, 1, 0x1000, 1))},
    {0x0206, DDP, "5040 4.1 T of a Write", ONE(UNTAGGED(WRITE, 0, 0, 0, 1))},
    {0x0206, DDP, "5040 4.1 QN of a Send", ONE(UNTAGGED(SEND, 1, 0, 0, 1))},
    {0x0206, DDP, "5041 5.3 a message within another",
     BOTH({.opcode = OP(SEND), .len = 4, .more = true}, TAGGED(WRITE, 1, 0x1000, 4))},
    {0x0206, DDP, "5040 5.2.2 a Response to nothing", ONE(TAGGED(READ_RESP, 3, 0x1000, 1))},
    {0x0206, DDP, "7306 10.1 AOpCode", ONE(ATOMIC_SEG({.aopcode = 1, .stag = 1, .to = 0x1007}))},
    {0x1201, DDP, "5041 7.1 QN", ONE(UNTAGGED(SEND, 4, 0, 0, 1))},
    {0x1202, DDP, "5041 7.1 no buffer", ONE(UNTAGGED(SEND, 0, 2, 0, 1))},
    {0x1202, DDP, "5040 6.1 more Requests than IRD", .first = TWO_REQUESTS,
     ONE(READ_SEG({.size = 0}))},
    {0x1202, DDP, "7306 5.2.2 an Atomic Response to nothing",
     ONE(UNTAGGED(ATOMIC_RESP, 3, 0, 0, 12))},
    {0x1203, DDP, "5041 7.1 MSN, not the next one", ONE(UNTAGGED(SEND, 0, 1, 0, 1))},
    {0x1203, DDP, "MSN of the past", ONE(UNTAGGED(SEND, 0, UINT32_MAX, 0, 1))},
    {0x1204, DDP, "5041 7.1 MO", ONE(UNTAGGED(SEND, 0, 0, 1, 1))},
    {0x1204, DDP, "MO of a segment that goes on",
     BOTH({.opcode = OP(SEND), .len = 4, .more = true}, UNTAGGED(SEND, 0, 0, 5, 1))},
    {0x1205, DDP, "5041 7.1 too long for the buffer", ONE(UNTAGGED(SEND, 0, 0, 0, 17))},
    {0x1205, DDP, "too long with its second segment",
     BOTH({.opcode = OP(SEND), .len = 8, .more = true}, UNTAGGED(SEND, 0, 0, 8, 9))},
    {0x1205, DDP, "too long for a Request", ONE(UNTAGGED(READ_REQ, 1, 0, 0, 53))},
    {0x1100, DDP, "5041 7.1 STag unknown", ONE(TAGGED(WRITE, 9, 0x1000, 1))},
    {0x1100, DDP, "STag invalidated", ONE(TAGGED(WRITE, 4, 0x1000, 1))},
    {0x1100, DDP, "5040 8.1 no right to write", ONE(TAGGED(WRITE, 3, 0x1000, 1))},
    {0x1100, DDP, "a Response to an STag unknown", .first = A_READ,
     ONE(TAGGED(READ_RESP, 9, 0x1000, 8))},
    {0x1101, DDP, "5041 7.1 below the base", ONE(TAGGED(WRITE, 1, 0xFFF, 1))},
    {0x1101, DDP, "beyond the end", ONE(TAGGED(WRITE, 1, 0x1000, 65))},
    {0x1102, DDP, "5041 7.1 Protection Domain", ONE(TAGGED(WRITE, 2, 0x1000, 1))},
    {0x1103, DDP, "5041 7.1 TO wraps", ONE(TAGGED(WRITE, 5, UINT64_MAX, 2))},
    {0x1103, DDP, "TO and length are just 2^64", ONE(TAGGED(WRITE, 5, TOP, 256))},
    {0x0100, READ, "5040 7.2 SrcSTag unknown",
     ONE(READ_SEG({.size = 1, .source_stag = 9, .source_to = 0x1000}))},
    {0x0101, READ, "5040 7.2 SrcTO below the base",
     ONE(READ_SEG({.size = 1, .source_stag = 1, .source_to = 0xFFF}))},
    {0x0101, READ, "5040 7.2 beyond the end",
     ONE(READ_SEG({.size = 65, .source_stag = 1, .source_to = 0x1000}))},
    {0x0102, READ, "5040 8.1 no right to read",
     ONE(READ_SEG({.size = 1, .source_stag = 3, .source_to = 0x1000}))},
    {0x0103, READ, "5040 7.2 Protection Domain",
     ONE(READ_SEG({.size = 1, .source_stag = 2, .source_to = 0x1000}))},
    {0x0104, READ, "5040 7.2 SrcTO wraps",
     ONE(READ_SEG({.size = 2, .source_stag = 1, .source_to = UINT64_MAX}))},
    {0x0100, DDP, "7306 5.2.1 STag unknown", ONE(ATOMIC_SEG({.stag = 9, .to = 0x1007}))},
    {0x0101, DDP, "7306 5.2.1 beyond the end", ONE(ATOMIC_SEG({.stag = 1, .to = 0x1039}))},
    {0x0102, DDP, "7306 5.2.1 no right", ONE(ATOMIC_SEG({.stag = 3, .to = 0x1000}))},
    {0x0103, DDP, "7306 5.2.1 Protection Domain", ONE(ATOMIC_SEG({.stag = 2, .to = 0x1000}))},
    {0x0104, DDP, "7306 5.2.1 TO wraps", ONE(ATOMIC_SEG({.stag = 1, .to = UINT64_MAX - 7}))},
    {0x0207, DDP, "7306 8.2 not aligned", ONE(ATOMIC_SEG({.stag = 1, .to = 0x1008}))},
    {0x0109, DDP, "5040 5.3 of another Protection Domain",
     ONE({.opcode = OP(SEND_INV), .stag = 2, .len = 1})},
    {0x0209, DDP, "5040 5.3 unknown", ONE({.opcode = OP(SEND_SE_INV), .stag = 9, .len = 1})},
    {0x0209, DDP, "invalidated before", ONE({.opcode = OP(SEND_INV), .stag = 4, .len = 1})},
    {0x0209, DDP, "no remote access", ONE({.opcode = OP(SEND_INV), .stag = 3, .len = 1})},
    {0x0209, DDP, "not to be invalidated", ONE({.opcode = OP(SEND_INV), .stag = 5, .len = 1})},
    {0x02FF, DDP, "5040 4.4 length of a Read Request", ONE(UNTAGGED(READ_REQ, 1, 0, 0, 27))},
    {0x02FF, DDP, "7306 4 length of an Atomic Request", ONE(UNTAGGED(ATOMIC_REQ, 1, 0, 0, 51))},
    {0x02FF, DDP, "7306 6.3 length of Immediate Data", ONE(UNTAGGED(IMMEDIATE, 0, 0, 0, 7))},
    {0x02FF, DDP, "7306 6.3 the same, too long", ONE(UNTAGGED(IMMEDIATE_SE, 0, 0, 0, 9))},
    {0x02FF, DDP, "7306 5.2.2 length of an Atomic Response", .first = AN_ATOMIC,
     ONE(UNTAGGED(ATOMIC_RESP, 3, 0, 0, 11))},
    {0x02FF, DDP, "5040 5.2.2 a Response elsewhere", .first = A_READ,
     ONE(TAGGED(READ_RESP, 3, 0x1001, 8))},
    {0x02FF, DDP, "5040 5.2.2 a Response too long", .first = A_READ,
     ONE(TAGGED(READ_RESP, 3, 0x1000, 9))},
    {0x02FF, DDP, "5040 5.2.2 a Response too short", .first = A_READ,
     ONE(TAGGED(READ_RESP, 3, 0x1000, 7))},
};

#define NUM_ROWS (sizeof rows / sizeof rows[0])

/* ---- an endpoint and its peer ---- */

typedef struct fixture {
  endpoint_pair *p;
  witness *witness;
  size_t who;   /* the endpoint that is provoked */
  bool markers; /* in what it receives */
  uint32_t msn[4];
  uint8_t ulpdu[512]; /* the last one that it was sent */
  size_t ulpdu_len;
} fixture;

static void add_regions(ep_host *s) {
  const iwarp_endpoint_region r[] = {
      {1, 7, 0x1000, 64, s->mem + 1, ALL, false, NULL},
      {2, 8, 0x1000, 64, s->mem + 128, ALL, false, NULL},
      {3, 7, 0x1000, 64, s->mem + 256, 0, false, NULL},
      {4, 7, 0x1000, 64, s->mem + 384, ALL, false, NULL},
      {5, 7, TOP, 255, s->mem + 512, IWARP_ACCESS_REMOTE_WRITE, true, NULL},
  };
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    ok(iwarp_endpoint_register(s->ep, &r[i]));
  }
  ok(iwarp_endpoint_invalidate(s->ep, 4));
  ok(iwarp_endpoint_recv(s->ep, 1, s->mem + 1024, 16));
  ok(iwarp_endpoint_recv(s->ep, 2, s->mem + 1040, 16));
}

static iwarp_endpoint_cfg cfg_of(size_t who, bool markers, bool crc) {
  iwarp_endpoint_cfg cfg = ep_cfg(who == 0 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER);
  cfg.markers = markers;
  cfg.no_crc = !crc;
  cfg.num_regions = 5;
  return cfg;
}

/* Bits of `how`: who is provoked, Markers, CRC. */
static fixture fixture_new(unsigned how) {
  fixture w = {.who = how & 1, .markers = (how & 2) != 0, .msn = {1, 1, 1, 1}};
  const bool crc = (how & 4) != 0;
  const iwarp_endpoint_cfg cfg[2] = {cfg_of(0, w.markers, crc), cfg_of(1, w.markers, crc)};
  w.p = endpoint_pair_new(cfg, MEM);
  w.witness = witness_of(w.p);
  endpoint_pair_join(w.p);
  add_regions(w.p->s[0].h);
  add_regions(w.p->s[1].h);
  ok(iwarp_endpoint_write(w.p->s[0].h->ep, 1, 0, 0,
                          (iwarp_tx_payload){0})); /* lets the other speak */
  endpoint_pair_talk(w.p, 4096);
  return w;
}

static void fixture_free(fixture *w) {
  endpoint_pair_free(w->p);
  witness_free(w->witness);
}

/* Stream offset of the next octet that `side` sends: after its startup frame. */
static uint64_t offset_of(const endpoint_pair_side *s) {
  return s->sent - (20 + ((size_t)s->wire[18] << 8 | s->wire[19]));
}

/* Puts a ULPDU on the wire to the endpoint; `spoil` is XORed to octet `at` of the FPDU. */
static void put_ulpdu(fixture *w, size_t at, uint8_t spoil) {
  uint8_t octets[1024];
  size_t len;
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {w->ulpdu, w->ulpdu_len},
                                 .off = offset_of(&w->p->s[1 - w->who]),
                                 .markers = w->markers};
  ok(iwarp_mpa_fpdu_encode(octets, sizeof octets, &len, &d));
  octets[at] ^= spoil;
  endpoint_pair_put(w->p, 1 - w->who, (iwarp_span){octets, len});
}

static void make_ulpdu(fixture *w, const seg *s) {
  const iwarp_ddp_hdr hdr = {.tagged = s->tagged,
                             .last = !s->more,
                             .dv = IWARP_DDP_VERSION ^ s->dv_xor,
                             .rsvdulp = (uint8_t)((0x40u ^ (uint32_t)s->rv_xor << 6) | s->opcode),
                             .stag = s->tagged ? s->stag : 0,
                             .to = s->to,
                             .rsvdulp_word = s->tagged ? 0 : s->stag,
                             .qn = s->qn,
                             .msn = (s->qn < 4 ? w->msn[s->qn] : 1) + s->ahead,
                             .mo = s->mo};
  size_t len;
  size_t inner;
  memset(w->ulpdu, 0, sizeof w->ulpdu);
  ok(iwarp_ddp_hdr_encode(w->ulpdu, sizeof w->ulpdu, &len, &hdr));
  if (s->read != NULL) {
    ok(iwarp_rdmap_read_req_encode(&w->ulpdu[len], sizeof w->ulpdu - len, &inner, s->read));
  }
  if (s->atomic != NULL) {
    ok(iwarp_rdmap_atomic_req_encode(&w->ulpdu[len], sizeof w->ulpdu - len, &inner, s->atomic));
  }
  w->ulpdu_len = s->cut != 0 ? s->cut : len + s->len;
}

/* What goes before: a Request of its own, or Requests of the peer that wait. */
static void prepare(fixture *w, before first) {
  static const iwarp_rdmap_read_req read = {
      .sink_stag = 3, .sink_to = 0x1000, .size = 8, .source_stag = 1, .source_to = 0x1000};
  static const iwarp_rdmap_atomic_req atomic = {
      .stag = 1, .to = 0x1007, .compare_mask = UINT64_MAX};
  const seg request = ATOMIC_SEG({.stag = 1, .to = 0x1007, .compare_mask = UINT64_MAX});
  if (first == A_READ) {
    ok(iwarp_endpoint_read(w->p->s[w->who].h->ep, 2, &read));
  } else if (first == AN_ATOMIC) {
    ok(iwarp_endpoint_atomic(w->p->s[w->who].h->ep, 2, &atomic));
  }
  w->p->s[w->who].h->hold_atomics = first == TWO_REQUESTS;
  for (size_t i = 0; i < 2 && first == TWO_REQUESTS; i++) {
    make_ulpdu(w, &request);
    put_ulpdu(w, 0, 0);
    w->msn[1]++;
  }
  (void)endpoint_pair_pull(w->p, w->who, SIZE_MAX);
}

/* ---- what must come of it ---- */

static void expect_codes(const fixture *w, uint16_t word, unsigned mdr) {
  const ep_host *s = w->p->s[w->who].h;
  const ep_host *peer = w->p->s[1 - w->who].h;
  const iwarp_rdmap_term *t = &peer->term.term;
  ck_assert_msg(s->word == word && s->fault_sent, "found 0x%04x, sent %d", s->word, s->fault_sent);
  ck_assert_msg(peer->terminated && peer->term.readable, "the peer cannot read it");
  ck_assert_msg(((unsigned)t->layer << 12 | (unsigned)t->etype << 8 | t->code) == word,
                "sent %u/%u/0x%02x", t->layer, t->etype, t->code);
  ck_assert_msg(MDR(t) == mdr, "M, D, R are %u, not %u", MDR(t), mdr);
  ck_assert_uint_eq(peer->word, 0);
}

/* The headers that come back are octet for octet those that were sent. */
static void expect_headers(const fixture *w, unsigned mdr) {
  const ep_host *peer = w->p->s[1 - w->who].h;
  const iwarp_rdmap_term *t = &peer->term.term;
  const size_t len = (w->ulpdu[0] & 0x80) != 0 ? 14 : 18;
  if (mdr == CODES) {
    ck_assert(t->ddp_header.len == 0 && t->rdma_header.len == 0);
    return;
  }
  ck_assert_uint_eq(t->ddp_segment_length, w->ulpdu_len);
  ck_assert_uint_eq(t->ddp_header.len, len);
  ck_assert_uint_eq(t->rdma_header.len, mdr == READ ? 28 : 0);
  ck_assert_mem_eq(peer->term_octets, w->ulpdu, len + t->rdma_header.len);
}

/* Nothing is sent and nothing is heard any more; both end in order. RFC 5040 5.4, 7.1 */
static void expect_silence(fixture *w) {
  static const uint8_t more[64];
  endpoint_pair_side *s = &w->p->s[w->who];
  const size_t sent = s->sent;
  const iwarp_span part = {more, sizeof more};
  ck_assert_int_eq(endpoint_pair_state(w->p, w->who), IWARP_ENDPOINT_TERMINATED);
  ck_assert_int_eq(iwarp_endpoint_send(s->h->ep, 9, OP(SEND), 0,
                                       (iwarp_tx_payload){.parts = &part, .num_parts = 1}),
                   IWARP_ERR_STATE);
  ok(iwarp_endpoint_push(s->h->ep, part));
  endpoint_pair_events(w->p, w->who);
  ck_assert_uint_eq(endpoint_pair_pull(w->p, w->who, SIZE_MAX), 0);
  endpoint_pair_talk(w->p, 4096);
  ck_assert_uint_eq(s->sent, sent);
  for (size_t who = 0; who < 2; who++) {
    ck_assert(w->p->s[who].h->over && !w->p->s[who].h->closed.disconnect);
  }
}

/* The rules may blame the peer for what the test made it send, the endpoint for nothing. */
static void expect_no_findings(const fixture *w) {
  witness_finish(w->witness);
  witness_tell(w->witness, 1u << w->who);
  ck_assert_uint_eq(witness_count(w->witness, 1u << w->who), 0);
}

static void finish(fixture *w, uint16_t word, unsigned mdr) {
  uint8_t before_it[MEM];
  const ep_host *s = w->p->s[w->who].h;
  memcpy(before_it, s->mem, MEM);
  (void)endpoint_pair_push(w->p, w->who, 4096);
  ck_assert_mem_eq(s->mem, before_it, MEM); /* no octet of the bad segment was placed */
  (void)endpoint_pair_pull(w->p, w->who, SIZE_MAX);
  (void)endpoint_pair_push(w->p, 1 - w->who, SIZE_MAX);
  expect_codes(w, word, mdr);
  expect_headers(w, mdr);
  expect_silence(w);
  expect_no_findings(w);
  fixture_free(w);
}

START_TEST(segments)
{
  for (unsigned how = 0; how < 8; how++) {
    const row *r = &rows[_i];
    printf("0x%04x: %s, combination %u\n", r->word, r->reason, how);
    fixture w = fixture_new(how);
    prepare(&w, r->first);
    for (size_t i = 0; i < r->num; i++) {
      (void)endpoint_pair_push(w.p, w.who, SIZE_MAX);
      make_ulpdu(&w, &r->s[i]);
      put_ulpdu(&w, 0, 0);
    }
    finish(&w, r->word, r->mdr);
  }
}
END_TEST

/* ---- MPA ---- */

/* RFC 5044 8 code 2 */
START_TEST(bad_crc)
{
  static const seg s = {.opcode = OP(SEND), .len = 8};
  for (unsigned how = 4; how < 8; how++) {
    fixture w = fixture_new(how);
    make_ulpdu(&w, &s);
    put_ulpdu(&w, 21, 0x10);
    finish(&w, 0x2002, CODES);
  }
}
END_TEST

/* RFC 5044 8 code 3: the CRC is right, or not in use, and a Marker points elsewhere. */
START_TEST(bad_marker)
{
  static const seg s = {.opcode = OP(SEND), .len = 8};
  for (unsigned who = 0; who < 2; who++) {
    fixture w = fixture_new(who | 2);
    make_ulpdu(&w, &(const seg)TAGGED(WRITE, 9, 0, 0));
    while (offset_of(&w.p->s[1 - who]) % 512 < 484) { /* until a Marker falls into the next */
      put_ulpdu(&w, 0, 0);
      (void)endpoint_pair_push(w.p, who, SIZE_MAX);
    }
    make_ulpdu(&w, &s);
    const size_t at = 512 - offset_of(&w.p->s[1 - who]) % 512;
    ck_assert_uint_lt(at, 30);
    put_ulpdu(&w, at + 3, 0x04);
    finish(&w, 0x2003, CODES);
  }
}
END_TEST

/* ---- the startup: an octet of a Reply is spoilt. RFC 6581 8 ---- */

static const struct reply_row {
  uint16_t word;
  size_t at; /* octet of the Reply */
  uint8_t with;
  const char *reason;
} reply_rows[] = {
    {0x2006, 23, 0x07, "6581 9.1 ORD beyond what can be had"},
    {0x2007, 22, 0xC0, "6581 9.3 no RTR type in common"},
    {0x2007, 20, 0x80, "6581 9.2 the Reply denies the peer-to-peer model"},
};

START_TEST(replies)
{
  const struct reply_row *r = &reply_rows[_i];
  iwarp_endpoint_cfg cfg[2] = {cfg_of(0, false, true), cfg_of(1, false, true)};
  cfg[0].peer_to_peer = r->word == 0x2007;
  cfg[0].rtr = IWARP_RTR_WRITE | IWARP_RTR_READ;
  cfg[1].rtr = IWARP_RTR_WRITE | IWARP_RTR_READ;
  fixture w = {.p = endpoint_pair_new(cfg, MEM)};
  w.witness = witness_of(w.p);
  w.p->spoil_side = 1;
  w.p->spoil_at = r->at;
  w.p->spoil_with = r->with;
  endpoint_pair_join(w.p);
  expect_codes(&w, r->word, CODES);
  for (size_t who = 0; who < 2; who++) {
    ck_assert(w.p->s[who].h->over && !w.p->s[who].h->closed.disconnect);
  }
  expect_no_findings(&w);
  fixture_free(&w);
}
END_TEST

/* ---- failures of the caller's, tied to no segment. RFC 5040 4.8, RFC 6581 8 ---- */

static const uint16_t own_words[] = {0x0000, 0x2005};

START_TEST(own_failures)
{
  const uint16_t word = own_words[_i];
  for (unsigned how = 0; how < 8; how++) {
    fixture w = fixture_new(how);
    ok(iwarp_endpoint_fail(w.p->s[w.who].h->ep, (uint8_t)(word >> 12), 0, (uint8_t)(word & 0xFF)));
    (void)endpoint_pair_pull(w.p, w.who, SIZE_MAX);
    (void)endpoint_pair_push(w.p, 1 - w.who, SIZE_MAX);
    expect_codes(&w, word, CODES);
    expect_silence(&w);
    expect_no_findings(&w);
    fixture_free(&w);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("endpoint-owes");
  TCase *t = tcase_create("terminates");
  tcase_add_loop_test(t, segments, 0, (int)NUM_ROWS);
  tcase_add_test(t, bad_crc);
  tcase_add_test(t, bad_marker);
  tcase_add_loop_test(t, replies, 0, (int)(sizeof reply_rows / sizeof reply_rows[0]));
  tcase_add_loop_test(t, own_failures, 0, 2);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
