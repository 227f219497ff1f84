/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures that cost their reader as much as they can. */
#include "attack.h"

#include <iwarp/crc32c.h>
#include <string.h>

#define RAW_IP 101
#define ARENA (1u << 20)
#define PACKET_MAX 1600u
#define FILE_HEADER 24u
#define RECORD_HEADER 16u

static follow_packets *packets;
static uint8_t arena[ARENA];
static size_t used;

/* The terms of one attack. */
typedef struct way {
  uint32_t conn; /* number of the connection: the client's address and port */
  uint32_t num;  /* number of packets, about */
  uint8_t a;
  uint8_t b;
} way;

/* ---- packets ---- */

typedef struct builder {
  uint8_t *at; /* NULL: there is no room */
  size_t len;
} builder;

static void number(builder *p, uint64_t v, size_t octets) {
  while (octets-- > 0 && p->at != NULL && p->len < PACKET_MAX) {
    p->at[p->len++] = (uint8_t)(v >> 8 * octets);
  }
}

static void fill(builder *p, const uint8_t *pattern, size_t every, size_t n) {
  for (size_t i = 0; i < n; i++) {
    number(p, pattern[i % every], 1);
  }
}

static builder begin_ip(const way *w, bool up, uint8_t protocol, uint32_t id_and_place) {
  const bool room = packets->num < FOLLOW_PACKETS && used + PACKET_MAX <= ARENA;
  builder p = {.at = room ? &arena[used] : NULL};
  const uint32_t client = 0x0B000000u + w->conn;
  number(&p, 0x45000000, 4); /* the length, when it is known */
  number(&p, id_and_place, 4);
  number(&p, 0x4000u | protocol, 2);
  number(&p, 0, 2);
  number(&p, up ? client : 0x0A000002u, 4);
  number(&p, up ? 0x0A000002u : client, 4);
  return p;
}

/* Ends a packet; the capture holds `captured` octets at most. */
static void end_ip(const builder *p, size_t captured) {
  if (p->at == NULL) {
    return;
  }
  p->at[2] = (uint8_t)(p->len >> 8);
  p->at[3] = (uint8_t)p->len;
  packets->packet[packets->num] = (ingest_packet){.data = p->at,
                                                  .caplen = captured < p->len ? captured : p->len,
                                                  .len = p->len,
                                                  .link_type = RAW_IP,
                                                  .number = packets->num + 1,
                                                  .time_ns = (packets->num + 1) * 1000};
  packets->num++;
  used += p->len;
}

/* The checksum of TCP is left as offloading leaves it: the pseudo header alone. */
static void sum_tcp(const builder *p) {
  uint32_t sum = 6 + (uint32_t)p->len - 20;
  if (p->at == NULL) {
    return;
  }
  for (size_t i = 12; i < 20; i += 2) {
    sum += (uint32_t)p->at[i] << 8 | p->at[i + 1];
  }
  sum = (sum & 0xFFFF) + (sum >> 16);
  sum = (sum & 0xFFFF) + (sum >> 16);
  p->at[36] = (uint8_t)(sum >> 8);
  p->at[37] = (uint8_t)sum;
}

enum { FIN = 1, SYN = 2, RST = 4, ACK = 16 };

static builder begin_tcp(const way *w, bool up, uint8_t flags, uint32_t seq, uint32_t ack) {
  builder p = begin_ip(w, up, 6, 0x00070000);
  const uint16_t client = (uint16_t)(1024u + w->conn);
  number(&p, up ? client : 7174, 2);
  number(&p, up ? 7174 : client, 2);
  number(&p, seq, 4);
  number(&p, ack, 4);
  number(&p, 0x5000u | flags, 2);
  number(&p, 0xFFFF0000, 4);
  number(&p, 0, 2);
  return p;
}

static void end_tcp(const builder *p, size_t captured) {
  sum_tcp(p);
  end_ip(p, captured);
}

static void tcp(const way *w, bool up, uint8_t flags, uint32_t seq, uint32_t ack,
                const uint8_t *pattern, size_t every, size_t n) {
  builder p = begin_tcp(w, up, flags, seq, ack);
  fill(&p, pattern, every, n);
  end_tcp(&p, SIZE_MAX);
}

/* SYN, SYN+ACK, Request, Reply; the next octets are 1021 and 5021. */
static void start(const way *w, uint8_t flags) {
  uint8_t frame[20] = "MPA ID Req Frame";
  frame[16] = flags;
  frame[17] = 1;
  tcp(w, true, SYN, 1000, 0, frame, 1, 0);
  tcp(w, false, SYN | ACK, 5000, 1001, frame, 1, 0);
  tcp(w, true, ACK, 1001, 5001, frame, 20, 20);
  memcpy(frame, "MPA ID Rep Frame", 16);
  tcp(w, false, ACK, 5001, 1021, frame, 20, 20);
}

/* ---- tables and lists of ingest ---- */

/* Connections of one packet each; their addresses and ports differ in few bits. */
static void floods(const way *w) {
  static const uint8_t flags[] = {SYN, ACK, FIN | ACK, RST | ACK, RST, SYN | FIN};
  static const uint8_t octet[] = {'x'};
  for (uint32_t i = 0; i < w->num; i++) {
    const way other = {.conn = w->conn + (i << (w->b & 15u))};
    tcp(&other, true, flags[w->a % 6u], 1000, 0, octet, 1, w->a >> 7);
  }
}

/* Where the next segment with a hole before it goes. A list that drew its levels from a known
 * xorshift would get its low ones first. */
static uint32_t hole(const way *w, uint32_t i, uint32_t *x) {
  *x ^= *x << 13;
  *x ^= *x >> 17;
  *x ^= *x << 5;
  switch (w->a & 3u) {
  case 0: return 2 + 2 * i;
  case 1: return 100000 - 2 * i;
  case 2: return 1 + *x % 20000u;
  default: return (*x & 3u) != 0 ? 2 + 2 * i : 1000000 + 2 * i;
  }
}

static void holes(const way *w) {
  static const uint8_t octet[] = {0};
  uint32_t x = 2463534242u;
  start(w, 0);
  for (uint32_t i = 0; i < w->num; i++) {
    const bool up = (w->a & 4u) == 0 || i % 2 == 0;
    const uint32_t at = hole(w, i, &x);
    const size_t n = 1 + ((w->a & 8u) != 0 ? w->b * 4u : 0);
    tcp(w, up, ACK, (up ? 1021 : 5021) + at, up ? 5021 : 1021 + (w->a & 16u) * at, octet, 1, n);
  }
}

/* Long segments over many short segments, with few captured octets. */
static void overlaps(const way *w) {
  static const uint8_t octet[] = {0};
  start(w, 0);
  for (uint32_t i = 0; i < w->num; i++) {
    tcp(w, true, ACK, 1031 + 2 * i, 5021, octet, 1, 1);
  }
  for (uint32_t i = 0; i < w->num; i++) {
    builder p = begin_tcp(w, true, ACK, 1030 + i % 50u, 5021);
    fill(&p, octet, 1, 1400);
    end_tcp(&p, 40u + w->a * 4u);
  }
}

/* Fragments: of many packets, tiny ones, overlapping ones, complete again and again. */
static void fragments(const way *w) {
  static const uint8_t octet[] = {0};
  for (uint32_t i = 0; i < w->num; i++) {
    const uint32_t id = (w->a & 1u) != 0 ? i : 1;
    const uint32_t place = (w->a & 2u) != 0 ? 2 * i : (w->a & 4u) != 0 ? i % 2u : 1;
    const bool more = (w->a & 4u) == 0 || place == 0;
    const way other = {.conn = w->conn + ((w->a & 8u) != 0 ? i : 0)};
    builder p = begin_ip(&other, true, 6, id << 16 | (more ? 0x2000u : 0) | (place & 0x1FFFu));
    fill(&p, octet, 1, (w->a & 16u) != 0 ? 1400 : 8);
    end_ip(&p, 20u + w->b * 8u);
  }
}

/* ---- observers and rules ---- */

/* Octets in which a search for FPDUs finds a beginning everywhere, after a hole. */
static void look_alikes(const way *w) {
  const uint8_t pattern[] = {w->a, w->b, (uint8_t)(w->a >> 4), 0x40};
  const size_t every = 1 + (w->a ^ w->b) % sizeof pattern;
  uint32_t seq = 1021 + (w->b & 1u);
  start(w, (w->b & 2u) != 0 ? 0x40 : 0);
  for (uint32_t i = 0; i < w->num / 8 + 1; i++) {
    const size_t n = (w->b & 4u) != 0 ? 1400 : 37;
    tcp(w, true, ACK, seq, 5021, pattern, every, n);
    seq += (uint32_t)n + ((w->b & 8u) != 0 ? 1 : 0);
  }
}

/* Keys of startup frames that are right but for their end, and Requests alone. */
static void keys(const way *w) {
  uint8_t key[20] = "MPA ID Req Frame";
  key[15] = (uint8_t)(key[15] + (w->a & 3u));
  key[17] = w->b & 3u;
  key[18] = w->b;
  const size_t every = (w->a & 4u) != 0 ? 15 : 20;
  for (uint32_t i = 0; i < w->num; i++) {
    const way other = {.conn = w->conn + ((w->a & 8u) != 0 ? i : 0)};
    tcp(&other, true, ACK, 1000 + i * (w->a & 8u ? 0 : 300u), 1, key, every,
        (w->a & 16u) != 0 ? 20 : 300);
  }
}

/* The shortest FPDUs; each breaks as many rules as it can. */
static void wrong_fpdus(const way *w) {
  static const uint8_t wrong[] = {0,    14,   0xBD, 0x7F, 0,    0, 0, 1, 0xFF, 0xFF, 0xFF,
                                  0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1,    0,    18,
                                  0x7D, 0x73, 0,    0,    0,    9, 0, 0, 0,    7,    0,
                                  0,    0,    77,   0,    0,    0, 5, 0, 0,    0,    1};
  const size_t every = (w->a & 1u) != 0 ? 20 : sizeof wrong;
  const size_t n = every * (1 + w->b % 30u);
  start(w, (w->a & 2u) != 0 ? 0xFF : 0);
  for (uint32_t i = 0, seq = 1021; i < w->num / 4 + 1; i++, seq += (uint32_t)n) {
    tcp(w, true, ACK, seq, 5021, wrong, every, n);
  }
}

/* Messages that are begun and not ended: other STags, other MSNs, Reads without a Response. */
static void open_messages(const way *w) {
  start(w, 0);
  uint32_t seq = 1021;
  for (uint32_t i = 0; i < w->num; i++) {
    const uint32_t value = (w->b & 1u) != 0 ? w->num - i : i << (w->b >> 4);
    const bool tagged = (w->a & 1u) != 0;
    const bool read = (w->a & 2u) != 0;
    const uint16_t len = tagged ? 14 : read ? 18 + 28 : 18;
    builder p = begin_tcp(w, true, ACK, seq, 5021);
    number(&p, len, 2);
    number(&p, tagged ? 0x8140 : read ? 0x4141 : 0x0143, 2);
    number(&p, tagged ? value : 0, 4);
    number(&p, tagged ? 0 : read, 4);
    number(&p, tagged ? value : tagged ? 0 : value, 4);
    number(&p, 0, tagged ? 0 : 4);
    for (size_t k = 0; read && !tagged && k < 7; k++) {
      number(&p, value + k, 4);
    }
    number(&p, 0, 2u + len % 4u == 0 ? 0 : (4u - (2u + len) % 4u) % 4u);
    number(&p, 0, 4); /* no CRC is in use */
    seq += p.at != NULL ? (uint32_t)p.len - 40 : 0;
    end_tcp(&p, SIZE_MAX);
  }
}

/* ---- SCTP ---- */

static builder begin_sctp(const way *w, bool up) {
  builder p = begin_ip(w, up, 132, 0x00074000);
  number(&p, up ? 5000 : 5001, 2);
  number(&p, up ? 5001 : 5000, 2);
  number(&p, 0x11223344, 4);
  number(&p, 0, 4);
  return p;
}

static void data(builder *p, uint8_t flags, uint32_t tsn, uint16_t stream, uint32_t ppid,
                 uint64_t octets) {
  number(p, flags, 2);
  number(p, 24, 2);
  number(p, tsn, 4);
  number(p, (uint32_t)stream << 16, 4);
  number(p, ppid, 4);
  number(p, octets, 8);
}

static void end_sctp(const builder *p) {
  if (p->at != NULL) {
    const uint32_t crc = iwarp_crc32c(0, &p->at[20], p->len - 20);
    for (size_t i = 0; i < 4; i++) {
      p->at[28 + i] = (uint8_t)(crc >> 8 * i);
    }
  }
  end_ip(p, SIZE_MAX);
}

/* DATA chunks with gaps, in parts, of many streams or associations; what they hold is wrong. */
static void chunks(const way *w) {
  static const uint8_t flags[] = {7, 6, 5, 4, 3, 0};
  uint32_t x = 2463534242u;
  const size_t bundled = 1 + (w->b & 31u);
  for (uint32_t i = 0; i < w->num; i++) {
    const way other = {.conn = w->conn + ((w->a & 64u) != 0 ? i : 0)};
    builder p = begin_sctp(&other, (w->a & 32u) == 0 || i % 2 == 0);
    for (size_t k = 0; k < bundled; k++) {
      const uint32_t n = i * (uint32_t)bundled + (uint32_t)k;
      const uint32_t at = hole(w, n, &x);
      data(&p, flags[(w->a >> 2) % 6u], 1000 + ((w->b & 32u) != 0 ? n : at),
           (uint16_t)((w->b & 64u) != 0 ? n : 0), 16u + (w->b >> 7), 0x00000007FFFFFFFFu);
    }
    end_sctp(&p);
  }
}

/* ---- all ---- */

void attack_make(follow_packets *out, iwarp_span tape) {
  static void (*const attacks[])(const way *w) = {
      floods, holes, overlaps, fragments, look_alikes, keys, wrong_fpdus, open_messages, chunks};
  packets = out;
  packets->num = 0;
  used = 0;
  for (uint32_t conn = 0; tape.len > 0 && packets->num < FOLLOW_PACKETS; conn += 0x1000) {
    const uint8_t which = fuzz_take(&tape);
    const way w = {
        .conn = conn, .num = 1u + fuzz_take(&tape), .a = fuzz_take(&tape), .b = fuzz_take(&tape)};
    attacks[which % (sizeof attacks / sizeof attacks[0])](&w);
  }
}

static void little(uint8_t *at, uint32_t v) {
  for (size_t i = 0; i < 4; i++) {
    at[i] = (uint8_t)(v >> 8 * i);
  }
}

iwarp_span attack_write(const follow_packets *from) {
  static uint8_t file[FILE_HEADER + ARENA + FOLLOW_PACKETS * RECORD_HEADER];
  static const uint32_t header[] = {0xA1B2C3D4, 4u << 16 | 2u, 0, 0, 262144, RAW_IP};
  size_t len = 0;
  for (size_t i = 0; i < FILE_HEADER / 4; i++, len += 4) {
    little(&file[len], header[i]);
  }
  for (size_t i = 0; i < from->num; i++) {
    const ingest_packet *p = &from->packet[i];
    const uint32_t record[] = {0, (uint32_t)i, (uint32_t)p->caplen, (uint32_t)p->len};
    for (size_t k = 0; k < RECORD_HEADER / 4; k++, len += 4) {
      little(&file[len], record[k]);
    }
    memcpy(&file[len], p->data, p->caplen);
    len += p->caplen;
  }
  return (iwarp_span){file, len};
}
