/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a connection engine, shared by its source files. */
#ifndef IWARPI_STREAM_CONN_PRIV_H
#define IWARPI_STREAM_CONN_PRIV_H

#include <iwarp/stream.h>

#include "rx_priv.h"

/* Where the stream of one side stands. */
typedef enum conn_phase {
  CONN_SCAN = 0, /* streaming mode: a startup key is looked for */
  CONN_FRAME,    /* inside a startup frame, whose first octets are in the buffer */
  CONN_SKIP,     /* behind a gap inside the Private Data of a startup frame that was reported */
  CONN_READY,    /* behind the startup frame, nothing of Full Operation seen */
  CONN_FULL,     /* Full Operation: the receive engine works */
  CONN_REFUSED,  /* behind a rejecting Reply */
  CONN_ENDED
} conn_phase;

typedef struct conn_stream {
  conn_phase phase;
  bool past_start; /* CONN_SCAN: octets went before, so a key needs likely fields behind it */
  uint64_t skip;   /* CONN_SKIP: octets left */
  iwarp_end end;   /* how it ends, as the caller said */
} conn_stream;

/*
 * The input, the position and the buffer of each side are those of its receive engine from the
 * first octet on.
 */
struct iwarp_conn {
  iwarp_conn_info info;
  iwarp_conn_cfg cfg;
  conn_stream stream[2];
  uint8_t cur; /* side of the octets, gap or end under work */
  iwarp_rx rx[2];
};

/* conn_startup.c */
bool iwarpi_conn_key_possible(iwarp_span octets);
size_t iwarpi_conn_frame_want(iwarp_span octets);
void iwarpi_conn_startup_event(iwarp_conn *conn, iwarp_event *ev, size_t want);
void iwarpi_conn_learn_key(iwarp_conn *conn);
void iwarpi_conn_settle(iwarp_conn *conn);
bool iwarpi_conn_rdmac(const iwarp_conn_side *s);

#endif
