/* SPDX-License-Identifier: BSD-2-Clause */
/* A decoder of its own: one octet after the other, fields by a table that is written here. */
#include "slow.h"

#include <string.h>

#include "crc_oracle.h"
#include "field_bind.h"
#include <iwarp/field.h>

#define MARKER_EVERY 512u
#define MARKER_LEN 4u
#define FRAME_LEN 20u

/* ---- the startup frame ---- */

static bool key_is(iwarp_span stream, const char *key) {
  return stream.len >= FRAME_LEN && memcmp(stream.ptr, key, 16) == 0;
}

slow_frame slow_frame_of(iwarp_span stream) {
  slow_frame f = {.reply = key_is(stream, "MPA ID Rep Frame")};
  if (!f.reply && !key_is(stream, "MPA ID Req Frame")) {
    return f;
  }
  const uint8_t flags = stream.ptr[16];
  const uint8_t rev = stream.ptr[17];
  f.markers = (flags & 0x80u) != 0;
  f.crc = (flags & 0x40u) != 0;
  f.reject = (flags & 0x20u) != 0;
  f.len = FRAME_LEN + ((size_t)stream.ptr[18] << 8 | stream.ptr[19]);
  /* Without room for the enhanced data the end of the frame is unknown, RFC 6581 6. */
  const bool torn = rev == 2 && (flags & 0x10u) != 0 && f.len < FRAME_LEN + 4;
  f.is_there = (rev == 1 || rev == 2) && f.len <= stream.len && !torn;
  return f;
}

/* ---- FPDUs ---- */

/* Takes the next octet that does not belong to a Marker. */
static bool take(slow_stream *s, uint8_t *out) {
  if (s->markers && s->at % MARKER_EVERY == 0) {
    s->at += MARKER_LEN;
  }
  if (s->at >= s->octets.len) {
    return false;
  }
  *out = s->octets.ptr[s->at++];
  return true;
}

static bool take_all(slow_stream *s, uint8_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!take(s, &out[i])) {
      return false;
    }
  }
  return true;
}

/* CRC32c an octet at a time, from a table that the definition makes. */
static uint32_t slow_crc(const uint8_t *octets, size_t n) {
  static uint32_t after[256]; /* this octet, with a remainder of 0; only octet 0 leaves none */
  uint32_t rem = UINT32_MAX;
  for (unsigned v = 0; v < 256 && after[255] == 0; v++) {
    const uint8_t octet = (uint8_t)v;
    after[v] = ~crc_oracle(UINT32_MAX, &octet, 1);
  }
  for (size_t i = 0; i < n; i++) {
    rem = rem >> 8 ^ after[(rem ^ octets[i]) & 0xFFu];
  }
  return ~rem;
}

bool slow_next(slow_fpdu *out, slow_stream *s) {
  const size_t begin = s->at;
  uint8_t length[2];
  uint8_t pad[3];
  uint8_t crc[4];
  if (!take_all(s, length, sizeof length)) {
    return false;
  }
  out->at = s->at - sizeof length;
  out->len = (uint16_t)(length[0] << 8 | length[1]);
  if (!take_all(s, out->ulpdu, out->len) || !take_all(s, pad, (4u - (out->len + 2u) % 4u) % 4u)) {
    return false;
  }
  if (s->markers && s->at % MARKER_EVERY == 0) { /* the CRC covers the Marker */
    s->at += MARKER_LEN;
  }
  if (s->at > s->octets.len) {
    return false;
  }
  out->crc_due = slow_crc(s->octets.ptr + begin, s->at - begin);
  if (!take_all(s, crc, sizeof crc)) {
    return false;
  }
  out->crc = (uint32_t)crc[3] << 24 | (uint32_t)crc[2] << 16 | (uint32_t)crc[1] << 8 | crc[0];
  out->end = s->at;
  return true;
}

/* ---- fields: RFC 5041 4, RFC 5040 4, RFC 7306 5 and 6 ---- */

typedef struct row {
  const char *path;
  unsigned bit; /* offset in bits from the first octet of the header */
  unsigned bits;
} row;

static const row ddp_tagged[] = {{"ddp.tagged", 0, 1}, {"ddp.last", 1, 1},    {"ddp.rsvd", 2, 4},
                                 {"ddp.dv", 6, 2},     {"ddp.rsvdulp", 8, 8}, {"ddp.stag", 16, 32},
                                 {"ddp.to", 48, 64},   {NULL, 0, 0}};
static const row ddp_untagged[] = {{"ddp.tagged", 0, 1},  {"ddp.last", 1, 1},
                                   {"ddp.rsvd", 2, 4},    {"ddp.dv", 6, 2},
                                   {"ddp.rsvdulp", 8, 8}, {"ddp.invalidate_stag", 16, 32},
                                   {"ddp.qn", 48, 32},    {"ddp.msn", 80, 32},
                                   {"ddp.mo", 112, 32},   {NULL, 0, 0}};
static const row control[] = {
    {"rdmap.rv", 0, 2}, {"rdmap.rsv", 2, 2}, {"rdmap.opcode", 4, 4}, {NULL, 0, 0}};
static const row read_request[] = {
    {"read_request.sink_stag", 0, 32},   {"read_request.sink_to", 32, 64},
    {"read_request.size", 96, 32},       {"read_request.source_stag", 128, 32},
    {"read_request.source_to", 160, 64}, {NULL, 0, 0}};
static const row atomic_request[] = {{"atomic_request.reserved", 0, 28},
                                     {"atomic_request.opcode", 28, 4},
                                     {"atomic_request.request_id", 32, 32},
                                     {"atomic_request.stag", 64, 32},
                                     {"atomic_request.to", 96, 64},
                                     {"atomic_request.add_swap_data", 160, 64},
                                     {"atomic_request.add_swap_mask", 224, 64},
                                     {"atomic_request.compare_data", 288, 64},
                                     {"atomic_request.compare_mask", 352, 64},
                                     {NULL, 0, 0}};
static const row atomic_response[] = {
    {"atomic_response.request_id", 0, 32}, {"atomic_response.original", 32, 64}, {NULL, 0, 0}};

static uint64_t number(const uint8_t *octets, const row *r) {
  uint64_t v = 0;
  for (unsigned i = r->bit; i < r->bit + r->bits; i++) {
    v = v << 1 | (octets[i / 8] >> (7 - i % 8) & 1u);
  }
  return v;
}

/* The id of the field of a form that has this path. */
static uint16_t field_of(iwarp_form form, const char *path) {
  const iwarp_form_info *info = iwarp_form_get(form);
  for (size_t i = 0; i < info->num_fields; i++) {
    if (strcmp(info->fields[i].path, path) == 0) {
      return info->fields[i].id;
    }
  }
  fuzz_fail(__FILE__, __LINE__, "there is no field %s", path);
}

static void same(iwarp_form form, const row *rows, const uint8_t *octets, const void *value) {
  for (; rows->path != NULL; rows++) {
    const uint64_t v = field_bind_get(field_bind_of(field_of(form, rows->path)), value);
    fuzz_expect(v == number(octets, rows), "%s: %llx, is %llx", rows->path, (unsigned long long)v,
                (unsigned long long)number(octets, rows));
  }
}

static void inner(const slow_fpdu *f, size_t at, const iwarp_rdmap_seg *seg) {
  const uint8_t *octets = &f->ulpdu[at];
  const size_t left = f->len - at;
  const bool first = !seg->ddp.tagged && seg->ddp.mo == 0;
  switch (f->ulpdu[1] & 15u) {
  case 1:
    fuzz_expect((seg->kind == IWARP_RDMAP_KIND_READ_REQ) == (first && left >= 28), "Read Request");
    if (seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
      same(IWARP_FORM_RDMAP_READ_REQ, read_request, octets, &seg->u.read_req);
    }
    return;
  case 10:
    fuzz_expect((seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ) == (first && left >= 52), "Atomic");
    if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ) {
      same(IWARP_FORM_RDMAP_ATOMIC_REQ, atomic_request, octets, &seg->u.atomic_req);
    }
    return;
  case 11:
    fuzz_expect((seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP) == (first && left >= 12), "Response");
    if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP) {
      same(IWARP_FORM_RDMAP_ATOMIC_RESP, atomic_response, octets, &seg->u.atomic_resp);
    }
    return;
  default: return;
  }
}

void slow_compare(const slow_fpdu *f, const iwarp_rdmap_seg *seg) {
  const bool tagged = f->len > 0 && (f->ulpdu[0] & 0x80u) != 0;
  const size_t header = tagged ? 14 : 18;
  fuzz_expect(seg->has_ddp == (f->len >= header), "a DDP header in %u octets", f->len);
  if (!seg->has_ddp) {
    return;
  }
  fuzz_expect(seg->payload_len == f->len - header, "payload of %zu octets", seg->payload_len);
  same(tagged ? IWARP_FORM_DDP_TAGGED : IWARP_FORM_DDP_UNTAGGED, tagged ? ddp_tagged : ddp_untagged,
       f->ulpdu, &seg->ddp);
  same(IWARP_FORM_RDMAP_CTRL, control, &f->ulpdu[1], &seg->ctrl);
  inner(f, header, seg);
}
