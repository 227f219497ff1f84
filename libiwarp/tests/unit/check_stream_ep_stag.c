/* SPDX-License-Identifier: BSD-2-Clause */
/* STags against SipHash-2-4 written a second time, which the vectors of its authors hold. */
#include <string.h>

#include <iwarp/endpoint.h>

#include "check_run.h"

static uint64_t word_of(const uint8_t *octets, size_t n) {
  uint64_t word = 0;
  for (size_t i = 0; i < n; i++) {
    word |= (uint64_t)octets[i] << 8 * i;
  }
  return word;
}

static uint64_t left(uint64_t x, unsigned n) {
  return x << n | x >> (64 - n);
}

static void rounds(uint64_t v[4], int n) {
  for (; n > 0; n--) {
    v[0] += v[1];
    v[1] = left(v[1], 13) ^ v[0];
    v[0] = left(v[0], 32);
    v[2] += v[3];
    v[3] = left(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = left(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = left(v[1], 17) ^ v[2];
    v[2] = left(v[2], 32);
  }
}

/* SipHash-2-4 as its paper says it: Aumasson and Bernstein, 2012, section 2. */
static uint64_t siphash(const uint8_t key[16], const uint8_t *in, size_t len) {
  static const char seed[] =
      "somepseudorandomlygeneratedbytes"; /* each word most significant first */
  uint64_t v[4];
  for (size_t i = 0; i < 4; i++) {
    v[i] = word_of(&key[i % 2 * 8], 8);
    for (size_t k = 0; k < 8; k++) {
      v[i] ^= (uint64_t)(uint8_t)seed[8 * i + k] << (56 - 8 * k);
    }
  }
  for (size_t at = 0; at <= len; at += 8) {
    const size_t n = len - at < 8 ? len - at : 8;
    const uint64_t word = word_of(in + at, n) | (n < 8 ? (uint64_t)(len & 0xFF) << 56 : 0);
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
  }
  v[2] ^= 0xFF;
  rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* From the paper (appendix A: 15 octets) and its reference program (vectors_sip64: 0 to 8). */
START_TEST(model_gives_the_vectors_of_siphash)
{
  static const uint64_t vectors[] = {
      UINT64_C(0x726fdb47dd0e0e31), UINT64_C(0x74f839c593dc67fd), UINT64_C(0x0d6c8009d9a94f5a),
      UINT64_C(0x85676696d7fb7e2d), UINT64_C(0xcf2794e0277187b7), UINT64_C(0x18765564cd99a68d),
      UINT64_C(0xcbc9466e58fee3ce), UINT64_C(0xab0200f58b01d137), UINT64_C(0x93f5f5799a932462)};
  uint8_t count[16];
  for (uint8_t i = 0; i < 16; i++) {
    count[i] = i;
  }
  for (size_t n = 0; n <= 8; n++) {
    ck_assert_uint_eq(siphash(count, count, n), vectors[n]);
  }
  ck_assert_uint_eq(siphash(count, count, 15), UINT64_C(0xa129ca6149be45e5));
}
END_TEST

/* Four rounds of a Feistel network whose function is the hash of round and half. */
static uint32_t stag_of(const uint8_t key[16], uint32_t n) {
  uint16_t half[2] = {(uint16_t)(n >> 16), (uint16_t)(n & 0xFFFF)};
  for (uint8_t round = 0; round < 4; round++) {
    const uint8_t in[8] = {(uint8_t)(half[1] & 0xFF), (uint8_t)(half[1] >> 8), round};
    const uint16_t mixed = (uint16_t)(half[0] ^ (siphash(key, in, sizeof in) & 0xFFFF));
    half[0] = half[1];
    half[1] = mixed;
  }
  return (uint32_t)half[0] << 16 | half[1];
}

START_TEST(stags_are_those_of_the_model)
{
  uint8_t key[IWARP_STAG_KEY_LEN];
  for (uint32_t k = 0; k < 40; k++) {
    for (uint32_t i = 0; i < sizeof key; i++) {
      key[i] = (uint8_t)(k == 0 ? i : 37 * i + 101 * k);
    }
    for (uint32_t i = 0; i < 100; i++) {
      const uint32_t n = i < 50 ? i : i * UINT32_C(0x9E3779B9);
      ck_assert_uint_eq(iwarp_stag_generate(key, n), stag_of(key, n));
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {model_gives_the_vectors_of_siphash, stags_are_those_of_the_model,
                                NULL};
  return check_run(check_suite("stream-ep-stag", tests));
}
