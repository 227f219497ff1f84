/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The transmit engine: whatever messages it is given and however its octets are taken, they are
 * FPDUs that a slow decoder reads back: the messages that were taken, whole, each line of them in
 * order, each reported once.
 */
#include <iwarp/tx.h>
#include <stdalign.h>
#include <string.h>

#include "slow.h"
#include "test_pool.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define MESSAGES 8u
#define TOKENS 512u
#define STREAM (1u << 20)
#define SPANS 24u
#define PATTERN 2048u

/* A message that was taken. */
typedef struct message {
  uint8_t opcode;
  bool over;
  uint32_t len; /* octets of payload after the RDMAP header */
} message;

static alignas(max_align_t) uint8_t memory[1u << 16];
static iwarp_tx *tx;
static iwarp_tx_cfg cfg;
static test_pool pool;
static iwarp_span tape;
static message messages[TOKENS];
static size_t num;      /* messages taken */
static size_t num_over; /* messages reported */
static uint8_t stream[STREAM];
static size_t len;
static bool ended;                  /* a Terminate was queued, or the stream is gone */
static iwarp_span parts[TOKENS][2]; /* payload of the messages, borrowed until they are over */

static const uint8_t *pattern(void) {
  static uint8_t octets[PATTERN];
  for (size_t i = 0; i < PATTERN && octets[1] == 0; i++) {
    octets[PATTERN - 1 - i] = (uint8_t)((PATTERN - 1 - i) % 251u);
  }
  return octets;
}

/* ---- messages ---- */

static void given(iwarp_err err, uint8_t opcode, size_t n) {
  fuzz_expect(err == IWARP_OK || err == IWARP_ERR_NOBUF || err == IWARP_ERR_ARG ||
                  (err == IWARP_ERR_STATE && ended),
              "message: %s", iwarp_errname(err));
  fuzz_expect(err != IWARP_ERR_NOBUF || num - num_over >= cfg.num_messages, "there was room");
  if (err == IWARP_OK) {
    fuzz_expect(num < TOKENS && !ended, "a message was taken");
    messages[num++] = (message){.opcode = opcode, .len = (uint32_t)n};
  }
}

static size_t some_len(void) {
  return fuzz_take(&tape) * 8u % PATTERN;
}

/* Payloads without octets, and opcodes other than Sends; nothing is taken. */
static void misuse(uint8_t how) {
  static const iwarp_span parts_wrong[2] = {{NULL, 1}, {NULL, UINT32_MAX}};
  static const iwarp_span parts_long[2] = {{(const uint8_t *)"", UINT32_MAX},
                                           {(const uint8_t *)"", 1}};
  const iwarp_tx_payload wrong[] = {{NULL, 1}, {parts_wrong, 1}, {parts_wrong, 2}, {parts_long, 2}};
  const iwarp_tx_payload v = wrong[how % 4u];
  const iwarp_rdmap_read_req req = {.size = how};
  iwarp_err err = IWARP_ERR_ARG;
  switch (how >> 2 & 3u) {
  case 0: err = iwarp_tx_write(tx, num, how, how, v); break;
  case 1: err = iwarp_tx_send(tx, num, IWARP_RDMAP_OP_SEND, 0, v); break;
  case 2: err = iwarp_tx_read_resp(tx, num, &req, v); break;
  default:
    err = iwarp_tx_send(tx, num,
                        (how & 0x80u) != 0 ? IWARP_RDMAP_OP_READ_REQ : IWARP_RDMAP_OP_ATOMIC_REQ, 0,
                        (iwarp_tx_payload){NULL, 0});
  }
  fuzz_expect(err == IWARP_ERR_ARG || (ended && err == IWARP_ERR_STATE), "a wrong call: %s",
              iwarp_errname(err));
}

/* A payload in one part or two. */
static iwarp_tx_payload payload(size_t n, bool parted) {
  iwarp_span *p = parts[num];
  p[0] = (iwarp_span){pattern(), parted ? n / 2 : n};
  p[1] = (iwarp_span){pattern() + p[0].len, n - p[0].len};
  return (iwarp_tx_payload){n == 0 && parted ? NULL : p, parted ? (n == 0 ? 0u : 2u) : 1u};
}

static void give(uint8_t how) {
  static const iwarp_rdmap_opcode sends[] = {IWARP_RDMAP_OP_SEND, IWARP_RDMAP_OP_SEND_INV,
                                             IWARP_RDMAP_OP_SEND_SE, IWARP_RDMAP_OP_SEND_SE_INV,
                                             IWARP_RDMAP_OP_WRITE};
  const iwarp_rdmap_opcode send = sends[how % 5u];
  const size_t n = some_len();
  const bool parted = (how & 0x80u) != 0;
  const iwarp_rdmap_read_req req = {.sink_stag = how, .size = (uint32_t)n, .source_to = how};
  const iwarp_rdmap_atomic_req atomic = {.aopcode = how >> 4, .request_id = how, .stag = how};
  const iwarp_rdmap_atomic_resp answer = {.request_id = how, .original = how};
  if (num == TOKENS) {
    return;
  }
  switch (how >> 3 & 7u) {
  case 0:
    given(iwarp_tx_write(tx, num, how, how, payload(n, parted)), IWARP_RDMAP_OP_WRITE, n);
    return;
  case 1:
    given(iwarp_tx_send(tx, num, send, how & 1u, payload(n, parted)), (uint8_t)send, n);
    return;
  case 2: given(iwarp_tx_read_req(tx, num, &req), IWARP_RDMAP_OP_READ_REQ, 0); return;
  case 3:
    given(iwarp_tx_read_resp(tx, num, &req, payload(n + (how == 0xDFu), parted)),
          IWARP_RDMAP_OP_READ_RESP, n);
    return;
  case 4:
    given(iwarp_tx_immediate(tx, num, parted, pattern()),
          parted ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE, 0);
    return;
  case 5: given(iwarp_tx_atomic_req(tx, num, &atomic), IWARP_RDMAP_OP_ATOMIC_REQ, 0); return;
  default: given(iwarp_tx_atomic_resp(tx, num, &answer), IWARP_RDMAP_OP_ATOMIC_RESP, 0);
  }
}

static void terminate(uint8_t how) {
  const iwarp_rdmap_term term = {
      .layer = how & 3u, .etype = how >> 2, .code = 1, .reserved = how >> 7};
  if (num == TOKENS) {
    return;
  }
  const iwarp_err err = iwarp_tx_terminate(tx, num, &term);
  given(err, IWARP_RDMAP_OP_TERMINATE, 0);
  ended = ended || err == IWARP_OK;
}

/* ---- octets ---- */

static void results(void) {
  iwarp_tx_result r;
  while (iwarp_tx_next_result(tx, &r) == IWARP_OK) {
    fuzz_expect(r.token < num && !messages[r.token].over, "message %llu is over again",
                (unsigned long long)r.token);
    fuzz_expect(r.err == IWARP_OK || ended, "a message failed: %s", iwarp_errname(r.err));
    messages[r.token].over = true;
    num_over++;
  }
}

/* Takes `most` of the octets handed out. */
static void take(const iwarp_span *spans, const iwarp_tx_out *out, size_t most) {
  size_t n = 0;
  for (size_t i = 0; i < out->num_spans && n < most; i++) {
    const size_t part = spans[i].len < most - n ? spans[i].len : most - n;
    fuzz_expect(spans[i].len > 0 && len + part <= STREAM, "a span of %zu octets", spans[i].len);
    memcpy(&stream[len], spans[i].ptr, part);
    len += part;
    n += part;
  }
  fuzz_expect(iwarp_tx_advance(tx, STREAM) == IWARP_ERR_ARG, "too many octets were taken");
  fuzz_expect(iwarp_tx_advance(tx, n) == IWARP_OK && iwarp_tx_offset(tx) == len, "advance");
}

/* Copies the octets to send, up to a number with which an FPDU comes in parts or whole. */
static iwarp_err next_copy(iwarp_span *span, iwarp_tx_out *out, uint8_t how) {
  static uint8_t octets[1u << 16];
  iwarp_tx_batch batch = {.copy = octets, .max_copy = (how & 0x20u) != 0 ? sizeof octets : how};
  const iwarp_err err = iwarp_tx_next_batch(tx, &batch);
  fuzz_expect(batch.max_copy > 0 || err != IWARP_OK, "a copy without room");
  if (err == IWARP_OK) {
    fuzz_expect(batch.all.num_spans == 0 && batch.all.len <= batch.max_copy, "spans of a copy");
    *span = (iwarp_span){octets, batch.all.len};
    *out = (iwarp_tx_out){.num_spans = 1, .len = batch.all.len};
  }
  return err;
}

static iwarp_err next_spans(iwarp_span *spans, iwarp_tx_out *out, uint8_t how) {
  iwarp_tx_out segments[3];
  iwarp_tx_batch batch = {.spans = spans,
                          .max_spans = 1u + how % SPANS,
                          .segments = (how & 0x20u) != 0 ? segments : NULL,
                          .max_segments = 1 + how % 3u};
  if ((how & 0x40u) == 0) {
    return iwarp_tx_next_output(tx, spans, batch.max_spans, out);
  }
  const iwarp_err err = iwarp_tx_next_batch(tx, &batch);
  *out = batch.all;
  return err;
}

/* Sends some of what there is; false when there is nothing, or no memory. */
static bool go(uint8_t how, uint8_t much) {
  iwarp_span spans[SPANS];
  iwarp_tx_out out = {0};
  const bool copies = (how & 0xC0u) == 0xC0u;
  const iwarp_err err = copies ? next_copy(spans, &out, how & 0x3Fu) : next_spans(spans, &out, how);
  if (err != IWARP_OK) {
    fuzz_expect(err == IWARP_ERR_END || (err == IWARP_ERR_NOBUF && (copies || pool.fail_every > 0)),
                "output: %s", iwarp_errname(err));
    return false;
  }
  fuzz_expect(out.len > 0 && out.num_spans <= SPANS, "%zu octets", out.len);
  take(spans, &out, much == 0 ? out.len : 1 + out.len * much / 256u);
  results();
  return true;
}

static void step(void) {
  const uint8_t what = fuzz_take(&tape);
  const uint8_t how = fuzz_take(&tape);
  switch (what & 7u) {
  case 5:
  case 6: (void)go(how, what & 0xF8u); return;
  case 7:
    switch (what >> 3) {
    case 0: iwarp_tx_set_emss(tx, how * 16u); return;
    case 1: terminate(how); return;
    case 2:
      iwarp_tx_abort(tx);
      ended = true;
      results();
      return;
    case 3: misuse(how); return;
    default: give(how);
    }
    return;
  default: give(how);
  }
}

/* ---- the other end ---- */

/* The messages of a line, Responses or others, in the order in which they were given. */
static const message *next_message(size_t at[2], uint8_t opcode) {
  const size_t line =
      opcode == IWARP_RDMAP_OP_READ_RESP || opcode == IWARP_RDMAP_OP_ATOMIC_RESP ? 1 : 0;
  for (size_t i = at[line]; i < num; i++) {
    const uint8_t other = messages[i].opcode;
    const size_t of =
        other == IWARP_RDMAP_OP_READ_RESP || other == IWARP_RDMAP_OP_ATOMIC_RESP ? 1 : 0;
    if (of == line && (!ended || other == opcode || opcode != IWARP_RDMAP_OP_TERMINATE)) {
      at[line] = i + 1;
      return &messages[i];
    }
  }
  return NULL;
}

static void read_back(void) {
  static slow_fpdu f;
  slow_stream s = {.octets = {stream, len}, .markers = cfg.markers};
  size_t at[2] = {0, 0};
  uint64_t placed = 0; /* octets placed of the message under way */
  while (slow_next(&f, &s)) {
    iwarp_rdmap_seg seg;
    iwarp_rdmap_seg_decode(&seg, (iwarp_span){f.ulpdu, f.len}, f.len);
    slow_compare(&f, &seg);
    fuzz_expect(f.crc == (cfg.crc ? f.crc_due : 0), "CRC of the FPDU at %zu", f.at);
    fuzz_expect(seg.has_ddp, "a segment without its header");
    const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg.ctrl.opcode);
    const size_t header = iwarp_ddp_hdr_len(f.ulpdu[0]);
    fuzz_expect(!op->payload || memcmp(&f.ulpdu[header], pattern() + placed, f.len - header) == 0,
                "payload of the FPDU at %zu", f.at);
    placed += op->payload ? f.len - header : 0;
    if (seg.ddp.last) {
      const message *m = next_message(at, seg.ctrl.opcode);
      fuzz_expect(m != NULL && (ended || (m->opcode == seg.ctrl.opcode && placed == m->len)),
                  "a message of opcode %u and %llu octets", seg.ctrl.opcode,
                  (unsigned long long)placed);
      placed = 0;
    }
    if (seg.ctrl.opcode == IWARP_RDMAP_OP_TERMINATE) {
      break;
    }
  }
  fuzz_expect(ended || s.at >= len, "what was sent ends inside an FPDU");
}

static bool begin(fuzz_in *f) {
  static const uint32_t emss[] = {128, 140, 536, 1460};
  const uint8_t how = fuzz_u8(f);
  const uint8_t more = fuzz_u8(f);
  const uint8_t lends = fuzz_u8(f) & 3u;
  test_pool_begin(&pool, lends == 3 ? 2 : 0);
  cfg = (iwarp_tx_cfg){.size = sizeof cfg,
                       .markers = (how & 1u) != 0,
                       .crc = (how & 2u) == 0,
                       .pack = (how & 4u) != 0,
                       .rdmac = (how & 8u) != 0,
                       .emss = emss[how >> 4 & 3u],
                       .num_messages = more % (MESSAGES + 1u),
                       .num_fpdus = more >> 4,
                       .first_msn = {(how & 64u) != 0 ? UINT32_MAX : 0},
                       .pool = lends >= 2 ? &pool.pool : NULL};
  const size_t size = iwarp_tx_size(&cfg);
  fuzz_expect((size > 0) == (cfg.num_messages > 0) && size <= sizeof memory, "%zu octets", size);
  const iwarp_err err = iwarp_tx_init(&tx, memory, sizeof memory, &cfg);
  fuzz_expect((err == IWARP_OK) == (size > 0), "an engine: %s", iwarp_errname(err));
  return err == IWARP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  tape = (iwarp_span){f.body, f.len};
  num = num_over = len = 0;
  ended = false;
  if (!begin(&f)) {
    return 0;
  }
  while (tape.len > 0 && len < STREAM / 2) {
    step();
  }
  pool.fail_every = 0;
  while (len < STREAM / 2 && go(SPANS - 1, 0)) {
  }
  results();
  iwarp_tx_release(tx);
  fuzz_expect(pool.live == 0, "memory is lost");
  fuzz_expect(num_over == num || len >= STREAM / 2, "%zu messages, %zu are over", num, num_over);
  read_back();
  return 0;
}
