/* SPDX-License-Identifier: BSD-2-Clause */
/* The two streams of a connection on their way through the proxy: octets in, other octets out. */
#ifndef FUZZ_PROXY_FILTER_H
#define FUZZ_PROXY_FILTER_H

#include <iwarp/rdmap.h>
#include <stdbool.h>

#include "prng.h"

#define FILTER_IN_MAX 131072u  /* octets of a stream that wait for the rest of their frame */
#define FILTER_OUT_MAX 524288u /* octets that wait to be sent; nothing is taken beyond */

typedef struct filter_cfg {
  uint64_t every;  /* one FPDU of so many is changed, at random; 0: octets pass untouched */
  bool sides[2];   /* the sides whose octets are changed: [0] the initiator */
  bool startup;    /* startup frames may be changed, too */
  uint64_t broken; /* one change of so many leaves a wrong CRC, Marker or length; 0: no change */
} filter_cfg;

typedef enum filter_phase {
  FILTER_STARTUP, /* a startup frame is expected */
  FILTER_FULL,    /* FPDUs */
  FILTER_RAW      /* octets that are no iWARP, or whose meaning is not known any more */
} filter_phase;

/* One direction. */
typedef struct filter_stream {
  filter_phase phase;
  bool markers;     /* the peer's frame asked this side for Markers */
  uint64_t in_off;  /* stream offset of the octets at in[0], from the begin of Full Operation */
  uint64_t out_off; /* stream offset of the octets after out[] */
  uint8_t in[FILTER_IN_MAX];
  size_t num_in;
  uint8_t out[FILTER_OUT_MAX];
  size_t num_out;
  bool in_over;     /* no more octets come */
  uint64_t octets;  /* octets taken in */
  uint64_t fpdus;   /* FPDUs seen */
  uint64_t changed; /* FPDUs and startup frames changed */
  bool has_terminate;
  iwarp_rdmap_term terminate; /* the Terminate seen; its spans are not valid any more */
} filter_stream;

typedef struct filter {
  filter_cfg cfg;
  prng random;
  filter_stream side[2];
} filter;

/* filter_init begins a connection; `seed` determines the changes. */
void filter_init(filter *f, const filter_cfg *cfg, uint64_t seed);

/* filter_room is how many octets of a side can be taken now. */
size_t filter_room(const filter *f, size_t side);

/* filter_push takes octets of a side, no more than there is room for. */
void filter_push(filter *f, size_t side, const uint8_t *octets, size_t n);

/* filter_eof: no more octets of a side come; what waits goes out as it is. */
void filter_eof(filter *f, size_t side);

/* filter_sent drops `n` octets of side[].out, which were sent. */
void filter_sent(filter *f, size_t side, size_t n);

#endif
