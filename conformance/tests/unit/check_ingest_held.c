/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that their user gives back, until they are acknowledged. */
#include "check_run.h"
#include "tcp_fixture.h"

static tcp_fixture *held_new(ingest_held_as as) {
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  w->holds = true;
  w->as = as;
  return w;
}

START_TEST(octets_wait_for_their_acknowledgment)
{
  tcp_fixture *w = held_new(INGEST_HELD_UNPROVEN);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "");
  expect_log(w, "D0@0:abc");
  ck_assert_uint_eq(w->last[0].packet, 4);
  ck_assert(w->last[0].segment_start);
  tcp_fixture_send(w, SERVER, "A", 0, 6, "");
  expect_end(w, "D0@3:def E0@6C E1@0C X");
}
END_TEST

/* They came while octets that they answer waited. */
START_TEST(octets_that_waited_for_others_wait_for_their_acknowledgment)
{
  tcp_fixture *w = held_new(INGEST_HELD_UNPROVEN);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  w->holds = false;
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
  tcp_fixture_send(w, SERVER, "A", 0, 9, "answer");
  expect_log(w, "O D0@0:abc");
  w->holds = true;
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "D0@3:def D0@6:ghi");
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "");
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "A", 9, 6, "");
  expect_log(w, "D1@0:answer");
  ck_assert_uint_eq(w->last[1].packet, 6);
  ck_assert(w->last[1].segment_start);
  expect_end(w, "E0@9C E1@6C X");
}
END_TEST

/* It does not come before octets that were captured before it, though it answers none of them. */
START_TEST(a_fin_waits_for_octets_of_the_other_side)
{
  tcp_fixture *w = held_new(INGEST_HELD_UNPROVEN);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "FA", 0, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O");
  tcp_fixture_send(w, SERVER, "A", 1, 3, "");
  expect_log(w, "D0@0:abc E1@0F");
  tcp_fixture_send(w, SERVER, "A", 1, 6, "");
  expect_log(w, "D0@3:def");
  expect_end(w, "E0@6C X");
}
END_TEST

/* Nothing decides between the two copies. */
START_TEST(another_copy_replaces_those_that_are_wrong)
{
  static const struct {
    ingest_held_as as;
    const char *log;
  } rows[] = {{INGEST_HELD_UNPROVEN, "=0@1+1(unknown) D0@0:abc"},
              {INGEST_HELD_WRONG, "=0@1+1(unknown) D0@0:aXc"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    tcp_fixture *w = held_new(rows[i].as);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    expect_log(w, "O");
    w->holds = false;
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "aXc");
    tcp_fixture_send(w, SERVER, "A", 0, 3, "");
    expect_log(w, rows[i].log);
    ck_assert(w->last[0].differ);
    expect_end(w, "E0@3C E1@0C X");
  }
}
END_TEST

START_TEST(a_copy_is_counted_by_what_was_captured)
{
  tcp_fixture *w = held_new(INGEST_HELD_UNPROVEN);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 1, 0, "bc");
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_send(w, CLIENT, "FA", 9, 0, "");
  tcp_fixture_send(w, SERVER, "FA", 0, 10, "");
  expect_log(w, "O D0@0:abc D0@3:def D0@6:ghi E0@9F E1@0F X");
  ck_assert_uint_eq(w->ends.again[0].segments, 1);
  ck_assert_uint_eq(w->ends.again[0].packet, 5);
  ck_assert_uint_eq(w->ends.late[0].segments, 1);
  ck_assert_uint_eq(w->ends.late[0].packet, 7);
  ck_assert_uint_eq(w->last[0].packet, 8); /* the FIN's own */
  ck_assert_uint_eq(w->last[0].time_ns, w->ends.fin[0].time_ns);
  expect_end(w, "");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {octets_wait_for_their_acknowledgment,
                                octets_that_waited_for_others_wait_for_their_acknowledgment,
                                a_fin_waits_for_octets_of_the_other_side,
                                another_copy_replaces_those_that_are_wrong,
                                a_copy_is_counted_by_what_was_captured,
                                NULL};
  return check_run(check_suite("ingest-held", tests));
}
