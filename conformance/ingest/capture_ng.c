/* SPDX-License-Identifier: BSD-2-Clause */
/* pcapng files: blocks. The blocks of sections, interfaces and packets are read. */
#include "capture_priv.h"

enum {
  NG_HEAD = 8,      /* type and length of a block */
  NG_TAIL = 4,      /* length of the block, at its end */
  NG_SECTION = 16,  /* octets of a Section Header Block without head, tail and options */
  NG_INTERFACE = 8, /* octets of an Interface Description Block, counted so */
  NG_ENHANCED = 20, /* octets of an Enhanced Packet Block, counted so */
  NG_SIMPLE = 4,    /* octets of a Simple Packet Block, counted so */
  NG_OPTION = 4,    /* code and length of an option */
  NG_ALIGN = 4,     /* the length of a block is a multiple of it */
  NG_INTERFACES_FIRST = 8
};

/* Types of blocks. */
#define NG_TYPE_SECTION 0x0a0d0d0au
#define NG_TYPE_INTERFACE 1u
#define NG_TYPE_PACKET 2u
#define NG_TYPE_SIMPLE 3u
#define NG_TYPE_ENHANCED 6u

#define NG_MAGIC 0x1a2b3c4du
#define NG_SECTION_MAX (1024u * 1024u) /* octets of the first block */

/* Options of an interface. */
enum { NG_OPT_END = 0, NG_OPT_TSRESOL = 9, NG_OPT_TSOFFSET = 14 };
enum { NG_BINARY = 0x80, NG_BINARY_MAX = 63, NG_DECIMAL_MAX = 19 }; /* values of if_tsresol */

#define NG_NS UINT64_C(1000000000)

/* A block in memory, head and tail taken off. */
typedef struct ng_block {
  uint32_t type;
  const uint8_t *body;
  size_t len;
} ng_block;

/* A packet in a block, before it is looked at. */
typedef struct ng_packet {
  uint32_t interface;
  uint64_t time;
  uint32_t caplen;
  uint32_t len;
  size_t at; /* offset of the first octet in the block */
} ng_packet;

/* --- Interfaces --- */

/* Options of an interface; `_seen`: the block has the option. */
typedef struct ng_options {
  uint64_t resolution;
  uint64_t offset;
  bool binary;
  bool resolution_seen;
  bool offset_seen;
} ng_options;

static capture_result ng_resolution(capture_reader *r, ng_options *o, const uint8_t *value,
                                    uint16_t len) {
  if (len != 1 || o->resolution_seen) {
    return capture_damaged(r, "an interface whose if_tsresol cannot be read, of octets", len);
  }
  const unsigned exponent = *value & ~(unsigned)NG_BINARY;
  o->resolution_seen = true;
  o->binary = (*value & NG_BINARY) != 0;
  o->resolution = 1;
  if (exponent > (o->binary ? NG_BINARY_MAX : NG_DECIMAL_MAX)) {
    return capture_damaged(r, "an interface whose times are too fine, if_tsresol", *value);
  }
  for (unsigned i = 0; i < exponent; i++) {
    o->resolution *= o->binary ? 2 : 10;
  }
  return CAPTURE_PACKET;
}

static capture_result ng_offset(capture_reader *r, ng_options *o, const uint8_t *value,
                                uint16_t len) {
  if (len != 8 || o->offset_seen) {
    return capture_damaged(r, "an interface whose if_tsoffset cannot be read, of octets", len);
  }
  uint64_t v;
  memcpy(&v, value, sizeof v);
  o->offset_seen = true;
  o->offset = v;
  if (r->swapped) {
    o->offset = (uint64_t)capture_swap32((uint32_t)v) << 32 | capture_swap32((uint32_t)(v >> 32));
  }
  return CAPTURE_PACKET;
}

/* Reads the options at the end of an interface's block; CAPTURE_PACKET when all is well. */
static capture_result ng_read_options(capture_reader *r, ng_options *o, const uint8_t *p,
                                      size_t len) {
  capture_result result = CAPTURE_PACKET;
  while (len != 0 && result == CAPTURE_PACKET) {
    /* The length of a block is a multiple of 4. */
    const uint16_t code = capture_u16(r, p);
    const uint16_t size = capture_u16(r, p + 2);
    const size_t padded = ((size_t)size + 3) & ~(size_t)3;
    if (padded > len - NG_OPTION) {
      return capture_damaged(r, "an interface with an option that is cut short, of octets", size);
    }
    if (code == NG_OPT_END) {
      return size == 0 ? result : capture_damaged(r, "an end of options that has octets", size);
    }
    if (code == NG_OPT_TSRESOL) {
      result = ng_resolution(r, o, p + NG_OPTION, size);
    } else if (code == NG_OPT_TSOFFSET) {
      result = ng_offset(r, o, p + NG_OPTION, size);
    }
    p += NG_OPTION + padded;
    len -= NG_OPTION + padded;
  }
  return result;
}

static bool ng_grow(capture_reader *r) {
  if (r->num_interfaces < r->room) {
    return true;
  }
  const size_t room = r->room == 0 ? NG_INTERFACES_FIRST : 2 * r->room;
  capture_interface *more = r->alloc.get(r->alloc.ctx, room * sizeof *more);
  if (more == NULL) {
    return false;
  }
  if (r->interfaces != NULL) {
    memcpy(more, r->interfaces, r->num_interfaces * sizeof *more);
    r->alloc.put(r->alloc.ctx, r->interfaces, r->room * sizeof *r->interfaces);
  }
  r->interfaces = more;
  r->room = room;
  return true;
}

static capture_interface ng_times_of(const ng_options *o) {
  /* Whole seconds can be so many that they have a sign in libpcap. */
  const bool simple = !o->binary && o->resolution > 1 && o->resolution <= NG_NS && o->offset == 0;
  return (capture_interface){.factor = simple ? NG_NS / o->resolution : 0,
                             .resolution = o->resolution,
                             .offset = o->offset,
                             .binary = o->binary};
}

static capture_result ng_add_interface(capture_reader *r, const ng_block *b) {
  if (b->len < NG_INTERFACE) {
    return capture_damaged(r, "a block of an interface that is too short", (uint32_t)b->len);
  }
  if (r->num_interfaces == CAPTURE_INTERFACES_MAX || !ng_grow(r)) {
    return capture_damaged(r, "too many interfaces", (uint32_t)r->num_interfaces);
  }
  ng_options o = {.resolution = 1000000};
  const capture_result result =
      ng_read_options(r, &o, b->body + NG_INTERFACE, b->len - NG_INTERFACE);
  capture_interface *i = &r->interfaces[r->num_interfaces++];
  *i = ng_times_of(&o);
  i->link_type = (uint16_t)capture_link(capture_u16(r, b->body));
  i->snaplen = capture_snaplen(capture_u32(r, b->body + 4));
  i->known = ingest_link_known(i->link_type);
  r->unknown = i->known || r->unknown >= 0 ? r->unknown : i->link_type;
  return result;
}

/* --- Sections --- */

/* Another section: its interfaces are others, and ng_open has learnt its byte order. */
static capture_result ng_section(capture_reader *r, const ng_block *b) {
  if (b->len < NG_SECTION) {
    return capture_damaged(r, "a block of a section that is too short", (uint32_t)b->len);
  }
  if (capture_u16(r, b->body + 4) != 1) {
    return capture_damaged(r, "a section of another version", capture_u16(r, b->body + 4));
  }
  r->num_interfaces = 0;
  return CAPTURE_PACKET;
}

/* The first block, which says the byte order of all others; returns its length or 0. */
static size_t ng_first(capture_reader *r, const uint8_t *data, size_t len) {
  if (capture_u32(r, data) != NG_TYPE_SECTION || !capture_magic(r, data + NG_HEAD, NG_MAGIC)) {
    return 0;
  }
  const uint32_t total = capture_u32(r, data + 4);
  const uint16_t minor = capture_u16(r, data + NG_HEAD + 6);
  const bool known = capture_u16(r, data + NG_HEAD + 4) == 1 && (minor == 0 || minor == 2);
  const bool sound = total >= NG_HEAD + NG_SECTION + NG_TAIL && total <= NG_SECTION_MAX;
  r->want = known && sound && total > len ? total : 0;
  return known && sound && total <= len ? total : 0;
}

/* --- Blocks --- */

/* Learns the byte order of a section, which its length has already. The number for the type of such
 * a block is the same in both. CAPTURE_PACKET when all is well. */
static capture_result ng_order(capture_reader *r, const uint8_t *data, size_t len) {
  if (len < NG_HEAD + sizeof(uint32_t)) {
    return capture_want(r, NG_HEAD + sizeof(uint32_t));
  }
  return capture_magic(r, data + NG_HEAD, NG_MAGIC)
             ? CAPTURE_PACKET
             : capture_damaged(r, "a section of no byte order, which begins with",
                               capture_u32(r, data + NG_HEAD));
}

/* Takes the block at `data`; CAPTURE_PACKET when all of it is there. */
static capture_result ng_open(capture_reader *r, const uint8_t *data, size_t len, ng_block *b) {
  if (len < NG_HEAD) {
    return capture_want(r, NG_HEAD);
  }
  if (capture_u32(r, data) == NG_TYPE_SECTION) {
    const capture_result order = ng_order(r, data, len);
    if (order != CAPTURE_PACKET) {
      return order;
    }
  }
  const uint32_t total = capture_u32(r, data + 4);
  if (total < NG_HEAD + NG_TAIL || total % 4 != 0 || total > CAPTURE_BLOCK_MAX) {
    return capture_damaged(r, "a block of a length that no block has", total);
  }
  if (len < total) {
    return capture_want(r, total);
  }
  const uint32_t again = capture_u32(r, data + total - NG_TAIL);
  if (again != total) {
    return capture_damaged(r, "a block whose two lengths differ, the second one", again);
  }
  *b = (ng_block){capture_u32(r, data), data + NG_HEAD, total - NG_HEAD - NG_TAIL};
  return CAPTURE_PACKET;
}

size_t capture_ng_begin(capture_reader *r, const uint8_t *data, size_t len) {
  size_t at = ng_first(r, data, len);
  r->ng = at != 0;
  ng_block b = {.type = 0};
  while (r->ng && b.type != NG_TYPE_INTERFACE) {
    const capture_result result = ng_open(r, data + at, len - at, &b);
    r->want += result == CAPTURE_MORE ? at : 0;
    if (result != CAPTURE_PACKET || b.type == NG_TYPE_PACKET || b.type == NG_TYPE_SIMPLE ||
        b.type == NG_TYPE_ENHANCED) {
      return 0;
    }
    at += b.len + NG_HEAD + NG_TAIL;
  }
  if (!r->ng || b.len < NG_INTERFACE) {
    return 0;
  }
  capture_set_link(r, capture_u16(r, b.body), capture_u32(r, b.body + 4));
  return ng_add_interface(r, &b) == CAPTURE_PACKET ? at : 0;
}

/* --- Packets --- */

static uint64_t ng_time(const capture_interface *i, uint64_t units) {
  if (i->factor != 0) {
    return units * i->factor;
  }
  /* As libpcap does it, and what is left of a time before 1970 as in a pcap file. */
  const uint64_t seconds = units / i->resolution + i->offset;
  uint64_t ns = units % i->resolution;
  ns = i->binary || i->resolution <= NG_NS ? ns * NG_NS / i->resolution
                                           : ns / (i->resolution / NG_NS);
  return (seconds > INT64_MAX ? (uint32_t)seconds : seconds) * NG_NS + ns;
}

static uint64_t ng_units(const capture_reader *r, const uint8_t *p) {
  return (uint64_t)capture_u32(r, p) << 32 | capture_u32(r, p + 4);
}

/* Enhanced Packet Blocks and the Packet Blocks before them differ in the first four octets. */
static ng_packet ng_full(const capture_reader *r, const ng_block *b) {
  const uint32_t interface =
      b->type == NG_TYPE_PACKET ? capture_u16(r, b->body) : capture_u32(r, b->body);
  return (ng_packet){.interface = interface,
                     .time = ng_units(r, b->body + 4),
                     .caplen = capture_u32(r, b->body + 12),
                     .len = capture_u32(r, b->body + 16),
                     .at = NG_ENHANCED};
}

/* A Simple Packet Block does not say how much of the packet was captured, nor when. It is of the
 * first interface. A block that has room for more octets than the snapshot length holds more. */
static ng_packet ng_simple(const capture_reader *r, const ng_block *b) {
  const uint32_t len = capture_u32(r, b->body);
  const uint32_t snaplen = r->num_interfaces > 0 ? r->interfaces[0].snaplen : 0;
  const uint32_t room = (uint32_t)b->len - NG_SIMPLE;
  const uint32_t most = room > snaplen && room - snaplen >= NG_ALIGN ? room : snaplen;
  return (ng_packet){.len = len, .caplen = len < most ? len : most, .at = NG_SIMPLE};
}

static capture_result ng_give(capture_reader *r, const ng_block *b, const ng_packet *p,
                              ingest_packet *out) {
  if (p->interface >= r->num_interfaces) {
    return capture_damaged(r, "a packet of an interface that is not described", p->interface);
  }
  if (p->caplen > b->len - p->at) {
    return capture_damaged(r, "more octets of a packet than its block has", p->caplen);
  }
  const capture_interface *i = &r->interfaces[p->interface];
  r->any = r->any || i->known;
  *out = (ingest_packet){.data = b->body + p->at,
                         .caplen = p->caplen,
                         .len = p->len,
                         .link_type = i->link_type,
                         .tunnels = r->tunnels,
                         .time_ns = ng_time(i, p->time)};
  return CAPTURE_PACKET;
}

static capture_result ng_take_packet(capture_reader *r, const ng_block *b, ingest_packet *out) {
  const bool simple = b->type == NG_TYPE_SIMPLE;
  if (b->len < (simple ? NG_SIMPLE : NG_ENHANCED)) {
    return capture_damaged(r, "a block of a packet that is too short", (uint32_t)b->len);
  }
  const ng_packet p = simple ? ng_simple(r, b) : ng_full(r, b);
  return ng_give(r, b, &p, out);
}

/* Takes a block; *found when it holds a packet. */
static capture_result ng_take(capture_reader *r, const ng_block *b, ingest_packet *out,
                              bool *found) {
  switch (b->type) {
  case NG_TYPE_ENHANCED:
  case NG_TYPE_PACKET:
  case NG_TYPE_SIMPLE: *found = true; return ng_take_packet(r, b, out);
  case NG_TYPE_INTERFACE: return ng_add_interface(r, b);
  case NG_TYPE_SECTION: return ng_section(r, b);
  default: return CAPTURE_PACKET;
  }
}

ING_NOINLINE capture_result capture_ng_next(capture_reader *r, const uint8_t *data, size_t len,
                                            ingest_packet *out, size_t *used) {
  for (bool found = false; !found;) {
    ng_block b;
    capture_result result = ng_open(r, data + *used, len - *used, &b);
    if (result == CAPTURE_PACKET) {
      *used += b.len + NG_HEAD + NG_TAIL;
      r->blocks++;
      result = ng_take(r, &b, out, &found);
    }
    if (result != CAPTURE_PACKET) {
      return result;
    }
  }
  return CAPTURE_PACKET;
}
