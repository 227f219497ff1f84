/* SPDX-License-Identifier: BSD-2-Clause */
/* What associations are known by: keys of ports, tags and addresses, in one hash table. */
#include <string.h>

#include "siphash.h"

/* The macros of uthash find their allocator in a variable `s` of the function that uses them. */
#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) s->alloc.get(s->alloc.ctx, size)
#define uthash_free(ptr, size) s->alloc.put(s->alloc.ctx, ptr, size)

#include "sctp_priv.h"

enum { KEY_WORK = SCTP_KEY_LEN / 8 + 4 }; /* steps of one look-up */

static void put(uint8_t *out, uint32_t value, unsigned octets) {
  for (unsigned i = 0; i < octets; i++) {
    out[i] = (uint8_t)(value >> (8 * i));
  }
}

static void put_home(uint8_t out[1 + 16], const sctp_home *home) {
  if (home != NULL) {
    out[0] = home->family;
    memcpy(&out[1], home->ip, sizeof home->ip);
  }
}

sctp_key_octets ing_sctp_key(sctp_key_kind kind, const sctp_ends *ends, uint32_t tag,
                             const sctp_home *src, const sctp_home *dst) {
  sctp_key_octets key = {{0}};
  key.octets[0] = (uint8_t)kind;
  put(&key.octets[1], ends->src, 2);
  put(&key.octets[3], ends->dst, 2);
  put(&key.octets[5], tag, 4);
  put_home(&key.octets[9], src);
  put_home(&key.octets[9 + 17], dst);
  return key;
}

static unsigned hash_of(struct ing_sctp *s, const sctp_key_octets *key) {
  *s->steps += KEY_WORK;
  return (unsigned)ing_siphash(s->hash_key, key->octets, sizeof key->octets);
}

static sctp_key *find_key(struct ing_sctp *s, const sctp_key_octets *key, unsigned hash) {
  sctp_key *found = NULL;
  HASH_FIND_BYHASHVALUE(hh, s->keys, key->octets, sizeof key->octets, hash, found);
  return found;
}

const sctp_member *ing_sctp_key_find(struct ing_sctp *s, const sctp_key_octets *key) {
  const sctp_key *found = find_key(s, key, hash_of(s, key));
  return found != NULL ? found->first : NULL;
}

static sctp_key *make_key(struct ing_sctp *s, const sctp_key_octets *key, unsigned hash) {
  sctp_key *made = s->alloc.get(s->alloc.ctx, sizeof *made);
  if (made == NULL) {
    return NULL;
  }
  memset(made, 0, sizeof *made);
  made->key = *key;
  HASH_ADD_KEYPTR_BYHASHVALUE(hh, s->keys, made->key.octets, sizeof made->key.octets, hash, made);
  if (made->hh.tbl == NULL) { /* no memory for it */
    s->alloc.put(s->alloc.ctx, made, sizeof *made);
    return NULL;
  }
  return made;
}

static void drop_key(struct ing_sctp *s, sctp_key *key) {
  HASH_DELETE(hh, s->keys, key);
  s->alloc.put(s->alloc.ctx, key, sizeof *key);
}

sctp_member *ing_sctp_key_add(struct ing_sctp *s, sctp_assoc *a, unsigned side,
                              const sctp_key_octets *octets) {
  const unsigned hash = hash_of(s, octets);
  sctp_member *m = s->alloc.get(s->alloc.ctx, sizeof *m);
  sctp_key *key = find_key(s, octets, hash);
  if (m != NULL && key == NULL) {
    key = make_key(s, octets, hash);
  }
  if (m == NULL || key == NULL) {
    if (m != NULL) {
      s->alloc.put(s->alloc.ctx, m, sizeof *m);
    }
    return NULL;
  }
  *m = (sctp_member){
      .key = key, .assoc = a, .side = (uint8_t)side, .next = key->first, .more = a->members};
  if (key->first != NULL) {
    key->first->prev = m;
  }
  key->first = m;
  if (a->members != NULL) {
    a->members->less = m;
  }
  a->members = m;
  return m;
}

void ing_sctp_key_drop(struct ing_sctp *s, sctp_member *m) {
  sctp_key *key = m->key;
  ++*s->steps;
  *(m->prev != NULL ? &m->prev->next : &key->first) = m->next;
  if (m->next != NULL) {
    m->next->prev = m->prev;
  }
  *(m->less != NULL ? &m->less->more : &m->assoc->members) = m->more;
  if (m->more != NULL) {
    m->more->less = m->less;
  }
  s->alloc.put(s->alloc.ctx, m, sizeof *m);
  if (key->first == NULL) {
    drop_key(s, key);
  }
}
