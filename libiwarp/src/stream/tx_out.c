/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine: the octets of the FPDUs that were made, handed out and taken. */
#include "../base/span.h"
#include "tx_priv.h"

/*
 * Whether the octet at `at` of the wire form is ours, and how many octets from there on are of the
 * same kind. Only between the first and the last octet of payload do Markers have to be told from
 * it.
 */
static bool tx_out_own(size_t *run, const tx_fpdu *f, uint32_t at) {
  if (at < f->pay_off) {
    *run = f->pay_off - at;
    return true;
  }
  if (at >= f->pay_end) {
    *run = f->layout.wire_len - at;
    return true;
  }
  *run = f->pay_end - at;
  if (f->layout.first_marker == 0) {
    return false;
  }
  uint32_t past = (at - f->layout.first_marker) %
                  IWARP_MPA_MARKER_PERIOD; /* since the last place of a Marker */
  if (past < IWARP_MPA_MARKER_LEN) {
    *run = IWARP_MPA_MARKER_LEN - past;
    return true;
  }
  if (*run > IWARP_MPA_MARKER_PERIOD - past) {
    *run = IWARP_MPA_MARKER_PERIOD - past;
  }
  return false;
}

/* Names the next octets of payload, which lie in one part. */
static iwarp_span tx_out_payload(const tx_msg *m, tx_cursor *cur, size_t max) {
  while (cur->off == tx_part(m, cur->part).len) {
    cur->part++;
    cur->off = 0;
  }
  iwarp_span run = span_part(tx_part(m, cur->part), cur->off, max);
  cur->off += run.len;
  return run;
}

/* iwarpi_tx_walk is the beginning of an FPDU, or what lies after the last one. */
tx_walk iwarpi_tx_walk(const iwarp_tx *tx, uint32_t fpdu) {
  tx_walk walk = {.fpdu = fpdu};
  if (fpdu < tx->num_fpdus) {
    walk.own = tx->fpdus[fpdu].own;
    walk.cur = tx->fpdus[fpdu].cur;
  }
  return walk;
}

/* iwarpi_tx_run names the next octets that lie together, at most `max`, and moves `walk` after
 * them. */
iwarp_span iwarpi_tx_run(const iwarp_tx *tx, tx_walk *walk, size_t max, bool *own) {
  const tx_fpdu *f = &tx->fpdus[walk->fpdu];
  size_t len;
  iwarp_span run;
  *own = tx_out_own(&len, f, walk->at);
  len = len < max ? len : max;
  if (*own) {
    run = span_part((iwarp_span){tx->own, sizeof tx->own}, walk->own, len);
    walk->own += run.len;
  } else {
    run = tx_out_payload(&tx->msgs[f->msg], &walk->cur, len);
  }
  walk->at += (uint32_t)run.len;
  if (walk->at == f->layout.wire_len) {
    *walk = iwarpi_tx_walk(tx, walk->fpdu + 1);
  }
  return run;
}

void iwarpi_tx_forget(iwarp_tx *tx) {
  tx->walk = (tx_walk){0};
  tx->num_fpdus = 0;
  tx->num_own = 0;
  tx->offered = 0;
}

/* The spans that are being handed out. */
typedef struct tx_out_list {
  iwarp_span *spans;
  size_t cap;
  bool own; /* the last one is ours */
  iwarp_tx_out out;
} tx_out_list;

/* Adds a run; false when there is no span for it. Octets of ours that follow each other lie side by
 * side. */
static bool tx_out_add(tx_out_list *list, iwarp_span run, bool own) {
  if (own && list->own) {
    list->spans[list->out.num_spans - 1].len += run.len;
  } else if (list->out.num_spans < list->cap) {
    list->spans[list->out.num_spans++] = run;
  } else {
    return false;
  }
  list->own = own;
  list->out.len += run.len;
  return true;
}

/* Fills the list; `walk` goes along. Where it is too short it holds whole FPDUs, or else a part of
 * one. */
static void tx_out_fill(tx_out_list *list, const iwarp_tx *tx, tx_walk walk) {
  iwarp_tx_out whole = {0}; /* up to the last end of an FPDU */
  size_t whole_len = 0;     /* of its last span */
  while (walk.fpdu < tx->num_fpdus) {
    const uint32_t fpdu = walk.fpdu;
    bool own;
    iwarp_span run = iwarpi_tx_run(tx, &walk, SIZE_MAX, &own);
    if (!tx_out_add(list, run, own)) {
      if (whole.num_fpdus > 0) {
        list->out = whole;
        list->spans[whole.num_spans - 1].len = whole_len;
      }
      return;
    }
    if (walk.fpdu > fpdu) {
      list->out.num_fpdus++;
      whole = list->out;
      whole_len = list->spans[whole.num_spans - 1].len;
    }
  }
  list->out.segment_end = tx->segment_end;
}

iwarp_err iwarp_tx_next_output(iwarp_tx *tx, iwarp_span *spans, size_t cap, iwarp_tx_out *out) {
  if (tx->num_fpdus == 0) {
    iwarpi_tx_make(tx);
  }
  if (tx->num_fpdus == 0) {
    return IWARP_ERR_END;
  }
  if (cap == 0) {
    return IWARP_ERR_NOBUF;
  }
  tx_out_list list = {.spans = spans, .cap = cap};
  tx_out_fill(&list, tx, tx->walk);
  if (list.out.len > tx->offered) {
    tx->offered = list.out.len;
  }
  *out = list.out;
  return IWARP_OK;
}

/* Moves over at most `len` octets of the FPDU that comes next, and returns how many. */
static size_t tx_out_take(iwarp_tx *tx, size_t len) {
  const tx_fpdu *f = &tx->fpdus[tx->walk.fpdu];
  const size_t left = f->layout.wire_len - tx->walk.at;
  if (len < left) {
    bool own;
    return iwarpi_tx_run(tx, &tx->walk, len, &own).len;
  }
  tx->walk = iwarpi_tx_walk(tx, tx->walk.fpdu + 1);
  if (f->ends) {
    iwarpi_tx_end(tx, f->msg);
  }
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
  if (tx->walk.fpdu == tx->num_fpdus) {
    iwarpi_tx_forget(tx);
  }
  return IWARP_OK;
}

uint64_t iwarp_tx_offset(const iwarp_tx *tx) {
  return tx->off;
}
