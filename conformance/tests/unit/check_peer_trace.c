/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures of what passed on sockets: what their segments acknowledge. */
#include <netinet/in.h>
#include <string.h>

#include <peer/player.h>
#include <peer_net/trace.h>

#include "check_run.h"

#define TCP_FLAG_SYN 0x02u
#define TCP_FLAG_ACK 0x10u
#define SOON 1000u /* ns */

typedef struct traced {
  net_trace trace;
  uint64_t now;
  uint8_t tester;
} traced;

static uint32_t get_32(const char *at) {
  uint32_t v;
  memcpy(&v, at, sizeof v);
  return v;
}

static net_address address(uint16_t port) {
  net_address a = {.len = sizeof(struct sockaddr_in)};
  struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
  in.sin_addr.s_addr = htonl(0x0a000001u);
  memcpy(&a.at, &in, sizeof in);
  return a;
}

static void opens(traced *t) {
  const net_address ends[2] = {address(40000), address(7174)};
  t->trace.tap.opened(t->trace.tap.ctx, ends, t->now);
}

static void begins(traced *t, uint8_t tester) {
  *t = (traced){.now = net_now(), .tester = tester};
  ck_assert(net_trace_begin(&t->trace, tester));
  opens(t);
}

/* A side sends so many octets, `after` nanoseconds later. */
static void says(traced *t, bool target, size_t len, uint64_t after) {
  static const uint8_t octets[64];
  const iwarp_span span = {octets, len};
  t->now += after;
  t->trace.tap.octets(t->trace.tap.ctx, target ? 1u - t->tester : t->tester, &span, 1, t->now);
}

/* One letter for each packet after the handshakes: A where it acknowledges, - where it does not. */
static void acknowledges(traced *t, const char *due) {
  char found[64] = "";
  size_t num = 0;
  out_buf out;
  out_open_memory(&out);
  net_trace_write(&t->trace, &out);
  for (size_t at = 0; at + 12 <= out.len; at += get_32(out.buf + at + 4)) {
    if (get_32(out.buf + at) != 6) {
      continue;
    }
    const char *end = out.buf + at + 28 + get_32(out.buf + at + 20);
    const char *packet = out.buf + at + 28;
    while (packet < end && *packet != 0x45) { /* the link layer */
      packet++;
    }
    ck_assert(packet + 40 <= end);
    const uint8_t flags = (uint8_t)packet[33];
    if ((flags & TCP_FLAG_SYN) == 0) {
      found[num++] = (flags & TCP_FLAG_ACK) != 0 ? 'A' : '-';
    }
  }
  ck_assert_str_eq(found, due);
  out_close(&out);
  net_trace_end(&t->trace);
}

START_TEST(the_tester_acknowledges_all_that_came)
{
  traced t;
  begins(&t, 0);
  says(&t, true, 8, SOON); /* before the tester has said anything */
  says(&t, false, 8, SOON);
  says(&t, false, 8, SOON);
  acknowledges(&t, "AAAA");
}
END_TEST

START_TEST(a_target_acknowledges_what_tcp_said_it_had)
{
  traced t;
  begins(&t, 0);
  says(&t, false, 8, SOON);
  says(&t, true, 8, SOON); /* it may have crossed */
  net_trace_acked(&t.trace, 8, t.now);
  says(&t, true, 8, PEER_SETTLED_NS - 1);
  says(&t, true, 8, 1);
  says(&t, false, 8, SOON);
  net_trace_acked(&t.trace, 8, t.now); /* says nothing new */
  says(&t, true, 8, 2 * PEER_SETTLED_NS);
  net_trace_acked(&t.trace, 16, t.now);
  says(&t, true, 8, 2 * PEER_SETTLED_NS);
  acknowledges(&t, "AA--AA-A");
}
END_TEST

START_TEST(the_end_of_a_target_is_no_proof_either)
{
  traced t;
  begins(&t, 1); /* the tester is the Responder */
  says(&t, true, 8, SOON);
  says(&t, false, 8, SOON);
  t.trace.tap.fin(t.trace.tap.ctx, 0, t.now);
  t.trace.tap.fin(t.trace.tap.ctx, 1, t.now);
  t.trace.tap.rst(t.trace.tap.ctx, 0, t.now);
  acknowledges(&t, "AAA-A-");
}
END_TEST

START_TEST(each_connection_begins_again)
{
  traced t;
  begins(&t, 0);
  says(&t, false, 8, SOON);
  opens(&t);
  says(&t, true, 8, SOON); /* the tester has sent nothing on this one */
  acknowledges(&t, "AAAA");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      the_tester_acknowledges_all_that_came, a_target_acknowledges_what_tcp_said_it_had,
      the_end_of_a_target_is_no_proof_either, each_connection_begins_again, NULL};
  return check_run(check_suite("peer-trace", tests));
}
