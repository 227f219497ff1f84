/* SPDX-License-Identifier: BSD-2-Clause */
/* The statements of a scenario, one a line. */
#include "scenario_priv.h"

#include <iwarp/rules.h>

#define READ_OCTETS_MAX 4096u

static bool read_handshake(scenario *s) {
  return scn_packet_add(s, 0, SCN_SYN, NULL, 0) &&
         scn_packet_add(s, 1, SCN_SYN | SCN_ACK, NULL, 0) && scn_packet_add(s, 0, SCN_ACK, NULL, 0);
}

static bool read_begin(scenario *s) {
  const bool begun = s->begun;
  s->begun = true;
  return begun || (s->sctp ? scn_sctp_open(s) : read_handshake(s));
}

static bool read_close_tcp(scenario *s) {
  return scn_packet_add(s, 0, SCN_FIN | SCN_ACK, NULL, 0) &&
         scn_packet_add(s, 1, SCN_FIN | SCN_ACK, NULL, 0) && scn_packet_add(s, 0, SCN_ACK, NULL, 0);
}

static bool read_close(scenario *s) {
  return s->closed || (s->sctp ? scn_sctp_close(s, 0) : read_close_tcp(s));
}

/* Octets as they stand, outside of any frame. */
static bool read_octets(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  const scn_word *word = &line->words[line->num > 2 ? 2 : 1];
  const scn_word hex = {.value = word->key, .value_len = word->key_len};
  const scn_travel how = {.segment = 0};
  uint8_t octets[READ_OCTETS_MAX];
  size_t len = 0;
  if (line->num != 3 || word->value != NULL ||
      !scn_word_octets(&hex, octets, sizeof octets, &len) || len == 0) {
    return scn_fail(error, line, word, "one word of octets in hex is expected");
  }
  return (s->sctp ? scn_sctp_octets(s, side, octets, len) : scn_send(s, side, octets, len, &how)) ||
         scn_fail(error, line, word, "out of memory");
}

static bool read_said(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  if (line->num < 2) {
    return scn_fail(error, line, &line->words[0], "what is sent is missing");
  }
  const scn_word *kind = &line->words[1];
  const bool sets_up = s->sctp && (scn_word_is(kind, "init") || scn_word_is(kind, "init-ack"));
  if (!sets_up && !read_begin(s)) {
    return scn_fail(error, line, kind, "out of memory");
  }
  if (scn_word_is(kind, "octets")) {
    return read_octets(s, side, line, error);
  }
  if (s->sctp) {
    return scn_sctp_item(s, side, line, error);
  }
  if (scn_word_is(kind, "fin") || scn_word_is(kind, "rst")) {
    const uint8_t flag = scn_word_is(kind, "fin") ? SCN_FIN : SCN_RST;
    s->closed = true;
    return scn_packet_add(s, side, (uint8_t)(flag | SCN_ACK), NULL, 0) ||
           scn_fail(error, line, kind, "out of memory");
  }
  return scn_tcp_item(s, side, line, error);
}

/* What a test makes of a line is not in the capture, but one that says nothing is a mistake. */
static bool read_forbid(const scn_line *line, scenario_error *error) {
  return line->num > 1 || scn_fail(error, line, &line->words[0], "needs rules, as in forbid ddp.*");
}

static bool read_meta(const scn_line *line, scenario_error *error) {
  const scn_word *word = &line->words[0];
  bool good = line->num > 1;
  for (size_t i = 1; good && i < line->num; i++) {
    word = &line->words[i];
    good = word->value_len > 0;
  }
  return good || scn_fail(error, line, word, "needs KEY=VALUE, as in meta rfc=5044");
}

static bool read_is_rule(const scn_word *word) {
  bool found = false;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    found = found || scn_word_is(word, iwarp_rule_get(id)->slug);
  }
  return found && word->value == NULL;
}

/* A rule that is expected to have a verdict. */
static bool read_expect(const scn_line *line, scenario_error *error) {
  static const char *const verdicts[] = {"pass", "fail", "inconclusive", "not-seen"};
  const scn_word *word = &line->words[line->num > 1 ? 1 : 0];
  bool known = false;
  for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
    known = known || scn_word_is(word, verdicts[i]);
  }
  if (!known || line->num < 3) {
    return scn_fail(error, line, word, "needs pass, fail, inconclusive or not-seen, and a rule");
  }
  return read_is_rule(&line->words[2]) ||
         scn_fail(error, line, &line->words[2], "is no rule ('iwarp rules' lists them)");
}

static bool read_sctp(scenario *s, const scn_line *line, scenario_error *error) {
  if (s->begun || s->sctp) {
    return scn_fail(error, line, &line->words[0], "comes once, before what is sent");
  }
  scn_sctp_reset(s);
  return true;
}

static bool read_statement(scenario *s, const scn_line *line, scenario_error *error) {
  const scn_word *first = &line->words[0];
  if (scn_word_is(first, "i>") || scn_word_is(first, "r>")) {
    return read_said(s, scn_word_is(first, "r>") ? 1 : 0, line, error);
  }
  if (scn_word_is(first, "sctp") && line->num == 1) {
    return read_sctp(s, line, error);
  }
  if (scn_word_is(first, "open") && line->num == 1) {
    s->closed = true;
    return true;
  }
  if (scn_word_is(first, "expect")) {
    return read_expect(line, error);
  }
  if (scn_word_is(first, "forbid")) {
    return read_forbid(line, error);
  }
  if (scn_word_is(first, "meta")) {
    return read_meta(line, error);
  }
  return scn_fail(error, line, first,
                  "a line begins with i>, r>, sctp, open, meta, expect or forbid");
}

bool scenario_read(scenario *s, const char *text, size_t len, scenario_error *error) {
  scn_line line = {.number = 0};
  *error = (scenario_error){.line = 1, .column = 1, .message = "out of memory"};
  bool ok = true;
  for (size_t at = 0; ok && at < len;) {
    at += scn_line_read(&line, text + at, len - at);
    if (line.num == SCN_WORDS_MAX) {
      return scn_fail(error, &line, &line.words[0], "begins a line with too many words");
    }
    ok = line.num == 0 || read_statement(s, &line, error);
  }
  return ok && read_begin(s) && read_close(s);
}
