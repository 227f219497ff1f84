/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON that is read in place, and the hash that shards rest on. */
#include <string.h>

#include "check_run.h"
#include "cli/conn_hash.h"
#include "cli/json_read.h"

static json_text text_of(const char *text) {
  return (json_text){text, strlen(text)};
}

START_TEST(one_value_is_json)
{
  static const char *const good[] = {"{}",
                                     "[]",
                                     " { \"a\" : [ 1 , -2.5e+3 , 0 , 1E-2 ] , \"b\":{}} ",
                                     "\"\\u00e9\\n\\\\\\\"\"",
                                     "null",
                                     "true",
                                     "false",
                                     "-0",
                                     "\"\xC3\xA9\"",
                                     "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]"};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    ck_assert_msg(json_valid(text_of(good[i])), "%s", good[i]);
  }
}
END_TEST

START_TEST(all_else_is_none)
{
  static const char *const bad[] = {"",
                                    " ",
                                    "{",
                                    "[1,]",
                                    "[1 2]",
                                    "{\"a\"}",
                                    "{\"a\":}",
                                    "{a:1}",
                                    "01",
                                    "1.",
                                    ".5",
                                    "1e",
                                    "-",
                                    "+1",
                                    "nul",
                                    "\"\\x\"",
                                    "\"\\u12g4\"",
                                    "\"\\u12",
                                    "\"a",
                                    "\"\\",
                                    "\"\x1b\"",
                                    "\"\x7f\"",
                                    "\"\xC2\x9B\"",
                                    "\"\xFF\"",
                                    "{} {}",
                                    "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]",
                                    "{\"a\":1,}",
                                    "\"a\tb\""};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    ck_assert_msg(!json_valid(text_of(bad[i])), "%s", bad[i]);
  }
  ck_assert(!json_valid((json_text){"\"\0\"", 3}));
  ck_assert(!json_valid((json_text){"\"\\\0\"", 4}));
}
END_TEST

START_TEST(members_are_found_by_key)
{
  const json_text object = text_of(" {\"a\":{\"b\":1}, \"b\" : \"x\" ,\"b\":2, \"c\":[7, 8]} ");
  json_text value;
  json_text inner;
  uint64_t n = 0;
  ck_assert(json_member(&value, object, "b"));
  ck_assert(json_string(&inner, value));
  ck_assert(json_is(inner, "x"));
  ck_assert(!json_u64(&n, value));
  ck_assert(json_member(&value, object, "a") && json_member(&inner, value, "b"));
  ck_assert(json_u64(&n, inner) && n == 1);
  ck_assert(!json_string(&inner, text_of("1")));
  ck_assert(!json_member(&value, object, "d"));
  ck_assert(json_member(&value, object, "c") && !json_member(&inner, value, "7"));
  ck_assert(!json_member(&value, text_of("7"), "a"));
  ck_assert(!json_member(&value, text_of("{}"), "a"));
}
END_TEST

START_TEST(items_come_in_order)
{
  json_text rest;
  json_text key;
  json_text value;
  uint64_t n = 0;
  ck_assert(json_first(&rest, &key, &value, text_of("[ 7 ,\"8,9\", [1,2] ]")));
  ck_assert(json_u64(&n, value) && n == 7);
  ck_assert(json_next(&rest, &key, &value) && json_is(value, "\"8,9\""));
  ck_assert(json_next(&rest, &key, &value) && json_is(value, "[1,2]"));
  ck_assert(!json_next(&rest, &key, &value));
  ck_assert(!json_first(&rest, &key, &value, text_of("[ ]")));
}
END_TEST

START_TEST(numbers_have_bounds)
{
  uint64_t n = 0;
  ck_assert(json_u64(&n, text_of("18446744073709551615")) && n == UINT64_MAX);
  ck_assert(!json_u64(&n, text_of("18446744073709551616")));
  ck_assert(!json_u64(&n, text_of("99999999999999999999")));
  ck_assert(!json_u64(&n, text_of("-1")));
  ck_assert(!json_u64(&n, text_of("1.0")));
  ck_assert(json_hex64(&n, text_of("\"0x00ffABcd12345678\"")) && n == UINT64_C(0xffabcd12345678));
  ck_assert(!json_hex64(&n, text_of("\"0x00ffabcd1234567\"")));
  ck_assert(!json_hex64(&n, text_of("\"0x00ffabcd1234567g\"")));
  ck_assert(!json_hex64(&n, text_of("\"1x00ffabcd12345678\"")));
  ck_assert(!json_hex64(&n, text_of("7")));
}
END_TEST

/* ---- the hash ---- */

START_TEST(both_directions_have_the_same_hash)
{
  const ingest_addr a = {.family = 4, .ip = {10, 0, 0, 1}, .port = 40000};
  const ingest_addr b = {.family = 4, .ip = {10, 0, 0, 2}, .port = 7174};
  const ingest_addr c = {.family = 4, .ip = {10, 0, 0, 2}, .port = 7175};
  const ingest_addr up[2] = {a, b};
  const ingest_addr down[2] = {b, a};
  const ingest_addr own[2] = {b, c};
  const ingest_addr own_down[2] = {c, b};
  ck_assert_uint_eq(conn_hash(up, false), conn_hash(down, false));
  ck_assert_uint_eq(conn_hash(own, true), conn_hash(own_down, true));
  ck_assert_uint_ne(conn_hash(up, false), conn_hash(up, true));
  ck_assert_uint_ne(conn_hash(up, false), conn_hash(own, false));
}
END_TEST

/* Shards of one run may be made by different machines. */
START_TEST(the_hash_is_the_same_everywhere)
{
  const ingest_addr ends[2] = {{.family = 4, .ip = {10, 0, 0, 1}, .port = 40000},
                               {.family = 4, .ip = {10, 0, 0, 2}, .port = 7174}};
  ck_assert_uint_eq(conn_hash(ends, false), UINT64_C(0xfdb5157c4078ed29));
}
END_TEST

START_TEST(connections_spread_over_shards)
{
  uint64_t num[8] = {0};
  for (unsigned int i = 0; i < 8000; i++) {
    const ingest_addr ends[2] = {{.family = 4, .ip = {10, 0, 0, 1}, .port = (uint16_t)(30000 + i)},
                                 {.family = 4, .ip = {10, 0, 0, 2}, .port = 7174}};
    num[conn_hash(ends, false) % 8]++;
  }
  for (size_t i = 0; i < 8; i++) {
    ck_assert_uint_gt(num[i], 800);
    ck_assert_uint_lt(num[i], 1200);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {one_value_is_json,
                                all_else_is_none,
                                members_are_found_by_key,
                                items_come_in_order,
                                numbers_have_bounds,
                                both_directions_have_the_same_hash,
                                the_hash_is_the_same_everywhere,
                                connections_spread_over_shards,
                                NULL};
  return check_run(check_suite("json-read", tests));
}
