/* SPDX-License-Identifier: BSD-2-Clause */
/* Variants: the same conversation, as other networks and other captures show it. */
#include "scenario_priv.h"

#include <stdlib.h>

#include <memory/memory.h>

const char *const scenario_variants[] = {"seg1",    "ooo",  "dup",  "gap", "mid",  "oneway", "snap",
                                         "seqwrap", "ipv6", "vlan", "tso", "swap", "ipfrag", NULL};

/* Takes the packets out, for a new list. */
static scenario variant_taken(scenario *s) {
  const scenario taken = *s;
  s->packets = NULL;
  s->num = s->cap = s->octets = 0;
  return taken;
}

static void variant_drop(scenario *taken) {
  for (size_t i = 0; i < taken->num; i++) {
    free(taken->packets[i].octets);
  }
  free(taken->packets);
}

/* One octet a segment. */
static bool variant_seg1(scenario *s, const scn_packet *p, size_t i) {
  bool ok = true;
  (void)i;
  for (size_t at = 0; ok && at < p->len; at++) {
    scn_packet one = *p;
    one.seq += (uint32_t)at;
    one.octets = p->octets + at;
    one.len = 1;
    ok = scn_packet_copy(s, &one);
  }
  return ok && (p->len > 0 || scn_packet_copy(s, p));
}

static bool variant_dup(scenario *s, const scn_packet *p, size_t i) {
  (void)i;
  return scn_packet_copy(s, p) && scn_packet_copy(s, p);
}

/* The third packet with payload is not captured. */
static bool variant_gap(scenario *s, const scn_packet *p, size_t i) {
  return (i == 2 && p->payload) || scn_packet_copy(s, p);
}

/* The capture begins after the handshake and the startup frames. */
static bool variant_mid(scenario *s, const scn_packet *p, size_t i) {
  return i < 2 || scn_packet_copy(s, p);
}

/* Segments that follow each other are one, as segmentation offload lets a capture see them. */
static bool variant_tso(scenario *s, const scn_packet *p, size_t i) {
  scn_packet *last = s->num > 0 ? &s->packets[s->num - 1] : NULL;
  (void)i;
  if (last == NULL || last->conn != p->conn || last->side != p->side || last->len == 0 ||
      p->len == 0 || last->seq + last->len != p->seq || last->len + p->len > SCN_SEGMENT_MAX) {
    return scn_packet_copy(s, p);
  }
  uint8_t *grown = memory_resize(last->octets, last->len + p->len);
  if (grown == NULL) {
    return false;
  }
  memcpy(grown + last->len, p->octets, p->len);
  s->octets += p->len;
  last->octets = grown;
  last->len += p->len;
  return true;
}

/* The packets of the Initiator are not captured. */
static bool variant_oneway(scenario *s, const scn_packet *p, size_t i) {
  (void)i;
  return p->side == 0 || scn_packet_copy(s, p);
}

/* Two packets of one side that follow each other change their places. */
static bool variant_ooo(scenario *s, const scn_packet *p, size_t i) {
  (void)i;
  if (!scn_packet_copy(s, p)) {
    return false;
  }
  scn_packet *last = &s->packets[s->num - 1];
  if (s->num > 1 && p->payload && last[-1].payload && last[-1].side == p->side &&
      last[-1].conn == p->conn && last[-1].seq < p->seq) {
    const scn_packet swapped = *last;
    *last = last[-1];
    last[-1] = swapped;
  }
  return true;
}

/* `i`: packets with payload before this one. */
typedef bool (*variant_fn)(scenario *s, const scn_packet *p, size_t i);

static bool variant_each(scenario *s, variant_fn fn) {
  scenario taken = variant_taken(s);
  size_t with_payload = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < taken.num; i++) {
    ok = fn(s, &taken.packets[i], with_payload);
    with_payload += taken.packets[i].payload ? 1u : 0u;
  }
  variant_drop(&taken);
  return ok;
}

bool scenario_has_variant(const scenario *s, const char *variant) {
  const bool of_a_stream = strcmp(variant, "seg1") == 0 || strcmp(variant, "tso") == 0;
  size_t i = 0;
  while (scenario_variants[i] != NULL && strcmp(scenario_variants[i], variant) != 0) {
    i++;
  }
  return scenario_variants[i] != NULL && !(s->sctp && of_a_stream);
}

bool scenario_derive(scenario *s, const char *variant) {
  static const struct {
    const char *name;
    variant_fn fn;
  } by_packet[] = {{"seg1", variant_seg1}, {"ooo", variant_ooo}, {"dup", variant_dup},
                   {"gap", variant_gap},   {"mid", variant_mid}, {"oneway", variant_oneway},
                   {"tso", variant_tso}};
  for (size_t i = 0; i < sizeof by_packet / sizeof by_packet[0]; i++) {
    if (strcmp(by_packet[i].name, variant) == 0) {
      return variant_each(s, by_packet[i].fn);
    }
  }
  if (strcmp(variant, "snap") == 0) {
    s->snaplen = 96;
  } else if (strcmp(variant, "seqwrap") == 0) {
    s->isn = UINT32_MAX - 40;
    scn_sctp_shift(s, UINT32_MAX - 1 - SCN_TSN);
  } else if (strcmp(variant, "ipv6") == 0) {
    s->ipv6 = true;
  } else if (strcmp(variant, "vlan") == 0) {
    s->vlan = true;
  } else if (strcmp(variant, "ipfrag") == 0) {
    s->mtu = 84;
  } else {
    s->swapped = true;
  }
  return true;
}
