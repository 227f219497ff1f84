/* SPDX-License-Identifier: BSD-2-Clause */
/* One iWARP connection, as whoever receives its events and findings sees it. */
#ifndef OBSERVE_CONN_H
#define OBSERVE_CONN_H

#include <iwarp/rules.h>

#include <observe/facts.h>
#include <observe/outcome.h>

#define OBSERVE_ADDR_CAP 64u /* "[IPv6 address]:port" and a terminator */
#define OBSERVE_OPCODES 16u
#define OBSERVE_SEVERITIES 3u
#define OBSERVE_RULES 256u /* rules that a connection has room to note, by id */

/** observe_tally counts what a connection held. Sides by index. */
typedef struct observe_tally {
  uint64_t fpdus[2];
  uint64_t octets[2];    /* octets of startup frames, FPDUs and undecodable runs */
  uint64_t streaming[2]; /* octets before the startup frame */
  uint64_t gaps;
  uint64_t messages[OBSERVE_OPCODES];    /* last segments, by opcode */
  uint64_t findings[OBSERVE_SEVERITIES]; /* certain findings, by iwarp_severity */
  uint64_t suspected;                    /* suspected findings */
} observe_tally;

/** observe_resent counts TCP segments. */
typedef struct observe_resent {
  uint64_t segments;
  uint64_t packet; /* the first segment; 0: not seen */
  uint64_t latest; /* the latest segment of `again` and `late`; 0: not known */
} observe_resent;

/** observe_alone is what a side sent again over TCP, or as a probe, after the last packet of the
 * other side but an RST. */
typedef struct observe_alone {
  uint64_t segments; /* 0: nothing, and the rest has no meaning */
  observe_moment first;
  observe_moment latest;
} observe_alone;

/** observe_shut is the longest time in which a side offered no room in its TCP window. */
typedef struct observe_shut {
  uint64_t ns;
  uint64_t first; /* the packet with the first window of 0; 0: no packet has it */
  uint64_t last;  /* the packet with the next other window, or the last one of the connection */
  bool open;      /* no other window came until the connection ended */
} observe_shut;

/** observe_icmp is the errors of ICMP about TCP segments of a side, of the kind that came last.
 * Anybody can send one: each quotes a segment that the side had sent, and proves no more. */
typedef struct observe_icmp {
  const char *says; /* "host unreachable" and the like, static storage; NULL: no error came, and the
                       other members have no meaning */
  uint64_t first;   /* packet of the first error */
  uint64_t latest;  /* packet of the latest error */
  uint32_t mtu;     /* octets of a packet that fits, if packets are too big; 0: not known */
  bool refused;     /* a firewall does not permit the port or the packet */
  bool by_host;     /* the error has the address of the other side */
  bool open;        /* the other side never acknowledged the segment of the latest error */
} observe_icmp;

/** observe_undecodable is what could not be decoded of a direction although nothing excuses it: its
 * start was captured and nothing before these octets is missing. */
typedef struct observe_undecodable {
  uint64_t octets;
  uint64_t packet; /* packet of the first octet */
  uint64_t pos;
  uint64_t offset; /* stream offset of the first octet, or IWARP_POS_UNKNOWN */
  uint64_t cut;    /* octets of these that the end of the stream cuts off: excused where the capture
                      ends there */
} observe_undecodable;

/** observe_stretch is a run of packets from one file of a capture that is cut into files. */
typedef struct observe_stretch {
  uint64_t before; /* packets of the capture before the run */
  uint64_t frames; /* packets of the file before the run */
  size_t part;     /* the file */
} observe_stretch;

/** observe_beginning is the first octets of a stream. */
typedef struct observe_beginning {
  uint64_t pos;    /* position of the first octet */
  iwarp_span head; /* up to 20 octets; empty where the start was not captured */
} observe_beginning;

/** observe_parts are the files of a capture that is cut into files; packets count through all of
 * them. */
typedef struct observe_parts {
  const char *const *names; /* names in the order of reading */
  size_t num;
  const observe_stretch *stretches;
  size_t num_stretches;
} observe_parts;

/**
 * observe_conn is one iWARP connection over TCP, or one DDP Stream Session over SCTP.
 *
 * It belongs to the observe that made it and lives until the `closed` hook has returned; so do
 * `info` and `results`. Only `file`, `user`, `known`, `foreseen`, `unforeseen` and `expected` are
 * the caller's to write, where `numbered`: a connection without a number ends without `closed`.
 */
typedef struct observe_conn {
  const char *file;                /* name given to observe_file */
  const observe_parts *parts;      /* files of the configuration */
  uint64_t number;                 /* 0-based, in this capture; where `numbered` */
  bool proven;                     /* set in `closed`: the octets show iWARP, not the port only */
  uint64_t packet;                 /* packet that `numbered` the connection; 0: no packet */
  bool numbered;                   /* something other than streaming data and an end was seen */
  char addr[2][OBSERVE_ADDR_CAP];  /* "10.0.0.1:4791", by side */
  const struct ingest_addr *ends;  /* over TCP, in `event`: the same as ingest has them */
  const iwarp_observer_info *info; /* state known so far */
  /* set in `event`, over SCTP: certainty of the event; else NULL */
  const iwarp_sctp_certainty *certainty;
  const iwarp_rule_result *results; /* set in `closed`, by rule id; NULL: no rule judges */
  const char *given_up; /* name of the limit that ended the following of the connection or cost it
                           octets, or NULL; static storage */
  bool recounted;       /* `given_up` counts for an earlier part of the connection, or association,
                           already */
  uint64_t began_ns;    /* time of its first packet */
  uint64_t finding;     /* 0-based number of the finding that is handed out, of this connection */
  const char *known;    /* the caller's: the name of the expectation of the connection, or NULL */
  uint8_t foreseen[OBSERVE_RULES / 8u];   /* the caller's, 0 at first: by rule, one bit each, a
                                             finding of it was `known` */
  uint8_t unforeseen[OBSERVE_RULES / 8u]; /* the caller's, by rule: a finding was not `known` */
  uint64_t expected[OBSERVE_SEVERITIES];  /* the caller's: findings that were `known` */
  observe_outcome outcome;                /* set in `closed` */
  observe_at_end at_end;                  /* set in `closed` */
  const observe_facts *facts;             /* set in `closed`; else NULL */
  void *packets; /* over TCP: what the `packet` hook keeps for the TCP connection, or NULL */
  observe_tally tally;
  observe_undecodable undecodable[2]; /* undecodable octets of each side */
  observe_resent again[2]; /* set in `closed`, by side: segments of octets that had been captured */
  observe_resent late[2];  /* set in `closed`, by side: segments that came after later octets */
  observe_beginning begin[2]; /* set in `closed`, over TCP, by side: octets in the place of a
                                 startup frame; empty with a startup frame */
  observe_alone alone[2];     /* set in `closed`, over TCP, by side */
  observe_shut shut[2];       /* set in `closed`, over TCP, by side */
  observe_icmp
      unreachable[2];      /* set in `closed`, over TCP, by side: errors of ICMP but `too_big` */
  observe_icmp too_big[2]; /* set in `closed`, over TCP, by side: packets that are too big */
  uint64_t replaced[2]; /* over SCTP, by side: the packet of the latest copy of a chunk that counts
                           in the place of an earlier one */
  void *user;           /* the caller's, NULL at first; only the caller frees it */
} observe_conn;

/** observe_copy says which of two copies that differ the receiver accepted. */
typedef enum observe_copy {
  OBSERVE_COPY_UNKNOWN = 0, /* no acknowledgment shows it */
  OBSERVE_COPY_FIRST,
  OBSERVE_COPY_SECOND
} observe_copy;

/** observe_headers is a packet of a TCP connection, by its headers. */
typedef struct observe_headers {
  uint64_t packet;  /* number of the packet */
  uint64_t time_ns; /* time of the packet */
  uint64_t len;     /* octets of payload by the IP header */
  uint64_t cap;     /* captured octets of payload */
  /* By side: no event comes any more for octets before this position, whose low 32 bits are a
   * sequence number. 0: not known. */
  uint64_t settled[2];
  /* In another order than in ingest_seen: a copy of several at once waits for the stores of each.
   */
  bool checksum_wrong; /* the TCP checksum is wrong */
  bool duplicate;      /* the packet was captured before */
  uint8_t side;        /* sender of the packet */
  uint8_t flags;       /* flags of the TCP header: FIN 0x01, SYN 0x02, RST 0x04, ACK 0x10 */
  uint16_t window;     /* window of the TCP header */
  uint32_t seq;
} observe_headers;

/** observe_differ is two captured copies of octets that differ: of a TCP connection, or of a DATA
 * chunk over SCTP. */
typedef struct observe_differ {
  char src[OBSERVE_ADDR_CAP]; /* sender of the octets, as in observe_conn */
  char dst[OBSERVE_ADDR_CAP];
  uint8_t side;    /* side of the sender, where there is a connection */
  uint64_t first;  /* the packet of the first copy */
  uint64_t second; /* the packet of the second copy */
  bool sctp;
  uint64_t pos; /* TCP: position of the first octet that differs; its low 32 bits are the sequence
                   number. SCTP: position of the chunk; its low 32 bits are the TSN */
  uint64_t len; /* octets up to the last one that differs; 0: only the header of the segment or the
                   chunk differs */
  observe_copy accepted;
} observe_differ;

/** observe_transport_state is how far a TCP connection without iWARP came. */
typedef enum observe_transport_state {
  OBSERVE_TRANSPORT_REFUSED = 0, /* an RST answers the SYN */
  OBSERVE_TRANSPORT_UNANSWERED,  /* the SYN has no answer */
  OBSERVE_TRANSPORT_RESET,       /* an RST ends the connection before any payload */
  OBSERVE_TRANSPORT_NO_STARTUP,  /* payload was captured from its start, but no startup frame */
  OBSERVE_TRANSPORT_NO_PAYLOAD,  /* no payload was captured, or too little for a startup frame */
  OBSERVE_TRANSPORT_LATE         /* the first payload was not captured */
} observe_transport_state;

#define OBSERVE_TRANSPORT_STATES ((unsigned int)OBSERVE_TRANSPORT_LATE + 1u)

/** observe_streams is where the streams of a connection lie, by side. */
typedef struct observe_streams {
  const struct ingest_addr *ends;
  observe_beginning begin[2];
} observe_streams;

/** observe_transport is a TCP connection without iWARP. */
typedef struct observe_transport {
  char client[OBSERVE_ADDR_CAP]; /* address of the client, as in observe_conn */
  char server[OBSERVE_ADDR_CAP];
  observe_transport_state state;
  bool cut;       /* NO_PAYLOAD: the snapshot length cut the payload off */
  bool datagrams; /* packets of RoCEv2 over UDP between two hosts, in place of a TCP connection */
  const char *looks_like; /* the protocol of its first octets, such as "http", or NULL; static */
  uint64_t packet;        /* the first packet of the connection */
  uint64_t ended;         /* the packet with the RST or the first FIN, or 0 */
  bool ended_by_server;   /* the server sent that packet */
  bool server_silent;     /* NO_STARTUP: the server sent no payload */
  bool client_unseen;     /* no packet of the client is in the capture, though it sent some */
  bool syn_again;         /* UNANSWERED: the client sent its SYN again */
  bool unfinished;        /* no packet of the client acknowledges the SYN+ACK */
  observe_icmp icmp[2];   /* errors of ICMP about the client and the server, if not too big */
  /* time from the first packet to the last one, or to a known end of the capture */
  uint64_t waited_ns;
  const observe_streams *streams; /* valid until the hook returns */
} observe_transport;

#endif
