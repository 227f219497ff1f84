/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of connections: found by both ends, ordered by age and by silence. */
#include <string.h>

#include "base/siphash.h"
#include "conn.h"

/* uthash takes its memory through the current table, and what it cannot get is no catastrophe. */
#define uthash_malloc(size) table->alloc->get(table->alloc->ctx, (size))
#define uthash_free(ptr, size) table->alloc->put(table->alloc->ctx, (ptr), (size))
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/*
 * Buckets double when the number of connections for each reaches LOAD_MAX, however long a chain is.
 * So the key changes neither the size nor the time of an allocation. The hash cannot be
 * predicted, so no chain is much longer.
 */
enum { LOAD_MAX = 4 };

/* Shift of the lane in the key of a twin, with a bit above it. The family has three bits below. */
enum { TWIN_SHIFT = 35 };
#define TWIN_BIT (UINT32_C(1) << 28)

/* The ends of a connection, the lower one first: the same for both directions. */
typedef struct ends {
  uint64_t word[5];
} ends;

/* A connection and its place in the table. */
struct ing_entry {
  ing_conn conn; /* first: a pointer to it is one to the entry */
  ends key;
  UT_hash_handle hh;
};

static struct ing_entry *entry_of(ing_conn *conn) {
  return (struct ing_entry *)(void *)conn;
}

/* The lane is 0 for the first connection between two ends. */
static ends make_ends(const ingest_addr *a, const ingest_addr *b, uint32_t lane) {
  const int order = memcmp(a->ip, b->ip, sizeof a->ip);
  const bool swap = order > 0 || (order == 0 && a->port > b->port);
  const ingest_addr *low = swap ? b : a;
  const ingest_addr *high = swap ? a : b;
  ends e;
  memcpy(&e.word[0], low->ip, sizeof low->ip);
  memcpy(&e.word[2], high->ip, sizeof high->ip);
  e.word[4] = (uint64_t)lane << TWIN_SHIFT | (uint64_t)low->family << 32 |
              (uint64_t)low->port << 16 | high->port;
  return e;
}

static unsigned hash_of(const ing_table *table, const ends *key) {
  return (unsigned)siphash_words(table->hash_key, key->word, sizeof key->word / 8);
}

static bool is_pair(const ing_conn *conn, const ing_segment *seg) {
  const ingest_addr *addr = conn->addr;
  return (ing_addr_equal(&addr[0], &seg->src) && ing_addr_equal(&addr[1], &seg->dst)) ||
         (ing_addr_equal(&addr[1], &seg->src) && ing_addr_equal(&addr[0], &seg->dst));
}

/* The key of the twin for the lane of the segment: of the lane as many bits as there is room for.
 */
static uint32_t twin_lane(const ing_segment *seg) {
  return (seg->lane & (TWIN_BIT - 1u)) | TWIN_BIT;
}

static ing_conn *find(const ing_table *table, const ing_segment *seg, uint32_t lane) {
  const ends key = make_ends(&seg->src, &seg->dst, lane);
  const unsigned hash = hash_of(table, &key);
  const UT_hash_table *hashed = table->first->hh.tbl;
  *table->steps += hashed->buckets[hash & (hashed->num_buckets - 1)].count;
  struct ing_entry *found;
  HASH_FIND_BYHASHVALUE(hh, table->first, &key, sizeof key, hash, found);
  return found != NULL ? &found->conn : NULL;
}

ing_conn *ing_table_find(const ing_table *table, const ing_segment *seg) {
  if (table->count == 0) {
    return NULL;
  }
  ++*table->steps;
  for (unsigned i = 0; i < 2; i++) {
    ing_conn *newest = i == 0 ? table->both.newest : table->lone.newest;
    if (newest != NULL && is_pair(newest, seg) && ing_lanes_has(newest, seg->lane)) {
      return newest;
    }
  }
  return find(table, seg, 0);
}

ing_conn *ing_table_find_twin(const ing_table *table, const ing_segment *seg) {
  return find(table, seg, twin_lane(seg));
}

ing_conn *ing_table_evictee(const ing_table *table) {
  if (table->count < table->max) {
    return NULL;
  }
  return ing_table_silent(table);
}

ing_conn *ing_table_silent(const ing_table *table) {
  if (table->closed_list.first != NULL) {
    return table->closed_list.first;
  }
  return table->lone.oldest != NULL ? table->lone.oldest : table->both.oldest;
}

ing_conn *ing_table_oldest(const ing_table *table) {
  return table->first != NULL ? &table->first->conn : NULL;
}

static ing_order *order_of(ing_table *table, const ing_conn *conn) {
  return conn->sides == ING_BOTH ? &table->both : &table->lone;
}

static void lru_link(ing_table *table, ing_conn *conn) {
  ing_order *order = order_of(table, conn);
  conn->older = order->newest;
  conn->newer = NULL;
  *(order->newest != NULL ? &order->newest->newer : &order->oldest) = conn;
  order->newest = conn;
}

static void lru_unlink(ing_table *table, ing_conn *conn) {
  ing_order *order = order_of(table, conn);
  *(conn->older != NULL ? &conn->older->newer : &order->oldest) = conn->newer;
  *(conn->newer != NULL ? &conn->newer->older : &order->newest) = conn->older;
}

/* Doubles the buckets when it is time for that; false when there is no memory. */
static bool make_room(ing_table *table) {
  bool refused = false;
  if (table->first == NULL) {
    return true;
  }
  UT_hash_table *hashed = table->first->hh.tbl;
  if (table->count < (size_t)hashed->num_buckets * LOAD_MAX) {
    return true;
  }
  *table->steps += table->count;
  HASH_EXPAND_BUCKETS(hh, hashed, refused);
  return !refused;
}

/* Puts the entry into the table; false when there is no memory. */
static bool insert(ing_table *table, struct ing_entry *entry) {
  if (!make_room(table)) {
    return false;
  }
  const unsigned hash = hash_of(table, &entry->key);
  HASH_ADD_BYHASHVALUE(hh, table->first, key, sizeof entry->key, hash, entry);
  if (entry->hh.tbl == NULL) {
    return false;
  }
  entry->hh.tbl->noexpand = 1; /* the table does not grow by itself */
  return true;
}

/* Makes the connection a twin of the other one. */
static void twin_join(ing_conn *conn, ing_conn *beside) {
  ing_conn *last = beside->twin_prev != NULL ? beside->twin_prev : beside;
  last->twin_next = conn;
  conn->twin_prev = last;
  conn->twin_next = beside;
  beside->twin_prev = conn;
}

/* Ends that. */
static void twin_leave(ing_conn *conn) {
  ing_conn *prev = conn->twin_prev;
  ing_conn *next = conn->twin_next;
  if (prev == NULL) {
    return;
  }
  prev->twin_next = next != prev ? next : NULL;
  next->twin_prev = prev != next ? prev : NULL;
}

ing_conn *ing_table_add(ing_table *table, const ing_segment *seg, ing_conn *beside) {
  struct ing_entry *entry = table->alloc->get(table->alloc->ctx, sizeof *entry);
  if (entry == NULL) {
    return NULL;
  }
  memset(entry, 0, sizeof *entry);
  *table->steps += sizeof *entry / 8;
  entry->key = make_ends(&seg->src, &seg->dst, beside != NULL ? twin_lane(seg) : 0);
  if (!insert(table, entry)) {
    table->alloc->put(table->alloc->ctx, entry, sizeof *entry);
    return NULL;
  }
  ing_conn *conn = &entry->conn;
  conn->addr[0] = seg->src;
  conn->addr[1] = seg->dst;
  conn->dir[0].fin = conn->dir[1].fin = ING_NONE;
  ing_lanes_add(conn, seg->lane);
  if (beside != NULL) {
    twin_join(conn, beside);
    table->num_twins++;
  }
  lru_link(table, conn);
  table->count++;
  return conn;
}

/* What `side` sends in the lane, as a place has it. */
static ing_way way_make(const ing_conn *conn, unsigned side, uint32_t lane) {
  const ingest_addr *from = &conn->addr[side];
  const ingest_addr *to = &conn->addr[side ^ 1u];
  const uint8_t ports[4] = {(uint8_t)(from->port >> 8), (uint8_t)from->port,
                            (uint8_t)(to->port >> 8), (uint8_t)to->port};
  uint8_t hosts[8];
  ing_way way = {.lane = lane, .side = side};
  memcpy(hosts, from->ip, 4);
  memcpy(hosts + 4, to->ip, 4);
  memcpy(&way.hosts, hosts, sizeof way.hosts);
  memcpy(&way.ports, ports, sizeof way.ports);
  return way;
}

void ing_table_keep_way(ing_table *table, ing_conn *conn, unsigned side, uint32_t lane) {
  if (conn->addr[side].family == 4 && ing_lanes_has(conn, lane)) {
    ing_way way = way_make(conn, side, lane);
    way.conn = conn;
    *ing_table_way(table, way.hosts, way.ports, lane) = way;
  }
}

void ing_table_forget_ways(ing_table *table, const ing_conn *conn, uint32_t lane) {
  for (unsigned side = 0; side < 2; side++) {
    const ing_way gone = way_make(conn, side, lane);
    ing_way *way = ing_table_way(table, gone.hosts, gone.ports, lane);
    way->conn = way->conn == conn ? NULL : way->conn;
  }
}

void ing_table_remove(ing_table *table, ing_conn *conn) {
  struct ing_entry *entry = entry_of(conn);
  for (size_t i = 0; i < conn->num_lanes; i++) {
    ing_table_forget_ways(table, conn, conn->lane[i]);
  }
  twin_leave(conn);
  table->num_twins -= entry->key.word[4] >> TWIN_SHIFT != 0 ? 1u : 0u;
  HASH_DELETE(hh, table->first, entry);
  lru_unlink(table, conn);
  if (conn->deadline != 0) {
    ing_fade_remove(conn->closed ? &table->closed_list : &table->dying, conn);
  }
  ing_recents_free(&conn->recents, table->alloc);
  if (conn->ends.stalls != NULL) {
    table->alloc->put(table->alloc->ctx, conn->ends.stalls, sizeof *conn->ends.stalls);
  }
  table->count--;
  table->alloc->put(table->alloc->ctx, entry, sizeof *entry);
}

ingest_stalls *ing_table_stalls(const ing_table *table, ing_conn *conn) {
  if (conn->ends.stalls == NULL) {
    conn->ends.stalls = table->alloc->get(table->alloc->ctx, sizeof *conn->ends.stalls);
    if (conn->ends.stalls != NULL) {
      *conn->ends.stalls = (ingest_stalls){0};
    }
  }
  return conn->ends.stalls;
}

ING_NOINLINE void ing_table_renew(ing_table *table, ing_conn *conn, uint8_t sides) {
  lru_unlink(table, conn);
  conn->sides = sides & 3u; /* ING_BOTH */
  lru_link(table, conn);
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
