/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP streams and SCTP messages in, iWARP connections with their events and findings out. */
#ifndef OBSERVE_OBSERVE_H
#define OBSERVE_OBSERVE_H

#include <ingest/sctp.h>

#include <observe/budget.h>
#include <observe/conn.h>
#include <observe/ports.h>

/*
 * Each TCP connection of ingest is scanned for an MPA startup key; from there on an iwarp_observer
 * decodes it and iwarp_rules judge it. Each DDP Stream Session of an SCTP association is a
 * connection of its own. Both come out through the same hooks.
 *
 * An observe allocates with malloc and reads no files, clocks or environment. Several may
 * be used side by side, each with a budget of its own and by one thread at a time.
 */

/*
 * How many iWARP connections over TCP may be open at a time follows from the budget. When the
 * budget is used up, the longest silent connections are packed. Then some are ended as if the
 * capture ended there, and marked as given up. Connections with only a Request are ended first,
 * then the others, the longest silent first.
 */

/** OBSERVE_SCTP_STREAMS_MAX is the number of DDP streams over SCTP that may be open at a time where
 * there is no budget. Beyond it the longest silent one is ended likewise. With a budget, their
 * number follows from it too. */
#define OBSERVE_SCTP_STREAMS_MAX 4096u

/**
 * observe_hooks is what happens to the results. Hooks are called from inside the calls that give
 * events of ingest; they must not call the same observe. `ev`, its spans and `finding` are valid
 * until the hook returns; `ev` of a finding is NULL at the end of a connection. The events of a
 * connection come in their order, the findings of an event after it, `closed` last.
 */
typedef struct observe_hooks {
  void *ctx; /* first argument of each hook */
  /* The connection got its number: before any finding and `closed`. Or NULL. */
  void (*numbered)(void *ctx, observe_conn *conn);
  void (*event)(void *ctx, observe_conn *conn, const iwarp_event *ev); /* may be NULL */
  /* In place of `event` and `link`: an FPDU of a data message without Markers whose CRC, if any, is
   * good, and in which no rule finds a fault. It lasts until the hook returns. `link` is what the
   * rules know of it, with the hook `link`. Or NULL: each FPDU has its event. */
  void (*fpdu)(void *ctx, observe_conn *conn, const iwarp_observer_fpdu *fpdu,
               const iwarp_link *link);
  void (*finding)(void *ctx, observe_conn *conn, const iwarp_finding *finding,
                  const iwarp_event *ev); /* may be NULL: no rule judges */
  /* What the rules know of the segment, after `event` and before its findings; or NULL. Only where
   * something is judged. */
  void (*link)(void *ctx, observe_conn *conn, const iwarp_event *ev, const iwarp_link *link);
  /* The connection is gone after this; it is called for each that has a number. Or NULL. */
  void (*closed)(void *ctx, observe_conn *conn);
  /* A limit ended the following of `n` connections for which no `closed` comes; or NULL. `name` is
   * static storage. */
  void (*limit)(void *ctx, const char *name, uint64_t n);
  /* Octets of a TCP connection were captured twice with different values; `conn` is NULL where no
   * iWARP was found in it so far. Or NULL. */
  void (*differ)(void *ctx, observe_conn *conn, const observe_differ *what);
  /* A packet of a TCP connection, which may turn out to be iWARP, before the events that it causes.
   * `*kept` is NULL at first, and the caller's to set. It is `packets` of the iWARP connection. Or
   * NULL: then observe_packets_see is not to be called. */
  void (*packet)(void *ctx, void **kept, const observe_headers *packet);
  /* The TCP connection is gone, and `kept` with it; after `closed`. NULL where `packet` is. */
  void (*forgotten)(void *ctx, void *kept);
  /* A TCP connection ended in which no iWARP was found; or NULL. */
  void (*transport)(void *ctx, const observe_transport *what);
} observe_hooks;

/** observe_cfg says what is taken as iWARP and what is judged; all zeros are the defaults. What it
 * points to is the caller's and must outlive the observe. */
typedef struct observe_cfg {
  const uint8_t *ports;   /* OBSERVE_PORTS_SIZE bytes: a connection with one of these is iWARP, even
                             without its startup; or NULL */
  iwarp_tristate markers; /* use of Markers without a startup */
  iwarp_tristate crc;     /* use of CRCs without a startup */
  const bool *disabled;   /* disabled rules by rule id; may be NULL */
  const observe_parts *parts; /* the capture is cut into these files; or NULL */
  observe_budget *budget;     /* memory of the run; NULL: no limit */
  bool unexplained; /* the caller reads no outcome, at_end and facts: they are not right */
} observe_cfg;

/** observe finds and follows the connections of one run, capture after capture. */
typedef struct observe observe;

/** observe_found is what the current capture held so far. */
typedef struct observe_found {
  uint64_t tcp;         /* TCP connections that ended */
  uint64_t late;        /* TCP connections of `tcp` without their start */
  uint64_t sctp;        /* SCTP associations that ended */
  uint64_t sctp_opaque; /* associations of `sctp` with I-DATA chunks, where DDP may be meant */
  uint64_t transports[OBSERVE_TRANSPORT_STATES]; /* TCP connections without iWARP, by state */
  uint64_t iwarp;                                /* connections with a startup frame or an FPDU */
  uint64_t port_octets;                          /* octets of the connection that gave `port` */
  uint16_t port; /* the lower port of the connection with the most octets, of those not taken as
                    iWARP and without their start; 0: no such connection */
} observe_found;

/** observe_new makes an observe; the configuration and the hooks are copied. NULL: no memory. The
 * caller calls observe_file before the first event. */
observe *observe_new(const observe_cfg *cfg, const observe_hooks *hooks);

/** observe_file begins a capture, whose connections count from 0. `name` stays the caller's, and
 * must last as long as connections of this capture do. */
void observe_file(observe *obs, const char *name);

/** observe_capture_ends says that the current capture ends, and the time of its last packet. The
 * caller calls it before ingest_finish, or not at all: then `has_idle` of observe_at_end is false.
 */
void observe_capture_ends(observe *obs, uint64_t last_ns);

/** observe_event takes the next TCP event of ingest. `*ev->user` belongs to the observe from OPEN
 * until CLOSE. */
void observe_event(observe *obs, const ingest_event *ev);

/** observe_segment takes such an event by its segment; false: nothing was done, the event is
 * needed.
 */
bool observe_segment(observe *obs, const ingest_segment *seg);

/** observe_packets_see takes a packet of a TCP connection, before the events that it causes: `each`
 * of ingest_packets, whose `ctx` is the observe. */
void observe_packets_see(void *obs, const ingest_seen *seen);

/** observe_opening recognises startup frames and beginnings of them: ingest_cfg's `opening`. */
ingest_opening observe_opening(const uint8_t *data, size_t len);

/** observe_tcp_conn returns the iWARP connection of the TCP connection that an event of ingest is
 * about, or NULL where none was found so far. `*ev->user` is the observe's; between its OPEN and
 * its CLOSE. */
observe_conn *observe_tcp_conn(const ingest_event *ev);

/** observe_sctp_event takes the next SCTP event of ingest, likewise. */
void observe_sctp_event(observe *obs, const ingest_sctp_event *ev);

/** observe_drain takes the events that `ing` has, as far as `due` says that it has some. */
void observe_drain(observe *obs, ingest *ing, ingest_due due);

/** observe_packet pushes a packet to `ing` and takes the events that come of it. */
void observe_packet(observe *obs, ingest *ing, const ingest_packet *packet);

/** observe_like_octets sets those members of `mask` by which observe_transport.looks_like follows
 * from the first octets of a stream. It returns false if they look like nothing. */
#define OBSERVE_LIKE_MAX 16u
bool observe_like_octets(iwarp_span head, bool mask[OBSERVE_LIKE_MAX]);

/** observe_limit says that a limit of ingest ended the following of `n` connections for which no
 * event came. */
void observe_limit(observe *obs, const char *name, uint64_t n);

/** observe_give_up ends a connection to make memory free, between two events; false: no connection
 * is left. */
bool observe_give_up(observe *obs);

/** observe_ingest_get is memory for the ingest whose events the observe takes, `ctx`: its half of
 * the budget, which engines make free if need be. NULL: none. Ingest asks between two events, so no
 * engine is at work. */
void *observe_ingest_get(void *ctx, size_t size);

/** observe_ingest_put gives it back; NULL is fine. */
void observe_ingest_put(void *ctx, void *at, size_t size);

/** observe_datagrams makes `out` what a capture has of RoCEv2 between two hosts. */
void observe_datagrams(observe_transport *out, const ingest_roce *packets);

/** observe_found_get returns what the current capture held so far; it stays the observe's. */
const observe_found *observe_found_get(const observe *obs);

/** observe_port_met says whether a TCP connection of any capture had this port of the
 * configuration. */
bool observe_port_met(const observe *obs, uint16_t port);

/** observe_connections returns how many iWARP connections of the current capture have a number. */
uint64_t observe_connections(const observe *obs);

/** observe_work returns what all captures cost so far, in FPDUs that are right. What else counts
 * as one or more of them stands in observe_priv.h. */
uint64_t observe_work(const observe *obs);

/** observe_used returns the bytes that connections have, apart from ingest's. */
size_t observe_used(const observe *obs);

/** observe_wanted returns the budget with which no connection would have been given up for want of
 * memory, by estimation, in bytes; 0: none was. */
size_t observe_wanted(const observe *obs);

/** observe_failed says whether an engine refused what it must take, or memory ran out: then the
 * results since are not to be relied on. It stays so. */
bool observe_failed(const observe *obs);

/** observe_free ends the observe; NULL is fine. All connections must have been closed by ingest. */
void observe_free(observe *obs);

#endif
