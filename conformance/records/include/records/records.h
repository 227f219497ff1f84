/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture as records: connections with findings, PDUs in columns, or figures, as far as asked. */
#ifndef RECORDS_RECORDS_H
#define RECORDS_RECORDS_H

#include <diagnose/diagnose.h>
#include <ingest/ingest.h>
#include <iwarp/field.h>
#include <observe/observe.h>
#include <report/limits.h>
#include <stats/stats.h>

/*
 * This is for programs that take results instead of text: the Python package. The caller asks, and
 * no more of the capture is read than the answer needs. So memory is bounded by the budget, by what
 * one connection leaves, and by what the caller keeps.
 *
 * Several may be open at a time, each used by one thread at a time.
 */

/** records_want says what a capture is read for. */
typedef enum records_want {
  RECORDS_CONNECTIONS = 0, /* connections with findings, verdicts and diagnoses */
  RECORDS_PDUS,            /* PDUs; nothing is judged */
  RECORDS_FIGURES          /* connections with the figures of `stats`; nothing is judged */
} records_want;

#define RECORDS_ROWS 16384u       /* default of records_cfg.rows */
#define RECORDS_FINDINGS 10000u   /* default of records_cfg.findings_max */
#define RECORDS_INTERVALS 100000u /* intervals of a connection that are kept, the first ones */
#define RECORDS_TRANSPORTS 1000u  /* TCP connections without iWARP that are kept, the first ones */
#define RECORDS_ERROR_LEN 512u    /* octets of a message, with its terminator */

/** records_cfg says what is read, and how; zero is the default of each member but `path`. What it
 * points to is copied. */
typedef struct records_cfg {
  records_want want;
  const char *path;       /* path of the capture; "-": standard input */
  const char *filter;     /* a BPF expression, or NULL */
  const uint16_t *ports;  /* TCP ports whose connections are iWARP without their startup */
  size_t num_ports;       /* entries of `ports` */
  iwarp_tristate markers; /* use of Markers without a startup */
  iwarp_tristate crc;     /* use of CRCs without a startup */
  size_t memory;        /* bytes of memory of ingest and the observer; 0: OBSERVE_BUDGET_DEFAULT */
  size_t findings_max;  /* findings of a connection that are kept; 0: RECORDS_FINDINGS */
  size_t rows;          /* PDUS: rows of a batch, about; 0: RECORDS_ROWS */
  bool octets;          /* PDUS: with the octets of each PDU */
  bool series;          /* FIGURES: with series over time */
  uint64_t interval_ns; /* FIGURES: with figures of each interval; 0: without */
} records_cfg;

/** records is a capture that is being read. */
typedef struct records records;

/** records_open opens a capture. NULL: `error` is one line without newline and without the path;
 * it is empty where memory ran out. */
records *records_open(const records_cfg *cfg, char error[RECORDS_ERROR_LEN]);

/** records_close gives everything back, but for connections that were taken; NULL is fine. */
void records_close(records *r);

/** records_result says what records_next came to. */
typedef enum records_result {
  RECORDS_READY = 0, /* a connection is there, or a batch with at least one row */
  RECORDS_AGAIN,     /* call it again: no result yet */
  RECORDS_END,       /* the capture ended; records_error tells if it was read whole */
  RECORDS_NO_MEMORY  /* memory ran out: what was read since is not to be relied on */
} records_result;

/** records_next reads on, some thousand packets at most. A batch is valid until the next call. */
records_result records_next(records *r);

/** records_error returns why the capture was not read to its end, or NULL. One line, the
 * records'. */
const char *records_error(const records *r);

/* ---- connections ---- */

/** records_finding is a finding in words. */
typedef struct records_finding {
  iwarp_finding finding;
  const iwarp_rule *rule;
  const char *field;    /* path of the field that is wrong, or NULL; static storage */
  const char *severity; /* static storage, as the next ones */
  const char *impact;
  const char *unless; /* other reading of a suspected finding; or NULL */
  char *message;      /* the fault, with the values */
  char *expected;     /* may be NULL */
  char *observed;     /* may be NULL */
  char *where;        /* side and place of the octets */
} records_finding;

/** records_diagnosis is a diagnosis in words. */
typedef struct records_diagnosis {
  iwarp_diagnosis diagnosis;
  const iwarp_diagnosis_row *row;
  char *text; /* a sentence without its period */
} records_diagnosis;

/** records_verdict is what a rule came to on a connection. */
typedef struct records_verdict {
  const iwarp_rule *rule;
  const char *verdict; /* static storage */
  char *reason;        /* why it is inconclusive, or NULL */
  iwarp_rule_result result;
} records_verdict;

/** records_conn is a connection that ended, or of which the capture ends. It owns what it points
 * to, but for static storage. */
typedef struct records_conn {
  struct records_conn *next; /* private */
  observe_conn conn;         /* `file`, `ends`, `facts` and `user` are NULL */
  iwarp_observer_info info;  /* state of `conn` */
  observe_terminate terminate;
  uint8_t first;       /* the side that stands first: the initiator where it is known */
  const char *outcome; /* static storage */
  bool failed;         /* result of iwarp_diagnose_failed */
  records_finding *findings;
  size_t num_findings;
  uint64_t left_out; /* findings beyond findings_max */
  records_diagnosis diagnoses[DIAGNOSE_MAX];
  size_t num_diagnoses;
  records_verdict *verdicts; /* NULL: nothing was judged */
  size_t num_verdicts;
  stats *stats;                 /* FIGURES, else NULL */
  const stats_figures *figures; /* figures of `stats` */
  stats_interval *intervals;
  size_t num_intervals;
  bool intervals_cut; /* the connection has more than RECORDS_INTERVALS */
} records_conn;

/** records_take returns the next connection, which is the caller's; NULL: no connection is
 * complete. */
records_conn *records_take(records *r);

/** records_conn_free gives a connection back; NULL is fine. */
void records_conn_free(records_conn *c);

/* ---- PDUs ---- */

/** records_column is one value of each row of a batch. */
typedef struct records_column {
  const char *name;         /* "packet", or the path of a field: "ddp.msn"; static storage */
  const iwarp_field *field; /* the field of a column of a field, else NULL */
  const char *const *names; /* names of the values, or NULL */
  size_t num_names;         /* entries of `names` */
  uint8_t width;            /* octets of a value: 1, 2, 4 or 8, in the byte order of the machine */
  bool any;                 /* some row has a value */
  void *values;             /* NULL where no row has a value */
  uint8_t *missing;         /* 1 for a row without a value; NULL: `values` is NULL */
} records_column;

/** records_ends is the addresses of a connection, by side. */
typedef struct records_ends {
  uint64_t number;
  char addr[2][OBSERVE_ADDR_CAP];
} records_ends;

/** records_batch is PDUs in a row. It is the records', until the next call of records_next. */
typedef struct records_batch {
  size_t num; /* rows */
  const records_column *columns;
  size_t num_columns;
  const uint8_t *octets;       /* octets of all rows, one after the other; NULL: not requested */
  const uint64_t *octets_ends; /* end of the octets of each row in `octets` */
  const records_ends *ends;    /* ends of the connections of the rows, once each */
  size_t num_ends;
} records_batch;

/** records_batch_get returns the batch. */
const records_batch *records_batch_get(const records *r);

/* ---- what else a capture holds ---- */

/** records_transport is a TCP connection without iWARP. */
typedef struct records_transport {
  observe_transport transport; /* `streams` is NULL */
  const char *state;           /* static storage */
  char *text;                  /* why, in a sentence without its period, or NULL */
} records_transport;

/** records_summary is what was read so far; after RECORDS_END, of the whole capture. */
typedef struct records_summary {
  uint64_t packets;
  uint64_t octets;      /* octets on the wire */
  uint64_t connections; /* connections of iWARP */
  observe_found found;
  ingest_stats ingest;
  report_limits given_up; /* connections that a limit ended or cost octets, by limit */
  const records_transport *transports;
  size_t num_transports;
} records_summary;

/** records_summary_get fills in `out`; what it points to is the records'. */
void records_summary_get(records_summary *out, const records *r);

#endif
