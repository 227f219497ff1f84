/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain pcap files: a header of 24 octets, and one of 16 before each packet. */
#include "capture_priv.h"

enum {
  PCAP_HEADER = 24,
  PCAP_RECORD = 16,
  PCAP_MAJOR = 2,
  PCAP_MINOR = 4,
  PCAP_AT_SNAPLEN = 16,
  PCAP_AT_LINK = 20
};

#define PCAP_MAGIC 0xa1b2c3d4u
#define PCAP_MAGIC_NANO 0xa1b23c4du
#define PCAP_LINK_MASK 0x03ffffffu /* the bits above it say how long a frame check sequence is */

size_t capture_pcap_begin(capture_reader *r, const uint8_t *data) {
  r->nano = capture_magic(r, data, PCAP_MAGIC_NANO);
  if (!r->nano && !capture_magic(r, data, PCAP_MAGIC)) {
    return 0;
  }
  if (capture_u16(r, data + 4) != PCAP_MAJOR || capture_u16(r, data + 6) != PCAP_MINOR) {
    return 0;
  }
  const uint32_t link_type = capture_u32(r, data + PCAP_AT_LINK) & PCAP_LINK_MASK;
  capture_set_link(r, link_type, capture_u32(r, data + PCAP_AT_SNAPLEN));
  return ingest_link_known((int)link_type) ? PCAP_HEADER : 0;
}

/* The numbers before a packet. */
typedef struct pcap_record {
  uint32_t seconds;
  uint32_t fraction;
  uint32_t caplen;
  uint32_t len;
} pcap_record;

static pcap_record pcap_record_at(const capture_reader *r, const uint8_t *data) {
  return (pcap_record){.seconds = capture_u32(r, data),
                       .fraction = capture_u32(r, data + 4),
                       .caplen = capture_u32(r, data + 8),
                       .len = capture_u32(r, data + 12)};
}

/* Neither field has a sign. */
static uint64_t pcap_time(const capture_reader *r, const pcap_record *record) {
  return record->seconds * UINT64_C(1000000000) + record->fraction * (r->nano ? UINT64_C(1) : 1000);
}

capture_result capture_pcap_next(capture_reader *r, const uint8_t *data, size_t len,
                                 ingest_packet *out, size_t *used) {
  if (len < PCAP_RECORD) {
    return capture_want(r, PCAP_RECORD);
  }
  const pcap_record record = pcap_record_at(r, data);
  if (record.caplen > CAPTURE_PACKET_MAX) {
    return capture_damaged(r, "more octets of a packet than there can be", record.caplen);
  }
  if (len - PCAP_RECORD < record.caplen) {
    return capture_want(r, (size_t)PCAP_RECORD + record.caplen);
  }
  out->data = data + PCAP_RECORD;
  out->caplen = record.caplen; /* may be more than the snapshot length says */
  out->len = record.len;
  out->link_type = r->link_type;
  out->tunnels = r->tunnels;
  out->time_ns = pcap_time(r, &record);
  *used = (size_t)PCAP_RECORD + record.caplen;
  r->blocks++;
  return CAPTURE_PACKET;
}
