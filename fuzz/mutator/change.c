/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes to a program: of its order, of a message, of a field. */
#include "change.h"

#include <iwarp/mpa.h>
#include <iwarp/pdu.h>
#include <iwarp/rdmap.h>
#include <string.h>

#include "script.h"

/* Values that matter somewhere: of lengths, STags, MSNs, Tagged Offsets. */
static const uint64_t values[] = {
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    14,
    18,
    28,
    52,
    127,
    128,
    255,
    256,
    508,
    512,
    513,
    1024,
    16383,
    32767,
    32768,
    65535,
    0x7FFFFFFF,
    0x80000000,
    UINT32_MAX,
    UINT64_MAX,
    0x100,
    0x200,
    0x300,
    0x400,
    0x500,
    0x600,
    0x1000,
    0xFFFFFFFF00000000u,
    0xFFFFFFFF000003FFu,
};

static uint64_t some_value(prng *r) {
  const size_t n = sizeof values / sizeof values[0];
  const uint64_t v = values[prng_size(r, n)];
  switch (prng_below(r, 4)) {
  case 0: return prng_next(r);
  case 1: return v + 1;
  case 2: return v - 1;
  default: return v;
  }
}

/* STags of the targets' regions, and two of none: support/ulp.c. */
static const uint32_t stags[] = {0x100, 0x200, 0x300, 0x400, 0x500, 0x600, 0x1000, 0};

/* Tagged Offsets in these regions and at their ends. */
static const uint64_t offsets[] = {0xFFFFFFFF00000000u, 0xFFFFFFFF00000001u, 0xFFFFFFFF00000200u,
                                   0xFFFFFFFF000003F8u, 0xFFFFFFFF000003FFu, 0xFFFFFFFF00000400u,
                                   0xFFFFFFFEFFFFFFFFu, UINT64_MAX};

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text);
  const size_t m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* A value for a field: one that has a name, one that the targets know, or any. */
static uint64_t field_value(const iwarp_field *f, prng *r) {
  if (prng_below(r, 4) == 0) {
    return some_value(r);
  }
  if (f->num_values > 0) {
    return f->values[prng_size(r, f->num_values)].value;
  }
  if (ends_with(f->key, "stag")) {
    return stags[prng_size(r, sizeof stags / sizeof stags[0])];
  }
  if (ends_with(f->key, "to")) {
    return offsets[prng_size(r, sizeof offsets / sizeof offsets[0])];
  }
  return some_value(r);
}

static size_t some_item(const program *p, prng *r, item_kind kind) {
  const size_t from = p->num > 0 ? prng_size(r, p->num) : 0;
  for (size_t i = 0; i < p->num; i++) {
    if (p->items[(from + i) % p->num].kind == kind) {
      return (from + i) % p->num;
    }
  }
  return SIZE_MAX;
}

/* ---- a field ---- */

/* Sets a number by its row of the table. */
static void set_field(uint8_t *octets, size_t len, const iwarp_field *f, uint64_t v) {
  for (size_t i = 0; i < f->num_bits; i++) {
    const size_t bit = (size_t)f->bit_off + f->num_bits - 1 - i;
    const uint8_t mask = (uint8_t)(0x80u >> bit % 8);
    if (bit / 8 < len && i < 64) {
      octets[bit / 8] =
          (uint8_t)((v >> i & 1) != 0 ? octets[bit / 8] | mask : octets[bit / 8] & (uint8_t)~mask);
    }
  }
}

/* Changes a field of a segment or a startup frame, any of the forms that it holds. */
static void change_field(item *i, prng *r) {
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  iwarp_pdu_part chosen = {0};
  uint64_t n = 0;
  if (i->kind == ITEM_STARTUP) {
    iwarp_pdu_startup(&it, (iwarp_span){i->octets, i->len});
  } else {
    iwarp_pdu_segment(&it, (iwarp_span){i->octets, i->len}, i->len);
  }
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    if (part.form != IWARP_FORM_NONE && prng_below(r, ++n) == 0) {
      chosen = part;
    }
  }
  const iwarp_form_info *info = iwarp_form_get(chosen.form);
  if (info == NULL || info->num_fields == 0) {
    return;
  }
  const iwarp_field *f = &info->fields[prng_size(r, info->num_fields)];
  set_field(i->octets + chosen.pdu_off, i->len - chosen.pdu_off, f, field_value(f, r));
}

/* ---- a message ---- */

/* An STag that the program names already, in half of the cases: effects of a message show in
 * messages for the same region. */
static uint32_t some_stag(const program *p, prng *r) {
  const size_t at = prng_below(r, 2) == 0 ? some_item(p, r, ITEM_ULPDU) : SIZE_MAX;
  iwarp_ddp_hdr h;
  if (at != SIZE_MAX &&
      iwarp_ddp_hdr_decode(&h, (iwarp_span){p->items[at].octets, p->items[at].len}).err ==
          IWARP_OK) {
    return h.tagged ? h.stag : h.rsvdulp_word;
  }
  return stags[prng_below(r, sizeof stags / sizeof stags[0])];
}

static void new_header(iwarp_ddp_hdr *h, uint8_t opcode, uint32_t stag, prng *r) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  *h = (iwarp_ddp_hdr){.tagged = op->tagged,
                       .last = prng_below(r, 4) != 0,
                       .dv = IWARP_DDP_VERSION,
                       .rsvdulp = (uint8_t)(0x40u | opcode),
                       .qn = op->qn,
                       .msn = 1};
  h->stag = h->tagged ? stag : 0;
  h->to = h->tagged ? 0xFFFFFFFF00000000u + prng_below(r, 3) * 500 : 0;
  h->rsvdulp_word = op->invalidates && !h->tagged ? stag : 0;
  h->qn = h->tagged ? 0 : h->qn;
  h->msn = h->tagged ? 0 : h->msn;
}

/* The RDMAP header of a new message. */
static size_t new_inner(uint8_t *octets, uint8_t opcode, prng *r) {
  size_t n = 0;
  if (opcode == IWARP_RDMAP_OP_READ_REQ) {
    const iwarp_rdmap_read_req v = {.sink_stag = 0x77,
                                    .sink_to = some_value(r),
                                    .size = (uint32_t)prng_below(r, 1200),
                                    .source_stag = prng_below(r, 2) == 0 ? 0x300 : 0x500,
                                    .source_to = 0xFFFFFFFF00000000u};
    (void)iwarp_rdmap_read_req_encode(octets, IWARP_RDMAP_READ_REQ_LEN, &n, &v);
  } else if (opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    const iwarp_rdmap_atomic_req v = {.aopcode = (uint8_t)(prng_below(r, 3) & 3u),
                                      .request_id = (uint32_t)prng_below(r, 4),
                                      .stag = 0x400,
                                      .to = 0xFFFFFFFF00000000u + prng_below(r, 4) * 8,
                                      .add_swap_data = some_value(r),
                                      .compare_mask = UINT64_MAX};
    (void)iwarp_rdmap_atomic_req_encode(octets, IWARP_RDMAP_ATOMIC_REQ_LEN, &n, &v);
  } else if (opcode == IWARP_RDMAP_OP_TERMINATE) {
    const iwarp_rdmap_term_row *row = NULL;
    for (size_t i = prng_size(r, 20); row == NULL; i /= 2) {
      row = iwarp_rdmap_term_at(i);
    }
    const iwarp_rdmap_term v = {.layer = row->layer, .etype = row->etype, .code = row->code};
    (void)iwarp_rdmap_term_encode(octets, IWARP_RDMAP_TERM_MAX, &n, &v);
  } else {
    const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
    n = op->hdr_len + (op->payload ? prng_size(r, prng_below(r, 8) == 0 ? 1500 : 64) : 0);
    prng_fill(r, octets, n);
  }
  return n;
}

static void put_message(program *p, size_t at, uint8_t record, uint8_t opcode, uint32_t stag,
                        prng *r) {
  uint8_t *octets = program_octets(p, 1600);
  item *i = octets != NULL ? program_insert(p, at) : NULL;
  iwarp_ddp_hdr h;
  size_t n = 0;
  if (i == NULL) {
    return;
  }
  new_header(&h, opcode, stag, r);
  (void)iwarp_ddp_hdr_encode(octets, IWARP_DDP_UNTAGGED_LEN, &n, &h);
  n += new_inner(octets + n, opcode, r);
  *i = (item){.kind = ITEM_ULPDU,
              .record = record,
              .begins = prng_below(r, 2) == 0,
              .octets = octets,
              .len = n};
}

/* A message; after one that takes an STag away, as often as not, one that uses it. */
static void insert_message(program *p, fuzz_form form, size_t at, uint8_t record, prng *r) {
  const uint8_t opcode = (uint8_t)prng_below(r, 16);
  const uint32_t stag = some_stag(p, r);
  if (form != FUZZ_FORM_SCRIPT) {
    return;
  }
  put_message(p, at, record, opcode, stag, r);
  if (iwarp_rdmap_op_get(opcode)->invalidates && prng_below(r, 2) == 0) {
    put_message(p, at + 1 < p->num ? at + 1 : p->num, record, IWARP_RDMAP_OP_WRITE, stag, r);
  }
}

/* Cuts a segment into two of the same message, with the right TO or MO. */
static void cut_segment(program *p, size_t at, prng *r) {
  const item first = p->items[at];
  const size_t hdr = first.len > 0 ? iwarp_ddp_hdr_len(first.octets[0]) : 1;
  iwarp_ddp_hdr h;
  size_t n;
  if (first.len <= hdr + 1) {
    return;
  }
  const size_t keep = 1 + prng_size(r, first.len - hdr - 1);
  uint8_t *octets = program_octets(p, first.len - keep);
  item *second = octets != NULL ? program_insert(p, at + 1) : NULL;
  if (second == NULL) {
    return;
  }
  (void)iwarp_ddp_hdr_decode(&h, (iwarp_span){first.octets, first.len});
  p->items[at].len = hdr + keep;
  p->items[at].octets[0] &= (uint8_t)~IWARP_DDP_CTRL_L;
  h.to += h.tagged ? keep : 0;
  h.mo += h.tagged ? 0 : (uint32_t)keep;
  (void)iwarp_ddp_hdr_encode(octets, hdr, &n, &h);
  memcpy(octets + hdr, first.octets + hdr + keep, first.len - hdr - keep);
  *second = first;
  second->octets = octets;
  second->len = first.len - keep;
  second->begins = prng_below(r, 2) == 0;
}

static void resize(program *p, item *i, prng *r) {
  const size_t len =
      prng_below(r, 2) == 0 ? prng_size(r, i->len + 64) : (size_t)(some_value(r) % 2000u);
  uint8_t *octets = len > i->len ? program_octets(p, len) : i->octets;
  if (octets == NULL) {
    return;
  }
  if (octets != i->octets) {
    memcpy(octets, i->octets, i->len);
    prng_fill(r, octets + i->len, len - i->len);
  }
  i->octets = octets;
  i->len = i->kind == ITEM_STARTUP && len < IWARP_MPA_STARTUP_LEN ? i->len : len;
}

static void flip(item *i, prng *r) {
  if (i->len > 0) {
    i->octets[prng_size(r, i->len)] ^= (uint8_t)(1u << prng_below(r, 8));
  }
}

/* ---- the order ---- */

static void copy_item(program *p, const item *from, size_t at) {
  uint8_t *octets = program_octets(p, from->len);
  const item what = *from;
  item *i = octets != NULL ? program_insert(p, at) : NULL;
  if (i != NULL) {
    memcpy(octets, what.octets, what.len);
    *i = what;
    i->octets = octets;
  }
}

static void insert_record(program *p, size_t at, prng *r) {
  const size_t n = prng_size(r, 12);
  uint8_t *octets = program_octets(p, n);
  item *i = octets != NULL ? program_insert(p, at) : NULL;
  if (i == NULL) {
    return;
  }
  prng_fill(r, octets, n);
  *i = (item){.kind = ITEM_RECORD,
              .record = (uint8_t)(SCRIPT_OTHER | prng_below(r, 8) | prng_below(r, 2) * SCRIPT_SIDE),
              .begins = true,
              .octets = octets,
              .len = n};
  i->length = (uint16_t)(i->record % 8u % SCRIPT_KINDS < SCRIPT_FIN ? some_value(r) : n);
  i->len = i->record % 8u % SCRIPT_KINDS < SCRIPT_FIN ? 0 : n;
}

static void change_order(program *p, fuzz_form form, const program *other, prng *r) {
  const size_t at = prng_size(r, p->num);
  item *i = &p->items[at];
  switch (prng_below(r, 6)) {
  case 0: copy_item(p, i, prng_size(r, p->num + 1)); return;
  case 1:
    if (p->num > 1) {
      program_remove(p, at);
    }
    return;
  case 2:
    if (at > 0) {
      const item kept = *i;
      *i = p->items[at - 1];
      p->items[at - 1] = kept;
    }
    return;
  case 3: i->begins = !i->begins; return;
  case 4:
    if (form == FUZZ_FORM_SCRIPT) {
      insert_record(p, at, r);
    }
    return;
  default:
    if (other != NULL && other->num > 0) {
      copy_item(p, &other->items[prng_size(r, other->num)], at);
    } else {
      i->record ^= (uint8_t)(1u << prng_below(r, 3));
    }
  }
}

void change_program(program *p, fuzz_form form, const program *other, prng *r) {
  const size_t at =
      p->num > 0 ? some_item(p, r, prng_below(r, 8) == 0 ? ITEM_STARTUP : ITEM_ULPDU) : SIZE_MAX;
  const uint64_t how = prng_below(r, 10);
  if (p->num == 0 || (at == SIZE_MAX && how < 7)) {
    insert_message(p, form, p->num, 0, r);
    return;
  }
  if (how < 4) {
    change_field(&p->items[at], r);
  } else if (how == 4) {
    resize(p, &p->items[at], r);
  } else if (how == 5) {
    if (p->items[at].kind == ITEM_ULPDU) {
      cut_segment(p, at, r);
    }
  } else if (how == 6) {
    insert_message(p, form, at + 1, p->items[at].record, r);
  } else if (how == 7) {
    flip(&p->items[prng_size(r, p->num)], r);
  } else {
    change_order(p, form, other, r);
  }
}
