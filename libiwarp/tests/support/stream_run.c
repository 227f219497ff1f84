/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts of input for the stream engines, and logs of the events that come of them. */
#include "stream_run.h"
#include "test_pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iwarp/crc32c.h>

static void *run_grow(void *old, size_t num, size_t *cap, size_t size) {
  if (num < *cap) {
    return old;
  }
  *cap = *cap == 0 ? 64 : *cap * 2;
  void *more = realloc(old, *cap * size);
  if (more == NULL) {
    abort();
  }
  return more;
}

/* ---- input ---- */

stream_script script_new(void) {
  return (stream_script){.packet = 1, .peer_pos = IWARP_POS_UNKNOWN};
}

void script_free(stream_script *s) {
  free(s->steps);
  *s = script_new();
}

void script_add(stream_script *s, stream_step step) {
  s->steps = run_grow(s->steps, s->num, &s->cap, sizeof *s->steps);
  s->steps[s->num] = step;
  s->num++;
}

static iwarp_meta script_packet(stream_script *s) {
  iwarp_meta meta = {.packet = s->packet,
                     .time_ns = s->packet * 10,
                     .peer_pos = s->peer_pos,
                     .segment_start = true};
  s->packet++;
  return meta;
}

void script_push(stream_script *s, uint8_t side, iwarp_span octets) {
  script_add(s, (stream_step){STEP_PUSH, side, .octets = octets, .meta = script_packet(s)});
}

void script_gap(stream_script *s, uint8_t side, uint64_t len) {
  script_add(s, (stream_step){STEP_GAP, side, .len = len, .meta = script_packet(s)});
}

void script_end(stream_script *s, uint8_t side, iwarp_end how) {
  script_add(s, (stream_step){STEP_END, side, .how = how, .meta = script_packet(s)});
}

void script_stream(stream_script *s, uint8_t side, iwarp_span octets, size_t mss) {
  for (size_t at = 0; at < octets.len; at += mss) {
    const size_t left = octets.len - at;
    script_push(s, side, (iwarp_span){octets.ptr + at, left < mss ? left : mss});
  }
}

/* The octets [at, to), of segments that begin every `mss` octets of the stream. */
static void script_part(stream_script *s, uint8_t side, iwarp_span octets, size_t mss, size_t at,
                        size_t to) {
  while (at < to) {
    const size_t segment_end = (at / mss + 1) * mss;
    const size_t end = segment_end < to ? segment_end : to;
    script_push(s, side, (iwarp_span){octets.ptr + at, end - at});
    s->steps[s->num - 1].meta.segment_start = at % mss == 0;
    at = end;
  }
}

void script_lossy(stream_script *s, uint8_t side, iwarp_span octets, size_t mss,
                  const script_hole *holes, size_t num) {
  size_t at = 0;
  for (size_t i = 0; i < num; i++) {
    script_part(s, side, octets, mss, at, holes[i].from);
    script_gap(s, side, holes[i].to - holes[i].from);
    at = holes[i].to;
  }
  script_part(s, side, octets, mss, at, octets.len);
}

stream_script script_cut(const stream_script *s, prng *p, size_t max) {
  stream_script out = script_new();
  for (size_t i = 0; i < s->num; i++) {
    stream_step step = s->steps[i];
    if (step.kind != STEP_PUSH) {
      script_add(&out, step);
      continue;
    }
    for (size_t at = 0; at < s->steps[i].octets.len;) {
      const size_t left = s->steps[i].octets.len - at;
      const size_t want = max == 1 ? 1 : 1 + prng_size(p, max);
      step.octets = (iwarp_span){s->steps[i].octets.ptr + at, want < left ? want : left};
      step.meta.segment_start = s->steps[i].meta.segment_start && at == 0;
      script_add(&out, step);
      at += step.octets.len;
    }
  }
  return out;
}

stream_script script_split(const stream_script *s, size_t step, size_t at) {
  stream_script out = script_new();
  for (size_t i = 0; i < s->num; i++) {
    stream_step part = s->steps[i];
    if (i == step) {
      part.octets.len = at;
      script_add(&out, part);
      part.octets = (iwarp_span){s->steps[i].octets.ptr + at, s->steps[i].octets.len - at};
      part.meta.segment_start = false;
    }
    script_add(&out, part);
  }
  return out;
}

/* ---- output ---- */

stream_log log_new(void) {
  return (stream_log){0};
}

void log_free(stream_log *log) {
  free(log->recs);
  *log = log_new();
}

static uint32_t log_u64(uint32_t crc, uint64_t v) {
  uint8_t octets[8];
  for (size_t i = 0; i < sizeof octets; i++) {
    octets[i] = (uint8_t)(v >> 8 * i);
  }
  return iwarp_crc32c(crc, octets, sizeof octets);
}

/* The decoded headers as one number. */
static uint32_t log_seg(const iwarp_rdmap_seg *v) {
  uint32_t crc = log_u64(0, (uint64_t)v->has_ddp | (uint64_t)v->kind << 8);
  crc = log_u64(crc, (uint64_t)(int64_t)v->err);
  if (!v->has_ddp) {
    return crc;
  }
  crc = log_u64(crc, (uint64_t)v->ddp.tagged << 32 | (uint64_t)v->ddp.last << 24 |
                         (uint64_t)v->ddp.rsvd << 16 | (uint64_t)v->ddp.dv << 8 | v->ddp.rsvdulp);
  crc = log_u64(crc, v->ddp.to);
  crc = log_u64(crc, (uint64_t)v->ddp.stag << 32 | v->ddp.rsvdulp_word);
  crc = log_u64(crc, (uint64_t)v->ddp.qn << 32 | v->ddp.msn);
  crc = log_u64(crc, (uint64_t)v->ddp.mo << 32 | v->payload_len);
  switch (v->kind) {
  case IWARP_RDMAP_KIND_READ_REQ:
    crc = log_u64(crc, (uint64_t)v->u.read_req.sink_stag << 32 | v->u.read_req.size);
    crc = log_u64(crc, v->u.read_req.sink_to);
    return log_u64(crc, v->u.read_req.source_to);
  case IWARP_RDMAP_KIND_TERM:
    crc = iwarp_crc32c(crc, v->u.term.ddp_header.ptr, v->u.term.ddp_header.len);
    crc = iwarp_crc32c(crc, v->u.term.rdma_header.ptr, v->u.term.rdma_header.len);
    return log_u64(crc, (uint64_t)v->u.term.layer << 16 | (uint64_t)v->u.term.etype << 8 |
                            v->u.term.code);
  case IWARP_RDMAP_KIND_IMMEDIATE: return iwarp_crc32c(crc, v->u.immediate, sizeof v->u.immediate);
  case IWARP_RDMAP_KIND_ATOMIC_REQ: return log_u64(crc, v->u.atomic_req.compare_mask);
  case IWARP_RDMAP_KIND_ATOMIC_RESP: return log_u64(crc, v->u.atomic_resp.original);
  case IWARP_RDMAP_KIND_NONE: break;
  }
  return crc;
}

static void run_want(bool ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "%s\n", what);
    abort();
  }
}

/* The runs of the payload are the ULPDU without the DDP header. */
static void log_payload(const iwarp_event *ev) {
  static uint8_t ulpdu[UINT16_MAX];
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const size_t have = iwarp_mpa_fpdu_ulpdu_copy(ulpdu, sizeof ulpdu, &f->fpdu, 0);
  const size_t header = f->seg.ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  iwarp_span run;
  size_t cursor = 0;
  for (size_t at = 0; iwarp_event_payload(&run, &cursor, ev) == IWARP_OK; at = cursor) {
    run_want(cursor == at + run.len && header + cursor <= have &&
                 memcmp(run.ptr, &ulpdu[header + at], run.len) == 0,
             "a run of the payload");
  }
  run_want(cursor == (f->seg.has_ddp ? have - header : 0), "the payload as a whole");
}

static void log_fpdu(stream_rec *r, const iwarp_event_fpdu *f) {
  iwarp_span part;
  size_t cursor = 0;
  r->what = (uint32_t)f->crc;
  r->sync = (uint32_t)f->sync;
  r->crc_computed = f->crc_computed;
  r->crc_field = f->crc_present ? f->fpdu.crc : 0;
  r->offset = f->offset;
  r->length = f->fpdu.ulpdu_length;
  r->lead = f->fpdu.layout.lead;
  r->complete = f->complete;
  r->pad_present = f->pad_present;
  r->crc_present = f->crc_present;
  r->has_ddp = f->seg.has_ddp;
  r->opcode = f->seg.has_ddp ? f->seg.ctrl.opcode : UINT32_MAX;
  r->seg = log_seg(&f->seg);
  while (iwarp_mpa_fpdu_ulpdu_span(&part, &cursor, &f->fpdu) == IWARP_OK) {
    r->octets = iwarp_crc32c(r->octets, part.ptr, part.len);
    r->octets_len += part.len;
  }
}

static void log_startup(stream_rec *r, const iwarp_event_startup *s) {
  r->what = (uint32_t)s->key;
  r->length = s->frame.pd_length;
  r->flags = (uint32_t)s->frame.flags << 8 | s->frame.rev;
  r->is_reply = s->is_reply;
  r->enhanced = s->enhanced;
  r->err = s->err;
  r->snapped = s->snapped;
  r->octets = iwarp_crc32c(0, s->frame.private_data.ptr, s->frame.private_data.len);
  r->octets_len = s->frame.private_data.len;
  r->seg = iwarp_crc32c(0, s->ulp_data.ptr, s->ulp_data.len);
  r->seg = log_u64(r->seg, (uint64_t)s->enh.ird << 16 | s->enh.ord);
}

static bool log_borrows(const iwarp_event_fpdu *f, iwarp_span push) {
  return push.len > 0 && (uintptr_t)f->fpdu.wire.ptr >= (uintptr_t)push.ptr &&
         (uintptr_t)f->fpdu.wire.ptr < (uintptr_t)push.ptr + push.len;
}

static void log_event(stream_log *log, const iwarp_event *ev, iwarp_span push) {
  log->recs = run_grow(log->recs, log->num, &log->cap, sizeof *log->recs);
  stream_rec *r = &log->recs[log->num];
  log->num++;
  memset(r, 0, sizeof *r);
  r->kind = (uint32_t)ev->kind;
  r->side = ev->side;
  r->pos = ev->pos;
  r->len = ev->len;
  r->first = ev->first.packet;
  r->last = ev->last.packet;
  r->first_starts = ev->first.segment_start;
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: log_startup(r, &ev->u.startup); return;
  case IWARP_EVENT_FPDU:
    log_payload(ev);
    log_fpdu(r, &ev->u.fpdu);
    log->borrowed += log_borrows(&ev->u.fpdu, push) ? 1u : 0u;
    return;
  case IWARP_EVENT_GAP: r->what = (uint32_t)ev->u.gap; return;
  case IWARP_EVENT_UNDECODABLE:
    r->what = (uint32_t)ev->u.undecodable;
    r->flags = (uint32_t)ev->begins_fpdu;
    return;
  case IWARP_EVENT_END: r->what = (uint32_t)ev->u.end; return;
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: return;
  }
}

/* An FPDU of a list stands for the event that `want` has in its place. */
static void log_listed(stream_log *log, const stream_log *want, const iwarp_rx_fpdu *f) {
  run_want(log->num < want->num, "an FPDU in a list, and no event");
  const stream_rec *r = &want->recs[log->num];
  run_want(r->kind == IWARP_EVENT_FPDU && r->complete && r->has_ddp && r->what != IWARP_CRC_BAD &&
               r->pos == f->pos && r->length == f->ulpdu.len &&
               r->octets == iwarp_crc32c(0, f->ulpdu.ptr, f->ulpdu.len),
           "an FPDU in a list that is not that of the event");
  log->recs = run_grow(log->recs, log->num, &log->cap, sizeof *log->recs);
  log->recs[log->num++] = *r;
}

static void log_print_rec(const stream_rec *r) {
  static const char *const kinds[] = {"startup", "fpdu", "gap", "undecodable", "streaming", "end"};
  fprintf(stderr,
          "  %" PRIu32 " %-11s pos %" PRIu64 " len %" PRIu64 " packets %" PRIu64 "..%" PRIu64
          "%s what %" PRIu32 " proof %" PRIu32 " L %" PRIu32 " offset %" PRId64 " op %" PRIu32
          "%s octets %" PRIu64 "/%08" PRIx32 " seg %08" PRIx32 "\n",
          r->side, kinds[r->kind], r->pos, r->len, r->first, r->last, r->first_starts ? "*" : "",
          r->what, r->sync, r->length, (int64_t)r->offset, r->opcode, r->complete ? "" : " part",
          r->octets_len, r->octets, r->seg);
}

void log_print(const stream_log *log) {
  for (size_t i = 0; i < log->num; i++) {
    log_print_rec(&log->recs[i]);
  }
}

bool log_same(const stream_log *a, const stream_log *b) {
  const size_t num = a->num < b->num ? a->num : b->num;
  for (size_t i = 0; i < num; i++) {
    if (memcmp(&a->recs[i], &b->recs[i], sizeof a->recs[i]) != 0) {
      fprintf(stderr, "event %zu differs:\n", i);
      log_print_rec(&a->recs[i]);
      log_print_rec(&b->recs[i]);
      return false;
    }
  }
  if (a->num != b->num) {
    fprintf(stderr, "%zu events and %zu; the first one too many:\n", a->num, b->num);
    log_print_rec(a->num > num ? &a->recs[num] : &b->recs[num]);
  }
  return a->num == b->num;
}

size_t log_count(const stream_log *log, iwarp_event_kind kind) {
  size_t n = 0;
  while (log_at(log, kind, n) != NULL) {
    n++;
  }
  return n;
}

const stream_rec *log_at(const stream_log *log, iwarp_event_kind kind, size_t i) {
  for (size_t k = 0; k < log->num; k++) {
    if (log->recs[k].kind == (uint32_t)kind && i-- == 0) {
      return &log->recs[k];
    }
  }
  return NULL;
}

/* ---- accounting ---- */

/* What must come of one side. */
typedef struct account {
  const stream_script *script;
  uint8_t side;
  uint64_t end;      /* of the stream */
  uint64_t at;       /* named up to here */
  uint64_t item_end; /* of the last item that may have holes; gaps inside it come after it */
  uint64_t gap_at;   /* of the next gap to come */
  size_t next;       /* step after it */
} account;

static uint64_t account_len(const stream_step *step) {
  return step->kind == STEP_PUSH ? step->octets.len : step->kind == STEP_GAP ? step->len : 0;
}

/* Moves to the next gap of the script; false if no gap is left. */
static bool account_next_gap(account *a, uint64_t *from, uint64_t *len) {
  while (a->next < a->script->num) {
    const stream_step *step = &a->script->steps[a->next++];
    if (step->side != a->side) {
      continue;
    }
    if (step->kind == STEP_GAP && step->len > 0) {
      *from = a->gap_at;
      *len = step->len;
      a->gap_at += step->len;
      return true;
    }
    a->gap_at += account_len(step);
  }
  return false;
}

static const char *account_gap(account *a, const stream_rec *r) {
  uint64_t from = 0;
  uint64_t len = 0;
  if (!account_next_gap(a, &from, &len) || from != r->pos || len != r->len) {
    return "an invalid gap";
  }
  if (r->pos > a->at) {
    return "octets before a gap are not named";
  }
  if (r->pos < a->at && r->pos >= a->item_end) {
    return "a gap before the item";
  }
  a->at = r->pos + r->len > a->at ? r->pos + r->len : a->at;
  return NULL;
}

/* Octets that were pushed among [from, to). */
static uint64_t account_pushed(const account *a, uint64_t start, uint64_t from, uint64_t to) {
  uint64_t at = start;
  uint64_t n = 0;
  for (size_t i = 0; i < a->script->num; i++) {
    const stream_step *step = &a->script->steps[i];
    const uint64_t len = step->side == a->side ? account_len(step) : 0;
    const uint64_t low = at > from ? at : from;
    const uint64_t high = at + len < to ? at + len : to;
    if (step->kind == STEP_PUSH && low < high) {
      n += high - low;
    }
    at += len;
  }
  return n;
}

/* Returns true if the record names the packet of the first octet of [from, to), and the packet of
 * them that was captured last. */
static bool account_packets(const account *a, const stream_rec *r, uint64_t start, uint64_t to) {
  const uint64_t from = r->pos - r->lead;
  uint64_t at = start;
  uint64_t first = 0;
  uint64_t last = 0;
  for (size_t i = 0; i < a->script->num && at < to; i++) {
    const stream_step *step = &a->script->steps[i];
    at += step->side == a->side ? account_len(step) : 0;
    if (step->side == a->side && account_len(step) > 0 && at > from) {
      first = first == 0 ? step->meta.packet : first;
      last = step->meta.packet > last ? step->meta.packet : last;
    }
  }
  return r->first == first && r->last == last;
}

static const char *account_item(account *a, const stream_rec *r, uint64_t start) {
  const uint64_t from = r->pos - r->lead;
  uint64_t to = r->pos + r->len;
  const bool holed = (r->kind == IWARP_EVENT_FPDU && !r->complete) ||
                     (r->kind == IWARP_EVENT_STARTUP && r->err != IWARP_OK);
  if (from != a->at) {
    return from < a->at ? "octets named twice" : "octets not named";
  }
  if (r->kind == IWARP_EVENT_STARTUP && to > a->end) {
    to = a->end; /* a frame that is cut twice announces more than came */
  }
  if (to > a->end) {
    return "octets that never came";
  }
  if (!holed && account_pushed(a, start, from, to) != to - from) {
    return "octets of a gap";
  }
  if (r->kind == IWARP_EVENT_FPDU && !holed && !account_packets(a, r, start, to)) {
    return "packets of other octets";
  }
  a->at = to;
  a->item_end = to;
  return NULL;
}

bool log_accounts(const stream_log *log, const stream_script *s, uint8_t side, uint64_t start) {
  account a = {.script = s, .side = side, .end = start, .at = start, .gap_at = start};
  const char *wrong = NULL;
  uint64_t from;
  uint64_t len;
  for (size_t i = 0; i < s->num; i++) {
    a.end += s->steps[i].side == side ? account_len(&s->steps[i]) : 0;
  }
  for (size_t i = 0; i < log->num && wrong == NULL; i++) {
    const stream_rec *r = &log->recs[i];
    if (r->side != side || r->kind == IWARP_EVENT_END) {
      continue;
    }
    wrong = r->kind == IWARP_EVENT_GAP ? account_gap(&a, r) : account_item(&a, r, start);
    if (wrong != NULL) {
      fprintf(stderr, "event %zu: %s (named up to %" PRIu64 "):\n", i, wrong, a.at);
      log_print_rec(r);
    }
  }
  if (wrong == NULL && (a.at != a.end || account_next_gap(&a, &from, &len))) {
    wrong = "the end is missing";
    fprintf(stderr, "named up to %" PRIu64 " of %" PRIu64 "\n", a.at, a.end);
  }
  return wrong == NULL;
}

/* ---- runs ---- */

#define RUN_SIZES 8u /* of engines' memory that is kept */

static void *run_get(size_t n) {
  void *mem = malloc(n);
  if (mem == NULL) {
    abort();
  }
  return mem;
}

/* So much memory for an engine, the same in every run: memory that is new to the process costs more
 * than most runs. An engine must not count on what it finds there. */
static void *run_memory(size_t n) {
  static struct {
    void *mem;
    size_t size;
  } kept[RUN_SIZES];
  static size_t next;
  static uint8_t fill;
  size_t i = 0;
  while (i < RUN_SIZES && kept[i].size != n) {
    i++;
  }
  if (i == RUN_SIZES) {
    i = next++ % RUN_SIZES;
    free(kept[i].mem);
    kept[i].mem = run_get(n);
    kept[i].size = n;
  }
  fill = (uint8_t)(fill + 0x5B);
  memset(kept[i].mem, fill, n);
  return kept[i].mem;
}

/* A copy of the octets with nothing after it. */
static iwarp_span run_copy(iwarp_span octets) {
  uint8_t *copy = run_get(octets.len + (octets.len == 0 ? 1 : 0));
  if (octets.len > 0) {
    memcpy(copy, octets.ptr, octets.len);
  }
  return (iwarp_span){copy, octets.len};
}

static void run_free(iwarp_span copy) {
  union {
    const uint8_t *from;
    void *to;
  } u = {.from = copy.ptr};
  free(u.to);
}

/* No input makes more events than this. */
static size_t run_limit(const stream_script *s) {
  size_t n = 1000;
  for (size_t i = 0; i < s->num; i++) {
    n += s->steps[i].octets.len + 4;
  }
  return n;
}

/* A pool that has nothing every other time, and lists, change no event; the pool gets all of it
 * back.
 */
static void run_want_same(const stream_log *log, stream_log other, const test_pool *pool) {
  if (!log_same(log, &other)) {
    log_print(log);
    log_print(&other);
  }
  run_want(log_same(log, &other), "other events with memory of a pool");
  run_want(pool->live == 0, "memory was kept");
  log_free(&other);
}

#define RUN_LIST 3u

/* Takes lists of any length up to RUN_LIST until no FPDU is left. */
static void run_rx_lists(iwarp_rx *rx, stream_log *log, const stream_log *want) {
  iwarp_rx_fpdu list[RUN_LIST];
  size_t num;
  while ((num = iwarp_rx_next_fpdus(rx, list, 1 + log->num % RUN_LIST)) > 0) {
    for (size_t i = 0; i < num; i++) {
      log_listed(log, want, &list[i]);
    }
  }
}

/* `want`: FPDUs are taken in lists where they can be, in the place of its events. */
static stream_log run_rx_once(const iwarp_rx_cfg *cfg, const stream_script *s,
                              const stream_log *want) {
  stream_log log = log_new();
  iwarp_rx *rx = NULL;
  void *mem = run_memory(iwarp_rx_size(cfg));
  const size_t limit = run_limit(s);
  run_want(iwarp_rx_init(&rx, mem, iwarp_rx_size(cfg), cfg) == IWARP_OK, "iwarp_rx_init");
  for (size_t i = 0; i < s->num; i++) {
    const stream_step *step = &s->steps[i];
    const iwarp_span copy = run_copy(step->octets);
    iwarp_event ev;
    iwarp_err err = IWARP_OK;
    switch (step->kind) {
    case STEP_PUSH: err = iwarp_rx_push(rx, copy, &step->meta); break;
    case STEP_GAP: err = iwarp_rx_gap(rx, step->len, step->reason, &step->meta); break;
    case STEP_END: err = iwarp_rx_eof(rx, &step->meta); break;
    }
    run_want(err == IWARP_OK, "input was refused");
    if (want != NULL) {
      run_rx_lists(rx, &log, want);
    }
    while ((err = iwarp_rx_next_event(rx, &ev)) == IWARP_OK || err == IWARP_ERR_NOBUF) {
      if (err == IWARP_OK) {
        log_event(&log, &ev, copy);
      }
      run_want(log.num < limit, "too many events");
      if (want != NULL) {
        run_rx_lists(rx, &log, want);
      }
    }
    run_want(err == IWARP_ERR_END, "iwarp_rx_next_event failed");
    run_free(copy);
  }
  iwarp_rx_release(rx);
  return log;
}

static uint16_t run_max_ulpdu(uint16_t max_ulpdu) {
  return max_ulpdu != 0 ? max_ulpdu : UINT16_MAX;
}

stream_log run_rx(const iwarp_rx_cfg *how, const stream_script *s) {
  iwarp_rx_cfg cfg = *how;
  cfg.max_ulpdu = run_max_ulpdu(how->max_ulpdu);
  const stream_log log = run_rx_once(&cfg, s, NULL);
  iwarp_rx_cfg pooled = cfg;
  test_pool pool;
  test_pool_begin(&pool, 2);
  pooled.pool = &pool.pool;
  run_want_same(&log, run_rx_once(&pooled, s, &log), &pool);
  return log;
}

static iwarp_err run_conn_step(iwarp_observer *conn, const stream_step *step, iwarp_span copy) {
  switch (step->kind) {
  case STEP_PUSH: return iwarp_observer_push(conn, step->side, copy, &step->meta);
  case STEP_GAP: return iwarp_observer_gap(conn, step->side, step->len, step->reason, &step->meta);
  case STEP_END: return iwarp_observer_eof(conn, step->side, step->how, &step->meta);
  }
  return IWARP_ERR_ARG;
}

/* Takes an FPDU that was shown; false: CRCs are in use, and its CRC is wrong. */
static bool run_conn_take(iwarp_observer *conn, const iwarp_observer_fpdu *f, stream_log *log,
                          const stream_log *want) {
  const iwarp_span ulpdu = {f->wire.ptr + IWARP_MPA_LENGTH_LEN, f->ulpdu_length};
  const bool good = iwarp_observer_info_get(conn)->crc == IWARP_TRISTATE_OFF ||
                    iwarp_crc32c(0, f->wire.ptr, f->wire.len) == IWARP_CRC32C_RESIDUE;
  run_want(iwarp_observer_take_fpdu(conn, f) == good, "an FPDU that was shown");
  if (!good) {
    return false;
  }
  log_listed(log, want, &(iwarp_rx_fpdu){.pos = f->pos, .ulpdu = ulpdu});
  const stream_rec *r = &log->recs[log->num - 1];
  run_want(r->side == f->side && r->len == f->wire.len && r->offset == f->offset &&
               r->first == f->meta.packet && r->last == f->meta.packet &&
               r->first_starts == f->meta.segment_start && r->sync == IWARP_SYNC_STARTUP &&
               r->opcode == f->opcode,
           "an FPDU that was shown is not that of the event");
  return true;
}

/* Takes FPDUs without their events where it can be done; whether there may be more events. */
static bool run_conn_fpdus(iwarp_observer *conn, stream_log *log, const stream_log *want) {
  iwarp_observer_fpdu f;
  iwarp_err err;
  while ((err = iwarp_observer_next_fpdu(conn, &f)) == IWARP_OK) {
    if (!run_conn_take(conn, &f, log, want)) {
      return true;
    }
  }
  return err != IWARP_ERR_END;
}

/* Takes such FPDUs of octets that are not pushed; the step that is left. */
static stream_step run_conn_ahead(iwarp_observer *conn, const stream_step *step, iwarp_span *in,
                                  stream_log *log, const stream_log *want) {
  stream_step rest = *step;
  iwarp_observer_fpdu f;
  f.meta = step->meta;
  while (step->kind == STEP_PUSH &&
         iwarp_observer_peek_fpdu(conn, step->side, *in, &f) == IWARP_OK &&
         run_conn_take(conn, &f, log, want)) {
    *in = (iwarp_span){in->ptr + f.wire.len, in->len - f.wire.len};
    f.meta.segment_start = false;
  }
  rest.meta = f.meta;
  return rest;
}

/* `want`: FPDUs are taken without their events where they can be, in the place of its events. */
static stream_log run_conn_once(const iwarp_observer_cfg *cfg, const run_start *start,
                                const stream_script *s, const stream_log *want,
                                iwarp_observer_info *info) {
  stream_log log = log_new();
  iwarp_observer *conn = NULL;
  void *mem = run_memory(iwarp_observer_size(cfg));
  const size_t limit = run_limit(s);
  run_want(iwarp_observer_init(&conn, mem, iwarp_observer_size(cfg), cfg) == IWARP_OK,
           "iwarp_observer_init");
  for (uint8_t side = 0; side < 2; side++) {
    run_want(iwarp_observer_start(conn, side, start->pos[side], start->known[side],
                                  start->pos[side]) == IWARP_OK,
             "iwarp_observer_start");
  }
  for (size_t i = 0; i < s->num; i++) {
    const iwarp_span copy = run_copy(s->steps[i].octets);
    iwarp_event ev;
    iwarp_span in = copy;
    const stream_step step = want != NULL && i % 3 != 0
                                 ? run_conn_ahead(conn, &s->steps[i], &in, &log, want)
                                 : s->steps[i];
    iwarp_err err = run_conn_step(conn, &step, in);
    run_want(err == IWARP_OK, "input was refused");
    while ((want == NULL || run_conn_fpdus(conn, &log, want)) && err != IWARP_ERR_END) {
      err = iwarp_observer_next_event(conn, &ev);
      run_want(err == IWARP_OK || err == IWARP_ERR_NOBUF || err == IWARP_ERR_END,
               "iwarp_observer_next_event failed");
      if (err == IWARP_OK) {
        log_event(&log, &ev, copy);
      }
      run_want(log.num < limit, "too many events");
    }
    run_free(copy);
  }
  *info = *iwarp_observer_info_get(conn);
  iwarp_observer_release(conn);
  return log;
}

stream_log run_conn(const iwarp_observer_cfg *how, const run_start *start, const stream_script *s,
                    iwarp_observer_info *info) {
  iwarp_observer_cfg cfg = *how;
  cfg.max_ulpdu = run_max_ulpdu(how->max_ulpdu);
  iwarp_observer_info known[2];
  const stream_log log = run_conn_once(&cfg, start, s, NULL, &known[0]);
  iwarp_observer_cfg pooled = cfg;
  test_pool pool;
  test_pool_begin(&pool, 2);
  pooled.pool = &pool.pool;
  run_want_same(&log, run_conn_once(&pooled, start, s, &log, &known[1]), &pool);
  run_want(memcmp(&known[0], &known[1], sizeof known[0]) == 0, "other facts without events");
  if (info != NULL) {
    *info = known[0];
  }
  return log;
}
