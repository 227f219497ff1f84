/* SPDX-License-Identifier: BSD-2-Clause */
/* The session engine over SCTP: every cell of its table, order, sessions. */
#include <stdalign.h>
#include <string.h>

#include "../../src/sctp/session_send.h"
#include "check_run.h"
#include "session_run.h"

static alignas(max_align_t) uint8_t memory[8192];

/* ---- the table ---- */

/*
 * For each state: the messages that lead to it ("0I" is an Initiate of side 0), and the result of
 * each message of side 0 and then of side 1. The messages are Initiate, Accept, Reject, Terminate,
 * Segment, Other. The results are L legal, N note, X illegal, S stray, and the state after it.
 */
typedef struct row {
  iwarp_sctp_state state;
  const char *path;
  const char *name;
  const char *cells[2];
} row;

static const row rows[] = {
    {ST(IDLE),
     "",
     "idle",
     {"L:init-sent S:idle S:idle S:idle S:idle S:idle",
      "L:pending S:idle S:idle S:idle S:idle S:idle"}},
    {ST(INIT_SENT),
     "0I",
     "init-sent",
     {"X:init-sent X:init-sent X:init-sent N:gave-up N:init-sent X:init-sent",
      "X:init-sent L:established L:refused L:refused X:init-sent X:init-sent"}},
    {ST(PENDING),
     "1I",
     "pending",
     {"X:pending L:established L:refusing L:refusing X:pending X:pending",
      "X:pending X:pending X:pending N:abandoned N:pending X:pending"}},
    {ST(EST),
     "0I1A",
     "established",
     {"X:established X:established X:established L:t-sent L:established X:established",
      "X:established X:established X:established L:t-received L:established X:established"}},
    {ST(T_SENT),
     "1I0A0T",
     "t-sent",
     {"X:t-sent X:t-sent X:t-sent X:t-sent X:t-sent X:t-sent",
      "X:t-sent X:t-sent X:t-sent L:drain L:t-sent X:t-sent"}},
    {ST(T_RCVD),
     "0I1A1T",
     "t-received",
     {"X:t-received X:t-received X:t-received L:drain L:t-received X:t-received",
      "X:t-received X:t-received X:t-received X:t-received X:t-received X:t-received"}},
    {ST(GAVE_UP),
     "0I0T",
     "gave-up",
     {"X:gave-up X:gave-up X:gave-up X:gave-up X:gave-up X:gave-up",
      "X:gave-up N:t-sent N:drain L:drain X:gave-up X:gave-up"}},
    {ST(ABANDONED),
     "1I1T",
     "abandoned",
     {"X:abandoned N:t-received N:drain L:drain X:abandoned X:abandoned",
      "X:abandoned X:abandoned X:abandoned X:abandoned X:abandoned X:abandoned"}},
    {ST(REFUSED),
     "0I1R",
     "refused",
     {"L:init-sent X:refused X:refused N:drain N:refused X:refused",
      "L:pending X:refused X:refused X:refused X:refused X:refused"}},
    {ST(REFUSING),
     "1I0T",
     "refusing",
     {"L:init-sent X:refusing X:refusing X:refusing X:refusing X:refusing",
      "L:pending X:refusing X:refusing N:drain N:refusing X:refusing"}},
    {ST(DRAIN),
     "0I1A0T1T",
     "drain",
     {"L:init-sent X:drain X:drain X:drain X:drain X:drain",
      "L:pending X:drain X:drain X:drain X:drain X:drain"}},
};

#define NUM_ROWS (sizeof rows / sizeof rows[0])

static const char kind_letters[] = "IARTSO";

/* Drives an observer to the state of a row. */
static iwarp_sctp_session *drive(const row *r) {
  iwarp_sctp_session *s = session_observer();
  for (const char *p = r->path; *p != '\0'; p += 2) {
    uint8_t side = (uint8_t)(*p - '0');
    iwarp_sctp_kind kind = (iwarp_sctp_kind)(strchr(kind_letters, p[1]) - kind_letters);
    session_put(s, side, kind, iwarp_sctp_session_info_get(s).next[side]);
  }
  ck_assert_int_eq(iwarp_sctp_session_info_get(s).state, r->state);
  return s;
}

/* The cell written in the row; a space ends it. */
static void check_cell(const char *cell, iwarp_sctp_verdict verdict, iwarp_sctp_state state) {
  const char *name = iwarp_sctp_state_name(state);
  ck_assert_msg(cell[0] == "LNXS"[verdict], "%s: verdict %d", cell, (int)verdict);
  ck_assert_msg(strcspn(cell + 2, " ") == strlen(name) &&
                    strncmp(cell + 2, name, strlen(name)) == 0,
                "%s: state %s", cell, name);
}

static bool starts_again(const row *r, iwarp_sctp_kind kind) {
  return kind == INITIATE && (r->state == ST(IDLE) || r->state >= ST(REFUSED));
}

START_TEST(every_cell_of_the_table)
{
  ck_assert_uint_eq(NUM_ROWS, IWARP_SCTP_NUM_STATES);
  for (size_t i = 0; i < NUM_ROWS; i++) {
    ck_assert_int_eq(rows[i].state, (int)i);
    ck_assert_str_eq(iwarp_sctp_state_name(rows[i].state), rows[i].name);
    for (uint8_t side = 0; side < 2; side++) {
      const char *cell = rows[i].cells[side];
      for (unsigned k = 0; k < IWARP_SCTP_NUM_KINDS; k++) {
        iwarp_sctp_kind kind = (iwarp_sctp_kind)k;
        iwarp_sctp_cell got = iwarp_sctp_step(rows[i].state, side == 0, kind);
        check_cell(cell, got.verdict, got.next);
        iwarp_sctp_session *s = drive(&rows[i]);
        uint16_t due = iwarp_sctp_session_info_get(s).next[side];
        iwarp_sctp_session_event ev =
            session_put(s, side, kind, starts_again(&rows[i], kind) ? 0 : due);
        check_cell(cell, ev.verdict, ev.state);
        bool used = ev.verdict <= IWARP_SCTP_NOTE;
        ck_assert((ev.reason == IWARP_SCTP_REASON_NONE) == used);
        ck_assert((ev.kind == IWARP_SCTP_SESSION_EVENT_DISCARDED) == !used);
        ck_assert(!used || (ev.kind == IWARP_SCTP_SESSION_EVENT_SEGMENT) == (kind == SEGMENT));
        ck_assert_int_eq(ev.message, kind);
        cell += strcspn(cell, " ");
        cell += *cell == ' ' ? 1 : 0;
      }
      ck_assert_msg(*cell == '\0', "%s: more cells", rows[i].name);
    }
  }
}
END_TEST

START_TEST(values_outside_the_table)
{
  iwarp_sctp_cell cell = iwarp_sctp_step((iwarp_sctp_state)11, false, INITIATE);
  ck_assert_int_eq(cell.verdict, IWARP_SCTP_ILLEGAL);
  ck_assert_int_eq((int)cell.next, 11);
  cell = iwarp_sctp_step(ST(EST), true, (iwarp_sctp_kind)6);
  ck_assert_int_eq(cell.verdict, IWARP_SCTP_ILLEGAL);
  ck_assert_int_eq(cell.next, ST(EST));
  ck_assert_str_eq(iwarp_sctp_state_name((iwarp_sctp_state)11), "unknown");
}
END_TEST

/* ---- configuration ---- */

START_TEST(sizes_and_arguments)
{
  iwarp_sctp_session *s = NULL;
  iwarp_sctp_session_cfg cfg = {.size = sizeof cfg, .window = 1};
  ck_assert_uint_eq(iwarp_sctp_session_size(0), 0);
  ck_assert_uint_eq(iwarp_sctp_session_size(IWARP_SCTP_WINDOW_MAX + 1), 0);
  size_t slots = iwarp_sctp_session_size(2) - iwarp_sctp_session_size(1);
  ck_assert_uint_eq(iwarp_sctp_session_size(IWARP_SCTP_WINDOW_MAX) - iwarp_sctp_session_size(1),
                    slots * (IWARP_SCTP_WINDOW_MAX - 1));
  ck_assert_uint_lt(iwarp_sctp_session_size(1) - slots, 1024); /* the state without its buffers */
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory, iwarp_sctp_session_size(1) - 1, &cfg),
                   IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory, iwarp_sctp_session_size(1), &cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_init(NULL, memory, 8192, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_init(&s, NULL, 8192, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory, 8192, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory + 1, 8000, &cfg), IWARP_ERR_ARG);
  cfg.joined = true; /* an endpoint joins nothing */
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory, 8192, &cfg), IWARP_ERR_ARG);
  cfg.joined = false;
  cfg.window = 0;
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory, 8192, &cfg), IWARP_ERR_ARG);
  cfg.window = 1;
  cfg.size = 1;
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory, 8192, &cfg), IWARP_ERR_ARG);
}
END_TEST

/* ---- order ---- */

/* The passive side sends Accept, S, S back to back; they arrive as S(2), A(0), S(1). */
START_TEST(accept_is_overtaken)
{
  iwarp_sctp_session *s = session_observer();
  session_put(s, 0, INITIATE, 0);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 2), IWARP_OK);
  session_expect_end(s);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).held, 1);
  ck_assert_int_eq(session_put(s, 1, ACCEPT, 0).state, ST(EST));
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 1), IWARP_OK);
  ck_assert_int_eq(session_push(s, 0, SEGMENT, 1),
                   IWARP_ERR_STATE); /* something is to be reported first */
  ck_assert_uint_eq(session_next(s).ssn, 1);
  iwarp_sctp_session_event ev = session_next(s);
  ck_assert_uint_eq(ev.ssn, 2);
  ck_assert_int_eq(ev.kind, IWARP_SCTP_SESSION_EVENT_SEGMENT);
  ck_assert_uint_eq(ev.segment.len, 2);
  ck_assert_uint_eq(ev.segment.ptr[0], 0xD0);
  session_expect_end(s);
  ck_assert_int_eq(session_push(s, 0, SEGMENT, 1), IWARP_OK);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 3), IWARP_ERR_STATE);
}
END_TEST

/* Brings the DDP-SSN expected from side 1 to `due`. */
static iwarp_sctp_session *established(uint16_t due) {
  iwarp_sctp_session *s = session_observer();
  session_put(s, 0, INITIATE, 0);
  session_put(s, 1, ACCEPT, 0);
  for (uint16_t ssn = 1; ssn != due; ssn++) {
    session_put(s, 1, SEGMENT, ssn);
  }
  return s;
}

START_TEST(ddp_ssns_wrap)
{
  iwarp_sctp_session *s = established(65534);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 65535), IWARP_OK);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 0), IWARP_OK);
  session_expect_end(s);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 65534), IWARP_OK);
  ck_assert_uint_eq(session_next(s).ssn, 65534);
  ck_assert_uint_eq(session_next(s).ssn, 65535);
  ck_assert_uint_eq(session_next(s).ssn, 0);
  session_expect_end(s);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).next[1], 1);
}
END_TEST

START_TEST(ddp_ssns_that_are_not_valid)
{
  static const uint16_t bad[] = {9, 32777, 65535, 0};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    iwarp_sctp_session *s = established(10);
    ck_assert_int_eq(session_push(s, 1, SEGMENT, 17),
                     IWARP_OK); /* the last one within the window */
    ck_assert_int_eq(session_push(s, 1, SEGMENT, 18), IWARP_ERR_NOBUF);
    ck_assert_int_eq(session_push(s, 1, SEGMENT, 32776), IWARP_ERR_NOBUF);
    iwarp_sctp_session_event ev = session_put(s, 1, SEGMENT, bad[i]);
    ck_assert_int_eq(ev.verdict, IWARP_SCTP_ILLEGAL);
    ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_SSN);
    ck_assert_int_eq(ev.message, OTHER);
    ck_assert_int_eq(session_put(s, 1, SEGMENT, 17).reason,
                     IWARP_SCTP_REASON_SSN); /* held already */
    ck_assert_uint_eq(iwarp_sctp_session_info_get(s).held, 1);
  }
}
END_TEST

START_TEST(largest_window)
{
  static alignas(max_align_t) uint8_t large[8u << 20];
  iwarp_sctp_session_cfg cfg = {
      .size = sizeof cfg, .observer = true, .window = IWARP_SCTP_WINDOW_MAX};
  iwarp_sctp_session *s = NULL;
  ck_assert_int_eq(iwarp_sctp_session_init(&s, large, sizeof large, &cfg), IWARP_OK);
  session_put(s, 0, INITIATE, 0);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 32766), IWARP_OK);
  session_expect_end(s);
  ck_assert_int_eq(session_put(s, 1, SEGMENT, 32767).reason, IWARP_SCTP_REASON_SSN);
}
END_TEST

START_TEST(gaps_of_a_capture)
{
  iwarp_sctp_session_event ev;
  iwarp_sctp_session *s = established(5);
  ck_assert_int_eq(iwarp_sctp_session_skip(s, 1, &ev), IWARP_ERR_STATE); /* nothing is held */
  ck_assert_int_eq(iwarp_sctp_session_skip(s, 2, &ev), IWARP_ERR_ARG);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 8), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_skip(s, 1, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_SCTP_SESSION_EVENT_GAP);
  ck_assert_uint_eq(ev.ssn, 5);
  ck_assert_uint_eq(ev.missing, 3);
  ck_assert_int_eq(iwarp_sctp_session_skip(s, 1, &ev), IWARP_ERR_STATE); /* 8 is to be reported */
  ev = session_next(s);
  ck_assert_uint_eq(ev.ssn, 8);
  ck_assert(ev.inconclusive && ev.verdict == IWARP_SCTP_LEGAL);
  ck_assert(iwarp_sctp_session_info_get(s).inconclusive);
  session_put(s, 0, TERMINATE, 1);
  session_put(s, 1, TERMINATE, 9);
  ck_assert(!session_put(s, 0, INITIATE, 0).inconclusive); /* a new session is complete again */
  iwarp_sctp_session *endpoint = session_make(1, (iwarp_sctp_session_cfg){0});
  ck_assert_int_eq(iwarp_sctp_session_skip(endpoint, 1, &ev), IWARP_ERR_STATE);
}
END_TEST

START_TEST(joined_in_the_middle)
{
  iwarp_sctp_session *s =
      session_make(0, (iwarp_sctp_session_cfg){.observer = true, .joined = true});
  iwarp_sctp_session_event ev = session_put(s, 1, SEGMENT, 4711);
  ck_assert(ev.inconclusive && ev.kind == IWARP_SCTP_SESSION_EVENT_SEGMENT && ev.session == 1);
  session_put(s, 0, SEGMENT, 65535);
  session_put(s, 0, TERMINATE, 0);
  ck_assert_int_eq(session_put(s, 1, TERMINATE, 4712).state, ST(DRAIN));
}
END_TEST

/* ---- messages without a place ---- */

static iwarp_sctp_session_event put_octets(iwarp_sctp_session *s, uint32_t ppid,
                                           const uint8_t *octets, size_t len) {
  iwarp_sctp_message message = {.ppid = ppid, .user_data = {octets, len}, .token = 99};
  ck_assert_int_eq(iwarp_sctp_session_push(s, 1, &message), IWARP_OK);
  iwarp_sctp_session_event ev = session_next(s);
  ck_assert_uint_eq(ev.token, 99);
  session_expect_end(s);
  return ev;
}

START_TEST(messages_that_are_malformed)
{
  uint8_t octets[600] = {0, 1, 0, 4};
  iwarp_sctp_session *s = established(1);
  ck_assert_int_eq(put_octets(s, 18, octets, 20).reason, IWARP_SCTP_REASON_PPID);
  ck_assert_int_eq(put_octets(s, 16, octets, 1).reason, IWARP_SCTP_REASON_SHORT);
  ck_assert_int_eq(put_octets(s, 17, octets, 3).reason, IWARP_SCTP_REASON_SHORT);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).next[1], 1); /* none of them was counted */
  iwarp_sctp_session_event ev = put_octets(s, 17, octets, 6);   /* Terminate, two octets after it */
  ck_assert_int_eq(ev.state, ST(T_RCVD));
  ck_assert_uint_eq(ev.control.private_data.len, 2);
  s = session_observer();
  session_put(s, 0, INITIATE, 0);
  octets[1] = 0;
  octets[3] = 2;
  ck_assert_int_eq(put_octets(s, 17, octets, 517).reason, IWARP_SCTP_REASON_LENGTH);
  octets[1] = 1;
  octets[3] = 6; /* of the other form, though long enough; then too short for its form */
  ck_assert_int_eq(put_octets(s, 17, octets, 8).reason, IWARP_SCTP_REASON_FUNCTION);
  octets[1] = 2;
  ck_assert_int_eq(put_octets(s, 17, octets, 7).reason, IWARP_SCTP_REASON_LENGTH);
  octets[1] = 1; /* the length is reported, not the repeated DDP-SSN */
  ck_assert_int_eq(put_octets(s, 17, octets, 7).reason, IWARP_SCTP_REASON_LENGTH);
  octets[1] = 3;
  octets[3] = 2;
  ck_assert_int_eq(put_octets(s, 17, octets, 516).state, ST(EST));
  s = session_observer();
  octets[1] = 0;
  octets[3] = 5;
  ck_assert_int_eq(put_octets(s, 17, octets, 8).state, ST(PENDING));
  octets[3] = 7; /* of a Reject RFC 6581 7 does not ask the enhanced data */
  const iwarp_sctp_message refusal = {.ppid = 17, .user_data = {octets, 4}};
  ck_assert_int_eq(iwarp_sctp_session_push(s, 0, &refusal), IWARP_OK);
  ck_assert_int_eq(session_next(s).state, ST(REFUSING));
  s = session_observer(); /* no session: nothing to terminate */
  ev = put_octets(s, 18, octets, 20);
  ck_assert(ev.verdict == IWARP_SCTP_STRAY && ev.reason == IWARP_SCTP_REASON_PPID);
}
END_TEST

START_TEST(enhanced_sessions)
{
  static const struct {
    uint8_t answer;
    bool enhanced;
    bool legal;
  } cases[] = {{2, false, true},  {6, false, false}, {3, false, true},
               {7, false, false}, {2, true, false},  {6, true, true},
               {3, true, true},   {7, true, true},   {4, true, true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t initiate[8] = {0, 0, 0, cases[i].enhanced ? 5 : 1, 0x80, 8, 0xC0, 4};
    uint8_t answer[8] = {0, 0, 0, cases[i].answer, 0x80, 8, 0xC0, 4};
    iwarp_sctp_session *s = session_observer();
    iwarp_sctp_message message = {.ppid = 17, .user_data = {initiate, 8}};
    ck_assert_int_eq(iwarp_sctp_session_push(s, 0, &message), IWARP_OK);
    iwarp_sctp_session_event ev = session_next(s);
    ck_assert_uint_eq(iwarp_sctp_control_enhanced(&ev.control).len, cases[i].enhanced ? 4 : 0);
    ck_assert(iwarp_sctp_session_info_get(s).enhanced == cases[i].enhanced);
    ev = put_octets(s, 17, answer, 8);
    ck_assert_msg((ev.verdict == IWARP_SCTP_LEGAL) == cases[i].legal, "case %zu", i);
    ck_assert_int_eq(ev.reason,
                     cases[i].legal ? IWARP_SCTP_REASON_NONE : IWARP_SCTP_REASON_FUNCTION);
  }
}
END_TEST

START_TEST(form_of_an_answer_is_not_judged_without_its_initiate)
{
  const uint8_t reject[8] = {0, 9, 0, 7};
  iwarp_sctp_session *s =
      session_make(0, (iwarp_sctp_session_cfg){.observer = true, .joined = true});
  ck_assert_int_eq(put_octets(s, 17, reject, 8).reason, IWARP_SCTP_REASON_SEQUENCE);
  for (uint8_t function = 6; function <= 7; function++) {
    const uint8_t answer[8] = {0, 0, 0, function};
    const iwarp_sctp_session_event ev = put_octets(session_observer(), 17, answer, 8);
    ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_NO_SESSION);
    ck_assert_int_eq(ev.verdict, IWARP_SCTP_STRAY);
  }
}
END_TEST

/* ---- sessions that follow each other ---- */

START_TEST(session_after_a_single_terminate)
{
  static const char *const paths[] = {"1I0A0T", "0I1A1T", "1I1T"};
  for (size_t i = 0; i < 3; i++) {
    const row r = {.state = i == 0   ? ST(T_SENT)
                            : i == 1 ? ST(T_RCVD)
                                     : ST(ABANDONED),
                   .path = paths[i]};
    iwarp_sctp_session *s = drive(&r);
    iwarp_sctp_session_event ev = session_put(s, 1, INITIATE, 0);
    ck_assert_int_eq(ev.verdict, IWARP_SCTP_NOTE);
    ck_assert_int_eq(ev.state, ST(PENDING));
    ck_assert_uint_eq(ev.session, 2);
  }
  iwarp_sctp_session *s = drive(&(row){.state = ST(GAVE_UP), .path = "0I0T"});
  ck_assert_int_eq(session_put(s, 0, INITIATE, 0).verdict, IWARP_SCTP_NOTE);
  ck_assert_int_eq(iwarp_sctp_session_info_get(s).state, ST(INIT_SENT));
}
END_TEST

START_TEST(what_is_held_does_not_pass_into_the_next_session)
{
  iwarp_sctp_session *s = drive(&rows[ST(DRAIN)]);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 7), IWARP_OK);
  ck_assert_int_eq(session_push(s, 0, SEGMENT, 5), IWARP_OK);
  session_expect_end(s);
  ck_assert_int_eq(session_push(s, 0, INITIATE, 0), IWARP_OK);
  for (size_t i = 0; i < 2; i++) {
    iwarp_sctp_session_event ev = session_next(s);
    ck_assert_int_eq(ev.kind, IWARP_SCTP_SESSION_EVENT_DISCARDED);
    ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_OVER);
    ck_assert_uint_eq(ev.session, 1);
    ck_assert_int_eq(session_push(s, 1, SEGMENT, 1), IWARP_ERR_STATE);
  }
  iwarp_sctp_session_event ev = session_next(s);
  ck_assert_uint_eq(ev.session, 2);
  ck_assert_int_eq(ev.state, ST(INIT_SENT));
  session_expect_end(s);
}
END_TEST

START_TEST(initiate_begins_with_ddp_ssn_0)
{
  iwarp_sctp_session *s = session_observer();
  iwarp_sctp_session_event ev = session_put(s, 0, INITIATE, 1);
  ck_assert(ev.verdict == IWARP_SCTP_STRAY && ev.reason == IWARP_SCTP_REASON_SSN);
  s = drive(&rows[ST(DRAIN)]);
  ev = session_put(s, 1, INITIATE, iwarp_sctp_session_info_get(s).next[1]);
  ck_assert(ev.verdict == IWARP_SCTP_ILLEGAL && ev.reason == IWARP_SCTP_REASON_SSN);
}
END_TEST

START_TEST(association_lost)
{
  iwarp_sctp_session *s = established(3);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 5), IWARP_OK);
  iwarpi_sctp_session_lost(s);
  ck_assert_int_eq(session_next(s).reason, IWARP_SCTP_REASON_OVER);
  session_expect_end(s);
  ck_assert_int_eq(iwarp_sctp_session_info_get(s).state, ST(IDLE));
  const uint32_t session = iwarp_sctp_session_info_get(s).session;
  ck_assert_int_eq(session_push(s, 0, INITIATE, 0), IWARP_OK);
  iwarpi_sctp_session_lost(s); /* an Initiate not reported yet begins nothing */
  ck_assert_int_eq(session_next(s).reason, IWARP_SCTP_REASON_OVER);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).session, session);
  ck_assert_int_eq(iwarp_sctp_session_info_get(s).state, ST(IDLE));
  ck_assert_int_eq(session_put(s, 0, INITIATE, 0).state, ST(INIT_SENT));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {every_cell_of_the_table,
                                values_outside_the_table,
                                sizes_and_arguments,
                                accept_is_overtaken,
                                ddp_ssns_wrap,
                                ddp_ssns_that_are_not_valid,
                                largest_window,
                                gaps_of_a_capture,
                                joined_in_the_middle,
                                messages_that_are_malformed,
                                enhanced_sessions,
                                form_of_an_answer_is_not_judged_without_its_initiate,
                                session_after_a_single_terminate,
                                what_is_held_does_not_pass_into_the_next_session,
                                initiate_begins_with_ddp_ssn_0,
                                association_lost,
                                NULL};
  return check_run(check_suite("sctp-session", tests));
}
