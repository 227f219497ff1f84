/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenario language: lines that are repeated, wait, are cut, or are not in the capture. */
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
  scenario_refused("i> send times=0", 1, 9, "'times': needs a number, 1 at least");
  scenario_refused("i> send again=9", 1, 9, "'again': needs a number that is not so large");
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
  scenario_refused("i> send mtu=67", 1, 9, "'mtu': needs a number, 68 at least");
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
  scenario_refused("snaplen 0", 1, 9, "'0': needs a number, 1 at least");
  scenario_refused("snaplen=3", 1, 1, "'snaplen': needs a number of octets, as in snaplen 96");
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
  scenario_refused("connection 2 port=0", 1, 14, "'port': needs a number, 1 at least");
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
                                connections_are_several,
                                NULL};
  return check_run(check_suite("scenario_words", tests));
}
