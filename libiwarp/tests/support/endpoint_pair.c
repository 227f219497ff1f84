/* SPDX-License-Identifier: BSD-2-Clause */
/* Two hosts, and what lies on the way between them. */
#include "endpoint_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "endpoint_pair: %s\n", what);
    abort();
  }
}

endpoint_pair *endpoint_pair_new(const iwarp_endpoint_cfg cfg[2], size_t mem_len) {
  endpoint_pair *p = calloc(1, sizeof *p);
  must(p != NULL, "no memory");
  for (size_t who = 0; who < 2; who++) {
    p->s[who].h = ep_host_new_of(&cfg[who], mem_len);
    p->s[who].h->who = who;
  }
  return p;
}

void endpoint_pair_free(endpoint_pair *p) {
  for (size_t who = 0; who < 2; who++) {
    ep_host_free(p->s[who].h);
    free(p->s[who].wire);
  }
  free(p);
}

void endpoint_pair_hook(endpoint_pair *p, ep_host_hook *hook, void *context) {
  for (size_t who = 0; who < 2; who++) {
    ep_host *h = p->s[who].h;
    h->hook = hook;
    h->context = context;
    h->unlogged = true;
  }
}

iwarp_endpoint_state endpoint_pair_state(const endpoint_pair *p, size_t who) {
  return iwarp_endpoint_info_get(p->s[who].h->ep)->state;
}

/* ---- ends ---- */

/* What a side had got in a row: octets that were pushed ahead of their turn may be part of it. */
static size_t heard(const endpoint_pair_side *s) {
  const uint64_t next = iwarp_endpoint_rx_offset(s->h->ep);
  return next > s->begin + s->heard ? (size_t)(next - s->begin) : s->heard;
}

static void watch_end(const endpoint_pair *p, size_t who, iwarp_end how) {
  if (p->watch != NULL) {
    p->watch->end(p->watch->context, who, how, heard(&p->s[who]));
  }
}

/* What the transport has to do when a side has ended. */
static void end(endpoint_pair *p, size_t who) {
  const endpoint_pair_side *s = &p->s[who];
  if (p->by_hand) {
    return;
  }
  if (s->h->fin) {
    watch_end(p, who, IWARP_END_FIN);
  }
  if (s->h->over && s->h->closed.disconnect && !s->lost) {
    endpoint_pair_drop(p);
  }
}

void endpoint_pair_events(endpoint_pair *p, size_t who) {
  ep_host_run(p->s[who].h);
  end(p, who);
}

/* Returns true if a side resets the connection and still reads octets. It reads no more octets if
 * its Terminate was not taken in time, or the FPDU that the other side's Terminate interrupted. */
static bool resets(const ep_host *h) {
  return h->over && h->closed.disconnect && !h->fault && !h->terminated;
}

void endpoint_pair_drop(endpoint_pair *p) {
  for (size_t who = 0; who < 2; who++) {
    endpoint_pair_side *s = &p->s[who];
    if (!s->lost) {
      s->lost = true;
      if (resets(s->h)) {
        watch_end(p, who, IWARP_END_RST);
      }
      must(iwarp_endpoint_lost(s->h->ep) == IWARP_OK, "a loss was refused");
      endpoint_pair_events(p, who);
    }
  }
}

/* ---- the way between them ---- */

static void spoil(const endpoint_pair *p, size_t who, size_t len) {
  const endpoint_pair_side *s = &p->s[who];
  if (p->spoil_with != 0 && p->spoil_side == who && p->spoil_at >= s->sent &&
      p->spoil_at - s->sent < len) {
    s->wire[p->spoil_at] ^= p->spoil_with;
  }
}

void endpoint_pair_put(endpoint_pair *p, size_t who, iwarp_span octets) {
  endpoint_pair_side *s = &p->s[who];
  if (s->cap - s->sent < octets.len) {
    s->cap = 2 * (s->sent + octets.len);
    s->wire = realloc(s->wire, s->cap);
    must(s->wire != NULL, "no memory");
  }
  must(!s->h->fin && !s->lost, "octets after the end");
  memcpy(&s->wire[s->sent], octets.ptr, octets.len);
  spoil(p, who, octets.len);
  if (p->watch != NULL) {
    p->watch->octets(p->watch->context, who, (iwarp_span){&s->wire[s->sent], octets.len}, heard(s));
  }
  s->sent += octets.len;
}

void endpoint_pair_put_ulpdu(endpoint_pair *p, size_t who, iwarp_span ulpdu) {
  const endpoint_pair_side *s = &p->s[who];
  uint8_t octets[512];
  size_t len;
  const uint64_t begin = IWARP_MPA_STARTUP_LEN + ((size_t)s->wire[18] << 8 | s->wire[19]);
  const iwarp_mpa_fpdu_desc d = {.ulpdu = ulpdu, .off = s->sent - begin};
  must(iwarp_mpa_fpdu_encode(octets, sizeof octets, &len, &d) == IWARP_OK, "no FPDU");
  endpoint_pair_put(p, who, (iwarp_span){octets, len});
}

typedef struct wire_end {
  endpoint_pair *p;
  size_t who;
} wire_end;

static void put(void *to, iwarp_span octets) {
  const wire_end *e = to;
  endpoint_pair_put(e->p, e->who, octets);
}

size_t endpoint_pair_pull(endpoint_pair *p, size_t who, size_t cap) {
  wire_end to = {p, who};
  endpoint_pair_events(p, who);
  if (p->s[who].lost) {
    return 0;
  }
  const size_t n = ep_host_send(p->s[who].h, cap, put, &to);
  end(p, who);
  return n;
}

/* Octets `at` and after of those that the other side sent. */
static bool push(endpoint_pair *p, size_t who, size_t at, size_t len) {
  const endpoint_pair_side *s = &p->s[who];
  const bool taken = ep_host_push_at(s->h, s->begin + at, &p->s[1 - who].wire[at], len);
  end(p, who);
  return taken;
}

bool endpoint_pair_push_at(endpoint_pair *p, size_t who, size_t skip, size_t cap) {
  const endpoint_pair_side *s = &p->s[who];
  const size_t left = p->s[1 - who].sent - s->heard;
  if (s->lost || s->fin_heard || left <= skip) {
    return false;
  }
  return push(p, who, s->heard + skip, left - skip < cap ? left - skip : cap);
}

/* Pushes the next octets of the other side; false if no octets are left. */
static bool push_octets(endpoint_pair *p, size_t who, size_t cap) {
  endpoint_pair_side *s = &p->s[who];
  const size_t left = p->s[1 - who].sent - s->heard;
  const size_t len = left < cap ? left : cap;
  if (s->lost || s->fin_heard || len == 0) {
    return false;
  }
  s->heard += len;
  must(push(p, who, s->heard - len, len), "a push was refused");
  return true;
}

static bool push_end(endpoint_pair *p, size_t who) {
  endpoint_pair_side *s = &p->s[who];
  if (s->lost || s->fin_heard || p->by_hand || !p->s[1 - who].h->fin) {
    return false;
  }
  s->fin_heard = true;
  must(iwarp_endpoint_eof(s->h->ep) == IWARP_OK, "an end was refused");
  endpoint_pair_events(p, who);
  return true;
}

bool endpoint_pair_push(endpoint_pair *p, size_t who, size_t cap) {
  return push_octets(p, who, cap) || push_end(p, who);
}

void endpoint_pair_talk(endpoint_pair *p, size_t piece) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (size_t who = 0; who < 2; who++) {
      moved = endpoint_pair_pull(p, who, SIZE_MAX) > 0 || moved;
    }
    for (size_t who = 0; who < 2; who++) {
      moved = endpoint_pair_push(p, who, piece) || moved;
    }
  }
}

void endpoint_pair_join(endpoint_pair *p) {
  const iwarp_span nothing = {0};
  must(iwarp_endpoint_listen(p->s[1].h->ep) == IWARP_OK, "no listen");
  must(iwarp_endpoint_connect(p->s[0].h->ep, nothing) == IWARP_OK, "no connect");
  endpoint_pair_talk(p, 4096);
  must(iwarp_endpoint_accept(p->s[1].h->ep, nothing) == IWARP_OK, "no accept");
  endpoint_pair_talk(p, 4096);
  must(iwarp_endpoint_accept(p->s[0].h->ep, nothing) == IWARP_OK, "no agreement");
  endpoint_pair_talk(p, 4096);
}

/* ---- hosts whose test has the octets in its own hands ---- */

ep_ends ep_ends_new(const iwarp_endpoint_cfg *initiator, const iwarp_endpoint_cfg *responder) {
  return (ep_ends){.i = ep_host_new(initiator), .r = ep_host_new(responder)};
}

void ep_ends_free(ep_ends p) {
  ep_host_free(p.i);
  ep_host_free(p.r);
}

/* A way between them for as long as one carries something: what was sent before it is not on it. */
static endpoint_pair way(ep_host *a, ep_host *b) {
  return (endpoint_pair){.s = {{.h = a, .begin = iwarp_endpoint_rx_offset(a->ep)},
                               {.h = b, .begin = iwarp_endpoint_rx_offset(b->ep)}},
                         .by_hand = true};
}

static void way_end(const endpoint_pair *p) {
  free(p->s[0].wire);
  free(p->s[1].wire);
}

void ep_talk(ep_host *a, ep_host *b, size_t piece) {
  endpoint_pair p = way(a, b);
  endpoint_pair_talk(&p, piece);
  way_end(&p);
}

void ep_join(ep_host *initiator, ep_host *responder) {
  endpoint_pair p = way(initiator, responder);
  endpoint_pair_join(&p);
  way_end(&p);
}
