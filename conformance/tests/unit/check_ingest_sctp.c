/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP associations: order, loss, fragments, tags, checksums, and the bounds of memory. */
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "sctp_fixture.h"

START_TEST(messages_come_in_the_order_of_their_tsns)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 102, "three");
  sctp_fixture_send(w, 0, 101, "two");
  sctp_fixture_send(w, 0, 101, "two");
  sctp_fixture_send(w, 0, 100, "one");
  sctp_fixture_send(w, 0, 100, "one");
  sctp_fixture_finish(w, OPENED "a:100=one a:101=two a:102=three close2 ");
}
END_TEST

START_TEST(tsns_wrap)
{
  sctp_fixture *w = sctp_fixture_open(0xFFFFFFFE, 200);
  sctp_fixture_send(w, 0, 0, "three");
  sctp_fixture_send(w, 0, 0xFFFFFFFF, "two");
  sctp_fixture_send(w, 0, 0xFFFFFFFE, "one");
  sctp_fixture_send(w, 0, 1, "four");
  sctp_fixture_finish(w, OPENED "a:4294967294=one a:4294967295=two a:0=three a:1=four close2 ");
}
END_TEST

START_TEST(an_answer_waits_for_what_it_acknowledges)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_ack(w, 100, 0);
  sctp_fixture_data(w, 200, ALL, "answer");
  sctp_fixture_push(w);
  ck_assert_str_eq(w->log, OPENED);
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_ack(w, 100, 1);
  sctp_fixture_data(w, 201, ALL, "second");
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:100=question b:200=answer* b:201=second close2 ");
}
END_TEST

static void pass_time(sctp_fixture *w, uint64_t packets, uint32_t acked) {
  while (w->number < packets) {
    sctp_fixture_send_ack(w, 1, acked);
  }
}

/* At every 16th packet of the association it is noted what was acknowledged before: what was at the
 * fifth look back does not come any more. */
/* The server has 101 and 102, as its SACK says, when it answers; 100 is on its way. */
START_TEST(an_answer_waits_for_what_it_acknowledges_after_a_gap)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 101, "question");
  sctp_fixture_send(w, 0, 102, "more");
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_ack(w, 99, 1); /* 101 */
  sctp_fixture_data(w, 200, ALL, "answer");
  sctp_fixture_push(w);
  ck_assert_str_eq(w->log, OPENED);
  sctp_fixture_send(w, 1, 201, "second");
  sctp_fixture_send(w, 0, 100, "late");
  sctp_fixture_finish(w, OPENED
                      "a:100=late a:101=question a:102=more b:200=answer* b:201=second close2 ");
}
END_TEST

/* The client has the answer when it sends 100 again; but it had sent that before 101. */
START_TEST(what_is_sent_again_answers_no_more_than_what_follows_it)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 101, "question");
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_ack(w, 99, 1); /* 101 */
  sctp_fixture_data(w, 200, ALL, "answer");
  sctp_fixture_push(w);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_ack(w, 200, 0);
  sctp_fixture_data(w, 100, ALL, "again");
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:100=again a:101=question b:200=answer* close2 ");
}
END_TEST

START_TEST(a_hole_is_given_up_when_it_was_acknowledged_long_ago)
{
  for (uint64_t late = 0; late < 2; late++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    sctp_fixture_send(w, 0, 103, "four");
    pass_time(w, 14 + late, 101); /* not all of it */
    pass_time(w, 79 + 16 * late, 102);
    ck_assert_str_eq(w->log, OPENED);
    pass_time(w, 80 + 16 * late, 102);
    ck_assert_str_eq(w->log, OPENED "a:lost100+3 a:103=four ");
    sctp_fixture_finish(w, OPENED "a:lost100+3 a:103=four close2 ");
  }
}
END_TEST

START_TEST(a_hole_that_was_not_acknowledged_waits_to_the_end)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 101, "two");
  for (unsigned i = 0; i < 200; i++) {
    sctp_fixture_send_ack(w, 1, 99);
  }
  ck_assert_str_eq(w->log, OPENED);
  sctp_fixture_finish(w, OPENED "a:lost100+1 a:101=two close2 ");
}
END_TEST

START_TEST(what_is_acknowledged_and_never_seen_is_lost)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send_ack(w, 1, 104);
  sctp_fixture_finish(w, OPENED "a:lost100+5 close2 ");
}
END_TEST

START_TEST(fragments_make_one_message)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, FIRST, "ab");
  sctp_fixture_push(w);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 102, LAST, "ef");
  sctp_fixture_push(w);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 101, MIDDLE, "cd");
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:100=abcdef+ close2 ");
}
END_TEST

START_TEST(needless_fragments_are_seen)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, FIRST, "ab");
  sctp_fixture_data(w, 101, LAST & ~4, "cd");
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:100=abcd!+ close2 ");
}
END_TEST

#define NEEDLESS_TEXT 600u
#define NEEDLESS_EVERYWHERE                                                                        \
  (512u - 20u - 12u - 16u) /* octets of user data that every path takes                            \
                            */

/* Returns true if a message needs no second fragment when the packet of the first one has another
 * chunk of `more` octets. */
static bool needless(unsigned first, unsigned second, unsigned more) {
  static char text[NEEDLESS_TEXT + 1];
  memset(text, 'x', NEEDLESS_TEXT);
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, FIRST, &text[NEEDLESS_TEXT - first]);
  if (more != 0) {
    sctp_fixture_chunk(w, 0x7F, 0, more);
    w->len += more - 4;
  }
  sctp_fixture_push(w);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 101, LAST, &text[NEEDLESS_TEXT - second]);
  sctp_fixture_push(w);
  const bool yes = strchr(w->log, '+') != NULL;
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
  return yes;
}

/* It has to fit, padded to a multiple of 4, into a packet that every path takes. Or the longer of
 * the two packets must have room for its fragment and the other chunks. */
START_TEST(fragments_are_needless_where_the_whole_fits_to_the_octet)
{
  for (unsigned first = NEEDLESS_EVERYWHERE - 8; first <= NEEDLESS_EVERYWHERE; first++) {
    for (unsigned second = 1; second <= 16; second++) {
      for (unsigned more = 0; more <= 20; more += 4) {
        const unsigned room[2] = {(first + 3) / 4 * 4 + more, (second + 3) / 4 * 4};
        const unsigned longer = room[0] > room[1] ? room[0] : room[1];
        const unsigned most = longer > NEEDLESS_EVERYWHERE ? longer : NEEDLESS_EVERYWHERE;
        ck_assert_int_eq(needless(first, second, more), (first + second + 3) / 4 * 4 <= most);
      }
    }
  }
}
END_TEST

START_TEST(half_a_message_is_lost)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, MIDDLE, "no start");
  sctp_fixture_data(w, 101, FIRST, "no end");
  sctp_fixture_data(w, 102, ALL, "whole");
  sctp_fixture_data(w, 103, FIRST, "no end either");
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:lost100+1 a:lost101+1 a:102=whole a:lost103+1 close2 ");
}
END_TEST

START_TEST(half_a_message_before_a_hole_is_lost_before_it)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, FIRST, "half");
  sctp_fixture_push(w);
  sctp_fixture_send(w, 0, 102, "on");
  sctp_fixture_finish(w, OPENED "a:lost100+1 a:lost101+1 a:102=on close2 ");
}
END_TEST

/* Not to the end of the capture: with the hole, which was acknowledged long ago. */
START_TEST(half_a_message_before_a_hole_is_given_up_with_it)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, FIRST, "half");
  sctp_fixture_push(w);
  sctp_fixture_send(w, 0, 102, "on");
  pass_time(w, 200, 102);
  ck_assert_str_eq(w->log, OPENED "a:lost100+1 a:lost101+1 a:102=on ");
  sctp_fixture_finish(w, OPENED "a:lost100+1 a:lost101+1 a:102=on close2 ");
}
END_TEST

START_TEST(fragments_without_a_first_one_are_no_message)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, MIDDLE, "no start");
  sctp_fixture_data(w, 101, LAST, "nor here");
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:lost100+1 a:lost101+1 close2 ");
}
END_TEST

/* Of either side, in the order of the sides. */
START_TEST(half_messages_are_lost_at_the_end)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  for (unsigned side = 2; side-- > 0;) {
    sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
    sctp_fixture_data(w, side == 0 ? 100 : 200, FIRST, "half");
    sctp_fixture_push(w);
  }
  sctp_fixture_finish(w, OPENED "a:lost100+1 b:lost200+1 close2 ");
}
END_TEST

START_TEST(chunks_of_other_kinds_are_passed_over)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_chunk(w, 4, 0, 9);
  sctp_fixture_put(w, 0, 4);
  sctp_fixture_put(w, 0, 4);
  sctp_fixture_chunk(w, 0x7F, 0, 4);
  sctp_fixture_data(w, 100, ORDERED, "x");
  sctp_fixture_chunk(w, 5, 0, 3);
  sctp_fixture_data(w, 101, ALL, "after a broken chunk");
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:100=x! close2 ");
}
END_TEST

START_TEST(a_wrong_checksum_counts_where_others_are_right)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->bad = true;
  sctp_fixture_send(w, 0, 100, "evil");
  sctp_fixture_send(w, 0, 100, "good");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_checksum, 1);
  sctp_fixture_finish(w, OPENED "a:100=good close2 ");
}
END_TEST

/* What lacks may be what a packet with a wrong checksum held; what is lost later is not. */
START_TEST(a_loss_says_that_a_packet_with_a_wrong_checksum_held_it)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->bad = true;
  sctp_fixture_send(w, 0, 100, "evil");
  sctp_fixture_send(w, 0, 101, "good");
  sctp_fixture_send(w, 0, 103, "more");
  sctp_fixture_finish(w, OPENED "a:lost100+1? a:101=good a:lost102+1 a:103=more close2 ");
}
END_TEST

START_TEST(wrong_checksums_throughout_are_put_up_with)
{
  sctp_fixture *w = sctp_fixture_new();
  w->bad = true;
  sctp_fixture_send(w, 0, 100, "one");
  w->bad = true;
  sctp_fixture_send(w, 0, 101, "two");
  sctp_fixture_finish(w, "open a:100=one? a:101=two? close2 ");
}
END_TEST

START_TEST(a_cut_packet_keeps_what_there_is)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, ALL, "12345678");
  w->cut = 3;
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:100=12345 close2 ");
}
END_TEST

START_TEST(a_second_address_is_known_by_its_tag)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 100, "one");
  w->client_ip = 0x0A00004D;
  sctp_fixture_send(w, 0, 101, "two");
  sctp_fixture_send(w, 1, 200, "back");
  sctp_fixture_finish(w, OPENED "a:100=one a:101=two b:200=back close2 ");
}
END_TEST

START_TEST(another_tag_is_another_association)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 100, "one");
  sctp_fixture_send_init(w, 0, 0, 0xC0C0, 100);
  sctp_fixture_send_init(w, 1, 0xC0C0, 0xD0D0, 200);
  sctp_fixture_begin(w, 0, 0xD0D0);
  sctp_fixture_data(w, 100, ALL, "new");
  sctp_fixture_push(w);
  sctp_fixture_send(w, 0, 101, "old");
  sctp_fixture_finish(w, OPENED "a:100=one " OPENED "a:100=new a:101=old close2 close2 ");
}
END_TEST

START_TEST(an_end_is_reported)
{
  for (unsigned i = 0; i < 3; i++) { /* SHUTDOWN first, last, or never seen */
    sctp_fixture *seen = sctp_fixture_open(100, 200);
    for (unsigned j = 0; j < 3; j++) {
      if (j != 1 && i == j / 2) {
        sctp_fixture_begin(seen, 1, 0xA0A0);
        sctp_fixture_chunk(seen, SHUTDOWN, 0, 8);
        sctp_fixture_put(seen, 99, 4);
        sctp_fixture_push(seen);
      } else if (j == 1) {
        sctp_fixture_begin(seen, 0, 0xB0B0);
        sctp_fixture_chunk(seen, SHUTDOWN_ACK, 0, 4);
        sctp_fixture_push(seen);
      }
    }
    sctp_fixture_finish(seen, i < 2 ? OPENED "close0 " : OPENED "close2 ");
  }
  sctp_fixture *w = NULL;
  w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 1,
                     0xB0B0); /* with the tag of the other direction, as an ABORT with T may have */
  sctp_fixture_chunk(w, ABORT, 1, 4);
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "close1 ");
  w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 1, 0xB0B0); /* without T that is the tag of no packet to the client */
  sctp_fixture_chunk(w, ABORT, 0, 4);
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "close2 ");
}
END_TEST

START_TEST(what_a_sender_gives_up_is_lost)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_chunk(w, FORWARD, 0, 8);
  sctp_fixture_put(w, 101, 4);
  sctp_fixture_push(w);
  sctp_fixture_send(w, 0, 102, "on");
  for (unsigned i = 0; i < 100; i++) {
    sctp_fixture_send_ack(w, 1, 99);
  }
  ck_assert_str_eq(w->log, OPENED "a:lost100+2 a:102=on ");
  sctp_fixture_finish(w, OPENED "a:lost100+2 a:102=on close2 ");
}
END_TEST

START_TEST(a_tsn_out_of_all_bounds_is_ignored_until_there_are_many)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 0x40000000, "far");
  sctp_fixture_send(w, 0, 100, "near");
  sctp_fixture_send(w, 0, 0xF0000000, "far back");
  ck_assert_str_eq(w->log, OPENED "a:lost100+0/held-octets a:100=near a:lost101+0/held-octets ");
  for (uint32_t i = 0; i < 17; i++) {
    sctp_fixture_send(w, 0, 0x40000000 + i, "f");
  }
  ck_assert_ptr_nonnull(strstr(w->log, "a:1073741839=f a:1073741840=f "));
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* Of either side. */
START_TEST(what_a_limit_cost_the_server_is_reported)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 1, 0x40000000, "far");
  sctp_fixture_send(w, 1, 200, "near");
  sctp_fixture_finish(w, OPENED "b:lost200+0/held-octets b:200=near close2/held-octets ");
}
END_TEST

START_TEST(what_a_limit_cost_is_reported_before_a_message_under_way)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, FIRST, "a");
  sctp_fixture_push(w);
  sctp_fixture_send(w, 0, 0x40000000, "far");
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 101, LAST, "b");
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED "a:lost100+0/held-octets a:100=ab+ close2/held-octets ");
}
END_TEST

START_TEST(memory_is_bounded)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  char text[1025] = {0};
  memset(text, 'x', sizeof text - 1);
  for (uint32_t i = 0; i < 3000; i++) {
    w->log[0] = 0;
    sctp_fixture_send(w, 0, 102 + 2 * i, text);
  }
  ck_assert_uint_lt(w->peak, INGEST_SCTP_HELD_MAX + 2 * 65536);
  w->log[0] = 0;
  ingest_free(w->ing);
  ck_assert_uint_eq(w->live, 0);
  free(w);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ingest_sctp");
  TCase *tcase = tcase_create("sctp");
  tcase_add_test(tcase, messages_come_in_the_order_of_their_tsns);
  tcase_add_test(tcase, tsns_wrap);
  tcase_add_test(tcase, an_answer_waits_for_what_it_acknowledges);
  tcase_add_test(tcase, an_answer_waits_for_what_it_acknowledges_after_a_gap);
  tcase_add_test(tcase, what_is_sent_again_answers_no_more_than_what_follows_it);
  tcase_add_test(tcase, a_hole_is_given_up_when_it_was_acknowledged_long_ago);
  tcase_add_test(tcase, a_hole_that_was_not_acknowledged_waits_to_the_end);
  tcase_add_test(tcase, what_is_acknowledged_and_never_seen_is_lost);
  tcase_add_test(tcase, fragments_make_one_message);
  tcase_add_test(tcase, needless_fragments_are_seen);
  tcase_add_test(tcase, fragments_are_needless_where_the_whole_fits_to_the_octet);
  tcase_add_test(tcase, half_a_message_is_lost);
  tcase_add_test(tcase, half_a_message_before_a_hole_is_lost_before_it);
  tcase_add_test(tcase, half_a_message_before_a_hole_is_given_up_with_it);
  tcase_add_test(tcase, fragments_without_a_first_one_are_no_message);
  tcase_add_test(tcase, half_messages_are_lost_at_the_end);
  tcase_add_test(tcase, chunks_of_other_kinds_are_passed_over);
  tcase_add_test(tcase, a_wrong_checksum_counts_where_others_are_right);
  tcase_add_test(tcase, a_loss_says_that_a_packet_with_a_wrong_checksum_held_it);
  tcase_add_test(tcase, wrong_checksums_throughout_are_put_up_with);
  tcase_add_test(tcase, a_cut_packet_keeps_what_there_is);
  tcase_add_test(tcase, a_second_address_is_known_by_its_tag);
  tcase_add_test(tcase, another_tag_is_another_association);
  tcase_add_test(tcase, an_end_is_reported);
  tcase_add_test(tcase, what_a_sender_gives_up_is_lost);
  tcase_add_test(tcase, a_tsn_out_of_all_bounds_is_ignored_until_there_are_many);
  tcase_add_test(tcase, what_a_limit_cost_the_server_is_reported);
  tcase_add_test(tcase, what_a_limit_cost_is_reported_before_a_message_under_way);
  tcase_add_test(tcase, memory_is_bounded);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
