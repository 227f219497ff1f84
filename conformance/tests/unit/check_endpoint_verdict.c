/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The endpoint judges every header that a peer can send; the rules accept each of its Terminates.
 * One segment with every opcode, version, queue, length, MSN and offset, right and wrong, comes to
 * an endpoint in each of several situations.
 */
#include <stdio.h>

#include <check.h>

#include "check_run.h"
#include "ep_wire.h"
#include "property.h"
#include "witness.h"

#define MEM 4096u
#define OPCODES 16u
#define STAG 1u
#define STAG_LOCAL 3u /* without any remote access */
#define STAG_UNKNOWN 9u
#define BASE UINT64_C(0x1000)
#define REGION 64u
#define HALF 4u /* octets of a Send of which no more has come */

/* What the endpoint is, and what it does before the segment comes. */
typedef enum situation {
  FRESH = 0, /* a Responder that has received an empty Write */
  BASE_ONLY, /* the same without RFC 7306 */
  INSIDE,    /* a Responder that has received the first segment of a Send */
  WAITING,   /* an Initiator with an RDMA Read Request outstanding */
  WAITING_ATOMIC,
  SITUATIONS
} situation;

/* Queues: the queues of RFC 5040 and RFC 7306, and others that no stream has. */
static const uint32_t queues[] = {0, 1, 2, 3, 4, 0x0D000000, UINT32_MAX};
#define QUEUES (sizeof queues / sizeof queues[0])

static const uint32_t stags[] = {STAG, STAG_UNKNOWN, STAG_LOCAL};
static const uint32_t msns_ahead[] = {0, 1, UINT32_MAX};
#define NUMBERS 3u /* of both */

#define OFFSETS 3u
static const uint64_t tos[OFFSETS] = {BASE, UINT64_MAX, 0};

/* Payload: none, less than any RDMAP header, as long as the header of the opcode, more than any
 * buffer for one holds. */
#define LENGTHS 4u

static size_t length_of(uint8_t opcode, uint32_t which) {
  const size_t header = iwarp_rdmap_op_get(opcode)->hdr_len;
  const size_t lengths[LENGTHS] = {0, 3, header > 0 ? header : 8, IWARP_RDMAP_TERM_MAX + 1};
  return lengths[which];
}

static size_t side_of(situation s) {
  return s == WAITING || s == WAITING_ATOMIC ? 0 : 1;
}

#define CASES (2u * 4u * (QUEUES + 1u) * LENGTHS * NUMBERS * OFFSETS)

/* Takes one of `num` choices off a number. */
static uint32_t choose(uint32_t *rest, uint32_t num) {
  const uint32_t choice = *rest % num;
  *rest /= num;
  return choice;
}

static seg segment_of(situation s, uint8_t opcode, uint32_t number) {
  const uint32_t queue = choose(&number, QUEUES + 1);
  const uint32_t which = choose(&number, NUMBERS);
  const bool tagged = queue == QUEUES;
  const uint32_t offset = choose(&number, OFFSETS);
  const uint32_t mos[OFFSETS] = {s == INSIDE ? HALF : 0, HALF + 1, 0};
  seg v = {.tagged = tagged,
           .opcode = opcode,
           .rv_xor = (uint8_t)choose(&number, 4),
           .dv_xor = (uint8_t)(2 * choose(&number, 2)),
           .stag = stags[which],
           .to = tos[offset],
           .qn = tagged ? 0 : queues[queue],
           .msn = 1 + msns_ahead[which],
           .mo = mos[offset],
           .len = length_of(opcode, choose(&number, LENGTHS))};
  return v;
}

/* ---- an endpoint and its peer ---- */

static void add_memory(ep_host *h, uint32_t pd) {
  const iwarp_endpoint_region regions[] = {
      {STAG, pd, BASE, REGION, h->mem, IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE, false,
       NULL},
      {STAG_LOCAL, pd, BASE, REGION, h->mem + REGION, 0, false, NULL},
  };
  for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++) {
    ok(iwarp_endpoint_register(h->ep, &regions[i]));
  }
  ok(iwarp_endpoint_recv(h->ep, 1, h->mem + 1024, 16));
  ok(iwarp_endpoint_recv(h->ep, 2, h->mem + 1040, 16));
}

static void put(endpoint_pair *p, size_t who, const seg *v) {
  uint8_t ulpdu[256];
  endpoint_pair_put_ulpdu(p, who, (iwarp_span){ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, v)});
}

/* What goes before the segment. */
static void prepare(endpoint_pair *p, situation s) {
  static const iwarp_rdmap_read_req read = {
      .sink_stag = STAG, .sink_to = BASE, .size = 8, .source_stag = STAG, .source_to = BASE};
  static const iwarp_rdmap_atomic_req atomic = {.stag = STAG, .to = BASE};
  static const seg half = {.more = true, .opcode = IWARP_RDMAP_OP_SEND, .len = HALF};
  iwarp_endpoint *initiator = p->s[0].h->ep;
  if (s == WAITING) {
    ok(iwarp_endpoint_read(initiator, 1, &read));
  } else if (s == WAITING_ATOMIC) {
    ok(iwarp_endpoint_atomic(initiator, 1, &atomic));
  } else {
    ok(iwarp_endpoint_write(initiator, 1, 0, 0, (iwarp_tx_payload){0}));
  }
  (void)endpoint_pair_pull(p, 0, SIZE_MAX);
  (void)endpoint_pair_push(p, 1, SIZE_MAX);
  if (s == INSIDE) {
    put(p, 0, &half);
    (void)endpoint_pair_push(p, 1, SIZE_MAX);
  }
}

static endpoint_pair *pair_of(situation s) {
  iwarp_endpoint_cfg cfg[2] = {ep_cfg(IWARP_ROLE_INITIATOR), ep_cfg(IWARP_ROLE_RESPONDER)};
  cfg[1].base_only = s == BASE_ONLY;
  endpoint_pair *p = endpoint_pair_new(cfg, MEM);
  for (size_t who = 0; who < 2; who++) {
    p->s[who].h->hold_atomics = true;
    p->s[who].h->unlogged = true;
    add_memory(p->s[who].h, cfg[who].pd);
  }
  return p;
}

/* ---- what must come of it ---- */

static void describe(char *text, size_t cap, const seg *v, uint16_t word) {
  (void)snprintf(text, cap,
                 "opcode %u, RV ^ %u, DV ^ %u, %s, QN 0x%x, MSN 0x%x, MO %u, STag %u, %zu octets: "
                 "0x%04x",
                 v->opcode, v->rv_xor, v->dv_xor, v->tagged ? "tagged" : "untagged", v->qn, v->msn,
                 v->mo, v->stag, v->len, word);
}

/* DDP judges the queue of octets that it has to place before RDMAP judges anything: RFC 5041 7.1.
 * A Terminate is never answered: RFC 5040 7.1. */
static bool wants_queue_error(situation s, const seg *v) {
  const uint32_t last = s == BASE_ONLY ? IWARP_RDMAP_QN_TERMINATE : IWARP_RDMAP_QN_ATOMIC_RESP;
  return v->opcode != IWARP_RDMAP_OP_TERMINATE && v->dv_xor == 0 && !v->tagged && v->qn > last &&
         v->len > 0;
}

/* The rule on causes has judged the Terminate, where it returns a header and a cause it judges. */
static bool wants_judgement(uint16_t word) {
  return word != 0 && word != IWARP_TERM_OPERATION_UNSPECIFIED && word != IWARP_TERM_DDP_LOCAL;
}

static void judge(situation s, const seg *v) {
  char text[256];
  const size_t who = side_of(s);
  endpoint_pair *p = pair_of(s);
  witness *w = witness_of(p);
  endpoint_pair_join(p);
  prepare(p, s);
  put(p, 1 - who, v);
  (void)endpoint_pair_push(p, who, SIZE_MAX);
  (void)endpoint_pair_pull(p, who, SIZE_MAX);
  witness_finish(w);
  const ep_host *h = p->s[who].h;
  const iwarp_rule_result r =
      iwarp_rules_result(w->rules, iwarp_rule_find("rdmap.terminate-cause")->id);
  describe(text, sizeof text, v, h->word);
  if (witness_count(w, 1u << who) > 0) {
    witness_tell(w, 1u << who);
    ck_abort_msg("%s: a rule finds fault with the endpoint", text);
  }
  expect(r.num_pass == (wants_judgement(h->word) ? 1 : 0) && r.num_inconclusive == 0,
         "%s: the Terminate was judged %u times", text, (unsigned)r.num_pass);
  expect(h->fault_sent == (h->word != 0), "%s: no Terminate was sent", text);
  expect(!wants_queue_error(s, v) || h->word == IWARP_TERM_UNTAGGED_QN, "%s, not Invalid QN", text);
  endpoint_pair_free(p);
  witness_free(w);
}

START_TEST(segments)
{
  const situation s = (situation)((uint32_t)_i / OPCODES);
  const uint32_t step = (uint32_t)property_sample();
  for (uint32_t i = (uint32_t)_i % step; i < CASES; i += step) {
    const seg v = segment_of(s, (uint8_t)((uint32_t)_i % OPCODES), i);
    judge(s, &v);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("endpoint-verdict");
  TCase *t = tcase_create("verdict");
  tcase_add_loop_test(t, segments, 0, SITUATIONS * OPCODES);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
