/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by all targets: the form of the input, parameters at its tail, the end of an oracle. */
#ifndef FUZZ_SUPPORT_FUZZ_H
#define FUZZ_SUPPORT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <iwarp/base.h>

/*
 * An input is a body and FUZZ_TAIL octets of parameters after it, read from the last one back. So a
 * vector or a stream with any tail is a valid input. An input shorter than the tail has no body;
 * what is missing of the tail is 0. The last octet belongs to the mutator (FUZZ_KEEP_BROKEN,
 * FUZZ_KEEP_MSN).
 */
#define FUZZ_TAIL 8u
#define FUZZ_BODY_MAX 131072u  /* octets; longer inputs are not interesting */
#define FUZZ_KEEP_BROKEN 0x80u /* the mutator mends nothing in this input */
#define FUZZ_KEEP_MSN 0x40u    /* the mutator leaves MSNs as they are */

/* How the mutator walks the body of an input: X(name, text). */
#define FUZZ_FORM_MAP(X)                                                                           \
  X(OCTETS, "octets")   /* octets of unknown meaning */                                            \
  X(STARTUP, "startup") /* an MPA Request or Reply Frame */                                        \
  X(FPDU, "fpdu")       /* FPDUs, the first one at the stream offset of fuzz_fpdu_offset */        \
  X(SEGMENT, "segment") /* a DDP Segment */                                                        \
  X(SCRIPT, "script")   /* records with the octets of two streams, see script.h */                 \
  X(CAPTURE, "capture") /* a pcap file */

typedef enum fuzz_form {
#define FUZZ_FORM_ENUM(name, text) FUZZ_FORM_##name,
  FUZZ_FORM_MAP(FUZZ_FORM_ENUM)
#undef FUZZ_FORM_ENUM
} fuzz_form;

/* Each target defines these two. */
extern const fuzz_form fuzz_target_form;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An input taken apart. */
typedef struct fuzz_in {
  const uint8_t *body;
  size_t len;
  uint8_t tail[FUZZ_TAIL];
  size_t taken; /* octets of the tail, from its end */
} fuzz_in;

/* fuzz_begin takes an input apart; a body above FUZZ_BODY_MAX is cut. */
fuzz_in fuzz_begin(const uint8_t *data, size_t size);

/* These take the next parameter of the tail; 0 when nothing is left. */
uint8_t fuzz_u8(fuzz_in *in);
uint16_t fuzz_u16(fuzz_in *in);
uint32_t fuzz_u32(fuzz_in *in);
bool fuzz_bool(fuzz_in *in);

/* fuzz_take takes an octet off the front of `tape`; 0 when nothing is left. */
uint8_t fuzz_take(iwarp_span *tape);

/* fuzz_span returns the body in memory that a read past its end faults in; until the next call. */
iwarp_span fuzz_span(const fuzz_in *in);

/* Stream offset and Markers of an FPDU input: the tail says both. */
typedef struct fuzz_fpdu_place {
  uint64_t off;
  bool markers;
} fuzz_fpdu_place;
fuzz_fpdu_place fuzz_fpdu_place_of(fuzz_in *in);

/* fuzz_expect stops the program, with a line on standard error, when an oracle is violated. */
#define fuzz_expect(condition, ...)                                                                \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fuzz_fail(__FILE__, __LINE__, __VA_ARGS__);                                                  \
    }                                                                                              \
  } while (0)
__attribute__((format(printf, 3, 4), noreturn)) void fuzz_fail(const char *file, int line,
                                                               const char *format, ...);

/* fuzz_same expects `n` octets to be those at the front of `in`. */
void fuzz_same(iwarp_span in, const uint8_t *octets, size_t n, const char *what);

/* fuzz_decoded checks what every decoder promises of its result. */
void fuzz_decoded(iwarp_dec d, iwarp_span in, const char *what);

/*
 * FUZZ_CODEC(noun) makes noun_holds(in): what decodes is encoded to the same octets, the encoder
 * tells its size, and refuses a destination that is one octet too small. True when it decoded.
 */
#define FUZZ_CODEC(noun)                                                                           \
  static bool noun##_holds(iwarp_span in) {                                                        \
    static uint8_t out[FUZZ_BODY_MAX];                                                             \
    iwarp_##noun v;                                                                                \
    size_t n = 0;                                                                                  \
    size_t size = 0;                                                                               \
    const iwarp_dec d = iwarp_##noun##_decode(&v, in);                                             \
    fuzz_decoded(d, in, #noun);                                                                    \
    if (d.err != IWARP_OK) {                                                                       \
      return false;                                                                                \
    }                                                                                              \
    fuzz_expect(iwarp_##noun##_encode(out, sizeof out, &n, &v) == IWARP_OK, #noun " encode");      \
    fuzz_expect(n == d.used, #noun ": %zu octets decoded, %zu encoded", d.used, n);                \
    fuzz_same(in, out, n, #noun);                                                                  \
    fuzz_expect(n == 0 || iwarp_##noun##_encode(out, n - 1, &size, &v) == IWARP_ERR_NOBUF,         \
                #noun " in too small a place");                                                    \
    fuzz_expect(iwarp_##noun##_encode(NULL, 0, &size, &v) != IWARP_ERR_ARG && size == n,           \
                #noun ": size %zu, not %zu", size, n);                                             \
    return true;                                                                                   \
  }

#endif
