/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths: a packet that fits the path of another one has the same headers when they are taken off
 * one by one. */
#include "check_run.h"
#include "ingest/decap/decap.h"
#include "tcp_fixture.h"

#define ETHERNET 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
#define IPV4(next) 0x45, 0, 0, 0, 0, 1, 0x40, 0, 64, next, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2
#define IPV6(next)                                                                                 \
  0x60, 0, 0, 0, 0, 0, next, 64, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x20, 1,  \
      0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2
#define UDP(port) 0xc0, 0, (port) >> 8, (port)&0xff, 0, 0, 0, 0
#define FRAME ETHERNET, 8, 0
#define IN_UDP(port) ETHERNET, 8, 0, IPV4(17), UDP(port)
#define IN_IP(next) ETHERNET, 8, 0, IPV4(next)

enum { PATH_SEGMENT = 44 };

/* Headers in front of a packet of IPv4 and TCP. A length at `at` counts from `from` on. */
typedef struct path_row {
  const char *name;
  int link_type;
  size_t len;
  uint8_t octets[128];
  struct {
    size_t at;
    size_t from;
  } length[3];  /* up to one that counts from 0 */
  bool unknown; /* has no path */
} path_row;

#define IP_LENGTH                                                                                  \
  { 16, 14 }
#define UDP_LENGTHS                                                                                \
  IP_LENGTH, {                                                                                     \
    38, 34                                                                                         \
  }

static const path_row path_rows[] = {
    {"Ethernet", 1, 14, {FRAME}, {{0, 0}}, false},
    {"LLC", 1, 22, {ETHERNET, 0, 80, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0}, {{0, 0}}, false},
    {"LLC of IP", 1, 17, {ETHERNET, 0, 80, 6, 6, 3}, {{0, 0}}, false},
    {"ISL",
     1,
     40,
     {1, 0, 0x0c, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 90, [21] = 8, [26] = FRAME},
     {{0, 0}},
     false},
    {"VLAN", 1, 18, {ETHERNET, 0x81, 0, 0x20, 100, 8, 0}, {{0, 0}}, false},
    {"two VLANs", 1, 22, {ETHERNET, 0x88, 0xa8, 0, 7, 0x81, 0, 0, 100, 8, 0}, {{0, 0}}, false},
    {"E-TAG", 1, 22, {ETHERNET, 0x89, 0x3f, 0, 0, 0, 1, 0, 0, 8, 0}, {{0, 0}}, false},
    {"CMD", 1, 22, {ETHERNET, 0x89, 9, 1, 1, 0, 1, 0, 7, 8, 0}, {{0, 0}}, false},
    {"PBB", 1, 32, {ETHERNET, 0x88, 0xe7, 1, 0, 0, 9, FRAME}, {{0, 0}}, false},
    {"MACsec", 1, 30, {ETHERNET, 0x88, 0xe5, 0x20, [28] = 8, 0}, {{0, 0}}, false},
    {"TRILL",
     1,
     38,
     {ETHERNET, 0x22, 0xf3, 0, 0x49, 0, 1, 0, 2, 0, 0, 0, 0, FRAME},
     {{0, 0}},
     false},
    {"NSH", 1, 22, {ETHERNET, 0x89, 0x4f, 0x0f, 0xc2, 2, 1, 0, 0, 0, 1}, {{0, 0}}, false},
    {"MPLS", 1, 22, {ETHERNET, 0x88, 0x47, 0, 6, 0x30, 64, 0, 7, 0x71, 64}, {{0, 0}}, false},
    {"MPLS with Ethernet",
     1,
     36,
     {ETHERNET, 0x88, 0x47, 0, 7, 0x71, 64, 0, 0, 0, 0, FRAME},
     {{0, 0}},
     false},
    {"MPLS with Ethernet, no control word",
     1,
     32,
     {ETHERNET, 0x88, 0x47, 0, 7, 0x71, 64, FRAME},
     {{0, 0}},
     false},
    {"PPPoE", 1, 22, {ETHERNET, 0x88, 0x64, 0x11, 0, 0, 1, 0, 0, 0, 0x21}, {{18, 20}}, false},
    {"PPPoE, bridged",
     1,
     38,
     {ETHERNET, 0x88, 0x64, 0x11, 0, 0, 1, 0, 0, 0, 0x31, 0, 1, FRAME},
     {{18, 20}},
     false},
    {"IP", 1, 34, {IN_IP(4)}, {IP_LENGTH}, false},
    {"IP over IPv6", 1, 54, {ETHERNET, 0x86, 0xdd, IPV6(4)}, {{18, 54}}, false},
    {"IPv6 in IPv4", 1, 74, {IN_IP(41), IPV6(4)}, {IP_LENGTH, {38, 74}}, false},
    {"GRE", 1, 38, {IN_IP(47), 0, 0, 8, 0}, {IP_LENGTH}, false},
    {"GRE with all fields",
     1,
     64,
     {IN_IP(47), 0xb0, 0, 0x65, 0x58, [45] = 9, [50] = FRAME},
     {IP_LENGTH},
     false},
    {"PPTP",
     1,
     50,
     {IN_IP(47), 0x30, 1, 0x88, 0x0b, 0, 0, 0, 7, 0, 0, 0, 1, 0xff, 3, 0, 0x21},
     {IP_LENGTH},
     false},
    {"WCCP", 1, 42, {IN_IP(47), 0, 0, 0x88, 0x3e, 0, 0, 0, 0}, {IP_LENGTH}, false},
    {"ERSPAN I", 1, 52, {IN_IP(47), 0, 0, 0x88, 0xbe, FRAME}, {IP_LENGTH}, false},
    {"ERSPAN II",
     1,
     64,
     {IN_IP(47), 0x10, 0, 0x88, 0xbe, [42] = 0x10, 0x64, 0, 9, [50] = FRAME},
     {IP_LENGTH},
     false},
    {"ERSPAN III",
     1,
     68,
     {IN_IP(47), 0x10, 0, 0x22, 0xeb, [42] = 0x20, 0x64, 0, 9, [54] = FRAME},
     {IP_LENGTH},
     false},
    {"Ethernet in IP", 1, 50, {IN_IP(97), 0x30, 0, FRAME}, {IP_LENGTH}, false},
    {"VXLAN", 1, 64, {IN_UDP(4789), 8, 0, 0, 0, 0, 0, 42, 0, FRAME}, {UDP_LENGTHS}, false},
    {"Geneve",
     1,
     68,
     {IN_UDP(6081), 1, 0, 0x65, 0x58, 0, 0, 42, 0, 1, 2, 3, 0, FRAME},
     {UDP_LENGTHS},
     false},
    {"TZSP", 1, 65, {IN_UDP(37008), 1, 0, 0, 1, 0, 0x0a, 1, 5, 1, FRAME}, {UDP_LENGTHS}, false},
    {"VXLAN-GPE", 1, 50, {IN_UDP(4790), 12, 0, 0, 1, 0, 0, 42, 0}, {UDP_LENGTHS}, false},
    {"GTP-U",
     1,
     58,
     {IN_UDP(2152), 0x34, 255, 0, 9, 0, 0, 0, 9, 0, 0, 0, 0x85, 1, 7, 7, 0},
     {UDP_LENGTHS},
     false},
    {"L2TP", 1, 55, {IN_UDP(1701), 2, 2, 0, 3, 0, 4, 0, 3, 9, 9, 9, 0, 0x21}, {UDP_LENGTHS}, false},
    {"LISP", 1, 50, {IN_UDP(4341), 0x80, 0, 0, 1, 0, 0, 0, 1}, {UDP_LENGTHS}, false},
    {"raw", 101, 0, {0}, {{0, 0}}, false},
    {"loopback", 0, 4, {2, 0, 0, 0}, {{0, 0}}, false},
    {"cooked", 113, 16, {[14] = 8, 0}, {{0, 0}}, false},
    {"cooked v2", 276, 20, {8, 0}, {{0, 0}}, false},
    {"HDLC", 104, 4, {0x0f, 0, 8, 0}, {{0, 0}}, false},
    {"PPP", 9, 4, {0xff, 3, 0, 0x21}, {{0, 0}}, false},
    {"PPP with a direction", 204, 2, {1, 0x21}, {{0, 0}}, false},
    {"IP over InfiniBand", 242, 44, {[40] = 8, 0}, {{0, 0}}, false},
    {"PPI", 192, 22, {0, 0, 8, 0, 1, 0, 0, 0, FRAME}, {{0, 0}}, false},
    {"PFLOG", 117, 64, {61}, {{0, 0}}, false},
    {"ENC", 109, 12, {0}, {{0, 0}}, false},
    {"ERF", 197, 40, {[8] = 0x82, [24] = 0, 0, FRAME}, {{14, 26}}, false},
    {"ERF of IP", 197, 16, {[8] = 22}, {{14, 16}}, false},
    {"NFLOG", 239, 8, {2, 0, 0, 0, 48, 0, 9, 0}, {{0, 0}}, true},
    {"a header with options",
     1,
     38,
     {FRAME, 0x46, 0, 0, 0, 0, 1, 0x40, 0, 64, 4, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 1, 1, 1, 0},
     {IP_LENGTH},
     true},
    {"an extension header", 1, 62, {ETHERNET, 0x86, 0xdd, IPV6(60), 4, 0, 1, 4}, {{18, 54}}, true},
    {"AH", 1, 58, {IN_IP(51), 4, 4}, {IP_LENGTH}, false},
};

enum { PATH_ROWS = sizeof path_rows / sizeof path_rows[0] };

/* Writes the packet of a row, with four octets of payload. Returns its length. */
static size_t path_packet(const path_row *row, uint8_t *out) {
  static const uint8_t inner[PATH_SEGMENT] = {IPV4(6), [32] = 0x50, 0x18};
  const size_t len = row->len + sizeof inner;
  memcpy(out, row->octets, row->len);
  memcpy(out + row->len, inner, sizeof inner);
  out[row->len + 3] = sizeof inner;
  for (size_t i = 0; i < 3 && row->length[i].from != 0; i++) {
    out[row->length[i].at] = 0;
    out[row->length[i].at + 1] = (uint8_t)(len - row->length[i].from);
  }
  return len;
}

/* Checks that a packet that fits the path has the headers that the path says, and `layers`. Returns
 * true if it fits. */
static bool path_holds(const decap_path *path, const ing_decap *like, const ingest_packet *pkt,
                       const char *name) {
  size_t cap;
  ing_decap d;
  if (!ing_path_fits(path, pkt, &cap)) {
    return false;
  }
  const decap_end end = ing_decap_open(&d, pkt);
  ck_assert_msg(end == DECAP_TRANSPORT && d.ip.family == 4 && d.ip.next == ING_PROTO_TCP &&
                    !d.ip.fragment,
                "%s: end %d", name, (int)end);
  ck_assert_msg(d.header == pkt->data + path->ip, "%s: begins elsewhere", name);
  ck_assert_msg(d.ip.body.data == d.header + DECAP_IP4_HEADER, "%s: has options", name);
  ck_assert_msg(d.ip.body.cap + DECAP_IP4_HEADER == cap, "%s: %zu octets for %zu", name, cap,
                d.ip.body.cap + DECAP_IP4_HEADER);
  ck_assert_msg(d.lane == path->lane && d.num_layers == like->num_layers &&
                    memcmp(d.layer, like->layer, d.num_layers) == 0,
                "%s: other layers", name);
  return true;
}

/* No bit of a packet can be changed so that its path leads elsewhere. */
START_TEST(each_bit_that_decides_is_in_the_path)
{
  for (size_t i = 0; i < PATH_ROWS; i++) {
    const path_row *row = &path_rows[i];
    uint8_t octets[256];
    const size_t len = path_packet(row, octets);
    const ingest_packet pkt = {
        .data = octets, .caplen = len, .len = len, .link_type = row->link_type};
    ing_decap like;
    decap_path path;
    size_t same = 0;
    ck_assert_msg(ing_decap_learn(&like, &pkt, &path) == DECAP_TRANSPORT, "%s", row->name);
    ck_assert_msg(path.known != row->unknown, "%s", row->name);
    ck_assert_msg(path_holds(&path, &like, &pkt, row->name) == path.known, "%s", row->name);
    for (size_t bit = 0; bit < 8 * len; bit++) {
      octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
      same += path_holds(&path, &like, &pkt, row->name);
      octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ck_assert_msg(same < 8 * len && (same > 160) == path.known, "%s: %zu", row->name, same);
  }
}
END_TEST

/* A packet that was cut fits if the headers are left, and has what was captured. */
START_TEST(a_cut_packet)
{
  for (size_t i = 0; i < PATH_ROWS; i++) {
    const path_row *row = &path_rows[i];
    uint8_t octets[256];
    const size_t len = path_packet(row, octets);
    ingest_packet pkt = {.data = octets, .caplen = len, .len = len, .link_type = row->link_type};
    ing_decap like;
    decap_path path;
    (void)ing_decap_learn(&like, &pkt, &path);
    for (pkt.caplen = 1; pkt.caplen < len; pkt.caplen++) {
      const bool fits = path_holds(&path, &like, &pkt, row->name);
      ck_assert_msg(!fits || pkt.caplen >= len - 4, "%s: %zu", row->name, pkt.caplen);
    }
  }
}
END_TEST

/* The tables of ports and the link type count, too. */
START_TEST(what_is_not_in_the_packet)
{
  static ingest_tunnels tunnels;
  const path_row *row = &path_rows[0];
  uint8_t octets[256];
  size_t cap;
  ing_decap d;
  decap_path path;
  ingest_packet pkt = {.data = octets, .link_type = 1};
  pkt.caplen = pkt.len = path_packet(row, octets);
  (void)ing_decap_learn(&d, &pkt, &path);
  pkt.tunnels = &tunnels;
  ck_assert(!ing_path_fits(&path, &pkt, &cap));
  pkt.tunnels = NULL;
  pkt.link_type = 113;
  ck_assert(!ing_path_fits(&path, &pkt, &cap));
}
END_TEST

/* A port that the caller named may be the sender's, too. */
START_TEST(a_named_port)
{
  static ingest_tunnels tunnels;
  path_row row = {"VXLAN",       1,    64, {IN_UDP(4000), 8, 0, 0, 0, 0, 0, 42, 0, FRAME},
                  {UDP_LENGTHS}, false};
  uint8_t octets[256];
  ing_decap like;
  decap_path path;
  ck_assert(ingest_tunnels_add(&tunnels, 4000, INGEST_LAYER_VXLAN));
  ingest_packet pkt = {.data = octets, .link_type = 1, .tunnels = &tunnels};
  pkt.caplen = pkt.len = path_packet(&row, octets);
  ck_assert_int_eq(ing_decap_learn(&like, &pkt, &path), DECAP_TRANSPORT);
  ck_assert(path_holds(&path, &like, &pkt, row.name));
  octets[34] ^= 1;
  ck_assert(!path_holds(&path, &like, &pkt, row.name));
}
END_TEST

/* Headers of which more octets decide than a path has room for. */
START_TEST(more_words_than_a_path_has)
{
  static const uint8_t tzsp[] = {1, 0, 0, 1};
  static const uint8_t inner[] = {1, FRAME, IPV4(6), [33 + 14] = 0x50, 0x18};
  path_row row = {"TZSP", 1, 42, {IN_UDP(37008)}, {{0, 0}}, true};
  uint8_t octets[64 + 8 * DECAP_PATH_WORDS + 64] = {0};
  decap_path path;
  ing_decap d;
  memcpy(octets, row.octets, row.len);
  memcpy(octets + row.len, tzsp, sizeof tzsp);
  memcpy(octets + 64 + 8 * (size_t)DECAP_PATH_WORDS, inner, sizeof inner);
  tcp_fixture_put16(octets + 16, sizeof octets - 14);
  tcp_fixture_put16(octets + 38, sizeof octets - 34);
  const ingest_packet pkt = {
      .data = octets, .caplen = sizeof octets, .len = sizeof octets, .link_type = 1};
  ck_assert_int_eq(ing_decap_learn(&d, &pkt, &path), DECAP_TRANSPORT);
  ck_assert(!path.known);
}
END_TEST

/* The oldest path makes room for another one. */
START_TEST(more_paths_than_are_known)
{
  static decap_paths paths;
  path_row row = {"VLAN", 1, 18, {ETHERNET, 0x81, 0, 0, 0, 8, 0}, {{0, 0}}, false};
  uint8_t octets[256];
  size_t cap;
  ing_decap d;
  decap_path path;
  for (unsigned i = 1; i <= DECAP_PATHS + 1; i++) {
    row.octets[15] = (uint8_t)i;
    ingest_packet pkt = {.data = octets, .link_type = 1};
    pkt.caplen = pkt.len = path_packet(&row, octets);
    ck_assert_ptr_null(ing_paths_find(&paths, &pkt, &cap));
    (void)ing_decap_learn(&d, &pkt, &path);
    const decap_path *kept = ing_paths_add(&paths, &path);
    ck_assert_ptr_eq(ing_paths_find(&paths, &pkt, &cap), kept);
  }
  for (unsigned i = 1; i <= DECAP_PATHS + 1; i++) {
    row.octets[15] = (uint8_t)i;
    ingest_packet pkt = {.data = octets, .link_type = 1};
    pkt.caplen = pkt.len = path_packet(&row, octets);
    ck_assert_int_eq(ing_paths_find(&paths, &pkt, &cap) != NULL, i != 1);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {each_bit_that_decides_is_in_the_path,
                                a_cut_packet,
                                what_is_not_in_the_packet,
                                a_named_port,
                                more_words_than_a_path_has,
                                more_paths_than_are_known,
                                NULL};
  return check_run(check_suite("ingest-path", tests));
}
