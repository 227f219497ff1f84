/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets made octet by octet for tests of ingest, and the events they cause as one line of text.
 */
#ifndef TCP_FIXTURE_H
#define TCP_FIXTURE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ingest/ingest.h>

enum { CLIENT = 0, SERVER = 1 };

/* A hole that the other side acknowledges is given up after so many further packets; looked at
 * every 16. */
enum { PATIENCE = 64, PATIENCE_STEP = 16 };

typedef enum tcp_fixture_sum {
  SUM_GOOD = 0,
  SUM_BAD,
  SUM_PARTIAL,
  SUM_PARTIAL_LSO,
  SUM_ZERO
} tcp_fixture_sum;

/* One engine, one connection with its two ends, and the results. */
typedef struct tcp_fixture {
  ingest_ends ends;     /* FINs and RST of the last CLOSE, */
  ingest_stalls stalls; /* and what stopped each side */
  ingest_cfg cfg;
  size_t live; /* octets taken from alloc and not given back */
  size_t peak;
  long gets_left; /* alloc refuses after so many; negative: never */
  size_t room;    /* and what would take more octets than that; 0: nothing */
  ingest *ing;
  ingest_addr end[2];
  uint32_t isn[2];
  uint64_t number;
  bool name_conns; /* put a letter for the connection before each event */
  unsigned opened;
  char log[1 << 16];
  size_t log_len;
  ingest_event last[2]; /* last DATA, GAP or END of each side of any connection */
  ingest_event differ;  /* last DIFFER */
  bool holds;           /* octets that may wait are held, and not logged, */
  ingest_held_as as;    /* as these */
  /* Of the next packet only: */
  tcp_fixture_sum sum;
  size_t cut; /* octets of payload not captured */
  bool mute;  /* built, not pushed */
  bool shut;  /* its window is 0 */
  uint8_t packet[70000];
  size_t packet_len;
} tcp_fixture;

tcp_fixture *tcp_fixture_new(void);

/* --- Packets --- */

uint8_t *tcp_fixture_put16(uint8_t *at, uint32_t value);

uint8_t *tcp_fixture_put32(uint8_t *at, uint32_t value);

/* Adds the 16-bit words of a packet to the sum that a checksum is made of, the slow way. RFC 1071
 */
uint32_t tcp_fixture_add(uint32_t sum, const uint8_t *octets, size_t n);

/* Writes a TCP segment with `options` octets of NOP; returns its length. */
size_t tcp_fixture_tcp(uint8_t *out, const ingest_addr *src, const ingest_addr *dst, uint32_t seq,
                       uint32_t ack, uint8_t flags, size_t options, const void *payload, size_t n,
                       tcp_fixture_sum sum);

/* Writes an IP header before n octets of TCP; returns its length. */
size_t tcp_fixture_ip(uint8_t *out, const ingest_addr *src, const ingest_addr *dst, size_t n);

size_t tcp_fixture_ethernet(uint8_t *out, uint8_t family);

/* --- Events as text --- */

void tcp_fixture_drain(tcp_fixture *w);

/* tcp_fixture_take returns the events since the last call. */
const char *tcp_fixture_take(tcp_fixture *w);

void tcp_fixture_push(tcp_fixture *w, const void *data, size_t caplen, size_t len, int link);

/* --- Segments --- */

/*
 * tcp_fixture_segment sends n octets: flags of the letters F, S, R, A; seq and ack from the first
 * octet after the SYN of their direction.
 */
void tcp_fixture_segment(tcp_fixture *w, unsigned side, const char *flags, long seq, long ack,
                         const void *payload, size_t n);

void tcp_fixture_send(tcp_fixture *w, unsigned side, const char *flags, long seq, long ack,
                      const char *payload);

/* A fixture with the first segment of the client, which is built and not pushed. */
tcp_fixture *tcp_fixture_with(unsigned family, const char *payload);

/* The three packets that open a connection. */
void tcp_fixture_shake(tcp_fixture *w);

/* n acknowledgments of octets that are acknowledged already, to pass the time. */
void tcp_fixture_idle(tcp_fixture *w, unsigned side, long seq, long ack, unsigned n);

const char *tcp_fixture_finish(tcp_fixture *w);

/* expect_log compares the events since the last call with a text. */
#define expect_log(w, text)                                                                        \
  do {                                                                                             \
    const char *got_ = tcp_fixture_take(w);                                                        \
    ck_assert_str_eq(got_, text);                                                                  \
  } while (0)

/* expect_end does so with those that the end of the capture brings, and frees the fixture. */
#define expect_end(w, text)                                                                        \
  do {                                                                                             \
    const char *got_ = tcp_fixture_finish(w);                                                      \
    ck_assert_str_eq(got_, text);                                                                  \
    ck_assert_uint_eq(tcp_fixture_free(w), 0);                                                     \
  } while (0)

/* tcp_fixture_free returns how many octets were not given back. */
size_t tcp_fixture_free(tcp_fixture *w);

#endif
