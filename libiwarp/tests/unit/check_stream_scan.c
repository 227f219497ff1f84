/* SPDX-License-Identifier: BSD-2-Clause */
/* The scanner for startup keys. */
#include <string.h>

#include <iwarp/scan.h>

#include "check_run.h"
#include "guard.h"
#include "prng.h"

#define REQUEST "MPA ID Req Frame"
#define REPLY "MPA ID Rep Frame"

/* What a scan of a whole stream says: where the first frame begins, or -1. */
static long scan_whole(const uint8_t *octets, size_t len, size_t max, prng *p) {
  iwarp_scan scan = {0};
  size_t at = 0;
  while (at < len) {
    const size_t want = max == 0 ? len : 1 + prng_size(p, max);
    const size_t n = want < len - at ? want : len - at;
    const size_t held_before = iwarp_scan_held(&scan).len;
    iwarp_span held = {0};
    iwarp_span rest = {0};
    if (iwarp_scan_push(&scan, &held, &rest, guard_in(&octets[at], n))) {
      const size_t begin = at + n - rest.len - held.len;
      expect(held.len <= held_before && rest.len <= n, "more octets than there are");
      expect(held.len == 0 || rest.len == n, "octets between what is held and the rest");
      expect(memcmp(held.ptr == NULL ? octets : held.ptr, &octets[begin], held.len) == 0,
             "what is held differs");
      expect(rest.len == 0 || memcmp(rest.ptr, &octets[begin + held.len], rest.len) == 0,
             "the rest differs");
      return (long)begin;
    }
    at += n;
    expect(iwarp_scan_held(&scan).len < IWARP_MPA_STARTUP_LEN, "too much is held");
    expect(memcmp(iwarp_scan_held(&scan).ptr, &octets[at - iwarp_scan_held(&scan).len],
                  iwarp_scan_held(&scan).len) == 0,
           "something else is held");
  }
  return -1;
}

typedef struct scan_want {
  const char *before;
  const char *key;
  const char *fields; /* four octets, in hex digits, or shorter */
  long at;
} scan_want;

static const scan_want scan_wants[] = {
    /* at the very start the key is enough */
    {"", REQUEST, "", 0},
    {"", REPLY, "", 0},
    {"", REQUEST, "FFFFFFFF", 0},
    {"", "MPA ID Req Fram", "", -1},
    {"", "MPA ID Reo Frame", "00010000", -1},
    {"", "MPA ID Rep frame", "00010000", -1},
    /* later the fields after it count */
    {"x", REQUEST, "00010000", 1},
    {"x", REPLY, "F0020200", 1},
    {"x", REQUEST, "0002FFFF", 1},
    {"x", REQUEST, "00FF0200", 1},
    {"x", REQUEST, "00030201", -1},
    {"x", REQUEST, "2E20416E", -1},
    {"x", REQUEST, "000100", -1},
    {"x", REQUEST, "", -1},
    /* beginnings of keys before it */
    {"M", REQUEST, "00010000", 1},
    {"MM", REPLY, "00010000", 2},
    {"MPA ID ", REQUEST, "00010000", 7},
    {"MMMPA ID ReMPA", REPLY, "00010000", 14},
    {"MPA ID Req FrameMPA ID ", REPLY, "00010000", 0},
    {"xMPA ID Req FrameMPA", REPLY, "00010000", 20},
    {"xMPA ID Req Frame....", REQUEST, "00010000", 21},
    {"a text about MPA ID Req Frame and MPA ID Rep Frame: ", REPLY, "00010000", 52},
};

static size_t scan_make(uint8_t *octets, const scan_want *w) {
  size_t n = strlen(w->before);
  memcpy(octets, w->before, n);
  memcpy(&octets[n], w->key, strlen(w->key));
  n += strlen(w->key);
  for (const char *f = w->fields; *f != '\0'; f += 2) {
    const char two[3] = {f[0], f[1], '\0'};
    octets[n++] = (uint8_t)strtoul(two, NULL, 16);
  }
  return n;
}

START_TEST(keys_are_found_where_they_count)
{
  for (size_t i = 0; i < sizeof scan_wants / sizeof scan_wants[0]; i++) {
    uint8_t octets[200];
    prng p = {i};
    const size_t n = scan_make(octets, &scan_wants[i]);
    expect(scan_whole(octets, n, 0, &p) == scan_wants[i].at, "case %zu at once", i);
    expect(scan_whole(octets, n, 1, &p) == scan_wants[i].at, "case %zu an octet at a time", i);
    for (int k = 0; k < 50; k++) {
      expect(scan_whole(octets, n, 9, &p) == scan_wants[i].at, "case %zu in pieces", i);
    }
  }
}
END_TEST

START_TEST(what_follows_the_key_is_given_back)
{
  iwarp_scan scan = {0};
  iwarp_span held = {0};
  iwarp_span rest = {0};
  const uint8_t *key = iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY);
  ck_assert(!iwarp_scan_push(&scan, &held, &rest, (iwarp_span){0}));
  ck_assert(!iwarp_scan_push(&scan, &held, &rest, (iwarp_span){key, 5}));
  ck_assert(!iwarp_scan_push(&scan, &held, &rest, (iwarp_span){0}));
  ck_assert_uint_eq(iwarp_scan_held(&scan).len, 5);
  ck_assert(iwarp_scan_push(&scan, &held, &rest, (iwarp_span){&key[5], 11}));
  ck_assert_uint_eq(held.len, 5);
  ck_assert_mem_eq(held.ptr, key, 5);
  ck_assert_ptr_eq(rest.ptr, &key[5]);
  ck_assert_uint_eq(rest.len, 11);
}
END_TEST

START_TEST(a_gap_parts_a_key_and_ends_the_start)
{
  iwarp_scan scan = {0};
  iwarp_span held = {0};
  iwarp_span rest = {0};
  const uint8_t *key = iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST);
  ck_assert(!iwarp_scan_push(&scan, &held, &rest, (iwarp_span){key, 10}));
  iwarp_scan_gap(&scan);
  ck_assert_uint_eq(iwarp_scan_held(&scan).len, 0);
  ck_assert(!iwarp_scan_push(&scan, &held, &rest, (iwarp_span){&key[10], 6}));
  scan = (iwarp_scan){0};
  iwarp_scan_gap(&scan);
  ck_assert(!iwarp_scan_push(&scan, &held, &rest, (iwarp_span){key, 16}));
  ck_assert_uint_eq(iwarp_scan_held(&scan).len, 16);
}
END_TEST

START_TEST(the_split_does_not_matter)
{
  static const char alphabet[] = "MPA ID Req FrameMPA ID Rep FrameMM\0\1\2\3";
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    prng p = {seed};
    uint8_t octets[160];
    size_t n = 0;
    while (n < 120) { /* pieces of keys in a row */
      const size_t from = prng_size(&p, sizeof alphabet);
      const size_t most = sizeof alphabet - from < 18 ? sizeof alphabet - from : 18;
      const size_t len = 1 + prng_size(&p, most);
      memcpy(&octets[n], &alphabet[from], len);
      n += len;
    }
    const long at = scan_whole(octets, n, 0, &p);
    expect(scan_whole(octets, n, 1, &p) == at, "seed %llu", (unsigned long long)seed);
    expect(scan_whole(octets, n, 7, &p) == at, "seed %llu", (unsigned long long)seed);
    expect(scan_whole(octets, n, 30, &p) == at, "seed %llu", (unsigned long long)seed);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {keys_are_found_where_they_count, what_follows_the_key_is_given_back,
                                a_gap_parts_a_key_and_ends_the_start, the_split_does_not_matter,
                                NULL};
  return check_run(check_suite("stream-scan", tests));
}
