/* SPDX-License-Identifier: BSD-2-Clause */
/* The packets of several captures in the order of their times. */
#ifndef CLI_JOINED_H
#define CLI_JOINED_H

#include <ingest/pcap_src.h>

/** JOINED_OPEN_MAX is the number of captures that may overlap at a time. Packets of further ones
 * come late. */
#define JOINED_OPEN_MAX 64u

/** joined_calls is what happens to each capture. A number is its place in the order. */
typedef struct joined_calls {
  void *ctx;
  /* Opens capture `i`; NULL: it cannot be read, which a message reports. */
  pcap_src *(*open)(void *ctx, size_t i);
  /* The first packet of capture `i` comes next; or NULL. */
  void (*begin)(void *ctx, size_t i);
  /* Reads the next packet of capture `i`. */
  pcap_src_result (*next)(void *ctx, size_t i, pcap_src *src, ingest_packet *packet);
  /* Reading of capture `i` ended so; `src` is closed after this. */
  void (*end)(void *ctx, size_t i, pcap_src *src, pcap_src_result result);
} joined_calls;

typedef struct joined joined;

/** joined_new makes a reader of `num` captures, which are in the order of their first packets.
 * NULL: no memory. The calls are copied. */
joined *joined_new(const joined_calls *calls, size_t num);

/**
 * joined_next compares the next packets of all captures and returns the earliest one. Where times
 * are equal, the first capture goes first. The packet lasts until the next call; *from is its
 * capture. False: no packet is left, or pcap_src_stop_by ended the reading.
 */
bool joined_next(joined *j, ingest_packet *out, size_t *from);

/** joined_source returns the source of the last packet. */
pcap_src *joined_source(const joined *j);

/** joined_late returns true if packets came after later ones, since too many captures overlap. */
bool joined_late(const joined *j);

/** joined_free closes what is open, without calls of `end`; NULL is fine. */
void joined_free(joined *j);

#endif
