/* SPDX-License-Identifier: BSD-2-Clause */
/* The message of its peer that an endpoint receives, in order. */
#ifndef IWARPI_ENDPOINT_MESSAGE_H
#define IWARPI_ENDPOINT_MESSAGE_H

#include <iwarp/endpoint.h>

/* The message that is being received. */
typedef struct ep_message {
  bool active; /* its last segment has not come */
  uint8_t opcode;
  uint32_t mo; /* untagged: octets so far */
} ep_message;

/* What is received, in order. */
typedef struct ep_receiving {
  ep_message msg;
  uint32_t msn[4]; /* that the next message on each queue has */
  uint32_t inner_len;
  uint8_t inner[IWARP_RDMAP_TERM_MAX]; /* RDMAP header octets of the message */
  bool delivering;                     /* `delivery` is to be reported */
  bool term_readable;                  /* the Terminate that came: `inner` */
  iwarp_rdmap_term_place term_place;   /* where it stands */
  iwarp_endpoint_received delivery;
} ep_receiving;

#endif
