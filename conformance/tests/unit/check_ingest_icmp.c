/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of ICMP: the kind of each type and code, and the segment that a message quotes. */
#include "check_run.h"
#include "ingest/conn.h"
#include "tcp_fixture.h"

enum { RAW = 101, ICMP4 = 1, ICMP6 = 58, QUOTED = 8 };

/* A message about a segment, and the host that sends it. */
typedef struct message {
  uint8_t family; /* of the message and the segment */
  uint8_t type;
  uint8_t code;
  uint8_t rest[4];
  bool by_host; /* the host that the segment was for sends it */
  bool wrong;   /* the checksum */
  size_t cut;   /* octets of the quoted TCP header that are missing */
  uint16_t fragment;
} message;

static const ingest_addr ends[2][2] = {
    {{.family = 4, .ip = {10, 0, 0, 1}, .port = 4000},
     {.family = 4, .ip = {10, 0, 0, 2}, .port = 5}},
    {{.family = 6, .ip = {0xfd, 1}, .port = 4000}, {.family = 6, .ip = {0xfd, 2}, .port = 5}}};
static const ingest_addr routers[2] = {{.family = 4, .ip = {10, 0, 0, 9}},
                                       {.family = 6, .ip = {0xfd, 9}}};

/* Writes the packet with the message; returns its length. */
static size_t message_write(uint8_t *out, const message *m) {
  const ingest_addr *end = ends[m->family == 6];
  const ingest_addr *from = m->by_host ? &end[1] : &routers[m->family == 6];
  const size_t ip_len = m->family == 4 ? 20 : 40;
  uint8_t *icmp = out + ip_len;
  memset(icmp, 0, 8);
  icmp[0] = m->type;
  icmp[1] = m->code;
  memcpy(icmp + 4, m->rest, sizeof m->rest);
  const size_t quoted = tcp_fixture_ip(icmp + 8, &end[0], &end[1], 20);
  if (m->fragment != 0) {
    tcp_fixture_put16(icmp + 8 + 6, m->fragment);
  }
  uint8_t tcp[64];
  (void)tcp_fixture_tcp(tcp, &end[0], &end[1], 0x81020304, 7, 0x10, 0, "", 0, SUM_GOOD);
  memcpy(icmp + 8 + quoted, tcp, QUOTED - m->cut);
  const size_t len = 8 + quoted + QUOTED - m->cut;
  (void)tcp_fixture_ip(out, from, &end[0], len);
  out[m->family == 4 ? 9 : 6] = m->family == 4 ? ICMP4 : ICMP6;
  uint32_t sum = 0;
  if (m->family == 6) {
    const uint8_t tail[] = {(uint8_t)(len >> 8), (uint8_t)len, 0, ICMP6};
    sum = tcp_fixture_add(tcp_fixture_add(0, from->ip, 16), end[0].ip, 16);
    sum = tcp_fixture_add(sum, tail, sizeof tail);
  }
  sum = ~tcp_fixture_add(sum, icmp, len) & 0xffff;
  tcp_fixture_put16(icmp + 2, m->wrong ? sum ^ 1 : sum);
  return ip_len + len;
}

/* Reads the message, of which `cut` octets were not captured. */
static bool message_read(ing_icmp *out, const message *m, size_t cut) {
  uint8_t packet[256];
  const size_t len = message_write(packet, m);
  const ingest_packet pkt = {
      .data = packet, .caplen = (uint32_t)(len - cut), .len = (uint32_t)len, .link_type = RAW};
  ing_decap d;
  const decap_end end = ing_decap_open(&d, &pkt);
  return ing_icmp_open(out, &d, end);
}

/* The kinds by code, one letter each: N network, H host, P protocol, p port, F prohibited, B too
 * big, T time, - no error about TCP. RFC 792, RFC 1122 3.2.2, RFC 4443 3 */
static const struct kinds {
  uint8_t family;
  uint8_t type;
  const char *letters;
} kinds[] = {
    {4, 3, "NHPpBNNHHFFNHFFF-"},
    {4, 11, "T-"},
    {4, 0, "-"},
    {4, 4, "-"},
    {4, 5, "-"},
    {4, 8, "-"},
    {4, 12, "--"},
    {6, 0, "-"},
    {6, 1, "NFHHpFF-"},
    {6, 2, "BB"},
    {6, 3, "T-"},
    {6, 4, "-P-"},
    {6, 5, "--"},
    {6, 128, "-"},
};

static char letter_of(ingest_icmp_kind kind) {
  switch (kind) {
  case INGEST_ICMP_NETWORK: return 'N';
  case INGEST_ICMP_HOST: return 'H';
  case INGEST_ICMP_PROTOCOL: return 'P';
  case INGEST_ICMP_PORT: return 'p';
  case INGEST_ICMP_PROHIBITED: return 'F';
  case INGEST_ICMP_TIME: return 'T';
  case INGEST_ICMP_TOO_BIG: return 'B';
  case INGEST_ICMP_NONE: break;
  }
  return '-';
}

START_TEST(each_type_and_code_has_a_kind)
{
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    for (uint8_t code = 0; kinds[i].letters[code] != 0; code++) {
      ing_icmp icmp;
      const message m = {.family = kinds[i].family, .type = kinds[i].type, .code = code};
      const bool is = message_read(&icmp, &m, 0);
      const char letter = is ? letter_of(icmp.kind) : '-';
      ck_assert_msg(letter == kinds[i].letters[code], "version %u, type %u, code %u: %c", m.family,
                    m.type, code, letter);
    }
  }
}
END_TEST

START_TEST(a_message_names_the_segment_that_it_quotes)
{
  for (uint8_t family = 4; family <= 6; family += 2) {
    for (int by_host = 0; by_host < 2; by_host++) {
      ing_icmp icmp;
      const message m = {.family = family, .type = family == 4 ? 3 : 1, .by_host = by_host != 0};
      ck_assert(message_read(&icmp, &m, 0));
      ck_assert_mem_eq(icmp.src.ip, ends[family == 6][0].ip, sizeof icmp.src.ip);
      ck_assert_mem_eq(icmp.dst.ip, ends[family == 6][1].ip, sizeof icmp.dst.ip);
      ck_assert_uint_eq(icmp.src.family, family);
      ck_assert_uint_eq(icmp.dst.family, family);
      ck_assert_uint_eq(icmp.src.port, 4000);
      ck_assert_uint_eq(icmp.dst.port, 5);
      ck_assert_uint_eq(icmp.seq, 0x81020304);
      ck_assert_uint_eq(icmp.mtu, 0);
      ck_assert_uint_eq(icmp.by_host, (unsigned)by_host);
    }
  }
}
END_TEST

START_TEST(a_packet_too_big_names_the_mtu)
{
  ing_icmp icmp;
  const message four = {.family = 4, .type = 3, .code = 4, .rest = {1, 2, 5, 0x78}};
  ck_assert(message_read(&icmp, &four, 0));
  ck_assert_uint_eq(icmp.mtu, 0x578);
  const message six = {.family = 6, .type = 2, .rest = {1, 2, 5, 0x78}};
  ck_assert(message_read(&icmp, &six, 0));
  ck_assert_uint_eq(icmp.mtu, 0x1020578);
}
END_TEST

/* Anybody can send such a message: one that is damaged or quotes too little says nothing. */
START_TEST(a_message_that_is_not_whole_says_nothing)
{
  for (uint8_t family = 4; family <= 6; family += 2) {
    ing_icmp icmp;
    message m = {.family = family, .type = family == 4 ? 3 : 1};
    m.wrong = true;
    ck_assert(!message_read(&icmp, &m, 0));
    m.wrong = false;
    for (size_t cut = 1; cut < 8; cut++) {
      ck_assert(!message_read(&icmp, &m, cut)); /* of the eight octets of TCP */
      m.cut = cut;
      ck_assert(!message_read(&icmp, &m, 0));
      m.cut = 0;
    }
    ck_assert(message_read(&icmp, &m, 0));
  }
}
END_TEST

/* A message that was not captured whole cannot be compared with its checksum. */
START_TEST(a_message_that_was_cut_counts)
{
  ing_icmp icmp;
  uint8_t packet[256];
  const message m = {.family = 4, .type = 3, .wrong = true};
  const size_t len = message_write(packet, &m);
  const ingest_packet pkt = {
      .data = packet, .caplen = (uint32_t)len, .len = (uint32_t)len + 1, .link_type = RAW};
  tcp_fixture_put16(packet + 2, (uint32_t)len + 1); /* one octet of the quote was not captured */
  ing_decap d;
  const decap_end end = ing_decap_open(&d, &pkt);
  ck_assert(ing_icmp_open(&icmp, &d, end));
}
END_TEST

/* The first fragment holds the ports, a later one does not. */
START_TEST(the_first_fragment_may_be_quoted)
{
  ing_icmp icmp;
  message m = {.family = 4, .type = 3, .fragment = 0x2000};
  ck_assert(message_read(&icmp, &m, 0));
  ck_assert_uint_eq(icmp.dst.port, 5);
  m.fragment = 0x2001;
  ck_assert(!message_read(&icmp, &m, 0));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {each_type_and_code_has_a_kind,
                                a_message_names_the_segment_that_it_quotes,
                                a_packet_too_big_names_the_mtu,
                                a_message_that_is_not_whole_says_nothing,
                                a_message_that_was_cut_counts,
                                the_first_fragment_may_be_quoted,
                                NULL};
  return check_run(check_suite("ingest-icmp", tests));
}
