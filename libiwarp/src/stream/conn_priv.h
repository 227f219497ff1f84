/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a connection engine, shared by its source files. */
#ifndef IWARPI_STREAM_CONN_PRIV_H
#define IWARPI_STREAM_CONN_PRIV_H

#include <iwarp/stream.h>

#include "rx_priv.h"

/* Where the stream of one side stands. */
typedef enum conn_phase {
  CONN_SCAN = 0, /* streaming mode: a startup key is looked for */
  CONN_FRAME,    /* inside a startup frame */
  CONN_SKIP,     /* behind a gap inside the Private Data of a startup frame that was reported */
  CONN_READY,    /* behind the startup frame, nothing of Full Operation seen */
  CONN_FULL,     /* Full Operation: the receive engine works */
  CONN_REFUSED,  /* behind a rejecting Reply */
  CONN_ENDED
} conn_phase;

typedef struct conn_stream {
  conn_phase phase;
  uint64_t pos; /* of the next octet; CONN_FULL leaves it to the receive engine */
  bool joining; /* taken as iWARP: without a startup key at its first octets it is in Full Operation */
  iwarp_scan scan;
  size_t num_frame; /* CONN_FRAME: octets collected in the memory of the receive engine */
  uint64_t skip;    /* CONN_SKIP: octets left */
  iwarp_meta first; /* CONN_FRAME, CONN_REFUSED: of the octets collected */
  iwarp_meta last;
  uint64_t refused; /* CONN_REFUSED: octets not reported yet */
  iwarp_rx *rx;     /* CONN_FULL */
} conn_stream;

struct iwarp_conn {
  iwarp_conn_info info;
  iwarp_conn_cfg cfg;
  conn_stream stream[2];
  uint8_t cur; /* side of the octets, gap or end under work */
  iwarp_span in;
  iwarp_meta in_meta;
  bool in_start;
  bool gap_pending;
  rx_gap gap;
  bool end_pending;
  iwarp_end end;
  iwarp_meta end_meta;
  iwarp_rx rx[2];
};

/* conn_startup.c */
bool iwarpi_conn_key_possible(iwarp_span octets);
uint8_t *iwarpi_conn_frame(iwarp_conn *conn, uint8_t side);
size_t iwarpi_conn_frame_want(const uint8_t *frame, size_t have);
void iwarpi_conn_startup_event(iwarp_conn *conn, uint8_t side, iwarp_event *ev);
void iwarpi_conn_learn_key(iwarp_conn *conn, uint8_t side);
void iwarpi_conn_settle(iwarp_conn *conn);

#endif
