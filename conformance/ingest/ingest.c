/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine: packets in, events out. */
#include <ingest/ingest.h>

#include <string.h>

#include "conn.h"
#include "sctp_priv.h"

static const char *const LIMIT_NAMES[] = {
    [INGEST_LIMIT_CONNECTIONS] = "connections", [INGEST_LIMIT_MEMORY] = "memory",
    [INGEST_LIMIT_HELD_OCTETS] = "held-octets", [INGEST_LIMIT_FRAGMENTS] = "fragments",
    [INGEST_LIMIT_MESSAGE] = "message",
};

const char *ingest_limit_name(ingest_limit limit) {
  return (size_t)limit < sizeof LIMIT_NAMES / sizeof LIMIT_NAMES[0] ? LIMIT_NAMES[limit] : NULL;
}

ingest *ingest_new(const ingest_cfg *cfg) {
  const ingest_alloc *alloc = &cfg->alloc;
  ingest *ing = alloc->get(alloc->ctx, sizeof *ing);
  if (ing == NULL) {
    return NULL;
  }
  memset(ing, 0, sizeof *ing);
  ing->alloc = *alloc;
  memcpy(ing->hash_key, cfg->hash_key, sizeof ing->hash_key);
  ing->budget.alloc = &ing->alloc;
  ing->budget.dropped = &ing->stats.dropped;
  ing->caplen_snapped = SIZE_MAX;
  return ing;
}

/* Gives back what the last event lent out. */
static void release(ingest *ing) {
  while (ing->spent != NULL) {
    ing_block *next = ing->spent->next[0];
    ing_block_free(ing->spent, &ing->budget);
    ing->spent = next;
  }
  if (ing->gone != NULL) {
    ing->active = NULL;
    ing_table_remove(&ing->table, &ing->alloc, ing->gone);
    ing->gone = NULL;
  }
}

void ingest_free(ingest *ing) {
  if (ing == NULL) {
    return;
  }
  for (ing_conn *conn = ing->table.oldest; conn != NULL; conn = conn->newer) {
    ing_held_free(ing, conn);
  }
  release(ing);
  ing_table_free(&ing->table, &ing->alloc);
  ing_frags_free(ing->frags, &ing->alloc);
  ing_sctp_free(ing->sctp);
  ingest_alloc alloc = ing->alloc;
  alloc.put(alloc.ctx, ing, sizeof *ing);
}

const ingest_stats *ingest_stats_get(const ingest *ing) {
  return &ing->stats;
}

/* Hands an SCTP packet over; ingest_sctp_next goes on with it. */
static void open_sctp(ingest *ing, const ing_ip *ip, bool fragmented) {
  if (ing->sctp == NULL) {
    ing->sctp = ing_sctp_new(&ing->alloc, ing->hash_key, &ing->stats);
  }
  if (ing->sctp == NULL) {
    ing->stats.dropped++;
    return;
  }
  ing_sctp_push(ing->sctp, ip, fragmented, ing->now.packet, ing->now.time_ns);
}

/* Takes the headers off; false when there is no TCP segment in the packet, or not yet. */
static bool open_packet(ingest *ing, const ingest_packet *pkt) {
  uint16_t ethertype = 0;
  ing_span s = {.data = pkt->data, .cap = pkt->caplen, .len = pkt->len};
  ing_ip ip;
  if (s.len < s.cap) {
    s.len = s.cap;
  }
  if (!ing_link_open(pkt->link_type, &s, &ethertype) || !ing_ip_open(ethertype, &s, &ip)) {
    return false;
  }
  const bool fragmented = ip.fragment;
  if (fragmented) {
    ing_frag_result got = ing_frags_add(&ing->frags, &ing->alloc, &ip, ing->stats.packets);
    if (got != ING_FRAG_COMPLETE) {
      ing->stats.dropped += got == ING_FRAG_NO_MEMORY;
      return false;
    }
    if (!ing_ip_resume(&ip) || ip.fragment) {
      return false;
    }
  }
  if (ip.next == ING_PROTO_SCTP) {
    open_sctp(ing, &ip, fragmented);
    return false;
  }
  return ing_tcp_open(&ip, &ing->seg);
}

/* Remembers whether packets were cut, and whether longer ones were not. */
static void note_caplen(ingest *ing, const ingest_packet *pkt) {
  if (pkt->caplen > ing->caplen_max) {
    ing->caplen_max = pkt->caplen;
  }
  if (pkt->caplen < pkt->len && pkt->caplen < ing->caplen_snapped) {
    ing->caplen_snapped = pkt->caplen;
  }
}

void ingest_push(ingest *ing, const ingest_packet *pkt) {
  release(ing);
  ing->stats.packets++;
  ing->stats.octets += pkt->len;
  ing->now = (ing_origin){.packet = pkt->number, .time_ns = pkt->time_ns, .ack = ING_NONE};
  note_caplen(ing, pkt);
  ing->seg_pending = open_packet(ing, pkt);
  if (!ing->seg_pending) {
    ing->stats.ignored++;
    return;
  }
  ing->stats.tcp_packets++;
  ing->stats.bad_checksum += ing->seg.sum == ING_SUM_BAD;
}

void ingest_finish(ingest *ing) {
  ing->finishing = true;
}

/* Makes the connection say all it has left; a tomb has nothing left. */
static void give_up(ingest *ing, ing_conn *conn) {
  if (conn->closed) {
    ing_table_remove(&ing->table, &ing->alloc, conn);
    return;
  }
  conn->closing = true;
  conn->doomed = true;
  ing->active = conn;
}

/* Closes connections that ended some time ago and forgets those closed long ago; true when there is
 * one to drain. */
static bool expire(ingest *ing) {
  ing_fade *tombs = &ing->table.tombs;
  while (tombs->first != NULL && tombs->first->deadline <= ing->stats.packets) {
    ing_table_remove(&ing->table, &ing->alloc, tombs->first);
  }
  ing_conn *dying = ing->table.dying.first;
  if (dying == NULL || dying->deadline > ing->stats.packets) {
    return false;
  }
  dying->closing = true;
  ing->active = dying;
  return true;
}

/* Side 0 is the client: it sends the SYN and receives the SYN+ACK. */
static void name_sides(ing_conn *conn, const ing_segment *seg) {
  if ((seg->flags & (ING_SYN | ING_ACK)) == (ING_SYN | ING_ACK)) {
    conn->addr[0] = seg->dst;
    conn->addr[1] = seg->src;
  }
}

static ing_conn *add_conn(ingest *ing) {
  ing_conn *conn = ing_table_add(&ing->table, &ing->alloc, &ing->seg);
  if (conn == NULL) {
    ing->stats.dropped++;
    return NULL;
  }
  name_sides(conn, &ing->seg);
  ing->stats.connections++;
  return conn;
}

/* Finds or makes the connection of the segment at hand; another one may have to go first. */
static bool route(ingest *ing) {
  const ing_segment *seg = &ing->seg;
  ing_conn *conn = ing_table_find(&ing->table, seg);
  if (conn != NULL && ing_reused(conn, ing_addr_equal(&conn->addr[0], &seg->src) ? 0 : 1, seg)) {
    give_up(ing, conn);
    return true; /* and come back */
  }
  if (conn == NULL && (seg->flags & ING_RST) == 0) {
    ing_conn *victim = ing_table_victim(&ing->table, seg);
    if (victim != NULL) {
      give_up(ing, victim);
      return true;
    }
    conn = add_conn(ing);
  }
  ing->seg_pending = false;
  if (conn != NULL) {
    ing_table_touch(&ing->table, conn);
  }
  if (conn != NULL && !conn->closed) {
    ing->seg_for = conn;
    ing->active = conn;
  }
  return conn != NULL;
}

/* Finds a connection with something to say, or takes the packet further; false when there is
 * nothing left to do. */
static bool advance(ingest *ing) {
  if (ing->seg_pending) {
    return expire(ing) || route(ing);
  }
  if (ing->finishing && ing->table.oldest != NULL) {
    give_up(ing, ing->table.oldest);
    return true;
  }
  return false;
}

static bool next_of(ingest *ing, ing_conn *conn, ingest_event *ev) {
  if (!conn->opened) {
    ing_event_fill(ing, conn, ev, INGEST_EVENT_OPEN, 0);
    conn->opened = true;
    return true;
  }
  if (ing->seg_for == conn) {
    ing->seg_for = NULL;
    if (ing_take(ing, conn, ev)) {
      return true;
    }
  }
  return ing_pump(ing, conn, ev);
}

bool ingest_next(ingest *ing, ingest_event *ev) {
  release(ing);
  do {
    if (ing->active != NULL && next_of(ing, ing->active, ev)) {
      return true;
    }
    ing->active = NULL;
  } while (advance(ing));
  return false;
}
