/* SPDX-License-Identifier: BSD-2-Clause */
/* A transmit engine, what it has sent, and what a naive sender would have. */
#include "tx_run.h"

#include <string.h>

#include "check_run.h"
#include "fpdu_model.h"
#include "prng.h"

tx_run tx_sent;

static fpdu_model model;

iwarp_tx_cfg tx_run_cfg(uint32_t emss) {
  return (iwarp_tx_cfg){
      .size = sizeof(iwarp_tx_cfg), .crc = true, .emss = emss, .num_messages = TX_RUN_MESSAGES};
}

void tx_run_begin(const iwarp_tx_cfg *cfg) {
  if (tx_sent.noise[0] == 0) {
    prng p = {.state = 11};
    prng_fill(&p, tx_sent.noise, sizeof tx_sent.noise);
  }
  memset(tx_sent.mem, 0xA5, iwarp_tx_size(cfg));
  ck_assert_int_eq(iwarp_tx_init(&tx_sent.tx, tx_sent.mem, sizeof tx_sent.mem, cfg), IWARP_OK);
  tx_sent.wire_len = 0;
  tx_sent.num_batches = 0;
  tx_sent.want_len = 0;
}

/* A payload of one part of the noise; the part itself does not last. */
iwarp_tx_payload tx_run_part(size_t off, size_t len) {
  static iwarp_span part;
  part = (iwarp_span){tx_sent.noise + off, len};
  return (iwarp_tx_payload){.parts = &part, .num_parts = 1};
}

void tx_run_send(uint64_t token, size_t off, size_t len) {
  iwarp_err err = iwarp_tx_send(tx_sent.tx, token, IWARP_RDMAP_OP_SEND, 0, tx_run_part(off, len));
  expect(err == IWARP_OK, "Send of %zu: %s", len, iwarp_errname(err));
}

void tx_run_write(uint64_t token, size_t off, size_t len) {
  iwarp_err err = iwarp_tx_write(tx_sent.tx, token, 0x00112233, 0x10000, tx_run_part(off, len));
  expect(err == IWARP_OK, "RDMA Write of %zu: %s", len, iwarp_errname(err));
}

iwarp_rdmap_read_req tx_run_read_req(uint32_t size) {
  return (iwarp_rdmap_read_req){.sink_stag = 0x0A0B0C0D,
                                .sink_to = 0x2000,
                                .size = size,
                                .source_stag = 0x11223344,
                                .source_to = UINT64_C(0x100000000)};
}

void tx_run_read_resp(uint64_t token, size_t off, uint32_t len) {
  iwarp_rdmap_read_req req = tx_run_read_req(len);
  iwarp_err err = iwarp_tx_read_resp(tx_sent.tx, token, &req, tx_run_part(off, len));
  expect(err == IWARP_OK, "Read Response of %u: %s", len, iwarp_errname(err));
}

void tx_run_terminate(uint64_t token) {
  iwarp_rdmap_term term = {0};
  ck_assert_int_eq(iwarp_tx_terminate(tx_sent.tx, token, &term), IWARP_OK);
}

/* The first n octets of the spans, after what was sent before. */
void tx_run_note(const iwarp_span *from, size_t n) {
  for (; n > 0; from++) {
    size_t k = from->len < n ? from->len : n;
    memcpy(tx_sent.wire + tx_sent.wire_len, from->ptr, k);
    tx_sent.wire_len += k;
    n -= k;
  }
}

/* Takes one batch whole; false if no batch is ready. */
bool tx_run_take_one(void) {
  iwarp_tx_out out;
  iwarp_err err = iwarp_tx_next_output(tx_sent.tx, tx_sent.spans, TX_RUN_SPANS_MAX, &out);
  if (err == IWARP_ERR_END) {
    return false;
  }
  expect(err == IWARP_OK, "%s", iwarp_errname(err));
  tx_run_note(tx_sent.spans, out.len);
  tx_sent.batches[tx_sent.num_batches++] = (tx_run_batch){out.len, out.num_fpdus, out.segment_end};
  ck_assert_int_eq(iwarp_tx_advance(tx_sent.tx, out.len), IWARP_OK);
  expect(iwarp_tx_offset(tx_sent.tx) == tx_sent.wire_len, "offset");
  return true;
}

void tx_run_take_all(void) {
  while (tx_run_take_one()) {
  }
}

/* Adds the FPDU of a ULPDU, as the naive sender makes it. */
void tx_run_want_ulpdu(const uint8_t *ulpdu, size_t len, const iwarp_tx_cfg *cfg) {
  fpdu_model_send(&model, tx_sent.want_len, ulpdu, (uint16_t)len, cfg->markers);
  if (!cfg->crc) {
    memset(model.wire + model.crc_at, 0, 4);
  }
  memcpy(tx_sent.want + tx_sent.want_len, model.wire, model.len);
  tx_sent.want_len += model.len;
}

/* Adds the FPDUs of a message, cut as RFC 5041 5.2 says: `hdr` is the first header, its L bit and
 * offset change. */
void tx_run_want_message(iwarp_ddp_hdr hdr, const uint8_t *payload, size_t len,
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
    tx_run_want_ulpdu(ulpdu, hdr_len + k, cfg);
    off += k;
  } while (off < len);
}

void tx_run_want_send(uint32_t msn, size_t off, size_t len, const iwarp_tx_cfg *cfg) {
  tx_run_want_message((iwarp_ddp_hdr){.rsvdulp = 0x43, .msn = msn}, tx_sent.noise + off, len, cfg);
}

void tx_run_want_write(size_t off, size_t len, const iwarp_tx_cfg *cfg) {
  tx_run_want_message(
      (iwarp_ddp_hdr){.tagged = true, .rsvdulp = 0x40, .stag = 0x00112233, .to = 0x10000},
      tx_sent.noise + off, len, cfg);
}

void tx_run_same_octets(const char *id) {
  expect(tx_sent.wire_len == tx_sent.want_len, "%s: %zu octets, not %zu", id, tx_sent.wire_len,
         tx_sent.want_len);
  for (size_t i = 0; i < tx_sent.want_len; i++) {
    expect(tx_sent.wire[i] == tx_sent.want[i], "%s: octet %zu is %02x, not %02x", id, i,
           tx_sent.wire[i], tx_sent.want[i]);
  }
}

void tx_run_expect_done(uint64_t token, iwarp_err err) {
  iwarp_tx_result result;
  iwarp_err got = iwarp_tx_next_result(tx_sent.tx, &result);
  expect(got == IWARP_OK, "%s instead of %u", iwarp_errname(got), (unsigned)token);
  expect(result.token == token, "%u instead of %u", (unsigned)result.token, (unsigned)token);
  expect(result.err == err, "%u: %s", (unsigned)token, iwarp_errname(result.err));
}

void tx_run_expect_none_done(void) {
  iwarp_tx_result result = {.token = 99};
  ck_assert_int_eq(iwarp_tx_next_result(tx_sent.tx, &result), IWARP_ERR_END);
  ck_assert_uint_eq(result.token, 99);
}

/* The opcodes of the FPDUs sent, in order, as hex digits; no Markers. */
const char *tx_run_opcodes(void) {
  static char text[1024];
  size_t n = 0;
  for (size_t at = 0; at < tx_sent.wire_len;) {
    iwarp_mpa_fpdu v;
    iwarp_dec dec =
        iwarp_mpa_fpdu_decode(&v, (iwarp_span){tx_sent.wire + at, tx_sent.wire_len - at}, 0, false);
    expect(dec.err == IWARP_OK, "octet %zu: %s", at, iwarp_errname(dec.err));
    text[n++] = "0123456789abcdef"[tx_sent.wire[at + 3] & 15];
    at += dec.used;
  }
  text[n] = '\0';
  return text;
}
