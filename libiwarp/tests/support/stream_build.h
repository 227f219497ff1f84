/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds what one side sends: streaming data, startup frames, FPDUs with or without Markers. */
#ifndef TEST_SUPPORT_STREAM_BUILD_H
#define TEST_SUPPORT_STREAM_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <iwarp/base.h>

#include "prng.h"

#define STREAM_BUILD_MAX (1u << 20)
#define STREAM_BUILD_FPDUS 4096u

/* Where an FPDU lies in the stream. */
typedef struct build_fpdu {
  size_t at;       /* of its wire form */
  size_t wire_len; /* leading Marker included */
  size_t lead;     /* 4 with a leading Marker */
  uint16_t length; /* ULPDU_Length */
} build_fpdu;

typedef struct stream_build {
  uint8_t octets[STREAM_BUILD_MAX];
  size_t len;
  size_t full; /* Full Operation begins here: set by the caller, or by build_startup */
  bool markers;
  bool crc; /* else the CRC field holds build_no_crc */
  build_fpdu fpdu[STREAM_BUILD_FPDUS];
  size_t num_fpdus;
} stream_build;

#define BUILD_NO_CRC UINT32_C(0x5A5AA5A5)

/* stream_build_new returns an empty stream; build_free releases it. */
stream_build *stream_build_new(bool markers, bool crc);
void stream_build_free(stream_build *b);

/* build_octets appends octets as they are, build_fill `n` octets of `value`. */
void build_octets(stream_build *b, const void *octets, size_t n);
void build_fill(stream_build *b, uint8_t value, size_t n);

/* build_startup appends a frame that announces `pd_length` octets and holds `n` of them. */
void build_startup(stream_build *b, const char *key, uint8_t flags, uint8_t rev, uint16_t pd_length,
                   const void *pd, size_t n);

/* build_ulpdu appends an FPDU. */
const build_fpdu *build_ulpdu(stream_build *b, const uint8_t *ulpdu, uint16_t length);

/* These append an FPDU with a right header of that message and `payload` octets. */
const build_fpdu *build_write(stream_build *b, size_t payload, uint8_t value);
const build_fpdu *build_send(stream_build *b, size_t payload, uint8_t value);
const build_fpdu *build_read_request(stream_build *b);
const build_fpdu *build_terminate(stream_build *b);

/* build_random appends an FPDU of some message with at most `max` octets of payload. */
const build_fpdu *build_random(stream_build *b, prng *p, size_t max);

/* build_damage damages what was built: octets changed, overwritten by others of it, or swapped for
 * headers. */
void build_damage(stream_build *b, prng *p);

iwarp_span build_span(const stream_build *b);

#endif
