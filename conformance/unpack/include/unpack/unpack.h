/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed octets unpacked piece by piece: opens nothing, and knows no captures. */
#ifndef UNPACK_UNPACK_H
#define UNPACK_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** unpack_form is a compression. Each has a library of its own, and can be left out of a build. */
typedef enum unpack_form {
  UNPACK_PLAIN = 0, /* no known form */
  UNPACK_GZIP,      /* RFC 1952 */
  UNPACK_ZSTD,      /* RFC 8878 */
  UNPACK_LZ4,       /* the frame format */
  UNPACK_XZ,
  UNPACK_LZ4_LEGACY /* written by `lz4 -l`: known, so that it can be named; no build reads it */
} unpack_form;

#define UNPACK_MAGIC_MAX 6u /* octets that tell the form of a file */

/** Memory, in octets, of a window or a dictionary: what asks for more is refused. */
#define UNPACK_WINDOW_MAX (128u * 1024u * 1024u)

/** unpack_form_of returns the form of a file that begins with `len` octets at `octets`; fewer than
 * UNPACK_MAGIC_MAX are enough when the file has no more. */
unpack_form unpack_form_of(const uint8_t *octets, size_t len);

/** unpack_may_begin says whether a file of some form but PLAIN begins with this octet; no capture
 * does. */
bool unpack_may_begin(uint8_t octet);

/** unpack_form_name returns "gzip", "zstd", "lz4", "xz", "lz4 -l", or NULL for PLAIN. */
const char *unpack_form_name(unpack_form form);

/** unpack_part_name returns what a file of this form is made of, one or several, one after the
 * other: "member", "frame", "stream"; NULL for PLAIN. */
const char *unpack_part_name(unpack_form form);

/** unpack_form_built says whether this build has the library of the form. */
bool unpack_form_built(unpack_form form);

/** unpack is a file on its way. */
typedef struct unpack unpack;

/** unpack_piece is the input and output of one step: less than 4 GiB. */
typedef struct unpack_piece {
  const uint8_t *in;
  size_t in_len;
  uint8_t *out;
  size_t out_len; /* room */
  size_t used;    /* octets of `in` that were used */
  size_t made;    /* octets made at `out` */
} unpack_piece;

/** unpack_new returns the start of a file; NULL without memory, or when unpack_form_built says no.
 */
unpack *unpack_new(unpack_form form);

/**
 * unpack_step unpacks some of `in` to `out` and sets `used` and `made`; both are 0 when it needs
 * more than `in` has. Without `in` it makes what was kept back for want of room. Returns false when
 * the octets are damaged: then unpack_reason says why, what was made is good, in this call too, and
 * no other call may follow.
 */
bool unpack_step(unpack *u, unpack_piece *p);

/** unpack_may_end says whether the file is whole if it ends here: no member, frame or stream is
 * begun and not ended. */
bool unpack_may_end(const unpack *u);

/** unpack_reason returns the error, one line in the words of the library. */
const char *unpack_reason(const unpack *u);

/** unpack_too_large says whether what ended it is no damage, but a window or a dictionary that
 * needs more than UNPACK_WINDOW_MAX. */
bool unpack_too_large(const unpack *u);

/** unpack_free gives the memory back; NULL is allowed. */
void unpack_free(unpack *u);

#endif
