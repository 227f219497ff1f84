/* SPDX-License-Identifier: BSD-2-Clause */
/* A pcap file in memory: packets moved, changed and mended. */
#include "capture.h"

#include <iwarp/crc32c.h>
#include <iwarp/mpa.h>
#include <string.h>

#define FILE_HEADER 24u
#define RECORD_HEADER 16u
#define PACKETS_MAX 4096u
#define ETHERNET 1u

typedef struct packets {
  size_t at[PACKETS_MAX + 1]; /* place of each record; the last entry is the end */
  size_t num;
  bool little;
  uint32_t link;
} packets;

static uint32_t word(const uint8_t *at, bool little) {
  return little ? (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0]
                : (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The records of a pcap file; none where it is something else. */
static void find_packets(packets *p, const uint8_t *octets, size_t len) {
  p->num = 0;
  if (len < FILE_HEADER || (octets[0] != 0xD4 && octets[0] != 0x4D && octets[0] != 0xA1)) {
    return;
  }
  p->little = octets[0] != 0xA1;
  p->link = word(octets + 20, p->little);
  size_t at = FILE_HEADER;
  while (p->num < PACKETS_MAX && len - at >= RECORD_HEADER) {
    const uint32_t n = word(octets + at + 8, p->little);
    if (n > len - at - RECORD_HEADER) {
      break;
    }
    p->at[p->num++] = at;
    at += RECORD_HEADER + n;
  }
  p->at[p->num] = at;
}

/* ---- checksums ---- */

static uint32_t sum16(uint32_t sum, const uint8_t *octets, size_t n) {
  for (size_t i = 0; i < n; i++) {
    sum += i % 2 == 0 ? (uint32_t)octets[i] << 8 : octets[i];
    sum = (sum & 0xFFFF) + (sum >> 16);
  }
  return sum;
}

static void put16(uint8_t *at, uint32_t v) {
  at[0] = (uint8_t)(v >> 8);
  at[1] = (uint8_t)v;
}

/* The CRCs of FPDUs without Markers that fill the octets. */
static void mend_fpdus(uint8_t *octets, size_t len) {
  iwarp_mpa_fpdu v;
  size_t filled = 0;
  for (int pass = 0; pass < 2; pass++) {
    size_t at = 0;
    while (at < len && (pass == 0 || filled == len)) {
      const iwarp_dec d = iwarp_mpa_fpdu_decode(&v, (iwarp_span){octets + at, len - at}, 4, false);
      if (d.err != IWARP_OK) {
        return;
      }
      if (pass == 1 && v.crc != 0) { /* 0: not in use */
        const uint32_t crc = iwarp_mpa_fpdu_crc(&v);
        for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
          octets[at + v.layout.crc_off + i] = (uint8_t)(crc >> 8 * i);
        }
      }
      at += d.used;
    }
    filled = at;
  }
}

static void mend_tcp(uint8_t *ip, uint8_t *tcp, size_t len) {
  const uint8_t pseudo[4] = {0, 6, (uint8_t)(len >> 8), (uint8_t)len};
  const size_t header = len >= 20 ? (size_t)(tcp[12] >> 4) * 4 : 0;
  if (header < 20 || header > len) {
    return;
  }
  mend_fpdus(tcp + header, len - header);
  put16(tcp + 16, 0);
  put16(tcp + 16, ~sum16(sum16(sum16(0, ip + 12, 8), pseudo, 4), tcp, len));
}

static void mend_sctp(uint8_t *sctp, size_t len) {
  if (len >= 12) {
    memset(sctp + 8, 0, 4);
    const uint32_t crc = iwarp_crc32c(0, sctp, len);
    for (size_t i = 0; i < 4; i++) {
      sctp[8 + i] = (uint8_t)(crc >> 8 * i);
    }
  }
}

static void mend_packet(uint8_t *packet, size_t len, uint32_t link) {
  const size_t skip = link == ETHERNET ? 14 : 0;
  if (len < skip + 20 || (packet[skip] >> 4) != 4) {
    return;
  }
  uint8_t *ip = packet + skip;
  const size_t header = (size_t)(ip[0] & 15u) * 4;
  const size_t total = (size_t)ip[2] << 8 | ip[3];
  if (header < 20 || total < header || total > len - skip) {
    return;
  }
  put16(ip + 10, 0);
  put16(ip + 10, ~sum16(0, ip, header));
  if (ip[9] == 6) {
    mend_tcp(ip, ip + header, total - header);
  } else if (ip[9] == 132) {
    mend_sctp(ip + header, total - header);
  }
}

void capture_mend(uint8_t *octets, size_t len) {
  packets p;
  find_packets(&p, octets, len);
  for (size_t i = 0; i < p.num; i++) {
    mend_packet(octets + p.at[i] + RECORD_HEADER, p.at[i + 1] - p.at[i] - RECORD_HEADER, p.link);
  }
}

/* ---- changes ---- */

static size_t repeat(uint8_t *octets, size_t len, size_t cap, const packets *p, size_t from,
                     size_t to) {
  static uint8_t kept[FUZZ_BODY_MAX];
  const size_t n = p->at[from + 1] - p->at[from];
  if (n > cap - len || n > sizeof kept) {
    return len;
  }
  memcpy(kept, octets + p->at[from], n);
  memmove(octets + p->at[to] + n, octets + p->at[to], len - p->at[to]);
  memcpy(octets + p->at[to], kept, n);
  return len + n;
}

static size_t drop(uint8_t *octets, size_t len, const packets *p, size_t i) {
  memmove(octets + p->at[i], octets + p->at[i + 1], len - p->at[i + 1]);
  return len - (p->at[i + 1] - p->at[i]);
}

size_t capture_mutate(uint8_t *octets, size_t len, size_t cap, prng *r) {
  packets p;
  find_packets(&p, octets, len);
  if (p.num < 2) {
    return len;
  }
  const size_t a = prng_size(r, p.num);
  const size_t b = prng_size(r, p.num);
  switch (prng_below(r, 4)) {
  case 0: return repeat(octets, len, cap, &p, a, b);
  case 1: return drop(octets, len, &p, a);
  case 2: { /* moved: copied, and the first one dropped */
    const size_t now = repeat(octets, len, cap, &p, a, b);
    find_packets(&p, octets, now);
    return now > len && a + 1 < p.num ? drop(octets, now, &p, a < b ? a : a + 1) : now;
  }
  default: {
    const size_t n = p.at[a + 1] - p.at[a] - RECORD_HEADER;
    for (uint64_t k = 1 + prng_below(r, 3); k > 0 && n > 0; k--) {
      octets[p.at[a] + RECORD_HEADER + prng_size(r, n)] = (uint8_t)prng_next(r);
    }
    return len;
  }
  }
}
