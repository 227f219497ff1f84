/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures opened: plain files of pcap and pcapng are read by capture.h, all others by libpcap. */
#ifndef INGEST_PCAP_SRC_H
#define INGEST_PCAP_SRC_H

#include <ingest/ingest.h>

typedef struct pcap_src pcap_src;

typedef enum pcap_src_result {
  PCAP_SRC_PACKET = 0,
  PCAP_SRC_END,
  PCAP_SRC_ERROR /* see pcap_src_error; what was read before stays good */
} pcap_src_result;

#define PCAP_SRC_ERROR_LEN 512

/**
 * pcap_src_open opens the capture at `path` ("-": standard input), with a BPF filter or NULL.
 *
 * Returns NULL and one line without newline and without the path in `error` when it cannot be read,
 * is no capture, is empty, is a directory, or has a link type that ingest_link_known refuses.
 */
pcap_src *pcap_src_open(const char *path, const char *filter, char error[PCAP_SRC_ERROR_LEN]);

/** pcap_src_filter_check returns false and a line in `error` when `filter` is no BPF expression. */
bool pcap_src_filter_check(const char *filter, char error[PCAP_SRC_ERROR_LEN]);

/** pcap_src_hold says what becomes of octets that were read from a plain file, piece by piece. */
typedef struct pcap_src_hold {
  void *ctx;
  /** read: the octets of the packets from now on lie in this piece, whose number is one more than
   * that of the piece before it */
  void (*read)(void *ctx, uint64_t piece, const uint8_t *octets, size_t len);
  /** reuse: those of this piece, and of all before it, are overwritten after the call */
  void (*reuse)(void *ctx, uint64_t piece);
} pcap_src_hold;

/**
 * pcap_src_keep makes the octets of a plain file's packets last beyond the next call: until `reuse`
 * says otherwise, some pieces later. Called before the first packet is read; the hooks are called
 * from pcap_src_next. What is no plain file makes no calls, and its octets do not last.
 */
void pcap_src_keep(pcap_src *src, const pcap_src_hold *hold);

/** pcap_src_next reads the next packet into `out` (borrowed until the next call). */
pcap_src_result pcap_src_next(pcap_src *src, ingest_packet *out);

/** pcap_src_error returns the line for the last PCAP_SRC_ERROR, for instance that the file is cut
 * short. */
const char *pcap_src_error(const pcap_src *src);

/** pcap_src_progress returns octets read so far and the size of the file in octets (0 when not
 * known). */
void pcap_src_progress(const pcap_src *src, uint64_t *done, uint64_t *total);

void pcap_src_close(pcap_src *src);

#endif
