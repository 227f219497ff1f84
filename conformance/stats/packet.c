/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures of TCP: what the headers of packets show. */
#include "state.h"

#define PACKET_IDLE UINT64_C(100000000) /* ns: pauses from there on are counted */
#define PACKET_EPOCH (UINT64_C(1) << 32)

static void packet_idle(stats *s, const observe_headers *p, uint64_t now) {
  stats_figures *f = &s->figures;
  const uint64_t pause = now - s->clock_ns;
  if (f->idle_max_packet == 0 || pause > f->idle_max_ns) {
    f->idle_max_ns = pause;
    f->idle_max_packet = p->packet;
  }
  if (pause >= PACKET_IDLE) {
    f->idle_count++;
    f->idle_ns += pause;
  }
}

static void packet_clock(stats *s, const observe_headers *p) {
  stats_figures *f = &s->figures;
  const uint64_t now = s->any && p->time_ns < s->clock_ns ? s->clock_ns : p->time_ns;
  if (s->any) {
    packet_idle(s, p, now);
  } else {
    f->first_packet = p->packet;
    f->first_ns = now;
    f->first_side = p->side;
  }
  s->any = true;
  s->clock_ns = now;
  f->duration_ns = now - f->first_ns;
  f->packets++;
  f->octets += p->len;
}

static void packet_handshake(stats *s, const observe_headers *p) {
  if (s->handshake) {
    return;
  }
  const uint8_t flags = p->flags & (ST_SYN | ST_ACK);
  if (!s->syn) {
    if (flags == ST_SYN) {
      s->syn = true;
      s->syn_side = p->side;
      s->syn_ns = s->clock_ns;
    }
  } else if (!s->synack) {
    if (flags == (ST_SYN | ST_ACK) && p->side != s->syn_side) {
      s->synack = true;
      s->synack_ns = s->clock_ns;
      s->figures.syn_to_synack = (stats_span){true, s->clock_ns - s->syn_ns};
    }
  } else if (flags == ST_ACK && (p->flags & ST_RST) == 0 && p->side == s->syn_side) {
    s->handshake = true;
    s->figures.synack_to_ack = (stats_span){true, s->clock_ns - s->synack_ns};
  }
}

static void packet_window(stats *s, const observe_headers *p) {
  st_side *side = &s->side[p->side];
  stats_tcp *tcp = &s->figures.side[p->side].tcp;
  if ((p->flags & (ST_SYN | ST_RST)) != 0) {
    return;
  }
  if (p->window == 0 && !side->zero) {
    side->zero = true;
    side->zero_ns = s->clock_ns;
    tcp->zero_windows++;
  } else if (p->window != 0 && side->zero) {
    side->zero = false;
    tcp->zero_window_ns += s->clock_ns - side->zero_ns;
  }
}

/* Numbers the octets of a direction from its SYN on, or from its first octets. */
static void packet_begin(st_octets *o, const observe_headers *p) {
  if (!o->started) {
    o->high = PACKET_EPOCH + p->seq + ((p->flags & ST_SYN) != 0 ? 1u : 0u);
  }
  if ((p->flags & ST_SYN) != 0 && !o->syn) {
    const uint64_t first = st_position(o, p->seq + 1u);
    o->syn = true;
    if (!o->any || first < o->first) {
      o->first = first;
      o->high = o->any ? o->high : first;
      st_begin(o);
    }
    o->started = true;
  } else if (p->len > 0 && !o->started) {
    o->started = true;
    o->first = o->high;
    st_begin(o);
  }
}

/* Octets that a packet before carried. */
static void packet_again(stats *s, const observe_headers *p, uint64_t octets) {
  stats_tcp *tcp = &s->figures.side[p->side].tcp;
  stats_interval *interval = st_interval_at(s, s->clock_ns);
  tcp->retransmitted_packets++;
  tcp->retransmitted_octets += octets;
  if (interval != NULL) {
    interval->side[p->side].retransmitted_octets += octets;
  }
}

/* The octets of a packet with payload. */
static void packet_data(stats *s, const observe_headers *p, uint64_t pos) {
  st_octets *o = &s->side[p->side].octets;
  stats_tcp *tcp = &s->figures.side[p->side].tcp;
  const uint64_t end = pos + p->len;
  const uint64_t lowest = o->syn                            ? o->first
                          : o->high - o->first > ST_SEQ_MAX ? o->high - ST_SEQ_MAX
                                                            : 0;
  uint64_t from = pos < lowest ? lowest : pos;
  st_carried c = {0};
  if (end > o->high && end - o->high >= ST_SEQ_MAX) {
    return; /* the octets are of no window of this connection */
  }
  from = from > end ? end : from;
  if (from < end) {
    c = st_carry(s, p->side, from, end, (st_mark){p->packet, s->clock_ns}, p->checksum_wrong);
    o->first = from < o->first ? from : o->first;
  }
  c.old_octets += from - pos;
  if (c.below) {
    tcp->out_of_order_packets++;
  }
  if (c.old_octets > 0) {
    packet_again(s, p, c.old_octets);
  }
}

static void packet_octets(stats *s, const observe_headers *p) {
  st_octets *o = &s->side[p->side].octets;
  stats_tcp *tcp = &s->figures.side[p->side].tcp;
  packet_begin(o, p);
  const bool syn = (p->flags & ST_SYN) != 0;
  const uint64_t pos = st_position(o, p->seq + (syn ? 1u : 0u));
  const bool keep_alive = p->len <= 1 && (p->flags & (ST_SYN | ST_FIN | ST_RST)) == 0 &&
                          o->started && pos + 1 == o->high;
  if (keep_alive) {
    tcp->keep_alives++;
  }
  if (p->len > 0) {
    tcp->data_packets++;
    tcp->octets += p->len;
  }
  if (p->cap < p->len) {
    tcp->cut_packets++;
  }
  if (p->len > 0 && !keep_alive) {
    packet_data(s, p, pos);
  }
  if ((p->flags & ST_FIN) != 0 && !o->fin) {
    o->fin = true;
    o->fin_at = pos + p->len;
  }
}

void stats_packet(stats *s, const observe_headers *p) {
  stats_tcp *tcp = &s->figures.side[p->side].tcp;
  if (p->duplicate) {
    tcp->duplicate_packets++;
    return;
  }
  packet_clock(s, p);
  tcp->packets++;
  stats_interval *interval = st_interval_at(s, s->clock_ns);
  if (interval != NULL) {
    interval->side[p->side].packets++;
    interval->side[p->side].octets += p->len;
  }
  packet_handshake(s, p);
  packet_window(s, p);
  packet_octets(s, p);
  for (unsigned side = 0; side < 2; side++) {
    if (p->settled[side] != 0) {
      st_settle(s, side, st_position(&s->side[side].octets, (uint32_t)p->settled[side]));
    }
  }
}
