/* SPDX-License-Identifier: BSD-2-Clause */
/* A page as the player sees it. */
#ifndef PAGE_PRIV_H
#define PAGE_PRIV_H

#include <peer/page.h>
#include <scenario/page.h>

#define PEER_ASKED_MAX 16u

struct peer_page {
  char name[80];
  char *text;
  scenario_page scn; /* borrows the text */
  peer_page_info info;
  char title[200];
  char cites[400];
  char due[1024];
  uint16_t asked[PEER_ASKED_MAX]; /* rules that the tester breaks on purpose */
  size_t num_asked;
};

#endif
