/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Engines of any configuration: one has a size if and only if an engine can be made of it, in so
 * much memory and no less; and calls that come at the wrong time are refused.
 */
#include <iwarp/iwarp.h>
#include <iwarp/sctp_observer.h>
#include <iwarp/shared.h>
#include <stdalign.h>
#include <string.h>

#include "fuzz.h"
#include "sctp/session_send.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define MEMORY (1u << 20)

static alignas(max_align_t) uint8_t memory[MEMORY];
static iwarp_span tape;

/* A number: mostly small, sometimes one that matters. */
static uint32_t some(void) {
  static const uint32_t odd[] = {32767, 65535, 65536, 65537, 0x3FFE, 0x3FFF, UINT32_MAX, 1u << 24};
  const uint8_t v = fuzz_take(&tape);
  return v < 0xF0u ? v & 31u : odd[v & 7u];
}

static bool flag(void) {
  return (fuzz_take(&tape) & 1u) != 0;
}

static iwarp_tristate tristate(void) {
  return (iwarp_tristate)(fuzz_take(&tape) % 4u);
}

/* Expects that a call without a required argument is refused. */
#define LACKING(call) fuzz_expect((call) == IWARP_ERR_ARG, "a call that lacks something")

/* Judges what became of attempts: with all memory, with an octet too little, unaligned, with none.
 * True when an engine of `size` octets can be made. */
static bool can_make(size_t size, iwarp_err all, iwarp_err less, iwarp_err unaligned,
                     iwarp_err none) {
  fuzz_expect((all == IWARP_OK) == (size > 0 && size <= MEMORY), "%zu octets, made: %s", size,
              iwarp_errname(all));
  fuzz_expect(none == IWARP_ERR_ARG && unaligned == IWARP_ERR_ARG, "an engine in no memory");
  fuzz_expect(all != IWARP_OK || less == IWARP_ERR_NOBUF, "an engine of less than %zu octets",
              size);
  return all == IWARP_OK;
}

/* True if an engine was made; `call` makes it in memory of a length. */
#define MADE(size, call)                                                                           \
  (can_make((size), call(memory, MEMORY), call(memory, (size) > 0 ? (size)-1 : 0),                 \
            call(memory + 1, MEMORY - 1), call(NULL, MEMORY)) &&                                   \
   call(memory, (size)) == IWARP_OK)

/* ---- engines of a stream ---- */

static const iwarp_meta meta = {.packet = 1, .peer_pos = IWARP_POS_UNKNOWN};
static const iwarp_span octet = {(const uint8_t *)"x", 1};

static void rx(void) {
  iwarp_rx *e = NULL;
  iwarp_event ev;
  const iwarp_rx_cfg cfg = {.size = flag() ? sizeof cfg : some(),
                            .pos = some(),
                            .at_start = flag(),
                            .unconfirmed = flag(),
                            .markers = tristate(),
                            .crc = tristate(),
                            .side = fuzz_take(&tape) & 3u,
                            .max_ulpdu = (uint16_t)some()};
#define RX_INIT(mem, len) iwarp_rx_init(&e, (mem), (len), &cfg)
  if (!MADE(iwarp_rx_size(&cfg), RX_INIT)) {
    return;
  }
  fuzz_expect(iwarp_rx_push(e, (iwarp_span){NULL, 3}, &meta) != IWARP_OK, "octets of nowhere");
  LACKING(iwarp_rx_init(NULL, memory, MEMORY, &cfg));
  LACKING(iwarp_rx_init(&e, memory, MEMORY, NULL));
  LACKING(iwarp_rx_push(NULL, octet, &meta));
  LACKING(iwarp_rx_push(e, octet, NULL));
  LACKING(iwarp_rx_next_event(e, NULL));
  LACKING(iwarp_rx_next_event(NULL, &ev));
  (void)iwarp_rx_markers(e);
  (void)iwarp_rx_crc(e);
  fuzz_expect(iwarp_rx_push(e, octet, &meta) == IWARP_OK &&
                  iwarp_rx_push(e, octet, &meta) == IWARP_ERR_STATE &&
                  iwarp_rx_gap(e, 1, IWARP_GAP_LOST, &meta) == IWARP_ERR_STATE &&
                  iwarp_rx_eof(e, &meta) == IWARP_ERR_STATE,
              "input before the events of other input were taken");
  while (iwarp_rx_next_event(e, &ev) == IWARP_OK) {
  }
  fuzz_expect(iwarp_rx_eof(e, &meta) == IWARP_OK, "an end");
  while (iwarp_rx_next_event(e, &ev) == IWARP_OK) {
  }
  fuzz_expect(iwarp_rx_push(e, octet, &meta) == IWARP_ERR_STATE, "octets after the end");
}

static void observer(void) {
  iwarp_observer *e = NULL;
  iwarp_event ev;
  const iwarp_observer_cfg cfg = {.size = flag() ? sizeof cfg : some(),
                                  .full_operation = flag(),
                                  .markers = tristate(),
                                  .crc = tristate(),
                                  .max_ulpdu = (uint16_t)some()};
#define OBSERVER_INIT(mem, len) iwarp_observer_init(&e, (mem), (len), &cfg)
  if (!MADE(iwarp_observer_size(&cfg), OBSERVER_INIT)) {
    return;
  }
  LACKING(iwarp_observer_init(NULL, memory, MEMORY, &cfg));
  LACKING(iwarp_observer_init(&e, memory, MEMORY, NULL));
  LACKING(iwarp_observer_push(NULL, 0, octet, &meta));
  LACKING(iwarp_observer_next_event(e, NULL));
  LACKING(iwarp_observer_next_event(NULL, &ev));
  fuzz_expect(iwarp_observer_start(e, 2, 0, true, 0) == IWARP_ERR_ARG &&
                  iwarp_observer_push(e, 2, octet, &meta) == IWARP_ERR_ARG &&
                  iwarp_observer_gap(e, 2, 1, IWARP_GAP_LOST, &meta) == IWARP_ERR_ARG &&
                  iwarp_observer_eof(e, 2, IWARP_END_FIN, &meta) == IWARP_ERR_ARG,
              "a third side");
  const uint8_t side = fuzz_take(&tape) & 1u;
  if (flag()) {
    (void)iwarp_observer_start(e, side, some(), flag(), some());
  }
  (void)iwarp_observer_push(e, side, (iwarp_span){NULL, 3}, &meta);
  if (iwarp_observer_push(e, side, octet, &meta) == IWARP_OK) {
    fuzz_expect(iwarp_observer_push(e, side, octet, &meta) == IWARP_ERR_STATE &&
                    iwarp_observer_eof(e, side, IWARP_END_FIN, &meta) == IWARP_ERR_STATE,
                "input before the events of other input were taken");
  }
  while (iwarp_observer_next_event(e, &ev) == IWARP_OK) {
  }
  (void)iwarp_observer_start(e, side, some(), flag(), some());
  (void)iwarp_observer_eof(e, side, IWARP_END_RST, &meta);
  while (iwarp_observer_next_event(e, &ev) == IWARP_OK) {
  }
  fuzz_expect(iwarp_observer_push(e, side, octet, &meta) == IWARP_ERR_STATE, "after the end");
}

static void tx(void) {
  iwarp_tx *e = NULL;
  const iwarp_tx_cfg cfg = {.size = flag() ? sizeof cfg : some(),
                            .markers = flag(),
                            .emss = some(),
                            .num_messages = some(),
                            .num_fpdus = some()};
#define TX_INIT(mem, len) iwarp_tx_init(&e, (mem), (len), &cfg)
  if (MADE(iwarp_tx_size(&cfg), TX_INIT)) {
    LACKING(iwarp_tx_init(NULL, memory, MEMORY, &cfg));
    fuzz_expect(iwarp_tx_mulpdu(e) > 0, "a MULPDU");
  }
}

/* ---- endpoints ---- */

static void endpoint(void) {
  iwarp_endpoint *e = NULL;
  const iwarp_endpoint_cfg cfg = {.size = flag() ? sizeof cfg : some(),
                                  .role = (iwarp_role)(some() % 5u),
                                  .rev = (uint8_t)some() & 3u,
                                  .rtr = (uint8_t)some() & 15u,
                                  .ird = (uint16_t)some(),
                                  .ird_max = (uint16_t)some(),
                                  .ord = (uint16_t)some(),
                                  .emss = some(),
                                  .num_fpdus = some(),
                                  .max_ulpdu = some(),
                                  .num_out_of_order = some(),
                                  .max_partial = some(),
                                  .recv_low = some(),
                                  .num_sends = some(),
                                  .num_recvs = some(),
                                  .num_regions = some(),
                                  .startup_ns = flag() ? IWARP_TIME_NEVER : some(),
                                  .idle_ns = some()};
  const size_t size = iwarp_endpoint_size(&cfg);
  fuzz_expect((iwarp_endpoint_cfg_error(&cfg) == NULL) == (size > 0), "a size of %zu", size);
#define ENDPOINT_INIT(mem, len) iwarp_endpoint_init(&e, (mem), (len), &cfg)
  if (MADE(size, ENDPOINT_INIT)) {
    LACKING(iwarp_endpoint_init(NULL, memory, MEMORY, &cfg));
    iwarp_endpoint_time(e, IWARP_TIME_NEVER - some());
    (void)(cfg.role == IWARP_ROLE_INITIATOR ? iwarp_endpoint_connect(e, octet)
                                            : iwarp_endpoint_listen(e));
    const uint64_t due = iwarp_endpoint_deadline(e);
    iwarp_endpoint_time(e, due);
    (void)iwarp_endpoint_user(e);
  }
}

static void shared(void) {
  iwarp_regions *r = NULL;
  iwarp_srq *q = NULL;
  const uint32_t num = some();
  const iwarp_endpoint_buffer buffer = {.len = 8};
#define REGIONS_INIT(mem, len) iwarp_regions_init(&r, (mem), (len), num)
#define SRQ_INIT(mem, len) iwarp_srq_init(&q, (mem), (len), num, 1)
  LACKING(iwarp_regions_init(NULL, memory, MEMORY, num));
  LACKING(iwarp_srq_init(NULL, memory, MEMORY, num, 1));
  fuzz_expect(iwarp_endpoint_size(NULL) == 0, "a size of nothing");
  if (MADE(iwarp_regions_size(num), REGIONS_INIT)) {
    const iwarp_endpoint_region region = {.stag = 1, .len = 8};
    fuzz_expect(iwarp_regions_register(r, &region) == IWARP_OK &&
                    iwarp_regions_register(r, &region) == IWARP_ERR_ARG,
                "the same STag twice");
    for (uint32_t i = 2; i <= num + 1 && i < 64; i++) {
      const iwarp_endpoint_region next = {.stag = i, .len = 8};
      fuzz_expect((iwarp_regions_register(r, &next) == IWARP_OK) == (i <= num), "region %u", i);
    }
    fuzz_expect(iwarp_regions_invalidate(r, 0) != IWARP_OK &&
                    iwarp_regions_revoke(r, 0) != IWARP_OK &&
                    iwarp_regions_deregister(r, 0) != IWARP_OK &&
                    iwarp_regions_deregister(r, 1) == IWARP_OK,
                "an invalid region");
  }
  if (MADE(iwarp_srq_size(num), SRQ_INIT)) {
    for (uint32_t i = 1; i <= num + 1 && i < 64; i++) {
      fuzz_expect((iwarp_srq_recv(q, &buffer) == IWARP_OK) == (i <= num), "buffer %u", i);
    }
  }
}

/* ---- SCTP ---- */

static void sctp_session(void) {
  iwarp_sctp_session *e = NULL;
  sctp_output out;
  const iwarp_sctp_session_cfg cfg = {.size = flag() ? sizeof cfg : some(),
                                      .observer = flag(),
                                      .joined = flag(),
                                      .window = (uint16_t)some()};
#define SESSION_INIT(mem, len) iwarp_sctp_session_init(&e, (mem), (len), &cfg)
  const bool right = cfg.size == sizeof cfg && (cfg.observer || !cfg.joined);
  if (!right) {
    (void)SESSION_INIT(memory, MEMORY);
    return;
  }
  LACKING(iwarp_sctp_session_init(NULL, memory, MEMORY, &cfg));
  LACKING(iwarp_sctp_session_init(&e, memory, MEMORY, NULL));
  if (MADE(iwarp_sctp_session_size(cfg.window), SESSION_INIT)) {
    iwarp_sctp_session_event ev;
    const iwarp_sctp_message m = {.ppid = IWARP_SCTP_PPID_CONTROL, .user_data = octet};
    (void)iwarp_sctp_session_push(e, fuzz_take(&tape) & 3u, &m);
    (void)iwarp_sctp_session_push(e, fuzz_take(&tape) & 1u, &m);
    (void)iwarp_sctp_session_skip(e, fuzz_take(&tape) & 3u, &ev);
    while (iwarp_sctp_session_next_event(e, &ev) == IWARP_OK) {
    }
    (void)iwarp_sctp_session_skip(e, fuzz_take(&tape) & 3u, &ev);
    (void)iwarpi_sctp_session_connect(e, &out, flag(), (iwarp_span){memory, some() % 600u});
    (void)iwarpi_sctp_session_accept(e, &out, octet);
    (void)iwarpi_sctp_session_reject(e, &out, octet);
    (void)iwarpi_sctp_session_send(e, &out, octet, some());
    (void)iwarpi_sctp_session_close(e);
    (void)iwarpi_sctp_session_acked(e, (uint16_t)some());
    (void)iwarpi_sctp_session_next_output(e, &out);
  }
}

static void sctp_observer(void) {
  iwarp_sctp_observer *e = NULL;
  iwarp_event ev;
  iwarp_sctp_assoc *assoc = NULL;
  static alignas(max_align_t) uint8_t assoc_mem[IWARP_SCTP_ASSOC_SIZE];
  LACKING(iwarp_sctp_assoc_init(NULL, assoc_mem, sizeof assoc_mem));
  fuzz_expect(iwarp_sctp_assoc_init(&assoc, assoc_mem, iwarp_sctp_assoc_size() - 1) ==
                  IWARP_ERR_NOBUF,
              "an association in too little memory");
  fuzz_expect(iwarp_sctp_assoc_init(&assoc, assoc_mem, sizeof assoc_mem) == IWARP_OK,
              "no association");
  const iwarp_sctp_observer_cfg cfg = {.size = flag() ? sizeof cfg : some(),
                                       .assoc = flag() ? assoc : NULL,
                                       .joined = flag(),
                                       .window = (uint16_t)some(),
                                       .patience = (uint16_t)some()};
  const iwarp_sctp_captured m = {.ppid = IWARP_SCTP_PPID_CONTROL, .user_data = octet};
#define SCTP_OBSERVER_INIT(mem, len) iwarp_sctp_observer_init(&e, (mem), (len), &cfg)
  if (!MADE(iwarp_sctp_observer_size(&cfg), SCTP_OBSERVER_INIT)) {
    return;
  }
  LACKING(iwarp_sctp_observer_init(NULL, memory, MEMORY, &cfg));
  fuzz_expect(iwarp_sctp_observer_size(NULL) == 0, "a size of nothing");
  fuzz_expect(iwarp_sctp_observer_push(e, 2, &m) == IWARP_ERR_ARG, "a third side");
  fuzz_expect(iwarp_sctp_observer_push(e, 0, &m) == IWARP_OK &&
                  iwarp_sctp_observer_push(e, 0, &m) == IWARP_ERR_STATE &&
                  iwarp_sctp_observer_eof(e, IWARP_END_FIN) == IWARP_ERR_STATE,
              "input before the events of other input were taken");
  while (iwarp_sctp_observer_next_event(e, &ev) == IWARP_OK) {
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static void (*const kinds[])(void) = {rx,     observer,     tx,           endpoint,
                                        shared, sctp_session, sctp_observer};
  fuzz_in f = fuzz_begin(data, size);
  tape = (iwarp_span){f.body, f.len};
  do {
    kinds[fuzz_take(&tape) % 7u]();
  } while (tape.len > 0);
  return 0;
}
