/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c one bit at a time, straight from its definition. */
#ifndef TEST_SUPPORT_CRC_ORACLE_H
#define TEST_SUPPORT_CRC_ORACLE_H

#include <stddef.h>
#include <stdint.h>

/* crc_oracle extends `crc` like iwarp_crc32c. */
uint32_t crc_oracle(uint32_t crc, const uint8_t *octets, size_t n);

#endif
