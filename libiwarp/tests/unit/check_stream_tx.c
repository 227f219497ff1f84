/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets, order and memory of the transmit engine, against worked examples and a naive sender.
 */
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "tx/state.h"
#include "tx_run.h"

/* ---- octets ---- */

static iwarp_err example_fetch_add(void) {
  iwarp_rdmap_atomic_req req = {.aopcode = 0,
                                .request_id = 0x11,
                                .stag = 0x12345678,
                                .to = 0x10002008,
                                .add_swap_data = 5,
                                .compare_mask = UINT64_MAX};
  return iwarp_tx_atomic_req(tx_sent.tx, 1, &req);
}

static iwarp_err example_atomic_resp(void) {
  iwarp_rdmap_atomic_resp resp = {.request_id = 0x11, .original = 0x0A};
  return iwarp_tx_atomic_resp(tx_sent.tx, 1, &resp);
}

static iwarp_err example_immediate(void) {
  static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
  return iwarp_tx_immediate(tx_sent.tx, 1, false, data);
}

static iwarp_err example_immediate_se(void) {
  static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
  return iwarp_tx_immediate(tx_sent.tx, 1, true, data);
}

static iwarp_err example_terminate(void) {
  static uint8_t ddp[18];
  iwarp_rdmap_term term = {.etype = 2,
                           .code = 7,
                           .m = true,
                           .d = true,
                           .has_ddp_segment_length = true,
                           .ddp_segment_length = 70};
  hex_octets(ddp, sizeof ddp, "414A00000000000000010000000100000000");
  term.ddp_header = (iwarp_span){ddp, sizeof ddp};
  iwarp_err err = iwarp_tx_terminate(tx_sent.tx, 1, &term);
  memset(ddp, 0, sizeof ddp); /* it was copied */
  return err;
}

static iwarp_err example_read_req(void) {
  iwarp_rdmap_read_req req = tx_run_read_req(4096);
  return iwarp_tx_read_req(tx_sent.tx, 1, &req);
}

static iwarp_err example_read_resp(void) {
  iwarp_rdmap_read_req req = tx_run_read_req(0);
  return iwarp_tx_read_resp(tx_sent.tx, 1, &req, (iwarp_tx_payload){0});
}

static iwarp_err example_write(void) {
  static const uint8_t beef[] = {0xDE, 0xAD, 0xBE, 0xEF};
  static const iwarp_span parts[] = {{beef, 1}, {NULL, 0}, {beef + 1, 3}, {beef, 0}};
  return iwarp_tx_write(tx_sent.tx, 1, 0x00112233, 0x1000, (iwarp_tx_payload){parts, 4});
}

static iwarp_err example_hello(iwarp_rdmap_opcode opcode, uint32_t stag) {
  static const iwarp_span part = {(const uint8_t *)"hello", 5};
  return iwarp_tx_send(tx_sent.tx, 1, opcode, stag, (iwarp_tx_payload){&part, 1});
}

static iwarp_err example_send(void) {
  return example_hello(IWARP_RDMAP_OP_SEND, 0);
}

static iwarp_err example_send_se(void) {
  return example_hello(IWARP_RDMAP_OP_SEND_SE, 0);
}

static iwarp_err example_send_inv(void) {
  return example_hello(IWARP_RDMAP_OP_SEND_INV, 0x11223344);
}

static iwarp_err example_send_se_inv(void) {
  return iwarp_tx_send(tx_sent.tx, 1, IWARP_RDMAP_OP_SEND_SE_INV, 0x11223344,
                       (iwarp_tx_payload){0});
}

/* Each message alone, without Markers; the hex is the FPDU up to its CRC, or all of it where the
 * CRC is known. */
static const struct {
  iwarp_err (*queue)(void);
  uint32_t msn; /* of every queue */
  const char *octets;
} examples[] = {
    {example_fetch_add, 1,
     "0046414A00000000000000010000000100000000 00000000 00000011 12345678 0000000010002008"
     "0000000000000005 0000000000000000 0000000000000000 FFFFFFFFFFFFFFFF 9D8A5CB7"},
    {example_atomic_resp, 1,
     "001E414B00000000000000030000000100000000 00000011 000000000000000A 1E1D179D"},
    {example_immediate, 3, "001A414800000000000000000000000300000000 0102030405060708 CCB28C64"},
    {example_immediate_se, 3, "001A414900000000000000000000000300000000 0102030405060708 5179B84A"},
    {example_terminate, 1,
     "002A414700000000000000020000000100000000 0207C000 0046 414A00000000000000010000000100000000"
     "86A855DA"},
    {example_read_req, 1,
     "002E414100000000000000010000000100000000 0A0B0C0D 0000000000002000 00001000 11223344"
     "0000000100000000"},
    {example_read_resp, 7, "000EC1420A0B0C0D0000000000002000"},
    {example_write, 7, "0012C140001122330000000000001000 DEADBEEF"},
    {example_send, 1, "0017414300000000000000000000000100000000 68656C6C6F 000000"},
    {example_send_se, 2, "0017414500000000000000000000000200000000 68656C6C6F 000000"},
    {example_send_inv, 3, "0017414411223344000000000000000300000000 68656C6C6F 000000"},
    {example_send_se_inv, 4, "0012414611223344000000000000000400000000"},
};

START_TEST(worked_examples)
{
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    iwarp_tx_cfg cfg = tx_run_cfg(1460);
    for (size_t qn = 0; qn < 4; qn++) {
      cfg.first_msn[qn] = examples[i].msn;
    }
    tx_run_begin(&cfg);
    ck_assert_int_eq(examples[i].queue(), IWARP_OK);
    tx_run_take_all();
    uint8_t octets[128];
    size_t len = hex_octets(octets, sizeof octets, examples[i].octets);
    size_t ulpdu_len = (size_t)octets[0] << 8 | octets[1];
    tx_run_want_ulpdu(octets + 2, ulpdu_len, &cfg);
    expect(memcmp(tx_sent.want, octets, len) == 0, "%zu: the example itself", i);
    char id[16];
    snprintf(id, sizeof id, "example %zu", i);
    tx_run_same_octets(id);
    tx_run_expect_done(1, IWARP_OK);
  }
}
END_TEST

/* RFC 5044 figures 5 and 6: the first FPDU of a stream, and one with a Marker inside. */
START_TEST(figures_of_rfc_5044)
{
  static const uint8_t zeros[464];
  static const iwarp_span long_part = {zeros, 464};
  static const iwarp_span short_part = {zeros, 24};
  static const char *const figure[] = {
      "00000000 002a4143 00000000 00000000 00000001 00000000 (00*24) 52239983",
      "002a4143 00000000 00000000 00000002 00000000 00000014 (00*24) 84925898"};
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.markers = true;
  for (size_t i = 0; i < 2; i++) {
    tx_run_begin(&cfg);
    if (i == 1) {
      iwarp_tx_send(tx_sent.tx, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&long_part, 1});
      tx_run_take_all();
      ck_assert_uint_eq(tx_sent.wire_len, 492);
    }
    iwarp_tx_send(tx_sent.tx, 2, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&short_part, 1});
    size_t before = tx_sent.wire_len;
    tx_run_take_all();
    uint8_t octets[64];
    ck_assert_uint_eq(hex_octets(octets, sizeof octets, figure[i]), 52);
    ck_assert_uint_eq(tx_sent.wire_len - before, 52);
    ck_assert_mem_eq(tx_sent.wire + before, octets, 52);
  }
}
END_TEST

START_TEST(a_peer_of_the_rdma_consortium_gets_version_0)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.rdmac = true;
  tx_run_begin(&cfg);
  tx_run_send(1, 0, 4);
  tx_run_write(2, 0, 4);
  tx_run_take_all();
  ck_assert_uint_eq(tx_sent.wire[2], 0x40);
  ck_assert_uint_eq(tx_sent.wire[3], 0x03);
  ck_assert_uint_eq(tx_sent.wire[28 + 2], 0xC0);
  ck_assert_uint_eq(tx_sent.wire[28 + 3], 0x00);
}
END_TEST

/* The payload of a Send whose FPDU, sent first, ends `phase` octets after a multiple of 512. */
static size_t filler(uint64_t phase) {
  for (size_t len = 0;; len++) {
    if (iwarp_mpa_layout_of(0, (uint16_t)(18 + len), true).wire_len % 512 == phase) {
      return len;
    }
  }
}

/* No FPDU begins at phase 4: its predecessor's CRC would stand where a Marker does. */
START_TEST(every_alignment_and_length)
{
  iwarp_tx_cfg cfg = tx_run_cfg(2000);
  cfg.markers = true;
  for (uint64_t phase = 0; phase < 512; phase += phase == 0 ? 8 : 4) {
    for (size_t len = 0; len <= 90; len++) {
      tx_run_begin(&cfg);
      tx_run_send(1, 0, filler(phase));
      tx_run_want_send(1, 0, filler(phase), &cfg);
      iwarp_span parts[] = {
          {tx_sent.noise + 7, len / 3}, {NULL, 0}, {tx_sent.noise + 7 + len / 3, len - len / 3}};
      iwarp_tx_write(tx_sent.tx, 2, 0x00112233, 0x10000, (iwarp_tx_payload){parts, 3});
      tx_run_want_write(7, len, &cfg);
      tx_run_take_all();
      tx_run_same_octets("alignment");
    }
  }
}
END_TEST

START_TEST(messages_of_several_segments)
{
  static const uint32_t emss[] = {1, 128, 139, 140, 512, 536, 1460, 1463, 8960, 65495};
  for (size_t i = 0; i < sizeof emss / sizeof emss[0]; i++) {
    for (int k = 0; k < 4; k++) {
      iwarp_tx_cfg cfg = tx_run_cfg(emss[i]);
      cfg.markers = k % 2 != 0;
      cfg.crc = k / 2 != 0;
      tx_run_begin(&cfg);
      const size_t mulpdu = iwarp_mpa_mulpdu(emss[i], cfg.markers);
      ck_assert_uint_eq(iwarp_tx_mulpdu(tx_sent.tx), mulpdu);
      tx_run_send(1, 5, mulpdu - 18); /* just one segment */
      tx_run_want_send(1, 5, mulpdu - 18, &cfg);
      tx_run_send(2, 6, mulpdu - 17); /* one octet more */
      tx_run_want_send(2, 6, mulpdu - 17, &cfg);
      tx_run_write(3, 7, 2 * (mulpdu - 14));
      tx_run_want_write(7, 2 * (mulpdu - 14), &cfg);
      tx_run_write(4, 8, emss[i] < 65000 ? 3 * mulpdu : 33333);
      tx_run_want_write(8, emss[i] < 65000 ? 3 * mulpdu : 33333, &cfg);
      tx_run_take_all();
      tx_run_same_octets("several segments");
      for (size_t b = 0; b < tx_sent.num_batches; b++) {
        expect(tx_sent.batches[b].num_fpdus == 1 && tx_sent.batches[b].segment_end, "batch %zu", b);
        expect(emss[i] < 140 || tx_sent.batches[b].len <= emss[i], "batch %zu: %zu", b,
               tx_sent.batches[b].len);
      }
    }
  }
}
END_TEST

START_TEST(the_largest_emss_gives_ulpdus_that_markers_can_encode)
{
  iwarp_tx_cfg cfg = tx_run_cfg(UINT32_MAX);
  cfg.markers = true;
  tx_run_begin(&cfg);
  ck_assert_uint_eq(iwarp_tx_mulpdu(tx_sent.tx), IWARP_MPA_ULPDU_MAX);
  tx_run_write(1, 0, 4 * 30000 + 9753);
  tx_run_want_write(0, 4 * 30000 + 9753, &cfg);
  tx_run_take_all();
  tx_run_same_octets("largest EMSS");
  ck_assert_uint_eq(tx_sent.batches[0].len, 65288);
}
END_TEST

START_TEST(one_fpdu_of_one_part_fits_the_spans_promised)
{
  iwarp_tx_cfg cfg = tx_run_cfg(UINT32_MAX);
  cfg.markers = true;
  for (uint64_t phase = 0; phase < 512; phase += phase == 0 ? 8 : 4) {
    tx_run_begin(&cfg);
    tx_run_send(1, 0, filler(phase));
    tx_run_write(2, 0, IWARP_MPA_ULPDU_MAX - 14);
    tx_run_take_one();
    iwarp_tx_out out;
    ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, IWARP_TX_SPANS_MIN, &out),
                     IWARP_OK);
    expect(out.num_fpdus == 1 && out.segment_end, "%u: %zu spans", (unsigned)phase, out.num_spans);
    expect(out.num_spans > 200, "%u: only %zu spans", (unsigned)phase, out.num_spans);
  }
}
END_TEST

START_TEST(a_tagged_offset_counts_modulo_2_to_64)
{
  iwarp_tx_cfg cfg = tx_run_cfg(140);
  tx_run_begin(&cfg);
  iwarp_tx_write(tx_sent.tx, 1, 5, UINT64_MAX - 115, tx_run_part(0, 130));
  tx_run_take_all();
  tx_run_want_message(
      (iwarp_ddp_hdr){.tagged = true, .rsvdulp = 0x40, .stag = 5, .to = UINT64_MAX - 115},
      tx_sent.noise, 130, &cfg);
  tx_run_same_octets("TO");
}
END_TEST

/* ---- MSN ---- */

START_TEST(msns_count_by_queue_and_wrap)
{
  static const uint8_t data[8] = {0};
  iwarp_rdmap_read_req read = tx_run_read_req(1);
  iwarp_rdmap_atomic_req atomic = {.aopcode = 2};
  iwarp_rdmap_atomic_resp resp = {0};
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.first_msn[0] = UINT32_MAX;
  cfg.first_msn[1] = 77;
  tx_run_begin(&cfg);
  ck_assert_int_eq(iwarp_tx_send(tx_sent.tx, 1, IWARP_RDMAP_OP_SEND, 1, (iwarp_tx_payload){0}),
                   IWARP_ERR_ARG); /* uses no MSN */
  tx_run_send(1, 0, 0);
  ck_assert_int_eq(iwarp_tx_immediate(tx_sent.tx, 2, true, data), IWARP_OK);
  tx_run_write(3, 0, 9);
  tx_run_send(4, 0, 3000);
  ck_assert_int_eq(iwarp_tx_read_req(tx_sent.tx, 5, &read), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_atomic_req(tx_sent.tx, 6, &atomic), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_atomic_resp(tx_sent.tx, 7, &resp), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_atomic_resp(tx_sent.tx, 8, &resp), IWARP_OK);
  tx_run_take_all();
  static const struct {
    uint32_t qn;
    uint32_t msn;
  } wanted[] = {{0, UINT32_MAX}, {3, 1}, {0, 0}, {3, 2}, {0, 1}, {0, 1}, {0, 1}, {1, 77}, {1, 78}};
  size_t i = 0;
  for (size_t at = 0; at < tx_sent.wire_len;) {
    iwarp_mpa_fpdu fpdu;
    iwarp_ddp_hdr hdr;
    at += iwarp_mpa_fpdu_decode(&fpdu, (iwarp_span){tx_sent.wire + at, tx_sent.wire_len - at}, 0,
                                false)
              .used;
    iwarp_ddp_hdr_decode(&hdr, (iwarp_span){fpdu.wire.ptr + 2, fpdu.ulpdu_length});
    if (!hdr.tagged) {
      expect(hdr.qn == wanted[i].qn && hdr.msn == wanted[i].msn, "%zu: queue %u, MSN %u", i, hdr.qn,
             hdr.msn);
      i++;
    }
  }
  ck_assert_uint_eq(i, 9);
}
END_TEST

/* ---- order ---- */

START_TEST(the_two_lines_take_turns)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  tx_run_begin(&cfg);
  tx_run_read_resp(1, 0, 3000);
  tx_run_read_resp(2, 0, 1);
  tx_run_read_resp(3, 0, 1);
  tx_run_write(4, 0, 3000);
  tx_run_send(5, 0, 1);
  tx_run_take_all();
  ck_assert_str_eq(tx_run_opcodes(), "000222322");
  static const uint64_t order[] = {4, 1, 5, 2, 3};
  for (size_t i = 0; i < 5; i++) {
    tx_run_expect_done(order[i], IWARP_OK);
  }
  tx_run_send(6, 0, 1); /* the last one was a response: now the other line begins */
  tx_run_read_resp(7, 0, 1);
  tx_run_take_all();
  ck_assert_str_eq(tx_run_opcodes() + 9, "32");
  tx_run_read_resp(8, 0, 1);
  tx_run_send(9, 0, 1);
  tx_run_take_all();
  ck_assert_str_eq(tx_run_opcodes() + 11, "32");
  tx_run_send(10, 0, 1);
  tx_run_take_all();
  tx_run_send(11, 0, 1);
  tx_run_read_resp(12, 0, 1);
  tx_run_take_all();
  ck_assert_str_eq(tx_run_opcodes() + 13, "323");
}
END_TEST

START_TEST(a_message_ends_with_its_last_octet)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  tx_run_begin(&cfg);
  tx_run_send(1, 0, 2000);
  tx_run_send(2, 0, 0);
  tx_run_expect_none_done();
  tx_run_take_one();
  tx_run_expect_none_done();
  iwarp_tx_out out;
  ck_assert_int_eq(iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out),
                   IWARP_OK);
  tx_run_note(tx_sent.spans, out.len);
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, out.len - 1), IWARP_OK);
  tx_run_expect_none_done();
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, 1), IWARP_OK);
  tx_run_expect_done(1, IWARP_OK);
  tx_run_expect_none_done();
  tx_run_take_all();
  tx_run_expect_done(2, IWARP_OK);
  tx_run_expect_none_done();
}
END_TEST

START_TEST(room_comes_back_with_the_report)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.num_messages = 3;
  tx_run_begin(&cfg);
  for (uint64_t round = 0; round < 5; round++) {
    tx_run_send(1, 0, 10);
    tx_run_read_resp(2, 0, 10);
    tx_run_send(3, 0, 10);
    iwarp_rdmap_read_req req = tx_run_read_req(0);
    iwarp_tx_payload none = {0};
    ck_assert_int_eq(iwarp_tx_send(tx_sent.tx, 4, IWARP_RDMAP_OP_SEND, 0, none), IWARP_ERR_NOBUF);
    ck_assert_int_eq(iwarp_tx_read_resp(tx_sent.tx, 4, &req, none), IWARP_ERR_NOBUF);
    ck_assert_int_eq(iwarp_tx_read_req(tx_sent.tx, 4, &req), IWARP_ERR_NOBUF);
    tx_run_take_all();
    ck_assert_int_eq(iwarp_tx_write(tx_sent.tx, 4, 1, 1, none), IWARP_ERR_NOBUF);
    tx_run_expect_done(1, IWARP_OK);
    ck_assert_int_eq(iwarp_tx_write(tx_sent.tx, 4, 1, 1, none), IWARP_OK);
    ck_assert_int_eq(iwarp_tx_write(tx_sent.tx, 5, 1, 1, none), IWARP_ERR_NOBUF);
    tx_run_take_all();
    tx_run_expect_done(2, IWARP_OK);
    tx_run_expect_done(3, IWARP_OK);
    tx_run_expect_done(4, IWARP_OK);
    tx_run_read_resp(6, 0, 0); /* so that the next round begins with the other line */
    tx_run_take_all();
    tx_run_expect_done(6, IWARP_OK);
  }
}
END_TEST

/* ---- arguments and memory ---- */

START_TEST(messages_are_checked)
{
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  tx_run_begin(&cfg);
  const iwarp_span hole = {NULL, 1};
  const iwarp_span huge[] = {{tx_sent.noise, (size_t)1 << 31}, {tx_sent.noise, (size_t)1 << 31}};
  const iwarp_tx_payload bad[] = {{NULL, 1}, {&hole, 1}, {huge, 2}};
  iwarp_rdmap_read_req read = tx_run_read_req(8);
  for (size_t i = 0; i < 3; i++) {
    ck_assert_int_eq(iwarp_tx_write(tx_sent.tx, 1, 1, 1, bad[i]), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_tx_send(tx_sent.tx, 1, IWARP_RDMAP_OP_SEND, 0, bad[i]), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_tx_read_resp(tx_sent.tx, 1, &read, bad[i]), IWARP_ERR_ARG);
  }
  for (uint32_t len = 0; len < 17; len++) {
    ck_assert_int_eq(iwarp_tx_read_resp(tx_sent.tx, 1, &read, tx_run_part(0, len)),
                     len == 8 ? IWARP_OK : IWARP_ERR_ARG);
  }
  for (int opcode = 0; opcode < 32; opcode++) { /* values above 15 do not fit the field */
    bool sends = opcode >= 3 && opcode <= 6;
    bool invalidates = opcode == 4 || opcode == 6;
    iwarp_tx_payload none = {0};
    ck_assert_int_eq(iwarp_tx_send(tx_sent.tx, 1, (iwarp_rdmap_opcode)opcode, 0, none),
                     sends ? IWARP_OK : IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_tx_send(tx_sent.tx, 1, (iwarp_rdmap_opcode)opcode, 5, none),
                     invalidates ? IWARP_OK : IWARP_ERR_ARG);
  }
  iwarp_rdmap_atomic_req atomic = {.aopcode = 16};
  ck_assert_int_eq(iwarp_tx_atomic_req(tx_sent.tx, 1, &atomic), IWARP_ERR_ARG);
  atomic = (iwarp_rdmap_atomic_req){.reserved = UINT32_C(1) << 28};
  ck_assert_int_eq(iwarp_tx_atomic_req(tx_sent.tx, 1, &atomic), IWARP_ERR_ARG);
}
END_TEST

START_TEST(engines_are_checked)
{
  iwarp_tx *engine = NULL;
  iwarp_tx_cfg good = tx_run_cfg(1460);
  size_t size = iwarp_tx_size(&good);
  ck_assert_int_eq(iwarp_tx_init(NULL, tx_sent.mem, sizeof tx_sent.mem, &good), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_init(&engine, NULL, sizeof tx_sent.mem, &good), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_init(&engine, tx_sent.mem, sizeof tx_sent.mem, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_init(&engine, tx_sent.mem + 1, sizeof tx_sent.mem - 1, &good),
                   IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_init(&engine, tx_sent.mem, size - 1, &good), IWARP_ERR_NOBUF);
  iwarp_tx_cfg bad = good;
  bad.size--;
  ck_assert_int_eq(iwarp_tx_init(&engine, tx_sent.mem, sizeof tx_sent.mem, &bad), IWARP_ERR_ARG);
  bad = good;
  bad.emss = 0;
  ck_assert_int_eq(iwarp_tx_init(&engine, tx_sent.mem, sizeof tx_sent.mem, &bad), IWARP_ERR_ARG);
  bad = good;
  bad.num_messages = 0;
  ck_assert_int_eq(iwarp_tx_init(&engine, tx_sent.mem, sizeof tx_sent.mem, &bad), IWARP_ERR_ARG);
  bad.num_messages = IWARP_TX_MESSAGES_MAX + 1;
  ck_assert_int_eq(iwarp_tx_init(&engine, tx_sent.mem, sizeof tx_sent.mem, &bad), IWARP_ERR_ARG);
  ck_assert_ptr_null(engine);
  ck_assert_int_eq(iwarp_tx_init(&engine, tx_sent.mem, size, &good), IWARP_OK);
  ck_assert_ptr_nonnull(engine);
  ck_assert_uint_eq(iwarp_tx_offset(engine), 0);
}
END_TEST

/* The octets of an engine for so many messages and FPDUs. */
static size_t size_of(uint32_t num_messages, uint32_t num_fpdus) {
  iwarp_tx_cfg cfg = tx_run_cfg(1460);
  cfg.num_messages = num_messages;
  cfg.num_fpdus = num_fpdus;
  return iwarp_tx_size(&cfg);
}

START_TEST(memory_is_bounded)
{
  ck_assert_uint_eq(iwarp_tx_size(NULL), 0);
  ck_assert_uint_eq(size_of(0, 0), 0);
  ck_assert_uint_eq(size_of(IWARP_TX_MESSAGES_MAX + 1, 0), 0);
  ck_assert_uint_eq(size_of(UINT32_MAX, 0), 0);
  ck_assert_uint_eq(size_of(1, IWARP_TX_FPDUS_MAX + 1), 0);
  ck_assert_uint_gt(size_of(1, IWARP_TX_FPDUS_MAX), size_of(1, 1));
  ck_assert_uint_gt(size_of(IWARP_TX_MESSAGES_MAX, 0), size_of(1, 0));
  ck_assert_uint_eq(size_of(1, 0), size_of(1, 32));
  size_t a_message = size_of(2, 1) - size_of(1, 1);
  size_t an_fpdu = size_of(1, 2) - size_of(1, 1);
  printf("transmit engine: %zu octets of state, %zu a message, %zu an FPDU\n", sizeof *tx_sent.tx,
         a_message, an_fpdu);
  ck_assert_uint_le(sizeof *tx_sent.tx, 512);
  ck_assert_uint_le(a_message, 128);
  ck_assert_uint_le(an_fpdu, 128);
}
END_TEST

/* The engine stays inside its memory. */
START_TEST(no_octet_beyond_the_memory)
{
  iwarp_tx_cfg cfg = tx_run_cfg(65495);
  cfg.num_messages = 1;
  cfg.markers = true;
  size_t size = iwarp_tx_size(&cfg);
  uint8_t *place = guard_out((size + 15) / 16 * 16);
  tx_run_begin(&cfg);
  ck_assert_int_eq(iwarp_tx_init(&tx_sent.tx, place, size, &cfg), IWARP_OK);
  tx_run_write(1, 0, 100000);
  tx_run_take_one();
  tx_run_terminate(2);
  tx_run_take_all();
  tx_run_expect_done(1, IWARP_OK);
  tx_run_expect_done(2, IWARP_OK);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {worked_examples,
                                figures_of_rfc_5044,
                                a_peer_of_the_rdma_consortium_gets_version_0,
                                every_alignment_and_length,
                                messages_of_several_segments,
                                the_largest_emss_gives_ulpdus_that_markers_can_encode,
                                one_fpdu_of_one_part_fits_the_spans_promised,
                                a_tagged_offset_counts_modulo_2_to_64,
                                msns_count_by_queue_and_wrap,
                                the_two_lines_take_turns,
                                a_message_ends_with_its_last_octet,
                                room_comes_back_with_the_report,
                                messages_are_checked,
                                engines_are_checked,
                                memory_is_bounded,
                                no_octet_beyond_the_memory,
                                NULL};
  return check_run(check_suite("stream-tx", tests));
}
