/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the files of the scenario language share. */
#ifndef SCENARIO_PRIV_H
#define SCENARIO_PRIV_H

#include <iwarp/ddp.h>
#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>

#include <scenario/page.h>
#include <scenario/trace.h>

#define SCN_WORDS_MAX SCENARIO_WORDS_MAX
#define SCN_OCTETS_MAX 65536u                      /* octets of one item, Markers included */
#define SCN_PACKETS_MAX 100000u                    /* packets of one scenario */
#define SCN_ITEMS_MAX 100000u                      /* items of one scenario, repetitions included */
#define SCN_CAPTURE_MAX ((size_t)64 * 1024 * 1024) /* octets of the packets */
#define SCN_SEGMENT_MAX ((size_t)60000) /* octets of a TCP segment, of the chunks of a packet */
#define SCN_LEN_MAX ((size_t)65535)     /* largest value of ULPDU_Length and PD_Length */
#define SCN_STREAMS 65536u              /* streams of an SCTP association */
#define SCN_TSN 1000u                   /* first TSN of both sides */
#define SCN_PORT 40000u                 /* port of the Initiator of the first connection */
#define SCN_CONNS_MAX 8u                /* connections of one scenario */
#define SCN_TIMES_MAX 1000u             /* repetitions of one line */
#define SCN_AGAIN_MAX 8u                /* items that a side remembers */
#define SCN_MTU_MIN 68u                 /* RFC 791 3.2 */

/* The tag that a side of an SCTP association wants in the packets that it receives. */
#define SCN_TAG_INITIATOR 0x99AABBCCu
#define SCN_TAG_RESPONDER 0x11223344u

#define SCN_FIN 0x01u
#define SCN_SYN 0x02u
#define SCN_RST 0x04u
#define SCN_PSH 0x08u
#define SCN_ACK 0x10u

/* ---- words: scenario_words.c ---- */

/* scn_word_split makes KEY or KEY=VALUE of a text. */
void scn_word_split(scn_word *word, const char *text, size_t len);

/* ---- connections: scenario_conn.c ---- */

/* scn_conn_new adds connection `number` and makes it the current one. It returns false if memory
 * runs out. */
bool scn_conn_new(scenario *s, uint8_t number);

/* ---- packets: scenario_packets.c ---- */

typedef enum scn_checksum {
  SCN_CHECKSUM_GOOD = 0,
  SCN_CHECKSUM_BAD,
  SCN_CHECKSUM_ZERO
} scn_checksum;

typedef struct scn_packet {
  uint8_t side; /* 0: the Initiator */
  uint8_t flags;
  uint8_t conn;          /* number of its connection, 0 at first */
  bool moved[2];         /* each side uses its second address */
  bool raw;              /* SCTP: chunks as the text has them */
  bool payload;          /* octets of the stream, over SCTP DATA */
  scn_checksum checksum; /* SCTP */
  uint32_t seq;          /* counted from the SYN of the side, which is 0; SCTP: first TSN */
  uint32_t ack;          /* counted from the SYN of the other side; not SCTP */
  uint8_t *octets;       /* octets of the TCP segment, or the chunks */
  size_t len;
  size_t snap;      /* octets of the packet that are captured; 0: all */
  size_t mtu;       /* octets of an IP fragment; 0: no fragments */
  bool again;       /* retransmitted some time later */
  uint64_t time_ns; /* trace only: time since the epoch */
  char *comment;    /* trace only: comment; may be NULL */
} scn_packet;

typedef struct scn_side {
  uint32_t seq;    /* next sequence number */
  bool markers;    /* the side wants to receive Markers */
  bool crc;        /* the side wants CRCs */
  uint64_t off;    /* stream offset of the next FPDU */
  uint32_t msn[4]; /* last MSN of each queue */
  size_t waiting;  /* octets that go with the next item, see scn_conn */
} scn_side;

/* One side of an SCTP association. */
typedef struct scn_sctp_side {
  uint32_t first; /* first TSN */
  uint32_t tsn;   /* next TSN */
  uint32_t acked; /* last TSN of the other side that was acknowledged */
  bool init_lost; /* INIT or INIT ACK is not captured */
  bool adaptation_none;
  uint8_t adaptation[IWARP_SCTP_ADAPTATION_LEN];
  size_t outbound; /* outbound streams of INIT or INIT ACK */
  size_t inbound;
  struct {
    uint8_t octets[SCN_SEGMENT_MAX];
    size_t len;
    size_t num; /* DATA chunks */
  } waiting;    /* chunks that wait for a packet */
} scn_sctp_side;

typedef struct scn_numbers {
  uint16_t ssn;    /* next DDP-SSN */
  uint32_t msn[4]; /* last MSN of each queue */
} scn_numbers;

typedef struct scn_stream {
  bool ended; /* the session has ended: the next Initiate begins another one */
  scn_numbers side[2];
} scn_stream;

/* The state of a side before an item. */
typedef struct scn_memory {
  scn_side side;
  uint32_t tsn;
  size_t stream;
  scn_numbers numbers; /* numbers of the stream */
} scn_memory;

/* The terms that the last Request of a connection asked for: a Reply follows them. */
typedef struct scn_asked {
  bool known;
  bool enhanced; /* `terms` is set */
  uint8_t rev;
  iwarp_mpa_enhanced terms;
} scn_asked;

#define SCN_BLAME_MAX 46u /* octets: an untagged DDP header and a Read Request */

/* The last segment of a side: a Terminate of the other one is about it. */
typedef struct scn_blame {
  uint8_t octets[SCN_BLAME_MAX];
  size_t len;         /* octets kept from its beginning */
  size_t segment_len; /* octets of the whole segment */
} scn_blame;

/* One connection, or association. */
typedef struct scn_conn {
  uint8_t number;       /* 0 at first */
  uint16_t port;        /* port of the Initiator */
  bool begun;           /* the handshake is made */
  bool lost;            /* the handshake is not captured */
  bool passive;         /* the Responder sent the SYN */
  bool closed;          /* a side said how the conversation ends */
  bool fin[2];          /* this side said that it ends */
  scenario_end ends[2]; /* ends of a trace */
  scn_asked asked;
  scn_blame blame[2];
  scn_side side[2];
  scn_sctp_side end[2];
  scn_stream *streams; /* SCN_STREAMS over SCTP; over TCP `only` alone */
  scn_stream only;
  uint8_t waiting[2][2 * SCN_OCTETS_MAX]; /* over TCP */
  scn_memory memory[2][SCN_AGAIN_MAX];
  size_t num_items[2];
} scn_conn;

struct scenario {
  scn_packet *packets;
  size_t num;
  size_t cap;
  size_t octets; /* octets of all packets */
  size_t unseen; /* octets of packets that are not captured */
  size_t items;
  scn_conn *conns[SCN_CONNS_MAX];
  scn_conn *conn; /* connection of the next lines */
  bool sctp;      /* the conversation is over SCTP, else over TCP */
  bool traced;    /* packets have their own addresses and times */
  bool ipv6;
  bool vlan;
  bool swapped;    /* each side has the address and port of the other one */
  bool late;       /* `begin` stood in the scenario */
  bool again;      /* packets are sent again now */
  bool unheard[2]; /* packets of this side are not captured */
  bool is_case;    /* the page of a case */
  bool live;       /* the scenario is for a player */
  scenario_names names;
  scenario_terms terms; /* live */
  uint32_t isn;         /* initial sequence number of both sides, not SCTP */
  size_t snaplen;       /* snapshot length; 0: packets are not cut */
  size_t mtu;           /* MTU of packets without their own; 0: no fragments */
};

/* The way of an item. */
typedef struct scn_travel {
  size_t segment; /* octets of a TCP segment; 0: as many as fit */
  size_t snap;    /* octets of each packet that are captured; 0: all */
  size_t mtu;     /* octets of an IP fragment; 0: no fragments */
  size_t unacked; /* octets of the other side that the packets do not acknowledge */
  bool lost;      /* the packets are not captured */
  bool twice;     /* each packet is captured twice */
  bool bundled;   /* the octets go with the next item of the side */
} scn_travel;

/* scn_forget takes away all packets so far: they were not captured. */
void scn_forget(scenario *s);

/* scn_truncate takes away the packets from number `num` on. */
void scn_truncate(scenario *s, size_t num);

/* scn_send makes packets of octets; false: no memory, or too many. scn_packet_add makes one. */
bool scn_send(scenario *s, uint8_t side, const uint8_t *octets, size_t len, const scn_travel *how);
bool scn_packet_add(scenario *s, uint8_t side, uint8_t flags, const uint8_t *octets, size_t len);
bool scn_packet_copy(scenario *s, const scn_packet *packet);

/* scn_packet_unseen counts the octets of a packet that is not captured; false: there are too many.
 */
bool scn_packet_unseen(scenario *s, size_t len);

/* ---- octets of an item: scenario_parts.c ---- */

#define SCN_FORMS 5u

/* The octets of an item before MPA or SCTP frames them, and the forms that lie in them. */
typedef struct scn_parts {
  uint8_t octets[SCN_OCTETS_MAX + 16];
  size_t len;
  scn_word fill; /* octets in hex that `len` repeats; without a key: it counts */
  struct {
    iwarp_form form;
    size_t at;
  } form[SCN_FORMS];
  size_t num_forms;
} scn_parts;

typedef enum scn_use { SCN_USED = 0, SCN_NOT_MINE, SCN_WRONG } scn_use;

/* The reader of words that are neither payload nor fields. */
typedef struct scn_extra {
  scn_use (*use)(void *into, const scn_line *line, const scn_word *word, scenario_error *error);
  void *into;
} scn_extra;

/* scn_fail writes why a word is wrong, and returns false. */
bool scn_fail(scenario_error *error, const scn_line *line, const scn_word *word, const char *text);
void scn_parts_add(scn_parts *p, iwarp_form form, size_t at);
/* scn_words lets each word of a line after the first two do what it says: `payload` names the one
 * that appends octets in hex, as `len` does. */
bool scn_words(scn_parts *p, const scn_line *line, const char *payload, scn_extra extra,
               scenario_error *error);
bool scn_has(const scn_line *line, const char *name);
/* scn_range takes the value of a word that is a number from `min` to `max`; scn_number begins at 0,
 * scn_some at 1. */
bool scn_range(const scn_line *line, const scn_word *word, uint64_t min, uint64_t max, size_t *out,
               scenario_error *error);
bool scn_number(const scn_line *line, const scn_word *word, uint64_t max, size_t *out,
                scenario_error *error);
bool scn_some(const scn_line *line, const scn_word *word, uint64_t max, size_t *out,
              scenario_error *error);
scn_use scn_used(bool ok);

/* scn_message_opcode knows a message of RDMAP by its name; scn_message appends its headers, with
 * the defaults of a conforming message of one segment; scn_rest removes the RDMAP headers, as in a
 * later segment; scn_count counts it, by the DDP header at `at`. `msn` has the last one of each
 * queue. */
bool scn_message_opcode(const scn_word *kind, uint8_t *opcode);
void scn_message(scn_parts *p, const uint32_t *msn, uint8_t opcode);
void scn_rest(scn_parts *p, size_t at);
void scn_count(uint32_t *msn, const scn_parts *p, size_t at, uint8_t opcode);

/* ---- lines: scenario_said.c ---- */

/* scn_said lets a side say what the words of a line after its first one are; scn_begin makes the
 * handshake of the present connection, if it is not made. */
bool scn_said(scenario *s, uint8_t side, const scn_line *line, scenario_error *error);
bool scn_begin(scenario *s);

/* ---- statements: scenario_read.c ---- */

/* scn_statement takes a statement about the capture; scn_end ends all connections. */
bool scn_statement(scenario *s, const scn_line *line, scenario_error *error);
bool scn_end(scenario *s);

/* ---- over TCP: scenario_tcp.c ---- */

/* scn_travel_word takes a word about how octets travel over TCP. */
scn_use scn_travel_word(scn_travel *travel, const scn_line *line, const scn_word *word,
                        scenario_error *error);
/* scn_mtu is scn_number of the octets that an IP fragment has room for. */
bool scn_mtu(const scn_line *line, const scn_word *word, size_t *out, scenario_error *error);

/* scn_tcp_item makes the octets of a startup frame or a message out of a line and lets them travel;
 * false: `error` says why. */
bool scn_tcp_item(scenario *s, uint8_t side, const scn_line *line, scenario_error *error);

/* ---- over SCTP: scenario_sctp.c, scenario_session.c ---- */

/* The way of a message. */
typedef struct scn_chunking {
  size_t stream;
  size_t ppid;
  size_t fragment; /* octets of user data in a DATA chunk; 0: as many as fit */
  size_t snap;     /* octets of the packet that are captured; 0: all */
  size_t mtu;      /* octets of an IP fragment; 0: no fragments */
  size_t unacked;  /* the SACK leaves out so many DATA chunks of the other side */
  bool sack;       /* even where nothing came yet */
  bool sack_none;
  scn_checksum checksum;
  bool moved[2];  /* each side uses its second address */
  bool ordered;   /* the U flag is clear */
  bool immediate; /* the I flag is set */
  bool rest;      /* a later segment of a message */
  bool bundled;   /* the chunk shares a packet with the next item of the side */
  bool lost;
  bool twice;
} scn_chunking;

/* scn_sctp_reset sets the present connection up; false: no memory. scn_tag is the tag that a side
 * of a connection wants. */
bool scn_sctp_reset(scenario *s);
uint32_t scn_tag(uint8_t number, uint8_t side);
/* These make packets; false: no memory, too many, or one that is too long. */
bool scn_sctp_open(scenario *s);
bool scn_sctp_data(scenario *s, uint8_t side, const uint8_t *user, size_t len,
                   const scn_chunking *how);
bool scn_sctp_sack(scenario *s, uint8_t side, const scn_chunking *how);
bool scn_sctp_octets(scenario *s, uint8_t side, const uint8_t *chunks, size_t len);
bool scn_sctp_close(scenario *s, uint8_t side);
bool scn_sctp_abort(scenario *s, uint8_t side);
/* scn_sctp_shift adds `by` to every TSN except the TSNs of raw packets; it does nothing over
 * TCP. */
void scn_sctp_shift(scenario *s, uint32_t by);

/* scn_stream_of is the stream that a line names; over TCP there is one. */
size_t scn_stream_of(const scenario *s, const scn_line *line);
/* scn_sctp_item is scn_tcp_item over SCTP. */
bool scn_sctp_item(scenario *s, uint8_t side, const scn_line *line, scenario_error *error);

/* Numbers in network byte order. */
void scn_put_16(uint8_t *p, uint32_t v);
void scn_put_32(uint8_t *p, uint32_t v);
uint32_t scn_get_32(const uint8_t *p);

#endif
