/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk over the packets of a capture, piece by piece: where they are, and who judges them. */
#ifndef CLI_JOBS_READ_H
#define CLI_JOBS_READ_H

#include <ingest/packet_facts.h>

#include "jobs_work.h"

#define JOBS_PACKET_HEAD 16u /* octets of a packet in a pcap file, before its own */

/** jobs_read_progress is what was read of a capture. */
typedef struct jobs_read_progress {
  uint64_t packets;
  uint64_t octets;   /* octets of the packets on the wire */
  uint64_t input;    /* octets of the run so far, as a capture file holds them */
  uint64_t began_ns; /* time of the first packet of the capture */
  uint64_t done;     /* octets read of the file */
  uint64_t total;    /* octets of the file; 0: not known */
} jobs_read_progress;

/** jobs_read is a file that is read. The caller sets the members up to `each`, but for `encap`. */
typedef struct jobs_read {
  pcap_src *src;
  uint64_t max;    /* packets of the capture */
  uint64_t before; /* packets of the capture in other files */
  jobs_read_progress so_far;
  ingest_packet_facts facts; /* facts of the packets of the capture so far */
  ingest_encap encap;        /* layers of the packets that not all engines get */
  void *ctx;
  /* may be NULL; called in any thread, by a single thread at a time */
  void (*each)(void *ctx, const ingest_packet *packet);
  bool by_pieces;         /* octets of the file are fetched by any worker */
  uint64_t work;          /* work on the file, as far as it is known */
  uint64_t from;          /* octet of the file at which the pieces begin */
  size_t longest;         /* octets of the longest packet of the capture */
  size_t shortest_cut;    /* octets of the shortest packet that was cut */
  pcap_src_result result; /* FEED while the file has more packets */
} jobs_read;

#define JOBS_BUCKETS 4096u

/**
 * jobs_read_shares is who judges. Connections over TCP are dealt out in turn, as they come: of few
 * connections a hash alone may give twice as many to one share as to another.
 */
typedef struct jobs_read_shares {
  unsigned int num;
  bool all; /* each of them gets each packet */
  _Atomic uint16_t next;
  _Atomic uint16_t owner[JOBS_BUCKETS]; /* share plus 1 by hash; 0: not dealt out yet */
} jobs_read_shares;

/** jobs_read_deal takes all connections back, before a capture. */
void jobs_read_deal(jobs_read_shares *shares);

/** jobs_read_walk finds the packets of a piece, after the one before; false: there is no memory. */
bool jobs_read_walk(jobs_read *r, jobs_piece *p, jobs_piece *before, jobs_read_shares *shares);

/** jobs_read_share returns the share of the connection between two ends, in any thread. */
uint16_t jobs_read_share(jobs_read_shares *shares, const ingest_addr addr[2], bool sctp);

#endif
