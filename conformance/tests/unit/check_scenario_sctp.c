/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenario language over SCTP: packets, chunks, sessions, and what is no item of it. */
#include <stdio.h>
#include <string.h>

#include <scenario/scenario.h>

#include "check_run.h"
#include "scenario_made.h"

START_TEST(an_association_opens_and_is_shut_down)
{
  scenario_made("sctp", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 7);
  scenario_made("sctp\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 4);
  scenario_made("sctp\nr> abort", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 5);
  ck_assert(SCENARIO_HOLDS("\x06\0\0\x04"));
  scenario_made("sctp\ni> shutdown", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 7);
}
END_TEST

START_TEST(set_up_says_what_its_words_say)
{
  scenario_made("sctp\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\x01\0\0\x1c\x99\xaa\xbb\xcc\0\1\0\0\0\x08\0\x08\0\0\x03\xe8"
                           "\xc0\x06\0\x08\0\0\0\x01"));
  ck_assert(SCENARIO_HOLDS("\x02\0\0\x28\x11\x22\x33\x44"));
  scenario_made(
      "sctp\ni> init outbound=2 inbound=0x300 indication=7\nr> init-ack adaptation=none\nopen",
      NULL);
  ck_assert(SCENARIO_HOLDS("\0\x02\x03\0\0\0\x03\xe8\xc0\x06\0\x08\0\0\0\x07"));
  ck_assert(SCENARIO_HOLDS("\x02\0\0\x20\x11\x22\x33\x44"));
  scenario_made("sctp\ni> init lost\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3);
}
END_TEST

START_TEST(sessions_count_their_messages)
{
  scenario_made("sctp\ni> session-initiate pd=aabb\nr> session-accept\ni> send data=cc\n", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x07\0\x16\0\0\x03\xe8\0\0\0\0\0\0\0\x11\0\0\0\x01\xaa\xbb\0\0"));
  ck_assert(SCENARIO_HOLDS("\0\x07\0\x14\0\0\x03\xe8\0\0\0\0\0\0\0\x11\0\0\0\x02"));
  ck_assert(SCENARIO_HOLDS("\0\0\0\x10\0\x01\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\xcc"));
  scenario_made("sctp\ni> session-enhanced-initiate ird=1 ord=2 a d pd=aa\n", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x05\x80\x01\x40\x02\xaa"));
  scenario_made("sctp\ni> session-initiate stream=3\nr> session-reject stream=3\n"
                "i> session-initiate stream=3 ppid=5\n",
                NULL);
  ck_assert(SCENARIO_HOLDS("\0\x03\0\0\0\0\0\x05\0\0\0\x01"));
}
END_TEST

START_TEST(a_stream_begins_again_after_its_session)
{
  scenario_made(
      "sctp\ni> session-initiate\ni> send\ni> session-terminate\ni> session-initiate\ni> send\n",
      NULL);
  ck_assert(SCENARIO_HOLDS("\0\x01\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x01"));
  ck_assert(!SCENARIO_HOLDS("\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x02"));
  scenario_made("sctp\ni> session-initiate\ni> session-initiate\n", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x11\0\x01\0\x01"));
}
END_TEST

START_TEST(what_came_is_acknowledged)
{
  scenario_made("sctp\ni> send\nopen", NULL);
  ck_assert(!SCENARIO_HOLDS("\x03\0\0\x10"));
  scenario_made("sctp\ni> send\nr> send\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\x03\0\0\x10\0\0\x03\xe8\0\x01\0\0\0\0\0\0\0\x07"));
  scenario_made("sctp\ni> send\ni> send\nr> send unacked=1\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\x03\0\0\x10\0\0\x03\xe8"));
  scenario_made("sctp\ni> send\nr> send sack=none\nopen", NULL);
  ck_assert(!SCENARIO_HOLDS("\x03\0\0\x10"));
  scenario_made("sctp\ni> send sack\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\x03\0\0\x10\0\0\x03\xe7"));
  scenario_made("sctp\nr> sack\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 5);
  scenario_made("sctp\ni> send\ni> send bundled\nr> send\nopen", NULL); /* one waits */
  ck_assert(SCENARIO_HOLDS("\x03\0\0\x10\0\0\x03\xe8"));
  scenario_made("sctp\ni> send", NULL); /* before the shutdown */
  ck_assert(SCENARIO_HOLDS("\x03\0\0\x10\0\0\x03\xe8"));
  ck_assert(SCENARIO_HOLDS("\x07\0\0\x08\0\0\x03\xe7"));
}
END_TEST

START_TEST(messages_travel_as_their_words_say)
{
  scenario_made("sctp\ni> send len=40 fragment=20\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 4 + 3);
  ck_assert(SCENARIO_HOLDS("\0\x06\0\x24") && SCENARIO_HOLDS("\0\x04\0\x24") &&
            SCENARIO_HOLDS("\0\x05\0\x24"));
  scenario_made("sctp\ni> send bundled\ni> send ordered I\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 5);
  ck_assert(SCENARIO_HOLDS("\0\x0b\0\x24"));
  scenario_made("sctp\ni> send bundled\ni> session-terminate bundled", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 7 + 2);
  scenario_made("sctp\ni> send twice\ni> send lost\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 4 + 2);
  scenario_made("sctp\nopen", NULL);
  const size_t before = scenario_out.len;
  scenario_made("sctp\ni> send snap=60\nopen", NULL);
  ck_assert_uint_eq(scenario_out.len, before + 16 + 60);
  scenario_made("sctp\ni> message data=010203 ppid=0x12345678\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x07\0\x13\0\0\x03\xe8\0\0\0\0\x12\x34\x56\x78\x01\x02\x03\0"));
  scenario_made("sctp\ni> session-terminate cut=9\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x07\0\x10"));
  scenario_made("sctp\nr> octets 04000004\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\x04\0\0\x04"));
}
END_TEST

START_TEST(checksums_are_right_unless_they_are_said_to_be_bad)
{
  scenario_made("sctp\nr> octets 04000004\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\x1c\x06\x9c\x40\x99\xaa\xbb\xcc\x84\xc1\xf3\x9b\x04\0\0\x04"));
  scenario_made("sctp\nopen\ni> message data=01 ppid=1", NULL);
  const size_t len = scenario_out.len;
  static char good[4096];
  memcpy(good, scenario_out.buf, len);
  scenario_made("sctp\nopen\ni> message data=01 ppid=1 crc=bad", NULL);
  ck_assert_uint_eq(scenario_out.len, len);
  size_t differ = 0;
  for (size_t i = 0; i < len; i++) {
    differ += good[i] != scenario_out.buf[i] ? 1u : 0u;
  }
  ck_assert_uint_eq(differ, 4);
}
END_TEST

START_TEST(a_mistake_is_said_where_it_is)
{
  const char *const items = "is no item over SCTP: init, init-ack, session-..., message, sack, "
                            "shutdown, abort, octets, or a message of RDMAP";
  static char text[200];
  (void)strcpy(text, "'fin': ");
  scenario_refused("sctp\ni> fin", 2, 4, strcat(text, items));
  (void)strcpy(text, "'mpa-request': ");
  scenario_refused("sctp\ni> mpa-request", 2, 4, strcat(text, items));
  scenario_refused("sctp\nsctp", 2, 1, "'sctp': comes once, before what is sent");
  scenario_refused("i> send\nsctp", 2, 1, "'sctp': comes once, before what is sent");
  scenario_refused("sctp\ni> init-ack", 2, 4,
                   "'init-ack': comes first: i> init, r> init-ack, then what is sent");
  scenario_refused("sctp\nr> init", 2, 4,
                   "'init': comes first: i> init, r> init-ack, then what is sent");
  scenario_refused("sctp\ni> send\ni> init", 3, 4,
                   "'init': comes first: i> init, r> init-ack, then what is sent");
  scenario_refused("sctp\ni> init outbound=65536", 2, 9,
                   "'outbound': needs a number from 0 to 65535");
  scenario_refused("sctp\ni> init len=5", 2, 9, "'len': is no field of this frame or message");
  scenario_refused("sctp\ni> init adaptation=all", 2, 9,
                   "'adaptation': is no field of this frame or message");
  scenario_refused("sctp\ni> send stream=65536", 2, 9, "'stream': needs a number from 0 to 65535");
  scenario_refused("sctp\ni> send ppid=4294967296", 2, 9,
                   "'ppid': needs a number from 0 to 4294967295");
  scenario_refused("sctp\ni> send markers=on", 2, 9,
                   "'markers': is no field of this frame or message");
  scenario_refused("sctp\ni> send ordered=1", 2, 9,
                   "'ordered': is no field of this frame or message");
  scenario_refused("sctp\ni> session-accept ssn=65536", 2, 19,
                   "'ssn': does not fit into the bits of the field");
  scenario_refused("sctp\ni> message ssn=1", 2, 12, "'ssn': is no field of this frame or message");
  scenario_refused("sctp\ni> sack len=1", 2, 9, "'len': is no field of this frame or message");
  scenario_refused("sctp\ni> abort len=1", 2, 10, "'len': is no word of this item");
  scenario_refused("sctp\ni> send len=59000 bundled\ni> send len=59000", 3, 4,
                   "'send': makes too many packets, or one that is too long");
  scenario_refused("sctp\ni> send len=60000 fragment=1\ni> send len=60000 fragment=1", 3, 4,
                   "'send': makes too many packets, or one that is too long");
  scenario_refused("i> session-initiate", 1, 4,
                   "'session-initiate': is not one of: mpa-request, mpa-reply, fin, rst, octets, "
                   "or a message of "
                   "RDMAP");
}
END_TEST

/* Returns true if `text` fits after an association of so many packets. */
static bool fits(unsigned int packets, const char *text) {
  static char whole[400];
  scenario_error error;
  scenario *s = scenario_new();
  const int len =
      snprintf(whole, sizeof whole,
               "sctp\ni> message len=50000 fragment=1\ni> message len=%u fragment=1\n%s",
               packets - 4 - 50000, text);
  const bool ok = scenario_read(s, whole, (size_t)len, &error);
  scenario_free(s);
  return ok;
}

START_TEST(a_conversation_has_a_most_of_packets)
{
  static const struct {
    const char *text;
    unsigned int packets;
  } rows[] = {{"i> octets 00\nopen", 1},
              {"i> message len=1 twice\nopen", 2},
              {"i> session-initiate\nopen", 1},
              {"r> sack\nopen", 1},
              {"r> abort", 1},
              {"i> message len=50 fragment=20 bundled\ni> sack\nopen", 1},
              {"i> send bundled\nr> send bundled\nr> shutdown", 6},
              {"", 4}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (unsigned int more = 0; more <= rows[i].packets; more++) {
      ck_assert_msg(fits(100000 - more, rows[i].text) == (more >= rows[i].packets), "%s: %u",
                    rows[i].text, more);
    }
  }
}
END_TEST

START_TEST(what_a_packet_cannot_hold_is_fragmented)
{
  scenario_made("sctp\ni> send len=65000\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 4 + 2);
}
END_TEST

START_TEST(variants_are_of_the_same_conversation)
{
  static const char text[] = "sctp\ni> session-initiate\nr> session-accept\ni> send len=200\n"
                             "i> send len=20\nr> send\nr> octets 00070012000003e8\n";
  static const struct {
    const char *name;
    size_t packets;
  } rows[] = {{"ooo", 14},  {"dup", 28},     {"gap", 13},  {"mid", 8},   {"oneway", 6},
              {"snap", 14}, {"seqwrap", 14}, {"ipv6", 14}, {"vlan", 14}, {"swap", 14}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    scenario_made(text, rows[i].name);
    ck_assert_msg(scenario_made_packets() == rows[i].packets, "%s: %zu", rows[i].name,
                  scenario_made_packets());
  }
  scenario_made(text, "seqwrap");
  ck_assert(SCENARIO_HOLDS("\xff\xff\xff\xfe\0\0\0\0\0\0\0\x11") &&
            SCENARIO_HOLDS("\0\0\0\0\0\0\0\0\0\0\0\x10"));
  ck_assert(SCENARIO_HOLDS("\x07\0\0\x08\xff\xff\xff\xff") &&
            SCENARIO_HOLDS("\0\x07\0\x12\0\0\x03\xe8"));
  scenario_made(text, "ooo");
  ck_assert(SCENARIO_HOLDS("\0\0\x03\xea\0\0\0\0\0\0\0\x10"));
  scenario_error error;
  scenario *s = scenario_new();
  ck_assert(scenario_read(s, text, strlen(text), &error));
  ck_assert(!scenario_has_variant(s, "seg1") && !scenario_has_variant(s, "tso"));
  ck_assert(scenario_has_variant(s, "ooo"));
  scenario_free(s);
}
END_TEST

START_TEST(packets_say_other_things_on_other_paths)
{
  scenario_made("sctp\ni> init tsn=0xfffffffe\ni> session-initiate\nr> send", NULL);
  ck_assert(SCENARIO_HOLDS("\xff\xff\xff\xfe\0\0\0\0\0\0\0\x11"));
  ck_assert(SCENARIO_HOLDS("\x03\0\0\x10\xff\xff\xff\xfe"));
  scenario_made("sctp\ni> send crc=zero", NULL);
  ck_assert(SCENARIO_HOLDS("\x11\x22\x33\x44\0\0\0\0\0\x07"));
  scenario_made("sctp\ni> send from=second\nr> send to=second\nr> send from=second", NULL);
  ck_assert(SCENARIO_HOLDS("\x0a\x01\0\x01\x0a\0\0\x02") &&
            SCENARIO_HOLDS("\x0a\0\0\x02\x0a\x01\0\x01") &&
            SCENARIO_HOLDS("\x0a\x01\0\x02\x0a\0\0\x01"));
  scenario_made(
      "sctp\ni> send stream=3 data=aa\ni> send stream=3 data=bb again\ni> send stream=3 data=cc",
      NULL);
  ck_assert(SCENARIO_HOLDS(
      "\0\0\x03\xe8\0\x03\0\0\0\0\0\x10\0\0\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\xbb"));
  ck_assert(SCENARIO_HOLDS(
      "\0\0\x03\xe9\0\x03\0\0\0\0\0\x10\0\x01\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\xcc"));
  scenario_made("sctp\ni> send len=200 mtu=116", NULL);
  ck_assert(SCENARIO_HOLDS("\x20\x0c\x40\x84") && SCENARIO_HOLDS("\0\x18\x40\x84"));
  scenario_made("sctp\ni> terminate last=0\ni> terminate rest mo=4 data=ab", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x02\0\0\0\x01\0\0\0\x04\xab"));
  scenario_made("sctp\ni> abort\nconnection 2 port=40000\ni> abort", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 2 * 5);
  ck_assert(SCENARIO_HOLDS("\x12\x23\x34\x45") && SCENARIO_HOLDS("\x01\0\x03\xe8"));
  scenario_made("sctp\nconnection 1 lost\ni> send", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 5);
  scenario_refused("sctp\ni> send to=first", 2, 9, "'to': is no field of this frame or message");
  scenario_refused("sctp\ni> octets 00 twice", 2, 14, "'twice': is no word of octets");
  scenario_refused("connection 2\nsctp", 2, 1, "'sctp': comes once, before what is sent");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {an_association_opens_and_is_shut_down,
                                set_up_says_what_its_words_say,
                                sessions_count_their_messages,
                                a_stream_begins_again_after_its_session,
                                what_came_is_acknowledged,
                                messages_travel_as_their_words_say,
                                checksums_are_right_unless_they_are_said_to_be_bad,
                                packets_say_other_things_on_other_paths,
                                a_mistake_is_said_where_it_is,
                                a_conversation_has_a_most_of_packets,
                                what_a_packet_cannot_hold_is_fragmented,
                                variants_are_of_the_same_conversation,
                                NULL};
  return check_run(check_suite("scenario_sctp", tests));
}
