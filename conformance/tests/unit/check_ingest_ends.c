/* SPDX-License-Identifier: BSD-2-Clause */
/* The packets with which TCP connections end, and who sent them. */
#include "check_run.h"

#include "tcp_fixture.h"

static tcp_fixture *w;

static void begin(void) {
  w = tcp_fixture_new();
  tcp_fixture_shake(w); /* packets 1 to 3 */
}

static void done(void) {
  tcp_fixture_finish(w);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}

static void ended(uint64_t fin0, uint64_t fin1, uint64_t rst) {
  tcp_fixture_finish(w);
  const ingest_ends *ends = &w->ends;
  ck_assert_uint_eq(ends->fin[0].packet, fin0);
  ck_assert_uint_eq(ends->fin[0].time_ns, fin0 * 1000);
  ck_assert_uint_eq(ends->fin[1].packet, fin1);
  ck_assert_uint_eq(ends->rst.packet, rst);
  ck_assert_uint_eq(ends->rst.time_ns, rst * 1000);
}

START_TEST(a_fin_has_the_number_of_its_own_packet)
{
  begin();
  tcp_fixture_send(w, 0, "FA", 3, 0, "");   /* 4: what it follows is not there yet */
  tcp_fixture_send(w, 0, "A", 0, 0, "abc"); /* 5 */
  tcp_fixture_send(w, 0, "FA", 3, 0, "");   /* 6: the same again */
  tcp_fixture_send(w, 1, "FA", 0, 4, "");   /* 7 */
  ended(4, 7, 0);
  ck_assert(w->ends.heard[0] && w->ends.heard[1] && !w->ends.reused);
  done();
}
END_TEST

START_TEST(an_rst_names_its_sender)
{
  for (unsigned side = 0; side < 2; side++) {
    begin();
    tcp_fixture_send(w, 0, "FA", 0, 0, "");                   /* 4 */
    tcp_fixture_send(w, side, "R", side == 0 ? 1 : 0, 0, ""); /* 5 */
    tcp_fixture_send(w, side, "R", side == 0 ? 1 : 0, 0, ""); /* 6: only the first counts */
    ended(4, 0, 5);
    ck_assert_uint_eq(w->ends.rst_side, side);
    done();
  }
}
END_TEST

START_TEST(a_side_is_heard_by_any_packet)
{
  w = tcp_fixture_new();
  tcp_fixture_send(w, 0, "A", 0, 0, "abc");
  tcp_fixture_send(w, 0, "FA", 3, 0, "");
  ended(2, 0, 0);
  ck_assert(w->ends.heard[0] && !w->ends.heard[1]);
  done();
}
END_TEST

/* What was captured before comes again; what fills a hole is late, whoever sent it again. */
START_TEST(segments_that_come_again_are_counted)
{
  begin();
  tcp_fixture_send(w, 0, "A", 0, 0, "abc"); /* 4 */
  tcp_fixture_send(w, 0, "A", 0, 0, "abc"); /* 5: again */
  tcp_fixture_send(w, 0, "A", 2, 0, "c");   /* 6: asks whether the other side is there */
  tcp_fixture_send(w, 0, "A", 0, 0, "ab");  /* 7: again */
  tcp_fixture_send(w, 0, "A", 6, 0, "ghi"); /* 8 */
  tcp_fixture_send(w, 0, "A", 3, 0, "def"); /* 9: late */
  tcp_fixture_send(w, 1, "A", 0, 9, "");    /* 10 */
  tcp_fixture_send(w, 0, "A", 3, 0, "def"); /* 11: again */
  tcp_fixture_send(w, 0, "A", 8, 0, "ijk"); /* 12: the first octet is not new */
  ended(0, 0, 0);
  const ingest_ends *ends = &w->ends;
  ck_assert_uint_eq(ends->again[0].segments, 3);
  ck_assert_uint_eq(ends->again[0].packet, 5);
  ck_assert_uint_eq(ends->late[0].segments, 2);
  ck_assert_uint_eq(ends->late[0].packet, 9);
  ck_assert_uint_eq(ends->again[1].segments + ends->late[1].segments, 0);
  done();
}
END_TEST

START_TEST(a_connection_knows_that_its_ports_were_used_again)
{
  begin();
  tcp_fixture_send(w, 0, "A", 0, 0, "abc");
  w->isn[0] += 1000000;
  tcp_fixture_send(w, 0, "S", -1, 0, "");
  ck_assert(!w->ends.reused); /* no side answers it yet */
  tcp_fixture_send(w, 1, "SA", -1, 0, "");
  ck_assert(w->ends.reused);
  done();
}
END_TEST

/* The acknowledgment is a segment that is next, of which few things are looked at. */
START_TEST(a_reset_comes_after_what_its_sender_acknowledged)
{
  begin();
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "xyz");
  tcp_fixture_send(w, SERVER, "A", 3, 3, "uvw");
  tcp_fixture_send(w, CLIENT, "A", 3, 6, "");
  const uint64_t end = w->last[SERVER].pos + 3;
  tcp_fixture_send(w, CLIENT, "R", 3, 0, "");
  ck_assert_uint_eq(w->last[CLIENT].kind, INGEST_EVENT_END);
  ck_assert_uint_eq(w->last[CLIENT].peer_pos, end);
  done();
}
END_TEST

/* A packet whose window is 0. */
static void shut(unsigned side, const char *flags, long seq, long ack) {
  w->shut = true;
  tcp_fixture_send(w, side, flags, seq, ack, "");
}

static void shut_was(unsigned side, uint64_t first, uint64_t last, bool open) {
  const ingest_shut *s = &w->stalls.longest[side];
  ck_assert_uint_eq(s->first, first);
  ck_assert_uint_eq(s->last, last);
  ck_assert_uint_eq(s->ns, 1000 * (last - first));
  ck_assert(s->open == open);
}

START_TEST(the_longest_time_without_a_window_is_known)
{
  begin();
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc"); /* 4 */
  shut(SERVER, "A", 0, 3);                       /* 5 */
  tcp_fixture_send(w, SERVER, "A", 0, 3, "");    /* 6 */
  shut(SERVER, "A", 0, 3);                       /* 7 */
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "c");   /* 8: a probe */
  shut(SERVER, "A", 0, 3);                       /* 9 */
  tcp_fixture_send(w, SERVER, "A", 0, 3, "");    /* 10 */
  shut(SERVER, "A", 0, 3);                       /* 11: shorter */
  tcp_fixture_send(w, SERVER, "A", 0, 3, "");    /* 12 */
  tcp_fixture_finish(w);
  shut_was(SERVER, 7, 10, false);
  ck_assert_uint_eq(w->stalls.longest[CLIENT].first, 0);
  done();
}
END_TEST

START_TEST(a_window_may_be_closed_until_the_end)
{
  begin();
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc"); /* 4 */
  shut(SERVER, "A", 0, 3);                       /* 5 */
  tcp_fixture_send(w, CLIENT, "R", 3, 0, "");    /* 6 */
  tcp_fixture_finish(w);
  shut_was(SERVER, 5, 6, true);
  done();
}
END_TEST

START_TEST(windows_that_do_not_count)
{
  begin();
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  w->sum = SUM_BAD;
  shut(SERVER, "A", 0, 3);
  shut(SERVER, "R", 0, 0);
  tcp_fixture_finish(w);
  ck_assert_ptr_null(w->ends.stalls);
  done();
}
END_TEST

START_TEST(windows_without_memory_are_not_known)
{
  begin();
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  w->gets_left = 0;
  shut(SERVER, "A", 0, 3);
  w->gets_left = -1;
  tcp_fixture_finish(w);
  ck_assert_ptr_null(w->ends.stalls);
  done();
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_fin_has_the_number_of_its_own_packet,
                                an_rst_names_its_sender,
                                a_side_is_heard_by_any_packet,
                                segments_that_come_again_are_counted,
                                a_connection_knows_that_its_ports_were_used_again,
                                a_reset_comes_after_what_its_sender_acknowledged,
                                the_longest_time_without_a_window_is_known,
                                a_window_may_be_closed_until_the_end,
                                windows_that_do_not_count,
                                windows_without_memory_are_not_known,
                                NULL};
  return check_run(check_suite("ends", tests));
}
