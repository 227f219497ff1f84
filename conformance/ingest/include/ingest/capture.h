/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain pcap and pcapng files, read from octets in memory. */
#ifndef INGEST_CAPTURE_H
#define INGEST_CAPTURE_H

#include <ingest/ingest.h>

/** Limits: none of them is reached by a capture of packets that can be read. */
#define CAPTURE_PACKET_MAX (256u * 1024u)       /* octets of a packet */
#define CAPTURE_BLOCK_MAX (16u * 1024u * 1024u) /* octets of a block of pcapng */
#define CAPTURE_INTERFACES_MAX 65536u           /* interfaces of a section of pcapng */

/** capture_interface is the kind of packets of an interface, and the format of their times. */
typedef struct capture_interface {
  uint64_t factor;     /* nanoseconds of a unit, if no offset or fraction applies; else 0 */
  uint64_t resolution; /* units of a second */
  uint64_t offset;     /* seconds */
  uint32_t snaplen;
  uint16_t link_type;
  bool binary; /* the resolution is a power of 2 */
  bool known;  /* ingest_link_known returns true for the link type */
} capture_interface;

/**
 * capture_reader reads a file. It takes what libpcap takes, and ends with an error after the same
 * packet as libpcap. It reads more than libpcap in these files: interfaces of pcapng may have
 * different link types and snapshot lengths, and sections different byte orders. Packets may be
 * longer than the snapshot length says. It leaves to libpcap whatever is rare: the modified
 * formats, versions before 2.4, pcap files of unknown link types, and headers that cannot be read.
 */
typedef struct capture_reader {
  ingest_alloc alloc;
  capture_interface *interfaces;
  size_t num_interfaces;
  size_t room;        /* interfaces that have room in `interfaces` */
  size_t want;        /* CAPTURE_MORE, or capture_begin: octets that are needed */
  const char *reason; /* CAPTURE_DAMAGED: the fault, in words */
  uint32_t value;     /* the wrong value */
  uint64_t blocks;    /* records, or blocks of pcapng, that were read */
  uint32_t snaplen;   /* snapshot length of the file, or of its first interface */
  int link_type; /* link type of the file, or of its first interface, as libpcap numbers it: 12 for
                    raw IP (101 in a file) */
  int unknown;   /* a link type of some interface that ingest_link_known refuses, or -1 */
  ingest_tunnels *tunnels; /* tunnels of packets; the caller may set it */
  bool any;                /* some packet has a link type that is known */
  bool ng;                 /* pcapng */
  bool swapped;            /* written in the other byte order */
  bool nano;               /* pcap: times have nanoseconds */
} capture_reader;

typedef enum capture_result {
  CAPTURE_PACKET = 0,
  CAPTURE_MORE,   /* more octets are needed: see `want` */
  CAPTURE_DAMAGED /* see `reason` and `value`; the rest cannot be read */
} capture_result;

/**
 * capture_begin reads the header of a file, up to the first interface of a pcapng file, and returns
 * the octets that it takes; 0 when the file is to be left to libpcap, or when `len` octets are not
 * enough to know: then `want` of the reader is more than `len`, and else 0. `alloc` must outlive
 * the reader. Call capture_end after any result.
 */
size_t capture_begin(capture_reader *r, const ingest_alloc *alloc, const uint8_t *data, size_t len);

/**
 * capture_next reads the next packet from `len` octets at `data` into `out`, all but its number.
 * *used is the number of octets consumed; they include the packet, and `out` points into them.
 */
capture_result capture_next(capture_reader *r, const uint8_t *data, size_t len, ingest_packet *out,
                            size_t *used);

/** capture_end gives the memory of the reader back. */
void capture_end(capture_reader *r);

#endif
