/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of upper layers: octets without a meaning have none. The names stand in blackbox/upper. */
#include <string.h>

#include <iwarp/mpa.h>
#include <upper/upper.h>

#include "check_run.h"
#include "prng.h"

#define RANDOM_SENDS 10000u
#define MOST 300u

/* A Send of one segment, as an observer reports it. */
typedef struct made {
  uint8_t wire[2 + IWARP_DDP_UNTAGGED_LEN + 2000 + 8];
  iwarp_event ev;
} made;

static made *make_send(made *m, uint8_t side, uint32_t msn, const uint8_t *payload, size_t len) {
  const uint16_t ulpdu = (uint16_t)(IWARP_DDP_UNTAGGED_LEN + len);
  const uint8_t head[2 + IWARP_DDP_UNTAGGED_LEN] = {(uint8_t)(ulpdu >> 8), (uint8_t)ulpdu,
                                                    0x41, /* L, DV 1 */
                                                    0x43, /* RV 1, Send */
                                                    [15] = (uint8_t)msn};
  memset(m, 0, sizeof *m);
  memcpy(m->wire, head, sizeof head);
  memcpy(m->wire + sizeof head, payload, len);
  m->ev = (iwarp_event){.kind = IWARP_EVENT_FPDU, .side = side};
  iwarp_event_fpdu *v = &m->ev.u.fpdu;
  const iwarp_span wire = {m->wire, sizeof head + len + 8};
  ck_assert_int_eq(iwarp_mpa_fpdu_decode(&v->fpdu, wire, 0, false).err, IWARP_OK);
  v->complete = true;
  iwarp_rdmap_seg_decode(&v->seg, (iwarp_span){m->wire + 2, ulpdu}, ulpdu);
  return m;
}

static iwarp_event request_with(const uint8_t *data, size_t len) {
  iwarp_event ev = {.kind = IWARP_EVENT_STARTUP};
  ev.u.startup.ulp_data = (iwarp_span){data, len};
  return ev;
}

static iwarp_role role_of(uint8_t side) {
  return side == 0 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER;
}

/* Private Data of each protocol, and none. One of them is sure of its protocol. */
#define SURE 1u
static const struct {
  uint8_t octets[32];
  uint8_t len;
} private_data[] = {
    {{0}, 0},
    {{0xf6, 0xab, 0x0e, 0x18, 1, 0, 3, 3}, 8},
    {{0, 0, 0, 1, 0, 0, 0, 8}, 8},
    {{0, 0, 0, 0, 32, 0, 31, 0}, 32},
    {{0xc0, 0, 0, 0}, 4},
};

/* Random octets; where `any` is not set also mostly zeros, or words that are small in either order
 * of octets. */
static void random_octets(prng *r, bool any, uint8_t *octets, size_t len) {
  const uint64_t kind = any ? 0 : prng_below(r, 4);
  for (size_t i = 0; i < len; i++) {
    const uint8_t octet = (uint8_t)prng_below(r, 256);
    const bool low = kind == 2 ? i % 4 == 3 : i % 4 == 0;
    octets[i] = kind == 0 ? octet : kind == 1 ? (octet > 240 ? octet : 0) : low ? octet % 4 : 0;
  }
}

START_TEST(random_sends_have_no_name)
{
  static const uint16_t lengths[] = {16, 20, 24, 28, 32, 64, 76, 80};
  prng r = {41};
  uint8_t octets[MOST];
  for (size_t with = 0; with < sizeof private_data / sizeof private_data[0]; with++) {
    for (unsigned int i = 0; i < RANDOM_SENDS; i++) {
      upper *kept = NULL;
      upper_message name;
      made m;
      const iwarp_event request = request_with(private_data[with].octets, private_data[with].len);
      ck_assert(!upper_event(&kept, &request, IWARP_ROLE_INITIATOR, &name));
      const size_t len = prng_below(&r, 2) == 0 ? lengths[prng_below(&r, 8)] : prng_size(&r, MOST);
      random_octets(&r, with == SURE, octets, len); /* small words may well be a header */
      const uint8_t side = (uint8_t)prng_below(&r, 2);
      make_send(&m, side, 1, octets, len);
      ck_assert_msg(!upper_event(&kept, &m.ev, role_of(side), &name), "%s of %zu octets, round %u",
                    upper_protocol_label(name.protocol), len, i);
      upper_free(kept);
    }
  }
}
END_TEST

/* ---- answers ---- */

static void put32(uint8_t *at, uint32_t v) {
  for (unsigned int i = 0; i < 4; i++) {
    at[i] = (uint8_t)(v >> (24 - 8 * i));
  }
}

/* RDMA_MSG without chunks; a call of NFS version 3, or the reply. */
static size_t rpc_message(uint8_t *out, uint32_t xid, uint32_t procedure, bool reply) {
  const uint32_t words[] = {xid,           1,      32, 0,        0, 0, 0, xid, reply ? 1 : 0,
                            reply ? 0 : 2, 100003, 3,  procedure};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    put32(out + 4 * i, words[i]);
  }
  return sizeof words;
}

static bool rpc_seen(upper **kept, uint8_t side, uint32_t xid, uint32_t procedure, bool reply,
                     upper_message *name) {
  uint8_t octets[64];
  made m;
  make_send(&m, side, 1, octets, rpc_message(octets, xid, procedure, reply));
  return upper_event(kept, &m.ev, role_of(side), name);
}

/* More calls than are kept: the replies to the latest ones are named, whatever order they come in.
 */
START_TEST(the_latest_calls_are_kept)
{
  upper *kept = NULL;
  upper_message name;
  for (uint32_t xid = 0; xid < 100; xid++) {
    ck_assert(rpc_seen(&kept, 0, xid, xid % 22, false, &name));
    ck_assert_ptr_nonnull(name.name);
  }
  for (uint32_t xid = 99; xid < 100; xid--) {
    ck_assert(rpc_seen(&kept, 1, xid, 0, true, &name));
    ck_assert_str_eq(name.kind, "reply");
    if (xid >= 36) {
      ck_assert_str_eq(name.program, "NFSv3");
    } else {
      ck_assert_ptr_null(name.name);
    }
  }
  upper_free(kept);
}
END_TEST

/* An answer takes the place of its request: none is lost while few are open. */
START_TEST(open_calls_last)
{
  upper *kept = NULL;
  upper_message name;
  ck_assert(rpc_seen(&kept, 0, 7, 1, false, &name));
  for (uint32_t xid = 100; xid < 300; xid++) {
    ck_assert(rpc_seen(&kept, 0, xid, 6, false, &name));
    ck_assert(!rpc_seen(&kept, 0, xid, 0, true, &name) || name.name == NULL); /* the wrong side */
    ck_assert(rpc_seen(&kept, 1, xid, 0, true, &name));
    ck_assert_str_eq(name.name, "READ");
  }
  ck_assert(rpc_seen(&kept, 1, 7, 0, true, &name));
  ck_assert_str_eq(name.name, "GETATTR");
  upper_free(kept);
}
END_TEST

/* Octets that may be others than the receiver took have no name. */
START_TEST(unconfirmed_octets_have_no_name)
{
  upper *kept = NULL;
  upper_message name;
  uint8_t octets[64];
  made m;
  make_send(&m, 0, 1, octets, rpc_message(octets, 1, 6, false));
  made bad = m;
  bad.ev.last.damaged = true;
  ck_assert(!upper_event(&kept, &bad.ev, IWARP_ROLE_INITIATOR, &name));
  bad.ev.last = (iwarp_meta){.differ = true};
  ck_assert(!upper_event(&kept, &bad.ev, IWARP_ROLE_INITIATOR, &name));
  bad.ev.last.differ = false;
  bad.ev.u.fpdu.seg.err = IWARP_ERR_RDMAP_LONG;
  ck_assert(!upper_event(&kept, &bad.ev, IWARP_ROLE_INITIATOR, &name));
  ck_assert(upper_event(&kept, &m.ev, IWARP_ROLE_UNKNOWN, &name));
  ck_assert_int_eq(name.protocol, UPPER_RPC_RDMA);
  ck_assert_str_eq(upper_protocol_key(name.protocol), "rpc-rdma");
  ck_assert_str_eq(upper_protocol_label(UPPER_UNKNOWN), "unknown");
  upper_free(kept);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {random_sends_have_no_name, the_latest_calls_are_kept,
                                open_calls_last, unconfirmed_octets_have_no_name, NULL};
  return check_run(check_suite("upper", tests));
}
