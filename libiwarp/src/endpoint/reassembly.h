/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets of an endpoint's peer that are no whole FPDU yet. */
#ifndef IWARPI_ENDPOINT_REASSEMBLY_H
#define IWARPI_ENDPOINT_REASSEMBLY_H

#include <iwarp/base.h>

#include "segment.h"

typedef struct ep_reassembly {
  uint64_t next;    /* stream offset of the FPDU that is due */
  size_t have;      /* octets of it in buf */
  size_t held;      /* octets in buf that came before the ULP has accepted the Reply */
  bool released;    /* they are the input */
  bool left;        /* octets of the FPDU that is due were left with the caller */
  bool lent;        /* what was pushed last, or came before accept, has been put together in buf */
  bool starved;     /* the pool had no memory for more */
  ep_landed landed; /* of the FPDU that is due */
  size_t cap;       /* octets of the longest FPDU */
  size_t room;      /* octets of buf: cap, or with a pool what was wanted so far */
  uint8_t *buf;
  const iwarp_pool *pool;           /* or NULL */
  uint8_t hdr[IWARP_RDMAP_HDR_MAX]; /* headers of an FPDU that a Marker cut, joined */
} ep_reassembly;

bool iwarpi_ep_reserve(ep_reassembly *a, size_t octets);
void iwarpi_ep_trim(ep_reassembly *a);

#endif
