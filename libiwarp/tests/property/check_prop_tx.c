/* SPDX-License-Identifier: BSD-2-Clause */
/* What the transmit engine sends, the receive engine decodes, and it is what was described, however
 * it was taken. */
#include <iwarp/event.h>
#include <iwarp/rx.h>
#include <iwarp/tx.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "prng.h"
#include "property.h"

#define MESSAGES 40u /* of one run */
#define SLOTS 12u
#define TERMINATE MESSAGES /* token */
#define PARTS_MAX 300u
#define SPANS_MAX 16384u
#define BATCH_MAX 400000u
#define BATCHES_MAX 65536u
#define SEGMENTS_MAX 5u

/* A message as it was described. */
typedef struct message {
  uint8_t opcode;
  uint32_t stag;
  uint64_t to;
  uint32_t msn;
  uint8_t *flat; /* what stands after the DDP headers, in one piece */
  size_t len;
  size_t arrived;
  bool over; /* it arrived whole */
  bool reported;
  iwarp_span parts[PARTS_MAX];
} message;

/* One stream, from both ends. */
typedef struct run {
  prng p;
  iwarp_tx_cfg cfg;
  uint32_t emss;
  message messages[MESSAGES + 1];
  uint32_t num_queued;
  uint32_t num_reported;
  uint32_t num_over;
  uint64_t lines[2][MESSAGES]; /* tokens in the order in which they were given */
  uint32_t num_lines[2];
  uint32_t next_arrival[2];
  uint32_t next_report[2];
  uint32_t msn[4];
  bool terminate_queued;
  bool terminate_arrived;
  message *under_way; /* at the receiver */
  size_t taken;       /* octets of the batch */
  size_t batch_len;
  size_t segment_ends[SEGMENTS_MAX]; /* in the batch */
  size_t num_segments;
  uint64_t ends[BATCHES_MAX];    /* stream offset at the end of each batch */
  uint32_t mulpdus[BATCHES_MAX]; /* and the MULPDU when it was made */
  size_t num_batches;
  size_t batch_at_receiver;
} run;

static _Alignas(max_align_t) uint8_t tx_mem[65536];
static _Alignas(max_align_t) uint8_t rx_mem[IWARP_RX_SIZE];
static uint8_t noise[300000];
static uint8_t batch[BATCH_MAX];
static iwarp_span spans[SPANS_MAX];
static iwarp_tx_out segments[SEGMENTS_MAX];
static run r;
static iwarp_tx *tx;
static iwarp_rx *rx;

static uint32_t below(uint64_t limit) {
  return (uint32_t)prng_below(&r.p, limit);
}

/* ---- the sender ---- */

static size_t random_len(void) {
  static const uint32_t limits[] = {1, 20, 65, 65, 65, 2000, 2000, 2000, 20000, 200001};
  return below(limits[below(sizeof limits / sizeof limits[0])]);
}

/* Cuts the payload into parts that lie in odd places, some of them empty. */
static iwarp_tx_payload scatter(message *m, size_t len) {
  size_t most = 1 + below(len / 100 + 100);
  size_t num = 0;
  m->len = len;
  m->flat = malloc(len + 1);
  expect(m->flat != NULL, "memory");
  for (size_t off = 0; off < len || num == 0;) {
    size_t k = below(4) == 0 ? below(4) : below(most) + 1;
    k = k > len - off || num == PARTS_MAX - 1 ? len - off : k;
    m->parts[num] = (iwarp_span){noise + below(sizeof noise - k), k};
    if (k > 0) {
      memcpy(m->flat + off, m->parts[num].ptr, k);
    } else if (below(2) == 0) {
      m->parts[num].ptr = NULL;
    }
    off += k;
    num++;
  }
  return (iwarp_tx_payload){.parts = m->parts, .num_parts = num};
}

static iwarp_rdmap_read_req random_read(void) {
  return (iwarp_rdmap_read_req){.sink_stag = (uint32_t)prng_next(&r.p),
                                .sink_to = prng_next(&r.p),
                                .size = (uint32_t)prng_next(&r.p),
                                .source_stag = (uint32_t)prng_next(&r.p),
                                .source_to = prng_next(&r.p)};
}

static iwarp_rdmap_atomic_req random_atomic(void) {
  return (iwarp_rdmap_atomic_req){.reserved = (uint32_t)prng_next(&r.p) >> 4,
                                  .aopcode = (uint8_t)below(16),
                                  .request_id = (uint32_t)prng_next(&r.p),
                                  .stag = (uint32_t)prng_next(&r.p),
                                  .to = prng_next(&r.p),
                                  .add_swap_data = prng_next(&r.p),
                                  .add_swap_mask = prng_next(&r.p),
                                  .compare_data = prng_next(&r.p),
                                  .compare_mask = prng_next(&r.p)};
}

static iwarp_err queue_header(message *m, uint64_t token) {
  iwarp_rdmap_read_req read = random_read();
  iwarp_rdmap_atomic_req atomic = random_atomic();
  iwarp_rdmap_atomic_resp resp = {.request_id = below(1000), .original = prng_next(&r.p)};
  uint8_t data[8];
  prng_fill(&r.p, data, sizeof data);
  m->flat = malloc(64);
  expect(m->flat != NULL, "memory");
  switch (m->opcode) {
  case IWARP_RDMAP_OP_READ_REQ:
    iwarp_rdmap_read_req_encode(m->flat, 64, &m->len, &read);
    return iwarp_tx_read_req(tx, token, &read);
  case IWARP_RDMAP_OP_ATOMIC_REQ:
    iwarp_rdmap_atomic_req_encode(m->flat, 64, &m->len, &atomic);
    return iwarp_tx_atomic_req(tx, token, &atomic);
  case IWARP_RDMAP_OP_ATOMIC_RESP:
    iwarp_rdmap_atomic_resp_encode(m->flat, 64, &m->len, &resp);
    return iwarp_tx_atomic_resp(tx, token, &resp);
  default:
    m->len = 8;
    memcpy(m->flat, data, 8);
    return iwarp_tx_immediate(tx, token, m->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE, data);
  }
}

static iwarp_err queue_payload(message *m, uint64_t token) {
  iwarp_tx_payload payload = scatter(m, random_len());
  m->stag = (uint32_t)prng_next(&r.p);
  m->to = prng_next(&r.p);
  if (m->opcode == IWARP_RDMAP_OP_WRITE) {
    return iwarp_tx_write(tx, token, m->stag, m->to, payload);
  }
  if (m->opcode == IWARP_RDMAP_OP_READ_RESP) {
    iwarp_rdmap_read_req req = {.sink_stag = m->stag, .sink_to = m->to, .size = (uint32_t)m->len};
    return iwarp_tx_read_resp(tx, token, &req, payload);
  }
  if (!iwarp_rdmap_op_get(m->opcode)->invalidates) {
    m->stag = 0;
  }
  return iwarp_tx_send(tx, token, (iwarp_rdmap_opcode)m->opcode, m->stag, payload);
}

static bool is_response(const message *m) {
  return m->opcode == IWARP_RDMAP_OP_READ_RESP || m->opcode == IWARP_RDMAP_OP_ATOMIC_RESP;
}

static void queue_one(void) {
  uint64_t token = r.num_queued;
  message *m = &r.messages[token];
  *m = (message){0};
  do {
    m->opcode = (uint8_t)below(12);
  } while (m->opcode == IWARP_RDMAP_OP_TERMINATE);
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(m->opcode);
  iwarp_err err = op->hdr_len > 0 ? queue_header(m, token) : queue_payload(m, token);
  bool room = r.num_queued - r.num_reported < SLOTS && !r.terminate_queued;
  if (!room) {
    expect(err == (r.terminate_queued ? IWARP_ERR_STATE : IWARP_ERR_NOBUF), "%s",
           iwarp_errname(err));
    free(m->flat);
    m->flat = NULL;
    return;
  }
  expect(err == IWARP_OK, "opcode %u: %s", m->opcode, iwarp_errname(err));
  m->msn = op->tagged ? 0 : r.msn[op->qn]++;
  int line = is_response(m) ? 1 : 0;
  r.lines[line][r.num_lines[line]++] = token;
  r.num_queued++;
}

static void queue_terminate(void) {
  message *m = &r.messages[TERMINATE];
  uint8_t octets[28];
  prng_fill(&r.p, octets, sizeof octets);
  iwarp_rdmap_term term = {.layer = (uint8_t)below(16),
                           .etype = (uint8_t)below(16),
                           .code = (uint8_t)below(256),
                           .rest = {octets, below(sizeof octets)}};
  m->opcode = IWARP_RDMAP_OP_TERMINATE;
  m->msn = r.msn[2];
  m->flat = malloc(64);
  expect(m->flat != NULL, "memory");
  iwarp_rdmap_term_encode(m->flat, 64, &m->len, &term);
  expect(iwarp_tx_terminate(tx, TERMINATE, &term) == IWARP_OK, "Terminate");
  r.terminate_queued = true;
}

/* ---- the receiver ---- */

/* The message to which an FPDU with this opcode belongs. */
static message *message_of(uint8_t opcode) {
  if (opcode == IWARP_RDMAP_OP_TERMINATE) {
    expect(r.terminate_queued && !r.terminate_arrived, "a Terminate that nobody sent");
    expect(r.under_way == NULL || r.under_way->opcode == IWARP_RDMAP_OP_READ_RESP,
           "a message was cut");
    r.terminate_arrived = true;
    return &r.messages[TERMINATE];
  }
  if (r.under_way != NULL) {
    return r.under_way;
  }
  int line = opcode == IWARP_RDMAP_OP_READ_RESP || opcode == IWARP_RDMAP_OP_ATOMIC_RESP ? 1 : 0;
  expect(r.next_arrival[line] < r.num_lines[line], "a message that nobody sent");
  return &r.messages[r.lines[line][r.next_arrival[line]++]];
}

/* The MULPDU when the FPDU at this stream offset was made. */
static uint32_t mulpdu_at(uint64_t off) {
  while (r.ends[r.batch_at_receiver] <= off) {
    r.batch_at_receiver++;
    expect(r.batch_at_receiver < r.num_batches, "beyond the last batch");
  }
  return r.mulpdus[r.batch_at_receiver];
}

static void check_header(const message *m, const iwarp_event_fpdu *f, size_t k) {
  const iwarp_ddp_hdr *h = &f->seg.ddp;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(m->opcode);
  expect(f->seg.has_ddp && f->seg.err == IWARP_OK, "%s", iwarp_errname(f->seg.err));
  expect(f->seg.ctrl.opcode == m->opcode && f->seg.ctrl.rsv == 0 && h->rsvd == 0, "control");
  expect(f->seg.ctrl.rv == (r.cfg.rdmac ? 0 : 1) && h->dv == f->seg.ctrl.rv, "version");
  expect(h->tagged == op->tagged && h->last == (m->arrived + k == m->len), "T or L");
  if (h->tagged) {
    expect(h->stag == m->stag && h->to == m->to + m->arrived, "STag or TO");
  } else {
    expect(h->rsvdulp_word == m->stag, "Invalidate STag");
    expect(h->qn == op->qn && h->msn == m->msn && h->mo == m->arrived, "QN, MSN or MO");
  }
}

/* The FPDU is the one that the encoder makes of its ULPDU at this place. */
static void check_wire(const iwarp_event_fpdu *f, const uint8_t *ulpdu) {
  static uint8_t again[IWARP_MPA_FPDU_WIRE_MAX];
  size_t len;
  iwarp_mpa_fpdu_desc desc = {.ulpdu = {ulpdu, f->fpdu.ulpdu_length},
                              .off = f->offset - f->fpdu.layout.lead,
                              .markers = r.cfg.markers,
                              .crc_given = !r.cfg.crc};
  expect(iwarp_mpa_fpdu_encode(again, sizeof again, &len, &desc) == IWARP_OK, "encode");
  expect(len == f->fpdu.wire.len && memcmp(again, f->fpdu.wire.ptr, len) == 0, "other octets");
}

/* The payload goes on where the message stands. */
static void check_payload(const message *m, const iwarp_event *ev) {
  iwarp_span part;
  size_t cursor = 0;
  for (size_t at = 0; iwarp_event_payload(&part, &cursor, ev) == IWARP_OK; at = cursor) {
    expect(memcmp(part.ptr, m->flat + m->arrived + at, part.len) == 0, "payload at %zu",
           m->arrived);
  }
  expect(cursor == ev->u.fpdu.seg.payload_len, "%zu octets of payload", cursor);
}

static void receive_fpdu(const iwarp_event *ev) {
  static uint8_t ulpdu[65536];
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  expect(!r.terminate_arrived, "an FPDU after the Terminate");
  expect(f->crc == (r.cfg.crc ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED), "CRC");
  message *m = message_of(f->seg.ctrl.opcode);
  const size_t hdr_len = f->seg.ddp.tagged ? 14 : 18;
  const size_t k = f->fpdu.ulpdu_length - hdr_len;
  const size_t left = m->len - m->arrived;
  const size_t most = mulpdu_at(f->offset) - hdr_len;
  expect(k == (left < most ? left : most), "%zu octets of %zu, %zu allowed", k, left, most);
  check_header(m, f, k);
  check_payload(m, ev);
  iwarp_mpa_fpdu_ulpdu_copy(ulpdu, sizeof ulpdu, &f->fpdu, 0);
  check_wire(f, ulpdu);
  m->arrived += k;
  m->over = m->arrived == m->len;
  r.num_over += m->over ? 1 : 0;
  r.under_way = m->over ? NULL : m;
}

static void receive(const uint8_t *octets, size_t len) {
  iwarp_meta meta = {0};
  iwarp_event ev;
  expect(iwarp_rx_push(rx, (iwarp_span){octets, len}, &meta) == IWARP_OK, "push");
  while (iwarp_rx_next_event(rx, &ev) == IWARP_OK) {
    expect(ev.kind == IWARP_EVENT_FPDU && ev.u.fpdu.complete, "event %d", (int)ev.kind);
    receive_fpdu(&ev);
  }
}

/* ---- the transport ---- */

static bool all_arrived(void) {
  if (r.terminate_queued) {
    return r.terminate_arrived;
  }
  return r.next_arrival[0] == r.num_lines[0] && r.next_arrival[1] == r.num_lines[1] &&
         r.under_way == NULL;
}

static void check_segment(const iwarp_tx_out *out, bool last) {
  expect(out->num_fpdus > 0, "a segment without an FPDU");
  expect(r.cfg.pack || out->num_fpdus == 1, "%u FPDUs", out->num_fpdus);
  expect(out->segment_end || (r.cfg.pack && last), "a segment goes on");
  expect(out->len <= r.emss || (out->num_fpdus == 1 && r.emss < 140),
         "%zu octets in a segment of %u", out->len, r.emss);
}

/* FPDUs up to this stream offset were made with the MULPDU of now. */
static void made_up_to(uint64_t end) {
  r.ends[r.num_batches] = end;
  r.mulpdus[r.num_batches++] = iwarp_tx_mulpdu(tx);
  expect(iwarp_tx_mulpdu(tx) == iwarp_mpa_mulpdu(r.emss, r.cfg.markers), "MULPDU");
}

/* Looks at a new batch as a whole, named or copied; false if no batch is ready. */
static bool new_batch(void) {
  iwarp_tx_batch b = {.spans = spans,
                      .max_spans = SPANS_MAX,
                      .copy = below(2) == 0 ? batch : NULL,
                      .max_copy = sizeof batch,
                      .segments = segments,
                      .max_segments = 1 + below(SEGMENTS_MAX)};
  iwarp_err err = iwarp_tx_next_batch(tx, &b);
  if (err != IWARP_OK) {
    expect(err == IWARP_ERR_END && all_arrived(), "%s", iwarp_errname(err));
    return false;
  }
  r.batch_len = b.copy != NULL ? b.all.len : 0;
  r.taken = 0;
  r.num_segments = b.num_segments;
  for (size_t i = 0; i < b.all.num_spans; i++) {
    memcpy(batch + r.batch_len, spans[i].ptr, spans[i].len);
    r.batch_len += spans[i].len;
  }
  expect(r.batch_len == b.all.len, "batch");
  for (size_t i = 0, end = 0; i < b.num_segments; i++) {
    check_segment(&segments[i], i + 1 == b.num_segments);
    end += segments[i].len;
    r.segment_ends[i] = end;
  }
  made_up_to(iwarp_tx_offset(tx) + b.all.len);
  return true;
}

/* Segments of the batch that were not taken whole. */
static size_t segments_left(void) {
  size_t left = 0;
  for (size_t i = 0; i < r.num_segments; i++) {
    left += r.segment_ends[i] > r.taken ? 1 : 0;
  }
  return left;
}

/* The last segment of the batch has grown: there was room for no more of it before. */
static void grow(const iwarp_tx_batch *b) {
  expect(r.cfg.pack && r.cfg.num_fpdus > 0, "more than before");
  r.batch_len = r.taken;
  for (size_t i = 0; i < b->all.num_spans; i++) {
    memcpy(batch + r.batch_len, spans[i].ptr, spans[i].len);
    r.batch_len += spans[i].len;
  }
  r.segment_ends[r.num_segments - 1] = r.batch_len;
  made_up_to(iwarp_tx_offset(tx) + b->all.len);
}

/* Describes the rest of the batch again, or the beginning of it, in few spans or many. */
static iwarp_tx_out describe(size_t cap) {
  iwarp_tx_batch b = {.spans = spans,
                      .max_spans = cap,
                      .segments = below(2) == 0 ? segments : NULL,
                      .max_segments = segments_left()};
  if (below(4) == 0) {
    iwarp_tx_out out;
    expect(iwarp_tx_next_output(tx, spans, cap, &out) == IWARP_OK, "next");
    expect(out.num_spans <= cap, "more spans than there is room for");
    if (out.len > r.batch_len - r.taken) {
      b.all = out;
      grow(&b);
    }
    return out;
  }
  expect(iwarp_tx_next_batch(tx, &b) == IWARP_OK, "next");
  expect(cap < SPANS_MAX || b.all.len >= r.batch_len - r.taken, "less than before");
  expect(b.all.num_spans <= cap, "more spans than there is room for");
  if (b.all.len > r.batch_len - r.taken) {
    grow(&b);
  }
  return b.all;
}

/* Takes some of the batch. */
static void take_some(void) {
  const size_t cap = below(3) == 0 ? SPANS_MAX : 1 + below(40);
  const iwarp_tx_out out = describe(cap);
  expect(out.len <= r.batch_len - r.taken, "more than before");
  size_t n = below(4) == 0 ? 1 + below(out.len) : out.len;
  size_t off = r.taken;
  for (size_t i = 0; i < out.num_spans; i++) {
    expect(spans[i].len > 0 && memcmp(batch + off, spans[i].ptr, spans[i].len) == 0,
           "not as before");
    off += spans[i].len;
  }
  expect(off == r.taken + out.len, "length");
  receive(batch + r.taken, n);
  expect(iwarp_tx_advance(tx, n) == IWARP_OK, "advance");
  r.taken += n;
}

static void report(void) {
  iwarp_tx_result result;
  while (iwarp_tx_next_result(tx, &result) == IWARP_OK) {
    message *m = &r.messages[result.token];
    expect(!m->reported, "reported twice");
    expect((result.err == IWARP_OK) == m->over, "%u: %s", (unsigned)result.token,
           iwarp_errname(result.err));
    expect(m->over || result.err == IWARP_ERR_FLUSHED, "%s", iwarp_errname(result.err));
    expect(m->over || r.terminate_queued, "failed");
    m->reported = true;
    memset(m->parts, 0xA5, sizeof m->parts); /* they are the sender's again */
    if (result.token != TERMINATE) {
      int line = is_response(m) ? 1 : 0;
      expect(r.lines[line][r.next_report[line]++] == result.token, "reported out of order");
      r.num_reported++;
    }
  }
  uint32_t over = r.num_over;
  for (uint32_t i = 0; i <= MESSAGES; i++) {
    over -= r.messages[i].over && r.messages[i].reported ? 1 : 0;
  }
  expect(over == 0, "%u messages are over and not reported", over);
}

/* ---- runs ---- */

static void begin(uint64_t seed, bool markers, bool crc, bool pack) {
  memset(&r, 0, sizeof r);
  r.p.state = seed;
  r.emss = 128 + below(below(2) == 0 ? 3000 : 65408);
  r.cfg = (iwarp_tx_cfg){.size = sizeof(iwarp_tx_cfg),
                         .markers = markers,
                         .crc = crc,
                         .pack = pack,
                         .rdmac = below(4) == 0,
                         .emss = r.emss,
                         .num_messages = SLOTS,
                         .num_fpdus = below(2) == 0 ? 0 : 1 + below(12)};
  for (size_t qn = 0; qn < 4; qn++) {
    r.cfg.first_msn[qn] = below(2) == 0 ? 0 : UINT32_MAX - below(4);
    r.msn[qn] = r.cfg.first_msn[qn] == 0 ? 1 : r.cfg.first_msn[qn];
  }
  expect(iwarp_tx_init(&tx, tx_mem, sizeof tx_mem, &r.cfg) == IWARP_OK, "init");
  iwarp_rx_cfg rx_cfg = {.size = sizeof rx_cfg,
                         .at_start = true,
                         .markers = markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF,
                         .crc = crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF,
                         .max_ulpdu = UINT16_MAX};
  expect(iwarp_rx_init(&rx, rx_mem, sizeof rx_mem, &rx_cfg) == IWARP_OK, "init");
}

static void change_emss(void) {
  r.emss = 128 + below(below(2) == 0 ? 3000 : 65408);
  iwarp_tx_set_emss(tx, r.emss);
}

static void one_run(uint64_t seed, bool markers, bool crc, bool pack) {
  begin(seed, markers, crc, pack);
  uint32_t wanted = 1 + below(MESSAGES);
  bool terminated = below(3) == 0;
  bool idle = false;
  while (!idle || r.num_queued < wanted) {
    if (r.num_queued < wanted && below(4) == 0) {
      queue_one();
    }
    if (below(20) == 0) {
      change_emss();
    }
    if (terminated && !r.terminate_queued && below(60) == 0) {
      queue_terminate();
      wanted = r.num_queued;
    }
    idle = r.taken == r.batch_len && !new_batch();
    if (!idle) {
      take_some();
    }
    if (below(3) == 0) {
      report();
    }
  }
  report();
  expect(r.num_reported == r.num_queued, "%u of %u reported", r.num_reported, r.num_queued);
  expect(iwarp_tx_offset(tx) == (r.num_batches > 0 ? r.ends[r.num_batches - 1] : 0), "offset");
  if (r.terminate_queued) {
    queue_one();
  }
  for (uint32_t i = 0; i <= MESSAGES; i++) {
    free(r.messages[i].flat);
  }
}

START_TEST(what_is_sent_is_what_is_received)
{
  prng p = {.state = 21};
  prng_fill(&p, noise, sizeof noise);
  property rounds = property_begin("what_is_sent_is_what_is_received", 0, 25);
  while (property_next(&rounds)) {
    for (unsigned k = 0; k < 8; k++) {
      one_run(rounds.seed * 8 + k, (k & 1) != 0, (k & 2) != 0, (k & 4) != 0);
    }
  }
}
END_TEST

/* ---- the longest message ---- */

#define CHUNK 1048576u

/* Checks that the spans of one FPDU name the payload from message offset `off` on, and returns how
 * much of it. */
static size_t payload_in(const iwarp_tx_out *out, uint64_t off, const uint8_t *chunk) {
  size_t n = 0;
  for (size_t i = 0; i < out->num_spans; i++) {
    uintptr_t at = (uintptr_t)spans[i].ptr - (uintptr_t)chunk;
    if (at < CHUNK) { /* not one of the engine's own */
      expect(at == (off + n) % CHUNK && spans[i].len <= CHUNK - at, "payload at %zu", n);
      n += spans[i].len;
    }
  }
  return n;
}

/* The header of the FPDU in the spans, where no Marker stands in it or next to it. */
static void check_front(bool tagged, uint64_t to, uint64_t off) {
  const size_t len = tagged ? 14 : 18;
  iwarp_ddp_hdr h;
  if (spans[0].len == 2 + len) {
    iwarp_dec dec = iwarp_ddp_hdr_decode(&h, (iwarp_span){spans[0].ptr + 2, len});
    expect(dec.err == IWARP_OK && h.tagged == tagged, "header");
    expect(tagged ? h.to == to + off : h.mo == off, "TO or MO at %llu", (unsigned long long)off);
  }
}

/* 2^32-1 octets: the same MiB again and again. */
static void longest(bool tagged, bool markers) {
  static uint8_t chunk[CHUNK];
  static iwarp_span parts[4096];
  const uint64_t to = UINT64_MAX - 12345;
  iwarp_tx_cfg cfg = {.size = sizeof cfg, .markers = markers, .emss = 65495, .num_messages = 1};
  iwarp_tx_result result;
  iwarp_tx_out out;
  for (size_t i = 0; i < 4096; i++) {
    parts[i] = (iwarp_span){chunk, i < 4095 ? CHUNK : CHUNK - 1};
  }
  expect(iwarp_tx_init(&tx, tx_mem, sizeof tx_mem, &cfg) == IWARP_OK, "init");
  iwarp_tx_payload payload = {parts, 4096};
  expect((tagged ? iwarp_tx_write(tx, 1, 5, to, payload)
                 : iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 0, payload)) == IWARP_OK,
         "message");
  uint64_t off = 0;
  uint64_t octets = 0;
  while (iwarp_tx_next_output(tx, spans, IWARP_TX_SPANS_MIN + 2, &out) == IWARP_OK) {
    check_front(tagged, to, off);
    expect(out.num_fpdus == 1 && out.segment_end, "an FPDU");
    off += payload_in(&out, off, chunk);
    octets += out.len;
    expect(iwarp_tx_advance(tx, out.len) == IWARP_OK && iwarp_tx_offset(tx) == octets, "offset");
  }
  expect(off == UINT32_MAX, "%llu octets", (unsigned long long)off);
  expect(iwarp_tx_next_result(tx, &result) == IWARP_OK && result.err == IWARP_OK, "done");
}

START_TEST(the_longest_message)
{
  longest(false, false);
  longest(true, true);
  iwarp_span parts[] = {{noise, UINT32_MAX}, {noise, 1}};
  expect(iwarp_tx_write(tx, 1, 5, 0, (iwarp_tx_payload){parts, 2}) == IWARP_ERR_ARG, "2^32");
}
END_TEST

int main(void) {
  const property_test tests[] = {
      {what_is_sent_is_what_is_received, 1}, {the_longest_message, 1}, {NULL, 0}};
  return property_main("tx", tests);
}
