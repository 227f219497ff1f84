/* SPDX-License-Identifier: BSD-2-Clause */
/* What a connection held is counted. */
#include <iwarp/sctp_observer.h>

#include "check_run.h"
#include "observe/tally.h"

START_TEST(every_octet_is_counted_once)
{
  observe_tally tally = {0};
  iwarp_event ev = {.kind = IWARP_EVENT_STARTUP, .side = 0, .len = 20};
  obs_tally_event(&tally, &ev);
  ev = (iwarp_event){.kind = IWARP_EVENT_STREAMING, .side = 1, .len = 7};
  obs_tally_event(&tally, &ev);
  ev = (iwarp_event){.kind = IWARP_EVENT_UNDECODABLE, .side = 1, .len = 5};
  obs_tally_event(&tally, &ev);
  ev = (iwarp_event){.kind = IWARP_EVENT_GAP, .side = 1, .len = 1000};
  obs_tally_event(&tally, &ev);
  ev = (iwarp_event){.kind = IWARP_EVENT_END};
  obs_tally_event(&tally, &ev);
  ev = (iwarp_event){.kind = IWARP_EVENT_FPDU, .side = 0, .len = 24};
  ev.u.fpdu.fpdu.layout.lead = 4;
  ev.u.fpdu.seg.has_ddp = true;
  obs_tally_event(&tally, &ev);
  ck_assert_uint_eq(tally.messages[0], 0);
  ev.u.fpdu.seg.ddp.last = true;
  ev.u.fpdu.seg.ctrl.opcode = IWARP_RDMAP_OP_SEND;
  obs_tally_event(&tally, &ev);
  ck_assert_uint_eq(tally.octets[0], 20 + 2 * 28);
  ck_assert_uint_eq(tally.octets[1], 5);
  ck_assert_uint_eq(tally.streaming[1], 7);
  ck_assert_uint_eq(tally.gaps, 1);
  ck_assert_uint_eq(tally.fpdus[0], 2);
  ck_assert_uint_eq(tally.messages[IWARP_RDMAP_OP_SEND], 1);
  const iwarp_sctp_captured captured = {.length = 100};
  const iwarp_ev_sctp m = {.u.message.captured = &captured};
  ev.kind = IWARP_EVENT_SCTP_SEGMENT;
  ev.sctp = &m;
  obs_tally_event(&tally, &ev);
  ck_assert_uint_eq(tally.octets[0], 20 + 2 * 28 + 100);
  ck_assert_uint_eq(tally.messages[IWARP_RDMAP_OP_SEND], 2);
  ev.kind = IWARP_EVENT_SCTP_MESSAGE;
  obs_tally_event(&tally, &ev);
  ev.kind = IWARP_EVENT_SCTP_INIT;
  obs_tally_event(&tally, &ev);
  ck_assert_uint_eq(tally.octets[0], 20 + 2 * 28 + 200);
  ck_assert_uint_eq(tally.fpdus[0], 3);
}
END_TEST

/* Octets at `pos` of a side whose Full Operation begins at 20, which wait for the rest of an FPDU.
 */
static uint64_t tally_unfinished(iwarp_tristate markers, uint64_t pos, iwarp_span octets) {
  iwarp_observer_info info = {0};
  info.side[1].start_known = true;
  info.side[1].full_pos = 20;
  info.side[1].markers = markers;
  observe_conn conn = {.info = &info};
  const iwarp_event ev = {.kind = IWARP_EVENT_UNDECODABLE,
                          .side = 1,
                          .pos = pos,
                          .len = octets.len,
                          .unfinished = octets,
                          .u.undecodable = IWARP_UNDEC_UNFINISHED};
  obs_tally_undecodable(&conn, &ev);
  return conn.undecodable[1].octets;
}

START_TEST(a_marker_between_fpdus_is_no_undecodable_octets)
{
  static const uint8_t zero[5] = {0};
  static const uint8_t other[4] = {0, 0, 0, 8};
  ck_assert_uint_eq(tally_unfinished(IWARP_TRISTATE_ON, 532, (iwarp_span){zero, 4}), 0);
  ck_assert_uint_eq(tally_unfinished(IWARP_TRISTATE_ON, 1044, (iwarp_span){zero, 4}), 0);
  ck_assert_uint_eq(tally_unfinished(IWARP_TRISTATE_ON, 20, (iwarp_span){zero, 4}), 4);
  ck_assert_uint_eq(tally_unfinished(IWARP_TRISTATE_ON, 528, (iwarp_span){zero, 4}), 4);
  ck_assert_uint_eq(tally_unfinished(IWARP_TRISTATE_ON, 532, (iwarp_span){zero, 3}), 3);
  ck_assert_uint_eq(tally_unfinished(IWARP_TRISTATE_ON, 532, (iwarp_span){zero, 5}), 5);
  ck_assert_uint_eq(tally_unfinished(IWARP_TRISTATE_ON, 532, (iwarp_span){other, 4}), 4);
  ck_assert_uint_eq(tally_unfinished(IWARP_TRISTATE_OFF, 532, (iwarp_span){zero, 4}), 4);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {every_octet_is_counted_once,
                                a_marker_between_fpdus_is_no_undecodable_octets, NULL};
  return check_run(check_suite("tally", tests));
}
