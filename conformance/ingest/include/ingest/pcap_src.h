/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures opened: plain files of pcap and pcapng are read by capture.h, all others by libpcap. */
#ifndef INGEST_PCAP_SRC_H
#define INGEST_PCAP_SRC_H

#include <ingest/ingest.h>

typedef struct pcap_src pcap_src;

typedef enum pcap_src_result {
  PCAP_SRC_PACKET = 0,
  PCAP_SRC_END,
  PCAP_SRC_FEED,    /* only where octets are given to it: more are needed */
  PCAP_SRC_LIMIT,   /* a compressed file reached its pcap_src_max: see pcap_src_error; the packets
                       before it stay good */
  PCAP_SRC_IDLE,    /* interface: no packet came for a while */
  PCAP_SRC_STOPPED, /* see pcap_src_stop_by and pcap_src_error; likewise */
  PCAP_SRC_ERROR    /* see pcap_src_error; the packets before it stay good */
} pcap_src_result;

#define PCAP_SRC_ERROR_LEN 512

/**
 * pcap_src_max limits what a compressed file may unpack to, so that a small file costs little time:
 * `octets`, or `times` as many as were read of the file, whichever is more. One block (a record, a
 * block of pcapng, a member of gzip, a frame or a stream) may come for each PCAP_SRC_BLOCK octets
 * of that; a PDU counts as PCAP_SRC_PDU blocks. Honest captures of 76 octets a packet with one PDU
 * each that unpack to 126 times their octets reach half of the default.
 */
typedef struct pcap_src_max {
  uint64_t octets;
  uint64_t times;
} pcap_src_max;

#define PCAP_SRC_MAX_OCTETS (UINT64_C(1) << 30) /* default of `octets`: 1 GiB */
#define PCAP_SRC_MAX_TIMES UINT64_C(1024)       /* default of `times` */
#define PCAP_SRC_BLOCK 128u                     /* octets */
#define PCAP_SRC_PDU 2u                         /* blocks */

/**
 * pcap_src_open opens the capture at `path` ("-": standard input), with a BPF filter or NULL; the
 * filter must stay until pcap_src_close.
 *
 * Returns NULL when the file cannot be read, is no capture, is empty, is a directory, or has a link
 * type that ingest_link_known refuses. `error` then is one line without newline and without the
 * path. A pcapng file may have interfaces of such types: their packets are returned, and the file
 * ends with an error if no packet has another type.
 */
pcap_src *pcap_src_open(const char *path, const char *filter, char error[PCAP_SRC_ERROR_LEN]);

/** pcap_src_begins returns false if the file is empty, or does not begin with a number of pcap or
 * pcapng, unpacked where it is compressed. It returns true if the file cannot be read. */
bool pcap_src_begins(const char *path);

#define PCAP_SRC_FOREVER UINT64_MAX

/**
 * pcap_src_open_live captures on a network interface, with a BPF filter or NULL. It ends after
 * `duration_ns` nanoseconds, or as pcap_src_stop_by says: then pcap_src_next returns END after the
 * packets that came before.
 */
pcap_src *pcap_src_open_live(const char *interface, const char *filter, uint64_t duration_ns,
                             char error[PCAP_SRC_ERROR_LEN]);

/** pcap_src_lost returns how many packets of an interface came too fast for the kernel to keep. */
uint64_t pcap_src_lost(pcap_src *src);

/** pcap_src_opener opens a file for reading as open(2) does, with `flags` O_NONBLOCK or 0. */
typedef int pcap_src_opener(const char *path, int flags);

/** pcap_src_open_by lets `opener` open the files of all captures from now on; NULL: open(2) does.
 * It is called before any capture is opened. */
void pcap_src_open_by(pcap_src_opener *opener);

/**
 * pcap_src_stop_by ends the reading of all captures, in every thread, once descriptor `fd` is
 * readable; -1: nothing ends it. Packets that were read already are still returned. A wait for a
 * slow writer ends at once. It is called while no other thread reads.
 */
void pcap_src_stop_by(int fd);

/** pcap_src_stopped returns whether that descriptor is readable. */
bool pcap_src_stopped(void);

/** pcap_src_tunnels lets all packets that are read from now on name these ports; NULL: none. It is
 * called before any capture is opened. */
void pcap_src_tunnels(ingest_tunnels *tunnels);

/** pcap_src_set_max sets the limit of a compressed file, before the first packet is read. */
void pcap_src_set_max(pcap_src *src, const pcap_src_max *max);

/** pcap_src_set_work says how many PDUs were found in the file so far, and findings, which cost as
 * much. A file that is not compressed has no limit. */
void pcap_src_set_work(pcap_src *src, uint64_t pdus);

/** pcap_src_filter_check returns false and a line in `error` when `filter` is no BPF expression. */
bool pcap_src_filter_check(const char *filter, char error[PCAP_SRC_ERROR_LEN]);

/*
 * Several threads can read the octets of a plain file. Then pcap_src_next gets the octets piece by
 * piece, and packets stay where they are as long as the pieces do.
 */

/** pcap_src_feed_begin announces pieces, from octet *at of the file on. False: it is no plain file,
 * or a compressed one, and pcap_src_next reads it itself. Call it before the first packet is read.
 */
bool pcap_src_feed_begin(pcap_src *src, uint64_t *at);

/** pcap_src_read_at reads `len` octets from octet `at` on, or all that there are, in any thread;
 * *error is 0, or the errno that ended them. */
size_t pcap_src_read_at(const pcap_src *src, uint64_t at, uint8_t *out, size_t len, int *error);

/** pcap_src_left returns the number of octets that were given and not taken, and where they lie. */
size_t pcap_src_left(const pcap_src *src, const uint8_t **octets);

/** pcap_src_piece is a piece of the file: the octets that pcap_src_next reads once it has taken all
 * octets that are left. */
typedef struct pcap_src_piece {
  const uint8_t *octets;
  size_t len;
  uint64_t end; /* octets of the file up to here */
  bool last;    /* the file ends after these octets */
  int error;    /* errno of a read that failed after these octets, or 0 */
} pcap_src_piece;

/** pcap_src_feed gives octets, after pcap_src_next returned FEED or before it was called. */
void pcap_src_feed(pcap_src *src, const pcap_src_piece *piece);

/** pcap_src_next reads the next packet into `out` (borrowed until the next call; where octets are
 * given, for as long as these are there). */
pcap_src_result pcap_src_next(pcap_src *src, ingest_packet *out);

/** pcap_src_error returns the line for the last PCAP_SRC_ERROR, PCAP_SRC_LIMIT or PCAP_SRC_STOPPED,
 * for instance that the file is cut short. */
const char *pcap_src_error(const pcap_src *src);

/** pcap_src_next_now is pcap_src_next of an interface that never waits: IDLE where no packet is
 * there now. */
pcap_src_result pcap_src_next_now(pcap_src *src, ingest_packet *out);

/** pcap_src_link_name returns the name that libpcap gives to a link type, or "unknown". */
const char *pcap_src_link_name(int link_type);

/** pcap_src_progress returns octets read so far and the size of the file in octets (0 when not
 * known). */
void pcap_src_progress(const pcap_src *src, uint64_t *done, uint64_t *total);

void pcap_src_close(pcap_src *src);

#endif
