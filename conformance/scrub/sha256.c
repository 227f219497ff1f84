/* SPDX-License-Identifier: BSD-2-Clause */
/* SHA-256 by the letter of FIPS 180-4, 6.2. */
#include "sha256.h"

#include <string.h>

static const uint32_t sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t sha256_rotate(uint32_t x, unsigned n) {
  return x >> n | x << (32u - n);
}

static void sha256_schedule(uint32_t w[64], const uint8_t *block) {
  for (size_t i = 0; i < 16; i++) {
    const uint8_t *p = block + 4 * i;
    w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  }
  for (size_t i = 16; i < 64; i++) {
    const uint32_t a = w[i - 15];
    const uint32_t b = w[i - 2];
    w[i] = w[i - 16] + (sha256_rotate(a, 7) ^ sha256_rotate(a, 18) ^ a >> 3) + w[i - 7] +
           (sha256_rotate(b, 17) ^ sha256_rotate(b, 19) ^ b >> 10);
  }
}

static void sha256_compress(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64];
  uint32_t v[8];
  sha256_schedule(w, block);
  memcpy(v, state, sizeof v);
  for (size_t i = 0; i < 64; i++) {
    const uint32_t s1 = sha256_rotate(v[4], 6) ^ sha256_rotate(v[4], 11) ^ sha256_rotate(v[4], 25);
    const uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha256_k[i] + w[i];
    const uint32_t s0 = sha256_rotate(v[0], 2) ^ sha256_rotate(v[0], 13) ^ sha256_rotate(v[0], 22);
    const uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(&v[1], &v[0], 7 * sizeof v[0]);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (size_t i = 0; i < 8; i++) {
    state[i] += v[i];
  }
}

void sha256_begin(sha256 *s) {
  *s = (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                          0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(sha256 *s, const void *octets, size_t len) {
  const uint8_t *p = octets;
  while (len > 0) {
    const size_t have = (size_t)(s->octets % SHA256_BLOCK);
    const size_t room = SHA256_BLOCK - have;
    const size_t n = len < room ? len : room;
    if (n == SHA256_BLOCK) {
      sha256_compress(s->state, p);
    } else {
      memcpy(s->block + have, p, n);
      if (n == room) {
        sha256_compress(s->state, s->block);
      }
    }
    s->octets += n;
    p += n;
    len -= n;
  }
}

void sha256_end(sha256 *s, uint8_t out[SHA256_LEN]) {
  static const uint8_t one = 0x80;
  static const uint8_t zero = 0;
  const uint64_t bits = s->octets * 8;
  uint8_t length[8];
  for (size_t i = 0; i < 8; i++) {
    length[i] = (uint8_t)(bits >> (56 - 8 * i));
  }
  sha256_add(s, &one, 1);
  while (s->octets % SHA256_BLOCK != SHA256_BLOCK - sizeof length) {
    sha256_add(s, &zero, 1);
  }
  sha256_add(s, length, sizeof length);
  for (size_t i = 0; i < SHA256_LEN; i++) {
    out[i] = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)));
  }
}
