/* SPDX-License-Identifier: BSD-2-Clause */
/* What the transmit engine hands out: segments, spans, and progress by any number of octets. */
#include <string.h>

#include "check_run.h"
#include "tx/state.h"
#include "tx_run.h"

/* ---- segments ---- */

START_TEST(packing_fills_segments_with_whole_fpdus)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.pack = true;
  tx_run_begin(&cfg);
  tx_run_write(1, 0, 1000); /* 1020 octets on the wire */
  tx_run_write(2, 0, 420);  /* 440: just fits */
  tx_run_write(3, 0, 1000);
  tx_run_write(4, 0, 424); /* 444: does not fit */
  tx_run_write(5, 0, 3000);
  tx_run_take_all();
  static const tx_run_batch wanted[] = {{1460, 2, true}, {1020, 1, true}, {444, 1, true},
                                        {1460, 1, true}, {1460, 1, true}, {140, 1, true}};
  ck_assert_uint_eq(tx_sent.num_batches, 6);
  for (size_t i = 0; i < 6; i++) {
    expect(tx_sent.batches[i].len == wanted[i].len &&
               tx_sent.batches[i].num_fpdus == wanted[i].num_fpdus &&
               tx_sent.batches[i].segment_end == wanted[i].segment_end,
           "batch %zu: %zu octets, %u FPDUs", i, tx_sent.batches[i].len,
           tx_sent.batches[i].num_fpdus);
  }
  tx_run_write(6, 0, 0);
  tx_run_take_all(); /* what was not there when the segment ended begins the next one */
  ck_assert_uint_eq(tx_sent.batches[6].len, 20);
  tx_run_write(7, 0, 1000);
  tx_run_write(8, 0, 420);
  tx_run_take_all();
  ck_assert_uint_eq(tx_sent.batches[7].len, 1460);
}
END_TEST

START_TEST(the_stream_does_not_depend_on_packing)
{
  static uint8_t first[TX_RUN_WIRE_MAX];
  size_t first_len = 0;
  for (int pack = 0; pack < 2; pack++) {
    iwarp_tx_cfg cfg = tx_run_cfg(1460);
    cfg.markers = true;
    cfg.pack = pack != 0;
    tx_run_begin(&cfg);
    for (size_t i = 0; i < TX_RUN_MESSAGES; i++) {
      tx_run_write(i, i, i * i % (i % 8 != 0 ? 301 : 3001));
    }
    tx_run_take_all();
    if (pack == 0) {
      memcpy(first, tx_sent.wire, tx_sent.wire_len);
      first_len = tx_sent.wire_len;
      ck_assert_uint_gt(tx_sent.num_batches, TX_RUN_MESSAGES);
    }
  }
  ck_assert_uint_lt(tx_sent.num_batches, TX_RUN_MESSAGES);
  ck_assert_uint_eq(first_len, tx_sent.wire_len);
  ck_assert_mem_eq(first, tx_sent.wire, tx_sent.wire_len);
}
END_TEST

/* A segment of more FPDUs than the engine holds at a time comes in parts, and only its last part
 * ends it. */
START_TEST(segments_of_many_fpdus_come_in_parts)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.pack = true;
  tx_run_begin(&cfg);
  for (uint64_t i = 0; i < 150; i++) {
    tx_run_write(i, 0, 0); /* 20 octets on the wire: 73 of them to a segment */
  }
  tx_run_take_all();
  static const tx_run_batch wanted[] = {{640, 32, false}, {640, 32, false}, {180, 9, true},
                                        {640, 32, false}, {640, 32, false}, {180, 9, true},
                                        {80, 4, true}};
  ck_assert_uint_eq(tx_sent.num_batches, 7);
  for (size_t i = 0; i < 7; i++) {
    expect(tx_sent.batches[i].len == wanted[i].len &&
               tx_sent.batches[i].num_fpdus == wanted[i].num_fpdus &&
               tx_sent.batches[i].segment_end == wanted[i].segment_end,
           "batch %zu: %zu octets, %u FPDUs", i, tx_sent.batches[i].len,
           tx_sent.batches[i].num_fpdus);
  }
}
END_TEST

START_TEST(segments_of_many_headers_come_in_parts)
{
  iwarp_rdmap_atomic_req req = {.aopcode = 2};
  iwarp_tx_cfg cfg = tx_run_cfg(3000);
  cfg.pack = true;
  tx_run_begin(&cfg);
  for (uint64_t i = 0; i < 40; i++) {
    ck_assert_int_eq(iwarp_tx_atomic_req(tx_sent.tx, i, &req),
                     IWARP_OK); /* 76 octets, none of payload */
  }
  tx_run_take_all();
  ck_assert_uint_eq(tx_sent.num_batches, 3);
  const size_t framing = TX_FRAMING_LARGEST + TX_FRAMING_USUAL * TX_FPDUS_DEFAULT;
  expect(tx_sent.batches[0].len == framing / 76 * 76 && !tx_sent.batches[0].segment_end,
         "first part");
  expect(tx_sent.batches[0].len + tx_sent.batches[1].len == 39 * 76 &&
             tx_sent.batches[1].segment_end,
         "second part");
  expect(tx_sent.batches[2].len == 76 && tx_sent.batches[2].segment_end, "second segment");
}
END_TEST

START_TEST(a_segment_may_shrink_between_its_parts)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.pack = true;
  tx_run_begin(&cfg);
  for (uint64_t i = 0; i < 40; i++) {
    tx_run_write(i, 0, 0);
  }
  tx_run_take_one();
  ck_assert(!tx_sent.batches[0].segment_end);
  iwarp_tx_set_emss(tx_sent.tx, 512);
  tx_run_take_all();
  ck_assert_uint_eq(tx_sent.num_batches, 2);
  ck_assert_uint_eq(tx_sent.batches[1].num_fpdus, 8);
  ck_assert(tx_sent.batches[1].segment_end);
}
END_TEST

START_TEST(a_new_emss_counts_for_fpdus_not_handed_out)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  tx_run_begin(&cfg);
  tx_run_write(1, 0, 5000);
  iwarp_tx_out out;
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_OK);
  ck_assert_uint_eq(out.len, 1460);
  iwarp_tx_set_emss(tx_sent.tx, 536);
  ck_assert_uint_eq(iwarp_tx_mulpdu(tx_sent.tx), 530);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_OK);
  ck_assert_uint_eq(out.len, 1460);
  tx_run_take_one();
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_OK);
  ck_assert_uint_eq(out.len, 536);
}
END_TEST

/* ---- spans and progress ---- */

/* Three FPDUs in a segment: two parts and two Markers, one with only a header, one of one part. */
static void script(bool pack) {
  static iwarp_span parts[3];
  iwarp_rdmap_read_req req = tx_run_read_req(9);
  iwarp_tx_cfg cfg = tx_run_cfg(2048);
  cfg.markers = true;
  cfg.pack = pack;
  tx_run_begin(&cfg);
  parts[0] = (iwarp_span){tx_sent.noise, 600};
  parts[1] = (iwarp_span){NULL, 0};
  parts[2] = (iwarp_span){tx_sent.noise + 1000, 501};
  ck_assert_int_eq(iwarp_tx_write(tx_sent.tx, 1, 0x00112233, 0x10000, (iwarp_tx_payload){parts, 3}),
                   IWARP_OK);
  ck_assert_int_eq(iwarp_tx_read_req(tx_sent.tx, 2, &req), IWARP_OK);
  tx_run_send(3, 0, 100);
}

static size_t script_octets(uint8_t *octets) {
  script(true);
  tx_run_take_all();
  expect(tx_sent.num_batches == 1 && tx_sent.batches[0].num_fpdus == 3, "the script");
  memcpy(octets, tx_sent.wire, tx_sent.wire_len);
  return tx_sent.wire_len;
}

START_TEST(every_number_of_spans_makes_progress)
{
  iwarp_span beyond;
  memset(&beyond, 0xA5, sizeof beyond);
  static uint8_t whole[TX_RUN_WIRE_MAX];
  size_t whole_len = script_octets(whole);
  iwarp_tx_out all;
  script(true);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &all),
                   IWARP_OK);
  for (size_t cap = 1; cap <= all.num_spans + 1; cap++) {
    bool ended = false;
    script(true);
    while (!ended) {
      iwarp_tx_out out;
      memset(tx_sent.spans, 0xA5, sizeof tx_sent.spans);
      ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, cap, &out), IWARP_OK);
      expect(out.num_spans > 0 && out.num_spans <= cap, "%zu: %zu spans", cap, out.num_spans);
      expect(memcmp(&tx_sent.spans[cap], &beyond, sizeof beyond) == 0, "%zu: span beyond", cap);
      size_t len = 0;
      for (size_t i = 0; i < out.num_spans; i++) {
        expect(tx_sent.spans[i].len > 0, "%zu: empty span", cap);
        len += tx_sent.spans[i].len;
      }
      expect(len == out.len, "%zu: length", cap);
      tx_run_note(tx_sent.spans, out.len);
      expect(iwarp_tx_advance(tx_sent.tx, out.len) == IWARP_OK, "%zu", cap);
      ended = out.segment_end;
      expect(ended == (tx_sent.wire_len == whole_len), "%zu: end at %zu", cap, tx_sent.wire_len);
      expect(cap < all.num_spans || out.num_fpdus == 3, "%zu: %u FPDUs", cap, out.num_fpdus);
      expect(cap < 8 || out.num_fpdus > 0, "%zu: less than an FPDU", cap);
    }
    expect(memcmp(tx_sent.wire, whole, whole_len) == 0, "%zu: other octets", cap);
  }
}
END_TEST

START_TEST(whole_fpdus_where_the_spans_hold_one)
{
  iwarp_tx_out out;
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.pack = true;
  tx_run_begin(&cfg);
  for (uint64_t i = 0; i < 3; i++) {
    tx_run_write(i, 0,
                 100); /* header, payload, CRC; header and CRC share a span with their neighbours */
  }
  static const uint32_t wanted[] = {0, 0, 1, 1, 2, 2, 3, 3};
  static const size_t lens[] = {16, 116, 120, 120, 240, 240, 360, 360};
  for (size_t cap = 1; cap <= 8; cap++) {
    ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, cap, &out), IWARP_OK);
    expect(out.num_fpdus == wanted[cap - 1] && out.len == lens[cap - 1] &&
               out.segment_end == (cap >= 7),
           "%zu: %u FPDUs, %zu octets", cap, out.num_fpdus, out.len);
    size_t len = 0;
    for (size_t i = 0; i < out.num_spans; i++) {
      len += tx_sent.spans[i].len;
    }
    expect(len == out.len, "%zu: spans of %zu octets", cap, len);
  }
}
END_TEST

START_TEST(no_span_is_no_progress)
{
  iwarp_tx_out out = {.len = 5};
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  tx_run_begin(&cfg);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, 0, &out), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, 1, &out), IWARP_ERR_END);
  tx_run_send(1, 0, 1);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, NULL, 0, &out), IWARP_ERR_NOBUF);
  ck_assert_uint_eq(out.len, 5);
}
END_TEST

/* After any number of octets were taken the rest comes, the same as before. */
START_TEST(progress_by_any_number_of_octets)
{
  static uint8_t whole[TX_RUN_WIRE_MAX];
  size_t whole_len = script_octets(whole);
  for (int pack = 0; pack < 2; pack++) {
    for (size_t step = 1; step <= whole_len; step = step < 80 ? step + 1 : step * 9 / 8) {
      iwarp_tx_out out;
      script(pack != 0);
      while (iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out) == IWARP_OK) {
        size_t n = step < out.len ? step : out.len;
        tx_run_note(tx_sent.spans, n);
        expect(iwarp_tx_advance(tx_sent.tx, n) == IWARP_OK, "step %zu", step);
        expect(iwarp_tx_offset(tx_sent.tx) == tx_sent.wire_len, "step %zu: offset", step);
      }
      expect(tx_sent.wire_len == whole_len && memcmp(tx_sent.wire, whole, whole_len) == 0,
             "step %zu", step);
      for (uint64_t token = 1; token <= 3; token++) {
        tx_run_expect_done(token, IWARP_OK);
      }
    }
  }
}
END_TEST

START_TEST(no_more_can_be_taken_than_was_handed_out)
{
  iwarp_tx_out out;
  iwarp_tx_out less;
  script(true);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, 0), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, 1, &less), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, less.len + 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_OK);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, 1, &less),
                   IWARP_OK); /* earlier octets still count */
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, out.len + 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, 3), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, out.len - 2), IWARP_ERR_ARG);
  ck_assert_uint_eq(iwarp_tx_offset(tx_sent.tx), 3);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, out.len - 3), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, 1), IWARP_ERR_ARG);
}
END_TEST

START_TEST(an_fpdu_of_very_many_parts)
{
  static iwarp_span parts[3000];
  iwarp_tx_cfg cfg = tx_run_cfg(8960);
  cfg.markers = true;
  tx_run_begin(&cfg);
  for (size_t i = 0; i < 3000; i++) {
    parts[i] = (iwarp_span){tx_sent.noise + i, i % 3 == 0 ? 0 : 1};
  }
  ck_assert_int_eq(
      iwarp_tx_send(tx_sent.tx, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){parts, 3000}),
      IWARP_OK);
  static uint8_t flat[2000];
  for (size_t i = 0; i < 2000; i++) {
    flat[i] = tx_sent.noise[i / 2 * 3 + 1 + i % 2];
  }
  tx_run_want_message((iwarp_ddp_hdr){.rsvdulp = 0x43, .msn = 1}, flat, 2000, &cfg);
  iwarp_tx_out out;
  while (iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, 7, &out) == IWARP_OK) {
    tx_run_note(tx_sent.spans, out.len);
    ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, out.len), IWARP_OK);
  }
  tx_run_same_octets("many parts");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {packing_fills_segments_with_whole_fpdus,
                                the_stream_does_not_depend_on_packing,
                                segments_of_many_fpdus_come_in_parts,
                                segments_of_many_headers_come_in_parts,
                                a_segment_may_shrink_between_its_parts,
                                a_new_emss_counts_for_fpdus_not_handed_out,
                                every_number_of_spans_makes_progress,
                                whole_fpdus_where_the_spans_hold_one,
                                no_span_is_no_progress,
                                progress_by_any_number_of_octets,
                                no_more_can_be_taken_than_was_handed_out,
                                an_fpdu_of_very_many_parts,
                                NULL};
  return check_run(check_suite("stream-tx-out", tests));
}
