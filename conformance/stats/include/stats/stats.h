/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets and events of one connection in, figures about it out. */
#ifndef STATS_STATS_H
#define STATS_STATS_H

#include <iwarp/event.h>

#include <observe/conn.h>

#include <stats/hist.h>

/*
 * What each figure means stands in docs/stats.md. This header uses its words: duplicate,
 * position, carried, delivered, known, hole.
 *
 * A stats is one TCP connection, or one DDP Stream Session over SCTP. It allocates through
 * <memory/memory.h>, prints nothing and opens nothing. Its memory depends on what waits for its
 * turn, and not on the length of the capture. What exceeds a bound is named by `limits`.
 */

#define STATS_NAMES 13u /* names of RDMAP messages; the last one is "reserved" */
#define STATS_SLOTS 64u /* slots of throughput over time, for a line of text */

/** Bounds that were reached, as bits: figures may differ from their definition. */
#define STATS_LIMIT_GAPS 0x1u     /* gaps of a direction that are remembered: 4,096 */
#define STATS_LIMIT_PACKETS 0x2u  /* packets of a direction whose octets are not decoded: 16,384 */
#define STATS_LIMIT_ORDER 0x4u    /* events that wait for the other direction: 16,384 */
#define STATS_LIMIT_REQUESTS 0x8u /* Requests open at a time: 32,768 */
#define STATS_LIMIT_INTERVALS 0x10u /* intervals that are not complete: 4,096 */
#define STATS_LIMIT_LATE 0x20u      /* octets came after what followed them was decoded */

/** stats_limit_name returns the name of a bit, such as "gaps", or NULL for others. */
const char *stats_limit_name(uint32_t bit);

/** stats_name returns the RDMAP name of message kind `i`. */
const char *stats_name(size_t i);

/** stats_tcp is section 3.1: what a side sends, by TCP headers. */
typedef struct stats_tcp {
  uint64_t packets;
  uint64_t data_packets;
  uint64_t octets;
  uint64_t duplicate_packets;
  uint64_t cut_packets;
  uint64_t retransmitted_packets;
  uint64_t retransmitted_octets;
  uint64_t out_of_order_packets;
  uint64_t keep_alives;
  uint64_t zero_windows;
  uint64_t zero_window_ns;
  uint64_t gaps;       /* set at the end */
  uint64_t gap_octets; /* set at the end */
} stats_tcp;

/** stats_stream is section 3.2. All members are complete at the end, the first six grow. */
typedef struct stats_stream {
  uint64_t payload;
  uint64_t headers;
  uint64_t pad;
  uint64_t crc;
  uint64_t markers;
  uint64_t startup;
  uint64_t streaming;
  uint64_t undecoded; /* set at the end */
  uint64_t missing;   /* set at the end */
  uint64_t octets;    /* set at the end */
} stats_stream;

/** stats_messages is section 3.4, of one name. */
typedef struct stats_messages {
  uint64_t count;
  uint64_t octets;
  stats_hist size;
  stats_hist segments;
} stats_messages;

/** stats_requests is section 3.5. */
typedef struct stats_requests {
  uint64_t requests; /* 0: there are no figures */
  uint64_t answered;
  uint64_t unanswered; /* set at the end */
  uint64_t left_out;
  uint64_t after_hole;
  stats_hist response_time;
  stats_hist first_octet_time;
} stats_requests;

/** stats_outstanding is section 3.6. */
typedef struct stats_outstanding {
  bool known; /* else it is absent */
  uint64_t max;
  uint64_t busy_ns;
  uint64_t mean_micro; /* the mean in millionths, where busy_ns is not 0 */
  bool has_limit;      /* the next two are set */
  uint64_t limit;
  uint64_t at_limit_ns;
} stats_outstanding;

/** stats_slots is octets over time, in at most STATS_SLOTS slots of one width. */
typedef struct stats_slots {
  uint64_t width_ns;
  size_t num; /* slots that are in use */
  uint64_t of[STATS_SLOTS];
} stats_slots;

#define STATS_POINTS 2000u /* points of a series, at most */

/** stats_point is a value at a time since the first packet. */
typedef struct stats_point {
  uint64_t ns;
  uint64_t v;
  uint8_t kind; /* kind of message: stats_name */
} stats_point;

/** stats_series is values over time. Of `stride` values that follow one another it has the highest
 * one. */
typedef struct stats_series {
  stats_point *of;
  size_t num;
  size_t room;
  uint64_t stride;
  uint64_t waits; /* values since the last point, and the highest one of them */
  stats_point waiting;
} stats_series;

/** stats_plots is what a side sends over time, where it is wanted. */
typedef struct stats_plots {
  stats_series sequence;    /* position after each FPDU, in octets of the stream */
  stats_series latency;     /* response times of Reads, in nanoseconds */
  stats_series outstanding; /* Requests outstanding */
} stats_plots;

/** stats_side is one object of `directions`: what a side sends. */
typedef struct stats_side {
  stats_tcp tcp;
  stats_stream stream;
  bool has_startup; /* the startup frame is known */
  uint64_t fpdus;   /* known ones */
  uint64_t bad_crc;
  stats_hist fpdu_size;
  uint64_t active_ns;
  uint64_t packing_packets;
  uint64_t packing_aligned;
  stats_hist fpdus_per_packet;
  stats_hist packets_per_fpdu;
  stats_messages *messages[STATS_NAMES]; /* NULL: none of this name */
  uint64_t unfinished;
  uint64_t begun_unseen;
  stats_requests reads;
  stats_requests atomics;
  stats_outstanding outstanding;
  stats_slots slots; /* DDP payload, when it was delivered */
  stats_plots plots;
} stats_side;

/** stats_span is a duration that may be unknown. */
typedef struct stats_span {
  bool known;
  uint64_t ns;
} stats_span;

/** stats_figures is a line of `stats`. Sides by index, as in observe_conn. */
typedef struct stats_figures {
  uint64_t first_packet; /* number and time of the first packet */
  uint64_t first_ns;
  uint8_t first_side; /* sender of the first packet */
  uint64_t duration_ns;
  uint64_t packets;
  uint64_t octets;
  bool whole; /* set at the end */
  uint64_t idle_count;
  uint64_t idle_ns;
  uint64_t idle_max_ns;
  uint64_t idle_max_packet; /* 0: there is one packet only */
  stats_span syn_to_synack;
  stats_span synack_to_ack;
  stats_span request_to_reply; /* set at the end, like the next two members */
  stats_span reply_to_first_fpdu;
  stats_span syn_to_first_fpdu;
  uint32_t limits; /* STATS_LIMIT_* */
  stats_side side[2];
} stats_figures;

/** stats_interval is a line of `stats-interval`. */
typedef struct stats_interval {
  uint64_t index;
  struct {
    uint64_t packets;
    uint64_t octets;
    uint64_t retransmitted_octets;
    uint64_t payload;
    uint64_t messages;
    uint64_t reads; /* Reads of this side that were answered */
    uint64_t read_sum_ns;
    uint64_t read_max_ns;
  } side[2];
} stats_interval;

/** stats is a connection. */
typedef struct stats stats;

/** stats_cfg says what is wanted beside the figures. */
typedef struct stats_cfg {
  uint64_t interval_ns; /* 0: no intervals */
  bool plots;           /* the figures have `plots` */
  /* No packets come, over TCP neither: the event of an item says when it was delivered.
   * Sections 3.1 to 3.3 have no figures. */
  bool by_events;
  void *ctx;
  /* An interval to which nothing more comes, in order. Only inside stats_event and stats_end. */
  void (*interval)(void *ctx, const observe_conn *conn, const stats_interval *interval);
} stats_cfg;

/** stats_new makes a connection without packets; `cfg` must outlive it. NULL: no memory. */
stats *stats_new(const stats_cfg *cfg);

/** stats_free gives its memory back; NULL is fine. */
void stats_free(stats *s);

/** stats_packet takes a packet of a TCP connection, before its events. */
void stats_packet(stats *s, const observe_headers *packet);

/** stats_event takes an event of `conn`, which is that TCP connection, or an SCTP session. */
void stats_event(stats *s, const observe_conn *conn, const iwarp_event *ev);

/** stats_fpdu takes an FPDU of a data message without Markers, over TCP, whose CRC is good, as its
 * event. */
void stats_fpdu(stats *s, const observe_conn *conn, const iwarp_observer_fpdu *fpdu);

/** stats_end completes the figures. Nothing is taken any more. */
void stats_end(stats *s, const observe_conn *conn);

/** stats_now returns the figures so far. Members that a comment has "at the end" are complete after
 * stats_end alone. */
const stats_figures *stats_now(stats *s);

/** stats_first returns the side that stands first: the initiator, or with unknown roles the sender
 * of the first packet. */
uint8_t stats_first(const stats *s, const observe_conn *conn);

/** stats_memory returns the bytes that a connection has. */
size_t stats_memory(const stats *s);

#endif
