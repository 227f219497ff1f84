/* SPDX-License-Identifier: BSD-2-Clause */
/* An input as a list of items: startup frames, ULPDUs, other records. */
#include "program.h"

#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <string.h>

#include "script.h"

#define QUEUES 4u

uint8_t *program_octets(program *p, size_t n) {
  if (n > PROGRAM_OCTETS - p->used) {
    return NULL;
  }
  p->used += n;
  return &p->memory[p->used - n];
}

item *program_insert(program *p, size_t at) {
  if (p->num == PROGRAM_ITEMS) {
    return NULL;
  }
  memmove(&p->items[at + 1], &p->items[at], (p->num - at) * sizeof p->items[0]);
  p->num++;
  return &p->items[at];
}

void program_remove(program *p, size_t at) {
  p->num--;
  memmove(&p->items[at], &p->items[at + 1], (p->num - at) * sizeof p->items[0]);
}

static void add(program *p, item_kind kind, const script_record *r, bool begins,
                iwarp_span octets) {
  uint8_t *copy = program_octets(p, octets.len);
  item *i = copy != NULL ? program_insert(p, p->num) : NULL;
  if (i != NULL) {
    *i = (item){.kind = kind,
                .record = r->kind,
                .begins = begins,
                .length = r->length,
                .octets = copy,
                .len = octets.len};
    memcpy(copy, octets.len > 0 ? octets.ptr : (const uint8_t *)"", octets.len);
  }
}

/* ---- reading ---- */

/* The stream of a side, put together of its records. */
typedef struct glued {
  uint8_t octets[FUZZ_BODY_MAX];
  size_t len;
} glued;

static void glue(glued out[2], iwarp_span body) {
  script_record r;
  out[0].len = out[1].len = 0;
  while (script_next(&r, &body)) {
    if (r.is_stream && r.octets.len > 0) {
      memcpy(&out[r.side].octets[out[r.side].len], r.octets.ptr, r.octets.len);
      out[r.side].len += r.octets.len;
    }
  }
}

static size_t startup_len(iwarp_span in) {
  iwarp_mpa_startup v;
  return iwarp_mpa_key_classify(in) != IWARP_MPA_KEY_UNKNOWN &&
                 iwarp_mpa_startup_decode(&v, in).err == IWARP_OK
             ? v.private_data.len + (size_t)(v.private_data.ptr - in.ptr)
             : 0;
}

/* Counts the FPDUs with a right CRC that follow one another. */
static size_t good_fpdus(iwarp_span in, bool markers) {
  size_t good = 0;
  uint64_t off = 0;
  iwarp_mpa_fpdu v;
  for (iwarp_dec d; in.len > 0; off += d.used) {
    d = iwarp_mpa_fpdu_decode(&v, in, off, markers);
    if (d.err != IWARP_OK) {
      break;
    }
    good += iwarp_mpa_fpdu_crc(&v) == v.crc ? 1 : 0;
    in = (iwarp_span){in.ptr + d.used, in.len - d.used};
  }
  return good;
}

static bool guess_markers(const glued *own, const glued *peer) {
  const size_t skip = startup_len((iwarp_span){own->octets, own->len});
  const iwarp_span full = {own->octets + skip, own->len - skip};
  const size_t with = good_fpdus(full, true);
  const size_t without = good_fpdus(full, false);
  if (with != without) {
    return with > without;
  }
  return startup_len((iwarp_span){peer->octets, peer->len}) > 0 &&
         (peer->octets[16] & IWARP_MPA_FLAG_M) != 0;
}

/* The place from which the next item of a stream is cut off. */
typedef struct cursor {
  const glued *from;
  size_t at;
  size_t full; /* place where Full Operation begins, or SIZE_MAX */
} cursor;

/* Adds what begins within the record of `n` octets: it is moved to it as a whole. */
static void cut_record(program *p, cursor *c, const script_record *r, size_t end) {
  static uint8_t ulpdu[65536];
  bool begins = true;
  while (c->at < end) {
    const iwarp_span left = {c->from->octets + c->at, c->from->len - c->at};
    const size_t frame = c->at == 0 ? startup_len(left) : 0;
    iwarp_mpa_fpdu v;
    if (frame > 0) {
      add(p, ITEM_STARTUP, r, begins, (iwarp_span){left.ptr, frame});
      c->at += frame;
    } else {
      c->full = c->full == SIZE_MAX ? c->at : c->full;
      const iwarp_dec d =
          iwarp_mpa_fpdu_decode(&v, left, p->off[r->side] + c->at - c->full, p->markers[r->side]);
      if (d.err != IWARP_OK) {
        add(p, ITEM_RAW, r, begins, (iwarp_span){left.ptr, end - c->at});
        c->at = end;
      } else {
        const size_t n = iwarp_mpa_fpdu_ulpdu_copy(ulpdu, sizeof ulpdu, &v, 0);
        add(p, ITEM_ULPDU, r, begins, (iwarp_span){ulpdu, n});
        c->at += d.used;
      }
    }
    begins = false;
  }
}

static void parse_script(program *p, iwarp_span body) {
  static glued streams[2];
  script_record r;
  cursor c[2];
  size_t end[2] = {0, 0};
  glue(streams, body);
  for (size_t side = 0; side < 2; side++) {
    p->markers[side] = guess_markers(&streams[side], &streams[1 - side]);
    c[side] = (cursor){.from = &streams[side], .full = SIZE_MAX};
  }
  while (script_next(&r, &body)) {
    if (r.is_stream) {
      end[r.side] += r.octets.len;
      cut_record(p, &c[r.side], &r, end[r.side]);
    } else {
      add(p, ITEM_RECORD, &r, true, r.octets);
    }
  }
}

static void parse_fpdu(program *p, iwarp_span body, fuzz_fpdu_place place) {
  static glued stream;
  const script_record r = {.kind = 0};
  p->markers[0] = place.markers;
  p->off[0] = place.off & ~UINT64_C(3);
  memcpy(stream.octets, body.len > 0 ? body.ptr : (const uint8_t *)"", body.len);
  stream.len = body.len;
  cursor c = {.from = &stream, .full = 0};
  cut_record(p, &c, &r, body.len);
}

void program_parse(program *p, fuzz_form form, iwarp_span body, fuzz_fpdu_place place) {
  const script_record r = {.kind = 0};
  p->num = p->used = 0;
  p->off[0] = p->off[1] = 0;
  switch (form) {
  case FUZZ_FORM_SCRIPT: parse_script(p, body); return;
  case FUZZ_FORM_FPDU: parse_fpdu(p, body, place); return;
  case FUZZ_FORM_SEGMENT: add(p, ITEM_ULPDU, &r, true, body); return;
  case FUZZ_FORM_STARTUP:
    add(p, body.len >= IWARP_MPA_STARTUP_LEN ? ITEM_STARTUP : ITEM_RAW, &r, true, body);
    return;
  case FUZZ_FORM_OCTETS:
  case FUZZ_FORM_CAPTURE: add(p, ITEM_RAW, &r, true, body); return;
  }
}

/* ---- writing ---- */

typedef struct writer {
  uint8_t *out;
  size_t cap;
  size_t len;
  size_t head; /* place of the record under way, or SIZE_MAX */
  bool framed; /* records are written */
  bool msn;
  uint64_t off[2];
  uint32_t next[2][QUEUES];
} writer;

static bool put(writer *w, const uint8_t *octets, size_t n) {
  if (n > w->cap - w->len) {
    return false;
  }
  memcpy(&w->out[w->len], n > 0 ? octets : (const uint8_t *)"", n);
  w->len += n;
  return true;
}

static void end_record(writer *w) {
  if (w->framed && w->head != SIZE_MAX) {
    const size_t n = w->len - w->head - SCRIPT_HEAD;
    w->out[w->head + 1] = (uint8_t)(n >> 8);
    w->out[w->head + 2] = (uint8_t)n;
  }
}

static bool begin_record(writer *w, uint8_t kind, uint16_t length) {
  const uint8_t head[SCRIPT_HEAD] = {kind, (uint8_t)(length >> 8), (uint8_t)length};
  end_record(w);
  w->head = w->len;
  return !w->framed || put(w, head, sizeof head);
}

/* Sets the MSN that its queue expects, in the first segment of a message and in the segments after
 * it. */
static void mend_msn(writer *w, size_t side, uint8_t *ulpdu, size_t n) {
  iwarp_ddp_hdr h;
  size_t len;
  if (!w->msn || iwarp_ddp_hdr_decode(&h, (iwarp_span){ulpdu, n}).err != IWARP_OK || h.tagged ||
      h.qn >= QUEUES) {
    return;
  }
  h.msn = w->next[side][h.qn];
  w->next[side][h.qn] += h.last ? 1 : 0;
  (void)iwarp_ddp_hdr_encode(ulpdu, n, &len, &h);
}

static bool put_ulpdu(writer *w, const program *p, const item *i, size_t side, fuzz_form form) {
  static uint8_t wire[IWARP_MPA_FPDU_WIRE_MAX];
  static uint8_t ulpdu[65536];
  size_t n = i->len < sizeof ulpdu - 1 ? i->len : sizeof ulpdu - 1;
  memcpy(ulpdu, i->octets, n);
  mend_msn(w, side, ulpdu, n);
  if (form == FUZZ_FORM_SEGMENT) {
    return put(w, ulpdu, n);
  }
  const iwarp_mpa_fpdu_desc d = {
      .ulpdu = {ulpdu, n}, .off = w->off[side], .markers = p->markers[side]};
  if (iwarp_mpa_fpdu_encode(wire, sizeof wire, &n, &d) != IWARP_OK) {
    return true; /* left out */
  }
  w->off[side] += n;
  return put(w, wire, n);
}

/* PD_Length becomes the length of the octets after it. */
static bool put_startup(writer *w, const item *i) {
  const size_t at = w->len;
  if (!put(w, i->octets, i->len)) {
    return false;
  }
  const uint8_t rev = w->out[at + 17];
  const size_t fixed = iwarp_mpa_startup_size(rev, 0);
  if (i->len >= fixed) {
    w->out[at + 18] = (uint8_t)((i->len - fixed) >> 8);
    w->out[at + 19] = (uint8_t)(i->len - fixed);
  }
  return true;
}

static bool put_item(writer *w, const program *p, const item *i, fuzz_form form) {
  const size_t side = (i->record & SCRIPT_SIDE) != 0 ? 1 : 0;
  const bool new_record = i->begins || i->kind == ITEM_RECORD || w->head == SIZE_MAX ||
                          (w->framed && (w->out[w->head] != i->record ||
                                         w->len - w->head + i->len > UINT16_MAX - 2048u));
  if (new_record && !begin_record(w, i->record, i->length)) {
    return false;
  }
  switch (i->kind) {
  case ITEM_RECORD: {
    const bool ok = put(w, i->octets, i->len);
    w->head = ok && i->len > 0 ? w->head : SIZE_MAX; /* a gap keeps its length */
    return ok;
  }
  case ITEM_STARTUP: return put_startup(w, i);
  case ITEM_ULPDU: return put_ulpdu(w, p, i, side, form);
  case ITEM_RAW: w->off[side] += i->len; return put(w, i->octets, i->len);
  }
  return false;
}

size_t program_write(const program *p, fuzz_form form, uint8_t *out, size_t cap, bool msn) {
  writer w = {.out = out, .cap = cap, .head = SIZE_MAX, .framed = form == FUZZ_FORM_SCRIPT};
  w.msn = msn && w.framed;
  for (size_t side = 0; side < 2; side++) {
    w.off[side] = p->off[side];
    for (size_t q = 0; q < QUEUES; q++) {
      w.next[side][q] = 1;
    }
  }
  for (size_t i = 0; i < p->num; i++) {
    const size_t before = w.len;
    if (!put_item(&w, p, &p->items[i], form)) {
      w.len = before;
      break;
    }
  }
  end_record(&w);
  return w.len;
}
