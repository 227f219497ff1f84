/* SPDX-License-Identifier: BSD-2-Clause */
/* The statements of a scenario, one a line. */
#include "scenario_priv.h"

#include <iwarp/rules.h>
#include <report/rule_match.h>

#define READ_GLOB_MAX 128u

static bool read_close_tcp(scenario *s) {
  return scn_packet_add(s, 0, SCN_FIN | SCN_ACK, NULL, 0) &&
         scn_packet_add(s, 1, SCN_FIN | SCN_ACK, NULL, 0) && scn_packet_add(s, 0, SCN_ACK, NULL, 0);
}

/* Sends the octets that still wait, of both sides. */
static bool read_flush(scenario *s) {
  const scn_travel how = {.segment = 0};
  return scn_send(s, 0, NULL, 0, &how) && scn_send(s, 1, NULL, 0, &how);
}

/* A case often ends on one side; the other side then ends, too. */
static bool read_close_other(scenario *s) {
  const uint8_t other = s->conn->fin[0] ? 1 : 0;
  return !s->is_case || s->conn->fin[0] == s->conn->fin[1] ||
         scn_packet_add(s, other, SCN_FIN | SCN_ACK, NULL, 0);
}

static bool read_close(scenario *s) {
  if (s->conn->closed) {
    return read_close_other(s);
  }
  return s->sctp ? scn_sctp_close(s, 0) : read_close_tcp(s);
}

/* The ends of all connections. */
bool scn_end(scenario *s) {
  bool ok = true;
  for (size_t i = 0; ok && i < SCN_CONNS_MAX; i++) {
    if (s->conns[i] != NULL) {
      s->conn = s->conns[i];
      ok = scn_begin(s) && read_flush(s) && read_close(s);
    }
  }
  return ok;
}

static bool read_matches_rule(const scn_word *word) {
  char glob[READ_GLOB_MAX] = "";
  if (word->value != NULL || word->key_len >= sizeof glob) {
    return false;
  }
  memcpy(glob, word->key, word->key_len);
  return rule_matches_any(glob);
}

/* A test reads the line, not the capture; a line without words is a mistake. */
static bool read_forbid(scenario *s, const scn_line *line, scenario_error *error) {
  (void)s;
  for (size_t i = 1; i < line->num; i++) {
    if (!read_matches_rule(&line->words[i])) {
      return scn_fail(error, line, &line->words[i], "matches no rule ('iwarp rules' lists them)");
    }
  }
  return line->num > 1 || scn_fail(error, line, &line->words[0], "needs rules, as in forbid ddp.*");
}

static bool read_meta(scenario *s, const scn_line *line, scenario_error *error) {
  (void)s;
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

/* Returns the index of the name that a word is; `num`: no such name. */
static size_t read_which(const scn_word *word, const char *const *names, size_t num) {
  size_t i = 0;
  while (i < num && (word->value != NULL || !scn_word_is(word, names[i]))) {
    i++;
  }
  return i;
}

/* Reads the side of the packet that breaks the rule, and its number. */
static bool read_finding(const scn_line *line, bool fails, scenario_error *error) {
  static const char *const sides[] = {"initiator", "responder", "unknown"};
  const scn_word *side = &line->words[3];
  const scn_word *frame = &line->words[line->num > 4 ? 4 : 3];
  size_t number = 0;
  if (!fails || line->num > 5) {
    return scn_fail(error, line, &line->words[fails ? 5 : 3],
                    "is too much: only expect fail RULE SIDE frame=N says more than a rule");
  }
  if (read_which(side, sides, 3) == 3) {
    return scn_fail(error, line, side, "is no side: initiator, responder or unknown");
  }
  if (!scn_word_is(frame, "frame")) {
    return scn_fail(error, line, frame, "is not frame=N, which comes after the side");
  }
  return scn_some(line, frame, SCN_PACKETS_MAX, &number, error);
}

/* A rule that is expected to have a verdict. */
static bool read_expect(scenario *s, const scn_line *line, scenario_error *error) {
  (void)s;
  static const char *const verdicts[] = {"pass", "fail", "inconclusive", "not-seen"};
  const scn_word *word = &line->words[line->num > 1 ? 1 : 0];
  if (read_which(word, verdicts, 4) == 4 || line->num < 3) {
    return scn_fail(error, line, word, "needs pass, fail, inconclusive or not-seen, and a rule");
  }
  if (!read_is_rule(&line->words[2])) {
    return scn_fail(error, line, &line->words[2], "is no rule ('iwarp rules' lists them)");
  }
  return line->num == 3 || read_finding(line, scn_word_is(word, "fail"), error);
}

static bool read_sctp(scenario *s, const scn_line *line, scenario_error *error) {
  if (s->conn->begun || s->conn->number > 0 || s->sctp) {
    return scn_fail(error, line, &line->words[0], "comes once, before what is sent");
  }
  s->sctp = true;
  return scn_sctp_reset(s) || scn_fail(error, line, &line->words[0], "out of memory");
}

/* Reads a term of a new connection: its port, its active side, or the loss of its
 * handshake. */
static bool read_connection_word(scenario *s, const scn_line *line, const scn_word *word,
                                 scenario_error *error) {
  size_t port = 0;
  if (s->conn->begun) {
    return scn_fail(error, line, word, "comes before what is sent in this connection");
  }
  const bool passive = !s->sctp && scn_word_is(word, "passive");
  if ((passive || scn_word_is(word, "lost")) && word->value == NULL) {
    *(passive ? &s->conn->passive : &s->conn->lost) = true;
    return true;
  }
  if (!scn_word_is(word, "port")) {
    return scn_fail(error, line, word,
                    "is no word of a connection: port=N, lost, over TCP passive");
  }
  const bool ok = scn_some(line, word, UINT16_MAX, &port, error);
  s->conn->port = (uint16_t)port;
  return ok;
}

static bool read_connection(scenario *s, const scn_line *line, scenario_error *error) {
  const scn_word *word = &line->words[line->num > 1 ? 1 : 0];
  const scn_word number = {.value = word->key, .value_len = word->key_len};
  uint64_t n = 0;
  if (line->num < 2 || word->value != NULL || !scn_word_number(&number, &n) || n < 1 ||
      n > SCN_CONNS_MAX) {
    return scn_fail(error, line, word, "needs a number of a connection, 1 to 8");
  }
  if (s->conns[n - 1] == NULL && !scn_conn_new(s, (uint8_t)(n - 1))) {
    return scn_fail(error, line, word, "out of memory");
  }
  s->conn = s->conns[n - 1];
  bool ok = true;
  for (size_t i = 2; ok && i < line->num; i++) {
    ok = read_connection_word(s, line, &line->words[i], error);
  }
  return ok;
}

/* One side is not captured at all. */
static bool read_only(scenario *s, const scn_line *line, scenario_error *error) {
  const scn_word *word = &line->words[line->num - 1];
  const bool known = scn_word_is(word, "i>") || scn_word_is(word, "r>");
  if (line->num != 2 || !known || s->num > 0) {
    return scn_fail(error, line, word, "needs a side, as in only i>, before what is sent");
  }
  if (s->unheard[0] || s->unheard[1]) {
    return scn_fail(error, line, word, "is a second side: only comes once");
  }
  s->unheard[scn_word_is(word, "i>") ? 1 : 0] = true;
  return true;
}

static bool read_snaplen(scenario *s, const scn_line *line, scenario_error *error) {
  const scn_word *word = &line->words[line->num > 1 ? 1 : 0];
  const scn_word number = {.key = word->key,
                           .key_len = word->key_len,
                           .value = word->key,
                           .value_len = word->key_len,
                           .column = word->column};
  if (line->num != 2 || word->value != NULL) {
    return scn_fail(error, line, word, "needs a number of octets, as in snaplen 96");
  }
  return scn_some(line, &number, SCN_LEN_MAX, &s->snaplen, error);
}

/* The capture begins here. */
static bool read_begin(scenario *s, const scn_line *line, scenario_error *error) {
  if (line->num != 1 || line->words[0].value != NULL || s->late) {
    return scn_fail(error, line, &line->words[0], "comes once, alone on its line");
  }
  s->late = true;
  scn_forget(s);
  return true;
}

/* Reads a word that stands alone on its line; false: the line has another word. */
static bool read_alone(scenario *s, const scn_line *line) {
  const scn_word *first = &line->words[0];
  bool *flag = scn_word_is(first, "open")   ? &s->conn->closed
               : scn_word_is(first, "ipv6") ? &s->ipv6
               : scn_word_is(first, "vlan") ? &s->vlan
                                            : NULL;
  if (line->num != 1 || first->value != NULL) {
    return false;
  }
  if (flag != NULL) {
    *flag = true;
  }
  return flag != NULL;
}

typedef bool (*read_fn)(scenario *s, const scn_line *line, scenario_error *error);

bool scn_statement(scenario *s, const scn_line *line, scenario_error *error) {
  static const struct {
    const char *name;
    read_fn fn;
  } rows[] = {{"sctp", read_sctp},     {"connection", read_connection},
              {"only", read_only},     {"snaplen", read_snaplen},
              {"expect", read_expect}, {"forbid", read_forbid},
              {"meta", read_meta},     {"begin", read_begin}};
  const scn_word *first = &line->words[0];
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (scn_word_is(first, rows[i].name)) {
      return rows[i].fn(s, line, error);
    }
  }
  return read_alone(s, line) ||
         scn_fail(error, line, first,
                  "a line begins with i>, r>, connection, sctp, open, begin, only, snaplen, ipv6, "
                  "vlan, meta, expect or forbid");
}
