/* SPDX-License-Identifier: BSD-2-Clause */
/* The CRC32c of two pieces, computed from the CRC32c of each piece by a power of x modulo the
 * polynomial. */
#include "variants.h"

#define CRC32C_COMBINE_POLY UINT32_C(0x82F63B78) /* reflected: the top bit is x^0 */
#define CRC32C_COMBINE_ONE UINT32_C(0x80000000)

/* crc32c_combine_mul multiplies two polynomials modulo the CRC32c polynomial. */
static uint32_t crc32c_combine_mul(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = CRC32C_COMBINE_ONE; bit != 0; bit >>= 1) {
    product ^= b & (0u - (uint32_t)((a & bit) != 0));
    b = b >> 1 ^ (CRC32C_COMBINE_POLY & (0u - (b & 1u))); /* times x */
  }
  return product;
}

uint32_t iwarp_crc32c_combine(uint32_t crc_a, uint32_t crc_b, uint64_t len_b) {
  uint32_t shift = CRC32C_COMBINE_ONE;
  uint32_t k =
      3; /* an octet is eight bits: x^(8 n) = product of x^(2^(3 + i)) over the set bits i of n */
  for (uint64_t n = len_b; n != 0; n >>= 1) {
    if ((n & 1) != 0) {
      shift = crc32c_combine_mul(iwarpi_crc32c_power[k % IWARPI_CRC32C_NUM_POWERS], shift);
    }
    k++;
  }
  return crc32c_combine_mul(shift, crc_a) ^ crc_b;
}
