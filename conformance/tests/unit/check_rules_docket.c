/* SPDX-License-Identifier: BSD-2-Clause */
/* The docket: which events answer which open questions, and which rules judge by the answers. */
#include "check_run.h"
#include "rules/catalog.h"
#include "rules/docket.h"
#include "rules/state.h"

/* A question, as the table of the docket has it. */
struct question {
  const char *name;
  uint16_t rule;
  uint32_t until;
};

static const struct question questions[QUESTIONS] = {
#define QUESTION_ROW(name, by, events, answered) {#name, RULES_##by, (events)},
    RULES_QUESTION_MAP(QUESTION_ROW)
#undef QUESTION_ROW
};

static const struct {
  uint32_t until;
  uint32_t events; /* that the rule has to ask for */
} listens[] = {
    {UNTIL_END, RULES_ON_END},
    {UNTIL_PEER_STARTUP, RULES_ON_STARTUP},
};

START_TEST(the_rule_of_a_question_listens_to_the_events_that_answer_it)
{
  for (size_t i = 0; i < QUESTIONS; i++) {
    const struct question *q = &questions[i];
    ck_assert_msg(q->until != 0, "%s: no event answers it", q->name);
    for (size_t k = 0; q->rule < RULES_COUNT && k < sizeof(listens) / sizeof(listens[0]); k++) {
      const bool asks = (rulesi_rows[q->rule].events & listens[k].events) == listens[k].events;
      ck_assert_msg((q->until & listens[k].until) == 0 || asks,
                    "%s: its rule does not ask for the event", q->name);
    }
  }
}
END_TEST

static struct rules_tracker state;

static struct rules_event event_of(const iwarp_event *ev) {
  return (struct rules_event){.ctx = {.track = &state, .ev = ev}, .state = &state};
}

/* The questions of side 0 that the event may answer when all are open. */
static uint32_t answers(iwarp_event_kind kind, uint8_t side) {
  const iwarp_event ev = {.kind = kind, .side = side};
  struct rules_event event = event_of(&ev);
  state.side[0].docket.open = (1u << QUESTIONS) - 1u;
  state.side[1].docket.open = 0;
  rulesi_docket_match(&event.ctx);
  ck_assert_uint_eq(event.ctx.facts.answers[1], 0);
  return event.ctx.facts.answers[0];
}

static const struct {
  iwarp_event_kind kind;
  uint8_t side;
  uint32_t until;
} events[] = {
    {IWARP_EVENT_FPDU, 0, UNTIL_OWN_NEXT},
    {IWARP_EVENT_FPDU, 1, UNTIL_PEER_NEXT},
    {IWARP_EVENT_STARTUP, 0, UNTIL_OWN_NEXT},
    {IWARP_EVENT_STARTUP, 1, UNTIL_PEER_NEXT | UNTIL_PEER_STARTUP},
    {IWARP_EVENT_END, 0, UNTIL_OWN_NEXT | UNTIL_OWN_END},
    {IWARP_EVENT_END, 1, UNTIL_PEER_NEXT | UNTIL_PEER_END},
};

START_TEST(an_event_answers_the_questions_that_name_it)
{
  const uint32_t answered = answers(events[_i].kind, events[_i].side);
  for (size_t i = 0; i < QUESTIONS; i++) {
    ck_assert_msg((answered >> i & 1u) == ((questions[i].until & events[_i].until) != 0), "%s",
                  questions[i].name);
  }
}
END_TEST

START_TEST(a_question_without_an_answer_stays_open)
{
  const iwarp_event ev = {.kind = IWARP_EVENT_FPDU};
  struct rules_event event = event_of(&ev);
  state.side[0].docket.open = 1u << QUESTION_PD_SHORT;
  rulesi_docket_match(&event.ctx);
  rulesi_docket_close(&event.ctx);
  ck_assert(rules_is_open(&state.side[0].docket, QUESTION_PD_SHORT));
}
END_TEST

START_TEST(an_answered_question_is_closed_and_others_are_not)
{
  const iwarp_event ev = {.kind = IWARP_EVENT_END};
  struct rules_event event = event_of(&ev);
  state.side[0].docket.open = 1u << QUESTION_PD_SHORT | 1u << QUESTION_PARTS;
  rulesi_docket_match(&event.ctx);
  rulesi_docket_close(&event.ctx);
  ck_assert_uint_eq(state.side[0].docket.open, 1u << QUESTION_PARTS);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_rule_of_a_question_listens_to_the_events_that_answer_it,
                                a_question_without_an_answer_stays_open,
                                an_answered_question_is_closed_and_others_are_not, NULL};
  Suite *s = check_suite("rules-docket", tests);
  TCase *t = tcase_create("events");
  tcase_add_loop_test(t, an_event_answers_the_questions_that_name_it, 0,
                      (int)(sizeof(events) / sizeof(events[0])));
  suite_add_tcase(s, t);
  return check_run(s);
}
