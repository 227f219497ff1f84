/* SPDX-License-Identifier: BSD-2-Clause */
/* IP packets put together from their fragments, in a bounded amount of memory. */
#include <string.h>

#include "base/siphash.h"
#include "history.h"
#include "packet.h"

enum { FRAG_PIECES = 128 }; /* fragments of a packet whose frames are known */
enum { FRAG_OCTETS = 65536, FRAG_UNITS = FRAG_OCTETS / 8 };

/* The identification that all fragments of one packet share: RFC 791 2.3, RFC 8200 4.5. */
typedef struct frag_id {
  uint8_t family;
  uint8_t protocol; /* IPv4 only; 0 for IPv6 */
  uint8_t src[16];
  uint8_t dst[16];
  uint32_t id;
} frag_id;

/* The units of one fragment, and its packet. */
typedef struct frag_piece {
  size_t begin;
  size_t end;
  ingest_mark at;
} frag_piece;

/* The second copies of units, where they differ from the first ones. */
typedef struct frag_others {
  uint64_t held[FRAG_UNITS / 64];
  size_t end; /* offset after the last unit that is held */
  uint8_t data[FRAG_OCTETS];
} frag_others;

/* One incomplete packet. Fragments begin at multiples of 8 octets; `data` has the first copy of a
 * unit. */
typedef struct frag_set {
  frag_id id;
  ing_ip ip;                      /* first fragment seen; `next` of the fragment at offset 0 */
  uint64_t since;                 /* packet count when it began */
  size_t total;                   /* octets in all; 0 while the last fragment is missing */
  size_t units;                   /* units of 8 octets seen so far */
  bool late;                      /* a packet like it was given up before, as it waited long */
  bool begun;                     /* the fragment at offset 0 came */
  uint64_t seen[FRAG_UNITS / 64]; /* was on the wire */
  uint64_t held[FRAG_UNITS / 64]; /* was captured whole */
  ing_conflict conflict;
  frag_others *others; /* NULL: no copies differ, or there was no memory */
  size_t num_pieces;   /* fragments, of which the first FRAG_PIECES are known */
  uint8_t data[FRAG_OCTETS];
  frag_piece pieces[FRAG_PIECES];
} frag_set;

/* Two hosts, the lower address first. */
typedef struct frag_hosts {
  uint8_t family;
  uint8_t ip[2][16];
} frag_hosts;

/* A fragment that was taken: `digest` is of its place and its octets. */
typedef struct frag_taken {
  frag_id id;
  uint64_t digest;
} frag_taken;

struct ing_frags {
  const ingest_alloc *alloc;
  uint64_t *steps;
  uint64_t key[2];
  frag_set *set[ING_FRAGS_MAX];
  frag_set *done; /* handed out by the last call */
  frag_id aged[ING_FRAGS_AGED];
  size_t num_aged; /* packets ever in `aged`: the last ING_FRAGS_AGED of them are known */
  frag_taken taken[ING_FRAGS_TAKEN];
  size_t num_taken; /* fragments ever in `taken`, likewise */
  frag_hosts lost[ING_FRAGS_LOST];
  size_t num_lost;
  bool lost_all;    /* more than that: any two hosts may be among them */
  bool lost_tunnel; /* a packet that may hold others was given up for a limit */
};

ing_frags *ing_frags_new(const ingest_alloc *alloc, const uint64_t key[2], uint64_t *steps) {
  ing_frags *frags = alloc->get(alloc->ctx, sizeof *frags);
  if (frags != NULL) {
    memset(frags, 0, sizeof *frags);
    frags->alloc = alloc;
    frags->steps = steps;
    memcpy(frags->key, key, sizeof frags->key);
  }
  return frags;
}

static bool bit_get(const uint64_t *map, size_t at) {
  return (map[at / 64] >> (at % 64) & 1) != 0;
}

static void bit_set(uint64_t *map, size_t at) {
  map[at / 64] |= UINT64_C(1) << (at % 64);
}

static unsigned count_bits(uint64_t x) {
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

static void frag_release(ing_frags *frags, frag_set **slot) {
  if (*slot != NULL) {
    if ((*slot)->others != NULL) {
      frags->alloc->put(frags->alloc->ctx, (*slot)->others, sizeof *(*slot)->others);
    }
    frags->alloc->put(frags->alloc->ctx, *slot, sizeof **slot);
    *slot = NULL;
  }
}

/* --- What was given up --- */

static frag_hosts hosts_of(uint8_t family, const uint8_t a[16], const uint8_t b[16]) {
  frag_hosts hosts = {.family = family};
  const bool swap = memcmp(a, b, sizeof hosts.ip[0]) > 0;
  memcpy(hosts.ip[0], swap ? b : a, sizeof hosts.ip[0]);
  memcpy(hosts.ip[1], swap ? a : b, sizeof hosts.ip[1]);
  return hosts;
}

static bool know_hosts(const ing_frags *frags, const frag_hosts *hosts) {
  for (size_t i = 0; i < frags->num_lost; i++) {
    ++*frags->steps;
    if (memcmp(&frags->lost[i], hosts, sizeof *hosts) == 0) {
      return true;
    }
  }
  return frags->lost_all;
}

/* Remembers between which hosts a packet was given up for a limit; `begun`: its beginning was seen.
 * Of UDP the beginning shows that it is a tunnel; over IPv6 it alone names the protocol. */
static void lose(ing_frags *frags, const ing_ip *ip, bool begun) {
  if (!ing_ip_known(ip) && (begun || ip->family == 4)) {
    frags->lost_tunnel = frags->lost_tunnel || begun || ip->next != ING_PROTO_UDP;
    return;
  }
  const frag_hosts hosts = hosts_of(ip->family, ip->src, ip->dst);
  if (know_hosts(frags, &hosts)) {
    return;
  }
  if (frags->num_lost < ING_FRAGS_LOST) {
    frags->lost[frags->num_lost++] = hosts;
  } else {
    frags->lost_all = true;
  }
}

bool ing_frags_lost(ing_frags *frags, uint8_t family, const uint8_t a[16], const uint8_t b[16]) {
  const frag_hosts hosts = hosts_of(family, a, b);
  return frags->lost_tunnel || know_hosts(frags, &hosts);
}

static uint8_t protocol_of(const ing_ip *ip) {
  return ip->family == 4 ? ip->next : 0;
}

static frag_id id_of(const ing_ip *ip) {
  frag_id id = {.family = ip->family, .protocol = protocol_of(ip), .id = ip->id};
  memcpy(id.src, ip->src, sizeof id.src);
  memcpy(id.dst, ip->dst, sizeof id.dst);
  return id;
}

static bool same_id(const frag_id *id, const ing_ip *ip) {
  return id->family == ip->family && id->protocol == protocol_of(ip) && id->id == ip->id &&
         memcmp(id->src, ip->src, sizeof id->src) == 0 &&
         memcmp(id->dst, ip->dst, sizeof id->dst) == 0;
}

/* A copy of what was given up may be of a packet that is sent again. */
static void forget_taken(ing_frags *frags, const ing_ip *ip) {
  const size_t n = frags->num_taken < ING_FRAGS_TAKEN ? frags->num_taken : ING_FRAGS_TAKEN;
  *frags->steps += n;
  for (size_t i = 0; i < n; i++) {
    if (same_id(&frags->taken[i].id, ip)) {
      frags->taken[i].id.family = 0;
    }
  }
}

/* Gives a set up that waited long: for a limit if it began with a fragment of one that had. */
static void age(ing_frags *frags, frag_set **slot) {
  if ((*slot)->late) {
    lose(frags, &(*slot)->ip, (*slot)->begun);
  }
  frags->aged[frags->num_aged++ % ING_FRAGS_AGED] = (*slot)->id;
  forget_taken(frags, &(*slot)->ip);
  frag_release(frags, slot);
}

/* Returns true if a packet with this identification was given up before, because it waited long. */
static bool was_aged(ing_frags *frags, const ing_ip *ip) {
  const size_t n = frags->num_aged < ING_FRAGS_AGED ? frags->num_aged : ING_FRAGS_AGED;
  *frags->steps += n;
  for (size_t i = 0; i < n; i++) {
    if (same_id(&frags->aged[i], ip)) {
      return true;
    }
  }
  return false;
}

/* --- Copies --- */

/* The place and the captured octets of a fragment in one number that cannot be predicted. */
static uint64_t digest_of(const ing_frags *frags, const ing_ip *ip) {
  const ing_span *body = &ip->body;
  uint64_t words[8] = {ip->offset, body->len, ip->more, body->cap};
  uint64_t digest = siphash_words(frags->key, words, 4);
  *frags->steps += body->cap / 8;
  for (size_t at = 0; at < body->cap; at += sizeof words - sizeof words[0]) {
    const size_t left = body->cap - at;
    const size_t room = sizeof words - sizeof words[0];
    memset(words, 0, sizeof words);
    words[0] = digest;
    memcpy(&words[1], body->data + at, left < room ? left : room);
    digest = siphash_words(frags->key, words, 8);
  }
  return digest;
}

/*
 * Returns true if a fragment of the packet was taken lately; with `digest` only if it was the
 * fragment with that digest.
 */
static bool was_taken(ing_frags *frags, const ing_ip *ip, const uint64_t *digest) {
  const size_t n = frags->num_taken < ING_FRAGS_TAKEN ? frags->num_taken : ING_FRAGS_TAKEN;
  *frags->steps += n;
  for (size_t i = 0; i < n; i++) {
    const frag_taken *t = &frags->taken[i];
    if ((digest == NULL || t->digest == *digest) && same_id(&t->id, ip)) {
      return true;
    }
  }
  return false;
}

static void note_taken(ing_frags *frags, const ing_ip *ip, uint64_t digest) {
  frags->taken[frags->num_taken++ % ING_FRAGS_TAKEN] =
      (frag_taken){.id = id_of(ip), .digest = digest};
}

void ing_frags_finish(ing_frags *frags) {
  for (size_t i = 0; i < ING_FRAGS_MAX; i++) {
    if (frags->set[i] != NULL && frags->set[i]->late) {
      lose(frags, &frags->set[i]->ip, frags->set[i]->begun);
    }
  }
}

/* --- Sets --- */

/* The slot of this packet; else an empty one, for which the one that began first may have to go.
 * Too old ones are given up. */
static frag_set **find_slot(ing_frags *frags, const ing_ip *ip, uint64_t now) {
  frag_set **best = &frags->set[0];
  for (size_t i = 0; i < ING_FRAGS_MAX; i++) {
    frag_set **slot = &frags->set[i];
    ++*frags->steps;
    if (*slot != NULL && now - (*slot)->since > ING_FRAGS_AGE) {
      age(frags, slot);
    }
    if (*slot != NULL && same_id(&(*slot)->id, ip)) {
      return slot;
    }
    if (*best != NULL && (*slot == NULL || (*slot)->since < (*best)->since)) {
      best = slot;
    }
  }
  if (*best != NULL) {
    lose(frags, &(*best)->ip, (*best)->begun);
    forget_taken(frags, &(*best)->ip);
    frag_release(frags, best);
  }
  return best;
}

/* The set of this packet, a new one if need be; NULL when there is no memory. */
static frag_set **need_set(ing_frags *frags, const ing_ip *ip, uint64_t now) {
  frag_set **slot = find_slot(frags, ip, now);
  if (*slot == NULL) {
    *slot = frags->alloc->get(frags->alloc->ctx, sizeof **slot);
    if (*slot == NULL) {
      lose(frags, ip, ip->offset == 0);
      return NULL;
    }
    memset(*slot, 0, offsetof(frag_set, data));
    *frags->steps += offsetof(frag_set, data) / 8;
    (*slot)->id = id_of(ip);
    (*slot)->ip = *ip;
    (*slot)->since = now;
    (*slot)->late = was_aged(frags, ip) || was_taken(frags, ip, NULL);
  }
  return slot;
}

/* ---- Copies that differ ---- */

static void note_piece(frag_set *set, size_t begin, size_t end, ingest_mark at) {
  if (set->num_pieces < FRAG_PIECES) {
    set->pieces[set->num_pieces++] = (frag_piece){begin, end, at};
  }
}

/* The packet that supplied the unit: the first one that has it. */
static ingest_mark frag_mark_of(const frag_set *set, size_t unit) {
  size_t i = 0; /* FRAG_PIECES steps at most, once for a set */
  while (i + 1 < set->num_pieces && (unit < set->pieces[i].begin || unit >= set->pieces[i].end)) {
    i++;
  }
  return set->pieces[i].at;
}

/* Widens the conflict of the set by the octets that differ among the unit's `len` octets. */
static void note_conflict(frag_set *set, size_t unit, const uint8_t *octets, size_t len,
                          ingest_mark at) {
  ing_conflict *x = &set->conflict;
  ing_difference d;
  ing_difference_of(&d, &set->data[unit * 8], octets, unit * 8, unit * 8 + len);
  if (x->end == 0) {
    *x = (ing_conflict){.begin = (size_t)d.pos, .first = frag_mark_of(set, unit), .second = at};
  }
  x->begin = d.pos < x->begin ? (size_t)d.pos : x->begin;
  x->end = d.end > x->end ? (size_t)d.end : x->end;
}

/* Keeps the second copy of a unit; further ones do not count. */
static void keep_other(ing_frags *frags, frag_set *set, size_t unit, const uint8_t octets[8]) {
  if (set->others == NULL) {
    set->others = frags->alloc->get(frags->alloc->ctx, sizeof *set->others);
    if (set->others == NULL) {
      return;
    }
    memset(set->others, 0, offsetof(frag_others, data));
    *frags->steps += offsetof(frag_others, data) / 8;
  }
  frag_others *o = set->others;
  if (!bit_get(o->held, unit)) {
    memcpy(&o->data[unit * 8], octets, 8);
    bit_set(o->held, unit);
    o->end = unit + 1 > o->end ? unit + 1 : o->end;
  }
}

bool ing_frags_swap(ing_frags *frags) {
  frag_set *set = frags->done;
  frag_others *o = set != NULL ? set->others : NULL;
  for (size_t unit = 0; o != NULL && unit < o->end; unit++) {
    if (bit_get(o->held, unit)) {
      uint8_t octets[8];
      memcpy(octets, &set->data[unit * 8], sizeof octets);
      memcpy(&set->data[unit * 8], &o->data[unit * 8], sizeof octets);
      memcpy(&o->data[unit * 8], octets, sizeof octets);
    }
  }
  *frags->steps += o != NULL ? o->end : 0;
  return o != NULL;
}

/* Copies the captured units that are new, and compares the others. */
static void add_captured(ing_frags *frags, frag_set *set, const ing_ip *ip, size_t units,
                         ingest_mark at) {
  for (size_t i = 0; i < units; i++) {
    const size_t unit = ip->offset / 8 + i;
    const size_t left = ip->body.len - i * 8;
    const size_t len = left < 8 ? left : 8;
    uint8_t octets[8] = {0};
    (void)ing_copy(&ip->body, i * 8, octets, len);
    if (!bit_get(set->held, unit)) {
      memcpy(&set->data[unit * 8], octets, sizeof octets);
      bit_set(set->held, unit);
    } else if (memcmp(&set->data[unit * 8], octets, len) != 0) {
      note_conflict(set, unit, octets, len, at);
      keep_other(frags, set, unit, octets);
    }
  }
}

/* Notes that the units from `unit` to `end` were on the wire, 64 at a time: there may be many more
 * than were captured. */
static void add_seen(ing_frags *frags, frag_set *set, size_t unit, size_t end) {
  while (unit < end) {
    uint64_t *word = &set->seen[unit / 64];
    const size_t stop = end - unit < 64 - unit % 64 ? end : unit + 64 - unit % 64;
    const uint64_t bits = UINT64_MAX >> (64 - (stop - unit)) << unit % 64;
    set->units += count_bits(bits & ~*word);
    *word |= bits;
    unit = stop;
    ++*frags->steps;
  }
}

/* A unit cut by the snapshot length counts as seen, not as held. */
static void add_units(ing_frags *frags, frag_set *set, const ing_ip *ip, ingest_mark at) {
  const ing_span *body = &ip->body;
  const size_t captured = body->cap == body->len ? (body->cap + 7) / 8 : body->cap / 8;
  note_piece(set, ip->offset / 8, ip->offset / 8 + captured, at);
  add_captured(frags, set, ip, captured, at);
  *frags->steps += body->cap;
  add_seen(frags, set, ip->offset / 8, (ip->offset + body->len + 7) / 8);
}

/* Offset of the first octet that was not captured. */
static size_t held_prefix(const frag_set *set) {
  size_t end = 0; /* no more steps than units were captured */
  while (end < set->total && bit_get(set->held, end / 8)) {
    end += 8;
  }
  return end < set->total ? end : set->total;
}

/* Hands the set out as one packet when nothing of it is missing. */
static bool complete(ing_frags *frags, frag_set **slot, ing_ip *ip, ing_conflict *conflict) {
  frag_set *set = *slot;
  if (set->units != (set->total + 7) / 8) { /* some octets are missing */
    return false;
  }
  *ip = set->ip;
  ip->body = (ing_span){.data = set->data, .cap = held_prefix(set), .len = set->total};
  *conflict = set->conflict;
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

/* Returns true if the fragment is a copy of a fragment whose packet was put together. */
static bool is_copy(ing_frags *frags, const ing_ip *ip, uint64_t digest) {
  for (size_t i = 0; i < ING_FRAGS_MAX; i++) {
    ++*frags->steps;
    if (frags->set[i] != NULL && same_id(&frags->set[i]->id, ip)) {
      return false;
    }
  }
  return was_taken(frags, ip, &digest);
}

bool ing_frags_add(ing_frags *frags, ing_ip *ip, uint64_t now, ingest_mark at,
                   ing_conflict *conflict) {
  const uint64_t digest = digest_of(frags, ip);
  frag_release(frags, &frags->done);
  if (is_copy(frags, ip, digest)) {
    return false;
  }
  frag_set **slot = need_set(frags, ip, now);
  if (slot == NULL || !fits(*slot, ip)) {
    return false;
  }
  note_taken(frags, ip, digest);
  frag_set *set = *slot;
  if (!ip->more) {
    set->total = ip->offset + ip->body.len;
  }
  if (ip->offset == 0) {
    set->ip.next = ip->next;
    set->begun = true;
  }
  set->ip.damaged = set->ip.damaged || ip->damaged;
  add_units(frags, set, ip, at);
  return complete(frags, slot, ip, conflict);
}

void ing_frags_free(ing_frags *frags) {
  if (frags == NULL) {
    return;
  }
  for (size_t i = 0; i < ING_FRAGS_MAX; i++) {
    frag_release(frags, &frags->set[i]);
  }
  frag_release(frags, &frags->done);
  frags->alloc->put(frags->alloc->ctx, frags, sizeof *frags);
}
