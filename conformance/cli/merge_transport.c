/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP connections without iWARP of all shards: lines of one kind are added up. */
#include "merge_transport.h"

#include <stdlib.h>

#include <memory/memory.h>

#include "diag.h"

/* ---- reading ---- */

/* Finds the parts of the line; false: it is not what a shard writes. */
static bool transport_read(merge_transport *x, json_text line) {
  static const char key[] = ",\"count\":";
  json_text value;
  json_text client;
  json_text state;
  const size_t n = sizeof key - 1;
  if (!json_member(&value, line, "packet") || !json_u64(&x->packet, value) ||
      !json_member(&value, line, "count") || !json_u64(&x->count, value) ||
      (size_t)(value.at - line.at) < n || memcmp(value.at - n, key, n) != 0 ||
      !json_member(&state, line, "state")) {
    return false;
  }
  x->len = (size_t)(value.at - line.at) - n;
  x->other = !json_member(&value, line, "client");
  if (x->other) {
    return true;
  }
  if (!json_string(&client, value) || state.at < client.at || state.at > line.at + x->len) {
    return false;
  }
  x->host_at = (size_t)(client.at - line.at);
  x->rest_at = x->host_at + client.len;
  for (x->host_len = client.len; x->host_len > 0 && client.at[x->host_len - 1] != ':';) {
    x->host_len--;
  }
  return true;
}

static bool transport_same(const char *a, size_t a_len, const char *b, size_t b_len) {
  return a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* Returns true if two lines are of one kind: all but the place and the client's port is equal. */
static bool transport_equal(const merge_transport *a, const merge_transport *b) {
  if (a->other || b->other) {
    return a->other && b->other;
  }
  return transport_same(a->text + a->host_at, a->host_len, b->text + b->host_at, b->host_len) &&
         transport_same(a->text + a->rest_at, a->len - a->rest_at, b->text + b->rest_at,
                        b->len - b->rest_at);
}

/* ---- collecting ---- */

static bool transport_join(merge_transports *t, merge_transport *x) {
  for (size_t i = 0; i < t->num; i++) {
    merge_transport *have = &t->of[i];
    if (transport_equal(have, x)) {
      const merge_transport before = *have;
      const bool first = x->packet < before.packet;
      *have = first ? *x : before;
      have->count = before.count + x->count;
      free(first ? before.text : x->text);
      return true;
    }
  }
  return false;
}

static bool transport_append(merge_transports *t, const merge_transport *x) {
  if (t->num == t->cap) {
    const size_t cap = t->cap > 0 ? t->cap * 2 : 16;
    merge_transport *grown = memory_resize(t->of, cap * sizeof *grown);
    if (grown == NULL) {
      return false;
    }
    t->of = grown;
    t->cap = cap;
  }
  t->of[t->num++] = *x;
  return true;
}

bool merge_transports_add(merge_transports *t, const merge_part *p) {
  merge_transport x = {.len = 0};
  if (!transport_read(&x, p->line.text)) {
    diag("%s: line %llu: not what check --shard writes", p->name, (unsigned long long)p->number);
    return false;
  }
  x.text = memory_get(x.len + 1);
  if (x.text == NULL) {
    diag("%s: out of memory", p->name);
    return false;
  }
  memcpy(x.text, p->line.text.at, x.len);
  t->at = p->line.at;
  if (!transport_join(t, &x) && !transport_append(t, &x)) {
    free(x.text);
    diag("%s: out of memory", p->name);
    return false;
  }
  return true;
}

/* ---- writing ---- */

static int transport_compare(const void *a, const void *b) {
  const merge_transport *x = a;
  const merge_transport *y = b;
  if (x->other != y->other) {
    return x->other ? 1 : -1;
  }
  return (x->packet > y->packet) - (x->packet < y->packet);
}

void merge_transports_write(merge_transports *t, out_buf *out) {
  if (t->num > 0) {
    qsort(t->of, t->num, sizeof t->of[0], transport_compare);
  }
  for (size_t i = 0; i < t->num; i++) {
    out_put(out, t->of[i].text, t->of[i].len);
    out_str(out, ",\"count\":");
    out_u64(out, t->of[i].count);
    out_str(out, "}\n");
    free(t->of[i].text);
  }
  t->num = 0;
}

void merge_transports_free(merge_transports *t) {
  for (size_t i = 0; i < t->num; i++) {
    free(t->of[i].text);
  }
  free(t->of);
}
