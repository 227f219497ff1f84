/* SPDX-License-Identifier: BSD-2-Clause */
/* Two tables, from records to frames and from frames to records. */
#include "records.h"

typedef struct records_table {
  guint32 *of;
  guint32 cap;
} records_table;

/* Both are empty as long as each frame has the number of its record: `spread` is false. */
static records_table frame_of;  /* frames, by record */
static records_table record_of; /* records, by frame */
static bool spread;
static guint32 num; /* records */

static guint32 records_get(const records_table *t, guint32 at) {
  return at < t->cap ? t->of[at] : 0;
}

static void records_set(records_table *t, guint32 at, guint32 value) {
  if (at >= t->cap) {
    const guint32 cap = MAX(at + 1, t->cap * 2);
    t->of = g_renew(guint32, t->of, cap);
    memset(t->of + t->cap, 0, (cap - t->cap) * sizeof *t->of);
    t->cap = cap;
  }
  t->of[at] = value;
}

static void records_spread(void) {
  for (guint32 i = 1; i <= num && !spread; i++) {
    records_set(&frame_of, i, i);
    records_set(&record_of, i, i);
  }
  spread = true;
}

guint32 records_add(guint32 frame) {
  if (!spread && frame == num + 1) {
    return ++num;
  }
  records_spread();
  records_drop(frame);
  num++;
  records_set(&frame_of, num, frame);
  records_set(&record_of, frame, num);
  return num;
}

void records_drop(guint32 frame) {
  const guint32 record = records_of(frame);
  if (record != 0) {
    records_spread();
    records_set(&frame_of, record, 0);
    records_set(&record_of, frame, 0);
  }
}

guint32 records_of(guint32 frame) {
  if (!spread) {
    return frame <= num ? frame : 0;
  }
  return records_get(&record_of, frame);
}

guint32 records_frame(guint32 record) {
  if (!spread) {
    return record <= num ? record : 0;
  }
  return records_get(&frame_of, record);
}

void records_show(proto_tree *tree, int hf, guint32 record) {
  const guint32 frame = records_frame(record);
  if (frame != 0) {
    proto_item_set_generated(proto_tree_add_uint(tree, hf, NULL, 0, 0, frame));
  }
}

void records_forget(void) {
  g_free(frame_of.of);
  g_free(record_of.of);
  frame_of = record_of = (records_table){NULL, 0};
  spread = false;
  num = 0;
}
