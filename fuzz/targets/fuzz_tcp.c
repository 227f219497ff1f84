/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TCP reassembly: packets in any order and number, of octets that follow from their sequence
 * numbers. What is delivered is right and without a break, and nothing that came in its turn is
 * missing; the work is in proportion to the input; all memory comes back, also when some of it was
 * refused.
 */
#include "refuse.h"
#include "tcp_fixture.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

enum { STEPS_AN_OCTET = 50, RECORD = 16, CONNS = 512, PACKETS = 600, LEN_MAX = 600 };

typedef struct conn {
  uint64_t next[2];
  bool ended[2];
  bool closed;
} conn;

static conn conns[CONNS];
static size_t num_conns;
static iwarp_span tape;
static uint64_t input; /* octets, as a capture file holds them */
static bool broken;    /* a checksum was wrong: octets may be others */
static bool plain;     /* one connection, without refusals, broken checksums and ends */
static long whole[2];  /* octets of a side that came without a hole before, at least */

static refusal refused;
static void *(*granted)(void *ctx, size_t size);

static uint8_t take(void) {
  return fuzz_take(&tape);
}

/* Memory for ingest, now and then none. */
static void *get(void *ctx, size_t size) {
  return refusal_now(&refused) ? NULL : granted(ctx, size);
}

/* A fixture whose ingest is refused memory; false where it has none at all. */
static bool begin(tcp_fixture *w) {
  ingest_free(w->ing);
  granted = w->cfg.alloc.get;
  w->cfg.alloc.get = get;
  w->ing = ingest_new(&w->cfg);
  return w->ing != NULL;
}

static uint8_t octet_at(uint32_t seq) {
  return (uint8_t)(seq * 167u + (seq >> 8));
}

static void check_data(const ingest_event *ev) {
  for (uint64_t i = 0; i < ev->len && !broken; i++) {
    fuzz_expect(ev->data[i] == octet_at((uint32_t)(ev->pos + i)), "octet at position %llu",
                (unsigned long long)(ev->pos + i));
  }
}

static void check_event(const ingest_event *ev) {
  if (ev->kind == INGEST_EVENT_OPEN) {
    fuzz_expect(*ev->user == NULL && num_conns < CONNS, "a connection");
    conns[num_conns] = (conn){.next = {INGEST_POS_UNKNOWN, INGEST_POS_UNKNOWN}};
    *ev->user = &conns[num_conns++];
    return;
  }
  conn *c = *ev->user;
  fuzz_expect(c != NULL && !c->closed, "an event of no connection");
  if (ev->kind == INGEST_EVENT_CLOSE) {
    fuzz_expect(c->ended[0] && c->ended[1], "closed before both ends");
    c->closed = true;
    return;
  }
  if (ev->kind == INGEST_EVENT_DIFFER) { /* the octets came out or will, also after the end */
    fuzz_expect(ev->first.packet < ev->packet, "packet %llu differs from %llu",
                (unsigned long long)ev->packet, (unsigned long long)ev->first.packet);
    return;
  }
  fuzz_expect(!c->ended[ev->side], "octets after the end");
  if (ev->kind == INGEST_EVENT_END) {
    c->ended[ev->side] = true;
    return;
  }
  fuzz_expect(ev->len > 0 &&
                  (c->next[ev->side] == INGEST_POS_UNKNOWN || c->next[ev->side] == ev->pos),
              "a break at position %llu", (unsigned long long)ev->pos);
  c->next[ev->side] = ev->pos + ev->len;
  if (ev->kind == INGEST_EVENT_DATA) {
    check_data(ev);
  }
}

/* Octets that arrived in order were delivered: positions continue where sequence numbers wrap. */
static void check_whole(const tcp_fixture *w) {
  for (unsigned side = 0; plain && num_conns == 1 && side < 2; side++) {
    const uint64_t next = conns[0].next[side];
    const uint32_t first = w->isn[side] + 1u;
    fuzz_expect(whole[side] == 0 ||
                    (next != INGEST_POS_UNKNOWN && (uint32_t)next - first >= (uint32_t)whole[side]),
                "side %u: %ld octets came, up to position %llu", side, whole[side],
                (unsigned long long)next);
  }
}

static void drain(tcp_fixture *w) {
  ingest_event ev;
  while (ingest_next(w->ing, &ev)) {
    check_event(&ev);
  }
}

static void push(tcp_fixture *w, size_t cut) {
  const ingest_packet p = {.data = w->packet,
                           .caplen = w->packet_len - cut,
                           .len = w->packet_len,
                           .link_type = 1,
                           .number = ++w->number};
  input += p.caplen + RECORD;
  ingest_push(w->ing, &p);
  drain(w);
}

static void build(tcp_fixture *w, unsigned side, const char *flags, long seq, long ack,
                  const uint8_t *payload, size_t n) {
  w->mute = true; /* the fixture would read the events */
  tcp_fixture_segment(w, side, flags, seq, ack, payload, n);
}

static void shake(tcp_fixture *w) {
  build(w, CLIENT, "S", -1, 0, NULL, 0);
  push(w, 0);
  build(w, SERVER, "SA", -1, 0, NULL, 0);
  push(w, 0);
  build(w, CLIENT, "A", 0, 0, NULL, 0);
  push(w, 0);
}

/* One segment as the tape says: mostly the expected octets, some repeated, ahead, cut or
 * broken. */
static void packet(tcp_fixture *w, long due[2]) {
  static const char *const flags[] = {"A", "A", "A", "A", "S", "SA", "FA", "R"};
  uint8_t payload[LEN_MAX];
  const uint8_t how = take();
  const unsigned side = how & 1u;
  const char *flag = flags[plain ? 0 : how >> 1 & 7u];
  const size_t n = (size_t)take() * 2u % LEN_MAX;
  const long seq = due[side] + ((how & 0x30u) == 0x30u ? (long)(int8_t)take() * 16 : 0);
  const uint32_t first = w->isn[side] + 1u + (uint32_t)seq + (flag[0] == 'S' ? 1u : 0);
  for (size_t i = 0; i < n; i++) {
    payload[i] = octet_at(first + (uint32_t)i);
  }
  const uint8_t odd = (how & 0xC0u) == 0xC0u && !plain ? take() : 0;
  w->sum = (odd & 7u) == 1 ? SUM_BAD : (odd & 7u) == 2 ? SUM_PARTIAL : SUM_GOOD;
  w->end[CLIENT].port = (uint16_t)(40000u + (odd >> 4));
  build(w, side, flag, seq, due[1 - side], payload, n);
  const size_t cut = (odd & 8u) != 0 ? n / 2 : 0;
  if ((odd & 7u) == 3) {
    w->packet[14 + odd % 40u] ^= take();
    broken = true;
  }
  broken = broken || (odd & 7u) == 1;
  push(w, cut);
  if (seq + (long)n > due[side] && (how & 0x30u) != 0x20u) {
    due[side] = seq + (long)n;
  }
  if (seq <= whole[side] && seq + (long)n > whole[side]) {
    whole[side] = seq + (long)n;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const uint8_t how = fuzz_u8(&f);
  long due[2] = {0, 0};
  tcp_fixture *w = tcp_fixture_new();
  tape = (iwarp_span){f.body, f.len};
  num_conns = 0;
  input = 0;
  broken = false;
  whole[0] = whole[1] = 0;
  w->isn[0] = (uint32_t)fuzz_u16(&f) - 0x8000u;
  refused = refusal_of(&f);
  plain = (how & 12u) == 8 && refused.first == 0;
  if (!begin(w)) {
    free(w);
    return 0;
  }
  if ((how & 4u) == 0) {
    shake(w);
  }
  for (size_t i = 0; i < PACKETS && tape.len > 0; i++) {
    packet(w, due);
  }
  ingest_finish(w->ing);
  drain(w);
  for (size_t i = 0; i < num_conns; i++) {
    fuzz_expect(conns[i].closed, "a connection without its end");
  }
  check_whole(w);
  const uint64_t steps = ingest_stats_get(w->ing)->steps;
  fuzz_expect(steps <= STEPS_AN_OCTET * input, "%llu steps for %llu octets",
              (unsigned long long)steps, (unsigned long long)input);
  fuzz_expect(tcp_fixture_free(w) == 0, "memory is lost");
  return 0;
}
