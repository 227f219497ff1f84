/* SPDX-License-Identifier: BSD-2-Clause */
/* Items over TCP: startup frames and FPDUs. */
#include "scenario_priv.h"

/* The framing of a segment that differs from a conforming sender's. */
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

/* The words of an enhanced frame are left out for a peer that knows Rev 1 alone, unless the line
 * has a `rev` of its own. */
static void item_rev1(const scenario *s, scn_line *line) {
  static const char *const words[] = {"S", "enhanced", "ird", "ord", "a", "b", "c", "d"};
  size_t left = 2;
  if (!s->live || !s->terms.rev1 || scn_has(line, "rev")) {
    return;
  }
  for (size_t i = 2; i < line->num; i++) {
    bool drop = false;
    for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
      drop = drop || scn_word_is(&line->words[i], words[j]);
    }
    if (!drop) {
      line->words[left++] = line->words[i];
    }
  }
  line->num = left;
}

/* A Reply of a case follows the Request in all terms that it does not name. RFC 6581 9, 10 */
static bool item_follows(const scenario *s, const scn_line *line, iwarp_mpa_key key) {
  const scn_asked *asked = &s->conn->asked;
  return s->is_case && key == IWARP_MPA_KEY_REPLY && asked->known && asked->enhanced &&
         asked->rev == 2 && !scn_has(line, "rev");
}

static iwarp_mpa_enhanced item_terms(const scenario *s) {
  const iwarp_mpa_enhanced *asked = &s->conn->asked.terms;
  return (iwarp_mpa_enhanced){.a = asked->a,
                              .b = asked->a && asked->b,
                              .ird = asked->ord,
                              .c = asked->a && asked->c,
                              .d = asked->a && asked->d,
                              .ord = asked->ird};
}

/* Notes what a Request asks for. */
static void item_asks(scenario *s, const scn_parts *p) {
  iwarp_mpa_startup frame;
  iwarp_mpa_enhanced terms;
  if (iwarp_mpa_startup_decode(&frame, (iwarp_span){p->octets, p->len}).err != IWARP_OK) {
    return;
  }
  s->conn->asked = (scn_asked){.known = true, .rev = frame.rev};
  if ((frame.flags & IWARP_MPA_FLAG_S) != 0 &&
      iwarp_mpa_enhanced_decode(&terms, frame.private_data).err == IWARP_OK) {
    s->conn->asked.enhanced = true;
    s->conn->asked.terms = terms;
  }
}

/* The flags that a player adds to frames that leave them open. */
static uint8_t item_flags(const scenario *s, uint8_t side, const scn_line *line) {
  const bool m = s->live && s->terms.ask_markers[side] && !scn_has(line, "M");
  const bool c = s->live && s->terms.ask_crc[side] && !scn_has(line, "C");
  return (uint8_t)((m ? IWARP_MPA_FLAG_M : 0u) | (c ? IWARP_MPA_FLAG_C : 0u));
}

static bool item_startup(scenario *s, uint8_t side, const scn_line *whole, iwarp_mpa_key key,
                         scenario_error *error) {
  static scn_parts p;
  scn_line shorter = *whole;
  const scn_line *line = &shorter;
  item_rev1(s, &shorter);
  scn_tcp_extra x = {.framing = NULL};
  const bool follows = item_follows(s, line, key);
  const bool enhanced = follows || scn_has(line, "S") || scn_has(line, "enhanced");
  iwarp_mpa_startup frame = {.flags = item_flags(s, side, line), .rev = enhanced ? 2 : 1};
  memcpy(frame.key, iwarp_mpa_key_octets(key), sizeof frame.key);
  p = (scn_parts){.len = 0};
  if (iwarp_mpa_startup_encode(p.octets, sizeof p.octets, &p.len, &frame) != IWARP_OK) {
    return scn_fail(error, line, &line->words[1], "cannot be encoded");
  }
  scn_parts_add(&p, IWARP_FORM_MPA_STARTUP, 0);
  if (enhanced) {
    const iwarp_mpa_enhanced terms = follows ? item_terms(s) : (iwarp_mpa_enhanced){.ird = 0};
    size_t len = 0;
    scn_parts_add(&p, IWARP_FORM_MPA_ENHANCED, p.len);
    (void)iwarp_mpa_enhanced_encode(p.octets + p.len, IWARP_MPA_ENHANCED_LEN, &len, &terms);
    p.octets[IWARP_MPA_KEY_LEN] |= IWARP_MPA_FLAG_S;
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
  if (key == IWARP_MPA_KEY_REQUEST) {
    item_asks(s, &p);
  }
  return scn_send(s, side, p.octets, p.len, &x.travel) ||
         scn_fail(error, line, &line->words[1], "makes more packets than a scenario may have");
}

/* ---- messages ---- */

/* FPDUPTR of a Marker inside an FPDU; without a leading Marker the first one has number 0. */
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

/* The number that a word of a line has, or 0. */
static uint64_t item_value(const scn_line *line, const char *name) {
  uint64_t value = 0;
  for (size_t i = 2; i < line->num; i++) {
    if (scn_word_is(&line->words[i], name)) {
      (void)scn_word_number(&line->words[i], &value);
    }
  }
  return value;
}

/* True if a line says itself which headers its Terminate returns. */
static bool item_returns(const scn_line *line) {
  static const char *const words[] = {"m", "d", "r", "data", "len", "rest"};
  bool named = false;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    named = named || scn_has(line, words[i]);
  }
  return named;
}

/* In a case a Terminate returns the headers of the last segment of the other side, as its error
 * calls for. RFC 5040 4.8, figure 10 */
static void item_terminate(const scenario *s, uint8_t side, const scn_line *line, scn_parts *p) {
  const scn_blame *blame = &s->conn->blame[1 - side];
  const uint64_t layer = item_value(line, "layer");
  const uint64_t etype = item_value(line, "etype");
  iwarp_ddp_hdr hdr;
  if (!s->is_case || item_returns(line) || layer > 1 || etype == 0 ||
      iwarp_ddp_hdr_peek(&hdr, (iwarp_span){blame->octets, blame->len}) < IWARP_DDP_TAGGED_LEN) {
    return;
  }
  const size_t len = hdr.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const bool read = layer == 0 && etype == 1 && blame->len == SCN_BLAME_MAX && !hdr.tagged &&
                    (hdr.rsvdulp & 15u) == IWARP_RDMAP_OP_READ_REQ;
  const iwarp_rdmap_term term = {
      .m = true,
      .d = true,
      .r = read,
      .has_ddp_segment_length = true,
      .ddp_segment_length = (uint16_t)blame->segment_len,
      .ddp_header = {blame->octets, len},
      .rdma_header = {blame->octets + len, read ? IWARP_RDMAP_READ_REQ_LEN : 0u}};
  size_t total = 0;
  if (blame->len >= len && iwarp_rdmap_term_encode(p->octets + IWARP_DDP_UNTAGGED_LEN,
                                                   sizeof p->octets - IWARP_DDP_UNTAGGED_LEN,
                                                   &total, &term) == IWARP_OK) {
    p->len = IWARP_DDP_UNTAGGED_LEN + total;
  }
}

static void item_blame(scn_blame *blame, const scn_parts *p, size_t cut) {
  const size_t len = p->len > cut ? p->len - cut : 0;
  blame->len = len < sizeof blame->octets ? len : sizeof blame->octets;
  blame->segment_len = len;
  memcpy(blame->octets, p->octets, blame->len);
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
  if (opcode == IWARP_RDMAP_OP_TERMINATE) {
    item_terminate(s, side, line, &p);
  }
  if (!scn_words(&p, line, "data", (scn_extra){item_extra, &x}, error)) {
    return false;
  }
  scn_count(msn, &p, 0, opcode);
  item_blame(&s->conn->blame[side], &p, framing.cut);
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
