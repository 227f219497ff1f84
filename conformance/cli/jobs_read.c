/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets by piece and by share. */
#include "jobs_read.h"

#include <ingest/split.h>
#include <stdatomic.h>

#include "conn_hash.h"

#define READ_AHEAD 8u    /* packets */
#define READ_HEADERS 48u /* octets of a packet, at whose end addresses and ports were met */

#define READ_BUCKET_SHIFT 52 /* bits of a hash below the bucket */
_Static_assert(JOBS_BUCKETS == UINT64_C(1) << (64 - READ_BUCKET_SHIFT), "a bucket for each number");

void jobs_read_deal(jobs_read_shares *shares) {
  atomic_store(&shares->next, 0);
  for (size_t i = 0; i < JOBS_BUCKETS; i++) {
    atomic_store_explicit(&shares->owner[i], 0, memory_order_relaxed);
  }
}

/* Gives the bucket to a share, unless another thread has done so meanwhile. */
static uint16_t read_deal_out(jobs_read_shares *shares, _Atomic uint16_t *owner) {
  uint16_t none = 0;
  const uint16_t next = atomic_load(&shares->next);
  if (!atomic_compare_exchange_strong(owner, &none, (uint16_t)(next + 1))) {
    return none;
  }
  atomic_store(&shares->next, (uint16_t)((next + 1) % shares->num));
  return (uint16_t)(next + 1);
}

/* The share of TCP connections with the hash. */
static inline uint16_t read_owner(jobs_read_shares *shares, uint64_t hash) {
  _Atomic uint16_t *at = &shares->owner[hash >> READ_BUCKET_SHIFT];
  const uint16_t owner = atomic_load_explicit(at, memory_order_relaxed);
  return (uint16_t)((owner != 0 ? owner : read_deal_out(shares, at)) - 1);
}

/* A number below `shares`, each equally likely. This also holds for hashes with the same remainder,
 * which all hashes of one shard have. */
static uint16_t read_spread(uint64_t hash, unsigned int shares) {
  return (uint16_t)((hash >> 32) * shares >> 32);
}

uint16_t jobs_read_share(jobs_read_shares *shares, const ingest_addr addr[2], bool sctp) {
  return sctp ? read_spread(conn_hash(addr, true), shares->num)
              : read_owner(shares, ingest_split_hash(addr));
}

/* Returns true if each engine has to know the length of the packet. */
static bool read_is_extreme(jobs_read *r, const ingest_packet *packet) {
  const bool longest = packet->caplen > r->longest;
  const bool shortest = packet->caplen < packet->len && packet->caplen < r->shortest_cut;
  r->longest = longest ? packet->caplen : r->longest;
  r->shortest_cut = shortest ? packet->caplen : r->shortest_cut;
  return longest || shortest;
}

/* Notes the packet for the shares that need it. */
static bool read_place(jobs_read *r, jobs_piece *p, const ingest_packet *packet,
                       jobs_read_shares *shares) {
  uint64_t hash = 0;
  ingest_split split = shares->all ? INGEST_SPLIT_ALL : ingest_split_of(packet, &hash, &r->encap);
  if (read_is_extreme(r, packet)) {
    split = INGEST_SPLIT_ALL;
  }
  return split == INGEST_SPLIT_NONE ||
         jobs_piece_add(p, packet, r->so_far.input,
                        split == INGEST_SPLIT_ALL ? JOBS_ALL : read_owner(shares, hash));
}

/* Asks for the headers of the packet that comes some packets later, if all are as long as this one:
 * where they lie is not known before they are read, so that each would be waited for. */
static void read_ahead(const ingest_packet *packet) {
  const uint8_t *at = packet->data + READ_AHEAD * (packet->caplen + JOBS_PACKET_HEAD);
  __builtin_prefetch(at - JOBS_PACKET_HEAD);
  __builtin_prefetch(at + READ_HEADERS);
}

static bool read_take(jobs_read *r, jobs_piece *p, ingest_packet *packet,
                      jobs_read_shares *shares) {
  jobs_read_progress *so_far = &r->so_far;
  read_ahead(packet);
  packet->number += r->before;
  so_far->began_ns = so_far->packets == 0 ? packet->time_ns : so_far->began_ns;
  ingest_packet_facts_add(&r->facts, packet);
  so_far->packets++;
  so_far->octets += packet->len;
  so_far->input += JOBS_PACKET_HEAD + packet->caplen;
  if (r->each != NULL) {
    r->each(r->ctx, packet);
  }
  return (r->by_pieces || jobs_piece_copy(p, packet)) && read_place(r, p, packet, shares);
}

/* Returns true if another packet belongs to the piece. */
static bool read_goes_on(jobs_read *r, const jobs_piece *p) {
  if (r->so_far.packets >= r->max) {
    r->result = PCAP_SRC_END;
    return false;
  }
  return r->by_pieces || !jobs_work_ends(p->end - p->begin, r->so_far.packets - p->number);
}

static bool read_packets(jobs_read *r, jobs_piece *p, jobs_read_shares *shares) {
  ingest_packet packet;
  while (read_goes_on(r, p)) {
    r->result = pcap_src_next(r->src, &packet);
    if (r->result != PCAP_SRC_PACKET) {
      return true;
    }
    r->result = PCAP_SRC_FEED;
    if (!read_take(r, p, &packet, shares)) {
      return false;
    }
  }
  return true;
}

/* Gives the source what was fetched, after what it has left. */
static bool read_feed(jobs_read *r, jobs_piece *p, jobs_piece *before) {
  static const uint8_t none[1];
  const uint8_t *left;
  const size_t len = pcap_src_left(r->src, &left);
  if (!jobs_piece_join(p, before, left, len)) {
    return false;
  }
  p->stretch.octets = p->space.octets != NULL ? p->space.octets + p->begin : none;
  p->stretch.len = p->end - p->begin;
  pcap_src_feed(r->src, &p->stretch);
  return true;
}

bool jobs_read_walk(jobs_read *r, jobs_piece *p, jobs_piece *before, jobs_read_shares *shares) {
  jobs_piece_begin(p, shares->num, r->so_far.packets, r->so_far.input);
  if (!r->by_pieces) {
    p->begin = p->end = 0;
    pcap_src_set_work(r->src, shares->all ? 0 : r->work); /* a shard knows its own work alone */
  }
  const bool good = (!r->by_pieces || read_feed(r, p, before)) && read_packets(r, p, shares);
  pcap_src_progress(r->src, &r->so_far.done, &r->so_far.total);
  return good;
}
