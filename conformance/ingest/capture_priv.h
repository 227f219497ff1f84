/* SPDX-License-Identifier: BSD-2-Clause */
/* What the readers of both formats share. */
#ifndef INGEST_CAPTURE_PRIV_H
#define INGEST_CAPTURE_PRIV_H

#include <string.h>

#include <ingest/capture.h>

#include "packet.h"

enum {
  CAPTURE_HEADER_MIN = 24, /* octets of the shortest file */
  CAPTURE_FILE_RAW = 101,  /* LINKTYPE_RAW, the name of raw IP in files */
  CAPTURE_LINK_RAW = 12    /* DLT_RAW, the name of raw IP in libpcap */
};

/* The machine's own byte order counts: files say theirs by a number as the writing machine had it.
 */
static inline uint16_t capture_u16(const capture_reader *r, const uint8_t *p) {
  uint16_t v;
  memcpy(&v, p, sizeof v);
  return r->swapped ? (uint16_t)(v >> 8 | v << 8) : v;
}

static inline uint32_t capture_swap32(uint32_t v) {
  return v >> 24 | (v >> 8 & 0xff00u) | (v << 8 & 0xff0000u) | v << 24;
}

static inline uint32_t capture_u32(const capture_reader *r, const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return r->swapped ? capture_swap32(v) : v;
}

/* capture_magic says whether the number is there, and learns the byte order of the file by it. */
static inline bool capture_magic(capture_reader *r, const uint8_t *p, uint32_t magic) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  r->swapped = v == capture_swap32(magic);
  return v == magic || r->swapped;
}

static inline capture_result capture_want(capture_reader *r, size_t octets) {
  r->want = octets;
  return CAPTURE_MORE;
}

static inline capture_result capture_damaged(capture_reader *r, const char *reason,
                                             uint32_t value) {
  r->reason = reason;
  r->value = value;
  return CAPTURE_DAMAGED;
}

/* capture_snaplen returns the snapshot length that a number in a file stands for. 0 and impossible
 * numbers stand for the largest packet. */
static inline uint32_t capture_snaplen(uint32_t snaplen) {
  return snaplen == 0 || snaplen > INT32_MAX ? CAPTURE_PACKET_MAX : snaplen;
}

/* capture_link returns the number by which libpcap would name the link type of a file: of the types
 * that are known here, only raw IP has another one. */
static inline uint32_t capture_link(uint32_t link_type) {
  return link_type == CAPTURE_FILE_RAW ? CAPTURE_LINK_RAW : link_type;
}

/* capture_set_link notes link type and snapshot length of a file. */
static inline void capture_set_link(capture_reader *r, uint32_t link_type, uint32_t snaplen) {
  r->link_type = (int)capture_link(link_type);
  r->snaplen = capture_snaplen(snaplen);
}

/* --- capture_pcap.c --- */
/* The functions that begin a file get at least CAPTURE_HEADER_MIN octets of it. */
size_t capture_pcap_begin(capture_reader *r, const uint8_t *data);
capture_result capture_pcap_next(capture_reader *r, const uint8_t *data, size_t len,
                                 ingest_packet *out, size_t *used);

/* --- capture_ng.c --- */
size_t capture_ng_begin(capture_reader *r, const uint8_t *data, size_t len);
capture_result capture_ng_next(capture_reader *r, const uint8_t *data, size_t len,
                               ingest_packet *out, size_t *used);

#endif
