/* SPDX-License-Identifier: BSD-2-Clause */
/* What addresses, ports and octets become. */
#include <check.h>
#include <string.h>

#include "check_run.h"
#include "scrub/mapping.h"
#include "scrub/sha256.h"

static mapping map;

static void begin(uint8_t first, const uint8_t *named) {
  uint8_t key[32] = {0};
  key[0] = first;
  mapping_begin(&map, key, named);
}

static void digest_is(const char *text, size_t times, const uint8_t expected[4]) {
  uint8_t out[SHA256_LEN];
  sha256 s;
  sha256_begin(&s);
  for (size_t i = 0; i < times; i++) {
    sha256_add(&s, text, strlen(text));
  }
  sha256_end(&s, out);
  ck_assert_mem_eq(out, expected, 4);
}

/* FIPS 180-4, the examples. */
START_TEST(the_digest_is_sha_256)
{
  digest_is("", 1, (const uint8_t[]){0xe3, 0xb0, 0xc4, 0x42});
  digest_is("abc", 1, (const uint8_t[]){0xba, 0x78, 0x16, 0xbf});
  digest_is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            (const uint8_t[]){0x24, 0x8d, 0x6a, 0x61});
  digest_is("aaaaaaaaaa", 100000, (const uint8_t[]){0xcd, 0xc7, 0x6e, 0x5c});
}
END_TEST

static uint32_t ip4(uint32_t x) {
  uint8_t octets[4] = {(uint8_t)(x >> 24), (uint8_t)(x >> 16), (uint8_t)(x >> 8), (uint8_t)x};
  mapping_ip(&map, 4, octets);
  return (uint32_t)octets[0] << 24 | (uint32_t)octets[1] << 16 | (uint32_t)octets[2] << 8 |
         octets[3];
}

START_TEST(an_address_becomes_another_one_of_its_kind)
{
  static const struct {
    uint32_t from;
    uint32_t to;
  } kinds[] = {{0x0a000001, 0x7f000000},
               {0xc0a80001, 0xe0000000},
               {0x7f000001, 0x80000000},
               {0xe0000001, 0xf0000000},
               {0xf0000001, 0xffffffff}};
  begin(1, NULL);
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (uint32_t i = 0; i < 300; i++) {
      const uint32_t from = kinds[k].from + i;
      const uint32_t to = ip4(from);
      expect(to != from && to < kinds[k].to && to > 0xffffff, "%08x became %08x", from, to);
      expect(to == ip4(from), "%08x became two", from);
    }
  }
  ck_assert_uint_eq(ip4(0), 0);
  ck_assert_uint_eq(ip4(UINT32_MAX), UINT32_MAX);
}
END_TEST

START_TEST(no_two_addresses_become_one)
{
  static uint8_t seen[(1u << 24) / 8];
  begin(2, NULL);
  memset(seen, 0, sizeof seen);
  for (uint32_t i = 0; i < 1u << 16; i++) {
    const uint32_t to = ip4(0x7f000000 + i * 251 % (1u << 24)) & 0xffffff;
    expect((seen[to / 8] >> to % 8 & 1) == 0, "two became %06x", to);
    seen[to / 8] |= (uint8_t)(1u << to % 8);
  }
}
END_TEST

START_TEST(addresses_of_ipv6_and_of_links_keep_their_kind)
{
  uint8_t host[16] = {0x20, 1, 0xd, 0xb8};
  uint8_t link[16] = {0xfe, 0x80};
  uint8_t group[16] = {0xff, 2};
  uint8_t none[16] = {0};
  uint8_t mac[6] = {0, 1, 2, 3, 4, 5};
  uint8_t all[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  begin(3, NULL);
  host[15] = link[15] = group[15] = 1;
  mapping_ip(&map, 6, host);
  mapping_ip(&map, 6, link);
  mapping_ip(&map, 6, group);
  mapping_ip(&map, 6, none);
  mapping_mac(&map, mac);
  mapping_mac(&map, all);
  ck_assert_uint_eq(host[0], 0xfd);
  ck_assert(link[0] == 0xfe && link[1] == 0x80 && link[7] == 0 && link[8] != 0);
  ck_assert(group[0] == 0xff && group[1] == 2 && group[2] != 0);
  ck_assert(none[0] == 0 && none[15] == 0);
  ck_assert_uint_eq(mac[0] & 3, 2);
  ck_assert(all[0] == 0xff && all[5] == 0xff);
}
END_TEST

START_TEST(ports_keep_their_order_and_none_stays)
{
  static const uint16_t ports[] = {1, 22, 1023, 1024, 4791, 7174, 40000, 40001, 65535};
  const size_t num = sizeof ports / sizeof ports[0];
  begin(4, NULL);
  for (size_t i = 0; i < num; i++) {
    mapping_port_seen(&map, ports[i]);
  }
  mapping_ports(&map);
  for (size_t i = 0; i < num; i++) {
    const uint16_t to = mapping_port(&map, 6, ports[i]);
    for (size_t k = 0; k < num; k++) {
      ck_assert_uint_ne(to, ports[k]);
    }
    ck_assert(i == 0 || to > mapping_port(&map, 6, ports[i - 1]));
    ck_assert_uint_eq(to, mapping_port(&map, 132, ports[i]));
  }
  ck_assert_uint_eq(mapping_port(&map, 6, 0), 0);
}
END_TEST

START_TEST(where_all_ports_are_used_no_two_become_one)
{
  static uint8_t named[MAPPING_PORTS / 8];
  static bool seen[MAPPING_PORTS];
  named[7174 / 8] = 1u << 7174 % 8;
  memset(seen, 0, sizeof seen);
  begin(5, named);
  for (uint32_t i = 0; i < MAPPING_PORTS; i++) {
    mapping_port_seen(&map, (uint16_t)i);
  }
  mapping_ports(&map);
  for (uint32_t i = 0; i < MAPPING_PORTS; i++) {
    const uint16_t to = mapping_port(&map, 6, (uint16_t)i);
    expect(!seen[to], "two became %u", (unsigned)to);
    seen[to] = true;
  }
  ck_assert_uint_eq(mapping_port(&map, 6, 7174), 7174);
}
END_TEST

START_TEST(ports_of_udp_stay_where_they_say_what_follows)
{
  static const uint16_t kept[] = {0,    1701, 2152, 3544, 4341, 4500, 4754,  4789,
                                  4790, 4791, 5247, 6081, 6635, 8472, 37008, 51820};
  static bool seen[MAPPING_PORTS];
  size_t stay = 0;
  begin(6, NULL);
  memset(seen, 0, sizeof seen);
  mapping_ports(&map);
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
    ck_assert_uint_eq(mapping_port(&map, 17, kept[i]), kept[i]);
  }
  for (uint32_t i = 0; i < MAPPING_PORTS; i++) {
    const uint16_t to = mapping_port(&map, 17, (uint16_t)i);
    expect(!seen[to], "two became %u", (unsigned)to);
    seen[to] = true;
    stay += to == i;
  }
  ck_assert_uint_eq(stay, sizeof kept / sizeof kept[0]);
}
END_TEST

/* Pieces of a stream become what the whole does, and copies that differ go on to differ. */
START_TEST(octets_depend_on_their_place_and_value_alone)
{
  uint8_t whole[64];
  uint8_t piece[64];
  uint8_t other[64];
  begin(7, NULL);
  for (size_t i = 0; i < sizeof whole; i++) {
    whole[i] = piece[i] = (uint8_t)i;
    other[i] = (uint8_t)(i + (i == 20));
  }
  mapping_stream(&map, 5, UINT32_MAX - 9, whole, sizeof whole);
  mapping_stream(&map, 5, UINT32_MAX - 9, other, sizeof other);
  mapping_stream(&map, 5, UINT32_MAX - 9, piece, 23);
  mapping_stream(&map, 5, 13, piece + 23, sizeof piece - 23); /* past the wrap */
  ck_assert_mem_eq(whole, piece, sizeof whole);
  for (size_t i = 0; i < sizeof whole; i++) {
    ck_assert((whole[i] == other[i]) == (i != 20));
  }
  mapping_stream(&map, 6, UINT32_MAX - 9, other, sizeof other);
  ck_assert_mem_ne(whole, other, sizeof whole);
}
END_TEST

/* For one place the values become all values, each once. */
START_TEST(octets_of_a_place_are_permuted)
{
  begin(8, NULL);
  for (uint64_t pos = 0; pos < 16; pos++) {
    bool seen[256] = {false};
    for (unsigned i = 0; i < 256; i++) {
      uint8_t octet = (uint8_t)i;
      mapping_stream(&map, 1, pos, &octet, 1);
      expect(!seen[octet], "two became %u", (unsigned)octet);
      seen[octet] = true;
    }
  }
}
END_TEST

START_TEST(octets_of_no_stream_follow_from_all_of_them)
{
  uint8_t a[20] = {1};
  uint8_t b[20] = {1};
  uint8_t c[20] = {1};
  begin(9, NULL);
  c[19] = 1;
  mapping_other(&map, a, sizeof a);
  mapping_other(&map, b, sizeof b);
  mapping_other(&map, c, sizeof c);
  ck_assert_mem_eq(a, b, sizeof a);
  ck_assert_mem_ne(a, c, 8);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("scrub_mapping");
  TCase *tc = tcase_create("mapping");
  tcase_add_test(tc, the_digest_is_sha_256);
  tcase_add_test(tc, an_address_becomes_another_one_of_its_kind);
  tcase_add_test(tc, no_two_addresses_become_one);
  tcase_add_test(tc, addresses_of_ipv6_and_of_links_keep_their_kind);
  tcase_add_test(tc, ports_keep_their_order_and_none_stays);
  tcase_add_test(tc, where_all_ports_are_used_no_two_become_one);
  tcase_add_test(tc, ports_of_udp_stay_where_they_say_what_follows);
  tcase_add_test(tc, octets_depend_on_their_place_and_value_alone);
  tcase_add_test(tc, octets_of_a_place_are_permuted);
  tcase_add_test(tc, octets_of_no_stream_follow_from_all_of_them);
  suite_add_tcase(suite, tc);
  return check_run(suite);
}
