/* SPDX-License-Identifier: BSD-2-Clause */
/* The DDP streams of an association by number. */
#include "sctp_flow.h"

sctp_stream *obs_sctp_find(const sctp_flow *f, uint16_t id) {
  const sctp_page *page = f->pages != NULL ? f->pages[id / SCTP_PAGE] : NULL;
  return page != NULL ? page->at[id % SCTP_PAGE] : NULL;
}

bool obs_sctp_enter(observe *obs, sctp_flow *f, sctp_stream *st) {
  if (f->pages == NULL) {
    f->pages = obs_memory_get(obs, SCTP_PAGES_SIZE);
  }
  sctp_page **page = f->pages != NULL ? &f->pages[st->id / SCTP_PAGE] : NULL;
  if (page != NULL && *page == NULL) {
    *page = obs_memory_get(obs, sizeof **page);
  }
  if (page == NULL || *page == NULL) {
    return false;
  }
  (*page)->at[st->id % SCTP_PAGE] = st;
  (*page)->used++;
  f->streams++;
  return true;
}

void obs_sctp_leave(observe *obs, sctp_flow *f, const sctp_stream *st) {
  sctp_page **page = &f->pages[st->id / SCTP_PAGE];
  (*page)->at[st->id % SCTP_PAGE] = NULL;
  (*page)->used--;
  f->streams--;
  if ((*page)->used == 0) {
    obs_memory_put(obs, *page, sizeof **page);
    *page = NULL;
  }
}
