/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces of captures. */
#include "jobs_piece.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#define PIECE_CAP ((size_t)JOBS_PIECE_HEAD + JOBS_PIECE)
#define PIECE_ROOM 64u /* packets, at first */

/* ---- octets ---- */

/* Makes room for so many octets; the octets so far stay. */
static bool piece_grow(jobs_piece *p, size_t cap) {
  if (cap <= p->space.cap) {
    return true;
  }
  const size_t more = cap > 2 * p->space.cap ? cap : 2 * p->space.cap;
  uint8_t *grown = memory_resize(p->space.octets, more);
  if (grown != NULL) {
    p->space.octets = grown;
    p->space.cap = more;
  }
  return grown != NULL;
}

/* Gives back what a record took that was longer than a piece. */
static void piece_shrink(jobs_piece *p) {
  if (p->space.cap > 2 * PIECE_CAP) {
    free(p->space.octets);
    p->space.octets = NULL;
    p->space.cap = 0;
  }
}

void jobs_piece_fetch(jobs_piece *p, const pcap_src *src, uint64_t at) {
  size_t got = 0;
  int error = ENOMEM;
  piece_shrink(p);
  if (piece_grow(p, PIECE_CAP)) {
    got = pcap_src_read_at(src, at, p->space.octets + JOBS_PIECE_HEAD, JOBS_PIECE, &error);
  }
  p->begin = JOBS_PIECE_HEAD;
  p->end = JOBS_PIECE_HEAD + got;
  p->stretch = (pcap_src_piece){.end = at + got, .last = got < JOBS_PIECE, .error = error};
}

/* No share reads the octets of a piece without packets. So a record that is longer than some pieces
 * stays in place, and the octets that follow are put after it. */
static bool piece_take_over(jobs_piece *p, jobs_piece *before, const uint8_t *left, size_t len) {
  const size_t fetched = p->end - p->begin;
  const size_t at = (size_t)(left - before->space.octets);
  const jobs_space space = p->space;
  p->space = before->space;
  before->space = space;
  if (!piece_grow(p, at + len + fetched)) {
    return false;
  }
  memcpy(p->space.octets + at + len, space.octets + p->begin, fetched);
  p->begin = at;
  p->end = at + len + fetched;
  return true;
}

/* Moves the fetched octets, so that the octets left over fit before them. */
static bool piece_move(jobs_piece *p, const uint8_t *left, size_t len) {
  const size_t fetched = p->end - p->begin;
  if (!piece_grow(p, len + fetched)) {
    return false;
  }
  memmove(p->space.octets + len, p->space.octets + p->begin, fetched);
  memcpy(p->space.octets, left, len);
  p->begin = 0;
  p->end = len + fetched;
  return true;
}

bool jobs_piece_join(jobs_piece *p, jobs_piece *before, const uint8_t *left, size_t len) {
  if (len == 0) {
    return true;
  }
  if (len <= p->begin) {
    p->begin -= len;
    memcpy(p->space.octets + p->begin, left, len);
    return true;
  }
  return before->num == 0 ? piece_take_over(p, before, left, len) : piece_move(p, left, len);
}

bool jobs_piece_copy(jobs_piece *p, ingest_packet *packet) {
  const size_t end = p->end + packet->caplen;
  if (!piece_grow(p, end > 0 ? end : 1)) { /* an empty packet takes a place, too */
    return false;
  }
  if (packet->caplen > 0) {
    memcpy(p->space.octets + p->end, packet->data, packet->caplen);
  }
  packet->data = p->space.octets + p->end;
  p->end = end;
  return true;
}

/* ---- packets ---- */

bool jobs_piece_new(jobs_piece *p, unsigned int shares) {
  *p = (jobs_piece){.last = memory_zeroed(shares, sizeof *p->last)};
  return p->last != NULL;
}

void jobs_piece_begin(jobs_piece *p, unsigned int shares, uint64_t number, uint64_t input) {
  p->num = 0;
  p->last_all = 0;
  memset(p->last, 0, shares * sizeof *p->last);
  p->number = number;
  p->input = input;
  p->finish = false;
}

static bool piece_more(jobs_piece *p) {
  const size_t room = p->room > 0 ? 2 * p->room : PIECE_ROOM;
  jobs_packet *packet = memory_resize(p->packet, room * sizeof *packet);
  p->packet = packet != NULL ? packet : p->packet;
  uint16_t *whose = packet != NULL ? memory_resize(p->whose, room * sizeof *whose) : NULL;
  p->whose = whose != NULL ? whose : p->whose;
  p->room = whose != NULL ? room : p->room;
  return whose != NULL;
}

/* Makes the last packet of the share lead to this one, where all before are in between. */
static void piece_chain(jobs_piece *p, uint16_t whose) {
  if (whose == JOBS_ALL) {
    p->last_all = p->num + 1;
    return;
  }
  const size_t last = p->last[whose];
  if (last > p->last_all) {
    p->packet[last - 1].next = (uint32_t)p->num;
  }
  p->last[whose] = p->num + 1;
}

bool jobs_piece_add(jobs_piece *p, const ingest_packet *packet, uint64_t input, uint16_t whose) {
  if (p->num == p->room && !piece_more(p)) {
    return false;
  }
  piece_chain(p, whose);
  p->whose[p->num] = whose;
  p->tunnels = packet->tunnels;
  p->packet[p->num++] = (jobs_packet){.time_ns = packet->time_ns,
                                      .at = (uint32_t)(packet->data - p->space.octets),
                                      .caplen = (uint32_t)packet->caplen,
                                      .len = (uint32_t)packet->len,
                                      .number = (uint32_t)(packet->number - p->number),
                                      .input = (uint32_t)(input - p->input),
                                      .link_type = packet->link_type};
  return true;
}

size_t jobs_piece_find(const jobs_piece *p, size_t i, uint16_t worker) {
  while (i < p->num && p->whose[i] != worker && p->whose[i] != JOBS_ALL) {
    i++;
  }
  return i;
}

void jobs_piece_get(const jobs_piece *p, size_t i, ingest_packet *out) {
  const jobs_packet *packet = &p->packet[i];
  out->data = p->space.octets + packet->at;
  out->caplen = packet->caplen;
  out->len = packet->len;
  out->link_type = packet->link_type;
  out->tunnels = p->tunnels;
  out->number = p->number + packet->number;
  out->time_ns = packet->time_ns;
}

void jobs_piece_free(jobs_piece *p) {
  free(p->space.octets);
  free(p->packet);
  free(p->whose);
  free(p->last);
}
