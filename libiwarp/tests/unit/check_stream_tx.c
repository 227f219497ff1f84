/* SPDX-License-Identifier: BSD-2-Clause */
/* The transmit engine against worked examples, a naive sender and the letter of its header. */
#include <iwarp/tx.h>
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "fpdu_model.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"
#include "stream/tx_priv.h"

#define NUM_MESSAGES 200u
#define WIRE_MAX 400000u
#define SPANS_MAX 4096u

static _Alignas(max_align_t) uint8_t mem[262144];
static uint8_t noise[131072];
static iwarp_tx *tx;

/* What an engine has sent: the octets, and the batches in which they came. */
typedef struct batch {
  size_t len;
  uint32_t num_fpdus;
  bool segment_end;
} batch;

static uint8_t wire[WIRE_MAX];
static size_t wire_len;
static batch batches[4096];
static size_t num_batches;
static iwarp_span spans[SPANS_MAX];

/* What it should have sent. */
static fpdu_model model;
static uint8_t want[WIRE_MAX];
static size_t want_len;

static iwarp_tx_cfg config(uint32_t emss) {
  return (iwarp_tx_cfg){
      .size = sizeof(iwarp_tx_cfg), .crc = true, .emss = emss, .num_messages = NUM_MESSAGES};
}

static void begin(const iwarp_tx_cfg *cfg) {
  if (noise[0] == 0) {
    prng p = {.state = 11};
    prng_fill(&p, noise, sizeof noise);
  }
  memset(mem, 0xA5, iwarp_tx_size(cfg));
  ck_assert_int_eq(iwarp_tx_init(&tx, mem, sizeof mem, cfg), IWARP_OK);
  wire_len = 0;
  num_batches = 0;
  want_len = 0;
}

/* A payload of one part of the noise; the part itself does not last. */
static iwarp_tx_payload part_of_noise(size_t off, size_t len) {
  static iwarp_span part;
  part = (iwarp_span){noise + off, len};
  return (iwarp_tx_payload){.parts = &part, .num_parts = 1};
}

static void send(uint64_t token, size_t off, size_t len) {
  iwarp_err err = iwarp_tx_send(tx, token, IWARP_RDMAP_OP_SEND, 0, part_of_noise(off, len));
  expect(err == IWARP_OK, "Send of %zu: %s", len, iwarp_errname(err));
}

static void write_(uint64_t token, size_t off, size_t len) {
  iwarp_err err = iwarp_tx_write(tx, token, 0x00112233, 0x10000, part_of_noise(off, len));
  expect(err == IWARP_OK, "RDMA Write of %zu: %s", len, iwarp_errname(err));
}

static iwarp_rdmap_read_req read_of(uint32_t size) {
  return (iwarp_rdmap_read_req){.sink_stag = 0x0A0B0C0D,
                                .sink_to = 0x2000,
                                .size = size,
                                .source_stag = 0x11223344,
                                .source_to = UINT64_C(0x100000000)};
}

static void read_resp(uint64_t token, size_t off, uint32_t len) {
  iwarp_rdmap_read_req req = read_of(len);
  iwarp_err err = iwarp_tx_read_resp(tx, token, &req, part_of_noise(off, len));
  expect(err == IWARP_OK, "Read Response of %u: %s", len, iwarp_errname(err));
}

static void terminate(uint64_t token) {
  iwarp_rdmap_term term = {0};
  ck_assert_int_eq(iwarp_tx_terminate(tx, token, &term), IWARP_OK);
}

/* The first n octets of the spans, after what was sent before. */
static void note(const iwarp_span *from, size_t n) {
  for (; n > 0; from++) {
    size_t k = from->len < n ? from->len : n;
    memcpy(wire + wire_len, from->ptr, k);
    wire_len += k;
    n -= k;
  }
}

/* Takes one batch whole; false when there is none. */
static bool take_one(void) {
  iwarp_tx_out out;
  iwarp_err err = iwarp_tx_next_output(tx, spans, SPANS_MAX, &out);
  if (err == IWARP_ERR_END) {
    return false;
  }
  expect(err == IWARP_OK, "%s", iwarp_errname(err));
  note(spans, out.len);
  batches[num_batches++] = (batch){out.len, out.num_fpdus, out.segment_end};
  ck_assert_int_eq(iwarp_tx_advance(tx, out.len), IWARP_OK);
  expect(iwarp_tx_offset(tx) == wire_len, "offset");
  return true;
}

static void take_all(void) {
  while (take_one()) {
  }
}

/* Adds the FPDU of a ULPDU, as the naive sender makes it. */
static void expect_ulpdu(const uint8_t *ulpdu, size_t len, const iwarp_tx_cfg *cfg) {
  fpdu_model_send(&model, want_len, ulpdu, (uint16_t)len, cfg->markers);
  if (!cfg->crc) {
    memset(model.wire + model.crc_at, 0, 4);
  }
  memcpy(want + want_len, model.wire, model.len);
  want_len += model.len;
}

/* Adds the FPDUs of a message, cut as RFC 5041 5.2 says: `hdr` is the first header, its L bit and
 * offset change. */
static void expect_message(iwarp_ddp_hdr hdr, const uint8_t *payload, size_t len,
                           const iwarp_tx_cfg *cfg) {
  static uint8_t ulpdu[65536];
  size_t off = 0;
  do {
    size_t used;
    size_t hdr_len = hdr.tagged ? 14 : 18;
    size_t most = iwarp_mpa_mulpdu(cfg->emss, cfg->markers) - hdr_len;
    size_t k = len - off < most ? len - off : most;
    iwarp_ddp_hdr h = hdr;
    h.dv = 1;
    h.last = off + k == len;
    h.to += h.tagged ? off : 0;
    h.mo += h.tagged ? 0 : (uint32_t)off;
    iwarp_ddp_hdr_encode(ulpdu, sizeof ulpdu, &used, &h);
    memcpy(ulpdu + hdr_len, payload + off, k);
    expect_ulpdu(ulpdu, hdr_len + k, cfg);
    off += k;
  } while (off < len);
}

static void expect_send(uint32_t msn, size_t off, size_t len, const iwarp_tx_cfg *cfg) {
  expect_message((iwarp_ddp_hdr){.rsvdulp = 0x43, .msn = msn}, noise + off, len, cfg);
}

static void expect_write(size_t off, size_t len, const iwarp_tx_cfg *cfg) {
  expect_message(
      (iwarp_ddp_hdr){.tagged = true, .rsvdulp = 0x40, .stag = 0x00112233, .to = 0x10000},
      noise + off, len, cfg);
}

static void same_octets(const char *id) {
  expect(wire_len == want_len, "%s: %zu octets, not %zu", id, wire_len, want_len);
  for (size_t i = 0; i < want_len; i++) {
    expect(wire[i] == want[i], "%s: octet %zu is %02x, not %02x", id, i, wire[i], want[i]);
  }
}

static void expect_done(uint64_t token, iwarp_err err) {
  iwarp_tx_result result;
  iwarp_err got = iwarp_tx_next_result(tx, &result);
  expect(got == IWARP_OK, "%s instead of %u", iwarp_errname(got), (unsigned)token);
  expect(result.token == token, "%u instead of %u", (unsigned)result.token, (unsigned)token);
  expect(result.err == err, "%u: %s", (unsigned)token, iwarp_errname(result.err));
}

static void expect_none_done(void) {
  iwarp_tx_result result = {.token = 99};
  ck_assert_int_eq(iwarp_tx_next_result(tx, &result), IWARP_ERR_END);
  ck_assert_uint_eq(result.token, 99);
}

/* The opcodes of the FPDUs sent, in order, as hex digits; no Markers. */
static const char *opcodes(void) {
  static char text[1024];
  size_t n = 0;
  for (size_t at = 0; at < wire_len;) {
    iwarp_mpa_fpdu v;
    iwarp_dec dec = iwarp_mpa_fpdu_decode(&v, (iwarp_span){wire + at, wire_len - at}, 0, false);
    expect(dec.err == IWARP_OK, "octet %zu: %s", at, iwarp_errname(dec.err));
    text[n++] = "0123456789abcdef"[wire[at + 3] & 15];
    at += dec.used;
  }
  text[n] = '\0';
  return text;
}

/* ---- octets ---- */

static iwarp_err example_fetch_add(void) {
  iwarp_rdmap_atomic_req req = {.aopcode = 0,
                                .request_id = 0x11,
                                .stag = 0x12345678,
                                .to = 0x10002008,
                                .add_swap_data = 5,
                                .compare_mask = UINT64_MAX};
  return iwarp_tx_atomic_req(tx, 1, &req);
}

static iwarp_err example_atomic_resp(void) {
  iwarp_rdmap_atomic_resp resp = {.request_id = 0x11, .original = 0x0A};
  return iwarp_tx_atomic_resp(tx, 1, &resp);
}

static iwarp_err example_immediate(void) {
  static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
  return iwarp_tx_immediate(tx, 1, false, data);
}

static iwarp_err example_immediate_se(void) {
  static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
  return iwarp_tx_immediate(tx, 1, true, data);
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
  iwarp_err err = iwarp_tx_terminate(tx, 1, &term);
  memset(ddp, 0, sizeof ddp); /* it was copied */
  return err;
}

static iwarp_err example_read_req(void) {
  iwarp_rdmap_read_req req = read_of(4096);
  return iwarp_tx_read_req(tx, 1, &req);
}

static iwarp_err example_read_resp(void) {
  iwarp_rdmap_read_req req = read_of(0);
  return iwarp_tx_read_resp(tx, 1, &req, (iwarp_tx_payload){0});
}

static iwarp_err example_write(void) {
  static const uint8_t beef[] = {0xDE, 0xAD, 0xBE, 0xEF};
  static const iwarp_span parts[] = {{beef, 1}, {NULL, 0}, {beef + 1, 3}, {beef, 0}};
  return iwarp_tx_write(tx, 1, 0x00112233, 0x1000, (iwarp_tx_payload){parts, 4});
}

static iwarp_err example_hello(iwarp_rdmap_opcode opcode, uint32_t stag) {
  static const iwarp_span part = {(const uint8_t *)"hello", 5};
  return iwarp_tx_send(tx, 1, opcode, stag, (iwarp_tx_payload){&part, 1});
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
  return iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND_SE_INV, 0x11223344, (iwarp_tx_payload){0});
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
    iwarp_tx_cfg cfg = config(1460);
    for (size_t qn = 0; qn < 4; qn++) {
      cfg.first_msn[qn] = examples[i].msn;
    }
    begin(&cfg);
    ck_assert_int_eq(examples[i].queue(), IWARP_OK);
    take_all();
    uint8_t octets[128];
    size_t len = hex_octets(octets, sizeof octets, examples[i].octets);
    size_t ulpdu_len = (size_t)octets[0] << 8 | octets[1];
    expect_ulpdu(octets + 2, ulpdu_len, &cfg);
    expect(memcmp(want, octets, len) == 0, "%zu: the example itself", i);
    char id[16];
    snprintf(id, sizeof id, "example %zu", i);
    same_octets(id);
    expect_done(1, IWARP_OK);
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
  iwarp_tx_cfg cfg = config(1460);
  cfg.markers = true;
  for (size_t i = 0; i < 2; i++) {
    begin(&cfg);
    if (i == 1) {
      iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&long_part, 1});
      take_all();
      ck_assert_uint_eq(wire_len, 492);
    }
    iwarp_tx_send(tx, 2, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&short_part, 1});
    size_t before = wire_len;
    take_all();
    uint8_t octets[64];
    ck_assert_uint_eq(hex_octets(octets, sizeof octets, figure[i]), 52);
    ck_assert_uint_eq(wire_len - before, 52);
    ck_assert_mem_eq(wire + before, octets, 52);
  }
}
END_TEST

START_TEST(a_peer_of_the_rdma_consortium_gets_version_0)
{
  iwarp_tx_cfg cfg = config(1460);
  cfg.rdmac = true;
  begin(&cfg);
  send(1, 0, 4);
  write_(2, 0, 4);
  take_all();
  ck_assert_uint_eq(wire[2], 0x40);
  ck_assert_uint_eq(wire[3], 0x03);
  ck_assert_uint_eq(wire[28 + 2], 0xC0);
  ck_assert_uint_eq(wire[28 + 3], 0x00);
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
  iwarp_tx_cfg cfg = config(2000);
  cfg.markers = true;
  for (uint64_t phase = 0; phase < 512; phase += phase == 0 ? 8 : 4) {
    for (size_t len = 0; len <= 90; len++) {
      begin(&cfg);
      send(1, 0, filler(phase));
      expect_send(1, 0, filler(phase), &cfg);
      iwarp_span parts[] = {{noise + 7, len / 3}, {NULL, 0}, {noise + 7 + len / 3, len - len / 3}};
      iwarp_tx_write(tx, 2, 0x00112233, 0x10000, (iwarp_tx_payload){parts, 3});
      expect_write(7, len, &cfg);
      take_all();
      same_octets("alignment");
    }
  }
}
END_TEST

START_TEST(messages_of_several_segments)
{
  static const uint32_t emss[] = {1, 128, 139, 140, 512, 536, 1460, 1463, 8960, 65495};
  for (size_t i = 0; i < sizeof emss / sizeof emss[0]; i++) {
    for (int k = 0; k < 4; k++) {
      iwarp_tx_cfg cfg = config(emss[i]);
      cfg.markers = k % 2 != 0;
      cfg.crc = k / 2 != 0;
      begin(&cfg);
      const size_t mulpdu = iwarp_mpa_mulpdu(emss[i], cfg.markers);
      ck_assert_uint_eq(iwarp_tx_mulpdu(tx), mulpdu);
      send(1, 5, mulpdu - 18); /* just one segment */
      expect_send(1, 5, mulpdu - 18, &cfg);
      send(2, 6, mulpdu - 17); /* one octet more */
      expect_send(2, 6, mulpdu - 17, &cfg);
      write_(3, 7, 2 * (mulpdu - 14));
      expect_write(7, 2 * (mulpdu - 14), &cfg);
      write_(4, 8, emss[i] < 65000 ? 3 * mulpdu : 33333);
      expect_write(8, emss[i] < 65000 ? 3 * mulpdu : 33333, &cfg);
      take_all();
      same_octets("several segments");
      for (size_t b = 0; b < num_batches; b++) {
        expect(batches[b].num_fpdus == 1 && batches[b].segment_end, "batch %zu", b);
        expect(emss[i] < 140 || batches[b].len <= emss[i], "batch %zu: %zu", b, batches[b].len);
      }
    }
  }
}
END_TEST

START_TEST(the_largest_emss_gives_ulpdus_that_markers_can_encode)
{
  iwarp_tx_cfg cfg = config(UINT32_MAX);
  cfg.markers = true;
  begin(&cfg);
  ck_assert_uint_eq(iwarp_tx_mulpdu(tx), IWARP_MPA_ULPDU_MAX);
  write_(1, 0, 4 * 30000 + 9753);
  expect_write(0, 4 * 30000 + 9753, &cfg);
  take_all();
  same_octets("largest EMSS");
  ck_assert_uint_eq(batches[0].len, 65288);
}
END_TEST

START_TEST(one_fpdu_of_one_part_fits_the_spans_promised)
{
  iwarp_tx_cfg cfg = config(UINT32_MAX);
  cfg.markers = true;
  for (uint64_t phase = 0; phase < 512; phase += phase == 0 ? 8 : 4) {
    begin(&cfg);
    send(1, 0, filler(phase));
    write_(2, 0, IWARP_MPA_ULPDU_MAX - 14);
    take_one();
    iwarp_tx_out out;
    ck_assert_int_eq(iwarp_tx_next_output(tx, spans, IWARP_TX_SPANS_MIN, &out), IWARP_OK);
    expect(out.num_fpdus == 1 && out.segment_end, "%u: %zu spans", (unsigned)phase, out.num_spans);
    expect(out.num_spans > 200, "%u: only %zu spans", (unsigned)phase, out.num_spans);
  }
}
END_TEST

START_TEST(a_tagged_offset_counts_modulo_2_to_64)
{
  iwarp_tx_cfg cfg = config(140);
  begin(&cfg);
  iwarp_tx_write(tx, 1, 5, UINT64_MAX - 115, part_of_noise(0, 130));
  take_all();
  expect_message(
      (iwarp_ddp_hdr){.tagged = true, .rsvdulp = 0x40, .stag = 5, .to = UINT64_MAX - 115}, noise,
      130, &cfg);
  same_octets("TO");
}
END_TEST

/* ---- MSN ---- */

START_TEST(msns_count_by_queue_and_wrap)
{
  static const uint8_t data[8] = {0};
  iwarp_rdmap_read_req read = read_of(1);
  iwarp_rdmap_atomic_req atomic = {.aopcode = 2};
  iwarp_rdmap_atomic_resp resp = {0};
  iwarp_tx_cfg cfg = config(1460);
  cfg.first_msn[0] = UINT32_MAX;
  cfg.first_msn[1] = 77;
  begin(&cfg);
  ck_assert_int_eq(iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 1, (iwarp_tx_payload){0}),
                   IWARP_ERR_ARG); /* uses no MSN */
  send(1, 0, 0);
  ck_assert_int_eq(iwarp_tx_immediate(tx, 2, true, data), IWARP_OK);
  write_(3, 0, 9);
  send(4, 0, 3000);
  ck_assert_int_eq(iwarp_tx_read_req(tx, 5, &read), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_atomic_req(tx, 6, &atomic), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_atomic_resp(tx, 7, &resp), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_atomic_resp(tx, 8, &resp), IWARP_OK);
  take_all();
  static const struct {
    uint32_t qn;
    uint32_t msn;
  } wanted[] = {{0, UINT32_MAX}, {3, 1}, {0, 0}, {3, 2}, {0, 1}, {0, 1}, {0, 1}, {1, 77}, {1, 78}};
  size_t i = 0;
  for (size_t at = 0; at < wire_len;) {
    iwarp_mpa_fpdu fpdu;
    iwarp_ddp_hdr hdr;
    at += iwarp_mpa_fpdu_decode(&fpdu, (iwarp_span){wire + at, wire_len - at}, 0, false).used;
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
  iwarp_tx_cfg cfg = config(1460);
  begin(&cfg);
  read_resp(1, 0, 3000);
  read_resp(2, 0, 1);
  read_resp(3, 0, 1);
  write_(4, 0, 3000);
  send(5, 0, 1);
  take_all();
  ck_assert_str_eq(opcodes(), "000222322");
  static const uint64_t order[] = {4, 1, 5, 2, 3};
  for (size_t i = 0; i < 5; i++) {
    expect_done(order[i], IWARP_OK);
  }
  send(6, 0, 1); /* the last one was a response: now the other line begins */
  read_resp(7, 0, 1);
  take_all();
  ck_assert_str_eq(opcodes() + 9, "32");
  read_resp(8, 0, 1);
  send(9, 0, 1);
  take_all();
  ck_assert_str_eq(opcodes() + 11, "32");
  send(10, 0, 1);
  take_all();
  send(11, 0, 1);
  read_resp(12, 0, 1);
  take_all();
  ck_assert_str_eq(opcodes() + 13, "323");
}
END_TEST

START_TEST(a_message_ends_with_its_last_octet)
{
  iwarp_tx_cfg cfg = config(1460);
  begin(&cfg);
  send(1, 0, 2000);
  send(2, 0, 0);
  expect_none_done();
  take_one();
  expect_none_done();
  iwarp_tx_out out;
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
  note(spans, out.len);
  ck_assert_int_eq(iwarp_tx_advance(tx, out.len - 1), IWARP_OK);
  expect_none_done();
  ck_assert_int_eq(iwarp_tx_advance(tx, 1), IWARP_OK);
  expect_done(1, IWARP_OK);
  expect_none_done();
  take_all();
  expect_done(2, IWARP_OK);
  expect_none_done();
}
END_TEST

START_TEST(room_comes_back_with_the_report)
{
  iwarp_tx_cfg cfg = config(1460);
  cfg.num_messages = 3;
  begin(&cfg);
  for (uint64_t round = 0; round < 5; round++) {
    send(1, 0, 10);
    read_resp(2, 0, 10);
    send(3, 0, 10);
    iwarp_rdmap_read_req req = read_of(0);
    iwarp_tx_payload none = {0};
    ck_assert_int_eq(iwarp_tx_send(tx, 4, IWARP_RDMAP_OP_SEND, 0, none), IWARP_ERR_NOBUF);
    ck_assert_int_eq(iwarp_tx_read_resp(tx, 4, &req, none), IWARP_ERR_NOBUF);
    ck_assert_int_eq(iwarp_tx_read_req(tx, 4, &req), IWARP_ERR_NOBUF);
    take_all();
    ck_assert_int_eq(iwarp_tx_write(tx, 4, 1, 1, none), IWARP_ERR_NOBUF);
    expect_done(1, IWARP_OK);
    ck_assert_int_eq(iwarp_tx_write(tx, 4, 1, 1, none), IWARP_OK);
    ck_assert_int_eq(iwarp_tx_write(tx, 5, 1, 1, none), IWARP_ERR_NOBUF);
    take_all();
    expect_done(2, IWARP_OK);
    expect_done(3, IWARP_OK);
    expect_done(4, IWARP_OK);
    read_resp(6, 0, 0); /* so that the next round begins with the other line */
    take_all();
    expect_done(6, IWARP_OK);
  }
}
END_TEST

/* ---- segments ---- */

START_TEST(packing_fills_segments_with_whole_fpdus)
{
  iwarp_tx_cfg cfg = config(1460);
  cfg.pack = true;
  begin(&cfg);
  write_(1, 0, 1000); /* 1020 octets on the wire */
  write_(2, 0, 420);  /* 440: just fits */
  write_(3, 0, 1000);
  write_(4, 0, 424); /* 444: does not fit */
  write_(5, 0, 3000);
  take_all();
  static const batch wanted[] = {{1460, 2, true}, {1020, 1, true}, {444, 1, true},
                                 {1460, 1, true}, {1460, 1, true}, {140, 1, true}};
  ck_assert_uint_eq(num_batches, 6);
  for (size_t i = 0; i < 6; i++) {
    expect(batches[i].len == wanted[i].len && batches[i].num_fpdus == wanted[i].num_fpdus &&
               batches[i].segment_end == wanted[i].segment_end,
           "batch %zu: %zu octets, %u FPDUs", i, batches[i].len, batches[i].num_fpdus);
  }
  write_(6, 0, 0);
  take_all(); /* what was not there when the segment ended begins the next one */
  ck_assert_uint_eq(batches[6].len, 20);
  write_(7, 0, 1000);
  write_(8, 0, 420);
  take_all();
  ck_assert_uint_eq(batches[7].len, 1460);
}
END_TEST

START_TEST(the_stream_does_not_depend_on_packing)
{
  static uint8_t first[WIRE_MAX];
  size_t first_len = 0;
  for (int pack = 0; pack < 2; pack++) {
    iwarp_tx_cfg cfg = config(1460);
    cfg.markers = true;
    cfg.pack = pack != 0;
    begin(&cfg);
    for (size_t i = 0; i < NUM_MESSAGES; i++) {
      write_(i, i, i * i % (i % 8 != 0 ? 301 : 3001));
    }
    take_all();
    if (pack == 0) {
      memcpy(first, wire, wire_len);
      first_len = wire_len;
      ck_assert_uint_gt(num_batches, NUM_MESSAGES);
    }
  }
  ck_assert_uint_lt(num_batches, NUM_MESSAGES);
  ck_assert_uint_eq(first_len, wire_len);
  ck_assert_mem_eq(first, wire, wire_len);
}
END_TEST

/* A segment of more FPDUs than the engine holds at a time comes in parts, and only its last part
 * ends it. */
START_TEST(segments_of_many_fpdus_come_in_parts)
{
  iwarp_tx_cfg cfg = config(1460);
  cfg.pack = true;
  begin(&cfg);
  for (uint64_t i = 0; i < 150; i++) {
    write_(i, 0, 0); /* 20 octets on the wire: 73 of them to a segment */
  }
  take_all();
  static const batch wanted[] = {{640, 32, false}, {640, 32, false}, {180, 9, true},
                                 {640, 32, false}, {640, 32, false}, {180, 9, true},
                                 {80, 4, true}};
  ck_assert_uint_eq(num_batches, 7);
  for (size_t i = 0; i < 7; i++) {
    expect(batches[i].len == wanted[i].len && batches[i].num_fpdus == wanted[i].num_fpdus &&
               batches[i].segment_end == wanted[i].segment_end,
           "batch %zu: %zu octets, %u FPDUs", i, batches[i].len, batches[i].num_fpdus);
  }
}
END_TEST

START_TEST(segments_of_many_headers_come_in_parts)
{
  iwarp_rdmap_atomic_req req = {.aopcode = 2};
  iwarp_tx_cfg cfg = config(3000);
  cfg.pack = true;
  begin(&cfg);
  for (uint64_t i = 0; i < 40; i++) {
    ck_assert_int_eq(iwarp_tx_atomic_req(tx, i, &req), IWARP_OK); /* 76 octets, none of payload */
  }
  take_all();
  ck_assert_uint_eq(num_batches, 3);
  const size_t framing = TX_FRAMING_LARGEST + TX_FRAMING_USUAL * TX_FPDUS_DEFAULT;
  expect(batches[0].len == framing / 76 * 76 && !batches[0].segment_end, "first part");
  expect(batches[0].len + batches[1].len == 39 * 76 && batches[1].segment_end, "second part");
  expect(batches[2].len == 76 && batches[2].segment_end, "second segment");
}
END_TEST

START_TEST(a_segment_may_shrink_between_its_parts)
{
  iwarp_tx_cfg cfg = config(1460);
  cfg.pack = true;
  begin(&cfg);
  for (uint64_t i = 0; i < 40; i++) {
    write_(i, 0, 0);
  }
  take_one();
  ck_assert(!batches[0].segment_end);
  iwarp_tx_set_emss(tx, 512);
  take_all();
  ck_assert_uint_eq(num_batches, 2);
  ck_assert_uint_eq(batches[1].num_fpdus, 8);
  ck_assert(batches[1].segment_end);
}
END_TEST

START_TEST(a_new_emss_counts_for_fpdus_not_handed_out)
{
  iwarp_tx_cfg cfg = config(1460);
  begin(&cfg);
  write_(1, 0, 5000);
  iwarp_tx_out out;
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
  ck_assert_uint_eq(out.len, 1460);
  iwarp_tx_set_emss(tx, 536);
  ck_assert_uint_eq(iwarp_tx_mulpdu(tx), 530);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
  ck_assert_uint_eq(out.len, 1460);
  take_one();
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
  ck_assert_uint_eq(out.len, 536);
}
END_TEST

/* ---- spans and progress ---- */

/* Three FPDUs in a segment: two parts and two Markers, one with nothing but a header, one of one
 * part. */
static void script(bool pack) {
  static iwarp_span parts[3];
  iwarp_rdmap_read_req req = read_of(9);
  iwarp_tx_cfg cfg = config(2048);
  cfg.markers = true;
  cfg.pack = pack;
  begin(&cfg);
  parts[0] = (iwarp_span){noise, 600};
  parts[1] = (iwarp_span){NULL, 0};
  parts[2] = (iwarp_span){noise + 1000, 501};
  ck_assert_int_eq(iwarp_tx_write(tx, 1, 0x00112233, 0x10000, (iwarp_tx_payload){parts, 3}),
                   IWARP_OK);
  ck_assert_int_eq(iwarp_tx_read_req(tx, 2, &req), IWARP_OK);
  send(3, 0, 100);
}

static size_t script_octets(uint8_t *octets) {
  script(true);
  take_all();
  expect(num_batches == 1 && batches[0].num_fpdus == 3, "the script");
  memcpy(octets, wire, wire_len);
  return wire_len;
}

START_TEST(every_number_of_spans_makes_progress)
{
  iwarp_span beyond;
  memset(&beyond, 0xA5, sizeof beyond);
  static uint8_t whole[WIRE_MAX];
  size_t whole_len = script_octets(whole);
  iwarp_tx_out all;
  script(true);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &all), IWARP_OK);
  for (size_t cap = 1; cap <= all.num_spans + 1; cap++) {
    bool ended = false;
    script(true);
    while (!ended) {
      iwarp_tx_out out;
      memset(spans, 0xA5, sizeof spans);
      ck_assert_int_eq(iwarp_tx_next_output(tx, spans, cap, &out), IWARP_OK);
      expect(out.num_spans > 0 && out.num_spans <= cap, "%zu: %zu spans", cap, out.num_spans);
      expect(memcmp(&spans[cap], &beyond, sizeof beyond) == 0, "%zu: span beyond", cap);
      size_t len = 0;
      for (size_t i = 0; i < out.num_spans; i++) {
        expect(spans[i].len > 0, "%zu: empty span", cap);
        len += spans[i].len;
      }
      expect(len == out.len, "%zu: length", cap);
      note(spans, out.len);
      expect(iwarp_tx_advance(tx, out.len) == IWARP_OK, "%zu", cap);
      ended = out.segment_end;
      expect(ended == (wire_len == whole_len), "%zu: end at %zu", cap, wire_len);
      expect(cap < all.num_spans || out.num_fpdus == 3, "%zu: %u FPDUs", cap, out.num_fpdus);
      expect(cap < 8 || out.num_fpdus > 0, "%zu: less than an FPDU", cap);
    }
    expect(memcmp(wire, whole, whole_len) == 0, "%zu: other octets", cap);
  }
}
END_TEST

START_TEST(whole_fpdus_where_the_spans_hold_one)
{
  iwarp_tx_out out;
  iwarp_tx_cfg cfg = config(1460);
  cfg.pack = true;
  begin(&cfg);
  for (uint64_t i = 0; i < 3; i++) {
    write_(i, 0, 100); /* header, payload, CRC; header and CRC share a span with their neighbours */
  }
  static const uint32_t wanted[] = {0, 0, 1, 1, 2, 2, 3, 3};
  static const size_t lens[] = {16, 116, 120, 120, 240, 240, 360, 360};
  for (size_t cap = 1; cap <= 8; cap++) {
    ck_assert_int_eq(iwarp_tx_next_output(tx, spans, cap, &out), IWARP_OK);
    expect(out.num_fpdus == wanted[cap - 1] && out.len == lens[cap - 1] &&
               out.segment_end == (cap >= 7),
           "%zu: %u FPDUs, %zu octets", cap, out.num_fpdus, out.len);
    size_t len = 0;
    for (size_t i = 0; i < out.num_spans; i++) {
      len += spans[i].len;
    }
    expect(len == out.len, "%zu: spans of %zu octets", cap, len);
  }
}
END_TEST

START_TEST(no_span_is_no_progress)
{
  iwarp_tx_out out = {.len = 5};
  iwarp_tx_cfg cfg = config(1460);
  begin(&cfg);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, 0, &out), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, 1, &out), IWARP_ERR_END);
  send(1, 0, 1);
  ck_assert_int_eq(iwarp_tx_next_output(tx, NULL, 0, &out), IWARP_ERR_NOBUF);
  ck_assert_uint_eq(out.len, 5);
}
END_TEST

/* After any number of octets were taken the rest comes, the same as before. */
START_TEST(progress_by_any_number_of_octets)
{
  static uint8_t whole[WIRE_MAX];
  size_t whole_len = script_octets(whole);
  for (int pack = 0; pack < 2; pack++) {
    for (size_t step = 1; step <= whole_len; step = step < 80 ? step + 1 : step * 9 / 8) {
      iwarp_tx_out out;
      script(pack != 0);
      while (iwarp_tx_next_output(tx, spans, SPANS_MAX, &out) == IWARP_OK) {
        size_t n = step < out.len ? step : out.len;
        note(spans, n);
        expect(iwarp_tx_advance(tx, n) == IWARP_OK, "step %zu", step);
        expect(iwarp_tx_offset(tx) == wire_len, "step %zu: offset", step);
      }
      expect(wire_len == whole_len && memcmp(wire, whole, whole_len) == 0, "step %zu", step);
      for (uint64_t token = 1; token <= 3; token++) {
        expect_done(token, IWARP_OK);
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
  ck_assert_int_eq(iwarp_tx_advance(tx, 0), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_advance(tx, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, 1, &less), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_advance(tx, less.len + 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, 1, &less),
                   IWARP_OK); /* what came before still counts */
  ck_assert_int_eq(iwarp_tx_advance(tx, out.len + 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_advance(tx, 3), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_advance(tx, out.len - 2), IWARP_ERR_ARG);
  ck_assert_uint_eq(iwarp_tx_offset(tx), 3);
  ck_assert_int_eq(iwarp_tx_advance(tx, out.len - 3), IWARP_OK);
  ck_assert_int_eq(iwarp_tx_advance(tx, 1), IWARP_ERR_ARG);
}
END_TEST

START_TEST(an_fpdu_of_very_many_parts)
{
  static iwarp_span parts[3000];
  iwarp_tx_cfg cfg = config(8960);
  cfg.markers = true;
  begin(&cfg);
  for (size_t i = 0; i < 3000; i++) {
    parts[i] = (iwarp_span){noise + i, i % 3 == 0 ? 0 : 1};
  }
  ck_assert_int_eq(iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){parts, 3000}),
                   IWARP_OK);
  static uint8_t flat[2000];
  for (size_t i = 0; i < 2000; i++) {
    flat[i] = noise[i / 2 * 3 + 1 + i % 2];
  }
  expect_message((iwarp_ddp_hdr){.rsvdulp = 0x43, .msn = 1}, flat, 2000, &cfg);
  iwarp_tx_out out;
  while (iwarp_tx_next_output(tx, spans, 7, &out) == IWARP_OK) {
    note(spans, out.len);
    ck_assert_int_eq(iwarp_tx_advance(tx, out.len), IWARP_OK);
  }
  same_octets("many parts");
}
END_TEST

/* ---- Terminate ---- */

/* What must be refused after the end. */
static void expect_closed(void) {
  iwarp_rdmap_read_req read = read_of(0);
  iwarp_rdmap_term term = {0};
  iwarp_rdmap_atomic_req atomic = {0};
  iwarp_rdmap_atomic_resp resp = {0};
  iwarp_tx_payload none = {0};
  ck_assert_int_eq(iwarp_tx_write(tx, 9, 1, 1, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_send(tx, 9, IWARP_RDMAP_OP_SEND, 0, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_read_req(tx, 9, &read), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_read_resp(tx, 9, &read, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_immediate(tx, 9, true, noise), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_atomic_req(tx, 9, &atomic), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_atomic_resp(tx, 9, &resp), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_tx_terminate(tx, 9, &term), IWARP_ERR_STATE);
}

static void expect_over(void) {
  iwarp_tx_out out;
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_ERR_END);
  expect_none_done();
  expect_closed();
}

START_TEST(terminate_of_an_idle_engine)
{
  iwarp_tx_cfg cfg = config(1460);
  begin(&cfg);
  terminate(1);
  expect_closed();
  take_all();
  ck_assert_str_eq(opcodes(), "7");
  expect_done(1, IWARP_OK);
  expect_over();
}
END_TEST

START_TEST(terminate_drops_what_waits)
{
  iwarp_tx_cfg cfg = config(1460);
  cfg.num_messages = 3;
  begin(&cfg);
  send(1, 0, 10);
  read_resp(2, 0, 10);
  send(3, 0, 10); /* no room for a message, and yet for a Terminate */
  terminate(4);
  expect_none_done(); /* in their order, just before the Terminate */
  take_all();
  ck_assert_str_eq(opcodes(), "7");
  expect_done(1, IWARP_ERR_FLUSHED);
  expect_done(3, IWARP_ERR_FLUSHED);
  expect_done(2, IWARP_ERR_FLUSHED);
  expect_done(4, IWARP_OK);
  expect_over();
}
END_TEST

START_TEST(terminate_lets_a_message_finish)
{
  for (size_t taken = 0; taken <= 1460; taken += 730) {
    iwarp_tx_cfg cfg = config(1460);
    iwarp_tx_out out;
    begin(&cfg);
    write_(1, 0, 4000);
    send(2, 0, 10);
    read_resp(3, 0, 10);
    ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
    note(spans, taken);
    ck_assert_int_eq(iwarp_tx_advance(tx, taken), IWARP_OK);
    terminate(4);
    take_all();
    ck_assert_str_eq(opcodes(), "0007");
    expect_done(1, IWARP_OK);
    expect_done(2, IWARP_ERR_FLUSHED);
    expect_done(3, IWARP_ERR_FLUSHED);
    expect_done(4, IWARP_OK);
    expect_over();
  }
}
END_TEST

START_TEST(terminate_abandons_a_read_response)
{
  for (size_t taken = 0; taken <= 1460; taken += 730) {
    iwarp_tx_cfg cfg = config(1460);
    iwarp_tx_out out;
    begin(&cfg);
    read_resp(1, 0, 4000);
    ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
    note(spans, taken);
    ck_assert_int_eq(iwarp_tx_advance(tx, taken), IWARP_OK);
    read_resp(2, 0, 10);
    send(3, 0, 10);
    terminate(4);
    if (taken == 1460) { /* nothing of it was on its way any more */
      expect_done(1, IWARP_ERR_FLUSHED);
    }
    expect_none_done(); /* its payload is still borrowed */
    take_all();
    ck_assert_str_eq(opcodes(), "27");
    ck_assert_uint_eq(wire[2], 0x81); /* no L */
    if (taken < 1460) {
      expect_done(1, IWARP_ERR_FLUSHED);
    }
    expect_done(3, IWARP_ERR_FLUSHED);
    expect_done(2, IWARP_ERR_FLUSHED);
    expect_done(4, IWARP_OK);
    expect_over();
  }
}
END_TEST

START_TEST(terminate_after_a_message_is_handed_out_whole)
{
  for (int response = 0; response < 2; response++) {
    iwarp_tx_cfg cfg = config(1460);
    iwarp_tx_out out;
    begin(&cfg);
    if (response != 0) {
      read_resp(1, 0, 10);
    } else {
      send(1, 0, 10);
    }
    ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
    terminate(2);
    take_all();
    ck_assert_str_eq(opcodes(), response != 0 ? "27" : "37");
    expect_done(1, IWARP_OK);
    expect_done(2, IWARP_OK);
    expect_over();
  }
}
END_TEST

START_TEST(terminate_in_a_packed_segment)
{
  iwarp_tx_cfg cfg = config(1460);
  iwarp_tx_out out;
  cfg.pack = true;
  begin(&cfg);
  write_(1, 0, 1000);
  read_resp(2, 0, 100);
  send(3, 0, 2000);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
  ck_assert_uint_eq(out.num_fpdus, 2);
  take_one();
  take_one(); /* the Send is under way now */
  read_resp(4, 0, 100);
  terminate(5);
  take_all();
  ck_assert_uint_eq(num_batches, 3); /* the end of the Send, and the Terminate after it */
  ck_assert_uint_eq(batches[2].num_fpdus, 2);
  ck_assert_str_eq(opcodes(), "02337");
  for (uint64_t token = 1; token <= 5; token++) {
    expect_done(token, token == 4 ? IWARP_ERR_FLUSHED : IWARP_OK);
  }
  expect_over();
}
END_TEST

/* The Read Response is under way in the part of a segment that was handed out. */
START_TEST(terminate_between_the_parts_of_a_segment)
{
  iwarp_tx_cfg cfg = config(3000);
  cfg.pack = true;
  begin(&cfg);
  for (uint64_t i = 0; i < 33; i++) {
    write_(i, 0, 0);
  }
  take_one();
  ck_assert(!batches[0].segment_end);
  terminate(33);
  take_all();
  ck_assert_uint_eq(num_batches, 2);
  ck_assert(batches[1].num_fpdus == 1 && batches[1].segment_end);
  for (uint64_t i = 0; i < 34; i++) {
    expect_done(i, i == 32 ? IWARP_ERR_FLUSHED : IWARP_OK);
  }
  expect_over();
}
END_TEST

START_TEST(terminate_is_checked)
{
  static const uint8_t zeros[60];
  iwarp_tx_cfg cfg = config(128);
  iwarp_rdmap_term term = {.layer = 16};
  begin(&cfg);
  ck_assert_int_eq(iwarp_tx_terminate(tx, 1, &term), IWARP_ERR_ARG);
  term = (iwarp_rdmap_term){.rest = {zeros, 49}};
  ck_assert_int_eq(iwarp_tx_terminate(tx, 1, &term), IWARP_ERR_ARG);
  send(2, 0, 1); /* nothing has happened */
  take_all();
  expect_done(2, IWARP_OK);
  term.rest.len = 48;
  ck_assert_int_eq(iwarp_tx_terminate(tx, 3, &term), IWARP_OK);
  take_all();
  ck_assert_uint_eq(batches[1].len, 2 + 18 + 52 + 4);
}
END_TEST

/* ---- the stream is gone ---- */

START_TEST(abort_of_an_idle_engine)
{
  iwarp_tx_cfg cfg = config(1460);
  begin(&cfg);
  iwarp_tx_abort(tx);
  expect_over();
  iwarp_tx_abort(tx);
  expect_over();
}
END_TEST

START_TEST(abort_fails_everything_in_its_order)
{
  iwarp_tx_cfg cfg = config(1460);
  iwarp_tx_out out;
  cfg.pack = true;
  begin(&cfg);
  write_(1, 0, 100);
  send(2, 0, 100);
  write_(3, 0, 100);
  write_(4, 0, 5000);
  write_(5, 0, 1);
  read_resp(6, 0, 1);
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
  ck_assert_uint_eq(out.num_fpdus, 4);
  ck_assert_int_eq(iwarp_tx_advance(tx, 125), IWARP_OK);
  iwarp_tx_abort(tx);
  ck_assert_uint_eq(iwarp_tx_offset(tx), 125);
  ck_assert_int_eq(iwarp_tx_advance(tx, 1), IWARP_ERR_ARG);
  static const uint64_t order[] = {1, 6, 2, 3, 4, 5};
  for (size_t i = 0; i < 6; i++) {
    expect_done(order[i], order[i] == 1 ? IWARP_OK : IWARP_ERR_FLUSHED);
  }
  expect_over();
}
END_TEST

START_TEST(abort_of_a_message_under_way)
{
  iwarp_tx_cfg cfg = config(1460);
  iwarp_tx_out out;
  begin(&cfg);
  read_resp(1, 0, 5000);
  write_(2, 0, 5);
  take_one();
  take_one();
  ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
  iwarp_tx_abort(tx);
  expect_done(2, IWARP_OK);
  expect_done(1, IWARP_ERR_FLUSHED);
  expect_over();
}
END_TEST

START_TEST(abort_with_a_terminate_waiting_or_handed_out)
{
  for (int handed_out = 0; handed_out < 2; handed_out++) {
    iwarp_tx_cfg cfg = config(1460);
    iwarp_tx_out out;
    begin(&cfg);
    write_(1, 0, 5);
    read_resp(2, 0, 5);
    terminate(3);
    if (handed_out != 0) {
      ck_assert_int_eq(iwarp_tx_next_output(tx, spans, SPANS_MAX, &out), IWARP_OK);
    }
    iwarp_tx_abort(tx);
    for (uint64_t token = 1; token <= 3; token++) {
      expect_done(token, IWARP_ERR_FLUSHED);
    }
    expect_over();
  }
}
END_TEST

/* ---- arguments and memory ---- */

START_TEST(messages_are_checked)
{
  iwarp_tx_cfg cfg = config(1460);
  begin(&cfg);
  const iwarp_span hole = {NULL, 1};
  const iwarp_span huge[] = {{noise, (size_t)1 << 31}, {noise, (size_t)1 << 31}};
  const iwarp_tx_payload bad[] = {{NULL, 1}, {&hole, 1}, {huge, 2}};
  iwarp_rdmap_read_req read = read_of(8);
  for (size_t i = 0; i < 3; i++) {
    ck_assert_int_eq(iwarp_tx_write(tx, 1, 1, 1, bad[i]), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 0, bad[i]), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_tx_read_resp(tx, 1, &read, bad[i]), IWARP_ERR_ARG);
  }
  for (uint32_t len = 0; len < 17; len++) {
    ck_assert_int_eq(iwarp_tx_read_resp(tx, 1, &read, part_of_noise(0, len)),
                     len == 8 ? IWARP_OK : IWARP_ERR_ARG);
  }
  for (int opcode = 0; opcode < 16; opcode++) {
    bool sends = opcode >= 3 && opcode <= 6;
    bool invalidates = opcode == 4 || opcode == 6;
    iwarp_tx_payload none = {0};
    ck_assert_int_eq(iwarp_tx_send(tx, 1, (iwarp_rdmap_opcode)opcode, 0, none),
                     sends ? IWARP_OK : IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_tx_send(tx, 1, (iwarp_rdmap_opcode)opcode, 5, none),
                     invalidates ? IWARP_OK : IWARP_ERR_ARG);
  }
  iwarp_rdmap_atomic_req atomic = {.aopcode = 16};
  ck_assert_int_eq(iwarp_tx_atomic_req(tx, 1, &atomic), IWARP_ERR_ARG);
  atomic = (iwarp_rdmap_atomic_req){.reserved = UINT32_C(1) << 28};
  ck_assert_int_eq(iwarp_tx_atomic_req(tx, 1, &atomic), IWARP_ERR_ARG);
}
END_TEST

START_TEST(engines_are_checked)
{
  iwarp_tx *engine = NULL;
  iwarp_tx_cfg good = config(1460);
  size_t size = iwarp_tx_size(&good);
  ck_assert_int_eq(iwarp_tx_init(NULL, mem, sizeof mem, &good), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_init(&engine, NULL, sizeof mem, &good), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_init(&engine, mem, sizeof mem, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_init(&engine, mem + 1, sizeof mem - 1, &good), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_tx_init(&engine, mem, size - 1, &good), IWARP_ERR_NOBUF);
  iwarp_tx_cfg bad = good;
  bad.size--;
  ck_assert_int_eq(iwarp_tx_init(&engine, mem, sizeof mem, &bad), IWARP_ERR_ARG);
  bad = good;
  bad.emss = 0;
  ck_assert_int_eq(iwarp_tx_init(&engine, mem, sizeof mem, &bad), IWARP_ERR_ARG);
  bad = good;
  bad.num_messages = 0;
  ck_assert_int_eq(iwarp_tx_init(&engine, mem, sizeof mem, &bad), IWARP_ERR_ARG);
  bad.num_messages = IWARP_TX_MESSAGES_MAX + 1;
  ck_assert_int_eq(iwarp_tx_init(&engine, mem, sizeof mem, &bad), IWARP_ERR_ARG);
  ck_assert_ptr_null(engine);
  ck_assert_int_eq(iwarp_tx_init(&engine, mem, size, &good), IWARP_OK);
  ck_assert_ptr_nonnull(engine);
  ck_assert_uint_eq(iwarp_tx_offset(engine), 0);
}
END_TEST

/* The octets of an engine for so many messages and FPDUs. */
static size_t size_of(uint32_t num_messages, uint32_t num_fpdus) {
  iwarp_tx_cfg cfg = config(1460);
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
  printf("transmit engine: %zu octets of state, %zu a message, %zu an FPDU\n", sizeof *tx,
         a_message, an_fpdu);
  ck_assert_uint_le(sizeof *tx, 512);
  ck_assert_uint_le(a_message, 128);
  ck_assert_uint_le(an_fpdu, 128);
}
END_TEST

/* The engine stays inside its memory. */
START_TEST(no_octet_beyond_the_memory)
{
  iwarp_tx_cfg cfg = config(65495);
  cfg.num_messages = 1;
  cfg.markers = true;
  size_t size = iwarp_tx_size(&cfg);
  uint8_t *place = guard_out((size + 15) / 16 * 16);
  begin(&cfg);
  ck_assert_int_eq(iwarp_tx_init(&tx, place, size, &cfg), IWARP_OK);
  write_(1, 0, 100000);
  take_one();
  terminate(2);
  take_all();
  expect_done(1, IWARP_OK);
  expect_done(2, IWARP_OK);
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
                                packing_fills_segments_with_whole_fpdus,
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
                                terminate_of_an_idle_engine,
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
                                messages_are_checked,
                                engines_are_checked,
                                memory_is_bounded,
                                no_octet_beyond_the_memory,
                                NULL};
  return check_run(check_suite("stream-tx", tests));
}
