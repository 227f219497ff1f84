/* SPDX-License-Identifier: BSD-2-Clause */
/* A piece of a capture: its octets, and the packets in it by the share that judges them. */
#ifndef CLI_JOBS_PIECE_H
#define CLI_JOBS_PIECE_H

#include <ingest/ingest.h>
#include <ingest/pcap_src.h>

/* Tests build it with small ones. */
#ifndef JOBS_PIECE
#define JOBS_PIECE (256u * 1024u)      /* octets of a file that are read at once */
#define JOBS_PIECE_HEAD (128u * 1024u) /* room before them, for what the piece before left */
#endif
#define JOBS_PIECE_PACKETS 16384u /* packets of a piece that is no stretch of a file */
#define JOBS_ALL UINT16_MAX       /* a packet that all shares get */

/** jobs_packet is a packet in a piece. */
typedef struct jobs_packet {
  uint64_t time_ns;
  uint32_t at; /* offset in the octets of the piece */
  uint32_t caplen;
  uint32_t len;
  uint32_t number; /* packets of the piece up to it, including packets that no share gets */
  uint32_t input;  /* octets of these, as a capture file holds them */
  uint32_t next;   /* the next packet of its share; 0: look for it */
  int link_type;
} jobs_packet;

/** jobs_space is memory for octets. */
typedef struct jobs_space {
  uint8_t *octets;
  size_t cap;
  uint16_t by; /* the worker that filled it, in the cache of whose processor it may be */
} jobs_space;

/** jobs_piece is made by one worker after another, and then read by all. */
typedef struct jobs_piece {
  jobs_space space;
  size_t begin; /* octets that hold packets lie from begin to end */
  size_t end;
  bool fetched;           /* a stretch of a file was read */
  pcap_src_piece stretch; /* the stretch of the file, with its end */
  jobs_packet *packet;
  uint16_t *whose; /* number of a share by packet, or JOBS_ALL */
  size_t num;
  size_t room;
  size_t *last; /* last packet of the share plus 1, by share */
  size_t last_all;
  ingest_tunnels *tunnels; /* tunnels of the packets */
  uint64_t number;         /* packets of the capture before this piece */
  uint64_t input;          /* octets of the run before this piece */
  bool finish;             /* the capture ends with this piece */
  uint64_t end_ns;         /* time of the last packet of the capture, with `finish` */
} jobs_piece;

/** jobs_piece_new makes an empty piece for so many shares; false: there is no memory. */
bool jobs_piece_new(jobs_piece *p, unsigned int shares);

/** jobs_piece_begin takes all packets out; what was fetched stays. */
void jobs_piece_begin(jobs_piece *p, unsigned int shares, uint64_t number, uint64_t input);

/** jobs_piece_fetch reads octet `at` of the file, and those that follow, whatever the threads
 * beside it do. */
void jobs_piece_fetch(jobs_piece *p, const pcap_src *src, uint64_t at);

/** jobs_piece_join puts octets that `before` holds and that are left there in front of those that
 * were fetched; false: there is no memory. */
bool jobs_piece_join(jobs_piece *p, jobs_piece *before, const uint8_t *left, size_t len);

/** jobs_piece_copy copies the octets of a packet to the end of the piece, and points it there;
 * false: there is no memory. */
bool jobs_piece_copy(jobs_piece *p, ingest_packet *packet);

/** jobs_piece_add notes a packet that lies in the piece; `input` octets have been read up to it.
 * False: there is no memory. */
bool jobs_piece_add(jobs_piece *p, const ingest_packet *packet, uint64_t input, uint16_t whose);

/** jobs_piece_find returns the first packet for the share at place `i` or after it, or `num`. */
size_t jobs_piece_find(const jobs_piece *p, size_t i, uint16_t worker);

/** jobs_piece_get makes `out` the packet at place `i`. */
void jobs_piece_get(const jobs_piece *p, size_t i, ingest_packet *out);

void jobs_piece_free(jobs_piece *p);

#endif
