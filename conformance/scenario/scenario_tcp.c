/* SPDX-License-Identifier: BSD-2-Clause */
/* Items over TCP: startup frames and FPDUs. */
#include "scenario_priv.h"

/* How a segment is framed other than a conforming sender does it. */
typedef struct scn_framing {
  bool crc_bad;
  bool crc_zero;
  bool length_given; /* ULPDU_Length is `length`; the CRC stays as for the right one */
  bool marker_given; /* Markers inside the FPDU have the value `marker` */
  bool lead_given;   /* a Marker before it has the value `lead` */
  bool rest;         /* a later segment of a message */
  bool markers_off;
  bool markers_on;
  uint8_t pad[3];
  uint32_t marker;
  uint32_t lead;
  size_t length;
  size_t cut; /* octets that the end of the segment lacks */
} scn_framing;

bool scn_mtu(const scn_line *line, const scn_word *word, size_t *out, scenario_error *error) {
  return scn_range(line, word, SCN_MTU_MIN, SCN_LEN_MAX, out, error);
}

/* Words about travel that stand by themselves. */
static scn_use travel_flag(scn_travel *travel, const scn_word *word) {
  const struct {
    const char *name;
    bool *out;
  } rows[] = {{"lost", &travel->lost}, {"twice", &travel->twice}, {"bundled", &travel->bundled}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (scn_word_is(word, rows[i].name)) {
      *rows[i].out = true;
      return SCN_USED;
    }
  }
  return SCN_NOT_MINE;
}

scn_use scn_travel_word(scn_travel *travel, const scn_line *line, const scn_word *word,
                        scenario_error *error) {
  if (scn_word_is(word, "segment")) {
    return scn_used(scn_some(line, word, SCN_OCTETS_MAX, &travel->segment, error));
  }
  if (scn_word_is(word, "snap")) {
    return scn_used(scn_some(line, word, SCN_OCTETS_MAX, &travel->snap, error));
  }
  if (scn_word_is(word, "unacked")) {
    return scn_used(scn_some(line, word, SCN_OCTETS_MAX, &travel->unacked, error));
  }
  if (scn_word_is(word, "mtu")) {
    return scn_used(scn_mtu(line, word, &travel->mtu, error));
  }
  return travel_flag(travel, word);
}

static bool item_pad(scn_framing *f, const scn_line *line, const scn_word *word,
                     scenario_error *error) {
  size_t len = 0;
  return scn_word_octets(word, f->pad, sizeof f->pad, &len) ||
         scn_fail(error, line, word, "needs up to 3 octets in hex");
}

static bool item_marker(bool *given, uint32_t *out, const scn_line *line, const scn_word *word,
                        scenario_error *error) {
  uint64_t value = 0;
  *given = scn_word_number(word, &value) && value <= UINT32_MAX;
  *out = (uint32_t)value;
  return *given || scn_fail(error, line, word, "needs a number of 32 bits");
}

static bool item_markers(scn_framing *f, const scn_line *line, const scn_word *word,
                         scenario_error *error) {
  f->markers_on = scn_value_is(word, "on");
  f->markers_off = scn_value_is(word, "off");
  return f->markers_on || f->markers_off || scn_fail(error, line, word, "is on or off");
}

static bool item_crc(scn_framing *f, const scn_line *line, const scn_word *word,
                     scenario_error *error) {
  f->crc_bad = scn_value_is(word, "bad");
  f->crc_zero = scn_value_is(word, "zero");
  return f->crc_bad || f->crc_zero || scn_fail(error, line, word, "is bad or zero");
}

static scn_use item_framing(scn_framing *f, const scn_line *line, const scn_word *word,
                            scenario_error *error) {
  if (scn_word_is(word, "crc")) {
    return scn_used(item_crc(f, line, word, error));
  }
  if (scn_word_is(word, "rest")) {
    f->rest = true;
    return SCN_USED;
  }
  if (scn_word_is(word, "ulpdu_length")) {
    f->length_given = true;
    return scn_used(scn_number(line, word, SCN_LEN_MAX, &f->length, error));
  }
  if (scn_word_is(word, "cut")) {
    return scn_used(scn_number(line, word, SCN_LEN_MAX, &f->cut, error));
  }
  if (scn_word_is(word, "pad")) {
    return scn_used(item_pad(f, line, word, error));
  }
  if (scn_word_is(word, "marker")) {
    return scn_used(item_marker(&f->marker_given, &f->marker, line, word, error));
  }
  if (scn_word_is(word, "lead")) {
    return scn_used(item_marker(&f->lead_given, &f->lead, line, word, error));
  }
  if (scn_word_is(word, "markers")) {
    return scn_used(item_markers(f, line, word, error));
  }
  return SCN_NOT_MINE;
}

/* The words of a line that are no fields; `framing` is NULL for a startup frame. */
typedef struct scn_tcp_extra {
  scn_travel travel;
  scn_framing *framing;
} scn_tcp_extra;

static scn_use item_extra(void *into, const scn_line *line, const scn_word *word,
                          scenario_error *error) {
  scn_tcp_extra *x = into;
  const scn_use use = scn_travel_word(&x->travel, line, word, error);
  return use != SCN_NOT_MINE || x->framing == NULL ? use
                                                   : item_framing(x->framing, line, word, error);
}

/* ---- startup frames ---- */

static bool item_startup(scenario *s, uint8_t side, const scn_line *line, iwarp_mpa_key key,
                         scenario_error *error) {
  static scn_parts p;
  scn_tcp_extra x = {.framing = NULL};
  const bool enhanced = scn_has(line, "S") || scn_has(line, "enhanced");
  iwarp_mpa_startup frame = {.rev = enhanced ? 2 : 1};
  memcpy(frame.key, iwarp_mpa_key_octets(key), sizeof frame.key);
  p = (scn_parts){.len = 0};
  if (iwarp_mpa_startup_encode(p.octets, sizeof p.octets, &p.len, &frame) != IWARP_OK) {
    return scn_fail(error, line, &line->words[1], "cannot be encoded");
  }
  scn_parts_add(&p, IWARP_FORM_MPA_STARTUP, 0);
  if (enhanced) {
    scn_parts_add(&p, IWARP_FORM_MPA_ENHANCED, p.len);
    p.len += IWARP_MPA_ENHANCED_LEN;
  }
  const bool length_given = scn_has(line, "pd_length");
  if (!scn_words(&p, line, "pd", (scn_extra){item_extra, &x}, error)) {
    return false;
  }
  if (!length_given) {
    const size_t pd = p.len - IWARP_MPA_STARTUP_LEN;
    p.octets[IWARP_MPA_STARTUP_LEN - 2] = (uint8_t)(pd >> 8);
    p.octets[IWARP_MPA_STARTUP_LEN - 1] = (uint8_t)pd;
  }
  const uint8_t flags = p.octets[IWARP_MPA_KEY_LEN];
  s->conn->side[side].markers = (flags & IWARP_MPA_FLAG_M) != 0;
  s->conn->side[side].crc = (flags & IWARP_MPA_FLAG_C) != 0;
  return scn_send(s, side, p.octets, p.len, &x.travel) ||
         scn_fail(error, line, &line->words[1], "makes more packets than a scenario may have");
}

/* ---- messages ---- */

/* FPDUPTR of a Marker inside an FPDU, the first one of which has number 0 where none leads. */
static uint32_t item_pointer(const iwarp_mpa_layout *layout, uint64_t off, size_t i) {
  const uint64_t at = ((off + 511) / 512 + i) * 512;
  return (uint32_t)(at - off - layout->lead);
}

/* Markers of `desc`, each with the value of `f` that is given, or else its own: of a distance that
 * does not fit FPDUPTR, which is possible from 65023 octets up, the lower 16 bits. */
static void item_marker_values(iwarp_mpa_fpdu_desc *desc, const scn_framing *f) {
  static iwarp_mpa_marker values[IWARP_MPA_MARKERS_MAX];
  const iwarp_mpa_layout layout =
      iwarp_mpa_layout_of(desc->off, (uint16_t)desc->ulpdu.len, desc->markers);
  for (size_t i = 0; i < layout.num_markers; i++) {
    const bool leads = i == 0 && layout.lead > 0;
    const bool given = leads ? f->lead_given : f->marker_given;
    const uint32_t due = leads ? 0 : item_pointer(&layout, desc->off, i);
    const uint32_t value = leads ? f->lead : f->marker;
    values[i].reserved = given ? (uint16_t)(value >> 16) : 0;
    values[i].fpduptr = (uint16_t)(given ? value : due);
  }
  desc->marker_values = values;
  desc->num_marker_values = layout.num_markers;
}

static bool item_frame(scenario *s, uint8_t side, const scn_parts *p, const scn_tcp_extra *x) {
  static uint8_t wire[2 * SCN_OCTETS_MAX];
  const scn_framing *f = x->framing;
  size_t len = 0;
  const bool crc = s->conn->side[0].crc || s->conn->side[1].crc;
  iwarp_mpa_fpdu_desc desc = {.ulpdu = {p->octets, p->len > f->cut ? p->len - f->cut : 0},
                              .off = s->conn->side[side].off,
                              .markers = f->markers_on ||
                                         (s->conn->side[1 - side].markers && !f->markers_off),
                              .crc_given = !crc};
  memcpy(desc.pad, f->pad, sizeof desc.pad);
  if (desc.markers) {
    item_marker_values(&desc, f);
  }
  if (iwarp_mpa_fpdu_encode(wire, sizeof wire, &len, &desc) != IWARP_OK) {
    return false;
  }
  wire[len - 1] ^= f->crc_bad ? 1u : 0u;
  if (f->crc_zero) {
    memset(wire + len - IWARP_MPA_CRC_LEN, 0, IWARP_MPA_CRC_LEN);
  }
  if (f->length_given) {
    const size_t lead = iwarp_mpa_layout_of(desc.off, 0, desc.markers).lead;
    wire[lead] = (uint8_t)(f->length >> 8);
    wire[lead + 1] = (uint8_t)f->length;
  }
  s->conn->side[side].off += len;
  return scn_send(s, side, wire, len, &x->travel);
}

static bool item_message(scenario *s, uint8_t side, const scn_line *line, uint8_t opcode,
                         scenario_error *error) {
  static scn_parts p;
  scn_framing framing = {.cut = 0};
  scn_tcp_extra x = {.framing = &framing};
  uint32_t *msn = s->conn->side[side].msn;
  p = (scn_parts){.len = 0};
  scn_message(&p, msn, opcode);
  if (scn_has(line, "rest")) {
    scn_rest(&p, 0);
  }
  if (!scn_words(&p, line, "data", (scn_extra){item_extra, &x}, error)) {
    return false;
  }
  scn_count(msn, &p, 0, opcode);
  return item_frame(s, side, &p, &x) ||
         scn_fail(error, line, &line->words[1], "cannot be framed, or makes too many packets");
}

bool scn_tcp_item(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  const scn_word *kind = &line->words[1];
  uint8_t opcode = 0;
  if (scn_word_is(kind, "mpa-request") || scn_word_is(kind, "mpa-reply")) {
    return item_startup(
        s, side, line, scn_word_is(kind, "mpa-reply") ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST,
        error);
  }
  if (scn_message_opcode(kind, &opcode)) {
    return item_message(s, side, line, opcode, error);
  }
  return scn_fail(error, line, kind,
                  "is not one of: mpa-request, mpa-reply, fin, rst, octets, or a message of RDMAP");
}
