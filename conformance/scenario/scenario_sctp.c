/* SPDX-License-Identifier: BSD-2-Clause */
/* The packets of an SCTP association: RFC 9260. */
#include "scenario_priv.h"

#include <memory/memory.h>

#define SCTP_DATA 0u
#define SCTP_INIT 1u
#define SCTP_INIT_ACK 2u
#define SCTP_SACK 3u
#define SCTP_ABORT 6u
#define SCTP_SHUTDOWN 7u
#define SCTP_SHUTDOWN_ACK 8u
#define SCTP_COOKIE_ECHO 10u
#define SCTP_COOKIE_ACK 11u
#define SCTP_SHUTDOWN_COMPLETE 14u

#define DATA_E 1u
#define DATA_B 2u
#define DATA_U 4u
#define DATA_I 8u

#define CHUNK_HEAD ((size_t)4)
#define DATA_HEAD ((size_t)16)
#define SACK_LEN ((size_t)16)
#define SCTP_STREAMS 8u /* streams that a side offers */
#define SCTP_WINDOW 65536u

static const uint8_t sctp_cookie[8] = {'c', 'o', 'o', 'k', 'i', 'e', '-', '-'};

void scn_put_16(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)(v >> 8);
  p[1] = (uint8_t)v;
}

void scn_put_32(uint8_t *p, uint32_t v) {
  scn_put_16(p, v >> 16);
  scn_put_16(p + 2, v & 0xFFFFu);
}

uint32_t scn_get_32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static size_t sctp_padded(size_t len) {
  return (len + 3) / 4 * 4;
}

static size_t chunk_head(uint8_t *p, uint32_t type, uint32_t flags, size_t len) {
  p[0] = (uint8_t)type;
  p[1] = (uint8_t)flags;
  scn_put_16(p + 2, (uint32_t)len);
  return CHUNK_HEAD;
}

/* ---- packets ---- */

static bool sctp_packet(scenario *s, uint8_t side, const uint8_t *chunks, size_t len) {
  const scn_packet packet = {
      .side = side, .conn = s->conn->number, .octets = (uint8_t *)(uintptr_t)chunks, .len = len};
  return scn_packet_copy(s, &packet);
}

/* A chunk with a body of up to 8 octets, in a packet of its own. */
static bool sctp_short(scenario *s, uint8_t side, uint32_t type, const uint8_t *body, size_t len) {
  uint8_t chunk[CHUNK_HEAD + 8];
  const size_t head = chunk_head(chunk, type, 0, CHUNK_HEAD + len);
  memcpy(chunk + head, body, len);
  return sctp_packet(s, side, chunk, head + len);
}

/* ---- how it begins ---- */

bool scn_sctp_reset(scenario *s) {
  const iwarp_sctp_adaptation ddp = {.type = IWARP_SCTP_ADAPTATION_TYPE,
                                     .length = IWARP_SCTP_ADAPTATION_LEN,
                                     .indication = IWARP_SCTP_ADAPTATION_DDP};
  scn_stream *streams = memory_zeroed(SCN_STREAMS, sizeof *streams);
  if (streams == NULL) {
    return false;
  }
  s->conn->streams = streams;
  for (size_t i = 0; i < 2; i++) {
    scn_sctp_side *end = &s->conn->end[i];
    size_t len = 0;
    end->first = end->tsn = SCN_TSN + ((uint32_t)s->conn->number << 24);
    end->acked = end->tsn - 1;
    end->outbound = end->inbound = SCTP_STREAMS;
    (void)iwarp_sctp_adaptation_encode(end->adaptation, sizeof end->adaptation, &len, &ddp);
  }
  return true;
}

uint32_t scn_tag(uint8_t number, uint8_t side) {
  return (side == 0 ? SCN_TAG_INITIATOR : SCN_TAG_RESPONDER) + number * 0x01010101u;
}

static bool sctp_init(scenario *s, uint8_t side) {
  uint8_t chunk[CHUNK_HEAD + 16 + IWARP_SCTP_ADAPTATION_LEN + CHUNK_HEAD + sizeof sctp_cookie];
  const scn_sctp_side *end = &s->conn->end[side];
  size_t n = CHUNK_HEAD + 16;
  scn_put_32(chunk + 4, scn_tag(s->conn->number, side));
  scn_put_32(chunk + 8, SCTP_WINDOW);
  scn_put_16(chunk + 12, (uint32_t)end->outbound);
  scn_put_16(chunk + 14, (uint32_t)end->inbound);
  scn_put_32(chunk + 16, end->tsn);
  if (!end->adaptation_none) {
    memcpy(chunk + n, end->adaptation, sizeof end->adaptation);
    n += sizeof end->adaptation;
  }
  if (side == 1) { /* the State Cookie parameter */
    scn_put_16(chunk + n, 7);
    scn_put_16(chunk + n + 2, CHUNK_HEAD + sizeof sctp_cookie);
    memcpy(chunk + n + CHUNK_HEAD, sctp_cookie, sizeof sctp_cookie);
    n += CHUNK_HEAD + sizeof sctp_cookie;
  }
  chunk_head(chunk, side == 0 ? SCTP_INIT : SCTP_INIT_ACK, 0, n);
  return end->init_lost || sctp_packet(s, side, chunk, n);
}

bool scn_sctp_open(scenario *s) {
  return sctp_init(s, 0) && sctp_init(s, 1) &&
         sctp_short(s, 0, SCTP_COOKIE_ECHO, sctp_cookie, sizeof sctp_cookie) &&
         sctp_short(s, 1, SCTP_COOKIE_ACK, sctp_cookie, 0);
}

/* ---- messages ---- */

/* The next TSN of a side that is on its way: those that wait for a packet are not. */
static uint32_t sctp_sent(const scn_sctp_side *end) {
  return end->tsn - (uint32_t)end->waiting.num;
}

/* Writes the SACK of a side; 0: it has nothing to acknowledge. */
static size_t sctp_sack(scenario *s, uint8_t side, const scn_chunking *how, uint8_t *p) {
  const uint32_t next = sctp_sent(&s->conn->end[1 - side]);
  const uint32_t last = next - 1 - (uint32_t)how->unacked;
  if (how->sack_none || (next == s->conn->end[1 - side].first && !how->sack)) {
    return 0;
  }
  s->conn->end[side].acked = last;
  chunk_head(p, SCTP_SACK, 0, SACK_LEN);
  scn_put_32(p + 4, last);
  scn_put_32(p + 8, SCTP_WINDOW);
  scn_put_32(p + 12, 0);
  return SACK_LEN;
}

/* Sends what waits, with a SACK. */
static bool sctp_send(scenario *s, uint8_t side, const scn_chunking *how) {
  static uint8_t octets[SACK_LEN + SCN_SEGMENT_MAX];
  scn_sctp_side *end = &s->conn->end[side];
  const size_t sack = sctp_sack(s, side, how, octets);
  memcpy(octets + sack, end->waiting.octets, end->waiting.len);
  const scn_packet packet = {.side = side,
                             .conn = s->conn->number,
                             .payload = end->waiting.num > 0,
                             .checksum = how->checksum,
                             .moved = {how->moved[0], how->moved[1]},
                             .snap = how->snap,
                             .mtu = how->mtu,
                             .seq = sctp_sent(end),
                             .octets = octets,
                             .len = sack + end->waiting.len};
  end->waiting.len = end->waiting.num = 0;
  if (how->lost) {
    return scn_packet_unseen(s, packet.len);
  }
  return scn_packet_copy(s, &packet) && (!how->twice || scn_packet_copy(s, &packet));
}

/* A DATA chunk with `len` octets of user data joins those that wait. */
static bool sctp_wait(scenario *s, uint8_t side, uint32_t flags, const uint8_t *user, size_t len,
                      const scn_chunking *how) {
  scn_sctp_side *end = &s->conn->end[side];
  uint8_t *p = end->waiting.octets + end->waiting.len;
  if (DATA_HEAD + sctp_padded(len) > sizeof end->waiting.octets - end->waiting.len) {
    return false;
  }
  memset(p, 0, DATA_HEAD + sctp_padded(len));
  chunk_head(p, SCTP_DATA, flags, DATA_HEAD + len);
  scn_put_32(p + 4, end->tsn++);
  scn_put_16(p + 8, (uint32_t)how->stream);
  scn_put_32(p + 12, (uint32_t)how->ppid);
  memcpy(p + DATA_HEAD, user, len);
  end->waiting.len += DATA_HEAD + sctp_padded(len);
  end->waiting.num++;
  return true;
}

bool scn_sctp_data(scenario *s, uint8_t side, const uint8_t *user, size_t len,
                   const scn_chunking *how) {
  const size_t whole = len < SCN_SEGMENT_MAX - DATA_HEAD ? len : SCN_SEGMENT_MAX - DATA_HEAD;
  const size_t fragment = how->fragment > 0 && how->fragment < whole ? how->fragment : whole;
  const uint32_t flags = (how->ordered ? 0 : DATA_U) | (how->immediate ? DATA_I : 0);
  size_t at = 0;
  bool ok = true;
  do {
    const size_t n = len - at < fragment ? len - at : fragment;
    const uint32_t ends = (at == 0 ? DATA_B : 0) | (at + n == len ? DATA_E : 0);
    ok = sctp_wait(s, side, flags | ends, user + at, n, how) &&
         (how->bundled || sctp_send(s, side, how));
    at += n;
  } while (ok && at < len);
  return ok;
}

bool scn_sctp_sack(scenario *s, uint8_t side, const scn_chunking *how) {
  return sctp_send(s, side, how);
}

bool scn_sctp_octets(scenario *s, uint8_t side, const uint8_t *chunks, size_t len) {
  const scn_packet packet = {.side = side,
                             .conn = s->conn->number,
                             .raw = true,
                             .octets = (uint8_t *)(uintptr_t)chunks,
                             .len = len};
  return scn_packet_copy(s, &packet);
}

/* ---- how it ends ---- */

/* Sends the messages that wait, and acknowledges the messages that arrived. */
static bool sctp_settle(scenario *s, uint8_t side) {
  const scn_chunking how = {.stream = 0};
  const scn_sctp_side *end = &s->conn->end[side];
  return (end->waiting.num == 0 && end->acked == sctp_sent(&s->conn->end[1 - side]) - 1) ||
         sctp_send(s, side, &how);
}

bool scn_sctp_close(scenario *s, uint8_t side) {
  uint8_t cumulative[4];
  bool ok = sctp_settle(s, 0) && sctp_settle(s, 1) && sctp_settle(s, 0);
  scn_put_32(cumulative, s->conn->end[1 - side].tsn - 1);
  s->conn->closed = true;
  return ok && sctp_short(s, side, SCTP_SHUTDOWN, cumulative, sizeof cumulative) &&
         sctp_short(s, 1 - side, SCTP_SHUTDOWN_ACK, cumulative, 0) &&
         sctp_short(s, side, SCTP_SHUTDOWN_COMPLETE, cumulative, 0);
}

bool scn_sctp_abort(scenario *s, uint8_t side) {
  s->conn->closed = true;
  return sctp_short(s, side, SCTP_ABORT, sctp_cookie, 0);
}

/* ---- other numbers ---- */

/* Returns the place of the TSN of a chunk; 0: it has no TSN. */
static size_t shift_at(uint8_t type) {
  switch (type) {
  case SCTP_INIT:
  case SCTP_INIT_ACK: return 16;
  case SCTP_DATA:
  case SCTP_SACK:
  case SCTP_SHUTDOWN: return 4;
  default: return 0;
  }
}

static void shift_packet(scn_packet *p, uint32_t by) {
  for (size_t at = 0; at < p->len;) {
    uint8_t *chunk = p->octets + at;
    const size_t tsn = shift_at(chunk[0]);
    if (tsn > 0) {
      scn_put_32(chunk + tsn, scn_get_32(chunk + tsn) + by);
    }
    at += sctp_padded(scn_get_32(chunk) & 0xFFFFu);
  }
}

void scn_sctp_shift(scenario *s, uint32_t by) {
  for (size_t i = 0; i < s->num; i++) {
    if (s->sctp && !s->packets[i].raw) {
      shift_packet(&s->packets[i], by);
    }
  }
}
