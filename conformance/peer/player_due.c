/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of the target: whether something seen is what a line demands. */
#include "player_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include <iwarp/pdu.h>
#include <memory/memory.h>

/* ---- kinds ---- */

static bool due_kind(const scn_word *kind, const seen *what) {
  switch (what->kind) {
  case SEEN_STARTUP: return scn_word_is(kind, what->reply ? "mpa-reply" : "mpa-request");
  case SEEN_MESSAGE: return scn_word_is(kind, iwarp_rdmap_op_get(what->opcode)->name);
  case SEEN_FIN: return scn_word_is(kind, "fin");
  case SEEN_RST: return scn_word_is(kind, "rst");
  case SEEN_JUNK: return scn_word_is(kind, "octets");
  }
  return false;
}

/* ---- values ---- */

static void due_walk(iwarp_pdu_iter *it, const seen *what) {
  if (what->kind == SEEN_STARTUP) {
    iwarp_pdu_startup(it, (iwarp_span){what->octets, what->len});
  } else {
    iwarp_pdu_segment(it, (iwarp_span){what->octets, what->len}, what->len);
  }
}

/* Finds the field that a word names, and its form's octets. */
static bool due_field(iwarp_pdu_part *part, const iwarp_field **field, const seen *what,
                      const scn_word *word) {
  iwarp_pdu_iter it;
  due_walk(&it, what);
  while (iwarp_pdu_next(part, &it) == IWARP_OK) {
    const iwarp_form_info *info = iwarp_form_get(part->form);
    for (size_t i = 0; info != NULL && !part->returned && i < info->num_fields; i++) {
      if (scn_word_names(word, &info->fields[i])) {
        *field = &info->fields[i];
        return true;
      }
    }
  }
  return false;
}

/* The octets that `len`, `data` and `pd` speak of. */
static iwarp_span due_payload(const seen *what, size_t *size) {
  if (what->kind != SEEN_STARTUP) {
    *size = what->size;
    return (iwarp_span){what->payload, what->kept};
  }
  const size_t head =
      IWARP_MPA_STARTUP_LEN +
      ((what->octets[IWARP_MPA_KEY_LEN] & IWARP_MPA_FLAG_S) != 0 ? IWARP_MPA_ENHANCED_LEN : 0u);
  *size = what->len > head ? what->len - head : 0;
  return (iwarp_span){what->octets + (what->len > head ? head : what->len), *size};
}

static bool due_is_payload(const scn_word *word) {
  return scn_word_is(word, "data") || scn_word_is(word, "pd");
}

static bool due_octets(const scn_word *word, const seen *what) {
  static uint8_t due[PLAYER_PAYLOAD_MAX];
  size_t size = 0;
  size_t len = 0;
  const iwarp_span octets = due_payload(what, &size);
  return scn_word_octets(word, due, sizeof due, &len) && len == size && len <= octets.len &&
         (len == 0 || memcmp(due, octets.ptr, len) == 0);
}

static bool due_field_is(const scn_word *word, const iwarp_pdu_part *part,
                         const iwarp_field *field) {
  uint64_t value = 0;
  uint64_t due = 1;
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    uint8_t octets[64];
    size_t len = 0;
    iwarp_span is;
    return iwarp_field_octets(&is, field, part->octets) == IWARP_OK &&
           scn_word_octets(word, octets, sizeof octets, &len) && is.len == len &&
           memcmp(is.ptr, octets, len) == 0;
  }
  if (word->value != NULL && !scn_word_number(word, &due)) {
    return false;
  }
  if (word->modular && field->num_bits < 64) {
    due &= (1ull << field->num_bits) - 1;
  }
  return iwarp_field_uint(&value, field, part->octets) == IWARP_OK && value == due;
}

/* Words about how a capture shows a line are no demand. */
static bool due_is_travel(const scn_word *word) {
  static const char *const words[] = {"segment", "bundled", "unacked", "fill", "crc",  "pad",
                                      "rest",    "mtu",     "snap",    "lost", "twice"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (scn_word_is(word, words[i])) {
      return true;
    }
  }
  return false;
}

/* ---- values that a name takes ---- */

static void due_keep(uint8_t **to, size_t *to_len, iwarp_span octets) {
  free(*to);
  *to = memory_get(octets.len + 1);
  *to_len = *to != NULL ? octets.len : 0;
  if (*to_len > 0) {
    memcpy(*to, octets.ptr, octets.len);
  }
}

/* The region that the application announces. */
static bool due_region(peer_player *p, iwarp_span octets) {
  peer_region region;
  const peer_form form =
      p->how.scripted && p->how.offer.form == PEER_FORM_NONE ? PEER_FORM_ECHO : p->how.offer.form;
  if (!peer_region_read(&region, form, octets.ptr, octets.len)) {
    return false;
  }
  p->region = region;
  return true;
}

static bool due_take_octets(peer_player *p, const scn_capture *capture, const seen *what) {
  size_t size = 0;
  const iwarp_span octets = due_payload(what, &size);
  const scn_word name = {.key = capture->name, .key_len = capture->name_len};
  char hex[SCENARIO_VALUE_CAP];
  if (scn_word_is(&name, "region")) {
    return due_region(p, octets);
  }
  if (scn_word_is(&name, "readback") || scn_word_is(&name, "baseline")) {
    const bool base = scn_word_is(&name, "baseline");
    due_keep(base ? &p->base : &p->read_back, base ? &p->base_len : &p->read_back_len, octets);
    return true;
  }
  if (octets.len < size || 2 * size >= sizeof hex) {
    return false;
  }
  for (size_t i = 0; i < size; i++) {
    snprintf(hex + 2 * i, 3, "%02x", octets.ptr[i]);
  }
  return scenario_names_set(&p->names, capture->name, capture->name_len, hex, 2 * size);
}

static bool due_take(peer_player *p, const scn_word *word, const scn_capture *capture,
                     const seen *what) {
  char name[SCENARIO_NAME_CAP];
  iwarp_pdu_part part;
  const iwarp_field *field = NULL;
  uint64_t value = 0;
  size_t size = 0;
  if (due_is_payload(word)) {
    return due_take_octets(p, capture, what);
  }
  if (scn_word_is(word, "len")) {
    (void)due_payload(what, &size);
    value = size;
  } else if (!due_field(&part, &field, what, word) ||
             iwarp_field_uint(&value, field, part.octets) != IWARP_OK) {
    return false;
  }
  snprintf(name, sizeof name, "%.*s", (int)capture->name_len, capture->name);
  return scenario_names_number(&p->names, name, value);
}

/* ---- lines ---- */

static bool due_word(const scn_word *word, const seen *what) {
  iwarp_pdu_part part;
  const iwarp_field *field = NULL;
  size_t size = 0;
  uint64_t len = 0;
  if (due_is_payload(word)) {
    return due_octets(word, what);
  }
  if (scn_word_is(word, "len")) {
    (void)due_payload(what, &size);
    return scn_word_number(word, &len) && len == size;
  }
  return due_is_travel(word) ||
         (due_field(&part, &field, what, word) && due_field_is(word, &part, field));
}

/* A Reply that rejects does not match a line without a word about it. */
static bool due_rejects(const scn_line *line, const seen *what) {
  bool named = false;
  for (size_t i = 2; i < line->num; i++) {
    named = named || scn_word_is(&line->words[i], "R") || scn_word_is(&line->words[i], "reject");
  }
  return what->kind == SEEN_STARTUP && what->reply && !named &&
         (what->octets[IWARP_MPA_KEY_LEN] & IWARP_MPA_FLAG_R) != 0;
}

static bool due_words(peer_player *p, const scn_line *line, const seen *what) {
  scn_capture capture;
  for (size_t i = 2; i < line->num; i++) {
    if (!scn_word_capture(&line->words[i], &capture) && !due_word(&line->words[i], what)) {
      return false;
    }
  }
  for (size_t i = 2; i < line->num; i++) { /* once the whole line fits */
    if (scn_word_capture(&line->words[i], &capture) &&
        !due_take(p, &line->words[i], &capture, what)) {
      return false;
    }
  }
  return true;
}

/* A scripted peer waits for the kind of a line alone, and takes the values that it can. */
static bool due_scripted(peer_player *p, const scn_line *line, const seen *what) {
  scn_capture capture;
  for (size_t i = 2; i < line->num; i++) {
    if (scn_word_capture(&line->words[i], &capture)) {
      (void)due_take(p, &line->words[i], &capture, what);
    }
  }
  return true;
}

/* A line of a scripted peer with another opcode stands for any message. A line of a message that
 * is cut stands for octets that are no message. */
static bool due_any_opcode(const scn_line *line, const seen *what) {
  bool opcode = false;
  bool cut = false;
  for (size_t i = 2; i < line->num; i++) {
    opcode = opcode || scn_word_is(&line->words[i], "opcode");
    cut = cut || scn_word_is(&line->words[i], "cut");
  }
  return (opcode && what->kind == SEEN_MESSAGE) || (cut && what->kind == SEEN_JUNK);
}

bool player_matches(peer_player *p, const scenario_step *step, const seen *what) {
  scn_line line = {.number = step->number - 1};
  scenario_room room;
  scenario_error error;
  (void)scn_line_read(&line, step->text, step->len);
  if (step->kind == SCENARIO_STEP_CLOSE) {
    return what->kind == SEEN_FIN || what->kind == SEEN_RST;
  }
  const bool kind = step->kind == SCENARIO_STEP_ITEM && due_kind(&line.words[1], what);
  if (what->improper && !p->how.scripted) {
    return false; /* the tester cannot go on, and a rule reports the fault */
  }
  if (p->how.scripted || (kind && p->mirrored && what->kind == SEEN_STARTUP)) {
    return (kind || due_any_opcode(&line, what)) && due_scripted(p, &line, what);
  }
  if (!kind || !scenario_names_replace(&p->names, &line, &room, &error)) {
    return false;
  }
  if (what->kind == SEEN_FIN || what->kind == SEEN_RST || what->kind == SEEN_JUNK) {
    return true;
  }
  return !due_rejects(&line, what) && due_words(p, &line, what);
}

/* ---- text ---- */

static uint64_t text_field(const seen *what, const char *path) {
  const scn_word word = {.key = path, .key_len = strlen(path)};
  iwarp_pdu_part part;
  const iwarp_field *field = NULL;
  uint64_t value = 0;
  if (due_field(&part, &field, what, &word)) {
    (void)iwarp_field_uint(&value, field, part.octets);
  }
  return value;
}

bool player_no_room(const seen *what) {
  return what->kind == SEEN_MESSAGE && what->opcode == IWARP_RDMAP_OP_TERMINATE &&
         text_field(what, "terminate.layer") == 1 && text_field(what, "terminate.etype") == 2 &&
         (text_field(what, "terminate.code") == 2 || text_field(what, "terminate.code") == 3);
}

static void text_terminate(const seen *what, char *out, size_t cap) {
  const uint8_t layer = (uint8_t)text_field(what, "terminate.layer");
  const uint8_t etype = (uint8_t)text_field(what, "terminate.etype");
  const uint8_t code = (uint8_t)text_field(what, "terminate.code");
  snprintf(out, cap, "terminate layer=%u etype=%u code=%u (%s)", layer, etype, code,
           iwarp_rdmap_term_code_name(layer, etype, code));
}

static void text_startup(const seen *what, char *out, size_t cap) {
  const uint8_t flags = what->octets[IWARP_MPA_KEY_LEN];
  snprintf(out, cap, "%s%s%s%s%s rev=%u pd_length=%u", what->reply ? "mpa-reply" : "mpa-request",
           (flags & IWARP_MPA_FLAG_M) != 0 ? " M" : "", (flags & IWARP_MPA_FLAG_C) != 0 ? " C" : "",
           (flags & IWARP_MPA_FLAG_R) != 0 ? " R" : "", (flags & IWARP_MPA_FLAG_S) != 0 ? " S" : "",
           what->octets[IWARP_MPA_KEY_LEN + 1], (unsigned int)text_field(what, "mpa.pd_length"));
  const size_t len = strlen(out);
  if ((flags & IWARP_MPA_FLAG_S) != 0) {
    snprintf(out + len, cap - len, " ird=%u ord=%u", (unsigned int)text_field(what, "enhanced.ird"),
             (unsigned int)text_field(what, "enhanced.ord"));
  }
}

void player_seen_text(const seen *what, char *out, size_t cap) {
  switch (what->kind) {
  case SEEN_STARTUP: text_startup(what, out, cap); break;
  case SEEN_MESSAGE:
    if (what->opcode == IWARP_RDMAP_OP_TERMINATE) {
      text_terminate(what, out, cap);
    } else {
      snprintf(out, cap, "%s len=%zu%s", iwarp_rdmap_op_get(what->opcode)->name, what->size,
               what->bad_crc ? " with a wrong CRC" : "");
    }
    break;
  case SEEN_JUNK: snprintf(out, cap, "octets that are neither a startup frame nor an FPDU"); break;
  case SEEN_FIN: snprintf(out, cap, "FIN"); break;
  case SEEN_RST: snprintf(out, cap, "RST"); break;
  }
}
