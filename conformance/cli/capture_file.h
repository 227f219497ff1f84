/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture file that holds packets, their comments and nothing else. */
#ifndef CLI_CAPTURE_FILE_H
#define CLI_CAPTURE_FILE_H

#include <ingest/ingest.h>
#include <report/out_buf.h>

#define CAPTURE_FILE_LINKS 65536u /* link types of packets: pcapng has 16 bits for them */

/** capture_file is a capture that is written: pcap, or pcapng with one interface for each link
 * type. */
typedef struct capture_file {
  out_buf *out;
  bool ng;
  uint32_t num_interfaces;
  uint32_t *interfaces; /* number of the interface plus 1, by link type; 0: none was written */
} capture_file;

/** capture_file_is_ng says whether a file with this name is a pcapng file: it ends in ".pcapng". */
bool capture_file_is_ng(const char *path);

/** capture_file_begin begins a capture; false: no memory. Call capture_file_free in either case. */
bool capture_file_begin(capture_file *f, out_buf *out, bool ng);

/** capture_file_packet writes a packet with its comments, which a pcap file does not hold; NULL:
 * none. It returns false if the file is pcap and has packets of another link type. */
bool capture_file_packet(capture_file *f, const ingest_packet *pkt, const out_buf *comments);

/** capture_file_end ends the capture. A capture without packets is a capture, too. */
void capture_file_end(capture_file *f);

/** capture_file_free gives the memory of the table back. */
void capture_file_free(capture_file *f);

#endif
