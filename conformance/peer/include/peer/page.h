/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases: pages in the language of docs/scenarios.md, and their contents. */
#ifndef PEER_PAGE_H
#define PEER_PAGE_H

#include <iwarp/event.h>

#include <peer/offer.h>
#include <scenario/scenario.h>

/** Tags of a page, as bits. */
#define PEER_TAG_DANGER 1u    /* known to crash some stack: played with --danger alone */
#define PEER_TAG_SLOW 2u      /* takes longer than the others */
#define PEER_TAG_EXTENSION 4u /* an extension of RFC 7306: a target need not know it */

/** Roles in which the tester plays a page, as bits. */
#define PEER_PLAYS_INITIATOR 1u
#define PEER_PLAYS_RESPONDER 2u

/** peer_page is a page that was read. It never changes, so plays may share it. */
typedef struct peer_page peer_page;

/** peer_page_info is what a page says of itself. The texts belong to the page. */
typedef struct peer_page_info {
  const char *title;
  const char *cites;    /* ids of the requirement catalogue, separated by single spaces */
  const char *due;      /* all lines of the target, separated by "; " and " or " */
  uint32_t needs;       /* PEER_OFFER_* */
  uint32_t tags;        /* PEER_TAG_* */
  uint32_t plays;       /* PEER_PLAYS_* */
  size_t num_instances; /* plays of one role: 1, or the number of words of `for` */
  uint32_t min_time_ms; /* least time of the page's own pauses and silences */
} peer_page_info;

/**
 * peer_page_read reads a page. NULL: `error` says why. `name` is its id, AREA.NAME, and is copied,
 * as is the text. All lines of all alternatives and all instances are checked, so that no play
 * finds a mistake of the language.
 */
peer_page *peer_page_read(const char *name, const char *text, size_t len, scenario_error *error);

/** peer_page_info_get returns what the page says of itself; never NULL. */
const peer_page_info *peer_page_info_get(const peer_page *page);

/** peer_page_name writes the id of instance `i`: AREA.NAME, with a dot and the word of `for` where
 * there is one. The result is "" if `cap` is too small or there is no such instance. */
const char *peer_page_name(const peer_page *page, size_t i, char *out, size_t cap);

/** peer_page_text returns the text of the page, as it was read. */
const char *peer_page_text(const peer_page *page);

/** peer_page_free gives everything back; NULL is fine. */
void peer_page_free(peer_page *page);

/** peer_case is a page of conformance/peer/cases, which travels inside the library. */
typedef struct peer_case {
  const char *name; /* AREA.NAME */
  const char *text;
} peer_case;

/** peer_cases has all pages in the order of their names; its last entry has the name NULL. */
extern const peer_case peer_cases[];

/** peer_canary is the page of the canary: startup, one sign of life, close. Play it before all
 * cases and after each one that did not pass. It is in no list of cases. */
extern const peer_case peer_canary;

#endif
