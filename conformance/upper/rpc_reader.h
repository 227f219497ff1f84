/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the words of XDR from a Send, as far as it is there. RFC 4506 */
#ifndef UPPER_RPC_READER_H
#define UPPER_RPC_READER_H

#include "upper_priv.h"

/* rpc_reader is a header as it is read, word by word. */
typedef struct rpc_reader {
  const upper_send *m;
  size_t at;
  bool failed;      /* the Send, or UPPER_HEAD, ended */
  bool read_chunks; /* the Read list has an item */
} rpc_reader;

static inline uint32_t rpc_word(rpc_reader *r) {
  if (r->failed || r->m->len - r->at < 4) {
    r->failed = true;
    return 0;
  }
  r->at += 4;
  return upper_be32(r->m->head + r->at - 4);
}

static inline void rpc_skip(rpc_reader *r, size_t octets) {
  if (r->failed || r->m->len - r->at < octets) {
    r->failed = true;
  } else {
    r->at += octets;
  }
}

/* An array whose elements have `size` octets, or octets that end on a word. */
static inline void rpc_array(rpc_reader *r, size_t size) {
  const size_t n = rpc_word(r);
  if (n > UPPER_HEAD) {
    r->failed = true;
  }
  rpc_skip(r, r->failed ? 0 : (n * size + 3) / 4 * 4);
}

#endif
