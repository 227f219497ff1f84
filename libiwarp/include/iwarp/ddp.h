/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP segments: the tagged and untagged header (RFC 5041 4). */
#ifndef IWARP_DDP_H
#define IWARP_DDP_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IWARP_DDP_TAGGED_LEN 14u   /* octets */
#define IWARP_DDP_UNTAGGED_LEN 18u /* octets */
#define IWARP_DDP_VERSION 1u       /* DV of RFC 5041; 0 is the RDMA Consortium's */

#define IWARP_DDP_CTRL_T 0x80u    /* Tagged flag */
#define IWARP_DDP_CTRL_L 0x40u    /* Last flag */
#define IWARP_DDP_CTRL_RSVD 0x3Cu /* reserved bits */
#define IWARP_DDP_CTRL_DV 0x03u   /* DDP Version */

/**
 * iwarp_ddp_hdr is the header of one DDP Segment, every bit of it. RFC 5041 4.1 to 4.3.
 *
 * stag and to are meaningful when `tagged`, rsvdulp_word, qn, msn and mo when not; the others are 0
 * then.
 */
typedef struct iwarp_ddp_hdr {
  bool tagged;           /* T */
  bool last;             /* L */
  uint8_t rsvd;          /* 4 bits, reserved */
  uint8_t dv;            /* 2 bits */
  uint8_t rsvdulp;       /* first octet of RsvdULP: RDMAP's control field */
  uint32_t stag;         /* tagged */
  uint64_t to;           /* tagged */
  uint32_t rsvdulp_word; /* untagged: the other four octets of RsvdULP: RDMAP's Invalidate STag */
  uint32_t qn;           /* untagged */
  uint32_t msn;          /* untagged */
  uint32_t mo;           /* untagged */
} iwarp_ddp_hdr;

/** iwarp_ddp_hdr_len returns the octets of the header whose first octet is `control`: 14 or 18 by
 * its T bit. */
IWARP_API size_t iwarp_ddp_hdr_len(uint8_t control);

/**
 * iwarp_ddp_hdr_decode decodes the header at the front of the segment `in`.
 *
 * Returns OK (`used` is 14 or 18; what follows is ULP Payload) or NEED_MORE. Versions and reserved
 * bits are carried, not judged.
 */
IWARP_API iwarp_dec iwarp_ddp_hdr_decode(iwarp_ddp_hdr *out, iwarp_span in);

/**
 * iwarp_ddp_hdr_peek decodes as much of the header as the octets `in` hold, and returns how many
 * octets of it these are (0 to 18). Fields that do not lie within them are 0. For captures that cut
 * a packet.
 */
IWARP_API size_t iwarp_ddp_hdr_peek(iwarp_ddp_hdr *out, iwarp_span in);

/**
 * iwarp_ddp_hdr_encode writes the header; `dst` NULL with `cap` 0 asks for the size. NOBUF; ARG:
 * rsvd above 4 bits or dv above 2 bits.
 */
IWARP_API iwarp_err iwarp_ddp_hdr_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                         const iwarp_ddp_hdr *v);

#ifdef __cplusplus
}
#endif

#endif
