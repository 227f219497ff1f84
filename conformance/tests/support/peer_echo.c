/* SPDX-License-Identifier: BSD-2-Clause */
/* A target: iwarp_endpoint, and above it an application that sends back what it receives. */
#include "peer_recut.h"
#include "peer_room.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <iwarp/endpoint.h>

#define ECHO_REGION 4096u /* octets */
#define ECHO_TO 0x7F0000001000u
#define ECHO_STAG 0x00ABCD00u
#define ECHO_RECVS 8u
#define ECHO_RECV_LEN 4096u
#define ECHO_QUEUE 64u

struct peer_echo {
  peer_echo_how how;
  iwarp_endpoint *ep;
  void *mem;
  size_t mem_len;
  uint8_t region[ECHO_REGION];
  uint8_t recv[ECHO_RECVS][ECHO_RECV_LEN];
  uint8_t sends[ECHO_QUEUE][ECHO_RECV_LEN]; /* what is on its way back */
  size_t num_sends;
  uint8_t announcement[28];
  bool wants; /* a connection */
  bool shut;
  bool closed;
  bool announced;
  uint8_t gathered[1 << 16];
  peer_recut recut;
};

static void echo_put(uint8_t *to, uint64_t value, size_t len) {
  for (size_t i = 0; i < len; i++) {
    to[i] = (uint8_t)(value >> (8 * (len - 1 - i)));
  }
}

static void echo_register(peer_echo *e) {
  const struct {
    uint32_t pd;
    uint8_t access;
  } rows[] = {{0, IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE},
              {1, IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE},
              {0, IWARP_ACCESS_REMOTE_READ},
              {0, IWARP_ACCESS_REMOTE_WRITE}};
  for (uint32_t i = 0; i < 4; i++) {
    const iwarp_endpoint_region region = {.stag = ECHO_STAG + 7 * i,
                                          .pd = rows[i].pd,
                                          .base = ECHO_TO,
                                          .len = ECHO_REGION,
                                          .mem = e->region,
                                          .access = rows[i].access};
    ck_assert_int_eq(iwarp_endpoint_register(e->ep, &region), IWARP_OK);
  }
  echo_put(e->announcement, ECHO_TO, 8);
  echo_put(e->announcement + 8, ECHO_STAG, 4);
  echo_put(e->announcement + 12, ECHO_REGION, 4);
  for (uint32_t i = 1; i < 4; i++) {
    echo_put(e->announcement + 12 + 4 * i, ECHO_STAG + 7 * i, 4);
  }
}

static void echo_made(peer_echo *e) {
  const iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                                  .role = e->how.role,
                                  .rev = e->how.rev,
                                  .rtr = e->how.rtr,
                                  .peer_to_peer = e->how.rtr != 0,
                                  .ord = e->how.rtr == IWARP_RTR_READ ? 1 : 0,
                                  .markers = e->how.markers,
                                  .no_crc = !e->how.crc,
                                  .ird = e->how.ird,
                                  .emss = 1460,
                                  .num_fpdus = 16,
                                  .num_sends = ECHO_QUEUE,
                                  .num_recvs = ECHO_RECVS,
                                  .num_regions = 4};
  free(e->mem);
  e->mem_len = iwarp_endpoint_size(&cfg);
  ck_assert_uint_gt(e->mem_len, 0);
  e->mem = malloc(e->mem_len);
  ck_assert_int_eq(iwarp_endpoint_init(&e->ep, e->mem, e->mem_len, &cfg), IWARP_OK);
  echo_register(e);
  for (size_t i = 0; i < ECHO_RECVS && !e->how.quiet; i++) {
    ck_assert_int_eq(iwarp_endpoint_recv(e->ep, i, e->recv[i], ECHO_RECV_LEN), IWARP_OK);
  }
  e->shut = e->closed = e->announced = false;
  e->num_sends = 0;
  peer_recut_begin(&e->recut, e->how.most);
}

peer_echo *peer_echo_new(const peer_echo_how *how) {
  peer_echo *e = calloc(1, sizeof *e);
  ck_assert_ptr_nonnull(e);
  e->how = *how;
  e->wants = true;
  for (size_t i = 0; i < ECHO_REGION; i++) { /* as an earlier run left it */
    e->region[i] = i % 2 == 0 ? 0x5A : 0xC3;
  }
  return e;
}

void peer_echo_free(peer_echo *echo) {
  free(echo->mem);
  free(echo);
}

/* ---- the application ---- */

static iwarp_span echo_private(const peer_echo *e) {
  return e->how.in_pd && !e->how.quiet ? (iwarp_span){e->announcement, sizeof e->announcement}
                                       : (iwarp_span){NULL, 0};
}

static void echo_announce(peer_echo *e) {
  const iwarp_span span = {e->announcement, sizeof e->announcement};
  if (!e->announced && !e->how.in_pd && !e->how.quiet) {
    e->announced = true;
    (void)iwarp_endpoint_send(e->ep, 0, IWARP_RDMAP_OP_SEND, 0,
                              (iwarp_tx_payload){.parts = &span, .num_parts = 1});
  }
}

static void echo_back(peer_echo *e, const iwarp_endpoint_received *got) {
  if (got->err != IWARP_OK) {
    return;
  }
  if (got->opcode == IWARP_RDMAP_OP_IMMEDIATE || got->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE) {
    (void)iwarp_endpoint_immediate(e->ep, 0, got->solicited, got->immediate);
  } else {
    uint8_t *copy = e->sends[e->num_sends++ % ECHO_QUEUE];
    memcpy(copy, e->recv[got->token], got->len);
    const iwarp_span span = {copy, got->len};
    (void)iwarp_endpoint_send(e->ep, 0, IWARP_RDMAP_OP_SEND, 0,
                              (iwarp_tx_payload){.parts = &span, .num_parts = 1});
  }
  (void)iwarp_endpoint_recv(e->ep, got->token, e->recv[got->token], ECHO_RECV_LEN);
}

static void echo_event(peer_echo *e, const iwarp_endpoint_event *ev) {
  switch ((int)ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST: (void)iwarp_endpoint_accept(e->ep, echo_private(e)); break;
  case IWARP_ENDPOINT_EVENT_REPLY: (void)iwarp_endpoint_accept(e->ep, (iwarp_span){NULL, 0}); break;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED: echo_announce(e); break;
  case IWARP_ENDPOINT_EVENT_PLACE: (void)iwarp_place_copy(&ev->u.place); break;
  case IWARP_ENDPOINT_EVENT_RECV: echo_back(e, &ev->u.recv); break;
  case IWARP_ENDPOINT_EVENT_PEER_ENDED: (void)iwarp_endpoint_close(e->ep); break;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: e->shut = true; break;
  case IWARP_ENDPOINT_EVENT_CLOSED: e->closed = true; break;
  default: break;
  }
}

static void echo_events(peer_echo *e) {
  iwarp_endpoint_event ev;
  while (iwarp_endpoint_next_event(e->ep, &ev) == IWARP_OK) {
    echo_event(e, &ev);
  }
}

/* ---- the end of a room ---- */

/* The next octets to send. */
static iwarp_span echo_gather(peer_echo *e) {
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  size_t n = 0;
  if (e->ep == NULL ||
      iwarp_endpoint_next_output(e->ep, spans, IWARP_TX_SPANS_MIN, &out) != IWARP_OK) {
    return (iwarp_span){NULL, 0};
  }
  for (size_t i = 0; i < out.num_spans; i++) {
    memcpy(e->gathered + n, spans[i].ptr, spans[i].len);
    n += spans[i].len;
  }
  (void)iwarp_endpoint_advance(e->ep, n);
  echo_events(e);
  return peer_recut_take(&e->recut, (iwarp_span){e->gathered, n},
                         iwarp_endpoint_info_get(e->ep)->markers_out);
}

static void echo_next(void *self, peer_action *out) {
  peer_echo *e = self;
  *out = (peer_action){.kind = PEER_ACTION_WAIT, .deadline_ns = UINT64_MAX};
  if (e->wants) {
    e->wants = false;
    out->kind = PEER_ACTION_OPEN;
    return;
  }
  const iwarp_span octets = echo_gather(e);
  if (octets.len > 0) {
    out->kind = PEER_ACTION_SEND;
    out->octets = octets;
  } else if (e->shut) {
    e->shut = false;
    out->kind = PEER_ACTION_SHUTDOWN;
  } else if (e->closed) {
    e->closed = false;
    e->wants = true;
    out->kind = PEER_ACTION_CLOSE;
  } else if (e->ep != NULL) {
    out->deadline_ns = iwarp_endpoint_deadline(e->ep);
  }
}

static void echo_opened(void *self, uint64_t now) {
  peer_echo *e = self;
  echo_made(e);
  iwarp_endpoint_time(e->ep, now);
  if (e->how.role == IWARP_ROLE_INITIATOR) {
    (void)iwarp_endpoint_connect(e->ep, echo_private(e));
  } else {
    (void)iwarp_endpoint_listen(e->ep);
  }
  echo_events(e);
}

static void echo_received(void *self, iwarp_span in, uint64_t now) {
  peer_echo *e = self;
  iwarp_endpoint_time(e->ep, now);
  (void)iwarp_endpoint_push(e->ep, in);
  echo_events(e);
}

static void echo_fin(void *self, uint64_t now) {
  peer_echo *e = self;
  iwarp_endpoint_time(e->ep, now);
  (void)iwarp_endpoint_eof(e->ep);
  echo_events(e);
}

static void echo_rst(void *self, uint64_t now) {
  peer_echo *e = self;
  iwarp_endpoint_time(e->ep, now);
  (void)iwarp_endpoint_lost(e->ep);
  echo_events(e);
}

static void echo_sent(void *self, size_t len, size_t total, uint64_t now) {
  (void)self;
  (void)len;
  (void)total;
  (void)now;
}

static void echo_time(void *self, uint64_t now) {
  peer_echo *e = self;
  if (e->ep != NULL) {
    iwarp_endpoint_time(e->ep, now);
    echo_events(e);
  }
}

peer_end peer_echo_end(peer_echo *echo) {
  return (peer_end){.self = echo,
                    .next = echo_next,
                    .opened = echo_opened,
                    .received = echo_received,
                    .fin = echo_fin,
                    .rst = echo_rst,
                    .sent = echo_sent,
                    .time = echo_time};
}
