/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule catalogue: names, levels that agree with the requirement catalogue, a page for each
 * rule. */
#include "check_run.h"

#include <iwarp/rules.h>
#include <stdio.h>
#include <string.h>

/* The tests run in the top directory. */
#ifndef IWARP_SOURCE_DIR
#define IWARP_SOURCE_DIR "."
#endif

#define LINE_CAP 4096u
#define LEVEL_CAP 32u

/* How strong a level is: RFC 2119 keywords, then sentences without one, then what is allowed. */
static int level_rank(const char *level) {
  static const struct {
    const char *level;
    int rank;
  } ranks[] = {{"MUST", 4},       {"MUST NOT", 4},    {"REQUIRED", 4},
               {"SHALL", 4},      {"SHALL NOT", 4},   {"SHOULD", 3},
               {"SHOULD NOT", 3}, {"RECOMMENDED", 3}, {"NOT RECOMMENDED", 3},
               {"implicit", 2},   {"MAY", 1},         {"OPTIONAL", 1}};
  for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
    if (strcmp(ranks[i].level, level) == 0) {
      return ranks[i].rank;
    }
  }
  return 0;
}

/* The third column of the row of `id` in the requirement catalogue of its RFC. False: no such row.
 */
static bool requirement_level(const char *id, size_t id_len, char level[LEVEL_CAP]) {
  char path[256];
  char line[LINE_CAP];
  const char *dash = memchr(id, '-', id_len);
  bool found = false;
  expect(dash != NULL, "%.*s is no requirement id", (int)id_len, id);
  snprintf(path, sizeof(path), "%s/conformance/requirements/%.*s.tsv", IWARP_SOURCE_DIR,
           (int)(dash - id), id);
  FILE *f = fopen(path, "r");
  expect(f != NULL, "no %s", path);
  while (!found && fgets(line, sizeof(line), f) != NULL) {
    char *section = strchr(line, '\t');
    char *column = section != NULL ? strchr(section + 1, '\t') : NULL;
    char *end = column != NULL ? strchr(column + 1, '\t') : NULL;
    if (end != NULL && (size_t)(section - line) == id_len && memcmp(line, id, id_len) == 0) {
      snprintf(level, LEVEL_CAP, "%.*s", (int)(end - column - 1), column + 1);
      found = true;
    }
  }
  fclose(f);
  return found;
}

static const iwarp_rule *rule_at(int i) {
  return iwarp_rule_get((uint16_t)i);
}

START_TEST(level_is_the_strongest_of_the_requirements)
{
  const iwarp_rule *rule = rule_at(_i);
  const char *id = rule->requirements;
  int strongest = 0;
  while (*id != '\0') {
    char level[LEVEL_CAP];
    const size_t len = strcspn(id, " ");
    expect(requirement_level(id, len, level), "%s: no requirement %.*s", rule->slug, (int)len, id);
    expect(level_rank(level) > 0, "%s: level %s", rule->slug, level);
    strongest = level_rank(level) > strongest ? level_rank(level) : strongest;
    id += len + (id[len] == ' ' ? 1u : 0u);
    expect(id[0] != ' ', "%s: two spaces between requirements", rule->slug);
  }
  expect(level_rank(rule->level) == strongest, "%s is %s", rule->slug, rule->level);
}
END_TEST

START_TEST(level_is_that_of_its_first_strong_requirement)
{
  const iwarp_rule *rule = rule_at(_i);
  const char *id = rule->requirements;
  bool same = false;
  while (*id != '\0') {
    char level[LEVEL_CAP];
    const size_t len = strcspn(id, " ");
    same = same || (requirement_level(id, len, level) && strcmp(level, rule->level) == 0);
    id += len + (id[len] == ' ' ? 1u : 0u);
  }
  expect(same, "%s: none of its requirements is a %s", rule->slug, rule->level);
}
END_TEST

START_TEST(severity_follows_level)
{
  const iwarp_rule *rule = rule_at(_i);
  switch (level_rank(rule->level)) {
  case 4: expect(rule->severity == IWARP_SEVERITY_VIOLATION, "%s", rule->slug); break;
  case 3: expect(rule->severity == IWARP_SEVERITY_WARNING, "%s", rule->slug); break;
  case 2: expect(rule->severity != IWARP_SEVERITY_WARNING, "%s", rule->slug); break;
  default: expect(rule->severity == IWARP_SEVERITY_NOTE, "%s", rule->slug); break;
  }
}
END_TEST

/* layer.short-name: lower case, digits, '-', one '.' */
START_TEST(slug_is_legal_everywhere)
{
  const char *slug = rule_at(_i)->slug;
  const char *dot = strchr(slug, '.');
  expect(strspn(slug, "abcdefghijklmnopqrstuvwxyz0123456789-.") == strlen(slug), "%s", slug);
  expect(dot != NULL && dot != slug && dot[1] != '\0' && strchr(dot + 1, '.') == NULL, "%s", slug);
  expect(strncmp(slug, "mpa.", 4) == 0 || strncmp(slug, "ddp.", 4) == 0 ||
             strncmp(slug, "rdmap.", 6) == 0 || strncmp(slug, "sctp.", 5) == 0,
         "%s", slug);
  for (int other = 0; other < _i; other++) {
    expect(strcmp(rule_at(other)->slug, slug) != 0, "%s twice", slug);
  }
}
END_TEST

static bool one_line(const char *text) {
  return text[0] != '\0' && strchr(text, '\n') == NULL && text[strlen(text) - 1] != '.';
}

START_TEST(texts_are_one_line)
{
  const iwarp_rule *rule = rule_at(_i);
  expect(one_line(rule->summary), "%s: %s", rule->slug, rule->summary);
  expect(one_line(rule->message), "%s: %s", rule->slug, rule->message);
  for (const char *p = strchr(rule->message, '%'); p != NULL; p = strchr(p + 1, '%')) {
    expect(p[1] == 'e' || p[1] == 'o', "%s: %s", rule->slug, rule->message);
  }
}
END_TEST

/* A group of Wireshark's expert dialog has one for all its findings: it has no values, and says
 * what is wrong. */
START_TEST(fault_is_a_statement_without_values)
{
  const iwarp_rule *rule = rule_at(_i);
  const char *fault = rule->fault;
  expect(one_line(fault) && strlen(fault) <= 80 && strchr(fault, '%') == NULL, "%s: %s", rule->slug,
         fault);
  expect(fault[0] >= 'A' && fault[0] <= 'Z', "%s: %s", rule->slug, fault);
  expect(strcmp(fault, rule->summary) != 0, "%s: %s", rule->slug, fault);
  for (int other = 0; other < _i; other++) {
    expect(strcmp(rule_at(other)->fault, fault) != 0, "%s has the fault of another", rule->slug);
  }
}
END_TEST

START_TEST(rule_is_found_by_its_name)
{
  const iwarp_rule *rule = rule_at(_i);
  ck_assert_int_eq(rule->id, _i);
  ck_assert_ptr_eq(iwarp_rule_find(rule->slug), rule);
}
END_TEST

START_TEST(what_is_no_rule_is_not_found)
{
  ck_assert_ptr_null(iwarp_rule_get(iwarp_rule_count()));
  ck_assert_ptr_null(iwarp_rule_get(UINT16_MAX));
  ck_assert_ptr_null(iwarp_rule_find(""));
  ck_assert_ptr_null(iwarp_rule_find("mpa."));
  ck_assert_ptr_null(iwarp_rule_find("mpa.crcs"));
  ck_assert_ptr_null(iwarp_rule_find("xpa.crc"));
  ck_assert_ptr_null(iwarp_rule_find("MPA.CRC"));
  ck_assert_uint_ge(iwarp_rule_count(), 60);
}
END_TEST

/* The parts of a page, in this order. */
static const char *const parts[] = {"## What is demanded\n\n",
                                    "## Why it matters\n\n",
                                    "## Effect\n\n",
                                    "## RFC sections\n\n",
                                    "## What a violation looks like\n\n",
                                    "## Cause\n\n",
                                    "## Typical causes\n\n",
                                    "## What to do\n\n- Operator: ",
                                    "\n- Implementer: ",
                                    "## When the rule stays silent\n\n",
                                    "## Seen in\n\n"};

static char *page_of(const iwarp_rule *rule) {
  char path[256];
  snprintf(path, sizeof(path), "%s/docs/rules/%s.md", IWARP_SOURCE_DIR, rule->slug);
  FILE *f = fopen(path, "r");
  expect(f != NULL, "%s has no page %s", rule->slug, path);
  char *text = calloc(1, 65536);
  expect(text != NULL && fread(text, 1, 65535, f) > 0, "%s: empty page", rule->slug);
  fclose(f);
  return text;
}

START_TEST(page_has_its_parts)
{
  const iwarp_rule *rule = rule_at(_i);
  char title[128];
  char *text = page_of(rule);
  const char *at = text;
  snprintf(title, sizeof(title), "# %s\n", rule->slug);
  expect(strstr(text, title) != NULL, "%s: no title", rule->slug);
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    at = strstr(at, parts[i]);
    expect(at != NULL, "%s: no \"%s\", or not in order", rule->slug, parts[i]);
  }
  expect(strstr(at, "pcaps/") != NULL, "%s: no capture", rule->slug);
  free(text);
}
END_TEST

/* What `check` prints below a finding must fit a line of a terminal. */
START_TEST(page_says_cause_effect_and_next_step_in_one_line_each)
{
  static const char *const heads[] = {"## Cause\n\n", "## Effect\n\n",
                                      "- Operator: ", "- Implementer: "};
  const iwarp_rule *rule = rule_at(_i);
  char *text = page_of(rule);
  for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
    const char *at = strstr(text, heads[i]);
    expect(at != NULL, "%s: no %s", rule->slug, heads[i]);
    at += strlen(heads[i]);
    const size_t len = strcspn(at, "\n");
    expect(len >= 10 && len <= 120, "%s: %zu characters: %.*s", rule->slug, len, (int)len, at);
    expect(at[len - 1] == '.', "%s: no sentence: %.*s", rule->slug, (int)len, at);
  }
  free(text);
}
END_TEST

START_TEST(page_cites_the_requirements)
{
  const iwarp_rule *rule = rule_at(_i);
  char *text = page_of(rule);
  const char *id = rule->requirements;
  while (*id != '\0') {
    char one[64];
    const size_t len = strcspn(id, " ");
    snprintf(one, sizeof(one), "%.*s", (int)len, id);
    expect(strstr(text, one) != NULL, "%s does not cite %s", rule->slug, one);
    id += len + (id[len] == ' ' ? 1u : 0u);
  }
  free(text);
}
END_TEST

int main(void) {
  const int num = iwarp_rule_count();
  Suite *suite = suite_create("rules_catalog");
  TCase *tcase = tcase_create("catalog");
  tcase_add_loop_test(tcase, level_is_the_strongest_of_the_requirements, 0, num);
  tcase_add_loop_test(tcase, level_is_that_of_its_first_strong_requirement, 0, num);
  tcase_add_loop_test(tcase, severity_follows_level, 0, num);
  tcase_add_loop_test(tcase, slug_is_legal_everywhere, 0, num);
  tcase_add_loop_test(tcase, texts_are_one_line, 0, num);
  tcase_add_loop_test(tcase, fault_is_a_statement_without_values, 0, num);
  tcase_add_loop_test(tcase, rule_is_found_by_its_name, 0, num);
  tcase_add_test(tcase, what_is_no_rule_is_not_found);
  tcase_add_loop_test(tcase, page_has_its_parts, 0, num);
  tcase_add_loop_test(tcase, page_says_cause_effect_and_next_step_in_one_line_each, 0, num);
  tcase_add_loop_test(tcase, page_cites_the_requirements, 0, num);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
