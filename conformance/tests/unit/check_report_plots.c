/* SPDX-License-Identifier: BSD-2-Clause */
/* The bounds of plots in the page of check: memory of open connections, octets of the page. */
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "report/check_plots.h"
#include <report/stats.h>

#define CONNECTIONS 20000u
#define MEMORY ((uint64_t)32 * 1024 * 1024)
#define MIB ((uint64_t)1024 * 1024)

static iwarp_observer_info info;
static observe_facts facts;
static observe_conn conn;

static void fresh(void) {
  memset(&info, 0, sizeof info);
  memset(&facts, 0, sizeof facts);
  info.side[0].role = IWARP_ROLE_INITIATOR;
  info.side[1].role = IWARP_ROLE_RESPONDER;
  conn = (observe_conn){.file = "f", .info = &info, .facts = &facts, .began_ns = 5};
  strcpy(conn.addr[0], "10.0.0.1:1");
  strcpy(conn.addr[1], "10.0.0.2:2");
}

/* A whole Send of 8 octets. */
static iwarp_event send_at(uint64_t packet) {
  iwarp_event ev = {.kind = IWARP_EVENT_FPDU, .pos = 100 * packet, .len = 32};
  ev.last = ev.first = (iwarp_meta){.packet = packet, .time_ns = 10 * packet};
  ev.u.fpdu.complete = true;
  ev.u.fpdu.seg.has_ddp = true;
  ev.u.fpdu.seg.ddp.last = true;
  ev.u.fpdu.seg.ddp.msn = (uint32_t)packet;
  ev.u.fpdu.seg.ctrl.opcode = IWARP_RDMAP_OP_SEND;
  ev.u.fpdu.seg.payload_len = 8;
  return ev;
}

/* Connections beyond the bound have no plots and count; the memory of the others is theirs until
 * they end. */
START_TEST(open_connections_have_bounded_memory)
{
  static check_slot slots[CONNECTIONS];
  static report_check check;
  fresh();
  memset(&check, 0, sizeof check);
  memset(slots, 0, sizeof slots);
  const iwarp_event ev = send_at(1);
  uint64_t drawn = 0;
  for (size_t i = 0; i < CONNECTIONS; i++) {
    check_plots_event(&check, &slots[i], &conn, &ev);
    check_plots_event(&check, &slots[i], &conn, &ev);
    ck_assert_uint_le(check.plots_memory, MEMORY);
    drawn += slots[i].plots != NULL ? 1u : 0u;
  }
  ck_assert_uint_gt(drawn, 1000);
  ck_assert_uint_gt(check.plots_left_out, 0);
  ck_assert_uint_eq(drawn + check.plots_left_out, CONNECTIONS);
  for (size_t i = 0; i < CONNECTIONS; i++) {
    check_plots_free(&check, &slots[i]);
  }
  ck_assert_uint_eq(check.plots_memory, 0);
}
END_TEST

/* The share of plots follows the input up to a bound, which is higher for a connection that failed.
 */
START_TEST(plots_have_a_share_of_the_page)
{
  uint64_t input = 1000;
  report_check check = {.input = &input};
  fresh();
  conn.outcome.how = OBSERVE_CLOSED;
  ck_assert(check_plots_admit(&check, &conn, 60000));
  ck_assert(!check_plots_admit(&check, &conn, 60000));
  ck_assert_uint_eq(check.plots_octets, 60000);
  ck_assert_uint_eq(check.plots_left_out, 1);
  input = 100 * MIB;
  ck_assert(check_plots_admit(&check, &conn, 2 * MIB - 60000));
  ck_assert(!check_plots_admit(&check, &conn, 1));
  conn.outcome.how = OBSERVE_RESET;
  ck_assert(check_plots_admit(&check, &conn, MIB));
  ck_assert(!check_plots_admit(&check, &conn, 2 * MIB));
  check.input = NULL;
  ck_assert(check_plots_admit(&check, &conn, MIB));
  ck_assert_uint_eq(check.plots_left_out, 3);
}
END_TEST

/* A time that goes backwards makes no time that is out of the plot. */
START_TEST(times_do_not_go_backwards)
{
  check_slot held = {.plots = NULL};
  report_check check = {.num_rows = 0};
  out_buf out;
  fresh();
  for (uint64_t i = 1; i < 5; i++) {
    iwarp_event ev = send_at(i);
    ev.last.time_ns = i == 3 ? 0 : ev.last.time_ns;
    check_plots_event(&check, &held, &conn, &ev);
  }
  const stats_series *x = &stats_now(held.plots)->side[0].plots.sequence;
  ck_assert_uint_eq(x->num, 4);
  for (size_t i = 1; i < x->num; i++) {
    ck_assert_uint_ge(x->of[i].ns, x->of[i - 1].ns);
    ck_assert_uint_le(x->of[i].ns, stats_now(held.plots)->duration_ns);
  }
  ck_assert_uint_eq(x->of[3].v, 332); /* octets from the first one on */
  out_open_memory(&out);
  ck_assert(check_plots_put(&held, &conn, &out));
  out_char(&out, '\0');
  ck_assert_ptr_nonnull(strstr(out.buf, "data-ns=\"35\""));
  out_close(&out);
  check_plots_free(&check, &held);
  ck_assert(!check_plots_put(&held, &conn, &out));
}
END_TEST

/* The page of stats takes connections until it is full, and names the number of the others. */
START_TEST(the_page_of_stats_is_bounded)
{
  static const stats_cfg cfg = {.plots = true, .by_events = true};
  fresh();
  stats *s = stats_new(&cfg);
  const iwarp_event ev = send_at(1);
  stats_event(s, &conn, &ev);
  stats_end(s, &conn);
  const report_stats_conn c = {.conn = &conn, .figures = stats_now(s)};
  out_buf out;
  out_open_memory(&out);
  out.flushed = REPORT_STATS_PAGE - 1;
  ck_assert(report_stats_html(&out, &c));
  const size_t len = out.len;
  ck_assert(!report_stats_html(&out, &c));
  ck_assert_uint_eq(out.len, len);
  report_stats_html_end(&out, 1);
  out_char(&out, '\0');
  ck_assert_ptr_nonnull(strstr(out.buf, "no room for 1 further connection."));
  out_clear(&out);
  report_stats_html_end(&out, 0);
  out_char(&out, '\0');
  ck_assert_ptr_null(strstr(out.buf, "no room"));
  out_close(&out);
  stats_free(s);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {open_connections_have_bounded_memory,
                                plots_have_a_share_of_the_page, times_do_not_go_backwards,
                                the_page_of_stats_is_bounded, NULL};
  return check_run(check_suite("report-plots", tests));
}
