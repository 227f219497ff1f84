/* SPDX-License-Identifier: BSD-2-Clause */
/* Octet spans, result values and error names shared by every layer of libiwarp. */
#ifndef IWARP_BASE_H
#define IWARP_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <iwarp/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * iwarp_span names octets that belong to somebody else.
 *
 * It borrows them: it is valid as long as the octets it points to. An empty span may have a NULL
 * pointer; a span with a length has a pointer to that many octets.
 */
typedef struct iwarp_span {
  const uint8_t *ptr; /* the first octet; not owned */
  size_t len;         /* octets */
} iwarp_span;

/**
 * IWARP_ERR_MAP lists what is not IWARP_OK: X(name, value, class, sentence). Values are part of the
 * API and never change. > 0 is flow control and no error; -1..-99 is the caller's fault; -1xx, -2xx
 * and -3xx say that octets of the peer are structurally undecodable at the MPA, DDP and RDMAP
 * layer; -4xx say what became of a connection of iwarp_endpoint, or of an operation on it.
 */
#define IWARP_ERR_MAP(X)                                                                           \
  X(NEED_MORE, 1, FLOW, "more octets are needed")                                                  \
  X(END, 2, FLOW, "nothing is left")                                                               \
  X(ARG, -1, CALLER, "an argument is outside its documented range")                                \
  X(STATE, -2, CALLER, "the call is not allowed in this state")                                    \
  X(NOBUF, -3, CALLER, "no room in the memory given, in a list, or in the pool")                   \
  X(ORD, -4, CALLER, "ORD is 0: no RDMA Read or Atomic Request may be outstanding")                \
  X(MPA_KEY, -101, MPA, "the key of an MPA Request or Reply Frame is wrong")                       \
  X(MPA_REV, -102, MPA, "the MPA revision is not supported")                                       \
  X(MPA_PD_LENGTH, -103, MPA, "PD_Length does not match the Private Data")                         \
  X(MPA_ENHANCED, -104, MPA, "the Private Data is too short for the enhanced connection data")     \
  X(MPA_CRC, -105, MPA, "the CRC32c of an FPDU is wrong")                                          \
  X(MPA_MARKER, -106, MPA, "a Marker and the ULPDU_Length disagree about the start of an FPDU")    \
  X(MPA_ULPDU_LENGTH, -107, MPA, "the ULPDU_Length cannot be encoded with Markers")                \
  X(DDP_SHORT, -201, DDP, "the ULPDU is too short for its DDP header")                             \
  X(RDMAP_SHORT, -301, RDMAP, "the segment is too short for its RDMAP header")                     \
  X(RDMAP_LONG, -302, RDMAP, "octets follow the RDMAP header of a message without payload")        \
  X(RDMAP_TERM_TRUNCATED, -303, RDMAP, "the Terminate ends before a header that it announces")     \
  X(RDMAP_TERM_HDRCT, -304, RDMAP, "the Terminate announces an RDMAP header without a DDP header") \
  X(FLUSHED, -401, CONNECTION, "the connection ended before the operation or buffer was done")     \
  X(REFUSED, -402, CONNECTION, "the peer refused it")                                              \
  X(TERMINATED, -403, CONNECTION, "the peer ended the connection with a Terminate")                \
  X(FAULT, -404, CONNECTION, "an error was found on this side, which ended the connection")        \
  X(EOF, -405, CONNECTION, "the peer closed before it had sent all expected octets")               \
  X(LOST, -406, CONNECTION, "the transport connection was lost")                                   \
  X(TIMEOUT, -407, CONNECTION, "the peer did not answer in time")                                  \
  X(ABORTED, -408, CONNECTION, "this side gave the connection up")

/** iwarp_err is the result of a call: 0 success, positive flow control, negative an error. */
typedef enum iwarp_err {
  IWARP_OK = 0, /* success */
/** IWARP_ERR_ENUM makes the enumerator of a row; undefined again after the list. */
#define IWARP_ERR_ENUM(name, value, class_, sentence) IWARP_ERR_##name = (value),
  IWARP_ERR_MAP(IWARP_ERR_ENUM)
#undef IWARP_ERR_ENUM
} iwarp_err;

/** enum iwarp_err_class says whose business an error is. */
enum iwarp_err_class {
  IWARP_ERR_CLASS_OK,        /* success */
  IWARP_ERR_CLASS_FLOW,      /* no error: call again with more, or stop */
  IWARP_ERR_CLASS_CALLER,    /* the program that uses the library */
  IWARP_ERR_CLASS_MPA,       /* the peer's octets, MPA layer */
  IWARP_ERR_CLASS_DDP,       /* the peer's octets, DDP layer */
  IWARP_ERR_CLASS_RDMAP,     /* the peer's octets, RDMAP layer */
  IWARP_ERR_CLASS_CONNECTION /* the fate of a connection */
};

/**
 * iwarp_strerror returns one sentence in English for `err`, without a full stop. Never NULL; static
 * storage.
 */
IWARP_API const char *iwarp_strerror(iwarp_err err);

/**
 * iwarp_errname returns the identifier of `err` ("IWARP_ERR_MPA_CRC"). Never NULL; static storage.
 */
IWARP_API const char *iwarp_errname(iwarp_err err);

/**
 * IWARP_NAME_UNKNOWN is the text that a function `iwarp_..._name` returns for a value that has no
 * name. No such function returns NULL.
 */
#define IWARP_NAME_UNKNOWN "unknown"

/** iwarp_name_known returns whether `name`, which a function `iwarp_..._name` returned, is a name
 * and not IWARP_NAME_UNKNOWN. */
IWARP_API bool iwarp_name_known(const char *name);

/**
 * iwarp_err_class returns whose business `err` is; a value that is no iwarp_err is the caller's.
 */
IWARP_API enum iwarp_err_class iwarp_err_class(iwarp_err err);

/**
 * iwarp_dec is what a decoder returns.
 *
 * OK: `used` octets of the input were decoded. NEED_MORE: `need` octets are wanted in all, counted
 * from the start of the input. Any other error: `used` is the offset of the first offending octet.
 * The output of the decoder is written only when `err` is OK.
 */
typedef struct iwarp_dec {
  iwarp_err err; /* OK, NEED_MORE or an error */
  size_t used;   /* octets decoded; of an error the offset of the octet */
  size_t need;   /* NEED_MORE: octets wanted in all */
} iwarp_dec;

/**
 * iwarp_pool is memory of the caller from which an engine takes what its connection needs at the
 * time, and to which it gives that back. It must outlive the engine; several engines may share one.
 */
typedef struct iwarp_pool {
  void *ctx; /* handed to both */
  /** returns `size` bytes that hold anything, aligned as max_align_t, or NULL: none now. It must
   * not call the engine. */
  void *(*get)(void *ctx, size_t size);
  /** takes back what `get` returned for the same size. It must not call the engine. */
  void (*put)(void *ctx, void *block, size_t size);
} iwarp_pool;

#ifdef __cplusplus
}
#endif

#endif
