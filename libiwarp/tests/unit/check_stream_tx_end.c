/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a transmit engine: by a Terminate, and by the loss of the stream. */
#include "check_run.h"
#include "tx_run.h"

/* ---- Terminate ---- */

/* What must be refused after the end. */
static void expect_closed(void) {
  iwarp_rdmap_read_req read = tx_run_read_req(0);
  iwarp_rdmap_term term = {0};
  iwarp_rdmap_atomic_req atomic = {0};
  iwarp_rdmap_atomic_resp resp = {0};
  iwarp_tx_payload none = {0};
  ck_assert_int_eq(iwarp_tx_write(tx_sent.tx, 9, 1, 1, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_send(tx_sent.tx, 9, IWARP_RDMAP_OP_SEND, 0, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_read_req(tx_sent.tx, 9, &read), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_read_resp(tx_sent.tx, 9, &read, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_immediate(tx_sent.tx, 9, true, tx_sent.noise), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_atomic_req(tx_sent.tx, 9, &atomic), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_atomic_resp(tx_sent.tx, 9, &resp), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_terminate(tx_sent.tx, 9, &term), IWARP_ERR_STATE);
}

static void expect_over(void) {
  iwarp_tx_out out;
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_ERR_END);
  tx_run_expect_none_done();
  expect_closed();
}

START_TEST(terminate_of_an_idle_engine)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  tx_run_begin(&cfg);
  tx_run_terminate(1);
  expect_closed();
  tx_run_take_all();
  ck_assert_str_eq(tx_run_opcodes(), "7");
  tx_run_expect_done(1, IWARP_OK);
  expect_over();
}
END_TEST

START_TEST(terminate_drops_what_waits)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.num_messages = 3;
  tx_run_begin(&cfg);
  tx_run_send(1, 0, 10);
  tx_run_read_resp(2, 0, 10);
  tx_run_send(3, 0, 10); /* no room for a message, and yet for a Terminate */
  tx_run_terminate(4);
  tx_run_expect_none_done(); /* in their order, just before the Terminate */
  tx_run_take_all();
  ck_assert_str_eq(tx_run_opcodes(), "7");
  tx_run_expect_done(1, IWARP_ERR_FLUSHED);
  tx_run_expect_done(3, IWARP_ERR_FLUSHED);
  tx_run_expect_done(2, IWARP_ERR_FLUSHED);
  tx_run_expect_done(4, IWARP_OK);
  expect_over();
}
END_TEST

START_TEST(terminate_lets_a_message_finish)
{
  for (size_t taken = 0; taken <= 1460; taken += 730) {
    iwarp_tx_cfg cfg = tx_run_cfg(1460);
    iwarp_tx_out out;
    tx_run_begin(&cfg);
    tx_run_write(1, 0, 4000);
    tx_run_send(2, 0, 10);
    tx_run_read_resp(3, 0, 10);
    ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                     IWARP_OK);
    tx_run_note(tx_sent.spans, taken);
    ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, taken), IWARP_OK);
    tx_run_terminate(4);
    tx_run_take_all();
    ck_assert_str_eq(tx_run_opcodes(), "0007");
    tx_run_expect_done(1, IWARP_OK);
    tx_run_expect_done(2, IWARP_ERR_FLUSHED);
    tx_run_expect_done(3, IWARP_ERR_FLUSHED);
    tx_run_expect_done(4, IWARP_OK);
    expect_over();
  }
}
END_TEST

START_TEST(terminate_abandons_a_read_response)
{
  for (size_t taken = 0; taken <= 1460; taken += 730) {
    iwarp_tx_cfg cfg = tx_run_cfg(1460);
    iwarp_tx_out out;
    tx_run_begin(&cfg);
    tx_run_read_resp(1, 0, 4000);
    ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                     IWARP_OK);
    tx_run_note(tx_sent.spans, taken);
    ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, taken), IWARP_OK);
    tx_run_read_resp(2, 0, 10);
    tx_run_send(3, 0, 10);
    tx_run_terminate(4);
    if (taken == 1460) { /* nothing of it was on its way any more */
      tx_run_expect_done(1, IWARP_ERR_FLUSHED);
    }
    tx_run_expect_none_done(); /* its payload is still borrowed */
    tx_run_take_all();
    ck_assert_str_eq(tx_run_opcodes(), "27");
    ck_assert_uint_eq(tx_sent.wire[2], 0x81); /* no L */
    if (taken < 1460) {
      tx_run_expect_done(1, IWARP_ERR_FLUSHED);
    }
    tx_run_expect_done(3, IWARP_ERR_FLUSHED);
    tx_run_expect_done(2, IWARP_ERR_FLUSHED);
    tx_run_expect_done(4, IWARP_OK);
    expect_over();
  }
}
END_TEST

START_TEST(terminate_after_a_message_is_handed_out_whole)
{
  for (int response = 0; response < 2; response++) {
    iwarp_tx_cfg cfg = tx_run_cfg(1460);
    iwarp_tx_out out;
    tx_run_begin(&cfg);
    if (response != 0) {
      tx_run_read_resp(1, 0, 10);
    } else {
      tx_run_send(1, 0, 10);
    }
    ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                     IWARP_OK);
    tx_run_terminate(2);
    tx_run_take_all();
    ck_assert_str_eq(tx_run_opcodes(), response != 0 ? "27" : "37");
    tx_run_expect_done(1, IWARP_OK);
    tx_run_expect_done(2, IWARP_OK);
    expect_over();
  }
}
END_TEST

START_TEST(terminate_in_a_packed_segment)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  iwarp_tx_out out;
  cfg.pack = true;
  tx_run_begin(&cfg);
  tx_run_write(1, 0, 1000);
  tx_run_read_resp(2, 0, 100);
  tx_run_send(3, 0, 2000);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_OK);
  ck_assert_uint_eq(out.num_fpdus, 2);
  tx_run_take_one();
  tx_run_take_one(); /* the Send is under way now */
  tx_run_read_resp(4, 0, 100);
  tx_run_terminate(5);
  tx_run_take_all();
  ck_assert_uint_eq(tx_sent.num_batches, 3); /* the end of the Send, and the Terminate after it */
  ck_assert_uint_eq(tx_sent.batches[2].num_fpdus, 2);
  ck_assert_str_eq(tx_run_opcodes(), "02337");
  for (uint64_t token = 1; token <= 5; token++) {
    tx_run_expect_done(token, token == 4 ? IWARP_ERR_FLUSHED : IWARP_OK);
  }
  expect_over();
}
END_TEST

/* The Read Response is under way in the part of a segment that was handed out. */
START_TEST(terminate_between_the_parts_of_a_segment)
{
  iwarp_tx_cfg cfg = tx_run_cfg(3000);
  cfg.pack = true;
  tx_run_begin(&cfg);
  for (uint64_t i = 0; i < 33; i++) {
    tx_run_write(i, 0, 0);
  }
  tx_run_take_one();
  ck_assert(!tx_sent.batches[0].segment_end);
  tx_run_terminate(33);
  tx_run_take_all();
  ck_assert_uint_eq(tx_sent.num_batches, 2);
  ck_assert(tx_sent.batches[1].num_fpdus == 1 && tx_sent.batches[1].segment_end);
  for (uint64_t i = 0; i < 34; i++) {
    tx_run_expect_done(i, i == 32 ? IWARP_ERR_FLUSHED : IWARP_OK);
  }
  expect_over();
}
END_TEST

START_TEST(terminate_is_checked)
{
  static const uint8_t zeros[60];
  iwarp_tx_cfg cfg = tx_run_cfg(128);
  iwarp_rdmap_term term = {.layer = 16};
  tx_run_begin(&cfg);
  ck_assert_int_eq(iwarp_tx_terminate(tx_sent.tx, 1, &term), IWARP_ERR_ARG);
  term = (iwarp_rdmap_term){.rest = {zeros, 49}};
  ck_assert_int_eq(iwarp_tx_terminate(tx_sent.tx, 1, &term), IWARP_ERR_ARG);
  tx_run_send(2, 0, 1); /* nothing has happened */
  tx_run_take_all();
  tx_run_expect_done(2, IWARP_OK);
  term.rest.len = 48;
  ck_assert_int_eq(iwarp_tx_terminate(tx_sent.tx, 3, &term), IWARP_OK);
  tx_run_take_all();
  ck_assert_uint_eq(tx_sent.batches[1].len, 2 + 18 + 52 + 4);
}
END_TEST

/* ---- the stream is gone ---- */

START_TEST(abort_of_an_idle_engine)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  tx_run_begin(&cfg);
  iwarp_tx_abort(tx_sent.tx);
  expect_over();
  iwarp_tx_abort(tx_sent.tx);
  expect_over();
}
END_TEST

START_TEST(abort_fails_everything_in_its_order)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  iwarp_tx_out out;
  cfg.pack = true;
  tx_run_begin(&cfg);
  tx_run_write(1, 0, 100);
  tx_run_send(2, 0, 100);
  tx_run_write(3, 0, 100);
  tx_run_write(4, 0, 5000);
  tx_run_write(5, 0, 1);
  tx_run_read_resp(6, 0, 1);
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_OK);
  ck_assert_uint_eq(out.num_fpdus, 4);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, 125), IWARP_OK);
  iwarp_tx_abort(tx_sent.tx);
  ck_assert_uint_eq(iwarp_tx_offset(tx_sent.tx), 125);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, 1), IWARP_ERR_ARG);
  static const uint64_t order[] = {1, 6, 2, 3, 4, 5};
  for (size_t i = 0; i < 6; i++) {
    tx_run_expect_done(order[i], order[i] == 1 ? IWARP_OK : IWARP_ERR_FLUSHED);
  }
  expect_over();
}
END_TEST

START_TEST(abort_of_a_message_under_way)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  iwarp_tx_out out;
  tx_run_begin(&cfg);
  tx_run_read_resp(1, 0, 5000);
  tx_run_write(2, 0, 5);
  tx_run_take_one();
  tx_run_take_one();
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_OK);
  iwarp_tx_abort(tx_sent.tx);
  tx_run_expect_done(2, IWARP_OK);
  tx_run_expect_done(1, IWARP_ERR_FLUSHED);
  expect_over();
}
END_TEST

START_TEST(abort_with_a_terminate_waiting_or_handed_out)
{
  for (int handed_out = 0; handed_out < 2; handed_out++) {
    iwarp_tx_cfg cfg = tx_run_cfg(1460);
    iwarp_tx_out out;
    tx_run_begin(&cfg);
    tx_run_write(1, 0, 5);
    tx_run_read_resp(2, 0, 5);
    tx_run_terminate(3);
    if (handed_out != 0) {
      ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                       IWARP_OK);
    }
    iwarp_tx_abort(tx_sent.tx);
    for (uint64_t token = 1; token <= 3; token++) {
      tx_run_expect_done(token, IWARP_ERR_FLUSHED);
    }
    expect_over();
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {terminate_of_an_idle_engine,
                                terminate_drops_what_waits,
                                terminate_lets_a_message_finish,
                                terminate_abandons_a_read_response,
                                terminate_after_a_message_is_handed_out_whole,
                                terminate_in_a_packed_segment,
                                terminate_between_the_parts_of_a_segment,
                                terminate_is_checked,
                                abort_of_an_idle_engine,
                                abort_fails_everything_in_its_order,
                                abort_of_a_message_under_way,
                                abort_with_a_terminate_waiting_or_handed_out,
                                NULL};
  return check_run(check_suite("stream-tx-end", tests));
}
