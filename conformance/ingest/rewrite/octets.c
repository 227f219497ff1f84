/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets, addresses, ports and checksums of a packet that is written again. */
#include <string.h>

#include "rewrite_priv.h"

void rw_zero(const rw *w, const uint8_t *from, size_t len) {
  if (len > 0) {
    memset(rw_at(w, from), 0, len);
  }
}

void rw_other(const rw *w, const uint8_t *from, size_t len) {
  if (len == 0) {
    return;
  }
  switch (w->fill) {
  case RW_FILL_OTHER: w->do_->other(w->do_->ctx, rw_at(w, from), len); break;
  case RW_FILL_ZERO: memset(rw_at(w, from), 0, len); break;
  case RW_FILL_ONES:
  case RW_FILLS: memset(rw_at(w, from), 0xff, len); break;
  }
}

enum { OPTION_END = 0, OPTION_NOP = 1 };

void rw_options(const rw *w, const uint8_t *p, size_t len, rw_option *each) {
  for (size_t at = 0; at < len;) {
    const size_t left = len - at;
    const size_t step = p[at] == OPTION_NOP ? 1 : left > 1 ? p[at + 1] : 0;
    if (p[at] == OPTION_END || step == 0 || step > left || (p[at] != OPTION_NOP && step < 2)) {
      rw_zero(w, p + at + 1, left - 1);
      return;
    }
    if (p[at] != OPTION_NOP) {
      each(w, p + at, step);
    }
    at += step;
  }
}

void rw_ip(const rw *w, uint8_t family, const uint8_t *from) {
  w->do_->ip(w->do_->ctx, family, rw_at(w, from));
}

void rw_ports(const rw *w, uint8_t protocol, const uint8_t *from) {
  for (size_t at = 0; at < 4; at += 2) {
    const uint16_t port = w->do_->port(w->do_->ctx, protocol, ing_get16(from + at));
    rw_at(w, from)[at] = (uint8_t)(port >> 8);
    rw_at(w, from)[at + 1] = (uint8_t)port;
  }
}

uint64_t rw_pseudo(const rw *w, const ing_ip *ip, bool mapped) {
  const size_t len = ip->family == 4 ? 4 : 16;
  uint8_t octets[2][16];
  memcpy(octets[0], ip->src, len);
  memcpy(octets[1], ip->dst, len);
  for (size_t i = 0; mapped && i < 2; i++) {
    w->do_->ip(w->do_->ctx, ip->family, octets[i]);
  }
  return ing_sum_add(ing_sum_add(0, octets[0], len), octets[1], len);
}

void rw_noise(const rw *w, const uint8_t *field, size_t len) {
  w->do_->other(w->do_->ctx, rw_at(w, field), len);
  rw_at(w, field)[len - 1] |= 1; /* 0 means that a card fills it in */
}

/* ---- checksums of 16 bits ---- */

/* What a card leaves to fill in: the sum of the pseudo-header, with the length or without. */
static uint16_t sum_unfinished(uint64_t addresses, uint8_t protocol, size_t len) {
  const uint8_t octets[8] = {(uint8_t)(len >> 24),
                             (uint8_t)(len >> 16),
                             (uint8_t)(len >> 8),
                             (uint8_t)len,
                             0,
                             0,
                             0,
                             protocol};
  return ing_sum_fold(ing_sum_add(addresses, octets, sizeof octets));
}

/* The new value of a checksum field. The sum over all octets that it covers was `before`, and is
 * `now` with the old value. The difference from the right checksum stays. */
static uint16_t sum_moved(uint16_t field, uint16_t before, uint16_t now) {
  const uint16_t moved = ing_sum_fold((uint64_t)field + before + (uint16_t)~now);
  return moved == 0 ? UINT16_MAX : moved; /* 0 and 0xFFFF are equal in such sums */
}

/* A wrong checksum must not become one that looks unfinished, or right. */
static uint16_t sum_wrong(uint16_t field, uint64_t addresses, uint8_t protocol, size_t len) {
  while (field == 0 || field == sum_unfinished(addresses, protocol, len) ||
         field == sum_unfinished(addresses, protocol, 0)) {
    field ^= 0x0100; /* changes the sum by something else than 0xffff */
  }
  return field;
}

void rw_sum(const rw *w, const ing_span *s, const uint8_t *field, const ing_ip *ip) {
  uint16_t is;
  uint16_t becomes;
  if ((size_t)(field - s->data) + 2 > s->cap) {
    return;
  }
  memcpy(&is, field, sizeof is);
  if (is == 0) {
    return;
  }
  if (s->cap < s->len) {
    rw_noise(w, field, sizeof is);
    return;
  }
  const uint64_t before = ip != NULL ? rw_pseudo(w, ip, false) : 0;
  const uint64_t now = ip != NULL ? rw_pseudo(w, ip, true) : 0;
  const uint8_t protocol = ip != NULL ? ip->next : 0;
  const uint16_t sum = ing_sum_fold(ing_sum_add(before, s->data, s->len));
  const bool tcp = protocol == ING_PROTO_TCP;
  const uint16_t all =
      ing_sum_fold((uint64_t)sum + sum_unfinished(0, protocol, ip != NULL ? s->len : 0));
  if (tcp && all != UINT16_MAX && is == sum_unfinished(before, protocol, s->len)) {
    becomes = sum_unfinished(now, protocol, s->len);
  } else if (tcp && all != UINT16_MAX && is == sum_unfinished(before, protocol, 0)) {
    becomes = sum_unfinished(now, protocol, 0);
  } else {
    becomes = sum_moved(is, sum, ing_sum_fold(ing_sum_add(now, rw_at(w, s->data), s->len)));
    becomes = tcp && all != UINT16_MAX ? sum_wrong(becomes, now, protocol, s->len) : becomes;
  }
  memcpy(rw_at(w, field), &becomes, sizeof becomes);
}
