/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks the other side of a TCP connection whether it speaks iWARP, and with which parameters. */
#ifndef PEER_PROBE_H
#define PEER_PROBE_H

#include <iwarp/endpoint.h>

/** Pings of a probe, at most. */
#define PEER_PROBE_PINGS_MAX 1000u

/** IRD and ORD of the Request of a probe. */
#define PEER_PROBE_DEPTH 16u

/** Octets of the sentences of a result, each with its final 0. */
#define PEER_PROBE_TEXT_CAP 200u

/** peer_answer says what the other side is. */
typedef enum peer_answer {
  PEER_ANSWER_ACCEPTED = 0, /* a Reply accepts */
  PEER_ANSWER_REJECTED,     /* a Reply rejects */
  PEER_ANSWER_NOT_IWARP,    /* the answer is no Reply, or the connection was closed */
  PEER_ANSWER_REFUSED,      /* TCP refused the connection */
  PEER_ANSWER_SILENT        /* no octet, or no whole Reply, came in time */
} peer_answer;

#define PEER_ANSWERS 5u /* members of peer_answer */

/** peer_answer_name returns the word of the JSON key `answer`, such as "not-iwarp". */
const char *peer_answer_name(peer_answer answer);

/** peer_probe_result is what a probe found out. All zeros before the first attempt. */
typedef struct peer_probe_result {
  peer_answer answer;
  char why[PEER_PROBE_TEXT_CAP];  /* not accepted: the reason, in one sentence */
  char note[PEER_PROBE_TEXT_CAP]; /* accepted: the later failure; "": no failure */
  bool fell_back;                 /* fallback to Rev 1, on a connection of its own: RFC 6581 10 */
  bool replied;                   /* a whole Reply came: the members up to `reply_ns` are set */
  uint8_t rev;                    /* Rev of the Reply */
  bool enhanced;                  /* S: the Reply has the fields of RFC 6581 */
  bool markers;                   /* M: the other side wants Markers */
  bool crc;                       /* C */
  bool peer_to_peer;              /* A, enhanced only */
  uint8_t rtr;                    /* IWARP_RTR_* of flags B, C, D, enhanced only */
  uint16_t ird;                   /* IRD of the Reply, enhanced only; 0x3FFF: left to the ULP */
  uint16_t ord;                   /* ORD of the Reply, enhanced only; 0x3FFF: left to the ULP */
  uint8_t private_data[IWARP_MPA_PRIVATE_DATA_MAX]; /* Private Data for the application */
  size_t private_data_len;
  uint64_t reply_ns; /* time from the Request to the last octet of the Reply */
  uint32_t num_pings;
  uint64_t ping_ns[PEER_PROBE_PINGS_MAX]; /* times from a Read Request to its Response's end */
} peer_probe_result;

/** peer_probe_cfg says how a probe asks. */
typedef struct peer_probe_cfg {
  uint8_t rev;         /* 2: enhanced, RFC 6581; 1: RFC 5044 */
  uint32_t pings;      /* RDMA Reads of length 0, at most PEER_PROBE_PINGS_MAX */
  uint64_t timeout_ns; /* bound of the wait for the Reply, and for the answer to each Read */
} peer_probe_cfg;

/**
 * peer_probe is one attempt: the Initiator of one connection. It has no socket and no clock. Times
 * are nanoseconds of any clock that does not go back. After each call that gives it something, send
 * what peer_probe_output names.
 */
typedef struct peer_probe peer_probe;

/** peer_probe_new makes an attempt on a connection that was just established. NULL: no memory.
 * `result` must outlive it. */
peer_probe *peer_probe_new(const peer_probe_cfg *cfg, peer_probe_result *result, uint64_t now_ns);

/** peer_probe_received takes the next octets of the other side. */
void peer_probe_received(peer_probe *p, iwarp_span octets, uint64_t now_ns);

/** peer_probe_ended reports the FIN of the other side. */
void peer_probe_ended(peer_probe *p, uint64_t now_ns);

/** peer_probe_lost reports that the connection was reset or lost. */
void peer_probe_lost(peer_probe *p, uint64_t now_ns);

/** peer_probe_send_failed reports that no more octets can be sent. */
void peer_probe_send_failed(peer_probe *p, uint64_t now_ns);

/** peer_probe_time gives the time, at the latest at peer_probe_deadline. */
void peer_probe_time(peer_probe *p, uint64_t now_ns);

/** peer_probe_deadline returns when the attempt wants the time. */
uint64_t peer_probe_deadline(const peer_probe *p);

/** peer_probe_output names the next octets to send by at most `cap` spans, valid until the next
 * call. It returns the number of spans; 0: there is nothing to send. */
size_t peer_probe_output(peer_probe *p, iwarp_span *spans, size_t cap);

/** peer_probe_sent reports that the transport took the first `len` of these octets. */
void peer_probe_sent(peer_probe *p, size_t len, uint64_t now_ns);

/** peer_probe_wants_shutdown returns true once this half of the connection is to be closed. */
bool peer_probe_wants_shutdown(const peer_probe *p);

/** peer_probe_done returns true once nothing more is to be done on the connection. */
bool peer_probe_done(const peer_probe *p);

/** peer_probe_wants_plain returns true after an attempt without a Reply that RFC 6581 10 allows to
 * repeat with Rev 1 on a new connection. */
bool peer_probe_wants_plain(const peer_probe *p);

/** peer_probe_free gives the memory back; NULL is fine. */
void peer_probe_free(peer_probe *p);

#endif
