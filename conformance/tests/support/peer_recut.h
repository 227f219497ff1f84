/* SPDX-License-Identifier: BSD-2-Clause */
/* Cuts the DDP Messages of a stream into shorter DDP Segments, which RFC 5041 5.2 permits. */
#ifndef PEER_RECUT_H
#define PEER_RECUT_H

#include <iwarp/mpa.h>

/* peer_recut is a stream whose messages get other segments. */
typedef struct peer_recut {
  size_t most;  /* octets of payload in a segment; 0: the octets stay as they are */
  uint64_t in;  /* octets of Full Operation before the cut */
  uint64_t out; /* the same after it */
  uint8_t octets[1 << 20];
  size_t len;
} peer_recut;

/* peer_recut_begin begins a stream. */
void peer_recut_begin(peer_recut *r, size_t most);

/* peer_recut_take cuts octets: a startup frame, or whole FPDUs. The result is valid until the next
 * call. */
iwarp_span peer_recut_take(peer_recut *r, iwarp_span in, bool markers);

#endif
