/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock of an endpoint, what it has to report about the connection, and how that ends. */
#ifndef IWARPI_ENDPOINT_END_H
#define IWARPI_ENDPOINT_END_H

#include "machine.h"

/* Things to report, each at most once in the life of an endpoint. */
#define EP_NOTICES_MAX 8u

typedef struct ep_clock {
  bool known; /* `now` was given; before, times count from 0 and are moved then */
  uint64_t now;
  uint64_t deadline;
  uint64_t idle_at; /* Full Operation: IDLE is due then */
  bool idle;        /* it is to be reported */
  bool tx_started;  /* what the peer waits for before its first FPDU was handed out */
} ep_clock;

typedef struct ep_end {
  bool term_taken;    /* the transport took the Terminate */
  bool rx_closed;     /* nothing more is received */
  bool close_pending; /* the end is to be reported when all else was */
  bool send_failed;   /* the transport takes no octets any more */
  bool reply_due;     /* CLOSED waits until the rejecting Reply is sent */
  ep_input input;     /* the latest */
  iwarp_endpoint_closed closed;
  uint8_t num_notices;
  uint8_t reported; /* of them */
  uint8_t notices[EP_NOTICES_MAX];
} ep_end;

#endif
