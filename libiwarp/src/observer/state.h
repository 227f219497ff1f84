/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of an observer, shared by its source files. */
#ifndef IWARPI_OBSERVER_STATE_H
#define IWARPI_OBSERVER_STATE_H

#include <iwarp/event.h>
#include <iwarp/observer.h>
#include <iwarp/rx.h>

#include "../rx/state.h"

/* The phase of the stream of one side. */
typedef enum observer_phase {
  OBSERVER_SCAN = 0, /* streaming mode: a startup key is looked for */
  OBSERVER_FRAME,    /* inside a startup frame, whose first octets are in the buffer */
  OBSERVER_SKIP,     /* a gap lies inside the Private Data of a startup frame that was reported */
  OBSERVER_READY,    /* the startup frame is over, no octet of Full Operation was seen */
  OBSERVER_FULL,     /* Full Operation: the receive engine works */
  OBSERVER_REFUSED,  /* a rejecting Reply was seen */
  OBSERVER_ENDED
} observer_phase;

/* A possible FPDU at stream offset 0, read without Markers [0] and with them [1]. */
typedef struct observer_refused {
  uint32_t have;      /* octets that came */
  uint32_t crc[2];    /* CRC of the octets so far */
  uint16_t length[2]; /* ULPDU_Length, as far as it came */
} observer_refused;

typedef struct observer_stream {
  observer_phase phase;
  /* OBSERVER_FULL: the next octets are an FPDU which its own octets in the input and its CRC
   * decide. It holds until anything but an FPDU of a data message is taken. */
  bool fast_path;
  bool past_start; /* OBSERVER_SCAN: octets went before, so a key needs likely fields after it */
  union {
    uint64_t skip;            /* OBSERVER_SKIP: octets left */
    observer_refused refused; /* OBSERVER_REFUSED */
  } u;
  iwarp_end end; /* how it ends, as the caller said */
} observer_stream;

/*
 * The receive engine of each side holds the input, the position and the buffer of the side, from
 * the first octet on.
 */
struct iwarp_observer {
  iwarp_observer_info info;
  iwarp_observer_cfg cfg;
  observer_stream stream[2];
  uint8_t cur;   /* side of the octets, gap or end under work */
  bool opens[2]; /* the side's first FPDU may belong to the startup: term_place.h */
  iwarp_rx rx[2];
};

/* Anything but an FPDU of a data message may be taken now. */
static inline void iwarpi_observer_leave_fast_path(iwarp_observer *observer) {
  observer->stream[0].fast_path = observer->stream[1].fast_path = false;
}

/* refused.c */
void iwarpi_observer_refused_read(observer_refused *r, iwarp_span in);
iwarp_tristate iwarpi_observer_refused_fpdu(const observer_refused *r, bool cut);

/* startup.c */
bool iwarpi_observer_key_possible(iwarp_span octets);
size_t iwarpi_observer_frame_want(iwarp_span octets);
size_t iwarpi_observer_frame_unextended_len(iwarp_span octets);
bool iwarpi_observer_frame_unextended(iwarp_span octets);
void iwarpi_observer_startup_event(iwarp_observer *observer, iwarp_event *ev, size_t want);
void iwarpi_observer_learn_key(iwarp_observer *observer);
void iwarpi_observer_settle(iwarp_observer *observer);
bool iwarpi_observer_rdmac(const iwarp_observer_side *s);

#endif
