/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint over a device that is given segments and says later that the peer has them. */
#include <iwarp/endpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAG 0x1001u
#define EMSS 1460u
#define LENGTH 4000u /* octets of the Write */
#define SEGMENTS 2u  /* segments that the device takes at a time */
#define WINDOW 4u    /* segments that may be in flight */
#define SPANS 16u

/* One end of the connection; its spans are the device's until the peer has the octets. */
typedef struct end {
  iwarp_endpoint *ep;
  iwarp_span spans[SPANS];
  size_t num_spans; /* spans in use */
  size_t in_flight; /* octets that the device was given and the peer has not acknowledged */
} end;

/* A segment for the device: a chain of mbufs, or one entry of sendmmsg. */
typedef struct chain {
  const iwarp_span *buffers;
  size_t num;
  size_t len; /* octets in all buffers */
} chain;

static unsigned char store[LENGTH]; /* the Responder's region */

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    fprintf(stderr, "device: %s: %s\n", what, iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
}

static end make(iwarp_role role) {
  end e = {.ep = NULL};
  iwarp_endpoint_cfg cfg = {
      .size = sizeof cfg, .role = role, .emss = EMSS, .num_sends = 1, .num_regions = 1};
  size_t size = iwarp_endpoint_size(&cfg);
  void *memory = malloc(size);
  must(iwarp_endpoint_init(&e.ep, memory, size, &cfg), "no endpoint");
  return e;
}

static void handle(end *e, const iwarp_endpoint_event *ev) {
  if (ev->kind == IWARP_ENDPOINT_EVENT_REQUEST || ev->kind == IWARP_ENDPOINT_EVENT_REPLY) {
    must(iwarp_endpoint_accept(e->ep, (iwarp_span){0}), "cannot accept");
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_PLACE) {
    iwarp_place_copy(&ev->u.place);
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_DONE) {
    printf("the Write: %s; its payload may be used again\n", iwarp_strerror(ev->u.done.err));
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_CLOSED) {
    must(ev->u.closed.err, "the connection ended"); /* FAULT and TERMINATED lead here */
  }
}

static void drain(end *e) {
  iwarp_endpoint_event ev;
  iwarp_err err;
  while ((err = iwarp_endpoint_next_event(e->ep, &ev)) == IWARP_OK) {
    handle(e, &ev);
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err, "an event");
}

/* Appends at most SEGMENTS chains to the queue of the device. */
static size_t queue(end *e, chain chains[SEGMENTS]) {
  iwarp_tx_out segments[SEGMENTS];
  iwarp_tx_batch batch = {.spans = &e->spans[e->num_spans],
                          .max_spans = SPANS - e->num_spans,
                          .segments = segments,
                          .max_segments = SEGMENTS,
                          .skip = e->in_flight};
  iwarp_err err = iwarp_endpoint_next_batch(e->ep, &batch);
  if (err != IWARP_OK) {
    must(err == IWARP_ERR_END ? IWARP_OK : err, "no output");
    return 0;
  }
  for (size_t i = 0; i < batch.num_segments; i++) {
    const iwarp_span *buffers = &e->spans[e->num_spans];
    chains[i] = (chain){.buffers = buffers, .num = segments[i].num_spans, .len = segments[i].len};
    e->num_spans += segments[i].num_spans;
    e->in_flight += segments[i].len;
  }
  return batch.num_segments;
}

/* The peer has so many octets more. Until now the device could send them again. */
static void acknowledged(end *e, size_t len) {
  e->in_flight -= len;
  e->num_spans = e->in_flight > 0 ? e->num_spans : 0;
  must(iwarp_endpoint_advance(e->ep, len), "an advance");
  drain(e);
}

/* A receive buffer came back full. The next one does not follow it in memory: no `leave_rest`. */
static void received(end *e, const unsigned char *buffer, size_t len) {
  must(iwarp_endpoint_push(e->ep, (iwarp_span){buffer, len}), "a push");
  drain(e);
}

/* The device and the network: a segment goes into a buffer of the peer. */
static void transmit(const chain *c, end *to) {
  unsigned char buffer[EMSS];
  size_t len = 0;
  must(c->len <= sizeof buffer ? IWARP_OK : IWARP_ERR_NOBUF, "a segment");
  for (size_t i = 0; i < c->num; i++) {
    memcpy(&buffer[len], c->buffers[i].ptr, c->buffers[i].len);
    len += c->buffers[i].len;
  }
  received(to, buffer, len);
}

/* Gives the device what may be in flight; returns how many segments. */
static size_t send_window(end *from, end *to, chain chains[WINDOW], const char *what) {
  size_t sent = 0;
  size_t num;
  while (sent + SEGMENTS <= WINDOW && (num = queue(from, &chains[sent])) > 0) {
    for (size_t i = sent; i < sent + num; i++) {
      printf("%s: %zu octets in %zu buffers\n", what, chains[i].len, chains[i].num);
      transmit(&chains[i], to);
    }
    sent += num;
  }
  return sent;
}

static void carry(end *from, end *to, const char *what) {
  chain chains[WINDOW];
  size_t sent;
  drain(from);
  while ((sent = send_window(from, to, chains, what)) > 0) {
    for (size_t i = 0; i < sent; i++) {
      acknowledged(from, chains[i].len);
    }
  }
}

int main(void) {
  static unsigned char text[LENGTH];
  const iwarp_span part = {text, sizeof text};
  const iwarp_endpoint_region region = {
      .stag = STAG, .len = sizeof store, .mem = store, .access = IWARP_ACCESS_REMOTE_WRITE};
  end initiator = make(IWARP_ROLE_INITIATOR);
  end responder = make(IWARP_ROLE_RESPONDER);
  memset(text, '.', sizeof text);
  must(iwarp_endpoint_register(responder.ep, &region), "a region");
  must(iwarp_endpoint_listen(responder.ep), "cannot listen");
  must(iwarp_endpoint_connect(initiator.ep, (iwarp_span){0}), "cannot connect");
  carry(&initiator, &responder, "Request");
  carry(&responder, &initiator, "Reply");
  must(iwarp_endpoint_write(initiator.ep, 1, STAG, 0, (iwarp_tx_payload){&part, 1}), "a Write");
  carry(&initiator, &responder, "segment");
  printf("written: %s\n", memcmp(store, text, LENGTH) == 0 ? "yes" : "no");
  free(initiator.ep);
  free(responder.ep);
  return EXIT_SUCCESS;
}
