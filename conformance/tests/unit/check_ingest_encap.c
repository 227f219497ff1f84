/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of tags and tunnels, of packets that may hide TCP, and fragments of tunnels. */
#include "check_run.h"
#include "ingest/decap/decap.h"
#include "tcp_fixture.h"

#define ETHERNET 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
#define IPV4(next) 0x45, 0, 0, 0, 0, 1, 0x40, 0, 64, next, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2
#define UDP(port) 0xc0, 0, (port) >> 8, (port)&0xff, 0, 0, 0, 0
#define TAG 0x81, 0, 0, 1

static const struct {
  const char *name;
  int link_type;
  size_t len;
  uint8_t octets[80];
  bool hides;
  ingest_unread_kind kind;
  uint32_t number;
} unread_rows[] = {
    {"ARP", 1, 14, {ETHERNET, 8, 6}, false, INGEST_UNREAD_EMPTY_ETHERTYPE, 0x0806},
    {"LLC", 1, 17, {ETHERNET, 0, 60, 0x42, 0x42, 3}, false, INGEST_UNREAD_LLC, 0x42},
    {"ICMP", 1, 34, {ETHERNET, 8, 0, IPV4(1)}, false, INGEST_UNREAD_EMPTY_PROTOCOL, 1},
    {"UDP", 1, 42, {ETHERNET, 8, 0, IPV4(17), UDP(53)}, false, INGEST_UNREAD_UDP, 53},
    {"a cut header", 1, 24, {ETHERNET, 8, 0, 0x45}, false, INGEST_UNREAD_HEADER, 0},
    {"LCP", 9, 4, {0xff, 3, 0xc0, 0x21}, false, INGEST_UNREAD_PPP_CONTROL, 0xc021},
    {"compressed TCP", 9, 4, {0xff, 3, 0, 0x2d}, true, INGEST_UNREAD_PPP, 0x2d},
    {"GTP-U echo",
     1,
     50,
     {ETHERNET, 8, 0, IPV4(17), UDP(2152), 0x30, 1},
     false,
     INGEST_UNREAD_CONTROL,
     INGEST_LAYER_GTPU},
    {"another protocol of NSH",
     1,
     22,
     {ETHERNET, 0x89, 0x4f, 0, 2, 2, 9},
     true,
     INGEST_UNREAD_LAYER,
     INGEST_LAYER_NSH},
    {"MACsec", 1, 22, {ETHERNET, 0x88, 0xe5, 0x0c}, true, INGEST_UNREAD_ETHERTYPE, 0x88e5},
    {"ESP", 1, 34, {ETHERNET, 8, 0, IPV4(50)}, true, INGEST_UNREAD_PROTOCOL, 50},
    {"Teredo", 1, 42, {ETHERNET, 8, 0, IPV4(17), UDP(3544)}, true, INGEST_UNREAD_PORT, 3544},
    {"an ERF type", 197, 16, {0, 0, 0, 0, 0, 0, 0, 0, 5}, true, INGEST_UNREAD_ERF, 5},
    {"a link type", 105, 16, {8, 2}, true, INGEST_UNREAD_LINK, 105},
    {"VXLAN without its flag",
     1,
     50,
     {ETHERNET, 8, 0, IPV4(17), UDP(4789), 0},
     true,
     INGEST_UNREAD_LAYER,
     INGEST_LAYER_VXLAN},
    {"a cut tag", 1, 15, {ETHERNET, 0x81, 0, 0}, true, INGEST_UNREAD_LAYER, INGEST_LAYER_VLAN},
    {"nine layers",
     1,
     50,
     {ETHERNET, TAG, TAG, TAG, TAG, TAG, TAG, TAG, TAG, TAG, 8, 0},
     true,
     INGEST_UNREAD_DEPTH,
     0},
};

START_TEST(packets_that_are_not_looked_into)
{
  for (size_t i = 0; i < sizeof unread_rows / sizeof unread_rows[0]; i++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_push(w, unread_rows[i].octets, unread_rows[i].len, unread_rows[i].len,
                     unread_rows[i].link_type);
    tcp_fixture_push(w, unread_rows[i].octets, unread_rows[i].len, unread_rows[i].len,
                     unread_rows[i].link_type);
    const ingest_encap *encap = &ingest_stats_get(w->ing)->encap[0];
    const bool hides = unread_rows[i].hides;
    const ingest_unread_list *list = hides ? &encap->hiding : &encap->empty;
    const ingest_unread *line = &list->line[0];
    ck_assert_msg(list->num == 1 && encap->hiding.num + encap->empty.num == 1, "%s",
                  unread_rows[i].name);
    ck_assert_msg(line->kind == unread_rows[i].kind && line->number == unread_rows[i].number,
                  "%s: %d %u", unread_rows[i].name, (int)line->kind, (unsigned)line->number);
    ck_assert_uint_eq(line->packets, 2);
    ck_assert_uint_eq(line->first, 1);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* A packet with two tags counts once, and a tunnel with tags inside and outside too. */
START_TEST(a_packet_counts_once_for_a_layer)
{
  static const uint8_t twice[] = {ETHERNET, TAG, TAG, 8, 0, IPV4(4), IPV4(1)};
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_push(w, twice, sizeof twice, sizeof twice, 1);
  const ingest_encap *encap = &ingest_stats_get(w->ing)->encap[0];
  for (size_t i = 0; i < INGEST_LAYERS; i++) {
    ck_assert_uint_eq(encap->packets[i], i == INGEST_LAYER_VLAN || i == INGEST_LAYER_IPIP);
  }
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(more_kinds_than_there_are_lines)
{
  uint8_t octets[] = {ETHERNET, 0x89, 0};
  tcp_fixture *w = tcp_fixture_new();
  for (unsigned i = 0; i < 3 * INGEST_UNREAD_MAX; i++) {
    octets[12] = (uint8_t)(0xa0 + i);
    tcp_fixture_push(w, octets, sizeof octets, sizeof octets, 1);
  }
  const ingest_encap *encap = &ingest_stats_get(w->ing)->encap[0];
  const ingest_unread_list *list = &encap->hiding;
  ck_assert_uint_eq(list->num, INGEST_UNREAD_MAX);
  ck_assert_uint_eq(list->more.packets, 2 * INGEST_UNREAD_MAX);
  ck_assert_uint_eq(list->more.first, INGEST_UNREAD_MAX + 1);
  ingest_encap sum = *encap;
  ingest_encap_add(&sum, encap);
  list = &sum.hiding;
  ck_assert_uint_eq(list->num, INGEST_UNREAD_MAX);
  ck_assert_uint_eq(list->line[3].packets, 2);
  ck_assert_uint_eq(list->line[3].first, 4);
  ck_assert_uint_eq(list->more.packets, 4 * INGEST_UNREAD_MAX);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* UDP has one line, with the lower port of its first packet, whichever part of a run has it. */
START_TEST(ports_of_udp_share_a_line)
{
  static const uint16_t ports[] = {4000, 65000, 53};
  ingest_encap part[3];
  tcp_fixture *w = tcp_fixture_new();
  for (size_t i = 0; i < 3; i++) {
    uint8_t octets[] = {ETHERNET, 8, 0, IPV4(17), UDP(0)};
    tcp_fixture_put16(octets + 36, ports[i]);
    tcp_fixture_push(w, octets, sizeof octets, sizeof octets, 1);
    const ingest_encap *encap = &ingest_stats_get(w->ing)->encap[0];
    ck_assert_uint_eq(encap->empty.num, 1);
    ck_assert_uint_eq(encap->empty.line[0].number, 4000);
    part[i] = (ingest_encap){.empty = {.num = 1, .line[0] = {.kind = INGEST_UNREAD_UDP}}};
    part[i].empty.line[0].number = ports[i];
    part[i].empty.line[0].packets = 1;
    part[i].empty.line[0].first = i + 1;
  }
  ingest_encap_add(&part[2], &part[1]);
  ingest_encap_add(&part[2], &part[0]);
  ck_assert_uint_eq(part[2].empty.num, 1);
  ck_assert_uint_eq(part[2].empty.line[0].number, 4000);
  ck_assert_uint_eq(part[2].empty.line[0].packets, 3);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Headers that are no layers are bounded, too. */
START_TEST(headers_without_end)
{
  uint8_t octets[14 * 64];
  const uint8_t frame[] = {ETHERNET, 0x65, 0x58};
  for (size_t at = 0; at < sizeof octets; at += sizeof frame) {
    memcpy(octets + at, frame, sizeof frame);
  }
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_push(w, octets, sizeof octets, sizeof octets, 1);
  const ingest_unread_list *list = &ingest_stats_get(w->ing)->encap[0].hiding;
  ck_assert_uint_eq(list->num, 1);
  ck_assert_int_eq(list->line[0].kind, INGEST_UNREAD_DEPTH);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(each_layer_has_a_name)
{
  for (size_t i = 0; i < INGEST_LAYERS; i++) {
    ck_assert_ptr_nonnull(ingest_layer_name((ingest_layer)i));
    for (size_t n = 0; n < i; n++) {
      ck_assert_str_ne(ingest_layer_name((ingest_layer)i), ingest_layer_name((ingest_layer)n));
    }
  }
  ck_assert_ptr_null(ingest_layer_name(INGEST_LAYERS));
}
END_TEST

/* ---- fragments ---- */

/* Writes an IPv4 packet with `len` octets at `body`, or one of its fragments, at `out`. */
static size_t put_ip(uint8_t *out, uint8_t next, uint16_t id, uint16_t place, const uint8_t *body,
                     size_t len) {
  const uint8_t header[] = {IPV4(0)};
  memcpy(out, header, sizeof header);
  tcp_fixture_put16(out + 2, (uint32_t)(sizeof header + len));
  tcp_fixture_put16(out + 4, id);
  tcp_fixture_put16(out + 6, place);
  out[9] = next;
  memmove(out + sizeof header, body, len);
  return sizeof header + len;
}

/* Pushes the body in two fragments, as raw IP; the second one first if `turned`. */
static void push_halves(tcp_fixture *w, uint8_t next, uint16_t id, const uint8_t *body, size_t len,
                        bool turned) {
  const size_t first = len / 2 & ~(size_t)7;
  uint8_t packet[512];
  for (unsigned i = 0; i < 2; i++) {
    const bool last = (i == 1) != turned;
    const size_t n =
        last ? put_ip(packet, next, id, (uint16_t)(first / 8), body + first, len - first)
             : put_ip(packet, next, id, 0x2000, body, first);
    tcp_fixture_push(w, packet, n, n, 101);
  }
}

START_TEST(fragments_of_a_tunnel)
{
  for (unsigned turned = 0; turned < 2; turned++) {
    tcp_fixture *w = tcp_fixture_with(4, "abcdefgh");
    push_halves(w, 4, 7, w->packet + 14, w->packet_len - 14, turned != 0);
    ck_assert_str_eq(tcp_fixture_take(w), "O D0@0:abcdefgh");
    ck_assert_uint_eq(ingest_stats_get(w->ing)->encap[1].packets[INGEST_LAYER_IPIP], 1);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* UDP that is no tunnel is not kept: its first fragment has the port. */
START_TEST(fragments_of_udp)
{
  const uint8_t body[64] = {UDP(4000)};
  const uint8_t closed[64] = {UDP(4500)};
  tcp_fixture *w = tcp_fixture_new();
  push_halves(w, 17, 7, body, sizeof body, false);
  push_halves(w, 17, 8, closed, sizeof closed, false);
  const ingest_stats *stats = ingest_stats_get(w->ing);
  ck_assert_uint_eq(stats->ignored, 4);
  ck_assert_uint_eq(stats->encap[0].hiding.num, 1);
  ck_assert_uint_eq(stats->encap[0].hiding.line[0].number, 4500);
  ck_assert_uint_eq(stats->encap[0].empty.num, 1);
  ck_assert_uint_eq(stats->encap[0].empty.line[0].number, 4000);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* A fragment of TCP inside a tunnel in fragments is put together; a third level is not. */
START_TEST(fragments_inside_fragments)
{
  tcp_fixture *w = tcp_fixture_with(4, "abcdefgh");
  const uint8_t *tcp = w->packet + 34;
  const size_t len = w->packet_len - 34;
  uint8_t inner[256];
  uint8_t ip[64];
  memcpy(ip, w->packet + 14, 20);
  for (unsigned i = 0; i < 2; i++) { /* both fragments have the addresses of the connection */
    const size_t n =
        i == 0 ? put_ip(inner, 6, 9, 0x2000, tcp, 16) : put_ip(inner, 6, 9, 2, tcp + 16, len - 16);
    memcpy(inner + 12, ip + 12, 8);
    push_halves(w, 4, (uint16_t)(20 + i), inner, n, false);
  }
  ck_assert_str_eq(tcp_fixture_take(w), "O D0@0:abcdefgh");
  uint8_t third[128];
  const size_t all = put_ip(third, 4, 10, 0x2000, w->packet + 14, 24);
  for (unsigned i = 0; i < 2; i++) {
    const size_t n = i == 0 ? put_ip(inner, 4, 11, 0x2000, third, 24)
                            : put_ip(inner, 4, 11, 3, third + 24, all - 24);
    push_halves(w, 4, (uint16_t)(30 + i), inner, n, false);
  }
  const ingest_unread_list *list = &ingest_stats_get(w->ing)->encap[1].hiding;
  ck_assert_uint_eq(list->num, 1);
  ck_assert_int_eq(list->line[0].kind, INGEST_UNREAD_FRAGMENTS);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {packets_that_are_not_looked_into,
                                a_packet_counts_once_for_a_layer,
                                ports_of_udp_share_a_line,
                                headers_without_end,
                                more_kinds_than_there_are_lines,
                                each_layer_has_a_name,
                                fragments_of_a_tunnel,
                                fragments_of_udp,
                                fragments_inside_fragments,
                                NULL};
  return check_run(check_suite("ingest-encap", tests));
}
