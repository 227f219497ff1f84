/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c (Castagnoli), the checksum of MPA FPDUs and of SCTP. */
#ifndef IWARP_CRC32C_H
#define IWARP_CRC32C_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** IWARP_CRC32C_RESIDUE is the CRC32c of any octets followed by their own CRC field (RFC 5044 4.4).
 */
#define IWARP_CRC32C_RESIDUE UINT32_C(0x48674BC7)

/**
 * iwarp_crc32c extends the checksum `crc` of earlier octets by `len` octets at `data` and returns
 * the new checksum.
 *
 * Start with 0; pre- and post-conditioning happen inside, so every value returned is a finished
 * CRC32c. `data` may be NULL when `len` is 0. On the wire the value is stored least significant
 * octet first (RFC 5044 4.4). Pure and thread-safe.
 */
IWARP_API uint32_t iwarp_crc32c(uint32_t crc, const void *data, size_t len);

/**
 * iwarp_crc32c_copy copies `len` octets from `src` to `dst` and returns `crc` extended by them, in
 * one pass.
 *
 * The two areas do not overlap. Otherwise like iwarp_crc32c.
 */
IWARP_API uint32_t iwarp_crc32c_copy(uint32_t crc, void *dst, const void *src, size_t len);

/**
 * iwarp_crc32c_combine returns the checksum of A followed by B, given the checksum of each and the
 * length of B in octets. Its time grows with the logarithm of `len_b`.
 */
IWARP_API uint32_t iwarp_crc32c_combine(uint32_t crc_a, uint32_t crc_b, uint64_t len_b);

/**
 * iwarp_crc32c_impl returns the name of the variant in use on this machine ("portable", "sse42",
 * ...). Static storage.
 */
IWARP_API const char *iwarp_crc32c_impl(void);

#ifdef __cplusplus
}
#endif

#endif
