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
  json_text reason;
  const size_t n = sizeof key - 1;
  if (!json_member(&value, line, "packet") || !json_u64(&x->packet, value) ||
      !json_member(&value, line, "count") || !json_u64(&x->count, value) ||
      (size_t)(value.at - line.at) < n || memcmp(value.at - n, key, n) != 0 ||
      !json_member(&state, line, "state")) {
    return false;
  }
  x->len = (size_t)(value.at - line.at) - n;
  if (json_member(&reason, line, "diagnosis")) {
    x->reason_at = (size_t)(reason.at - line.at);
    x->reason_len = reason.len;
  }
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

/* Orders octets: the shorter ones come first. */
static int transport_order(const char *a, size_t a_len, const char *b, size_t b_len) {
  return a_len != b_len ? (a_len > b_len) - (a_len < b_len) : memcmp(a, b, a_len);
}

/* Orders lines by kind: a kind is all of a line but its place and the client's port. Lines for
 * connections of any kind are of one kind, which comes last. */
static int transport_kind(const merge_transport *a, const merge_transport *b) {
  if (a->other || b->other) {
    return (a->other ? 1 : 0) - (b->other ? 1 : 0);
  }
  const int host =
      transport_order(a->text + a->host_at, a->host_len, b->text + b->host_at, b->host_len);
  return host != 0 ? host
                   : transport_order(a->text + a->rest_at, a->len - a->rest_at,
                                     b->text + b->rest_at, b->len - b->rest_at);
}

static int transport_packet(const merge_transport *a, const merge_transport *b) {
  return (a->packet > b->packet) - (a->packet < b->packet);
}

/* The first line of each kind comes first. */
static int transport_by_kind(const void *a, const void *b) {
  const int kind = transport_kind(a, b);
  return kind != 0 ? kind : transport_packet(a, b);
}

static int transport_by_packet(const void *a, const void *b) {
  const merge_transport *x = a;
  const merge_transport *y = b;
  const int other = (x->other ? 1 : 0) - (y->other ? 1 : 0);
  return other != 0 ? other : transport_packet(x, y);
}

/* ---- collecting ---- */

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
  x.text = memory_get(x.len + x.reason_len + 1);
  if (x.text == NULL) {
    diag("%s: out of memory", p->name);
    return false;
  }
  memcpy(x.text, p->line.text.at, x.len);
  memcpy(x.text + x.len, p->line.text.at + x.reason_at, x.reason_len);
  t->at = p->line.at;
  if (!transport_append(t, &x)) {
    free(x.text);
    diag("%s: out of memory", p->name);
    return false;
  }
  return true;
}

/* ---- writing ---- */

/* Leaves the first line of each kind, with the count of all of them. */
static void transports_join(merge_transports *t) {
  size_t num = 0;
  qsort(t->of, t->num, sizeof t->of[0], transport_by_kind);
  for (size_t i = 0; i < t->num; i++) {
    if (num > 0 && transport_kind(&t->of[num - 1], &t->of[i]) == 0) {
      t->of[num - 1].count += t->of[i].count;
      free(t->of[i].text);
    } else {
      t->of[num++] = t->of[i];
    }
  }
  t->num = num;
  qsort(t->of, t->num, sizeof t->of[0], transport_by_packet);
}

void merge_transports_write(merge_transports *t, out_buf *out) {
  if (t->num > 0) {
    transports_join(t);
  }
  for (size_t i = 0; i < t->num; i++) {
    out_put(out, t->of[i].text, t->of[i].len);
    out_str(out, ",\"count\":");
    out_u64(out, t->of[i].count);
    out_str(out, t->of[i].reason_len > 0 ? ",\"diagnosis\":" : "");
    out_put(out, t->of[i].text + t->of[i].len, t->of[i].reason_len);
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
