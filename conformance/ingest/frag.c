/* SPDX-License-Identifier: BSD-2-Clause */
/* IP packets put together from their fragments, in a bounded amount of memory. */
#include <string.h>

#include "packet.h"

enum { FRAG_OCTETS = 65536, FRAG_UNITS = FRAG_OCTETS / 8 };

/* One incomplete packet. Fragments begin at multiples of 8 octets; the first copy of a unit wins.
 */
typedef struct frag_set {
  ing_ip ip;                    /* of the first fragment seen; `next` of the one at offset 0 */
  uint64_t since;               /* packet count when it began */
  size_t total;                 /* octets in all; 0 while the last fragment is missing */
  size_t units;                 /* of 8 octets, seen so far */
  uint8_t seen[FRAG_UNITS / 8]; /* was on the wire */
  uint8_t held[FRAG_UNITS / 8]; /* was captured whole */
  uint8_t data[FRAG_OCTETS];
} frag_set;

struct ing_frags {
  frag_set *set[ING_FRAGS_MAX];
  frag_set *done; /* handed out by the last call */
};

static bool bit_get(const uint8_t *map, size_t at) {
  return (map[at / 8] >> (at % 8) & 1) != 0;
}

static void bit_set(uint8_t *map, size_t at) {
  map[at / 8] = (uint8_t)(map[at / 8] | 1u << (at % 8));
}

static void release(frag_set **slot, const ingest_alloc *alloc) {
  if (*slot != NULL) {
    alloc->put(alloc->ctx, *slot, sizeof **slot);
    *slot = NULL;
  }
}

static bool same_packet(const frag_set *set, const ing_ip *ip) {
  return set->ip.family == ip->family && set->ip.id == ip->id &&
         memcmp(set->ip.src, ip->src, sizeof ip->src) == 0 &&
         memcmp(set->ip.dst, ip->dst, sizeof ip->dst) == 0;
}

/* The slot of this packet; else an empty one, or the one that began first. Too old ones are given
 * up. */
static frag_set **find_slot(ing_frags *frags, const ingest_alloc *alloc, const ing_ip *ip,
                            uint64_t now) {
  frag_set **best = &frags->set[0];
  for (size_t i = 0; i < ING_FRAGS_MAX; i++) {
    frag_set **slot = &frags->set[i];
    if (*slot != NULL && now - (*slot)->since > ING_FRAGS_AGE) {
      release(slot, alloc);
    }
    if (*slot != NULL && same_packet(*slot, ip)) {
      return slot;
    }
    if (*best != NULL && (*slot == NULL || (*slot)->since < (*best)->since)) {
      best = slot;
    }
  }
  release(best, alloc);
  return best;
}

/* Copies the units that are new; one cut by the snapshot length counts as seen, not as held. */
static void add_units(frag_set *set, const ing_ip *ip) {
  const ing_span *body = &ip->body;
  for (size_t at = 0; at < body->len; at += 8) {
    size_t unit = (ip->offset + at) / 8;
    size_t n = body->len - at < 8 ? body->len - at : 8;
    if (bit_get(set->seen, unit) && bit_get(set->held, unit)) {
      continue;
    }
    if (!bit_get(set->seen, unit)) {
      bit_set(set->seen, unit);
      set->units++;
    }
    if (ing_copy(body, at, &set->data[unit * 8], n)) {
      bit_set(set->held, unit);
    }
  }
}

static size_t held_prefix(const frag_set *set) {
  size_t unit = 0;
  while (unit * 8 < set->total && bit_get(set->held, unit)) {
    unit++;
  }
  return unit * 8 < set->total ? unit * 8 : set->total;
}

/* Hands the set out as one packet when nothing of it is missing. */
static bool complete(ing_frags *frags, frag_set **slot, ing_ip *ip) {
  frag_set *set = *slot;
  if (set->total == 0 || set->units != (set->total + 7) / 8) {
    return false;
  }
  *ip = set->ip;
  ip->body = (ing_span){.data = set->data, .cap = held_prefix(set), .len = set->total};
  frags->done = set;
  *slot = NULL;
  return true;
}

static bool fits(const frag_set *set, const ing_ip *ip) {
  size_t end = ip->offset + ip->body.len;
  if (end > FRAG_OCTETS || ip->body.len == 0 || (ip->more && ip->body.len % 8 != 0)) {
    return false;
  }
  return set->total == 0 || (ip->more ? end <= set->total : end == set->total);
}

ing_frag_result ing_frags_add(ing_frags **frags, const ingest_alloc *alloc, ing_ip *ip,
                              uint64_t now) {
  if (*frags == NULL) {
    *frags = alloc->get(alloc->ctx, sizeof **frags);
    if (*frags == NULL) {
      return ING_FRAG_NO_MEMORY;
    }
    memset(*frags, 0, sizeof **frags);
  }
  release(&(*frags)->done, alloc);
  frag_set **slot = find_slot(*frags, alloc, ip, now);
  if (*slot == NULL) {
    *slot = alloc->get(alloc->ctx, sizeof **slot);
    if (*slot == NULL) {
      return ING_FRAG_NO_MEMORY;
    }
    memset(*slot, 0, offsetof(frag_set, data));
    (*slot)->ip = *ip;
    (*slot)->since = now;
  }
  frag_set *set = *slot;
  if (!fits(set, ip)) {
    return ING_FRAG_WAIT;
  }
  if (!ip->more) {
    set->total = ip->offset + ip->body.len;
  }
  if (ip->offset == 0) {
    set->ip.next = ip->next;
  }
  add_units(set, ip);
  return complete(*frags, slot, ip) ? ING_FRAG_COMPLETE : ING_FRAG_WAIT;
}

void ing_frags_free(ing_frags *frags, const ingest_alloc *alloc) {
  if (frags == NULL) {
    return;
  }
  for (size_t i = 0; i < ING_FRAGS_MAX; i++) {
    release(&frags->set[i], alloc);
  }
  release(&frags->done, alloc);
  alloc->put(alloc->ctx, frags, sizeof *frags);
}
