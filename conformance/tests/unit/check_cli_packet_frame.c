/* SPDX-License-Identifier: BSD-2-Clause */
/* Which octets are a packet, after which link header, and what they carry. */
#include <string.h>

#include "check_run.h"

#include <packet_frame.h>

static uint8_t octets[256];
static size_t len;
static iwarp_span found;
static report_layer layer;

static void put(const char *bytes, size_t n) {
  memcpy(octets + len, bytes, n);
  len += n;
}

/* An IPv4 header over `n` octets of this protocol, with its checksum. */
static void put_ip4(uint8_t proto, size_t n) {
  uint8_t *ip = octets + len;
  put("\x45\0\0\0\0\1\0\0\x40\0\0\0\x0a\0\0\1\x0a\0\0\2", 20);
  ip[3] = (uint8_t)(20 + n);
  ip[9] = proto;
  uint32_t sum = 0;
  for (size_t i = 0; i < 20; i += 2) {
    sum += (uint32_t)(ip[i] << 8 | ip[i + 1]);
  }
  sum = (sum & 0xFFFFu) + (sum >> 16);
  ip[10] = (uint8_t)(~sum >> 8);
  ip[11] = (uint8_t)~sum;
}

/* A TCP segment with three octets, or none. */
static void put_tcp(bool payload) {
  put("\x1c\6\x9c\x40\0\0\0\1\0\0\0\1\x50\x10\x10\0\0\0\0\0", 20);
  put("abc", payload ? 3 : 0);
}

static void put_packet(void) {
  put_ip4(6, 23);
  put_tcp(true);
}

static packet_frame_result find(void) {
  layer = REPORT_LAYER_MPA;
  found = (iwarp_span){NULL, 0};
  return packet_frame_find(&found, &layer, octets, len);
}

static bool finds_payload(void) {
  return find() == PACKET_FRAME_FOUND && found.len == 3 && memcmp(found.ptr, "abc", 3) == 0;
}

START_TEST(ip_stands_at_the_front_or_after_a_link_header)
{
  static const struct {
    const char *octets;
    size_t len;
  } links[] = {
      {"", 0},
      {"\1\2\3\4\5\6\1\2\3\4\5\6\x08\0", 14},
      {"\1\2\3\4\5\6\1\2\3\4\5\6\x81\0\0\7\x08\0", 18},
      {"\1\2\3\4\5\6\1\2\3\4\5\6\x88\xa8\0\7\x81\0\0\7\x08\0", 22},
      {"\0\0\0\1\0\6\1\2\3\4\5\6\0\0\x08\0", 16},
      {"\x08\0\0\0\0\0\0\1\0\1\0\6\1\2\3\4\5\6\0\0", 20},
      {"\2\0\0\0", 4},
  };
  for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
    len = 0;
    put(links[i].octets, links[i].len);
    put_packet();
    ck_assert_msg(finds_payload(), "link %zu", i);
  }
}
END_TEST

START_TEST(what_is_no_ip_is_a_frame_itself)
{
  len = 0;
  ck_assert_int_eq(find(), PACKET_FRAME_NO_PACKET);
  put("\1\2\3\4\5\6\1\2\3\4\5\6\x08\6", 14); /* another Ethertype */
  put_packet();
  ck_assert_int_eq(find(), PACKET_FRAME_NO_PACKET);
  len = 0;
  put("\1\2\3\4\5\6\1\2\3\4\5\6\x81\0", 14); /* the tag is cut */
  ck_assert_int_eq(find(), PACKET_FRAME_NO_PACKET);
  static const struct {
    size_t at;
    uint8_t is;
  } wrong[] = {{0, 0x55}, {0, 0x44}, {0, 0x4f}, {3, 19}, {9, 17}, {12, 11}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    len = 0;
    put_packet();
    octets[wrong[i].at] = wrong[i].is;
    ck_assert_msg(find() == PACKET_FRAME_NO_PACKET, "octet %zu", wrong[i].at);
  }
  len = 0;
  put_packet();
  len = 19;
  ck_assert_int_eq(find(), PACKET_FRAME_NO_PACKET);
}
END_TEST

START_TEST(a_checksum_may_be_left_to_the_network_card)
{
  len = 0;
  put_packet();
  octets[10] = octets[11] = 0;
  ck_assert(finds_payload());
}
END_TEST

START_TEST(extension_headers_may_come_before_tcp)
{
  static const uint8_t nexts[] = {0, 43, 60};
  static const char ip6[] = "\x60\0\0\0\0\x1f\0\x40\1\2\3\4\5\6\7\x08\1\2\3\4\5\6\7\x08"
                            "\2\2\3\4\5\6\7\x08\1\2\3\4\5\6\7\x08";
  for (size_t i = 0; i < sizeof nexts; i++) {
    len = 0;
    put(ip6, 40);
    octets[6] = nexts[i];
    put("\6\0\1\4\0\0\0\0", 8);
    put_tcp(true);
    ck_assert_msg(finds_payload(), "%u", nexts[i]);
  }
  len = 0;
  put(ip6, 40);
  octets[5] = 23;
  octets[6] = 6;
  put_tcp(true);
  ck_assert(finds_payload());
  octets[6] = 44; /* a fragment, of which the octets are no header */
  ck_assert_int_ne(find(), PACKET_FRAME_NO_PACKET);
  octets[6] = 17;
  ck_assert_int_eq(find(), PACKET_FRAME_EMPTY); /* still a packet */
  octets[5] = 24;
  ck_assert_int_eq(find(), PACKET_FRAME_NO_PACKET);
  octets[6] = 6;
  len = 39;
  ck_assert_int_eq(find(), PACKET_FRAME_NO_PACKET);
}
END_TEST

START_TEST(a_packet_may_carry_nothing)
{
  len = 0;
  put_ip4(6, 20);
  put_tcp(false);
  ck_assert_int_eq(find(), PACKET_FRAME_EMPTY);
}
END_TEST

START_TEST(sctp_says_what_it_carries)
{
  static const struct {
    const char *ppid;
    report_layer layer;
  } rows[] = {{"\0\0\0\x10", REPORT_LAYER_SCTP_SEGMENT},
              {"\x10\0\0\0", REPORT_LAYER_SCTP_SEGMENT},
              {"\0\0\0\x11", REPORT_LAYER_SCTP_CONTROL},
              {"\x11\0\0\0", REPORT_LAYER_SCTP_CONTROL},
              {"\0\0\0\3", REPORT_LAYER_MPA}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    len = 0;
    put_ip4(132, 12 + 20);
    put("\x1c\6\x9c\x40\0\0\0\1\0\0\0\0", 12);
    put("\0\3\0\x13\0\0\0\1\0\0\0\0", 12);
    put(rows[i].ppid, 4);
    put("abc\0", 4);
    ck_assert(finds_payload());
    ck_assert_int_eq(layer, rows[i].layer);
  }
}
END_TEST

static packet_frame_result find_certain(void) {
  layer = REPORT_LAYER_MPA;
  found = (iwarp_span){NULL, 0};
  return packet_frame_certain(&found, &layer, octets, len);
}

static const char ethernet[] = "\1\2\3\4\5\6\1\2\3\4\5\6\x08\0";

START_TEST(a_packet_is_certain_when_all_of_its_header_agrees)
{
  len = 0;
  put_packet();
  ck_assert_int_eq(find_certain(), PACKET_FRAME_FOUND);
  ck_assert(found.len == 3 && memcmp(found.ptr, "abc", 3) == 0);
  len--; /* an octet of the packet is missing */
  ck_assert_int_eq(find_certain(), PACKET_FRAME_NO_PACKET);
  len += 2; /* one is left after it */
  ck_assert_int_eq(find_certain(), PACKET_FRAME_NO_PACKET);
  len--;
  octets[12] ^= 1; /* the checksum does not agree */
  ck_assert_int_eq(find_certain(), PACKET_FRAME_NO_PACKET);
  octets[12] ^= 1;
  octets[10] = octets[11] = 0;
  ck_assert_int_eq(find_certain(), PACKET_FRAME_NO_PACKET);
}
END_TEST

START_TEST(padding_may_follow_in_a_link_layer)
{
  len = 0;
  put(ethernet, 14);
  put_packet();
  len += 30;
  ck_assert_int_eq(find_certain(), PACKET_FRAME_FOUND);
  ck_assert(found.len == 3 && found.ptr == octets + 14 + 40);
  len++;
  ck_assert_int_eq(find_certain(), PACKET_FRAME_NO_PACKET);
}
END_TEST

START_TEST(packets_of_other_protocols_carry_nothing)
{
  len = 0;
  put(ethernet, 14);
  put_ip4(17, 23);
  put_tcp(true);
  ck_assert_int_eq(find(), PACKET_FRAME_EMPTY);
  ck_assert_int_eq(find_certain(), PACKET_FRAME_EMPTY);
  static const char *const tags[] = {"", "\x81\0\0\7"};
  for (size_t i = 0; i < 2; i++) {
    len = 0;
    put(ethernet, 12);
    put(tags[i], i * 4);
    put("\x08\6\0\1\x08\0\6\4", 8);
    ck_assert_int_eq(find(), PACKET_FRAME_EMPTY);
    len--; /* too short to be known */
    ck_assert_int_eq(find(), PACKET_FRAME_NO_PACKET);
    len++;
    octets[len - 1] = 6;
    ck_assert_int_eq(find(), PACKET_FRAME_NO_PACKET);
  }
}
END_TEST

START_TEST(frames_are_no_packets)
{
  len = 0;
  put("MPA ID Req Frame\x40\1\0\4ping", 24);
  ck_assert_int_eq(find_certain(), PACKET_FRAME_NO_PACKET);
  len = 0;
  put("\0\x12\x41\x43\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\x58\x7b\xe8\xc4", 24);
  ck_assert_int_eq(find_certain(), PACKET_FRAME_NO_PACKET);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {ip_stands_at_the_front_or_after_a_link_header,
                                what_is_no_ip_is_a_frame_itself,
                                a_checksum_may_be_left_to_the_network_card,
                                extension_headers_may_come_before_tcp,
                                a_packet_may_carry_nothing,
                                sctp_says_what_it_carries,
                                a_packet_is_certain_when_all_of_its_header_agrees,
                                padding_may_follow_in_a_link_layer,
                                packets_of_other_protocols_carry_nothing,
                                frames_are_no_packets,
                                NULL};
  return check_run(check_suite("packet_frame", tests));
}
