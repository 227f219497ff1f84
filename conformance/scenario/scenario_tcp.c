/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said over TCP: startup frames and FPDUs. */
#include "scenario_priv.h"

/* How a segment is framed other than a conforming sender does it. */
typedef struct scn_framing {
  bool crc_bad;
  bool length_given; /* ULPDU_Length is `length`, the CRC that of the right one */
  bool marker_given; /* Markers inside the FPDU have the value `marker` */
  bool markers_off;
  bool markers_on;
  uint8_t pad[3];
  uint32_t marker;
  size_t length;
  size_t cut; /* octets that the end of the segment lacks */
} scn_framing;

static scn_use item_travel(scn_travel *travel, const scn_line *line, const scn_word *word,
                           scenario_error *error) {
  if (scn_word_is(word, "segment")) {
    return scn_used(scn_some(line, word, SCN_OCTETS_MAX, &travel->segment, error));
  }
  if (scn_word_is(word, "snap")) {
    return scn_used(scn_some(line, word, SCN_OCTETS_MAX, &travel->snap, error));
  }
  if (scn_word_is(word, "lost") || scn_word_is(word, "twice")) {
    *(scn_word_is(word, "lost") ? &travel->lost : &travel->twice) = true;
    return SCN_USED;
  }
  return SCN_NOT_MINE;
}

static bool item_pad(scn_framing *f, const scn_line *line, const scn_word *word,
                     scenario_error *error) {
  size_t len = 0;
  return scn_word_octets(word, f->pad, sizeof f->pad, &len) ||
         scn_fail(error, line, word, "needs up to 3 octets in hex");
}

static bool item_marker(scn_framing *f, const scn_line *line, const scn_word *word,
                        scenario_error *error) {
  uint64_t value = 0;
  f->marker_given = scn_word_number(word, &value) && value <= UINT32_MAX;
  f->marker = (uint32_t)value;
  return f->marker_given || scn_fail(error, line, word, "needs a number of 32 bits");
}

static bool item_markers(scn_framing *f, const scn_line *line, const scn_word *word,
                         scenario_error *error) {
  f->markers_on = scn_value_is(word, "on");
  f->markers_off = scn_value_is(word, "off");
  return f->markers_on || f->markers_off || scn_fail(error, line, word, "is on or off");
}

static scn_use item_framing(scn_framing *f, const scn_line *line, const scn_word *word,
                            scenario_error *error) {
  if (scn_word_is(word, "crc") && scn_value_is(word, "bad")) {
    f->crc_bad = true;
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
    return scn_used(item_marker(f, line, word, error));
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
  const scn_use use = item_travel(&x->travel, line, word, error);
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
  s->side[side].markers = (flags & IWARP_MPA_FLAG_M) != 0;
  s->side[side].crc = (flags & IWARP_MPA_FLAG_C) != 0;
  return scn_send(s, side, p.octets, p.len, &x.travel) ||
         scn_fail(error, line, &line->words[1], "makes more packets than a scenario may have");
}

/* ---- messages ---- */

/* Markers of `desc`, each with the value of `f` but the one that leads. */
static void item_marker_values(iwarp_mpa_fpdu_desc *desc, const scn_framing *f) {
  static iwarp_mpa_marker values[IWARP_MPA_MARKERS_MAX];
  const iwarp_mpa_layout layout =
      iwarp_mpa_layout_of(desc->off, (uint16_t)desc->ulpdu.len, desc->markers);
  for (size_t i = 0; i < layout.num_markers; i++) {
    const uint32_t value = i == 0 && layout.lead > 0 ? 0 : f->marker;
    values[i].reserved = (uint16_t)(value >> 16);
    values[i].fpduptr = (uint16_t)value;
  }
  desc->marker_values = values;
  desc->num_marker_values = layout.num_markers;
}

static bool item_frame(scenario *s, uint8_t side, const scn_parts *p, const scn_tcp_extra *x) {
  static uint8_t wire[2 * SCN_OCTETS_MAX];
  const scn_framing *f = x->framing;
  size_t len = 0;
  const bool crc = s->side[0].crc || s->side[1].crc;
  iwarp_mpa_fpdu_desc desc = {.ulpdu = {p->octets, p->len > f->cut ? p->len - f->cut : 0},
                              .off = s->side[side].off,
                              .markers =
                                  f->markers_on || (s->side[1 - side].markers && !f->markers_off),
                              .crc_given = !crc};
  memcpy(desc.pad, f->pad, sizeof desc.pad);
  if (f->marker_given) {
    item_marker_values(&desc, f);
  }
  if (iwarp_mpa_fpdu_encode(wire, sizeof wire, &len, &desc) != IWARP_OK) {
    return false;
  }
  wire[len - 1] ^= f->crc_bad ? 1u : 0u;
  if (f->length_given) {
    const size_t lead = iwarp_mpa_layout_of(desc.off, 0, desc.markers).lead;
    wire[lead] = (uint8_t)(f->length >> 8);
    wire[lead + 1] = (uint8_t)f->length;
  }
  s->side[side].off += len;
  return scn_send(s, side, wire, len, &x->travel);
}

static bool item_message(scenario *s, uint8_t side, const scn_line *line, uint8_t opcode,
                         scenario_error *error) {
  static scn_parts p;
  scn_framing framing = {.cut = 0};
  scn_tcp_extra x = {.framing = &framing};
  uint32_t *msn = s->side[side].msn;
  p = (scn_parts){.len = 0};
  scn_message(&p, msn, opcode);
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
                  "is none of: mpa-request, mpa-reply, fin, rst, octets, or a message of RDMAP");
}
