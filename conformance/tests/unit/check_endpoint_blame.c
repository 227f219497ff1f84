/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint whose peer does what it may not: the rules blame the peer for it, never the endpoint.
 */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "witness.h"

#define MEM 4096u
#define STAG 1u

static const iwarp_span nothing = {0};

static iwarp_endpoint_cfg cfg_of(iwarp_role role) {
  iwarp_endpoint_cfg cfg = ep_cfg(role);
  cfg.ird = 4;
  cfg.ord = 4;
  cfg.emss = 128;
  return cfg;
}

static endpoint_pair *endpoint_pair_of(const iwarp_endpoint_cfg *initiator) {
  const iwarp_endpoint_cfg cfg[2] = {*initiator, cfg_of(IWARP_ROLE_RESPONDER)};
  endpoint_pair *p = endpoint_pair_new(cfg, MEM);
  for (size_t who = 0; who < 2; who++) {
    const iwarp_endpoint_region v = {.stag = STAG,
                                     .pd = cfg[who].pd,
                                     .len = MEM,
                                     .mem = p->s[who].h->mem,
                                     .access = IWARP_ACCESS_REMOTE_READ};
    ok(iwarp_endpoint_register(p->s[who].h->ep, &v));
  }
  return p;
}

/* Puts a message of one segment on the wire of `who`, which its endpoint knows nothing of. */
static void put(endpoint_pair *p, size_t who, const iwarp_ddp_hdr *hdr, iwarp_span inner) {
  uint8_t ulpdu[256];
  size_t len;
  ok(iwarp_ddp_hdr_encode(ulpdu, sizeof ulpdu, &len, hdr));
  if (inner.len > 0) {
    memcpy(&ulpdu[len], inner.ptr, inner.len);
  }
  endpoint_pair_put_ulpdu(p, who, (iwarp_span){ulpdu, len + inner.len});
}

/* How many findings there are of a rule against a side, of all against it. */
static void expect_findings(witness *w, size_t who, const char *slug, size_t num) {
  size_t found = 0;
  witness_finish(w);
  witness_tell(w, 3);
  for (size_t i = 0; i < w->num_findings; i++) {
    found +=
        w->findings[i].side == who && strcmp(iwarp_rule_get(w->findings[i].rule)->slug, slug) == 0
            ? 1
            : 0;
  }
  ck_assert_uint_eq(found, num);
  ck_assert_uint_eq(witness_count(w, 1u << who), num);
  ck_assert_uint_eq(witness_count(w, 1u << (1 - who)), 0);
}

/*
 * A Read Request whose sink wraps is answered: SinkTO is copied, its sender sees to the wrap. RFC
 * 5040 4.4
 */
START_TEST(sink_that_wraps)
{
  const size_t who = (size_t)_i % 2; /* that asks for it */
  const uint64_t below = (uint64_t)_i / 2;
  const iwarp_rdmap_read_req req = {.sink_stag = 9,
                                    .sink_to = UINT64_MAX - below,
                                    .size = 300,
                                    .source_stag = STAG,
                                    .source_to = 0};
  const iwarp_ddp_hdr hdr = {.last = true,
                             .dv = IWARP_DDP_VERSION,
                             .rsvdulp = 0x40 | IWARP_RDMAP_OP_READ_REQ,
                             .qn = IWARP_RDMAP_QN_READ_REQ,
                             .msn = 1};
  const iwarp_endpoint_cfg cfg = cfg_of(IWARP_ROLE_INITIATOR);
  uint8_t inner[IWARP_RDMAP_READ_REQ_LEN];
  size_t len;
  endpoint_pair *p = endpoint_pair_of(&cfg);
  witness *w = witness_of(p);
  endpoint_pair_join(p);
  ok(iwarp_endpoint_write(p->s[0].h->ep, 1, 0, 0, (iwarp_tx_payload){0}));
  endpoint_pair_talk(p, 4096);
  const uint64_t before = w->fpdus[1 - who];
  ok(iwarp_rdmap_read_req_encode(inner, sizeof inner, &len, &req));
  put(p, who, &hdr, (iwarp_span){inner, len});
  while (endpoint_pair_push(p, 1 - who, 4096)) {
  }
  while (endpoint_pair_pull(p, 1 - who, 4096) > 0) {
  }
  ck_assert_uint_ge(w->fpdus[1 - who], before + 3);
  expect_findings(w, who, "ddp.to-wrap", below < 300 ? 1 : 0);
  endpoint_pair_free(p);
  witness_free(w);
}
END_TEST

/* The Responder sends before it has received an FPDU. */
START_TEST(responder_first)
{
  static const uint8_t text[4] = "abc";
  const iwarp_ddp_hdr hdr = {
      .last = true, .dv = IWARP_DDP_VERSION, .rsvdulp = 0x40 | IWARP_RDMAP_OP_SEND, .msn = 1};
  iwarp_endpoint_cfg cfg = cfg_of(IWARP_ROLE_INITIATOR);
  cfg.strict_first_fpdu = _i == 1;
  endpoint_pair *p = endpoint_pair_of(&cfg);
  witness *w = witness_of(p);
  ok(iwarp_endpoint_recv(p->s[0].h->ep, 1, p->s[0].h->mem, 16));
  endpoint_pair_join(p);
  put(p, 1, &hdr, (iwarp_span){text, sizeof text});
  (void)endpoint_pair_push(p, 0, 4096);
  ck_assert_uint_eq(p->s[0].h->word, _i == 1 ? 0x2005 : 0);
  ck_assert_int_eq(memcmp(p->s[0].h->mem, text, sizeof text) == 0, _i == 0);
  ok(_i == 1
         ? IWARP_OK
         : iwarp_endpoint_send(p->s[0].h->ep, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
  (void)endpoint_pair_pull(p, 0, 4096);
  ck_assert_uint_eq(w->fpdus[0], 1);
  expect_findings(w, 1, "mpa.responder-first", 1);
  endpoint_pair_free(p);
  witness_free(w);
}
END_TEST

/* A Responder tells its IRD although it was asked not to (0x3FFF): it is all that it has. */
START_TEST(ird_announced_all_the_same)
{
  const uint16_t ird = (uint16_t)_i;
  iwarp_endpoint_cfg cfg = cfg_of(IWARP_ROLE_INITIATOR);
  cfg.ord_unspec = true;
  endpoint_pair *p = endpoint_pair_of(&cfg);
  witness *w = witness_of(p);
  uint8_t octets[IWARP_MPA_STARTUP_LEN + IWARP_MPA_ENHANCED_LEN];
  uint8_t pd[IWARP_MPA_ENHANCED_LEN];
  size_t len;
  const iwarp_mpa_enhanced enh = {.ird = ird, .ord = 4};
  iwarp_mpa_startup f = {.rev = 2,
                         .flags = IWARP_MPA_FLAG_S | IWARP_MPA_FLAG_C,
                         .pd_length = sizeof pd,
                         .private_data = {pd, sizeof pd}};
  memcpy(f.key, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), sizeof f.key);
  ok(iwarp_mpa_enhanced_encode(pd, sizeof pd, &len, &enh));
  ok(iwarp_mpa_startup_encode(octets, sizeof octets, &len, &f));
  ok(iwarp_endpoint_connect(p->s[0].h->ep, nothing));
  ok(iwarp_endpoint_listen(p->s[1].h->ep));
  (void)endpoint_pair_pull(p, 0, 4096);
  (void)endpoint_pair_push(p, 1, 4096);
  endpoint_pair_put(p, 1, (iwarp_span){octets, len});
  (void)endpoint_pair_push(p, 0, 4096);
  ok(iwarp_endpoint_accept(p->s[0].h->ep, nothing));
  endpoint_pair_events(p, 0);
  for (uint64_t i = 0; i < 4; i++) {
    const iwarp_rdmap_read_req req = {.sink_stag = STAG, .size = 8, .source_stag = STAG};
    ck_assert_int_eq(iwarp_endpoint_read(p->s[0].h->ep, i, &req),
                     ird > 0 ? IWARP_OK : IWARP_ERR_ORD);
  }
  (void)endpoint_pair_pull(p, 0, 4096);
  ck_assert_uint_eq(w->fpdus[0], ird < 4 ? ird : 4);
  expect_findings(w, 1, "mpa.ird-unspecified", 1);
  endpoint_pair_free(p);
  witness_free(w);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("endpoint-blame");
  TCase *t = tcase_create("blame");
  tcase_add_loop_test(t, sink_that_wraps, 0, 2 * 310);
  tcase_add_loop_test(t, responder_first, 0, 2);
  tcase_add_loop_test(t, ird_announced_all_the_same, 0, 6);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
