/* SPDX-License-Identifier: BSD-2-Clause */
/* How far a TCP connection without iWARP came. */
#include "looks_like.h"
#include "tcp_flow.h"

/* Octets of a side came, so that it was looked into. */
static bool transport_has_octets(const tcp_side *fs) {
  return fs->streaming + fs->scan.num_held > 0;
}

/* The snapshot length cut the first octets of the side, before a startup frame fits. */
static bool transport_is_cut(const tcp_side *fs) {
  return fs->gap.len > 0 && fs->gap.reason == IWARP_GAP_SNAPLEN &&
         fs->num_head < IWARP_MPA_STARTUP_LEN && fs->gap.pos >= fs->start + fs->num_head;
}

/* The state of a connection without payload; STATES: it was over when the capture began. */
static observe_transport_state transport_silent(const tcp_flow *f) {
  const bool syn = f->side[0].start_known;
  const bool answered = f->side[1].start_known;
  const bool reset = f->ends->rst.packet != 0;
  if (!syn && !answered) {
    return (observe_transport_state)OBSERVE_TRANSPORT_STATES;
  }
  if (reset && !answered && f->ends->rst_side == 1) {
    return OBSERVE_TRANSPORT_REFUSED;
  }
  if (!answered && !f->ends->heard[1]) {
    return f->ends->met[1] ? OBSERVE_TRANSPORT_NO_PAYLOAD : OBSERVE_TRANSPORT_UNANSWERED;
  }
  return reset ? OBSERVE_TRANSPORT_RESET : OBSERVE_TRANSPORT_NO_PAYLOAD;
}

static observe_transport_state transport_state(const tcp_flow *f, bool cut) {
  const tcp_side *s = f->side;
  const bool octets = transport_has_octets(&s[0]) || transport_has_octets(&s[1]);
  if (cut && s[0].num_head < IWARP_MPA_STARTUP_LEN && s[1].num_head < IWARP_MPA_STARTUP_LEN) {
    return OBSERVE_TRANSPORT_NO_PAYLOAD;
  }
  if (!octets && !s[0].seen && !s[1].seen) {
    return transport_silent(f);
  }
  return s[0].num_head + s[1].num_head > 0 ? OBSERVE_TRANSPORT_NO_STARTUP : OBSERVE_TRANSPORT_LATE;
}

static const char *transport_looks_like(const tcp_flow *f) {
  const char *name = obs_looks_like((iwarp_span){f->side[0].head, f->side[0].num_head});
  return name != NULL ? name : obs_looks_like((iwarp_span){f->side[1].head, f->side[1].num_head});
}

/* The side of the server: without SYN and SYN+ACK the lower port is likely the server's. */
static uint8_t transport_server(const tcp_flow *f) {
  const bool known = f->side[0].start_known || f->side[1].start_known;
  return known || f->addr[1].port <= f->addr[0].port ? 1 : 0;
}

/* Who ended the connection, and how long it lasted. */
static void transport_end(observe_transport *what, const observe *obs, const tcp_flow *f,
                          uint8_t server) {
  const ingest_ends *ends = f->ends;
  const uint8_t first = ends->fin[1].packet == 0 || (ends->fin[0].packet != 0 &&
                                                     ends->fin[0].packet <= ends->fin[1].packet)
                            ? 0
                            : 1;
  const bool reset = ends->rst.packet != 0;
  const uint64_t until = obs->end_ns != 0 ? obs->end_ns : ends->last.time_ns;
  what->client_unseen = ends->met[0] && !ends->heard[0];
  what->server_silent = !transport_has_octets(&f->side[server]) && !f->side[server].seen;
  what->unfinished = f->side[1].start_known && ends->heard[0] && !ends->met[1];
  what->syn_again = ends->last.packet > f->began_packet;
  what->ended = reset ? ends->rst.packet : ends->fin[first].packet;
  what->ended_by_server = (reset ? ends->rst_side : first) == server;
  for (uint8_t side = 0; ends->stalls != NULL && side < 2; side++) {
    what->icmp[side == server ? 1 : 0] = obs_icmp(&ends->stalls->unreachable[side]);
  }
  what->waited_ns = until > f->began_ns ? until - f->began_ns : 0;
}

static observe_beginning transport_begin(const tcp_side *fs) {
  return (observe_beginning){.pos = fs->start, .head = {fs->head, fs->num_head}};
}

void obs_tcp_transport(observe *obs, const tcp_flow *f) {
  const uint8_t server = transport_server(f);
  const observe_streams streams = {
      .ends = f->addr, .begin = {transport_begin(&f->side[0]), transport_begin(&f->side[1])}};
  const bool cut = transport_is_cut(&f->side[0]) || transport_is_cut(&f->side[1]);
  observe_transport what = {.state = transport_state(f, cut),
                            .cut = cut,
                            .looks_like = transport_looks_like(f),
                            .packet = f->began_packet,
                            .streams = &streams};
  if (f->given_up || (unsigned int)what.state == OBSERVE_TRANSPORT_STATES) {
    return;
  }
  transport_end(&what, obs, f, server);
  obs->found.transports[what.state]++;
  if (obs->hooks.transport != NULL) {
    obs_addr_text(what.client, &f->addr[1 - server]);
    obs_addr_text(what.server, &f->addr[server]);
    obs->hooks.transport(obs->hooks.ctx, &what);
  }
}

void observe_datagrams(observe_transport *out, const ingest_roce *packets) {
  *out = (observe_transport){.state = OBSERVE_TRANSPORT_NO_STARTUP,
                             .datagrams = true,
                             .looks_like = "rocev2",
                             .packet = packets->first};
  obs_addr_text(out->client, &packets->src);
  obs_addr_text(out->server, &packets->dst);
}
