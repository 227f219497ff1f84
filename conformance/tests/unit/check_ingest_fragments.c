/* SPDX-License-Identifier: BSD-2-Clause */
/* Fragments of IP: in any order, overlapping, again, too many, too late. */
#include "check_run.h"
#include "ingest/packet.h"
#include "tcp_fixture.h"

enum { FRAGMENT_MAX = 9000 };

static uint8_t fragment_next = 6; /* next header that IPv6 fragments name */

/* Pushes the octets [from, to) of the IP payload available as a fragment. */
static void push_fragment(tcp_fixture *w, size_t from, size_t to, uint32_t id, size_t cut) {
  static uint8_t frame[FRAGMENT_MAX + 100];
  bool v4 = w->end[0].family == 4;
  size_t ip = v4 ? 34 : 54;
  size_t at = v4 ? 34 : 62;
  size_t whole = w->packet_len - ip;
  memcpy(frame, w->packet, ip);
  memcpy(frame + at, w->packet + ip + from, to - from);
  uint32_t place = (uint32_t)from | (to < whole ? 1 : 0);
  if (v4) {
    tcp_fixture_put16(frame + 16, (uint32_t)(20 + to - from));
    tcp_fixture_put16(frame + 18, id);
    tcp_fixture_put16(frame + 20, (uint32_t)(from / 8) | (to < whole ? 0x2000u : 0));
  } else {
    tcp_fixture_put16(frame + 18, (uint32_t)(8 + to - from));
    frame[20] = 44;
    tcp_fixture_put16(frame + 54, (uint32_t)fragment_next << 8);
    tcp_fixture_put32(tcp_fixture_put16(frame + 56, place), id);
  }
  size_t len = at + to - from;
  tcp_fixture_push(w, frame, len - cut, len, 1);
}

static tcp_fixture *tcp_fixture_with_large(unsigned family) {
  static char payload[1001];
  for (size_t i = 0; i < 1000; i++) {
    payload[i] = (char)('a' + i % 23);
  }
  return tcp_fixture_with(family, payload);
}

START_TEST(fragments_in_any_order)
{
  static const size_t edges[] = {0, 104, 400, 408, 1020};
  static const unsigned char orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}};
  for (unsigned family = 4; family <= 6; family += 2) {
    for (size_t o = 0; o < 4; o++) {
      tcp_fixture *w = tcp_fixture_with_large(family);
      for (size_t i = 0; i < 4; i++) {
        expect_log(w, "");
        size_t n = orders[o][i];
        push_fragment(w, edges[n], edges[n + 1], 77, 0);
      }
      expect_log(w, "O D0@0:#1000");
      ck_assert_uint_eq(w->last[0].packet, 4);
      ck_assert_int_eq(memcmp(w->last[0].data, w->packet + (family == 4 ? 54 : 74), 1000), 0);
      ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 3);
      ck_assert_uint_eq(tcp_fixture_free(w), 0);
    }
  }
}
END_TEST

/* RFC 8200 4.5: what follows is what the first fragment says. */
START_TEST(next_header_of_the_first_fragment)
{
  tcp_fixture *w = tcp_fixture_with_large(6);
  fragment_next = 17;
  push_fragment(w, 504, 1020, 77, 0);
  fragment_next = 6;
  push_fragment(w, 0, 504, 77, 0);
  expect_log(w, "O D0@0:#1000");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(fragments_again_and_overlapping)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 0, 104, 77, 0);
  push_fragment(w, 0, 104, 77, 0);
  memset(w->packet + 34 + 64, '!', 40); /* the first copy counts */
  push_fragment(w, 64, 512, 77, 0);
  push_fragment(w, 496, 1020, 77, 0);
  expect_log(w, "O =0@44+40(first) D0@0:#1000");
  ck_assert_ptr_null(memchr(w->last[0].data, '!', 1000));
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* A fragment that reaches into one that is there. */
START_TEST(fragments_before_others_and_overlapping)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 64, 512, 77, 0);
  memset(w->packet + 34 + 64, '!', 40); /* the first copy counts */
  push_fragment(w, 0, 104, 77, 0);
  push_fragment(w, 512, 1020, 77, 0);
  expect_log(w, "O =0@44+40(first) D0@0:#1000");
  ck_assert_ptr_null(memchr(w->last[0].data, '!', 1000));
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Pushes octets [64, 104) of the packet in two fragments, each time with these octets or, where
 * that is 0, with its own. */
static void push_conflict(tcp_fixture *w, char first, char second) {
  uint8_t own[40];
  uint8_t *at = w->packet + (w->end[0].family == 4 ? 34 : 54) + 64;
  memcpy(own, at, sizeof own);
  memset(at, first, first != 0 ? sizeof own : 0);
  push_fragment(w, 0, 104, 77, 0);
  memcpy(at, own, sizeof own);
  memset(at, second, second != 0 ? sizeof own : 0);
  push_fragment(w, 64, 512, 77, 0);
  memcpy(at, own, sizeof own);
}

/* Of two copies the one with which the checksum is right counts, also where it comes second. */
START_TEST(the_checksum_decides_between_copies_of_fragments)
{
  for (unsigned family = 4; family <= 6; family += 2) {
    tcp_fixture *w = tcp_fixture_with_large(family);
    push_conflict(w, '!', 0);
    push_fragment(w, 512, 1020, 77, 0);
    expect_log(w, "O =0@44+40(second) D0@0:#1000");
    ck_assert_uint_eq(w->last[0].packet, 3);
    ck_assert(!w->last[0].differ);
    ck_assert_ptr_null(memchr(w->last[0].data, '!', 1000));
    ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_checksum, 0);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* Where no copy makes it right the first one counts, and the octets stay in doubt. */
START_TEST(copies_of_fragments_that_nothing_decides)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_conflict(w, '!', '?');
  push_fragment(w, 512, 1020, 77, 0);
  expect_log(w, "O =0@44+40(unknown)"); /* its checksum is wrong: a good copy may come */
  tcp_fixture_send(w, SERVER, "A", 0, 1000, "");
  tcp_fixture_idle(w, SERVER, 0, 1000, PATIENCE + PATIENCE_STEP);
  expect_log(w, "D0@0:#1000");
  ck_assert(w->last[0].differ);
  expect_end(w, "E0@1000C E1?C X");
}
END_TEST

START_TEST(copies_of_fragments_whose_checksum_is_not_captured)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_conflict(w, '!', 0);
  push_fragment(w, 512, 1020, 77, 8);
  expect_log(w, "O =0@44+40(unknown) D0@0:#988");
  ck_assert(w->last[0].differ);
  expect_end(w, "G0@988+12s E0@1000C E1?C X");
}
END_TEST

START_TEST(second_copies_of_fragments_without_memory)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  w->gets_left = 2; /* for all fragments, and for the packet */
  push_conflict(w, '!', 0);
  w->gets_left = -1;
  push_fragment(w, 512, 1020, 77, 0);
  expect_log(w, "O =0@44+40(unknown)");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* The copies of the header alone differ, and the copies of one octet alone. */
START_TEST(copies_of_fragments_that_differ_in_the_header)
{
  for (unsigned at = 14; at < 22; at += 7) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    w->packet[34 + at] ^= 1;
    push_fragment(w, 0, 24, 77, 0);
    w->packet[34 + at] ^= 1;
    push_fragment(w, 8, 1020, 77, 0);
    expect_log(w, at < 20 ? "O =0@0+0(second) D0@0:#1000" : "O =0@1+1(second) D0@0:#1000");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* The frames of a difference are those that hold the copies, not the one that completes the packet.
 */
START_TEST(the_frames_of_copies_of_fragments)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 504, 1000, 77, 0);
  push_conflict(w, '!', 0);
  push_fragment(w, 1000, 1020, 77, 0);
  expect_log(w, "O =0@44+40(second) D0@0:#1000");
  ck_assert_uint_eq(w->differ.first.packet, 2);
  ck_assert_uint_eq(w->differ.packet, 3);
  ck_assert_uint_eq(w->last[0].packet, 4);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(fragments_of_several_packets)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 0, 104, 1, 0);
  push_fragment(w, 104, 1020, 2, 0); /* another packet's */
  push_fragment(w, 0, 104, 3, 0);
  expect_log(w, "");
  push_fragment(w, 104, 1020, 1, 0);
  expect_log(w, "O D0@0:#1000");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* RFC 791 2.3: the protocol is part of what identifies a packet. */
START_TEST(fragments_of_another_protocol)
{
  enum { PROTOCOL_AT = 23, SCTP = 132, TCP = 6 };
  tcp_fixture *w = tcp_fixture_with_large(4);
  w->packet[PROTOCOL_AT] = SCTP;
  push_fragment(w, 0, 104, 77, 0);
  push_fragment(w, 504, 1020, 77, 0);
  w->packet[PROTOCOL_AT] = TCP;
  push_fragment(w, 104, 1020, 77, 0);
  expect_log(w, "");
  push_fragment(w, 0, 104, 77, 0);
  expect_log(w, "O D0@0:#1000");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(cut_fragments)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 0, 504, 1, 100);
  push_fragment(w, 504, 1020, 1, 0);
  expect_log(w,
             "O D0@0:#380"); /* 404 octets of TCP were captured: whole units of 8 of them count */
  expect_end(w, "G0@380+620s E0@1000C E1?C X");
  w = tcp_fixture_with_large(4);
  push_fragment(w, 0, 504, 1, 100);
  push_fragment(w, 0, 504, 1, 0); /* another copy has what was cut */
  push_fragment(w, 504, 1020, 1, 4);
  expect_log(w, "O D0@0:#996");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(broken_fragments)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 0, 100, 1, 0); /* not a multiple of 8, yet more follow */
  push_fragment(w, 104, 104, 1, 0);
  push_fragment(w, 104, 1020, 1, 0);
  w->packet_len -= 20;
  push_fragment(w, 504, 1000, 1, 0); /* another last one */
  w->packet_len += 100;
  push_fragment(w, 504, 1040, 1, 0); /* beyond the last one */
  expect_log(w, "");
  w->packet_len = 14 + 20 + 65536 + 8;
  push_fragment(w, 65528, 65544, 2, 0); /* beyond any packet */
  expect_log(w, "");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(the_longest_packet_in_fragments)
{
  static uint8_t payload[65517];
  for (uint32_t more = 0; more < 2; more++) {
    tcp_fixture *w = tcp_fixture_new();
    w->mute = true;
    tcp_fixture_segment(w, CLIENT, "A", 0, 0, payload, 65516 + more);
    for (size_t from = 0; from < 65536; from += 512) {
      push_fragment(w, from, from + 512 + (from + 512 == 65536 ? more : 0), 1, 0);
    }
    expect_log(w, more == 0 ? "O D0@0:#65516" : "");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(fragments_within_fragments)
{
  tcp_fixture *w = tcp_fixture_with_large(6);
  uint8_t *ip = w->packet + 14;
  memmove(ip + 48, ip + 40, w->packet_len - 54);
  static const uint8_t inner[8] = {6, 0, 0, 1, 0, 0, 0, 9}; /* more to come */
  memcpy(ip + 40, inner, 8);
  w->packet_len += 8;
  uint8_t frame[100];
  memcpy(frame, w->packet, 54);
  frame[20] = 44;
  tcp_fixture_put16(frame + 18, 8 + 16);
  tcp_fixture_put16(frame + 54, 44 << 8);
  tcp_fixture_put32(tcp_fixture_put16(frame + 56, 1), 5);
  memcpy(frame + 62, w->packet + 54, 16);
  tcp_fixture_push(w, frame, 78, 78, 1);
  tcp_fixture_put16(frame + 56, 16);
  tcp_fixture_push(w, frame, 78, 78, 1);
  expect_log(w, "");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 2);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(incomplete_packets_are_bounded)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  for (uint32_t id = 0; id < 1000; id++) {
    push_fragment(w, 0, 104, id, 0);
  }
  ck_assert_uint_lt(w->peak, 3u << 20);
  push_fragment(w, 104, 1020, 999, 0); /* the last ones are kept */
  expect_log(w, "O D0@0:#1000");
  push_fragment(w, 104, 1020, 1000 - ING_FRAGS_MAX, 0);
  ck_assert_uint_eq(ingest_stats_get(w->ing)->tcp_packets, 2);
  push_fragment(w, 104, 1020, 0, 0);
  expect_log(w, "");
  expect_end(w, "E0@1000C E1?C X(fragments)");
}
END_TEST

/* One packet more is given up. A connection of another host lacks nothing, whether its address is
 * the lower or the higher one. */
START_TEST(as_many_incomplete_packets_as_may_be)
{
  static const uint8_t others[] = {0, 77};
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t more = i / 2;
    tcp_fixture *w = tcp_fixture_with_large(4);
    for (uint32_t id = 0; id < ING_FRAGS_MAX + more; id++) {
      push_fragment(w, 0, 104, id, 0);
    }
    push_fragment(w, 104, 1020, ING_FRAGS_MAX - 1, 0);
    const ingest_addr client = w->end[CLIENT];
    w->end[CLIENT].ip[3] = others[i % 2];
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    w->end[CLIENT] = client;
    w->name_conns = true;
    expect_log(w, "O D0@0:#1000 O D0@0:abc");
    expect_end(w, more == 0 ? "aE0@1000C aE1?C aX bE0@3C bE1?C bX"
                            : "aE0@1000C aE1?C aX(fragments) bE0@3C bE1?C bX");
  }
}
END_TEST

/* Packets that a capture holds twice wait for nothing. */
START_TEST(copies_of_complete_packets_are_none_that_wait)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  for (uint32_t id = 1; id <= 2 * ING_FRAGS_MAX; id++) {
    push_fragment(w, 104, 1020, id, 0);
    push_fragment(w, 0, 104, id, 0);
    push_fragment(w, 0, 104, id, 0);
  }
  expect_log(w, "O D0@0:#1000");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->tcp_packets, 2 * ING_FRAGS_MAX);
  expect_end(w, "E0@1000C E1?C X");
}
END_TEST

/* Other octets with the same identification may be another packet's: the missing octets are
 * reported. */
START_TEST(what_is_no_copy_of_a_complete_packet_waits)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 0, 104, 1, 0);
  push_fragment(w, 104, 1020, 1, 0);
  push_fragment(w, 0, 104, 1, 0);
  w->packet[34 + 200] ^= 1;
  push_fragment(w, 104, 1020, 1, 0);
  expect_log(w, "O D0@0:#1000");
  expect_end(w, "E0@1000C E1?C X(fragments)");
}
END_TEST

/* Whichever octet of it is another one. */
START_TEST(each_octet_of_a_fragment_counts_for_a_copy)
{
  for (size_t at = 0; at < 104; at++) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    push_fragment(w, 0, 104, 1, 0);
    push_fragment(w, 104, 1020, 1, 0);
    w->packet[34 + at] ^= 1;
    push_fragment(w, 0, 104, 1, 0);
    expect_log(w, "O D0@0:#1000");
    expect_end(w, "E0@1000C E1?C X(fragments)");
  }
}
END_TEST

/* The same octets with the same identification between other hosts, whichever octet of an address
 * is another one. */
START_TEST(fragments_of_other_hosts_are_no_copies)
{
  for (unsigned family = 4; family <= 6; family += 2) {
    const size_t first = family == 4 ? 26 : 22;
    const size_t octets = family == 4 ? 8 : 32;
    for (size_t i = 0; i < octets; i++) {
      tcp_fixture *w = tcp_fixture_with_large(family);
      push_fragment(w, 0, 104, 1, 0);
      push_fragment(w, 104, 1020, 1, 0);
      ck_assert_uint_eq(ingest_stats_get(w->ing)->tcp_packets, 1);
      w->packet[first + i] ^= 1;
      push_fragment(w, 104, 1020, 1, 0);
      push_fragment(w, 0, 104, 1, 0);
      ck_assert_uint_eq(ingest_stats_get(w->ing)->tcp_packets, 2);
      ck_assert_uint_eq(tcp_fixture_free(w), 0);
    }
  }
}
END_TEST

/* Nor is one of which more was captured, though the rest be zero. */
START_TEST(a_fragment_captured_further_is_no_copy)
{
  for (size_t cut = 0; cut < 2; cut++) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    memset(w->packet + 34 + 900, 0, 120);
    push_fragment(w, 0, 104, 1, 0);
    push_fragment(w, 104, 1020, 1, 100);
    push_fragment(w, 104, 1020, 1, 99 + cut);
    expect_log(w, "O D0@0:#900");
    expect_end(w,
               cut == 1 ? "G0@900+100s E0@1000C E1?C X" : "G0@900+100s E0@1000C E1?C X(fragments)");
  }
}
END_TEST

/* The first packet lacked a fragment, and was sent again. */
START_TEST(a_copy_of_what_was_given_up_counts)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 0, 104, 1, 0);
  for (unsigned i = 0; i < ING_FRAGS_AGE; i++) {
    tcp_fixture_push(w, "", 0, 0, 1);
  }
  push_fragment(w, 0, 104, 2, 0); /* now the first is given up */
  push_fragment(w, 0, 104, 1, 0);
  push_fragment(w, 104, 1020, 1, 0);
  expect_log(w, "O D0@0:#1000");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* It is given up by its own copy too. */
START_TEST(a_copy_of_what_waited_too_long_counts)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 0, 104, 1, 0);
  for (unsigned i = 0; i < ING_FRAGS_AGE; i++) {
    tcp_fixture_push(w, "", 0, 0, 1);
  }
  push_fragment(w, 0, 104, 1, 0);
  push_fragment(w, 104, 1020, 1, 0);
  expect_log(w, "O D0@0:#1000");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* A copy is known as one as long as so many fragments were taken since. */
START_TEST(the_last_fragments_are_known)
{
  for (uint32_t more = 0; more < 2; more++) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    for (uint32_t id = 1; id <= ING_FRAGS_TAKEN / 2 + more; id++) {
      push_fragment(w, 0, 104, id, 0);
      push_fragment(w, 104, 1020, id, 0);
    }
    const uint64_t before = ingest_stats_get(w->ing)->tcp_packets;
    push_fragment(w, 0, 104, 1, 0);
    push_fragment(w, 104, 1020, 1, 0);
    ck_assert_uint_eq(ingest_stats_get(w->ing)->tcp_packets, before + more);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* So is that a packet waited too long, as long as so many did since. */
START_TEST(the_last_late_packets_are_known)
{
  for (uint32_t more = 0; more < 2; more++) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    for (uint32_t id = 1; id <= ING_FRAGS_AGED + more; id++) {
      push_fragment(w, 0, 104, id, 0);
      for (unsigned i = 0; i < ING_FRAGS_AGE; i++) {
        tcp_fixture_push(w, "", 0, 0, 1);
      }
    }
    push_fragment(w, 0, 104, 1000, 0); /* the last one is given up too */
    push_fragment(w, 104, 1020, 1, 0);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    tcp_fixture_take(w);
    ck_assert_int_eq(strstr(tcp_fixture_finish(w), "X(fragments)") != NULL, more == 0);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* Hosts between which packets were lost are remembered, but not more than a bounded number. */
START_TEST(lost_packets_of_many_hosts)
{
  for (unsigned more = 0; more < 2; more++) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    for (uint32_t host = 0; host < ING_FRAGS_LOST + ING_FRAGS_MAX + more; host++) {
      tcp_fixture_put16(w->packet + 14 + 14, 256 + host); /* of the source address */
      push_fragment(w, 0, 104, 1, 0);
      push_fragment(w, 0, 104, 1, 0);
    }
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    expect_log(w, "O D0@0:abc");
    expect_end(w, more == 0 ? "E0@3C E1?C X" : "E0@3C E1?C X(fragments)");
  }
}
END_TEST

/* A packet that lacks a fragment is given up in time. That is a limit only where it comes later. */
START_TEST(a_fragment_that_comes_too_late)
{
  for (unsigned again = 0; again < 3; again++) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    push_fragment(w, 0, 104, 1, 0);
    for (unsigned i = 0; i < ING_FRAGS_AGE; i++) {
      tcp_fixture_push(w, "", 0, 0, 1);
    }
    if (again == 1) {
      push_fragment(w, 104, 1020, 1, 0);
    } else if (again == 2) { /* a later packet of the same identification, and whole */
      push_fragment(w, 104, 1020, 1, 0);
      push_fragment(w, 0, 104, 1, 0);
    }
    tcp_fixture_send(w, CLIENT, "A", 1000, 0, "abc");
    tcp_fixture_take(w);
    const char *log = tcp_fixture_finish(w);
    ck_assert_ptr_nonnull(strstr(log, again == 1 ? "X(fragments)" : "X"));
    ck_assert_int_eq(strstr(log, "X(") != NULL, again == 1);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* Only the first fragment of an IPv6 packet says what it carries: RFC 8200 4.5. */
START_TEST(a_late_fragment_may_have_another_next_header)
{
  tcp_fixture *w = tcp_fixture_with_large(6);
  push_fragment(w, 0, 104, 1, 0);
  for (unsigned i = 0; i < ING_FRAGS_AGE; i++) {
    tcp_fixture_push(w, "", 0, 0, 1);
  }
  fragment_next = 17;
  push_fragment(w, 104, 1020, 1, 0);
  fragment_next = 6;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O D0@0:abc");
  expect_end(w, "E0@3C E1?C X(fragments)");
}
END_TEST

/* The first of the last fragments says how long the packet is. */
START_TEST(a_packet_in_fragments_has_one_end)
{
  tcp_fixture *w = tcp_fixture_with_large(4);
  push_fragment(w, 104, 1020, 1, 0);
  w->packet_len -= 8;
  push_fragment(w, 104, 1012, 1, 0);
  w->packet_len += 8;
  push_fragment(w, 0, 104, 1, 0);
  expect_log(w, "O D0@0:#1000");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(old_fragments_are_forgotten)
{
  for (unsigned late = 0; late < 2; late++) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    push_fragment(w, 0, 104, 1, 0);
    for (unsigned i = 0; i < ING_FRAGS_AGE - 1 + late; i++) {
      tcp_fixture_push(w, "", 0, 0, 1);
    }
    push_fragment(w, 104, 1020, 1, 0);
    expect_log(w, late ? "" : "O D0@0:#1000");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(fragments_without_memory)
{
  for (long gets = 0; gets < 2; gets++) {
    tcp_fixture *w = tcp_fixture_with_large(4);
    w->gets_left = gets;
    push_fragment(w, 0, 104, 1, 0);
    w->gets_left = -1;
    push_fragment(w, 0, 104, 1, 0);
    push_fragment(w, 104, 1020, 1, 0);
    expect_log(w, "O D0@0:#1000");
    expect_end(w, "E0@1000C E1?C X(fragments)");
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {fragments_in_any_order,
                                next_header_of_the_first_fragment,
                                fragments_again_and_overlapping,
                                fragments_before_others_and_overlapping,
                                the_checksum_decides_between_copies_of_fragments,
                                copies_of_fragments_that_nothing_decides,
                                copies_of_fragments_whose_checksum_is_not_captured,
                                second_copies_of_fragments_without_memory,
                                copies_of_fragments_that_differ_in_the_header,
                                the_frames_of_copies_of_fragments,
                                fragments_of_several_packets,
                                fragments_of_another_protocol,
                                cut_fragments,
                                broken_fragments,
                                the_longest_packet_in_fragments,
                                fragments_within_fragments,
                                incomplete_packets_are_bounded,
                                as_many_incomplete_packets_as_may_be,
                                lost_packets_of_many_hosts,
                                a_fragment_that_comes_too_late,
                                copies_of_complete_packets_are_none_that_wait,
                                what_is_no_copy_of_a_complete_packet_waits,
                                each_octet_of_a_fragment_counts_for_a_copy,
                                fragments_of_other_hosts_are_no_copies,
                                a_fragment_captured_further_is_no_copy,
                                a_copy_of_what_was_given_up_counts,
                                a_copy_of_what_waited_too_long_counts,
                                the_last_fragments_are_known,
                                the_last_late_packets_are_known,
                                a_late_fragment_may_have_another_next_header,
                                a_packet_in_fragments_has_one_end,
                                old_fragments_are_forgotten,
                                fragments_without_memory,
                                NULL};
  return check_run(check_suite("ingest-fragments", tests));
}
