/* SPDX-License-Identifier: BSD-2-Clause */
/* A number for what was read and asked, so that results of different runs are distinguished. */
#ifndef CLI_DIGEST_H
#define CLI_DIGEST_H

#include <ingest/ingest.h>

/** digest_number and digest_text go on with a CRC32c over a number, and over a text (NULL is one
 * of its own). */
uint32_t digest_number(uint32_t crc, uint64_t number);
uint32_t digest_text(uint32_t crc, const char *text);

/** digest_file goes on with the name of a capture, below. */
uint64_t digest_file(uint64_t digest, const char *name);

/** digest_packet goes on with the digest of captures: a CRC32c of the octets above, and one of what
 * else is known of the packets below. */
uint64_t digest_packet(uint64_t digest, const ingest_packet *packet);

#endif
