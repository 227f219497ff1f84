/* SPDX-License-Identifier: BSD-2-Clause */
/* Startup frames and messages out of words: defaults by the encoders of the library, and whatever
 * the words say by the field table. */
#include "scenario_priv.h"

#include <stdio.h>

#include <iwarp/ddp.h>

#define ITEM_FORMS 4u
#define ITEM_LEN_MAX ((size_t)65535) /* as much as ULPDU_Length and PD_Length can say */

/* The octets of an item before MPA frames them, and the forms that lie in them. */
typedef struct scn_parts {
  uint8_t octets[SCN_OCTETS_MAX];
  size_t len;
  struct {
    iwarp_form form;
    size_t at;
  } form[ITEM_FORMS];
  size_t num_forms;
} scn_parts;

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

bool scn_fail(scenario_error *error, const scn_line *line, const scn_word *word, const char *text) {
  error->line = line->number;
  error->column = word->column;
  snprintf(error->message, sizeof error->message, "'%.*s': %s",
           (int)(word->key_len < 40 ? word->key_len : 40), word->key, text);
  return false;
}

static void parts_add(scn_parts *p, iwarp_form form, size_t at) {
  p->form[p->num_forms].form = form;
  p->form[p->num_forms++].at = at;
}

/* ---- fields ---- */

/* Letters of the RFCs for flags. */
static const struct {
  const char *letter;
  const char *path;
} item_letters[] = {{"M", "mpa.markers"},
                    {"C", "mpa.crc"},
                    {"R", "mpa.reject"},
                    {"S", "mpa.enhanced"},
                    {"L", "ddp.last"}};

static bool item_names(const scn_word *word, const iwarp_field *field) {
  bool letter = false;
  for (size_t i = 0; i < sizeof item_letters / sizeof item_letters[0]; i++) {
    letter = letter || (scn_word_is(word, item_letters[i].letter) &&
                        strcmp(item_letters[i].path, field->path) == 0);
  }
  return letter || scn_word_is(word, field->key) || scn_word_is(word, field->path);
}

/* The field that a word names, and where its form begins; NULL: none. */
static const iwarp_field *item_field(const scn_parts *p, const scn_word *word, size_t *at) {
  for (size_t i = 0; i < p->num_forms; i++) {
    const iwarp_form_info *info = iwarp_form_get(p->form[i].form);
    for (size_t j = 0; j < info->num_fields; j++) {
      if (item_names(word, &info->fields[j])) {
        *at = p->form[i].at;
        return &info->fields[j];
      }
    }
  }
  return NULL;
}

/* Bit 0 is the most significant one of the form's first octet. */
static void item_set_bits(uint8_t *form, const iwarp_field *field, uint64_t value) {
  for (size_t i = 0; i < field->num_bits; i++) {
    const size_t bit = field->bit_off + i;
    const uint8_t mask = (uint8_t)(0x80u >> bit % 8);
    const bool set = (value >> (field->num_bits - 1 - i) & 1u) != 0;
    form[bit / 8] = (uint8_t)(set ? form[bit / 8] | mask : form[bit / 8] & ~mask);
  }
}

static bool item_set(scn_parts *p, const scn_line *line, const scn_word *word,
                     scenario_error *error) {
  size_t at = 0;
  uint64_t value = 1;
  const iwarp_field *field = item_field(p, word, &at);
  if (field == NULL) {
    return scn_fail(error, line, word, "is no field of this frame or message");
  }
  if (word->value == NULL && field->kind != IWARP_FIELD_KIND_FLAG) {
    return scn_fail(error, line, word, "needs a value, as in KEY=VALUE");
  }
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    size_t len = 0;
    const bool ok =
        scn_word_octets(word, p->octets + at + field->octet_off, field->num_bits / 8u, &len);
    return (ok && len == field->num_bits / 8u) ||
           scn_fail(error, line, word, "needs as many octets in hex as the field has");
  }
  if (word->value != NULL && !scn_word_number(word, &value)) {
    return scn_fail(error, line, word, "needs a number, decimal or 0x and hex digits");
  }
  if (field->num_bits < 64 && value >> field->num_bits != 0) {
    return scn_fail(error, line, word, "does not fit into the bits of the field");
  }
  item_set_bits(p->octets + at, field, value);
  return true;
}

/* ---- words that are no fields ---- */

static bool item_number(const scn_line *line, const scn_word *word, uint64_t max, size_t *out,
                        scenario_error *error) {
  uint64_t value = 0;
  if (!scn_word_number(word, &value) || value > max) {
    return scn_fail(error, line, word, "needs a number that is not so large");
  }
  *out = (size_t)value;
  return true;
}

/* Appends the payload that a word stands for: so many octets that count, or those given. */
static bool item_payload(scn_parts *p, const scn_line *line, const scn_word *word,
                         scenario_error *error) {
  const size_t room = ITEM_LEN_MAX - p->len;
  size_t len = 0;
  if (scn_word_is(word, "len")) {
    if (!item_number(line, word, room, &len, error)) {
      return false;
    }
    for (size_t i = 0; i < len; i++) {
      p->octets[p->len + i] = (uint8_t)i;
    }
  } else if (!scn_word_octets(word, p->octets + p->len, room, &len)) {
    return scn_fail(error, line, word, "needs octets in hex");
  }
  p->len += len;
  return true;
}

typedef enum scn_use { SCN_USED = 0, SCN_NOT_MINE, SCN_WRONG } scn_use;

static bool item_value_is(const scn_word *word, const char *value) {
  return word->value_len == strlen(value) && memcmp(word->value, value, word->value_len) == 0;
}

static scn_use item_used(bool ok) {
  return ok ? SCN_USED : SCN_WRONG;
}

static scn_use item_travel(scn_travel *travel, const scn_line *line, const scn_word *word,
                           scenario_error *error) {
  if (scn_word_is(word, "segment")) {
    return item_used(item_number(line, word, SCN_OCTETS_MAX, &travel->segment, error));
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
  f->markers_on = item_value_is(word, "on");
  f->markers_off = item_value_is(word, "off");
  return f->markers_on || f->markers_off || scn_fail(error, line, word, "is on or off");
}

static scn_use item_framing(scn_framing *f, const scn_line *line, const scn_word *word,
                            scenario_error *error) {
  if (scn_word_is(word, "crc") && item_value_is(word, "bad")) {
    f->crc_bad = true;
    return SCN_USED;
  }
  if (scn_word_is(word, "ulpdu_length")) {
    f->length_given = true;
    return item_used(item_number(line, word, ITEM_LEN_MAX, &f->length, error));
  }
  if (scn_word_is(word, "cut")) {
    return item_used(item_number(line, word, ITEM_LEN_MAX, &f->cut, error));
  }
  if (scn_word_is(word, "pad")) {
    return item_used(item_pad(f, line, word, error));
  }
  if (scn_word_is(word, "marker")) {
    return item_used(item_marker(f, line, word, error));
  }
  if (scn_word_is(word, "markers")) {
    return item_used(item_markers(f, line, word, error));
  }
  return SCN_NOT_MINE;
}

/* The words of a line that are no fields; `framing` is NULL for a startup frame. */
typedef struct scn_extra {
  scn_travel travel;
  scn_framing *framing;
} scn_extra;

static scn_use item_extra(scn_extra *x, const scn_line *line, const scn_word *word,
                          scenario_error *error) {
  const scn_use use = item_travel(&x->travel, line, word, error);
  return use != SCN_NOT_MINE || x->framing == NULL ? use
                                                   : item_framing(x->framing, line, word, error);
}

/* Payload first, so that fields that lie after the headers are those of the message. */
static bool item_words(scn_parts *p, scn_extra *x, const scn_line *line, const char *payload,
                       scenario_error *error) {
  for (size_t i = 2; i < line->num; i++) {
    const scn_word *word = &line->words[i];
    const bool is_payload = scn_word_is(word, "len") || scn_word_is(word, payload);
    const scn_use use = is_payload ? SCN_USED : item_extra(x, line, word, error);
    if (use == SCN_WRONG || (is_payload && !item_payload(p, line, word, error)) ||
        (use == SCN_NOT_MINE && !item_set(p, line, word, error))) {
      return false;
    }
  }
  return true;
}

/* ---- startup frames ---- */

static bool item_has(const scn_line *line, const char *name) {
  for (size_t i = 2; i < line->num; i++) {
    if (scn_word_is(&line->words[i], name)) {
      return true;
    }
  }
  return false;
}

static bool item_startup(scenario *s, uint8_t side, const scn_line *line, iwarp_mpa_key key,
                         scenario_error *error) {
  static scn_parts p;
  scn_extra x = {.framing = NULL};
  const bool enhanced = item_has(line, "S") || item_has(line, "enhanced");
  iwarp_mpa_startup frame = {.rev = enhanced ? 2 : 1};
  memcpy(frame.key, iwarp_mpa_key_octets(key), sizeof frame.key);
  p = (scn_parts){.len = 0};
  if (iwarp_mpa_startup_encode(p.octets, sizeof p.octets, &p.len, &frame) != IWARP_OK) {
    return scn_fail(error, line, &line->words[1], "cannot be encoded");
  }
  parts_add(&p, IWARP_FORM_MPA_STARTUP, 0);
  if (enhanced) {
    parts_add(&p, IWARP_FORM_MPA_ENHANCED, p.len);
    p.len += IWARP_MPA_ENHANCED_LEN;
  }
  const bool length_given = item_has(line, "pd_length");
  if (!item_words(&p, &x, line, "pd", error)) {
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

static iwarp_form item_body(uint8_t opcode) {
  switch (opcode) {
  case IWARP_RDMAP_OP_READ_REQ: return IWARP_FORM_RDMAP_READ_REQ;
  case IWARP_RDMAP_OP_TERMINATE: return IWARP_FORM_RDMAP_TERM;
  case IWARP_RDMAP_OP_IMMEDIATE:
  case IWARP_RDMAP_OP_IMMEDIATE_SE: return IWARP_FORM_RDMAP_IMMEDIATE;
  case IWARP_RDMAP_OP_ATOMIC_REQ: return IWARP_FORM_RDMAP_ATOMIC_REQ;
  case IWARP_RDMAP_OP_ATOMIC_RESP: return IWARP_FORM_RDMAP_ATOMIC_RESP;
  default: return IWARP_FORM_NONE;
  }
}

/* The headers with their defaults: a conforming message of one segment. */
static void item_headers(scn_parts *p, const scn_side *side, uint8_t opcode) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  const iwarp_rdmap_ctrl ctrl = {.rv = IWARP_RDMAP_VERSION, .opcode = opcode};
  const iwarp_ddp_hdr hdr = {.tagged = op->tagged,
                             .last = true,
                             .dv = IWARP_DDP_VERSION,
                             .rsvdulp = iwarp_rdmap_ctrl_encode(ctrl),
                             .qn = op->qn,
                             .msn = side->msn[op->qn & 3u] + 1};
  *p = (scn_parts){.len = 0};
  (void)iwarp_ddp_hdr_encode(p->octets, sizeof p->octets, &p->len, &hdr);
  parts_add(p, op->tagged ? IWARP_FORM_DDP_TAGGED : IWARP_FORM_DDP_UNTAGGED, 0);
  parts_add(p, IWARP_FORM_RDMAP_CTRL, 1);
  if (item_body(opcode) != IWARP_FORM_NONE) {
    parts_add(p, item_body(opcode), p->len);
  }
  p->len += op->hdr_len;
  if (opcode == IWARP_RDMAP_OP_ATOMIC_REQ) { /* a FetchAdd compares with all bits, RFC 7306 5.2.1 */
    memset(p->octets + p->len - 8, 0xFF, 8);
  }
}

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

static bool item_frame(scenario *s, uint8_t side, const scn_parts *p, const scn_extra *x) {
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
  scn_extra x = {.framing = &framing};
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  iwarp_ddp_hdr hdr;
  item_headers(&p, &s->side[side], opcode);
  if (!item_words(&p, &x, line, "data", error)) {
    return false;
  }
  (void)iwarp_ddp_hdr_peek(&hdr, (iwarp_span){p.octets, p.len});
  s->side[side].msn[op->qn & 3u] += !op->tagged && hdr.last ? 1u : 0u;
  return item_frame(s, side, &p, &x) ||
         scn_fail(error, line, &line->words[1], "cannot be framed, or makes too many packets");
}

bool scn_item(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  const scn_word *kind = &line->words[1];
  if (scn_word_is(kind, "mpa-request") || scn_word_is(kind, "mpa-reply")) {
    return item_startup(
        s, side, line, scn_word_is(kind, "mpa-reply") ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST,
        error);
  }
  for (uint8_t opcode = 0; opcode < 16; opcode++) {
    if (iwarp_rdmap_op_get(opcode)->assigned &&
        scn_word_is(kind, iwarp_rdmap_op_get(opcode)->name)) {
      return item_message(s, side, line, opcode, error);
    }
  }
  return scn_fail(error, line, kind,
                  "is none of: mpa-request, mpa-reply, fin, rst, octets, or a message of RDMAP");
}
