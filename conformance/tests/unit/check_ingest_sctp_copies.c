/* SPDX-License-Identifier: BSD-2-Clause */
/* Chunks that are captured twice with different octets. */
#include <string.h>

#include "check_run.h"
#include "ingest/conn.h"
#include "ingest/sctp_priv.h"
#include "sctp_fixture.h"

/* In the log: side:TSN:first,second/from+len, "h" for headers, "l" where the message came out
 * before, =0 unknown, =1 first, =2 second. "~" after a message: it is in doubt. */

static sctp_fixture *patient(void) {
  return sctp_fixture_open_patient(100, 200);
}

static void send_bad(sctp_fixture *w, uint32_t tsn, const char *text) {
  w->bad = true;
  sctp_fixture_send(w, 0, tsn, text);
}

static void send_cut(sctp_fixture *w, uint32_t tsn, const char *text, size_t cut) {
  w->cut = cut;
  sctp_fixture_send(w, 0, tsn, text);
}

/* A SACK of all up to `tsn`, of what is `from` to `to` after it, and of a chunk that came twice. */
static void send_sack(sctp_fixture *w, uint32_t tsn, uint32_t from, uint32_t to, uint32_t twice) {
  const unsigned gaps = from != 0 ? 1 : 0;
  const unsigned twices = twice != 0 ? 1 : 0;
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_chunk(w, SACK, 0, 16 + 4 * (gaps + twices));
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, gaps << 16 | twices, 4);
  if (gaps != 0) {
    sctp_fixture_put(w, from << 16 | to, 4);
  }
  if (twices != 0) {
    sctp_fixture_put(w, twice, 4);
  }
  sctp_fixture_push(w);
}

START_TEST(no_acknowledgment_shows_which_one_was_accepted)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 100, "abcdef");
  sctp_fixture_send(w, 0, 100, "abXdYf");
  ck_assert_str_eq(w->log, OPENED);
  send_sack(w, 100, 0, 0, 0);
  sctp_fixture_finish(w, OPENED "a:100=abcdef~ a:100:3,4/2+3=0 close2 ");
}
END_TEST

START_TEST(equal_copies_are_no_conflict)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 100, "abc");
  sctp_fixture_send(w, 0, 100, "abc");
  send_sack(w, 100, 0, 0, 0);
  sctp_fixture_send(w, 0, 100, "abc");
  sctp_fixture_finish(w, OPENED "a:100=abc close2 ");
}
END_TEST

START_TEST(the_copy_that_was_acknowledged_counts)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 101, "abc");
  send_sack(w, 99, 2, 2, 0);
  sctp_fixture_send(w, 0, 101, "abX");
  sctp_fixture_send(w, 0, 100, "def");
  send_sack(w, 101, 0, 0, 0);
  sctp_fixture_send(w, 0, 100, "deX");
  sctp_fixture_finish(w, OPENED "a:100=def a:100:6,8/2+1=1 a:101=abc a:101:3,5/2+1=1 close2 ");
}
END_TEST

/* The SACK reports what was sent after the chunk, and lacks that. */
START_TEST(the_second_copy_counts_where_the_first_was_lost)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 100, "abc");
  sctp_fixture_send(w, 0, 101, "def");
  send_sack(w, 99, 2, 2, 0);
  sctp_fixture_send(w, 0, 100, "abcXY");
  send_sack(w, 101, 0, 0, 0);
  sctp_fixture_finish(w, OPENED "a:100=abcXY a:100:3,6/3+2h=2 a:101=def close2 ");
}
END_TEST

/* It was sent before the first copy. */
START_TEST(an_earlier_acknowledgment_shows_no_loss)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 101, "def");
  send_sack(w, 99, 2, 2, 0);
  sctp_fixture_send(w, 0, 100, "abc");
  sctp_fixture_send(w, 0, 100, "abX");
  send_sack(w, 101, 0, 0, 0);
  sctp_fixture_finish(w, OPENED "a:100=abc~ a:100:5,6/2+1=0 a:101=def close2 ");
}
END_TEST

/* What is not below the highest TSN that is reported may be on its way. */
START_TEST(what_was_sent_last_is_not_lost)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 101, "def");
  sctp_fixture_send(w, 0, 102, "abc");
  send_sack(w, 99, 2, 2, 0);
  sctp_fixture_send(w, 0, 102, "abX");
  sctp_fixture_send(w, 0, 100, "ghi");
  send_sack(w, 102, 0, 0, 0);
  sctp_fixture_finish(w, OPENED "a:100=ghi a:101=def a:102=abc~ a:102:4,6/2+1=0 close2 ");
}
END_TEST

START_TEST(a_chunk_that_came_twice_was_accepted_first)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 100, "abc");
  sctp_fixture_send(w, 0, 100, "abX");
  send_sack(w, 100, 0, 0, 100);
  sctp_fixture_finish(w, OPENED "a:100=abc a:100:3,4/2+1=1 close2 ");
}
END_TEST

/* The report may be about the third one. */
START_TEST(of_three_copies_a_report_of_two_shows_nothing)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 100, "abc");
  sctp_fixture_send(w, 0, 100, "abX");
  sctp_fixture_send(w, 0, 100, "abc");
  send_sack(w, 100, 0, 0, 100);
  sctp_fixture_finish(w, OPENED "a:100=abc~ a:100:3,4/2+1=0 close2 ");
}
END_TEST

START_TEST(every_copy_that_differs_is_reported)
{
  sctp_fixture *w = patient();
  sctp_fixture_send(w, 0, 100, "abc");
  sctp_fixture_send(w, 0, 100, "Xbc");
  sctp_fixture_send(w, 0, 100, "abX");
  send_sack(w, 100, 0, 0, 0);
  sctp_fixture_send(w, 0, 100, "Xbc");
  sctp_fixture_finish(w,
                      OPENED "a:100=abc~ a:100:3,4/0+1=0 a:100:3,5/2+1=0 a:100:3,7/0+1=1 close2 ");
}
END_TEST

/* Nothing waits where all is to come out as it comes. */
START_TEST(a_message_that_came_out_is_compared)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 100, "abc");
  sctp_fixture_send(w, 0, 100, "aXc");
  sctp_fixture_send(w, 0, 100, "aXc");
  sctp_fixture_send(w, 0, 101, "def");
  sctp_fixture_finish(w, OPENED "a:100=abc a:100:3,4/1+1l=0 a:100:3,5/1+1l=0 a:101=def close2 ");
}
END_TEST

/* ---- what is no copy that its receiver may have taken ---- */

START_TEST(a_copy_with_a_wrong_checksum_was_dropped)
{
  sctp_fixture *w = sctp_fixture_new_patient();
  sctp_fixture_send_init(w, 1, 0xA0A0, 0xB0B0, 200);
  send_bad(w, 100, "Xbc");
  sctp_fixture_send(w, 0, 100, "abc");
  send_bad(w, 100, "abX");
  send_sack(w, 100, 0, 0, 0);
  sctp_fixture_finish(w, "open b:init8/1 a:100=abc close2 ");
}
END_TEST

/* Its receiver does not mind. */
START_TEST(a_copy_with_a_wrong_checksum_that_was_acknowledged_counts)
{
  sctp_fixture *w = sctp_fixture_new_patient();
  sctp_fixture_send_init(w, 1, 0xA0A0, 0xB0B0, 200);
  send_bad(w, 100, "Xbc");
  send_bad(w, 101, "def");
  send_sack(w, 99, 2, 2, 0);
  sctp_fixture_send(w, 0, 101, "deX");
  sctp_fixture_finish(w, "open b:init8/1 a:100=Xbc? a:101=def? a:101:3,5/2+1=1 close2 ");
}
END_TEST

START_TEST(cut_copies_are_compared_as_far_as_they_go)
{
  sctp_fixture *w = patient();
  send_cut(w, 100, "abcdefgh", 4);
  sctp_fixture_send(w, 0, 100, "abcdefgX");
  sctp_fixture_send(w, 0, 100, "abXdefgh");
  send_sack(w, 100, 0, 0, 0);
  sctp_fixture_finish(w, OPENED "a:100=abXdefgh a:100:3,5/2+1=2 close2 ");
}
END_TEST

/* ---- headers ---- */

/* A chunk of one octet: the third word of its header, the fourth, and its flags. */
static void send_header(sctp_fixture *w, uint32_t stream, uint32_t ppid, unsigned flags) {
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_chunk(w, DATA, flags, 17);
  sctp_fixture_put(w, 100, 4);
  sctp_fixture_put(w, stream, 4);
  sctp_fixture_put(w, ppid, 4);
  sctp_fixture_put(w, 'x' << 24, 4);
  sctp_fixture_push(w);
}

START_TEST(headers_are_compared)
{
  static const struct {
    uint32_t stream, ppid;
    unsigned flags;
    bool same;
  } rows[] = {{0x00050001, 16, ALL, true},      {0x00060001, 16, ALL, false},
              {0x00050002, 16, ALL, false},     {0x00050001, 17, ALL, false},
              {0x00050001, 16, ORDERED, false}, {0x00050001, 16, ALL | 8, true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sctp_fixture *w = patient();
    send_header(w, 0x00050001, 16, ALL);
    send_header(w, rows[i].stream, rows[i].ppid, rows[i].flags);
    send_sack(w, 100, 0, 0, 0);
    sctp_fixture_finish(w, rows[i].same ? OPENED "a:100=x close2 "
                                        : OPENED "a:100=x~ a:100:3,4/1+0h=0 close2 ");
  }
}
END_TEST

/* ---- fragments of a message ---- */

static void send_part(sctp_fixture *w, uint32_t tsn, unsigned flags, const char *text) {
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, tsn, flags, text);
  sctp_fixture_push(w);
}

static struct {
  size_t from;
  size_t end;
} range;

static void on_message(void *ctx, const ingest_sctp_event *ev) {
  (void)ctx;
  if (ev->kind == INGEST_SCTP_MESSAGE) {
    range.from = ev->message->differ_from;
    range.end = ev->message->differ_end;
  }
}

/* Two fragments, and copies of them. */
static void doubted(const char *copy1, const char *copy2, size_t from, size_t end) {
  char text[8];
  sctp_fixture *w = patient();
  sctp_fixture_watch(w, on_message, text);
  send_part(w, 100, FIRST, "abcd");
  send_part(w, 101, LAST, "efgh");
  send_part(w, 100, FIRST, copy1);
  send_part(w, 101, LAST, copy2);
  sctp_fixture_finish_watched(w, text, "", OPENED);
  ck_assert_uint_eq(range.from, from);
  ck_assert_uint_eq(range.end, end);
}

START_TEST(octets_of_a_message_are_in_doubt)
{
  doubted("abcd", "efgh", 0, 0);
  doubted("abXd", "efgh", 2, 3);
  doubted("abcd", "eXgh", 5, 6);
  doubted("abXd", "eXgh", 2, 6);
  doubted("abcd", "efghi", 0, SIZE_MAX);
  doubted("aXcd", "efg", 0, SIZE_MAX);
}
END_TEST

/* A chunk whose message is under way has left the queue. */
START_TEST(a_message_under_way_is_compared)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  send_part(w, 100, FIRST, "abcd");
  send_part(w, 101, MIDDLE, "efgh");
  send_part(w, 100, FIRST, "abXd");
  send_part(w, 101, MIDDLE, "eXgh");
  send_part(w, 102, LAST, "i");
  sctp_fixture_finish(w, OPENED "a:100=abcdefghi+~ a:100:3,5/2+1=0 a:101:4,6/1+1=0 close2 ");
}
END_TEST

/* Chunks that come to nothing are reported as well. */
START_TEST(conflicts_of_lost_messages_are_reported)
{
  sctp_fixture *w = patient();
  send_part(w, 101, LAST, "abcd");
  send_part(w, 101, LAST, "abXd");
  sctp_fixture_finish(w, OPENED "a:lost100+1 a:lost101+1 a:101:3,4/2+1=0 close2 ");
}
END_TEST

/* ---- what is kept ---- */

START_TEST(the_latest_chunks_are_compared)
{
  enum { NUM = 3 * SCTP_CAME_MAX };
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < NUM; i++) {
    sctp_fixture_send(w, 0, 100 + i, "abc");
  }
  w->quiet = false;
  sctp_fixture_send(w, 0, 100 + NUM - SCTP_CAME_MAX - 1, "abX");
  sctp_fixture_send(w, 0, 100 + NUM - 100, "abX");
  sctp_fixture_send(w, 0, 100 + NUM - 1, "abX");
  sctp_fixture_finish(w, OPENED "a:768:671,772/2+1l=0 a:867:770,773/2+1l=0 close2 ");
}
END_TEST

START_TEST(what_is_kept_is_bounded)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  char text[1025] = {0};
  memset(text, 'x', sizeof text - 1);
  w->quiet = true;
  const size_t before = w->live;
  for (uint32_t i = 0; i < 300; i++) {
    sctp_fixture_send(w, 0, 100 + i, text);
    ck_assert_uint_le(w->live - before, SCTP_CAME_OCTETS + 8192);
  }
  ck_assert_uint_ge(w->live - before, SCTP_CAME_OCTETS / 2);
  const size_t kept = w->ing->sctp->came;
  w->ing->histories.max = kept; /* no more may be kept of all */
  sctp_fixture_send(w, 1, 200, "x");
  ck_assert_uint_eq(w->ing->sctp->came, kept);
  sctp_fixture_send(w, 0, 400, text);
  ck_assert_uint_le(w->ing->sctp->came, kept);
  w->quiet = false;
  sctp_fixture_send(w, 1, 200, "y");
  sctp_fixture_send(w, 0, 400, "y");
  sctp_fixture_finish(w, OPENED "a:400:304,306/0+1024hl=0 close2 ");
}
END_TEST

START_TEST(a_chunk_that_is_too_long_is_not_kept)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 100, "x");
  ck_assert_uint_gt(w->ing->sctp->came, 0);
  w->ing->histories.max = sizeof(sctp_node);
  sctp_fixture_send(w, 0, 101, "x");
  sctp_fixture_send(w, 0, 101, "y");
  sctp_fixture_finish(w, OPENED "a:100=x a:101=x close2 ");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {no_acknowledgment_shows_which_one_was_accepted,
                                equal_copies_are_no_conflict,
                                the_copy_that_was_acknowledged_counts,
                                the_second_copy_counts_where_the_first_was_lost,
                                an_earlier_acknowledgment_shows_no_loss,
                                what_was_sent_last_is_not_lost,
                                a_chunk_that_came_twice_was_accepted_first,
                                of_three_copies_a_report_of_two_shows_nothing,
                                every_copy_that_differs_is_reported,
                                a_message_that_came_out_is_compared,
                                a_copy_with_a_wrong_checksum_was_dropped,
                                a_copy_with_a_wrong_checksum_that_was_acknowledged_counts,
                                cut_copies_are_compared_as_far_as_they_go,
                                headers_are_compared,
                                octets_of_a_message_are_in_doubt,
                                a_message_under_way_is_compared,
                                conflicts_of_lost_messages_are_reported,
                                the_latest_chunks_are_compared,
                                what_is_kept_is_bounded,
                                a_chunk_that_is_too_long_is_not_kept,
                                NULL};
  return check_run(check_suite("ingest-sctp-copies", tests));
}
