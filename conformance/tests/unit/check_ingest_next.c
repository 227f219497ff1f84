/* SPDX-License-Identifier: BSD-2-Clause */
/* The next segment of a connection, which is known by few looks: the same packets over another link
 * layer, where all headers are looked at, give the same events. */
#include "check_run.h"
#include "prng.h"
#include "property.h"
#include "tcp_fixture.h"

enum { NEXT_LINK = 14, NEXT_ETHERNET = 1, NEXT_RAW = 101, NEXT_TCP = 34, NEXT_SUM = 50 };

/* Two engines beside each other: packets over Ethernet, and the same without its header. */
typedef struct both {
  prng rng;
  tcp_fixture *w; /* makes the packets */
  ingest *quick;
  ingest *plain;
  uint64_t seq[2]; /* of the next octets of each side, from the first after its SYN */
  uint64_t events;
  uint64_t segments; /* taken without events */
} both;

static uint64_t pick(both *b, uint64_t limit) {
  return prng_below(&b->rng, limit);
}

static void same_ends(const ingest_ends *x, const ingest_ends *y) {
  for (unsigned i = 0; i < 2; i++) {
    expect(x->fin[i].packet == y->fin[i].packet && x->heard[i] == y->heard[i], "ends of a side");
    expect(x->again[i].segments == y->again[i].segments, "sent again");
    expect(x->late[i].segments == y->late[i].segments, "late");
  }
  expect(x->rst.packet == y->rst.packet && x->rst_side == y->rst_side && x->reused == y->reused,
         "ends");
}

static void same_event(const ingest_event *x, const ingest_event *y) {
  expect(x->kind == y->kind && x->side == y->side && x->end == y->end && x->limit == y->limit,
         "kind %u and %u", (unsigned)x->kind, (unsigned)y->kind);
  expect(x->pos == y->pos && x->len == y->len && x->start == y->start, "position");
  expect(x->start_known == y->start_known && x->segment_start == y->segment_start, "start");
  expect(x->damaged == y->damaged && x->snapped == y->snapped, "what it is worth");
  expect(x->packet == y->packet && x->time_ns == y->time_ns && x->peer_pos == y->peer_pos,
         "packet");
  expect(memcmp(x->addr, y->addr, 2 * sizeof *x->addr) == 0, "addresses");
  expect(x->len == 0 || x->kind != INGEST_EVENT_DATA || memcmp(x->data, y->data, x->len) == 0,
         "octets");
  same_ends(x->ends, y->ends);
}

/* The segment that is shown is the event of the other engine; it is taken without its own. */
static void same_segment(both *b) {
  const ingest_segment *x = ingest_next_segment(b->quick);
  ingest_event y = {.len = 0};
  expect(ingest_next(b->plain, &y) && y.kind == INGEST_EVENT_DATA && x->side == y.side, "side");
  expect(x->pos == y.pos && x->len == y.len && memcmp(x->data, y.data, x->len) == 0, "octets");
  expect(x->packet == y.packet && x->time_ns == y.time_ns && x->peer_pos == y.peer_pos, "packet");
  expect(y.segment_start && !y.damaged, "what it is worth");
  ingest_take_segment(b->quick);
  b->segments++;
}

static void same_events(both *b) {
  ingest_event x = {.len = 0};
  ingest_event y = {.len = 0};
  bool more = true;
  while (more) {
    more = ingest_next(b->quick, &x);
    expect(more == ingest_next(b->plain, &y), "an event more");
    if (more) {
      same_event(&x, &y);
      b->events++;
    }
  }
}

static void push_both(both *b, size_t caplen, size_t len) {
  ingest_packet pkt = {.data = b->w->packet,
                       .caplen = caplen,
                       .len = len,
                       .link_type = NEXT_ETHERNET,
                       .number = ++b->w->number,
                       .time_ns = 1000 * b->w->number};
  const ingest_due due = ingest_push(b->quick, &pkt);
  pkt.data += NEXT_LINK;
  pkt.caplen -= NEXT_LINK;
  pkt.len -= NEXT_LINK;
  pkt.link_type = NEXT_RAW;
  ingest_push(b->plain, &pkt);
  if (due == INGEST_DUE_EVENT && pkt.number % 3 != 0) {
    same_segment(b);
  }
  same_events(b);
}

static void same_stats(const both *b) {
  const ingest_stats *x = ingest_stats_get(b->quick);
  const ingest_stats *y = ingest_stats_get(b->plain);
  expect(x->packets == y->packets && x->tcp_packets == y->tcp_packets && x->ignored == y->ignored,
         "packets");
  expect(x->bad_checksum == y->bad_checksum && x->connections == y->connections &&
             x->given_up == y->given_up,
         "connections");
  expect(x->steps <= 50 * (x->octets + 16 * x->packets), "steps");
}

/* Makes a bit another one; of TCP's header `repair` makes the checksum right again: RFC 1624. */
static void flip_bit(tcp_fixture *w, size_t at, unsigned bit, bool repair) {
  const size_t even = at & ~(size_t)1;
  const uint32_t old = (uint32_t)w->packet[even] << 8 | w->packet[even + 1];
  w->packet[at] ^= (uint8_t)(1u << bit);
  const uint32_t new = (uint32_t)w->packet[even] << 8 | w->packet[even + 1];
  if (repair && at >= NEXT_TCP && even != NEXT_SUM) {
    const uint32_t field = (uint32_t)w->packet[NEXT_SUM] << 8 | w->packet[NEXT_SUM + 1];
    uint32_t sum = (~field & 0xffff) + (~old & 0xffff) + new;
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    tcp_fixture_put16(w->packet + NEXT_SUM, ~sum & 0xffff);
  }
}

/* Mostly the next segment, or an acknowledgment alone; else one that lies elsewhere, or is broken.
 */
static void push_some(both *b) {
  static const char *const flags[] = {"A", "A", "A", "A", "A", "A", "SA", "FA", "RA", ""};
  static uint8_t payload[300];
  tcp_fixture *w = b->w;
  const unsigned side = (unsigned)pick(b, 2);
  const bool odd = pick(b, 12) == 0;
  const size_t len = pick(b, 3) == 0 ? 0 : (size_t)pick(b, sizeof payload);
  const long seq = (long)b->seq[side] + (odd ? (long)pick(b, 400) - 200 : 0);
  const long ack = (long)b->seq[side ^ 1u] + (pick(b, 12) == 0 ? (long)pick(b, 400) - 200 : 0);
  prng_fill(&b->rng, payload, sizeof payload);
  w->end[CLIENT].port = (uint16_t)(40000 + (pick(b, 20) == 0));
  w->sum = pick(b, 25) == 0 ? (tcp_fixture_sum)pick(b, 5) : SUM_GOOD;
  w->mute = true;
  tcp_fixture_segment(w, side, flags[pick(b, 40) == 0 ? pick(b, 10) : 0], seq, ack, payload, len);
  if (!odd) {
    b->seq[side] += len;
  }
  if (pick(b, 50) == 0) {
    return; /* the capture does not hold it */
  }
  const size_t padded = w->packet_len + (pick(b, 10) == 0 ? (size_t)pick(b, 9) : 0);
  if (pick(b, 15) == 0) {
    const size_t at = NEXT_LINK + 1 + (size_t)pick(b, w->packet_len - NEXT_LINK - 2);
    flip_bit(w, at, (unsigned)pick(b, 8), w->end[0].family == 4 && pick(b, 2) == 0);
  }
  const size_t cut = pick(b, 40) == 0 ? (size_t)pick(b, w->packet_len - NEXT_LINK) : 0;
  push_both(b, padded - cut, padded);
}

/* Sends four octets, or a SYN; `flip`: this bit of the packet is another one. */
static void send_both(both *b, unsigned side, const char *flags, long seq, long ack, size_t flip) {
  tcp_fixture *w = b->w;
  w->mute = true;
  tcp_fixture_send(w, side, flags, seq, ack, seq < 0 ? "" : "abcd");
  if (flip != 0) {
    flip_bit(w, flip / 16, flip / 2 % 8, flip % 2 == 1);
  }
  push_both(b, w->packet_len, w->packet_len);
}

static both begin(uint64_t seed) {
  both b = {.rng = {seed}, .w = tcp_fixture_new()};
  b.quick = ingest_new(&b.w->cfg);
  b.plain = ingest_new(&b.w->cfg);
  b.w->end[0].family = b.w->end[1].family = seed % 8 == 0 ? 6 : 4;
  if (seed % 4 != 3) {
    send_both(&b, CLIENT, "S", -1, 0, 0);
    send_both(&b, SERVER, "SA", -1, 0, 0);
  }
  return b;
}

static void end(both *b) {
  ingest_finish(b->quick);
  ingest_finish(b->plain);
  same_events(b);
  same_stats(b);
  ingest_free(b->quick);
  ingest_free(b->plain);
  ck_assert_uint_eq(tcp_fixture_free(b->w), 0);
}

START_TEST(few_looks_and_all_looks_see_the_same)
{
  property rounds = property_begin("few_looks_and_all_looks_see_the_same", 1, 200);
  while (property_next(&rounds)) {
    both b = begin(rounds.seed);
    for (unsigned i = 0; i < 400; i++) {
      push_some(&b);
    }
    end(&b);
  }
}
END_TEST

/* Segments in order, one with a bit of its headers other than it was. */
START_TEST(each_bit_of_the_headers_counts)
{
  for (size_t at = NEXT_LINK + 1; at < NEXT_LINK + 44; at++) {
    for (unsigned bit = 0; bit < 16; bit++) { /* with a checksum as it was, and a right one */
      both b = begin(1);
      for (long i = 0; i < 8; i++) {
        send_both(&b, (unsigned)(i % 2), "A", 4 * (i / 2), 4 * ((i + 1) / 2),
                  i == 5 ? at * 16 + bit : 0);
      }
      end(&b);
    }
  }
}
END_TEST

/* What ended is closed after so many packets, whatever connection they are of. */
START_TEST(others_are_closed_meanwhile)
{
  both b = begin(1);
  send_both(&b, CLIENT, "A", 0, 0, 0);
  send_both(&b, SERVER, "A", 0, 4, 0);
  send_both(&b, CLIENT, "FA", 8, 4, 0); /* of the octets before these nothing is captured */
  send_both(&b, SERVER, "FA", 4, 13, 0);
  send_both(&b, CLIENT, "A", 13, 9, 0);
  b.w->end[CLIENT].port++;
  send_both(&b, CLIENT, "S", -1, 0, 0);
  send_both(&b, SERVER, "SA", -1, 0, 0);
  for (long i = 0; i < 5000; i++) {
    send_both(&b, CLIENT, "A", 4 * i, 0, 0);
  }
  ck_assert_uint_gt(b.segments, 3000);
  end(&b);
}
END_TEST

/* More connections in turn than have a place of their own, and again between the same ends. */
START_TEST(many_connections_take_turns)
{
  both b = begin(1);
  for (long turn = 0; turn < 3; turn++) {
    for (long i = 0; i < 12; i++) {
      for (unsigned conn = 0; conn < 300; conn++) {
        b.w->end[CLIENT].port = (uint16_t)(50000 + conn);
        const long at = 100000 * turn + 4 * (i / 2 - 1);
        if (i < 2) {
          send_both(&b, (unsigned)i, i == 0 ? "S" : "SA", 100000 * turn - 1, 100000 * turn, 0);
        } else {
          send_both(&b, (unsigned)(i % 2), "A", at, at + (i % 2 == 0 ? 0 : 4), 0);
        }
      }
    }
  }
  end(&b);
}
END_TEST

int main(void) {
  const property_test tests[] = {{few_looks_and_all_looks_see_the_same, 1},
                                 {each_bit_of_the_headers_counts, 1},
                                 {others_are_closed_meanwhile, 1},
                                 {many_connections_take_turns, 1},
                                 {NULL, 0}};
  return property_main("ingest-next", tests);
}
