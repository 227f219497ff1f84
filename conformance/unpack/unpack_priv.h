/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the forms share. */
#ifndef UNPACK_PRIV_H
#define UNPACK_PRIV_H

#include <unpack/unpack.h>

#include <memory/memory.h>

struct unpack {
  unpack_form form;
  void *state;        /* state of the library */
  const char *reason; /* text of the error */
  size_t want;        /* zstd, lz4: octets up to the end of the next block */
  size_t padding;     /* gzip, xz: zeros since the last member or stream */
  size_t taken;       /* zstd: octets of the frame */
  bool may_end;
  bool too_large; /* zstd, xz: for UNPACK_WINDOW_MAX */
};

/** unpack_library is how a form is unpacked. */
typedef struct unpack_library {
  bool (*open)(unpack *u); /* false without memory */
  bool (*step)(unpack *u, unpack_piece *p);
  void (*close)(unpack *u);
} unpack_library;

extern const unpack_library unpack_gzip;
extern const unpack_library unpack_zstd;
extern const unpack_library unpack_lz4;
extern const unpack_library unpack_xz;

/** unpack_damaged notes an error; always false. */
static inline bool unpack_damaged(unpack *u, const char *reason) {
  u->reason = reason;
  return false;
}

/** unpack_no_memory notes that a library ran out of memory; always false. */
static inline bool unpack_no_memory(unpack *u) {
  memory_failed();
  return unpack_damaged(u, "out of memory");
}

/** unpack_refused notes that a file needs more memory than it gets; always false. */
static inline bool unpack_refused(unpack *u) {
  u->too_large = true;
  return unpack_damaged(u, "needs more than 128 MiB of memory");
}

/** unpack_skip_zeros goes past zeros between two members or streams; returns whether there is an
 * octet after them. */
static inline bool unpack_skip_zeros(unpack *u, unpack_piece *p) {
  while (p->used < p->in_len && p->in[p->used] == 0) {
    p->used++;
    u->padding++;
  }
  return p->used < p->in_len;
}

/** unpack_block returns how much of a piece to give to a library: not more than the block that it
 * asked for, since what is damaged takes all of a call with it. */
static inline size_t unpack_block(const unpack *u, const unpack_piece *p) {
  return p->in_len < u->want ? p->in_len : u->want;
}

#endif
