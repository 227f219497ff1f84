/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine: the octets that are handed out, and those that the transport took. */
#include "../base/minmax.h"
#include "../base/span.h"
#include "state.h"

/* The octets that one call hands out. */
typedef struct tx_out_list {
  iwarp_tx_batch *batch;
  iwarp_tx_out all;     /* written so far */
  iwarp_tx_out segment; /* the part of `all` in the last segment */
  bool framing;         /* the last span is framing; more framing may join it */
  size_t skip;          /* octets handed out before, which are left out */
  bool full;            /* no room for an FPDU or its framing until the transport takes octets */
  uint32_t first;       /* the first FPDU in it */
  tx_walk walk;         /* place in the first FPDU where the list begins */
} tx_out_list;

static void tx_out_count_fpdu(tx_out_list *list) {
  list->all.num_fpdus++;
  list->segment.num_fpdus++;
}

static void tx_out_count(tx_out_list *list, size_t num_spans, size_t len) {
  list->all.num_spans += num_spans;
  list->all.len += len;
  list->segment.num_spans += num_spans;
  list->segment.len += len;
}

/*
 * Adds a run; false when there is no span for it. Framing that follows framing lies next to it,
 * unless the ring begins again between them.
 */
static bool tx_out_add(tx_out_list *list, iwarp_span run, bool framing) {
  const iwarp_tx_batch *b = list->batch;
  const size_t num = list->all.num_spans;
  if (framing && list->framing && span_joins(b->spans[num - 1], run)) {
    b->spans[num - 1].len += run.len;
    tx_out_count(list, 0, run.len);
    return true;
  }
  if (num == b->max_spans) {
    return false;
  }
  b->spans[num] = run;
  list->framing = framing;
  tx_out_count(list, 1, run.len);
  return true;
}

/* Octets that may still be copied. */
static size_t tx_out_room(const tx_out_list *list) {
  return list->batch->max_copy - list->all.len;
}

/* The place in `copy` for the whole FPDU that is to be made; NULL: no room, or no `copy`. */
static uint8_t *tx_out_copy_to(const tx_out_list *list, const tx_fpdu *plan) {
  uint8_t *copy = list->batch->copy;
  return copy != NULL && plan->layout.wire_len <= tx_out_room(list) ? copy + list->all.len : NULL;
}

static bool tx_out_add_runs(tx_out_list *list, const iwarp_tx *tx, const tx_fpdu *f, tx_walk walk) {
  while (walk.at < f->layout.wire_len) {
    bool framing;
    const iwarp_span run = iwarpi_tx_run(tx, f, &walk, SIZE_MAX, &framing);
    if (!tx_out_add(list, run, framing)) {
      return false;
    }
  }
  tx_out_count_fpdu(list);
  return true;
}

/* Copies an FPDU from `walk` on. If it does not fit, a part is copied only of the first FPDU. */
static bool tx_out_add_copy(tx_out_list *list, const iwarp_tx *tx, const tx_fpdu *f, tx_walk walk,
                            bool first) {
  const size_t left = f->layout.wire_len - walk.at;
  const size_t room = tx_out_room(list);
  const bool fits = left <= room;
  if (fits || first) {
    const size_t n = fits ? left : room;
    wr w = wr_of(list->batch->copy, list->batch->max_copy, list->batch->max_copy);
    wr_take(&w, list->all.len);
    iwarpi_tx_copy(&w, tx, f, &walk, walk.at + n);
    tx_out_count(list, 0, n);
  }
  if (fits) {
    tx_out_count_fpdu(list);
  }
  return fits;
}

/* Adds FPDU `i`; the first one from where the list begins. If the spans do not hold it, a part is
 * added only of the first FPDU. */
static bool tx_out_add_fpdu(tx_out_list *list, const iwarp_tx *tx, uint32_t i) {
  const tx_fpdu *f = tx_fpdu_at(tx, i);
  const bool first = i == list->first;
  const tx_walk walk = first ? list->walk : iwarpi_tx_walk(f);
  if (list->batch->copy != NULL) {
    return tx_out_add_copy(list, tx, f, walk, first);
  }
  if (first) {
    return tx_out_add_runs(list, tx, f, walk);
  }
  const tx_out_list before = *list;
  iwarp_span *last = &list->batch->spans[before.all.num_spans - 1];
  const size_t last_len = last->len;
  if (!tx_out_add_runs(list, tx, f, walk)) {
    *list = before;
    last->len = last_len;
    return false;
  }
  return true;
}

/* Ends the description of the segment; `end`: no more octets of the segment follow. */
static void tx_out_close(tx_out_list *list, bool end) {
  iwarp_tx_batch *b = list->batch;
  list->segment.segment_end = end;
  list->all.segment_end = end;
  if (b->segments != NULL) {
    b->segments[b->num_segments] = list->segment;
    list->framing = false; /* a span lies in one segment */
  }
  b->num_segments++;
  list->segment = (iwarp_tx_out){0};
}

static bool tx_out_full(const iwarp_tx_batch *b) {
  return b->max_segments > 0 && b->num_segments == b->max_segments;
}

/* Makes the FPDU that was planned, and adds it. */
static bool tx_out_make(tx_out_list *list, iwarp_tx *tx, const tx_fpdu *plan, uint32_t line) {
  const uint32_t i = tx->num_fpdus;
  uint8_t *copy = tx_out_copy_to(list, plan);
  if (list->batch->copy != NULL && copy == NULL && i > list->first) {
    return false; /* the FPDU does not fit */
  }
  if (!iwarpi_tx_make(tx, plan, line, copy)) {
    list->full = i > 0; /* else the pool has no memory */
    return false;
  }
  if (i == list->first) {
    list->walk = iwarpi_tx_walk(tx_fpdu_at(tx, i));
  }
  if (copy == NULL) {
    return tx_out_add_fpdu(list, tx, i);
  }
  tx_out_count(list, 0, plan->layout.wire_len);
  tx_out_count_fpdu(list);
  return true;
}

/* Finds where the list begins: after `skip` of the octets that were handed out. */
static void tx_out_seek(tx_out_list *list, const iwarp_tx *tx) {
  size_t skip = list->skip;
  tx_walk walk = tx->walk;
  uint32_t i = 0;
  for (; i < tx->num_fpdus && skip >= tx_fpdu_at(tx, i)->layout.wire_len - walk.at; i++) {
    skip -= tx_fpdu_at(tx, i)->layout.wire_len - walk.at;
    walk.at = 0;
  }
  list->first = i;
  if (i < tx->num_fpdus) { /* else it is to be made */
    list->walk = i == 0 ? walk : iwarpi_tx_walk(tx_fpdu_at(tx, i));
    while (skip > 0) {
      bool framing;
      skip -= iwarpi_tx_run(tx, tx_fpdu_at(tx, i), &list->walk, skip, &framing).len;
    }
  }
}

/*
 * Fills the list, FPDU by FPDU. An FPDU is made only when all FPDUs before it are in the list. So
 * at most one FPDU is made and not handed out, because the spans do not hold it. False if there is
 * nothing to send.
 */
static bool tx_out_fill(tx_out_list *list, iwarp_tx *tx) {
  bool any = false;
  bool more = true;
  for (uint32_t i = list->first; more; i++) {
    tx_fpdu plan;
    uint32_t line;
    const bool make = i == tx->num_fpdus;
    more = !make ||
           iwarpi_tx_plan(tx, &plan, &line); /* the plan decides if FPDU i - 1 ends its segment */
    any = any || more;
    if (i > list->first && tx_fpdu_at(tx, i - 1)->segment_end) {
      tx_out_close(list, true);
    }
    more = more && !tx_out_full(list->batch) &&
           (make ? tx_out_make(list, tx, &plan, line) : tx_out_add_fpdu(list, tx, i));
  }
  if (list->segment.len > 0) {
    tx_out_close(list, false);
  }
  return any;
}

iwarp_err iwarp_tx_next_batch(iwarp_tx *tx, iwarp_tx_batch *batch) {
  if (batch->segments != NULL && batch->max_segments == 0) {
    return IWARP_ERR_ARG;
  }
  tx_out_list list = {.batch = batch};
  batch->num_segments = 0;
  list.skip = size_min(batch->skip, tx->offered);
  tx_out_seek(&list, tx);
  const bool any = tx_out_fill(&list, tx);
  if (list.all.len == 0) {
    return any && !list.full ? IWARP_ERR_NOBUF : IWARP_ERR_END;
  }
  if (list.skip + list.all.len > tx->offered) {
    tx->offered = list.skip + list.all.len;
  }
  batch->all = list.all;
  return IWARP_OK;
}

iwarp_err iwarp_tx_next_output(iwarp_tx *tx, iwarp_span *spans, size_t cap, iwarp_tx_out *out) {
  iwarp_tx_batch batch = {.spans = spans, .max_spans = cap, .segments = out, .max_segments = 1};
  return iwarp_tx_next_batch(tx, &batch);
}

/* ---- taken ---- */

/* The transport took the first FPDU. */
static void tx_out_pop(iwarp_tx *tx) {
  const tx_fpdu *f = tx_fpdu_at(tx, 0);
  if (f->ends) {
    iwarpi_tx_end(tx, f->msg);
  }
  tx->first_fpdu = ring_index(tx->first_fpdu, 1, tx->max_fpdus);
  tx->num_fpdus--;
  if (tx->num_fpdus > 0) {
    tx->walk = iwarpi_tx_walk(tx_fpdu_at(tx, 0));
  }
}

/* Moves over at most `len` octets of the first FPDU, and returns how many. */
static size_t tx_out_take(iwarp_tx *tx, size_t len) {
  const tx_fpdu *f = tx_fpdu_at(tx, 0);
  const size_t left = f->layout.wire_len - tx->walk.at;
  if (len < left) {
    bool framing;
    return iwarpi_tx_run(tx, f, &tx->walk, len, &framing).len;
  }
  tx_out_pop(tx);
  return left;
}

iwarp_err iwarp_tx_advance(iwarp_tx *tx, size_t len) {
  if (len > tx->offered) {
    return IWARP_ERR_ARG;
  }
  tx->offered -= len;
  tx->off += len;
  while (len > 0) {
    len -= tx_out_take(tx, len);
  }
  if (tx->num_fpdus == 0) {
    iwarpi_tx_forget(tx);
  }
  return IWARP_OK;
}

uint64_t iwarp_tx_offset(const iwarp_tx *tx) {
  return tx->off;
}
