/* SPDX-License-Identifier: BSD-2-Clause */
/* Each allocation in its turn fails: nothing is lost in silence, and all memory is given back. */
#include <observe/observe.h>

#include <stdlib.h>
#include <string.h>

#include "check_run.h"

static long countdown = -1; /* allocations until one fails; negative: none does */
static unsigned reported;   /* limits, by any way */
static unsigned faults;     /* that the rules found over SCTP */
static const char *fault;   /* the last of them */
static bool kept;           /* a pointer in place of a closed connection */
static observe_budget memory;

static bool fails(void) {
  return countdown >= 0 && countdown-- == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t num, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t num, size_t size);

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t num, size_t size) {
  return fails() ? NULL : __real_calloc(num, size);
}

static void on_finding(void *ctx, observe_conn *conn, const iwarp_finding *finding,
                       const iwarp_event *ev) {
  const iwarp_rule *rule = iwarp_rule_get(finding->rule);
  (void)ctx, (void)conn, (void)ev;
  faults += rule->severity != IWARP_SEVERITY_NOTE;
  fault = rule->severity != IWARP_SEVERITY_NOTE ? rule->slug : fault;
}

static void on_closed(void *ctx, observe_conn *conn) {
  (void)ctx;
  reported += conn->given_up != NULL;
}

static void on_limit(void *ctx, const char *name, uint64_t n) {
  (void)ctx, (void)name;
  reported += n > 0;
}

static const ingest_addr addr[2] = {{.family = 4, .ip = {10, 0, 0, 1}, .port = 40000},
                                    {.family = 6, .ip = {1}, .port = 7174}};

static void tcp(observe *obs, void **user, ingest_event ev) {
  ev.user = user;
  static const ingest_ends ends = {.heard = {true, true}};
  ev.addr = addr;
  ev.ends = &ends;
  ev.start_known = true;
  ev.start = 1000;
  observe_event(obs, &ev);
}

static void tcp_say(observe *obs, void **user, uint8_t side, const char *octets) {
  tcp(obs, user,
      (ingest_event){.kind = INGEST_EVENT_DATA,
                     .side = side,
                     .data = (const uint8_t *)octets,
                     .len = 20,
                     .pos = 1000});
}

static size_t started; /* bytes that a connection has after its startup */

/* A connection whose Request has a right or a wrong key. */
static void tcp_connection(observe *obs, const char *request) {
  void *user = NULL;
  tcp(obs, &user, (ingest_event){.kind = INGEST_EVENT_OPEN});
  tcp_say(obs, &user, 0, request);
  tcp_say(obs, &user, 1, "MPA ID Rep Frame\0\1\0\0");
  started = memory.engines;
  for (uint8_t side = 0; side < 2; side++) {
    tcp(obs, &user, (ingest_event){.kind = INGEST_EVENT_END, .side = side, .pos = 1020});
  }
  tcp(obs, &user, (ingest_event){.kind = INGEST_EVENT_CLOSE});
  kept = kept || user != NULL;
}

static void sctp(observe *obs, void **user, ingest_sctp_event ev) {
  ev.user = user;
  ev.addr = addr;
  ev.start_known[0] = ev.start_known[1] = true;
  ev.lossless[0] = ev.lossless[1] = true;
  observe_sctp_event(obs, &ev);
}

typedef struct sctp_word {
  uint8_t side;
  uint16_t stream;
  uint32_t ppid;
  uint64_t pos;
  uint16_t len;
  const char *octets;
} sctp_word;

static void sctp_say(observe *obs, void **user, const sctp_word *w) {
  const ingest_sctp_message m = {.data = (const uint8_t *)w->octets,
                                 .cap = w->len,
                                 .len = w->len,
                                 .stream = w->stream,
                                 .ppid = w->ppid,
                                 .fragments = 1,
                                 .ordered = false,
                                 .cause_seen = true};
  sctp(obs, user,
       (ingest_sctp_event){
           .kind = INGEST_SCTP_MESSAGE, .side = w->side, .pos = w->pos, .len = 1, .message = &m});
}

#define STARTED 4u /* messages until both sessions are open */
#define READ 6u    /* and the Read is done */

/* Two sessions without a fault, the first messages of them: in the first one a Read Request of four
 * octets and its Response. */
static void sctp_association(observe *obs, size_t num) {
  static const sctp_word words[READ] = {
      {0, 0, IWARP_SCTP_PPID_CONTROL, 100, 4, "\0\0\0\1"},
      {1, 0, IWARP_SCTP_PPID_CONTROL, 100, 4, "\0\0\0\2"},
      {0, 300, IWARP_SCTP_PPID_CONTROL, 101, 4, "\0\0\0\1"},
      {1, 300, IWARP_SCTP_PPID_CONTROL, 101, 4, "\0\0\0\2"},
      {0, 0, IWARP_SCTP_PPID_SEGMENT, 102, 48,
       "\0\1\x41\x41\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\0"
       "\0\0\0\7\0\0\0\0\0\0\0\x10\0\0\0\4\0\0\0\x9\0\0\0\0\0\0\0\x20"},
      {1, 0, IWARP_SCTP_PPID_SEGMENT, 102, 20,
       "\0\1\xC1\x42\0\0\0\7\0\0\0\0\0\0\0\x10"
       "data"},
  };
  void *user = NULL;
  faults = 0;
  sctp(obs, &user, (ingest_sctp_event){.kind = INGEST_SCTP_OPEN});
  for (size_t i = 0; i < num; i++) {
    sctp_say(obs, &user, &words[i]);
  }
  sctp(obs, &user, (ingest_sctp_event){.kind = INGEST_SCTP_CLOSE, .end = INGEST_END_CAPTURE});
  kept = kept || user != NULL;
}

/* Runs with one allocation that fails, and so many messages over SCTP; false: there were not so
 * many allocations. */
static bool run(long n, size_t messages) {
  const observe_cfg cfg = {.budget = &memory};
  const observe_hooks hooks = {.finding = on_finding, .closed = on_closed, .limit = on_limit};
  memory = (observe_budget){.limit = SIZE_MAX};
  reported = 0;
  kept = false;
  countdown = n;
  observe *obs = observe_new(&cfg, &hooks);
  if (obs != NULL) {
    observe_file(obs, "test");
    tcp_connection(obs, "MPA ID Req Frame\0\1\0\0");
    tcp_connection(obs, "MPA ID req Frame\0\1\0\0");
    sctp_association(obs, messages);
  }
  const bool failed = countdown < 0;
  countdown = -1; /* assertions allocate, too */
  ck_assert(!kept);
  ck_assert_uint_eq(memory.engines, 0);
  ck_assert_msg(faults == 0, "allocation %ld: %s", n, fault);
  ck_assert_msg(messages > STARTED ||
                    failed == (obs == NULL || observe_failed(obs) || reported > 0),
                "allocation %ld: failed %d, reported %u", n, failed, reported);
  observe_free(obs);
  return failed;
}

START_TEST(no_allocation_fails_in_silence)
{
  long n = 0;
  while (run(n, STARTED)) {
    n++;
  }
  ck_assert_int_gt(n, 15);
}
END_TEST

START_TEST(what_there_is_no_memory_for_makes_no_finding)
{
  long n = 0;
  while (run(n, READ)) {
    n++;
  }
  ck_assert_int_gt(n, 20);
}
END_TEST

START_TEST(no_buffer_stays_after_the_startup)
{
  const observe_cfg cfg = {.budget = &memory};
  const observe_hooks hooks = {.closed = on_closed};
  memory = (observe_budget){.limit = SIZE_MAX};
  observe *obs = observe_new(&cfg, &hooks);
  ck_assert_ptr_nonnull(obs);
  observe_file(obs, "test");
  tcp_connection(obs, "MPA ID Req Frame\0\1\0\0");
  ck_assert_uint_gt(started, 0);
  ck_assert_uint_lt(started, 8000);
  observe_free(obs);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {no_allocation_fails_in_silence,
                                what_there_is_no_memory_for_makes_no_finding,
                                no_buffer_stays_after_the_startup, NULL};
  return check_run(check_suite("memory", tests));
}
