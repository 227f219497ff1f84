/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP packets made octet by octet for tests of ingest, and the events they cause. */
#ifndef SCTP_FIXTURE_H
#define SCTP_FIXTURE_H

#include <ingest/sctp.h>

#define SCTP_FIXTURE_LOG 65536u

enum {
  DATA = 0,
  INIT = 1,
  INIT_ACK = 2,
  SACK = 3,
  ABORT = 6,
  SHUTDOWN = 7,
  SHUTDOWN_ACK = 8,
  FORWARD = 192
};
enum { ALL = 7, FIRST = 6, MIDDLE = 4, LAST = 5, ORDERED = 3 };

/* One engine, the packet in the making, and the results. */
typedef struct sctp_fixture {
  ingest_cfg cfg;
  size_t live;
  size_t peak;
  ingest *ing;
  uint64_t number;
  uint8_t packet[4096];
  size_t len;
  uint32_t client_ip; /* of side 0 */
  bool bad;
  size_t cut;
  bool quiet;         /* events are counted only */
  uint64_t time_back; /* the packet in the making was captured so much earlier than it stands */
  uint64_t opened, messages, lost, closed;
  uint64_t limits[INGEST_LIMIT_MESSAGE + 1];             /* of CLOSE */
  uint64_t lost_by[INGEST_LIMIT_MESSAGE + 1];            /* of LOST */
  size_t budget;                                         /* octets that may be live, or 0 */
  uint64_t octets;                                       /* of all packets */
  void (*event)(void *ctx, const ingest_sctp_event *ev); /* gets each of them, or NULL */
  void *event_ctx;
  char log[SCTP_FIXTURE_LOG];
} sctp_fixture;

/* Messages come out without waiting. */
sctp_fixture *sctp_fixture_new(void);

/* They wait for what proves more of them. */
sctp_fixture *sctp_fixture_new_patient(void);

/* sctp_fixture_drain takes the events that are there into the log. */
void sctp_fixture_drain(sctp_fixture *w);

/* Ends the capture; all memory must come back. */
void sctp_fixture_finish(sctp_fixture *w, const char *due);

/* Makes `event` append a word on each later event to `text`, which is empty now. The events are not
 * logged. */
void sctp_fixture_watch(sctp_fixture *w, void (*event)(void *ctx, const ingest_sctp_event *ev),
                        char *text);

/* Ends a capture that is watched: the text must be `due`, and the log what it was before. */
void sctp_fixture_finish_watched(sctp_fixture *w, const char *text, const char *due,
                                 const char *log);

/* ---- packets ---- */

void sctp_fixture_put(sctp_fixture *w, uint32_t value, unsigned octets);

/* Begins a packet from a side: raw IPv4, then the common header. */
void sctp_fixture_begin(sctp_fixture *w, unsigned side, uint32_t tag);

/* Ends the packet with its checksum and hands it to ingest. */
void sctp_fixture_push(sctp_fixture *w);

void sctp_fixture_chunk(sctp_fixture *w, unsigned type, unsigned flags, unsigned len);

void sctp_fixture_data(sctp_fixture *w, uint32_t tsn, unsigned flags, const char *text);

void sctp_fixture_ack(sctp_fixture *w, uint32_t tsn, unsigned gaps);

void sctp_fixture_send(sctp_fixture *w, unsigned side, uint32_t tsn, const char *text);

void sctp_fixture_send_ack(sctp_fixture *w, unsigned side, uint32_t tsn);

void sctp_fixture_send_init(sctp_fixture *w, unsigned side, uint32_t tag, uint32_t own,
                            uint32_t tsn);

sctp_fixture *sctp_fixture_open(uint32_t client, uint32_t server);

sctp_fixture *sctp_fixture_open_patient(uint32_t client, uint32_t server);

#define OPENED "open a:init8/1 b:init8/1 "

/* ---- many associations ---- */

/* Tags of association i. */
uint32_t sctp_fixture_tag(uint32_t i, unsigned side, bool fixed);

void sctp_fixture_nth(sctp_fixture *w, uint32_t i);

void sctp_fixture_nth_open(sctp_fixture *w, uint32_t i, bool fixed);

void sctp_fixture_nth_data(sctp_fixture *w, uint32_t i, unsigned side, uint32_t tsn, bool fixed);

sctp_fixture *sctp_fixture_many(uint32_t n, bool fixed);

#endif
