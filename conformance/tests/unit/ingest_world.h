/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets made octet by octet for tests of ingest, and the events they cause as one line of text.
 */
#ifndef TESTS_UNIT_INGEST_WORLD_H
#define TESTS_UNIT_INGEST_WORLD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ingest/ingest.h>

enum { CLIENT = 0, SERVER = 1 };

typedef enum world_sum { SUM_GOOD = 0, SUM_BAD, SUM_PARTIAL, SUM_PARTIAL_LSO, SUM_ZERO } world_sum;

/* One engine, one connection with its two ends, and what came of it. */
typedef struct world {
  ingest_ends ends; /* those of the last CLOSE */
  ingest_cfg cfg;
  size_t live; /* octets taken from alloc and not given back */
  size_t peak;
  long gets_left; /* alloc refuses after so many; negative: never */
  size_t room;    /* and what would take more octets than that; 0: nothing */
  ingest *ing;
  ingest_addr end[2];
  uint32_t isn[2];
  uint64_t number;
  bool name_conns; /* put a letter for the connection before each event */
  unsigned opened;
  char log[1 << 16];
  size_t log_len;
  ingest_event last[2]; /* last DATA, GAP or END of each side of any connection */
  /* Of the next packet only: */
  world_sum sum;
  size_t cut; /* octets of payload not captured */
  bool mute;  /* built, not pushed */
  uint8_t packet[70000];
  size_t packet_len;
} world;

static inline void *world_get(void *ctx, size_t size) {
  world *w = ctx;
  if (w->gets_left == 0 || (w->room != 0 && w->live + size > w->room)) {
    return NULL;
  }
  w->gets_left -= w->gets_left > 0;
  w->live += size;
  w->peak = w->live > w->peak ? w->live : w->peak;
  return malloc(size);
}

static inline void world_put(void *ctx, void *ptr, size_t size) {
  world *w = ctx;
  w->live -= size;
  free(ptr);
}

static inline world *world_new(void) {
  world *w = calloc(1, sizeof *w);
  if (w == NULL) {
    abort();
  }
  w->gets_left = -1;
  w->cfg.alloc = (ingest_alloc){.ctx = w, .get = world_get, .put = world_put};
  w->ing = ingest_new(&w->cfg);
  w->end[CLIENT] = (ingest_addr){.family = 4, .ip = {10, 0, 0, 1}, .port = 40000};
  w->end[SERVER] = (ingest_addr){.family = 4, .ip = {10, 0, 0, 2}, .port = 7174};
  w->isn[CLIENT] = 999;
  w->isn[SERVER] = 4999;
  return w;
}

/* --- Packets --- */

static inline uint8_t *put16(uint8_t *at, uint32_t value) {
  at[0] = (uint8_t)(value >> 8);
  at[1] = (uint8_t)value;
  return at + 2;
}

static inline uint8_t *put32(uint8_t *at, uint32_t value) {
  return put16(put16(at, value >> 16), value);
}

/* Sums 16-bit words the slow way. */
static inline uint32_t world_add(uint32_t sum, const uint8_t *octets, size_t n) {
  for (size_t i = 0; i < n; i++) {
    sum += i % 2 == 0 ? (uint32_t)octets[i] << 8 : octets[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

static inline uint32_t world_pseudo(const ingest_addr *src, const ingest_addr *dst, size_t length) {
  size_t n = src->family == 4 ? 4 : 16;
  uint8_t tail[6] = {0,
                     6,
                     (uint8_t)(length >> 24),
                     (uint8_t)(length >> 16),
                     (uint8_t)(length >> 8),
                     (uint8_t)length};
  return world_add(world_add(world_add(0, src->ip, n), dst->ip, n), tail, sizeof tail);
}

/* Writes a TCP segment with `options` octets of NOP; returns its length. */
static inline size_t world_tcp(uint8_t *out, const ingest_addr *src, const ingest_addr *dst,
                               uint32_t seq, uint32_t ack, uint8_t flags, size_t options,
                               const void *payload, size_t n, world_sum sum) {
  size_t header = 20 + options;
  uint8_t *at = put16(put16(out, src->port), dst->port);
  at = put32(put32(at, seq), ack);
  *at++ = (uint8_t)(header / 4 << 4);
  *at++ = flags;
  at = put16(put16(put16(at, 0xffff), 0), 0);
  memset(at, 1, options);
  if (n != 0) {
    memcpy(at + options, payload, n);
  }
  uint32_t pseudo = world_pseudo(src, dst, header + n);
  uint32_t value = ~world_add(pseudo, out, header + n) & 0xffff;
  switch (sum) {
  case SUM_GOOD: break;
  case SUM_BAD: value ^= 0x5a5a; break;
  case SUM_PARTIAL: value = pseudo; break;
  case SUM_PARTIAL_LSO: value = world_pseudo(src, dst, 0); break;
  case SUM_ZERO: value = 0; break;
  }
  put16(out + 16, value);
  return header + n;
}

/* Writes an IP header before n octets of TCP; returns its length. */
static inline size_t world_ip(uint8_t *out, const ingest_addr *src, const ingest_addr *dst,
                              size_t n) {
  if (src->family == 4) {
    uint8_t *at = put16(put16(put32(out, 0x45000000u | (uint32_t)(20 + n)), 7), 0x4000);
    at = put16(put16(at, 0x4006), 0);
    memcpy(at, src->ip, 4);
    memcpy(at + 4, dst->ip, 4);
    return 20;
  }
  uint8_t *at = put16(put16(put32(out, 0x60000000u), (uint32_t)n), 0x0640);
  memcpy(at, src->ip, 16);
  memcpy(at + 16, dst->ip, 16);
  return 40;
}

static inline size_t world_ethernet(uint8_t *out, uint8_t family) {
  memset(out, 2, 12);
  put16(out + 12, family == 4 ? 0x0800 : 0x86dd);
  return 14;
}

/* --- Events as text --- */

static inline void world_logf(world *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void world_logf(world *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(w->log + w->log_len, sizeof w->log - w->log_len, format, args);
  va_end(args);
  w->log_len += n > 0 ? (size_t)n : 0;
  if (w->log_len >= sizeof w->log) {
    abort();
  }
}

/* Octets from the first one after the SYN, as this world numbers its connection. */
static inline long long world_offset(const world *w, const ingest_event *ev) {
  unsigned end = ev->addr[0].port == w->end[SERVER].port ? 1 : 0;
  uint32_t first = w->isn[ev->side ^ end] + 1;
  uint32_t start = (uint32_t)ev->start - first;
  long long begin = start < 0x80000000u ? (long long)start : (long long)start - (1LL << 32);
  return begin + (long long)(ev->pos - ev->start);
}

static inline void world_log_data(world *w, const ingest_event *ev) {
  if (ev->len > 24) {
    world_logf(w, "#%llu", (unsigned long long)ev->len);
  } else {
    world_logf(w, "%.*s", (int)ev->len, (const char *)ev->data);
  }
  world_logf(w, "%s", ev->damaged ? "!" : "");
}

static inline void world_log_limit(world *w, const ingest_event *ev) {
  if (ev->limit != INGEST_LIMIT_NONE) {
    world_logf(w, "(%s)", ingest_limit_name(ev->limit));
  }
}

/*
 * O: open. D0@3:abc: data of side 0 from octet 3 on ("#100": many; "!": damaged). G0@3+5: a gap of
 * 5 octets ("s": snapped). E1@8F: end by FIN (R: RST, C: capture). X: close. A gap and a close name
 * the limit that forced them: X(memory).
 */
static inline void world_log(world *w, const ingest_event *ev) {
  if (w->log_len != 0) {
    world_logf(w, " ");
  }
  if (ev->kind == INGEST_EVENT_OPEN) {
    *ev->user = (void *)(uintptr_t)++w->opened;
  }
  if (w->name_conns) {
    world_logf(w, "%c", 'a' + (int)((uintptr_t)*ev->user - 1));
  }
  static const char kinds[] = "ODGEX";
  static const char ends[] = "FRC";
  world_logf(w, "%c", kinds[ev->kind]);
  if (ev->kind == INGEST_EVENT_CLOSE) {
    w->ends = *ev->ends;
  }
  if (ev->kind == INGEST_EVENT_OPEN || ev->kind == INGEST_EVENT_CLOSE) {
    world_log_limit(w, ev);
    return;
  }
  w->last[ev->side] = *ev;
  world_logf(w, "%u", ev->side);
  if (ev->pos == INGEST_POS_UNKNOWN) {
    world_logf(w, "?");
  } else {
    world_logf(w, "@%lld", world_offset(w, ev));
  }
  if (ev->kind == INGEST_EVENT_DATA) {
    world_logf(w, ":");
    world_log_data(w, ev);
  } else if (ev->kind == INGEST_EVENT_GAP) {
    world_logf(w, "+%llu%s", (unsigned long long)ev->len, ev->snapped ? "s" : "");
    world_log_limit(w, ev);
  } else {
    world_logf(w, "%c", ends[ev->end]);
  }
}

static inline void world_drain(world *w) {
  ingest_event ev;
  while (ingest_next(w->ing, &ev)) {
    world_log(w, &ev);
  }
}

/* world_take returns the events since the last call. */
static inline const char *world_take(world *w) {
  w->log[w->log_len] = '\0';
  w->log_len = 0;
  return w->log;
}

static inline void world_push(world *w, const void *data, size_t caplen, size_t len, int link) {
  ingest_packet pkt = {.data = data,
                       .caplen = caplen,
                       .len = len,
                       .link_type = link,
                       .number = ++w->number,
                       .time_ns = 1000 * w->number};
  ingest_push(w->ing, &pkt);
  world_drain(w);
}

/* --- Segments --- */

static inline uint8_t world_flags(const char *letters) {
  uint8_t flags = 0;
  for (; *letters != '\0'; letters++) {
    flags |= *letters == 'F' ? 1 : *letters == 'S' ? 2 : *letters == 'R' ? 4 : 0x10;
  }
  return flags;
}

/*
 * world_segment sends n octets: flags of the letters F, S, R, A; seq and ack from the first octet
 * after the SYN of their direction.
 */
static inline void world_segment(world *w, unsigned side, const char *flags, long seq, long ack,
                                 const void *payload, size_t n) {
  const ingest_addr *src = &w->end[side];
  const ingest_addr *dst = &w->end[side ^ 1u];
  size_t at = world_ethernet(w->packet, src->family);
  size_t ip = src->family == 4 ? 20 : 40;
  uint32_t wire_ack = strchr(flags, 'A') != NULL ? w->isn[side ^ 1u] + 1 + (uint32_t)ack : 0;
  size_t tcp = world_tcp(w->packet + at + ip, src, dst, w->isn[side] + 1 + (uint32_t)seq, wire_ack,
                         world_flags(flags), 0, payload, n, w->sum);
  world_ip(w->packet + at, src, dst, tcp);
  w->packet_len = at + ip + tcp;
  if (!w->mute) {
    world_push(w, w->packet, w->packet_len - w->cut, w->packet_len, 1);
  }
  w->sum = SUM_GOOD;
  w->cut = 0;
  w->mute = false;
}

static inline void world_send(world *w, unsigned side, const char *flags, long seq, long ack,
                              const char *payload) {
  world_segment(w, side, flags, seq, ack, payload, strlen(payload));
}

/* The three packets that open a connection. */
static inline void world_shake(world *w) {
  world_send(w, CLIENT, "S", -1, 0, "");
  world_send(w, SERVER, "SA", -1, 0, "");
  world_send(w, CLIENT, "A", 0, 0, "");
}

/* n acknowledgments of what is said to be there already, to pass the time. */
static inline void world_idle(world *w, unsigned side, long seq, long ack, unsigned n) {
  while (n-- > 0) {
    world_send(w, side, "A", seq, ack, "");
  }
}

static inline const char *world_finish(world *w) {
  ingest_finish(w->ing);
  world_drain(w);
  return world_take(w);
}

/* expect_log compares the events since the last call with a text. */
#define expect_log(w, text)                                                                        \
  do {                                                                                             \
    const char *got_ = world_take(w);                                                              \
    ck_assert_str_eq(got_, text);                                                                  \
  } while (0)

/* expect_end does so with those that the end of the capture brings, and ends the world. */
#define expect_end(w, text)                                                                        \
  do {                                                                                             \
    const char *got_ = world_finish(w);                                                            \
    ck_assert_str_eq(got_, text);                                                                  \
    ck_assert_uint_eq(world_free(w), 0);                                                           \
  } while (0)

/* world_free returns how many octets were not given back. */
static inline size_t world_free(world *w) {
  ingest_free(w->ing);
  size_t leaked = w->live;
  free(w);
  return leaked;
}

#endif
