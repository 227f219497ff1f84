/* SPDX-License-Identifier: BSD-2-Clause */
/* What shows that packets of an association are missing or late, though no TSN is. */
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "ingest/sctp_priv.h"
#include "sctp_fixture.h"

/* Of each message: its TSN; "~" packets are missing or late. */
static void on_message(void *ctx, const ingest_sctp_event *ev) {
  char *text = ctx;
  if (ev->kind == INGEST_SCTP_MESSAGE) {
    sprintf(text + strlen(text), "%u%s ", (unsigned)(uint32_t)ev->pos,
            ev->message->maybe_retransmitted ? "~" : "");
  }
}

static sctp_fixture *watched(sctp_fixture *w, char text[512]) {
  sctp_fixture_watch(w, on_message, text);
  w->log[0] = '\0';
  return w;
}

static void finished(sctp_fixture *w, const char *text, const char *due) {
  sctp_fixture_finish_watched(w, text, due, "");
}

/* A packet with one chunk that has no value. */
static void send_bare(sctp_fixture *w, unsigned side, unsigned type) {
  sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  sctp_fixture_chunk(w, type, 0, 4);
  sctp_fixture_push(w);
}

/* The handshake, as far as its packets are named, then a message of either side. */
static void handshake(const char *packets, const char *due) {
  char text[512];
  sctp_fixture *w = watched(sctp_fixture_new(), text);
  for (const char *at = packets; *at != '\0'; at++) {
    switch (*at) {
    case 'i': sctp_fixture_send_init(w, 0, 0, 0xA0A0, 100); break;
    case 'a': sctp_fixture_send_init(w, 1, 0xA0A0, 0xB0B0, 200); break;
    case 'e': send_bare(w, 0, SCTP_COOKIE_ECHO); break;
    default: send_bare(w, 1, SCTP_COOKIE_ACK); break;
    }
  }
  sctp_fixture_send(w, 0, 100, "x");
  sctp_fixture_send(w, 1, 200, "x");
  finished(w, text, due);
}

START_TEST(a_packet_of_the_handshake_is_missing)
{
  handshake("iaek", "100 200 ");
  handshake("ia", "100 200 "); /* the capture may leave both out */
  handshake("iak", "100~ 200~ ");
  handshake("iae", "100~ 200~ ");
  handshake("ieak", "100~ 200~ ");
  handshake("iake", "100~ 200~ ");
  handshake("ek", "100 200 "); /* it began before the capture */
}
END_TEST

START_TEST(data_comes_before_the_answer_to_the_cookie)
{
  char text[512];
  sctp_fixture *w = watched(sctp_fixture_open(100, 200), text);
  send_bare(w, 0, SCTP_COOKIE_ECHO);
  sctp_fixture_send(w, 1, 200, "early");
  send_bare(w, 1, SCTP_COOKIE_ACK);
  sctp_fixture_send(w, 0, 100, "x");
  finished(w, text, "200~ 100 ");
}
END_TEST

START_TEST(what_is_acknowledged_was_not_captured)
{
  char text[512];
  sctp_fixture *w = watched(sctp_fixture_open(100, 200), text);
  sctp_fixture_send(w, 0, 100, "x");
  sctp_fixture_send(w, 0, 102, "x");
  sctp_fixture_send_ack(w, 1, 100);
  sctp_fixture_send(w, 1, 200, "x");
  sctp_fixture_send_ack(w, 1, 102);
  sctp_fixture_send(w, 1, 201, "x");
  sctp_fixture_send(w, 0, 101, "x");
  sctp_fixture_send(w, 0, 103, "x");
  finished(w, text, "100 200 101~ 102~ 201~ 103~ ");
  w = watched(sctp_fixture_open(100, 200), text);
  sctp_fixture_send_ack(w, 1, 100);
  sctp_fixture_send(w, 0, 101, "x"); /* nothing of what is lost may come late */
  sctp_fixture_send(w, 1, 200, "x");
  finished(w, text, "101 200 ");
}
END_TEST

/* A SACK that reports so many chunks that came again. */
static void report(sctp_fixture *w, unsigned num) {
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_chunk(w, SACK, 0, 16 + 4 * num);
  sctp_fixture_put(w, 100, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, num, 4);
  for (unsigned i = 0; i < num; i++) {
    sctp_fixture_put(w, 100, 4);
  }
  sctp_fixture_push(w);
}

START_TEST(more_came_again_than_was_captured_again)
{
  for (unsigned extra = 0; extra < 2; extra++) {
    char text[512];
    sctp_fixture *w = watched(sctp_fixture_open(100, 200), text);
    sctp_fixture_send(w, 0, 100, "x");
    sctp_fixture_send(w, 0, 100, "x");
    sctp_fixture_send(w, 0, 102, "x");
    sctp_fixture_send(w, 0, 102, "x");
    report(w, 2);
    report(w, 2 + extra);
    sctp_fixture_send(w, 1, 200, "x");
    sctp_fixture_send(w, 0, 101, "x");
    finished(w, text, extra == 0 ? "100 200 101 102 " : "100 200~ 101~ 102~ ");
  }
}
END_TEST

/* 101 was captured with a wrong checksum first, which its receiver may not have seen. */
START_TEST(what_was_damaged_may_have_come)
{
  for (uint32_t damaged = 100; damaged < 104; damaged++) {
    char text[512];
    sctp_fixture *w = watched(sctp_fixture_open(100, 200), text);
    sctp_fixture_send(w, 0, 100, "x");
    w->bad = true;
    sctp_fixture_send(w, 0, damaged, "y");
    sctp_fixture_send(w, 1, 200, "x");
    sctp_fixture_send(w, 0, 101, "x");
    sctp_fixture_send(w, 1, 201, "x");
    finished(w, text, damaged == 101 ? "100 200 101~ 201~ " : "100 200 101 201 ");
  }
}
END_TEST

START_TEST(chunks_that_are_cut_off_are_not_known)
{
  for (unsigned cut = 0; cut < 24; cut += 4) {
    char text[512];
    sctp_fixture *w = watched(sctp_fixture_open(100, 200), text);
    sctp_fixture_begin(w, 0, 0xB0B0);
    sctp_fixture_data(w, 100, ALL, "x");
    sctp_fixture_data(w, 101, ALL, "x");
    w->cut = cut;
    sctp_fixture_push(w);
    sctp_fixture_send(w, 0, 101, "x");
    finished(w, text, cut == 20 ? "100~ 101~ " : "100 101 ");
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_packet_of_the_handshake_is_missing,
                                data_comes_before_the_answer_to_the_cookie,
                                what_is_acknowledged_was_not_captured,
                                more_came_again_than_was_captured_again,
                                what_was_damaged_may_have_come,
                                chunks_that_are_cut_off_are_not_known,
                                NULL};
  return check_run(check_suite("ingest-sctp-retransmitted", tests));
}
