/* SPDX-License-Identifier: BSD-2-Clause */
/* What a connection holds back: letting go of it, and how much is too much. */
#include "conn.h"

/* Takes the first block out; it stays readable until the next event, since the last one may point
 * into it. */
static void drop_first(ingest *ing, ing_conn *conn, ing_reassembly *list) {
  ing_block *block = ing_reassembly_pop(list);
  conn->held->size -= ing_block_size(block);
  block->next[0] = ing->spent;
  ing->spent = block;
}

void ing_settle(ingest *ing, ing_conn *conn, unsigned side, bool by_good) {
  ing_dir *d = &conn->dir[side];
  ing_held *held = conn->held;
  if (held == NULL) {
    return;
  }
  while (held->good[side].head[0] != NULL && ing_block_end(held->good[side].head[0]) <= d->next) {
    drop_first(ing, conn, &held->good[side]);
  }
  for (const ing_block *b;
       (b = held->suspect[side].head[0]) != NULL && ing_block_end(b) <= d->next;) {
    d->bad_replaced = d->bad_replaced || by_good;
    drop_first(ing, conn, &held->suspect[side]);
  }
  for (const ing_block *b;
       (b = held->snapped[side].head[0]) != NULL && (b->pos <= d->next || b->pos <= d->snapped);) {
    d->snapped = ing_block_end(b) > d->snapped ? ing_block_end(b) : d->snapped;
    drop_first(ing, conn, &held->snapped[side]);
  }
}

void ing_drop_suspects(ingest *ing, ing_conn *conn, unsigned side) {
  while (conn->held != NULL && conn->held->suspect[side].head[0] != NULL) {
    drop_first(ing, conn, &conn->held->suspect[side]);
  }
}

void ing_purge(ingest *ing, ing_conn *conn, unsigned side) {
  ing_held *held = conn->held;
  ing_drop_suspects(ing, conn, side);
  while (held != NULL && held->good[side].head[0] != NULL) {
    drop_first(ing, conn, &held->good[side]);
  }
  while (held != NULL && held->snapped[side].head[0] != NULL) {
    drop_first(ing, conn, &held->snapped[side]);
  }
}

void ing_reopen_free(ingest *ing, ing_reopen **r) {
  while (*r != NULL) {
    ing_reopen *rest = (*r)->rest;
    ing->alloc.put(ing->alloc.ctx, *r, sizeof **r);
    *r = rest;
  }
}

void ing_reassembly_free(ingest *ing, ing_conn *conn) {
  if (conn->held != NULL) {
    ing_purge(ing, conn, 0);
    ing_purge(ing, conn, 1);
    ing_reopen_free(ing, &conn->held->reopen);
    ing->alloc.put(ing->alloc.ctx, conn->held, sizeof *conn->held);
    conn->held = NULL;
  }
}

bool ing_too_much(const ingest *ing, const ing_conn *conn) {
  const ing_held *held = conn->held;
  return held != NULL && held->size != 0 &&
         (held->size > INGEST_HELD_MAX || ing->budget.all > ING_HELD_ALL_MAX);
}
