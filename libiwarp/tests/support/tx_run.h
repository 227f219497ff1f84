/* SPDX-License-Identifier: BSD-2-Clause */
/* A transmit engine, what it has sent, and what a naive sender would have. */
#ifndef IWARP_TESTS_TX_RUN_H
#define IWARP_TESTS_TX_RUN_H

#include <iwarp/tx.h>

#define TX_RUN_MESSAGES 200u
#define TX_RUN_WIRE_MAX 400000u
#define TX_RUN_SPANS_MAX 4096u

/* Octets that were handed out at once. */
typedef struct tx_run_batch {
  size_t len;
  uint32_t num_fpdus;
  bool segment_end;
} tx_run_batch;

typedef struct tx_run {
  _Alignas(max_align_t) uint8_t mem[262144];
  uint8_t noise[131072]; /* payload */
  iwarp_tx *tx;
  uint8_t wire[TX_RUN_WIRE_MAX]; /* what it has sent */
  size_t wire_len;
  tx_run_batch batches[4096]; /* in which that came */
  size_t num_batches;
  iwarp_span spans[TX_RUN_SPANS_MAX]; /* room for one */
  uint8_t want[TX_RUN_WIRE_MAX];      /* what it should have sent */
  size_t want_len;
} tx_run;

/* The one of this program. */
extern tx_run tx_sent;

/* tx_run_cfg is a configuration for tests: CRC, no Markers, TX_RUN_MESSAGES. */
iwarp_tx_cfg tx_run_cfg(uint32_t emss);
void tx_run_begin(const iwarp_tx_cfg *cfg);

/* tx_run_part is a payload of one part of the noise; the part itself does not last. */
iwarp_tx_payload tx_run_part(size_t off, size_t len);

/* Messages whose payload is `len` octets of the noise from `off` on. */
void tx_run_send(uint64_t token, size_t off, size_t len);
void tx_run_write(uint64_t token, size_t off, size_t len);
void tx_run_read_resp(uint64_t token, size_t off, uint32_t len);
void tx_run_terminate(uint64_t token);

/* tx_run_read_req is the Request that such a Response answers. */
iwarp_rdmap_read_req tx_run_read_req(uint32_t size);

/* tx_run_note puts the first n octets of the spans after what was sent before. */
void tx_run_note(const iwarp_span *from, size_t n);

/* tx_run_take_one takes one batch whole; false if no batch is ready. */
bool tx_run_take_one(void);
void tx_run_take_all(void);

/* tx_run_want_ulpdu adds the FPDU of a ULPDU, as the naive sender makes it. */
void tx_run_want_ulpdu(const uint8_t *ulpdu, size_t len, const iwarp_tx_cfg *cfg);

/* tx_run_want_message adds the FPDUs of a message, cut as RFC 5041 5.2 says: `hdr` is the first
 * header, its L bit and offset change. */
void tx_run_want_message(iwarp_ddp_hdr hdr, const uint8_t *payload, size_t len,
                         const iwarp_tx_cfg *cfg);
void tx_run_want_send(uint32_t msn, size_t off, size_t len, const iwarp_tx_cfg *cfg);
void tx_run_want_write(size_t off, size_t len, const iwarp_tx_cfg *cfg);
void tx_run_same_octets(const char *id);

void tx_run_expect_done(uint64_t token, iwarp_err err);
void tx_run_expect_none_done(void);

/* tx_run_opcodes returns the opcodes of the FPDUs sent, in order, as hex digits; no Markers. */
const char *tx_run_opcodes(void);

#endif
