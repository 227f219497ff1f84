/* SPDX-License-Identifier: BSD-2-Clause */
/* The payload of a single packet, as ingest_peek finds it. */
#include <ingest/peek.h>

#include "check_run.h"
#include "tcp_fixture.h"

typedef struct packet {
  uint8_t octets[512];
  size_t len;
} packet;

static packet tcp_packet(uint8_t family, const char *payload) {
  ingest_addr src = {.family = family, .ip = {10, 0, 0, 1}, .port = 40000};
  ingest_addr dst = {.family = family, .ip = {10, 0, 0, 2}, .port = 7174};
  packet p = {.len = tcp_fixture_ethernet(p.octets, family)};
  const size_t ip = family == 4 ? 20 : 40;
  const size_t tcp = tcp_fixture_tcp(p.octets + p.len + ip, &src, &dst, 1, 2, 0x10, 4, payload,
                                     strlen(payload), SUM_BAD);
  tcp_fixture_ip(p.octets + p.len, &src, &dst, tcp);
  p.len += ip + tcp;
  return p;
}

/* An SCTP packet of chunks that are given as they are, of whole words. */
static packet sctp_packet_of(const void *chunks, size_t n) {
  ingest_addr src = {.family = 4, .ip = {10, 0, 0, 1}, .port = 40000};
  ingest_addr dst = {.family = 4, .ip = {10, 0, 0, 2}, .port = 7174};
  packet p = {.len = tcp_fixture_ethernet(p.octets, 4)};
  tcp_fixture_ip(p.octets + 14, &src, &dst, 12 + n);
  p.octets[14 + 9] = 132;
  uint8_t *at = tcp_fixture_put16(tcp_fixture_put16(p.octets + 34, src.port), dst.port);
  memcpy(tcp_fixture_put32(tcp_fixture_put32(at, 5), 6), chunks, n);
  p.len = 46 + n;
  return p;
}

static ingest_peek_result peek(ingest_payload *out, const packet *p, size_t cut) {
  const ingest_packet pkt = {
      .data = p->octets, .caplen = p->len - cut, .len = p->len, .link_type = 1, .number = 1};
  memset(out, 0xFF, sizeof *out);
  return ingest_peek(out, &pkt);
}

START_TEST(the_payload_of_a_tcp_segment)
{
  for (uint8_t family = 4; family <= 6; family += 2) {
    ingest_payload out;
    packet p = tcp_packet(family, "payload");
    for (size_t cut = 0; cut <= 7; cut++) {
      ck_assert_int_eq(peek(&out, &p, cut), INGEST_PEEK_PAYLOAD);
      ck_assert_ptr_eq(out.data, p.octets + p.len - 7);
      ck_assert_uint_eq(out.caplen, 7 - cut);
      ck_assert_uint_eq(out.len, 7);
      ck_assert(!out.sctp);
      ck_assert_uint_eq(out.ppid, 0);
    }
    p = tcp_packet(family, "");
    ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_EMPTY);
  }
}
END_TEST

START_TEST(the_first_data_chunk_of_an_sctp_packet)
{
  static const uint8_t chunks[] = {
      3, 0, 0, 16, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0,                  /* SACK */
      0, 7, 0, 16, 0, 0, 0, 9, 0, 1, 0, 2, 0, 0, 0, 17,                 /* DATA of nothing */
      0, 7, 0, 17, 0, 0, 0, 9, 0, 1, 0, 2, 1, 2, 3, 4,  'x', 0,   0, 0, /* DATA */
      0, 7, 0, 18, 0, 0, 0, 9, 0, 1, 0, 2, 5, 6, 7, 8,  'y', 'z', 0, 0};
  ingest_payload out;
  packet p = sctp_packet_of(chunks, sizeof chunks);
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_PAYLOAD);
  ck_assert(out.sctp);
  ck_assert_uint_eq(out.ppid, 0x01020304);
  ck_assert_ptr_eq(out.data, p.octets + 46 + 48);
  ck_assert_uint_eq(out.caplen, 1);
  ck_assert_uint_eq(out.len, 1);
  ck_assert_int_eq(peek(&out, &p, 24), INGEST_PEEK_PAYLOAD);
  ck_assert_uint_eq(out.caplen, 0);
  ck_assert_uint_eq(out.len, 1);
  p = sctp_packet_of(chunks, 32);
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_EMPTY);
  ck_assert_uint_eq(out.len, 0);
  p = sctp_packet_of(chunks, 0);
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_EMPTY);
}
END_TEST

START_TEST(packets_of_nothing_that_is_read)
{
  ingest_payload out;
  packet p = tcp_packet(4, "payload");
  p.octets[12] = 9; /* Ethertype */
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_OTHER);
  p = tcp_packet(4, "payload");
  p.octets[14] = 0x35; /* version of IP */
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_OTHER);
  for (unsigned next = 0; next < 256; next++) {
    p = tcp_packet(4, "payload");
    p.octets[14 + 9] = (uint8_t)next;
    const ingest_peek_result due = next == 6     ? INGEST_PEEK_PAYLOAD
                                   : next == 132 ? INGEST_PEEK_EMPTY
                                                 : INGEST_PEEK_OTHER;
    ck_assert_int_eq(peek(&out, &p, 0), due);
  }
  p = tcp_packet(4, "payload");
  p.octets[34 + 12] = 0x40; /* less than a TCP header */
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_OTHER);
  p = sctp_packet_of("", 0);
  for (size_t cut = 1; cut <= 12; cut++) {
    ck_assert_int_eq(peek(&out, &p, cut), INGEST_PEEK_OTHER);
  }
  ck_assert_uint_eq(out.len, 0);
  ck_assert_ptr_null(out.data);
}
END_TEST

/* Of a packet in fragments the first one holds the header of TCP. */
START_TEST(fragments)
{
  ingest_payload out;
  packet p = tcp_packet(4, "payload");
  tcp_fixture_put16(p.octets + 14 + 6, 0x2000);
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_PAYLOAD);
  ck_assert_uint_eq(out.len, 7);
  tcp_fixture_put16(p.octets + 14 + 6, 0x2001);
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_OTHER);
  tcp_fixture_put16(p.octets + 14 + 6, 0x0001);
  ck_assert_int_eq(peek(&out, &p, 0), INGEST_PEEK_OTHER);
}
END_TEST

/* IPv6 has a header of its own for that, and others may follow it. */
START_TEST(fragments_of_ipv6)
{
  static const struct {
    uint8_t headers[16]; /* Fragment, Destination Options */
    uint8_t next;
    ingest_peek_result due;
  } rows[] = {{{60, 0, 0, 1, 0, 0, 0, 9, 6, 0, 1, 4, 0, 0, 0, 0}, 44, INGEST_PEEK_PAYLOAD},
              {{60, 0, 0, 0, 0, 0, 0, 9, 6, 0, 1, 4, 0, 0, 0, 0}, 44, INGEST_PEEK_PAYLOAD},
              {{60, 0, 0, 8, 0, 0, 0, 9, 6, 0, 1, 4, 0, 0, 0, 0}, 44, INGEST_PEEK_OTHER},
              {{60, 0, 0, 1, 0, 0, 0, 9, 59, 0, 1, 4, 0, 0, 0, 0}, 44, INGEST_PEEK_OTHER},
              {{60, 0, 0, 1, 0, 0, 0, 9, 6, 99, 1, 4, 0, 0, 0, 0}, 44, INGEST_PEEK_OTHER}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ingest_payload out;
    packet p = tcp_packet(6, "payload");
    memmove(p.octets + 54 + 16, p.octets + 54, p.len - 54);
    memcpy(p.octets + 54, rows[i].headers, 16);
    p.len += 16;
    tcp_fixture_put16(p.octets + 14 + 4, (uint32_t)(p.len - 54));
    p.octets[14 + 6] = rows[i].next;
    ck_assert_int_eq(peek(&out, &p, 0), rows[i].due);
    ck_assert_uint_eq(out.len, rows[i].due == INGEST_PEEK_PAYLOAD ? 7 : 0);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_payload_of_a_tcp_segment,
                                the_first_data_chunk_of_an_sctp_packet,
                                packets_of_nothing_that_is_read,
                                fragments,
                                fragments_of_ipv6,
                                NULL};
  return check_run(check_suite("ingest-peek", tests));
}
