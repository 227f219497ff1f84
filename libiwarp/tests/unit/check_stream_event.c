/* SPDX-License-Identifier: BSD-2-Clause */
/* The payload of an event, run by run. Runs that lie between Markers are compared wherever events
 * are logged: stream_run.c. */
#include <string.h>

#include <iwarp/event.h>

#include "check_run.h"

/* A Write of five octets, tagged: DDP-SSN or ULPDU_Length, header, payload, PAD, CRC. */
static const uint8_t write_message[] = {0, 19, 0xC1, 0x40, 0,    0,   0,   1,   0,   0,   0,
                                        0, 0,  0,    0,    0,    'a', 'b', 'c', 'd', 'e', 0,
                                        0, 0,  0,    0,    0xAA, 1,   2,   3,   4};
#define WRITE_SEGMENT 19u

static iwarp_event write_fpdu(size_t captured) {
  iwarp_event ev = {.kind = IWARP_EVENT_FPDU};
  iwarp_mpa_fpdu *f = &ev.u.fpdu.fpdu;
  f->wire = (iwarp_span){write_message, captured};
  f->ulpdu_length = WRITE_SEGMENT;
  f->layout = iwarp_mpa_layout_of(0, WRITE_SEGMENT, false);
  iwarp_rdmap_seg_decode(&ev.u.fpdu.seg, (iwarp_span){&write_message[2], captured - 2},
                         WRITE_SEGMENT);
  return ev;
}

static void want_run(const iwarp_event *ev, const char *octets) {
  iwarp_span run;
  size_t cursor = 0;
  ck_assert_int_eq(iwarp_event_payload(&run, &cursor, ev), IWARP_OK);
  ck_assert_uint_eq(run.len, strlen(octets));
  ck_assert_mem_eq(run.ptr, octets, run.len);
  ck_assert_uint_eq(cursor, run.len);
  ck_assert_int_eq(iwarp_event_payload(&run, &cursor, ev), IWARP_ERR_END);
  ck_assert_uint_eq(cursor, strlen(octets));
}

static void want_none(const iwarp_event *ev) {
  iwarp_span run = {write_message, 1};
  size_t cursor = 0;
  ck_assert_int_eq(iwarp_event_payload(&run, &cursor, ev), IWARP_ERR_END);
  ck_assert_uint_eq(cursor, 0);
  ck_assert_uint_eq(run.len, 1); /* written only on success */
}

START_TEST(an_fpdu_yields_what_follows_its_ddp_header)
{
  const iwarp_event ev = write_fpdu(sizeof write_message);
  want_run(&ev, "abcde");
}
END_TEST

START_TEST(octets_that_were_not_captured_are_left_out)
{
  iwarp_event ev = write_fpdu(18);
  want_run(&ev, "ab");
  ev = write_fpdu(16); /* all of the header */
  want_none(&ev);
  ev = write_fpdu(15);
  want_none(&ev);
}
END_TEST

START_TEST(a_cursor_beyond_the_payload_yields_nothing)
{
  const iwarp_event ev = write_fpdu(sizeof write_message);
  iwarp_span run;
  size_t cursor = SIZE_MAX;
  ck_assert_int_eq(iwarp_event_payload(&run, &cursor, &ev), IWARP_ERR_END);
  ck_assert_uint_eq(cursor, SIZE_MAX);
  cursor = 3;
  ck_assert_int_eq(iwarp_event_payload(&run, &cursor, &ev), IWARP_OK);
  ck_assert_uint_eq(run.len, 2);
  ck_assert_uint_eq(cursor, 5);
}
END_TEST

START_TEST(a_segment_over_sctp_yields_it_in_one_run)
{
  const iwarp_ev_sctp sctp = {.u.message.user_data = {write_message, 2 + WRITE_SEGMENT}};
  iwarp_event ev = {.kind = IWARP_EVENT_SCTP_SEGMENT, .sctp = &sctp};
  iwarp_rdmap_seg_decode(&ev.u.fpdu.seg, (iwarp_span){&write_message[2], WRITE_SEGMENT},
                         WRITE_SEGMENT);
  want_run(&ev, "abcde");
}
END_TEST

START_TEST(an_untagged_segment_has_the_longer_header)
{
  static const uint8_t message[] = {0, 20, 0x41, 0x43, 0, 0, 0, 0, 0, 0,   0,
                                    0, 0,  0,    0,    1, 0, 0, 0, 0, 'h', 'i'};
  const iwarp_ev_sctp sctp = {.u.message.user_data = {message, sizeof message}};
  iwarp_event ev = {.kind = IWARP_EVENT_SCTP_SEGMENT, .sctp = &sctp};
  iwarp_rdmap_seg_decode(&ev.u.fpdu.seg, (iwarp_span){&message[2], sizeof message - 2},
                         sizeof message - 2);
  want_run(&ev, "hi");
}
END_TEST

START_TEST(other_events_have_no_payload)
{
  for (int kind = 0; kind <= IWARP_EVENT_SCTP_SEGMENT; kind++) {
    iwarp_event ev = write_fpdu(sizeof write_message);
    ev.kind = (iwarp_event_kind)kind;
    if (kind != IWARP_EVENT_FPDU && kind != IWARP_EVENT_SCTP_SEGMENT) {
      want_none(&ev);
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {an_fpdu_yields_what_follows_its_ddp_header,
                                octets_that_were_not_captured_are_left_out,
                                a_cursor_beyond_the_payload_yields_nothing,
                                a_segment_over_sctp_yields_it_in_one_run,
                                an_untagged_segment_has_the_longer_header,
                                other_events_have_no_payload,
                                NULL};
  return check_run(check_suite("stream-event", tests));
}
