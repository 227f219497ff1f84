/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets made octet by octet for tests of ingest, and the events they cause as one line of text.
 */
#include "tcp_fixture.h"

static void *tcp_fixture_get(void *ctx, size_t size) {
  tcp_fixture *w = ctx;
  if (w->gets_left == 0 || (w->room != 0 && w->live + size > w->room)) {
    return NULL;
  }
  w->gets_left -= w->gets_left > 0;
  w->live += size;
  w->peak = w->live > w->peak ? w->live : w->peak;
  return malloc(size);
}

static void tcp_fixture_put(void *ctx, void *ptr, size_t size) {
  tcp_fixture *w = ctx;
  w->live -= size;
  free(ptr);
}

tcp_fixture *tcp_fixture_new(void) {
  tcp_fixture *w = calloc(1, sizeof *w);
  if (w == NULL) {
    abort();
  }
  w->gets_left = -1;
  w->cfg.alloc = (ingest_alloc){.ctx = w, .get = tcp_fixture_get, .put = tcp_fixture_put};
  w->ing = ingest_new(&w->cfg);
  w->end[CLIENT] = (ingest_addr){.family = 4, .ip = {10, 0, 0, 1}, .port = 40000};
  w->end[SERVER] = (ingest_addr){.family = 4, .ip = {10, 0, 0, 2}, .port = 7174};
  w->isn[CLIENT] = 999;
  w->isn[SERVER] = 4999;
  return w;
}

uint8_t *tcp_fixture_put16(uint8_t *at, uint32_t value) {
  at[0] = (uint8_t)(value >> 8);
  at[1] = (uint8_t)value;
  return at + 2;
}

uint8_t *tcp_fixture_put32(uint8_t *at, uint32_t value) {
  return tcp_fixture_put16(tcp_fixture_put16(at, value >> 16), value);
}

uint32_t tcp_fixture_add(uint32_t sum, const uint8_t *octets, size_t n) {
  for (size_t i = 0; i < n; i++) {
    sum += (uint32_t)octets[i] << (i % 2 == 0 ? 8 : 0);
  }
  sum = (sum & 0xffff) + (sum >> 16);
  return (sum & 0xffff) + (sum >> 16);
}

static uint32_t tcp_fixture_pseudo(const ingest_addr *src, const ingest_addr *dst, size_t length) {
  size_t n = src->family == 4 ? 4 : 16;
  uint8_t tail[6] = {0,
                     6,
                     (uint8_t)(length >> 24),
                     (uint8_t)(length >> 16),
                     (uint8_t)(length >> 8),
                     (uint8_t)length};
  return tcp_fixture_add(tcp_fixture_add(tcp_fixture_add(0, src->ip, n), dst->ip, n), tail,
                         sizeof tail);
}

size_t tcp_fixture_tcp(uint8_t *out, const ingest_addr *src, const ingest_addr *dst, uint32_t seq,
                       uint32_t ack, uint8_t flags, size_t options, const void *payload, size_t n,
                       tcp_fixture_sum sum) {
  size_t header = 20 + options;
  uint8_t *at = tcp_fixture_put16(tcp_fixture_put16(out, src->port), dst->port);
  at = tcp_fixture_put32(tcp_fixture_put32(at, seq), ack);
  *at++ = (uint8_t)(header / 4 << 4);
  *at++ = flags;
  at = tcp_fixture_put16(tcp_fixture_put16(tcp_fixture_put16(at, 0xffff), 0), 0);
  memset(at, 1, options);
  if (n != 0) {
    memcpy(at + options, payload, n);
  }
  uint32_t pseudo = tcp_fixture_pseudo(src, dst, header + n);
  uint32_t value = ~tcp_fixture_add(pseudo, out, header + n) & 0xffff;
  switch (sum) {
  case SUM_GOOD: break;
  case SUM_BAD: value ^= 0x5a5a; break;
  case SUM_PARTIAL: value = pseudo; break;
  case SUM_PARTIAL_LSO: value = tcp_fixture_pseudo(src, dst, 0); break;
  case SUM_ZERO: value = 0; break;
  }
  tcp_fixture_put16(out + 16, value);
  return header + n;
}

size_t tcp_fixture_ip(uint8_t *out, const ingest_addr *src, const ingest_addr *dst, size_t n) {
  static uint16_t id; /* else copies would be packets captured twice */
  if (src->family == 4) {
    id = (uint16_t)(id % UINT16_MAX + 1u);
    uint8_t *at = tcp_fixture_put16(
        tcp_fixture_put16(tcp_fixture_put32(out, 0x45000000u | (uint32_t)(20 + n)), id), 0x4000);
    at = tcp_fixture_put16(tcp_fixture_put16(at, 0x4006), 0);
    memcpy(at, src->ip, 4);
    memcpy(at + 4, dst->ip, 4);
    return 20;
  }
  uint8_t *at = tcp_fixture_put16(
      tcp_fixture_put16(tcp_fixture_put32(out, 0x60000000u), (uint32_t)n), 0x0640);
  memcpy(at, src->ip, 16);
  memcpy(at + 16, dst->ip, 16);
  return 40;
}

size_t tcp_fixture_ethernet(uint8_t *out, uint8_t family) {
  memset(out, 2, 12);
  tcp_fixture_put16(out + 12, family == 4 ? 0x0800 : 0x86dd);
  return 14;
}

static void tcp_fixture_logf(tcp_fixture *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tcp_fixture_logf(tcp_fixture *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(w->log + w->log_len, sizeof w->log - w->log_len, format, args);
  va_end(args);
  w->log_len += n > 0 ? (size_t)n : 0;
  if (w->log_len >= sizeof w->log) {
    abort();
  }
}

/* Octets from the first one after the SYN, as this tcp_fixture numbers its connection. */
static long long tcp_fixture_offset(const tcp_fixture *w, const ingest_event *ev) {
  unsigned end = ev->addr[0].port == w->end[SERVER].port ? 1 : 0;
  uint32_t first = w->isn[ev->side ^ end] + 1;
  uint32_t start = (uint32_t)ev->start - first;
  long long begin = start < 0x80000000u ? (long long)start : (long long)start - (1LL << 32);
  return begin + (long long)(ev->pos - ev->start);
}

static void tcp_fixture_log_data(tcp_fixture *w, const ingest_event *ev) {
  if (ev->len > 24) {
    tcp_fixture_logf(w, "#%llu", (unsigned long long)ev->len);
  } else {
    tcp_fixture_logf(w, "%.*s", (int)ev->len, (const char *)ev->data);
  }
  tcp_fixture_logf(w, "%s", ev->damaged ? "!" : "");
}

static void tcp_fixture_log_limit(tcp_fixture *w, const ingest_event *ev) {
  if (ev->limit != INGEST_LIMIT_NONE) {
    tcp_fixture_logf(w, "(%s)", ingest_limit_name(ev->limit));
  }
}

/*
 * O: open. D0@3:abc: data of side 0 from octet 3 on ("#100": many; "!": damaged). G0@3+5: a gap of
 * 5 octets ("s": snapped). E1@8F: end by FIN (R: RST, C: capture). X: close. A gap and a close name
 * the limit that forced them: X(memory).
 */
static void tcp_fixture_log(tcp_fixture *w, const ingest_event *ev) {
  if (w->log_len != 0) {
    tcp_fixture_logf(w, " ");
  }
  if (ev->kind == INGEST_EVENT_OPEN) {
    *ev->user = (void *)(uintptr_t)++w->opened;
  }
  if (w->name_conns) {
    tcp_fixture_logf(w, "%c", 'a' + (int)((uintptr_t)*ev->user - 1));
  }
  static const char kinds[] = "ODGEX=";
  static const char *const copies[] = {"unknown", "first", "second"};
  static const char ends[] = "FRC";
  tcp_fixture_logf(w, "%c", kinds[ev->kind]);
  if (ev->kind == INGEST_EVENT_CLOSE) {
    w->ends = *ev->ends;
    w->stalls = ev->ends->stalls != NULL ? *ev->ends->stalls : (ingest_stalls){0};
  }
  if (ev->kind == INGEST_EVENT_OPEN || ev->kind == INGEST_EVENT_CLOSE) {
    if (ev->side != 0) {
      abort();
    }
    tcp_fixture_log_limit(w, ev);
    return;
  }
  w->last[ev->side] = *ev;
  tcp_fixture_logf(w, "%u", ev->side);
  if (ev->pos == INGEST_POS_UNKNOWN) {
    tcp_fixture_logf(w, "?");
  } else {
    tcp_fixture_logf(w, "@%lld", tcp_fixture_offset(w, ev));
  }
  if (ev->kind == INGEST_EVENT_DATA) {
    tcp_fixture_logf(w, ":");
    tcp_fixture_log_data(w, ev);
  } else if (ev->kind == INGEST_EVENT_GAP) {
    tcp_fixture_logf(w, "+%llu%s", (unsigned long long)ev->len, ev->snapped ? "s" : "");
    tcp_fixture_log_limit(w, ev);
  } else if (ev->kind == INGEST_EVENT_DIFFER) {
    w->differ = *ev;
    tcp_fixture_logf(w, "+%llu(%s)", (unsigned long long)ev->len, copies[ev->accepted]);
  } else {
    tcp_fixture_logf(w, "%c", ends[ev->end]);
  }
}

void tcp_fixture_drain(tcp_fixture *w) {
  ingest_event ev;
  while (ingest_next(w->ing, &ev)) {
    if (w->holds && ev.kind == INGEST_EVENT_DATA && ev.may_wait) {
      ingest_hold(w->ing, w->as, (size_t)ev.len);
    } else {
      tcp_fixture_log(w, &ev);
    }
  }
}

const char *tcp_fixture_take(tcp_fixture *w) {
  w->log[w->log_len] = '\0';
  w->log_len = 0;
  return w->log;
}

void tcp_fixture_push(tcp_fixture *w, const void *data, size_t caplen, size_t len, int link) {
  ingest_packet pkt = {.data = data,
                       .caplen = caplen,
                       .len = len,
                       .link_type = link,
                       .number = ++w->number,
                       .time_ns = 1000 * w->number};
  ingest_push(w->ing, &pkt);
  tcp_fixture_drain(w);
}

static uint8_t tcp_fixture_flags(const char *letters) {
  uint8_t flags = 0;
  for (; *letters != '\0'; letters++) {
    flags |= *letters == 'F' ? 1 : *letters == 'S' ? 2 : *letters == 'R' ? 4 : 0x10;
  }
  return flags;
}

void tcp_fixture_segment(tcp_fixture *w, unsigned side, const char *flags, long seq, long ack,
                         const void *payload, size_t n) {
  const ingest_addr *src = &w->end[side];
  const ingest_addr *dst = &w->end[side ^ 1u];
  size_t at = tcp_fixture_ethernet(w->packet, src->family);
  size_t ip = src->family == 4 ? 20 : 40;
  uint32_t wire_ack = strchr(flags, 'A') != NULL ? w->isn[side ^ 1u] + 1 + (uint32_t)ack : 0;
  size_t tcp = tcp_fixture_tcp(w->packet + at + ip, src, dst, w->isn[side] + 1 + (uint32_t)seq,
                               wire_ack, tcp_fixture_flags(flags), 0, payload, n, w->sum);
  if (w->shut) { /* to the checksum 0 is what 0xffff is */
    tcp_fixture_put16(w->packet + at + ip + 14, 0);
  }
  tcp_fixture_ip(w->packet + at, src, dst, tcp);
  w->packet_len = at + ip + tcp;
  if (!w->mute) {
    tcp_fixture_push(w, w->packet, w->packet_len - w->cut, w->packet_len, 1);
  }
  w->sum = SUM_GOOD;
  w->cut = 0;
  w->mute = w->shut = false;
}

void tcp_fixture_send(tcp_fixture *w, unsigned side, const char *flags, long seq, long ack,
                      const char *payload) {
  tcp_fixture_segment(w, side, flags, seq, ack, payload, strlen(payload));
}

tcp_fixture *tcp_fixture_with(unsigned family, const char *payload) {
  tcp_fixture *w = tcp_fixture_new();
  w->end[0].family = w->end[1].family = (uint8_t)family;
  w->mute = true;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, payload);
  return w;
}

void tcp_fixture_shake(tcp_fixture *w) {
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "");
}

void tcp_fixture_idle(tcp_fixture *w, unsigned side, long seq, long ack, unsigned n) {
  while (n-- > 0) {
    tcp_fixture_send(w, side, "A", seq, ack, "");
  }
}

const char *tcp_fixture_finish(tcp_fixture *w) {
  ingest_finish(w->ing);
  tcp_fixture_drain(w);
  return tcp_fixture_take(w);
}

size_t tcp_fixture_free(tcp_fixture *w) {
  ingest_free(w->ing);
  size_t leaked = w->live;
  free(w);
  return leaked;
}
