/* SPDX-License-Identifier: BSD-2-Clause */
/* The cases of a run: which pages, in which instances. */
#ifndef PEER_REPORT_SELECT_H
#define PEER_REPORT_SELECT_H

#include <peer_report/run.h>

/** peer_selection says which cases are wanted. Patterns look like "mpa.*". */
typedef struct peer_selection {
  uint32_t plays; /* PEER_PLAYS_*: one of these roles of the tester */
  bool danger;    /* cases with the tag `danger` are wanted, too */
  const char *const *only;
  size_t num_only;
  const char *const *exclude;
  size_t num_exclude;
} peer_selection;

/** peer_pages is all pages that travel inside the tool, read. */
typedef struct peer_pages {
  peer_page **list;
  size_t num;
  peer_page *canary;
} peer_pages;

/** peer_selected says how the selection went. */
typedef enum peer_selected {
  PEER_SELECTED_OK = 0,
  PEER_SELECTED_NOTHING,  /* `*pattern` matches no case; NULL: no case is left */
  PEER_SELECTED_DANGER,   /* `*pattern` matches only cases that are tagged danger */
  PEER_SELECTED_BAD_PAGE, /* `*pattern` names a page that cannot be read */
  PEER_SELECTED_NO_MEMORY
} peer_selected;

/** peer_pages_read reads the pages; other results than OK are BAD_PAGE and NO_MEMORY. Call
 * peer_pages_free in each case. */
peer_selected peer_pages_read(peer_pages *pages, const char **bad);

/** peer_pages_free gives the pages back. */
void peer_pages_free(peer_pages *pages);

/** peer_select fills `run->cases`. Call peer_select_free in each case. */
peer_selected peer_select(peer_run *run, const peer_pages *pages, const peer_selection *wanted,
                          const char **pattern);

/** peer_select_free gives the cases back, with their findings and files. */
void peer_select_free(peer_run *run);

#endif
