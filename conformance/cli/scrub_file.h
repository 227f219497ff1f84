/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture file of packets, without anything else. */
#ifndef CLI_SCRUB_FILE_H
#define CLI_SCRUB_FILE_H

#include <ingest/ingest.h>
#include <report/out_buf.h>

#define SCRUB_FILE_LINKS 32u /* link types of one capture */

/** scrub_file is a capture that is written: pcap, or pcapng with one interface a link type. */
typedef struct scrub_file {
  out_buf *out;
  bool ng;
  size_t num_links;
  int link[SCRUB_FILE_LINKS];
} scrub_file;

/** scrub_file_begin begins the capture; the name of a pcapng file ends so. */
void scrub_file_begin(scrub_file *f, out_buf *out, const char *path);

/** scrub_file_packet writes a packet; false: the format does not hold its link type beside those
 * before it. */
bool scrub_file_packet(scrub_file *f, const ingest_packet *pkt);

/** scrub_file_end ends the capture. */
void scrub_file_end(scrub_file *f);

#endif
