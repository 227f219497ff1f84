/* SPDX-License-Identifier: BSD-2-Clause */
/* Items over SCTP: DDP Stream Sessions (RFC 5043, RFC 6581 7). */
#include "scenario_priv.h"

#include <stdio.h>

/* ---- words ---- */

typedef struct session_words {
  scn_chunking how;
  size_t cut; /* octets that the end of the user data lacks */
} session_words;

/* Words that are numbers of octets, at least 1: 0 would mean the same as no word. */
static scn_use session_octets(session_words *x, const scn_line *line, const scn_word *word,
                              scenario_error *error) {
  const bool snap = scn_word_is(word, "snap");
  if (scn_word_is(word, "mtu")) {
    return scn_used(scn_mtu(line, word, &x->how.mtu, error));
  }
  size_t *out = snap ? &x->how.snap : &x->how.fragment;
  return snap || scn_word_is(word, "fragment")
             ? scn_used(scn_some(line, word, SCN_LEN_MAX, out, error))
             : SCN_NOT_MINE;
}

/* Words that are numbers. */
static scn_use session_number(session_words *x, const scn_line *line, const scn_word *word,
                              scenario_error *error) {
  const struct {
    const char *name;
    size_t *out;
    size_t max;
  } rows[] = {{"stream", &x->how.stream, SCN_STREAMS - 1},
              {"ppid", &x->how.ppid, UINT32_MAX},
              {"unacked", &x->how.unacked, SCN_PACKETS_MAX},
              {"cut", &x->cut, SCN_LEN_MAX}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (scn_word_is(word, rows[i].name)) {
      return scn_used(scn_number(line, word, rows[i].max, rows[i].out, error));
    }
  }
  return session_octets(x, line, word, error);
}

/* Reads the addresses and the checksum of the packet. */
static scn_use session_packet(scn_chunking *how, uint8_t side, const scn_word *word) {
  if (scn_word_is(word, "crc") && (scn_value_is(word, "bad") || scn_value_is(word, "zero"))) {
    how->checksum = scn_value_is(word, "bad") ? SCN_CHECKSUM_BAD : SCN_CHECKSUM_ZERO;
    return SCN_USED;
  }
  if ((scn_word_is(word, "from") || scn_word_is(word, "to")) && scn_value_is(word, "second")) {
    how->moved[scn_word_is(word, "from") ? side : 1 - side] = true;
    return SCN_USED;
  }
  return SCN_NOT_MINE;
}

/* Words that stand by themselves, and those with one value. */
static scn_use session_flag(scn_chunking *how, const scn_word *word) {
  const struct {
    const char *name;
    const char *value;
    bool *out;
  } rows[] = {{"ordered", NULL, &how->ordered},  {"I", NULL, &how->immediate},
              {"bundled", NULL, &how->bundled},  {"lost", NULL, &how->lost},
              {"twice", NULL, &how->twice},      {"rest", NULL, &how->rest},
              {"sack", "none", &how->sack_none}, {"sack", NULL, &how->sack}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const bool fits =
        rows[i].value == NULL ? word->value == NULL : scn_value_is(word, rows[i].value);
    if (scn_word_is(word, rows[i].name) && fits) {
      *rows[i].out = true;
      return SCN_USED;
    }
  }
  return SCN_NOT_MINE;
}

static scn_use session_word(void *into, const scn_line *line, const scn_word *word,
                            scenario_error *error) {
  session_words *x = into;
  const uint8_t side = scn_word_is(&line->words[0], "r>") ? 1 : 0;
  const scn_use numbers = session_number(x, line, word, error);
  const scn_use flags = numbers == SCN_NOT_MINE ? session_flag(&x->how, word) : numbers;
  return flags == SCN_NOT_MINE ? session_packet(&x->how, side, word) : flags;
}

/* Words may change what a stream says, so it is looked for before they are read. */
size_t scn_stream_of(const scenario *s, const scn_line *line) {
  uint64_t stream = 0;
  for (size_t i = 2; s->sctp && i < line->num; i++) {
    if (scn_word_is(&line->words[i], "stream")) {
      (void)scn_word_number(&line->words[i], &stream);
    }
  }
  return (size_t)(stream % SCN_STREAMS);
}

static scn_stream *session_stream(scenario *s, const scn_line *line) {
  return &s->conn->streams[scn_stream_of(s, line)];
}

/* ---- messages ---- */

static bool session_send(scenario *s, uint8_t side, const scn_line *line, const scn_parts *p,
                         const session_words *x, scenario_error *error) {
  const size_t len = p->len > x->cut ? p->len - x->cut : 0;
  return scn_sctp_data(s, side, p->octets, len, &x->how) ||
         scn_fail(error, line, &line->words[1], "makes too many packets, or one that is too long");
}

static void session_begin(scn_stream *stream, const iwarp_sctp_function_info *info) {
  const bool initiates =
      info->code == IWARP_SCTP_INITIATE || info->code == IWARP_SCTP_ENHANCED_INITIATE;
  if (initiates && stream->ended) {
    *stream = (scn_stream){.ended = false};
  }
}

static bool session_ends(const iwarp_sctp_function_info *info) {
  return info->code == IWARP_SCTP_TERMINATE || info->code == IWARP_SCTP_REJECT ||
         info->code == IWARP_SCTP_ENHANCED_REJECT;
}

static bool session_control(scenario *s, uint8_t side, const scn_line *line,
                            const iwarp_sctp_function_info *info, scenario_error *error) {
  static scn_parts p;
  session_words x = {.how = {.ppid = IWARP_SCTP_PPID_CONTROL}};
  scn_stream *stream = session_stream(s, line);
  session_begin(stream, info);
  const iwarp_sctp_control control = {.ssn = stream->side[side].ssn++, .function = info->code};
  p = (scn_parts){.len = 0};
  (void)iwarp_sctp_control_encode(p.octets, sizeof p.octets, &p.len, &control);
  scn_parts_add(&p, IWARP_FORM_SCTP_CONTROL, 0);
  if (info->enhanced) {
    scn_parts_add(&p, IWARP_FORM_MPA_ENHANCED, p.len);
    p.len += IWARP_SCTP_ENHANCED_LEN;
  }
  stream->ended = stream->ended || session_ends(info);
  return scn_words(&p, line, "pd", (scn_extra){session_word, &x}, error) &&
         session_send(s, side, line, &p, &x, error);
}

static bool session_segment(scenario *s, uint8_t side, const scn_line *line, uint8_t opcode,
                            scenario_error *error) {
  static scn_parts p;
  session_words x = {.how = {.ppid = IWARP_SCTP_PPID_SEGMENT}};
  scn_stream *stream = session_stream(s, line);
  const iwarp_sctp_segment segment = {.ssn = stream->side[side].ssn++};
  p = (scn_parts){.len = 0};
  (void)iwarp_sctp_segment_encode(p.octets, sizeof p.octets, &p.len, &segment);
  scn_parts_add(&p, IWARP_FORM_SCTP_SEGMENT, 0);
  scn_message(&p, stream->side[side].msn, opcode);
  if (scn_has(line, "rest")) {
    scn_rest(&p, IWARP_SCTP_SEGMENT_LEN);
  }
  if (!scn_words(&p, line, "data", (scn_extra){session_word, &x}, error)) {
    return false;
  }
  scn_count(stream->side[side].msn, &p, IWARP_SCTP_SEGMENT_LEN, opcode);
  return session_send(s, side, line, &p, &x, error);
}

/* A message of unknown meaning, or no message but a SACK. */
static bool session_other(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  static scn_parts p;
  const bool sack = scn_word_is(&line->words[1], "sack");
  session_words x = {.how = {.sack = sack}};
  p = (scn_parts){.len = 0};
  if (!scn_words(&p, line, sack ? NULL : "data", (scn_extra){session_word, &x}, error)) {
    return false;
  }
  return sack ? scn_sctp_sack(s, side, &x.how) ||
                    scn_fail(error, line, &line->words[1], "makes too many packets")
              : session_send(s, side, line, &p, &x, error);
}

/* ---- the association ---- */

static scn_use session_init_word(void *into, const scn_line *line, const scn_word *word,
                                 scenario_error *error) {
  scn_sctp_side *end = into;
  if (scn_word_is(word, "outbound") || scn_word_is(word, "inbound")) {
    size_t *out = scn_word_is(word, "outbound") ? &end->outbound : &end->inbound;
    return scn_used(scn_number(line, word, UINT16_MAX, out, error));
  }
  if (scn_word_is(word, "adaptation") && scn_value_is(word, "none")) {
    end->adaptation_none = true;
    return SCN_USED;
  }
  if (scn_word_is(word, "tsn")) {
    size_t tsn = 0;
    const bool ok = scn_number(line, word, UINT32_MAX, &tsn, error);
    end->first = end->tsn = (uint32_t)tsn;
    return scn_used(ok);
  }
  end->init_lost = end->init_lost || scn_word_is(word, "lost");
  return scn_word_is(word, "lost") ? SCN_USED : SCN_NOT_MINE;
}

/* Sends INIT or INIT ACK with the parameters of the line. */
static bool session_init(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  static scn_parts p;
  scn_sctp_side *end = &s->conn->end[side];
  if (s->conn->begun || scn_word_is(&line->words[1], "init") != (side == 0)) {
    return scn_fail(error, line, &line->words[1],
                    "comes first: i> init, r> init-ack, then what is sent");
  }
  p = (scn_parts){.len = sizeof end->adaptation};
  memcpy(p.octets, end->adaptation, sizeof end->adaptation);
  scn_parts_add(&p, IWARP_FORM_SCTP_ADAPTATION, 0);
  const bool ok = scn_words(&p, line, NULL, (scn_extra){session_init_word, end}, error);
  memcpy(end->adaptation, p.octets, sizeof end->adaptation);
  s->conn->end[1 - side].acked = end->tsn - 1;
  return ok;
}

/* An item that has no words of its own. */
static bool session_end(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  const bool aborts = scn_word_is(&line->words[1], "abort");
  if (line->num > 2) {
    return scn_fail(error, line, &line->words[2], "is no word of this item");
  }
  return (aborts ? scn_sctp_abort(s, side) : scn_sctp_close(s, side)) ||
         scn_fail(error, line, &line->words[1], "makes too many packets");
}

/* The Session Control message that an item names; NULL: none. */
static const iwarp_sctp_function_info *session_function(const scn_word *kind) {
  char name[40];
  for (size_t i = 0; iwarp_sctp_function_at(i) != NULL; i++) {
    snprintf(name, sizeof name, "session-%s", iwarp_sctp_function_at(i)->name);
    if (scn_word_is(kind, name)) {
      return iwarp_sctp_function_at(i);
    }
  }
  return NULL;
}

static bool session_known(const scn_word *kind, const char *one, const char *other) {
  return scn_word_is(kind, one) || scn_word_is(kind, other);
}

bool scn_sctp_item(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  const scn_word *kind = &line->words[1];
  const iwarp_sctp_function_info *info = session_function(kind);
  uint8_t opcode = 0;
  if (session_known(kind, "init", "init-ack")) {
    return session_init(s, side, line, error);
  }
  if (session_known(kind, "shutdown", "abort")) {
    return session_end(s, side, line, error);
  }
  if (session_known(kind, "message", "sack")) {
    return session_other(s, side, line, error);
  }
  if (info != NULL) {
    return session_control(s, side, line, info, error);
  }
  return scn_message_opcode(kind, &opcode)
             ? session_segment(s, side, line, opcode, error)
             : scn_fail(error, line, kind,
                        "is no item over SCTP: init, init-ack, session-..., message, sack, "
                        "shutdown, abort, octets, or a message of RDMAP");
}
