/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the pages and picks cases. */
#include <peer_report/select.h>

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>
#include <report/rule_match.h>

/* ---- pages ---- */

static peer_page *select_page(const peer_case *from) {
  scenario_error error;
  return peer_page_read(from->name, from->text, strlen(from->text), &error);
}

peer_selected peer_pages_read(peer_pages *pages, const char **bad) {
  size_t num = 0;
  *pages = (peer_pages){.canary = select_page(&peer_canary)};
  *bad = peer_canary.name;
  while (peer_cases[num].name != NULL) {
    num++;
  }
  pages->list = memory_zeroed(num + 1, sizeof(peer_page *));
  if (pages->list == NULL || pages->canary == NULL) {
    return pages->list == NULL ? PEER_SELECTED_NO_MEMORY : PEER_SELECTED_BAD_PAGE;
  }
  for (; pages->num < num; pages->num++) {
    *bad = peer_cases[pages->num].name;
    pages->list[pages->num] = select_page(&peer_cases[pages->num]);
    if (pages->list[pages->num] == NULL) {
      return PEER_SELECTED_BAD_PAGE;
    }
  }
  return PEER_SELECTED_OK;
}

void peer_pages_free(peer_pages *pages) {
  for (size_t i = 0; i < pages->num; i++) {
    peer_page_free(pages->list[i]);
  }
  peer_page_free(pages->canary);
  free(pages->list);
  *pages = (peer_pages){.num = 0};
}

/* ---- cases ---- */

static bool select_matches(const char *const *patterns, size_t num, const char *name) {
  for (size_t i = 0; i < num; i++) {
    if (rule_matches(patterns[i], name)) {
      return true;
    }
  }
  return false;
}

/* Returns true if a case is wanted, whatever its tags are. */
static bool select_wanted(const peer_selection *wanted, const char *name) {
  return (wanted->num_only == 0 || select_matches(wanted->only, wanted->num_only, name)) &&
         !select_matches(wanted->exclude, wanted->num_exclude, name);
}

static bool select_plays(const peer_page_info *info, const peer_selection *wanted) {
  return (info->plays & wanted->plays) != 0;
}

static bool select_dares(const peer_page_info *info, const peer_selection *wanted) {
  return wanted->danger || (info->tags & PEER_TAG_DANGER) == 0;
}

static bool select_add(peer_run *run, size_t *cap, const peer_page *page, size_t instance,
                       const char *name) {
  if (run->num_cases == *cap) {
    *cap = *cap > 0 ? 2 * *cap : 64;
    peer_run_case *grown = memory_resize(run->cases, *cap * sizeof *grown);
    if (grown == NULL) {
      return false;
    }
    run->cases = grown;
  }
  peer_run_case *c = &run->cases[run->num_cases++];
  *c = (peer_run_case){.item = {.page = page, .instance = instance}};
  memcpy(c->name, name, strlen(name) + 1);
  return true;
}

static bool select_instances(peer_run *run, size_t *cap, const peer_page *page,
                             const peer_selection *wanted) {
  const peer_page_info *info = peer_page_info_get(page);
  bool good = true;
  for (size_t i = 0; good && i < info->num_instances; i++) {
    char name[PEER_CASE_NAME_CAP];
    (void)peer_page_name(page, i, name, sizeof name);
    good = !select_plays(info, wanted) || !select_dares(info, wanted) ||
           !select_wanted(wanted, name) || select_add(run, cap, page, i, name);
  }
  return good;
}

/* Counts the cases that a pattern matches, with and without the cases that have the tag danger. */
static size_t select_count(const peer_pages *pages, const peer_selection *wanted,
                           const char *pattern, bool danger) {
  size_t count = 0;
  for (size_t i = 0; i < pages->num; i++) {
    const peer_page_info *info = peer_page_info_get(pages->list[i]);
    for (size_t k = 0; k < info->num_instances; k++) {
      char name[PEER_CASE_NAME_CAP];
      (void)peer_page_name(pages->list[i], k, name, sizeof name);
      count += select_plays(info, wanted) && (danger || select_dares(info, wanted)) &&
                       rule_matches(pattern, name)
                   ? 1
                   : 0;
    }
  }
  return count;
}

static peer_selected select_patterns(const peer_pages *pages, const peer_selection *wanted,
                                     const char *const *patterns, size_t num,
                                     const char **pattern) {
  for (size_t i = 0; i < num; i++) {
    *pattern = patterns[i];
    if (select_count(pages, wanted, patterns[i], true) == 0) {
      return PEER_SELECTED_NOTHING;
    }
    if (patterns == wanted->only && select_count(pages, wanted, patterns[i], false) == 0) {
      return PEER_SELECTED_DANGER;
    }
  }
  return PEER_SELECTED_OK;
}

peer_selected peer_select(peer_run *run, const peer_pages *pages, const peer_selection *wanted,
                          const char **pattern) {
  size_t cap = 0;
  peer_selected result = select_patterns(pages, wanted, wanted->only, wanted->num_only, pattern);
  if (result == PEER_SELECTED_OK) {
    result = select_patterns(pages, wanted, wanted->exclude, wanted->num_exclude, pattern);
  }
  for (size_t i = 0; result == PEER_SELECTED_OK && i < pages->num; i++) {
    if (!select_instances(run, &cap, pages->list[i], wanted)) {
      result = PEER_SELECTED_NO_MEMORY;
    }
  }
  if (result == PEER_SELECTED_OK && run->num_cases == 0) {
    *pattern = NULL;
    result = PEER_SELECTED_NOTHING;
  }
  return result;
}

void peer_select_free(peer_run *run) {
  for (size_t i = 0; i < run->num_cases; i++) {
    free(run->cases[i].findings);
    free(run->cases[i].file);
  }
  free(run->cases);
  run->cases = NULL;
  run->num_cases = 0;
}
