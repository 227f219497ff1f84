/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenario language: lines that are repeated, wait, are cut, or are not in the capture. */
#include <stdio.h>
#include <string.h>

#include <scenario/scenario.h>

#include "check_run.h"
#include "scenario_made.h"

START_TEST(lines_are_said_often_and_again)
{
  scenario_made("i> send data=aa times=3\n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 3);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x03\0\0\0\0\xaa"));
  scenario_made("open\ni> send data=aa\ni> send data=bb\ni> send data=cc again=2\ni> send again "
                "data=dd\ni> send data=ee\n",
                NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3 + 5);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x01\0\0\0\0\xcc") && SCENARIO_HOLDS("\0\0\0\x02\0\0\0\0\xdd") &&
            SCENARIO_HOLDS("\0\0\0\x03\0\0\0\0\xee"));
  ck_assert(scenario_seq(5) == scenario_seq(3) && scenario_seq(6) == scenario_seq(4) &&
            scenario_seq(7) == scenario_seq(4) + 28);
  scenario_made("i> octets aabb\ni> octets cc again twice\n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 3);
  scenario_refused("i> send again", 1, 9, "'again': goes further back than this side sent items");
  scenario_refused("i> send times=0", 1, 9, "'times': needs a number from 1 to 1000");
  scenario_refused("i> send again=9", 1, 9, "'again': needs a number from 1 to 8");
}
END_TEST

START_TEST(items_wait_for_the_next_one)
{
  scenario_made("i> send data=aa bundled\ni> send data=bb\n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 1);
  ck_assert(SCENARIO_HOLDS("\xaa\0\0\0\0\0\0\0\0\x13\x41\x43"));
  scenario_made("i> send data=aa bundled\n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 6 + 1);
  scenario_made("r> send data=aa bundled\nr> fin", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3 + 2);
  scenario_refused(
      "i> write len=65000 bundled\ni> write len=65000 bundled\ni> write len=65000 bundled", 3, 4,
      "'write': cannot be framed, or makes too many packets");
}
END_TEST

START_TEST(payload_repeats_what_fills_it)
{
  scenario_made("i> send fill=0a0b0c len=7 data=ff", NULL);
  ck_assert(SCENARIO_HOLDS("\x0a\x0b\x0c\x0a\x0b\x0c\x0a\xff"));
  scenario_refused("i> send fill= len=1", 1, 9, "'fill': needs octets in hex");
  scenario_refused("i> send fill", 1, 9, "'fill': needs octets in hex");
}
END_TEST

START_TEST(later_segments_and_markers_before_them)
{
  scenario_made("i> terminate last=0 layer=2\ni> terminate rest mo=4 data=abcd", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x02\0\0\0\x01\0\0\0\x04\xab\xcd"));
  scenario_made("i> write rest data=abcd", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\0\0\0\0\0\0\0\0\0\0\xab\xcd"));
  scenario_made("r> mpa-reply M\ni> send len=500 lead=0x10002", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x01\0\x02\x02\x06\x41\x43") && SCENARIO_HOLDS("\0\0\x01\xfc"));
  scenario_refused("i> send lead=x", 1, 9, "'lead': needs a number of 32 bits");
}
END_TEST

START_TEST(packets_acknowledge_less_and_come_in_fragments)
{
  scenario_made("open\nr> octets aabb\ni> octets cc unacked=2\ni> octets cc\n", NULL);
  ck_assert_uint_eq(scenario_ack(4), 1001);
  ck_assert_uint_eq(scenario_ack(5), 1003);
  scenario_made("open\ni> send len=200 mtu=68", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3 + 6); /* 20 + 224 octets, 48 in each */
  ck_assert(SCENARIO_HOLDS("\x45\0\0\x44\0\x03\x20\0") &&
            SCENARIO_HOLDS("\x45\0\0\x18\0\x03\0\x1e"));
  scenario_made("open\ni> send len=200 mtu=68", "ipv6");
  ck_assert_uint_eq(scenario_made_packets(), 3 + 16); /* 16 in each */
  ck_assert(SCENARIO_HOLDS("\x06\0\0\x01\0\0\0\x03") && SCENARIO_HOLDS("\x06\0\0\xf0\0\0\0\x03"));
  scenario_made("open\ni> send len=200", "ipfrag");
  ck_assert_uint_eq(scenario_made_packets(), 3 + 4);
  scenario_refused("i> send mtu=67", 1, 9, "'mtu': needs a number from 68 to 65535");
}
END_TEST

START_TEST(a_capture_begins_late_or_hears_one_side)
{
  scenario_made("i> send\nbegin\ni> send data=bb\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 1);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x02\0\0\0\0\xbb"));
  scenario_made("only r>\ni> send\nr> send\n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3);
  scenario_made("only i>\nopen", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 2);
  scenario_made("open\nsnaplen 60\ni> send len=100", NULL);
  ck_assert_uint_eq(scenario_out.len, SCENARIO_FIRST_PACKET + 4 * 16 + 3 * 54 + 60);
  scenario_made("vlan\nipv6\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\x81\0\0\x07\x86\xdd\x60"));
  scenario_refused("only", 1, 1, "'only': needs a side, as in only i>, before what is sent");
  scenario_refused("only x>", 1, 6, "'x>': needs a side, as in only i>, before what is sent");
  scenario_refused("i> send\nonly i>", 2, 6,
                   "'i>': needs a side, as in only i>, before what is sent");
  scenario_refused("snaplen", 1, 1, "'snaplen': needs a number of octets, as in snaplen 96");
  scenario_refused("snaplen 0", 1, 9, "'0': needs a number from 1 to 65535");
  scenario_refused("snaplen=3", 1, 1, "'snaplen': needs a number of octets, as in snaplen 96");
}
END_TEST

START_TEST(what_is_expected_names_a_rule_a_side_and_a_packet)
{
  scenario_made("expect fail mpa.crc\nexpect fail mpa.crc initiator frame=1\n"
                "expect fail mpa.crc responder frame=9\nexpect fail mpa.crc unknown frame=0x3",
                NULL);
  scenario_refused("expect fail=1 mpa.crc", 1, 8,
                   "'fail': needs pass, fail, inconclusive or not-seen, and a rule");
  scenario_refused("expect fail mpa.crc initator frame=3", 1, 21,
                   "'initator': is no side: initiator, responder or unknown");
  scenario_refused("expect fail mpa.crc initiator=1 frame=3", 1, 21,
                   "'initiator': is no side: initiator, responder or unknown");
  scenario_refused("expect fail mpa.crc initiator", 1, 21,
                   "'initiator': is not frame=N, which comes after the side");
  scenario_refused("expect fail mpa.crc initiator fram=3", 1, 31,
                   "'fram': is not frame=N, which comes after the side");
  static const char *const numbers[] = {"", "=", "=x", "=0", "=-1", "=100001"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    char text[60];
    snprintf(text, sizeof text, "expect fail mpa.crc initiator frame%s", numbers[i]);
    scenario_refused(text, 1, 31, "'frame': needs a number from 1 to 100000");
  }
  scenario_refused(
      "expect fail mpa.crc initiator frame=3 frame=4", 1, 39,
      "'frame': is too much: only expect fail RULE SIDE frame=N says more than a rule");
  scenario_refused(
      "expect pass mpa.crc initiator frame=3", 1, 21,
      "'initiator': is too much: only expect fail RULE SIDE frame=N says more than a rule");
}
END_TEST

START_TEST(what_is_forbidden_are_rules_that_there_are)
{
  scenario_made("forbid *\nforbid mpa.* mpa.crc [dr]*.*", NULL);
  scenario_refused("forbid nosuch*", 1, 8, "'nosuch*': matches no rule ('iwarp rules' lists them)");
  scenario_refused("forbid mpa.* mpa.crcc", 1, 14,
                   "'mpa.crcc': matches no rule ('iwarp rules' lists them)");
  scenario_refused("forbid mpa.crc=1", 1, 8,
                   "'mpa.crc': matches no rule ('iwarp rules' lists them)");
  char text[7 + 127 + 2] = "forbid ";
  memset(text + 7, '*', 127);
  scenario_made(text, NULL);
  text[7 + 127] = '*'; /* longer than a pattern may be */
  scenario_refused(text, 1, 8,
                   "'****************************************': matches no rule ('iwarp rules' "
                   "lists them)");
}
END_TEST

START_TEST(a_capture_begins_once_and_leaves_out_one_side)
{
  scenario_refused("i> send\nbegin\ni> send\nbegin", 4, 1,
                   "'begin': comes once, alone on its line");
  scenario_refused("begin now", 1, 1, "'begin': comes once, alone on its line");
  scenario_refused("begin=1", 1, 1, "'begin': comes once, alone on its line");
  scenario_refused("only i>\nonly r>", 2, 6, "'r>': is a second side: only comes once");
  scenario_refused("only r>\nonly r>", 2, 6, "'r>': is a second side: only comes once");
}
END_TEST

START_TEST(immediate_data_is_hex_and_what_follows_makes_it_too_long)
{
  scenario_made("i> immediate immediate=a1b2c3d4e5f60718", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x1a\x41\x48") && SCENARIO_HOLDS("\xa1\xb2\xc3\xd4\xe5\xf6\x07\x18"));
  scenario_made("i> immediate data=aabb", NULL);
  ck_assert(SCENARIO_HOLDS("\0\x1c\x41\x48") && SCENARIO_HOLDS("\0\0\0\0\0\0\0\0\xaa\xbb"));
  scenario_refused("i> immediate immediate=1", 1, 14,
                   "'immediate': needs as many octets in hex as the field has");
}
END_TEST

START_TEST(a_number_is_said_with_what_is_expected)
{
  static const char *const numbers[] = {"", "=", "=-1", "=x", "=65518"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    char text[40];
    snprintf(text, sizeof text, "i> send len%s", numbers[i]);
    scenario_refused(text, 1, 9, "'len': needs a number from 0 to 65517");
  }
}
END_TEST

START_TEST(connections_are_several)
{
  scenario_made("i> octets aa\nconnection 2\ni> octets bb\nconnection 1\ni> octets cc", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 2 * 6 + 3);
  ck_assert(SCENARIO_HOLDS("\x9c\x40\x1c\x06") && SCENARIO_HOLDS("\x9c\x41\x1c\x06"));
  ck_assert_uint_eq(scenario_seq(3), 1001);
  ck_assert_uint_eq(scenario_seq(7), 0x01000000u + 1001);
  ck_assert_uint_eq(scenario_seq(8), 1002);
  scenario_made("open\nconnection 2 port=5 lost\nopen\ni> octets bb", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3 + 1);
  ck_assert(SCENARIO_HOLDS("\0\x05\x1c\x06"));
  scenario_made("connection 1 passive\nopen", NULL);
  ck_assert(SCENARIO_HOLDS("\x1c\x06\x9c\x40\0\0\x03\xe8\0\0\0\0\x50\x02")); /* its SYN */
  ck_assert(SCENARIO_HOLDS("\x9c\x40\x1c\x06\0\0\x03\xe8\0\0\x03\xe9\x50\x12"));
  scenario_made("i> octets aa\nconnection 2\ni> octets bb", "tso");
  ck_assert_uint_eq(scenario_made_packets(), 2 * 6 + 2);
  scenario_refused("connection", 1, 1, "'connection': needs a number of a connection, 1 to 8");
  scenario_refused("connection 9", 1, 12, "'9': needs a number of a connection, 1 to 8");
  scenario_refused("connection 0", 1, 12, "'0': needs a number of a connection, 1 to 8");
  scenario_refused("connection 2 port=0", 1, 14, "'port': needs a number from 1 to 65535");
  scenario_refused("connection 2 late", 1, 14,
                   "'late': is no word of a connection: port=N, lost, over TCP passive");
  scenario_refused("sctp\nconnection 1 passive", 2, 14,
                   "'passive': is no word of a connection: port=N, lost, over TCP passive");
  scenario_refused("i> send\nconnection 1 lost", 2, 14,
                   "'lost': comes before what is sent in this connection");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {lines_are_said_often_and_again,
                                items_wait_for_the_next_one,
                                payload_repeats_what_fills_it,
                                later_segments_and_markers_before_them,
                                packets_acknowledge_less_and_come_in_fragments,
                                a_capture_begins_late_or_hears_one_side,
                                what_is_expected_names_a_rule_a_side_and_a_packet,
                                what_is_forbidden_are_rules_that_there_are,
                                a_capture_begins_once_and_leaves_out_one_side,
                                immediate_data_is_hex_and_what_follows_makes_it_too_long,
                                a_number_is_said_with_what_is_expected,
                                connections_are_several,
                                NULL};
  return check_run(check_suite("scenario_words", tests));
}
