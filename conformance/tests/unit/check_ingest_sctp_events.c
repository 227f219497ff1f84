/* SPDX-License-Identifier: BSD-2-Clause */
/* Every field of every event of SCTP associations, and what each of them follows from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "sctp_fixture.h"

/* ---- events in full ---- */

typedef struct story {
  sctp_fixture *w;
  char text[16384];
} story;

static void tell(story *t, const char *text) {
  ck_assert_uint_lt(strlen(t->text) + strlen(text), sizeof t->text);
  strcat(t->text, text);
}

static void tell_message(story *t, const ingest_sctp_message *m) {
  char text[320];
  snprintf(text, sizeof text,
           " %u/%u/%u fragments %u first #%u@%u received %u%s%s acked %u%s%s%s%s %zu/%zu=%.*s",
           m->stream, m->ssn, (unsigned)m->ppid, (unsigned)m->fragments, (unsigned)m->first_packet,
           (unsigned)m->first_time_ns, (unsigned)(uint32_t)m->received,
           m->received_all    ? "."
           : m->received_more ? "..."
                              : "",
           m->bundled_before != 0 ? " beside" : "", (unsigned)(uint32_t)m->acked,
           m->ordered ? " ordered" : "", m->needless ? " needless" : "",
           m->damaged ? " damaged" : "", m->cause_seen ? " cause" : "", m->cap, m->len, (int)m->cap,
           (const char *)m->data);
  tell(t, text);
}

static void tell_init(story *t, const ingest_sctp_init *init) {
  char text[160];
  snprintf(text, sizeof text, " %s%s tsn %u streams %u/%u", init->ack ? "ack" : "init",
           init->whole ? " whole" : "", (unsigned)init->tsn, init->out_streams, init->in_streams);
  tell(t, text);
  if (init->has_adaptation) {
    snprintf(text, sizeof text, " adaptation %x", (unsigned)init->adaptation);
    tell(t, text);
  }
}

/* Of a side: all from its first TSN on, from there but not all, or from the middle. */
static const char *certain(const ingest_sctp_event *ev, unsigned side) {
  if (ev->lossless[side]) {
    return ev->start_known[side] ? "=" : "?";
  }
  return ev->start_known[side] ? "-" : "~";
}

static void on_full(void *ctx, const ingest_sctp_event *ev) {
  static const char *const kinds[] = {"open", "init", "message", "lost", "close"};
  story *t = ctx;
  char text[240];
  snprintf(text, sizeof text, "%s %c:%u+%u #%u@%u %s%s%s%s%s%s", kinds[ev->kind], 'a' + ev->side,
           (unsigned)(uint32_t)ev->pos, (unsigned)ev->len, (unsigned)ev->packet,
           (unsigned)ev->time_ns, certain(ev, 0), certain(ev, 1),
           ev->snapped  ? " snapped"
           : ev->opaque ? " opaque"
                        : "",
           ev->end == INGEST_END_FIN   ? " fin"
           : ev->end == INGEST_END_RST ? " rst"
                                       : "",
           ev->limit != INGEST_LIMIT_NONE ? " limit " : "",
           ev->limit != INGEST_LIMIT_NONE ? ingest_limit_name(ev->limit) : "");
  tell(t, text);
  if (ev->init != NULL) {
    tell_init(t, ev->init);
  }
  if (ev->message != NULL) {
    tell_message(t, ev->message);
  }
  for (unsigned i = 0; i < 2 && ev->kind == INGEST_SCTP_OPEN; i++) {
    const uint8_t *ip = ev->addr[i].ip;
    snprintf(text, sizeof text, " %u:%u.%u.%u.%u:%u", ev->addr[i].family, ip[0], ip[1], ip[2],
             ip[3], ev->addr[i].port);
    tell(t, text);
  }
  tell(t, "\n");
}

static story *story_of(sctp_fixture *w) {
  story *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->w = w;
  w->quiet = true;
  w->event = on_full;
  w->event_ctx = t;
  return t;
}

static void story_end(story *t, const char *due) {
  ingest_finish(t->w->ing);
  sctp_fixture_drain(t->w);
  ck_assert_str_eq(t->text, due);
  t->w->event = NULL;
  sctp_fixture_finish(t->w, "");
  free(t);
}

/* ---- chunks with fields of their own ---- */

static void data_of(sctp_fixture *w, uint32_t tsn, unsigned flags, uint16_t stream, uint16_t ssn,
                    uint32_t ppid, const char *text) {
  const size_t n = strlen(text);
  sctp_fixture_chunk(w, DATA, flags, (unsigned)(16 + n));
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, (uint32_t)stream << 16 | ssn, 4);
  sctp_fixture_put(w, ppid, 4);
  for (size_t i = 0; i < (n + 3) / 4 * 4; i++) {
    sctp_fixture_put(w, i < n ? (uint8_t)text[i] : 0, 1);
  }
}

static void sack_of(sctp_fixture *w, uint32_t tsn, const uint32_t *gaps, unsigned n) {
  sctp_fixture_chunk(w, SACK, 0, 16 + 4 * n);
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, n << 16, 4);
  for (unsigned i = 0; i < n; i++) {
    sctp_fixture_put(w, gaps[i], 4);
  }
}

static void from_client(sctp_fixture *w) {
  sctp_fixture_begin(w, 0, 0xB0B0);
}

static void from_server(sctp_fixture *w) {
  sctp_fixture_begin(w, 1, 0xA0A0);
}

static void init_of(sctp_fixture *w, unsigned side, uint32_t tsn, uint32_t streams,
                    uint32_t adaptation) {
  sctp_fixture_begin(w, side, side == 0 ? 0 : 0xA0A0);
  sctp_fixture_chunk(w, side == 0 ? INIT : INIT_ACK, 0, 20 + 8 + 8);
  sctp_fixture_put(w, side == 0 ? 0xA0A0 : 0xB0B0, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, streams, 4);
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 0x00090008, 4); /* a parameter of no concern: Cookie Preservative */
  sctp_fixture_put(w, 7, 4);
  sctp_fixture_put(w, 0xC0060008, 4);
  sctp_fixture_put(w, adaptation, 4);
  sctp_fixture_push(w);
}

static story *opened(void) {
  sctp_fixture *w = sctp_fixture_new();
  story *t = story_of(w);
  init_of(w, 0, 100, 0x00080009, 1);
  init_of(w, 1, 200, 0x00070006, 0xFFFFFFFE);
  t->text[0] = '\0';
  return t;
}

START_TEST(every_field_of_a_whole_association)
{
  sctp_fixture *w = sctp_fixture_new();
  story *t = story_of(w);
  init_of(w, 0, 100, 0x00080009, 1);
  init_of(w, 1, 200, 0x00070006, 0xFFFFFFFE);
  from_client(w);
  data_of(w, 100, ORDERED, 0x0203, 0x0405, 0x06070809, "abcde");
  sctp_fixture_push(w);
  from_server(w);
  sack_of(w, 100, NULL, 0);
  data_of(w, 200, FIRST, 1, 2, 3, "1234");
  sctp_fixture_push(w);
  from_server(w);
  data_of(w, 201, LAST, 1, 9, 8, "567");
  sctp_fixture_push(w);
  from_client(w);
  sack_of(w, 201, NULL, 0);
  data_of(w, 101, ALL, 1, 1, 17, "f");
  w->time_back = 5;
  sctp_fixture_push(w);
  from_client(w);
  sctp_fixture_chunk(w, SHUTDOWN, 0, 8);
  sctp_fixture_put(w, 201, 4);
  sctp_fixture_push(w);
  from_server(w);
  sctp_fixture_chunk(w, SHUTDOWN_ACK, 0, 4);
  sctp_fixture_push(w);
  story_end(
      t, "open a:100+0 #1@10 =~ 4:10.0.0.1:40000 4:10.0.0.2:7174\n"
         "init a:100+0 #1@10 =~ init whole tsn 100 streams 8/9 adaptation 1\n"
         "init b:200+0 #2@20 == ack whole tsn 200 streams 7/6 adaptation fffffffe\n"
         "message a:100+1 #3@30 == 515/1029/101124105 fragments 1 first #3@30 received 0 acked 100 "
         "ordered 5/5=abcde\n"
         "message b:200+2 #5@50 == 1/2/3 fragments 2 first #4@40 received 101. acked 200 needless "
         "cause 7/7=1234567\n"
         "message a:101+1 #6@55 == 1/1/17 fragments 1 first #6@55 received 202. acked 101 cause "
         "1/1=f\n"
         "close a:102+0 #8@80 == fin\n");
}
END_TEST

/* The INIT is missing: the sender of the INIT ACK is still side 1. */
START_TEST(an_association_that_begins_with_an_init_ack)
{
  sctp_fixture *w = sctp_fixture_new();
  story *t = story_of(w);
  init_of(w, 1, 200, 0x00070006, 2);
  story_end(t, "open a:0+0 #1@10 ~= 4:10.0.0.1:40000 4:10.0.0.2:7174\n"
               "init b:200+0 #1@10 ~= ack whole tsn 200 streams 7/6 adaptation 2\n"
               "close a:0+0 #1@10 ~=\n");
}
END_TEST

static void say(story *t, unsigned side, uint32_t tsn, const char *text) {
  if (side == 0) {
    from_client(t->w);
  } else {
    from_server(t->w);
  }
  data_of(t->w, tsn, ALL, 0, 0, 16, text);
  sctp_fixture_push(t->w);
}

/* The server says it, by a packet with an earlier time. */
static void say_back(story *t, uint32_t back, uint32_t tsn, const char *text) {
  t->w->time_back = back;
  say(t, 1, tsn, text);
}

static void answer(story *t, uint32_t acked, uint32_t tsn, const char *text) {
  from_server(t->w);
  sack_of(t->w, acked, NULL, 0);
  data_of(t->w, tsn, ALL, 0, 0, 16, text);
  sctp_fixture_push(t->w);
}

/* What was acknowledged before goes on to be known; what is acknowledged less does not take it
 * back. */
START_TEST(what_a_message_knows_of_the_other_side)
{
  story *t = opened();
  for (uint32_t tsn = 100; tsn < 106; tsn++) {
    say(t, 0, tsn, "c");
  }
  t->text[0] = '\0';
  answer(t, 104, 200, "sure");
  say(t, 1, 201, "by the packet before");
  answer(t, 103, 202, "overtaken");
  say(t, 1, 203, "later");
  say_back(t, 50, 204, "captured before");
  say_back(t, 50, 205, "at the same time");
  say(t, 1, 206, "on");
  story_end(
      t,
      "message b:200+1 #9@90 == 0/0/16 fragments 1 first #9@90 received 105. acked 200 cause "
      "4/4=sure\n"
      "message b:201+1 #10@100 == 0/0/16 fragments 1 first #10@100 received 105 acked 200 20/20=by "
      "the packet before\n"
      "message b:202+1 #11@110 == 0/0/16 fragments 1 first #11@110 received 104. acked 200 cause "
      "9/9=overtaken\n"
      "message b:203+1 #12@120 == 0/0/16 fragments 1 first #12@120 received 105 acked 200 "
      "5/5=later\n"
      "message b:204+1 #13@80 == 0/0/16 fragments 1 first #13@80 received 0 acked 200 "
      "15/15=captured before\n"
      "message b:205+1 #14@90 == 0/0/16 fragments 1 first #14@90 received 105 acked 200 16/16=at "
      "the same time\n"
      "message b:206+1 #15@150 == 0/0/16 fragments 1 first #15@150 received 105 acked 200 2/2=on\n"
      "close a:106+0 #15@150 ==\n");
}
END_TEST

/* An acknowledgment that stands before a message, but was captured after it, was not known to its
 * sender. */
START_TEST(what_was_acknowledged_later_is_not_known_to_be_received)
{
  story *t = opened();
  sctp_fixture *w = t->w;
  from_client(w);
  sack_of(w, 200, NULL, 0);
  sctp_fixture_push(w);
  from_server(w);
  data_of(w, 200, ALL, 0, 0, 16, "before");
  data_of(w, 201, ALL, 0, 0, 16, "beside it");
  w->time_back = 11;
  sctp_fixture_push(w);
  say_back(t, 20, 202, "at the same time");
  story_end(t, "message b:200+1 #4@29 == 0/0/16 fragments 1 first #4@29 received 0 acked 0 "
               "6/6=before\n"
               "message b:201+1 #4@29 == 0/0/16 fragments 1 first #4@29 received 0 beside acked 0 "
               "9/9=beside it\n"
               "message b:202+1 #5@30 == 0/0/16 fragments 1 first #5@30 received 0 acked 201 "
               "16/16=at the same time\n"
               "close a:100+0 #5@30 ==\n");
}
END_TEST

/* Gaps 102 to 103 and 105 to 107, in a SACK of which the last `cut` words are not captured. */
static void gaps_of(unsigned cut, uint32_t captured, uint32_t received, bool more, bool cause) {
  static const uint32_t gaps[] = {0x00030004, 0x00060008};
  story *t = opened();
  sctp_fixture *w = t->w;
  for (uint32_t tsn = 100; tsn < captured; tsn++) {
    say(t, 0, tsn, "c");
  }
  t->text[0] = '\0';
  from_server(w);
  data_of(w, 200, ALL, 0, 0, 16, "s");
  sack_of(w, 99, gaps, 2);
  w->cut = (size_t)4 * cut;
  sctp_fixture_push(w);
  char due[160];
  snprintf(due, sizeof due,
           "message b:200+1 #%u@%u == 0/0/16 fragments 1 first #%u@%u received %u%s acked 200%s "
           "1/1=s\n",
           (unsigned)w->number, (unsigned)w->number * 10, (unsigned)w->number,
           (unsigned)w->number * 10, received, more ? "..." : "", cause ? " cause" : "");
  ck_assert_str_eq(t->text, due);
  t->text[0] = '\0';
  ingest_free(w->ing);
  free(w);
  free(t);
}

START_TEST(a_sack_says_how_far_its_gaps_reach)
{
  gaps_of(0, 108, 100, false, true); /* all that it names came out */
  gaps_of(0, 107, 100, true, false);
  gaps_of(1, 104, 100, false, false);
  gaps_of(1, 103, 100, true, false);
  gaps_of(2, 101, 100, false, false); /* there is something */
  gaps_of(2, 100, 100, true, false);
  gaps_of(3, 100, 0, false, false); /* that there are gaps is not captured */
}
END_TEST

/* Duplicate TSNs follow the gaps, and do not count as gaps. */
START_TEST(what_came_twice_is_no_gap)
{
  story *t = opened();
  for (uint32_t tsn = 100; tsn < 104; tsn++) {
    say(t, 0, tsn, "c");
  }
  t->text[0] = '\0';
  from_server(t->w);
  sctp_fixture_chunk(t->w, SACK, 0, 16 + 4 + 4);
  sctp_fixture_put(t->w, 100, 4);
  sctp_fixture_put(t->w, 65536, 4);
  sctp_fixture_put(t->w, 1u << 16 | 1, 4);
  sctp_fixture_put(t->w, 0x00020003, 4);
  sctp_fixture_put(t->w, 0x00FF00FF, 4);
  data_of(t->w, 200, ALL, 0, 0, 16, "s");
  sctp_fixture_push(t->w);
  story_end(
      t,
      "message b:200+1 #7@70 == 0/0/16 fragments 1 first #7@70 received 101 acked 200 cause 1/1=s\n"
      "close a:104+0 #7@70 ==\n");
}
END_TEST

/* ---- what is missing ---- */

START_TEST(every_field_of_a_loss)
{
  story *t = opened();
  sctp_fixture *w = t->w;
  say(t, 0, 103, "four");
  answer(t, 103, 201, "two");
  from_client(w);
  data_of(w, 104, ALL, 0, 0, 16, "a message that is cut");
  w->cut = 16;
  sctp_fixture_push(w);
  story_end(
      t,
      "lost a:100+3 #5@50 -= snapped\n"
      "message a:103+1 #3@30 -= 0/0/16 fragments 1 first #3@30 received 0 acked 100 4/4=four\n"
      "message a:104+1 #5@50 -= 0/0/16 fragments 1 first #5@50 received 0 acked 104 8/21=a messag\n"
      "lost b:200+1 #5@50 --\n"
      "message b:201+1 #4@40 -- 0/0/16 fragments 1 first #4@40 received 104. acked 200 3/3=two\n"
      "close a:105+0 #5@50 --\n");
}
END_TEST

/* Neither side can go on: first what the other one waits for is given up, no more than that. */
START_TEST(a_hole_is_given_up_as_far_as_an_answer_needs_it)
{
  story *t = opened();
  say(t, 0, 105, "six");
  answer(t, 102, 200, "answer");
  story_end(
      t,
      "lost a:100+3 #4@40 -=\n"
      "message b:200+1 #4@40 -= 0/0/16 fragments 1 first #4@40 received 103. acked 200 6/6=answer\n"
      "lost a:103+2 #4@40 -=\n"
      "message a:105+1 #3@30 -= 0/0/16 fragments 1 first #3@30 received 0 acked 100 3/3=six\n"
      "close a:106+0 #4@40 -=\n");
  t = opened();
  say(t, 0, 102, "three");
  answer(t, 104, 200, "answer");
  story_end(
      t,
      "lost a:100+2 #4@40 -=\n"
      "message a:102+1 #3@30 -= 0/0/16 fragments 1 first #3@30 received 0 acked 100 cause "
      "5/5=three\n"
      "lost a:103+2 #4@40 -=\n"
      "message b:200+1 #4@40 -= 0/0/16 fragments 1 first #4@40 received 105. acked 200 6/6=answer\n"
      "close a:105+0 #4@40 -=\n");
}
END_TEST

/* The same where the client waits for the server. */
START_TEST(a_hole_of_the_server_is_given_up_as_far_as_an_answer_needs_it)
{
  story *t = opened();
  sctp_fixture *w = t->w;
  say(t, 1, 205, "six");
  from_client(w);
  sack_of(w, 202, NULL, 0);
  data_of(w, 100, ALL, 0, 0, 16, "answer");
  sctp_fixture_push(w);
  story_end(
      t,
      "lost b:200+3 #4@40 =-\n"
      "message a:100+1 #4@40 =- 0/0/16 fragments 1 first #4@40 received 203. acked 100 6/6=answer\n"
      "lost b:203+2 #4@40 =-\n"
      "message b:205+1 #3@30 =- 0/0/16 fragments 1 first #3@30 received 0 acked 200 3/3=six\n"
      "close a:101+0 #4@40 =-\n");
}
END_TEST

/* A chunk that acknowledges another one. */
static void say_and_ack(story *t, unsigned side, uint32_t tsn, uint32_t acked) {
  sctp_fixture_begin(t->w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  sack_of(t->w, acked, NULL, 0);
  data_of(t->w, tsn, ALL, 0, 0, 16, "x");
  sctp_fixture_push(t->w);
}

/* The answer of a side waits, the other side's message that was captured after it does not. */
START_TEST(an_answer_that_was_captured_first_waits)
{
  for (unsigned side = 0; side < 2; side++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    w->log[0] = '\0';
    story t = {.w = w};
    const uint32_t tsn[2] = {100, 200};
    say_and_ack(&t, side, tsn[side], tsn[side ^ 1u]);
    ck_assert_str_eq(w->log, "");
    say(&t, side ^ 1u, tsn[side ^ 1u], "x");
    sctp_fixture_finish(w, side == 0 ? "b:200=x a:100=x* close2 " : "a:100=x b:200=x* close2 ");
  }
}
END_TEST

/* Each acknowledges the other, which cannot be: the one that was captured first comes first. */
START_TEST(of_two_answers_to_each_other_the_first_one_comes_first)
{
  for (unsigned side = 0; side < 2; side++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    w->log[0] = '\0';
    story t = {.w = w};
    const uint32_t tsn[2] = {100, 200};
    say_and_ack(&t, side, tsn[side], tsn[side ^ 1u]);
    say_and_ack(&t, side ^ 1u, tsn[side ^ 1u], tsn[side]);
    sctp_fixture_finish(w, side == 0 ? "a:100=x b:200=x* close2 " : "b:200=x a:100=x* close2 ");
  }
}
END_TEST

/* The question was captured after the answer and after what acknowledges that; `again`: it
 * acknowledges the answer itself, as what is sent again does. */
static void ask_late(unsigned side, bool again, const char *due) {
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->log[0] = '\0';
  story t = {.w = w};
  const uint32_t tsn[2] = {100, 200};
  const unsigned peer = side ^ 1u;
  say_and_ack(&t, side, tsn[side], tsn[peer]);
  say_and_ack(&t, peer, tsn[peer] + 1, tsn[side]);
  if (again) {
    say_and_ack(&t, peer, tsn[peer], tsn[side]);
  } else {
    say(&t, peer, tsn[peer], "x");
  }
  sctp_fixture_finish(w, due);
}

START_TEST(a_question_that_was_captured_late_comes_before_its_answer)
{
  ask_late(0, false, "b:200=x a:100=x* b:201=x* close2 ");
  ask_late(1, false, "a:100=x b:200=x* a:101=x* close2 ");
  ask_late(0, true, "b:200=x a:100=x* b:201=x* close2 ");
  ask_late(1, true, "a:100=x b:200=x* a:101=x* close2 ");
}
END_TEST

/* Both acknowledge in packets of their own, and the question has an earlier time than its sender's
 * last packet; `back`: how much. */
static void ask_earlier(unsigned side, uint64_t back, const char *due) {
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->log[0] = '\0';
  story t = {.w = w};
  const uint32_t tsn[2] = {100, 200};
  const unsigned peer = side ^ 1u;
  sctp_fixture_send_ack(w, side, tsn[peer]);
  say(&t, side, tsn[side], "x");
  sctp_fixture_send_ack(w, peer, tsn[side]);
  w->time_back = back;
  say(&t, peer, tsn[peer], "x");
  sctp_fixture_finish(w, due);
}

START_TEST(a_question_whose_time_shows_that_it_was_captured_late_comes_before_its_answer)
{
  ask_earlier(0, 11, "b:200=x a:100=x close2 ");
  ask_earlier(1, 11, "a:100=x b:200=x close2 ");
  ask_earlier(0, 10, "a:100=x b:200=x close2 ");
  ask_earlier(1, 10, "b:200=x a:100=x close2 ");
}
END_TEST

START_TEST(a_message_ends_where_the_next_chunk_does_not_go_on)
{
  const unsigned kinds[] = {DATA, DATA, DATA, 64};
  const unsigned flags[] = {LAST, LAST, FIRST, LAST};
  for (unsigned i = 0; i < 4; i++) {
    story *t = opened();
    sctp_fixture *w = t->w;
    from_client(w);
    data_of(w, 100, FIRST, 7, 0, 16, "begins");
    data_of(w, 101, MIDDLE, 7, 0, 16, "goes on");
    const size_t at = w->len;
    data_of(w, i == 0 ? 103 : 102, flags[i], i == 1 ? 8 : 7, 0, 16, "another");
    w->packet[at] = (uint8_t)kinds[i];
    sctp_fixture_push(w);
    story_end(t, i == 0   ? "lost a:100+2 #3@30 -=\n"
                            "lost a:102+1 #3@30 -=\n"
                            "lost a:103+1 #3@30 -=\n"
                            "close a:104+0 #3@30 -=\n"
                 : i == 3 ? "lost a:100+2 #3@30 -=\n"
                            "lost a:102+1 #3@30 -=\n"
                            "close a:103+0 #3@30 -= opaque\n"
                          : "lost a:100+2 #3@30 -=\n"
                            "lost a:102+1 #3@30 -=\n"
                            "close a:103+0 #3@30 -=\n");
  }
}
END_TEST

/* A chunk was sent before those with higher TSNs, whatever was captured first: it rests on no more
 * than they do. */
START_TEST(what_was_captured_late_knows_no_more_than_what_follows_it)
{
  story *t = opened();
  for (uint32_t tsn = 100; tsn < 106; tsn++) {
    say(t, 0, tsn, "c");
  }
  t->text[0] = '\0';
  answer(t, 101, 201, "later");
  answer(t, 104, 200, "sooner");
  answer(t, 104, 203, "later");
  answer(t, 102, 202, "sooner");
  story_end(
      t,
      "message b:200+1 #10@100 == 0/0/16 fragments 1 first #10@100 received 102 acked 200 cause "
      "6/6=sooner\n"
      "message b:201+1 #9@90 == 0/0/16 fragments 1 first #9@90 received 102. acked 200 cause "
      "5/5=later\n"
      "message b:202+1 #12@120 == 0/0/16 fragments 1 first #12@120 received 103. acked 200 cause "
      "6/6=sooner\n"
      "message b:203+1 #11@110 == 0/0/16 fragments 1 first #11@110 received 105. acked 200 cause "
      "5/5=later\n"
      "close a:106+0 #12@120 ==\n");
}
END_TEST

/* The octets of a message are there as far as they follow one another. */
START_TEST(a_message_of_which_a_fragment_is_cut)
{
  story *t = opened();
  sctp_fixture *w = t->w;
  from_client(w);
  data_of(w, 100, FIRST, 0, 0, 16, "abcdefgh");
  sctp_fixture_push(w);
  from_client(w);
  data_of(w, 101, MIDDLE, 0, 0, 16, "ijklmnop");
  w->cut = 5;
  sctp_fixture_push(w);
  from_client(w);
  data_of(w, 102, LAST, 0, 0, 16, "qrstuvwx");
  sctp_fixture_push(w);
  story_end(t, "message a:100+3 #5@50 == 0/0/16 fragments 3 first #3@30 received 0 acked 100 "
               "needless 11/24=abcdefghijk\n"
               "close a:103+0 #5@50 ==\n");
}
END_TEST

/* ---- ends ---- */

static void control(story *t, unsigned side, unsigned type, unsigned flags, unsigned len) {
  sctp_fixture_begin(t->w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  sctp_fixture_chunk(t->w, type, flags, len);
  if (len > 4) {
    sctp_fixture_put(t->w, side == 0 ? 199 : 99, 4);
  }
  sctp_fixture_push(t->w);
}

START_TEST(the_first_end_counts)
{
  enum { COMPLETE = 14 };
  static const struct {
    unsigned type[3];
    ingest_end end;
  } rows[] = {{{SHUTDOWN, SHUTDOWN_ACK, ABORT}, INGEST_END_FIN},
              {{SHUTDOWN, COMPLETE, ABORT}, INGEST_END_FIN},
              {{ABORT, SHUTDOWN, SHUTDOWN_ACK}, INGEST_END_RST},
              {{SHUTDOWN_ACK, COMPLETE, ABORT}, INGEST_END_CAPTURE},
              {{SHUTDOWN_ACK, SHUTDOWN, COMPLETE}, INGEST_END_FIN},
              {{SHUTDOWN, 5, 4}, INGEST_END_CAPTURE}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    story *t = opened();
    for (unsigned k = 0; k < 3; k++) {
      control(t, k % 2, rows[i].type[k], 0, rows[i].type[k] == SHUTDOWN ? 8 : 4);
    }
    ck_assert_str_eq(t->text, "");
    ingest_finish(t->w->ing);
    sctp_fixture_drain(t->w);
    char due[80];
    snprintf(due, sizeof due, "close a:100+0 #5@50 ==%s\n",
             rows[i].end == INGEST_END_FIN   ? " fin"
             : rows[i].end == INGEST_END_RST ? " rst"
                                             : "");
    ck_assert_str_eq(t->text, due);
    story_end(t, due);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      every_field_of_a_whole_association,
      an_association_that_begins_with_an_init_ack,
      what_a_message_knows_of_the_other_side,
      a_sack_says_how_far_its_gaps_reach,
      what_was_acknowledged_later_is_not_known_to_be_received,
      what_came_twice_is_no_gap,
      every_field_of_a_loss,
      a_hole_is_given_up_as_far_as_an_answer_needs_it,
      a_hole_of_the_server_is_given_up_as_far_as_an_answer_needs_it,
      an_answer_that_was_captured_first_waits,
      of_two_answers_to_each_other_the_first_one_comes_first,
      a_question_that_was_captured_late_comes_before_its_answer,
      a_question_whose_time_shows_that_it_was_captured_late_comes_before_its_answer,
      a_message_ends_where_the_next_chunk_does_not_go_on,
      what_was_captured_late_knows_no_more_than_what_follows_it,
      a_message_of_which_a_fragment_is_cut,
      the_first_end_counts,
      NULL};
  return check_run(check_suite("ingest-sctp-events", tests));
}
