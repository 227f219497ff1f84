/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of an open capture. */
#ifndef RECORDS_PARTS_H
#define RECORDS_PARTS_H

#include <ingest/pcap_src.h>
#include <report/out_buf.h>

#include <records/records.h>

/* The figures of a TCP connection, which begin before it is known to be iWARP. */
typedef struct records_open_stats {
  stats *s;       /* NULL: no memory, or the connection that ended has it */
  size_t counted; /* memory of `s` in the budget */
  uint64_t packets;
} records_open_stats;

#define RECORDS_FORMS 32u       /* bound of the number of a form */
#define RECORDS_FORM_FIELDS 16u /* bound of the number of a field in its form */

#define RECORDS_ROLES ((size_t)IWARP_ROLE_RESPONDER + 1)
#define RECORDS_CRCS ((size_t)IWARP_CRC_BAD + 1)
#define RECORDS_SYNCS ((size_t)IWARP_SYNC_HEURISTIC + 1)

/* Columns, and where the field of a form has its column. */
typedef struct records_pdus {
  records_column *columns;
  size_t num_columns;
  uint16_t column_of[RECORDS_FORMS][RECORDS_FORM_FIELDS]; /* 0: none, else its index + 1 */
  const char *roles[RECORDS_ROLES];                       /* names of values */
  const char *crcs[RECORDS_CRCS];
  const char *syncs[RECORDS_SYNCS];
  const char *messages[OBSERVE_OPCODES]; /* names of RDMAP messages, each once */
  uint8_t message_of[OBSERVE_OPCODES];   /* index of the name of each opcode */
  records_batch batch;
  size_t room;       /* rows that have room */
  uint8_t *octets;   /* octets of the batch */
  size_t octets_len; /* octets so far */
  size_t octets_room;
  uint64_t *octets_ends;
  records_ends *ends;
  uint64_t number; /* number of the batch, from 1 */
} records_pdus;

struct records {
  records_cfg cfg; /* `path`, `filter` and `ports` are not valid after records_open */
  char *path;
  char *filter;
  uint8_t *ports; /* OBSERVE_PORTS_SIZE octets, or NULL */
  observe_budget budget;
  pcap_src *src;
  ingest *ing;
  observe *obs;
  stats_cfg figures;
  ingest_due due; /* events that are to be drained */
  bool sctp;      /* TCP events are drained, SCTP events are not yet */
  bool finished;  /* the capture ended, and ingest knows it */
  bool closing;   /* no more records are made */
  uint64_t packets;
  uint64_t last_ns;
  char *error;        /* why it was not read to its end, or NULL */
  records_conn *head; /* connections to be taken, the oldest first */
  records_conn **tail;
  report_limits given_up;
  records_transport *transports;
  size_t num_transports;
  records_pdus pdus;
};

/* records_text returns what was written to a buffer in memory as a string, and closes the buffer.
 * NULL: no memory, or nothing was written. */
char *records_text(out_buf *out);

/* ---- connections.c ---- */

/* records_grow makes room for one more element where `num` of them may fill the list, which is
 * when `num` is a power of two, or 0. False: no memory, and the list stays as it is. */
bool records_grow(void **list, size_t num, size_t size);

/* records_on_limit counts connections that a limit ended. */
void records_on_limit(void *ctx, const char *name, uint64_t n);

/* records_hook_connections sets the hooks for connections, findings and what is no iWARP. */
void records_hook_connections(observe_hooks *hooks);

/* records_conn_of returns what is kept of a connection, made if need be; NULL: no memory. */
records_conn *records_conn_of(observe_conn *conn);

/* records_conn_end completes a connection and appends it to those to be taken. */
void records_conn_end(records *r, observe_conn *conn);

/* ---- figures.c ---- */

/* records_hook_figures sets the hooks for figures. */
void records_hook_figures(records *r, observe_hooks *hooks);

/* ---- pdus.c ---- */

/* records_pdus_open makes the columns; false: no memory. */
bool records_pdus_open(records *r);

/* records_pdus_begin empties the batch. */
void records_pdus_begin(records_pdus *p);

/* records_pdus_close gives all of it back. */
void records_pdus_close(records_pdus *p);

/* records_hook_pdus sets the hooks for PDUs. */
void records_hook_pdus(observe_hooks *hooks);

#endif
