/* SPDX-License-Identifier: BSD-2-Clause */
/* An INIT or INIT ACK that was captured after messages of its side. */
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "ingest/sctp_priv.h"
#include "sctp_fixture.h"

/* Of each message: side and TSN; "." where its side began is known, ":" of both; what its side had
 * of it acknowledged. Of what is lost: from where, and how many. */
static void on_event(void *ctx, const ingest_sctp_event *ev) {
  char *text = ctx;
  char *at = text + strlen(text);
  const char side = (char)('a' + ev->side);
  if (ev->kind == INGEST_SCTP_MESSAGE) {
    const bool *known = ev->start_known;
    sprintf(at, "%c%u%s%u ", side, (unsigned)(uint32_t)ev->pos,
            known[0] && known[1] ? ":" : (known[ev->side] ? "." : "-"),
            (unsigned)(uint32_t)ev->message->acked);
  } else if (ev->kind == INGEST_SCTP_LOST) {
    sprintf(at, "%c%u+%u ", side, (unsigned)(uint32_t)ev->pos, (unsigned)ev->len);
  }
}

/* Only the INIT has come: with which TSN side b begins is not known yet. */
static sctp_fixture *begun(char text[512]) {
  sctp_fixture *w = sctp_fixture_new_patient();
  sctp_fixture_watch(w, on_event, text);
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, 100);
  return w;
}

static void init_ack(sctp_fixture *w, uint32_t tsn) {
  sctp_fixture_send_init(w, 1, 0xA0A0, 0xB0B0, tsn);
}

static void finished(sctp_fixture *w, const char *text, const char *due) {
  sctp_fixture_finish_watched(w, text, due, "");
}

START_TEST(messages_wait_for_the_beginning)
{
  char text[512];
  sctp_fixture *w = begun(text);
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_send(w, 1, 201, "more");
  sctp_fixture_send(w, 1, 200, "answer");
  ck_assert_str_eq(text, "");
  init_ack(w, 200);
  finished(w, text, "a100:100 b200:200 b201:200 ");
}
END_TEST

START_TEST(what_is_missing_at_the_beginning_is_lost)
{
  char text[512];
  sctp_fixture *w = begun(text);
  sctp_fixture_send(w, 1, 210, "later");
  init_ack(w, 200);
  sctp_fixture_send(w, 0, 100, "other");
  finished(w, text, "a100:100 b200+10 b210:200 ");
}
END_TEST

/* What was taken for the beginning is no acknowledgment that another message waits for in vain. */
START_TEST(what_is_missing_at_the_beginning_is_waited_for)
{
  char text[512];
  sctp_fixture *w = begun(text);
  sctp_fixture_send(w, 1, 201, "more");
  for (unsigned i = 0; i < SCTP_WAIT_PACKETS - 4; i++) {
    sctp_fixture_send_ack(w, 1, 99);
  }
  init_ack(w, 200);
  for (unsigned i = 0; i < 2 * SCTP_PATIENCE_EVERY * SCTP_PATIENCE_STEPS; i++) {
    sctp_fixture_send_ack(w, 1, 99);
  }
  ck_assert_str_eq(text, "");
  sctp_fixture_send(w, 1, 200, "answer");
  finished(w, text, "b200:200 b201:200 ");
}
END_TEST

/* An acknowledgment that came is one, whatever was taken for the beginning. */
START_TEST(acknowledgments_stay)
{
  char text[512];
  sctp_fixture *w = begun(text);
  sctp_fixture_send(w, 1, 201, "more");
  sctp_fixture_send_ack(w, 0, 201);
  sctp_fixture_send(w, 1, 202, "more");
  init_ack(w, 200);
  finished(w, text, "b200+1 b201:200 b202:202 ");
}
END_TEST

START_TEST(the_beginning_is_waited_for_so_many_packets)
{
  char text[512];
  sctp_fixture *w = begun(text);
  sctp_fixture_send(w, 0, 100, "question");
  sctp_fixture_send(w, 1, 200, "answer");
  sctp_fixture_send_ack(w, 1, 100);
  for (unsigned i = 0; i < SCTP_WAIT_PACKETS - 5; i++) {
    sctp_fixture_send_ack(w, 0, 200);
  }
  ck_assert_str_eq(text, "");
  sctp_fixture_send_ack(w, 0, 200);
  ck_assert_str_eq(text, "a100.100 b200-200 ");
  init_ack(w, 200);
  sctp_fixture_send(w, 1, 201, "late");
  finished(w, text, "a100.100 b200-200 b201-201 ");
}
END_TEST

/* Nothing shows that the capture has the beginning, or nothing may wait. */
START_TEST(what_came_out_has_no_beginning)
{
  for (unsigned prompt = 0; prompt < 2; prompt++) {
    char text[512];
    sctp_fixture *w = prompt ? sctp_fixture_new() : sctp_fixture_new_patient();
    sctp_fixture_watch(w, on_event, text);
    sctp_fixture_send(w, 1, 201, "more");
    ck_assert_str_eq(text, "a201-201 ");
    sctp_fixture_send(w, 1, 200, "answer");
    init_ack(w, 200);
    finished(w, text, "a201-201 ");
  }
}
END_TEST

/* What a limit cost was reported: nothing comes before that any more. */
START_TEST(what_was_lost_has_no_beginning)
{
  char text[512];
  sctp_fixture *w = begun(text);
  w->budget = w->live + 10;
  sctp_fixture_send(w, 1, 207, "no memory");
  w->budget = 0;
  ck_assert_str_eq(text, "b207+0 ");
  sctp_fixture_send(w, 1, 200, "answer");
  init_ack(w, 200);
  sctp_fixture_send(w, 1, 208, "more");
  finished(w, text, "b207+0 b207+1 b208-207 ");
}
END_TEST

/* No beginning of the captured octets, and a beginning that was not received. */
START_TEST(another_beginning_proves_nothing)
{
  static const uint32_t tsn[] = {201, 200u - SCTP_SANE - 1u, 200};
  for (unsigned how = 0; how < 3; how++) {
    char text[512];
    sctp_fixture *w = begun(text);
    w->bad = how == 2;
    sctp_fixture_send(w, 1, 200, "answer");
    w->bad = how == 2;
    init_ack(w, tsn[how]);
    finished(w, text, "b200-200 ");
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {messages_wait_for_the_beginning,
                                what_is_missing_at_the_beginning_is_lost,
                                what_is_missing_at_the_beginning_is_waited_for,
                                acknowledgments_stay,
                                the_beginning_is_waited_for_so_many_packets,
                                what_came_out_has_no_beginning,
                                what_was_lost_has_no_beginning,
                                another_beginning_proves_nothing,
                                NULL};
  return check_run(check_suite("ingest-sctp-start", tests));
}
