/* SPDX-License-Identifier: BSD-2-Clause */
/* The session engine over SCTP: every cell of its table, order, sessions, endpoints. */
#include <iwarp/sctp.h>
#include <iwarp/sctp_session.h>
#include <stdalign.h>
#include <string.h>

#include "check_run.h"

#define WINDOW 8u

static alignas(max_align_t) uint8_t memory[4][8192];

/* Makes an engine in one of the four places. */
static iwarp_sctp_session *make(size_t place, iwarp_sctp_session_cfg cfg) {
  iwarp_sctp_session *s = NULL;
  cfg.size = sizeof cfg;
  cfg.window = cfg.window != 0 ? cfg.window : WINDOW;
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[place], sizeof memory[place], &cfg),
                   IWARP_OK);
  return s;
}

static iwarp_sctp_session *observer(void) {
  return make(0, (iwarp_sctp_session_cfg){.observer = true});
}

/* User data in memory of their own, so that they stay until their event. */
static iwarp_span user_data(iwarp_sctp_kind kind, uint16_t ssn) {
  static const uint8_t functions[] = {1, 2, 3, 4, 0, 9};
  static uint8_t pool[64][4];
  static size_t next;
  uint8_t *p = pool[next++ % 64];
  p[0] = (uint8_t)(ssn >> 8);
  p[1] = (uint8_t)ssn;
  p[2] = kind == IWARP_SCTP_KIND_SEGMENT ? 0xD0 : 0;
  p[3] = functions[kind];
  return (iwarp_span){p, 4};
}

static iwarp_err push(iwarp_sctp_session *s, uint8_t side, iwarp_sctp_kind kind, uint16_t ssn) {
  bool segment = kind == IWARP_SCTP_KIND_SEGMENT;
  iwarp_sctp_message chunk = {
      .ppid = segment ? IWARP_SCTP_PPID_SEGMENT : IWARP_SCTP_PPID_CONTROL,
      .user_data = user_data(kind, ssn),
      .token = (uint64_t)side << 32 | ssn,
  };
  return iwarp_sctp_session_push(s, side, &chunk);
}

static iwarp_sctp_session_event next_of(iwarp_sctp_session *s) {
  iwarp_sctp_session_event ev;
  ck_assert_int_eq(iwarp_sctp_session_next_event(s, &ev), IWARP_OK);
  return ev;
}

static void expect_end(iwarp_sctp_session *s) {
  iwarp_sctp_session_event ev;
  ck_assert_int_eq(iwarp_sctp_session_next_event(s, &ev), IWARP_ERR_END);
}

/* One message that is due, and its event. */
static iwarp_sctp_session_event put(iwarp_sctp_session *s, uint8_t side, iwarp_sctp_kind kind,
                                    uint16_t ssn) {
  ck_assert_int_eq(push(s, side, kind, ssn), IWARP_OK);
  iwarp_sctp_session_event ev = next_of(s);
  ck_assert_uint_eq(ev.side, side);
  ck_assert_uint_eq(ev.token, (uint64_t)side << 32 | ssn);
  expect_end(s);
  return ev;
}

#define INITIATE IWARP_SCTP_KIND_INITIATE
#define ACCEPT IWARP_SCTP_KIND_ACCEPT
#define REJECT IWARP_SCTP_KIND_REJECT
#define TERMINATE IWARP_SCTP_KIND_TERMINATE
#define SEGMENT IWARP_SCTP_KIND_SEGMENT
#define OTHER IWARP_SCTP_KIND_OTHER

/* ---- the table ---- */

/*
 * For each state: how it comes about ("0I" is an Initiate of side 0), and what happens with each
 * message of side 0 and then of side 1 (Initiate, Accept, Reject, Terminate, Segment, Other): L
 * legal, N note, X illegal, S stray, and the state after it.
 */
typedef struct row {
  iwarp_sctp_state state;
  const char *path;
  const char *name;
  const char *cells[2];
} row;

#define ST(name) IWARP_SCTP_STATE_##name
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
  iwarp_sctp_session *s = observer();
  for (const char *p = r->path; *p != '\0'; p += 2) {
    uint8_t side = (uint8_t)(*p - '0');
    iwarp_sctp_kind kind = (iwarp_sctp_kind)(strchr(kind_letters, p[1]) - kind_letters);
    put(s, side, kind, iwarp_sctp_session_info_get(s).next[side]);
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
        iwarp_sctp_session_event ev = put(s, side, kind, starts_again(&rows[i], kind) ? 0 : due);
        check_cell(cell, ev.verdict, ev.state);
        bool used = ev.verdict <= IWARP_SCTP_NOTE;
        ck_assert((ev.reason == IWARP_SCTP_REASON_NONE) == used);
        ck_assert((ev.kind == IWARP_SCTP_EVENT_DISCARDED) == !used);
        ck_assert(!used || (ev.kind == IWARP_SCTP_EVENT_SEGMENT) == (kind == SEGMENT));
        ck_assert_int_eq(ev.chunk, kind);
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
  ck_assert_ptr_null(iwarp_sctp_state_name((iwarp_sctp_state)11));
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
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[0], iwarp_sctp_session_size(1) - 1, &cfg),
                   IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[0], iwarp_sctp_session_size(1), &cfg),
                   IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_init(NULL, memory[0], 8192, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_init(&s, NULL, 8192, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[0], 8192, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[0] + 1, 8000, &cfg), IWARP_ERR_ARG);
  cfg.joined = true; /* an endpoint joins nothing */
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[0], 8192, &cfg), IWARP_ERR_ARG);
  cfg.joined = false;
  cfg.window = 0;
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[0], 8192, &cfg), IWARP_ERR_ARG);
  cfg.window = 1;
  cfg.size = 1;
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[0], 8192, &cfg), IWARP_ERR_ARG);
}
END_TEST

/* ---- order ---- */

/* The passive side sends Accept, S, S back to back; they arrive as S(2), A(0), S(1). */
START_TEST(accept_is_overtaken)
{
  iwarp_sctp_session *s = observer();
  put(s, 0, INITIATE, 0);
  ck_assert_int_eq(push(s, 1, SEGMENT, 2), IWARP_OK);
  expect_end(s);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).held, 1);
  ck_assert_int_eq(put(s, 1, ACCEPT, 0).state, ST(EST));
  ck_assert_int_eq(push(s, 1, SEGMENT, 1), IWARP_OK);
  ck_assert_int_eq(push(s, 0, SEGMENT, 1), IWARP_ERR_STATE); /* something is to be reported first */
  ck_assert_uint_eq(next_of(s).ssn, 1);
  iwarp_sctp_session_event ev = next_of(s);
  ck_assert_uint_eq(ev.ssn, 2);
  ck_assert_int_eq(ev.kind, IWARP_SCTP_EVENT_SEGMENT);
  ck_assert_uint_eq(ev.segment.len, 2);
  ck_assert_uint_eq(ev.segment.ptr[0], 0xD0);
  expect_end(s);
  ck_assert_int_eq(push(s, 0, SEGMENT, 1), IWARP_OK);
  ck_assert_int_eq(push(s, 1, SEGMENT, 3), IWARP_ERR_STATE);
}
END_TEST

/* Brings the DDP-SSN that is due from side 1 to `due`. */
static iwarp_sctp_session *established(uint16_t due) {
  iwarp_sctp_session *s = observer();
  put(s, 0, INITIATE, 0);
  put(s, 1, ACCEPT, 0);
  for (uint16_t ssn = 1; ssn != due; ssn++) {
    put(s, 1, SEGMENT, ssn);
  }
  return s;
}

START_TEST(ddp_ssns_wrap)
{
  iwarp_sctp_session *s = established(65534);
  ck_assert_int_eq(push(s, 1, SEGMENT, 65535), IWARP_OK);
  ck_assert_int_eq(push(s, 1, SEGMENT, 0), IWARP_OK);
  expect_end(s);
  ck_assert_int_eq(push(s, 1, SEGMENT, 65534), IWARP_OK);
  ck_assert_uint_eq(next_of(s).ssn, 65534);
  ck_assert_uint_eq(next_of(s).ssn, 65535);
  ck_assert_uint_eq(next_of(s).ssn, 0);
  expect_end(s);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).next[1], 1);
}
END_TEST

START_TEST(ddp_ssns_that_are_not_valid)
{
  static const uint16_t bad[] = {9, 32777, 65535, 0};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    iwarp_sctp_session *s = established(10);
    ck_assert_int_eq(push(s, 1, SEGMENT, 17), IWARP_OK); /* the last one within the window */
    ck_assert_int_eq(push(s, 1, SEGMENT, 18), IWARP_ERR_NOBUF);
    ck_assert_int_eq(push(s, 1, SEGMENT, 32776), IWARP_ERR_NOBUF);
    iwarp_sctp_session_event ev = put(s, 1, SEGMENT, bad[i]);
    ck_assert_int_eq(ev.verdict, IWARP_SCTP_ILLEGAL);
    ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_SSN);
    ck_assert_int_eq(ev.chunk, OTHER);
    ck_assert_int_eq(put(s, 1, SEGMENT, 17).reason, IWARP_SCTP_REASON_SSN); /* held already */
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
  put(s, 0, INITIATE, 0);
  ck_assert_int_eq(push(s, 1, SEGMENT, 32766), IWARP_OK);
  expect_end(s);
  ck_assert_int_eq(put(s, 1, SEGMENT, 32767).reason, IWARP_SCTP_REASON_SSN);
}
END_TEST

START_TEST(gaps_of_a_capture)
{
  iwarp_sctp_session_event ev;
  iwarp_sctp_session *s = established(5);
  ck_assert_int_eq(iwarp_sctp_session_skip(s, 1, &ev), IWARP_ERR_STATE); /* nothing is held */
  ck_assert_int_eq(iwarp_sctp_session_skip(s, 2, &ev), IWARP_ERR_ARG);
  ck_assert_int_eq(push(s, 1, SEGMENT, 8), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_skip(s, 1, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_SCTP_EVENT_GAP);
  ck_assert_uint_eq(ev.ssn, 5);
  ck_assert_uint_eq(ev.missing, 3);
  ck_assert_int_eq(iwarp_sctp_session_skip(s, 1, &ev), IWARP_ERR_STATE); /* 8 is to be reported */
  ev = next_of(s);
  ck_assert_uint_eq(ev.ssn, 8);
  ck_assert(ev.inconclusive && ev.verdict == IWARP_SCTP_LEGAL);
  ck_assert(iwarp_sctp_session_info_get(s).inconclusive);
  put(s, 0, TERMINATE, 1);
  put(s, 1, TERMINATE, 9);
  ck_assert(!put(s, 0, INITIATE, 0).inconclusive); /* a new session is complete again */
  iwarp_sctp_session *endpoint = make(1, (iwarp_sctp_session_cfg){0});
  ck_assert_int_eq(iwarp_sctp_session_skip(endpoint, 1, &ev), IWARP_ERR_STATE);
}
END_TEST

START_TEST(joined_in_the_middle)
{
  iwarp_sctp_session *s = make(0, (iwarp_sctp_session_cfg){.observer = true, .joined = true});
  iwarp_sctp_session_event ev = put(s, 1, SEGMENT, 4711);
  ck_assert(ev.inconclusive && ev.kind == IWARP_SCTP_EVENT_SEGMENT && ev.session == 1);
  put(s, 0, SEGMENT, 65535);
  put(s, 0, TERMINATE, 0);
  ck_assert_int_eq(put(s, 1, TERMINATE, 4712).state, ST(DRAIN));
}
END_TEST

/* ---- messages without a place ---- */

static iwarp_sctp_session_event put_octets(iwarp_sctp_session *s, uint32_t ppid,
                                           const uint8_t *octets, size_t len) {
  iwarp_sctp_message chunk = {.ppid = ppid, .user_data = {octets, len}, .token = 99};
  ck_assert_int_eq(iwarp_sctp_session_push(s, 1, &chunk), IWARP_OK);
  iwarp_sctp_session_event ev = next_of(s);
  ck_assert_uint_eq(ev.token, 99);
  expect_end(s);
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
  s = observer();
  put(s, 0, INITIATE, 0);
  octets[1] = 0;
  octets[3] = 2;
  ck_assert_int_eq(put_octets(s, 17, octets, 517).reason, IWARP_SCTP_REASON_LENGTH);
  octets[1] = 1;
  octets[3] = 6; /* of the other form, though long enough; then too short for its form */
  ck_assert_int_eq(put_octets(s, 17, octets, 8).reason, IWARP_SCTP_REASON_FUNCTION);
  octets[1] = 2;
  ck_assert_int_eq(put_octets(s, 17, octets, 7).reason, IWARP_SCTP_REASON_LENGTH);
  octets[1] = 3;
  octets[3] = 2;
  ck_assert_int_eq(put_octets(s, 17, octets, 516).state, ST(EST));
  s = observer();
  octets[1] = 0;
  octets[3] = 5;
  ck_assert_int_eq(put_octets(s, 17, octets, 8).state, ST(PENDING));
  octets[3] = 7; /* of a Reject RFC 6581 7 does not ask the enhanced data */
  const iwarp_sctp_message refusal = {.ppid = 17, .user_data = {octets, 4}};
  ck_assert_int_eq(iwarp_sctp_session_push(s, 0, &refusal), IWARP_OK);
  ck_assert_int_eq(next_of(s).state, ST(REFUSING));
  s = observer(); /* no session: nothing to terminate */
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
    iwarp_sctp_session *s = observer();
    iwarp_sctp_message chunk = {.ppid = 17, .user_data = {initiate, 8}};
    ck_assert_int_eq(iwarp_sctp_session_push(s, 0, &chunk), IWARP_OK);
    iwarp_sctp_session_event ev = next_of(s);
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
  iwarp_sctp_session *s = make(0, (iwarp_sctp_session_cfg){.observer = true, .joined = true});
  ck_assert_int_eq(put_octets(s, 17, reject, 8).reason, IWARP_SCTP_REASON_SEQUENCE);
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
    iwarp_sctp_session_event ev = put(s, 1, INITIATE, 0);
    ck_assert_int_eq(ev.verdict, IWARP_SCTP_NOTE);
    ck_assert_int_eq(ev.state, ST(PENDING));
    ck_assert_uint_eq(ev.session, 2);
  }
  iwarp_sctp_session *s = drive(&(row){.state = ST(GAVE_UP), .path = "0I0T"});
  ck_assert_int_eq(put(s, 0, INITIATE, 0).verdict, IWARP_SCTP_NOTE);
  ck_assert_int_eq(iwarp_sctp_session_info_get(s).state, ST(INIT_SENT));
}
END_TEST

START_TEST(what_is_held_does_not_pass_into_the_next_session)
{
  iwarp_sctp_session *s = drive(&rows[ST(DRAIN)]);
  ck_assert_int_eq(push(s, 1, SEGMENT, 7), IWARP_OK);
  ck_assert_int_eq(push(s, 0, SEGMENT, 5), IWARP_OK);
  expect_end(s);
  ck_assert_int_eq(push(s, 0, INITIATE, 0), IWARP_OK);
  for (size_t i = 0; i < 2; i++) {
    iwarp_sctp_session_event ev = next_of(s);
    ck_assert_int_eq(ev.kind, IWARP_SCTP_EVENT_DISCARDED);
    ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_OVER);
    ck_assert_uint_eq(ev.session, 1);
    ck_assert_int_eq(push(s, 1, SEGMENT, 1), IWARP_ERR_STATE);
  }
  iwarp_sctp_session_event ev = next_of(s);
  ck_assert_uint_eq(ev.session, 2);
  ck_assert_int_eq(ev.state, ST(INIT_SENT));
  expect_end(s);
}
END_TEST

START_TEST(initiate_begins_with_ddp_ssn_0)
{
  iwarp_sctp_session *s = observer();
  iwarp_sctp_session_event ev = put(s, 0, INITIATE, 1);
  ck_assert(ev.verdict == IWARP_SCTP_STRAY && ev.reason == IWARP_SCTP_REASON_SSN);
  s = drive(&rows[ST(DRAIN)]);
  ev = put(s, 1, INITIATE, iwarp_sctp_session_info_get(s).next[1]);
  ck_assert(ev.verdict == IWARP_SCTP_ILLEGAL && ev.reason == IWARP_SCTP_REASON_SSN);
}
END_TEST

START_TEST(association_lost)
{
  iwarp_sctp_session *s = established(3);
  ck_assert_int_eq(push(s, 1, SEGMENT, 5), IWARP_OK);
  iwarp_sctp_session_lost(s);
  ck_assert_int_eq(next_of(s).reason, IWARP_SCTP_REASON_OVER);
  expect_end(s);
  ck_assert_int_eq(iwarp_sctp_session_info_get(s).state, ST(IDLE));
  const uint32_t session = iwarp_sctp_session_info_get(s).session;
  ck_assert_int_eq(push(s, 0, INITIATE, 0), IWARP_OK);
  iwarp_sctp_session_lost(s); /* an Initiate not reported yet begins nothing */
  ck_assert_int_eq(next_of(s).reason, IWARP_SCTP_REASON_OVER);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).session, session);
  ck_assert_int_eq(iwarp_sctp_session_info_get(s).state, ST(IDLE));
  ck_assert_int_eq(put(s, 0, INITIATE, 0).state, ST(INIT_SENT));
}
END_TEST

/* ---- endpoints ---- */

static const uint8_t data[IWARP_SCTP_PRIVATE_DATA_MAX + 1] = "ping";
static const iwarp_span none;

static iwarp_sctp_session *endpoint(size_t place) {
  return make(place, (iwarp_sctp_session_cfg){0});
}

/* Carries a message of one endpoint to the other. */
static iwarp_sctp_session_event carry(iwarp_sctp_session *to, const iwarp_sctp_output *msg) {
  static uint8_t pool[16][520];
  static size_t next;
  uint8_t *p = pool[next++ % 16];
  memcpy(p, msg->hdr, msg->hdr_len);
  if (msg->body.len > 0) {
    memcpy(p + msg->hdr_len, msg->body.ptr, msg->body.len);
  }
  iwarp_sctp_message chunk = {.ppid = msg->ppid, .user_data = {p, msg->hdr_len + msg->body.len}};
  ck_assert_int_eq(iwarp_sctp_session_push(to, 1, &chunk), IWARP_OK);
  return next_of(to);
}

static iwarp_sctp_state state_of(const iwarp_sctp_session *s) {
  return iwarp_sctp_session_info_get(s).state;
}

/* The session of RFC 5043 with Private Data "ping", octet for octet. */
START_TEST(accepted_session_of_two_endpoints)
{
  iwarp_sctp_session *a = endpoint(0);
  iwarp_sctp_session *p = endpoint(1);
  iwarp_sctp_output msg;
  ck_assert_int_eq(iwarp_sctp_session_connect(a, &msg, false, (iwarp_span){data, 4}), IWARP_OK);
  ck_assert(msg.ppid == 17 && msg.hdr_len == 4 && msg.ssn == 0);
  ck_assert_mem_eq(msg.hdr, "\0\0\0\1", 4);
  ck_assert_ptr_eq(msg.body.ptr, data);
  iwarp_sctp_session_event ev = carry(p, &msg);
  ck_assert_int_eq(ev.kind, IWARP_SCTP_EVENT_CONTROL);
  ck_assert_mem_eq(ev.control.private_data.ptr, "ping", 4);
  ck_assert_int_eq(iwarp_sctp_session_send(p, &msg, none, 516), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_session_accept(p, &msg, none), IWARP_OK);
  ck_assert_mem_eq(msg.hdr, "\0\0\0\2", 4);
  ck_assert_int_eq(iwarp_sctp_session_send(a, &(iwarp_sctp_output){0}, none, 516), IWARP_ERR_STATE);
  ck_assert_int_eq(carry(a, &msg).state, ST(EST));
  ck_assert_int_eq(iwarp_sctp_session_send(a, &msg, (iwarp_span){data, 23}, 22), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_send(a, &msg, (iwarp_span){data, 22}, 22), IWARP_OK);
  ck_assert(msg.ppid == 16 && msg.hdr_len == 2 && msg.body.len == 22);
  ck_assert_mem_eq(msg.hdr, "\0\1", 2);
  ck_assert_int_eq(carry(p, &msg).kind, IWARP_SCTP_EVENT_SEGMENT);
  ck_assert_int_eq(iwarp_sctp_session_close(p), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_next_output(p, &msg),
                   IWARP_ERR_END); /* might overtake the Accept */
  ck_assert_int_eq(iwarp_sctp_session_send(p, &msg, none, 516), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_session_acked(p, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_acked(p, 0), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_next_output(p, &msg), IWARP_OK);
  ck_assert_mem_eq(msg.hdr, "\0\1\0\4", 4);
  ck_assert_uint_eq(msg.body.len, 0);
  ck_assert_int_eq(iwarp_sctp_session_next_output(p, &msg), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_sctp_session_close(p), IWARP_ERR_STATE);
  ck_assert_int_eq(
      carry(a, &(iwarp_sctp_output){.ppid = 17, .hdr_len = 4, .hdr = {0, 1, 0, 4}}).state,
      ST(T_RCVD));
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &msg), IWARP_OK); /* answered of itself */
  ck_assert_mem_eq(msg.hdr, "\0\2\0\4", 4);
  ck_assert_int_eq(carry(p, &msg).state, ST(DRAIN));
  ck_assert_int_eq(iwarp_sctp_session_connect(p, &msg, false, none),
                   IWARP_ERR_STATE); /* not drained */
  ck_assert_int_eq(iwarp_sctp_session_acked(p, 1), IWARP_OK);
  ck_assert_int_eq(state_of(p), ST(IDLE));
  ck_assert_uint_eq(iwarp_sctp_session_info_get(a).unacked, 3);
  ck_assert_int_eq(iwarp_sctp_session_acked(a, 2), IWARP_OK);
  ck_assert_int_eq(state_of(a), ST(IDLE));
  ck_assert_int_eq(iwarp_sctp_session_connect(p, &msg, false, none), IWARP_OK);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(p).session, 2);
}
END_TEST

START_TEST(rejected_and_refused)
{
  for (size_t refuse = 0; refuse < 2; refuse++) {
    iwarp_sctp_session *a = endpoint(0);
    iwarp_sctp_session *p = endpoint(1);
    iwarp_sctp_output msg;
    iwarp_sctp_session_connect(a, &msg, false, none);
    iwarp_sctp_session_set_refuse(p, refuse != 0);
    iwarp_sctp_session_event ev = carry(p, &msg);
    ck_assert_int_eq(ev.reason, refuse != 0 ? IWARP_SCTP_REASON_REFUSED : IWARP_SCTP_REASON_NONE);
    if (refuse != 0) {
      ck_assert_int_eq(iwarp_sctp_session_accept(p, &msg, none), IWARP_ERR_STATE);
      ck_assert_int_eq(iwarp_sctp_session_next_output(p, &msg), IWARP_OK);
    } else {
      ck_assert_int_eq(iwarp_sctp_session_reject(p, &msg, (iwarp_span){data, 513}), IWARP_ERR_ARG);
      ck_assert_int_eq(iwarp_sctp_session_reject(p, &msg, (iwarp_span){data, 2}), IWARP_OK);
    }
    ck_assert_mem_eq(msg.hdr, refuse != 0 ? "\0\0\0\4" : "\0\0\0\3", 4);
    ck_assert_int_eq(state_of(p), ST(REFUSING));
    ck_assert_int_eq(carry(a, &msg).state, ST(REFUSED));
    ck_assert_int_eq(iwarp_sctp_session_close(a), IWARP_ERR_STATE);
    ck_assert_int_eq(iwarp_sctp_session_close(p), IWARP_ERR_STATE);
    iwarp_sctp_session_acked(a, 0);
    iwarp_sctp_session_acked(p, 0);
    ck_assert(state_of(a) == ST(IDLE) && state_of(p) == ST(IDLE));
  }
}
END_TEST

START_TEST(enhanced_endpoints)
{
  for (size_t reject = 0; reject < 2; reject++) {
    iwarp_sctp_session *a = endpoint(0);
    iwarp_sctp_session *p = endpoint(1);
    iwarp_sctp_output msg;
    ck_assert_int_eq(iwarp_sctp_session_connect(a, &msg, true, (iwarp_span){data, 3}),
                     IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_sctp_session_connect(a, &msg, true, (iwarp_span){data, 512}), IWARP_OK);
    ck_assert_uint_eq(msg.hdr[3], 5);
    carry(p, &msg);
    ck_assert_int_eq(iwarp_sctp_session_accept(p, &msg, none), IWARP_ERR_ARG);
    iwarp_span pd = {data, 4};
    ck_assert_int_eq(reject != 0 ? iwarp_sctp_session_reject(p, &msg, pd)
                                 : iwarp_sctp_session_accept(p, &msg, pd),
                     IWARP_OK);
    ck_assert_uint_eq(msg.hdr[3], reject != 0 ? 7 : 6);
    ck_assert_int_eq(carry(a, &msg).kind, IWARP_SCTP_EVENT_CONTROL);
  }
}
END_TEST

START_TEST(giving_up_before_an_answer)
{
  iwarp_sctp_session *a = endpoint(0);
  iwarp_sctp_session *p = endpoint(1);
  iwarp_sctp_output msg;
  iwarp_sctp_output term;
  iwarp_sctp_session_connect(a, &msg, false, none);
  carry(p, &msg);
  ck_assert_int_eq(iwarp_sctp_session_close(a), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &term), IWARP_ERR_END);
  iwarp_sctp_session_acked(a, 0);
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &term), IWARP_OK);
  ck_assert_int_eq(state_of(a), ST(GAVE_UP));
  ck_assert_int_eq(carry(p, &term).state, ST(ABANDONED));
  ck_assert_int_eq(iwarp_sctp_session_accept(p, &msg, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_session_next_output(p, &msg), IWARP_OK);
  ck_assert_int_eq(carry(a, &msg).state, ST(DRAIN));
}
END_TEST

/* An endpoint that rejected an Initiate, all acknowledged. */
static iwarp_sctp_session *refused(void) {
  iwarp_sctp_session *s = endpoint(0);
  iwarp_sctp_output msg;
  ck_assert_int_eq(put(s, 1, INITIATE, 0).state, ST(PENDING));
  ck_assert_int_eq(iwarp_sctp_session_reject(s, &msg, none), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_acked(s, 0), IWARP_OK);
  ck_assert_int_eq(state_of(s), ST(IDLE));
  return s;
}

static void expect_late(iwarp_sctp_session_event ev, iwarp_sctp_state state) {
  ck_assert_int_eq(ev.kind, IWARP_SCTP_EVENT_DISCARDED);
  ck_assert_int_eq(ev.verdict, IWARP_SCTP_NOTE);
  ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_OVER);
  ck_assert_int_eq(ev.state, state);
  ck_assert_uint_eq(ev.session, 1);
}

/* What the active side sent before it saw the refusal may come when the stream is idle again. */
START_TEST(what_crossed_a_refusal_is_a_note)
{
  iwarp_sctp_session *s = refused();
  ck_assert_int_eq(put(s, 1, TERMINATE, 2).verdict, IWARP_SCTP_STRAY); /* not the next one */
  ck_assert_int_eq(put(s, 1, ACCEPT, 1).verdict, IWARP_SCTP_STRAY);
  expect_late(put(s, 1, SEGMENT, 1), ST(IDLE));
  expect_late(put(s, 1, TERMINATE, 2), ST(IDLE));
  ck_assert_int_eq(put(s, 1, TERMINATE, 3).verdict, IWARP_SCTP_STRAY); /* one was the last */
  ck_assert_int_eq(iwarp_sctp_session_next_output(s, &(iwarp_sctp_output){0}), IWARP_ERR_END);

  s = endpoint(0); /* nothing was refused */
  ck_assert_int_eq(put(s, 1, TERMINATE, 0).verdict, IWARP_SCTP_STRAY);
  s = refused();
  iwarp_sctp_session_lost(s);
  ck_assert_int_eq(put(s, 1, TERMINATE, 1).verdict, IWARP_SCTP_STRAY);
  s = refused();
  ck_assert_int_eq(push(s, 1, TERMINATE, 1), IWARP_OK);
  iwarp_sctp_session_lost(s); /* before it was reported */
  const iwarp_sctp_session_event ev = next_of(s);
  ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_OVER);
  ck_assert_int_eq(ev.verdict, IWARP_SCTP_STRAY);
  expect_end(s);
}
END_TEST

/* A Terminate that was asked for does not outlive the association. */
START_TEST(association_lost_before_the_terminate)
{
  iwarp_sctp_session *s = endpoint(0);
  iwarp_sctp_output msg;
  ck_assert_int_eq(iwarp_sctp_session_connect(s, &msg, false, none), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_close(s), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_next_output(s, &msg),
                   IWARP_ERR_END); /* might overtake the Initiate */
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).unacked, 1);
  iwarp_sctp_session_lost(s);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).unacked, 0);
  iwarp_sctp_session_event ev;
  while (iwarp_sctp_session_next_event(s, &ev) == IWARP_OK) {
  }
  ck_assert_int_eq(iwarp_sctp_session_next_output(s, &msg), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_sctp_session_connect(s, &msg, false, none), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_acked(s, 0), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_next_output(s, &msg), IWARP_ERR_END);
}
END_TEST

/* It does not end the next session, where a Terminate never comes before the answer. */
START_TEST(what_crossed_a_refusal_does_not_touch_the_next_session)
{
  iwarp_sctp_session *s = refused();
  iwarp_sctp_output msg;
  ck_assert_int_eq(iwarp_sctp_session_connect(s, &msg, false, none), IWARP_OK);
  expect_late(put(s, 1, TERMINATE, 1), ST(INIT_SENT));
  ck_assert_int_eq(push(s, 1, SEGMENT, 1), IWARP_OK); /* overtook the Accept */
  expect_end(s);
  ck_assert_int_eq(push(s, 1, ACCEPT, 0), IWARP_OK);
  ck_assert_int_eq(next_of(s).state, ST(EST));
  ck_assert_int_eq(next_of(s).kind, IWARP_SCTP_EVENT_SEGMENT);

  s = refused();
  ck_assert_int_eq(iwarp_sctp_session_connect(s, &msg, false, none), IWARP_OK);
  ck_assert_int_eq(push(s, 1, SEGMENT, 1), IWARP_OK); /* of the new session */
  expect_end(s);
  ck_assert_int_eq(push(s, 1, ACCEPT, 0), IWARP_OK);
  ck_assert_int_eq(next_of(s).state, ST(EST));
  ck_assert_int_eq(next_of(s).kind, IWARP_SCTP_EVENT_SEGMENT);
  ck_assert_int_eq(put(s, 1, TERMINATE, 2).state, ST(T_RCVD)); /* after the answer: of this one */

  s = refused();
  ck_assert_int_eq(put(s, 1, INITIATE, 0).session, 2);
  ck_assert_int_eq(put(s, 1, TERMINATE, 1).state, ST(ABANDONED)); /* a peer that begins has done */
}
END_TEST

/* A Terminate that was asked for is dropped when the answer ends the session. */
START_TEST(end_is_asked_for_and_then_the_answer_is_reject)
{
  iwarp_sctp_session *a = endpoint(0);
  iwarp_sctp_session *p = endpoint(1);
  iwarp_sctp_output msg;
  iwarp_sctp_session_connect(a, &msg, false, none);
  carry(p, &msg);
  iwarp_sctp_session_reject(p, &msg, none);
  ck_assert_int_eq(iwarp_sctp_session_close(a), IWARP_OK);
  ck_assert_int_eq(carry(a, &msg).state, ST(REFUSED));
  iwarp_sctp_session_acked(a, 0);
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &msg), IWARP_ERR_END);
  ck_assert_int_eq(state_of(a), ST(IDLE));
}
END_TEST

START_TEST(illegal_messages_end_the_session)
{
  iwarp_sctp_session *a = endpoint(0);
  iwarp_sctp_output msg;
  iwarp_sctp_session_connect(a, &msg, false, none);
  put(a, 1, ACCEPT, 0);
  ck_assert_int_eq(put(a, 1, ACCEPT, 1).verdict, IWARP_SCTP_ILLEGAL);
  ck_assert(iwarp_sctp_session_info_get(a).broken);
  ck_assert_int_eq(iwarp_sctp_session_send(a, &msg, none, 516), IWARP_ERR_STATE);
  iwarp_sctp_session_event ev = put(a, 1, SEGMENT, 2); /* DDP gets no more */
  ck_assert_int_eq(ev.kind, IWARP_SCTP_EVENT_DISCARDED);
  ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_BROKEN);
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &msg), IWARP_OK);
  ck_assert_int_eq(state_of(a), ST(T_SENT));
  ck_assert_int_eq(put(a, 1, OTHER, 3).reason, IWARP_SCTP_REASON_BROKEN);
  ck_assert_int_eq(put(a, 1, TERMINATE, 4).state, ST(DRAIN));
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &msg), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_sctp_session_acked(a, 1), IWARP_OK);
  ck_assert(state_of(a) == ST(IDLE) && !iwarp_sctp_session_info_get(a).broken);
  ck_assert_int_eq(put(a, 1, SEGMENT, 5).verdict, IWARP_SCTP_STRAY); /* nothing to terminate */
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &msg), IWARP_ERR_END);
}
END_TEST

START_TEST(segments_wait_for_the_answer)
{
  for (size_t reject = 0; reject < 2; reject++) {
    iwarp_sctp_session *p = endpoint(1);
    iwarp_sctp_output msg;
    put(p, 1, INITIATE, 0);
    ck_assert_int_eq(push(p, 1, SEGMENT, 1), IWARP_OK);
    expect_end(p);
    ck_assert_int_eq(push(p, 1, SEGMENT, 2), IWARP_OK);
    expect_end(p);
    ck_assert_int_eq(push(p, 1, SEGMENT, 9), IWARP_ERR_NOBUF); /* the bound */
    ck_assert_int_eq(reject != 0 ? iwarp_sctp_session_reject(p, &msg, none)
                                 : iwarp_sctp_session_accept(p, &msg, none),
                     IWARP_OK);
    for (uint16_t ssn = 1; ssn <= 2; ssn++) {
      iwarp_sctp_session_event ev = next_of(p);
      ck_assert_uint_eq(ev.ssn, ssn);
      ck_assert_int_eq(ev.kind,
                       reject != 0 ? IWARP_SCTP_EVENT_DISCARDED : IWARP_SCTP_EVENT_SEGMENT);
      ck_assert_int_eq(ev.reason,
                       reject != 0 ? IWARP_SCTP_REASON_NO_SESSION : IWARP_SCTP_REASON_NONE);
    }
    expect_end(p);
  }
}
END_TEST

START_TEST(what_is_held_comes_back_when_the_stream_is_idle)
{
  iwarp_sctp_session *p = endpoint(1);
  iwarp_sctp_output msg;
  put(p, 1, INITIATE, 0);
  iwarp_sctp_session_reject(p, &msg, none);
  ck_assert_int_eq(push(p, 1, SEGMENT, 2), IWARP_OK);
  expect_end(p);
  iwarp_sctp_session_acked(p, 0);
  ck_assert_int_eq(iwarp_sctp_session_connect(p, &msg, false, none), IWARP_ERR_STATE);
  ck_assert_int_eq(next_of(p).reason, IWARP_SCTP_REASON_OVER);
  expect_end(p);
  ck_assert_int_eq(iwarp_sctp_session_connect(p, &msg, false, none), IWARP_OK);
}
END_TEST

START_TEST(no_more_than_32767_in_flight)
{
  iwarp_sctp_session *a = endpoint(0);
  iwarp_sctp_output msg;
  iwarp_sctp_session_connect(a, &msg, false, none);
  put(a, 1, ACCEPT, 0);
  for (uint16_t ssn = 1; ssn < 32767; ssn++) {
    expect(iwarp_sctp_session_send(a, &msg, none, 516) == IWARP_OK && msg.ssn == ssn, "%u", ssn);
  }
  ck_assert_int_eq(iwarp_sctp_session_send(a, &msg, none, 516), IWARP_ERR_NOBUF);
  iwarp_sctp_session_close(a);
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &msg), IWARP_ERR_END); /* counts too */
  iwarp_sctp_session_acked(a, 0);
  ck_assert_int_eq(iwarp_sctp_session_next_output(a, &msg), IWARP_OK);
  ck_assert_uint_eq(msg.ssn, 32767);
}
END_TEST

START_TEST(calls_that_do_not_fit_the_role)
{
  iwarp_sctp_session *o = observer();
  iwarp_sctp_output msg;
  ck_assert_int_eq(push(o, 2, INITIATE, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_connect(o, &msg, false, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_session_connect(o, &msg, false, (iwarp_span){data, 513}),
                   IWARP_ERR_ARG);
  put(o, 0, INITIATE, 0);
  ck_assert_int_eq(iwarp_sctp_session_close(o), IWARP_ERR_STATE);
  iwarp_sctp_session *a = endpoint(1);
  ck_assert_int_eq(push(a, 0, INITIATE, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_sctp_session_close(a), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_sctp_session_acked(a, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(push(a, 1, INITIATE, 0), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_session_connect(a, &msg, false, none),
                   IWARP_ERR_STATE); /* not looked at */
  ck_assert_int_eq(push(a, 1, SEGMENT, 1), IWARP_ERR_STATE);
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
                                accepted_session_of_two_endpoints,
                                rejected_and_refused,
                                enhanced_endpoints,
                                giving_up_before_an_answer,
                                what_crossed_a_refusal_is_a_note,
                                what_crossed_a_refusal_does_not_touch_the_next_session,
                                association_lost_before_the_terminate,
                                end_is_asked_for_and_then_the_answer_is_reject,
                                illegal_messages_end_the_session,
                                segments_wait_for_the_answer,
                                what_is_held_comes_back_when_the_stream_is_idle,
                                no_more_than_32767_in_flight,
                                calls_that_do_not_fit_the_role,
                                NULL};
  return check_run(check_suite("sctp-sess", tests));
}
