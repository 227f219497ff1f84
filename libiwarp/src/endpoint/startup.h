/* SPDX-License-Identifier: BSD-2-Clause */
/* The startup frames of an endpoint and of its peer. */
#ifndef IWARPI_ENDPOINT_STARTUP_H
#define IWARPI_ENDPOINT_STARTUP_H

#include <iwarp/endpoint.h>
#include <iwarp/mpa.h>

#include "machine.h"
#include "pushed.h"

#define EP_FRAME_MAX (IWARP_MPA_STARTUP_LEN + IWARP_MPA_PRIVATE_DATA_MAX)
#define EP_FRAMES_LEN (2u * EP_FRAME_MAX) /* bytes of memory for both frames */
#define EP_REV_ENHANCED 2u

/* What the frames settle: members of iwarp_endpoint_info. */
typedef struct ep_terms {
  uint8_t rev;
  bool enhanced;
  bool peer_to_peer;
  bool markers_out;
  bool markers_in;
  bool crc;
  uint8_t rtr;
  uint16_t ird;
  uint16_t ord;
} ep_terms;

typedef struct ep_startup {
  ep_terms terms;
  bool sent_enhanced;
  iwarp_mpa_enhanced peer_enh; /* zero where there are none */
  iwarp_mpa_startup peer_frame;
  iwarp_span ulp_data; /* of the call that is under way */
  size_t in_len;
  size_t out_len;
  size_t out_taken;
  bool lent;              /* octets of `out` were handed out and not taken */
  uint8_t *in;            /* the peer's frame, EP_FRAME_MAX octets */
  uint8_t *out;           /* this side's, as many */
  const iwarp_pool *pool; /* of both, until the startup is over; or NULL */
} ep_startup;

/* What startup.c sees of an endpoint. */
typedef struct ep_negotiating {
  ep_startup *startup;
  ep_pushed *pushed;
  const iwarp_endpoint_cfg *cfg;
  iwarp_endpoint_closed *closed; /* why a frame was refused */
} ep_negotiating;

void iwarpi_ep_startup_memory(ep_startup *s, void *block);
bool iwarpi_ep_startup_reserve(ep_startup *s);
void iwarpi_ep_startup_release(ep_startup *s);

void iwarpi_ep_make_frame(const ep_negotiating *n, bool reply, bool reject);
ep_input iwarpi_ep_collect(const ep_negotiating *n);
uint16_t iwarpi_ep_settle(const ep_negotiating *n);
void iwarpi_ep_startup_event(const ep_negotiating *n, iwarp_ev_startup *out);

#endif
