/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SCTP reassembly: DATA chunks in any order and number, whose octets and fragments follow from
 * their TSNs. What is delivered is right; the work is in proportion to the input; all memory comes
 * back.
 */
#include <ingest/sctp.h>
#include <iwarp/crc32c.h>
#include <stdlib.h>
#include <string.h>

#include "refuse.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

enum { STEPS_AN_OCTET = 50, RECORD = 16, PACKETS = 600, PACKET_MAX = 2048 };
enum { DATA = 0, INIT = 1, INIT_ACK = 2, SACK = 3, ABORT = 6, SHUTDOWN = 7, FORWARD = 192 };

static struct {
  ingest *ing;
  size_t live;
  refusal refused;
  uint8_t packet[PACKET_MAX];
  size_t len;
  uint64_t input;
  uint64_t number;
  bool foreign; /* chunks were changed: octets may be others */
} w;

/* The consumer's view of an association. */
typedef struct assoc {
  bool open;
  uint64_t next[2];
} assoc;

static assoc assocs[PACKETS + 2];
static size_t num_assocs;

static iwarp_span tape;

static void *get(void *ctx, size_t size) {
  (void)ctx;
  if (refusal_now(&w.refused)) {
    return NULL;
  }
  w.live += size;
  return malloc(size);
}

static void put(void *ctx, void *ptr, size_t size) {
  (void)ctx;
  w.live -= ptr != NULL ? size : 0;
  free(ptr);
}

/* ---- what a TSN stands for: a message has one to four chunks ---- */

static bool is_first(uint32_t tsn) {
  return (tsn & 3u) == 0 || (tsn >> 2 & 1u) != 0;
}

static size_t data_len(uint32_t tsn) {
  return 1 + tsn * 7u % 20u;
}

static uint8_t data_at(uint32_t tsn, size_t i) {
  return (uint8_t)(tsn * 31u + i);
}

/* ---- packets ---- */

static void number(uint64_t v, size_t octets) {
  while (octets-- > 0 && w.len < PACKET_MAX) {
    w.packet[w.len++] = (uint8_t)(v >> 8 * octets);
  }
}

static void begin(unsigned side, uint32_t tag) {
  w.len = 0;
  number(0x4500, 2);
  number(0, 2); /* the length, when it is known */
  number(UINT64_C(0x0007400040840000), 8);
  number(side == 0 ? 0x0A000001 : 0x0A000002, 4);
  number(side == 0 ? 0x0A000002 : 0x0A000001, 4);
  number(side == 0 ? 5000 : 5001, 2);
  number(side == 0 ? 5001 : 5000, 2);
  number(tag, 4);
  number(0, 4);
}

static void data_chunk(uint32_t tsn) {
  const size_t n = data_len(tsn);
  const unsigned flags = 4u | (is_first(tsn) ? 2u : 0) | (is_first(tsn + 1) ? 1u : 0);
  number(DATA, 1);
  number(flags, 1);
  number(16 + n, 2);
  number(tsn, 4);
  number(0, 4); /* stream, SSN */
  number(16, 4);
  for (size_t i = 0; i < n; i++) {
    number(data_at(tsn, i), 1);
  }
  while (w.len % 4 != 0) {
    number(0, 1);
  }
}

static void init_chunk(uint8_t type, uint32_t tag, uint32_t tsn) {
  number(type, 1);
  number(0, 1);
  number(28, 2);
  number(tag, 4);
  number(65535, 4);
  number(UINT64_C(0x00080008), 4);
  number(tsn, 4);
  number(UINT64_C(0xC006000800000001), 8);
}

static void word_chunk(uint8_t type, size_t len, uint32_t word) {
  number(type, 1);
  number(0, 1);
  number(len, 2);
  number(word, 4);
  for (size_t i = 8; i < len; i += 4) {
    number(0, 4);
  }
}

static void drain(void);

static void end(uint8_t odd) {
  uint8_t *sum = &w.packet[28];
  w.packet[2] = (uint8_t)(w.len >> 8);
  w.packet[3] = (uint8_t)w.len;
  if ((odd & 3u) == 3) {
    w.packet[32 + odd % (w.len - 32)] ^= fuzz_take(&tape);
    w.foreign = true;
  }
  const uint32_t crc = iwarp_crc32c(0, &w.packet[20], w.len - 20) ^ ((odd & 12u) == 12 ? 1u : 0);
  w.foreign = w.foreign || (odd & 12u) == 12;
  for (size_t i = 0; i < 4; i++) {
    sum[i] = (uint8_t)(crc >> 8 * i);
  }
  const size_t cut = (odd & 48u) == 48 ? (w.len - 32) / 2 : 0;
  const ingest_packet p = {.data = w.packet,
                           .caplen = w.len - cut,
                           .len = w.len,
                           .link_type = 101,
                           .number = ++w.number};
  w.input += p.caplen + RECORD;
  ingest_push(w.ing, &p);
  drain();
}

/* ---- events ---- */

static void check_message(const ingest_sctp_event *ev) {
  const ingest_sctp_message *m = ev->message;
  size_t at = 0;
  if (w.foreign) {
    return;
  }
  fuzz_expect(is_first((uint32_t)ev->pos) && is_first((uint32_t)(ev->pos + ev->len)),
              "a message of parts of two");
  for (uint64_t t = ev->pos; t < ev->pos + ev->len; t++) {
    for (size_t i = 0; i < data_len((uint32_t)t); i++, at++) {
      fuzz_expect(at >= m->cap || m->data[at] == data_at((uint32_t)t, i), "octet %zu of TSN %u", i,
                  (unsigned)(uint32_t)t);
    }
  }
  fuzz_expect(at == m->len, "%zu octets, not %zu", m->len, at);
}

static void check_event(const ingest_sctp_event *ev) {
  assoc *a = *ev->user;
  fuzz_expect(ev->kind == INGEST_SCTP_OPEN || (a != NULL && a->open), "an event of no association");
  switch (ev->kind) {
  case INGEST_SCTP_OPEN:
    fuzz_expect(a == NULL && num_assocs < PACKETS + 2, "an association");
    assocs[num_assocs] = (assoc){.open = true};
    *ev->user = &assocs[num_assocs++];
    return;
  case INGEST_SCTP_INIT: return;
  case INGEST_SCTP_MESSAGE:
  case INGEST_SCTP_LOST:
    fuzz_expect(ev->pos >= a->next[ev->side], "TSN %u comes after a later one",
                (unsigned)(uint32_t)ev->pos);
    a->next[ev->side] = ev->pos + ev->len;
    if (ev->kind == INGEST_SCTP_MESSAGE) {
      check_message(ev);
    }
    return;
  case INGEST_SCTP_DIFFER:
    fuzz_expect(ev->differ->first.packet <= ev->packet, "a second copy before the first one");
    return;
  case INGEST_SCTP_CLOSE: a->open = false;
  }
}

static void drain(void) {
  ingest_event tcp;
  ingest_sctp_event ev;
  while (ingest_next(w.ing, &tcp)) {
  }
  while (ingest_sctp_next(w.ing, &ev)) {
    check_event(&ev);
  }
}

static void packet(uint32_t due[2]) {
  const uint8_t how = fuzz_take(&tape);
  const unsigned side = how & 1u;
  begin(side, 100u + (1u - side));
  const uint32_t from =
      due[side] + ((how & 0xC0u) == 0xC0u ? (uint32_t)fuzz_take(&tape) - 128u : 0);
  const uint32_t n = (how >> 1 & 7u) == 7 ? 3 : 1;
  switch (how >> 1 & 7u) {
  case 5: word_chunk(SACK, 16, due[1 - side] - 1 + (how >> 6)); break;
  case 6:
    switch (how >> 4) {
    case 0: word_chunk(SHUTDOWN, 8, due[1 - side] - 1); break;
    case 1: word_chunk(ABORT, 8, 0); break;
    case 2: init_chunk(INIT, 100u + side, due[side]); break;
    default: word_chunk(FORWARD, 8, due[side]);
    }
    break;
  default:
    for (uint32_t i = 0; i < n; i++) {
      data_chunk(from + i);
    }
    if (from + n - due[side] < 1000u && (how & 0x30u) != 0x30u) {
      due[side] = from + n;
    }
  }
  end((how & 0x38u) == 0x38u ? fuzz_take(&tape) : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  uint32_t due[2] = {(uint32_t)fuzz_u16(&f) * 4u - 0x20000u, 4000};
  const ingest_cfg cfg = {.alloc = {.get = get, .put = put}};
  memset(&w, 0, sizeof w);
  w.refused = refusal_of(&f);
  num_assocs = 0;
  tape = (iwarp_span){f.body, f.len};
  w.ing = ingest_new(&cfg);
  if (w.ing == NULL) {
    return 0;
  }
  if ((how & 1u) == 0) {
    begin(0, 0);
    init_chunk(INIT, 100, due[0]);
    end(0);
    begin(1, 100);
    init_chunk(INIT_ACK, 101, due[1]);
    end(0);
  }
  for (size_t i = 0; i < PACKETS && tape.len > 0; i++) {
    packet(due);
  }
  ingest_finish(w.ing);
  drain();
  for (size_t i = 0; i < num_assocs; i++) {
    fuzz_expect(!assocs[i].open, "an association without its end");
  }
  const uint64_t steps = ingest_stats_get(w.ing)->steps;
  fuzz_expect(steps <= STEPS_AN_OCTET * w.input, "%llu steps for %llu octets",
              (unsigned long long)steps, (unsigned long long)w.input);
  ingest_free(w.ing);
  fuzz_expect(w.live == 0, "%zu octets are lost", w.live);
  return 0;
}
