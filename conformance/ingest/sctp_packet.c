/* SPDX-License-Identifier: BSD-2-Clause */
/* The SCTP common header, its checksum, and the chunks after it: RFC 9260 3. */
#include <string.h>

#include "sctp_priv.h"

enum { CHUNK_HEADER = 4, PARAM_IPV4 = 5, PARAM_IPV6 = 6, PARAM_ADAPTATION = 0xC006 };

/* CRC32c, four bits at a time. A test compares it with the CRC32c of the library, which ingest does
 * not use. */
uint32_t ing_sctp_crc(uint32_t crc, const uint8_t *data, size_t len) {
  static const uint32_t table[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
                                     0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
                                     0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                     0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
  for (size_t i = 0; i < len; i++) {
    crc ^= data[i];
    crc = crc >> 4 ^ table[crc & 15];
    crc = crc >> 4 ^ table[crc & 15];
  }
  return crc;
}

/* The checksum is computed with its own field zero, and stands with its low octet first: RFC 9260
 * appendix A. Zero is what a capture holds where the sender's card fills it in. */
static ing_sum sctp_check_sum(const ing_span *s) {
  static const uint8_t zero[4] = {0};
  uint8_t field[4];
  if (s->cap < s->len || !ing_copy(s, 8, field, sizeof field)) {
    return ING_SUM_UNKNOWN;
  }
  if (memcmp(field, zero, sizeof zero) == 0) {
    return ING_SUM_UNKNOWN;
  }
  uint32_t crc = ing_sctp_crc(0xffffffff, s->data, 8);
  crc = ing_sctp_crc(crc, zero, sizeof zero);
  crc = ~ing_sctp_crc(crc, s->data + SCTP_HEADER, s->len - SCTP_HEADER);
  const uint32_t is = (uint32_t)field[0] | (uint32_t)field[1] << 8 | (uint32_t)field[2] << 16 |
                      (uint32_t)field[3] << 24;
  return is == crc ? ING_SUM_GOOD : ING_SUM_BAD;
}

static void sctp_set_addr(ingest_addr *addr, uint8_t family, const uint8_t *ip, uint16_t port) {
  addr->family = family;
  memcpy(addr->ip, ip, sizeof addr->ip);
  addr->port = port;
}

bool ing_sctp_open(const ing_ip *ip, bool fragmented, sctp_packet *pkt) {
  const ing_span *s = &ip->body;
  if (s->cap < SCTP_HEADER) {
    return false;
  }
  sctp_set_addr(&pkt->src, ip->family, ip->src, ing_be16(s, 0));
  sctp_set_addr(&pkt->dst, ip->family, ip->dst, ing_be16(s, 2));
  pkt->tag = ing_be32(s, 4);
  pkt->header_damaged = ip->damaged;
  pkt->sum = sctp_check_sum(s);
  pkt->body = *s;
  pkt->room = fragmented ? 0 : s->len;
  return true;
}

bool ing_sctp_chunk(ing_span *rest, sctp_chunk *chunk) {
  const size_t len = ing_be16(rest, 2);
  if (rest->cap < CHUNK_HEADER || len < CHUNK_HEADER || len > rest->len) {
    return false;
  }
  chunk->type = ing_u8(rest, 0);
  chunk->flags = ing_u8(rest, 1);
  chunk->body = *rest;
  ing_set_len(&chunk->body, len);
  const size_t padded = (len + 3) & ~(size_t)3;
  (void)ing_skip(rest, padded < rest->len ? padded : rest->len);
  return true;
}

uint64_t ing_sctp_chunks(const sctp_packet *pkt) {
  ing_span rest = pkt->body;
  sctp_chunk chunk;
  uint64_t sum = 0;
  (void)ing_skip(&rest, SCTP_HEADER);
  while (ing_sctp_chunk(&rest, &chunk)) {
    const bool data = chunk.type == SCTP_DATA || chunk.type == SCTP_I_DATA;
    sum += 1 + (data ? 0 : chunk.body.cap / 16);
  }
  return sum;
}

bool ing_sctp_has(const sctp_packet *pkt, sctp_chunk_type type) {
  ing_span rest = pkt->body;
  sctp_chunk chunk;
  (void)ing_skip(&rest, SCTP_HEADER);
  while (ing_sctp_chunk(&rest, &chunk)) {
    if (chunk.type == (uint8_t)type) {
      return true;
    }
  }
  return false;
}

bool ing_sctp_param(ing_span *rest, sctp_param *param) {
  const size_t len = ing_be16(rest, 2);
  if (rest->cap < CHUNK_HEADER || len < CHUNK_HEADER || len > rest->len) {
    return false;
  }
  param->type = ing_be16(rest, 0);
  param->value = *rest;
  ing_set_len(&param->value, len);
  (void)ing_skip(&param->value, CHUNK_HEADER);
  const size_t padded = (len + 3) & ~(size_t)3;
  (void)ing_skip(rest, padded < rest->len ? padded : rest->len);
  return true;
}

bool ing_sctp_home(const sctp_param *param, sctp_home *home) {
  *home = (sctp_home){.family = param->type == PARAM_IPV4 ? 4 : 6};
  if (param->type != PARAM_IPV4 && param->type != PARAM_IPV6) {
    return false;
  }
  return ing_copy(&param->value, 0, home->ip, param->type == PARAM_IPV4 ? 4 : 16);
}

ingest_sctp_init ing_sctp_read_init(const sctp_chunk *chunk) {
  ing_span rest = chunk->body;
  sctp_param param;
  ingest_sctp_init init = {.ack = chunk->type == SCTP_INIT_ACK,
                           .whole = rest.cap == rest.len,
                           .tsn = ing_be32(&rest, 16),
                           .out_streams = ing_be16(&rest, 12),
                           .in_streams = ing_be16(&rest, 14)};
  (void)ing_skip(&rest, SCTP_INIT_HEADER);
  while (ing_sctp_param(&rest, &param)) {
    if (param.type == PARAM_ADAPTATION && param.value.cap >= 4) {
      init.has_adaptation = true;
      init.adaptation = ing_be32(&param.value, 0);
      init.adaptation_surplus = (uint16_t)(param.value.len - 4);
    }
  }
  return init;
}
