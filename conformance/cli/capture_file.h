/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture file of packets, without anything else. */
#ifndef CLI_CAPTURE_FILE_H
#define CLI_CAPTURE_FILE_H

#include <ingest/ingest.h>
#include <report/out_buf.h>

#define CAPTURE_FILE_LINKS 32u /* link types of one capture */

/** capture_file is a capture that is written: pcap, or pcapng with one interface a link type. */
typedef struct capture_file {
  out_buf *out;
  bool ng;
  size_t num_links;
  int link[CAPTURE_FILE_LINKS];
} capture_file;

/** capture_file_begin begins the capture; the name of a pcapng file ends so. */
void capture_file_begin(capture_file *f, out_buf *out, const char *path);

/** capture_file_packet writes a packet; false: the format does not hold its link type beside those
 * before it. */
bool capture_file_packet(capture_file *f, const ingest_packet *pkt);

/** capture_file_end ends the capture. */
void capture_file_end(capture_file *f);

#endif
