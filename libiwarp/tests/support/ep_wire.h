/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint whose peer is the test, which makes each FPDU by hand. */
#ifndef TEST_SUPPORT_EP_WIRE_H
#define TEST_SUPPORT_EP_WIRE_H

#include "ep_host.h"

typedef struct wire {
  ep_host *h;
  uint64_t off;  /* stream offset of the peer's next FPDU */
  uint64_t last; /* and of the one before it */
  bool markers;
} wire;

#define WIRE_TOP UINT64_C(0xFFFFFFFFFFFFFF00)

/* wire_cfg is what wire_new makes of its arguments; wire_of takes any configuration like it. */
iwarp_endpoint_cfg wire_cfg(bool markers, bool crc, bool base_only);

/*
 * wire_new makes an Initiator in Full Operation that has sent an empty Send. Regions: 1 readable,
 * writable, atomic at 0x1000, 64 octets, memory at 1 so that TO 0x1007 is aligned; 2 of another
 * Protection Domain; 3 local; 4 invalidated; 5 writable, ends below 2^64. Receive buffers 10 and 11
 * of 16 octets at 1024 and 1040.
 */
wire wire_new(bool markers, bool crc, bool base_only);
wire wire_of(const iwarp_endpoint_cfg *cfg);

/* wire_bare makes one without regions and receive buffers. */
wire wire_bare(const iwarp_endpoint_cfg *cfg);
void wire_free(wire *w);

/* wire_make makes the peer's next FPDU; `spoil` is XORed to octet `at` of its wire form. */
size_t wire_make(wire *w, uint8_t *octets, size_t cap, const uint8_t *ulpdu, size_t n, size_t at,
                 uint8_t spoil);
/* wire_ulpdu sends it. */
void wire_ulpdu(wire *w, const uint8_t *ulpdu, size_t n, size_t at, uint8_t spoil);

/* A segment to send: header fields and `len` octets of `inner`, or zeros. */
typedef struct seg {
  bool tagged;
  bool more; /* L is 0 */
  uint8_t opcode;
  uint8_t dv_xor;
  uint8_t rv_xor;
  uint32_t stag; /* or Invalidate STag */
  uint64_t to;
  uint32_t qn;
  uint32_t msn; /* 0: 1 */
  uint32_t mo;
  size_t len;
  uint8_t inner[IWARP_RDMAP_ATOMIC_REQ_LEN];
} seg;

size_t seg_ulpdu(uint8_t *dst, size_t cap, const seg *s);
void wire_seg(wire *w, const seg *s);
seg read_seg(iwarp_rdmap_read_req req);
seg atomic_seg(iwarp_rdmap_atomic_req req);

/*
 * expect_fault: the endpoint found `word` and sends the Terminate for it; `ulpdu` is what it
 * blames, NULL where no header is returned: the last FPDU. RFC 5040 4.8 figure 10
 */
void expect_fault(wire *w, uint32_t word, const uint8_t *ulpdu, size_t n);

/* wire_last_terminate takes the FPDUs that the endpoint sends, and adds the octets of Read
 * Responses to `*responded`. The last FPDU must be a Terminate without Markers. */
iwarp_rdmap_term wire_last_terminate(wire *w, uint32_t *responded);

#endif
