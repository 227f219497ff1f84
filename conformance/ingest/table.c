/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of connections: found by both ends, ordered by age and by silence. */
#include <string.h>

#include "conn.h"

enum { BUCKETS_MIN = 64 };

static uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

static uint64_t hash_end(const ingest_addr *addr) {
  uint64_t half[2];
  memcpy(half, addr->ip, sizeof half);
  return mix(half[0] + mix(half[1] + ((uint64_t)addr->family << 16 | addr->port)));
}

/* The same for both directions. */
static size_t hash_pair(const ingest_addr *a, const ingest_addr *b) {
  return (size_t)mix(hash_end(a) + hash_end(b));
}

static bool is_pair(const ing_conn *conn, const ing_segment *seg) {
  const ingest_addr *addr = conn->addr;
  return (ing_addr_equal(&addr[0], &seg->src) && ing_addr_equal(&addr[1], &seg->dst)) ||
         (ing_addr_equal(&addr[1], &seg->src) && ing_addr_equal(&addr[0], &seg->dst));
}

static ing_conn **bucket_of(const ing_table *table, const ingest_addr *a, const ingest_addr *b) {
  return &table->bucket[hash_pair(a, b) & (table->buckets - 1)].first;
}

ing_conn *ing_table_find(const ing_table *table, const ing_segment *seg) {
  if (table->count == 0) {
    return NULL;
  }
  if (is_pair(table->freshest, seg)) {
    return table->freshest;
  }
  ing_conn *conn = *bucket_of(table, &seg->src, &seg->dst);
  while (conn != NULL && !is_pair(conn, seg)) {
    conn = conn->chain;
  }
  return conn;
}

/* When the bucket is too full its longest silent one; when the table is, a closed one, else the
 * longest silent. */
ing_conn *ing_table_victim(const ing_table *table, const ing_segment *seg) {
  if (table->count == 0) {
    return NULL;
  }
  size_t length = 0;
  ing_conn *last = *bucket_of(table, &seg->src, &seg->dst);
  for (ing_conn *conn = last; conn != NULL; conn = conn->chain) {
    length++;
    last = conn;
  }
  if (length >= ING_CHAIN_MAX) {
    return last; /* new ones and those heard of move to the front */
  }
  if (table->count < INGEST_CONNS_MAX) {
    return NULL;
  }
  return table->tombs.first != NULL ? table->tombs.first : table->stalest;
}

static void insert(ing_table *table, ing_conn *conn) {
  ing_conn **bucket = bucket_of(table, &conn->addr[0], &conn->addr[1]);
  conn->chain = *bucket;
  *bucket = conn;
}

/* Doubles the buckets; without memory for that the chains get longer, up to ING_CHAIN_MAX. */
static void grow(ing_table *table, const ingest_alloc *alloc) {
  size_t buckets = table->buckets == 0 ? BUCKETS_MIN : table->buckets * 2;
  ing_bucket *bucket = alloc->get(alloc->ctx, buckets * sizeof *bucket);
  if (bucket == NULL) {
    return;
  }
  for (size_t i = 0; i < buckets; i++) {
    bucket[i].first = NULL;
  }
  if (table->bucket != NULL) {
    alloc->put(alloc->ctx, table->bucket, table->buckets * sizeof *bucket);
  }
  table->bucket = bucket;
  table->buckets = buckets;
  for (ing_conn *conn = table->stalest; conn != NULL; conn = conn->fresher) {
    insert(table, conn);
  }
}

static void link_fresh(ing_table *table, ing_conn *conn) {
  conn->staler = table->freshest;
  conn->fresher = NULL;
  *(table->freshest != NULL ? &table->freshest->fresher : &table->stalest) = conn;
  table->freshest = conn;
}

static void unlink_fresh(ing_table *table, ing_conn *conn) {
  *(conn->staler != NULL ? &conn->staler->fresher : &table->stalest) = conn->fresher;
  *(conn->fresher != NULL ? &conn->fresher->staler : &table->freshest) = conn->staler;
}

static void unchain(ing_table *table, ing_conn *conn) {
  ing_conn **link = bucket_of(table, &conn->addr[0], &conn->addr[1]);
  while (*link != conn) {
    link = &(*link)->chain;
  }
  *link = conn->chain;
}

ing_conn *ing_table_add(ing_table *table, const ingest_alloc *alloc, const ing_segment *seg) {
  if (table->count >= table->buckets) {
    grow(table, alloc);
  }
  ing_conn *conn = table->buckets != 0 ? alloc->get(alloc->ctx, sizeof *conn) : NULL;
  if (conn == NULL) {
    return NULL;
  }
  memset(conn, 0, sizeof *conn);
  conn->addr[0] = seg->src;
  conn->addr[1] = seg->dst;
  conn->dir[0].fin = conn->dir[1].fin = ING_NONE;
  insert(table, conn);
  link_fresh(table, conn);
  conn->older = table->newest;
  *(table->newest != NULL ? &table->newest->newer : &table->oldest) = conn;
  table->newest = conn;
  table->count++;
  return conn;
}

void ing_table_remove(ing_table *table, const ingest_alloc *alloc, ing_conn *conn) {
  unchain(table, conn);
  unlink_fresh(table, conn);
  *(conn->older != NULL ? &conn->older->newer : &table->oldest) = conn->newer;
  *(conn->newer != NULL ? &conn->newer->older : &table->newest) = conn->older;
  if (conn->deadline != 0) {
    ing_fade_remove(conn->closed ? &table->tombs : &table->dying, conn);
  }
  table->count--;
  alloc->put(alloc->ctx, conn, sizeof *conn);
}

void ing_table_touch(ing_table *table, ing_conn *conn) {
  if (conn == table->freshest) {
    return;
  }
  unlink_fresh(table, conn);
  link_fresh(table, conn);
  unchain(table, conn);
  insert(table, conn);
}

void ing_table_free(ing_table *table, const ingest_alloc *alloc) {
  while (table->oldest != NULL) {
    ing_table_remove(table, alloc, table->oldest);
  }
  if (table->bucket != NULL) {
    alloc->put(alloc->ctx, table->bucket, table->buckets * sizeof *table->bucket);
    table->bucket = NULL;
  }
}

void ing_fade_add(ing_fade *fade, ing_conn *conn, uint64_t deadline) {
  conn->deadline = deadline;
  conn->fade_prev = fade->last;
  conn->fade_next = NULL;
  *(fade->last != NULL ? &fade->last->fade_next : &fade->first) = conn;
  fade->last = conn;
}

void ing_fade_remove(ing_fade *fade, ing_conn *conn) {
  *(conn->fade_prev != NULL ? &conn->fade_prev->fade_next : &fade->first) = conn->fade_next;
  *(conn->fade_next != NULL ? &conn->fade_next->fade_prev : &fade->last) = conn->fade_prev;
  conn->deadline = 0;
}
