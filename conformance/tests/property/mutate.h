/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection of which one octet is spoilt: what it does, what the octet is, and what must come of
 * it. */
#ifndef MUTATE_H
#define MUTATE_H

#include "endpoint_pair.h"

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

/* Any two differ in all octets, so that a spoilt one differs from all of them. */
#define STAG_SOURCE 0x01010101u
#define STAG_TARGET 0x02020202u
#define STAG_SINK 0x03030303u
#define STAG_NUMBERS 0x04040404u
#define STAG_WINDOW 0x11111111u        /* and multiples */
#define HIGH (UINT64_MAX - AREA - 100) /* base: a spoilt TO may wrap */

#define LOG 128u
#define ANY_WORD 0xFFFFu

/* ---- a connection: mutate_history.c ---- */

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

extern uint8_t mutate_pool[AREA + SLOT]; /* payload of all operations */

/* mutate_history_new lets a connection take place; the octet at `at` of what `side` sends is
 * XORed with `with`. */
history *mutate_history_new(const plan *v, size_t side, size_t at, uint8_t with);
void mutate_history_free(history *h);

/* ---- what an octet of the stream is: mutate_octet.c ---- */

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

extern const char *const mutate_field_names[NUM_FIELDS];

typedef struct place {
  field f;
  size_t nth;           /* octet of the field, the header or the payload */
  bool first;           /* FPDU of the stream */
  bool begun;           /* the message was begun by a segment before */
  size_t len;           /* ULPDU */
  uint8_t ulpdu[66000]; /* as sent */
  size_t at;            /* octet of the ULPDU, if it is one */
} place;

void mutate_locate(place *x, const endpoint_pair_side *s, bool markers, size_t at);

static inline uint64_t be(const uint8_t *octets, size_t n) {
  uint64_t v = 0;
  for (size_t i = 0; i < n; i++) {
    v = v << 8 | octets[i];
  }
  return v;
}

static inline bool tagged(const place *x) {
  return (x->ulpdu[0] & 0x80) != 0;
}

static inline bool last(const place *x) {
  return (x->ulpdu[0] & 0x40) != 0;
}

static inline unsigned opcode(const place *x) {
  return x->ulpdu[1] & 0x0F;
}

/* ---- what must come of it: mutate_effect.c ---- */

/* One way in which it may end. */
typedef enum effect {
  NO_EFFECT = 1,   /* nothing differs */
  ONE_OCTET = 2,   /* one octet of memory differs */
  HIDDEN = 4,      /* no rule can see it; the difference lies in the buffers and regions */
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

verdict mutate_foresee(const spoilt *m, const uint8_t *wire);

#endif
