/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of an item out of words: defaults by the encoders of the library, and whatever the words
 * say by the field table. */
#include "scenario_priv.h"

#include <stdio.h>

bool scn_fail(scenario_error *error, const scn_line *line, const scn_word *word, const char *text) {
  error->line = line->number;
  error->column = word->column;
  snprintf(error->message, sizeof error->message, "'%.*s': %s",
           (int)(word->key_len < 40 ? word->key_len : 40), word->key, text);
  return false;
}

void scn_parts_add(scn_parts *p, iwarp_form form, size_t at) {
  p->form[p->num_forms].form = form;
  p->form[p->num_forms++].at = at;
}

/* ---- fields ---- */

/* Letters of the RFCs for flags. */
static const struct {
  const char *letter;
  const char *path;
} parts_letters[] = {{"M", "mpa.markers"},
                     {"C", "mpa.crc"},
                     {"R", "mpa.reject"},
                     {"S", "mpa.enhanced"},
                     {"L", "ddp.last"}};

bool scn_word_names(const scn_word *word, const iwarp_field *field) {
  bool letter = false;
  for (size_t i = 0; i < sizeof parts_letters / sizeof parts_letters[0]; i++) {
    letter = letter || (scn_word_is(word, parts_letters[i].letter) &&
                        strcmp(parts_letters[i].path, field->path) == 0);
  }
  return letter || scn_word_is(word, field->key) || scn_word_is(word, field->path);
}

/* The field that a word names, and where its form begins; NULL: none. */
static const iwarp_field *parts_field(const scn_parts *p, const scn_word *word, size_t *at) {
  for (size_t i = 0; i < p->num_forms; i++) {
    const iwarp_form_info *info = iwarp_form_get(p->form[i].form);
    for (size_t j = 0; j < info->num_fields; j++) {
      if (scn_word_names(word, &info->fields[j])) {
        *at = p->form[i].at;
        return &info->fields[j];
      }
    }
  }
  return NULL;
}

/* Bit 0 is the most significant one of the form's first octet. */
static void parts_set_bits(uint8_t *form, const iwarp_field *field, uint64_t value) {
  for (size_t i = 0; i < field->num_bits; i++) {
    const size_t bit = field->bit_off + i;
    const uint8_t mask = (uint8_t)(0x80u >> bit % 8);
    const bool set = (value >> (field->num_bits - 1 - i) & 1u) != 0;
    form[bit / 8] = (uint8_t)(set ? form[bit / 8] | mask : form[bit / 8] & ~mask);
  }
}

static bool parts_set(scn_parts *p, const scn_line *line, const scn_word *word,
                      scenario_error *error) {
  size_t at = 0;
  uint64_t value = 1;
  const iwarp_field *field = parts_field(p, word, &at);
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
  if (word->modular && field->num_bits < 64) {
    value &= (1ull << field->num_bits) - 1;
  }
  if (field->num_bits < 64 && value >> field->num_bits != 0) {
    return scn_fail(error, line, word, "does not fit into the bits of the field");
  }
  parts_set_bits(p->octets + at, field, value);
  return true;
}

/* ---- words that are no fields ---- */

bool scn_range(const scn_line *line, const scn_word *word, uint64_t min, uint64_t max, size_t *out,
               scenario_error *error) {
  uint64_t value = 0;
  if (!scn_word_number(word, &value) || value < min || value > max) {
    char text[80];
    snprintf(text, sizeof text, "needs a number from %zu to %zu", (size_t)min, (size_t)max);
    return scn_fail(error, line, word, text);
  }
  *out = (size_t)value;
  return true;
}

bool scn_number(const scn_line *line, const scn_word *word, uint64_t max, size_t *out,
                scenario_error *error) {
  return scn_range(line, word, 0, max, out, error);
}

bool scn_some(const scn_line *line, const scn_word *word, uint64_t max, size_t *out,
              scenario_error *error) {
  return scn_range(line, word, 1, max, out, error);
}

/* The octets that `len` repeats from now on. */
static bool parts_fill(scn_parts *p, const scn_line *line, const scn_word *word,
                       scenario_error *error) {
  size_t len = 0;
  p->fill = *word;
  return (scn_word_octets(word, p->octets + p->len, SCN_LEN_MAX - p->len, &len) && len > 0) ||
         scn_fail(error, line, word, "needs octets in hex");
}

/* Appends octets that count up, or that repeat the octets of `fill`. */
static void parts_filled(scn_parts *p, size_t len) {
  uint8_t *to = p->octets + p->len;
  size_t period = 0;
  if (p->fill.key != NULL) {
    (void)scn_word_octets(&p->fill, to, SCN_LEN_MAX - p->len, &period);
  }
  for (size_t i = 0; i < len; i++) {
    to[i] = period == 0 ? (uint8_t)i : i < period ? to[i] : to[i - period];
  }
}

/* Appends the payload that a word stands for: so many octets that count, or those given. */
static bool parts_payload(scn_parts *p, const scn_line *line, const scn_word *word,
                          scenario_error *error) {
  const size_t room = SCN_LEN_MAX - p->len;
  size_t len = 0;
  if (scn_word_is(word, "fill")) {
    return parts_fill(p, line, word, error);
  }
  if (scn_word_is(word, "len")) {
    if (!scn_number(line, word, room, &len, error)) {
      return false;
    }
    parts_filled(p, len);
  } else if (!scn_word_octets(word, p->octets + p->len, room, &len)) {
    return scn_fail(error, line, word, "needs octets in hex");
  }
  p->len += len;
  return true;
}

bool scn_value_is(const scn_word *word, const char *value) {
  return word->value_len == strlen(value) && memcmp(word->value, value, word->value_len) == 0;
}

scn_use scn_used(bool ok) {
  return ok ? SCN_USED : SCN_WRONG;
}

bool scn_words(scn_parts *p, const scn_line *line, const char *payload, scn_extra extra,
               scenario_error *error) {
  for (size_t i = 2; i < line->num; i++) {
    const scn_word *word = &line->words[i];
    const bool is_payload =
        payload != NULL &&
        (scn_word_is(word, "len") || scn_word_is(word, "fill") || scn_word_is(word, payload));
    const scn_use use = is_payload ? SCN_USED : extra.use(extra.into, line, word, error);
    if (use == SCN_WRONG || (is_payload && !parts_payload(p, line, word, error)) ||
        (use == SCN_NOT_MINE && !parts_set(p, line, word, error))) {
      return false;
    }
  }
  return true;
}

bool scn_has(const scn_line *line, const char *name) {
  for (size_t i = 2; i < line->num; i++) {
    if (scn_word_is(&line->words[i], name)) {
      return true;
    }
  }
  return false;
}

/* ---- messages ---- */

void scn_message(scn_parts *p, const uint32_t *msn, uint8_t opcode) {
  const size_t at = p->len;
  size_t len = 0;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  const iwarp_rdmap_ctrl ctrl = {.rv = IWARP_RDMAP_VERSION, .opcode = opcode};
  const iwarp_ddp_hdr hdr = {.tagged = op->tagged,
                             .last = true,
                             .dv = IWARP_DDP_VERSION,
                             .rsvdulp = iwarp_rdmap_ctrl_encode(ctrl),
                             .qn = op->qn,
                             .msn = msn[op->qn & 3u] + 1};
  (void)iwarp_ddp_hdr_encode(p->octets + at, sizeof p->octets - at, &len, &hdr);
  scn_parts_add(p, op->tagged ? IWARP_FORM_DDP_TAGGED : IWARP_FORM_DDP_UNTAGGED, at);
  scn_parts_add(p, IWARP_FORM_RDMAP_CTRL, at + 1);
  p->len += len;
  if (op->form != IWARP_FORM_NONE) {
    scn_parts_add(p, op->form, p->len);
  }
  p->len += op->hdr_len;
  if (op->cls ==
      IWARP_RDMAP_CLASS_ATOMIC_REQ) { /* a FetchAdd compares with all bits, RFC 7306 5.2.1 */
    memset(p->octets + p->len - 8, 0xFF, 8);
  }
}

void scn_rest(scn_parts *p, size_t at) {
  iwarp_ddp_hdr hdr;
  size_t len = 0;
  (void)iwarp_ddp_hdr_peek(&hdr, (iwarp_span){p->octets + at, p->len - at});
  len = hdr.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  p->len = at + len;
}

bool scn_message_opcode(const scn_word *kind, uint8_t *opcode) {
  for (uint8_t i = 0; i < 16; i++) {
    if (iwarp_rdmap_op_get(i)->assigned && scn_word_is(kind, iwarp_rdmap_op_get(i)->name)) {
      *opcode = i;
      return true;
    }
  }
  return false;
}

void scn_count(uint32_t *msn, const scn_parts *p, size_t at, uint8_t opcode) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  iwarp_ddp_hdr hdr;
  (void)iwarp_ddp_hdr_peek(&hdr, (iwarp_span){p->octets + at, p->len - at});
  msn[op->qn & 3u] += !op->tagged && hdr.last ? 1u : 0u;
}
