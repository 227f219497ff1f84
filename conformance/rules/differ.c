/* SPDX-License-Identifier: BSD-2-Clause */
/* What was judged and rests on octets of which another copy has others: the headers that are kept
 * tell where the latest FPDUs are. */
#include "differ.h"

#include "catalog.h"

#define DIFFER_ALL UINT32_MAX /* opcodes */

/* An FPDU that was judged. */
struct differ_fpdu {
  struct rules_range wire;
  uint64_t full_pos; /* Markers stand there and every 512 octets after it; or UNKNOWN: none do */
  uint32_t ulpdu_length;
  uint8_t head[2]; /* first octets of the DDP header */
};

static bool differ_overlaps(struct rules_range a, struct rules_range b) {
  return a.pos < b.end && b.pos < a.end;
}

/* Octets of Markers between the first octet of Full Operation and the position. */
static uint64_t differ_markers(const struct differ_fpdu *f, uint64_t pos) {
  if (f->full_pos == IWARP_POS_UNKNOWN || pos <= f->full_pos) {
    return 0;
  }
  const uint64_t whole = (pos - f->full_pos) / IWARP_MPA_MARKER_PERIOD;
  const uint64_t part = (pos - f->full_pos) % IWARP_MPA_MARKER_PERIOD;
  return whole * IWARP_MPA_MARKER_LEN + (part < IWARP_MPA_MARKER_LEN ? part : IWARP_MPA_MARKER_LEN);
}

/* Offset in the FPDU without its Markers. */
static uint64_t differ_offset(const struct differ_fpdu *f, uint64_t pos) {
  return pos - f->wire.pos - (differ_markers(f, pos) - differ_markers(f, f->wire.pos));
}

/* An FPDU that ends at `end`. */
static struct differ_fpdu differ_fpdu_of(const struct rules_header *h, const iwarp_observer_side *s,
                                         uint64_t end) {
  const uint64_t covered = IWARP_MPA_LENGTH_LEN + (uint64_t)h->ulpdu_length;
  const uint64_t len = (covered + 3u) / 4u * 4u + IWARP_MPA_CRC_LEN;
  struct differ_fpdu f = {.wire = {.pos = end - len, .end = end},
                          .full_pos =
                              s->markers == IWARP_TRISTATE_ON ? s->full_pos : IWARP_POS_UNKNOWN,
                          .ulpdu_length = h->ulpdu_length,
                          .head = {h->octets[0], h->octets[1]}};
  for (uint64_t before = 0; before != f.wire.pos;) {
    before = f.wire.pos;
    f.wire.pos = end - len - (differ_markers(&f, end) - differ_markers(&f, before));
  }
  return f;
}

/* Octets of the headers of the segment, and of ULPDU_Length. */
static uint64_t differ_header_len(const struct differ_fpdu *f) {
  const bool tagged = (f->head[0] & 0x80u) != 0;
  const uint64_t ddp = tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const bool payload = iwarp_rdmap_op_get(f->head[1] & 0xfu)->payload;
  return IWARP_MPA_LENGTH_LEN + (payload ? ddp : f->ulpdu_length);
}

/* What the segment is, of what headers tell. */
static uint32_t differ_segments(const struct differ_fpdu *f) {
  const bool tagged = (f->head[0] & 0x80u) != 0;
  return 1u << RULES_SEGMENT_FIRST | 1u << RULES_SEGMENT_EMPTY |
         1u << (tagged ? RULES_SEGMENT_TAGGED : RULES_SEGMENT_UNTAGGED);
}

/* Notes what the octets are in the FPDU. ULPDU_Length, and a Marker, tell where others begin; and
 * the first octets of the header tell of which opcode the segment is. */
static void differ_in_fpdu(struct rules_differ *d, const struct differ_fpdu *f,
                           struct rules_range r) {
  const uint64_t pos = r.pos > f->wire.pos ? r.pos : f->wire.pos;
  const uint64_t end = r.end < f->wire.end ? r.end : f->wire.end;
  const uint64_t from = differ_offset(f, pos);
  const uint64_t to = differ_offset(f, end);
  const uint64_t pad = IWARP_MPA_LENGTH_LEN + (uint64_t)f->ulpdu_length;
  const bool marker = to - from != end - pos;
  d->crc = true;
  if (marker || from < IWARP_MPA_LENGTH_LEN + sizeof(f->head)) {
    d->opcodes = DIFFER_ALL;
  } else if (from < differ_header_len(f)) {
    d->opcodes |= 1u << (f->head[1] & 0xfu);
    d->segments |= differ_segments(f);
  }
  d->pad = d->pad || (from < (pad + 3u) / 4u * 4u && to > pad);
  d->header = d->header || d->opcodes != 0;
}

/* The octets of FPDUs. Those that are not kept may be headers of any. */
static void differ_in_fpdus(struct rules_differ *d, const struct rules_side *own,
                            const iwarp_observer_side *s, struct rules_range r) {
  uint64_t known = own->end;
  const uint32_t kept = rules_headers_kept(own);
  for (uint32_t i = 1; i <= kept && known > r.pos; i++) {
    const struct rules_header *h =
        &own->headers.entry[(own->headers.num - i) & (own->headers.max - 1u)];
    const uint64_t back = (uint16_t)((own->end >> 2) - h->end);
    const struct differ_fpdu f = differ_fpdu_of(h, s, own->end - 4u * back);
    if (f.wire.end != known && differ_overlaps((struct rules_range){f.wire.end, known}, r)) {
      break;
    }
    known = f.wire.pos;
    if (differ_overlaps(f.wire, r)) {
      differ_in_fpdu(d, &f, r);
    }
  }
  if (known > r.pos) {
    d->opcodes = DIFFER_ALL;
    d->header = d->crc = d->pad = true;
  }
}

/* Key and Private Data say nothing that the connection goes by. */
static void differ_in_startup(struct rules_differ *d, const struct rules_side *own,
                              struct rules_range r) {
  const uint64_t pos = own->startup.event.pos;
  const bool enhanced = own->startup.event.u.startup.enhanced;
  const struct rules_range fields = {pos + IWARP_MPA_KEY_LEN,
                                     pos + IWARP_MPA_STARTUP_LEN +
                                         (enhanced ? IWARP_MPA_ENHANCED_LEN : 0)};
  d->key = r.pos < pos + IWARP_MPA_KEY_LEN;
  d->negotiated = differ_overlaps(fields, r);
}

struct rules_differ rulesi_differ_of(const struct rules_tracker *track,
                                     const iwarp_observer_info *info, uint8_t side,
                                     struct rules_range range) {
  struct rules_differ d = {.key = false};
  if (info->sctp) { /* messages are not kept: it may be any of them */
    d.negotiated = d.header = true;
    return d;
  }
  const struct rules_side *own = &track->side[side];
  const iwarp_observer_side *s = &info->side[side];
  range.end = range.end < own->end ? range.end : own->end; /* later octets are not judged */
  if (s->has_startup && range.pos < s->startup_end && range.pos < range.end) {
    const uint64_t end = range.end < s->startup_end ? range.end : s->startup_end;
    differ_in_startup(&d, own, (struct rules_range){range.pos, end});
    range.pos = end;
  }
  if (range.pos < range.end) {
    differ_in_fpdus(&d, own, s, range);
  }
  return d;
}

/* True if the rule asks which of the two keys a startup frame has. */
static bool differ_of_key(uint16_t rule) {
  static const uint16_t of[] = {RULES_mpa_request_key, RULES_mpa_reply_key, RULES_mpa_two_requests,
                                RULES_mpa_reply_unasked, RULES_mpa_improper_accepted};
  bool found = false;
  for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
    found = found || of[i] == rule;
  }
  return found;
}

bool rulesi_differ_rests(const struct rules_differ *d, uint16_t rule, bool speaks) {
  const uint32_t events = rulesi_rows[rule].events;
  const bool other = (events & ~RULES_ON_STARTUP) != 0;
  if (d->negotiated || (d->key && differ_of_key(rule)) || (d->crc && rule == RULES_mpa_crc) ||
      (d->pad && rule == RULES_mpa_pad_zero)) {
    return true;
  }
  const bool such = speaks || (events >> RULES_SEGMENT_SHIFT & d->segments) != 0;
  const bool segment = (events & RULES_ON_FPDU) != 0 && such;
  return d->header && other && (d->opcodes == DIFFER_ALL || segment);
}
