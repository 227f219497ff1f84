/* SPDX-License-Identifier: BSD-2-Clause */
/* Every rule on connections made for it: pass, near miss, failure, undecidable, disabled, with
 * events taken away. */
#include "check_run.h"

#include <iwarp/field.h>

#include "panel.h"
#include "property.h"
#include "rules_cases.h"
#include "rules_text.h"

#define CASES_IN(table) (sizeof(table) / sizeof((table)[0]))

static const struct {
  const struct rules_case *cases;
  const size_t *num;
} case_tables[] = {
#define CASES_ROW(name) {rules_cases_##name, &rules_cases_##name##_num},
    RULES_CASES_AREAS(CASES_ROW)
#undef CASES_ROW
};

static size_t cases_num(void) {
  size_t num = 0;
  for (size_t i = 0; i < CASES_IN(case_tables); i++) {
    num += *case_tables[i].num;
  }
  return num;
}

static const struct rules_case *case_at(size_t i) {
  size_t table = 0;
  while (i >= *case_tables[table].num) {
    i -= *case_tables[table].num;
    table++;
  }
  return &case_tables[table].cases[i];
}

static const iwarp_rule *case_rule(const struct rules_case *c) {
  const iwarp_rule *rule = iwarp_rule_find(c->slug);
  expect(rule != NULL, "no rule %s", c->slug);
  return rule;
}

static struct rules_fixture *case_new(void) {
  struct rules_fixture *l = malloc(sizeof(*l));
  fixture_init(l);
  return l;
}

static void case_free(struct rules_fixture *l) {
  fixture_free(l);
  free(l);
}

static void case_run(struct rules_fixture *l, const struct rules_case *c) {
  c->run(l);
  fixture_finish(l);
  expect(l->num <= FIXTURE_FINDINGS, "%s, %s: %u findings", c->slug, c->what, l->num);
}

/* What becomes of a case in captures that tell less. */
enum case_less { LESS_NOTHING, LESS_STARTS, LESS_ACKS, LESS_SOUND, LESS_EVENT, LESS_WAYS };

static const char *const case_less_names[LESS_WAYS] = {
    "all rules", "starts guessed", "no acknowledgements", "damaged", "each time an event less"};

/* `drop` is the number of the event that is missing. */
static struct rules_fixture *case_less(const struct rules_case *c, enum case_less less,
                                       uint64_t drop) {
  struct rules_fixture *l = case_new();
  l->guess = less == LESS_STARTS;
  l->no_ack = less == LESS_ACKS;
  l->damaged = less == LESS_SOUND;
  l->drop = less == LESS_EVENT ? drop : FIXTURE_KEEP;
  case_run(l, c);
  return l;
}

static unsigned case_num(const struct rules_fixture *l, const char *slug) {
  unsigned num = 0;
  for (unsigned i = 0; i < l->num; i++) {
    num += slug != NULL && strcmp(iwarp_rule_get(l->findings[i].rule)->slug, slug) == 0 ? 1u : 0u;
  }
  return num;
}

/* All findings but those that the case needs. */
static unsigned case_findings(const struct rules_fixture *l, const struct rules_case *c) {
  return l->num - case_num(l, c->also);
}

static const char *case_first(const struct rules_fixture *l, const struct rules_case *c) {
  for (unsigned i = 0; i < l->num; i++) {
    const char *slug = iwarp_rule_get(l->findings[i].rule)->slug;
    if (c->also == NULL || strcmp(slug, c->also) != 0) {
      return slug;
    }
  }
  return "none";
}

static iwarp_rule_result case_result(const struct rules_fixture *l, const struct rules_case *c) {
  return iwarp_rules_result(l->rules, case_rule(c)->id);
}

START_TEST(a_case_ends_as_it_must)
{
  const struct rules_case *c = case_at((size_t)_i);
  struct rules_fixture *l = case_less(c, LESS_NOTHING, 0);
  const iwarp_rule_result r = case_result(l, c);
  const unsigned num = case_findings(l, c);
  expect(num == (c->want == FIXTURE_FAIL ? 1u : 0u), "%s, %s: %u findings, the first of %s",
         c->slug, c->what, num, case_first(l, c));
  switch (c->want) {
  case FIXTURE_PASS:
    expect(r.verdict == IWARP_VERDICT_PASS, "%s, %s: verdict %d", c->slug, c->what, (int)r.verdict);
    break;
  case FIXTURE_NEAR:
    expect(r.num_pass > 0 && r.num_fail == 0, "%s, %s: verdict %d", c->slug, c->what,
           (int)r.verdict);
    break;
  case FIXTURE_SILENT:
    expect(r.verdict == IWARP_VERDICT_NOT_SEEN, "%s, %s: verdict %d", c->slug, c->what,
           (int)r.verdict);
    break;
  case FIXTURE_FAIL:
    expect(r.verdict == IWARP_VERDICT_FAIL && r.num_fail == 1, "%s, %s: found %s", c->slug, c->what,
           case_first(l, c));
    break;
  case FIXTURE_INCONCLUSIVE:
    expect(r.verdict == IWARP_VERDICT_INCONCLUSIVE && (r.reason & c->reason) != 0,
           "%s, %s: verdict %d, why 0x%x", c->slug, c->what, (int)r.verdict, (unsigned)r.reason);
    break;
  }
  case_free(l);
}
END_TEST

/* Where a finding names a field, its octets equal the field's, as the field table has them; a field
 * of an INIT has none in the stream. */
START_TEST(the_octets_are_those_of_the_field)
{
  const struct rules_case *c = case_at((size_t)_i);
  struct rules_fixture *l = case_less(c, LESS_NOTHING, 0);
  for (unsigned i = 0; i < l->num; i++) {
    const iwarp_finding *f = &l->findings[i];
    const iwarp_field *field = iwarp_field_get(f->field);
    expect(field == NULL || field->num_octets == 0 || f->octet_len == field->num_octets ||
               f->field == IWARP_FIELD_SCTP_ADAPTATION_INDICATION ||
               f->field == IWARP_FIELD_SCTP_ADAPTATION_LENGTH,
           "%s, %s: %u octets, but %s has %u", c->slug, c->what, (unsigned)f->octet_len,
           field != NULL ? field->path : "", field != NULL ? (unsigned)field->num_octets : 0);
  }
  case_free(l);
}
END_TEST

START_TEST(a_disabled_rule_is_silent)
{
  const struct rules_case *c = case_at((size_t)_i);
  struct rules_fixture *l = case_new();
  expect(iwarp_rules_disable(l->rules, case_rule(c)->id) == IWARP_OK, "%s", c->slug);
  case_run(l, c);
  expect(case_findings(l, c) == 0, "%s, %s: found %s", c->slug, c->what, case_first(l, c));
  expect(case_result(l, c).verdict == IWARP_VERDICT_DISABLED, "%s", c->slug);
  case_free(l);
}
END_TEST

/* The panel that judges the case under way. */
static panel *case_panel;

static void case_watch(const struct rules_fixture *l, const iwarp_event *ev) {
  panel_event(case_panel, &l->info, ev, &l->certainty);
}

#define CASE_SLICES 16u /* each of them a process */

/* What a rule finds and counts in a case is the same when it is enabled alone, and when any other
 * rule is disabled. */
START_TEST(no_rule_depends_on_the_others)
{
  for (size_t i = (size_t)_i; i < cases_num(); i += CASE_SLICES * property_sample()) {
    const struct rules_case *c = case_at(i);
    struct rules_fixture *l = case_new();
    case_panel = panel_new();
    l->watch = case_watch;
    case_run(l, c);
    panel_finish(case_panel, &l->info, false);
    expect(case_panel->wrong[0] == '\0', "%s, %s: %s", c->slug, c->what, case_panel->wrong);
    panel_free(case_panel);
    case_free(l);
  }
}
END_TEST

/* The starts of FPDUs are a guess: no rule may fail on their content. */
START_TEST(a_guess_finds_nothing)
{
  const struct rules_case *c = case_at((size_t)_i);
  struct rules_fixture *whole = case_less(c, LESS_NOTHING, 0);
  struct rules_fixture *l = case_less(c, LESS_STARTS, 0);
  const iwarp_rule_result r = case_result(l, c);
  const bool about_fpdus = case_findings(l, c) == 0;
  for (unsigned i = 0; i < l->num; i++) {
    expect(case_num(whole, iwarp_rule_get(l->findings[i].rule)->slug) > 0, "%s, %s: found %s",
           c->slug, c->what, case_first(l, c));
  }
  if (c->want == FIXTURE_FAIL && about_fpdus && r.num_inconclusive > 0) {
    expect((r.reason & IWARP_REASON_MID_STREAM) != 0, "%s, %s: why 0x%x", c->slug, c->what,
           (unsigned)r.reason);
  }
  case_free(whole);
  case_free(l);
}
END_TEST

static bool case_had(const struct rules_fixture *whole, const iwarp_finding *f) {
  for (unsigned i = 0; i < whole->num; i++) {
    const iwarp_finding *had = &whole->findings[i];
    if (had->rule == f->rule && had->side == f->side && had->pos == f->pos) {
      return true;
    }
  }
  return false;
}

static bool case_has(const struct rules_fixture *l, const iwarp_finding *due) {
  bool has = false;
  struct text *is = malloc(sizeof(*is));
  struct text *want = malloc(sizeof(*want));
  want->len = 0;
  text_finding(want, due);
  for (unsigned i = 0; i < l->num && !has; i++) {
    is->len = 0;
    text_finding(is, &l->findings[i]);
    has = strcmp(is->chars, want->chars) == 0;
  }
  free(is);
  free(want);
  return has;
}

/* Which side is counted as 0 depends on the packet with which a capture begins, and tells nothing;
 * but over SCTP the end of side 1 comes last, where sctp.terminate-missing judges both. */
START_TEST(sides_exchanged_find_the_same)
{
  const struct rules_case *c = case_at((size_t)_i);
  if (strcmp(c->slug, "sctp.terminate-missing") == 0) {
    return;
  }
  struct rules_fixture *l = case_less(c, LESS_NOTHING, 0);
  struct rules_fixture *exchanged = case_new();
  exchanged->exchanged = true;
  case_run(exchanged, c);
  expect(l->num == exchanged->num, "%s, %s: %u findings, the first of %s", c->slug, c->what,
         exchanged->num, case_first(exchanged, c));
  for (unsigned i = 0; i < l->num; i++) {
    iwarp_finding due = l->findings[i];
    due.side ^= 1;
    expect(case_has(exchanged, &due), "%s, %s: other finding of %s", c->slug, c->what,
           iwarp_rule_get(due.rule)->slug);
  }
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result is = iwarp_rules_result(exchanged->rules, id);
    const iwarp_rule_result due = iwarp_rules_result(l->rules, id);
    expect(is.num_pass == due.num_pass && is.num_fail == due.num_fail &&
               is.num_inconclusive == due.num_inconclusive && is.reason == due.reason,
           "%s, %s: other counts of %s", c->slug, c->what, iwarp_rule_get(id)->slug);
  }
  case_free(exchanged);
  case_free(l);
}
END_TEST

/* Before each event over SCTP an INIT and an INIT ACK that are right. */
static void case_inits(const struct rules_fixture *l, const iwarp_event *ev) {
  static const iwarp_sctp_assoc_params params = {
      .whole = true, .has_adaptation = true, .adaptation = 1, .out_streams = 8, .in_streams = 8};
  static const iwarp_ev_sctp facts = {.u.init = {.params = &params}};
  for (uint8_t side = 0; ev->sctp != NULL && side < 2; side++) {
    const iwarp_event init = {.kind = IWARP_EVENT_SCTP_INIT,
                              .side = side,
                              .first = ev->first,
                              .last = {.packet = ev->last.packet},
                              .sctp = &facts};
    iwarp_rules_sctp_event(l->rules, &l->info, &init, &(iwarp_sctp_certainty){0});
  }
}

/* An INIT may be captured after messages of its association, and tells nothing of them. */
START_TEST(inits_between_messages_change_no_finding)
{
  const struct rules_case *c = case_at((size_t)_i);
  struct rules_fixture *whole = case_less(c, LESS_NOTHING, 0);
  struct rules_fixture *l = case_new();
  l->watch = case_inits;
  case_run(l, c);
  expect(l->num == whole->num, "%s, %s: %u findings, the first of %s", c->slug, c->what, l->num,
         case_first(l, c));
  for (unsigned i = 0; i < whole->num; i++) {
    expect(case_has(l, &whole->findings[i]), "%s, %s: no finding of %s", c->slug, c->what,
           iwarp_rule_get(whole->findings[i].rule)->slug);
  }
  case_free(l);
  case_free(whole);
}
END_TEST

/* Of so many events the first ones are taken away, one at a time. */
static uint64_t case_drops(uint64_t num_events) {
  return num_events < 40 ? num_events : 40;
}

static void case_finds_no_more(const struct rules_fixture *whole, const struct rules_case *c,
                               enum case_less less, uint64_t drop) {
  struct rules_fixture *l = case_less(c, less, drop);
  for (unsigned i = 0; i < l->num; i++) {
    expect(case_had(whole, &l->findings[i]), "%s, %s: %s, %u, found %s", c->slug, c->what,
           case_less_names[less], (unsigned)drop, iwarp_rule_get(l->findings[i].rule)->slug);
  }
  case_free(l);
}

/* A startup frame or an FPDU less, or octets that came in two forms, never make a finding that was
 * not there before. */
START_TEST(less_finds_no_more)
{
  const struct rules_case *c = case_at((size_t)_i);
  struct rules_fixture *whole = case_less(c, LESS_NOTHING, 0);
  case_finds_no_more(whole, c, LESS_SOUND, 0);
  for (uint64_t drop = 0; drop < case_drops(whole->num_events); drop += property_stride()) {
    case_finds_no_more(whole, c, LESS_EVENT, drop);
  }
  case_free(whole);
}
END_TEST

/* Rules that judge only the octets of a present frame are never inconclusive. */
static bool case_own_octets(const char *slug) {
  static const char *const rules[] = {
      "mpa.request-reject-flag", "mpa.rev-rdmac",       "mpa.rdmac-flags", "mpa.pd-length-max",
      "mpa.enhanced-rev",        "mpa.enhanced-length", "mpa.model-flags", "mpa.rtr-offered",
      "mpa.marker-first",        "ddp.version-constant"};
  for (size_t i = 0; i < CASES_IN(rules); i++) {
    if (strcmp(rules[i], slug) == 0) {
      return true;
    }
  }
  return false;
}

static bool case_inconclusive_under_guess(const struct rules_case *c) {
  struct rules_fixture *l = case_less(c, LESS_STARTS, 0);
  const bool inconclusive = case_result(l, c).num_inconclusive > 0;
  case_free(l);
  return inconclusive;
}

/* A near miss that is a passing case again cannot fail where that one does not. */
static bool case_is_one_that_passes(const struct rules_case *near) {
  for (size_t i = 0; i < cases_num(); i++) {
    const struct rules_case *c = case_at(i);
    if (c->want == FIXTURE_PASS && c->run == near->run && strcmp(c->slug, near->slug) == 0) {
      return true;
    }
  }
  return false;
}

START_TEST(every_rule_has_its_cases)
{
  const iwarp_rule *rule = iwarp_rule_get((uint16_t)_i);
  unsigned num[FIXTURE_INCONCLUSIVE + 1] = {0};
  for (size_t i = 0; i < cases_num(); i++) {
    const struct rules_case *c = case_at(i);
    if (strcmp(c->slug, rule->slug) == 0) {
      expect(c->want != FIXTURE_NEAR || !case_is_one_that_passes(c), "%s, %s: it is a passing case",
             c->slug, c->what);
      num[c->want]++;
      num[FIXTURE_INCONCLUSIVE] +=
          c->want == FIXTURE_FAIL && case_inconclusive_under_guess(c) ? 1u : 0u;
    }
  }
  expect(num[FIXTURE_PASS] > 0, "%s has no passing case", rule->slug);
  expect(num[FIXTURE_NEAR] > 0, "%s has no near miss", rule->slug);
  expect(num[FIXTURE_FAIL] > 0, "%s has no failing case", rule->slug);
  expect((num[FIXTURE_INCONCLUSIVE] > 0) != case_own_octets(rule->slug), "%s: %u undecidable cases",
         rule->slug, num[FIXTURE_INCONCLUSIVE]);
}
END_TEST

/* The text of the cases begins where the folder is that CTest runs the programs in. */
#define CASES_TEXT "conformance/tests/unit/rules_cases.txt"

/* What the rule of the case counts where starts of FPDUs are guessed, unless it is the same. */
static void case_text_guessed(struct text *t, const struct rules_case *c, size_t counts) {
  struct rules_fixture *l = case_less(c, LESS_STARTS, 0);
  struct text guessed = {.len = 0};
  text_counts(&guessed, l->rules, case_rule(c)->id);
  if (strcmp(guessed.chars, &t->chars[counts]) != 0) {
    text_add(t, "; starts guessed: %s", guessed.chars);
  }
  case_free(l);
}

static struct text_tally case_tally(const struct rules_case *c, enum case_less less,
                                    uint64_t num_events) {
  struct text_tally tally = {0};
  const uint64_t times = less == LESS_EVENT ? case_drops(num_events) : 1;
  for (uint64_t drop = 0; drop < times; drop++) {
    struct rules_fixture *l = case_less(c, less, drop);
    text_tally_add(&tally, l->rules);
    case_free(l);
  }
  return tally;
}

/* What all rules counted: that one speaks where it did not is seen here. */
static void case_text_all(struct text *t, const struct rules_case *c, uint64_t num_events) {
  for (unsigned less = 0; less < LESS_WAYS; less++) {
    const struct text_tally tally = case_tally(c, (enum case_less)less, num_events);
    text_add(t, "%s%s ", less == 0 ? "  " : "; ", case_less_names[less]);
    text_tally(t, &tally);
  }
  text_add(t, "\n");
}

static void case_text(struct text *t, const struct rules_case *c) {
  struct rules_fixture *l = case_less(c, LESS_NOTHING, 0);
  t->len = 0;
  text_add(t, "%s, %s: ", c->slug, c->what);
  const size_t counts = t->len;
  text_counts(t, l->rules, case_rule(c)->id);
  case_text_guessed(t, c, counts);
  text_add(t, "\n");
  for (unsigned i = 0; i < l->num; i++) {
    text_finding(t, &l->findings[i]);
  }
  text_inconclusive(t, l->rules, case_rule(c)->id);
  case_text_all(t, c, l->num_events);
  case_free(l);
}

/* Reads the lines of the next case: one that is not indented, and those that are. */
static bool case_text_read(FILE *file, struct text *t) {
  t->len = 0;
  t->chars[0] = '\0';
  int next = getc(file);
  while (next != EOF && (t->len == 0 || next == ' ')) {
    char line[4096];
    ungetc(next, file);
    if (fgets(line, sizeof(line), file) != NULL) {
      text_add(t, "%s", line);
    }
    next = getc(file);
  }
  ungetc(next, file);
  return t->len > 0;
}

static void case_text_write(void) {
  struct text *t = malloc(sizeof(*t));
  FILE *file = fopen(CASES_TEXT, "w");
  expect(file != NULL, "%s cannot be written", CASES_TEXT);
  for (size_t i = 0; i < cases_num(); i++) {
    case_text(t, case_at(i));
    fputs(t->chars, file);
  }
  expect(fclose(file) == 0, "%s cannot be written", CASES_TEXT);
  free(t);
}

/* All fields of every finding, and the counts; IWARP_UPDATE_GOLDEN=1 writes them. */
START_TEST(cases_come_to_what_the_text_says)
{
  if (getenv("IWARP_UPDATE_GOLDEN") != NULL) {
    case_text_write();
  }
  struct text *is = malloc(sizeof(*is));
  struct text *due = malloc(sizeof(*due));
  FILE *file = fopen(CASES_TEXT, "r");
  expect(file != NULL, "no %s", CASES_TEXT);
  for (size_t i = 0; i < cases_num(); i++) {
    case_text(is, case_at(i));
    expect(case_text_read(file, due), "%s ends before %s", CASES_TEXT, is->chars);
    expect(strcmp(is->chars, due->chars) == 0, "%s has\n%sand now it is\n%s", CASES_TEXT,
           due->chars, is->chars);
  }
  expect(!case_text_read(file, due), "%s: no case for %s", CASES_TEXT, due->chars);
  fclose(file);
  free(due);
  free(is);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("rules_cases");
  TCase *tcase = tcase_create("cases");
  tcase_add_test(tcase, cases_come_to_what_the_text_says);
  tcase_add_loop_test(tcase, a_case_ends_as_it_must, 0, (int)cases_num());
  tcase_add_loop_test(tcase, the_octets_are_those_of_the_field, 0, (int)cases_num());
  tcase_add_loop_test(tcase, a_disabled_rule_is_silent, 0, (int)cases_num());
  tcase_add_loop_test(tcase, no_rule_depends_on_the_others, 0, (int)CASE_SLICES);
  tcase_add_loop_test(tcase, a_guess_finds_nothing, 0, (int)cases_num());
  tcase_add_loop_test(tcase, sides_exchanged_find_the_same, 0, (int)cases_num());
  tcase_add_loop_test(tcase, inits_between_messages_change_no_finding, 0, (int)cases_num());
  tcase_add_loop_test(tcase, less_finds_no_more, 0, (int)cases_num());
  tcase_add_loop_test(tcase, every_rule_has_its_cases, 0, (int)iwarp_rule_count());
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
