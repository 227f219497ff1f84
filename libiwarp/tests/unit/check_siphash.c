/* SPDX-License-Identifier: BSD-2-Clause */
/* SipHash-2-4 against the vectors of its authors. */
#include "base/siphash.h"
#include "check_run.h"

/* The key is 00 01 .. 0f, the message 00 01 .. as long as it is. */
static const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
static const uint64_t message[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};

START_TEST(vectors_of_the_authors)
{
  ck_assert_uint_eq(siphash_words(key, message, 0), UINT64_C(0x726fdb47dd0e0e31));
  ck_assert_uint_eq(siphash_words(key, message, 1), UINT64_C(0x93f5f5799a932462));
  ck_assert_uint_eq(siphash_words(key, message, 2), UINT64_C(0x3f2acc7f57c29bdb));
}
END_TEST

START_TEST(every_bit_of_key_and_message_counts)
{
  const uint64_t plain = siphash_words(key, message, 2);
  for (unsigned bit = 0; bit < 128; bit++) {
    uint64_t other[2] = {key[0], key[1]};
    other[bit / 64] ^= UINT64_C(1) << bit % 64;
    ck_assert_uint_ne(siphash_words(other, message, 2), plain);
    uint64_t text[2] = {message[0], message[1]};
    text[bit / 64] ^= UINT64_C(1) << bit % 64;
    ck_assert_uint_ne(siphash_words(key, text, 2), plain);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {vectors_of_the_authors, every_bit_of_key_and_message_counts, NULL};
  return check_run(check_suite("siphash", tests));
}
