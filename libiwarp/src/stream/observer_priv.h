/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of an observer, shared by its source files. */
#ifndef IWARPI_STREAM_CONN_PRIV_H
#define IWARPI_STREAM_CONN_PRIV_H

#include <iwarp/event.h>
#include <iwarp/observer.h>
#include <iwarp/rx.h>

#include "rx_priv.h"

/* Where the stream of one side stands. */
typedef enum obs_phase {
  OBS_SCAN = 0, /* streaming mode: a startup key is looked for */
  OBS_FRAME,    /* inside a startup frame, whose first octets are in the buffer */
  OBS_SKIP,     /* after a gap inside the Private Data of a startup frame that was reported */
  OBS_READY,    /* after the startup frame, nothing of Full Operation seen */
  OBS_FULL,     /* Full Operation: the receive engine works */
  OBS_REFUSED,  /* after a rejecting Reply */
  OBS_ENDED
} obs_phase;

typedef struct obs_stream {
  obs_phase phase;
  bool past_start; /* OBS_SCAN: octets went before, so a key needs likely fields after it */
  uint64_t skip;   /* OBS_SKIP: octets left */
  iwarp_end end;   /* how it ends, as the caller said */
} obs_stream;

/*
 * The input, the position and the buffer of each side are those of its receive engine from the
 * first octet on.
 */
struct iwarp_observer {
  iwarp_observer_info info;
  iwarp_observer_cfg cfg;
  obs_stream stream[2];
  uint8_t cur; /* side of the octets, gap or end under work */
  iwarp_rx rx[2];
};

/* observer_startup.c */
bool iwarpi_observer_key_possible(iwarp_span octets);
size_t iwarpi_observer_frame_want(iwarp_span octets);
void iwarpi_observer_startup_event(iwarp_observer *observer, iwarp_event *ev, size_t want);
void iwarpi_observer_learn_key(iwarp_observer *observer);
void iwarpi_observer_settle(iwarp_observer *observer);
bool iwarpi_observer_rdmac(const iwarp_observer_side *s);

#endif
