/* SPDX-License-Identifier: BSD-2-Clause */
/* One octet of a connection is spoilt: the right error is found, or the change is confined. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "prng.h"
#include "property.h"

/* Memory of a side: each operation has a slot of its own in each area, between them nothing is. */
#define OPS 10u
#define SLOT 512u
#define AREA (OPS * SLOT)
#define GUARD 64u
#define SOURCE 0u
#define TARGET (SOURCE + AREA + GUARD)
#define SINK (TARGET + AREA + GUARD)
#define NUMBERS (SINK + AREA + GUARD)
#define BUFFERS (NUMBERS + 8 * OPS + GUARD)
#define WINDOWS (BUFFERS + AREA + GUARD)
#define MEM (WINDOWS + SLOT)

/* Any two differ in all octets, so that a spoilt one is none of them. */
#define STAG_SOURCE 0x01010101u
#define STAG_TARGET 0x02020202u
#define STAG_SINK 0x03030303u
#define STAG_NUMBERS 0x04040404u
#define STAG_WINDOW 0x11111111u        /* and multiples */
#define HIGH (UINT64_MAX - AREA - 100) /* base: a spoilt TO may wrap */

#define LOG 128u
#define ANY_WORD 0xFFFFu

typedef struct op {
  size_t who;
  iwarp_rdmap_opcode opcode;
  uint32_t len;
  bool swap;
} op;

/* A connection: what both sides are, and what they do, one operation after the other. */
typedef struct plan {
  iwarp_endpoint_cfg cfg[2];
  op ops[OPS];
  size_t pd_len[2];
  bool crc;
} plan;

/* An event as far as it may be compared. */
typedef struct note {
  uint32_t kind;
  uint32_t opcode;
  uint64_t token;
  uint64_t more;
  int32_t err;
  uint32_t bits;
} note;

typedef struct side_log {
  note notes[LOG];
  size_t num;
} side_log;

/* A connection that was. */
typedef struct history {
  endpoint_pair *p;
  side_log log[2];
  uint8_t first[2][MEM]; /* memory at the start */
} history;

static uint8_t pool[AREA + SLOT];

/* ---- a connection ---- */

static void reported(void *context, size_t who, const iwarp_endpoint_ev *ev) {
  history *h = context;
  side_log *l = &h->log[who];
  note n = {.kind = ev->kind};
  if (ev->kind == IWARP_ENDPOINT_EVENT_RECV) {
    n.opcode = ev->u.recv.opcode;
    n.token = ev->u.recv.token;
    n.more = ev->u.recv.len;
    n.err = ev->u.recv.err;
    if (ev->u.recv.opcode >= IWARP_RDMAP_OP_IMMEDIATE) {
      memcpy(&n.more, ev->u.recv.immediate, sizeof n.more);
    }
    n.bits = ev->u.recv.solicited * 1u + ev->u.recv.invalidated * 2u;
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_DONE) {
    n.opcode = ev->u.done.opcode;
    n.token = ev->u.done.token;
    n.more = ev->u.done.original;
    n.err = ev->u.done.err;
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_PLACE ||
             ev->kind == IWARP_ENDPOINT_EVENT_ESTABLISHED) {
    return; /* the one has been done, the other is reported before or after an ATOMIC */
  }
  expect(l->num < LOG, "too many events");
  l->notes[l->num++] = n;
}

static void side_new(history *h, size_t who) {
  ep_host *s = h->p->s[who].h;
  const iwarp_endpoint_region r[] = {
      {STAG_SOURCE, 7, HIGH, AREA, &s->mem[SOURCE], IWARP_ACCESS_REMOTE_READ, false, NULL},
      {STAG_TARGET, 7, HIGH, AREA, &s->mem[TARGET], IWARP_ACCESS_REMOTE_WRITE, false, NULL},
      {STAG_SINK, 7, 0, AREA, &s->mem[SINK], 0, false, NULL},
      {STAG_NUMBERS, 7, HIGH & ~UINT64_C(7), 8 * OPS, &s->mem[NUMBERS], IWARP_ACCESS_REMOTE_ATOMIC,
       false, NULL},
  };
  memcpy(&s->mem[SOURCE], pool, AREA);
  memset(&s->mem[NUMBERS], 0x5A, (size_t)8 * OPS);
  memcpy(h->first[who], s->mem, MEM);
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    ok(iwarp_endpoint_register(s->ep, &r[i]));
  }
  for (uint32_t i = 0; i < OPS; i++) {
    const iwarp_endpoint_region window = {
        STAG_WINDOW * (i + 1),     7,     0,   8, &s->mem[WINDOWS + 8 * i],
        IWARP_ACCESS_REMOTE_WRITE, false, NULL};
    ok(iwarp_endpoint_register(s->ep, &window));
    ok(iwarp_endpoint_recv(s->ep, i, &s->mem[BUFFERS + i * SLOT], SLOT));
  }
}

static void post(history *h, const plan *v, size_t i) {
  const op *o = &v->ops[i];
  iwarp_endpoint *ep = h->p->s[o->who].h->ep;
  const iwarp_span part = {&pool[i * 7], o->len};
  const iwarp_tx_payload payload = {.parts = &part, .num_parts = 1};
  const iwarp_rdmap_read_req read = {.sink_stag = o->len > 0 ? STAG_SINK : 0xEEEEEEEE,
                                     .sink_to = i * SLOT,
                                     .size = o->len,
                                     .source_stag = o->len > 0 ? STAG_SOURCE : 0xEEEEEEEE,
                                     .source_to = HIGH + i * SLOT};
  const iwarp_rdmap_atomic_req atomic = {.aopcode = o->swap ? IWARP_RDMAP_AOP_CMP_SWAP
                                                            : IWARP_RDMAP_AOP_FETCH_ADD,
                                         .stag = STAG_NUMBERS,
                                         .to = (HIGH & ~UINT64_C(7)) + 8 * i,
                                         .add_swap_data = 0x0123456789ABCDEF,
                                         .add_swap_mask = o->swap ? UINT64_MAX : 0,
                                         .compare_data = o->swap ? 0x5A5A5A5A5A5A5A5A : 0,
                                         .compare_mask = UINT64_MAX};
  const bool inv = o->opcode == IWARP_RDMAP_OP_SEND_INV || o->opcode == IWARP_RDMAP_OP_SEND_SE_INV;
  switch (o->opcode) { /* refused when the connection has ended */
  case IWARP_RDMAP_OP_WRITE:
    (void)iwarp_endpoint_write(ep, i, STAG_TARGET, HIGH + i * SLOT, payload);
    return;
  case IWARP_RDMAP_OP_READ_REQ: (void)iwarp_endpoint_read(ep, i, &read); return;
  case IWARP_RDMAP_OP_ATOMIC_REQ: (void)iwarp_endpoint_atomic(ep, i, &atomic); return;
  case IWARP_RDMAP_OP_IMMEDIATE:
  case IWARP_RDMAP_OP_IMMEDIATE_SE:
    (void)iwarp_endpoint_immediate(ep, i, o->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE, part.ptr);
    return;
  case IWARP_RDMAP_OP_SEND:
  case IWARP_RDMAP_OP_SEND_INV:
  case IWARP_RDMAP_OP_SEND_SE:
  case IWARP_RDMAP_OP_SEND_SE_INV:
  case IWARP_RDMAP_OP_READ_RESP: /* from here on: operations that no ULP posts, refused */
  case IWARP_RDMAP_OP_TERMINATE:
  case IWARP_RDMAP_OP_ATOMIC_RESP:
  case IWARP_RDMAP_OP_RESERVED_12:
  case IWARP_RDMAP_OP_RESERVED_13:
  case IWARP_RDMAP_OP_RESERVED_14:
  case IWARP_RDMAP_OP_EXPERIMENTAL:
    (void)iwarp_endpoint_send(ep, i, o->opcode, inv ? STAG_WINDOW * (uint32_t)(i + 1) : 0, payload);
    return;
  }
}

static void play(history *h, const plan *v) {
  endpoint_pair *p = h->p;
  ok(iwarp_endpoint_listen(p->s[1].h->ep));
  ok(iwarp_endpoint_connect(p->s[0].h->ep, (iwarp_span){pool, v->pd_len[0]}));
  endpoint_pair_talk(p, 700);
  (void)iwarp_endpoint_accept(p->s[1].h->ep, (iwarp_span){pool, v->pd_len[1]});
  endpoint_pair_talk(p, 700);
  (void)iwarp_endpoint_accept(p->s[0].h->ep, (iwarp_span){0});
  endpoint_pair_talk(p, 700);
  for (size_t i = 0; i < OPS; i++) {
    post(h, v, i);
    endpoint_pair_talk(p, 700);
  }
  for (size_t who = 0; who < 2; who++) {
    (void)iwarp_endpoint_close(p->s[who].h->ep);
    endpoint_pair_talk(p, 700);
  }
  endpoint_pair_drop(p); /* whatever still waits */
}

static history *history_new(const plan *v, size_t side, size_t at, uint8_t with) {
  history *h = calloc(1, sizeof *h);
  ck_assert_ptr_nonnull(h);
  h->p = endpoint_pair_new(v->cfg, MEM);
  endpoint_pair_hook(h->p, reported, h);
  h->p->spoil_side = side;
  h->p->spoil_at = at;
  h->p->spoil_with = with;
  side_new(h, 0);
  side_new(h, 1);
  play(h, v);
  return h;
}

static void history_free(history *h) {
  endpoint_pair_free(h->p);
  free(h);
}

/* ---- what an octet of the stream is: read here again, from RFC 5044 4, 5041 4, 5040 4, 7306 5 */

typedef enum field {
  F_STARTUP = 0,
  F_MARKER,
  F_LENGTH,
  F_DDP_CONTROL,
  F_RDMAP_CONTROL,
  F_STAG,
  F_TO,
  F_INVALIDATE,
  F_QN,
  F_MSN,
  F_MO,
  F_READ_REQ,
  F_ATOMIC_REQ,
  F_ATOMIC_RESP,
  F_IMMEDIATE,
  F_PAYLOAD,
  F_PAD,
  F_CRC,
  NUM_FIELDS
} field;

static const char *const field_names[NUM_FIELDS] = {"startup",
                                                    "Marker",
                                                    "ULPDU_Length",
                                                    "DDP control",
                                                    "RDMAP control",
                                                    "STag",
                                                    "TO",
                                                    "Invalidate STag",
                                                    "QN",
                                                    "MSN",
                                                    "MO",
                                                    "Read Request",
                                                    "Atomic Request",
                                                    "Atomic Response",
                                                    "Immediate Data",
                                                    "payload",
                                                    "PAD",
                                                    "CRC"};

typedef struct place {
  field f;
  size_t nth;           /* octet of the field, the header or the payload */
  bool first;           /* FPDU of the stream */
  bool begun;           /* the message was begun by a segment before */
  size_t len;           /* ULPDU */
  uint8_t ulpdu[66000]; /* as sent */
  size_t at;            /* octet of the ULPDU, if it is one */
} place;

static uint64_t be(const uint8_t *octets, size_t n) {
  uint64_t v = 0;
  for (size_t i = 0; i < n; i++) {
    v = v << 8 | octets[i];
  }
  return v;
}

static bool tagged(const place *x) {
  return (x->ulpdu[0] & 0x80) != 0;
}

static bool last(const place *x) {
  return (x->ulpdu[0] & 0x40) != 0;
}

static unsigned opcode(const place *x) {
  return x->ulpdu[1] & 0x0F;
}

/* Octet `u` of the ULPDU. */
static void locate_in_ulpdu(place *x, size_t u) {
  static const struct {
    size_t end;
    field f;
  } t[] = {{1, F_DDP_CONTROL}, {2, F_RDMAP_CONTROL}, {6, F_STAG}, {14, F_TO}},
    n[] = {{1, F_DDP_CONTROL}, {2, F_RDMAP_CONTROL}, {6, F_INVALIDATE},
           {10, F_QN},         {14, F_MSN},          {18, F_MO}};
  size_t begin = 0;
  x->at = u;
  for (size_t i = 0; i < (tagged(x) ? 4u : 6u); i++) {
    const size_t end = tagged(x) ? t[i].end : n[i].end;
    if (u < end) {
      x->f = tagged(x) ? t[i].f : n[i].f;
      x->nth = u - begin;
      return;
    }
    begin = end;
  }
  static const field after[16] = {
      [0] = F_PAYLOAD,   [1] = F_READ_REQ,    [2] = F_PAYLOAD,     [3] = F_PAYLOAD,
      [4] = F_PAYLOAD,   [5] = F_PAYLOAD,     [6] = F_PAYLOAD,     [8] = F_IMMEDIATE,
      [9] = F_IMMEDIATE, [10] = F_ATOMIC_REQ, [11] = F_ATOMIC_RESP};
  x->nth = u - begin;
  x->f = after[opcode(x)];
}

/* Octet `i` after the ULPDU_Length's first one, Markers left out. */
static void locate_in_fpdu(place *x, size_t i) {
  const size_t pad = (4 - (2 + x->len) % 4) % 4;
  if (i < 2) {
    x->f = F_LENGTH;
    x->nth = i;
  } else if (i < 2 + x->len) {
    locate_in_ulpdu(x, i - 2);
  } else {
    x->f = i < 2 + x->len + pad ? F_PAD : F_CRC;
  }
}

/*
 * Walks over the FPDU at stream offset `off`; returns its octets. If octet `want` of the stream is
 * one of them, x->nth says which one: SIZE_MAX is none, else as locate_in_fpdu counts, or a Marker.
 */
static size_t walk(place *x, const uint8_t *full, size_t off, bool markers, size_t want,
                   size_t *hit, bool *in_marker) {
  size_t o = off;
  size_t total = 2;
  size_t begin = off;
  *hit = SIZE_MAX;
  *in_marker = false;
  for (size_t i = 0; i < total;) {
    if (markers && o % 512 == 0 && (i == 0 ? o == off : o != begin)) {
      if (want >= o && want < o + 4) {
        *in_marker = true;
        *hit = want - o;
      }
      o += 4;
      begin = i == 0 ? o : begin;
    }
    if (want == o) {
      *hit = i;
    }
    if (i >= 2 && i < 2 + x->len) {
      x->ulpdu[i - 2] = full[o];
    }
    if (i == 1) {
      x->len = (size_t)be(&full[o - 1], 2);
      total = 2 + x->len + (4 - (2 + x->len) % 4) % 4 + 4;
    }
    i++;
    o++;
  }
  return o - off;
}

static void locate(place *x, const endpoint_pair_side *s, bool markers, size_t at) {
  const size_t startup = 20 + (size_t)be(&s->wire[18], 2);
  size_t off = 0;
  size_t hit = SIZE_MAX;
  bool in_marker = false;
  *x = (place){.f = F_STARTUP, .nth = at, .first = true};
  if (at < startup) {
    return;
  }
  for (;;) {
    const size_t n = walk(x, &s->wire[startup], off, markers, at - startup, &hit, &in_marker);
    if (hit != SIZE_MAX) {
      break;
    }
    off += n;
    x->first = false;
    x->begun = !last(x);
  }
  if (in_marker) {
    x->f = F_MARKER;
    x->nth = hit;
  } else {
    locate_in_fpdu(x, hit);
  }
}

/* ---- what must come of it ---- */

/* One way in which it may end. */
typedef enum effect {
  NO_EFFECT = 1,   /* nothing differs */
  ONE_OCTET = 2,   /* one octet of memory differs */
  HIDDEN = 4,      /* nobody can see it; what differs lies in the buffers and regions */
  FAULT = 8,       /* the receiver finds one of the words, and says so with the right headers */
  LATE = 16,       /* the receiver finds one of the words, perhaps with another segment */
  ANSWERED = 32,   /* the sender finds one of the words in the answer */
  UNREADABLE = 64, /* the receiver takes it for a Terminate that it cannot read */
  NO_START = 128,  /* a startup frame is refused, or waited for in vain */
  STALL = 256      /* octets are waited for until the stream ends inside an FPDU or a message */
} effect;

typedef struct verdict {
  unsigned effects;
  uint16_t words[6]; /* 0 ends them */
  iwarp_err err;     /* NO_START: of the side that refuses, or OK */
  size_t refuses;
} verdict;

typedef struct spoilt {
  const plan *v;
  size_t from; /* whose octets */
  uint8_t with;
  place x;
  uint8_t ulpdu[66000]; /* as received */
} spoilt;

#define ONLY(effects_) ((verdict){.effects = (effects_)})
#define MAY(effects_, ...) ((verdict){.effects = (effects_), .words = {__VA_ARGS__}})

/* Whether `len` octets at `to` wrap, or lie outside a region. */
static uint16_t outside(uint64_t to, uint64_t len, uint64_t base, uint64_t size, uint16_t wrap,
                        uint16_t bounds) {
  if (len > UINT64_MAX - to) {
    return wrap;
  }
  return to < base || to + len > base + size ? bounds : 0;
}

/* T, L, DV; the reserved bits mean nothing. RFC 5041 4.1, 7.1 */
static verdict of_ddp_control(const spoilt *m) {
  const uint8_t is = m->ulpdu[0];
  const bool now_tagged = (is & 0x80) != 0;
  if (now_tagged != tagged(&m->x)) {
    if (!now_tagged && m->x.len < 18) {
      return MAY(FAULT, 0x1000);
    }
    if ((is & 3) != 1) {
      return MAY(FAULT, now_tagged ? 0x1104 : 0x1206);
    }
    return MAY(FAULT, 0x0206);
  }
  if ((is & 3) != 1) {
    return MAY(FAULT, now_tagged ? 0x1104 : 0x1206);
  }
  if (((is ^ m->x.ulpdu[0]) & 0x40) != 0) { /* no field says where a message ends but L */
    return MAY(HIDDEN | NO_EFFECT | LATE | STALL | ANSWERED, 0x0206, 0x1202, 0x1203, 0x1204, 0x02FF,
               0x0209);
  }
  return ONLY(NO_EFFECT);
}

/* RFC 5040 7.2: version, opcode, and whether it belongs to the header and the queue. */
static verdict of_rdmap_control(const spoilt *m) {
  static const struct {
    bool tagged;
    uint8_t qn;
  } ops[12] = {{true, 0},  {false, 1}, {true, 0},  {false, 0}, {false, 0}, {false, 0},
               {false, 0}, {false, 2}, {false, 0}, {false, 0}, {false, 1}, {false, 3}};
  const unsigned is = m->ulpdu[1] & 0x0F;
  const unsigned was = opcode(&m->x);
  const bool rv = m->ulpdu[1] >> 6 == 1;
  if (is == 7 && was != 7) {
    return ONLY(UNREADABLE); /* a Terminate is never answered, RFC 5040 7.1 */
  }
  if (!rv || is == was) {
    return rv ? ONLY(NO_EFFECT) : MAY(FAULT, 0x0205);
  }
  if (is > 11 || ops[is].tagged != tagged(&m->x) || (!tagged(&m->x) && ops[is].qn != ops[was].qn) ||
      m->x.begun) {
    return MAY(FAULT, 0x0206);
  }
  if (is == 0 && m->x.len > 14) { /* a Response as a Write: the sink is for nobody else */
    return MAY(FAULT, 0x1100);
  }
  if (is == 0) { /* a Write of nothing is always right; the Read gets the Response to a later Read
                    or Atomic */
    return MAY(HIDDEN | STALL | LATE, 0x02FF, 0x0206);
  }
  if (is == 2) { /* a Write as a Response: to no Read */
    return MAY(FAULT, 0x0206);
  }
  if (ops[is].qn == 1) { /* the two Requests differ in length */
    return MAY(FAULT, 0x02FF, 0x1205);
  }
  /* Send types and Immediate Data: the length, the STag to invalidate, or nothing betrays it. */
  return MAY(HIDDEN | NO_EFFECT | LATE, 0x0206, 0x0209, 0x02FF);
}

static verdict of_tagged_offset(const spoilt *m) {
  const uint64_t len = m->x.len - 14;
  const bool write = opcode(&m->x) == 0;
  if (len == 0) {
    return ONLY(NO_EFFECT); /* RFC 5041 5.2 */
  }
  const uint16_t word = outside(be(&m->ulpdu[6], 8), len, write ? HIGH : 0, AREA, 0x1103, 0x1101);
  if (word != 0) {
    return MAY(FAULT, word);
  }
  return write ? ONLY(HIDDEN) : MAY(FAULT, 0x02FF); /* a Read knows where its Response goes */
}

/* RFC 5041 7.1; which of the two codes depends on the buffers that are posted just now. */
static verdict of_msn(const spoilt *m) {
  const uint32_t ahead = (uint32_t)(be(&m->ulpdu[10], 4) - be(&m->x.ulpdu[10], 4));
  if (ahead >= 0x80000000u) {
    return MAY(FAULT, 0x1203);
  }
  return ahead > OPS + 1 ? MAY(FAULT, 0x1202) : MAY(FAULT, 0x1202, 0x1203);
}

/* Source fields are judged by the receiver, those of the sink by whoever gets the Response. */
static verdict of_read_request(const spoilt *m) {
  const uint8_t *was = &m->x.ulpdu[18];
  const uint8_t *is = &m->ulpdu[18];
  const uint64_t size = be(&is[12], 4);
  if (be(&was[12], 4) == 0 && size == 0) {
    return ONLY(NO_EFFECT); /* RFC 5040 5.2.1: nothing of it is checked */
  }
  if (m->x.nth < 4) {
    return MAY(ANSWERED, 0x1100);
  }
  if (m->x.nth < 12) {
    return MAY(ANSWERED, 0x1101, 0x1103, 0x02FF);
  }
  if (size == 0) {
    return MAY(ANSWERED, 0x02FF); /* a Response of no octets to a Read of some */
  }
  if (be(&is[16], 4) != STAG_SOURCE) {
    return MAY(FAULT, 0x0100);
  }
  const uint16_t word = outside(be(&is[20], 8), size, HIGH, AREA, 0x0104, 0x0101);
  if (word != 0) {
    return MAY(FAULT, word);
  }
  return m->x.nth < 16 ? MAY(ANSWERED, 0x02FF, 0x1101) : ONLY(HIDDEN | NO_EFFECT);
}

/* RFC 7306 5.2.1, 8 */
static verdict of_atomic_request(const spoilt *m) {
  const uint8_t *is = &m->ulpdu[18];
  const unsigned aop = is[3] & 0x0F;
  if (m->x.nth < 4) {
    if (aop != 0 && aop != 2) {
      return MAY(FAULT, 0x0206);
    }
    return aop == (m->x.ulpdu[21] & 0x0Fu) ? ONLY(NO_EFFECT) : ONLY(HIDDEN | NO_EFFECT);
  }
  if (m->x.nth < 8) {
    return MAY(ANSWERED, 0x02FF); /* the Response has another Request Identifier */
  }
  if (m->x.nth < 12) {
    return MAY(FAULT, 0x0100);
  }
  if (m->x.nth < 20) {
    const uint64_t base = HIGH & ~UINT64_C(7);
    const uint16_t word = outside(be(&is[12], 8), 8, base, 8 * OPS, 0x0104, 0x0101);
    if (word != 0) {
      return MAY(FAULT, word);
    }
    return (be(&is[12], 8) - base) % 8 != 0 ? MAY(FAULT, 0x0207) : ONLY(HIDDEN);
  }
  return ONLY(HIDDEN | NO_EFFECT); /* operands */
}

/* An FPDU, CRCs not in use. */
static verdict of_unprotected(const spoilt *m) {
  const bool invalidates = opcode(&m->x) == 4 || opcode(&m->x) == 6;
  switch (m->x.f) {
  case F_MARKER: /* RESERVED and the two low bits mean nothing: RFC 5044 4.2 */
    return m->x.nth == 2 || (m->x.nth == 3 && (m->with & 0xFC) != 0) ? MAY(FAULT, 0x2003)
                                                                     : ONLY(NO_EFFECT);
  case F_LENGTH: /* the framing is lost, and nothing protects it: RFC 5044 4.4 */
    return MAY(HIDDEN | LATE | STALL | UNREADABLE | ANSWERED | NO_EFFECT, ANY_WORD);
  case F_DDP_CONTROL: return of_ddp_control(m);
  case F_RDMAP_CONTROL: return of_rdmap_control(m);
  case F_STAG: return m->x.len > 14 ? MAY(FAULT, 0x1100) : ONLY(NO_EFFECT);
  case F_TO: return of_tagged_offset(m);
  case F_INVALIDATE: return invalidates && last(&m->x) ? MAY(FAULT, 0x0209) : ONLY(NO_EFFECT);
  case F_QN: return be(&m->ulpdu[6], 4) > 3 ? MAY(FAULT, 0x1201) : MAY(FAULT, 0x0206);
  case F_MSN: return of_msn(m);
  case F_MO: return MAY(FAULT, 0x1204);
  case F_READ_REQ: return of_read_request(m);
  case F_ATOMIC_REQ: return of_atomic_request(m);
  case F_ATOMIC_RESP: return m->x.nth < 4 ? MAY(FAULT, 0x02FF) : ONLY(HIDDEN);
  case F_IMMEDIATE: return ONLY(HIDDEN); /* other octets are reported to the ULP */
  case F_PAYLOAD: return ONLY(ONE_OCTET);
  case F_PAD:
  case F_CRC: return ONLY(NO_EFFECT);
  case F_STARTUP:
  case NUM_FIELDS: break;
  }
  return ONLY(0);
}

static verdict refused(size_t who, iwarp_err err) {
  return (verdict){.effects = NO_START, .err = err, .refuses = who};
}

/* Octet 16, one bit of it. RFC 5044 7.1.1, RFC 6581 6 and 10 */
static verdict of_flags(const spoilt *m) {
  const size_t to = 1 - m->from;
  const bool enhanced = m->v->cfg[0].rev == 2;
  if (m->with == 0x20 && m->from == 1) {
    return refused(0, IWARP_OK); /* R of a Reply: rejected, which is no error */
  }
  if (m->with == 0x10 && enhanced) {
    return refused(0, IWARP_ERR_MPA_ENHANCED); /* the Initiator sees that S does not fit */
  }
  if (m->with == 0x40) { /* they agree on CRCs all the same if the other one wants them */
    return !m->v->cfg[to].no_crc ? ONLY(NO_EFFECT) : MAY(LATE | ANSWERED | STALL, 0x2002);
  }
  if (m->with == 0x80) { /* one side sends Markers, or none, and the other does not know */
    return MAY(HIDDEN | NO_EFFECT | LATE | STALL | UNREADABLE | ANSWERED, ANY_WORD);
  }
  return ONLY(NO_EFFECT);
}

/* Octet 17: 1 and, without S, 2 are for all. RFC 6581 10 */
static verdict of_rev(const spoilt *m) {
  const size_t to = 1 - m->from;
  const uint8_t was = m->v->cfg[0].rev;
  const uint8_t is = was ^ m->with;
  if (is != 1 && is != 2) {
    return refused(to, IWARP_ERR_MPA_REV);
  }
  return was == 2 ? refused(0, IWARP_ERR_MPA_ENHANCED) : ONLY(NO_EFFECT);
}

/* The end of the Private Data of a Reply is taken for FPDUs, as the Responder might send them. */
static verdict of_short_reply(const spoilt *m) {
  if (m->v->crc) {
    return MAY(LATE | STALL, 0x2002);
  }
  return MAY(HIDDEN | LATE | STALL | UNREADABLE | ANSWERED, ANY_WORD);
}

static verdict of_startup(const spoilt *m, const uint8_t *wire) {
  const size_t to = 1 - m->from;
  uint8_t length[2] = {wire[18], wire[19]};
  if (m->x.nth < 16) {
    return refused(to, IWARP_ERR_MPA_KEY);
  }
  if (m->x.nth < 18) {
    return m->x.nth == 16 ? of_flags(m) : of_rev(m);
  }
  if (m->x.nth < 20) {
    const uint64_t was = be(length, 2);
    length[m->x.nth - 18] ^= m->with;
    const uint64_t is = be(length, 2);
    if (is > was && is <= 512) {
      return refused(to, to == 0 ? IWARP_ERR_ABORTED
                                 : IWARP_ERR_LOST); /* it waits, see endpoint_pair_drop */
    }
    const bool bare = m->v->cfg[0].rev == 2 && is < 4;
    if (m->from == 1 && !bare && is < was) {
      return of_short_reply(m);
    }
    return refused(to, bare ? IWARP_ERR_MPA_ENHANCED : IWARP_ERR_MPA_PD_LENGTH);
  }
  if (m->x.nth < 24 && m->v->cfg[0].rev == 2) { /* other terms, not always compatible ones */
    return MAY(NO_EFFECT | HIDDEN | LATE | ANSWERED | STALL, 0x2006, 0x2007, 0x1202);
  }
  return ONLY(NO_EFFECT); /* Private Data are the ULP's */
}

static verdict foresee(const spoilt *m, const uint8_t *wire) {
  if (m->x.f == F_STARTUP) {
    return of_startup(m, wire);
  }
  if (!m->v->crc) {
    return of_unprotected(m);
  }
  if (m->x.f == F_LENGTH) { /* the CRC is looked for elsewhere, perhaps after the end */
    return MAY(LATE | STALL, 0x2002);
  }
  return MAY(FAULT, 0x2002);
}

/* ---- what came of it ---- */

static bool same_log(const history *a, const history *b, size_t who) {
  return a->log[who].num == b->log[who].num &&
         memcmp(a->log[who].notes, b->log[who].notes, a->log[who].num * sizeof(note)) == 0;
}

static size_t differing(const history *a, const history *b, size_t who) {
  size_t n = 0;
  for (size_t i = 0; i < MEM; i++) {
    n += a->p->s[who].h->mem[i] != b->p->s[who].h->mem[i] ? 1 : 0;
  }
  return n;
}

static bool has_word(const verdict *v, uint16_t word) {
  for (size_t i = 0; i < sizeof v->words / sizeof v->words[0]; i++) {
    if (word != 0 && (v->words[i] == word || v->words[i] == ANY_WORD)) {
      return true;
    }
  }
  return false;
}

static bool well(const history *h) {
  return h->p->s[0].h->over && h->p->s[1].h->over && h->p->s[0].h->closed.err == IWARP_OK &&
         h->p->s[1].h->closed.err == IWARP_OK && h->p->s[0].h->word == 0 &&
         h->p->s[1].h->word == 0 && !h->p->s[0].h->terminated && !h->p->s[1].h->terminated;
}

/* Placed is what was to be placed: each octet is as at first, or as it should be in the end. */
static bool nothing_foreign(const history *base, const history *h, size_t who) {
  for (size_t i = 0; i < MEM; i++) {
    const uint8_t is = h->p->s[who].h->mem[i];
    if (is != h->first[who][i] && is != base->p->s[who].h->mem[i]) {
      return false;
    }
  }
  return true;
}

/* Nothing is written between the areas, nor to what only this side may write. */
static bool guarded(const history *h, size_t who) {
  static const size_t ends[] = {TARGET, SINK, NUMBERS, BUFFERS, WINDOWS};
  const uint8_t *mem = h->p->s[who].h->mem;
  bool intact = memcmp(&mem[SOURCE], pool, AREA) == 0;
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    intact = intact && memcmp(&mem[ends[i] - GUARD], &h->first[who][ends[i] - GUARD], GUARD) == 0;
  }
  return intact;
}

/* What was reported before the fault is what would have been reported without it. */
static bool prefix_log(const history *base, const history *h, size_t who) {
  const side_log *l = &h->log[who];
  for (size_t i = 0; i < l->num && l->notes[i].kind != IWARP_ENDPOINT_EVENT_FAULT; i++) {
    if (i >= base->log[who].num || memcmp(&l->notes[i], &base->log[who].notes[i], sizeof(note))) {
      return false;
    }
  }
  return true;
}

/* The Terminate says the same as the fault. */
static bool reported_peer(const history *h, size_t who) {
  const ep_host *s = h->p->s[who].h;
  const ep_host *peer = h->p->s[1 - who].h;
  const iwarp_rdmap_term *t = &peer->term.term;
  if (!s->fault_sent) {
    return !peer->terminated;
  }
  return peer->terminated && peer->term.readable && peer->word == 0 &&
         ((unsigned)t->layer << 12 | (unsigned)t->etype << 8 | t->code) == s->word;
}

/* The headers that came back are those of the segment that was spoilt. */
static bool right_headers(const spoilt *m, const history *h) {
  const ep_host *peer = h->p->s[m->from].h;
  const uint16_t word = h->p->s[1 - m->from].h->word;
  const iwarp_rdmap_term *t = &peer->term.term;
  const size_t hdr = (m->ulpdu[0] & 0x80) != 0 ? 14 : 18;
  const bool read = word >> 8 == 1 && (m->ulpdu[1] & 0x0F) == 1;
  if (!h->p->s[1 - m->from].h->fault_sent) {
    return true;
  }
  if (word >> 12 == 2 || word == 0x1000) {
    return !t->m && !t->d && !t->r;
  }
  return t->m && t->d && t->r == read && t->ddp_segment_length == m->x.len &&
         t->ddp_header.len == hdr &&
         memcmp(peer->term_octets, m->ulpdu, hdr + (read ? 28u : 0u)) == 0;
}

static bool was_fault(const spoilt *m, const verdict *v, const history *base, const history *h) {
  const size_t to = 1 - m->from;
  const ep_host *s = h->p->s[to].h;
  const bool fence = to == 1 && m->x.first && s->word >> 12 == 2; /* RFC 5044 7.1.2 */
  return has_word(v, s->word) && s->fault_sent == !fence && reported_peer(h, to) &&
         prefix_log(base, h, to) && nothing_foreign(base, h, to) && right_headers(m, h);
}

static unsigned what_came(const spoilt *m, const verdict *v, const history *base,
                          const history *h) {
  const size_t to = 1 - m->from;
  const ep_host *s = h->p->s[to].h;
  const ep_host *from = h->p->s[m->from].h;
  const bool same = same_log(base, h, 0) && same_log(base, h, 1);
  const size_t differ = differing(base, h, 0) + differing(base, h, 1);
  unsigned e = 0;
  if (well(h)) {
    e |= same && differ == 0 ? NO_EFFECT : HIDDEN;
    e |= same && differ == 1 && differing(base, h, to) == 1 ? ONE_OCTET : 0;
    return e;
  }
  if (s->word != 0) {
    e |= was_fault(m, v, base, h) ? FAULT : 0;
    e |= has_word(v, s->word) && reported_peer(h, to) ? LATE : 0;
    return e;
  }
  if (from->word != 0) {
    return has_word(v, from->word) && reported_peer(h, m->from) ? ANSWERED : 0;
  }
  if (s->terminated && !s->term.readable) {
    return UNREADABLE;
  }
  return STALL;
}

static bool did_not_start(const verdict *v, const history *h) {
  const ep_host *s = h->p->s[v->refuses].h;
  const bool untouched = memcmp(h->p->s[0].h->mem, h->first[0], MEM) == 0 &&
                         memcmp(h->p->s[1].h->mem, h->first[1], MEM) == 0;
  if (v->err == IWARP_OK) {
    return untouched && h->p->s[0].h->over && h->p->s[0].h->closed.err == IWARP_ERR_REFUSED;
  }
  return untouched && s->over && s->closed.err == v->err;
}

/* Every operation and buffer completes, whatever happened. */
static void check_complete(const history *h, size_t who) {
  size_t recvs = 0;
  for (size_t i = 0; i < h->log[who].num; i++) {
    recvs += h->log[who].notes[i].kind == IWARP_ENDPOINT_EVENT_RECV ? 1 : 0;
  }
  expect(recvs == OPS, "side %zu: %zu receive buffers completed", who, recvs);
  expect(h->p->s[who].h->over || endpoint_pair_state(h->p, who) == IWARP_ENDPOINT_DETACHED,
         "no end");
}

/* ---- the runs ---- */

static uint64_t tally[NUM_FIELDS][2];     /* runs, by CRC */
static uint64_t by_effect[NUM_FIELDS][9]; /* unprotected ones */

static void count(const spoilt *m, unsigned came) {
  tally[m->x.f][m->v->crc]++;
  for (size_t i = 0; i < 9 && !m->v->crc; i++) {
    by_effect[m->x.f][i] += came >> i & 1;
  }
}

static void print_case(const spoilt *m, const history *h, unsigned came, size_t at) {
  printf("side %zu octet %zu ^ 0x%02x: %s %zu, opcode %u, ULPDU %zu at %zu, CRC %d\n", m->from, at,
         m->with, field_names[m->x.f], m->x.nth, opcode(&m->x), m->x.len, m->x.at, m->v->crc);
  for (size_t who = 0; who < 2; who++) {
    const ep_host *s = h->p->s[who].h;
    printf("side %zu: state %d, fault 0x%04x sent %d, terminated %d readable %d, closed %d\n", who,
           endpoint_pair_state(h->p, who), s->word, s->fault_sent, s->terminated, s->term.readable,
           s->closed.err);
  }
  printf("came 0x%x\n", came);
  fflush(stdout);
}

static void spoil(const plan *v, const history *base, size_t from, size_t at, uint8_t with) {
  static spoilt m; /* too large for the stack of some */
  const endpoint_pair_side *s = &base->p->s[from];
  m = (spoilt){.v = v, .from = from, .with = with};
  locate(&m.x, s, v->cfg[1 - from].markers, at);
  if (m.x.f == F_STARTUP && m.x.nth == 16) { /* one bit at a time */
    m.with = (uint8_t)(1u << with % 8);
  }
  memcpy(m.ulpdu, m.x.ulpdu, sizeof m.ulpdu);
  if (m.x.f >= F_DDP_CONTROL && m.x.f <= F_PAYLOAD) {
    m.ulpdu[m.x.at] ^= m.with;
  }
  const verdict due = foresee(&m, s->wire);
  history *h = history_new(v, from, at, m.with);
  unsigned came = 0;
  if ((due.effects & NO_START) != 0) {
    came = did_not_start(&due, h) ? NO_START : 0;
  } else {
    came = what_came(&m, &due, base, h);
  }
  const bool intact =
      !v->crc || m.x.f == F_STARTUP || (nothing_foreign(base, h, 0) && nothing_foreign(base, h, 1));
  if ((came & due.effects) == 0 || !intact || !guarded(h, 0) || !guarded(h, 1)) {
    print_case(&m, h, came, at);
    expect(false, "due was 0x%x with 0x%04x", due.effects, due.words[0]);
  }
  check_complete(h, 0);
  check_complete(h, 1);
  count(&m, came & due.effects);
  history_free(h);
}

static plan plan_new(prng *p) {
  static const uint32_t emss[] = {128, 160, 256, 536, 1460};
  static const iwarp_rdmap_opcode kinds[] = {
      IWARP_RDMAP_OP_WRITE,      IWARP_RDMAP_OP_READ_REQ,     IWARP_RDMAP_OP_SEND,
      IWARP_RDMAP_OP_SEND_INV,   IWARP_RDMAP_OP_SEND_SE,      IWARP_RDMAP_OP_SEND_SE_INV,
      IWARP_RDMAP_OP_IMMEDIATE,  IWARP_RDMAP_OP_IMMEDIATE_SE, IWARP_RDMAP_OP_ATOMIC_REQ,
      IWARP_RDMAP_OP_ATOMIC_REQ, IWARP_RDMAP_OP_READ_REQ,     IWARP_RDMAP_OP_WRITE};
  plan v = {.crc = prng_below(p, 3) == 0};
  const uint8_t rev = prng_below(p, 3) == 0 ? 1 : 2;
  for (size_t who = 0; who < 2; who++) {
    v.cfg[who] =
        (iwarp_endpoint_cfg){.size = sizeof v.cfg[who],
                             .role = who == 0 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER,
                             .rev = who == 0   ? rev
                                    : rev == 2 ? 2
                                               : (uint8_t)(1 + prng_below(p, 2)),
                             .markers = prng_below(p, 2) == 0,
                             .no_crc = !v.crc || prng_below(p, 2) == 0,
                             .peer_to_peer = prng_below(p, 2) == 0,
                             .rtr = (uint8_t)(1u << prng_below(p, 3)),
                             .ird = 4,
                             .ord = 4,
                             .max_ulpdu = UINT16_MAX,
                             .emss = emss[prng_below(p, 5)],
                             .pd = 7,
                             .num_sends = OPS,
                             .num_recvs = OPS,
                             .num_regions = 4 + OPS};
    v.pd_len[who] = prng_below(p, 2) == 0 ? 0 : (size_t)prng_below(p, 40);
  }
  v.cfg[1].rtr = 0;
  v.cfg[0].no_crc = v.crc ? v.cfg[0].no_crc && !v.cfg[1].no_crc : true;
  for (size_t i = 0; i < OPS; i++) {
    op *o = &v.ops[i];
    o->who = i == 0 ? 0 : (size_t)prng_below(p, 2);
    o->opcode = kinds[prng_below(p, sizeof kinds / sizeof kinds[0])];
    o->len = prng_below(p, 6) == 0 ? 0 : (uint32_t)prng_below(p, prng_below(p, 2) ? 401 : 24);
    o->swap = prng_below(p, 2) == 0;
  }
  return v;
}

#define LOTS 4
#define PLANS 200u
#define SAMPLES 40u /* octets of a side */

static void run(uint64_t seed) {
  prng p = {.state = seed};
  const plan v = plan_new(&p);
  history *base = history_new(&v, 0, 0, 0);
  expect(well(base), "the connection fails by itself: 0x%04x 0x%04x, states %d %d",
         base->p->s[0].h->word, base->p->s[1].h->word, endpoint_pair_state(base->p, 0),
         endpoint_pair_state(base->p, 1));
  for (size_t from = 0; from < 2; from++) {
    const size_t all = base->p->s[from].sent;
    for (size_t i = 0; i < SAMPLES; i++) {
      const size_t at = (size_t)prng_below(&p, prng_below(&p, 8) == 0 ? 24 : all);
      spoil(&v, base, from, at, (uint8_t)(1 + prng_below(&p, 255)));
    }
  }
  history_free(base);
}

static void check_tally(void) {
  static const char *const names[9] = {"no effect", "one octet",  "hidden",   "fault", "late",
                                       "answered",  "unreadable", "no start", "stall"};
  for (size_t f = 0; f < NUM_FIELDS; f++) {
    printf("%-15s %7" PRIu64 " with CRC, %7" PRIu64 " without:", field_names[f], tally[f][1],
           tally[f][0]);
    for (size_t i = 0; i < 9; i++) {
      if (by_effect[f][i] > 0) {
        printf(" %s %" PRIu64, names[i], by_effect[f][i]);
      }
    }
    printf("\n");
    expect(tally[f][0] > 0 && tally[f][1] > 0, "no octet of field %s was spoilt", field_names[f]);
  }
}

START_TEST(one_octet)
{
  prng p = {.state = 1};
  prng_fill(&p, pool, sizeof pool);
  property rounds = property_begin("one_octet", UINT64_C(1000000) * (unsigned)_i, PLANS);
  while (property_next(&rounds)) {
    run(rounds.seed);
  }
  if (!property_single()) {
    check_tally();
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {{one_octet, LOTS}, {NULL, 0}};
  return property_main("mutate", tests);
}
