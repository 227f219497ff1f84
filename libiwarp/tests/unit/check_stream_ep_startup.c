/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup of an endpoint: frames, negotiation, what is refused. RFC 5044 7.1, RFC 6581 */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"
#include "prng.h"

static const iwarp_span nothing = {0};

static iwarp_endpoint_state state_of(const ep_host *h) {
  return iwarp_endpoint_info_get(h->ep)->state;
}

static iwarp_endpoint_cfg initiator(void) {
  return ep_cfg(IWARP_ROLE_INITIATOR);
}

static iwarp_endpoint_cfg responder(void) {
  return ep_cfg(IWARP_ROLE_RESPONDER);
}

/* An Initiator whose Request is out, or a Responder that waits for one. */
static ep_host *begun(const iwarp_endpoint_cfg *cfg) {
  ep_host *h = ep_host_new(cfg);
  uint8_t octets[1024];
  if (cfg->role == IWARP_ROLE_INITIATOR) {
    ok(iwarp_endpoint_connect(h->ep, nothing));
    ck_assert_uint_gt(ep_host_pull(h, octets, sizeof octets), 0);
  } else {
    ok(iwarp_endpoint_listen(h->ep));
  }
  return h;
}

/* Pushes a startup frame with these fields. */
static void push_frame(ep_host *h, iwarp_mpa_key key, uint8_t flags, uint8_t rev, const uint8_t *pd,
                       uint16_t pd_len, size_t piece) {
  uint8_t octets[IWARP_MPA_STARTUP_LEN + 1024];
  size_t len;
  iwarp_mpa_startup f = {.flags = flags, .rev = rev, .pd_length = pd_len};
  f.private_data = (iwarp_span){pd, pd_len};
  memcpy(f.key, iwarp_mpa_key_octets(key), sizeof f.key);
  ok(iwarp_mpa_startup_encode(octets, sizeof octets, &len, &f));
  ep_host_push(h, octets, len, piece);
}

static void push_enhanced(ep_host *h, iwarp_mpa_key key, uint8_t flags, iwarp_mpa_enhanced enh) {
  uint8_t pd[IWARP_MPA_ENHANCED_LEN];
  size_t len;
  ok(iwarp_mpa_enhanced_encode(pd, sizeof pd, &len, &enh));
  push_frame(h, key, (uint8_t)(flags | IWARP_MPA_FLAG_S), 2, pd, sizeof pd, 7);
}

/* What the endpoint sends, as a startup frame. */
static iwarp_mpa_startup pull_frame(ep_host *h, iwarp_mpa_enhanced *enh) {
  static uint8_t octets[1024];
  iwarp_mpa_startup f;
  const size_t n = ep_host_pull(h, octets, sizeof octets);
  ck_assert_int_eq(iwarp_mpa_startup_decode(&f, (iwarp_span){octets, n}).err, IWARP_OK);
  ck_assert_uint_eq(n, IWARP_MPA_STARTUP_LEN + (size_t)f.pd_length);
  *enh = (iwarp_mpa_enhanced){0};
  if (iwarp_mpa_startup_is_enhanced(&f)) {
    ck_assert_int_eq(iwarp_mpa_enhanced_decode(enh, f.private_data).err, IWARP_OK);
  }
  return f;
}

/* ---- octets: the worked exchange of RFC 6581 ---- */

START_TEST(octets_of_an_exchange)
{
  static const uint8_t request[] = {'M',  'P',  'A',  ' ',  'I',  'D',  ' ',  'R',
                                    'e',  'q',  ' ',  'F',  'r',  'a',  'm',  'e',
                                    0x50, 0x02, 0x00, 0x04, 0x80, 0x08, 0xC0, 0x04};
  static const uint8_t reply[] = {'M',  'P',  'A',  ' ',  'I',  'D',  ' ',  'R',
                                  'e',  'p',  ' ',  'F',  'r',  'a',  'm',  'e',
                                  0x50, 0x02, 0x00, 0x04, 0x80, 0x04, 0x40, 0x08};
  static const uint8_t rtr[] = {0x00, 0x2E, 0x41, 0x41, 0, 0, 0, 0, 0, 0,    0,    1,    0,
                                0,    0,    1,    0,    0, 0, 0, 0, 0, 0,    1,    0,    0,
                                0,    0,    0,    0,    0, 0, 0, 0, 0, 0,    0,    0,    0,
                                1,    0,    0,    0,    0, 0, 0, 0, 0, 0x27, 0xDB, 0xD7, 0xE7};
  static const uint8_t response[] = {0x00, 0x0E, 0xC1, 0x42, 0, 0, 0,    1,    0,    0,
                                     0,    0,    0,    0,    0, 0, 0x21, 0xA3, 0xE8, 0x3E};
  iwarp_endpoint_cfg a = initiator();
  iwarp_endpoint_cfg b = responder();
  uint8_t octets[256];
  a.peer_to_peer = true;
  a.rtr = IWARP_RTR_WRITE | IWARP_RTR_READ;
  a.ird = 8;
  a.ord = 4;
  b.rtr = IWARP_RTR_READ;
  b.ird = 4;
  b.ord = 16;
  ep_host *i = ep_host_new(&a);
  ep_host *r = begun(&b);
  ok(iwarp_endpoint_connect(i->ep, nothing));
  ck_assert_uint_eq(ep_host_pull(i, octets, sizeof octets), sizeof request);
  ck_assert_mem_eq(octets, request, sizeof request);
  ep_host_push(r, octets, sizeof request, 3);
  ok(iwarp_endpoint_accept(r->ep, nothing));
  ck_assert_uint_eq(ep_host_pull(r, octets, sizeof octets), sizeof reply);
  ck_assert_mem_eq(octets, reply, sizeof reply);
  ep_host_push(i, octets, sizeof reply, 5);
  ok(iwarp_endpoint_accept(i->ep, nothing));
  ck_assert_uint_eq(ep_host_pull(i, octets, sizeof octets), sizeof rtr);
  ck_assert_mem_eq(octets, rtr, sizeof rtr);
  ep_host_push(r, octets, sizeof rtr, 64);
  ck_assert_uint_eq(ep_host_pull(r, octets, sizeof octets), sizeof response);
  ck_assert_mem_eq(octets, response, sizeof response);
  ep_host_push(i, octets, sizeof response, 64);
  const iwarp_endpoint_info *at_i = iwarp_endpoint_info_get(i->ep);
  const iwarp_endpoint_info *at_r = iwarp_endpoint_info_get(r->ep);
  ck_assert(at_i->ord == 4 && at_i->ird == 8 && at_r->ord == 8 && at_r->ird == 4);
  ck_assert(at_i->rtr == IWARP_RTR_READ && at_r->rtr == IWARP_RTR_READ);
  ck_assert_uint_eq(ep_host_count(i, IWARP_ENDPOINT_EVENT_DONE), 0);
  ck_assert_uint_eq(ep_host_count(r, IWARP_ENDPOINT_EVENT_ESTABLISHED), 1);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* ---- M and C: RFC 5044 7.1.1 ---- */

START_TEST(markers_and_crc)
{
  iwarp_endpoint_cfg a = initiator();
  iwarp_endpoint_cfg b = responder();
  a.rev = (_i & 16) != 0 ? 1 : 2;
  a.markers = (_i & 1) != 0;
  b.markers = (_i & 2) != 0;
  a.no_crc = (_i & 4) != 0;
  b.no_crc = (_i & 8) != 0;
  ep_host *i = ep_host_new(&a);
  ep_host *r = ep_host_new(&b);
  ep_join(i, r);
  const iwarp_endpoint_info *at_i = iwarp_endpoint_info_get(i->ep);
  const iwarp_endpoint_info *at_r = iwarp_endpoint_info_get(r->ep);
  ck_assert(at_i->markers_out == b.markers && at_i->markers_in == a.markers);
  ck_assert(at_r->markers_out == a.markers && at_r->markers_in == b.markers);
  ck_assert(at_i->crc == (!a.no_crc || !b.no_crc) && at_r->crc == at_i->crc);
  ck_assert(at_i->enhanced == (a.rev == 2) && at_r->enhanced == at_i->enhanced);
  ck_assert(at_i->rev == a.rev && at_r->rev == a.rev);
  ck_assert(state_of(i) == IWARP_ENDPOINT_FULL && state_of(r) == IWARP_ENDPOINT_AWAIT_FIRST_FPDU);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* ---- Private Data ---- */

START_TEST(private_data)
{
  const size_t len = (size_t)_i;
  iwarp_endpoint_cfg a = initiator();
  iwarp_endpoint_cfg b = responder();
  uint8_t data[IWARP_MPA_PRIVATE_DATA_MAX + 1];
  prng p = {.state = 1};
  prng_fill(&p, data, sizeof data);
  for (uint8_t rev = 1; rev <= 2; rev++) {
    const size_t most = IWARP_MPA_PRIVATE_DATA_MAX - (rev == 2 ? IWARP_MPA_ENHANCED_LEN : 0);
    const iwarp_span pd = {data, len < most ? len : most};
    a.rev = rev;
    ep_host *i = ep_host_new(&a);
    ep_host *r = begun(&b);
    ck_assert_int_eq(iwarp_endpoint_connect(i->ep, (iwarp_span){data, most + 1}), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_endpoint_connect(i->ep, (iwarp_span){NULL, 1}), IWARP_ERR_ARG);
    ok(iwarp_endpoint_connect(i->ep, pd));
    ep_talk(i, r, 11);
    ck_assert_uint_eq(r->pd_len, pd.len);
    ck_assert_mem_eq(r->pd, data, pd.len);
    ck_assert_int_eq(iwarp_endpoint_accept(r->ep, (iwarp_span){data, most + 1}), IWARP_ERR_ARG);
    ok(_i % 2 == 0 ? iwarp_endpoint_accept(r->ep, pd) : iwarp_endpoint_reject(r->ep, pd));
    ep_talk(i, r, 13);
    ck_assert_uint_eq(i->pd_len, pd.len);
    ck_assert_mem_eq(i->pd, data, pd.len);
    ck_assert_int_eq(iwarp_endpoint_accept(i->ep, (iwarp_span){data, 1}), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_endpoint_reject(i->ep, (iwarp_span){data, 1}), IWARP_ERR_ARG);
    ck_assert_int_eq(state_of(i),
                     _i % 2 == 0 ? IWARP_ENDPOINT_REPLY_PENDING : IWARP_ENDPOINT_DETACHED);
    ep_host_free(i);
    ep_host_free(r);
  }
}
END_TEST

/* ---- who may begin how ---- */

START_TEST(roles)
{
  const iwarp_endpoint_cfg a = initiator();
  const iwarp_endpoint_cfg b = responder();
  ep_host *i = ep_host_new(&a);
  ep_host *r = ep_host_new(&b);
  ck_assert_int_eq(iwarp_endpoint_listen(i->ep), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_endpoint_connect(r->ep, nothing), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_endpoint_accept(i->ep, nothing), IWARP_ERR_STATE);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* An Initiator that does not like the Reply leaves MPA; later octets belong to the ULP. */
START_TEST(initiator_rejects)
{
  const iwarp_endpoint_cfg a = initiator();
  ep_host *i = begun(&a);
  push_enhanced(i, IWARP_MPA_KEY_REPLY, 0, (iwarp_mpa_enhanced){.ird = 1, .ord = 1});
  ck_assert_uint_eq(ep_host_count(i, IWARP_ENDPOINT_EVENT_REPLY), 1);
  ok(iwarp_endpoint_recv(i->ep, 5, i->mem, 8));
  ok(iwarp_endpoint_reject(i->ep, nothing));
  ep_host_push(i, (const uint8_t *)"bye", 3, 2);
  ck_assert_mem_eq(i->streamed, "bye", 3);
  ck_assert_int_eq(ep_host_last(i, IWARP_ENDPOINT_EVENT_RECV)->u.recv.err, IWARP_ERR_FLUSHED);
  ep_host_free(i);
}
END_TEST

/* After a Reply that rejects the ULP's octets may follow at once. */
START_TEST(octets_after_a_reject)
{
  const iwarp_endpoint_cfg a = initiator();
  ep_host *i = begun(&a);
  uint8_t octets[27];
  const iwarp_mpa_enhanced enh = {.ird = 4, .ord = 16};
  size_t len;
  iwarp_mpa_startup f = {.flags = IWARP_MPA_FLAG_R | IWARP_MPA_FLAG_S, .rev = 2, .pd_length = 4};
  memcpy(f.key, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), sizeof f.key);
  ok(iwarp_mpa_startup_encode(octets, IWARP_MPA_STARTUP_LEN, &len, &f));
  ok(iwarp_mpa_enhanced_encode(&octets[20], 4, &len, &enh));
  memcpy(&octets[24], "abc", 3);
  ep_host_push(i, octets, sizeof octets, sizeof octets);
  const iwarp_endpoint_event *ev = ep_host_last(i, IWARP_ENDPOINT_EVENT_REJECTED);
  ck_assert(ev != NULL && ev->u.startup.enh.ord == 16 && ev->u.startup.is_reply);
  ck_assert_uint_eq(i->num_streamed, 3);
  ck_assert_mem_eq(i->streamed, "abc", 3);
  ep_host_free(i);
}
END_TEST

/* The rejecting Reply says what was wanted. RFC 6581 9.1 */
START_TEST(responder_rejects)
{
  iwarp_endpoint_cfg b = responder();
  iwarp_mpa_enhanced enh;
  b.ord = 16;
  b.ird = 4;
  ep_host *r = begun(&b);
  push_enhanced(r, IWARP_MPA_KEY_REQUEST, 0,
                (iwarp_mpa_enhanced){.a = true, .c = true, .d = true, .ird = 8, .ord = 4});
  ok(iwarp_endpoint_reject(r->ep, nothing));
  const iwarp_mpa_startup f = pull_frame(r, &enh);
  ck_assert_uint_eq(f.flags, IWARP_MPA_FLAG_C | IWARP_MPA_FLAG_R | IWARP_MPA_FLAG_S);
  ck_assert(enh.a && enh.c && enh.d && !enh.b && enh.ird == 4 && enh.ord == 16);
  ck_assert_int_eq(state_of(r), IWARP_ENDPOINT_DETACHED);
  ep_host_push(r, (const uint8_t *)"bye", 3, 2); /* the connection is the user's now */
  ck_assert_uint_eq(r->num_streamed, 3);
  ck_assert_mem_eq(r->streamed, "bye", 3);
  ep_host_free(r);
}
END_TEST

/* ---- IRD and ORD: RFC 6581 9.1 ---- */

#define U IWARP_MPA_DEPTH_UNSPEC

typedef struct depths {
  uint16_t ird, max, ord; /* configured; U: left to the ULP, 2 in force */
  uint16_t peer_ird, peer_ord;
  uint16_t reported_ird, reported_ord; /* Responder: in its Reply */
  uint16_t got_ird, got_ord;           /* in force */
} depths;

static const depths responder_depths[] = {
    {4, 4, 16, 8, 4, 4, 8, 4, 8}, {4, 8, 16, 8, 6, 6, 8, 6, 8},
    {4, 8, 2, 8, 9, 8, 2, 8, 2},  {4, 4, 16, U, 4, 4, U, 4, 16},
    {4, 4, 16, 8, U, U, 8, 4, 8}, {4, 4, 16, U, U, U, U, 4, 16},
    {0, 0, 0, 0, 0, 0, 0, 0, 0},  {U, 2, 3, 8, 4, U, 3, 2, 3},
    {4, 4, U, 1, 4, 4, U, 4, 1},  {4, 4, U, 0, 4, 4, U, 4, 0},
    {4, 4, U, U, 4, 4, U, 4, 2},  {1, 0, 1, 0x3FFE, 0x3FFE, 1, 1, 1, 1},
};
static const depths initiator_depths[] = {
    {8, 8, 4, 4, 8, 0, 0, 8, 4}, {8, 8, 4, 2, 8, 0, 0, 8, 2}, {8, 9, 4, 4, 9, 0, 0, 9, 4},
    {8, 8, 4, U, 8, 0, 0, 8, 4}, {8, 8, 4, 2, U, 0, 0, 8, 2}, {U, 2, 4, 2, 9, 0, 0, 2, 2},
    {8, 8, U, 1, 8, 0, 0, 8, 1}, {8, 8, U, 0, 8, 0, 0, 8, 0}, {8, 8, U, U, 8, 0, 0, 8, 2},
    {8, 8, 4, 0, 0, 0, 0, 8, 0},
};

static void set_depths(iwarp_endpoint_cfg *cfg, const depths *d) {
  cfg->ird_unspec = d->ird == U;
  cfg->ord_unspec = d->ord == U;
  cfg->ird = cfg->ird_unspec ? 2 : d->ird;
  cfg->ord = cfg->ord_unspec ? 2 : d->ord;
  cfg->ird_max = d->max;
}

START_TEST(depths_of_a_responder)
{
  const depths *d = &responder_depths[_i];
  iwarp_endpoint_cfg cfg = responder();
  iwarp_mpa_enhanced enh;
  set_depths(&cfg, d);
  ep_host *r = begun(&cfg);
  push_enhanced(r, IWARP_MPA_KEY_REQUEST, 0,
                (iwarp_mpa_enhanced){.ird = d->peer_ird, .ord = d->peer_ord});
  ok(iwarp_endpoint_accept(r->ep, nothing));
  (void)pull_frame(r, &enh);
  const iwarp_endpoint_info *info = iwarp_endpoint_info_get(r->ep);
  ck_assert_uint_eq(enh.ird, d->reported_ird);
  ck_assert_uint_eq(enh.ord, d->reported_ord);
  ck_assert_uint_eq(info->ird, d->got_ird);
  ck_assert_uint_eq(info->ord, d->got_ord);
  ck_assert(info->peer_ird == d->peer_ird && info->peer_ord == d->peer_ord);
  ep_host_free(r);
}
END_TEST

START_TEST(depths_of_an_initiator)
{
  const depths *d = &initiator_depths[_i];
  iwarp_endpoint_cfg cfg = initiator();
  iwarp_mpa_enhanced enh;
  set_depths(&cfg, d);
  ep_host *i = ep_host_new(&cfg);
  ok(iwarp_endpoint_connect(i->ep, nothing));
  (void)pull_frame(i, &enh);
  ck_assert_uint_eq(enh.ird, d->ird);
  ck_assert_uint_eq(enh.ord, d->ord);
  push_enhanced(i, IWARP_MPA_KEY_REPLY, 0,
                (iwarp_mpa_enhanced){.ird = d->peer_ird, .ord = d->peer_ord});
  const iwarp_endpoint_event *ev = ep_host_last(i, IWARP_ENDPOINT_EVENT_REPLY);
  ck_assert(ev->u.startup.enh.ird == d->peer_ird && ev->u.startup.enh.ord == d->peer_ord);
  ok(iwarp_endpoint_accept(i->ep, nothing));
  const iwarp_endpoint_info *info = iwarp_endpoint_info_get(i->ep);
  ck_assert(info->peer_ird == d->peer_ird && info->peer_ord == d->peer_ord);
  ck_assert_int_eq(info->state, IWARP_ENDPOINT_FULL);
  ck_assert_uint_eq(info->ird, d->got_ird);
  ck_assert_uint_eq(info->ord, d->got_ord);
  ep_host_free(i);
}
END_TEST

/* Settling the Reply fails: the Terminate 2/0/`code` is the first FPDU. RFC 6581 8 */
static void expect_terminate(ep_host *i, uint8_t code) {
  static const uint8_t begin[] = {0x00, 0x16, 0x41, 0x47, 0, 0, 0, 0, 0, 0,   0,
                                  2,    0,    0,    0,    1, 0, 0, 0, 0, 0x20};
  uint8_t octets[256];
  const iwarp_endpoint_event *ev;
  ok(iwarp_endpoint_accept(i->ep, nothing));
  ck_assert_int_eq(iwarp_endpoint_accept(i->ep, nothing), IWARP_ERR_STATE);
  ep_host_run(i);
  ck_assert_uint_eq(ep_host_pull(i, octets, sizeof octets), 28);
  ck_assert_mem_eq(octets, begin, sizeof begin);
  ck_assert(octets[21] == code && octets[22] == 0 && octets[23] == 0);
  ev = ep_host_last(i, IWARP_ENDPOINT_EVENT_FAULT);
  ck_assert(ev != NULL && ev->u.fault.sent && ev->u.fault.layer == 2 && ev->u.fault.etype == 0 &&
            ev->u.fault.code == code);
  ck_assert_uint_eq(ep_host_count(i, IWARP_ENDPOINT_EVENT_ESTABLISHED), 0);
  ck_assert_uint_eq(ep_host_count(i, IWARP_ENDPOINT_EVENT_SHUTDOWN), 1);
  ck_assert_int_eq(state_of(i), IWARP_ENDPOINT_TERMINATED);
}

START_TEST(insufficient_ird)
{
  iwarp_endpoint_cfg cfg = initiator();
  cfg.ird = 4;
  cfg.ird_max = 7;
  ep_host *i = begun(&cfg);
  push_enhanced(i, IWARP_MPA_KEY_REPLY, 0, (iwarp_mpa_enhanced){.ird = 2, .ord = 8});
  expect_terminate(i, 6);
  ep_host_free(i);
}
END_TEST

/* ---- Ready to Receive: RFC 6581 9.2 ---- */

static iwarp_mpa_enhanced rtr_flags(uint8_t rtr) {
  return (iwarp_mpa_enhanced){.a = true,
                              .b = (rtr & IWARP_RTR_SEND) != 0,
                              .c = (rtr & IWARP_RTR_WRITE) != 0,
                              .d = (rtr & IWARP_RTR_READ) != 0,
                              .ird = 2,
                              .ord = 2};
}

static uint8_t opcode_of(uint8_t rtr) {
  if ((rtr & IWARP_RTR_WRITE) != 0) {
    return 0x40;
  }
  return (rtr & IWARP_RTR_SEND) != 0 ? 0x43 : 0x41;
}

/* All sets of the Request against all of the Reply. */
START_TEST(rtr_of_an_initiator)
{
  iwarp_endpoint_cfg cfg = initiator();
  iwarp_mpa_enhanced enh;
  cfg.peer_to_peer = true;
  for (uint8_t mine = 1; mine <= 7; mine++) {
    for (uint8_t theirs = 0; theirs <= 7; theirs++) {
      const uint8_t both = mine & theirs;
      uint8_t octets[256];
      cfg.rtr = mine;
      ep_host *i = ep_host_new(&cfg);
      ok(iwarp_endpoint_connect(i->ep, nothing));
      (void)pull_frame(i, &enh);
      ck_assert(enh.a && enh.b == ((mine & IWARP_RTR_SEND) != 0) &&
                enh.c == ((mine & IWARP_RTR_WRITE) != 0) &&
                enh.d == ((mine & IWARP_RTR_READ) != 0));
      push_enhanced(i, IWARP_MPA_KEY_REPLY, 0, rtr_flags(theirs));
      if (both == 0) {
        expect_terminate(i, 7);
      } else {
        ok(iwarp_endpoint_accept(i->ep, nothing));
        ck_assert_uint_gt(ep_host_pull(i, octets, sizeof octets), 3);
        ck_assert_uint_eq(octets[3], opcode_of(both));
        ck_assert_uint_eq(ep_host_count(i, IWARP_ENDPOINT_EVENT_DONE), 0);
      }
      ep_host_free(i);
    }
  }
}
END_TEST

START_TEST(rtr_of_a_responder)
{
  iwarp_endpoint_cfg cfg = responder();
  iwarp_mpa_enhanced enh;
  for (uint8_t mine = 1; mine <= 7; mine++) {
    for (uint8_t theirs = 0; theirs <= 7; theirs++) {
      const uint8_t both = mine & theirs;
      const iwarp_mpa_enhanced due = rtr_flags(both != 0 ? both : mine);
      cfg.rtr = mine;
      ep_host *r = begun(&cfg);
      push_enhanced(r, IWARP_MPA_KEY_REQUEST, 0, rtr_flags(theirs));
      ok(iwarp_endpoint_accept(r->ep, nothing));
      (void)pull_frame(r, &enh);
      ck_assert(enh.a && enh.b == due.b && enh.c == due.c && enh.d == due.d);
      ck_assert_uint_eq(iwarp_endpoint_info_get(r->ep)->rtr, both);
      ep_host_free(r);
    }
  }
}
END_TEST

/* Only an empty Send is the Ready to Receive message, a longer one is the ULP's. RFC 6581 9.2 */
START_TEST(rtr_send_is_empty)
{
  const iwarp_endpoint_cfg cfg = responder();
  const seg s = {.opcode = IWARP_RDMAP_OP_SEND, .len = (size_t)_i};
  uint8_t ulpdu[64];
  uint8_t octets[64];
  size_t len;
  iwarp_mpa_enhanced enh;
  ep_host *r = begun(&cfg);
  ok(iwarp_endpoint_recv(r->ep, 5, r->mem, 8));
  push_enhanced(r, IWARP_MPA_KEY_REQUEST, 0, rtr_flags(IWARP_RTR_SEND));
  ok(iwarp_endpoint_accept(r->ep, nothing));
  (void)pull_frame(r, &enh);
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s)}};
  ok(iwarp_mpa_fpdu_encode(octets, sizeof octets, &len, &d));
  ep_host_push(r, octets, len, len);
  ck_assert_int_eq(iwarp_endpoint_info_get(r->ep)->state, IWARP_ENDPOINT_FULL);
  ck_assert_uint_eq(ep_host_count(r, IWARP_ENDPOINT_EVENT_RECV), _i == 0 ? 0 : 1);
  ck_assert_uint_eq(r->placed, (size_t)_i);
  ep_host_free(r);
}
END_TEST

/* The zero-length Read wants a place: IRD is raised to 1, or flag D is not set. RFC 6581 9.1 */
START_TEST(rtr_read_and_ird)
{
  iwarp_endpoint_cfg cfg = responder();
  iwarp_mpa_enhanced enh;
  iwarp_mpa_enhanced req = rtr_flags(7);
  req.ord = 0;
  for (uint16_t max = 0; max <= 1; max++) {
    cfg.ird = 0;
    cfg.ird_max = max;
    ep_host *r = begun(&cfg);
    push_enhanced(r, IWARP_MPA_KEY_REQUEST, 0, req);
    ok(iwarp_endpoint_accept(r->ep, nothing));
    (void)pull_frame(r, &enh);
    ck_assert(enh.b && enh.c && enh.d == (max == 1) && enh.ird == max);
    ep_host_free(r);
  }
  cfg = initiator();
  cfg.peer_to_peer = true;
  cfg.rtr = IWARP_RTR_READ;
  ep_host *i = begun(&cfg);
  iwarp_mpa_enhanced rep = rtr_flags(7);
  rep.ird = 0;
  push_enhanced(i, IWARP_MPA_KEY_REPLY, 0, rep);
  expect_terminate(i, 7);
  ep_host_free(i);
}
END_TEST

/* A Reply with another connection model. RFC 6581 9.2 */
START_TEST(model_mismatch)
{
  iwarp_endpoint_cfg cfg = initiator();
  cfg.peer_to_peer = _i == 1;
  ep_host *i = begun(&cfg);
  iwarp_mpa_enhanced rep = rtr_flags(7);
  rep.a = _i == 0;
  push_enhanced(i, IWARP_MPA_KEY_REPLY, 0, rep);
  expect_terminate(i, 7);
  ep_host_free(i);
}
END_TEST

/* A Responder that wants to send first: each kind of RTR opens the fence and takes no buffer. */
START_TEST(peer_to_peer)
{
  iwarp_endpoint_cfg a = initiator();
  iwarp_endpoint_cfg b = responder();
  uint8_t hello[] = "hello";
  const iwarp_span part = {hello, sizeof hello};
  const iwarp_tx_payload payload = {.parts = &part, .num_parts = 1};
  a.peer_to_peer = true;
  b.rtr = (uint8_t)(1u << _i);
  ep_host *i = ep_host_new(&a);
  ep_host *r = ep_host_new(&b);
  ep_join(i, r);
  ck_assert(state_of(i) == IWARP_ENDPOINT_FULL && state_of(r) == IWARP_ENDPOINT_FULL);
  ck_assert(iwarp_endpoint_info_get(r->ep)->peer_to_peer);
  ok(iwarp_endpoint_recv(i->ep, 1, i->mem, 16));
  ok(iwarp_endpoint_recv(r->ep, 2, r->mem, 16));
  ok(iwarp_endpoint_send(r->ep, 3, IWARP_RDMAP_OP_SEND, 0, payload));
  ok(iwarp_endpoint_send(i->ep, 4, IWARP_RDMAP_OP_SEND, 0, payload));
  ep_talk(i, r, 9);
  ck_assert_uint_eq(ep_host_last(i, IWARP_ENDPOINT_EVENT_RECV)->u.recv.token, 1);
  ck_assert_uint_eq(ep_host_last(r, IWARP_ENDPOINT_EVENT_RECV)->u.recv.len, sizeof hello);
  ck_assert_uint_eq(ep_host_count(i, IWARP_ENDPOINT_EVENT_DONE), 1);
  ck_assert_uint_eq(ep_host_count(r, IWARP_ENDPOINT_EVENT_RECV), 1);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* ---- frames that are refused ---- */

typedef struct bad_frame {
  iwarp_role role;
  uint8_t own_rev;
  iwarp_mpa_key key;
  uint8_t flags;
  uint8_t rev;
  uint16_t pd_len;
  iwarp_err err; /* OK: it is not refused */
  bool retry;
} bad_frame;

#define I IWARP_ROLE_INITIATOR
#define R IWARP_ROLE_RESPONDER
#define REQ IWARP_MPA_KEY_REQUEST
#define REP IWARP_MPA_KEY_REPLY
#define S IWARP_MPA_FLAG_S

static const bad_frame bad_frames[] = {
    {R, 2, REP, 0, 1, 0, IWARP_ERR_MPA_KEY, false},
    {I, 2, REQ, 0, 1, 0, IWARP_ERR_MPA_KEY, false}, /* both are Initiators */
    {R, 2, REQ, 0, 0, 0, IWARP_ERR_MPA_REV, false},
    {R, 2, REQ, 0, 3, 0, IWARP_ERR_MPA_REV, false},
    {R, 2, REQ, 0, 129, 0, IWARP_ERR_MPA_REV, false},
    {R, 2, REQ, 0, 129, 8, IWARP_ERR_MPA_REV, false},
    {I, 2, REP, 0, 129, 0, IWARP_ERR_MPA_REV, true},
    {R, 1, REQ, 0, 2, 0, IWARP_OK, false}, /* rfc6581-10-04: all Responders */
    {R, 1, REQ, 0x2F, 2, 512, IWARP_OK, false},
    {R, 1, REQ, 0, 3, 0, IWARP_ERR_MPA_REV, false},
    {R, 1, REQ, 0, 0, 0, IWARP_ERR_MPA_REV, false},
    {R, 1, REQ, S, 2, 4, IWARP_ERR_MPA_REV, false},
    {R, 2, REQ, S, 2, 3, IWARP_ERR_MPA_ENHANCED, false},
    {R, 2, REQ, 0, 1, 513, IWARP_ERR_MPA_PD_LENGTH, false},
    {R, 2, REQ, S, 2, 600, IWARP_ERR_MPA_PD_LENGTH, false},
    {I, 2, REP, 0, 1, 0, IWARP_ERR_MPA_ENHANCED, true},
    {I, 2, REP, 0, 2, 0, IWARP_ERR_MPA_ENHANCED, true},
    {I, 2, REP, S, 2, 2, IWARP_ERR_MPA_ENHANCED, true},
    {I, 2, REP, 0, 9, 0, IWARP_ERR_MPA_REV, true},
    {I, 2, REP, S, 2, 513, IWARP_ERR_MPA_PD_LENGTH, false},
    {I, 1, REP, 0, 2, 0, IWARP_OK, false},
    {I, 1, REP, 0, 3, 0, IWARP_ERR_MPA_REV, false},
    {I, 2, REP, 0x20, 1, 0, IWARP_ERR_MPA_ENHANCED, true}, /* it rejects, and knows no S */
    {I, 1, REP, S, 2, 4, IWARP_ERR_MPA_REV, false},
    {R, 2, REQ, 0, 1, 512, IWARP_OK, false},
    {R, 2, REQ, 0, 2, 4, IWARP_OK, false},
    {R, 2, REQ, S, 1, 2, IWARP_OK, false}, /* in Rev 1 the bit is reserved */
    {R, 2, REQ, 0x2F, 1, 0, IWARP_OK, false},
    {R, 1, REQ, 0, 1, 0, IWARP_OK, false},
    {I, 1, REP, 0x0F, 1, 3, IWARP_OK, false},
    {I, 2, REP, S, 2, 512, IWARP_OK, false},
};

START_TEST(frames)
{
  static const uint8_t zeros[1024];
  const bad_frame *b = &bad_frames[_i];
  iwarp_endpoint_cfg cfg = ep_cfg(b->role);
  cfg.rev = b->own_rev;
  for (size_t piece = 1; piece < 2000; piece += 333) {
    ep_host *h = begun(&cfg);
    push_frame(h, b->key, b->flags, b->rev, zeros, b->pd_len, piece);
    const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED);
    ck_assert_msg((ev == NULL) == (b->err == IWARP_OK), "row %d", _i);
    if (ev != NULL) {
      ck_assert_int_eq(ev->u.closed.err, b->err);
      ck_assert(ev->u.closed.disconnect && ev->u.closed.retry_plain == b->retry);
      ck_assert_uint_eq(h->num_log, 1);
    } else {
      ck_assert_uint_eq(h->num_log, 1);
      ck_assert_uint_eq(h->pd_len, b->pd_len - ((b->flags & S) != 0 && b->rev == 2 ? 4u : 0u));
    }
    ep_host_free(h);
  }
}
END_TEST

/* Octets that are no MPA are refused at the first one that tells. */
START_TEST(not_mpa)
{
  const iwarp_endpoint_cfg cfg = responder();
  ep_host *h = begun(&cfg);
  ep_host_push(h, (const uint8_t *)"MPA ID Req", 10, 3);
  ck_assert_int_eq(state_of(h), IWARP_ENDPOINT_WAIT_REQUEST);
  ep_host_push(h, (const uint8_t *)"X", 1, 1);
  ck_assert_int_eq(ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.err, IWARP_ERR_MPA_KEY);
  ep_host_free(h);
}
END_TEST

/* Nothing may follow a Request before its Reply. RFC 5044 7.1.2 */
START_TEST(surplus_octets)
{
  const iwarp_endpoint_cfg cfg = responder();
  ep_host *h = begun(&cfg);
  uint8_t octets[21] = {0};
  size_t len;
  iwarp_mpa_startup f = {.rev = 1};
  memcpy(f.key, iwarp_mpa_key_octets(REQ), sizeof f.key);
  ok(iwarp_mpa_startup_encode(octets, sizeof octets, &len, &f));
  ep_host_push(h, octets, sizeof octets, sizeof octets);
  ck_assert_int_eq(ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.err,
                   IWARP_ERR_MPA_PD_LENGTH);
  ck_assert_uint_eq(h->num_log, 1);
  ep_host_free(h);
}
END_TEST

/* A peer that closes on an enhanced Request may know RFC 5044 only. RFC 6581 10 */
START_TEST(retry_plain)
{
  iwarp_endpoint_cfg cfg = initiator();
  for (uint8_t rev = 1; rev <= 2; rev++) {
    for (int lost = 0; lost < 2; lost++) {
      cfg.rev = rev;
      ep_host *h = begun(&cfg);
      ok(lost != 0 ? iwarp_endpoint_lost(h->ep) : iwarp_endpoint_eof(h->ep));
      ok(iwarp_endpoint_lost(h->ep)); /* and then is gone before anyone has asked */
      ep_host_run(h);
      const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED);
      ck_assert(ev->u.closed.retry_plain == (rev == 2) && ev->u.closed.disconnect == (lost == 0));
      ep_host_free(h);
    }
  }
}
END_TEST

/* An Initiator that offers Rev 2 and nothing enhanced is answered with the highest Rev of the
 * Responder, and both go on. rfc6581-10-04 rfc6581-6-06 rfc5044-C.1-03 */
START_TEST(rev_of_the_reply)
{
  iwarp_endpoint_cfg cfg = responder();
  iwarp_mpa_enhanced enh;
  cfg.rev = (uint8_t)(1 + _i % 2);
  for (int reject = 0; reject < 2; reject++) {
    ep_host *h = begun(&cfg);
    push_frame(h, REQ, IWARP_MPA_FLAG_C, (uint8_t)(1 + _i / 2), NULL, 0, 100);
    ck_assert_int_eq(state_of(h), IWARP_ENDPOINT_REQUEST_PENDING);
    ok(reject != 0 ? iwarp_endpoint_reject(h->ep, nothing) : iwarp_endpoint_accept(h->ep, nothing));
    const iwarp_mpa_startup f = pull_frame(h, &enh);
    ck_assert_uint_eq(f.rev, _i == 3 ? 2 : 1);
    ck_assert_uint_eq(f.flags, IWARP_MPA_FLAG_C | (reject != 0 ? IWARP_MPA_FLAG_R : 0));
    ck_assert_uint_eq(f.pd_length, 0);
    ck_assert_int_eq(iwarp_endpoint_info_get(h->ep)->rev, 1 + _i / 2);
    ck_assert_int_eq(state_of(h),
                     reject != 0 ? IWARP_ENDPOINT_DETACHED : IWARP_ENDPOINT_AWAIT_FIRST_FPDU);
    ep_host_free(h);
  }
}
END_TEST

/* A Responder that knows RFC 5044 only closes on an enhanced Request, and says nothing before that:
 * the Initiator takes the close for the advice to try Rev 1. rfc6581-10-10 rfc6581-10-13 */
START_TEST(enhanced_at_a_plain_responder)
{
  const iwarp_endpoint_cfg a = initiator();
  iwarp_endpoint_cfg b = responder();
  uint8_t octets[64];
  b.rev = 1;
  ep_host *i = ep_host_new(&a);
  ep_host *r = begun(&b);
  ok(iwarp_endpoint_connect(i->ep, nothing));
  const size_t n = ep_host_pull(i, octets, sizeof octets);
  ep_host_push(r, octets, n, n);
  const iwarp_endpoint_event *ev = ep_host_last(r, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.disconnect && ev->u.closed.err == IWARP_ERR_MPA_REV);
  ck_assert_int_eq(ev->u.closed.cause, IWARP_ENDPOINT_CAUSE_FRAME);
  ck_assert_uint_eq(ep_host_pull(r, octets, sizeof octets), 0);
  ok(iwarp_endpoint_eof(i->ep));
  ep_host_run(i);
  ev = ep_host_last(i, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.retry_plain);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* ---- memory and configuration ---- */

START_TEST(configurations)
{
  const iwarp_endpoint_cfg good = initiator();
  iwarp_endpoint_cfg bad[13];
  _Alignas(max_align_t) static uint8_t mem[512 * 1024];
  iwarp_endpoint *ep;
  for (size_t i = 0; i < 13; i++) {
    bad[i] = good;
  }
  bad[0].size = 1;
  bad[1].role = IWARP_ROLE_UNKNOWN;
  bad[2].rev = 3;
  bad[3].rtr = 8;
  bad[4].ird = IWARP_MPA_DEPTH_UNSPEC;
  bad[5].ird_max = IWARP_MPA_DEPTH_UNSPEC;
  bad[6].ord = IWARP_MPA_DEPTH_UNSPEC;
  bad[7].emss = 0;
  bad[8].num_sends = 0;
  bad[9].num_sends = IWARP_ENDPOINT_LIST_MAX + 1;
  bad[10].num_recvs = IWARP_ENDPOINT_LIST_MAX + 1;
  bad[11].num_regions = IWARP_ENDPOINT_LIST_MAX + 1;
  bad[12].role = IWARP_ROLE_RESPONDER; /* a Reply could name no RTR type */
  bad[12].rtr = IWARP_RTR_READ;
  bad[12].ird = 0;
  for (size_t i = 0; i < 13; i++) {
    ck_assert_uint_eq(iwarp_endpoint_size(&bad[i]), 0);
    ck_assert_int_eq(iwarp_endpoint_init(&ep, mem, sizeof mem, &bad[i]), IWARP_ERR_ARG);
  }
  bad[12].ird_max = 1;
  ck_assert_uint_ne(iwarp_endpoint_size(&bad[12]), 0);
  bad[12].ird = 1;
  ck_assert_uint_ne(iwarp_endpoint_size(&bad[12]), 0);
  const size_t size = iwarp_endpoint_size(&good);
  ck_assert(size > 0 && size <= sizeof mem);
  ck_assert_uint_eq(iwarp_endpoint_size(NULL), 0);
  ck_assert_int_eq(iwarp_endpoint_init(NULL, mem, size, &good), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_init(&ep, NULL, size, &good), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_init(&ep, mem + 1, size, &good), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_init(&ep, mem, size - 1, &good), IWARP_ERR_NOBUF);
  ok(iwarp_endpoint_init(&ep, mem, size, &good));
}
END_TEST

START_TEST(taking_octets)
{
  const iwarp_endpoint_cfg cfg = initiator();
  ep_host *h = ep_host_new(&cfg);
  iwarp_span span;
  iwarp_tx_out out;
  ck_assert_int_eq(iwarp_endpoint_next_output(h->ep, &span, 1, &out), IWARP_ERR_END);
  ok(iwarp_endpoint_advance(h->ep, 0));
  ck_assert_int_eq(iwarp_endpoint_advance(h->ep, 1), IWARP_ERR_ARG);
  ok(iwarp_endpoint_connect(h->ep, nothing));
  ck_assert_int_eq(iwarp_endpoint_next_output(h->ep, &span, 0, &out), IWARP_ERR_NOBUF);
  ok(iwarp_endpoint_next_output(h->ep, &span, 1, &out));
  ck_assert(out.len == 24 && out.num_spans == 1 && out.segment_end && span.len == 24);
  ck_assert_int_eq(iwarp_endpoint_advance(h->ep, 25), IWARP_ERR_ARG);
  ok(iwarp_endpoint_advance(h->ep, 20));
  ok(iwarp_endpoint_next_output(h->ep, &span, 1, &out));
  ck_assert_uint_eq(out.len, 4);
  ok(iwarp_endpoint_abort(h->ep));
  ck_assert_int_eq(iwarp_endpoint_next_output(h->ep, &span, 1, &out), IWARP_ERR_END);
  ep_host_free(h);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream-ep-startup");
  TCase *t = tcase_create("startup");
  tcase_add_test(t, octets_of_an_exchange);
  tcase_add_loop_test(t, markers_and_crc, 0, 32);
  tcase_add_loop_test(t, private_data, 0, 4);
  tcase_add_loop_test(t, private_data, 506, 514);
  tcase_add_test(t, roles);
  tcase_add_test(t, initiator_rejects);
  tcase_add_test(t, octets_after_a_reject);
  tcase_add_test(t, responder_rejects);
  tcase_add_loop_test(t, depths_of_a_responder, 0,
                      sizeof responder_depths / sizeof responder_depths[0]);
  tcase_add_loop_test(t, depths_of_an_initiator, 0,
                      sizeof initiator_depths / sizeof initiator_depths[0]);
  tcase_add_test(t, insufficient_ird);
  tcase_add_test(t, rtr_of_an_initiator);
  tcase_add_test(t, rtr_of_a_responder);
  tcase_add_loop_test(t, rtr_send_is_empty, 0, 2);
  tcase_add_test(t, rtr_read_and_ird);
  tcase_add_loop_test(t, model_mismatch, 0, 2);
  tcase_add_loop_test(t, peer_to_peer, 0, 3);
  tcase_add_loop_test(t, frames, 0, sizeof bad_frames / sizeof bad_frames[0]);
  tcase_add_test(t, not_mpa);
  tcase_add_test(t, surplus_octets);
  tcase_add_test(t, retry_plain);
  tcase_add_loop_test(t, rev_of_the_reply, 0, 4);
  tcase_add_test(t, enhanced_at_a_plain_responder);
  tcase_add_test(t, configurations);
  tcase_add_test(t, taking_octets);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
