/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets written again: all headers, the transport, checksums from the inside out. */
#include "rewrite_priv.h"

#include <string.h>

#include "base/siphash.h"

enum { RW_FRAG_DEPTH = 2, RW_WHOLE = 65536, RW_ARP = 0x0806 };

#define RW_ROCE 4791u /* port of RoCEv2: RDMA, though not iWARP */

/* An IP packet that was put together from fragments, before it is written again. */
typedef struct rw_whole {
  uint64_t id;     /* whole_id of its fragments */
  uint64_t packet; /* number of the packet with its last fragment */
  /* places of its octets in the caller's file: from the first copies, from others */
  uint64_t at[2];
  size_t cap;
  size_t len;
  bool other; /* copies of fragments differ, so that there are two versions */
} rw_whole;

/* One version of such a packet, as it was and written again. */
typedef struct rw_loaded {
  const rw_whole *of; /* NULL: none was loaded */
  unsigned copy;
  uint8_t from[RW_WHOLE];
  uint8_t to[RW_WHOLE];
} rw_loaded;

struct ingest_rewrite {
  ingest_alloc alloc;
  ingest_rewriter to;
  uint64_t key[2];
  ing_frags *frags[RW_FRAG_DEPTH];
  uint64_t steps;
  uint64_t packets;
  rw_whole *whole; /* ascending by `packet` */
  size_t num_whole;
  size_t room;
  uint64_t kept; /* octets */
  rw_loaded *loaded[RW_FRAG_DEPTH][2];
  bool failed;
};

/* ---- IP packets put together ---- */

/* A digest of the members that all fragments of an IP packet share. IPv6 fragments may differ in
 * the protocol. */
static uint64_t whole_id(const ingest_rewrite *r, const ing_ip *ip, unsigned depth) {
  uint64_t word[6] = {0};
  const uint8_t protocol = ip->family == 4 ? ip->next : 0;
  memcpy(&word[0], ip->src, sizeof ip->src);
  memcpy(&word[2], ip->dst, sizeof ip->dst);
  word[4] = ip->id;
  word[5] = (uint64_t)depth << 16 | (uint64_t)ip->family << 8 | protocol;
  return siphash_words(r->key, word, sizeof word / sizeof word[0]);
}

static bool whole_room(ingest_rewrite *r) {
  if (r->num_whole < r->room) {
    return true;
  }
  const size_t room = r->room == 0 ? 16 : 2 * r->room;
  rw_whole *more = r->alloc.get(r->alloc.ctx, room * sizeof *more);
  if (more == NULL) {
    return false;
  }
  if (r->whole != NULL) {
    memcpy(more, r->whole, r->num_whole * sizeof *more);
    r->alloc.put(r->alloc.ctx, r->whole, r->room * sizeof *r->whole);
  }
  r->whole = more;
  r->room = room;
  return true;
}

static bool whole_keep(ingest_rewrite *r, rw_whole *x, unsigned copy, const ing_ip *ip) {
  x->at[copy] = r->kept;
  r->kept += ip->body.cap;
  return r->to.keep(r->to.ctx, ip->body.data, ip->body.cap);
}

/* Keeps the packet that became whole. */
static bool whole_note(ingest_rewrite *r, const ing_ip *ip, uint64_t id, unsigned depth,
                       bool differs, uint64_t packet) {
  if (!whole_room(r)) {
    return false;
  }
  rw_whole *x = &r->whole[r->num_whole++];
  *x = (rw_whole){.id = id, .packet = packet, .cap = ip->body.cap, .len = ip->body.len};
  bool ok = whole_keep(r, x, 0, ip);
  if (ok && differs && ing_frags_swap(r->frags[depth])) {
    x->other = true;
    ok = whole_keep(r, x, 1, ip);
    (void)ing_frags_swap(r->frags[depth]);
  }
  return ok;
}

enum { WHOLE_BACK = 256 }; /* packets put together of which further copies of fragments may come */

/* The number of IP packets whose last fragment came before this packet. */
static size_t whole_before(const ingest_rewrite *r, uint64_t packet) {
  size_t from = 0;
  for (size_t to = r->num_whole; from < to;) {
    const size_t mid = from + (to - from) / 2;
    if (r->whole[mid].packet < packet) {
      from = mid + 1;
    } else {
      to = mid;
    }
  }
  return from;
}

/* The packet that a fragment belongs to: the next one that becomes whole, or else, for a further
 * copy of a fragment, the last one that did. */
static const rw_whole *whole_find(const ingest_rewrite *r, uint64_t id, uint64_t packet) {
  const size_t now = whole_before(r, packet);
  for (size_t i = now; i < r->num_whole && r->whole[i].packet <= packet + ING_FRAGS_AGE; i++) {
    if (r->whole[i].id == id) {
      return &r->whole[i];
    }
  }
  for (size_t i = now; i-- > 0 && now - i <= WHOLE_BACK;) {
    if (r->whole[i].id == id) {
      return &r->whole[i];
    }
  }
  return NULL;
}

/* ---- learning ---- */

static void learn_transport(const ingest_rewrite *r, const ing_ip *ip) {
  for (size_t at = 0; at < 4 && ip->body.cap >= 4; at += 2) {
    r->to.port_seen(r->to.ctx, ing_be16(&ip->body, at));
  }
}

/* Returns DECAP_FRAGMENT if a fragment is still missing. */
static decap_end learn_fragment(ingest_rewrite *r, ing_decap *d, const ingest_packet *pkt,
                                unsigned depth) {
  const ingest_mark at = {.packet = pkt->number, .time_ns = pkt->time_ns};
  const uint64_t id = whole_id(r, &d->ip, depth);
  ing_conflict conflict = {.end = 0};
  if (r->frags[depth] == NULL) {
    r->frags[depth] = ing_frags_new(&r->alloc, r->key, &r->steps);
  }
  r->failed = r->failed || r->frags[depth] == NULL;
  if (r->failed || !ing_frags_add(r->frags[depth], &d->ip, r->packets, at, &conflict)) {
    return DECAP_FRAGMENT;
  }
  r->failed = !whole_note(r, &d->ip, id, depth, conflict.end != 0, pkt->number);
  return r->failed ? DECAP_FRAGMENT : ing_decap_resume(d);
}

bool ingest_rewrite_learn(ingest_rewrite *r, const ingest_packet *pkt) {
  ing_decap d;
  r->packets++;
  decap_end end = ing_decap_open(&d, pkt);
  if (end == DECAP_FRAGMENT && d.ip.offset == 0 && ing_ip_known(&d.ip) && d.ip.body.cap >= 4) {
    learn_transport(r, &(ing_ip){.next = d.ip.next, .body = {d.ip.body.data, 4, 4}});
  }
  for (unsigned depth = 0; end == DECAP_FRAGMENT && depth < RW_FRAG_DEPTH; depth++) {
    const decap_end was = learn_fragment(r, &d, pkt, depth);
    if (was == DECAP_FRAGMENT && d.ip.fragment) {
      break;
    }
    end = was;
  }
  if (end == DECAP_TRANSPORT) {
    learn_transport(r, &d.ip);
  }
  return !r->failed;
}

/* ---- writing ---- */

static void write_walk(ingest_rewrite *r, const rw *w, const decap_trace *t, const ing_decap *d,
                       decap_end end, unsigned depth);

/* Reads the packet again, and writes it again. NULL: it cannot be read. */
static const rw_loaded *whole_load(ingest_rewrite *r, const rw *w, const ing_decap *d,
                                   const rw_whole *x, unsigned depth, unsigned copy) {
  rw_loaded **slot = &r->loaded[depth][copy];
  if (*slot == NULL) {
    *slot = r->alloc.get(r->alloc.ctx, sizeof **slot);
    if (*slot == NULL) {
      return NULL;
    }
    (*slot)->of = NULL;
  }
  rw_loaded *l = *slot;
  if (l->of == x) {
    return l;
  }
  l->of = NULL;
  if (!r->to.load(r->to.ctx, x->at[copy], l->from, x->cap)) {
    return NULL;
  }
  memcpy(l->to, l->from, x->cap);
  l->of = x;
  decap_trace t;
  ing_decap on = *d;
  on.ip.body = (ing_span){.data = l->from, .cap = x->cap, .len = x->len};
  const decap_end end = ing_decap_trace_on(&on, &t);
  const rw inner = {.do_ = w->do_,
                    .from = l->from,
                    .to = l->to,
                    .cap = x->cap,
                    .lane = on.lane,
                    .packet = x->packet};
  write_walk(r, &inner, &t, &on, end, depth + 1);
  return l;
}

/* A fragment gets its octets of the whole packet with the same octets. */
static bool write_piece(ingest_rewrite *r, const rw *w, const ing_decap *d, const rw_whole *x,
                        unsigned depth, unsigned copy) {
  const rw_loaded *l = whole_load(r, w, d, x, depth, copy);
  const ing_span *s = &d->ip.body;
  if (l == NULL || d->ip.offset + s->cap > x->cap ||
      memcmp(l->from + d->ip.offset, s->data, s->cap) != 0) {
    return false;
  }
  memcpy(rw_at(w, s->data), l->to + d->ip.offset, s->cap);
  return true;
}

/* The first fragment of a packet that never becomes whole shows the transport. */
static void write_alone(const rw *w, const ing_decap *d) {
  ing_ip ip = d->ip;
  if (ip.offset == 0 && ip.next == ING_PROTO_TCP) {
    ip.body.len++; /* octets are missing, so the checksum cannot be verified */
    rw_tcp(w, &ip);
  } else if (ip.offset == 0 && ip.next == ING_PROTO_UDP && ip.body.cap >= 8) {
    rw_ports(w, ip.next, ip.body.data);
    rw_noise(w, ip.body.data + 6, 2);
    rw_other(w, ip.body.data + 8, ip.body.cap - 8);
  } else {
    rw_other(w, ip.body.data, ip.body.cap);
  }
}

static void write_fragment(ingest_rewrite *r, const rw *w, const ing_decap *d, unsigned depth) {
  const rw_whole *x =
      depth < RW_FRAG_DEPTH ? whole_find(r, whole_id(r, &d->ip, depth), w->packet) : NULL;
  if (x == NULL ||
      (!write_piece(r, w, d, x, depth, 0) && !(x->other && write_piece(r, w, d, x, depth, 1)))) {
    write_alone(w, d);
  }
}

static void write_unread(const rw *w, const ing_decap *d) {
  if (ing_decap_is_icmp(d)) {
    rw_icmp(w, &d->ip);
  } else if (d->space == DECAP_ETHERTYPE && d->number == RW_ARP) {
    rw_arp(w, &d->rest);
  } else {
    rw_other(w, d->rest.data, d->rest.cap);
  }
}

/* What stands after the innermost packet: padding, a frame check sequence, a leak. */
static void write_trailer(const rw *w, const ing_decap *d, decap_end end) {
  const ing_span *s = end == DECAP_TRANSPORT || end == DECAP_FRAGMENT ? &d->ip.body : &d->rest;
  const uint8_t *after = s->data + s->cap;
  rw_zero(w, after, (size_t)(w->from + w->cap - after));
}

/* Writes all that the walk over the headers found; checksums come last, the innermost first. */
static void write_walk(ingest_rewrite *r, const rw *w, const decap_trace *t, const ing_decap *d,
                       decap_end end, unsigned depth) {
  write_trailer(w, d, end);
  for (size_t i = 0; i < t->num; i++) {
    rw_header(w, &t->header[i]);
  }
  switch (end) {
  case DECAP_TRANSPORT:
    if (d->ip.next == ING_PROTO_TCP) {
      rw_tcp(w, &d->ip);
    } else {
      rw_sctp(w, &d->ip);
    }
    break;
  case DECAP_FRAGMENT: write_fragment(r, w, d, depth); break;
  case DECAP_NOTHING:
  case DECAP_UNREAD: write_unread(w, d); break;
  }
  for (size_t i = t->num; i-- > 0;) {
    rw_header_sum(w, &t->header[i]);
  }
}

/* Returns true if the headers of both packets are the same to ingest. */
static bool write_same(const ingest_packet *pkt, const ing_decap *d, decap_end end,
                       const uint8_t *out) {
  ingest_packet now = *pkt;
  ing_decap is;
  now.data = out;
  if (ing_decap_open(&is, &now) != end || is.num_layers != d->num_layers ||
      memcmp(is.layer, d->layer, d->num_layers) != 0) {
    return false;
  }
  if (end == DECAP_UNREAD) {
    return is.kind == d->kind && is.number == d->number;
  }
  return end == DECAP_NOTHING ||
         (is.ip.body.data - out == d->ip.body.data - pkt->data &&
          is.ip.body.len == d->ip.body.len && is.ip.next == d->ip.next &&
          is.ip.dst_routed == d->ip.dst_routed && is.ip.damaged == d->ip.damaged);
}

bool ingest_rewrite_packet(ingest_rewrite *r, const ingest_packet *pkt, uint8_t *out) {
  rw w = {.do_ = &r->to, .from = pkt->data, .to = out, .cap = pkt->caplen, .packet = pkt->number};
  ing_decap d;
  decap_trace t;
  bool same = false;
  if (pkt->caplen == 0) {
    return true;
  }
  const decap_end end = ing_decap_trace(&d, pkt, &t);
  w.lane = d.lane;
  for (w.fill = RW_FILL_OTHER; !same && w.fill < RW_FILLS; w.fill++) {
    memcpy(out, pkt->data, pkt->caplen);
    write_walk(r, &w, &t, &d, end, 0);
    same = write_same(pkt, &d, end, out);
  }
  return same;
}

/* ---- the engine ---- */

ingest_rewrite *ingest_rewrite_new(const ingest_alloc *alloc, const uint64_t key[2],
                                   const ingest_rewriter *to) {
  ingest_rewrite *r = alloc->get(alloc->ctx, sizeof *r);
  if (r != NULL) {
    memset(r, 0, sizeof *r);
    r->alloc = *alloc;
    r->to = *to;
    memcpy(r->key, key, sizeof r->key);
  }
  return r;
}

bool ingest_rewrite_port_kept(uint16_t port) {
  return port == RW_ROCE || ing_decap_port(port);
}

void ingest_rewrite_free(ingest_rewrite *r) {
  if (r == NULL) {
    return;
  }
  const ingest_alloc alloc = r->alloc;
  for (size_t i = 0; i < RW_FRAG_DEPTH; i++) {
    ing_frags_free(r->frags[i]);
    for (size_t copy = 0; copy < 2; copy++) {
      if (r->loaded[i][copy] != NULL) {
        alloc.put(alloc.ctx, r->loaded[i][copy], sizeof *r->loaded[i][copy]);
      }
    }
  }
  if (r->whole != NULL) {
    alloc.put(alloc.ctx, r->whole, r->room * sizeof *r->whole);
  }
  alloc.put(alloc.ctx, r, sizeof *r);
}
