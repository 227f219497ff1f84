/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of RFC 1951 and RFC 1952, in pieces of any size. Input is taken octet by octet, and
 * only if the next step needs it, so that an error stands where zlib finds it. */
#include "zlib.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
  WINDOW = 32768,
  CODE_MAX = 15,       /* bits of a code */
  FAST_BITS = 10,      /* bits of a code that one look into a table decodes */
  LITERALS = 288,      /* symbols of literals and lengths */
  LITERALS_USED = 286, /* symbols that may occur */
  DISTANCES = 32,
  DISTANCES_USED = 30,
  LENGTHS = 19,   /* symbols of the lengths of codes */
  END = 256,      /* symbol of the end of a block */
  PAIR_BITS = 48, /* the longest pair of a length and a distance: 15 + 5 + 15 + 13 */
  MATCH_MAX = 258,
  INVALID = 511 /* no symbol */
};

/* A code: for the next FAST_BITS bits the symbol and the bits that it has, or 0 bits for a longer
 * one; and how many codes of each length there are, with the symbols in their order. */
typedef struct code {
  uint16_t fast[1u << FAST_BITS]; /* symbol << 4 | bits */
  uint16_t count[CODE_MAX + 1];
  uint16_t symbols[LITERALS];
} code;

typedef enum step {
  STEP_MAGIC = 0,
  STEP_METHOD,
  STEP_TIME,
  STEP_SYSTEM,
  STEP_EXTRA_LEN,
  STEP_EXTRA,
  STEP_NAME,
  STEP_COMMENT,
  STEP_HEADER_CRC,
  STEP_BLOCK,
  STEP_STORED_LEN,
  STEP_STORED,
  STEP_TABLE,
  STEP_CODE_LENGTHS,
  STEP_LENGTHS,
  STEP_SYMBOL,
  STEP_COPY,
  STEP_CRC,
  STEP_SIZE,
  STEP_DONE,
  STEP_BAD
} step;

struct inflate_state {
  step step;
  uint64_t hold; /* bits that were taken and not used, the next one lowest */
  unsigned int bits;
  unsigned int flags; /* flags of the header */
  bool last;          /* this is the last block */
  size_t left;        /* octets of an extra field, a stored block or a copy */
  size_t distance;
  unsigned int num_literals;
  unsigned int num_distances;
  unsigned int num_lengths;
  unsigned int have; /* lengths that were read */
  uint8_t lengths[LITERALS + DISTANCES];
  code literal; /* code of literals, and of the lengths of codes */
  code dist;
  uint32_t crc;    /* CRC of the output */
  uint32_t header; /* CRC of the header */
  uint32_t size;   /* octets of the output */
  size_t window_have;
  size_t window_next;
  uint8_t window[WINDOW];
  uint32_t crc_table[256];
};

/* One call: what the stream had at first. */
typedef struct call {
  z_stream *z;
  struct inflate_state *s;
  Bytef *out; /* the first octet of output */
  bool moved; /* something was taken or made */
} call;

static const uint16_t length_base[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                       67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t distance_base[] = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const uint8_t distance_bits[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                        6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

/* ---- CRC-32 of RFC 1952 8 ---- */

static void crc_make(uint32_t table[256]) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t v = i;
    for (unsigned int bit = 0; bit < 8; bit++) {
      v = (v & 1u) != 0 ? 0xedb88320u ^ v >> 1 : v >> 1;
    }
    table[i] = v;
  }
}

static uint32_t crc_add(const uint32_t table[256], uint32_t crc, const Bytef *octets, size_t len) {
  crc = ~crc;
  for (size_t i = 0; i < len; i++) {
    crc = table[(crc ^ octets[i]) & 0xffu] ^ crc >> 8;
  }
  return ~crc;
}

/* ---- bits ---- */

/* Makes sure of so many bits; false: the input has no more. */
static bool need(call *c, unsigned int bits) {
  struct inflate_state *s = c->s;
  while (s->bits < bits && c->z->avail_in > 0) {
    s->hold |= (uint64_t)*c->z->next_in << s->bits;
    s->bits += 8;
    c->z->next_in++;
    c->z->avail_in--;
    c->moved = true;
  }
  return s->bits >= bits;
}

static uint32_t peek(const struct inflate_state *s, unsigned int bits) {
  return (uint32_t)(s->hold & ((UINT64_C(1) << bits) - 1));
}

static void drop(struct inflate_state *s, unsigned int bits) {
  s->hold >>= bits;
  s->bits -= bits;
}

static uint32_t take(struct inflate_state *s, unsigned int bits) {
  const uint32_t value = peek(s, bits);
  drop(s, bits);
  return value;
}

static bool bad(call *c, const char *message) {
  c->z->msg = message;
  c->s->step = STEP_BAD;
  return true;
}

/* ---- codes ---- */

/* Enters the code of a symbol, whose bits come highest first, into the table. */
static void code_enter(code *h, unsigned int value, unsigned int len, size_t symbol) {
  unsigned int reversed = 0;
  for (unsigned int i = 0; i < len; i++) {
    reversed |= (value >> i & 1u) << (len - 1 - i);
  }
  for (unsigned int at = reversed; at < 1u << FAST_BITS; at += 1u << len) {
    h->fast[at] = (uint16_t)(symbol << 4 | len);
  }
}

/* Codes that do not exist: with one code of one bit its other half, and everything without any. */
static void code_void(code *h) {
  for (size_t i = 0; i < sizeof h->fast / sizeof h->fast[0]; i++) {
    h->fast[i] = (uint16_t)(INVALID << 4 | 1);
  }
}

/* Makes the code of these lengths of its symbols, RFC 1951 3.2.2. False: there are too many codes,
 * or too few; `one` allows a single code of one bit. */
static bool code_make(code *h, const uint8_t *lengths, size_t num, bool one) {
  uint16_t next[CODE_MAX + 2] = {0}; /* places in `symbols` */
  unsigned int values[CODE_MAX + 2] = {0};
  int left = 1;
  memset(h, 0, sizeof *h);
  for (size_t i = 0; i < num; i++) {
    h->count[lengths[i]]++;
  }
  const bool none = h->count[0] == num;
  h->count[0] = 0;
  for (unsigned int len = 1; len <= CODE_MAX; len++) {
    left = left * 2 - (int)h->count[len];
    if (left < 0) {
      return false;
    }
    next[len + 1] = (uint16_t)(next[len] + h->count[len]);
    values[len + 1] = (values[len] + h->count[len]) << 1;
  }
  if (none || (one && h->count[1] == 1 && left == 1 << (CODE_MAX - 1))) {
    code_void(h);
  } else if (left > 0) {
    return false;
  }
  for (size_t i = 0; i < num; i++) {
    const unsigned int len = lengths[i];
    if (len > 0 && len <= FAST_BITS) {
      code_enter(h, values[len], len, i);
    }
    if (len > 0) {
      h->symbols[next[len]++] = (uint16_t)i;
      values[len]++;
    }
  }
  return true;
}

/* The symbol of a code that is longer than FAST_BITS, as symbol << 4 | bits; 0: there are not
 * enough bits. */
static unsigned int code_long(const code *h, uint64_t hold, unsigned int bits) {
  unsigned int value = 0;
  unsigned int first = 0;
  unsigned int index = 0;
  for (unsigned int len = 1; len <= CODE_MAX && len <= bits; len++) {
    value |= (unsigned int)(hold & 1u);
    hold >>= 1;
    const unsigned int count = h->count[len];
    if (value < first + count) {
      return (unsigned int)h->symbols[index + value - first] << 4 | len;
    }
    index += count;
    first = (first + count) << 1;
    value <<= 1;
  }
  return 0;
}

/* The next symbol, likewise. */
static inline unsigned int code_find(const code *h, uint64_t hold, unsigned int bits) {
  const unsigned int found = h->fast[hold & ((1u << FAST_BITS) - 1)];
  if (found == 0) {
    return code_long(h, hold, bits);
  }
  return (found & 15u) <= bits ? found : 0;
}

/* ---- output ---- */

static size_t made(const call *c) {
  return (size_t)(c->z->next_out - c->out);
}

static void put(call *c, unsigned int octet) {
  *c->z->next_out++ = (Bytef)octet;
  c->z->avail_out--;
  c->moved = true;
}

/* The octet that stood `distance` octets before the next one. */
static Bytef before(const call *c, size_t distance) {
  const struct inflate_state *s = c->s;
  if (distance <= made(c)) {
    return *(c->z->next_out - distance);
  }
  return s->window[(s->window_next + WINDOW - (distance - made(c))) % WINDOW];
}

static void copy(call *c, size_t distance, size_t len) {
  if (distance <= made(c)) {
    const Bytef *from = c->z->next_out - distance;
    for (size_t i = 0; i < len; i++) { /* source and target may overlap */
      c->z->next_out[i] = from[i];
    }
    c->z->next_out += len;
    c->z->avail_out -= (uInt)len;
    c->moved = true;
    return;
  }
  for (size_t i = 0; i < len; i++) {
    put(c, before(c, distance));
  }
}

/* Keeps the octets that later calls may copy, and counts the output. */
static void keep(call *c) {
  struct inflate_state *s = c->s;
  size_t len = made(c);
  s->crc = crc_add(s->crc_table, s->crc, c->out, len);
  s->size += (uint32_t)len;
  const Bytef *from = c->out;
  if (len > WINDOW) {
    from += len - WINDOW;
    len = WINDOW;
  }
  const size_t first = len < WINDOW - s->window_next ? len : WINDOW - s->window_next;
  memcpy(s->window + s->window_next, from, first);
  memcpy(s->window, from + first, len - first);
  s->window_next = (s->window_next + len) % WINDOW;
  s->window_have = s->window_have + len < WINDOW ? s->window_have + len : WINDOW;
  c->out = c->z->next_out;
}

/* ---- the header, RFC 1952 2.3 ---- */

enum { FLAG_CRC = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16, FLAGS_RESERVED = 0xe0 };

/* Takes octets of the header. */
static bool header(call *c, unsigned int octets, uint32_t *value) {
  struct inflate_state *s = c->s;
  if (!need(c, octets * 8)) {
    return false;
  }
  *value = take(s, octets * 8);
  const Bytef wire[4] = {(Bytef)*value, (Bytef)(*value >> 8), (Bytef)(*value >> 16),
                         (Bytef)(*value >> 24)};
  s->header = crc_add(s->crc_table, s->header, wire, octets);
  return true;
}

static bool step_magic(call *c) {
  uint32_t value;
  if (!need(c, 16)) {
    return false;
  }
  if (peek(c->s, 16) != 0x8b1f) {
    return bad(c, "incorrect header check");
  }
  (void)header(c, 2, &value);
  c->s->step = STEP_METHOD;
  return true;
}

static bool step_method(call *c) {
  uint32_t value;
  if (!header(c, 2, &value)) {
    return false;
  }
  c->s->flags = value >> 8;
  c->s->step = STEP_TIME;
  if ((value & 0xffu) != 8) {
    return bad(c, "unknown compression method");
  }
  return (c->s->flags & FLAGS_RESERVED) != 0 ? bad(c, "unknown header flags set") : true;
}

/* Takes octets whose values are not needed. */
static bool step_ignored(call *c, unsigned int octets) {
  uint32_t value;
  if (!header(c, octets, &value)) {
    return false;
  }
  c->s->step++;
  return true;
}

static bool step_extra_len(call *c) {
  uint32_t value = 0;
  if ((c->s->flags & FLAG_EXTRA) != 0 && !header(c, 2, &value)) {
    return false;
  }
  c->s->left = value;
  c->s->step = STEP_EXTRA;
  return true;
}

static bool step_extra(call *c) {
  uint32_t value;
  while (c->s->left > 0) {
    if (!header(c, 1, &value)) {
      return false;
    }
    c->s->left--;
  }
  c->s->step = STEP_NAME;
  return true;
}

/* A text that ends with an octet of zero. */
static bool step_text(call *c, unsigned int flag) {
  uint32_t value = 1;
  while ((c->s->flags & flag) != 0 && value != 0) {
    if (!header(c, 1, &value)) {
      return false;
    }
  }
  c->s->step++;
  return true;
}

static bool step_header_crc(call *c) {
  struct inflate_state *s = c->s;
  if ((s->flags & FLAG_CRC) != 0) {
    if (!need(c, 16)) {
      return false;
    }
    if (peek(s, 16) != (s->header & 0xffffu)) {
      return bad(c, "header crc mismatch");
    }
    drop(s, 16);
  }
  s->step = STEP_BLOCK;
  return true;
}

/* ---- blocks, RFC 1951 3.2 ---- */

static void fixed_codes(struct inflate_state *s) {
  uint8_t *at = s->lengths;
  memset(at, 8, 144);
  memset(at + 144, 9, 112);
  memset(at + 256, 7, 24);
  memset(at + 280, 8, 8);
  (void)code_make(&s->literal, s->lengths, LITERALS, false);
  memset(s->lengths, 5, DISTANCES);
  (void)code_make(&s->dist, s->lengths, DISTANCES, false);
}

static bool step_block(call *c) {
  struct inflate_state *s = c->s;
  if (s->last) {
    drop(s, s->bits % 8);
    s->step = STEP_CRC;
    return true;
  }
  if (!need(c, 3)) {
    return false;
  }
  s->last = take(s, 1) != 0;
  switch (take(s, 2)) {
  case 0:
    drop(s, s->bits % 8);
    s->step = STEP_STORED_LEN;
    return true;
  case 1:
    fixed_codes(s);
    s->step = STEP_SYMBOL;
    return true;
  case 2: s->step = STEP_TABLE; return true;
  default: return bad(c, "invalid block type");
  }
}

static bool step_stored_len(call *c) {
  struct inflate_state *s = c->s;
  if (!need(c, 32)) {
    return false;
  }
  const uint32_t value = peek(s, 32);
  if ((value & 0xffffu) != (~value >> 16 & 0xffffu)) {
    return bad(c, "invalid stored block lengths");
  }
  drop(s, 32);
  s->left = value & 0xffffu;
  s->step = STEP_STORED;
  return true;
}

/* No bits are held within a stored block. */
static bool step_stored(call *c) {
  struct inflate_state *s = c->s;
  size_t len = s->left < c->z->avail_in ? s->left : c->z->avail_in;
  len = len < c->z->avail_out ? len : c->z->avail_out;
  if (s->left == 0) {
    s->step = STEP_BLOCK;
    return true;
  }
  if (len == 0) {
    return false;
  }
  memcpy(c->z->next_out, c->z->next_in, len);
  c->z->next_in += len;
  c->z->avail_in -= (uInt)len;
  c->z->next_out += len;
  c->z->avail_out -= (uInt)len;
  c->moved = true;
  s->left -= len;
  return true;
}

static bool step_table(call *c) {
  struct inflate_state *s = c->s;
  if (!need(c, 14)) {
    return false;
  }
  s->num_literals = take(s, 5) + 257;
  s->num_distances = take(s, 5) + 1;
  s->num_lengths = take(s, 4) + 4;
  s->have = 0;
  s->step = STEP_CODE_LENGTHS;
  memset(s->lengths, 0, sizeof s->lengths);
  return s->num_literals > LITERALS_USED || s->num_distances > DISTANCES_USED
             ? bad(c, "too many length or distance symbols")
             : true;
}

static bool step_code_lengths(call *c) {
  static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
  struct inflate_state *s = c->s;
  while (s->have < s->num_lengths) {
    if (!need(c, 3)) {
      return false;
    }
    s->lengths[order[s->have++]] = (uint8_t)take(s, 3);
  }
  if (!code_make(&s->literal, s->lengths, LENGTHS, false)) {
    return bad(c, "invalid code lengths set");
  }
  s->have = 0;
  s->step = STEP_LENGTHS;
  return true;
}

/* Enters a length some times; false: there is no length before to be repeated, or it is too often.
 */
static bool repeat(struct inflate_state *s, unsigned int kind, unsigned int times) {
  const unsigned int num = s->num_literals + s->num_distances;
  if ((kind == 16 && s->have == 0) || s->have + times > num) {
    return false;
  }
  const uint8_t length = kind == 16 ? s->lengths[s->have - 1] : 0;
  memset(s->lengths + s->have, length, times);
  s->have += times;
  return true;
}

/* Takes one symbol of the lengths of codes, with its repetition. */
static bool step_length(call *c) {
  static const uint8_t extra[] = {2, 3, 7};
  static const uint8_t least[] = {3, 3, 11};
  struct inflate_state *s = c->s;
  unsigned int found = 0;
  while ((found = code_find(&s->literal, s->hold, s->bits)) == 0) {
    if (!need(c, s->bits + 1)) {
      return false;
    }
  }
  const unsigned int kind = found >> 4;
  const unsigned int bits = found & 15u;
  if (kind < 16 || kind == INVALID) { /* no code at all: each bit is a length of 0, as in zlib */
    drop(s, bits);
    s->lengths[s->have++] = (uint8_t)(kind == INVALID ? 0 : kind);
    return true;
  }
  if (!need(c, bits + extra[kind - 16])) {
    return false;
  }
  drop(s, bits);
  if (kind == 16 && s->have == 0) {
    return bad(c, "invalid bit length repeat");
  }
  return repeat(s, kind, least[kind - 16] + take(s, extra[kind - 16]))
             ? true
             : bad(c, "invalid bit length repeat");
}

static bool step_lengths(call *c) {
  struct inflate_state *s = c->s;
  if (s->have < s->num_literals + s->num_distances) {
    return step_length(c);
  }
  if (s->lengths[END] == 0) {
    return bad(c, "invalid code -- missing end-of-block");
  }
  if (!code_make(&s->literal, s->lengths, s->num_literals, true)) {
    return bad(c, "invalid literal/lengths set");
  }
  if (!code_make(&s->dist, s->lengths + s->num_literals, s->num_distances, true)) {
    return bad(c, "invalid distances set");
  }
  s->step = STEP_SYMBOL;
  return true;
}

/* ---- literals and copies ---- */

/* Checks the distance of a copy, and begins it. */
static bool copy_begin(call *c, size_t len, size_t distance) {
  struct inflate_state *s = c->s;
  if (distance > s->window_have + made(c)) {
    return bad(c, "invalid distance too far back");
  }
  s->left = len;
  s->distance = distance;
  s->step = STEP_COPY;
  return true;
}

static bool step_copy(call *c) {
  struct inflate_state *s = c->s;
  const size_t len = s->left < c->z->avail_out ? s->left : c->z->avail_out;
  copy(c, s->distance, len);
  s->left -= len;
  s->step = s->left == 0 ? STEP_SYMBOL : STEP_COPY;
  return s->left == 0;
}

/* The meaning of a symbol and the bits after it. */
typedef enum pair_result { PAIR_MORE, PAIR_LITERAL, PAIR_END, PAIR_COPY, PAIR_BAD } pair_result;

typedef struct pair {
  uint64_t hold;
  unsigned int bits; /* bits left after the pair, or after the fault */
  unsigned int octet;
  size_t len;
  size_t distance;
  const char *wrong;
} pair;

/* Reads the distance of a copy. */
static pair_result pair_distance(const struct inflate_state *s, pair *p) {
  const unsigned int found = code_find(&s->dist, p->hold, p->bits);
  if (found == 0) {
    return PAIR_MORE;
  }
  const unsigned int number = found >> 4;
  p->hold >>= found & 15u;
  p->bits -= found & 15u;
  if (number >= DISTANCES_USED) {
    p->wrong = "invalid distance code";
    return PAIR_BAD;
  }
  const unsigned int extra = distance_bits[number];
  if (extra > p->bits) {
    return PAIR_MORE;
  }
  p->distance = distance_base[number] + (size_t)(p->hold & ((UINT64_C(1) << extra) - 1));
  p->hold >>= extra;
  p->bits -= extra;
  return PAIR_COPY;
}

/* Reads a literal, the end of the block, or a length and a distance, of the bits that there are.
 * The state stays as it is. */
static inline pair_result pair_read(const struct inflate_state *s, pair *p) {
  const unsigned int found = code_find(&s->literal, p->hold, p->bits);
  if (found == 0) {
    return PAIR_MORE;
  }
  const unsigned int number = found >> 4;
  p->hold >>= found & 15u;
  p->bits -= found & 15u;
  if (number <= END) {
    p->octet = number;
    return number < END ? PAIR_LITERAL : PAIR_END;
  }
  if (number >= LITERALS_USED) {
    p->wrong = "invalid literal/length code";
    return PAIR_BAD;
  }
  const unsigned int extra = length_bits[number - END - 1];
  if (extra > p->bits) {
    return PAIR_MORE;
  }
  p->len = length_base[number - END - 1] + (size_t)(p->hold & ((UINT64_C(1) << extra) - 1));
  p->hold >>= extra;
  p->bits -= extra;
  return pair_distance(s, p);
}

static bool pair_take(call *c, pair_result result, const pair *p) {
  struct inflate_state *s = c->s;
  s->hold = p->hold;
  s->bits = p->bits;
  switch (result) {
  case PAIR_LITERAL: put(c, p->octet); return true;
  case PAIR_END: s->step = STEP_BLOCK; return true;
  case PAIR_COPY: return copy_begin(c, p->len, p->distance);
  case PAIR_BAD: return bad(c, p->wrong);
  case PAIR_MORE: break;
  }
  return false;
}

/* Symbols as long as input and room are certain to suffice; takes octets ahead, and gives those
 * back that were not used. */
static void symbols_fast(call *c) {
  struct inflate_state *s = c->s;
  z_stream *z = c->z;
  unsigned int ahead = 0;
  while (s->step == STEP_SYMBOL && z->avail_in >= 8 && z->avail_out >= MATCH_MAX) {
    while (s->bits < PAIR_BITS) {
      s->hold |= (uint64_t)*z->next_in++ << s->bits;
      s->bits += 8;
      z->avail_in--;
      ahead++;
    }
    pair p = {.hold = s->hold, .bits = s->bits};
    const pair_result result = pair_read(s, &p);
    (void)pair_take(c, result, &p);
    if (s->step == STEP_COPY) {
      (void)step_copy(c);
    }
  }
  while (ahead > 0 && s->bits >= 8) {
    s->bits -= 8;
    z->next_in--;
    z->avail_in++;
    ahead--;
  }
  s->hold &= (UINT64_C(1) << s->bits) - 1;
  c->moved = c->moved || ahead > 0;
}

/* One symbol, with as few octets of input as there can be. */
static bool step_symbol(call *c) {
  struct inflate_state *s = c->s;
  symbols_fast(c);
  if (s->step != STEP_SYMBOL) {
    return true;
  }
  if (c->z->avail_out == 0) {
    return false;
  }
  pair p = {.hold = s->hold, .bits = s->bits};
  pair_result result = pair_read(s, &p);
  while (result == PAIR_MORE) {
    if (!need(c, s->bits + 1)) {
      return false;
    }
    p = (pair){.hold = s->hold, .bits = s->bits};
    result = pair_read(s, &p);
  }
  return pair_take(c, result, &p);
}

/* ---- the trailer ---- */

static bool step_trailer(call *c) {
  struct inflate_state *s = c->s;
  const bool crc = s->step == STEP_CRC;
  if (!need(c, 32)) {
    return false;
  }
  keep(c);
  if (peek(s, 32) != (crc ? s->crc : s->size)) {
    return bad(c, crc ? "incorrect data check" : "incorrect length check");
  }
  drop(s, 32);
  s->step++;
  return true;
}

/* ---- the stream ---- */

/* Does the next step; false: it needs more input or room. */
static bool advance(call *c) {
  switch (c->s->step) {
  case STEP_MAGIC: return step_magic(c);
  case STEP_METHOD: return step_method(c);
  case STEP_TIME: return step_ignored(c, 4);
  case STEP_SYSTEM: return step_ignored(c, 2);
  case STEP_EXTRA_LEN: return step_extra_len(c);
  case STEP_EXTRA: return step_extra(c);
  case STEP_NAME: return step_text(c, FLAG_NAME);
  case STEP_COMMENT: return step_text(c, FLAG_COMMENT);
  case STEP_HEADER_CRC: return step_header_crc(c);
  case STEP_BLOCK: return step_block(c);
  case STEP_STORED_LEN: return step_stored_len(c);
  case STEP_STORED: return step_stored(c);
  case STEP_TABLE: return step_table(c);
  case STEP_CODE_LENGTHS: return step_code_lengths(c);
  case STEP_LENGTHS: return step_lengths(c);
  case STEP_SYMBOL: return step_symbol(c);
  case STEP_COPY: return step_copy(c);
  case STEP_CRC:
  case STEP_SIZE: return step_trailer(c);
  case STEP_DONE:
  case STEP_BAD: break;
  }
  return false;
}

int inflate(z_stream *z, int flush) {
  call c = {.z = z, .s = z->state, .out = z->next_out};
  (void)flush;
  while (advance(&c)) {
  }
  keep(&c);
  if (z->state->step == STEP_DONE) {
    return Z_STREAM_END;
  }
  if (z->state->step == STEP_BAD) {
    return Z_DATA_ERROR;
  }
  return c.moved ? Z_OK : Z_BUF_ERROR;
}

int inflateReset(z_stream *z) {
  struct inflate_state *s = z->state;
  s->step = STEP_MAGIC;
  s->hold = 0;
  s->bits = 0;
  s->last = false;
  s->crc = s->header = s->size = 0;
  s->window_have = s->window_next = 0;
  z->msg = NULL;
  return Z_OK;
}

int inflateInit2(z_stream *z, int window) {
  (void)window;
  z->state = calloc(1, sizeof *z->state);
  if (z->state == NULL) {
    return Z_MEM_ERROR;
  }
  crc_make(z->state->crc_table);
  return inflateReset(z);
}

int inflateEnd(z_stream *z) {
  free(z->state);
  z->state = NULL;
  return Z_OK;
}

const char *zError(int error) {
  (void)error;
  return "stream error";
}
