/* SPDX-License-Identifier: BSD-2-Clause */
/* What is built into the tool is what stands in the files, octet for octet. Runs at the top of the
 * repository. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <iwarp/rules.h>

#include "check_run.h"
#include "cli/embedded.h"

#define LINE_MAX_LEN 4096u

/* Returns true if the file holds exactly `text`. */
static bool embedded_same(const char *path, const char *text) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s cannot be opened", path);
  int octet = 0;
  do {
    octet = fgetc(file);
  } while (octet != EOF && octet == (unsigned char)*text++);
  fclose(file);
  return octet == EOF && *text == '\0';
}

START_TEST(pages_are_the_files)
{
  ck_assert_uint_gt(iwarp_rule_page_count, 0);
  for (size_t i = 0; i < iwarp_rule_page_count; i++) {
    const struct iwarp_embedded_page *page = &iwarp_rule_pages[i];
    char path[256];
    snprintf(path, sizeof path, "docs/rules/%s.md", page->name);
    ck_assert_msg(embedded_same(path, page->text), "%s differs", path);
    ck_assert(i == 0 || strcmp(iwarp_rule_pages[i - 1].name, page->name) < 0);
  }
  ck_assert_ptr_null(iwarp_rule_pages[iwarp_rule_page_count].name);
}
END_TEST

START_TEST(requirements_are_the_lines_of_the_catalogues)
{
  static const char *const rfcs[] = {"5040", "5041", "5042", "5043", "5044",
                                     "6580", "6581", "7146", "7306"};
  const struct iwarp_embedded_requirement *row = iwarp_requirement_rows;
  for (size_t i = 0; i < sizeof rfcs / sizeof rfcs[0]; i++) {
    char path[256];
    char line[LINE_MAX_LEN];
    char made[LINE_MAX_LEN];
    snprintf(path, sizeof path, "conformance/requirements/rfc%s.tsv", rfcs[i]);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file)); /* the head */
    while (fgets(line, sizeof line, file) != NULL) {
      ck_assert_ptr_nonnull(row->id);
      snprintf(made, sizeof made, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row->id, row->section, row->level,
               row->who, row->visibility, row->text, row->on_violation);
      ck_assert_str_eq(made, line);
      row++;
    }
    fclose(file);
  }
  ck_assert_ptr_null(row->id);
  ck_assert_uint_eq((size_t)(row - iwarp_requirement_rows), iwarp_requirement_row_count);
}
END_TEST

static bool embedded_has_page(const char *slug) {
  for (size_t i = 0; i < iwarp_rule_page_count; i++) {
    if (strcmp(iwarp_rule_pages[i].name, slug) == 0) {
      return true;
    }
  }
  return false;
}

START_TEST(every_rule_has_a_page_and_every_page_a_rule)
{
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const char *slug = iwarp_rule_get(id)->slug;
    ck_assert_msg(embedded_has_page(slug), "docs/rules/%s.md is missing", slug);
  }
  for (size_t i = 0; i < iwarp_rule_page_count; i++) {
    const char *name = iwarp_rule_pages[i].name;
    ck_assert_msg(iwarp_rule_find(name) != NULL, "docs/rules/%s.md is of no rule", name);
  }
}
END_TEST

static bool embedded_has_requirement(const char *id, size_t len) {
  for (size_t i = 0; i < iwarp_requirement_row_count; i++) {
    const char *row = iwarp_requirement_rows[i].id;
    if (strlen(row) == len && memcmp(row, id, len) == 0) {
      return true;
    }
  }
  return false;
}

START_TEST(every_rule_cites_requirements_that_exist)
{
  for (uint16_t i = 0; i < iwarp_rule_count(); i++) {
    const char *ids = iwarp_rule_get(i)->requirements;
    do {
      const size_t len = strcspn(ids, " ");
      ck_assert_msg(embedded_has_requirement(ids, len), "%s cites %s", iwarp_rule_get(i)->slug,
                    ids);
      ids += len + (ids[len] == ' ');
    } while (*ids != '\0');
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {pages_are_the_files, requirements_are_the_lines_of_the_catalogues,
                                every_rule_has_a_page_and_every_page_a_rule,
                                every_rule_cites_requirements_that_exist, NULL};
  return check_run(check_suite("embedded", tests));
}
