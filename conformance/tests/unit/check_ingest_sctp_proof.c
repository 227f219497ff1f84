/* SPDX-License-Identifier: BSD-2-Clause */
/* What later packets of an association prove of a message that waits for them. */
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "ingest/sctp_priv.h"
#include "sctp_fixture.h"

/* Of each message: its TSN; "*" all that its sender may have received came out, "=" and it had
 * received that; how many chunks before it stand in its packet; which it overtook. */
static void on_message(void *ctx, const ingest_sctp_event *ev) {
  char *text = ctx;
  if (ev->kind != INGEST_SCTP_MESSAGE) {
    return;
  }
  const ingest_sctp_message *m = ev->message;
  const size_t len = strlen(text);
  const int all = snprintf(text + len, 512 - len, "%u%s%s", (unsigned)(uint32_t)ev->pos,
                           m->cause_seen ? "*" : "", m->received_all ? "=" : "");
  char *at = text + len + all;
  if (m->bundled_before != 0) {
    at += sprintf(at, "+%u", (unsigned)m->bundled_before);
  }
  if (m->overtook != 0) {
    at += sprintf(at, "<%u", (unsigned)(uint32_t)m->overtook - 1);
  }
  strcpy(at, " ");
}

static void on_close(void *ctx, const ingest_sctp_event *ev) {
  if (ev->kind == INGEST_SCTP_CLOSE) {
    memcpy(ctx, ev->settled, sizeof ev->settled);
  }
}

static sctp_fixture *opened(char text[512]) {
  sctp_fixture *w = sctp_fixture_open_patient(100, 200);
  sctp_fixture_watch(w, on_message, text);
  return w;
}

static void finished(sctp_fixture *w, const char *text, const char *due) {
  sctp_fixture_finish_watched(w, text, due, OPENED);
}

/* A SACK of all up to `tsn` and of what is `from` to `to` after it. */
static void send_gap(sctp_fixture *w, unsigned side, uint32_t tsn, uint32_t from, uint32_t to) {
  sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  sctp_fixture_chunk(w, SACK, 0, 20);
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, 1u << 16, 4);
  sctp_fixture_put(w, from << 16 | to, 4);
  sctp_fixture_push(w);
}

/* Question, its acknowledgment and the answer, in three packets. */
static void exchange(sctp_fixture *w) {
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_send_ack(w, 1, 100);
  sctp_fixture_send(w, 1, 200, "answer");
}

START_TEST(the_next_message_of_the_other_side_came_after_it)
{
  char text[512];
  sctp_fixture *w = opened(text);
  exchange(w);
  ck_assert_str_eq(text, "100* ");
  sctp_fixture_send_ack(w, 0, 200);
  sctp_fixture_send(w, 0, 101, "again");
  ck_assert_str_eq(text, "100* 200*= ");
  sctp_fixture_send_ack(w, 1, 101);
  sctp_fixture_send(w, 1, 201, "answer");
  ck_assert_str_eq(text, "100* 200*= 101*= ");
  finished(w, text, "100* 200*= 101*= 201 ");
}
END_TEST

START_TEST(a_later_acknowledgment_says_what_had_come_at_most)
{
  char text[512];
  sctp_fixture *w = opened(text);
  exchange(w);
  sctp_fixture_send(w, 1, 201, "more");
  sctp_fixture_send_ack(w, 0, 200);
  sctp_fixture_send(w, 0, 101, "again");
  sctp_fixture_send_ack(w, 0, 200); /* maybe the same packet twice */
  ck_assert_str_eq(text, "100* 200*= ");
  sctp_fixture_send_ack(w, 0, 201);
  sctp_fixture_send_ack(w, 1, 101);
  ck_assert_str_eq(text, "100* 200*= 201 101* ");
  sctp_fixture_send(w, 0, 102, "again");
  send_gap(w, 0, 201, 2, 2); /* 203 has come, too, and may have before */
  finished(w, text, "100* 200*= 201 101* 102 ");
}
END_TEST

/* The answer is to 202, and the acknowledgment that is captured after it was sent before. */
START_TEST(an_acknowledgment_across_a_hole_says_nothing)
{
  char text[512];
  sctp_fixture *w = opened(text);
  sctp_fixture_send(w, 0, 100, "on its way");
  sctp_fixture_send(w, 1, 200, "one");
  sctp_fixture_send(w, 1, 202, "question");
  sctp_fixture_send(w, 0, 101, "answer");
  sctp_fixture_send_ack(w, 0, 200);
  sctp_fixture_send(w, 1, 201, "two");
  finished(w, text, "100 200 101 201 202 ");
}
END_TEST

START_TEST(a_shutdown_acknowledges_all_that_had_come)
{
  char text[512];
  sctp_fixture *w = opened(text);
  exchange(w);
  sctp_fixture_send_ack(w, 0, 200);
  sctp_fixture_send(w, 0, 101, "again");
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_chunk(w, SHUTDOWN, 0, 8);
  sctp_fixture_put(w, 200, 4);
  sctp_fixture_push(w);
  finished(w, text, "100* 200*= 101*= ");
}
END_TEST

/* What was captured after it, but not later, and what has a wrong checksum, proves nothing. */
START_TEST(an_unconfirmed_acknowledgment_proves_nothing)
{
  for (unsigned how = 0; how < 2; how++) {
    char text[512];
    sctp_fixture *w = opened(text);
    sctp_fixture_send(w, 0, 100, "question");
    sctp_fixture_begin(w, 0, 0xB0B0);
    sctp_fixture_ack(w, 199, 0);
    w->bad = how == 0;
    w->time_back = how == 0 ? 0 : 15;
    sctp_fixture_push(w);
    ck_assert_str_eq(text, "");
    finished(w, text, "100 ");
  }
}
END_TEST

/* The next message of the other side was on its way: it is unknown how much of it its sender had
 * received. */
START_TEST(messages_that_cross_wait_until_something_is_acknowledged)
{
  char text[512];
  sctp_fixture *w = opened(text);
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_send(w, 1, 200, "question");
  ck_assert_str_eq(text, "");
  sctp_fixture_send_ack(w, 0, 199);
  ck_assert_str_eq(text, "");
  sctp_fixture_send_ack(w, 1, 100);
  ck_assert_str_eq(text, "100* ");
  sctp_fixture_send_ack(w, 0, 200);
  ck_assert_str_eq(text, "100* 200* ");
  sctp_fixture_send(w, 0, 101, "question");
  sctp_fixture_send(w, 1, 201, "question");
  ck_assert_str_eq(text, "100* 200* ");
  sctp_fixture_send_ack(w, 1, 101);
  ck_assert_str_eq(text, "100* 200* 101 ");
  finished(w, text, "100* 200* 101 201* ");
}
END_TEST

/* Of two messages that cross, the first copy of the other one may be missing: the order says
 * nothing where acknowledgments come later. */
START_TEST(order_shows_nothing_before_an_acknowledgment)
{
  char text[512];
  sctp_fixture *w = opened(text);
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_send(w, 1, 200, "answer");
  sctp_fixture_send(w, 0, 101, "again");
  sctp_fixture_send_ack(w, 0, 200);
  finished(w, text, "100 200 101* ");
}
END_TEST

/* The third message is captured after the second one, which its sender had not received; but for
 * the first two that is not said, since either one may be a copy. */
START_TEST(what_was_captured_later_had_not_come)
{
  char text[512];
  sctp_fixture *w = opened(text);
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_send(w, 1, 200, "question");
  sctp_fixture_send(w, 0, 101, "question");
  sctp_fixture_send(w, 1, 201, "question");
  finished(w, text, "100 200* 101* 201 ");
}
END_TEST

enum order {
  ACKNOWLEDGED_ONCE,
  AGAIN_AT_ONCE,
  AGAIN,
  BEFORE_ANOTHER,
  EARLIER,
  AFTER_A_HOLE,
  ORDERS
};

static void send_in(sctp_fixture *w, enum order how) {
  for (int i = 0; i < (how == AGAIN_AT_ONCE ? 2 : 1); i++) {
    sctp_fixture_send(w, 0, 100, "question");
  }
  sctp_fixture_send(w, 1, 200, "question");
  if (how == ACKNOWLEDGED_ONCE) {
    sctp_fixture_send_ack(w, 1, 99);
  }
  if (how == AGAIN) {
    sctp_fixture_send(w, 0, 100, "question");
  }
  if (how == BEFORE_ANOTHER) {
    sctp_fixture_send(w, 0, 102, "question");
  }
  sctp_fixture_send(w, 0, 101, "question");
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_data(w, how == AFTER_A_HOLE ? 202 : 201, ALL, "question");
  w->time_back = how == EARLIER ? 25 : 0;
  sctp_fixture_push(w);
}

/* Where acknowledgments tell more, or something is out of order or missing. */
START_TEST(order_that_is_in_doubt_shows_nothing)
{
  static const char *const due[] = {[ACKNOWLEDGED_ONCE] = "100 200* 101 201 ",
                                    [AGAIN_AT_ONCE] = "100 200 101 201 ",
                                    [AGAIN] = "100 200 101 201 ",
                                    [BEFORE_ANOTHER] = "100 200 101 102 201 ",
                                    [EARLIER] = "100 200* 101 201 ",
                                    [AFTER_A_HOLE] = "100 200* 101 202 "};
  for (int how = 0; how < ORDERS; how++) {
    char text[512];
    sctp_fixture *w = opened(text);
    send_in(w, (enum order)how);
    finished(w, text, due[how]);
  }
}
END_TEST

START_TEST(a_message_waits_for_so_many_packets_and_octets)
{
  char text[512];
  sctp_fixture *w = opened(text);
  sctp_fixture_send(w, 0, 100, "question");
  for (unsigned i = 1; i < SCTP_WAIT_PACKETS; i++) {
    sctp_fixture_send_ack(w, 1, 100);
    ck_assert_str_eq(text, "");
  }
  sctp_fixture_send_ack(w, 1, 100);
  ck_assert_str_eq(text, "100 ");
  finished(w, text, "100 ");
}
END_TEST

START_TEST(the_end_of_the_association_ends_the_waiting)
{
  char text[512];
  sctp_fixture *w = opened(text);
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_chunk(w, ABORT, 0, 4);
  sctp_fixture_push(w);
  ck_assert_str_eq(text, "100 ");
  finished(w, text, "100 ");
}
END_TEST

/* A gap block has the second and the third chunk, not the first and the fourth. */
static void on_unheard(void *ctx, const ingest_sctp_event *ev) {
  char *text = ctx;
  if (ev->kind == INGEST_SCTP_MESSAGE) {
    sprintf(text + strlen(text), "%u%s ", (unsigned)(uint32_t)ev->pos,
            ev->message->peer_data_reordered ? "?" : "");
  }
}

START_TEST(what_waits_after_a_hole_may_have_been_received)
{
  char text[512];
  sctp_fixture *w = opened(text);
  w->event = on_unheard;
  sctp_fixture_send(w, 0, 100, "x");
  sctp_fixture_send(w, 1, 200, "before");
  sctp_fixture_send(w, 0, 102, "x");
  sctp_fixture_send(w, 1, 201, "after");
  sctp_fixture_send(w, 0, 101, "x");
  sctp_fixture_send(w, 1, 202, "none waits");
  finished(w, text, "100 200 201? 101 102 202 ");
}
END_TEST

START_TEST(a_gap_block_shows_what_overtook)
{
  char text[512];
  sctp_fixture *w = opened(text);
  for (uint32_t tsn = 100; tsn < 104; tsn++) {
    sctp_fixture_send(w, 0, tsn, "x");
  }
  send_gap(w, 1, 99, 2, 3);
  sctp_fixture_send_ack(w, 1, 103);
  sctp_fixture_send(w, 1, 200, "answer");
  finished(w, text, "100* 101*<100 102*<100 103* 200 ");
}
END_TEST

/* What is on its way beside others waits until it is acknowledged, whatever else is known of it. */
START_TEST(a_message_waits_until_it_is_acknowledged)
{
  char text[512];
  sctp_fixture *w = opened(text);
  for (uint32_t tsn = 100; tsn < 103; tsn++) {
    sctp_fixture_send(w, 0, tsn, "x");
  }
  sctp_fixture_send_ack(w, 0, 199);
  ck_assert_str_eq(text, "");
  sctp_fixture_send_ack(w, 1, 101);
  ck_assert_str_eq(text, "100* 101* ");
  send_gap(w, 1, 101, 2, 2); /* no chunk that is there */
  ck_assert_str_eq(text, "100* 101* ");
  finished(w, text, "100* 101* 102* ");
}
END_TEST

/* Chunks right before it, whether for the first time or again. */
START_TEST(what_stands_beside_it_in_the_packet)
{
  char text[512];
  sctp_fixture *w = opened(text);
  sctp_fixture_send(w, 0, 100, "x");
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, ALL, "x");
  sctp_fixture_data(w, 101, ALL, "y");
  sctp_fixture_data(w, 102, ALL, "z");
  sctp_fixture_data(w, 104, ALL, "q");
  sctp_fixture_push(w);
  sctp_fixture_send(w, 0, 103, "p");
  finished(w, text, "100 101+1 102+2 103 104 ");
}
END_TEST

/* ---- fragments ---- */

static void on_needless(void *ctx, const ingest_sctp_event *ev) {
  bool *yes = ctx;
  *yes = *yes || (ev->kind == INGEST_SCTP_MESSAGE && ev->message->needless);
}

/* A message in two chunks, each in a packet that would not have taken the whole. */
static bool is_needless(sctp_fixture *w, uint32_t tsn) {
  static char half[600];
  bool yes = false;
  memset(half, 'h', sizeof half - 1);
  w->event = on_needless;
  w->event_ctx = &yes;
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, tsn, FIRST, half);
  sctp_fixture_push(w);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, tsn + 1, LAST, half);
  sctp_fixture_push(w);
  sctp_fixture_finish(w, w->log);
  return yes;
}

/* A packet of 1228 octets, room for that message and 4 more octets, and the packets after it. */
enum path_end { ACKNOWLEDGED, NOT_YET, AGAIN_AND_SHORTER, FROM_ELSEWHERE, TOO_SHORT, PATH_ENDS };

static bool is_needless_after(enum path_end how) {
  static char text[1300];
  memset(text, 't', sizeof text - 1);
  text[how == TOO_SHORT ? 1196 : 1200] = '\0';
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->quiet = true;
  sctp_fixture_send(w, 0, 100, text);
  if (how == AGAIN_AND_SHORTER) {
    text[8] = '\0';
    sctp_fixture_send(w, 0, 100, text);
  }
  if (how == FROM_ELSEWHERE) {
    w->client_ip++;
  }
  if (how != NOT_YET) {
    sctp_fixture_send_ack(w, 1, 100);
  }
  return is_needless(w, 101);
}

/* Each side sends a message of which the other one acknowledges so much: it is settled if that is
 * all of it. */
static void settled_by(unsigned type, unsigned side, uint32_t tsn, bool due) {
  bool settled[2] = {false, false};
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->quiet = true;
  w->event = on_close;
  w->event_ctx = settled;
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_send(w, 1, 200, "answer");
  sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  if (type == SACK) {
    sctp_fixture_ack(w, tsn, 0);
  } else {
    sctp_fixture_chunk(w, type, 0, 8);
    sctp_fixture_put(w, tsn, 4);
  }
  sctp_fixture_push(w);
  sctp_fixture_finish(w, OPENED);
  const unsigned of = type == FORWARD ? side : side ^ 1u;
  ck_assert_int_eq(settled[of], due);
  ck_assert(!settled[of ^ 1u]);
}

START_TEST(what_settles_a_side)
{
  for (unsigned side = 0; side < 2; side++) {
    const uint32_t sent = side == 0 ? 200 : 100;
    settled_by(SACK, side, sent, true);
    settled_by(SHUTDOWN, side, sent, true);
    settled_by(SACK, side, sent - 1, false);
    settled_by(SHUTDOWN, side, sent - 1, false);
    settled_by(SACK, side, sent + (1u << 30), false);        /* no message of this association */
    settled_by(FORWARD, side, side == 0 ? 100 : 200, false); /* what its sender gives up itself */
  }
}
END_TEST

/* That nothing has come settles a side that has sent nothing. */
START_TEST(a_silent_side_is_settled_by_an_acknowledgment)
{
  for (unsigned i = 0; i < 2; i++) {
    bool settled[2] = {false, false};
    sctp_fixture *w = sctp_fixture_open(100, 200);
    w->quiet = true;
    w->event = on_close;
    w->event_ctx = settled;
    if (i == 1) {
      sctp_fixture_send_ack(w, 0, 199);
    }
    sctp_fixture_finish(w, OPENED);
    ck_assert_int_eq(settled[1], i == 1);
    ck_assert(!settled[0]);
  }
}
END_TEST

START_TEST(a_longer_packet_of_the_path_shows_that_fragments_are_needless)
{
  for (int how = 0; how < PATH_ENDS; how++) {
    ck_assert_msg(is_needless_after((enum path_end)how) == (how == ACKNOWLEDGED), "%d", how);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_next_message_of_the_other_side_came_after_it,
                                a_later_acknowledgment_says_what_had_come_at_most,
                                an_acknowledgment_across_a_hole_says_nothing,
                                a_shutdown_acknowledges_all_that_had_come,
                                an_unconfirmed_acknowledgment_proves_nothing,
                                messages_that_cross_wait_until_something_is_acknowledged,
                                order_shows_nothing_before_an_acknowledgment,
                                what_was_captured_later_had_not_come,
                                order_that_is_in_doubt_shows_nothing,
                                a_message_waits_for_so_many_packets_and_octets,
                                the_end_of_the_association_ends_the_waiting,
                                what_waits_after_a_hole_may_have_been_received,
                                a_gap_block_shows_what_overtook,
                                a_message_waits_until_it_is_acknowledged,
                                what_stands_beside_it_in_the_packet,
                                what_settles_a_side,
                                a_silent_side_is_settled_by_an_acknowledgment,
                                a_longer_packet_of_the_path_shows_that_fragments_are_needless,
                                NULL};
  return check_run(check_suite("ingest-sctp-proof", tests));
}
