/* SPDX-License-Identifier: BSD-2-Clause */
/* What a case of the rules came to, as text: verdict counts, and each finding with all its fields.
 */
#include "rules_text.h"

void text_add(struct text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(&t->chars[t->len], sizeof(t->chars) - t->len, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof(t->chars) - t->len) {
    abort();
  }
  t->len += (size_t)n;
}

static void text_octets(struct text *t, const iwarp_value *v) {
  for (unsigned i = 0; i < v->num_octets; i++) {
    text_add(t, "%02x", v->octets[i]);
  }
}

static void text_value(struct text *t, const char *name, const iwarp_value *v) {
  text_add(t, " %s=", name);
  switch (v->kind) {
  case IWARP_VALUE_NONE: text_add(t, "-"); break;
  case IWARP_VALUE_UINT: text_add(t, "%" PRIu64, v->u); break;
  case IWARP_VALUE_HEX8: text_add(t, "0x%02" PRIx64, v->u); break;
  case IWARP_VALUE_HEX16: text_add(t, "0x%04" PRIx64, v->u); break;
  case IWARP_VALUE_HEX32: text_add(t, "0x%08" PRIx64, v->u); break;
  case IWARP_VALUE_HEX64: text_add(t, "0x%016" PRIx64, v->u); break;
  case IWARP_VALUE_TEXT: text_add(t, "\"%s\"", v->text); break;
  case IWARP_VALUE_OCTETS: text_octets(t, v); break;
  case IWARP_VALUE_AT_MOST: text_add(t, "at most %" PRIu64, v->u); break;
  case IWARP_VALUE_AT_LEAST: text_add(t, "at least %" PRIu64, v->u); break;
  }
}

/* Positions count from the first octet of the side's stream. */
static void text_pos(struct text *t, const char *name, const iwarp_finding *f, uint64_t pos) {
  if (pos == IWARP_POS_UNKNOWN) {
    text_add(t, " %s=-", name);
  } else {
    text_add(t, " %s=+%" PRIu64, name, pos - (f->side == 0 ? FIXTURE_START_0 : FIXTURE_START_1));
  }
}

void text_finding(struct text *t, const iwarp_finding *f) {
  static const char *const roles[] = {"unknown", "initiator", "responder"};
  text_add(t, "  %s: side=%u %s", iwarp_rule_get(f->rule)->slug, f->side, roles[f->role]);
  text_pos(t, "pos", f, f->pos);
  if (f->offset == IWARP_POS_UNKNOWN) {
    text_add(t, " offset=-");
  } else {
    text_add(t, " offset=%" PRIu64, f->offset);
  }
  const iwarp_field *field = iwarp_field_get(f->field);
  text_add(t, " field=%s", field != NULL ? field->path : "-");
  text_pos(t, "octets", f, f->octet_pos);
  text_add(t, "/%" PRIu32 " packets=%" PRIu64 "..%" PRIu64, f->octet_len, f->first.packet,
           f->last.packet);
  text_value(t, "expected", &f->expected);
  text_value(t, "observed", &f->observed);
  text_add(t, " other=%" PRIu64 "\n", f->other_packet);
}

static void text_reason(struct text *t, uint32_t reason) {
  static const char *const names[] = {
      "gap",         "snaplen", "one-direction", "mid-stream",     "no-negotiation",
      "crc-unknown", "limit",   "octets-differ", "checksum-wrong", "after-fault"};
  for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if ((reason & 1u << i) != 0) {
      text_add(t, " %s", names[i]);
    }
  }
}

void text_tally(struct text *t, const struct text_tally *tally) {
  text_add(t, "%" PRIu64 "/%" PRIu64 "/%" PRIu64, tally->num_pass, tally->num_fail,
           tally->num_inconclusive);
  text_reason(t, tally->reason);
}

static void text_tally_rule(struct text_tally *tally, const iwarp_rules *rules, uint16_t rule) {
  const iwarp_rule_result r = iwarp_rules_result(rules, rule);
  tally->num_pass += r.num_pass;
  tally->num_fail += r.num_fail;
  tally->num_inconclusive += r.num_inconclusive;
  tally->reason |= r.reason;
}

void text_tally_add(struct text_tally *tally, const iwarp_rules *rules) {
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    text_tally_rule(tally, rules, id);
  }
}

void text_counts(struct text *t, const iwarp_rules *rules, uint16_t rule) {
  struct text_tally one = {0};
  text_tally_rule(&one, rules, rule);
  text_tally(t, &one);
}

static bool text_is_inconclusive(const iwarp_rules *rules, uint16_t id, const char *counts) {
  struct text own = {.len = 0};
  text_counts(&own, rules, id);
  return iwarp_rules_result(rules, id).num_inconclusive > 0 && strcmp(own.chars, counts) == 0;
}

/* A line for the rules that were not sure of something and have the counts of `id`. */
static void text_inconclusive_line(struct text *t, const iwarp_rules *rules, uint16_t id,
                                   uint16_t but) {
  struct text counts = {.len = 0};
  text_counts(&counts, rules, id);
  for (uint16_t before = 0; before < id; before++) {
    if (before != but && text_is_inconclusive(rules, before, counts.chars)) {
      return; /* it has its line */
    }
  }
  text_add(t, "  not sure, %s:", counts.chars);
  for (uint16_t other = id; other < iwarp_rule_count(); other++) {
    if (other != but && text_is_inconclusive(rules, other, counts.chars)) {
      text_add(t, " %s", iwarp_rule_get(other)->slug);
    }
  }
  text_add(t, "\n");
}

void text_inconclusive(struct text *t, const iwarp_rules *rules, uint16_t but) {
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    if (id != but && iwarp_rules_result(rules, id).num_inconclusive > 0) {
      text_inconclusive_line(t, rules, id, but);
    }
  }
}
