/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections without iWARP of all shards: lines of one kind are added up. */
#ifndef CLI_MERGE_TRANSPORT_H
#define CLI_MERGE_TRANSPORT_H

#include <report/out_buf.h>

#include "merge_part.h"

/** merge_transport is a line that waits for the lines of the other shards. */
typedef struct merge_transport {
  char *text;       /* line up to its count; the value of `diagnosis` follows, if there is any */
  size_t len;       /* octets of `text` up to its count */
  size_t reason_at; /* offset of the value of `diagnosis` in the line */
  size_t reason_len;
  size_t host_at;  /* offset in `text` of the client's address without the port */
  size_t host_len; /* octets of that address */
  size_t rest_at;  /* offset in `text` of the octets after the client */
  uint64_t count;
  uint64_t packet;
  bool other; /* the line stands for connections of any kind */
} merge_transport;

/** merge_transports holds the lines of one capture; all zeros are an empty list. */
typedef struct merge_transports {
  merge_transport *of;
  size_t num;
  size_t cap;
  uint64_t at; /* place of the lines in the run */
} merge_transports;

/** merge_transports_add takes a line of kind TRANSPORT; false: a message has said what is wrong. */
bool merge_transports_add(merge_transports *t, const merge_part *p);

/** merge_transports_write writes and forgets all lines. */
void merge_transports_write(merge_transports *t, out_buf *out);

/** merge_transports_free gives the memory back. */
void merge_transports_free(merge_transports *t);

#endif
