/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenario language: statements that are understood, and the reported places of mistakes. */
#include <stdio.h>
#include <string.h>

#include <scenario/scenario.h>

#include "check_run.h"
#include "scenario_made.h"

START_TEST(an_empty_text_is_a_connection_that_opens_and_closes)
{
  scenario_made("", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6);
  scenario_made("# nothing\n\n   \t\r\nopen # but this", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3);
  scenario_made("i> fin\n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 4);
  scenario_made("r> rst", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 4);
}
END_TEST

START_TEST(startup_frames_have_the_defaults_of_their_revision)
{
  scenario_made("i> mpa-request C pd=0102\n", NULL);
  ck_assert(SCENARIO_HOLDS("MPA ID Req Frame\x40\x01\0\x02\x01\x02"));
  scenario_made("r> mpa-reply S ird=3 ord=0x1 a len=2 rev=2", NULL);
  ck_assert(SCENARIO_HOLDS("MPA ID Rep Frame\x10\x02\0\x06\x80\x03\0\x01\0\x01"));
  scenario_made("i> mpa-request M R pd_length=9 key=000102030405060708090a0b0c0d0e0f reserved=15",
                NULL);
  ck_assert(SCENARIO_HOLDS("\x0c\x0d\x0e\x0f\xaf\x01\0\x09"));
}
END_TEST

START_TEST(messages_count_and_say_what_they_are)
{
  scenario_made("i> send data=aabb\ni> send\n", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x14\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\xaa\xbb\0\0\0\0"));
  ck_assert(SCENARIO_HOLDS("\0\x12\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0"));
  scenario_made("i> write stag=0x77 ddp.to=5 last=0 dv=2 len=3", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x11\x82\x40\0\0\0\x77\0\0\0\0\0\0\0\x05\0\x01\x02"));
  scenario_made("i> read-request size=0xffffffff source_to=0x0102030405060708", NULL);
  ck_assert(SCENARIO_HOLDS("\xff\xff\xff\xff\0\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08"));
  scenario_made("i> terminate layer=1 etype=2 len=3", NULL);
  ck_assert(SCENARIO_HOLDS("\x12\0\0\0\0\x01\x02"));
  scenario_made("i> atomic-request", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"));
  scenario_made("i> immediate\ni> immediate-se\ni> atomic-request\ni> atomic-response\n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 10);
}
END_TEST

START_TEST(crcs_and_markers_follow_what_was_agreed)
{
  scenario_made("i> mpa-request C\nr> mpa-reply M\ni> send data=00\n", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\0\0\x13\x41\x43")); /* a Marker at the front */
  scenario_made("i> send crc=bad\n", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x01\0\0\0\0\0\0\0\x01")); /* MSN, MO, CRC */
  scenario_made("r> mpa-reply C\ni> send data=aabb crc=zero\n", NULL);
  ck_assert(SCENARIO_HOLDS("\xaa\xbb\0\0\0\0"));
}
END_TEST

START_TEST(frames_are_wrong_as_their_words_say)
{
  scenario_made("i> mpa-request C\ni> send data=01 pad=aabbcc", NULL);
  ck_assert(SCENARIO_HOLDS("\x01\xaa\xbb\xcc"));
  scenario_made("i> send data=01020304 cut=2", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x14\x41\x43") && SCENARIO_HOLDS("\x01\x02\0\0\0\0") &&
            !SCENARIO_HOLDS("\x02\x03"));
  scenario_made("i> send cut=19", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\0\0\0\0\0") && !SCENARIO_HOLDS("\x41\x43"));
  scenario_made("i> send ulpdu_length=0x1600", NULL);
  ck_assert(SCENARIO_HOLDS("\x16\0\x41\x43"));
  scenario_made("r> mpa-reply M\ni> send ulpdu_length=0x1600", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\0\x16\0\x41\x43"));
  scenario_made("i> send len=500 markers=on marker=0x12345678\n", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\0\x02\x06\x41\x43") && SCENARIO_HOLDS("\x12\x34\x56\x78"));
  scenario_made("i> write len=65521 markers=on", NULL); /* farther than FPDUPTR can say */
  ck_assert_uint_eq(scenario_made_packets(), 6 + 2);
  scenario_made("r> mpa-reply M\ni> send markers=off", NULL);
  ck_assert(!SCENARIO_HOLDS("\0\0\0\0\0\x12\x41\x43"));
}
END_TEST

START_TEST(what_a_segment_cannot_hold_goes_into_two)
{
  scenario_made("i> write len=65521", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 2);
  scenario_made("i> write len=65521 segment=65000", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 2);
}
END_TEST

START_TEST(swapped_ends_have_the_addresses_of_each_other)
{
  scenario_made("open", NULL);
  ck_assert(memcmp(scenario_out.buf + SCENARIO_FIRST_PACKET + 16 + 26, "\x0a\0\0\x01\x0a\0\0\x02",
                   8) == 0);
  scenario_made("open", "swap");
  ck_assert(memcmp(scenario_out.buf + SCENARIO_FIRST_PACKET + 16 + 26, "\x0a\0\0\x02\x0a\0\0\x01",
                   8) == 0);
}
END_TEST

START_TEST(items_travel_as_their_words_say)
{
  scenario_made("i> octets 0011223344 \ni> send segment=8 \n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 1 + 3);
  ck_assert(SCENARIO_HOLDS("\x00\x11\x22\x33\x44"));
  scenario_made("i> send segment=8 twice", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 6);
  scenario_made("open\ni> send len=100", NULL);
  const size_t whole = scenario_out.len;
  scenario_made("open\ni> send len=100 snap=80", NULL);
  ck_assert_uint_eq(scenario_out.len, whole - (54 + 2 + 18 + 100 + 4 - 80));
  scenario_made("open\ni> send len=100 snap=80", "snap");
  ck_assert_uint_eq(scenario_out.len, whole - (54 + 2 + 18 + 100 + 4 - 80));
  scenario_made("i> send lost\ni> send", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 1);
}
END_TEST

START_TEST(what_is_for_tests_is_not_in_the_capture)
{
  scenario_made("meta a=b\nexpect fail mpa.crc\nforbid *", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6);
}
END_TEST

START_TEST(a_mistake_is_said_where_it_is)
{
  scenario_refused(
      "\n  x> send", 2, 3,
      "'x>': a line begins with i>, r>, connection, sctp, open, begin, only, snaplen, ipv6, "
      "vlan, meta, expect or forbid");
  scenario_refused(
      "open now", 1, 1,
      "'open': a line begins with i>, r>, connection, sctp, open, begin, only, snaplen, "
      "ipv6, vlan, meta, expect or forbid");
  scenario_refused("i>", 1, 1, "'i>': what is sent is missing");
  scenario_refused(
      "i> sned", 1, 4,
      "'sned': is not one of: mpa-request, mpa-reply, fin, rst, octets, or a message of RDMAP");
  scenario_refused(
      "i> reserved", 1, 4,
      "'reserved': is not one of: mpa-request, mpa-reply, fin, rst, octets, or a message of RDMAP");
  scenario_refused("i> send stag=1", 1, 9, "'stag': is no field of this frame or message");
  scenario_refused("i> send msn", 1, 9, "'msn': needs a value, as in KEY=VALUE");
  scenario_refused("i> send msn=", 1, 9, "'msn': needs a number, decimal or 0x and hex digits");
  scenario_refused("i> send msn=1f", 1, 9, "'msn': needs a number, decimal or 0x and hex digits");
  scenario_refused("i> send msn=0x1g", 1, 9, "'msn': needs a number, decimal or 0x and hex digits");
  scenario_refused("i> write to=18446744073709551616", 1, 10,
                   "'to': needs a number, decimal or 0x and hex digits");
  scenario_refused("i> send msn=0x100000000", 1, 9,
                   "'msn': does not fit into the bits of the field");
  scenario_refused("i> send dv=4", 1, 9, "'dv': does not fit into the bits of the field");
  scenario_refused("i> send len=65536", 1, 9, "'len': needs a number from 0 to 65517");
  scenario_refused("i> send pad=00000000", 1, 9, "'pad': needs up to 3 octets in hex");
  scenario_refused("i> send marker=0x100000000", 1, 9, "'marker': needs a number of 32 bits");
  scenario_refused("i> send marker=x", 1, 9, "'marker': needs a number of 32 bits");
  scenario_refused("i> send markers=no", 1, 9, "'markers': is on or off");
  scenario_refused("i> send crc=good", 1, 9, "'crc': is bad or zero");
  scenario_refused("i> send ulpdu_length=65536", 1, 9,
                   "'ulpdu_length': needs a number from 0 to 65535");
  scenario_refused("i> send cut=65536", 1, 9, "'cut': needs a number from 0 to 65535");
  scenario_refused("i> mpa-request cut=1", 1, 16, "'cut': is no field of this frame or message");
  scenario_refused("i> send segment=x", 1, 9, "'segment': needs a number from 1 to 65536");
  scenario_refused("i> send data=0", 1, 9, "'data': needs octets in hex");
  scenario_refused("i> send data=0g", 1, 9, "'data': needs octets in hex");
  scenario_refused("i> mpa-request key=00", 1, 16,
                   "'key': needs as many octets in hex as the field has");
  scenario_refused("expect", 1, 1,
                   "'expect': needs pass, fail, inconclusive or not-seen, and a rule");
  scenario_refused("expect fail", 1, 8,
                   "'fail': needs pass, fail, inconclusive or not-seen, and a rule");
  scenario_refused("\nexpect fails mpa.crc", 2, 8,
                   "'fails': needs pass, fail, inconclusive or not-seen, and a rule");
  scenario_refused("expect fail mpa.crcc", 1, 13,
                   "'mpa.crcc': is no rule ('iwarp rules' lists them)");
  scenario_refused("expect pass mpa.crc=1", 1, 13,
                   "'mpa.crc': is no rule ('iwarp rules' lists them)");
  scenario_refused("forbid # nothing", 1, 1, "'forbid': needs rules, as in forbid ddp.*");
  scenario_refused(" meta", 1, 2, "'meta': needs KEY=VALUE, as in meta rfc=5044");
  scenario_refused("meta a=1 b", 1, 10, "'b': needs KEY=VALUE, as in meta rfc=5044");
  scenario_refused("meta rfc=", 1, 6, "'rfc': needs KEY=VALUE, as in meta rfc=5044");
  scenario_refused("i> send snap=0", 1, 9, "'snap': needs a number from 1 to 65536");
  scenario_refused("i> send segment=0", 1, 9, "'segment': needs a number from 1 to 65536");
  scenario_refused("sctp\ni> send snap=0", 2, 9, "'snap': needs a number from 1 to 65535");
  scenario_refused("sctp\ni> send fragment=0", 2, 9, "'fragment': needs a number from 1 to 65535");
  scenario_refused("i> octets", 1, 4, "'octets': one word of octets in hex is expected");
  scenario_refused("i> octets xy", 1, 11, "'xy': one word of octets in hex is expected");
  scenario_refused("i> octets 00 11", 1, 14, "'11': is no word of octets");
  scenario_refused("i> send len=59000 segment=1\ni> send len=59000 segment=1", 2, 4,
                   "'send': cannot be framed, or makes too many packets");
}
END_TEST

START_TEST(a_line_has_an_end)
{
  static char text[400];
  memset(text, 'a', sizeof text - 1);
  for (size_t i = 1; i < sizeof text - 1; i += 2) {
    text[i] = ' ';
  }
  scenario_refused(text, 1, 1, "'a': begins a line with too many words");
}
END_TEST

START_TEST(a_capture_has_a_largest_size)
{
  static char text[1200 * 18];
  for (size_t i = 0; i < 1200; i++) {
    memcpy(text + i * 18, "i> send len=60000\n", 18);
  }
  scenario_error error;
  scenario *s = scenario_new();
  ck_assert(!scenario_read(s, text, sizeof text, &error));
  ck_assert_uint_gt(error.line, 1000);
  ck_assert_str_eq(error.message, "'send': cannot be framed, or makes too many packets");
  scenario_free(s);
  s = scenario_new();
  ck_assert(scenario_read(s, text, (size_t)18 * 600, &error));
  ck_assert(!scenario_derive(s, "dup"));
  scenario_free(s);
}
END_TEST

/* Reads `head` and then `line` so often; returns the number of the line that is refused, 0 for
 * none. */
static size_t refused_at(const char *head, const char *line, size_t times, scenario_error *error) {
  static char text[8192];
  size_t len = strlen(head);
  memcpy(text, head, len);
  for (size_t i = 0; i < times; i++) {
    memcpy(text + len, line, strlen(line));
    len += strlen(line);
  }
  scenario *s = scenario_new();
  const size_t at = scenario_read(s, text, len, error) ? 0 : error->line;
  scenario_free(s);
  return at;
}

START_TEST(items_without_a_packet_are_counted_too)
{
  static const char *const heads[] = {"", "sctp\n"};
  scenario_error error;
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
    ck_assert_uint_eq(refused_at(heads[i], "i> send times=1000 lost\n", 101, &error), 101 + i);
    ck_assert_str_eq(error.message, "'send': is one item more than a scenario may have");
  }
  ck_assert_uint_eq(refused_at("sctp\n", "i> init times=1000\n", 101, &error), 102);
}
END_TEST

START_TEST(octets_that_are_not_captured_are_counted_too)
{
  static const char many[] = "i> send len=60000 times=600\n";
  static const char lost[] = "i> send len=60000 times=600 lost\n";
  static const char lost_fragments[] = "i> send len=50000 fragment=1000 times=700 lost\n";
  scenario_error error;
  ck_assert_uint_eq(refused_at("", lost, 2, &error), 2);
  ck_assert_uint_eq(refused_at("only r>\n", many, 2, &error), 3);
  ck_assert_uint_eq(refused_at("sctp\n", lost_fragments, 2, &error), 3);
}
END_TEST

/* Returns true if `text` fits where a conversation may have so many packets more, up to 5, as it is
 * and in a variant. */
static bool fits(size_t room, const char *text, const char *variant) {
  static const char packets[] = "i> octets 00\ni> octets 00\ni> octets 00\ni> octets 00\n"
                                "i> octets 00\n";
  static char whole[400];
  scenario_error error;
  scenario *s = scenario_new();
  const int len = snprintf(whole, sizeof whole,
                           "%.*si> write len=49980 segment=1\ni> write len=49972 segment=1\n%s",
                           (int)(13 * (5 - room)), packets, text);
  const bool ok = scenario_read(s, whole, (size_t)len, &error) &&
                  (variant == NULL || scenario_derive(s, variant));
  scenario_free(s);
  return ok;
}

START_TEST(a_conversation_has_a_most_of_packets)
{
  static const struct {
    const char *text;
    size_t packets;
  } rows[] = {{"i> octets 00112233\nr> fin", 2},
              {"r> rst", 1},
              {"i> mpa-request twice\nopen", 2},
              {"i> send\nopen", 1},
              {"i> send segment=20\nr> octets 00\nopen", 3},
              {"", 3}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (size_t room = 0; room < 5; room++) {
      ck_assert_msg(fits(room, rows[i].text, NULL) == (room >= rows[i].packets), "%zu: %zu", i,
                    room);
    }
  }
  ck_assert(!fits(5, "i> send\nopen", "dup") && !fits(5, "i> send\nopen", "seg1"));
  ck_assert(fits(5, "i> send\nopen", "ooo") && fits(5, "i> send\nopen", "tso"));
}
END_TEST

START_TEST(variants_are_of_the_same_conversation)
{
  static const char text[] =
      "i> mpa-request\nr> mpa-reply\ni> send len=20\ni> send len=20\nr> send\n";
  static const struct {
    const char *name;
    size_t packets;
  } rows[] = {{"seg1", 6 + 20 + 20 + 44 + 44 + 24},
              {"ooo", 11},
              {"dup", 22},
              {"gap", 10},
              {"mid", 6},
              {"oneway", 4},
              {"snap", 11},
              {"seqwrap", 11},
              {"ipv6", 11},
              {"vlan", 11},
              {"tso", 10},
              {"swap", 11},
              {"ipfrag", 11}};
  size_t num = 0;
  for (; scenario_variants[num] != NULL; num++) {
    scenario_made(text, scenario_variants[num]);
    ck_assert_msg(scenario_made_packets() > 0, "%s", scenario_variants[num]);
  }
  ck_assert_uint_eq(num, sizeof rows / sizeof rows[0]);
  for (size_t i = 0; i < num; i++) {
    scenario_made(text, rows[i].name);
    ck_assert_msg(scenario_made_packets() == rows[i].packets, "%s: %zu", rows[i].name,
                  scenario_made_packets());
  }
  scenario *s = scenario_new();
  ck_assert(!scenario_has_variant(s, "none"));
  scenario_free(s);
  scenario_free(NULL);
}
END_TEST

START_TEST(what_does_not_fit_one_segment_stays_in_two)
{
  scenario_made("i> send len=59000\ni> send len=59000", "tso");
  ck_assert_uint_gt(scenario_made_packets(), 7);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {an_empty_text_is_a_connection_that_opens_and_closes,
                                startup_frames_have_the_defaults_of_their_revision,
                                messages_count_and_say_what_they_are,
                                crcs_and_markers_follow_what_was_agreed,
                                frames_are_wrong_as_their_words_say,
                                what_a_segment_cannot_hold_goes_into_two,
                                swapped_ends_have_the_addresses_of_each_other,
                                items_travel_as_their_words_say,
                                what_is_for_tests_is_not_in_the_capture,
                                a_mistake_is_said_where_it_is,
                                a_line_has_an_end,
                                a_capture_has_a_largest_size,
                                items_without_a_packet_are_counted_too,
                                octets_that_are_not_captured_are_counted_too,
                                a_conversation_has_a_most_of_packets,
                                variants_are_of_the_same_conversation,
                                what_does_not_fit_one_segment_stays_in_two,
                                NULL};
  return check_run(check_suite("scenario", tests));
}
