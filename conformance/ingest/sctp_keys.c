/* SPDX-License-Identifier: BSD-2-Clause */
/* What associations are known by: keys of ports, tags and addresses, in one hash table. */
#include <string.h>

#include "base/siphash.h"

/* The macros of uthash find their allocator in a variable `s` of the function that uses them. */
#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) s->alloc.get(s->alloc.ctx, size)
#define uthash_free(ptr, size) s->alloc.put(s->alloc.ctx, ptr, size)

#include "sctp_priv.h"

/* Buckets double when there are so many keys for each, counted, not when a chain is long: so what
 * memory is asked for, and when, does not depend on the hash key. */
enum { LOAD_MAX = 4 };

sctp_key_words ing_sctp_key(sctp_key_kind kind, const sctp_ends *ends, uint32_t tag,
                            const sctp_home *src, const sctp_home *dst) {
  sctp_key_words key = {{0}};
  key.word[0] = (uint64_t)ends->src << 48 | (uint64_t)ends->dst << 32 | tag;
  key.word[1] = (uint64_t)kind;
  if (src != NULL) {
    key.word[1] |= (uint64_t)src->family << 8;
    memcpy(&key.word[2], src->ip, sizeof src->ip);
  }
  if (dst != NULL) {
    key.word[1] |= (uint64_t)dst->family << 16;
    memcpy(&key.word[4], dst->ip, sizeof dst->ip);
  }
  return key;
}

static unsigned hash_of(struct ing_sctp *s, const sctp_key_words *key) {
  *s->steps += SCTP_KEY_WORDS;
  return (unsigned)siphash_words(s->hash_key, key->word, SCTP_KEY_WORDS);
}

static sctp_key *find_key(struct ing_sctp *s, const sctp_key_words *key, unsigned hash) {
  sctp_key *found = NULL;
  if (s->keys != NULL) {
    const UT_hash_table *table = s->keys->hh.tbl;
    *s->steps += table->buckets[hash & (table->num_buckets - 1)].count;
    HASH_FIND_BYHASHVALUE(hh, s->keys, key->word, sizeof key->word, hash, found);
  }
  return found;
}

const sctp_member *ing_sctp_key_find(struct ing_sctp *s, const sctp_key_words *key) {
  const sctp_key *found = find_key(s, key, hash_of(s, key));
  return found != NULL ? found->first : NULL;
}

/* Doubles the buckets when it is time for that; false when there is no memory. */
static bool make_room(struct ing_sctp *s) {
  bool refused = false;
  UT_hash_table *table = s->keys != NULL ? s->keys->hh.tbl : NULL;
  if (table == NULL || table->num_items < table->num_buckets * LOAD_MAX) {
    return true;
  }
  *s->steps += table->num_items;
  HASH_EXPAND_BUCKETS(hh, table, refused);
  return !refused;
}

static sctp_key *make_key(struct ing_sctp *s, const sctp_key_words *key, unsigned hash) {
  sctp_key *made = make_room(s) ? s->alloc.get(s->alloc.ctx, sizeof *made) : NULL;
  if (made == NULL) {
    return NULL;
  }
  memset(made, 0, sizeof *made);
  made->key = *key;
  HASH_ADD_KEYPTR_BYHASHVALUE(hh, s->keys, made->key.word, sizeof made->key.word, hash, made);
  if (made->hh.tbl == NULL) { /* no memory for it */
    s->alloc.put(s->alloc.ctx, made, sizeof *made);
    return NULL;
  }
  made->hh.tbl->noexpand = 1; /* the table does not grow by itself */
  return made;
}

static void drop_key(struct ing_sctp *s, sctp_key *key) {
  HASH_DELETE(hh, s->keys, key);
  s->alloc.put(s->alloc.ctx, key, sizeof *key);
}

sctp_member *ing_sctp_key_add(struct ing_sctp *s, sctp_assoc *a, unsigned side,
                              const sctp_key_words *words) {
  const unsigned hash = hash_of(s, words);
  sctp_member *m = s->alloc.get(s->alloc.ctx, sizeof *m);
  sctp_key *key = find_key(s, words, hash);
  if (m != NULL && key == NULL) {
    key = make_key(s, words, hash);
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
